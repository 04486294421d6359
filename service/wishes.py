"""What callers wish of tables, carried through the one door: open, sit, leave, play."""

from collections.abc import Mapping
from hashlib import sha256
from secrets import token_hex
from typing import Any, cast
from uuid import UUID, uuid4

import msgspec
from marshmallow import ValidationError

from domain.catalogue import games
from domain.game import AnyGame, Refused, Seat, Viewer
from domain.table.commands import Command, Leave, Open, Play, Sit
from domain.table.state import Table
from events.notices import notices
from events.schema import NotOneOf, load_command, load_options
from events.store import CommandKey, command_key
from events.transact import Outcome, Wish
from service.http import Call, field_errors
from service.identity.callers import Caller
from service.problems import BadBody, FieldError, Problem, from_refused
from service.request_log import VERSION
from service.unfinished import claim
from service.views import invited, with_links
from workers.projections.tables import render


def open_table(call: Call) -> Outcome:
    """Open a table and seat its opener and its bots."""
    body, caller = call.body, cast("Caller", call.caller)
    game = games().get(body["game"])
    if game is None:
        raise Problem("unknown-game")
    command = Open(
        game=game,
        seats=body["seats"],
        options=_options(game, body),
        visibility=body["visibility"],
        opener=caller.player,
        key=token_hex(32),
        sitting=sitting(game, body, caller),
    )
    table = new_id(caller, call.key)
    door, key = call.parts.door, command_key_of(call, {"open": body})
    claim(call, table)
    try:
        outcome = door.open(table, command, key, trace=call.trace)
    except Refused as refused:
        raise from_refused(refused, game.texts) from refused
    return done(call, outcome)


def _options(game: AnyGame, body: Mapping[str, Any]) -> Any:
    if body["seats"] not in game.seats:
        raise Problem("bad-field", errors=[FieldError("/seats", "out-of-range")])
    try:
        return load_options(game, body["options"], body["seats"])
    except ValidationError as bad:
        raise Problem("bad-field", errors=field_errors(bad, "/options/")) from bad


def sitting(game: AnyGame, body: Mapping[str, Any], caller: Caller) -> tuple[Sit, ...]:
    """Answer who sits at once at a new table: the bots, and its opener where there is a seat."""
    bots = sorted((int(seat), level) for seat, level in body["bots"].items())
    bad = [_bad_bot(game, body["seats"], *each) for each in bots]
    if body["seat"] is not None and body["seat"] >= body["seats"]:
        bad.append(FieldError("/seat", "out-of-range"))
    errors = [each for each in bad if each]
    if errors:
        raise Problem("bad-field", errors=errors)
    seated = [Sit(None, Seat(seat), bot=level) for seat, level in bots]
    if body["seat"] is not None:
        seated.append(Sit(caller.player, Seat(body["seat"]), entropy=body["entropy"]))
    return tuple(seated)


def _bad_bot(game: AnyGame, seats: int, seat: int, level: str) -> FieldError | None:
    if seat >= seats:
        return FieldError(f"/bots/{seat}", "out-of-range")
    return (
        None if level in game.bots else FieldError.of(f"/bots/{seat}", NotOneOf(sorted(game.bots)))
    )


def new_id(caller: Caller, key: str | None) -> str:
    """Answer the id of a new table; with a key it follows from player and key alone."""
    if key is None:
        return str(uuid4())
    made = sha256(f"abraxas table 1 {caller.seed} {key}".encode()).digest()
    return str(UUID(bytes=made[:16], version=5))


def take_seat(call: Call, table: str) -> Outcome:
    """Sit down."""
    body, player = call.body, call.player

    def wish(state: Table) -> Command:
        _seat(state, player, body.get("invite"))
        return Sit(player, body.get("seat"), None, body["entropy"], body.get("commitment"))

    return _transact(call, table, wish, {"sit": body})


def leave_seat(call: Call, table: str, seat: int) -> Outcome:
    """Leave a seat."""

    def wish(state: Table) -> Command:
        _seat(state, call.player)
        return Leave(call.player, Seat(seat))

    return _transact(call, table, wish, {"leave": seat})


def play(call: Call, table: str) -> Outcome:
    """Send a seat's command to the game."""
    body = call.body
    if call.key is None:
        raise Problem("idempotency-key-missing")

    def wish(state: Table) -> Command:
        seat = _seat(state, call.player)
        if seat is None:
            raise Refused("not-seated")
        try:
            return Play(seat, load_command(state.playing, body))
        except ValidationError as bad:
            raise BadBody(field_errors(bad)) from bad

    return _transact(call, table, wish, body, expected=call.seen_version)


def _seat(state: Table, player: str, invite: str | None = None) -> Seat | None:
    """Answer a player's seat; to who has none and no invite a private table is not there."""
    seat = state.seat_of(player)
    if seat is None and not invited(state, invite):
        raise Refused("unknown-table")
    return seat


def _transact(
    call: Call, table: str, wish: Wish, body: Mapping[str, Any], *, expected: int | None = None
) -> Outcome:
    door, key = call.parts.door, command_key_of(call, body)
    try:
        outcome = door.transact(table, wish, key, expected=expected, trace=call.trace)
    except Refused as refused:
        known = door.cached(table)
        raise from_refused(refused, known.state.playing.texts if known else None) from refused
    return done(call, outcome)


def command_key_of(call: Call, body: Mapping[str, Any]) -> CommandKey:
    """Answer what the command is remembered by; without a key, something that never comes again."""
    return command_key(call.player, call.key or f" {uuid4()}", body)


def done(call: Call, outcome: Outcome) -> Outcome:
    """Count what was accepted, and wake whoever follows."""
    call.parts.meters.accepted(outcome.last - outcome.first + 1, replayed=outcome.replayed)
    call.parts.waker.wake(outcome.listeners)
    call.request.environ[VERSION] = outcome.last
    return outcome


def seat_of(call: Call, outcome: Outcome) -> Seat:
    """Answer where the caller sat once the command had counted."""
    return cast("Seat", outcome.loaded.state.seat_of(call.player))


def answer(call: Call, outcome: Outcome, reader: Viewer, **more: Any) -> bytes:
    """Write what a command led to, as its seat is told."""
    state = outcome.loaded.state
    body = more | {
        "version": outcome.loaded.version,
        "hash": outcome.loaded.hash.hex(),
        "notices": msgspec.Raw(notices(outcome.recorded, reader, call.language, state)),
    }
    if call.wants_view:
        view = render(outcome.loaded, reader)
        body["view"] = msgspec.Raw(with_links(call, view, outcome.loaded.table))
    return msgspec.json.encode(body)


def replayed(outcome: Outcome) -> tuple[tuple[str, str], ...]:
    """Answer the header of an answer that was given before."""
    return (("Idempotent-Replayed", "true"),) if outcome.replayed else ()


def headers(call: Call, outcome: Outcome) -> tuple[tuple[str, str], ...]:
    """Answer the headers of an accepted command."""
    met = (("Preference-Applied", "return=representation"),) if call.wants_view else ()
    return (("Content-Language", call.language), *replayed(outcome), *met)
