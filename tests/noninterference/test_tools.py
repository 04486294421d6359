"""The tools for language models tell what they tell, whatever is hidden."""

import asyncio
from typing import Any

import httpx2
import pytest

from domain.catalogue import games
from domain.dice import seeded
from domain.game import AnyGame
from service.agents.asking import Asking, Declined
from service.agents.tools import Tools
from tests.noninterference import masks
from tests.noninterference.channels import Watched
from tests.noninterference.rounds import alike, tried
from tests.noninterference.witnesses import witness
from tests.noninterference.worlds import Reader, Tally
from tests.service.asking import Api

pytestmark = pytest.mark.timeout(600)

KINDS = {"magic_cooking": "CardsDrawn", "potage_sauvage": "RecipeChosen"}


class Within(httpx2.AsyncBaseTransport):
    """Carries requests to an application in this process."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer as the application does."""
        sent = {name: value for name, value in request.headers.items() if name != "host"}
        # A request that brings a number keeps it, and is logged under it.
        sent["traceparent"] = f"00-{1:032x}-{1:016x}-00"
        path = request.url.raw_path.decode()
        answer = self._api.app.test_client().open(
            path, method=request.method, headers=sent, data=request.content
        )
        return httpx2.Response(answer.status_code, headers=[*answer.headers], content=answer.data)


async def used(api: Api, watched: Watched, reader: Reader, bodies: list[Any]) -> list[Any]:
    """Use every tool as somebody; answer what each told, or why it declined."""
    asking = Asking("http://localhost", Within(api))
    tools, table, version = Tools(asking, reader.token), watched.table, watched.version
    uses = [
        tools.list_my_turns(),
        tools.get_view(table),
        tools.get_view(table, version=version - 1),
        tools.get_view(table, seen_as="arbiter"),
        tools.legal_moves(table),
        tools.wait(table, 0, 0),
        *(tools.play(table, body, version + 1) for body in bodies),
    ]
    told: list[Any] = []
    for use in uses:
        try:
            told.append(await use)
        except Declined as declined:
            told.append(str(declined))
    await asking.close()
    return told


@pytest.mark.parametrize("game", [pytest.param(each, id=name) for name, each in games().items()])
def test_no_tool_tells_what_is_hidden(game: AnyGame) -> None:
    tally, dice = Tally(), seeded(f"tools {game.name}")
    found = witness(game.name, KINDS.get(game.name, "HandDealt"))
    with alike(tally) as worlds:
        watched = found.play(worlds)
        watched.lists()
        for reader in watched.some(dice):
            watched.look(reader, dice)
            # A version that the table has not reached: what is legal does not count either.
            bodies = tried(watched.commands(), dice)
            answers = worlds.both(
                f"tools of {reader.name}",
                lambda api, reader=reader, bodies=bodies: asyncio.run(  # type: ignore[misc]
                    used(api, watched, reader, bodies)
                ),
            )
            assert len({type(each) for each in answers[0]}) == 2
            for left, right in zip(*answers, strict=True):
                told = (masks.told(each) for each in (left, right))
                tally.same("tool", reader.name, *told)
    assert tally.asked["tool"] >= 20
