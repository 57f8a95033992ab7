"""Which settings are fair? Cells of a sweep, each played until that is known.

Where one player may not use something, it also tells what that is worth: the win share lost.

A table is fair where every seat wins 1 / n of the games, give or take a margin. Cells are judged
together after every round: by e-values, which may be looked at as often as one likes, and at a
false discovery rate, so that of all the verdicts few are wrong, however many cells there are.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from experiments.metrics import (
    FINDING_LEVEL,
    POINTS,
    PROBLEM_LIMIT,
    CellSummary,
    Summary,
    as_json,
    named,
    part_of,
    percent,
    percent_within,
    points,
)
from experiments.plan import MOST_TIMES, restricted, round_size
from experiments.stats import (
    Evidence,
    Interval,
    bet_on_seats,
    blocks_needed,
    e_value_needed,
    evidence,
    opening_wealth,
)

if TYPE_CHECKING:
    import pandas

    from experiments.plan import Cell
    from experiments.store import Run

#: Line-ups of weak, greedy and searching players. Greedy makes a random move now and then: without,
#: it opens every game alike, and a seat that this suits wins far too often.
TIERS = ("greedy:noise=0.5", "greedy:noise=0.1", "mcts:iterations=50")

#: Blocks that tell the variance of a cell.
PILOT = 50


@dataclass(frozen=True)
class Verdict:
    """What is known of a cell.

    Attributes
    ----------
    cell
        Its number in the run.
    verdict
        "fair": every seat is within the margin of the fair share; "unfair": some seat is not;
        "undecided": the cell has played all that it may, or too many of its games had a problem;
        "open": it has not played all yet.
    blocks, most
        Blocks that the verdict rests on, and that the cell may play.
    needed
        Blocks of a study of fixed size that would find a fair table fair, by the variance of the
        first 50.
    evidence
        The e-values.
    problems
        Share of games that did not end properly.
    """

    cell: int
    verdict: Literal["fair", "unfair", "undecided", "open"]
    blocks: int
    most: int
    needed: int
    evidence: Evidence
    problems: float

    def to_json(self) -> dict[str, Any]:
        """The verdict for scripts."""
        return {
            "cell": self.cell,
            "verdict": self.verdict,
            "blocks": self.blocks,
            "blocks_needed": self.needed,
            "blocks_at_most": self.most,
            "e_value_fair": self.evidence.fair,
            "e_value_unfair": self.evidence.unfair,
            "problems": self.problems,
        }


class Referee:
    """Decides between rounds which cells of a sweep play on.

    Every cell plays its own rounds; a cell whose verdict is known never plays again. If the plan
    does not say how many games it may take, its first 50 blocks tell: three times those of a study
    of fixed size. A cell with a restricted player is played for another question: it plays all that
    it may before its seats are judged. `entries` are the cells in the manifest, `add` takes the
    games as they come in.
    """

    columns = ("cell", "block", "rotation", "seat", "win_share", "status")

    def __init__(self, entries: Sequence[Mapping[str, Any]], plan: Mapping[str, Any]) -> None:
        self.note = ""  # what the sweep stood at before this round
        is_capped, plays_all = plan["games"] is not None, bool(plan.get("without"))
        self._cells = [
            _Cell(entry, plan["margin"] / 100, is_capped, plays_all) for entry in entries
        ]

    def add(self, rows: pandas.DataFrame) -> None:
        """Take the rows of whole blocks, in any order of the blocks."""
        keys = [rows[key].to_numpy() for key in ("seat", "rotation", "block", "cell")]
        order = np.lexsort(keys)
        number, block = keys[3][order], keys[2][order]
        share = rows["win_share"].to_numpy(np.float64)[order]
        problem = (rows["status"] != "ok").to_numpy(np.float64)[order]
        ends = [*np.flatnonzero(np.diff(number)) + 1, len(number)]
        for start, end in itertools.pairwise([0, *ends]):
            own = slice(start, end)
            self._cells[number[start]].add(block[own], share[own], problem[own])

    def next_round(self) -> dict[int, range]:
        """The blocks of each open cell that are to be played next; nothing when all is decided."""
        while True:
            rounds = {cell.number: cell.next_round() for cell in self._cells if cell.is_open}
            if not all(self._cells[number].has(blocks) for number, blocks in rounds.items()):
                return rounds
            if not rounds:
                return {}
            self._judge(rounds)

    @property
    def games_at_most(self) -> int:
        """Games that may be played in all."""
        return sum(cell.games_at_most for cell in self._cells)

    def verdicts(self) -> list[Verdict]:
        """What is known of each cell from the rounds that were added."""
        self.next_round()
        return [cell.verdict() for cell in self._cells]

    def _judge(self, rounds: Mapping[int, range]) -> None:
        """Take the values of a round, and close the cells whose question is answered."""
        for number, blocks in rounds.items():
            self._cells[number].bet(blocks)
        needed = e_value_needed([value for cell in self._cells for value in cell.evidence])
        for cell in self._cells:
            if cell.may_be_judged and max(cell.evidence) >= needed:
                cell.found = "fair" if cell.evidence.fair > cell.evidence.unfair else "unfair"
        found = [cell.found for cell in self._cells]
        self.note = f"{found.count('fair')} fair, {found.count('unfair')} unfair, "
        self.note += f"{sum(cell.is_open for cell in self._cells)} open"


class _Cell:
    """The block values of a cell and the bets on them."""

    def __init__(
        self, entry: Mapping[str, Any], margin: float, is_capped: bool, plays_all: bool
    ) -> None:
        self.number: int = entry["cell"]
        self.players: int = entry["players"]
        self.most: int = entry["blocks"]
        self.needed: int = entry["needed"]
        self.round = round_size(self.needed)
        self._is_capped, self._plays_all = is_capped, plays_all
        self.found = "open"
        self.evidence = Evidence(1.0, 1.0)
        self._games: int = entry["games"]
        self._planned: int = entry["blocks"]
        self._margin = margin
        self._judged = 0  # blocks
        self._shares = np.full((self.most, self.players), np.nan)
        self._problems = np.zeros(self.most)
        self._wealth = opening_wealth(self.players)

    def add(self, block: np.ndarray, share: np.ndarray, problem: np.ndarray) -> None:
        """Take the rows of some games, by block, rotation and seat."""
        seats = self.players
        found, first, counts = np.unique(block[::seats], return_index=True, return_counts=True)
        shares = np.add.reduceat(share.reshape(-1, seats), first)
        self._shares[found] = shares / counts[:, None]
        self._problems[found] = np.add.reduceat(problem[::seats], first) / counts

    @property
    def is_open(self) -> bool:
        """Whether it plays on."""
        return self.found == "open" and self._judged < self.most

    @property
    def may_be_judged(self) -> bool:
        """Whether its verdict can be found now."""
        return self.found == "open" and not (self._plays_all and self._judged < self.most)

    @property
    def games_at_most(self) -> int:
        """Games that it may play in all."""
        blocks = self._judged
        if self.is_open:
            blocks = max(_at_most(self.needed, self._planned, self._is_capped), blocks)
        return math.ceil(self._games * blocks / self._planned)

    def next_round(self) -> range:
        """The blocks of the round that was not judged yet."""
        return range(self._judged, min(self._judged + self.round, self.most))

    def has(self, blocks: range) -> bool:
        """Whether all these blocks were added."""
        return not np.isnan(self._shares[blocks.start : blocks.stop, 0]).any()

    def bet(self, blocks: range) -> None:
        """Bet on these blocks, the next ones."""
        values = self._shares[blocks.start : blocks.stop]
        self._wealth = bet_on_seats(self._wealth, values, self._margin)
        self.evidence = evidence(self._wealth)
        self._judged = blocks.stop
        if blocks.start < PILOT <= blocks.stop:
            variance = float(self._shares[: blocks.stop].var(axis=0, ddof=1).mean())
            self.needed = max(blocks_needed(self.players, self._margin, variance), 1)
            if not self._is_capped:
                rounds = math.ceil(MOST_TIMES * self.needed / self.round)
                self.most = max(min(rounds * self.round, self.most), blocks.stop)

    def verdict(self) -> Verdict:
        """What is known."""
        problems = float(self._problems[: self._judged].mean()) if self._judged else 0.0
        found = self.found
        if problems > PROBLEM_LIMIT or (found == "open" and not self.is_open):
            found = "undecided"
        return Verdict(
            self.number, found, self._judged, self.most, self.needed, self.evidence, problems
        )


class Worth(NamedTuple):
    """What it is worth to be allowed what one player of a cell was not.

    Attributes
    ----------
    without
        Words of the actions that the player could not choose.
    win_share
        Of that player, with its 95 % interval.
    lost
        What that is less than the fair share.
    is_beyond_chance
        Whether the share is not the fair one by an interval so wide that those of all cells hold
        together with 95 %.
    most
        What may be lost at most, by that interval.
    """

    cell: CellSummary
    without: str
    win_share: Interval
    lost: Interval
    is_beyond_chance: bool
    most: float

    def to_json(self) -> dict[str, Any]:
        """The worth for scripts."""
        return {
            "players": self.cell.players,
            "settings": self.cell.settings,
            "without": self.without,
            "win_share": as_json(self.win_share),
            "lost": as_json(self.lost),
            "is_beyond_chance": self.is_beyond_chance,
        }


@dataclass(frozen=True)
class Findings:
    """What a sweep showed: the verdict of each cell, in the order of its plan.

    `margin` is the difference from the fair share that still counts as fair; `without` has the
    words of what an agent could not choose, by its spec, if that was asked.
    """

    margin: float
    cells: list[CellSummary]
    verdicts: list[Verdict]
    without: Mapping[str, str]

    @cached_property
    def worths(self) -> list[Worth]:
        """What each restriction takes from its player, the greatest loss first."""
        cells = [
            (cell, spec)
            for cell in self.cells
            for spec in cell.win_share
            if spec in self.without and cell.has_verdict
        ]
        level = 1 - (1 - FINDING_LEVEL) / max(len(cells), 1)
        found = []
        for cell, spec in cells:
            share, fair = cell.win_share[spec], 1 / cell.players
            lost = Interval(fair - share.mean, fair - share.high, fair - share.low, share.blocks)
            wide = cell.interval("win_share", spec, level=level)
            is_beyond = wide.excludes(fair)
            words = self.without[spec]
            found.append(Worth(cell, words, share, lost, is_beyond, fair - wide.low))
        return sorted(found, key=lambda one: -one.lost.mean)

    def to_json(self) -> dict[str, Any]:
        """The findings for scripts."""
        cells = []
        for cell, verdict in zip(self.cells, self.verdicts, strict=True):
            shares = [as_json(share) for share in cell.seat_win_share]
            own = {"players": cell.players, "agents": cell.agents, "settings": cell.settings}
            own |= {"games": cell.games, "fair_share": 1 / cell.players, "seat_win_share": shares}
            cells.append(verdict.to_json() | own)
        worths = [one.to_json() for one in self.worths]
        return {"margin": self.margin, "restricted": worths, "cells": cells}

    def sentences(self, place: Callable[[CellSummary], str]) -> list[str]:
        """The findings for people: what is worth something, and whether seats are fair at each
        table; `place` names what was varied in a cell.
        """
        tables: dict[str, list[tuple[CellSummary, Verdict]]] = {}
        for cell, verdict in zip(self.cells, self.verdicts, strict=True):
            name = f"{cell.players} players ({self.line_up(cell)})"
            tables.setdefault(name, []).append((cell, verdict))
        within = f"{100 * self.margin:g} {POINTS}"
        place_all = partial(self._place, place=place)
        found = self._worths(place)
        found += [self._table(name, rows, within, place_all) for name, rows in tables.items()]
        return found + self.unfinished()

    def unfinished(self) -> list[str]:
        """That the sweep is not over, if it is not."""
        if any(verdict.verdict == "open" for verdict in self.verdicts):
            return ["The sweep is not over; the same command goes on from here."]
        return []

    def line_up(self, cell: CellSummary) -> str:
        """Who sits at a table, in words; those of different restrictions are alike."""
        return f"{cell.agents[-1]}, one restricted" if self.words(cell) else cell.line_up

    def words(self, cell: CellSummary) -> str:
        """What one player of a cell may not choose; empty where nobody is restricted."""
        return self.without.get(cell.agents[0], "")

    def _place(self, cell: CellSummary, place: Callable[[CellSummary], str]) -> str:
        """What was varied in a cell, the restriction too."""
        return " at ".join(part for part in (self.words(cell), place(cell)) if part)

    def _worths(self, place: Callable[[CellSummary], str]) -> list[str]:
        """What a player wins without each of what matters, and what makes no difference."""
        found = []
        others: dict[str, list[Worth]] = {}
        for one in self.worths:
            at = place(one.cell)
            where = f"With {one.cell.players} players" + (f" at {at}" if at else "")
            if not one.is_beyond_chance:
                others.setdefault(where, []).append(one)
                continue
            verb = "is worth" if one.lost.mean > 0 else "costs"
            found.append(
                f"{where}, a player without {one.without} wins {percent_within(one.win_share)} "
                f"where {percent(1 / one.cell.players)} is fair: it {verb} "
                f"{100 * abs(one.lost.mean):.1f} {POINTS}."
            )
        for where, own in others.items():
            names = ", ".join(one.without for one in own)
            most = points(max(one.most for one in own))
            found.append(
                f"{where}, nothing beyond chance is lost without: {names}; more than {most} is "
                "ruled out."
            )
        return found

    def _table(
        self,
        name: str,
        rows: list[tuple[CellSummary, Verdict]],
        within: str,
        place: Callable[[CellSummary], str],
    ) -> str:
        """What is known of the settings of one table."""
        says = {
            "fair": f"are fair within {within}",
            "unfair": f"are off by more than {within}",
            "undecided": "are too near to the margin to tell",
            "open": "are not decided yet",
        }
        if len(rows) == 1:
            return f"With {name}, seats {says[rows[0][1].verdict]}: {self._seat(rows[0][0])}."
        parts = []
        for verdict, text in says.items():
            own = [cell for cell, one in rows if one.verdict == verdict]
            if not own:
                continue
            part = f"seats {text} in {part_of(len(own), len(rows))} settings"
            if len(own) < len(rows):
                part += f" ({', '.join(place(cell) for cell in own)})"
            if verdict == "unfair":
                worst = max(own, key=lambda cell: abs(cell.seat_gap))
                part += f", most so at {place(worst)}: {self._seat(worst)}"
            parts.append(part)
        return f"With {name}, {'; '.join(parts)}."

    def _seat(self, cell: CellSummary) -> str:
        if not cell.games:
            return "no game was played"
        seat, share = cell.farthest_seat
        return f"seat {seat} wins {percent_within(share)} where {percent(1 / cell.players)} is fair"


def findings(run: Run, summary: Summary) -> Findings:
    """What a sweep's run showed, as far as it was played.

    >>> [one.verdict for one in findings(run, summary).verdicts]          # doctest: +SKIP
    ['fair', 'unfair']
    """
    referee = Referee(run.manifest["cells"], run.manifest["plan"])
    run.show(referee)
    plan = run.manifest["plan"]
    without = {restricted(plan["agents"][0], words): words for words in plan.get("without", [])}
    return Findings(plan["margin"] / 100, summary.cells, referee.verdicts(), without)


class Cost(NamedTuple):
    """What the cells at one table take: games of a cell that is fair, as a study of fixed size
    would take them, and at most; seconds of one worker for a game; how many such cells there are.
    """

    players: int
    line_up: str
    cells: int
    needed: int
    most: int
    seconds: float


def costs(cells: Sequence[Cell], is_capped: bool, pace: Callable[[Cell], float]) -> list[Cost]:
    """What each table of a sweep takes, if the games of a block were independent.

    `is_capped` says whether the plan has the games of a cell at most; `pace` gives the seconds of a
    game in a cell.
    """
    tables: dict[tuple, list[Cell]] = {}
    for cell in cells:
        tables.setdefault((cell.players, cell.agents), []).append(cell)
    return [
        Cost(
            players,
            named(agents),
            len(own),
            *_games(own[0], is_capped),
            pace(own[0]),
        )
        for (players, agents), own in tables.items()
    ]


def _games(cell: Cell, is_capped: bool) -> tuple[int, int]:
    """Games of a cell, needed and at most, before any is played."""
    length = cell.games / cell.blocks
    most = _at_most(cell.needed, cell.blocks, is_capped)
    return math.ceil(cell.needed * length), math.ceil(most * length)


def _at_most(needed: int, planned: int, is_capped: bool) -> int:
    """Blocks that a cell plays at most: as planned, or fewer where its games were not given."""
    return planned if is_capped else min(MOST_TIMES * needed, planned)
