"""Values: what states, events and commands are made of; frozen, equal if they hold the same.

A history is folded event by event, and making values is most of that work: msgspec makes and
copies them ten times as fast as dataclasses do, and reads them from JSON without a detour.
"""

from typing import TYPE_CHECKING, dataclass_transform

from msgspec import Struct, field
from msgspec.structs import asdict, fields

if TYPE_CHECKING:
    # To a type checker it is the same function, with the same checks of names and types.
    from dataclasses import replace as changed
else:
    from msgspec.structs import replace as changed


# What never changes holds nothing that holds it: the garbage collector need not look.
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value(Struct, frozen=True, gc=False):
    """A frozen value with named fields.

    ``changed(value, name=other)`` answers a changed copy, ``fields(kind)`` what its fields are,
    and ``asdict(value)`` what they hold.
    """


__all__ = ["Value", "asdict", "changed", "fields"]
