"""What can be played is told with all that a client needs, in its language."""

import pytest

from domain.catalogue import games
from tests.service.asking import GAME, Api


def test_every_game_is_listed(api: Api) -> None:
    page = api.get("/v1/games").json
    assert [each["game"] for each in page["items"]] == list(games())
    assert page["next"] is None


def test_a_game_tells_seats_bots_and_the_number_of_its_rules(api: Api) -> None:
    told = api.get(f"/v1/games/{GAME}").json
    assert (told["name"], told["rules"]) == ("Potage Sauvage", 1)
    assert (told["seats"], told["bots"]) == ([2, 3, 4, 5], ["greedy", "random"])


def test_options_have_a_schema(api: Api) -> None:
    options = api.get(f"/v1/games/{GAME}").json["options"]
    points = options["properties"]["starting_points"]
    assert (points["minimum"], points["maximum"]) == (0, 100)
    assert options["additionalProperties"] is False


@pytest.mark.parametrize("game", list(games()))
def test_options_that_are_left_out_are_what_their_schema_says(api: Api, game: str) -> None:
    told = api.get(f"/v1/games/{game}").json
    options = {
        name: schema["default"]
        for name, schema in told["options"]["properties"].items()
        if "default" in schema
    }
    ana, seats = api.guest(), told["seats"][0]
    plain, said = (
        api.post("/v1/tables", ana.token, {"game": game, "seats": seats, **more}).json["options"]
        for more in ({}, {"options": options})
    )
    assert options
    assert plain == said


@pytest.mark.parametrize("game", list(games()))
def test_the_rules_of_a_game_can_be_read(api: Api, game: str) -> None:
    told = api.get(f"/v1/games/{game}/rules", Accept_Language="fr")
    assert told.status == 200
    assert told.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert told.headers["Content-Language"] == "en"
    name = api.get(f"/v1/games/{game}").json["name"]
    assert told.data.decode().startswith(f"# {name}")
    tag = told.headers["ETag"]
    assert api.get(f"/v1/games/{game}/rules", If_None_Match=tag).status == 304


def test_a_game_that_nobody_knows_has_no_rules(api: Api) -> None:
    assert api.get("/v1/games/chess/rules").json["code"] == "unknown-game"


def test_commands_have_a_schema(api: Api) -> None:
    commands = api.get(f"/v1/games/{GAME}").json["commands"]["anyOf"]
    types = {each["properties"]["type"]["const"]: each["required"] for each in commands}
    assert types == {"choose_recipe": ["type", "recipe"], "play_card": ["type", "card"]}


def test_cards_and_refusals_have_words_in_both_languages(api: Api) -> None:
    english, french = (
        api.get(f"/v1/games/{GAME}", Accept_Language=each).json for each in ("en", "fr")
    )
    assert len(english["cards"]) == len(french["cards"]) == 8 * 3 + 5
    assert [each["id"] for each in english["cards"]] == [each["id"] for each in french["cards"]]
    assert english["cards"][0]["name"] != french["cards"][0]["name"]
    assert english["refusals"].keys() == french["refusals"].keys()
    assert {"must-follow-suit", "seat-taken"} <= english["refusals"].keys()


def test_a_game_is_not_sent_twice(api: Api) -> None:
    first = api.get(f"/v1/games/{GAME}")
    tag = first.headers["ETag"]
    assert api.get(f"/v1/games/{GAME}", If_None_Match=tag).status == 304
    assert api.get(f"/v1/games/{GAME}", If_None_Match=tag, Accept_Language="fr").status == 200


def test_an_unknown_game_is_told_so_wherever_it_is_named(api: Api) -> None:
    token = api.guest().token
    body = {"game": "chess", "seats": 2}
    assert api.get("/v1/games/chess").code == "unknown-game"
    assert api.get("/v1/tables?game=chess").code == "unknown-game"
    assert api.post("/v1/tables", token, body).code == "unknown-game"
