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
from agents.railways_of_the_world import track_search as track
from agents.railways_of_the_world.goods_search import (
    best_deliveries,
    best_route,
    cubes_in,
    longest_deliveries,
    potential,
    rivals_at,
)
from agents.railways_of_the_world.track_search import (
    ACTION_PRICE,
    cheapest_tracks,
    note_set,
    note_track,
    noted_set,
    tracks_from,
)
from sim.bits import bit, count, lowest, without_lowest
from sim.contract import compiled
from sim.railways_of_the_world.goods import turn_dial
from sim.railways_of_the_world.money import income
from sim.railways_of_the_world.rules import may_take, rotor_card
from sim.railways_of_the_world.state import (
    ACTION,
    ADD_CUBES,
    AFTER_ACTION,
    ASK_DEPOT,
    ASK_POINTS,
    BID,
    BIDDING,
    BOARD,
    BUILD,
    BUILDING,
    CITY_GROWTH,
    CONNECTED,
    CONNECTIONS_OUT_OF,
    DELIVER,
    DEPOTS,
    DIAL,
    DONE,
    EXTENDING,
    EXTRA_TILES,
    FEWEST_BONDS,
    FIRST_DELIVERY,
    FIRST_DELIVERY_LINKS,
    FIRST_DELIVERY_TO,
    FIRST_ENGINE_LEVEL,
    FIRST_LEVEL,
    FREE_OPEN_TILES,
    FROM,
    GRAY,
    GREEN_CIRCLE,
    GROW,
    HAND,
    HOTEL,
    KEEP,
    KEEPING,
    LAST_SPACE,
    LINK_DONE,
    LINKS_INTO,
    LONGEST_CHAIN,
    MAX_CITIES,
    MAX_LEVEL,
    MAX_LINES,
    MOST_CITIES,
    MOST_LINKS,
    MOST_MAJOR_LINES,
    MOST_MONEY,
    NEW_CITY_TILE,
    NEW_INDUSTRY,
    NO_RIDGE_COST,
    PASS,
    POINTS,
    PURPLE_DIAMOND,
    ROUTE,
    STARTING,
    STATE,
    TAKE,
    TERRAIN_PRICE,
    THROUGH,
    TWO_ACTIONS,
    UPGRADE,
    URBANIZE,
    USE,
    VIA,
)
from sim.railways_of_the_world.track import build_depot_sites, own_component, price_build
from sim.rng import below

__all__ = ["BOARD", "MEMO", "PARAMETERS", "PRESETS", "STATE", "advise", "evaluate"]

(
    MONEY,
    PACE,
    DELIVERIES,
    PATIENCE,
    SHARING,
    RIVALRY,
    LINKS,
    ENGINE,
    LINES,
    BARONS,
    CITIES,
    CARDS,
    BIDS,
    REACH,
    LEVELS,
    DEBT,
    HOPE,
    GOAL,
    PLAN,
    HORIZON,
    OPENING,
    DEPOT_WORTH,
) = range(22)

PARAMETERS = {
    "money": (0.2, "points that $1k is worth while there is use for it"),
    "pace": (1.8, "turns to go for each Empty City Marker left, times the players"),
    "deliveries": (0.55, "part of the actions to come that will deliver"),
    "patience": (0.7, "worth of a delivery for each level the engine lacks"),
    "sharing": (0.35, "how much each rival that reaches a city takes of its cubes' worth"),
    "rivalry": (0.7, "points lost for each point a delivery gives to rivals"),
    "links": (1.2, "weight of the deliveries a new link opens"),
    "engine": (2.0, "weight of the deliveries a better engine opens"),
    "lines": (2.5, "weight of Major Lines"),
    "barons": (1.0, "weight of the Rail Baron"),
    "cities": (0.5, "weight of the deliveries a New City tile opens"),
    "cards": (0.25, "weight of Railroad Operations cards"),
    "bids": (0.25, "part of the worth of going first that is bid for it"),
    "reach": (6.0, "tiles of the longest link thought of, at most 6"),
    "top_level": (8.0, "engine level beyond which it does not upgrade"),
    "debt": (3.0, "points that a Bond costs"),
    "hope": (0.5, "links that a cube in the network counts which cannot be delivered yet"),
    "points": (1.0, "weight of points, those made and those a network promises"),
    "plan": (1.0, "1: thinks in whole links and deliveries; 0: looks one decision ahead"),
    "horizon": (8.0, "turns ahead for which money is reckoned"),
    "opening": (17.0, "points that going first in turn 1 is worth, with three rivals or more"),
    "depots": (1.0, "weight of the deliveries that Fuel Depots and dials open"),
}

# Named strategies: how each plays, and what sets it apart from the balanced weights above.
PRESETS = {
    "greedy": ("balanced: takes what adds most points by its reckoning", {}),
    "short_hauler": (
        "short deliveries: delivers early over few links, never beyond engine level 3",
        {"top_level": 3.0, "patience": 0.4, "engine": 1.0},
    ),
    "engineer": (
        "engine first: upgrades early and delivers over many links",
        {"engine": 4.0, "patience": 0.8, "debt": 2.0},
    ),
    "line_builder": (
        "Major Lines: builds towards them, whatever they cost",
        {"lines": 5.0},
    ),
    "prudent": (
        "random, but borrows only when it must: any action that takes the fewest Bonds",
        {"plan": 0.0, "points": 0.0, "money": 0.0, "rivalry": 0.0},
    ),
    "frugal": (
        "frugal: few Bonds and short links",
        {"debt": 6.0, "reach": 4.0},
    ),
}

# Places in the memory: how far cities are apart, then those of the searches, then the lines'.
_TRACK = MAX_SEATS
_GOODS = _TRACK + track.SIZE
_APART = _GOODS + goods.SIZE  # + city * 64 + city: hexes; the last place tells that it is filled
_APART_KNOWN = _APART + MAX_CITIES * MAX_CITIES
_GOALS = MAX_LINES + 1  # Major Lines, and a Baron that asks for two cities to be connected
_TO_START = _APART_KNOWN + 1  # + goal * 64 + city: hexes to what is joined to its first city
_TO_END = _TO_START + _GOALS * MAX_CITIES  # ... to its second city
_GAP = _TO_END + _GOALS * MAX_CITIES  # + goal: hexes between the two
_LENGTH = _GAP + _GOALS  # + city * 5 + colour: links of the best delivery over own links
_WALK = _LENGTH + MAX_CITIES * 5  # the walk noted in a state while it is evaluated
_ACCEPTED = _WALK + 4 * (MAX_LEVEL + 1)  # + colour: whether the city looked at takes it
_MARK = _ACCEPTED + 5  # tells that the memory is this module's
MEMO = _MARK + 1 - MAX_SEATS
_READY = 0.71828

_ACTION_WORTH = 2.5  # points that a further action for a link is worth
_NEVER = -1e9


# ------------------------------------------------------------------------- What a position is worth


@compiled
def _turns_left(state, board, weights):
    """Turns to go, this one included."""
    if state.triggered != 0:
        return float(state.last_turn - state.turn + 1)
    players = int(state.n_players)
    markers = board.empty_city_markers[players] - count(state.marked)
    turns = 1.0 + weights[PACE] * max(1, markers) / players
    if board.max_turns > 0:
        turns = min(turns, float(board.max_turns - state.turn + 1))
    return max(1.0, turns)


@compiled
def _deliveries_left(state, weights, turns):
    """Own deliveries to come after the present action."""
    actions = 3.0 * (turns - 1.0) + 3.0 - max(1, int(state.round_number)) + state.actions_left - 1
    return max(0.0, actions * weights[DELIVERIES])


@compiled
def _holdings(state, board, weights, player, turns, cost, points):
    """Points, money, income and Bonds once `cost` ($k) is paid and `points` are gained."""
    money = float(state.money[player] - cost)
    bonds = float(state.bonds[player])
    while money < 0.0:
        money += board.bond_cash
        bonds += 1.0
    marker = int(state.marker[player]) + points
    earned = board.income[LAST_SPACE]
    if state.banked[player] == 0 and marker <= LAST_SPACE:
        earned = board.income[marker]
    net = earned - bonds * board.bond_dividend
    turns = min(turns, weights[HORIZON])
    wealth = money + turns * net
    of_use = 12.0 * (turns - 1.0)
    worth = weights[MONEY]
    if wealth > of_use:
        worth *= max(0.05, of_use / wealth)
    elif wealth < 0.0:  # the Bonds it takes bring dividends of their own
        worth *= 1.0 + 0.1 * turns
    debt = weights[DEBT] * board.bond_points
    row = int(state.barons[player, 0])
    if row >= 0 and board.baron_condition[row] == FEWEST_BONDS:
        debt += 0.3 * weights[BARONS]
    points = weights[GOAL] * (state.banked[player] + marker)
    return points + worth * wealth - debt * bonds


@compiled
def _gained(state, board, weights, player, turns, cost, points):
    """What paying `cost` and gaining `points` adds to a player's holdings."""
    return _holdings(state, board, weights, player, turns, cost, points) - _holdings(
        state, board, weights, player, turns, 0, 0
    )


@compiled
def _point_now(state, board, weights, player, turns):
    """What a point gained now is worth; past the top of the Income Track it costs income."""
    return max(0.5, _gained(state, board, weights, player, turns, 0, 3) / 3.0)


@compiled
def _later_point(state, board, weights, player, turns):
    """What a point gained half-way to the end is worth, with the income it brings."""
    later = _gained(state, board, weights, player, 0.5 * turns + 0.5, 0, 10) / 10.0
    return min(max(0.5, later), _point_now(state, board, weights, player, turns))


@compiled
def _potential(state, weights, player, level, deliveries, memory):
    """Links of the deliveries a network promises, as the weights see them."""
    patience, sharing, hope = weights[PATIENCE], weights[SHARING], weights[HOPE]
    return potential(state, player, level, deliveries, patience, sharing, hope, memory)


@compiled
def _least_tile(state, board, player):
    """$k that a Build just begun is sure to cost; nothing for who must build to have an income."""
    begins = state.phase == BUILDING or state.phase == STARTING
    if not begins or state.to_move != player or income(state, board, player) == 0:
        return 0
    return min(state.tile_cost[0], min(state.tile_cost[1], state.tile_cost[2]))


@compiled
def evaluate(state, board, weights, out):
    """Points each player may expect: holdings, and the deliveries the network allows."""
    turns = _turns_left(state, board, weights)
    deliveries = _deliveries_left(state, weights, turns)
    memory = out[_GOODS:]
    _keep_walk(state, out)
    for player in range(state.n_players):
        due = _least_tile(state, board, player)
        out[player] = _holdings(state, board, weights, player, turns, due, 0)
        if weights[GOAL] != 0.0:
            level = int(state.engine[player])
            later = _later_point(state, board, weights, player, turns)
            network = _potential(state, weights, player, level, deliveries, memory)
            out[player] += weights[GOAL] * (later * network + state.baron_points[player])
    _put_walk_back(state, out)


@compiled
def _keep_walk(state, memo):
    """Note the walk that stands in the state: a search for deliveries uses its place."""
    for step in range(MAX_LEVEL + 1):
        at = _WALK + 4 * step
        memo[at] = state.path_city[step]
        memo[at + 1] = state.path_owner[step]
        note_set(memo, at + 2, state.path_left[step])


@compiled
def _put_walk_back(state, memo):
    """Give the state its own walk back."""
    for step in range(MAX_LEVEL + 1):
        at = _WALK + 4 * step
        state.path_city[step] = int(memo[at])
        state.path_owner[step] = int(memo[at + 1])
        state.path_left[step] = noted_set(memo, at + 2)


# -------------------------------------------------------------------------- Major Lines and Barons


@compiled
def _measure_map(board, memo):
    """Hexes between any two cities, over what is on the board; worked out once for a board."""
    if memo[_APART_KNOWN] == 1.0:
        return
    queue = _TRACK + track.STEPS
    seen = _TRACK + track.SEEN
    for city in range(board.n_cities):
        for place in range(board.n_hexes):
            memo[seen + place] = -1.0
        for other in range(board.n_cities):
            memo[_APART + city * MAX_CITIES + other] = 99.0
        memo[queue] = board.city_hex[city]
        memo[seen + int(board.city_hex[city])] = 0.0
        last = 1
        first = 0
        while first < last:
            place = int(memo[queue + first])
            first += 1
            there = int(board.city_at[place])
            if there >= 0:
                memo[_APART + city * MAX_CITIES + there] = memo[seen + place]
            for side in range(6):
                beyond = int(board.beside[place, side])
                if beyond >= 0 and memo[seen + beyond] < 0.0:
                    memo[seen + beyond] = memo[seen + place] + 1.0
                    memo[queue + last] = beyond
                    last += 1
    for place in range(board.n_hexes):
        memo[seen + place] = 0.0
    memo[_APART_KNOWN] = 1.0


@compiled
def _goal_cities(state, board, player, goal):
    """The two cities a goal wants joined by own links; -1, -1 when it is none, or done."""
    if goal < board.n_lines:
        if state.line_owner[goal] >= 0:
            return -1, -1
        return int(board.line_city[goal, 0]), int(board.line_city[goal, 1])
    row = int(state.barons[player, 0])
    if goal == _GOALS - 1 and row >= 0 and board.baron_condition[row] == CONNECTED:
        start = lowest(board.baron_cities[row])
        end = lowest(without_lowest(board.baron_cities[row]))
        if own_component(state, player, start) & bit(end) == 0:
            return start, end
    return -1, -1


@compiled
def _goal_points(state, board, weights, player, goal):
    """What reaching a goal is worth."""
    if goal < board.n_lines:
        return weights[LINES] * board.line_points[goal]
    return weights[BARONS] * board.baron_points[state.barons[player, 0]]


@compiled
def _measure_goals(state, board, player, memo):
    """How far every city is from either end of each goal, as far as own links reach."""
    _measure_map(board, memo)
    for goal in range(_GOALS):
        start, end = _goal_cities(state, board, player, goal)
        memo[_GAP + goal] = -1.0
        if start < 0:
            continue
        _spread(state, board, player, start, memo, _TO_START + goal * MAX_CITIES)
        _spread(state, board, player, end, memo, _TO_END + goal * MAX_CITIES)
        joined = own_component(state, player, start)
        memo[_GAP + goal] = _closest(memo, _TO_END + goal * MAX_CITIES, joined)


@compiled
def _spread(state, board, player, city, memo, place):
    """Hexes from every city to the nearest one that own links join to `city`."""
    for other in range(board.n_cities):
        memo[place + other] = 99.0
    joined = own_component(state, player, city)
    while joined != 0:
        here = lowest(joined)
        joined = without_lowest(joined)
        for other in range(board.n_cities):
            apart = memo[_APART + here * MAX_CITIES + other]
            memo[place + other] = min(memo[place + other], apart)


@compiled
def _goals_gained(state, board, weights, player, turns, here, there, memo):
    """What a link between two cities adds to Major Lines and to the Baron."""
    gained = 0.0
    near = own_component(state, player, here)
    far = own_component(state, player, there)
    for goal in range(_GOALS):
        gap = memo[_GAP + goal]
        if gap < 0.0:
            continue
        to_start = _TO_START + goal * MAX_CITIES
        to_end = _TO_END + goal * MAX_CITIES
        start_near = _closest(memo, to_start, near)
        start_far = _closest(memo, to_start, far)
        end_near = _closest(memo, to_end, near)
        end_far = _closest(memo, to_end, far)
        closer = gap
        if start_near == 0.0:
            closer = min(closer, end_far)
        if start_far == 0.0:
            closer = min(closer, end_near)
        if end_near == 0.0:
            closer = min(closer, start_far)
        if end_far == 0.0:
            closer = min(closer, start_near)
        points = _goal_points(state, board, weights, player, goal)
        if closer == 0.0:
            gained += points
        elif closer < gap and turns > 2.0:
            start, end = _goal_cities(state, board, player, goal)
            whole = memo[_APART + start * MAX_CITIES + end]
            gained += 0.5 * points * (gap - closer) / whole
    return gained + _baron_gained(state, board, weights, player, here, there)


@compiled
def _closest(memo, place, cities):
    """The least of the distances noted at `place` for some cities."""
    closest = 99.0
    while cities != 0:
        closest = min(closest, memo[place + lowest(cities)])
        cities = without_lowest(cities)
    return closest


@compiled
def _baron_gained(state, board, weights, player, here, there):
    """What a link adds to a Baron that counts links or cities."""
    row = int(state.barons[player, 0])
    if row < 0:
        return 0.0
    condition = board.baron_condition[row]
    ends = bit(here) | bit(there)
    cities = board.baron_cities[row]
    gained = 0.0
    if condition == LINKS_INTO:
        new = count(ends & cities & ~state.network[player])
        gained = 0.8 * new * board.baron_points[row] / board.baron_amount[row]
    elif condition == CONNECTIONS_OUT_OF:
        city = lowest(cities)
        if ends & cities != 0 and count(state.linked[player, city]) < board.baron_amount[row]:
            gained = float(board.baron_points[row])
    elif condition == MOST_LINKS or condition == LONGEST_CHAIN or condition == MOST_CITIES:
        gained = 0.06 * board.baron_points[row]
    return gained * weights[BARONS]


@compiled
def _baron_promise(board, row):
    """How well a Baron may be hoped to score: which of two to keep."""
    condition = board.baron_condition[row]
    chance = 0.3
    if condition == CONNECTIONS_OUT_OF:
        return 0.7 * board.baron_points[row] * board.baron_amount[row]
    if condition == LINKS_INTO:
        chance = 0.5
    elif condition == CONNECTED:
        chance = 0.45
    elif condition == MOST_MAJOR_LINES or condition == FIRST_LEVEL:
        chance = 0.35
    elif condition == MOST_MONEY:
        chance = 0.25
    return chance * board.baron_points[row]


# ------------------------------------------------------------------------------------- Deliveries


@compiled
def _note_bonuses(state, board, weights, player, memory):
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
def _best_delivery(state, board, weights, player, turns, later, least, memo, own_cities_only):
    """Worth and code of the delivery that adds most, less what the cube would bring later.

    `least` is the worth of the least delivery still counted on. With `own_cities_only` cubes in
    cities that others reach are left out.
    """
    memory = memo[_GOODS:]
    own = _point_now(state, board, weights, player, turns)
    best = _NEVER
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
            links = int(memo[_LENGTH + origin * 5 + colour])
            level = int(state.engine[player])
            kept = max(0.0, goods.worth(links, level, weights[PATIENCE]) - least)
            kept /= 1.0 + weights[SHARING] * rivals
            value = memory[goods.VALUE + colour] - later * kept
            if value > best:
                best = value
                code = DELIVER + (colour * MAX_CITIES + origin) * MAX_CITIES + city
    return best, code


@compiled
def _note_lengths(state, weights, player, memo):
    """The best delivery over own links of every cube the player could take."""
    memory = memo[_GOODS:]
    level = int(state.engine[player])
    most = min(MAX_LEVEL, level + 2)
    origins = state.network[player] & state.stocked
    while origins != 0:
        origin = lowest(origins)
        origins = without_lowest(origins)
        longest_deliveries(state, player, origin, 31, most, level, weights[PATIENCE], memory)
        for colour in range(5):
            memo[_LENGTH + origin * 5 + colour] = memory[goods.LENGTH + colour]


@compiled
def _cube_worth(state, weights, player, city, least, memory):
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


# ------------------------------------------------------------------------------------------ Builds


@compiled
def _best_link(state, board, weights, player, turns, later, deliveries, base, only, stub, memo):
    """Worth, city, first tile and cost of the link that adds most.

    From the stub if one is given, else from the city `only`, else (-1) from anywhere.
    """
    best = _NEVER
    best_city = -1
    best_tile = -1
    best_cost = 0
    memory = memo[_TRACK:_GOODS]
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
    best = _NEVER
    best_end = 0
    level = int(state.engine[player])
    while found != 0:
        there = lowest(found)
        found = without_lowest(found)
        if memo[_TRACK + at + track.TILES + there] > most:
            continue
        cost = int(memo[_TRACK + at + track.COST + there])
        further = (memo[_TRACK + at + track.PRICE + there] - cost) / ACTION_PRICE
        value = _gained(state, board, weights, player, turns, cost, 0) - _ACTION_WORTH * further
        value += _goals_gained(state, board, weights, player, turns, city, there, memo)
        here_linked = state.linked[player, city]
        there_linked = state.linked[player, there]
        network = state.network[player]
        state.linked[player, city] |= bit(there)
        state.linked[player, there] |= bit(city)
        state.network[player] |= bit(city) | bit(there)
        opened = _potential(state, weights, player, level, deliveries, memo[_GOODS:]) - base
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


# ---------------------------------------------------------------------------- Cities, engine, cards


@compiled
def _best_city_tile(state, board, weights, player, deliveries, base, cubes, least, memo):
    """Points (later) and code of the New City tile that adds most, with so many cubes."""
    memory = memo[_GOODS:]
    level = int(state.engine[player])
    best = 0.0
    code = -1
    cities = state.network[player]
    while cities != 0:
        city = lowest(cities)
        cities = without_lowest(cities)
        if state.colour[city] != GRAY:
            continue
        extra = cubes * _cube_worth(state, weights, player, city, least, memory)
        for colour in range(5):
            if state.new_tiles[colour] == 0:
                continue
            state.accepts[colour] |= bit(city)
            value = _potential(state, weights, player, level, deliveries, memory) - base + extra
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
        value = _cube_worth(state, weights, player, city, least, memo[_GOODS:])
        if value > best:
            best = value
            best_city = city
    return max(best, 0.0), best_city


@compiled
def _upgrade_worth(state, board, weights, player, turns, later, deliveries, base, memo):
    """Worth of the next engine level: deliveries it opens, a card, a Baron."""
    level = int(state.engine[player]) + 1
    if level > MAX_LEVEL or level > weights[LEVELS]:
        return _NEVER
    opened = _potential(state, weights, player, level, deliveries, memo[_GOODS:]) - base
    points = 0
    for row in range(board.n_cards):
        if (
            board.card_effect[row] == FIRST_ENGINE_LEVEL
            and state.shown[row] > 0
            and board.card_amount[row] == level
        ):
            points += board.card_points[row]
    value = later * weights[ENGINE] * opened
    value += _gained(state, board, weights, player, turns, board.engine_price[level], points)
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
    memory = memo[_GOODS:]
    turns = _turns_left(state, board, weights)
    deliveries = _deliveries_left(state, weights, turns)
    later = _later_point(state, board, weights, player, turns)
    level = int(state.engine[player])
    base = _potential(state, weights, player, level, deliveries, memory)
    least = memory[goods.LAST]
    _note_lengths(state, weights, player, memo)
    _note_bonuses(state, board, weights, player, memory)
    best, code = _best_delivery(state, board, weights, player, turns, later, least, memo, False)
    second = 0.0
    if best < 0.0:
        best = 0.0
        code = PASS
    if deliveries > 0.0:
        _measure_goals(state, board, player, memo)
        price_build(state, board)
        value, _, _, _ = _best_link(
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
        value += _gained(state, board, weights, player, turns, board.urbanize_cost, 0)
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
def _choose_in_build(state, board, weights, memo):
    """A card to declare, then the next tile of the link that adds most."""
    player = int(state.to_move)
    turns = _turns_left(state, board, weights)
    deliveries = max(1.0, _deliveries_left(state, weights, turns))
    later = _later_point(state, board, weights, player, turns)
    base = _potential(state, weights, player, int(state.engine[player]), deliveries, memo[_GOODS:])
    _measure_goals(state, board, player, memo)
    only = int(state.build_city) if state.phase == STARTING else -1
    stub = int(state.build_stub) if state.phase == EXTENDING else -1
    value, city, tile, cost = _best_link(
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
    return _choose_depots(state, board, weights, memo) if state.phase == EXTENDING else -1


@compiled
def _choose_depots(state, board, weights, memo):
    """Fuel Depots where they open most, if that is worth their price; else the Build is done."""
    player = int(state.to_move)
    turns = _turns_left(state, board, weights)
    deliveries = _deliveries_left(state, weights, turns)
    later = _later_point(state, board, weights, player, turns)
    level = int(state.engine[player])
    is_done = state.phase == LINK_DONE
    sites = build_depot_sites(state, board, is_done)
    number = min(1 if board.depots_2010 else 2, int(state.depots_left[player]))
    cost = 0 if state.depots_placed > 0 else int(board.depot_cost)
    least = -_gained(state, board, weights, player, turns, cost, 0)
    base = _potential(state, weights, player, level, deliveries, memo[_GOODS:])
    action = DONE
    while sites != 0:
        city = lowest(sites)
        sites = without_lowest(sites)
        state.depot_cities[player] |= bit(city)
        opened = _potential(state, weights, player, level, deliveries, memo[_GOODS:]) - base
        state.depot_cities[player] &= ~bit(city)
        # Each depot serves one delivery, which it makes longer by half the engine's reach.
        worth = weights[DEPOT_WORTH] * later * min(opened, 0.5 * level * number)
        if worth > least:
            least = worth
            action = DEPOTS + city * 2 + number - 1
    return action


@compiled
def _choose_dial(state, board, weights, memo):
    """A dial to turn with a Dispatcher, where that opens deliveries; -1: none."""
    player = int(state.to_move)
    row = rotor_card(state, board, player)
    if row < 0:
        return -1
    turns = _turns_left(state, board, weights)
    deliveries = 1.0 + _deliveries_left(state, weights, turns)
    level = int(state.engine[player])
    base = _potential(state, weights, player, level, deliveries, memo[_GOODS:])
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
            memo[_ACCEPTED + colour] = 1.0 if state.accepts[colour] & bit(city) != 0 else 0.0
        turn_dial(state, board, city, int(board.card_amount[row]))
        opened = _potential(state, weights, player, level, deliveries, memo[_GOODS:]) - base
        state.dial[city] = shown
        for colour in range(5):
            state.accepts[colour] &= ~bit(city)
            if memo[_ACCEPTED + colour] == 1.0:
                state.accepts[colour] |= bit(city)
        if opened > least:
            least = opened
            action = DIAL + city
    return action


@compiled
def _choose_bid(state, board, weights, memo):
    """Bid while going first is worth it: for a delivery or a card that a rival could take first."""
    player = int(state.to_move)
    memory = memo[_GOODS:]
    bid = state.bid + 1
    if bid > board.max_bid:
        return PASS
    turns = _turns_left(state, board, weights)
    later = _later_point(state, board, weights, player, turns)
    ahead = 1.0
    if state.high_bidder >= 0:  # places between going first and where the high bidder leaves one
        players = int(state.n_players)
        ahead = ((player - int(state.high_bidder)) % players) / (players - 1.0)
    worth = 0.0
    _note_lengths(state, weights, player, memo)
    _note_bonuses(state, board, weights, player, memory)
    any_city, _ = _best_delivery(state, board, weights, player, turns, later, 0.0, memo, False)
    own_city, _ = _best_delivery(state, board, weights, player, turns, later, 0.0, memo, True)
    worth += 0.5 * max(0.0, any_city - max(0.0, own_city))
    for row in range(board.n_cards):
        if state.shown[row] > 0 and board.card_effect[row] == TWO_ACTIONS:
            worth += 1.0
    worth *= weights[BIDS]
    if state.turn == 1:  # where to build is chosen first: among equals seats then win alike
        worth += weights[OPENING] * min(1.0, (state.n_players - 1) / 3.0)
    worth *= ahead
    cost = -_gained(state, board, weights, player, turns, bid, 0)
    return BID + bid if cost <= worth else PASS


@compiled
def _bid_in_cash(state, board):
    """Pass, or any bid that takes no Bond, all equally likely."""
    money = min(int(state.money[state.to_move]), int(board.max_bid))
    bid = state.bid + below(state, max(0, money - state.bid) + 1)
    return BID + bid if bid > state.bid else PASS


@compiled
def _answer_route(state, board, weights, memo):
    """Go on as the best route does that agrees with what is settled."""
    depots, via = best_route(state, board, 1.0, weights[RIVALRY], memo[_GOODS:])
    about = int(state.ask_about)
    if state.ask == ASK_POINTS:
        return POINTS + about * 16 + int(memo[_GOODS + goods.ROUTE + about])
    if state.ask == ASK_DEPOT:
        return THROUGH + about * 2 + (1 if depots & bit(about) != 0 else 0)
    return VIA + about * 2 + (1 if via & bit(about) != 0 else 0)


@compiled
def _choose_city(state, board, weights, memo):
    """For City Growth or New Industry."""
    player = int(state.to_move)
    turns = _turns_left(state, board, weights)
    deliveries = max(1.0, _deliveries_left(state, weights, turns))
    level = int(state.engine[player])
    if state.phase == CITY_GROWTH:
        _, city = _best_growth(state, weights, player, 0.0, memo)
        return GROW + city
    base = _potential(state, weights, player, level, deliveries, memo[_GOODS:])
    _, code = _best_city_tile(
        state, board, weights, player, deliveries, base, state.card_amount, 0.0, memo
    )
    return code


@compiled
def _take_memory(memo):
    """Clear a memory that this module has not written."""
    if memo[_MARK] != _READY:
        for place in range(MAX_SEATS, _MARK):
            memo[place] = 0.0
        memo[_MARK] = _READY


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
            first if _baron_promise(board, first) >= _baron_promise(board, second) else second
        )
    if phase == BIDDING:
        return _choose_bid(state, board, weights, memo)
    if phase == ACTION or phase == AFTER_ACTION:
        dial = _choose_dial(state, board, weights, memo)
        if dial >= 0:
            return dial
        return _choose_action(state, board, weights, memo) if phase == ACTION else DONE
    if phase == BUILDING or phase == STARTING or phase == EXTENDING:
        return _choose_in_build(state, board, weights, memo)
    if phase == ROUTE:
        return _answer_route(state, board, weights, memo)
    if phase == NEW_INDUSTRY or phase == CITY_GROWTH:
        return _choose_city(state, board, weights, memo)
    if phase == LINK_DONE:
        return _choose_depots(state, board, weights, memo)
    return -1
