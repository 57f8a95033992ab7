"""What a game of Westward Rails leaves in the results table, and what a player sees of it."""

from sim.bits import bit, count
from sim.contract import Measure, compiled
from sim.westward_rails.state import (
    LINK_WORDS,
    MAX_DEMAND_SPACES,
    MAX_LINKS,
    MAX_METROS,
    MAX_PLAYERS,
    MAX_RAILROADS,
)

MONEY, PRICES = "Dividends and leases", "Auction prices"  # parts of the report

MEASURES = (
    Measure("dividends", "dividends", "dividends paid in the game"),
    Measure("dividend_money", "$", "dividends received by the player", True, MONEY),
    Measure("lease_money", "$", "paid by the player for leases", True, MONEY),
    Measure("demands_met", "demands", "demands fulfilled in the game"),
    Measure("demands_lost", "demands", "demands discarded in the game"),
    Measure("auctions", "auctions", "shares sold after the Initial Auction"),
    Measure(
        "auction_price",
        "$",
        "mean price of the shares sold after the Initial Auction",
        heading=PRICES,
    ),
    *(
        Measure(
            f"initial_price_{number}",
            "$",
            f"Initial Auction: price of the {which} railroad's share",
            heading=PRICES,
            piece="railroad",
        )
        for number, which in enumerate(("first", "second", "third", "fourth", "fifth"), 1)
    ),
    Measure("value_highest", "spaces", "value of the most valuable railroad at the end"),
    Measure("value_mean", "spaces", "mean value of the railroads at the end"),
    Measure("links_completed", "links", "links completed by all railroads"),
    Measure("cubes_left", "cubes", "track cubes left to all railroads"),
    Measure("metros_upgraded", "metro areas", "metro areas upgraded"),
    Measure("shares_held", "shares", "shares the player holds at the end", True),
    Measure("build_turns", "turns", "turns the player built", True),
    Measure("auction_turns", "turns", "turns the player offered a share", True),
    Measure("upgrade_turns", "turns", "turns the player upgraded a metro area", True),
    Measure("forced_passes", "turns", "turns in the game that could only be passed"),
)


@compiled
def measures(state, board, out):
    """Write MEASURES, a row each, for every player."""
    completed = 0
    cubes = 0
    highest = 0
    total = 0
    for railroad in range(board.n_railroads):
        for word in range(LINK_WORDS):
            completed += count(state.complete[railroad, word])
        cubes += state.cubes[railroad]
        highest = max(highest, state.value[railroad])
        total += state.value[railroad]
    for player in range(state.n_players):
        shares = 0
        for railroad in range(board.n_railroads):
            shares += int(state.shares[player, railroad])
        out[0, player] = state.dividends
        out[1, player] = state.dividend_money[player]
        out[2, player] = state.lease_paid[player]
        out[3, player] = state.demands_met
        out[4, player] = state.demands_lost
        out[5, player] = state.auctions
        out[6, player] = (
            state.auction_money / state.auctions if state.auctions > 0 else float("nan")
        )
        for railroad in range(MAX_RAILROADS):
            out[7 + railroad, player] = state.initial_price[railroad]
        out[12, player] = highest
        out[13, player] = total / board.n_railroads
        out[14, player] = completed
        out[15, player] = cubes
        out[16, player] = count(state.upgraded)
        out[17, player] = shares
        out[18, player] = state.builds[player]
        out[19, player] = state.sales[player]
        out[20, player] = state.upgrades[player]
        out[21, player] = state.passes


@compiled
def usage(state, board, out):
    """Count the links on which any track lies."""
    for link in range(board.n_links):
        if state.link_cubes[link] > 0:
            out[link] += 1


# Everything lies open but the order of the demand stack below its top card (D2, E4).
OBSERVATION = (
    12
    + MAX_PLAYERS * (2 + MAX_RAILROADS)
    + MAX_RAILROADS * 5
    + MAX_LINKS * 3
    + MAX_METROS * 2
    + MAX_DEMAND_SPACES
)


@compiled
def observe(state, board, viewer, out):
    """Write OBSERVATION numbers: all that lies open, the same for every viewer but for out[0]."""
    out[0] = viewer
    out[1] = state.phase
    out[2] = state.to_move
    out[3] = state.turn
    out[4] = state.actor
    out[5] = state.auctioned
    out[6] = state.high_bid
    out[7] = state.high_bidder
    out[8] = state.passed
    out[9] = state.upgrade_cubes
    out[10] = board.n_demands - state.deck_next
    out[11] = state.deck[state.deck_next] if state.deck_next < board.n_demands else -1
    n = 12
    for player in range(MAX_PLAYERS):
        out[n] = state.money[player]
        out[n + 1] = state.disc[player]
        n += 2
        for railroad in range(MAX_RAILROADS):
            out[n] = state.shares[player, railroad]
            n += 1
    for railroad in range(MAX_RAILROADS):
        out[n] = state.value[railroad]
        out[n + 1] = state.shares_out[railroad]
        out[n + 2] = state.cubes[railroad]
        out[n + 3] = state.initial_price[railroad]
        out[n + 4] = state.route_amount[railroad]
        n += 5
    for link in range(MAX_LINKS):
        railroad = int(state.link_railroad[link])
        touched = 0
        if railroad >= 0:
            for end in range(2):
                if state.presence[railroad] & bit(board.link_city[link, end]) != 0:
                    touched |= 1 << end
        out[n] = railroad
        out[n + 1] = state.link_cubes[link]
        out[n + 2] = touched
        n += 3
    for metro in range(MAX_METROS):
        out[n] = 1.0 if state.upgraded & bit(metro) != 0 else 0.0
        out[n + 1] = 1.0 if state.metro_cash & bit(metro) != 0 else 0.0
        n += 2
    for space in range(MAX_DEMAND_SPACES):
        out[n] = state.demand_space[space]
        n += 1
