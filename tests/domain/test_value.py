"""Values never change; a changed copy differs in what was asked for."""

import pytest

from domain.table.state import NOWHERE
from domain.value import changed


def test_a_changed_copy_differs_in_what_was_asked_for() -> None:
    other = changed(NOWHERE, phase="open", rolls=3)
    assert (other.phase, other.rolls) == ("open", 3)
    assert (NOWHERE.phase, NOWHERE.rolls) == ("unopened", 0)
    assert changed(other, phase="unopened", rolls=0) == NOWHERE == changed(NOWHERE)


def test_an_unknown_field_is_a_mistake() -> None:
    with pytest.raises(TypeError):
        changed(NOWHERE, face="open")  # type: ignore[call-arg]


def test_a_changed_copy_is_frozen_too() -> None:
    with pytest.raises(AttributeError):
        changed(NOWHERE, rolls=1).rolls = 2  # type: ignore[misc]
