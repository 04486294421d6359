"""Imports of forgeries whose chain fits again: refused with a line or good to look at, no crash.

``FORGERIES=1000`` in the environment tries more than the usual few.
"""

import json
import os
from collections.abc import Iterator
from random import Random
from typing import Any

from domain.catalogue import games
from domain.dice import seeded
from domain.game import AnyGame, Seat
from domain.table.commands import Sit
from domain.table.fork import fork
from domain.table.state import Origin
from domain.table.view import view, viewers
from events.loaded import fold, unopened
from events.records.record import REASONS, BadRecord, Imported, import_record
from tests.events.histories import History, finished, opening, recorded_as, sitting
from tests.events.tampering import Fields, forged

FORGERIES = int(os.environ.get("FORGERIES", "60"))
VALUES: list[Any] = [
    *(None, True, -1, 0, 1, 7, 10**9, "", "x", "I1"),
    *([], [1], ["x"], {}, {"a": 1}, [[0, 0]]),
]  # fmt: skip


def records(game: AnyGame) -> Iterator[bytes]:
    """Answer the record of a table and of a fork of one."""
    seats = game.seats[0]
    yield recorded_as(finished(game, seats))
    parent = History("parent").carry_out(opening(game, seats), *sitting(seats))
    command = fork(
        parent.state,
        Origin("parent", len(parent.recorded)),
        viewer=Seat(0),
        dice=seeded(0),
        opener="ann",
        key="0f" * 32,
        sitting=[Sit("ann"), *(Sit(None, bot="random") for _ in range(seats - 1))],
    )
    yield recorded_as(History("child").carry_out(command).play_out())


def places(value: Any, *path: Any) -> Iterator[tuple[Any, ...]]:
    """Answer the path to every value in a face."""
    steps = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for step in steps:
        yield (*path, step)
        yield from places(value[step], *path, step)


class Change:
    """Change one value in one face of one event."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def __call__(self, _: Fields, entries: list[Fields]) -> None:
        random = self.random
        entry = random.choice(random.choice((entries[:9], entries)))
        face = entry[random.choice([name for name in ("public", "sealed") if name in entry])]
        found = list(places(face))
        if not found:
            face["extra"] = random.choice(VALUES)
            return
        *path, last = random.choice(found)
        for step in path:
            face = face[step]
        if random.random() < 0.7:
            face[last] = random.choice(VALUES)
        elif isinstance(face, list):
            face.append(face[last])
        else:
            del face[last]


def test_a_forgery_is_refused_with_a_line_or_can_be_looked_at_from_everywhere() -> None:
    random = Random("forged imports")
    originals = [record for game in games().values() for record in records(game)]
    refused = 0
    for _ in range(FORGERIES):
        record = forged(random.choice(originals), Change(random))
        found = outcome(record)
        if isinstance(found, BadRecord):
            assert found.reason in REASONS
            assert found.line in range(1, record.count(b"\n") + 1)
            refused += 1
        else:
            look_at_every_version(found.loaded.table, found.recorded)
    assert refused > FORGERIES / 2


def outcome(record: bytes) -> Imported | BadRecord:
    try:
        return import_record(record)
    except BadRecord as bad:
        return bad


def look_at_every_version(table: str, recorded: Any) -> None:
    loaded = unopened(table)
    for each in recorded:
        loaded = fold(loaded, [each])
        for viewer in (*viewers(loaded.state), "arbiter"):
            json.dumps(view(loaded.state, viewer))
