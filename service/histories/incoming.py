"""A record as it comes in: of the right kind, not too large, and unpacked."""

from io import BytesIO
from typing import Final, cast

from flask import Request
from werkzeug.exceptions import RequestEntityTooLarge

from events.records.packing import BadPacking, Encoding, TooLarge, unpacked
from service.problems import Problem, bad_field

RECORD: Final = "application/x-ndjson"
MOST_BYTES: Final = 4 * 1024 * 1024
"""What a record may have, unpacked too."""

_ENCODINGS: Final = ("identity", "gzip", "zstd")


def read_record(request: Request) -> bytes:
    """Read a body as a record's bytes; raise the problem that it is none."""
    encoding = request.headers.get("Content-Encoding", "identity").lower()
    if request.mimetype != RECORD or encoding not in _ENCODINGS:
        raise Problem("wrong-media-type", media=RECORD)
    request.max_content_length = MOST_BYTES + 1
    try:
        data = request.get_data(cache=False)
        # A body of unknown length is read up to the limit and cut there.
        packed = "identity" if len(data) > MOST_BYTES else encoding
        return unpacked(BytesIO(data), cast("Encoding", packed), MOST_BYTES)
    except (RequestEntityTooLarge, TooLarge) as large:
        raise Problem("too-large", most=MOST_BYTES) from large
    except BadPacking as bad:
        raise bad_field("Content-Encoding", "malformed") from bad
