"""The four colours of magic and the two kinds of spells."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

Colour: TypeAlias = Literal["red", "green", "yellow", "blue"]
Kind: TypeAlias = Literal["incantation", "enchantment"]

COLOURS: tuple[Colour, ...] = ("red", "green", "yellow", "blue")
"""The colours in the order of choices, of triggers and of the piles (6.4)."""

PLACES: Mapping[str, int] = MappingProxyType({colour: i for i, colour in enumerate(COLOURS)})
"""Where the pile of a colour is found."""

KINDS: tuple[Kind, ...] = ("incantation", "enchantment")
