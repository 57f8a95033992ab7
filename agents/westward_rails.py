"""Westward Rails: what a position is worth, how to bid, and the named strategies.

A railroad that moves from value v to v + g pays about S(v + g) - S(v) in dividends, where
S(v) = v^2 / 12 + v / 2 smooths 6 + 12 + 18 + ... (for `dividend_every` = 6).
"""

from agents.base import MAX_SEATS
from sim.bits import bit, count, lowest, without_lowest
from sim.contract import compiled
from sim.westward_rails.rules import least_bid
from sim.westward_rails.state import (
    BID,
    BIDDING,
    BOARD,
    LINK_WORDS,
    MAX_BID,
    MAX_DEMANDS,
    MAX_HOPS,
    MAX_QUEUE,
    OPENING_BID,
    PASS,
    STATE,
)

__all__ = [
    "BOARD",
    "PARAMETERS",
    "PRESETS",
    "SEARCH",
    "STATE",
    "TUNED",
    "advise",
    "evaluate",
    "loans",
]

# Order of the weights. Each is what one unit is worth in $ at the end of the game.
CASH, ACCRUED, PROSPECTS, GROWTH, TRACK, LINKS, REACH, DEMANDS, METROS, COAST, SHARES, BIDS = range(
    12
)

PARAMETERS = {
    "cash": (1.0, "$ in hand"),
    "accrued": (0.75, "$ of the next dividend, in proportion to the spaces gone"),
    "prospects": (0.25, "$ of dividends still to come"),
    "growth": (0.2, "spaces a railroad is expected to move for each cube it has left"),
    "track": (2.2, "$ for each cube in an unfinished link, times the share of the railroad"),
    "links": (0.1, "$ for each completed link of a railroad, times the share"),
    "reach": (0.75, "$ for each open link its railroads touch, times the share"),
    "demands": (0.2, "$ for each link nearer to an open demand, times the share"),
    "metros": (0.5, "$ for each upgraded metro area reached or next to its track, times the share"),
    "coast": (0.0, "$ for each link nearer to the West Coast, times the share"),
    "shares": (3.8, "$ for holding a share, whatever it pays"),
    "bids": (1.6, "part of a share's worth that is bid for it"),
}

# Named strategies: how each plays, and what sets it apart from the balanced weights above.
PRESETS = {
    "greedy": ("balanced: takes what its features say is worth most", {}),
    "collector": (
        "share collector: bids high and holds the most shares",
        {"shares": 6.0, "bids": 2.0},
    ),
    "builder": (
        "track builder: builds on more turns, completes more links, uses its cubes up",
        {"links": 2.0, "growth": 0.5, "bids": 1.85},
    ),
    "racer": (
        "demand racer: leases and builds toward open demands",
        {"demands": 3.0, "bids": 1.4},
    ),
    "upgrader": (
        "upgrader: bids low, upgrades metro areas and connects them",
        {"metros": 5.0, "bids": 1.4},
    ),
}

# Greedy's weights, tuned at a table of four against greedy, then against upgrader; what is bid lies
# between what the two runs found, each of which outbids the one and not the other.
TUNED = (
    "greedy with weights that `spike tune` found: beats all strategies above",
    {
        "rivalry": 0.687,
        "cash": 1.09,
        "accrued": 0.804,
        "prospects": 0.344,
        "growth": 0.199,
        "track": 2.19,
        "links": 0.124,
        "reach": 0.686,
        "demands": 0.204,
        "metros": 0.632,
        "coast": -0.0185,
        "shares": 3.58,
        "bids": 1.54,
    },
)

# Tree search: where playouts end, and how much a lead then counts.
SEARCH = {"depth": 20, "scale": 5.0, "playout_looks": 8}


@compiled
def _distance_to(board, cities, target, limit):
    """Links on the bare map from the nearest of `cities` to `target`, `limit` at most."""
    for hops in range(limit):
        if cities & board.within[target, hops] != 0:
            return hops
    return limit


@compiled
def _demand_progress(state, board, railroad, cards, memo):
    """Links by which a railroad's track is nearer to open demands than a bare map.

    Few actions change it, so the last figure for each railroad stays in `memo` beside all that
    it rests on: the open demands and the cities the railroad touches.
    """
    presence = state.presence[railroad]
    first = float(presence >> 32)
    second = float(presence & 0xFFFFFFFF)
    place = MAX_SEATS + 4 * railroad
    if memo[place] == cards and memo[place + 1] == first and memo[place + 2] == second:
        return memo[place + 3]
    progress = 0
    for space in range(board.demand_spaces + 1):
        card = _open_demand(state, board, space)
        if card >= 0:
            start = int(board.demand_city[card, 0])
            end = int(board.demand_city[card, 1])
            apart = min(MAX_HOPS, int(board.hops[start, end]))
            left = apart - _distance_to(board, presence, start, apart)
            if left > 0:
                progress += left - _distance_to(board, presence, end, left)
    memo[place] = cards
    memo[place + 1] = first
    memo[place + 2] = second
    memo[place + 3] = progress
    return float(progress)


@compiled
def _open_demands(state, board):
    """One number for the cards that lie open; below 2^53 for 9 of them."""
    cards = 1
    for space in range(board.demand_spaces + 1):
        cards = cards * (MAX_DEMANDS + 1) + _open_demand(state, board, space) + 1
    return float(cards)


@compiled
def _open_demand(state, board, space):
    """The card in a demand space; after the last space, the one seen on top of the stack."""
    if space < board.demand_spaces:
        return int(state.demand_space[space])
    return int(state.deck[state.deck_next]) if state.deck_next < board.n_demands else -1


@compiled
def _metro_progress(state, board, railroad):
    """Upgraded metro areas a railroad has joined, and half of those its track only touches."""
    progress = 0.0
    metros = int(state.upgraded)
    while metros != 0:
        metro = lowest(metros)
        metros = without_lowest(metros)
        if state.joined[railroad] & board.metro_cities[metro] != 0:
            progress += 1.0
        elif state.presence[railroad] & board.metro_near[metro] != 0:
            progress += 0.5
    return progress


@compiled
def _coast_progress(state, board, railroad):
    """Links by which a railroad is nearer to the West Coast than MAX_HOPS."""
    cities = board.coast
    nearest = MAX_HOPS
    while cities != 0:
        city = lowest(cities)
        cities = without_lowest(cities)
        nearest = _distance_to(board, state.presence[railroad], city, nearest)
    return MAX_HOPS - nearest


@compiled
def _waiting(state, railroad):
    """White spaces a railroad has reached in this action that will pay when it ends."""
    waiting = 0
    for place in range(state.queue_first, state.queue_last):
        if state.queue[place % MAX_QUEUE] == railroad:
            waiting += 1
    return waiting


@compiled
def _railroad_worth(state, board, railroad, weights, cards, memo):
    """What all of a railroad is worth to its shareholders together ($)."""
    value = float(state.value[railroad])
    due = float(state.next_dividend[railroad] - board.dividend_every * _waiting(state, railroad))
    growth = weights[GROWTH] * state.cubes[railroad]
    bend = 0.5 / board.dividend_every
    # S(value) less the dividends paid, those before `due`; then S(value + growth) - S(value).
    worth = weights[ACCRUED] * (value * (value * bend + 0.5) - due * (due * bend - 0.5))
    worth += weights[PROSPECTS] * growth * ((2.0 * value + growth) * bend + 0.5)
    unfinished = 0
    completed = 0
    reach = 0
    for word in range(LINK_WORDS):
        begun = state.begun[railroad, word]
        while begun != 0:
            unfinished += state.link_cubes[word * 64 + lowest(begun)]
            begun = without_lowest(begun)
        completed += count(state.complete[railroad, word])
        reach += count(state.adjacent[railroad, word] & state.unowned[word])
    worth += weights[TRACK] * unfinished + weights[LINKS] * completed
    worth += weights[REACH] * min(reach, int(state.cubes[railroad]))
    if weights[DEMANDS] != 0.0 and state.cubes[railroad] > 0:
        worth += weights[DEMANDS] * _demand_progress(state, board, railroad, cards, memo)
    if weights[METROS] != 0.0:
        worth += weights[METROS] * _metro_progress(state, board, railroad)
    if weights[COAST] != 0.0:
        worth += weights[COAST] * _coast_progress(state, board, railroad)
    return worth


@compiled
def evaluate(state, board, weights, out):
    """Cash, and each railroad's worth by shares; an open auction counts as if it were held."""
    cards = _open_demands(state, board)
    for player in range(state.n_players):
        out[player] = weights[CASH] * state.money[player]
    for railroad in range(board.n_railroads):
        shares = state.shares_out[railroad]
        sold = 0
        winner = -1
        if railroad == state.auctioned and (state.phase == BIDDING or state.phase == OPENING_BID):
            sold = 1
        if shares + sold == 0:
            continue
        each = _railroad_worth(state, board, railroad, weights, cards, out) / (shares + sold)
        each += weights[SHARES]
        if sold == 1:
            winner, price = _expected_sale(state, board, each)
            out[winner] += each - weights[CASH] * price
        for player in range(state.n_players):
            out[player] += each * int(state.shares[player, railroad])


@compiled
def _expected_sale(state, board, worth):
    """Who would win the open auction, and at what price, if all valued the share alike.

    All would bid up to the same worth, so the one with most cash left wins, at what the next can
    and would pay; whoever offers the share pays the least bid when nobody else would.
    """
    winner = int(state.actor)
    most = -1
    second = 0
    for player in range(state.n_players):
        limit = min(int(state.money[player]), int(worth))
        if state.passed & bit(player) != 0:
            limit = -1
        if limit > most or (limit == most and player == state.actor):
            second = max(second, most)
            most = limit
            winner = player
        else:
            second = max(second, limit)
    if most < board.minimum_bid:
        winner = int(state.actor)
        second = 0
    return winner, max(second, int(board.minimum_bid))


@compiled
def advise(state, board, weights, memo):
    """Bid the least that may be bid, up to a part of what the share is worth."""
    if state.phase != BIDDING and state.phase != OPENING_BID:
        return -1
    player = int(state.to_move)
    least = least_bid(state, board)
    if state.phase == OPENING_BID:
        return BID + least
    railroad = int(state.auctioned)
    cards = _open_demands(state, board)
    worth = _railroad_worth(state, board, railroad, weights, cards, memo)
    worth /= state.shares_out[railroad] + 1
    worth = (worth + weights[SHARES]) * weights[BIDS]
    if least <= worth and least <= min(int(state.money[player]), MAX_BID):
        return BID + least
    return PASS


@compiled
def loans(state, board, action):
    """Nobody lends."""
    return 0
