"""The parts of the report, each from the same view of a run."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import sim
from agents import names
from experiments.metrics import POINTS, QUARTERS, CellSummary
from experiments.plan import flat, plain
from experiments.report import contests, plots, sentences
from experiments.report.plots import Series
from experiments.report.tables import (
    Column,
    Row,
    Shown,
    Table,
    amount,
    has_sign,
    listed,
    number,
    spread,
)
from experiments.report.view import Figure, Section, View, capital, end, within
from experiments.runner import game_seed, replay_game
from experiments.stats import Interval, block_interval
from experiments.store import PERCENT
from sim.errors import Mistake
from sim.layout import counted

if TYPE_CHECKING:
    import pandas

EXTREMES = {
    "shortest": "Shortest game",
    "longest": "Longest game",
    "highest_winning_score": "Highest winning score",
    "largest_margin": "Largest winning margin",
    "narrowest_margin": "Narrowest winning margin",
}
ELEMENTS_SHOWN = 15
NOTHING = Interval(math.nan, math.nan, math.nan, 0)


def agents(view: View) -> Section:
    """Win share by agent, against the fair share."""
    section = Section("agents", "Win share by agent")
    if not view.has_rivals:
        section.intro = (
            f"All seats were played by {listed(view.specs)}, so each copy has the fair share "
            "by construction. What differs is the seat, below."
        )
        return section
    _share_parts(
        view,
        section,
        view.specs,
        lambda cell: cell.win_share if cell.rivals else {},
        "agent",
        sentences.agents(view),
        "An agent is balanced where its interval reaches the dotted fair line; the share is "
        "that of one copy of the agent, so copies do not add up.",
    )
    return section


def seats(view: View) -> Section:
    """Win share by seat, against the fair share."""
    section = Section("seats", "Win share by seat")
    note = "Every agent sat in every seat equally often."
    if view.is_sweep:
        note += f" Grey: within {100 * view.contest.margin:g} {POINTS} of fair."
    total = sum(cell.players for cell in view.cells)
    if total > 10:
        note += (
            f" Of {total} intervals about {max(round(total / 20), 1)} will miss the fair line "
            "by chance alone; only a seat that keeps its side from setting to setting matters."
        )
    _share_parts(
        view,
        section,
        [f"Seat {seat}" for seat in range(max(view.player_counts))],
        lambda cell: {f"Seat {seat}": share for seat, share in enumerate(cell.seat_win_share)},
        "seat",
        sentences.seat(view) or "Win shares of the seats.",
        note,
    )
    return section


def course(view: View) -> Section:
    """Length, ends and every measure of the game."""
    section = Section("course", "How the games went")
    names = [end(name) for name in view.ends]
    panels = []
    for panel in view.panels if view.axis else [None]:
        cells = panel.cells if panel else view.cells
        labels = [
            view.settings(c, short=True) if panel else view.place(c, short=True) for c in cells
        ]
        rows = [
            Series(end(name), [cell.end_reasons[name].mean for cell in cells], style=index)
            for index, name in enumerate(view.ends)
        ]
        alt = "; ".join(
            f"{label}: " + ", ".join(f"{row.name} {100 * row.mean[i]:.0f} %" for row in rows)
            for i, label in enumerate(labels)
        )
        figure = plots.stacks(labels, rows, "share of games")
        heading = panel.heading if panel else ""
        panels.append((heading, view.svg(figure, f"How games ended. {alt}.")))
    most = [100 * cell.end_reasons[next(iter(view.ends))].mean for cell in view.cells]
    title = f"The most frequent end: {names[0]}, in {sentences.span(most)} % of the games."
    note = "Each bar is all games of a setting, cut by what ended them."
    section.figures.append(Figure(title, panels, note, view.key(names, "bar")))
    if view.axis and not view.is_crowded:
        unit = view.game.score_unit
        _by_quantity(
            view,
            section,
            [
                ("Turns", "turns", "", lambda cell: cell.turns),
                ("Winning margin", f"score{within(unit)}", unit, lambda cell: cell.score_margin),
                ("Tied games", "share of games", "share", lambda cell: cell.ties),
            ],
        )
    if not view.is_sweep:  # which begins with it
        section.tables.append(_balance_table(view))
    if len(view.specs) > 1 and len(view.cells) > 1:
        section.tables += _agent_tables(view)
    return section


def own(view: View) -> list[Section]:
    """The game's own figures, a part for each heading that its measures name."""
    headings: dict[str, list[str]] = {}
    for name, measure in view.measures.items():
        means = [cell.measures[name].overall.mean for cell in view.cells]
        if measure.heading and np.isfinite(means).any():
            headings.setdefault(measure.heading, []).append(name)
    parts = [_own_part(view, heading, names) for heading, names in headings.items()]
    return [part for part in parts if part.figures]


def _own_part(view: View, heading: str, names: list[str]) -> Section:
    """Measures of one kind side by side; else, over the axis, each by itself."""
    section = Section(heading.lower().replace(" ", "-"), heading)
    kinds: dict[str, list[str]] = {}
    for name in names:
        kinds.setdefault(_kind(view, name), []).append(name)
    are_lines = len(kinds) == 1 and 1 < len(names) <= len(plots.MARKERS)
    if view.axis and not are_lines and not view.is_crowded:
        quantities = [
            (
                view.name(name),
                _kind(view, name),
                view.measures[name].unit,
                lambda cell, name=name: cell.measures[name].overall,
            )
            for name in names
        ]
        _by_quantity(view, section, quantities)
        return section
    for kind, alike in kinds.items():
        if len(alike) == 1 and not view.axis:
            continue  # a lone dot says no more than the table of all figures
        unit = view.measures[alike[0]].unit
        told = [name for name in alike if not view.measures[name].piece]
        note = "Mean and 95 % interval."
        note += "".join(f" {view.name(name)}: {view.measures[name].text}." for name in told)
        _by_panel(
            view,
            section,
            _highest(view, alike, unit),
            [view.name(name) for name in alike],
            lambda cell, alike=alike: {
                view.name(name): cell.measures[name].overall for name in alike
            },
            f"mean, {kind}",
            unit,
            note,
        )
    return section


def _kind(view: View, name: str) -> str:
    """What a measure counts, and for whom: "$ a player"."""
    measure = view.measures[name]
    return f"{measure.unit} a {'player' if measure.per_player else 'game'}"


def scores(view: View) -> Section | None:
    """Mean score as the game went on, by final rank."""
    section = Section("scores", "Score over the game, by final rank")
    unit = view.game.score_unit
    curves: dict[int, np.ndarray] = {}
    for players in view.player_counts:
        cells = [cell for cell in view.cells if cell.players == players]
        weights = np.stack([cell.trajectory_players for cell in cells])[:, :, None]
        means = np.stack([cell.trajectory for cell in cells])
        known = np.isfinite(means)
        with np.errstate(invalid="ignore", divide="ignore"):
            total = np.where(known, means * weights, 0).sum(axis=0)
            curves[players] = total / np.where(known, weights, 0).sum(axis=0)
    if not any(np.isfinite(curve).any() for curve in curves.values()):
        return None
    ranks = [f"Rank {rank + 1}" for rank in range(max(view.player_counts))]
    rows_of = {
        players: [Series(ranks[rank], row, style=rank) for rank, row in enumerate(curve)]
        for players, curve in curves.items()
    }
    limits = plots.span([row for rows in rows_of.values() for row in rows], zero=True)
    panels = []
    for players, rows in rows_of.items():
        labels = ("turns played (% of the game)", f"score{within(unit)}")
        figure = plots.lines(PERCENT, rows, *labels, limits)
        figure.axes[0].set_xticks(PERCENT[::2])
        ends = ", ".join(f"{row.name} {number(row.mean[-1], unit)}" for row in rows)
        alt = f"Score over the game. At the end: {ends}."
        panels.append((f"{players} players", view.svg(figure, alt)))
    note = "Mean score of the players who ended with that rank; players who tie share a rank."
    if len(view.cells) > len(view.player_counts):
        note += " All settings of a player count together."
    title = sentences.lead(curves.values())
    section.figures.append(Figure(title, panels, note, view.key(ranks)))
    full = [
        [players, rank + 1, *row] for players, c in curves.items() for rank, row in enumerate(c)
    ]
    # A single player count stands beside its chart, and has room for every other tenth.
    first, step = (0, 1) if len(curves) > 1 else (1, 2)
    columns = [Column("Players"), Column("Final rank")][first:]
    columns += [Column(f"{p} %", unit) for p in PERCENT[::step]]
    rows = [Row([*map(str, line[first:2]), *line[2::step]], group=line[1] == 1) for line in full]
    header = ["players", "rank", *(f"score_at_{p}_percent" for p in PERCENT)]
    section.tables.append(
        Table("score_by_final_rank", "Mean score as the game went on", columns, rows,
              full=(header, full))
    )  # fmt: skip
    return section


def board(view: View) -> Section | None:
    """The board drawn by its game, and how often each of its elements was used."""
    usage = view.run.usage()
    if not usage:
        return None
    section = Section("map", "The board, and how it was used")
    element = view.game.element
    names = view.manifest["board"]["elements"]

    def shares(cells: list[CellSummary]) -> np.ndarray:
        used = sum(usage.get(number, 0) for cell in cells for number in cell.line_ups)
        return used / sum(cell.games for cell in cells)

    share = shares(view.cells)
    order = np.argsort(-share, kind="stable")
    title = f"Most used {element}: {names[order[0]]}, in {100 * share[order[0]]:.0f} % of the games"
    # Not all that the board lists can be used: two cities may lie too far apart to be linked.
    used, rare = int((share > 0).sum()), int(((share > 0) & (share < 0.05)).sum())
    title += f"; of {used:,} that were used at all, {rare:,} in fewer than 5 %." if rare else "."
    if view.game.picture:
        games = sum(cell.games for cell in view.cells)
        document = view.manifest["board"]["document"]
        figure = plots.picture(view.game.picture, document, share * games, games)
        often = "; ".join(f"{names[i]} {100 * share[i]:.0f} %" for i in order[:10])
        image = view.svg(figure, f"{view.summary.board}: map of the board. {often}")
        note = (
            f"{view.summary.board}. The stronger a {element} is drawn, the more games used it. "
            "Faint ones are choices the board offers and these agents hardly ever take."
        )
        section.figures.append(Figure(title, [("", image)], note, wide=True))
    else:
        section.intro = title
    columns, parts = [Column(capital(element)), Column("All games", "share")], [share]
    header = [element, "share_of_games"]
    if len(view.player_counts) > 1:
        for players in view.player_counts:
            columns.append(Column(f"{players} players", "share"))
            header.append(f"share_{players}_players")
            parts.append(shares([cell for cell in view.cells if cell.players == players]))
    lines = [[names[i], *(part[i] for part in parts)] for i in order]
    shown = [Row(line) for line in lines[:ELEMENTS_SHOWN]]
    note = f"The {len(shown)} most used; the CSV has them all."
    section.tables.append(
        Table(
            "use_of_the_board",
            f"How often each {element} was used",
            columns,
            shown,
            note if len(shown) < len(lines) else "",
            full=(header, lines),
        )
    )
    return section


def typical(view: View) -> Section | None:
    """A game of the first cell, drawn as it ended; its winner's score is nearest to the median."""
    best = _winning_scores(view, view.cells[0]) if view.game.portrait else []
    if not len(best):
        return None
    place = (view.cells[0].cell, *map(int, (best - best.median()).abs().idxmin()))
    try:
        again = replay_game(view.run, *place)
    except Mistake:  # the rules, the board or a bot have changed since
        return None
    position = again.play()
    if max(position.scores) != best[place[1:]]:  # a bot that does not repeat itself
        return None
    section = Section("typical", "A typical game")
    section.intro = (
        f"The game with {view.place(view.cells[0])} whose winner’s score is nearest to the median. "
        f"Play it again: {_command(view, *place)}"
    )
    unit = view.game.score_unit
    ends = [
        f"seat {seat} ({agent.spec}) has {amount(score, unit)}"
        for seat, (agent, score) in enumerate(zip(again.agents, position.scores, strict=True))
    ]
    title = capital(f"{listed(ends)} after {counted(position.turn, 'turns')}.")
    image = view.svg(plots.picture(view.game.portrait, position), title)
    note = f"{view.summary.board}, at the end of the game."
    section.figures.append(Figure(title, [("", image)], note, wide=True))
    return section


def _winning_scores(view: View, cell: CellSummary) -> pandas.Series:
    """The highest score of each game of a cell that ended properly, by block and rotation."""
    import pandas

    columns = ["cell", "status", "block", "rotation", "score"]
    parts = [
        rows[(rows["cell"] == cell.cell) & (rows["status"] == "ok")]
        .groupby(["block", "rotation"])["score"]
        .max()
        for rows in view.run.tables(columns)
    ]
    return pandas.concat(parts).sort_index()


def assumed(view: View) -> Section:
    """What every number rests on: the board, the game's assumptions, options changed, agents."""
    section = Section("assumed", "What was assumed")
    section.points = [f"The board: {view.summary.board}.", *view.game.assumptions]
    printed = view.manifest["board"]
    options = view.game.board_from(printed["document"], printed["name"]).options
    of_board, default = (
        flat(one.model_dump(mode="json", by_alias=True)) for one in (options, view.game.options())
    )
    changed: dict[str, set[str]] = {}
    for entry in view.manifest["cells"]:
        for key, value in flat(entry["options"]).items():
            is_usual = value == default.get(key) == of_board.get(key)
            is_varied = not {key, key.partition(".")[0]}.isdisjoint(view.swept)
            if not is_varied and not is_usual:
                changed.setdefault(key, set()).add(plain(value))
    named = names(sim.load(view.manifest["game"]))
    known = {spec: named.get(spec.partition(":")[0]) for spec in view.specs}
    section.pairs = [(spec, text) for spec, text in known.items() if text]
    if changed:
        section.tables.append(
            Table(
                "options_changed",
                "Options and rulings that the board or the run sets",
                [Column("Option", "code"), *map(Column, ("In this run", "Default", "Set by"))],
                [
                    Row(
                        [key, listed(sorted(values), "or"), plain(default.get(key, "–"))]
                        + ["the board" if values == {plain(of_board.get(key))} else "the run"]
                    )
                    for key, values in changed.items()
                ],
                "Settings that the run varied are not listed here.",
            )
        )
    else:
        section.points.append(
            "Apart from what the run varied, every option and ruling has its default."
        )
    return section


def extremes(view: View) -> Section | None:
    """The most extreme games, each with the command that replays it."""
    found = view.summary.extremes
    if not found:
        return None
    section = Section("extremes", "The most extreme games")
    section.intro = "Each can be played again, decision by decision, with its command."
    cells = {number: cell for cell in view.cells for number in cell.line_ups}
    rows, full = [], []
    for name, game in found.items():
        value = int(game.value) if game.value == int(game.value) else game.value
        unit = "turns" if name in ("shortest", "longest") else view.game.score_unit
        command = _command(view, *game[:3])
        place = view.place(cells[game.cell])
        rows.append(Row([EXTREMES[name], amount(value, unit), place, str(game.seed), command]))
        full.append([name, game.value, *game[:4], command])
    columns = [Column("Game"), Column("Value"), Column("Where"), Column("Seed", "code")]
    columns.append(Column("Play it again", "code"))
    header = ["game", "value", "cell", "block", "rotation", "seed", "command"]
    section.tables.append(
        Table("extreme_games", "Records of this run", columns, rows, full=(header, full))
    )
    return section


def _command(view: View, cell: int, block: int, rotation: int) -> str:
    """What to type to see a game of the run again."""
    folder = shlex.quote(str(view.run.folder))
    return f"spike replay {folder} --cell {cell} --block {block} --rotation {rotation}"


def data(view: View) -> Section:
    """Games by status, versions, the plan and all options."""
    section = Section("data", "The run in full")
    statuses = list(dict.fromkeys(["ok", *(name for c in view.cells for name in c.statuses)]))
    columns = [Column("Cell"), *view.columns(), Column("Blocks", ""), Column("Games", "")]
    columns += [Column(capital(name), "") for name in statuses]
    columns += [] if view.is_mixed else [Column("Line-up")]
    columns += [Column("First seed", "code"), Column("Play its first game again", "code")]
    rows = [
        Row(
            [str(cell.cell), *view.row(cell), cell.blocks, cell.games]
            + [cell.statuses[name] for name in statuses]
            + ([] if view.is_mixed else [", ".join(cell.agents)])
            + [str(game_seed(view.manifest["plan"]["seed"], 0)), _command(view, cell.cell, 0, 0)],
            anchor=view.anchor(cell),
        )
        for cell in view.cells
    ]
    title = "Cells, and how their games ended for the runner"
    note = (
        "Games of a cell are numbered by block and rotation from 0; the results have their seeds."
    )
    section.tables.append(Table("cells", title, columns, rows, note))
    manifest = view.manifest
    section.pairs = [
        ("Game", f"{view.game.title}, rules version {manifest['rules_version']}"),
        ("Board", f"{view.summary.board}, digest {manifest['board']['digest']}"),
        ("Run", f"{view.run.folder}, created {manifest['created']}"),
        *manifest["versions"].items(),
    ]
    section.folded.append(("The plan", _json(manifest["plan"])))
    owners: dict[str, list[int]] = {}
    for entry in manifest["cells"]:
        owners.setdefault(_json(flat(entry["options"])), []).append(entry["cell"])
    base: dict[str, Any] = {}
    for text, cells in owners.items():
        heading = f"All options of cell{'s' if len(cells) > 1 else ''} {listed(cells)}"
        heading = "All options of every cell" if len(owners) == 1 < len(cells) else heading
        if not base:
            base = json.loads(text)
            section.folded.append((heading, text))
        else:
            changes = {k: v for k, v in json.loads(text).items() if base.get(k) != v}
            section.folded.append((f"{heading}, where they differ", _json(changes)))
    return section


def parts(view: View) -> list[Section]:
    """All that have something to say, in the order of the page."""
    if not view.cells:
        return [assumed(view), data(view)]
    contest = [contests.section(view)] if view.contest else []
    if view.is_sweep:
        contest[0].tables.insert(1, _balance_table(view))
        notes = (f"{line.name}: {line.note}" for line in _quantities(view) if line.note)
        contest[0].folded.append(("What the columns of the balance sheet are", "\n".join(notes)))
    found = [
        contests.worth(view) if view.is_sweep and view.contest.worths else None,
        *contest,
        agents(view),
        seats(view),
        course(view),
        *own(view),
        scores(view),
        board(view),
    ]
    found += [typical(view), assumed(view), extremes(view), data(view)]
    found += [contests.method(view)] if view.is_sweep else []
    return [section for section in found if section is not None]


# ---- figures


def _by_panel(
    view: View,
    section: Section,
    title: str,
    names: list[str],
    get: Callable[[CellSummary], dict[str, Interval]],
    label: str,
    kind: str,
    note: str,
) -> None:
    """A panel for each of the view's: lines over the axis, or a row of dots for each name."""
    is_share = kind == "share"
    margin = view.contest.margin if section.slug == "seats" and view.is_sweep else 0.0
    drawn = []
    for panel in view.panels:
        found = [get(cell) for cell in panel.cells]
        rows = [
            Series.of(name, [one[name] for one in found], index if is_share or view.axis else 0)
            for index, name in enumerate(names)
            if name in found[0]
        ]
        if section.slug == "agents" and not view.axis:
            rows.sort(key=lambda row: -row.mean[0])
        if rows:  # not where an agent met only itself
            drawn.append((panel, rows, 1 / panel.cells[0].players if is_share else None))
    fairs = [Series("fair", [fair]) for *_, fair in drawn if is_share]
    low, high = plots.span([row for _, rows, _ in drawn for row in rows] + fairs, not is_share)
    limits = (max(low, -0.02), min(high, 1.02)) if is_share else (low, high)
    panels = []
    for panel, rows, fair in drawn:
        if view.axis:
            figure = plots.lines(panel.x, rows, view.axis_label, label, limits, kind, fair, margin)
        else:
            figure = plots.dots(rows, label, limits, kind, fair, margin)
        alt = f"{panel.heading}, {label}{f' over {view.axis_label}' if view.axis else ''}: "
        alt += "; ".join(_from_to(row, kind) for row in rows) + "."
        alt += f" Fair is {number(fair, 'share')}." if is_share else ""
        panels.append((panel.heading, view.svg(figure, alt)))
    section.figures.append(Figure(title, panels, note, view.key(names) if view.axis else []))


def _by_quantity(
    view: View,
    section: Section,
    quantities: list[tuple[str, str, str, Callable[[CellSummary], Interval]]],
) -> None:
    """A panel for each (name, label, unit, getter), with a line over the axis for each of the
    view's panels, so not of a crowded view."""
    x = sorted({value for panel in view.panels for value in panel.x})
    panels, moves = [], []
    for name, label, kind, get in quantities:
        rows = []
        for index, panel in enumerate(view.panels):
            at = dict(zip(panel.x, map(get, panel.cells), strict=True))
            rows.append(Series.of(panel.heading, [at.get(v, NOTHING) for v in x], index))
            ends = (at[panel.x[0]], at[panel.x[-1]])
            moves.append(sentences.Move(name, kind, panel.heading, *ends))
        limits = plots.span(rows, zero=bool(kind))
        figure = plots.lines(x, rows, view.axis_label, label, limits, kind)
        alt = "; ".join(_from_to(row, kind) for row in rows)
        panels.append((name, view.svg(figure, f"{name} over {view.axis_label}: {alt}.")))
    section.figures.append(
        Figure(
            sentences.move(view, moves),
            panels,
            "Means with their 95 % intervals (often smaller than the marker).",
            view.key([panel.heading for panel in view.panels]),
        )
    )


def _from_to(row: Series, kind: str) -> str:
    """A series as read aloud: its ends."""
    ends = dict.fromkeys(number(value, kind) for value in (row.mean[0], row.mean[-1]))
    return f"{row.name} {' to '.join(ends)}"


def _highest(view: View, names: list[str], unit: str) -> str:
    """Least and greatest of the measures, as means over the cells, in a sentence."""
    means = {
        name: float(np.nanmean([cell.measures[name].overall.mean for cell in view.cells]))
        for name in names
    }
    texts = [
        f"{amount(means[name], unit)} ({view.name(name)})"
        for name in dict.fromkeys([min(means, key=means.get), max(means, key=means.get)])
    ]
    return f"On average {' to '.join(texts)}."


# ---- tables


def _share_parts(
    view: View,
    section: Section,
    names: list[str],
    get: Callable[[CellSummary], dict[str, Interval]],
    what: str,
    title: str,
    note: str,
) -> None:
    """Figure and table of win shares."""
    note = f"Dots with bars: the share and its 95 % interval. {note}"
    _by_panel(view, section, title, names, get, "win share", "share", note)
    slug, heading = f"win_share_by_{what}", f"Win share of each {what}"
    if len(view.cells) == 1:  # a row for each reads better
        cell = view.cells[0]
        note = f"{counted(cell.games, 'games')} in {counted(cell.blocks, 'blocks')}; "
        note += f"fair: {100 / cell.players:.1f} %."
        columns = [Column(capital(what)), Column("Win share", "share")]
        rows = [Row([name, get(cell)[name]]) for name in names]
    else:
        note = "Small: the 95 % interval."
        columns = [*view.columns(), Column("Fair", "share")]
        columns += [Column(name, "share") for name in names]
        rows = []
        for before, cell in zip([None, *view.cells], view.cells, strict=False):
            values = [*view.row(cell), 1 / cell.players, *map(get(cell).get, names)]
            is_new = before is not None and before.players != cell.players
            rows.append(Row(values, is_new, link=view.anchor(cell)))
    section.tables.append(Table(slug, heading, columns, rows, note))


class _Line(NamedTuple):
    """A quantity of the balance sheet, with its value in each cell."""

    group: str
    name: str
    note: str
    kind: str
    values: list[Any]


def _quantities(view: View) -> list[_Line]:
    """All quantities of the balance sheet but win shares."""
    cells, unit = view.cells, view.game.score_unit
    of = [
        ("length", "Turns", "", "turns", lambda c: c.turns),
        ("length", "Spread of turns", "standard deviation", "turns", lambda c: c.turns_spread),
        ("choices", "Decisions", "by all players", "decisions", lambda c: c.decisions),
        ("choices", "Width of a choice", "legal actions", "actions", lambda c: c.width),
        ("choices", "Forced decisions", "one legal action", "share", lambda c: c.forced),
        (
            *("choices", "Choices that matter", "best and worst action 1 point of win share apart"),
            *("share", lambda c: c.choices_that_matter),
        ),
        (
            *("choices", "Dead turns", "a player’s decisions in a row, none of which matters"),
            *("share", lambda c: c.dead_turns),
        ),
        ("score", "Winner’s score", "", unit, lambda c: float(c.trajectory[0, -1])),
        ("score", "Winning margin", "first over second", unit, lambda c: c.score_margin),
        ("score", "Tied games", "", "share", lambda c: c.ties),
        *(
            ("lead", f"Leader at {part} % wins", "of the turns", "share",
             lambda c, part=part: c.leader_wins[part])
            for part in QUARTERS
        ),
        ("lead", "Lead changes", "at a turn, by score", "changes", lambda c: c.lead_changes),
        ("lead", "Comebacks", "won by the last at half-time", "share", lambda c: c.comebacks),
    ]  # fmt: skip
    lines = [_Line(*texts, [get(cell) for cell in cells]) for *texts, get in of]
    for name in view.ends:
        shares = [cell.end_reasons[name] for cell in cells]
        lines.append(_Line("ends", f"Ended: {end(name)}", "", "share", shares))
    for name, measure in view.measures.items():
        note = measure.text
        if not has_sign(measure.unit) and measure.unit not in f"{name} {note}":
            note += f", in {measure.unit}"
        if measure.per_player and "player" not in note:
            note += ", a player"
        values = [cell.measures[name].overall for cell in cells]
        lines.append(_Line("measures", view.name(name, full=True), note, measure.unit, values))
    return lines


def _balance_table(view: View) -> Table:
    """A row a quantity, a column a cell; of a sweep, a row a cell, with its verdict."""
    cells, lines = view.cells, _quantities(view)
    full = [
        [line.name, line.kind, cell.cell, cell.players, cell.line_up]
        + [view.value(cell, key) for key in view.swept]
        + spread(value)
        for line in lines
        for cell, value in zip(cells, line.values, strict=True)
    ]
    header = ["quantity", "unit", "cell", "players", "line_up", *view.swept, "mean", "low", "high"]
    note = "Small: half the width of the 95 % interval; for shares, its ends."
    if view.is_sweep:
        verdicts = {one.cell: one.verdict for one in view.contest.verdicts}
        seats, specs = range(max(view.player_counts)), view.specs
        columns = [*view.columns(), Column("Verdict")]
        columns += [Column(f"Seat {seat}", "share") for seat in seats]
        columns += [Column(spec, "share") for spec in specs] if view.has_rivals else []
        columns += [Column(line.name, line.kind) for line in lines]
        rows = []
        for index, cell in enumerate(cells):
            shares = [*cell.seat_win_share, *[None] * (len(seats) - cell.players)]
            if view.has_rivals:
                shares += [cell.win_share.get(spec) if cell.rivals else None for spec in specs]
            values = [line.values[index] for line in lines]
            is_new = bool(index) and cells[index - 1].players != cell.players
            values = [*view.row(cell), verdicts[cell.cell], *shares, *values]
            rows.append(Row(values, is_new, link=view.anchor(cell)))
        return Table("balance", "The balance sheet", columns, rows, note, (header, full))
    columns = [Column("Mean of a game")]
    short = view.is_clear
    columns += [
        Column(f"{c.players} players", "", view.settings(c, short), view.anchor(c)) for c in cells
    ]
    rows = [
        Row([Shown(line.name, line.note), *line.values], line.group != before.group, line.kind)
        for before, line in zip([lines[0], *lines], lines, strict=False)
    ]
    if len(cells) == 1 and cells[0].rivals:  # room for the agents in the same table
        columns[1:] = [Column("All", ""), *(Column(spec, "") for spec in view.specs)]
        names = [""] * (len(rows) - len(view.measures)) + list(view.measures)
        for row, name in zip(rows, names, strict=True):
            own = cells[0].measures[name].by_agent if name else {}
            row.values.extend(own.get(spec, "") for spec in view.specs)
    return Table("balance", "The balance of the games", columns, rows, note, (header, full))


def _agent_tables(view: View) -> list[Table]:
    """What each agent made of the game, settings of a player count taken together."""
    own = [name for name, measure in view.measures.items() if measure.per_player]
    rows = []
    for players in view.player_counts:
        cells = [cell for cell in view.cells if cell.players == players]
        for name in own:
            values = [_pooled(cells, name, spec) for spec in view.specs]
            label, kind = view.name(name, full=True), view.measures[name].unit
            rows.append(Row([str(players), label, *values], name == own[0], kind))
    full = [
        [cell.cell, cell.players, *(view.value(cell, key) for key in view.swept), name, spec]
        + spread(value)
        for cell in view.cells
        for name in own
        for spec, value in cell.measures[name].by_agent.items()
    ]
    note = "Small: half the width of the 95 % interval; for shares, its ends."
    if len(view.cells) > len(view.player_counts):
        note += " All settings of a player count together; the CSV has them one by one."
    columns = [Column("Players"), Column("Mean of a player")]
    columns += [Column(spec, "") for spec in view.specs]
    header = ["cell", "players", *view.swept, "measure", "agent", "mean", "low", "high"]
    table = Table("measures_by_agent", "What each agent made of it", columns, rows, note)
    table.full = (header, full)
    return [table] if own else []


def _pooled(cells: list[CellSummary], name: str, spec: str) -> Interval | None:
    """Interval of a measure's mean over cells with the same blocks; None without the agent."""
    arrays = [cell.values("measure", name, spec) for cell in cells if spec in cell.win_share]
    if not arrays:
        return None
    size = min(map(len, arrays))
    values = np.mean([array[:size] for array in arrays], axis=0)
    return block_interval(values[~np.isnan(values)], bounds=cells[0].bounds("measure", name))


_json = partial(json.dumps, indent=2, ensure_ascii=False)
