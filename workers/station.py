"""One worker process: an RQ worker that always comes back, a sweeper beside it, a clean stop."""

import logging
import signal
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread, current_thread, main_thread
from time import monotonic
from types import FrameType
from typing import Final
from uuid import uuid4

from redis.exceptions import OutOfMemoryError, RedisError
from rq import SimpleWorker
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer
from rq.worker import WorkerStatus

from events.archive.file import shelf_in
from events.servers.connection import StoreError, connect
from events.store import EventStore
from events.transact import Door
from workers.archive import Archiver, archive_for
from workers.follow import Follower
from workers.queues import (
    ARCHIVE_SECONDS,
    FOLLOW,
    JOBS,
    POST_SECONDS,
    SLICE_SECONDS,
    archiver_has_begun,
    ask_for_archiver,
    ask_for_follower,
    ask_for_poster,
    connect_rq,
    enqueue_follow,
    poster_has_begun,
    queue,
)
from workers.sittings import Sittings
from workers.sweeper import ARCHIVE_SECONDS as LOOK_SECONDS
from workers.sweeper import SWEEP_SECONDS, start_archiving, start_what_lags
from workers.webhooks.poster import Poster, send_what_is_due

_LOG: Final = logging.getLogger(__name__)

_PAUSE_SECONDS: Final = 0.5
"""Between two attempts while a server is away."""

_ALONE_SECONDS: Final = 5.0
"""How long a process works by itself before it looks whether RQ's server has room again."""

_WORKER_TTL: Final = 60
"""RQ waits a little less than this for a job before it says again that the worker is alive."""


@dataclass(frozen=True, slots=True)
class Archiving:
    """The folder that the archive lies in, and after how many ms tables go there (None: never)."""

    folder: Path
    after: int | None


NOT_ARCHIVING: Final = Archiving(Path("var"), None)


class Station:
    """What the jobs of one process share; made before its first job runs."""

    def __init__(
        self,
        redis_url: str,
        rq_url: str,
        queue_name: str,
        *,
        loopback: bool = False,
        archiving: Archiving = NOT_ARCHIVING,
    ) -> None:
        """Take where the store and RQ's server are; no connection is opened yet.

        ``loopback`` lets webhooks be on this machine.
        """
        self.stop = Event()
        self._rq_url = rq_url
        self._queue_name = queue_name
        self._client = connect(redis_url)
        self._rq_client = connect_rq(rq_url)
        self._archiving = archiving
        self._store = EventStore(self._client, shelf=shelf_in(archiving.folder))
        self._sittings = Sittings(self._store)
        self._following = False
        self._poster = Poster(self._client, Door(self._store, cache_size=1_000), loopback=loopback)

    def run(self) -> None:
        """Work until asked to stop: within a second, also while a server is away."""
        sweeper = Thread(target=self._sweep, name="sweeper", daemon=True)
        sweeper.start()
        while not self.stop.is_set():
            try:
                self._work()
            except StopRequested:
                break
            except OutOfMemoryError:
                _LOG.warning("RQ's server is at its memory limit: work goes on without jobs")
                self._work_alone()
            except (RedisError, OSError) as error:
                _LOG.warning("RQ's server does not answer: %s", error)
            self.stop.wait(_PAUSE_SECONDS)
        sweeper.join(_PAUSE_SECONDS)

    def _work(self) -> None:
        if self._queue_name == FOLLOW:
            enqueue_follow(self._rq_client)
        client = connect_rq(self._rq_url)
        worker = StoppableWorker(
            [queue(client, self._queue_name)],
            # RQ refuses a name that was killed for minutes: none is used twice.
            name=uuid4().hex,
            connection=client,
            serializer=JSONSerializer,
            worker_ttl=_WORKER_TTL,
        )
        worker.stop = self.stop
        try:
            worker.work(logging_level="WARNING")
        finally:
            # A signal must not be told to a worker that is gone.
            self.hear_signals()

    def hear_signals(self) -> None:
        """Let SIGTERM and SIGINT end the work; only the main thread may ask for it."""

        def heard(_signum: int, _frame: FrameType | None) -> None:
            self.stop.set()

        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, heard)

    def _work_alone(self) -> None:
        """Follow without a job; whatever else RQ cannot carry now waits until it has room again."""
        if self._queue_name == FOLLOW:
            self._follow_for(_ALONE_SECONDS)
        else:
            self.stop.wait(_ALONE_SECONDS)

    def follow(self) -> None:
        """Follow for a slice, through any absence of the store, and see to a successor."""
        self._follow_for(SLICE_SECONDS)
        try:
            enqueue_follow(self._rq_client)
        except (RedisError, OSError) as error:
            _LOG.warning("no successor could be enqueued: %s", error)

    def _follow_for(self, seconds: float) -> None:
        end = monotonic() + seconds
        self._following = True
        try:
            while not self.stop.is_set() and (left := end - monotonic()) > 0:
                self._follow(left)
        finally:
            self._following = False

    def _follow(self, seconds: float) -> None:
        follower = Follower(
            self._store, sittings=self._sittings, stop=self.stop.is_set, posted=self._ask_to_post
        )
        try:
            follower.run(seconds)
        except StoreError as error:
            _LOG.warning("the store does not answer: %s", error)
            # What comes back may have been restored from a copy.
            self._sittings.clear()
            self.stop.wait(_PAUSE_SECONDS)

    def post(self) -> None:
        """Send what is due to webhooks, and let the next job go on with the rest."""
        poster_has_begun(self._rq_client)
        if send_what_is_due(self._poster, POST_SECONDS, self.stop.is_set):
            self._ask_to_post()

    def archive(self) -> None:
        """Archive for a while, and let the next job go on with the rest."""
        archiver_has_begun(self._rq_client)
        if self._archive():
            ask_for_archiver(self._rq_client)

    def _archive(self) -> bool:
        """Archive for a while; answer whether more is due."""
        if self._archiving.after is None:
            return False
        archiver = Archiver(self._store, self._archiving.after)
        return archive_for(archiver, ARCHIVE_SECONDS, self.stop.is_set)

    def _ask_to_post(self) -> None:
        try:
            ask_for_poster(self._rq_client)
        except (RedisError, OSError) as error:
            # The sweepers will find what is due.
            _LOG.warning("nobody could be asked to send to webhooks: %s", error)

    def _sweep(self) -> None:
        archiving = monotonic()
        while not self.stop.wait(SWEEP_SECONDS):
            try:
                if monotonic() >= archiving:
                    archiving = monotonic() + LOOK_SECONDS
                    self._see_to_the_archive()
                if self._queue_name == FOLLOW and not self._following:
                    ask_for_follower(self._rq_client)
                else:
                    start_what_lags(self._client, self._rq_client)
            except OutOfMemoryError:
                # What waits for a job waits until there is room; the archive makes some.
                archiving = monotonic()
            except (StoreError, RedisError, OSError) as error:
                _LOG.warning("nothing could be swept: %s", error)

    def _see_to_the_archive(self) -> None:
        """Ask for an archiver if tables are due; be it, where RQ's server is at its memory limit.

        RQ mostly lies on the store: were there no job because it is full, it would stay so.
        """
        if self._archiving.after is None:
            return
        try:
            start_archiving(self._client, self._rq_client, self._archiving.after)
        except OutOfMemoryError:
            if self._queue_name == JOBS:
                self._archive()
            raise


class StoppableWorker(SimpleWorker):
    """An RQ worker that ends when asked to: at once if idle, else after its job has noticed."""

    stop: Event

    def _install_signal_handlers(self) -> None:
        """Take over the signals; one that came while the worker made itself known counts too."""
        super()._install_signal_handlers()  # type: ignore[no-untyped-call]
        self._stop_requested = self.stop.is_set()

    def request_stop(self, signum: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Set the flag that jobs read between batches; no word to a server that may be away."""
        self.stop.set()
        self._stop_requested = True
        if self.get_state() != WorkerStatus.BUSY:
            raise StopRequested


_HERE: dict[str, Station] = {}


def here() -> Station:
    """Answer the station of this process; a job run anywhere else has none (LookupError)."""
    return _HERE["station"]


def run_worker(
    redis_url: str,
    rq_url: str,
    queue_name: str,
    *,
    loopback: bool = False,
    archiving: Archiving = NOT_ARCHIVING,
) -> int:
    """Run one worker process in the main thread until SIGTERM or SIGINT; answer its exit code."""
    if current_thread() is not main_thread():
        raise RuntimeError("a worker takes signals: it needs the main thread")
    station = _HERE["station"] = Station(
        redis_url, rq_url, queue_name, loopback=loopback, archiving=archiving
    )
    station.hear_signals()
    station.run()
    return 0
