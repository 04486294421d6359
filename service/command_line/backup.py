"""abraxas backup: everything that cannot be made anew, in one file, while the server runs."""

import os
import sys
import time
from pathlib import Path

import click

from service.command_line import DATA, Refused, read_settings


@click.command()
@DATA
@click.argument("where", type=click.Path(), metavar="FILE_OR_DIR")
def command(*, data: str | None, where: str) -> None:
    """Write a backup to a file, or to one named by the time in a folder.

    What ends with a slash is a folder, and is made if it is not there.

    It holds hidden cards and secrets: only its owner may read it. Exit code 1 if a damaged table
    had to be left out.
    """
    from events.archive.file import shelf_in
    from events.backup.saved import written
    from events.backup.take import backup
    from events.records.packing import packed
    from events.servers.connection import StoreError, connect
    from events.store import EventStore
    from service.processes.store_check import CannotReach, check_store
    from service.supervise.refusal import CannotServe

    settings = read_settings(data=data)
    file = _file(where)
    try:
        check_store(settings)
    except CannotReach as refusal:
        raise Refused(str(refusal)) from None
    except CannotServe as wrong:
        # What could be lost had better be saved.
        click.echo(f"abraxas: {wrong}", err=True)
    left_out: list[str] = []

    def damaged(table: str, error: Exception) -> None:
        left_out.append(table)
        click.echo(
            f"LEFT OUT  Table {table} is damaged ({type(error).__name__}: {error}):"
            " abraxas doctor says more.",
            err=True,
        )

    part = file.with_name(f".{file.name}.part")
    try:
        with connect(settings.redis_url, timeout=30.0) as client:
            lines = written(backup(EventStore(client, shelf=shelf_in(settings.data)), damaged))
            # What lies there may be somebody else's, in a folder that others write to as well.
            part.unlink(missing_ok=True)
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as to:
                for chunk in packed(lines, "zstd"):
                    to.write(chunk)
                to.flush()
                os.fsync(to.fileno())
        _name(part, file)
    except StoreError as failure:
        part.unlink(missing_ok=True)
        raise click.ClickException(f"The store went away: {failure}.") from None
    except OSError as failure:
        part.unlink(missing_ok=True)
        raise Refused(f"{file} cannot be written: {failure.strerror}.") from None
    click.echo(f"{file} ({file.stat().st_size:,} bytes)")
    sys.exit(1 if left_out else 0)


def _file(name: str) -> Path:
    where = Path(name)
    if name.endswith(os.sep) and not where.exists():
        try:
            where.mkdir(mode=0o700)
        except OSError as failure:
            raise Refused(f"{name} cannot be made: {failure.strerror}.") from None
    if where.is_dir():
        where = where / time.strftime("abraxas-%Y%m%dT%H%M%SZ.jsonl.zst", time.gmtime())
    if where.exists():
        raise Refused(f"{where} is there already: a backup never replaces another.")
    return where


def _name(part: Path, file: Path) -> None:
    """Give the finished file its name, for good."""
    os.link(part, file)
    part.unlink()
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
