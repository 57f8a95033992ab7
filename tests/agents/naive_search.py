"""A slow twin of tree search: small positions solved to the end, every action tried.

Where a player is indifferent, either action may be played; what could come of that is kept as a
set, so that a best action is best whatever the others do when it makes no difference to them.
"""

import itertools
from typing import NamedTuple

import numpy as np

from sim import contract
from sim.game import Position

Shares = tuple[float, ...]


class TooLarge(Exception):
    """The position has more to try than it may."""


class Solution(NamedTuple):
    """What may come of a position; what of each action, if it is a choice.

    `line` is what best play leads through, from this choice on: None unless at each of its choices
    one action is better for the mover than every other.
    """

    shares: frozenset[Shares]
    actions: dict[int, frozenset[Shares]]
    line: tuple[int, ...] | None


def solve(position: Position, most: int) -> Solution:
    """Max-n by trying everything; raises TooLarge beyond `most` positions."""
    return _solve(position.copy(), itertools.count(most, -1))


def _solve(position: Position, left: itertools.count) -> Solution:
    if next(left) <= 0:
        raise TooLarge
    state, board = position.state, position.board.record
    while not position.is_over:
        codes = position.legal_codes().tolist()
        if len(codes) > 1:
            break
        contract.run("apply", state, board, codes[0])
    if position.is_over:
        shares = np.zeros(position.game.rules.MAX_PLAYERS)
        contract.run("payoffs", state, board, shares)
        return Solution(frozenset([tuple(shares[: position.players].tolist())]), {}, ())
    seat = position.to_move
    after = {}
    for code in codes:
        copy = position.copy()
        contract.run("apply", copy.state, board, code)
        after[code] = _solve(copy, left)
    least = {code: min(each[seat] for each in then.shares) for code, then in after.items()}
    most = {code: max(each[seat] for each in then.shares) for code, then in after.items()}
    best = max(least, key=least.get)
    line = after[best].line
    if line is None or any(most[code] >= least[best] for code in codes if code != best):
        line = None
    else:
        line = (best, *line)
    possible = [then.shares for code, then in after.items() if most[code] >= least[best]]
    found = {code: then.shares for code, then in after.items()}
    return Solution(frozenset().union(*possible), found, line)
