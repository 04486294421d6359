"""Everything on a cluster: players, bots, lists, streams, and the operator's tools."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import pytest

from domain.catalogue import games
from events.servers.connection import StoreError, connect
from events.servers.embedded import start
from events.store import EventStore
from service.doctor.examine import examine
from service.processes.store_check import check_store
from service.settings import BadSetting, settings_from_env
from service.simulate.client import Client
from service.simulate.play import sign_up, watch
from service.simulate.run import Simulation, simulate
from service.supervise.refusal import CannotServe
from tests.cluster.failovers import await_promotion, owner_of, replica_of
from tests.cluster.load import part_of, tables_of
from tests.cluster.nodes import cluster, free_ports
from tests.e2e.ledger import Ledger
from tests.e2e.live_client import Torn
from tests.e2e.playing import asking
from tests.e2e.server import PATIENCE, abraxas, serving, until
from tests.events.appends import append
from workers.projections.players import PLAYERS
from workers.rebuild import rebuild

TABLES = int(os.environ.get("CLUSTER_TABLES", "3"))
LONG = "CLUSTER_TABLES" in os.environ
WAITS = 5.0
"""Seconds that a client waits for a reply where somebody is frozen."""

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(1200 + 20 * TABLES)]


def test_a_whole_server_plays_on_through_a_failover(tmp_path: Path) -> None:
    ledger = Ledger()
    game = games()["potage_sauvage"]
    playing = Simulation(
        game=game, levels=("random", "random"), tables=TABLES, at_once=3, patience=60
    )
    with start(tmp_path / "rq") as rq, cluster(tmp_path / "cluster") as nodes:
        port, live = free_ports(2)
        where: Any = {"REDIS_URL": nodes.url, "RQ_URL": rq.url, "ABRAXAS_LIVE_PORT": str(live)}
        with serving(tmp_path / "var", port, **where) as server:
            with ThreadPoolExecutor(2) as pool:
                played = pool.submit(simulate, server.url, playing, ledger.heard)
                until(lambda: ledger.count > 10 * TABLES, "moves are acknowledged")
                table = [*ledger.tables][-1]
                stream = Torn(_stream(server.url, table), _token(server.url), Random(0))
                followed = pool.submit(stream.run, 0)
                primary = owner_of(nodes, part_of(table))
                replica = replica_of(nodes, primary)
                primary.kill()
                await_promotion(replica)
                primary.start()
                assert len(played.result().played) == TABLES
                followed.result(PATIENCE)
            last = max(ledger.tables[table])
            assert [each["version"] for each in stream.told][:last] == [*range(1, last + 1)]
            client = Client(server.url)
            (token,) = sign_up(client, ["Ana"])
            # The followers, who play the bots, are back at work on every server.
            assert watch(client, game, ("random", "random"), token).result["winners"]
            client.close()
            ledger.check_at(nodes.url, rq.url)
            said: list[str] = []
            assert [*examine(settings_from_env(where), None, said.append)] == []
            assert "on 3 servers" in said[0]
            with connect(nodes.url, timeout=PATIENCE) as client:
                assert rebuild(EventStore(client), PLAYERS).tables == TABLES + 1
            if LONG:
                _drill(tmp_path / "saved", where)
            assert server.stop() == 0
        if LONG:
            nodes.await_whole()
            with connect(nodes.url) as client:
                client.flushall()
            _run("restore", str(tmp_path / "saved"), where=where)
            with serving(tmp_path / "var", port, **where):
                ledger.check_at(nodes.url, rq.url)


def _drill(saved: Path, where: dict[str, str]) -> None:
    """Use the operator's commands while the server runs."""
    assert "on 3 servers" in _run("doctor", "--all", where=where)
    _run("rebuild", "tables", "--keep", "0", where=where)
    _run("backup", str(saved), where=where)


def _run(*words: str, where: Any) -> str:
    done = abraxas(*words, **where)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return done.stdout


def _stream(url: str, table: str) -> str:
    with asking(url) as http:
        return str(http.get(f"/v1/tables/{table}").json()["links"]["stream"])


def _token(url: str) -> str:
    client = Client(url)
    (token,) = sign_up(client, ["Eve"])
    client.close()
    return token


def refusal(**environ: str) -> str:
    """Answer why nothing is started on a store."""
    with pytest.raises((CannotServe, BadSetting)) as refused:
        check_store(settings_from_env(environ))
    return str(refused.value)


def test_what_could_not_work_on_a_cluster_is_refused_with_what_to_do(tmp_path: Path) -> None:
    elsewhere = "redis://127.0.0.1:1/0"
    with cluster(tmp_path, replicas=0) as nodes:
        one = nodes.nodes[0].url
        assert "say ?cluster=true at its end" in refusal(REDIS_URL=one, RQ_URL=elsewhere)
        bare = refusal(REDIS_URL=nodes.url, RQ_URL=elsewhere)
        assert bare.startswith("The cluster has no replicas")
        rq = refusal(REDIS_URL=f"{nodes.url}&replicas=0", RQ_URL=one)
        assert rq.startswith("RQ_URL is wrong: it is one server of a cluster")
    assert "RQ_URL must name a plain server" in refusal(REDIS_URL=nodes.url)
    assert "RQ_URL must name a plain server" in refusal(REDIS_URL=one, RQ_URL=nodes.url)
    assert "replicas must be a number" in refusal(REDIS_URL=f"{nodes.url}&replicas=many")


def test_a_cluster_that_could_lose_moves_is_refused_by_the_name_of_the_server(
    tmp_path: Path,
) -> None:
    with cluster(tmp_path) as nodes:
        for node, name, wrong in (
            (nodes.nodes[0], "min-replicas-to-write", "0"), (nodes.nodes[4], "appendfsync", "no"),
        ):  # fmt: skip
            node.ask("CONFIG", "SET", name, wrong)
            told = refusal(REDIS_URL=nodes.url, RQ_URL="redis://127.0.0.1:1/0")
            assert told.startswith(f"The store's server 127.0.0.1:{node.port} could lose")
            assert f"{name} {wrong} where" in told
            node.ask("CONFIG", "SET", name, "1" if wrong == "0" else "always")


def test_a_frozen_server_holds_up_only_its_own_tables(tmp_path: Path) -> None:
    """An API process has one thread: it must not wait for a server that is known to be away."""
    with (
        # Long enough that whoever waits for it is told from whoever is only slow.
        cluster(tmp_path, node_timeout_ms=60_000) as nodes,
        connect(nodes.url, timeout=WAITS) as client,
    ):
        store = EventStore(client)
        for part in range(3):
            append(store, 0, table=tables_of(part, 1, "x")[0])
        frozen = owner_of(nodes, 0)
        replica_of(nodes, frozen).signal(signal.SIGSTOP)
        frozen.signal(signal.SIGSTOP)
        try:
            with pytest.raises(StoreError):
                store.read(tables_of(0, 1, "x")[0])
            begun = monotonic()
            for _ in range(5):
                with pytest.raises(StoreError):
                    store.read(tables_of(0, 1, "x")[0])
                assert len(store.read(tables_of(1, 1, "x")[0])) == 1
            assert monotonic() - begun < WAITS
        finally:
            frozen.signal(signal.SIGCONT)
