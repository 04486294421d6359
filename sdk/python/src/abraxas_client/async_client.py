"""The client for asyncio; the same methods as ``Client``, awaited."""

import asyncio
from collections.abc import AsyncIterator, Mapping
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


class AsyncClient:
    """Speaks to one server for one player, in asyncio.

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
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.token = token
        self.patience = patience
        self._pace = Pace()
        headers = {"Accept-Language": language} if language else {}
        self._http = httpx.AsyncClient(
            base_url=url, headers=headers, timeout=timeout, transport=transport
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    # Players

    async def sign_up(self, name: str | None = None, locale: str | None = None) -> Guest:
        """Make a guest and go on as that player; keep its ``token``."""
        return self._become(await self._ask(calls.sign_up(name, locale)))

    async def recover(self, code: str) -> Guest:
        """Come back to a player by its recovery code and go on as that player."""
        return self._become(await self._ask(calls.recover(code)))

    async def me(self) -> Profile:
        """Answer one's own profile."""
        return await self._ask(calls.me())

    async def player(self, player: str) -> Player:
        """Answer what everybody may know of a player."""
        return await self._ask(calls.player(player))

    # Games and tables

    async def games(self) -> Games:
        """List what can be played."""
        return await self._ask(calls.games())

    async def game(self, game: str) -> Game:
        """Answer a game's cards, options and commands."""
        return await self._ask(calls.game(game))

    async def open_table(
        self, game: str, seats: int, *, key: str | None = None, **more: Any
    ) -> OpenedView:
        """Open a table; ``more`` is options, visibility, seat, entropy and bots."""
        return await self._ask(calls.open_table(game, seats, key, more))

    async def tables(
        self,
        game: str | None = None,
        phase: Phase | None = None,
        *,
        cursor: str | None = None,
        limit: int = 20,
    ) -> Tables:
        """List public tables."""
        return await self._ask(calls.tables(game, phase, cursor, limit))

    async def my_tables(
        self, *, waiting: bool = False, cursor: str | None = None, limit: int = 20
    ) -> MyTables:
        """List one's own tables, or those that wait for one."""
        return await self._ask(calls.my_tables(cursor, limit, waiting=waiting))

    async def table(
        self,
        table: str,
        *,
        version: int | None = None,
        min_version: int | None = None,
        seen_as: Perspective | None = None,
        invite: str | None = None,
    ) -> View:
        """Answer a table as one may see it, now or at a version."""
        return await self._ask(calls.table(table, version, min_version, seen_as, invite))

    async def events(self, table: str, after: int = 0, limit: int = 100) -> Notices:
        """Answer a page of what happened after a version."""
        return await self._ask(calls.events(table, after, limit))

    async def record(
        self, table: str, redaction: calls.Redaction = "public", *, invite: str | None = None
    ) -> bytes:
        """Take a table's record away, as JSON Lines."""
        return await self._ask(calls.record(table, redaction, invite))

    # Playing

    async def sit(self, table: str, *, key: str | None = None, **more: Any) -> SeatOutcome:
        """Take a seat; ``more`` is seat, entropy, commitment and invite."""
        return await self._ask(calls.sit(table, key, more))

    async def leave(self, table: str, seat: int, *, key: str | None = None) -> SeatOutcome:
        """Leave a seat, while the table is open."""
        return await self._ask(calls.leave(table, seat, key))

    async def send(
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
        return await self._ask(calls.send(table, command, key, only_at, view=view))

    async def fork(
        self, table: str, version: int, *, key: str | None = None, **more: Any
    ) -> OpenedView:
        """Open a what-if table; ``more`` is seat, entropy, bots and invite."""
        return await self._ask(calls.fork(table, version, key, more))

    async def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        key: str | None = None,
    ) -> Any:
        """Ask what has no method here; answer the JSON, None if there is none."""
        return await self._ask(calls.anything(method, path, body=body, query=query or {}, key=key))

    # Following

    async def follow(
        self, table: View | str, after: int | None = None, *, invite: str | None = None
    ) -> AsyncIterator[Notice]:
        """Tell what happens at a table until it is over, without gap or repeat.

        After a version; by default after a view's own, and from the beginning for an id.
        """
        if isinstance(table, str):
            table, after = await self.table(table, invite=invite), after or 0
        course = OfTable.of(table, after, self._pace, self.patience, invite)
        while not course.over:
            await asyncio.sleep(course.before())
            if course.streams():
                async for notice in self._stream(course):
                    yield notice
            else:
                async for notice in self._page(course, table["id"]):
                    yield notice

    async def follow_mine(self, after: str | None = None) -> AsyncIterator[MyTableNews]:
        """Tell how one's tables stand and whenever one has changed, for ever.

        All that are not over come first; ``after`` what ``my_tables`` or an item said, only what
        has changed since, without gap or repeat.
        """
        course = OfMine.of(after, self._pace, self.patience)
        while True:
            await asyncio.sleep(course.before())
            told = self._stream(course) if course.streams() else self._page(course)
            async for each in told:
                yield each

    async def watch(self, table: str, *, invite: str | None = None) -> AsyncIterator[View]:
        """Answer the view now, and again whenever the table has changed, until it is over."""
        view = await self.table(table, invite=invite)
        yield view
        async for notice in self.follow(view, invite=invite):
            if notice["version"] > view["version"]:
                view = await self.table(table, invite=invite)
                yield view

    async def _stream(self, course: Course[Told, Place]) -> AsyncIterator[Told]:
        why: httpx.Response | httpx.TransportError | None = None
        address, query, headers = course.asked()
        try:
            async with self._http.stream(
                "GET",
                address,
                params=query,
                headers=headers | self._authorization(),
                timeout=httpx.Timeout(SILENCE, connect=self._http.timeout.connect),
            ) as answer:
                if course.good(answer):
                    events = Events()
                    async for data in answer.aiter_bytes():
                        for notice in course.heard(data, events):
                            yield notice
                        if course.over:
                            return
                else:
                    await answer.aread()
                    why = answer
        except httpx.TransportError as error:
            why = error
        await asyncio.sleep(course.broke(why))

    async def _page(
        self, course: Course[Told, Place], table: str | None = None
    ) -> AsyncIterator[Told]:
        address, query, headers = course.asked()
        try:
            answer = await self._http.get(
                address, params=query, headers=headers | self._authorization(), timeout=SILENCE
            )
        except httpx.TransportError as error:
            await asyncio.sleep(course.broke(error))
            return
        if not course.good(answer):
            await asyncio.sleep(course.broke(answer))
            return
        page = answer.json()
        for notice in course.paged(page):
            yield notice
        if not page["items"] and table is not None and isinstance(course, OfTable):
            course.seen(await self.table(table, invite=course.invite))
        await asyncio.sleep(course.between(page))

    def _become(self, guest: Guest) -> Guest:
        self.token = guest["token"]
        return guest

    def _authorization(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    async def _ask(self, call: Call[T]) -> T:
        steps = persist(call, self._pace, self.patience)
        heard: httpx.Response | httpx.TransportError | None = None
        try:
            while True:
                step = steps.send(heard)
                heard = None
                if isinstance(step, Pause):
                    await asyncio.sleep(step.seconds)
                    continue
                try:
                    heard = await self._http.request(
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
