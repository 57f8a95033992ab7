"""Cheapest track: Dijkstra over hexes and the side they are entered by, tile by tile.

The search works on the position's own rules of a legal tile, so what it finds can be laid.
"""

from sim.bits import bit, lowest, without_lowest
from sim.contract import compiled
from sim.railways_of_the_world.state import LAY, MAX_CITIES, MAX_HEXES, PAIR_OF
from sim.railways_of_the_world.track import (
    JOIN,
    NOWHERE,
    is_on_stub,
    may_enter,
    opposite,
    ridge_price,
    tile_leads_to,
    tile_price,
)

MOST_TILES = 6  # of tracks that are remembered
ACTION_PRICE = 12  # $k that a further action is worth when tracks are compared

# What is written of a city's tracks.
FOUND = 0  # the set of cities found, as two numbers of 32 bits
COST = 2  # + city: $k of the cheapest track that links it
TILES = COST + MAX_CITIES  # + city: tiles of that track
FIRST = TILES + MAX_CITIES  # + city: code of its first tile
PRICE = FIRST + MAX_CITIES  # + city: its cost, and what the actions it takes are worth
RESULT = PRICE + MAX_CITIES

# Places in the memory given to the search.
SERIAL = 0  # number of the search, so that nothing need be cleared
SEEN = 1  # + hex * 6 + side: SERIAL * _SPAN + cost
STEPS = SEEN + MAX_HEXES * 6
_SPAN = 4096
MAX_STEPS = 3000
STEP_FIELDS = 6  # hex, side it is entered by, cost and tiles so far, first tile, step before
NOW = STEPS + MAX_STEPS * STEP_FIELDS  # result of the last search that is not remembered
KNOWN = NOW + RESULT  # + city: whether its result is remembered
TRACK = KNOWN + MAX_CITIES  # + hex * 2 + slot: the track that remembered results rest on
RESULTS = TRACK + MAX_HEXES * 2  # + city * RESULT
SIZE = RESULTS + MAX_CITIES * RESULT


@compiled
def cheapest_tracks(state, board, player, city, stub, most_tiles, tiles_now, memory, at):
    """Find the cheapest track from a city, or from an own stub's open end, to every other city.

    Prices are those of the Build under way (`tile_cost`, `ridge_cost`). A track of more than
    `tiles_now` tiles takes further actions, each as dear as ACTION_PRICE ($k); none has more than
    `most_tiles`. Writes COST, TILES, FIRST and PRICE of each city found into `memory` at `at`;
    returns the set of these cities.
    """
    memory[SERIAL] += 1.0
    found = 0
    steps = 0
    if stub >= 0:
        leave = int(state.stub_exit[stub])
        place = int(board.beside[state.stub_hex[stub], leave])
        entry = opposite(leave)
        if may_enter(state, board, place, entry, stub):
            steps = _add_step(memory, steps, place, entry, 0, 0, -1, -1)
    else:
        home = int(board.city_hex[city])
        spurs = int(board.spurs[city])
        while spurs != 0:
            spur = lowest(spurs)
            spurs = without_lowest(spurs)
            place = int(board.beside[home, spur])
            if may_enter(state, board, place, opposite(spur), stub):
                steps = _add_step(memory, steps, place, opposite(spur), 0, 0, -1, -1)
    step = 0
    while step < steps:
        here = STEPS + step * STEP_FIELDS
        place = int(memory[here])
        entry = int(memory[here + 1])
        cost = int(memory[here + 2])
        tiles = int(memory[here + 3]) + 1
        step += 1
        cost += tile_price(state, board, place, entry)
        for leave in range(6):
            target = tile_leads_to(state, board, player, place, entry, leave, city, stub)
            if target == NOWHERE:
                continue
            first = int(memory[here + 4])
            if first < 0:
                first = LAY + place * 15 + int(PAIR_OF[entry, leave])
            if target < 0:
                beyond = int(board.beside[place, leave])
                side = opposite(leave)
                if (
                    tiles < most_tiles
                    and may_enter(state, board, beyond, side, stub)
                    and (board.link_may_cross_itself or not _is_behind(memory, step - 1, beyond))
                ):
                    steps = _add_step(memory, steps, beyond, side, cost, tiles, first, step - 1)
                continue
            if (
                target >= JOIN
                and not board.link_may_cross_itself
                and _meets_stub(state, board, target - JOIN, memory, step - 1)
            ):
                continue
            there = target if target < JOIN else int(state.stub_city[target - JOIN])
            whole = cost + ridge_price(state, board, place, leave)
            each = int(board.tiles_per_build)
            price = whole + ACTION_PRICE * (max(0, tiles - tiles_now + each - 1) // each)
            if found & bit(there) == 0 or price < memory[at + PRICE + there]:
                found |= bit(there)
                memory[at + COST + there] = whole
                memory[at + TILES + there] = tiles
                memory[at + FIRST + there] = first
                memory[at + PRICE + there] = price
    return found


@compiled
def _add_step(memory, steps, place, entry, cost, tiles, first, before):
    """Note a hex to be entered, unless it is entered as cheaply with no more tiles."""
    seen = SEEN + place * 6 + entry
    least = memory[SERIAL] * _SPAN
    if steps == MAX_STEPS or (memory[seen] >= least and memory[seen] <= least + cost):
        return steps
    memory[seen] = least + cost
    at = STEPS + steps * STEP_FIELDS
    memory[at] = place
    memory[at + 1] = entry
    memory[at + 2] = cost
    memory[at + 3] = tiles
    memory[at + 4] = first
    memory[at + 5] = before
    return steps + 1


@compiled
def _is_behind(memory, step, place):
    """Whether the track to a step, itself included, runs through a hex."""
    while step >= 0:
        if memory[STEPS + step * STEP_FIELDS] == place:
            return True
        step = int(memory[STEPS + step * STEP_FIELDS + 5])
    return False


@compiled
def _meets_stub(state, board, stub, memory, step):
    """Whether the track before a step runs through a hex of a stub."""
    step = int(memory[STEPS + step * STEP_FIELDS + 5])
    while step >= 0:
        if is_on_stub(state, board, stub, int(memory[STEPS + step * STEP_FIELDS])):
            return True
        step = int(memory[STEPS + step * STEP_FIELDS + 5])
    return False


# ------------------------------------------------------------------------------------ Remembering


@compiled
def note_track(state, board, memory):
    """Forget the remembered tracks of all cities near which the track on the board has changed."""
    for place in range(board.n_hexes):
        at = TRACK + place * 2
        if memory[at] != state.track[place, 0] or memory[at + 1] != state.track[place, 1]:
            memory[at] = state.track[place, 0]
            memory[at + 1] = state.track[place, 1]
            _forget_near(board, place, memory)


@compiled
def _forget_near(board, place, memory):
    """Forget the tracks of the cities from which a track can come to a hex or end before it."""
    memory[SERIAL] += 1.0
    mark = memory[SERIAL] * _SPAN
    memory[STEPS] = place
    memory[SEEN + place * 6] = mark
    first = 0
    last = 1
    while first < last:
        here = int(memory[STEPS + first])
        hexes = memory[SEEN + here * 6] - mark
        first += 1
        city = int(board.city_at[here])
        if city >= 0:
            memory[KNOWN + city] = 0.0
        if hexes > MOST_TILES:
            continue
        for side in range(6):
            beyond = int(board.beside[here, side])
            if beyond >= 0 and memory[SEEN + beyond * 6] < mark:
                memory[SEEN + beyond * 6] = mark + hexes + 1.0
                memory[STEPS + last] = beyond
                last += 1


@compiled
def tracks_from(state, board, city, memory):
    """The cheapest tracks from a city at the board's own prices, for somebody without track.

    The result stands at RESULTS + city * RESULT; returns the set of cities found. It is worked
    out anew only when the track near the city has changed (`note_track` must have been called).
    """
    at = RESULTS + city * RESULT
    if memory[KNOWN + city] == 0.0:
        each = int(board.tiles_per_build)
        found = cheapest_tracks(state, board, -1, city, -1, MOST_TILES, each, memory, at)
        note_set(memory, at + FOUND, found)
        memory[KNOWN + city] = 1.0
    return noted_set(memory, at + FOUND)


@compiled
def note_set(memory, at, numbers):
    """Keep a set of 64 bits in two places of a memory of floats."""
    memory[at] = numbers & 0xFFFFFFFF
    memory[at + 1] = numbers >> 32


@compiled
def noted_set(memory, at):
    """The set kept there."""
    return int(memory[at]) | (int(memory[at + 1]) << 32)
