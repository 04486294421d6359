"""A look at the store before anything is started on it."""

from contextlib import suppress

from redis import Redis

from events.servers.connection import (
    StoreError,
    WrongConfiguration,
    check_configuration,
    check_whole,
    connect,
)
from events.store import EventStore
from service.settings import Settings, masked
from service.supervise.refusal import CannotServe


class CannotReach(CannotServe):
    """Say in one sentence that the store does not answer; it may do so later."""


def check_store(settings: Settings) -> None:
    """Raise CannotReach, or CannotServe if the store could lose what it acknowledges."""
    # Before a start nobody waits for it: a busy store has the time that it takes.
    with connect(settings.redis_url, timeout=10.0) as client:
        try:
            EventStore(client).ping()
            _check_whole(client, "REDIS_URL", "say ?cluster=true at its end")
            check_configuration(client, settings.durability)
        except WrongConfiguration as wrong:
            raise CannotServe(str(wrong)) from None
        except StoreError as failure:
            raise CannotReach(_sentence(settings, failure)) from None
    if settings.rq_url != settings.redis_url:
        # It may well be away: moves do not need it.
        with connect(settings.rq_url, timeout=10.0) as rq_client, suppress(StoreError):
            _check_whole(rq_client, "RQ_URL", "name a plain server, for RQ does not run on it")


def _check_whole(client: Redis, name: str, advice: str) -> None:
    try:
        check_whole(client)
    except WrongConfiguration as part:
        raise CannotServe(f"{name} is wrong: {part}; {advice}.") from None


def _sentence(settings: Settings, failure: StoreError) -> str:
    if settings.embedded:
        return (
            "REDIS_URL is not set, and abraxas serve, which brings its own store, does not run on"
            f" the data folder {settings.data}."
        )
    # redis-py says where it failed to connect first, and why last.
    reason = str(failure).rstrip(".").rpartition(". ")[2]
    return f"The store at {masked(settings.redis_url)} does not answer: {reason}."
