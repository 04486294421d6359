"""The image and the compose file keep what the server promises."""

import json
import re
from typing import Any

import yaml

from tests.architecture.tree import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def test_the_composed_store_keeps_what_is_acknowledged() -> None:
    store = COMPOSE["services"]["valkey"]
    words = store["command"][1:]
    assert dict(zip(words[::2], words[1::2], strict=True)) == {
        "--appendonly": "yes",
        "--appendfsync": "always",
        "--maxmemory-policy": "noeviction",
    }
    assert store["volumes"] == ["valkey:/data"]
    assert "valkey" in COMPOSE["volumes"]


def test_every_role_runs_the_one_image_and_waits_for_a_healthy_store() -> None:
    for role in ("api", "worker"):
        service = COMPOSE["services"][role]
        assert service["command"] == [role]
        assert service["image"] == "abraxas"
        assert service["depends_on"] == {"valkey": {"condition": "service_healthy"}}
        assert service["environment"]["REDIS_URL"].startswith("redis://valkey:")


def test_the_image_is_debian_runs_as_nobody_special_and_says_how_it_is() -> None:
    assert re.search(r"^FROM python:3\.11-slim-\w+$", DOCKERFILE, re.MULTILINE)
    user = re.search(r"^USER (\d+):(\d+)$", DOCKERFILE, re.MULTILINE)
    assert user
    assert 0 not in map(int, user.groups())
    assert "/livez" in DOCKERFILE
    entry = re.search(r"^ENTRYPOINT (.+)$", DOCKERFILE, re.MULTILINE)
    assert entry
    assert json.loads(entry[1]) == ["abraxas"]


def test_the_image_installs_only_what_the_lock_holds() -> None:
    installs = re.findall(r"^RUN .*pip install.*$", DOCKERFILE, re.MULTILINE)
    assert len(installs) == 2
    assert all("--require-hashes" in i or "--no-deps" in i for i in installs)
