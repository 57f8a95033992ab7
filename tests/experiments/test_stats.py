"""Intervals: known answers, slow twins, and their error rates by simulation."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.stats import (
    STAKES,
    Interval,
    betting_interval,
    block_interval,
    paired_interval,
)


def slow_betting_interval(values, level=0.95, step=1e-3):
    """The definition, word for word: every m on a grid, plain products."""
    stakes = [0.02 * (0.9 / 0.02) ** (k / 15) for k in range(16)]
    inside = []
    for i in range(1, round(1 / step)):
        m = i * step
        more = math.fsum(math.prod(1 + c / m * (x - m) for x in values) for c in stakes) / 16
        less = math.fsum(math.prod(1 - c / (1 - m) * (x - m) for x in values) for c in stakes) / 16
        if more < 2 / (1 - level) and less < 2 / (1 - level):
            inside.append(m)
    return min(inside), max(inside)


# ---- known answers


def test_t_known_answer():
    # Mean 3, standard deviation sqrt(2.5), t(4 degrees, 0.975) = 2.776.
    half = 2.7764451 * math.sqrt(2.5 / 5)
    got = block_interval([1, 2, 3, 4, 5], bounds=None)
    assert got == pytest.approx((3, 3 - half, 3 + half, 5))


def test_t_agrees_with_scipy_stats():
    from scipy import stats

    values = np.random.default_rng(1).random(47)
    for level in (0.8, 0.95, 0.999, 1 - 1e-6):
        wanted = stats.t.interval(level, 46, values.mean(), stats.sem(values))
        got = block_interval(values, level)
        assert (got.low, got.high) == pytest.approx(
            (max(wanted[0], 0), min(wanted[1], 1)), rel=1e-9
        )


def test_t_is_clipped_for_shares_only():
    values = [0.0] * 39 + [1.0]
    assert block_interval(values).low == 0.0
    assert block_interval(values, bounds=None).low < 0.0
    assert block_interval([1 - x for x in values]).high == 1.0


def test_few_blocks_or_no_variance_take_the_betting_interval():
    few = [0.25, 0.5, 0.0, 0.25]
    assert block_interval(few)[1:3] == betting_interval(few)
    equal = [0.25] * 400
    low, high = betting_interval(equal)
    assert block_interval(equal)[1:] == (low, high, 400)
    assert low < 0.25 < high
    # Rounding in the last bit is no variance.
    third = [1 / 3, 1 / 3 + 1e-16] * 100
    assert block_interval(third).high - block_interval(third).low > 0.01


def test_other_bounds_are_scaled():
    values = np.array([0.1, 0.6, 0.3])
    share, points = block_interval(values), block_interval(100 * values - 50, bounds=(-50, 50))
    assert points.mean == pytest.approx(100 * share.mean - 50)
    assert points.low == pytest.approx(100 * share.low - 50)
    assert points.high == pytest.approx(100 * share.high - 50)


def test_empty_and_single():
    assert betting_interval([]) == (0.0, 1.0)
    empty = block_interval([])
    assert math.isnan(empty.mean) and empty[1:] == (0.0, 1.0, 0)
    assert block_interval([], bounds=None)[1:] == (-math.inf, math.inf, 0)
    assert block_interval([7.0], bounds=None) == (7.0, -math.inf, math.inf, 1)
    one = block_interval([1.0])
    assert one.mean == 1.0 and 0.0 < one.low < 0.05 and one.high == 1.0


def test_stakes_are_the_stated_sixteen():
    assert len(STAKES) == 16
    assert (STAKES[0], STAKES[-1]) == pytest.approx((0.02, 0.9))
    assert np.ptp(STAKES[1:] / STAKES[:-1]) < 1e-12


def test_betting_known_answer_all_zero():
    # All x = 0: E-(m) = mean_k (1 + c m / (1 - m))^B, solved here by its own formula.
    low, high = betting_interval([0.0] * 50)
    assert low == 0.0
    assert np.mean((1 + STAKES * high / (1 - high)) ** 50) == pytest.approx(40, rel=1e-6)


def test_wrong_values_are_refused():
    with pytest.raises(ValueError, match="outside its bounds"):
        betting_interval([0.5, 1.2])
    with pytest.raises(ValueError, match="outside its bounds"):
        block_interval([-0.5] * 40)
    with pytest.raises(ValueError, match="finite"):
        block_interval([math.nan, 1.0], bounds=None)
    with pytest.raises(ValueError, match="level = 95"):
        block_interval([0.5], level=95)
    with pytest.raises(ValueError, match="shape"):
        block_interval([[0.5, 0.5]])
    with pytest.raises(ValueError, match="3 and 2 blocks"):
        paired_interval([1, 1, 0], [1, 0])
    with pytest.raises(ValueError, match="outside its bounds"):
        paired_interval([1.5], [0.6])


def test_excludes():
    interval = Interval(0.4, 0.3, 0.5, 9)
    assert interval.excludes(0.29) and interval.excludes(0.51)
    assert not interval.excludes(0.3) and not interval.excludes(0.4)


def test_scipy_stats_stays_unloaded():
    code = (
        "import sys, experiments.stats as s; assert 'scipy' not in sys.modules;"
        "s.block_interval([0, 1] * 30); assert 'scipy.stats' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# ---- the betting interval against its slow twin


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
@pytest.mark.parametrize(
    "values",
    [
        [0.0],
        [1.0],
        [0.5] * 12,
        [0.0] * 30 + [1.0],
        [1.0] * 25,
        [0.0, 0.25, 0.25, 0.5, 1.0, 0.0, 0.0, 0.25],
        list(np.random.default_rng(3).random(40)),
        list(np.random.default_rng(4).beta(0.3, 0.9, 60)),
    ],
)
def test_betting_agrees_with_slow_twin(values, level):
    step = 2e-3
    wanted = slow_betting_interval(values, level, step)
    got = betting_interval(values, level)
    # The grid lies inside the interval, by less than one step on either side.
    assert 0 <= wanted[0] - got[0] <= step * 1.001
    assert 0 <= got[1] - wanted[1] <= step * 1.001


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 1.0]) | st.floats(0, 1), max_size=40))
def test_betting_properties(values):
    low, high = betting_interval(values)
    assert 0.0 <= low <= high <= 1.0
    if values:
        assert low <= np.mean(values) + 1e-12 and np.mean(values) - 1e-12 <= high
    # Mirror image, and a wider interval at a higher level.
    mirrored = betting_interval([1 - x for x in values])
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)
    wide_low, wide_high = betting_interval(values, 0.99)
    assert wide_low <= low and high <= wide_high


def test_betting_many_blocks_neither_overflow_nor_linger():
    values = np.tile([0.0, 0.0, 0.0, 1.0], 50_000)
    low, high = betting_interval(values)
    assert 0.24 < low < 0.25 < high < 0.26


# ---- paired differences


def test_paired_known_answers():
    rng = np.random.default_rng(5)
    second = 0.5 * rng.random(40)
    first = second + 0.1 * rng.random(40)
    got = paired_interval(first, second)
    # Pairing removes what the blocks have in common.
    assert got.mean == pytest.approx((first - second).mean())
    assert got.high - got.low < 0.03
    assert got == pytest.approx(block_interval(first - second, bounds=None))
    reverse = paired_interval(second, first)
    assert (reverse.low, reverse.high) == pytest.approx((-got.high, -got.low))


def test_paired_few_blocks_bet_on_half_of_one_plus_difference():
    first, second = np.array([1.0, 0.5, 0.0, 1.0]), np.array([0.0, 0.5, 0.0, 0.5])
    low, high = betting_interval((first - second + 1) / 2)
    assert paired_interval(first, second) == pytest.approx((0.375, 2 * low - 1, 2 * high - 1, 4))
    same = paired_interval(np.ones(500), np.ones(500))
    assert same.mean == 0.0 and -0.1 < same.low < 0.0 < same.high < 0.1


# ---- error rates by simulation


def coverage(intervals, truth):
    return np.mean([interval.low <= truth <= interval.high for interval in intervals])


def correlated_games(rng, runs, blocks, rotations=4, share=0.25):
    """Win or not in each game; in six of ten blocks one draw decides all four rotations."""
    own = rng.random((runs, blocks, rotations)) < share
    common = (rng.random((runs, blocks, 1)) < share) & np.ones(rotations, bool)
    return np.where(rng.random((runs, blocks, 1)) < 0.6, common, own).astype(float)


def test_t_by_blocks_covers_when_games_of_a_block_are_correlated():
    games = correlated_games(np.random.default_rng(11), runs=2000, blocks=60)
    by_block = coverage([block_interval(run.mean(axis=1)) for run in games], 0.25)
    by_game = coverage([block_interval(run.ravel()) for run in games], 0.25)
    assert 0.935 <= by_block <= 0.97
    # What treating the games as independent would do.
    assert by_game < 0.85


def test_paired_interval_covers():
    rng = np.random.default_rng(12)
    deal = rng.random((1500, 50))  # what both cells have in common
    first = (deal + 0.2 * rng.random((1500, 50)) < 0.4).astype(float)
    second = (deal + 0.2 * rng.random((1500, 50)) < 0.35).astype(float)
    intervals = [paired_interval(a, b) for a, b in zip(first, second, strict=True)]
    assert 0.93 <= coverage(intervals, 0.05) <= 0.985


@pytest.mark.parametrize("blocks", [10, 29])
@pytest.mark.parametrize("share", [0.02, 0.25])
def test_short_runs_cover(blocks, share):
    rng = np.random.default_rng(13)
    runs = (rng.random((600, blocks)) < share).astype(float)
    assert coverage([block_interval(run) for run in runs], share) >= 0.95


def test_betting_covers_at_every_look_at_a_small_share():
    # A running intersection of all looks must hold the truth in 95 % of runs.
    rng = np.random.default_rng(14)
    looks = (10, 20, 30, 50, 75, 100, 150, 200, 300, 400)
    missed = 0
    for run in (rng.random((300, looks[-1])) < 0.02).astype(float):
        intervals = [betting_interval(run[:look]) for look in looks]
        low, high = max(low for low, _ in intervals), min(high for _, high in intervals)
        missed += not low <= 0.02 <= high
    assert missed / 300 <= 0.05


@pytest.mark.parametrize("share", [0.02, 0.25, 0.5])
def test_betting_covers_when_looking_after_every_block(share):
    # Evidence against the truth, after each of 2000 blocks, by the definition.
    rng = np.random.default_rng(15)
    wealth = np.zeros((400, 2, 16))
    worst = np.zeros((400, 2))
    for _ in range(2000):
        x = (rng.random(400) < share).astype(float)
        wealth[:, 0] += np.log1p(STAKES * ((x - share) / share)[:, None])
        wealth[:, 1] += np.log1p(-STAKES * ((x - share) / (1 - share))[:, None])
        worst = np.maximum(worst, np.exp(wealth.clip(max=300)).mean(axis=2))
    assert (worst.max(axis=1) >= 40).mean() <= 0.05


def test_betting_has_power():
    # 400 blocks at 0.35 should nearly always exclude 0.25.
    rng = np.random.default_rng(16)
    runs = (rng.random((100, 400)) < 0.35).astype(float)
    assert np.mean([betting_interval(run)[0] > 0.25 for run in runs]) > 0.8
