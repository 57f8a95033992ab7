"""Options: each reaches the record, has its basis, and tells what it cannot be."""

import pytest

from sim.errors import Mistake
from sim.options import validate, with_settings
from sim.railways_of_the_world import board as reader
from sim.railways_of_the_world.options import RailwaysOfTheWorldOptions
from tests.sim.railways_of_the_world.test_board import a_board

MODEL = RailwaysOfTheWorldOptions
FILE = reader.read(a_board(), "square.toml")
# All that is an option's own business is on, so that each of them shows.
PRINTED = {"service_bounties": 1, "city_rotors": True, "fuel_depots": True}

# The fields that an option changes, where they are not the one of its name.
ELSEWHERE = {
    "open_cost": {"tile_cost"},
    "water_cost": {"tile_cost"},
    "mountain_cost": {"tile_cost"},
    "new_industry_cubes": {"card_amount"},
    "first_to_pass_all_pass": {"last_to_pass_is_first"},
    "rules_2005": {"crossover_cost"},
    "western_link": {
        "n_western",
        "western_city",
        "western_cost",
        "western_cubes",
        "western_destination",
        "western_added",
        "baron_copies",
    },
    "city_rotors": {"city_dial", "card_copies"},
    "fuel_depots": {"fuel_depots", "card_copies"},
    "depot_rules": {"depots_2010"},
    "depot_example_1": {"stopped_cube_removed"},
    "tracks_may_share_hex_without_crossing": {"tracks_need_not_cross"},
    "optional_cards": {"card_copies"},
}


def record(settings):
    """The record of the square with settings."""
    values = with_settings(MODEL, MODEL(**PRINTED).model_dump(by_alias=True), settings)
    return reader.fill(FILE, validate(MODEL, values, "--set"))[0]


def single_options():
    """Names of options, an entry of a table by its dotted name."""
    for name, field in MODEL.model_fields.items():
        entries = getattr(field.annotation, "model_fields", None)
        if entries is None:
            yield name
        else:
            yield from (f"{name}.{entry.alias or key}" for key, entry in entries.items())


def other_value(key):
    """A value the option may have and does not have in `PRINTED`."""
    name, _, entry = key.partition(".")
    now = MODEL(**PRINTED).model_dump(by_alias=True)[name]
    now = now[entry] if entry else now
    if isinstance(now, bool):
        return not now
    if isinstance(now, str):
        words = MODEL.model_fields[name].annotation.__args__
        return next(word for word in words if word != now)
    return now - 1 if now > 0 else now + 1


@pytest.mark.parametrize("key", list(single_options()))
def test_every_option_reaches_the_rules(key):
    """Each changes the record the rules read, and nothing else in it."""
    printed, changed = record({}), record({key: other_value(key)})
    different = {
        field for field in printed.dtype.names if printed[field].tolist() != changed[field].tolist()
    }
    name = key.partition(".")[0]
    assert different == ELSEWHERE.get(name, {name})


def test_a_table_is_read_by_its_entries():
    changed = record({"starting_money": 20, "starting_money.4": 7, "engine_price.8": 35})
    assert changed.starting_money.tolist() == [0, 0, 20, 20, 7, 20, 20]
    assert changed.engine_price.tolist() == [0, 0, 5, 10, 10, 15, 15, 20, 35]
    assert record({"new_city_tiles.red": 2}).new_city_tiles.tolist() == [2, 3, 3, 3, 3]


def test_rules_of_2005_add_to_the_price_of_a_crossover():
    assert record({"rules_2005": True}).crossover_cost == 2
    assert record({"rules_2005": True, "crossover_cost": 3}).crossover_cost == 5


def test_rules_file_tells_the_basis_of_every_option():
    basis = reader.shared_rules()["options"]
    assert set(basis) == set(MODEL.model_fields)
    assert all(text.startswith(("rulebook", "sourced: ", "assumption")) for text in basis.values())
    for table in ("income", "dial"):
        assert reader.shared_rules()[table]["basis"]


def test_every_option_is_described():
    for name, field in MODEL.model_fields.items():
        assert field.description, name


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"open_costs": 3}, "there is no option 'open_costs'; the nearest is 'open_cost'"),
        ({"open_cost": "cheap"}, "open_cost = 'cheap' is not possible"),
        ({"starting_money.7": 9}, "starting_money has no entry '7'; "),
        ({"starting_money": -1}, "starting_money = -1 is not possible"),
        ({"new_city_tiles.gray": 1}, "new_city_tiles has no entry 'gray'"),
        ({"engine_price.1": 1}, "engine_price has no entry '1'"),
        ({"auction": "standart"}, "the nearest is 'standard'"),
        ({"auction": "dutch"}, "it should be 'standard', 'new_players' or 'first_to_pass'."),
        ({"starting_money": {7: 9}}, "there is no key 'starting_money.7'; choose from 2, 3, 4"),
        ({"depot_rules": 2011}, "depot_rules = 2011 is not possible: it should be 'current' or"),
        ({"max_bid": 201}, "max_bid = 201 is not possible: it should be at most 200"),
        ({"cubes_per_colour": 26}, "cubes_per_colour = 26 is not possible"),
        ({"empty_city_markers": 21}, "empty_city_markers = 21 is not possible"),
        (
            {"bond_dividend": 6},
            "--set: bond_dividend = 6 should be at most bond_cash, 5.",
        ),
    ],
)
def test_wrong_setting(settings, said):
    with pytest.raises(Mistake) as mistake:
        record(settings)
    assert said in str(mistake.value)


def test_the_year_of_the_depot_rules_may_be_a_number():
    """As a command line and a plan read it."""
    for year in (2010, "2010"):
        options = validate(RailwaysOfTheWorldOptions, {"depot_rules": year}, "--set")
        assert options.depot_rules == "2010"


def test_tables_by_number_may_have_numbers_for_keys():
    for name in ("starting_money", "empty_city_markers", "goods_reduction", "engine_price"):
        assert record({name: {4: 9}})[name][4] == 9
