"""Positions for scenario files: what cannot be is told, and what is given is what play reaches."""

import random

import pytest

import sim
from sim.errors import Mistake
from sim.great_western_trail.scenario_tasks import pending
from sim.great_western_trail.scenarios import EXPECTED, GIVEN, give, look, tidy
from sim.great_western_trail.state import MAX_ROWS, STATE

GAME = sim.load("great-western-trail")
BARE = {"hazards": {"*": "none"}, "teepees": {"*": "none"}}
JERSEYS = ["jersey"] * 6


def _at(place):
    return {"at": [place, "none"]}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"moneys": [1, 2]}, "there is no key 'moneys'; the nearest is 'money'"),
        ({"money": [1]}, "money = [1] should be 2 whole numbers, one a seat"),
        ({"money": [1, -1]}, "money = -1 should be a whole number from 0"),
        ({"money": [1, 2, "..."], "turn": 0}, "turn = 0 is a turn of seat"),
        ({"cowboys": [7, 1]}, "cowboys = 7 should be a whole number from 1 to 6"),
        ({"cowboys": [0, 1]}, "cowboys = 0 should be a whole number from 1 to 6"),
        ({"certificates": [5, 0]}, "certificates = 5 should be one of [0, 1, 2, 3, 4, 6]"),
        ({"certificates": [0, 4]}, "certificates = 4: the limit of seat 1 is 3"),
        ({"engine": [4.6, 0]}, "engine: there is no space of the railroad '4.6'"),
        ({"engine": [7, "7"]}, "engine: only the start has room for several"),
        ({"tokens": [1, 0]}, "tokens belong to Rails to the North"),
        ({"at": ["b9", "none"]}, "at: there is no space 'b9'; the nearest is 'b"),
        ({"phase": "hire"}, "phase = 'hire' is reached by playing, or given as pending"),
        ({"phase": "moves"}, "there is no phase 'moves'; the nearest is 'move'"),
        ({"phase": "move"}, "the cattleman of seat 0 cannot be at 'none' in this phase"),
        (_at("kansas_city"), "cannot be at 'kansas_city' in this phase"),
        (_at("b1") | {"phase": "actions"}, "cannot be at 'b1' in this phase"),
        (_at("b") | {"phase": "income"}, "cannot be at 'b' in this phase"),
        (_at("b") | {"left": []}, "left is for the phase 'actions'"),
        (_at("b") | {"phase": "actions", "left": ["hire"]}, "left: b has no action 'hire'"),
        ({"value": 4}, "value is for the phase 'delivery'"),
        ({"phase": "delivery"}, "the key 'value' is missing"),
        ({"turn": 4, "to_move": 0}, "turn = 4 is a turn of seat 1, not of 0"),
        ({"pending": ["hire"]}, "pending should be a list of tables, each with its 'phase'"),
        ({"pending": [{"phase": "hires"}]}, "there is no phase 'hires'; the nearest is 'hire'"),
        ({"pending": [{"phase": "hire"}]}, "pending: change is missing"),
        (
            {"pending": [{"phase": "hire", "chang": 1}]},
            "'hire' has no 'chang'; the nearest is 'change'",
        ),
        ({"pending": [{"phase": "hire", "change": "2"}]}, "change = '2' should be a whole number"),
        (
            {"pending": [{"phase": "disc", "city": "topekka"}]},
            "city: there is no word 'topekka'; the nearest is 'topeka'",
        ),
        (
            {"pending": [{"phase": "buy cattle", "cowboys": 2, "drawn": 1}]},
            "drawn = 1 should be true or false",
        ),
        ({"sides": "abc"}, "sides = 'abc' should be 10 letters a or b"),
        ({"buildings": {"b1": "3"}}, "buildings.b1 = '3' should be a tile and its seat"),
        ({"buildings": {"b1": "3b/0"}}, "the side 3a is used in this game"),
        ({"buildings": {"b1": "3/2"}}, "should be a seat from 0 to 1"),
        ({"buildings": {"b1": "11/0"}}, "11 should be a building tile, 1 to 10"),
        ({"buildings": {"b1": "C"}}, "buildings.b1 = 'C' does not belong on such a space"),
        ({"buildings": {"a": "C"}}, "each neutral building should stand on one space"),
        ({"buildings": {"b1": "3/0", "b2": "3/0"}}, "seat 0 has each tile once"),
        ({"hazards": {"flood9": "none"}}, "there is no hazard space 'flood9'"),
        ({"hazards": {"flood1": "rockfall_green_4"}}, "there is no hazard"),
        (
            {**BARE, "hazards": {"*": "none", "flood1": "green_2", "flood2": "green_2"}},
            "tiles: 2 of 'flood_green_2' would be in the game, and there are 1",
        ),
        ({"teepees": {"5": "blue"}}, "there is no trade '5'"),
        ({"teepees": {"4": "red"}}, "there is no teepee 'red_teepee'"),
        ({"foresight": [[], []]}, "should have 3 entries, one a column"),
        ({"foresight": [["cowboy"], [], []]}, "column 1 has 0 of 'cowboy'"),
        ({"foresight": [["blue_teepee"] * 3, [], []]}, "a column has room for 2 tiles, not 3"),
        ({"piles": [[], [], ["blue_teepee"] * 4]}, "column 3 has 3 of 'blue_teepee'"),
        ({"job": {"1": ["cowboy"] * 3}}, "job.1 = 3 is too many with the token in row 2"),
        ({"job": {"2": ["cowboy"] * 2}}, "job.2 = 2 is too many with the token in row 2"),
        ({"job": {"3": ["cowboy"]}}, "job.3 = 1 is too many with the token in row 2"),
        ({"job": {"13": []}}, "there is no row '13'"),
        ({"token_row": 13}, "token_owner: the token has left the last row"),
        ({"market": ["jersy"]}, "there is no cattle 'jersy'; the nearest is 'jersey'"),
        (
            {"market": {"holstein": 8}},
            "cards: 8 of 'holstein' would be in the game, and there are 7",
        ),
        ({"cattle_stack": ["west_highland_3"] * 4}, "cards: 4 of 'west_highland_3' would be"),
        ({"hand": [JERSEYS, JERSEYS]}, "cards: 12 of 'jersey' would be in the game, and there are"),
        ({"hand": [JERSEYS]}, "should be 2 lists of cards, one a seat"),
        ({"hand": [["cow"], "..."]}, "there is no card 'cow'"),
        (
            {"played": [["draw_5_h"], ["draw_5_h"]]},
            "cards: 2 of 'draw_5_h' would be in the game, and there are 1",
        ),
        ({"shown": [["draw_5_h"], []]}, "shown and secret: seat 0 has not 'draw_5_h' in hand"),
        ({"display": ["draw_5_h"]}, "it has 4 cards while any are in the stack"),
        ({"display": ["draw_5_h"] * 5}, "there is room for 4 cards, not 5"),
        ({"tiles": [["cowboy"], []]}, "there is no hazard or teepee 'cowboy'"),
        ({"cleared": [["hands"], []]}, "there is no disc 'hands'; the nearest is 'hand'"),
        ({"cleared": [["branchlet"], []]}, "there is no disc 'branchlet'"),
        ({"cleared": [["hand"] * 3, []]}, "cleared: seat 0 has 2 of the discs 'hand'"),
        ({"cleared": [[], []], "discs": [[], []]}, "cleared and discs say the same"),
        ({"stations": {"5": [0]}}, "there is no station '5'"),
        ({"stations": {"4.5": [2]}}, "should be a seat from 0 to 1"),
        ({"station_masters": {"21.5": "workers"}}, "the station 21.5 has no place"),
        (
            {"station_masters": {"4.5": "workers"}, "masters": [["workers"], []]},
            "the station master 'workers' is given twice",
        ),
        ({"new_york": ["workers"]}, "new_york belongs to Rails to the North"),
        ({"cities": {"topeka": [1]}}, "cities.topeka = [1] should be 2 whole numbers"),
        ({"towns": {"denver": [0]}}, "towns: the board has none with these options"),
    ],
)
def test_what_cannot_be_is_told(given, words):
    position = GAME.new(players=2)
    with pytest.raises(Mistake) as mistake:
        give(position, given)
    told = str(mistake.value)
    assert words in told and told.endswith(".") and "\n" not in told


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"towns": {"denver": [0, 0]}}, "towns.denver: a seat has at most one branchlet in a town"),
        ({"towns": {"denver": [0] * 5}}, "should be a list of at most 4 seats"),
        ({"towns": {"*": [0]}}, "towns: seat 0 has 15 branchlets"),
        ({"medium": {"denver": "engine_3"}}, "there is no town 'denver'"),
        (
            {"medium": dict.fromkeys(["43", "46", "52"], "engine_3")},
            "medium: 3 of 'engine_3' would be in the game, and there are 2",
        ),
    ],
)
def test_what_cannot_be_in_the_north_is_told(given, words):
    position = GAME.new(players=2, rails_to_the_north=True)
    with pytest.raises(Mistake) as mistake:
        give(position, given)
    assert words in str(mistake.value)


def _given(given, players=2, **options):
    position = GAME.new(players=players, **options)
    give(position, given)
    return position


def test_what_follows_from_what_is_given():
    position = _given(
        {
            **BARE,
            "at": ["b", "c"],
            "buildings": {"b1": "3/1"},
            "used_up": [[2], "..."],
            "job": {"*": [], "4": ["cowboy"]},
            "token_row": 4,
            "hand": [["jersey", "jersey", "holstein"], "..."],
            "discard": [["guernsey"], "..."],
            "cleared": [["hand"], "..."],
            "masters": [["hazards"], "..."],
            "cities": {"topeka": [1, 0], "kansas_city": [2, "..."]},
        }
    )
    assert position.to_move == 0 and position.turn == 3
    assert position.legal() == ["move b1", "move c", "move d", "move e", "move f"]
    assert look(position, "phase") == "move"
    assert look(position, "turns") == [2, 1]
    assert look(position, "used_up") == [[2], [3]]
    assert look(position, "placed") == 7
    assert look(position, "hand_count")[0] == 3 and look(position, "discard_count")[0] == 1
    assert look(position, "stack")[0] == (
        ["black_angus"] * 3 + ["dutch_belt"] * 3 + ["guernsey"] * 2 + ["jersey"] * 3
    )
    assert look(position, "discs")[0].count("hand") == 1
    assert look(position, "hand_limit") == [5, 4]
    assert look(position, "permanent") == [1, 0]
    assert "hazards" not in look(position, "station_masters").values()
    assert look(position, "delivered") == [["kansas_city", "topeka"], []]
    market = look(position, "market")["holstein"]
    assert market + look(position, "cattle_stack").count("holstein") == 6


def test_all_that_is_not_named():
    position = _given({"buildings": {"*": "none", "b1": "3/0"}, "cities": {"*": [1, 0]}})
    assert look(position, "buildings")["a"] == "A"
    assert [what for what in look(position, "buildings").values() if "/" in what] == ["3a/0"]
    assert set(map(tuple, look(position, "cities").values())) == {(1, 0)}
    position = _given({"station_masters": {"4.5": "workers"}})
    masters = [master for master in look(position, "station_masters").values() if master != "none"]
    assert masters[0] == "workers" and len(set(masters)) == len(masters) == 5


def test_phases():
    position = _given({**_at("a"), "phase": "actions", "left": ["hire"]})
    assert look(position, "begun") and "done" in position.legal()
    assert look(position, "acted") == ["a"]
    position = _given({**_at("a"), "phase": "actions"})
    assert not look(position, "begun") and "done" not in position.legal()
    position = _given({"phase": "delivery", "value": 4})
    assert position.legal() == ["deliver kansas_city", "deliver topeka", "deliver wichita"]
    assert look(position, "at") == ["kansas_city", "none"] and look(position, "arrived")
    position = _given({"phase": "income"})
    assert position.legal() == ["spend 0"]
    position = _given({"phase": "foresight", "foresight": [[], ["cowboy", "engineer"], []]})
    assert position.legal() == ["foresight cowboy", "foresight engineer"]
    position = _given({**_at("a"), "phase": "end of turn"})
    assert position.to_move == 1 and look(position, "turns") == [2, 2]
    position = _given({**_at("a"), "pending": [{"phase": "action", "of": "engine 2"}]})
    assert position.legal() == ["engine to 1", "engine to 2"]


def test_what_is_under_the_named_tiles_and_cards():
    position = _given(
        {
            **BARE,
            "foresight": [["blue_teepee"], ["cowboy"] * 2, ["engineer"]],
            "piles": [["flood_green_2", "..."], ["cowboy", "cowboy"], []],
            "cattle_stack": ["texas_longhorn_7", "texas_longhorn_7"],
            "market": [],
            "display": ["draw_5_h", "..."],
            "objective_stack": ["draw_b_b_h", "..."],
        }
    )
    piles = look(position, "piles")
    assert piles[0][0] == "flood_green_2" and piles[0].count("flood_green_2") == 1
    assert piles[1:] == [["cowboy", "cowboy"], []]
    assert look(position, "cattle_stack") == ["texas_longhorn_7", "texas_longhorn_7"]
    assert "draw_5_h" in look(position, "display") and len(look(position, "display")) == 4
    stack = look(position, "objective_stack")
    assert stack[0] == "draw_b_b_h" and len(stack) == 20
    cards = [*stack, *look(position, "display")]
    assert sorted(set(cards)) == sorted({card for card in cards if not card.startswith("start")})
    assert all(cards.count(card) == 1 for card in set(cards) if card != "auxiliary_sf")


def test_cards_dealt_give_way():
    """What is given to one seat is not where it was dealt: another starting card, another tile."""
    for card in ("start_3_4_b", "start_b_b_h", "start_bt_h_h", "start_s_s_gt"):
        position = _given({"played": [[card], "..."]})
        (other,) = look(position, "played")[1]
        assert other != card
    position = _given({**BARE, "tiles": [["flood_green_4", "flood_green_4"], []]})
    assert "flood_green_4" not in look(position, "foresight")[0] + look(position, "piles")[0]
    assert len(look(position, "foresight")[0]) == 2
    position = _given({"hand": [["texas_longhorn_7"] * 2, "..."]})
    assert "texas_longhorn_7" not in look(position, "cattle_stack")
    assert look(position, "market")["texas_longhorn_7"] == 0


OTHER_WORDS = ("phase", "left", "begun", "value", "discs")  # for what is given otherwise
NOT_KEPT = (  # that a scenario has no words for
    *("rng", "pile", "n_pile", "pile_next", "cattle_stack", "n_cattle", "cattle_next"),
    *("objective_stack", "n_objectives", "objective_next", "visits", "side"),
    *("arrivals", "deliveries", "income", "best_income", "transport", "tolls_paid"),
    *("tolls_earned", "cattle_bought", "hired", "removed", "display", "foresight"),
)


def _described(position):
    """A position as `given` would have it."""
    given = {key: look(position, key) for key in GIVEN if key not in OTHER_WORDS}
    given["pending"] = pending(position)
    if not position.board.record[0].n_towns:
        for key in ("towns", "medium", "new_york"):
            del given[key]
    if given["token_row"] > MAX_ROWS:
        del given["token_row"]
    return given


@pytest.mark.parametrize("seed", range(6))
def test_a_position_reached_by_playing_can_be_given(seed):
    """The same position twice: as the rules made it, and as it is written for a scenario."""
    chance = random.Random(seed)
    options = {"building_sides": "random", "neutral_buildings": "random"}
    options["rails_to_the_north"] = bool(seed % 2)
    position = GAME.new(players=2 + seed % 3, seed=seed, **options)
    seen = set()
    number = 0
    while not position.is_over:
        number += 1
        if number % 5 == 0:
            seen.add(look(position, "phase"))
            other = GAME.new(players=position.players, seed=seed + 100, **options)
            give(other, _described(position))
            for name in STATE.names:
                if name not in NOT_KEPT:
                    assert (other.state[0][name] == position.state[0][name]).all(), name
            for key in (
                "sides",
                "piles",
                "cattle_stack",
                "objective_stack",
                "display",
                "foresight",
            ):
                assert look(position, key) == look(other, key)
            assert sorted(position.legal()) == sorted(other.legal())
        for key in EXPECTED if number % 50 == 0 else ():
            found = look(position, key)
            assert found == {} or tidy(position, key, found) == found, key
        position.play(chance.choice(position.legal_codes().tolist()))
    assert len(seen) > 10


@pytest.mark.parametrize("seed", range(20))
def test_tiles_and_cards_that_give_way_are_not_lost(seed):
    """Of each kind as many as are printed, wherever what was dealt has to go."""
    position = GAME.new(players=4, seed=seed)
    state, record = position.state[0], position.board.record[0]
    give(position, {})
    assert (position.state == GAME.new(players=4, seed=seed).state).all()
    give(position, {**BARE, "foresight": [["blue_teepee"], [], ["green_teepee"]], "market": []})
    for column in range(3):
        order = state.pile[column, : state.n_pile[column]].tolist()
        assert [order.count(tile) for tile in range(20)] == record.pile_tiles[column].tolist()
    piles = [tile for pile in look(position, "piles") for tile in pile]
    taken = piles + [tile for column in look(position, "foresight") for tile in column]
    taken += [worker for row in look(position, "job").values() for worker in row]
    assert len(taken) == 35 + 33 + 26
    assert len(look(position, "cattle_stack")) == 36
