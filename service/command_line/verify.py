"""abraxas verify: whether a record is what a table left behind, and how far that is proved."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from service.command_line import Refused

if TYPE_CHECKING:
    from events.records.verify import Checked, Facts

LARGEST: Final = 1 << 28
"""Bytes of the largest record that is read, unpacked."""

Told = Iterator[tuple[str, str]]


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--head", help="A hash that the table told: is it in the record's chain?")
def command(*, file: Path, head: str | None) -> None:
    """Check a record (.jsonl, .gz or .zst); exit code 1 if anything in it is wrong."""
    from events.records.verify import check

    if head is not None and not _is_hash(head):
        raise Refused("--head takes a hash: 64 hex digits.")
    checked = check(io.BytesIO(_content(file)), head.lower() if head else None)
    told = list(_told(checked, head))
    for word, sentence in told:
        # A file may hold what a terminal would obey.
        click.echo(f"{word:<6} " + "".join(c if c.isprintable() else "?" for c in sentence))
    sys.exit(1 if any(word == "WRONG" for word, _ in told) else 0)


def _is_hash(text: str) -> bool:
    return len(text) == 64 and not set(text.lower()) - set("0123456789abcdef")


def _content(file: Path) -> bytes:
    from events.records.packing import BadPacking, TooLarge, encoding_of, unpacked

    try:
        with file.open("rb") as opened:
            return unpacked(opened, encoding_of(file.name), LARGEST)
    except (BadPacking, TooLarge, OSError) as problem:
        raise Refused(f"{file} cannot be read: {problem}.") from None


def _told(checked: "Checked", head: str | None) -> Told:
    verdict = checked.verdict
    if verdict.line is not None:
        yield _wrong(str(verdict.reason), verdict.line)
    facts = verdict.facts
    if facts is not None:
        yield from _chain(facts)
        yield from _faces(facts)
        yield from _rolls(facts)
        yield from _rules(checked, facts)
        yield from _head(facts, head)


def _chain(facts: "Facts") -> Told:
    copy = {"public": "public", "full": "full"}.get(facts["redaction"], f"seat {facts['seat']}'s")
    yield "", f"Table {facts['table']}: {facts['game']}, rules {facts['rules']}, {copy} copy"
    whole = facts["after"] == 0
    since = "" if whole else f" after version {facts['after']}"
    yield "ok", f"{facts['events']} events{since} in one chain, with the head {facts['head']}"
    if whole:
        yield "ok", "The header is what the table was opened with."
    else:
        yield "open", "What came before, and the header, cannot be checked in a part of a record."
    if facts["forked_from"]:
        origin = facts["forked_from"]
        yield "open", f"A what-if of table {origin['table']} from its version {origin['version']}."


def _faces(facts: "Facts") -> Told:
    opened, sealed = facts["opened"], facts["sealed"]
    if opened:
        yield "ok", f"{opened} of {sealed} sealed faces are open, and are those in the chain."
    if facts["salted"]:
        yield "ok", f"{facts['salted']} salts come from the key, which was committed to."
    if opened < sealed:
        yield "open", f"{sealed - opened} sealed faces could not be opened: this copy has them not."
    if not facts["over"]:
        yield "open", "The table was not over: its key is not told yet."


def _rolls(facts: "Facts") -> Told:
    rolls, rolled = facts["rolls"], facts["rolled"]
    if rolls:
        yield "ok", f"{rolls} of {rolled} rolls come from the key and the seats' entropy."
    if rolls < rolled:
        yield "open", f"{rolled - rolls} rolls could not be checked."


def _rules(checked: "Checked", facts: "Facts") -> Told:
    from events.records.record import recorded_of
    from events.records.replay import Unplayable, replay

    header = checked.header
    if header is None or facts["redaction"] != "full" or facts["after"] > 0:
        yield "open", "Moves are checked against the rules in a full copy only."
        return
    try:
        decided = replay(recorded_of(checked), header.deck).decided
    except Unplayable as left:
        yield _wrong(left.reason, left.version + 1)
        return
    if decided is None:
        yield "open", f"Moves were made by rules {facts['rules']}, which are no longer known here."
    else:
        yield "ok", f"{decided} commands decided again: shuffles, picks and moves are by the rules."


def _head(facts: "Facts", head: str | None) -> Told:
    if head is None:
        yield "open", "No --head was given: a history rewritten as a whole would pass too."
    elif facts["kept"] is None:
        yield _wrong("head-differs")
    else:
        yield "ok", f"The hash given is the chain's at version {facts['kept']}."


def _wrong(reason: str, line: int | None = None) -> tuple[str, str]:
    from events.records.record import REASONS

    place = f"Line {line}" if line else "The chain"
    return "WRONG", f"{place}: {REASONS[reason]} ({reason})."
