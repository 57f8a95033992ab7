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
    """What may come of a position; what of each action, if it is a choice."""

    shares: frozenset[Shares]
    actions: dict[int, frozenset[Shares]]

    def best(self, seat: int) -> int | None:
        """The one action that is better for the seat than every other; None: there is none."""
        least = {code: min(each[seat] for each in found) for code, found in self.actions.items()}
        best = max(least, key=least.get)
        others = [
            shares for code, found in self.actions.items() if code != best for shares in found
        ]
        return best if all(shares[seat] < least[best] for shares in others) else None


def solve(position: Position, most: int) -> Solution:
    """Max-n by trying everything; raises TooLarge beyond `most` positions."""
    left = itertools.count(most, -1)
    return _solve(position.copy(), left)


def _solve(position: Position, left: itertools.count) -> Solution:
    if next(left) <= 0:
        raise TooLarge
    while not position.is_over:
        codes = position.legal_codes().tolist()
        if len(codes) > 1:
            break
        position.play(codes[0])
    if position.is_over:
        shares = np.zeros(position.game.rules.MAX_PLAYERS)
        contract.run("payoffs", position.state, position.board.record, shares)
        return Solution(frozenset([tuple(shares[: position.players].tolist())]), {})
    seat = position.to_move
    found = {code: _solve(position.copy().play(code), left).shares for code in codes}
    promised = max(min(each[seat] for each in shares) for shares in found.values())
    possible = [shares for shares in found.values() if max(s[seat] for s in shares) >= promised]
    return Solution(frozenset().union(*possible), found)
