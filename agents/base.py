"""What an agent is: a record for compiled play, or an object for play in Python.

An agent in Python is any class with a method `choose`. Ten lines make one:

    class Miser:
        def __init__(self, seed):
            self.seed = seed                       # draw from this alone, and games repeat

        def choose(self, position):                # a copy that hides what the seat cannot know
            legal = position.legal()               # texts such as "bid 6" or "pass"
            if "pass" in legal:
                return "pass"
            return legal[self.seed % len(legal)]

It is played with `--agents greedy,./my_bot.py:Miser`. What its seat alone knows, such as the Rail
Baron it keeps, is in `position.secrets(position.to_move)`.
"""

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numba import int64, types

from sim.contract import NUMBERS, kernel

if TYPE_CHECKING:
    from sim.game import Position

MAX_WEIGHTS = 24
MAX_SEATS = 8
MEMO = 40  # places for what a game's heuristics keep between two calls, if they state no MEMO

# Kinds of player.
PYTHON, UNIFORM, GREEDY, SEARCH = range(4)

SEAT = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("rng", "u8"),  # the player's own stream
                ("kind", "i4"),
                ("decisions", "i4"),  # choices made among two or more legal actions
                ("options", "i4"),  # all these actions
                ("forced", "i4"),  # decisions with a single legal action
                ("noise", "f8"),  # chance of a random move
                ("rivalry", "f8"),  # what a gain of the mean rival costs
                ("without", "i4"),  # row of the table that forbids actions; 0: none is
                # The rest is for searches, see agents/mcts.py.
                ("iterations", "i4"),
                ("depth", "i4"),  # choices of a playout before it is cut off; 0: none
                ("playout", "i4"),  # number of the strategy; -1: uniform
                ("ripe", "i4"),
                ("paranoid", "i4"),
                ("reuse", "i4"),
                ("playout_looks", "i4"),  # actions that it looks at; 0: all
                ("playout_noise", "f8"),
                ("c", "f8"),
                ("trust", "f8"),
                ("widening", "f8"),
                ("scale", "f8"),
            ],
            align=True,
        ),
    )
)


class PythonAgent(Protocol):
    """An agent written in Python; a fresh one is made for every seat of every game."""

    def choose(self, position: "Position") -> str | int:
        """A legal action of `position`, as text or code."""


@kernel(types.void, NUMBERS, NUMBERS)
def evaluate(state, board, weights, out):
    """What the position is worth to each player by `weights`, in the game's own unit.

    `out` has MAX_SEATS places for that, then places in which the function may keep what it has
    worked out, together with all it rests on beside the board (one board, one `out`), so that the
    result never depends on them: MEMO of them, or as many as the game's module states as its MEMO.
    """


@kernel(int64, NUMBERS, NUMBERS)
def advise(state, board, weights, memo):
    """The code to play at once (a bid, say), or -1 where looking one decision ahead is better.

    `memo` is the `out` of `evaluate`. `state` is the player's own copy, what is hidden drawn anew
    and its stream of chance begun from the player's: a policy that leaves something to chance
    draws from `state.rng`. It may decide everything, by weights of its own.
    """


@kernel(int64, int64)
def loans(state, board, action):
    """The loans of the player to move after `action`, -1: as things stand; 0 in a game without.

    A bid is paid as if it won. What an action begins is paid to where it may end, as cheaply as
    can be; what the rules take later without asking is not counted. `state` is the caller's copy,
    to be spoilt.
    """


HEURISTICS = ("evaluate", "advise", "loans")
