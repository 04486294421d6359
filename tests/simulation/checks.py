"""What must hold at the end of a run, read from the store itself and through the API."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from events import keys
from events.entries import history_of
from events.loaded import BrokenHistory, Loaded
from events.recorded import Recorded
from events.store import command_key
from tests.simulation.players import Network, Player
from tests.simulation.processes import Request
from tests.simulation.server import Server
from workers.bots import waited_for
from workers.projections import PROJECTIONS, listing
from workers.projections.keyframes import KEYFRAMES
from workers.projections.lobby import LOBBY
from workers.projections.players import PLAYERS
from workers.projections.shape import Sitting, unseen
from workers.projections.tables import TABLES, render
from workers.status import CONSUMERS


class Wrong(AssertionError):  # noqa: N818 - a run says it of itself
    """Say what does not hold."""


@dataclass(slots=True)
class Truth:
    """Every table as its stored events make it."""

    store: Server
    sittings: dict[str, Sitting] = field(default_factory=dict)
    folds: dict[str, list[Loaded]] = field(default_factory=dict)
    """Table -> how it was at each version."""

    def __post_init__(self) -> None:
        for partition in range(keys.PARTITIONS):
            for name in self._value(keys.tables(partition)) or ():
                self._fold(name.decode())

    def _value(self, key: str) -> Any:
        return self.store.values.get(key.encode())

    def _fold(self, table: str) -> None:
        recorded = self.recorded(table)
        try:
            sitting = unseen(table)
            folds = self.folds[table] = [sitting.loaded]
            for each in recorded:
                sitting = sitting.after([each])
                folds.append(sitting.loaded)
            self.sittings[table] = sitting
        except BrokenHistory as error:
            raise Wrong(f"the history of {table} is broken: {error}") from error

    def recorded(self, table: str) -> tuple[Recorded, ...]:
        """Answer the stored events of a table."""
        stream = self._value(keys.events(table)) or ()
        return history_of(table, [[b"%d-0" % number, fields] for number, fields in stream])

    def commands(self, table: str) -> dict[str, tuple[int, int]]:
        """Answer the versions that each known command of a table led to."""
        known = (self._value(keys.commands(table)) or {}).items()
        found = {}
        for name, value in known:
            _, first, last = value.decode().split("|")
            found[name.decode()] = (int(first), int(last))
        return found


def behind(store: Server) -> str | None:
    """Answer what has still to be applied, delivered or played; None if nothing has."""
    for partition in range(keys.PARTITIONS):
        head = int(_hash(store, keys.counters(partition)).get(b"head", 0))
        reached = _hash(store, keys.checkpoints(partition))
        for consumer in CONSUMERS if head else ():
            if int(reached.get(consumer.encode(), 0)) != head:
                return f"{consumer} of partition {partition} is behind"
        for projection in PROJECTIONS:
            if projection.orders and _hash(store, listing.outbox(projection, partition)):
                return f"{projection.name} of partition {partition} has undelivered news"
    return None


def parked(store: Server) -> Iterator[str]:
    """Answer what was parked."""
    return (key.decode() for key in store.values if key.endswith(b":parked"))


def _hash(store: Server, key: str) -> Mapping[bytes, bytes]:
    found: Mapping[bytes, bytes] = store.values.get(key.encode(), {})
    return found


def check_histories(truth: Truth) -> None:
    """Versions are dense, chains lead to the stored hash, each version is of one command."""
    for table, folds in truth.folds.items():
        meta = _hash(truth.store, keys.meta(table))
        last = folds[-1]
        told = (int(meta[b"version"]), meta[b"hash"].decode(), meta[b"phase"].decode())
        if told != (last.version, last.hash.hex(), last.state.phase):
            raise Wrong(f"{table} is stored as {told}, its events make {last.version}")
        versions = [
            each
            for first, until in truth.commands(table).values()
            for each in range(first, until + 1)
        ]
        if sorted(versions) != list(range(1, last.version + 1)):
            raise Wrong(f"the commands of {table} do not account for its versions once each")


def check_feeds(truth: Truth) -> None:
    """Positions end where the counters say; every table is listed."""
    for partition in range(keys.PARTITIONS):
        head = int(_hash(truth.store, keys.counters(partition)).get(b"head", 0))
        stream = truth.store.values.get(keys.feed(partition).encode())
        if head != (stream.last if stream is not None else 0):
            raise Wrong(f"the feed of partition {partition} does not end at its counter")


def check_sent(truth: Truth, network: Network, ids: Mapping[str, str]) -> None:
    """What was acknowledged is there with the answer given; what was refused is not."""
    for sent in network.sent:
        name = command_key(ids[sent.player], sent.key, {}).id
        stored = truth.commands(sent.table).get(name) if sent.table in truth.folds else None
        if sent.accepted and sent.answer is not None:
            told = json.loads(sent.answer.body)
            if stored is None:
                raise Wrong(f"{sent.key} was acknowledged at version {told['version']} and is lost")
            if stored[1] != told["version"]:
                raise Wrong(f"{sent.key} is stored as {stored}, but {told['version']} was told")
            if truth.folds[sent.table][stored[1]].hash.hex() != told["hash"]:
                raise Wrong(f"{sent.key} was told another hash than is stored")
        elif sent.answer is not None and stored is not None and not sent.request.overtaken:
            raise Wrong(f"{sent.key} was refused ({sent.answer.body!r}) and is stored")


def check_seen(truth: Truth, network: Network, *, rewound: bool) -> None:
    """No view was older than what somebody had been told, and each is what its version makes."""
    for seen in network.seen:
        view = json.loads(seen.body)
        version = view["version"]
        if version < seen.at_least:
            raise Wrong(f"{seen.table} was shown at {version}, when {seen.at_least} was told")
        folds = truth.folds[seen.table]
        if rewound and (version >= len(folds) or folds[version].hash.hex() != view["hash"]):
            continue
        viewer = view["viewer"]["seat"]
        made = render(folds[version], "spectator" if viewer is None else viewer)
        if not seen.body.startswith(made[:-1]):
            raise Wrong(f"{seen.table} was shown at {version} as it never was")


def check_documents(truth: Truth) -> None:
    """What stands ready beside each table is what its events make."""
    for sitting in truth.sittings.values():
        for projection in (TABLES, KEYFRAMES):
            for document in projection.apply(sitting).documents:
                wanted = {
                    name.encode(): value if isinstance(value, bytes) else str(value).encode()
                    for name, value in document.fields.items()
                }
                if dict(_hash(truth.store, document.key)) != wanted:
                    raise Wrong(f"the document {document.key} is not what the events make")


def check_lists(truth: Truth, players: Sequence[Player], ids: Mapping[str, str]) -> None:
    """The lobby, everybody's lists and badges say what the events say."""
    network = players[0].network
    lobby: dict[str, dict[str, str]] = {
        n.of: {} for s in truth.sittings.values() for n in LOBBY.apply(s).news
    }
    news: dict[tuple[str, str], tuple[str, bool]] = {}
    for sitting in truth.sittings.values():
        for each in LOBBY.apply(sitting).news:
            lobby[each.of][sitting.loaded.table] = each.item
        for each in PLAYERS.apply(sitting).news:
            if each.orders[0]:
                news[each.of, sitting.loaded.table] = (each.item, each.orders[1])
    for game, items in lobby.items():
        query = f"/v1/tables?game={game}&phase=open,playing,over&limit=100"
        page = network.ask_until_answered(Request("GET", query, players[0].token))
        _compare(f"the lobby of {game}", page.body, list(items.values()))
    for player in players:
        mine = [each for (of, _), each in news.items() if of == ids[player.name]]
        page = network.ask_until_answered(Request("GET", "/v1/me/tables", player.token))
        _compare(f"the list of {player.name}", page.body, [item for item, _ in mine])
        waiting = sum(waits for _, waits in mine)
        if json.loads(page.body)["waiting"] != waiting:
            raise Wrong(f"the badge of {player.name} is not {waiting}: {page.body!r}")


def _compare(what: str, page: bytes, items: Sequence[str]) -> None:
    told = {each["id"]: each for each in json.loads(page).get("items", [])}
    wanted = {each["id"]: each for each in map(json.loads, items)}
    if told != wanted:
        raise Wrong(f"{what} says {told}, the events say {wanted}")


def waits_for_a_bot(truth: Truth) -> str | None:
    """Answer a table that waits for a bot."""
    sittings = truth.sittings.items()
    return next((t for t, each in sittings if waited_for(each.loaded.state) is not None), None)
