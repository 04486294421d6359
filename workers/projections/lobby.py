"""What anybody may find: the public tables of each game that are open, being played, or over."""

from collections.abc import Sequence
from typing import Final

from redis import Redis

from domain.catalogue import games
from workers.projections import listing
from workers.projections.listing import Page
from workers.projections.shape import Changes, News, Projection, Sitting

PHASES: Final = ("open", "playing", "over")


def apply(sitting: Sitting) -> Changes:
    """List a table under its game and phase, if it is public."""
    loaded = sitting.loaded
    if loaded.state.visibility != "public":
        return Changes()
    return Changes(
        news=(
            News(
                of=loaded.state.playing.name,
                member=listing.member(sitting),
                item=listing.item(sitting, version=loaded.version),
                orders=tuple(loaded.state.phase == phase for phase in PHASES),
            ),
        )
    )


def page(
    client: Redis, wanted: Sequence[str], phases: Sequence[str], cursor: str | None, limit: int
) -> Page:
    """Answer public tables of some games in some phases, newest first; raise BadCursor.

    An unknown game or phase has no tables.
    """
    known = [game for game in dict.fromkeys(wanted) if game in games()]
    orders = [phase for phase in PHASES if phase in phases]
    return listing.page(client, LOBBY, known, orders, cursor, limit)


LOBBY: Final = Projection(name="lobby", generation=1, apply=apply, keys=lambda _: (), orders=PHASES)
