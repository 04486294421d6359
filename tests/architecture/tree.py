"""What the architecture tests know of the repository: its files, its packages, its words."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("domain", "events", "workers", "service")
"""From the inside out: each may import itself and what stands before it."""

_MADE_BY_TOOLS = {"build", "dist", "htmlcov", "node_modules", "var", "__pycache__"}
_HIDDEN_BUT_OURS = {".ci", ".dockerignore", ".editorconfig", ".gitignore"}


def _ours(path: Path) -> bool:
    if path.name.startswith("."):
        return path.name in _HIDDEN_BUT_OURS
    return path.name not in _MADE_BY_TOOLS and path.suffix != ".egg-info"


def top_folders() -> set[str]:
    """Answer the names of the visible folders at the top."""
    return {p.name for p in ROOT.iterdir() if p.is_dir() and _ours(p) and p.name[0] != "."}


def files(folder: Path = ROOT) -> Iterator[Path]:
    """Walk over every file that belongs to the repository, below a folder."""
    for path in sorted(folder.iterdir()):
        if not _ours(path):
            continue
        if path.is_dir():
            yield from files(path)
        elif path.suffix not in {".pyc", ".new"} and not path.name.startswith(".coverage"):
            yield path


def package_files(*suffixes: str) -> list[Path]:
    """Answer the files of the four packages that have one of these suffixes."""
    return [p for name in PACKAGES for p in files(ROOT / name) if p.suffix in suffixes]


def name_of(path: Path) -> str:
    """Answer a path as a reader of the repository writes it."""
    return path.relative_to(ROOT).as_posix()


def module_of(path: Path) -> str:
    """Answer the name under which a file of a package is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(source: str) -> set[str]:
    """Answer every module that a source names in an import, at any depth."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add("." * node.level + (node.module or ""))
    return found


def words_of(name: str) -> set[str]:
    """Split a snake_case, kebab-case or CamelCase name into lower-case words."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}
