"""What can go wrong: the server says no, or cannot be reached."""

from typing import Any

import httpx


class ProblemError(Exception):
    """The server's answer is a problem; programs look at ``code``.

    Refusals by the rules of a game are status 409 with the game's own code. ``fields`` are the
    ``errors`` of the answer, ``version`` is the table's where it matters.
    """

    def __init__(self, status: int, told: dict[str, Any]) -> None:
        self.status = status
        self.code: str = told.get("code", "")
        self.title: str = told.get("title", "")
        self.detail: str = told.get("detail", "")
        self.version: int | None = told.get("version")
        self.fields: list[dict[str, str]] = told.get("errors", [])
        super().__init__(f"{status} {self.code or '(no problem document)'}: {self.detail}")

    @classmethod
    def of(cls, answer: httpx.Response) -> "ProblemError":
        """Read an answer whose body has been read; one that is no problem has an empty code."""
        try:
            told = answer.json()
        except ValueError:
            told = None
        return cls(answer.status_code, told if isinstance(told, dict) else {})


class UnreachableError(Exception):
    """No answer came while there was patience left.

    If it was a command, it may count or not: send it again with the same ``key`` to find out.
    """
