"""abraxas serve: from the first second to the last, and what a second one does."""

import os
import signal
import socket
from pathlib import Path

import httpx
import pytest

from domain.catalogue import games
from domain.dice import seeded
from events.servers.embedded import url
from service.simulate.client import Client
from service.simulate.play import finish, look, open_table, sign_up
from tests.e2e.playing import asking
from tests.e2e.server import PATIENCE, Server, abraxas, alive, serving, until

pytestmark = pytest.mark.e2e

GAME = games()["potage_sauvage"]


def answer(server: Server) -> tuple[int, str | None]:
    """Answer what a server says of itself."""
    told = httpx.get(f"{server.url}/readyz", timeout=PATIENCE)
    return told.status_code, told.json().get("status")


def test_a_server_starts_answers_and_stops(tmp_path: Path) -> None:
    with serving(tmp_path / f"my data #{1:0100}") as server:
        assert httpx.get(f"{server.url}/livez", timeout=PATIENCE).status_code == 200
        until(lambda: answer(server) == (200, "ok"), "everything has come up")
        page = httpx.get(f"{server.url}/docs", timeout=PATIENCE).raise_for_status()
        assert page.headers["Content-Type"].startswith("text/html")

        for words, told in (
            (["--port=0", "--data", str(server.data)], "Another server runs on the data folder "),
            ([f"--port={server.port}", "--data", str(tmp_path)], f"Port {server.port} is taken: "),
        ):
            second = abraxas("serve", *words)
            assert (second.returncode, second.stdout) == (2, "")
            assert second.stderr.startswith(f"abraxas: {told}")
            assert second.stderr.count("\n") == 1
        assert httpx.get(f"{server.url}/livez", timeout=PATIENCE).status_code == 200

        whole_tree = server.tree()
        for part in ("store", "api", "api worker", "follow", "jobs"):
            assert server.pid(part) in whole_tree
        scratch = Path(url(server.data).removeprefix("unix://")).parent
        assert scratch.is_dir()
        assert server.stop() == 0
        assert not scratch.exists()
        assert [pid for pid in whole_tree if alive(pid)] == []
        with socket.socket() as nobody, pytest.raises(ConnectionRefusedError):
            nobody.connect(("127.0.0.1", server.port))


def test_tables_go_on_after_a_restart_and_after_a_kill(tmp_path: Path) -> None:
    levels = ("random", "random")
    with serving(tmp_path / "var") as server:
        client = Client(server.url)
        tokens = sign_up(client, levels)
        begun = [open_table(client, GAME.name, tokens, lambda *_: None) for _ in range(2)]
        client.close()
        assert server.stop() == 0

    with serving(server.data) as server:
        client = Client(server.url)
        for view in begun:
            assert look(client, view["id"], tokens[0]) | {"links": None} == view | {"links": None}
        played = finish(client, GAME, begun[0], levels, tokens, seeded(1))
        client.close()
        whole_tree = server.tree()
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait()

    with serving(server.data) as server:
        assert [pid for pid in whole_tree if alive(pid)] == []
        client = Client(server.url)
        assert look(client, played.table, tokens[0])["result"] == played.result
        assert finish(client, GAME, begun[1], levels, tokens, seeded(2)).moves > 0
        client.close()


def test_bots_of_the_server_play_whole_tables_by_themselves(tmp_path: Path) -> None:
    with serving(tmp_path / "var") as server:
        words = ("simulate", GAME.name, "--seats=3", "--tables=2", "--server-bots")
        ran = abraxas(*words, "--levels=random,greedy", "--url", server.url)
        assert (ran.returncode, ran.stderr) == (0, "")
        first, _, head, *rows = ran.stdout.splitlines()
        assert first.startswith("2 tables of potage_sauvage with 3 seats: ")
        assert head.split() == ["played", "won", "scores"]
        assert [row.split()[:3] for row in rows] == [
            ["level", "greedy", "2"],
            ["level", "random", "4"],
            *(["seat", str(seat), "2"] for seat in range(3)),
        ]

        examined = abraxas("doctor", "--data", str(server.data))
        assert (examined.returncode, examined.stderr) == (0, "")
        assert "2 tables compared with their histories." in examined.stdout
        assert examined.stdout.endswith("\nNothing is wrong.\n")


def test_a_server_whose_store_is_killed_says_so_and_recovers(tmp_path: Path) -> None:
    with serving(tmp_path / "var") as server:
        os.kill(server.pid("store"), signal.SIGSTOP)
        # A store that hangs is worse than one that is gone: nobody refuses the connection.
        # That it is told within two seconds is shown where no process but one counts the time.
        red = httpx.get(f"{server.url}/readyz", timeout=PATIENCE)
        assert red.status_code == 503
        assert float(red.headers["Retry-After"]) > 0
        server.kill("store")
        until(lambda: answer(server)[0] == 200, "the server is ready again")


def test_a_cut_file_of_moves_is_refused_and_explained(tmp_path: Path) -> None:
    with serving(tmp_path / "var") as server:
        with asking(server.url) as http:
            http.post("/v1/players", json={"name": "Ana"}).raise_for_status()
        assert server.stop() == 0
    (moves,) = (server.data / "appendonlydir").glob("*.incr.aof")
    os.truncate(moves, moves.stat().st_size - 3)

    refused = abraxas("serve", "--port=0", "--data", str(server.data))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert f"{moves} breaks off in the middle of a write" in refused.stderr
    assert "abraxas doctor" in refused.stderr

    explained = abraxas("doctor", "--data", str(server.data))
    assert explained.returncode == 1
    assert f"WRONG  {moves} breaks off" in explained.stdout
    whole = int(explained.stdout.partition("truncate -s ")[2].split()[0])
    os.truncate(moves, whole)
    with serving(server.data) as again:
        until(lambda: answer(again)[0] == 200, "it is ready")
