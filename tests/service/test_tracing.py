"""One command's trace, from the request over the append to the follower that drew it."""

from time import time_ns

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from events import tracing
from tests.events.spans import CALLER, spans
from tests.service.asking import Sat
from workers.follow import Follower

__all__ = ["spans"]


def parents(found: list[ReadableSpan]) -> dict[str, str]:
    """Answer the name of each span's parent by its own name."""
    names = {span.context.span_id: span.name for span in found if span.context}
    return {
        span.name: names.get(span.parent.span_id, "the caller") if span.parent else "nobody"
        for span in found
    }


def follow(table: Sat) -> None:
    """Let a follower draw everything."""
    follower = Follower(table.api.parts.door.store)
    follower.begin()
    while follower.busy():
        follower.drain()
    follower.end()


def test_a_move_is_one_trace_from_request_to_projection(
    duel: Sat, spans: InMemorySpanExporter
) -> None:
    move = duel.view(0).json["moves"][0]
    spans.clear()
    answer = duel.send(0, move, traceparent=CALLER)
    asked = time_ns()
    follow(duel)
    mine = [
        span
        for span in spans.get_finished_spans()
        if span.context and f"{span.context.trace_id:032x}" == CALLER[3:35]
    ]
    assert parents(mine) == {
        "send_command": "the caller",
        "transact": "send_command",
        "append": "transact",
        "project": "send_command",
    }
    (project,) = [span for span in mine if span.name == "project"]
    assert project.attributes == {
        "abraxas.table": duel.id,
        "abraxas.version": answer.json["version"],
    }
    assert project.start_time is not None
    assert project.end_time is not None
    assert asked <= project.start_time <= project.end_time <= time_ns()


def test_without_a_caller_s_trace_each_request_begins_its_own(
    duel: Sat, spans: InMemorySpanExporter
) -> None:
    spans.clear()
    for seat in (0, 1):
        duel.send(seat, duel.view(seat).json["moves"][0])
    plays = [each for each in spans.get_finished_spans() if each.name == "send_command"]
    assert len({each.context.trace_id for each in plays if each.context}) == 2


def test_a_span_tells_the_kind_of_failure_and_not_its_words(spans: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError, match="queen"), tracing.span("it"):
        raise ValueError("the queen of hearts")
    (span,) = spans.get_finished_spans()
    assert span.attributes == {"error.type": "ValueError"}
    assert "queen" not in span.to_json()


def test_what_is_kept_beside_an_event_is_the_caller_s_where_nobody_traces(duel: Sat) -> None:
    answer = duel.send(0, duel.view(0).json["moves"][0], traceparent=CALLER)
    recorded = duel.api.parts.door.store.read(duel.id, answer.json["version"] - 1)
    assert recorded[0].trace == CALLER


def test_nothing_is_sent_where_no_endpoint_is_set() -> None:
    tracing.start_tracing("api", {"OTEL_SERVICE_NAME": "x"})
    with tracing.span("it") as span:
        assert span is None
