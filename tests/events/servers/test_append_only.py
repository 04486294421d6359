"""Files of a store that were cut or damaged: refused, explained, and saved as far as they go."""

from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

from events.servers import append_only
from events.servers.connection import call, connect
from events.servers.embedded import EmbeddedFailed, start
from tests.e2e.server import PATIENCE

WRITE = "redis.call('SET', KEYS[1], ARGV[1]); redis.call('RPUSH', 'all', ARGV[1])"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write some things to a store, then stop it."""
    data = tmp_path_factory.mktemp("written")
    with start(data) as running, connect(running.url, timeout=PATIENCE) as client:
        for number in range(8):
            call(client, ("EVAL", WRITE, 1, f"key{number}", f"value\r\n{number}"))
    return data


@pytest.fixture
def data(written: Path, tmp_path: Path) -> Path:
    """Copy what was written."""
    return copytree(
        written, tmp_path / "data", ignore=lambda _, names: [n for n in names if "store." in n]
    )


def moves(data: Path) -> Path:
    (found,) = (data / "appendonlydir").glob("*.incr.aof")
    return found


def base(data: Path) -> Path:
    (found,) = (data / "appendonlydir").glob("*.base.rdb")
    return found


def kept(data: Path) -> list[bytes]:
    with start(data) as running, connect(running.url, timeout=PATIENCE) as client:
        (found,) = call(client, ("LRANGE", "all", 0, -1))
        return list(found)


def test_whole_files_are_not_complained_of(data: Path) -> None:
    assert append_only.examine(data) is None
    assert len(kept(data)) == 8
    assert append_only.examine(data) is None


def test_a_new_folder_is_not_complained_of(tmp_path: Path) -> None:
    assert append_only.examine(tmp_path) is None


def test_wherever_a_file_is_cut_the_whole_writes_before_are_named(data: Path) -> None:
    file = moves(data)
    everything = file.read_bytes()
    ends = [len(everything[: at + 14]) for at in _ends(everything)]
    assert len(ends) == 8
    for cut in range(ends[0], len(everything)):
        file.write_bytes(everything[:cut])
        found = append_only.examine(data)
        before = max(end for end in ends if end <= cut)
        if cut == before:
            assert found is None, cut
        else:
            assert found is not None, cut
            assert f"of its {cut} bytes {before} are whole" in found.wrong


def _ends(everything: bytes) -> list[int]:
    closing = b"*1\r\n$4\r\nEXEC\r\n"
    return [at for at in range(len(everything)) if everything.startswith(closing, at)]


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-9])


def overwrite(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[40:48] = b"\x00garbage"
    file.write_bytes(content)


def remove(file: Path) -> None:
    file.unlink()


@pytest.mark.parametrize(
    ("harm", "which", "told"),
    [
        (cut, moves, "breaks off in the middle of a write"),
        (overwrite, moves, "is damaged"),
        (remove, moves, "is gone"),
        (cut, base, "cannot read its files"),
        (overwrite, base, "cannot read its files"),
    ],
)
def test_a_store_refuses_files_that_are_not_whole(
    data: Path, harm: Callable[[Path], None], which: Callable[[Path], Path], told: str
) -> None:
    harm(which(data))
    with pytest.raises(EmbeddedFailed, match=told) as refused:
        start(data)
    assert "abraxas doctor" in str(refused.value)
    found = append_only.examine(data)
    assert found is not None
    assert "abraxas restore" in found.advice


def test_a_store_does_not_start_empty_beside_files_whose_list_is_gone(data: Path) -> None:
    (data / "appendonlydir" / "appendonly.aof.manifest").unlink()
    with pytest.raises(EmbeddedFailed, match="which lists them, is gone"):
        start(data)


def test_what_the_advice_says_saves_every_whole_write(data: Path) -> None:
    cut(moves(data))
    found = append_only.examine(data)
    assert found is not None
    size = int(found.advice.partition("truncate -s ")[2].split()[0])
    moves(data).write_bytes(moves(data).read_bytes()[:size])
    assert append_only.examine(data) is None
    assert len(kept(data)) == 7


def test_a_write_that_the_store_died_in_is_left_out_when_it_is_started_again(data: Path) -> None:
    cut(moves(data))
    with start(data, again=True) as running, connect(running.url, timeout=PATIENCE) as client:
        assert call(client, ("LLEN", "all")) == [7]
