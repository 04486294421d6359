"""Records of earlier releases: verified and replayed for ever, byte for byte.

A file in ``golden_records/`` is never changed. If an event gets another shape, its old files are
read through an upcast, as the last tests show; if the rules change, old files are applied and no
longer decided again. ``python -m tests.events.records.write_golden_record`` writes a new one.
"""

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import defstruct

from domain.catalogue import games
from domain.game import AnyGame, Upcast
from events import codec
from events.records import record
from events.records.record import BadRecord, export, import_record
from events.records.verify import verify_record

FOLDER = Path(__file__).parent / "golden_records"
GOLDEN = sorted(FOLDER.glob("*.jsonl"))
every_record = pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)


def test_every_game_has_a_golden_record() -> None:
    kept = {json.loads(path.read_bytes().splitlines()[0])["game"] for path in GOLDEN}
    assert kept == set(games())


@every_record
def test_a_golden_record_still_verifies_replays_and_exports_to_the_same_bytes(path: Path) -> None:
    content = path.read_bytes()
    imported = import_record(content)
    assert b"".join(export(imported.recorded[0], imported.recorded, "full")) == content
    table = imported.loaded.state
    assert table.playing.is_over(table.play)
    assert table.playing.result(table.play)


GAME = next(iter(games().values()))
(RECORD,) = (path.read_bytes() for path in GOLDEN if path.stem == GAME.name)
SEATED = next(iter(kind for kind in GAME.events if "seat" in kind.__struct_fields__))
"""Any event of a seat; from the next release on it says by which hand."""


def _hand(event: dict[str, Any]) -> dict[str, Any]:
    """Schema 1 did not say; all were right-handed."""
    return event | {"hand": "right"}


def next_release(upcasts: dict[tuple[str, int], Upcast]) -> AnyGame:
    """Answer the game with a new field in one of its events, and a new number of rules."""
    name = SEATED.__name__
    kind = defstruct(name, [("hand", str)], bases=(SEATED,), frozen=True)
    events = tuple(kind if each is SEATED else each for each in GAME.events)
    return replace(GAME, rules=GAME.rules + 1, events=events, upcasts=upcasts)


@pytest.fixture
def released(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Put the next release of the game into the catalogue."""
    game = next_release(request.param)
    catalogue = dict(games()) | {game.name: game}
    for module in (codec, record):
        monkeypatch.setattr(module, "games", lambda: catalogue)
    return game


@pytest.mark.parametrize("released", [{(SEATED.__name__, 1): _hand}], indirect=True)
def test_a_new_shape_of_an_event_reads_old_records_through_its_upcast(released: AnyGame) -> None:
    imported = import_record(RECORD)
    old = [each for each in imported.recorded if each.kind == SEATED.__name__]
    assert old
    for each in old:
        assert each.schema == 1
        assert codec.decode(each, released).hand == "right"
        assert b"right" not in each.joined
    assert b"".join(export(imported.recorded[0], imported.recorded, "full")) == RECORD
    again = codec.record(released, "t", 0, 0, [codec.decode(old[0], released)])
    assert again[0].schema == 2
    assert b'"hand":"right"' in again[0].public


@pytest.mark.parametrize("released", [{}], indirect=True)
def test_a_new_shape_without_an_upcast_does_not_pass_silently(released: AnyGame) -> None:
    assert verify_record(io.BytesIO(RECORD)).ok
    with pytest.raises(BadRecord) as bad:
        import_record(RECORD)
    assert bad.value.reason == "unknown-event"
