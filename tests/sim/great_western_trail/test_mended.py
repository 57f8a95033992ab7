"""Faults that were mended, each where it showed, in both engines."""

import copy

from sim.great_western_trail import scenarios
from tests.reference.great_western_trail import DONE
from tests.sim.great_western_trail.plain import GAME
from tests.sim.great_western_trail.test_against_reference import Twins


def both(given: dict, *answers: tuple, document: dict | None = None, **settings) -> Twins:
    """The position given, after some answers of seat 0."""
    document = document or GAME.board().document
    position = GAME.board_from(document, "board", settings).new(2, 1)
    scenarios.give(position, {"at": ["start", "start"], "money": [20, 20]} | given)
    twins = Twins(position)
    for answer in answers:
        twins.answer(answer)
    return twins


def test_a_disc_taken_before_the_move_counts_for_it():
    given = {"engine": ["15", "0"], "hand": [["engine_3_4_5"], []]}
    answers = [("play", "engine 3-4-5"), ("engine", 16.5), ("disc", "move_1")]
    before = both(given, *answers[:2])
    after = both(given, *answers)
    assert before.position.state[0].one[1] == 3
    assert after.position.state[0].one[1] == 4
    assert ("go", "e") in after.codes and ("go", "e") not in both(given).codes


def test_an_engine_move_that_is_forfeited_reaches_no_station():
    given = {"engine": ["4.5", "0"], "hand": [["engine_3_4_5"], []]}
    twins = both(given, ("play", "engine 3-4-5"))
    assert DONE in twins.codes
    twins.answer(DONE)
    assert {answer[0] for answer in twins.codes} == {"go"}


def test_what_a_replaced_tile_had_to_offer_is_gone():
    given = {
        "at": ["a", "start"],
        "buildings": {"a1": "5/0"},
        "craftsmen": [3, 1],
        "job": {"1": ["craftsman"]},
    }
    hire = [("go", "a1"), ("do", "hire -1"), ("hire", 1, "craftsman")]
    twins = both(given, *hire, ("tile", 6), ("onto", "a1"))
    assert set(twins.codes) == {DONE}


def test_a_copied_building_looks_to_its_own_neighbours():
    given = {
        "at": ["a", "start"],
        "sides": "bbbbbbbbbb",
        "buildings": {"a1": "8/0", "a2": "8/1", "a3": "3/1"},
    }
    copy = ("do", "adjacent building")
    twins = both(given, ("go", "a1"), copy, ("copy", "a2"), copy, building_sides="b")
    assert set(twins.codes) == {("copy", "a3")}


def test_a_building_that_acts_after_a_ride_is_not_copied():
    given = {
        "at": ["a", "start"],
        "sides": "bbbbbbbbbb",
        "buildings": {"a1": "1/0", "a2": "8/0", "a3": "8/1"},
        "hand": [["ride_3_4_5"], []],
    }
    copy = ("do", "adjacent building")
    answers = [("go", "a1"), ("play", "ride 3-4-5"), ("go", "a2"), copy, ("copy", "a3"), copy]
    twins = both(given, *answers, building_sides="b", ride_gives_actions=True)
    assert set(twins.codes) == {("copy", "b")}


def test_an_extraordinary_delivery_of_no_spaces_stays_one():
    """The turnout it ends on does not count, and the station master there sends the engine on."""
    document = copy.deepcopy(GAME.board().document)
    for master in document["masters"]:
        master["icon"] = "back 1 for 3"
    given = {"at": ["a", "start"], "buildings": {"a1": "9/0"}, "engine": ["5", "0"]}
    answers = [("go", "a1"), ("do", "extraordinary delivery"), ("engine", 4.5)]
    answers += [("disc", "dollar"), ("appoint", "cowboy")]
    twins = both(
        given | {"cowboys": [2, 1]},
        *answers,
        document=document,
        extraordinary_counts_end_turnout=False,
    )
    twins.answer(("engine", 4))
    assert {answer for answer in twins.codes if answer[0] == "deliver"} == {
        ("deliver", "Kansas City")
    }
