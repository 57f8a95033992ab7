"""Railways of the World: the figures of a game, and what a player may know."""

from sim.bits import count, lowest, without_lowest
from sim.contract import Measure, compiled
from sim.railways_of_the_world.money import income
from sim.railways_of_the_world.state import (
    MAX_CARDS,
    MAX_CITIES,
    MAX_HEXES,
    MAX_LINES,
    MAX_PLAYERS,
    MAX_WESTERN,
)

# Parts of the report.
POINTS = "Where the points came from"
MONEY = "Money for track and auctions"
HOLDINGS = "Bonds, engines, links and deliveries"

MEASURES = (
    Measure("trigger_turn", "turn", "turn in which the end was triggered; 0: it was not"),
    Measure("cities_urbanized", "cities", "New City tiles placed"),
    Measure("lines_completed", "lines", "Major Lines completed"),
    Measure("auction_money", "$k", "paid in all First Player Auctions", heading=MONEY),
    Measure("highest_bid", "$k", "highest winning bid", heading=MONEY),
    Measure("bonds", "bonds", "Bonds issued", True, HOLDINGS),
    Measure("links", "links", "completed links", True, HOLDINGS),
    Measure("tiles", "tiles", "track tiles laid", True, HOLDINGS),
    Measure("track_paid", "$k", "paid for track", True, MONEY),
    Measure("engine_level", "levels", "engine level reached", True, HOLDINGS),
    Measure("deliveries", "cubes", "goods cubes delivered", True, HOLDINGS),
    Measure("delivery_links", "links", "links of all own deliveries", True, HOLDINGS),
    Measure("longest_delivery", "links", "links of the longest own delivery", True, HOLDINGS),
    Measure("delivery_points", "points", "points from deliveries over own links", True, POINTS),
    Measure("line_points", "points", "points from Major Lines", True, POINTS),
    Measure("card_points", "points", "points from Railroad Operations cards", True, POINTS),
    Measure("baron_points", "points", "points from the Rail Baron", True, POINTS),
    Measure(
        "bond_points",
        "points",
        "points that Bonds cost the player; with them the parts add up to the score",
        True,
        POINTS,
    ),
    Measure("urbanized", "cities", "cities urbanized", True, HOLDINGS),
    Measure("cards_taken", "cards", "Railroad Operations cards taken", True, HOLDINGS),
    Measure("auction_paid", "$k", "paid in First Player Auctions", True, MONEY),
    Measure("passes", "actions", "actions passed", True),
    Measure("depots_used", "depots", "Fuel Depots used to pass or hold a cube", True),
    Measure("cubes_lost", "cubes", "cubes stopped at a Fuel Depot and lost", True),
    Measure("triggered_end", "share", "games in which the player placed the last marker", True),
)

_PER_PLAYER = 14
_PER_CITY = 8
OBSERVATION = (
    10
    + MAX_PLAYERS * (_PER_PLAYER + 2 * MAX_CITIES + 2 * MAX_CARDS)
    + MAX_CITIES * _PER_CITY
    + 2 * 5
    + 2 * MAX_HEXES
    + MAX_CARDS
    + MAX_LINES
    + MAX_WESTERN
    + 3
)


@compiled
def measures(state, board, out):
    """A row for each of MEASURES, a column a player; a game's own figure in every column."""
    urbanized = 0
    for player in range(state.n_players):
        urbanized += state.urbanized[player]
    lines = 0
    for line in range(board.n_lines):
        if state.line_owner[line] >= 0:
            lines += 1
    for player in range(state.n_players):
        out[0, player] = max(0, state.last_turn - 1)
        out[1, player] = urbanized
        out[2, player] = lines
        out[3, player] = state.auction_money
        out[4, player] = state.highest_bid
        out[5, player] = state.bonds[player]
        out[6, player] = state.links[player]
        out[7, player] = state.tiles[player]
        out[8, player] = state.track_paid[player]
        out[9, player] = state.engine[player]
        out[10, player] = state.deliveries[player]
        out[11, player] = state.delivery_links[player]
        out[12, player] = state.longest_delivery[player]
        out[13, player] = state.delivery_points[player]
        out[14, player] = state.line_points[player]
        out[15, player] = state.card_points[player]
        out[16, player] = state.baron_points[player]
        out[17, player] = -state.bonds[player] * board.bond_points
        out[18, player] = state.urbanized[player]
        out[19, player] = state.cards_taken[player]
        out[20, player] = state.auction_paid[player]
        out[21, player] = state.passes[player]
        out[22, player] = state.depots_used[player]
        out[23, player] = state.cubes_lost[player]
        out[24, player] = 1.0 if state.trigger_player == player else 0.0


@compiled
def usage(state, board, out):
    """Add one for every two cities that a complete link joins, in the order of `elements`."""
    for city in range(board.n_cities):
        first = city * board.n_cities - city * (city + 1) // 2 - city - 1
        others = state.joined[city]
        while others != 0:
            other = lowest(others)
            others = without_lowest(others)
            if other > city:
                out[first + other] += 1


@compiled
def observe(state, board, viewer, out):
    """Write OBSERVATION numbers: all that lies open, and the viewer's own Barons."""
    out[0] = state.phase
    out[1] = state.turn
    out[2] = state.round_number
    out[3] = state.to_move
    out[4] = state.actions_left
    out[5] = state.bid
    out[6] = state.high_bidder
    out[7] = state.triggered
    out[8] = state.last_turn
    out[9] = state.n_deck - state.deck_next
    n = 10
    for player in range(MAX_PLAYERS):
        out[n] = state.money[player]
        out[n + 1] = state.bonds[player]
        out[n + 2] = state.marker[player]
        out[n + 3] = state.banked[player]
        out[n + 4] = income(state, board, player)
        out[n + 5] = state.engine[player]
        out[n + 6] = state.links[player]
        out[n + 7] = state.order[player]
        out[n + 8] = state.own_bid[player]
        out[n + 9] = (state.passed >> player) & 1
        out[n + 10] = state.depots_left[player]
        out[n + 11] = state.stopped[player]
        out[n + 12] = state.stopped_at[player]
        out[n + 13] = state.stopped_links[player]
        n += _PER_PLAYER
        for city in range(MAX_CITIES):
            out[n] = count(state.linked[player, city])
            out[n + 1] = state.depots[player, city]
            n += 2
        for row in range(MAX_CARDS):
            out[n] = state.held[player, row]
            out[n + 1] = state.used[player, row]
            n += 2
    for city in range(MAX_CITIES):
        for colour in range(5):
            out[n + colour] = state.cubes[city, colour]
        out[n + 5] = state.colour[city]
        out[n + 6] = state.dial[city]
        out[n + 7] = (state.marked >> city) & 1
        n += _PER_CITY
    for colour in range(5):
        out[n] = state.bag[colour]
        out[n + 1] = state.new_tiles[colour]
        n += 2
    for place in range(MAX_HEXES):
        out[n] = state.track[place, 0]
        out[n + 1] = state.track[place, 1]
        n += 2
    for row in range(MAX_CARDS):
        out[n] = state.shown[row]
        n += 1
    for line in range(MAX_LINES):
        out[n] = state.line_owner[line]
        n += 1
    for place in range(MAX_WESTERN):
        out[n] = state.western_owner[place]
        n += 1
    out[n] = state.barons[viewer, 0]
    out[n + 1] = state.barons[viewer, 1]
    out[n + 2] = state.has_kept[viewer]
