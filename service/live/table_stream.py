"""What happens at one table, as a stream or as a page that is waited for."""

from collections.abc import Iterable
from time import monotonic

from domain.game import Viewer
from events.recorded import Recorded
from service.live.asked import Asked
from service.live.connection import HEARTBEAT, Connection
from service.live.frames import frames_of
from service.live.topics import Topic, Topics
from service.problems import Problem
from service.views import perspective


async def stream_table(topics: Topics, table: str, asked: Asked, to: Connection) -> None:
    """Tell everything after a version, without gap or repeat, until the table is over.

    Raise a problem before anything was sent, never later.
    """
    async with topics.watching(table, to.bell) as topic:
        _perspective(asked, topic)
        frames = frames_of(asked.form)
        await to.start(frames.media, ("content-language", asked.language))
        await to.write(frames.hello)
        sent = int(asked.after or 0)
        while not to.done:
            to.bell.clear()
            recorded = await _after(topics, topic, sent)
            if recorded:
                reader = _reader(asked, topic)
                if reader is None:
                    break
                await to.write(topic.tell(recorded, reader, asked.language, frames))
                sent = recorded[-1].version
            elif topic.standing.over:
                await to.write(frames.end(topic.standing.version))
                break
            elif not await to.pause(HEARTBEAT):
                await to.write(frames.alive)
        await to.write(b"", more=False)


async def wait_for_page(topics: Topics, table: str, asked: Asked, to: Connection) -> bytes:
    """Answer a page of notices as soon as there is one, or an empty one when the time is up."""
    deadline = monotonic() + asked.query.get("wait", 0)
    after = int(asked.after or 0)
    async with topics.watching(table, to.bell) as topic:
        _perspective(asked, topic)
        while topic.standing.version <= after and not topic.standing.over and not to.done:
            to.bell.clear()
            if not await to.pause(max(0.0, deadline - monotonic())):
                break
        recorded = (await _after(topics, topic, after))[: asked.query["limit"]]
        reader = _perspective(asked, topic)
        items = b",".join(_said(topic, recorded, reader, asked))
        return b'{"items":[%s],"version":%d}' % (items, topic.standing.version)


def _perspective(asked: Asked, topic: Topic) -> Viewer:
    standing = topic.standing
    return perspective(asked, standing.sitting, imported=standing.imported)


def _said(
    topic: Topic, recorded: Iterable[Recorded], reader: Viewer, asked: Asked
) -> Iterable[bytes]:
    return (topic.say(each, reader, asked.language) for each in recorded)


def _reader(asked: Asked, topic: Topic) -> Viewer | None:
    """Answer who is told now; None if the caller may not look any more.

    Whoever sits down while streaming is told as that seat from then on.
    """
    try:
        return _perspective(asked, topic)
    except Problem:
        return None


async def _after(topics: Topics, topic: Topic, version: int) -> tuple[Recorded, ...]:
    at_hand = topic.since(version)
    if at_hand is not None:
        return at_hand
    recorded = await topics.read(topic.table, version)
    # What came since the table was looked at waits: it may have seated whoever is told.
    return tuple([each for each in recorded if each.version <= topic.standing.version])
