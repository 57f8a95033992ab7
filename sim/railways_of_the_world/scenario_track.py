"""Track laid for a scenario's position: routes that are given, or the cheapest there are.

A path is a list of hexes: that of a city, those with tiles, and the hex that follows the last tile.
"""

import heapq
from typing import TYPE_CHECKING

from sim.bits import bit
from sim.errors import Mistake
from sim.railways_of_the_world.scenario_values import city_names, hex_numbers
from sim.railways_of_the_world.state import (
    MAX_LINKS,
    MAX_STUBS,
    PAIR_OF,
    PAIR_SIDES,
    SIDES,
    opposite,
)

if TYPE_CHECKING:
    from sim.game import Position


def lay_track(position: "Position", links: list[dict], stubs: list[dict]) -> None:
    """Lay links and unfinished links, those with a given route first.

    Raises Mistake for a route that cannot be laid, and where there is no room for one.
    """
    record = position.board.record[0]
    cities, hexes = city_names(position), hex_numbers(position)
    for entry in links:
        if "route" not in entry:
            continue
        first, last = (cities.index(entry["route"][place]) for place in (0, -1))
        middle = [hexes[name] for name in entry["route"][1:-1]]
        path = [int(record.city_hex[first]), *middle, int(record.city_hex[last])]
        _complete(position, entry["seat"], path, f"links: the route {entry['route']}")
    for entry in stubs:
        _begin(position, entry)
    for entry in links:
        if "route" in entry:
            continue
        first, last = (cities.index(name) for name in entry["cities"])
        where = f"links: {entry['cities'][0]} to {entry['cities'][1]}"
        _complete(position, entry["seat"], _cheapest(position, first, last, where), where)


def _complete(position: "Position", seat: int, path: list[int], where: str) -> None:
    """Lay a link along a path from city to city."""
    state, record = position.state[0], position.board.record[0]
    first, last = int(record.city_at[path[0]]), int(record.city_at[path[-1]])
    if int(state.linked[seat, first]) & bit(last) and not int(record.second_own_parallel_link):
        raise Mistake(f"{where}: seat {seat} has a link between the two cities already.")
    if int(state.n_links) == MAX_LINKS:
        raise Mistake(f"{where}: there are more links than a board can have, {MAX_LINKS}.")
    sides = _sides(record, path, where)
    _check_spur(position, path[-1], opposite(sides[-1]), where)
    _lay(position, seat, path[:-1], sides, where)
    number = int(state.n_links)
    state.n_links = number + 1
    state.link_owner[number] = seat
    state.link_city[number] = [first, last]
    state.link_spur[number] = sides[0]
    state.link_tiles[number] = len(path) - 2
    state.links[seat] += 1
    for here, there in ((first, last), (last, first)):
        state.linked[seat, here] = int(state.linked[seat, here]) | bit(there)
        state.joined[here] = int(state.joined[here]) | bit(there)
        state.network[seat] = int(state.network[seat]) | bit(here)


def _begin(position: "Position", entry: dict) -> None:
    """Lay an unfinished link."""
    state, record = position.state[0], position.board.record[0]
    cities, hexes = city_names(position), hex_numbers(position)
    where = f"stubs: the route {entry['route']}"
    first = cities.index(entry["route"][0])
    path = [int(record.city_hex[first]), *(hexes[name] for name in entry["route"][1:])]
    end = SIDES.index(entry["exit"])
    ahead = int(record.beside[path[-1], end])
    if ahead < 0:
        raise Mistake(f"{where}: its exit {entry['exit']!r} leads off the board.")
    if int(record.city_at[ahead]) >= 0:
        raise Mistake(f"{where}: its exit {entry['exit']!r} leads to a city.")
    if int(state.n_stubs) == MAX_STUBS:
        raise Mistake(f"{where}: there are more unfinished links than {MAX_STUBS}.")
    sides = _sides(record, [*path, ahead], where)
    _lay(position, entry["seat"], path, sides, where)
    number = int(state.n_stubs)
    state.n_stubs = number + 1
    state.stub_owner[number] = entry["seat"]
    state.stub_city[number] = first
    state.stub_spur[number] = sides[0]
    state.stub_hex[number] = path[-1]
    state.stub_entry[number] = opposite(sides[-2])
    state.stub_exit[number] = end
    state.stub_tiles[number] = len(path) - 1


def _sides(record, path: list[int], where: str) -> list[int]:
    """The side over which each hex of a path is left for the next."""
    sides = []
    for here, there in zip(path, path[1:], strict=False):
        over = [side for side in range(6) if int(record.beside[here, side]) == there]
        if not over:
            raise Mistake(f"{where} jumps between hexes that are not neighbours.")
        sides.append(over[0])
    return sides


def _lay(position: "Position", seat: int, path: list[int], sides: list[int], where: str) -> None:
    """Lay a tile in each hex after the first; `sides` are those over which each hex is left."""
    state = position.state[0]
    _check_spur(position, path[0], sides[0], where)
    if len(set(path)) < len(path) and not int(position.board.record[0].link_may_cross_itself):
        raise Mistake(f"{where} uses a hex twice.")
    for place, number in enumerate(path[1:], 1):
        entry, end = opposite(sides[place - 1]), sides[place]
        reason = _unfit(position, number, entry, end)
        if reason:
            name = list(hex_numbers(position))[number]
            raise Mistake(
                f"{where}: no track fits from {SIDES[entry]} to {SIDES[end]} in {name}: {reason}."
            )
        slot = 0 if int(state.track[number, 0]) == 0 else 1
        state.track[number, slot] = 1 + int(PAIR_OF[entry, end]) + 16 * seat


def _check_spur(position: "Position", home: int, side: int, where: str) -> None:
    record = position.board.record[0]
    city = int(record.city_at[home])
    name = city_names(position)[city]
    if not int(record.spurs[city]) & 1 << side:
        raise Mistake(f"{where}: {name} has no spur on its side {SIDES[side]}.")
    if opposite(side) in _used_sides(position, int(record.beside[home, side])):
        raise Mistake(f"{where}: the spur of {name} on its side {SIDES[side]} is in use.")


def _used_sides(position: "Position", number: int) -> list[int]:
    """Sides of a hex that its tracks run over."""
    tracks = [int(track) for track in position.state[0].track[number] if int(track)]
    return [int(side) for track in tracks for side in PAIR_SIDES[(track - 1) % 16]]


def _unfit(position: "Position", number: int, entry: int, end: int) -> str:
    """Why a tile does not fit in a hex; empty when it does."""
    record = position.board.record[0]
    used = _used_sides(position, number)
    if int(record.city_at[number]) >= 0:
        return "the hex is a city"
    if len(used) == 4:
        return "the hex has two tracks"
    if entry in used or end in used:
        return "a side has track already"
    turn = (end - entry) % 6
    if turn == 0 or (turn in (1, 5) and not int(record.sharp_turns)):
        return "the turn is too sharp"
    if used and not int(record.tracks_need_not_cross):
        low, high = used
        if sum(low < side < high for side in (entry, end)) != 1:
            return "it would not cross the other track"
    return ""


def _cheapest(position: "Position", first: int, last: int, where: str) -> list[int]:
    """The cheapest path between two cities that the board has room for."""
    record = position.board.record[0]
    home, goal = int(record.city_hex[first]), int(record.city_hex[last])
    heap = []

    def step(cost: int, path: list[int], side: int) -> None:
        """Go on over a side of the last hex of a path."""
        number = int(record.beside[path[-1], side])
        if number < 0 or number in path:
            return
        cost += int(record.ridge_cost) if int(record.ridges[path[-1]]) & 1 << side else 0
        if number != goal:
            if int(record.city_at[number]) >= 0:
                return
            cost += int(record.tile_cost[int(record.terrain[number])])
        elif not int(record.spurs[last]) & 1 << opposite(side):
            return
        heapq.heappush(heap, (cost, len(path), [*path, number], opposite(side)))

    for side in range(6):
        ahead = int(record.beside[home, side])
        if int(record.spurs[first]) & 1 << side and ahead >= 0 and ahead != goal:
            step(0, [home], side)
    done = set()
    while heap:
        cost, _length, path, entry = heapq.heappop(heap)
        if path[-1] == goal:
            return path
        if (path[-1], entry) in done:
            continue
        done.add((path[-1], entry))
        for side in range(6):
            if not _unfit(position, path[-1], entry, side):
                step(cost, path, side)
    raise Mistake(f"{where}: there is no room for a link.")
