"""Tickets: what a browser's EventSource, which sends no headers, shows in place of a token."""

from collections.abc import Sequence
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Any, Final

import msgspec

from events import keys
from events.servers.connection import OutcomeUnknown, StoreUnavailable, call
from service.identity.tokens import Caller, digest_of, read, write

SECONDS: Final = 60
"""How long a ticket waits to be used."""

PATTERN: Final = r"abxs_[A-Za-z0-9_-]{43}"


@dataclass(frozen=True, slots=True)
class Admitted:
    """Who may open a stream, and the digest of the token that vouches for it."""

    caller: Caller
    digest: str


def make(client: Any, caller: Caller, token: str) -> str:
    """Make a ticket for one stream; the store knows its digest only."""
    ticket = f"abxs_{token_urlsafe(32)}"
    kept = msgspec.json.encode(Admitted(caller, digest_of(token)))
    write(client, "SET", keys.ticket(digest_of(ticket)), kept, "EX", SECONDS)
    return ticket


def use(client: Any, ticket: str) -> Admitted | None:
    """Answer whose ticket it is and make it worthless; None if it is wrong, old or used.

    A token that was revoked since vouches for nobody.
    """
    kept = read(client, "GETDEL", keys.ticket(digest_of(ticket)))
    if kept is None:
        return None
    admitted = msgspec.json.decode(kept, type=Admitted)
    return None if revoked(client, [admitted.digest]) else admitted


def revoked(client: Any, digests: Sequence[str]) -> set[str]:
    """Answer those tokens, by their digests, that are worthless by now; one round trip."""
    if not digests:
        return set()
    try:
        replies = call(client, *(("EXISTS", keys.token(each)) for each in digests))
    except OutcomeUnknown as error:
        raise StoreUnavailable(str(error)) from error
    return {digest for digest, there in zip(digests, replies, strict=True) if there == 0}
