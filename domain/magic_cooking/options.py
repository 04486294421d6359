"""What is agreed when a table is opened."""

from typing import Annotated, Literal

from domain.game import BadField, Seat
from domain.magic_cooking.cards import DECKS, MAGES, Mage
from domain.value import Value, changed
from domain.wire import Between, OneOf


class Options(Value):
    """The options: mages by chance or by seat, spells, the first Ordome, rounds, the deck list.

    ``first_ordome`` None leaves the choice to chance; ``rounds`` None is as many as seats.
    """

    mages: Literal["random"] | tuple[Annotated[Mage, OneOf(MAGES)], ...] = "random"
    spells_enabled: bool = True
    first_ordome: Seat | None = None
    rounds: Annotated[int, Between(1, 6)] | None = None
    deck: Annotated[str, OneOf(tuple(DECKS))] = "standard"

    def settled(self, seats: int) -> "Options":
        """Answer complete options, or raise BadField naming the option."""
        if self.mages != "random":
            if len(self.mages) != seats:
                raise BadField("mages", f"must name {seats} mages, one for each seat")
            if len(set(self.mages)) != seats:
                raise BadField("mages", "must name different mages")
        if self.first_ordome is not None and not 0 <= self.first_ordome < seats:
            raise BadField("first_ordome", f"must be below {seats}")
        return changed(self, rounds=seats if self.rounds is None else self.rounds)
