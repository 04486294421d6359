"""Sends what is due: whatever a job or its process forgets, the store remembers.

A webhook is taken for a while and given back. Who takes it and dies leaves it to the next one, who
may send a message again: receivers know it by its id.
"""

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from random import uniform
from threading import Thread
from time import monotonic, time
from typing import Any, Final

import msgspec
from redis import Redis

from domain.game import Seat
from domain.table.view import to_move
from events import keys
from events.notices import timestamp
from events.servers.connection import StoreError
from events.transact import Door, UnknownTable
from workers.scripts import REST, SENT, TAKE, Call, ask, run
from workers.webhooks.delivery import Reply, headers, send
from workers.webhooks.hooks import LOG_LINES, Hook, find
from workers.webhooks.messages import Pending, read_pending

_LOG: Final = logging.getLogger(__name__)

AGAIN_SECONDS: Final = (5, 30, 120, 600, 1800, 3600, 7200, 14400, 28800, 28800)
"""How long a message waits after each attempt that failed: ten times within a day."""

DAY: Final = 24 * 3600 * 1000
"""For how long a message is tried, in ms."""

FAILING_DAYS: Final = 3
"""After so many days without one success a webhook is disabled."""

HOLD: Final = 60_000
"""For how long a webhook is taken, in ms; longer than a round may last."""

ROUND_SECONDS: Final = 15.0
"""How long one webhook is sent to before others have their turn; an attempt may exceed it."""

SENDERS: Final = 8
"""How many webhooks are sent to at the same time."""

_GONE: Final = 410
_LONGEST_WISH: Final = 3600
_LONGEST_PAUSE: Final = 3600


def _now() -> int:
    return int(time() * 1000)


@dataclass(slots=True)
class Poster:
    """Sends to whatever webhooks are due; ``loopback`` lets them be on this machine."""

    client: Redis
    door: Door
    loopback: bool = False
    clock: Callable[[], int] = _now
    post: Callable[..., Reply] = send

    def run(self, seconds: float, stop: Callable[[], bool] = lambda: False) -> bool:
        """Send what is due for so long; answer whether something is left.

        Stop at once when asked to: what is on its way is left to the next one. Raise StoreError.
        """
        end = monotonic() + seconds
        busy: set[Future[None]] = set()
        while not stop() and monotonic() < end:
            taken = self.take(SENDERS - len(busy))
            busy |= {self._started(hook) for hook in taken}
            if not busy:
                return False
            done, busy = wait(busy, timeout=0.1, return_when=FIRST_COMPLETED)
            for each in done:
                each.result()
        while busy and not stop():
            done, busy = wait(busy, timeout=0.1, return_when=FIRST_COMPLETED)
        return True

    def _started(self, hook: str) -> Future[None]:
        """Begin a round in a thread that does not keep its process alive."""
        future: Future[None] = Future()

        def run_round() -> None:
            try:
                self.round(hook)
            except Exception as error:  # noqa: BLE001 - told to whoever waits
                future.set_exception(error)
            else:
                future.set_result(None)

        Thread(target=run_round, name="sender", daemon=True).start()
        return future

    def take(self, count: int) -> list[str]:
        """Take so many webhooks at most to which something is due."""
        if count <= 0:
            return []
        now = self.clock()
        shards = range(keys.WEBHOOK_SHARDS)
        due = ask(
            self.client,
            *(("ZCOUNT", keys.webhooks_due(shard), "-inf", now) for shard in shards),
        )
        taken: list[str] = []
        for shard in (shard for shard in shards if due[shard]):
            if len(taken) < count:
                places = (keys.webhooks_due(shard), keys.webhooks_held(shard))
                call = Call(TAKE, places, (now, now + HOLD, count - len(taken)))
                taken += [each.decode() for each in run(self.client, call)[0]]
        return taken

    def round(self, known: str) -> None:
        """Send what is due to one webhook, and give it back."""
        hook = find(self.client, known, self.clock())
        disabled = hook.disabled if hook else None
        failures = 0
        end = monotonic() + ROUND_SECONDS
        for message in self._pending(known):
            if hook is None or disabled or monotonic() >= end:
                break
            if message.due > self.clock():
                continue
            reply = self._attempt(hook, message)
            if reply is None:
                continue
            failures = self._note(hook, message, reply)
            disabled = self._verdict(hook, reply)
            if not reply.accepted:
                # Whoever is away is not asked again for every message that waits; what was tried
                # least goes first, so that a message which is always refused holds up no other.
                break
        self._give_back(known, failures, disabled)

    def _pending(self, hook: str) -> tuple[Pending, ...]:
        reply = ask(self.client, ("HGETALL", keys.webhook(hook, "pending")))[0]
        return read_pending(dict(zip(reply[::2], reply[1::2], strict=True)))

    def _attempt(self, hook: Hook, message: Pending) -> Reply | None:
        """Send a message unless it says nothing new; None if it was dropped."""
        if not self._is_news(hook, message):
            self._store(hook, message, "dropped")
            return None
        sent = headers(hook.secrets, message.id(hook.id), self.clock(), message.body)
        return self.post(hook.url, sent, message.body, loopback=self.loopback)

    def _is_news(self, hook: Hook, message: Pending) -> bool:
        """Answer whether a message was not sent before, and whether it is still true."""
        if message.table is None:
            return True
        told = ask(self.client, ("HGET", keys.webhook(hook.id, "told"), message.field))[0]
        if told is not None and int(told) >= message.version:
            return False
        if message.type != "table.turn":
            return True
        try:
            state = self.door.load(message.table).state
        except UnknownTable:
            return False
        except StoreError:
            raise
        except Exception:  # noqa: BLE001 - a damaged history may break anything
            # Nobody can tell: it is told, rather than that nothing else ever is.
            return told is None
        seat = state.seat_of(hook.owner)
        if seat is None or seat not in to_move(state):
            return False
        return told is None or self._moved(message.table, seat, int(told))

    def _moved(self, table: str, seat: Seat, after: int) -> bool:
        """Answer whether a seat has acted after a version: if not, it still waits for the same."""
        return any(each.seat == seat for each in self.door.store.read(table, after))

    def _note(self, hook: Hook, message: Pending, reply: Reply) -> int:
        """Take note of an attempt; answer how many have failed in a row."""
        if reply.accepted:
            return self._store(hook, message, "sent", reply)
        now = self.clock()
        due = now + self._pause(message.attempts, reply)
        last = due > message.first + DAY
        return self._store(hook, message, "given-up" if last else "failed", reply, due)

    def _pause(self, attempts: int, reply: Reply) -> int:
        """Answer for how many ms a message is left alone after an attempt that failed."""
        seconds: float = AGAIN_SECONDS[min(attempts, len(AGAIN_SECONDS) - 1)]
        wish = min(reply.retry_after or 0, _LONGEST_WISH)
        # Not all that failed together comes again together.
        return int(max(seconds * uniform(1.0, 1.2), wish) * 1000)  # noqa: S311

    def _verdict(self, hook: Hook, reply: Reply) -> str | None:
        """Answer why a webhook is to be disabled, if it is."""
        if reply.status == _GONE:
            return "gone"
        since = hook.failing
        days = FAILING_DAYS * DAY
        if since is not None and not reply.accepted and self.clock() - since > days:
            return "failing"
        return None

    def _store(
        self,
        hook: Hook,
        message: Pending,
        verdict: str,
        reply: Reply | None = None,
        due: int = 0,
    ) -> int:
        now = self.clock()
        line = b"" if reply is None else self._line(hook, message, verdict, reply)
        places = [keys.webhook(hook.id)]
        places += [keys.webhook(hook.id, each) for each in ("pending", "told", "log")]
        remembered = message.table is not None and message.type != "table.over"
        forgotten = []
        if message.type == "table.over":
            forgotten = [f"{each} {message.table}" for each in ("table.changed", "table.turn")]
        arguments = (
            message.field, message.version, verdict, now, due, line, LOG_LINES,
            "told" if remembered else "", *forgotten,
        )  # fmt: skip
        return int(run(self.client, Call(SENT, places, arguments))[0])

    def _line(self, hook: Hook, message: Pending, verdict: str, reply: Reply) -> bytes:
        told: Mapping[str, Any] = {
            "id": message.id(hook.id),
            "type": message.type,
            "table": message.table,
            "version": message.version if message.table else None,
            "at": timestamp(self.clock()),
            "attempt": message.attempts + 1,
            "status": reply.status,
            "error": reply.error,
            "took": reply.took,
            "outcome": {"sent": "delivered", "failed": "again"}.get(verdict, verdict),
        }
        return msgspec.json.encode(told)

    def _give_back(self, known: str, failures: int, disabled: str | None) -> None:
        shard = keys.webhook_shard(known)
        pause = 0
        if failures:
            seconds = AGAIN_SECONDS[min(failures - 1, len(AGAIN_SECONDS) - 1)]
            pause = self.clock() + min(seconds, _LONGEST_PAUSE) * 1000
        places = (
            keys.webhook(known), keys.webhook(known, "pending"), keys.webhooks_due(shard),
            keys.webhooks_held(shard), keys.webhook(known, "told"),
        )  # fmt: skip
        run(self.client, Call(REST, places, (known, pause, disabled or "")))
        if disabled in ("gone", "failing"):
            _LOG.warning("webhook %s is disabled: %s", known, disabled)


def is_due(client: Redis, now: int | None = None) -> bool:
    """Answer whether anything is to be sent to any webhook now; raise StoreUnavailable."""
    moment = _now() if now is None else now
    shards = range(keys.WEBHOOK_SHARDS)
    counts = ask(
        client, *(("ZCOUNT", keys.webhooks_due(shard), "-inf", moment) for shard in shards)
    )
    return any(counts)


def send_what_is_due(poster: Poster, seconds: float, stop: Callable[[], bool]) -> bool:
    """Send for so long; answer whether something is left. A store that is away is only logged."""
    try:
        return poster.run(seconds, stop)
    except StoreError as error:
        _LOG.warning("the store does not answer: %s", error)
        return False
