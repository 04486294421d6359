"""The settings come from the environment, and each bad one is told in one sentence."""

from pathlib import Path

import pytest

from events.servers.embedded import url
from service.settings import (
    SETTINGS,
    BadSetting,
    Settings,
    masked,
    settings_from_env,
)


def test_an_empty_environment_gives_the_defaults() -> None:
    assert settings_from_env({}) == Settings(
        redis_url=url(Path("var")),
        embedded=True,
        rq_url=url(Path("var")),
        rq_key_prefix="rq",
        durability="always",
        data=Path("var"),
        host="127.0.0.1",
        port=8000,
        url=None,
        live_url=None,
        live_port=None,
        limits=True,
        local_webhooks=False,
        log="info",
        log_format="auto",
        archive_after=None,
    )


def test_every_name_is_read() -> None:
    environ = {
        "REDIS_URL": "rediss://store.example:6380/2",
        "RQ_URL": "unix:///run/rq.sock?db=1",
        "RQ_KEY_PREFIX": "{rq}:abraxas",
        "DURABILITY": "trusted",
        "ABRAXAS_DATA": "/srv/tables",
        "ABRAXAS_HOST": "::",
        "ABRAXAS_PORT": "9000",
        "ABRAXAS_URL": "https://play.example/",
        "ABRAXAS_LIVE_URL": "https://live.example/",
        "ABRAXAS_LIVE_PORT": "9100",
        "ABRAXAS_LIMITS": "off",
        "ABRAXAS_LOCAL_WEBHOOKS": "on",
        "ABRAXAS_LOG": "debug",
        "ABRAXAS_LOG_FORMAT": "text",
        "ABRAXAS_ARCHIVE_AFTER": "600",
    }
    assert {each.name for each in SETTINGS} == set(environ)
    assert settings_from_env(environ) == Settings(
        redis_url="rediss://store.example:6380/2",
        embedded=False,
        rq_url="unix:///run/rq.sock?db=1",
        rq_key_prefix="{rq}:abraxas",
        durability="trusted",
        data=Path("/srv/tables"),
        host="::",
        port=9000,
        url="https://play.example",
        live_url="https://live.example",
        live_port=9100,
        limits=False,
        local_webhooks=True,
        log="debug",
        log_format="text",
        archive_after=600,
    )


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("REDIS_URL", "localhost:6379", "must be a URL that starts with redis://"),
        ("REDIS_URL", "http://localhost", "must be a URL that starts with redis://"),
        ("REDIS_URL", "redis://", "must be a URL that starts with redis://"),
        ("REDIS_URL", "redis://host:99999", "must be a URL that starts with redis://"),
        ("REDIS_URL", "unix://", "must be a URL that starts with redis://"),
        ("REDIS_URL", "redis://host/tables", "must end with the number of a database, if with any"),
        ("REDIS_URL", "redis://host?cluster=true&dB=1", "has an option after ? that is none"),
        ("REDIS_URL", "unix:///run/it.sock?db=x", "has an option after ? that is none"),
        ("RQ_URL", "redis://host/0?pasword=x", "has an option after ? that is none"),
        ("RQ_URL", "redis://host/0?cluster=true", "must name a plain server"),
        ("RQ_URL", "amqp://host", "must be a URL that starts with redis://"),
        ("RQ_KEY_PREFIX", "my jobs", "may have letters, digits and _ . : - { } only"),
        ("DURABILITY", "everysec", "must be one of always, relaxed, trusted"),
        ("ABRAXAS_PORT", "http", "must be a number from 1 to 65535"),
        ("ABRAXAS_PORT", "0", "must be a number from 1 to 65535"),
        ("ABRAXAS_PORT", "65536", "must be a number from 1 to 65535"),
        ("ABRAXAS_PORT", "²", "must be a number from 1 to 65535"),
        ("ABRAXAS_LIVE_URL", "live.example", "must be a URL that starts with http://"),
        ("ABRAXAS_LIVE_URL", "https://me@live.example", "must be an address of plain letters"),
        ("ABRAXAS_URL", "https://play.example/?a=b", "must be an address of plain letters"),
        ("ABRAXAS_URL", "https://play.example/#a", "must be an address of plain letters"),
        ("ABRAXAS_URL", "https://play example", "must be an address of plain letters"),
        ("ABRAXAS_URL", "https://jeté.example", "must be an address of plain letters"),
        ("ABRAXAS_LIMITS", "yes", "must be one of on, off"),
    ],
)
def test_a_bad_value_is_told_in_one_sentence(name: str, value: str, reason: str) -> None:
    with pytest.raises(BadSetting) as told:
        settings_from_env({name: value})
    sentence = str(told.value)
    assert sentence.startswith(f"{name} {reason}")
    assert sentence.endswith(f", not {value!r}.")
    assert "\n" not in sentence


def test_a_bad_url_is_told_without_its_password() -> None:
    with pytest.raises(BadSetting) as told:
        settings_from_env({"REDIS_URL": "http://me:secret@host"})
    assert "secret" not in str(told.value)


def test_an_empty_value_counts_as_none() -> None:
    assert settings_from_env({each.name: "" for each in SETTINGS}) == settings_from_env({})


def test_rq_lives_in_the_store_unless_it_has_a_server_of_its_own() -> None:
    assert settings_from_env({"REDIS_URL": "redis://store"}).rq_url == "redis://store"
    assert settings_from_env({"RQ_URL": "redis://jobs"}).rq_url == "redis://jobs"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("redis://host:6379/0", "redis://host:6379/0"),
        ("redis://me:secret@host/0", "redis://me:***@host/0"),
        ("redis://:secret@host/0", "redis://:***@host/0"),
        ("redis://:s:e/c@r@host/0", "redis://:***@host/0"),
        ("unix:///run/it.sock?password=secret&db=1", "unix:///run/it.sock?password=***&db=1"),
        ("var", "var"),
    ],
)
def test_passwords_are_masked(text: str, shown: str) -> None:
    assert masked(text) == shown


def test_each_default_that_is_shown_is_the_one_that_counts() -> None:
    shown = {each.name: each.default for each in SETTINGS if not each.derived}
    assert settings_from_env(shown) == settings_from_env({})
