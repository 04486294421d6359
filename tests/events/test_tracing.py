"""Spans of what happens, and nothing at all where nobody asks for them."""

import sys

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from domain.catalogue import games
from events import tracing
from events.tracing import Followed, TracingMissing, span, start_tracing, traceparent
from tests.events.histories import finished
from tests.events.spans import CALLER, spans

TRACE = CALLER.split("-")[1]

__all__ = ["spans"]


def test_without_a_provider_a_span_is_nothing_and_the_callers_trace_is_kept() -> None:
    with span("move", CALLER, table="t"):
        assert traceparent(CALLER) == CALLER
        assert traceparent(None) is None
    followed = Followed()
    followed.begin()
    followed.meet(finished(games()["potage_sauvage"], 2).recorded)
    followed.tell("follow")


def test_a_span_stands_under_its_caller_and_what_it_opens_under_it(
    spans: InMemorySpanExporter,
) -> None:
    with span("request", CALLER, table="t"):
        here = traceparent(CALLER)
        assert here is not None
        assert here != CALLER
        with span("append"):
            pass
    append, request = spans.get_finished_spans()
    assert (append.name, request.name) == ("append", "request")
    assert request.context is not None
    assert append.parent is not None
    assert f"{request.context.trace_id:032x}" == TRACE
    assert append.parent.span_id == request.context.span_id
    assert here.split("-")[2] == f"{request.context.span_id:016x}"
    assert request.attributes == {"table": "t"}


def test_an_error_is_told_by_its_kind_alone(spans: InMemorySpanExporter) -> None:
    with pytest.raises(LookupError), span("move"):
        raise LookupError("the card is I3")
    (told,) = spans.get_finished_spans()
    assert told.attributes == {"error.type": "LookupError"}
    assert "I3" not in told.to_json()


def test_a_batch_tells_each_trace_once_with_its_last_event(spans: InMemorySpanExporter) -> None:
    from msgspec.structs import replace

    first, second, third, *_ = finished(games()["potage_sauvage"], 2).recorded
    followed = Followed()
    followed.begin()
    followed.meet([replace(first, trace=CALLER), replace(second, trace=CALLER), third])
    followed.tell("follow")
    followed.tell("follow")
    (told,) = spans.get_finished_spans()
    assert told.context is not None
    assert f"{told.context.trace_id:032x}" == TRACE
    assert told.attributes == {
        "abraxas.table": second.table, "abraxas.version": second.version,
    }  # fmt: skip


def test_nothing_is_sent_unless_the_environment_says_where_to() -> None:
    start_tracing("api", {})
    assert tracing._spans is None


def test_spans_are_sent_where_the_environment_says() -> None:
    try:
        start_tracing("api", {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"})
        assert tracing._spans is not None
    finally:
        tracing.trace_with(None)


def test_what_sends_spans_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(TracingMissing, match=r"pip install 'abraxas\[otel\]'"):
        start_tracing("api", {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:1"})
