"""Railways of the World: what a position is worth, and the named strategies.

A position is worth its points, its money and income, and the deliveries its network still allows.
At each action the player takes what adds most to that: the best delivery now, the link that opens
the best ones at the least cost, a better engine, a New City tile, a card. A Bond costs a point and
$1k a turn. All values are in points; nothing is tried out on a copy: what an action changes is
changed, valued and put back. A Fuel Depot lets cubes pass; cubes that stop at one, and Western
Links, are left to others.
"""

from agents.base import MAX_SEATS
from agents.railways_of_the_world import goods_search as goods
from agents.railways_of_the_world.builds import best_link, choose_depots, choose_in_build
from agents.railways_of_the_world.deliveries import (
    answer_route,
    best_delivery,
    cube_worth,
    note_bonuses,
    note_lengths,
)
from agents.railways_of_the_world.goals import baron_promise, measure_goals
from agents.railways_of_the_world.loans import loans
from agents.railways_of_the_world.weights import (
    ACCEPTED,
    BARONS,
    BIDS,
    CARDS,
    CITIES,
    DEPOT_WORTH,
    ENGINE,
    GOODS,
    LEVELS,
    MARK,
    MEMO,
    NEVER,
    OPENING,
    PARAMETERS,
    PLAN,
    PRESETS,
    RANDOM,
    READY,
    SEARCH,
    TUNED,
)
from agents.railways_of_the_world.worth import (
    deliveries_left,
    evaluate,
    gained,
    later_point,
    network_worth,
    turns_left,
)
from sim.bits import bit, lowest, without_lowest
from sim.contract import compiled
from sim.railways_of_the_world.goods import turn_dial
from sim.railways_of_the_world.rules import may_take, rotor_card
from sim.railways_of_the_world.state import (
    ACTION,
    ADD_CUBES,
    AFTER_ACTION,
    BID,
    BIDDING,
    BOARD,
    BUILD,
    BUILDING,
    CITY_GROWTH,
    DIAL,
    DONE,
    EXTENDING,
    EXTRA_TILES,
    FIRST_ENGINE_LEVEL,
    FIRST_LEVEL,
    FREE_OPEN_TILES,
    GRAY,
    GROW,
    HOTEL,
    KEEP,
    KEEPING,
    LINK_DONE,
    MAX_LEVEL,
    NEW_CITY_TILE,
    NEW_INDUSTRY,
    NO_RIDGE_COST,
    PASS,
    ROUTE,
    STARTING,
    STATE,
    TAKE,
    TERRAIN_PRICE,
    TWO_ACTIONS,
    UPGRADE,
    URBANIZE,
)
from sim.railways_of_the_world.track import price_build
from sim.rng import below

__all__ = [
    "BOARD",
    "MEMO",
    "PARAMETERS",
    "PRESETS",
    "RANDOM",
    "SEARCH",
    "STATE",
    "TUNED",
    "advise",
    "evaluate",
    "loans",
]


# ---------------------------------------------------------------------------- Cities, engine, cards


@compiled
def _best_city_tile(state, board, weights, player, deliveries, base, cubes, least, memo):
    """Points (later) and code of the New City tile that adds most, with so many cubes."""
    memory = memo[GOODS:]
    level = int(state.engine[player])
    best = 0.0
    code = -1
    cities = state.network[player]
    while cities != 0:
        city = lowest(cities)
        cities = without_lowest(cities)
        if state.colour[city] != GRAY:
            continue
        extra = cubes * cube_worth(state, weights, player, city, least, memory)
        for colour in range(5):
            if state.new_tiles[colour] == 0:
                continue
            state.accepts[colour] |= bit(city)
            value = network_worth(state, weights, player, level, deliveries, memory) - base + extra
            state.accepts[colour] &= ~bit(city)
            if value > best or code < 0:
                best = value
                code = URBANIZE + city * 5 + colour
    return best, code


@compiled
def _best_growth(state, weights, player, least, memo):
    """Worth of a random cube, and the city where it is worth most."""
    best = -1.0
    best_city = 0
    cities = state.network[player]
    while cities != 0:
        city = lowest(cities)
        cities = without_lowest(cities)
        value = cube_worth(state, weights, player, city, least, memo[GOODS:])
        if value > best:
            best = value
            best_city = city
    return max(best, 0.0), best_city


@compiled
def _upgrade_worth(state, board, weights, player, turns, later, deliveries, base, memo):
    """Worth of the next engine level: deliveries it opens, a card, a Baron."""
    level = int(state.engine[player]) + 1
    if level > MAX_LEVEL or level > weights[LEVELS]:
        return NEVER
    opened = network_worth(state, weights, player, level, deliveries, memo[GOODS:]) - base
    points = 0
    for row in range(board.n_cards):
        if (
            board.card_effect[row] == FIRST_ENGINE_LEVEL
            and state.shown[row] > 0
            and board.card_amount[row] == level
        ):
            points += board.card_points[row]
    value = later * weights[ENGINE] * opened
    value += gained(state, board, weights, player, turns, board.engine_price[level], points)
    row = int(state.barons[player, 0])
    if row >= 0 and board.baron_condition[row] == FIRST_LEVEL:
        wanted = int(board.baron_amount[row])
        if level <= wanted and state.first_at_level[wanted] < 0:
            value += weights[BARONS] * board.baron_points[row] / wanted
    return value


@compiled
def _card_worth(state, board, weights, player, turns, later, tile, growth, second, row):
    """Points that taking a card adds; `second` is the worth of the second best other action."""
    effect = board.card_effect[row]
    if effect == TWO_ACTIONS:
        return (board.card_amount[row] - 1) * max(0.0, second)
    if effect == HOTEL:
        city = int(board.card_city[row])
        colour = int(state.colour[city])
        cubes = 0
        for other in range(board.n_cities):
            if colour < GRAY:
                cubes += state.cubes[other, colour]
        reach = 0.6 if state.network[player] & bit(city) != 0 else 0.3
        return later * board.card_points[row] * min(turns * 0.8, reach * cubes)
    if effect == NEW_CITY_TILE:
        return later * tile
    if effect == ADD_CUBES:
        return later * board.card_amount[row] * growth
    if effect == FREE_OPEN_TILES:
        return 1.0 if turns > 2.0 else 0.0
    if effect in (EXTRA_TILES, NO_RIDGE_COST, TERRAIN_PRICE):
        return 0.15 * (turns - 1.0)
    return 0.2 if turns > 2.0 else 0.0


# --------------------------------------------------------------------------------------- Decisions


@compiled
def _ranked(value, action, best, second, code):
    """The worth of the best two actions, and the code of the best, with one action more."""
    if value > best:
        return value, best, action
    return best, max(second, value), code


@compiled
def _choose_action(state, board, weights, memo):
    """A delivery, a link, a better engine, a New City tile or a card: what adds most, or pass."""
    player = int(state.to_move)
    memory = memo[GOODS:]
    turns = turns_left(state, board, weights)
    deliveries = deliveries_left(state, weights, turns)
    later = later_point(state, board, weights, player, turns)
    level = int(state.engine[player])
    base = network_worth(state, weights, player, level, deliveries, memory)
    least = memory[goods.LAST]
    note_lengths(state, weights, player, memo)
    note_bonuses(state, board, weights, player, memory)
    best, code = best_delivery(state, board, weights, player, turns, later, least, memo, False)
    second = 0.0
    if best < 0.0:
        best = 0.0
        code = PASS
    if deliveries > 0.0:
        measure_goals(state, board, player, memo)
        price_build(state, board)
        value, _, _, _ = best_link(
            state, board, weights, player, turns, later, deliveries, base, -1, -1, memo
        )
        best, second, code = _ranked(value, BUILD, best, second, code)
        value = _upgrade_worth(state, board, weights, player, turns, later, deliveries, base, memo)
        best, second, code = _ranked(value, UPGRADE, best, second, code)
    tile = 0.0
    tile_code = -1
    growth = 0.0
    if deliveries > 1.0:
        tile, tile_code = _best_city_tile(
            state, board, weights, player, deliveries, base, board.urbanize_cubes, least, memo
        )
        growth, _ = _best_growth(state, weights, player, least, memo)
    if tile_code >= 0:
        value = weights[CITIES] * later * tile
        value += gained(state, board, weights, player, turns, board.urbanize_cost, 0)
        best, second, code = _ranked(value, tile_code, best, second, code)
    bare = tile - 2.0 * growth  # without the cubes of the action
    for row in range(board.n_cards):
        if state.shown[row] > 0 and may_take(state, board, row):
            value = weights[CARDS] * _card_worth(
                state, board, weights, player, turns, later, bare, growth, second, row
            )
            if value > best:
                best = value
                code = TAKE + row
    return code


@compiled
def _choose_dial(state, board, weights, memo):
    """A dial to turn with a Dispatcher, where that opens deliveries; -1: none."""
    player = int(state.to_move)
    row = rotor_card(state, board, player)
    if row < 0:
        return -1
    turns = turns_left(state, board, weights)
    deliveries = 1.0 + deliveries_left(state, weights, turns)
    level = int(state.engine[player])
    base = network_worth(state, weights, player, level, deliveries, memo[GOODS:])
    least = 1.0 / max(0.1, weights[DEPOT_WORTH])
    action = -1
    cities = state.network[player]
    while cities != 0:
        city = lowest(cities)
        cities = without_lowest(cities)
        if state.dial[city] < 0:
            continue
        shown = state.dial[city]
        for colour in range(5):
            memo[ACCEPTED + colour] = 1.0 if state.accepts[colour] & bit(city) != 0 else 0.0
        turn_dial(state, board, city, int(board.card_amount[row]))
        opened = network_worth(state, weights, player, level, deliveries, memo[GOODS:]) - base
        state.dial[city] = shown
        for colour in range(5):
            state.accepts[colour] &= ~bit(city)
            if memo[ACCEPTED + colour] == 1.0:
                state.accepts[colour] |= bit(city)
        if opened > least:
            least = opened
            action = DIAL + city
    return action


@compiled
def _choose_bid(state, board, weights, memo):
    """Bid while going first is worth it: for a delivery or a card that a rival could take first."""
    player = int(state.to_move)
    memory = memo[GOODS:]
    bid = state.bid + 1
    if bid > board.max_bid:
        return PASS
    turns = turns_left(state, board, weights)
    later = later_point(state, board, weights, player, turns)
    ahead = 1.0
    if state.high_bidder >= 0:  # places between going first and where the high bidder leaves one
        players = int(state.n_players)
        ahead = ((player - int(state.high_bidder)) % players) / (players - 1.0)
    worth = 0.0
    note_lengths(state, weights, player, memo)
    note_bonuses(state, board, weights, player, memory)
    any_city, _ = best_delivery(state, board, weights, player, turns, later, 0.0, memo, False)
    own_city, _ = best_delivery(state, board, weights, player, turns, later, 0.0, memo, True)
    worth += 0.5 * max(0.0, any_city - max(0.0, own_city))
    for row in range(board.n_cards):
        if state.shown[row] > 0 and board.card_effect[row] == TWO_ACTIONS:
            worth += 1.0
    worth *= weights[BIDS]
    if state.turn == 1:  # where to build is chosen first: among equals seats then win alike
        worth += weights[OPENING] * min(1.0, (state.n_players - 1) / 3.0)
    worth *= ahead
    cost = -gained(state, board, weights, player, turns, bid, 0)
    return BID + bid if cost <= worth else PASS


@compiled
def _bid_in_cash(state, board):
    """Pass, or any bid that takes no Bond, all equally likely."""
    money = min(int(state.money[state.to_move]), int(board.max_bid))
    bid = state.bid + below(state, max(0, money - state.bid) + 1)
    return BID + bid if bid > state.bid else PASS


@compiled
def _choose_city(state, board, weights, memo):
    """For City Growth or New Industry."""
    player = int(state.to_move)
    turns = turns_left(state, board, weights)
    deliveries = max(1.0, deliveries_left(state, weights, turns))
    level = int(state.engine[player])
    if state.phase == CITY_GROWTH:
        _, city = _best_growth(state, weights, player, 0.0, memo)
        return GROW + city
    base = network_worth(state, weights, player, level, deliveries, memo[GOODS:])
    _, code = _best_city_tile(
        state, board, weights, player, deliveries, base, state.card_amount, 0.0, memo
    )
    return code


@compiled
def _take_memory(memo):
    """Clear a memory that this module has not written."""
    if memo[MARK] != READY:
        for place in range(MAX_SEATS, MARK):
            memo[place] = 0.0
        memo[MARK] = READY


@compiled
def advise(state, board, weights, memo):
    """The action that adds most; -1 where nothing is thought of."""
    phase = state.phase
    if weights[PLAN] == 0.0:
        return _bid_in_cash(state, board) if phase == BIDDING else -1
    _take_memory(memo)
    if phase == KEEPING:
        first = int(state.barons[state.to_move, 0])
        second = int(state.barons[state.to_move, 1])
        return KEEP + (
            first if baron_promise(board, first) >= baron_promise(board, second) else second
        )
    if phase == BIDDING:
        return _choose_bid(state, board, weights, memo)
    if phase == ACTION or phase == AFTER_ACTION:
        dial = _choose_dial(state, board, weights, memo)
        if dial >= 0:
            return dial
        return _choose_action(state, board, weights, memo) if phase == ACTION else DONE
    if phase == BUILDING or phase == STARTING or phase == EXTENDING:
        return choose_in_build(state, board, weights, memo)
    if phase == ROUTE:
        return answer_route(state, board, weights, memo)
    if phase == NEW_INDUSTRY or phase == CITY_GROWTH:
        return _choose_city(state, board, weights, memo)
    if phase == LINK_DONE:
        return choose_depots(state, board, weights, memo)
    return -1
