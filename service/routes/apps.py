"""Apps of one's own making, which ask other players to act for them."""

from typing import Any

from flask import Response

from service.http import Call
from service.identity.schemas import NewApp
from service.oauth import answers as answers
from service.oauth import apps
from service.operation import Returns, Routes
from service.problems import Problem, bad_field

ROUTES = Routes("apps", "Apps of one's own making.")
MOST = 20


@ROUTES(
    "POST", "/v1/me/apps", auth="required", scope="account", body=NewApp(),
    answers={
        201: Returns(
            "The app.", answers.App, links={"remove_app": {"app": "$response.body#/client_id"}}
        )
    },
    problems=("too-many", "outcome-unknown"),
)  # fmt: skip
def register_app(call: Call) -> Response:
    """Register an app: a public client with PKCE or the device flow, without a secret."""
    bad = [at for at, each in enumerate(call.body["redirect_uris"]) if not apps.fit_to_return(each)]
    if bad:
        raise bad_field(f"/redirect_uris/{bad[0]}", "malformed")
    if len(apps.of(call.parts.client, call.player)) >= MOST:
        raise Problem("too-many", most=MOST)
    made = apps.register(
        call.parts.client, call.player, call.body["name"], call.body["redirect_uris"]
    )
    if made is None:
        raise Problem("bad-token")
    return call.reply(_told(made), 201)


@ROUTES(
    "GET", "/v1/me/apps", auth="required", scope="account",
    answers={200: Returns("All of them.", answers.Apps)},
)  # fmt: skip
def list_apps(call: Call) -> Response:
    """List the apps that one has registered."""
    items = [_told(each) for each in apps.of(call.parts.client, call.player)]
    return call.reply({"items": items, "next": None})


@ROUTES(
    "DELETE", "/v1/me/apps/<app>", auth="required", scope="account",
    answers={204: Returns("The app is forgotten.")},
    problems=("unknown-app", "outcome-unknown"),
)  # fmt: skip
def remove_app(call: Call, app: str) -> Response:
    """Remove an app: its tokens end within the hour and cannot be renewed."""
    found = apps.find(call.parts.client, app)
    if found is None or found.owner != call.player:
        raise Problem("unknown-app")
    apps.remove(call.parts.client, found)
    return call.reply_empty(204)


def _told(app: apps.App) -> dict[str, Any]:
    return {"client_id": app.id, "name": app.name, "redirect_uris": list(app.redirects)}
