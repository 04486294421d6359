"""What-ifs over HTTP: another line from a position of a table, on a private table of its own."""

from collections.abc import Mapping
from secrets import randbelow, token_hex
from typing import Any, cast

from domain.dice import Dice
from domain.game import Refused, Seat, Viewer
from domain.table.fork import fork
from domain.table.state import Origin, Table
from events.decisions import end_of_decision
from events.loaded import Loaded
from events.transact import Outcome, UnknownVersion
from service.http import Call
from service.identity.callers import Caller
from service.problems import from_refused
from service.unfinished import claim
from service.views import looked_up, perspective
from service.wishes import command_key_of, done, new_id, sitting


def open_fork(call: Call, table: str) -> Outcome:
    """Open a what-if from a version of a table; a repeat with the same key meets the first one.

    While the table runs, hidden cards are dealt again from what the caller was told by then; once
    it is over nothing is hidden, and the position is what it was.
    """
    body, caller = call.body, cast("Caller", call.caller)
    found = looked_up(call, table)
    now = found.loaded
    viewer = perspective(call, now.state, imported=found.imported, invite=body.get("invite"))
    then = _then(call, now, body["version"])
    game = then.state.playing
    seat = _seat(viewer, body, now.state)
    try:
        command = fork(
            then.state,
            Origin(table, then.version),
            viewer="arbiter" if now.state.phase == "over" else viewer,
            dice=Dice(randbelow),
            opener=caller.player,
            key=token_hex(32),
            sitting=sitting(game, body | {"seat": seat, "seats": len(now.state.chairs)}, caller),
        )
        key = command_key_of(call, {"fork": table, **body})
        opened = new_id(caller, call.key)
        claim(call, opened)
        outcome = call.parts.door.open(opened, command, key, trace=call.trace)
    except Refused as refused:
        raise from_refused(refused, game.texts) from refused
    return done(call, outcome)


def _then(call: Call, now: Loaded, version: int) -> Loaded:
    """Answer the table at a version, or where the move ended that the version is amid."""
    if version > now.version:
        raise UnknownVersion(now.version)
    settled = end_of_decision(call.parts.door.store, now.table, version)
    return now if settled >= now.version else call.parts.door.load(now.table, settled)


def _seat(viewer: Viewer, body: Mapping[str, Any], table: Table) -> Seat | None:
    """Answer where the caller sits: where it asks to, where it sat, or the first seat left."""
    if "seat" in body:
        return cast("Seat | None", body["seat"])
    if not isinstance(viewer, str):
        return viewer
    free = (seat for seat in range(len(table.chairs)) if str(seat) not in body["bots"])
    return next(map(Seat, free), None)
