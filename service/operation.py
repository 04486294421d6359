"""One decorator for a route: what it declares is enforced, and written into openapi.yaml."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import getdoc
from typing import Any, Final, Literal, TypeAlias

from flask import Response
from marshmallow import Schema

from service.limits import Bucket

Auth: TypeAlias = Literal["none", "optional", "required"]
"""Whether a token is looked at; a wrong one is 401 wherever it is."""

JSON: Final = "application/json"


@dataclass(frozen=True, slots=True)
class Returns:
    """One answer: a sentence, the schema of its body (None: no body), and its own headers."""

    says: str
    schema: type[Schema] | None = None
    headers: tuple[str, ...] = ()
    media: str = JSON
    also: tuple[str, ...] = ()
    """Media types of streams that the live process answers instead."""
    links: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Operations that go on from here -> their parameters, as OpenAPI's runtime expressions."""
    bodies: Mapping[str, Any] = field(default_factory=dict)
    """Operations that go on from here -> what they are sent, where the answer says it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """A method on a path: what it takes, what it answers, and who runs it."""

    method: str
    path: str
    run: Callable[..., Response]
    tag: str
    auth: Auth
    scope: str | None
    body: Schema | Literal["Command", "Record"] | None
    query: Schema | None
    form: Schema | None
    """A form that the route itself checks, by rules of its own."""
    asks: Schema | None
    """A query that the route itself checks."""
    headers: tuple[str, ...]
    answers: Mapping[int, Returns]
    problems: tuple[str, ...]
    bucket: Bucket | None
    """What each request is taken from; None: it is not counted."""

    @property
    def name(self) -> str:
        """Answer the operationId."""
        return self.run.__name__

    @property
    def summary(self) -> str:
        """Answer the first line of what the route says of itself."""
        return self.says[0]

    @property
    def says(self) -> tuple[str, str]:
        """Answer the summary, and the description below it."""
        first, _, rest = (getdoc(self.run) or "").partition("\n")
        return first.rstrip("."), rest.strip()

    @property
    def codes(self) -> tuple[str, ...]:
        """Answer every problem that may come: the declared ones and those of what it takes."""
        codes = [*self.problems]
        if self.bucket is not None:
            codes.append("slow-down")
        if self.auth != "none":
            codes += ["bad-token", "store-unavailable"]
        if self.scope:
            codes.append("missing-scope")
        if self.body is not None:
            codes += ["wrong-media-type", "too-large", "bad-field"]
            codes.append("bad-record" if self.body == "Record" else "malformed-json")
        if self.query is not None or self.headers or "<" in self.path:
            codes.append("bad-field")
        if "<" in self.path:
            # A slash in a part of it, or a word for a number, leads to no route.
            codes.append("unknown-path")
        return tuple(dict.fromkeys([*codes, "internal"]))


class Routes:
    """The operations of one file, in the order written."""

    def __init__(self, tag: str, says: str) -> None:
        self.tag = tag
        self.says = says
        self.operations: list[Operation] = []

    def __call__(
        self,
        method: str,
        path: str,
        *,
        answers: Mapping[int, Returns],
        auth: Auth = "none",
        scope: str | None = None,
        body: Schema | Literal["Command", "Record"] | None = None,
        query: Schema | None = None,
        form: Schema | None = None,
        asks: Schema | None = None,
        headers: tuple[str, ...] = (),
        problems: tuple[str, ...] = (),
        bucket: Bucket | Literal["by method"] | None = "by method",
    ) -> Callable[[Callable[..., Response]], Callable[..., Response]]:
        """Declare an operation; what it names is enforced before the function runs."""
        if bucket == "by method":
            bucket = "reads" if method == "GET" else "moves"

        def declare(run: Callable[..., Response]) -> Callable[..., Response]:
            operation = Operation(
                method=method, path=path, run=run, tag=self.tag, auth=auth, scope=scope, body=body,
                query=query, form=form, asks=asks, headers=headers, answers=answers,
                problems=problems, bucket=bucket,
            )  # fmt: skip
            self.operations.append(operation)
            return run

        return declare
