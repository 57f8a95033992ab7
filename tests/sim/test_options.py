"""Options: read from text, from TOML, and from settings with dotted keys."""

import tomllib
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field

import sim
from sim.errors import Mistake, nearest
from sim.options import ByPlayers, BySeat, Options, read_toml, validate, whole, with_settings

GAME = sim.load("westward-rails")


class Money(ByPlayers):
    """Money by number of players."""

    three: int = whole(40, 0, 99, "with 3", alias="3")
    four: int = whole(30, 0, 99, "with 4", alias="4")


class Purse(BySeat):
    """Money by seat."""

    first: int = whole(6, 0, 99, "of the first", alias="1")
    second: int = whole(7, 0, 99, "of the second", alias="2")


class Some(Options):
    """A few options of each kind."""

    money: Money = Field(Money(), json_schema_extra={"unit": "$k"})
    cubes: Annotated[int, Field(strict=True, ge=1, le=60)] = 20
    tie: Literal["player", "cheapest"] = "player"
    closes: Annotated[bool, Field(strict=True)] = False


PRINTED = Some().model_dump(by_alias=True)


def test_nearest():
    assert nearest("cubs", ["cubes", "tie"]) == "; the nearest is 'cubes'"
    assert nearest("x", ["tie", "cubes"]) == "; choose from cubes, tie"
    assert nearest("x", []) == ""
    assert nearest("YORK", ["dallas", "New York"]) == "; the nearest is 'New York'"
    many = [f"{number:02}" for number in range(40)]
    assert nearest("9x", many) == "; the nearest of 40 are '39', '29' and '19'"


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
        ({"cubes": 0}, "here: cubes = 0 is not possible: it should be at least 1."),
        ({"cubes": 61}, "here: cubes = 61 is not possible: it should be at most 60."),
        ({"cubes": "12"}, "here: cubes = '12' is not possible: it should be a whole number."),
        ({"cubes": 12.0}, "here: cubes = 12.0 is not possible: it should be a whole number."),
        ({"cubes": True}, "here: cubes = True is not possible: it should be a whole number."),
        ({"closes": 1}, "here: closes = 1 is not possible: it should be true or false."),
        (
            {"tie": "cheepest"},
            "here: tie = 'cheepest' is not possible: it should be 'player' or 'cheapest'"
            "; the nearest is 'cheapest'",
        ),
        ({"tie": "x"}, "here: tie = 'x' is not possible: it should be 'player' or 'cheapest'."),
        ({"tie": 3}, "here: tie = 3 is not possible: it should be 'player' or 'cheapest'."),
        ({"money": {"6": 1}}, "here: there is no key 'money.6'"),
        ({"money": {"3": "x"}}, "here: money.3 = 'x' is not possible: it should be a whole number"),
        (
            {"money": {"3": "x", "4": "x"}},
            "here: money = 'x' is not possible: it should be a whole",
        ),
        (
            {"money": {"3": -1, "4": "x"}},
            "here: money.3 = -1 is not possible: it should be at least",
        ),
        ({"money": 3}, "here: money = 3 is not possible: it should be a table."),
        ({"cub": 1}, "here: there is no key 'cub'; the nearest is 'cubes'"),
        ({"tie": "x" * 100}, "here: tie = 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx... is not"),
    ],
)
def test_wrong_value(values, said):
    with pytest.raises(Mistake) as mistake:
        validate(Some, values, "here")
    assert said in str(mistake.value)
    assert "\n" not in str(mistake.value)


def test_entries_by_players_may_have_numbers_for_keys():
    for settings in ({"money": {4: 12}}, {"money": {4: 9}, "money.4": 12}):
        options = validate(Some, with_settings(Some, PRINTED, settings), "here")
        assert options.money.model_dump(by_alias=True) == {"3": 40, "4": 12}
    with pytest.raises(Mistake, match="there is no key 'money.6'; choose from 3, 4"):
        validate(Some, with_settings(Some, PRINTED, {"money": {6: 12}}), "here")


class Entry(BaseModel):
    """A piece of a board file."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
    code: Annotated[str, Field(pattern=r"^x+$")] = "x"
    colour: Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")] = "#000000"
    ends: Annotated[list[int], Field(min_length=2, max_length=2)] = [1, 2]
    place: float = Field(0.0, allow_inf_nan=False)
    name: Annotated[str, Field(min_length=1)] = "A"
    more: dict = {}


@pytest.mark.parametrize(
    ("values", "should_be"),
    [
        ({"id": "Great Falls"}, "id = 'Great Falls' .* made of small letters, digits and _"),
        ({"code": "y"}, "code = 'y' .* of the form ^x+$"),
        ({"colour": "red"}, "colour = 'red' .* a colour such as '#1f6fa8'"),
        ({"ends": [1]}, "ends = [1] .* a list of 2 or more items"),
        ({"ends": [1, 2, 3]}, "ends = [1, 2, 3] .* a list of at most 2 items"),
        ({"ends": 1}, "ends = 1 .* a list"),
        ({"ends": [1, 2.5]}, "ends.1 = 2.5 .* a whole number"),
        ({"place": "west"}, "place = 'west' .* a number"),
        ({"place": float("nan")}, "place = nan .* a finite number"),
        ({"name": ""}, "name = '' .* a text of 1 or more letters"),
        ({"name": 3}, "name = 3 .* a text"),
        ({"more": 3}, "more = 3 .* a table"),
    ],
)
def test_what_a_value_should_be_is_told_in_plain_words(values, should_be):
    with pytest.raises(Mistake) as mistake:
        validate(Entry, {"id": "a"} | values, "here")
    told = should_be.replace(".*", "is not possible: it should be")
    assert str(mistake.value) == f"here: {told}."


def test_units_and_tables_by_players():
    assert [Some.unit_of(name) for name in ("money", "cubes", "nothing")] == ["$k", "", ""]
    assert whole(3, 1, 9, "price", "$").json_schema_extra == {"unit": "$"}
    assert [Some.players_of(key) for key in ("money.4", "money.9")] == [4, 9]
    assert {Some.players_of(key) for key in ("money", "cubes.4", "tie", "nothing.4")} == {None}
    assert Some().batch_fault() is None


def test_options_by_seat():
    class Seated(Some):
        purse: Purse = Purse()

    assert [Seated.is_by_seat(name) for name in ("purse", "money", "tie", "nothing")] == [
        *(True, False, False, False)
    ]
    assert Seated.players_of("purse.2") is None


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
        ({"starting_money": -1}, "Options: starting_money = -1 is not possible"),
        ({"lease_tie": "cheapst"}, "the nearest is 'cheapest'"),
    ],
)
def test_wrong_setting_of_the_game(settings, said):
    with pytest.raises(Mistake) as mistake:
        GAME.new(**settings)
    assert said in str(mistake.value)
