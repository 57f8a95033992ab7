"""Who is best of several agents: ratings, the table of pairs, and whether there is one order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.metrics import PROBLEM_LIMIT, as_json, failing, part_of, percent
from experiments.ratings import (
    Circle,
    Pairwise,
    circles,
    maximal_lottery,
    pairwise,
    plackett_luce,
)
from experiments.stats import BLOCKS_FOR_T, Interval
from sim.layout import counted

if TYPE_CHECKING:
    from experiments.metrics import Summary
    from experiments.store import Run

#: Confidence that all pairs named as apart really are, taken together.
LEVEL = 0.95


@dataclass(frozen=True)
class Standings:
    """What a tournament showed; agents are in the order of their ratings, the best first.

    Attributes
    ----------
    agents, ratings, win_share
        By agent: its spec, its Plackett-Luce rating (400 points are ten times the weight, the mean
        is 0), and the share of the wins of a copy of it.
    leads
        leads[i] is by what agent i is rated above agent i + 1.
    pairs
        How often one finishes ahead of another, each interval at 95 %.
    ahead
        bool[agent, agent], whether that is beyond chance for all pairs together.
    circles
        Groups in which the order is circular.
    lottery
        Chances of the agents in the maximal lottery: who remains where the order is circular.
    """

    agents: list[str]
    players: int
    games: int
    problems: float
    ratings: list[Interval]
    leads: list[Interval]
    win_share: list[Interval]
    pairs: Pairwise
    ahead: np.ndarray
    circles: list[Circle]
    lottery: np.ndarray

    @property
    def is_spoiled(self) -> bool:
        """Whether too many games did not end properly."""
        return self.problems > PROBLEM_LIMIT

    def pair(self, row: int, column: int) -> Interval | None:
        """How often one finishes ahead of the other; None if they never met."""
        blocks = int(self.pairs.blocks[row, column])
        ends = (table[row, column] for table in self.pairs[:3])
        return Interval(*map(float, ends), blocks) if blocks else None

    def to_json(self) -> dict[str, Any]:
        """The standings for scripts."""
        places = range(len(self.agents))
        return {
            "players": self.players,
            "games": self.games,
            "fair_share": 1 / self.players,
            "problems": self.problems,
            "agents": [
                {
                    "agent": self.agents[place],
                    "rating": as_json(self.ratings[place]),
                    "win_share": as_json(self.win_share[place]),
                    "lottery": float(self.lottery[place]),
                }
                for place in places
            ],
            "pairs": [
                {
                    "agent": self.agents[row],
                    "against": self.agents[column],
                    "finishes_ahead": as_json(share),
                    "beyond_chance": bool(self.ahead[row, column]),
                }
                for row in places
                for column in places
                if row != column and (share := self.pair(row, column))
            ],
            "circles": [[self.agents[place] for place in circle.cycle] for circle in self.circles],
        }

    def sentences(self) -> list[str]:
        """The standings for people."""
        if self.is_spoiled:
            return [failing(self.problems)]
        first, second, lead = *self.agents[:2], self.leads[0]
        gap = f"{round(lead.mean)} points above {second} ({round(lead.low)} to {round(lead.high)})"
        found = [f"{first} is rated highest, {gap}."]
        if lead.low <= 0 or self.is_first_look:
            found = [f"{first} and {second} lead, and which of them is better is not settled: "]
            found[0] += f"{first} is rated {gap}."
        if self.pairs.share[0, 1] == 1.0:
            found = [f"{first} is rated highest: it finished ahead of {second} every time."]
        found.append(self.order())
        if self.extremes and len(self.agents) > 2:
            found.append(
                f"{' and '.join(self.extremes)} finished ahead or behind every time, so ratings "
                "and their intervals do not tell how far."
            )
        if self.is_first_look:
            found.append(
                f"This is only a first look: {counted(lead.blocks, 'blocks')} are too few to trust "
                "the intervals of ratings or to tell many pairs apart; give more --games."
            )
        return found

    @property
    def is_first_look(self) -> bool:
        """Whether there are too few blocks to trust the intervals of the ratings."""
        return self.leads[0].blocks < BLOCKS_FOR_T

    @property
    def extremes(self) -> list[str]:
        """Agents that finished ahead of all whom they met every time, or behind them all."""
        shares = [row[~np.isnan(row)] for row in self.pairs.share]
        return [
            spec
            for spec, share in zip(self.agents, shares, strict=True)
            if (share == 1.0).all() or not share.any()
        ]

    def order(self) -> str:
        """Whether the agents stand in one order."""
        known = int(self.ahead.sum())
        total = len(self.agents) * (len(self.agents) - 1) // 2
        if not known:
            return "No pair is apart beyond chance."
        if total == 1:
            return "The two are apart beyond chance."
        if not self.circles:
            apart = "is" if known == 1 else "are"
            agree = ", and these agree with one order" if known > 1 else ""
            return f"{part_of(known, total)} pairs {apart} apart beyond chance{agree}.".capitalize()
        ways = "; ".join(
            " > ".join(self.agents[place] for place in circle.cycle) for circle in self.circles
        )
        left = ", ".join(
            f"{self.agents[place]} {percent(chance)}"
            for place, chance in enumerate(self.lottery)
            if chance > 0.001
        )
        return (
            f"There is no one order: {ways}, each ahead of the next beyond chance. A rating hides "
            f"that; the mixture that no agent beats (the maximal lottery) is {left}."
        )


def standings(run: Run, summary: Summary) -> Standings:
    """The standings of a tournament's run, summed up in `summary`, as far as it was played.

    Agents who have not played yet have none.

    >>> standings(run, summary).agents                                    # doctest: +SKIP
    ['mcts:iterations=100', 'greedy', 'builder']
    """
    import pandas

    columns = ["cell", "block", "rotation", "seat", "agent", "rank"]
    rows = pandas.concat(list(run.tables(columns)))
    rows = rows.sort_values(["cell", "block", "rotation", "seat"], ignore_index=True)
    cell = summary.cells[0]
    players, played = cell.players, set(rows["agent"])
    specs = [spec for spec in run.manifest["plan"]["agents"] if spec in played]
    number = {spec: place for place, spec in enumerate(specs)}
    agents = rows["agent"].map(number).to_numpy(np.int64).reshape(-1, players)
    places = rows["rank"].to_numpy(np.int64).reshape(-1, players)
    blocks = rows["block"].to_numpy(np.int64)[::players]

    rated = plackett_luce(agents, places, blocks, len(specs))
    best = np.argsort(-rated.rating, kind="stable")
    agents = np.argsort(best)[agents]  # by standing from here on
    size = len(np.unique(blocks))
    samples = rated.samples[:, best]
    ends = np.quantile(samples[:, :-1] - samples[:, 1:], (0.025, 0.975), axis=0).T
    means = -np.diff(rated.rating[best])
    pairs = pairwise(agents, places, blocks, len(specs))
    known = max(np.count_nonzero(pairs.blocks) // 2, 1)
    ahead = pairwise(agents, places, blocks, len(specs), 1 - (1 - LEVEL) / known).ahead
    return Standings(
        agents=[specs[place] for place in best],
        players=players,
        games=len(agents),
        problems=cell.problems / cell.games,
        ratings=[
            Interval(float(rated.rating[i]), float(rated.low[i]), float(rated.high[i]), size)
            for i in best
        ],
        leads=[
            Interval(float(mean), float(low), float(high), size)
            for mean, (low, high) in zip(means, ends, strict=True)
        ],
        win_share=[cell.win_share[specs[place]] for place in best],
        pairs=pairs,
        ahead=ahead,
        circles=circles(ahead),
        lottery=maximal_lottery(pairs.margins),
    )
