"""Every way in which the door says no: one catalogue of codes, in English and French.

``docs/errors.md`` and the page that ``type`` points to are written from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

Words: TypeAlias = Mapping[str, str]
"""A sentence, by language."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of problem: its status, its title and detail in words, and what helps (English)."""

    status: int
    title: Words
    detail: Words
    advice: str


def _kind(status: int, title: tuple[str, str], detail: tuple[str, str], advice: str) -> Kind:
    return Kind(status, _both(*title), _both(*detail), advice)


def _both(english: str, french: str) -> Words:
    return {"en": english, "fr": french}


KINDS: Final[Mapping[str, Kind]] = {
    "malformed-json": _kind(
        400,
        ("The body is not JSON", "Le corps n’est pas du JSON"),
        (
            "The body could not be read as one JSON object.",
            "Le corps n’a pas pu être lu comme un objet JSON.",
        ),
        "Send one JSON object in UTF-8, nested at most 16 deep.",
    ),
    "bad-request": _kind(
        400,
        ("The request cannot be understood", "La requête est incompréhensible"),
        ("It is no well-formed HTTP request.", "Ce n’est pas une requête HTTP bien formée."),
        "Check the header `Host` and the length of the body.",
    ),
    "idempotency-key-missing": _kind(
        400,
        ("An Idempotency-Key is needed", "Il faut une Idempotency-Key"),
        (
            "A command needs the header Idempotency-Key.",
            "Une commande demande l’en-tête Idempotency-Key.",
        ),
        "Choose a fresh key for each command, and send the same one when you repeat it.",
    ),
    "bad-token": _kind(
        401,
        ("A valid token is needed", "Il faut un jeton valable"),
        (
            "The token is missing, wrong or revoked.",
            "Le jeton manque, est faux ou a été révoqué.",
        ),
        "Send `Authorization: Bearer abx_...` with a token from `POST /v1/players`.",
    ),
    "wrong-recovery-code": _kind(
        403,
        ("This is no recovery code", "Ce n’est pas un code de récupération"),
        (
            "No player has this code; a newer one may have taken its place.",
            "Aucun joueur n’a ce code ; un plus récent l’a peut-être remplacé.",
        ),
        "Compare the code with what was written down: 25 letters and digits.",
    ),
    "not-seated": _kind(
        403,
        ("You do not sit at this table", "Vous n’êtes pas à cette table"),
        ("Only a seat may do this.", "Seule une place peut faire cela."),
        "Sit down first, or use the token of the player who did.",
    ),
    "missing-scope": _kind(
        403,
        ("The token may not do this", "Le jeton n’y suffit pas"),
        ("This needs the scope {scope}.", "Il faut pour cela le droit {scope}."),
        "Use a token that has the scope which the operation names.",
    ),
    "not-your-seat": _kind(
        403,
        ("This seat is not yours", "Cette place n’est pas la vôtre"),
        (
            "Only its own seat may look from there or leave it; others may look once it is over.",
            "Seul son occupant voit cette place ou la quitte ; les autres la voient à la fin.",
        ),
        "Leave `as` out to look from where you are.",
    ),
    "unknown-table": _kind(
        404,
        ("There is no such table", "Cette table n’existe pas"),
        (
            "No table has this id, or it is private and you have neither seat nor invite.",
            "Aucune table n’a cet identifiant, ou elle est privée et vous n’y êtes pas invité.",
        ),
        "Check the id; for a private table add `invite`.",
    ),
    "unknown-game": _kind(
        404,
        ("There is no such game", "Ce jeu n’existe pas"),
        ("No game has this name.", "Aucun jeu ne porte ce nom."),
        "`GET /v1/games` lists the games.",
    ),
    "unknown-version": _kind(
        404,
        ("The table has no such version", "La table n’a pas cette version"),
        ("The table is at version {at}.", "La table en est à la version {at}."),
        "Versions count the events of a table from 1; `version` says the last one.",
    ),
    "unknown-player": _kind(
        404,
        ("There is no such player", "Ce joueur n’existe pas"),
        (
            "No player has this id, or the player was erased.",
            "Aucun joueur n’a cet identifiant, ou il a été effacé.",
        ),
        'Show the player as "someone".',
    ),
    "unknown-app": _kind(
        404,
        ("There is no such app", "Cette application n’existe pas"),
        ("None of your apps has this id.", "Aucune de vos applications n’a cet identifiant."),
        "`GET /v1/me/apps` lists your apps.",
    ),
    "unknown-token": _kind(
        404,
        ("There is no such token", "Ce jeton n’existe pas"),
        (
            "None of your tokens has this id.",
            "Aucun de vos jetons n’a cet identifiant.",
        ),
        "`GET /v1/me/tokens` lists your tokens; one that was revoked is gone.",
    ),
    "unknown-webhook": _kind(
        404,
        ("There is no such webhook", "Ce webhook n’existe pas"),
        ("None of your webhooks has this id.", "Aucun de vos webhooks n’a cet identifiant."),
        "`GET /v1/webhooks` lists your webhooks.",
    ),
    "unknown-path": _kind(
        404,
        ("There is nothing here", "Il n’y a rien ici"),
        ("No resource has this path.", "Aucune ressource n’a ce chemin."),
        "`/openapi.yaml` lists every path.",
    ),
    "method-not-allowed": _kind(
        405,
        ("This method does not work here", "Cette méthode ne marche pas ici"),
        ("The header Allow lists the methods.", "L’en-tête Allow dit les méthodes."),
        "Use a method that the header `Allow` lists.",
    ),
    "not-started": _kind(
        409,
        ("The game has not started yet", "La partie n’a pas encore commencé"),
        ("Seats are still free.", "Des places sont encore libres."),
        "Wait until every seat is taken.",
    ),
    "already-started": _kind(
        409,
        ("The game has already started", "La partie a déjà commencé"),
        (
            "Seats are taken and left only while the table is open.",
            "On s’assoit et on se lève seulement tant que la table est ouverte.",
        ),
        "Look for another table: `GET /v1/tables?phase=open`.",
    ),
    "seat-taken": _kind(
        409,
        ("Somebody else has this seat", "Quelqu’un d’autre a cette place"),
        ("The seat is not free.", "La place n’est pas libre."),
        "Ask for another seat, or leave `seat` out to get the first free one.",
    ),
    "already-seated": _kind(
        409,
        ("You already sit at this table", "Vous êtes déjà à cette table"),
        ("A player has one seat at a table.", "Un joueur a une seule place à une table."),
        "Leave your seat first to take another.",
    ),
    "table-full": _kind(
        409,
        ("Every seat is taken", "Toutes les places sont prises"),
        ("The table has no free seat.", "La table n’a plus de place libre."),
        "Look for another table: `GET /v1/tables?phase=open`.",
    ),
    "commitment-differs": _kind(
        409,
        ("The commitment is another one", "L’engagement est un autre"),
        (
            "The table’s commitment is not the one you saw.",
            "L’engagement de la table n’est pas celui que vous avez vu.",
        ),
        "Read the table again; if you trust the new `commitment`, sit down with it.",
    ),
    "version-not-reached": _kind(
        409,
        ("The table is not that far yet", "La table n’en est pas encore là"),
        ("The table is at version {at}.", "La table en est à la version {at}."),
        "Ask again later, or without `min_version`.",
    ),
    "table-exists": _kind(
        409,
        ("This table exists already", "Cette table existe déjà"),
        (
            "The table is there: its key is forgotten, or its history is not that of the record.",
            "La table existe : sa clé est oubliée, ou son histoire n’est pas celle du fichier.",
        ),
        "Open a new table with a fresh Idempotency-Key.",
    ),
    "too-many": _kind(
        409,
        ("There are too many of these", "Il y en a trop"),
        ("A player has at most {most} of them.", "Un joueur en a au plus {most}."),
        "Delete one that is no longer needed; a table counts until it is over.",
    ),
    "webhook-disabled": _kind(
        409,
        ("The webhook is disabled", "Le webhook est désactivé"),
        ("Nothing is sent to it.", "Rien n’y est envoyé."),
        "Enable it first: `PATCH /v1/webhooks/{id}` with `enabled: true`.",
    ),
    "stale-version": _kind(
        412,
        ("The table has moved on", "La table a avancé"),
        ("The table is at version {at}.", "La table en est à la version {at}."),
        "Read the table again and decide anew.",
    ),
    "too-large": _kind(
        413,
        ("The body is too large", "Le corps est trop grand"),
        ("A body has at most {most} bytes.", "Un corps a au plus {most} octets."),
        "Send less.",
    ),
    "wrong-media-type": _kind(
        415,
        ("The body has the wrong media type", "Le corps n’a pas le bon type"),
        ("The Content-Type must be {media}.", "Le Content-Type doit être {media}."),
        "Send `Content-Type: application/json`, or `application/x-ndjson` with a record.",
    ),
    "bad-field": _kind(
        422,
        ("A field is not as it should be", "Un champ n’est pas correct"),
        ("{fields}", "{fields}"),
        "`errors` names each field and what is wrong with it.",
    ),
    "bad-record": _kind(
        422,
        ("The record does not hold", "L’enregistrement ne tient pas"),
        ("{fields}. Nothing was stored.", "{fields}. Rien n’a été enregistré."),
        "`errors` names the line and why; `abraxas verify FILE` says the same of a file.",
    ),
    "key-reused": _kind(
        422,
        ("The key was used for something else", "La clé a servi à autre chose"),
        (
            "This Idempotency-Key came with another body before.",
            "Cette Idempotency-Key est déjà venue avec un autre corps.",
        ),
        "A new wish needs a new key; repeat a key only with the same body.",
    ),
    "slow-down": _kind(
        429,
        ("You ask too often", "Vous demandez trop souvent"),
        ("Ask again in {seconds} s.", "Redemandez dans {seconds} s."),
        "Wait the seconds of `Retry-After`; who heeds `RateLimit` is never refused.",
    ),
    "internal": _kind(
        500,
        ("Something broke", "Quelque chose s’est cassé"),
        (
            "This is a fault of the server; it is logged under the request’s id.",
            "C’est une faute du serveur ; elle est notée sous l’identifiant de la requête.",
        ),
        "Report the header `X-Request-Id`. A command may be repeated with the same key.",
    ),
    "store-unavailable": _kind(
        503,
        ("The store cannot be reached", "Le stockage est injoignable"),
        ("Nothing was stored.", "Rien n’a été enregistré."),
        "Repeat after the seconds of `Retry-After`, a command with the same key.",
    ),
    "store-misconfigured": _kind(
        503,
        ("The store is set up wrongly", "Le stockage est mal réglé"),
        (
            "The store could lose what it acknowledges, or evict it.",
            "Le stockage pourrait perdre ou évincer ce qu’il confirme.",
        ),
        "`abraxas doctor` says which setting is wrong.",
    ),
    "outcome-unknown": _kind(
        503,
        ("The outcome is unknown", "L’issue est inconnue"),
        (
            "The store was lost before it answered: this may or may not have happened.",
            "Le stockage s’est tu avant de répondre : cela a pu se faire ou non.",
        ),
        "Repeat the same request with the same Idempotency-Key: it counts once.",
    ),
}

FIELD_CODES: Final[Mapping[str, Words]] = {
    "missing": _both("is missing", "manque"),
    "unknown": _both("is not a field of this", "n’est pas un champ d’ici"),
    "wrong-type": _both("has the wrong type", "n’a pas le bon type"),
    "malformed": _both("is malformed", "est mal formé"),
    "out-of-range": _both("is out of range", "est hors limites"),
    "not-one-of": _both("is not one of the possible values", "n’est pas une valeur possible"),
    "not-public": _both("is no public https address", "n’est pas une adresse https publique"),
    "repeated": _both("comes more than once", "vient plus d’une fois"),
}
