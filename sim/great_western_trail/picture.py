"""A drawing of the board on matplotlib axes: trail, railroad and cities, and what lies on them."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sim.great_western_trail.board import elements, read
from sim.great_western_trail.board_entries import (
    KANSAS_CITY,
    OFFICE,
    BoardFile,
    City,
    Space,
    Station,
    Town,
)
from sim.great_western_trail.state import (
    BLACK_HAND,
    BLUE_TEEPEE,
    GREEN_HAND,
    GREEN_TEEPEE,
    LAST_NUMBER,
    NEUTRALS,
    TOWN_SPACES,
    WORKERS,
)
from sim.layout import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sim.game import Position

INK, MUTED, PAPER = "#22252a", "#6b717a", "#fffefb"
PATH, EDGE, FIELD = "#d9c9a3", "#b9b3a2", "#f8f5ec"
WOODS, RISK = "#2f6b3c", "#8a3324"
GROUND = {"neutral": "#efe3c2", "private": FIELD, "teepee": "#efe6dc"}
HAZARD = {"flood": "#cfe3f0", "drought": "#f6e3b5", "rockfall": "#dcd7d2"}
HAND = {GREEN_HAND: "#4aa657", BLACK_HAND: INK}
TEEPEE = {GREEN_TEEPEE: ("#3d8c4a", "G", GREEN_HAND), BLUE_TEEPEE: ("#2f74b5", "B", BLACK_HAND)}
AREAS = ("#dcebd3", "#e6ddf0", "#d5e4f2", "#f7ddd6", "#cde9e5", "#f3dced", "#ece5cf", "#e2e2e2")
# One hue, light to dark: spaces stopped on in up to 5, 15, 40 and 100 % of the games.
STEPS = (0.05, 0.15, 0.4, 1.0)
RAMP = ("#ead9e9", "#cf9dcb", "#933e91", "#4f0f55")
ON_RAMP = (INK, INK, PAPER, PAPER)
# Okabe and Ito's colours, one a seat; whatever has one bears the number of its seat as well.
SEATS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")

# Lengths, those of lines and letters too, are points on a sheet of this width, and grow with it.
WIDE, SIDE = 760.0, 12.0
LETTERS, FEW = 7.6, 7.0  # sizes of letters, the second where there is little room
ACROSS, DOWN = 57.0, 54.0  # from a column of the trail to the next, from a lane to the next
BOX, GOAL_BOX = np.array((49.0, 40.0)), np.array((104.0, 50.0))
COLUMNS = 13  # in a row of a trail without places
RAILROAD, STRIP, TOWNS = 130.0, 78.0, 66.0  # heights: of the last, of one row
FIRST_RAIL, RAIL = 78.0, 16.3  # where the railroad begins, and from a space to the next
TRACK = 88.0  # from the top of the railroad to its track
PLATE = np.array((46.0, 48.0))
KEY_LINE = 20.0


class _Sheet(NamedTuple):
    """The axes, the board, and the points of real paper for one of the sheet's."""

    axes: Axes
    file: BoardFile
    scale: float


_Sign = Callable[[_Sheet, float, float], None]
_KeyEntry = tuple[_Sign, str]
_Places = dict[str, np.ndarray]


def draw(
    axes: Axes,
    document: dict,
    counts: np.ndarray | None = None,
    games: int | None = None,
) -> None:
    """Draw trail and railroad, and, with counts, in how many games cattlemen stopped on a space.

    Parameters
    ----------
    axes
        Empty axes; their limits and aspect are set here.
    document
        The parsed board file.
    counts
        Games in which a cattleman stopped on each space of the trail, in the order of
        `board.elements`. None draws the board alone.
    games
        Number of games behind `counts`.

    Notes
    -----
    Letters grow and shrink with the width of the axes; they read well from 10 inches on. Give the
    axes the height that the board then needs.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> import sim
    >>> document = sim.load("great-western-trail").board().document
    >>> draw(Figure(figsize=(10, 8)).subplots(), document)
    """
    file = read(document, "board")
    shares = None if counts is None or not games else np.asarray(counts, float) / games
    places, beside = _trail(file)
    bottom = _bottom(places, beside)
    key = [*_trail_key(), *_railroad_key()]
    sheet = _lay_out(axes, file, bottom + RAILROAD, key, _share_key(shares))
    _draw_trail(sheet, places, beside)
    if shares is not None:
        _draw_shares(sheet, places, shares)
    _draw_railroad(sheet, bottom)
    for station in file.stations:
        if station.master:
            how = {"size": FEW, "style": "italic"}
            _write(sheet, _turnout(station), bottom + 51, "master", **how)


def draw_position(axes: Axes, position: Position) -> None:
    """Draw one game: what lies on the trail, the engines, and the discs of each player.

    The extension board lies above its strip of cities when Rails to the North is used.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> import sim
    >>> position = sim.load("great-western-trail").new(players=2)
    >>> draw_position(Figure(figsize=(10, 9)).subplots(), position)
    """
    state, record, file = position.state[0], position.board.record[0], position.board.file
    north = bool(record.n_towns)
    places, beside = _trail(file)
    bottom = _bottom(places, beside)
    towns = _town_places(file) if north else {}
    strip = bottom + RAILROAD
    if north:
        strip += TOWNS * max(place[1] for place in towns.values()) + 20
    key = [*_trail_key(), *_tile_key(record.toll[position.players]), *_railroad_key()]
    key += _north_key(file) if north else []
    sheet = _lay_out(axes, file, strip + STRIP, key, _seat_key(state, position.players))
    _draw_trail(sheet, places, beside)
    _draw_tiles(sheet, places, beside, state, record)
    _draw_cattlemen(sheet, places, state)
    _draw_railroad(sheet, bottom)
    for number, station in enumerate(file.stations):
        _draw_station(sheet, _turnout(station), bottom + 12, number, state)
    _draw_engines(sheet, bottom + TRACK, state, record)
    if north:
        _draw_towns(sheet, strip, towns, state)
    _draw_strip(sheet, strip, north, state, record)


# -------------------------------------------------------------------------------------- the sheet


def _lay_out(axes: Axes, file: BoardFile, depth: float, *keys: list[_KeyEntry]) -> _Sheet:
    """Set the limits of the axes, and write the keys below what will be drawn."""
    rows = [row for key in keys for row in _rows(key)]
    down = depth + KEY_LINE * (len(rows) + 1)
    wide, high = axes.get_figure().get_size_inches() * axes.get_position(original=True).size
    # A sheet that gives its height to the board is at most 1.6 times as high as wide.
    sheet = _Sheet(axes, file, min(72 * wide / WIDE, 72 * max(1.6 * wide, high) / down))
    axes.set_xlim(0, WIDE)
    axes.set_ylim(down, 0)
    axes.set_aspect("equal")
    axes.set_axis_off()
    y = depth + KEY_LINE / 2
    for row in rows:
        x = SIDE + 12
        for sign, text in row:
            sign(sheet, x, y)
            _write(sheet, x + 16, y, text, color=MUTED, ha="left")
            x += _entry_width(text)
        y += KEY_LINE
    _write(sheet, WIDE - SIDE, y, file.meta.label, size=9.0, style="italic", ha="right")
    return sheet


def _rows(entries: list[_KeyEntry]) -> list[list[_KeyEntry]]:
    """The entries in rows that the sheet has room for."""
    rows: list[list[_KeyEntry]] = []
    x = math.inf
    for entry in entries:
        x += _entry_width(entry[1])
        if x > WIDE - 2 * SIDE:
            rows.append([])
            x = _entry_width(entry[1])
        rows[-1].append(entry)
    return rows


def _entry_width(text: str) -> float:
    return 37 + _width(text)


def _width(text: str, size: float = LETTERS) -> float:
    """Width of a text, on the generous side."""
    return size * (0.54 * len(text) + 0.2 * sum(letter in "mwMW" for letter in text))


def _lines(text: str, wide: float) -> list[str]:
    """A text on one line, or on two."""
    gaps = [n for n, letter in enumerate(text) if letter == " "]
    if _width(text) <= wide or not gaps:
        return [text]
    gap = min(gaps, key=lambda n: abs(n - len(text) / 2))
    return [text[:gap], text[gap + 1 :]]


def _write(sheet: _Sheet, x: float, y: float, text: str, size: float = LETTERS, **how: Any) -> None:
    how = {"color": INK, "ha": "center", "va": "center_baseline", "zorder": 7} | how
    sheet.axes.text(x, y, text, fontsize=size * sheet.scale, **how)


def _line(sheet: _Sheet, points: Iterable, width: float, colour: str, **how: Any) -> None:
    how = {"solid_capstyle": "round", "zorder": 1} | how
    sheet.axes.plot(*np.transpose(points), color=colour, lw=width * sheet.scale, **how)


def _shape(sheet: _Sheet, points: Iterable, width: float = 0.8, **how: Any) -> None:
    from matplotlib.patches import Polygon  # only those who draw wait for it

    how = {"ec": INK, "zorder": 3} | how
    sheet.axes.add_patch(Polygon(np.asarray(points), lw=width * sheet.scale, **how))


def _disc(sheet: _Sheet, x: float, y: float, radius: float, width: float = 0.8, **how: Any) -> None:
    from matplotlib.patches import Circle

    how = {"ec": INK, "zorder": 5} | how
    sheet.axes.add_patch(Circle((x, y), radius, lw=width * sheet.scale, **how))


def _box(
    sheet: _Sheet,
    centre: Iterable,
    size: Iterable,
    width: float = 0.8,
    rounding: float = 4.0,
    **how: Any,
) -> None:
    from matplotlib.patches import FancyBboxPatch

    how = {"ec": EDGE, "fc": PAPER, "zorder": 3} | how
    how |= {"boxstyle": f"round,pad=0,rounding_size={rounding}", "lw": width * sheet.scale}
    corner = np.asarray(centre) - np.asarray(size) / 2
    sheet.axes.add_patch(FancyBboxPatch(corner, *size, **how))


def _on_seat(sheet: _Sheet, x: float, y: float, seat: int, size: float = FEW, **how: Any) -> None:
    """The number of a seat on its colour."""
    _write(sheet, x, y, str(seat), size=size, weight="bold", color=PAPER, **how)


def _money(dollars: int) -> str:
    return f"−${-dollars}" if dollars < 0 else f"${dollars}"


def _signed(number: int) -> str:
    return f"−{-number}" if number < 0 else str(number)


# -------------------------------------------------------------------------------------- the trail


def _trail(file: BoardFile) -> tuple[_Places, dict[int, np.ndarray]]:
    """Where the spaces of the trail are drawn, and the teepee spaces beside it by their trade."""
    at = [space.at for space in file.spaces]
    grid = np.array(at if all(at) else _in_order(file.spaces), float)
    trades = sorted(file.beside_trail.trades, reverse=True)
    teepees = [spot for spot, space in zip(grid, file.spaces, strict=True) if space.trade]
    if len(teepees) > 1:  # on from the trail's, the other way
        first, step = teepees[0], teepees[0] - teepees[1]
    else:  # below
        first, step = np.array((grid[:, 0].min() - 1.2, grid[:, 1].max() + 1)), np.array((1, 0))
    spots = np.array([*grid, *(first + (1.2 + 0.88 * n) * step for n in range(len(trades)))])
    reach = [_size(space)[0] / ACROSS / 2 for space in file.spaces] + [0.4] * len(trades)
    left, right = (spots[:, 0] - reach).min(), (spots[:, 0] + reach).max()
    across = min(ACROSS, (WIDE - 2 * SIDE) / (right - left))
    spots = (spots - (left, spots[:, 1].min())) * (across, DOWN) + (SIDE, 42)
    return (
        dict(zip(file.space_names, spots, strict=False)),
        dict(zip(trades, spots[len(grid) :], strict=True)),
    )


def _in_order(spaces: list[Space]) -> list[tuple[float, float]]:
    """Column and lane of each space by how far along the trail it lies, in rows that turn back."""
    column, lane = {spaces[0].name: 0}, {spaces[0].name: 0}
    taken = set()
    for space in spaces:  # every way leads further down the list
        here = column[space.name]
        while (here, lane[space.name]) in taken:
            lane[space.name] += 1
        taken.add((here, lane[space.name]))
        for way, name in enumerate(space.next):
            column[name] = max(column.get(name, 0), here + 1)
            lane[name] = min(lane.get(name, math.inf), lane[space.name] + way)
    ways = [(column[space.name], column[name]) for space in spaces for name in space.next]
    # A row ends where all ways meet.
    meets = [
        here
        for here, number in Counter(column.values()).items()
        if number == 1 and not any(start < here < end for start, end in ways)
    ]
    starts = [0]
    for here, after in itertools.pairwise(sorted(meets)):
        if after - starts[-1] >= COLUMNS:
            starts.append(here + 1)
    grid = {}
    turn, top, way = 0, 0.0, 1
    for start, end in itertools.pairwise([*starts, max(column.values()) + 1]):
        row = [space for space in spaces if start <= column[space.name] < end]
        for space in row:
            along, down = column[space.name] - start, lane[space.name]
            along += 1 if start and not down else 0  # past it goes the way to the next lane
            along += 0.6 if space.kind == "goal" else 0  # its box is wide
            grid[space.name] = (turn + way * along, top + down)
        top += max(lane[space.name] for space in row) + 2.2
        turn += way * (end - start - (0 if start else 1))
        way = -way
    return [grid[space.name] for space in spaces]


def _bottom(places: _Places, beside: dict[int, np.ndarray]) -> float:
    return max(y for _, y in (*places.values(), *beside.values())) + 36


def _draw_trail(sheet: _Sheet, places: _Places, beside: dict[int, np.ndarray]) -> None:
    spaces = {space.name: space for space in sheet.file.spaces}
    for space in spaces.values():
        for name in space.next:
            after = spaces[name]
            _draw_way(sheet, places[space.name], places[name], _size(space), _size(after))
    for space, name in zip(spaces.values(), elements(sheet.file), strict=True):
        _draw_space(sheet, places[space.name], space, name)
    for trade, place in beside.items():
        _box(sheet, place, (44, 36), ec=MUTED, ls=(0, (2, 2)))
        _write(sheet, place[0], place[1] + 12, _money(trade))


def _size(space: Space) -> np.ndarray:
    return GOAL_BOX if space.kind == "goal" else BOX


def _draw_way(sheet: _Sheet, start: np.ndarray, end: np.ndarray, *sizes: np.ndarray) -> None:
    """A way between boxes of these sizes, and an arrow in the middle of what is seen of it."""
    _line(sheet, (start, end), 5.0, PATH)
    along = (end - start) / np.linalg.norm(end - start)
    across = np.array((-along[1], along[0]))
    hidden = [(size / 2 / np.maximum(np.abs(along), 1e-9)).min() for size in sizes]
    middle = (start + end + (hidden[0] - hidden[1]) * along) / 2
    left, right = (middle - 1.6 * along + 3.4 * side * across for side in (-1, 1))
    _line(sheet, (left, middle + 1.8 * along, right), 1.4, MUTED, zorder=2)


def _draw_space(sheet: _Sheet, place: np.ndarray, space: Space, name: str) -> None:
    fill = HAZARD[space.hazard] if space.hazard else GROUND.get(space.kind, PAPER)
    if space.risk:
        border = {"ec": RISK, "width": 1.2, "ls": (0, (3, 2))}
    else:
        border = {} if space.kind in ("private", "hazard", "teepee") else {"ec": INK, "width": 1.4}
    _box(sheet, place, _size(space), fc=fill, **border)
    x, y = place
    if space.kind == "goal":
        _write(sheet, x, y + 16, name, size=9.5, weight="bold")
        return
    lines = _lines(name, BOX[0] - 5)
    for n, line in enumerate(reversed(lines)):
        _write(sheet, x, y + 13 - 8.4 * n, line)
    if space.woods:
        _tree(sheet, x + 17.5, y - 10)


def _tree(sheet: _Sheet, x: float, y: float) -> None:
    _line(sheet, ((x, y + 3), (x, y + 7)), 2.0, WOODS, zorder=4, solid_capstyle="butt")
    for top, half in ((-7.5, 4.0), (-3.5, 5.5)):
        points = (x, y + top), (x - half, y + top + 7.5), (x + half, y + top + 7.5)
        _shape(sheet, points, width=0.4, fc=WOODS, ec=WOODS)


def _draw_shares(sheet: _Sheet, places: _Places, shares: np.ndarray) -> None:
    for space, share in zip(sheet.file.spaces, shares.tolist(), strict=True):
        x, y = places[space.name] - (6 if space.woods else 0, 9)
        step = int(np.searchsorted(STEPS, share - 1e-12))
        if share:
            wide = 29 if space.woods else 2 * BOX[0] - 56 if space.kind == "goal" else BOX[0] - 8
            _box(sheet, (x, y), (wide, 15), fc=RAMP[step], ec="none", rounding=3)
        how = {"weight": "bold", "color": ON_RAMP[step]} if share else {"color": MUTED}
        _write(sheet, x, y, _percent(share), size=8.4, **how)


def _percent(share: float) -> str:
    """A share in few letters.

    >>> [_percent(share) for share in (0, 0.003, 0.034, 0.5, 1)]
    ['0', '<1 %', '3 %', '50 %', '100 %']
    """
    return "0" if share == 0 else "<1 %" if share < 0.01 else f"{100 * share:.0f} %"


def _draw_tiles(
    sheet: _Sheet,
    places: _Places,
    beside: dict[int, np.ndarray],
    state: np.record,
    record: np.record,
) -> None:
    """Buildings, hazards and teepees."""
    order = record.trade_money.tolist()
    for number, space in enumerate(sheet.file.spaces):
        x, y = places[space.name]
        building, hazard = int(state.building[number]), int(state.hazard[number])
        if building >= NEUTRALS:
            tile, hands = divmod(building - NEUTRALS, 2), int(record.building_hand[building])
            left = x - (6 if space.woods else 0)
            _building(
                sheet, left, y - 9, int(state.builder[number]), f"{tile[0] + 1}{'ab'[tile[1]]}"
            )
            _hands(sheet, x + 18, y + 13, hands)
        elif building >= 0:
            name = sheet.file.neutral_buildings[building].name
            _box(sheet, (x, y - 7), (23, 20), width=1.0, ec=INK)
            _write(sheet, x, y - 7, name.upper(), size=13.0, weight="bold")
        if hazard >= 0:
            _hazard(sheet, x - 5, y - 9, int(record.tile_points[hazard]))
            _hands(sheet, x + 17, y - 9, int(record.tile_hand[hazard]))
        if space.trade is not None:
            _teepee(sheet, x, y - 8, int(state.teepee[order.index(space.trade)]))
    for trade, (x, y) in beside.items():
        _teepee(sheet, x, y - 6, int(state.teepee[order.index(trade)]))


def _building(sheet: _Sheet, x: float, y: float, seat: int, name: str) -> None:
    _box(sheet, (x, y), (34, 15), width=1.0, rounding=3, fc=SEATS[seat], ec=INK)
    _disc(sheet, x - 11, y, 5.2, width=0.6, fc=PAPER)
    _write(sheet, x - 11, y, str(seat), size=FEW, weight="bold")
    _write(sheet, x + 5.8, y, name, size=8.2, weight="bold", color=PAPER)


def _hazard(sheet: _Sheet, x: float, y: float, points: int) -> None:
    _box(sheet, (x, y), (28, 15), width=1.0, rounding=7, ec=INK)
    _write(sheet, x, y, f"{points} pt", weight="bold")


def _teepee(sheet: _Sheet, x: float, y: float, tile: int) -> None:
    if tile < 0:
        return
    colour, letter, hand = TEEPEE[tile]
    for side in (-3, 3):
        _line(sheet, ((x, y - 8), (x + side, y - 11.5)), 1.0, INK, zorder=3)
    _shape(sheet, ((x, y - 9), (x - 9.5, y + 8), (x + 9.5, y + 8)), width=1.0, fc=colour)
    _write(sheet, x, y + 3.4, letter, size=FEW, weight="bold", color=PAPER)
    _hands(sheet, x + 16, y - 1, hand)


def _hands(sheet: _Sheet, x: float, y: float, hands: int) -> None:
    """A mark in the colour of a tile's hand, or half and half in those of both."""
    from matplotlib.patches import Wedge

    colours = [colour for hand, colour in HAND.items() if hands & hand]
    for n, colour in enumerate(colours):
        turn = 360 / len(colours)
        how = {"fc": colour, "ec": INK, "lw": 0.6 * sheet.scale, "zorder": 5}
        sheet.axes.add_patch(Wedge((x, y), 3.5, 90 + n * turn, 90 + (n + 1) * turn, **how))


def _draw_cattlemen(sheet: _Sheet, places: _Places, state: np.record) -> None:
    there: dict[int, int] = {}
    for seat in range(int(state.n_players)):
        number = max(int(state.at[seat]), 0)  # who is not placed yet waits at the start
        space = sheet.file.spaces[number]
        x, y = places[space.name] - _size(space) / 2
        if space.kind == "goal":  # its box has room
            x, y = x + 26, y + 14
        _cattleman(sheet, x + 4 + 14 * there.get(number, 0), y - 3, seat)
        there[number] = there.get(number, 0) + 1


def _cattleman(sheet: _Sheet, x: float, y: float, seat: int) -> None:
    """A pin that points to where the cattleman is."""
    angles = np.radians(np.linspace(145, 395, 24))
    head = np.array((x, y - 4)) + 7.4 * np.column_stack((np.cos(angles), np.sin(angles)))
    _shape(sheet, [*head, (x, y + 9)], width=1.0, fc=SEATS[seat], zorder=8)
    _on_seat(sheet, x, y - 4, seat, size=8.0, zorder=9)


# ------------------------------------------------------------------------------ railroad and cities


def _rail(at: float) -> float:
    """Where a space of the railroad lies; a turnout lies halfway to the next."""
    return FIRST_RAIL + RAIL * at


def _turnout(station: Station) -> float:
    return _rail(station.at or station.after + 0.5)


def _draw_railroad(sheet: _Sheet, top: float) -> None:
    y = top + TRACK
    _line(sheet, ((_rail(0), y), (_rail(LAST_NUMBER), y)), 5.0, PATH)
    _box(sheet, (_rail(0) - 18, y), (50, 30), ec=MUTED)  # where engines wait
    _write(sheet, _rail(0), y, "0", size=FEW)
    for number in range(1, LAST_NUMBER + 1):
        _box(sheet, (_rail(number), y), (13.6, 13.6), rounding=2, ec=MUTED, fc=FIELD)
        _write(sheet, _rail(number), y, str(number), size=FEW)
    for number in sheet.file.railroad.crosses:
        _cross(sheet, _rail(number + 0.5), y + 13)
    for station in sheet.file.stations:
        x = _turnout(station)
        if station.after:
            ends = (x - RAIL / 2, y - 6), (x, y - 15), (x + RAIL / 2, y - 6)
            _line(sheet, ends, 2.0, PATH)
            _disc(sheet, x, y - 15, 4.6, fc=FIELD, ec=MUTED)
        _plate(sheet, (x, top + 12 + PLATE[1] / 2), PLATE, station.corner)
        _write(sheet, x, top + 22, _worth(station))


def _worth(station: Station) -> str:
    return f"${station.cost}: {station.points} pt"


def _cross(sheet: _Sheet, x: float, y: float) -> None:
    for slope in (-1, 1):
        ends = (x - 2.6, y - 2.6 * slope), (x + 2.6, y + 2.6 * slope)
        _line(sheet, ends, 1.4, RISK)


def _plate(sheet: _Sheet, centre: Iterable, size: np.ndarray, corner: str) -> None:
    """A box with the corners that tell which discs it takes."""
    _box(sheet, centre, size, rounding=0.1, ec=MUTED)
    for right in (-1, 1):
        for down in (-1, 1):
            x, y = np.asarray(centre) + size / 2 * (right, down)
            points = (x, y), (x - 5.5 * right, y), (x, y - 5.5 * down)
            _shape(sheet, points, ec=MUTED, fc=INK if corner == "black" else PAPER)


def _draw_station(sheet: _Sheet, x: float, top: float, number: int, state: np.record) -> None:
    """Discs on a station, and its station master, or who was appointed in his place."""
    _draw_discs(sheet, x, top + 24, PLATE[0], state.station_disc[: state.n_players, number])
    master, worker = int(state.station_master[number]), int(state.station_worker[number])
    if master >= 0:
        name = sheet.file.used("masters", north=True)[master].name
        _write(sheet, x, top + 39, name, size=FEW, style="italic")
    elif worker >= 0:
        _write(sheet, x, top + 39, WORKERS[worker], size=FEW, color=MUTED)


def _draw_discs(sheet: _Sheet, x: float, y: float, wide: float, counts: np.ndarray) -> None:
    """Discs of the players on one line or two; several of a player as one with their number."""
    discs = [(seat, count) for seat, count in enumerate(counts.tolist()) if count]
    if sum(map(_disc_width, discs)) > wide:
        half = (len(discs) + 1) // 2
        rows = [discs[:half], discs[half:]]
    else:
        rows = [discs]
    for n, row in enumerate(rows):
        left = x - sum(map(_disc_width, row)) / 2
        for seat, count in row:
            at = left + 5.7, y + 12 * n
            _disc(sheet, *at, 5.2, fc=SEATS[seat])
            _on_seat(sheet, *at, seat)
            if count > 1:
                _write(sheet, at[0] + 6.5, at[1], f"×{count}", size=FEW, ha="left")
            left += _disc_width((seat, count))


def _disc_width(disc: tuple[int, int]) -> float:
    return 11.4 if disc[1] == 1 else 18 + _width(f"×{disc[1]}", FEW)


def _draw_engines(sheet: _Sheet, y: float, state: np.record, record: np.record) -> None:
    waiting = 0
    for seat in range(int(state.n_players)):
        position = int(state.engine[seat])
        if position == 0:
            row, column = divmod(waiting, 2)
            _engine(sheet, _rail(0) - 32 + 17 * column, y - 7 + 14 * row, seat)
            waiting += 1
        elif position > LAST_NUMBER:
            _engine(sheet, _rail(int(record.turnout_after[position]) + 0.5), y - 15, seat)
        else:
            x = _rail(position)
            _line(sheet, ((x, y + 7), (x, y + 22)), 1.0, INK)
            _engine(sheet, x, y + 26, seat)


def _engine(sheet: _Sheet, x: float, y: float, seat: int) -> None:
    """An engine, its nose forward."""
    points = np.array(((-7, -5.8), (3.5, -5.8), (8.5, 0), (3.5, 5.8), (-7, 5.8))) + (x, y)
    _shape(sheet, points, width=1.0, fc=SEATS[seat], zorder=6)
    _on_seat(sheet, x - 0.5, y, seat, size=LETTERS)


def _columns(file: BoardFile, north: bool) -> tuple[dict[str, float], float]:
    """Where the cities of the strip stand, and how far from each other."""
    cities = file.cities_north if north else file.cities
    step = (WIDE - 2 * SIDE) / len(cities)
    return {city.name: SIDE + step * (n + 0.5) for n, city in enumerate(cities)}, step


def _draw_strip(
    sheet: _Sheet, top: float, north: bool, state: np.record, record: np.record
) -> None:
    columns, step = _columns(sheet.file, north)
    size = np.array((min(step - 6, 86), 54.0))
    y = top + 4
    for number, city in enumerate(sheet.file.cities_north if north else sheet.file.cities):
        discs = state.city_discs[: state.n_players, number]
        _draw_city(sheet, np.array((columns[city.name], y + size[1] / 2)), size, city, discs)
    y += size[1]
    for n in range(int(record.n_pairs)):
        left, right = sorted(list(columns.values())[city] for city in record.pair[n])
        bracket = (left + 9, y), (left + 9, y + 4), (right - 9, y + 4), (right - 9, y)
        _line(sheet, bracket, 1.0, MUTED, solid_capstyle="butt")
        _write(sheet, (left + right) / 2, y + 11, _reward(sheet, record, n), size=FEW, color=MUTED)


def _reward(sheet: _Sheet, record: np.record, pair: int) -> str:
    """What discs on both cities of a pair bring."""
    points, icon = int(record.pair_points[pair]), int(record.pair_icon[pair])
    parts = [f"{_signed(points)} pt"] if points else []
    parts += [sheet.file.icon_names[icon]] if icon >= 0 else []
    parts += [f"${record.pair_gift[pair]}"] if record.pair_gift[pair] else []
    return ", ".join(parts)


def _draw_city(
    sheet: _Sheet, centre: np.ndarray, size: np.ndarray, city: City, discs: np.ndarray
) -> None:
    x, y = centre - size / 2
    _plate(sheet, centre, size, city.corner)
    _write(sheet, x + 8, y + 10, str(city.value), size=11, weight="bold", ha="left")
    worth = [f"${city.money}"] if city.money else []
    worth += [f"{_signed(city.points)} pt"] if city.points else []
    worth += [f"{city.bell_points} pt/bell"] if city.bell_points else []
    _write(sheet, x + size[0] - 7, y + 9, ", ".join(worth), ha="right")
    room = LETTERS * (size[0] - 5) / _width(city.name)
    _write(sheet, centre[0], y + 22, city.name, size=min(LETTERS, room))
    _draw_discs(sheet, centre[0], y + 34, size[0] - 6, discs)


# ------------------------------------------------------------------------------ the extension board


def _town_places(file: BoardFile) -> _Places:
    """Where the towns lie: across in cities of the strip, and in rows above it."""
    row = len(file.cities_north)
    at = [town.at for town in file.towns]
    grid = at if all(at) else [(n % row, 1 + 1.15 * (n // row)) for n in range(len(at))]
    return {town.name: np.array(place) for town, place in zip(file.towns, grid, strict=True)}


def _draw_towns(sheet: _Sheet, strip: float, towns: _Places, state: np.record) -> None:
    file = sheet.file
    columns, step = _columns(file, north=True)
    ends = {name: np.array((x, strip + 6)) for name, x in columns.items()}
    ends[OFFICE] = ends[KANSAS_CITY]
    for name, (x, y) in towns.items():
        ends[name] = np.array((SIDE + step * (x + 0.5), strip + 18 - TOWNS * y))
    areas = {town.name: town.area for town in file.towns}
    for town in file.towns:
        how = {"fc": _area_colour(file, town.area), "ec": "none", "zorder": 0}
        _box(sheet, ends[town.name], _town_size(file, town) + 10, rounding=7, **how)
    for one, other in file.links.joins:
        link = ends[one], ends[other]
        if one in areas and areas[one] == areas.get(other):
            _line(sheet, link, 22, _area_colour(file, areas[one]), zorder=0)
        _line(sheet, link, 2.2, MUTED)
    for number, town in enumerate(file.towns):
        _draw_town(sheet, ends[town.name], town, number, state)


def _area_colour(file: BoardFile, area: str) -> str:
    areas = list(dict.fromkeys(town.area for town in file.towns))
    return AREAS[areas.index(area) % len(AREAS)]


def _town_size(file: BoardFile, town: Town) -> np.ndarray:
    repeats = any(city.repeats for city in file.big_towns if city.name == town.name)
    sizes = {"small": (54.0, 32.0), "medium": (54.0, 48.0)}
    return np.array(sizes.get(town.type, (70.0, 71.0 if repeats else 59.0)))


def _draw_town(sheet: _Sheet, place: np.ndarray, town: Town, number: int, state: np.record) -> None:
    file = sheet.file
    size = _town_size(file, town)
    (x, y), middle = place - size / 2, place[0]
    if town.type == "big":
        city = [city.name for city in file.strip(north=True)].index(town.name)
        discs = state.city_discs[: state.n_players, city]
        _draw_city(sheet, place, size, file.strip(north=True)[city], discs)
    elif town.type == "station":
        stations = file.used("stations", north=True)
        station = [station.town for station in stations].index(town.name)
        _plate(sheet, place, size, stations[station].corner)
        _write(sheet, x + 8, y + 10, town.name, size=9.0, weight="bold", ha="left")
        _write(sheet, x + size[0] - 7, y + 10, _worth(stations[station]), ha="right")
        _draw_station(sheet, middle, y - 1, station, state)
    else:
        _box(sheet, place, size, rounding=3, ec=MUTED)
        _write(sheet, middle, y + 9, town.name, size=9.0, weight="bold")
    if town.type == "medium" and state.medium[number] >= 0:
        lines = _lines(file.medium_tiles[state.medium[number]].icon, size[0] - 6)
        for n, line in enumerate(lines):
            top = y + 28 - 4 * len(lines) + 8 * n
            _write(sheet, middle, top, line, size=FEW, style="italic")
    for n in range(TOWN_SPACES):
        left = middle + 12.6 * (n - (TOWN_SPACES - 1) / 2)
        _draw_branchlet(sheet, left, y + size[1] - 8.5, town, n, int(state.town[number, n]))


def _draw_branchlet(sheet: _Sheet, x: float, y: float, town: Town, n: int, owner: int) -> None:
    """A branchlet, or its space with what is gained or paid there."""
    if owner >= 0:
        _box(sheet, (x, y), (10.6, 10.6), rounding=0.1, ec=INK, fc=SEATS[owner])
        _on_seat(sheet, x, y, owner)
        return
    _box(sheet, (x, y), (10.6, 10.6), rounding=2, fc=FIELD)
    if n < len(town.money):
        _write(sheet, x, y, _signed(town.money[n]), size=FEW)
    elif n < len(town.icons):
        _write(sheet, x, y, town.icons[n][0].upper(), size=FEW)


# ---------------------------------------------------------------------------------------- the key


def _trail_key() -> list[_KeyEntry]:
    def risk(sheet: _Sheet, x: float, y: float) -> None:
        _box(sheet, (x, y), (22, 13), ec=RISK, width=1.2, ls=(0, (3, 2)))

    def beside(sheet: _Sheet, x: float, y: float) -> None:
        _box(sheet, (x, y), (22, 13), ec=MUTED, ls=(0, (2, 2)))

    return [(_tree, "woods"), (risk, "risk action"), (beside, "teepee beside the trail")]


def _tile_key(tolls: np.ndarray) -> list[_KeyEntry]:
    def hazard(sheet: _Sheet, x: float, y: float) -> None:
        _hazard(sheet, x - 2, y, 3)

    def hand(number: int) -> _Sign:
        return lambda sheet, x, y: _hands(sheet, x, y, number)

    return [(hazard, "hazard"), *((hand(number), f"toll of ${tolls[number]}") for number in HAND)]


def _railroad_key() -> list[_KeyEntry]:
    def plate(corner: str) -> _Sign:
        return lambda sheet, x, y: _plate(sheet, (x, y), np.array((22.0, 15.0)), corner)

    def master(sheet: _Sheet, x: float, y: float) -> None:
        _write(sheet, x, y, "name", size=FEW, style="italic")

    return [
        (_cross, "transport: $1"),
        (master, "station master"),
        (plate("white"), "discs of such corners"),
        (plate("black"), "any disc"),
    ]


def _north_key(file: BoardFile) -> list[_KeyEntry]:
    def letter(icon: str) -> _Sign:
        return lambda sheet, x, y: _write(sheet, x, y, icon[0].upper())

    def swatch(area: str) -> _Sign:
        how = {"fc": _area_colour(file, area), "ec": "none"}
        return lambda sheet, x, y: _box(sheet, (x, y), (22, 13), **how)

    icons = dict.fromkeys(icon for town in file.towns for icon in town.icons)
    areas = dict.fromkeys(town.area for town in file.towns)
    return [
        *((letter(icon), icon) for icon in icons),
        *((swatch(area), f"{area} area") for area in areas),
    ]


def _share_key(shares: np.ndarray | None) -> list[_KeyEntry]:
    if shares is None or not shares.any():
        return []

    def swatch(step: int) -> _Sign:
        how = {"fc": RAMP[step], "ec": "none", "rounding": 3}
        return lambda sheet, x, y: _box(sheet, (x, y), (22, 13), **how)

    texts = [f"up to {_percent(step)}" for step in STEPS]
    texts[0] = f"a stop in {texts[0]} of the games"
    return [(swatch(step), text) for step, text in enumerate(texts)]


def _seat_key(state: np.record, players: int) -> list[_KeyEntry]:
    def cattleman(seat: int) -> _Sign:
        return lambda sheet, x, y: _cattleman(sheet, x, y, seat)

    built = [int((state.builder == seat).sum()) for seat in range(players)]
    return [
        (cattleman(seat), f"seat {seat}: ${state.money[seat]}, {counted(number, 'buildings')}")
        for seat, number in enumerate(built)
    ]
