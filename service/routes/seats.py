"""Seats: sit down, leave, and play."""

from flask import Response

from service import answers, wishes
from service.http import NEVER, Call
from service.onward import FROM_MOVE, FROM_MOVE_BODIES, FROM_SEAT
from service.operation import Returns, Routes
from service.schemas import Sitting
from service.views import table_id

ROUTES = Routes("seats", "What a seat does at a table.")
_HEADERS = ("Idempotent-Replayed", "Preference-Applied", "Content-Language")
_REFUSALS = ("bad-request", "unknown-table", "already-started", "key-reused", "outcome-unknown")


@ROUTES(
    "POST", "/v1/tables/<table>/seats", auth="required", scope="play", body=Sitting(),
    headers=("Idempotency-Key", "Prefer", "traceparent"),
    answers={201: Returns("You sit.", answers.SeatOutcome, _HEADERS, links=FROM_SEAT)},
    problems=(
        *_REFUSALS, "seat-taken", "already-seated", "table-full", "commitment-differs",
    ),
)  # fmt: skip
def take_seat(call: Call, table: str) -> Response:
    """Sit down at a table; the game starts when the last seat is taken."""
    outcome = wishes.take_seat(call, table_id(table))
    seat = wishes.seat_of(call, outcome)
    body = wishes.answer(call, outcome, seat, seat=seat)
    return call.reply(body, 201, *wishes.headers(call, outcome), cache=NEVER)


@ROUTES(
    "DELETE", "/v1/tables/<table>/seats/<int:seat>", auth="required", scope="play",
    headers=("Idempotency-Key", "Prefer", "traceparent"),
    answers={200: Returns("The seat is free again.", answers.SeatOutcome, _HEADERS)},
    problems=(*_REFUSALS, "not-your-seat"),
)  # fmt: skip
def leave_seat(call: Call, table: str, seat: int) -> Response:
    """Leave a seat, while the table is open."""
    outcome = wishes.leave_seat(call, table_id(table), seat)
    body = wishes.answer(call, outcome, "spectator", seat=seat)
    return call.reply(body, 200, *wishes.headers(call, outcome), cache=NEVER)


@ROUTES(
    "POST", "/v1/tables/<table>/commands", auth="required", scope="play", body="Command",
    headers=("Needed-Idempotency-Key", "If-Match", "Prefer", "traceparent"),
    answers={
        201: Returns(
            "The move counts.", answers.Outcome, _HEADERS, links=FROM_MOVE, bodies=FROM_MOVE_BODIES
        )
    },
    problems=(
        "bad-request", "idempotency-key-missing", "not-seated", "unknown-table", "not-started",
        "stale-version", "key-reused", "outcome-unknown",
    ),
)  # fmt: skip
def send_command(call: Call, table: str) -> Response:
    """Send a command of the game.

    Repeat it with the same key as often as you like: it counts once, and the answer is the same.
    Whatever the rules refuse is 409 with the game's own code. With `If-Match` it counts only if
    the table is still at that version, or if your moves are the same as then.
    """
    outcome = wishes.play(call, table_id(table))
    body = wishes.answer(call, outcome, wishes.seat_of(call, outcome))
    return call.reply(body, 201, *wishes.headers(call, outcome), cache=NEVER)
