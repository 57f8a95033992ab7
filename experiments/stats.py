"""Intervals and tests for block values: pure mathematics, no files.

The unit everywhere is the *block*: one deal played in every rotation of the seats. Games of one
block are not independent, so a caller averages over a block first and passes one value a block.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

#: With fewer blocks than this, Student's t is not trusted for bounded values.
BLOCKS_FOR_T = 30

#: Stakes of the betting interval, as shares of the largest safe stake.
STAKES = np.geomspace(0.02, 0.9, 16)

#: No verdict on a match with fewer blocks: their variance is known too badly.
BLOCKS_FOR_VERDICT = 30

#: The variance of a match starts as if 5 blocks had shown a sum of squares of 0.05.
PRIOR_BLOCKS, PRIOR_SQUARES = 5, 0.05

#: A wealth is not let grow further: thousands of blocks would overflow.
MOST_WEALTH = 1e300

#: Chance of finding a fair table fair, and of a wrong verdict, that `blocks_needed` is made for.
POWER, ERROR = 0.9, 0.05

#: Values may leave their bounds by this much: the rounding of a mean.
ROUNDING = 1e-9


class Interval(NamedTuple):
    """A mean with its interval; `blocks` is how many blocks it rests on.

    Examples
    --------
    >>> Interval(mean=0.4, low=0.3, high=0.5, blocks=100).excludes(0.25)
    True
    """

    mean: float
    low: float
    high: float
    blocks: int

    def excludes(self, value: float) -> bool:
        """Tell whether `value` lies outside the interval."""
        return value < self.low or value > self.high


class Decision(NamedTuple):
    """What a sequential test says of a match of A against B.

    `verdict` is "better" (A is), "not_better" or "undecided"; `blocks` is how many blocks the
    verdict and the `log_likelihood_ratio` rest on; a verdict is reached at +-`bound`.
    """

    verdict: Literal["better", "not_better", "undecided"]
    log_likelihood_ratio: float
    blocks: int
    bound: float


def block_interval(
    values: ArrayLike,
    level: float = 0.95,
    bounds: tuple[float, float] | None = (0.0, 1.0),
) -> Interval:
    """Interval for the mean of a run whose number of blocks was fixed beforehand.

    Student's t on the block values, clipped to `bounds`. With under 30 blocks, or when all values
    are equal (t would then claim to be certain), the betting interval instead.

    Parameters
    ----------
    values : one value a block, in any unit.
    level : confidence level, 0.95 for 95 %.
    bounds : the least and greatest value possible, (0, 1) for shares. None for quantities without
        bounds such as money or turns: always t, never clipped, so one block gives an interval
        without ends, and equal values give an interval without width.

    Errors
    ------
    ValueError for a value that is not a number or outside the bounds.

    Examples
    --------
    >>> turns = block_interval([1, 2, 3, 4, 5], bounds=None)
    >>> turns.mean, round(turns.low, 2), round(turns.high, 2), turns.blocks
    (3.0, 1.04, 4.96, 5)
    """
    data = _checked(values, level)
    if bounds is None:
        if data.size == 0:
            return Interval(math.nan, -math.inf, math.inf, 0)
        return _student_interval(data, level)

    unit = _unit_values(data, bounds)
    if data.size < BLOCKS_FOR_T or np.ptp(unit) <= ROUNDING:
        return anytime_interval(data, level, bounds)
    plain = _student_interval(data, level)
    return Interval(plain.mean, max(plain.low, bounds[0]), min(plain.high, bounds[1]), data.size)


def anytime_interval(
    values: ArrayLike, level: float = 0.95, bounds: tuple[float, float] = (0.0, 1.0)
) -> Interval:
    """Interval for the mean of a run that may have stopped at any time, for any reason.

    The betting interval for values with any `bounds`, the least and greatest value possible.

    Errors
    ------
    ValueError for a value that is not a number or outside the bounds.

    Examples
    --------
    >>> lead = anytime_interval([0.25, 0.0, 0.5, 0.25] * 25, bounds=(-0.5, 0.5))
    >>> lead.mean, round(lead.low, 2), round(lead.high, 2)
    (0.25, 0.18, 0.31)
    """
    data = _checked(values, level)
    low, high = betting_interval(_unit_values(data, bounds), level)
    mean = float(data.mean()) if data.size else math.nan
    width = bounds[1] - bounds[0]
    return Interval(mean, bounds[0] + width * low, bounds[0] + width * high, data.size)


def betting_interval(values: ArrayLike, level: float = 0.95) -> tuple[float, float]:
    """Interval for a mean of values in [0, 1] that holds at any time, however often one looks.

    A player who believes the mean to be more than m bets on each block in turn, at 16 stakes at
    once; E+(m) is what 1 has grown to, E-(m) the same for "less than m". The interval is all m at
    which neither has reached 2 / (1 - level). Its promise holds for any number of blocks and any
    distribution; a fixed-size run pays for that with a wider interval than Student's t.

    As the promise covers all looks together, intervals of the same blocks after 10, 20, 30, ...
    blocks may be intersected, and a run may stop when the interval is narrow enough. Values must
    then be added in block order and never removed. No blocks give (0, 1).

    Source: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting",
    Journal of the Royal Statistical Society B 86 (2024).

    Errors
    ------
    ValueError for a value that is not a number or outside [0, 1].

    Examples
    --------
    >>> low, high = betting_interval([0.0] * 50)
    >>> low, round(high, 3)
    (0.0, 0.125)
    """
    data = _unit_values(_checked(values, level), (0.0, 1.0))
    if data.size == 0:
        return 0.0, 1.0
    # Shares take few distinct values, so a value is bet on once with its count.
    distinct, counts = np.unique(data, return_counts=True)
    threshold = math.log(2.0 / (1.0 - level))
    low = _lowest_mean(distinct, counts, threshold)
    # "Less than m" for x is "more than 1 - m" for 1 - x.
    high = 1.0 - _lowest_mean(1.0 - distinct, counts, threshold)
    return low, high


def paired_interval(
    first: ArrayLike,
    second: ArrayLike,
    level: float = 0.95,
    bounds: tuple[float, float] | None = (0.0, 1.0),
) -> Interval:
    """Interval for the mean of `first - second`, two cells of an experiment over common blocks.

    Both cells played the same deals, so the difference is taken block by block. Chosen between t
    and betting as in `block_interval`; a difference D of shares is bet on as (D + 1) / 2.

    Parameters
    ----------
    first, second : one value a block; element i of both belongs to the same block.
    bounds : bounds of the values (not of the difference), None for quantities without.

    Errors
    ------
    ValueError when the lengths differ, or for values as in `block_interval`.

    Examples
    --------
    >>> paired_interval([12, 15, 13], [10, 11, 12], bounds=None).mean
    2.3333333333333335
    """
    left, right = _checked(first, level), _checked(second, level)
    if left.shape != right.shape:
        raise ValueError(f"{left.size} and {right.size} blocks cannot be paired one to one")
    if bounds is None:
        return block_interval(left - right, level, None)
    for side in (left, right):
        _unit_values(side, bounds)
    width = bounds[1] - bounds[0]
    return block_interval(left - right, level, (-width, width))


class Evidence(NamedTuple):
    """E-values: what bets of 1 against "not fair" and against "fair within the margin" have become.

    Each is 1 or less on average, however one stops, if what is bet against is true.
    """

    fair: float
    unfair: float


def opening_wealth(seats: int) -> np.ndarray:
    """A wealth of 1 for each bet of `bet_on_seats`: float64[4, seats, stakes].

    >>> evidence(opening_wealth(4))
    Evidence(fair=1.0, unfair=1.0)
    """
    return np.ones((4, seats, len(STAKES)))


def bet_on_seats(wealth: np.ndarray, values: ArrayLike, margin: float) -> np.ndarray:
    """The wealth of bets on the seats' win shares after some more blocks.

    Of every seat four things are bet, each at all stakes as in `betting_interval`: that its share
    is above 1 / n + margin; below 1 / n - margin; below 1 / n + margin; above 1 / n - margin. The
    first two speak for an unfair table of n seats, the last two for a fair one.

    Parameters
    ----------
    wealth : what the bets have become so far, see `opening_wealth`; it stays as it is.
    values : win share by seat in further blocks, [blocks, seats], each block once, in any rounds.
    margin : difference from 1 / n that still counts as fair, less than 1 / n.

    Source: Waudby-Smith and Ramdas, as for `betting_interval`.

    Errors
    ------
    ValueError for a value that is not a number in [0, 1], or another number of seats.

    Examples
    --------
    >>> wealth = bet_on_seats(opening_wealth(2), [[1.0, 0.0]] * 20, margin=0.03)
    >>> evidence(wealth).unfair > 1000
    True
    """
    data = np.asarray(values, dtype=np.float64)
    seats = wealth.shape[1]
    if data.ndim != 2 or data.shape[1] != seats:
        raise ValueError(f"one value a block and seat is wanted for {seats} seats")
    if not np.isfinite(data).all():
        raise ValueError("a block value is not a finite number")
    data = _unit_values(data, (0.0, 1.0))
    above, below = 1.0 / seats + margin, 1.0 / seats - margin
    gains = (
        (data - above) / above,
        (below - data) / (1.0 - below),
        (above - data) / (1.0 - above),
        (data - below) / below,
    )
    # Products, not sums of logarithms: those have other last bits on another processor.
    growth = np.prod(1.0 + STAKES * np.stack(gains)[..., None], axis=1)
    with np.errstate(over="ignore"):
        return np.minimum(wealth * growth, MOST_WEALTH)


def evidence(wealth: np.ndarray) -> Evidence:
    """What the bets of `bet_on_seats` say: every seat must be near to fair, or any be far from it.

    As "not fair" is true if one seat is off, the least of the bets for fair counts; as "fair" says
    something of every seat and side, the mean of the bets for unfair.
    """
    found = wealth.mean(axis=2)
    return Evidence(float(found[2:].min()), float(found[:2].mean()))


def e_value_needed(values: ArrayLike, error: float = ERROR) -> float:
    """How large an e-value must be to reject, so that few of all rejections are wrong: e-BH.

    With k the most hypotheses whose e-values are all K / (error k) or more, K the number of all,
    these k are rejected; the share of true ones among them is `error` at most on average, however
    the e-values depend on each other. With none it is infinite.

    Source: Wang and Ramdas, "False discovery rate control with e-values", Journal of the Royal
    Statistical Society B 84 (2022).

    >>> e_value_needed([100.0, 20.0, 0.5, 45.0])
    40.0
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64))[::-1]
    thresholds = len(ordered) / (error * np.arange(1, len(ordered) + 1))
    reached = np.flatnonzero(ordered >= thresholds)
    return float(thresholds[reached[-1]]) if reached.size else math.inf


def blocks_needed(seats: int, margin: float, variance: float | None = None, games: int = 1) -> int:
    """Blocks of a fixed-size study that finds a fair table fair within the margin.

    (z(0.95) + z(1 - 0.1 / (2 n)))^2 v / margin^2: two one-sided tests at 0.05 for each of n seats,
    all passed with a chance of 0.9 if all have exactly 1 / n.

    Parameters
    ----------
    seats : n.
    margin : difference from 1 / n that still counts as fair.
    variance : v, that of a seat's win share from block to block; (1 / n)(1 - 1 / n) / `games` if
        None, that of one winner in each of so many independent games a block.

    >>> blocks_needed(4, 0.03), blocks_needed(4, 0.03, games=4)
    (3147, 787)
    """
    from scipy.special import ndtri

    if variance is None:
        variance = (1.0 / seats) * (1.0 - 1.0 / seats) / games
    quantiles = ndtri(1.0 - ERROR) + ndtri(1.0 - (1.0 - POWER) / (2 * seats))
    return math.ceil(float(quantiles) ** 2 * variance / margin**2)


def log_likelihood_ratio(values: ArrayLike, null: float = 0.0, alternative: float = 0.05) -> float:
    """Log likelihood ratio of "the mean is `alternative`" against "the mean is `null`".

    The normal approximation of the generalised ratio, in which both hypotheses share the variance
    v of the B values x:

        (alternative - null) (sum x - B (null + alternative) / 2) / v
        v = (sum (x - mean)^2 + 0.05) / (B + 5)

    The 5 blocks of variance 0.01 keep v above 0; they are for values in [-0.5, 0.5].

    Source: Van den Bergh, "A practical introduction to the GSPRT" (cantate.be/Fishtest,
    GSPRT_approximation.pdf), which has no such blocks.

    Examples
    --------
    >>> round(log_likelihood_ratio([0.25, -0.25, 0.5, 0.0]), 3)
    0.497
    """
    data = _checked(values)
    squares = float(np.sum((data - data.mean()) ** 2)) if data.size else 0.0
    variance = (squares + PRIOR_SQUARES) / (data.size + PRIOR_BLOCKS)
    surplus = float(data.sum()) - data.size * (null + alternative) / 2.0
    return (alternative - null) * surplus / variance


def sequential_test(
    values: ArrayLike,
    every: int = 25,
    null: float = 0.0,
    alternative: float = 0.05,
    error: float = 0.05,
) -> Decision:
    """Decide a match of A against B as early as its blocks allow: a sequential ratio test.

    Block values are the lead of A, half the difference of the mean win shares of A and B, thus in
    [-0.5, 0.5]. Looks after each whole round of `every` blocks, in block order, and stops at the
    first look at which the log likelihood ratio reaches +-log((1 - error) / error): "better" when
    the mean is said to be `alternative`, "not_better" when `null`. Blocks after that look do not
    count, so a verdict never changes with further blocks. Undecided, all blocks given count.

    If the mean is `null` (or less), "better" comes up in at most `error` of matches, and so does
    "not_better" if it is `alternative` (or more). The ratio being an approximation, this is
    measured, not proved (0.04 and less with the defaults, about 0.05 with rounds of 10), and rests
    on no verdict having under 30 blocks. Values nearly all alike, with a rare great loss or win
    among them, can take the 0.05 to 0.08; the `anytime_interval` stays true even then.

    Source: Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics
    16 (1945), with the ratio of `log_likelihood_ratio`.

    Errors
    ------
    ValueError for a value that is not a number, `every` below 1, `alternative` not above `null`
    or `error` not between 0 and 0.5.

    Examples
    --------
    >>> sequential_test([0.25, -0.25, 0.5, 0.0] * 50)[::2]
    ('better', 50)
    >>> sequential_test([0.25, -0.25, 0.5, 0.0])[::2]
    ('undecided', 4)
    """
    data = _checked(values)
    if every < 1:
        raise ValueError(f"every = {every} must be at least 1 block")
    if not alternative > null:
        raise ValueError(f"alternative = {alternative} must be above null = {null}")
    if not 0.0 < error < 0.5:
        raise ValueError(f"error = {error} must be between 0 and 0.5, such as 0.05")
    bound = math.log((1.0 - error) / error)
    for blocks in range(every, data.size + 1, every):
        ratio = log_likelihood_ratio(data[:blocks], null, alternative)
        if blocks >= BLOCKS_FOR_VERDICT and abs(ratio) >= bound:
            return Decision("better" if ratio > 0 else "not_better", ratio, blocks, bound)
    ratio = log_likelihood_ratio(data, null, alternative)
    return Decision("undecided", ratio, data.size, bound)


def _student_interval(data: np.ndarray, level: float) -> Interval:
    """Student's t for at least one value."""
    mean = float(data.mean())
    if data.size == 1:
        return Interval(mean, -math.inf, math.inf, 1)
    # The quantile alone: importing all of scipy.stats takes a second.
    from scipy.special import stdtrit

    quantile = -float(stdtrit(data.size - 1, (1.0 - level) / 2.0))
    half = quantile * float(data.std(ddof=1)) / math.sqrt(data.size)
    return Interval(mean, mean - half, mean + half, data.size)


def _lowest_mean(distinct: np.ndarray, counts: np.ndarray, threshold: float) -> float:
    """Largest m, by bisection, at which log E+(m) still reaches the threshold; 0 if none does."""
    # E+ falls as m rises and is at most 1 at the sample mean, so the crossing is below that.
    low, high = 0.0, float(np.average(distinct, weights=counts))
    for _ in range(60):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        if _log_evidence(distinct, counts, middle) >= threshold:
            low = middle
        else:
            high = middle
    return low


def _log_evidence(distinct: np.ndarray, counts: np.ndarray, mean: float) -> float:
    """Logarithm of E+(mean), for 0 < mean < 1: evidence that the true mean is greater."""
    gains = (distinct - mean) / mean
    growth = np.log1p(STAKES[:, None] * gains) @ counts
    # The largest term taken out first: thousands of blocks would overflow.
    top = growth.max()
    return float(top + math.log(np.exp(growth - top).mean()))


def _checked(values: ArrayLike, level: float = 0.95) -> np.ndarray:
    data = np.asarray(values, dtype=np.float64)
    if data.ndim != 1:
        raise ValueError(f"one value a block is wanted, not an array of shape {data.shape}")
    if not np.isfinite(data).all():
        raise ValueError("a block value is not a finite number")
    if not 0.0 < level < 1.0:
        raise ValueError(f"level = {level} must be between 0 and 1, such as 0.95")
    return data


def _unit_values(data: np.ndarray, bounds: tuple[float, float]) -> np.ndarray:
    """Values scaled from `bounds` to [0, 1]: refuse those outside, clip what is rounding only."""
    unit = (data - bounds[0]) / (bounds[1] - bounds[0])
    if unit.size and (unit.min() < -ROUNDING or unit.max() > 1.0 + ROUNDING):
        raise ValueError("a block value lies outside its bounds")
    return np.clip(unit, 0.0, 1.0)
