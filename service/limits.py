"""How much a caller may ask for: token buckets in the store, taken from in portions.

A process takes a portion for a caller and hands it out by itself, so that hardly any request costs
a look at the store. More is kept in a bucket than is announced: what other processes hold and what
is on its way never makes a refusal out of a promise.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha1
from importlib.resources import files
from ipaddress import IPv6Address, ip_address
from math import ceil
from threading import Lock
from time import monotonic
from typing import Any, Final, Literal, TypeAlias

from redis.exceptions import NoScriptError, ResponseError

from events import keys
from events.servers.connection import StoreError, call, failure

Bucket: TypeAlias = Literal["moves", "reads", "streams", "exports", "sign-ups"]
Headers: TypeAlias = tuple[tuple[str, str], tuple[str, str]]

_SCRIPT: Final = (files("service") / "limits.lua").read_bytes()
_DIGEST: Final = sha1(_SCRIPT, usedforsecurity=False).hexdigest()
_CALLERS: Final = 20_000
_AWAY: Final = 1.0
"""Seconds until a store that did not answer is asked again."""
_MICROS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Quota:
    """So many requests in so many seconds, which also may come all at once."""

    bucket: Bucket
    requests: int
    seconds: int

    @property
    def each(self) -> int:
        """Answer the microseconds until there is one more."""
        return ceil(self.seconds * _MICROS / self.requests)

    @property
    def held(self) -> int:
        """Answer what the bucket holds: a quarter more than is announced."""
        return self.requests + max(2, self.requests // 4)

    @property
    def portion(self) -> int:
        """Answer what a process takes at once: several of them fit into what is kept back."""
        return max(1, self.requests // 20)

    @property
    def policy(self) -> str:
        """Answer the field RateLimit-Policy."""
        return f'"{self.bucket}";q={self.requests};w={self.seconds}'


QUOTAS: Final[Mapping[Bucket, Quota]] = {
    quota.bucket: quota
    for quota in (
        Quota("moves", 600, 60),
        Quota("reads", 1200, 60),
        Quota("streams", 240, 60),
        Quota("exports", 120, 60),
        Quota("sign-ups", 120, 60),
    )
}
"""What each caller may; `docs/limits.md` shows them."""


class SlowDown(Exception):  # noqa: N818 - the catalogue's word
    """Say in how many seconds a caller may ask again."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


@dataclass(slots=True)
class _Purse:
    """What this process holds of a caller's bucket, and when the bucket will be full without it."""

    left: int = 0
    full: float = 0.0


class Limits:
    """Hand out what callers may ask for; ``quotas`` None means that nobody is limited."""

    def __init__(
        self,
        client: Any,
        quotas: Mapping[Bucket, Quota] | None = QUOTAS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._client = client
        self._quotas = quotas
        self._clock = clock
        self._lock = Lock()
        self._away_until = 0.0
        self._purses: dict[tuple[Bucket, str], _Purse] = {}

    @property
    def on(self) -> bool:
        """Answer whether anybody is limited."""
        return self._quotas is not None

    def take(self, bucket: Bucket, who: str) -> Headers | None:
        """Take one and answer the headers that say what is left; raise SlowDown if there is none.

        A store that does not answer limits nobody: what needs the store will say so itself.
        """
        if self._quotas is None:
            return None
        quota = self._quotas[bucket]
        purse = self._purse(bucket, who)
        with self._lock:
            if purse.left:
                purse.left -= 1
                return self._headers(quota, purse)
        taken, micros = self._portion(quota, who)
        with self._lock:
            purse.left += taken
            purse.full = self._clock() + micros / _MICROS
            if purse.left:
                purse.left -= 1
                return self._headers(quota, purse)
        raise SlowDown(self._seconds(quota, purse))

    def told(self, bucket: Bucket, who: str) -> Headers | None:
        """Answer the headers without taking any, as far as this process knows."""
        if self._quotas is None:
            return None
        return self._headers(self._quotas[bucket], self._purses.get((bucket, who)) or _Purse())

    def _purse(self, bucket: Bucket, who: str) -> _Purse:
        purse = self._purses.get((bucket, who))
        if purse is None:
            if len(self._purses) >= _CALLERS:
                self._purses.clear()
            # Another thread may be as far: both must take from one.
            purse = self._purses.setdefault((bucket, who), _Purse())
        return purse

    def _portion(self, quota: Quota, who: str) -> tuple[int, int]:
        if self._clock() < self._away_until:
            return 1, 0
        key = keys.limit(quota.bucket, who)
        rest = (1, key, quota.each, quota.held, quota.portion)
        try:
            reply = call(self._client, ("EVALSHA", _DIGEST, *rest))[0]
            if isinstance(reply, NoScriptError):
                reply = call(self._client, ("EVAL", _SCRIPT, *rest))[0]
            if isinstance(reply, ResponseError):
                raise failure(reply) from reply
        except StoreError:
            self._away_until = self._clock() + _AWAY
            return 1, 0
        return int(reply[0]), int(reply[1])

    def _headers(self, quota: Quota, purse: _Purse) -> Headers:
        left = self._left(quota, purse)
        # Until there is one again, or until there are as many as there can be.
        seconds = self._seconds(quota, purse, 1 if left == 0 else quota.requests)
        told = f'"{quota.bucket}";r={left};t={seconds}'
        return ("RateLimit-Policy", quota.policy), ("RateLimit", told)

    def _left(self, quota: Quota, purse: _Purse) -> int:
        missing = ceil(self._missing(purse) / quota.each)
        return max(0, min(quota.requests, quota.requests + purse.left - missing))

    def _seconds(self, quota: Quota, purse: _Purse, wanted: int = 1) -> int:
        until = self._missing(purse) - (quota.requests + purse.left - wanted) * quota.each
        return max(1 if wanted == 1 else 0, ceil(until / _MICROS))

    def _missing(self, purse: _Purse) -> float:
        return max(0.0, (purse.full - self._clock()) * _MICROS)


def who_asks(player: str | None, address: str | None) -> str:
    """Answer whose bucket it is: a player's, else an address'; one home has one IPv6 network."""
    if player is not None:
        return f"p:{player}"
    try:
        found = ip_address(address or "")
    except ValueError:
        return "a:unknown"
    if isinstance(found, IPv6Address):
        return f"a:{found.ipv4_mapped or f'{int(found) >> 64:x}'}"
    return f"a:{found}"
