"""The part of the report on a match, a tournament, a run of strategies or a sweep."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from experiments.match import Outcome
from experiments.metrics import POINTS, CellSummary
from experiments.plan import ROUND
from experiments.report import plots
from experiments.report.plots import Series
from experiments.report.tables import Column, Row, Shown, Table, listed, number, shown
from experiments.report.view import Figure, Section, View, capital
from experiments.stats import Interval
from experiments.strategies import SAMPLES, Balance, Strategies
from experiments.sweep import Findings, Verdict
from experiments.tournament import Standings
from sim.layout import counted

if TYPE_CHECKING:
    import matplotlib.figure

METHOD = """
Unit: the block, one deal in all distinct rotations of the seats. A seat’s value in a block is its
mean win share over the rotations. Block b has the same deal in every cell.

Hypotheses, for each of K = {cells} cells with n seats and the margin m = {margin}: “not fair” (some
seat’s share is m or more from 1/n), rejected for the verdict fair; “fair” (all are within m of it),
rejected for the verdict unfair.

Evidence: betting e-processes (Waudby-Smith and Ramdas 2024). With x the value of a seat, E+ at μ is
the mean, over 16 stakes c from 0.02 to 0.9, of the product over blocks of 1 + c (x − μ) / μ, and E−
of 1 − c (x − μ) / (1 − μ). Against “not fair” stands the least over seats of E− at 1/n + m and E+
at 1/n − m; against “fair” the mean over seats of E+ at 1/n + m and E− at 1/n − m.

Verdicts: e-BH (Wang and Ramdas 2022) over all 2K hypotheses at a false discovery rate of 5 %,
looked at after each round; a cell with a verdict never plays again. This holds whenever one looks
and however cells depend on each other.

Intervals of shares: the same bets at 95 %, which hold for a run stopped at any time, each by
itself. Those of lengths and scores: Student’s t over blocks. A setting that is recommended was
chosen for what its intervals say, so take its whole interval, not its mean.

Sizes: a study of fixed size that finds a fair cell fair with a chance of 90 % needs
N = (z(0.95) + z(1 − 0.1 / 2n))² v / m² blocks, v being the variance of a seat’s value; a cell that
is undecided after 3 N blocks (or the games it was given) is left so.
"""

#: In the order of the styles they are drawn in.
VERDICTS = ("fair", "unfair", "undecided", "open")


def section(view: View) -> Section:
    """What the contest of a run was played for."""
    contest = view.contest
    if isinstance(contest, Outcome):
        return _match(view, contest)
    if isinstance(contest, Strategies):
        return _strategies(view, contest)
    return _sweep(view, contest) if isinstance(contest, Findings) else _standings(view, contest)


def _match(view: View, outcome: Outcome) -> Section:
    """How the test went to its verdict, and what the estimate is."""
    found = Section("match", "Does one beat the other?")
    first, second = outcome.agents
    if not outcome.course:
        found.intro = capital(outcome.sentences()[0])
    else:
        course = [0.0, *outcome.course]
        blocks = [ROUND * index for index in range(len(course))]
        bound = outcome.decision.bound
        names = ["log-likelihood ratio", f"{first} beats {second}", f"{first} does not"]
        rows = [
            Series(names[0], course),
            Series(names[1], [bound] * len(blocks), style=1),
            Series(names[2], [-bound] * len(blocks), style=2),
        ]
        limits = plots.span(rows)
        figure = plots.lines(blocks, rows, "blocks", names[0], limits)
        ends = ", ".join(f"{ratio:+.2f}" for ratio in outcome.course)
        image = view.svg(figure, f"Log-likelihood ratio after each round: {ends}.")
        note = (
            f"Looked at after every {ROUND} blocks; a match ends where the ratio crosses a bound. "
            "Either error has a chance of 5 %: to call an equal agent better, and to miss one "
            "that is 5 percentage points ahead."
        )
        found.figures.append(
            Figure(capital(outcome.sentences()[0]), [("", image)], note, view.key(names))
        )
    shares = [
        (first, "on balance", outcome.win_share),
        (first, f"alone among copies of {second}", outcome.alone[0]),
        (second, f"alone among copies of {first}", outcome.alone[1]),
    ]
    rows = [Row([Shown(spec, where), share]) for spec, where, share in shares]
    full = [[spec, where, *share[:3]] for spec, where, share in shares]
    header = ["agent", "where", "win_share", "win_share_low", "win_share_high"]
    columns = [Column("Agent"), Column("Win share", "share")]
    note = f"Fair: {number(outcome.fair_share, 'share')}. On balance: the fair share and half the "
    note += "difference of the two below. The intervals know that the match could end at any round."
    if outcome.games:
        found.tables.append(
            Table("match", "Win share in the match", columns, rows, note, (header, full))
        )
    return found


def verdict_grid(view: View) -> matplotlib.figure.Figure:
    """The verdicts of a sweep: a row a table, a column a setting, and how far from fair it is.

    >>> verdict_grid(View.of(Run.open("runs/sweep"))).savefig("a.png")    # doctest: +SKIP
    """
    verdicts = {one.cell: one.verdict for one in view.contest.verdicts}
    off = [key for key in view.swept if key != view.axis]

    def row(cell: CellSummary) -> str:
        table = [view.table(cell)]
        if words := view.contest.words(cell):  # a column each, if nothing else is along them
            table = [f"{cell.players} players", *([words] if view.axis else [])]
        return ", ".join([*table, *(view.setting(cell, key) for key in off)])

    def column(cell: CellSummary) -> str:
        if view.axis:
            return view.setting(cell, view.axis, short=True)
        return view.contest.words(cell) or "verdict"

    fields: dict[str, dict[str, tuple[int, str]]] = {}
    for cell in view.cells:
        gap = 100 * cell.seat_gap
        mark = VERDICTS.index(verdicts[cell.cell]), f"{gap:+.1f}".replace("-", "−")
        fields.setdefault(row(cell), {})[column(cell)] = mark
    columns = list(dict.fromkeys(map(column, view.along(view.cells))))
    marks = [[line.get(one) for one in columns] for line in fields.values()]
    return plots.grid(list(fields), columns, marks)


def _sweep(view: View, findings: Findings) -> Section:
    """The verdict on each cell, and what changes from setting to setting."""
    found = Section("sweep", "Which settings are fair?")
    short = partial(view.settings, short=view.is_clear)
    found.points = findings.sentences(short) if view.swept else []
    verdicts = {one.cell: one.verdict for one in findings.verdicts}
    told = "; ".join(f"{view.place(cell)}: {verdicts[cell.cell]}" for cell in view.cells)
    figure = verdict_grid(view)
    note = (
        f"The number: by how many {POINTS} the seat farthest from fair wins more (+) or less (−) "
        f"than its share; within {100 * findings.margin:g} is fair. Of all verdicts 5 % at most "
        "are wrong on average; a cell near to the margin stays undecided."
    )
    key = [
        (view.svg(plots.swatch(mark, "bar"), ""), verdict)
        for mark, verdict in enumerate(VERDICTS)
        if verdict in verdicts.values()
    ]
    panel = "", view.svg(figure, f"Verdicts. {told}.")
    is_wide = figure.get_figwidth() > plots.WIDTH
    found.figures.append(Figure(tally(findings), [panel], note, key, is_wide))
    found.tables.append(_verdicts(view, findings))
    changes = _changes(view)
    found.tables += [changes] if changes else []
    return found


def method(view: View) -> Section:
    """How a sweep decides: for those who know statistics."""
    findings = view.contest
    found = Section("method", "Method")
    text = METHOD.format(cells=len(findings.cells), margin=f"{findings.margin:g}")
    found.points = [" ".join(part.split()) for part in text.strip().split("\n\n")]
    groups: dict[tuple, list[Verdict]] = {}
    for cell, one in zip(findings.cells, findings.verdicts, strict=True):
        groups.setdefault((cell.players, cell.line_up), []).append(one)
    rows = []
    for (players, line_up), own in groups.items():
        sizes = [
            [one.needed for one in own],
            [one.most for one in own],
            [one.blocks for one in own],
        ]
        ends = [f"{min(size):,} to {max(size):,}" for size in sizes]
        rows.append(Row([str(players), line_up, str(len(own)), *ends]))
    columns = map(Column, ("Players", "Line-up", "Cells", "N", "At most", "Played"))
    note = "Blocks. N by the variance in the first 50 of them; e-values are in verdicts.csv."
    found.tables.append(Table("sizes", "Sizes", list(columns), rows, note))
    return found


def worth(view: View) -> Section:
    """What each restriction takes from the player who has it, the greatest loss first."""
    found = Section("worth", "What it is worth")
    worths = view.contest.worths
    settings = {one.cell.cell: view.settings(one.cell, short=view.is_clear) for one in worths}
    panels = []
    for players in view.player_counts:
        rows = []
        for one in worths:
            if one.cell.players != players:
                continue
            name = ", ".join(part for part in (one.without, settings[one.cell.cell]) if part)
            rows.append(Series.of(name, [one.win_share], 0 if one.is_beyond_chance else 1))
        if rows:
            figure = plots.dots(rows, "win share", plots.span(rows), "share", 1 / players)
            ends = "; ".join(f"{row.name} {100 * row.mean[0]:.1f} %" for row in rows)
            image = view.svg(figure, f"Win share without it, {players} players: {ends}.")
            panels.append((f"{players} players", image))
    beyond = [one.without for one in worths if one.is_beyond_chance]
    title = f"The win share changes beyond chance without {listed(dict.fromkeys(beyond))}."
    title = title if beyond else "Nothing makes a difference beyond chance."
    note = (
        "Each dot: the win share of one player who may not choose actions with these words, among "
        "others who may, in every seat of the same deals. What it is less than fair is what they "
        "are worth to a player who knows to use them."
    )
    marks = sorted({0 if one.is_beyond_chance else 1 for one in worths})
    names = ("beyond chance", "not beyond chance")
    key = [(view.svg(plots.swatch(mark, "line"), ""), names[mark]) for mark in marks]
    found.figures.append(Figure(title, panels, note, key))
    own = slice(1 + view.is_mixed, None)  # the settings; the line-up is told by what it is without
    columns = [Column("Without"), Column("Players"), *view.columns()[own], Column("Fair", "share")]
    columns += [Column("Win share", "share"), Column("Lost", POINTS, "points"), Column("Games", "")]
    rows, full = [], []
    for one in worths:
        cell, share, fair = one.cell, one.win_share, 1 / one.cell.players
        lost = _in_points(one.lost)
        values = [one.without, str(cell.players), *view.row(cell)[own]]
        rows.append(Row([*values, fair, share, lost, cell.games]))
        values = (view.value(cell, key) for key in view.swept)
        full.append([cell.cell, cell.players, *values, one.without, *share[:3], *one.lost[:3]])
        full[-1].append(one.is_beyond_chance)
    header = ["cell", "players", *view.swept, "without", "win_share", "win_share_low"]
    header += ["win_share_high", "lost", "lost_low", "lost_high", "is_beyond_chance"]
    note = "Lost: fair less win share, in percentage points. Small: the 95 % interval, or half its "
    note += "width; it holds whenever the cell stopped."
    title = "What a player loses who may not"
    found.tables.append(Table("worth", title, columns, rows, note, (header, full)))
    return found


def tally(findings: Findings) -> str:
    """How many cells are what."""
    kinds = [one.verdict for one in findings.verdicts]
    told = [f"{kinds.count(kind)} {kind}" for kind in VERDICTS if kind in kinds]
    return f"Of {counted(len(kinds), 'cells')}: {listed(told)}."


def _verdicts(view: View, findings: Findings) -> Table:
    """A row a cell: its verdict, the seat farthest from fair, and what that rests on."""
    columns = [*view.columns(), Column("Verdict"), Column("Farthest from fair")]
    columns += [Column("Fair", "share"), Column("Blocks", ""), Column("Games", "")]
    header = ["cell", "players", "line_up", *view.swept, "verdict", "seat", "win_share"]
    header += ["win_share_low", "win_share_high", "blocks", "blocks_of_a_fixed_study"]
    header += ["e_value_fair", "e_value_unfair"]
    verdicts = {one.cell: one for one in findings.verdicts}
    rows, full = [], []
    for before, cell in zip([view.cells[0], *view.cells], view.cells, strict=False):
        one = verdicts[cell.cell]
        seat, share = cell.farthest_seat
        wins = shown(share, "share")
        farthest = Shown(f"seat {seat}: {wins.text}", wins.small)
        fixed = [1 / cell.players, cell.blocks, cell.games]
        is_new = cell.players != before.players
        values = [*view.row(cell), one.verdict, farthest, *fixed]
        rows.append(Row(values, is_new, link=view.anchor(cell)))
        settings = (view.value(cell, key) for key in view.swept)
        full.append([cell.cell, cell.players, cell.line_up, *settings, one.verdict, seat])
        full[-1] += [*share[:3], one.blocks, one.needed, *one.evidence]
    note = "Small: the 95 % interval of that seat, which holds whenever the cell stopped."
    return Table("verdicts", "The verdict on each cell", columns, rows, note, (header, full))


def _changes(view: View) -> Table | None:
    """What changes from the printed setting, or else the first, over the blocks both played."""
    seats = max(view.player_counts)
    rivals = list(dict.fromkeys(spec for cell in view.cells for spec in cell.rivals))
    columns = [*view.columns(), Column("Turns", "turns")]
    columns += [Column(f"Seat {seat}", POINTS, "points") for seat in range(seats)]
    columns += [Column(spec, POINTS, "points") for spec in rivals]
    keys = [("turns",), *(("seat", seat) for seat in range(seats))]
    keys += [("win_share", spec) for spec in rivals]
    groups: dict[tuple, list[CellSummary]] = {}
    for cell in view.cells:
        groups.setdefault((cell.players, *cell.agents), []).append(cell)
    rows, full = [], []
    for cells in groups.values():
        base = next((cell for cell in cells if view.is_printed(cell)), cells[0])
        for cell in cells:
            changes: list[Any] = [
                base.change_to(cell, *key, level=0.95) if cell.has(*key) else None for key in keys
            ]
            changes[1:] = map(_in_points, changes[1:])
            settings = (view.value(cell, key) for key in view.swept)
            own = [cell.cell, cell.players, cell.line_up, *settings, base.cell]
            if cell is base:
                changes = ["compared with", *[""] * (len(keys) - 1)]
            else:
                names = [" ".join(map(str, key)) for key in keys]
                found = zip(names, changes, strict=True)
                full += [[*own, name, *change[:3]] for name, change in found if change]
            values = [*view.row(cell), *changes]
            rows.append(Row(values, cell is cells[0], link=view.anchor(cell)))
    if not full:
        return None
    note = (
        "By how much more or less than at the setting that the others of its table are compared "
        "with (the printed one, if it was played), block by block of the same deals; small: half "
        "the width of the 95 % interval."
    )
    header = ["cell", "players", "line_up", *view.swept, "compared_with_cell", "quantity"]
    header += ["mean", "low", "high"]
    title = "What changes from setting to setting"
    return Table("changes", title, columns, rows, note, (header, full))


def _in_points(share: Interval | None) -> Interval | None:
    """A difference of shares in percentage points."""
    return share and Interval(*(100 * end for end in share[:3]), share.blocks)


def _standings(view: View, standings: Standings) -> Section:
    """Ratings, and how often one finishes ahead of another."""
    found = Section("standings", "Who is best")
    rows = [
        Series.of(spec, [rating])
        for spec, rating in zip(standings.agents, standings.ratings, strict=True)
    ]
    figure = plots.dots(rows, "rating (points)", plots.span(rows))
    ends = "; ".join(f"{row.name} {row.mean[0]:.0f}" for row in rows)
    note = (
        "Plackett-Luce ratings with 95 % intervals from 1,000 samples of the blocks; 400 points "
        "are ten times the weight, the mean is 0."
    )
    image = view.svg(figure, f"Ratings: {ends}.")
    found.figures.append(Figure(capital(standings.sentences()[0]), [("", image)], note))
    columns = [Column("Agent"), Column("Rating", "points"), Column("Win share", "share")]
    rows = [
        Row([spec, rating, share])
        for spec, rating, share in zip(
            standings.agents, standings.ratings, standings.win_share, strict=True
        )
    ]
    if standings.circles:
        columns.append(Column("Maximal lottery", "share"))
        for row, chance in zip(rows, standings.lottery, strict=True):
            row.values.append(float(chance))
    fair = number(1 / standings.players, "share")
    note = f"Win share of a copy of the agent; fair: {fair}."
    found.tables.append(Table("standings", "Ratings and win shares", columns, rows, note))
    places = range(len(standings.agents))
    rows = []
    for row in places:
        values = []
        for column in places:
            share = standings.pair(row, column)
            apart = standings.ahead[row, column] or standings.ahead[column, row]
            text = number(share.mean, "share") if share else "–"
            values.append(Shown(text, "*" if apart else ""))
        rows.append(Row([standings.agents[row], *values]))
    columns = [Column("Finishes ahead of"), *(Column(spec, "share") for spec in standings.agents)]
    full = [
        [standings.agents[row], standings.agents[column], *share[:3], share.blocks]
        + [bool(standings.ahead[row, column])]
        for row in places
        for column in places
        if (share := standings.pair(row, column))
    ]
    header = ["agent", "against", "finishes_ahead", "low", "high", "blocks", "ahead_beyond_chance"]
    note = f"* Beyond chance, for all pairs together. {standings.order()}"
    found.tables.append(
        Table("pairs", "How often the one finishes ahead of the other", columns, rows, note,
              (header, full))
    )  # fmt: skip
    return found


def _strategies(view: View, found: Strategies) -> Section:
    """The mix in balance, and the replies to each field of copies."""
    section = Section("strategies", "Which strategies matter")
    known = {cell.cell: one for cell, one in zip(found.cells, found.balances, strict=True) if one}
    told = [capital(text) for text in found.sentences(view.place)]
    if not known:
        section.intro = " ".join(told)
        return section
    title = told[0]
    if len(found.cells) > 1:
        title = "How much of each strategy is in the mix."
        section.points = [
            f"{capital(view.place(cell))}: {' '.join(found.full(index))}"
            for index, cell in enumerate(found.cells)
        ]
    note = (
        "The mix in balance: when every other player draws a strategy by these weights, none wins "
        f"more than its share. Intervals hold 95 % of the mixes of {SAMPLES} samples of the blocks."
    )
    section.figures = [
        _by_strategy(view, found, known, "weights", title, "weight in the mix", note),
        _by_strategy(
            view, found, known, "won", "What a strategy wins against the mix.", "win share",
            "The win share of one copy when all others play the mix.",
        ),
    ]  # fmt: skip
    section.tables = [_mixes(view, found, known), _replies(view, found, known)]
    return section


def _by_strategy(
    view: View,
    found: Strategies,
    known: dict[int, Balance],
    name: str,
    title: str,
    label: str,
    note: str,
) -> Figure:
    """Weights or win shares of the strategies: a line each over the axis, or a row of dots."""
    panels = []
    for panel in view.panels:
        cells = [cell for cell in panel.cells if cell.cell in known]
        if not cells:
            continue
        values = [getattr(known[cell.cell], name) for cell in cells]
        rows = [
            Series.of(spec, [one[i] for one in values], i) for i, spec in enumerate(found.agents)
        ]
        fair = 1 / cells[0].players if name == "won" else None
        low, high = plots.span([*rows, Series("fair", [fair or 0.0])])
        limits = max(low, -0.02), min(high, 1.02)
        if view.axis:
            x = [x for cell, x in zip(panel.cells, panel.x, strict=True) if cell.cell in known]
            figure = plots.lines(x, rows, view.axis_label, label, limits, "share", fair)
        else:
            figure = plots.dots(rows, label, limits, "share", fair)
        ends = "; ".join(
            f"{row.name} {listed(number(mean, 'share') for mean in row.mean)}" for row in rows
        )
        panels.append((panel.heading, view.svg(figure, f"{panel.heading}, {label}: {ends}.")))
    return Figure(title, panels, note, view.key(found.agents) if view.axis else [])


def _mixes(view: View, found: Strategies, known: dict[int, Balance]) -> Table:
    """A row for each setting and strategy."""
    places = range(len(found.agents))
    columns = [*view.columns(), Column("Strategy"), Column("Weight", "share")]
    columns += [Column("Against the mix", "share"), Column("Best reply to"), Column("Verdict")]
    rows, full = [], []
    for cell in view.along(view.cells):
        if cell.cell not in known:
            continue
        one = known[cell.cell]
        for i in places:
            fields = [found.agents[j] for j in places if one.best[i, j]]
            values = [one.weights[i], one.won[i], listed(fields) or "–", one.verdicts[i]]
            rows.append(Row([*view.row(cell), found.agents[i], *values], i == 0))
            settings = (view.value(cell, key) for key in view.swept)
            full.append([cell.cell, cell.players, *settings, found.agents[i]])
            full[-1] += [*one.weights[i][:3], *one.won[i][:3], 1 / cell.players, one.verdicts[i]]
    counts = listed(
        f"{one.effective.mean:.2f} ({one.effective.low:.2f} to {one.effective.high:.2f})"
        for one in known.values()
    )
    gain = max(100 * max(one.gain, 0.0) for one in known.values())
    note = (
        "Against the mix: the win share of one copy when all others play the mix; no strategy "
        f"gains more than {gain:.1f} {POINTS} there, with 95 % confidence. Best reply to: tables "
        "of copies of one strategy where it does best, among its own kind if nothing does better. "
        "Dominant: best reply to them all, and the whole of the only mix. Matters: its weight is "
        "not 0. Niche: loses against the mix, but is the best reply to a table of copies, or in "
        "another mix in balance; dead: is neither. All beyond chance, else open. The mix is as "
        f"diverse as so many strategies in equal parts: {counts}."
    )
    header = ["cell", "players", *view.swept, "strategy", "weight", "weight_low", "weight_high"]
    header += ["against_the_mix", "against_the_mix_low", "against_the_mix_high", "fair", "verdict"]
    return Table("mix", "The mix in balance", columns, rows, note, (header, full))


def _replies(view: View, found: Strategies, known: dict[int, Balance]) -> Table:
    """What each strategy wins alone in each field of copies."""
    places = range(len(found.agents))
    columns = [*view.columns(), Column("Alone among copies of")]
    columns += [Column(spec, "share") for spec in found.agents]
    rows, full = [], []
    for cell in view.along(view.cells):
        if cell.cell not in known:
            continue
        one = known[cell.cell]
        for i in places:
            values = [
                Shown(
                    number(one.replies[i][j].mean, "share"),
                    " ".join(["best"] * int(one.best[i, j]) + ["*"] * int(one.beats[i, j])),
                )
                for j in places
            ]
            rows.append(Row([*view.row(cell), found.agents[i], *values], i == 0))
            settings = [view.value(cell, key) for key in view.swept]
            full += [
                [cell.cell, cell.players, *settings, found.agents[i], found.agents[j]]
                + [*one.replies[i][j][:3], bool(one.best[i, j]), bool(one.beats[i, j])]
                for j in places
                if i != j
            ]
    note = (
        "What the strategy of the row wins as the only one among copies of that of the column. "
        "best: the best reply there. * More than fair beyond chance, for all pairs of a setting "
        "together."
    )
    header = ["cell", "players", *view.swept, "agent", "in_the_field_of", "win_share", "low"]
    header += ["high", "is_best", "beyond_chance"]
    return Table("replies", "Alone in a field of copies", columns, rows, note, (header, full))
