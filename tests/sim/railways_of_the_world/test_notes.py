"""What a player is told of an action before it is played, and of a name on the board."""

import pytest

from tests.sim.railways_of_the_world.positions import (
    A_DELIVERY,
    EAST,
    WEST,
    at,
    before_a_major_line,
)


def test_prices_and_new_bonds():
    position = at({"money": [10, 0], "engine": [3, 1], "shown": ["new_train"]})
    assert position.note("build") == "4 tiles: open $2k, water $3k, mountain $4k"
    assert position.note("upgrade") == "$10k, to level 4, 4 points by cards"
    assert position.note("urbanize toledo blue") == "$10k, 2 cubes from the bag"
    assert at().note("urbanize toledo blue") == "$10k (2 new Bonds), 2 cubes from the bag"
    assert position.note("pass") == ""


def test_a_tile_and_where_it_leads():
    position = at({"money": [9, 0]}, ["build"])
    assert position.note("from new_york") == "3 free spurs"
    position.play("from new_york")
    assert position.note("lay 6,23 ne-sw") == "open $2k, completes new_york-philadelphia"
    assert position.note("lay 5,22 e-w") == "open $2k, w to 5,21 (mountain)"
    assert position.note("lay 4,23 se-nw") == "water $3k, nw to 3,22 (mountain, beside new_haven)"
    position.play("lay 6,23 ne-w")
    assert position.note("done") == "track still unfinished when the turn ends is removed"
    assert position.note("lay 6,22 e-sw") == "open $2k, sw to 7,21 (open, beside philadelphia)"
    position.play("done")
    position = at(
        {"money": [9, 0], "stubs": [{"seat": 0, "route": ["new_york", "6,23"], "exit": "se"}]}
    )
    position.play("build")
    assert position.note("redirect 6,23 ne-sw") == "open $2k, completes new_york-philadelphia"
    assert position.note("redirect 6,23 ne-w") == "open $2k, w to 6,22 (open, beside philadelphia)"
    assert position.note("from new_york") == "2 free spurs"


def test_a_tile_that_brings_a_major_line():
    told = before_a_major_line().note("lay 6,23 ne-sw")
    assert told == "open $2k, completes new_york-philadelphia and a Major Line, 6 points"


def test_every_price_told_is_the_price_paid():
    """Of tiles over ridges and across other track too."""
    stub = {"seat": 1, "route": ["new_york", "6,23"], "exit": "w"}
    position = at({"money": [99, 0], "stubs": [stub]}, ["build"])
    priced = set()
    for city in [text for text in position.legal() if text.startswith("from ")]:
        begun = position.copy().play(city)
        for tile in begun.legal():
            what, _, rest = begun.note(tile).partition(" $")
            paid = begun.copy().play(tile).state[0].track_paid[0]
            assert rest.startswith(f"{paid}k, "), tile
            priced.add(what)
    assert {"open", "water", "mountain", "open and crossing"} <= priced
    assert any("ridge" in what for what in priced)


def test_a_delivery_and_who_earns_by_it():
    assert at(A_DELIVERY).note("deliver red providence new_york") == (
        "2 links, seat 0 +1, seat 1 +1, seat 0 +1 by cards, seat 1 +1 by cards"
    )
    both = A_DELIVERY | {"links": {"new_haven-providence": [0], "new_haven-new_york": [0, 1]}}
    position = at(both)
    assert position.note("deliver red providence new_york") == (
        "by a route to be chosen: seat 0 +1 to 2, seat 1 +0 to 1"
    )
    position.play("deliver red providence new_york")
    assert position.note("points 0 2").startswith("2 links, seat 0 +2, ")


def test_a_stop():
    given = {
        "round": 1,
        "links": {"cheyenne-denver": [0]},
        "depots": {"denver": [2, 0]},
        "cubes": {"cheyenne": ["red", "blue"]},
    }
    stop = "stop red cheyenne denver"
    assert at(given, board=WEST).note(stop) == "1 link, delivered by a later action"
    told = at(given | {"round": 3}, board=WEST).note(stop)
    assert told == "lost: no action of this turn is left to move it on"


def test_dials_and_depots():
    given = {"held": [["dispatcher"], []], "dials": {"phoenix": "black"}}
    assert at(given, board=WEST).note("dial phoenix") == "then shows none"
    given = {"links": {"cheyenne-denver": [0]}, "money": [9, 0]}
    assert at(given, ["build"], board=WEST).note("depots denver 1") == "$5k"


@pytest.mark.parametrize("board", [EAST, WEST])
def test_every_card_and_baron_says_what_it_does(board):
    position = board.new(2, 1)
    for entry in (*board.file.cards, *board.file.baron_rows):
        for word in (entry.name, entry.id, entry.name.upper()):
            told = " ".join(" ".join(position.explain(word)).split())
            assert told.startswith(entry.name)
            assert "None" not in told and "{" not in told
            points = entry.points or getattr(entry, "points_each", None)
            assert points is None or f"{points} point" in told


def test_names_explained():
    position = at({"money": [9, 0], "links": {"new_haven-new_york": [1]}, "shown": ["city_growth"]})
    told = " ".join(" ".join(position.explain("New York")).split())
    for part in (
        "New York, city at row,column 5,23: takes red cubes; has ",
        "sw to 6,23 free, w to 5,22 free, nw to 4,23 (seat 1's track)",
        "Links: seat 1 to new_haven",
        "Major Line New York to Chicago: 10 points, open",
    ):
        assert part in told
    assert position.explain("5,23") == position.explain("new_york")
    assert position.explain("6,23")[0] == "Hex at row,column 6,23: open, a tile costs $2k"
    assert any("Track: seat 1's " in line for line in position.explain("4,23"))
    assert "at once: 2 cubes from the bag into one city (1 on" in position.explain("city_growth")[0]
    assert position.explain("chicago-new_york") == [
        "Major Line New York to Chicago: 10 points, open"
    ]
    assert position.explain("nowhere") == position.explain("99,99") == []
