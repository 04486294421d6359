"""What players have granted to apps: one grant has one refresh token, which changes at each use."""

from dataclasses import dataclass
from hmac import compare_digest
from secrets import token_hex, token_urlsafe
from time import time
from typing import Any, Final

from authlib.oauth2.rfc6749 import TokenMixin

from events import keys
from service.identity.tokens import Listed, Tokens, digest_of, flat, read, texts, write

ACCESS_SECONDS: Final = 3600
GRANT_SECONDS: Final = 90 * 24 * 3600
"""How long an app may stay away before its player is asked again."""

# An older refresh token has been stolen, or the newer one: neither is good any more.
_ROTATE: Final = """
local now = redis.call('HGET', KEYS[1], 'refresh')
if not now then return 0 end
if now ~= ARGV[1] then return -1 end
redis.call('HSET', KEYS[1], 'refresh', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
"""


@dataclass(frozen=True, slots=True)
class Grant(TokenMixin):
    """A player's grant to an app, found by one of its tokens."""

    id: str
    app: str
    player: str
    scope: str
    access: str
    refresh: str
    name: str
    made: int
    """When it was given, in milliseconds since 1970 (UTC)."""

    def check_client(self, client: Any) -> bool:
        """Answer whether the grant was given to this app."""
        return bool(client.get_client_id() == self.app)

    def get_scope(self) -> str:
        """Answer what was granted."""
        return self.scope

    def get_expires_in(self) -> int:
        """Answer how long an access token is good for, in seconds."""
        return ACCESS_SECONDS

    def is_expired(self) -> bool:
        """Answer that the store forgets what has expired."""
        return False

    def is_revoked(self) -> bool:
        """Answer that the store forgets what was revoked."""
        return False


def new(tokens: Tokens, client: Any, player: str, app: Any, scope: str) -> dict[str, Any] | None:
    """Make a grant and its first tokens; None if the player was erased meanwhile."""
    grant = token_hex(12)
    refresh = f"abr_{grant}.{token_urlsafe(32)}"
    write(client, "SADD", keys.player_grants(player), grant)
    told = {"app": app.id, "name": app.name, "player": player, "scope": scope}
    told |= {"refresh": digest_of(refresh), "access": "", "made": int(time() * 1000)}
    write(client, "HSET", keys.oauth("grant", grant), *flat(told))
    write(client, "EXPIRE", keys.oauth("grant", grant), GRANT_SECONDS)
    return _tokens(tokens, client, grant, player, app, scope, refresh)


def by_refresh(client: Any, refresh: str) -> Grant | None:
    """Answer the grant of a refresh token, whether it is the newest or an older one."""
    name, _, secret = refresh.removeprefix("abr_").partition(".")
    return by_id(client, name) if secret and len(name) == 24 else None


def by_id(client: Any, grant: str) -> Grant | None:
    """Answer a grant that was neither revoked nor forgotten."""
    found = texts(read(client, "HGETALL", keys.oauth("grant", grant)))
    if not found:
        return None
    names = ("app", "player", "scope", "access", "refresh", "name")
    told = {name: found[name] for name in names}
    return Grant(id=grant, made=int(found.get("made", 0)), **told)


def by_access(client: Any, access: str) -> Grant | None:
    """Answer the grant of an access token."""
    digest = digest_of(access)
    named = read(client, "HGET", keys.token(digest), "grant")
    found = by_id(client, named.decode()) if named else None
    return found if found and compare_digest(found.access, digest) else None


def renew(
    tokens: Tokens, client: Any, grant: Grant, app: Any, refresh: str, scope: str
) -> dict[str, Any] | None:
    """Change the tokens of a grant; an older refresh token ends the grant, and the answer is None.

    Two that come at once with the same token cannot both be answered.
    """
    fresh = f"abr_{grant.id}.{token_urlsafe(32)}"
    key = keys.oauth("grant", grant.id)
    how = write(
        client, "EVAL", _ROTATE, 1, key, digest_of(refresh), digest_of(fresh), GRANT_SECONDS
    )
    if how != 1:
        revoke(tokens, client, grant)
        return None
    write(client, "HDEL", keys.token(grant.access), "grant")
    tokens.revoke(grant.player, grant.access)
    return _tokens(tokens, client, grant.id, grant.player, app, scope, fresh)


def _tokens(
    tokens: Tokens, client: Any, grant: str, player: str, app: Any, scope: str, refresh: str
) -> dict[str, Any] | None:
    access = tokens.make(
        player, frozenset(scope.split()), kind="app", label=app.name, seconds=ACCESS_SECONDS,
        app=app.id, grant=grant,
    )  # fmt: skip
    if access is None:
        write(client, "DEL", keys.oauth("grant", grant))
        write(client, "SREM", keys.player_grants(player), grant)
        return None
    write(client, "HSET", keys.oauth("grant", grant), "access", digest_of(access))
    return {
        "token_type": "Bearer",
        "access_token": access,
        "expires_in": ACCESS_SECONDS,
        "refresh_token": refresh,
        "scope": scope,
    }


def revoke(tokens: Tokens, client: Any, grant: Grant) -> None:
    """End a grant and both its tokens."""
    write(client, "DEL", keys.oauth("grant", grant.id))
    write(client, "SREM", keys.player_grants(grant.player), grant.id)
    tokens.revoke(grant.player, grant.access)


def of(client: Any, player: str) -> tuple[Grant, ...]:
    """Answer what a player has granted; what was not used for so long is forgotten."""
    ids = sorted(each.decode() for each in read(client, "SMEMBERS", keys.player_grants(player)))
    found = {each: by_id(client, each) for each in ids}
    ended = [each for each, grant in found.items() if grant is None]
    if ended:
        write(client, "SREM", keys.player_grants(player), *ended)
    return tuple(grant for grant in found.values() if grant)


def listed(client: Any, player: str) -> tuple[Listed, ...]:
    """Answer the grants of a player as tokens are listed, whether an access token lives or not."""
    return tuple(
        Listed(each.id, "app", each.name, tuple(each.scope.split()), each.made, each.app)
        for each in of(client, player)
    )


def revoke_listed(tokens: Tokens, client: Any, player: str, grant_id: str) -> bool:
    """End a grant of a player by its id; answer whether there was one."""
    mine = [each for each in of(client, player) if each.id == grant_id]
    for each in mine:
        revoke(tokens, client, each)
    return bool(mine)
