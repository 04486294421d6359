"""What can be measured from outside: requests, appends, and how far behind the followers are."""

from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector

from service.kinds import KINDS
from workers.status import Status

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Meters:
    """Count and time what one process does; each process has its own registry."""

    def __init__(self, status: Callable[[], Status | None]) -> None:
        self.registry = CollectorRegistry()
        self._seconds = Histogram(
            "abraxas_request_seconds", "Time to answer a request.", ("operation", "status"),
            buckets=_SECONDS, registry=self.registry,
        )  # fmt: skip
        self._timers: dict[tuple[str, int], Histogram] = {}
        self._appends = Counter(
            "abraxas_appends", "Commands that were accepted and stored.", registry=self.registry
        )
        self._events = Counter("abraxas_events", "Events that were stored.", registry=self.registry)
        self._replays = Counter(
            "abraxas_replays", "Known commands that came again.", registry=self.registry
        )
        self._refusals = Counter(
            "abraxas_refusals", "Requests that were refused.", ("code",), registry=self.registry
        )
        self.registry.register(_Followers(status))

    def answered(self, operation: str, status: int, seconds: float) -> None:
        """Note an answer."""
        timer = self._timers.get((operation, status))
        if timer is None:
            timer = self._timers[operation, status] = self._seconds.labels(operation, status)
        timer.observe(seconds)

    def refused(self, code: str) -> None:
        """Note a refusal; which rule refused follows from hidden cards, and anybody may look."""
        self._refusals.labels(code if code in KINDS else "rules").inc()

    def accepted(self, events: int, *, replayed: bool) -> None:
        """Note an accepted command and how many events it led to."""
        if replayed:
            self._replays.inc()
        else:
            self._appends.inc()
            self._events.inc(events)

    def exposition(self) -> bytes:
        """Write everything in Prometheus' text format."""
        return generate_latest(self.registry)


class _Followers(Collector):
    """Look at the followers whenever somebody asks; say nothing while the store is away."""

    def __init__(self, status: Callable[[], Status | None]) -> None:
        self._status = status

    def describe(self) -> list[Metric]:
        """Answer nothing beforehand: a registry must not ask the store."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Read lag, parked tables and queues."""
        status = self._status()
        up = GaugeMetricFamily("abraxas_store_up", "Whether the store answers.")
        up.add_metric([], 0 if status is None else 1)
        yield up
        if status is None:
            return
        takes = GaugeMetricFamily("abraxas_store_takes_moves", "Whether the store takes moves.")
        takes.add_metric([], int(status.takes_moves))
        yield takes
        lag = GaugeMetricFamily(
            "abraxas_follower_lag", "Feed entries not yet applied.", labels=("consumer",)
        )
        for each in status.lags:
            lag.add_metric([f"{each.consumer}@{each.generation}"], each.behind)
        parked = GaugeMetricFamily("abraxas_parked_tables", "Tables that a projection parked.")
        parked.add_metric([], status.parked_count)
        queued = GaugeMetricFamily("abraxas_jobs", "Jobs of RQ.", labels=("queue", "state"))
        for queue in status.queues:
            for state in ("waiting", "running", "failed"):
                queued.add_metric([queue.name, state], getattr(queue, state))
        yield from (lag, parked, queued)
