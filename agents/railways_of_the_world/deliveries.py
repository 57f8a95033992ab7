"""What a delivery adds, and by which route."""

from agents.railways_of_the_world import goods_search as goods
from agents.railways_of_the_world.goods_search import (
    best_deliveries,
    best_route,
    cubes_in,
    longest_deliveries,
    rivals_at,
)
from agents.railways_of_the_world.weights import GOODS, LENGTH, NEVER, PATIENCE, RIVALRY, SHARING
from agents.railways_of_the_world.worth import point_now
from sim.bits import bit, lowest, without_lowest
from sim.contract import compiled
from sim.railways_of_the_world.state import (
    ASK_DEPOT,
    ASK_POINTS,
    DELIVER,
    FIRST_DELIVERY,
    FIRST_DELIVERY_LINKS,
    FIRST_DELIVERY_TO,
    GREEN_CIRCLE,
    HOTEL,
    MAX_CITIES,
    MAX_LEVEL,
    PASS,
    POINTS,
    THROUGH,
    VIA,
)


@compiled
def note_bonuses(state, board, weights, player, memory):
    """What a delivery brings beside its links: Hotels, Service Bounties, Start cards."""
    for city in range(board.n_cities):
        memory[goods.BONUS + city] = 0.0
    memory[goods.RECORD] = 99.0
    memory[goods.RECORD_BONUS] = 0.0
    for row in range(board.n_cards):
        effect = board.card_effect[row]
        points = float(board.card_points[row])
        city = int(board.card_city[row])
        if effect == HOTEL:
            for seat in range(state.n_players):
                if state.held[seat, row] > 0:
                    sign = 1.0 if seat == player else -weights[RIVALRY]
                    memory[goods.BONUS + city] += sign * points
        elif board.card_symbol[row] == GREEN_CIRCLE and state.shown[row] > 0:
            if effect == FIRST_DELIVERY_TO:
                memory[goods.BONUS + city] += points
            elif effect == FIRST_DELIVERY_LINKS:
                memory[goods.RECORD] = float(board.card_amount[row])
                memory[goods.RECORD_BONUS] = points
            elif effect == FIRST_DELIVERY:
                for other in range(board.n_cities):
                    memory[goods.BONUS + other] += points


@compiled
def best_delivery(state, board, weights, player, turns, later, least, memo, own_cities_only):
    """Worth and code of the delivery that adds most, less what the cube would bring later.

    `least` is the worth of the least delivery still counted on. With `own_cities_only` cubes in
    cities that others reach are left out.
    """
    memory = memo[GOODS:]
    own = point_now(state, board, weights, player, turns)
    best = NEVER
    code = PASS
    origins = state.network[player] & state.stocked
    while origins != 0:
        origin = lowest(origins)
        origins = without_lowest(origins)
        rivals = rivals_at(state, player, origin)
        if own_cities_only and rivals > 0:
            continue
        colours = cubes_in(state, origin)
        best_deliveries(state, player, origin, colours, own, weights[RIVALRY], memory)
        for colour in range(5):
            city = int(memory[goods.CITY + colour])
            if city < 0:
                continue
            links = int(memo[LENGTH + origin * 5 + colour])
            level = int(state.engine[player])
            kept = max(0.0, goods.worth(links, level, weights[PATIENCE]) - least)
            kept /= 1.0 + weights[SHARING] * rivals
            value = memory[goods.VALUE + colour] - later * kept
            if value > best:
                best = value
                code = DELIVER + (colour * MAX_CITIES + origin) * MAX_CITIES + city
    return best, code


@compiled
def note_lengths(state, weights, player, memo):
    """The best delivery over own links of every cube the player could take."""
    memory = memo[GOODS:]
    level = int(state.engine[player])
    most = min(MAX_LEVEL, level + 2)
    origins = state.network[player] & state.stocked
    while origins != 0:
        origin = lowest(origins)
        origins = without_lowest(origins)
        longest_deliveries(state, player, origin, 31, most, level, weights[PATIENCE], memory)
        for colour in range(5):
            memo[LENGTH + origin * 5 + colour] = memory[goods.LENGTH + colour]


@compiled
def cube_worth(state, weights, player, city, least, memory):
    """What a random cube more in a city would add to the deliveries counted on."""
    level = int(state.engine[player])
    longest_deliveries(
        state, player, city, 31, min(MAX_LEVEL, level + 2), level, weights[PATIENCE], memory
    )
    cubes = 0.0
    total = 0.0
    for colour in range(5):
        links = int(memory[goods.LENGTH + colour])
        value = max(0.0, goods.worth(links, level, weights[PATIENCE]) - least)
        total += state.bag[colour] * value
        cubes += state.bag[colour]
    return total / cubes if cubes > 0.0 else 0.0


@compiled
def answer_route(state, board, weights, memo):
    """Go on as the best route does that agrees with what is settled."""
    depots, via = best_route(state, board, 1.0, weights[RIVALRY], memo[GOODS:])
    about = int(state.ask_about)
    if state.ask == ASK_POINTS:
        return POINTS + about * 16 + int(memo[GOODS + goods.ROUTE + about])
    if state.ask == ASK_DEPOT:
        return THROUGH + about * 2 + (1 if depots & bit(about) != 0 else 0)
    return VIA + about * 2 + (1 if via & bit(about) != 0 else 0)
