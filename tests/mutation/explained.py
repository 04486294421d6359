"""The survivors that somebody has looked at: no test can tell them from the product, and why."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

Explanations: TypeAlias = Mapping[tuple[str, str, str, str], str]
"""The name of a change -> why nothing it does can be told."""

_LIST: Final = Path(__file__).with_name("explained.toml")


def read_explanations() -> Explanations:
    """Read the list beside this file."""
    entries = tomllib.loads(_LIST.read_text(encoding="utf-8"))["survivor"]
    return {
        (each["file"], each["function"], each["was"], becomes): each["why"]
        for each in entries
        for becomes in each["becomes"]
    }
