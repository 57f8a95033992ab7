"""From results tables to the summary that the command line and the report show.

A table row is one player in one game. Tables are read part by part; what stays in memory is one
number a block and quantity, never the games themselves. Every interval rests on blocks.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.stats import BLOCKS_FOR_T, Interval, block_interval, paired_interval
from sim.errors import Mistake

if TYPE_CHECKING:
    import pandas

#: A cell with a greater share of games with a problem (status not "ok") gets no verdict.
PROBLEM_LIMIT = 0.01

#: Confidence of the finding as a whole.
FINDING_LEVEL = 0.95

#: Columns every results table has, whatever the game; all others are the game's measures.
PROGRESS = tuple(f"score_{percent}" for percent in range(0, 101, 10))
COLUMNS = (
    *("cell", "block", "rotation", "seat", "copy", "agent", "players", "seed", "settings"),
    *("win_share", "score", "rank", "decisions", "turns", "end_reason", "status", "offender"),
    *("version", *PROGRESS),
)

#: Name of an end reason that is empty in the table: the game did not end properly.
NO_END = "none"

_SHARE = (0.0, 1.0)
_STEPS = 2**16
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


@dataclass(frozen=True)
class Extreme:
    """One remarkable game, with all it takes to find and play it again."""

    cell: int
    block: int
    rotation: int
    seed: int
    value: float


@dataclass(frozen=True)
class MeasureSummary:
    """A measure's mean over games; `by_agent` a copy's mean, empty for a measure of the game."""

    overall: Interval
    by_agent: dict[str, Interval]


@dataclass(frozen=True)
class CellSummary:
    """What one cell (one setting of the options, one line-up) showed.

    `win_share` is by agent spec, the mean over rotations and over the agent's copies, so that
    1 / players is fair; `seat_win_share` by seat. `trajectory[rank - 1, i]` is the mean score at
    10 i % of the turns of the players who ended with that rank (players who tie share the
    smallest), `trajectory_players` their number. `end_reasons` are shares of games.
    """

    cell: int
    players: int
    settings: dict[str, Any]
    agents: list[str]
    games: int
    blocks: int
    statuses: dict[str, int]
    win_share: dict[str, Interval]
    seat_win_share: list[Interval]
    turns: Interval
    decisions: Interval
    score_margin: Interval
    ties: Interval
    end_reasons: dict[str, Interval]
    measures: dict[str, MeasureSummary]
    trajectory: np.ndarray
    trajectory_players: np.ndarray
    extremes: dict[str, Extreme]
    _totals: _CellTotals = field(repr=False, compare=False)

    @property
    def problems(self) -> int:
        """Games with a status other than "ok"."""
        return self.games - self.statuses.get("ok", 0)

    @property
    def has_verdict(self) -> bool:
        """False when too many games had a problem (or none was played) to conclude anything."""
        return self.games > 0 and self.problems <= PROBLEM_LIMIT * self.games

    @property
    def label(self) -> str:
        """The cell's settings as typed: "starting_money=24", "" when none varied."""
        return ",".join(f"{name}={value}" for name, value in self.settings.items())

    def values(self, *key: str | int) -> np.ndarray:
        """One value a block, by block number from 0; NaN where there is none.

        Keys: ("win_share", spec), ("seat", seat), ("turns",), ("decisions",), ("score_margin",),
        ("ties",), ("end_reason", name), ("measure", name), ("measure", name, spec).
        """
        return self._totals.values(key)

    def interval(self, *key: str | int, level: float = 0.95) -> Interval:
        """Interval of any of the `values`, at any level."""
        values = self.values(*key)
        return block_interval(values[~np.isnan(values)], level, _bounds(key))

    def to_json(self) -> dict[str, Any]:
        """The cell as plain lists, dicts, strings and numbers; null for what is not finite."""
        return {
            "cell": self.cell,
            "settings": dict(self.settings),
            "players": self.players,
            "agents": list(self.agents),
            "games": self.games,
            "blocks": self.blocks,
            "statuses": dict(self.statuses),
            "has_verdict": self.has_verdict,
            "win_share": {spec: _plain(share) for spec, share in self.win_share.items()},
            "seat_win_share": [_plain(share) for share in self.seat_win_share],
            "turns": _plain(self.turns),
            "decisions": _plain(self.decisions),
            "score_margin": _plain(self.score_margin),
            "ties": _plain(self.ties),
            "end_reasons": {name: _plain(share) for name, share in self.end_reasons.items()},
            "measures": {
                name: _plain(measure.overall)
                | {"by_agent": {spec: _plain(mean) for spec, mean in measure.by_agent.items()}}
                for name, measure in self.measures.items()
            },
            "trajectory": [[_finite(score) for score in rank] for rank in self.trajectory],
            "extremes": {name: vars(extreme).copy() for name, extreme in self.extremes.items()},
        }


@dataclass(frozen=True)
class Summary:
    """All cells of a run, in the order of its plan."""

    game: str
    board: str
    rules_version: int | None
    cells: list[CellSummary]

    @property
    def games(self) -> int:
        """Games of all cells together."""
        return sum(cell.games for cell in self.cells)

    @property
    def extremes(self) -> dict[str, Extreme]:
        """The most extreme games of all cells."""
        found: dict[str, Extreme] = {}
        for cell in self.cells:
            for name, extreme in cell.extremes.items():
                if name not in found or _beats(name, extreme, found[name]):
                    found[name] = extreme
        return found

    def to_json(self) -> dict[str, Any]:
        """The summary for scripts: `games`, `finding`, `cells` (see `CellSummary.to_json`)."""
        return {
            "game": self.game,
            "board": self.board,
            "games": self.games,
            "finding": self.finding(),
            "cells": [cell.to_json() for cell in self.cells],
        }

    def finding(self) -> list[str]:
        """What was run, what it found and how sure that is, in plain sentences.

        All intervals in it are at one level, raised (Bonferroni) so that all of them hold
        together with 95 % confidence.
        """
        return _Finding(self).sentences()


def summarise(
    frames: Iterable[pandas.DataFrame],
    manifest: Mapping[str, Any],
    measures: Sequence[Any] | None = None,
    level: float = 0.95,
) -> Summary:
    """Summarise a run from its results tables, read one after the other.

    Parameters
    ----------
    frames : results tables (`run.tables()`), each game's rows all in one of them, in any order.
    manifest : the run's manifest; its `cells` say who played where.
    measures : `game.measures`. Without it, a measure counts as one per player if it ever differed
        between two players of a game.
    level : confidence level of each interval in the summary.

    Errors
    ------
    Mistake when a table does not belong to the manifest or misses rows of a game.

    Examples
    --------
    >>> cell = {"cell": 0, "players": 2, "settings": {}, "agents": ["greedy", "uniform"]}
    >>> summarise([], {"game": "westward-rails", "cells": [cell]}).games
    0
    """
    totals = {int(entry["cell"]): _CellTotals(entry) for entry in manifest["cells"]}
    for frame in frames:
        _add_frame(totals, frame)
    reasons = sorted({reason for total in totals.values() for reason in total.reasons})
    per_player = None if measures is None else {m.name: bool(m.per_player) for m in measures}
    if per_player is None:
        names = {name for total in totals.values() for name in total.measures}
        per_player = {
            name: any(name in total.differing for total in totals.values()) for name in names
        }
    board = manifest.get("board") or {}
    return Summary(
        game=str(manifest.get("game", "")),
        board=str(board.get("label") or board.get("name") or ""),
        rules_version=manifest.get("rules_version"),
        cells=[total.summary(reasons, per_player, level) for total in totals.values()],
    )


# ---- adding up


class _CellTotals:
    """Sums of one cell, block by block."""

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self.cell = int(entry["cell"])
        self.players = int(entry["players"])
        self.settings = dict(entry.get("settings") or {})
        self.agents = [str(spec) for spec in entry["agents"]]
        self.specs = list(dict.fromkeys(self.agents))
        self.games_in_block = np.zeros(int(entry.get("blocks") or 0), dtype=np.int64)
        self.sums: dict[tuple, np.ndarray] = {}
        self.missing: dict[tuple, np.ndarray] = {}  # games without a value, if there are any
        self.statuses: Counter[str] = Counter()
        self.reasons: set[str] = set()
        self.measures: list[str] = []
        self.differing: set[str] = set()  # measures that differed between players of a game
        # In whole steps of 2 ** -16, so that the order of the parts changes no bit of the sums.
        self.score_sums = np.zeros((self.players, len(PROGRESS)), dtype=np.int64)
        self.score_counts = np.zeros((self.players, len(PROGRESS)), dtype=np.int64)
        self.rank_counts = np.zeros(self.players, dtype=np.int64)
        self.extremes: dict[str, Extreme] = {}

    def add(self, frame: pandas.DataFrame) -> None:
        """Add games of this cell; rows sorted by block, rotation and seat."""
        n = self.players
        seats = frame["seat"].to_numpy()
        if len(seats) % n or not (seats.reshape(-1, n) == np.arange(n)).all():
            raise Mistake(
                f"The results of cell {self.cell} are damaged: a game in them does not have "
                f"exactly one row for each of its {n} seats."
            )

        def by_game(column: str) -> np.ndarray:
            return frame[column].to_numpy().reshape(-1, n)

        agent = self._agent_of(frame)  # [game, seat]
        block = by_game("block")[:, 0].astype(np.int64)
        rotation = by_game("rotation")[:, 0]
        status = frame["status"].to_numpy(dtype=object)[::n]
        share = by_game("win_share").astype(np.float64)
        score = by_game("score").astype(np.float64)
        turns = by_game("turns")[:, 0].astype(np.float64)
        ordered = np.sort(score, axis=1)
        margin = ordered[:, -1] - ordered[:, -2]
        # The others' shares after an illegal move are no tie.
        was_decided = (status == "ok") | (status == "too long")
        is_tie = ((share > 0).sum(axis=1) > 1) & was_decided

        first = np.flatnonzero(np.r_[True, block[1:] != block[:-1]])
        ids = block[first]
        self._reach(int(ids.max()))
        self.games_in_block[ids] += np.diff(np.r_[first, len(block)])

        def collect(key: tuple, values: np.ndarray) -> None:
            self._collect(key, values, first, ids)

        for index, spec in enumerate(self.specs):
            copies = self.agents.count(spec)
            won = np.where(agent == index, share, 0.0).sum(axis=1)
            collect(("win_share", spec), won / copies)
        for seat in range(n):
            collect(("seat", seat), share[:, seat])
        collect(("turns",), turns)
        collect(("decisions",), by_game("decisions").sum(axis=1).astype(np.float64))
        collect(("score_margin",), margin)
        collect(("ties",), is_tie.astype(np.float64))

        reason = frame["end_reason"].to_numpy(dtype=object)[::n]
        reason = np.array([text or NO_END for text in reason], dtype=object)
        for name in set(reason):
            self.reasons.add(name)
            collect(("end_reason", name), (reason == name).astype(np.float64))

        self.measures = [name for name in frame.columns if name not in COLUMNS]
        for name in self.measures:
            value = by_game(name).astype(np.float64)
            collect(("measure", name), _row_mean(value))
            for index, spec in enumerate(self.specs):
                collect(("measure", name, spec), _row_mean(np.where(agent == index, value, np.nan)))
            if np.any((value != value[:, :1]) & ~(np.isnan(value) & np.isnan(value[:, :1]))):
                self.differing.add(name)

        self.statuses.update(status.tolist())
        self._add_trajectory(frame)
        # A game broken off is short for another reason, so records are among proper games.
        seed = by_game("seed")[:, 0]
        proper = np.flatnonzero(status == "ok")
        for name, values in (
            ("shortest", turns),
            ("longest", turns),
            ("highest_winning_score", ordered[:, -1]),
            ("largest_margin", margin),
            ("narrowest_margin", margin),
        ):
            candidates = proper[np.isfinite(values[proper])]
            if candidates.size:
                pick = np.argmin if name in _LEAST else np.argmax
                at = candidates[pick(values[candidates])]
                found = Extreme(
                    *(self.cell, int(block[at]), int(rotation[at])),
                    *(int(seed[at]), float(values[at])),
                )
                if name not in self.extremes or _beats(name, found, self.extremes[name]):
                    self.extremes[name] = found

    def values(self, key: tuple) -> np.ndarray:
        """Mean over the games of each block."""
        if key not in self.sums:
            if key[0] == "end_reason":  # one that only other cells saw
                return np.where(self.games_in_block > 0, 0.0, np.nan)
            if not self.games_in_block.any():
                return np.full(len(self.games_in_block), np.nan)
            raise KeyError(key)
        counts = self.games_in_block - self.missing.get(key, 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.sums[key] / counts

    def summary(
        self, reasons: list[str], per_player: Mapping[str, bool], level: float
    ) -> CellSummary:
        def interval(*key: str | int) -> Interval:
            values = self.values(key)
            return block_interval(values[~np.isnan(values)], level, _bounds(key))

        with np.errstate(invalid="ignore", divide="ignore"):
            trajectory = self.score_sums / _STEPS / self.score_counts
        return CellSummary(
            cell=self.cell,
            players=self.players,
            settings=self.settings,
            agents=self.agents,
            games=int(self.games_in_block.sum()),
            blocks=int(np.count_nonzero(self.games_in_block)),
            statuses=dict(sorted(self.statuses.items())),
            win_share={spec: interval("win_share", spec) for spec in self.specs},
            seat_win_share=[interval("seat", seat) for seat in range(self.players)],
            turns=interval("turns"),
            decisions=interval("decisions"),
            score_margin=interval("score_margin"),
            ties=interval("ties"),
            end_reasons={reason: interval("end_reason", reason) for reason in reasons},
            measures={
                name: MeasureSummary(
                    interval("measure", name),
                    {spec: interval("measure", name, spec) for spec in self.specs}
                    if per_player.get(name, False)
                    else {},
                )
                for name in self.measures
            },
            trajectory=trajectory,
            trajectory_players=self.rank_counts,
            extremes=self.extremes,
            _totals=self,
        )

    def _agent_of(self, frame: pandas.DataFrame) -> np.ndarray:
        """Index into `specs` of who played, [game, seat]; each game must have the line-up."""
        index = {spec: i for i, spec in enumerate(self.specs)}
        named = frame["agent"].to_numpy(dtype=object)
        agent = np.array([index.get(spec, -1) for spec in named]).reshape(-1, self.players)
        line_up = sorted(index[spec] for spec in self.agents)
        wrong = np.flatnonzero((np.sort(agent, axis=1) != line_up).any(axis=1))
        if wrong.size:
            played = named.reshape(agent.shape)[wrong[0]]
            raise Mistake(
                f"The results of cell {self.cell} are not of this plan: a game was played by "
                f"{', '.join(played)} where the manifest has {', '.join(self.agents)}."
            )
        return agent

    def _collect(self, key: tuple, values: np.ndarray, first: np.ndarray, ids: np.ndarray) -> None:
        if key not in self.sums:
            self.sums[key] = np.zeros(len(self.games_in_block))
        absent = np.isnan(values)
        if absent.any():
            if key not in self.missing:
                self.missing[key] = np.zeros(len(self.games_in_block), dtype=np.int64)
            self.missing[key][ids] += np.add.reduceat(absent, first, dtype=np.int64)
            values = np.where(absent, 0.0, values)
        self.sums[key][ids] += np.add.reduceat(values, first)

    def _reach(self, block: int) -> None:
        """Make room for that block."""
        grow = max(block + 1, 2 * len(self.games_in_block))
        if block < len(self.games_in_block):
            return
        self.games_in_block = _grown(self.games_in_block, grow)
        self.sums = {key: _grown(array, grow) for key, array in self.sums.items()}
        self.missing = {key: _grown(array, grow) for key, array in self.missing.items()}

    def _add_trajectory(self, frame: pandas.DataFrame) -> None:
        rank = frame["rank"].to_numpy().astype(np.int64) - 1
        scores = frame[list(PROGRESS)].to_numpy(dtype=np.float64)
        known = ~np.isnan(scores)
        steps = np.rint(np.where(known, scores, 0.0) * _STEPS).astype(np.int64)
        for place in range(self.players):
            rows = rank == place
            self.rank_counts[place] += np.count_nonzero(rows)
            self.score_counts[place] += known[rows].sum(axis=0)
            self.score_sums[place] += steps[rows].sum(axis=0)


def _add_frame(totals: Mapping[int, _CellTotals], frame: pandas.DataFrame) -> None:
    """Hand each cell its rows, in order."""
    if not len(frame):
        return
    keys = [frame[name].to_numpy().astype(np.int64) for name in ("seat", "rotation", "block")]
    cell = frame["cell"].to_numpy().astype(np.int64)
    order = np.lexsort((*keys, cell))
    if not np.array_equal(order, np.arange(len(order))):
        frame, cell = frame.iloc[order], cell[order]
    starts = np.flatnonzero(np.r_[True, cell[1:] != cell[:-1]])
    for start, stop in zip(starts, [*starts[1:], len(cell)], strict=True):
        number = int(cell[start])
        if number not in totals:
            raise Mistake(
                f"The results hold games of cell {number}, but the manifest has only the cells "
                f"{', '.join(map(str, sorted(totals)))}."
            )
        totals[number].add(frame.iloc[start:stop])


def _grown(array: np.ndarray, length: int) -> np.ndarray:
    larger = np.zeros(length, dtype=array.dtype)
    larger[: len(array)] = array
    return larger


def _row_mean(values: np.ndarray) -> np.ndarray:
    """Mean of each row over what is not NaN; NaN for a row without any."""
    known = ~np.isnan(values)
    if known.all():
        return values.mean(axis=1)
    with np.errstate(invalid="ignore"):
        return np.where(known, values, 0.0).sum(axis=1) / known.sum(axis=1)


_LEAST = ("shortest", "narrowest_margin")


def _beats(name: str, new: Extreme, old: Extreme) -> bool:
    """More extreme, or as extreme and earlier; so the order of the parts does not matter."""
    if new.value != old.value:
        return (new.value < old.value) == (name in _LEAST)
    return (new.cell, new.block, new.rotation) < (old.cell, old.block, old.rotation)


def _bounds(key: tuple) -> tuple[float, float] | None:
    return _SHARE if key[0] in ("win_share", "seat", "ties", "end_reason") else None


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _plain(interval: Interval) -> dict[str, float | None]:
    mean, low, high = map(_finite, interval[:3])
    return {"mean": mean, "low": low, "high": high}


# ---- in words


class _Finding:
    """Writes the sentences; first counts the comparisons, since their number sets the level."""

    def __init__(self, summary: Summary) -> None:
        self.summary = summary
        self.usable = [cell for cell in summary.cells if cell.has_verdict]
        groups: dict[tuple, list[CellSummary]] = {}
        for cell in self.usable:
            groups.setdefault((cell.players, tuple(cell.agents)), []).append(cell)
        self.groups = list(groups.values())
        self.comparisons = sum(self._count(group) for group in self.groups)
        self.level = 1.0 - (1.0 - FINDING_LEVEL) / max(self.comparisons, 1)

    def sentences(self) -> list[str]:
        found = [self._what_was_run(), *self._problems()]
        for group in self.groups:
            prefix = f"With {_line_up(group[0])}: " if len(self.groups) > 1 else ""
            for sentence in (
                *self._agents(group),
                *self._seats(group),
                *self._length(group),
                *self._moves(group),
            ):
                found.append(prefix + sentence if prefix else _opened(sentence, group[0].agents))
        if self.comparisons:
            found.append(self._how_sure())
        return found

    @staticmethod
    def _count(group: list[CellSummary]) -> int:
        """Intervals told about these cells: agents, seats and length, and their moves."""
        each = len(_rivals(group[0])) + group[0].players + 1
        return each * (len(group) + (1 if len(group) > 1 else 0))

    def _what_was_run(self) -> str:
        summary = self.summary
        about = [f"rules version {summary.rules_version}"] if summary.rules_version else []
        about += [summary.board] if summary.board else []
        text = f"{_number(summary.games, 'game')} of {summary.game or 'the game'}"
        text += f" ({', '.join(about)})" if about else ""
        text += f" in {_number(sum(cell.blocks for cell in summary.cells), 'block')}"
        text += " (a block is one deal, played once in each rotation of the seats)"
        line_ups = list(dict.fromkeys(_line_up(cell) for cell in summary.cells))
        text += f", {'; '.join(line_ups)}" if len(line_ups) <= 4 else f", {len(line_ups)} line-ups"
        labels = list(dict.fromkeys(cell.label for cell in summary.cells if cell.label))
        if len(labels) > 1:
            text += f"; {len(labels)} settings, from {labels[0]} to {labels[-1]}"
        elif labels:
            text += f"; {labels[0]}"
        return text + "."

    def _problems(self) -> list[str]:
        found = []
        for cell in self.summary.cells:
            name = f"Cell {cell.cell}" + (f" ({cell.label})" if cell.label else "")
            if not cell.games:
                found.append(f"{name} has no games yet.")
            elif cell.problems:
                kinds = ", ".join(
                    f"{count:,} {status}"
                    for status, count in cell.statuses.items()
                    if status != "ok"
                )
                text = f"{name}: {cell.problems:,} of {_number(cell.games, 'game')} had a problem"
                text += f" ({kinds})"
                if cell.has_verdict:
                    text += "; they count as a loss for the offender, or by scores if too long."
                else:
                    text += ", more than 1 % of them, so nothing is concluded from this cell."
                found.append(text)
        return found

    def _agents(self, group: list[CellSummary]) -> list[str]:
        fair = 1.0 / group[0].players
        rivals = _rivals(group[0])
        if not rivals:
            return [f"all seats are played by {group[0].agents[0]}, so only the seats can differ."]
        shares = {
            spec: [cell.interval("win_share", spec, level=self.level) for cell in group]
            for spec in rivals
        }
        rivals.sort(key=lambda spec: -max(share.mean for share in shares[spec]))
        return [
            self._against_fair(
                f"{'each copy of ' if group[0].agents.count(spec) > 1 else ''}{spec}",
                f"{spec}'s win share",
                group,
                shares[spec],
                fair,
            )
            for spec in rivals
        ]

    def _against_fair(
        self,
        who: str,
        share_name: str,
        group: list[CellSummary],
        shares: list[Interval],
        fair: float,
    ) -> str:
        """One agent or seat against the fair share, in one cell or several."""
        if len(group) == 1:
            share = shares[0]
            if not share.excludes(fair):
                return (
                    f"{share_name} of {_share(share)} is compatible with the fair {_percent(fair)}:"
                    f" it shows no advantage or disadvantage larger than about"
                    f" {_points(_reach_from(share, fair))}."
                )
            side = "more" if share.low > fair else "less"
            return (
                f"{who} wins {_share(share)} of the games, {side} than the fair {_percent(fair)}, "
                f"by {_gap(share, fair)}."
            )
        parts = []
        for side, chosen in (
            ("more", [i for i, share in enumerate(shares) if share.low > fair]),
            ("less", [i for i, share in enumerate(shares) if share.high < fair]),
        ):
            if chosen:
                most = max(chosen, key=lambda i: abs(shares[i].mean - fair))
                parts.append(
                    f"{side} than the fair {_percent(fair)} in {len(chosen)} of {len(group)} "
                    f"settings, {'most so ' if len(chosen) > 1 else ''}at {_place(group[most])}: "
                    f"{_share(shares[most])}"
                )
        open_ones = [share for share in shares if not share.excludes(fair)]
        if not parts:
            return (
                f"{share_name} is compatible with the fair {_percent(fair)} in all {len(group)} "
                f"settings: in none does it show an advantage or disadvantage larger than about "
                f"{_points(max(_reach_from(share, fair) for share in open_ones))}."
            )
        text = f"{who} wins {'; '.join(parts)}"
        if open_ones:
            reach = max(_reach_from(share, fair) for share in open_ones)
            text += (
                f"; elsewhere there is no advantage or disadvantage larger than about "
                f"{_points(reach)}"
            )
        return text + "."

    def _seats(self, group: list[CellSummary]) -> list[str]:
        players = group[0].players
        fair = 1.0 / players
        shares = [
            [cell.interval("seat", seat, level=self.level) for cell in group]
            for seat in range(players)
        ]
        uneven = [
            seat for seat in range(players) if any(share.excludes(fair) for share in shares[seat])
        ]
        found = [
            self._against_fair(_seat(seat), f"{_seat(seat)}'s win share", group, shares[seat], fair)
            for seat in uneven
        ]
        rest = [share for seat in range(players) if seat not in uneven for share in shares[seat]]
        if rest:
            reach = _points(max(_reach_from(share, fair) for share in rest))
            scope = f"{players} seats" if len(group) == 1 else f"{players} seats in each setting"
            if uneven:
                found.append(
                    f"no other seat shows an advantage or disadvantage larger than about {reach}."
                )
            else:
                found.append(
                    f"no seat shows an advantage larger than about {reach} of win share "
                    f"({scope} compared with the fair {_percent(fair)}; a smaller one, either "
                    f"way, is not ruled out)."
                )
        return found

    def _length(self, group: list[CellSummary]) -> list[str]:
        lengths = [cell.interval("turns", level=self.level) for cell in group]
        known = [i for i, length in enumerate(lengths) if math.isfinite(length.low)]
        if not known:
            return ["one block is too little to say how long a game takes."]
        if len(group) == 1:
            return [f"a game takes {_quantity(lengths[0])} turns."]
        if len(set(lengths)) == 1:
            return [f"a game takes {_quantity(lengths[0])} turns in every setting."]
        least = min(known, key=lambda i: lengths[i].mean)
        most = max(known, key=lambda i: lengths[i].mean)
        least_at, most_at = _place(group[least]), _place(group[most])
        text = f"a game takes between {_quantity(lengths[least])} turns, at {least_at}, "
        text += f"and {_quantity(lengths[most])} turns, at {most_at}."
        return [text]

    def _moves(self, group: list[CellSummary]) -> list[str]:
        """What changes between the first and the last setting of a sweep."""
        if len(group) < 2:
            return []
        first, last = group[0], group[-1]
        blocks = np.count_nonzero(_common(first, last, ("turns",))[0])
        if not blocks:
            return [f"{_place(first)} and {_place(last)} have no block in common to compare."]
        start = f"from {_place(first)} to {_place(last)} ({_number(int(blocks), 'common block')}), "
        found, still = [], []
        names = [(("win_share", spec), f"{spec}'s win share") for spec in _rivals(first)]
        names += [(("seat", s), f"{_seat(s)}'s win share") for s in range(first.players)]
        for key, name in names:
            move = self._move(first, last, key)
            if move.excludes(0.0):
                verb = "rises" if move.mean > 0 else "falls"
                found.append(f"{start}{name} {verb} by {_change(move)}.")
            else:
                still.append(_reach_from(move, 0.0))
        if still:
            other = "no other" if found else "no agent's or seat's"
            if not found and not _rivals(first):
                other = "no seat's"
            found.append(
                f"{start}{other} win share shows a move larger than about {_points(max(still))}."
            )
        turns = self._move(first, last, ("turns",))
        if not math.isfinite(turns.low):
            found.append(f"{start}one common block is too little to compare lengths.")
        elif turns.low == turns.high == 0.0:
            found.append(f"{start}the mean length is the same in every block.")
        elif turns.excludes(0.0):
            size = Interval(abs(turns.mean), *sorted((abs(turns.low), abs(turns.high))), 0)
            kind = "longer" if turns.mean > 0 else "shorter"
            found.append(f"{start}games become {_quantity(size)} turns {kind}.")
        else:
            reach = _ceiling(_reach_from(turns, 0.0))
            found.append(f"{start}no change of length larger than about {reach} turns shows.")
        return found

    def _move(self, first: CellSummary, last: CellSummary, key: tuple) -> Interval:
        both, before, after = _common(first, last, key)
        return paired_interval(after[both], before[both], self.level, _bounds(key))

    def _how_sure(self) -> str:
        text = (
            f"This makes {self.comparisons} comparisons, so every interval here is at the "
            f"{_level(self.level)} level: all of them hold together with "
            f"{100 * FINDING_LEVEL:.0f} % confidence (Bonferroni)."
        )
        if min(cell.blocks for cell in self.usable) < BLOCKS_FOR_T:
            text += f" With under {BLOCKS_FOR_T} blocks in a cell this is only a first look."
        return text


def _common(
    first: CellSummary, last: CellSummary, key: tuple
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which blocks both cells have a value for, and the values."""
    before, after = first.values(*key), last.values(*key)
    length = min(len(before), len(after))
    before, after = before[:length], after[:length]
    return ~(np.isnan(before) | np.isnan(after)), before, after


def _rivals(cell: CellSummary) -> list[str]:
    """The agents to compare; none when all copies are the same."""
    return list(cell.win_share) if len(cell.win_share) > 1 else []


def _line_up(cell: CellSummary) -> str:
    counts = Counter(cell.agents)
    names = ", ".join(f"{n} {spec}" if n > 1 else spec for spec, n in counts.items())
    return f"{cell.players} players ({names})"


def _opened(sentence: str, specs: Sequence[str]) -> str:
    """With a capital, unless it opens with an agent's name."""
    if sentence.startswith(tuple(f"{spec}{end}" for spec in specs for end in (" wins", "'s "))):
        return sentence
    return sentence[0].upper() + sentence[1:]


def _seat(seat: int) -> str:
    return f"the {_ORDINALS[seat]} seat"


def _place(cell: CellSummary) -> str:
    return cell.label or f"cell {cell.cell}"


def _reach_from(interval: Interval, value: float) -> float:
    """The farthest that the truth may be from `value`."""
    return max(interval.high - value, value - interval.low)


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _decimal(value: float) -> str:
    """One decimal, more where that would show nothing."""
    return f"{value:.1f}" if abs(value) >= 0.095 or value == 0 else f"{value:.1g}"


def _ceiling(value: float) -> str:
    """One decimal, rounded up."""
    return f"{math.ceil(round(10 * value, 6)) / 10:,.1f}"


def _percent(share: float) -> str:
    text = f"{100 * share:.1f}"
    return f"{text.removesuffix('.0')} %"


def _points(share: float) -> str:
    return f"{_ceiling(100 * share)} points"


def _share(share: Interval) -> str:
    low, high = 100 * share.low, 100 * share.high
    return f"{100 * share.mean:.1f} % ({low:.1f} to {high:.1f} %)"


def _gap(share: Interval, fair: float) -> str:
    ends = sorted(abs(100 * (end - fair)) for end in (share.low, share.high))
    return f"{_decimal(ends[0])} to {_decimal(ends[1])} points"


def _change(move: Interval) -> str:
    low, high = sorted((abs(100 * move.low), abs(100 * move.high)))
    return f"{abs(100 * move.mean):.1f} points ({_decimal(low)} to {_decimal(high)})"


def _quantity(value: Interval) -> str:
    return f"{value.mean:,.1f} ({value.low:,.1f} to {value.high:,.1f})"


def _level(level: float) -> str:
    """Enough digits that it does not read as 100 %."""
    digits = max(1, math.ceil(-math.log10(100 * (1.0 - level))) + 1)
    return f"{100 * level:.{digits}f} %"
