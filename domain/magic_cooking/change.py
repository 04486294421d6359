"""A changed copy of a state, in less than half the time of ``dataclasses.replace``.

A history is folded event by event, and copying the state is most of that work: reading all fields
at once and setting the slots directly saves the loop over fields and the checks of ``__init__``.
"""

from operator import attrgetter

from domain.magic_cooking.state import State

NAMES: tuple[str, ...] = tuple(State.__dataclass_fields__)
_read = attrgetter(*NAMES)
_set = {name: getattr(State, name).__set__ for name in NAMES}
_set_all = tuple(_set.values())


def changed(state: State, **fields: object) -> State:
    """Answer a copy of a state with some fields changed; raise KeyError for an unknown field."""
    copy: State = object.__new__(State)
    for set_field, value in zip(_set_all, _read(state), strict=True):
        set_field(copy, value)
    for name, value in fields.items():
        _set[name](copy, value)
    return copy
