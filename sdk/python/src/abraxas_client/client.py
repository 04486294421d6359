"""The client that blocks."""

import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar, cast

import httpx

from abraxas_client import calls
from abraxas_client.course import SILENCE, Course, Events, OfMine, OfTable, Place, Told
from abraxas_client.patience import Call, Pace, Pause, persist
from abraxas_client.wire import (
    Command,
    Game,
    Games,
    Guest,
    MyTableNews,
    MyTables,
    Notice,
    Notices,
    OpenedView,
    Outcome,
    Perspective,
    Phase,
    Player,
    Profile,
    SeatOutcome,
    Tables,
    View,
)

T = TypeVar("T")


class Client:
    """Speaks to one server for one player.

    ``token`` may come later, by ``sign_up`` or ``recover``. ``language`` is en or fr.
    ``patience`` is how many seconds a request goes on trying while the server is away or the
    network is down. Every wish that changes a table has a key that all attempts share, so it
    counts once. Methods raise ProblemError when the server says no and UnreachableError when
    nobody answers.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        language: str | None = None,
        patience: float = 60.0,
        timeout: float = 15.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.token = token
        self.patience = patience
        self._pace = Pace()
        headers = {"Accept-Language": language} if language else {}
        self._http = httpx.Client(
            base_url=url, headers=headers, timeout=timeout, transport=transport
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    # Players

    def sign_up(self, name: str | None = None, locale: str | None = None) -> Guest:
        """Make a guest and go on as that player; keep its ``token``."""
        return self._become(self._ask(calls.sign_up(name, locale)))

    def recover(self, code: str) -> Guest:
        """Come back to a player by its recovery code and go on as that player."""
        return self._become(self._ask(calls.recover(code)))

    def me(self) -> Profile:
        """Answer one's own profile."""
        return self._ask(calls.me())

    def player(self, player: str) -> Player:
        """Answer what everybody may know of a player."""
        return self._ask(calls.player(player))

    # Games and tables

    def games(self) -> Games:
        """List what can be played."""
        return self._ask(calls.games())

    def game(self, game: str) -> Game:
        """Answer a game's cards, options and commands."""
        return self._ask(calls.game(game))

    def open_table(
        self, game: str, seats: int, *, key: str | None = None, **more: Any
    ) -> OpenedView:
        """Open a table; ``more`` is options, visibility, seat, entropy and bots."""
        return self._ask(calls.open_table(game, seats, key, more))

    def tables(
        self,
        game: str | None = None,
        phase: Phase | None = None,
        *,
        cursor: str | None = None,
        limit: int = 20,
    ) -> Tables:
        """List public tables."""
        return self._ask(calls.tables(game, phase, cursor, limit))

    def my_tables(
        self, *, waiting: bool = False, cursor: str | None = None, limit: int = 20
    ) -> MyTables:
        """List one's own tables, or those that wait for one."""
        return self._ask(calls.my_tables(cursor, limit, waiting=waiting))

    def table(
        self,
        table: str,
        *,
        version: int | None = None,
        min_version: int | None = None,
        seen_as: Perspective | None = None,
        invite: str | None = None,
    ) -> View:
        """Answer a table as one may see it, now or at a version."""
        return self._ask(calls.table(table, version, min_version, seen_as, invite))

    def events(self, table: str, after: int = 0, limit: int = 100) -> Notices:
        """Answer a page of what happened after a version."""
        return self._ask(calls.events(table, after, limit))

    def record(
        self, table: str, redaction: calls.Redaction = "public", *, invite: str | None = None
    ) -> bytes:
        """Take a table's record away, as JSON Lines."""
        return self._ask(calls.record(table, redaction, invite))

    # Playing

    def sit(self, table: str, *, key: str | None = None, **more: Any) -> SeatOutcome:
        """Take a seat; ``more`` is seat, entropy, commitment and invite."""
        return self._ask(calls.sit(table, key, more))

    def leave(self, table: str, seat: int, *, key: str | None = None) -> SeatOutcome:
        """Leave a seat, while the table is open."""
        return self._ask(calls.leave(table, seat, key))

    def send(
        self,
        table: str,
        command: Command,
        *,
        key: str | None = None,
        only_at: int | None = None,
        view: bool = False,
    ) -> Outcome:
        """Send a command; ``only_at`` a version, else it is refused with ``stale-version``.

        ``key`` is for wishes that outlive this program: the same key is the same wish.
        """
        return self._ask(calls.send(table, command, key, only_at, view=view))

    def fork(self, table: str, version: int, *, key: str | None = None, **more: Any) -> OpenedView:
        """Open a what-if table; ``more`` is seat, entropy, bots and invite."""
        return self._ask(calls.fork(table, version, key, more))

    def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        key: str | None = None,
    ) -> Any:
        """Ask what has no method here; answer the JSON, None if there is none."""
        return self._ask(calls.anything(method, path, body=body, query=query or {}, key=key))

    # Following

    def follow(
        self, table: View | str, after: int | None = None, *, invite: str | None = None
    ) -> Iterator[Notice]:
        """Tell what happens at a table until it is over, without gap or repeat.

        After a version; by default after a view's own, and from the beginning for an id.
        """
        if isinstance(table, str):
            table, after = self.table(table, invite=invite), after or 0
        course = OfTable.of(table, after, self._pace, self.patience, invite)
        while not course.over:
            time.sleep(course.before())
            if course.streams():
                yield from self._stream(course)
            else:
                yield from self._page(course, table["id"])

    def follow_mine(self, after: str | None = None) -> Iterator[MyTableNews]:
        """Tell how one's tables stand and whenever one has changed, for ever.

        All that are not over come first; ``after`` what ``my_tables`` or an item said, only what
        has changed since, without gap or repeat.
        """
        course = OfMine.of(after, self._pace, self.patience)
        while True:
            time.sleep(course.before())
            yield from self._stream(course) if course.streams() else self._page(course)

    def watch(self, table: str, *, invite: str | None = None) -> Iterator[View]:
        """Answer the view now, and again whenever the table has changed, until it is over."""
        view = self.table(table, invite=invite)
        yield view
        for notice in self.follow(view, invite=invite):
            if notice["version"] > view["version"]:
                view = self.table(table, invite=invite)
                yield view

    def _stream(self, course: Course[Told, Place]) -> Iterator[Told]:
        why: httpx.Response | httpx.TransportError | None = None
        address, query, headers = course.asked()
        try:
            with self._http.stream(
                "GET",
                address,
                params=query,
                headers=headers | self._authorization(),
                timeout=httpx.Timeout(SILENCE, connect=self._http.timeout.connect),
            ) as answer:
                if course.good(answer):
                    events = Events()
                    for data in answer.iter_bytes():
                        yield from course.heard(data, events)
                        if course.over:
                            return
                else:
                    answer.read()
                    why = answer
        except httpx.TransportError as error:
            why = error
        time.sleep(course.broke(why))

    def _page(self, course: Course[Told, Place], table: str | None = None) -> Iterator[Told]:
        address, query, headers = course.asked()
        try:
            answer = self._http.get(
                address, params=query, headers=headers | self._authorization(), timeout=SILENCE
            )
        except httpx.TransportError as error:
            time.sleep(course.broke(error))
            return
        if not course.good(answer):
            time.sleep(course.broke(answer))
            return
        page = answer.json()
        yield from course.paged(page)
        if not page["items"] and table is not None and isinstance(course, OfTable):
            course.seen(self.table(table, invite=course.invite))
        time.sleep(course.between(page))

    def _become(self, guest: Guest) -> Guest:
        self.token = guest["token"]
        return guest

    def _authorization(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def _ask(self, call: Call[T]) -> T:
        steps = persist(call, self._pace, self.patience)
        heard: httpx.Response | httpx.TransportError | None = None
        try:
            while True:
                step = steps.send(heard)
                heard = None
                if isinstance(step, Pause):
                    time.sleep(step.seconds)
                    continue
                try:
                    heard = self._http.request(
                        step.method,
                        step.path,
                        params=step.query,
                        headers=step.headers | self._authorization(),
                        json=step.body,
                    )
                except httpx.TransportError as error:
                    heard = error
        except StopIteration as done:
            return cast("T", done.value)
