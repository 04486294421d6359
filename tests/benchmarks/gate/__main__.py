"""Count the hot paths anew: ``python -m tests.benchmarks.gate`` writes baselines.json."""

import json
import platform
import tempfile
from pathlib import Path

from tests.benchmarks.gate.baselines import FILE
from tests.benchmarks.gate.paths import paths, store


def main() -> None:
    """Count every path, print it beside what it was, and write the new baselines."""
    before = json.loads(FILE.read_text())["paths"] if FILE.exists() else {}
    counted = {}
    with tempfile.TemporaryDirectory() as folder, store(Path(folder)) as client:
        for name, path in paths().items():
            client.flushall()
            counted[name] = {what: round(value, 2) for what, value in path(client).items()}
            print(name)
            for what, value in counted[name].items():
                print(f"  {what:22}{value:12.2f}  was {before.get(name, {}).get(what, '-')}")
    told = {"python": platform.python_version(), "paths": counted}
    FILE.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
