"""abraxas restore: a backup put back into an empty store, once everything in it is proved."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from service.command_line import DATA, Refused, read_settings

if TYPE_CHECKING:
    from events.backup.saved import Line
    from service.settings import Settings


@click.command()
@DATA
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def command(*, data: str | None, file: Path) -> None:
    """Put a backup into an empty store, after every table in it was proved by its chain.

    Without REDIS_URL that is the store of abraxas serve, which must not run meanwhile.
    """
    from events.archive.file import shelf_in
    from events.backup.restore import NotEmpty, prove, restore
    from events.backup.saved import BadBackup
    from events.servers.connection import StoreError, connect
    from events.store import EventStore

    settings = read_settings(data=data)
    with _opened(file) as opened:
        try:
            found = prove(_lines(opened))
            with _running(settings) as url, connect(url, timeout=30.0) as client:
                opened.seek(0)
                restore(EventStore(client, shelf=shelf_in(settings.data)), _lines(opened))
        except BadBackup as bad:
            raise Refused(f"{file} is no backup that can be restored: {bad}") from None
        except NotEmpty:
            raise Refused(
                "The store is not empty: a backup is restored into an empty one only."
            ) from None
        except StoreError as failure:
            raise click.ClickException(
                f"The store went away: {failure}. Empty it before you restore again."
            ) from None
    when = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(found.at / 1000))
    click.echo(
        f"Restored {found.tables} tables with {found.events} events and {found.keys} other keys,"
        f" as of {when}; every chain was verified."
    )


def _opened(file: Path) -> IO[bytes]:
    try:
        return file.open("rb")
    except OSError as failure:
        raise Refused(f"{file} cannot be read: {failure.strerror}.") from None


def _lines(file: IO[bytes]) -> "Iterator[Line]":
    from events.backup.saved import BadBackup, read
    from events.records.packing import BadPacking, lines_of

    try:
        yield from read(lines_of(file, "zstd"))
    except BadPacking as error:
        raise BadBackup(f"It is damaged ({error}).") from None


@contextmanager
def _running(settings: "Settings") -> Iterator[str]:
    """Answer where the store is; the embedded one runs only so long."""
    from events.servers.embedded import EmbeddedFailed, start
    from service.processes.store_check import check_store
    from service.supervise.claim import claim
    from service.supervise.refusal import CannotServe

    try:
        if not settings.embedded:
            check_store(settings)
            yield settings.redis_url
            return
        data = settings.data.absolute()
        with claim(data), start(data) as embedded:
            yield embedded.url
    except (CannotServe, EmbeddedFailed) as refusal:
        raise Refused(str(refusal)) from None
