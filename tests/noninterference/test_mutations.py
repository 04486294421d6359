"""A server that hides too little is found out: without any one redaction something differs."""

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import wraps
from hashlib import sha256
from importlib import import_module
from itertools import cycle
from typing import Any, Final, TypeAlias

import msgspec
import pytest

from domain.catalogue import games
from domain.dice import seeded
from domain.game import AnyGame, Game, Refused
from domain.sealed import sealed_face
from domain.value import changed
from events import chain, codec
from events.recorded import Recorded
from service.live.topics import Topic
from tests.noninterference.channels import Watched, deliveries, subscribe
from tests.noninterference.positions import Told
from tests.noninterference.rounds import alike, tried
from tests.noninterference.streams import silence
from tests.noninterference.test_streams import ahead, compare
from tests.noninterference.witnesses import FIRST, MOST, Witness, sealed_kinds, steps, witness
from tests.noninterference.worlds import Different, Tally, Worlds

pytestmark = pytest.mark.timeout(600)

BY_HTTP: Final = r"^(GET|POST) "
Patch: TypeAlias = Callable[[pytest.MonkeyPatch], None]


def digest(value: Any) -> str:
    """Answer a short word that depends on every hidden card of a state."""
    return sha256(msgspec.json.encode(value)).hexdigest()[:8]


def wrapped(place: str, wrap: Callable[[Any], Any]) -> Patch:
    """Make a patch that wraps a function."""

    def patch(to: pytest.MonkeyPatch) -> None:
        module, _, name = place.rpartition(".")
        old = getattr(__import__(module, fromlist=[name]), name)
        to.setattr(place, wraps(old)(wrap(old)))

    return patch


def remade(game: AnyGame, **parts: Callable[[Any], Any]) -> Patch:
    """Make a patch that wraps parts of a game."""

    def patch(to: pytest.MonkeyPatch) -> None:
        to.setattr(Game, "__setattr__", object.__setattr__)
        for name, wrap in parts.items():
            to.setattr(game, name, wrap(getattr(game, name)))

    return patch


@pytest.fixture(scope="module")
def worlds() -> Iterator[Worlds]:
    """Make two worlds in which one test after the other spoils something and mends it again."""
    with alike(Tally(), silence) as made:
        yield made


def read(worlds: Worlds, found: Witness, patch: Patch) -> None:
    """Let something happen while something is patched, and read the table everywhere."""
    dice = seeded("mutation")
    with pytest.MonkeyPatch.context() as to:
        patch(to)
        watched = found.play(worlds)
        for reader in watched.readers:
            watched.others_look()
            watched.look(reader, dice)
        for reader in watched.readers:
            watched.read_back(reader, max(1, watched.version - 12))


def test_as_it_is_nothing_differs(worlds: Worlds) -> None:
    for name, kind in HIDING:
        read(worlds, witness(name, kind), lambda _: None)


def opened_up(kind: str) -> Patch:
    """Make the sealed fields of a kind public."""

    def other(each: Recorded) -> Recorded:
        if each.kind != kind:
            return each
        return changed(each, public=each.joined, sealed=b"", audience=None)

    return wrapped("events.codec.record", lambda old: lambda *given: tuple(map(other, old(*given))))


def told_to_everybody(kind: str) -> Patch:
    """Widen the audience of a kind to every seat."""

    def other(each: Recorded) -> Recorded:
        return changed(each, audience=tuple(range(8))) if each.kind == kind else each

    return wrapped("events.codec.record", lambda old: lambda *given: tuple(map(other, old(*given))))


@pytest.mark.parametrize("take_away", [opened_up, told_to_everybody])
@pytest.mark.parametrize(("name", "kind"), sealed_kinds())
def test_a_sealed_field_that_is_told_is_found_out(
    worlds: Worlds, name: str, kind: str, take_away: Callable[[str], Patch]
) -> None:
    with pytest.raises(Different, match=BY_HTTP):
        read(worlds, witness(name, kind), take_away(kind))


ZONES: Final = [
    ("potage_sauvage", "hands", "HandDealt"),
    ("potage_sauvage", "aside", "CardsSetAside"),
    ("potage_sauvage", "chosen", "RecipeChosen"),
    ("magic_cooking", "hands", "HandDealt"),
    ("magic_cooking", "draw_pile", "RoundStarted"),
    ("magic_cooking", "secret", "CauldronLit"),
    ("spellcaster", "hands", "HandDealt"),
    ("spellcaster", "deck", "DeckShuffled"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "zone", "kind"), ZONES)
def test_a_view_that_follows_from_a_hidden_zone_is_found_out(
    worlds: Worlds, name: str, zone: str, kind: str
) -> None:
    def wrap(old: Any) -> Any:
        def view(state: Any, viewer: Any) -> Any:
            told = {**old(state, "arbiter")}
            if viewer == "arbiter" or "open" not in told:
                return told
            return old(state, viewer) | {"locked": digest(told["open"][zone])}

        return view

    with pytest.raises(Different, match=BY_HTTP):
        read(worlds, witness(name, kind), remade(games()[name], view=wrap))


def refusing(game: AnyGame) -> Patch:
    """Let a refusal's code follow from hidden cards."""
    codes = sorted(game.texts.words["en"]["refusals"])

    def wrap(old: Any) -> Any:
        def decide(state: Any, *given: Any) -> Any:
            try:
                return old(state, *given)
            except Refused as refused:
                raise Refused(codes[int(digest(state), 16) % len(codes)]) from refused

        return decide

    return remade(game, decide=wrap)


def listing_moves(game: AnyGame) -> Patch:
    """Let the order of moves follow from hidden cards."""

    def wrap(old: Any) -> Any:
        def moves(state: Any, seat: Any) -> Any:
            return tuple(sorted(old(state, seat), key=lambda each: digest([str(each), state])))

        return moves

    return remade(game, moves=wrap)


def waiting(game: AnyGame) -> Patch:
    """Let the table wait for a seat that could do nothing else than it would do by itself."""

    def wrap(old: Any) -> Any:
        def to_move(state: Any) -> Any:
            found = old(state)
            return found[: int(digest(state), 16) % 2] if found else found

        return to_move

    return remade(game, to_move=wrap)


HIDDEN_RULES: Final = (refusing, listing_moves, waiting)


@pytest.mark.parametrize("spoil", HIDDEN_RULES)
@pytest.mark.parametrize("name", games())
def test_rules_that_answer_by_hidden_cards_are_found_out(
    worlds: Worlds, name: str, spoil: Callable[[AnyGame], Patch]
) -> None:
    # Two tables may answer alike by chance, several hardly.
    deals = [next(steps(name, number)).play(worlds) for number in range(6)]
    with pytest.MonkeyPatch.context() as to, pytest.raises(Different, match=BY_HTTP):
        # Only what comes after the deal is spoilt: dealing takes no turns.
        try_out(deals, spoil(games()[name]), to)


def try_out(tables: list[Watched], patch: Patch, to: pytest.MonkeyPatch) -> None:
    """Look at tables of a spoilt game and try what does not count."""
    patch(to)
    dice = seeded("rules")
    for watched in tables:
        for reader in watched.readers:
            watched.look(reader, dice)
    for watched in tables:
        watched.refused(tried(watched.commands(), dice))


def tell_every_face(old: Any) -> Any:
    return lambda recorded, reader: recorded.audience is not None


def say_what_is_sealed(old: Any) -> Any:
    def fields(recorded: Any, told: Any, reader: Any, game: Any) -> Any:
        event = codec.decode(recorded, game)
        return json.loads(
            msgspec.json.encode(old(recorded, told, reader, game) | sealed_face(event))
        )

    return fields


def tell_of_sizes(old: Any) -> Any:
    def notices(recorded: Any, *given: Any) -> Any:
        told = json.loads(old(recorded, *given))
        for each, event in zip(told, recorded, strict=True):
            each["size"] = digest(event.sealed.decode())
        return json.dumps(told, separators=(",", ":")).encode()

    return notices


def draw_as_the_arbiter(old: Any) -> Any:
    return lambda loaded, viewer: old(loaded, "arbiter")


def show_the_invite(old: Any) -> Any:
    def render(loaded: Any, viewer: Any) -> Any:
        invite = chain.invite(bytes.fromhex(loaded.state.key))
        return old(loaded, viewer)[:-1] + b',"invite":"%s"}' % invite.encode()

    return render


def tag_by_the_hash(old: Any) -> Any:
    def seen(version: Any, viewer: Any, body: Any) -> Any:
        return replace(old(version, viewer, body), tag=json.loads(body)["hash"])

    return seen


def open_every_line(old: Any) -> Any:
    return lambda self, audience: True


def tell_who_comes_second(old: Any) -> Any:
    def perspective(call: Any, table: Any, **more: Any) -> Any:
        found = old(call, table, **more)
        return (found + 1) % len(table.chairs) if isinstance(found, int) else "arbiter"

    return perspective


READING: Final = (
    ("events.notices.may_read", tell_every_face),
    ("events.notices._fields", say_what_is_sealed),
    ("service.views.notices", tell_of_sizes),
    ("service.views.render", draw_as_the_arbiter),
    ("service.views.render", show_the_invite),
    ("service.views._seen", tag_by_the_hash),
    ("service.views.perspective", tell_who_comes_second),
)
HIDING: Final = (
    ("potage_sauvage", "RecipeChosen"),
    ("magic_cooking", "FirstTrickTaken"),
    ("spellcaster", "CardsDrawn"),
)


@pytest.mark.parametrize(
    ("place", "wrap", "hiding"), [(*one, two) for one, two in zip(READING, cycle(HIDING))]
)
def test_a_server_that_tells_too_much_is_found_out(
    worlds: Worlds, place: str, wrap: Callable[[Any], Any], hiding: tuple[str, str]
) -> None:
    with pytest.raises(Different, match=BY_HTTP):
        read(worlds, witness(*hiding), wrapped(place, wrap))


@pytest.mark.parametrize(("name", "kind"), HIDING)
def test_a_record_that_opens_every_line_is_found_out(worlds: Worlds, name: str, kind: str) -> None:
    with pytest.raises(Different, match="record"):
        read(
            worlds,
            witness(name, kind),
            lambda to: to.setattr("events.records.lines.Header.opens", open_every_line(None)),
        )


def listed(old: Any) -> Any:
    def item(sitting: Any, **more: Any) -> Any:
        return old(sitting, **more)[:-1] + f',"hint":"{digest(sitting.loaded.state.play)}"}}'

    return item


def sent(old: Any) -> Any:
    def about(loaded: Any, entry: Any) -> Any:
        for each in old(loaded, entry):
            yield replace(
                each, body=each.body[:-1] + b',"x":"%s"}' % digest(loaded.state.play).encode()
            )

    return about


def logged(old: Any) -> Any:
    def done(call: Any, outcome: Any) -> Any:
        logging.getLogger("abraxas").debug("stored %s", outcome.recorded[-1].joined)
        logging.getLogger("abraxas").debug("it is %s", digest(outcome.loaded.state.play))
        return old(call, outcome)

    return done


def counted(old: Any) -> Any:
    def done(call: Any, outcome: Any) -> Any:
        call.parts.meters.answered(digest(outcome.loaded.state.play), 201, 0.001)
        return old(call, outcome)

    return done


def as_it_is(old: Any) -> Any:
    return lambda table, viewer, dice: table


def foreseen(old: Any) -> Any:
    return lambda loaded, seat: seeded(digest(loaded.state.play))


def found_wrong(old: Any) -> Any:
    def check(store: Any, table: str) -> Any:
        loaded, _ = old(store, table)
        return loaded, f"It holds {loaded.state.play}."

    return check


ASIDE: Final = (
    ("workers.projections.listing.item", listed, r"GET /v1/(me/)?tables"),
    ("workers.webhooks.tell.about", sent, "webhook"),
    ("service.wishes.done", logged, "log"),
    ("service.wishes.done", counted, "GET /metrics"),
    ("domain.table.fork.reshuffle", as_it_is, "POST /v1/tables/{id}/forks"),
    ("tests.noninterference.channels.check_history", found_wrong, "doctor"),
    ("workers.bots.dice", foreseen, "bot"),
)


@pytest.mark.parametrize(("place", "wrap", "channel"), ASIDE)
def test_what_is_told_aside_is_found_out(
    place: str, wrap: Callable[[Any], Any], channel: str
) -> None:
    with pytest.raises(Different, match=channel):
        read_aside(wrapped(place, wrap))


def read_aside(patch: Patch) -> None:
    """Read what there is beside a table: what-ifs, lists, webhooks, logs, metrics, the doctor."""
    dice = seeded("aside")
    with alike(Tally(), patch) as worlds:
        watched = witness("potage_sauvage", "RecipeChosen").play(worlds)
        made = subscribe(worlds, watched)
        for reader in watched.readers:
            watched.look(reader, dice)
            watched.fork(reader, dice)
        for step in ahead(watched.pair, "aside")[:1]:
            watched.send(step, "aside")
        watched.bots()
        watched.lists()
        deliveries(worlds, made)
        watched.operator()


def test_a_stream_that_hands_on_what_a_seat_was_told_is_found_out(
    worlds: Worlds, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = witness("spellcaster", "CardsDrawn")
    assert found.before
    assert found.step
    with (
        alike(Tally(), keep_the_fullest) as worlds,
        pytest.raises(Different, match=r"^(text|application)/"),
    ):
        compare(worlds, found.before, [found.step])


def keep_the_fullest(to: pytest.MonkeyPatch) -> None:
    """Let a stream tell everybody what was told to somebody."""
    said: dict[Any, bytes] = {}
    old = Topic.say

    def say(self: Topic, recorded: Recorded, reader: Any, language: str) -> bytes:
        place = (id(self), recorded.version, language)
        said[place] = max(said.get(place, b""), old(self, recorded, reader, language), key=len)
        return said[place]

    to.setattr(Topic, "say", say)


def test_a_what_if_that_keeps_what_others_have_learned_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = import_module("domain.spellcaster.reshuffle")
    monkeypatch.setattr(room, "told_to_all", lambda state, viewer: state.knowledge)
    with pytest.raises(Told, match="knows more"):
        play_on()


def play_on() -> None:
    """Play Spellcaster from where cards are stolen."""
    for number in range(FIRST["spellcaster", "CardStolen"], MOST):
        for _ in steps("spellcaster", number):
            pass
