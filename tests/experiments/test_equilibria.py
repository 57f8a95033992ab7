"""Mixes in balance: games worked by hand, slow twins, and a linear programme."""

import itertools
import math

import numpy as np
import pytest

from experiments import equilibria as module
from experiments.equilibria import (
    effective_number,
    equilibria,
    expected_shares,
    gains,
    line_ups,
    payoffs_of,
    pure_replies,
    settle,
)
from experiments.ratings import maximal_lottery

#: Who is alone does well; 3 players, by hand: a weighs 5/7, the root of 7x² - 12x + 5 below 1.
RARE = [[1 / 3, 0], [0.3, 0.4], [0.5, 0.25], [0, 1 / 3]]


def random_shares(rng, number, players, spread=0.2):
    """Win shares by random strengths of the copies in each line-up."""
    copies = line_ups(number, players)
    weights = np.exp(rng.normal(size=copies.shape, scale=spread)) * (copies > 0)
    return weights / (weights * copies).sum(axis=1, keepdims=True)


def two_players(wins):
    """Shares of a game of two players from wins[row, column]."""
    wins = np.asarray(wins, float)
    return [
        [wins[i, j] if one == i else wins[j, i] if one == j else 0 for one in range(len(wins))]
        for i, j in itertools.combinations_with_replacement(range(len(wins)), 2)
    ]


# ---- line-ups and payoffs


@pytest.mark.parametrize(("number", "players"), [(5, 4), (2, 2), (3, 6), (1, 3)])
def test_line_ups_are_all_multisets(number, players):
    found = line_ups(number, players)
    assert len(found) == math.comb(number + players - 1, players)
    assert len({tuple(row) for row in found.tolist()}) == len(found)
    assert (found.sum(axis=1) == players).all() and (found >= 0).all()


@pytest.mark.parametrize(("number", "players"), [(3, 4), (4, 3), (2, 5), (4, 2)])
def test_expected_shares_agree_with_all_opponents_one_by_one(number, players):
    rng = np.random.default_rng(players)
    shares = random_shares(rng, number, players)
    place = {tuple(row): at for at, row in enumerate(line_ups(number, players).tolist())}
    mix = rng.dirichlet(np.ones(number))
    wanted = np.zeros(number)
    for one in range(number):
        for others in itertools.product(range(number), repeat=players - 1):
            copies = tuple(((one, *others)).count(kind) for kind in range(number))
            wanted[one] += math.prod(mix[list(others)]) * shares[place[copies]][one]
    payoffs = payoffs_of(shares, players)
    assert expected_shares(payoffs, mix, players) == pytest.approx(wanted, abs=1e-12)
    # As shares of a game add up to 1, the mix has its fair share against itself.
    assert mix @ wanted == pytest.approx(1 / players)
    many = expected_shares(np.array([payoffs, payoffs]), np.array([mix, mix[::-1]]), players)
    assert many[0] == pytest.approx(wanted) and many[1] != pytest.approx(wanted)


@pytest.mark.parametrize(("number", "players"), [(3, 4), (4, 2)])
def test_slopes_agree_with_differences(number, players):
    rng = np.random.default_rng(number)
    payoffs = payoffs_of(random_shares(rng, number, players), players)
    mix, step = rng.dirichlet(np.ones(number)), 1e-6
    for weight in range(number):
        ends = (mix + sign * step * np.eye(number)[weight] for sign in (1, -1))
        more, less = (expected_shares(payoffs, end, players) for end in ends)
        found = module._slopes(payoffs, mix, players)[:, weight]
        assert found == pytest.approx((more - less) / (2 * step), abs=1e-8)


def test_pure_replies_are_those_of_the_line_ups():
    shares = random_shares(np.random.default_rng(3), 3, 4)
    replies = pure_replies(payoffs_of(shares, 4), 4)
    at = {tuple(row): place for place, row in enumerate(line_ups(3, 4).tolist())}
    assert replies[0, 2] == shares[at[1, 0, 3]][0] and replies[2, 0] == shares[at[3, 0, 1]][2]
    assert replies.diagonal() == pytest.approx([0.25] * 3)


# ---- equilibria


def only(shares, players):
    """The one equilibrium."""
    (found,) = equilibria(payoffs_of(shares, players), players)
    assert found.attracts == 1 and found.regret < 1e-12
    return found.mix


def test_rock_paper_scissors():
    """The dynamics alone would go round for ever."""
    wins = [[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]]
    assert only(two_players(wins), 2) == pytest.approx([1 / 3] * 3)


def test_who_is_best_against_all_remains_alone():
    strength = np.array([1.0, 1.6, 1.2])
    copies = line_ups(3, 4)
    shares = strength * (copies > 0) / (copies @ strength)[:, None]
    assert only(shares, 4).tolist() == [0, 1, 0]


def test_hawks_and_doves():
    """Two hawks fight for 2 at a cost of 4: as many hawks as the prize is of the cost."""
    shares = two_players([[-1, 2], [0, 1]])
    assert only(shares, 2) == pytest.approx([0.5, 0.5])


def test_three_players_by_hand():
    assert only(RARE, 3) == pytest.approx([5 / 7, 2 / 7])
    # Nothing is left to gain; the mix of equal parts leaves something.
    payoffs = payoffs_of(RARE, 3)
    assert gains(payoffs, np.array([5 / 7, 2 / 7]), 3) == pytest.approx([0, 0], abs=1e-12)
    assert gains(payoffs, np.array([0.5, 0.5]), 3).max() > 0.01


def test_where_likes_do_well_there_are_several():
    """From above a third of the first, play comes to the first alone, else to the second."""
    found = equilibria(payoffs_of(two_players([[2, 0], [0, 1]]), 2), 2, starts=500)
    assert [one.mix.tolist() for one in found] == [[1, 0], [0, 1]]
    assert found[0].attracts == pytest.approx(2 / 3, abs=0.07)
    assert sum(one.attracts for one in found) == pytest.approx(1)
    payoffs = payoffs_of(two_players([[2, 0], [0, 1]]), 2)
    starts = np.array([[0.34, 0.66], [0.33, 0.67]])
    assert settle(payoffs, starts, 2) == pytest.approx(np.eye(2))


@pytest.mark.parametrize("seed", range(10))
def test_of_two_players_the_mix_is_the_maximal_lottery(seed):
    half = np.triu(np.random.default_rng(seed).uniform(-0.5, 0.5, size=(5, 5)), 1)
    margins = half - half.T
    assert only(two_players(0.5 + margins), 2) == pytest.approx(maximal_lottery(margins), abs=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_nobody_gains_against_a_mix_in_balance(seed):
    rng = np.random.default_rng(seed)
    number, players = int(rng.integers(2, 6)), int(rng.integers(3, 6))
    payoffs = payoffs_of(random_shares(rng, number, players), players)
    for one in equilibria(payoffs, players, starts=10):
        assert one.mix.sum() == pytest.approx(1) and one.mix.min() >= 0
        assert one.regret == pytest.approx(0, abs=1e-9)
        against = expected_shares(payoffs, one.mix, players)
        assert against.max() == pytest.approx(1 / players)


def test_names_do_not_matter():
    shares = random_shares(np.random.default_rng(8), 3, 3)
    order = [2, 0, 1]
    place = {tuple(row): at for at, row in enumerate(line_ups(3, 3).tolist())}
    renamed = shares[[place[tuple(row)] for row in line_ups(3, 3)[:, np.argsort(order)].tolist()]]
    alike = np.full(3, 1 / 3)
    found = settle(payoffs_of(renamed[:, order], 3), alike, 3)
    assert found == pytest.approx(settle(payoffs_of(shares, 3), alike, 3)[order], abs=1e-9)


def test_where_all_are_alike_any_mix_is_in_balance():
    shares = np.full((10, 3), 1 / 3)
    start = np.array([0.5, 0.3, 0.2])
    assert settle(payoffs_of(shares, 3), start, 3) == pytest.approx(start)


def test_effective_number():
    assert effective_number(np.full(4, 0.25)) == pytest.approx(4)
    assert effective_number(np.array([0.9, 0.1, 0.0])) == pytest.approx(0.9**-0.9 * 0.1**-0.1)
