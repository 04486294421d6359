"""The read models: one file each, and the list that followers keep up."""

from typing import Final

from workers.projections.keyframes import KEYFRAMES
from workers.projections.lobby import LOBBY
from workers.projections.players import PLAYERS
from workers.projections.shape import Projection
from workers.projections.tables import TABLES

PROJECTIONS: Final[tuple[Projection, ...]] = (TABLES, LOBBY, PLAYERS, KEYFRAMES)
"""Every projection, in the order they are applied."""
