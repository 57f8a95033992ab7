"""A game of lots, compiled, as unlike a railway as can be: each draws a number, six times each.

It shows the loop a second game: scores below nought, and agents that leave a choice to chance.
"""

import sys
from types import SimpleNamespace

import numpy as np

from agents.base import HEURISTICS, MAX_SEATS
from sim import contract
from sim.contract import Measure, compiled
from sim.rng import below

MAX_PLAYERS, MAX_LEGAL, MAX_CODE, MAX_DECISIONS = 6, 5, 5, 10_000
END_REASONS = ("lots drawn",)
MEASURES = (Measure("lots", "lots", "lots drawn", True),)
OBSERVATION = 1
MEMO = 300  # more than the default

_COMMON = [("rng", "u8"), ("status", "i1"), ("is_over", "i1"), ("end_reason", "i1")]
_COMMON += [("n_players", "i1"), ("to_move", "i1"), ("phase", "i1"), ("turn", "i4")]
STATE = np.dtype((np.record, [("lots", "i1"), *_COMMON, ("score", "i4", (MAX_PLAYERS,))]))
BOARD = np.dtype((np.record, [("lots_board", "i1"), ("turns", "i4")]))


@compiled
def setup(state, board, n_players, seed):
    """All begin with nothing."""
    state.lots = 1
    state.rng = seed
    state.status = 0
    state.is_over = 0
    state.end_reason = -1
    state.n_players = n_players
    state.to_move = 0
    state.phase = 0
    state.turn = 0
    state.score[:] = 0


@compiled
def legal_actions(state, board, out):
    """Any of five numbers."""
    for code in range(MAX_LEGAL):
        out[code] = code
    return MAX_LEGAL if state.is_over == 0 else 0


@compiled
def apply(state, board, action):
    """The number less two counts."""
    state.score[state.to_move] += action - 2
    state.to_move += 1
    if state.to_move == state.n_players:
        state.to_move = 0
        state.turn += 1
        if state.turn == board.turns:
            state.is_over = 1
            state.end_reason = 0


@compiled
def payoffs(state, board, out):
    """The first of the best wins."""
    best = 0
    for player in range(state.n_players):
        out[player] = 0.0
        if state.score[player] > state.score[best]:
            best = player
    out[best] = 1.0


@compiled
def scores(state, board, out):
    """What was drawn."""
    for player in range(state.n_players):
        out[player] = state.score[player]


@compiled
def determinize(state, board, viewer, seed):
    """Nothing but chance is hidden."""
    state.rng = seed


@compiled
def observe(state, board, viewer, out):
    """The turn."""
    out[0] = state.turn


@compiled
def measures(state, board, out):
    """A lot a turn."""
    for player in range(state.n_players):
        out[0, player] = state.turn


@compiled
def usage(state, board, out):
    """Nothing is used."""


@compiled
def evaluate(state, board, weights, out):
    """The score."""
    out[MAX_SEATS + MEMO - 1] = 1.0
    for player in range(state.n_players):
        out[player] = state.score[player]


@compiled
def advise(state, board, weights, memo):
    """By the first weight: draw a number, or look ahead."""
    if weights[0] > 0.0:
        return int(below(state, MAX_LEGAL))
    return -1


@compiled
def loans(state, board, action):
    """Nobody lends."""
    return 0


def heuristics(game) -> SimpleNamespace:
    """In place of `agents.heuristics`."""
    contract.register(sys.modules[__name__], HEURISTICS)
    return sys.modules[__name__]


def board(turns: int) -> SimpleNamespace:
    """A board for so many turns."""
    contract.register(sys.modules[__name__])
    records = contract.record(BOARD)
    records[0].turns = turns
    game = SimpleNamespace(title="Lots", players=range(2, 7), rules=sys.modules[__name__])
    game.ready = lambda: contract.ready(STATE)
    return SimpleNamespace(game=game, record=records, elements=["none"])
