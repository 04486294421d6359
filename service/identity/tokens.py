"""Tokens: made, believed for a few seconds, listed, revoked; the store knows their digests only."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from secrets import token_urlsafe
from time import monotonic, time
from typing import Any, Final, Literal, TypeAlias

from redis.exceptions import ResponseError

from events import keys
from events.servers.connection import OutcomeUnknown, StoreUnavailable, call, failure
from events.servers.replicas import write_safely

CACHE_SECONDS: Final = 5.0
"""How long a process may go on believing in a token: a revocation takes so long."""

_CACHED_TOKENS: Final = 20_000

Kind: TypeAlias = Literal["device", "personal", "app"]
"""Where a token comes from: signing up or recovering, its player's own making, an app."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The player behind a token, its scopes, and the seed of ids that only this player makes."""

    player: str
    scopes: frozenset[str]
    seed: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A token as its player may see it again; ``made`` is in milliseconds since 1970 (UTC)."""

    id: str
    kind: Kind
    label: str | None
    scopes: tuple[str, ...]
    made: int
    app: str | None


class Tokens:
    """Keep the tokens of players in the store."""

    def __init__(self, client: Any, clock: Callable[[], float] = monotonic) -> None:
        self._client = client
        self._clock = clock
        self._known: dict[str, tuple[float, Caller]] = {}

    def make(
        self,
        player: str,
        scopes: frozenset[str],
        *,
        kind: Kind = "device",
        label: str | None = None,
        seconds: int | None = None,
        **more: str,
    ) -> str | None:
        """Make a token, which nobody can read again; None if the player was erased meanwhile.

        It ends by itself after ``seconds``, if they are given.
        """
        token = f"abx_{token_urlsafe(32)}"
        digest = digest_of(token)
        seed = read(self._client, "HGET", keys.player(player), "seed")
        if seed is None:
            return None
        told = {
            "player": player,
            "scopes": " ".join(sorted(scopes)),
            "seed": seed.decode(),
            "kind": kind,
            "made": int(time() * 1000),
            **({"label": label} if label else {}),
            **more,
        }
        # The set first: a token that erasure could not find must never come to be.
        write(self._client, "SADD", keys.player_tokens(player), digest)
        write(self._client, "HSET", keys.token(digest), *flat(told))
        if seconds is not None:
            write(self._client, "EXPIRE", keys.token(digest), seconds)
        # Erased before the set was written: erasure has not seen it.
        if not read(self._client, "EXISTS", keys.player(player)):
            self.revoke(player, digest)
            return None
        return token

    def caller(self, token: str) -> Caller | None:
        """Answer who holds a token, or None if it is wrong or revoked."""
        digest = digest_of(token)
        now = self._clock()
        until, caller = self._known.get(digest, (0.0, None))
        if caller is not None and now < until:
            return caller
        self._known.pop(digest, None)
        found = texts(read(self._client, "HGETALL", keys.token(digest)))
        if not found:
            return None
        caller = Caller(found["player"], frozenset(found["scopes"].split()), found["seed"])
        if len(self._known) >= _CACHED_TOKENS:
            self._known.clear()
        self._known[digest] = (now + CACHE_SECONDS, caller)
        return caller

    def listed(self, player: str) -> tuple[Listed, ...]:
        """Answer the tokens of a player, newest first; those that ended are forgotten."""
        digests = sorted(self._digests(player))
        replies = [texts(each) for each in _many(self._client, digests)]
        found = dict(zip(digests, replies, strict=True))
        ended = [digest for digest, told in found.items() if not told]
        if ended:
            write(self._client, "SREM", keys.player_tokens(player), *ended)
        items = [_listed(digest, told) for digest, told in found.items() if told]
        return tuple(sorted(items, key=lambda each: (-each.made, each.id)))

    def revoke_listed(self, player: str, token_id: str) -> bool:
        """Make a token of a player worthless by its id; answer whether there was one."""
        mine = [each for each in self._digests(player) if id_of(each) == token_id]
        for digest in mine:
            self.revoke(player, digest)
        return bool(mine)

    def revoke(self, player: str, digest: str) -> None:
        """Make a token worthless: at once here, within CACHE_SECONDS in other processes."""
        grant = read(self._client, "HGET", keys.token(digest), "grant")
        if grant:
            # Without its grant an app cannot get another one.
            write(self._client, "DEL", keys.oauth("grant", grant.decode()))
        write(self._client, "DEL", keys.token(digest))
        self._known.pop(digest, None)
        write(self._client, "SREM", keys.player_tokens(player), digest)

    def revoke_all(self, player: str, *, last: str | None = None) -> None:
        """Make every token of a player worthless, the one with the digest ``last`` at the end."""
        for digest in sorted(self._digests(player), key=lambda each: each == last):
            self.revoke(player, digest)

    def _digests(self, player: str) -> set[str]:
        return {
            each.decode() for each in read(self._client, "SMEMBERS", keys.player_tokens(player))
        }


def digest_of(secret: str) -> str:
    """Answer what a secret of 128 bits or more is kept as and looked up by."""
    return sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def id_of(digest: str) -> str:
    """Answer the public id of a token: part of its digest, from which nobody gets back."""
    return digest[:24]


def _listed(digest: str, told: Mapping[str, str]) -> Listed:
    kind: Any = told.get("kind", "device")
    scopes = tuple(told["scopes"].split())
    return Listed(
        id_of(digest), kind, told.get("label"), scopes, int(told.get("made", 0)),
        told.get("app"),
    )  # fmt: skip


def _many(client: Any, digests: Sequence[str]) -> list[Any]:
    if not digests:
        return []
    try:
        replies = call(client, *(("HGETALL", keys.token(each)) for each in digests))
    except OutcomeUnknown as error:
        raise StoreUnavailable(str(error)) from error
    for reply in replies:
        if isinstance(reply, ResponseError):
            raise failure(reply) from reply
    return replies


def read(client: Any, *command: object) -> Any:
    """Ask the store; raise StoreUnavailable."""
    try:
        return _plain(call(client, command)[0])
    except OutcomeUnknown as error:
        raise StoreUnavailable(str(error)) from error


def write(client: Any, *command: object) -> Any:
    """Change something in the store; raise StoreUnavailable or OutcomeUnknown."""
    return _plain(write_safely(client, command))


def _plain(reply: Any) -> Any:
    if isinstance(reply, ResponseError):
        raise failure(reply) from reply
    return reply


def flat(fields: Mapping[str, object]) -> list[object]:
    """Answer the fields of a hash as HSET takes them."""
    return [part for pair in fields.items() for part in pair]


def texts(stored: Sequence[bytes]) -> dict[str, str]:
    """Read the reply to HGETALL."""
    return {
        name.decode(): text.decode() for name, text in zip(stored[::2], stored[1::2], strict=True)
    }
