"""Board files: every rule of a valid board, and the facts of the shipped one."""

import copy
import itertools
import math
from collections import Counter

import numpy as np
import pytest

import sim
from sim.errors import Mistake
from sim.westward_rails.state import MAX_CITIES, MAX_DEMANDS, MAX_LINKS, MAX_METROS

GAME = sim.load("westward-rails")

CITIES = ["a", "b", "c", "d", "e", "f"]
LINKS = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "f"), ("f", "a")]


def a_board():
    """A ring of six cities, valid in every way."""
    document = {
        "meta": {"game": "westward-rails", "name": "Ring", "label": "Made up"},
        "options": {"railroads_out_of_cubes": 2},
        "railroad": [
            {"id": "red", "name": "Red", "start": "a", "colour": "#ff0000"},
            {"id": "blue", "name": "Blue", "start": "d", "colour": "#0000ff"},
        ],
        "city": [{"id": city, "name": city, "x": n, "y": 0} for n, city in enumerate(CITIES)],
        "metro": [{"id": "east", "name": "East", "cities": ["c", "d"]}],
        "link": [{"cities": list(pair), "segments": 2} for pair in LINKS],
        "demand": [
            {"letter": "A", "cities": ["a", "c"]},
            {"letter": "B", "cities": ["b", "d"]},
            {"letter": "B", "cities": ["c", "e"]},
        ],
    }
    return document


def board_from(document, settings=None):
    """The board of a document."""
    return GAME.board_from(document, "ring.toml", settings)


def said(document, settings=None):
    """What is said of a board that is not valid."""
    with pytest.raises(Mistake) as mistake:
        board_from(document, settings).new(3)
    text = str(mistake.value)
    assert text.endswith(".")
    return text


def test_the_ring_is_valid():
    board = GAME.board_from(a_board(), "ring.toml")
    assert (board.name, board.label) == ("ring.toml", "Made up")
    assert board.elements == ["a–b", "b–c", "c–d", "d–e", "e–f", "f–a"]
    assert board.new(3).legal()[:2] == ["pass", "bid 5"]


def test_all_faults_are_named():
    board = a_board()
    board["link"][0].update(segments=0)
    board["link"][1].update(segments=5)
    board["demand"][0].update(cities=["a", "b"])
    text = said(board)
    assert "'a-b' has 0 segments" in text
    assert "'b-c' has 5 segments" in text
    assert "'a-b' is between neighbours" in text
    board = a_board()
    board["link"][0].update(segment=1)
    board["city"][0].update(x="west")
    text = said(board)
    assert "link 'a-b': there is no key 'segment'" in text
    assert "city 'a': x = 'west'" in text


# Changes to the ring, and what each is to be told.
FAULTS = {
    "unknown city of a link": (
        lambda b: b["link"][0].update(cities=["a", "bb"]),
        "link 'a-bb' names the unknown city 'bb'; the nearest is 'b'",
    ),
    "unknown start": (
        lambda b: b["railroad"][0].update(start="z"),
        "railroad 'red' names the unknown city 'z'; choose from a, b, c, d, e, f",
    ),
    "unknown city of a metro": (
        lambda b: b["metro"][0].update(cities=["c", "z"]),
        "metro 'east' names the unknown city 'z'",
    ),
    "unknown city of a demand": (
        lambda b: b["demand"][0].update(cities=["a", "z"]),
        "demand 'a-z' names the unknown city 'z'",
    ),
    "no segments": (
        lambda b: b["link"][2].update(segments=0),
        "link 'c-d' has 0 segments and should have 1 to 4",
    ),
    "five segments": (
        lambda b: b["link"][2].update(segments=5),
        "link 'c-d' has 5 segments and should have 1 to 4",
    ),
    "half a segment": (lambda b: b["link"][2].update(segments=1.5), "link 'c-d': segments = 1.5"),
    "link to itself": (
        lambda b: b["link"].append({"cities": ["a", "a"], "segments": 1}),
        "link 'a-a' joins a city to itself",
    ),
    "link given twice": (
        lambda b: b["link"].append({"cities": ["b", "a"], "segments": 1}),
        "link 'b-a' is given twice",
    ),
    "link of one city": (lambda b: b["link"][0].update(cities=["a"]), "link 'a': cities = ['a']"),
    "link of no city": (
        lambda b: b["link"][3].update(cities=[]),
        "link number 4: cities = [] is not possible: it should be a list of 2 or more items",
    ),
    "link of three cities": (
        lambda b: b["link"][0].update(cities=["a", "b", "c"]),
        "link 'a-b-c': cities = ['a', 'b', 'c']",
    ),
    "unreachable start": (
        lambda b: (
            b["city"].append({"id": "g", "name": "G", "x": 0, "y": 0}),
            b["railroad"][0].update(start="g"),
        ),
        "start 'g' of railroad 'red' is unreachable: no link touches it",
    ),
    "shared start": (lambda b: b["railroad"][0].update(start="d"), "start 'd' is shared"),
    "unreachable city": (
        lambda b: b["city"].append({"id": "g", "name": "G", "x": 0, "y": 0}),
        "city 'g' cannot be reached from any railroad's start",
    ),
    "demand between neighbours": (
        lambda b: b["demand"][0].update(cities=["a", "f"]),
        "demand 'a-f' is between neighbours: one link joins them",
    ),
    "demand that can never be met": (
        lambda b: (b["link"].pop(2), b["link"].pop(4)),
        "demand 'b-d' can never be met: no links lead from one to the other",
    ),
    "demand of one city": (
        lambda b: b["demand"][0].update(cities=["a", "a"]),
        "demand 'a-a' joins a city to itself",
    ),
    "demand given twice": (
        lambda b: b["demand"][2].update(cities=["d", "b"]),
        "demand 'd-b' is given twice",
    ),
    "city given twice": (
        lambda b: b["city"].append({"id": "a", "name": "A", "x": 0, "y": 0}),
        "city 'a' is given 2 times",
    ),
    "railroad given twice": (
        lambda b: b["railroad"][0].update(id="blue"),
        "railroad 'blue' is given 2 times",
    ),
    "metro given twice": (
        lambda b: b["metro"].append({"id": "east", "name": "E", "cities": ["a"]}),
        "metro 'east' is given 2 times",
    ),
    "city in two metros": (
        lambda b: b["metro"].append({"id": "west", "name": "W", "cities": ["a", "d"]}),
        "city 'd' is in the metros 'east' and 'west'",
    ),
    "letters out of order": (
        lambda b: b["demand"][0].update(letter="C"),
        "demands are not in the order of their letters",
    ),
    "letter of two letters": (lambda b: b["demand"][0].update(letter="AB"), "demand 'a-c': letter"),
    "small letter": (lambda b: b["demand"][0].update(letter="a"), "demand 'a-c': letter = 'a'"),
    "name with a blank": (lambda b: b["city"][0].update(id="a b"), "city 'a b': id = 'a b'"),
    "empty name": (lambda b: b["city"][0].update(name=""), "city 'a': name = ''"),
    "no colour": (
        lambda b: b["railroad"][0].update(colour="red"),
        "railroad 'red': colour = 'red'",
    ),
    "metro of no city": (lambda b: b["metro"][0].update(cities=[]), "metro 'east': cities = []"),
    "no railroad": (lambda b: b.update(railroad=[]), "railroad = [] is not possible"),
    "no demand": (lambda b: b.update(demand=[]), "demand = [] is not possible"),
    "no link": (lambda b: b.update(link=[]), "link = [] is not possible"),
    "no table of cities": (lambda b: b.pop("city"), "ring.toml: the key 'city' is missing."),
    "wrong key": (
        lambda b: b["city"][3].update(west_cost=True),
        "ring.toml: city 'd': there is no key 'west_cost'; the nearest is 'west_coast'",
    ),
    "wrong table": (
        lambda b: b.update(cities=b["city"]),
        "ring.toml: there is no key 'cities'; the nearest is 'city'",
    ),
    "wrong game": (
        lambda b: b["meta"].update(game="westward-trails"),
        "ring.toml: meta.game = 'westward-trails' is not possible: it should be 'westward-rails'",
    ),
    "no label": (lambda b: b["meta"].pop("label"), "the key 'meta.label' is missing"),
    "wrong key of options": (
        lambda b: b["options"].update(upgrade_cubs=3),
        "ring.toml: options: there is no key 'upgrade_cubs'; the nearest is 'upgrade_cubes'",
    ),
    "wrong value of options": (
        lambda b: b["options"].update(upgrade_cubes=-1),
        "ring.toml: options: upgrade_cubes = -1 is not possible: it should be at least 0.",
    ),
    "more railroads out of cubes than there are": (
        lambda b: b["options"].update(railroads_out_of_cubes=3),
        "railroads_out_of_cubes = 3 is more than the 2 railroads of 'Ring'",
    ),
    "one railroad": (
        lambda b: b["railroad"].pop(),
        "railroads_out_of_cubes = 2 is more than the 1 railroad of 'Ring'",
    ),
    "city without a name": (
        lambda b: b["city"][3].pop("id"),
        "ring.toml: city number 4: the key 'id' is missing",
    ),
    "made-up basis": (
        lambda b: b["link"][2].update(basis="hearsay"),
        "link 'c-d': basis = 'hearsay' is not possible: it should be 'rulebook', 'sourced: ...', "
        "'reconstruction' or 'assumption'",
    ),
    "unknown source": (
        lambda b: b["demand"][0].update(basis="sourced:sheet"),
        "demand 'a-c': the basis names 'sheet', which is not in sources.",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_every_violation_is_named(fault):
    change, told = FAULTS[fault]
    document = a_board()
    change(document)
    assert told in said(document)


@pytest.mark.parametrize(
    ("kind", "most", "entry"),
    [
        ("railroad", 5, lambda n: {"id": f"r{n}", "name": "R", "start": "a", "colour": "#000000"}),
        ("city", MAX_CITIES, lambda n: {"id": f"z{n}", "name": "Z", "x": 0, "y": 0}),
        ("metro", MAX_METROS, lambda n: {"id": f"m{n}", "name": "M", "cities": ["a"]}),
        ("link", MAX_LINKS, lambda n: {"cities": ["a", "c"], "segments": 1}),
        ("demand", MAX_DEMANDS, lambda n: {"letter": "B", "cities": ["a", "d"]}),
    ],
)
def test_too_many_of_anything(kind, most, entry):
    document = a_board()
    document[kind] += [entry(n) for n in range(most + 1 - len(document[kind]))]
    assert f"ring.toml: {kind} = " in said(document)
    assert f"at most {most} items" in said(document)


def test_what_states_no_basis_is_an_assumption():
    document = a_board()
    assert board_from(document).file.link[2].basis == "assumption"


def test_all_violations_are_named_at_once():
    document = a_board()
    document["city"].append({"id": "g", "name": "G", "x": 0, "y": 0})
    document["demand"][0]["cities"] = ["a", "b"]
    document["metro"].append({"id": "west", "name": "W", "cities": ["d"]})
    text = said(document)
    assert text.startswith("ring.toml: ")
    assert text.count(";") == 2
    for name in ("'g'", "'a-b'", "'west'"):
        assert name in text


def test_a_full_board_is_valid_and_plays():
    """As many cities, links, railroads, metro areas and demands as there may be."""
    names = [f"c{n}" for n in range(MAX_CITIES)]
    ring = list(zip(names, names[1:] + names[:1], strict=True))
    chords = list(zip(names, names[2:] + names[:2], strict=True))
    apart = [(names[n], names[n + 9]) for n in range(MAX_DEMANDS)]
    document = {
        "meta": {"game": "westward-rails", "name": "Full", "label": "Full"},
        "railroad": [
            {"id": f"r{n}", "name": "R", "start": f"c{13 * n}", "colour": "#000000"}
            for n in range(5)
        ],
        "city": [{"id": name, "name": name, "x": 0, "y": 0} for name in names],
        "metro": [
            {"id": f"m{n}", "name": "M", "cities": names[8 * n : 8 * n + 8]}
            for n in range(MAX_METROS)
        ],
        "link": [{"cities": list(pair), "segments": 1} for pair in ring + chords],
        "demand": [{"letter": "A", "cities": list(pair)} for pair in apart],
    }
    assert len(document["link"]) == MAX_LINKS
    settings = {"cubes_per_railroad": 60, "demand_spaces": 8, "starting_money": 1000}
    position = board_from(document, settings).new(5)
    number = 0
    while not position.is_over:
        codes = position.legal_codes()
        position.play(int(codes[number * 7919 % len(codes)]))
        assert position.status == "ok"
        number += 1


def test_missing_file_and_broken_file(tmp_path):
    path = tmp_path / "own.toml"
    with pytest.raises(Mistake, match=r"own\.toml: there is no such file\."):
        GAME.board(path)
    path.write_text("[meta\n")
    with pytest.raises(Mistake, match=r"own\.toml: it is not valid TOML: .*line 1"):
        GAME.board(path)
    path.write_bytes(b"\xff\xff")
    with pytest.raises(Mistake, match=r"own\.toml: it cannot be read"):
        GAME.board(path)
    with pytest.raises(Mistake, match=r"own\.toml: it cannot be read"):
        (tmp_path / "folder.toml" / "own.toml").parent.mkdir()
        path.unlink()
        path.symlink_to(tmp_path / "folder.toml")
        GAME.board(path)


def test_unknown_board():
    with pytest.raises(Mistake) as mistake:
        GAME.board("reconstructed")
    assert str(mistake.value) == (
        "Westward Rails has no board 'reconstructed'; the nearest is 'reconstructed_map' "
        "(a board file of your own ends in .toml)."
    )


def test_shipped_board_as_a_file_of_ones_own(tmp_path):
    """A copy of the shipped file is the same board, by its digest too."""
    shipped = GAME.folder / "boards" / "reconstructed_map.toml"
    own = tmp_path / "own.toml"
    own.write_bytes(shipped.read_bytes())
    assert GAME.board(own).digest == GAME.board().digest
    assert GAME.board(settings={"upgrade_cost": 6}).digest != GAME.board().digest


def test_a_board_leaves_its_document_alone():
    document = a_board()
    before = copy.deepcopy(document)
    GAME.board_from(document, "ring.toml", {"starting_money": 12}).new(3)
    assert document == before


# ------------------------------------------------------------------------------- the shipped board


@pytest.fixture(scope="module")
def document():
    return GAME.board().document


def hops(document):
    """Links between each two cities, by relaxing every link until nothing changes."""
    cities = [city["id"] for city in document["city"]]
    far = {
        pair: 0 if pair[0] == pair[1] else math.inf for pair in itertools.product(cities, cities)
    }
    changed = True
    while changed:
        changed = False
        for link, start in itertools.product(document["link"], cities):
            for here, there in (link["cities"], link["cities"][::-1]):
                if far[start, here] + 1 < far[start, there]:
                    far[start, there] = far[start, here] + 1
                    changed = True
    return far


def test_counts(document):
    assert len(document["city"]) == 49
    assert len(document["link"]) == 93
    lengths = Counter(link["segments"] for link in document["link"])
    assert lengths == {1: 24, 2: 46, 3: 18, 4: 5}
    assert sum(link["segments"] for link in document["link"]) == 190
    assert len({frozenset(link["cities"]) for link in document["link"]}) == 93
    assert Counter(demand["letter"] for demand in document["demand"]) == dict.fromkeys("ABCDE", 4)


def test_label_says_that_the_map_is_a_reconstruction(document):
    assert document["meta"]["label"] == "Reconstructed map"


def test_railroads_in_auction_order_and_their_starts(document):
    assert [(entry["id"], entry["start"]) for entry in document["railroad"]] == [
        ("texas_pacific", "dallas"),
        ("santa_fe", "wichita"),
        ("midland_pacific", "lincoln"),
        ("rock_island", "sioux_falls"),
        ("northern_pacific", "fargo"),
    ]


def test_west_coast(document):
    coast = {city["id"] for city in document["city"] if city.get("west_coast")}
    assert coast == {"eugene", "redding", "sacramento", "san_jose"}


def test_metro_areas_of_neighbours(document):
    areas = [set(metro["cities"]) for metro in document["metro"]]
    assert areas == [
        {"boise", "nampa"},
        {"salt_lake_city", "provo"},
        {"denver", "boulder"},
        {"santa_fe", "albuquerque"},
        {"phoenix", "tucson"},
        {"butte", "helena"},
    ]
    segments = {frozenset(link["cities"]): link["segments"] for link in document["link"]}
    assert all(segments[frozenset(area)] == 1 for area in areas)


def test_later_letters_lie_further_apart(document):
    far = hops(document)
    found = {letter: set() for letter in "ABCDE"}
    for demand in document["demand"]:
        found[demand["letter"]].add(far[tuple(demand["cities"])])
    assert found == {"A": {2, 3}, "B": {3}, "C": {3}, "D": {4}, "E": {5, 6, 7}}


def test_lengths_follow_the_formula_but_for_three(document):
    """segments = clamp(floor(miles * terrain / 105 + 0.5), 1, 4); the others carry a note."""
    terrain = {"plains": 1.00, "desert": 1.05, "mountains": 1.30}
    others = {}
    for link in document["link"]:
        length = math.floor(link["miles"] * terrain[link["terrain"]] / 105 + 0.5)
        if min(max(length, 1), 4) != link["segments"]:
            others["-".join(sorted(link["cities"]))] = link["segments"]
            assert link["note"]
    assert others == {"boise-twin_falls": 2, "reno-sacramento": 2, "bend-eugene": 2}


def test_lease_example_of_the_rulebook_costs_four_dollars(document):
    segments = {frozenset(link["cities"]): link["segments"] for link in document["link"]}
    assert segments[frozenset(("colorado_springs", "grand_junction"))] == 2
    assert segments[frozenset(("grand_junction", "provo"))] == 2
    assert frozenset(("colorado_springs", "provo")) not in segments


def test_printed_options():
    options = GAME.board().options.model_dump(by_alias=True)
    assert options["starting_money"] == {"3": 40, "4": 30, "5": 24}
    assert options["cubes_per_railroad"] == 20
    assert options["shares_per_railroad"] == 5
    assert options["upgrade_cubes"] == 6
    assert options["demand_spaces"] == 4
    assert options == GAME.options().model_dump(by_alias=True)


# --------------------------------------------------------------------------------------- the record


def members(bits):
    return {number for number in range(64) if int(bits) >> number & 1}


def test_record_holds_the_board(document):
    record = GAME.board().record[0]
    cities = [city["id"] for city in document["city"]]
    far = hops(document)
    assert (record.n_cities, record.n_links, record.n_railroads) == (49, 93, 5)
    assert (record.n_metros, record.n_demands) == (6, 20)
    assert {cities[n] for n in members(record.coast)} == {
        "eugene",
        "redding",
        "sacramento",
        "san_jose",
    }
    for n, link in enumerate(document["link"]):
        assert [cities[end] for end in record.link_city[n]] == link["cities"]
        assert record.link_segments[n] == link["segments"]
    for n, city in enumerate(cities):
        links = {
            64 * word + low for word in range(2) for low in members(record.city_links[n, word])
        }
        assert links == {k for k, link in enumerate(document["link"]) if city in link["cities"]}
        for m, other in enumerate(cities):
            assert record.hops[n, m] == far[city, other]
        for reach in range(8):
            near = {m for m, other in enumerate(cities) if far[city, other] <= reach}
            assert members(record.within[n, reach]) == near
    for n, metro in enumerate(document["metro"]):
        assert {cities[m] for m in members(record.metro_cities[n])} == set(metro["cities"])
    for n, demand in enumerate(document["demand"]):
        assert [cities[end] for end in record.demand_city[n]] == demand["cities"]
        assert chr(record.demand_letter[n] + ord("A")) == demand["letter"]
    assert set(np.unique(record.city_metro[:49])) == set(range(-1, 6))


def test_sixty_four_cities_use_the_sign_bit():
    """City 63 is a set's bit 63: the last city of a full board is not lost."""
    document = a_board()
    document["city"] += [
        {"id": f"z{n}", "name": "Z", "x": 0, "y": 0, "west_coast": n == 57} for n in range(58)
    ]
    for n in range(58):
        document["link"].append(
            {"cities": ["a" if n == 0 else f"z{n - 1}", f"z{n}"], "segments": 1}
        )
    record = board_from(document).record[0]
    assert record.coast == -(2**63)
    assert members(record.coast) == {63}
