"""Texts of the actions: how they may be typed, and why one that is not legal is not."""

import random
import re

import pytest

from agents.restriction import JOINT
from sim.errors import Mistake
from sim.great_western_trail import actions
from sim.great_western_trail.state import BY, WAY
from sim.great_western_trail.trail import tolls_of
from sim.great_western_trail.why_not import ways_of, why_not
from tests.sim.great_western_trail.positions import BASE, GAME, MIXED, NORTH, at

every_board = pytest.mark.parametrize("board", [BASE, NORTH, MIXED], ids=["base", "north", "mixed"])
START = {"at": ["start", "start"]}


def refusal(position, text):
    before = position.state.tobytes()
    with pytest.raises(Mistake) as mistake:
        position.play(text)
    told = str(mistake.value)
    assert position.state.tobytes() == before
    assert "\n" not in told
    assert told.endswith((".", "?"))
    return told


def one_kind(position, draw):
    """Legal codes of one kind, so that no kind is rare."""
    kinds = {}
    for code in position.legal_codes().tolist():
        kinds.setdefault(actions.split(code)[0], []).append(code)
    return kinds[draw.choice([kind for kind in kinds if kind != "done"] or ["done"])]


# -------------------------------------------------------------------------------------- the codes


def test_kinds_of_action_rise():
    firsts = list(actions._BLOCKS.values())
    assert firsts == sorted(set(firsts)) and firsts[0] == 0
    for first, after in zip(firsts, [*firsts[1:], GAME.rules.MAX_CODE], strict=True):
        kind = list(actions._BLOCKS)[firsts.index(first)]
        assert actions.split(first) == (kind, 0)
        assert actions.split(after - 1) == (kind, after - 1 - first)


@every_board
def test_every_code_has_a_text_of_its_own_or_none(board):
    texts = {}
    for code in range(GAME.rules.MAX_CODE):
        try:
            texts[code] = actions.describe(board, code)
        except IndexError:
            with pytest.raises(Mistake, match=f"no action with the code {code}"):
                board.new(2).text(code)
    assert len(set(texts.values())) == len(texts)
    for text in texts.values():
        assert re.fullmatch(r"[a-z0-9_. ]+", text) and text == " ".join(text.split())
        assert JOINT not in text


@pytest.mark.parametrize(
    ("board", "text"),
    [
        (BASE, "done"),
        (NORTH, "exchange token"),
        (BASE, "market cards"),
        (BASE, "top objective card"),
        (BASE, "play engine_4_4_s_gt"),
        (BASE, "move flood_risk1"),
        (BASE, "by first branches"),
        (BASE, "by flood1 c2 g2"),
        (BASE, "use hire plus 2"),
        (BASE, "use hire minus 1"),
        (BASE, "use back 1 for certificate"),
        (BASE, "hire craftsman row 12"),
        (NORTH, "build tile 12"),
        (BASE, "onto teepee_risk2"),
        (BASE, "take objective auxiliary_sf"),
        (BASE, "certificate 2"),
        (BASE, "engine to 0"),
        (BASE, "engine to 39"),
        (BASE, "engine to 33.5"),
        (BASE, "disc move_1"),
        (BASE, "disc from station 16.5"),
        (NORTH, "disc from station 41"),
        (BASE, "appoint engineer"),
        (BASE, "trade minus 3"),
        (BASE, "trade 10"),
        (BASE, "remove hazard rockfall4"),
        (BASE, "buy brown_swiss for 3 with 2 cowboys"),
        (BASE, "buy west_highland_5 and another for 8 with 5 cowboys"),
        (BASE, "take texas_longhorn_7"),
        (BASE, "draw 3"),
        (BASE, "discard dutch_belt"),
        (BASE, "discard ride_3_4_5"),
        (BASE, "remove card jersey"),
        (BASE, "copy g"),
        (BASE, "upgrade 39"),
        (BASE, "foresight drought_black_3"),
        (BASE, "foresight blue_teepee"),
        (BASE, "foresight craftsman"),
        (BASE, "spend 0"),
        (BASE, "deliver colorado_springs"),
        (NORTH, "deliver st_louis"),
        (NORTH, "station master dollars"),
        (NORTH, "branchlet green_bay 4"),
        (NORTH, "branchlet 42 1"),
    ],
)
def test_a_text_and_its_code(board, text):
    code = actions._codes(board)[text]
    assert actions.describe(board, code) == text
    assert board.new(2).text(code) == text


def test_what_a_board_has_not_has_no_text():
    """So that restrictions can tell a word that forbids nothing."""
    texts = set(actions._codes(BASE))
    for text in ("exchange token", "disc branchlet", "deliver chicago", "use branchlet"):
        assert text not in texts and text in set(actions._codes(NORTH))
    for text in ("take jersey", "buy jersey for 6 with 1 cowboy", "onto a", "copy flood1"):
        assert text not in texts
    assert "deliver topeka" not in set(actions._codes(NORTH))


@every_board
@pytest.mark.parametrize("players", [2, 4])
def test_legal_actions_are_read_as_written_and_nothing_speaks_against_them(board, players):
    draw = random.Random(players)
    position = board.new(players, players)
    for _ in range(700):
        if position.is_over:
            break
        codes = position.legal_codes().tolist()
        for code in draw.sample(codes, min(5, len(codes))):
            assert position.code(position.text(code)) == code
            kind, number = actions.split(code)
            if kind != "done":
                reason = why_not(position, code, kind, number)
                assert reason.startswith(("it cannot be done now", "it is not offered here")), (
                    position.text(code)
                )
        position.play(draw.choice(one_kind(position, draw)))


@every_board
def test_whatever_is_not_legal_has_a_reason(board):
    draw = random.Random(3)
    position = board.new(3, 3)
    codes = list(actions._texts(board))
    for _ in range(500):
        if position.is_over:
            break
        legal = set(position.legal_codes().tolist())
        near = [code for code in codes if abs(code - draw.choice(sorted(legal))) < 4]
        for code in {*draw.sample(codes, 3), *near} - legal:
            kind, number = actions.split(code)
            if kind in ("way", "branchlet"):  # these may be another one's
                continue
            told = refusal(position, position.text(code))
            assert "is not legal: " in told
            assert "it cannot be done now" not in told, told
            assert "$-" not in told and "None" not in told
        position.play(draw.choice(one_kind(position, draw)))


# ------------------------------------------------------------------------------- ways to write one


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("  MOVE  A ", "move a"),
        ("move Flood1", "move flood1"),
        ("move kansas city", "move kansas_city"),
    ],
)
def test_ways_to_write_a_move(typed, text):
    given = (
        {"at": ["g", "start"]} if "kansas" in typed else START | {"hazards": {"flood1": "green_4"}}
    )
    position = at(given)
    assert position.text(position.code(typed)) == text


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("use hire +2", "use hire plus 2"),
        ("hire +2", "use hire plus 2"),
        ("Hire plus 2", "use hire plus 2"),
        ("hire", "use hire"),
        ("guernsey", "use guernsey for 2"),
        ("guernsey for $2", "use guernsey for 2"),
    ],
)
def test_ways_to_write_an_action_of_a_building(typed, text):
    given = START | {"money": [60, 0], "hand": [["guernsey"], []]}
    position = at(given, ["move a"])
    assert position.text(position.code(typed)) == text


@pytest.mark.parametrize("typed", ["engine to 2", "engine 2", "Engine  to  2"])
def test_ways_to_write_an_engine_move(typed):
    position = at({"at": ["b", "b"], "engineers": [3, 1]}, ["move c", "use engine"])
    assert position.text(position.code(typed)) == "engine to 2"
    assert refusal(position, "use engine 2").startswith("'use engine 2' is not legal: to be dec")


@pytest.mark.parametrize("typed", ["trade minus 3", "trade -3", "trade −3", "trade $-3"])
def test_ways_to_write_a_trade(typed):
    given = {"at": ["c", "c"], "teepees": {"-3": "blue", "4": "green", "*": "none"}}
    position = at(given, ["move d", "use trade"])
    assert position.text(position.code(typed)) == "trade minus 3"
    assert position.legal() == ["trade minus 3", "trade 4"]


def test_what_begins_one_action_alone_is_enough():
    given = {"at": ["d", "d"], "cowboys": [3, 1], "money": [40, 0]}
    given |= {"market": ["holstein", "holstein", "ayrshire", "texas_longhorn_6"]}
    position = at(given, ["move e", "use buy cattle"])
    assert position.text(position.code("buy texas")) == "buy texas_longhorn_6 for 12 with 2 cowboys"
    assert position.text(position.code("market")) == "market cards"
    told = refusal(position, "buy ayrshire")
    assert told == (
        "'buy ayrshire' may be one of 'buy ayrshire for 6 with 1 cowboy', "
        "'buy ayrshire for 3 with 2 cowboys', 'buy ayrshire and another for 5 with 3 cowboys'."
    )
    position.play("buy ayrshire for 3 with 2 cowboys")
    assert position.text(position.code("buy holstein")) == "buy holstein for 6 with 1 cowboy"


def test_words_that_tell_what_is_removed_may_be_left_out():
    hazards = {"flood1": "green_4", "*": "none"}
    given = {"at": ["e", "e"], "money": [9, 0], "hazards": hazards}
    position = at(given, ["move f", "use hazard 7"])
    assert position.text(position.code("remove flood1")) == "remove hazard flood1"
    given = {"at": ["f", "f"], "engine": ["2", "0"], "cleared": [["remove"], []]}
    given |= {"hand": [["jersey", "holstein"], []]}
    position = at(given, ["move g", "use back 1 to remove", "engine to 1"])
    assert position.text(position.code("remove jersey")) == "remove card jersey"
    assert position.text(position.code("remove card holstein")) == "remove card holstein"


# ------------------------------------------------------------------------------------------- ways

# From c to e: over c11, over c2 and d, or over c2 and the teepees.
A_CHOICE = {
    "at": ["c", "c"],
    "money": [9, 0],
    "buildings": {"c11": "1/1", "c2": "7/1"},  # a green hand, and both
    "teepees": {"1": "green", "*": "none"},
    "cleared": [["move_1", "move_2"], []],
}


def test_ways_are_named_by_the_branches_that_turn_off():
    position = at(A_CHOICE, ["move e"])
    assert position.legal() == ["by first branches", "by c2", "by c2 teepee1"]
    assert position.copy().play("by first branches").state["money"][0].tolist()[:2] == [7, 2]
    assert position.copy().play("by c2").state["money"][0].tolist()[:2] == [5, 4]
    assert position.copy().play("by c2 teepee1").state["money"][0].tolist()[:2] == [3, 4]


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("by c11", "by first branches"),
        ("by c11 c12 e", "by first branches"),
        ("by c > c11 > c12 > e", "by first branches"),
        ("by c2 d", "by c2"),
        ("by d", "by c2"),
        ("by teepee4", "by c2 teepee1"),
        ("by teepee1 c2", "by c2 teepee1"),
    ],
)
def test_a_way_may_be_named_by_its_spaces(typed, text):
    position = at(A_CHOICE, ["move e"])
    assert position.text(position.code(typed)) == text


def test_a_way_that_costs_the_same_is_the_one_listed():
    given = A_CHOICE | {"teepees": {"*": "none"}}
    position = at(given, ["move e"])
    assert position.legal() == ["by first branches", "by c2"]
    assert position.text(position.code("by c2 teepee1")) == "by c2"
    assert position.text(position.code("by teepee_risk1")) == "by c2"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("by", "'by' is not complete: write 'by SPACE SPACE'."),
        ("by c13", "There is no space 'c13'; the nearest is 'c12'."),
        ("by e", "may be ways that cost different tolls: name more of their spaces (by first"),
        ("by c11 d", "'by c11 d' is not legal: no way to e of at most 5 steps goes so (by first"),
        ("by flood1", "no way to e of at most 5 steps goes so"),
    ],
)
def test_a_way_that_is_none(typed, told):
    assert told in refusal(at(A_CHOICE, ["move e"]), typed)


def test_every_way_costs_what_the_one_it_is_read_as_costs():
    draw, seen = random.Random(4), 0
    position = MIXED.new(4, 1)
    while seen < 12:
        state, record = position.state[0], position.board.record[0]
        if state.phase == WAY:
            top = int(state.n_tasks) - 1
            target, steps, manner = int(state.one[top]), int(state.two[top]) >> 2, 0
            ways = ways_of(position, target, steps)
            for way in ways:
                found = position.code(position.text(BY + way)) - BY
                tolls = [tolls_of(state, record, target, w, steps, manner) for w in (way, found)]
                assert tolls[0] == tolls[1] >= 0
                seen += 1
            none = next(way for way in range(128) if way not in ways)
            assert "goes so" in refusal(position, position.text(BY + none))
        position.play(draw.choice(position.legal_codes().tolist()))


def test_free_spaces_of_a_town_with_equal_print_are_one_choice():
    given = {"at": ["start", "start"], "towns": {"42": [1, "none", "none", "none"]}}
    given |= {"hand": [["guernsey"], []]}
    played = ["move g", "use card for branchlet", "discard guernsey"]
    position = at({**given, "at": ["none", "start"]}, played, board=NORTH)
    assert "branchlet 42 2" in position.legal()
    for typed in ("branchlet 42 2", "branchlet 42 3", "branchlet 42 4", "branchlet 42"):
        assert position.text(position.code(typed)) == "branchlet 42 2"
    assert "a branchlet of seat 1 lies there" in refusal(position, "branchlet 42 1")


# ------------------------------------------------------------------------------ what cannot be read


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "'' is not an action; choose from appoint, branchlet, build, buy"),
        ("moev a", "'moev a' is not an action; the nearest is 'move'."),
        ("hire", "'hire' is not complete: write 'hire WORKER row NUMBER'."),
        ("use", "'use' is not complete: write 'use ACTION'."),
        ("remove", "write 'remove hazard SPACE' or 'remove card CARD'."),
        ("move rockfal4", "'rockfal4' cannot follow 'move'; the nearest is 'rockfall4'."),
        ("deliver san_franciso", "'san_franciso' cannot follow 'deliver'; the nearest is 'san_fra"),
        ("hire cowboy row 13", "'cowboy row 13' cannot follow 'hire'"),
        ("deliver chicago", "'chicago' cannot follow 'deliver'"),
        (
            "branchlet denver 2",
            "'branchlet denver 2' is not legal: Rails to the North is not played",
        ),
        ("exchange token", "'exchange token' is not legal: Rails to the North is not played."),
        ("x" * 200, "'" + "x" * 77 + "...' is not an action"),
    ],
)
def test_what_cannot_be_read(typed, told):
    assert told in refusal(at(START), typed)


# ------------------------------------------------------------------------------ why it is not legal

# What is given, the actions before, and then an action with the reason.
REASONS = [
    ({}, [], {
        "move flood1": "the cattleman begins on a neutral building, and flood1 has none",
        "deliver topeka": "to be decided now: place the cattleman (move a, move b, move c, move d",
        "done": "it must be decided: place the cattleman",
    }),
    (START | {"buildings": {"a2": "1/1"}}, [], {
        "move start": None,
        "move a1": "nothing lies on a1, and one cannot stop there",
        "move d": "d is 4 steps away, and 3 may be moved",
        "play draw_5_h": "seat 0 has no draw_5_h in hand",
        "hire cowboy row 1": "to be decided now: move",
    }),
    ({"at": ["c2", "c"]}, [], {"move c": "no way leads from c2 to c"}),
    (START | {"money": [5, 0], "token_row": 4, "hand": [["jersey"], []],
              "job": {"1": ["cowboy"], "*": []}}, ["move a"], {
        "use hire": "the cheapest worker costs $6, and seat 0 has $5",
        "use guernsey for 2": "seat 0 has not the cards in hand that it asks for",
        "use 2 dollars": "its disc has not been taken from the player board",
        "use build": "it is not offered here",
        "done": "something must be done in phase B",
        "hire cowboy row 1": "to be decided now: actions",
    }),
    (START | {"money": [8, 0], "cowboys": [6, 1], "token_row": 4, "job": {
        "1": ["cowboy", "engineer"], "2": [], "3": ["engineer"], "*": []}},
     ["move a", "use hire plus 2"], {
        "hire craftsman row 1": "there is no craftsman in row 1",
        "hire cowboy row 1": "the row of cowboys of seat 0 is full",
        "hire engineer row 3": "he costs $9",
    }),
    (START | {"money": [9, 0], "token_row": 4, "job": {
        "1": ["cowboy"], "4": ["engineer"], "*": []}}, ["move a", "use hire"], {
        "hire engineer row 4": "the job market token is in row 4",
    }),
    ({"at": ["a", "a"], "money": [5, 0], "craftsmen": [3, 1],
      "buildings": {"b1": "1/0", "b2": "2/1"}}, ["move b", "use build"], {
        "build tile 1": "tile 1 has been built",
        "build tile 10": "10a asks for 8 craftsmen there, and seat 0 has 3",
        "build tile 5": None,
        "onto b3": "to be decided now: build",
    }),
    ({"at": ["a", "a"], "money": [5, 0], "craftsmen": [3, 1],
      "buildings": {"b1": "1/0", "b2": "2/1"}}, ["move b", "use build", "build tile 3"], {
        "onto b2": "a building of seat 1 stands on b2",
        "onto b1": "the own building on b1 needs no fewer craftsmen",
    }),
    ({"at": ["b", "b"], "certificates": [3, 0], "engine": ["0", "1"]}, ["move c"], {
        "use certificate": "the certificate marker is at its limit",
        "engine to 1": "an action comes first: type 'use engine'",
        "take objective draw_5_h": "an action comes first: type 'use objective'",
    }),
    ({"at": ["b", "b"], "engineers": [2, 1], "engine": ["2", "3"]}, ["move c", "use engine"], {
        "engine to 3": "the engine of seat 1 is there",
        "engine to 1": "the engine moves forward",
        "engine to 9": "the engine moves up to 2 spaces forward",
    }),
    ({"at": ["b", "b"], "display": ["draw_5_h"], "objective_stack": []},
     ["move c", "use objective"], {
        "take objective draw_b_b_h": "it is not on display",
        "top objective card": "no card is left in the stack",
        "done": "it must be decided: objective card (take objective draw_5_h)",
    }),
    ({"at": ["c", "c"], "money": [1, 0], "teepees": {"-3": "blue", "1": "green", "*": "none"}},
     ["move d", "use trade"], {
        "trade -3": "$3 must be paid, and seat 0 has $1",
        "trade 6": "no teepee lies there",
    }),
    ({"at": ["d", "d"], "cowboys": [2, 1], "money": [5, 0], "market": ["holstein"],
      "cattle_stack": []}, ["move e", "use buy cattle"], {
        "buy holstein for 6 with 1 cowboy": "that costs $6, and seat 0 has $5",
        "buy holstein and another for 5 with 3 cowboys": "that takes 3 cowboys, and 2 are left",
        "buy ayrshire for 3 with 2 cowboys": "the market has no ayrshire",
        "market cards": "no card is left in the stack",
    }),
    ({"at": ["d", "d"], "cowboys": [3, 1], "money": [5, 0],
      "market": ["holstein", "ayrshire", "west_highland_3"]},
     ["move e", "use buy cattle", "buy ayrshire and another for 5 with 3 cowboys"], {
        "take holstein": "of two cards holstein is named first and then ayrshire",
        "take brown_swiss": "the market has no brown_swiss",
        "take west_highland_3": "a card of the breeding value 3 is taken, and west_",
    }),
    ({"at": ["e", "e"], "money": [7, 0], "hazards": {"flood1": "green_2", "*": "none"}},
     ["move f", "use hazard 7"], {"remove hazard flood2": "no hazard lies on flood2"}),
    ({"at": ["e", "e"], "hand": [["jersey", "jersey", "guernsey"], []]},
     ["move f", "use pair for 4"], {
        "discard guernsey": "the action asks for two cattle cards of one type",
        "discard holstein": "seat 0 has no holstein in hand",
    }),
    ({"at": ["b", "b"], "buildings": {"b3": "8/0", "b1": "2/1"}, "sides": "a" * 7 + "baa"},
     ["move b3", "use adjacent building"], {
        "copy b1": "b1 is not next to b3",
        "copy b2": "no building stands on b2",
    }),
    ({"at": ["f", "f"], "engine": ["5", "0"], "cleared": [["certificate"], []]},
     ["move g", "use back 1 for certificate"], {
        "engine to 6": "the engine moves back",
        "engine to 2": "the engine moves 1 space back",
    }),
    ({"at": ["f", "f"], "cleared": [["certificate"], []]}, ["move g"], {
        "use back 1 for certificate": "the engine cannot be moved back so far",
        "use back 2 for 2 certificates": "the engine cannot be moved back so far",
    }),
    ({"at": ["f", "f"]}, ["move g", "use 1 dollar"], {"use draw 1": None}),
    ({"at": ["g", "g"], "foresight": [["flood_green_2"], [], []]}, ["move kansas_city"], {
        "foresight drought_green_2": "it does not lie in column 1",
        "spend 0": "to be decided now: foresight",
    }),
    ({"at": ["g", "g"], "foresight": [[], [], []], "certificates": [1, 0]}, ["move kansas_city"], {
        "spend 2": "seat 0 has 1 certificate to spend",
        "play draw_5_h": "objective cards are played before the move, or in phase B",
    }),
    ({"at": ["g", "g"], "foresight": [[], [], []], "hand": [["jersey"], []],
      "cities": {"topeka": [1, 0]}}, ["move kansas_city", "spend 0"], {
        "deliver wichita": "wichita asks for 4, and the delivery is worth 1",
        "deliver topeka": "seat 0 has delivered to topeka",
    }),
    ({"at": ["g", "g"], "foresight": [[], [], []], "money": [0, 0], "cleared": [["dollar"], []],
      "stations": {"4.5": [0]}},
     ["move kansas_city", "spend 0", "deliver kansas_city"], {
        "disc dollar": "no disc is left on dollar",
        "disc hand": "a disc with black corners does not fit white ones",
        "disc from station 4.5": "a disc of the player board can be used",
        "disc from station 7.5": "seat 0 has no disc on that station",
        "done": "it must be decided: disc",
    }),
]  # fmt: skip


@pytest.mark.parametrize(("given", "played", "reasons"), REASONS)
def test_why_an_action_is_not_legal(given, played, reasons):
    position = at(given, played)
    for text, told in reasons.items():
        if told is not None:
            assert f"is not legal: {told}" in refusal(position, text)


def test_why_a_worker_is_not_appointed():
    given = {"at": ["b", "b"], "engine": ["4", "0"], "engineers": [2, 1], "money": [9, 0]}
    position = at(given, ["move c", "use engine", "engine to 4.5", "disc dollar"])
    assert position.legal() == ["appoint engineer", "done"]
    told = refusal(position, "appoint cowboy")
    assert "seat 0 has hired no cowboy, and the printed one stays" in told


def test_why_no_branchlet():
    given = {"money": [0, 0], "hand": [["guernsey"], []], "cities": {"chicago": [1, 0]}}
    given |= {"towns": {"47": [0, "none", "none", "none"], "42": [1, "none", "none", "none"]}}
    given |= {"tokens": [0, 1]}
    played = ["move g", "use card for branchlet", "discard guernsey"]
    position = at(given, played, board=NORTH)
    for text, told in (
        ("branchlet 47 2", "seat 0 has a branchlet in 47"),
        ("branchlet 42 1", "a branchlet of seat 1 lies there"),
        ("branchlet denver 1", "the space costs $1, and seat 0 has $0"),
        ("branchlet montreal 1", "no track joins montreal to a city or town of seat 0"),
        ("exchange token", "seat 0 has no exchange token"),
    ):
        assert f"is not legal: {told}" in refusal(position, text)


def test_why_there_is_no_delivery_to_a_big_town():
    given = {"at": ["g", "g"], "foresight": [[], [], []], "hand": [["texas_longhorn_5"], []]}
    position = at(given, ["move kansas_city", "spend 0"], board=NORTH)
    assert "seat 0 has no branchlet in memphis" in refusal(position, "deliver memphis")
    assert refusal(position, "branchlet memphis").startswith("'branchlet memphis' is not legal: to")
