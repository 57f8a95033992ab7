"""How many Bonds an action leads to."""

import numpy as np

from sim.bits import lowest, without_lowest
from sim.contract import apply, compiled
from sim.railways_of_the_world.money import pay
from sim.railways_of_the_world.rules import may_declare
from sim.railways_of_the_world.state import (
    BID,
    BIDDING,
    BUILDING,
    PASS,
    STARTING,
    USE,
)
from sim.railways_of_the_world.track import (
    NOWHERE,
    may_enter,
    opposite,
    redirect_leads_to,
    ridge_price,
    tile_leads_to,
    tile_price,
)

_DEAR = 1_000_000  # $k, more than any tile


@compiled
def loans(state, board, action):
    """The player's Bonds after an action and the least that it commits to; -1: as things stand."""
    player = int(state.to_move)
    if action < 0:
        return np.int64(state.bonds[player])
    if state.phase == BIDDING:
        # Who passes by the advanced method pays a part of a bid that counted in full.
        if action != PASS:
            pay(state, board, player, action - BID)
        return np.int64(state.bonds[player])
    state.round_number = 1  # the turn does not end, and no Dividends are paid
    apply(state, board, action)
    if state.phase == BUILDING:
        for row in range(board.n_cards):
            if may_declare(state, board, row):
                apply(state, board, USE + row)
    if state.phase == BUILDING or state.phase == STARTING:  # a tile is yet to be laid
        pay(state, board, player, _least_tile(state, board))
    return np.int64(state.bonds[player])


@compiled
def _least_tile(state, board):
    """$k of the cheapest tile that can be laid or turned now."""
    if state.phase == STARTING:
        return _least_first_tile(state, board, int(state.build_city))
    least = _DEAR
    for city in range(board.n_cities):
        least = min(least, _least_first_tile(state, board, city))
    for stub in range(state.n_stubs):
        if state.stub_owner[stub] != state.to_move:
            continue
        place = int(state.stub_hex[stub])
        leave = int(state.stub_exit[stub])
        city = int(state.stub_city[stub])
        beyond = int(board.beside[place, leave])
        least = min(least, _least_into(state, board, beyond, opposite(leave), city, stub))
        for side in range(6):
            target = redirect_leads_to(state, board, stub, side)
            if target != NOWHERE:
                price = int(state.tile_cost[board.terrain[place]])
                if target >= 0:
                    price += ridge_price(state, board, place, side)
                least = min(least, price)
    return least


@compiled
def _least_first_tile(state, board, city):
    """$k of the cheapest tile that begins a link at the city."""
    least = _DEAR
    spurs = int(board.spurs[city])
    home = int(board.city_hex[city])
    while spurs != 0:
        spur = lowest(spurs)
        spurs = without_lowest(spurs)
        place = int(board.beside[home, spur])
        least = min(least, _least_into(state, board, place, opposite(spur), city, -1))
    return least


@compiled
def _least_into(state, board, place, entry, city, stub):
    """$k of the cheapest tile in a hex, of the link begun at `city`, that comes in by `entry`."""
    least = _DEAR
    if may_enter(state, board, place, entry, stub):
        player = int(state.to_move)
        for leave in range(6):
            target = tile_leads_to(state, board, player, place, entry, leave, city, stub)
            if target != NOWHERE:
                price = tile_price(state, board, place, entry)
                if target >= 0:
                    price += ridge_price(state, board, place, leave)
                least = min(least, price)
    return least
