"""What holds in every position of every game, worked out again the slow way after each decision.

Nothing here uses the compiled rules but to play: links are walked tile by tile, what saves the
rules time is worked out from the links, and money is followed from the decisions.
"""

import functools
import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import agents
import sim
from agents.loop import Batch
from sim import contract
from sim.railways_of_the_world.barons import longest_chain
from sim.railways_of_the_world.measures import POINTS
from sim.railways_of_the_world.state import (
    ACTION,
    BIDDING,
    COLOURS,
    FREE_DEPOTS,
    GRAY,
    KEEPING,
    LAST_SPACE,
    MAX_LEVEL,
    PAIRS,
    ROUTE,
    SIDES,
)
from tests.reference.railways_of_the_world import INCOME, beyond, opposite
from tests.sim.railways_of_the_world.test_against_reference import (
    WEIGHTS,
    random_board,
    random_settings,
)

GAME = sim.load("railways-of-the-world")
ROUNDS = 3

moderate = settings(
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def members(bits):
    """The numbers in a set kept in 64 bits."""
    return {number for number in range(64) if int(bits) >> number & 1}


class Map:
    """The board as plain sets and lists."""

    def __init__(self, board):
        file = board.file
        self.options = board.options
        self.places = file.places
        self.letters = file.letters
        self.spots = [city.place for city in file.cities]
        self.city_at = {spot: number for number, spot in enumerate(self.spots)}
        self.cities = range(len(self.spots))
        self.names = file.city_ids
        self.gray = {n for n, city in enumerate(file.cities) if city.colour == "gray"}
        self.spurs = {(city.place, side) for city in file.cities for side in city.spurs.split()}
        self.ridges = {frozenset((tuple(r[:2]), tuple(r[2:]))) for r in file.hexes.ridges}
        self.lines = [
            tuple(file.city_ids.index(city) for city in line.id.split("-"))
            for line in file.major_lines
        ]
        self.cards = dict(zip(file.card_ids, file.cards, strict=True))
        self.western_cost = file.western_link.cost if file.western_link else 0
        self.copies = [int(n) for n in board.record[0].baron_copies]

    def ridge(self, place, side):
        return frozenset((place, beyond(place, side))) in self.ridges

    def prices(self, declared):
        """Price of a tile by letter, and of a ridge, with the cards declared."""
        options = self.options
        prices = {
            "o": options.open_cost,
            "w": options.water_cost,
            "h": options.mountain_cost,
            "ridge": options.ridge_cost,
        }
        for card in (card for name, card in self.cards.items() if name in declared):
            if card.effect == "free_open_tiles":
                prices["o"] = 0
            elif card.effect == "no_ridge_cost":
                prices["ridge"] = 0
            elif card.effect == "terrain_price":
                letter = {"open": "o", "water": "w", "mountain": "h"}[card.terrain]
                prices[letter] = min(prices[letter], card.cost)
        return prices


class Track:
    """What lies on the board: every track must belong to one link, finished or not."""

    def __init__(self, plan, state):
        self.plan = plan
        self.laid = {}
        for place, tracks in zip(plan.places, state.track, strict=False):
            here = [divmod(int(track) - 1, 16) for track in tracks if track]
            if here:
                self.laid[place] = [
                    (owner, tuple(SIDES[n] for n in PAIRS[pair])) for owner, pair in here
                ]
        self.walked = Counter()
        self.links = [self.link(state, n) for n in range(state.n_links)]
        self.stubs = [self.stub(state, n) for n in range(state.n_stubs)]
        every = Counter((place, sides) for place, here in self.laid.items() for _, sides in here)
        assert self.walked == every
        assert max(every.values(), default=1) == 1

    def walk(self, city, spur, tiles, owner):
        """Hexes of a link, and the hex and side over which it comes out of the last of them."""
        place, out, hexes = self.plan.spots[city], spur, []
        assert (place, spur) in self.plan.spurs
        for _ in range(tiles):
            place, entry = beyond(place, out), opposite(out)
            (found,) = [track for track in self.laid[place] if entry in track[1]]
            assert found[0] == owner
            self.walked[place, found[1]] += 1
            out = next(side for side in found[1] if side != entry)
            hexes.append(place)
        if not self.plan.options.link_may_cross_itself:
            assert len(set(hexes)) == len(hexes)
        return hexes, place, entry, out

    def link(self, state, number):
        """Owner and cities of a complete link, walked from its first city to its second."""
        owner, tiles = int(state.link_owner[number]), int(state.link_tiles[number])
        start, end = (int(city) for city in state.link_city[number])
        _, place, _, out = self.walk(start, SIDES[state.link_spur[number]], tiles, owner)
        arrival = beyond(place, out)
        assert start != end
        assert self.plan.city_at[arrival] == end
        assert (arrival, opposite(out)) in self.plan.spurs
        return owner, start, end

    def stub(self, state, number):
        """Owner of an unfinished link, its last hex and the side of its open end."""
        owner, tiles = int(state.stub_owner[number]), int(state.stub_tiles[number])
        spur = SIDES[state.stub_spur[number]]
        _, place, entry, out = self.walk(int(state.stub_city[number]), spur, tiles, owner)
        assert place == self.plan.places[state.stub_hex[number]]
        assert entry == SIDES[state.stub_entry[number]]
        assert out == SIDES[state.stub_exit[number]]
        ahead = beyond(place, out)  # a hex that can still be entered over that side, or a full one
        assert self.plan.letters[ahead] != "C"
        assert all(opposite(out) not in sides for _, sides in self.laid.get(ahead, []))
        return owner, place, out

    def joined(self, owner):
        """Cities that the owner's links join, both ways; anybody's for None."""
        joined = [set() for _ in self.plan.cities]
        for player, start, end in self.links:
            if owner is None or player == owner:
                joined[start].add(end)
                joined[end].add(start)
        return joined

    def reach(self, owner, city):
        """Cities joined to a city by own links."""
        joined, reached, waiting = self.joined(owner), {city}, [city]
        while waiting:
            new = joined[waiting.pop()] - reached
            reached |= new
            waiting += new
        return reached


# --------------------------------------------------------------------------------- in any position


def check_goods(plan, state):
    options = plan.options
    for number, colour in enumerate(COLOURS):
        stopped = sum(int(cube) == number for cube in state.stopped)
        placed = int(state.cubes[:, number].sum())
        assert state.bag[number] + placed + stopped == options.cubes_per_colour
        tiles = sum(state.colour[city] == number for city in plan.gray)
        assert state.new_tiles[number] + tiles == getattr(options.new_city_tiles, colour)
        accepting = {n for n in plan.cities if number in (state.colour[n], state.dial[n])}
        assert members(state.accepts[number]) == accepting
    assert state.bag.min() >= 0 <= state.cubes.min()
    assert state.new_tiles.min() >= 0
    urbanized = sum(state.colour[city] != GRAY for city in plan.gray)
    assert int(state.urbanized.sum()) == urbanized
    stocked = {n for n in plan.cities if state.cubes[n].any()}
    assert members(state.stocked) == stocked
    check_markers(plan, state, stocked)


def check_markers(plan, state, stocked):
    """Markers lie in empty cities until the turn of the trigger is over."""
    limit = getattr(plan.options.empty_city_markers, NUMBERS[state.n_players])
    marked, empty = members(state.marked), set(plan.cities) - stocked
    if not state.triggered:
        assert state.last_turn == 0 and state.trigger_player == -1
        assert empty <= marked and len(marked) < limit
        if plan.options.growth_lifts_marker:
            assert marked == empty
        return
    assert 1 <= state.triggered <= ROUNDS
    assert state.turn in (state.last_turn - 1, state.last_turn)
    assert len(marked) == (limit if state.turn < state.last_turn else 0)


NUMBERS = ("", "", "two", "three", "four", "five", "six")


def check_players(plan, state, players):
    options = plan.options
    assert state.money.min() >= 0 <= state.bonds.min()
    assert sorted(state.order[:players]) == list(range(players))
    for player in range(players):
        assert 0 <= state.marker[player] <= LAST_SPACE
        assert state.banked[player] % LAST_SPACE == 0
        assert 1 <= state.engine[player] <= MAX_LEVEL
        points = state.delivery_points[player] + state.line_points[player]
        assert state.banked[player] + state.marker[player] == points + state.card_points[player]
        assert state.is_over or state.baron_points[player] == 0
        depots = state.depots[player]
        assert state.depots_left[player] + int(depots.sum()) == options.depots_per_player
        assert min(depots.min(), state.depots_left[player]) >= 0
        assert members(state.depot_cities[player]) == {n for n in plan.cities if depots[n]}
        assert (state.used[player] <= state.held[player]).all()
    for field in (state.money, state.bonds, state.links, state.network, state.depots, state.held):
        assert not field[players:].any()
    assert int(state.delivery_points.sum()) == int(state.delivery_links.sum())
    reached = max(int(level) for level in state.engine[:players])
    first = [int(player) for player in state.first_at_level]
    assert all(first[level] >= 0 for level in range(2, reached + 1))
    assert all(player < 0 for player in (*first[:2], *first[reached + 1 :]))
    dealt = Counter(int(row) for row in state.barons[:players].flat)
    assert all(number <= plan.copies[row] for row, number in dealt.items())


def check_track(plan, state, players):
    options, track = plan.options, Track(plan, state)
    for place, here in track.laid.items():
        assert plan.letters[place] in "owh"
        used = [side for _, sides in here for side in sides]
        assert len(set(used)) == len(used) <= 4
        pairs = [sorted(SIDES.index(side) for side in sides) for _, sides in here]
        if not options.sharp_turns:
            assert all((high - low) % 6 not in (1, 5) for low, high in pairs)
        if len(pairs) == 2 and not options.tracks_may_share_hex_without_crossing:
            (low, high), other = pairs
            assert sum(low < side < high for side in other) == 1
    if state.phase in (KEEPING, BIDDING) or state.is_over:
        assert not track.stubs
    everybody = track.joined(None)
    assert [members(cities) for cities in state.joined[: len(plan.cities)]] == everybody
    for player in range(players):
        own = track.joined(player)
        assert [members(cities) for cities in state.linked[player, : len(plan.cities)]] == own
        assert members(state.network[player]) == {n for n in plan.cities if own[n]}
        ends = [frozenset(link[1:]) for link in track.links if link[0] == player]
        assert state.links[player] == len(ends)
        assert options.second_own_parallel_link or len(set(ends)) == len(ends)
    for number, (start, end) in enumerate(plan.lines):
        joining = {player for player in range(players) if end in track.reach(player, start)}
        owner = int(state.line_owner[number])
        assert owner in joining if joining else owner == -1
    return track


def check_turn(plan, state):
    options = plan.options
    is_last = state.turn in (state.last_turn or -1, options.max_turns or -1)
    assert state.is_over or state.turn <= (state.last_turn or state.turn)
    if state.is_over:
        assert is_last
        by_trigger = state.triggered and state.turn == state.last_turn
        assert state.end_reason == (state.triggered - 1 if by_trigger else ROUNDS)
    elif state.phase == KEEPING:
        assert (state.turn, state.round_number) == (0, 0)
    else:
        assert state.end_reason == -1
        assert state.to_move == state.order[state.place]
        assert (state.round_number == 0) == (state.phase == BIDDING)
        assert state.round_number <= ROUNDS


def check_result(position):
    state, options = position.state[0], position.board.options
    points = state.banked + state.marker - state.bonds * options.bond_points + state.baron_points
    assert position.scores == points[: position.players].tolist()
    ranks = list(zip(position.scores, state.links.tolist(), state.money.tolist(), strict=False))
    shares = [(rank == max(ranks)) / ranks.count(max(ranks)) for rank in ranks]
    assert position.payoffs == pytest.approx(shares)


def check_legal(position):
    codes, legal = position.legal_codes().tolist(), position.legal()
    assert len(set(codes)) == len(codes) == len(set(legal))
    state = position.state[0]
    assert bool(legal) != bool(state.is_over)
    assert legal != ["done"]  # nobody is asked where there is nothing to choose
    assert ("pass" in legal) == (state.phase in (ACTION, BIDDING))
    if state.phase == ROUTE:
        assert len(legal) > 1
        assert {text.split()[0] for text in legal} in (
            {"points"},
            {"depot", "no_depot"},
            {"via", "not_via"},
        )


# ------------------------------------------------------------------------------------------- money


class Ledger:
    """Follows money, Bonds and what is counted from the decisions."""

    def __init__(self, plan, state):
        self.plan = plan
        players = int(state.n_players)
        self.money = [int(money) for money in state.money[:players]]
        self.bonds = [0] * players
        self.counted = {
            name: [0] * players
            for name in ("auction_paid", "track_paid", "tiles", "urbanized", "cards_taken")
        }
        self.counted |= {name: [0] * players for name in ("passes", "deliveries", "cubes_lost")}
        self.stops = [0] * players  # cubes stopped, and not delivered since
        self.cards = self.in_play(state)

    def pay(self, player, cost):
        """From the money, with as few Bonds as will do (A02)."""
        while self.money[player] < cost:
            self.bonds[player] += 1
            self.money[player] += self.plan.options.bond_cash
        self.money[player] -= cost

    def follow(self, before, text, after):
        """Play the action here too, and compare."""
        words, player = text.split(), int(before.to_move)
        if before.phase == BIDDING:
            self.follow_bid(before, words, after)
        elif words[0] == "keep":
            self.begin(after)
        else:
            self.pay(player, self.cost(before, words, after))
        self.count(before, words, after)
        if after.turn > before.turn > 0 or after.is_over:
            self.end_turn(after)
        players = len(self.money)
        assert after.money[:players].tolist() == self.money
        assert after.bonds[:players].tolist() == self.bonds
        for name, values in self.counted.items():
            if name == "cubes_lost":
                held = [int(cube >= 0) for cube in after.stopped[:players]]
                values = [stops - cube for stops, cube in zip(self.stops, held, strict=True)]
            assert after[name][:players].tolist() == values, name
        assert after.auction_money == sum(self.counted["auction_paid"])
        self.follow_cards(before, words, after)
        if not after.triggered:
            self.follow_markers(before, words, after)

    def begin(self, after):
        """The first turn's order by the rule for new players pays 0, 1, 2, ... (A07)."""
        if after.turn == 1 and self.plan.options.auction == "new_players":
            self.money = [money + place for place, money in enumerate(self.money)]

    def follow_bid(self, before, words, after):
        options, players = self.plan.options, len(self.money)
        player, bid = int(before.to_move), int(before.bid)
        is_first_to_pass = options.auction == "first_to_pass"
        passing = [int(seat) for seat in before.pass_order[: before.n_passed]]
        bidder, paid = int(before.high_bidder), Counter()
        if words == ["pass"]:
            passing.append(player)
            if is_first_to_pass:
                paid[player] = (int(before.own_bid[player]) + 1) // 2
        else:
            assert bid < int(words[1]) <= options.max_bid
            bidder, bid = player, int(words[1])
        order = None
        if len(passing) == players - 1 and bid:
            paid[bidder] = bid
            order = [(bidder + n) % players for n in range(players)]
            if is_first_to_pass:
                order = [bidder, *passing[::-1]]
        elif len(passing) == players:
            first = int(before.order[0]) + (before.turn > 1)
            order = [(first + n) % players for n in range(players)]
            if is_first_to_pass and options.first_to_pass_all_pass == "last_to_pass":
                order = passing[::-1]
        assert (after.phase != BIDDING) == (order is not None)
        if order is not None:
            assert after.order[:players].tolist() == order
        for seat, amount in paid.items():
            self.pay(seat, amount)
            self.counted["auction_paid"][seat] += amount

    def cost(self, before, words, after):
        """What the player to move pays for the action."""
        options, player = self.plan.options, int(before.to_move)
        if words[0] in ("lay", "redirect"):
            price = self.tile if words[0] == "lay" else self.turned_tile
            cost = price(before, words, after.n_links > before.n_links)
            self.counted["track_paid"][player] += cost
            self.counted["tiles"][player] += words[0] == "lay"
            return cost
        if words[0] == "upgrade":
            level = int(after.engine[player])
            assert level == before.engine[player] + 1
            return options.engine_price.model_dump(by_alias=True)[str(level)]
        if words[0] == "urbanize" and before.phase == ACTION:
            return options.urbanize_cost
        if words[0] == "western_link":
            return self.plan.western_cost
        if words[0] == "depots" and before.phase != FREE_DEPOTS:
            is_free = options.depot_rules == "2010" and before.depots_placed > 0
            return 0 if is_free else options.depot_cost
        return 0

    def tile(self, before, words, completes):
        plan, place = self.plan, tuple(map(int, words[1].split(",")))
        sides = words[2].split("-")
        prices = plan.prices(self.declared(before))
        cost = prices[plan.letters[place]]
        if before.track[plan.places.index(place)].any():
            cost += plan.options.crossover_cost + 2 * plan.options.rules_2005
        crossed = sides if completes else [self.entry(before, place, sides)]
        return cost + prices["ridge"] * sum(plan.ridge(place, side) for side in crossed)

    def entry(self, before, place, sides):
        """The side over which the tile is come to: from a city, or an own open end."""
        if before.build_city >= 0 and before.build_stub < 0:
            city = self.plan.spots[before.build_city]
            return next(side for side in sides if beyond(place, side) == city)
        number = int(before.build_stub)
        stubs = range(before.n_stubs) if number < 0 else [number]
        ends = {
            (self.plan.places[before.stub_hex[n]], SIDES[before.stub_exit[n]])
            for n in stubs
            if before.stub_owner[n] == before.to_move
        }
        return next(side for side in sides if (beyond(place, side), opposite(side)) in ends)

    def turned_tile(self, before, words, completes):
        plan, place = self.plan, tuple(map(int, words[1].split(",")))
        sides = words[2].split("-")
        prices = plan.prices(self.declared(before))
        cost = prices[plan.letters[place]]
        if completes:
            entries = {
                SIDES[before.stub_entry[n]]
                for n in range(before.n_stubs)
                if before.stub_owner[n] == before.to_move
                and plan.places[before.stub_hex[n]] == place
            }
            leave = next(side for side in sides if side not in entries)
            cost += prices["ridge"] * plan.ridge(place, leave)
        return cost

    def declared(self, before):
        names = list(self.plan.cards)
        return {names[row] for row in members(before.declared)}

    def count(self, before, words, after):
        player, counted = int(before.to_move), self.counted
        counted["passes"][player] += words == ["pass"] and before.phase == ACTION
        counted["urbanized"][player] += words[0] == "urbanize"
        counted["cards_taken"][player] += words[0] == "take"
        is_move = words[0] in ("deliver", "stop", "continue", "continue_stop")
        if (is_move or before.phase == ROUTE) and after.phase != ROUTE:
            stops, goes_on = "stop" in words[0], words[0].startswith("continue")
            if before.phase == ROUTE:
                stops, goes_on = bool(before.move_stops), bool(before.move_continues)
            counted["deliveries"][player] += not stops
            self.stops[player] += stops and not goes_on
            self.stops[player] -= goes_on and not stops
            links = int(after.delivery_links.sum() - before.delivery_links.sum())
            assert (links > 0) == (not stops)
            assert links <= before.engine[player] + before.stopped_links[player] * goes_on
        else:
            assert (after.delivery_points == before.delivery_points).all()

    def end_turn(self, after):
        """Income, then dividends (R10)."""
        options = self.plan.options
        for player in range(len(self.money)):
            space = LAST_SPACE if after.banked[player] else after.marker[player]
            self.money[player] += INCOME[space]
            self.pay(player, self.bonds[player] * options.bond_dividend)

    def in_play(self, state):
        """Copies of each card that are shown, held or still to come."""
        deck = Counter(int(row) for row in state.deck[state.deck_next : state.n_deck])
        return [
            int(state.shown[row]) + int(state.held[:, row].sum()) + deck[row]
            for row in range(len(self.plan.cards))
        ]

    def follow_cards(self, before, words, after):
        """A card leaves play when it is used, and a green circle when it is earned."""
        cards = self.in_play(after)
        for (name, card), old, new in zip(self.plan.cards.items(), self.cards, cards, strict=True):
            if card.behaviour in ("start", "bounty"):
                assert new in (0, old)
                continue
            is_used = (
                words in (["use", name], ["take", name])
                and card.behaviour == {"use": "hand", "take": "immediate"}[words[0]]
            )
            is_dispatcher = words[0] == "dial" and card.effect == "turn_rotor"
            assert new == old - is_used or (is_dispatcher and new == old - 1)
        self.cards = cards

    def follow_markers(self, before, words, after):
        """The last cube out puts a marker on, cubes that come take it off; from a card, maybe."""
        cubes = (after.cubes.sum(axis=1) - before.cubes.sum(axis=1)).tolist()
        is_card = words[0] == "grow" or (words[0] == "urbanize" and before.phase != ACTION)
        marked = members(before.marked)
        for city in self.plan.cities:
            if cubes[city] < 0 and not after.cubes[city].any():
                marked.add(city)
            elif cubes[city] > 0 and (not is_card or self.plan.options.growth_lifts_marker):
                marked.discard(city)
        assert members(after.marked) == marked


# -------------------------------------------------------------------------------------------- play


def at_random(board, players, seed, likely) -> Iterator[tuple]:
    """A random game: each position before a decision, what is played, and the position after."""
    chance = random.Random(f"choices {seed}")
    position = board.new(players, seed)
    yield None, "", position
    while not position.is_over:
        legal = position.legal()
        tiles = [text for text in legal if text.startswith(("lay", "redirect"))]
        if tiles and chance.random() < 0.5:  # else hardly a link would be completed
            links = int(position.state[0].n_links)
            ends = [text for text in tiles if position.copy().play(text).state[0].n_links > links]
            legal = ends or legal
        text = chance.choices(legal, [likely.get(text.split()[0], 1) for text in legal])[0]
        before = position.copy().state[0]
        position.play(text)
        yield before, text, position


def as_written(board, players, actions) -> Iterator[tuple]:
    """The same of actions that are given."""
    position = board.new(players)
    yield None, "", position
    for text in actions:
        before = position.copy().state[0]
        yield before, text, position.play(text)


def by_agents(board, specs, seed) -> Iterator[tuple]:
    """The same of a game that named strategies play."""
    line_up = [agents.load(spec, GAME) for spec in specs]
    seeds = np.arange(len(specs), dtype=np.uint64)[None]
    batch = Batch(board, [line_up], np.array([seed]), seeds)
    position = batch.position()
    yield None, "", position
    while not position.is_over:
        before = position.copy().state[0]
        yield before, position.text(batch.step()), position


def check_game(board, games):
    """Follow a game under all the checks; its last position."""
    plan = Map(board)
    for before, text, position in games:
        state, players = position.state[0], position.players
        if before is None:
            ledger = Ledger(plan, state)
        else:
            ledger.follow(before, text, state)
            assert (state.bonds >= before.bonds).all()
        assert position.status == "ok"
        check_goods(plan, state)
        check_players(plan, state, players)
        check_turn(plan, state)
        check_legal(position)
        check_result(position)
        if before is None or (state.track != before.track).any() or state.turn != before.turn:
            check_track(plan, state, players)
    check_points(position)
    return position


def check_points(position):
    """The parts that the report tells of are all of the score."""
    figures = position.measures()
    parts = [figures[one.name] for one in position.game.measures if one.heading == POINTS]
    assert [sum(own) for own in zip(*parts, strict=True)] == position.scores


seeds = st.integers(0, 2**32)
tables = st.sampled_from(GAME.players)


@moderate
@given(seed=seeds, players=tables, changes=st.integers(0, 24))
@example(seed=1, players=4, changes=0)
@example(seed=2, players=6, changes=20)
def test_any_small_board_and_options(seed, players, changes):
    chance = random.Random(f"board {seed}")
    document = random_board(chance)
    chosen = random_settings(chance, changes)
    board = GAME.board_from(document, "random board", chosen)
    check_game(board, at_random(board, players, seed, chance.choice([WEIGHTS, {}])))


@pytest.mark.parametrize("name", GAME.boards())
@pytest.mark.parametrize("players", GAME.players)
def test_shipped_boards_at_random(name, players):
    chance = random.Random(f"{name} {players}")
    chosen = random_settings(chance, 3) | {"max_turns": 4, "cubes_per_colour": 25}
    board = GAME.board(name, chosen)
    check_game(board, at_random(board, players, players, WEIGHTS))


@pytest.mark.parametrize(
    ("name", "specs"),
    [
        ("eastern_us", ["greedy", "line_builder", "engineer"]),
        ("western_us", ["greedy", "short_hauler", "frugal", "prudent"]),
    ],
)
def test_shipped_boards_by_strategies(name, specs):
    """Whole games with the printed options."""
    board = GAME.board(name)
    last = check_game(board, by_agents(board, specs, 1))
    assert last.state[0].triggered
    assert sum(last.measures()["deliveries"]) > 20


def test_the_older_of_three_open_ends_joins_the_newest():
    """Which of the unfinished links are done with, when another player's lies between them."""
    cities = {"Alder": (0, 0, "e"), "Birch": (0, 5, "w"), "Cedar": (2, 0, "e"), "Elm": (2, 5, "w")}
    document = {
        "meta": {"game": "railways-of-the-world", "name": "joined", "label": "Made up"},
        "options": {"auction": "new_players", "service_bounties": 0},
        "cities": [
            {"name": name, "colour": "red", "goods": 1, "row": row, "col": col, "spurs": spur}
            for name, (row, col, spur) in cities.items()
        ],
        "hexes": {"rows": ["CooooC", "oooooo", "CooooC"]},
        "barons": [{"name": "Rich", "condition": "most_money", "points": 1, "copies": 12}],
    }
    board = GAME.board_from(document, "joined")
    actions = ["keep rich", "keep rich"]
    for city, tile in (("alder", "0,1"), ("cedar", "2,1"), ("birch", "0,4")):
        actions += ["build", f"from {city}", f"lay {tile} e-w", "done"]
    actions += ["pass", "build", "lay 0,2 e-w", "lay 0,3 e-w"]
    last = check_game(board, as_written(board, 2, actions))
    assert last.state[0].links.tolist()[:2] == [1, 0]
    assert last.state[0].n_stubs == 1


# ----------------------------------------------------------------------------------- longest chain


def longest(links, may_revisit):
    """Links of the longest walk that uses no link twice, by trying all."""

    @functools.cache
    def best(city, left, barred):
        lengths = [0]
        for number, ends in enumerate(left):
            other = sum(ends) - city
            if city in ends and other not in barred:
                rest = left[:number] + left[number + 1 :]
                lengths.append(1 + best(other, rest, barred if may_revisit else barred | {other}))
        return max(lengths)

    lengths = [0]
    for city in {city for ends in links for city in ends}:
        lengths.append(best(city, tuple(links), frozenset(() if may_revisit else {city})))
    return max(lengths)


def chain(links, may_revisit):
    """The same by the rules, in a record made by hand; another player has links too."""
    state = contract.record(GAME.rules.STATE)[0]
    for number, ends in enumerate([(0, 1), (1, 2), *links]):
        player = int(number > 1)
        state.link_owner[number] = player
        state.link_city[number] = ends
        for city, other in (ends, ends[::-1]):
            state.linked[player, city] |= 1 << other
            state.network[player] |= 1 << city
        state.n_links += 1
    return longest_chain(state, 1, may_revisit)


@pytest.mark.parametrize("may_revisit", [True, False])
def test_longest_chain(may_revisit):
    chance = random.Random(7)
    lengths = Counter()
    for _ in range(400):
        names = chance.sample(range(63), chance.randint(2, 8))
        number = chance.choice([0, 1, 2, 4, 6, 8, 9])
        links = [tuple(chance.sample(names, 2)) for _ in range(number)]
        lengths[longest(links, may_revisit)] += 1
        assert chain(links, may_revisit) == longest(links, may_revisit), links
    assert len(lengths) > 6


@pytest.mark.parametrize(
    ("links", "with_revisits", "without"),
    [
        ([], 0, 0),
        ([(3, 4)], 1, 1),
        ([(3, 4), (4, 3)], 2, 1),
        ([(0, 1), (1, 2), (2, 0)], 3, 2),
        ([(0, 1), (0, 2), (0, 3), (0, 4)], 2, 2),
        ([(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0)], 6, 4),
        ([(62, 1), (1, 5), (5, 9), (20, 21), (21, 22)], 3, 3),
    ],
)
def test_longest_chain_of_known_shapes(links, with_revisits, without):
    assert longest(links, True) == chain(links, True) == with_revisits
    assert longest(links, False) == chain(links, False) == without
