"""What a player should know of an action before it is played, and of a name on the board.

Only what the seat to move may know is read; what chance or a hidden card decides is not told.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from sim.bits import bit
from sim.layout import counted, filled, wrapped
from sim.railways_of_the_world.actions import split
from sim.railways_of_the_world.board import Baron, slug
from sim.railways_of_the_world.state import (
    COLOURS,
    EXTENDING,
    FREE_DEPOTS,
    GREEN_CIRCLE,
    HAND,
    INFINITY,
    NEW_INDUSTRY,
    NO_DIAL,
    PAIRS,
    PURPLE_DIAMOND,
    RED_X,
    ROUTE,
    SIDES,
    STARTING,
    TERRAINS,
    opposite,
)

if TYPE_CHECKING:
    import numpy as np

    from sim.game import Position

_WHEN = {
    GREEN_CIRCLE: "goal",
    PURPLE_DIAMOND: "once a turn",
    RED_X: "at once",
    HAND: "once, when you like",
    INFINITY: "from now on",
}
_CARDS = {
    "gain_points_on_first_delivery": "first delivery of the game, {points}",
    "gain_points_on_first_delivery_to": "first delivery into {city}, {points}",
    "first_delivery_links": "first delivery over {amount} links or more, {points}",
    "first_engine_level": "first engine of level {amount}, {points}",
    "hotel": "each cube that anybody delivers into {city}, {points}",
    "two_actions": "{amount} actions",
    "free_open_tiles": "tiles on open terrain are free in one Build",
    "new_city_tile": "a free New City tile on a gray city",
    "add_cubes": "{amount} cubes from the bag into one city",
    "extra_tiles": "one Build may lay {amount} more",
    "no_ridge_cost": "ridges are free in one Build",
    "terrain_price": "{terrain} tiles cost ${cost}k in one Build",
    "turn_rotor": "turns the dial of a City Rotor by {amount}",
    "free_depots": "up to {amount} Fuel Depots in one city, free",
}
_BARONS = {
    "most_money": "most money of all, alone",
    "fewest_bonds": "fewest Bonds of all, alone",
    "longest_chain": "longest chain of own links of all, alone",
    "most_links": "most links of all, alone",
    "most_cities_connected": "own links at the most cities of all, alone",
    "most_major_lines": "most Major Lines of all, alone",
    "connections_out_of": "each own link at {city}, at most {amount}",
    "connected": "own links from {cities}",
    "first_engine_level": "first engine of level {amount}",
    "links_into": "own links into {amount} of {cities}",
    "own_western_link": "an own western link",
}


def note(position: "Position", code: int) -> str:
    """What an action costs or brings and where it leads; empty when its words tell all."""
    verb, numbers = split(code)
    return _NOTES[verb](position, code, *numbers) if verb in _NOTES else ""


def secrets(position: "Position", viewer: int) -> list[str]:
    """The Rail Baron that the viewer keeps, or the two to choose from."""
    state = position.state[0]
    rows = state.barons[viewer, : 1 if state.has_kept[viewer] else 2]
    return [position.board.file.baron_ids[row] for row in rows]


def explain(position: "Position", word: str) -> list[str]:
    """Lines on the city, card, Rail Baron, Major Line or hex of that name; none if there is none.

    A hex is named by its row and column: "6,23".
    """
    file, record = position.board.file, position.board.record[0]
    numbers = re.fullmatch(r"\s*(\d+)\s*,\s*(\d+)\s*", word)
    if numbers:
        at = int(numbers[1]), int(numbers[2])
        if at not in file.letters:
            return []
        place = file.places.index(at)
        city = int(record.city_at[place])
        return _told_city(position, city) if city >= 0 else _told_hex(position, place)
    name, lines = slug(word), []
    if name in file.city_ids:
        lines += _told_city(position, file.city_ids.index(name))
    if name in file.card_ids:
        lines += _told_card(position, file.card_ids.index(name))
    if name in file.baron_ids:
        baron = file.baron_rows[file.baron_ids.index(name)]
        lines += filled(f"{baron.name}, Rail Baron: {baron_text(baron)}")
    for number, line in enumerate(file.major_lines):
        if name in (slug(line.id), slug(f"{line.b} {line.a}")):
            lines += _told_line(position, number)
    return lines


# ----------------------------------------------------------------------------- actions, by verb


def _price(position: "Position", cost: int) -> str:
    """A price, and the Bonds issued to pay it."""
    short = cost - int(position.state[0].money[position.to_move])
    bonds = -(-short // int(position.board.record[0].bond_cash)) if short > 0 else 0
    return f"${cost}k" + (f" ({counted(bonds, 'new Bonds')})" if bonds else "")


def _after(position: "Position", code: int) -> "np.record":
    """The state after an action, by the rules; what is hidden or left to chance is made up."""
    return position.determinized(position.to_move, 0).play(code).state[0]


def _build(position: "Position", code: int) -> str:
    record = position.board.record[0]
    prices = [f"{name} ${record.tile_cost[n]}k" for n, name in enumerate(TERRAINS)]
    return f"{counted(int(record.tiles_per_build), 'tiles')}: {', '.join(prices)}"


def _done(position: "Position", code: int) -> str:
    is_open = position.state[0].phase == EXTENDING
    return "track still unfinished when the turn ends is removed" if is_open else ""


def _upgrade(position: "Position", code: int) -> str:
    state, seat = position.state[0], position.to_move
    level = int(state.engine[seat]) + 1
    points = int(_after(position, code).card_points[seat] - state.card_points[seat])
    cards = f", {counted(points, 'points')} by cards" if points else ""
    price = _price(position, int(position.board.record[0].engine_price[level]))
    return f"{price}, to level {level}{cards}"


def _card(position: "Position", code: int, row: int) -> str:
    return _card_text(position, row)


def _keep(position: "Position", code: int, row: int) -> str:
    return baron_text(position.board.file.baron_rows[row])


def _from(position: "Position", code: int, city: int) -> str:
    return counted(sum(owner is None for _, _, owner in _spurs(position, city)), "free spurs")


def _depots(position: "Position", code: int, city: int, less_one: int) -> str:
    state, record = position.state[0], position.board.record[0]
    if state.phase == FREE_DEPOTS or (record.depots_2010 and state.depots_placed):
        return "free"
    return _price(position, int(record.depot_cost))


def _urbanize(position: "Position", code: int, city: int, colour: int) -> str:
    state, record = position.state[0], position.board.record[0]
    is_free = state.phase == NEW_INDUSTRY
    price = "free" if is_free else _price(position, int(record.urbanize_cost))
    cubes = int(state.card_amount if is_free else record.urbanize_cubes)
    return f"{price}, {counted(cubes, 'cubes')} from the bag"


def _grow(position: "Position", code: int, city: int) -> str:
    return f"{counted(int(position.state[0].card_amount), 'cubes')} from the bag"


def _dial(position: "Position", code: int, city: int) -> str:
    return f"then shows {(*COLOURS, 'none')[_after(position, code).dial[city]]}"


def _western_link(position: "Position", code: int, place: int) -> str:
    record = position.board.record[0]
    cubes = counted(int(record.western_cubes), "red cubes")
    return f"{_price(position, int(record.western_cost))}, {cubes} into the city"


def _tile(position: "Position", code: int, place: int, pair: int) -> str:
    """Terrain and price of a tile, and what lies beyond its exit."""
    state, record, seat = position.state[0], position.board.record[0], position.to_move
    after = _after(position, code)
    entry, is_turned = _entry(position, place, PAIRS[pair])
    leave = sum(PAIRS[pair]) - entry
    is_done = after.n_links > state.n_links
    ridges = int(record.ridges[place])
    what = [TERRAINS[record.terrain[place]]]
    if not is_turned and state.track[place].any():
        what.append("crossing")
    if (not is_turned and ridges & bit(entry)) or (is_done and ridges & bit(leave)):
        what.append("ridge")
    price = _price(position, int(after.track_paid[seat] - state.track_paid[seat]))
    if is_done:
        ids = position.board.file.city_ids
        link = "-".join(sorted(ids[city] for city in after.link_city[state.n_links]))
        points = int(after.line_points[seat] - state.line_points[seat])
        line = f" and a Major Line, {counted(points, 'points')}" if points else ""
        return f"{' and '.join(what)} {price}, completes {link}{line}"
    return f"{' and '.join(what)} {price}, {SIDES[leave]} to {_ahead(position, place, leave)}"


def _entry(position: "Position", place: int, sides: tuple[int, int]) -> tuple[int, bool]:
    """The side a tile comes in by, and whether it lies there already and is turned."""
    state, record, seat = position.state[0], position.board.record[0], position.to_move
    beside = record.beside[place]
    if state.phase == STARTING:
        home = record.city_hex[state.build_city]
        return next(side for side in sides if beside[side] == home), False
    stubs = range(state.n_stubs) if state.build_stub < 0 else [state.build_stub]
    for stub in stubs:
        if state.stub_owner[stub] != seat:
            continue
        for side in sides:
            if state.stub_hex[stub] == place and state.stub_entry[stub] == side:
                return side, True
            if state.stub_hex[stub] == beside[side] and state.stub_exit[stub] == opposite(side):
                return side, False
    raise AssertionError(f"no track leads into {place}")


def _ahead(position: "Position", place: int, leave: int) -> str:
    """The hex over a side: its terrain, a ridge before it, and cities that it touches."""
    record, file = position.board.record[0], position.board.file
    beyond = int(record.beside[place, leave])
    what = [TERRAINS[record.terrain[beyond]]]
    if int(record.ridges[place]) & bit(leave):
        what.append("over a ridge")
    if position.state[0].track[beyond].any():
        what.append("with track")
    for side in range(6):
        there = int(record.beside[beyond, side])
        city = int(record.city_at[there]) if there >= 0 and there != place else -1
        if city >= 0 and int(record.spurs[city]) & bit(opposite(side)):
            what.append(f"beside {file.city_ids[city]}")
    return f"{file.hex_ids[beyond]} ({', '.join(what)})"


def _move(position: "Position", code: int, *numbers: int) -> str:
    """Links of a cube's move, and who earns what by it."""
    state, seat = position.state[0], position.to_move
    after = _after(position, code)
    seats = range(position.players)
    if after.phase == ROUTE and after.to_move == seat:
        spans = []
        for other in seats:
            possible = [n for n in range(16) if int(after.possible_points[other]) & bit(n)]
            if possible[-1]:
                span = dict.fromkeys((possible[0], possible[-1]))
                spans.append(f"seat {other} +{' to '.join(map(str, span))}")
        return f"by a route to be chosen: {', '.join(spans)}"
    if after.deliveries[seat] == state.deliveries[seat]:
        if after.stopped[seat] < 0:
            return "lost: no action of this turn is left to move it on"
        return f"{counted(int(after.stopped_links[seat]), 'links')}, delivered by a later action"
    links = int(after.delivery_links[seat] - state.delivery_links[seat])
    parts = [counted(links, "links")]
    for field, by in (("delivery_points", ""), ("card_points", " by cards")):
        gains = (after[field] - state[field]).tolist()
        parts += [f"seat {other} +{gains[other]}{by}" for other in seats if gains[other]]
    return ", ".join(parts)


_NOTES: dict[str, Callable[..., str]] = {
    "build": _build,
    "done": _done,
    "upgrade": _upgrade,
    "use": _card,
    "take": _card,
    "keep": _keep,
    "from": _from,
    "depots": _depots,
    "urbanize": _urbanize,
    "grow": _grow,
    "dial": _dial,
    "western_link": _western_link,
    "lay": _tile,
    "redirect": _tile,
} | dict.fromkeys(("deliver", "stop", "continue", "continue_stop", "points", "depot", "via"), _move)


# ------------------------------------------------------------------------------- names on the board


def _card_text(position: "Position", row: int) -> str:
    """When a card acts, and what it does."""
    record, card = position.board.record[0], position.board.file.cards[row]
    effect = _CARDS[card.effect].format(
        points=counted(int(record.card_points[row]), "points"),
        amount=int(record.card_amount[row]),
        city=card.city,
        terrain=card.terrain,
        cost=int(record.card_cost[row]),
    )
    return f"{_WHEN[int(record.card_symbol[row])]}: {effect}"


def baron_text(baron: Baron) -> str:
    """What a Rail Baron wants, and what that scores at the end."""
    wanted = _BARONS[baron.condition].format(
        city=baron.city,
        cities=(" to " if baron.condition == "connected" else ", ").join(baron.cities or ()),
        amount=baron.most or baron.level or baron.at_least,
    )
    return f"{wanted}: {counted(baron.points or baron.points_each, 'points')}" + (
        " each" if baron.points_each else ""
    )


def _tracks(position: "Position", place: int) -> list[tuple[int, tuple[int, int]]]:
    """Owner and sides of each track in a hex."""
    found = [divmod(int(track) - 1, 16) for track in position.state[0].track[place] if track]
    return [(owner, PAIRS[pair]) for owner, pair in found]


def _spurs(position: "Position", city: int) -> list[tuple[int, int, int | None]]:
    """The spurs of a city: side, hex beyond, and the owner of the track there if there is any."""
    record = position.board.record[0]
    spurs = []
    for side in range(6):
        if int(record.spurs[city]) & bit(side):
            place = int(record.beside[record.city_hex[city], side])
            owners = [o for o, sides in _tracks(position, place) if opposite(side) in sides]
            spurs.append((side, place, owners[0] if owners else None))
    return spurs


def _told_city(position: "Position", city: int) -> list[str]:
    state, record, file = position.state[0], position.board.record[0], position.board.file
    shown = [int(state.colour[city]), int(state.dial[city])]
    colours = " and ".join(COLOURS[colour] for colour in shown if 0 <= colour < NO_DIAL)
    takes = f"takes {colours} cubes" if colours else "gray, takes no cubes"
    cubes = ", ".join(f"{n} {COLOURS[c]}" for c, n in enumerate(state.cubes[city]) if n)
    marker = ", an Empty City Marker" if int(state.marked) & bit(city) else ""
    at = file.hex_ids[int(record.city_hex[city])]
    lines = filled(
        f"{file.cities[city].name}, city at row,column {at}: {takes}; "
        f"has {cubes or 'no cubes'}{marker}."
    )
    spurs = [
        f"{SIDES[side]} to {file.hex_ids[place]} "
        + ("free" if owner is None else f"(seat {owner}'s track)")
        for side, place, owner in _spurs(position, city)
    ]
    lines += wrapped("  Spurs: ", spurs)
    links = [
        f"seat {seat} to {name}"
        for seat in range(position.players)
        for other, name in enumerate(file.city_ids)
        if int(state.linked[seat, city]) & bit(other)
    ]
    lines += wrapped("  Links: ", links or ["none"])
    depots = [f"seat {seat} {n}" for seat, n in enumerate(state.depots[:, city]) if n]
    if depots:
        lines += wrapped("  Fuel Depots: ", depots)
    for number, line in enumerate(file.major_lines):
        if file.cities[city].name in (line.a, line.b):
            lines += [f"  {text}" for text in _told_line(position, number)]
    return lines


def _told_card(position: "Position", row: int) -> list[str]:
    state, file = position.state[0], position.board.file
    where = [f"seat {seat} holds {n}" for seat, n in enumerate(state.held[:, row]) if n]
    if state.shown[row]:
        where.insert(0, f"{state.shown[row]} on display")
    name, places = file.cards[row].name, ", ".join(where) or "not on display"
    return filled(f"{name}, card, {_card_text(position, row)} ({places})")


def _told_line(position: "Position", number: int) -> list[str]:
    line, owner = position.board.file.major_lines[number], position.state[0].line_owner[number]
    done = f"done by seat {owner}" if owner >= 0 else "open"
    return [f"Major Line {line.a} to {line.b}: {counted(line.points, 'points')}, {done}"]


def _told_hex(position: "Position", place: int) -> list[str]:
    record, file = position.board.record[0], position.board.file
    terrain = int(record.terrain[place])
    lines = [
        f"Hex at row,column {file.hex_ids[place]}: {TERRAINS[terrain]}, "
        f"a tile costs ${record.tile_cost[terrain]}k"
    ]
    beside = []
    for side, there in enumerate(record.beside[place].tolist()):
        if there >= 0:
            city = int(record.city_at[there])
            name = file.city_ids[city] if city >= 0 else file.hex_ids[there]
            ridge = " over a ridge" if int(record.ridges[place]) & bit(side) else ""
            beside.append(f"{SIDES[side]} {name}{ridge}")
    lines += wrapped("  Beside it: ", beside)
    tracks = [
        f"seat {owner}'s {SIDES[low]}-{SIDES[high]}"
        for owner, (low, high) in _tracks(position, place)
    ]
    return lines + (wrapped("  Track: ", tracks) if tracks else [])
