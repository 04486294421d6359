"""What the store's append script costs: instructions of Lua's virtual machine, and commands."""

from collections import Counter
from typing import Any, Final

from lupa.lua51 import LuaRuntime  # type: ignore[import-untyped]

from tests.benchmarks.gate.counting import Cost

RUN: Final = """
function(source, keys, arguments, call)
  KEYS, ARGV = {}, {}
  for at = 1, #keys do KEYS[at] = keys[at] end
  for at = 1, #arguments do ARGV[at] = arguments[at] end
  redis = {call = call, pcall = call}
  local script, count = loadstring(source), 0
  debug.sethook(function() count = count + 1 end, '', 1)
  local answer = script()
  debug.sethook()
  return answer[1], count
end
"""
_KEYS: Final = ("events", "meta", "commands", "feed", "counters", "tables")


def cost(script: str, *, events: int = 3) -> Cost:
    """Run the script once, for some events after version 4 of a table that is there."""
    lua = LuaRuntime(unpack_returned_tuples=True)
    asked: Counter[str] = Counter()
    answers: dict[str, Any] = {
        "HMGET": lua.table("4", "hash"), "HGET": False, "HINCRBY": 7, "SPUBLISH": 1,
    }  # fmt: skip

    def call(name: str, *arguments: str) -> Any:
        asked[name] += 1
        return answers.get(name, "OK")

    fields = ["CardPlayed", "1", "1760000000000", "0", "", '{"card":"I5"}', ""] * events
    arguments = [
        "table", "4", "hash", "command", "print", "SPUBLISH", "wake", "stir", "next", "playing", "",
        *fields,
    ]  # fmt: skip
    run: Any = lua.eval(RUN)
    answer, instructions = run(script, lua.table_from(_KEYS), lua.table_from(arguments), call)
    assert answer == "appended"
    assert asked["XADD"] == events + 1
    return {"instructions": instructions, "store commands": sum(asked.values())}
