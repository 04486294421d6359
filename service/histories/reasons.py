"""Why a record is refused, in English and French; the codes are those of every checker."""

from typing import Final

from events.records.record import REASONS

_FRENCH: Final = {
    "ends-early": "le fichier finit ici, avant sa dernière ligne",
    "cut-off": "la ligne ne se termine pas",
    "not-canonical": "la ligne n’est pas du JSON dans la seule forme permise",
    "unknown-format": "le format du fichier n’est pas connu ici",
    "bad-shape": "la ligne n’a pas les champs qu’il faut",
    "check-differs": "la ligne a été changée, ou une autre avant elle avec son contrôle",
    "out-of-order": "un autre événement a sa place ici",
    "header-differs": "l’en-tête n’est pas celui avec lequel la table fut ouverte",
    "hash-differs": "l’empreinte n’est pas celle à laquelle mènent les lignes précédentes",
    "wrong-redaction": "une face scellée est ouverte ou fermée contre la règle de l’en-tête",
    "after-the-end": "rien ne peut suivre ici",
    "count-differs": "le nombre d’événements est un autre",
    "digest-differs": "les octets avant cette ligne ne sont pas ceux pour lesquels elle fut écrite",
    "bad-event": "l’événement dit ce qu’aucune table ne peut dire",
    "key-differs": "la clé n’est pas celle de l’engagement",
    "salt-differs": "le sel ne vient pas de la clé",
    "roll-differs": "les tirages ne viennent pas de la clé et de l’entropie des places",
    "head-differs": "l’empreinte gardée n’y est nulle part",
    "deck-differs": "le paquet n’est pas celui avec lequel on joue",
    "unknown-game": "aucun jeu de ce nom n’est connu ici",
    "unknown-event": "aucun événement de ce genre et de ce schéma n’est connu ici",
    "not-by-the-rules": "d’après les règles, aucune commande ne mène à cette ligne",
    "not-whole": "seul un fichier complet depuis le premier événement peut être importé",
    "not-over": "seule une table finie peut être importée",
}

RECORD_CODES: Final = {
    code: {"en": english, "fr": _FRENCH[code]} for code, english in REASONS.items()
}
