"""The table of rights, as data: who may ask what, and who sees what of which table.

It is written by hand, not read off the routes: ``docs/security.md`` shows it, and tests hold the
server against it.
"""

from collections.abc import Mapping
from typing import Final

from tests.service.world import ROLES

HAS: Final[Mapping[str, frozenset[str]]] = {
    "anonymous": frozenset(),
    "guest": frozenset({"play", "read", "account"}),
    "seat": frozenset({"play", "read", "account"}),
    "other seat": frozenset({"play", "read", "account"}),
    "stranger": frozenset({"play", "read", "account"}),
    "a bot": frozenset({"play", "read", "webhooks"}),
    "play": frozenset({"play"}),
    "read": frozenset({"read"}),
    "bot": frozenset({"bot"}),
    "webhooks": frozenset({"webhooks"}),
    "account": frozenset({"account"}),
    "all scopes": frozenset({"play", "read", "bot", "webhooks", "account"}),
    "app": frozenset({"play", "read"}),
    "revoked": frozenset(),
}
"""Role -> what its token may do."""
assert HAS.keys() == set(ROLES)

NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    "no token is looked at": (
        "ask_consent", "ask_device_consent", "authorize_device", "create_oauth_token",
        "get_docs", "get_errors", "get_guide", "get_livez", "get_metrics", "get_oauth_metadata",
        "get_openapi", "get_readyz", "get_replay_file", "get_replay_game", "get_replay_of_table",
        "get_replay_page", "get_root", "get_style", "get_texts", "get_tutorial", "get_web_file",
        "give_consent", "give_device_consent", "revoke_oauth_token",
    ),
    "anybody, but a token must be good": (
        "create_player", "get_game", "get_player", "get_rules", "list_games", "recover_player",
    ),
    "anybody without a token, or `read`": (
        "get_record", "get_table", "list_events", "list_my_events", "list_tables",
    ),
    "`read`": ("create_stream_ticket", "list_my_tables"),
    "`play`": (
        "fork_table", "import_record", "leave_seat", "open_table", "send_command", "take_seat",
    ),
    "`webhooks`": (
        "change_webhook", "create_webhook", "get_webhook", "list_deliveries", "list_webhooks",
        "remove_webhook", "rotate_webhook_secret", "test_webhook",
    ),
    "`bot`": ("create_bot", "erase_bot", "list_bots", "replace_bot_token"),
    "`account`": (
        "change_me", "create_recovery_code", "create_token", "erase_me", "get_me", "list_apps",
        "list_tokens", "register_app", "remove_app", "revoke_token",
    ),
}  # fmt: skip
"""What is needed -> the operations that need it."""

SEES: Final[Mapping[str, tuple[str, str, str]]] = {
    "open": ("spectator", "spectator", "seat"),
    "playing": ("spectator", "spectator", "seat"),
    "unlisted": ("spectator", "spectator", "seat"),
    "private": ("nothing", "spectator", "seat"),
    "private open": ("nothing", "spectator", "seat"),
    "fork": ("nothing", "spectator", "seat"),
    "over": ("everything", "everything", "everything"),
    "imported": ("everything", "everything", "everything"),
}
"""Table -> what somebody who came by, somebody with the invite, and a seat see of it."""


def refused(operation: str, role: str) -> int | None:
    """Answer the status with which a role is refused whatever it asks of an operation, or None."""
    need = next(each for each, operations in NEEDS.items() if operation in operations)
    if need == "no token is looked at":
        return None
    if role == "revoked":
        return 401
    scope = need.split("`")[1] if "`" in need else None
    if role == "anonymous":
        return None if need.startswith("anybody") else 401
    return 403 if scope and scope not in HAS[role] else None


def shown() -> str:
    """Write the tables as docs/security.md has them."""
    needs = "\n".join(
        f"| {need} | {', '.join(f'`{each}`' for each in sorted(operations))} |"
        for need, operations in NEEDS.items()
    )
    sees = "\n".join(f"| {table} | {' | '.join(seen)} |" for table, seen in SEES.items())
    return (
        f"| what is needed | operations |\n|---|---|\n{needs}\n\n"
        f"| table | who came by | with the invite | a seat |\n|---|---|---|---|\n{sees}\n"
    )
