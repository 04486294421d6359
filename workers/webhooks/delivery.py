"""One attempt to send a message: signed, to a vetted address, bounded in time and in bytes."""

import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from http.client import HTTPConnection, HTTPException
from threading import Timer
from time import monotonic
from typing import Final

from standardwebhooks import Webhook

from workers.webhooks.addresses import Forbidden, resolve, split

SECONDS: Final = 10.0
"""How long an attempt may take, from the connection to the end of the answer's headers."""

_CONNECT_SECONDS: Final = 4.0
_TRIED: Final = 2


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of an attempt: a status, or why there is none; how long it took (ms).

    ``retry_after`` is what the receiver asked for, in seconds.
    """

    status: int | None
    error: str | None
    took: int
    retry_after: int | None = None

    @property
    def accepted(self) -> bool:
        """Answer whether the receiver has the message: redirects are not followed."""
        return self.status is not None and 200 <= self.status < 300


def headers(secrets: tuple[str, ...], message: str, now: int, body: bytes) -> dict[str, str]:
    """Sign a message with every secret; ``now`` is in ms."""
    moment = datetime.fromtimestamp(now // 1000, UTC)
    signed = (Webhook(each).sign(message, moment, body.decode()) for each in secrets)
    return {
        "Content-Type": "application/json",
        "User-Agent": "abraxas-webhooks/1",
        "Connection": "close",
        "webhook-id": message,
        "webhook-timestamp": str(now // 1000),
        "webhook-signature": " ".join(signed),
    }


def send(
    url: str, sent: Mapping[str, str], body: bytes, *, loopback: bool, seconds: float = SECONDS
) -> Reply:
    """Make one attempt; never raises for what a receiver or its network does."""
    started = monotonic()
    try:
        status, again = _exchange(url, sent, body, loopback=loopback, seconds=seconds)
        return Reply(status, None, _since(started), again)
    except Forbidden:
        return Reply(None, "forbidden-address", _since(started))
    except (TimeoutError, OSError, HTTPException, ValueError) as error:
        late = monotonic() - started >= seconds
        return Reply(None, "timeout" if late else _said(error), _since(started))


def _since(started: float) -> int:
    return round((monotonic() - started) * 1000)


def _said(error: Exception) -> str:
    """Answer the kind of a failure: its words could tell what a network looks like inside."""
    match error:
        case TimeoutError():
            return "timeout"
        case ssl.SSLError():
            return "tls"
        case socket.gaierror():
            return "unknown-host"
        case OSError():
            return "unreachable"
        case _:
            return "no-http"


def _exchange(
    url: str, sent: Mapping[str, str], body: bytes, *, loopback: bool, seconds: float
) -> tuple[int, int | None]:
    parts = split(url, loopback=loopback)
    if parts is None or parts.hostname is None:
        raise Forbidden
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    connection = HTTPConnection(parts.hostname, port)
    # To an address that was vetted: the name is not looked up again.
    wire = _wire(resolve(parts.hostname, port, loopback=loopback), port)
    if secure:
        wire = _tls().wrap_socket(
            wire, server_hostname=parts.hostname.rstrip("."), do_handshake_on_connect=False
        )
    # A receiver that sends a byte every few seconds would never time out.
    alarm = Timer(seconds, _cut, [wire])
    alarm.daemon = True
    alarm.start()
    try:
        connection.sock = wire
        wire.settimeout(seconds)
        if isinstance(wire, ssl.SSLSocket):
            wire.do_handshake()
        target = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        connection.request("POST", target, body, {**sent, "Host": parts.netloc})
        answer = connection.getresponse()
        again = answer.getheader("Retry-After", "")
        # Nothing in the body matters: it is not read.
        return answer.status, int(again[:9]) if again.isdecimal() else None
    finally:
        alarm.cancel()
        wire.close()
        connection.close()


def _cut(wire: socket.socket) -> None:
    try:
        # Past the encryption, which somebody else is busy with.
        socket.socket.shutdown(wire, socket.SHUT_RDWR)
    except OSError:
        return


def _wire(addresses: list[str], port: int) -> socket.socket:
    for each in addresses[: _TRIED - 1]:
        try:
            return socket.create_connection((each, port), timeout=_CONNECT_SECONDS)
        except OSError:
            continue
    return socket.create_connection((addresses[-1], port), timeout=_CONNECT_SECONDS)


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()
