"""What is worked out once for each game of the catalogue."""

from collections.abc import Callable
from typing import TypeVar

from domain.game import AnyGame

T = TypeVar("T")


def per_game(build: Callable[[AnyGame], T]) -> Callable[[AnyGame], T]:
    """Build each game's answer once; games are records that no dictionary takes as keys."""
    built: dict[str, tuple[AnyGame, T]] = {}

    def answer(game: AnyGame) -> T:
        known = built.get(game.name)
        if known is None or known[0] is not game:
            known = built[game.name] = (game, build(game))
        return known[1]

    return answer
