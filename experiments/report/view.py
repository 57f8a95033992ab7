"""A run as the report looks at it: what varied, and the words and signs for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import sim
from experiments import match, strategies, sweep, tournament
from experiments.metrics import CellSummary, Summary, summarise
from experiments.plan import flat, plain
from experiments.recommend import Advice, best, choices, parse_wants
from experiments.report import plots
from experiments.report.tables import Column, Table, priced
from sim.contract import Measure

if TYPE_CHECKING:
    from experiments.match import Outcome
    from experiments.store import Run
    from experiments.strategies import Strategies
    from experiments.sweep import Findings
    from experiments.tournament import Standings
    from sim.game import Game


@dataclass
class Figure:
    """Panels (heading and SVG) under one title; `key` (SVG and name) is for all of them."""

    title: str
    panels: list[tuple[str, str]]
    note: str
    key: list[tuple[str, str]] = field(default_factory=list)
    wide: bool = False


@dataclass
class Section:
    """A part of the page with its heading; `folded` texts open at a click."""

    slug: str
    title: str
    intro: str = ""
    points: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    pairs: list[tuple[str, str]] = field(default_factory=list)
    folded: list[tuple[str, str]] = field(default_factory=list)

    @property
    def shape(self) -> str:
        """Whether a single panel has its table beside it, or needs half the page only."""
        if [len(figure.panels) for figure in self.figures] != [1] or self.figures[0].wide:
            return ""
        columns = [len(table.columns) for table in self.tables]
        return "small" if not columns else "pair" if len(columns) == 1 and columns[0] <= 7 else ""


@dataclass
class Panel:
    """The cells one panel shows: those along the axis at `x`, or a single cell."""

    heading: str
    cells: list[CellSummary]
    x: list[float]


class View:
    """A run, its summary and its game, seen together."""

    @classmethod
    def of(cls, run: Run) -> View:
        """A run, summed up, and its game.

        >>> View.of(Run.open("runs/x")).summary.games                     # doctest: +SKIP
        600
        """
        game = sim.load(run.manifest["game"])
        return cls(run, summarise(run.tables(), run.manifest, game.measures), game)

    def __init__(self, run: Run, summary: Summary, game: Game) -> None:
        self.run, self.summary, self.game = run, summary, game
        self.manifest = run.manifest
        self.cells = [cell for cell in summary.cells if cell.games]
        self.specs = list(dict.fromkeys(spec for cell in self.cells for spec in cell.agents))
        self.player_counts = sorted({cell.players for cell in self.cells})
        known = {measure.name: measure for measure in game.measures}
        #: The measures in the run, by name; those of older rules have no unit.
        self.measures = {
            name: known.get(name, Measure(name, "", ""))
            for cell in self.cells
            for name in cell.measures
        }
        self._drawn = 0

    @cached_property
    def contest(self) -> Outcome | Standings | Strategies | Findings | None:
        """What a match, a tournament, a run of strategies or a sweep showed."""
        kind = self.manifest["plan"].get("kind")
        if kind is None or not self.cells:
            return None
        if kind == "match":
            return match.outcome(self.run)
        if kind == "sweep":
            return sweep.findings(self.run, self.summary)
        if kind == "strategies":
            return strategies.strategies(self.run, self.summary)
        return tournament.standings(self.run, self.summary)

    @property
    def has_rivals(self) -> bool:
        """Whether different agents met anywhere."""
        return any(cell.rivals for cell in self.cells)

    @property
    def is_sweep(self) -> bool:
        """Whether cells were played until it was known if they are fair."""
        return isinstance(self.contest, sweep.Findings)

    @cached_property
    def is_mixed(self) -> bool:
        """Whether line-ups differ at tables of the same size, as in a match."""
        return len({(c.players, *c.agents) for c in self.cells}) > len(self.player_counts)

    @cached_property
    def keys(self) -> list[str]:
        """Settings of the cells, without the player count they may be for."""
        cells = self.summary.cells
        return list(dict.fromkeys(self.bare(key) for cell in cells for key in cell.settings))

    @cached_property
    def swept(self) -> list[str]:
        """Settings that differ between cells, without the player count they may be for."""
        return [k for k in self.keys if len({repr(self.value(c, k)) for c in self.cells}) > 1]

    @cached_property
    def axis(self) -> str | None:
        """The setting along the x axis: the number with the most values, if one was varied."""
        sizes = {}
        for key in self.swept:
            values = {(cell.players, self.value(cell, key)) for cell in self.cells}
            if all(isinstance(v, int | float) and not isinstance(v, bool) for _, v in values):
                counts = [players for players, _ in values]
                sizes[key] = max(map(counts.count, counts))
        best = max(sizes, key=sizes.get, default=None)
        return best if best and sizes[best] > 1 else None

    @cached_property
    def panels(self) -> list[Panel]:
        """Cells grouped for small multiples: by table and every setting off the axis."""
        groups: dict[tuple, list[CellSummary]] = {}
        off = [key for key in self.swept if key != self.axis]
        for cell in self.cells:
            alone = cell.cell if self.axis is None else None
            rest = (repr(self.value(cell, key)) for key in off)
            groups.setdefault((cell.players, *cell.agents, *rest, alone), []).append(cell)
        panels = []
        for cells in groups.values():
            heading = [self.table(cells[0]), *(self.setting(cells[0], key) for key in off)]
            cells = self.along(cells)
            x = [] if self.axis is None else [float(self.value(cell, self.axis)) for cell in cells]
            panels.append(Panel(", ".join(heading), cells, x))
        return panels

    @property
    def is_crowded(self) -> bool:
        """Whether a line for each panel would be more lines than can be told apart."""
        return len(self.panels) > len(plots.MARKERS)

    def along(self, cells: list[CellSummary]) -> list[CellSummary]:
        """The cells in the order of the axis, if there is one."""
        return sorted(cells, key=lambda cell: self.value(cell, self.axis)) if self.axis else cells

    def bare(self, key: str) -> str:
        """A setting's name without the player count it is for; the option, if it is told whole."""
        name = key.partition(".")[0]
        is_whole = self.game.options.players_of(key) is not None or name in self._whole
        return name if is_whole else key

    @cached_property
    def _whole(self) -> set[str]:
        """Options of which several entries are set, told in one: "6/7/8/9"."""
        keys = {key for cell in self.summary.cells for key in cell.settings}
        names = [key.partition(".")[0] for key in keys if self.game.options.players_of(key) is None]
        return {name for name in names if names.count(name) > 1}

    def value(self, cell: CellSummary, key: str) -> Any:
        """A cell's value of a setting, or of the option where the cell does not set it."""
        for name in dict.fromkeys((self._own(key, cell.players), key)):
            if name in cell.settings and key not in self._whole:
                return cell.settings[name]
        return self._option(cell.options, key, cell.players)

    def printed(self, players: int, key: str) -> Any:
        """The value of an option that the board has, at a table of that many."""
        return self._option(self._printed, key, players)

    @cached_property
    def _printed(self) -> dict[str, Any]:
        board = self.manifest["board"]
        options = self.game.board_from(board["document"], board["name"]).options
        return options.model_dump(mode="json", by_alias=True)

    def _own(self, key: str, players: int) -> str:
        """The key of an option at tables of that many, if it is by number of players."""
        own = f"{key}.{players}"
        return key if self.game.options.players_of(own) is None else own

    def _option(self, options: Any, key: str, players: int) -> Any:
        for part in self._own(key, players).split("."):
            options = options.get(part) if isinstance(options, dict) else None
        if not isinstance(options, dict):
            return options
        entries = list(flat(options).values())
        entries = entries[: players if self.game.options.is_by_seat(key) else None]
        return entries[0] if len(set(entries)) == 1 else "/".join(map(plain, entries))

    def point(self, cell: CellSummary) -> tuple:
        """The values of what was varied in a cell."""
        return tuple(self.value(cell, key) for key in self.swept)

    @cached_property
    def choices(self) -> list[Advice]:
        """Every setting of a sweep, as a designer looks at it."""
        wants = parse_wants(self.manifest["plan"].get("want", {}))
        printed = {
            players: tuple(self.printed(players, key) for key in self.swept)
            for players in self.player_counts
        }
        return choices(self.contest, wants, self.point, printed)

    def to_json(self) -> dict[str, Any]:
        """What the contest of the run showed, for scripts, with what a sweep advises."""
        if not self.is_sweep:
            return self.contest.to_json()
        advice = [one.to_json(self.swept) for one in best(self.choices)]
        return self.contest.to_json() | {"advice": advice}

    def unit(self, key: str) -> str:
        """The unit of a setting."""
        return self.game.options.unit_of(key.partition(".")[0])

    def setting(self, cell: CellSummary, key: str, short: bool = False) -> str:
        """A setting of a cell in words: "starting money $24"."""
        return self.in_words(key, self.value(cell, key), short)

    def in_words(self, key: str, value: Any, short: bool = False) -> str:
        """A value of a setting in words."""
        text = priced(plain(value), self.unit(key))
        return text if short else f"{words(key)} {text}"

    def settings(self, cell: CellSummary, short: bool = False) -> str:
        """What was varied in a cell, in words."""
        return ", ".join(self.setting(cell, key, short) for key in self.swept)

    @property
    def is_clear(self) -> bool:
        """Whether a value alone says what was varied: an amount of money does, a number not."""
        return self.swept == [self.axis] and self.unit(self.axis) != ""

    def table(self, cell: CellSummary) -> str:
        """Who sits at the table of a cell."""
        return f"{cell.players} players" + (f" ({cell.line_up})" if self.is_mixed else "")

    def place(self, cell: CellSummary, short: bool = False) -> str:
        """A cell in words, apart from the others."""
        several = len(self.player_counts) > 1 or self.is_mixed or not self.swept
        players = self.table(cell) if several else ""
        return ", ".join(part for part in (players, self.settings(cell, short)) if part)

    def columns(self) -> list[Column]:
        """Player count, line-up and settings, as the first columns of a table."""
        columns = [Column("Players"), Column("Line-up")][: 1 + self.is_mixed]
        return [*columns, *(Column(capital(words(k)), self.unit(k)) for k in self.swept)]

    def row(self, cell: CellSummary) -> list[Any]:
        """What stands in these columns for a cell."""
        values = [self.value(cell, key) for key in self.swept]
        table = [str(cell.players), cell.line_up][: 1 + self.is_mixed]
        return [*table, *(plain(v) if isinstance(v, bool) else v for v in values)]

    def anchor(self, cell: CellSummary) -> str:
        """The place in the page that has a cell's games."""
        return f"cell-{cell.cell}"

    def is_printed(self, cell: CellSummary) -> bool:
        """Whether what was varied has the board's own value in a cell."""
        return all(self.value(cell, key) == self.printed(cell.players, key) for key in self.swept)

    @property
    def axis_label(self) -> str:
        """Name and unit of the axis."""
        return words(self.axis) + within(self.unit(self.axis))

    @cached_property
    def ends(self) -> dict[str, float]:
        """Share of all games by end, the most frequent first."""
        games = sum(cell.games for cell in self.cells)
        shares = {
            name: sum(cell.end_reasons[name].mean * cell.games for cell in self.cells) / games
            for name in self.cells[0].end_reasons
        }
        return dict(sorted(shares.items(), key=lambda item: -item[1]))

    def name(self, name: str, full: bool = False) -> str:
        """A measure's name in words; or that of the piece of the board it is about:
        "initial_price_1", of the first railroad, is "Texas & Pacific"."""
        pieces = self.manifest["board"]["document"].get(self.measures[name].piece, ())
        first, _, last = name.rpartition("_")
        if last.isdecimal() and 0 < int(last) <= len(pieces):
            piece = pieces[int(last) - 1]["name"]
            return f"{capital(words(first))}, {piece}" if full else piece
        return capital(words(name))

    def svg(self, figure: plots.Figure, alt: str) -> str:
        """A figure for the page, with a text for those who do not see it."""
        self._drawn += 1
        return plots.svg(figure, f"f{self._drawn}", alt)

    def key(self, names: list[str], kind: str = "line") -> list[tuple[str, str]]:
        """A key that names the styles from 0 on."""
        return [(self.svg(plots.swatch(i, kind), ""), name) for i, name in enumerate(names)]


def end(name: str) -> str:
    """An end reason in words."""
    return "not ended" if name == "none" else name


def words(name: str) -> str:
    """A name as in a sentence."""
    return name.replace("_", " ").replace(".", " ")


def within(unit: str) -> str:
    """A unit in brackets, if there is one."""
    return f" ({unit})" if unit else ""


def capital(text: str) -> str:
    """The text as a sentence begins; a spec with parameters or a path stays as typed."""
    return text if ":" in text.split(" ")[0] else text[:1].upper() + text[1:]


def lower(text: str) -> str:
    """The text as inside a sentence."""
    return text[:1].lower() + text[1:]
