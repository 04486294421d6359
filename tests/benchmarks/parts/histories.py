"""What is done with histories in one process: decoded, folded, exported; in seconds of CPU."""

import io
from collections.abc import Callable, Iterator
from time import process_time

from domain.catalogue import games
from domain.game import AnyGame
from domain.table import TABLE
from domain.table.state import NOWHERE
from events import codec
from events.loaded import fold, unopened
from events.records.verify import verify_record
from tests.benchmarks.figures import Figure, middle
from tests.benchmarks.parts.scale import Scale
from tests.events.histories import finished, recorded_as

SEATS = 3


def per_second(count: int, work: Callable[[], object]) -> float:
    """Do work once; answer how many a second of CPU."""
    began = process_time()
    work()
    return count / (process_time() - began)


class Work:
    """Whole tables of one game, and what is done with all of them."""

    def __init__(self, game: AnyGame, tables: int) -> None:
        self.game = game
        self.played = [finished(game, SEATS, seed) for seed in range(tables)]
        self.count = sum(len(each.recorded) for each in self.played)
        self.events = [[codec.decode(each, game) for each in one.recorded] for one in self.played]

    def decoded(self) -> None:
        """Decode all events."""
        for one in self.played:
            for each in one.recorded:
                codec.decode(each, self.game)

    def folded(self) -> None:
        """Decode, chain and apply them."""
        for one in self.played:
            fold(unopened(one.table), one.recorded)

    def raw(self) -> None:
        """Apply those that are decoded."""
        for events in self.events:
            TABLE.fold(events, NOWHERE)

    def exported(self) -> None:
        """Write records of them."""
        for one in self.played:
            recorded_as(one)

    def proved(self) -> None:
        """Write records and verify them."""
        for one in self.played:
            assert verify_record(io.BytesIO(recorded_as(one))).ok

    def measured(self) -> dict[str, float]:
        """Answer events for each second of CPU."""
        works = (self.decoded, self.folded, self.raw, self.exported, self.proved)
        return {each.__name__: per_second(self.count, each) for each in works}


def histories(scale: Scale) -> Iterator[Figure]:
    """Compare decoding and folding with a raw fold of events that are there."""
    for name, game in games().items():
        work = Work(game, scale.played)
        runs = [work.measured() for _ in range(scale.pairs)]
        for what, says in (
            ("decoded", "decoded"),
            ("folded", "decoded, chained and folded"),
            ("exported", "exported as a record"),
            ("proved", "exported and verified"),
        ):
            yield Figure(
                what=f"events {says}, {name}", ours=middle(runs, what), unit="/s of CPU",
                beside="/s raw fold", other=middle(runs, "raw"),
            )  # fmt: skip
