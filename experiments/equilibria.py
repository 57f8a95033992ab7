"""Mixes of strategies in balance, from who wins in which company: pure mathematics, no files.

A *line-up* is who sits together, a multiset of strategies; seats do not matter. `shares[line_up,
strategy]` is what a copy of a strategy wins in it, line-ups in the order of `line_ups`, and any
number where the strategy is not in it. `payoffs[strategy, group]` says the same from the side of
one player: what a copy of the strategy wins among a *group* of the others, groups in the order of
`line_ups(number, players - 1)`. A *mix* has a weight for each strategy; they add to 1.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

#: Steps of the dynamics before a mix is made exact.
STEPS = 400

#: Mixes nearer to each other in every weight are one.
SAME = 1e-3

#: A mix is in balance where no strategy gains more.
BALANCED = 1e-6


class Equilibrium(NamedTuple):
    """A mix against which, when all others play it, no strategy wins more than it does itself.

    `regret` is what the best strategy would still gain, 0 but for rounding; `attracts` the share of
    the starting mixes from which play comes to it.
    """

    mix: np.ndarray
    regret: float
    attracts: float


def line_ups(number: int, players: int) -> np.ndarray:
    """All multisets of so many players out of `number` strategies: copies [line_up, strategy].

    >>> line_ups(2, 2).tolist()
    [[2, 0], [1, 1], [0, 2]]
    """
    chosen = itertools.combinations_with_replacement(range(number), players)
    return np.array([[one.count(kind) for kind in range(number)] for one in chosen])


def payoffs_of(shares: ArrayLike, players: int) -> np.ndarray:
    """Payoffs [..., strategy, group] from shares [..., line_up, strategy].

    Against a group, a strategy has what a copy of it wins in the group and itself: the heuristic
    payoff table of Walsh, Das, Tesauro and Kephart, "Analyzing complex strategic interactions in
    multi-agent systems" (2002); Wellman, "Methods for empirical game-theoretic analysis" (2006).

    Examples
    --------
    Two hawks share a fifth of the prize each, as they fight; a dove yields to a hawk.

    >>> payoffs_of([[0.2, 0], [1, 0], [0, 0.5]], players=2).tolist()
    [[0.2, 1.0], [0.0, 0.5]]
    """
    shares = np.asarray(shares, np.float64)
    number = shares.shape[-1]
    return shares[..., _groups(number, players).joined, np.arange(number)[:, None]]


def expected_shares(payoffs: np.ndarray, mix: ArrayLike, players: int) -> np.ndarray:
    """What a copy of each strategy wins when each of the others draws a strategy from a mix.

    Payoffs [..., strategy, group] and mix [..., strategy] give [..., strategy]. The others are a
    group with the multinomial chance of it.

    >>> expected_shares(payoffs_of([[0.2, 0], [1, 0], [0, 0.5]], 2), [0.5, 0.5], 2).round(3)
    array([0.6 , 0.25])
    """
    mix = np.asarray(mix, np.float64)
    return np.einsum("...ig,...g->...i", payoffs, _chances(mix, players))


def pure_replies(payoffs: np.ndarray, players: int) -> np.ndarray:
    """What the strategy of the row wins alone among copies of that of the column."""
    groups = _groups(payoffs.shape[-2], players)
    return payoffs[..., np.argmax(groups.copies, axis=0)]


def gains(payoffs: np.ndarray, mix: np.ndarray, players: int) -> np.ndarray:
    """How much more than the mix itself each strategy wins against it [..., strategy]."""
    won = expected_shares(payoffs, mix, players)
    return won - (won * mix).sum(axis=-1, keepdims=True)


def effective_number(mix: np.ndarray) -> np.ndarray:
    """How many equally frequent strategies are as diverse: e to the entropy of the weights.

    Source: Hill, "Diversity and evenness", Ecology 54 (1973).

    >>> effective_number(np.array([[0.5, 0.5, 0], [1, 0, 0]])).tolist()
    [2.0, 1.0]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(mix > 0, -mix * np.log(mix), 0.0)
    return np.exp(terms.sum(axis=-1))


def settle(payoffs: np.ndarray, start: np.ndarray, players: int, steps: int = STEPS) -> np.ndarray:
    """The symmetric equilibrium to which play comes from a starting mix [..., strategy].

    Where play does not come to rest, what it comes to may be out of balance, as `gains` tell.

    Strategies that win more than the rest become more frequent, those that win less rarer (the
    replicator dynamics of Taylor and Jonker, "Evolutionary stable strategies and game dynamics",
    1978), in steps that look one ahead, so that a circular order does not keep it going round
    (Nemirovski, "Prox-method with rate of convergence O(1/t) for variational inequalities", 2004).
    From where that leads the mix is made exact: a strategy either has no weight or gains nothing,
    as equations after Fischer, "A special Newton-type optimization method" (1992).

    Examples
    --------
    Hawks and doves: in balance where 0.2 h + (1 - h) = 0.5 (1 - h).

    >>> hawks = payoffs_of([[-0.2, 0], [1, 0], [0, 0.5]], players=2)
    >>> settle(hawks, np.array([0.5, 0.5]), players=2).round(3)
    array([0.714, 0.286])
    """
    shape = np.broadcast_shapes(payoffs.shape[:-1], start.shape)
    logs = np.log(np.broadcast_to(start, shape))
    width = np.ptp(payoffs, axis=(-2, -1), keepdims=True)[..., 0]
    rate = 1.0 / ((players - 1) * np.where(width > 0, width, 1.0))
    mix = _shares_of(logs)
    for _ in range(steps):
        ahead = _shares_of(logs + rate * expected_shares(payoffs, mix, players))
        logs = logs + rate * expected_shares(payoffs, ahead, players)
        logs -= logs.max(axis=-1, keepdims=True)
        mix = _shares_of(logs)
    tables = np.broadcast_to(payoffs, (*shape, payoffs.shape[-1]))
    exact = [_exact(tables[at], mix[at], players) for at in np.ndindex(shape[:-1])]
    return np.array(exact).reshape(shape)


def equilibria(
    payoffs: np.ndarray, players: int, starts: int = 60, seed: int = 0
) -> list[Equilibrium]:
    """The symmetric equilibria to which play comes, that of the most starting mixes first.

    Starts are all strategies alike, each nearly alone, and others drawn evenly from all mixes.
    There may be more equilibria, from which play leads away.

    Examples
    --------
    Each of two does well among its like: play comes to the one or the other.

    >>> [one.mix.tolist() for one in equilibria(payoffs_of([[2, 0], [0, 0], [0, 1]], 2), 2)]
    [[1.0, 0.0], [0.0, 1.0]]
    """
    number = payoffs.shape[-2]
    drawn = np.random.default_rng(seed).dirichlet(np.ones(number), size=starts)
    alike = np.full((1, number), 1 / number)
    begun = np.concatenate([alike, 0.1 * alike + 0.9 * np.eye(number), drawn])
    ended = settle(payoffs, begun, players)
    regret = gains(payoffs, ended, players).max(axis=-1)
    is_one = regret <= max(BALANCED, regret.min())  # play need not come to rest from everywhere
    found: dict[int, int] = {}  # how many come to the mix of that start
    for at in np.flatnonzero(is_one):
        first = (one for one in found if np.abs(ended[one] - ended[at]).max() < SAME)
        one = next(first, int(at))
        found[one] = found.get(one, 0) + 1
    return [
        Equilibrium(ended[one], max(float(regret[one]), 0.0), float(count / is_one.sum()))
        for one, count in sorted(found.items(), key=lambda item: -item[1])
    ]


class _Groups(NamedTuple):
    """The others of a table: copies [group, strategy], in how many orders [group], and the line-up
    that a strategy and a group make [strategy, group]."""

    copies: np.ndarray
    orders: np.ndarray
    joined: np.ndarray


@lru_cache
def _groups(number: int, players: int) -> _Groups:
    copies = line_ups(number, players - 1)
    place = {tuple(row): index for index, row in enumerate(line_ups(number, players).tolist())}
    orders = [math.factorial(players - 1) // math.prod(map(math.factorial, row)) for row in copies]
    one = np.eye(number, dtype=int)
    joined = [
        [place[tuple(row)] for row in (copies + one[kind]).tolist()] for kind in range(number)
    ]
    return _Groups(copies, np.array(orders, float), np.array(joined))


def _chances(mix: np.ndarray, players: int) -> np.ndarray:
    """The multinomial chance of each group [..., group]."""
    groups = _groups(mix.shape[-1], players)
    powers = mix[..., None] ** np.arange(players)
    chances = groups.orders
    for kind, copies in enumerate(groups.copies.T):
        chances = chances * powers[..., kind, :][..., copies]
    return chances


def _slopes(payoffs: np.ndarray, mix: np.ndarray, players: int) -> np.ndarray:
    """Derivative of the expected shares [strategy] by the weights [weight]: one of the others is
    fixed, and the rest drawn."""
    one_fixed = payoffs[:, _groups(len(mix), players - 1).joined]
    return (players - 1) * one_fixed @ _chances(mix, players - 1)


def _shares_of(logs: np.ndarray) -> np.ndarray:
    weights = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def _exact(payoffs: np.ndarray, mix: np.ndarray, players: int) -> np.ndarray:
    """The equilibrium near a mix; the mix itself where that is nearer to balance."""
    from scipy.optimize import root

    number = len(mix)
    width = np.ptp(payoffs) or 1.0

    def system(unknown: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        weights, value = unknown[:number], unknown[number]
        lag = (value - expected_shares(payoffs, weights, players)) / width
        # 0 where the one is 0 and the other is not less.
        size = np.hypot(weights, lag) + 1e-300
        rows = np.zeros((number + 1, number + 1))
        of_lag = 1.0 - lag / size
        rows[:number, :number] = -of_lag[:, None] * _slopes(payoffs, weights, players) / width
        rows[:number, :number] += np.diag(1.0 - weights / size)
        rows[:number, number] = of_lag / width
        rows[number, :number] = 1.0
        return np.append(weights + lag - size, weights.sum() - 1.0), rows

    value = mix @ expected_shares(payoffs, mix, players)
    options = {"maxiter": 200}  # evaluations
    start = np.append(mix, value)
    solved = root(system, start, jac=True, method="lm", tol=1e-13, options=options).x[:number]
    found = np.where(solved > 1e-9, solved, 0.0)
    if not found.sum() > 0:
        return mix
    found /= found.sum()
    regrets = [gains(payoffs, one, players).max() for one in (found, mix)]
    return found if regrets[0] <= max(regrets[1], 1e-12) else mix
