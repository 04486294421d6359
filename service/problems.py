"""Problems: what stops a request, with a code of the catalogue or of a game's rules."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from domain.catalogue import games
from domain.game import BadField, Language, Refused
from domain.texts import Texts
from events.schema import NotOneOf
from service.histories.reasons import RECORD_CODES
from service.kinds import FIELD_CODES, KINDS

__all__ = [
    "EXAMPLES", "FIELD_CODES", "KINDS", "PAGE", "BadBody", "FieldError", "Problem", "bad_field",
    "example", "from_bad_field", "from_refused", "refusals",
]  # fmt: skip

PAGE: Final = "/docs/errors"
_JSON: Final = "application/json"

# The domain says in English what is wrong with a field; the door says it as a code.
_REASONS: Final = (
    ("is missing", "missing"),
    ("is not a field", "unknown"),
    ("must be one of", "not-one-of"),
    ("must be a", "wrong-type"),
    ("must be true", "wrong-type"),
    ("must be null", "wrong-type"),
)


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with ``/field`` of a body, ``?query``, ``Header`` or ``line 3``: a code."""

    pointer: str
    code: str
    allowed: tuple[Any, ...] = ()
    """What would have been taken, where that is known."""

    @classmethod
    def of(cls, pointer: str, code: str) -> "FieldError":
        """Make it of a code, which may know what would have been taken."""
        return cls(pointer, str(code), code.allowed if isinstance(code, NotOneOf) else ())

    def body(self) -> dict[str, Any]:
        """Answer its members."""
        told: dict[str, Any] = {"pointer": self.pointer, "code": self.code}
        return told | {"allowed": list(self.allowed)} if self.allowed else told


class Problem(Exception):  # noqa: N818 - RFC 9457's word
    """Stop a request with a code of the catalogue, or with a code of a game's rules."""

    def __init__(
        self,
        code: str,
        *,
        version: int | None = None,
        errors: Iterable[FieldError] = (),
        rules: Texts | None = None,
        **named: object,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.version = version
        self.errors = tuple(errors)
        self.named = named
        self.rules = rules

    @property
    def status(self) -> int:
        """Answer the HTTP status; a refusal by a game's rules is 409."""
        return KINDS[self.code].status if self.code in KINDS else 409

    def body(self, language: Language) -> dict[str, Any]:
        """Answer the members of problem+json in a language."""
        title, detail = self._words(language)
        body: dict[str, Any] = {
            "type": f"{PAGE}#{self.code}",
            "title": title,
            "status": self.status,
            "detail": detail,
            "code": self.code,
        }
        if self.version is not None:
            body["version"] = self.version
        if self.errors:
            body["errors"] = [each.body() for each in self.errors]
        return body

    def _words(self, language: Language) -> tuple[str, str]:
        if self.code not in KINDS:
            said = self.rules.refusal(language, self.code) if self.rules else None
            return said or self.code, said or self.code
        kind = KINDS[self.code]
        fields = "; ".join(f"{e.pointer}{_said(e.code, language)}" for e in self.errors)
        named = {"media": _JSON, "fields": fields, "at": self.version, **self.named}
        return kind.title[language], kind.detail[language].format_map(named)


def _said(code: str, language: Language) -> str:
    """Say what is wrong with a field, or with a line of a record."""
    if code in FIELD_CODES:
        return f" {FIELD_CODES[code][language]}"
    return f": {RECORD_CODES[code][language]}"


def bad_field(pointer: str, code: str) -> Problem:
    """Make the problem of one bad field."""
    return Problem("bad-field", errors=[FieldError(pointer, code)])


def from_bad_field(bad: BadField) -> Problem:
    """Make the problem of fields that the domain or a command's schema did not accept."""
    if isinstance(bad, BadBody):
        return Problem("bad-field", errors=bad.errors)
    codes = (code for start, code in _REASONS if bad.reason.startswith(start))
    return bad_field(f"/{bad.field}" if bad.field else "", next(codes, "out-of-range"))


class BadBody(BadField):
    """Say that several fields of a command are no sentence of the language."""

    def __init__(self, errors: Iterable[FieldError]) -> None:
        super().__init__("", "bad")
        self.errors = tuple(errors)


EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "missing-scope": {"scope": "play"},
    "unknown-version": {"version": 12},
    "version-not-reached": {"version": 12},
    "stale-version": {"version": 12},
    "too-large": {"most": 65536},
    "slow-down": {"seconds": 2},
    "too-many": {"most": 50},
    "bad-field": {"errors": [FieldError("/seats", "out-of-range")]},
    "bad-record": {"errors": [FieldError("line 12", "check-differs")]},
}
"""What to make an example of a problem with, where it tells more than its code."""


def example(code: str) -> Problem:
    """Make an example of a problem of the catalogue."""
    return Problem(code, **EXAMPLES.get(code, {}))


def from_refused(refused: Refused, rules: Texts | None) -> Problem:
    """Make the problem of a refusal by the rules of a table or of its game."""
    return Problem(refused.code, rules=rules)


def refusals() -> Mapping[str, Mapping[str, str]]:
    """Answer the codes of the games' rules, each with its English sentence by game."""
    codes: dict[str, dict[str, str]] = {}
    for name, game in games().items():
        for code, sentence in game.texts.words["en"].get("refusals", {}).items():
            codes.setdefault(code, {})[name] = sentence
    return {code: said for code, said in sorted(codes.items()) if code not in KINDS}
