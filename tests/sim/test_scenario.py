"""Scenario files: what they can say, and what is said about a wrong one."""

import numpy as np
import pytest

import sim
from sim import scenario
from sim.errors import Mistake

LEASE = """
game = "westward-rails"
players = 3
[given]
phase = "turn"
to_move = 0
money = [20, 20, 20]
shares.midland_pacific = [1, 0, 0]
shares.santa_fe = [1, 1, 1]
track = [
  { link = "lincoln-north_platte", railroad = "midland_pacific", cubes = 2 },
  { link = "north_platte-denver", railroad = "midland_pacific", cubes = 2 },
  { link = "denver-colorado_springs", railroad = "midland_pacific", cubes = 1 },
  { link = "colorado_springs-grand_junction", railroad = "santa_fe", cubes = 2 },
]
[[do]]
action = "build midland_pacific grand_junction-provo"
[expect]
money = [18, 22, 22]
"""


@pytest.fixture
def told(tmp_path):
    """What `check` says of a scenario, given as text."""

    def run(text):
        path = tmp_path / "case.toml"
        path.write_text(text, encoding="utf-8")
        return scenario.check(scenario.load(path))

    return run


def turn(text="", given="", head=""):
    """A scenario at the start of seat 0's turn."""
    return (
        f'game = "westward-rails"\nplayers = 3\n{head}\n[given]\nphase = "turn"\n{given}\n{text}\n'
    )


def test_as_expected(told):
    assert told(LEASE) == []


def test_differences_are_sentences(told):
    wrong = LEASE.replace("[18, 22, 22]", "[18, 21, 22]\nvalue.santa_fe = 2")
    assert told(wrong) == [
        "At the end: money should be [18, 21, 22] but is [18, 22, 22].",
        "At the end: value.santa_fe should be 2 but is 1.",
    ]


def test_expectations_after_a_step(told):
    text = turn('[[do]]\naction = "upgrade front_range"\n[do.expect]\nupgrade_cubes = 6')
    assert told(text) == ["After step 1: upgrade_cubes should be 6 but is 5."]


def test_illegal_action_is_told_with_its_reason(told):
    text = turn('[[do]]\naction = ["upgrade front_range", "pass"]\n[expect]\nmoney = [0, 0, 0]')
    assert told(text) == [
        "Step 1: 'pass' is not legal: a player may only pass when nothing else can be done."
    ]


def test_illegal_is_asserted(told):
    assert told(turn('[[do]]\naction = "pass"\nillegal = true\nwhy = "nothing else"')) == []
    assert told(turn('[[do]]\naction = "pass"\nillegal = true\nwhy = "tired"'))[0].startswith(
        "Step 1: 'pass' should be illegal because 'tired', but the reason is: 'pass' is not legal"
    )
    assert told(turn('[[do]]\naction = "upgrade front_range"\nillegal = true')) == [
        "Step 1: 'upgrade front_range' should be illegal but is legal."
    ]


def test_illegal_does_not_hide_a_misspelt_name(told):
    with pytest.raises(Mistake, match=r"\[\[do\]\] 1: .*the nearest is 'front_range'"):
        told(turn('[[do]]\naction = "upgrade front_rang"\nillegal = true'))


def test_seat_and_forced(told):
    assert told(turn('[[do]]\naction = "upgrade front_range"\nseat = 1')) == [
        "Step 1: seat 1 should decide but seat 0 does."
    ]
    assert told(turn('[[do]]\naction = "upgrade front_range"\nforced = true')) == [
        "Step 1: 'upgrade front_range' is not forced: 'auction texas_pacific' is legal too."
    ]


def test_legal(told):
    text = turn(
        "[expect]\n"
        'legal.contains = ["pass", "upgrade front_range", "upgrade *"]\n'
        'legal.not = ["build *", "auction santa_fe"]\n'
        'legal.only = ["upgrade *", "stop"]'
    )
    differences = told(text)
    assert differences[0].startswith("At the end: 'pass' should be legal but is not: ")
    assert differences[1] == "At the end: 'auction santa_fe' should not be legal but is."
    assert differences[2] == "At the end: 'stop' should be legal."
    assert differences[3] == "At the end: 'auction texas_pacific' should not be legal but is."


def test_beginning_of_a_list_and_entries_of_tables(told):
    text = (
        LEASE
        + 'deck = ["fargo-butte", "..."]\ntrack = [{ link = "provo-grand_junction", cubes = 2 }]'
    )
    assert [line[:36] for line in told(text)] == [
        'At the end: deck should be ["fargo-b',
        "At the end: track grand_junction-pro",
    ]


def test_redraw_keeps_what_is_seen(told):
    step = '[[do]]\nredraw_for = 0\n[expect]\nmoney = [1, 2, 3]\ndemands = ["fargo-butte"]'
    assert told(turn(step, 'money = [1, 2, 3]\ndemands = ["fargo-butte"]')) == []


def test_board_beside_the_scenario(told, tmp_path):
    shipped = sim.load("westward-rails").folder / "boards" / "reconstructed_map.toml"
    (tmp_path / "own.toml").write_bytes(shipped.read_bytes())
    assert told(turn(head='board = "own.toml"')) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('game = "westward-rail"\nplayers = 3', "There is no game 'westward-rail'; the nearest is"),
        ('game = "westward-rails"', "the key 'players' is missing"),
        ('game = "westward-rails"\nplayers = 7', "for 3 to 5 players, not 7"),
        (turn(head="plyers = 3"), "there is no key 'plyers'; the nearest is 'players'"),
        (
            turn(head="[options]\nlease_ties = 1"),
            r"\[options\]: there is no option 'lease_ties'; the nearest",
        ),
        (
            turn(given="mony = [1, 2, 3]"),
            r"\[given\] there is no key 'mony'; the nearest is 'money'",
        ),
        (turn(given="money = [1, 2]"), "should be 3 whole numbers, one a seat"),
        (turn(given="money = [1, 2, -3]"), "should be a whole number, 0 or more"),
        (turn(given="to_move = 3"), "should be a seat from 0 to 2"),
        (turn(given="value.sante_fe = 5"), "no railroad 'sante_fe'; the nearest is 'santa_fe'"),
        (turn(given="value = 5"), "should be given by railroad"),
        (turn(given="shares.santa_fe = [3, 2, 1]"), "6 are too many, a railroad has 5"),
        (turn(given='upgraded = ["front"]'), "no metro area 'front'"),
        (turn(given='metro_cash = ["front_range"]'), "'front_range' is not upgraded"),
        (turn(given='disc = ["build"]'), "should be 3 action spaces"),
        (turn(given='track = [{ link = "lincoln-denver", railroad = "santa_fe" }]'), "no link"),
        (turn(given='track = [{ link = "lincoln-wichita" }]'), "the key 'railroad' is missing"),
        (turn(given='track = [{ line = "lincoln-wichita" }]'), "should be a list of tables"),
        (
            turn(given='track = [{ link = "lincoln-wichita", railroad = "santa_fe", cubes = 3 }]'),
            "cubes = 3 should be from 1 to 2",
        ),
        (
            turn(given='track = [{ link = "boise-twin_falls", railroad = "santa_fe", cubes = 1 }]'),
            "touches neither end, so say where the link was begun",
        ),
        (turn(given="cubes_left.santa_fe = 21"), "should be at most 20"),
        (turn(given='demands = ["fargo-butte", "fargo-butte"]'), "'fargo-butte' is given twice"),
        (turn(given='deck = ["fargo-boise"]'), "no demand 'fargo-boise'"),
        (turn(given="high_bid = 5"), "high_bid and high_bidder go together"),
        (turn().replace('"turn"', '"lease route"'), "is reached by playing"),
        (turn().replace('"turn"', '"turns"'), "no phase 'turns'; the nearest is 'turn'"),
        (turn().replace('"turn"', '"opening bid"'), "the key 'auctioned' is missing"),
        (turn(given="turn = 0"), "turn = 0 is the Initial Auction"),
        (
            turn("[[do]]\nacton = 'pass'"),
            r"\[\[do\]\] 1: there is no key 'acton'; the nearest is 'action'",
        ),
        (turn("[[do]]\naction = 3"), "3 should be an action or a list of actions"),
        (turn("[[do]]\naction = 'pass'\nwhy = 'x'"), "'why' is for an action with illegal"),
        (turn("[[do]]\nillegal = true"), "the key 'action' is missing"),
        (turn("[[do]]\naction = 'pass'\nseat = 5"), "seat = 5 should be a seat from 0 to 2"),
        (
            turn("[expect]\nmonye = [1]"),
            r"\[expect\] there is no key 'monye'; the nearest is 'money'",
        ),
        (turn("[expect]\nlegal.contain = []"), "no key 'legal.contain'; the nearest is"),
        (
            turn("[expect]\ntouches.santa_fe = ['wichit']"),
            "no city 'wichit'; the nearest is 'wichita'",
        ),
    ],
)
def test_mistakes(told, text, fault):
    with pytest.raises(Mistake, match=fault.replace("?", r"\?")) as raised:
        told(text)
    assert "case.toml" in str(raised.value)


def test_there_is_no_file():
    with pytest.raises(Mistake, match="nowhere.toml: there is no such file"):
        scenario.load("nowhere.toml")


# What a given position must have in common with one that was played to. Left out: the stream, the
# counts for the results table, and what only means something while a route is chosen.
SAME = (
    "turn", "to_move", "actor", "phase", "money", "shares", "disc", "value", "next_dividend",
    "shares_out", "cubes", "presence", "joined", "begun", "complete", "adjacent", "reachable",
    "lease", "unowned", "link_railroad", "link_cubes", "upgrade_cubes", "upgraded",
    "metro_cash", "demand_space", "deck_next", "initial", "forced_passes",
)  # fmt: skip
GIVEN = (
    "phase", "turn", "to_move", "money", "shares", "value", "track", "cubes_left", "disc",
    "demands", "deck", "upgraded", "metro_cash", "upgrade_cubes", "forced_passes",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_given_equals_played(seed):
    """Look at a position in the middle of a random game, give the same, and compare the records."""
    room = sim.load("westward-rails").scenarios
    draw = np.random.default_rng(seed)
    board = sim.load("westward-rails").board()
    position = board.new(3 + seed % 3, seed)
    compared = 0
    while not position.is_over and compared < 12:
        codes = position.legal_codes()
        if room.look(position, "phase") == "turn" and draw.random() < 0.5:
            given = {key: room.look(position, key) for key in GIVEN}
            given["track"] = _track(position, given["track"])
            other = board.new(position.players, seed + 100)
            room.give(other, given)
            _assert_same(position.state[0], other.state[0])
            compared += 1
        builds = [code for code in codes if position.text(code).startswith("build")]
        position.play(int(draw.choice(builds if builds and draw.random() < 0.7 else codes)))
    assert compared > 5


def _track(position, links):
    """The links with track; where both ends are touched, from one that nothing else explains."""
    file = position.board.file
    lengths = {"-".join(link.cities): link.segments for link in file.link}
    track = [{k: v for k, v in entry.items() if v != ""} for entry in links if entry["cubes"]]
    touched = {railroad.id: {railroad.start} for railroad in file.railroad}
    for entry in track:
        ends = entry["link"].split("-")
        is_complete = entry["cubes"] == lengths[entry["link"]]
        if is_complete or "from" in entry:
            touched[entry["railroad"]] |= set(ends) if is_complete else {entry["from"]}
    for entry in track:
        if "from" not in entry and entry["cubes"] < lengths[entry["link"]]:
            ends = entry["link"].split("-")
            known = touched[entry["railroad"]]
            entry["from"] = next((end for end in ends if end not in known), ends[0])
            known.add(entry["from"])
    return track


def _assert_same(played, given):
    for name in SAME:
        assert np.array_equal(played[name], given[name]), name
    top = int(played.deck_next)
    assert list(played.deck[top:]) == list(given.deck[top:])
    joined = [tuple(np.flatnonzero(played.component == label)) for label in played.component]
    assert joined == [tuple(np.flatnonzero(given.component == n)) for n in given.component]
