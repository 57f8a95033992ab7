"""Ratings and orders of agents from games of any number of players: pure mathematics, no files.

Games come as three arrays with a row for each game: `agents[game, seat]` is the number of the agent
in that seat, counted from 0 (several seats may hold copies of one agent; -1 is an empty seat, so
games of different player counts fit one table), `places[game, seat]` its place, 1 the best (who
ties shares a place), and `blocks[game]` the block. Games with one block number are one deal, in
whatever line-up, and are never treated as independent.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from experiments.stats import block_interval

#: Wins and losses of every agent against a ghost of weight 1, so that who always wins stays finite.
GHOST = 0.5

#: A fit ends when a step moves no log weight by more than this.
CONVERGED = 1e-9

#: Rating points for a tenfold weight.
POINTS = 400.0


class Ratings(NamedTuple):
    """Plackett-Luce ratings of agents, mean 0; 400 points are ten times the weight.

    `rating`, `low` and `high` [agent]; `samples` [sample, agent] are the ratings of the bootstrap.
    """

    rating: np.ndarray
    low: np.ndarray
    high: np.ndarray
    samples: np.ndarray

    @property
    def above(self) -> np.ndarray:
        """Share of samples in which the agent of the row is rated above that of the column.

        Equal ratings count half, so that mirrored entries add to 1. Above 0.975, the agent of the
        row is the better one beyond chance, as the difference's 95 % interval lies above 0.
        """
        lead = self.samples[:, :, None] - self.samples[:, None, :]
        return 0.5 + 0.5 * np.sign(lead).mean(axis=0)


class Pairwise(NamedTuple):
    """How often the agent of the row finishes ahead of that of the column.

    `share`, its interval `low` to `high`, and the number of `blocks` in which the two met, all
    [agent, agent]; not a number where they never met.
    """

    share: np.ndarray
    low: np.ndarray
    high: np.ndarray
    blocks: np.ndarray

    @property
    def margins(self) -> np.ndarray:
        """Share minus one half, 0 for two who never met."""
        return np.nan_to_num(self.share - 0.5)

    @property
    def ahead(self) -> np.ndarray:
        """Whether the agent of the row is ahead beyond chance: one half lies below the interval."""
        return self.low > 0.5


class Circle(NamedTuple):
    """Agents with a circular order: each is, over others, ahead of itself.

    `agents` are all of the group, rising; `cycle` one shortest way round, first agent repeated.
    """

    agents: list[int]
    cycle: list[int]


def plackett_luce(
    agents: ArrayLike,
    places: ArrayLike,
    blocks: ArrayLike,
    number: int,
    samples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Ratings:
    """Rate `number` agents by the places of their games, with a bootstrap interval for each.

    In a race of agents with weights w, each member of a group G that ties for a place, with S those
    who have that place or a worse one, contributes w_i / (sum of w over S) to the likelihood. Each
    agent also has half a win and half a loss against a ghost of weight 1. An agent without games
    keeps the ghost's weight.

    Intervals hold `level` of the ratings of `samples` bootstrap samples of the blocks, the same
    blocks for all line-ups. With few blocks they are narrow: 20 blocks gave 92 % for 95 %.

    Sources: Plackett, "The analysis of permutations", Applied Statistics 24 (1975), ties after
    Breslow, "Covariance analysis of censored survival data", Biometrics 30 (1974); Efron and
    Tibshirani, "An Introduction to the Bootstrap" (1993), percentile intervals.

    Errors
    ------
    ValueError for no games or arrays that do not fit, as told in the message.

    Examples
    --------
    Agent 0 wins three games of four against agent 1.

    >>> won = [[1, 2], [1, 2], [2, 1], [1, 2]]
    >>> plackett_luce([[0, 1]] * 4, won, [0, 1, 2, 3], 2).rating.round()
    array([ 82., -82.])
    """
    agents, places, blocks = _checked(agents, places, blocks, number)
    wins, counts, racing = _stages(agents, places, blocks, number)
    every = np.ones(len(wins))
    start = _fit(every @ wins, every @ counts, racing, np.zeros(number))

    generator = np.random.default_rng(seed)
    logs = np.empty((samples, number))
    for sample in logs:
        drawn = generator.integers(len(wins), size=len(wins))
        times = np.bincount(drawn, minlength=len(wins)).astype(np.float64)
        sample[:] = _fit(times @ wins, times @ counts, racing, start)

    ratings, sampled = _points(start), _points(logs)
    tail = 0.5 * (1.0 - level)
    low, high = np.quantile(sampled, (tail, 1.0 - tail), axis=0)
    return Ratings(ratings, low, high, sampled)


def pairwise(
    agents: ArrayLike,
    places: ArrayLike,
    blocks: ArrayLike,
    number: int,
    level: float = 0.95,
) -> Pairwise:
    """For every two agents who met: how often a copy of one is placed ahead of one of the other.

    A block's value is the share of the pairs (copy of one, copy of the other) in its games, half
    a point for a tie; `block_interval` gives the interval of each pair by itself.

    Errors
    ------
    ValueError as in `plackett_luce`.

    Examples
    --------
    Of the four pairs of copies, agent 0 wins two and ties one.

    >>> table = pairwise([[0, 1, 0, 1]], [[1, 2, 3, 3]], [0], 2)
    >>> float(table.share[0, 1]), float(table.share[1, 0]), int(table.blocks[0, 1])
    (0.625, 0.375, 1)
    """
    agents, places, blocks = _checked(agents, places, blocks, number)
    distinct, block = np.unique(blocks, return_inverse=True)
    keys, points = [], []
    for one, other in itertools.permutations(range(agents.shape[1]), 2):
        met = (agents[:, one] >= 0) & (agents[:, one] < agents[:, other])
        pair = agents[met, one] * number + agents[met, other]
        keys.append(pair * distinct.size + block[met])
        points.append(0.5 + 0.5 * np.sign(places[met, other] - places[met, one]))
    # One entry for each pair and block, sorted by pair.
    entries, entry = np.unique(np.concatenate(keys), return_inverse=True)
    values = np.bincount(entry, np.concatenate(points)) / np.bincount(entry)
    pairs, first = np.unique(entries // distinct.size, return_index=True)

    table = Pairwise(*np.full((3, number, number), np.nan), np.zeros((number, number), np.int64))
    for pair, data in zip(pairs, np.split(values, first)[1:], strict=True):
        row, column = divmod(int(pair), number)
        for here, shares in (((row, column), data), ((column, row), 1.0 - data)):
            (table.share[here], table.low[here], table.high[here], table.blocks[here]) = (
                block_interval(shares, level)
            )
    return table


def circles(ahead: ArrayLike) -> list[Circle]:
    """Find the groups of agents in which the order is circular: A ahead of B, B of C, C of A.

    `ahead[i, j]` tells whether i is ahead of j (`Pairwise.ahead`). A group is a strongly connected
    component of more than one agent: each of it is ahead of each other, over others of it.

    Examples
    --------
    >>> circles([[0, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 0, 0, 0]])
    [Circle(agents=[0, 1, 2], cycle=[0, 1, 2, 0])]
    """
    from scipy.sparse.csgraph import connected_components, shortest_path

    graph = np.asarray(ahead, dtype=bool)
    _, group_of = connected_components(graph, directed=True, connection="strong")
    steps, before = shortest_path(graph, unweighted=True, return_predecessors=True)
    found = []
    for group in np.unique(group_of):
        members = np.flatnonzero(group_of == group)
        if members.size == 1:
            continue
        # A cycle is one step and the shortest way back, which never leaves the group.
        links = [(a, b) for a in members for b in members if graph[a, b]]
        first, second = min(links, key=lambda link: steps[link[1], link[0]])
        back = [int(first)]
        while back[-1] != second:
            back.append(int(before[second, back[-1]]))
        found.append(Circle(members.tolist(), [int(first), *reversed(back)]))
    return sorted(found)


def maximal_lottery(margins: ArrayLike) -> np.ndarray:
    """Chances of each agent in the lottery that no agent beats on average: who remains.

    `margins[i, j]` is how far i is ahead of j, `-margins[j, i]` (`Pairwise.margins`). An agent
    ahead of all others has chance 1; in a circular order, chances are the optimal mixed strategy of
    the game in which each of two sides names an agent. Of several such lotteries, one whose largest
    chance is least.

    Source: Fishburn, "Probabilistic social choice based on simple voting comparisons", Review of
    Economic Studies 51 (1984).

    Errors
    ------
    ValueError for margins that are not numbers or not antisymmetric.

    Examples
    --------
    >>> maximal_lottery([[0, 0.25, -0.25], [-0.25, 0, 0.25], [0.25, -0.25, 0]]).round(3)
    array([0.333, 0.333, 0.333])
    """
    from scipy.optimize import linprog

    game = np.asarray(margins, dtype=np.float64)
    if game.ndim != 2 or not np.allclose(game, -game.T, rtol=0.0, atol=1e-9):
        raise ValueError("margins must be numbers, each the negative of its mirror image")
    number = len(game)
    # Variables: the chances and the largest of them, which is made as small as can be.
    one = np.ones((number, 1))
    solution = linprog(
        np.append(np.zeros(number), 1.0),
        A_ub=np.block([[-game.T, 0.0 * one], [np.eye(number), -one]]),
        b_ub=np.zeros(2 * number),
        A_eq=np.append(one.T, [[0.0]], axis=1),
        b_eq=[1.0],
        bounds=(0.0, 1.0),
    )
    chances = np.clip(solution.x[:number], 0.0, None)
    return chances / chances.sum()


def _stages(
    agents: np.ndarray, places: np.ndarray, blocks: np.ndarray, number: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Reduce games to what the likelihood needs.

    Wins [block, agent] count the agent's seats; counts [block, stage] tell how often a place was
    taken from those still in the race, racing [stage, seat] who that was (`number` for nobody).
    """
    from scipy.sparse import coo_array

    seated = agents >= 0
    # Whoever has the place of this seat or a worse one [game, seat, other seat].
    rest = seated[:, None, :] & (places[:, None, :] >= places[:, :, None])
    lists = np.sort(np.where(rest, agents[:, None, :], number), axis=2)[seated]
    racing, stage = np.unique(lists, axis=0, return_inverse=True)

    names, game_block = np.unique(blocks, return_inverse=True)
    block = np.repeat(game_block, seated.sum(axis=1))
    once = np.ones(block.size)
    wins = coo_array((once, (block, agents[seated])), shape=(names.size, number)).toarray()
    counts = coo_array((once, (block, stage)), shape=(names.size, len(racing))).tocsr()
    return wins, counts, racing


def _fit(wins: np.ndarray, counts: np.ndarray, racing: np.ndarray, logs: np.ndarray) -> np.ndarray:
    """Log weights [agent] of the greatest likelihood, by Newton's method from `logs` on.

    The curvature of a log of summed exponentials changes along a step by at most e to the step's
    spread (Bach, "Self-concordant analysis for logistic regression", Electronic Journal of
    Statistics 4 (2010)); so with a spread of at most 1 no step loses likelihood.
    """
    number = logs.size
    size = number + 1  # with nobody, of weight 0
    two = racing[:, :, None] * size + racing[:, None, :]
    for _ in range(200):
        weights = np.exp(logs)
        chances = np.append(weights, 0.0)[racing]  # of each to be the next [stage, seat]
        chances /= chances.sum(axis=1, keepdims=True)
        often = counts[:, None] * chances
        expected = np.bincount(racing.ravel(), often.ravel(), size)[:number]
        both = np.bincount(two.ravel(), (often[:, :, None] * chances[:, None, :]).ravel(), size**2)
        ghost = weights / (1.0 + weights)
        slope = wins + GHOST - expected - 2.0 * GHOST * ghost
        curvature = np.diag(expected + 2.0 * GHOST * ghost * (1.0 - ghost))
        curvature -= both.reshape(size, size)[:number, :number]
        step = np.linalg.solve(curvature, slope)
        # The ghost, at 0, takes part in the spread.
        spread = max(step.max(), 0.0) - min(step.min(), 0.0)
        logs = logs + step / max(spread, 1.0)
        if spread < CONVERGED:
            return logs
    raise RuntimeError("the ratings have not converged")


def _points(logs: np.ndarray) -> np.ndarray:
    """Log weights [..., agent] as ratings of mean 0."""
    points = POINTS / np.log(10.0) * logs
    return points - points.mean(axis=-1, keepdims=True)


def _checked(
    agents: ArrayLike, places: ArrayLike, blocks: ArrayLike, number: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    agents, places, blocks = np.asarray(agents), np.asarray(places), np.asarray(blocks)
    if agents.ndim != 2 or places.shape != agents.shape or blocks.shape != agents.shape[:1]:
        raise ValueError(
            f"agents {agents.shape} and places {places.shape} must be [game, seat] alike, "
            f"blocks {blocks.shape} [game]"
        )
    if len(agents) == 0:
        raise ValueError("there is no game to rate agents by")
    if agents.min() < -1 or agents.max() >= number:
        raise ValueError(f"agents must be from 0 to {number - 1}, -1 for an empty seat")
    return agents.astype(np.int64), places.astype(np.float64), blocks
