"""One line of the log for each request that changed something or failed; reads only at debug."""

import logging
from collections.abc import Mapping
from typing import Any, Final

from flask import Request

from service.http import request_id
from service.operation import Operation

LOG: Final = logging.getLogger("abraxas.request")

VERSION: Final = "abraxas.version"
"""Where the environment of a request holds the version of the table that it led to or met."""
CODE: Final = "abraxas.code"
"""Where it holds the code of the problem that stopped it."""


def tell(
    operation: Operation, plain: Request, path: Mapping[str, Any], status: int, seconds: float
) -> None:
    """Write what was asked and how it ended, by the route and never by what was filled in.

    Of the path only the table is told; nothing of the query, the headers or the body is.
    """
    level = logging.DEBUG if operation.method == "GET" else logging.INFO
    if status >= 500:
        level = logging.ERROR
    if not LOG.isEnabledFor(level):
        return
    milliseconds = round(seconds * 1000, 3)
    named = {
        "request": request_id(plain),
        "operation": operation.name,
        "status": status,
        "ms": milliseconds,
        "table": path.get("table"),
        "version": plain.environ.get(VERSION),
        "code": plain.environ.get(CODE),
    }
    LOG.log(
        level, "%s %s: %d in %s ms", operation.method, operation.path, status, milliseconds,
        extra={name: value for name, value in named.items() if value is not None},
    )  # fmt: skip
