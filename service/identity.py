"""Who is asking: players, their tokens and what a token may do."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from secrets import token_hex, token_urlsafe
from time import monotonic, time
from typing import Any, Final
from uuid import uuid4

from redis.exceptions import ResponseError

from events import keys
from events.connection import OutcomeUnknown, StoreUnavailable, call, failure

SCOPES: Final = ("play", "read", "bot", "webhooks", "account")
GUEST_SCOPES: Final = frozenset({"play", "read", "account"})
NAME_LENGTH: Final = 40
CACHE_SECONDS: Final = 5.0
"""How long a process may go on believing in a token: a revocation takes so long."""

_CACHED_TOKENS: Final = 20_000
_ZERO_WIDTH_JOINER: Final = "\u200d"  # emoji are built with it

# Erasure may come between reading and writing, and a late change must not bring a name back.
_CHANGE: Final = """
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
"""


@dataclass(frozen=True, slots=True)
class Caller:
    """The player behind a token, its scopes, and the seed of ids that only this player makes."""

    player: str
    scopes: frozenset[str]
    seed: str


@dataclass(frozen=True, slots=True)
class Profile:
    """What a player told of itself; ``since`` is in milliseconds since 1970 (UTC)."""

    player: str
    name: str | None
    locale: str | None
    since: int


def tidy_name(name: str | None) -> str | None:
    """Make a name safe to show: composed, one line, nothing invisible; None if nothing is left."""
    seen = "".join(_seen(each) for each in unicodedata.normalize("NFC", name or ""))
    return " ".join(seen.split())[:NAME_LENGTH].strip(" " + _ZERO_WIDTH_JOINER) or None


def _seen(character: str) -> str:
    category = unicodedata.category(character)
    if category in {"Zs", "Zl", "Zp"} or character in "\t\r\n":
        return " "
    return "" if category[0] == "C" and character != _ZERO_WIDTH_JOINER else character


class Identity:
    """Keep players and tokens in the store; believe in a token for a few seconds."""

    def __init__(self, client: Any, clock: Callable[[], float] = monotonic) -> None:
        self._client = client
        self._clock = clock
        self._known: dict[str, tuple[float, Caller]] = {}

    def new_player(self, name: str | None, locale: str | None) -> tuple[Profile, str]:
        """Make a guest and its token; the token is shown this once."""
        profile = Profile(str(uuid4()), tidy_name(name), locale, int(time() * 1000))
        told = {"name": profile.name, "locale": locale, "since": profile.since}
        fields = {name: value for name, value in told.items() if value is not None}
        seed = token_hex(16)
        self._write("HSET", keys.player(profile.player), *_flat(fields | {"seed": seed}))
        return profile, self._new_token(profile.player, GUEST_SCOPES, seed)

    def new_token(self, player: str, scopes: frozenset[str]) -> str | None:
        """Make a token for a player with these scopes; None if the player was erased."""
        seed = self._read("HGET", keys.player(player), "seed")
        return None if seed is None else self._new_token(player, scopes, seed.decode())

    def _new_token(self, player: str, scopes: frozenset[str], seed: str) -> str:
        token = f"abx_{token_urlsafe(32)}"
        digest = _digest(token)
        fields = {"player": player, "scopes": " ".join(sorted(scopes)), "seed": seed}
        # The set first: a token that erasure could not find must never come to be.
        self._write("SADD", keys.player_tokens(player), digest)
        self._write("HSET", keys.token(digest), *_flat(fields))
        return token

    def caller(self, token: str) -> Caller | None:
        """Answer who holds a token, or None if it is wrong or revoked."""
        digest = _digest(token)
        now = self._clock()
        until, caller = self._known.get(digest, (0.0, None))
        if caller is not None and now < until:
            return caller
        self._known.pop(digest, None)
        found = _texts(self._read("HGETALL", keys.token(digest)))
        if not found:
            return None
        caller = Caller(found["player"], frozenset(found["scopes"].split()), found["seed"])
        self._remember(digest, now, caller)
        return caller

    def profile(self, player: str) -> Profile | None:
        """Answer what a player told, or None if there is none or it was erased."""
        found = _texts(self._read("HGETALL", keys.player(player)))
        if not found:
            return None
        return Profile(player, found.get("name"), found.get("locale"), int(found["since"]))

    def change(self, player: str, **fields: str | None) -> Profile | None:
        """Change name or locale (None takes it away); answer the profile, or None if erased."""
        if "name" in fields:
            fields["name"] = tidy_name(fields["name"])
        key = keys.player(player)
        told = {name: text for name, text in fields.items() if text}
        if told and not self._write("EVAL", _CHANGE, 1, key, *_flat(told)):
            return None
        gone = fields.keys() - told.keys()
        if gone:
            self._write("HDEL", key, *sorted(gone))
        return self.profile(player)

    def erase(self, player: str, token: str) -> None:
        """Forget a player: name and profile first, then all tokens, the one in use last."""
        self._write("DEL", keys.player(player))
        mine = _digest(token)
        digests = {each.decode() for each in self._read("SMEMBERS", keys.player_tokens(player))}
        for digest in digests - {mine}:
            self._revoke(digest)
        self._write("DEL", keys.player_tokens(player))
        self._revoke(mine)

    def revoke(self, player: str, token: str) -> None:
        """Make a token worthless: at once here, within CACHE_SECONDS in other processes."""
        digest = _digest(token)
        self._revoke(digest)
        self._write("SREM", keys.player_tokens(player), digest)

    def _revoke(self, digest: str) -> None:
        self._write("DEL", keys.token(digest))
        self._known.pop(digest, None)

    def _read(self, *command: object) -> Any:
        try:
            return self._write(*command)
        except OutcomeUnknown as error:
            raise StoreUnavailable(str(error)) from error

    def _write(self, *command: object) -> Any:
        reply = call(self._client, command)[0]
        if isinstance(reply, ResponseError):
            raise failure(reply) from reply
        return reply

    def _remember(self, digest: str, now: float, caller: Caller) -> None:
        if len(self._known) >= _CACHED_TOKENS:
            self._known.clear()
        self._known[digest] = (now + CACHE_SECONDS, caller)


def _digest(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def _flat(fields: Mapping[str, object]) -> list[object]:
    return [part for pair in fields.items() for part in pair]


def _texts(stored: Sequence[bytes]) -> dict[str, str]:
    """Read the reply to HGETALL."""
    return {
        name.decode(): text.decode() for name, text in zip(stored[::2], stored[1::2], strict=True)
    }
