"""The score table says who won how often, by level and by seat."""

from service.simulate.play import Played
from service.simulate.scores import score_table


def played(levels: tuple[str, ...], winners: list[int], scores: list[int]) -> Played:
    return Played("t", levels, {"winners": winners, "scores": scores, "deals": 5}, 10)


def test_wins_and_averages_are_told_by_level_and_by_seat() -> None:
    table = score_table(
        [
            played(("greedy", "random"), [0], [10, 4]),
            played(("random", "greedy"), [0, 1], [6, 6]),
        ]
    )
    assert table.splitlines() == [
        "              played     won  scores",
        "level greedy       2  100.0%    8.00",
        "level random       2   50.0%    5.00",
        "seat 0             2  100.0%    8.00",
        "seat 1             2   50.0%    5.00",
    ]


def test_a_result_without_numbers_by_seat_has_no_averages() -> None:
    table = score_table([Played("t", ("a", "b"), {"winners": [1], "out": ["x", "y"]}, 3)])
    assert table.splitlines()[0].split() == ["played", "won"]
