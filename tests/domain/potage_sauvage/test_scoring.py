"""The worked scorings S1 to S6 of the rules, and the bounds of a deal's points."""

import pytest
from hypothesis import given as every
from hypothesis import strategies as some

from domain.potage_sauvage.cards import DECK, RECIPES, Recipe
from domain.potage_sauvage.scoring import deal_points
from tests.domain.potage_sauvage.positions import cards


@pytest.mark.parametrize(
    ("recipe", "captured", "points"),
    [
        pytest.param("vegetables", "V10 VH VR V5 V3 V1 W2 W4 F1 F2 IH", 4, id="S1"),
        pytest.param("fruits", "F1 W1 W2 W3 W5 V2 V4", -3, id="S2"),
        pytest.param("waste", "W1 W2 W3 W4 W5 VH FH FR I1 I2 V10", 3, id="S3"),
        pytest.param("multicolour", "", 5, id="S4"),
        pytest.param("insects", "", 0, id="S6"),
    ],
)
def test_a_worked_scoring(recipe: Recipe, captured: str, points: int) -> None:
    assert deal_points(recipe, cards(captured)) == points


BOUNDS = {"waste": (-6, 10), "multicolour": (5 - 52, 5)}


@every(some.permutations(DECK), some.integers(0, len(DECK)), some.sampled_from(RECIPES))
def test_points_of_a_deal_stay_in_their_bounds(deck: list[str], size: int, recipe: Recipe) -> None:
    least, most = BOUNDS.get(recipe, (-10, 14))
    assert least <= deal_points(recipe, deck[:size]) <= most  # type: ignore[arg-type]
