"""The parts of the report, each from the same view of a run."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from experiments.metrics import CellSummary
from experiments.report import plots, sentences
from experiments.report.plots import Series
from experiments.report.tables import Cell, Column, Row, Table, listed, number, spread
from experiments.report.view import (
    NO_END,
    Figure,
    Section,
    View,
    bare,
    capital,
    lower,
    setting_of,
    words,
)
from experiments.stats import Interval, block_interval

EXTREMES = {
    "shortest": "Shortest game",
    "longest": "Longest game",
    "highest_winning_score": "Highest winning score",
    "largest_margin": "Largest winning margin",
    "narrowest_margin": "Narrowest winning margin",
}
ELEMENTS_SHOWN = 15


def agents(view: View) -> Section:
    """Win share by agent, against the fair share."""
    section = Section("agents", "Win share by agent")
    shares = {c.cell: c.win_share for c in view.cells}
    if all(len(cell.win_share) == 1 for cell in view.cells):
        section.intro.append(
            f"All seats were played by {listed(view.specs)}, so each copy has the fair share "
            "by construction. What differs is the seat, below."
        )
        return section
    _share_figure(
        view,
        section,
        sentences.shares(
            view, [(s, {c.cell: shares[c.cell].get(s) for c in view.cells}) for s in view.specs]
        ),
        lambda cell: [
            (spec, index, shares[cell.cell].get(spec)) for index, spec in enumerate(view.specs)
        ],
        "An agent is balanced where its interval reaches the dotted fair line; the share is "
        "that of one copy of the agent, so copies do not add up.",
        ordered=True,
    )
    section.tables.append(
        _cell_table(
            view,
            "win_share_by_agent",
            "Win share of one copy of each agent",
            [(spec, [shares[c.cell].get(spec) for c in view.cells]) for spec in view.specs],
            "share",
        )
    )
    return section


def seats(view: View) -> Section:
    """Win share by seat, against the fair share."""
    section = Section("seats", "Win share by seat")
    most = max(view.player_counts)

    def seat_of(cell: CellSummary, seat: int) -> Interval | None:
        return cell.seat_win_share[seat] if seat < cell.players else None

    total = sum(cell.players for cell in view.cells)
    note = "Seat 0 moves first. Every agent sat in every seat equally often."
    if total > 10:
        note += (
            f" Of {total} intervals about {max(round(total / 20), 1)} will miss the fair line "
            "by chance alone; only a seat that keeps its side from setting to setting matters."
        )
    _share_figure(
        view,
        section,
        sentences.shares(
            view,
            [(f"Seat {s}", {c.cell: seat_of(c, s) for c in view.cells}) for s in range(most)],
        ),
        lambda cell: [(f"Seat {s}", s, seat_of(cell, s)) for s in range(most)],
        note,
    )
    section.tables.append(
        _cell_table(
            view,
            "win_share_by_seat",
            "Win share of each seat",
            [(f"Seat {s}", [seat_of(c, s) for c in view.cells]) for s in range(most)],
            "share",
        )
    )
    return section


def course(view: View) -> Section:
    """Length, ends and every measure of the game."""
    section = Section("course", "How the games went")
    ends = view.ends()
    if ends:
        names = list(ends)
        rows, panels = [], []
        for panel in view.panels if view.axis is not None else [None]:
            cells = view.cells if panel is None else panel.cells
            labels = [
                view.place(c) if panel is None else view.setting(c, view.axis, short=True)
                for c in cells
            ]
            rows = [
                Series(
                    NO_END.get(name, name),
                    [c.end_reasons[name].mean if name in c.end_reasons else 0 for c in cells],
                    style=i,
                )
                for i, name in enumerate(names)
            ]
            alt = "; ".join(
                f"{label}: " + ", ".join(f"{row.name} {100 * row.mean[i]:.0f} %" for row in rows)
                for i, label in enumerate(labels)
            )
            heading = "" if panel is None else panel.heading
            figure = plots.stacks(labels, rows, "share of games")
            panels.append((heading, view.svg(figure, f"How games ended. {alt}.")))
        top = names[0]
        shares = [100 * c.end_reasons[top].mean for c in view.cells if top in c.end_reasons]
        title = f"{sentences.span(shares, 0)} % of the games end by {NO_END.get(top, top)}"
        note = "Each bar is all games of a setting, cut by what ended them."
        key = view.key({NO_END.get(name, name): i for i, name in enumerate(names)}, "bar")
        section.figures.append(Figure(title + ".", panels, note, key))
    if view.axis is not None:
        unit = view.score_unit
        wanted = [
            ("Turns", "turns", "", lambda cell: cell.turns),
            ("Winning margin", f"score{_in(unit)}", unit, lambda cell: cell.score_margin),
            ("Tied games", "share of games", "share", lambda cell: cell.ties),
        ]
        panels, moves = [], []
        for name, label, kind, get in wanted:
            svg, move = _players_panel(view, name, label, kind, get)
            panels.append((name, svg))
            moves.append(move)
        title = sentences.move(view, moves[:2])
        note = "One line a player count, with 95 % intervals (often smaller than the marker)."
        section.figures.append(Figure(title, panels, note, view.players_key()))
    section.tables.append(_measure_table(view))
    by_agent = _agent_measure_table(view)
    if by_agent is not None:
        section.tables.append(by_agent)
    return section


def money(view: View) -> Section | None:
    """The game's measures in money, prices apart."""
    names = [name for name in view.measures("$") if not _is_price(name)]
    if not names:
        return None
    section = Section("money", "Where the money went")
    _dollar_figure(view, section, names, "")
    return section


def auctions(view: View) -> Section | None:
    """The game's measures in money that are prices."""
    means = {}
    for name in filter(_is_price, view.measures("$")):
        known = [view.overall(cell, name).mean for cell in view.cells]
        known = [value for value in known if math.isfinite(value)]
        if known:
            means[name] = float(np.mean(known))
    names = list(means)
    if not names:
        return None
    section = Section("auctions", "Auction prices")
    low, high = min(means, key=means.get), max(means, key=means.get)
    title = f"{view.name(high)}: {number(means[high], '$')} on average"
    if low != high:
        title = (
            f"Mean prices run from {number(means[low], '$')} ({view.name(low)}) to "
            f"{number(means[high], '$')} ({view.name(high)})"
        )
    others = [n for n in names if view.name(n) == capital(words(n))]
    meant = "".join(f" {view.name(n)}: {view.known[n].text}." for n in others if n in view.known)
    hint = ""
    if view.axis is not None and "money" in view.axis:
        hint = (
            f" A price that climbs with {words(view.axis)} is set by what bidders have, "
            "a flat one by what the thing is worth to them."
        )
    if len(names) > len(plots.MARKERS) or view.axis is None:
        _dollar_figure(view, section, names, meant, title + ".")
        return section
    panels = []
    rows_of = {
        id(panel): [
            _series(view.name(n), [view.overall(c, n) for c in panel.cells], i)
            for i, n in enumerate(names)
        ]
        for panel in view.panels
    }
    limits = plots.span([row for rows in rows_of.values() for row in rows], zero=True)
    for panel in view.panels:
        rows = rows_of[id(panel)]
        figure = plots.lines(panel.x, rows, view.axis_label, "price ($)", None, limits)
        alt = view.alt(panel, rows, "auction price", "$")
        panels.append((panel.heading, view.svg(figure, alt)))
    section.figures.append(
        Figure(
            title + ".",
            panels,
            f"Mean price with its 95 % interval.{hint}{meant}",
            view.key({view.name(name): i for i, name in enumerate(names)}),
        )
    )
    return section


def scores(view: View) -> Section | None:
    """Mean score as the game went on, by final rank."""
    section = Section("scores", "Score over the game, by final rank")
    percent = np.arange(0, 101, 10)
    unit = view.score_unit
    curves: dict[int, np.ndarray] = {}
    for players in view.player_counts:
        cells = [cell for cell in view.cells if cell.players == players]
        weights = np.stack([cell.trajectory_players for cell in cells])[:, :, None]
        scores = np.stack([cell.trajectory for cell in cells])
        known = np.isfinite(scores) & (weights > 0)
        total = np.where(known, weights, 0).sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            curves[players] = np.where(known, scores * weights, 0).sum(axis=0) / total
    if not any(np.isfinite(curve).any() for curve in curves.values()):
        return None
    ranks = [f"Rank {rank + 1}" for rank in range(max(view.player_counts))]
    all_series = {
        players: [
            Series(ranks[rank], row, style=rank)
            for rank, row in enumerate(curve)
            if np.isfinite(row).any()
        ]
        for players, curve in curves.items()
    }
    limits = plots.span([row for rows in all_series.values() for row in rows], zero=True)
    panels = []
    for players, rows in all_series.items():
        figure = plots.lines(
            percent, rows, "turns played (% of the game)", f"score{_in(unit)}", None, limits
        )
        figure.axes[0].set_xticks(percent[::2])
        ends = ", ".join(f"{row.name} {number(row.mean[-1], unit)}" for row in rows)
        panels.append(
            (
                f"{players} players",
                view.svg(figure, f"Score over the game. At the end: {ends}."),
            )
        )
    note = "Mean score of the players who ended with that rank; players who tie share a rank."
    if len(view.cells) > len(view.player_counts):
        note += " All settings of a player count together."
    key = view.key({name: i for i, name in enumerate(ranks)})
    section.figures.append(Figure(sentences.lead(curves), panels, note, key))
    header = ["players", "rank", *(f"score_at_{p}_percent" for p in percent)]
    full = [
        [players, rank + 1, *row] for players, c in curves.items() for rank, row in enumerate(c)
    ]
    # A single player count stands beside its chart, and has room for every other tenth.
    step, lead = (1, [Column("Players")]) if len(curves) > 1 else (2, [])
    columns = [*lead, Column("Final rank"), *(Column(f"{p} %", unit) for p in percent[::step])]
    rows = [
        Row([str(players), str(rank + 1), *row[::step]][1 - len(lead) :], group=rank == 0)
        for players, curve in curves.items()
        for rank, row in enumerate(curve)
    ]
    section.tables.append(
        Table(
            "score_by_final_rank",
            "Mean score as the game went on",
            columns,
            rows,
            full=(header, full),
        )
    )
    return section


def board(view: View) -> Section | None:
    """The board drawn by its game, and how often each of its elements was used."""
    usage = {cell: np.asarray(counts, float) for cell, counts in view.run.usage().items()}
    cells = [cell for cell in view.cells if usage.get(cell.cell) is not None]
    cells = [cell for cell in cells if len(usage[cell.cell])]
    document = view.manifest.get("board", {}).get("document") or {}
    if not cells:
        return None
    counts = sum(usage[cell.cell] for cell in cells)
    games = sum(cell.games for cell in cells)
    names = _elements(view, document, len(counts))
    share = counts / max(games, 1)
    order = np.argsort(-share, kind="stable")
    section = Section("map", "The board, and what was built")
    title = f"Built most: {names[order[0]]}, in {100 * share[order[0]]:.0f} % of the games"
    rare = int((share < 0.05).sum())
    if rare:
        title += f"; {rare} of {len(share)} in fewer than 5 %"
    draw = getattr(view.game, "picture", None)
    if callable(draw) and document:
        figure = plots.picture(draw, document, counts, games)
        alt = f"{view.summary.board}: map of the board. " + "; ".join(
            f"{names[i]} {100 * share[i]:.0f} %" for i in order[:10]
        )
        label = view.summary.board
        note = (
            "The wider and stronger a line, the more games built it. Faint lines are choices the "
            "board offers and these agents hardly ever take."
        )
        if label:
            note = f"{label}. {note}"
        section.figures.append(Figure(title + ".", [("", view.svg(figure, alt))], note, wide=True))
    else:
        section.intro.append(title + ".")
    by_players = {
        players: sum(usage[c.cell] for c in cells if c.players == players)
        / max(sum(c.games for c in cells if c.players == players), 1)
        for players in sorted({c.players for c in cells})
    }
    noun = "link" if document.get("link") else "element"
    columns = [Column(capital(noun)), Column("All games", "share")]
    if len(by_players) == 1:
        by_players = {}
    columns += [Column(f"{players} players", "share") for players in by_players]
    lines = [[names[i], share[i], *(part[i] for part in by_players.values())] for i in order]
    shown = lines[:ELEMENTS_SHOWN]
    note = f"The first {len(shown)} of {len(lines)}; the CSV has them all."
    section.tables.append(
        Table(
            f"{noun}s_built",
            f"How often each {noun} was built",
            columns,
            [Row(line) for line in shown],
            note if len(shown) < len(lines) else "",
            full=(
                [noun, "share_of_games", *(f"share_{p}_players" for p in by_players)],
                lines,
            ),
        )
    )
    return section


def assumed(view: View) -> Section:
    """What every number rests on: the board, the game's assumptions, options changed."""
    section = Section("assumed", "What was assumed")
    label = view.summary.board
    if label:
        section.points.append(f"The board: {label}.")
    section.points += list(getattr(view.game, "assumptions", ()) or ())
    changed = _changed_options(view)
    if changed:
        section.tables.append(
            Table(
                "options_changed",
                "Options and rulings that differ from the default",
                [Column("Option", "code"), Column("In this run"), Column("Default")],
                [Row(line) for line in changed],
                "Settings that the run varied are not listed here.",
            )
        )
    elif changed is not None and view.cells:
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
    section.intro.append("Each can be played again, decision by decision, with its command.")
    folder = shlex.quote(str(view.run.folder))
    cells = {cell.cell: cell for cell in view.cells}
    unit = view.score_unit
    rows = []
    for name, game in found.items():
        is_score = name not in ("shortest", "longest")
        amount = int(game.value) if game.value == int(game.value) else game.value
        value = number(amount, unit if is_score else "")
        command = (
            f"spike replay {folder} --cell {game.cell} --block {game.block} "
            f"--rotation {game.rotation}"
        )
        rows.append(
            Row(
                [
                    EXTREMES.get(name, capital(words(name))),
                    value if is_score else f"{value} turns",
                    view.place(cells[game.cell]),
                    str(game.seed),
                    command,
                ]
            )
        )
    columns = [
        Column("Game"),
        Column("Value"),
        Column("Where"),
        Column("Seed", "code"),
        Column("Play it again", "code"),
    ]
    header = ["game", "value", "cell", "block", "rotation", "seed", "command"]
    full = [
        [name, g.value, g.cell, g.block, g.rotation, g.seed, row.values[4]]
        for (name, g), row in zip(found.items(), rows, strict=True)
    ]
    section.tables.append(
        Table("extreme_games", "Records of this run", columns, rows, full=(header, full))
    )
    return section


def data(view: View) -> Section:
    """Games by status, versions, the plan and all options."""
    section = Section("data", "The run in full")
    names = list(
        dict.fromkeys(["ok", *(status for cell in view.cells for status in cell.statuses)])
    )
    entries = {entry["cell"]: entry for entry in view.manifest["cells"]}
    section.tables.append(
        Table(
            "cells",
            "Cells, and how their games ended for the runner",
            [
                Column("Cell", ""),
                Column("Players", ""),
                *(Column(capital(words(key)), view.unit(key)) for key in view.swept),
                Column("Blocks", ""),
                Column("Games", ""),
                *(Column(capital(name), "") for name in names),
                Column("Line-up"),
            ],
            [
                Row(
                    [
                        cell.cell,
                        cell.players,
                        *(_shown_setting(setting_of(cell, key)) for key in view.swept),
                        cell.blocks,
                        cell.games,
                        *(cell.statuses.get(name, 0) for name in names),
                        ", ".join(cell.agents),
                    ]
                )
                for cell in view.cells
            ],
        )
    )
    board = view.manifest.get("board", {})
    section.pairs = [
        ("Game", f"{view.game.title}, rules version {view.manifest.get('rules_version')}"),
        ("Board", f"{board.get('label') or board.get('name')}, digest {board.get('digest')}"),
        ("Run", f"{view.run.folder}, created {view.manifest.get('created', 'unknown')}"),
        *((name, str(text)) for name, text in view.manifest.get("versions", {}).items()),
    ]
    section.folded.append(("The plan", _json(view.manifest.get("plan", {}))))
    options: dict[str, list[str]] = {}
    for number_, entry in entries.items():
        options.setdefault(_json(entry.get("options", {})), []).append(str(number_))
    base: dict[str, Any] = {}
    for text, owners in options.items():
        flat = _flat(json.loads(text))
        heading = f"All options of cell{'s' if len(owners) > 1 else ''} {listed(owners)}"
        if not base:
            base = flat
            section.folded.append((heading, text))
        else:
            changes = {k: v for k, v in flat.items() if base.get(k, None) != v}
            section.folded.append((f"{heading}, where they differ", _json(changes)))
    return section


def _share_figure(
    view: View,
    section: Section,
    title: str,
    parts: Callable[[CellSummary], list[tuple[str, int, Interval | None]]],
    note: str,
    ordered: bool = False,
) -> None:
    """Win shares: lines over the setting, or a row of dots a cell."""
    drawn, everything, used = [], [], {}
    for panel in view.panels:
        series: dict[str, tuple[int, list[Interval]]] = {}
        for cell in panel.cells:
            for name, index, share in parts(cell):
                if share is not None:
                    series.setdefault(name, (index, []))[1].append(share)
                    used[name] = index
        rows = [_series(name, shares, index) for name, (index, shares) in series.items()]
        if ordered and view.axis is None:
            rows.sort(key=lambda row: -row.mean[0])
        drawn.append((panel, rows))
        everything += rows + [Series("fair", [1 / panel.cells[0].players])]
    limits = plots.span(everything)
    limits = (max(limits[0], -0.02), min(limits[1], 1.02))
    panels = []
    for panel, rows in drawn:
        fair = 1 / panel.cells[0].players
        if view.axis is not None:
            figure = plots.lines(
                panel.x, rows, view.axis_label, "win share", fair, limits, percent=True
            )
        else:
            figure = plots.dots(
                rows, "win share", fair, limits, lambda v: number(v, "share"), percent=True
            )
        alt = view.alt(panel, rows, "win share", "share") + f" Fair is {100 * fair:.1f} %."
        panels.append((panel.heading, view.svg(figure, alt)))
    key = view.key(used) if view.axis is not None else []
    what = "Dots with bars: the share and its 95 % interval. "
    section.figures.append(Figure(title, panels, what + note, key))


def _dollar_figure(
    view: View, section: Section, names: list[str], note: str, title: str | None = None
) -> None:
    """A panel a measure over the setting, or a panel a cell with a row for each measure."""
    panels: list[tuple[str, str]] = []
    key: list[tuple[str, str]] = []
    if view.axis is not None:
        moves = []
        for name in names:
            own = getattr(view.known.get(name), "per_player", False)
            svg, move = _players_panel(
                view,
                view.name(name),
                "$ a player" if own else "$ a game",
                "$",
                lambda cell, n=name: view.overall(cell, n),
                zero=True,
            )
            panels.append((view.name(name), svg))
            moves.append(move)
        key = view.players_key()
        title = title or sentences.move(view, moves)
        note = f"{note} One line a player count, with 95 % intervals.".strip()
    else:
        rows_of = [
            (panel, [_series(view.name(n), [view.overall(panel.cells[0], n)]) for n in names])
            for panel in view.panels
        ]
        limits = plots.span([row for _, rows in rows_of for row in rows], zero=True)
        for panel, rows in rows_of:
            figure = plots.dots(rows, "mean ($)", None, limits, lambda value: number(value, "$"))
            heading = panel.heading if len(view.panels) > 1 else ""
            panels.append((heading, view.svg(figure, view.alt(panel, rows, "money", "$"))))
        first = max(rows_of[0][1], key=lambda row: row.mean[0])
        title = title or f"The largest sum is {lower(first.name)}: {number(first.mean[0], '$')}."
        note = f"{note} Dots with bars: mean and 95 % interval; a player's own money is that of "
        note = f"{note.strip()} one player."
    section.figures.append(Figure(title, panels, note, key))


def _players_panel(
    view: View,
    name: str,
    y_label: str,
    kind: str,
    get: Callable[[CellSummary], Interval],
    zero: bool = False,
) -> tuple[str, sentences.Move]:
    """A panel with a line for each of the usual panels, and what it shows from end to end."""
    rows, x = [], sorted({value for panel in view.panels for value in panel.x})
    firsts, lasts = [], []
    for index, panel in enumerate(view.panels):
        at = dict(zip(panel.x, panel.cells, strict=True))
        nothing = Interval(math.nan, math.nan, math.nan, 0)
        values = [get(at[v]) if v in at else nothing for v in x]
        rows.append(_series(panel.heading, values, index))
        firsts.append(get(panel.cells[0]))
        lasts.append(get(panel.cells[-1]))
    limits = plots.span(rows, zero=zero or kind == "share")
    figure = plots.lines(x, rows, view.axis_label, y_label, None, limits, kind == "share")
    alt = f"{name} over {view.axis_label}: " + "; ".join(
        f"{row.name} {number(first.mean, kind)} to {number(last.mean, kind)}"
        for row, first, last in zip(rows, firsts, lasts, strict=True)
    )
    clear = any(a.high < b.low or b.high < a.low for a, b in zip(firsts, lasts, strict=True))
    means = (float(np.mean([one.mean for one in ends])) for ends in (firsts, lasts))
    return view.svg(figure, alt + "."), sentences.Move(name, kind, *means, clear)


def _cell_table(
    view: View, slug: str, title: str, columns: list[tuple[str, list[Any]]], kind: str
) -> Table:
    """A row a cell: its player count and settings, its games, then the given columns."""
    head = [Column("Players")]
    head += [Column(capital(words(key)), view.unit(key)) for key in view.swept]
    head += [Column("Fair", "share")]
    rows = []
    for index, cell in enumerate(view.cells):
        values = [str(cell.players), *(_shown_setting(setting_of(cell, key)) for key in view.swept)]
        values += [1 / cell.players]
        values += [column[index] for _, column in columns]
        group = index > 0 and view.cells[index - 1].players != cell.players
        rows.append(Row(values, group))
    if len(rows) == 1:  # one cell: a row for each column reads better
        lines = [Row([name, values[0]]) for name, values in columns if values[0] is not None]
        what = "Agent" if "agent" in slug else "Seat"
        cell = view.cells[0]
        note = f"{cell.games:,} games in {cell.blocks:,} blocks; fair: {100 / cell.players:.1f} %."
        return Table(slug, title, [Column(what), Column("Win share", kind)], lines, note)
    head += [Column(name, kind) for name, _ in columns]
    return Table(slug, title, head, rows, "Small: the 95 % interval.")


def _measure_table(view: View) -> Table:
    """A row a quantity, a column a cell."""
    columns = [Column("Mean of a game")]
    for cell in view.cells:
        small = ", ".join(view.setting(cell, key, short=True) for key in view.swept)
        columns.append(Column(f"{cell.players} players", "", small))
    unit = view.score_unit
    cells = view.cells
    lines: list[tuple[str, str, str, str, list[Any]]] = [
        ("length", "Turns", "", "turns", [c.turns for c in cells]),
        ("length", "Decisions", "by all players", "decisions", [c.decisions for c in cells]),
        ("score", "Winner’s score", "", unit, [_final(c) for c in cells]),
        ("score", "Winning margin", "first over second", unit, [c.score_margin for c in cells]),
        ("score", "Tied games", "", "share", [c.ties for c in cells]),
    ]
    lines += [
        ("ends", f"Ended: {NO_END.get(name, name)}", "", "share",
         [c.end_reasons.get(name) for c in view.cells])
        for name in view.ends()
    ]  # fmt: skip
    for name in view.measures():
        measure = view.known.get(name)
        note = getattr(measure, "text", "")
        unit_text = getattr(measure, "unit", "")
        if unit_text not in ("", "$", "share") and unit_text not in f"{name} {note}":
            note += f", in {unit_text}"
        if getattr(measure, "per_player", False) and "player" not in note:
            note += ", a player"
        note = note.removeprefix(", ")
        values = [view.overall(c, name) for c in view.cells]
        lines.append(("measures", view.name(name, full=True), note, view.kind(name), values))
    rows, full, previous = [], [], "length"
    for group, name, note, kind, values in lines:
        rows.append(Row([Cell(name, note), *values], group != previous, kind))
        previous = group
        for cell, value in zip(view.cells, values, strict=True):
            full.append(
                [name, kind, cell.cell, cell.players]
                + [setting_of(cell, key) for key in view.swept]
                + spread(value)
            )
    header = ["quantity", "unit", "cell", "players", *view.swept, "mean", "low", "high"]
    if len(view.cells) == 1 and len(view.specs) > 1:  # room for the agents in the same table
        names = [""] * (len(rows) - len(view.measures())) + view.measures()
        columns[1:] = [Column("All", "")] + [Column(spec, "") for spec in view.specs]
        for row, name in zip(rows, names, strict=True):
            own = view.cells[0].measures[name].by_agent if name else {}
            row.values = [*row.values, *(own.get(spec, "") for spec in view.specs)]
    return Table(
        "balance",
        "The balance of the games",
        columns,
        rows,
        "Small: half the width of the 95 % interval; for shares, its ends.",
        full=(header, full),
    )


def _agent_measure_table(view: View) -> Table | None:
    """What each agent made of the game, settings of a player count taken together."""
    if len(view.specs) < 2 or len(view.cells) == 1:
        return None
    names = [
        name
        for name in view.measures()
        if any(c.measures[name].by_agent for c in view.cells if name in c.measures)
    ]
    if not names:
        return None
    rows: list[Row] = []
    full: list[list[Any]] = []
    for players in view.player_counts:
        cells = [cell for cell in view.cells if cell.players == players]
        for index, name in enumerate(names):
            values = [
                _pooled([c for c in cells if spec in c.win_share], "measure", name, spec)
                for spec in view.specs
            ]
            label = view.name(name, full=True)
            rows.append(Row([str(players), label, *values], index == 0, view.kind(name)))
    for cell in view.cells:
        for name in names:
            for spec, value in cell.measures[name].by_agent.items():
                settings = [setting_of(cell, key) for key in view.swept]
                full.append([cell.cell, cell.players, *settings, name, spec, *spread(value)])
    note = "Small: half the width of the 95 % interval."
    if len(view.cells) > len(view.player_counts):
        note += " All settings of a player count together; the CSV has them one by one."
    columns = [Column("Players"), Column("Mean of a player")]
    columns += [Column(spec, "") for spec in view.specs]
    header = ["cell", "players", *view.swept, "measure", "agent", "mean", "low", "high"]
    return Table(
        "measures_by_agent", "What each agent made of it", columns, rows, note, (header, full)
    )


def _elements(view: View, document: dict, count: int) -> list[str]:
    """Names of the board's elements in the order they are counted."""
    cities = {city["id"]: city.get("name", city["id"]) for city in document.get("city", ())}
    links = document.get("link", ())
    if len(links) == count and cities:
        return ["–".join(cities.get(end, end) for end in link["cities"]) for link in links]
    names = view.manifest.get("board", {}).get("elements") or []
    if len(names) == count:
        return [capital(words(str(name))) for name in names]
    return [f"Element {index + 1}" for index in range(count)]


def _changed_options(view: View) -> list[list[str]] | None:
    """Options other than the board's own, but for those varied; None if that cannot be told."""
    try:
        board = view.manifest["board"]
        if board.get("document") and hasattr(view.game, "board_from"):
            default = view.game.board_from(board["document"], str(board.get("name")))
        else:
            default = view.game.board()
        default = _flat(default.options.model_dump(mode="json"))
    except Exception:  # a board that no longer loads must not cost the report
        return None
    varied = {bare(key) for cell in view.summary.cells for key in cell.settings}
    varied &= set(view.swept)
    found: dict[str, set[str]] = {}
    for entry in view.manifest["cells"]:
        for key, value in _flat(entry.get("options", {})).items():
            if bare(key) in varied or key not in default:
                continue
            if value != default[key]:
                found.setdefault(key, set()).add(str(value))
    return [[key, listed(sorted(values), "or"), str(default[key])] for key, values in found.items()]


def _series(name: str, values: Sequence[Interval], index: int = 0) -> Series:
    """Values as a series; an interval without ends is drawn as a point."""
    mean = [value.mean for value in values]
    low = [v.low if math.isfinite(v.low) else v.mean for v in values]
    high = [v.high if math.isfinite(v.high) else v.mean for v in values]
    return Series(name, mean, low, high, index)


def _pooled(cells: Sequence[CellSummary], *key: str) -> Interval | None:
    """Interval of the mean over cells with the same blocks."""
    if not cells:
        return None
    arrays = [cell.values(*key) for cell in cells]
    length = min(len(array) for array in arrays)
    values = np.mean([array[:length] for array in arrays], axis=0)
    values = values[~np.isnan(values)]
    if not len(values):
        return None
    return block_interval(values, bounds=None)


def _is_price(name: str) -> bool:
    """Whether a measure in money is what something sold for."""
    return "price" in name or name.startswith("auction")


def _final(cell: CellSummary) -> float:
    return float(cell.trajectory[0, -1])


def _shown_setting(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _in(unit: str) -> str:
    return f" ({unit})" if unit else ""


def _flat(options: dict[str, Any], before: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in options.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{before}{key}."))
        else:
            flat[f"{before}{key}"] = value
    return flat


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


#: All parts, in the order of the page; a part may have nothing to say.
PARTS = (agents, seats, course, money, auctions, scores, board, assumed, extremes, data)
