"""What can be set from outside: the names of the environment, read once and checked."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import urlsplit

from events.servers.connection import DURABILITIES, Durability, connect, names_cluster
from events.servers.embedded import url
from workers.logs import FORMATS, LEVELS

ArchiveAfter: TypeAlias = int | Literal["off"]

ARCHIVE_AFTER: Final = 3600
"""Seconds, where one machine has everything: all processes can read the same file."""


class BadSetting(ValueError):  # noqa: N818 - the sentence is for people, not a defect
    """Say in one sentence which setting cannot be used and why."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Hold every setting, checked.

    ``embedded`` says that no REDIS_URL was given: ``redis_url`` is then where the store that
    ``abraxas serve`` brings along can be reached while it runs.
    """

    redis_url: str
    embedded: bool
    rq_url: str
    rq_key_prefix: str
    durability: Durability
    data: Path
    host: str
    port: int
    url: str | None
    live_url: str | None
    live_port: int | None
    limits: bool
    local_webhooks: bool
    log: str
    log_format: str
    archive_after: ArchiveAfter | None
    """Seconds for which a table is over before it goes to the archive, if somebody said so."""

    @property
    def stream_port(self) -> int:
        """Answer the port of live updates: one above the API's unless it was set."""
        return self.live_port or (self.port + 1 if self.port < 65535 else self.port - 1)


@dataclass(frozen=True, slots=True)
class Setting:
    """Describe one name of the environment; ``read`` raises ValueError with the reason."""

    name: str
    default: str
    """What counts if it is not set; in words if ``derived`` from other settings."""
    meaning: str
    read: Callable[[str], Any]
    derived: bool = False


def _url_of(*schemes: str) -> Callable[[str], str]:
    allowed = ", ".join(f"{scheme}://" for scheme in schemes)

    def read(text: str) -> str:
        try:
            parts = urlsplit(text)
            port = parts.port
        except ValueError:
            raise ValueError(f"must be a URL that starts with {allowed}") from None
        place = parts.path if parts.scheme == "unix" else parts.hostname
        if parts.scheme not in schemes or not place or port == 0:
            raise ValueError(f"must be a URL that starts with {allowed}")
        return text

    return read


_SERVER: Final = _url_of("redis", "rediss", "unix")
_ROOT: Final = _url_of("http", "https")


def _store_url(text: str) -> str:
    names_cluster(_SERVER(text))
    parts = urlsplit(text)
    # redis-py would take database 0 for one that is no number.
    if parts.scheme != "unix" and not re.fullmatch(r"(/[0-9]*)?", parts.path):
        raise ValueError("must end with the number of a database, if with any")
    try:
        # Nothing connects here; what a connection does not know would stop the first that does.
        connect(text.replace("cluster=true", "")).connection_pool.make_connection()
    except (TypeError, ValueError):
        raise ValueError("has an option after ? that is none") from None
    return text


def _plain_url(text: str) -> str:
    if names_cluster(_store_url(text)):
        raise ValueError("must name a plain server: RQ does not run on a cluster")
    return text


def root_url(text: str) -> str:
    """Answer the address of a server without a slash at its end; raise ValueError if it is none."""
    root = _ROOT(text).rstrip("/")
    if not re.fullmatch(r"[!-~]+", root) or re.search(r"[@?#]", root):
        raise ValueError("must be an address of plain letters, without user, ? and #")
    return root


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in words:
            raise ValueError(f"must be one of {', '.join(words)}")
        return text

    return read


def _switch(text: str) -> bool:
    return _one_of("on", "off")(text) == "on"


def _seconds(text: str) -> ArchiveAfter:
    if text == "off":
        return "off"
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise ValueError("must be a number of seconds, or off")
    return int(text)


def _port(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 1 <= int(text) <= 65535:
        raise ValueError("must be a number from 1 to 65535")
    return int(text)


def _key_prefix(text: str) -> str:
    # The characters that RQ itself accepts; it would stop at import with a traceback.
    if not re.fullmatch(r"[A-Za-z0-9_.:{}-]+", text):
        raise ValueError("may have letters, digits and _ . : - { } only")
    return text


SETTINGS: Final = (
    Setting(
        "REDIS_URL", "the store of abraxas serve",
        "The store, a Redis or Valkey server, or with ?cluster=true any server of a cluster;"
        " without it, abraxas serve brings one along.",
        _store_url, derived=True,
    ),
    Setting(
        "RQ_URL", "the same as REDIS_URL",
        "The server of RQ's jobs; a store that is a cluster needs a plain one besides.",
        _plain_url, derived=True,
    ),
    Setting(
        "RQ_KEY_PREFIX", "rq",
        "What RQ's keys start with.",
        _key_prefix,
    ),
    Setting(
        "DURABILITY", "always",
        "always: the store must write to disk before it answers. relaxed: it need not, and moves"
        " may be lost. trusted: it is not asked, where its host forbids that.",
        _one_of(*DURABILITIES),
    ),
    Setting(
        "ABRAXAS_DATA", "var",
        "The folder that the store of abraxas serve keeps its data in.",
        Path,
    ),
    Setting(
        "ABRAXAS_HOST", "127.0.0.1",
        "The address that the HTTP API listens on; 0.0.0.0 is every address of this machine.",
        str,
    ),
    Setting(
        "ABRAXAS_PORT", "8000",
        "The port of the HTTP API.",
        _port,
    ),
    Setting(
        "ABRAXAS_URL", "the address that the API was asked at",
        "Where clients reach the HTTP API; needed behind a proxy that adds TLS.",
        root_url, derived=True,
    ),
    Setting(
        "ABRAXAS_LIVE_URL", "the address that the API was asked at, with ABRAXAS_LIVE_PORT",
        "Where clients reach the process that serves streams.",
        root_url, derived=True,
    ),
    Setting(
        "ABRAXAS_LIVE_PORT", "one above ABRAXAS_PORT",
        "The port of the process that serves streams.",
        _port, derived=True,
    ),
    Setting(
        "ABRAXAS_LIMITS", "on",
        "off: no caller is ever asked to slow down.",
        _switch,
    ),
    Setting(
        "ABRAXAS_LOCAL_WEBHOOKS", "off",
        "on: webhooks may go to this very machine, and without TLS; for development only.",
        _switch,
    ),
    Setting(
        "ABRAXAS_LOG", "info",
        "The lowest level that the log tells: debug has a line for each read, info one for each"
        " request that changed something or failed.",
        _one_of(*LEVELS),
    ),
    Setting(
        "ABRAXAS_LOG_FORMAT", "auto",
        "json: a line of JSON each time. text: words. auto: words at a terminal, else JSON.",
        _one_of(*FORMATS),
    ),
    Setting(
        "ABRAXAS_ARCHIVE_AFTER", f"{ARCHIVE_AFTER} under abraxas serve, else off",
        "After so many seconds finished tables leave the store for a file in ABRAXAS_DATA, which"
        " every process must be able to read; off: they stay.",
        _seconds, derived=True,
    ),
)  # fmt: skip
"""Every name, in the order in which they are listed."""


def settings_from_env(environ: Mapping[str, str]) -> Settings:
    """Read the settings from an environment; raise BadSetting at the first bad one.

    An empty value counts as none, as compose files write it.
    """
    found = {each.name: _read(each, environ.get(each.name)) for each in SETTINGS}
    store = found["REDIS_URL"] or url(found["ABRAXAS_DATA"])
    if names_cluster(store) and not found["RQ_URL"]:
        raise BadSetting("RQ_URL must name a plain server of its own where the store is a cluster.")
    return Settings(
        redis_url=store,
        embedded=found["REDIS_URL"] is None,
        rq_url=found["RQ_URL"] or store,
        rq_key_prefix=found["RQ_KEY_PREFIX"],
        durability=found["DURABILITY"],
        data=found["ABRAXAS_DATA"],
        host=found["ABRAXAS_HOST"],
        port=found["ABRAXAS_PORT"],
        url=found["ABRAXAS_URL"],
        live_url=found["ABRAXAS_LIVE_URL"],
        live_port=found["ABRAXAS_LIVE_PORT"],
        limits=found["ABRAXAS_LIMITS"],
        local_webhooks=found["ABRAXAS_LOCAL_WEBHOOKS"],
        log=found["ABRAXAS_LOG"],
        log_format=found["ABRAXAS_LOG_FORMAT"],
        archive_after=found["ABRAXAS_ARCHIVE_AFTER"],
    )


def _read(setting: Setting, text: str | None) -> Any:
    if not text and setting.derived:
        return None
    text = text or setting.default
    try:
        return setting.read(text)
    except ValueError as reason:
        raise BadSetting(f"{setting.name} {reason}, not {masked(text)!r}.") from None


def environment_of(settings: Settings) -> dict[str, str]:
    """Answer what a child's environment must say beside what the settings were read from."""
    after = settings.archive_after
    return {
        "REDIS_URL": settings.redis_url,
        "RQ_URL": settings.rq_url,
        "ABRAXAS_DATA": str(settings.data),
        "ABRAXAS_HOST": settings.host,
        "ABRAXAS_PORT": str(settings.port),
        "ABRAXAS_LIVE_PORT": str(settings.stream_port),
        "ABRAXAS_ARCHIVE_AFTER": "off" if after is None else str(after),
    }


def masked(text: str) -> str:
    """Hide the passwords in a URL."""
    text = re.sub(r"(?<=://)([^:@/?#]*):.*(?=@)", r"\1:***", text)
    return re.sub(r"(?<=password=)[^&#]*", "***", text)
