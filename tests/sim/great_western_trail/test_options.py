"""Options: each reaches the record, has its basis, and tells what it cannot be."""

import pytest

from sim.errors import Mistake
from sim.great_western_trail import board as reader
from sim.great_western_trail.options import GreatWesternTrailOptions
from sim.great_western_trail.state import BY_MONEY
from sim.options import validate, with_settings
from tests.sim.great_western_trail.test_board import a_board

MODEL = GreatWesternTrailOptions
FILE = reader.read(a_board(), "first_edition.toml")
PRINTED = {"rails_to_the_north": True}  # so that each option shows

# Values that are not the other one of two, or the next number.
OTHER = {"building_sides": "b"}

# The fields that an option changes, where they are not the one of its name.
ELSEWHERE = {
    "building_sides": {"side_of"},
    "neutral_buildings": {"neutral_random"},
    "extraordinary_counts_end_turnout": {"end_turnout_counts"},
    "extraordinary_kansas_city_pays": {"extraordinary_pays"},
    "chicago_detroit": {"pair_points", "pair_icon", "pair_gift"},
    "copied_risk_action": {"copied_risk"},
    "something_in_phase_b": {"phase_b_required"},
    "first_placement_on_private": {"first_on_private"},
    "teepee_order": {"trade_money"},
    # All that the extension board and the player boards' add-on bring.
    "rails_to_the_north": {
        *("n_numbers", "side_of", "craftsmen", "building_points", "building_icon"),
        *("auxiliary", "open_from_start", "disc_copies", "disc_cost"),
        *("n_stations", "station_cost", "station_points", "station_black", "station_has_master"),
        *("n_masters", "master_icon", "master_permanent", "master_task", "master_points"),
        *("masters_in_city", "n_cities", "city_value", "city_black", "city_repeats"),
        *("city_points", "city_bell_points", "city_icon", "city_gift", "city_town"),
        *("san_francisco", "n_pairs", "pair", "pair_points", "pair_icon"),
        *("n_towns", "beside", "town_cities", "town_office", "town_area", "town_type"),
        *("town_station", "town_money", "town_icon", "medium_icon", "medium_copies"),
        *("bell_token", "start_tokens"),
    },
}


def record(settings):
    """The record of the shipped board with settings."""
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
    if key in OTHER:
        return OTHER[key]
    if isinstance(now, bool):
        return not now
    if isinstance(now, str):
        words = MODEL.model_fields[name].annotation.__args__
        return next(word for word in words if word != now)
    return now - 1 if now > 1 else now + 1


@pytest.mark.parametrize("key", list(single_options()))
def test_every_option_reaches_the_rules(key):
    """Each changes the record the rules read, and nothing else in it."""
    printed, changed = record({}), record({key: other_value(key)})
    different = {
        field for field in printed.dtype.names if printed[field].tolist() != changed[field].tolist()
    }
    name = key.partition(".")[0]
    assert different == ELSEWHERE.get(name, {name})


def test_tables_are_read_by_their_entries():
    changed = record({"starting_money": 5, "starting_money.3": 11, "market_size.2": 9})
    assert changed.starting_money.tolist() == [5, 5, 11, 5]
    assert changed.market_size.tolist() == [0, 0, 9, 10, 13]
    assert record({"workers_at_start.4": 9}).workers_at_start.tolist() == [0, 0, 3, 5, 9]
    assert record({"starting_money": {4: 12}}).starting_money.tolist() == [6, 7, 8, 12]
    assert record({"tie": "money"}).tie == BY_MONEY


def test_money_by_seat_is_not_by_players():
    assert MODEL.players_of("starting_money.4") is None
    assert MODEL.players_of("market_size.4") == 4


def test_sides_of_the_private_buildings():
    assert record({}).side_of.tolist() == [0] * 12
    assert record({"building_sides": "b"}).side_of.tolist() == [1] * 12
    assert record({"building_sides": "random"}).side_of.tolist() == [-1] * 12
    mixed = record({"building_sides": "abbaabbaabba"}).side_of.tolist()
    assert mixed == [0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0]
    base = {"rails_to_the_north": False}
    assert record(base | {"building_sides": "b"}).side_of.tolist() == [1] * 10 + [-1] * 2
    assert record(base | {"building_sides": "abbaabbaab"}).side_of.tolist()[8:] == [0, 1, -1, -1]


def test_no_tokens_without_the_expansion():
    assert record({"rails_to_the_north": False, "start_tokens": 3}).start_tokens == 0


def test_rules_file_tells_the_basis_of_every_option():
    basis = reader.shared_rules()["options"]
    assert set(basis) == set(MODEL.model_fields)
    assert all(text.startswith(("rulebook", "sourced: ", "assumption")) for text in basis.values())


def test_every_option_is_described():
    for name, field in MODEL.model_fields.items():
        assert field.description, name


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"card_in_hand": 3}, "there is no option 'card_in_hand'; the nearest is 'cards_in_hand'"),
        ({"starting_money.5": 9}, "starting_money has no entry '5'; choose from 1, 2, 3, 4"),
        ({"starting_money": -1}, "starting_money = -1 is not possible: it should be at least 0"),
        ({"market_size.5": 9}, "market_size has no entry '5'; choose from 2, 3, 4"),
        ({"market_size.4": 49}, "market_size.4 = 49 is not possible: it should be at most 48"),
        ({"market_size.4": 37}, "market_size.4 = 37 is more than the 36 cattle cards of 'First"),
        ({"workers_at_start.2": 12}, "workers_at_start.2 = 12 is not possible"),
        ({"money_per_point": 0}, "money_per_point = 0 is not possible: it should be at least 1"),
        ({"tie": "monney"}, "it should be 'shared' or 'money'; the nearest is 'money'."),
        ({"neutral_buildings": "letters"}, "neutral_buildings = 'letters' is not possible"),
        (
            {"building_sides": "c"},
            "building_sides: 'c' should be a, b, random, or a letter a or b for each number.",
        ),
        ({"building_sides": "a" * 13}, "building_sides: 'aaaaaaaaaaaaa' should be a, b, random"),
        ({"building_sides": 1}, "building_sides = 1 is not possible: it should be a text"),
        ({"left_disc_first": 1}, "left_disc_first = 1 is not possible: it should be true or false"),
    ],
)
def test_wrong_setting(settings, said):
    with pytest.raises(Mistake) as mistake:
        record(settings)
    assert said in str(mistake.value)
