"""Changed copies of frozen values, in less than half the time of ``dataclasses.replace``.

A history is folded event by event, and copying states is most of that work: reading all fields at
once and setting the slots directly saves the loop over fields and the checks of ``__init__``.
"""

from dataclasses import fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from domain.remember import remembered

if TYPE_CHECKING:
    # To a type checker it is the same function, with the same checks of names and types.
    from dataclasses import replace as changed
else:

    @remembered
    def _parts(kind: type) -> tuple[Any, tuple[Any, ...], dict[str, int]]:
        names = [field.name for field in fields(kind)]
        setters = tuple(getattr(kind, name).__set__ for name in names)
        return attrgetter(*names), setters, {name: place for place, name in enumerate(names)}

    def changed(value: Any, /, **others: Any) -> Any:
        """Answer a copy of a frozen slotted dataclass of two fields or more, some changed.

        Raise KeyError for an unknown field.
        """
        kind = type(value)
        read, setters, places = _parts(kind)
        values = list(read(value))
        for name, other in others.items():
            values[places[name]] = other
        copy = object.__new__(kind)
        for set_field, each in zip(setters, values, strict=True):
            set_field(copy, each)
        return copy


__all__ = ["changed"]
