"""The lock files, the settings and the built package agree with each other."""

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.architecture.tree import PACKAGES, ROOT, files, name_of

LOCKS = ("requirements.lock", "requirements-dev.lock")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def locked(lock: str) -> dict[str, str]:
    """Read the version that a lock file holds for each package."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9-]+)(?:\[[^\]]+\])?==([^\s;\\]+)", text, re.MULTILINE))


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_host(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert re.findall(r"://|--(?:extra-)?index-url|--find-links|--trusted-host| @ ", text) == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_has_a_hash_for_every_package(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    entries = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)
    assert len(entries) > 1
    assert [entry for entry in entries if entry.strip() and "--hash=sha256:" not in entry] == []


@pytest.mark.parametrize(
    ("lock", "extras"),
    [("requirements.lock", ["build"]), ("requirements-dev.lock", ["build", "dev", "mcp", "rl"])],
)
def test_a_lock_holds_what_pyproject_asks_for(lock: str, extras: list[str]) -> None:
    wanted = list(PROJECT["dependencies"])
    for extra in extras:
        wanted += PROJECT["optional-dependencies"][extra]
    held = locked(lock)
    for requirement in map(Requirement, wanted):
        version = held.get(canonicalize_name(requirement.name))
        assert version, f"{lock} lacks {requirement.name}: make lock"
        assert requirement.specifier.contains(version), f"{lock} has {requirement.name} {version}"


def test_what_is_tested_is_what_runs() -> None:
    run, developed = (locked(lock).items() for lock in LOCKS)
    assert run <= developed


@pytest.mark.e2e
def test_a_built_package_carries_its_data_and_nothing_else(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for package in PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, source / package, ignore=ignored)
    wheels = tmp_path / "wheels"
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "--wheel-dir", str(wheels), str(source)], check=True)
    (wheel,) = wheels.glob("abraxas-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert packed == {name_of(path) for package in PACKAGES for path in files(ROOT / package)}
