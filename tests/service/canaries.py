"""Secrets that can be told from everything else, and a search for them in whatever goes out.

Knows no game: what is secret is read off the sealed faces that were stored.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from typing import Any

from domain.catalogue import games
from domain.sealed import face_fields
from domain.wire import read_options
from events import chain, codec
from events.recorded import Recorded
from service.openapi import openapi

_NUMBERS = count()

LEAST = 3
"""Shorter lists of cards come about by chance."""


def marked(face: Callable[[Any, tuple[str, ...]], bytes]) -> Callable[..., bytes]:
    """Let every sealed face that is written carry a token that is nowhere else."""

    def written(event: Any, names: tuple[str, ...]) -> bytes:
        plain = face(event, names)
        if not names or names != face_fields(type(event))[1]:
            return plain
        token = sha256(b"canary %d" % next(_NUMBERS)).hexdigest()[:24]
        return b'{"canary":"%s",%s' % (token.encode(), plain[1:])

    return written


def canary(sealed: bytes) -> str:
    """Answer the token of a sealed face."""
    found: str = json.loads(sealed)["canary"]
    return found


@dataclass
class Secrets:
    """What is hidden, and which players may know it; nobody has a name of its own here."""

    words: dict[bytes, frozenset[str]] = field(default_factory=dict)
    lists: dict[tuple[str, ...], frozenset[str]] = field(default_factory=dict)
    shown: set[tuple[str, ...]] = field(default_factory=set)

    def learn(self, recorded: tuple[Recorded, ...], players: tuple[str | None, ...]) -> None:
        """Take what the events of a table hide; ``players`` sit on its seats."""
        opened = json.loads(recorded[0].public)
        key = bytes.fromhex(json.loads(recorded[0].sealed)["key"])
        game = games()[opened["game"]]
        deck = game.deck(read_options(game, opened["options"], opened["seats"]))
        self.shown.add(tuple(sorted(deck)))
        self.words[key.hex().encode()] = frozenset()
        # Whoever opens a private table is given its invite, to hand it on.
        self.words[chain.invite(key).encode()] = frozenset([opened["opener"]])
        for each in recorded:
            self.shown |= {tuple(sorted(found)) for found in lists(json.loads(each.public))}
            if each.audience is None:
                continue
            may = frozenset(p for seat in each.audience if (p := players[seat]) is not None)
            self.words[chain.salt(key, each.version).hex().encode()] = may
            sealed = json.loads(each.sealed)
            if "canary" in sealed:
                self.words[sealed["canary"].encode()] = may
            if "state" not in sealed:
                self.hold(sealed, may)

    def hold(self, cards: Any, may: frozenset[str]) -> None:
        """Take every list in a hidden hand or face as one that only ``may`` know."""
        for each in lists(cards):
            for order in (each, tuple(sorted(each))):
                self.lists[order] = self.lists.get(order, frozenset()) | may

    def leaks(self, reader: str | None, said: bytes) -> list[str]:
        """Answer what a reader is told that it may not know; nobody in particular is None."""
        found = [
            word.decode()
            for word, may in self.words.items()
            if word in said and (reader is None or reader not in may)
        ]
        for cards in {each for line in objects(said) for each in lists(line)}:
            order = tuple(sorted(cards))
            # In any order only where so many cards do not come together by chance.
            known = (cards, order) if len(cards) > LEAST + 1 else (cards,)
            for each in known:
                may = self.lists.get(each, frozenset({reader or ""}))
                hidden = order not in self.shown and (reader or "") not in may
                found += [" ".join(each)] if hidden else []
        return found


def lists(node: Any) -> Iterator[tuple[str, ...]]:
    """Answer every list of so many words in a JSON value, at any depth."""
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    if isinstance(node, list) and len(node) >= LEAST and all(isinstance(e, str) for e in node):
        yield tuple(node)
    for each in inner:
        yield from lists(each)


def objects(said: bytes) -> Iterator[Any]:
    """Answer the JSON of an answer, or of its lines; nothing for a page."""
    for line in said.splitlines() if b"\n{" in said else [said]:
        try:
            yield json.loads(line.removeprefix(b"data: "))
        except ValueError:
            continue


def install(patch: Callable[[Any, str, Any], None]) -> None:
    """Make a test build: ``patch`` is monkeypatch.setattr."""
    # Its examples are events too: they are written before, and kept.
    openapi()
    patch(codec, "_face", marked(codec._face))
