"""Which slot of a cluster a command belongs to, and which server owns which slots."""

from binascii import crc_hqx
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

SLOTS: Final = 16384

Address: TypeAlias = tuple[str, int]
"""Host and port of a server."""

_SCRIPTS: Final = ("EVAL", "EVALSHA")
_WAITS: Final = ("WAIT", "WAITAOF")
_KEYLESS: Final = frozenset((
    "ACL", "CLIENT", "CLUSTER", "COMMAND", "CONFIG", "DBSIZE", "ECHO", "FLUSHALL", "FLUSHDB",
    "INFO", "LATENCY", "PING", "SCAN", "SCRIPT", "SHUTDOWN", "TIME",
))  # fmt: skip
_SECOND: Final = frozenset(("MEMORY", "OBJECT"))
"""Verbs whose key comes after a word."""


@dataclass(frozen=True, slots=True)
class Range:
    """Slots ``first`` to ``last``, the server that owns them, and its replicas."""

    first: int
    last: int
    owner: Address
    replicas: tuple[Address, ...]


def slot_of(key: str | bytes) -> int:
    """Answer the slot of a key or of a sharded channel: that of what it has in braces, if any."""
    text = key.encode() if isinstance(key, str) else key
    start = text.find(b"{")
    if start >= 0:
        end = text.find(b"}", start + 1)
        if end > start + 1:
            text = text[start + 1 : end]
    return crc_hqx(text, 0) % SLOTS


def command_slot(command: Sequence[Any]) -> int | None:
    """Answer the slot of a command by its first key; None if any server may answer it."""
    verb, spaced, _ = str(command[0]).upper().partition(" ")
    if verb in _SCRIPTS:
        return slot_of(command[3]) if int(command[2]) else None
    if verb in _KEYLESS or len(command) < 2:
        return None
    return slot_of(command[2 if verb in _SECOND and not spaced else 1])


def units(commands: Sequence[Sequence[Any]]) -> Iterator[tuple[int, int]]:
    """Answer what must stay together, from where to where: a command and its WAIT and WAITAOF."""
    start = 0
    for at in range(1, len(commands) + 1):
        if at == len(commands) or commands[at][0] not in _WAITS:
            yield start, at
            start = at


def read_ranges(reply: Sequence[Any], asked: str) -> tuple[Range, ...]:
    """Read the reply to CLUSTER SLOTS; a server that does not name its host is at ``asked``."""
    return tuple(Range(first, last, *_servers(servers, asked)) for first, last, *servers in reply)


def _servers(servers: Sequence[Any], asked: str) -> tuple[Address, tuple[Address, ...]]:
    named = [((each[0] or b"").decode() or asked, int(each[1])) for each in servers]
    return named[0], tuple(named[1:])
