"""The page on which a player allows an app: no script, no cookie, so nothing to be forged.

Consent is given with the player's own token or recovery code, typed on the page itself.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, Template

from domain.game import Language
from service.identity.callers import Identity

_SAY: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {
        "title": "Allow an app?",
        "asks": "This app wants to act for you:",
        "play": "open tables, sit down and play",
        "read": "see what you may see",
        "webhooks": "be told when your tables move on",
        "bot": "make and erase your bots",
        "credential": "Your token (abx_...) or recovery code",
        "allow": "Allow",
        "deny": "Deny",
        "user_code": "The code that the device shows",
        "next": "Go on",
        "wrong": "This is no token of yours with the scope account, and no recovery code.",
        "unknown_code": "No device waits with this code.",
        "bad_request": "The app asked in a way that cannot be answered.",
        "done": "Done. You may close this page.",
    },
    "fr": {
        "title": "Autoriser une application ?",
        "asks": "Cette application veut agir pour vous :",
        "play": "ouvrir des tables, s’y asseoir et jouer",
        "read": "voir ce que vous pouvez voir",
        "webhooks": "être prévenue quand vos tables avancent",
        "bot": "créer et effacer vos robots",
        "credential": "Votre jeton (abx_...) ou code de récupération",
        "allow": "Autoriser",
        "deny": "Refuser",
        "user_code": "Le code que montre l’appareil",
        "next": "Continuer",
        "wrong": "Ce n’est ni un jeton à vous avec le droit account, ni un code de récupération.",
        "unknown_code": "Aucun appareil n’attend avec ce code.",
        "bad_request": "La demande de l’application est sans réponse possible.",
        "done": "C’est fait. Vous pouvez fermer cette page.",
    },
}


@cache
def _template() -> Template:
    loader = PackageLoader("service", "web")
    return Environment(loader=loader, autoescape=True).get_template("consent.html")


def page(
    language: Language,
    *,
    problem: str | None = None,
    app: Any = None,
    scopes: Iterable[str] = (),
    hidden: Iterable[tuple[str, str]] = (),
    ask_code: bool = False,
) -> bytes:
    """Draw the page; ``problem`` is the name of a sentence."""
    say = _SAY[language]
    told = say[problem] if problem else None
    return (
        _template()
        .render(
            language=language, say=say, problem=told, app=app, scopes=scopes, hidden=hidden,
            ask_code=ask_code,
        )
        .encode()
    )  # fmt: skip


def safe(returns_to: str | None = None) -> tuple[tuple[str, str], ...]:
    """Answer the headers of the page; a form may lead to where the app registered, only."""
    targets = ["'self'"]
    if returns_to:
        parts = urlsplit(returns_to)
        web = parts.scheme in ("http", "https")
        targets.append(f"{parts.scheme}://{parts.netloc}" if web else f"{parts.scheme}:")
    policy = (
        "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
        f"form-action {' '.join(targets)}"
    )
    return (
        ("Content-Security-Policy", policy),
        ("Referrer-Policy", "no-referrer"),
        ("X-Frame-Options", "DENY"),
    )


def consenting(identity: Identity, credential: str) -> str | None:
    """Answer the player who typed a token with the scope account, or its recovery code."""
    written = credential.strip()
    caller = identity.caller(written) if written.startswith("abx_") else None
    if caller is not None:
        return caller.player if "account" in caller.scopes else None
    return identity.player_of_code(written)
