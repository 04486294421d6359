"""The tables a process met lately: a bounded memory that forgets what was not asked for longest."""

from collections import OrderedDict
from threading import Lock

from events.loaded import Loaded


class Kept:
    """Keeps loaded tables by id; safe to share between threads."""

    __slots__ = ("_lock", "_size", "_tables")

    def __init__(self, size: int) -> None:
        """Take how many tables to keep at most."""
        self._size = size
        self._lock = Lock()
        self._tables: OrderedDict[str, Loaded] = OrderedDict()

    def get(self, table: str) -> Loaded | None:
        """Answer a kept table."""
        with self._lock:
            loaded = self._tables.get(table)
            if loaded is not None:
                self._tables.move_to_end(table)
            return loaded

    def put(self, loaded: Loaded) -> None:
        """Keep a table, unless a newer version of it is kept already."""
        with self._lock:
            known = self._tables.get(loaded.table)
            if known is None or known.version <= loaded.version:
                self._tables[loaded.table] = loaded
            self._tables.move_to_end(loaded.table)
            if len(self._tables) > self._size:
                self._tables.popitem(last=False)

    def drop(self, table: str) -> None:
        """Forget a table."""
        with self._lock:
            self._tables.pop(table, None)
