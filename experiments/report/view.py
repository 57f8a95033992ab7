"""A run as the report looks at it: what varied, and the words and signs for it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from experiments.metrics import FINDING_LEVEL, CellSummary, Summary
from experiments.report import plots
from experiments.report.plots import Series
from experiments.report.tables import Table, number
from experiments.stats import Interval

NO_END = {"none": "not ended"}


@dataclass
class Figure:
    """Panels under one title; `key` names the series once for all of them."""

    title: str
    panels: list[tuple[str, str]]
    note: str
    key: list[tuple[str, str]] = field(default_factory=list)
    wide: bool = False


@dataclass
class Section:
    """A part of the page with its heading."""

    slug: str
    title: str
    intro: list[str] = field(default_factory=list)
    points: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    pairs: list[tuple[str, str]] = field(default_factory=list)
    folded: list[tuple[str, str]] = field(default_factory=list)

    @property
    def beside(self) -> bool:
        """Whether a single panel leaves room for the table at its side."""
        return (
            len(self.figures) == 1
            and len(self.figures[0].panels) == 1
            and not self.figures[0].wide
            and len(self.tables) == 1
            and len(self.tables[0].columns) <= 7
        )

    @property
    def small(self) -> bool:
        """Whether half the page's width is enough."""
        return (
            len(self.figures) == 1
            and len(self.figures[0].panels) == 1
            and not self.figures[0].wide
            and not self.tables
        )


@dataclass
class Panel:
    """The cells one panel shows: a line over the setting, or a single cell."""

    heading: str
    cells: list[CellSummary]
    x: list[float]


class View:
    """A run, its summary and its game, seen together."""

    def __init__(self, run: Any, summary: Summary, game: Any) -> None:
        self.run, self.summary, self.game = run, summary, game
        self.manifest = run.manifest
        self.cells = [cell for cell in summary.cells if cell.games]
        self.specs = list(dict.fromkeys(spec for cell in self.cells for spec in cell.agents))
        self.drawn: list[str] = []

    @cached_property
    def swept(self) -> list[str]:
        """Settings that differ between cells, without the player count they may be for."""
        found: dict[str, set] = {}
        for cell in self.cells:
            for key in cell.settings:
                found.setdefault(bare(key), set())
        for key, values in found.items():
            values.update(repr(setting_of(cell, key)) for cell in self.cells)
        return [key for key, values in found.items() if len(values) > 1]

    @cached_property
    def axis(self) -> str | None:
        """The setting along the x axis: the number with the most values, if one was varied."""
        best, most = None, 1
        for key in self.swept:
            values = [setting_of(cell, key) for cell in self.cells]
            if all(isinstance(v, int | float) and not isinstance(v, bool) for v in values):
                groups: dict[int, set] = {}
                for cell, value in zip(self.cells, values, strict=True):
                    groups.setdefault(cell.players, set()).add(value)
                size = max(len(group) for group in groups.values())
                if size > most:
                    best, most = key, size
        return best

    @cached_property
    def panels(self) -> list[Panel]:
        """Cells grouped for small multiples: by player count and every setting off the axis."""
        groups: dict[tuple, list[CellSummary]] = {}
        for cell in self.cells:
            rest = tuple(repr(setting_of(cell, key)) for key in self.swept if key != self.axis)
            alone = cell.cell if self.axis is None else 0
            groups.setdefault((cell.players, rest, alone), []).append(cell)
        panels = []
        for cells in groups.values():
            if self.axis is not None:
                cells = sorted(cells, key=lambda cell: setting_of(cell, self.axis))
            parts = [f"{cells[0].players} players"]
            parts += [self.setting(cells[0], key) for key in self.swept if key != self.axis]
            x = [] if self.axis is None else [float(setting_of(cell, self.axis)) for cell in cells]
            panels.append(Panel(", ".join(parts), cells, x))
        return panels

    @property
    def player_counts(self) -> list[int]:
        """Player counts in the run."""
        return sorted({cell.players for cell in self.cells})

    def unit(self, key: str) -> str:
        """The unit of a setting: what the game says, or "$" for one that is called money."""
        units = getattr(self.game, "option_units", None) or {}
        return units.get(key, "$" if "money" in key else "")

    def setting(self, cell: CellSummary, key: str, short: bool = False) -> str:
        """A setting of a cell in words: "starting money $24"."""
        value = setting_of(cell, key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            text = str(value).lower() if isinstance(value, bool) else str(value)
        else:
            text = f"${value:g}" if self.unit(key) == "$" else f"{value:g} {self.unit(key)}".strip()
        return text if short else f"{words(key)} {text}"

    def place(self, cell: CellSummary) -> str:
        """A cell in words, apart from the others."""
        parts = [f"{cell.players} players"] if len(self.player_counts) > 1 else []
        parts += [self.setting(cell, key) for key in self.swept]
        return ", ".join(parts) or f"{cell.players} players"

    @property
    def axis_label(self) -> str:
        """Name and unit of the axis."""
        unit = self.unit(self.axis)
        return words(self.axis) + (f" ({unit})" if unit else "")

    @cached_property
    def level(self) -> float:
        """Level of one interval such that all the headline rests on hold together."""
        groups: dict[tuple, int] = {}
        for cell in self.cells:
            if cell.has_verdict:
                key = (cell.players, tuple(cell.agents))
                groups[key] = groups.get(key, 0) + 1
        count = 0
        for (players, agents), size in groups.items():
            rivals = len(set(agents)) if len(set(agents)) > 1 else 0
            count += (rivals + players + 1) * (size + (size > 1))
        return 1 - (1 - FINDING_LEVEL) / max(count, 1)

    def ends(self) -> dict[str, float]:
        """Share of all games by end, the most frequent first."""
        games = sum(cell.games for cell in self.cells)
        shares: dict[str, float] = {}
        for cell in self.cells:
            for name, share in cell.end_reasons.items():
                shares[name] = shares.get(name, 0.0) + share.mean * cell.games / games
        return dict(sorted(shares.items(), key=lambda item: -item[1]))

    @cached_property
    def known(self) -> dict[str, Any]:
        return {measure.name: measure for measure in getattr(self.game, "measures", ())}

    def measures(self, unit: str | None = None) -> list[str]:
        names = dict.fromkeys(name for cell in self.cells for name in cell.measures)
        return [name for name in names if unit is None or self.kind(name) == unit]

    def kind(self, name: str) -> str:
        return getattr(self.known.get(name), "unit", "")

    @property
    def score_unit(self) -> str:
        return getattr(self.game, "score_unit", "")

    def name(self, name: str, full: bool = False) -> str:
        """A measure's name in words; a number at its end that counts pieces of the board becomes
        that piece: "initial_price_1", of the first railroad, is "Texas & Pacific"."""
        match = re.fullmatch(r"(.+)_(\d+)", name)
        if match:
            document = self.manifest.get("board", {}).get("document") or {}
            text = getattr(self.known.get(name), "text", "")
            for kind, pieces in document.items():
                index = int(match[2]) - 1
                if kind in text and isinstance(pieces, list) and index < len(pieces):
                    piece = str(pieces[index].get("name", match[2]))
                    return f"{capital(words(match[1]))}, {piece}" if full else piece
        return capital(words(name))

    @staticmethod
    def overall(cell: CellSummary, name: str) -> Interval:
        measure = cell.measures.get(name)
        return measure.overall if measure else Interval(math.nan, math.nan, math.nan, 0)

    def svg(self, figure: Any, alt: str) -> str:
        text = plots.svg(figure, f"f{len(self.drawn)}", alt)
        self.drawn.append(text)
        return text

    def key(self, used: dict[str, int], kind: str = "line") -> list[tuple[str, str]]:
        return [
            (self.svg(plots.swatch(index, kind), ""), name)
            for name, index in sorted(used.items(), key=lambda item: item[1])
        ]

    def players_key(self) -> list[tuple[str, str]]:
        return self.key({panel.heading: index for index, panel in enumerate(self.panels)})

    def alt(self, panel: Panel, rows: list[Series], what: str, kind: str) -> str:
        parts = []
        for row in rows:
            values = [row.mean[0], row.mean[-1]] if len(row.mean) > 1 else [row.mean[0]]
            parts.append(f"{row.name} {' to '.join(number(value, kind) for value in values)}")
        over = f" over {self.axis_label}" if self.axis is not None else ""
        return f"{panel.heading}, {what}{over}: {'; '.join(parts)}."


def bare(key: str) -> str:
    """A setting's name without the player count it is for."""
    first, dot, last = key.rpartition(".")
    return first if dot and last.isdecimal() else key


def setting_of(cell: CellSummary, key: str) -> Any:
    return cell.settings.get(f"{key}.{cell.players}", cell.settings.get(key))


def words(name: str) -> str:
    return name.replace("_", " ").replace(".", " ")


def capital(text: str) -> str:
    """The text as a sentence begins; a spec with parameters or a path stays as typed."""
    if ":" in text.split(" ")[0]:
        return text
    return text[:1].upper() + text[1:]


def lower(text: str) -> str:
    return text[:1].lower() + text[1:]
