"""What the doctor says."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """Say what is wrong and what to do about it; ``table`` where it is one table's trouble."""

    wrong: str
    advice: str
    table: str | None = None
