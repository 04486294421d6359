"""The log of every process: a line of JSON each time, or words where somebody watches.

A line names what it is about and never repeats an error's own words, which could name a card.
"""

import logging
import sys
from collections.abc import Mapping
from logging.config import dictConfig
from pathlib import Path
from traceback import extract_tb
from types import TracebackType
from typing import Any, Final, TypeAlias

from pythonjsonlogger.msgspec import MsgspecFormatter

LEVELS: Final = ("debug", "info", "warning", "error")
FORMATS: Final = ("auto", "json", "text")

_Raised: TypeAlias = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)


def where(error: BaseException) -> str:
    """Answer what failed and where: the kind of error and its frames, the innermost first."""
    frames = reversed(extract_tb(error.__traceback__))
    places = " < ".join(f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in frames)
    return f"{type(error).__name__} at {places}" if places else type(error).__name__


class _WithoutWords:
    """A formatter that tells of errors what they are, and not what they say."""

    def formatException(self, ei: _Raised) -> str:  # noqa: N802 - logging's name
        return where(ei[1]) if ei[1] is not None else ""


class Lines(_WithoutWords, MsgspecFormatter):
    """Writes a record as one JSON object."""

    def __init__(self, part: str) -> None:
        super().__init__(
            ["levelname", "name", "message"],
            timestamp="at",
            rename_fields={"levelname": "level", "name": "logger", "exc_info": "error"},
            static_fields={"part": part},
        )


class Words(_WithoutWords, logging.Formatter):
    """Writes a record for people."""

    def __init__(self, part: str) -> None:
        super().__init__(f"%(asctime)s {part}: %(message)s")


def log_config(part: str, environ: Mapping[str, str]) -> dict[str, Any]:
    """Answer how the process of a part writes its log, for logging's dictConfig.

    ABRAXAS_LOG is the lowest level, ABRAXAS_LOG_FORMAT json, text or auto (text at a terminal).
    """
    chosen = environ.get("ABRAXAS_LOG_FORMAT") or "auto"
    text = chosen == "text" or (chosen == "auto" and sys.stderr.isatty())
    formatter = "workers.logs.Words" if text else "workers.logs.Lines"
    quiet = {"handlers": [], "propagate": True, "level": "WARNING"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": formatter, "part": part}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "stream": "ext://sys.stderr",
            }
        },
        "root": {
            "handlers": ["stderr"],
            "level": (environ.get("ABRAXAS_LOG") or "info").upper(),
        },
        "loggers": dict.fromkeys(("_granian", "uvicorn", "rq"), quiet),
    }


def start_log(part: str, environ: Mapping[str, str]) -> None:
    """Let this process write its log."""
    dictConfig(log_config(part, environ))
