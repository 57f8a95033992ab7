"""The drawing of the board: every city named in a place of its own, links by how often built."""

import itertools

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from sim.contract import record
from sim.railways_of_the_world import board as reader
from sim.railways_of_the_world import picture
from sim.railways_of_the_world.state import GRAY, PAIR_OF, PURPLE, SIDES, STATE
from tests.sim.railways_of_the_world.test_board import EAST, WEST, a_board, shipped


def sheet(draw, *arguments):
    """The axes after drawing, on a sheet as high as the board needs."""
    figure = Figure(figsize=(10.4, 10.4))
    axes = figure.add_axes((0, 0, 1, 1))
    draw(axes, *arguments)
    wide, high = (abs(b - a) for a, b in (axes.get_xlim(), axes.get_ylim()))
    figure.set_size_inches(10.4, 10.4 * high / wide)
    return axes


def texts(axes):
    return [text.get_text() for text in axes.texts]


def boxes(axes, names):
    """Where names stand on paper: (left, lower, right, upper) by name."""
    renderer = FigureCanvasAgg(axes.figure).get_renderer()
    return {
        text.get_text(): text.get_window_extent(renderer).extents
        for text in axes.texts
        if text.get_text() in names
    }


@pytest.mark.parametrize("share", [None, 0.3])
@pytest.mark.parametrize("name", [EAST, WEST])
def test_names_stand_clear_of_each_other(name, share):
    document = shipped(name)
    pairs = len(document["cities"]) * (len(document["cities"]) - 1) // 2
    counts = None if share is None else [1000 * share * (n % 7 == 0) for n in range(pairs)]
    axes = sheet(picture.draw, document, counts, 1000)
    names = [city["name"] for city in document["cities"]]
    found = boxes(axes, names)
    assert set(found) == set(names)
    assert document["meta"]["label"] in texts(axes)
    width, height = axes.figure.get_size_inches() * axes.figure.dpi
    for left, lower, right, upper in found.values():
        assert 0 <= left < right <= width
        assert 0 <= lower < upper <= height
    for (one, a), (other, b) in itertools.combinations(found.items(), 2):
        across = min(a[2], b[2]) - max(a[0], b[0])
        down = min(a[3], b[3]) - max(a[1], b[1])
        assert min(across, down) < 2, f"{one} on {other}"


def test_links_built_often_are_wide_and_rare_ones_left_out():
    plain = sheet(picture.draw, a_board())
    drawn = sheet(picture.draw, a_board(), [100, 50, 1, 0, 10, 30], 1000)
    colours = [to_hex(patch.get_edgecolor()) for patch in drawn.patches]
    widths = {
        colour: [
            patch.get_linewidth()
            for patch in drawn.patches
            if to_hex(patch.get_edgecolor()) == colour
        ]
        for colour in picture.RAMP
    }
    assert [colours.count(colour) for colour in picture.RAMP] == [3, 1, 0, 0]
    assert max(widths[picture.RAMP[0]]) < min(widths[picture.RAMP[1]])
    assert len(set(widths[picture.RAMP[0]])) == 3
    assert "built in 1 to 5 % of games" in texts(drawn)
    assert "built in 1 to 5 % of games" not in texts(plain)


def test_board_without_ridges_water_or_rotors():
    document = a_board()
    document["hexes"]["ridges"] = []
    document["hexes"]["rows"] = [row.replace("w", "o") for row in document["hexes"]["rows"]]
    del document["cities"][3]["dial_start"]
    assert "rotor city" not in texts(sheet(picture.draw, document))
    assert "rotor city" in texts(sheet(picture.draw, a_board()))


class APosition:
    """A game on the square in which seat 1 owns a link of two tiles from Alpha to Beta."""

    players = 2

    def __init__(self):
        self.board = type("Board", (), {"document": a_board()})
        self.state = record(STATE)
        state = self.state[0]
        state.colour[:4] = [0, 1, PURPLE, GRAY]
        places = reader.read(a_board(), "square").places
        straight = PAIR_OF[SIDES.index("e"), SIDES.index("w")]
        for place in ((1, 2), (1, 3)):
            state.track[places.index(place), 0] = 1 + straight + 16
        state.track[places.index((4, 4)), 1] = 1 + straight  # unfinished, of seat 0
        state.n_links = 1
        state.link_owner[0], state.link_city[0] = 1, (0, 1)
        state.link_spur[0], state.link_tiles[0] = SIDES.index("e"), 2
        state.links[:2] = 0, 1


def test_tracks_of_a_game_in_their_owners_colours():
    axes = sheet(picture.draw_position, APosition())
    hexes = {
        seat: sum(
            len(patch.get_path().to_polygons(closed_only=False))
            for patch in axes.patches
            if to_hex(patch.get_edgecolor()) == colour
        )
        for seat, colour in enumerate(picture.SEATS)
    }
    assert hexes == {0: 1, 1: 2, 2: 0, 3: 0, 4: 0, 5: 0}
    assert {"seat 0, 0 links", "seat 1, 1 link"} <= set(texts(axes))
    seats = [text.get_text() for text in axes.texts if text.get_weight() == "bold"]
    assert seats.count("1") == 2  # on the link, and in the key
    letters = [text for text in texts(axes) if len(text) == 1 and text.isalpha()]
    assert sorted(letters) == sorted("RBP" + "RBYPK")  # the cities' colours now, and the key


@pytest.mark.parametrize("name", [EAST, WEST])
def test_rows_and_columns_are_numbered_along_the_edges(name):
    document = shipped(name)
    axes = sheet(picture.draw, document)
    file = reader.read(document, name)
    numbers = [text for text in axes.texts if text.get_text().isdecimal()]
    for row, column in (file.places[0], file.places[-1]):
        x, y = picture._centre((row, column))
        beside = [text for text in numbers if np.isclose(text.get_position()[1], y)]
        assert [text.get_text() for text in beside] == [str(row)] * 2
        above = [text for text in numbers if abs(text.get_position()[0] - x) < 0.5]
        assert [text.get_text() for text in above] == [str(column)] * 2


def test_track_is_drawn_from_side_to_side():
    axes = sheet(picture.draw_position, APosition())
    track = next(p for p in axes.patches if to_hex(p.get_edgecolor()) == picture.SEATS[1])
    points = np.concatenate(track.get_path().to_polygons(closed_only=False))
    row_one = 1.5
    assert np.allclose(points[:, 1], row_one)
    assert np.isclose(np.ptp(points[:, 0]), 2 * np.sqrt(3))
