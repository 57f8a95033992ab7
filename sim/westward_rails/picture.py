"""A drawing of the board on matplotlib axes: cities, links, metro areas, starts and the coast."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, MUTED, PAPER = "#22252a", "#6b717a", "#fffefb"
SEA, METRO = "#e6eff5", "#f3e7cd"
UNUSED = "#d3d2cb"
# One hue, light to dark: links built in up to 25, 50, 75 and 100 % of the games.
STEPS = (0.25, 0.5, 0.75, 1.0)
RAMP = ("#a9c7de", "#5f9fc9", "#1f6fa8", "#0b3c66")
NAME_SIZE = 7.6  # points
AIR = np.array((-4.0, -1.0, 4.0, 1.0))  # kept free around a name, in board units


def draw(
    axes: Axes,
    document: dict,
    counts: np.ndarray | None = None,
    games: int | None = None,
) -> None:
    """Draw the board, and, with counts, how often each link was built.

    Parameters
    ----------
    axes
        Empty axes; their limits and aspect are set here.
    document
        The parsed board file: lists `city`, `link`, `metro`, `railroad`.
    counts
        Games in which each link was built, in the order of `document["link"]`. None draws every
        link alike.
    games
        Number of games behind `counts`.

    Notes
    -----
    Names keep their size in points, so give the axes about 10 inches of width. Their places are
    chosen for the size the axes have now.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> document = {
    ...     "meta": {"label": "Two cities"},
    ...     "city": [{"id": "a", "name": "A", "x": 0, "y": 0}, {"id": "b", "x": 90, "y": 40}],
    ...     "link": [{"cities": ["a", "b"], "segments": 2}],
    ... }
    >>> draw(Figure(figsize=(10, 8)).subplots(), document, counts=[30], games=40)
    """
    cities = {city["id"]: city for city in document["city"]}
    places = {name: np.array((city["x"], city["y"]), float) for name, city in cities.items()}
    starts = {railroad["start"]: railroad for railroad in document.get("railroad", ())}
    share = None if counts is None or not games else np.asarray(counts, float) / games

    left, right, top, bottom = _frame(places)
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)
    axes.set_aspect("equal")
    axes.set_axis_off()
    _draw_coast(axes, cities, places, (left, right, top, bottom))
    areas = _draw_metros(axes, document, places)
    _draw_links(axes, document["link"], places, share)
    for name, city in cities.items():
        _draw_city(axes, places[name], starts.get(name), bool(city.get("west_coast")))
    _place_names(axes, document, cities, places, starts, areas, _points_a_unit(axes))
    _draw_key(axes, document, share is not None)


def _frame(places: dict) -> tuple[float, float, float, float]:
    points = np.array(list(places.values()))
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return left - 60, right + 110, top - 60, bottom + 145


def _points_a_unit(axes: Axes) -> float:
    """Points on paper for one unit of the board's coordinates."""
    width, height = axes.get_figure().get_size_inches() * axes.get_position(original=True).size
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    return 72 * min(width / (right - left), height / (bottom - top))


def _draw_coast(axes: Axes, cities: dict, places: dict, frame: tuple) -> None:
    """A sea west of the coast cities, when they really are the westernmost places."""
    left, _, top, bottom = frame
    coast = sorted(
        (places[name] for name, city in cities.items() if city.get("west_coast")),
        key=lambda point: point[1],
    )
    if len(coast) < 2:
        return
    line = np.array([(x - 20, y) for x, y in coast])
    line = np.vstack([(line[0, 0], top), line, (line[-1, 0] + 12, bottom)])
    y = np.linspace(top, bottom, 120)
    x = np.interp(y, line[:, 1], line[:, 0])
    kernel = np.hanning(25)
    x = np.convolve(np.pad(x, 12, mode="edge"), kernel / kernel.sum(), mode="valid")
    if any(px < np.interp(py, y, x) + 4 for px, py in places.values()):
        return  # not a west coast as the eye knows it: the markers alone show it
    axes.fill_betweenx(y, left, x, color=SEA, lw=0, zorder=0)
    middle = line[len(line) // 2]
    axes.text(
        left + 12,
        middle[1] + 28,
        "West Coast",
        rotation=90,
        fontsize=NAME_SIZE,
        style="italic",
        color=MUTED,
        ha="center",
        va="center",
    )


def _draw_metros(axes: Axes, document: dict, places: dict) -> list[tuple[str, np.ndarray]]:
    areas = []
    for metro in document.get("metro", ()):
        points = np.array([places[name] for name in metro["cities"]])
        pairs = [(points[0], point) for point in points[1:]] or [(points[0], points[0])]
        for a, b in pairs:
            axes.plot(
                *zip(a, b + 1e-6, strict=True),
                color=METRO,
                lw=26,
                solid_capstyle="round",
                zorder=1,
            )
        areas.append((metro.get("name", metro["id"]), points))
    return areas


def _draw_links(axes: Axes, links: list[dict], places: dict, share: np.ndarray | None) -> None:
    """A dash for each segment; wider and darker the more often the link was built."""
    from matplotlib.collections import LineCollection  # only those who draw wait for it

    dashes, colours, widths = [], [], []
    for index in range(len(links)) if share is None else np.argsort(share, kind="stable"):
        a, b = (places[name] for name in links[index]["cities"])
        along = (b - a) / np.linalg.norm(b - a)
        a, b = a + 9 * along, b - 9 * along
        segments = links[index]["segments"]
        cuts = a + np.linspace(0, 1, segments + 1)[:, None] * (b - a)
        begin, end = cuts[:-1].copy(), cuts[1:].copy()
        begin[1:] += 2.2 * along
        end[:-1] -= 2.2 * along
        dashes += list(np.stack([begin, end], axis=1))
        colour, width = (RAMP[2], 2.0) if share is None else _style(float(share[index]))
        colours += [colour] * segments
        widths += [width] * segments
    axes.add_collection(
        LineCollection(dashes, colors=colours, linewidths=widths, capstyle="butt", zorder=3)
    )


def _style(share: float) -> tuple[str, float]:
    if share < 0.005:
        return UNUSED, 1.1
    step = int(np.searchsorted(STEPS, share - 1e-12))
    return RAMP[min(step, len(RAMP) - 1)], 1.4 + 5.2 * min(share, 1.0)


def _draw_city(axes: Axes, point: np.ndarray, railroad: dict | None, coast: bool) -> None:
    if railroad is not None:
        marker, fill, width = "s", railroad.get("colour", INK), 9.0
    elif coast:
        marker, fill, width = "D", PAPER, 6.6
    else:
        marker, fill, width = "o", PAPER, 5.4
    axes.plot(
        *point,
        marker,
        ms=width,
        mfc=fill,
        mec=INK,
        mew=1.1 if railroad is None else 1.2,
        zorder=5,
    )


def _place_names(
    axes: Axes,
    document: dict,
    cities: dict,
    places: dict,
    starts: dict,
    areas: list,
    points_a_unit: float,
) -> None:
    """Write every name where it hides least: not on another name, a city or, if it can, a link."""
    labels = [
        (city.get("name", name), starts[name].get("name", "") if name in starts else "", name)
        for name, city in cities.items()
    ] + [(name, "", None) for name, _ in areas]
    anchors = [places[name] for name in cities] + [points.mean(axis=0) for _, points in areas]
    links = np.array([[places[name] for name in link["cities"]] for link in document["link"]])
    frame = _frame(places)
    dots = np.array([(x - 8, y - 8, x + 8, y + 8) for x, y in anchors[: len(cities)]])

    choices = []
    for index, (text, second, city) in enumerate(labels):
        extent = _extent(text, second, city) / points_a_unit
        others = np.delete(dots, index, 0) if city else dots
        rows = []
        for extra in (0.0, 5.0) if city else (10.0, 18.0, 26.0):
            for angle in range(0, 360, 15):
                box = _box_at(anchors[index], extent, angle, 9.0 + extra)
                cost = 0.6 * extra + (0.0 if angle in (0, 180) else 1.5)
                if city in starts and angle not in (0, 15, 345):
                    cost += 20  # the starting cities stand in a column: so do their names
                cost += 60 * _overlap(box, others) + 100 * _outside(box, frame)
                cost += 0.55 * _covered(box + (-2, -3, 2, 3), links)
                rows.append((cost, box))
        choices.append(rows)
    picked = [min(rows, key=lambda row: row[0]) for rows in choices]
    for _ in range(8):  # give way to one another until nobody gains by moving
        moved = False
        for index, rows in enumerate(choices):
            others = np.array([box for k, (_, box) in enumerate(picked) if k != index])
            best = min(rows, key=lambda row: row[0] + 80 * _overlap(row[1] + AIR, others))
            moved |= best is not picked[index]
            picked[index] = best
        if not moved:
            break
    for (text, second, city), anchor, (_, box) in zip(labels, anchors, picked, strict=True):
        _write(axes, text, second, city, city in starts, anchor, box, _covered(box, links) > 0)


def _write(
    axes: Axes,
    text: str,
    second: str,
    city: str | None,
    is_start: bool,
    anchor: np.ndarray,
    box: np.ndarray,
    on_a_link: bool,
) -> None:
    centre = (box[:2] + box[2:]) / 2
    side = (centre[0] - anchor[0]) / (box[2] - box[0])
    if side > 0.35:
        x, align = box[0] + 1, "left"
    elif side < -0.35:
        x, align = box[2] - 1, "right"
    else:
        x, align = centre[0], "center"
    how = {"ha": align, "va": "center_baseline", "zorder": 7}
    if on_a_link:
        how["bbox"] = {"facecolor": PAPER, "edgecolor": "none", "alpha": 0.75, "pad": 0.2}
    if city is None:
        how |= {"fontsize": NAME_SIZE * 0.86, "style": "italic", "color": MUTED}
    else:
        how |= {"fontsize": NAME_SIZE, "weight": "bold" if is_start else "normal", "color": INK}
    line = (box[3] - box[1]) / 4 if second else 0.0
    axes.text(x, centre[1] - line, text, **how)
    if second:
        how |= {"fontsize": NAME_SIZE * 0.84, "weight": "normal", "color": MUTED}
        axes.text(x, centre[1] + line, second, **how)


def _extent(text: str, second: str, city: str | None) -> np.ndarray:
    """Width and height of a label in points, on the generous side."""
    size = NAME_SIZE * (1.0 if city else 0.86)
    letters = len(text) + 0.45 * sum(letter in "mwMW" for letter in text)
    wide = max(letters * (0.65 if second else 0.58), len(second) * 0.84 * 0.58)
    return np.array((wide * size + 2, (2.3 if second else 1.2) * size))


def _box_at(anchor: np.ndarray, extent: np.ndarray, angle: float, distance: float) -> np.ndarray:
    direction = np.array((np.cos(np.radians(angle)), -np.sin(np.radians(angle))))
    centre = anchor + distance * direction + direction * extent / 2
    return np.concatenate([centre - extent / 2, centre + extent / 2])


def _overlap(box: np.ndarray, others: np.ndarray) -> float:
    """Depth of overlap, summed: 0 when the box is clear of all the others."""
    if not len(others):
        return 0.0
    x = np.minimum(box[2], others[:, 2]) - np.maximum(box[0], others[:, 0])
    y = np.minimum(box[3], others[:, 3]) - np.maximum(box[1], others[:, 1])
    return float(np.minimum(np.maximum(x, 0), np.maximum(y, 0)).sum())


def _outside(box: np.ndarray, frame: tuple) -> float:
    left, right, top, bottom = frame
    return float(
        np.maximum((left - box[0], top - box[1], box[2] - right, box[3] - bottom), 0).sum()
    )


def _covered(box: np.ndarray, links: np.ndarray) -> float:
    """Length of link lines under the box, in board units; more where most of a line is hidden."""
    if not len(links):
        return 0.0
    start, step = links[:, 0], links[:, 1] - links[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        near, far = (box[:2] - start) / step, (box[2:] - start) / step
    # A line parallel to an axis is inside for ever, or never (0 / 0: it runs along the edge).
    first = np.nan_to_num(np.minimum(near, far), nan=-np.inf, neginf=-np.inf, posinf=np.inf)
    last = np.nan_to_num(np.maximum(near, far), nan=np.inf, neginf=-np.inf, posinf=np.inf)
    inside = np.minimum(last.min(axis=1), 1) - np.maximum(first.max(axis=1), 0)
    inside = np.maximum(inside, 0)
    return float((inside * np.hypot(*step.T) + 250 * np.maximum(inside - 0.2, 0)).sum())


def _draw_key(axes: Axes, document: dict, has_counts: bool) -> None:
    left, right, _, bottom = (*axes.get_xlim(), *axes.get_ylim()[::-1])
    label = document.get("meta", {}).get("label", "")
    y, x = bottom - 38.0, left + 130.0
    small = {"fontsize": NAME_SIZE, "color": MUTED, "va": "center_baseline"}
    if label:
        axes.text(
            right - 8, y, label, fontsize=10.5, style="italic", color=INK, ha="right", va="center"
        )
    axes.plot(x, y, "o", ms=5.4, mfc=PAPER, mec=INK, mew=1.1)
    axes.text(x + 12, y, "city", **small)
    axes.plot(x + 58, y, "s", ms=8, mfc=MUTED, mec=INK, mew=1.2)
    axes.text(x + 71, y, "start of a railroad", **small)
    axes.plot(x + 190, y, "D", ms=6.2, mfc=PAPER, mec=INK, mew=1.1)
    axes.text(x + 203, y, "West Coast city", **small)
    axes.plot((x + 307, x + 325), (y, y), color=METRO, lw=13, solid_capstyle="round")
    axes.text(x + 338, y, "metro area", **small)
    y -= 34
    if not has_counts:
        axes.text(x - 6, y, "one dash of a line = one track segment", **small)
        return
    axes.text(x - 6, y, "link built in (% of games):", **small)
    x += 150
    shares = [(0.0, "never"), (0.15, "up to 25"), (0.4, "to 50"), (0.65, "to 75"), (0.95, "to 100")]
    for share, text in shares:
        colour, width = _style(share)
        axes.plot((x, x + 30), (y, y), color=colour, lw=width, solid_capstyle="butt")
        axes.text(x + 36, y, text, **small)
        x += 48 + 6.2 * len(text) + 10
    axes.text(x, y, "one dash = one segment", **small)
