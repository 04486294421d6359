"""What is mutated, room by room, and the tests that must notice."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tests.mutation import lua, python
from tests.mutation.changes import Draft


@dataclass(frozen=True, slots=True)
class Room:
    """Files whose mutants one pytest session tries, and what that session is asked to run."""

    files: Sequence[str]
    asked: Sequence[str]
    budget: float = 2.0
    """Seconds of tests that a mutant meets at first."""

    def drafts(self, of: str = "") -> list[Draft]:
        """Find every mutant of the room, or of the files that are named so."""
        return [each for file in self.files if of in file for each in _found(file)]


def _found(file: str) -> list[Draft]:
    return lua.mutants_of(file) if file.endswith(".lua") else python.mutants_of(file)


def _rules(game: str, *names: str) -> Room:
    """Answer the room of decide, evolve, view, and of what they are made of."""
    # The other games and the bots, which play whole games, tell nothing of these rules.
    others = " and ".join(f"not {each}" for each in (*_GAMES, "test_bot") if each != game)
    return Room(
        tuple(f"domain/{game}/{name}.py" for name in names),
        ("-k", others, f"tests/domain/{game}", "tests/domain/test_every_game.py"),
    )


_GAMES: Final = ("potage_sauvage", "magic_cooking", "spellcaster")
QUICK: Final = "quick"
"""A room with few tests, which are quickly learnt."""

_ON_VALKEY: Final = ("-k", "not fakeredis and not clustered")

ROOMS: Final[dict[str, Room]] = {
    "append": Room(
        (lua.APPEND,),
        (
            *_ON_VALKEY,
            "tests/events/test_append.py",
            "tests/events/test_store.py",
            "tests/events/test_feeds.py",
            "tests/events/test_repeats.py",
            "tests/events/test_loaded.py",
        ),
    ),
    "follower": Room(
        (lua.COMMIT, "workers/batch.py"),
        (
            *_ON_VALKEY,
            "tests/events/test_tracing.py",
            "tests/workers/test_commit.py",
            "tests/workers/test_batch.py",
            "tests/workers/test_follow.py",
            "tests/workers/test_parked.py",
            "tests/workers/test_damaged_entries.py",
            "tests/workers/projections",
            "tests/workers/test_bots.py",
            "tests/workers/test_archive.py",
            "tests/workers/webhooks/test_messages.py",
        ),
        budget=8.0,
    ),
    "table": Room(
        tuple(f"domain/table/{name}.py" for name in ("decide", "evolve", "fork", "state", "view")),
        ("-k", "not test_bot", "tests/domain/table", "tests/domain/test_every_game.py"),
    ),
    "potage_sauvage": _rules(
        "potage_sauvage", "decide", "evolve", "events", "moves", "pot", "scoring", "state", "view"
    ),
    "magic_cooking": _rules(
        "magic_cooking",
        "decide",
        "evolve",
        "events",
        "refusals",
        "rounds",
        "scoring",
        "spells",
        "state",
        "story",
        "turns",
        "view",
        "windows",
    ),
    "spellcaster": _rules(
        "spellcaster",
        "amounts",
        "course",
        "decide",
        "effects",
        "events",
        "evolve",
        "hints",
        "knowledge",
        "moves",
        "resolve",
        "sides",
        "state",
        "targets",
        "terms",
        "turn",
        "view",
    ),
    "deck_lists": Room(
        tuple(
            f"domain/spellcaster/{each}.py" for each in ("checks", "decks", "expressions", "steps")
        ),
        (
            "tests/domain/spellcaster/test_language.py",
            "tests/domain/spellcaster/test_deck_lists.py",
            "tests/domain/spellcaster/test_steps.py",
        ),
    ),
    QUICK: Room(
        (lua.APPEND, *(f"domain/potage_sauvage/{name}.py" for name in ("decide", "pot", "moves"))),
        (
            *_ON_VALKEY,
            "tests/events/test_append.py",
            "tests/events/test_store.py",
            "tests/domain/potage_sauvage/test_deals.py",
            "tests/domain/potage_sauvage/test_rejections.py",
            "tests/domain/potage_sauvage/test_tricks.py",
        ),
    ),
}
