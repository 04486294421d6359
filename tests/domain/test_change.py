"""A changed copy is what ``dataclasses.replace`` answers, and faster."""

from dataclasses import FrozenInstanceError, replace

import pytest

from domain.change import changed
from domain.table.state import NOWHERE


def test_a_changed_copy_is_a_replaced_copy() -> None:
    other = changed(NOWHERE, phase="open", rolls=3)
    assert other == replace(NOWHERE, phase="open", rolls=3)
    assert NOWHERE.phase == "unopened"
    assert changed(NOWHERE) == NOWHERE


def test_an_unknown_field_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        changed(NOWHERE, face="open")  # type: ignore[call-arg]


def test_a_changed_copy_is_frozen_too() -> None:
    with pytest.raises(FrozenInstanceError):
        changed(NOWHERE, rolls=1).rolls = 2  # type: ignore[misc]
