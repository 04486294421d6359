"""Plays scenario files, tests written as data: ``python -m domain.scenario FILE...``."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from domain.catalogue import games
from domain.dice import ScriptedDice
from domain.game import AnyGame, BadField, Refused, Seat, Viewer
from domain.selfplay import opening, take
from domain.table.commands import Play
from domain.table.state import NOWHERE, Table
from domain.table.view import moves, view
from domain.value import asdict
from domain.wire import plain_command, read_command

HEAD = {"game", "seats", "options", "shuffles", "picks", "seed", "steps", "title", "about"}
STEPS: Mapping[str, set[str]] = {
    "command": {"seat", "command", "refused"},
    "check": {"check"},
    "moves": {"moves"},
}


class Difference(Exception):  # noqa: N818 - what a scenario found
    """Say where a scenario and the rules differ."""


def play_scenario(scenario: Mapping[str, Any]) -> Table:
    """Play a scenario from the start of its game; raise Difference naming the step (from 0)."""
    if not isinstance(scenario, dict):
        raise Difference("a scenario is an object")
    _known(scenario, HEAD, "scenario")
    if scenario.get("game") not in [*games()]:
        raise Difference(f"game: {scenario.get('game')!r} is not one of {', '.join(games())}")
    game = games()[scenario["game"]]

    def chance(_: Table) -> ScriptedDice:
        dice.rolls = []
        return dice

    try:
        dice = ScriptedDice(
            scenario.get("shuffles", ()), scenario.get("picks", ()), scenario.get("seed", 0)
        )
        table = take(
            NOWHERE, opening(game, scenario["seats"], scenario.get("options", {})), chance
        ).after
        steps = list(scenario.get("steps", ()))
    except (BadField, ValueError, KeyError, TypeError) as wrong:
        raise Difference(f"start: {wrong}") from wrong
    for number, step in enumerate(steps):
        try:
            table = _step(game, table, step, chance)
        except (Difference, ValueError, KeyError, TypeError) as wrong:
            kind = "" if isinstance(wrong, Difference) else f"{type(wrong).__name__} "
            raise Difference(f"step {number}: {kind}{wrong}") from wrong
    return table


def _step(game: AnyGame, table: Table, step: Mapping[str, Any], chance: Any) -> Table:
    kind = next((each for each in STEPS if each in step), None)
    if kind is None:
        raise Difference(f"a step has one of {', '.join(STEPS)}")
    _known(step, STEPS[kind], kind)
    match kind:
        case "command":
            return _command(game, table, step, chance)
        case "check":
            _check(table, step["check"])
        case _:
            _moves(table, step["moves"])
    return table


def _command(game: AnyGame, table: Table, step: Mapping[str, Any], chance: Any) -> Table:
    refused = step.get("refused")
    try:
        command = Play(_seat(table, step["seat"]), read_command(game, step["command"]))
        after = take(table, command, chance).after
    except Refused as refusal:
        if refusal.code != refused:
            raise Difference(
                f"refused {refusal.code!r}, expected {_or_accepted(refused)}"
            ) from None
        return table
    except BadField as bad:
        if refused != "bad-field":
            raise Difference(f"bad field {bad}, expected {_or_accepted(refused)}") from None
        return table
    if refused is not None:
        raise Difference(f"accepted, expected refused {refused!r}")
    return after


def _or_accepted(code: str | None) -> str:
    return "it to be accepted" if code is None else f"refused {code!r}"


def _check(table: Table, check: Mapping[str, Any]) -> None:
    _known(check, {"viewer", "path", "equals", "all"}, "check")
    seen = as_json(view(table, _viewer(table, check["viewer"])))
    wanted = check["all"] if "all" in check else {check["path"]: check["equals"]}
    for path, expected in wanted.items():
        found = walk(seen, path)
        if found != expected or isinstance(found, bool) != isinstance(expected, bool):
            raise Difference(
                f"{path} seen by {check['viewer']} is {json.dumps(found)}, "
                f"expected {json.dumps(expected)}"
            )


def _moves(table: Table, wanted: Mapping[str, Any]) -> None:
    _known(wanted, {"seat", "include", "exclude", "count"}, "moves")
    listed = as_json([plain_command(move) for move in moves(table, _seat(table, wanted["seat"]))])
    for move in wanted.get("include", ()):
        if move not in listed:
            raise Difference(f"{json.dumps(move)} is not among the moves {json.dumps(listed)}")
    for move in wanted.get("exclude", ()):
        if move in listed:
            raise Difference(f"{json.dumps(move)} is among the moves")
    if "count" in wanted and len(listed) != wanted["count"]:
        raise Difference(f"{len(listed)} moves, expected {wanted['count']}: {json.dumps(listed)}")


def walk(value: Any, path: str) -> Any:
    """Follow a dotted path through JSON; raise Difference where it leads nowhere."""
    for step in path.split("."):
        try:
            # A list takes digits only: -1 would be an element of it, and not the one that is meant.
            value = value[int(step) if isinstance(value, list) and step.isdecimal() else step]
        except (KeyError, IndexError, ValueError, TypeError):
            raise Difference(f"nothing at {path!r} (lost at {step!r})") from None
    return value


def as_json(value: Any) -> Any:
    """Answer a value as a reader of its JSON gets it: lists for tuples, strings for keys."""
    return json.loads(json.dumps(value, default=asdict))


def _viewer(table: Table, given: Any) -> Viewer:
    if given == "arbiter" and table.phase != "over":
        raise Difference("the arbiter looks once the table is over")
    if given in ("spectator", "arbiter"):
        viewer: Viewer = given
        return viewer
    return _seat(table, given)


def _seat(table: Table, given: Any) -> Seat:
    if type(given) is not int or not 0 <= given < len(table.chairs):
        raise Difference(f"{given!r} is no seat of this table")
    return Seat(given)


def _known(given: Mapping[str, Any], names: set[str], where: str) -> None:
    if unknown := sorted(set(given) - names):
        raise Difference(f"{where} has unknown fields: {', '.join(unknown)}")


def main(paths: Sequence[str]) -> int:
    """Play the files; answer 1 if any differs, naming file, step and difference; 2 without any."""
    if not paths:
        print("usage: python -m domain.scenario FILE...", file=sys.stderr)
        return 2
    failed = 0
    for path in paths:
        try:
            play_scenario(json.loads(Path(path).read_text("utf-8")))
        except (Difference, OSError, ValueError) as wrong:
            print(f"{path}: {wrong}", file=sys.stderr)
            failed += 1
    print(f"{len(paths) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
