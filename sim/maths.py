"""Functions that give the same bits on every machine: only + - * / and comparisons.

The system's own `exp` changes its last bits with the processor, and one bit may turn a choice.
"""

from sim.contract import compiled

_LN2 = 0.6931471805599453
_LN2_HIGH = 0.6931471803691238  # with 32 bits, so that its multiples are exact
_LN2_LOW = 1.9082149292705877e-10
_TERMS = 13


@compiled
def exp(x):
    """e to the power x for x from -700 to 700, to 15 digits; outside that, of the nearer end.

    Series of the part below half of ln 2, then doubled or halved as often as ln 2 fits.

    >>> abs(exp(1.0) - 2.718281828459045) < 1e-14
    True
    """
    x = min(700.0, max(-700.0, x))
    times = int(x / _LN2 + (0.5 if x >= 0.0 else -0.5))
    rest = (x - times * _LN2_HIGH) - times * _LN2_LOW
    result = 1.0
    for term in range(_TERMS, 0, -1):
        result = 1.0 + result * rest / term
    for _ in range(abs(times)):
        result *= 2.0 if times > 0 else 0.5
    return result
