"""Options: read from text, from TOML, and from settings with dotted keys."""

import tomllib
from typing import Annotated, Literal

import pytest
from pydantic import Field

import sim
from sim.errors import Mistake, nearest
from sim.options import Options, read_toml, validate, with_settings

GAME = sim.load("westward-rails")


class Money(Options):
    """Money by number of players."""

    three: int = Field(40, alias="3")
    four: int = Field(30, alias="4")


class Some(Options):
    """A few options of each kind."""

    money: Money = Money()
    cubes: Annotated[int, Field(strict=True, ge=1, le=60)] = 20
    tie: Literal["player", "cheapest"] = "player"
    closes: Annotated[bool, Field(strict=True)] = False


PRINTED = Some().model_dump(by_alias=True)


def test_nearest():
    assert nearest("cubs", ["cubes", "tie"]) == "; the nearest is 'cubes'"
    assert nearest("x", ["tie", "cubes"]) == "; choose from cubes, tie"
    assert nearest("x", []) == ""


def test_read_toml(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text("key = 1\n")
    assert read_toml(path) == {"key": 1}
    path.write_text("key = \n")
    with pytest.raises(Mistake, match=r"plan\.toml: it is not valid TOML: .*line 1"):
        read_toml(path)


# ------------------------------------------------------------------------------------- settings


def test_settings_change_values_and_leave_the_rest():
    values = with_settings(Some, PRINTED, {"cubes": 12, "money.4": 35})
    assert values == {"money": {"3": 40, "4": 35}, "cubes": 12, "tie": "player", "closes": False}
    assert Some().model_dump(by_alias=True) == PRINTED  # what was given is not changed


def test_plain_value_sets_a_whole_table():
    assert with_settings(Some, PRINTED, {"money": 24})["money"] == {"3": 24, "4": 24}


def test_table_sets_the_entries_it_names():
    assert with_settings(Some, PRINTED, {"money": {"3": 7}})["money"] == {"3": 7, "4": 30}


def test_later_settings_win():
    assert with_settings(Some, PRINTED, {"money": 24, "money.3": 9})["money"] == {"3": 9, "4": 24}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"cubs": 3}, "--set: there is no option 'cubs'; the nearest is 'cubes'"),
        ({"zzz": 3}, "--set: there is no option 'zzz'; choose from closes, cubes, money, tie"),
        ({"money.6": 3}, "--set: money has no entry '6'; choose from 3, 4"),
        ({"cubes.3": 3}, "--set: 'cubes' is one value; write cubes=3."),
        ({"mony.3": 3}, "--set: there is no option 'mony.3'; the nearest is 'money'"),
    ],
)
def test_wrong_key_of_a_setting(settings, said):
    with pytest.raises(Mistake) as mistake:
        with_settings(Some, PRINTED, settings)
    assert said in str(mistake.value)
    assert str(mistake.value).endswith((".", "?"))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"cubes": 0}, "here: cubes = 0 is not possible: it should be greater than or equal to 1."),
        ({"cubes": 61}, "here: cubes = 61 is not possible: it should be less than or equal to 60."),
        ({"cubes": "12"}, "here: cubes = '12' is not possible: it should be a valid integer."),
        ({"cubes": 12.0}, "here: cubes = 12.0 is not possible: it should be a valid integer."),
        ({"cubes": True}, "here: cubes = True is not possible: it should be a valid integer."),
        ({"closes": 1}, "here: closes = 1 is not possible: it should be a valid boolean."),
        (
            {"tie": "cheepest"},
            "here: tie = 'cheepest' is not possible: it should be 'player' or 'cheapest'"
            "; the nearest is 'cheapest'",
        ),
        ({"tie": 3}, "here: tie = 3 is not possible: it should be 'player' or 'cheapest'."),
        ({"money": {"6": 1}}, "here: there is no key 'money.6'"),
        ({"money": {"3": "x"}}, "here: money.3 = 'x' is not possible: it should be a valid int"),
        ({"cub": 1}, "here: there is no key 'cub'; the nearest is 'cubes'"),
        ({"tie": "x" * 100}, "here: tie = 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx... is not"),
    ],
)
def test_wrong_value(values, said):
    with pytest.raises(Mistake) as mistake:
        validate(Some, values, "here")
    assert said in str(mistake.value)
    assert "\n" not in str(mistake.value)


# ------------------------------------------------------------------------- the game's own options


def other_value(name, field):
    """A value an option may have and is not printed with."""
    printed = field.default
    if isinstance(printed, bool):
        return not printed
    if isinstance(printed, str):
        return next(word for word in field.annotation.__args__ if word != printed)
    return printed - 1 if printed > 1 else printed + 1


FIELDS = {
    name: field
    for name, field in GAME.options.model_fields.items()
    if not hasattr(field.annotation, "model_fields")
}


@pytest.mark.parametrize("name", FIELDS)
def test_every_option_reaches_the_rules(name):
    """Each changes the record the rules read, and nothing else in it."""
    value = other_value(name, FIELDS[name])
    board = GAME.board(settings={name: value})
    assert getattr(board.options, name) == value
    assert board.digest != GAME.board().digest
    printed, changed = GAME.board().record[0], board.record[0]
    different = [
        field for field in printed.dtype.names if printed[field].tolist() != changed[field].tolist()
    ]
    assert len(different) == 1


@pytest.mark.parametrize("players", GAME.players)
def test_starting_money_of_each_player_count(players):
    printed = GAME.board().options.starting_money.model_dump(by_alias=True)
    position = GAME.new(players, starting_money=35)
    assert position.scores == [35] * players
    board = GAME.board(settings={f"starting_money.{players}": 35})
    for other in GAME.players:
        assert board.new(other).scores == [35 if other == players else printed[str(other)]] * other


def test_options_of_a_board_file_hold_before_settings():
    document = tomllib.loads(GAME.folder.joinpath("boards/reconstructed_map.toml").read_text())
    document["options"]["upgrade_cost"] = 3
    document["options"]["starting_money"]["4"] = 50
    board = GAME.board_from(document, "own", {"upgrade_cost": 7})
    assert board.options.upgrade_cost == 7
    assert board.new(4).scores == [50] * 4


def test_options_that_do_not_fit_together():
    with pytest.raises(Mistake) as mistake:
        GAME.board(settings={"demands_face_up": 5})
    text = str(mistake.value)
    assert text.startswith("--set: demands_face_up = 5 ")
    assert "demand_spaces" in text
    assert "4" in text


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {"upgrade_cst": 3},
            "Options: there is no option 'upgrade_cst'; the nearest is 'upgrade_cost'",
        ),
        ({"upgrade_cost": "cheap"}, "Options: upgrade_cost = 'cheap' is not possible"),
        ({"starting_money.6": 9}, "Options: starting_money has no entry '6'"),
        ({"starting_money": -1}, "Options: starting_money.3 = -1 is not possible"),
        ({"lease_tie": "cheapst"}, "the nearest is 'cheapest'"),
    ],
)
def test_wrong_setting_of_the_game(settings, said):
    with pytest.raises(Mistake) as mistake:
        GAME.new(**settings)
    assert said in str(mistake.value)
