"""A look at the store before anything is started on it."""

from events.connection import (
    StoreError,
    StoreUnavailable,
    WrongConfiguration,
    call,
    check_configuration,
    connect,
)
from service.settings import Settings, masked
from service.supervise.refusal import CannotServe


class CannotReach(CannotServe):
    """Say in one sentence that the store does not answer; it may do so later."""


def check_store(settings: Settings) -> None:
    """Raise CannotReach, or CannotServe if the store could lose what it acknowledges."""
    with connect(settings.redis_url) as client:
        try:
            (pong,) = call(client, ("PING",))
            if isinstance(pong, Exception):
                raise StoreUnavailable(str(pong))
            check_configuration(client, settings.durability)
        except WrongConfiguration as wrong:
            raise CannotServe(str(wrong)) from None
        except StoreError as failure:
            raise CannotReach(_sentence(settings, failure)) from None


def _sentence(settings: Settings, failure: StoreError) -> str:
    if settings.embedded:
        return (
            "REDIS_URL is not set, and abraxas serve, which brings its own store, does not run on"
            f" the data folder {settings.data}."
        )
    # redis-py says where it failed to connect first, and why last.
    reason = str(failure).rstrip(".").rpartition(". ")[2]
    return f"The store at {masked(settings.redis_url)} does not answer: {reason}."
