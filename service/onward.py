"""Where an answer leads: links to the operations that go on from it, with what they take from it.

They are OpenAPI's runtime expressions; machines that walk the API follow them.
"""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

Links: TypeAlias = Mapping[str, Mapping[str, str]]
Bodies: TypeAlias = Mapping[str, Any]

_SEEN: Final = {"table": "$response.body#/id"}
_SAME: Final = {"table": "$request.path.table"}
_READ: Final = ("get_table", "list_events", "get_record")

FROM_VIEW: Final[Links] = {
    **dict.fromkeys((*_READ, "take_seat", "send_command", "fork_table"), _SEEN),
    "leave_seat": _SEEN | {"seat": "$response.body#/viewer/seat"},
}
FROM_VIEW_BODIES: Final[Bodies] = {
    "send_command": "$response.body#/moves/0",
    "fork_table": {"version": "$response.body#/version"},
}

FROM_OVER: Final[Links] = dict.fromkeys((*_READ, "fork_table"), _SEEN)

FROM_SEAT: Final[Links] = {
    **dict.fromkeys(_READ, _SAME),
    "leave_seat": _SAME | {"seat": "$response.body#/seat"},
}

FROM_MOVE: Final[Links] = dict.fromkeys((*_READ, "fork_table"), _SAME)
FROM_MOVE_BODIES: Final[Bodies] = {"fork_table": {"version": "$response.body#/version"}}
