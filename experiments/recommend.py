"""Which setting to print, for each number of players: the nearest to the printed one that will do.

What will do is told by the verdicts of a sweep and by wants, such as a length of 50 to 80 turns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from experiments.stats import Interval
from sim.errors import Mistake, nearest

if TYPE_CHECKING:
    from experiments.metrics import CellSummary
    from experiments.sweep import Findings


class Quantity(NamedTuple):
    """What a want may be about; `unit` is "%" for shares, which are typed in percent."""

    text: str
    unit: str
    get: Callable[[CellSummary], list[Interval]]


def _quantity(text: str, unit: str, name: str) -> Quantity:
    return Quantity(text, unit, lambda cell: [getattr(cell, name)])


QUANTITIES = {
    "length": _quantity("turns of a game", "turns", "turns"),
    "spread": _quantity("standard deviation of the turns", "turns", "turns_spread"),
    "decisions": _quantity("decisions of a game", "decisions", "decisions"),
    "width": _quantity("legal actions of a choice", "actions", "width"),
    "forced": _quantity("decisions that are forced", "%", "forced"),
    "dead_turns": _quantity("turns in which no choice matters", "%", "dead_turns"),
    "margin": _quantity("best score less the second", "", "score_margin"),
    "ties": _quantity("tied games", "%", "ties"),
    "lead_changes": _quantity("changes of the lead", "changes", "lead_changes"),
    "comebacks": _quantity("games won by the last at half-time", "%", "comebacks"),
    "leader": Quantity(
        "games won by the leader at half-time", "%", lambda cell: [cell.leader_wins[50]]
    ),
    "agents": Quantity(
        "win share of a copy of each agent",
        "%",
        lambda cell: list(cell.win_share.values()) if cell.rivals else [],
    ),
}


class Want(NamedTuple):
    """A quantity with the least and the most it may be, in its unit."""

    name: str
    least: float
    most: float

    @property
    def text(self) -> str:
        """The want in words.

        >>> Want("length", 50, 80).text, Want("ties", -math.inf, 5).text
        ('turns of a game from 50 to 80', 'tied games at most 5 %')
        """
        text, unit, _ = QUANTITIES[self.name]
        sign = " %" if unit == "%" else ""
        if math.isinf(self.most):
            return f"{text} at least {self.least:g}{sign}"
        if math.isinf(self.least):
            return f"{text} at most {self.most:g}{sign}"
        return f"{text} from {self.least:g} to {self.most:g}{sign}"

    def is_met(self, cell: CellSummary) -> bool:
        """Whether the means of a cell are what is wanted."""
        scale = 100 if QUANTITIES[self.name].unit == "%" else 1
        found = QUANTITIES[self.name].get(cell)
        return all(self.least <= scale * one.mean <= self.most for one in found)


def parse_wants(wants: Mapping[str, str]) -> list[Want]:
    """Wants from NAME -> "LOW:HIGH", either of which may be left out. Raises Mistake.

    >>> parse_wants({"length": "50:80", "ties": ":5"})[1]
    Want(name='ties', least=-inf, most=5.0)
    """
    found = []
    for name, text in wants.items():
        if name not in QUANTITIES:
            raise Mistake(f"There is no quantity {name!r} to want{nearest(name, QUANTITIES)}.")
        low, colon, high = str(text).partition(":")
        try:
            least = float(low) if low.strip() else -math.inf
            most = float(high) if high.strip() else math.inf
        except ValueError:
            colon = ""
        if not colon or not (low.strip() or high.strip()):
            raise Mistake(
                f"The want {name}={text} should be {name}=LOW:HIGH, such as {name}=20:80, or with "
                "one of the two left out."
            )
        if not least <= most:
            raise Mistake(f"The want {name}={text} ends below its beginning; write {high}:{low}.")
        found.append(Want(name, least, most))
    return found


@dataclass(frozen=True)
class Advice:
    """A setting for tables of so many players, and what speaks for it.

    Attributes
    ----------
    players
        Their number.
    point
        The values of what was varied.
    printed
        Those of the board's own options.
    remoteness
        How far it is from them: the sum over the values of the part of the range that was tried, or
        of 1 where words differ.
    cells
        The cells with these values, one for each line-up, in the order of the plan.
    verdicts
        For each of these cells, the sweep's verdict.
    unmet
        For each of these cells, the wants that it does not meet.
    """

    players: int
    point: tuple
    printed: tuple
    remoteness: float
    cells: list[CellSummary]
    verdicts: list[str]
    unmet: list[list[Want]]

    def to_json(self, keys: Sequence[str]) -> dict[str, Any]:
        """The advice for scripts; `keys` are the names of what was varied."""
        return {
            "players": self.players,
            "settings": dict(zip(keys, self.point, strict=True)),
            "printed": dict(zip(keys, self.printed, strict=True)),
            "cells": [cell.cell for cell in self.cells],
            "verdicts": self.verdicts,
            "unmet": [[want.name for want in unmet] for unmet in self.unmet],
        }

    @property
    def good(self) -> list[CellSummary]:
        """The cells that are fair and as wanted."""
        parts = zip(self.cells, self.verdicts, self.unmet, strict=True)
        return [cell for cell, verdict, unmet in parts if verdict == "fair" and not unmet]

    @property
    def gap(self) -> float:
        """By how much the seat farthest from fair is off, with the line-up where it is most."""
        return max(abs(cell.seat_gap) for cell in self.cells)


def choices(
    findings: Findings,
    wants: Sequence[Want],
    point: Callable[[CellSummary], tuple],
    printed: Mapping[int, tuple],
) -> list[Advice]:
    """Every setting of a sweep, for each number of players.

    Parameters
    ----------
    findings : of a sweep.
    wants : what is to hold beside fair seats.
    point : the values of what was varied in a cell.
    printed : the same for the board's own options, by number of players.
    """
    groups: dict[tuple[int, tuple], list[tuple[CellSummary, str]]] = {}
    for cell, verdict in zip(findings.cells, findings.verdicts, strict=True):
        if cell.games:
            groups.setdefault((cell.players, point(cell)), []).append((cell, verdict.verdict))
    return [
        Advice(
            players,
            values,
            printed[players],
            _remoteness(values, printed[players], [other for n, other in groups if n == players]),
            [cell for cell, _ in own],
            [verdict for _, verdict in own],
            [[want for want in wants if not want.is_met(cell)] for cell, _ in own],
        )
        for (players, values), own in groups.items()
    ]


def best(every: Sequence[Advice]) -> list[Advice]:
    """What to print, for each number of players.

    The setting that is fair and as wanted with the most line-ups, or else only fair; of several the
    nearest to the printed one; if none is fair with any, the one whose seats are least off.
    """

    def rank(one: Advice) -> tuple:
        fair = one.verdicts.count("fair")
        return -len(one.good), -fair, one.remoteness if fair else one.gap

    tables = dict.fromkeys(one.players for one in every)
    return [min((one for one in every if one.players == n), key=rank) for n in tables]


def common(every: Sequence[Advice]) -> list[Advice]:
    """What to print if all numbers of players are to have the same, for each of them.

    The setting that is good at most tables; of several, the one whose seats are least off where
    they are most. Nothing if no setting was played by all numbers of players.
    """
    players = {one.players for one in every}
    by_point: dict[tuple, list[Advice]] = {}
    for one in every:
        by_point.setdefault(one.point, []).append(one)
    shared = [own for own in by_point.values() if {one.players for one in own} == players]
    return min(
        shared,
        key=lambda own: (-sum(len(one.good) for one in own), max(one.gap for one in own)),
        default=[],
    )


def _remoteness(point: tuple, printed: tuple, tried: Sequence[tuple]) -> float:
    """How far a point is from the printed one, see `Advice`.

    >>> _remoteness((20, "a"), (30, "b"), [(20, "a"), (60, "b")])
    1.25
    """
    parts = []
    for value, own, column in zip(point, printed, zip(printed, *tried, strict=True), strict=True):
        is_number = all(isinstance(one, int | float) and type(one) is not bool for one in column)
        if is_number:
            parts.append(abs(value - own) / (max(column) - min(column) or 1))
        else:
            parts.append(float(value != own))
    return math.fsum(parts)
