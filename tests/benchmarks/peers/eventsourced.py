"""The same events kept by the `eventsourcing` library: SQLite, durable, its own JSON.

Run by a Python that has its package. Reads JSON on standard input, {"folder": FOLDER, "histories":
[history, ...]}, a history a list of decisions, a decision a list of [kind, seat, public, sealed];
writes figures as JSON. What applies an event keeps nearly nothing of it: no rules are carried out.
"""

import json
import sys
from time import perf_counter, process_time
from typing import Any

from eventsourcing.application import Application, project_aggregate  # type: ignore[import-not-found]
from eventsourcing.domain import Aggregate  # type: ignore[import-not-found]

ROUNDS = 3


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


def per_second(count: int, work: Any, clock: Any = process_time) -> float:
    """Do work a few times; answer how many a second the best time had, of CPU by itself."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = clock()
        work()
        best = min(best, clock() - began)
    return count / best


def main() -> None:
    """Measure and print."""
    told = json.load(sys.stdin)
    file = f"{told['folder']}/events.db"
    kept = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": file}
    app = Application(env=kept)
    ids, saved, spent = [], 0, 0.0
    for decisions in told["histories"]:
        table = Table()
        for decision in decisions:
            for kind, seat, public, sealed in decision:
                table.trigger_event(
                    Table.Happened, kind=kind, seat=seat, public=public, sealed=sealed
                )
            began = perf_counter()
            app.save(table)
            spent += perf_counter() - began
            saved += len(decision)
        ids.append(table.id)
    with (
        app.recorder.datastore.get_connection(commit=False) as connection,
        connection.cursor() as cursor,
    ):
        cursor.execute("PRAGMA synchronous")
        (synchronous,) = cursor.fetchone()
    assert synchronous >= 2, "SQLite would not sync every transaction"
    stored = [app.recorder.select_events(each) for each in ids]

    def folded() -> None:
        for events in stored:
            project_aggregate(None, map(app.mapper.to_domain_event, events))

    def mutated() -> None:
        for events in stored:
            table = None
            for each in events:
                table = app.mapper.to_domain_event(each).mutate(table)

    def replayed() -> None:
        for each in ids:
            app.repository.get(each)

    count = sum(map(len, stored))
    print(json.dumps({
        "saved": saved / spent,
        "replayed": per_second(count, replayed, perf_counter),
        "folded": per_second(count, folded),
        "mutated": per_second(count, mutated),
        "events": count,
    }))  # fmt: skip


if __name__ == "__main__":
    main()
