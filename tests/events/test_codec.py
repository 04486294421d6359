"""Events to bytes and back, over whole games of the catalogue."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest
import rfc8785

from domain.catalogue import games
from domain.game import AnyGame, Seat
from domain.sealed import Sealed, audience, public_face, sealed_face
from domain.selfplay import selfplay
from domain.table.events import TABLE_EVENTS, PositionSet
from domain.value import Value
from events import codec
from events.recorded import Recorded, join


@pytest.fixture(params=sorted(games()))
def game(request: pytest.FixtureRequest) -> AnyGame:
    return games()[request.param]


def played(game: AnyGame, seed: int = 0) -> Iterator[tuple[Recorded, Any]]:
    """Answer every event of a game for each seat count, with its record."""
    for seats in game.seats:
        version = 0
        for step in selfplay(game, seats, seed=f"{seed} {seats}"):
            records = codec.record(game, "a table", version, 1000 + version, step.events)
            yield from zip(records, step.events, strict=True)
            version += len(records)


def test_what_was_recorded_decodes_to_the_same_event(game: AnyGame) -> None:
    for recorded, event in played(game):
        assert codec.decode(recorded, game) == event


def test_faces_are_in_rfc_8785_form(game: AnyGame) -> None:
    for recorded, event in played(game):
        assert recorded.public == rfc8785.dumps(plain(public_face(event)))
        if sealed_face(event):
            assert recorded.sealed == rfc8785.dumps(plain(sealed_face(event)))


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def test_the_envelope_says_who_acted_and_who_may_read(game: AnyGame) -> None:
    kinds = set()
    for recorded, event in played(game):
        kinds.add(recorded.kind)
        assert recorded.kind == type(event).__name__
        assert recorded.seat == getattr(event, "seat", None)
        assert recorded.audience == audience(event)
        assert (recorded.audience is None) == (recorded.sealed == b"")
        assert not set(public_face(event)) & set(sealed_face(event))
    assert {kind.__name__ for kind in game.events} >= kinds - {
        kind.__name__ for kind in TABLE_EVENTS
    }


def test_versions_follow_each_other() -> None:
    game = games()["potage_sauvage"]
    step = next(iter(selfplay(game, 2)))
    records = codec.record(game, "t", 7, 5, step.events, trace="abc")
    assert [each.version for each in records] == list(range(8, 8 + len(step.events)))
    assert {(each.table, each.at, each.trace) for each in records} == {("t", 5, "abc")}


def test_a_position_is_decoded_as_the_state_of_its_game(game: AnyGame) -> None:
    for step in selfplay(game, game.seats[0]):
        event = PositionSet(step.after.play)
        (recorded,) = codec.record(game, "t", 2, 5, [event])
        assert codec.decode(recorded, game) == event
        assert recorded.audience == ()


def test_a_table_tells_its_game() -> None:
    game = games()["potage_sauvage"]
    step = next(iter(selfplay(game, 2)))
    opened, *_ = codec.record(game, "t", 0, 5, step.events)
    assert codec.opened_game(opened) is game


class CardDropped(Value):
    seat: Seat
    cards: tuple[str, ...]
    hidden: Sealed[int]

    def audience(self) -> tuple[Seat, ...]:
        return (Seat(1), Seat(0))


def listed(fields: dict[str, Any]) -> dict[str, Any]:
    card = fields.pop("card")
    return fields | {"cards": [card]}


def hid(fields: dict[str, Any]) -> dict[str, Any]:
    return fields | {"hidden": len(fields["cards"])}


@pytest.fixture
def grown() -> AnyGame:
    """A game whose event changed twice since its first tables were played."""
    upcasts = {("CardDropped", 1): listed, ("CardDropped", 2): hid}
    game = games()["potage_sauvage"]
    return replace(game, name="changed", events=(CardDropped,), upcasts=upcasts)


def stored(public: bytes, schema: int, sealed: bytes = b"") -> Recorded:
    return Recorded("t", 3, "CardDropped", schema, 5, 1, None, public, sealed)


def test_an_old_event_goes_through_every_upcast_since(grown: AnyGame) -> None:
    event = codec.decode(stored(b'{"card":"I3","seat":1}', 1), grown)
    assert event == CardDropped(Seat(1), ("I3",), 1)


def test_a_younger_one_goes_through_the_later_upcasts_only(grown: AnyGame) -> None:
    event = codec.decode(stored(b'{"cards":["I3","I4"],"seat":1}', 2), grown)
    assert event == CardDropped(Seat(1), ("I3", "I4"), 2)


def test_a_new_one_is_recorded_under_the_newest_schema(grown: AnyGame) -> None:
    event = CardDropped(Seat(1), ("I3",), 8)
    (recorded,) = codec.record(grown, "t", 2, 5, [event])
    assert recorded.schema == 3
    assert recorded.audience == (0, 1)
    assert codec.decode(recorded, grown) == event


@pytest.mark.parametrize("schema", [0, 4])
def test_a_schema_that_is_not_known_is_refused(grown: AnyGame, schema: int) -> None:
    with pytest.raises(codec.UnknownKind, match=f"schema {schema}"):
        codec.decode(stored(b"{}", schema), grown)


def test_a_kind_that_is_not_known_is_refused() -> None:
    recorded = Recorded("t", 3, "CardEaten", 1, 5, 1, None, b"{}", b"")
    for game in (None, games()["potage_sauvage"]):
        with pytest.raises(codec.UnknownKind, match="CardEaten"):
            codec.decode(recorded, game)


def test_a_missed_upcast_does_not_pass_silently(grown: AnyGame) -> None:
    with pytest.raises(msgspec.ValidationError, match="missing required field"):
        codec.decode(stored(b'{"card":"I3","seat":1}', 3), grown)


def test_an_event_of_the_same_name_in_another_game_is_another_kind(grown: AnyGame) -> None:
    assert "CardDropped" in codec.kinds(grown)
    assert "CardDropped" not in codec.kinds(games()["potage_sauvage"])
    again = replace(grown, upcasts={})
    assert codec.kinds(again)["CardDropped"].schema == 1
    assert codec.kinds(grown)["CardDropped"].schema == 3


@pytest.mark.parametrize(
    ("public", "sealed", "both"),
    [
        (b'{"a":1}', b'{"b":2}', b'{"a":1,"b":2}'),
        (b"{}", b'{"b":2}', b'{"b":2}'),
        (b'{"a":1}', b"{}", b'{"a":1}'),
        (b'{"a":1}', b"", b'{"a":1}'),
        (b"{}", b"", b"{}"),
    ],
)
def test_faces_join_to_one_object(public: bytes, sealed: bytes, both: bytes) -> None:
    assert join(public, sealed) == both
    assert stored(public, 1, sealed).joined == both
