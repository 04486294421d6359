"""What two tables may differ in by nature, by name and place: hashes, salts, the commitment."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

_HEX: Final = re.compile(r"[0-9a-f]{8,64}")

VIEW_PLACES: Final = (("hash",), ("commitment",), ("view", "hash"), ("view", "commitment"))
"""Where a view and the answer to a command have the head of the chain and the commitment."""

NOTICE_LISTS: Final = ("items", "notices")
NOTICE_NAMES: Final = ("salt", "commitment")
"""What a notice has of the table's key; a page and the answer to a command list notices."""

LINE_NAMES: Final = ("check", "inner", "hash", "digest", "salt", "commitment")
"""What the lines of a record have of the chain; ``inner`` stands for a closed sealed face."""


def headers(sent: Iterable[tuple[str, str]], media: str) -> list[tuple[str, str]]:
    """Answer the headers.

    The tag of a record begins with the head of the chain; metrics are as long as their seconds.
    """
    told = list(sent)
    if media == "text/plain":
        told = [each for each in told if each[0] != "Content-Length"]
    if media == "application/x-ndjson":
        told = [(n, '"' + 32 * "-" + v[33:] if n == "ETag" else v) for n, v in told]
    return told


def body(data: bytes, media: str) -> bytes:
    """Answer a body with its hashes blotted out; every other byte stays."""
    if media == "application/json":
        return _view(data)
    if media == "application/x-ndjson":
        return b"".join(record_line(each) for each in data.splitlines(keepends=True))
    if media == "text/plain":
        return b"".join(each for each in data.splitlines(keepends=True) if not _timed(each))
    return data


def _view(data: bytes) -> bytes:
    written = json.loads(data)
    for place in VIEW_PLACES:
        value = written
        for name in place:
            value = value.get(name) if isinstance(value, dict) else None
        if value is not None:
            data = _blotted(data, place[-1], value)
    for name in NOTICE_LISTS:
        for each in written.get(name, ()):
            data = _notice(data, each)
    return data


def notice_line(line: bytes) -> bytes:
    """Answer a line of a stream with a notice, its salt and commitment blotted out."""
    return _notice(line, json.loads(line[line.index(b"{") :])) if b"{" in line else line


def _notice(data: bytes, notice: Mapping[str, Any]) -> bytes:
    for name in NOTICE_NAMES:
        if name in notice:
            data = _blotted(data, name, notice[name])
    return data


def record_line(line: bytes) -> bytes:
    """Answer a line of a record with what hangs on the chain or the key blotted out."""
    written = json.loads(line)
    for name in LINE_NAMES:
        if name in written:
            line = _blotted(line, name, written[name])
    public = written.get("public", {})
    return _blotted(line, "commitment", public["commitment"]) if "commitment" in public else line


def _blotted(data: bytes, name: str, value: str) -> bytes:
    assert _HEX.fullmatch(value), f"{name} is no hash: {value}"
    old = b'"%s":"%s"' % (name.encode(), value.encode())
    assert old in data
    return data.replace(old, b'"%s":"%s"' % (name.encode(), b"-" * len(value)), 1)


_TIMED: Final = (b"_bucket{", b"_sum{", b"_created{", b"_created ")


def _timed(line: bytes) -> bool:
    """Answer whether a line of the metrics says how long something took, or when it began."""
    return any(each in line for each in _TIMED)


_TOOK: Final = re.compile(r"(?<= in )[0-9.]+(?= ms)|(?<='ms': )[0-9.]+")
"""How long a request took, in the log: in the sentence, and noted with it."""


def logged(line: str) -> str:
    """Answer a line of the log without how long something took."""
    return _TOOK.sub("-", line)


def told(answer: Any) -> Any:
    """Answer what a tool told, blotted out at the same places as what it read."""
    if not isinstance(answer, dict):
        return answer
    return body(json.dumps(answer, separators=(",", ":")).encode(), "application/json")
