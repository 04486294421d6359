"""A phone in a tunnel: moves wait in a queue, and count only if the table is still as it was."""

from collections import deque
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from domain.game import Seat
from domain.table.view import moves, to_move
from tests.service.asking import Answer, Api, Sat, fresh


class Lost(Exception):  # noqa: N818 - no error: it is how trains are
    """Say that no answer came."""


class Train:
    """A connection that loses requests on their way, and answers on theirs."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def carry(self, table: Sat, command: Any, key: str, tag: str) -> Answer:
        fate = self.random.random()
        if fate < 0.2:
            raise Lost
        answer = table.send(0, command, key=key, If_Match=tag)
        if fate < 0.4:
            raise Lost
        return answer


class Queue:
    """What an app keeps while it is offline: moves in order, each with a key of its own.

    The first goes out "only if the table is still at the version I saw", each next one "only if
    still at the version my last one led to". Whatever is refused empties the queue.
    """

    def __init__(self, table: Sat, train: Train, seen: Answer) -> None:
        self.table = table
        self.train = train
        self.tag = seen.headers["ETag"]
        self.waiting: deque[tuple[str, Any]] = deque()
        self.counted: list[tuple[str, Mapping[str, Any]]] = []
        self.refused: str | None = None

    def add(self, command: Any) -> None:
        self.waiting.append((fresh(), command))

    def flush(self) -> None:
        while self.waiting:
            key, command = self.waiting[0]
            try:
                answer = self.train.carry(self.table, command, key, self.tag)
            except Lost:
                continue
            if answer.status != 201:
                self.refused = answer.code
                self.waiting.clear()
                return
            self.waiting.popleft()
            self.counted.append((self.tag, answer.json))
            self.tag = f'"{answer.json["version"]}"'


def moves_at(api: Api, table: Sat, version: int) -> Any:
    return moves(api.parts.door.load(table.id, version).state, Seat(0))


def others_move(table: Sat, times: int) -> None:
    """Let the other seat move while seat 0 is in the tunnel, if the table waits for it."""
    for _ in range(times):
        waited = to_move(table.api.parts.door.load(table.id).state)
        if 1 not in waited:
            return
        assert table.send(1, table.view(1).json["moves"][0]).status == 201


@pytest.mark.parametrize("game", ["potage_sauvage", "magic_cooking", "spellcaster"])
@pytest.mark.parametrize("seed", range(4))
def test_what_was_queued_counts_once_and_only_on_what_its_player_saw(
    api: Api, game: str, seed: int
) -> None:
    random = Random(seed)
    ana, ben = api.guest(), api.guest()
    table = api.table(ana, ben, game=game)
    told = 0
    for _ in range(12):
        seen = table.view(0)
        offered = seen.json["moves"]
        if seen.json["phase"] == "over":
            break
        queue = Queue(table, Train(random), seen)
        for command in random.sample(offered, min(len(offered), 3)):
            queue.add(command)
        others_move(table, random.randrange(3))
        before = table.view().json["version"]
        queue.flush()
        told += len(queue.counted)
        for tag, answer in queue.counted:
            first = answer["notices"][0]["version"]
            judged = int(tag.strip('"').partition(".")[0])
            assert moves_at(api, table, first - 1) == moves_at(api, table, judged)
        # Nothing else has moved the table: each move that counted was stored, and stored once.
        stored = [each["version"] for _, answer in queue.counted for each in answer["notices"]]
        assert stored == list(range(before + 1, table.view().json["version"] + 1))
        others_move(table, 1)
    assert told


def test_a_queue_that_comes_too_late_changes_nothing_and_says_where_the_table_is(
    api: Api,
) -> None:
    table = api.table(api.guest(), api.guest())
    for seat in (0, 1):
        table.send(seat, {"type": "choose_recipe", "recipe": "waste"})
    mover = table.view().json["to_move"][0]
    seen = table.view(mover)
    tag = seen.headers["ETag"]
    # The same player on another device was faster.
    faster = table.send(mover, seen.json["moves"][0])
    late = table.send(mover, seen.json["moves"][-1], If_Match=tag)
    assert (late.status, late.code) == (412, "stale-version")
    assert late.json["version"] == faster.json["version"] == table.view().json["version"]


def test_a_repeat_of_what_counted_is_told_so_however_far_the_table_has_moved_on(
    api: Api,
) -> None:
    ana, ben = api.guest(), api.guest()
    table = api.table(ana, ben)
    tag = table.view(0).headers["ETag"]
    command = table.view(0).json["moves"][0]
    first = table.send(0, command, key="in-the-tunnel", If_Match=tag)
    table.step()
    again = table.send(0, command, key="in-the-tunnel", If_Match=tag)
    assert (again.status, again.json["version"]) == (201, first.json["version"])
    assert again.headers["Idempotent-Replayed"] == "true"
