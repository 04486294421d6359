"""What is sent: thin messages that say where to look, and never what is hidden there."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

import msgspec

from domain.table.view import to_move
from events import keys
from events.loaded import Loaded
from events.notices import timestamp
from workers.scripts import POST, Call
from workers.webhooks.hooks import Entry

TEST: Final = "webhook.test"

_ENCODER: Final = msgspec.json.Encoder()


@dataclass(frozen=True, slots=True)
class Message:
    """A message to one webhook; ``field`` is what a newer one of its kind takes the place of."""

    field: str
    version: int
    body: bytes


class Outgoing(msgspec.Struct, frozen=True, array_like=True):
    """Messages about one table as they wait in an outbox for their webhook's slot."""

    hook: str
    messages: tuple[tuple[str, int, str], ...]


@dataclass(frozen=True, slots=True)
class Pending:
    """A message that waits to be sent since ``first`` (ms), and was tried ``attempts`` times."""

    field: str
    version: int
    due: int
    attempts: int
    first: int
    body: bytes

    @property
    def type(self) -> str:
        """Answer what kind of message it is."""
        return self.field.partition(" ")[0]

    @property
    def table(self) -> str | None:
        """Answer the table that it is about."""
        return self.field.partition(" ")[2] or None

    def id(self, hook: str) -> str:
        """Answer the id: the same however often the message is sent, or made."""
        made = sha256(f"{hook}|{self.field}|{self.version}".encode()).hexdigest()
        return f"msg_{made[:32]}"


def about(loaded: Loaded, entry: Entry) -> Iterator[Message]:
    """Answer what a webhook hears of a table as it stands now.

    What was private to its owner is told to the owner alone: nobody without seat or invite hears
    of a private table.
    """
    state = loaded.state
    seat = state.seat_of(entry.owner)
    if seat is None and state.visibility == "private" and not entry.invited:
        return
    happened = {
        "table.changed": True,
        "table.turn": seat is not None and seat in to_move(state),
        "table.over": state.phase == "over",
    }
    for kind in entry.types:
        if happened.get(kind):
            told = {
                "type": kind,
                "timestamp": timestamp(loaded.at),
                "table": loaded.table,
                "version": loaded.version,
                "game": state.playing.name,
                "phase": state.phase,
                "seat": seat,
            }
            yield Message(f"{kind} {loaded.table}", loaded.version, _ENCODER.encode(told))


def trial(now: int) -> Message:
    """Make the message of a test call, made at ``now`` (ms)."""
    return Message(TEST, now, _ENCODER.encode({"type": TEST, "timestamp": timestamp(now)}))


def outgoing(hook: str, messages: tuple[Message, ...]) -> bytes:
    """Write messages as an outbox keeps them."""
    told = tuple((each.field, each.version, each.body.decode()) for each in messages)
    return _ENCODER.encode(Outgoing(hook, told))


_OUTGOING: Final = msgspec.json.Decoder(Outgoing)


def posting(value: bytes, now: int) -> Call:
    """Answer the call that brings what an outbox keeps to its webhook; it may be repeated."""
    told = _OUTGOING.decode(value)
    return post(told.hook, tuple(Message(f, v, b.encode()) for f, v, b in told.messages), now)


def post(hook: str, messages: tuple[Message, ...], now: int) -> Call:
    """Answer the call that lets messages wait to be sent; its reply is 0 if nobody wants them."""
    arguments: list[Any] = [hook, now]
    for each in messages:
        arguments += (each.field, each.version, each.body)
    shard = keys.webhook_shard(hook)
    places = (
        keys.webhook(hook), keys.webhook(hook, "pending"), keys.webhooks_due(shard),
        keys.webhooks_held(shard),
    )  # fmt: skip
    return Call(POST, places, arguments)


def read_pending(reply: Mapping[bytes, bytes]) -> tuple[Pending, ...]:
    """Read what waits to be sent to a webhook: what was tried least comes first."""
    found = []
    for field, value in reply.items():
        version, due, attempts, first, body = value.split(b" ", 4)
        found.append(
            Pending(field.decode(), int(version), int(due), int(attempts), int(first), body)
        )
    return tuple(sorted(found, key=lambda each: (each.attempts, each.first, each.field)))
