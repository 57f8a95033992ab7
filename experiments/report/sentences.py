"""What the report says in words: its title, its summary and the titles of figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from experiments.match import Outcome
from experiments.metrics import NO_END, POINTS, CellSummary, part_of, percent_within
from experiments.recommend import Advice, best, common
from experiments.report.tables import amount, listed, number
from experiments.report.view import View, capital, end, lower, words
from experiments.stats import Interval
from experiments.strategies import Strategies
from sim.layout import counted

#: A title names no more agents.
NAMED = 4


def title(view: View) -> str:
    """The title: the game and what varied, or who played."""
    name = view.game.title
    if view.axis:
        return f"{name}: {words(view.axis)} {_ends_of_axis(view)}"
    if view.swept:
        return f"{name}: {listed(words(key) for key in view.swept)} compared"
    if view.is_sweep and view.contest.worths:
        named = list(dict.fromkeys(one.without for one in view.contest.worths))
        what = listed(named) if len(named) <= NAMED else f"{len(named)} things"
        verb = "is" if len(named) == 1 else "are"
        return f"{name}: what {what} {verb} worth at a table of {listed(view.player_counts)}"
    if view.cells:
        who = listed(view.specs) if len(view.specs) <= NAMED else f"{len(view.specs)} agents"
        return f"{name}: {who} at a table of {listed(view.player_counts)}"
    return name


def facts(view: View) -> list[tuple[str, str]]:
    """What was run, how sure it is and on which board, each with its heading."""
    board = (
        f"{view.summary.board}. What that means, and which rulings were used, stands under "
        "“What was assumed”."
    )
    if not view.cells:
        return [("On which board", board)]
    # Line-ups at the same table play the same deals.
    blocks = (max if view.is_mixed else sum)(cell.blocks for cell in view.cells)
    text = (
        f"{counted(view.summary.games, 'games')} in {counted(blocks, 'blocks')}, "
        f"{listed(view.player_counts)} players"
    )
    for key in view.swept:
        shown = dict.fromkeys(view.setting(cell, key, short=True) for cell in view.cells)
        text += f"; {words(key)} {listed(shown)}"
    text += f". That makes {len(view.cells)} cells." if view.swept else "."
    widths = [
        (share.high - share.low) / 2
        for cell in view.cells
        for share in (*cell.win_share.values(), *cell.seat_win_share)
        if share.high > share.low
    ]
    sure = (
        "A block is one deal played once in each rotation of the seats, so that luck and seat "
        "fall on every agent alike. All intervals rest on blocks and are 95 % each; “beyond "
        "chance” is said where intervals wide enough to hold all together with 95 % agree. "
        f"A win share is known to about ±{100 * np.median(widths):.1f} {POINTS}"
    )
    sure += "." if view.summary.ends_early else "; half of that takes four times the games."
    return [
        ("What was run", f"{text} Agents: {listed(view.specs)}."),
        ("How sure it is", sure),
        ("On which board", board),
    ]


def headline(view: View) -> list[str]:
    """The findings in three sentences."""
    if not view.cells:
        return ["No game has been played yet."]
    turns = span([cell.turns.mean for cell in view.cells])
    name, share = next(iter(view.ends.items()))
    length = f"A game takes {turns} turns on average. The most frequent end: {end(name)}, in "
    length = "" if name == NO_END else f"{length}{100 * share:.0f} % of the games."
    if view.is_sweep:
        short = partial(view.settings, short=view.is_clear)
        is_worth = view.contest.worths  # of what one player is without
        who = view.contest.sentences(short) if is_worth else [*advice(view), leader(view)]
    elif isinstance(view.contest, Strategies):
        who = [*map(capital, view.contest.sentences(view.place)), seat(view)]
    elif view.contest:
        who = [*map(capital, view.contest.sentences()), seat(view)]
    else:
        who = [leader(view), seat(view)]
    return [text for text in (*who, length) if text]


def advice(view: View) -> list[str]:
    """What a sweep tells a designer to print, and what changes with the players' strength."""
    if not view.swept:
        return view.contest.sentences(view.settings)
    every = view.choices
    chosen = best(every)
    told = [*view.contest.unfinished(), *(_advised(view, one) for one in chosen)]
    shared = common(every)
    if len(chosen) > 1 and shared:
        name = _point(view, shared[0].point)
        if {one.point for one in shared} == {one.point for one in chosen}:
            told.append(f"So one value, {name}, serves all numbers of players.")
        else:
            pairs = zip(shared, sorted(chosen, key=lambda one: one.players), strict=True)
            costs = listed(
                f"{_gap(one)} with {one.players} players (instead of {_gap(own)})"
                for one, own in pairs
            )
            told.append(f"One value for all would best be {name}; a seat is then off by {costs}.")
    return told + _flips(view, every)


def _advised(view: View, one: Advice) -> str:
    """The setting for one number of players, and what is known of it."""
    name = _point(view, one.point)
    if one.point == one.printed:
        name += ", as printed"
    else:
        name += f" (printed: {_point(view, one.printed)})"
    within = f"{100 * view.contest.margin:g} {POINTS}"
    if one.good:
        fair = [c for c, verdict in zip(one.cells, one.verdicts, strict=True) if verdict == "fair"]
        who = "" if len(one.cells) == 1 else f" with {listed(map(_who, fair))}"
        text = f"{one.players} players: {name}. Seats are fair within {within}{who}"
    else:
        text = f"{one.players} players: nothing that was tried is known to be fair within {within}"
        text += " and as wanted" if any(one.unmet) else ""
        text += f"; nearest is {name}"
    for cell, verdict in zip(one.cells, one.verdicts, strict=True):
        if verdict != "fair":
            who = "" if len(one.cells) == 1 else f" with {_who(cell)}"
            seat, share = cell.farthest_seat
            text += f"; {verdict}{who}: seat {seat} wins {percent_within(share)}"
    for want in dict.fromkeys(want for unmet in one.unmet for want in unmet):
        where = [_who(c) for c, unmet in zip(one.cells, one.unmet, strict=True) if want in unmet]
        who = "" if len(where) == len(one.cells) else f" with {listed(where)}"
        text += f"; not {want.text}{who}"
    return f"{text}."


def _flips(view: View, every: Sequence[Advice]) -> list[str]:
    """Where players of another strength change the verdict."""
    if not view.is_mixed:
        return []
    flips = [one for one in every if {"fair", "unfair"} <= set(one.verdicts)]
    if not flips:
        return ["Nowhere is a setting fair with some players and unfair with others."]
    told = "; ".join(
        f"{one.players} players, {_point(view, one.point)} ("
        + ", ".join(f"{_who(c)}: {v}" for c, v in zip(one.cells, one.verdicts, strict=True))
        + ")"
        for one in flips[:NAMED]
    )
    more = f"; and {len(flips) - NAMED} more" if len(flips) > NAMED else ""
    return [f"It depends on who plays at {told}{more}."]


def _who(cell: CellSummary) -> str:
    """The players of a cell, once if they are all the same."""
    return cell.agents[0] if len(set(cell.agents)) == 1 else cell.line_up


def _gap(one: Advice) -> str:
    return f"{100 * one.gap:.1f} {POINTS}"


def _point(view: View, point: tuple) -> str:
    """The values of what was varied, in words."""
    short = view.is_clear
    pairs = zip(view.swept, point, strict=True)
    return ", ".join(view.in_words(key, value, short) for key, value in pairs)


def leader(view: View) -> str:
    """Who wins most, in one sentence."""
    cells = [cell for cell in view.cells if cell.has_verdict and cell.rivals]
    if not cells:
        return ""
    best = [_best(cell) for cell in cells]
    top, count = Counter(best).most_common(1)[0]
    own = [cell for cell, spec in zip(cells, best, strict=True) if spec == top]
    copies = any(cell.agents.count(top) > 1 for cell in cells)
    who = f"Each copy of {top}" if copies else capital(top)
    percent = span([100 * cell.win_share[top].mean for cell in own], 1 if len(cells) == 1 else 0)
    fair = f"fair would be {span([100 / cell.players for cell in own], 1)} %"
    clear = sum(
        cell.interval("win_share", spec, level=view.summary.level).low > 1 / cell.players
        for cell, spec in zip(cells, best, strict=True)
    )
    if len(cells) == 1:
        if not clear:
            return f"No agent is clearly ahead: {top} wins most, {percent} %, where {fair}."
        return f"{who} wins {percent} % of the games; {fair}."
    where = f"in {part_of(count, len(cells))} settings"
    text = f"{who} wins most {where}: {percent} % of the games, where {fair}."
    others = listed(f"{spec} in {n}" for spec, n in Counter(best).items() if spec != top)
    text += f" Elsewhere it is {others}." if others else ""
    sure = part_of(clear, len(cells)) if clear else "none of them"
    return f"{text} The leader is ahead of fair beyond chance in {sure}."


def seat(view: View) -> str:
    """Whether the seat matters, in one sentence."""
    shares = [
        (cell.interval("seat", index, level=view.summary.level), cell, index)
        for cell in view.cells
        if cell.has_verdict
        for index in range(cell.players)
    ]
    if not shares:
        return ""
    out = [
        (share.mean - 1 / cell.players, cell, index)
        for share, cell, index in shares
        if share.excludes(1 / cell.players)
    ]
    if not out:
        reach = max(max(s.high - 1 / c.players, 1 / c.players - s.low) for s, c, _ in shares)
        return (
            "No seat has an advantage that shows; one of more than "
            f"{np.ceil(100 * reach):.0f} {POINTS} can be ruled out."
        )
    gap, cell, index = max(out, key=lambda one: abs(one[0]))
    at = f" ({view.place(cell)})" if len(view.cells) > 1 else ""
    return (
        f"The seat matters: {len(out)} of {len(shares)} seat shares differ from fair beyond "
        f"chance, most of all seat {index}{at}, {abs(100 * gap):.1f} {POINTS} "
        f"{'above' if gap > 0 else 'below'} fair."
    )


def agents(view: View) -> str:
    """Highest and lowest share of an agent, or the highest for each player count."""
    if isinstance(view.contest, Outcome) and view.contest.games:
        each = zip(view.contest.agents, view.contest.alone, strict=True)
        wins = (f"{spec} wins {number(share.mean, 'share')}" for spec, share in each)
        return capital(f"{listed(wins)}, each alone among copies of the other.")
    if len(view.cells) == 1:
        shares = view.cells[0].win_share
        ranked = sorted(shares, key=lambda spec: -shares[spec].mean)
        high, low = (f"{spec} wins {number(shares[spec].mean, 'share')}" for spec in
                     (ranked[0], ranked[-1]))  # fmt: skip
        return capital(f"{high}, {low}.")
    cells = [cell for cell in view.cells if cell.rivals]
    counts = Counter(map(_best, cells)).most_common()
    if len(counts) > 1:
        each = listed(f"{spec} in {count}" for spec, count in counts)
        return f"Who wins most changes from setting to setting: {each} of {len(cells)}."
    spec = counts[0][0]
    parts = []
    for players in sorted({cell.players for cell in cells}):
        means = [c.win_share[spec].mean for c in cells if c.players == players]
        parts.append(f"{span([100 * mean for mean in means])} % with {players} players")
    return f"{capital(spec)} wins most: {listed(parts)}."


def lead(curves: Iterable[np.ndarray]) -> str:
    """How early the later winner leads, from curves of mean scores, [rank, sample]."""
    parts = []
    for curve in curves:
        ahead = curve[0] - curve[1]
        if np.isfinite(ahead).all() and ahead[-1] > 0:
            parts.append(100 * ahead[len(ahead) // 2] / ahead[-1])
    if not parts:
        return "How the score grew."
    if max(parts) <= 5:
        return "At half-time the later winner is hardly ahead of the runner-up, if at all."
    share = span(parts) if round(min(parts)) > 0 else f"at most {max(parts):.0f}"
    return f"At half-time the later winner has {share} % of the final lead over the runner-up."


class Move(NamedTuple):
    """A quantity at both ends of the axis in one panel; `kind` is its unit."""

    name: str
    kind: str
    panel: str
    first: Interval
    last: Interval

    @property
    def size(self) -> float:
        """The change as a share of the larger value; 0 if the intervals overlap."""
        first, last = self.first, self.last
        if first.high >= last.low and last.high >= first.low:
            return 0.0
        return abs(last.mean - first.mean) / max(abs(first.mean), abs(last.mean))


def move(view: View, moves: Sequence[Move]) -> str:
    """The quantity that changes most along the axis, in words."""
    most = max(moves, key=lambda one: one.size)
    where = f"Over {words(view.axis)} {_ends_of_axis(view)}"
    if not most.size:
        return f"{where} nothing here changes clearly."
    change = f"{number(most.first.mean, most.kind)} to {amount(most.last.mean, most.kind)}"
    return f"{where} the greatest change is in {lower(most.name)} with {most.panel}: {change}."


def span(values: Sequence[float], decimals: int = 0) -> str:
    """Least and greatest, once if they read the same."""
    texts = [f"{value:.{decimals}f}".removesuffix(".0") for value in (min(values), max(values))]
    return " to ".join(dict.fromkeys(texts))


def _best(cell: CellSummary) -> str:
    return max(cell.win_share, key=lambda spec: cell.win_share[spec].mean)


def _ends_of_axis(view: View) -> str:
    cells = view.along(view.cells)
    first, last = (view.setting(cell, view.axis, short=True) for cell in (cells[0], cells[-1]))
    return f"from {first} to {last}"
