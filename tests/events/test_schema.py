"""Schemas of commands and options: they take exactly what the domain reads."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import pytest
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from marshmallow import Schema, ValidationError

from domain.catalogue import games
from domain.game import AnyGame, BadField, Seat
from domain.selfplay import selfplay
from domain.table.view import moves, to_move
from domain.value import Value
from domain.wire import (
    Between,
    OneOf,
    plain_command,
    read_command,
    read_fields,
    read_options,
    shape_of,
)
from events.schema import (
    NotOneOf,
    command_schemas,
    json_schema,
    load_command,
    load_options,
    options_schema,
    pointers,
    schema_of,
)

EVERY_GAME = [games()[name] for name in sorted(games())]


class Everything(Value):
    """Ask for one of each."""

    word: str
    many: Annotated[int, Between(1, 6)]
    colour: Annotated[str, OneOf(("red", "green"))]
    cards: tuple[Annotated[str, OneOf(("I1", "I2"))], ...] = ()
    seat: Seat | None = None
    truth: Literal[True] | None = None
    flag: bool = False
    as_: str | None = None
    either: Literal["any"] | tuple[int, ...] = "any"

    def __post_init__(self) -> None:
        if self.seat == 7:
            raise BadField("seat", "must not be 7")
        if self.word == "nameless":
            raise BadField("", "is no sentence")


WHOLE = {"word": "x", "many": 1, "colour": "red"}


def loaded(body: Mapping[str, Any]) -> Any:
    return schema_of(Everything, "Everything").load(body)


def faults(body: Mapping[str, Any]) -> list[tuple[str, str]]:
    with pytest.raises(ValidationError) as bad:
        loaded(body)
    return list(pointers(bad.value.messages))


def test_a_body_becomes_a_command() -> None:
    body = WHOLE | {
        "cards": ["I1", "I2"],
        "seat": 3,
        "truth": True,
        "flag": True,
        "as": "I2",
        "either": [1, 2],
    }
    assert loaded(body) == Everything(
        "x", 1, "red", ("I1", "I2"), Seat(3), True, flag=True, as_="I2", either=(1, 2)
    )
    assert loaded(WHOLE) == Everything("x", 1, "red")


@pytest.mark.parametrize(
    ("field", "value", "pointer", "code"),
    [
        ("word", 1, "/word", "wrong-type"),
        ("word", None, "/word", "wrong-type"),
        ("many", "1", "/many", "wrong-type"),
        ("many", 1.0, "/many", "wrong-type"),
        ("many", True, "/many", "wrong-type"),
        ("many", 0, "/many", "out-of-range"),
        ("many", 7, "/many", "out-of-range"),
        ("colour", "blue", "/colour", "not-one-of"),
        ("cards", "I1", "/cards", "wrong-type"),
        ("cards", {"I1": 1}, "/cards", "wrong-type"),
        ("cards", ["I1", "I9"], "/cards/1", "not-one-of"),
        ("cards", ["I1", 4], "/cards/1", "wrong-type"),
        ("seat", -1, "/seat", "out-of-range"),
        ("seat", None, "/seat", "wrong-type"),
        ("truth", False, "/truth", "not-one-of"),
        ("truth", 1, "/truth", "wrong-type"),
        ("flag", "true", "/flag", "wrong-type"),
        ("flag", 1, "/flag", "wrong-type"),
        ("as", 1, "/as", "wrong-type"),
        ("as_", "I1", "/as_", "unknown"),
        ("other", 1, "/other", "unknown"),
        ("a/b~c", 1, "/a~1b~0c", "unknown"),
        ("either", "none", "/either", "not-one-of"),
        ("either", ["x"], "/either/0", "wrong-type"),
        ("either", 5, "/either", "wrong-type"),
        ("seat", 7, "/seat", "malformed"),
        ("word", "nameless", "", "malformed"),
    ],
)
def test_a_bad_field_is_named_with_a_code(field: str, value: Any, pointer: str, code: str) -> None:
    assert faults(WHOLE | {field: value}) == [(pointer, code)]


def test_a_missing_field_is_named() -> None:
    assert faults({"word": "x", "many": 3}) == [("/colour", "missing")]


def test_every_bad_field_is_named() -> None:
    assert sorted(faults({"word": 1, "colour": "blue", "extra": 1})) == [
        ("/colour", "not-one-of"),
        ("/extra", "unknown"),
        ("/many", "missing"),
        ("/word", "wrong-type"),
    ]


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.sampled_from(["x", "I1", "red", "any"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=1),
    max_leaves=3,
)
NAMES = [field.name for field in shape_of(Everything)]


@given(st.dictionaries(st.sampled_from([*NAMES, "other"]), anything))
@settings(max_examples=100)
def test_a_schema_takes_exactly_what_the_domain_reads(body: dict[str, Any]) -> None:
    for each in (body, WHOLE | body):
        try:
            expected = read_fields(Everything, each)
        except BadField:
            with pytest.raises(ValidationError):
                loaded(each)
        else:
            assert loaded(each) == expected


@given(st.dictionaries(st.sampled_from([*NAMES, "other"]), anything))
@settings(max_examples=50)
def test_a_schema_takes_what_its_documentation_allows(body: dict[str, Any]) -> None:
    documented = Draft202012Validator(openapi(schema_of(Everything, "Everything")))
    for each in (body, WHOLE | body):
        try:
            loaded(each)
        except ValidationError as bad:
            if "malformed" not in dict(map(reversed, pointers(bad.messages))):  # type: ignore[arg-type]
                assert not documented.is_valid(each) or has_fraction(each)
        else:
            assert documented.is_valid(each)


def has_fraction(body: Any) -> bool:
    return "1.0" in json.dumps(body)


def openapi(schema: Schema) -> dict[str, Any]:
    spec = APISpec("t", "1", openapi_version="3.1.0", plugins=[MarshmallowPlugin()])
    spec.components.schema("It", schema=schema)
    found: dict[str, Any] = spec.to_dict()["components"]["schemas"]["It"]
    return found


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.name)
def test_every_move_of_a_game_passes_the_schema_of_its_type(game: AnyGame) -> None:
    documented = {
        name: Draft202012Validator(openapi(schema))
        for name, schema in command_schemas(game).items()
    }
    for step in selfplay(game, game.seats[0]):
        for seat in to_move(step.after):
            for move in moves(step.after, seat):
                body = json.loads(json.dumps(plain_command(move)))
                assert load_command(game, body) == move == read_command(game, body)
                assert documented[body["type"]].is_valid(body)


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.name)
def test_the_schemas_of_games_have_names_of_their_own(game: AnyGame) -> None:
    names = {type(schema).__name__ for schema in command_schemas(game).values()}
    names.add(type(options_schema(game)).__name__)
    others = {
        type(schema).__name__
        for other in EVERY_GAME
        if other is not game
        for schema in command_schemas(other).values()
    }
    assert len(names) == len(game.commands) + 1
    assert not names & others


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.name)
def test_empty_options_are_the_defaults(game: AnyGame) -> None:
    for seats in game.seats:
        assert load_options(game, {}, seats) == read_options(game, {}, seats)
    assert openapi(options_schema(game))["type"] == "object"


POTAGE = games()["potage_sauvage"]


def test_a_value_that_is_none_of_several_is_told_which_there_are() -> None:
    told: dict[str, Any] = {}
    for body in ({"type": "eat_card"}, {"type": "choose_recipe", "recipe": "soup"}):
        with pytest.raises(ValidationError) as bad:
            load_command(POTAGE, body)
        told |= dict(pointers(bad.value.messages))
    assert all(isinstance(code, NotOneOf) for code in told.values())
    assert told["/type"].allowed == tuple(command_schemas(POTAGE))
    assert "waste" in told["/recipe"].allowed
    assert "soup" not in told["/recipe"].allowed


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({}, "/type", "missing"),
        ({"type": 1}, "/type", "wrong-type"),
        ({"type": "eat_card"}, "/type", "not-one-of"),
        ({"type": "play_card"}, "/card", "missing"),
        ({"type": "play_card", "card": "I9"}, "/card", "not-one-of"),
        ({"type": "play_card", "card": "I3", "seat": 0}, "/seat", "unknown"),
        ([], "", "wrong-type"),
        ("play_card", "", "wrong-type"),
    ],
)
def test_a_body_that_is_no_command_is_refused(body: Any, pointer: str, code: str) -> None:
    with pytest.raises(ValidationError) as bad:
        load_command(POTAGE, body)
    assert list(pointers(bad.value.messages)) == [(pointer, code)]


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"first_dealer": 2}, "/first_dealer", "out-of-range"),
        ({"first_dealer": None}, "/first_dealer", "wrong-type"),
        ({"first": 1}, "/first", "unknown"),
        ([], "", "wrong-type"),
    ],
)
def test_options_that_make_no_table_are_refused(body: Any, pointer: str, code: str) -> None:
    with pytest.raises(ValidationError) as bad:
        load_options(POTAGE, body, 2)
    assert list(pointers(bad.value.messages)) == [(pointer, code)]


class Some(Value):
    """Agree on something."""

    rounds: Annotated[int, Between(1, 6)] | None = None
    mages: Literal["random"] | tuple[str, ...] | None = "random"
    deck: Literal["short", "long"] | None = None


def test_null_is_a_value_of_an_option() -> None:
    schema = schema_of(Some, "Some", null_is_a_value=True)
    assert schema.load({"rounds": None, "mages": None}) == Some(None, None)
    documented = Draft202012Validator(openapi(schema))
    good: list[dict[str, Any]] = [
        {"rounds": None},
        {"rounds": 3},
        {"deck": None},
        {"deck": "long"},
        {"mages": None},
        {"mages": ["a"]},
    ]
    bad: list[dict[str, Any]] = [{"rounds": 0}, {"rounds": "1"}, {"mages": 1}, {"deck": "all"}]
    for body in good:
        assert documented.is_valid(body)
        schema.load(body)
    for body in bad:
        assert not documented.is_valid(body)
        with pytest.raises(ValidationError):
            schema.load(body)


def test_a_shape_has_a_json_schema() -> None:
    shapes = {field.name: json_schema(field.shape) for field in shape_of(Everything)}
    assert shapes["many"] == {"type": "integer", "minimum": 1, "maximum": 6}
    assert shapes["cards"] == {
        "type": "array",
        "items": {"type": "string", "enum": ["I1", "I2"]},
    }
    assert shapes["either"] == {
        "anyOf": [
            {"type": "string", "enum": ["any"]},
            {"type": "array", "items": {"type": "integer"}},
        ]
    }
