"""One server for one data folder: two locks, and what a killed server left running."""

import fcntl
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from service.supervise.refusal import CannotServe

_PATIENCE: Final = 10.0
"""Seconds until leftovers must be gone; they are killed halfway."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Hold a data folder; children inherit ``descriptor`` and keep the folder theirs till death."""

    data: Path
    descriptor: int

    def note(self, children: list[int]) -> None:
        """Write down who runs, for the next server if this one is killed."""
        lines = (str(number) for number in (os.getpgrp(), *children))
        text = "\n".join(lines).encode()
        os.pwrite(self.descriptor, text, 0)
        os.ftruncate(self.descriptor, len(text))


@contextmanager
def claim(data: Path) -> Iterator[Claim]:
    """Make the data folder and hold it alone, or raise CannotServe.

    A server holds ``serve.lock``; it and all its children hold ``children.lock``. So a killed
    server's children are told from a server that runs.
    """
    try:
        data.mkdir(parents=True, exist_ok=True)
        serving = os.open(data / "serve.lock", os.O_RDWR | os.O_CREAT, 0o600)
        descriptor = os.open(data / "children.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as failure:
        raise CannotServe(
            f"The data folder {data} cannot be written to: {failure.strerror}."
        ) from None
    try:
        if not _locked(serving):
            raise CannotServe(f"Another server runs on the data folder {data}.")
        _wait_for_leftovers(data, descriptor)
        yield Claim(data, descriptor)
    finally:
        os.close(descriptor)
        os.close(serving)


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _wait_for_leftovers(data: Path, descriptor: int) -> None:
    """Wait until the children of a killed server are gone, ending them if need be."""
    begun = time.monotonic()
    end_with = iter((signal.SIGTERM, signal.SIGKILL))
    due = begun + _PATIENCE / 10
    while not _locked(descriptor):
        now = time.monotonic()
        if now > begun + _PATIENCE:
            raise CannotServe(f"Processes of an earlier server still hold {data}: end them first.")
        if now > due:
            _end(descriptor, next(end_with, signal.SIGKILL))
            due = begun + _PATIENCE / 2
        time.sleep(0.02)


def _end(descriptor: int, number: signal.Signals) -> None:
    group, *children = map(int, os.pread(descriptor, 4096, 0).split() or [b"0"])
    for child in children:
        # A number may have been given away since; within the old group it has not.
        with suppress(ProcessLookupError):
            if os.getpgid(child) == group:
                os.kill(child, number)
