"""abraxas settings lists every name with its value, and no password."""

from click.testing import CliRunner

from service.__main__ import main
from service.settings import SETTINGS

NOTHING_SET = {each.name: None for each in SETTINGS}


def test_every_setting_is_listed_with_its_default_and_meaning() -> None:
    result = CliRunner().invoke(main, ["settings"], env=NOTHING_SET)
    assert result.exit_code == 0
    words = " ".join(result.stdout.split())
    for each in SETTINGS:
        assert f"{each.name} is not set (default: {each.default}) {each.meaning}" in words


def test_values_are_shown_without_passwords() -> None:
    environ = NOTHING_SET | {"REDIS_URL": "redis://me:secret@store", "ABRAXAS_PORT": "81"}
    result = CliRunner().invoke(main, ["settings"], env=environ)
    assert "REDIS_URL = redis://me:***@store " in result.stdout
    assert "ABRAXAS_PORT = 81 " in result.stdout
    assert "secret" not in result.output


def test_a_misspelt_name_is_noticed() -> None:
    result = CliRunner().invoke(main, ["settings"], env=NOTHING_SET | {"ABRAXAS_PROT": "81"})
    assert result.stderr == "ABRAXAS_PROT is set, but is no setting of Abraxas.\n"
