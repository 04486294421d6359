"""The same events kept by the `eventsourcing` library: SQLite, durable, its own JSON.

Run by a Python that has its package, with our packages on the path. Reads JSON on standard input,
{"folder": FOLDER, "game": GAME, "histories": [history, ...]}, a history a list of decisions, a
decision a list of [kind, seat, public, sealed]; writes figures as JSON. What applies an event keeps
nearly nothing of it, but in "ruled": there it does what ours does, the hash chain aside.
"""

import json
import sys
from itertools import chain
from time import perf_counter, process_time
from typing import Any

from eventsourcing.application import Application, project_aggregate  # type: ignore[import-not-found]
from eventsourcing.domain import Aggregate  # type: ignore[import-not-found]
from msgspec import convert

from domain.catalogue import games
from domain.table import TABLE
from domain.table.state import NOWHERE
from events.codec import kinds

ROUNDS = 9


class Table(Aggregate):  # type: ignore[misc]
    """A table that counts its events and remembers the last one."""

    class Opened(Aggregate.Created):  # type: ignore[misc]
        """The first event."""

    class Happened(Aggregate.Event):  # type: ignore[misc]
        """Any other event: what a record holds, less hash and salt."""

        kind: str
        seat: int | None
        public: dict[str, Any]
        sealed: dict[str, Any] | None

        def apply(self, aggregate: Any) -> None:
            """Apply it."""
            aggregate.events += 1
            aggregate.last = self.public

    def __init__(self) -> None:
        self.events = 0
        self.last: dict[str, Any] = {}


class Ruled(Aggregate):  # type: ignore[misc]
    """A table that carries out our rules: its events are made ours, and evolve our state."""

    class Opened(Aggregate.Created):  # type: ignore[misc]
        """The first event."""

        game: str

    class Happened(Table.Happened):
        """Any other event."""

        def apply(self, aggregate: Any) -> None:
            """Apply it."""
            event = convert(self.public | (self.sealed or {}), aggregate.kinds[self.kind].cls)
            aggregate.state = TABLE.evolve(aggregate.state, event)

    def __init__(self, game: str) -> None:
        self.kinds = kinds(games()[game])
        self.state = NOWHERE


def per_second(count: int, work: Any, clock: Any = process_time) -> float:
    """Do work a few times; answer how many a second the best time had, of CPU by itself."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = clock()
        work()
        best = min(best, clock() - began)
    return count / best


def kept_with_rules(app: Any, told: Any, decisions: Any) -> Any:
    """Keep a history once more, as a table that carries out the rules; answer its id."""
    table = Ruled(told["game"])
    for kind, seat, public, sealed in chain.from_iterable(decisions):
        table.trigger_event(Ruled.Happened, kind=kind, seat=seat, public=public, sealed=sealed)
    app.save(table)
    return table.id


def saved(app: Any, histories: Any) -> tuple[list[Any], float]:
    """Keep histories, decision by decision; answer their ids and the events saved a second."""
    ids, count, spent = [], 0, 0.0
    for decisions in histories:
        table = Table()
        for decision in decisions:
            for kind, seat, public, sealed in decision:
                table.trigger_event(
                    Table.Happened, kind=kind, seat=seat, public=public, sealed=sealed
                )
            began = perf_counter()
            app.save(table)
            spent += perf_counter() - began
            count += len(decision)
        ids.append(table.id)
    return ids, count / spent


def synchronous(app: Any) -> int:
    """Answer how careful the database is: 2 syncs every transaction."""
    with (
        app.recorder.datastore.get_connection(commit=False) as connection,
        connection.cursor() as cursor,
    ):
        cursor.execute("PRAGMA synchronous")
        (found,) = cursor.fetchone()
    return int(found)


def projected(app: Any, histories: Any) -> None:
    """Decode stored events and apply them, as the library's repository does."""
    for events in histories:
        project_aggregate(None, map(app.mapper.to_domain_event, events))


def mutated(app: Any, histories: Any) -> None:
    """Do the same without the part of the library that applies them."""
    for events in histories:
        table = None
        for each in events:
            table = app.mapper.to_domain_event(each).mutate(table)


def main() -> None:
    """Measure and print."""
    told = json.load(sys.stdin)
    file = f"{told['folder']}/events.db"
    app = Application(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": file})
    ids, rate = saved(app, told["histories"])
    assert synchronous(app) >= 2, "SQLite would not sync every transaction"
    with_rules = [kept_with_rules(app, told, each) for each in told["histories"]]
    stored, ruled = (
        [app.recorder.select_events(each) for each in some] for some in (ids, with_rules)
    )
    count = sum(map(len, stored))
    print(json.dumps({
        "saved": rate,
        "replayed": per_second(count, lambda: [*map(app.repository.get, ids)], perf_counter),
        "read": per_second(count, lambda: [*map(app.repository.get, ids)]),
        "folded": per_second(count, lambda: projected(app, stored)),
        "mutated": per_second(count, lambda: mutated(app, stored)),
        "ruled": per_second(count, lambda: projected(app, ruled)),
        "events": count,
    }))  # fmt: skip


if __name__ == "__main__":
    main()
