"""A drawing of the board on matplotlib axes: hexes, ridges, cities, and what was built on them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sim.layout import counted
from sim.railways_of_the_world.board import BoardFile, beside, read
from sim.railways_of_the_world.state import COLOURS, PAIR_SIDES, SIDES, opposite

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.path import Path as MatplotlibPath

    from sim.game import Position

INK, MUTED, PAPER = "#22252a", "#6b717a", "#fffefb"
EDGE, RIDGE = "#d8d3c4", "#7d4e24"
GROUND = {"o": "#f6f3ea", "w": "#d3e5ef", "h": "#e4d8c6", "C": "#f6f3ea"}
MARK = {"w": "#7fa9c4", "h": "#a58f6f"}  # of the waves and peaks that tell the terrain too
TERRAIN = {"o": "open", "w": "water", "h": "hills or mountains"}
CITY = {
    "red": "#cf4a30",
    "blue": "#2f74b5",
    "yellow": "#f2cd3f",
    "purple": "#9166b8",
    "black": "#33363b",
    "gray": "#c3c5c9",
}
LETTER = {"red": "R", "blue": "B", "yellow": "Y", "purple": "P", "black": "K", "gray": ""}
# One hue, light to dark: links built in up to 5, 15, 40 and 100 % of the games.
STEPS = (0.05, 0.15, 0.4, 1.0)
RAMP = ("#d3a7cf", "#b064ab", "#872f86", "#4f0f55")
RARE = 0.01  # links built in fewer games are left out
# Okabe and Ito's colours, one a seat; each line also bears the number of its seat.
SEATS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
NAME_SIZE = 7.8  # points
KEY_LINE = 20.0  # points from a row of the key to the next
DISC = 0.62  # radius of a city; a side of a hex is 1
RING = 0.2  # width of the ring around a city with a rotor
MARGIN = 0.7  # room for the numbers of rows and columns around the hexes
CORNERS = np.array(
    [(math.sin(math.radians(60 * k)), -math.cos(math.radians(60 * k))) for k in range(6)]
)
# Side k lies between corners k and k + 1: clockwise from the north-east, as in `SIDES`.
MIDDLES = (CORNERS + np.roll(CORNERS, -1, axis=0)) / 2


_KeyEntry = tuple[Callable[["_Sheet", float, float], None], str]


class _Sheet(NamedTuple):
    """The axes, the board, and the length of a point of paper on the board."""

    axes: Axes
    file: BoardFile
    centres: dict[tuple[int, int], np.ndarray]
    frame: tuple[float, float, float, float]  # left, right, top and bottom of the hexes
    key: list[list[_KeyEntry]]  # rows of the key
    point: float


def draw(
    axes: Axes,
    document: dict,
    counts: np.ndarray | None = None,
    games: int | None = None,
) -> None:
    """Draw the board, and, with counts, how often each two cities were linked.

    Parameters
    ----------
    axes
        Empty axes; their limits and aspect are set here.
    document
        The parsed board file.
    counts
        Games in which each two cities were linked, in the order of `board.elements`. None draws
        the map alone.
    games
        Number of games behind `counts`.

    Notes
    -----
    Names keep their size in points, so give the axes about 10 inches of width, and the height that
    the board then needs.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> import sim
    >>> document = sim.load("railways-of-the-world").board("western_us").document
    >>> draw(Figure(figsize=(10, 11)).subplots(), document)
    """
    share = None if counts is None or not games else np.asarray(counts, float) / games
    sheet = _lay_out(axes, document, [] if share is None else _link_key())
    _draw_hexes(sheet)
    _number_edges(sheet)
    lines = [] if share is None else _draw_links(sheet, share)
    _draw_cities(sheet, [city.colour for city in sheet.file.cities])
    _place_names(sheet, lines)
    _draw_key(sheet)


def draw_position(axes: Axes, position: Position) -> None:
    """Draw the tracks of one game on the hexes, in the colours of their owners.

    A number in a line tells the seat as well; a city shows the colour it has now.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> import sim
    >>> position = sim.load("railways-of-the-world").new(players=2)
    >>> draw_position(Figure(figsize=(10, 13)).subplots(), position)
    """
    state = position.state[0]
    owners = [
        (_line(SEATS[seat], 3.6, seat), f"seat {seat}, {counted(count, 'links')}")
        for seat, count in enumerate(state.links[: position.players].tolist())
    ]
    sheet = _lay_out(axes, position.board.document, owners)
    _draw_hexes(sheet)
    _number_edges(sheet)
    _draw_tracks(sheet, state)
    names = [*COLOURS, "gray"]
    _draw_cities(sheet, [names[state.colour[city]] for city in range(len(sheet.file.cities))])
    _place_names(sheet, _number_links(sheet, state))
    _draw_key(sheet)


def _lay_out(axes: Axes, document: dict, built: list[_KeyEntry]) -> _Sheet:
    """Set the limits of the axes: the hexes, and room below them for the key.

    `built` is what the key has to tell besides the map.
    """
    file = read(document, "board")
    centres = {place: _centre(place) for place in file.places}
    points = np.array(list(centres.values()))
    (left, top), (right, bottom) = points.min(axis=0) - 1.4, points.max(axis=0) + 1.4
    wide, high = axes.get_figure().get_size_inches() * axes.get_position(original=True).size
    key = [*_rows(_map_key(file), 72 * wide), *_rows(built, 72 * wide)]
    room = KEY_LINE * (len(key) + 1)
    across, down = right - left + 2 * MARGIN, bottom - top + 2 * MARGIN
    # A sheet that gives its height to the board is at most 1.6 times as high as wide.
    point = max(across / (72 * wide), down / (72 * max(1.6 * wide, high) - room))
    axes.set_xlim(left - MARGIN, right + MARGIN)
    axes.set_ylim(bottom + MARGIN + room * point, top - MARGIN)
    axes.set_aspect("equal")
    axes.set_axis_off()
    return _Sheet(axes, file, centres, (left, right, top, bottom), key, point)


def _rows(entries: list[_KeyEntry], wide: float) -> list[list[_KeyEntry]]:
    """The entries in rows of at most that many points."""
    rows: list[list[_KeyEntry]] = []
    x = math.inf
    for entry in entries:
        x += _entry_width(entry)
        if x > wide:
            rows.append([])
            x = _entry_width(entry)
        rows[-1].append(entry)
    return rows


def _centre(place: tuple[int, int]) -> np.ndarray:
    row, column = place
    return np.array((math.sqrt(3) * (column + (row & 1) / 2), 1.5 * row))


# ---------------------------------------------------------------------------------------- the map


def _draw_hexes(sheet: _Sheet) -> None:
    letters, centres = sheet.file.letters, sheet.centres
    for letter, colour in GROUND.items():
        places = [centres[place] for place, kind in letters.items() if kind == letter]
        if places:
            hexes = [place + CORNERS for place in places]
            _shapes(sheet, hexes, closed=True, fc=colour, ec=EDGE, lw=0.6, zorder=0)
        if places and letter in MARK:
            mark = _compound([line * (1, -1) for line in _terrain_mark(letter)])  # y is upwards
            size = 2 * np.abs(mark.vertices).max() / sheet.point
            how = {"mec": MARK[letter], "mfc": "none", "mew": 0.9, "zorder": 1}
            sheet.axes.plot(*np.array(places).T, ls="", marker=mark, ms=size, **how)
    ridges = _ridges(sheet)
    if ridges:
        _shapes(sheet, ridges, fc="none", ec=RIDGE, lw=3.0, capstyle="round", zorder=2)


def _ridges(sheet: _Sheet) -> list[np.ndarray]:
    """The two ends of every ridge."""
    lines = []
    for row, column, *other in sheet.file.hexes.ridges:
        place = (row, column)
        side = [beside(place, side) for side in range(6)].index(tuple(other))
        lines.append(sheet.centres[place] + CORNERS[[side, (side + 1) % 6]])
    return lines


def _shapes(sheet: _Sheet, lines: list[np.ndarray], closed: bool = False, **how: Any) -> None:
    """Lines of one style as one shape: a small file draws fast."""
    from matplotlib.patches import PathPatch  # only those who draw wait for it

    sheet.axes.add_patch(PathPatch(_compound(lines, closed), **how))


def _compound(lines: list[np.ndarray], closed: bool = False) -> MatplotlibPath:
    from matplotlib.path import Path

    paths = [Path(np.vstack((line, line[:1])) if closed else line, closed=closed) for line in lines]
    return Path.make_compound_path(*paths)


def _terrain_mark(letter: str) -> list[np.ndarray]:
    """Lines that tell the terrain without its colour: two waves, or two peaks."""
    if letter == "w":
        x = np.linspace(-0.4, 0.4, 11)
        return [np.column_stack((x, y + 0.07 * np.sin(x * 15.7))) for y in (-0.14, 0.14)]
    return [
        np.array(((-0.42, 0.26), (-0.12, -0.26), (0.18, 0.26))),
        np.array(((0.08, 0.08), (0.22, -0.12), (0.44, 0.26))),
    ]


def _number_edges(sheet: _Sheet) -> None:
    """The numbers of the rows at both sides, of the columns above and below: 6,23 is found there.

    A column's hexes stand half a hex further right in every odd row; its number stands between.
    """
    left, right, top, bottom = sheet.frame
    rows, columns = (range(min(line), max(line) + 1) for line in zip(*sheet.centres, strict=True))
    edges = [(x, _centre((row, 0))[1], row) for row in rows for x in (left - 0.25, right + 0.25)]
    halfway = math.sqrt(3) / 4
    edges += [
        (_centre((0, column))[0] + halfway, y, column) for column in columns for y in (top, bottom)
    ]
    for x, y, number in edges:
        sheet.axes.text(
            x, y, str(number), fontsize=NAME_SIZE, color=MUTED, ha="center", va="center"
        )


def _draw_cities(sheet: _Sheet, colours: list[str]) -> None:
    from matplotlib.patches import Circle

    stubs = [
        sheet.centres[city.place] + np.array((0.5, 0.98))[:, None] * MIDDLES[SIDES.index(side)]
        for city in sheet.file.cities
        for side in city.spurs.split()
    ]
    _shapes(sheet, stubs, fc="none", ec=MUTED, lw=0.8, zorder=3)
    for city, colour in zip(sheet.file.cities, colours, strict=True):
        place = sheet.centres[city.place]
        how = {"ec": INK, "lw": 0.9, "zorder": 6}
        if city.dial_start:
            sheet.axes.add_patch(Circle(place, DISC + RING, fc=PAPER, **how))
        sheet.axes.add_patch(Circle(place, DISC, fc=CITY[colour], **how))
        _letter(sheet, place, colour)


def _letter(sheet: _Sheet, place: np.ndarray, colour: str) -> None:
    if LETTER[colour]:
        sheet.axes.text(
            *place,
            LETTER[colour],
            fontsize=min(NAME_SIZE - 0.4, 0.9 * DISC / sheet.point),
            weight="bold",
            color=INK if colour == "yellow" else PAPER,
            ha="center",
            va="center_baseline",
            zorder=7,
        )


# ---------------------------------------------------------------------------------- what was built


def _draw_links(sheet: _Sheet, share: np.ndarray) -> list[np.ndarray]:
    """A bow between two cities for each link; wider and darker the more often it was built."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    places = [sheet.centres[city.place] for city in sheet.file.cities]
    ends = [(a, b) for a in range(len(places)) for b in range(a + 1, len(places))]
    order = [index for index in np.argsort(share, kind="stable") if share[index] >= RARE]
    bows = [_bow(*(places[end] for end in ends[index])) for index in order]
    styles = [_style(float(share[index])) for index in order]
    paths = [Path(bow, [Path.MOVETO, Path.CURVE3, Path.CURVE3]) for bow in bows]
    for index, path, (colour, width) in zip(order, paths, styles, strict=True):
        how = {"fc": "none", "capstyle": "round", "zorder": 4}
        if share[index] > STEPS[0]:  # stand out from the thin ones
            sheet.axes.add_patch(PathPatch(path, ec=PAPER, lw=width + 1.6, alpha=0.8, **how))
        sheet.axes.add_patch(PathPatch(path, ec=colour, lw=width, **how))
    return [_points_of(bow) for bow in bows]


def _bow(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """A slightly bent line, so that it does not run through a city between the two.

    It is given by its start, what it bends towards, and its end.
    """
    along = end - start
    across = np.array((-along[1], along[0])) * (1 if along[0] >= 0 else -1)
    return np.array((start, (start + end) / 2 + 0.14 * across, end))


def _points_of(bow: np.ndarray) -> np.ndarray:
    t = np.linspace(0, 1, 9)[:, None]
    return (1 - t) ** 2 * bow[0] + 2 * t * (1 - t) * bow[1] + t**2 * bow[2]


def _style(share: float) -> tuple[str, float]:
    step = int(np.searchsorted(STEPS, share - 1e-12))
    return RAMP[min(step, len(RAMP) - 1)], 1.0 + 5.6 * min(share, 1.0) ** 0.75


def _link_key() -> list[_KeyEntry]:
    lows = (RARE, *STEPS[:-1])
    return [
        (
            _line(*_style((low + high) / 2)),
            f"built in {100 * low:.0f} to {100 * high:.0f} %" + (" of games" if n == 0 else ""),
        )
        for n, (low, high) in enumerate(zip(lows, STEPS, strict=True))
    ]


def _draw_tracks(sheet: _Sheet, state: np.record) -> None:
    curves: dict[int, list[np.ndarray]] = {}
    for number, place in enumerate(sheet.file.places):
        for track in state.track[number]:
            if track:
                owner, pair = divmod(int(track) - 1, 16)
                curve = _curve(*MIDDLES[PAIR_SIDES[pair]])
                curves.setdefault(owner, []).append(sheet.centres[place] + curve)
    for owner, lines in curves.items():
        _shapes(sheet, lines, fc="none", ec=PAPER, lw=5.4, capstyle="butt", zorder=4)
        _shapes(sheet, lines, fc="none", ec=SEATS[owner], lw=3.6, capstyle="butt", zorder=4.5)


def _curve(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """A track from the middle of one side of a hex, past its centre, to another."""
    t = np.linspace(0, 1, 7)[:, None]
    return (1 - t) ** 2 * start + t**2 * end


def _number_links(sheet: _Sheet, state: np.record) -> list[np.ndarray]:
    """Write its owner's seat on each link, near its middle and on no crossing; their courses."""
    courses = []
    city_places = [city.place for city in sheet.file.cities]
    index = {place: number for number, place in enumerate(sheet.file.places)}
    for link in range(int(state.n_links)):
        side = int(state.link_spur[link])
        place = city_places[state.link_city[link, 0]]
        course, tiles = [place], int(state.link_tiles[link])
        for _ in range(tiles):
            place = beside(place, side)
            course.append(place)
            side = _leaves(state.track[index[place]], opposite(side))
        numbered = min(
            course[1:],
            key=lambda tile: (
                state.track[index[tile], 1] != 0,
                abs(2 * course.index(tile) - tiles - 1),
            ),
        )
        _seat_number(sheet, sheet.centres[numbered], int(state.link_owner[link]))
        course.append(beside(place, side))
        courses.append(np.array([sheet.centres[place] for place in course]))
    return courses


def _leaves(tracks: np.ndarray, entry: int) -> int:
    """The side by which the track that has the side `entry` leaves the hex."""
    for track in tracks:
        if track:
            low, high = (int(side) for side in PAIR_SIDES[(int(track) - 1) % 16])
            if entry in (low, high):
                return low + high - entry
    return opposite(entry)


def _seat_number(sheet: _Sheet, place: np.ndarray, seat: int) -> None:
    sheet.axes.text(
        *place,
        str(seat),
        fontsize=NAME_SIZE - 1.6,
        weight="bold",
        color=INK,
        ha="center",
        va="center_baseline",
        bbox={"boxstyle": "circle,pad=0.12", "fc": PAPER, "ec": SEATS[seat], "lw": 1.0},
        zorder=5,
    )


# ---------------------------------------------------------------------------------- names and key


def _place_names(sheet: _Sheet, lines: list[np.ndarray]) -> None:
    """Write every name where it hides least: no other name, no city, few of the lines."""
    anchors = np.array([sheet.centres[city.place] for city in sheet.file.cities])
    texts = [city.name for city in sheet.file.cities]
    radii = [DISC + (RING if city.dial_start else 0.0) for city in sheet.file.cities]
    discs = np.array([(*(at - r), *(at + r)) for at, r in zip(anchors, radii, strict=True)])
    lines = [*lines, *_ridges(sheet)]
    steps = np.concatenate([_dense(line) for line in lines]) if lines else np.empty((0, 2))
    left, right, top, bottom = np.array(sheet.frame) + (0.2, -0.2, 0.0, 0.0)
    choices = []
    for index, text in enumerate(texts):
        size = np.array((_width(text) + 2, 1.15 * NAME_SIZE)) * sheet.point
        others = np.delete(discs, index, 0)
        rows = []
        for gap in (0.12, 0.45, 0.9):
            for angle in range(0, 360, 15):
                box = _box_at(anchors[index], size, angle, radii[index] + gap)
                out = max(left - box[0], box[2] - right, top - box[1], box[3] - bottom, 0)
                inside = ((steps > box[:2]) & (steps < box[2:])).all(axis=1).sum()
                cost = 1.5 * gap + (0.0 if angle % 90 == 0 else 0.25) + 40 * out
                cost += 30 * _overlap(box, others) + 0.12 * inside
                rows.append((float(cost), box))
        choices.append(rows)
    picked = [min(rows, key=lambda row: row[0]) for rows in choices]
    for _ in range(8):  # give way to one another until nobody gains by moving
        moved = False
        for index, rows in enumerate(choices):
            others = np.array([box for k, (_, box) in enumerate(picked) if k != index])
            best = min(rows, key=lambda row: row[0] + 40 * _overlap(row[1], others))
            moved |= best is not picked[index]
            picked[index] = best
        if not moved:
            break
    for text, (_, box) in zip(texts, picked, strict=True):
        sheet.axes.text(
            (box[0] + box[2]) / 2,
            (box[1] + box[3]) / 2,
            text,
            fontsize=NAME_SIZE,
            color=INK,
            ha="center",
            va="center_baseline",
            bbox={"facecolor": PAPER, "edgecolor": "none", "alpha": 0.72, "pad": 0.3},
            zorder=8,
        )


def _dense(line: np.ndarray) -> np.ndarray:
    """Points on a line, close to each other."""
    t = np.linspace(0, 1, 7)[:-1, None, None]
    return (line[:-1] + t * (line[1:] - line[:-1])).reshape(-1, 2)


def _width(text: str, size: float = NAME_SIZE) -> float:
    """Width of a text in points, on the generous side."""
    return size * (0.56 * len(text) + 0.2 * sum(letter in "mwMW" for letter in text))


def _box_at(anchor: np.ndarray, size: np.ndarray, angle: float, distance: float) -> np.ndarray:
    direction = np.array((np.cos(np.radians(angle)), np.sin(np.radians(angle))))
    centre = anchor + direction * (distance + size / 2)
    return np.concatenate([centre - size / 2, centre + size / 2])


def _overlap(box: np.ndarray, others: np.ndarray) -> float:
    """Depth of overlap, summed: 0 when the box is clear of all the others."""
    if not len(others):
        return 0.0
    x = np.minimum(box[2], others[:, 2]) - np.maximum(box[0], others[:, 0])
    y = np.minimum(box[3], others[:, 3]) - np.maximum(box[1], others[:, 1])
    return float(np.minimum(np.maximum(x, 0), np.maximum(y, 0)).sum())


def _line(colour: str, width: float, seat: int | None = None) -> Callable:
    """Draws a piece of line for the key, with a seat's number in it."""

    def put(sheet: _Sheet, x: float, y: float) -> None:
        reach = 11 * sheet.point
        sheet.axes.plot((x - reach, x + reach), (y, y), color=colour, lw=width, zorder=4)
        if seat is not None:
            _seat_number(sheet, np.array((x, y)), seat)

    return put


def _hex(letter: str) -> Callable:
    """Draws a hex for the key."""

    def put(sheet: _Sheet, x: float, y: float) -> None:
        scale = 8 * sheet.point
        sheet.axes.fill(
            *(np.array((x, y)) + scale * CORNERS).T, fc=GROUND[letter], ec=MUTED, lw=0.6
        )
        for line in _terrain_mark(letter) if letter in MARK else ():
            sheet.axes.plot(*(np.array((x, y)) + scale * line).T, color=MARK[letter], lw=0.9)

    return put


def _disc(colour: str, ring: bool = False) -> Callable:
    """Draws a city for the key."""

    def put(sheet: _Sheet, x: float, y: float) -> None:
        if ring:
            sheet.axes.plot(x, y, "o", ms=16, mfc=PAPER, mec=INK, mew=0.9)
        sheet.axes.plot(x, y, "o", ms=12, mfc=CITY[colour], mec=INK, mew=0.9, zorder=6)
        _letter(sheet, np.array((x, y)), colour)

    return put


def _map_key(file: BoardFile) -> list[_KeyEntry]:
    entries: list[_KeyEntry] = [(_hex(letter), text) for letter, text in TERRAIN.items()]
    entries.append((_line(RIDGE, 3.0), "ridge"))
    entries += [(_disc(colour), colour) for colour in CITY]
    if any(city.dial_start for city in file.cities):
        entries.append((_disc("gray", ring=True), "rotor city"))
    return entries


def _entry_width(entry: _KeyEntry) -> float:
    return 38 + _width(entry[1])


def _draw_key(sheet: _Sheet) -> None:
    """The key in rows below the hexes, and the board's label."""
    left, right, _, bottom = sheet.frame
    y = bottom + MARGIN + 4 * sheet.point
    for row in sheet.key:
        x = left + 22 * sheet.point
        for entry in row:
            draw_sign, text = entry
            draw_sign(sheet, x, y)
            sheet.axes.text(
                x + 16 * sheet.point,
                y,
                text,
                fontsize=NAME_SIZE,
                color=MUTED,
                va="center_baseline",
            )
            x += _entry_width(entry) * sheet.point
        y += KEY_LINE * sheet.point
    sheet.axes.text(
        right - 8 * sheet.point,
        y,
        sheet.file.meta.label,
        fontsize=9.5,
        style="italic",
        color=INK,
        ha="right",
        va="center",
    )
