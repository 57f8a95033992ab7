"""Board files: every rule of a valid board, the record, the facts of the shipped board."""

import copy
import functools
import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from sim.errors import Mistake
from sim.great_western_trail import board as reader
from sim.great_western_trail.options import GreatWesternTrailOptions
from sim.great_western_trail.state import (
    ANY_CATTLE,
    ANY_PAIR,
    BACK,
    BIG,
    BLACK_HAND,
    BLUE_TEEPEE,
    CLEAR,
    COWBOY,
    CRAFTSMAN,
    DISC_BRANCHLET,
    DISC_CERTIFICATE,
    DISC_DRAW,
    DISC_HAND,
    DISC_LIMIT_6,
    DISCS,
    DRAW,
    EITHER,
    ENGINEER,
    FIRST_WORKER,
    FORWARD,
    GAIN,
    GIVE,
    GOAL,
    GREEN_HAND,
    GREEN_TEEPEE,
    HAZARD_KINDS,
    HIRE,
    ICON_KINDS,
    LAST_NUMBER,
    MASTER_TASKS,
    MAX_ICONS,
    MEDIUM,
    NEED_CODES,
    OBJECTIVE_CARD,
    PER_BELL,
    PER_COWBOY,
    PER_ENGINEER,
    PER_PAIR,
    PER_WOODS,
    PRIVATE,
    STATION_TOWN,
    VALUE_2,
)
from sim.options import validate, with_settings

BOARDS = Path(reader.__file__).parent / "boards"
NORTH = {"rails_to_the_north": True}


@functools.cache
def _shipped():
    return tomllib.loads((BOARDS / "first_edition.toml").read_text(encoding="utf-8"))


def a_board():
    """The shipped document, to be changed."""
    return copy.deepcopy(_shipped())


def filled(document, settings=None):
    """The record of a board file with its options and settings."""
    file = reader.read(document, "own.toml")
    printed = validate(GreatWesternTrailOptions, file.options, "own.toml: options")
    values = with_settings(
        GreatWesternTrailOptions, printed.model_dump(by_alias=True), settings or {}
    )
    return reader.fill(file, validate(GreatWesternTrailOptions, values, "--set"))[0]


def said(document, settings=None):
    """What is said of a board that is not valid."""
    with pytest.raises(Mistake) as mistake:
        filled(document, settings)
    text = str(mistake.value)
    assert text.endswith(".")
    assert "\n" not in text
    return text


def members(bits):
    return {number for number in range(64) if int(bits) >> number & 1}


DOCUMENT = a_board()
FILE = reader.read(DOCUMENT, "first_edition.toml")
BASE, EXTENDED = filled(DOCUMENT), filled(DOCUMENT, NORTH)
SPACE = {space.name: number for number, space in enumerate(FILE.spaces)}
ICON = {icon.name: number for number, icon in enumerate(FILE.icons)}


# The shipped board: sums and counts.


def test_reading_changes_nothing():
    assert a_board() == DOCUMENT
    assert (FILE.meta.game, FILE.meta.name) == ("great-western-trail", "First edition")
    assert "transcriptions" in FILE.meta.label


def test_every_entry_has_a_basis_and_every_source_is_used():
    used = set()
    for key, value in DOCUMENT.items():
        if key in ("sources", "options"):
            continue
        for entry in value if isinstance(value, list) else [value]:
            assert entry["basis"], (key, entry)
            used |= {source for source in FILE.sources if f"sourced:{source}" in entry["basis"]}
    assert used == set(FILE.sources)


def test_spaces_of_the_trail():
    kinds = Counter(space.kind for space in FILE.spaces)
    assert kinds == {
        "start": 1,
        "neutral": 7,
        "private": 22,
        "hazard": 12,
        "teepee": 6,
        "goal": 1,
    }
    assert sum(space.woods for space in FILE.spaces) == 8
    assert sum(space.risk is not None for space in FILE.spaces) == 7
    assert reader.elements(FILE)[:6] == ["Start", "A", "A1", "A2", "A3", "Flood 1"]
    assert reader.elements(FILE)[9] == "Flood risk 1"
    assert reader.elements(FILE)[21] == "C11"
    assert reader.elements(FILE)[30] == "Teepee 10"
    assert reader.elements(FILE)[-1] == "Kansas City"
    assert len(set(reader.elements(FILE))) == len(FILE.spaces)


def test_routes_of_the_trail():
    """96 routes; 6 or 7 neutral buildings on each."""
    routes = [["start"]]
    done = []
    ways = {space.name: space.next for space in FILE.spaces}
    while routes:
        route = routes.pop()
        routes += [[*route, name] for name in ways[route[-1]]]
        if route[-1] == "kansas_city":
            done.append(route)
    neutral = {space.name for space in FILE.spaces if space.kind == "neutral"}
    assert len(done) == 96
    assert {len(neutral & set(route)) for route in done} == {6, 7}


def test_tiles_add_up_to_the_component_list():
    workers = [sum(kind) for kind in zip(*(pile.workers for pile in FILE.piles), strict=True)]
    assert workers == [18, 18, 18]
    assert 3 * sum(hazard.copies for hazard in FILE.hazards) == 18
    assert sum(pile.green_teepees for pile in FILE.piles) == 11
    assert sum(pile.blue_teepees for pile in FILE.piles) == 11
    assert BASE.pile_tiles.sum(axis=1).tolist() == [35, 33, 26]
    assert BASE.pile_tiles.sum() == 54 + 18 + 22
    for players in (2, 3, 4):
        assert 12 * players - BASE.workers_at_start[players] == 10 * players + 1


def test_buildings_of_the_box():
    assert len(FILE.neutral_buildings) == 7
    assert len(FILE.buildings) == 20
    assert [tile.name for tile in FILE.buildings_north] == ["11a", "11b", "12a", "12b"]


def test_cards_of_the_box():
    assert BASE.start_cards.sum() == 14
    assert BASE.market_cards.sum() == 36
    assert (BASE.market_cards * BASE.cattle_points).sum() == 7 * (1 + 2 + 3) + 36 + 36
    assert (BASE.objective_copies.sum(), BASE.starting_copies.sum()) == (24, 4)
    by_icon = Counter()
    for card in FILE.objectives:
        by_icon[card.icon] += card.copies
    assert by_icon == {
        "2 dollars": 5,
        "draw 3": 5,
        "engine 2": 3,
        "engine 3": 2,
        "ride 3": 5,
        "auxiliary": 4,
    }
    for card in FILE.objective_kinds:
        assert card.name.split()[1] == "-".join(need.lower() for need in card.needs)


def test_discs_of_a_player():
    assert BASE.disc_copies.sum() == 14
    assert (BASE.disc_copies * BASE.disc_black).sum() == 5
    assert EXTENDED.disc_copies.sum() == 15


@pytest.mark.parametrize("record", [BASE, EXTENDED], ids=["base", "extended"])
def test_transport_never_costs_more_than_the_city_is_worth(record):
    crosses = (3, 4, 5, 7, 9, 10, 11, 13, 15, 16, 17)
    for value in record.city_value[: record.n_cities]:
        before = record.crosses_before[value]
        assert before == sum(cross < value for cross in crosses)
        assert before < value or value == 0


def test_towns_of_the_extension_board():
    types = Counter(town.type for town in FILE.towns)
    assert types == {"small": 12, "medium": 6, "station": 2, "big": 8}
    areas = Counter(town.area for town in FILE.towns)
    assert areas == {"green": 5, "purple": 2, "blue": 5, "red": 12, "teal": 2, "violet": 2}
    assert sum(tile.copies for tile in FILE.medium_tiles) == 10


def reached(record, towns):
    """Towns a player can go on to build in, one after the other, from some."""
    found = set(towns)
    while True:
        more = {other for town in found for other in members(record.beside[town])} - found
        if not more:
            return found
        found |= more


def test_towns_within_reach():
    """Of the office alone, and of a disc on each city."""
    names = [city.name for city in FILE.strip(north=True)]
    towns = range(EXTENDED.n_towns)
    office = [town for town in towns if EXTENDED.town_office[town]]
    assert {FILE.towns[town].name for town in reached(EXTENDED, office)} == {
        "40",
        "42",
        "43",
        "44",
        "Memphis",
    }
    counts = {
        name: len(reached(EXTENDED, [t for t in towns if EXTENDED.town_cities[t] >> city & 1]))
        for city, name in enumerate(names)
    }
    assert {name: count for name, count in counts.items() if count} == {
        "Columbia": 5,
        "St. Louis": 7,
        "Chicago": 17,
        "Detroit": 2,
        "Cleveland": 12,
        "Pittsburgh": 2,
    }


# The record.


def test_trail_in_the_record():
    assert BASE.n_spaces == 49
    assert BASE.space_kind[SPACE["flood_risk1"]] == PRIVATE
    assert BASE.space_kind[48] == GOAL
    assert BASE.next[SPACE["start"]].tolist() == [SPACE["a"], -1]
    assert BASE.next[SPACE["c2"]].tolist() == [SPACE["d"], SPACE["teepee1"]]
    assert BASE.next[SPACE["g2"]].tolist() == [48, -1]
    assert BASE.next[48:].tolist() == [[-1, -1]] * 16
    forks = ["a", "b", "c", "c2", "e", "f", "g"]
    assert [BASE.fork[SPACE[name]] for name in forks] == list(range(7))
    assert (BASE.fork >= 0).sum() == 7
    for number in range(48):
        assert all(other > number for other in BASE.next[number] if other >= 0)
    assert [name for name in SPACE if BASE.woods[SPACE[name]]] == [
        "flood_risk2",
        "b1",
        "c11",
        "c12",
        "e1",
        "e2",
        "rockfall_risk2",
        "f2",
    ]
    jersey, any_card = ICON["jersey for certificate and 2"], ICON["cattle for certificate"]
    assert {name: BASE.risk[SPACE[name]] for name in SPACE if BASE.risk[SPACE[name]] >= 0} == {
        "flood_risk1": jersey,
        "flood_risk2": jersey,
        "drought_risk1": any_card,
        "teepee_risk1": any_card,
        "teepee_risk2": jersey,
        "rockfall_risk1": any_card,
        "rockfall_risk2": jersey,
    }
    for number, name in enumerate(("flood", "drought", "rockfall")):
        slots = [SPACE[f"{name}{slot}"] for slot in (1, 2, 3, 4)]
        assert BASE.hazard_space[number].tolist() == slots
    assert BASE.neutral_space.tolist() == [SPACE[letter] for letter in "abcdefg"]


def test_trade_section_in_the_record():
    assert BASE.trade_money.tolist() == [-3, -2, -1, 1, 2, 4, 6, 8, 10]
    assert BASE.trade_of[SPACE["teepee1"]] == 3
    assert BASE.trade_of[SPACE["teepee10"]] == 8
    assert (BASE.trade_of >= 0).sum() == 6
    other = filled(a_board(), {"teepee_order": "minus_one_first"})
    assert other.trade_money.tolist() == [-1, -3, -2, 1, 2, 4, 6, 8, 10]
    assert (other.trade_of == BASE.trade_of).all()


def test_tolls_and_steps_in_the_record():
    assert BASE.toll[2:].tolist() == [[0, 2, 2, 4], [0, 2, 1, 3], [0, 1, 2, 3]]
    assert BASE.steps[2:].tolist() == [[3, 4, 5], [3, 5, 6], [4, 6, 7]]


def test_tiles_in_the_record():
    green, black = GREEN_HAND, BLACK_HAND
    for first in (0, HAZARD_KINDS, 2 * HAZARD_KINDS):
        kinds = slice(first, first + HAZARD_KINDS)
        assert BASE.tile_hand[kinds].tolist() == [green, green, green, black, black]
        assert BASE.tile_points[kinds].tolist() == [2, 3, 4, 2, 3]
        assert BASE.pile_tiles[0, kinds].tolist() == [1, 1, 2, 1, 1]
    assert BASE.tile_hand[GREEN_TEEPEE:].tolist() == [green, black, 0, 0, 0]
    assert BASE.pile_tiles[:, GREEN_TEEPEE].tolist() == [9, 0, 2]
    assert BASE.pile_tiles[:, BLUE_TEEPEE].tolist() == [8, 0, 3]
    assert BASE.pile_tiles[:, FIRST_WORKER:].tolist() == [[0] * 3, [11] * 3, [7] * 3]


def number_of(name):
    """The number of a building tile in the record."""
    return "abcdefg".index(name) if name in "abcdefg" else 5 + 2 * int(name[:-1]) + (name[-1] > "a")


def icons_of(record, name):
    """Names of the icons on a building tile."""
    return [FILE.icons[icon].name for icon in record.building_icon[number_of(name)] if icon >= 0]


def test_buildings_in_the_record():
    assert icons_of(BASE, "a") == ["guernsey for 2", "hire", "hire +2"]
    assert icons_of(BASE, "g") == ["engine", "auxiliary"]
    assert icons_of(BASE, "1a") == ["2 dollars per woods"]
    assert icons_of(BASE, "10b") == ["4 dollars", "engine 4", "move 4"]
    assert icons_of(BASE, "11a") == []
    assert icons_of(EXTENDED, "11a") == ["hazard 2"]
    assert icons_of(EXTENDED, "12b") == ["1 dollar per craftsman", "branchlet"]
    for name, craftsmen, points, hand in (
        ("1a", 1, 1, 1),
        ("4b", 2, 3, 2),
        ("7b", 5, 6, 3),
        ("9a", 7, 9, 0),
        ("9b", 6, 8, 0),
        ("10a", 9, 13, 2),
    ):
        number = number_of(name)
        assert BASE.craftsmen[number] == craftsmen
        assert BASE.building_points[number] == points
        assert BASE.building_hand[number] == hand
    assert (BASE.n_numbers, EXTENDED.n_numbers) == (10, 12)
    assert (EXTENDED.craftsmen[number_of("11a")], BASE.craftsmen[number_of("11a")]) == (12, 0)


def shown(name):
    """An icon in the record: kind, amount, counts, money, certificates, card."""
    number = ICON[name]
    return tuple(
        int(BASE[field][number])
        for field in (
            "icon_kind",
            "icon_amount",
            "icon_counts",
            "icon_money",
            "icon_certificates",
            "icon_card",
        )
    )


def test_icons_in_the_record():
    assert len(ICON) == 88 <= MAX_ICONS
    guernsey = [cattle.name for cattle in FILE.cattle].index("guernsey")
    assert shown("guernsey for 2") == (GIVE, 1, 0, 2, 0, guernsey)
    assert shown("pair for 4") == (GIVE, 1, 0, 4, 0, ANY_PAIR)
    assert shown("cattle for 3 and objective") == (GIVE, 1, 0, 3, 0, ANY_CATTLE)
    assert shown("objective for 2 certificates") == (GIVE, 1, 0, 0, 2, OBJECTIVE_CARD)
    assert shown("2 cards for 2 branchlets") == (GIVE, 2, 0, 0, 0, VALUE_2)
    assert shown("hire -1") == (HIRE, -1, 0, 0, 0, -1)
    assert shown("engine") == (FORWARD, 1, PER_ENGINEER, 0, 0, -1)
    assert shown("engine per woods") == (FORWARD, 1, PER_WOODS, 0, 0, -1)
    assert shown("engine 2 for 2") == (FORWARD, 2, 0, -2, 0, -1)
    assert shown("back 2 for 2 certificates") == (BACK, 2, 0, -2, 2, -1)
    assert shown("back 1 for 3") == (BACK, 1, 0, 3, 0, -1)
    assert shown("draw per cowboy") == (DRAW, 1, PER_COWBOY, 0, 0, -1)
    assert shown("2 certificates and 2 dollars per pair") == (GAIN, 0, PER_PAIR, 2, 2, -1)
    assert shown("certificate and 1 dollar per bell") == (GAIN, 0, PER_BELL, 1, 1, -1)
    assert shown("certificates to limit") == (GAIN, 0, 0, 0, 9, -1)
    assert shown("hazard 7") == (CLEAR, 7, 0, 0, 0, -1)
    then = {"jersey for engine": "engine 1", "back 2 to remove 2": "remove 2"}
    for name, other in then.items():
        assert BASE.icon_then[ICON[name]] == ICON[other]
    assert BASE.icon_kind[ICON["trade or engine"]] == EITHER
    assert BASE.icon_other[ICON["trade or engine"]].tolist() == [
        ICON["trade"],
        ICON["engine 2 for 2"],
    ]
    assert (BASE.icon_then[len(ICON) :] == -1).all()
    assert {icon.kind for icon in FILE.icons} == set(ICON_KINDS)


def test_player_board_in_the_record():
    names = ["1 dollar", "draw 1", "back 1 for certificate", "engine 1 for 1", "back 1 to remove"]
    doubles = ["2 dollars", "draw 2", "back 2 for 2 certificates", "engine 2 for 2"]
    assert BASE.auxiliary[:5, 0].tolist() == [ICON[name] for name in names]
    assert BASE.auxiliary[:4, 1].tolist() == [ICON[name] for name in doubles]
    assert BASE.auxiliary[5].tolist() == [-1, -1]
    assert EXTENDED.auxiliary[5].tolist() == [
        ICON["card for branchlet"],
        ICON["2 cards for 2 branchlets"],
    ]
    assert BASE.open_from_start.tolist() == [1, 1, 0, 0, 0, 0]
    assert EXTENDED.open_from_start.tolist() == [1, 1, 0, 0, 0, 1]
    assert BASE.disc_copies[: len(DISCS)].tolist() == [1, 1, 2, 2, 2, 0, 1, 1, 1, 1, 2]
    assert (BASE.disc_copies[DISC_DRAW], BASE.disc_copies[DISC_CERTIFICATE]) == (1, 2)
    assert (BASE.disc_cost[DISC_HAND], EXTENDED.disc_cost[DISC_BRANCHLET]) == (5, 2)
    assert (BASE.disc_black[DISC_LIMIT_6], EXTENDED.disc_black[DISC_BRANCHLET]) == (1, 0)
    assert BASE.certificates.tolist() == [0, 1, 2, 3, 4, 6]
    assert BASE.worker_icon[COWBOY, 4] == ICON["free hazard"]
    assert BASE.worker_icon[CRAFTSMAN, 6] == ICON["build at 1"]
    assert BASE.worker_icon[ENGINEER, 2:].tolist() == [
        ICON[name]
        for name in (
            "jersey for certificate",
            "jersey for 2",
            "hire -2",
            "jersey for 2 certificates",
            "jersey for 4",
        )
    ]
    assert (BASE.worker_icon >= 0).sum() == 9


def test_cards_in_the_record():
    assert (BASE.n_types, BASE.n_cattle) == (9, 13)
    kinds = list(zip(BASE.cattle_type[:13], BASE.cattle_points[:13], strict=True))
    assert kinds == sorted(kinds)
    assert FILE.cattle_kinds[7:] == [
        ("west highland", 3),
        ("west highland", 4),
        ("west highland", 5),
        ("texas longhorn", 5),
        ("texas longhorn", 6),
        ("texas longhorn", 7),
    ]
    assert BASE.start_cards[:5].tolist() == [5, 3, 3, 3, 0]
    assert BASE.market_cards[:13].tolist() == [0, 0, 0, 0, 7, 7, 7, 3, 3, 3, 2, 2, 2]
    assert BASE.breeding[:9].tolist() == [1, 2, 2, 2, 3, 3, 3, 4, 5]
    assert BASE.n_buys == 8
    lines = [BASE[f"buy_{key}"][5] for key in ("breeding", "cowboys", "cost", "cards")]
    assert lines == [4, 5, 8, 2]
    assert BASE.n_objectives == 25
    first = {NEED_CODES[need]: count for need, count in enumerate(BASE.objective_need[0]) if count}
    assert first == {"3": 3, "B": 1}
    assert BASE.objective_need[20].tolist() == [0] * 8 + [1]
    assert BASE.objective_points[[0, 13, 24]].tolist() == [4, 5, 3]
    assert BASE.objective_penalty[[0, 13, 24]].tolist() == [2, 3, 0]
    assert BASE.objective_icon[[13, 20, 24]].tolist() == [ICON["engine 3"], ICON["auxiliary"], -1]
    assert BASE.objective_copies[19:26].tolist() == [1, 4, 0, 0, 0, 0, 0]
    assert BASE.starting_copies[20:26].tolist() == [0, 1, 1, 1, 1, 0]


def test_job_market_in_the_record():
    assert BASE.row_cost.tolist() == [6, 6, 7, 5, 7, 9, 6, 8, 10, 6, 5, 4]
    assert np.flatnonzero(BASE.row_refills).tolist() == [5, 8]


def test_railroad_in_the_record():
    turnouts = [4, 7, 10, 13, 16, 21, 25, 29, 33]
    assert np.flatnonzero(BASE.turnout >= 0).tolist() == turnouts
    assert BASE.turnout[turnouts].tolist() == list(range(40, 49))
    assert BASE.turnout_after[40:].tolist() == turnouts
    assert (BASE.turnout_after[:40] == -1).all()
    assert BASE.station_at[[4, 40, 48, LAST_NUMBER]].tolist() == [-1, 0, 8, 9]
    assert BASE.station_position.tolist() == [*range(40, 49), 39, -1, -1]
    assert BASE.crosses_before[[0, 3, 4, 16, 17, 18, 39]].tolist() == [0, 0, 1, 9, 10, 11, 11]
    assert BASE.crosses_before[40:45].tolist() == [2, 4, 6, 8, 10]
    assert (BASE.n_stations, EXTENDED.n_stations) == (10, 12)
    assert BASE.station_cost[[0, 4, 9]].tolist() == [2, 6, 3]
    assert BASE.station_black[:10].tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    assert BASE.station_has_master.sum() == 5
    assert EXTENDED.station_cost[10:].tolist() == [7, 15]
    assert EXTENDED.station_points[10:].tolist() == [6, 8]
    assert EXTENDED.station_has_master[10:].tolist() == [1, 1]


def test_station_masters_in_the_record():
    assert (BASE.n_masters, BASE.masters_in_city) == (5, 0)
    assert (EXTENDED.n_masters, EXTENDED.masters_in_city) == (11, 4)
    assert BASE.master_icon[:3].tolist() == [ICON["2 dollars"], ICON["hazard or trade"], -1]
    assert EXTENDED.master_permanent.tolist() == [0, 0, 1, 1, 1, 2, 0, 1, 0, 0, 0]
    tasks = [MASTER_TASKS[task] for task in EXTENDED.master_task]
    assert tasks[0] == "worker"
    assert tasks[5:] == ["none", "none", "two_stations", "building", "two_tokens", "area"]
    assert EXTENDED.master_points.tolist() == [1, 3, 3, 3, 3, 0, 0, 3, 2, 5, 2]


def test_cities_in_the_record():
    names = [city.name for city in FILE.cities]
    assert BASE.n_cities == 10
    assert (BASE.kansas_city, BASE.san_francisco) == (0, 9)
    assert BASE.city_money[:2].tolist() == [6, 0]
    assert BASE.city_points[:10].tolist() == [-6, 0, 0, 0, 0, 0, 0, 0, 6, 9]
    assert np.flatnonzero(BASE.city_repeats).tolist() == [0, 9]
    assert [names[city] for city in np.flatnonzero(BASE.city_black)] == [
        "Albuquerque",
        "El Paso",
        "Sacramento",
        "San Francisco",
    ]
    assert (BASE.city_icon == -1).all()
    assert (BASE.city_town == -1).all()
    assert BASE.n_pairs == 7
    assert BASE.pair[:7].tolist() == [[number, number + 1] for number in range(1, 8)]
    assert BASE.pair_points[:7].tolist() == [-3, -1, 0, 0, 6, 8, 4]
    objective = ICON["objective"]
    assert BASE.pair_icon[:7].tolist() == [objective, -1, objective, objective, -1, -1, -1]


def test_cities_of_the_extension_in_the_record():
    names = [city.name for city in FILE.strip(north=True)]
    assert EXTENDED.n_cities == 16
    assert (EXTENDED.kansas_city, EXTENDED.san_francisco) == (0, names.index("San Francisco"))
    assert (EXTENDED.city_money[0], EXTENDED.city_points[0]) == (6, -8)
    assert EXTENDED.city_bell_points[names.index("San Francisco")] == 2
    assert EXTENDED.city_points[names.index("San Francisco")] == 0
    memphis, milwaukee = names.index("Memphis"), names.index("Milwaukee")
    assert EXTENDED.city_gift[[memphis, milwaukee]].tolist() == [2, 3]
    assert EXTENDED.city_icon[memphis] == EXTENDED.city_icon[milwaukee] == ICON["objective"]
    assert EXTENDED.city_icon[names.index("New York City")] == ICON["station master"]
    assert np.flatnonzero(EXTENDED.city_repeats).tolist() == [0, names.index("San Francisco")]
    for city, name in enumerate(names):
        town = EXTENDED.city_town[city]
        assert town == -1 if city < 8 else FILE.towns[town].name == name
    assert EXTENDED.n_pairs == 4
    token = ICON["token"]
    assert EXTENDED.pair_icon[:4].tolist() == [token, token, ICON["objective"], -1]
    assert EXTENDED.pair_points[:4].tolist() == [-5, -5, 4, 6]
    other = filled(a_board(), NORTH | {"chicago_detroit": "objective_and_3"})
    assert other.pair_icon[:2].tolist() == [token, ICON["objective"]]
    assert other.pair_points[:2].tolist() == [-5, 0]
    assert other.pair_gift[:2].tolist() == [0, 3]


def test_towns_in_the_record():
    town = {entry.name: number for number, entry in enumerate(FILE.towns)}
    assert (BASE.n_towns, EXTENDED.n_towns) == (0, 28)
    assert members(EXTENDED.beside[town["47"]]) == {town["48"], town["49"], town["Denver"]}
    assert members(EXTENDED.beside[town["41"]]) == {town["50"], town["Green Bay"]}
    for one in range(28):
        for other in members(EXTENDED.beside[one]):
            assert one in members(EXTENDED.beside[other])
    assert members(EXTENDED.town_cities[town["Memphis"]]) == {1, 2}
    assert members(EXTENDED.town_cities[town["45"]]) == {2}
    assert np.flatnonzero(EXTENDED.town_office).tolist() == [town["42"]]
    types = [EXTENDED.town_type[town[name]] for name in ("43", "40", "Toronto", "51")]
    assert types == [MEDIUM, STATION_TOWN, BIG, 0]
    assert EXTENDED.town_station[[town["40"], town["41"]]].tolist() == [10, 11]
    assert (EXTENDED.town_station >= 0).sum() == 2
    assert EXTENDED.town_money[town["Denver"]].tolist() == [-1, -2, -2, -3]
    assert EXTENDED.town_money[town["45"]].tolist() == [2, 0, 0, 0]
    assert EXTENDED.town_icon[town["44"]].tolist() == [ICON["token"]] * 4
    assert EXTENDED.town_icon[town["58"]].tolist() == [ICON["objective"], -1, -1, -1]
    assert len(set(EXTENDED.town_area[:28])) == 6
    assert EXTENDED.medium_icon.tolist() == [
        ICON[name]
        for name in ("engine 3", "5 dollars or cattle", "remove 2", "hire -2", "build at 0")
    ]
    assert EXTENDED.medium_copies.tolist() == [2] * 5
    assert EXTENDED.bell_token.tolist() == [0, 0, 1, 0, 0, 1]
    assert (BASE.medium_icon == -1).all()


# Faults.


def at(table, name, /, **values):
    """A change of an entry, found by its name."""

    def change(board):
        next(entry for entry in board[table] if entry.get("name") == name).update(values)

    return change


def add(table, /, **values):
    """A change: one entry more."""
    return lambda board: board[table].append(values)


def drop(table, number=-1):
    """A change: an entry less."""
    return lambda board: board[table].pop(number)


def put(table, number, /, **values):
    """A change of an entry, found by its number."""
    return lambda board: board[table][number].update(values)


# Changes to the shipped board, and what each is to be told.
FAULTS = {
    # icons
    "unknown icon of a building": (
        at("buildings", "5a", icons=["hire -1", "engin"]),
        "building '5a' shows the unknown icon 'engin'; the nearest is 'engine'",
    ),
    "unknown icon of a space": (
        at("spaces", "flood_risk1", risk="jersey for 9"),
        "space 'flood_risk1' shows the unknown icon 'jersey for 9'; the nearest is 'jersey for",
    ),
    "unknown icon that follows": (
        at("icons", "jersey for engine", then="engine 9"),
        "icon 'jersey for engine' shows the unknown icon 'engine 9'",
    ),
    "unknown icon of a card": (
        at("objectives", "draw 5-h", icon="draw 33"),
        "objective card 'draw 5-h' shows the unknown icon 'draw 33'; the nearest is 'draw 3'",
    ),
    "unknown icon of a station master": (
        at("masters", "workers", icon="2 dolars"),
        "station master 'workers' shows the unknown icon '2 dolars'; the nearest is '2 dollars'",
    ),
    "unknown icon of a worker space": (
        put("worker_spaces", 0, icon="hazrd"),
        "worker space cowboy 4 shows the unknown icon 'hazrd'",
    ),
    "unknown icon of an auxiliary action": (
        at("auxiliary", "draw", single="draw 9"),
        "auxiliary action 'draw' shows the unknown icon 'draw 9'",
    ),
    "unknown icon of a city": (
        at("cities_north", "Detroit", icon="objectiv"),
        "city 'Detroit' shows the unknown icon 'objectiv'; the nearest is 'objective'",
    ),
    "unknown icon of a pair": (
        put("pairs", 0, icon="objectiv"),
        "pair 'Topeka-Wichita' shows the unknown icon 'objectiv'",
    ),
    "unknown icon of a town": (
        at("towns", "56", icons=["tokn"]),
        "town '56' shows the unknown icon 'tokn'; the nearest is 'token'",
    ),
    "unknown icon of a medium tile": (
        put("medium_tiles", 0, icon="engine 33"),
        "a medium tile shows the unknown icon 'engine 33'; the nearest is 'engine 3'",
    ),
    "icon given twice": (
        at("icons", "hire +2", name="hire"),
        "icon 'hire' is given 2 times",
    ),
    "icon with a capital letter": (
        at("icons", "hire", name="Hire"),
        "icon 'Hire': name: 'Hire' should be words of small letters, digits, + and -",
    ),
    "icon of an unknown kind": (
        at("icons", "hire", kind="hires"),
        "icon 'hire': kind = 'hires' is not possible: it should be ",
    ),
    "icon that lacks a key": (
        lambda b: b["icons"][40].pop("amount"),
        "icon 'build at 1' lacks amount",
    ),
    "icon with a key too many": (
        at("icons", "trade", amount=2),
        "icon 'trade' gives amount, which the kind 'trade' does not use",
    ),
    "icon that counts where nothing is": (
        at("icons", "hazard 7", counts="woods"),
        "icon 'hazard 7' gives counts, which the kind 'clear' does not use",
    ),
    "icon of nothing": (
        lambda b: b["icons"][10].pop("certificates"),
        "icon 'certificate' brings nothing",
    ),
    "icon that moves nothing": (
        at("icons", "move 2", amount=0),
        "icon 'move 2': amount = 0 should be at least 1",
    ),
    "icon that is paid for a hazard": (
        at("icons", "hazard 7", amount=-1),
        "icon 'hazard 7': amount = -1 should be at least 0",
    ),
    "icon that draws too many cards": (
        at("icons", "draw per cowboy", amount=2),
        "icon 'draw per cowboy' may draw 12 cards and should draw at most 7 at once",
    ),
    "icon that pays for moving on": (
        at("icons", "engine 2 for 2", money=2),
        "icon 'engine 2 for 2': money = 2 should be below 0, as it is paid",
    ),
    "icon that takes money for a card": (
        at("icons", "pair for 3", money=-3),
        "icon 'pair for 3': money = -3 should be at least 1",
    ),
    "icon of an unknown card": (
        at("icons", "guernsey for 2", card="guernsy"),
        "icon 'guernsey for 2' asks for the unknown card 'guernsy'; the nearest is 'guernsey'",
    ),
    "icon of two cards of a type": (
        at("icons", "guernsey for 2", amount=2),
        "icon 'guernsey for 2' gives amount, which only the card 'value 2' uses",
    ),
    "icon of cattle that there are not": (
        at("icons", "free cattle", amount=6),
        "icon 'free cattle': no card of the market has the breeding value 6",
    ),
    "icon of three others": (
        at("icons", "trade or engine", either=["trade", "engine 1", "engine 2"]),
        "icon 'trade or engine': either = ['trade', 'engine 1', 'engine 2'] is not possible",
    ),
    "icon that follows itself": (
        at("icons", "jersey for engine", then="jersey for engine"),
        "icon 'jersey for engine' leads to itself again",
    ),
    "auxiliary action that is one": (
        at("auxiliary", "draw", double="trade or auxiliary"),
        "icon 'auxiliary' leads to itself again; icon 'trade or auxiliary' leads to itself again; "
        "an auxiliary action offers 'trade or auxiliary', which is of kind 'either' and offers",
    ),
    "choice of a choice": (
        at("icons", "hazard or trade", either=["trade", "trade or engine"]),
        "icon 'hazard or trade' offers 'trade or engine', which is of kind 'either' and offers",
    ),
    "choice of one": (
        at("icons", "hazard or trade", either=["trade", "trade"]),
        "icon 'hazard or trade' offers 'trade' 2 times",
    ),
    "auxiliary actions that are the same": (
        at("auxiliary", "draw", single="1 dollar"),
        "the list of auxiliary actions offers '1 dollar' 2 times",
    ),
    "building that offers an icon twice": (
        at("buildings", "8a", icons=["trade or auxiliary", "trade"]),
        "building '8a' offers 'trade' 2 times",
    ),
    "building that offers a risk": (
        at("buildings", "6b", icons=["cattle for certificate"]),
        "building '6b' offers 'cattle for certificate', as a space with a risk does: give it an",
    ),
    "risk that is a single auxiliary action": (
        at("spaces", "flood_risk1", risk="draw 1"),
        "a space with a risk offers 'draw 1', as a single auxiliary action does: give it an icon",
    ),
    "single auxiliary action on a building": (
        at("buildings", "5a", icons=["hire -1", "draw 1"]),
        "building '5a' offers 'draw 1', as a single auxiliary action does: give it an icon of its",
    ),
    # trail
    "start that is not the first": (
        at("spaces", "a", kind="start"),
        "space 'a' of kind 'start': the first space, and no other, should be of kind 'start'",
    ),
    "first that is not the start": (
        at("spaces", "start", kind="private"),
        "space 'start' of kind 'private': the first space, and no other, should be of kind",
    ),
    "last that is not the goal": (
        at("spaces", "kansas_city", kind="private"),
        "space 'kansas_city' of kind 'private': the last space, and no other, should be of kind",
    ),
    "ways in a circle": (
        at("spaces", "b", next=["b1", "a1"]),
        "space 'b' leads back to 'a1': the spaces should stand in the order of travel",
    ),
    "way to itself": (
        at("spaces", "b", next=["b1", "b"]),
        "space 'b' leads back to 'b'",
    ),
    "three ways on": (
        at("spaces", "c", next=["c11", "c2", "d"]),
        "space 'c' has 3 ways on and should have 1 or 2",
    ),
    "no way on": (
        at("spaces", "g2", next=[]),
        "space 'g2' has 0 ways on and should have 1 or 2",
    ),
    "the same way twice": (
        at("spaces", "g", next=["g1", "g1"]),
        "space 'g' leads to 'g1' twice",
    ),
    "way to an unknown space": (
        at("spaces", "a", next=["a1", "flod1"]),
        "space 'a' leads to the unknown space 'flod1'; the nearest is 'flood1'",
    ),
    "way on from Kansas City": (
        at("spaces", "kansas_city", next=["start"]),
        "space 'kansas_city' is the last and leads on",
    ),
    "space that nobody reaches": (
        at("spaces", "f", next=["f1"]),
        "no way leads to the space 'f2'",
    ),
    "too many forks": (
        lambda b: [
            at("spaces", name, next=[*ways])(b)
            for name, ways in (("a1", ("a2", "a3")), ("b1", ("b2", "b3")))
        ],
        "the trail forks 9 times and should at most 8 times",
    ),
    "space given twice": (
        at("spaces", "a2", name="a1"),
        "space 'a1' is given 2 times",
    ),
    "six neutral spaces": (
        at("spaces", "g", kind="private"),
        "the trail has 6 neutral spaces and should have 7",
    ),
    "five hazard spaces of a type": (
        at("spaces", "drought1", hazard="flood"),
        "the trail has 5 hazard spaces of the type flood and should have 4",
    ),
    "hazard of no type": (
        lambda b: b["spaces"][5].pop("hazard"),
        "space 'flood1' of kind 'hazard' lacks hazard",
    ),
    "unknown hazard": (
        at("spaces", "flood1", hazard="fire"),
        "space 'flood1': hazard = 'fire' is not possible",
    ),
    "teepee without a trade": (
        lambda b: b["spaces"][25].pop("trade"),
        "space 'teepee1' of kind 'teepee' lacks trade",
    ),
    "trade on a private space": (
        at("spaces", "a1", trade=3),
        "space 'a1' of kind 'private' gives trade, which only the kind 'teepee' uses",
    ),
    "woods at a neutral building": (
        at("spaces", "a", woods=True),
        "space 'a' of kind 'neutral' gives woods, which only the kind 'private' uses",
    ),
    "risk at a hazard": (
        at("spaces", "flood1", risk="cattle for certificate"),
        "space 'flood1' of kind 'hazard' gives risk, which only the kind 'private' uses",
    ),
    "eight teepee spaces": (
        lambda b: b["beside_trail"].update(trades=[-3, -2]),
        "there are 8 teepee spaces, those beside the trail included, and should be 9",
    ),
    "the same trade twice": (
        at("spaces", "teepee10", trade=8),
        "2 teepee spaces have the trade 8 and should differ",
    ),
    "players left out": (drop("players"), "players lacks an entry for 4"),
    "players given twice": (
        put("players", 2, players=3),
        "players entry for 3 is given 2 times",
    ),
    "fewer steps with a disc": (
        put("players", 0, steps=[3, 5, 4]),
        "the players entry for 2 has the steps [3, 5, 4], which should not fall",
    ),
    # tiles
    "pile left out": (drop("piles", 2), "piles lacks the number 3"),
    "pile given twice": (put("piles", 2, number=2), "pile 2 is given 2 times"),
    "hazards in two piles": (
        put("piles", 2, hazards=True),
        "hazards lie in the piles 1, 3 and should lie in one",
    ),
    "hazards nowhere": (put("piles", 0, hazards=False), "no pile has the hazards"),
    "pile too large": (
        put("piles", 0, green_teepees=30),
        "pile 1 has 56 tiles and should have 1 to 40",
    ),
    "workers on the trail": (
        put("piles", 0, cowboys=1),
        "pile 1 has workers, and the trail is filled from it",
    ),
    "teepees in the job market": (
        put("piles", 1, blue_teepees=1),
        "pile 2 has other tiles than workers, and the job market is filled from it",
    ),
    "too few workers": (
        put("piles", 2, cowboys=0),
        "there are 47 workers and should be at least 48: the job market has 12 rows of 4",
    ),
    "four kinds of hazard": (
        drop("hazards"),
        "hazards = ",
    ),
    "hazard given twice": (put("hazards", 1, points=2), "hazard green 2 is given 2 times"),
    "refill given twice": (
        lambda b: b["job_market"].update(refills=[6, 6]),
        "job_market.refills names the row 6 2 times",
    ),
    "eleven rows": (
        lambda b: b["job_market"]["costs"].pop(),
        "job_market.costs = ",
    ),
    # buildings
    "neutral building without a space": (
        at("neutral_buildings", "g", name="h"),
        "neutral building 'h' has no neutral space of its name; choose from a, b, c, d, e, f, g",
    ),
    "building with one side": (
        drop("buildings"),
        "building '10b' is missing: both sides of the numbers 1 to 12 should be given",
    ),
    "building of a third side": (
        at("buildings", "10b", name="10c"),
        "building '10c': name: '10c' should be a number and a side, such as 1a",
    ),
    "building given twice": (
        at("buildings", "10b", name="10a"),
        "building '10a' is given 2 times",
    ),
    "building number 13": (
        at("buildings_north", "12b", name="13b"),
        "building '13b' should have a number of 1 to 12",
    ),
    "expansion's building among the others": (
        lambda b: b["buildings"].append(b["buildings_north"].pop()),
        "building '11a' of buildings_north should have a higher number than all of buildings",
    ),
    "building of no action": (
        at("buildings", "1a", icons=[]),
        "building '1a': icons = [] is not possible: it should be a list of 1 or more items",
    ),
    "unknown hand": (
        at("buildings", "1a", hand="blue"),
        "building '1a': hand = 'blue' is not possible",
    ),
    # cards
    "cattle without cards": (
        at("cattle", "guernsey", start=0),
        "cattle 'guernsey' has no cards",
    ),
    "cattle called as another card": (
        at("cattle", "guernsey", name="pair"),
        "cattle 'pair' has the name of a kind of card that icons ask for",
    ),
    "too many kinds of cattle": (
        at("cattle", "holstein", market=[1, 2, 3, 4, 5]),
        "there are 17 kinds of cattle card and should be 1 to 16",
    ),
    "nothing to buy": (
        lambda b: [cattle.pop("market", None) or cattle.update(start=1) for cattle in b["cattle"]],
        "there are 0 cattle cards for the market and should be 1 to 48",
    ),
    "line for no card": (
        put("buying", 7, value=6),
        "buying asks for the breeding value 6, which no card of the market has",
    ),
    "line of seven cowboys": (put("buying", 7, cowboys=7), "line number 8: cowboys = 7"),
    "too few starting cards": (
        drop("starting_objectives"),
        "there are 3 starting objective cards and should be 4 to 32",
    ),
    "too many objective cards": (
        at("objectives", "auxiliary sf", copies=40),
        "there are 60 objective cards in the stack and should be 0 to 48",
    ),
    "unknown need": (
        at("objectives", "draw 5-h", needs=["5", "X"]),
        "objective card 'draw 5-h': needs.1 = 'X' is not possible",
    ),
    "objective card given twice": (
        at("objectives", "draw 5-h", name="start b-b-h"),
        "objective card 'start b-b-h' is given 2 times",
    ),
    # player boards
    "disc left out": (drop("discs"), "discs lacks 'hand'"),
    "disc of the expansion in the box": (
        lambda b: b["discs"].append(b["discs_north"].pop()),
        "'branchlet' does not belong to discs; discs_north lacks 'branchlet'",
    ),
    "unknown disc": (
        at("discs", "hand", name="hands"),
        "disc 'hands': name = 'hands' is not possible",
    ),
    "two discs for a step": (
        at("discs", "move_1", copies=2),
        "disc 'move_1' has 2 copies and should have 1",
    ),
    "auxiliary action left out": (drop("auxiliary"), "auxiliary lacks 'remove'"),
    "worker space given twice": (
        put("worker_spaces", 1, place=4),
        "worker space cowboy 4 is given 2 times",
    ),
    "certificates that fall": (
        lambda b: b["certificate_track"].update(spaces=[0, 1, 3, 2, 4, 6]),
        "certificate_track.spaces = [0, 1, 3, 2, 4, 6] should rise from 0",
    ),
    "too many certificates": (
        lambda b: b["certificate_track"].update(spaces=[0, 1, 2, 3, 4, 8]),
        "certificate_track.spaces.5 = 8 is not possible: it should be at most 7",
    ),
    # railroad
    "station nowhere": (
        lambda b: b["stations"][0].pop("after"),
        "station 's4' should have one of after and at, and no town",
    ),
    "two stations at a space": (
        at("stations", "s7", after=4),
        "2 stations lie at the space 4",
    ),
    "ten turnouts": (
        lambda b: b["stations"][9].update(after=b["stations"][9].pop("at") - 3),
        "there are 10 turnouts and should be at most 9",
    ),
    "thirteen stations": (
        add("stations", name="s2", after=2, cost=1, points=1, corner="white"),
        "there are 13 stations and should be at most 12",
    ),
    "twelve station masters": (
        add("masters_north", name="more", task="none", points=0),
        "there are 12 station masters and should be at most 11",
    ),
    "too few station masters": (
        drop("masters"),
        "there are 4 station masters and should be at least 5, one for each station that has one",
    ),
    "too few station masters with the expansion": (
        lambda b: b.update(masters_north=b["masters_north"][:1]),
        "there are 6 station masters with the expansion and should be at least 7",
    ),
    "unknown task": (
        at("masters", "workers", task="workers"),
        "station master 'workers': task = 'workers' is not possible",
    ),
    # cities
    "no Kansas City": (
        at("cities", "Kansas City", name="Kansas"),
        "'Kansas City', of the value 0 and with repeats, should be among the cities",
    ),
    "Kansas City once only": (
        at("cities_north", "Kansas City", repeats=False),
        "'Kansas City', of the value 0 and with repeats, should be among the cities",
    ),
    "no San Francisco": (
        at("cities", "San Francisco", name="Los Angeles"),
        "objective cards ask for San Francisco, which is not among the cities",
    ),
    "city given twice": (
        at("big_towns", "Memphis", name="Chicago"),
        "city 'Chicago' is given 2 times",
    ),
    "pair of an unknown city": (
        put("pairs", 0, cities=["Topeka", "Witchita"]),
        "pair 'Topeka-Witchita' names the unknown city 'Witchita'; the nearest is 'Wichita'",
    ),
    "pair of one city": (
        put("pairs", 0, cities=["Topeka", "Topeka"]),
        "pair 'Topeka-Topeka' is of a city with itself",
    ),
    "pair given twice": (
        put("pairs", 0, cities=["Colorado Springs", "Wichita"]),
        "pair 'Wichita-Colorado Springs' is given twice",
    ),
    "gift without an action": (
        put("pairs", 1, gift=2),
        "pair 'Wichita-Colorado Springs' has a gift without the icon of a delivery action",
    ),
    "gift of a city without an action": (
        at("cities", "Topeka", gift=2),
        "city 'Topeka' has a gift without the icon of a delivery action",
    ),
    "transport too dear": (
        lambda b: b["railroad"].update(crosses=[0, 0, 3]),
        "city 'Topeka' of the value 1 lies behind 2 crosses: transport could cost more than it",
    ),
    "too many cities": (
        add("cities_north", name="Boston", value=17, corner="white"),
        "there are 17 cities and should be at most 16",
    ),
    # extension board
    "no towns": (
        lambda b: b.update(towns=[]),
        "buildings_north is given without towns; stations_north is given without towns",
    ),
    "big town without a city": (
        drop("big_towns", 0),
        "town 'Memphis' of type 'big' has 0 entries and should have one city of big_towns",
    ),
    "city without a big town": (
        at("towns", "Memphis", type="small"),
        "city of big_towns 'Memphis' lies in no town of type 'big'",
    ),
    "station town without a station": (
        at("stations_north", "s41", town="40"),
        "town '40' of type 'station' has 2 entries and should have one station; town '41'",
    ),
    "station in an unknown town": (
        at("stations_north", "s41", town="60"),
        "station 's41' lies in no town of type 'station'",
    ),
    "station of a town on the railroad": (
        at("stations_north", "s41", after=36),
        "station 's41' of stations_north lies in a town, not on the railroad",
    ),
    "too few medium tiles": (
        lambda b: b.update(medium_tiles=b["medium_tiles"][:2]),
        "there are 4 medium tiles and should be at least 6, one for each medium town",
    ),
    "town given twice": (at("towns", "42", name="43"), "town '43' is given 2 times"),
    "town called as a city": (
        at("towns", "42", name="Columbia"),
        "town 'Columbia' is also a city of the strip",
    ),
    "town called office": (
        at("towns", "42", name="office"),
        "a town has the name 'office' of Kansas City's office",
    ),
    "link to an unknown town": (
        lambda b: b["links"]["joins"].append(["Memphs", "40"]),
        "link 'Memphs-40' names the unknown town 'Memphs'; the nearest is 'Memphis'",
    ),
    "link to itself": (
        lambda b: b["links"]["joins"].append(["40", "40"]),
        "link '40-40' joins a town to itself",
    ),
    "link between cities": (
        lambda b: b["links"]["joins"].append(["Chicago", "Detroit"]),
        "link 'Chicago-Detroit' joins no town",
    ),
    "link given twice": (
        lambda b: b["links"]["joins"].append(["40", "Memphis"]),
        "link '40-Memphis' is given twice",
    ),
    "town out of reach": (
        lambda b: b["links"]["joins"].remove(["58", "59"]),
        "no links lead to the town '59' from the office or a city",
    ),
    "five spaces in a town": (
        at("towns", "42", money=[1, 1, 1, 1, 1]),
        "town '42': money = [1, 1, 1, 1, 1] is not possible: it should be a list of at most 4",
    ),
    "six bells": (lambda b: b["bells"].update(tokens=[6]), "bells.tokens.0 = 6 is not possible"),
    # the file
    "wrong game": (
        lambda b: b["meta"].update(game="westward-rails"),
        "meta.game = 'westward-rails' is not possible: it should be 'great-western-trail'",
    ),
    "wrong table": (
        lambda b: b.update(citys=[]),
        "own.toml: there is no key 'citys'; the nearest is 'cities'",
    ),
    "wrong key": (
        at("cities", "Topeka", repeat=True),
        "city 'Topeka': there is no key 'repeat'; the nearest is 'repeats'",
    ),
    "made-up basis": (
        at("towns", "42", basis="hearsay"),
        "town '42': basis = 'hearsay' is not possible",
    ),
    "unknown source": (
        at("towns", "42", basis="sourced:atr"),
        "town '42': the basis names 'atr', which is not in sources; the nearest is 'art'",
    ),
    "wrong option": (
        lambda b: b.update(options={"cards_in_hands": 4}),
        "own.toml: options: there is no key 'cards_in_hands'; the nearest is 'cards_in_hand'",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_every_violation_is_named(fault):
    change, text = FAULTS[fault]
    document = a_board()
    change(document)
    assert text in said(document)


def test_all_faults_are_named():
    document = a_board()
    at("spaces", "f", next=["f1"])(document)
    put("piles", 0, hazards=False)(document)
    at("towns", "42", name="office")(document)
    text = said(document)
    assert text.startswith("own.toml: no way leads to the space 'f2'; no pile has the hazards; ")
    assert "office" in text


def a_small_market(board):
    """Market cards but for West Highland and Texas Longhorn are gone."""
    for name in ("holstein", "brown swiss", "ayrshire"):
        at("cattle", name, market=[1])(board)


def few_workers_in_pile_2(board):
    put("piles", 1, cowboys=2, craftsmen=9, engineers=9)(board)
    put("piles", 2, cowboys=14)(board)


def hazards_in_pile_3(board):
    put("piles", 0, hazards=False)(board)
    put("piles", 2, hazards=True, cowboys=0, green_teepees=1)(board)
    put("piles", 1, cowboys=12, engineers=12)(board)


@pytest.mark.parametrize(
    ("change", "settings", "text"),
    [
        (
            a_small_market,
            {"market_size.4": 19},
            "market_size.4 = 19 is more than the 18 cattle cards of 'First edition'.",
        ),
        (
            few_workers_in_pile_2,
            {"workers_at_start.4": 21},
            "workers_at_start.4 = 21 is more than the 20 workers in pile 2 of 'First edition'.",
        ),
        (
            hazards_in_pile_3,
            {"tiles_at_start": 10},
            "tiles_at_start = 10 is more than the 9 tiles of pile 1 that 'First edition' has "
            "spaces for.",
        ),
        (
            None,
            {"building_sides": "ab"},
            "building_sides = 'ab' has 2 letters and should have one for each of the 10 private "
            "buildings.",
        ),
        (
            None,
            NORTH | {"building_sides": "a" * 10},
            "building_sides = 'aaaaaaaaaa' has 10 letters and should have one for each of the 12 "
            "private buildings.",
        ),
    ],
)
def test_options_that_do_not_fit_the_board(change, settings, text):
    document = a_board()
    if change:
        change(document)
        filled(document)
    assert said(document, settings) == text


def test_a_board_without_the_expansion():
    document = a_board()
    for table in [*document]:
        if table.endswith("_north") or table in (
            "towns",
            "links",
            "big_towns",
            "medium_tiles",
            "bells",
        ):
            del document[table]
    assert filled(document).tobytes() == BASE.tobytes()
    assert (
        said(document, NORTH)
        == "rails_to_the_north = true is not possible: 'First edition' has no extension board."
    )


def test_choice_of_chicago_and_detroit_needs_its_icon():
    text = (BOARDS / "first_edition.toml").read_text(encoding="utf-8")
    text = text.replace('"objective"', '"objective card"')
    text = text.replace('card = "objective card"', 'card = "objective"')
    settings = {"chicago_detroit": "objective_and_3"}
    assert said(tomllib.loads(text), settings) == (
        "chicago_detroit = 'objective_and_3' is not possible: 'First edition' has no icon "
        "'objective'."
    )
