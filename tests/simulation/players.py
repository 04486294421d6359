"""Players who look, move at random, repeat what was not answered, and remember every answer."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tests.simulation.faults import Faults
from tests.simulation.processes import Answer, Api, Request
from tests.simulation.schedule import TIMED_OUT, Schedule
from tests.simulation.server import latency

PATIENCE: Final = 2.0
"""Seconds after which a player sends a request again."""

MOST_LOOKS: Final = 6
"""How often a player looks at a table at most."""


@dataclass(slots=True)
class Sent:
    """A command: what was asked, and what came of it."""

    player: str
    table: str
    key: str
    request: Request
    answer: Answer | None = None
    given_up: bool = False

    @property
    def accepted(self) -> bool:
        """Answer whether it was acknowledged."""
        return self.answer is not None and self.answer.status < 300


@dataclass(slots=True)
class Seen:
    """A view that somebody was shown."""

    table: str
    body: bytes
    at_least: int
    """The newest version that anybody had been told of when it was asked for."""


@dataclass(slots=True)
class Network:
    """Carries requests to API processes and answers back, if no fault is against it."""

    schedule: Schedule
    faults: Faults
    apis: Sequence[Api]
    sent: list[Sent] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    told: dict[str, int] = field(default_factory=dict)
    """Table -> the newest version that somebody was told of."""
    broken: list[str] = field(default_factory=list)
    """Answers that must never be."""

    def ask(self, request: Request) -> Answer | None:
        """Ask any API process once; None if no answer comes."""
        schedule, random = self.schedule, self.schedule.random
        task = schedule.here()
        turn = task.turn + 1
        fault = self.faults.of_way()

        def answered(answer: Answer | None) -> None:
            request.open -= 1
            self._look_at(request, answer)
            if fault == "unanswered":
                return
            delay = random.uniform(1.0, 4.0) if fault == "late answer" else latency(schedule)
            schedule.at(delay, schedule.wake, task, turn, answer)

        for copy in range(2 if fault == "twice" else 1):
            if fault != "lost":
                late = fault == "late" or copy
                delay = random.uniform(0.0, 4.0) if late else latency(schedule)
                request.open += 1
                schedule.at(delay, random.choice(self.apis).take, request, answered)
        answer = schedule.wait(PATIENCE)
        return None if answer is TIMED_OUT else answer

    def ask_until_answered(self, request: Request) -> Answer:
        """Ask again and again until there is an answer that is final."""
        while True:
            answer = self.ask(request)
            if answer is not None and answer.status not in (429, 503):
                return answer
            self.schedule.sleep(self.schedule.random.uniform(0.01, 0.3))

    def _look_at(self, request: Request, answer: Answer | None) -> None:
        if answer is not None and (answer.status == 500 or answer.status > 503):
            self.broken.append(f"{request.method} {request.path}: {answer.body!r}")


@dataclass(slots=True)
class Player:
    """Somebody with a token."""

    name: str
    token: str
    network: Network
    moves: int
    pace: float
    """How many seconds pass between two moves at most."""
    count: int = 0
    mine: list[Sent] = field(default_factory=list)

    def command(
        self,
        method: str,
        path: str,
        table: str,
        body: Any,
        seen: int | None = None,
    ) -> Sent:
        """Send a command, and again until its answer is final; sometimes give up halfway."""
        network, random = self.network, self.network.schedule.random
        self.count += 1
        key = f"{self.name}-{self.count}"
        headers = {"HTTP_IDEMPOTENCY_KEY": key}
        if random.random() < 0.3:
            headers["HTTP_PREFER"] = "return=representation"
        if seen is not None:
            headers["HTTP_IF_MATCH"] = f'"{seen}.0.1"'
        written = b"" if body is None else json.dumps(body).encode()
        sent = Sent(self.name, table, key, Request(method, path, self.token, written, headers))
        network.sent.append(sent)
        self.mine.append(sent)
        if random.random() < 0.03:
            self._finish(sent, network.ask(sent.request))
            sent.given_up = sent.answer is None
        else:
            self._finish(sent, network.ask_until_answered(sent.request))
        return sent

    def _finish(self, sent: Sent, answer: Answer | None) -> None:
        if answer is None or answer.status in (429, 503):
            return
        sent.answer = answer
        sent.request.overtaken = sent.request.open > 0
        if sent.accepted:
            told = json.loads(answer.body)
            sent.table = told.get("id", sent.table)
            known = self.network.told.get(sent.table, 0)
            self.network.told[sent.table] = max(known, told["version"])

    def repeat(self, sent: Sent) -> None:
        """Send a command again whose answer is known: it must be the same."""
        answer = self.network.ask_until_answered(sent.request)
        before = sent.answer
        if before is None or not sent.accepted:
            return
        if (answer.status, answer.body) != (before.status, before.body):
            self.network.broken.append(
                f"{sent.key} was answered {before.status} {before.body!r},"
                f" then {answer.status} {answer.body!r}"
            )

    def look(self, table: str) -> Any:
        """Look at a table; None if it is not there."""
        network = self.network
        known = network.told.get(table, 0)
        answer = network.ask_until_answered(Request("GET", f"/v1/tables/{table}", self.token))
        if answer.status != 200:
            return None
        network.seen.append(Seen(table, answer.body, known))
        return json.loads(answer.body)

    def open(self, game: str, seats: int, bots: Mapping[int, str]) -> str | None:
        """Open a table and sit down at its first seat."""
        body = {"game": game, "seats": seats, "bots": {str(k): v for k, v in bots.items()}}
        sent = self.command("POST", "/v1/tables", "", body)
        return sent.table if sent.accepted else None

    def sit(self, table: str) -> None:
        """Take the first free seat."""
        path = f"/v1/tables/{table}/seats"
        self.command("POST", path, table, {})

    def play(self, table: str, still: Callable[[], bool]) -> None:
        """Play at random until the moves are used up or the table is over."""
        random, schedule = self.network.schedule.random, self.network.schedule
        looks = MOST_LOOKS
        while self.moves > 0 and looks > 0 and still():
            looks -= 1
            view = self.look(table)
            if view is None or view["phase"] == "over":
                return
            if not view["moves"]:
                schedule.sleep(random.uniform(0.3, 1.5))
                continue
            self.moves -= 1
            move = random.choice(view["moves"])
            seen = view["version"] if random.random() < 0.5 else None
            path = f"/v1/tables/{table}/commands"
            self.command("POST", path, table, move, seen)
            schedule.sleep(random.uniform(0.0, self.pace))
            if random.random() < 0.15:
                self.repeat(random.choice(self.mine))
