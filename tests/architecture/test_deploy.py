"""What deploy/ shows is valid, and asks of the store what the server insists on."""

from pathlib import Path
from subprocess import run
from sys import executable
from typing import Any

import pytest
import yaml

from events.servers.connection import names_cluster
from service.settings import settings_from_env
from tests.architecture.tree import ROOT, name_of

DEPLOY = ROOT / "deploy"
COMPOSE = [ROOT / "compose.yaml", *sorted((DEPLOY / "compose").glob("*.yaml"))]
KUBERNETES = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
CONFIGURATION = (DEPLOY / "valkey.conf").read_text(encoding="utf-8")


def linted(*words: str) -> None:
    """Run a linter of ours, and fail with what it says."""
    done = run([executable, "-m", *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def objects() -> list[dict[str, Any]]:
    """Read every object of the manifests."""
    texts = (path.read_text(encoding="utf-8") for path in KUBERNETES)
    return [each for text in texts for each in yaml.safe_load_all(text)]


@pytest.mark.parametrize("path", COMPOSE, ids=name_of)
def test_compose_files_fit_the_schema(path: Path) -> None:
    linted("check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(path))


def test_manifests_fit_the_schemas_of_kubernetes() -> None:
    linted("kubernetes_validate", "--strict", *map(str, KUBERNETES))


def test_a_manifest_that_is_wrong_is_found(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(KUBERNETES[0].read_text().replace("containerPort: 8000", "containerPort: x"))
    with pytest.raises(AssertionError, match="containerPort"):
        linted("kubernetes_validate", "--strict", str(wrong))


def test_the_store_is_configured_as_the_server_insists() -> None:
    told = dict(
        line.split(" ", 1) for line in CONFIGURATION.splitlines() if line and line[0] != "#"
    )
    wanted = {
        "appendonly": "yes",
        "appendfsync": "always",
        "no-appendfsync-on-rewrite": "no",
        "maxmemory-policy": "noeviction",
        "min-replicas-to-write": "1",
        "cluster-enabled": "yes",
        "cluster-require-full-coverage": "no",
    }
    assert {name: told.get(name) for name in wanted} == wanted


def test_both_ways_use_the_one_configuration_and_a_url_that_names_the_cluster() -> None:
    composed = yaml.safe_load(COMPOSE[1].read_text(encoding="utf-8"))
    assert composed["configs"]["valkey"]["file"] == "../valkey.conf"
    maps = {each["metadata"]["name"]: each["data"] for each in objects() if "data" in each}
    assert maps["valkey"]["valkey.conf"] == CONFIGURATION
    for environ in (composed["services"]["api"]["environment"], maps["abraxas"]):
        settings = settings_from_env(environ)
        assert names_cluster(settings.redis_url)
        assert settings.rq_url == "redis://rq:6379/0"


def test_every_role_runs_the_one_image() -> None:
    roles = {
        each["metadata"]["name"]: each["spec"]["template"]["spec"]["containers"][0]
        for each in objects()
        if each["kind"] == "Deployment"
    }
    for role in ("api", "live", "worker"):
        assert (roles[role]["image"], roles[role]["args"]) == ("abraxas", [role])
