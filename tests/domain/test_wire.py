"""Commands and options as JSON, both ways, and what is refused."""

from typing import Annotated, Literal, NewType, Self

import pytest

from domain.game import BadField, Seat
from domain.value import Value
from domain.wire import (
    Between,
    OneOf,
    plain_command,
    plain_options,
    read_fields,
    shape_of,
    type_name,
)

Herb = NewType("Herb", str)
SAGE, THYME = Herb("sage"), Herb("thyme")


class PickHerbs(Value):
    herbs: tuple[Annotated[Herb, OneOf(("sage", "thyme"))], ...]
    as_: Annotated[Herb, OneOf(("sage", "thyme"))] | None = None
    whose: Seat | None = None
    again: Literal[True] | None = None


class Choices(Value):
    pots: Annotated[int, Between(1, 6)] | None = None
    order: Literal["random"] | tuple[str, ...] = "random"
    hot: bool = True

    def settled(self, seats: int) -> Self:
        return self


def test_the_wire_name_of_a_command_is_its_class_name_in_snake_case() -> None:
    assert type_name(PickHerbs) == "pick_herbs"


def test_a_trailing_underscore_is_not_on_the_wire() -> None:
    assert [field.name for field in shape_of(PickHerbs)] == ["herbs", "as", "whose", "again"]


def test_a_command_is_written_without_the_fields_that_are_absent() -> None:
    assert plain_command(PickHerbs((SAGE,), whose=Seat(0))) == {
        "type": "pick_herbs",
        "herbs": ("sage",),
        "whose": 0,
    }


def test_a_command_is_read_back() -> None:
    body = {"herbs": ["sage", "thyme"], "as": "sage", "again": True}
    assert read_fields(PickHerbs, body) == PickHerbs((SAGE, THYME), as_=SAGE, again=True)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "herbs"),
        ({"herbs": "sage"}, "herbs"),
        ({"herbs": ["sage", "salt"]}, "herbs/1"),
        ({"herbs": [], "as": None}, "as"),
        ({"herbs": [], "as": 1}, "as"),
        ({"herbs": [], "whose": -1}, "whose"),
        ({"herbs": [], "whose": True}, "whose"),
        ({"herbs": [], "again": False}, "again"),
        ({"herbs": [], "as_": "sage"}, "as_"),
    ],
)
def test_a_malformed_command_names_its_field(body: dict[str, object], field: str) -> None:
    with pytest.raises(BadField) as bad:
        read_fields(PickHerbs, body)
    assert bad.value.field == field


@pytest.mark.parametrize("body", [None, [], ["herbs"], "herbs", 1, True])
def test_only_an_object_has_fields(body: object) -> None:
    with pytest.raises(BadField, match="must be an object"):
        read_fields(PickHerbs, body)


def test_null_is_a_value_of_an_option() -> None:
    read = read_fields(Choices, {"pots": None}, optional_is_absent=False)
    assert plain_options(read) == {"pots": None, "order": "random", "hot": True}


@pytest.mark.parametrize("order", ["random", ["a", "b"]])
def test_an_option_may_have_several_shapes(order: object) -> None:
    read = read_fields(Choices, {"order": order}, optional_is_absent=False)
    assert read.order == (tuple(order) if isinstance(order, list) else order)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"pots": 0}, "at least 1"),
        ({"pots": 7}, "at most 6"),
        ({"order": "by age"}, "one of random"),
        ({"hot": 1}, "true or false"),
        ({"cold": True}, "not a field"),
    ],
)
def test_an_option_out_of_range_says_what_is_wanted(body: dict[str, object], reason: str) -> None:
    with pytest.raises(BadField, match=reason):
        read_fields(Choices, body, optional_is_absent=False)


def test_a_field_without_a_form_in_json_is_a_mistake_of_the_game() -> None:
    class Odd(Value):
        when: complex

    with pytest.raises(TypeError, match="no JSON shape"):
        shape_of(Odd)
