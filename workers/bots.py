"""Bots that sit at tables: each move goes through the same door as a person's, and counts once.

A bot sees the view of its seat and its legal moves, nothing else. It plays when the table waits
for it; what it may do without being waited for (to concede, to pass for good) is left alone.
"""

import hmac
from collections import deque
from hashlib import sha256
from time import monotonic
from typing import Any, Final

from domain.dice import Dice, seeded
from domain.game import Seat
from domain.table.commands import Command, Play
from domain.table.state import Table
from domain.table.view import moves, to_move, view
from domain.wire import plain_command
from events.loaded import Loaded
from events.servers.connection import StoreError, WritesRefused
from events.store import CommandKey, command_key
from events.transact import Door, KeyReused, Outcome, StaleVersion, UnknownTable
from workers.draw import park
from workers.limit import limited
from workers.projections.shape import Sitting
from workers.share import Share
from workers.sittings import Sittings

CONSUMER: Final = "bots@1"

THOUGHT_SECONDS: Final = 2.0
"""How long a bot may think about one move: everybody else's tables wait meanwhile."""

BUDGET_SECONDS: Final = 0.005
"""How long bots play before projections have their turn again; one move may exceed it."""

REST_SECONDS: Final = 0.5
"""How long bots rest when the store takes no moves."""


def waited_for(table: Table) -> Seat | None:
    """Answer the first seat that the table waits for and a bot holds."""
    bots = [seat for seat, chair in enumerate(table.chairs) if chair is not None and chair.bot]
    if not bots:
        return None
    return next((seat for seat in to_move(table) if seat in bots), None)


def dice(loaded: Loaded, seat: Seat) -> Dice:
    """Answer a bot's dice: the same when a move is repeated, and nobody else's to foresee."""
    place = f"abraxas bot 1|{loaded.table}|{loaded.version}|{seat}"
    key = bytes.fromhex(loaded.state.key)
    return seeded(hmac.digest(key, place.encode(), sha256).hex())


def choose(loaded: Loaded, seat: Seat) -> Any:
    """Let the bot of a seat choose a move."""
    table = loaded.state
    chair = table.chairs[seat]
    if chair is None or chair.bot is None:
        raise ValueError(f"no bot sits at seat {seat} of table {loaded.table}")
    bot = table.playing.bots[chair.bot]
    return bot(view(table, seat), moves(table, seat), dice(loaded, seat))


def key(loaded: Loaded, seat: Seat, move: Any) -> CommandKey:
    """Answer the key under which a bot's move at this version and seat counts once."""
    return command_key(f"bot:{seat}", str(loaded.version), plain_command(move))


def play(door: Door, loaded: Loaded, seat: Seat) -> Outcome:
    """Carry out a bot's move on the version given; raise whatever the bot or the door raises."""
    with limited(THOUGHT_SECONDS):
        move = choose(loaded, seat)
    door.keep(loaded)

    def wish(_: Table) -> Command:
        return Play(seat, move)

    return door.transact(loaded.table, wish, key(loaded, seat, move), expected=loaded.version)


class Bots:
    """The tables of one follower where a bot is to move, each in its turn.

    A table waits here from the feed position that brought it until no bot is to move; the
    checkpoint stays behind it, so that after a crash it is looked at again.
    """

    def __init__(self, door: Door, sittings: Sittings) -> None:
        self._door = door
        self._sittings = sittings
        self._turns: deque[tuple[Share, str]] = deque()
        self._held: dict[int, dict[str, int]] = {}
        self._rested = 0.0

    def __bool__(self) -> bool:
        return bool(self._turns)

    def resting(self) -> bool:
        """Answer whether the store has just refused a move: what frees it needs the time."""
        return monotonic() < self._rested

    def meet(
        self, share: Share, table: str, position: int, found: Sitting | Exception, now: int
    ) -> None:
        """Let a table have its turn if it waits for a bot."""
        if isinstance(found, Exception):
            park(share, CONSUMER, table, found, found, now)
        elif waited_for(found.loaded.state) is None:
            share.unpark(CONSUMER, table)
        else:
            held = self._held.setdefault(share.partition, {})
            if table not in held:
                held[table] = position
                self._turns.append((share, table))

    def leave(self, partition: int) -> None:
        """Forget the tables of a partition that somebody else follows now."""
        self._held.pop(partition, None)
        self._turns = deque(turn for turn in self._turns if turn[0].partition != partition)

    def settled(self, share: Share) -> int:
        """Answer up to which position no bot of a partition is to move."""
        if CONSUMER in share.rescans:
            return share.positions[CONSUMER]
        held = self._held.get(share.partition, {}).values()
        return max(share.positions[CONSUMER], min(held, default=share.cursor + 1) - 1)

    def step(self, now: int, seconds: float = BUDGET_SECONDS) -> int:
        """Play for so long, one move for each table in turn; answer how many moves were made."""
        made = 0
        end = monotonic() + seconds
        while self._turns and not self.resting():
            share, table = self._turns.popleft()
            try:
                moved = self._move(share, table, now)
            except WritesRefused:
                self._turns.append((share, table))
                self._rested = monotonic() + REST_SECONDS
                break
            if moved:
                made += 1
                self._turns.append((share, table))
            else:
                del self._held[share.partition][table]
            if monotonic() >= end:
                break
        return made

    def _move(self, share: Share, table: str, now: int) -> bool:
        """Make one move; answer whether the table is to be looked at again."""
        found = self._sittings.get(table) or self._sittings.read({table: None})[table]
        if isinstance(found, Exception):
            park(share, CONSUMER, table, found, found, now)
            return False
        seat = waited_for(found.loaded.state)
        if seat is None:
            share.unpark(CONSUMER, table)
            return False
        try:
            outcome = play(self._door, found.loaded, seat)
        except StoreError:
            raise
        except (StaleVersion, KeyReused, UnknownTable):
            # Somebody else moved first; their entry in the feed brings the table back.
            return False
        except Exception as error:  # noqa: BLE001 - only this table waits for it to be mended
            park(share, CONSUMER, table, found, error, now)
            return False
        self._sittings.carried_out(found, outcome)
        return True
