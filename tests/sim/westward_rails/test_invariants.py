"""What holds in every position of every game, worked out again the slow way after each decision.

Nothing here uses the compiled rules but to play: routes are listed one by one, leases found by
relaxing every link until nothing changes, money followed from the decisions and the white spaces
passed.
"""

import itertools
import random
from collections import Counter

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import sim
from sim.westward_rails.state import (
    BIDDING,
    DEMAND_ROUTE,
    LEASE_ROUTE,
    NO_ROUTE,
    OPENING_BID,
    OVER,
    ROUTE_LINK,
    SECOND_CUBE,
    TURN,
)
from tests.sim.westward_rails.test_against_reference import random_board, random_settings

GAME = sim.load("westward-rails")

moderate = settings(
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def members(bits):
    """The numbers in a set kept in one or more 64-bit words."""
    words = bits if hasattr(bits, "__len__") else [bits]
    return {
        64 * place + number
        for place, word in enumerate(words)
        for number in range(64)
        if int(word) >> number & 1
    }


class Map:
    """The board as plain lists, and searches that are slow and obvious."""

    def __init__(self, board):
        file = board.file
        index = {city.id: n for n, city in enumerate(file.city)}
        self.options = board.options
        self.cities = range(len(file.city))
        self.railroads = range(len(file.railroad))
        self.names = [railroad.id for railroad in file.railroad]
        self.starts = [index[railroad.start] for railroad in file.railroad]
        self.ends = [tuple(index[city] for city in link.cities) for link in file.link]
        self.link_names = ["-".join(link.cities) for link in file.link]
        self.city_names = [city.id for city in file.city]
        self.segments = [link.segments for link in file.link]
        self.demands = [tuple(index[city] for city in entry.cities) for entry in file.demand]
        self.letters = [entry.letter for entry in file.demand]
        self.metro_names = [metro.id for metro in file.metro]

    def touching(self, cities):
        """Links at any of the cities."""
        return {n for n, ends in enumerate(self.ends) if set(ends) & cities}

    def lengths(self, starts, links):
        """(links, segments) of the shortest route from `starts` to each city it reaches."""
        best = dict.fromkeys(starts, (0, 0))
        changed = True
        while changed:
            changed = False
            for link in links:
                for here, there in (self.ends[link], self.ends[link][::-1]):
                    if here in best:
                        way = (best[here][0] + 1, best[here][1] + self.segments[link])
                        if way < best.get(there, (99, 0)):
                            best[there] = way
                            changed = True
        return best

    def routes(self, start, goals, links):
        """Every shortest simple route, a list of links, from `start` to any city of `goals`."""
        found = []

        def walk(city, visited, route, left):
            if city in goals:
                found.append(route)
            elif left:
                for link in links:
                    other = sum(self.ends[link]) - city
                    if city in self.ends[link] and other not in visited:
                        walk(other, visited | {other}, [*route, link], left - 1)

        for longest in range(len(self.cities)):  # longer and longer: the first found are shortest
            walk(start, {start}, [], longest)
            if found:
                break
        return found


class Track:
    """What lies on the board, read from the links alone."""

    def __init__(self, plan, state, begun_from):
        self.plan = plan
        self.owner = [int(state.link_railroad[n]) for n in range(len(plan.ends))]
        self.cubes = [int(state.link_cubes[n]) for n in range(len(plan.ends))]
        self.begun_from = begun_from

    def complete(self, railroads):
        return {
            n
            for n, owner in enumerate(self.owner)
            if owner in railroads and self.cubes[n] == self.plan.segments[n]
        }

    def begun(self, railroad):
        return {n for n, owner in enumerate(self.owner) if owner == railroad} - self.complete(
            {railroad}
        )

    def joined(self, railroad):
        return {end for link in self.complete({railroad}) for end in self.plan.ends[link]}

    def presence(self, railroad):
        """Cities its track touches: its start, ends of links, where open links were begun (B3)."""
        cities = {self.plan.starts[railroad]} | self.joined(railroad)
        if self.plan.options.incomplete_link_gives_presence:
            cities |= {self.begun_from[link] for link in self.begun(railroad)}
        return cities

    def rival_links(self, railroad):
        return self.complete(set(self.plan.railroads) - {railroad})


def amounts(plan, track, route, by_segments):
    """Segments (or links) of each railroad that a route uses."""
    used = Counter()
    for link in route:
        used[track.owner[link]] += plan.segments[link] if by_segments else 1
    return tuple(used[railroad] for railroad in plan.railroads)


def lease_outcomes(plan, track, railroad, end, money):
    """What each leased route to `end` may use of each railroad, payable ones only (L3, L7)."""
    outcomes = {
        amounts(plan, track, route, True)
        for route in plan.routes(end, track.presence(railroad), track.rival_links(railroad))
    }
    if plan.options.lease_tie == "cheapest":
        least = min(map(sum, outcomes))
        outcomes = {outcome for outcome in outcomes if sum(outcome) == least}
    cost = plan.options.lease_cost_per_segment
    return {outcome for outcome in outcomes if sum(outcome) * cost <= money}


def demand_outcomes(plan, track, card):
    start, end = plan.demands[card]
    routes = plan.routes(start, {end}, track.complete(set(plan.railroads)))
    return {amounts(plan, track, route, False) for route in routes}


def settled(outcomes, state):
    """The outcomes that agree with the amounts chosen so far."""
    return {
        outcome
        for outcome in outcomes
        if all(state.route_amount[n] in (-1, used) for n, used in enumerate(outcome))
    }


# --------------------------------------------------------------------------------- in any position


def check_pieces(plan, state, players):
    options = plan.options
    for railroad in plan.railroads:
        laid = [
            int(state.link_cubes[n])
            for n in range(len(plan.ends))
            if state.link_railroad[n] == railroad
        ]
        assert state.cubes[railroad] + sum(laid) == options.cubes_per_railroad
        assert state.cubes[railroad] >= 0
        held = int(state.shares[:, railroad].sum())
        assert held == state.shares_out[railroad] <= options.shares_per_railroad
    for n, segments in enumerate(plan.segments):
        assert 0 <= state.link_cubes[n] <= segments
        assert (state.link_railroad[n] < 0) == (state.link_cubes[n] == 0)
    assert int(state.shares[players:].sum()) == 0
    assert all(int(cash) == 0 for cash in state.money[players:])
    assert state.money.min() >= 0
    assert state.upgrade_cubes + len(members(state.upgraded)) == options.upgrade_cubes
    assert members(state.metro_cash) <= members(state.upgraded)
    count = len(plan.demands)
    deck = [int(card) for card in state.deck[:count]]
    assert sorted(deck) == list(range(count))
    assert [plan.letters[card] for card in deck] == plan.letters
    on_track = [int(card) for card in state.demand_space if card >= 0]
    assert len(set(on_track)) == len(on_track)
    assert set(on_track) <= set(deck[: state.deck_next])
    assert len(on_track) + state.demands_met + state.demands_lost == state.deck_next
    assert all(card < 0 for card in state.demand_space[options.demand_spaces :])


def check_derived(plan, state, track):
    """Every field that only saves time, from the links alone."""
    unowned = {n for n, owner in enumerate(track.owner) if owner < 0}
    assert members(state.unowned) == unowned
    everybody = track.complete(set(plan.railroads))
    for city in plan.cities:
        together = set(plan.lengths([city], everybody))
        assert {n for n in plan.cities if state.component[n] == state.component[city]} == together
    for railroad in plan.railroads:
        presence = track.presence(railroad)
        assert members(state.presence[railroad]) == presence
        assert members(state.joined[railroad]) == track.joined(railroad)
        assert members(state.begun[railroad]) == track.begun(railroad)
        assert members(state.complete[railroad]) == track.complete({railroad})
        assert members(state.adjacent[railroad]) == plan.touching(presence)
        lengths = plan.lengths(presence, track.rival_links(railroad))
        for city in plan.cities:
            links, segments = lengths.get(city, (None, None))
            expected = NO_ROUTE if links is None else ROUTE_LINK * links + segments
            assert state.lease[railroad, city] == expected
        assert members(state.reachable[railroad]) == plan.touching(set(lengths))
        every = plan.options.dividend_every
        assert state.next_dividend[railroad] % every == 0
        assert 0 < state.next_dividend[railroad] - state.value[railroad] <= every


def expected_actions(plan, state, track):
    """Texts of the legal actions in the phases that ask for track or a route."""
    options, phase, player = plan.options, int(state.phase), int(state.to_move)
    if phase == OVER:
        return set()
    if phase in (LEASE_ROUTE, DEMAND_ROUTE):
        railroad = int(state.route_railroad)
        found = settled(route_outcomes(plan, state, track), state)
        return {f"route {plan.names[railroad]} {outcome[railroad]}" for outcome in found}
    if phase == SECOND_CUBE:
        building = {int(state.building)}
    else:
        spaces = options.build_spaces
        may_build = spaces > 1 or (spaces == 1 and state.disc[player] != 0)
        building = {n for n in plan.railroads if state.shares[player, n] and may_build}
    texts = set()
    for railroad in building:
        if state.cubes[railroad]:
            texts |= expected_builds(plan, state, track, railroad)
    return texts


def expected_builds(plan, state, track, railroad):
    options, name, player = plan.options, plan.names[railroad], int(state.to_move)
    presence = track.presence(railroad)
    free = {n for n, owner in enumerate(track.owner) if owner < 0}
    near = (free & plan.touching(presence)) | track.begun(railroad)
    texts = {f"build {name} {plan.link_names[link]}" for link in near}
    is_first_cube = state.cubes[railroad] == options.cubes_per_railroad
    if is_first_cube and not options.lease_allowed_before_first_cube:
        return texts
    lengths = plan.lengths(presence, track.rival_links(railroad))
    for link in free:
        ends = [end for end in plan.ends[link] if end not in presence]
        if len(ends) < 2 and not options.lease_when_adjacent_allowed:
            continue
        part = 2 if options.lease_tie == "cheapest" else 1  # links and segments, or links alone
        reached = {end: lengths[end][:part] for end in ends if end in lengths}
        for end in reached:
            if reached[end] > min(reached.values()):
                continue
            if lease_outcomes(plan, track, railroad, end, state.money[player]):
                texts.add(f"build {name} {plan.link_names[link]} from {plan.city_names[end]}")
    return texts


def route_outcomes(plan, state, track):
    """Outcomes of the route being chosen."""
    if state.phase == LEASE_ROUTE:
        end = plan.ends[state.build_link][state.build_end]
        money = int(state.money[state.actor])
        return lease_outcomes(plan, track, int(state.building), end, money)
    return demand_outcomes(plan, track, int(state.demand_space[state.check_space]))


def check_legal(plan, position, track):
    state, legal = position.state[0], set(position.legal())
    phase = int(state.phase)
    if phase in (BIDDING, OPENING_BID):
        return
    asked = {text for text in legal if text.split()[0] in ("build", "route")}
    assert asked == expected_actions(plan, state, track)
    if phase in (LEASE_ROUTE, DEMAND_ROUTE):
        assert len(legal) > 1  # nobody is asked where there is nothing to choose
        found = settled(route_outcomes(plan, state, track), state)
        for railroad in range(int(state.route_railroad)):
            assert len({outcome[railroad] for outcome in found}) == 1
    elif phase == TURN:
        assert ("pass" in legal) == (len(legal) == 1 and not asked and legal == {"pass"})
    else:
        assert phase in (SECOND_CUBE, OVER)
        assert ("stop" in legal) == (phase == SECOND_CUBE)


# ------------------------------------------------------------------------------------------ money


class Ledger:
    """Follows where money goes, and from which city every open link was begun."""

    def __init__(self, plan, state):
        self.plan = plan
        self.begun_from = {}
        self.paid = [int(value) for value in state.value]  # dividends up to this value are paid
        self.lease = None  # railroad, link, end, money, track when the lease was asked for

    def divided(self, money, state, railroad, amount):
        """Add `amount`, divided by the shares and rounded up, to each share's holder (V3)."""
        options = self.plan.options
        shares = int(state.shares_out[railroad])
        if options.share_divisor == "all_five":
            shares = options.shares_per_railroad
        for player in range(len(money)):
            money[player] += -(-amount // shares) * int(state.shares[player, railroad])

    def follow(self, before, text, after):
        """The money everybody should have after the action."""
        plan, options, words = self.plan, self.plan.options, text.split()
        players = int(before.n_players)
        money = [int(cash) for cash in before.money[:players]]
        self.pay_sale(money, before, words, after)
        if words[0] == "upgrade":
            money[before.to_move] -= options.upgrade_cost
        if words[0] == "build" or before.phase == LEASE_ROUTE:
            self.pay_build(money, before, words, after)
        for railroad in plan.railroads:
            self.pay_dividends(money, after, railroad)
        return money

    def pay_sale(self, money, before, words, after):
        sold = [n for n in self.plan.railroads if after.shares_out[n] > before.shares_out[n]]
        if not sold:
            return
        assert sold == [before.auctioned]
        assert int(after.shares_out.sum()) == int(before.shares_out.sum()) + 1
        if words[0] == "bid":
            buyer, price = int(before.to_move), int(words[1])
        elif before.high_bidder >= 0:
            buyer, price = int(before.high_bidder), int(before.high_bid)
        else:
            buyer, price = int(before.actor), 0
        assert after.shares[buyer, sold[0]] == before.shares[buyer, sold[0]] + 1
        money[buyer] -= price

    def pay_build(self, money, before, words, after):
        plan = self.plan
        if words[0] == "build":
            railroad = plan.names.index(words[1])
            link = plan.link_names.index(words[2])
            end = None
            if len(words) == 5:
                end = plan.city_names.index(words[4])
                assert end in plan.ends[link]
                self.lease = railroad, link, end
        else:
            railroad, link, end = self.lease
        if after.link_cubes[link] == before.link_cubes[link]:
            assert after.phase == LEASE_ROUTE  # not placed before the route is chosen
            return
        assert after.link_cubes[link] == before.link_cubes[link] + 1
        track = Track(plan, before, self.begun_from)
        if end is not None:
            outcomes = lease_outcomes(plan, track, railroad, end, int(before.money[before.actor]))
            if words[0] == "route":
                outcomes = settled(outcomes, before)
                asked = int(before.route_railroad)
                outcomes = {one for one in outcomes if one[asked] == int(words[2])}
            assert len(outcomes) == 1
            used = outcomes.pop()
            costs = [segments * plan.options.lease_cost_per_segment for segments in used]
            money[before.actor] -= sum(costs)
            assert money[before.actor] >= 0
            for rival in plan.railroads:
                if costs[rival]:
                    self.divided(money, before, rival, costs[rival])
        elif before.link_cubes[link] == 0:
            end = next(city for city in plan.ends[link] if city in track.presence(railroad))
        if before.link_cubes[link] == 0:
            self.begun_from[link] = end
        for _ in members(before.metro_cash) - members(after.metro_cash):
            self.divided(money, before, railroad, plan.options.metro_first_link_cash)

    def pay_dividends(self, money, after, railroad):
        """Every white space up to the value, lowest first, less those still to be paid."""
        every = self.plan.options.dividend_every
        queue = [int(after.queue[n % 64]) for n in range(after.queue_first, after.queue_last)]
        due = int(after.value[railroad]) // every - queue.count(railroad)
        paid = self.paid[railroad] // every
        assert due >= paid
        for space in range(paid + 1, due + 1):
            self.divided(money, after, railroad, space * every)
        self.paid[railroad] = due * every


# ------------------------------------------------------------------------------------------- play


def check_game(board, players, seed, decisions):
    """Play a random game of at most so many decisions under all the checks."""
    chance = random.Random(f"choices {seed}")
    plan = Map(board)
    position = board.new(players, seed)
    ledger = Ledger(plan, position.state[0])
    for _ in range(decisions):
        state = position.state[0]
        track = Track(plan, state, ledger.begun_from)
        assert position.status == "ok"
        check_pieces(plan, state, players)
        check_derived(plan, state, track)
        check_legal(plan, position, track)
        if position.is_over:
            return
        legal = position.legal()
        rare = [text for text in legal if " from " in text or text.split()[0] in ("route", "stop")]
        text = chance.choice(rare if rare and chance.random() < 0.3 else legal)
        before = position.copy().state[0]
        position.play(text)
        after = position.state[0]
        assert ledger.follow(before, text, after) == position.scores
        assert (after.value >= before.value).all()
        assert int(after.money.sum()) == sum(position.scores)


seeds = st.integers(0, 2**32)
tables = st.integers(3, 5)
lengths = st.sampled_from([10_000, 100, 40, 15])


@moderate
@given(seed=seeds, players=tables, decisions=lengths, changes=st.integers(0, 14))
@example(seed=1, players=4, decisions=10_000, changes=0)
def test_any_small_board_and_options(seed, players, decisions, changes):
    chance = random.Random(f"board {seed}")
    document = random_board(chance)
    chosen = random_settings(chance, changes)
    if chosen.get("railroads_out_of_cubes", 0) > len(document["railroad"]):
        chosen.pop("railroads_out_of_cubes")
    check_game(GAME.board_from(document, "random board", chosen), players, seed, decisions)


@settings(moderate, max_examples=2)
@given(seed=seeds, players=tables, changes=st.integers(0, 6))
@example(seed=1, players=3, changes=0)
def test_shipped_board_and_any_options(seed, players, changes):
    chosen = random_settings(random.Random(f"options {seed}"), changes)
    check_game(GAME.board(settings=chosen), players, seed, 10_000)


def test_the_slow_twin_finds_routes():
    """Known answers for the twin itself: a square with a diagonal."""
    document = {
        "meta": {"game": "westward-rails", "name": "Square", "label": "Square"},
        "options": {"railroads_out_of_cubes": 1},
        "railroad": [{"id": "r", "name": "R", "start": "a", "colour": "#000000"}],
        "city": [{"id": name, "name": name, "x": 0, "y": 0} for name in "abcd"],
        "link": [
            {"cities": list(pair), "segments": segments}
            for pair, segments in (("ab", 1), ("bc", 2), ("cd", 3), ("da", 4), ("bd", 1))
        ],
        "demand": [{"letter": "A", "cities": ["a", "c"]}],
    }
    plan = Map(GAME.board_from(document, "square"))
    assert plan.routes(0, {2}, range(5)) == [[0, 1], [3, 2]]
    assert plan.routes(0, {2}, [0, 4, 2]) == [[0, 4, 2]]
    assert plan.routes(0, {2}, [0, 4]) == []
    assert plan.routes(0, {0, 2}, range(5)) == [[]]
    assert plan.lengths([0], range(5)) == {0: (0, 0), 1: (1, 1), 3: (1, 4), 2: (2, 3)}
    assert list(itertools.chain(members(5), members([1, -(2**63)]))) == [0, 2, 0, 127]
