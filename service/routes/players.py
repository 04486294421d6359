"""Players: guests, one's own profile, what everybody may know."""

from flask import Response

from events.notices import timestamp
from service.http import NEVER, Call
from service.identity import answers as answers
from service.identity.callers import Profile
from service.identity.schemas import NewPlayer, ProfileChange, Recovery
from service.operation import Returns, Routes
from service.problems import Problem

ROUTES = Routes("players", "Guests and their profiles.")


@ROUTES(
    "POST", "/v1/players", auth="optional", body=NewPlayer(), bucket="sign-ups",
    answers={
        201: Returns(
            "The new player; the token is shown this once.",
            answers.Guest,
            links={"get_player": {"player": "$response.body#/player"}},
        )
    },
    problems=("outcome-unknown",),
)  # fmt: skip
def create_player(call: Call) -> Response:
    """Make a guest player.

    No e-mail, no password: an app does this on its first start and keeps the token. A repeat
    makes another guest.
    """
    body = call.body
    profile, token = call.parts.identity.new_player(body.get("name"), body.get("locale"))
    return call.reply(told(profile) | {"token": token}, 201, cache=NEVER)


@ROUTES(
    "GET", "/v1/me", auth="required", scope="account",
    answers={200: Returns("The profile.", answers.Profile)},
)  # fmt: skip
def get_me(call: Call) -> Response:
    """Answer one's own profile."""
    return call.reply(told(_there(call.parts.identity.profile(call.player))))


@ROUTES(
    "PATCH", "/v1/me", auth="required", scope="account", body=ProfileChange(),
    answers={200: Returns("The profile as it is now.", answers.Profile)},
    problems=("outcome-unknown",),
)  # fmt: skip
def change_me(call: Call) -> Response:
    """Change one's own profile; what is left out stays, null takes it away."""
    return call.reply(told(_there(call.parts.identity.change(call.player, **call.body))))


@ROUTES(
    "DELETE", "/v1/me", auth="required", scope="account",
    answers={204: Returns("The player is forgotten.")},
    problems=("outcome-unknown",),
)  # fmt: skip
def erase_me(call: Call) -> Response:
    """Erase oneself: the name, the profile, every token, app and bot.

    Tables keep the player's id, which then means nobody, so that their histories stay valid.
    """
    call.parts.identity.erase(call.player, call.token)
    return call.reply_empty(204)


@ROUTES(
    "GET", "/v1/players/<player>", auth="optional",
    answers={200: Returns("The player.", answers.Player)},
    problems=("unknown-player", "store-unavailable"),
)  # fmt: skip
def get_player(call: Call, player: str) -> Response:
    """Answer what everybody may know of a player."""
    profile = call.parts.identity.profile(player)
    if profile is None:
        raise Problem("unknown-player")
    return call.reply(public(profile))


@ROUTES(
    "POST", "/v1/me/recovery-code", auth="required", scope="account",
    answers={201: Returns("The code, shown this once.", answers.RecoveryCode)},
    problems=("outcome-unknown",),
)  # fmt: skip
def create_recovery_code(call: Call) -> Response:
    """Make a recovery code, which turns a guest into an account.

    Whoever writes it down can come back with it from any device. It takes the place of the one
    before, and stays good until the next.
    """
    code = call.parts.identity.new_recovery_code(call.player)
    if code is None:
        raise Problem("bad-token")
    return call.reply({"code": code}, 201, cache=NEVER)


@ROUTES(
    "POST", "/v1/players/recover", auth="optional", body=Recovery(), bucket="sign-ups",
    answers={201: Returns("The player, with a new token.", answers.Guest)},
    problems=("wrong-recovery-code", "outcome-unknown"),
)  # fmt: skip
def recover_player(call: Call) -> Response:
    """Come back to a player by its recovery code.

    Other tokens stay good; `DELETE /v1/me/tokens/{id}` revokes that of a lost phone.
    """
    found = call.parts.identity.recover(call.body["code"])
    if found is None:
        raise Problem("wrong-recovery-code")
    profile, token = found
    return call.reply(told(profile) | {"token": token}, 201, cache=NEVER)


def _there(profile: Profile | None) -> Profile:
    if profile is None:
        raise Problem("bad-token")
    return profile


def public(profile: Profile) -> dict[str, object]:
    """Answer what everybody may know of a player."""
    return {"player": profile.player, "name": profile.name, "bot": profile.owner is not None}


def told(profile: Profile) -> dict[str, object]:
    """Answer what a player may know of itself."""
    return public(profile) | {
        "locale": profile.locale,
        "since": timestamp(profile.since),
        "recoverable": profile.recoverable,
    }
