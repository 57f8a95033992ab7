"""Positions for the tests of texts and tables."""

import sim
from sim.railways_of_the_world import scenarios

GAME = sim.load("railways-of-the-world")
EAST = GAME.board()
WEST = GAME.board("western_us")


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
