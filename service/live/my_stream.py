"""How one's own tables stand: all that are not over at first, then each that changes."""

from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

import msgspec

from service.live.asked import Asked
from service.live.connection import HEARTBEAT, Connection
from service.live.frames import frames_of
from service.live.topics import Topics
from service.problems import Problem
from service.streams import Place, place_of
from workers.projections import players
from workers.projections.listing import Changed

_MOST: Final = 100
"""Changes that are read at once."""


class _Phase(msgspec.Struct):
    phase: str


_PHASE: Final = msgspec.json.Decoder(_Phase)


@dataclass(frozen=True, slots=True)
class _News:
    """What is told, each with the place behind it; the place behind all that was read."""

    told: tuple[tuple[str, bytes], ...]
    place: Place
    more: bool


def _news(client: Any, player: str, place: Place) -> _News:
    """Answer what is new after a place; asks the store."""
    newest, changed = players.changes(client, player, place.number, _MOST)
    if place.number > newest:
        # The list never got there: it was lost, and built anew.
        return _news(client, player, Place(0, newest))
    told = []
    for each in changed:
        place = Place(each.number, place.first)
        if each.number > place.first or not _is_past(each):
            told.append((str(place), _said(each, place)))
    return _News(tuple(told), place, len(changed) == _MOST)


def _is_past(changed: Changed) -> bool:
    """Answer whether a table is over, or was left: nothing that is told at first."""
    return not changed.item or _PHASE.decode(changed.item).phase == "over"


def _said(changed: Changed, place: Place) -> bytes:
    head = b'{"after":"%s","version":%d,' % (str(place).encode(), changed.version)
    if changed.item:
        return head + changed.item[1:]
    return head + b'"id":"%s","left":true}' % changed.table.encode()


def _place(client: Any, player: str, after: str | None) -> Place:
    """Answer where somebody goes on, or begins; may ask the store."""
    if after is not None:
        return place_of(after)
    newest, _ = players.changes(client, player, 0, 0)
    return Place(0, newest)


async def stream_mine(topics: Topics, client: Any, asked: Asked, to: Connection) -> None:
    """Tell how the caller's tables stand, until it goes away."""
    player = _player(asked)
    async with topics.hearing(players.channel(player), to.bell):
        place = await topics.ask(_place, client, player, asked.after)
        frames = frames_of(asked.form)
        await to.start(frames.media)
        # Whoever is cut off from here on goes on from here, even if it was told nothing.
        await to.write(frames.hello + frames.at(str(place)))
        while not to.done:
            to.bell.clear()
            news = await topics.ask(_news, client, player, place)
            place = news.place
            if news.told:
                await to.write(frames.told(news.told))
            elif not news.more and not await to.pause(HEARTBEAT):
                await to.write(frames.alive)
        await to.write(b"", more=False)


async def wait_for_mine(topics: Topics, client: Any, asked: Asked, to: Connection) -> bytes:
    """Answer what is new as soon as there is something, or nothing when the time is up."""
    player = _player(asked)
    deadline = monotonic() + asked.query.get("wait", 0)
    async with topics.hearing(players.channel(player), to.bell):
        place = await topics.ask(_place, client, player, asked.after)
        while True:
            to.bell.clear()
            news = await topics.ask(_news, client, player, place)
            place = news.place
            if news.told or to.done:
                break
            if not news.more and not await to.pause(max(0.0, deadline - monotonic())):
                break
    items = b",".join(item for _, item in news.told)
    return b'{"items":[%s],"after":"%s"}' % (items, str(place).encode())


def _player(asked: Asked) -> str:
    if asked.caller is None:
        raise Problem("bad-token")
    return asked.caller.player
