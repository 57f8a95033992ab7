"""Board files: every rule of a valid board, the record, the facts of the shipped boards."""

import copy
import functools
import heapq
import math
import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from sim.errors import Mistake
from sim.options import validate, with_settings
from sim.railways_of_the_world import board as reader
from sim.railways_of_the_world.options import RailwaysOfTheWorldOptions
from sim.railways_of_the_world.state import (
    COLOURS,
    CONDITIONS,
    EFFECTS,
    MAX_BARONS,
    MAX_CARDS,
    MAX_CITIES,
    MAX_DECK,
    MAX_HEXES,
    MAX_LINES,
    MAX_WESTERN,
    NO_DIAL,
    SIDES,
    TERRAINS,
)

BOARDS = Path(reader.__file__).parent / "boards"
EAST, WEST = "eastern_us", "western_us"
ALL_SPURS = "ne e se sw w nw"
BARON_ROWS = (
    ("Richest", "most_money", {"points": 7}),
    ("Fewest bonds", "fewest_bonds", {"points": 6}),
    ("Longest chain", "longest_chain", {"points": 8}),
    ("Most links", "most_links", {"points": 6}),
    ("Most cities", "most_cities_connected", {"points": 6}),
    ("Major Lines", "most_major_lines", {"points": 6}),
    ("Hub", "connections_out_of", {"city": "Alpha", "points_each": 2, "most": 4}),
    ("Across", "connected", {"cities": ["Alpha", "St. Delta"], "points": 6}),
    ("First level 6", "first_engine_level", {"level": 6, "points": 5}),
    ("Coast", "links_into", {"cities": ["Alpha", "Gamma"], "at_least": 2, "points": 4}),
)


def a_board():
    """Four cities on five rows of hexes, valid in every way, with each kind of card."""
    document = {
        "meta": {"game": "railways-of-the-world", "name": "Square", "label": "Made up"},
        "options": {"service_bounties": 1},
        "major_lines": [{"a": "Alpha", "b": "St. Delta", "points": 5}],
        "western_link": {
            "cities": ["Gamma"],
            "cost": 30,
            "red_cubes": 4,
            "destination": "Alpha",
            "cubes_added": 2,
        },
        "cities": [
            {"name": "Alpha", "colour": "red", "goods": 3, "row": 1, "col": 1, "spurs": ALL_SPURS},
            {"name": "Beta", "colour": "blue", "goods": 2, "row": 1, "col": 4, "spurs": "e sw w"},
            {
                "name": "Gamma",
                "colour": "gray",
                "goods": 1,
                "row": 3,
                "col": 1,
                "spurs": "ne e",
                "western_spur": "w",
            },
            {
                "name": "St. Delta",
                "colour": "yellow",
                "goods": 2,
                "row": 3,
                "col": 6,
                "spurs": "w nw",
                "dial_start": "black",
            },
        ],
        "hexes": {
            "rows": [".oooooo", "oCooCoo", "ooowooo", "oChoooC", "ooooooo"],
            "ridges": [[2, 2, 2, 3], [2, 3, 3, 2], [1, 1, 0, 2]],
        },
        "start": [
            {"name": "Era", "kind": "start", "effect": "gain_points_on_first_delivery"}
            | {"points": 1, "copies": 1},
            {"name": "Record", "kind": "start", "effect": "first_delivery_links"}
            | {"links": 3, "points": 3, "copies": 1},
            {"name": "Train", "kind": "start", "effect": "first_engine_level"}
            | {"level": 4, "points": 4, "copies": 1},
        ],
        "bounties": [
            {"name": "Bounty", "kind": "bounty", "effect": "gain_points_on_first_delivery_to"}
            | {"city": "St. Delta", "points": 4, "copies": 1},
        ],
        "operations": [
            {"name": "Hotel", "kind": "permanent", "effect": "hotel", "city": "Beta"}
            | {"points": 1, "copies": 1},
            {"name": "Executive", "kind": "immediate", "effect": "two_actions"}
            | {"amount": 2, "copies": 2},
            {"name": "Grant", "kind": "hand", "effect": "free_open_tiles", "copies": 6},
            {"name": "Industry", "kind": "immediate", "effect": "new_city_tile", "copies": 5},
            {"name": "Growth", "kind": "immediate", "effect": "add_cubes", "amount": 3}
            | {"copies": 4},
            {"name": "Perfect", "kind": "ongoing_once_per_turn", "effect": "extra_tiles"}
            | {"amount": 1, "copies": 1},
            {"name": "Tunnels", "kind": "ongoing_once_per_turn", "effect": "no_ridge_cost"}
            | {"copies": 1},
            {"name": "Civil", "kind": "hand", "effect": "terrain_price", "terrain": "mountain"}
            | {"cost": 0, "copies": 1},
            {"name": "Dispatcher", "kind": "optional", "behaves_as": "hand", "steps": 2}
            | {"module": "city_rotors", "effect": "turn_rotor", "copies": 2},
            {"name": "Coal", "kind": "optional", "behaves_as": "immediate", "amount": 2}
            | {"module": "fuel_depots", "effect": "free_depots", "copies": 1},
        ],
        "barons": [
            {"name": name, "condition": condition, "copies": 2 if name == "Coast" else 1, **more}
            for name, condition, more in BARON_ROWS
        ]
        + [{"name": "Poor", "condition": "fewest_bonds", "points": 1, "copies": 1}],
        "barons_western_link": [
            {"name": "West", "condition": "own_western_link", "points": 5, "copies": 1}
            | {"replaces": "Across"},
        ],
    }
    return document


def filled(document, settings=None):
    """The record of a board file with its options and settings."""
    file = reader.read(document, "square.toml")
    printed = validate(RailwaysOfTheWorldOptions, file.options, "square.toml: options")
    values = with_settings(
        RailwaysOfTheWorldOptions, printed.model_dump(by_alias=True), settings or {}
    )
    return reader.fill(file, validate(RailwaysOfTheWorldOptions, values, "--set"))[0]


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


def test_the_square_is_valid():
    document = a_board()
    before = copy.deepcopy(document)
    file = reader.read(document, "square.toml")
    assert file.meta.label == "Made up"
    assert file.city_ids == ["alpha", "beta", "gamma", "st_delta"]
    assert reader.elements(file) == [
        "Alpha–Beta",
        "Alpha–Gamma",
        "Alpha–St. Delta",
        "Beta–Gamma",
        "Beta–St. Delta",
        "Gamma–St. Delta",
    ]
    assert filled(document).n_cities == 4
    assert document == before


# Changes to the square, and what each is to be told.
FAULTS = {
    # hexes
    "unknown letter": (
        lambda b: b["hexes"]["rows"].__setitem__(4, "ooxoooo"),
        "row 4 of hexes.rows has the unknown letter 'x'; use o, w, h, C or .",
    ),
    "no row": (lambda b: b["hexes"].update(rows=[]), "hexes.rows = [] is not possible"),
    "ridge between hexes that do not touch": (
        lambda b: b["hexes"]["ridges"].append([0, 2, 0, 4]),
        "ridge [0, 2, 0, 4] is between hexes that do not touch",
    ),
    "ridge at a hex and itself": (
        lambda b: b["hexes"]["ridges"].append([0, 2, 0, 2]),
        "ridge [0, 2, 0, 2] is between hexes that do not touch",
    ),
    "ridge given twice": (
        lambda b: b["hexes"]["ridges"].append([2, 3, 2, 2]),
        "ridge [2, 3, 2, 2] is given twice",
    ),
    "ridge at a hex that is not playable": (
        lambda b: b["hexes"]["ridges"].append([0, 0, 0, 1]),
        "ridge [0, 0, 0, 1] lies at a hex that is not playable",
    ),
    "ridge off the board": (
        lambda b: b["hexes"]["ridges"].append([4, 0, 5, 0]),
        "ridge [4, 0, 5, 0] lies at a hex that is not playable",
    ),
    "ridge of three numbers": (
        lambda b: b["hexes"]["ridges"].append([4, 0, 5]),
        "hexes.ridges.3 = [4, 0, 5] is not possible",
    ),
    "ridge to a word": (
        lambda b: b["hexes"]["ridges"].append([4, 0, 5, "x"]),
        "square.toml: hexes.ridges [4, 0, 5, 'x']: 'x' is not possible: it should be a whole",
    ),
    "row one letter short": (
        lambda b: b["hexes"]["rows"].__setitem__(3, "oChooC"),
        "square.toml: row 3 of hexes.rows has 6 hexes and should have 7, as most rows have.",
    ),
    # cities
    "unknown colour": (
        lambda b: b["cities"][0].update(colour="rd"),
        "city 'Alpha': colour = 'rd' is not possible: it should be 'red', 'blue', 'yellow', "
        "'purple', 'black' or 'gray'; the nearest is 'red'",
    ),
    "no cubes": (lambda b: b["cities"][0].update(goods=0), "city 'Alpha': goods = 0 is not"),
    "half a cube": (lambda b: b["cities"][0].update(goods=1.5), "city 'Alpha': goods = 1.5"),
    "two cities on a hex": (
        lambda b: b["cities"][1].update(row=1, col=1),
        "cities 'Alpha' and 'Beta' share a hex; the C at row 1, column 4 has no city",
    ),
    "city not on a C": (
        lambda b: b["hexes"]["rows"].__setitem__(3, "oohoooC"),
        "city 'Gamma' at row 3, column 1 is not on a C",
    ),
    "city off the board": (
        lambda b: b["cities"][3].update(row=9),
        "city 'St. Delta' at row 9, column 6 is not on a C",
    ),
    "C without a city": (
        lambda b: b["hexes"]["rows"].__setitem__(4, "oooCooo"),
        "the C at row 4, column 3 has no city",
    ),
    "city given twice": (
        lambda b: b["cities"][1].update(name="St Delta"),
        "city 'st_delta' is given 2 times",
    ),
    "city without letters": (
        lambda b: b["cities"][1].update(name="--"),
        "a city has a name without letters",
    ),
    "city without a name": (lambda b: b["cities"][1].update(name=" "), "city ' ': name = ' '"),
    "unknown side": (
        lambda b: b["cities"][1].update(spurs="e north"),
        "city 'Beta' has the unknown spur 'north'; choose from ne, e, se, sw, w, nw",
    ),
    "capital side": (
        lambda b: b["cities"][1].update(spurs="E"),
        "city 'Beta' has the unknown spur 'E'",
    ),
    "no spur": (lambda b: b["cities"][1].update(spurs=""), "city 'Beta' has no spur"),
    "spur given twice": (
        lambda b: b["cities"][1].update(spurs="e w e"),
        "city 'Beta' has the spur 'e' 2 times",
    ),
    "spur off the board": (
        lambda b: b["cities"][3].update(spurs="w e"),
        "spur 'e' of 'St. Delta' leads off the board",
    ),
    "spur over the lower edge": (
        lambda b: (b["hexes"]["rows"].pop(), b["cities"][2].update(spurs="e sw")),
        "spur 'sw' of 'Gamma' leads off the board",
    ),
    "spur to another city": (
        lambda b: (
            b["hexes"]["rows"].__setitem__(1, "oCCoooo"),
            b["cities"][1].update(col=2, spurs="e se"),
        ),
        "spur 'e' of 'Alpha' leads to the city 'Beta'",
    ),
    "spur to a hex that is not playable": (
        lambda b: b["hexes"]["rows"].__setitem__(0, "......."),
        "spur 'ne' of 'Alpha' leads to a hex that is not playable",
    ),
    "unknown Western spur": (
        lambda b: b["cities"][2].update(western_spur="west"),
        "city 'Gamma' has the unknown spur 'west'",
    ),
    "Western spur that is a spur": (
        lambda b: b["cities"][2].update(western_spur="e"),
        "western_spur 'e' of 'Gamma' is also a spur",
    ),
    "city on an island": (
        lambda b: (
            b["hexes"].update(
                rows=[".oooooo", "oCooC..", "ooowo..", "oChoo.C", "ooooo.o"], ridges=[]
            )
            or b["cities"][1].update(spurs="sw w")
            or b["cities"][3].update(spurs="sw")
        ),
        "no other city can be reached from 'St. Delta'",
    ),
    "unknown dial": (
        lambda b: b["cities"][3].update(dial_start="gray"),
        "city 'St. Delta': dial_start = 'gray' is not possible: it should be 'red', 'blue', "
        "'yellow', 'purple', 'black' or 'none'",
    ),
    "dial of a gray city": (
        lambda b: b["cities"][2].update(dial_start="red"),
        "city 'Gamma' is gray and has a dial: a rotor city has a colour of its own",
    ),
    # lines
    "unknown city of a Major Line": (
        lambda b: b["major_lines"][0].update(a="Alfa"),
        "Major Line 'alfa-st_delta' names the unknown city 'Alfa'; the nearest is 'Alpha'",
    ),
    "Major Line of one city": (
        lambda b: b["major_lines"][0].update(b="Alpha"),
        "Major Line 'alpha-alpha' joins a city to itself",
    ),
    "Major Line given twice": (
        lambda b: b["major_lines"].append({"a": "St. Delta", "b": "Alpha", "points": 1}),
        "Major Line 'st_delta-alpha' is given twice",
    ),
    "Major Line of no points": (
        lambda b: b["major_lines"][0].update(points=0),
        "Major Line 'Alpha-St. Delta': points = 0 is not possible",
    ),
    "unknown city of the Western Link": (
        lambda b: b["western_link"].update(cities=["Gama"]),
        "western_link names the unknown city 'Gama'; the nearest is 'Gamma'",
    ),
    "Western Link at a city twice": (
        lambda b: b["western_link"].update(cities=["Gamma", "Gamma"]),
        "western_link names 'Gamma' 2 times",
    ),
    "Western Link to itself": (
        lambda b: b["western_link"].update(destination="Gamma"),
        "western_link leads from 'Gamma' to itself",
    ),
    # cards
    "unknown kind": (
        lambda b: b["operations"][0].update(kind="permanant"),
        "card 'Hotel': kind = 'permanant' is not possible: ",
    ),
    "unknown effect": (
        lambda b: b["operations"][0].update(effect="hotels"),
        "; the nearest is 'hotel'",
    ),
    "missing parameter": (
        lambda b: b["operations"][0].pop("points"),
        "card 'Hotel' lacks points",
    ),
    "missing city": (lambda b: b["bounties"][0].pop("city"), "card 'Bounty' lacks city"),
    "missing terrain": (
        lambda b: b["operations"][7].pop("terrain"),
        "card 'Civil' lacks terrain",
    ),
    "parameter without a use": (
        lambda b: b["operations"][2].update(points=3),
        "card 'Grant' gives points, which the effect free_open_tiles does not use",
    ),
    "module without a use": (
        lambda b: b["operations"][2].update(module="city_rotors"),
        "card 'Grant' gives module, which the effect free_open_tiles does not use",
    ),
    "optional without a module": (
        lambda b: b["operations"][8].pop("module"),
        "card 'Dispatcher' lacks module",
    ),
    "optional without a behaviour": (
        lambda b: b["operations"][8].pop("behaves_as"),
        "card 'Dispatcher' lacks behaves_as",
    ),
    "unknown city of a card": (
        lambda b: b["operations"][0].update(city="Bet"),
        "card 'Hotel' names the unknown city 'Bet'; the nearest is 'Beta'",
    ),
    "hotel in the hand": (
        lambda b: b["operations"][0].update(kind="hand"),
        "card 'Hotel': the effect hotel cannot be of kind 'hand', only permanent",
    ),
    "actions kept for later": (
        lambda b: b["operations"][1].update(kind="hand"),
        "card 'Executive': the effect two_actions cannot be of kind 'hand', only immediate",
    ),
    "track used at once": (
        lambda b: b["operations"][5].update(kind="immediate"),
        "card 'Perfect': the effect extra_tiles cannot be of kind 'immediate', "
        "only hand or ongoing_once_per_turn",
    ),
    "dispatcher that stays": (
        lambda b: b["operations"][8].update(behaves_as="permanent"),
        "card 'Dispatcher': the effect turn_rotor cannot be of kind 'permanent', only hand",
    ),
    "green effect that is taken": (
        lambda b: b["bounties"].append(b["bounties"][0] | {"kind": "permanent", "name": "B"}),
        "card 'B': the effect gain_points_on_first_delivery_to cannot be of kind 'permanent', "
        "only start or bounty",
    ),
    "Start card among the operations": (
        lambda b: b["operations"].append(b["start"].pop()),
        "card 'Train' of kind 'start' stands in operations, not in start",
    ),
    "operation among the bounties": (
        lambda b: b["bounties"].append(b["operations"].pop(2)),
        "card 'Grant' of kind 'hand' stands in bounties, not in operations",
    ),
    "more actions than links can be begun": (
        lambda b: b["operations"][1].update(amount=17),
        "the cards with two_actions give 32 actions more and should give at most 30",
    ),
    "more depots at once than a city may get": (
        lambda b: b["operations"][9].update(amount=3),
        "card 'Coal': amount = 3 should be 1 or 2, what a city may get at once",
    ),
    "two rows that turn a rotor": (
        lambda b: b["operations"].append(b["operations"][8] | {"name": "Second"}),
        "cards 'dispatcher', 'second': at most one row may turn a rotor",
    ),
    "card given twice": (
        lambda b: b["operations"].append(b["operations"][2] | {"name": "GRANT"}),
        "card 'grant' is given 2 times",
    ),
    "no copies": (
        lambda b: b["operations"][2].update(copies=0),
        "card 'Grant': copies = 0 is not possible",
    ),
    "too many copies": (
        lambda b: b["operations"][2].update(copies=80),
        f"there are 102 cards and should be at most {MAX_DECK}",
    ),
    # Barons
    "unknown condition": (
        lambda b: b["barons"][0].update(condition="most_bonds"),
        "Baron 'Richest': condition = 'most_bonds' is not possible",
    ),
    "Baron given twice": (
        lambda b: b["barons"][1].update(name="Richest"),
        "Baron 'richest' is given 2 times",
    ),
    "Western Baron of a known name": (
        lambda b: b["barons_western_link"][0].update(name="Richest"),
        "Baron 'richest' is given 2 times",
    ),
    "missing parameter of a Baron": (
        lambda b: b["barons"][6].pop("most"),
        "Baron 'Hub' lacks most",
    ),
    "parameter of a Baron without a use": (
        lambda b: b["barons"][0].update(level=6),
        "Baron 'Richest' gives level, which the condition most_money does not use",
    ),
    "Baron of three cities": (
        lambda b: b["barons"][7].update(cities=["Alpha", "Beta", "Gamma"]),
        "Baron 'Across' names 3 cities and should name 2",
    ),
    "Baron of a city and itself": (
        lambda b: b["barons"][7].update(cities=["Beta", "Beta"]),
        "Baron 'Across' names a city twice",
    ),
    "unknown city of a Baron": (
        lambda b: b["barons"][9].update(cities=["Alpha", "Gama"]),
        "Baron 'Coast' names the unknown city 'Gama'; the nearest is 'Gamma'",
    ),
    "Baron of more cities than named": (
        lambda b: b["barons"][9].update(at_least=3),
        "Baron 'Coast' asks for 3 of 2 cities",
    ),
    "eleven Barons": (
        lambda b: b["barons"][9].update(copies=1),
        "there are 11 Barons and should be at least 12, 2 for each of 6 players",
    ),
    "one Baron": (
        lambda b: (b.pop("barons_western_link"), b.update(barons=b["barons"][:1])),
        "there is 1 Baron and should be at least 12, 2 for each of 6 players",
    ),
    "Baron of one city": (
        lambda b: b["barons"][7].update(cities=["Alpha"]),
        "Baron 'Across' names 1 city and should name 2",
    ),
    "Baron of more cities than the one named": (
        lambda b: b["barons"][9].update(cities=["Alpha"]),
        "Baron 'Coast' asks for 2 of 1 city",
    ),
    "eleven Barons with the Western Link": (
        lambda b: (b["barons"][7].update(copies=2), b["barons"][9].update(copies=1)),
        "there are 11 Barons with the option western_link and should be at least 12",
    ),
    "too many Barons": (
        lambda b: b["barons"][0].update(copies=40),
        f"Barons and should be at most {MAX_BARONS}",
    ),
    "Western Baron in place of nobody": (
        lambda b: b["barons_western_link"][0].update(replaces="Acros"),
        "Baron 'West' replaces the unknown Baron 'Acros'; the nearest is 'Across'",
    ),
    "Western Baron that replaces none": (
        lambda b: b["barons_western_link"][0].pop("replaces"),
        "Baron 'West' lacks replaces",
    ),
    "a Baron replaced twice": (
        lambda b: b["barons_western_link"].append(
            b["barons_western_link"][0] | {"name": "West again"}
        ),
        "Baron 'Across' is replaced 2 times",
    ),
    "Western Baron without the Western Link": (
        lambda b: b.pop("western_link"),
        "barons_western_link is given without western_link",
    ),
    # tables
    "no cities": (lambda b: b.pop("cities"), "square.toml: the key 'cities' is missing."),
    "one city": (lambda b: b.update(cities=b["cities"][:1]), "square.toml: cities = "),
    "no Barons": (lambda b: b.pop("barons"), "the key 'barons' is missing"),
    "wrong key": (
        lambda b: b["cities"][0].update(spur="e"),
        "square.toml: city 'Alpha': there is no key 'spur'; the nearest is 'spurs'",
    ),
    "wrong table": (
        lambda b: b.update(city=b["cities"]),
        "square.toml: there is no key 'city'; the nearest is 'cities'",
    ),
    "wrong game": (
        lambda b: b["meta"].update(game="westward-rails"),
        "meta.game = 'westward-rails' is not possible: it should be 'railways-of-the-world'",
    ),
    "city without any name": (
        lambda b: b["cities"][2].pop("name"),
        "square.toml: city number 3: the key 'name' is missing",
    ),
    "made-up basis": (
        lambda b: b["cities"][2].update(basis="rulebooks"),
        "city 'Gamma': basis = 'rulebooks' is not possible: it should be 'rulebook', 'sourced: "
        "...', 'reconstruction' or 'assumption', and more words if need be",
    ),
    "unknown source": (
        lambda b: (
            b["cities"][2].update(basis="sourced:bord (read off it)")
            or b.update(sources={"board": "a picture"})
        ),
        "city 'Gamma': the basis names 'bord', which is not in sources; the nearest is 'board'",
    ),
    "unknown source of a table": (
        lambda b: b["hexes"].update(basis="sourced:board"),
        "square.toml: hexes: the basis names 'board', which is not in sources.",
    ),
    "no label": (lambda b: b["meta"].pop("label"), "the key 'meta.label' is missing"),
    # options
    "wrong key of options": (
        lambda b: b["options"].update(open_costs=3),
        "square.toml: options: there is no key 'open_costs'; the nearest is 'open_cost'",
    ),
    "wrong value of options": (
        lambda b: b["options"].update(bond_cash=0),
        "square.toml: options: bond_cash = 0 is not possible",
    ),
    "more bounties shown than there are": (
        lambda b: b["options"].update(service_bounties=2),
        "service_bounties = 2 is more than the 1 bounty card of 'Square'",
    ),
    "goods above the bag": (
        lambda b: (b["cities"][0].update(goods=25), b["options"].update(cubes_per_colour=5)),
        "'Square' needs 27 cubes with 2 players, and cubes_per_colour = 5 gives 25",
    ),
    "Western Link on a board without one": (
        lambda b: (
            b.pop("western_link"),
            b.pop("barons_western_link"),
            b["options"].update(western_link=True),
        ),
        "western_link = true is not possible: 'Square' has no Western Link",
    ),
    "rotors on a board without a dial": (
        lambda b: (b["cities"][3].pop("dial_start"), b["options"].update(city_rotors=True)),
        "city_rotors = true is not possible: 'Square' has no city with a dial",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_every_violation_is_named(fault):
    change, told = FAULTS[fault]
    document = a_board()
    change(document)
    assert told in said(document)


def test_what_states_no_basis_is_an_assumption():
    assert reader.read(a_board(), "square.toml").cities[1].basis == "assumption"


@pytest.mark.parametrize("name", (EAST, WEST))
def test_every_entry_of_a_shipped_board_says_what_it_rests_on(name):
    document = shipped(name)
    entries = [entry for part in document.values() if isinstance(part, list) for entry in part]
    assert len(entries) > 80
    assert all(entry["basis"] for entry in [document["meta"], document["hexes"], *entries])


def test_a_dial_may_start_at_the_citys_own_colour():
    """It comes to it in play too."""
    document = a_board()
    document["cities"][3]["dial_start"] = "yellow"
    assert filled(document, {"city_rotors": True}).city_dial[3] == COLOURS.index("yellow")


def test_all_violations_are_named_at_once():
    document = a_board()
    document["hexes"]["ridges"].append([0, 2, 0, 4])
    document["cities"][3]["spurs"] = "e w"
    document["operations"][0]["city"] = "Delta"
    document["barons"][9]["at_least"] = 3
    text = said(document)
    assert text.startswith("square.toml: ")
    for name in ("[0, 2, 0, 4]", "'St. Delta'", "'Hotel'", "'Coast'"):
        assert name in text


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            lambda b: b["hexes"].update(rows=["o" * 64] * 17),
            f"playable hexes and should have at most {MAX_HEXES}",
        ),
        (
            lambda b: b["cities"].extend([b["cities"][0]] * MAX_CITIES),
            f"at most {MAX_CITIES} items",
        ),
        (
            lambda b: b["major_lines"].extend(b["major_lines"] * MAX_LINES),
            f"at most {MAX_LINES} items",
        ),
        (
            lambda b: b["western_link"].update(cities=["Gamma"] * (MAX_WESTERN + 1)),
            f"at most {MAX_WESTERN} items",
        ),
        (
            lambda b: b["operations"].extend(
                b["operations"][2] | {"name": f"G{n}", "copies": 1} for n in range(MAX_CARDS)
            ),
            f"rows of cards and should be at most {MAX_CARDS}",
        ),
        (
            lambda b: b["barons"].extend(
                b["barons"][0] | {"name": f"B{n}"} for n in range(MAX_BARONS)
            ),
            f"rows of Barons and should be at most {MAX_BARONS}",
        ),
    ],
)
def test_too_many_of_anything(change, told):
    document = a_board()
    change(document)
    assert told in said(document)


# --------------------------------------------------------------------------------------- the record


def centre(place):
    """Where the middle of a hex lies on paper, one side of a hex long as the unit."""
    row, column = place
    return math.sqrt(3) * (column + (row & 1) / 2), 1.5 * row


def side_towards(here, there):
    """Number of the side of `here` that lies towards a neighbour: clockwise from the north-east."""
    (x, y), (other_x, other_y) = centre(here), centre(there)
    return round((math.degrees(math.atan2(other_y - y, other_x - x)) + 60) / 60) % 6


def documents():
    return {
        "square": a_board(),
        **{
            name: tomllib.loads((BOARDS / f"{name}.toml").read_text(encoding="utf-8"))
            for name in (EAST, WEST)
        },
    }


@pytest.fixture(scope="module", params=("square", EAST, WEST))
def document(request):
    return documents()[request.param]


def playable(document):
    return {
        (row, column): letter
        for row, letters in enumerate(document["hexes"]["rows"])
        for column, letter in enumerate(letters)
        if letter != "."
    }


def test_record_holds_the_hexes(document):
    record = filled(document)
    letters = playable(document)
    places = sorted(letters)
    assert record.n_hexes == len(places)
    assert reader.read(document, "square.toml").places == places
    for number, place in enumerate(places):
        assert record.terrain[number] == "owhC".index(letters[place])
        near = {}
        for other in places[max(0, number - 99) : number + 99]:
            if other != place and math.dist(centre(place), centre(other)) < 1.8:
                near[side_towards(place, other)] = places.index(other)
        assert record.beside[number].tolist() == [near.get(side, -1) for side in range(6)]
    assert (record.beside[len(places) :] == -1).all()


def test_sides_are_named_clockwise():
    record = filled(a_board())
    places = sorted(playable(a_board()))
    here = places.index((2, 3))
    assert dict(zip(SIDES, (places[n] for n in record.beside[here]), strict=True)) == {
        "ne": (1, 3),
        "e": (2, 4),
        "se": (3, 3),
        "sw": (3, 2),
        "w": (2, 2),
        "nw": (1, 2),
    }


def test_record_holds_the_ridges_on_both_sides(document):
    record = filled(document)
    places = sorted(playable(document))
    told = {(hex_, side) for hex_ in range(len(places)) for side in members(record.ridges[hex_])}
    wanted = set()
    for row, column, other_row, other_column in document["hexes"]["ridges"]:
        here, there = (row, column), (other_row, other_column)
        wanted.add((places.index(here), side_towards(here, there)))
        wanted.add((places.index(there), side_towards(there, here)))
    assert told == wanted
    assert len(told) == 2 * len(document["hexes"]["ridges"])


def test_record_holds_the_cities(document):
    record = filled(document)
    places = sorted(playable(document))
    assert record.n_cities == len(document["cities"])
    colours = (*COLOURS, "gray")
    for number, city in enumerate(document["cities"]):
        here = places.index((city["row"], city["col"]))
        assert record.city_hex[number] == here
        assert record.city_at[here] == number
        assert {SIDES[side] for side in members(record.spurs[number])} == set(city["spurs"].split())
        assert colours[record.city_colour[number]] == city["colour"]
        assert record.city_goods[number] == city["goods"]
    assert (record.city_at >= 0).sum() == len(document["cities"])


def test_record_holds_the_lines(document):
    record = filled(document)
    names = [city["name"] for city in document["cities"]]
    told = [
        {"a": names[record.line_city[n, 0]], "b": names[record.line_city[n, 1]]}
        | {"points": int(record.line_points[n])}
        for n in range(record.n_lines)
    ]
    wanted = [{key: line[key] for key in ("a", "b", "points")} for line in document["major_lines"]]
    assert told == wanted


def test_record_holds_income_and_dial():
    record = filled(a_board())
    income = record.income
    assert len(income) == 101
    assert income[:14].tolist() == [0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    assert set(np.flatnonzero(income == 25)) == set(range(41, 49))
    assert income.max() == 25
    assert income[98:].tolist() == [9, 9, 9]
    assert income.sum() == 1750
    assert abs(np.diff(income[1:])).max() == 1
    assert record.dial_next.tolist() == [1, 2, 3, 4, NO_DIAL, 0]


# symbol, effect, copies, group, city, points, amount, terrain, cost
CARDS = {
    "era": (0, "gain_points_on_first_delivery", 1, 1, -1, 1, 0, -1, 0),
    "record": (0, "first_delivery_links", 1, 1, -1, 3, 3, -1, 0),
    "train": (0, "first_engine_level", 1, 1, -1, 4, 4, -1, 0),
    "bounty": (0, "gain_points_on_first_delivery_to", 1, 2, 3, 4, 0, -1, 0),
    "hotel": (4, "hotel", 1, 0, 1, 1, 0, -1, 0),
    "executive": (2, "two_actions", 2, 0, -1, 0, 2, -1, 0),
    "grant": (3, "free_open_tiles", 6, 0, -1, 0, 0, -1, 0),
    "industry": (2, "new_city_tile", 5, 0, -1, 0, 0, -1, 0),
    "growth": (2, "add_cubes", 4, 0, -1, 0, 3, -1, 0),
    "perfect": (1, "extra_tiles", 1, 0, -1, 0, 1, -1, 0),
    "tunnels": (1, "no_ridge_cost", 1, 0, -1, 0, 0, -1, 0),
    "civil": (3, "terrain_price", 1, 0, -1, 0, 0, 2, 0),
    "dispatcher": (3, "turn_rotor", 0, 0, -1, 0, 2, -1, 0),
    "coal": (2, "free_depots", 0, 0, -1, 0, 2, -1, 0),
}


def test_record_holds_the_cards():
    record = filled(a_board())
    file = reader.read(a_board(), "square.toml")
    assert record.n_cards == len(CARDS)
    assert file.card_ids == list(CARDS)
    for row, wanted in enumerate(CARDS.values()):
        assert (
            record.card_symbol[row],
            EFFECTS[record.card_effect[row]],
            record.card_copies[row],
            record.card_group[row],
            record.card_city[row],
            record.card_points[row],
            record.card_amount[row],
            record.card_terrain[row],
            record.card_cost[row],
        ) == wanted
    assert TERRAINS[record.card_terrain[list(CARDS).index("civil")]] == "mountain"


@pytest.mark.parametrize(
    ("settings", "copies"),
    [
        ({}, [0, 0]),
        ({"city_rotors": True}, [2, 0]),
        ({"fuel_depots": True}, [0, 1]),
        ({"city_rotors": True, "fuel_depots": True}, [2, 1]),
        ({"city_rotors": True, "fuel_depots": True, "optional_cards": False}, [0, 0]),
    ],
)
def test_optional_cards_go_with_their_module(settings, copies):
    record = filled(a_board(), settings)
    assert record.card_copies[12:14].tolist() == copies
    assert record.card_copies[:12].tolist() == [row[2] for row in list(CARDS.values())[:12]]
    dial = COLOURS.index("black") if settings.get("city_rotors") else -1
    assert record.city_dial[:4].tolist() == [-1, -1, -1, dial]


def test_cubes_of_new_industry_are_an_option():
    assert filled(a_board(), {"new_industry_cubes": 2}).card_amount[7] == 2


def test_record_holds_the_barons():
    record = filled(a_board())
    assert record.n_barons == 12
    rows = [
        (
            CONDITIONS[record.baron_condition[row]],
            record.baron_points[row],
            record.baron_amount[row],
            members(record.baron_cities[row]),
        )
        for row in range(12)
    ]
    assert rows == [
        ("most_money", 7, 0, set()),
        ("fewest_bonds", 6, 0, set()),
        ("longest_chain", 8, 0, set()),
        ("most_links", 6, 0, set()),
        ("most_cities_connected", 6, 0, set()),
        ("most_major_lines", 6, 0, set()),
        ("connections_out_of", 2, 4, {0}),
        ("connected", 6, 0, {0, 3}),
        ("first_engine_level", 5, 6, set()),
        ("links_into", 4, 2, {0, 2}),
        ("fewest_bonds", 1, 0, set()),
        ("own_western_link", 5, 0, set()),
    ]
    assert record.baron_copies[:12].tolist() == [1] * 9 + [2, 1, 0]


def test_western_link_takes_its_baron_in():
    off, on = filled(a_board()), filled(a_board(), {"western_link": True})
    assert on.baron_copies[:12].tolist() == [1] * 7 + [0, 1, 2, 1, 1]
    assert (off.n_western, on.n_western) == (0, 1)
    assert on.western_city.tolist() == [2, -1, -1, -1]
    assert (on.western_cost, on.western_cubes) == (30, 4)
    assert (on.western_destination, on.western_added) == (0, 2)
    assert off.western_destination == -1


def test_western_spur_is_no_spur():
    record = filled(a_board(), {"western_link": True})
    assert {SIDES[side] for side in members(record.spurs[2])} == {"ne", "e"}


def test_sixty_four_cities_use_the_sign_bit():
    """City 63 is a set's bit 63: the last city of a full board is not lost."""
    document = a_board()
    document["hexes"] = {"rows": ["Co" * 8, "oo" * 8] * 8}
    document["cities"] = [
        {"name": f"C{n}", "colour": "red", "goods": 1, "row": 2 * (n // 8), "col": 2 * (n % 8)}
        | {"spurs": "e"}
        for n in range(64)
    ]
    for city in document["cities"]:
        if city["col"]:
            city["spurs"] = "e w"
    document["major_lines"] = []
    document.pop("western_link"), document.pop("barons_western_link")
    for card in (*document["bounties"], *document["operations"]):
        if "city" in card:
            card["city"] = "C63"
    for baron in document["barons"]:
        if "city" in baron:
            baron["city"] = "C63"
        if "cities" in baron:
            baron["cities"] = ["C0", "C63"]
    record = filled(document)
    assert record.baron_cities[6] == -(2**63)
    assert members(record.baron_cities[7]) == {0, 63}


# ------------------------------------------------------------------------------ the shipped boards


def shipped(name):
    """The document of a shipped board."""
    return documents()[name]


def figures(document):
    """Hexes by letter, ridges, colours of cities, cubes at the start in full and reduced."""
    letters = Counter(playable(document).values())
    goods = [city["goods"] for city in document["cities"]]
    return {
        "open": letters["o"],
        "water": letters["w"],
        "hills": letters["h"],
        "cities": letters["C"],
        "ridges": len(document["hexes"]["ridges"]),
        "colours": dict(Counter(city["colour"] for city in document["cities"])),
        "goods": sum(goods),
        "reduced": sum(max(number - 1, 1) for number in goods),
    }


def test_counts_of_the_eastern_board():
    assert figures(shipped(EAST)) == {
        "open": 475,
        "water": 160,
        "hills": 114,
        "cities": 52,
        "ridges": 125,
        "colours": {"red": 3, "blue": 5, "yellow": 7, "purple": 4, "black": 4, "gray": 29},
        "goods": 110,
        "reduced": 81,
    }


def test_counts_of_the_western_board():
    told = figures(shipped(WEST))
    assert told["colours"] == {
        "red": 3,
        "blue": 5,
        "yellow": 7,
        "purple": 4,
        "black": 4,
        "gray": 25,
    }
    assert (told["cities"], told["goods"], told["reduced"]) == (48, 109, 81)
    dials = {
        city["name"]: city["dial_start"] for city in shipped(WEST)["cities"] if "dial_start" in city
    }
    assert dials == {
        "Billings": "red",
        "El Paso": "yellow",
        "Oklahoma City": "red",
        "Phoenix": "black",
        "Salt Lake City": "purple",
        "Spokane": "blue",
    }


def test_labels():
    assert shipped(EAST)["meta"]["label"] == (
        "Eastern U.S., hexes and cities as on the 2005 board; later printings may differ"
    )
    assert shipped(WEST)["meta"]["label"] == (
        "Western U.S., a stand-in built from ordinary geography; not the published map"
    )


@pytest.mark.parametrize("name", [EAST, WEST])
def test_rows_are_as_wide_as_each_other(name):
    assert len({len(row) for row in shipped(name)["hexes"]["rows"]}) == 1


@pytest.mark.parametrize(
    ("name", "start", "bounties", "operations", "optional"),
    [(EAST, 3, 6, 28, 0), (WEST, 3, 6, 29, 3)],
)
def test_decks(name, start, bounties, operations, optional):
    document = shipped(name)
    record = filled(document)
    copies = {
        table: sum(card["copies"] for card in document[table])
        for table in ("start", "bounties", "operations", "barons")
    }
    assert copies == {"start": start, "bounties": bounties, "operations": operations, "barons": 12}
    assert optional == sum(
        card["copies"] for card in document["operations"] if card["kind"] == "optional"
    )
    assert record.card_copies.sum() == start + bounties + operations
    assert record.baron_copies.sum() == 12
    off = {"city_rotors": False, "fuel_depots": False}
    assert filled(document, off).card_copies.sum() == start + bounties + operations - optional


def test_bounties_and_hotels_lie_in_cities_with_a_colour():
    for name in (EAST, WEST):
        document = shipped(name)
        colours = {city["name"]: city["colour"] for city in document["cities"]}
        for card in (*document["bounties"], *document["operations"]):
            assert colours.get(card.get("city")) != "gray"


def test_every_hub_has_the_spurs_its_baron_asks_for():
    for name in (EAST, WEST):
        document = shipped(name)
        spurs = {city["name"]: len(city["spurs"].split()) for city in document["cities"]}
        for baron in document["barons"]:
            if "most" in baron:
                assert baron["most"] <= spurs[baron["city"]]


@pytest.mark.parametrize("name", [EAST, WEST])
def test_options_of_the_shipped_boards(name):
    """Each prints the defaults, but for the modules of the Western set."""
    options = validate(RailwaysOfTheWorldOptions, shipped(name)["options"], name)
    printed = options.model_dump(by_alias=True)
    default = RailwaysOfTheWorldOptions().model_dump(by_alias=True)
    modules = {"city_rotors": name == WEST, "fuel_depots": name == WEST}
    assert printed == default | modules


# ------------------------------------------------------------------------- prices on an empty board


@functools.cache
def links(name):
    """Cheapest cost of a link by tiles: {(city, city): {tiles: cost}}, by trying every route."""
    record = filled(shipped(name))
    beside, city_at = record.beside.tolist(), record.city_at.tolist()
    spurs = [members(bits) for bits in record.spurs]
    prices = [(2, 3, 4, None)[terrain] for terrain in record.terrain]
    ridge = [[4 if bits >> side & 1 else 0 for side in range(6)] for bits in record.ridges.tolist()]
    found = {}

    def lay(start, hex_, entry, cost, trail):
        cost += prices[hex_] + ridge[hex_][entry]
        trail = (*trail, hex_)
        for leave in ((entry + 2) % 6, (entry + 3) % 6, (entry + 4) % 6):
            ahead = beside[hex_][leave]
            if ahead < 0 or ahead in trail:
                continue
            city = city_at[ahead]
            if city > start and (leave + 3) % 6 in spurs[city]:
                by_tiles = found.setdefault((start, city), {})
                total = cost + ridge[hex_][leave]
                by_tiles[len(trail)] = min(total, by_tiles.get(len(trail), total))
            elif city < 0 and len(trail) < 8:
                lay(start, ahead, (leave + 3) % 6, cost, trail)

    for city in range(record.n_cities):
        for side in spurs[city]:
            lay(city, beside[record.city_hex[city]][side], (side + 3) % 6, 0, ())
    return found


def cheapest(found, names, start, goal, most=8, by_links=False):
    """(cost, links) of the cheapest way over links, or (links, cost) of the one with fewest."""
    ways = {}
    for (a, b), by_tiles in found.items():
        costs = [cost for tiles, cost in by_tiles.items() if tiles <= most]
        if costs:
            ways.setdefault(a, []).append((b, min(costs)))
            ways.setdefault(b, []).append((a, min(costs)))
    waiting, done = [(0, 0, names.index(start))], set()
    while waiting:
        first, second, here = heapq.heappop(waiting)
        if names[here] == goal:
            return first, second
        if here in done:
            continue
        done.add(here)
        for there, cost in ways.get(here, ()):
            add = (1, cost) if by_links else (cost, 1)
            heapq.heappush(waiting, (first + add[0], second + add[1], there))
    return 0, 0


# Fewest tiles of a link, and the cost with that many. Those of the Eastern board were reported.
LINKS = {
    EAST: {
        ("New York", "Philadelphia"): (1, 2),
        ("Baltimore", "Philadelphia"): (1, 2),
        ("Atlanta", "Savannah"): (4, 8),
        ("Chicago", "Indianapolis"): (3, 6),
        ("Raleigh", "Wilmington"): (2, 4),
        ("Pittsburgh", "Wheeling"): (1, 2),
        ("Cincinnati", "Louisville"): (1, 3),
        ("Lexington", "Louisville"): (1, 2),
        ("Cincinnati", "Indianapolis"): (2, 4),
        ("New Haven", "New York"): (1, 3),
        ("New Haven", "Providence"): (1, 2),
        ("Boston", "Providence"): (1, 2),
        ("Baltimore", "Washington"): (1, 2),
        ("Richmond", "Washington"): (1, 2),
        ("Chicago", "Toledo"): (4, 8),
        ("Detroit", "Toledo"): (1, 2),
    },
    WEST: {
        ("Portland", "Seattle"): (3, 7),
        ("Reno", "Sacramento"): (2, 6),
        ("Los Angeles", "San Diego"): (1, 2),
        ("Denver", "Salt Lake City"): (7, 29),
        ("El Paso", "Santa Fe"): (4, 9),
        ("Kansas City", "Omaha"): (3, 8),
        ("Elko", "Salt Lake City"): (2, 4),
        ("Dallas", "Houston"): (4, 8),
    },
}
# Cheapest cost and its links; fewest links of at most 4 tiles and their cost; the same with 8.
MAJOR_LINES = {
    EAST: {
        ("New York", "Chicago"): (39, 6, 5, 46, 3, 42),
        ("Baltimore", "Toledo"): (28, 2, 3, 30, 2, 28),
        ("New Orleans", "Minneapolis"): (52, 5, 0, 0, 5, 52),
        ("Atlanta", "Richmond"): (23, 2, 3, 23, 2, 23),
        ("Boston", "Washington"): (13, 5, 3, 18, 2, 20),
    },
    WEST: {
        ("Omaha", "San Francisco"): (62, 5, 7, 75, 4, 70),
        ("Seattle", "Minneapolis"): (72, 5, 8, 85, 4, 82),
        ("Los Angeles", "Kansas City"): (46, 6, 8, 54, 4, 48),
        ("Los Angeles", "Houston"): (45, 5, 7, 45, 4, 47),
        ("Seattle", "San Francisco"): (28, 5, 4, 30, 2, 34),
        ("Denver", "Salt Lake City"): (25, 4, 2, 39, 1, 29),
    },
}


@pytest.mark.parametrize("name", [EAST, WEST])
def test_prices_on_the_empty_board(name):
    document = shipped(name)
    names = [city["name"] for city in document["cities"]]
    found = links(name)
    for ends, wanted in LINKS[name].items():
        by_tiles = found[tuple(sorted(map(names.index, ends)))]
        assert (min(by_tiles), by_tiles[min(by_tiles)]) == wanted, ends
    assert set(MAJOR_LINES[name]) == {(line["a"], line["b"]) for line in document["major_lines"]}
    for ends, wanted in MAJOR_LINES[name].items():
        told = (
            *cheapest(found, names, *ends),
            *cheapest(found, names, *ends, most=4, by_links=True),
            *cheapest(found, names, *ends, by_links=True),
        )
        assert told == wanted, ends


@pytest.mark.parametrize("name", [EAST, WEST])
def test_all_cities_hang_together(name):
    """Every city can be linked to two others with at most 8 tiles, and all to all."""
    near = {city: set() for city in range(len(shipped(name)["cities"]))}
    for a, b in links(name):
        near[a].add(b)
        near[b].add(a)
    assert min(map(len, near.values())) >= 2
    reached, waiting = {0}, [0]
    while waiting:
        new = near[waiting.pop()] - reached
        reached |= new
        waiting += new
    assert reached == set(near)
