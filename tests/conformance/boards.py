"""Boards and options on which every game is put through the same tests.

A new game adds an entry to each: a small board, and settings that reach what random play on the
printed options does not.
"""

import functools
import random

import sim
from sim.game import Board
from tests.sim.great_western_trail import test_against_reference as great_western_trail
from tests.sim.railways_of_the_world import test_against_reference as railways_of_the_world
from tests.sim.westward_rails import test_against_reference as westward_rails

# As many workers at the start of Great Western Trail as there may be: half a game.
SHORT = {"workers_at_start.2": 11, "workers_at_start.3": 17, "workers_at_start.4": 23}

SETTINGS = {
    "westward-rails": [
        {},
        {"demands_face_up": 1, "lease_tie": "cheapest", "demand_check": "after_each_dividend"},
        {"finish_turn_before_game_end": False, "starting_money": 60, "minimum_raise": 3},
        {"lease_when_adjacent_allowed": True, "lease_cost_per_segment": 0, "dividend_every": 3},
    ],
    # Every one on each board; the Western one has City Rotors and Fuel Depots as printed.
    "railways-of-the-world": [
        {"max_turns": 6},
        {"max_turns": 6, "auction": "first_to_pass", "tiles_per_build": 12, "goods_reduction": 3},
        {"max_turns": 6, "auction": "new_players", "fuel_depots": True, "depot_rules": "2010"},
    ],
    "great-western-trail": [
        SHORT,
        SHORT | {"rails_to_the_north": True, "building_sides": "b"},
        SHORT | {"rails_to_the_north": True, "left_disc_first": True},
        SHORT | {"building_sides": "random", "market_size": 30},
    ],
}


def _westward_rails(number: int) -> tuple[dict, dict]:
    chance = random.Random(f"conformance {number}")
    document = westward_rails.random_board(chance)
    settings = westward_rails.random_settings(chance, 6)
    settings.pop("railroads_out_of_cubes", None)
    return document, settings


def _railways_of_the_world(number: int) -> tuple[dict, dict]:
    chance = random.Random(f"conformance {number}")
    document = railways_of_the_world.random_board(chance, is_dense=number % 2 == 1)
    settings = railways_of_the_world.random_settings(chance, 6)
    return document, settings


def _great_western_trail(number: int) -> tuple[dict, dict]:
    chance = random.Random(f"conformance {number}")
    document = great_western_trail.random_board(chance)
    settings = great_western_trail.random_settings(chance, 6)
    settings.pop("workers_at_start", None)
    return document, settings | SHORT


SMALL = {
    "westward-rails": _westward_rails,
    "railways-of-the-world": _railways_of_the_world,
    "great-western-trail": _great_western_trail,
}


@functools.cache
def small_board(name: str, number: int = 0) -> Board:
    """A small board with options of its own; each number another one."""
    document, settings = SMALL[name](number)
    return sim.load(name).board_from(document, f"small board {number}", settings)


@functools.cache
def shipped_board(name: str, number: int = 0) -> Board:
    """The game's own boards and the settings above in turn."""
    game, settings = sim.load(name), SETTINGS[name]
    boards = game.boards()
    return game.board(boards[number % len(boards)], settings[number // len(boards) % len(settings)])


def board(name: str, number: int) -> Board:
    """The shipped board, then small ones, in turn."""
    return (shipped_board if number % 2 == 0 else small_board)(name, number // 2)
