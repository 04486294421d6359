"""What follows from a table's key: its commitment, and what its dice rolled."""

from collections.abc import Sequence
from typing import Any

from events import chain


class Rolling:
    """Goes along a history; takes out of its events what the key says, or puts it back."""

    def __init__(self) -> None:
        self._key = b""
        self._entropies: list[bytes] = []
        self._rolls = 0

    def shorten(self, kind: str, public: dict[str, Any], sealed: dict[str, Any] | None) -> None:
        """Take out of an event what ``restore`` would put back."""
        if sealed and kind == "TableOpened":
            if public["commitment"] == chain.commitment(bytes.fromhex(sealed["key"])):
                public["commitment"] = None
        elif sealed and kind == "DiceRolled":
            sides = [n for n, _ in sealed["rolls"]]
            if self._rolled(sides) == sealed["rolls"]:
                sealed["rolls"] = _runs(sides)
        self._pass(kind, public, sealed)

    def restore(self, kind: str, public: dict[str, Any], sealed: dict[str, Any] | None) -> None:
        """Put back what ``shorten`` took out."""
        if sealed and kind == "TableOpened":
            if public["commitment"] is None:
                public["commitment"] = chain.commitment(bytes.fromhex(sealed["key"]))
        elif sealed and kind == "DiceRolled":
            told = sealed["rolls"]
            if told and isinstance(told[0], int):
                sealed["rolls"] = self._rolled(_sides(told))
        self._pass(kind, public, sealed)

    def _pass(self, kind: str, public: dict[str, Any], sealed: dict[str, Any] | None) -> None:
        match kind:
            case "TableOpened":
                self._key = bytes.fromhex(sealed["key"]) if sealed else b""
                self._entropies = [b""] * public["seats"]
            case "SeatTaken":
                self._entropies[public["seat"]] = bytes.fromhex(public["entropy"])
            case "SeatLeft":
                self._entropies[public["seat"]] = b""
            case "DiceRolled":
                self._rolls += 1
            case _:
                pass

    def _rolled(self, sides: Sequence[int]) -> list[list[int]]:
        roll = chain.keyed_roll(self._key, self._entropies, self._rolls)
        return [[n, roll(n)] for n in sides]


def _runs(sides: Sequence[int]) -> list[int]:
    """Write sides as (first, how many) wherever each is one less than the one before."""
    runs: list[int] = []
    for n in sides:
        if runs and n == runs[-2] - runs[-1]:
            runs[-1] += 1
        else:
            runs += (n, 1)
    return runs


def _sides(runs: Sequence[int]) -> list[int]:
    pairs = zip(runs[::2], runs[1::2], strict=True)
    return [first - step for first, many in pairs for step in range(many)]
