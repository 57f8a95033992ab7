"""Positions for scenario files: what cannot be is told, and what is given is what play reaches."""

import random

import pytest

import sim
from sim.errors import Mistake
from sim.railways_of_the_world.state import ACTION, BIDDING, PAIR_SIDES, SIDES

GAME = sim.load("railways-of-the-world")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"moneys": [1, 2]}, "there is no key 'moneys'; the nearest is 'money'"),
        ({"money": [1]}, "money = [1] should be 2 whole numbers, one a seat"),
        ({"money": [1, -1]}, "money = -1 should be a whole number from 0"),
        ({"engine": [1, 9]}, "engine: the level of seat 1 should be from 1 to 8"),
        ({"points": [101, 0]}, "points: the marker of seat 0 should be on 0 to 100"),
        ({"cubes": {"toldo": []}}, "there is no city 'toldo'; the nearest is 'toledo'"),
        ({"cubes": {"toledo": ["gray"]}}, "cubes.toledo: there is no colour 'gray'"),
        ({"cubes": {"toledo": {"red": 200}}}, "cubes.toledo.red = 200 should be a whole number"),
        ({"cubes": {"toledo": {"red": 20}, "*": ["red"]}}, "red ones would be on the board"),
        ({"cubes": []}, "cubes should be given by city, as in cubes.albany"),
        ({"colours": {"chicago": "blue"}}, "colours.chicago: only a gray city"),
        ({"colours": {"toledo": "red"}}, "there are not so many red New City tiles"),
        ({"dials": {"toledo": "red"}}, "dials.toledo: the city has no dial"),
        ({"markers": ["albany"], "markers_placed": 0}, "markers_placed = 0 should be from 1"),
        ({"phase": "route"}, "phase = 'route' is reached by playing: give one of"),
        ({"phase": "bids"}, "there is no phase 'bids'; the nearest is 'bid'"),
        ({"phase": "action", "bid": 3}, "are for the phase 'bid'"),
        ({"phase": "bid", "bid": 3}, "bid and high_bidder go together"),
        ({"phase": "bid", "bid": 3, "high_bidder": 0}, "high_bidder = 0 has nothing to decide"),
        ({"phase": "bid", "round": 1}, "round should be 1, 2 or 3 in the phase 'action'"),
        ({"phase": "action", "turn": 0}, "turn = 0 and the phase 'action' do not go together"),
        ({"phase": "action", "order": [0, 0]}, "should name each of the 2 seats once"),
        ({"turn": 5, "last_turn": 7}, "last_turn = 7 should be this turn, 5, or the next"),
        ({"turn": 5, "last_turn": 5, "markers": ["albany"]}, "off the board in the last turn"),
        ({"links": {"albany": [0]}}, "'albany' should be two cities"),
        ({"links": {"albany-albany": [0]}}, "'albany-albany' should be two different cities"),
        ({"links": {"new_york-philadelphia": [0, 0]}}, "seat 0 has a link between the two"),
        ({"links": [{"seat": 0}]}, "should have either 'route' or 'cities'"),
        (
            {"links": [{"seat": 0, "route": ["new_york", "8,22", "philadelphia"]}]},
            "jumps between hexes that are not neighbours",
        ),
        (
            {"links": [{"seat": 0, "route": ["new_york", "99,1", "philadelphia"]}]},
            "the hex '99,1' is not on the board",
        ),
        (
            {"links": [{"seat": 0, "route": ["new_york", "7,22", "philadelphia"]}]},
            "the hex '7,22' is a city",
        ),
        (
            {"stubs": [{"seat": 0, "route": ["dover", "9,23", "9,22"], "exit": "w"}]},
            "its exit 'w' leads to a city",
        ),
        (
            {"stubs": [{"seat": 0, "route": ["baltimore", "9,22"], "exit": "e"}]},
            "baltimore has no spur on its side e",
        ),
        (
            {"stubs": [{"seat": 0, "route": ["columbus", "13,13"], "exit": "ne"}]},
            "no track fits from e to ne in 13,13: the turn is too sharp",
        ),
        ({"stubs": [{"seat": 0, "route": ["columbus", "13,13"]}]}, "the key 'exit' is missing"),
        ({"depots": {"toledo": [1, 0]}}, "belong to the Fuel Depots, which are not in use"),
        ({"western_links": {"des_moines": 0}}, "the board has none with these options"),
        ({"shown": ["hotel_boston", "hotel_boston"]}, "there is 1 copy of the card 'hotel_boston'"),
        ({"held": [["hotel"], []]}, "held: there is no card 'hotel'"),
        ({"deck": ["hotel_boston"] * 2}, "there is 1 copy of the card 'hotel_boston'"),
        ({"barons": ["richest", "richest"]}, "barons: there is 1 copy of 'richest'"),
        ({"barons": ["richest"]}, "should be 2 Rail Barons, one a seat"),
        ({"barons": ["rich", "..."]}, "there is no Rail Baron 'rich'"),
    ],
)
def test_what_cannot_be_is_told(given, words):
    position = GAME.new(players=2)
    with pytest.raises(Mistake) as mistake:
        GAME.scenarios.give(position, given)
    told = str(mistake.value)
    assert words in told and told.endswith(".") and "\n" not in told


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"depots": {"denver": [1, 1]}}, "only one seat can have Fuel Depots in a city"),
        ({"depots": {"denver": [5, 0]}}, "seat 0 would have more than 4"),
        (
            {"stopped": [{"seat": 0, "colour": "red", "route": ["omaha", "denver"]}]},
            "seat 0 has no Fuel Depot in 'denver'",
        ),
        (
            {
                "depots": {"denver": [1, 0]},
                "stopped": [{"seat": 0, "colour": "red", "route": ["omaha", "denver"]}],
            },
            "no link joins 'omaha' and 'denver'",
        ),
    ],
)
def test_what_cannot_be_in_the_west_is_told(given, words):
    position = GAME.new(players=2, board="western_us")
    with pytest.raises(Mistake) as mistake:
        GAME.scenarios.give(position, given)
    assert words in str(mistake.value)


def _route(position, city, side, tiles):
    """The hexes of a track that leaves a city, as they are written, and its last exit."""
    state, record, file = position.state[0], position.board.record[0], position.board.file
    names = [f"{row},{column}" for row, column in file.places]
    place, out = int(record.city_hex[city]), [file.city_ids[city]]
    for _ in range(tiles):
        place, entry = int(record.beside[place, side]), (side + 3) % 6
        for track in state.track[place]:
            near, far = (int(end) for end in PAIR_SIDES[(int(track) - 1) % 16])
            if track and entry in (near, far):
                side = near + far - entry
                break
        out.append(names[place])
    return out, side


def _described(position):
    """A position between actions as `given` would have it."""
    state, file, look = position.state[0], position.board.file, GAME.scenarios.look
    keys = ["phase", "turn", "order", "to_move", "money", "bonds", "points", "banked", "engine"]
    keys += ["first_at_level", "cubes", "colours", "new_tiles", "markers", "major_lines", "depots"]
    keys += ["shown", "held", "used", "deck", "triggered", "last_turn", "trigger_player"]
    if state.phase == ACTION:
        keys += ["round", "actions_left"]
    else:
        keys += ["bid", "high_bidder", "passed", "own_bids"]
    given = {key: look(position, key) for key in keys}
    given["dials"] = {
        name: dial for name, dial in look(position, "dials").items() if dial != "no dial"
    }
    if not position.board.record[0].fuel_depots:
        del given["depots"]
    if not state.triggered:
        del given["last_turn"]
    given["barons"] = [
        [file.baron_ids[int(row)] for row in state.barons[seat]] for seat in range(position.players)
    ]
    given["links"], given["stubs"] = [], []
    for link in range(int(state.n_links)):
        first, last = (int(city) for city in state.link_city[link])
        route, _ = _route(position, first, int(state.link_spur[link]), int(state.link_tiles[link]))
        entry = {"seat": int(state.link_owner[link]), "route": [*route, file.city_ids[last]]}
        given["links"].append(entry)
    for stub in range(int(state.n_stubs)):
        city, side = int(state.stub_city[stub]), int(state.stub_spur[stub])
        route, end = _route(position, city, side, int(state.stub_tiles[stub]))
        entry = {"seat": int(state.stub_owner[stub]), "route": route, "exit": SIDES[end]}
        given["stubs"].append(entry)
    return given


SAME = (
    *("phase", "turn", "round_number", "place", "to_move", "actions_left", "order"),
    *("last_turn", "triggered", "trigger_player", "first_at_level", "barons", "has_kept"),
    *("money", "bonds", "marker", "banked", "engine", "shown", "held", "used"),
    *("bag", "cubes", "colour", "dial", "accepts", "stocked", "marked", "new_tiles"),
    *("linked", "joined", "n_links", "links", "network", "n_stubs"),
    *("line_owner", "western_owner", "depots", "depots_left", "depot_cities"),
)
OF_THE_AUCTION = ("bid", "high_bidder", "passed", "n_passed", "own_bid")


@pytest.mark.parametrize("seed", range(4))
def test_a_position_reached_by_playing_can_be_given(seed):
    """The same position twice: as the rules made it, and as it is written for a scenario."""
    chance = random.Random(seed)
    board, look = ("eastern_us", "western_us")[seed % 2], GAME.scenarios.look
    position = GAME.new(players=2 + seed % 4, seed=seed, board=board)
    compared = 0
    for number in range(400):
        verbs = {}
        for text in position.legal():
            verbs.setdefault(text.split()[0], []).append(text)
        if len(verbs) > 1:
            verbs.pop("pass", None)
        position.play(chance.choice(verbs[chance.choice(sorted(verbs))]))
        state = position.state[0]
        waits = state.phase in (ACTION, BIDDING) and (state.stopped < 0).all()
        if not waits or number % 3:
            continue
        other = GAME.new(players=position.players, seed=seed + 100, board=board)
        GAME.scenarios.give(other, _described(position))
        for name in (*SAME, *(OF_THE_AUCTION if state.phase == BIDDING else ())):
            assert (other.state[0][name] == state[name]).all(), name
        for tracks, others in zip(state.track, other.state[0].track, strict=True):
            assert sorted(tracks.tolist()) == sorted(others.tolist())
        for key in ("stubs", "links", "deck"):
            assert look(position, key) == look(other, key)
        assert sorted(position.legal()) == sorted(other.legal())
        compared += 1
    assert compared > 20 and position.state[0].n_links > 1
