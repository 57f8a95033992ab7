"""Ratings and orders: known answers, slow twins, and coverage by simulation."""

import itertools
import math
import subprocess
import sys

import numpy as np
import pytest

from experiments import ratings
from experiments.ratings import Pairwise, circles, maximal_lottery, pairwise, plackett_luce
from experiments.stats import block_interval


def random_games(rng, number, games, seats=4, ties=0.8, empty=0.0):
    """Games in which agents with higher numbers do better, with copies, ties and empty seats."""
    agents = rng.integers(number, size=(games, seats))
    score = 0.5 * agents + rng.gumbel(size=agents.shape)
    if ties:
        score = np.floor(score / ties)
    agents[:, 2:] = np.where(rng.random((games, seats - 2)) < empty, -1, agents[:, 2:])
    score[agents < 0] = -np.inf
    places = 1 + (score[:, None, :] > score[:, :, None]).sum(axis=2)
    return agents, places, rng.integers(max(1, games // 4), size=games)


def rate(agents, places, number, blocks=None, **rest):
    """Ratings with few samples, for tests that do not look at the intervals."""
    blocks = np.zeros(len(agents), int) if blocks is None else blocks
    return plackett_luce(agents, places, blocks, number, **{"samples": 2, **rest})


def slow_ratings(agents, places, number):
    """The likelihood word for word, its maximum by a general method."""
    from scipy.optimize import minimize

    def loss(logs):
        total = sum(-0.5 * x + math.log1p(math.exp(x)) for x in logs)
        for seats, order in zip(agents, places, strict=True):
            players = [(a, p) for a, p in zip(seats, order, strict=True) if a >= 0]
            for place in {p for _, p in players}:
                group = [a for a, p in players if p == place]
                race = sum(math.exp(logs[a]) for a, p in players if p >= place)
                total -= sum(logs[a] for a in group) - len(group) * math.log(race)
        return total

    found = minimize(loss, np.zeros(number), method="BFGS", options={"gtol": 1e-6})
    points = 400 * found.x / math.log(10)
    return points - points.mean()


# ---- ratings: known answers


@pytest.mark.parametrize("wins", [1, 7, 100, 100_000])
def test_who_always_wins_stays_finite(wins):
    # With weights u and 1/u the slope is wins / (1 + u^2) = (u - 1) / (u + 1) / 2: a cubic.
    u = max(np.roots([1, -1, 1 - 2 * wins, -1 - 2 * wins]).real)
    got = rate([[0, 1]] * wins, [[1, 2]] * wins, 2).rating
    assert got == pytest.approx(400 * np.log10([u, 1 / u]), abs=1e-6)


def test_two_agents_are_rated_by_their_odds():
    # Three wins to one; the ghost's game is nothing against 40,000.
    places = [[1, 2], [1, 2], [1, 2], [2, 1]] * 10_000
    got = rate([[0, 1]] * 40_000, places, 2).rating
    assert got == pytest.approx(200 * np.log10([3, 1 / 3]), abs=0.05)


def test_three_agents_with_ties_by_hand():
    # 0 and 1 tie, 4 times ahead of 2 and 2 times behind. With w_0 = w_1 = 1 and w_2 = w it is
    # w^2 / (2 + w)^(2 * 4 + 2) times a constant, greatest at w = 2 / 4.
    games = [[1, 1, 3]] * 4 + [[2, 2, 1]] * 2
    got = rate([[0, 1, 2]] * 12_000, games * 2_000, 3).rating
    assert got - got[2] == pytest.approx(400 * np.log10([2, 2, 1]), abs=0.05)


def test_copies_of_an_agent_share_its_weight():
    # Two copies of 0 against one of 1: of equal weights, 1 is first, second and last equally often.
    even = rate([[0, 0, 1]] * 3, [[2, 3, 1], [1, 3, 2], [1, 2, 3]], 2)
    assert even.rating == pytest.approx([0, 0], abs=1e-9)
    # Games among copies of one agent say nothing.
    alone = rate([[0, 0, 0], [1, 1, 1]], [[1, 2, 3], [1, 1, 3]], 2)
    assert alone.rating == pytest.approx([0, 0], abs=1e-9)


def test_published_ratings_of_baseball():
    """Agresti, "Categorical Data Analysis", 2nd edition, tables 10.10 and 10.11 (league of 1987).

    The figures are also in tests/testthat/test-baseball.R of the R package BradleyTerry2. Every
    game is counted 200 times, so that the ghost, which the book does not have, is lost.
    """
    wins = [  # Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ]
    games = [
        pair for pair in itertools.permutations(range(7), 2) for _ in range(wins[pair[0]][pair[1]])
    ]
    agents = np.tile(games, (200, 1))
    got = rate(agents, np.tile([1, 2], (len(agents), 1)), 7).rating * math.log(10) / 400
    assert (got - got[6]).round(2).tolist() == [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0]


# ---- ratings: against the slow twin, and what must not matter


@pytest.mark.parametrize("case", range(8))
def test_ratings_agree_with_slow_twin(case):
    rng = np.random.default_rng(case)
    number = (2, 3, 5, 6)[case % 4]
    ties, empty = (0.0, 0.8, 2.0)[case % 3], (0.0, 0.4)[case % 2]
    agents, places, _ = random_games(rng, number, 40, seats=3 + case % 2, ties=ties, empty=empty)
    got = rate(agents, places, number).rating
    assert got == pytest.approx(slow_ratings(agents, places, number), abs=0.01)
    assert got.sum() == pytest.approx(0, abs=1e-9)


def test_fit_converges_from_anywhere():
    rng = np.random.default_rng(31)
    agents, places, blocks = random_games(rng, 6, 400)
    # One who always wins and one who always loses are the hardest.
    places[agents == 5], places[agents == 0] = -1, 9
    wins, counts, racing = ratings._stages(agents, places, blocks, 6)
    fits = [
        ratings._fit(wins.sum(axis=0), counts.sum(axis=0), racing, start)
        for start in (np.zeros(6), *rng.normal(scale=4, size=(20, 6)))
    ]
    assert np.ptp(fits, axis=0).max() < 1e-9
    assert fits[0][5] - fits[0][4] > 4 and fits[0][1] - fits[0][0] > 4


def test_names_seats_and_numbering_of_places_do_not_matter():
    rng = np.random.default_rng(32)
    agents, places, blocks = random_games(rng, 5, 200)
    plain = rate(agents, places, 5, blocks, samples=50)
    names = rng.permutation(5)
    renamed = rate(names[agents], places, 5, blocks, samples=50)
    assert renamed.rating[names] == pytest.approx(plain.rating, abs=1e-6)
    assert renamed.low[names] == pytest.approx(plain.low, abs=1e-6)
    seats = rng.permutation(4)
    seated = rate(agents[:, seats], places[:, seats], 5, blocks, samples=50)
    assert seated.samples == pytest.approx(plain.samples, abs=1e-6)
    assert rate(agents, places**2, 5).rating == pytest.approx(plain.rating, abs=1e-6)


def test_an_empty_seat_is_no_player():
    rng = np.random.default_rng(33)
    agents, places, blocks = random_games(rng, 4, 100, seats=3)
    padded = np.column_stack([agents[:, :1], np.full(100, -1), agents[:, 1:]])
    order = np.column_stack([places[:, :1], np.full(100, 1), places[:, 1:]])
    wanted, got = (rate(*games, 4, blocks) for games in ((agents, places), (padded, order)))
    assert got.samples == pytest.approx(wanted.samples, abs=1e-9)
    met, met_padded = (pairwise(*g, blocks, 4) for g in ((agents, places), (padded, order)))
    for one, other in zip(met, met_padded, strict=True):
        np.testing.assert_array_equal(one, other)


def test_wrong_games_are_refused():
    with pytest.raises(ValueError, match=r"agents \(1, 2\) and places \(1, 3\)"):
        plackett_luce([[0, 1]], [[1, 2, 3]], [0], 2)
    with pytest.raises(ValueError, match=r"blocks \(2,\)"):
        pairwise([[0, 1]], [[1, 2]], [0, 0], 2)
    with pytest.raises(ValueError, match="from 0 to 1"):
        pairwise([[0, 2]], [[1, 2]], [0], 2)
    with pytest.raises(ValueError, match="no game"):
        plackett_luce(np.zeros((0, 2), int), np.zeros((0, 2), int), [], 2)


# ---- ratings: the bootstrap


def test_bootstrap_agrees_with_slow_twin():
    agents, places, blocks = random_games(np.random.default_rng(34), 4, 60)
    got = plackett_luce(agents, places, blocks, 4, samples=20, seed=5)
    names = np.unique(blocks)
    generator = np.random.default_rng(5)
    wanted = []
    for _ in range(20):
        drawn = names[generator.integers(names.size, size=names.size)]
        rows = np.concatenate([np.flatnonzero(blocks == name) for name in drawn])
        wanted.append(rate(agents[rows], places[rows], 4).rating)
    assert got.samples == pytest.approx(np.array(wanted), abs=1e-6)
    assert got.low == pytest.approx(np.quantile(wanted, 0.025, axis=0), abs=1e-6)
    assert got.high == pytest.approx(np.quantile(wanted, 0.975, axis=0), abs=1e-6)
    narrow = plackett_luce(agents, places, blocks, 4, samples=20, level=0.5, seed=5)
    assert (narrow.low >= got.low).all() and (narrow.high <= got.high).all()


def test_bootstrap_is_deterministic_by_seed():
    games = random_games(np.random.default_rng(35), 3, 80)
    one, again, other = (rate(*games[:2], 3, games[2], samples=30, seed=s) for s in (1, 1, 2))
    np.testing.assert_array_equal(one.samples, again.samples)
    assert (one.samples != other.samples).any()
    np.testing.assert_array_equal(one.rating, other.rating)


def test_line_ups_of_one_block_are_drawn_together():
    # In each block, 0 wins in one line-up and 1 in the other: with joint draws nothing varies.
    agents, places = [[0, 1], [0, 1]] * 30, [[1, 2], [2, 1]] * 30
    joint = rate(agents, places, 2, np.repeat(np.arange(30), 2), samples=50)
    assert np.ptp(joint.samples) < 1e-6
    apart = rate(agents, places, 2, np.arange(60), samples=50)
    assert np.ptp(apart.samples) > 50


def test_above_is_the_share_of_samples():
    samples = np.array([[10, 0, -10], [5, 5, -10], [0, 10, -10], [20, 0, -20]])
    above = ratings.Ratings(None, None, None, samples).above
    assert above.tolist() == [[0.5, 0.625, 1.0], [0.375, 0.5, 1.0], [0.0, 0.0, 0.5]]


def test_bootstrap_intervals_cover():
    """Games of known weights; in six blocks of ten, one game decides all four."""
    rng = np.random.default_rng(36)
    logs = np.array([0.6, 0.2, -0.3, -0.5])
    truth = 400 / math.log(10) * (logs - logs.mean())
    blocks = np.repeat(np.arange(100), 4)
    agents = np.tile(np.arange(4), (400, 1))
    inside, by_game = [], []
    for run in range(120):
        score = logs + rng.gumbel(size=(100, 4, 4))
        score = np.where(rng.random((100, 1, 1)) < 0.6, score[:, :1], score).reshape(400, 4)
        places = 1 + (score[:, None, :] > score[:, :, None]).sum(axis=2)
        got = plackett_luce(agents, places, blocks, 4, samples=150, seed=run)
        inside.append((got.low <= truth) & (truth <= got.high))
        if run < 30:
            got = plackett_luce(agents, places, np.arange(400), 4, samples=150, seed=run)
            by_game.append((got.low <= truth) & (truth <= got.high))
    assert 0.92 <= np.mean(inside) <= 0.975
    # What treating the games as independent would do.
    assert np.mean(by_game) < 0.85


# ---- pairwise shares


def slow_pairwise(agents, places, blocks, one, other):
    """Block values of one pair, by four loops."""
    values = []
    for block in sorted(set(blocks)):
        points = []
        for game in np.flatnonzero(blocks == block):
            for i, j in itertools.product(range(agents.shape[1]), repeat=2):
                if agents[game, i] == one and agents[game, j] == other:
                    lead = places[game, j] - places[game, i]
                    points.append(1 if lead > 0 else 0.5 if lead == 0 else 0)
        if points:
            values.append(sum(points) / len(points))
    return values


def test_pairwise_by_hand():
    # Block 7: 0 ahead, tied; block 9: behind. Agent 2 meets only 1, and 3 nobody.
    agents = [[0, 1], [1, 0], [0, 1], [2, 1], [3, 3]]
    places = [[1, 2], [1, 1], [2, 1], [1, 2], [1, 2]]
    table = pairwise(agents, places, [7, 7, 9, 9, 9], 4)
    assert table.share[0, 1] == pytest.approx((0.75 + 0) / 2)
    assert table.blocks.tolist() == [[0, 2, 0, 0], [2, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
    assert np.isnan(table.share).tolist() == (table.blocks == 0).tolist()
    assert table.margins[0].tolist() == [0, pytest.approx(-0.125), 0, 0]
    assert not table.ahead.any()
    assert not pairwise([[1, 1]], [[1, 2]], [0], 2).blocks.any()


@pytest.mark.parametrize("case", range(3))
def test_pairwise_agrees_with_slow_twin(case):
    rng = np.random.default_rng(40 + case)
    agents, places, blocks = random_games(rng, 4, 150, empty=0.2 * case)
    table = pairwise(agents, places, blocks, 4, level=0.9)
    for one, other in itertools.permutations(range(4), 2):
        wanted = block_interval(slow_pairwise(agents, places, blocks, one, other), 0.9)
        got = [part[one, other] for part in table]
        assert got == pytest.approx(list(wanted), abs=1e-9)
    assert table.margins == pytest.approx(-table.margins.T, abs=1e-12)
    assert table.ahead[3, 0] and not table.ahead[0].any()


# ---- circular orders


def arrows(number, *pairs):
    graph = np.zeros((number, number), bool)
    graph[tuple(np.transpose(pairs))] = True
    return graph


def test_circles_by_hand():
    assert circles(arrows(3, (0, 1), (1, 2), (0, 2))) == []
    assert circles(arrows(3, (0, 1), (1, 2), (2, 0))) == [([0, 1, 2], [0, 1, 2, 0])]
    assert circles(arrows(3, (0, 2), (2, 1), (1, 0))) == [([0, 1, 2], [0, 2, 1, 0])]
    # Two circles, one ahead of the other, and 3 between them; agents in any order.
    two = arrows(7, (6, 0), (0, 5), (5, 6), (6, 3), (3, 1), (1, 4), (4, 2), (2, 1))
    assert circles(two) == [([0, 5, 6], [0, 5, 6, 0]), ([1, 2, 4], [1, 4, 2, 1])]
    # Five in a ring and a short cut: 1 > 2 > 4 > 1 is shorter than the ring.
    ring = arrows(5, (0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (2, 4), (4, 1))
    assert circles(ring) == [([0, 1, 2, 3, 4], [1, 2, 4, 1])]


@pytest.mark.parametrize("seed", range(40))
def test_circles_agree_with_brute_force(seed):
    rng = np.random.default_rng(seed)
    number = int(rng.integers(1, 7))
    graph = np.triu(rng.random((number, number)) < 0.7, 1)
    flipped = np.triu(rng.random((number, number)) < 0.3, 1) & graph
    graph = (graph & ~flipped) | flipped.T
    rings = [
        ring
        for size in range(2, number + 1)
        for ring in itertools.permutations(range(number), size)
        if all(graph[a, b] for a, b in itertools.pairwise([*ring, ring[0]]))
    ]
    # Agents on a common ring, and with them whoever is on a ring with one of those.
    groups = [{agent} for agent in range(number)]
    for ring in rings:
        joined = [group for group in groups if group & set(ring)]
        groups = [group for group in groups if group not in joined] + [set().union(*joined)]
    wanted = sorted(sorted(group) for group in groups if len(group) > 1)
    got = circles(graph)
    assert [circle.agents for circle in got] == wanted
    for circle in got:
        assert tuple(circle.cycle[:-1]) in rings and circle.cycle[0] == circle.cycle[-1]
        assert set(circle.cycle) <= set(circle.agents)
        assert len(circle.cycle) - 1 == min(len(r) for r in rings if set(r) <= set(circle.agents))


# ---- the maximal lottery


def test_who_is_ahead_of_all_remains_alone():
    margins = np.array([[0, -0.1, 0.4], [0.1, 0, 0.01], [-0.4, -0.01, 0]])
    assert maximal_lottery(margins) == pytest.approx([0, 1, 0], abs=1e-9)
    assert maximal_lottery([[0.0]]).tolist() == [1.0]


def test_rock_paper_scissors():
    ring = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]]) / 4
    assert maximal_lottery(ring) == pytest.approx([1 / 3] * 3)
    # 0 beats 1 by 0.1, 1 beats 2 by 0.2, 2 beats 0 by 0.3: each has the chance of the margin
    # between the other two.
    uneven = np.array([[0, 0.1, -0.3], [-0.1, 0, 0.2], [0.3, -0.2, 0]])
    assert maximal_lottery(uneven) == pytest.approx([2 / 6, 3 / 6, 1 / 6])
    # Who loses to all three has no chance, at whatever number.
    worst = np.zeros((4, 4))
    worst[1:, 1:] = uneven
    worst[0, 1:], worst[1:, 0] = -0.01, 0.01
    assert maximal_lottery(worst) == pytest.approx([0, 2 / 6, 3 / 6, 1 / 6], abs=1e-9)


def test_equals_have_equal_chances():
    assert maximal_lottery(np.zeros((4, 4))) == pytest.approx([1 / 4] * 4)
    tied = np.array([[0, 0, 0.2], [0, 0, 0.2], [-0.2, -0.2, 0]])
    assert maximal_lottery(tied) == pytest.approx([1 / 2, 1 / 2, 0], abs=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_nobody_is_ahead_of_the_lottery(seed):
    rng = np.random.default_rng(seed)
    half = np.triu(rng.normal(size=(9, 9)), 1)
    chances = maximal_lottery(half - half.T)
    assert chances.sum() == pytest.approx(1) and chances.min() >= 0
    assert (chances @ (half - half.T)).min() > -1e-9


def test_wrong_margins_are_refused():
    for wrong in ([[0, 0.1], [0.1, 0]], [[0, math.nan], [math.nan, 0]], [0, 0]):
        with pytest.raises(ValueError, match="negative of its mirror image"):
            maximal_lottery(wrong)


# ---- from games to the order


def test_rock_paper_scissors_from_games():
    rng = np.random.default_rng(50)
    agents = np.tile([[0, 1], [1, 2], [2, 0]], (60, 1))
    places = np.where(rng.random((180, 1)) < 0.8, [1, 2], [2, 1])
    blocks = np.repeat(np.arange(60), 3)
    table = pairwise(agents, places, blocks, 3)
    assert isinstance(table, Pairwise)
    assert circles(table.ahead) == [([0, 1, 2], [0, 1, 2, 0])]
    assert maximal_lottery(table.margins) == pytest.approx([1 / 3] * 3, abs=0.15)
    # Ratings cannot show it: all near the mean.
    assert np.abs(rate(agents, places, 3).rating).max() < 60


def test_scipy_is_loaded_only_when_used():
    code = "import sys, experiments.ratings; assert 'scipy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
