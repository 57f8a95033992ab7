"""A. Build Track / Complete Major Lines.

A tile joins two sides of a hex. An unfinished link is called a stub; its open end is the exit side
of its last tile. Codes such as M5 are the rulings of this room's README.
"""

import numpy as np

from sim.bits import bit, lowest, without_lowest
from sim.contract import compiled
from sim.railways_of_the_world.money import gain, pay
from sim.railways_of_the_world.state import (
    DEPOTS,
    LAY,
    MAX_CITIES,
    PAIR_OF,
    PAIR_SIDES,
    REDIRECT,
)
from sim.railways_of_the_world.state import opposite as opposite_side

# What an exit leads to: nothing allowed, an open hex, a city (its number), or an own stub.
NOWHERE = -2
ONWARD = -1
JOIN = MAX_CITIES  # + stub

opposite = compiled(opposite_side)
PAIR_MASK = np.array([(1 << low) | (1 << high) for low, high in PAIR_SIDES], np.int64)


@compiled
def _pair_in(track):
    """The pair of sides of a track entry that is not 0."""
    return (int(track) - 1) & 15


@compiled
def sides_used(state, place):
    """Set of sides of a hex over which track runs."""
    sides = 0
    for slot in range(2):
        if state.track[place, slot] != 0:
            sides |= PAIR_MASK[_pair_in(state.track[place, slot])]
    return sides


@compiled
def _slot_at(state, place, side):
    """The slot of the track that runs over that side of a hex; -1: none."""
    for slot in range(2):
        track = state.track[place, slot]
        if track != 0 and PAIR_MASK[_pair_in(track)] & bit(side) != 0:
            return slot
    return -1


@compiled
def _other_side(track, side):
    """Where a track leads that comes in over `side`."""
    low = int(PAIR_SIDES[_pair_in(track), 0])
    high = int(PAIR_SIDES[_pair_in(track), 1])
    return high if side == low else low


# ------------------------------------------------------------------------------- Where a tile fits


@compiled
def _fits(state, board, place, entry, leave, own_slot):
    """Whether a tile of that shape fits beside the other track of its hex (M7).

    `own_slot` is the slot of a tile that is turned, -1 for a new one.
    """
    if (leave - entry) % 6 in (1, 5) and not board.sharp_turns:
        return False
    others = 0
    for slot in range(2):
        track = state.track[place, slot]
        if slot == own_slot or track == 0:
            continue
        others += 1
        pair = _pair_in(track)
        if PAIR_MASK[pair] & (bit(entry) | bit(leave)) != 0:
            return False
        low = PAIR_SIDES[pair, 0]
        high = PAIR_SIDES[pair, 1]
        crosses = (low < entry < high) != (low < leave < high)
        if not crosses and not board.tracks_need_not_cross:
            return False
    return others < 2


@compiled
def _may_link(state, board, player, here, there):
    """A link joins two different cities, and no player's second one the same two (M6, R16)."""
    if here == there or player < 0:
        return here != there
    return board.second_own_parallel_link or state.linked[player, here] & bit(there) == 0


@compiled
def _leads_to(state, board, player, place, leave, city, stub):
    """What lies behind the exit of a tile of the link begun at `city` (M5).

    `stub` is that link, -1 when the tile is its first.
    """
    beyond = int(board.beside[place, leave])
    if beyond < 0:
        return NOWHERE
    side = opposite(leave)
    there = int(board.city_at[beyond])
    if there >= 0:
        is_spur = int(board.spurs[there]) & bit(side) != 0
        if is_spur and _may_link(state, board, player, city, there):
            return there
        return NOWHERE
    if sides_used(state, beyond) & bit(side) == 0:
        return ONWARD
    other = _stub_ending(state, player, beyond, side)
    if other < 0 or other == stub:
        return NOWHERE
    if not _may_link(state, board, player, city, int(state.stub_city[other])):
        return NOWHERE
    if not board.link_may_cross_itself and _would_share_hex(state, board, other, stub, place):
        return NOWHERE
    return JOIN + other


@compiled
def _stub_ending(state, player, place, side):
    """The player's stub whose open end is that side of a hex; -1: none."""
    for stub in range(state.n_stubs):
        if (
            state.stub_owner[stub] == player
            and state.stub_hex[stub] == place
            and state.stub_exit[stub] == side
        ):
            return stub
    return -1


@compiled
def _first_hex(state, board, stub):
    """The first hex of a stub, and the side over which its track comes in."""
    home = int(board.city_hex[state.stub_city[stub]])
    spur = int(state.stub_spur[stub])
    return int(board.beside[home, spur]), opposite(spur)


@compiled
def _next_hex(state, board, place, entry):
    """The hex the track that comes in over `entry` goes on to, and the side it enters by."""
    leave = _other_side(state.track[place, _slot_at(state, place, entry)], entry)
    return int(board.beside[place, leave]), opposite(leave)


@compiled
def is_on_stub(state, board, stub, place):
    """Whether a stub runs through a hex."""
    here, entry = _first_hex(state, board, stub)
    for _ in range(state.stub_tiles[stub]):
        if here == place:
            return True
        here, entry = _next_hex(state, board, here, entry)
    return False


@compiled
def _would_share_hex(state, board, other, stub, place):
    """Whether a stub runs through `place` or through a hex of `stub` (-1: none)."""
    if is_on_stub(state, board, other, place):
        return True
    if stub < 0:
        return False
    here, entry = _first_hex(state, board, stub)
    for _ in range(state.stub_tiles[stub]):
        if is_on_stub(state, board, other, here):
            return True
        here, entry = _next_hex(state, board, here, entry)
    return False


# ------------------------------------------------------------------------------------ Legal builds


@compiled
def may_enter(state, board, place, entry, stub):
    """Whether a tile of the link may lie in a hex and come in over that side (M6)."""
    if place < 0 or board.city_at[place] >= 0:
        return False
    if state.track[place, 0] != 0 and state.track[place, 1] != 0:
        return False
    used = sides_used(state, place)
    if used & bit(entry) != 0:
        return False
    crosses_itself = used != 0 and stub >= 0 and is_on_stub(state, board, stub, place)
    return not crosses_itself or board.link_may_cross_itself


@compiled
def tile_leads_to(state, board, player, place, entry, leave, city, stub):
    """What a player's tile from `entry` to `leave` leads to; NOWHERE when it does not fit either.

    Player -1 is somebody without any track.
    """
    if leave == entry or not _fits(state, board, place, entry, leave, -1):
        return NOWHERE
    return _leads_to(state, board, player, place, leave, city, stub)


@compiled
def _legal_tiles(state, board, place, entry, city, stub, out, n):
    """Tiles that bring the link begun at `city` into a hex over its side `entry`."""
    if not may_enter(state, board, place, entry, stub):
        return n
    player = int(state.to_move)
    for leave in range(6):
        target = tile_leads_to(state, board, player, place, entry, leave, city, stub)
        # Among all own stubs, two that join are found from both: list the tile once.
        is_listed_already = state.build_stub < 0 and target >= JOIN and target - JOIN < stub
        if target != NOWHERE and not is_listed_already:
            out[n] = LAY + place * 15 + int(PAIR_OF[entry, leave])
            n += 1
    return n


@compiled
def _may_lay(state, board, place, entry, city, stub):
    """Whether there is any such tile."""
    if may_enter(state, board, place, entry, stub):
        player = int(state.to_move)
        for leave in range(6):
            if tile_leads_to(state, board, player, place, entry, leave, city, stub) != NOWHERE:
                return True
    return False


@compiled
def legal_first_tiles(state, board, city, out, n):
    """Tiles that begin a link at a spur of the city."""
    spurs = int(board.spurs[city])
    home = int(board.city_hex[city])
    while spurs != 0:
        spur = lowest(spurs)
        spurs = without_lowest(spurs)
        place = int(board.beside[home, spur])
        n = _legal_tiles(state, board, place, opposite(spur), city, -1, out, n)
    return n


@compiled
def may_begin(state, board, city):
    """Whether a link can be begun at a spur of the city."""
    spurs = int(board.spurs[city])
    home = int(board.city_hex[city])
    while spurs != 0:
        spur = lowest(spurs)
        spurs = without_lowest(spurs)
        if _may_lay(state, board, int(board.beside[home, spur]), opposite(spur), city, -1):
            return True
    return False


@compiled
def legal_extensions(state, board, stub, out, n):
    """Tiles that go on from the open end of a stub."""
    leave = int(state.stub_exit[stub])
    place = int(board.beside[state.stub_hex[stub], leave])
    city = int(state.stub_city[stub])
    return _legal_tiles(state, board, place, opposite(leave), city, stub, out, n)


@compiled
def may_extend(state, board, stub):
    """Whether a tile can be laid at the open end of a stub."""
    leave = int(state.stub_exit[stub])
    place = int(board.beside[state.stub_hex[stub], leave])
    return _may_lay(state, board, place, opposite(leave), int(state.stub_city[stub]), stub)


@compiled
def redirect_leads_to(state, board, stub, leave):
    """What the last tile of a stub leads to when turned to the side `leave`."""
    place = int(state.stub_hex[stub])
    entry = int(state.stub_entry[stub])
    slot = _slot_at(state, place, entry)
    if sides_used(state, place) & bit(leave) != 0:
        return NOWHERE
    if not _fits(state, board, place, entry, leave, slot):
        return NOWHERE
    city = int(state.stub_city[stub])
    return _leads_to(state, board, int(state.to_move), place, leave, city, stub)


@compiled
def _legal_redirects(state, board, stub, out, n):
    """Other exits for the last tile of a stub (M3)."""
    for leave in range(6):
        if redirect_leads_to(state, board, stub, leave) != NOWHERE:
            pair = int(PAIR_OF[state.stub_entry[stub], leave])
            out[n] = REDIRECT + int(state.stub_hex[stub]) * 15 + pair
            n += 1
    return n


@compiled
def legal_own_ends(state, board, out, n):
    """Extensions and redirects of all own stubs."""
    for stub in range(state.n_stubs):
        if state.stub_owner[stub] == state.to_move:
            n = legal_extensions(state, board, stub, out, n)
            n = _legal_redirects(state, board, stub, out, n)
    return n


@compiled
def may_build(state, board):
    """Whether a Build action can lay or redirect a tile."""
    for city in range(board.n_cities):
        if may_begin(state, board, city):
            return True
    for stub in range(state.n_stubs):
        if state.stub_owner[stub] == state.to_move:
            if may_extend(state, board, stub):
                return True
            for leave in range(6):
                if redirect_leads_to(state, board, stub, leave) != NOWHERE:
                    return True
    return False


# ------------------------------------------------------------------------------------- Laying tiles


@compiled
def price_build(state, board):
    """The tiles and the prices of a Build before any card is declared."""
    state.tiles_left = board.tiles_per_build
    state.ridge_cost = board.ridge_cost
    for terrain in range(3):
        state.tile_cost[terrain] = board.tile_cost[terrain]


@compiled
def ridge_price(state, board, place, side):
    """$k for a side of a hex that track runs over: nothing unless it is a ridge."""
    return int(state.ridge_cost) if int(board.ridges[place]) & bit(side) != 0 else 0


@compiled
def tile_price(state, board, place, entry):
    """$k of a tile in a hex that comes in over that side, in the Build under way (R09, M4)."""
    cost = int(state.tile_cost[board.terrain[place]])
    if sides_used(state, place) != 0:
        cost += int(board.crossover_cost)
    return cost + ridge_price(state, board, place, entry)


@compiled
def lay(state, board, place, pair):
    """Lay a tile of the link being built, pay for it, and complete the link if it arrives."""
    player = int(state.to_move)
    low = int(PAIR_SIDES[pair, 0])
    high = int(PAIR_SIDES[pair, 1])
    entry = _entry_of(state, board, place, low, high)
    leave = high if entry == low else low
    stub = int(state.build_stub)
    if stub < 0:
        stub = _begin_stub(state, board, player, place, entry)
    is_first = state.stub_tiles[stub] == 0
    city = int(state.stub_city[stub])
    target = _leads_to(state, board, player, place, leave, city, -1 if is_first else stub)
    cost = tile_price(state, board, place, entry)
    if target >= 0:  # M4
        cost += ridge_price(state, board, place, leave)
    _pay_track(state, board, player, cost)
    state.tiles[player] += 1
    state.tiles_left -= 1
    slot = 0 if state.track[place, 0] == 0 else 1
    state.track[place, slot] = 1 + pair + 16 * player
    state.stub_hex[stub] = place
    state.stub_entry[stub] = entry
    state.stub_exit[stub] = leave
    state.stub_tiles[stub] += 1
    if target >= 0:
        _complete(state, board, player, stub, target)


@compiled
def redirect(state, board, place, pair):
    """Turn the last tile of an own stub: its terrain again, not the ridge it came in by (M3)."""
    player = int(state.to_move)
    low = int(PAIR_SIDES[pair, 0])
    high = int(PAIR_SIDES[pair, 1])
    stub = 0
    entry = -1
    for other in range(state.n_stubs):
        if state.stub_owner[other] == player and state.stub_hex[other] == place:
            side = int(state.stub_entry[other])
            if side == low or side == high:
                stub = other
                entry = side
    leave = high if entry == low else low
    target = _leads_to(state, board, player, place, leave, int(state.stub_city[stub]), stub)
    cost = state.tile_cost[board.terrain[place]]
    if target >= 0:
        cost += ridge_price(state, board, place, leave)
    _pay_track(state, board, player, cost)
    state.track[place, _slot_at(state, place, entry)] = 1 + pair + 16 * player
    state.stub_exit[stub] = leave
    state.build_stub = stub
    if target >= 0:
        _complete(state, board, player, stub, target)


@compiled
def _entry_of(state, board, place, low, high):
    """The side over which the link being built comes into a hex; finds its stub if need be."""
    if state.build_stub >= 0:
        return opposite(int(state.stub_exit[state.build_stub]))
    if state.build_city >= 0:
        return low if board.beside[place, low] == board.city_hex[state.build_city] else high
    for side in (low, high):
        beyond = int(board.beside[place, side])
        if beyond >= 0:
            stub = _stub_ending(state, int(state.to_move), beyond, opposite(side))
            if stub >= 0:
                state.build_stub = stub
                return side
    return low


@compiled
def _begin_stub(state, board, player, place, entry):
    stub = state.n_stubs
    state.n_stubs += 1
    state.stub_owner[stub] = player
    state.stub_city[stub] = board.city_at[board.beside[place, entry]]
    state.stub_spur[stub] = opposite(entry)
    state.stub_hex[stub] = -1
    state.stub_tiles[stub] = 0
    state.build_stub = stub
    return stub


@compiled
def _pay_track(state, board, player, cost):
    pay(state, board, player, cost)
    state.track_paid[player] += cost


@compiled
def _complete(state, board, player, stub, target):
    """The stub has reached a city, or another own stub, and is a link."""
    here = int(state.stub_city[stub])
    there = target
    tiles = int(state.stub_tiles[stub])
    spur = state.stub_spur[stub]
    _drop_stub(state, stub)
    if target >= JOIN:
        other = target - JOIN
        if other == state.n_stubs:  # it has taken the place of the one dropped
            other = stub
        there = int(state.stub_city[other])
        tiles += int(state.stub_tiles[other])
        _drop_stub(state, other)
    _add_link(state, board, player, here, there, spur, tiles)
    state.build_stub = -1
    _score_major_lines(state, board, player)


@compiled
def _drop_stub(state, stub):
    """Forget a stub; the last one takes its place."""
    last = state.n_stubs - 1
    state.n_stubs = last
    state.stub_owner[stub] = state.stub_owner[last]
    state.stub_city[stub] = state.stub_city[last]
    state.stub_spur[stub] = state.stub_spur[last]
    state.stub_hex[stub] = state.stub_hex[last]
    state.stub_entry[stub] = state.stub_entry[last]
    state.stub_exit[stub] = state.stub_exit[last]
    state.stub_tiles[stub] = state.stub_tiles[last]


@compiled
def _add_link(state, board, player, here, there, spur, tiles):
    """Enter a complete link of that many tiles that leaves `here` over its side `spur`."""
    link = state.n_links
    state.n_links += 1
    state.link_owner[link] = player
    state.link_city[link, 0] = here
    state.link_city[link, 1] = there
    state.link_spur[link] = spur
    state.link_tiles[link] = tiles
    state.links[player] += 1
    state.linked[player, here] |= bit(there)
    state.linked[player, there] |= bit(here)
    state.joined[here] |= bit(there)
    state.joined[there] |= bit(here)
    state.network[player] |= bit(here) | bit(there)


@compiled
def remove_stubs(state, board):
    """All incomplete links leave the board; track they crossed stays (K17)."""
    for stub in range(state.n_stubs):
        place, entry = _first_hex(state, board, stub)
        for _ in range(state.stub_tiles[stub]):
            beyond, side = _next_hex(state, board, place, entry)
            state.track[place, _slot_at(state, place, entry)] = 0
            place, entry = beyond, side
    state.n_stubs = 0


# -------------------------------------------------------------------------------------- Major Lines


@compiled
def own_component(state, player, city):
    """Set of cities joined to a city by the player's own links, itself among them."""
    reached = bit(city)
    frontier = reached
    while frontier != 0:
        here = lowest(frontier)
        frontier = without_lowest(frontier)
        new = state.linked[player, here] & ~reached
        reached |= new
        frontier |= new
    return reached


@compiled
def _score_major_lines(state, board, player):
    """Whoever first joins both ends by own links takes the points at once (R13)."""
    for line in range(board.n_lines):
        if state.line_owner[line] >= 0:
            continue
        start = int(board.line_city[line, 0])
        end = int(board.line_city[line, 1])
        if own_component(state, player, start) & bit(end) != 0:
            state.line_owner[line] = player
            state.line_points[player] += board.line_points[line]
            gain(state, player, board.line_points[line])


# ------------------------------------------------------------------------------------- Fuel Depots


@compiled
def depot_sites(state, board):
    """Set of cities in which the acting player may place depots now (R18, M17)."""
    player = int(state.to_move)
    if not board.fuel_depots or state.depots_left[player] == 0:
        return 0
    taken = 0
    for other in range(state.n_players):
        taken |= state.depot_cities[other]
    return state.network[player] & ~taken


@compiled
def build_depot_sites(state, board, is_link_done):
    """The same within a Build action: once; by the rules of 2010 at the ends of the new link."""
    if board.depots_2010:
        if not is_link_done:
            return 0
        link = state.n_links - 1
        ends = bit(state.link_city[link, 0]) | bit(state.link_city[link, 1])
        return depot_sites(state, board) & ends
    return depot_sites(state, board) if state.depots_placed == 0 else 0


@compiled
def legal_depots(state, most, sites, out, n):
    """Codes for placing 1 to `most` depots in any of the `sites`."""
    most = min(most, int(state.depots_left[state.to_move]))
    while sites != 0:
        city = lowest(sites)
        sites = without_lowest(sites)
        for number in range(1, most + 1):
            out[n] = DEPOTS + city * 2 + number - 1
            n += 1
    return n


@compiled
def place_depots(state, city, number):
    """Put own depots into a city."""
    player = int(state.to_move)
    state.depots[player, city] += number
    state.depots_left[player] -= number
    state.depot_cities[player] |= bit(city)
    state.depots_placed += 1
