"""The processes of a simulated installation: the real API, the real workers, simulated wires."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Any, Final
from unittest.mock import patch

from flask import Flask
from redis.exceptions import RedisError

import workers.station
from events.servers.connection import StoreError
from events.store import EventStore
from events.transact import Door
from service.app import make_parts, wire
from service.health import Health
from service.identity.callers import Identity
from service.limits import Limits
from service.settings import settings_from_env
from tests.simulation.clockwork import Clockwork
from tests.simulation.faults import Faults
from tests.simulation.schedule import Process, Schedule
from tests.simulation.server import Server
from tests.simulation.wire import connected
from workers.queues import FOLLOW, JOBS, enqueue_follow, queue
from workers.station import Station
from workers.wake import Waker

THREADS: Final = 2
"""Requests that one API process works on at a time."""

_SETTINGS: Final = settings_from_env({"REDIS_URL": "redis://simulated", "ABRAXAS_LIMITS": "off"})


@dataclass(slots=True)
class Surroundings:
    """What every process of one run is put into."""

    schedule: Schedule
    faults: Faults
    clockwork: Clockwork
    store: Server
    rq: Server

    def client(self, process: Process, server: Server) -> Any:
        """Make a client that a process has."""
        return connected(self.schedule, self.faults, process, server)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the API answers."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(slots=True)
class Request:
    """What a client asks of the API.

    ``open`` counts how often it is still on its way, ``overtaken`` says that it was when an answer
    was taken as final: then it may count all the same, later.
    """

    method: str
    path: str
    token: str
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    open: int = 0
    overtaken: bool = False


class Desk:
    """What an application works with: another one after each crash."""

    parts: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.parts, name)


class Application:
    """A Flask application, made once for a test run: wiring the routes takes long."""

    def __init__(self) -> None:
        self.desk = Desk()
        self.desk.parts = make_parts(_SETTINGS, client=object(), rq_client=object())
        self.meters = self.desk.parts.meters
        self.flask: Flask = wire(self.desk)  # type: ignore[arg-type]


class Api:
    """One API process; it comes back after a crash, remembering nothing."""

    def __init__(self, name: str, around: Surroundings, application: Application) -> None:
        self.name = name
        self._around = around
        self._application = application
        self.begin()

    def begin(self) -> None:
        """Start the process."""
        around, clock = self._around, self._around.clockwork
        process = self.process = Process(self.name)
        client, rq_client = (around.client(process, each) for each in (around.store, around.rq))
        parts = self.parts = replace(
            self._application.desk.parts,
            client=client,
            door=Door(EventStore(client), clock=lambda: int(clock.time() * 1000)),
            identity=Identity(client, clock.monotonic),
            limits=Limits(client, None, clock.monotonic),
            waker=Waker(rq_client, clock=clock.monotonic),
            health=Health(client, rq_client, "always", clock.monotonic),
            meters=self._application.meters,
        )
        self._application.desk.parts = parts
        self._busy = 0
        self._waiting: deque[tuple[Request, Callable[[Answer | None], None]]] = deque()

    def take(self, request: Request, reply: Callable[[Answer | None], None]) -> None:
        """Work on a request as soon as a thread is free; reply None if the connection breaks."""
        if not self.process.alive:
            reply(None)
            return
        self._waiting.append((request, reply))
        self._work()

    def _work(self) -> None:
        if self._waiting and self._busy < THREADS:
            self._busy += 1
            request, reply = self._waiting.popleft()
            self._around.schedule.start(self.process, lambda: self._serve(request, reply))

    def _serve(self, request: Request, reply: Callable[[Answer | None], None]) -> None:
        done: list[Answer | None] = [None]
        process = self.process

        def end() -> None:
            self._around.schedule.at(0.0, reply, done[0])

        process.ends.append(end)
        done[0] = ask(self._application.flask, request)
        process.ends.remove(end)
        end()
        self._busy -= 1
        self._around.schedule.at(0.0, self._work)

    def crash(self) -> None:
        """Lose everything: those who wait find their connection broken."""
        waiting, self._waiting = self._waiting, deque()
        self._around.schedule.crash(self.process)
        for _, reply in waiting:
            reply(None)


def ask(app: Flask, request: Request) -> Answer:
    """Ask an application without a server between."""
    path, _, query = request.path.partition("?")
    environ = {
        "REQUEST_METHOD": request.method, "PATH_INFO": path, "QUERY_STRING": query,
        "SCRIPT_NAME": "", "SERVER_NAME": "simulated", "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1", "HTTP_HOST": "simulated", "REMOTE_ADDR": "127.0.0.1",
        "HTTP_AUTHORIZATION": f"Bearer {request.token}", "CONTENT_LENGTH": str(len(request.body)),
        "wsgi.url_scheme": "http", "wsgi.input": BytesIO(request.body), "wsgi.errors": BytesIO(),
        "wsgi.version": (1, 0), "wsgi.multithread": True, "wsgi.multiprocess": True,
        "wsgi.run_once": False, **request.headers,
    }  # fmt: skip
    if request.body:
        environ["CONTENT_TYPE"] = "application/json"
    told: list[Any] = []

    def start(status: str, headers: list[tuple[str, str]], *_: Any) -> Any:
        told.extend((status, headers))

    body = b"".join(app.wsgi_app(environ, start))
    return Answer(int(told[0][:3]), dict(told[1]), body)


class Worker:
    """One worker process, of followers or of jobs, with the sweeper beside it.

    RQ's own loop blocks, so it is played here: take a job, run it, whatever becomes of it.
    """

    def __init__(self, name: str, around: Surroundings, queue_name: str) -> None:
        self.name = name
        self.lose_jobs = 0
        self._around = around
        self._queue = queue_name
        self.begin()

    def begin(self) -> None:
        """Start the process."""
        around = self._around
        process = self.process = Process(self.name)
        clients: dict[str, Any] = {
            "connect": lambda _: around.client(process, around.store),
            "connect_rq": lambda _: around.client(process, around.rq),
        }
        with patch.multiple(workers.station, **clients):
            station = self.station = Station("", "", self._queue)
        around.schedule.start(process, station._sweep, seconds=0.01)
        if self._queue == FOLLOW:
            around.schedule.start(process, self._work)

    def _work(self) -> None:
        client = self.station._rq_client
        waiting = queue(client, FOLLOW).key
        known = False
        while True:
            try:
                if not known:
                    known = True
                    enqueue_follow(client)
                job = client.lpop(waiting)
            except (RedisError, OSError, StoreError):
                known = False
                self._around.schedule.sleep(0.5)
                continue
            if job is None:
                self._around.schedule.sleep(0.2)
            elif self.lose_jobs:
                self.lose_jobs -= 1
            else:
                self.station.follow()

    def crash(self) -> None:
        """Lose everything."""
        self._around.schedule.crash(self.process)


def workers_of(around: Surroundings, followers: int) -> list[Worker]:
    """Start the workers of an installation."""
    return [
        *(Worker(f"follower {each}", around, FOLLOW) for each in range(followers)),
        Worker("jobs", around, JOBS),
    ]
