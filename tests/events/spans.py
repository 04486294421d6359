"""The spans of a test, kept in memory."""

from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from events import tracing

CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
"""The trace that a client brings along."""


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    """Keep the spans of a test."""
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    tracing.trace_with(provider)
    yield kept
    tracing.trace_with(None)
