"""Positions for the tests of texts and tables."""

import sim
from sim.great_western_trail import scenarios

GAME = sim.load("great-western-trail")
BASE = GAME.board()
NORTH = GAME.board(settings={"rails_to_the_north": True, "building_sides": "b"})
MIXED = GAME.board(settings={"building_sides": "random", "neutral_buildings": "random"})


EMPTY = {"hazards": {"*": "none"}, "teepees": {"*": "none"}}


def at(given=None, played=(), players=2, board=BASE, **settings):
    """The position given, after some actions; without hazards and teepees that are not given."""
    if settings:
        board = GAME.board(board.name, settings)
    position = board.new(players, 1)
    scenarios.give(position, EMPTY | (given or {}))
    for action in played:
        position.play(action)
    return position
