"""Golden playthroughs: whole games as JSON lines, written once and checked for ever.

``python -m domain.playthrough GAME SEATS SEED [LEVEL] > FILE`` writes one.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from domain.catalogue import games
from domain.game import AnyGame, Seat, Viewer
from domain.scenario import as_json
from domain.sealed import audience, face_for, public_face, sealed_face
from domain.selfplay import Step, selfplay
from domain.table.commands import Play
from domain.table.events import Event
from domain.table.view import view, viewers
from domain.wire import plain_command

VIEWS_EVERY = 16
"""Views are written at the start, at every so many commands, and at the end."""


def playthrough(game: AnyGame, seats: int, seed: int, level: str = "random") -> Iterator[Any]:
    """Yield the lines of a golden game played by bots: a header, then one object per command."""
    yield {"game": game.name, "rules": game.rules, "seats": seats, "seed": seed, "level": level}
    steps = list(selfplay(game, seats, seed=seed, levels=(level,) * seats))
    for number, step in enumerate(steps):
        yield as_json(_line(step, views=number % VIEWS_EVERY == 0 or number == len(steps) - 1))


def _line(step: Step, *, views: bool) -> dict[str, Any]:
    line: dict[str, Any] = {}
    if isinstance(step.command, Play):
        line |= {"seat": step.command.seat, "command": plain_command(step.command.command)}
    line["events"] = [plain_event(event) for event in step.events]
    line["notices"] = {
        str(viewer): [
            {"type": type(event).__name__, **face_for(event, viewer)}
            for event in step.events
            if audience(event)
        ]
        for viewer in viewers(step.after)
    }
    line["views"] = (
        {str(viewer): view(step.after, viewer) for viewer in viewers(step.after)} if views else {}
    )
    return {name: value for name, value in line.items() if value != {}}


def plain_event(event: Event) -> dict[str, Any]:
    """Answer an event with both faces, as a golden file keeps it."""
    plain: dict[str, Any] = {"type": type(event).__name__, "public": public_face(event)}
    heard = audience(event)
    if heard is not None:
        plain |= {"audience": list(heard), "sealed": sealed_face(event)}
    return plain


def viewer_of(text: str) -> Viewer:
    """Answer the viewer that a golden file names."""
    viewer: Viewer = Seat(int(text)) if text.isdigit() else text  # type: ignore[assignment]
    return viewer


def main(arguments: Sequence[str]) -> int:
    """Write a golden playthrough to standard output."""
    if len(arguments) not in (3, 4):
        print("usage: python -m domain.playthrough GAME SEATS SEED [LEVEL]", file=sys.stderr)
        return 2
    name, seats, seed, *level = arguments
    for line in playthrough(games()[name], int(seats), int(seed), *level):
        print(json.dumps(line, ensure_ascii=False, sort_keys=True))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
