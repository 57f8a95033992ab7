"""Texts of the actions: how they may be typed, and why one that is not legal is not."""

import random

import pytest

from sim.errors import Mistake
from sim.railways_of_the_world import actions
from sim.railways_of_the_world.why_not import why_not
from tests.sim.railways_of_the_world.positions import EAST, GAME, WEST, at


def refusal(position, text):
    before = position.state.tobytes()
    with pytest.raises(Mistake) as mistake:
        position.play(text)
    told = str(mistake.value)
    assert position.state.tobytes() == before
    assert "\n" not in told
    assert told.endswith((".", "?"))
    return told


# -------------------------------------------------------------------------------------- the codes


def test_every_code_has_a_text_of_its_own():
    """The blocks of codes follow each other without gaps or overlaps."""
    first = 0
    for verb, (start, kinds) in actions._BLOCKS.items():
        size = 1
        for _, choices in kinds:
            size *= choices
        assert start == first, verb
        first += size
        for code in {start, start + size // 2, start + size - 1}:
            assert actions.split(code)[0] == verb
            assert actions._code(*_flat(actions.split(code))) == code
    assert first == GAME.rules.MAX_CODE


def _flat(pair):
    return pair[0], *pair[1]


@pytest.mark.parametrize(
    "text",
    [
        "pass",
        "done",
        "build",
        "upgrade",
        "use government_land_grant",
        "take city_growth",
        "keep richest",
        "from new_york",
        "depots new_york 1",
        "depots new_york 2",
        "urbanize toledo blue",
        "grow st_louis",
        "dial boston",
        "points 2 15",
        "depot new_york",
        "no_depot new_york",
        "via new_york",
        "not_via new_york",
        "continue chicago",
        "continue_stop chicago",
        "bid 3",
        "lay 6,23 ne-sw",
        "redirect 0,14 sw-w",
        "deliver red providence new_york",
        "stop blue chicago des_moines",
    ],
)
def test_a_text_and_its_code(text):
    code = actions._read(EAST.new(3), text)
    assert actions.describe(EAST, code) == text


def test_western_links_are_named_by_city():
    board = GAME.board(settings={"western_link": True})
    for city in ("des_moines", "kansas_city"):
        code = actions._read(board.new(2), f"western_link {city}")
        assert actions.describe(board, code) == f"western_link {city}"


@pytest.mark.parametrize("board", [EAST, WEST])
@pytest.mark.parametrize("players", [2, 6])
def test_legal_actions_are_read_as_written_and_nothing_speaks_against_them(board, players):
    draw = random.Random(players)
    position = board.new(players, players)
    for _ in range(250):
        if position.is_over:
            break
        codes = position.legal_codes().tolist()
        for code in draw.sample(codes, min(8, len(codes))):
            text = position.text(code)
            assert position.code(text) == code
            if text.split()[0] in ("lay", "redirect", "deliver", "stop", "continue"):
                reason = why_not(position, *actions.split(code))
                assert reason.startswith("it cannot be done now"), text
        position.play(draw.choice(_by_verb(position, draw)))


def _by_verb(position, draw):
    """Legal codes of one kind, so that no kind is rare; track that arrives first."""
    kinds = {}
    for code in position.legal_codes().tolist():
        kinds.setdefault(actions.split(code)[0], []).append(code)
    verb = draw.choice([verb for verb in kinds if verb not in ("pass", "done")] or list(kinds))
    if verb == "bid":
        return kinds[verb][:3]
    if verb == "lay":
        links = position.state["n_links"]
        done = [c for c in kinds[verb] if position.copy().play(c).state["n_links"] > links]
        return done or kinds[verb]
    return kinds[verb]


@pytest.mark.parametrize("board", [EAST, WEST])
def test_whatever_is_not_legal_has_a_reason(board):
    draw = random.Random(3)
    position = board.new(3, 3)
    sizes = {
        "city": len(board.file.city_ids),
        "card": len(board.file.card_ids),
        "baron": len(board.file.baron_ids),
        "hex": len(board.file.places),
        "western": 0,
    }
    for _ in range(250):
        if position.is_over:
            break
        legal = set(position.legal_codes().tolist())
        for verb, (_, kinds) in actions._BLOCKS.items():
            choices = [sizes.get(kind, most) for kind, most in kinds]
            if 0 in choices:
                continue
            code = actions._code(verb, *(draw.randrange(most) for most in choices))
            if code not in legal and verb != "points":
                told = refusal(position, position.text(code))
                assert "is not legal: " in told
                assert "it cannot be done now" not in told
        position.play(draw.choice(_by_verb(position, draw)))


# ------------------------------------------------------------------------------- ways to write one


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("  BUILD ", "build"),
        ("urbanize Toledo Blue", "urbanize toledo blue"),
        ("urbanize new haven blue", "urbanize new_haven blue"),
        ("take City Growth", "take city_growth"),
        ("deliver red Providence New York", "deliver red providence new_york"),
        ("deliver red new haven new york", "deliver red new_haven new_york"),
        ("deliver red new haven new_york", "deliver red new_haven new_york"),
        ("deliver red Providence > New Haven > New York", "deliver red providence new_york"),
        ("deliver red providence -> new_haven -> new_york", "deliver red providence new_york"),
        ("deliver red providence>new_haven/0>new_york/1", "deliver red providence new_york"),
    ],
)
def test_ways_to_write_an_action(typed, text):
    position = at(
        {
            "engine": [3, 1],
            "cubes": {"providence": ["red"], "new_haven": ["red"]},
            "links": {"new_haven-providence": [0], "new_haven-new_york": [0, 1]},
            "shown": ["city_growth"],
        }
    )
    assert position.text(position.code(typed)) == text


@pytest.mark.parametrize("typed", ["bid 3k", "bid $3k", "bid $3", "bid 3 k", "Bid 3K"])
def test_ways_to_write_a_bid(typed):
    position = at({"phase": "bid"})
    assert position.text(position.code(typed)) == "bid 3"


@pytest.mark.parametrize(
    "typed", ["lay 6,23 ne-sw", "lay 6,23 SW-NE", "lay 6, 23 sw-ne", "LAY 6,23 Ne-Sw"]
)
def test_ways_to_write_a_tile(typed):
    position = at(played=["build", "from New York"])
    assert position.text(position.code(typed)) == "lay 6,23 ne-sw"


def test_one_depot_unless_two_are_named():
    given = {"links": {"cheyenne-denver": [0]}}
    position = at(given, ["build"], board=WEST)
    assert position.text(position.code("depots Denver")) == "depots denver 1"
    assert position.text(position.code("depots denver 2")) == "depots denver 2"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "'' is not an action; choose from bid, build"),
        ("delivr red a b", "'delivr red a b' is not an action; the nearest is 'deliver'."),
        ("urbanize toledo", "'urbanize toledo' is not complete: write 'urbanize CITY COLOUR'."),
        ("upgrade now", "'upgrade now' is too long: write 'upgrade'."),
        ("bid 3 4", "'bid 3 4' is too long"),
        ("points 0 1 9", "'points 0 1 9' is too long"),
        ("urbanize toledo green", "There is no colour 'green'"),
        ("urbanize tolido blue", "There is no city 'tolido'; the nearest is 'toledo'."),
        ("deliver red provdence new york", "There is no city 'provdence'; the nearest is 'provid"),
        ("deliver red providence new yrk", "There is no city 'new_yrk'; the nearest is 'new_york'"),
        ("take hotel_chicgo", "There is no card 'hotel_chicgo'; the nearest is 'hotel_chicago'."),
        ("keep riches", "There is no Rail Baron 'riches'; the nearest is 'richest'."),
        ("lay 6.23 ne-sw", "should name a hex as ROW,COLUMN, not '6.23'."),
        ("lay 6,23 ne", "should name two sides, as in 'ne-sw', not 'ne'."),
        ("lay 6,23 ne-ne", "should name two sides"),
        ("lay 6,23 n-sw", "There is no side 'n'; choose from ne, e, se, sw, w, nw."),
        ("lay 6,23 ne-sw nw", "is too long: write 'lay ROW,COLUMN SIDE-SIDE'."),
        ("bid three", "should have a whole number where 'three' stands."),
        ("points 5 1", "There is no seat 5: seats are 0 to 1."),
        ("points 1 16", "'points 1 16' is not legal: no move is that long."),
        ("deliver red providence >", "is not complete: write 'route CITY > CITY > CITY'."),
        ("urbanize toledo > blue", "names a route where none belongs"),
        ("route providence", "is not complete: write 'route CITY > CITY > CITY'."),
        ("lay 0,0 ne-sw", "'lay 0,0 ne-sw' is not legal: 0,0 is not a complete hex of the board."),
        ("depots toledo 3", "one or two Fuel Depots are placed at a time."),
        ("bid 3000", "bids are in thousands of dollars; for $3,000 write 'bid 3'."),
        ("bid $3,000", "bids are in thousands of dollars; for $3,000 write 'bid 3'."),
        ("bid 201", "'bid 201' is not legal: no bid may be above $40k."),
        ("western_link chicago", "western links are not played."),
        ("x" * 200, "'" + "x" * 77 + "...' is not an action"),
    ],
)
def test_what_cannot_be_read(typed, told):
    assert told in refusal(at(), typed)


# ------------------------------------------------------------------------------ why it is not legal

NOT_NOW = [
    ({}, ["keep richest"], "the Rail Barons have been kept"),
    ({}, ["bid 3"], "the auction is over"),
    ({}, ["lay 6,23 ne-sw", "from toledo", "done"], "no Build is under way: type 'build' first"),
    ({}, ["points 0 1", "via toledo", "route toledo > dover"], "no route is to be chosen now"),
    ({}, ["grow toledo"], "only the card City Growth lets a city grow"),
    ({}, ["depots toledo", "continue toledo"], "Fuel Depots are not played"),
    ({}, ["dial toledo"], "City Rotors are not played"),
    ({"phase": "bid", "bid": 7, "high_bidder": 1, "to_move": 0}, ["bid 7"],
     "the highest bid is $7k: bid more, or pass"),
    ({"phase": "bid"}, ["bid 41"], "no bid may be above $40k"),
    ({"phase": "bid"}, ["bid 0"], "the least bid is $1k"),
    ({"phase": "bid"}, ["build", "upgrade"], "the First Player Auction is on: bid or pass"),
    ({"engine": [8, 1]}, ["upgrade"], "the engine has the highest level (8)"),
    ({}, ["urbanize boston blue"], "only gray cities are urbanized, and Boston is yellow"),
    ({}, ["urbanize toledo red"], "there are no red New City tiles"),
    ({"new_tiles": {"blue": 0}}, ["urbanize toledo blue"], "no blue New City tile is left"),
    ({"shown": ["new_train"]}, ["take new_train"], "cards with a green circle cannot be taken"),
    ({"shown": ["new_train"]}, ["take city_growth"], "it is not on display"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "texts", "told"), NOT_NOW)
def test_why_an_action_is_not_legal(given, texts, told):
    for text in texts:
        assert f"is not legal: {told}" in refusal(at(given), text)


def test_why_a_baron_is_not_kept():
    position = at(
        {
            "phase": "keep a Baron",
            "turn": 0,
            "barons": [["richest", "most_links"], ["major_lines", "most_cities"]],
        }
    )
    assert "not dealt it (keep richest, keep most_links)" in refusal(position, "keep major_lines")
    assert "seat 0 must first keep one of two Rail Barons" in refusal(position, "build")


def test_why_cards_for_a_build_are_not_used():
    given = {
        "held": [["tunnel_engineer", "perfect_engineering", "hotel_boston"], []],
        "used": [["tunnel_engineer"], []],
        "shown": [],
    }
    position = at(given, ["build", "use perfect_engineering"])
    for text, told in (
        ("use tunnel_engineer", "it has been used in this turn"),
        ("use perfect_engineering", "it is declared already"),
        ("use hotel_boston", "it is not a card for a Build"),
        ("use civil_engineers", "seat 0 does not have it"),
        ("done", "a Build lays at least one tile or redirects one"),
        ("upgrade", "a Build is under way: type 'from'"),
    ):
        assert f"is not legal: {told}" in refusal(position, text)
    position.play("from new_york")
    assert "a link begins in New York: lay its first tile" in refusal(position, "from boston")
    position.play("lay 5,22 e-sw")
    for text, told in (
        ("use tunnel_engineer", "cards are declared before the first tile"),
        ("from boston", "only one link may be built in an action"),
        ("redirect 5,22 e-w", "a tile may only be redirected as the first step of a Build"),
        ("pass", "a Build ends with 'done'"),
        ("lay 5,21 e-w", "the link goes on in 6,22"),
    ):
        assert f"is not legal: {told}" in refusal(position, text)


def test_why_a_card_without_effect_is_not_taken():
    shown = {"shown": ["new_industry", "city_growth"]}
    position = at({"new_tiles": dict.fromkeys(["blue", "yellow", "purple", "black"], 0)} | shown)
    assert "no New City tile is left" in refusal(position, "take new_industry")
    position.state["colour"] = 1
    assert "no city is gray any more" in refusal(position, "take new_industry")
    position.state["bag"] = 0
    assert "the bag is empty" in refusal(position, "take city_growth")
    position = at({"shown": ["coal_contract"]}, board=WEST)
    assert "no link to a city without a Fuel Depot" in refusal(position, "take coal_contract")
    position.state["depots_left"] = 0
    assert "seat 0 has no Fuel Depot left" in refusal(position, "take coal_contract")


def test_what_a_red_x_asks_comes_first():
    position = at({"shown": ["new_industry", "city_growth"]})
    told = refusal(position.copy().play("take new_industry"), "urbanize boston blue")
    assert "only gray cities are urbanized" in told
    told = refusal(position.play("take city_growth"), "pass")
    assert "the city that gets the cubes must be named" in told
    given = {"shown": ["coal_contract"], "links": {"cheyenne-denver": [0]}}
    position = at(given, ["take coal_contract"], board=WEST)
    assert "the Fuel Depots of the card must be placed" in refusal(position, "pass")
    assert "no complete link of seat 0's leads to Helena" in refusal(position, "depots helena")


STUB_OF_1 = {"seat": 1, "route": ["new_york", "6,23"], "exit": "se"}
# An own stub that has turned round and meets itself.
LOOP = {"seat": 0, "route": ["duluth", "6,1", "6,2", "5,2", "4,2", "4,1", "5,0"], "exit": "se"}
NO_TILE = [
    ({}, ["from new_york"], "lay 9,9 e-w", "9,9 is not beside New York"),
    ({}, ["from new_york"], "lay 5,23 e-w", "New York is a city"),
    ({}, ["from new_york"], "lay 6,23 e-w", "the tile must come in by side ne"),
    ({}, ["from new_york"], "lay 6,23 ne-e", "the turn is too sharp"),
    ({}, ["from baltimore"], "lay 9,22 e-w", "Baltimore has no spur to the e"),
    ({}, ["from boston"], "lay 0,24 e-nw", "side nw of 0,24 leads to no complete hex"),
    ({}, [], "lay 6,23 ne-sw", "no unfinished link of seat 0's leads into 6,23 (a new link begins"),
    ({}, [], "redirect 6,23 ne-sw", "no unfinished link of seat 0's ends in 6,23"),
    ({"links": {"new_york-philadelphia": [0]}}, ["from new_york"], "lay 6,23 ne-sw",
     "the sw spur of New York is in use"),
    ({"links": {"new_york-philadelphia": [0]}}, ["from new_york", "lay 5,22 e-sw"],
     "lay 6,22 ne-se", "seat 0 has a link between New York and Philadelphia already"),
    ({}, ["from dover", "lay 9,23 se-w"], "lay 9,22 e-w", "Baltimore has no spur to the e"),
    ({"stubs": [STUB_OF_1]}, ["from philadelphia"], "lay 6,23 sw-nw",
     "the track must cross seat 1's"),
    ({"stubs": [STUB_OF_1]}, ["from philadelphia"], "lay 6,23 ne-sw",
     "side ne of 6,23 is in use by seat 1's track"),
    ({"stubs": [STUB_OF_1, {"seat": 0, "route": ["baltimore", "8,22", "8,23"], "exit": "ne"}]},
     [], "lay 7,23 sw-nw", "the open end of seat 1's track lies there"),
    ({"stubs": [LOOP]}, [], "lay 6,1 se-nw", "a link may not cross itself"),
    ({"stubs": [LOOP]}, [], "redirect 5,0 ne-se", "the tile lies so already"),
    ({"stubs": [LOOP]}, [], "redirect 5,0 e-w", "the tile comes in by side ne and keeps it"),
    ({"stubs": [LOOP]}, [], "redirect 5,0 ne-e", "the turn is too sharp"),
    ({"stubs": [LOOP]}, [], "redirect 5,0 ne-w", "side w of 5,0 leads to no complete hex"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "played", "text", "told"), NO_TILE)
def test_why_a_tile_may_not_lie_so(given, played, text, told):
    position = at(given, ["build", *played])
    assert f"is not legal: {told}" in refusal(position, text)


def test_why_a_third_track_may_not_run_through_a_hex():
    position = at({"stubs": [STUB_OF_1]}, ["build", "from philadelphia"])
    place = EAST.file.places.index((6, 23))
    position.state[0].track[place, 1] = 1 + actions.PAIRS.index((1, 4)) + 16
    assert "6,23 has two tracks already" in refusal(position, "lay 6,23 sw-nw")


def test_why_a_link_may_not_come_back():
    position = at(
        {}, ["build", "from new_york", "lay 5,22 e-sw", "lay 6,22 ne-e"], sharp_turns=True
    )
    told = refusal(position, "lay 6,23 ne-w")
    assert "a link joins two different cities, and this one begins in New York" in told
    stubs = [
        {"seat": 0, "route": ["philadelphia", "6,22"], "exit": "w"},
        {"seat": 0, "route": ["philadelphia", "7,21"], "exit": "nw"},
    ]
    position = at({"stubs": stubs}, ["build"], sharp_turns=True)
    told = refusal(position, "lay 6,21 e-se")
    assert "a link joins two different cities, and both ends begin in Philadelphia" in told


def test_why_no_link_begins_in_a_city():
    place = EAST.file.places.index((9, 23))
    other = EAST.file.places.index((11, 24))
    position = at({}, ["build"])
    position.state[0].track[place, 0] = 1 + actions.PAIRS.index((2, 4)) + 16
    position.state[0].track[other, 0] = 1 + actions.PAIRS.index((2, 5)) + 16
    assert "every spur of Dover is in use" in refusal(position, "from dover")


def test_why_a_build_cannot_begin():
    position = at()
    position.state["track"][0, :, 0] = 1  # every hex is full
    position.state["track"][0, :, 1] = 14
    assert "no tile can be laid anywhere" in refusal(position, "build")


# ------------------------------------------------------------------------------------- Fuel Depots


def test_why_depots_may_not_be_placed():
    links = {"cheyenne-denver": [0], "boise-pocatello": [1], "helena-havre": [0]}
    given = {"links": links, "depots": {"cheyenne": [0, 1]}}
    position = at(given, ["build"], board=WEST)
    assert "Cheyenne has a Fuel Depot of seat 1's already" in refusal(position, "depots cheyenne")
    assert "no complete link of seat 0's leads to Boise" in refusal(position, "depots boise")
    position.state["depots_left"] = 1
    assert "seat 0 has 1 Fuel Depot left" in refusal(position, "depots denver 2")
    position.play("depots denver")
    assert "Fuel Depots have been placed in this Build" in refusal(position, "depots helena")


def test_why_depots_may_not_be_placed_by_the_rules_of_2010():
    given = {"links": {"cheyenne-denver": [0]}}
    position = at(given, ["build"], board=WEST, depot_rules="2010")
    told = refusal(position, "depots denver")
    assert "Fuel Depots are placed when a link is done" in told
    _build_a_link(position)
    assert "the link is complete, and building stops at a city" in refusal(position, "lay 9,9 e-w")
    ends = [WEST.file.city_ids[city] for city in position.state[0].link_city[1]]
    other = "cheyenne" if "denver" in ends else "denver"
    told = refusal(position, f"depots {other}")
    assert f"the link just built does not lead to {other.title()}" in told
    assert "one Fuel Depot is placed in a city" in refusal(position, f"depots {ends[0]} 2")


def _build_a_link(position):
    """Play some link of few tiles to its end."""
    links = int(position.state["n_links"][0])
    waiting = [position.copy()]
    while waiting:
        other = waiting.pop(0)
        for text in other.legal():
            if text.startswith(("from", "lay")):
                after = other.copy().play(text)
                if after.state["n_links"][0] > links:
                    position.state[:] = after.state
                    return
                waiting.append(after)


# -------------------------------------------------------------------------------------- deliveries

SHORE = {"new_york-philadelphia": [0], "baltimore-philadelphia": [0], "baltimore-pittsburgh": [0]}
NO_DELIVERY = [
    ({"cubes": {"boston": ["blue"]}}, "deliver red boston new_york",
     "there is no red cube in Boston"),
    ({"cubes": {"boston": ["red"]}}, "deliver red boston boston",
     "a cube must move to another city"),
    ({"cubes": {"boston": ["red"]}}, "deliver red boston toledo",
     "Toledo takes no red cubes: it is gray"),
    ({"cubes": {"boston": ["red"]}}, "deliver red boston new_york",
     "the first link must be seat 0's own, and none of them leads to Boston"),
    ({"cubes": {"philadelphia": ["red"]}, "links": {"baltimore-philadelphia": [0]}},
     "deliver red philadelphia new_york", "no complete links lead from Philadelphia to New York"),
    ({"cubes": {"philadelphia": ["red"]},
      "links": {"baltimore-philadelphia": [0], "new_york-philadelphia": [1]}},
     "deliver red philadelphia new_york",
     "no way from Philadelphia to New York begins with a link of seat 0's own"),
    ({"cubes": {"new_york": ["blue"]}, "links": SHORE, "engine": [3, 1]},
     "deliver blue new_york pittsburgh",
     "on every way from New York to Pittsburgh a blue cube must stop earlier, in a blue city"),
    ({"cubes": {"pittsburgh": ["red"]}, "links": SHORE, "engine": [2, 1]},
     "deliver red pittsburgh new_york",
     "the shortest way from Pittsburgh to New York has 3 links, and the engine has level 2"),
    ({"cubes": {"pittsburgh": ["red"]}, "links": SHORE, "engine": [2, 1]},
     "deliver red pittsburgh > baltimore > new_york",
     "the shortest way from Pittsburgh to New York has 3 links"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "text", "told"), NO_DELIVERY)
def test_why_a_cube_may_not_be_delivered(given, text, told):
    assert f"is not legal: {told}" in refusal(at(given), text)


def test_why_a_cube_may_not_stop():
    given = {"links": {"cheyenne-denver": [0]}, "cubes": {"cheyenne": ["red"]}}
    position = at(given, board=WEST)
    assert "seat 0 has no Fuel Depot in Denver" in refusal(position, "stop red cheyenne denver")
    assert "no cube of seat 0's waits at a Fuel Depot" in refusal(position, "continue helena")
    position = at(given | {"depots": {"denver": [1, 0]}}, board=WEST)
    told = refusal(position, "stop red cheyenne denver")
    assert "Denver takes red cubes: to stop there seat 0 needs two Fuel Depots" in told


def test_why_a_stopped_cube_may_not_go_on():
    given = {
        "links": {"cheyenne-denver": [0], "denver-pueblo": [0]},
        "depots": {"denver": [1, 0]},
        "stopped": [{"seat": 0, "colour": "black", "route": ["cheyenne", "denver"]}],
        "engine": [2, 1],
    }
    position = at(given, board=WEST)
    for text, told in (
        ("continue cheyenne", "the cube has been in Cheyenne"),
        ("continue denver", "the cube has been in Denver"),
        ("continue pueblo", "Pueblo takes no black cubes: it is gray"),
        ("continue_stop pueblo", "seat 0 has no Fuel Depot in Pueblo"),
        ("continue billings", "no complete links lead from Denver to Billings"),
        ("continue pueblo > denver", "the cube stopped in Denver"),
    ):
        assert f"is not legal: {told}" in refusal(position, text)


# ----------------------------------------------------------------------------------- whole routes


def shore(engine=3, **more):
    """Providence to New York over two links; those of the second one are of both seats."""
    given = {
        "engine": [engine, 1],
        "cubes": {"providence": ["red", "blue"]},
        "links": {"new_haven-providence": [0], "new_haven-new_york": [0, 1]},
    }
    return at(given | more)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("providence > new_york", "no complete link joins Providence and New York"),
        ("providence > new_haven > providence", "a cube must move to another city"),
        ("providence > new_haven/1 > new_york", "seat 1 has no link between Providence and New H"),
        ("providence > new_haven > new_york/2", "there is no seat 2"),
        ("providence > new_haven > providence > new_haven > new_york", "the route has 4 links"),
        ("boston > new_haven > new_york", "there is no red cube in Boston"),
    ],
)
def test_why_a_whole_route_is_refused(typed, told):
    given = {"cubes": {"providence": ["red"], "boston": ["blue"]}}
    assert f"is not legal: {told}" in refusal(shore(**given), f"deliver red {typed}")


def test_why_a_whole_route_is_refused_where_another_would_do():
    links = {
        "new_haven-providence": [0],
        "new_haven-new_york": [0],
        "new_york-philadelphia": [0],
        "baltimore-philadelphia": [0],
        "boston-providence": [1],
        "boston-new_haven": [1],
    }
    given = {"links": links, "engine": [4, 1], "cubes": {"providence": ["yellow", "red"]}}
    position = at(given)
    position.play("deliver yellow providence > new_haven > new_york > philadelphia > baltimore")
    assert position.state["links"][0][0] == 4
    position = at(given)
    told = refusal(position, "deliver red providence > boston > new_haven > new_york")
    assert "the first link must be seat 0's own, and Providence and Boston is not" in told


def test_why_a_route_that_turns_back_or_passes_a_city_of_the_colour_is_refused():
    told = refusal(
        shore(4), "deliver red providence > new_haven > providence > new_haven > new_york"
    )
    assert "no city may come twice, as Providence does" in told
    links = {
        "new_york-philadelphia": [0],
        "baltimore-philadelphia": [0],
        "baltimore-washington": [0],
        "philadelphia-pittsburgh": [0],
        "pittsburgh-washington": [0],
    }
    given = {"links": links, "engine": [4, 1], "cubes": {"new_york": ["yellow"]}}
    position = at(given | {"colours": {"washington": "yellow"}})
    told = refusal(position, "deliver yellow new_york > philadelphia > baltimore > washington")
    assert "a yellow cube must stop in Baltimore" in told
    position.play("deliver yellow new_york > philadelphia > pittsburgh > washington")
    assert position.state["deliveries"][0][0] == 1


def test_a_route_question_is_answered_by_the_whole_route():
    for owner, points in ((0, [2, 0]), (1, [1, 1])):
        position = shore().play("deliver red providence new_york")
        assert position.legal() == ["points 0 1", "points 0 2"]
        position.play(f"route Providence > New Haven > New York/{owner}")
        assert position.state["delivery_points"][0][:2].tolist() == points


def test_a_whole_route_does_not_answer_when_it_can_be_read_in_two_ways():
    position = shore().play("deliver red providence new_york")
    assert refusal(position, "route providence > new_haven > new_york") == (
        "'route providence > new_haven > new_york' can earn seat 0 1 or 2 points: "
        "write whose link leads to a city, as in '> toledo/2'."
    )
    for text, told in (
        ("route providence > new_york", "no complete link joins Providence and New York"),
        ("route new_york > new_haven > providence", "the cube goes from Providence to New York"),
        ("route providence > new_haven/1 > new_york", "seat 1 has no link"),
        ("points 1 1", "another question is asked (points 0 1, points 0 2)"),
        ("pass", "the route of the cube must be chosen first (points 0 1, points 0 2)"),
    ):
        assert f"is not legal: {told}" in refusal(position, text)


# Two ways of three links from San Diego to Denver; seat 0 has depots on one of them and in Denver.
DESERT = {
    "links": [
        {"seat": 0, "cities": ["san_diego", "los_angeles"]},
        {"seat": 0, "cities": ["los_angeles", "las_vegas"]},
        {"seat": 0, "cities": ["las_vegas", "flagstaff"]},
        {"seat": 0, "cities": ["san_diego", "phoenix"]},
        {"seat": 0, "cities": ["phoenix", "flagstaff"]},
    ],
    "depots": {"flagstaff": [2, 0], "phoenix": [1, 0]},
    "cubes": {"san_diego": ["yellow", "red"]},
    "engine": [3, 1],
}


def test_depots_and_cities_passed_are_answered_by_the_whole_route():
    position = at(DESERT, ["stop red san_diego flagstaff"], board=WEST)
    assert position.legal() == ["points 0 2", "points 0 3"]
    position = at(DESERT | {"engine": [2, 1]}, board=WEST)
    assert position.text(position.code("stop red san_diego > phoenix > flagstaff")) == (
        "stop red san_diego flagstaff"
    )
    told = refusal(position, "stop red san_diego > los_angeles > las_vegas > flagstaff")
    assert "the route has 3 links, and the engine has level 2" in told
    links = [*DESERT["links"], {"seat": 0, "cities": ["phoenix", "las_vegas"]}]
    position = at(DESERT | {"links": links}, ["stop yellow san_diego flagstaff"], board=WEST)
    assert position.legal() == ["points 0 2", "points 0 3"]
    position.play("points 0 3")
    assert position.legal() == ["no_depot phoenix", "depot phoenix"]
    told = refusal(position, "route san_diego > phoenix > flagstaff")
    assert "it does not go by what is chosen already" in told
    for route, text in (
        ("los_angeles > las_vegas", "no_depot phoenix"),
        ("phoenix > las_vegas", "depot phoenix"),
    ):
        assert position.text(position.code(f"route san_diego > {route} > flagstaff")) == text
    position = at(DESERT | {"links": links}, ["stop red san_diego flagstaff"], board=WEST)
    position.play("points 0 3")
    assert position.legal() == ["not_via los_angeles", "via los_angeles"]
    position.play("route san_diego > phoenix > las_vegas > flagstaff")
    assert position.state["stopped"][0][0] == 0


def test_a_stopped_cube_goes_on_by_a_whole_route():
    given = DESERT | {
        "stopped": [{"seat": 0, "colour": "yellow", "route": ["las_vegas", "flagstaff"]}],
        "cubes": {"san_diego": ["black"]},
    }
    position = at(given, board=WEST)
    assert "must stop in Phoenix" not in refusal(position, "continue flagstaff > las_vegas")
    position.play("continue Flagstaff > Phoenix")
    assert position.state["deliveries"][0][0] == 1
    assert position.state["delivery_links"][0][0] == 2
