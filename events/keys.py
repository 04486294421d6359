"""Every key of the store, one function each, and the 256 partitions that tables are spread over.

Every key of a partition carries its tag in braces, so that a cluster keeps it in one slot.
"""

from binascii import crc_hqx
from functools import lru_cache
from typing import Final
from zlib import crc32

PARTITIONS: Final = 256
"""How many partitions there are, for ever: a table's partition is a hash of its id."""

BLOCK: Final = 16
"""How many neighbouring partitions one lease covers."""

# Found once and frozen: the slot of tag i lies in the i-th of 256 equal parts of 0..16383.
_FROZEN: Final = (
    "cv bl cr bh 9t z5 cz z1 rd 7v 6h sz 07 sv j9 sr ae 5t aa oz am aek y8 aeo nu oo nq ok "
    "4w w6 ny w2 zy ea 1t ee zq 90 zu 94 kk jq ko ju s2 jy s6 0w fh f fl b xb gz fd j wz 2h "
    "3v vd wr n9 wv 47 rt sn rp sj 6t k7 rx k3 cf 8v cb bx cn bt e9 bp ne 5u na qy 24 ow v8 "
    "os au 37 6 f8 ada f4 ay f0 uy ja 1u je ks r8 kw 64 zi eq zm eu b0 ey b4 ai3 wj vp wn vt "
    "o3 vx o7 2t fx gb 3w gf fp a9 ft z bn ct bj cp z7 9v z3 cx 7t rf sx rb st 05 sp t9 5v "
    "ag ox ac aei ao aem g8 om nw oi ns w4 4u w0 py ec dy eg 1v c8 zs 96 zw js ki jw km ty "
    "s0 0u s4 d fj gt fn gx fb h ff vb wx vf 3t p9 wp 45 wt sl rv sh rr k5 6v k1 rz 8t cd bz "
    "9j bv cl br ch 5w ng oy nc ou 26 oq 22 35 aw x8 4 f6 8 f2 adg jc ky jg 1w 62 kq 66 ku "
    "es zk ew zo ai5 b2 ai1 b6 vr wh vv wl vz o1 2v o5 yb fz gd 3u gh fr x fv"
)
_TAGS: Final = tuple(_FROZEN.split())


def tag(partition: int) -> str:
    """Answer the hash tag of a partition, without braces."""
    return _TAGS[partition]


def slot(name: str) -> int:
    """Answer the cluster slot (0..16383) of a tag or of a name without braces."""
    return crc_hqx(name.encode(), 0) % 16384


@lru_cache(maxsize=65536)
def partition(table: str) -> int:
    """Answer the partition of a table."""
    return crc32(table.encode()) % PARTITIONS


def block(partition: int) -> int:
    """Answer the block of a partition: which lease covers it."""
    return partition // BLOCK


def events(table: str) -> str:
    """Stream: ``<version>-0`` -> the recorded event. The truth."""
    return f"{{{_TAGS[partition(table)]}}}:t:{table}:events"


def meta(table: str) -> str:
    """Hash: version, hash, phase; imported, archived where that is so."""
    return f"{{{_TAGS[partition(table)]}}}:t:{table}:meta"


def commands(table: str) -> str:
    """Hash: command id -> fingerprint|first|last."""
    return f"{{{_TAGS[partition(table)]}}}:t:{table}:commands"


def feed(partition: int) -> str:
    """Stream: ``<n>-0`` -> table, first version, count; n is dense."""
    return f"{{{_TAGS[partition]}}}:feed"


def counters(partition: int) -> str:
    """Hash: ``head``, the last n of the feed; ``repeats``, how many known commands came again."""
    return f"{{{_TAGS[partition]}}}:ctr"


def tables(partition: int) -> str:
    """Sorted set: table -> its first feed position; every table, archived ones too."""
    return f"{{{_TAGS[partition]}}}:tables"


def finished(partition: int) -> str:
    """Sorted set: table -> when it was over (ms since 1970), until it is archived."""
    return f"{{{_TAGS[partition]}}}:finished"


def wake(partition: int) -> str:
    """Sharded channel: a nudge without data, to which followers alone subscribe."""
    return f"{{{_TAGS[partition]}}}:wake"


def stir(partition: int) -> str:
    """Sharded channel: the id of a table that has grown, for whoever streams it; may be lost."""
    return f"{{{_TAGS[partition]}}}:stir"


def lease(block: int) -> str:
    """Lease: who follows a block of partitions, a string under the first tag of the block."""
    return f"{{{_TAGS[block * BLOCK]}}}:lease"


def fence(block: int) -> str:
    """Counter: the fencing token of the last lease of a block."""
    return f"{{{_TAGS[block * BLOCK]}}}:fence"


def projection(partition: int, name: str, generation: int, *rest: str) -> str:
    """Key of a consumer's generation: a document, its outbox, the tables it parked."""
    return ":".join((f"{{{_TAGS[partition]}}}:p:{name}@{generation}", *rest))


def checkpoints(partition: int) -> str:
    """Hash: ``token``, the fence of who follows; <consumer>@<generation> -> position applied."""
    return f"{{{_TAGS[partition]}}}:checkpoints"


def followers() -> str:
    """Sorted set: follower -> when it counts as gone (the store's clock, in ms since 1970)."""
    return "followers"


def listing(projection: str, generation: int, of: str, *rest: str) -> str:
    """Key of one list over many tables (of a game, of a player), under a tag of its own."""
    return ":".join((f"{{l.{projection}@{generation}.{of}}}", *rest))


def player(player: str) -> str:
    """Hash: name, locale, since, owner (of a bot), recovery (the digest of its code), seed."""
    return f"{{p.{player}}}:player"


def player_tokens(player: str) -> str:
    """Set: digests of the tokens of a player."""
    return f"{{p.{player}}}:tokens"


def player_bots(player: str) -> str:
    """Set: the bots of a player."""
    return f"{{p.{player}}}:bots"


def player_unfinished(player: str) -> str:
    """Sorted set: the tables that a player opened and that may not be over -> when, in ms."""
    return f"{{p.{player}}}:unfinished"


def player_apps(player: str) -> str:
    """Set: the apps that a player has registered."""
    return f"{{p.{player}}}:apps"


def player_grants(player: str) -> str:
    """Set: what a player has granted to apps."""
    return f"{{p.{player}}}:grants"


def oauth(kind: str, name: str) -> str:
    """Hash: an app or a grant by its id, a code or a device's request by its digest."""
    return f"oauth:{kind}:{name}"


def recovery(digest: str) -> str:
    """Text: whose recovery code it is, by the digest of the code."""
    return f"recovery:{digest}"


def token(digest: str) -> str:
    """Hash: whose token it is, its scopes, kind, label and age, by the digest of the token."""
    return f"token:{digest}"


def ticket(digest: str) -> str:
    """Text: who may open one stream with a ticket, by its digest; it expires."""
    return f"ticket:{digest}"


def limit(bucket: str, who: str) -> str:
    """Text: when a caller's bucket will be full again, in µs of the store's clock; else none."""
    return f"limit:{bucket}:{who}"


WEBHOOK_SHARDS: Final = 16
"""How many slots webhooks are spread over."""


def _webhook_tag(shard: int) -> str:
    return f"{{w.{shard}}}"


def webhook_shard(hook: str) -> int:
    """Answer the shard of a webhook: everything of it lies in one slot, and so does its turn."""
    return crc32(hook.encode()) % WEBHOOK_SHARDS


def webhook(hook: str, *rest: str) -> str:
    """Hash: a webhook; ``pending``, ``told`` (hashes) and ``log`` (list) lie beside it."""
    return ":".join((f"{_webhook_tag(webhook_shard(hook))}:{hook}", *rest))


def webhooks_due(shard: int) -> str:
    """Sorted set: webhook -> when something is to be sent to it (ms since 1970)."""
    return f"{_webhook_tag(shard)}:due"


def webhooks_held(shard: int) -> str:
    """Sorted set: webhook -> until when somebody sends to it (ms since 1970)."""
    return f"{_webhook_tag(shard)}:held"


def player_webhooks(player: str) -> str:
    """Set: the webhooks of a player."""
    return f"{{p.{player}}}:webhooks"


def subscriptions() -> str:
    """Hash: ``p:<player>`` or ``t:<table>`` -> the webhooks that are to hear of it."""
    return "webhooks"


def restoring() -> str:
    """Text: a backup is being put back, or was not put back to its end."""
    return "restoring"


def nothing(partition: int) -> str:
    """No key: one that is never there, by which a server is asked whether it takes writes."""
    return f"{{{_TAGS[partition]}}}:nothing"
