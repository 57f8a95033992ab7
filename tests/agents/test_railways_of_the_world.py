"""Greedy play of Railways of the World: its searches against slow twins, its strategies' deeds."""

import functools
import itertools
import random
from collections.abc import Iterator

import numpy as np
import pytest

import agents
import sim
from agents.base import MAX_SEATS
from agents.railways_of_the_world import MEMO, goods_search, track_search
from sim.game import Board, Position
from sim.railways_of_the_world.state import (
    ACTION,
    BID,
    BIDDING,
    CONTINUE,
    DELIVER,
    MAX_CODE,
    MAX_LEVEL,
    PHASES,
    ROUTE,
)
from tests.agents import naive_railways as naive
from tests.agents.play import actions, batch, by_copy, play
from tests.sim.railways_of_the_world.test_against_reference import random_board, random_settings

GAME = sim.load("railways-of-the-world")
EASTERN = GAME.board("eastern_us")
STRATEGIES = list(agents.heuristics(GAME).PRESETS)
PLANNERS = [name for name in STRATEGIES if name != "prudent"]
PLACES = MAX_SEATS + MEMO

# Boards on which networks grow fast and cubes may go many ways.
MANY_WAYS = {
    "fuel_depots": True,
    "depots_per_player": 20,
    "depot_cost": 0,
    "engine_price": 0,
    "open_cost": 0,
    "goods_reduction": 0,
    "new_city_tiles": 9,
    "urbanize_cubes": 5,
    "max_turns": 12,
    "empty_city_markers": 20,
}


@functools.cache
def small_board(number: int, kind: str = "any") -> Board:
    """A random board: with its own options, with other ones, or with many ways for cubes."""
    chance = random.Random(f"{kind} {number}")
    document = random_board(chance, is_dense=True if kind == "many ways" else None)
    changes = MANY_WAYS
    if kind == "any":
        changes = random_settings(chance, chance.choice([0, 4, 10]))
    return GAME.board_from(document, f"{kind} {number}", changes)


def positions(
    count: int, every: int = 11, kind: str = "any", noise: float = 0.5
) -> Iterator[Position]:
    """Positions of games on so many random boards: every other player's moves are all random."""
    for number in range(count):
        players = 2 + number % 4
        line_up = [f"greedy:noise={noise if seat % 2 == 0 else 1}" for seat in range(players)]
        started = batch(line_up, 1, seed=number, board=small_board(number, kind))
        for step in itertools.count():
            if started.step() is None:
                break
            if step % every == number % every and not started.position().is_over:
                yield started.position().copy()


def advised(position: Position, agent: agents.Agent, memo: np.ndarray | None = None) -> int:
    """What is advised in a position, which is left alone."""
    return naive.run("advise", position.copy(), agent, memo)


# ---------------------------------------------------------------------------------------- tracks


def set_prices(position: Position, chance: random.Random | None = None) -> None:
    """The board's own prices, or any others, as cards may make them."""
    state, board = position.state[0], position.board.record[0]
    state.tile_cost, state.ridge_cost = board.tile_cost, board.ridge_cost
    if chance is not None:
        state.tile_cost = [chance.choice([0, 1, 2, 3, 4]) for _ in range(3)]
        state.ridge_cost = chance.choice([0, 0, 2, 4])


def found_tracks(memory: np.ndarray, at: int, cities: int) -> dict[int, naive.Track]:
    """What a search has written."""
    fields = track_search.COST, track_search.TILES, track_search.FIRST, track_search.PRICE
    return {
        city: naive.Track(*(int(memory[at + field + city]) for field in fields))
        for city in naive.cities_in(cities)
    }


def search(
    position: Position, player: int, city: int, stub: int, most: int, now: int, memory: np.ndarray
) -> dict[int, naive.Track]:
    """The tracks that are found without the remembered ones."""
    state, board, at = position.state[0], position.board.record[0], track_search.NOW
    cities = track_search.cheapest_tracks(state, board, player, city, stub, most, now, memory, at)
    return found_tracks(memory, at, cities)


def faults(found: dict[int, naive.Track], tracks: dict[int, set[naive.Track]]) -> list[tuple]:
    """What is wrong: a city missed or invented, or a track that is not one of the cheapest."""
    wrong: list[tuple] = [("cities", city) for city in set(found) ^ set(tracks)]
    for city in set(found) & set(tracks):
        least = min(track.price for track in tracks[city])
        if found[city].price != least or found[city] not in tracks[city]:
            wrong.append((city, found[city], least))
    return wrong


def test_cheapest_tracks_are_those_that_can_be_laid():
    """Cost, tiles and first tile, against all tiles played: from cities and from open ends."""
    chance, memory = random.Random(1), np.zeros(track_search.SIZE)
    wrong, pairs, stubs, links = [], 0, 0, 0
    for position in positions(90):
        set_prices(position, chance if chance.random() < 0.5 else None)
        state, player = position.state[0], position.to_move
        cities = range(len(position.board.file.city_ids))
        ends = [(city, -1) for city in chance.sample(cities, 2)]
        ends += [
            (int(state.stub_city[stub]), stub)
            for stub in range(state.n_stubs)
            if state.stub_owner[stub] == player
        ]
        most = chance.choice([3, 3, 4, 5])
        for city, stub in ends:
            now = chance.randint(1, most)
            found = search(position, player, city, stub, most, now, memory)
            tracks = naive.all_tracks(position, city, stub, most, now)
            wrong += faults(found, tracks)
            pairs, stubs, links = pairs + 1, stubs + (stub >= 0), links + len(tracks)
    assert pairs > 1500 and stubs > 80 and links > 2500
    assert not wrong


def test_tracks_are_remembered_as_long_as_they_hold():
    """Two games in turn on one memory: the same as in a memory that is new each time."""
    changed = compared = links = 0
    wrong = []
    for number in range(12):
        board = small_board(number)
        games = [batch(["greedy:noise=0.5", "random"], 1, seed=s, board=board) for s in (1, 2)]
        memory, chance, last = np.zeros(track_search.SIZE), random.Random(number), {}
        for step in range(130):
            started = games[chance.randrange(2)]
            for _ in range(chance.choice([1, 3, 20])):
                started.step()
            position = started.position().copy()
            set_prices(position)
            record = position.board.record[0]
            track_search.note_track(position.state[0], record, memory)
            for city in chance.sample(range(record.n_cities), 2):
                known = track_search.tracks_from(position.state[0], record, city, memory)
                at = track_search.RESULTS + city * track_search.RESULT
                found = found_tracks(memory, at, known)
                most, now = track_search.MOST_TILES, int(record.tiles_per_build)
                new = np.zeros(track_search.SIZE)
                assert found == search(position, -1, city, -1, most, now, new)
                changed += found != last.setdefault(city, found)
                last[city] = found
                compared += 1
                if step % 40 == 0 and position.players < 6:
                    tracks = naive.all_tracks(naive.newcomer(position), city, -1, most, now)
                    wrong += faults(found, tracks)
                    links += len(tracks)
    assert compared > 2500 and changed > 150 and links > 60
    assert not wrong


# ------------------------------------------------------------------------------------ deliveries


def networks(
    count: int, every: int = 17, is_tangled: bool = True
) -> Iterator[tuple[Position, random.Random]]:
    """Positions with links, of ordinary games and of those in which cubes may go many ways.

    Of these every other one is tangled if so wished, for longer ways than games of a few turns
    have: more links, of anybody, and fewer cities that accept a colour.
    """
    for kind, noise in (("any", 0.5), ("many ways", 0.2)):
        for number, position in enumerate(positions(count, every, kind, noise)):
            chance = random.Random(int(position.state.rng[0]))
            if is_tangled and kind == "many ways" and number % 2 == 0:
                tangle(position, chance)
            if position.state.network.any():
                yield position, chance


def tangle(position: Position, chance: random.Random) -> None:
    """Give links away, take acceptance from cities, and let engines be of any level."""
    state, cities = position.state[0], range(len(position.board.file.city_ids))
    for _ in range(len(cities)):
        here, there = chance.sample(cities, 2)
        seat = chance.randrange(position.players)
        for near, far in ((here, there), (there, here)):
            state.linked[seat, near] |= 1 << far
            state.joined[near] |= 1 << far
            state.network[seat] |= 1 << far
    for colour in range(5):
        accepting = naive.cities_in(state.accepts[colour])
        state.accepts[colour] = sum(1 << city for city in accepting if chance.random() < 0.4)
    for seat in range(position.players):
        state.engine[seat] = chance.randint(1, MAX_LEVEL)
        state.depot_cities[seat] = sum(1 << city for city in cities if chance.random() < 0.15)


def test_longest_deliveries_equal_all_paths():
    memory, lengths = np.zeros(goods_search.SIZE), []
    for position, chance in networks(20):
        state = position.state[0]
        player = chance.randrange(position.players)
        origin = chance.randrange(len(position.board.file.city_ids))
        colours = chance.randrange(1, 32)
        level, patience = chance.randint(1, MAX_LEVEL), chance.choice([0.0, 0.37, 0.71, 0.93])
        most = chance.randint(level, MAX_LEVEL)
        goods_search.longest_deliveries(
            state, player, origin, colours, most, level, patience, memory
        )
        for colour in range(5):
            length = int(memory[goods_search.LENGTH + colour])
            if not colours >> colour & 1:
                assert length == 0
                continue
            known = naive.own_lengths(state, player, origin, colour, most)
            assert length == naive.longest(known, level, patience)
            lengths.append(length)
    assert len(lengths) > 600 and max(lengths) >= 6


def test_potential_equals_its_slow_twin():
    memory, counted = np.zeros(goods_search.SIZE), 0
    for position, chance in networks(20, 23):
        state = position.state[0]
        player, level = chance.randrange(position.players), chance.randint(1, MAX_LEVEL)
        deliveries = chance.choice([0.0, 0.7, 2.3, 5.9, 40.1])
        weights = chance.choice([0.37, 0.73, 0.91]), chance.choice([0.0, 0.35]), 0.31
        total = goods_search.potential(state, player, level, deliveries, *weights, memory)
        known, least = naive.potential(state, player, level, deliveries, *weights)
        assert total == pytest.approx(known)
        assert memory[goods_search.LAST] == pytest.approx(least)
        counted += least > 0
    assert counted > 50


def test_best_deliveries_equal_all_paths():
    """Over anybody's links, with what a city and a record bring."""
    memory, found, over_others = np.zeros(goods_search.SIZE), 0, 0
    for position, chance in networks(20, 23):
        state = position.state[0]
        player = chance.randrange(position.players)
        origin = chance.randrange(len(position.board.file.city_ids))
        own_worth, other_cost = chance.uniform(0.5, 1.5), chance.uniform(-0.4, 1.0)
        bonus = [chance.choice([0.0, 0.0, chance.uniform(-2, 6)]) for _ in range(64)]
        record = chance.choice([2, 3, 99]), chance.uniform(0, 5)
        memory[goods_search.BONUS : goods_search.BONUS + 64] = bonus
        memory[goods_search.RECORD], memory[goods_search.RECORD_BONUS] = record
        for colours in (31, chance.randrange(1, 32)):
            goods_search.best_deliveries(
                state, player, origin, colours, own_worth, other_cost, memory
            )
            for colour in range(5):
                value = memory[goods_search.VALUE + colour]
                city = int(memory[goods_search.CITY + colour])
                if not colours >> colour & 1:
                    assert city == -1
                    continue
                best, cities = naive.best_deliveries(
                    state, player, origin, colour, own_worth, other_cost, bonus, record
                )
                assert value == pytest.approx(best)
                assert city in (cities or {-1})
                found += bool(cities)
                over_others += bool(cities) and not naive.own_lengths(
                    state, player, origin, colour, int(state.engine[player])
                )
    assert found > 250 and over_others > 50


def moves_with_questions(count: int) -> Iterator[Position]:
    """Positions in which a route is asked about."""
    for position, chance in networks(count, 5, is_tangled=False):
        if position.state.phase[0] != ACTION:
            continue
        codes = position.legal_codes()
        moves = [code for code in codes.tolist() if is_move(code)]
        for code in chance.sample(moves, min(len(moves), 6)):
            asked = position.copy().play(code)
            if asked.state.phase[0] == ROUTE:
                yield asked


def is_move(code: int) -> bool:
    """Whether an action moves a cube."""
    return CONTINUE <= code < BID or DELIVER <= code < MAX_CODE


def test_best_route_equals_all_routes():
    """At every question, with the answers of others' too; its own answers lead where it says."""
    memory, chance, asked, depots = np.zeros(goods_search.SIZE), random.Random(1), 0, 0
    for position in moves_with_questions(30):
        player, state = position.to_move, position.state[0]
        own_worth, other_cost = chance.uniform(0.5, 1.5), chance.uniform(0.1, 1.0)
        routes = naive.all_routes(position)
        while state.phase == ROUTE:
            left = {route for route in routes if naive.agrees(state, route)}
            # Without questions about the cities passed routes that differ in them are one.
            known = {(route.points, route.depots) for route in left}
            board = position.board.record[0]
            used, _ = goods_search.best_route(state.copy(), board, own_worth, other_cost, memory)
            places = slice(goods_search.ROUTE, goods_search.ROUTE + position.players)
            points = tuple(int(links) for links in memory[places])
            cities = frozenset(naive.cities_in(used))
            assert (points, cities) in known
            best = max(route.value(player, own_worth, other_cost) for route in left)
            found = naive.Route(points, cities, frozenset())
            assert found.value(player, own_worth, other_cost) == pytest.approx(best)
            asked, depots = asked + 1, depots + bool(cities)
            position.play(chance.choice(position.legal_codes().tolist()))
    assert asked > 100 and depots > 5


def test_answers_lead_to_the_best_route():
    agent, count = agents.load("greedy", GAME), 0
    for position in moves_with_questions(20):
        player = position.to_move
        cost = naive.weights_of(agent)["rivalry"]
        routes = naive.all_routes(position)
        best = max(route.value(player, 1.0, cost) for route in routes)
        while position.state.phase[0] == ROUTE:
            position.play(advised(position, agent))
        state = position.state[0]
        points = tuple(max(0, int(n)) for n in state.set_points[: position.players])
        used = frozenset(naive.cities_in(state.set_depots[1]))
        chosen = naive.Route(points, used, frozenset())
        assert chosen.value(player, 1.0, cost) == pytest.approx(best)
        count += 1
    assert count > 25


# ---------------------------------------------------------------------------------------- advice


def test_advice_and_worth_never_depend_on_what_was_worked_out_before():
    """Two games in turn and all strategies on one memory, against a new memory each time."""
    known = {name: agents.load(name, GAME) for name in PLANNERS}
    boards = [*(small_board(number) for number in range(24)), *map(GAME.board, GAME.boards())]
    asked = set()
    for number, board in enumerate(boards):
        used, chance = np.zeros(PLACES), random.Random(number)
        line_up = ["greedy:noise=0.3", "random", "engineer"][: 2 + number % 2]
        games = [batch(line_up, 1, seed=number + s, board=board) for s in (1, 2)]
        for _ in range(60):
            started = games[chance.randrange(2)]
            for _ in range(chance.choice([1, 2, 15])):
                started.step()
            if started.position().is_over:
                break
            position = started.position().copy()
            agent = known[chance.choice(PLANNERS)]
            code = advised(position, agent, used)
            assert code == advised(position, agent)
            asked.add(PHASES[position.state.phase[0]])
            worth = naive.evaluate(position.copy(), agent, used)
            assert worth == naive.evaluate(position.copy(), agent)
            assert np.isfinite(worth).all()
    assert {"bid", "action", "build", "first tile", "next tile"} <= asked


@pytest.mark.parametrize("name", PLANNERS)
def test_advice_stays_within_its_places(name):
    agent = agents.load(name, GAME)
    for position in positions(6, 13):
        memo = np.concatenate([np.zeros(PLACES), np.full(8, 123.25)])
        advised(position, agent, memo)
        naive.evaluate(position, agent, memo)
        assert (memo[PLACES:] == 123.25).all()


def test_advice_never_depends_on_what_is_hidden():
    """Neither on the Barons of others nor on the order of the deck nor on the chance to come."""
    known = [agents.load(name, GAME) for name in PLANNERS]
    chance, drawn_anew = random.Random(1), 0
    for position in positions(30):
        agent, seed = chance.choice(known), chance.randrange(2**53)
        other = position.determinized(position.to_move, seed)
        drawn_anew += (other.state.barons != position.state.barons).any()
        assert advised(other, agent) == advised(position, agent)
    assert drawn_anew > 50


def test_one_decision_ahead():
    """With plan=0 each action is tried out, and the one that leaves most is played."""
    agent, chance, kinds = agents.load("greedy:plan=0", GAME), random.Random(1), set()
    seen = 0
    for position in positions(12, 9):
        if position.state.phase[0] == BIDDING or len(position.legal_codes()) < 2:
            continue
        assert advised(position, agent) == -1
        started = batch([agent] * position.players, 1, board=position.board)
        started.states[:] = position.state
        started.seats.rng[:] = chance.randrange(2**53)
        code = started.step()
        assert code in position.legal_codes()
        kinds.add(position.text(code).split()[0])
        if is_sure(position):
            assert code in naive.best_by_worth(position, agent)
            seen += 1
    assert seen > 25
    assert {"build", "from", "lay", "deliver", "upgrade"} <= kinds


def is_sure(position: Position) -> bool:
    """Whether nothing that any action brings is left to chance or hidden."""
    texts = {text.split()[0] for text in position.legal()}
    by_chance = {"urbanize", "grow", "take", "keep", "western_link"}
    return not texts & by_chance and position.state.round_number[0] < 3


def test_one_decision_ahead_plays_whole_games_and_beats_random():
    games = play(["greedy:plan=0", "random", "random"], 6, board=EASTERN)
    assert (games.status == 0).all()
    assert by_copy(games.score)[:, 0].mean() > by_copy(games.score)[:, 1:].mean() + 10


# ------------------------------------------------------------------------------------ strategies


@pytest.mark.parametrize("board", GAME.boards())
@pytest.mark.parametrize("players", GAME.players)
def test_every_decision_is_legal(board, players):
    """The loop does not check what its compiled agents play: so here, all strategies at a table."""
    for first in range(0, len(STRATEGIES), players):
        line_up = [STRATEGIES[(first + seat) % len(STRATEGIES)] for seat in range(players)]
        started = batch(line_up, 1, seed=players, board=GAME.board(board))
        position = started.position()
        while not position.is_over:
            legal = position.legal_codes()
            assert started.step() in legal
        assert position.status == "ok"


def test_every_decision_is_legal_on_any_board():
    for number in range(40):
        players = 2 + number % 5
        chance = random.Random(number)
        line_up = [chance.choice(STRATEGIES) for _ in range(players)]
        started = batch(line_up, 1, seed=number, board=small_board(number))
        position = started.position()
        while not position.is_over:
            legal = position.legal_codes()
            assert started.step() in legal, (number, position.text(legal[0]))
        assert position.status == "ok"


def test_no_two_strategies_play_alike():
    """On the same deals each pair of them parts, on both boards."""
    for board in GAME.boards():
        line_ups = {name: [name] * 3 for name in STRATEGIES}
        played = {
            name: actions(batch(line_up, 1, seed=5, board=GAME.board(board)))
            for name, line_up in line_ups.items()
        }
        for one, other in itertools.combinations(STRATEGIES, 2):
            assert played[one] != played[other], (one, other)


def measure(games, what: str) -> np.ndarray:
    """A measure by place in the line-up, [G, n]."""
    row = [measure.name for measure in GAME.measures].index(what)
    return by_copy(games.measures[:, row])


@functools.cache
def among_greedy(name: str, board: str, count: int = 80):
    """Games of one strategy among three greedy players."""
    return play([name, "greedy", "greedy", "greedy"], count, board=GAME.board(board))


def lead_of_first(values: np.ndarray) -> float:
    """By how many standard errors place 0 of the line-up leads the mean of the others.

    Over blocks: the rotations of a deal are not independent.
    """
    n = values.shape[1]
    lead = (values[:, 0] - values[:, 1:].mean(axis=1)).reshape(-1, n).mean(axis=1)
    return lead.mean() / (lead.std(ddof=1) / np.sqrt(len(lead)))


on_both_boards = pytest.mark.parametrize("board", GAME.boards())


@on_both_boards
def test_short_hauler_delivers_over_fewer_links(board):
    games = among_greedy("short_hauler", board)
    links, deliveries = measure(games, "delivery_links"), measure(games, "deliveries")
    assert lead_of_first(links / np.maximum(deliveries, 1)) < -4
    alone = play(["short_hauler"] * 3, 6, board=GAME.board(board))
    assert measure(alone, "engine_level").max() <= 3


@on_both_boards
def test_engineer_has_a_better_engine_earlier(board):
    count, turns = 48, (4, 7)
    line_up = ["engineer", "greedy", "greedy", "greedy"]
    started = batch(line_up, count, board=GAME.board(board))
    levels = np.zeros((len(turns), count, 4))
    for game in range(count):
        state = started.states[game]
        for number, turn in enumerate(turns):
            while state.turn < turn and not state.is_over:
                started.step(game)
            levels[number, game] = state.engine[:4]
    for turn, level in zip(turns, levels, strict=True):
        assert lead_of_first(by_copy(level)) > 3, turn


@on_both_boards
def test_line_builder_has_more_of_major_lines(board):
    assert lead_of_first(measure(among_greedy("line_builder", board), "line_points")) > 3


@on_both_boards
def test_frugal_borrows_less(board):
    assert lead_of_first(measure(among_greedy("frugal", board), "bonds")) < -4


def test_prudent_borrows_less_than_random():
    bonds = measure(play(["prudent", "random", "random"], 60, board=EASTERN), "bonds")
    assert lead_of_first(bonds) < -4
    assert bonds[:, 0].mean() < 0.5 * bonds[:, 1:].mean()


def test_greedy_beats_random_and_prudent():
    games = play(["greedy", "random", "prudent"], 120, board=EASTERN)
    share = by_copy(games.win_share)[:, 0].mean()
    assert share >= 0.95, f"greedy wins {share:.3f} against random and prudent"


@pytest.mark.parametrize("name", PLANNERS)
def test_every_planner_beats_random(name):
    for board in GAME.boards():
        games = play([name, "random", "random", "random"], 40, board=GAME.board(board))
        share = by_copy(games.win_share)[:, 0].mean()
        assert share >= 0.9, f"{name} wins {share:.3f} against three random players"
