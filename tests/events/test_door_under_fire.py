"""Whatever gets lost, repeated or raced: each accepted command counts once, and the rest never."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    rule,
)

from domain.game import Refused
from domain.table import TABLE
from domain.table.state import NOWHERE
from domain.table.view import moves
from events import codec, keys
from events.loaded import fold, unopened
from events.servers.connection import OutcomeUnknown, StoreUnavailable
from events.store import CommandKey, EventStore
from events.transact import Door, KeyReused, Outcome, StaleVersion
from tests.events.conftest import fake
from tests.events.faults import Fault, Faulty
from tests.events.tables import POTAGE, named, opening, plays, ticking

SEATS = 3
FAULTS: st.SearchStrategy[list[Fault]] = st.lists(
    st.sampled_from(["unreachable", "lost", None, None, None]), max_size=3
)


class Sent:
    """A command that somebody sent: which, and what became of it."""

    def __init__(self, player: str, move: Any, key: CommandKey, version: int | None) -> None:
        self.player, self.move, self.key, self.version = player, move, key, version
        self.answer: Outcome | None = None
        self.maybe = False


class TheDoorUnderFire(RuleBasedStateMachine):
    """Three processes, a store that loses calls and replies, and players who repeat themselves."""

    sent = Bundle("sent")

    @initialize()
    def open(self) -> None:
        self.client = fake()
        self.store = Faulty(self.client)
        clock = ticking()
        self.doors = [Door(self.store, cache_size=1 + each, clock=clock) for each in range(3)]
        self.truth = EventStore(self.client)
        self.doors[0].open("table", opening(seats=SEATS), named("p0", "open"))
        self.length = len(self.truth.read("table"))
        self.everything: list[Sent] = []
        self.keys = 0

    def state(self) -> Any:
        return fold(unopened("table"), self.truth.read("table")).state

    @rule(
        target=sent,
        seat=st.integers(0, SEATS - 1),
        choice=st.integers(0, 100),
        door=st.integers(0, 2),
        faults=FAULTS,
        behind=st.none() | st.integers(0, 4),
    )
    def send(
        self, seat: int, choice: int, door: int, faults: list[Fault], behind: int | None
    ) -> Sent:
        """Send a new command: a legal one of the newest state, or one that has been legal."""
        legal = moves(self.state(), seat)  # type: ignore[arg-type]
        options = [*legal, *(each.move for each in self.everything[-2:])]
        move = options[choice % len(options)] if options else None
        self.keys += 1
        version = None if behind is None else self.length - behind
        player = f"p{seat}"
        new = Sent(player, move, named(player, str(self.keys), move), version)
        if move is not None:
            self.everything.append(new)
            self.carry_out(new, door, faults)
        return new

    @rule(again=sent, door=st.integers(0, 2), faults=FAULTS)
    def repeat(self, again: Sent, door: int, faults: list[Fault]) -> None:
        """Send a command again, word for word."""
        if again.move is not None:
            self.carry_out(again, door, faults)

    @rule(again=consumes(sent), door=st.integers(0, 2))
    def reuse(self, again: Sent, door: int) -> None:
        """Send something else under a key that was accepted before."""
        if again.answer is None:
            return
        other = CommandKey(again.key.id, "something else")
        before = self.truth.read("table")
        self.store.faults.clear()
        try:
            self.doors[door].transact("table", plays(again.player, again.move), other)
        except KeyReused:
            assert self.truth.read("table") == before
        else:
            raise AssertionError("a key was used twice")

    def carry_out(self, sent: Sent, door: int, faults: list[Fault]) -> None:
        before = self.truth.read("table")
        self.store.faults = list(faults)
        known = self.client.hexists(keys.commands("table"), sent.key.id)
        wish = plays(sent.player, sent.move)
        try:
            outcome = self.doors[door].transact("table", wish, sent.key, expected=sent.version)
        except (Refused, StaleVersion):
            assert not known, "an accepted command met the rules"
            assert self.truth.read("table") == before
        except StoreUnavailable:
            assert self.truth.read("table") == before
        except OutcomeUnknown:
            sent.maybe = True
        else:
            self.check(sent, outcome, before)
        finally:
            self.store.faults.clear()

    def check(self, sent: Sent, outcome: Outcome, before: tuple[Any, ...]) -> None:
        stored = self.truth.read("table")
        assert outcome.recorded == stored[outcome.first - 1 : outcome.last]
        assert outcome.loaded == fold(unopened("table"), stored[: outcome.last])
        if sent.answer is not None:
            assert outcome.replayed
            assert (outcome.first, outcome.last) == (sent.answer.first, sent.answer.last)
        if outcome.replayed:
            assert stored == before
            assert sent.answer is not None or sent.maybe
        else:
            assert stored[: len(before)] == before
            assert outcome.last == len(stored)
        sent.answer = outcome

    @invariant()
    def what_is_stored_is_a_history_of_legal_moves_that_only_grows(self) -> None:
        if not hasattr(self, "truth"):
            return
        stored = self.truth.read("table")
        assert [each.version for each in stored] == list(range(1, len(stored) + 1))
        assert len(stored) >= self.length
        self.length = len(stored)
        loaded = fold(unopened("table"), stored)
        meta = self.truth.read_meta("table")
        assert meta is not None
        assert (meta.version, meta.hash) == (loaded.version, loaded.hash.hex())
        events = [codec.decode(each, POTAGE) for each in stored]
        assert TABLE.fold(events, NOWHERE) == loaded.state

    @invariant()
    def the_feed_names_every_event_once(self) -> None:
        if not hasattr(self, "truth"):
            return
        entries = self.truth.read_feed(keys.partition("table"))
        named_versions = [
            version for each in entries for version in range(each.first, each.last + 1)
        ]
        assert named_versions == [each.version for each in self.truth.read("table")]

    @invariant()
    def no_command_is_stored_under_two_versions(self) -> None:
        if not hasattr(self, "truth"):
            return
        answered = [each.answer for each in self.everything if each.answer is not None]
        firsts = [each.first for each in answered]
        assert len(set(firsts)) == len(firsts)


TestTheDoorUnderFire = TheDoorUnderFire.TestCase
TestTheDoorUnderFire.settings = settings(
    max_examples=15, stateful_step_count=30, deadline=None, print_blob=True
)
