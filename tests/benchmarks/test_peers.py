"""What the peers are installed from is pinned, hashed, and names no host."""

import json
from pathlib import Path

PEERS = Path(__file__).parent / "peers"


def test_the_lock_of_boardgame_io_pins_and_hashes_everything() -> None:
    lock = json.loads((PEERS / "boardgame/package-lock.json").read_text())
    installed = {name: each for name, each in lock["packages"].items() if name}
    assert len(installed) > 100
    assert [name for name, each in installed.items() if "integrity" not in each] == []
    assert [name for name, each in installed.items() if "resolved" in each] == []
    wanted = json.loads((PEERS / "boardgame/package.json").read_text())["dependencies"]
    for name, version in wanted.items():
        assert installed[f"node_modules/{name}"]["version"] == version


def test_the_lock_of_eventsourcing_pins_and_hashes_everything() -> None:
    text = (PEERS / "requirements.lock").read_text()
    pinned = [line for line in text.splitlines() if "==" in line]
    assert (PEERS / "requirements.in").read_text().strip() in text
    assert text.count("--hash=sha256:") >= len(pinned) >= 2
    assert "://" not in text
