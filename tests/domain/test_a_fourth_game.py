"""A fourth game is one folder: the one printed in the guide, dropped in and played."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import domain
from domain.catalogue import games
from domain.game import AnyGame
from tests.domain import test_every_game as contract

GUIDE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
PROMISES = [
    contract.test_a_game_ends_and_names_its_winners,
    contract.test_there_is_a_result_once_a_game_is_over_and_none_before,
    contract.test_a_replay_of_the_events_is_the_live_table,
    contract.test_every_listed_move_is_accepted_and_every_other_refused_with_a_known_code,
    contract.test_seats_the_table_waits_for_have_moves_and_a_fallback,
    contract.test_a_game_ends_when_nobody_is_there,
    contract.test_no_view_move_or_refusal_depends_on_what_its_viewer_may_not_know,
    contract.test_the_arbiter_of_a_running_game_sees_open_hands_and_at_the_end_what_a_spectator_sees,
    contract.test_nothing_that_was_handed_out_changes,
    contract.test_views_events_and_states_are_plain_values,
    contract.test_bots_of_every_level_play_to_the_end,
    contract.test_bots_choose_among_the_moves_and_the_same_whatever_is_hidden,
    contract.test_commands_survive_the_wire,
    contract.test_every_event_is_told_in_both_languages,
]


@pytest.fixture
def lucky_number(tmp_path: Path) -> Iterator[AnyGame]:
    """Drop the folder of the guide into the catalogue, and take it out again."""
    code = re.search(r"```python\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    assert code
    folder = tmp_path / "lucky_number"
    folder.mkdir()
    (folder / "__init__.py").write_text(code[1], "utf-8")
    domain.__path__.append(str(tmp_path))
    games.cache_clear()
    try:
        yield games()["lucky_number"]
    finally:
        domain.__path__.remove(str(tmp_path))
        sys.modules.pop("domain.lucky_number", None)
        games.cache_clear()


def test_a_folder_is_all_it_takes(lucky_number: AnyGame) -> None:
    assert lucky_number.name in games()


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
def test_the_game_of_the_guide_keeps_the_contract(
    lucky_number: AnyGame,
    promise: "contract.Promise",
) -> None:
    for seats in lucky_number.seats:
        promise(lucky_number, seats)


def test_the_catalogue_is_as_before() -> None:
    assert "lucky_number" not in games()
