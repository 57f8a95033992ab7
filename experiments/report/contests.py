"""The part of the report on a match or a tournament."""

from __future__ import annotations

from experiments.match import Outcome
from experiments.plan import ROUND
from experiments.report import plots
from experiments.report.plots import Series
from experiments.report.tables import Column, Row, Shown, Table, number
from experiments.report.view import Figure, Section, View, capital
from experiments.tournament import Standings


def section(view: View) -> Section:
    """What the contest of a run was played for."""
    contest = view.contest
    return _match(view, contest) if isinstance(contest, Outcome) else _standings(view, contest)


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
