"""Westward Rails: the rules, compiled.

Headings are the rulebook's. Codes such as B3 or K5 are the rulings of this room's README.
"""

from sim.bits import bit, count, lowest, without_lowest, write
from sim.contract import BROKEN, compiled
from sim.rng import below
from sim.westward_rails.measures import MEASURES, OBSERVATION, measures, observe, usage
from sim.westward_rails.state import (
    AUCTION,
    AUCTION_SPACE,
    BID,
    BIDDING,
    BOARD,
    BUILD,
    BUILD_SPACE,
    BY_BOTH,
    BY_CUBES,
    BY_DEADLOCK,
    BY_DEMANDS,
    DEMAND_ROUTE,
    END_REASONS,
    LEASE,
    LEASE_ROUTE,
    LINK_WORDS,
    MAX_BID,
    MAX_CODE,
    MAX_DECISIONS,
    MAX_LEGAL,
    MAX_LINKS,
    MAX_PLAYERS,
    MAX_QUEUE,
    MAX_RAILROADS,
    NO_ROUTE,
    OPENING_BID,
    OVER,
    PASS,
    PAYING_LEASE,
    PLACING_CUBE,
    ROUTE,
    ROUTE_LINK,
    SECOND_CUBE,
    SETTLING,
    STATE,
    STOP,
    TURN,
    UPGRADE,
    UPGRADE_SPACE,
)

__all__ = [
    "BOARD",
    "END_REASONS",
    "MAX_CODE",
    "MAX_DECISIONS",
    "MAX_LEGAL",
    "MAX_PLAYERS",
    "MEASURES",
    "OBSERVATION",
    "STATE",
    "apply",
    "determinize",
    "legal_actions",
    "measures",
    "observe",
    "payoffs",
    "scores",
    "setup",
    "usage",
]


# ------------------------------------------------------------------------------------- Set-Up


@compiled
def setup(state, board, n_players, seed):
    """Deal a new game: money, shares, track cubes, demand stack; the Initial Auction opens."""
    state.westward_rails = 1
    state.rng = seed
    state.status = 0
    state.is_over = 0
    state.end_reason = -1
    state.n_players = n_players
    state.turn = 0
    state.forced_passes = 0
    state.passes = 0
    for player in range(MAX_PLAYERS):
        state.money[player] = board.starting_money[n_players] if player < n_players else 0
        state.disc[player] = BUILD_SPACE  # A8
        state.dividend_money[player] = 0
        state.lease_paid[player] = 0
        state.builds[player] = 0
        state.upgrades[player] = 0
        state.sales[player] = 0
        for railroad in range(MAX_RAILROADS):
            state.shares[player, railroad] = 0
    _set_up_railroads(state, board)
    _set_up_demands(state, board)
    state.upgrade_cubes = board.upgrade_cubes
    state.upgraded = 0
    state.metro_cash = 0
    state.dividends = 0
    state.auctions = 0
    state.auction_money = 0
    state.queue_first = 0
    state.queue_last = 0
    state.check_space = 0
    state.met = 0
    state.cubes_placed = 0
    state.building = -1
    state.build_link = -1
    state.build_end = 0
    state.route_from = -1
    state.route_railroad = -1
    state.initial = 0
    _open_auction(state, 0, 0)


@compiled
def _set_up_railroads(state, board):
    for word in range(LINK_WORDS):
        state.unowned[word] = 0
    for link in range(MAX_LINKS):
        state.link_railroad[link] = -1
        state.link_cubes[link] = 0
        if link < board.n_links:
            state.unowned[link >> 6] |= bit(link & 63)
    for city in range(len(state.component)):
        state.component[city] = city
        state.distance[city] = -1
        state.path[city] = -1
    for railroad in range(MAX_RAILROADS):
        state.value[railroad] = board.starting_value
        state.next_dividend[railroad] = (
            board.starting_value // board.dividend_every + 1
        ) * board.dividend_every
        state.shares_out[railroad] = 0
        state.cubes[railroad] = board.cubes_per_railroad if railroad < board.n_railroads else 0
        state.initial_price[railroad] = 0
        state.gain[railroad] = 0
        state.route_amount[railroad] = -1
        state.presence[railroad] = 0
        state.joined[railroad] = 0
        for word in range(LINK_WORDS):
            state.begun[railroad, word] = 0
            state.complete[railroad, word] = 0
            state.adjacent[railroad, word] = 0
            state.reachable[railroad, word] = 0
        for city in range(len(state.component)):
            state.lease[railroad, city] = NO_ROUTE
    for railroad in range(board.n_railroads):
        touch(state, board, railroad, int(board.railroad_start[railroad]))


@compiled
def _set_up_demands(state, board):
    """Each letter shuffled by itself, A on top."""
    for card in range(len(state.deck)):
        state.deck[card] = card if card < board.n_demands else -1  # listed by letter
    for place in range(MAX_QUEUE):
        state.queue[place] = -1
    _shuffle_deck(state, board, 0)
    state.deck_next = 0
    state.demands_met = 0
    state.demands_lost = 0
    for space in range(len(state.demand_space)):
        state.demand_space[space] = -1
    for _ in range(board.demands_face_up):  # K11
        _adjust_demands(state, board)


@compiled
def _shuffle_deck(state, board, first):
    """Shuffle the deck from position `first` on, each letter by itself."""
    start = first
    while start < board.n_demands:
        letter = board.demand_letter[state.deck[start]]
        end = start + 1
        while end < board.n_demands and board.demand_letter[state.deck[end]] == letter:
            end += 1
        for i in range(end - 1, start, -1):
            j = start + below(state, i - start + 1)
            card = state.deck[i]
            state.deck[i] = state.deck[j]
            state.deck[j] = card
        start = end


@compiled
def determinize(state, board, viewer, seed):
    """Only the top card of the stack is seen (D2); below it each letter may lie in any order."""
    state.rng = seed
    first = state.deck_next + 1
    hidden = 0
    for place in range(first, board.n_demands):
        hidden |= bit(state.deck[place])
    for place in range(first, board.n_demands):  # in the board's order: no trace of the true one
        state.deck[place] = lowest(hidden)
        hidden = without_lowest(hidden)
    if first < board.n_demands:
        _shuffle_deck(state, board, first)


# ------------------------------------------------------------- Initial Auction, Auction Action


@compiled
def _open_auction(state, railroad, player):
    """Put a share of `railroad` up; in the Initial Auction `player` may bid or pass first."""
    state.auctioned = railroad
    state.high_bid = 0
    state.high_bidder = -1
    state.passed = 0
    state.actor = player
    state.to_move = player
    state.phase = BIDDING


@compiled
def least_bid(state, board):
    """The least bid, or the last one and the least raise ($)."""
    if state.high_bid > 0:
        return max(int(board.minimum_bid), int(state.high_bid + board.minimum_raise))
    return int(board.minimum_bid)


@compiled
def _legal_bids(state, board, out):
    n = 0
    if state.phase == BIDDING:
        out[0] = PASS
        n = 1
    least = least_bid(state, board)
    most = min(state.money[state.to_move], MAX_BID)  # A2
    for bid in range(least, most + 1):
        out[n] = BID + bid
        n += 1
    return n


@compiled
def _bid(state, board, action):
    """A bid or a pass, clockwise; the last who has not passed wins."""
    player = int(state.to_move)
    if action == PASS:
        state.passed |= bit(player)
    else:
        state.high_bid = action - BID
        state.high_bidder = player
    state.phase = BIDDING
    for step in range(1, state.n_players + 1):
        other = (player + step) % state.n_players
        if other != state.high_bidder and state.passed & bit(other) == 0:
            state.to_move = other
            return
    winner = state.high_bidder
    if winner < 0:  # everybody passed: free to the player who began (A3)
        winner = state.actor
    _sell(state, board, winner)


@compiled
def _sell(state, board, winner):
    """Pay the bank, hand over the share, raise the value (A7)."""
    railroad = int(state.auctioned)
    state.money[winner] -= state.high_bid
    state.shares[winner, railroad] += 1
    state.shares_out[railroad] += 1
    if state.initial < board.n_railroads:
        state.initial_price[railroad] = state.high_bid
        state.high_bidder = winner
        state.initial += 1
        if board.initial_auction_raises_value and state.high_bid > 0:  # A5
            _raise_value(state, board, railroad, board.auction_value_increase)
    else:
        state.auctions += 1
        state.auction_money += state.high_bid
        _raise_value(state, board, railroad, board.auction_value_increase)
    state.phase = SETTLING


# ---------------------------------------------------------------------------------- On Your Go


@compiled
def legal_actions(state, board, out):
    """Write the codes that are legal in the phase of the game; return how many."""
    phase = state.phase
    if phase == BIDDING or phase == OPENING_BID:
        return _legal_bids(state, board, out)
    if phase == TURN:
        return _legal_turn(state, board, out)
    if phase == SECOND_CUBE:
        out[0] = STOP
        return _legal_cubes(state, board, int(state.building), out, 1)
    if phase == LEASE_ROUTE or phase == DEMAND_ROUTE:
        return _legal_routes(state, board, out)
    return 0


@compiled
def may_use(state, board, space):
    """A disc must move, so a second space of the kind is needed to act there again (T1, T3)."""
    spaces = board.spaces[space]
    return spaces > 1 or (spaces == 1 and state.disc[state.to_move] != space)


@compiled
def _legal_turn(state, board, out):
    player = int(state.to_move)
    money = state.money[player]
    n = 0
    if may_use(state, board, BUILD_SPACE):
        for railroad in range(board.n_railroads):
            if state.shares[player, railroad] > 0:
                n = _legal_cubes(state, board, railroad, out, n)
    if money >= board.minimum_bid and may_use(state, board, AUCTION_SPACE):
        for railroad in range(board.n_railroads):
            if state.shares_out[railroad] < board.shares_per_railroad:
                out[n] = AUCTION + railroad
                n += 1
    if (
        state.upgrade_cubes > 0
        and money >= board.upgrade_cost
        and may_use(state, board, UPGRADE_SPACE)
    ):
        for metro in range(board.n_metros):
            if state.upgraded & bit(metro) == 0:
                out[n] = UPGRADE + metro
                n += 1
    if n == 0:
        out[0] = PASS
        n = 1
    return n


@compiled
def apply(state, board, action):
    """Play an action, with all dividends and demands that follow from it."""
    phase = state.phase
    if phase == BIDDING or phase == OPENING_BID:
        _bid(state, board, action)
    elif phase == LEASE_ROUTE or phase == DEMAND_ROUTE:
        _choose_route(state, board, action)
    elif action == PASS:
        _pass(state)
    elif action == STOP:
        state.phase = SETTLING
    elif action < UPGRADE:
        _offer_share(state, action - AUCTION)
    elif action < BUILD:
        _upgrade(state, board, action - UPGRADE)
    else:
        _build(state, board, action)
    # The steps that actions share, each in one place: numba copies what is called from many.
    if state.phase == PAYING_LEASE:
        _pay_lease(state, board)
    if state.phase == PLACING_CUBE:
        _place_cube(state, board)
    if state.phase == SETTLING:
        settle(state, board)


@compiled
def _pass(state):
    state.passes += 1
    state.forced_passes += 1
    if state.forced_passes >= state.n_players:  # T5
        _end_game(state, BY_DEADLOCK)
    else:
        _next_turn(state)


@compiled
def _offer_share(state, railroad):
    """Auction Action: whoever offers a share must open the bidding (A6)."""
    player = int(state.to_move)
    _move_disc(state, AUCTION_SPACE)
    state.sales[player] += 1
    _open_auction(state, railroad, player)
    state.phase = OPENING_BID


@compiled
def _move_disc(state, space):
    state.disc[state.to_move] = space
    state.forced_passes = 0


@compiled
def _next_turn(state):
    state.actor = (state.actor + 1) % state.n_players
    _begin_turn(state)


@compiled
def _begin_turn(state):
    state.to_move = state.actor
    state.turn += 1
    state.phase = TURN


# -------------------------------------------------------------------------------- Build Action


@compiled
def _legal_cubes(state, board, railroad, out, n):
    """Write from place `n` on where the next cube of `railroad` may go; return the new count."""
    if state.cubes[railroad] == 0:
        return n
    code = BUILD + railroad * MAX_LINKS
    for word in range(LINK_WORDS):
        links = state.begun[railroad, word] | (state.unowned[word] & state.adjacent[railroad, word])
        n = write(links, code + word * 64, out, n)
    if not _may_lease(state, board, railroad):
        return n
    for word in range(LINK_WORDS):
        links = state.unowned[word] & state.reachable[railroad, word]
        if not board.lease_when_adjacent_allowed:  # L6
            links &= ~state.adjacent[railroad, word]
        while links != 0:
            link = word * 64 + lowest(links)
            links = without_lowest(links)
            ends = _lease_ends(state, board, railroad, link)
            code = LEASE + (railroad * MAX_LINKS + link) * 2
            if ends & 1:
                out[n] = code
                n += 1
            if ends & 2:
                out[n] = code + 1
                n += 1
    return n


@compiled
def _can_place_cube(state, board, railroad):
    """Whether `_legal_cubes` would find a place."""
    if state.cubes[railroad] == 0:
        return False
    for word in range(LINK_WORDS):
        links = state.begun[railroad, word] | (state.unowned[word] & state.adjacent[railroad, word])
        if links != 0:
            return True
    if _may_lease(state, board, railroad):
        for word in range(LINK_WORDS):
            links = state.unowned[word] & state.reachable[railroad, word]
            while links != 0:
                link = word * 64 + lowest(links)
                links = without_lowest(links)
                if _lease_ends(state, board, railroad, link) != 0:
                    return True
    return False


@compiled
def _build(state, board, action):
    """Choose where a cube goes: adjacent to the railroad's track, or by a leased route."""
    if state.phase == TURN:
        _move_disc(state, BUILD_SPACE)
        state.builds[state.to_move] += 1
        state.cubes_placed = 0
    is_leased = action >= LEASE
    place = (action - LEASE) // 2 if is_leased else action - BUILD
    railroad = place // MAX_LINKS
    link = place % MAX_LINKS
    state.building = railroad
    state.build_link = link
    if is_leased:
        state.build_end = (action - LEASE) % 2
        state.phase = LEASE_ROUTE
        _ask_route(state, board, int(board.link_city[link, state.build_end]))
        if state.route_railroad < 0:
            state.phase = PAYING_LEASE
    else:
        near = int(board.link_city[link, 0])
        state.build_end = 0 if state.presence[railroad] & bit(near) != 0 else 1
        state.phase = PLACING_CUBE


@compiled
def _place_cube(state, board):
    """One cube on the link chosen, which is begun from the end chosen (B3, K3)."""
    railroad = int(state.building)
    link = int(state.build_link)
    segments = int(board.link_segments[link])
    if state.link_cubes[link] == 0:
        state.link_railroad[link] = railroad
        state.unowned[link >> 6] &= ~bit(link & 63)
        if segments > 1:
            state.begun[railroad, link >> 6] |= bit(link & 63)
            if board.incomplete_link_gives_presence:
                touch(state, board, railroad, int(board.link_city[link, state.build_end]))
    state.link_cubes[link] += 1
    state.cubes[railroad] -= 1
    if state.link_cubes[link] == segments:
        _complete_link(state, board, railroad, link)
    state.cubes_placed += 1
    if state.cubes_placed < 2 and _can_place_cube(state, board, railroad):  # K2
        state.phase = SECOND_CUBE
        state.to_move = state.actor
    else:
        state.phase = SETTLING


@compiled
def touch(state, board, railroad, city):
    """The railroad's track now touches `city`: links there are adjacent, leases may start there."""
    if state.presence[railroad] & bit(city) != 0:
        return
    state.presence[railroad] |= bit(city)
    for word in range(LINK_WORDS):
        state.adjacent[railroad, word] |= board.city_links[city, word]
        state.reachable[railroad, word] |= board.city_links[city, word]
    state.lease[railroad, city] = 0
    _shorten_leases(state, board, railroad, bit(city))


# ----------------------------------------------------------------------------- Completing a Link


@compiled
def _complete_link(state, board, railroad, link):
    """Value up by the segments, and by the metro and West Coast bonuses."""
    near = int(board.link_city[link, 0])
    far = int(board.link_city[link, 1])
    before = state.joined[railroad]
    state.joined[railroad] = before | bit(near) | bit(far)
    gain = int(board.link_segments[link])
    for end in range(2):
        city = int(board.link_city[link, end])
        if end == 0 or board.city_metro[city] != board.city_metro[near]:  # K10: once for an area
            gain += _metro_bonus(state, board, railroad, city, before)
    gain += _west_coast_bonus(board, near, far, before)
    _raise_value(state, board, railroad, gain)
    lay_link(state, board, railroad, link)


@compiled
def lay_link(state, board, railroad, link):
    """Completed track joins its cities for everybody's demands and leases."""
    near = int(board.link_city[link, 0])
    far = int(board.link_city[link, 1])
    state.begun[railroad, link >> 6] &= ~bit(link & 63)
    state.complete[railroad, link >> 6] |= bit(link & 63)
    joins = state.component[near]
    joined = state.component[far]
    if joins != joined:
        for city in range(board.n_cities):
            if state.component[city] == joined:
                state.component[city] = joins
    for end in range(2):
        city = int(board.link_city[link, end])
        touch(state, board, railroad, city)
        for rival in range(board.n_railroads):
            if rival != railroad and _is_shorter(
                state, board, rival, link, near + far - city, city
            ):
                _shorten_leases(state, board, rival, bit(city))


@compiled
def _metro_bonus(state, board, railroad, city, before):
    """Upgraded Metro Bonus for a link completed to `city`; `before`: ends the railroad had."""
    metro = int(board.city_metro[city])
    if metro < 0 or state.upgraded & bit(metro) == 0:
        return 0
    if before & board.metro_cities[metro] == 0:
        if state.metro_cash & bit(metro) != 0:
            state.metro_cash &= ~bit(metro)
            _pay_shareholders(state, board, railroad, board.metro_first_link_cash)
        return board.metro_value_increase
    return board.metro_value_increase if board.metro_each_link else 0  # M1


@compiled
def _west_coast_bonus(board, near, far, before):
    cities = (bit(near) | bit(far)) & board.coast
    if board.west_coast_once_per_city:
        cities &= ~before
    return board.west_coast_value_increase if cities != 0 else 0  # W1


@compiled
def _raise_value(state, board, railroad, spaces):
    """Move the marker; every white space it reaches or passes is queued, lowest first (V1, V2)."""
    state.value[railroad] += spaces
    while state.next_dividend[railroad] <= state.value[railroad]:
        if state.queue_last - state.queue_first == MAX_QUEUE:
            state.status = BROKEN
            return
        state.queue[state.queue_last % MAX_QUEUE] = railroad
        state.queue_last += 1
        state.next_dividend[railroad] += board.dividend_every


@compiled
def _pay_shareholders(state, board, railroad, amount):
    """`amount` divided by the shares, rounded up, to each share (V3); return what a share got."""
    shares = state.shares_out[railroad]
    if board.divide_by_all_shares:
        shares = board.shares_per_railroad
    if shares == 0:
        return 0
    each = (amount + shares - 1) // shares
    for player in range(state.n_players):
        state.money[player] += each * int(state.shares[player, railroad])
    return each


# ------------------------------------------------------------------------------------- Leasing


@compiled
def _may_lease(state, board, railroad):
    """Not before the first cube, which must be placed at the starting city (B8, L9)."""
    return state.cubes[railroad] < board.cubes_per_railroad or board.lease_allowed_before_first_cube


@compiled
def _shorten_leases(state, board, railroad, cities):
    """Bring `lease` up to date, now that routes may have become shorter at `cities`.

    Track is never taken away, so routes only shorten: follow rival links outward while they do.
    """
    while cities != 0:
        shortened = 0
        for word in range(LINK_WORDS):
            rivals = _rival_links(state, board, railroad, word)
            here = cities
            while here != 0:
                city = lowest(here)
                here = without_lowest(here)
                links = rivals & board.city_links[city, word]
                while links != 0:
                    link = word * 64 + lowest(links)
                    links = without_lowest(links)
                    other = other_end(board, link, city)
                    if _is_shorter(state, board, railroad, link, city, other):
                        shortened |= bit(other)
        cities = shortened


@compiled
def _is_shorter(state, board, railroad, link, city, other):
    """Whether leasing `link` on from `city` shortens the way to `other`; then note it."""
    length = int(state.lease[railroad, city]) + ROUTE_LINK + int(board.link_segments[link])
    if length >= state.lease[railroad, other]:
        return False
    state.lease[railroad, other] = length
    for word in range(LINK_WORDS):
        state.reachable[railroad, word] |= board.city_links[other, word]
    return True


@compiled
def _rival_links(state, board, railroad, word):
    """Completed links of all railroads but this one (L10); of all, where it is -1."""
    links = 0
    for rival in range(board.n_railroads):
        if rival != railroad:
            links |= state.complete[rival, word]
    return links


@compiled
def other_end(board, link, city):
    near = int(board.link_city[link, 0])
    return int(board.link_city[link, 1]) if near == city else near


@compiled
def _lease_ends(state, board, railroad, link):
    """Ends (1: first, 2: second, 3: both) that a shortest, payable leased route reaches (M18)."""
    near = int(state.lease[railroad, board.link_city[link, 0]])
    far = int(state.lease[railroad, board.link_city[link, 1]])
    if near == 0 or far == 0:  # adjacent: only with L6 off, and then only to the other end
        if near == far:
            return 0
        near = NO_ROUTE if near == 0 else near
        far = NO_ROUTE if far == 0 else far
    shortest = min(near, far)
    if shortest >= NO_ROUTE:
        return 0
    if not board.lease_tie_cheapest:
        shortest = shortest // ROUTE_LINK * ROUTE_LINK + ROUTE_LINK - 1
    ends = 0
    money = state.money[state.to_move]
    if near <= shortest and near % ROUTE_LINK * board.lease_cost_per_segment <= money:  # L7
        ends |= 1
    if far <= shortest and far % ROUTE_LINK * board.lease_cost_per_segment <= money:
        ends |= 2
    return ends


@compiled
def _pay_lease(state, board):
    """Pay for each segment; each rival's money is divided among its shares (L5, K6)."""
    player = int(state.actor)
    for rival in range(board.n_railroads):
        cost = int(state.route_amount[rival]) * board.lease_cost_per_segment
        state.money[player] -= cost
        state.lease_paid[player] += cost
    for rival in range(board.n_railroads):
        cost = int(state.route_amount[rival]) * board.lease_cost_per_segment
        if cost > 0:
            _pay_shareholders(state, board, rival, cost)
    state.phase = PLACING_CUBE


# --------------------------------------------------------------- Choosing among equal routes


@compiled
def _ask_route(state, board, city):
    """Start to settle how much of each railroad the route from `city` uses (M20)."""
    state.route_from = city
    state.route_railroad = -1
    for railroad in range(MAX_RAILROADS):
        state.route_amount[railroad] = -1
    _next_route(state, board, True)
    used = _route_used(state, board)
    while _next_route(state, board, False):
        if _route_used(state, board) != used:
            _settle_route(state, board)
            return
    for railroad in range(MAX_RAILROADS):
        state.route_amount[railroad] = (used >> (8 * railroad)) & 255


@compiled
def _settle_route(state, board):
    """Settle railroads from left to right; stop at the first that leaves a choice."""
    for railroad in range(MAX_RAILROADS):
        if state.route_amount[railroad] < 0:
            amounts = _route_amounts(state, board, railroad)
            if count(amounts) != 1:
                state.route_railroad = railroad
                state.to_move = state.actor
                return
            state.route_amount[railroad] = lowest(amounts)
    state.route_railroad = -1


@compiled
def _route_amounts(state, board, railroad):
    """Set of amounts of `railroad` that shortest routes with the settled amounts use."""
    amounts = 0
    is_route = _next_route(state, board, True)
    while is_route:
        used = _route_used(state, board)
        agrees = True
        for other in range(MAX_RAILROADS):
            settled = int(state.route_amount[other])
            if settled >= 0 and settled != (used >> (8 * other)) & 255:
                agrees = False
        if agrees:
            amounts |= bit((used >> (8 * railroad)) & 255)
        is_route = _next_route(state, board, False)
    return amounts


@compiled
def _next_route(state, board, is_first):
    """Bring `path` to the first, or the next, shortest route from `route_from` that can be paid.

    False when there is no more. Every route is walked: on any real board a handful.
    """
    length = links_to_go(state, int(state.route_from))
    whole = lease_budget(state, board)
    step = 0 if is_first else length - 1
    last = -1 if is_first else int(state.path[step])
    while step >= 0:
        city = int(state.route_from)
        budget = whole
        for i in range(step):
            budget -= _route_amount(state, board, int(state.path[i]))
            city = other_end(board, int(state.path[i]), city)
        link = _next_link(state, board, city, last, budget)
        if link >= 0:
            state.path[step] = link
            step += 1
            last = -1
            if step == length:
                return True
        else:
            step -= 1
            last = int(state.path[step]) if step >= 0 else -1
    return False


@compiled
def _next_link(state, board, city, last, budget):
    """The first link after `last` that takes a shortest route on from `city`; -1: none."""
    wanted = links_to_go(state, city) - 1
    lessee = int(state.building) if state.phase == LEASE_ROUTE else -1
    for word in range(LINK_WORDS):
        links = _rival_links(state, board, lessee, word) & board.city_links[city, word]
        while links != 0:
            link = word * 64 + lowest(links)
            links = without_lowest(links)
            if (
                link > last
                and links_to_go(state, other_end(board, link, city)) == wanted
                and _route_amount(state, board, link) <= budget
            ):
                return link
    return -1


@compiled
def links_to_go(state, city):
    """Links of a shortest route on from `city`; no route: far more than any (or -1)."""
    if state.phase == LEASE_ROUTE:
        return int(state.lease[state.building, city]) // ROUTE_LINK
    return int(state.distance[city])


@compiled
def lease_budget(state, board):
    """Segments the acting player may lease on this route; no limit for a demand's."""
    if state.phase != LEASE_ROUTE:
        return MAX_CODE
    if board.lease_tie_cheapest:
        return int(state.lease[state.building, state.route_from]) % ROUTE_LINK
    if board.lease_cost_per_segment == 0:
        return MAX_CODE
    return int(state.money[state.actor]) // int(board.lease_cost_per_segment)


@compiled
def _route_amount(state, board, link):
    """What a link adds to a route: its segments when leased (L8), one link for a demand."""
    return int(board.link_segments[link]) if state.phase == LEASE_ROUTE else 1


@compiled
def _route_used(state, board):
    """Amounts the route in `path` uses, 8 bits a railroad."""
    used = 0
    for step in range(links_to_go(state, int(state.route_from))):
        link = int(state.path[step])
        used += _route_amount(state, board, link) << (8 * int(state.link_railroad[link]))
    return used


@compiled
def _legal_routes(state, board, out):
    railroad = int(state.route_railroad)
    amounts = _route_amounts(state, board, railroad)
    return write(amounts, ROUTE + railroad * 64, out, 0)


@compiled
def _choose_route(state, board, action):
    state.route_amount[state.route_railroad] = (action - ROUTE) % 64
    _settle_route(state, board)
    if state.route_railroad >= 0:
        return
    if state.phase == LEASE_ROUTE:
        state.phase = PAYING_LEASE
    else:
        _meet_demand(state, board)
        state.phase = SETTLING


# ------------------------------------------------------------------------------ Upgrade Action


@compiled
def _upgrade(state, board, metro):
    """Pay the bank, place a cube; railroads connected before move up at once (M2, M4)."""
    _move_disc(state, UPGRADE_SPACE)
    state.upgrades[state.to_move] += 1
    state.money[state.to_move] -= board.upgrade_cost
    state.upgrade_cubes -= 1
    state.upgraded |= bit(metro)
    state.metro_cash |= bit(metro)
    for railroad in range(board.n_railroads):
        if state.joined[railroad] & board.metro_cities[metro] != 0:
            _raise_value(state, board, railroad, board.metro_value_increase)
            if board.metro_cash_forfeited_if_preconnected:  # M3
                state.metro_cash &= ~bit(metro)
    state.phase = SETTLING


# --------------------------------------------------------------------------- Dividends, Demands


@compiled
def settle(state, board):
    """After an action: dividends, then demands, until nothing changes; then the next turn.

    Returns early, to be called again, when the acting player must choose a demand's route.
    """
    paid = False
    while state.status != BROKEN:
        if not board.finish_turn_before_game_end and _test_end(state, board):  # X5
            return
        is_checking = state.check_space > 0 or (paid and board.check_after_each_dividend)  # K8
        if state.queue_first < state.queue_last and not is_checking:
            _pay_dividend(state, board)
            _adjust_demands(state, board)
            paid = True
            continue
        paid = False
        if not _check_demands(state, board):
            return
        if state.met != 0:
            _fulfil_demands(state, board)
        elif state.queue_first == state.queue_last:
            break
    state.queue_first = 0
    state.queue_last = 0
    if state.turn == 0:
        _next_initial_auction(state, board)
    elif not _test_end(state, board):
        _next_turn(state)


@compiled
def _next_initial_auction(state, board):
    """The winner opens the next auction; the winner of the last one has the first turn (A4)."""
    winner = int(state.high_bidder)
    if state.initial < board.n_railroads:
        _open_auction(state, state.initial, winner)
    else:
        state.actor = winner
        _begin_turn(state)


@compiled
def _pay_dividend(state, board):
    railroad = int(state.queue[state.queue_first % MAX_QUEUE])
    state.queue_first += 1
    waiting = 1  # white spaces of this railroad still to pay, this one included
    for i in range(state.queue_first, state.queue_last):
        if state.queue[i % MAX_QUEUE] == railroad:
            waiting += 1
    space = state.next_dividend[railroad] - waiting * board.dividend_every
    each = _pay_shareholders(state, board, railroad, space)
    state.dividends += 1
    for player in range(state.n_players):
        state.dividend_money[player] += each * int(state.shares[player, railroad])


@compiled
def _adjust_demands(state, board):
    """Every card down one space, the last one out, the top of the deck in (D4)."""
    last = board.demand_spaces - 1
    if state.demand_space[last] >= 0:
        state.demands_lost += 1
    for space in range(last, 0, -1):
        state.demand_space[space] = state.demand_space[space - 1]
    state.demand_space[0] = -1
    if state.deck_next < board.n_demands:
        state.demand_space[0] = state.deck[state.deck_next]
        state.deck_next += 1


@compiled
def _check_demands(state, board):
    """Mark the demands met and add up what they bring; False while a route must be chosen."""
    while state.check_space < board.demand_spaces:
        card = int(state.demand_space[state.check_space])
        if card >= 0:
            start = int(board.demand_city[card, 0])
            end = int(board.demand_city[card, 1])
            if state.component[start] == state.component[end]:
                _measure_distances(state, board, end)
                state.phase = DEMAND_ROUTE
                _ask_route(state, board, start)
                if state.route_railroad >= 0:
                    return False
                _meet_demand(state, board)
                continue
        state.check_space += 1
    state.check_space = 0
    return True


@compiled
def _meet_demand(state, board):
    """Note the demand in `check_space` as met by the settled route."""
    for railroad in range(board.n_railroads):
        state.gain[railroad] += int(state.route_amount[railroad])
    state.met |= bit(state.check_space)
    state.check_space += 1


@compiled
def _fulfil_demands(state, board):
    """All demands met in this check together: cards off, values up (D5)."""
    for space in range(board.demand_spaces):
        if state.met & bit(space) != 0:
            state.demand_space[space] = -1
            state.demands_met += 1
            if board.demand_track_closes_gaps:  # M19: cards above move down
                for above in range(space, 0, -1):
                    state.demand_space[above] = state.demand_space[above - 1]
                state.demand_space[0] = -1
    state.met = 0
    for railroad in range(board.n_railroads):
        gain = state.gain[railroad]
        state.gain[railroad] = 0
        if gain > 0:
            _raise_value(state, board, railroad, gain)


@compiled
def _measure_distances(state, board, end):
    """`distance` of every city to `end` in completed links of any railroad; -1: not joined."""
    for city in range(board.n_cities):
        state.distance[city] = -1
    state.distance[end] = 0
    frontier = bit(end)
    distance = 0
    while frontier != 0:
        distance += 1
        reached = 0
        while frontier != 0:
            city = lowest(frontier)
            frontier = without_lowest(frontier)
            for word in range(LINK_WORDS):
                links = _rival_links(state, board, -1, word) & board.city_links[city, word]
                while links != 0:
                    other = other_end(board, word * 64 + lowest(links), city)
                    links = without_lowest(links)
                    if state.distance[other] < 0:
                        state.distance[other] = distance
                        reached |= bit(other)
        frontier = reached


# ----------------------------------------------------------------------------- Ending the Game


@compiled
def _test_end(state, board):
    """End the game when all demands are gone or enough railroads are out of cubes (E2)."""
    demands_left = board.n_demands - state.deck_next
    for space in range(board.demand_spaces):
        if state.demand_space[space] >= 0:
            demands_left += 1
    out_of_cubes = 0
    for railroad in range(board.n_railroads):
        if state.cubes[railroad] == 0:
            out_of_cubes += 1
    by_demands = demands_left == 0
    by_cubes = out_of_cubes >= board.railroads_out_of_cubes
    if by_demands and by_cubes:
        _end_game(state, BY_BOTH)
    elif by_demands:
        _end_game(state, BY_DEMANDS)
    elif by_cubes:
        _end_game(state, BY_CUBES)
    return by_demands or by_cubes


@compiled
def _end_game(state, reason):
    state.is_over = 1
    state.end_reason = reason
    state.phase = OVER


@compiled
def scores(state, board, out):
    """Money; shares contribute nothing."""
    for player in range(state.n_players):
        out[player] = state.money[player]


@compiled
def payoffs(state, board, out):
    """Most money; then most shares in the most valuable railroads; then shared (E3, K12)."""
    top = 0
    for railroad in range(board.n_railroads):
        top = max(top, state.value[railroad])
    best = -1
    winners = 0
    for player in range(state.n_players):
        shares = 0
        for railroad in range(board.n_railroads):
            if state.value[railroad] == top:
                shares += int(state.shares[player, railroad])
        standing = int(state.money[player]) * 1000 + shares
        out[player] = standing
        if standing > best:
            best = standing
            winners = 0
        if standing == best:
            winners += 1
    for player in range(state.n_players):
        out[player] = 1.0 / winners if out[player] == best else 0.0
