"""What dealing again may change: exactly the states that agree with all a viewer was told.

The reference is brute force: every arrangement of the hidden cards of a small position, and every
way the dice may have fallen, is played through the same commands; those that tell the viewer the
same are what it cannot exclude.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import permutations
from typing import Any

import pytest

from domain.dice import Dice, seeded
from domain.game import Refused, Seat, Viewer
from domain.sealed import face_for
from domain.spellcaster import GAME
from domain.spellcaster.commands import Activate, Choose, Command, Draw, Pass, Play
from domain.spellcaster.state import State
from domain.value import changed
from tests.domain.spellcaster.positions import cards, lock, position

Hidden = tuple[Any, Any]


def hidden(state: State) -> Hidden:
    return state.hands, state.deck


def arrangements(state: State, viewer: Viewer) -> list[State]:
    """Every state that looks like this one to a viewer who has seen nothing before."""
    unseen = [seat for seat in range(state.seats) if seat != viewer]
    pool = [card for seat in unseen for card in state.hands[seat]] + list(state.deck)
    found = {}
    for order in permutations(pool):
        rest = list(order)
        hands = list(state.hands)
        for seat in unseen:
            size = len(state.hands[seat])
            hands[seat] = tuple(sorted(rest[:size]))
            del rest[:size]
        other = changed(state, hands=tuple(hands), deck=tuple(rest))
        found[hidden(other)] = other
    return list(found.values())


def told(viewer: Viewer, events: Iterable[Any]) -> list[Any]:
    return [(type(event).__name__, face_for(event, viewer)) for event in events]


def outcomes(state: State, command: Command, rolls: tuple[int, ...] = ()) -> list[Any]:
    """The events of a command for every way the dice may fall; none if it is refused."""
    left = list(rolls)
    asked: list[int] = []

    def roll(n: int) -> int:
        if left:
            return left.pop(0)
        asked.append(n)
        return 0

    try:
        events = GAME.decide(state, GAME.to_move(state)[0], command, Dice(roll))
    except Refused:
        return []
    if not asked:
        return [events]
    more = [outcomes(state, command, (*rolls, k)) for k in range(asked[0])]
    return [each for found in more for each in found]


def remaining(
    start: State, viewer: Viewer, commands: Sequence[Command], dice: Dice
) -> tuple[State, set[Hidden]]:
    """The true state after some commands, and all that the viewer cannot exclude."""
    true, possible = start, arrangements(start, viewer)
    for command in commands:
        events = GAME.decide(true, GAME.to_move(true)[0], command, dice)
        true = reduce(GAME.evolve, events, true)
        heard = told(viewer, events)
        seen = GAME.view(true, viewer)
        after = {}
        for state in possible:
            for other in outcomes(state, command):
                if told(viewer, other) == heard:
                    reached = reduce(GAME.evolve, other, state)
                    if GAME.view(reached, viewer) == seen:
                        after[hidden(reached)] = reached
        possible = list(after.values())
    return true, {hidden(state) for state in possible}


def choose(*picks: str) -> tuple[Command, ...]:
    return tuple(Choose((pick,) if pick else ()) for pick in picks)


def play(card: str) -> Command:
    return Play(cards(card)[0])


THEFT = position(
    hands={0: "b01 b02", 1: "r01"},
    piles={"yellow": "y14:0", "green": "g03:1 g09:0 g03:1"},
    deck="r05 y05 b05",
    discard="r09 r10",
    actions=1,
)
TAKEN = (Activate("yellow"), *choose("r09"))
LOCKED = {"effects": (lock("red", 1, 1),), "turn": 1}
SHORT = position(hands={0: "r01 b01", 1: "y01"}, deck="r02 b02 g05", piles={"green": "g14:0"})
CASES = {
    "nothing but draws": (SHORT, (Draw(),)),
    "a card seen taken": (THEFT, TAKEN),
    "a card seen taken may have been stolen": (THEFT, (*TAKEN, Activate("green"))),
    "the card seen taken is played after a theft": (
        THEFT,
        (*TAKEN, Activate("green"), Draw(), play("r09")),
    ),
    "another card is played after a theft": (
        THEFT,
        (*TAKEN, Activate("green"), Draw(), play("b01")),
    ),
    "free plays under a lock are offered": (
        position(
            hands={0: "r01 b01 b02", 1: "y01"},
            deck="r02 g05",
            piles={"green": "g14:0"},
            effects=(lock("red", 1, 1),),
        ),
        (Activate("green"),),
    ),
    "free plays under a lock are chosen": (
        position(
            hands={0: "r01 b01 b02", 1: "y01"},
            deck="r02 g05",
            piles={"green": "g14:0"},
            effects=(lock("red", 1, 1),),
        ),
        (Activate("green"), *choose("yes", "b01")),
    ),
    "a free play under a lock is forced": (
        position(
            hands={0: "r01 r03 b02", 1: "y01"},
            deck="r02 g05",
            piles={"green": "g14:0"},
            effects=(lock("red", 1, 1),),
        ),
        (Activate("green"), *choose("yes")),
    ),
    "no free play is offered under a lock": (
        position(
            hands={0: "r01 r03", 1: "y01"},
            deck="r02 g05",
            piles={"green": "g14:0"},
            effects=(lock("red", 1, 1),),
        ),
        (Activate("green"), Draw()),
    ),
    "a card of a hand known by colours is stolen": (
        position(
            hands={0: "r01 r03", 1: "g03 y01"},
            deck="r02 g05 b05",
            piles={"green": "g14:0"},
            effects=(lock("red", 1, 1),),
        ),
        (Activate("green"), Draw(), play("g03"), Activate("green")),
    ),
    "a card is drawn and one played after free plays were offered under a lock": (
        position(
            hands={0: "r01 b01", 1: "y01"},
            deck="r02 g05",
            piles={"green": "g14:0"},
            effects=(lock("red", 1, 1),),
            actions=3,
        ),
        (Activate("green"), *choose("no"), Draw(), play("b01")),
    ),
    "a card seen taken is no witness for what was in the hand before": (
        position(
            hands={0: "r01 b01", 1: "y01"},
            deck="r02 g05",
            discard="b09 b10",
            piles={"green": "g14:0", "yellow": "y14:0"},
            effects=(lock("red", 1, 1),),
            actions=4,
        ),
        (Activate("green"), *choose("no"), Activate("yellow"), *choose("b10"), play("b10")),
    ),
    "the only card was seen taken and is stolen": (
        position(
            piles={"yellow": "y14:0", "green": "g03:1"},
            hands={1: "r01"},
            deck="r05 y05 b05",
            discard="r09 r10",
            actions=1,
        ),
        (*TAKEN, Activate("green")),
    ),
    "two cards seen taken, one of them perhaps stolen": (
        position(
            hands={0: "b01", 1: "r01"},
            piles={"yellow": "y14:0", "green": "g03:1"},
            deck="y05 b05",
            discard="r09 r10",
            actions=3,
        ),
        (*TAKEN, Draw(), play("r09"), Activate("green")),
    ),
    "a pass under a lock": (
        position(hands={0: "r01 r02", 1: "y01 r03"}, deck="", effects=(lock("red", 1, 1),)),
        (Pass(),),
    ),
}


@pytest.mark.parametrize("viewer", [Seat(0), Seat(1), "spectator"])
@pytest.mark.parametrize("case", CASES)
def test_dealing_again_gives_each_state_that_agrees_as_often(case: str, viewer: Viewer) -> None:
    start, commands = CASES[case]
    state, possible = remaining(start, viewer, commands, seeded(7))
    dice = seeded(f"{case} {viewer}")
    each = 30
    drawn = Counter(
        hidden(GAME.reshuffle(state, viewer, dice)) for _ in range(each * len(possible))
    )
    assert set(drawn) <= possible, "a state that the viewer can exclude"
    assert set(drawn) == possible, "a state that never comes"
    deviation = sum((count - each) ** 2 / each for count in drawn.values())
    freedom = len(possible) - 1
    assert deviation <= freedom + 5 * (2 * freedom) ** 0.5 + 1e-9


def test_the_arbiter_knows_everything() -> None:
    assert GAME.reshuffle(THEFT, "arbiter", seeded(1)) is THEFT


def test_the_thief_and_the_victim_know_what_was_stolen() -> None:
    state, _ = remaining(THEFT, Seat(0), (*TAKEN, Activate("green")), seeded(7))
    stolen = (set(THEFT.hands[0]) | {"r09"}) - set(state.hands[0])
    for viewer in (Seat(0), Seat(1)):
        for seed in range(20):
            other = GAME.reshuffle(state, viewer, seeded(seed))
            assert stolen <= set(other.hands[1])


def test_a_partner_who_sees_hands_keeps_them() -> None:
    hands = {0: "r01", 1: "b01", 2: "g01", 3: "y01"}
    state = position(4, hands=hands, partners_see_hands=True)
    others = [GAME.reshuffle(state, Seat(0), seeded(seed)) for seed in range(20)]
    assert {other.hands[2] for other in others} == {cards("g01")}
    assert len({other.hands[1] for other in others}) > 5


def test_who_deals_again_finds_nothing_in_what_others_have_learned() -> None:
    def stolen(which: int) -> State:
        return remaining(THEFT, Seat(0), (*TAKEN, Activate("green")), Dice(lambda n: which % n))[0]

    taken = {card: stolen(k) for k, card in enumerate(sorted((*THEFT.hands[0], "r09")))}
    assert len({state.hands for state in taken.values()}) == len(taken)
    for seed in range(20):
        drawn = {
            card: GAME.reshuffle(state, "spectator", seeded(seed)) for card, state in taken.items()
        }
        assert len({(each.hands, each.deck, each.knowledge) for each in drawn.values()}) == 1
        for viewer in (Seat(0), Seat(1)):
            known = GAME.reshuffle(drawn["r09"], viewer, seeded(seed))
            assert known.hands[viewer] == drawn["r09"].hands[viewer]
