"""What came of many tables, as a table that people read."""

from collections.abc import Iterable, Sequence
from numbers import Real

from service.simulate.play import Played


def score_table(played: Sequence[Played]) -> str:
    """Say by level and by seat how many tables were played and won, and the averages.

    A shared victory counts as won for all who share it. Every list of a result that has a number
    for each seat becomes a column of averages.
    """
    seats = range(len(played[0].levels))
    numbers = [name for name in played[0].result if _by_seat(played[0], name)]
    chairs = [(each.levels[seat], seat, each) for each in played for seat in seats]
    groups = [
        (f"level {level}", [c for c in chairs if c[0] == level])
        for level in sorted({level for level, _, _ in chairs})
    ] + [(f"seat {seat}", [c for c in chairs if c[1] == seat]) for seat in seats]
    rows = [
        [
            title,
            str(len(group)),
            f"{100 * _mean(seat in each.result['winners'] for _, seat, each in group):.1f}%",
            *(
                f"{_mean(each.result[name][seat] for _, seat, each in group):.2f}"
                for name in numbers
            ),
        ]
        for title, group in groups
    ]
    return _aligned([["", "played", "won", *numbers], *rows])


def _by_seat(played: Played, name: str) -> bool:
    values = played.result[name]
    return (
        name != "winners"
        and isinstance(values, list)
        and len(values) == len(played.levels)
        and all(isinstance(value, Real) for value in values)
    )


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return sum(known) / len(known)


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
