"""Slow twins of what the heuristics of Railways of the World find out: all is tried, all is walked.

Tracks are found by playing every legal tile on copies, deliveries by walking every path.
"""

import dataclasses
import itertools
from collections import defaultdict
from collections.abc import Iterator

import numpy as np

import agents
from agents.base import MAX_SEATS
from agents.railways_of_the_world import MEMO, PARAMETERS
from agents.railways_of_the_world.track_search import ACTION_PRICE
from sim import contract
from sim.game import Position
from sim.railways_of_the_world.state import EXTENDING, LAY, MAX_HEXES, STARTING

_TILES = range(LAY, LAY + MAX_HEXES * 15)


def cities_in(bits: int) -> list[int]:
    """The cities of a set."""
    return [city for city in range(64) if int(bits) >> city & 1]


# ---------------------------------------------------------------------------------------- tracks


@dataclasses.dataclass(frozen=True)
class Track:
    """A way to link a city: its cost in $k, its tiles, the code of the first, and its price."""

    cost: int
    tiles: int
    first: int
    price: int


def newcomer(position: Position) -> Position:
    """A copy with one more player, who has nothing yet and is to move; at most 5 sit there."""
    other = position.copy()
    other.state["to_move"] = position.players
    other.state["n_players"] += 1
    return other


def building(position: Position, city: int, stub: int, tiles: int) -> Position:
    """A copy in which the player to move goes on with a stub, or begins a link at a city (-1)."""
    other = position.copy()
    state = other.state[0]
    state.phase = STARTING if stub < 0 else EXTENDING
    state.build_city, state.build_stub = (city, -1) if stub < 0 else (-1, stub)
    state.tiles_left, state.actions_left, state.round_number = tiles, 9, 1
    return other


def all_tracks(
    position: Position, city: int, stub: int, most_tiles: int, tiles_now: int
) -> dict[int, set[Track]]:
    """By city: every track to it of so many tiles, each tile played; at the prices that hold."""
    found: dict[int, set[Track]] = defaultdict(set)
    begun = building(position, city, stub, most_tiles)
    player, board = begun.to_move, begun.board.record
    home = int(begun.state.stub_city[0, stub]) if stub >= 0 else city
    links, paid = int(begun.state.n_links[0]), int(begun.state.track_paid[0, player])
    each, codes = begun.board.options.tiles_per_build, np.empty(10_240, np.int32)
    waiting = [(begun.state, 0, -1)]
    while waiting:
        state, tiles, first = waiting.pop()
        count = contract.run("legal_actions", state, board, codes)
        for code in [code for code in codes[:count].tolist() if code in _TILES]:
            after = state.copy()
            contract.run("apply", after, board, code)
            start = code if first < 0 else first
            if after["n_links"][0] == links:
                if tiles + 1 < most_tiles:
                    waiting.append((after, tiles + 1, start))
                continue
            (there,) = set(after["link_city"][0, links].tolist()) - {home}
            cost = int(after["track_paid"][0, player]) - paid
            further = max(0, -(-(tiles + 1 - tiles_now) // each))
            found[there].add(Track(cost, tiles + 1, start, cost + ACTION_PRICE * further))
    return found


# ------------------------------------------------------------------------------------ deliveries


def accepts(state: np.record, city: int, colour: int) -> bool:
    """Whether a city takes cubes of a colour."""
    return bool(int(state.accepts[colour]) >> city & 1)


def worth(links: int, level: int, patience: float) -> float:
    """Points of a delivery, less for each level that the engine lacks."""
    return links * patience ** max(0, links - level)


def paths(joined: list[list[int]], origin: int, most_links: int) -> Iterator[list[int]]:
    """All paths from a city that pass no city twice, the city itself first."""
    waiting = [[origin]]
    while waiting:
        path = waiting.pop()
        if len(path) > 1:
            yield path
        if len(path) <= most_links:
            waiting += [[*path, city] for city in joined[path[-1]] if city not in path]


def passed_by_depot(state: np.record, path: list[int], colour: int) -> list[int]:
    """The cities on the way that take the cube: each asks for a Fuel Depot."""
    return [city for city in path[1:-1] if accepts(state, city, colour)]


def is_delivery(state: np.record, player: int, path: list[int], colour: int) -> bool:
    """Whether a cube goes that way: to a city that takes it, past others by own Fuel Depots."""
    passed = passed_by_depot(state, path, colour)
    return accepts(state, path[-1], colour) and all(
        int(state.depot_cities[player]) >> city & 1 for city in passed
    )


def own_lengths(state: np.record, player: int, origin: int, colour: int, most: int) -> set[int]:
    """Links of every delivery over own links alone."""
    joined = [cities_in(bits) for bits in state.linked[player]]
    return {
        len(path) - 1
        for path in paths(joined, origin, most)
        if is_delivery(state, player, path, colour)
    }


def longest(lengths: set[int], level: int, patience: float) -> int:
    """The length that is worth most; 0 when none is worth anything."""
    best = max(lengths, key=lambda links: worth(links, level, patience), default=0)
    return best if worth(best, level, patience) > 0 else 0


def potential(
    state: np.record,
    player: int,
    level: int,
    deliveries: float,
    patience: float,
    sharing: float,
    hope: float,
) -> tuple[float, float]:
    """Worth of the best deliveries of a network, and of the least of them.

    The least is 0 when the network does not allow so many. Cubes that cannot be delivered yet
    count `hope`, those whose delivery is worth no more than that do not count.
    """
    amounts: dict[float, float] = defaultdict(float)
    most = min(8, level + 2)
    for city in cities_in(state.network[player]):
        rivals = sum(
            int(state.network[other]) >> city & 1
            for other in range(state.n_players)
            if other != player
        )
        for colour in range(5):
            cubes = int(state.cubes[city, colour]) / (1 + sharing * rivals)
            links = longest(own_lengths(state, player, city, colour, most), level, patience)
            value = worth(links, level, patience)
            if links == 0 or value > hope:
                amounts[value if links else hope] += cubes
    total, left, least = 0.0, deliveries, 0.0
    for value in sorted(amounts, reverse=True):
        if left > 0 and amounts[value] > 0:
            total += min(left, amounts[value]) * value
            left -= amounts[value]
            least = value
    return total, least if left <= 0 else 0.0


def best_deliveries(
    state: np.record,
    player: int,
    origin: int,
    colour: int,
    own_worth: float,
    other_cost: float,
    bonus: list[float],
    record: tuple[int, float],
) -> tuple[float, set[int]]:
    """Value of the best delivery over anybody's links, and where such a one goes.

    Its first link is an own one; where the player has a link, no other's is taken, and of others'
    at most three in all. A Fuel Depot used is half an own link.
    """
    joined = [cities_in(bits) for bits in state.joined]
    values: dict[int, float] = {}
    for path in paths(joined, origin, int(state.engine[player])):
        own = [
            bool(int(state.linked[player, near]) >> far & 1)
            for near, far in zip(path, path[1:], strict=False)
        ]
        if own[0] and own.count(False) <= 3 and is_delivery(state, player, path, colour):
            value = own_worth * sum(own) - other_cost * own.count(False) + bonus[path[-1]]
            value += record[1] if len(own) >= record[0] else 0
            value -= 0.5 * own_worth * len(passed_by_depot(state, path, colour))
            values[path[-1]] = max(value, values.get(path[-1], value))
    best = max(values.values(), default=-1e9)
    return best, {city for city, value in values.items() if abs(value - best) < 1e-9}


@dataclasses.dataclass(frozen=True)
class Route:
    """What a route brings: each seat's links, the cities where a depot is used, those passed."""

    points: tuple[int, ...]
    depots: frozenset[int]
    via: frozenset[int]

    def value(self, player: int, own_worth: float, other_cost: float) -> float:
        """Own links and others', and half an own link for each depot."""
        others = sum(self.points) - self.points[player]
        own = self.points[player] - 0.5 * len(self.depots)
        return own_worth * own - other_cost * others


def all_routes(position: Position) -> set[Route]:
    """Every route of the move under way, whatever has been answered before."""
    state, players = position.state[0], range(position.players)
    mover, colour = position.to_move, int(state.move_colour)
    start, end = int(state.move_from), int(state.move_to)
    barred = set(cities_in(state.stopped_seen[mover])) if state.move_continues else {start}
    own_first = not state.move_continues or position.board.options.own_first_link_after_stop
    joined = [
        [city for city in cities_in(bits) if city == end or city not in barred]
        for bits in state.joined
    ]
    found = set()
    for path in paths(joined, start, int(state.engine[mover])):
        through = path[1:-1]
        used = frozenset(city for city in through if accepts(state, city, colour))
        if path[-1] != end or end in through or not all(state.depots[mover, c] for c in used):
            continue
        owners = [
            [seat for seat in players if int(state.linked[seat, near]) >> far & 1]
            for near, far in zip(path, path[1:], strict=False)
        ]
        if own_first:
            owners[0] = [seat for seat in owners[0] if seat == mover]
        for chosen in itertools.product(*owners):
            points = tuple(chosen.count(seat) for seat in players)
            found.add(Route(points, used, frozenset(through)))
    return found


def agrees(state: np.record, route: Route) -> bool:
    """Whether a route is one of those that are left after the answers given."""
    settled = zip(state.set_points, route.points, strict=False)
    without, used = (frozenset(cities_in(bits)) for bits in state.set_depots)
    avoided, passed = (frozenset(cities_in(bits)) for bits in state.set_via)
    return (
        all(known in (-1, points) for known, points in settled)
        and used <= route.depots
        and not without & route.depots
        and passed <= route.via
        and not avoided & route.via
    )


# ---------------------------------------------------------------------------------------- advice


def weights_of(agent: agents.Agent) -> dict[str, float]:
    """An agent's weights by name."""
    return dict(zip(PARAMETERS, agent.weights, strict=True))


def run(kernel: str, position: Position, agent: agents.Agent, memo: np.ndarray | None = None):
    """A compiled heuristic from Python; `memo` is its memory, a new one if None."""
    memo = np.zeros(MAX_SEATS + MEMO) if memo is None else memo
    weights = np.array(agent.weights)
    return contract.run(kernel, position.state, position.board.record, weights, memo)


def evaluate(position: Position, agent: agents.Agent, memo: np.ndarray | None = None) -> list:
    """What the position is worth to each player."""
    memo = np.zeros(MAX_SEATS + MEMO) if memo is None else memo
    run("evaluate", position, agent, memo)
    return memo[: position.players].tolist()


def best_by_worth(position: Position, agent: agents.Agent) -> set[int]:
    """The codes that leave the player to move most, less `rivalry` times the mean rival's."""
    gains = {}
    for code in position.legal_codes().tolist():
        worth = evaluate(position.copy().play(code), agent)
        own = worth.pop(position.to_move)
        gains[code] = own - agent.rivalry * sum(worth) / len(worth)
    best = max(gains.values())
    return {code for code, gain in gains.items() if gain >= best - 1e-9 * max(1.0, abs(best))}
