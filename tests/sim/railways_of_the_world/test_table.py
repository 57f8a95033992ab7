"""A position as a table, and what is told of an action."""

import random

import pytest

from tests.sim.railways_of_the_world.positions import (
    A_DELIVERY,
    EAST,
    GAME,
    WEST,
    at,
    before_a_major_line,
)


def told_of(position, action):
    before = position.copy()
    position.play(action)
    told = GAME.table.changes(position.board, before, position)
    assert not any(line.endswith(".") or "\n" in line for line in told)
    return told


# ------------------------------------------------------------------------------------ the table


@pytest.mark.parametrize("board", [EAST, WEST])
@pytest.mark.parametrize("players", [2, 6])
def test_the_table_fits_a_terminal(board, players):
    board = GAME.board(board.name, {"max_turns": 5})
    draw = random.Random(players)
    position = board.new(players, players)
    while not position.is_over:
        assert max(map(len, str(position).splitlines())) <= 80
        before = position.copy()
        position.play(draw.choice(_one_verb(position, draw)))
        told = GAME.table.changes(board, before, position)
        assert len(set(told)) == len(told)
    assert max(map(len, str(position).splitlines())) <= 80
    assert f"the game is over: {position.end_reason}" in told


def _one_verb(position, draw):
    """Legal codes of one kind, so that no kind is rare."""
    kinds = {}
    for code in position.legal_codes().tolist():
        kinds.setdefault(position.text(code).split()[0], []).append(code)
    return kinds[draw.choice([verb for verb in kinds if verb not in ("done", "pass")] or ["pass"])]


def shows(position, *parts):
    """The table, after a check that it has the parts, however they are spaced."""
    text = str(position)
    for part in parts:
        assert " ".join(part.split()) in " ".join(text.split()), f"{part!r} is not in\n{text}"
    return text


def test_head_and_what_is_decided():
    position = EAST.new(3, 1)
    shows(position, "Railways of the World · 3 players · Eastern U.S., hexes and cities as on")
    shows(position, "Set-up · seat 0 decides: keep a Baron")
    given = {"phase": "bid", "turn": 3, "bid": 7, "high_bidder": 1, "passed": [2], "to_move": 0}
    shows(at(given, players=3), "Turn 3 · seat 0 decides: bid, $7k by seat 1; passed: 2")
    shows(at({"phase": "bid", "turn": 3}), "seat 0 decides: bid, no bid yet")
    shows(at({"round": 2}), "Turn 1, round 2 · seat 0 decides: action")
    shows(at({"actions_left": 2}), "seat 0 decides: action (2 actions left)")
    position = at(played=["build", "from new_york"])
    shows(position, "seat 0 decides: first tile (4 tiles left)")


def test_the_question_about_a_route():
    given = {
        "engine": [2, 1],
        "cubes": {"providence": ["red"]},
        "links": {"new_haven-providence": [0], "new_haven-new_york": [0, 1]},
    }
    position = at(given, ["deliver red providence new_york"])
    shows(
        position,
        "route of the red cube from providence to new_york: points of seat 0 by this move",
    )


def test_the_players():
    given = {
        "order": [1, 0],
        "money": [0, 12],
        "bonds": [3, 0],
        "points": [34, 5],
        "banked": [100, 0],
        "engine": [4, 1],
        "links": {"new_york-philadelphia": [0, 1], "baltimore-philadelphia": [1]},
        "held": [["hotel_new_york", "tunnel_engineer"], ["government_land_grant"] * 2],
        "used": [["tunnel_engineer"], []],
    }
    shows(
        at(given),
        "0 2 $0k 3 $9k 100+34 4 1",
        "> 1 1 $12k 0 $7k 5 1 2",
        "Seat 0 holds: hotel_new_york, tunnel_engineer (used)",
        "Seat 1 holds: government_land_grant x2",
        "Seat 0's links: new_york-philadelphia",
        "Seat 1's links: baltimore-philadelphia, new_york-philadelphia",
    )


def test_cities_and_goods():
    given = {
        "cubes": {"new_york": ["red", "blue", "red"], "toledo": ["black"], "boston": []},
        "colours": {"toledo": "purple"},
        "markers": ["boston", "albany"],
    }
    text = shows(
        at(given),
        "Empty City Markers 2 of 10: albany -, boston Y",
        "new_york R R2 B1",
        "toledo P K1",
        "New City tiles: blue 3, yellow 3, purple 2, black 3",
    )
    assert "boston " not in text.split("Cities with cubes")[1]
    shows(
        at({"dials": {"phoenix": "black"}, "cubes": {"phoenix": ["red"]}}, board=WEST),
        "after a /, the dial",
        "phoenix Y/K R1",
    )
    shows(at({"triggered": 2, "turn": 4}), "The end is triggered: turn 5 is the last.")


def test_cards_and_lines():
    given = {
        "shown": ["new_train", "city_growth", "city_growth", "hotel_boston"],
        "deck": ["new_industry"],
        "major_lines": {"baltimore-toledo": 1},
    }
    shows(
        at(given),
        "Goals on display: new_train",
        "Cards on display (1 more in the deck): hotel_boston, city_growth x2",
        "Major Lines open: new_york-chicago 10, new_orleans-minneapolis 10,",
        "Major Lines done: baltimore-toledo 6 by seat 1",
    )


def test_unfinished_links_depots_and_stopped_cubes():
    given = {
        "stubs": [{"seat": 1, "route": ["denver", "13,19"], "exit": "e"}],
        "links": {"cheyenne-denver": [0]},
        "depots": {"denver": [2, 0]},
        "stopped": [{"seat": 0, "colour": "blue", "route": ["cheyenne", "denver"]}],
    }
    shows(
        at(given, board=WEST),
        "Unfinished: seat 1 from denver to 13,19 e",
        "Seat 0's Fuel Depots: denver x2",
        "Stopped: seat 0's blue cube in denver (1 link from cheyenne)",
    )
    shows(
        at(given, board=WEST, depot_example_1="removed"),
        "Stopped: seat 0's blue cube off the map, to go on in denver (1 link from cheyenne)",
    )


def test_barons_are_hidden_until_the_end():
    position = at({"barons": ["richest", "most_links"]}, max_turns=1)
    for _ in range(6):
        assert "richest" not in str(position)
        told = told_of(position, "pass")
    shows(position, "Over after turn 1 (turn limit): ", "Rail Barons by seat: richest, most_links")
    assert "seat 0 shows the Rail Baron richest: 0 points" in told


def test_a_viewer_sees_the_own_baron_and_no_other():
    position = at({"barons": ["richest", "most_links"]})
    for viewer, own, other in ((0, "richest", "most_links"), (1, "most_links", "richest")):
        assert position.secrets(viewer) == [own]
        assert f"Seat {viewer}'s own Rail Baron: {own} (most " in position.table(viewer)
        assert other not in position.table(viewer)
        assert own in position.determinized(viewer, 7).table(viewer)
    assert "Rail Baron" not in position.table()
    dealt = EAST.new(2, 1)
    assert [f"keep {name}" for name in dealt.secrets(0)] == dealt.legal()
    assert "Rail Baron" not in dealt.table(0)
    dealt.play("keep fewest_bonds")
    assert dealt.secrets(0) == ["fewest_bonds"]
    assert len(dealt.secrets(1)) == 2


def test_the_map_as_text():
    lines = at({"links": {"new_haven-new_york": [1]}}, ["build", "from new_york", "lay 6,23 ne-w"])
    chart = GAME.table.chart(lines)
    rows = {line[:3].strip(): line[4:] for line in chart if line[:3].strip().isdecimal()}
    assert rows["5"][2 * 23 + 1 :] == "NY"
    assert rows["6"][2 * 23 : 2 * 23 + 2].strip() == "0"
    assert rows["4"][2 * 23 : 2 * 23 + 2].strip() == "1"
    assert rows["0"][2 * 19 : 2 * 19 + 1] == "^"
    assert max(map(len, chart)) < 80


# ------------------------------------------------------------------------------ what has changed


def test_the_auction_is_told():
    position = at({"phase": "bid", "money": [10, 0]})
    assert told_of(position, "bid 3") == []
    assert told_of(position.copy(), "pass") == [
        "seat 0 is First Player; the order is 0, 1",
        "seat 0: $10k to $7k",
    ]
    told_of(position, "bid 12")
    assert told_of(position, "pass") == [
        "seat 1 is First Player; the order is 1, 0",
        "seat 1: $0k to $3k, 3 bonds issued",
    ]


def test_a_link_and_a_major_line_are_told():
    position = at({"money": [9, 0]}, ["build", "from new_york"])
    assert told_of(position, "lay 6,23 ne-sw") == [
        "seat 0's link new_york-philadelphia is complete, 1 tile",
        "seat 0: $9k to $7k",
    ]
    position = before_a_major_line()
    assert told_of(position, "lay 6,23 ne-sw") == [
        "seat 0's link new_york-philadelphia is complete, 1 tile",
        "seat 0 completes the Major Line boston-washington, 6 points",
        "seat 0: 0 to 6 points (6 for a Major Line)",
        "seat 0: $9k to $7k",
    ]


def test_a_delivery_is_told():
    assert told_of(at(A_DELIVERY), "deliver red providence new_york") == [
        "a red cube comes from providence to new_york over 2 links",
        "an Empty City Marker is placed in providence (1 of 10)",
        "seat 0 earns railroad_era_begins",
        "seat 0: 0 to 2 points (1 for links, 1 for cards)",
        "seat 1: 0 to 2 points (1 for links, 1 for cards)",
    ]
    told = told_of(
        at(A_DELIVERY | {"markers_placed": 9, "turn": 4}), "deliver red providence new_york"
    )
    assert "an Empty City Marker is placed in providence (10 of 10)" in told
    assert "that was the last marker: turn 5 is the last" in told


def test_a_stop_and_its_loss_are_told():
    given = {
        "round": 1,
        "links": {"cheyenne-denver": [0]},
        "depots": {"denver": [2, 0]},
        "cubes": {"cheyenne": ["red", "blue"]},
    }
    position = at(given, board=WEST)
    assert told_of(position, "stop red cheyenne denver") == [
        "a red cube stops in denver after 1 link",
        "seat 0 takes a Fuel Depot back from denver",
    ]
    position.play("pass")
    assert told_of(position, "upgrade")[0] == "seat 0's stopped red cube goes to the bag"
    position = at(given | {"round": 3}, board=WEST)
    assert "seat 0's stopped red cube goes to the bag" in told_of(
        position, "stop red cheyenne denver"
    )


def test_cubes_markers_engines_and_cards_are_told():
    position = at({"cubes": {"toledo": []}, "markers": ["toledo"], "money": [10, 0]})
    told = told_of(position, "urbanize toledo blue")
    assert told[0].startswith("toledo gets ")
    assert told[1:] == ["an Empty City Marker is taken off toledo (0 of 10)", "seat 0: $10k to $0k"]
    position = at({"engine": [3, 1], "shown": ["new_train"]})
    assert told_of(position, "upgrade") == [
        "seat 0 earns new_train",
        "seat 0: engine of level 4",
        "seat 0: 0 to 4 points (4 for cards)",
        "seat 0: $0k to $0k, 2 bonds issued",
    ]
    position = at({"held": [["government_land_grant"], []]}, ["build"])
    assert told_of(position, "use government_land_grant") == ["government_land_grant is discarded"]


def test_a_dial_is_told():
    given = {"held": [["dispatcher"], []], "dials": {"phoenix": "black"}}
    assert told_of(at(given, board=WEST), "dial phoenix") == [
        "the dial of phoenix shows none",
        "dispatcher is discarded",
    ]


def test_the_end_of_a_turn_is_told():
    given = {
        "round": 3,
        "order": [1, 0],
        "to_move": 0,
        "turn": 2,
        "money": [0, 3],
        "bonds": [1, 10],
        "points": [10, 0],
        "stubs": [{"seat": 1, "route": ["new_york", "6,23"], "exit": "se"}],
        "deck": ["city_growth"],
        "shown": [],
    }
    assert told_of(at(given), "pass") == [
        "seat 1's unfinished track is removed",
        "income: seat 0 $12k, seat 1 $0k; dividends: $1k a bond",
        "seat 0: $0k to $11k",
        "seat 1: $3k to $3k, 2 bonds issued",
        "city_growth is added to the display",
        "turn 3 begins",
    ]
    told = told_of(at(given | {"triggered": 3, "last_turn": 3, "markers_placed": 10}), "pass")
    assert told[-3] == "all Empty City Markers are removed"
    assert told_of(at({"round": 1, "to_move": 1}), "pass") == ["round 2 begins"]


def test_track_laid_and_removed_at_once_is_told():
    given = {"round": 3, "order": [1, 0], "to_move": 0}
    position = at(given, ["build", "from new_york"], tiles_per_build=1)
    assert "seat 0's unfinished track is removed" in told_of(position, "lay 5,22 e-w")
