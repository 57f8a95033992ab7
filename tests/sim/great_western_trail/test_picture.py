"""The drawing of the board: nothing on anything else, each part where and as its board says."""

import itertools

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from sim.contract import record
from sim.errors import Mistake
from sim.great_western_trail import board as reader
from sim.great_western_trail import picture
from sim.great_western_trail.options import GreatWesternTrailOptions
from sim.great_western_trail.state import (
    BLUE_TEEPEE,
    CRAFTSMAN,
    GREEN_TEEPEE,
    MEDIUM,
    NEUTRALS,
    STATE,
    TOWN_TYPES,
)
from tests.sim.great_western_trail.test_board import FILE, SPACE, a_board

LAST = len(FILE.spaces) - 1


def sheet(draw, *arguments, wide=10.4):
    """The axes after drawing, on a sheet as high as the board needs."""
    figure = Figure(figsize=(wide, wide))
    axes = figure.add_axes((0, 0, 1, 1))
    draw(axes, *arguments)
    width, height = (abs(b - a) for a, b in (axes.get_xlim(), axes.get_ylim()))
    figure.set_size_inches(wide, wide * min(height / width, 1.6))
    return axes


def texts(axes):
    return [text.get_text() for text in axes.texts]


def in_order(document):
    """The document without places: the trail is drawn by its order."""
    for entry in document["spaces"] + document["towns"]:
        del entry["at"]
    return document


class APosition:
    """A game at its beginning, to be changed."""

    def __init__(self, players=4, document=None, **settings):
        self.players = players
        file = reader.read(document or a_board(), "board")
        options = GreatWesternTrailOptions(**settings)
        filled = reader.fill(file, options)
        self.board = type("Board", (), {"file": file, "record": filled})
        self.state = record(STATE)
        state = self.state[0]
        state.n_players = players
        for name in ("at", "building", "builder", "hazard", "teepee", "station_master"):
            state[name] = -1
        for name in ("station_worker", "town", "medium"):
            state[name] = -1
        for letter, space in enumerate("abcdefg"):
            state.building[SPACE[space]] = letter


def a_full_position(**settings):
    """As much on the board as there can be."""
    position = APosition(**settings)
    state, filled, file = position.state[0], position.board.record[0], position.board.file
    numbers = itertools.cycle(range(int(filled.n_numbers)))
    for number, space in enumerate(file.spaces):
        if space.kind == "private":
            state.building[number] = NEUTRALS + 2 * next(numbers) + number % 2
            state.builder[number] = number % 4
        elif space.kind == "hazard":
            state.hazard[number] = number % 5
    state.teepee[:] = [GREEN_TEEPEE, BLUE_TEEPEE] * 4 + [GREEN_TEEPEE]
    state.at[:] = SPACE["b"]
    state.engine[:] = 0, 0, 0, 38
    state.station_disc[:] = 1
    state.station_master[:3] = 0, 1, 4
    state.station_worker[3:5] = 0, 1
    state.city_discs[:] = 1
    for city in np.flatnonzero(filled.city_repeats):
        state.city_discs[:, city] = 2, 13, 1, 10
    state.town[:] = range(4)
    state.medium[:] = np.arange(len(state.medium)) % len(file.medium_tiles)
    state.money[:] = 145
    return position


NORTH = {"rails_to_the_north": True}
DRAWINGS = {
    "board": lambda: (picture.draw, a_board()),
    "shares": lambda: (picture.draw, a_board(), list(range(LAST + 1)), LAST),
    "beginning": lambda: (picture.draw_position, APosition()),
    "beginning in the north": lambda: (picture.draw_position, APosition(**NORTH)),
    "full": lambda: (picture.draw_position, a_full_position()),
    "full in the north": lambda: (picture.draw_position, a_full_position(**NORTH)),
    "in order": lambda: (picture.draw_position, a_full_position(document=in_order(a_board()))),
}


@pytest.mark.parametrize("wide", [4.5, 10.4])
@pytest.mark.parametrize("drawing", DRAWINGS)
def test_texts_stand_clear_of_each_other(drawing, wide):
    draw, *arguments = DRAWINGS[drawing]()
    axes = sheet(draw, *arguments, wide=wide)
    renderer = FigureCanvasAgg(axes.figure).get_renderer()
    width, height = axes.figure.get_size_inches() * axes.figure.dpi
    shown = [text for text in axes.texts if text.get_text()]
    found = np.array([text.get_window_extent(renderer).extents for text in shown])
    assert (found[:, :2] >= 0).all()
    assert (found[:, 2:] <= (width, height)).all()
    shared = np.minimum(found[:, None, 2:], found[:, 2:]) - np.maximum(
        found[:, None, :2], found[:, :2]
    )
    # The extent of a text has room for letters that hang below its line.
    ones, others = np.nonzero(np.triu(shared.min(axis=2) > 2.6 * width / picture.WIDE, 1))
    assert not [
        (shown[one].get_text(), shown[other].get_text())
        for one, other in zip(ones, others, strict=True)
    ]


def boxes(axes, *sizes):
    """Left, upper, right and lower edge of the boxes of these sizes."""
    found = [
        (*patch.get_bbox().p0, *patch.get_bbox().p1)
        for patch in axes.patches
        if isinstance(patch, FancyBboxPatch)
        and any(np.allclose(patch.get_bbox().size, size) for size in sizes)
    ]
    return np.array(found)


@pytest.mark.parametrize("document", [a_board, lambda: in_order(a_board())])
def test_spaces_stand_clear_of_each_other(document):
    axes = sheet(picture.draw, document())
    found = boxes(axes, picture.BOX, picture.GOAL_BOX, (44, 36))
    assert len(found) == len(FILE.spaces) + len(FILE.beside_trail.trades)
    assert (found[:, 0] >= 0).all()
    assert (found[:, 2] <= picture.WIDE).all()
    for a, b in itertools.combinations(found, 2):
        assert (np.minimum(a[2:], b[2:]) <= np.maximum(a[:2], b[:2])).any(), (a, b)


@pytest.mark.parametrize("document", [a_board, lambda: in_order(a_board())])
def test_towns_stand_clear_of_each_other_and_of_the_strip(document):
    axes = sheet(picture.draw_position, APosition(document=document(), **NORTH))
    towns = [picture._town_size(FILE, town) for town in FILE.towns]
    found = boxes(axes, *towns, (86, 54))
    assert len(found) == len(FILE.towns) + len(FILE.cities_north)
    for a, b in itertools.combinations(found, 2):
        assert (np.minimum(a[2:], b[2:]) <= np.maximum(a[:2], b[:2])).any(), (a, b)


def test_discs_in_towns_stand_clear_of_branchlets():
    axes = sheet(picture.draw_position, a_full_position(**NORTH))
    branchlets = boxes(axes, (10.6, 10.6))
    discs = [patch for patch in axes.patches if getattr(patch, "radius", 0) == 5.2]
    assert len(branchlets) == 4 * len(FILE.towns)
    for disc in discs:
        nearest = np.clip(disc.center, branchlets[:, :2], branchlets[:, 2:])
        assert (np.hypot(*(nearest - disc.center).T) > 5.2).all()


def near(axes, place, reach=(26, 20)):
    """Texts within a space of the trail."""
    return {
        text.get_text()
        for text in axes.texts
        if (np.abs(np.array(text.get_position()) - place) <= reach).all()
    }


def places():
    return picture._trail(FILE)[0]


def test_every_space_has_its_name():
    axes = sheet(picture.draw, a_board())
    names = dict(zip(FILE.space_names, reader.elements(FILE), strict=True))
    for name, place in places().items():
        assert set(" ".join(near(axes, place)).split()) == set(names[name].split())
    assert FILE.meta.label in texts(axes)
    assert {"−$1", "−$2", "−$3"} <= set(texts(axes))


def test_trail_in_order_goes_on_and_ends_rows_where_all_ways_meet():
    file = reader.read(in_order(a_board()), "board")
    spots = dict(zip(file.space_names, picture._in_order(file.spaces), strict=True))
    assert len(set(spots.values())) == len(spots)
    assert spots["start"] == (0, 0)
    assert spots["a1"] == (2, 0)
    assert spots["flood1"] == (2, 1)
    assert spots["b"] == (8, 0)
    assert spots["b1"][0] < spots["drought1"][0] == 8  # back again
    rows = {name: spots[name][1] for name in ("a", "b", "c", "e", "kansas_city")}
    assert rows["a"] == rows["b"] < rows["c"] < rows["e"] < rows["kansas_city"]


def test_often_used_spaces_are_dark():
    counts = np.zeros(LAST + 1)
    counts[[SPACE["a"], SPACE["b"], SPACE["c11"], LAST]] = 4, 200, 50, 1000
    drawn, plain = sheet(picture.draw, a_board(), counts, 1000), sheet(picture.draw, a_board())

    def shades(axes):
        colours = [to_hex(patch.get_facecolor()) for patch in axes.patches]
        return [colours.count(colour) for colour in picture.RAMP]

    assert shades(plain) == [0, 0, 0, 0]
    assert shades(drawn) == [3, 1, 2, 2]  # one of each is in the key
    assert "<1 %" in near(drawn, places()["a"])
    assert "20 %" in near(drawn, places()["b"])
    assert "5 %" in near(drawn, places()["c11"])
    assert "100 %" in near(drawn, places()["kansas_city"])
    assert "0" in near(drawn, places()["d"])
    assert "a stop in up to 5 % of the games" in texts(drawn)
    never = sheet(picture.draw, a_board(), np.zeros(LAST + 1), 100)
    assert shades(never) == [0, 0, 0, 0]


def test_what_lies_on_the_trail():
    position = APosition(neutral_buildings="random")
    state = position.state[0]
    state.building[SPACE["a"]], state.building[SPACE["c"]] = 2, 0
    state.building[SPACE["a1"]], state.builder[SPACE["a1"]] = NEUTRALS + 2 * 9 + 1, 3
    state.hazard[SPACE["flood1"]] = 2
    state.teepee[position.board.record[0].trade_money.tolist().index(4)] = BLUE_TEEPEE
    state.at[:] = SPACE["a1"], SPACE["c"], -1, LAST
    axes = sheet(picture.draw_position, position)
    spots = places()
    assert near(axes, spots["a"]) == {"C", "A"}
    assert {"A", "C"} <= near(axes, spots["c"])
    assert near(axes, spots["a1"]) == {"10b", "3", "A1"}
    assert near(axes, spots["flood1"]) == {"4 pt", "Flood 1"}
    assert near(axes, spots["flood2"]) == {"Flood 2"}
    assert near(axes, spots["teepee4"]) == {"B", "Teepee 4"}
    for seat, space in enumerate(("a1", "c", "start", "kansas_city")):
        pins = [
            patch.get_xy()[-2]
            for patch in axes.patches
            if patch.get_zorder() == 8 and to_hex(patch.get_facecolor()) == picture.SEATS[seat]
        ]
        offset = np.array(pins[-1]) - spots[space]  # the first is in the key
        assert (np.abs(offset) < picture._size(FILE.spaces[SPACE[space]]) / 2).all()
    assert "seat 3: $0, 1 building" in texts(axes)


def test_engines_stand_on_their_spaces():
    position = APosition()
    turnout = int(position.board.record[0].turnout[7])
    position.state[0].engine[:] = 0, 12, turnout, 39
    axes = sheet(picture.draw_position, position)
    spots = {
        to_hex(patch.get_facecolor()): patch.get_xy()[:-1].mean(axis=0)
        for patch in axes.patches
        if patch.get_zorder() == 6
    }
    numbers = {
        text.get_text(): text.get_position()[0] for text in axes.texts if text.get_size() < 7
    }
    assert spots[picture.SEATS[0]][0] < numbers["0"]
    assert abs(spots[picture.SEATS[1]][0] - numbers["12"]) < 2
    assert abs(spots[picture.SEATS[2]][0] - (numbers["7"] + numbers["8"]) / 2) < 2
    assert abs(spots[picture.SEATS[3]][0] - numbers["39"]) < 2


def test_stations_and_cities_show_their_discs():
    position = APosition()
    state = position.state[0]
    state.station_disc[2, 1] = 1
    state.station_master[:2] = 2, 4
    state.station_worker[2] = CRAFTSMAN
    state.city_discs[1, 0] = 3
    state.city_discs[:, 4] = 1
    axes = sheet(picture.draw_position, position)
    shown = texts(axes)
    assert {"hazards", "certificates", "craftsman"} <= set(shown)
    assert "objectives" not in shown
    assert "×3" in shown
    discs = [
        to_hex(patch.get_facecolor())
        for patch in axes.patches
        if patch.get_zorder() == 5 and getattr(patch, "radius", 0) == 5.2
    ]
    assert [discs.count(colour) for colour in picture.SEATS] == [1, 2, 2, 1]
    assert {"Topeka", "San Francisco", "8 pt"} <= set(shown)
    assert "Columbia" not in shown


def test_extension_board_is_drawn_when_it_is_used():
    position = APosition(**NORTH)
    state = position.state[0]
    medium = next(n for n, town in enumerate(FILE.towns) if town.type == TOWN_TYPES[MEDIUM])
    denver = next(n for n, town in enumerate(FILE.towns) if town.name == "Denver")
    state.medium[medium] = 1
    state.town[denver, :2] = 2, 0
    state.station_master[10] = 5
    axes = sheet(picture.draw_position, position)
    shown = texts(axes)
    assert {town.name for town in FILE.towns} <= set(shown)
    assert {city.name for city in FILE.strip(north=True)} <= set(shown)
    assert "Topeka" not in shown
    assert {"5 dollars", "or cattle", "permanent", "green area"} <= set(shown)
    assert shown.count("−2") == 1  # of Denver's two spaces for 2 dollars one is taken
    assert {"objective", "token", "certificate"} <= set(shown)
    plain = texts(sheet(picture.draw_position, APosition()))
    assert "Denver" not in plain
    assert "green area" not in plain


def test_pairs_bring_what_the_options_say():
    printed = texts(sheet(picture.draw_position, APosition(**NORTH)))
    ruled = APosition(chicago_detroit="objective_and_3", **NORTH)
    assert printed.count("−5 pt, token") == 2
    assert texts(sheet(picture.draw_position, ruled)).count("−5 pt, token") == 1
    assert "objective, $3" in texts(sheet(picture.draw_position, ruled))
    assert {"−3 pt, objective", "8 pt"} <= set(texts(sheet(picture.draw_position, APosition())))


@pytest.mark.parametrize("place", [[1], [1, 2, 3], ["a", 1], [float("nan"), 1], [1, 1000]])
def test_place_is_two_numbers(place):
    document = a_board()
    document["spaces"][3]["at"] = place
    with pytest.raises(Mistake, match="space 'a2'|spaces"):
        reader.read(document, "own.toml")
