"""Names that are safe to show: composed, one line, nothing invisible, of bounded length."""

import unicodedata
from typing import Final

import regex

NAME_LENGTH: Final = 40
"""Characters of a name, as people count them: what a reader takes for one, is one."""

NAME_CODES: Final = 160
"""Code points of a name as it is sent: an emoji may be several."""

_MARKS: Final = 3  # More of them over one letter run into the lines above and below.
_CHARACTER: Final = regex.compile(r"\X")
_SPACES: Final = regex.compile(r"[\p{White_Space}\p{Z}\u2800]+")
_TOO_MANY_MARKS: Final = regex.compile(rf"(\p{{M}}{{{_MARKS}}})\p{{M}}+")
# They would join whatever is shown before the name.
_LEADING_MARKS: Final = regex.compile(r"^[\p{M}\s]+")
# What nobody sees, or what turns the text around it. Emoji alone are built with a joiner and told
# from text by U+FE0F.
_UNSEEN: Final = regex.compile(
    r"(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?)\u200D(?=\p{Extended_Pictographic})"
    r"(*SKIP)(*FAIL)"
    r"|(?<=\p{Emoji})\uFE0F(*SKIP)(*FAIL)"
    r"|\p{Default_Ignorable_Code_Point}"
)


def tidy_name(name: str | None) -> str | None:
    """Make a name safe to show; None if nothing is left of it."""
    composed = unicodedata.normalize("NFC", name or "")
    shown = "".join(each for each in _SPACES.sub(" ", composed) if _can_be_shown(each))
    seen = _UNSEEN.sub("", shown)
    # What was taken away may have kept letters apart that now compose.
    tidied = _TOO_MANY_MARKS.sub(r"\1", unicodedata.normalize("NFC", seen))
    return " ".join(_LEADING_MARKS.sub("", tidied).split()) or None


def _can_be_shown(character: str) -> bool:
    # Neither a control or format character nor one that no font can know; joiners come later.
    return unicodedata.category(character)[0] != "C" or character == "\u200d"


def length(name: str) -> int:
    """Answer how many characters a reader counts."""
    return len(_CHARACTER.findall(name))
