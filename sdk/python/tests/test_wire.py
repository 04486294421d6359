"""The types are those of openapi.yaml, and a stream is read wherever it is cut."""

import json
from pathlib import Path
from typing import Any, is_typeddict

import pytest
import yaml

from abraxas_client import wire
from abraxas_client.course import Events

DOCUMENT = Path(__file__).parents[3] / "openapi.yaml"
SCHEMAS: dict[str, Any] = yaml.load(DOCUMENT.read_text(encoding="utf-8"), yaml.CSafeLoader)[
    "components"
]["schemas"]
TYPES = [each for each in vars(wire).values() if is_typeddict(each)]


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.__name__)
def test_a_type_has_the_fields_of_its_schema(kind: Any) -> None:
    schema = SCHEMAS[kind.__name__]
    assert kind.__required_keys__ == set(schema["required"])
    assert kind.__required_keys__ | kind.__optional_keys__ == set(schema["properties"])


def test_a_stream_is_read_the_same_however_its_bytes_arrive() -> None:
    notices: list[dict[str, Any]] = [
        {"version": 1, "text": "Potage \u2028 é"},
        {"version": 2, "text": "é\u0085"},
    ]
    stream = b"retry: 1000\n\n:\n\n"
    for notice in notices:
        told = json.dumps(notice, ensure_ascii=False).encode()
        stream += b"id: %d\ndata: %s\n\n" % (notice["version"], told)
    stream += b'event: end\ndata: {"version":2}\n\n'
    wanted = [("message", notice) for notice in notices] + [("end", {"version": 2})]
    for newline in (b"\n", b"\r\n"):
        data = stream.replace(b"\n", newline)
        for size in (1, 2, 3, 7, len(data)):
            events = Events()
            read = [
                (name, json.loads(told))
                for start in range(0, len(data), size)
                for name, told in events.feed(data[start : start + size])
            ]
            assert read == wanted


def test_an_event_that_was_cut_off_is_not_told() -> None:
    assert list(Events().feed(b'id: 1\ndata: {"version":1}\n')) == []
