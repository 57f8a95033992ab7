"""The link that adds most, its tiles, and Fuel Depots."""

from agents.railways_of_the_world import track_search as track
from agents.railways_of_the_world.goals import goals_gained, measure_goals
from agents.railways_of_the_world.track_search import (
    ACTION_PRICE,
    cheapest_tracks,
    note_track,
    tracks_from,
)
from agents.railways_of_the_world.weights import (
    ACTION_WORTH,
    DEPOT_WORTH,
    GOODS,
    LINKS,
    NEVER,
    REACH,
    TRACK,
)
from agents.railways_of_the_world.worth import (
    deliveries_left,
    gained,
    later_point,
    network_worth,
    turns_left,
)
from sim.bits import bit, lowest, without_lowest
from sim.contract import compiled
from sim.railways_of_the_world.state import (
    BUILDING,
    DEPOTS,
    DONE,
    EXTENDING,
    EXTRA_TILES,
    FREE_OPEN_TILES,
    FROM,
    HAND,
    LINK_DONE,
    NO_RIDGE_COST,
    PURPLE_DIAMOND,
    STARTING,
    TERRAIN_PRICE,
    USE,
)
from sim.railways_of_the_world.track import build_depot_sites


@compiled
def best_link(state, board, weights, player, turns, later, deliveries, base, only, stub, memo):
    """Worth, city, first tile and cost of the link that adds most.

    From the stub if one is given, else from the city `only`, else (-1) from anywhere.
    """
    best = NEVER
    best_city = -1
    best_tile = -1
    best_cost = 0
    memory = memo[TRACK:GOODS]
    is_plain = state.ridge_cost == board.ridge_cost and state.tiles_left == board.tiles_per_build
    for terrain in range(3):
        if state.tile_cost[terrain] != board.tile_cost[terrain]:
            is_plain = False
    if is_plain:
        note_track(state, board, memory)
    most = int(state.tiles_left) + (3 - int(state.round_number)) * int(board.tiles_per_build)
    most = min(track.MOST_TILES, int(weights[REACH]), most)
    cities = state.network[player]
    if only >= 0:
        cities = bit(only)
    elif stub >= 0:
        cities = 0
    elif state.links[player] < 2:
        cities = -1
    own_stub = -1
    while True:
        if own_stub < state.n_stubs:
            own_stub += 1
            if (
                own_stub == state.n_stubs
                or only >= 0
                or state.stub_owner[own_stub] != player
                or (stub >= 0 and stub != own_stub)
            ):
                continue
            city = int(state.stub_city[own_stub])
            source = own_stub
        elif cities == 0 or lowest(cities) >= board.n_cities:
            break
        else:
            city = lowest(cities)
            cities = without_lowest(cities)
            source = -1
        at = track.NOW
        if is_plain and source < 0:
            at = track.RESULTS + city * track.RESULT
            found = tracks_from(state, board, city, memory)
        else:
            now = int(state.tiles_left)
            found = cheapest_tracks(state, board, player, city, source, most, now, memory, at)
        if not board.second_own_parallel_link:
            found &= ~state.linked[player, city]
        if source < 0 and only < 0:
            found &= ~(state.network[player] & ~(-1 << city))  # seen from there already
        value, there = _best_end(
            state,
            board,
            weights,
            player,
            turns,
            later,
            deliveries,
            base,
            city,
            found,
            most,
            at,
            memo,
        )
        if value > best:
            best = value
            best_city = city if source < 0 else -1
            best_tile = int(memory[at + track.FIRST + there])
            best_cost = int(memory[at + track.COST + there])
    return best, best_city, best_tile, best_cost


@compiled
def _best_end(
    state, board, weights, player, turns, later, deliveries, base, city, found, most, at, memo
):
    """Worth and other end of the best of the links found from a city."""
    best = NEVER
    best_end = 0
    level = int(state.engine[player])
    while found != 0:
        there = lowest(found)
        found = without_lowest(found)
        if memo[TRACK + at + track.TILES + there] > most:
            continue
        cost = int(memo[TRACK + at + track.COST + there])
        further = (memo[TRACK + at + track.PRICE + there] - cost) / ACTION_PRICE
        value = gained(state, board, weights, player, turns, cost, 0) - ACTION_WORTH * further
        value += goals_gained(state, board, weights, player, turns, city, there, memo)
        here_linked = state.linked[player, city]
        there_linked = state.linked[player, there]
        network = state.network[player]
        state.linked[player, city] |= bit(there)
        state.linked[player, there] |= bit(city)
        state.network[player] |= bit(city) | bit(there)
        opened = network_worth(state, weights, player, level, deliveries, memo[GOODS:]) - base
        state.linked[player, city] = here_linked
        state.linked[player, there] = there_linked
        state.network[player] = network
        value += later * weights[LINKS] * opened
        if value > best:
            best = value
            best_end = there
    return best, best_end


@compiled
def _declaration(state, board, player, cost):
    """A card to declare for this Build; -1: none."""
    for row in range(board.n_cards):
        symbol = board.card_symbol[row]
        if state.held[player, row] == 0 or state.declared & bit(row) != 0:
            continue
        effect = board.card_effect[row]
        if symbol == PURPLE_DIAMOND and state.used[player, row] < state.held[player, row]:
            return row
        if symbol == HAND and effect == FREE_OPEN_TILES and cost >= 4:
            return row
        if symbol == HAND and effect in (EXTRA_TILES, NO_RIDGE_COST, TERRAIN_PRICE):
            return row
    return -1


@compiled
def choose_in_build(state, board, weights, memo):
    """A card to declare, then the next tile of the link that adds most."""
    player = int(state.to_move)
    turns = turns_left(state, board, weights)
    deliveries = max(1.0, deliveries_left(state, weights, turns))
    later = later_point(state, board, weights, player, turns)
    base = network_worth(
        state, weights, player, int(state.engine[player]), deliveries, memo[GOODS:]
    )
    measure_goals(state, board, player, memo)
    only = int(state.build_city) if state.phase == STARTING else -1
    stub = int(state.build_stub) if state.phase == EXTENDING else -1
    value, city, tile, cost = best_link(
        state, board, weights, player, turns, later, deliveries, base, only, stub, memo
    )
    if state.phase == BUILDING:
        row = _declaration(state, board, player, cost)
        if row >= 0:
            return USE + row
        if city >= 0:
            return FROM + city
    if tile >= 0 and (state.phase != EXTENDING or state.tiles_left > 0):
        return tile
    return choose_depots(state, board, weights, memo) if state.phase == EXTENDING else -1


@compiled
def choose_depots(state, board, weights, memo):
    """Fuel Depots where they open most, if that is worth their price; else the Build is done."""
    sites = build_depot_sites(state, board, state.phase == LINK_DONE)
    if sites == 0:
        return DONE
    player = int(state.to_move)
    turns = turns_left(state, board, weights)
    deliveries = deliveries_left(state, weights, turns)
    later = later_point(state, board, weights, player, turns)
    level = int(state.engine[player])
    number = min(1 if board.depots_2010 else 2, int(state.depots_left[player]))
    cost = 0 if state.depots_placed > 0 else int(board.depot_cost)
    least = -gained(state, board, weights, player, turns, cost, 0)
    base = network_worth(state, weights, player, level, deliveries, memo[GOODS:])
    action = DONE
    while sites != 0:
        city = lowest(sites)
        sites = without_lowest(sites)
        state.depot_cities[player] |= bit(city)
        opened = network_worth(state, weights, player, level, deliveries, memo[GOODS:]) - base
        state.depot_cities[player] &= ~bit(city)
        # Each depot serves one delivery, which it makes longer by half the engine's reach.
        worth = weights[DEPOT_WORTH] * later * min(opened, 0.5 * level * number)
        if worth > least:
            least = worth
            action = DEPOTS + city * 2 + number - 1
    return action
