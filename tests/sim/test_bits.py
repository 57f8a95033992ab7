"""Sets in an integer: as Python's own sets, compiled or not."""

import random

import numba
import numpy as np
import pytest

from sim import bits
from tests.sim.plain import plain_twin

PLAIN = plain_twin(bits)


@numba.njit
def compiled_bit(number):
    return bits.bit(number)


@numba.njit
def compiled_lowest(members):
    return bits.lowest(members)


@numba.njit
def compiled_without_lowest(members):
    return bits.without_lowest(members)


@numba.njit
def compiled_count(members):
    return bits.count(members)


TWINS = {
    "compiled": (compiled_bit, compiled_lowest, compiled_without_lowest, compiled_count),
    "from Python": (bits.bit, bits.lowest, bits.without_lowest, bits.count),
    "plain": (PLAIN.bit, PLAIN.lowest, PLAIN.without_lowest, PLAIN.count),
}


def as_integer(members):
    """The set as a signed 64-bit integer, by arithmetic alone."""
    total = sum(2**number for number in members)
    return total - 2**64 if total >= 2**63 else total


def some_sets():
    chance = random.Random(1)
    yield {63}
    yield {0}
    yield {0, 63}
    yield {31, 32}
    yield set(range(64))
    for _ in range(300):
        yield set(chance.sample(range(64), chance.randint(1, 64)))


@pytest.mark.parametrize("kind", TWINS)
def test_every_bit(kind):
    bit = TWINS[kind][0]
    assert [int(bit(number)) for number in range(64)] == [as_integer({n}) for n in range(64)]


@pytest.mark.parametrize("kind", TWINS)
def test_as_pythons_own_sets(kind):
    _, lowest, without_lowest, count = TWINS[kind]
    for members in some_sets():
        number = as_integer(members)
        assert lowest(number) == min(members)
        assert count(number) == len(members)
        assert without_lowest(number) == as_integer(members - {min(members)})


@pytest.mark.parametrize("kind", TWINS)
def test_a_walk_through_a_set_meets_each_member_once(kind):
    _, lowest, without_lowest, count = TWINS[kind]
    for members in some_sets():
        number, found = as_integer(members), []
        while number != 0:
            found.append(int(lowest(number)))
            number = int(without_lowest(number))
        assert found == sorted(members)
    assert count(0) == 0


@pytest.mark.parametrize("twin", [bits, PLAIN])
def test_a_set_is_written_from_a_place_on(twin):
    for members in some_sets():
        out = np.full(70, -1)
        assert twin.write(as_integer(members), 100, out, 3) == 3 + len(members)
        assert out[3 : 3 + len(members)].tolist() == [100 + number for number in sorted(members)]
        assert set(out[:3]) | set(out[3 + len(members) :]) == {-1}
