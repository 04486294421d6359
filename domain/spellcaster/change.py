"""A changed copy of a state, in less than half the time of ``dataclasses.replace``.

A history is folded event by event, and copying the state is most of that work: reading all fields
at once and setting the slots directly saves the loop over fields and the checks of ``__init__``.
"""

from operator import attrgetter
from typing import TYPE_CHECKING

from domain.spellcaster.state import State

if TYPE_CHECKING:
    # To a type checker it is the same function, with the same checks of names and types.
    from dataclasses import replace as changed
else:
    NAMES = tuple(State.__dataclass_fields__)
    PLACE = {name: i for i, name in enumerate(NAMES)}
    _read = attrgetter(*NAMES)
    _set_all = tuple(getattr(State, name).__set__ for name in NAMES)

    def changed(state: State, **fields: object) -> State:
        """Answer a copy of a state with some fields changed; KeyError for an unknown field."""
        values = list(_read(state))
        for name, value in fields.items():
            values[PLACE[name]] = value
        copy = object.__new__(State)
        for set_field, value in zip(_set_all, values, strict=True):
            set_field(copy, value)
        return copy


__all__ = ["changed"]
