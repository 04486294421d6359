"""Lua scripts as a server runs them: the product's own files, each compiled once for a test run."""

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha1
from importlib import import_module
from typing import Any, Final

from redis.exceptions import ResponseError

Command = Callable[[bytes, Sequence[bytes]], Any]
"""Carries out a command by its name."""

_LUA: Final[Any] = import_module("lupa.lua51").LuaRuntime(
    encoding=None, unpack_returned_tuples=False
)
_TABLE: Final = _LUA.table_from
_IS_TABLE: Final = _LUA.eval(b"function(value) return type(value) == 'table' end")


class Failed(Exception):  # noqa: N818 - as Lua's error
    """End a script whose command has failed."""

    def __init__(self, reply: ResponseError) -> None:
        super().__init__(str(reply))
        self.reply = reply


def digest(body: bytes) -> bytes:
    """Answer what a script is known by."""
    return sha1(body, usedforsecurity=False).hexdigest().encode()


class _Server:
    """The server whose script runs now: one at a time."""

    command: Command


def _call(name: bytes, *arguments: Any) -> Any:
    reply = _Server.command(name.upper(), [_argument(each) for each in arguments])
    if isinstance(reply, ResponseError):
        raise Failed(reply)
    return _to_lua(reply)


def _pcall(name: bytes, *arguments: Any) -> Any:
    reply = _Server.command(name.upper(), [_argument(each) for each in arguments])
    if isinstance(reply, ResponseError):
        return _TABLE({b"err": str(reply).encode()})
    return _to_lua(reply)


_REDIS: Final = _TABLE({b"call": _call, b"pcall": _pcall})


@cache
def compiled(body: bytes) -> Any:
    """Answer the function that a script is."""
    return _LUA.execute(b"return function(KEYS, ARGV, redis) " + body + b"\nend")


def run(body: bytes, keys: Sequence[bytes], arguments: Sequence[bytes], command: Command) -> Any:
    """Run a script; its commands go to ``command``."""
    _Server.command = command
    try:
        return _from_lua(compiled(body)(_TABLE(keys), _TABLE(arguments), _REDIS))
    except Failed as failed:
        return ResponseError(f"{failed} script: {digest(body).decode()}, on @user_script:1.")


def _argument(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    return b"%d" % value if value == int(value) else b"%.17g" % value


def _to_lua(value: Any) -> Any:
    if value is None:
        return False
    if isinstance(value, list):
        return _TABLE([_to_lua(each) for each in value])
    return value


def _from_lua(value: Any) -> Any:
    if value is None or value is False:
        return None
    if value is True:
        return 1
    if isinstance(value, bytes):
        return value
    if isinstance(value, (int, float)):
        return int(value)
    return [_from_lua(each) for each in value.values()]
