"""Who is asking: players and bots, what they told of themselves, and what their tokens may do."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from secrets import token_hex
from time import monotonic, time
from typing import Any, Final
from uuid import uuid4

from events import keys
from service.identity import recovery
from service.identity.names import NAME_LENGTH, tidy_name
from service.identity.tokens import (
    CACHE_SECONDS,
    Caller,
    Tokens,
    digest_of,
    flat,
    read,
    texts,
    write,
)
from service.oauth import apps, grants
from workers.webhooks import hooks

__all__ = [
    "BOT_SCOPES", "CACHE_SECONDS", "GUEST_SCOPES", "NAME_LENGTH", "SCOPES", "Caller", "Identity",
    "Profile", "tidy_name",
]  # fmt: skip

SCOPES: Final = ("play", "read", "bot", "webhooks", "account")
GUEST_SCOPES: Final = frozenset({"play", "read", "account"})
BOT_SCOPES: Final = frozenset({"play", "read", "webhooks"})
MOST_BOTS: Final = 20

# Erasure may come between reading and writing, and a late change must not bring a name back.
_CHANGE: Final = """
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
"""

# What else must go is read in the moment in which the player goes.
_ERASE: Final = """
local told = redis.call('HMGET', KEYS[1], 'recovery', 'owner')
redis.call('DEL', KEYS[1])
return {told[1] or '', told[2] or ''}
"""


@dataclass(frozen=True, slots=True)
class Profile:
    """What a player told of itself; ``since`` is in milliseconds since 1970 (UTC).

    ``owner`` is the player whose bot this is; ``recoverable`` says that it has a recovery code.
    """

    player: str
    name: str | None
    locale: str | None
    since: int
    owner: str | None = None
    recoverable: bool = False


class Identity:
    """Keep players and their tokens in the store."""

    def __init__(self, client: Any, clock: Callable[[], float] = monotonic) -> None:
        self._client = client
        self.tokens = Tokens(client, clock)

    def new_player(
        self, name: str | None, locale: str | None, *, owner: str | None = None
    ) -> tuple[Profile, str]:
        """Make a guest, or the bot of an owner, and its token; the token is shown this once."""
        profile = Profile(str(uuid4()), tidy_name(name), locale, int(time() * 1000), owner)
        told = {
            "name": profile.name,
            "locale": locale,
            "since": profile.since,
            "owner": owner,
            "seed": token_hex(16),
        }
        fields = {name: value for name, value in told.items() if value is not None}
        write(self._client, "HSET", keys.player(profile.player), *flat(fields))
        scopes = BOT_SCOPES if owner else GUEST_SCOPES
        # Nobody knows the player yet who could erase it.
        return profile, self.tokens.make(profile.player, scopes) or ""

    def new_bot(
        self, owner: str, name: str | None, locale: str | None
    ) -> tuple[Profile, str] | None:
        """Make a marked bot and its token; None if its owner was erased meanwhile."""
        profile, token = self.new_player(name, locale, owner=owner)
        write(self._client, "SADD", keys.player_bots(owner), profile.player)
        if self.profile(owner) is None:
            self.erase(profile.player)
            return None
        return profile, token

    def bots(self, owner: str) -> tuple[Profile, ...]:
        """Answer the bots of a player, oldest first."""
        members = read(self._client, "SMEMBERS", keys.player_bots(owner))
        found = (self.profile(each.decode()) for each in members)
        return tuple(sorted((p for p in found if p), key=lambda p: (p.since, p.player)))

    def replace_token(self, bot: str) -> str | None:
        """Make a bot's tokens worthless and answer a new one; None if the bot was erased."""
        self.tokens.revoke_all(bot)
        return self.tokens.make(bot, BOT_SCOPES)

    def caller(self, token: str) -> Caller | None:
        """Answer who holds a token, or None if it is wrong or revoked."""
        return self.tokens.caller(token)

    def new_recovery_code(self, player: str) -> str | None:
        """Make the one code that brings a player back; None if the player was erased."""
        return recovery.new_code(self._client, player)

    def player_of_code(self, code: str) -> str | None:
        """Answer the player of a recovery code; None if it is wrong."""
        return recovery.player_of(self._client, code)

    def recover(self, code: str) -> tuple[Profile, str] | None:
        """Answer the player of a recovery code and a new token; None if the code is wrong."""
        player = recovery.player_of(self._client, code)
        token = self.tokens.make(player, GUEST_SCOPES) if player else None
        profile = self.profile(player) if player and token else None
        return (profile, token) if profile and token else None

    def profile(self, player: str) -> Profile | None:
        """Answer what a player told, or None if there is none or it was erased."""
        found = texts(read(self._client, "HGETALL", keys.player(player)))
        return _profile(player, found) if found else None

    def change(self, player: str, **fields: str | None) -> Profile | None:
        """Change name or locale (None takes it away); answer the profile, or None if erased."""
        if "name" in fields:
            fields["name"] = tidy_name(fields["name"])
        key = keys.player(player)
        told = {name: text for name, text in fields.items() if text}
        if told and not write(self._client, "EVAL", _CHANGE, 1, key, *flat(told)):
            return None
        gone = fields.keys() - told.keys()
        if gone:
            write(self._client, "HDEL", key, *sorted(gone))
        return self.profile(player)

    def erase(self, player: str, token: str | None = None) -> None:
        """Forget a player and its bots: the profile first, the token in use last."""
        told = write(self._client, "EVAL", _ERASE, 1, keys.player(player))
        code, owner = (each.decode() for each in told)
        if code:
            recovery.forget(self._client, code)
        if owner:
            write(self._client, "SREM", keys.player_bots(owner), player)
        for bot in read(self._client, "SMEMBERS", keys.player_bots(player)):
            self.erase(bot.decode())
        write(self._client, "DEL", keys.player_bots(player))
        for grant in grants.of(self._client, player):
            grants.revoke(self.tokens, self._client, grant)
        for app in apps.of(self._client, player):
            apps.remove(self._client, app)
        mine = (keys.player_grants(player), keys.player_apps(player))
        write(self._client, "DEL", *mine, keys.player_unfinished(player))
        hooks.remove_all(self._client, player)
        self.tokens.revoke_all(player, last=digest_of(token) if token else None)

    def revoke(self, player: str, token: str) -> None:
        """Make a token worthless: at once here, within CACHE_SECONDS in other processes."""
        self.tokens.revoke(player, digest_of(token))


def _profile(player: str, found: Mapping[str, str]) -> Profile:
    return Profile(
        player,
        found.get("name"),
        found.get("locale"),
        int(found["since"]),
        found.get("owner"),
        "recovery" in found,
    )
