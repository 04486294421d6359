"""A store whose replies get lost, for tests."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from redis import Redis

from events.servers.connection import OutcomeUnknown, StoreUnavailable
from events.store import EventStore

Fault: TypeAlias = Literal["unreachable", "lost"] | None
"""Of a call: nothing arrives, the store acts but its reply gets lost, or all is well."""


class Faulty(EventStore):
    """Take what goes wrong with the next calls from a list."""

    def __init__(self, client: Redis) -> None:
        super().__init__(client)
        self.faults: list[Fault] = []

    def _call(self, *commands: Sequence[Any]) -> list[Any]:
        fault = self.faults.pop(0) if self.faults else None
        if fault == "unreachable":
            raise StoreUnavailable("nothing arrived")
        answers = super()._call(*commands)
        if fault == "lost":
            raise OutcomeUnknown("the reply was lost")
        return answers
