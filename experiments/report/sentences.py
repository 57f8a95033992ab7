"""What the report says in words: its title, its summary and the titles of figures."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from experiments.metrics import CellSummary
from experiments.report.tables import listed, number
from experiments.report.view import NO_END, View, bare, capital, lower, setting_of, words
from experiments.stats import Interval


def title(view: View) -> str:
    """The title: the game and what varied, or who played."""
    name = view.game.title
    if view.axis is not None:
        cells = sorted(view.cells, key=lambda cell: setting_of(cell, view.axis))
        first, last = (view.setting(cell, view.axis, short=True) for cell in (cells[0], cells[-1]))
        return f"{name}: {words(view.axis)} from {first} to {last}"
    if view.swept:
        return f"{name}: {listed(words(key) for key in view.swept)} compared"
    if not view.cells:
        return name
    counts = listed(view.player_counts)
    return f"{name}: {listed(view.specs)} at a table of {counts}"


def facts(view: View) -> list[tuple[str, str]]:
    """What was run, how sure it is and on which board, each with its heading."""
    blocks = sum(cell.blocks for cell in view.cells)
    counts = listed(view.player_counts)
    text = f"{view.summary.games:,} games in {blocks:,} blocks, {counts} players"
    if view.swept:
        values = []
        for key in view.swept:
            shown = dict.fromkeys(view.setting(cell, key, short=True) for cell in view.cells)
            values.append(f"{words(key)} {listed(shown)}")
        text += f"; {'; '.join(values)}. That makes {len(view.cells)} cells"
    text += f". Agents: {listed(view.specs)}." if view.specs else "."
    found = [("What was run", text)]
    if view.cells:
        found.append(("How sure it is", _how_sure(view)))
    label = view.summary.board
    if label:
        found.append(
            ("On which board", f"{label}. What that means, and which rulings were used, "
             "stands under “What was assumed”.")
        )  # fmt: skip
    return found


def _how_sure(view: View) -> str:
    widths = [
        (share.high - share.low) / 2
        for cell in view.cells
        for share in (*cell.win_share.values(), *cell.seat_win_share)
        if math.isfinite(share.high - share.low) and share.high > share.low
    ]
    text = (
        "A block is one deal played once in each rotation of the seats, so that luck and seat "
        "fall on every agent alike. All intervals rest on blocks and are 95 % each; “beyond "
        "chance” is said where intervals wide enough to hold all together with 95 % agree."
    )
    if widths:
        text += (
            f" A win share is known to about ±{100 * float(np.median(widths)):.1f} points; "
            "half of that takes four times the games."
        )
    return text


def warnings(view: View) -> list[str]:
    """What a reader must know before believing a number; nothing if all is well."""
    found = []
    bad = [cell for cell in view.cells if cell.problems]
    if bad:
        total = sum(cell.problems for cell in bad)
        kinds: dict[str, int] = {}
        for cell in bad:
            for status, count in cell.statuses.items():
                if status != "ok":
                    kinds[status] = kinds.get(status, 0) + count
        what = listed(f"{count:,} {status}" for status, count in kinds.items())
        text = f"{total:,} of {view.summary.games:,} games did not end properly ({what})."
        silent = [cell for cell in bad if not cell.has_verdict]
        if silent:
            text += (
                f" In {listed(view.place(cell) for cell in silent)} they are more than 1 %, "
                "so nothing is concluded from there."
            )
        else:
            text += " They are counted: a loss for the offender, by scores if too long."
        found.append(text)
    planned = {entry["cell"]: int(entry.get("blocks") or 0) for entry in view.manifest["cells"]}
    short = [c for c in view.summary.cells if c.blocks < planned.get(c.cell, 0)]
    if short:
        found.append(
            f"The run is not complete: {len(short)} of {len(view.summary.cells)} cells have "
            "fewer blocks than planned."
        )
    return found


def headline(view: View) -> list[str]:
    """The findings in a few sentences."""
    sentences = [leader(view), seat(view)]
    turns = [cell.turns.mean for cell in view.cells]
    low, high = f"{min(turns):,.0f}", f"{max(turns):,.0f}"
    text = f"A game takes {low if low == high else f'{low} to {high}'} turns on average"
    ends = view.ends()
    if ends:
        name, share = max(ends.items(), key=lambda item: item[1])
        text += f"; {100 * share:.0f} % of the games end by {NO_END.get(name, name)}"
    sentences.append(text + ".")
    return [sentence for sentence in sentences if sentence]


def details(view: View) -> list[tuple[str, list[str]]]:
    """The findings with their intervals, gathered by line-up."""
    groups: dict[str, list[str]] = {}
    names = sorted(((c.label, c) for c in view.cells if c.label), key=lambda i: -len(i[0]))
    for sentence in view.summary.finding():
        for label, cell in names:
            known = [view.setting(cell, bare(key)) for key in cell.settings]
            sentence = sentence.replace(label, ", ".join(known))
        match = re.match(r"With (\d+ players .*?\)): (.*)", sentence, flags=re.S)
        heading, text = match.groups() if match else ("", sentence)
        groups.setdefault(heading, []).append(text[:1].upper() + text[1:])
    last = groups.pop("", [])
    return [*groups.items(), *([("All in all" if groups else "", last)] if last else [])]


def leader(view: View) -> str:
    """Who wins most, in one sentence."""
    cells = [cell for cell in view.cells if cell.has_verdict and len(cell.win_share) > 1]
    if not cells:
        return ""
    best = [max(cell.win_share, key=lambda s, c=cell: c.win_share[s].mean) for cell in cells]
    clear = [
        cell.interval("win_share", spec, level=view.level).low > 1 / cell.players
        for cell, spec in zip(cells, best, strict=True)
    ]
    counts = dict(Counter(best).most_common())
    top = next(iter(counts))
    shares = [c.win_share[s].mean for c, s in zip(cells, best, strict=True) if s == top]
    fair = sorted({1 / c.players for c, s in zip(cells, best, strict=True) if s == top})
    copies = any(cell.agents.count(top) > 1 for cell in cells)
    who = f"Each copy of {top}" if copies else capital(top)
    fair_text = f"fair would be {span([100 * f for f in fair], 1)} %"
    if len(cells) == 1:
        share = cells[0].win_share[top]
        if clear[0]:
            return f"{who} wins {100 * share.mean:.1f} % of the games; {fair_text}."
        return (
            f"No agent is clearly ahead: {top} wins most, {100 * share.mean:.1f} %, where "
            f"{fair_text}."
        )
    sure = sum(c for c, s in zip(clear, best, strict=True) if s == top)
    where = f"in all {len(cells)}" if len(counts) == 1 else f"in {counts[top]} of {len(cells)}"
    text = f"{who} wins most {where} settings: {span([100 * s for s in shares])} % of the games"
    text += f", where {fair_text}"
    others = listed(f"{spec} in {count}" for spec, count in counts.items() if spec != top)
    if others:
        return (
            f"{text}. Elsewhere it is {others}; the leader's edge over fair is beyond chance in "
            f"{'all' if all(clear) else sum(clear)} of the {len(cells)}."
        )
    if sure == counts[top]:
        return text + "; the lead over fair is beyond chance in all of them."
    return text + f"; the lead over fair is beyond chance in {sure} of them."


def seat(view: View) -> str:
    """Whether the seat matters, in one sentence."""
    cells = [cell for cell in view.cells if cell.has_verdict]
    out: list[tuple[float, CellSummary, int]] = []
    reach = 0.0
    for cell in cells:
        for index in range(cell.players):
            share = cell.interval("seat", index, level=view.level)
            fair = 1 / cell.players
            if share.excludes(fair):
                out.append((share.mean - fair, cell, index))
            reach = max(reach, share.high - fair, fair - share.low)
    if not cells:
        return ""
    if not out:
        return (
            "No seat has an advantage that shows; one of more than "
            f"{math.ceil(100 * reach)} points can be ruled out."
        )
    gap, cell, index = max(out, key=lambda item: abs(item[0]))
    kind = "above" if gap > 0 else "below"
    total = sum(cell.players for cell in cells)
    at = f" ({view.place(cell)})" if len(cells) > 1 else ""
    return (
        f"The seat matters: {len(out)} of {total} seat shares differ from fair beyond chance, "
        f"most of all seat {index}{at}, {abs(100 * gap):.1f} points {kind} fair."
    )


def shares(view: View, series: list[tuple[str, dict[int, Interval | None]]]) -> str:
    """Highest and lowest share in numbers, for each player count."""
    if len(view.cells) == 1:
        known = [(name, at[view.cells[0].cell]) for name, at in series]
        known = sorted(((n, s.mean) for n, s in known if s is not None), key=lambda i: -i[1])
        (high, most), (low, least) = known[0], known[-1]
        if high == low:
            return f"{capital(high)} wins {100 * most:.1f} %."
        low = _inside(view, low)
        return f"{capital(high)} wins {100 * most:.1f} %, {low} {100 * least:.1f} %."
    best = {}
    for cell in view.cells:
        known = {name: at[cell.cell] for name, at in series if at[cell.cell] is not None}
        best[cell.cell] = max(known, key=lambda name, known=known: known[name].mean)
    parts = []
    for players in view.player_counts:
        cells = [cell.cell for cell in view.cells if cell.players == players]
        leaders = {best[cell] for cell in cells}
        if len(leaders) > 1:
            counts = Counter(best.values()).most_common()
            each = listed(f"{_inside(view, name)} in {count}" for name, count in counts)
            return f"Who wins most changes from setting to setting: {each} of {len(best)}."
        name = leaders.pop()
        at = dict(series)[name]
        percent = span([100 * at[cell].mean for cell in cells])
        parts.append((name, f"{percent} % with {players} players"))
    if len({name for name, _ in parts}) == 1:
        return f"{capital(parts[0][0])} wins most: {listed(text for _, text in parts)}."
    each = listed(f"{_inside(view, name)} {text}" for name, text in parts)
    return f"Who wins most changes with the number of players: {each}."


def _inside(view: View, name: str) -> str:
    """A name inside a sentence: an agent's as typed, "Seat 0" with a small letter."""
    return name if name in view.specs else lower(name)


def lead(curves: dict[int, np.ndarray]) -> str:
    """How early the later winner leads, from mean scores by player count, [rank, tenth]."""
    parts = []
    for curve in curves.values():
        ahead = curve[0] - curve[1]
        if np.isfinite(ahead).all() and ahead[-1] > 0:
            parts.append(max(100 * ahead[5] / ahead[-1], 0))
    if not parts:
        return "How the score grew."
    if max(parts) <= 5:
        return "At half-time the later winner is not yet ahead of the runner-up."
    return (
        f"At half-time the later winner has {span(parts)} % of the final lead over the runner-up."
    )


@dataclass(frozen=True)
class Move:
    """A quantity at the first and at the last setting; `clear` if their intervals part."""

    name: str
    kind: str
    first: float
    last: float
    clear: bool

    @property
    def size(self) -> float:
        """The change, as a share of the larger value."""
        return abs(self.last - self.first) / max(abs(self.first), abs(self.last), 1e-12)


def move(view: View, moves: Sequence[Move]) -> str:
    """The quantity that changes most between the first and the last setting, in words."""
    cells = sorted(view.cells, key=lambda cell: setting_of(cell, view.axis))
    ends = [view.setting(cell, view.axis, short=True) for cell in (cells[0], cells[-1])]
    where = f"From {ends[0]} to {ends[1]} of {words(view.axis)}"
    clear = [one for one in moves if one.clear]
    if not clear:
        return f"{where} nothing here changes clearly."
    most = max(clear, key=lambda one: one.size)
    change = f"{number(most.first, most.kind)} to {number(most.last, most.kind)}"
    if len(moves) == 1:
        return f"{where} {lower(most.name)} goes from {change}."
    return f"{where} the greatest change is in {lower(most.name)}: {change}."


def span(values: Sequence[float], decimals: int = 0) -> str:
    """Least and greatest, once if they read the same."""
    texts = [f"{value:.{decimals}f}".removesuffix(".0") for value in (min(values), max(values))]
    return texts[0] if texts[0] == texts[1] else f"{texts[0]} to {texts[1]}"
