"""The two faces of an event: what everybody may read, and what only its audience may."""

from collections.abc import Iterable
from typing import Annotated, Any, Final, TypeVar, get_type_hints

from domain.remember import remembered
from domain.value import fields

T = TypeVar("T")


class _Seal:
    """Mark a field of an event as sealed."""

    def __repr__(self) -> str:
        return "SEALED"


SEALED: Final = _Seal()
Sealed = Annotated[T, SEALED]
"""``cards: Sealed[tuple[Card, ...]]`` is readable by the event's audience only."""


@remembered
def face_fields(kind: type) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Answer the names of a kind's public fields and of its sealed fields, each sorted."""
    hints = get_type_hints(kind, include_extras=True)
    names = sorted(field.name for field in fields(kind))
    sealed = [name for name in names if SEALED in getattr(hints[name], "__metadata__", ())]
    return tuple(name for name in names if name not in sealed), tuple(sealed)


def audience(event: object) -> tuple[int, ...] | None:
    """Answer the seats that may read the sealed face: () is nobody, None is no sealed face."""
    if not face_fields(type(event))[1]:
        return None
    heard: Iterable[int] = event.audience()  # type: ignore[attr-defined]
    return tuple(sorted(heard))


def public_face(event: object) -> dict[str, Any]:
    """Build what everybody may read of an event."""
    return {name: getattr(event, name) for name in face_fields(type(event))[0]}


def sealed_face(event: object) -> dict[str, Any]:
    """Build what only the audience of an event may read."""
    return {name: getattr(event, name) for name in face_fields(type(event))[1]}


def face_for(event: object, viewer: object) -> dict[str, Any]:
    """Build what one viewer is told of an event; a sealed field is absent, never null."""
    told = public_face(event)
    if viewer in (audience(event) or ()):
        told |= sealed_face(event)
    return told
