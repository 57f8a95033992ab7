"""How near Major Lines and Rail Barons are, and what a link adds to them."""

from agents.railways_of_the_world import track_search as track
from agents.railways_of_the_world.weights import (
    APART,
    APART_KNOWN,
    BARONS,
    GAP,
    GOALS,
    LINES,
    TO_END,
    TO_START,
    TRACK,
)
from sim.bits import bit, count, lowest, without_lowest
from sim.contract import compiled
from sim.railways_of_the_world.state import (
    CONNECTED,
    CONNECTIONS_OUT_OF,
    FIRST_LEVEL,
    LINKS_INTO,
    LONGEST_CHAIN,
    MAX_CITIES,
    MOST_CITIES,
    MOST_LINKS,
    MOST_MAJOR_LINES,
    MOST_MONEY,
)
from sim.railways_of_the_world.track import own_component


@compiled
def _measure_map(board, memo):
    """Hexes between any two cities, over what is on the board; worked out once for a board."""
    if memo[APART_KNOWN] == 1.0:
        return
    queue = TRACK + track.STEPS
    seen = TRACK + track.SEEN
    for city in range(board.n_cities):
        for place in range(board.n_hexes):
            memo[seen + place] = -1.0
        for other in range(board.n_cities):
            memo[APART + city * MAX_CITIES + other] = 99.0
        memo[queue] = board.city_hex[city]
        memo[seen + int(board.city_hex[city])] = 0.0
        last = 1
        first = 0
        while first < last:
            place = int(memo[queue + first])
            first += 1
            there = int(board.city_at[place])
            if there >= 0:
                memo[APART + city * MAX_CITIES + there] = memo[seen + place]
            for side in range(6):
                beyond = int(board.beside[place, side])
                if beyond >= 0 and memo[seen + beyond] < 0.0:
                    memo[seen + beyond] = memo[seen + place] + 1.0
                    memo[queue + last] = beyond
                    last += 1
    for place in range(board.n_hexes):
        memo[seen + place] = 0.0
    memo[APART_KNOWN] = 1.0


@compiled
def _goal_cities(state, board, player, goal):
    """The two cities a goal wants joined by own links; -1, -1 when it is none, or done."""
    if goal < board.n_lines:
        if state.line_owner[goal] >= 0:
            return -1, -1
        return int(board.line_city[goal, 0]), int(board.line_city[goal, 1])
    row = int(state.barons[player, 0])
    if goal == GOALS - 1 and row >= 0 and board.baron_condition[row] == CONNECTED:
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
def measure_goals(state, board, player, memo):
    """How far every city is from either end of each goal, as far as own links reach."""
    _measure_map(board, memo)
    for goal in range(GOALS):
        start, end = _goal_cities(state, board, player, goal)
        memo[GAP + goal] = -1.0
        if start < 0:
            continue
        _spread(state, board, player, start, memo, TO_START + goal * MAX_CITIES)
        _spread(state, board, player, end, memo, TO_END + goal * MAX_CITIES)
        joined = own_component(state, player, start)
        memo[GAP + goal] = _closest(memo, TO_END + goal * MAX_CITIES, joined)


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
            apart = memo[APART + here * MAX_CITIES + other]
            memo[place + other] = min(memo[place + other], apart)


@compiled
def goals_gained(state, board, weights, player, turns, here, there, memo):
    """What a link between two cities adds to Major Lines and to the Baron."""
    gained = 0.0
    near = own_component(state, player, here)
    far = own_component(state, player, there)
    for goal in range(GOALS):
        gap = memo[GAP + goal]
        if gap < 0.0:
            continue
        to_start = TO_START + goal * MAX_CITIES
        to_end = TO_END + goal * MAX_CITIES
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
            whole = memo[APART + start * MAX_CITIES + end]
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
def baron_promise(board, row):
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
