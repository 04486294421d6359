"""Spans of a command's way, sent where OTEL_EXPORTER_OTLP_ENDPOINT says; else nothing at all."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from time import time_ns
from typing import Any, Final

from events.recorded import Recorded

ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_NOTHING: Final = nullcontext()


class TracingMissing(Exception):  # noqa: N818 - a sentence for people
    """Say that spans are wanted and what sends them is not installed."""


class _Spans:
    """Make spans of this process with OpenTelemetry."""

    def __init__(self, provider: Any) -> None:
        from opentelemetry.propagate import inject
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._tracer = provider.get_tracer("abraxas")
        self._context = TraceContextTextMapPropagator().extract
        self._inject = inject

    def under(self, trace: str | None) -> Any:
        """Answer the context of a traceparent; None for the span that is open here."""
        return self._context({"traceparent": trace}) if trace else None

    @contextmanager
    def start(self, name: str, trace: str | None, named: Mapping[str, Any]) -> Iterator[Any]:
        # The exception's words stay out: OpenTelemetry would send them along.
        with self._tracer.start_as_current_span(
            name, self.under(trace), attributes=named,
            record_exception=False, set_status_on_exception=False,
        ) as opened:  # fmt: skip
            try:
                yield opened
            except Exception as error:
                opened.set_attribute("error.type", type(error).__name__)
                raise

    def past(self, name: str, trace: str, since: int, named: Mapping[str, Any]) -> None:
        self._tracer.start_span(name, self.under(trace), attributes=named, start_time=since).end()

    def here(self) -> str | None:
        carrier: dict[str, str] = {}
        self._inject(carrier)
        return carrier.get("traceparent")


_spans: _Spans | None = None


def start_tracing(part: str, environ: Mapping[str, str]) -> None:
    """Send the spans of this process if its environment says where to; ``part`` names it.

    Raise TracingMissing if the packages of ``abraxas[otel]`` are not installed. Call it in the
    process that works, after every fork.
    """
    if not any(environ.get(each) for each in ENDPOINTS):
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as missing:
        raise TracingMissing(
            "OTEL_EXPORTER_OTLP_ENDPOINT is set, and what sends traces is not installed:"
            " pip install 'abraxas[otel]'."
        ) from missing
    named = {"service.name": environ.get("OTEL_SERVICE_NAME", "abraxas"), "abraxas.part": part}
    provider = TracerProvider(resource=Resource.create(named))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace_with(provider)


def trace_with(provider: Any) -> None:
    """Make spans with a provider of OpenTelemetry's; None makes none any more."""
    global _spans
    _spans = _Spans(provider) if provider is not None else None


def span(name: str, trace: str | None = None, **named: Any) -> AbstractContextManager[Any]:
    """Open a span while a block runs, under a traceparent or else under the span open here.

    It carries what is ``named`` and whether an exception left it, never the exception's words,
    which could name a card.
    """
    return _NOTHING if _spans is None else _spans.start(name, trace, named)


def traceparent(given: str | None) -> str | None:
    """Answer what to keep beside an event: the span open here, or else what the caller gave."""
    return given if _spans is None else _spans.here() or given


class Followed:
    """Tell, in one batch of a follower, the traces of the events that it met."""

    def __init__(self) -> None:
        self._since = 0
        self._met: dict[str, Recorded] = {}

    def begin(self) -> None:
        """Begin a batch."""
        if _spans is not None:
            self._since = time_ns()
            self._met.clear()

    def meet(self, recorded: Iterable[Recorded]) -> None:
        """Note the last event of each trace."""
        if _spans is not None:
            self._met |= {each.trace: each for each in recorded if each.trace}

    def tell(self, name: str) -> None:
        """Make a span for each trace, from the batch's beginning to now."""
        if _spans is None:
            return
        tell = partial(_spans.past, name, since=self._since)
        for trace, last in self._met.items():
            tell(trace=trace, named={"abraxas.table": last.table, "abraxas.version": last.version})
        self._met.clear()
