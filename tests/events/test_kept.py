"""A bounded memory of tables."""

from domain.value import changed
from events.kept import Kept
from events.loaded import unopened


def test_the_table_not_asked_for_longest_is_forgotten() -> None:
    kept = Kept(2)
    for table in ("a", "b"):
        kept.put(unopened(table))
    assert kept.get("a") == unopened("a")
    kept.put(unopened("c"))
    assert kept.get("b") is None
    assert kept.get("a") == unopened("a")
    assert kept.get("c") == unopened("c")


def test_a_table_that_is_kept_again_counts_as_asked_for() -> None:
    kept = Kept(2)
    for table in ("a", "b", "a", "c"):
        kept.put(unopened(table))
    assert kept.get("b") is None
    assert kept.get("a") is not None


def test_an_older_version_does_not_replace_a_newer_one() -> None:
    kept = Kept(2)
    newer = changed(unopened("a"), version=3)
    kept.put(newer)
    kept.put(unopened("a"))
    assert kept.get("a") == newer


def test_a_dropped_table_is_gone() -> None:
    kept = Kept(2)
    kept.put(changed(unopened("a"), version=3))
    kept.drop("a")
    kept.drop("never kept")
    assert kept.get("a") is None
    kept.put(unopened("a"))
    assert kept.get("a") == unopened("a")
