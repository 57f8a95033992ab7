"""Positions for the tests of texts and tables."""

import sim
from sim.railways_of_the_world import scenarios

GAME = sim.load("railways-of-the-world")
EAST = GAME.board()
WEST = GAME.board("western_us")


# Seat 0 may deliver from Providence over its own link and one of seat 1's, who has the Hotel there.
A_DELIVERY = {
    "engine": [2, 1],
    "cubes": {"providence": ["red"]},
    "markers": [],
    "links": {"new_haven-providence": [0], "new_haven-new_york": [1]},
    "shown": ["railroad_era_begins"],
    "held": [[], ["hotel_new_york"]],
}


def at(given=None, played=(), players=2, board=EAST, **settings):
    """The position given, after some actions; a turn's action unless something else is given."""
    if settings:
        board = GAME.board(board.name, settings)
    position = board.new(players, 1)
    scenarios.give(position, {"phase": "action", "turn": 1} | (given or {}))
    for action in played:
        position.play(action)
    return position


def before_a_major_line():
    """One tile from New York to Philadelphia, 6,23 ne-sw, joins Boston to Washington."""
    links = (
        "baltimore-washington",
        "baltimore-philadelphia",
        "new_haven-new_york",
        "new_haven-providence",
        "boston-providence",
    )
    given = {"money": [9, 0], "links": dict.fromkeys(links, [0])}
    return at(given, ["build", "from new_york"])
