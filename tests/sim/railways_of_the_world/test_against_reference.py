"""The compiled rules against the slow, obvious engine, decision by decision."""

import random
from collections import Counter

import pytest

import sim
from sim import rng
from sim.railways_of_the_world.state import (
    COLOURS,
    EFFECTS,
    GRAY,
    NO_DIAL,
    PAIRS,
    PHASES,
    SIDES,
)
from tests.reference.railways_of_the_world import Link, Reference, Step, beyond, opposite, slug

GAME = sim.load("railways-of-the-world")

RULINGS = {
    "auction": ["standard", "new_players", "first_to_pass", "first_to_pass"],
    "first_to_pass_all_pass": ["last_to_pass", "left_of_previous"],
    "rules_2005": [False, True],
    "fuel_depots": [False, True, True, True],
    "depot_rules": ["current", "2010"],
    "depot_example_1": ["held", "removed"],
    "own_first_link_after_stop": [False, True],
    "second_own_parallel_link": [False, True],
    "sharp_turns": [False, True],
    "link_may_cross_itself": [False, True],
    "tracks_may_share_hex_without_crossing": [False, True],
    "optional_cards": [True, False],
    "growth_lifts_marker": [True, False],
    "useless_card_may_be_taken": [False, True],
    "chain_may_revisit_city": [True, False],
}
NUMBERS = {
    "starting_money": [0, 3, 50],
    "goods_reduction": [0, 1, 2],
    "new_city_tiles": [0, 1, 3],
    "engine_price": [0, 2, 9],
    "cubes_per_colour": [8, 9, 12, 25],
    "service_bounties": [0, 1, 2],
    "cards_per_player": [0, 1, 2, 3],
    "tiles_per_build": [1, 2, 4, 7],
    "open_cost": [0, 1, 2, 5],
    "water_cost": [0, 3, 6],
    "mountain_cost": [0, 4, 7],
    "ridge_cost": [0, 1, 4],
    "crossover_cost": [0, 1, 3],
    "urbanize_cost": [0, 10],
    "urbanize_cubes": [0, 1, 2, 5],
    "new_industry_cubes": [0, 1, 2],
    "bond_cash": [3, 5, 20],
    "bond_dividend": [0, 1, 2],
    "bond_points": [0, 1, 2],
    "max_bid": [1, 3, 40],
    "depots_per_player": [0, 1, 2, 4],
    "depot_cost": [0, 5],
}
# How likely each kind of action is played: plain random play hardly ever completes a link.
WEIGHTS = {
    "pass": 1,
    "bid": 0.1,
    "build": 12,
    "use": 3,
    "from": 1,
    "lay": 2,
    "redirect": 2,
    "depots": 4,
    "done": 0.5,
    "upgrade": 6,
    "urbanize": 0.3,
    "deliver": 3,
    "stop": 2,
    "continue": 30,
    "continue_stop": 30,
    "take": 1,
    "dial": 0.5,
    "western_link": 1,
}
NAMES = ("Alder", "Birch Bay", "Cedar", "Dry Fork", "Elm", "Fort Gray", "Grove", "St. Hill", "Iris")


def random_settings(chance: random.Random, changes: int) -> dict:
    """Settings of so many options, and limits that let a game end soon."""
    choices = {**RULINGS, **NUMBERS}
    settings = {key: chance.choice(choices[key]) for key in chance.sample(sorted(choices), changes)}
    settings["max_turns"] = chance.choice([3, 5, 8])
    settings["empty_city_markers"] = chance.choice([1, 2, 3, 4, 6])
    return settings


def random_board(chance: random.Random, is_dense: bool | None = None) -> dict:
    """A small board with every kind of card and Baron; a dense one is a lattice of cities."""
    if is_dense is None:
        is_dense = chance.random() < 0.3
    while True:
        document = _random_map(chance, is_dense)
        if document is not None:
            break
    names = [city["name"] for city in document["cities"]]
    rotors = any("dial_start" in city for city in document["cities"])
    document["options"] = {
        "city_rotors": rotors and chance.random() < 0.8,
        "fuel_depots": chance.random() < 0.6,
        "western_link": "western_link" in document and chance.random() < 0.8,
        "service_bounties": 2,
        "empty_city_markers": dict.fromkeys("23456", chance.choice([2, 3, 5])),
        "max_turns": chance.choice([4, 6, 8]),
    }
    document["major_lines"] = [
        {"a": a, "b": b, "points": chance.choice([1, 6, 45])} for a, b in _pairs(chance, names, 3)
    ]
    document |= _random_cards(chance, names)
    if "western_link" in document:
        document["barons_western_link"] = [
            {
                "name": "Western link",
                "condition": "own_western_link",
                "points": 5,
                "copies": 1,
                "replaces": "Joined",
            }
        ]
    return document


def _pairs(chance: random.Random, names: list[str], most: int) -> list[tuple[str, str]]:
    pairs = [(a, b) for n, a in enumerate(names) for b in names[n + 1 :]]
    return chance.sample(pairs, min(len(pairs), chance.randint(1, most)))


def _random_map(chance: random.Random, is_dense: bool) -> dict | None:
    """Hexes, ridges and cities; None when a city has no free side."""
    rows, columns = chance.choice([(4, 4), (4, 5), (5, 5), (5, 7), (6, 6), (7, 7)])
    kinds = "ooooowh" if is_dense else chance.choice(["oooo", "oooowh", "owh", "oooowh."])
    letters = {(r, c): chance.choice(kinds) for r in range(rows) for c in range(columns)}
    spots: list[tuple[int, int]] = []
    wanted = 9 if is_dense else chance.randint(4, min(9, rows * columns // 3))
    for spot in chance.sample(sorted(letters), len(letters)):
        near = {beyond(spot, side) for side in SIDES} & set(spots)
        if is_dense:
            is_free = spot[0] % 2 == 1 and spot[1] % 2 == 1
        else:
            is_free = not near or chance.random() < 0.05
        if is_free and len(spots) < wanted:
            spots.append(spot)
    letters |= dict.fromkeys(spots, "C")
    playable = [spot for spot in letters if letters[spot] != "."]
    edges = [
        (here, beyond(here, side))
        for here in playable
        for side in ("e", "se", "sw")
        if beyond(here, side) in playable
    ]
    ridges = chance.sample(edges, int(len(edges) * chance.choice([0, 0.15, 0.4])))
    all_spurs = 1.0 if is_dense else chance.choice([0.6, 0.85, 1.0])
    palette = chance.sample(COLOURS[1:], chance.choice([1, 2, 4])) + ["red"]
    cities = []
    for name, spot in zip(NAMES, spots, strict=False):
        free = [side for side in SIDES if letters.get(beyond(spot, side), ".") not in ".C"]
        spurs = [side for side in free if chance.random() < all_spurs]
        if not spurs:
            return None
        colour = "gray" if chance.random() < 0.3 else chance.choice(palette)
        city = {
            "name": name,
            "colour": colour,
            "goods": chance.choice([1, 1, 2, 3, 4]),
            "row": spot[0],
            "col": spot[1],
            "spurs": " ".join(spurs),
        }
        if colour != "gray" and chance.random() < 0.4:
            city["dial_start"] = chance.choice([*COLOURS, "none"])
        cities.append(city)
    if len(cities) < 4 or not _all_meet(cities, letters):
        return None
    document = {
        "meta": {"game": "railways-of-the-world", "name": "random", "label": "Random board"},
        "cities": cities,
        "hexes": {
            "rows": ["".join(letters[r, c] for c in range(columns)) for r in range(rows)],
            "ridges": [[*here, *there] for here, there in ridges],
        },
    }
    red = [city["name"] for city in cities if city["colour"] == "red"]
    if red and chance.random() < 0.5:
        others = [city["name"] for city in cities if city["name"] != red[0]]
        document["western_link"] = {
            "cities": chance.sample(others, chance.choice([1, 2])),
            "cost": chance.choice([3, 30]),
            "red_cubes": chance.choice([1, 4]),
            "destination": red[0],
            "cubes_added": chance.choice([1, 2]),
        }
    return document


def _all_meet(cities: list[dict], letters: dict) -> bool:
    """Whether every city can be reached from another."""
    entrances = [
        {beyond((city["row"], city["col"]), side) for side in city["spurs"].split()}
        for city in cities
    ]
    for number, own in enumerate(entrances):
        reached, waiting = set(own), list(own)
        while waiting:
            here = waiting.pop()
            for side in SIDES:
                there = beyond(here, side)
                if letters.get(there, ".") not in ".C" and there not in reached:
                    reached.add(there)
                    waiting.append(there)
        if not any(reached & other for n, other in enumerate(entrances) if n != number):
            return False
    return True


def _random_cards(chance: random.Random, names: list[str]) -> dict:
    """Every effect of a card and every condition of a Baron."""

    def rows(entries: list[dict], most: int) -> list[dict]:
        return [{"copies": chance.randint(1, most), **entry} for entry in entries]

    start = [
        {"name": "Era", "effect": "gain_points_on_first_delivery", "points": 1},
        {"name": "Record", "effect": "first_delivery_links", "links": 2, "points": 3},
        {"name": "New train", "effect": "first_engine_level", "level": 3, "points": 4},
    ]
    bounties = [
        {"name": f"Bounty {name}", "effect": "gain_points_on_first_delivery_to", "city": name}
        for name in chance.sample(names, 3)
    ]
    operations = [
        {"name": f"Hotel {name}", "kind": "permanent", "effect": "hotel", "city": name, "points": n}
        for n, name in enumerate(chance.sample(names, 2), 1)
    ]
    operations += [
        {"name": "Executive", "kind": "immediate", "effect": "two_actions", "amount": 2},
        {"name": "Grant", "kind": "hand", "effect": "free_open_tiles"},
        {"name": "Industry", "kind": "immediate", "effect": "new_city_tile"},
        {"name": "Growth", "kind": "immediate", "effect": "add_cubes", "amount": 2},
        {"name": "Five tiles", "kind": "ongoing_once_per_turn", "effect": "extra_tiles"},
        {"name": "Six tiles", "kind": "hand", "effect": "extra_tiles"},
        {"name": "Tunnels", "kind": "ongoing_once_per_turn", "effect": "no_ridge_cost"},
        {"name": "Bridges", "kind": "ongoing_once_per_turn", "effect": "terrain_price"},
        {"name": "Blasting", "kind": "hand", "effect": "terrain_price"},
        {"name": "Dispatcher", "kind": "optional", "effect": "turn_rotor"},
        {"name": "Coal", "kind": "optional", "effect": "free_depots"},
    ]
    more = {
        "Five tiles": {"amount": 1},
        "Six tiles": {"amount": 2},
        "Bridges": {"terrain": "water", "cost": 1},
        "Blasting": {"terrain": "mountain", "cost": 0},
        "Dispatcher": {
            "behaves_as": "hand",
            "module": "city_rotors",
            "steps": chance.choice([1, 2]),
        },
        "Coal": {
            "behaves_as": "immediate",
            "module": "fuel_depots",
            "amount": chance.choice([1, 2]),
        },
    }
    operations = [{**row, **more.get(row["name"], {})} for row in operations]
    one, other = chance.sample(names, 2)
    barons = [
        {"name": "Richest", "condition": "most_money", "points": 7},
        {"name": "Fewest", "condition": "fewest_bonds", "points": 6},
        {"name": "Chain", "condition": "longest_chain", "points": 8},
        {"name": "Links", "condition": "most_links", "points": 6},
        {"name": "Cities", "condition": "most_cities_connected", "points": 5},
        {"name": "Lines", "condition": "most_major_lines", "points": 6},
        {"name": "Hub", "condition": "connections_out_of", "city": one, "points_each": 2},
        {"name": "Joined", "condition": "connected", "cities": [one, other], "points": 6},
        {"name": "Engine", "condition": "first_engine_level", "level": 3, "points": 4},
        {"name": "Ports", "condition": "links_into", "cities": names[:3], "at_least": 2},
    ]
    more = {"Hub": {"most": chance.choice([2, 4])}, "Ports": {"points": 6}}
    barons = [{**row, **more.get(row["name"], {})} for row in barons]
    barons[chance.randrange(7)]["copies"] = 3
    return {
        "start": rows([{"kind": "start", **row} for row in start], 1),
        "bounties": rows([{"kind": "bounty", "points": 4, **row} for row in bounties], 1),
        "operations": rows(operations, chance.choice([1, 2, 3])),
        "barons": [{"copies": 2, **row} for row in barons],
    }


class Stream:
    """The kernel's stream of chance, drawn from without the kernel."""

    def __init__(self) -> None:
        self.rng = 0

    def below(self, limit: int) -> int:
        """As `sim.rng.below` draws from a record."""
        bits, self.rng = rng.step(self.rng)
        return ((bits >> 32) * limit) >> 32


def both(board: sim.game.Board, players: int, seed: int) -> tuple:
    """The same dealt game in both engines, and the stream the reference draws from."""
    position = board.new(players, seed)
    state, file = position.state[0], board.file
    deal = {
        "cubes": _by_city(file, state.cubes, lambda row: _by_colour(row)),
        "bag": _by_colour(state.bag),
        "barons": [[file.baron_ids[row] for row in state.barons[seat]] for seat in range(players)],
        "shown": {name: int(n) for name, n in zip(file.card_ids, state.shown, strict=False)},
        "deck": [file.card_ids[row] for row in state.deck[state.deck_next : state.n_deck]],
    }
    stream = Stream()
    options = board.options.model_dump(by_alias=True)
    return position, Reference(board.document, options, players, deal, stream.below), stream


def _by_colour(numbers) -> dict[str, int]:
    return {colour: int(number) for colour, number in zip(COLOURS, numbers, strict=True)}


def _by_city(file, values, change) -> dict:
    return {city: change(value) for city, value in zip(file.city_ids, values, strict=False)}


def _names(bits: int, names: list[str]) -> set[str]:
    return {name for number, name in enumerate(names) if int(bits) >> number & 1}


def compare(position: sim.game.Position, reference: Reference) -> None:
    """Both engines hold the same game."""
    assert position.status == "ok"
    assert position.is_over == reference.is_over
    assert position.end_reason == reference.end_reason
    if not position.is_over:
        state = position.state[0]
        assert PHASES[state.phase] == reference.phase
        assert position.to_move == reference.to_move
        assert state.actions_left == reference.actions_left or reference.round == 0
        texts = position.legal()
        assert len(texts) == len(set(texts))
        assert set(texts) == reference.legal()
    _compare_turn(position, reference)
    _compare_players(position, reference)
    _compare_cities(position, reference)
    _compare_track(position, reference)
    assert position.scores == reference.scores()
    assert position.payoffs == pytest.approx(reference.payoffs())


def _compare_turn(position: sim.game.Position, reference: Reference) -> None:
    state, players = position.state[0], position.players
    assert position.turn == reference.turn
    assert state["round_number"] == reference.round or position.is_over
    assert list(state.order[:players]) == reference.order
    assert state.triggered == reference.triggered
    assert state.last_turn == (reference.last_turn or 0)
    if reference.triggered:
        assert state.trigger_player == reference.trigger_player
    if reference.phase == "bid":
        assert state.bid == reference.bid
        assert list(state.own_bid[:players]) == reference.own_bid
        assert list(state.pass_order[: state.n_passed]) == reference.passed
    if reference.phase in ("build", "first tile", "next tile", "link done"):
        build, terrains = reference.build, ("open", "water", "mountain")
        assert state.tiles_left == build.tiles_left
        assert list(state.tile_cost) == [build.price[terrain] for terrain in terrains]
        assert state.ridge_cost == build.price["ridge"]
        declared = _names(state.declared, position.board.file.card_ids)
        assert declared == set(build.declared)


def _compare_players(position: sim.game.Position, reference: Reference) -> None:
    state, file, players = position.state[0], position.board.file, position.players
    for field in ("money", "bonds", "marker", "banked", "engine", "depots_left"):
        if field != "depots_left" or reference.options["fuel_depots"]:
            assert list(state[field][:players]) == getattr(reference, field), field
    for seat in range(players):
        kept = file.baron_ids[state.barons[seat, 0]] if state.has_kept[seat] else None
        assert kept == reference.baron[seat]
        for field, known in (("held", reference.held), ("used", reference.used)):
            cards = zip(file.card_ids, state[field][seat], strict=False)
            assert {name: n for name, n in cards if n} == dict(+known[seat]), field
        cube = reference.stopped[seat]
        if cube is None:
            assert state.stopped[seat] == -1
            continue
        assert COLOURS[state.stopped[seat]] == cube.colour
        assert file.city_ids[state.stopped_at[seat]] == cube.at
        assert file.city_ids[state.stopped_from[seat]] == cube.origin
        assert _names(state.stopped_seen[seat], file.city_ids) == cube.seen
        assert state.stopped_links[seat] == sum(cube.points)
        assert list(state.stopped_points[seat, :players]) == cube.points
    shown = zip(file.card_ids, state.shown, strict=False)
    assert {name: n for name, n in shown if n} == dict(+reference.shown)
    deck = [file.card_ids[row] for row in state.deck[state.deck_next : state.n_deck]]
    assert deck == reference.deck
    first = [reference.first_at_level.get(level, -1) for level in range(2, 9)]
    assert list(state.first_at_level[2:]) == first


def _compare_cities(position: sim.game.Position, reference: Reference) -> None:
    state, file, players = position.state[0], position.board.file, position.players
    assert _by_colour(state.bag) == {colour: reference.bag[colour] for colour in COLOURS}
    assert _by_colour(state.new_tiles) == reference.new_tiles
    assert _by_city(file, state.cubes, _by_colour) == {
        city: {colour: cubes[colour] for colour in COLOURS}
        for city, cubes in reference.cubes.items()
    }
    colours = (*COLOURS, "gray")
    assert _by_city(file, state.colour, lambda n: colours[n]) == reference.colour
    assert colours[GRAY] == "gray"
    dials = (*COLOURS, "none", None)
    assert _by_city(file, state.dial, lambda n: dials[n]) == reference.dial
    assert dials[NO_DIAL] == "none"
    for number, colour in enumerate(COLOURS):
        accepting = {city for city in file.city_ids if reference.accepts(city, colour)}
        assert _names(state.accepts[number], file.city_ids) == accepting
    stocked = {city for city, cubes in reference.cubes.items() if sum(cubes.values())}
    assert _names(state.stocked, file.city_ids) == stocked
    assert _names(state.marked, file.city_ids) == reference.marked
    for number, city in enumerate(file.city_ids):
        assert list(state.depots[:players, number]) == reference.depots[city]
    if reference.western:
        owners = [reference.western_owner.get(slug(name), -1) for name in file.western_link.cities]
        assert list(state.western_owner[: len(owners)]) == owners


def _compare_track(position: sim.game.Position, reference: Reference) -> None:
    state, file, players = position.state[0], position.board.file, position.players
    known = Counter(
        (tile.hex, frozenset((tile.entry, tile.exit)), link.owner)
        for link in reference.links
        for tile in link.tiles
    )
    laid = Counter()
    for place, tracks in zip(file.places, state.track, strict=False):
        for track in tracks:
            if track > 0:
                owner, pair = divmod(int(track) - 1, 16)
                laid[place, frozenset(SIDES[side] for side in PAIRS[pair]), owner] += 1
    assert laid == known
    number = int(state.n_links)
    assert Counter(
        (int(owner), frozenset(file.city_ids[city] for city in cities), int(tiles))
        for owner, cities, tiles in zip(
            state.link_owner[:number],
            state.link_city[:number],
            state.link_tiles[:number],
            strict=True,
        )
    ) == Counter(
        (link.owner, frozenset(link.ends), len(link.tiles))
        for link in reference.links
        if link.end is not None
    )
    own = [len(reference.own_links(seat)) for seat in range(players)]
    assert list(state.links[:players]) == own
    assert {_stub(position, n) for n in range(state.n_stubs)} == {
        _known_stub(link) for link in reference.links if link.end is None
    }
    owners = [-1 if owner is None else owner for owner in reference.line_owner]
    assert list(state.line_owner[: len(owners)]) == owners


def _stub(position: sim.game.Position, number: int) -> tuple:
    state, file = position.state[0], position.board.file
    return (
        int(state.stub_owner[number]),
        file.city_ids[state.stub_city[number]],
        SIDES[state.stub_spur[number]],
        file.places[state.stub_hex[number]],
        SIDES[state.stub_entry[number]],
        SIDES[state.stub_exit[number]],
        int(state.stub_tiles[number]),
    )


def _known_stub(link: Link) -> tuple:
    spur = opposite(link.tiles[0].entry)
    return (link.owner, link.start, spur, *link.tiles[-1], len(link.tiles))


def choose(reference: Reference, chance: random.Random, likely: dict[str, float]) -> str:
    """A legal action, by how likely each kind is; tiles that may complete a link are likelier."""
    texts = sorted(reference.legal())
    weights = [likely.get(text.split()[0], 1) for text in texts]
    if reference.phase in ("build", "first tile", "next tile"):
        for number, text in enumerate(texts):
            weights[number] *= _promise(reference, text)
    return chance.choices(texts, weights)[0]


def _promise(reference: Reference, text: str) -> float:
    """More for a tile that completes a link, or leads to where one may be completed."""
    player, build = reference.to_move, reference.build
    if text.startswith("from "):
        firsts = reference.first_tiles(player, text.split()[1]).values()
        return max(_step_promise(reference, step) for step in firsts)
    if reference.phase == "build":
        steps = reference.own_steps(player)
    elif reference.phase == "first tile":
        steps = reference.first_tiles(player, build.start)
    else:
        steps = reference.next_tiles(player)
    return _step_promise(reference, steps[text]) if text in steps else 1


def _step_promise(reference: Reference, step: Step) -> float:
    """Least with no goal within three hexes, straight or with a turn each."""
    if step.city or step.stub:
        return 40
    player = reference.to_move
    here, heading = step.tile.hex, SIDES.index(step.tile.exit)
    ends = {(beyond(here, SIDES[heading]), heading)}
    open_ends = {
        (stub.tiles[-1].hex, stub.tiles[-1].exit)
        for stub in reference.stubs(player)
        if stub is not step.link and reference.may_join(player, step.start, stub.start)
    }
    for promise in (20, 10, 4):
        ahead = {(place, (side + turn) % 6) for place, side in ends for turn in (-1, 0, 1)}
        ends = {(beyond(place, SIDES[side]), side) for place, side in ahead}
        for place, side in ends:
            back, city = opposite(SIDES[side]), reference.city_at.get(place)
            if (place, back) in open_ends:
                return promise * 2
            is_goal = city and reference.may_join(player, step.start, city)
            if is_goal and back in reference.spurs[city]:
                return promise
    return 0.5


def play_both(
    board: sim.game.Board,
    players: int,
    chance: random.Random,
    likely: dict[str, float] = WEIGHTS,
) -> list[str]:
    """Play a random game in both engines; the actions played."""
    engines = both(board, players, chance.randrange(2**53))
    compare(*engines[:2])
    played = []
    while not engines[0].is_over:
        played.append(choose(engines[1], chance, likely))
        play_one(*engines, played[-1])
    return played


def play_one(
    position: sim.game.Position, reference: Reference, stream: Stream, action: str
) -> None:
    """Play an action in both engines, which draw the same, and compare them."""
    stream.rng = int(position.state[0].rng)
    position.play(action)
    reference.play(action)
    assert stream.rng == int(position.state[0].rng)
    compare(position, reference)


@pytest.mark.parametrize("name", GAME.boards())
@pytest.mark.parametrize("seed", range(2))
def test_printed_boards(name, seed):
    chance = random.Random(f"{name} {seed}")
    board = GAME.board(name, settings={"max_turns": 3})
    play_both(board, 2 + 2 * seed, chance)


@pytest.mark.parametrize("seed", range(30))
def test_any_board(seed):
    chance = random.Random(f"board {seed}")
    play_both(GAME.board_from(random_board(chance), "random board"), 2 + seed % 5, chance)


@pytest.mark.parametrize("seed", range(60))
def test_any_board_and_options(seed):
    chance = random.Random(f"options {seed}")
    document = random_board(chance)
    settings = random_settings(chance, chance.choice([2, 6, 14, 24]))
    play_both(GAME.board_from(document, "random board", settings), 2 + seed % 5, chance)


@pytest.mark.parametrize("seed", range(6))
def test_many_ways(seed):
    """A network with depots everywhere: routes that differ in the depots used or cities passed."""
    chance = random.Random(f"ways {seed}")
    settings = {
        "city_rotors": False,
        "fuel_depots": True,
        "depots_per_player": 20,
        "depot_cost": 0,
        "engine_price": 0,
        "goods_reduction": 0,
        "new_city_tiles": 9,
        "urbanize_cubes": 5,
        "max_turns": 15,
        "empty_city_markers": 20,
    }
    likely = WEIGHTS | {"deliver": 0.3, "stop": 0.2, "pass": 0.2, "depots": 20}
    document = random_board(chance, is_dense=True)
    play_both(GAME.board_from(document, "random board", settings), 2 + seed % 2, chance, likely)


def test_two_open_ends_are_joined_by_a_later_tile():
    names = NAMES[:4]
    spots = {(0, 0): "e", (0, 5): "w", (2, 0): "e", (2, 5): "w"}
    document = {
        "meta": {"game": "railways-of-the-world", "name": "joined", "label": "Made up"},
        "options": {"auction": "new_players", "service_bounties": 2},
        "cities": [
            {"name": name, "colour": "red", "goods": 1, "row": row, "col": col, "spurs": spurs}
            for name, ((row, col), spurs) in zip(names, spots.items(), strict=True)
        ],
        "hexes": {"rows": ["CooooC", "oooooo", "CooooC"], "ridges": []},
        **_random_cards(random.Random(1), list(names)),
    }
    engines = both(GAME.board_from(document, "joined"), 2, 1)
    for _ in range(2):
        play_one(*engines, min(engines[1].legal()))
    for action in (
        *("build", "from alder", "lay 0,1 e-w", "done", "pass"),
        *("build", "from birch_bay", "lay 0,4 e-w", "lay 0,3 e-w", "lay 0,2 e-w"),
    ):
        play_one(*engines, action)
    assert engines[1].own_links(0)


def test_every_effect_is_on_a_random_board():
    document = random_board(random.Random(1))
    rows = [*document["start"], *document["bounties"], *document["operations"]]
    assert {row["effect"] for row in rows} == set(EFFECTS)
