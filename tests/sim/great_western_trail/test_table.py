"""A position as a table, and what is told of an action."""

import random

import pytest

from tests.sim.great_western_trail.positions import BASE, GAME, MIXED, NORTH, at
from tests.sim.great_western_trail.test_actions import A_CHOICE, one_kind


def shows(position, *parts, viewer=None):
    """The table, after a check that it has the parts, however they are spaced."""
    text = position.table(viewer)
    for part in parts:
        assert " ".join(part.split()) in " ".join(text.split()), f"{part!r} is not in\n{text}"
    return text


def told_of(position, action):
    before = position.copy()
    position.play(action)
    told = GAME.table.changes(position.board, before, position)
    assert not any(line.endswith(".") or "\n" in line for line in told)
    return told


# ------------------------------------------------------------------------------------ the table


@pytest.mark.parametrize("board", [BASE, NORTH, MIXED], ids=["base", "north", "mixed"])
@pytest.mark.parametrize("players", [2, 4])
def test_the_table_fits_a_terminal_and_changes_are_told_once(board, players):
    draw = random.Random(players)
    position = board.new(players, players)
    while not position.is_over:
        before = position.copy()
        position.play(draw.choice(one_kind(position, draw)))
        told = GAME.table.changes(board, before, position)
        assert len(set(told)) == len(told)
        if draw.random() < 0.1:
            assert max(map(len, position.table(0).splitlines())) < 80
            assert max(map(len, GAME.table.chart(position))) < 80
    assert max(map(len, str(position).splitlines())) < 80
    assert f"the game is over: {position.end_reason}" in told
    shows(position, "Over after turn", "points")


def test_head_and_what_is_decided():
    position = BASE.new(3, 1)
    shows(position, "Great Western Trail · 3 players · First edition")
    shows(position, "Turn 1 · seat 0 decides: place the cattleman")
    for given, played, told in (
        ({"at": ["start", "a"]}, [], "move, up to 3 steps"),
        (A_CHOICE, ["move e"], "way to e"),
        ({"at": ["start", "a"]}, ["move a"], "actions on a"),
        ({"at": ["a", "a"], "money": [9, 0]}, ["move b", "use build"], "build, $2 a craftsman"),
        (
            {"at": ["a", "a"], "money": [9, 0]},
            ["move b", "use build", "build tile 1"],
            "building space for 1a, $2 a craftsman",
        ),
        ({"at": ["b", "b"]}, ["move c", "use engine"], "engine forward, up to 1 space"),
        (
            {"at": ["c", "c"], "engine": ["3", "0"], "cleared": [["certificate"], []]},
            ["move d", "use auxiliary"],
            "choice: auxiliary",
        ),
        (
            {"at": ["f", "f"], "engine": ["3", "0"], "cleared": [["certificate"], []]},
            ["move g", "use back 1 for certificate"],
            "engine back, exactly 1 space",
        ),
        (
            {"at": ["b", "b"], "engine": ["4", "0"], "money": [9, 0]},
            ["move c", "use engine", "engine to 4.5"],
            "upgrade at station 4.5",
        ),
        (
            {"at": ["e", "e"], "money": [9, 0], "hazards": {"flood1": "green_2", "*": "none"}},
            ["move f", "use hazard 7"],
            "hazard, for $7",
        ),
        (
            {"at": ["g", "g"], "hand": [["guernsey"], []], "foresight": [[], [], ["cowboy"]]},
            ["move kansas_city"],
            "foresight, column 3",
        ),
        (
            {"at": ["g", "g"], "hand": [["guernsey"], []], "foresight": [[], [], []]},
            ["move kansas_city", "spend 0"],
            "delivery of the value 2",
        ),
        (
            {"at": ["g", "g"], "hand": [["guernsey"], []], "foresight": [[], [], []]},
            ["move kansas_city", "spend 0", "deliver topeka"],
            "disc for topeka",
        ),
    ):
        shows(at(given, played), f" · seat 0 decides: {told}")


def test_the_players():
    given = {
        "at": ["flood_risk1", "none"],
        "money": [0, 12],
        "cowboys": [3, 1],
        "craftsmen": [1, 2],
        "engineers": [6, 1],
        "cleared": [["limit_4", "move_1", "hand"], []],
        "certificates": [4, 0],
        "permanent": [1, 0],
        "engine": ["7.5", "0"],
        "buildings": {"flood_risk1": "2/0"},
        "tiles": [["flood_green_4", "blue_teepee", "blue_teepee"], []],
        "played": [["draw_5_h"], []],
        "masters": [["workers"], []],
        "hand": [["jersey", "jersey", "ayrshire"], ["guernsey"]],
    }
    text = shows(
        at(given),
        "> 0 $0 flood_risk1 3 1 6 4 of 4 +1",
        "1 $12 · 1 2 1 0 of 3",
        "7.5",
        "hazards and teepees: flood_green_4, blue_teepee x2",
        "station masters: workers",
        "discs taken: limit_4, move_1, hand",
        "building tiles used: 2",
        "flood_risk1 2a/0 *0",
        viewer=0,
    )
    assert "Seat 0's hand (breeding value 4): jersey x2, ayrshire" in text
    assert "Seat 1's hand" not in text
    assert "hand (" not in str(at(given))


def test_the_board():
    given = {
        "at": ["start", "start"],
        "hazards": {"flood1": "black_3", "*": "none"},
        "teepees": {"-2": "blue", "6": "green", "*": "none"},
        "job": {"1": ["cowboy", "engineer"], "*": []},
        "foresight": [["flood_green_2"], ["cowboy", "cowboy"], []],
        "market": ["holstein", "holstein", "texas_longhorn_7"],
        "display": ["draw_5_h", "auxiliary_sf", "..."],
        "stations": {"4.5": [0, 1]},
        "station_masters": {"4.5": "none"},
        "appointed": {"4.5": "engineer"},
        "cities": {"kansas_city": [2, 0], "topeka": [1, 1]},
    }
    text = shows(
        at(given),
        "flood1 black_3",
        "teepee6 green",
        "Teepees to trade: -2 blue, 6 green",
        "row 1 $6 cowboy engineer",
        "2 cowboy cowboy",
        "3 empty",
        "holstein x2, texas_longhorn_7",
        "draw_5_h",
        "4.5 engineer discs 0 1",
        "Discs on cities: kansas_city 0 x2, topeka 0 1",
    )
    assert "Branchlets" not in text and "tokens" not in text
    given = {
        "towns": {"42": [0, 1, "none", "none"]},
        "medium": {"43": "engine_3"},
        "new_york": ["dollars"],
    }
    shows(at(given, board=NORTH), "42 0 1", "43 (engine 3)", "New York City: dollars", "tokens")


def test_objective_cards_that_nobody_saw_taken_are_not_told():
    given = {
        "hand": [["draw_5_h", "auxiliary_sf", "ride_3_4_5"], []],
        "secret": [["draw_5_h"], []],
        "shown": [["auxiliary_sf"], []],
        "display": ["money_4_h_h", "..."],
    }
    position = at(given)
    own, other = position.table(0), position.table(1)
    assert "draw_5_h" in own and "draw_5_h" not in other
    assert "Seat 0 holds: auxiliary_sf" in other
    assert "ride_3_4_5" in other  # as a card of his deck, wherever it is
    assert "ride_3_4_5" not in "".join(line for line in other.splitlines() if "holds" in line)


def test_the_trail_as_a_chart():
    position = at({"at": ["b", "start"], "buildings": {"a2": "1/1"}})
    chart = GAME.table.chart(position)
    assert chart[0] == "start *1 > a A"
    assert "a A > a1 > a2 1a/1 > a3 > b B *0" in chart
    assert "c C > c2" in chart and "c2 > d D > e E" in chart
    assert "g G > g2 > kansas_city" in chart


# ---------------------------------------------------------------------------- what has changed


def test_tolls_are_told():
    position = at(A_CHOICE, ["move e"])
    assert told_of(position, "by c2") == ["seat 0: $9 to $5", "seat 1: $0 to $4"]


def test_steps_of_an_upgrade():
    given = {"at": ["b", "b"], "engine": ["4", "0"], "engineers": [2, 1], "money": [9, 0]}
    given |= {"station_masters": {"4.5": "hazards", "7.5": "teepees"}}
    position = at(given, ["move c", "use engine"])
    assert told_of(position, "engine to 4.5") == ["seat 0: engine from 4 to 4.5"]
    assert told_of(position, "disc dollar") == [
        "seat 0 upgrades station 4.5",
        "seat 0: $9 to $7",
    ]
    assert told_of(position, "appoint engineer") == [
        "seat 0: 0 to 1 certificate",
        "seat 0 gains the station master hazards",
    ]


def test_kansas_city():
    given = {"at": ["g", "g"], "hand": [["guernsey"], []], "money": [0, 0]}
    given |= {"foresight": [["flood_green_2"], ["cowboy"], ["blue_teepee"]]}
    position = at(given)
    assert told_of(position, "move kansas_city") == ["seat 0 reaches Kansas City"]
    assert told_of(position, "foresight flood_green_2") == ["flood_green_2 comes to flood1"]
    told = told_of(position, "foresight cowboy")
    assert told[0].startswith("a worker comes to row ")
    assert told_of(position, "foresight blue_teepee") == ["blue_teepee comes to trade minus 3"]
    assert told_of(position, "spend 0") == ["seat 0: $0 to $2"]
    assert told_of(position, "deliver topeka") == []
    told = told_of(position, "disc dollar")
    assert "seat 0 has a disc on topeka" in told
    assert "seat 0's cattleman is back at the start" in told
    assert told[-1].startswith("turn ") and told[-1].endswith(" begins")
    assert any(line.startswith("seat 0 draws") for line in told)
    assert any(line.startswith("new in column 1 of the foresight: ") for line in told)


def test_drawn_cards_are_counted_not_named():
    given = {"at": ["start", "start"], "hand": [["jersey"], []], "stack": [["guernsey"] * 5, []]}
    position = at(given, ["move a", "use draw 1"])
    assert told_of(position, "draw 1") == ["seat 0 draws 1 card"]


def test_a_game_that_ends():
    position = MIXED.new(2, 3)
    draw = random.Random(1)
    while not position.is_over:
        told = told_of(position, draw.choice(one_kind(position, draw)))
    assert told[-1] == "the game is over: job market token"
    assert told[-2] == f"points: seat 0 {position.scores[0]}, seat 1 {position.scores[1]}"
    shows(position, f"Over after turn {position.turn} (job market token): seat ")
