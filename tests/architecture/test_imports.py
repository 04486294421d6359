"""Imports point one way, and importing does nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.tree import PACKAGES, ROOT, imports, module_of, name_of, package_files

SOURCES = package_files(".py")
CLOCKS_DICE_AND_IO = {
    "asyncio", "datetime", "http", "logging", "random", "secrets", "selectors", "socket",
    "sqlite3", "subprocess", "threading", "time", "urllib", "uuid",
}  # fmt: skip

EXCEPTIONS = {
    # Dice for tests and simulations start from a seed; the dice of a real table are keyed.
    ("domain.dice", "random"),
    # What values are made with is known in one place.
    ("domain.value", "msgspec"),
}


def allowed(importer: str, imported: str) -> bool:
    """Say whether a module may import another: itself, what is further in, what is not ours."""
    package, other = importer.partition(".")[0], imported.partition(".")[0]
    if importer == "events.chain":
        return other in sys.stdlib_module_names
    if other in PACKAGES:
        return PACKAGES.index(other) <= PACKAGES.index(package)
    if package == "domain":
        standard = other in sys.stdlib_module_names - CLOCKS_DICE_AND_IO
        return standard or (importer, other) in EXCEPTIONS
    return other not in {"tests", ""}


def test_imports_point_one_way() -> None:
    found = {
        (name_of(path), name)
        for path in SOURCES
        for name in imports(path.read_text(encoding="utf-8"))
        if not allowed(module_of(path), name)
    }
    assert found == set()


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("domain.decider", "events.store"),
        ("domain.table.decide", "uuid"),
        ("domain.table.decide", "time"),
        ("domain.table.decide", "random"),
        ("domain.game", "msgspec"),
        ("events.store", "workers.wake"),
        ("events.chain", "events.keys"),
        ("events.chain", "rfc8785"),
        ("workers.follow", "service.app"),
        ("service.app", "tests.given"),
        ("service.app", ".settings"),
    ],
)
def test_an_import_the_wrong_way_is_found(importer: str, imported: str) -> None:
    assert not allowed(importer, imported)


def test_an_import_inside_a_function_is_found() -> None:
    assert imports("def f():\n    from service.app import create_app\n") == {"service.app"}


NO_CONNECTIONS = """
import importlib, sys
REFUSED = ("socket.connect", "socket.bind", "socket.getaddrinfo", "subprocess.Popen", "os.fork")
def refuse(event, arguments):
    if event in REFUSED:
        raise SystemExit(f"{module} does {event} when it is imported")
sys.addaudithook(refuse)
for module in sys.argv[1:]:
    importlib.import_module(module)
"""


def import_without_connections(
    *modules: str, path: Path = ROOT
) -> "subprocess.CompletedProcess[str]":
    """Import modules in a process of their own that ends with a sentence when one connects."""
    command = [sys.executable, "-c", NO_CONNECTIONS, *modules]
    return subprocess.run(command, cwd=path, capture_output=True, text=True, check=False)


def test_importing_opens_no_connection_and_starts_no_process() -> None:
    answer = import_without_connections(*(module_of(path) for path in SOURCES))
    assert (answer.returncode, answer.stderr) == (0, "")


def test_a_connection_opened_at_import_is_found(tmp_path: Path) -> None:
    (tmp_path / "eager.py").write_text(
        "import socket\nsocket.create_connection(('127.0.0.1', 1))\n"
    )
    answer = import_without_connections("eager", path=tmp_path)
    assert answer.returncode == 1
    assert "eager does socket" in answer.stderr
