"""Every block of the tutorials, and the guides' sessions, do what the pages say, word for word."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.playing import asking
from tests.e2e.server import Server, environment, serving
from tests.e2e.test_readme import ROOT, session

DOCS = ROOT / "docs"
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAMS = {
    "python": (sys.executable, "-W", "error", "-c"),
    "js": ("node", "--input-type=module", "--eval"),
}
SAYS = {
    ("first-game", "sh"): (
        r'^\{"seat":1,"version":\d+,.*"type":"GameStarted"',
        r"^Seat [01] sends \{",
        r"(?i)^idempotent-replayed: true",
        r'"title":"Un champ n’est pas correct"',
        r"^All seats are taken: the game begins\.$",
        r"^id: \d+$",
    ),
    ("bot", "python"): (r"^Over: \{.*'winners'", r"^open and it is my turn at \d+ tables$"),
    ("phone-app", "js"): (r"^sent$", r"^Badge: [01]$", r"^Then: (304|200)$"),
    ("phone-app", "python"): (r"^Pushed: webhook\.test$",),
    ("replay-viewer", "js"): (
        r"^(\d+) steps; the last: The table is over",
        r"^spectator sees [^\n]+\narbiter sees .*, open$",
        r" with \d+ events, sealed by [0-9a-f]{64}$",
    ),
}
"""What the blocks of a page in one language print, in this order."""

pytestmark = pytest.mark.e2e


def blocks(page: Path) -> list[tuple[str, str]]:
    return FENCED.findall(page.read_text(encoding="utf-8"))


def program(page: str, language: str) -> str:
    return "".join(text for told, text in blocks(DOCS / page) if told == language)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("tutorials")
    with serving(data, ABRAXAS_LOCAL_WEBHOOKS="on") as running:
        yield running


@pytest.mark.parametrize(("page", "language"), SAYS, ids="-".join)
def test_a_tutorial_runs_word_for_word(server: Server, page: str, language: str) -> None:
    if language == "js" and shutil.which("node") is None:
        pytest.skip("there is no Node")
    ran = run(language, program(f"tutorials/{page}.md", language), server)
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
    at = 0
    for line in SAYS[page, language]:
        found = re.compile(line, re.MULTILINE).search(ran.stdout, at)
        assert found, (line, ran.stdout[at:])
        at = found.end()


def run(language: str, script: str, server: Server) -> "subprocess.CompletedProcess[str]":
    if language == "sh":
        return session(script, server.url, server.port)
    script = script.replace("http://127.0.0.1:8000", server.url)
    client = str(ROOT / "sdk" / "python" / "src")
    return subprocess.run(
        [*PROGRAMS[language], script],
        env=environment() | {"PYTHONPATH": client},
        capture_output=True,
        text=True,
        timeout=100,
    )


def test_every_block_of_the_tutorials_is_run() -> None:
    found = {
        (page.stem, language)
        for page in (DOCS / "tutorials").glob("*.md")
        for language, _ in blocks(page)
    }
    assert found == SAYS.keys()


def test_the_page_about_live_updates_opens_a_stream(server: Server) -> None:
    with asking(server.url) as http:
        token = http.post("/v1/players", json={}).json()["token"]
        game = http.get("/v1/games").json()["items"][0]
        opened = http.post(
            "/v1/tables",
            json={
                "game": game["game"],
                "seats": 2,
                "seat": None,
                "bots": {"0": "random", "1": "random"},
            },
            headers={"Authorization": f"Bearer {token}"},
        ).json()
    told = f"token={token}\nstream={opened['links']['stream']}\n"
    # The bots play to the end, so the stream ends too.
    ran = session(told + program("live.md", "sh"), server.url, server.port)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("retry: ")
    assert "\nevent: end\ndata: " in ran.stdout


@pytest.mark.parametrize(
    "page",
    sorted(DOCS.glob("*.md")),
    ids=lambda page: page.stem,
)
def test_what_the_guides_show_can_be_parsed(page: Path) -> None:
    for language, text in blocks(page):
        if language == "json":
            for line in [text] if text.startswith("{\n") else text.splitlines():
                json.loads(line)
        elif language == "python":
            compile(text, page.name, "exec")
        elif language == "sh":
            subprocess.run(["bash", "-n", "-c", text], check=True)
        else:
            assert language in ("", "text"), f"nobody checks {language}"
