"""Every word of the effect language: what it is read as, and what none of its places takes."""

import json
from pathlib import Path
from typing import Any

import pytest

from domain.spellcaster import effects as fx
from domain.spellcaster import terms
from domain.spellcaster.checks import walk
from domain.spellcaster.colours import COLOURS, KINDS
from domain.spellcaster.decks import DECKS, read_decks
from domain.spellcaster.expressions import Unreadable, read_amount, read_condition
from domain.spellcaster.steps import TARGETS, DeckRefused, read_block, read_step
from domain.spellcaster.terms import Number, Target
from tests.domain.spellcaster.lists import STANDARD, changed_list

ONE, TWO = Number(1), Number(2)
GAIN = ["gain", "self", "energy", 1]
GAINED = (fx.Gain("self", "energy", ONE),)
PAY = ["pay", "rival", "energy", 1]
PAID = (fx.Pay("rival", "energy", ONE),)
EMPTY = {"empty": True, "colour": "blue"}

STEPS: list[tuple[list[Any], fx.Step]] = [
    (["gain", "rival", "energy", 2], fx.Gain("rival", "energy", TWO)),
    (["lose", "rival", "sapphire", 2], fx.Lose("rival", "sapphire", TWO)),
    (["pay", "self", "sapphire", "X"], fx.Pay("self", "sapphire", terms.Bound())),
    (
        ["transfer", "rival", "self", "sapphire", "all"],
        fx.Transfer("rival", "self", "sapphire", terms.All()),
    ),
    (["draw", "rival", "deck"], fx.Draw("rival", terms.DeckSize())),
    (["discard", "rival", "all", "random"], fx.Discard("rival", terms.All(), "random")),
    (["discard", "self", 2, "owner"], fx.Discard("self", TWO, "owner")),
    (["lose_cards", "self", "hand", 2], fx.LoseHand("self", TWO)),
    (["lose_cards", "deck", "deck", "deck"], fx.LoseDeck(terms.DeckSize())),
    (["pay_any", "rival", "hand", 1, "X"], fx.PayAny("rival", 1)),
    (["take_discard", "rival", 2], fx.TakeDiscard("rival", TWO, None)),
    (["take_discard", "rival", 2, "green"], fx.TakeDiscard("rival", TWO, "green")),
    (["steal_card", "rival", "self", 2, "random"], fx.StealCard(TWO)),
    (["may", "rival", [PAY], [GAIN]], fx.May("rival", PAID, GAINED)),
    (["may", "self", [], [GAIN]], fx.May("self", (), GAINED)),
    (["unless", "rival", [PAY], [GAIN]], fx.Unless("rival", PAID, GAINED)),
    (["choose", "rival", [[PAY], [GAIN]]], fx.Choose("rival", (PAID, GAINED))),
    (["if", "empty(blue)", [PAY], [GAIN]], fx.If(terms.PileEmpty("blue"), PAID, GAINED)),
    (["if", "empty(blue)", [PAY], []], fx.If(terms.PileEmpty("blue"), PAID, ())),
    (["discard_top", "rival", "any_other"], fx.DiscardTop("rival", Target(not_this=True))),
    (["flip", "rival", 1, {"facing": "self"}], fx.Flip("rival", Target(facing="self"))),
    (["flip_all"], fx.FlipAll()),
    (["activate", "self", "any_other_top"], fx.Activate(TARGETS["any_other_top"])),
    (["play", "self", 1], fx.Play(1)),
    (["actions", "self", "deck"], fx.Actions(terms.DeckSize())),
    (["ward", "self", "all_loss", "until_end_of_turn"], fx.Ward("all_loss", "until_end_of_turn")),
    (
        ["lock", "self", EMPTY, "until_end_of_turn"],
        fx.Lock(Target(colour="blue", empty=True), "until_end_of_turn"),
    ),
    (
        ["suppress", "self", "enchantment", "until_my_next_turn"],
        fx.Suppress(Target(kind="enchantment"), "until_my_next_turn"),
    ),
]


WRITTEN = [each for each, _ in STEPS]


@pytest.mark.parametrize(("written", "step"), STEPS, ids=lambda each: str(each)[:60])
def test_a_step_is_read_as_what_it_says(written: list[Any], step: fx.Step) -> None:
    assert read_step(written, "r02, step 1") == step


@pytest.mark.parametrize("written", WRITTEN, ids=lambda each: str(each)[:60])
def test_no_place_of_a_step_takes_just_anything_and_the_card_is_named(written: list[Any]) -> None:
    for place in range(len(written)):
        for anything in ("nothing of that kind", ["nothing"], None, -1):
            spoilt = [*written[:place], anything, *written[place + 1 :]]
            with pytest.raises(DeckRefused) as refusal:
                read_step(spoilt, "r02, step 1")
            assert refusal.value.where.startswith("r02, step 1")
            assert str(refusal.value) == f"{refusal.value.where}: {refusal.value.reason}"
    for wrong in (written[:-1], [*written, "more", "still more"]):
        if wrong not in WRITTEN:
            with pytest.raises(DeckRefused, match=r"^r02, step 1: "):
                read_step(wrong, "r02, step 1")


@pytest.mark.parametrize(
    ("written", "where"),
    [
        (["may", "self", ["gone"], [GAIN]], "cost, step 1"),
        (["may", "self", [PAY, []], [GAIN]], "cost, step 2"),
        (["may", "self", [PAY], [GAIN, []]], "then, step 2"),
        (["unless", "self", [PAY, []], [GAIN]], "cost, step 2"),
        (["unless", "self", [PAY], [GAIN, []]], "else, step 2"),
        (["choose", "self", [[PAY], [GAIN, []]]], "branch 1, step 2"),
        (["if", "deck<2", [GAIN, []], []], "then, step 2"),
        (["if", "deck<2", [GAIN], [PAY, []]], "else, step 2"),
        (["may", "self", "gone", [GAIN]], "cost"),
        (["if", "deck<2", [GAIN], "gone"], "else"),
        (["choose", "self", [[PAY], "gone"]], "branch 1"),
        (["unless", "self", [PAY], "gone"], "else"),
        (["if", "deck<2", "gone", []], "then"),
    ],
    ids=str,
)
def test_a_bad_step_in_a_block_is_named_by_its_place(written: list[Any], where: str) -> None:
    with pytest.raises(DeckRefused) as refusal:
        read_step(written, "r02, step 3")
    assert refusal.value.where == f"r02, step 3, {where}"


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (["gain", "all", "energy", 1], "unknown side 'all': one of self, rival"),
        (["gain", "self", "mana", 1], "unknown resource 'mana': one of energy, sapphire"),
        (
            ["take_discard", "self", 1, "pink"],
            f"unknown colour 'pink': one of {', '.join(COLOURS)}",
        ),
        (
            ["ward", "self", "most", "until_end_of_turn"],
            "unknown ward 'most': one of next_loss_energy, all_loss, reduce_energy_loss_1",
        ),
        (
            ["ward", "self", "all_loss", "ever"],
            "unknown duration 'ever': one of until_my_next_turn, until_end_of_turn",
        ),
        (["flip", "self", 1, "all"], f"unknown target 'all': one of {', '.join(TARGETS)}"),
        (["flip", "self", 1, ["red"]], "no target can be ['red']"),
        (["flip", "all", 1, "any_other"], "a choice needs a chooser, self or rival, not 'all'"),
        (["play", "rival", 1], "only self can do this, not 'rival'"),
        (["lose_cards", "self", "hand", "deck"], "cards are counted by a number, X or all, not "),
        (
            ["take_discard", "self", 1, "green", "red"],
            "'take_discard' takes who, count, and a colour if only one will do",
        ),
        (["choose", "self", [[GAIN]]], "'choose' takes chooser, branches"),
        (["transfer", "self", "self", "energy", 1], "'transfer' takes from, to, resource, amount"),
        (["discard", "self", 1, "all"], "'discard' takes who, count, owner or random"),
    ],
    ids=str,
)
def test_what_is_wrong_is_told_with_what_would_be_right(step: list[Any], message: str) -> None:
    with pytest.raises(DeckRefused) as refusal:
        read_step(step, "r02, step 1")
    assert refusal.value.reason.startswith(message)


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("kind", KINDS, ("charm", None, True)),
        ("facing", ("self", "rival"), ("left", None, True)),
        ("colour", COLOURS, ("pink", None, True)),
        ("not_colour", COLOURS, ("pink", None, True)),
        ("other_pile", (True, False), ("yes", None, 1)),
        ("not_this", (True, False), ("yes", None, 1)),
        ("unused", (True, False), ("yes", None, 1)),
        ("empty", (True, False), ("yes", None, 1)),
        ("tone", (), ("red", None, True)),
    ],
)
def test_a_target_has_fields_of_its_own(name: str, right: Any, wrong: Any) -> None:
    for value in right:
        step = read_step(["flip", "self", 1, {name: value}], "r02, step 1")
        assert step == fx.Flip("self", Target(**{name: value}))
    for value in wrong:
        with pytest.raises(DeckRefused, match="no target can be"):
            read_step(["flip", "self", 1, {name: value}], "r02, step 1")


def test_steps_are_read_in_their_order_and_numbered_from_one() -> None:
    assert read_block([PAY, GAIN], "r02") == (*PAID, *GAINED)
    with pytest.raises(DeckRefused) as refusal:
        read_block([PAY, ["gain"]], "r02")
    assert refusal.value.where == "r02, step 2"


def test_every_step_of_a_card_has_a_place() -> None:
    effect = [["if", "deck<2", [PAY], [["may", "self", [PAY], [GAIN]]]], GAIN]
    inner = "r02, step 1, else, step 1"
    assert [(where, type(step)) for where, step in walk(read_block(effect, "r02"), "r02")] == [
        ("r02, step 1", fx.If),
        ("r02, step 1, then, step 1", fx.Pay),
        (inner, fx.May),
        (f"{inner}, cost, step 1", fx.Pay),
        (f"{inner}, then, step 1", fx.Gain),
        ("r02, step 2", fx.Gain),
    ]
    choices = read_block(
        [["choose", "self", [[PAY], [GAIN]]], ["unless", "self", [PAY], [GAIN]]], "c"
    )
    assert [where for where, _ in walk(choices, "c")] == [
        "c, step 1",
        "c, step 1, branch 0, step 1",
        "c, step 1, branch 1, step 1",
        "c, step 2",
        "c, step 2, cost, step 1",
        "c, step 2, else, step 1",
    ]


A, B, C = (terms.Pool("self", "energy"), terms.HandSize("rival"), terms.Colours("self"))


@pytest.mark.parametrize(
    ("written", "amount"),
    [
        ("energy(self)", A),
        ("hand(rival)", B),
        ("colours(self)", C),
        ("sapphire(rival)", terms.Pool("rival", "sapphire")),
        ("12", Number(12)),
        ("X", terms.Bound()),
        ("all", terms.All()),
        ("deck", terms.DeckSize()),
        ("energy(self)-hand(rival)-2", terms.Difference(terms.Difference(A, B), TWO)),
        ("min(energy(self), hand(rival))", terms.Smaller(A, B)),
        ("max(energy(self)-1, min(2,deck))",
         terms.Larger(terms.Difference(A, ONE), terms.Smaller(TWO, terms.DeckSize()))),
    ],
)  # fmt: skip
def test_an_amount_is_read_as_what_it_says(written: str, amount: terms.Amount) -> None:
    assert read_amount(written) == amount


@pytest.mark.parametrize(
    ("written", "condition"),
    [
        ("controls(rival,blue)", terms.Controls("rival", "blue")),
        ("empty(green)", terms.PileEmpty("green")),
        ("top(red,enchantment)", terms.TopIs("red", "enchantment")),
        *((f"deck{sign}2", terms.Compare(terms.DeckSize(), sign, TWO))
          for sign in ("<", "<=", "=", "!=", ">=", ">")),
        ("not empty(green)", terms.Not(terms.PileEmpty("green"))),
        ("not not empty(green)", terms.Not(terms.Not(terms.PileEmpty("green")))),
        ("not (empty(green))", terms.Not(terms.PileEmpty("green"))),
        ("deck<1 or deck<2 and X<1 or X<2",
         terms.Either(
             terms.Either(
                 terms.Compare(terms.DeckSize(), "<", ONE),
                 terms.Both(
                     terms.Compare(terms.DeckSize(), "<", TWO),
                     terms.Compare(terms.Bound(), "<", ONE),
                 ),
             ),
             terms.Compare(terms.Bound(), "<", TWO),
         )),
    ],
)  # fmt: skip
def test_a_condition_is_read_as_what_it_says(written: str, condition: terms.Condition) -> None:
    assert read_condition(written) == condition


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("", "'' has 'the end' where an amount is expected"),
        ("energy", "'energy' has 'the end' where ( is expected"),
        ("energy(", "'energy(' has 'the end' where self or rival is expected"),
        ("hand(me)", "'hand(me)' has 'me' where self or rival is expected"),
        ("colours(self,", "'colours(self,' has ',' where ) is expected"),
        ("min 1", "'min 1' has '1' where ( is expected"),
        ("min(1;2)", "'min(1;2)' has ';' where , is expected"),
        ("max(1,2", "'max(1,2' has 'the end' where ) is expected"),
        ("1-", "'1-' has 'the end' where an amount is expected"),
        ("1 2", "'1 2' has '2' where the end is expected"),
        (-1, "an amount cannot be -1"),
        (True, "True is no amount"),
        (1.5, "1.5 is no amount"),
    ],
)
def test_what_is_wrong_with_an_amount_is_told_by_its_place(written: Any, message: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        read_amount(written)
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("deck", "'deck' has 'the end' where < or <= or = or != or >= or > is expected"),
        ("deck<", "'deck<' has 'the end' where an amount is expected"),
        ("controls(self)", "'controls(self)' has ')' where , is expected"),
        ("controls(me,red)", "'controls(me,red)' has 'me' where self or rival is expected"),
        (
            "controls(self,pink)",
            f"'controls(self,pink)' has 'pink' where {' or '.join(COLOURS)} is expected",
        ),
        ("empty(pink)", f"'empty(pink)' has 'pink' where {' or '.join(COLOURS)} is expected"),
        ("top(red,all)", f"'top(red,all)' has 'all' where {' or '.join(KINDS)} is expected"),
        ("(deck<1", "'(deck<1' has 'the end' where ) is expected"),
        ("deck<1 and", "'deck<1 and' has 'the end' where an amount is expected"),
        ("deck<1 or", "'deck<1 or' has 'the end' where an amount is expected"),
        ("deck<1 )", "'deck<1 )' has ')' where the end is expected"),
        (3, "3 is no condition"),
    ],
)
def test_what_is_wrong_with_a_condition_is_told_by_its_place(written: Any, message: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        read_condition(written)
    assert str(refusal.value) == message


def test_all_lists_of_a_folder_are_read_ours_first(tmp_path: Path) -> None:
    for name in ("zebra", "standard", "attic"):
        (tmp_path / f"{name}.json").write_text(STANDARD, "utf-8")
    (tmp_path / "README.md").write_text("no list", "utf-8")
    found = read_decks(tmp_path)
    assert list(found) == ["standard", "attic", "zebra"]
    assert [deck.name for deck in found.values()] == list(found)
    assert found["standard"] == DECKS["standard"]
    named = json.loads(STANDARD)[0] | {"name": "Épée"}
    (tmp_path / "attic.json").write_text(changed_list(named["id"], named), "utf-8")
    assert read_decks(tmp_path)["attic"].spells[named["id"]].name == "Épée"
