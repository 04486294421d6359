"""Lua scripts of the workers: each decides and writes in one moment, several go in one trip."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha1
from importlib.resources import files
from typing import Any, Final

from redis import Redis
from redis.exceptions import NoScriptError, ResponseError

from events.connection import OutcomeUnknown, StoreUnavailable, call, failure


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


def run(client: Redis, *calls: Call) -> list[Any]:
    """Run scripts together, each atomic by itself; answer their replies.

    Raise StoreUnavailable, or OutcomeUnknown if some of them may have run.
    """
    if not calls:
        return []
    replies = call(client, *(_command(each, by_digest=True) for each in calls))
    unknown = [at for at, reply in enumerate(replies) if isinstance(reply, NoScriptError)]
    if unknown:
        again = call(client, *(_command(calls[at], by_digest=False) for at in unknown))
        for at, reply in zip(unknown, again, strict=True):
            replies[at] = reply
    for reply in replies:
        if isinstance(reply, ResponseError):
            raise failure(reply)
    return replies


def ask(client: Redis, *commands: Sequence[Any]) -> list[Any]:
    """Send plain commands together and answer their replies; raise StoreUnavailable."""
    if not commands:
        return []
    try:
        replies = call(client, *commands)
    except OutcomeUnknown as error:
        raise StoreUnavailable(str(error)) from error
    for reply in replies:
        if isinstance(reply, ResponseError):
            raise StoreUnavailable(str(reply)) from reply
    return replies


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
