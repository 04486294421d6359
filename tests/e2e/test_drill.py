"""The drill of docs/operating.md: a backup of a running server, put back, and played on."""

import time
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest

from tests.e2e.playing import Seat, asking, in_background
from tests.e2e.server import Server, abraxas, serving, until

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


class Moving:
    """Somebody at a table with a bot, who keeps every move and what it was answered."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.path = f"/v1/tables/{seat.open(bots={'1': 'random'})['id']}"
        self.answered: list[tuple[Any, str, Any]] = []

    def move(self) -> bool:
        """Make a move once it is due; False when the game is over."""
        until(lambda: self.view["moves"] or self.view["phase"] == "over", "the bot has moved")
        view = self.view
        if view["phase"] == "over":
            return False
        key = f"move-{len(self.answered)}"
        answer = self.seat.post(f"{self.path}/commands", view["moves"][0], key)
        self.answered.append((view["moves"][0], key, answer))
        return True

    @property
    def view(self) -> Any:
        """Answer the table as it is seen now."""
        return self.seat.get(self.path)


def sat(server: Server, http: httpx.Client) -> Seat:
    return Seat(http, http.post("/v1/players", json={}).json()["token"])


def plain(answer: Any) -> Any:
    """Answer what is told without where it was told."""
    return {name: value for name, value in answer.items() if name != "links"}


def test_a_backup_of_a_running_server_is_put_back_and_played_on(tmp_path: Path) -> None:
    var, new = tmp_path / "var", tmp_path / "new"
    with serving(var, ABRAXAS_LOG="error") as server, asking(server.url) as http:
        player = Moving(sat(server, http))
        for _ in range(5):
            player.move()
        before, saved = len(player.answered), Event()

        def goes_on() -> bool:
            # However long the backup takes, some moves of the game are left for afterwards.
            return player.move() and len(player.answered) < 40 and not saved.is_set()

        playing = in_background(lambda: [*iter(goes_on, False)])
        made = abraxas("backup", f"{tmp_path}/backups/", "--data", str(var))
        saved.set()
        playing.join()
        assert (made.returncode, made.stderr) == (0, "")
        assert server.stop() == 0
    (file,) = (tmp_path / "backups").iterdir()
    began = time.monotonic()
    put_back = abraxas("restore", str(file), "--data", str(new))
    assert put_back.returncode == 0, put_back.stderr
    assert put_back.stdout.startswith("Restored 1 tables with ")
    with serving(new, ABRAXAS_LOG="error") as server, asking(server.url) as http:
        print(f"put back in {time.monotonic() - began:.1f} s")
        player.seat = Seat(http, player.seat.token)
        # Whatever was acknowledged before the backup began is there, once.
        for move, key, answer in player.answered[:before]:
            again = player.seat.post(f"{player.path}/commands", move, key)
            assert plain(again) == plain(answer)
        version = player.view["version"]
        assert version >= player.answered[before - 1][2]["version"]
        player.answered += [(None, "", None)]
        assert player.move()
        assert player.view["version"] > version
        examined = abraxas("doctor", "--all", "--data", str(new))
        assert "Nothing is wrong." in examined.stdout, examined.stdout
        until(
            lambda: http.get("/readyz").json() == {"status": "ok", "degraded": []},
            "everything has come up",
        )
        assert server.stop() == 0
