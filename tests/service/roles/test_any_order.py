"""In any order in which several players of different roles ask, nobody gets what is not theirs.

A model of three sentences says what the table of rights allows: who sits where, who may look, and
whether the table is over. Whatever is asked, the server must agree with it.
"""

import os
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    multiple,
    rule,
    run_state_machine_as_test,
)

from domain.game import Seat
from tests.service.asking import GAME, Answer, api_on, fresh
from tests.service.rights import HAS
from tests.stores import empty_store

RUNS = int(os.environ.get("FUZZ_RUNS", "15"))

PLAYERS = ("ana", "ben", "zoe")
TOKENS = ("guest", "play", "read", "webhooks", "account", "app")
"""With which rights a player asks; see the table of rights."""


@dataclass
class Known:
    """A table as the model has it: what everybody was told by the server's own answers."""

    path: str
    seats: int
    private: bool
    invite: str | None
    sits: dict[int, str] = field(default_factory=dict)
    over: bool = False

    def seat_of(self, player: str | None) -> int | None:
        return next((seat for seat, who in self.sits.items() if who == player), None)

    def is_seen_by(self, player: str | None, invite: str | None) -> bool:
        given = invite is not None and invite == self.invite
        return not self.private or given or self.seat_of(player) is not None


class Anybody(RuleBasedStateMachine):
    """Players who open, sit, look, play, leave, fork and take away."""

    tables = Bundle("tables")

    @initialize()
    def begin(self) -> None:
        self.api = api_on(empty_store(), empty_store(), DURABILITY="relaxed", ABRAXAS_LIMITS="on")
        self.ids = {name: self.api.guest(name).player for name in PLAYERS}
        make = self.api.parts.identity.tokens.make
        self.held = {
            (name, role): make(self.ids[name], HAS[role]) for name in PLAYERS for role in TOKENS
        }

    def ask(self, who: tuple[str, str] | None, method: str, path: str, **more: Any) -> Answer:
        token = self.held[who] if who else None
        return self.api.ask(method, path, token, **more)

    def may(self, who: tuple[str, str] | None, scope: str) -> bool:
        return who is None or scope in HAS[who[1]]

    who = st.tuples(st.sampled_from(PLAYERS), st.sampled_from(TOKENS))
    player = st.tuples(st.sampled_from(PLAYERS), st.sampled_from(("guest", "guest", "play")))
    anybody = st.none() | who | who

    @rule(
        target=tables, who=player, seats=st.integers(2, 3),
        visibility=st.sampled_from(("public", "unlisted", "private", "private")),
        bots=st.booleans(),
    )  # fmt: skip
    def open(self, who: Any, seats: int, visibility: str, bots: bool) -> Any:
        body: dict[str, Any] = {"game": GAME, "seats": seats, "visibility": visibility}
        body |= {"bots": {"1": "random"}} if bots else {}
        answer = self.ask(who, "POST", "/v1/tables", body=body, key=fresh())
        if not self.may(who, "play"):
            assert answer.code == "missing-scope"
            return multiple()
        assert answer.status == 201
        invite = answer.json.get("invite")
        assert (invite is not None) == (visibility == "private")
        path = f"/v1/tables/{answer.json['id']}"
        known = Known(path, seats, visibility == "private", invite, {0: who[0]})
        known.sits |= {1: "a bot"} if bots else {}
        return known

    @rule(table=tables, who=who, invited=st.booleans(), seat=st.none() | st.integers(0, 2))
    def sit(self, table: Known, who: Any, invited: bool, seat: int | None) -> None:
        body: dict[str, Any] = {} if seat is None else {"seat": seat}
        body |= {"invite": table.invite} if invited and table.invite else {}
        answer = self.ask(who, "POST", f"{table.path}/seats", body=body, key=fresh())
        if not self.may(who, "play"):
            assert answer.code == "missing-scope"
        elif not table.is_seen_by(who[0], body.get("invite")):
            assert answer.code == "unknown-table"
        elif answer.status == 201:
            taken = answer.json["seat"]
            assert taken not in table.sits
            assert table.seat_of(who[0]) is None
            assert seat in (None, taken)
            table.sits[taken] = who[0]
        else:
            assert answer.status in (409, 422)

    @rule(table=tables, who=who, seat=st.integers(0, 2))
    def leave(self, table: Known, who: Any, seat: int) -> None:
        answer = self.ask(who, "DELETE", f"{table.path}/seats/{seat}", key=fresh())
        if answer.status == 200:
            assert self.may(who, "play")
            assert table.sits.pop(seat) == who[0]
            assert len(table.sits) < table.seats
        else:
            assert answer.status in (403, 404, 409)
            assert answer.status != 404 or not table.is_seen_by(who[0], None)

    @rule(
        table=tables, who=anybody, invited=st.booleans(),
        perspective=st.none() | st.sampled_from(("0", "1", "2", "spectator", "arbiter")),
        place=st.sampled_from(("", "/events", "/record")),
    )  # fmt: skip
    def look(
        self, table: Known, who: Any, invited: bool, perspective: str | None, place: str
    ) -> None:
        invite = table.invite if invited else None
        query = f"?invite={invite}" if invite else "?"
        if place == "/record":
            query += "&redaction=seat" if perspective else ""
            perspective = perspective if perspective and perspective.isdigit() else None
        query += f"&as={perspective}" if perspective else ""
        answer = self.ask(who, "GET", f"{table.path}{place}{query}")
        player = who[0] if who else None
        seat = table.seat_of(player)
        if not self.may(who, "read"):
            assert answer.code == "missing-scope"
        elif not table.is_seen_by(player, invite):
            assert answer.code == "unknown-table"
        elif perspective not in (None, "spectator" if seat is None else str(seat)):
            # Only once it is over does anybody see more than is theirs.
            assert (answer.status == 200) <= table.over
            assert answer.status in (200, 403, 422)
        elif answer.status == 200 and place == "":
            assert answer.json["viewer"] == {"seat": seat}
            assert seat is not None or answer.json["moves"] == []
            told = {each["seat"]: each["player"] for each in answer.json["seats"]}
            for at, name in table.sits.items():
                assert told[at] == self.ids.get(name)
        else:
            assert answer.status == 200 or (place == "/record" and seat is None)

    @rule(table=tables, who=who, number=st.integers(0, 5), theirs=st.booleans())
    def play(self, table: Known, who: Any, number: int, theirs: bool) -> None:
        seat = table.seat_of(who[0])
        moves = self._moves(table, who[0] if not theirs else table.sits.get(number % 3))
        body = moves[number % len(moves)] if moves else {"type": "choose_recipe", "recipe": "waste"}
        answer = self.ask(who, "POST", f"{table.path}/commands", body=body, key=fresh())
        if not self.may(who, "play"):
            assert answer.code == "missing-scope"
        elif seat is None:
            code = "not-seated" if table.is_seen_by(who[0], None) else "unknown-table"
            assert answer.code == code
        elif answer.status == 201:
            # What is accepted was done by this seat, whoever's move was copied.
            assert {each.get("seat", seat) for each in answer.json["notices"][:1]} == {seat}
            table.over = self._phase(table) == "over"
        else:
            assert answer.status in (409, 422)

    def _moves(self, table: Known, player: str | None) -> list[Any]:
        if player not in PLAYERS:
            return []
        view = self.ask((player, "guest"), "GET", table.path)
        return list(view.json["moves"]) if view.status == 200 else []

    def _phase(self, table: Known) -> str:
        return str(self.api.parts.door.load(table.path.rpartition("/")[2]).state.phase)

    @rule(target=tables, table=tables, who=who, invited=st.booleans())
    def fork(self, table: Known, who: Any, invited: bool) -> Any:
        body: dict[str, Any] = {"version": 4}
        body |= {"invite": table.invite} if invited and table.invite else {}
        answer = self.ask(who, "POST", f"{table.path}/forks", body=body, key=fresh())
        if not self.may(who, "play"):
            assert answer.code == "missing-scope"
        elif not table.is_seen_by(who[0], body.get("invite")):
            assert answer.code == "unknown-table"
        elif answer.status == 201:
            at = answer.json["viewer"]["seat"]
            sits = {} if at is None else {at: who[0]}
            path = f"/v1/tables/{answer.json['id']}"
            return Known(path, table.seats, private=True, invite=answer.json["invite"], sits=sits)
        return multiple()

    @rule(table=consumes(tables), number=st.integers(0, 200))
    def play_on(self, table: Known, number: int) -> Any:
        """Play a table to its end: from then on everybody may see everything."""
        for _ in range(number):
            waiting = [n for n in PLAYERS if self._moves(table, n)]
            if not waiting:
                break
            move = self._moves(table, waiting[0])[0]
            self.ask(
                (waiting[0], "guest"), "POST", f"{table.path}/commands", body=move, key=fresh()
            )
        table.over = self._phase(table) == "over"


def run(most: int) -> None:
    run_state_machine_as_test(
        Anybody,
        settings=settings(
            max_examples=most,
            stateful_step_count=30,
            deadline=None,
            database=None,
            derandomize=True,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_no_order_of_requests_gives_anybody_what_is_not_theirs() -> None:
    run(RUNS)


SPOILS: dict[str, Any] = {
    "service.views.invited": lambda *_: True,
    "service.wishes.invited": lambda *_: True,
    "service.views.perspective": lambda *_, **__: Seat(0),
}
"""Right by right, taken out of the server."""


@pytest.mark.parametrize("name", SPOILS)
def test_a_server_without_one_of_its_checks_is_found_out(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(name, SPOILS[name])
    with pytest.raises(AssertionError):
        run(200)
