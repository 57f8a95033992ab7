"""Where goods could go: the deliveries a network allows, and the best route of one."""

from sim.bits import bit, count, lowest, without_lowest
from sim.contract import compiled
from sim.railways_of_the_world.state import MAX_CITIES, MAX_LEVEL, MAX_PLAYERS

# Places in the memory given to the searches.
LENGTH = 0  # + colour: links of the longest delivery from the city looked at
ALIVE = LENGTH + 5  # + step of the walk: colours not yet stopped
CUBES = ALIVE + MAX_LEVEL + 2  # + links: cubes whose best delivery has that many; 0: none yet
LAST = CUBES + MAX_LEVEL + 2  # worth of the least delivery that counts
ROUTE = LAST + 1  # + seat: links of the best route
VALUE = ROUTE + MAX_PLAYERS  # + colour: worth of the best delivery from the city looked at
CITY = VALUE + 5  # + colour: where it goes
OWN = CITY + 5  # + step of the walk: own links so far
OTHERS = OWN + MAX_LEVEL + 2  # + step of the walk: others' links so far
BONUS = OTHERS + MAX_LEVEL + 2  # + city: what else a delivery there brings
RECORD = BONUS + MAX_CITIES  # links from which a delivery brings
RECORD_BONUS = RECORD + 1  # this
SIZE = RECORD_BONUS + 1

MOST_OTHERS = 3  # links of others that a delivery is thought to use
DEPOT = 0.5  # links that a Fuel Depot used is worth


@compiled
def cubes_in(state, city):
    """Set of colours of the cubes in a city."""
    colours = 0
    for colour in range(5):
        if state.cubes[city, colour] > 0:
            colours |= bit(colour)
    return colours


@compiled
def rivals_at(state, player, city):
    """Number of other players with a link at a city."""
    rivals = 0
    for other in range(state.n_players):
        if other != player and state.network[other] & bit(city) != 0:
            rivals += 1
    return rivals


@compiled
def _accepted(state, city):
    """Set of colours a city accepts."""
    colours = 0
    for colour in range(5):
        if state.accepts[colour] & bit(city) != 0:
            colours |= bit(colour)
    return colours


@compiled
def longest_deliveries(state, player, origin, colours, most_links, level, patience, memory):
    """LENGTH of the best delivery of each colour from a city over own links alone; 0: none.

    An own Fuel Depot lets a cube pass. Up to `level` links the longer the better; those beyond, up
    to `most_links`, ask for a better engine and are taken only where nothing else is found, or when
    worth more with each missing level counted `patience`.
    """
    for colour in range(5):
        memory[LENGTH + colour] = 0
    step = 0
    state.path_city[0] = origin
    state.path_left[0] = state.linked[player, origin]
    memory[ALIVE] = colours
    seen = bit(origin)
    while step >= 0:
        left = state.path_left[step]
        if left == 0:
            seen &= ~bit(state.path_city[step])
            step -= 1
            continue
        city = lowest(left)
        state.path_left[step] = without_lowest(left)
        links = step + 1
        alive = int(memory[ALIVE + step])
        stopped = alive & _accepted(state, city)
        if state.depot_cities[player] & bit(city) == 0:
            alive &= ~stopped
        while stopped != 0:
            colour = lowest(stopped)
            stopped = without_lowest(stopped)
            best = int(memory[LENGTH + colour])
            if worth(links, level, patience) > worth(best, level, patience):
                memory[LENGTH + colour] = links
        if alive != 0 and links < most_links:
            step += 1
            seen |= bit(city)
            state.path_city[step] = city
            state.path_left[step] = state.linked[player, city] & ~seen
            memory[ALIVE + step] = alive


@compiled
def worth(links, level, patience):
    """Points of a delivery; each level the engine lacks counts `patience` (0 to 1)."""
    value = float(links)
    for _ in range(level, links):
        value *= patience
    return value


@compiled
def potential(state, player, level, deliveries, patience, sharing, hope, memory):
    """Points (own links) of the best `deliveries` a network allows with an engine level.

    A cube in a city that other networks reach too counts less, by `sharing` for each of them; one
    that cannot be delivered yet counts `hope`. LAST is the worth of the least that counts.
    """
    for links in range(MAX_LEVEL + 1):
        memory[CUBES + links] = 0.0
    most = min(MAX_LEVEL, level + 2)
    origins = state.network[player] & state.stocked
    while origins != 0:
        origin = lowest(origins)
        origins = without_lowest(origins)
        colours = cubes_in(state, origin)
        rivals = rivals_at(state, player, origin)
        longest_deliveries(state, player, origin, colours, most, level, patience, memory)
        for colour in range(5):
            links = int(memory[LENGTH + colour])
            cubes = float(state.cubes[origin, colour])
            memory[CUBES + links] += cubes / (1.0 + sharing * rivals)
    total = 0.0
    value = 0.0
    left = deliveries
    memory[LAST] = 0.0
    while left > 0.0:
        best = 0
        value = hope
        for links in range(1, most + 1):
            if memory[CUBES + links] > 0.0 and worth(links, level, patience) > value:
                best = links
                value = worth(links, level, patience)
        if best == 0 and memory[CUBES] == 0.0:
            return total
        taken = min(left, memory[CUBES + best])
        memory[CUBES + best] = 0.0
        left -= taken
        total += taken * value
    memory[LAST] = value
    return total


@compiled
def best_deliveries(state, player, origin, colours, own_worth, other_cost, memory):
    """VALUE and CITY of the best delivery of each colour from a city, over anybody's links.

    An own link is worth `own_worth`, another's costs `other_cost`; at most MOST_OTHERS of
    these are used. BONUS of the city and RECORD_BONUS are added; where an own Fuel Depot lets
    the cube pass a city of its colour, DEPOT is taken off.
    """
    for colour in range(5):
        memory[VALUE + colour] = -1e9
        memory[CITY + colour] = -1
    limit = int(state.engine[player])
    step = 0
    state.path_city[0] = origin
    state.path_owner[0] = player
    state.path_left[0] = state.linked[player, origin]
    memory[ALIVE] = colours
    memory[OWN] = 0
    memory[OTHERS] = 0
    seen = bit(origin)
    while step >= 0:
        left = state.path_left[step]
        if left == 0:
            # Own links first, then, as one, those of all others where there is no own link.
            here = int(state.path_city[step])
            owner = int(state.path_owner[step])
            if owner == player and step > 0 and memory[OTHERS + step] < MOST_OTHERS:
                state.path_owner[step] = -1
                state.path_left[step] = state.joined[here] & ~state.linked[player, here] & ~seen
                continue
            seen &= ~bit(here)
            step -= 1
            continue
        city = lowest(left)
        state.path_left[step] = without_lowest(left)
        is_own = state.path_owner[step] == player
        own = memory[OWN + step] + (1 if is_own else 0)
        others = memory[OTHERS + step] + (0 if is_own else 1)
        alive = int(memory[ALIVE + step])
        stopped = alive & _accepted(state, city)
        if state.depot_cities[player] & bit(city) == 0:
            alive &= ~stopped
        value = own_worth * own - other_cost * others + memory[BONUS + city]
        if own + others >= memory[RECORD]:
            value += memory[RECORD_BONUS]
        while stopped != 0:
            colour = lowest(stopped)
            stopped = without_lowest(stopped)
            depots = count(seen & state.accepts[colour] & ~bit(origin))
            if value - DEPOT * own_worth * depots > memory[VALUE + colour]:
                memory[VALUE + colour] = value - DEPOT * own_worth * depots
                memory[CITY + colour] = city
        if alive != 0 and step + 1 < limit:
            step += 1
            seen |= bit(city)
            state.path_city[step] = city
            state.path_owner[step] = player
            state.path_left[step] = state.linked[player, city] & ~seen
            memory[ALIVE + step] = alive
            memory[OWN + step] = own
            memory[OTHERS + step] = others


@compiled
def best_route(state, board, own_worth, other_cost, memory):
    """Find the best route for the move under way that agrees with what is settled.

    Writes the links of every seat (ROUTE); returns the sets of cities where it uses a depot, and
    that it passes. All routes are walked.
    """
    player = int(state.to_move)
    end = int(state.move_to)
    limit = int(state.engine[player])
    accepting = state.accepts[state.move_colour]
    passable = ~accepting | (state.depot_cities[player] & ~state.set_depots[0])
    passable &= ~state.set_via[0]
    start = bit(state.move_from)
    seen = start | (state.stopped_seen[player] if state.move_continues else start)
    own_first = not state.move_continues or board.own_first_link_after_stop
    best = -1e9
    best_depots = 0
    best_via = 0
    for seat in range(MAX_PLAYERS):
        state.path_points[seat] = 0
    passed = 0
    step = 0
    state.path_city[0] = state.move_from
    state.path_owner[0] = -1
    state.path_left[0] = 0
    while step >= 0:
        here = int(state.path_city[step])
        if state.path_left[step] == 0:
            owner = int(state.path_owner[step]) + 1
            if step == 0 and own_first:
                owner = player if owner <= player else int(state.n_players)
            if owner < state.n_players:
                state.path_owner[step] = owner
                near = state.near[limit - step - 1]  # of the end: noted when the route was asked
                state.path_left[step] = state.linked[owner, here] & near & ~(seen | passed)
                continue
            step -= 1
            if step >= 0:
                passed &= ~bit(here)
                state.path_points[state.path_owner[step]] -= 1
            continue
        city = lowest(state.path_left[step])
        state.path_left[step] = without_lowest(state.path_left[step])
        owner = int(state.path_owner[step])
        if city != end:
            if bit(city) & passable != 0:
                state.path_points[owner] += 1
                step += 1
                passed |= bit(city)
                state.path_city[step] = city
                state.path_owner[step] = -1
                state.path_left[step] = 0
            continue
        state.path_points[owner] += 1
        depots = passed & accepting
        agrees = state.set_depots[1] & ~depots == 0 and state.set_via[1] & ~passed == 0
        value = 0.0
        for seat in range(state.n_players):
            points = int(state.path_points[seat])
            value += own_worth * points if seat == player else -other_cost * points
            if state.set_points[seat] >= 0 and state.set_points[seat] != points:
                agrees = False
        value -= DEPOT * own_worth * count(depots)
        if agrees and value > best:
            best = value
            best_depots = depots
            best_via = passed
            for seat in range(state.n_players):
                memory[ROUTE + seat] = state.path_points[seat]
        state.path_points[owner] -= 1
    return best_depots, best_via
