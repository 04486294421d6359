"""What is agreed when a table is opened."""

from typing import Annotated, Self

from domain.game import BadField
from domain.value import Value
from domain.wire import Between


class Options(Value):
    """Who deals first (A2), and the points everybody starts with (A1)."""

    first_dealer: Annotated[int, Between(0, 4)] = 0
    starting_points: Annotated[int, Between(0, 100)] = 5

    def settled(self, seats: int) -> Self:
        """Answer these options, or raise BadField if the first dealer has no seat."""
        if self.first_dealer >= seats:
            raise BadField("first_dealer", f"must be below {seats}")
        return self
