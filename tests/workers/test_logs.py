"""The log: lines that name what they are about, and never an error's own words."""

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from logging.config import dictConfig
from typing import Any

import pytest

from workers.logs import log_config, where


@contextmanager
def logged(**environ: str) -> Iterator[io.StringIO]:
    """Write the log of a process into memory, and put back what was there."""
    root = logging.getLogger()
    before = (root.handlers[:], root.level)
    written = io.StringIO()
    config = log_config("api", environ)
    config["handlers"]["stderr"]["stream"] = written
    dictConfig(config)
    try:
        yield written
    finally:
        root.handlers, root.level = before


def lines(written: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in written.getvalue().splitlines()]


def fail() -> None:
    raise ValueError("the queen of hearts")


def test_a_line_says_when_where_and_what() -> None:
    with logged() as written:
        logging.getLogger("abraxas.x").warning("a %s", "b", extra={"table": "t", "version": 7})
    (line,) = lines(written)
    assert line.pop("at").endswith("Z")
    assert line == {
        "level": "WARNING", "logger": "abraxas.x", "message": "a b", "part": "api",
        "table": "t", "version": 7,
    }  # fmt: skip


@pytest.mark.parametrize("form", ["json", "text"])
def test_an_error_is_told_by_its_kind_and_place_alone(form: str) -> None:
    with logged(ABRAXAS_LOG_FORMAT=form) as written:
        try:
            fail()
        except ValueError:
            logging.getLogger("abraxas.x").exception("it failed")
    assert "ValueError at test_logs.py" in written.getvalue()
    assert "queen" not in written.getvalue()


def test_words_are_for_people() -> None:
    with logged(ABRAXAS_LOG_FORMAT="text") as written:
        logging.getLogger("abraxas.x").warning("the store is away")
    assert written.getvalue().endswith("api: the store is away\n")


@pytest.mark.parametrize(("level", "told"), [("debug", 4), ("info", 3), ("", 3), ("error", 1)])
def test_the_lowest_level_is_a_setting(level: str, told: int) -> None:
    with logged(ABRAXAS_LOG=level) as written:
        log = logging.getLogger("abraxas.x")
        for number in (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR):
            log.log(number, "a line")
    assert len(lines(written)) == told


def test_libraries_tell_warnings_alone() -> None:
    with logged(ABRAXAS_LOG="debug") as written:
        for name in ("_granian", "uvicorn.error", "rq.worker"):
            logging.getLogger(name).info("started")
            logging.getLogger(name).warning("odd")
    assert [line["message"] for line in lines(written)] == ["odd"] * 3


def test_where_names_the_innermost_place_first() -> None:
    with pytest.raises(ValueError, match="queen") as raised:
        fail()
    told = where(raised.value)
    assert told.startswith("ValueError at test_logs.py:")
    assert told.index(" fail") < told.index(" test_where_names")
