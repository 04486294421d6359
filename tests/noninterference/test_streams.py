"""Streams tell what they tell, whatever is hidden: while games go on, to everybody who may read."""

import json
import os
from typing import Any, Final

import pytest

from domain.catalogue import games
from domain.dice import seeded
from domain.game import AnyGame
from tests.noninterference import masks
from tests.noninterference.channels import Watched
from tests.noninterference.positions import Pair, Step, on, pairs
from tests.noninterference.rounds import alike
from tests.noninterference.streams import listen, silence
from tests.noninterference.worlds import Tally, Worlds

TABLES: Final = int(os.environ.get("NONINTERFERENCE", "1"))
MOST_STEPS: Final = 5


def ahead(pair: Pair, seed: str) -> list[Step]:
    """Answer how a pair can go on."""
    dice = seeded(seed)
    steps: list[Step] = []
    while len(steps) < MOST_STEPS and (step := on(pair, dice)) is not None:
        steps.append(step)
        pair = step.after
    return steps


def compare(worlds: Worlds, pair: Pair, steps: list[Step]) -> int:
    """Stream a table in both worlds while it is driven; answer how many streams there were."""
    watched = Watched(worlds, worlds.seat(pair), pair, worlds.guest("Stranger"))
    fate = worlds.fate
    told = worlds.both(
        f"streams of {watched.table}", lambda api: listen(api, fate, watched, steps, fate.side)
    )
    for (name, *left), (_, *right) in zip(*told, strict=True):
        worlds.tally.same(name.rpartition(" ")[0], watched.table, blotted(left), blotted(right))
    worlds.reached(watched.table, steps[-1].after)
    return len(told[0])


def blotted(said: list[Any]) -> bytes:
    """Answer what a stream told, with salts and commitments blotted out."""
    start, body = said
    lines = body.splitlines(keepends=True)
    if b"application/json" in repr(start).encode():
        return repr(start).encode() + masks.body(body, "application/json")
    return repr(start).encode() + b"".join(masks.notice_line(each) for each in lines)


def long_enough(game: AnyGame) -> list[tuple[Pair, list[Step]]]:
    """Answer pairs that go on for some steps."""
    found: list[tuple[Pair, list[Step]]] = []
    for seed in range(TABLES):
        for pair in pairs(game, f"streams {seed}", 17):
            steps = ahead(pair, f"ahead {seed}")
            if len(steps) > 1 and len(found) < TABLES:
                found.append((pair, steps))
    return found


@pytest.mark.timeout(600 + 30 * TABLES)
@pytest.mark.parametrize("game", [pytest.param(each, id=name) for name, each in games().items()])
def test_no_byte_of_any_stream_depends_on_hidden_cards(game: AnyGame) -> None:
    tally, streams, driven = Tally(), 0, 0
    found = long_enough(game)
    assert found
    for pair, steps in found:
        with alike(tally, silence) as worlds:
            streams += compare(worlds, pair, steps)
        driven += len(steps)
    assert streams >= 8 * len(found)
    print(f"\n{game.name}: {len(found)} pairs of tables, {driven} steps, {tally}")


def test_a_salt_is_blotted_out_by_its_name_and_nothing_else_is() -> None:
    notice = {"version": 3, "at": "t", "cards": ["b01"], "text": "salt", "salt": "ab" * 32}
    line = json.dumps(notice, separators=(",", ":")).encode() + b"\n"
    blot = masks.notice_line(b"data: " + line)
    assert blot == b"data: " + line.replace(b"ab" * 32, b"-" * 64)
