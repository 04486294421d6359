"""The files of an embedded store: where they break off or are damaged, and what can be saved.

The server knows too, and ends with a line in its log; it does not say where the last whole write
ends, and it starts empty where the list of its files is gone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

_FOLDER: Final = "appendonlydir"
_LIST: Final = "appendonly.aof.manifest"
_RESTORE: Final = "Restore the newest backup into an empty folder with abraxas restore."
_MOST: Final = 512 * 1024 * 1024
"""Bytes: no part of a write is longer."""


@dataclass(frozen=True, slots=True)
class Broken:
    """What is wrong with a store's files, in a sentence, and what to do about it."""

    wrong: str
    advice: str


def without_list(data: Path) -> Broken | None:
    """Find files of moves without the list of them: the server would start empty beside them."""
    folder = data / _FOLDER
    kept = any(each.stat().st_size for each in folder.glob("*.aof")) if folder.is_dir() else False
    if not kept or (folder / _LIST).is_file():
        return None
    return Broken(
        f"{folder} has files of moves, and {_LIST}, which lists them, is gone.",
        f"Put it back from a copy of the folder. {_RESTORE}",
    )


def examine(data: Path) -> Broken | None:
    """Look through the files of a store that does not run; None if nothing is wrong with them."""
    folder = data / _FOLDER
    listed = without_list(data)
    if listed or not folder.is_dir():
        return listed
    for name in _listed(folder / _LIST):
        if not (folder / name).is_file():
            return Broken(f"{folder / name} is gone.", _RESTORE)
        found = _damage(folder / name) if name.endswith(".incr.aof") else None
        if found:
            return found
    return _told_by(data / "store.log")


def _listed(listing: Path) -> Iterator[str]:
    for line in listing.read_text(errors="replace").splitlines():
        words = line.split()
        if len(words) >= 2 and words[0] == "file":
            yield words[1]


def _damage(file: Path) -> Broken | None:
    size = file.stat().st_size
    with file.open("rb") as opened:
        try:
            whole = _whole(opened)
        except _CutShort as cut:
            return _cut(file, cut.whole, size)
        except _NotAWrite as damaged:
            return _damaged(file, damaged.whole, size)
    return None if whole == size else _cut(file, whole, size)


def _cut(file: Path, whole: int, size: int) -> Broken:
    return Broken(
        f"{file} breaks off in the middle of a write: of its {size} bytes {whole} are whole.",
        f"After a power cut this is a move that was never acknowledged: cut it off with"
        f" `truncate -s {whole} {file}` and start again. If there was none, somebody cut the file"
        f" and moves are missing. {_RESTORE}",
    )


def _damaged(file: Path, whole: int, size: int) -> Broken:
    return Broken(
        f"{file} is damaged: what follows its first {whole} of {size} bytes is no write.",
        f"{_RESTORE} If there is none: keep a copy of the folder, then `truncate -s {whole} {file}`"
        " saves every move up to the damage and gives up those after it.",
    )


class _CutShort(Exception):  # noqa: N818 - not a failure of ours
    def __init__(self, whole: int) -> None:
        super().__init__(whole)
        self.whole = whole


class _NotAWrite(Exception):  # noqa: N818 - not a failure of ours
    def __init__(self, whole: int) -> None:
        super().__init__(whole)
        self.whole = whole


def _whole(opened: BinaryIO) -> int:
    """Answer where the last whole write ends; what one script wrote is whole together."""
    whole, together = 0, False
    while True:
        try:
            name = _command(opened)
        except EOFError:
            raise _CutShort(whole) from None
        except ValueError:
            raise _NotAWrite(whole) from None
        if name is None:
            return whole
        together = name == b"MULTI" or (together and name != b"EXEC")
        if not together:
            whole = opened.tell()


def _command(opened: BinaryIO) -> bytes | None:
    """Read one command; answer its name, None at the end of the file.

    Raise EOFError if the file ends within it, ValueError if it is none.
    """
    line = opened.readline(64)
    if not line:
        return None
    if line.startswith(b"#"):
        return b"#"
    parts = [_part(opened) for _ in range(_number(line, b"*"))]
    if not parts or not parts[0].isalpha():
        raise ValueError
    return parts[0].upper()


def _part(opened: BinaryIO) -> bytes:
    size = _number(opened.readline(64), b"$")
    part = opened.read(size + 2)
    if len(part) < size + 2:
        raise EOFError
    if part[-2:] != b"\r\n":
        raise ValueError
    return part[:-2]


def _number(line: bytes, mark: bytes) -> int:
    if not line.endswith(b"\r\n"):
        # A line that the end of the file cut is a beginning of one; anything longer is none.
        rest = line[1:].removesuffix(b"\r")
        begun = mark.startswith(line[:1]) and (not rest or rest.isdigit())
        raise EOFError if begun and not line.endswith(b"\n") else ValueError
    number = line[1:-2]
    if line[:1] != mark or not number.isdigit() or int(number) > _MOST:
        raise ValueError
    return int(number)


def _told_by(log: Path) -> Broken | None:
    """Take the server's own word for what it found in its last start, if it ended with one."""
    if not log.is_file():
        return None
    lines = log.read_text(errors="replace").splitlines()[-50:]
    begun = max((at for at, line in enumerate(lines) if "Server initialized" in line), default=0)
    for line in lines[begun:]:
        _, mark, words = line.partition(" # ")
        if mark and any(word in words for word in ("reading", "loading", "RDB")):
            return Broken(f"The store cannot read its files: {words.strip()}", _RESTORE)
    return None
