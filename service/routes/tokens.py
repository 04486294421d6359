"""Tokens of one's own: made for programs, listed, revoked."""

from flask import Response

from events.notices import timestamp
from service.http import NEVER, Call
from service.identity import answers as answers
from service.identity.schemas import NewToken
from service.identity.tokens import Listed, digest_of, id_of
from service.oauth import grants
from service.operation import Returns, Routes
from service.problems import Problem

ROUTES = Routes("tokens", "Tokens for programs of one's own.")
MOST = 50


@ROUTES(
    "POST", "/v1/me/tokens", auth="required", scope="account", body=NewToken(),
    answers={
        201: Returns(
            "The new token, shown this once.",
            answers.MadeToken,
            links={"revoke_token": {"token": "$response.body#/id"}},
        )
    },
    problems=("too-many", "outcome-unknown"),
)  # fmt: skip
def create_token(call: Call) -> Response:
    """Make a token for a program.

    Give it no more scopes than the program needs. One with `account` may do all that you may.
    """
    tokens, body = call.parts.identity.tokens, call.body
    if sum(each.kind == "personal" for each in tokens.listed(call.player)) >= MOST:
        raise Problem("too-many", most=MOST)
    scopes = frozenset(body["scopes"])
    made = tokens.make(call.player, scopes, kind="personal", label=body["label"])
    if made is None:
        raise Problem("bad-token")
    listed = next(e for e in tokens.listed(call.player) if e.id == id_of(digest_of(made)))
    return call.reply(_told(call, listed) | {"token": made}, 201, cache=NEVER)


@ROUTES(
    "GET", "/v1/me/tokens", auth="required", scope="account",
    answers={200: Returns("All of them, newest first.", answers.Tokens)},
)  # fmt: skip
def list_tokens(call: Call) -> Response:
    """List one's tokens: of devices, of programs, and what apps were granted.

    A grant to an app keeps its id however often the app renews its tokens, and is listed until it
    is revoked or was not used for 90 days.
    """
    own = call.parts.identity.tokens.listed(call.player)
    items = [each for each in own if each.kind != "app"]
    items += grants.listed(call.parts.client, call.player)
    items.sort(key=lambda each: (-each.made, each.id))
    return call.reply({"items": [_told(call, each) for each in items], "next": None})


@ROUTES(
    "DELETE", "/v1/me/tokens/<token>", auth="required", scope="account",
    answers={204: Returns("The token is worthless, everywhere within five seconds.")},
    problems=("unknown-token", "outcome-unknown"),
)  # fmt: skip
def revoke_token(call: Call, token: str) -> Response:
    """Revoke a token, also the one in use, or end the grant of an app."""
    tokens = call.parts.identity.tokens
    if not (
        tokens.revoke_listed(call.player, token)
        or grants.revoke_listed(tokens, call.parts.client, call.player, token)
    ):
        raise Problem("unknown-token")
    return call.reply_empty(204)


def _told(call: Call, listed: Listed) -> dict[str, object]:
    return {
        "id": listed.id,
        "kind": listed.kind,
        "label": listed.label,
        "app": listed.app,
        "scopes": list(listed.scopes),
        "made_at": timestamp(listed.made),
        "current": listed.id == id_of(digest_of(call.token)),
    }
