"""Everything that a reader can ask of a table, asked of both worlds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from domain.dice import Dice
from domain.game import Seat
from domain.table.state import Occupant
from domain.table.view import to_move
from domain.value import changed
from domain.wire import plain_command
from events import keys
from service.agents.actions import actions_of
from service.doctor.histories import check_feeds, check_history
from service.doctor.read_models import check_read_models
from tests.noninterference.positions import Pair, Step
from tests.noninterference.worlds import Reader, Worlds
from tests.service.asking import Api
from tests.workers.sittings import catch_up, following
from workers import bots
from workers.projections.tables import GENERATION
from workers.scripts import ask
from workers.webhooks import hooks
from workers.webhooks.delivery import headers
from workers.webhooks.messages import read_pending

NOBODY: Final = Reader("nobody")

MALFORMED: Final[tuple[Any, ...]] = (
    {}, {"type": "nothing"}, {"type": 1}, {"type": "pass", "more": True}, {"type": []},
)  # fmt: skip


@dataclass
class Watched:
    """A table in both worlds as one viewer and those who know less read it."""

    worlds: Worlds
    table: str
    pair: Pair
    stranger: Reader
    version: int = 0

    @property
    def path(self) -> str:
        """Answer where the table is."""
        return f"/v1/tables/{self.table}"

    @property
    def own(self) -> Reader | None:
        """Answer the viewer if it has a seat."""
        viewer = self.pair.viewer
        return None if isinstance(viewer, str) else self.worlds.players[viewer]

    def some(self, dice: Dice) -> list[Reader]:
        """Answer the viewer, and one of those who have no seat."""
        return [*([self.own] if self.own else []), (self.stranger, NOBODY)[dice.pick(2)]]

    @property
    def readers(self) -> list[Reader]:
        """Answer who reads: nobody may be told more than the viewer knows."""
        return [each for each in (self.own, self.stranger, NOBODY) if each is not None]

    def ask(self, reader: Reader, method: str, path: str, body: Any = None, **more: Any) -> Any:
        """Ask about the table."""
        return self.worlds.ask(reader, method, self.path + path, body, **more)

    @property
    def others(self) -> list[Reader]:
        """Answer the other seats: what they are told may differ, but must stay with them."""
        players = self.worlds.players[: self.pair.seats]
        return [each for each in players if each is not self.own]

    def others_look(self) -> None:
        """Let another seat read first, whose answers might be handed on to somebody else."""
        other = self.others[self.version % len(self.others)]
        for place in ("", "/events", "/record?redaction=seat"):
            self.worlds.silently(other, self.path + place)

    def look(self, reader: Reader, dice: Dice) -> None:
        """Look at the table as it is, from everywhere, and again if nothing is new."""
        view = self.ask(reader, "GET", "")
        self.version = view["version"]
        seat = view["viewer"]["seat"]
        tag = f'"{self.version}.{"s" if seat is None else seat}.{GENERATION}"'
        self.ask(reader, "GET", "", If_None_Match=tag)
        seat = dice.pick(self.pair.seats)
        for query in (
            f"as={seat}",
            "as=spectator",
            "as=arbiter",
            f"min_version={self.version + 1}",
        ):
            self.ask(reader, "GET", f"?{query}")
        self.ask(reader, "GET", f"/events?after={max(0, self.version - 8)}")

    def read_back(self, reader: Reader, first: int = 1) -> None:
        """Read every version since one, all that happened in both languages, and the record."""
        for version in range(first, self.version + 1):
            self.ask(reader, "GET", f"?version={version}")
        self.ask(reader, "GET", f"?version={self.version + 1}")
        self.ask(reader, "GET", f"?version={self.version}&as=0")
        for language in ("en", "fr"):
            self.ask(reader, "GET", "/events", Accept_Language=language)
        self.ask(reader, "GET", f"/events?after={self.version // 2}&limit=3")
        for query in (
            "", "?redaction=seat", "?redaction=full", f"?after={self.version // 2}",
            "?redaction=seat&as=0", "?redaction=seat&as=1",
        ):  # fmt: skip
            self.ask(reader, "GET", f"/record{query}")

    def send(self, step: Step, key: str) -> None:
        """Send the commands of a step, each in its world; compare the answers if the viewer may."""
        sender = self.worlds.players[step.seat]
        path, chances = f"{self.path}/commands", step.went.chances
        left, right = (plain_command(each) for each in (step.left, step.right))
        more: dict[str, Any] = {"Idempotency_Key": key, "Prefer": "return=representation"}
        if step.seat == self.pair.viewer:
            first = self.worlds.ask(sender, "POST", path, left, chances=chances, **more)
            again = self.worlds.ask(sender, "POST", path, left, **more)
            assert first["version"] == again["version"]
            self.worlds.ask(sender, "POST", path, {"type": "nothing"}, Idempotency_Key=key)
        else:
            self.worlds.tell(sender, path, left, right, chances=chances, **more)
        self.pair = step.after
        self.worlds.reached(self.table, self.pair)

    def refused(self, bodies: Sequence[Any]) -> None:
        """Try what does not count: illegal commands, and legal ones at a version that is none."""
        own = self.own
        for number, body in enumerate(bodies):
            key = f"no-{self.version}-{number}"
            if own is not None:
                stale = {"If_Match": '"0"'} if self._legal(body) else {}
                self.ask(own, "POST", "/commands", body, Idempotency_Key=key, **stale)
        reader, body = self.readers[self.version % len(self.readers)], bodies[0]
        self.ask(reader, "POST", "/commands", body, Idempotency_Key="of-all", If_Match='"1"')
        self.ask(reader, "POST", "/commands", body)
        self.ask(reader, "POST", "/seats", {})
        self.ask(reader, "DELETE", "/seats/0")

    def _legal(self, body: Any) -> bool:
        viewer = self.pair.viewer
        assert not isinstance(viewer, str)
        legal = self.pair.game.moves(self.pair.left, Seat(viewer))
        return body in [plain_command(each) for each in legal]

    def commands(self) -> tuple[Any, ...]:
        """Answer every command that the game's schema knows, and some that it does not."""
        return (*actions_of(self.pair.game.name, self.pair.seats).commands, *MALFORMED)

    def fork(self, reader: Reader, dice: Dice) -> None:
        """Open what-ifs: dealt again by the same dice they are equal to the last sealed byte."""
        most = self.version
        for number, version in enumerate({most, 3 + self.pair.seats + dice.pick(most)}):
            bots = {} if number else {str(seat): "random" for seat in range(1, self.pair.seats)}
            body = {"version": version, "bots": bots, "seat": 0}
            key = f"fork-{reader.name}-{number}"
            made = self.ask(reader, "POST", "/forks", body, Idempotency_Key=key)
            if made is None or "id" not in made:
                continue
            path = f"/v1/tables/{made['id']}"
            for place in ("", "/events", "/record", "/record?redaction=seat"):
                # Nothing is blotted out: equal hashes say that what is sealed is equal too.
                self.worlds.ask(reader, "GET", path + place, blot=False)

    def bots(self) -> None:
        """Let a bot of each level choose in the viewer's place, as the server lets bots choose."""
        viewer = self.pair.viewer
        if isinstance(viewer, str):
            return
        for level in self.pair.game.bots:
            chosen = self.worlds.both(
                f"bot {level}",
                lambda api, level=level: _chosen(api, self.table, Seat(viewer), level),  # type: ignore[misc]
            )
            self.worlds.tally.same("bot", f"{level} of {self.table}", *chosen)

    def lists(self) -> None:
        """Let followers catch up, and read the lists, the ready views and what webhooks hear."""
        self.worlds.both("follow", followed)
        for reader in self.readers:
            for path in ("/v1/tables", f"/v1/tables?phase=playing&game={self.pair.game.name}"):
                self.worlds.ask(reader, "GET", path)
            for path in ("/v1/me/tables", "/v1/me/tables?waiting=true", "/v1/me"):
                self.worlds.ask(reader, "GET", path)
            self.ask(reader, "GET", "")

    def operator(self) -> None:
        """Read what whoever runs the server is told without looking into the store."""
        self.worlds.ask(NOBODY, "GET", "/metrics")
        self.worlds.ask(NOBODY, "GET", "/readyz")
        found = self.worlds.both("doctor", lambda api: [*_examined(api, self.table)])
        self.worlds.tally.same("doctor", self.table, *found)


def subscribe(worlds: Worlds, watched: Watched) -> list[str]:
    """Let the viewer and a stranger hear of the table by webhooks; answer their ids."""
    kinds = ["table.changed", "table.turn", "table.over"]
    made = []
    for reader in watched.readers:
        if reader.player is not None:
            player = reader.player
            found, _ = worlds.both(
                f"hook of {reader.name}",
                lambda api, player=player: (
                    hooks.register(  # type: ignore[misc]
                        api.parts.client,
                        player,
                        "https://example.com/",
                        kinds,
                        1,
                        table=watched.table,
                    ).id
                ),
            )
            made.append(found)
    return made


def deliveries(worlds: Worlds, made: Sequence[str]) -> None:
    """Compare what waits to be sent, and how it is signed."""
    for hook in made:
        found = worlds.both(f"messages of {hook}", lambda api, hook=hook: _messages(api, hook))  # type: ignore[misc]
        assert found[0], "nothing waits"
        worlds.tally.same("webhook", hook, *found)


def _messages(api: Api, hook: str) -> list[Any]:
    client = api.parts.client
    known = hooks.find(client, hook, 1)
    assert known is not None
    reply = ask(client, ("HGETALL", keys.webhook(hook, "pending")))[0]
    waiting = read_pending(dict(zip(reply[::2], reply[1::2], strict=True)))
    return [
        (each, headers(known.secrets, each.id(hook), each.first, each.body)) for each in waiting
    ]


def _chosen(api: Api, table: str, seat: Seat, level: str) -> Any:
    """Answer what a bot does if it holds a seat that the table waits for."""
    loaded = api.parts.door.load(table)
    state = loaded.state
    if seat not in to_move(state):
        return None
    chairs = [*state.chairs]
    chairs[seat] = Occupant(None, level, "")
    held = changed(state, chairs=tuple(chairs))
    return plain_command(bots.choose(changed(loaded, state=held), seat))


def followed(api: Api) -> None:
    follower = following(api.parts.door.store)
    catch_up(follower)
    follower.end()


def _examined(api: Api, table: str) -> Iterator[Any]:
    store = api.parts.door.store
    yield from check_feeds(store)
    yield check_history(store, table)[1]
    yield from check_read_models(store, [table])
