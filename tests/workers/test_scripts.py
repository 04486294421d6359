"""Scripts that are run together: what a server forgot of them, and whether replicas have it."""

from typing import Any

import pytest
from redis.exceptions import NoScriptError

from events.servers.connection import OutcomeUnknown
from workers import scripts
from workers.scripts import Call, script

KNOWN = Call(script("release"), ("a",), ())
FORGOTTEN = Call(script("renew"), ("b",), ())
ENOUGH, TOO_FEW = [1, 1], [1, 0]


def replies(*told: list[Any]) -> Any:
    """Answer what is sent with one list after another."""
    left = iter(told)
    return lambda _client, *_commands: next(left)


@pytest.mark.parametrize("first", [ENOUGH, TOO_FEW])
def test_replicas_must_have_what_a_server_knew_though_it_forgot_another(
    monkeypatch: pytest.MonkeyPatch, first: list[int]
) -> None:
    monkeypatch.setattr("events.servers.replicas.replicas_of", lambda _: 1)
    monkeypatch.setattr("events.servers.replicas.reply_seconds", lambda _: 1.0)
    monkeypatch.setattr(scripts, "home", lambda _, key: key)
    client: Any = None
    monkeypatch.setattr(
        scripts,
        "call",
        replies([b"done", 1, first, NoScriptError(), 1, ENOUGH], [b"done too", 1, ENOUGH]),
    )
    if first == TOO_FEW:
        with pytest.raises(OutcomeUnknown):
            scripts.run(client, KNOWN, FORGOTTEN, safely=True)
    else:
        assert scripts.run(client, KNOWN, FORGOTTEN, safely=True) == [b"done", b"done too"]
