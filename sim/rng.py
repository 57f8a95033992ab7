"""Counted random streams.

Every record that draws carries its own stream in a field `rng` (SplitMix64: Steele, Lea and Flood,
"Fast splittable pseudorandom number generators", 2014), so a copy of a record draws the same.
"""

import hashlib

import numba
import numpy as np

_STEP = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB
_MASK = (1 << 64) - 1


def stream(*keys: int | str) -> int:
    """The 64-bit start of the stream with these keys: the same on every machine.

    >>> stream(1, 0) != stream(1, 1)
    True
    """
    return int.from_bytes(hashlib.blake2b(repr(keys).encode(), digest_size=8).digest(), "little")


def step(start: int) -> tuple[int, int]:
    """The next 64 random bits after `start`, and where the stream then stands.

    >>> step(1234567)[0]
    6457827717110365317
    """
    after = (start + _STEP) & _MASK
    bits = ((after ^ (after >> 30)) * _FIRST) & _MASK
    bits = ((bits ^ (bits >> 27)) * _SECOND) & _MASK
    return bits ^ (bits >> 31), after


def outputs(starts: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Random bits at those places (0: the first) of the streams that begin at `starts` (uint64).

    >>> outputs(np.array([1234567], np.uint64), np.array([0, 1])).tolist()
    [6457827717110365317, 3203168211198807973]
    """
    bits = starts + (places.astype(np.uint64) + np.uint64(1)) * np.uint64(_STEP)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(_FIRST)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(_SECOND)
    return bits ^ (bits >> np.uint64(31))


if numba.config.DISABLE_JIT:  # numpy's own 64-bit integers would warn of the intended overflow

    def draw(record):
        """The next 64 random bits of `record.rng`."""
        bits, record.rng = step(int(record.rng))
        return bits

    def below(record, limit):
        """A random integer from 0 to limit - 1."""
        return ((draw(record) >> 32) * int(limit)) >> 32

    def uniform(record):
        """A random number from 0 up to, not including, 1."""
        return (draw(record) >> 11) * 2.0**-53

else:

    @numba.njit(cache=True, nogil=True, inline="always")
    def draw(record):
        """The next 64 random bits of `record.rng`."""
        record.rng = record.rng + np.uint64(_STEP)
        bits = record.rng
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(_FIRST)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(_SECOND)
        return bits ^ (bits >> np.uint64(31))

    @numba.njit(cache=True, nogil=True, inline="always")
    def below(record, limit):
        """A random integer from 0 to limit - 1 (limit below 2^31; bias below limit / 2^32)."""
        return np.int64(((draw(record) >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))

    @numba.njit(cache=True, nogil=True, inline="always")
    def uniform(record):
        """A random number from 0 up to, not including, 1."""
        return np.float64(draw(record) >> np.uint64(11)) * 2.0**-53
