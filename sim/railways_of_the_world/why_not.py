"""Why an action of Railways of the World is not legal, in words of the rules.

What is legal, `legal_actions` alone says. These functions look for the rule that stands in the way
of something else: in plain Python, from the state and the board, in the order in which a player
would look. Each returns the end of a sentence.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sim.bits import bit
from sim.layout import counted
from sim.railways_of_the_world.state import (
    ACTION,
    ADD_CUBES,
    AFTER_ACTION,
    BIDDING,
    BUILDING,
    CITY_GROWTH,
    COLOURS,
    EXTENDING,
    EXTRA_TILES,
    FREE_DEPOTS,
    FREE_OPEN_TILES,
    GRAY,
    GREEN_CIRCLE,
    KEEPING,
    LINK_DONE,
    MAX_LEVEL,
    NEW_CITY_TILE,
    NEW_INDUSTRY,
    NO_DIAL,
    NO_RIDGE_COST,
    PAIRS,
    PLACE_DEPOTS,
    ROUTE,
    SIDES,
    STARTING,
    TERRAIN_PRICE,
    TURN_ROTOR,
    opposite,
)

if TYPE_CHECKING:
    from sim.game import Position

_PHASES = {  # in which a verb may be legal
    "pass": (BIDDING, ACTION),
    "done": (EXTENDING, LINK_DONE, AFTER_ACTION),
    "use": (BUILDING,),
    "keep": (KEEPING,),
    "from": (BUILDING,),
    "depots": (BUILDING, EXTENDING, LINK_DONE, FREE_DEPOTS),
    "urbanize": (ACTION, NEW_INDUSTRY),
    "grow": (CITY_GROWTH,),
    "dial": (ACTION, AFTER_ACTION),
    "points": (ROUTE,),
    "depot": (ROUTE,),
    "via": (ROUTE,),
    "bid": (BIDDING,),
    "lay": (BUILDING, STARTING, EXTENDING),
    "redirect": (BUILDING,),
}
_OF_A_BUILD = ("use", "from", "lay", "redirect", "depots", "done")
_BUILD_EFFECTS = (FREE_OPEN_TILES, EXTRA_TILES, NO_RIDGE_COST, TERRAIN_PRICE)


@dataclass(frozen=True)
class _Case:
    """A position as the reasons look at it."""

    position: "Position"
    state: Any
    record: Any
    file: Any
    player: int

    def city(self, city: int) -> str:
        return self.file.cities[city].name

    def hex(self, place: int) -> str:
        city = int(self.record.city_at[place])
        if city >= 0:
            return self.city(city)
        return self.file.hex_ids[place]

    def beside(self, place: int, side: int) -> int:
        return int(self.record.beside[place, side])

    def tracks(self, place: int) -> list[tuple[tuple[int, int], int]]:
        """The tracks in a hex: their two sides, and their owner."""
        found = [int(track) - 1 for track in self.state.track[place] if track]
        return [(PAIRS[track % 16], track // 16) for track in found]

    def own_stubs(self) -> list[int]:
        owners = self.state.stub_owner[: self.state.n_stubs].tolist()
        return [stub for stub, owner in enumerate(owners) if owner == self.player]

    def is_linked(self, first: int, second: int) -> bool:
        return bool(int(self.state.linked[self.player, first]) & bit(second))

    def takes(self, colour: int, city: int) -> bool:
        return bool(int(self.state.accepts[colour]) & bit(city))


def _case(position: "Position") -> _Case:
    state, record = position.state[0], position.board.record[0]
    return _Case(position, state, record, position.board.file, int(state.to_move))


def why_not(position: "Position", verb: str, numbers: list[int]) -> str:
    """Why an action that is not legal here is not, as the end of a sentence."""
    case = _case(position)
    reason = _not_played(case, verb)
    if reason:
        return reason
    if case.state.phase not in _PHASES.get(verb, (ACTION,)):
        return _wrong_moment(case, verb)
    reasons = {
        "bid": _why_no_bid,
        "keep": _why_not_keep,
        "build": _why_no_build,
        "upgrade": _why_no_upgrade,
        "use": _why_not_use,
        "take": _why_not_take,
        "from": _why_not_from,
        "depots": _why_no_depots,
        "urbanize": _why_not_urbanize,
        "dial": _why_no_dial,
        "western_link": _why_no_western_link,
        "lay": _why_no_tile,
        "redirect": _why_no_redirect,
        "deliver": _why_no_delivery,
        "stop": _why_no_delivery,
        "continue": _why_not_continue,
        "continue_stop": _why_not_continue,
    }
    if verb in ("points", "depot", "via"):
        return f"another question is asked{_choices(case)}"
    reason = reasons[verb](case, verb, *numbers) if verb in reasons else ""
    return reason or f"it cannot be done now{_choices(case)}"


def _choices(case: _Case) -> str:
    """The first legal actions, in parentheses."""
    codes = case.position.legal_codes()
    texts = [case.position.text(code) for code in codes[:4]]
    return f" ({', '.join(texts)}{', ...' if len(codes) > 4 else ''})"


def _verbs(case: _Case) -> str:
    """The verbs of the legal actions."""
    texts = [case.position.text(code) for code in case.position.legal_codes()]
    verbs = list(dict.fromkeys(text.split()[0] for text in texts))
    return f": type {' or '.join(map(repr, verbs))}"


def _not_played(case: _Case, verb: str) -> str:
    """That the module an action belongs to is left out, if it is."""
    record = case.record
    if verb in ("depots", "stop", "continue", "continue_stop", "depot") and not record.fuel_depots:
        return "Fuel Depots are not played"
    if verb == "dial" and (record.city_dial[: record.n_cities] < 0).all():
        return "City Rotors are not played"
    if verb == "western_link" and not record.n_western:
        return "western links are not played"
    return ""


def _wrong_moment(case: _Case, verb: str) -> str:
    """What is to be decided instead."""
    phase, state = int(case.state.phase), case.state
    if phase == KEEPING:
        return f"seat {case.player} must first keep one of two Rail Barons{_choices(case)}"
    if phase == BIDDING:
        return "the First Player Auction is on: bid or pass"
    if phase == ROUTE:
        return f"the route of the cube must be chosen first{_choices(case)}"
    if phase == NEW_INDUSTRY:
        return "a New City tile must be placed: urbanize a gray city"
    if phase == CITY_GROWTH:
        return "the city that gets the cubes must be named: grow a city"
    if phase == FREE_DEPOTS:
        return "the Fuel Depots of the card must be placed"
    if phase == AFTER_ACTION:
        return "the action is over: turn a dial, or type 'done'"
    if verb == "keep":
        return "the Rail Barons have been kept"
    if verb == "bid":
        return "the auction is over"
    if verb in ("points", "depot", "via"):
        return "no route is to be chosen now"
    if verb == "grow":
        return "only the card City Growth lets a city grow"
    if phase == ACTION:
        return "no Build is under way: type 'build' first" if verb in _OF_A_BUILD else ""
    if verb in ("pass", "done"):
        if phase in (BUILDING, STARTING):
            return "a Build lays at least one tile or redirects one"
        return "a Build ends with 'done'"
    if verb not in _OF_A_BUILD:
        return f"a Build is under way{_verbs(case)}"
    if verb == "use":
        return "cards are declared before the first tile"
    if phase == STARTING:
        city = case.city(int(state.build_city))
        return f"a link begins in {city}: lay its first tile"
    if verb == "from":
        return "only one link may be built in an action"
    if phase == LINK_DONE:
        return "the link is complete, and building stops at a city"
    return "a tile may only be redirected as the first step of a Build"


# --------------------------------------------------------------- auction, engine, cards and cities


def _why_no_bid(case: _Case, verb: str, amount: int) -> str:
    if amount > case.record.max_bid:
        return f"no bid may be above ${int(case.record.max_bid)}k"
    if amount == 0:
        return "the least bid is $1k"
    return f"the highest bid is ${int(case.state.bid)}k: bid more, or pass"


def _why_not_keep(case: _Case, verb: str, baron: int) -> str:
    return f"seat {case.player} was not dealt it{_choices(case)}"


def _why_no_upgrade(case: _Case, verb: str) -> str:
    return f"the engine has the highest level ({MAX_LEVEL})"


def _why_not_use(case: _Case, verb: str, card: int) -> str:
    state, player = case.state, case.player
    if case.record.card_effect[card] not in _BUILD_EFFECTS:
        return "it is not a card for a Build"
    if int(state.declared) & bit(card):
        return "it is declared already"
    if state.held[player, card] == 0:
        return f"seat {player} does not have it"
    return "it has been used in this turn"


def _why_not_take(case: _Case, verb: str, card: int) -> str:
    record, effect = case.record, case.record.card_effect[card]
    if case.state.shown[card] == 0:
        return "it is not on display"
    if record.card_symbol[card] == GREEN_CIRCLE:
        return "cards with a green circle cannot be taken"
    if effect == NEW_CITY_TILE:
        is_gray = GRAY in case.state.colour[: record.n_cities]
        return "no New City tile is left" if is_gray else "no city is gray any more"
    if effect == ADD_CUBES:
        return "the bag is empty"
    if effect == PLACE_DEPOTS:
        if case.state.depots_left[case.player] == 0:
            return f"seat {case.player} has no Fuel Depot left"
        return f"seat {case.player} has no link to a city without a Fuel Depot"
    return ""


def _why_not_urbanize(case: _Case, verb: str, city: int, colour: int) -> str:
    if case.state.colour[city] != GRAY:
        return f"only gray cities are urbanized, and {case.city(city)} is {_colours(case, city)}"
    if case.record.new_city_tiles[colour] == 0:
        return f"there are no {COLOURS[colour]} New City tiles"
    return f"no {COLOURS[colour]} New City tile is left"


def _colours(case: _Case, city: int) -> str:
    """The colours a city shows."""
    shown = [int(case.state.colour[city]), int(case.state.dial[city])]
    names = [COLOURS[number] for number in shown if 0 <= number < NO_DIAL]
    return " and ".join(names) or "gray"


def _why_no_dial(case: _Case, verb: str, city: int) -> str:
    rotors = case.record.card_effect[: case.record.n_cards] == TURN_ROTOR
    if not case.state.held[case.player, : case.record.n_cards][rotors].any():
        return f"seat {case.player} holds no card that turns a dial"
    return f"{case.city(city)} has no City Rotor"


def _why_no_western_link(case: _Case, verb: str, place: int) -> str:
    return f"seat {int(case.state.western_owner[place])} has built it"


def _why_no_depots(case: _Case, verb: str, city: int, less_one: int) -> str:
    state, record, player = case.state, case.record, case.player
    number, name = less_one + 1, case.city(city)
    left, phase = int(state.depots_left[player]), int(state.phase)
    of_2010 = record.depots_2010 and phase != FREE_DEPOTS
    if of_2010 and phase != LINK_DONE:
        return "Fuel Depots are placed when a link is done"
    if of_2010 and number > 1:
        return "one Fuel Depot is placed in a city"
    if phase != FREE_DEPOTS and not of_2010 and state.depots_placed:
        return "Fuel Depots have been placed in this Build"
    if number > left:
        return f"seat {player} has {counted(left or 'no', 'Fuel Depots')} left"
    for seat in range(case.position.players):
        if state.depots[seat, city]:
            return f"{name} has a Fuel Depot of seat {seat}'s already"
    if int(state.linked[player, city]) == 0:
        return f"no complete link of seat {player}'s leads to {name}"
    if of_2010:
        return f"the link just built does not lead to {name}"
    return f"no {number} Fuel Depots may be placed now"


# ------------------------------------------------------------------------------------------ track


def _why_no_build(case: _Case, verb: str) -> str:
    return "no tile can be laid anywhere"


def _why_not_from(case: _Case, verb: str, city: int) -> str:
    if not any(_spurs(case, city)):
        return f"{case.city(city)} has no spur"
    if not any(_is_free(case, city, side) for side in _spurs(case, city)):
        return f"every spur of {case.city(city)} is in use"
    return f"no tile can be laid at a free spur of {case.city(city)}"


def _spurs(case: _Case, city: int) -> list[int]:
    return [side for side in range(6) if int(case.record.spurs[city]) >> side & 1]


def _is_free(case: _Case, city: int, side: int) -> bool:
    """Whether no track stands at that side of a city."""
    place = case.beside(int(case.record.city_hex[city]), side)
    return place < 0 or all(opposite(side) not in sides for sides, _ in case.tracks(place))


@dataclass(frozen=True)
class _Entry:
    """Where a tile may come in: its side, the city its link begins in, the stub it extends."""

    side: int
    city: int
    stub: int = -1


def _why_no_tile(case: _Case, verb: str, place: int, pair: int) -> str:
    state, name = case.state, case.hex(place)
    if case.record.city_at[place] >= 0:
        return f"{name} is a city"
    if state.phase == STARTING:
        entries, reason = _entries_at_city(case, int(state.build_city), place)
    else:
        entries, reason = _entries_at_stubs(case, place)
    if reason:
        return reason
    fitting = [entry for entry in entries if entry.side in PAIRS[pair]]
    if not fitting:
        sides = " or ".join(SIDES[entry.side] for entry in entries)
        return f"the tile must come in by side {sides}"
    reasons = [_why_no_such_tile(case, place, pair, entry) for entry in fitting]
    return reasons[0]


def _entries_at_city(case: _Case, city: int, place: int) -> tuple[list[_Entry], str]:
    here = int(case.record.city_hex[city])
    side = next((side for side in range(6) if case.beside(here, side) == place), -1)
    if side < 0:
        return [], f"{case.hex(place)} is not beside {case.city(city)}"
    if side not in _spurs(case, city):
        return [], f"{case.city(city)} has no spur to the {SIDES[side]}"
    if not _is_free(case, city, side):
        return [], f"the {SIDES[side]} spur of {case.city(city)} is in use"
    return [_Entry(opposite(side), city)], ""


def _entries_at_stubs(case: _Case, place: int) -> tuple[list[_Entry], str]:
    state = case.state
    if state.tiles_left == 0:
        return [], "no tile is left for this action"
    stubs = case.own_stubs()
    if state.phase == EXTENDING:
        stubs = [int(state.build_stub)]
        ahead = _ahead(case, stubs[0])
        if ahead != place:
            return [], f"the link goes on in {case.hex(ahead)}"
    entries = [
        _Entry(opposite(int(state.stub_exit[stub])), int(state.stub_city[stub]), stub)
        for stub in stubs
        if _ahead(case, stub) == place
    ]
    if not entries:
        name = case.hex(place)
        return [], (
            f"no unfinished link of seat {case.player}'s leads into {name} "
            "(a new link begins with 'from CITY')"
        )
    return entries, ""


def _ahead(case: _Case, stub: int) -> int:
    return case.beside(int(case.state.stub_hex[stub]), int(case.state.stub_exit[stub]))


def _why_no_redirect(case: _Case, verb: str, place: int, pair: int) -> str:
    state = case.state
    stubs = [stub for stub in case.own_stubs() if state.stub_hex[stub] == place]
    if not stubs:
        return f"no unfinished link of seat {case.player}'s ends in {case.hex(place)}"
    fitting = [stub for stub in stubs if int(state.stub_entry[stub]) in PAIRS[pair]]
    if not fitting:
        sides = " or ".join(SIDES[int(state.stub_entry[stub])] for stub in stubs)
        return f"the tile comes in by side {sides} and keeps it"
    stub = fitting[0]
    if int(state.stub_exit[stub]) in PAIRS[pair]:
        return "the tile lies so already"
    entry = _Entry(int(state.stub_entry[stub]), int(state.stub_city[stub]), stub)
    return _why_no_such_tile(case, place, pair, entry, turned=True)


def _why_no_such_tile(
    case: _Case, place: int, pair: int, entry: _Entry, turned: bool = False
) -> str:
    """Why a tile may not lie so; `turned`: it lies there already and only its exit is new."""
    record, name = case.record, case.hex(place)
    sides = PAIRS[pair]
    tracks = case.tracks(place)
    own = _hexes_of(case, entry.stub) if entry.stub >= 0 else []
    if turned:
        own = own[:-1]
        old = sorted((entry.side, int(case.state.stub_exit[entry.stub])))
        tracks = [track for track in tracks if list(track[0]) != old]
    if len(tracks) == 2:
        return f"{name} has two tracks already"
    for taken, owner in tracks:
        for side in sides:
            if side in taken:
                return f"side {SIDES[side]} of {name} is in use by seat {owner}'s track"
    if (sides[1] - sides[0]) % 6 in (1, 5) and not record.sharp_turns:
        return "the turn is too sharp"
    if place in own and not record.link_may_cross_itself:
        return "a link may not cross itself"
    for (low, high), owner in tracks:
        if sum(low < side < high for side in sides) != 1 and not record.tracks_need_not_cross:
            return f"the track must cross seat {owner}'s"
    way_out = sides[0] if sides[1] == entry.side else sides[1]
    return _why_no_exit(case, place, way_out, entry, [*own, place])


def _hexes_of(case: _Case, stub: int) -> list[int]:
    """The hexes of an unfinished link, from its city to its last tile."""
    state = case.state
    place = int(case.record.city_hex[state.stub_city[stub]])
    way_out, hexes = int(state.stub_spur[stub]), []
    for _ in range(state.stub_tiles[stub]):
        place = case.beside(place, way_out)
        hexes.append(place)
        for (low, high), _ in case.tracks(place):
            if opposite(way_out) in (low, high):
                way_out = low + high - opposite(way_out)
                break
    return hexes


def _why_no_exit(case: _Case, place: int, side: int, entry: _Entry, own: list[int]) -> str:
    """Why a tile may not leave a hex by that side; `own`: the hexes of its link."""
    state, record = case.state, case.record
    there = case.beside(place, side)
    if there < 0:
        return f"side {SIDES[side]} of {case.hex(place)} leads to no complete hex"
    city = int(record.city_at[there])
    if city >= 0:
        if city == entry.city:
            return f"a link joins two different cities, and this one begins in {case.city(city)}"
        if opposite(side) not in _spurs(case, city):
            return f"{case.city(city)} has no spur to the {SIDES[opposite(side)]}"
        return _why_no_second_link(case, entry.city, city)
    for sides, owner in case.tracks(there):
        if opposite(side) not in sides:
            continue
        if owner != case.player:
            return f"the open end of seat {owner}'s track lies there"
        for stub in case.own_stubs():
            if (int(state.stub_hex[stub]), int(state.stub_exit[stub])) == (there, opposite(side)):
                return _why_not_join(case, entry, stub, own)
    return ""


def _why_no_second_link(case: _Case, first: int, second: int) -> str:
    if case.is_linked(first, second) and not case.record.second_own_parallel_link:
        names = f"{case.city(first)} and {case.city(second)}"
        return f"seat {case.player} has a link between {names} already"
    return ""


def _why_not_join(case: _Case, entry: _Entry, stub: int, own: list[int]) -> str:
    """Why a tile may not join an own open end ahead."""
    city = int(case.state.stub_city[stub])
    if city == entry.city:
        return f"a link joins two different cities, and both ends begin in {case.city(city)}"
    reason = _why_no_second_link(case, entry.city, city)
    if reason:
        return reason
    if set(own) & set(_hexes_of(case, stub)) and not case.record.link_may_cross_itself:
        return "a link may not cross itself"
    return ""


# ------------------------------------------------------------------------------------- deliveries


def _why_no_delivery(case: _Case, verb: str, colour: int, start: int, end: int) -> str:
    if case.state.cubes[start, colour] == 0:
        return f"there is no {COLOURS[colour]} cube in {case.city(start)}"
    if start == end:
        return "a cube must move to another city"
    return _why_no_move(case, verb == "stop", colour, start, end)


def _why_not_continue(case: _Case, verb: str, end: int) -> str:
    state, player = case.state, case.player
    colour = int(state.stopped[player])
    if colour < 0:
        return f"no cube of seat {player}'s waits at a Fuel Depot"
    start = int(state.stopped_at[player])
    if int(state.stopped_seen[player]) & bit(end):
        return f"the cube has been in {case.city(end)}"
    return _why_no_move(case, verb == "continue_stop", colour, start, end, goes_on=True)


def _why_no_move(
    case: _Case, stops: bool, colour: int, start: int, end: int, goes_on: bool = False
) -> str:
    state, player = case.state, case.player
    if not stops and not case.takes(colour, end):
        name = case.city(end)
        return f"{name} takes no {COLOURS[colour]} cubes: it is {_colours(case, end)}"
    reason = _why_no_stop(case, colour, end) if stops else ""
    if reason:
        return reason
    own_first = _own_first(case, goes_on)
    if own_first and int(state.linked[player, start]) == 0:
        return (
            f"the first link must be seat {player}'s own, and none of them "
            f"leads to {case.city(start)}"
        )
    names = f"from {case.city(start)} to {case.city(end)}"
    seen = int(state.stopped_seen[player]) if goes_on else bit(start)
    barred = {city for city in range(len(case.file.cities)) if seen & bit(city)} - {start}
    stopping = {
        city
        for city in range(len(case.file.cities))
        if case.takes(colour, city) and state.depots[player, city] == 0
    }
    if _distance(case, start, end, False, ()) is None:
        return f"no complete links lead {names}"
    if _distance(case, start, end, own_first, ()) is None:
        return f"no way {names} begins with a link of seat {player}'s own"
    if _distance(case, start, end, own_first, barred) is None:
        return f"every way {names} comes to a city the cube has been in"
    length = _distance(case, start, end, own_first, barred | stopping)
    if length is None:
        return (
            f"on every way {names} a {COLOURS[colour]} cube must stop earlier, "
            f"in a {COLOURS[colour]} city"
        )
    level = int(state.engine[player])
    if length > level:
        return f"the shortest way {names} has {length} links, and the engine has level {level}"
    return ""


def _own_first(case: _Case, goes_on: bool) -> bool:
    return not goes_on or bool(case.record.own_first_link_after_stop)


def _why_no_stop(case: _Case, colour: int, city: int) -> str:
    """Why a cube may not be held in a city; empty when it may."""
    name, depots = case.city(city), int(case.state.depots[case.player, city])
    if depots == 0:
        return f"seat {case.player} has no Fuel Depot in {name}"
    if depots == 1 and case.takes(colour, city):
        return (
            f"{name} takes {COLOURS[colour]} cubes: to stop there seat {case.player} needs "
            "two Fuel Depots"
        )
    return ""


def _distance(
    case: _Case, start: int, end: int, own_first: bool, barred: Iterable[int]
) -> int | None:
    """Links of a shortest way that passes none of the barred cities; None if there is no way."""
    state, count = case.state, len(case.file.cities)
    closed = set(barred) - {end} | {start}
    reached, length = {start}, 0
    while reached and end not in reached:
        joined = state.linked[case.player] if own_first and length == 0 else state.joined
        reached = {
            city
            for here in reached
            for city in range(count)
            if int(joined[here]) & bit(city) and city not in closed
        }
        closed |= reached
        length += 1
    return length if reached else None


def why_no_route(
    position: "Position",
    colour: int,
    cities: list[int],
    seats: list[int | None],
    goes_on: bool,
    stops: bool,
) -> str:
    """Why a cube may not go by a route, city by city; empty when it may.

    `seats` names, where it is given, whose link leads to each next city; `goes_on`: the cube is one
    that stopped; `stops`: it is to stop in the last city.
    """
    case = _case(position)
    state, player = case.state, case.player
    links, level = len(cities) - 1, int(state.engine[player])
    if links > level:
        return f"the route has {links} links, and the engine has level {level}"
    for number, city in enumerate(cities):
        if city in cities[:number]:
            return f"no city may come twice, as {case.city(city)} does"
        if goes_on and number and int(state.stopped_seen[player]) & bit(city):
            return f"the cube has been in {case.city(city)}"
    for number, (here, there) in enumerate(zip(cities, cities[1:], strict=False)):
        names = f"{case.city(here)} and {case.city(there)}"
        if not int(state.joined[here]) & bit(there):
            return f"no complete link joins {names}"
        seat = seats[number]
        if seat is not None and seat >= position.players:
            return f"there is no seat {seat}"
        if seat is not None and not int(state.linked[seat, here]) & bit(there):
            return f"seat {seat} has no link between {names}"
        if number == 0 and _own_first(case, goes_on):
            if not case.is_linked(here, there):
                return f"the first link must be seat {player}'s own, and {names} is not"
            if seat not in (None, player):
                return f"the first link must be seat {player}'s own"
    for city in cities[1:-1]:
        if case.takes(colour, city) and state.depots[player, city] == 0:
            depot = f" without a Fuel Depot of seat {player}'s" if case.record.fuel_depots else ""
            return f"a {COLOURS[colour]} cube must stop in {case.city(city)}{depot}"
    if stops:
        return _why_no_stop(case, colour, cities[-1])
    if not case.takes(colour, cities[-1]):
        return f"{case.city(cities[-1])} takes no {COLOURS[colour]} cubes"
    return ""
