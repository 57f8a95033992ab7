"""The table of games needed on the page about cost is what its formula gives."""

import math
import re
from pathlib import Path
from statistics import NormalDist

PAGE = (Path(__file__).parents[2] / "experiments" / "COST.md").read_text(encoding="utf-8")


def blocks(players, margin):
    z = 1.645 + NormalDist().inv_cdf(1 - 0.1 / (2 * players))
    return math.ceil(z**2 * (1 / players) * (1 - 1 / players) / players / margin**2)


def test_the_table_of_games():
    rows = re.findall(r"^\| (\d) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", PAGE, re.M)
    told = [[int(number.replace(",", "")) for number in row] for row in rows]
    assert told == [
        [n, blocks(n, 0.03), n * blocks(n, 0.03), blocks(n, 0.05), n * blocks(n, 0.05)]
        for n in range(2, 7)
    ]
