"""A search of one position, to be looked at while it goes on: moves, win shares, expected lines."""

from typing import NamedTuple

import numpy as np

from agents import Agent
from agents.loop import Batch
from agents.mcts import choose_by_search
from sim.errors import Mistake
from sim.game import Position
from sim.rng import stream

_LINE = 8  # actions of an expected line
_FEWEST = 10  # visits that a node of a line has


class Move(NamedTuple):
    """What a search thinks of an action."""

    action: str
    visits: int
    win_share: list[float]  # of every player; empty if it was never tried
    line: list[str]  # what is expected to follow, forced decisions left out


class Analysis:
    """A search of the position for the seat to move.

    Raises Mistake where nothing is to be decided, and for an agent that does not search.

    >>> import agents, sim
    >>> game = sim.load("westward-rails")
    >>> analysis = Analysis(game.new(players=3), agents.load("mcts:iterations=50", game))
    >>> while not analysis.is_done:
    ...     analysis.go_on()
    >>> sum(move.visits for move in analysis.moves())
    50
    """

    def __init__(self, position: Position, agent: Agent, seed: int = 1) -> None:
        if not agent.search:
            raise Mistake(f"{agent.spec!r} does not search; write mcts, or mcts:iterations=800.")
        if position.is_over:
            raise Mistake("The game is over: there is nothing to decide.")
        legal, forbidden = position.legal_codes(), agent.forbidden(position.board)
        if len(legal) == 1 or np.count_nonzero(~forbidden[legal]) == 1:
            raise Mistake("There is nothing to decide: only one action may be chosen.")
        self.iterations = int(agent.search["iterations"])
        self.position = position
        self.seat = position.to_move
        self.is_done = False
        line_up = [[agent] * position.players]
        seeds = np.array([[stream(seed, "analyse")] * position.players], np.uint64)
        self._batch = Batch(position.board, line_up, np.zeros(1), seeds)
        self._batch.states[0] = position.state[0]
        self._arguments = (
            self._batch.seats[0, self.seat],
            self._batch.weights[0, self.seat],
            self._batch.states[0],
            position.board.record[0],
            self._batch._legal,
            self._batch._scratch,
            self._batch._numbers,
            position.game.rules.MAX_DECISIONS,
            self._batch._search,
            (0, 0),
        )

    @property
    def done(self) -> int:
        """Iterations done."""
        return self.iterations if self.is_done else max(0, int(self._tree.done))

    @property
    def _tree(self) -> np.record:
        return self._batch._search.trees[self.seat]

    def go_on(self, budget: int = 400_000) -> None:
        """Search on until that is spent: 10 for a decision played, 1 for an action weighed."""
        if not self.is_done:
            self.is_done = choose_by_search(*self._arguments, budget)[0] >= 0

    def moves(self) -> list[Move]:
        """The legal actions, the one visited most first."""
        found = sorted(self._children(0), key=lambda child: -int(self._nodes[child].visits))
        legal = set(self.position.legal_codes().tolist())
        return [self._move(child) for child in found if int(self._nodes[child].action) in legal]

    @property
    def _nodes(self) -> np.recarray:
        return self._batch._search.nodes[self.seat]

    def _children(self, node: int) -> list[int]:
        children, child = [], int(self._nodes[node].first)
        while child >= 0:
            children.append(child)
            child = int(self._nodes[child].next)
        return children

    def _move(self, child: int) -> Move:
        visits = int(self._nodes[child].visits)
        shares = self._batch._search.values[self.seat, child] / max(1, visits)
        line, node = [], child
        while len(line) < _LINE:
            after = max(self._children(node), key=lambda c: self._nodes[c].visits, default=-1)
            if after < 0 or self._nodes[after].visits < _FEWEST:
                break
            line.append(self.position.text(int(self._nodes[after].action)))
            node = after
        action = self.position.text(int(self._nodes[child].action))
        return Move(action, visits, shares.tolist() if visits else [], line)
