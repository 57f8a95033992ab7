"""Random streams: published values, even draws, the same compiled or not."""

import numba
import numpy as np
import pytest

from sim import rng
from sim.rng import stream
from tests.sim.plain import plain_twin

PLAIN = plain_twin(rng)
RECORD = np.dtype((np.record, np.dtype([("rng", "u8")])))

# First draws of SplitMix64 from seed 1234567, as printed with the reference implementation.
PUBLISHED = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


@numba.njit
def draws(record, out):
    for i in range(len(out)):
        out[i] = rng.draw(record)


@numba.njit
def numbers(record, limit, out):
    for i in range(len(out)):
        out[i] = rng.below(record, limit)


@numba.njit
def fractions(record, out):
    for i in range(len(out)):
        out[i] = rng.uniform(record)


def at(seed):
    record = np.zeros(1, RECORD).view(np.recarray)
    record["rng"] = seed
    return record[0]


def test_published_values():
    out = np.zeros(5, np.uint64)
    draws(at(1234567), out)
    assert out.tolist() == PUBLISHED
    record = at(1234567)
    assert [PLAIN.draw(record) for _ in range(5)] == PUBLISHED


@pytest.mark.parametrize("seed", [0, 1, 2**53 - 1, 2**63, 2**64 - 1])
def test_plain_python_draws_the_same(seed):
    compiled, plain = at(seed), at(seed)
    bits = np.zeros(200, np.uint64)
    draws(compiled, bits)
    with np.errstate(over="raise"):
        assert bits.tolist() == [int(PLAIN.draw(plain)) for _ in bits]
        assert compiled.rng == plain.rng
        for limit in (1, 2, 6, 52, 1000, 2**31 - 1):
            out = np.zeros(200, np.int64)
            numbers(compiled, limit, out)
            assert out.tolist() == [int(PLAIN.below(plain, limit)) for _ in out]
        floats = np.zeros(200)
        fractions(compiled, floats)
        assert floats.tolist() == [PLAIN.uniform(plain) for _ in floats]


@pytest.mark.parametrize("limit", [1, 2, 3, 6, 7, 20])
def test_below_is_even(limit):
    """Every number comes as often as another, within five standard deviations."""
    n = 60_000
    out = np.zeros(n, np.int64)
    numbers(at(7), limit, out)
    counts = np.bincount(out, minlength=limit)
    assert len(counts) == limit
    spread = np.sqrt(n * (1 / limit) * (1 - 1 / limit))
    assert np.abs(counts - n / limit).max() <= 5 * spread


def test_neighbouring_seeds_are_not_alike():
    """The first number from seeds 0, 1, 2, ... is even too, and unlike the number before it."""
    out = np.zeros(1, np.int64)
    firsts = []
    for seed in range(6000):
        numbers(at(seed), 6, out)
        firsts.append(int(out[0]))
    counts = np.bincount(firsts, minlength=6)
    assert np.abs(counts - 1000).max() < 150
    same = sum(a == b for a, b in zip(firsts, firsts[1:], strict=False))
    assert 850 < same < 1150


def test_uniform_is_even_and_below_one():
    out = np.zeros(50_000)
    fractions(at(3), out)
    assert out.min() >= 0
    assert out.max() < 1
    assert abs(out.mean() - 0.5) < 0.01
    assert abs(out.var() - 1 / 12) < 0.01


def test_copy_of_a_record_draws_the_same():
    first = at(99)
    PLAIN.draw(first)
    second = at(int(first.rng))
    assert PLAIN.draw(first) == PLAIN.draw(second)


def test_streams():
    """Told apart by every key, its place and its kind; the same on every machine."""
    keys = [
        (1,),
        (1, 0),
        (1, 1),
        (0, 1),
        (1, 0, 0),
        ("1",),
        ("1", 0),
        (1, "0"),
        (1, "order"),
        (11,),
    ]
    assert len({stream(*key) for key in keys}) == len(keys)
    assert all(0 <= stream(*key) < 2**64 for key in keys)
    assert stream(1, 0) == 13765972311686912848
    assert stream(1, 5, "order") == 13062822486018126888


def test_streams_of_many_blocks_are_distinct():
    assert len({stream(1, block) % 2**53 for block in range(20_000)}) == 20_000
