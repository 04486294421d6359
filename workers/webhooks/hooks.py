"""Webhooks as they are kept: whose they are, where they go, and what they are signed with."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from secrets import token_bytes, token_hex
from typing import Any, Final, Literal, TypeAlias

from redis import Redis
from redis.exceptions import ResponseError

from events import keys
from events.servers.connection import failure
from events.servers.replicas import write_safely
from workers.scripts import CHANGE_WEBHOOK, SUBSCRIBE, Call, ask, run

Type: TypeAlias = Literal["table.changed", "table.turn", "table.over"]

TYPES: Final[tuple[Type, ...]] = ("table.changed", "table.turn", "table.over")
"""What a webhook may want to hear: a table moved on, waits for its owner's seat, is over."""

ROTATION_SECONDS: Final = 24 * 3600
"""How long the secret before goes on signing beside the new one."""

LOG_LINES: Final = 100
"""How many attempts the log of a webhook keeps."""


@dataclass(frozen=True, slots=True)
class Hook:
    """A webhook of a player, for all their tables or for one; times are in ms since 1970 (UTC).

    ``secrets`` sign what is sent now, the newest first. ``disabled`` says why nothing is sent:
    "owner", "gone" (the receiver said so) or "failing"; ``failing`` since when every attempt has
    failed. ``invited`` says that its owner has shown the invite of a private table.
    """

    id: str
    owner: str
    url: str
    table: str | None
    types: tuple[str, ...]
    label: str | None
    made: int
    secrets: tuple[str, ...]
    invited: bool = False
    disabled: str | None = None
    failing: int | None = None
    failures: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """What the followers know of a webhook: all that decides what it is to hear."""

    hook: str
    owner: str
    types: tuple[str, ...]
    invited: bool


def new_secret() -> str:
    """Make a secret, as Standard Webhooks writes them."""
    return f"whsec_{b64encode(token_bytes(32)).decode()}"


def register(
    client: Redis,
    owner: str,
    url: str,
    types: Sequence[str],
    now: int,
    *,
    table: str | None = None,
    invited: bool = False,
    label: str | None = None,
) -> Hook:
    """Make a webhook; whatever its tables do from now on is told."""
    known = token_hex(12)
    hook = Hook(known, owner, url, table, tuple(types), label, now, (new_secret(),), invited)
    told = {
        "owner": owner,
        "url": url,
        "table": table,
        "types": " ".join(types),
        "label": label,
        "made": now,
        "secret": hook.secrets[0],
        "invited": "1" if invited else None,
    }
    # The set first: what erasure could not find must never come to be.
    _write(client, "SADD", keys.player_webhooks(owner), known)
    _write(client, "HSET", keys.webhook(known), *_flat(told))
    _subscribe(client, hook)
    return hook


def find(client: Redis, hook: str, now: int) -> Hook | None:
    """Answer a webhook."""
    return _read(hook, ask(client, ("HGETALL", keys.webhook(hook)))[0], now)


def of(client: Redis, owner: str, now: int) -> tuple[Hook, ...]:
    """Answer the webhooks of a player, newest first."""
    known = [each.decode() for each in ask(client, ("SMEMBERS", keys.player_webhooks(owner)))[0]]
    replies = ask(client, *(("HGETALL", keys.webhook(each)) for each in known))
    found = (_read(each, reply, now) for each, reply in zip(known, replies, strict=True))
    return tuple(sorted((h for h in found if h), key=lambda h: (-h.made, h.id)))


def change(
    client: Redis,
    hook: Hook,
    *,
    url: str | None = None,
    types: Sequence[str] | None = None,
    enabled: bool | None = None,
    **label: str | None,
) -> None:
    """Change a webhook; enabling it forgets that it failed. Nothing happens if it is gone."""
    told: dict[str, Any] = {"url": url, "types": " ".join(types) if types else None, **label}
    gone = ["label"] if label.get("label", "") is None else []
    if enabled:
        gone += ["disabled", "failing", "failures"]
    elif enabled is False:
        told["disabled"] = "owner"
    _change(client, hook.id, gone, told)
    if types:
        _subscribe(client, hook, tuple(types))


def rotate(client: Redis, hook: Hook, now: int) -> str:
    """Make a new secret; the one before goes on signing beside it for ROTATION_SECONDS."""
    secret = new_secret()
    until = now + ROTATION_SECONDS * 1000
    told = {"secret": secret, "old_secret": hook.secrets[0], "old_until": until}
    _change(client, hook.id, [], told)
    return secret


def remove(client: Redis, hook: Hook) -> None:
    """Forget a webhook, and whatever waits to be sent to it."""
    here = keys.webhook(hook.id)
    shard = keys.webhook_shard(hook.id)
    rest = (keys.webhook(hook.id, each) for each in ("pending", "told", "log"))
    _write(client, "DEL", here, *rest)
    _write(client, "ZREM", keys.webhooks_due(shard), hook.id)
    subject = (_subject(hook), hook.id, "")
    run(client, Call(SUBSCRIBE, (keys.subscriptions(),), subject), safely=True)
    _write(client, "SREM", keys.player_webhooks(hook.owner), hook.id)


def remove_all(client: Redis, owner: str) -> None:
    """Forget every webhook of a player."""
    for hook in of(client, owner, 0):
        remove(client, hook)
    _write(client, "DEL", keys.player_webhooks(owner))


def log_of(client: Redis, hook: Hook) -> tuple[bytes, ...]:
    """Answer the last attempts to send to a webhook as JSON objects, newest first."""
    return tuple(ask(client, ("LRANGE", keys.webhook(hook.id, "log"), 0, -1))[0])


def subscribers(client: Redis, subjects: Sequence[str]) -> dict[str, tuple[Entry, ...]]:
    """Answer who is to hear of players (``p:<player>``) and tables (``t:<table>``)."""
    if not subjects:
        return {}
    replies = ask(client, ("HMGET", keys.subscriptions(), *subjects))[0]
    found = zip(subjects, replies, strict=True)
    return {subject: tuple(map(_entry, reply.split())) for subject, reply in found if reply}


def _subscribe(client: Redis, hook: Hook, types: tuple[str, ...] | None = None) -> None:
    entry = f"{hook.id}|{hook.owner}|{','.join(types or hook.types)}|{int(hook.invited)}"
    subject = (_subject(hook), hook.id, entry)
    run(client, Call(SUBSCRIBE, (keys.subscriptions(),), subject), safely=True)


def _subject(hook: Hook) -> str:
    return f"p:{hook.owner}" if hook.table is None else f"t:{hook.table}"


def _entry(written: bytes) -> Entry:
    hook, owner, types, invited = written.decode().split("|")
    return Entry(hook, owner, tuple(types.split(",")), invited == "1")


def _change(client: Redis, hook: str, gone: Sequence[str], told: Mapping[str, Any]) -> None:
    arguments = (len(gone), *gone, *_flat(told))
    run(client, Call(CHANGE_WEBHOOK, (keys.webhook(hook),), arguments), safely=True)


def _read(hook: str, reply: Sequence[bytes], now: int) -> Hook | None:
    if not reply:
        return None
    told = {n.decode(): v.decode() for n, v in zip(reply[::2], reply[1::2], strict=True)}
    secrets = [told["secret"]]
    if int(told.get("old_until", 0)) > now:
        secrets.append(told["old_secret"])
    return Hook(
        id=hook,
        owner=told["owner"],
        url=told["url"],
        table=told.get("table"),
        types=tuple(told["types"].split()),
        label=told.get("label"),
        made=int(told["made"]),
        secrets=tuple(secrets),
        invited="invited" in told,
        disabled=told.get("disabled"),
        failing=int(told["failing"]) if "failing" in told else None,
        failures=int(told.get("failures", 0)),
    )


def _write(client: Redis, *command: Any) -> None:
    reply = write_safely(client, command)
    if isinstance(reply, ResponseError):
        raise failure(reply) from reply


def _flat(fields: Mapping[str, Any]) -> list[Any]:
    return [part for name, value in fields.items() if value is not None for part in (name, value)]
