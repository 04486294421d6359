"""The archive as one file of SQLite: many processes read it, whoever archives writes."""

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import local
from typing import Final
from uuid import UUID

from events.archive.tables import ArchiveUnavailable, Shelf

NAME: Final = "archive.db"
"""The file's name in the data folder."""

_PATIENCE: Final = 5.0
"""Seconds to wait for another process that writes."""

_PAGE: Final = 16_384
"""Bytes of a page: small ones leave room behind rows of this size."""

_LONGER: Final = 17
"""Other names have more bytes than an id."""

_TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS kept"
    " (place INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, content BLOB NOT NULL)"
)
_PUT: Final = (
    "INSERT INTO kept (name, content) VALUES (?, ?)"
    " ON CONFLICT (name) DO UPDATE SET content = excluded.content"
)
_GET: Final = "SELECT content FROM kept WHERE name = ?"


def shelf_in(folder: Path) -> Shelf:
    """Answer the archive of a data folder; nothing is opened before it is read."""
    return Shelf(ArchiveFile(folder / NAME))


class ArchiveFile:
    """An archive in a file that is made when something is put in.

    Each thread has connections of its own. Those that a fork took along are never used in the
    child, nor closed there: that could undo the parent's locks.
    """

    def __init__(self, file: Path) -> None:
        """Take where the file is, or will be; nothing is opened yet."""
        self._file = file
        self._mine = local()
        self._inherited: list[object] = []

    def get(self, name: str) -> bytes | None:
        """Answer what is kept under a name."""
        with self._asking("reader") as connection:
            if connection is None:
                return None
            row = connection.execute(_GET, (_key(name),)).fetchone()
        return None if row is None else bytes(row[0])

    def put(self, contents: Mapping[str, bytes]) -> None:
        """Keep contents, all or none; they are on disk when it returns."""
        rows = [(_key(name), content) for name, content in contents.items()]
        with self._asking("writer") as connection:
            if connection is None:
                raise ArchiveUnavailable(f"{self._file} cannot be made")
            connection.execute("BEGIN IMMEDIATE")
            try:
                connection.executemany(_PUT, rows)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _asking(self, role: str) -> Iterator[sqlite3.Connection | None]:
        try:
            yield self._connection(role)
        except (sqlite3.Error, OSError) as error:
            raise ArchiveUnavailable(f"{self._file}: {error}") from error

    def _connection(self, role: str) -> sqlite3.Connection | None:
        process, connection = getattr(self._mine, role, (0, None))
        if process == os.getpid():
            return connection
        if connection is not None:
            self._inherited.append(connection)
        opened = self._reader() if role == "reader" else self._writer()
        if opened is not None:
            setattr(self._mine, role, (os.getpid(), opened))
        return opened

    def _reader(self) -> sqlite3.Connection | None:
        if not self._file.exists():
            return None
        opened = self._opened("ro")
        if opened.execute("SELECT 1 FROM sqlite_master WHERE name = 'kept'").fetchone() is None:
            # Somebody is about to make it.
            opened.close()
            return None
        return opened

    def _writer(self) -> sqlite3.Connection:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        # Hidden cards of private tables are in it: it is its owner's, and so is what lies beside.
        os.close(os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600))
        opened = self._opened("rwc")
        opened.execute(f"PRAGMA page_size = {_PAGE}")
        opened.execute("PRAGMA journal_mode = WAL")
        opened.execute("PRAGMA synchronous = FULL")
        opened.execute(_TABLES)
        return opened

    def _opened(self, mode: str) -> sqlite3.Connection:
        return sqlite3.connect(
            f"{self._file.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=_PATIENCE,
            isolation_level=None,
            check_same_thread=False,
        )


def _key(name: str) -> bytes:
    """Answer a table's id in 16 bytes, any other name as it is."""
    try:
        found = UUID(name)
    except ValueError:
        return name.encode().ljust(_LONGER, b"\0")
    return found.bytes if str(found) == name else name.encode()
