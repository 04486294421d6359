"""The details D1 to D16: windows, standing passes, the order of things."""

import pytest

from domain.dice import seeded
from domain.magic_cooking import GAME
from domain.magic_cooking.commands import AutoPass, Reveal
from domain.magic_cooking.events import (
    AutoPassSet,
    CardBurned,
    CardDisguised,
    CardPlaced,
    CardRevealed,
    CardStolen,
    LeadAwaited,
    SeatPassed,
    SpellCancelled,
    SpellCast,
    SpellFizzled,
    SpellsLocked,
    TrickBlown,
    TrickFrozen,
    TrickMade,
    TrickTaken,
    TurnStarted,
    WindowOpened,
)
from domain.magic_cooking.options import Options
from domain.magic_cooking.state import Laid
from domain.value import changed
from tests.domain.given import given, scripted
from tests.domain.magic_cooking.positions import (
    COUNTER,
    FREEZE,
    GUST,
    LIGHT,
    PASS,
    A,
    B,
    C,
    all_pass,
    burn,
    card,
    cards,
    dealt,
    exchange,
    kinds,
    laid,
    lead,
    play,
    playing,
    reveal,
    steal,
)

ON, OFF = AutoPass(enabled=True), AutoPass(enabled=False)


def test_d1_a_window_opens_only_for_spells_that_could_act() -> None:
    nobody = playing("horn tail", "wing", cauldron="horn@1", mages="brady enrico")
    assert WindowOpened not in kinds(nobody, 0, reveal("horn"))
    somebody = playing("horn tail", "wing", "eye", cauldron="horn@1", mages="brady gordon moka")
    given(GAME, somebody).when(0, reveal("horn")).then(
        CardRevealed(A, card("horn"), None),
        TrickMade(A, card("horn"), abraxas=True),
        WindowOpened((B, C)),
    ).seen_by("spectator", phase="reaction", waiting_for=[1, 2], active=0)


def test_d1_a_card_that_matches_nothing_opens_no_window() -> None:
    state = playing("horn tail", "wing", cauldron="eye@1", mages="gordon emilien")
    assert kinds(state, 0, reveal("horn")) == [CardRevealed, CardPlaced, TurnStarted]


def test_d1_a_resolved_falsification_opens_the_window_of_its_capture() -> None:
    state = playing("horn tail", "wing", "crow", cauldron="eye@1", mages="enrico emilien gordon")
    declared = play(state, (0, reveal("horn", "eye"))).seen_by("spectator", waiting_for=[1])
    declared.when(2, FREEZE).refused("not-waiting-for-you")
    taken = (
        declared.when(1, PASS)
        .then()
        .seen_by("spectator", waiting_for=[1, 2], pending__abraxas=False, stack=[])
    )
    taken.may(1, burn("horn"), burn("eye")).may(2, FREEZE)


def test_d1_nothing_reopens_between_the_spells_of_a_stack() -> None:
    state = playing("horn tail", "wing", "crow", cauldron="horn@1", mages="gordon emilien moka")
    stack = play(state, (0, reveal("horn")), (1, burn("horn")), (0, FREEZE), (2, PASS))
    stack.seen_by("spectator", stack=[], pending=None, phase="turn", active=1)


def test_d2_a_pass_in_one_turn_is_no_pass_in_the_next() -> None:
    hands = ("horn tail", "eye wing", "crow")
    state = playing(*hands, cauldron="eye@2", mages="enrico gordon emilien")
    passed = play(
        state, (0, reveal("horn", "eye")), (2, PASS), (1, PASS), (2, PASS), (0, lead("tail"))
    )
    passed.seen_by("spectator", phase="turn", active=1)
    state = changed(passed.state, visible=laid("eye@0"))
    given(GAME, state).when(1, reveal("eye")).then().seen_by("spectator", waiting_for=[1, 2])


def test_d2_a_pass_holds_until_the_next_cast() -> None:
    state = playing("horn tail", "wing", "crow", cauldron="horn@1", mages="gordon emilien moka")
    passed = play(state, (0, reveal("horn")), (1, PASS)).seen_by("spectator", waiting_for=[0, 2])
    passed.when(1, PASS).refused("not-waiting-for-you")
    passed.when(1, burn("horn")).refused("not-waiting-for-you")
    cast = passed.when(2, GUST).then().seen_by("spectator", waiting_for=[0, 1])
    cast.may(1, COUNTER, PASS)


def test_d2_a_pass_ends_with_its_window() -> None:
    state = playing("horn", "tail wing", "wing eye", cauldron="horn@1", mages="brady gordon moka")
    first = play(state, (0, reveal("horn")), (1, PASS), (2, PASS), (1, lead("wing")))
    second = first.when(2, reveal("wing")).then()
    second.seen_by("spectator", phase="reaction", waiting_for=[1, 2]).may(1, FREEZE, PASS)


def test_d2_a_pass_on_a_falsification_leaves_its_capture_open() -> None:
    state = playing("horn tail", "wing", cauldron="eye@1", mages="enrico emilien")
    declared = play(state, (0, reveal("horn", "eye"))).seen_by("spectator", waiting_for=[1])
    taken = declared.when(1, PASS).then()
    taken.seen_by("spectator", waiting_for=[1], stack=[]).may(1, burn("eye"), PASS)


def test_d3_the_table_waits_for_those_who_could_act() -> None:
    state = playing("horn tail", "wing", "crow", cauldron="eye@1", mages="brady from emilien")
    given(GAME, state).seen_by("spectator", waiting_for=[0])
    assert GAME.to_move(state) == (A,)
    stolen = play(state, (0, steal(2)))
    assert GAME.to_move(stolen.state) == (B, C)
    lit = stolen.when(1, LIGHT).then()
    assert GAME.to_move(lit.state) == (C,)


def test_d4_who_passes_by_itself_is_never_waited_for() -> None:
    state = playing(
        "horn tail", "wing", cauldron="horn@1", mages="brady gordon", auto_pass=(False, True)
    )
    assert WindowOpened not in kinds(state, 0, reveal("horn"))
    play(state, (0, reveal("horn"))).seen_by("spectator", phase="lead", abraxas=[1, 0])


def test_d4_a_standing_pass_closes_an_open_window() -> None:
    state = playing("horn tail", "wing", cauldron="horn@1", mages="brady gordon")
    position = play(state, (0, reveal("horn")))
    position.when(1, ON).then_among(
        AutoPassSet(B, enabled=True), TrickTaken(A, cards("horn horn"), abraxas=True)
    ).seen_by("spectator", phase="lead")


def test_d4_ending_it_brings_a_seat_back_into_an_open_window() -> None:
    state = playing(
        "horn tail",
        "wing",
        "crow",
        cauldron="horn@1",
        mages="brady gordon moka",
        auto_pass=(False, True, False),
    )
    position = play(state, (0, reveal("horn"))).seen_by("spectator", waiting_for=[2])
    position.when(1, FREEZE).refused("not-waiting-for-you")
    position.when(1, OFF).then(AutoPassSet(B, enabled=False)).seen_by(
        "spectator", waiting_for=[1, 2]
    ).may(1, FREEZE)


def test_d4_but_not_once_it_has_passed_in_it() -> None:
    state = playing("horn tail", "wing", "crow", cauldron="horn@1", mages="brady gordon moka")
    position = play(state, (0, reveal("horn")), (1, PASS), (1, ON), (1, OFF))
    position.seen_by("spectator", waiting_for=[2])


def test_d4_a_standing_pass_leaves_casts_on_the_open_table_alone_and_lasts_over_rounds() -> None:
    state = playing("wing", "", cauldron="horn@1", mages="emilien", auto_pass=(True, False))
    given(GAME, state).may(0, burn("horn"))
    assert play(state, (0, reveal("wing"))).state.auto_pass == (True, False)


@pytest.mark.parametrize("seats", GAME.seats)
def test_d4_it_may_be_set_and_ended_by_every_seat_at_any_time(seats: int) -> None:
    state = dealt(seats)
    for seat in range(seats):
        given(GAME, state).may(seat, ON, OFF).when(seat, ON).then().when(seat, ON).then()
        given(GAME, state).when(seat, OFF).then(AutoPassSet(A.__class__(seat), enabled=False))


def test_d5_a_card_is_burned_on_the_open_table_or_before_any_spell_on_the_trick() -> None:
    state = playing("horn tail", "wing", "crow", cauldron="eye@1 horn@1", mages="gordon emilien")
    given(GAME, state).may(1, burn("eye")).may_not(1, burn("tail"))
    trick = play(state, (0, reveal("tail")), (1, reveal("wing")), (2, reveal("crow")))
    taking = trick.when(0, reveal("horn")).then()
    taking.may(1, burn("eye"), burn("horn")).may_not(1, COUNTER)
    taking.when(0, FREEZE).then().may(1, COUNTER).may_not(1, burn("eye"))


def test_d6_a_counter_strikes_the_top_spell() -> None:
    state = playing("horn tail", "wing", "crow", cauldron="horn@1", mages="gordon moka from")
    stack = play(state, (0, reveal("horn")), (0, FREEZE), (1, GUST), (2, LIGHT))
    stack.seen_by("spectator", removed=[], phase="turn", active=1, locked=True)


def test_d6_a_counter_that_is_struck_leaves_the_disguise_as_it_was_declared() -> None:
    state = playing("horn tail", "wing", "crow", cauldron="eye@1", mages="enrico emilien from")
    countered = play(state, (0, reveal("horn", "eye")), (1, COUNTER))
    declared = {"seat": 0, "spell": "falsification", "card": card("horn"), "as": card("eye")}
    stack = [declared, {"seat": 1, "spell": "burn", "counter": True}]
    countered.seen_by("spectator", stack=stack).when(2, LIGHT).then(
        SpellCast(C, "in_full_light", None, None, None, counter=False),
        SpellCancelled(C, "in_full_light", B, "burn"),
        SpellsLocked(C),
        CardDisguised(A, card("horn"), card("eye")),
        TrickMade(A, card("horn"), abraxas=False),
        TrickTaken(A, cards("eye horn"), abraxas=False),
        LeadAwaited(A),
    )


def test_d7_a_burn_takes_its_card_also_after_a_freeze() -> None:
    state = playing("horn tail", "wing", "crow", cauldron="horn@1 eye@2", mages="gordon emilien")
    stack = play(state, (0, reveal("horn")), (1, burn("horn")))
    stack.when(0, FREEZE).then_among(
        TrickFrozen(A, A, card("horn")), CardBurned(B, card("horn")), TurnStarted(B)
    )
    after = stack.when(0, FREEZE).then()
    assert after.state.visible == (Laid(card("eye"), C), Laid(card("horn"), A))


def test_d7_every_spell_below_a_gust_fizzles_each_by_itself() -> None:
    state = playing("horn tail", "wing", "crow", cauldron="horn@1", mages="gordon emilien moka")
    stack = play(state, (0, reveal("horn")), (1, burn("horn")), (0, FREEZE))
    stack.when(2, GUST).then(
        SpellCast(C, "gust", None, None, None, counter=False),
        TrickBlown(C, A, cards("horn horn")),
        SpellFizzled(A, "freeze"),
        SpellFizzled(B, "burn"),
        LeadAwaited(A),
    )


def test_d7_a_burn_finds_nothing_after_a_gust() -> None:
    state = playing("horn tail", "wing", "crow", cauldron="horn@1", mages="moka emilien")
    stack = play(state, (0, reveal("horn")), (1, burn("horn")))
    stack.when(0, GUST).then_among(
        TrickBlown(A, A, cards("horn horn")), SpellFizzled(B, "burn")
    ).seen_by("spectator", removed=cards("horn horn"), mages__1__spent=True)


def test_d7_the_played_card_burns_only_if_no_other_such_card_lies_there() -> None:
    state = playing("web tail", "wing", cauldron="horn@1", mages="brady emilien")
    trick = play(state, (0, reveal("web")))
    trick.when(1, burn("web")).then_among(
        CardBurned(B, card("web")), TrickTaken(A, cards("horn"), abraxas=False)
    ).seen_by("spectator", removed=cards("web"), piles=[4, 0])


def test_d7_swap_and_burn_take_the_first_such_card() -> None:
    state = playing("tail eye", "wing", cauldron="horn@0 crow@0 horn@1", mages="brady emilien")
    swapped = play(state, (0, exchange("tail", "horn")), (1, PASS))
    assert swapped.state.visible[0].card == card("tail")
    assert [each.by for each in swapped.state.visible] == [A, A, B]
    burned = swapped.when(1, burn("horn")).then()
    assert burned.state.visible == laid_pairs("tail crow")


def laid_pairs(text: str) -> tuple[Laid, ...]:
    return tuple(Laid(each, A) for each in cards(text))


def test_d8_a_steal_may_take_the_turn_with_the_last_card() -> None:
    state = playing("horn", "", "crow", cauldron="eye@1", mages="gordon brady")
    given(GAME, state).when(1, steal(0)).then(
        SpellCast(B, "permutation", A, None, None, counter=False),
        CardStolen(B, A, card("horn")),
        TurnStarted(B),
    ).seen_by("spectator", active=1, hand_sizes=[0, 1, 1])


def test_d9_nothing_is_cast_while_a_cauldron_is_to_be_laid() -> None:
    state = playing("horn tail", "wing", cauldron="horn@1", mages="brady emilien")
    leading = play(state, (0, reveal("horn")), (1, PASS)).seen_by("spectator", phase="lead")
    leading.when(0, steal(1)).refused("wrong-phase")
    leading.when(1, burn("horn")).refused("wrong-phase")
    assert GAME.moves(leading.state, A) == (lead("tail"), ON, OFF)
    assert GAME.moves(leading.state, B) == (ON, OFF)


def test_d9_nor_while_a_neighbour_is_to_lay_it() -> None:
    state = playing(
        "horn", "tail eye", "wing", cauldron="horn@1 shell@2", mages="gordon brady emilien"
    )
    passed = all_pass(play(state, (0, reveal("horn"))).state)
    passed.seen_by("spectator", phase="lead", active=1, waiting_for=[1], pending=None)
    passed.when(1, steal(2)).refused("wrong-phase")
    passed.when(2, burn("horn")).refused("wrong-phase")
    assert GAME.moves(passed.state, B) == (lead("tail"), lead("eye"), ON, OFF)


def test_d10_a_card_may_imitate_itself_and_makes_no_abraxas() -> None:
    state = playing("horn tail", "wing", cauldron="horn@1", mages="enrico")
    given(GAME, state).may(0, reveal("horn", "horn"))
    given(GAME, state).when(0, reveal("horn", "horn")).then_among(
        TrickMade(A, card("horn"), abraxas=False)
    )


def test_d11_a_steal_picks_when_it_resolves_and_a_cancelled_one_picks_nothing() -> None:
    state = playing("horn", "wing eye tail", "crow", cauldron="shell@1", mages="brady gordon from")
    script = scripted(picks=[2])
    cast = given(GAME, state).when(0, steal(1), script)
    assert [type(event) for event in cast.events()] == [SpellCast, WindowOpened]
    assert script.rolls == []
    cast.then().when(2, LIGHT, script).then()
    assert script.rolls == []
    cast.then().when(2, PASS, script).then_among(
        SeatPassed(C), CardStolen(A, B, card("wing")), TurnStarted(A)
    )
    assert script.rolls[0] == (3, 2)


def test_d11_even_from_one_card_it_is_a_pick() -> None:
    script = scripted(picks=[0])
    given(GAME, playing("horn", "wing", cauldron="eye@1", mages="brady")).when(
        0, steal(1), script
    ).events()
    assert script.rolls == [(1, 0)]


def test_d12_the_played_card_is_pending_and_in_no_other_zone() -> None:
    state = playing("horn tail", "wing", cauldron="horn@1", mages="brady gordon")
    play(state, (0, reveal("horn"))).seen_by(
        0,
        pending={"seat": 0, "card": card("horn"), "as": None, "abraxas": True},
        hand=cards("tail"),
        hand_sizes=[1, 1],
        cauldron__visible=[{"card": card("horn"), "by": 1}],
    )


def test_d12_a_falsification_that_is_undone_imitates_nothing_and_its_card_may_match_as_itself() -> (
    None
):
    state = playing("horn tail", "wing", "crow", cauldron="horn@1", mages="enrico emilien gordon")
    declared = play(state, (0, reveal("horn", "horn")))
    declared.seen_by(
        "spectator", pending={"seat": 0, "card": card("horn"), "as": card("horn"), "abraxas": False}
    )
    declared.when(1, COUNTER).then().seen_by(
        "spectator",
        phase="reaction",
        waiting_for=[2],
        stack=[],
        pending={"seat": 0, "card": card("horn"), "as": None, "abraxas": True},
    ).when(2, PASS).then().seen_by("spectator", abraxas=[1, 0, 0], pending=None)


def test_d12_nothing_is_pending_over_spells_on_the_open_table() -> None:
    state = playing("horn tail", "wing", cauldron="eye@1", mages="brady from")
    play(state, (0, steal(1))).seen_by(
        "spectator", pending=None, stack=[{"seat": 0, "spell": "permutation", "victim": 1}]
    )


def test_d13_a_gust_removes_the_face_up_cards_in_order_and_then_the_played_one() -> None:
    state = playing("web tail", "wing", cauldron="eye@1 crow@0 horn@1", mages="moka")
    play(state, (0, reveal("web")), (0, GUST)).seen_by(
        "spectator", removed=cards("eye crow horn web")
    )


def test_d14_the_offered_card_is_public_from_the_cast_on() -> None:
    state = playing("horn tail", "wing", cauldron="eye@1", mages="brady from")
    play(state, (0, exchange("horn", "eye"))).seen_by(
        "spectator",
        stack=[{"seat": 0, "spell": "permutation", "card": card("horn"), "swap": card("eye")}],
    )


def test_d15_at_the_end_the_table_is_cleared_and_the_last_round_stays() -> None:
    state = playing(
        "wing", "", cauldron="tail@1", mages="brady", round=2, ordome=B, removed=cards("eye"),
        locked=True, abraxas=(1, 0), piles=("horn", ""), secret="slime crow slime",
    )  # fmt: skip
    over = play(state, (0, reveal("wing")))
    over.seen_by(
        "spectator",
        phase="over",
        active=None,
        estueux=None,
        last_capturer=None,
        hand=None,
        cauldron={"visible": [], "hidden": 0, "secret": None},
        draw_pile=0,
        piles=[0, 0],
        abraxas=[0, 0],
        removed=[],
        locked=False,
        pending=None,
        stack=[],
        waiting_for=[],
        round=2,
        ordome=1,
        scores=[18, 0],
        last_round={
            "stars": [5, 0],
            "bonus": [3, 0],
            "abraxas": [1, 0],
            "scores": [18, 0],
            "uscul": [0],
            "captured": [cards("crow horn slime slime tail wing"), []],
        },
    )
    over.seen_by(0, hand=[])
    assert GAME.view(over.state, "arbiter") == GAME.view(over.state, "spectator")
    assert GAME.moves(over.state, A) == ()
    assert GAME.result(over.state) == {"winners": [0], "scores": [18, 0]}


def test_d16_with_spells_off_mages_are_dealt_and_shown_unspent() -> None:
    off = dealt(2, scripted(("moka", "gordon"), picks=[0]), spells_enabled=False)
    given(GAME, off).seen_by(
        "spectator",
        mages=[{"mage": "moka", "spent": False}, {"mage": "gordon", "spent": False}],
    )
    state = playing(
        "horn tail", "wing", cauldron="horn@1", mages="gordon moka",
        options=Options(spells_enabled=False),
    )  # fmt: skip
    assert WindowOpened not in kinds(state, 0, reveal("horn"))


def test_d21_a_steal_picks_among_the_hand_in_deck_list_order() -> None:
    state = playing("horn", "shell web nettle crow", cauldron="eye@1", mages="brady")
    for pick, word in enumerate(("crow", "web", "nettle", "shell")):
        given(GAME, state).when(0, steal(1), scripted(picks=[pick])).then_among(
            CardStolen(A, B, card(word))
        )


@pytest.mark.parametrize("seats", GAME.seats)
def test_d24_the_thirteenth_reveal_captures_at_the_latest(seats: int) -> None:
    for seed in range(5):
        state, reveals = dealt(seats, seeded(seed)), 0
        while state.estueux is None:
            assert state.phase == "turn"
            seat = GAME.to_move(state)[0]
            hand = state.hands[seat]
            other = [each for each in hand if each != card("web") and not state.lies_visible(each)]
            state = play(state, (seat, Reveal((other or hand)[0]))).state
            reveals += 1
        assert reveals <= 13


def test_a_window_that_everybody_lets_go_collects_the_trick() -> None:
    state = playing("horn tail", "wing", "crow", cauldron="horn@1", mages="brady gordon moka")
    all_pass(play(state, (0, reveal("horn"))).state).seen_by(
        "spectator", abraxas=[1, 0, 0], phase="lead"
    )


def test_a_brady_without_cards_comes_back_by_a_steal() -> None:
    state = playing("horn tail", "", cauldron="eye@1", mages="gordon brady")
    back = play(state, (1, steal(0)))
    back.seen_by("spectator", hand_sizes=[1, 1], active=0)
    given(GAME, state).when(1, exchange("horn", "eye")).refused("card-not-in-hand")
