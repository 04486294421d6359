"""Transports on which answers get lost, streams are cut, or one address cannot be reached."""

import random
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field

import httpx

Hurt = Callable[[httpx.Request], bool]


@dataclass
class Cut(httpx.SyncByteStream):
    """A body that ends with a broken connection after so many bytes."""

    whole: httpx.SyncByteStream
    most: int

    def __iter__(self) -> Iterator[bytes]:
        left = self.most
        for data in self.whole:
            yield data[:left]
            left -= len(data)
            if left <= 0:
                raise httpx.ReadError("cut")

    def close(self) -> None:
        self.whole.close()


@dataclass
class Torn(httpx.BaseTransport):
    """Loses requests before they arrive and answers after they counted, and cuts streams.

    Chance decides, but one answer to a wish is lost at least.
    """

    dice: random.Random
    inner: httpx.HTTPTransport = field(default_factory=httpx.HTTPTransport)
    lost: int = 0
    cut: int = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        luck = self.dice.random()
        # Signing up has no key: every lost answer would leave a guest behind.
        if luck < 0.1 and not request.url.path.endswith("/players"):
            self.lost += 1
            raise httpx.ConnectError("lost before it arrived")
        answer = self.inner.handle_request(request)
        if answer.headers.get("content-type", "").startswith("text/event-stream"):
            self.cut += 1
            assert isinstance(answer.stream, httpx.SyncByteStream)
            answer.stream = Cut(answer.stream, self.dice.choice((5, 400, 2000, 8000, 30000)))
        elif "idempotency-key" in request.headers and (luck < 0.3 or not self.lost):
            self.lost += 1
            answer.close()
            raise httpx.ReadError("lost after it counted")
        return answer

    def close(self) -> None:
        self.inner.close()


@dataclass
class Without(httpx.BaseTransport):
    """A network on which some requests reach nobody."""

    hurt: Hurt
    inner: httpx.HTTPTransport = field(default_factory=httpx.HTTPTransport)
    asked: list[httpx.Request] = field(default_factory=list)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        if self.hurt(request):
            raise httpx.ConnectError("nobody there")
        return self.inner.handle_request(request)

    def close(self) -> None:
        self.inner.close()


@dataclass
class CutAsync(httpx.AsyncByteStream):
    """The same as Cut, in asyncio."""

    whole: httpx.AsyncByteStream
    most: int

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = self.most
        async for data in self.whole:
            yield data[:left]
            left -= len(data)
            if left <= 0:
                raise httpx.ReadError("cut")

    async def aclose(self) -> None:
        await self.whole.aclose()


@dataclass
class TornAsync(httpx.AsyncBaseTransport):
    """The same as Torn, in asyncio."""

    dice: random.Random
    inner: httpx.AsyncHTTPTransport = field(default_factory=httpx.AsyncHTTPTransport)
    lost: int = 0
    cut: int = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = await self.inner.handle_async_request(request)
        if answer.headers.get("content-type", "").startswith("text/event-stream"):
            self.cut += 1
            assert isinstance(answer.stream, httpx.AsyncByteStream)
            answer.stream = CutAsync(answer.stream, self.dice.choice((5, 400, 2000, 8000, 30000)))
        elif "idempotency-key" in request.headers and (self.dice.random() < 0.2 or not self.lost):
            self.lost += 1
            await answer.aclose()
            raise httpx.ReadError("lost after it counted")
        return answer

    async def aclose(self) -> None:
        await self.inner.aclose()
