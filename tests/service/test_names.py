"""Names that everybody is shown: nothing invisible, nothing that turns or covers what is around."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.identity.names import NAME_LENGTH, length, tidy_name
from tests.service.asking import Api

COOK = "\U0001f468\u200d\U0001f373"
HIDDEN = (
    "\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2066\u2069\ufeff\u00ad\u034f\u115f\u3164\ufe0f"
    "\U000e0041"
)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("  Ana \t\n Lou ", "Ana Lou"),
        ("Anai\u0308s", "Ana\u00efs"),
        ("\u202egnp.exe\u0000", "gnp.exe"),
        ("\u200b\ufeff", None),
        ("\u3164\u2800\u115f", None),
        ("", None),
        (COOK, COOK),
        ("a\u200db", "ab"),
        ("e\u200b\u0301", "\u00e9"),
        ("\u0301\u0302Ana", "Ana"),
        ("g" + "\u0335" * 30, "g" + "\u0335" * 3),
        ("\u2764\ufe0f", "\u2764\ufe0f"),
        ("a\ufe0fb", "ab"),
        ("<b>", "<b>"),
    ],
)
def test_a_name_is_safe_to_show(given: str, shown: str | None) -> None:
    assert tidy_name(given) == shown


@pytest.mark.parametrize("hidden", HIDDEN)
def test_what_nobody_sees_makes_no_second_name(hidden: str) -> None:
    assert tidy_name(f"A{hidden}na") == "Ana"


@given(st.text(max_size=60))
def test_a_tidied_name_is_composed_visible_and_stays_as_it_is(given: str) -> None:
    name = tidy_name(given)
    if name is not None:
        assert name == unicodedata.normalize("NFC", name)
        assert name == " ".join(name.split())
        kinds = {unicodedata.category(each) for each in name if each != "\u200d"}
        assert not kinds & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
        assert tidy_name(name) == name


@pytest.mark.parametrize("one", ["x", COOK, "\U0001f1eb\U0001f1f7", "n\u0303"])
def test_length_is_counted_as_people_count(one: str) -> None:
    assert length(one * 40) == 40


def test_a_name_has_as_many_characters_as_people_count(api: Api) -> None:
    flag = "\U0001f1eb\U0001f1f7"
    assert api.post("/v1/players", body={"name": flag * NAME_LENGTH}).json["name"] == flag * 40
    answer = api.post("/v1/players", body={"name": flag * (NAME_LENGTH + 1)})
    assert answer.json["errors"] == [{"pointer": "/name", "code": "out-of-range"}]
