"""Does one agent beat another? Blocks of a match, and what they say after every round.

A block is one deal played 2n times: the first agent alone among copies of the second in each of the
n seats, and the second alone among copies of the first. With f and g the win shares of the lone
agents, (f - g) / 2 is what the first is ahead by: 0 where the two are equally good, whatever
it is worth to be the only one of one's kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.metrics import PROBLEM_LIMIT, as_json, failing, percent, percent_within
from experiments.plan import ROUND
from experiments.stats import (
    Decision,
    Interval,
    anytime_interval,
    log_likelihood_ratio,
    sequential_test,
)
from sim.layout import counted

if TYPE_CHECKING:
    import pandas

    from experiments.store import Run


@dataclass(frozen=True)
class Outcome:
    """What a match has shown so far, or in the end.

    Attributes
    ----------
    agents
        The first and the second.
    players
        Seats of the table.
    decision
        Of the sequential test; where it is open, its ratio is that after the last whole round.
    advantage
        By what share of the wins the first is ahead, an interval that knows of the test's looks.
    alone
        Win shares of the first alone among copies of the second, and of the second so.
    course
        The log-likelihood ratio after each round.
    games, most
        Games that count, and games the match may take.
    problems
        Share of games that did not end properly, of the line-up with more of them.
    """

    agents: tuple[str, str]
    players: int
    decision: Decision
    advantage: Interval
    alone: tuple[Interval, Interval]
    course: list[float]
    games: int
    most: int
    problems: float

    @property
    def fair_share(self) -> float:
        """Share of the wins of an agent that is as good as the others."""
        return 1 / self.players

    @property
    def win_share(self) -> Interval:
        """The fair share plus the advantage."""
        moved = (min(max(self.fair_share + end, 0.0), 1.0) for end in self.advantage[:3])
        return Interval(*moved, self.advantage.blocks)

    @property
    def verdict(self) -> str:
        """One of "better", "not_better", "undecided"; with many problems nothing is concluded."""
        return "undecided" if self.is_spoiled else self.decision.verdict

    @property
    def is_spoiled(self) -> bool:
        """Whether too many games did not end properly."""
        return self.problems > PROBLEM_LIMIT

    @property
    def is_over(self) -> bool:
        """Whether more games would change nothing."""
        return self.is_spoiled or self.decision.verdict != "undecided"

    @property
    def standing(self) -> str:
        """The log-likelihood ratio and its bounds."""
        ratio, bound = self.decision.log_likelihood_ratio, self.decision.bound
        return f"log-likelihood ratio {ratio:+.2f} of ±{bound:.2f}"

    def to_json(self) -> dict[str, Any]:
        """The outcome for scripts."""
        return {
            "verdict": self.verdict,
            "win_share": as_json(self.win_share),
            "fair_share": self.fair_share,
            "games": self.games,
            "blocks": self.decision.blocks,
            "log_likelihood_ratio": self.decision.log_likelihood_ratio,
            "bound": self.decision.bound,
            "alone": {
                spec: as_json(share) for spec, share in zip(self.agents, self.alone, strict=True)
            },
            "problems": self.problems,
        }

    def sentences(self) -> list[str]:
        """The outcome for people."""
        first, second = self.agents
        margin = ": it is behind" if self.advantage.high < 0 else " by a margin that matters"
        opening = {
            "better": f"{first} beats {second}",
            "not_better": f"{first} does not beat {second}{margin}",
            "undecided": f"It is undecided whether {first} beats {second}",
        }[self.verdict]
        if self.is_spoiled:
            return [f"{opening}: {failing(self.problems)}"]
        if not self.decision.blocks:
            return [f"{opening}: not even one block has been played; the same command goes on."]
        fair = percent(self.fair_share)
        more = ""
        if self.verdict == "undecided":
            go = "the same command goes" if self.games < self.most else "more --games go"
            more = f"; {go} on with it"
        found = [
            f"{opening}. On balance it wins {percent_within(self.win_share)} where {fair} is fair.",
            f"That rests on {counted(self.games, 'games')} in "
            f"{counted(self.decision.blocks, 'blocks')} ({self.standing}){more}.",
        ]
        if self.verdict == "better" and self.advantage.low <= 0:
            found.append(
                "The interval reaches the fair share, as it holds whenever one stops and is wider "
                "for that; the verdict is the test's."
            )
        if self.players == 2:  # nobody has copies
            return found
        found += [
            f"Alone among copies of {other}, {spec} wins {percent_within(share)}."
            for spec, other, share in zip(self.agents, (second, first), self.alone, strict=True)
        ]
        above = [share.mean > self.fair_share for share in self.alone]
        if above[0] == above[1] and all(s.excludes(self.fair_share) for s in self.alone):
            pays = "pays" if above[0] else "does not pay"
            found.append(
                f"Note: it {pays} to be the only one of one's kind here, so the better agent "
                "depends on who else plays; this match weighs both companies alike."
            )
        return found


class Referee:
    """Decides whether a match goes on, after every round of 25 blocks, from all earlier ones.

    `entries` are the match's two cells in the manifest, `add` takes the games as they come in.
    """

    columns = ("cell", "block", "agent", "win_share", "status")

    def __init__(self, entries: Sequence[Mapping[str, Any]], plan: Mapping[str, Any]) -> None:
        self.players: int = entries[0]["players"]
        self.agents = (entries[0]["agents"][0], entries[1]["agents"][0])
        self.most: int = entries[0]["blocks"]
        self.note = ""  # what the match stood at before this round
        self._shares = np.full((self.most, 2), np.nan)
        self._problems = np.zeros((self.most, 2))

    def add(self, rows: pandas.DataFrame) -> None:
        """Take the rows of whole blocks, in any order of the blocks."""
        alone = rows["agent"] == rows["cell"].map(dict(enumerate(self.agents)))
        rows = rows[alone].assign(is_problem=rows["status"] != "ok")  # one a game
        blocks = rows.groupby(["cell", "block"])[["win_share", "is_problem"]].mean()
        cells, numbers = (blocks.index.get_level_values(level) for level in (0, 1))
        self._shares[numbers, cells] = blocks["win_share"]
        self._problems[numbers, cells] = blocks["is_problem"]

    def next_round(self) -> dict[int, range]:
        """The blocks of each cell that are to be played next; nothing when the match is over."""
        outcome = self.outcome()
        self.note = outcome.standing
        played = len(self._in_order()) // ROUND * ROUND
        if played >= self.most or outcome.is_over:
            return {}
        return dict.fromkeys((0, 1), range(played, played + ROUND))

    @property
    def games_at_most(self) -> int:
        """Games that may be played in all."""
        return 2 * self.players * self.most

    def outcome(self) -> Outcome:
        """The outcome as far as the match was played.

        Blocks count in their order, up to the round that decides; if none does, all that both
        line-ups have played without a gap, of which the test has seen the whole rounds only.
        """
        shares = self._in_order()
        ahead = (shares[:, 0] - shares[:, 1]) / 2
        decision = sequential_test(ahead, ROUND)
        size = decision.blocks
        course = [log_likelihood_ratio(ahead[:end]) for end in range(ROUND, size + 1, ROUND)]
        return Outcome(
            agents=self.agents,
            players=self.players,
            decision=decision._replace(log_likelihood_ratio=course[-1] if course else 0.0),
            advantage=anytime_interval(ahead[:size], bounds=(-0.5, 0.5)),
            alone=tuple(anytime_interval(shares[:size, side]) for side in (0, 1)),
            course=course,
            games=2 * self.players * size,
            most=self.games_at_most,
            problems=float(self._problems[:size].mean(axis=0).max()) if size else 0.0,
        )

    def _in_order(self) -> np.ndarray:
        """Win shares of the lone agents in the blocks that both have played without a gap."""
        gaps = np.flatnonzero(np.isnan(self._shares).any(axis=1))
        return self._shares[: gaps[0] if len(gaps) else None]


def outcome(run: Run) -> Outcome:
    """The outcome of a match's run as far as it was played.

    >>> outcome(Run.open("runs/match")).verdict                           # doctest: +SKIP
    'better'
    """
    referee = Referee(run.manifest["cells"], run.manifest["plan"])
    run.show(referee)
    return referee.outcome()
