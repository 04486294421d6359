"""Bots of one's own: players that a program plays for, and that say so."""

from flask import Response

from service.http import NEVER, Call
from service.identity import answers as answers
from service.identity.callers import MOST_BOTS, Profile
from service.identity.schemas import NewBot
from service.operation import Returns, Routes
from service.problems import Problem
from service.routes.players import public, told

ROUTES = Routes("bots", "Players of one's own that a program plays for.")


@ROUTES(
    "POST", "/v1/me/bots", auth="required", scope="bot", body=NewBot(),
    answers={
        201: Returns(
            "The new bot; its token is shown this once.",
            answers.Guest,
            links={"erase_bot": {"player": "$response.body#/player"}},
        )
    },
    problems=("too-many", "outcome-unknown"),
)  # fmt: skip
def create_bot(call: Call) -> Response:
    """Make a bot: a player of its own that everybody can tell from people.

    Its token has the scopes `play`, `read` and `webhooks`. It is erased together with you.
    """
    if len(call.parts.identity.bots(call.player)) >= MOST_BOTS:
        raise Problem("too-many", most=MOST_BOTS)
    made = call.parts.identity.new_bot(call.player, call.body["name"], None)
    if made is None:
        raise Problem("bad-token")
    profile, token = made
    return call.reply(told(profile) | {"token": token}, 201, cache=NEVER)


@ROUTES(
    "GET", "/v1/me/bots", auth="required", scope="bot",
    answers={200: Returns("All of them, oldest first.", answers.Bots)},
)  # fmt: skip
def list_bots(call: Call) -> Response:
    """List one's bots."""
    items = [public(each) for each in call.parts.identity.bots(call.player)]
    return call.reply({"items": items, "next": None})


@ROUTES(
    "POST", "/v1/me/bots/<player>/token", auth="required", scope="bot",
    answers={201: Returns("The bot and its new token, shown this once.", answers.Guest)},
    problems=("unknown-player", "outcome-unknown"),
)  # fmt: skip
def replace_bot_token(call: Call, player: str) -> Response:
    """Give a bot a new token and revoke every other: for one that was lost or told."""
    bot = _mine(call, player)
    token = call.parts.identity.replace_token(bot.player)
    if token is None:
        raise Problem("unknown-player")
    return call.reply(told(bot) | {"token": token}, 201, cache=NEVER)


@ROUTES(
    "DELETE", "/v1/me/bots/<player>", auth="required", scope="bot",
    answers={204: Returns("The bot is forgotten.")},
    problems=("unknown-player", "outcome-unknown"),
)  # fmt: skip
def erase_bot(call: Call, player: str) -> Response:
    """Erase a bot: its name, its profile and every token."""
    call.parts.identity.erase(_mine(call, player).player)
    return call.reply_empty(204)


def _mine(call: Call, player: str) -> Profile:
    profile = call.parts.identity.profile(player)
    if profile is None or profile.owner != call.player:
        raise Problem("unknown-player")
    return profile
