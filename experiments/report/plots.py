"""The report's figures: small matplotlib panels, given out as SVG to be put into the page."""

from __future__ import annotations

import html
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import StringIO

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

INK, MUTED, GRID = "#22252a", "#6b717a", "#e2e0d9"
# Okabe and Ito's colours, told apart by people with any colour vision; each also has a marker
# and a dash of its own.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", INK)
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", (0, (5, 1.6)), (0, (1.2, 1.4)), (0, (6, 1.6, 1.2, 1.6)), (0, (3, 3)))
HATCHES = ("", "///", "\\\\\\", "xx", "---")
# Colours the dark scheme does not simply turn over (see `dark`).
DARK = {
    INK: "#e8e6e0",
    MUTED: "#a5aab2",
    GRID: "#34373c",
    "#0072b2": "#4ea6e0",
    "#d55e00": "#f2894a",
    "#009e73": "#2fc296",
    "#cc79a7": "#df9cc2",
    "#e69f00": "#e69f00",
    "#56b4e9": "#7cc8f2",
}
WIDTH = 3.75  # inches: a panel fills a phone's width at the size it is drawn
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


def lines(
    x: Sequence[float],
    series: Sequence[Series],
    x_label: str,
    y_label: str,
    fair: float | None = None,
    limits: tuple[float, float] | None = None,
    percent: bool = False,
) -> Figure:
    """Draw series over a number, with an interval at each point and the fair line.

    Examples
    --------
    >>> figure = lines([24, 32], [Series("greedy", [0.3, 0.4])], "starting money ($)", "win share")
    """
    figure, axes = _panel(2.75)
    x = np.asarray(x, float)
    step = np.diff(np.unique(x)).min() if len(np.unique(x)) > 1 else 1.0
    if fair is not None:
        _fair_line(axes, fair, across=True)
    for index, one in enumerate(series):
        shift = 0.0 if one.low is None else (index - (len(series) - 1) / 2) * 0.05 * step
        colour, marker, dash = style(one.style)
        axes.plot(x + shift, one.mean, color=colour, ls=dash, lw=1.5, zorder=3)
        if one.low is not None:
            axes.vlines(x + shift, one.low, one.high, color=colour, lw=1.1, zorder=3)
        axes.plot(x + shift, one.mean, marker, color=colour, ms=4.6, mew=0, zorder=4)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.set_xlim(x.min() - 0.3 * step, x.max() + 0.3 * step)
    if len(np.unique(x)) <= 7:
        axes.set_xticks(np.unique(x))
    if limits is not None:
        axes.set_ylim(*limits)
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    if percent:
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    axes.grid(axis="y", color=GRID, lw=0.8)
    return figure


def dots(
    rows: Sequence[Series],
    x_label: str,
    fair: float | None = None,
    limits: tuple[float, float] | None = None,
    text: Callable[[float], str] = lambda value: f"{value:.1f}",
    percent: bool = False,
) -> Figure:
    """Draw one value a row with its interval, written out at the right, and the fair line.

    Examples
    --------
    >>> figure = dots([Series("greedy", [0.3], [0.25], [0.36])], "win share", fair=0.25)
    """
    figure, axes = _panel(0.95 + 0.3 * len(rows))
    places = np.arange(len(rows))[::-1]
    if fair is not None:
        _fair_line(axes, fair, across=False)
    for place, one in zip(places, rows, strict=True):
        colour, marker, _ = style(one.style)
        if one.low is not None:
            axes.hlines(place, one.low[0], one.high[0], color=colour, lw=2.0, zorder=3)
        axes.plot(one.mean[0], place, marker, color=colour, ms=6, mew=0, zorder=4)
        axes.text(
            1.02,
            place,
            text(one.mean[0]),
            transform=axes.get_yaxis_transform(),
            va="center",
            color=INK,
            fontsize=SIZE,
        )
    axes.set_yticks(places, [shortened(one.name) for one in rows])
    axes.tick_params(axis="y", labelcolor=INK)
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_xlabel(x_label)
    if limits is not None:
        axes.set_xlim(*limits)
    axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
    if percent:
        axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    axes.grid(axis="x", color=GRID, lw=0.8)
    axes.spines["left"].set_visible(False)
    return figure


def stacks(rows: Sequence[str], parts: Sequence[Series], x_label: str) -> Figure:
    """Draw a bar of 100 % a row, cut into parts that are named in the key.

    Examples
    --------
    >>> figure = stacks(["$24"], [Series("demands", [0.7]), Series("cubes", [0.3])], "games")
    """
    figure, axes = _panel(0.85 + 0.32 * len(rows))
    places = np.arange(len(rows))[::-1]
    start = np.zeros(len(rows))
    for one in parts:
        width = np.asarray(one.mean, float)
        axes.barh(
            places,
            width,
            left=start,
            height=0.66,
            color=style(one.style)[0],
            edgecolor=PAPER,
            hatch=HATCHES[one.style % len(HATCHES)],
            lw=0.8,
            zorder=3,
        )
        start += width
    axes.set_yticks(places, [shortened(row) for row in rows])
    axes.tick_params(axis="y", labelcolor=INK)
    axes.set_xlim(0, 1)
    axes.set_ylim(-0.5, len(rows) - 0.5)
    axes.set_xlabel(x_label)
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
    axes.spines["left"].set_visible(False)
    return figure


def swatch(index: int, kind: str = "line") -> Figure:
    """The sign for a series in the key: its line and marker, or its filling."""
    figure = Figure(figsize=(0.36, 0.17))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    colour, marker, dash = style(index)
    if kind == "bar":
        axes.barh(
            0.5, 0.9, left=0.05, height=0.8, color=colour, edgecolor=PAPER,
            hatch=HATCHES[index % len(HATCHES)], lw=0.0,
        )  # fmt: skip
        return figure
    if kind == "line":
        axes.plot((0.02, 0.98), (0.5, 0.5), color=colour, ls=dash, lw=1.5)
    axes.plot(0.5, 0.5, marker, color=colour, ms=5, mew=0)
    return figure


def picture(draw: Callable, document: dict, counts: Sequence[float] | None, games: int) -> Figure:
    """A game's board, drawn by the game's own `draw`, on a sheet as high as the board needs."""
    figure = Figure(figsize=(10.4, 10.4))
    axes = figure.add_axes((0, 0, 1, 1))
    draw(axes, document, counts, games)
    if axes.get_aspect() != "auto":
        wide, high = (abs(b - a) for a, b in (axes.get_xlim(), axes.get_ylim()))
        figure.set_size_inches(10.4, 10.4 * min(high / wide, 1.6))
    return figure


def style(index: int) -> tuple[str, str, object]:
    """Colour, marker and dash of the series with this number."""
    return (
        COLOURS[index % len(COLOURS)],
        MARKERS[index % len(MARKERS)],
        DASHES[index % len(DASHES)],
    )


def shortened(text: str, length: int = 18) -> str:
    """Cut a long name in the middle, so that it fits beside an axis."""
    text = text.replace("$", r"\$")
    return text if len(text) <= length else f"{text[: length - 7]}…{text[-6:]}"


def span(series: Sequence[Series], pad: float = 0.06, zero: bool = False) -> tuple[float, float]:
    """Limits for an axis that shows all of the series with their intervals."""
    values = [
        value
        for one in series
        for part in (one.mean, one.low, one.high)
        if part is not None
        for value in part
        if np.isfinite(value)
    ]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if zero:
        low = min(low, 0.0)
    room = (high - low or abs(high) or 1.0) * pad
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
    text = re.sub(r'href="#([^"]+)"', rf'href="#{prefix}-\1"', text)
    text = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}-\1)", text)
    text = re.sub(r"(fill|stroke): (#[0-9a-f]{6})", r"\1: var(--c-\2)", text)
    text = re.sub(r'fill="(#[0-9a-f]{6})"', r'style="fill: var(--c-\1)"', text)
    text = text.replace("var(--c-#", "var(--c-")
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


def colours(*texts: str) -> list[tuple[str, str, str]]:
    """Name, light and dark value of every colour used in the given SVG texts."""
    used = sorted(
        {name for text in texts for name in re.findall(r"var\(--c-([0-9a-f]{6})\)", text)}
    )
    return [(f"--c-{name}", f"#{name}", dark(f"#{name}")) for name in used]


def dark(colour: str) -> str:
    """The colour for a dark page: light and dark change places, strong middle tones stay.

    Lightness is that of the OKLab space (Ottosson 2020).

    Examples
    --------
    >>> dark("#d55e00"), dark("#ff0000")
    ('#f2894a', '#ff0000')
    """
    if colour in DARK:
        return DARK[colour]
    rgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    lightness, a, b = _TO_LAB @ np.cbrt(_TO_CONE @ linear)
    if np.hypot(a, b) > 0.14 and 0.5 < lightness < 0.86:
        return colour
    lab = np.array((0.205 + 0.76 * (1 - lightness), a, b))
    if np.hypot(a, b) < 0.01:
        lab[1:] = (-0.001, -0.005)  # greys take the page's own cast
    linear = np.linalg.solve(_TO_CONE, np.linalg.solve(_TO_LAB, lab) ** 3).clip(0, 1)
    rgb = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * value):02x}" for value in rgb)


PAPER = "#fffefb"
_TO_CONE = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def _panel(height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    axes = figure.subplots()
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(MUTED)
        axes.spines[side].set_linewidth(0.8)
    axes.tick_params(colors=MUTED, labelsize=SIZE, length=3, width=0.8)
    for axis in (axes.xaxis, axes.yaxis):
        axis.label.set_color(MUTED)
        axis.label.set_fontsize(SIZE)
    return figure, axes


def _fair_line(axes: Axes, fair: float, across: bool) -> None:
    how = {"color": INK, "lw": 1.0, "ls": (0, (2, 2)), "alpha": 0.75, "zorder": 2}
    where = {"fontsize": SIZE - 1, "color": MUTED}
    if across:
        axes.axhline(fair, **how)
        axes.annotate(
            "fair", (1, fair), xycoords=("axes fraction", "data"), xytext=(0, 2),
            textcoords="offset points", ha="right", va="bottom", **where,
        )  # fmt: skip
    else:
        axes.axvline(fair, **how)
        axes.annotate(
            "fair", (fair, 1), xycoords=("data", "axes fraction"), xytext=(0, 1),
            textcoords="offset points", ha="center", va="bottom", **where,
        )  # fmt: skip
