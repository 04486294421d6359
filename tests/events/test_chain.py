"""The chain does what docs/verifying.md says; a second program, written from it, agrees."""

import json
import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from hmac import digest
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from events import chain

PAGE = (Path(__file__).parents[2] / "docs" / "verifying.md").read_text("utf-8")
EXAMPLE = dict(re.findall(r"^([a-z]+(?:\([\d,]+\))?) {2,}(.+)$", PAGE, re.MULTILINE))
KEY = bytes.fromhex(EXAMPLE["key"])
ENTROPIES = [b"", bytes.fromhex("c0ffee")]


def u32(n: int) -> bytes:
    return n.to_bytes(4, "big")


def u64(n: int) -> bytes:
    return n.to_bytes(8, "big")


def words(seed: bytes, r: int) -> Iterator[int]:
    stream = digest(seed, b"roll" + u64(r), "sha256")
    for i in count():
        block = digest(stream, u64(i), "sha256")
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))


def rolls(seed: bytes, r: int, asked: list[int]) -> list[list[int]]:
    source = words(seed, r)
    answers = []
    for n in asked:
        fair = 2**32 // n * n
        answers.append([n, 0 if n == 1 else next(word for word in source if word < fair) % n])
    return answers


def linked(*parts: bytes) -> str:
    return sha256(b"".join(u32(len(part)) + part for part in parts)).hexdigest()


def test_the_page_agrees_with_a_program_written_from_it() -> None:
    public, sealed = EXAMPLE["public(1)"].encode(), EXAMPLE["sealed(1)"].encode()
    salt = digest(KEY, b"abraxas salt 1" + u64(1), "sha256")
    inner = sha256(salt + sealed).digest()
    seed = digest(KEY, b"abraxas dice 1" + b"\x02" + b"\x00" + b"\x03\xc0\xff\xee", "sha256")
    stream = digest(seed, b"roll" + u64(0), "sha256")
    first = bytes.fromhex(EXAMPLE["hash(0)"])
    second = bytes.fromhex(EXAMPLE["hash(1)"])
    asked = list(range(52, 42, -1))
    assert {
        "table": json.loads(EXAMPLE["header"])["table"],
        "key": json.loads(sealed)["key"],
        "commitment": sha256(KEY).hexdigest(),
        "invite": digest(KEY, b"abraxas invite 1", "sha256")[:16].hex(),
        "header": rfc8785.dumps(json.loads(EXAMPLE["header"])).decode(),
        "hash(0)": sha256(EXAMPLE["header"].encode()).hexdigest(),
        "public(1)": rfc8785.dumps(json.loads(public)).decode(),
        "sealed(1)": rfc8785.dumps(json.loads(sealed)).decode(),
        "salt(1)": salt.hex(),
        "inner(1)": inner.hex(),
        "hash(1)": linked(
            first, b"1", b"TableOpened", b"1", b"1767225600000", b"", b"", public, inner
        ),
        "public(2)": rfc8785.dumps(json.loads(EXAMPLE["public(2)"])).decode(),
        "hash(2)": linked(
            second,
            b"2",
            b"SeatTaken",
            b"1",
            b"1767225601500",
            b"1",
            b"",
            EXAMPLE["public(2)"].encode(),
            b"",
        ),
        "seed": seed.hex(),
        "stream(0)": stream.hex(),
        "block(0,0)": digest(stream, u64(0), "sha256").hex(),
        "rolls(0)": json.dumps(rolls(seed, 0, asked), separators=(",", ":")),
        "rolls(1)": json.dumps(rolls(seed, 1, asked), separators=(",", ":")),
    } == EXAMPLE


def test_the_chain_agrees_with_the_page() -> None:
    opened = json.loads(EXAMPLE["public(1)"])
    public, sealed = EXAMPLE["public(1)"].encode(), EXAMPLE["sealed(1)"].encode()
    first = chain.first_hash(EXAMPLE["table"], opened)
    salt = chain.salt(KEY, 1)
    inner = chain.inner(salt, sealed)
    second = chain.next_hash(first, 1, "TableOpened", 1, 1767225600000, None, (), public, inner)
    taken = EXAMPLE["public(2)"].encode()
    third = chain.next_hash(second, 2, "SeatTaken", 1, 1767225601500, 1, None, taken, b"")
    found = [chain.commitment(KEY), chain.invite(KEY)]
    found += [each.hex() for each in (first, salt, inner, second, third)]
    found.append(chain.dice_seed(KEY, ENTROPIES).hex())
    names = ["commitment", "invite", "hash(0)", "salt(1)", "inner(1)", "hash(1)", "hash(2)", "seed"]
    assert found == [EXAMPLE[name] for name in names]
    for r in (0, 1):
        roll = chain.keyed_roll(KEY, ENTROPIES, r)
        told = json.loads(EXAMPLE[f"rolls({r})"])
        assert [[n, roll(n)] for n, _ in told] == told


@given(
    st.binary(min_size=32, max_size=32),
    st.lists(st.binary(max_size=32), min_size=1, max_size=6),
    st.integers(0, 2**40),
    st.lists(st.integers(1, 2**32), max_size=40),
)
def test_every_roll_is_the_pages(
    key: bytes, entropies: list[bytes], r: int, asked: list[int]
) -> None:
    roll = chain.keyed_roll(key, entropies, r)
    assert [[n, roll(n)] for n in asked] == rolls(chain.dice_seed(key, entropies), r, asked)


def test_a_roll_of_one_uses_nothing_up() -> None:
    plain, mixed = (chain.keyed_roll(KEY, ENTROPIES, 0) for _ in range(2))
    assert [mixed(n) for n in (1, 52, 1, 1, 51)] == [0, plain(52), 0, 0, plain(51)]


def test_rolls_are_evenly_spread() -> None:
    roll = chain.keyed_roll(KEY, ENTROPIES, 7)
    found = [0] * 7
    for _ in range(7000):
        found[roll(7)] += 1
    assert all(850 < each < 1150 for each in found)


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_nothing_else_can_be_rolled(n: int) -> None:
    with pytest.raises(ValueError, match="cannot roll"):
        chain.keyed_roll(KEY, ENTROPIES, 0)(n)


def test_dice_depend_on_key_seats_entropy_and_decision_alone() -> None:
    def deal(key: bytes, entropies: list[bytes], r: int) -> tuple[int, ...]:
        roll = chain.keyed_roll(key, entropies, r)
        return tuple(roll(2**32) for _ in range(4))

    assert deal(KEY, ENTROPIES, 0) == deal(KEY, list(ENTROPIES), 0)
    others = [
        deal(KEY[::-1], ENTROPIES, 0),
        deal(KEY, [b"", b""], 0),
        deal(KEY, [bytes.fromhex("c0ffee"), b""], 0),
        deal(KEY, [b"\xc0", b"\xff\xee"], 0),
        deal(KEY, [*ENTROPIES, b""], 0),
        deal(KEY, ENTROPIES, 1),
    ]
    assert len({deal(KEY, ENTROPIES, 0), *others}) == 7


def test_every_part_of_an_event_moves_its_hash() -> None:
    parts: list[Any] = [b"p" * 32, 3, "Kind", 1, 1000, 2, (0, 2), b'{"a":1}', b"i" * 32]
    changed: list[Any] = [b"q" * 32, 4, "Kinds", 2, 1001, None, (0, 1), b'{"a":2}', b""]
    variants = [[*parts[:at], other, *parts[at + 1 :]] for at, other in enumerate(changed)]
    link: Callable[..., bytes] = chain.next_hash
    hashes = {link(*each) for each in (parts, *variants)}
    assert len(hashes) == 10


def test_parts_cannot_be_moved_into_each_other() -> None:
    one = chain.next_hash(b"", 1, "AB", 1, 1, None, None, b"{}", b"")
    other = chain.next_hash(b"", 1, "A", 1, 1, None, None, b"B{}", b"")
    assert one != other
    assert chain.next_hash(b"", 1, "A", 1, 1, 1, None, b"", b"") != chain.next_hash(
        b"", 1, "A", 1, 1, None, (1,), b"", b""
    )


def test_sealed_to_nobody_differs_from_no_sealed_face() -> None:
    sealed = chain.inner(b"s" * 32, b"{}")
    assert len(sealed) == 32
    assert chain.inner(b"s" * 32, b"") == b""


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(json_values)
def test_canonical_json_is_that_of_rfc_8785(value: Any) -> None:
    assert chain.canonical(value) == rfc8785.dumps(value)


def test_fractions_have_no_canonical_form_here() -> None:
    with pytest.raises(TypeError, match="float"):
        chain.canonical({"a": [1.5]})


def test_the_chain_needs_the_standard_library_only() -> None:
    imported = re.findall(r"^(?:from|import) (\w+)", Path(chain.__file__).read_text(), re.MULTILINE)
    assert set(imported) == {
        "collections",
        "functools",
        "hashlib",
        "hmac",
        "json",
        "struct",
        "typing",
    }
