"""Recovery codes: what turns a guest into an account that a lost phone does not end."""

from hmac import compare_digest
from secrets import choice
from typing import Any, Final

from events import keys
from service.identity.tokens import digest_of, read, write

CODE: Final = r"([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}"
"""How a code is written: 125 bits, in letters and digits that nobody mistakes for each other."""

_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LIKELY: Final = str.maketrans("OIL", "011", " -\t\u2010\u2011\u2013")

# Erasure may come in between, and a code must not outlive its player.
_REPLACE: Final = """
if redis.call('EXISTS', KEYS[1]) == 0 then return {0} end
local before = redis.call('HGET', KEYS[1], 'recovery')
redis.call('HSET', KEYS[1], 'recovery', ARGV[1])
return {1, before or ''}
"""


def new_code(client: Any, player: str) -> str | None:
    """Make the recovery code of a player, in place of any before; None if the player was erased."""
    code = "-".join("".join(choice(_LETTERS) for _ in range(5)) for _ in range(5))
    digest = _digest(code)
    write(client, "SET", keys.recovery(digest), player)
    there, *before = write(client, "EVAL", _REPLACE, 1, keys.player(player), digest)
    gone = before[0].decode() if there else digest
    if gone:
        forget(client, gone)
    return code if there else None


def player_of(client: Any, code: str) -> str | None:
    """Answer whose code this is, however it is spaced and whatever looks alike; else None."""
    digest = _digest(code)
    player = read(client, "GET", keys.recovery(digest))
    if player is None:
        return None
    # A code that was replaced may not be gone yet.
    now = read(client, "HGET", keys.player(player.decode()), "recovery")
    return player.decode() if now and compare_digest(now, digest.encode()) else None


def forget(client: Any, digest: str) -> None:
    """Make a code worthless."""
    write(client, "DEL", keys.recovery(digest))


def _digest(code: str) -> str:
    return digest_of(code.upper().translate(_LIKELY))
