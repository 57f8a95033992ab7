"""The report's figures: small matplotlib panels, given out as SVG to be put into the page."""

from __future__ import annotations

import colorsys
import html
import re
import textwrap
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator, PercentFormatter

from experiments.report.tables import number
from experiments.stats import Interval

INK, MUTED, GRID, PAPER = "#22252a", "#6b717a", "#e2e0d9", "#fffefb"
# Okabe and Ito's colours, told apart by people with any colour vision; each also has a marker
# and a dash of its own.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", INK)
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", (0, (5, 1.6)), (0, (1.2, 1.4)), (0, (6, 1.6, 1.2, 1.6)), (0, (3, 3)))
HATCHES = ("", "///", "\\\\\\", "xx", "---")
# What these are in the dark scheme; any other colour is turned over by `dark`.
DARK = {
    INK: "#e8e6e0",
    MUTED: "#a5aab2",
    GRID: "#34373c",
    PAPER: "#16181b",
    "#0072b2": "#4ea6e0",
    "#d55e00": "#f2894a",
    "#009e73": "#2fc296",
    "#cc79a7": "#df9cc2",
    "#e69f00": "#e69f00",
    "#56b4e9": "#7cc8f2",
}
WIDTH = 3.75  # inches: a panel fills a phone's width at the size it is drawn
SHEET = 10.4  # inches: as wide as the page
SIZE = 9.0  # points
_LOCK = threading.Lock()  # matplotlib's settings are shared by all threads


@dataclass
class Series:
    """One line or row of a panel: values and, where known, the ends of their intervals."""

    name: str
    mean: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    style: int = 0

    @classmethod
    def of(cls, name: str, values: Sequence[Interval], style: int = 0) -> Series:
        """Values with their intervals; one without ends is drawn as a point."""
        low = [one.low if np.isfinite(one.low) else one.mean for one in values]
        high = [one.high if np.isfinite(one.high) else one.mean for one in values]
        return cls(name, [one.mean for one in values], low, high, style)


def lines(
    x: Sequence[float],
    series: Sequence[Series],
    x_label: str,
    y_label: str,
    limits: tuple[float, float],
    kind: str = "",
    fair: float | None = None,
    margin: float = 0.0,
) -> Figure:
    """Draw series over a number, with an interval at each point, and the fair line; round it,
    what is within the margin.

    Examples
    --------
    >>> series = [Series("greedy", [0.3, 0.4])]
    >>> figure = lines([24, 32], series, "starting money ($)", "win share", (0, 1), "share", 0.25)
    """
    figure, axes = _panel(2.75)
    ticks = np.unique(x)
    x = np.asarray(x, float)
    step = np.diff(ticks).min() if len(ticks) > 1 else 1.0
    for index, one in enumerate(series):
        shift = 0.0 if one.low is None else (index - (len(series) - 1) / 2) * 0.05 * step
        colour, marker, dash = style(one.style)
        axes.plot(x + shift, one.mean, color=colour, ls=dash, lw=1.5, zorder=3)
        if one.low is not None:
            axes.vlines(x + shift, one.low, one.high, color=colour, lw=1.1, zorder=3)
        axes.plot(x + shift, one.mean, marker, color=colour, ms=4.6, mew=0, zorder=4)
    _draw_fair(axes, fair, margin, "y")
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.set_xlim(x.min() - 0.3 * step, x.max() + 0.3 * step)
    if len(ticks) <= 7:
        axes.set_xticks(ticks)
    axes.set_ylim(*limits)
    _scale(axes.yaxis, kind, 5)
    axes.grid(axis="y", color=GRID, lw=0.8)
    return figure


def dots(
    rows: Sequence[Series],
    x_label: str,
    limits: tuple[float, float],
    kind: str = "",
    fair: float | None = None,
    margin: float = 0.0,
) -> Figure:
    """Draw one value a row with its interval, written out at the right, and the fair line; round
    it, what is within the margin.

    Examples
    --------
    >>> rows = [Series("greedy", [0.3], [0.25], [0.36])]
    >>> figure = dots(rows, "win share", (0, 1), "share", fair=0.25)
    """
    figure, axes = _panel(0.95 + 0.3 * len(rows))
    places = range(len(rows))[::-1]
    for place, one in zip(places, rows, strict=True):
        colour, marker, _ = style(one.style)
        axes.hlines(place, one.low[0], one.high[0], color=colour, lw=2.0, zorder=3)
        axes.plot(one.mean[0], place, marker, color=colour, ms=6, mew=0, zorder=4)
        axes.text(
            1.02, place, number(one.mean[0], kind), transform=axes.get_yaxis_transform(),
            va="center", color=INK, fontsize=SIZE,
        )  # fmt: skip
    if any(one.mean[0] < 0 for one in rows):
        axes.axvline(0, color=MUTED, lw=0.8)
    _draw_fair(axes, fair, margin, "x")
    _name_rows(axes, places, [one.name for one in rows])
    axes.set_xlabel(x_label)
    axes.set_xlim(*limits)
    _scale(axes.xaxis, kind, 4)
    axes.grid(axis="x", color=GRID, lw=0.8)
    return figure


def stacks(rows: Sequence[str], parts: Sequence[Series], x_label: str) -> Figure:
    """Draw a bar of 100 % a row, cut into parts that are named in the key.

    Examples
    --------
    >>> figure = stacks(["$24"], [Series("demands", [0.7]), Series("cubes", [0.3])], "games")
    """
    figure, axes = _panel(0.85 + 0.32 * len(rows))
    places = range(len(rows))[::-1]
    start = np.zeros(len(rows))
    for one in parts:
        look = filling(one.style) | {"lw": 0.8}
        axes.barh(places, one.mean, left=start, height=0.66, zorder=3, **look)
        start += one.mean
    _name_rows(axes, places, rows)
    axes.set_xlim(0, 1)
    axes.set_xlabel(x_label)
    _scale(axes.xaxis, "share", 4)
    return figure


def grid(
    rows: Sequence[str], columns: Sequence[str], marks: Sequence[Sequence[tuple[int, str] | None]]
) -> Figure:
    """Draw a board of fields, each with the filling of a bar of that number, and a text in it.

    Examples
    --------
    >>> figure = grid(["4 players"], ["$24", "$32"], [[(0, "+1.2"), None]])
    """
    rows = [textwrap.fill(row, 70) for row in rows]
    letters = max(len(line) for row in rows for line in row.split("\n"))
    is_narrow = len(columns) <= 3 and 0.075 * letters + 0.6 * len(columns) < WIDTH - 0.5
    width = WIDTH if is_narrow else SHEET
    figure = Figure(figsize=(width, 0.75 + 0.42 * len(rows)), layout="constrained")
    axes = figure.subplots()
    for place, line in enumerate(reversed(marks)):
        for column, mark in enumerate(line):
            if mark is None:
                continue
            index, text = mark
            box = Rectangle((column - 0.47, place - 0.44), 0.94, 0.88, **filling(index))
            axes.add_patch(box)
            axes.text(
                column, place, text, ha="center", va="center", fontsize=SIZE, color=INK,
                bbox={"fc": PAPER, "ec": "none", "boxstyle": "round,pad=0.22"},
            )  # fmt: skip
    axes.set_xlim(-0.6, len(columns) - 0.4)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows))[::-1], rows)
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, labelsize=SIZE, labelcolor=INK)
    return figure


def swatch(index: int, kind: str) -> Figure:
    """The sign for a series in the key: its "line" with marker, or its "bar" with filling."""
    figure = Figure(figsize=(0.36, 0.17))
    colour, marker, dash = style(index)
    if kind == "bar":
        bar = Rectangle((0.05, 0.1), 0.9, 0.8, **filling(index))
        bar.set_transform(figure.transFigure)
        figure.add_artist(bar)
    else:
        figure.add_artist(Line2D((0.02, 0.98), (0.5, 0.5), color=colour, ls=dash, lw=1.5))
        figure.add_artist(Line2D([0.5], [0.5], color=colour, marker=marker, ms=5, mew=0))
    return figure


def picture(draw: Callable, *arguments: Any) -> Figure:
    """A board, drawn by a game's own `draw(axes, *arguments)`, on a sheet as high as it needs."""
    figure = Figure(figsize=(SHEET, SHEET))
    axes = figure.add_axes((0, 0, 1, 1))
    draw(axes, *arguments)
    if axes.get_aspect() != "auto":
        wide, high = (abs(b - a) for a, b in (axes.get_xlim(), axes.get_ylim()))
        figure.set_size_inches(SHEET, SHEET * min(high / wide, 1.6))
    return figure


def style(index: int) -> tuple[str, str, object]:
    """Colour, marker and dash of the series with this number."""
    return tuple(kinds[index % len(kinds)] for kinds in (COLOURS, MARKERS, DASHES))


def filling(index: int) -> dict[str, Any]:
    """How a bar of this number is filled, for a patch."""
    hatch = HATCHES[index % len(HATCHES)]
    return {"fc": style(index)[0], "ec": PAPER, "hatch": hatch, "lw": 0.0}


def span(series: Sequence[Series], zero: bool = False) -> tuple[float, float]:
    """Limits for an axis that shows all of the series with their intervals."""
    parts = [part for one in series for part in (one.mean, one.low, one.high) if part is not None]
    values = np.concatenate([*parts, [0.0]] if zero else parts)
    values = values[np.isfinite(values)]
    low, high = (values.min(), values.max()) if len(values) else (0.0, 1.0)
    room = 0.06 * (high - low or abs(high) or 1.0)
    return (low if zero and low == 0 else low - room), high + room


def svg(figure: Figure, prefix: str, alt: str) -> str:
    """The figure as one `<svg>` element for a page: no fixed size, own ids, colours by name.

    Colours become `var(--c-rrggbb)`, so that the page can set them for its dark scheme, and
    `prefix` goes before every id, so that any number of figures fit in a page.
    """
    out = StringIO()
    with _LOCK, matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "golden spike"}):
        figure.savefig(
            out, format="svg", transparent=True, metadata={"Date": None, "Creator": None}
        )
    text = out.getvalue()
    text = text[text.index("<svg") :].strip()
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r"<style[^>]*>.*?</style>", "", text, flags=re.S)
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.S)
    text = re.sub(r"font-family: [^;\"]+;? ?", "", text)  # the page's own
    text = re.sub(r' transform="rotate\(-?0 [^)]*\)"', "", text)
    used = set(re.findall(r'(?:href="|url\()#([^")]+)', text))
    text = re.sub(
        r' id="([^"]+)"',
        lambda match: f' id="{prefix}-{match[1]}"' if match[1] in used else "",
        text,
    )
    text = re.sub(r'(href="|url\()#', rf"\1#{prefix}-", text)
    text = re.sub(r"(fill|stroke): #([0-9a-f]{6})", r"\1: var(--c-\2)", text)
    text = re.sub(r'fill="#([0-9a-f]{6})"', r'style="fill: var(--c-\1)"', text)
    label = html.escape(alt, quote=True)
    box = re.search(r'viewBox="[^"]+"', text).group()
    body = re.sub(r"\s*\n\s*", " ", text[text.index(">") + 1 :])
    wide = float(box.split()[2])
    # 1 pt of the drawing is 4/3 px on a screen.
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'{box} role="img" aria-label="{label}" style="max-width:{wide * 1.45:.0f}px">'
        f"<title>{label}</title>{body}"
    )


def colours(text: str) -> list[tuple[str, str, str]]:
    """Name, light and dark value of every colour used in the text of SVG figures."""
    names = sorted(set(re.findall(r"var\(--c-([0-9a-f]{6})\)", text)))
    return [(f"--c-{name}", f"#{name}", dark(f"#{name}")) for name in names]


def dark(colour: str) -> str:
    """The colour for a dark page: as strong, but light where it was dark.

    Examples
    --------
    >>> dark("#d55e00"), dark("#0b3c66")
    ('#f2894a', '#8bbce6')
    """
    if colour in DARK:
        return DARK[colour]
    rgb = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    hue, lightness, _ = colorsys.rgb_to_hls(*rgb)
    lightness = 0.1 + 0.8 * (1 - lightness)
    saturation = (max(rgb) - min(rgb)) / (1 - abs(2 * lightness - 1))
    rgb = colorsys.hls_to_rgb(hue, lightness, min(saturation, 1.0))
    return "#" + "".join(f"{round(255 * value):02x}" for value in rgb)


def _draw_fair(axes: Axes, fair: float | None, margin: float, axis: str) -> None:
    """The dotted line at the fair share on that axis, with its name at the end, and the margin."""
    if fair is None:
        return
    if margin:
        band = axes.axvspan if axis == "x" else axes.axhspan
        band(fair - margin, fair + margin, color=GRID, lw=0, zorder=1)
    line = {"color": INK, "lw": 1.0, "ls": (0, (2, 2)), "alpha": 0.75, "zorder": 2}
    word = {"textcoords": "offset points", "va": "bottom", "fontsize": SIZE - 1, "color": MUTED}
    if axis == "x":
        axes.axvline(fair, **line)
        word |= {"xy": (fair, 1), "xycoords": ("data", "axes fraction"), "ha": "center"}
    else:
        axes.axhline(fair, **line)
        word |= {"xy": (1, fair), "xycoords": ("axes fraction", "data"), "ha": "right"}
    axes.annotate("fair", xytext=(0, 2), **word)


def _panel(height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    axes = figure.subplots()
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set(color=MUTED, linewidth=0.8)
    axes.tick_params(colors=MUTED, labelsize=SIZE, length=3, width=0.8)
    for axis in (axes.xaxis, axes.yaxis):
        axis.label.set(color=MUTED, fontsize=SIZE)
    return figure, axes


def _scale(axis: Axis, kind: str, ticks: int) -> None:
    axis.set_major_locator(MaxNLocator(ticks, steps=[1, 2, 2.5, 5, 10]))
    if kind == "share":
        axis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    else:  # large numbers in full
        axis.get_major_formatter().set_scientific(False)
        axis.get_major_formatter().set_useOffset(False)


def _name_rows(axes: Axes, places: Sequence[int], names: Sequence[str]) -> None:
    """Names beside the axis, long ones cut in the middle."""
    names = [name if len(name) <= 20 else f"{name[:12]}…{name[-7:]}" for name in names]
    axes.set_yticks(places, names)
    axes.tick_params(axis="y", labelcolor=INK)
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.spines["left"].set_visible(False)
