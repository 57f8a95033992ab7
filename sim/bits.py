"""Sets of up to 64 small numbers in one signed 64-bit integer."""

import numba
from numba import types
from numba.extending import intrinsic

compiled = numba.njit(cache=True, nogil=True)

if numba.config.DISABLE_JIT:  # Python's integers have no 64-bit sign: bring it back by hand

    def bit(number):
        """The set of that one number, 0 to 63."""
        return -(1 << 63) if number == 63 else 1 << int(number)

    def lowest(bits):
        """The least number in a set that is not empty."""
        bits = int(bits)
        return (bits & -bits).bit_length() - 1

    def without_lowest(bits):
        """The set without its least number."""
        bits = int(bits) & ((1 << 64) - 1)
        bits &= bits - 1
        return bits - (1 << 64) if bits >> 63 else bits

    def count(bits):
        """How many numbers are in a set."""
        return (int(bits) & ((1 << 64) - 1)).bit_count()

else:

    @intrinsic
    def _trailing_zeros(context, bits):
        def emit(target, builder, signature, values):
            return builder.cttz(values[0], target.get_constant(types.boolean, True))

        return types.int64(types.int64), emit

    @intrinsic
    def _ones(context, bits):
        def emit(target, builder, signature, values):
            return builder.ctpop(values[0])

        return types.int64(types.int64), emit

    @compiled
    def bit(number):
        """The set of that one number, 0 to 63."""
        return types.int64(1) << number

    @compiled
    def lowest(bits):
        """The least number in a set that is not empty."""
        return _trailing_zeros(types.int64(bits))

    @compiled
    def without_lowest(bits):
        """The set without its least number."""
        return bits & (bits - 1)

    @compiled
    def count(bits):
        """How many numbers are in a set."""
        return _ones(types.int64(bits))


@compiled
def write(bits, first, out, n):
    """Write the numbers of a set, counted from `first`, from place `n` on; return the new count."""
    while bits != 0:
        out[n] = first + lowest(bits)
        bits = without_lowest(bits)
        n += 1
    return n
