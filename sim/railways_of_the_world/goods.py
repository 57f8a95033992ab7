"""D. Deliver Goods Cube: where cubes may go, by which routes, and what a delivery brings.

Most moves have one outcome. Where routes differ in the points of a player, in the depots used or,
for a stop, in the cities passed, one question after the other is asked until one is left (M20).
"""

from sim.bits import bit, count, lowest, without_lowest, write
from sim.contract import compiled
from sim.railways_of_the_world.money import gain
from sim.railways_of_the_world.state import (
    ASK_DEPOT,
    ASK_POINTS,
    ASK_VIA,
    CONTINUE,
    CONTINUE_STOP,
    DELIVER,
    FIRST_DELIVERY,
    FIRST_DELIVERY_LINKS,
    FIRST_DELIVERY_TO,
    HOTEL,
    MAX_CITIES,
    POINTS,
    RED,
    STOP,
    THROUGH,
    VIA,
)
from sim.rng import below

# ------------------------------------------------------------------------------ Cubes and markers


@compiled
def cubes_in_bag(state):
    """Number of cubes left in the bag."""
    total = 0
    for colour in range(5):
        total += state.bag[colour]
    return total


@compiled
def draw_cube(state, total):
    """The colour of a random cube out of the bag, which holds `total`."""
    place = below(state, total)
    colour = 0
    while place >= state.bag[colour]:
        place -= state.bag[colour]
        colour += 1
    state.bag[colour] -= 1
    return colour


@compiled
def put_cube(state, city, colour, lifts_marker):
    """A cube comes into a city, whose marker may come off until the end is triggered."""
    state.cubes[city, colour] += 1
    state.stocked |= bit(city)
    if lifts_marker and state.triggered == 0:
        state.marked &= ~bit(city)


@compiled
def add_cubes(state, city, number, lifts_marker):
    """Random cubes into a city, what is left of them; its marker comes off (R07, A05, M12)."""
    for _ in range(number):
        total = cubes_in_bag(state)
        if total == 0:
            return
        put_cube(state, city, draw_cube(state, total), lifts_marker)


@compiled
def _take_cube(state, board, city, colour):
    """A cube leaves its city; the last one leaves an Empty City Marker, which may end the game."""
    state.cubes[city, colour] -= 1
    for other in range(5):
        if state.cubes[city, other] != 0:
            return
    state.stocked &= ~bit(city)
    if state.triggered != 0 or state.marked & bit(city) != 0:
        return
    state.marked |= bit(city)
    if count(state.marked) >= board.empty_city_markers[state.n_players]:
        state.triggered = state.round_number
        state.trigger_player = state.to_move
        state.last_turn = state.turn + 1


@compiled
def lose_stopped_cube(state, player):
    """A stopped cube that is not moved on at once goes to the bag (M9)."""
    if state.stopped[player] >= 0:
        state.bag[state.stopped[player]] += 1
        state.stopped[player] = -1
        state.cubes_lost[player] += 1


# --------------------------------------------------------------------------------- Where cubes go


@compiled
def reachable(state, player, colour, origin, seen, own_first):
    """Set of cities to which a cube may be moved from `origin`, `seen` being barred.

    Breadth first: a shortest walk passes no city twice.
    """
    passable = ~state.accepts[colour] | state.depot_cities[player]
    barred = seen | bit(origin)
    frontier = (state.linked[player, origin] if own_first else state.joined[origin]) & ~barred
    reached = frontier
    for _ in range(1, state.engine[player]):
        frontier &= passable
        new = 0
        while frontier != 0:
            new |= state.joined[lowest(frontier)]
            frontier = without_lowest(frontier)
        frontier = new & ~(reached | barred)
        if frontier == 0:
            break
        reached |= frontier
    return reached


@compiled
def _stops(state, player, colour):
    """Set of cities where a cube of the colour may stop: one that accepts it takes two depots."""
    cities = state.depot_cities[player]
    both = cities & state.accepts[colour]
    while both != 0:
        city = lowest(both)
        both = without_lowest(both)
        if state.depots[player, city] < 2:
            cities &= ~bit(city)
    return cities


@compiled
def legal_deliveries(state, board, out, n):
    """Codes of all deliveries, stops and continuations of the player to move."""
    player = int(state.to_move)
    origins = state.network[player] & state.stocked
    while origins != 0:
        origin = lowest(origins)
        origins = without_lowest(origins)
        for colour in range(5):
            if state.cubes[origin, colour] == 0:
                continue
            reached = reachable(state, player, colour, origin, 0, True)
            code = (colour * MAX_CITIES + origin) * MAX_CITIES
            n = write(reached & state.accepts[colour], DELIVER + code, out, n)
            if state.depot_cities[player] != 0:
                n = write(reached & _stops(state, player, colour), STOP + code, out, n)
    if state.stopped[player] >= 0:
        colour = int(state.stopped[player])
        origin = int(state.stopped_at[player])
        seen = state.stopped_seen[player]
        own_first = board.own_first_link_after_stop != 0
        reached = reachable(state, player, colour, origin, seen, own_first)
        n = write(reached & state.accepts[colour], CONTINUE, out, n)
        n = write(reached & _stops(state, player, colour), CONTINUE_STOP, out, n)
    return n


@compiled
def begin_move(state, action):
    """Note what a move's code says."""
    player = int(state.to_move)
    state.move_continues = 1 if CONTINUE <= action < DELIVER else 0
    if state.move_continues:
        state.move_stops = 1 if action >= CONTINUE_STOP else 0
        state.move_to = (action - CONTINUE) % MAX_CITIES
        state.move_from = state.stopped_at[player]
        state.move_colour = state.stopped[player]
    else:
        state.move_stops = 1 if action >= STOP else 0
        place = action - (STOP if state.move_stops else DELIVER)
        state.move_to = place % MAX_CITIES
        state.move_from = place // MAX_CITIES % MAX_CITIES
        state.move_colour = place // (MAX_CITIES * MAX_CITIES)
    for seat in range(len(state.set_points)):
        state.set_points[seat] = -1
    for answer in range(2):
        state.set_depots[answer] = 0
        state.set_via[answer] = 0


@compiled
def ask_route(state, board):
    """Walk all routes that agree with what is settled, and ask the first question left.

    Sets `ask_values` to the set of answers, 0 when there is one outcome only; that outcome then
    stands in `set_points`, `set_depots[1]` and `set_via[1]`.
    """
    depots_some, depots_all, via_some, via_all = _walk_routes(state, board)
    state.ask_values = 0
    for seat in range(state.n_players):
        if count(int(state.possible_points[seat])) > 1:
            state.ask = ASK_POINTS
            state.ask_about = seat
            state.ask_values = state.possible_points[seat]
            return
    if depots_some != depots_all:
        state.ask = ASK_DEPOT
        state.ask_about = lowest(depots_some & ~depots_all)
        state.ask_values = 3
        return
    if state.move_stops and via_some != via_all:
        state.ask = ASK_VIA
        state.ask_about = lowest(via_some & ~via_all)
        state.ask_values = 3
        return
    for seat in range(state.n_players):
        state.set_points[seat] = lowest(int(state.possible_points[seat]))
    state.set_depots[1] = depots_all
    state.set_via[1] = via_all


@compiled
def legal_answers(state, out):
    """Codes of the answers to the question asked about the route."""
    answers = state.ask_values
    about = int(state.ask_about)
    n = 0
    while answers != 0:
        answer = lowest(answers)
        answers = without_lowest(answers)
        if state.ask == ASK_POINTS:
            out[n] = POINTS + about * 16 + answer
        elif state.ask == ASK_DEPOT:
            out[n] = THROUGH + about * 2 + answer
        else:
            out[n] = VIA + about * 2 + answer
        n += 1
    return n


@compiled
def note_answer(state, action):
    """Settle what the answer says."""
    if action < THROUGH:
        state.set_points[(action - POINTS) // 16] = (action - POINTS) % 16
    elif action < VIA:
        state.set_depots[(action - THROUGH) % 2] |= bit((action - THROUGH) // 2)
    else:
        state.set_via[(action - VIA) % 2] |= bit((action - VIA) // 2)


@compiled
def _walk_routes(state, board):
    """Depth first over all routes; the sets of cities with a depot used, and passed: some, all."""
    player = int(state.to_move)
    end = int(state.move_to)
    limit = int(state.engine[player])
    accepting = state.accepts[state.move_colour]
    seen = state.stopped_seen[player] if state.move_continues else bit(state.move_from)
    _find_near(state, accepting, seen, limit)
    for seat in range(state.n_players):
        state.possible_points[seat] = 0
        state.path_points[seat] = 0
    depots_some = 0
    depots_all = -1
    via_some = 0
    via_all = -1
    passed = 0
    step = 0
    state.path_city[0] = state.move_from
    _enter(state, board, 0, limit, seen)
    while step >= 0:
        if state.path_left[step] == 0:
            if not _next_owner(state, board, step, limit, seen | passed):
                step -= 1
                if step >= 0:
                    state.path_points[state.path_owner[step]] -= 1
                    passed &= ~bit(state.path_city[step + 1])
            continue
        city = lowest(state.path_left[step])
        state.path_left[step] = without_lowest(state.path_left[step])
        owner = int(state.path_owner[step])
        settled = int(state.set_points[owner])
        if settled >= 0 and state.path_points[owner] == settled:
            continue
        state.path_points[owner] += 1
        if city != end:
            step += 1
            state.path_city[step] = city
            passed |= bit(city)
            _enter(state, board, step, limit, seen | passed)
            continue
        depots = passed & accepting
        if _agrees(state, depots, passed):
            for seat in range(state.n_players):
                state.possible_points[seat] |= 1 << int(state.path_points[seat])
            depots_some |= depots
            depots_all &= depots
            via_some |= passed
            via_all &= passed
        state.path_points[owner] -= 1
    return depots_some, depots_all, via_some, via_all


@compiled
def _find_near(state, accepting, seen, limit):
    """`near[k]`: cities not `seen` from which at most k links lead to the end of the move."""
    passable = ~accepting | (state.depot_cities[state.to_move] & ~state.set_depots[0])
    passable &= ~(seen | state.set_via[0])
    reached = bit(state.move_to)
    frontier = reached
    state.near[0] = reached
    for links in range(1, limit):
        new = 0
        while frontier != 0:
            new |= state.joined[lowest(frontier)]
            frontier = without_lowest(frontier)
        frontier = new & passable & ~reached
        reached |= frontier
        state.near[links] = reached


@compiled
def _enter(state, board, step, limit, barred):
    """Begin to try the links that lead on from the city at `step`."""
    state.path_owner[step] = -1
    state.path_left[step] = 0
    if not _next_owner(state, board, step, limit, barred):
        state.path_owner[step] = state.n_players


@compiled
def _next_owner(state, board, step, limit, barred):
    """Go on to the next owner with a link from the city at `step` that may be taken."""
    city = int(state.path_city[step])
    is_own = step == 0 and not (state.move_continues and not board.own_first_link_after_stop)
    for owner in range(state.path_owner[step] + 1, state.n_players):
        if is_own and owner != state.to_move:
            continue
        left = state.linked[owner, city] & ~barred & state.near[limit - step - 1]
        if left != 0:
            state.path_owner[step] = owner
            state.path_left[step] = left
            return True
    return False


@compiled
def _agrees(state, depots, passed):
    """Whether a whole route has the points, depots and cities that are settled."""
    for seat in range(state.n_players):
        if state.set_points[seat] >= 0 and state.set_points[seat] != state.path_points[seat]:
            return False
    if state.set_depots[1] & ~depots != 0:
        return False
    return state.set_via[1] & ~passed == 0


# --------------------------------------------------------------------------------- Moving the cube


@compiled
def move_cube(state, board):
    """Carry the settled move out."""
    player = int(state.to_move)
    start = int(state.move_from)
    end = int(state.move_to)
    colour = int(state.move_colour)
    links = 0
    for seat in range(state.n_players):
        links += int(state.set_points[seat])
    if state.move_continues:
        _take_back_depot(state, player, start)
    else:
        _take_cube(state, board, start, colour)
        state.stopped_from[player] = start
        state.stopped_links[player] = 0
        state.stopped_seen[player] = bit(start)
        for seat in range(state.n_players):
            state.stopped_points[player, seat] = 0
    used = state.set_depots[1]
    while used != 0:
        _take_back_depot(state, player, lowest(used))
        used = without_lowest(used)
    state.stopped_links[player] += links
    state.stopped_seen[player] |= state.set_via[1] | bit(end)
    for seat in range(state.n_players):
        state.stopped_points[player, seat] += state.set_points[seat]
    if not state.move_stops:
        state.stopped[player] = -1
        _arrive(state, board, player, colour, end)
        return
    state.stopped[player] = colour
    state.stopped_at[player] = end
    if state.accepts[colour] & bit(end) != 0:  # one ignores the colour, one holds the cube (A08)
        _take_back_depot(state, player, end)


@compiled
def _take_back_depot(state, player, city):
    """A used depot returns to its owner's supply."""
    state.depots[player, city] -= 1
    state.depots_left[player] += 1
    state.depots_used[player] += 1
    if state.depots[player, city] == 0:
        state.depot_cities[player] &= ~bit(city)


@compiled
def _arrive(state, board, player, colour, city):
    """A cube is delivered: points, Hotels, green cards, the city's dial, the western link."""
    state.bag[colour] += 1
    links = int(state.stopped_links[player])
    state.deliveries[player] += 1
    state.delivery_links[player] += links
    state.longest_delivery[player] = max(state.longest_delivery[player], links)
    for seat in range(state.n_players):
        points = int(state.stopped_points[player, seat])
        state.delivery_points[seat] += points
        gain(state, seat, points)
    for row in range(board.n_cards):
        points = board.card_points[row]
        if board.card_effect[row] == HOTEL and board.card_city[row] == city:
            for seat in range(state.n_players):  # R15
                score_card(state, seat, int(state.held[seat, row]) * points)
        elif state.shown[row] > 0 and _is_goal_reached(board, row, city, links):
            score_card(state, player, int(state.shown[row]) * points)  # K18
            state.shown[row] = 0
    if state.dial[city] >= 0:
        turn_dial(state, board, city, 1)
    for place in range(board.n_western):
        if (
            state.western_owner[place] >= 0
            and board.western_city[place] == state.stopped_from[player]
            and board.western_destination == city
            and colour == RED
        ):
            add_cubes(state, city, board.western_added, True)


@compiled
def _is_goal_reached(board, row, city, links):
    """Whether a delivery into a city over so many links is what a green circle asks for."""
    effect = board.card_effect[row]
    if effect == FIRST_DELIVERY_TO:
        return board.card_city[row] == city
    if effect == FIRST_DELIVERY_LINKS:
        return links >= board.card_amount[row]
    return effect == FIRST_DELIVERY


@compiled
def score_card(state, player, points):
    """Points from a card."""
    state.card_points[player] += points
    gain(state, player, points)


@compiled
def turn_dial(state, board, city, steps):
    """Turn a City Rotor's dial; its fixed colour stays (R17)."""
    for _ in range(steps):
        if state.dial[city] < 5 and state.dial[city] != state.colour[city]:
            state.accepts[state.dial[city]] &= ~bit(city)
        state.dial[city] = board.dial_next[state.dial[city]]
        if state.dial[city] < 5:
            state.accepts[state.dial[city]] |= bit(city)
