"""From results tables to the summary that the command line and the report show.

A table row is one player in one game. Tables are read part by part; what stays in memory is one
number a block and quantity, never the games themselves. Every interval rests on blocks.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from experiments.stats import (
    BLOCKS_FOR_T,
    Interval,
    anytime_interval,
    block_interval,
    paired_interval,
)
from experiments.store import COLUMNS, PROGRESS
from sim.errors import Mistake
from sim.layout import counted

if TYPE_CHECKING:
    import pandas

    from sim.contract import Measure

#: A cell with a greater share of games with a problem (status not "ok") gets no verdict.
PROBLEM_LIMIT = 0.01

#: Confidence of the finding as a whole.
FINDING_LEVEL = 0.95

#: Unit of a difference of shares; plain points are what some games are scored in.
POINTS = "percentage points"

#: Name of an end reason that is empty in the table: the game did not end properly.
NO_END = "none"

#: Percent of the turns after which it is asked who is ahead.
QUARTERS = (25, 50, 75)

#: Values that are shares of games, turns, decisions.
SHARES = ("seat", "ties", "end_reason", "forced", "dead_turns", "choices_that_matter")
SHARES += ("leader_wins", "comebacks")

#: Score sums are kept in whole steps, so that the order of the parts changes no bit of them.
STEPS = 2**16


class Extreme(NamedTuple):
    """One remarkable game, with all it takes to find and play it again."""

    cell: int
    block: int
    rotation: int
    seed: int
    value: float


class Offence(NamedTuple):
    """The first game that an agent spoiled, where it sat and what it did wrong."""

    cell: int
    block: int
    rotation: int
    seat: int
    failure: str


class MeasureSummary(NamedTuple):
    """A measure's mean over games; `by_agent` a copy's mean, empty for a measure of the game."""

    overall: Interval
    by_agent: dict[str, Interval]


class CellSummary:
    """What one cell (one setting of the options, one line-up) showed, added up block by block.

    The cells of a tournament, and those of strategies at one setting, are taken as one, in which a
    block is one deal played by all of its line-ups; `line_ups` has each of them by the number of
    its cell in the run. A match or a cell of a sweep ends when it is decided (`ends_early`), so
    intervals of its shares hold however it was stopped.

    `win_share` is by agent spec, the mean over rotations and over the agent's copies, so that
    1 / players is fair; `seat_win_share` by seat. `trajectory[rank - 1, i]` is the mean score
    at the i-th of `store.PERCENT` of the turns of the players who ended with that rank (players who
    tie share the smallest), `trajectory_players` their number. `end_reasons` are shares of games.
    """

    def __init__(
        self,
        entries: Sequence[Mapping[str, Any]],
        declared: Mapping[str, Measure],
        reasons: set[str],
        ends_early: bool = False,
    ) -> None:
        entry = entries[0]
        self.line_ups: dict[int, list[str]] = {one["cell"]: one["agents"] for one in entries}
        self.cell: int = entry["cell"]
        self.players: int = entry["players"]
        self.settings: dict[str, Any] = entry["settings"]
        self.options: dict[str, Any] = entry.get("options", {})
        self.agents: list[str] = entry["agents"]
        if len(entries) > 1:
            self.agents = list(dict.fromkeys(spec for one in entries for spec in one["agents"]))
        self.label: str = entry["label"] or f"cell {self.cell}"  # settings varied, as typed
        self.planned: int = entry["blocks"]
        self.statuses: Counter[str] = Counter()
        self.extremes: dict[str, Extreme] = {}
        self.offences: dict[str, Offence] = {}  # by agent
        self.trajectory_players = np.zeros(self.players, dtype=np.int64)
        self._specs = list(dict.fromkeys(self.agents))
        self._declared, self._reasons = declared, reasons
        self._ends_early = ends_early
        self._measures: list[str] = []
        self._games = np.zeros(self.planned, dtype=np.int64)
        self._played: Counter[int] = Counter()  # blocks, by line-up
        self._sums: dict[tuple, np.ndarray] = {}
        self._missing: dict[tuple, np.ndarray] = {}  # games without a value, where there are any
        self._scores = np.zeros((self.players, len(PROGRESS)), dtype=np.int64)
        self._scored = np.zeros((self.players, len(PROGRESS)), dtype=np.int64)

    @property
    def games(self) -> int:
        """Games played."""
        return int(self._games.sum())

    @property
    def blocks(self) -> int:
        """Blocks of which at least one game was played."""
        return int(np.count_nonzero(self._games))

    @property
    def is_complete(self) -> bool:
        """Whether every line-up has played its blocks."""
        return min(self._played[number] for number in self.line_ups) >= self.planned

    @property
    def problems(self) -> int:
        """Games with a status other than "ok"."""
        return self.games - self.statuses.get("ok", 0)

    @property
    def has_verdict(self) -> bool:
        """False when too many games had a problem (or none was played) to conclude anything."""
        return self.games > 0 and self.problems <= PROBLEM_LIMIT * self.games

    @property
    def line_up(self) -> str:
        """Who sits together, in words: "greedy, 3 random"."""
        if len(self.line_ups) > 1:
            return f"{len(self.agents)} agents in {len(self.line_ups)} line-ups"
        return named(self.agents)

    @property
    def rivals(self) -> list[str]:
        """The agents to compare; none when all copies are the same."""
        return self._specs if len(self._specs) > 1 else []

    @cached_property
    def win_share(self) -> dict[str, Interval]:
        """Win share of a copy of each agent."""
        return {spec: self.interval("win_share", spec) for spec in self._specs}

    @cached_property
    def seat_win_share(self) -> list[Interval]:
        """Win share of each seat."""
        return [self.interval("seat", seat) for seat in range(self.players)]

    @property
    def farthest_seat(self) -> tuple[int, Interval]:
        """The seat whose win share is farthest from fair, and that share."""
        shares = self.seat_win_share
        seat = max(range(self.players), key=lambda one: abs(shares[one].mean - 1 / self.players))
        return seat, shares[seat]

    @property
    def seat_gap(self) -> float:
        """By how much that seat wins more or, if negative, less than fair."""
        return self.farthest_seat[1].mean - 1 / self.players

    @cached_property
    def turns(self) -> Interval:
        """Turns of a game."""
        return self.interval("turns")

    @cached_property
    def decisions(self) -> Interval:
        """Decisions of a game, by all players."""
        return self.interval("decisions")

    @cached_property
    def turns_spread(self) -> Interval:
        """Standard deviation of the turns of a game."""
        mean = np.nanmean(self.values("turns")) if self.games else math.nan
        squares = self.values("turns_squared") - 2 * mean * self.values("turns") + mean**2
        found = block_interval(squares[~np.isnan(squares)], bounds=None)
        return Interval(*(math.sqrt(max(end, 0.0)) for end in found[:3]), found.blocks)

    @cached_property
    def width(self) -> Interval:
        """Legal actions of a choice."""
        return self.interval("width")

    @cached_property
    def forced(self) -> Interval:
        """Share of the decisions that have a single legal action."""
        return self.interval("forced")

    @cached_property
    def dead_turns(self) -> Interval:
        """Share of the turns in which no choice mattered, see `agents.choices`."""
        return self.interval("dead_turns")

    @cached_property
    def choices_that_matter(self) -> Interval:
        """Share of the choices that matter, see `agents.choices`."""
        return self.interval("choices_that_matter")

    @cached_property
    def leader_wins(self) -> dict[int, Interval]:
        """Share of games won by who was ahead after so many percent of the turns."""
        return {percent: self.interval("leader_wins", percent) for percent in QUARTERS}

    @cached_property
    def lead_changes(self) -> Interval:
        """How often in a game another player than before came to be ahead."""
        return self.interval("lead_changes")

    @cached_property
    def comebacks(self) -> Interval:
        """Share of games won by who was last at half-time."""
        return self.interval("comebacks")

    @cached_property
    def score_margin(self) -> Interval:
        """Best score less the second."""
        return self.interval("score_margin")

    @cached_property
    def ties(self) -> Interval:
        """Share of games with several winners."""
        return self.interval("ties")

    @cached_property
    def end_reasons(self) -> dict[str, Interval]:
        """Share of games by how they ended; all ends that any cell saw."""
        return {name: self.interval("end_reason", name) for name in sorted(self._reasons)}

    @cached_property
    def measures(self) -> dict[str, MeasureSummary]:
        """The game's own measures."""
        return {
            name: MeasureSummary(
                self.interval("measure", name),
                {spec: self.interval("measure", name, spec) for spec in self._specs}
                if self._is_per_player(name)
                else {},
            )
            for name in self._measures
        }

    @property
    def trajectory(self) -> np.ndarray:
        """Mean score by final rank and part of the turns."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return self._scores / STEPS / self._scored

    def values(self, *key: str | int) -> np.ndarray:
        """One value a block, the mean over its games, by block number; NaN where there is none.

        Keys: ("win_share", spec), ("seat", seat), the names of properties without an argument
        alone, ("leader_wins", percent), ("end_reason", name), ("measure", name), and ("measure",
        name, spec) for a measure per player.
        """
        sums = self._sums.get(key)
        if sums is None:
            if self._games.any() and key[0] != "end_reason":  # an end only other cells saw is 0
                raise KeyError(key)
            sums = np.zeros(self.planned)
        with np.errstate(invalid="ignore", divide="ignore"):
            return sums / (self._games - self._missing.get(key, 0))

    def has(self, *key: str | int) -> bool:
        """Whether there are such `values`: not of an agent or a seat that others have."""
        return key in self._sums

    def interval(self, *key: str | int, level: float = 0.95) -> Interval:
        """Interval of any of the `values`, at any level."""
        values, bounds = self.values(*key), self.bounds(*key)
        values = values[~np.isnan(values)]
        if self._ends_early and bounds is not None:
            return anytime_interval(values, level, bounds)
        return block_interval(values, level, bounds)

    def bounds(self, *key: str | int) -> tuple[float, float] | None:
        """Bounds of any of the `values`: those of a share, or None."""
        name = key[1] if key[0] == "measure" else None
        is_share = self._declared[name].unit == "share" if name in self._declared else False
        if key[0] == "win_share":  # of a copy, and never more than all copies can have
            copies = min(line_up.count(key[1]) for line_up in self.line_ups.values())
            return 0.0, 1.0 / max(copies, 1)
        if is_share or key[0] in SHARES:
            return 0.0, 1.0
        return None

    def change_to(self, other: CellSummary, *key: str | int, level: float) -> Interval:
        """Interval of how much greater a value is in another cell, over the common blocks."""
        size = min(self.planned, other.planned)
        before, after = self.values(*key)[:size], other.values(*key)[:size]
        both = ~np.isnan(before + after)
        before, after, bounds = before[both], after[both], self.bounds(*key)
        if self._ends_early and bounds is not None:
            return anytime_interval(after - before, level, (-bounds[1], bounds[1]))
        return paired_interval(after, before, level, bounds)

    def to_json(self) -> dict[str, Any]:
        """The cell as plain lists, dicts, strings and numbers; null for what is not finite."""
        return {
            "cell": self.cell,
            "settings": self.settings,
            "players": self.players,
            "agents": self.agents,
            "games": self.games,
            "blocks": self.blocks,
            "statuses": dict(sorted(self.statuses.items())),
            "has_verdict": self.has_verdict,
            "win_share": {spec: as_json(share) for spec, share in self.win_share.items()},
            "seat_win_share": [as_json(share) for share in self.seat_win_share],
            "turns": as_json(self.turns),
            "turns_spread": as_json(self.turns_spread),
            "decisions": as_json(self.decisions),
            "width": as_json(self.width),
            "forced": as_json(self.forced),
            "dead_turns": as_json(self.dead_turns),
            "choices_that_matter": as_json(self.choices_that_matter),
            "leader_wins": {
                str(percent): as_json(share) for percent, share in self.leader_wins.items()
            },
            "lead_changes": as_json(self.lead_changes),
            "comebacks": as_json(self.comebacks),
            "score_margin": as_json(self.score_margin),
            "ties": as_json(self.ties),
            "end_reasons": {name: as_json(share) for name, share in self.end_reasons.items()},
            "measures": {
                name: as_json(measure.overall)
                | {"by_agent": {spec: as_json(mean) for spec, mean in measure.by_agent.items()}}
                for name, measure in self.measures.items()
            },
            "trajectory": [[_finite(score) for score in rank] for rank in self.trajectory],
            "extremes": {name: extreme._asdict() for name, extreme in self.extremes.items()},
        }

    def add(self, frame: pandas.DataFrame) -> None:
        """Add games; rows sorted by block, cell, rotation and seat. Raises Mistake."""
        n = self.players
        wrong = np.flatnonzero(frame["seat"].to_numpy() != np.arange(len(frame)) % n)
        if wrong.size or len(frame) % n:
            start = (wrong[0] if wrong.size else len(frame)) // n * n  # of the game
            raise Mistake(
                f"The results of cell {frame['cell'].iloc[start]} are damaged: a game in them does "
                f"not have exactly one row for each of its {n} seats."
            )

        def by_game(column: str, dtype: type | None = None) -> np.ndarray:
            return frame[column].to_numpy(dtype=dtype).reshape(-1, n)

        number = by_game("cell", np.int64)[:, 0]
        agent = self._agent_of(by_game("agent", object), number)  # [game, seat]
        block = by_game("block", np.int64)[:, 0]
        rotation = by_game("rotation")[:, 0]
        seed = by_game("seed")[:, 0]
        status = by_game("status", object)[:, 0]
        share = by_game("win_share", np.float64)
        turns = by_game("turns", np.float64)[:, 0]
        ordered = np.sort(by_game("score", np.float64), axis=1)
        best, margin = ordered[:, -1], ordered[:, -1] - ordered[:, -2]
        self.statuses.update(status.tolist())

        first = np.flatnonzero(np.r_[True, block[1:] != block[:-1]])
        ids = block[first]
        self._games[ids] += np.diff(np.r_[first, len(block)])
        self._played.update(
            one for one, _ in set(zip(number.tolist(), block.tolist(), strict=True))
        )

        def collect(values: np.ndarray, *key: str | int) -> None:
            if key not in self._sums:
                self._sums[key] = np.zeros(self.planned)
            absent = np.isnan(values)
            if absent.any():
                if key not in self._missing:
                    self._missing[key] = np.zeros(self.planned, dtype=np.int64)
                self._missing[key][ids] += np.add.reduceat(absent, first, dtype=np.int64)
                values = np.where(absent, 0.0, values)
            self._sums[key][ids] += np.add.reduceat(values, first)

        for index, spec in enumerate(self._specs):
            collect(_row_mean(np.where(agent == index, share, np.nan)), "win_share", spec)
        for seat in range(n):
            collect(share[:, seat], "seat", seat)
        collect(turns, "turns")
        collect(turns**2, "turns_squared")
        choices, options, forced = (
            by_game(name, np.float64).sum(axis=1) for name in ("decisions", "options", "forced")
        )
        collect(choices, "decisions")
        with np.errstate(invalid="ignore", divide="ignore"):
            collect(options / choices, "width")
            collect(forced / (forced + choices), "forced")
        for name in ("lead_changes", "dead_turns", "choices_that_matter"):
            collect(by_game(name, np.float64)[:, 0], name)
        for percent in QUARTERS:
            scores = by_game(f"score_{percent}", np.float64)
            leads = scores == scores.max(axis=1, keepdims=True)
            collect(_row_mean(np.where(leads, share, np.nan)), "leader_wins", percent)
            if percent == 50:
                is_last = (scores == scores.min(axis=1, keepdims=True)) & ~leads
                collect((share * is_last).sum(axis=1), "comebacks")
        collect(margin, "score_margin")
        # The others' shares after an illegal move are no tie.
        was_decided = (status == "ok") | (status == "too long")
        collect(((share > 0).sum(axis=1) > 1) * was_decided * 1.0, "ties")
        reason = by_game("end_reason", object)[:, 0]
        reason = np.where(reason == "", NO_END, reason)
        for name in set(reason):
            self._reasons.add(name)
            collect((reason == name) * 1.0, "end_reason", name)
        self._measures = [name for name in frame.columns if name not in COLUMNS]
        for name in self._measures:
            value = by_game(name, np.float64)
            collect(_row_mean(value), "measure", name)
            if self._is_per_player(name):
                for index, spec in enumerate(self._specs):
                    own = np.where(agent == index, value, np.nan)
                    collect(_row_mean(own), "measure", name, spec)

        rank = frame["rank"].to_numpy()
        scores = frame[list(PROGRESS)].to_numpy(dtype=np.float64)
        known = ~np.isnan(scores)
        steps = np.rint(np.where(known, scores, 0.0) * STEPS).astype(np.int64)
        for place in range(n):
            rows = rank == place + 1
            self.trajectory_players[place] += np.count_nonzero(rows)
            self._scored[place] += known[rows].sum(axis=0)
            self._scores[place] += steps[rows].sum(axis=0)

        offender = by_game("offender")[:, 0]
        failure = by_game("failure", object)[:, 0]
        for at in np.flatnonzero(offender >= 0)[::-1]:
            spec = self._specs[agent[at, offender[at]]]
            place = tuple(int(of[at]) for of in (number, block, rotation, offender))
            known = self.offences.get(spec)
            if known is None or place < known[:4]:
                self.offences[spec] = Offence(*place, str(failure[at]))

        # A game broken off is short for another reason, so records are among proper games.
        proper = np.lexsort((rotation, block, number))
        proper = proper[status[proper] == "ok"]
        for name, values in (
            ("shortest", turns),
            ("longest", turns),
            ("highest_winning_score", best),
            ("largest_margin", margin),
            ("narrowest_margin", margin),
        ):
            if proper.size:
                pick = np.argmin if name in _LEAST else np.argmax
                at = proper[pick(values[proper])]
                found = Extreme(
                    *(int(number[at]), int(block[at]), int(rotation[at])),
                    *(int(seed[at]), float(values[at])),
                )
                self.extremes[name] = _most(name, [self.extremes.get(name, found), found])

    def _is_per_player(self, name: str) -> bool:
        return name in self._declared and self._declared[name].per_player

    def _agent_of(self, named: np.ndarray, number: np.ndarray) -> np.ndarray:
        """Index into the specs of who played, [game, seat]; each game must have its line-up."""
        agent = np.full(named.shape, -1)
        for index, spec in enumerate(self._specs):
            agent[named == spec] = index
        distinct, which = np.unique(number, return_inverse=True)
        line_ups = [sorted(map(self._specs.index, self.line_ups[one])) for one in distinct.tolist()]
        wrong = np.flatnonzero((np.sort(agent, axis=1) != np.array(line_ups)[which]).any(axis=1))
        if wrong.size:
            raise Mistake(
                f"The results of cell {number[wrong[0]]} are not of this plan: a game was played "
                f"by {', '.join(named[wrong[0]])} where the manifest has "
                f"{', '.join(self.line_ups[int(number[wrong[0]])])}."
            )
        return agent


#: Names a cell in words.
Place = Callable[[CellSummary], str]
_AS_TYPED: Place = attrgetter("label")


@dataclass(frozen=True)
class Summary:
    """All cells of a run, in the order of its plan."""

    game: str
    board: str
    cells: list[CellSummary]
    ends_early: bool = False  # a match, a sweep: when it is decided

    @property
    def games(self) -> int:
        """Games of all cells together."""
        return sum(cell.games for cell in self.cells)

    @property
    def extremes(self) -> dict[str, Extreme]:
        """The most extreme games of all cells."""
        names = dict.fromkeys(name for cell in self.cells for name in cell.extremes)
        return {
            name: _most(name, [cell.extremes[name] for cell in self.cells if cell.extremes])
            for name in names
        }

    @cached_property
    def line_ups(self) -> dict[str, list[CellSummary]]:
        """Cells with a verdict, by their line-up and fair share in words."""
        groups: dict[str, list[CellSummary]] = {}
        for cell in self.cells:
            if cell.has_verdict:
                name = f"{cell.players} players ({cell.line_up}), "
                name += f"fair share {percent(1 / cell.players)}"
                groups.setdefault(name, []).append(cell)
        return groups

    @cached_property
    def comparisons(self) -> int:
        """Intervals that the finding rests on: agents, seats and length, and their changes."""
        return sum(
            (len(cells[0].rivals) + cells[0].players + 1) * (len(cells) + (len(cells) > 1))
            for cells in self.line_ups.values()
        )

    @property
    def level(self) -> float:
        """Level of one interval such that all of the finding hold together (Bonferroni)."""
        return 1.0 - (1.0 - FINDING_LEVEL) / max(self.comparisons, 1)

    def to_json(self) -> dict[str, Any]:
        """The summary for scripts: `games`, `finding`, `cells` (see `CellSummary.to_json`)."""
        return {
            "game": self.game,
            "board": self.board,
            "games": self.games,
            "warnings": self.warnings(),
            "finding": self.finding(),
            "cells": [cell.to_json() for cell in self.cells],
        }

    def warnings(self, place: Place = _AS_TYPED) -> list[str]:
        """What a reader must know before believing a number; nothing if all is well."""
        found = []
        bad = [cell for cell in self.cells if cell.problems]
        if bad:
            kinds = sum((cell.statuses for cell in bad), Counter())
            what = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items() if kind != "ok")
            text = f"{sum(cell.problems for cell in bad):,} of "
            text += f"{counted(self.games, 'games')} did not end "
            text += f"properly ({what})."
            silent = "; ".join(place(cell) for cell in bad if not cell.has_verdict)
            if silent:
                text += f" They are more than 1 % in {silent}, so nothing is concluded from there."
            else:
                text += " They are counted: a loss for the offender, by scores if too long."
            found.append(text)
        offences: dict[str, Offence] = {}
        for cell in self.cells:
            offences = cell.offences | offences
        found += [
            f"{spec} in seat {one.seat} broke off the game of cell {one.cell}, block {one.block}, "
            f"rotation {one.rotation}: {one.failure}"
            for spec, one in offences.items()
        ]
        short = 0 if self.ends_early else sum(not cell.is_complete for cell in self.cells)
        if short:
            which = f"{short} of {len(self.cells)} cells have" if len(self.cells) > 1 else "it has"
            found.append(f"The run is not complete: {which} fewer blocks than planned.")
        return found

    def finding(self, place: Place = _AS_TYPED) -> dict[str, list[str]]:
        """What was found, by line-up: a sentence on agents, seats, length and what changes them.

        All intervals in it are at one `level`.
        """
        found: dict[str, list[str]] = {}
        for line_up, cells in self.line_ups.items():
            first, last = cells[0], cells[-1]
            agents = {("win_share", spec): _copy(first, spec) for spec in first.rivals}
            seats = {("seat", seat): f"seat {seat}" for seat in range(first.players)}
            sentences = [f"All seats are played by {first.agents[0]}, so only seats can differ."]
            if agents:
                sentences = [self._against_fair(cells, agents, "no agent", place)]
            sentences.append(self._against_fair(cells, seats, "no seat", place))
            sentences.append(self._length(cells, place))
            if len(cells) > 1:
                where = f"From {place(first)} to {place(last)}, "
                sentences.append(where + self._changes(first, last, agents | seats))
            found[line_up] = sentences
        if found:
            text = (
                f"A range in brackets holds the true value; that is so for all {self.comparisons} "
                f"of them together with {100 * FINDING_LEVEL:.0f} % confidence (each alone: "
                f"{100 * self.level:.6g} %)."
            )
            if any(cell.has_verdict and cell.blocks < BLOCKS_FOR_T for cell in self.cells):
                text += f" With under {BLOCKS_FOR_T} blocks in a cell this is only a first look."
            found["How sure this is"] = [text]
        return found

    def _against_fair(
        self,
        cells: list[CellSummary],
        names: Mapping[tuple, str],
        nobody: str,
        place: Place,
    ) -> str:
        """Which win shares differ from the fair one, and what may still hide in the others."""
        fair, parts, reach = 1 / cells[0].players, [], 0.0
        for key, name in names.items():
            shares = [(cell.interval(*key, level=self.level), cell) for cell in cells]
            for word, side in (("more", 1), ("less", -1)):
                out = [
                    (side * (share.mean - fair), share, cell)
                    for share, cell in shares
                    if share.excludes(fair) and side * (share.mean - fair) > 0
                ]
                if not out:
                    continue
                _, share, cell = max(out, key=lambda one: one[0])
                text = f"{name} wins {word} than fair"
                if len(cells) == 1:
                    parts.append(f"{text}: {percent_within(share)}")
                    continue
                where = f"at {place(cell)}: {percent_within(share)}"
                if len(out) > 1:
                    where = f"most so {where}"
                parts.append(f"{text} in {part_of(len(out), len(cells))} settings, {where}")
            inside = [share for share, _ in shares if not share.excludes(fair)]
            reach = max([reach, *(max(one.high - fair, fair - one.low) for one in inside)])
        if not parts:
            parts = [f"{nobody} shows an advantage or disadvantage"]
            parts.append(f"one of more than {points(reach)} is ruled out")
        elif reach:
            parts.append(f"no other share is more than {points(reach)} from fair")
        text = "; ".join(parts) + "."
        # A spec is written as typed.
        return text[0].upper() + text[1:] if text.startswith(("no ", "each ", "seat ")) else text

    def _length(self, cells: list[CellSummary], place: Place) -> str:
        lengths = [(cell.interval("turns", level=self.level), cell) for cell in cells]
        least = min(lengths, key=lambda one: one[0].mean)
        most = max(lengths, key=lambda one: one[0].mean)
        if least is most:
            everywhere = " in every setting" if len(cells) > 1 else ""
            return f"A game takes {_quantity(least[0])}{everywhere}."
        return (
            f"A game takes from {_quantity(least[0])} at {place(least[1])} to "
            f"{_quantity(most[0])} at {place(most[1])}."
        )

    def _changes(self, first: CellSummary, last: CellSummary, names: Mapping[tuple, str]) -> str:
        """What changes between the first and the last setting of a sweep."""
        parts, reach = [], 0.0
        for key, name in names.items():
            change = first.change_to(last, *key, level=self.level)
            if change.excludes(0.0):
                verb = "rises" if change.mean > 0 else "falls"
                parts.append(f"the win share of {name} {verb} by {_size(change, POINTS, 100)}")
            else:
                reach = max(reach, change.high, -change.low)
        turns = first.change_to(last, "turns", level=self.level)
        if turns.excludes(0.0):
            longer = "longer" if turns.mean > 0 else "shorter"
            parts.append(f"games get {longer} by {_size(turns, 'turns')}")
        if reach:
            other = "no other" if parts else "no"
            parts.append(f"{other} win share moves by more than {points(reach)}")
        return "; ".join(parts) + "."


def summarise(
    frames: Iterable[pandas.DataFrame], manifest: Mapping[str, Any], measures: Sequence[Measure]
) -> Summary:
    """Summarise a run from its results tables, read one after the other.

    Parameters
    ----------
    frames : results tables (`run.tables()`), each game's rows all in one of them, in any order.
    manifest : the run's manifest; its `cells` say who played where.
    measures : the game's own; they say which of the table's are each player's.

    Errors
    ------
    Mistake when a table does not belong to the manifest or misses rows of a game.

    Examples
    --------
    >>> cell = {"cell": 0, "players": 2, "settings": {}, "label": "", "blocks": 9}
    >>> manifest = {"game": "westward-rails", "board": {"label": "A map"}}
    >>> manifest["cells"] = [cell | {"agents": ["greedy", "random"]}]
    >>> summarise([], manifest, measures=[]).games
    0
    """
    reasons: set[str] = set()
    declared = {measure.name: measure for measure in measures}
    kind = manifest.get("plan", {}).get("kind")
    entries = [[entry] for entry in manifest["cells"]]
    if kind in ("tournament", "gauntlet", "strategies"):
        groups: dict[str, list[Mapping[str, Any]]] = {}
        for entry in manifest["cells"]:
            groups.setdefault(repr((entry["players"], entry["settings"])), []).append(entry)
        entries = list(groups.values())
    ends_early = kind in ("match", "sweep")
    found = [CellSummary(group, declared, reasons, ends_early) for group in entries]
    cells = {number: place for place, cell in enumerate(found) for number in cell.line_ups}
    for frame in frames:
        frame = frame.sort_values(["block", "cell", "rotation", "seat"])
        place = frame["cell"].map(cells)
        if place.isna().any():
            raise Mistake(
                f"The results hold games of cell {frame['cell'][place.isna()].iloc[0]}, but the "
                f"manifest has only the cells {', '.join(map(str, cells))}."
            )
        for one, rows in frame.groupby(place):
            found[one].add(rows)
    return Summary(manifest["game"], manifest["board"]["label"], found, ends_early)


_LEAST = ("shortest", "narrowest_margin")


def _most(name: str, games: Sequence[Extreme]) -> Extreme:
    """The most extreme, of equals the first in the run, so the order of parts does not matter."""
    side = 1 if name in _LEAST else -1
    return min(games, key=lambda game: (side * game.value, *game[:3]))


def _row_mean(values: np.ndarray) -> np.ndarray:
    """Mean of each row over what is not NaN; NaN for a row without any."""
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.where(known, values, 0.0).sum(axis=1) / known.sum(axis=1)


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def as_json(interval: Interval) -> dict[str, float | None]:
    """An interval for scripts; null for what is not finite."""
    mean, low, high = map(_finite, interval[:3])
    return {"mean": mean, "low": low, "high": high}


# ---- parts of sentences


def _copy(cell: CellSummary, spec: str) -> str:
    return f"each copy of {spec}" if cell.agents.count(spec) > 1 else spec


def named(agents: Iterable[str]) -> str:
    """Who sits together.

    >>> named(["greedy", "random", "random"])
    'greedy, 2 random'
    """
    counts = Counter(agents).items()
    return ", ".join(f"{n} {spec}" if n > 1 else spec for spec, n in counts)


def part_of(count: int, total: int) -> str:
    """How many of how many.

    >>> part_of(2, 2), part_of(6, 6), part_of(1, 6)
    ('both', 'all 6', '1 of 6')
    """
    if count < total:
        return f"{count} of {total}"
    return "both" if total == 2 else f"all {total}"


def percent(share: float) -> str:
    """A share in percent.

    >>> percent(0.25), percent(1 / 3)
    ('25 %', '33.3 %')
    """
    return f"{100 * share:.1f} %".replace(".0 %", " %")


def points(share: float) -> str:
    """A difference of shares, rounded up."""
    return f"{math.ceil(round(1000 * share, 6)) / 10:.1f} {POINTS}"


def failing(problems: float) -> str:
    """That this share of games with a problem is too much, as the end of a sentence.

    >>> failing(0.25)
    '25 % of the games did not end properly, more than 1 %, so nothing is concluded.'
    """
    return (
        f"{percent(problems)} of the games did not end properly, more than "
        f"{percent(PROBLEM_LIMIT)}, so nothing is concluded."
    )


def percent_within(share: Interval) -> str:
    """A share in percent, with its interval."""
    return f"{100 * share.mean:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f} %)"


def _size(change: Interval, unit: str, scale: float = 1.0) -> str:
    """A change without its sign."""
    low, high = sorted((abs(change.low), abs(change.high)))
    return f"{scale * abs(change.mean):.1f} {unit} ({scale * low:.1f} to {scale * high:.1f})"


def _quantity(turns: Interval) -> str:
    if not math.isfinite(turns.low):
        return f"{turns.mean:,.1f} turns (too few blocks to say how sure that is)"
    return f"{turns.mean:,.1f} turns ({turns.low:,.1f} to {turns.high:,.1f})"
