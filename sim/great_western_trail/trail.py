"""Great Western Trail: the trail. Movement and tolls, buildings, hazards and teepees."""

from sim.bits import bit, lowest, without_lowest, write
from sim.contract import compiled
from sim.great_western_trail.state import (
    BLACK_HAND,
    BLUE_TEEPEE,
    BY,
    CRAFTSMAN,
    FIRST_WORKER,
    GO,
    GREEN_HAND,
    HAZARD_FROM,
    HAZARD_KINDS,
    HAZARD_TYPES,
    ICONS_ON_TILE,
    LOCAL,
    NEUTRALS,
    ONTO,
    PRIVATE,
    SLOTS,
    TEEPEE_FROM,
    TILE,
    TOLL_FREE,
    TRADES,
)

_DIGITS = 12  # bits for what one receives of a way's tolls


# -------------------------------------------------------------------------- Moving the cattleman


@compiled
def after(board, space):
    """The set of spaces that follow a space."""
    spaces = 0
    if board.next[space, 0] >= 0:
        spaces |= bit(int(board.next[space, 0]))
    if board.next[space, 1] >= 0:
        spaces |= bit(int(board.next[space, 1]))
    return spaces


@compiled
def next_stops(state, board, space):
    """The set of occupied spaces that can be the next step; empty ones are passed over."""
    stops = 0
    ahead = after(board, space)
    while ahead != 0:
        there = lowest(ahead)
        ahead = without_lowest(ahead)
        if state.occupied & bit(there) != 0:
            stops |= bit(there)
        else:
            ahead |= after(board, there)
    return stops


@compiled
def within_reach(state, board, steps, manner):
    """The set of spaces to which the player to move can go in 1 to `steps` steps."""
    reached = 0
    edge = bit(int(state.at[state.to_move]))
    for _ in range(steps):
        further = 0
        while edge != 0:
            further |= next_stops(state, board, lowest(edge))
            edge = without_lowest(edge)
        edge = further & ~reached
        if edge == 0:
            break
        reached |= edge
    if manner == TOLL_FREE and not board.ride_to_kansas_city:  # R36
        reached &= ~bit(int(board.n_spaces) - 1)
    return reached


@compiled
def legal_moves(state, board, steps, manner, out, n):
    """Spaces to move to."""
    return write(within_reach(state, board, steps, manner), GO, out, n)


@compiled
def toll(state, board, player, space):
    """Dollars for entering a space; own and neutral buildings are free (R21)."""
    if state.hazard[space] >= 0:
        hand = int(board.tile_hand[state.hazard[space]])
    elif board.trade_of[space] >= 0:
        tile = int(state.teepee[board.trade_of[space]])
        if tile < 0:
            return 0
        hand = BLACK_HAND if tile == BLUE_TEEPEE else GREEN_HAND
    elif state.builder[space] >= 0 and state.builder[space] != player:
        hand = int(board.building_hand[state.building[space]])
    else:
        return 0
    return int(board.toll[state.n_players, hand])


@compiled
def tolls_of(state, board, target, way, steps, manner):
    """What everybody receives of the tolls of a way, packed, the bank last; -1: no such way.

    `way` is the set of forks at which the second branch is taken; one that it does not come by
    makes another way of it. Who is too poor pays what is there and goes on.
    """
    player = int(state.to_move)
    money = int(state.money[player])
    paid = 0
    taken = 0
    space = int(state.at[player])
    while space != target:
        fork = int(board.fork[space])
        branch = 0
        if fork >= 0 and (way >> fork) & 1 != 0:
            branch = 1
            taken |= 1 << fork
        space = int(board.next[space, branch])
        if space < 0 or space > target:
            return -1
        if state.occupied & bit(space) == 0:
            continue
        steps -= 1
        if manner != TOLL_FREE:
            amount = min(money, toll(state, board, player, space))
            money -= amount
            owner = int(state.builder[space])
            paid += amount << (_DIGITS * (owner if owner >= 0 else int(state.n_players)))
    return paid if taken == way and steps >= 0 else -1


@compiled
def legal_ways(state, board, target, steps, manner, out, n):
    """Ways to a space that cost different tolls, one of each."""
    first = n
    for way in range(1 << _forks_before(state, board, target)):
        paid = tolls_of(state, board, target, way, steps, manner)
        is_new = paid >= 0
        for known in range(first, n):
            if tolls_of(state, board, target, int(out[known]) - BY, steps, manner) == paid:
                is_new = False
        if is_new:
            out[n] = BY + way
            n += 1
    return n


@compiled
def only_way(state, board, target, steps, manner):
    """The way to a space where all cost the same; -1: there is a choice."""
    only = -1
    cost = -1
    for way in range(1 << _forks_before(state, board, target)):
        paid = tolls_of(state, board, target, way, steps, manner)
        if paid < 0:
            continue
        if only < 0:
            only = way
            cost = paid
        elif paid != cost:
            return -1
    return only


@compiled
def _forks_before(state, board, target):
    """Forks are numbered along the trail: so many may lie on a way to the space."""
    forks = 0
    for space in range(target):
        if board.fork[space] >= 0:
            forks += 1
    return forks


@compiled
def move_by(state, board, target, way, steps, manner):
    """Move the cattleman, and pay the tolls to their owners and the bank."""
    player = int(state.to_move)
    paid = tolls_of(state, board, target, way, steps, manner)
    for other in range(state.n_players + 1):
        amount = (paid >> (_DIGITS * other)) & ((1 << _DIGITS) - 1)
        state.money[player] -= amount
        state.tolls_paid[player] += amount
        if other < state.n_players:
            state.money[other] += amount
            state.tolls_earned[other] += amount
    state.at[player] = target
    state.visits[target] += 1


# -------------------------------------------------------------------------------------- Buildings


@compiled
def is_adjacent(state, board, space, other):
    """Whether a building on `other` is next to `space`, in either direction (R14)."""
    if state.building[other] < 0 or other == space:
        return False
    if board.adjacent_skips_empty:
        return (next_stops(state, board, space) >> other) & 1 != 0 or (
            next_stops(state, board, other) >> space
        ) & 1 != 0
    return (after(board, space) >> other) & 1 != 0 or (after(board, other) >> space) & 1 != 0


@compiled
def may_copy(state, board, space, other):
    """Whether the building on `other` is next to `space` and did not act in this turn."""
    return is_adjacent(state, board, space, other) and state.copied & bit(other) == 0


@compiled
def number_of(building):
    """The number, less 1, of a private building."""
    return (building - NEUTRALS) // 2


@compiled
def building_of(state, number):
    """The building with that number less 1: its side is the same for all players."""
    return NEUTRALS + number * 2 + int(state.side[number])


@compiled
def craftsmen_for(state, board, player, number, space):
    """Craftsmen needed, and to be paid, for a tile there; -1: it cannot be put there."""
    if board.space_kind[space] != PRIVATE:
        return -1
    needed = int(board.craftsmen[building_of(state, number)])
    if state.building[space] >= 0:
        if state.builder[space] != player:
            return -1
        replaced = int(board.craftsmen[state.building[space]])
        if replaced >= needed:
            return -1
        needed -= replaced
    return needed


@compiled
def may_build_on(state, board, player, number, space, price):
    """Whether the player has the craftsmen and the money for a tile there."""
    needed = craftsmen_for(state, board, player, number, space)
    return 0 <= needed <= state.workers[player, CRAFTSMAN] and (
        needed * price <= state.money[player]
    )


@compiled
def may_build_number(state, board, player, number, price):
    """Whether a tile is at hand and can be put anywhere."""
    if (state.gone[player] >> number) & 1 != 0:
        return False
    for space in range(board.n_spaces):
        if may_build_on(state, board, player, number, space, price):
            return True
    return False


@compiled
def may_build(state, board, player, price):
    """Whether any tile can be built."""
    for number in range(board.n_numbers):
        if may_build_number(state, board, player, number, price):
            return True
    return False


@compiled
def legal_tiles(state, board, price, out, n):
    """Private building tiles that can be built."""
    for number in range(board.n_numbers):
        if may_build_number(state, board, int(state.to_move), number, price):
            out[n] = TILE + number
            n += 1
    return n


@compiled
def legal_sites(state, board, price, number, out, n):
    """Spaces for a tile: empty ones, or with an own building of fewer craftsmen."""
    for space in range(board.n_spaces):
        if may_build_on(state, board, int(state.to_move), number, space, price):
            out[n] = ONTO + space
            n += 1
    return n


@compiled
def build(state, board, player, number, space, price):
    """Pay, and put the tile there; one that it replaces leaves the game, unused actions too."""
    state.money[player] -= price * craftsmen_for(state, board, player, number, space)
    if state.building[space] >= 0:
        for place in range(state.n_tasks):
            if state.task[place] == LOCAL and state.one[place] == space:
                state.two[place] &= ~((1 << ICONS_ON_TILE) - 1)
    state.building[space] = building_of(state, number)
    state.builder[space] = player
    state.occupied |= bit(space)
    state.gone[player] |= 1 << number


@compiled
def own_buildings(state, board, player, only_woods):
    """Own buildings on the trail, or those on spaces with woods."""
    number = 0
    for space in range(board.n_spaces):
        if state.builder[space] == player and (board.woods[space] or not only_woods):
            number += 1
    return number


# ---------------------------------------------------------------------------- Hazards and teepees


@compiled
def place_hazard(state, board, tile):
    """On the lowest free space of its type; whether there was one."""
    for slot in range(SLOTS):
        space = int(board.hazard_space[tile // HAZARD_KINDS, slot])
        if space >= 0 and state.hazard[space] < 0:
            state.hazard[space] = tile
            state.occupied |= bit(space)
            return True
    return False


@compiled
def place_teepee(state, board, tile):
    """On the first free space of the trade section; whether there was one."""
    for place in range(TRADES):
        if state.teepee[place] < 0:
            _put_teepee(state, board, place, tile)
            return True
    return False


@compiled
def _put_teepee(state, board, place, tile):
    """Lay a teepee there, -1: take it away; on the trail it counts as a step."""
    state.teepee[place] = tile
    for space in range(board.n_spaces):
        if board.trade_of[space] == place:
            if tile >= 0:
                state.occupied |= bit(space)
            else:
                state.occupied &= ~bit(space)


@compiled
def may_clear(state, board, player, cost):
    """Whether a hazard can be removed for so many dollars."""
    if state.money[player] < cost:
        return False
    for space in range(board.n_spaces):
        if state.hazard[space] >= 0:
            return True
    return False


@compiled
def legal_hazards(state, board, out, n):
    """Hazards that lie on the trail."""
    for space in range(board.n_spaces):
        if state.hazard[space] >= 0:
            out[n] = HAZARD_FROM + space
            n += 1
    return n


@compiled
def clear_hazard(state, player, space, cost):
    """Pay, and take the tile."""
    state.money[player] -= cost
    state.tiles[player, state.hazard[space]] += 1
    state.hazard[space] = -1
    state.occupied &= ~bit(space)


@compiled
def may_trade(state, board, player, place):
    """Whether there is a teepee, and its money can be paid."""
    return state.teepee[place] >= 0 and state.money[player] + board.trade_money[place] >= 0


@compiled
def may_trade_any(state, board, player):
    """Whether a teepee can be had."""
    for place in range(TRADES):
        if may_trade(state, board, player, place):
            return True
    return False


@compiled
def legal_trades(state, board, out, n):
    """Teepees that can be had."""
    for place in range(TRADES):
        if may_trade(state, board, int(state.to_move), place):
            out[n] = TEEPEE_FROM + place
            n += 1
    return n


@compiled
def trade(state, board, player, place):
    """Take a teepee, and gain or pay the money above it."""
    state.money[player] += board.trade_money[place]
    state.tiles[player, state.teepee[place]] += 1
    _put_teepee(state, board, place, -1)


@compiled
def hazards_of(state, player):
    """Hazard tiles that the player has."""
    number = 0
    for tile in range(len(HAZARD_TYPES) * HAZARD_KINDS):
        number += int(state.tiles[player, tile])
    return number


@compiled
def pairs_of(state, player):
    """Pairs of a green and a blue teepee that the player has."""
    return int(min(state.tiles[player, FIRST_WORKER - 2], state.tiles[player, BLUE_TEEPEE]))
