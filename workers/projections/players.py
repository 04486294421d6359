"""The tables of each player, and which of them wait for that player."""

from typing import Final

from redis import Redis

from domain.game import Seat
from workers.projections import listing
from workers.projections.listing import Changed, Page
from workers.projections.shape import Changes, News, Projection, Sitting, waited_for

ORDERS: Final = ("all", "waiting")


def apply(sitting: Sitting) -> Changes:
    """Tell every player of a table how it stands, and who left that it is not theirs any more.

    What-ifs are listed nowhere.
    """
    state = sitting.loaded.state
    if state.origin is not None:
        return Changes()
    seated = {
        chair.player: Seat(seat)
        for seat, chair in enumerate(state.chairs)
        if chair is not None and chair.player is not None
    }
    waiting = sitting.once(waited_for)
    place = listing.member(sitting)
    here = [
        News(
            of=player,
            member=place,
            item=listing.item(sitting, seat=seat, waiting=seat in waiting),
            orders=(True, seat in waiting),
        )
        for player, seat in seated.items()
    ]
    gone = [
        News(of=player, member=place, item="", orders=(False, False))
        for player in sorted(sitting.left.difference(seated))
    ]
    return Changes(news=(*here, *gone))


def page(client: Redis, player: str, *, waiting: bool, cursor: str | None, limit: int) -> Page:
    """Answer the tables of a player, newest first, all or those waiting; raise BadCursor.

    ``counted`` is how many of them wait for the player.
    """
    order = "waiting" if waiting else "all"
    return listing.page(client, PLAYERS, [player], [order], cursor, limit, ["waiting"])


def channel(player: str) -> str:
    """Sharded channel: the id of a table whose item has changed; may be lost."""
    return listing.order_key(PLAYERS, player, "items")


def changes(client: Redis, player: str, after: int, limit: int) -> tuple[int, tuple[Changed, ...]]:
    """Answer the number of the newest change, and which tables changed after a number.

    An item is empty once the player has left the table.
    """
    return listing.changes(client, PLAYERS, player, after, limit)


PLAYERS: Final = Projection(
    name="players", generation=1, apply=apply, keys=lambda _: (), orders=ORDERS, numbered=True
)
