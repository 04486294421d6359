"""Lua scripts of the workers: each decides and writes in one moment, several go in one trip."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha1
from importlib.resources import files
from typing import Any, Final

from redis import Redis
from redis.exceptions import NoScriptError, ResponseError

from events.servers.connection import ask as ask
from events.servers.connection import call, failure, home
from events.servers.replicas import check_safe, waits


@dataclass(frozen=True, slots=True)
class Script:
    """A script and the digest by which a server knows it."""

    body: bytes
    digest: str


@dataclass(frozen=True, slots=True)
class Call:
    """One run of a script; every key lies in one slot."""

    script: Script
    keys: Sequence[str]
    arguments: Sequence[Any]


def script(name: str) -> Script:
    """Read a script that lies beside this file."""
    body = (files(__package__) / f"{name}.lua").read_bytes()
    return Script(body, sha1(body, usedforsecurity=False).hexdigest())


def run(client: Redis, *calls: Call, safely: bool = False) -> list[Any]:
    """Run scripts together, each atomic by itself; answer their replies.

    ``safely``: return once replicas, where the store has some, have what was written. Raise
    StoreUnavailable, or OutcomeUnknown if some of them may have run.
    """
    if not calls:
        return []
    behind = waits(client) if safely else ()
    replies, waited = _sent(client, calls, behind, by_digest=True)
    unknown = [at for at, reply in enumerate(replies) if isinstance(reply, NoScriptError)]
    if unknown:
        again, more = _sent(client, [calls[at] for at in unknown], behind, by_digest=False)
        waited += more
        for at, reply in zip(unknown, again, strict=True):
            replies[at] = reply
    for reply in replies:
        if isinstance(reply, ResponseError):
            raise failure(reply)
    for reply in waited:
        check_safe(client, reply)
    return replies


def _sent(
    client: Redis, calls: Sequence[Call], behind: Sequence[Sequence[Any]], *, by_digest: bool
) -> tuple[list[Any], list[Any]]:
    """Send calls together; answer their replies, and those to waiting behind each server's last."""
    last = {home(client, each.keys[0]): at for at, each in enumerate(calls)} if behind else {}
    commands: list[Sequence[Any]] = []
    places = []
    for at, each in enumerate(calls):
        places.append(len(commands))
        commands.append(_command(each, by_digest=by_digest))
        if at in last.values():
            commands += behind
    replies = call(client, *commands)
    waited = [replies[places[at] + len(behind)] for at in last.values()]
    return [replies[at] for at in places], waited


def _command(each: Call, *, by_digest: bool) -> tuple[Any, ...]:
    verb, name = ("EVALSHA", each.script.digest) if by_digest else ("EVAL", each.script.body)
    return (verb, name, len(each.keys), *each.keys, *each.arguments)


ACQUIRE: Final = script("acquire")
RENEW: Final = script("renew")
RELEASE: Final = script("release")
ENROL: Final = script("enrol")
CLAIM: Final = script("claim")
COMMIT: Final = script("commit")
DELIVER: Final = script("deliver")
READ: Final = script("read")
PAGE: Final = script("page")
CHANGES: Final = script("changes")
WATCH: Final = script("watch")
SUBSCRIBE: Final = script("subscribe")
CHANGE_WEBHOOK: Final = script("change_webhook")
POST: Final = script("post")
TAKE: Final = script("take")
SENT: Final = script("sent")
REST: Final = script("rest")
NOTE: Final = script("note")
SWITCH_DOCUMENTS: Final = script("switch_documents")
SWITCH_LIST: Final = script("switch_list")
ARCHIVE: Final = script("archive")
PUT_OFF: Final = script("put_off")
