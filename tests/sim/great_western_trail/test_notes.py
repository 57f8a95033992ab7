"""What a player is told of an action before it is played, and of a name on the board."""

import random

import pytest

from sim.great_western_trail import actions
from tests.sim.great_western_trail.positions import BASE, MIXED, NORTH, at
from tests.sim.great_western_trail.test_actions import A_CHOICE, one_kind


def test_moves_and_ways():
    position = at(A_CHOICE)
    assert position.note("move c11") == "1 step, tolls $2, seat 1's 1a: 2 dollars per woods"
    assert position.note("move d") == "2 steps, tolls $4, D: trade or engine; auxiliary"
    assert position.note("move e") == (
        "2 to 3 steps, tolls $2 to $6, E: black angus for 2; buy cattle"
    )
    position.play("move e")
    assert position.note("by first branches") == "seat 1 $2; over c11 e"
    assert position.note("by c2 teepee1") == "seat 1 $4, the bank $2; over c2 teepee1 e"
    position = at({"at": ["g", "g"]})
    assert position.note("move kansas_city") == "1 step, Kansas City"
    assert at().note("move g") == "G: engine; auxiliary"


def test_actions_that_count_something():
    given = {"at": ["a", "a"], "craftsmen": [3, 1], "buildings": {"b1": "1/0"}}
    position = at(given, ["move b1"])
    assert position.note("use 2 dollars per woods") == "$2"
    given = {"at": ["b", "b"], "engineers": [3, 1]}
    assert at(given, ["move c"]).note("use engine") == "up to 3 spaces"
    assert at(given, ["move c"]).note("use objective") == ""


def test_workers_and_buildings():
    given = {"at": ["start", "start"], "money": [30, 0], "engineers": [3, 1], "cowboys": [4, 1]}
    position = at(given | {"job": {"1": ["engineer", "cowboy"], "*": []}}, ["move a", "use hire"])
    assert position.note("hire engineer row 1") == "$6, then hire -2"
    assert position.note("hire cowboy row 1") == "$6, 4 points"
    given = {"at": ["a", "a"], "money": [30, 0], "craftsmen": [4, 1]}
    position = at(given | {"buildings": {"b1": "1/0"}}, ["move b", "use build"])
    assert position.note("build tile 5") == "$4 or more, 4 points, 5a: hire -1; engine"
    position.play("build tile 5")
    assert position.note("onto b1") == "$4, replaces 1a, woods"
    assert position.note("onto b2") == "$6"
    assert position.note("onto flood_risk1") == "$6, jersey for certificate and 2"


def test_engine_discs_and_masters():
    given = {"at": ["b", "b"], "engine": ["4", "0"], "engineers": [2, 1], "money": [9, 0]}
    given |= {"station_masters": {"4.5": "hazards", "7.5": "teepees"}}
    position = at(given, ["move c", "use engine"])
    assert position.note("engine to 5") == ""
    assert position.note("engine to 4.5") == (
        "station, may be upgraded: $2, 1 point, white, master hazards"
    )
    position.play("engine to 4.5")
    assert position.note("disc dollar") == "white, 2 dollars"
    assert position.note("disc certificate") == "white, back 1 for certificate"
    assert position.note("disc limit_4") == "white, certificate limit 4"
    assert position.note("done") == ""
    position.play("disc engine")
    assert position.note("appoint engineer") == (
        "1 permanent certificate, 3 points for each 2 hazards"
    )


def test_the_second_disc_of_an_auxiliary_action_doubles_it():
    given = {"at": ["g", "g"], "foresight": [[], [], []], "hand": [["guernsey"], []]}
    given |= {"cleared": [["certificate", "move_1"], []], "money": [9, 0]}
    position = at(given, ["move kansas_city", "spend 0", "deliver topeka"])
    assert position.note("disc certificate") == "white, back 2 for 2 certificates"
    assert position.note("disc engine") == "white, engine 1 for 1"
    given |= {"hand": [["holstein", "west_highland_3", "texas_longhorn_5"], []]}
    position = at(given, ["move kansas_city", "spend 0", "deliver el_paso"])
    assert position.note("disc hand") == "$5, black, hand limit 5"
    assert position.note("disc move_2") == "black, 5 steps, 3 points"
    assert position.note("disc limit_6") == "black, certificate limit 6 with the other"


def test_cards():
    given = {"at": ["d", "d"], "cowboys": [3, 1], "money": [40, 0], "market": ["ayrshire"] * 2}
    position = at(given, ["move e", "use buy cattle"])
    assert position.note("buy ayrshire for 6 with 1 cowboy") == "breeding value 3, 3 points"
    given = {"at": ["b", "b"], "display": ["draw_5_h", "..."]}
    position = at(given, ["move c", "use objective"])
    assert position.note("take objective draw_5_h") == "3 points for 5 H, else -2; draw 3"
    assert position.note("top objective card") == ""
    given = {"at": ["f", "f"], "hand": [["jersey", "jersey", "guernsey"], []]}
    position = at(given | {"stack": [["jersey"], []]}, ["move g", "use draw 1", "draw 1"])
    assert position.note("discard jersey") == "hand then worth 3"
    assert position.note("discard guernsey") == "hand then worth 1"


def test_hazards_teepees_and_foresight():
    given = {"at": ["e", "e"], "money": [9, 0], "hazards": {"flood1": "green_4", "*": "none"}}
    position = at(given, ["move f", "use hazard 7"])
    assert position.note("remove hazard flood1") == "flood_green_4, green hand, 4 points"
    given = {"at": ["c", "c"], "teepees": {"4": "blue", "*": "none"}}
    assert at(given, ["move d", "use trade"]).note("trade 4") == "blue_teepee"
    tiles = [["flood_green_2"], ["cowboy"], ["green_teepee"]]
    position = at({"at": ["g", "g"], "foresight": tiles}, ["move kansas_city"])
    assert position.note("foresight flood_green_2") == "to flood1"
    position.play("foresight flood_green_2")
    assert position.note("foresight cowboy") == "to row 2, the token moves on"
    position.play("foresight cowboy")
    assert position.note("foresight green_teepee") == "to trade minus 3"
    full = ["green_4", "green_4", "green_3", "black_3"]
    full = {"hazards": {f"flood{place}": tile for place, tile in enumerate(full, 1)}}
    position = at({"at": ["g", "g"], "foresight": tiles} | full, ["move kansas_city"])
    assert position.note("foresight flood_green_2") == "leaves the game"


def test_income_and_deliveries():
    given = {"at": ["g", "g"], "foresight": [[], [], []], "hand": [["guernsey", "jersey"], []]}
    given |= {"certificates": [2, 0], "permanent": [1, 0], "cities": {"wichita": [0, 1]}}
    position = at(given, ["move kansas_city"])
    assert position.note("spend 0") == "income $4, a city of at most 4"
    assert position.note("spend 2") == "income $6, a city of at most 6"
    position.play("spend 2")
    assert position.note("deliver kansas_city") == "transport $0, white, $6, -6 points"
    assert position.note("deliver topeka") == (
        "transport $0, white, with wichita -3 points and objective"
    )
    assert position.note("deliver wichita").startswith("transport $1, white, with topeka -3 points")


def test_towns():
    given = {"money": [9, 0], "hand": [["guernsey"], []], "cities": {"chicago": [1, 0]}}
    given |= {"towns": {"47": [0, "none", "none", "none"]}, "medium": {"43": "hire_2"}}
    played = ["move g", "use card for branchlet", "discard guernsey"]
    given |= {"medium": {"43": "engine_3"}}
    position = at({**given, "towns": {"47": [0, *["none"] * 3], "42": [0, *["none"] * 3]}}, played,
                  board=NORTH)  # fmt: skip
    assert position.note("branchlet denver 1") == "costs $1, big town"
    assert position.note("branchlet 48 1") == "token, small town"
    assert position.note("branchlet memphis 1") == "brings $2, big town"
    assert position.note("branchlet 43 1") == "medium town engine 3"


@pytest.mark.parametrize("board", [BASE, NORTH, MIXED], ids=["base", "north", "mixed"])
def test_every_legal_action_has_a_note_of_one_line(board):
    draw = random.Random(5)
    position = board.new(3, 5)
    for _ in range(500):
        if position.is_over:
            break
        for code in position.legal_codes()[::3]:
            told = position.note(int(code))
            assert "\n" not in told and not told.endswith(".") and len(told) < 200
            assert "  " not in told and ", ," not in told
        position.play(draw.choice(one_kind(position, draw)))


def test_the_tolls_told_are_those_paid():
    draw, seen = random.Random(2), 0
    position = MIXED.new(4, 2)
    while seen < 20 and not position.is_over:
        seat = position.to_move
        for text in position.legal():
            if not text.startswith("by "):
                continue
            after = position.copy().play(text)
            paid = after.state["tolls_paid"][0, seat] - position.state["tolls_paid"][0, seat]
            parts = position.note(text).partition(";")[0].split("$")[1:]
            assert sum(int(part.split(",")[0].split()[0]) for part in parts) == paid
            seen += 1
        position.play(draw.choice(one_kind(position, draw)))
    assert seen


# --------------------------------------------------------------------------------------- names


def test_names_explained():
    position = at({"at": ["b", "start"], "buildings": {"b1": "4/1"}, "cities": {"topeka": [1, 0]}})
    told = {word: " ".join(" ".join(position.explain(word)).split()) for word in (
        "b1", "4a", "4", "Topeka", "santa fe", "4.5", "draw_5_h", "texas longhorn", "hire +2",
        "flood_green_4", "hand", "workers", "nowhere", "b",
    )}  # fmt: skip
    assert told["b1"] == "b1, space: seat 1's 4a: hazard 5; move 2; woods; next b2"
    assert "hazard 5; move 2, 2 craftsmen, 3 points, hand black, on b1 of seat 1" in told["4a"]
    assert "4b, building: draw per cowboy; move 3" in told["4"]
    assert "the other side is used" in told["4"]
    assert "value 1, white, with wichita -3 points and objective; discs: seat 0 1" in told["Topeka"]
    assert told["santa fe"].startswith("santa_fe, city: value 8, white, with colorado_springs obj")
    assert told["4.5"].startswith("4.5, station: $2, 1 point, white, master ")
    assert told["draw_5_h"] == "draw_5_h, objective card: 3 points for 5 H, else -2; draw 3"
    assert told["texas longhorn"].count("breeding value 5") == 3
    assert told["hire +2"] == "hire +2, action: a worker hired at the cost of the row, and +2"
    assert told["flood_green_4"] == "flood_green_4, tile: green hand, 4 points"
    assert told["hand"] == "hand, disc: $5, black, hand limit 5"
    assert told["workers"] == "workers, station master: 2 dollars, 1 point for each worker"
    assert told["nowhere"] == ""
    assert (
        "cattleman of seat 0" in told["b"] and "B, building: dutch belt for 2; build" in told["b"]
    )


def test_towns_explained():
    position = at({"towns": {"denver": ["none", 1, "none", "none"]}}, board=NORTH)
    told = " ".join(" ".join(position.explain("denver")).split())
    assert "denver, city: value 8, black, for whoever has a branchlet there; discs: none" in told
    assert "denver, town: big, next to 47; spaces: 1 costs $1, 2 costs $2 (seat 1)" in told
    assert position.explain("topeka") == []


@pytest.mark.parametrize("board", [BASE, NORTH], ids=["base", "north"])
def test_every_word_of_an_action_that_is_a_name_is_explained(board):
    position = board.new(2)
    verbs = {*actions._FORMS, "objective", "first", "branches"}
    unknown = set()
    for text in actions._codes(board):
        for word in text.split():
            is_name = "_" in word or (text.startswith(("move", "deliver", "copy", "play")))
            if is_name and word not in verbs and not position.explain(word):
                unknown.add(word)
    assert unknown == set()


def test_secrets_are_the_own_hand():
    position = at({"hand": [["jersey", "jersey", "ayrshire"], ["guernsey"]]})
    assert position.secrets(0) == ["jersey", "jersey", "ayrshire"]
    assert position.secrets(1) == ["guernsey"]
