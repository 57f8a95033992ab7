"""Positions of Railways of the World for scenario files: what can be given and looked at.

Keys of `given` (whatever is not given is as after set-up; money is in thousands of dollars):

    phase        "keep a Baron", "bid", or "action", which turn or round alone mean too
    turn, round  1 and, in the phase "action", 1 when left out
    order        [2, 0, 1]: the turn order; in the phase "bid", that of the turn before
    first_player 2: the same, clockwise from there
    to_move      seat that decides; the first in order when left out
    actions_left of the seat that decides; 1 when left out
    money, bonds, points (the marker on the track), banked, engine      [0, 5, 0], by seat
    first_at_level  first_at_level.6 = 0; when left out, the lowest seat that is there
    cubes        cubes.new_york = ["red", "blue", "blue"] or { red = 1, blue = 2 }; the bag has
                 the others. cubes."*" is for all cities that are not named
    colours      colours.toledo = "blue": cities with a New City tile
    new_tiles    new_tiles.blue = 2; when left out, those that are not on the map
    dials        dials.phoenix = "none"
    markers      ["toledo"]: cities with an Empty City Marker, emptied unless cubes are given
    markers_placed  13: as many, other cities that are not named in `cubes` taken as needed
    links        links.new_york-philadelphia = [0, 1]: the cheapest free route for each seat; or
                 [{ seat = 0, route = ["new_york", "6,23", "philadelphia"] }]; or, for the cheapest
                 again, cities = ["new_york", "philadelphia"]
    stubs        [{ seat = 0, route = ["albany", "2,22", "2,23"], exit = "ne" }]: unfinished links
    major_lines  major_lines.baltimore-toledo = 0; when left out, the lowest seat whose links join
                 the two, else "open"
    western_links   western_links.des_moines = 0
    depots       depots.denver = [2, 0], by seat
    stopped      [{ seat = 0, colour = "blue", route = ["omaha", "denver"] }]: a cube at a Fuel
                 Depot and the cities of its journey; points = [1, 0] when not each link is the
                 seat's own
    shown        ["new_train", "city_growth", "city_growth"]: the whole display; or
                 shown.city_growth = 2, of this card, the others as dealt
    held         [["hotel_boston"], []]: cards in front of each seat
    used         [["tunnel_engineer"], []]: purple cards of this turn, by seat
    deck         the operations cards from the top; "..." at the end: the others as shuffled.
                 Cards that are nowhere are out of the game
    barons       ["richest", "most_links"], by seat; in the phase "keep a Baron" two each:
                 [["richest", "most_links"], ["major_lines", "most_cities"]]; "..." at the end: the
                 others as dealt
    bid, high_bidder, passed, own_bids      the auction: the highest bid and whose, [2, 1] as they
                 passed, [5, 3, 0] by seat
    triggered    round of the turn in which the last marker was placed; last_turn, the turn after
                 this one when left out; trigger_player, seat 0 when left out

`expect` has the same keys and `marked` and `cube_count` by city, `bag` by colour and `bag_count`,
`markers_placed`, `link_count` and `depots_left` by seat, `track` (track."6,23" = ["0 ne-sw"]),
`tiles_left` and `declared` in a Build, `deck_count`, and by seat the measures `auction_paid`,
`deliveries`, `delivery_links`, `longest_delivery`, `delivery_points`, `line_points`,
`card_points`, `tiles`, `track_paid`, `urbanized`, `cards_taken`, `passes`, `cubes_lost`
and `depots_used`.
`links` and `stubs` are given as lists and looked at as links.new_york-philadelphia = [0] (whose)
and ["0 albany 2,23 ne"]; `stopped` is looked at as ["blue denver", ""].
"""

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from sim.bits import bit
from sim.errors import Mistake, nearest
from sim.railways_of_the_world.scenario_track import lay_track
from sim.railways_of_the_world.scenario_values import (
    BY_SEAT,
    EXPECTED,
    GIVEN,
    KINDS,
    OPEN,
    OTHERS,
    baron_names,
    card_names,
    city_names,
    hex_numbers,
    level_names,
    line_names,
    link_entries,
    stub_entry,
    tidy,
    western_names,
)
from sim.railways_of_the_world.state import (
    ACTION,
    BIDDING,
    COLOURS,
    GRAY,
    KEEPING,
    LAST_SPACE,
    MAX_LEVEL,
    NO_DIAL,
    PAIR_SIDES,
    PHASES,
    SIDES,
)

if TYPE_CHECKING:
    from sim.game import Position

__all__ = ["EXPECTED", "GIVEN", "give", "look", "tidy"]

# Fields that go by another name here.
_FIELDS = {
    "points": "marker",
    "own_bids": "own_bid",
    "link_count": "links",
    "round": "round_number",
}
_GIVEN_PHASES = (KEEPING, BIDDING, ACTION)
_OF_THE_AUCTION = ("bid", "high_bidder", "passed", "own_bids")


# ---------------------------------------------------------------------------------------- giving


def give(position: "Position", given: dict[str, Any]) -> None:
    """Turn a position just dealt into the one `given` describes.

    Raises Mistake for an unknown key and for what cannot be on a table.
    """
    for key in given:
        if key not in GIVEN:
            raise Mistake(f"there is no key {key!r}{nearest(key, GIVEN)}.")
    tables = ("links", "stubs", "stopped")
    raw = {key: given[key] for key in tables if key in given}
    given = {key: tidy(position, key, value) for key, value in given.items()}
    _give_players(position, given)
    _give_cities(position, given)
    lay_track(
        position,
        link_entries(position, "links", raw.get("links", [])),
        [stub_entry(position, "stubs", entry) for entry in raw.get("stubs", [])],
    )
    _give_depots(position, given, raw)
    _give_lines(position, given)
    _give_cards(position, given)
    _give_turn(position, given)
    _give_barons(position, given)


def _give_players(position: "Position", given: dict[str, Any]) -> None:
    state = position.state[0]
    for key in ("money", "bonds", "points", "banked", "engine", "own_bids"):
        for seat, number in enumerate(given.get(key, [])):
            state[_FIELDS.get(key, key)][seat] = number
    for seat in range(position.players):
        if int(state.marker[seat]) > LAST_SPACE:
            raise Mistake(f"points: the marker of seat {seat} should be on 0 to {LAST_SPACE}.")
        if not 1 <= int(state.engine[seat]) <= MAX_LEVEL:
            raise Mistake(f"engine: the level of seat {seat} should be from 1 to {MAX_LEVEL}.")
    if "engine" in given:
        for level in range(2, MAX_LEVEL + 1):
            there = [seat for seat, reached in enumerate(given["engine"]) if reached >= level]
            state.first_at_level[level] = there[0] if there else -1
    for level, seat in given.get("first_at_level", {}).items():
        state.first_at_level[int(level)] = -1 if seat == "none" else seat


def _give_cities(position: "Position", given: dict[str, Any]) -> None:
    state, record = position.state[0], position.board.record[0]
    cities = city_names(position)
    tiles = [int(left) for left in state.new_tiles]
    for name, word in given.get("colours", {}).items():
        city, colour = cities.index(name), (*COLOURS, "gray").index(word)
        printed = int(record.city_colour[city])
        if colour == printed:
            continue
        if printed != GRAY:
            raise Mistake(f"colours.{name}: only a gray city can be given another colour.")
        state.colour[city] = colour
        tiles[colour] -= 1
    for colour, word in enumerate(COLOURS):
        left = given.get("new_tiles", {}).get(word, tiles[colour])
        if left < 0:
            raise Mistake(f"colours: there are not so many {word} New City tiles.")
        state.new_tiles[colour] = left
    for name, word in given.get("dials", {}).items():
        city = cities.index(name)
        if int(state.dial[city]) < 0:
            raise Mistake(f"dials.{name}: the city has no dial, or the City Rotors are not in use.")
        state.dial[city] = COLOURS.index(word) if word in COLOURS else NO_DIAL
    _give_cubes(position, given)
    for colour in range(len(COLOURS)):
        state.accepts[colour] = sum(
            bit(city)
            for city in range(len(cities))
            if colour in (int(state.colour[city]), int(state.dial[city]))
        )


def _give_cubes(position: "Position", given: dict[str, Any]) -> None:
    """Cubes and markers; a marked city is empty unless its cubes are given."""
    state = position.state[0]
    cities = city_names(position)
    cubes = dict(given.get("cubes", {}))
    others = cubes.pop(OTHERS, None)
    if others is not None:
        cubes |= {name: others for name in cities if name not in cubes}
    for name, by_colour in cubes.items():
        for colour, word in enumerate(COLOURS):
            state.cubes[cities.index(name), colour] = by_colour.get(word, 0)
    marked = list(given.get("markers", []))
    wanted = given.get("markers_placed", len(marked))
    free = [name for name in cities if name not in marked and name not in given.get("cubes", {})]
    if not len(marked) <= wanted <= len(marked) + len(free):
        raise Mistake(
            f"markers_placed = {wanted} should be from {len(marked)}, the cities in markers, to "
            f"{len(marked) + len(free)}, with those not named in cubes."
        )
    marked += free[: wanted - len(marked)]
    for name in marked:
        if name not in given.get("cubes", {}):
            state.cubes[cities.index(name)] = 0
    state.marked = sum(bit(cities.index(name)) for name in marked)
    state.stocked = sum(bit(city) for city in range(len(cities)) if state.cubes[city].any())
    _fill_bag(position)


def _fill_bag(position: "Position") -> None:
    """The bag has every cube that is neither in a city nor stopped at a Fuel Depot."""
    state, record = position.state[0], position.board.record[0]
    stopped = [int(colour) for colour in state.stopped[: position.players]]
    for colour, word in enumerate(COLOURS):
        out = int(state.cubes[:, colour].sum(dtype=int)) + stopped.count(colour)
        if out > int(record.cubes_per_colour):
            raise Mistake(
                f"cubes: {out} {word} ones would be on the board and there are "
                f'{int(record.cubes_per_colour)}; cubes."*" says what is in the other cities.'
            )
        state.bag[colour] = int(record.cubes_per_colour) - out


def _give_depots(position: "Position", given: dict[str, Any], raw: dict[str, Any]) -> None:
    state, record = position.state[0], position.board.record[0]
    cities = city_names(position)
    if (given.get("depots") or raw.get("stopped")) and not int(record.fuel_depots):
        raise Mistake("depots and stopped belong to the Fuel Depots, which are not in use.")
    for name, counts in given.get("depots", {}).items():
        if sum(count > 0 for count in counts) > 1:
            raise Mistake(f"depots.{name}: only one seat can have Fuel Depots in a city.")
        for seat, count in enumerate(counts):
            state.depots[seat, cities.index(name)] = count
            if count:
                state.depot_cities[seat] = int(state.depot_cities[seat]) | bit(cities.index(name))
    for seat in range(position.players):
        left = int(record.depots_per_player) - int(state.depots[seat].sum(dtype=int))
        if left < 0:
            raise Mistake(
                f"depots: seat {seat} would have more than {int(record.depots_per_player)}."
            )
        state.depots_left[seat] = left
    for entry in raw.get("stopped", []):
        seat, route = entry["seat"], [cities.index(name) for name in entry["route"]]
        if not int(state.depots[seat, route[-1]]):
            raise Mistake(f"stopped: seat {seat} has no Fuel Depot in {entry['route'][-1]!r}.")
        for here, there in zip(route, route[1:], strict=False):
            if not int(state.joined[here]) & bit(there):
                raise Mistake(f"stopped: no link joins {cities[here]!r} and {cities[there]!r}.")
        own = sum(
            bool(int(state.linked[seat, here]) & bit(there))
            for here, there in zip(route, route[1:], strict=False)
        )
        if "points" not in entry and own < len(route) - 1:
            raise Mistake("stopped: not each link is the seat's own, so say points by seat.")
        points = entry.get(
            "points", [own if other == seat else 0 for other in range(position.players)]
        )
        if sum(points) != len(route) - 1:
            raise Mistake(f"stopped: points = {points} should be one for each of the links.")
        state.stopped[seat] = COLOURS.index(entry["colour"])
        state.stopped_at[seat] = route[-1]
        state.stopped_from[seat] = route[0]
        state.stopped_links[seat] = len(route) - 1
        state.stopped_seen[seat] = sum(bit(city) for city in set(route))
        for other, number in enumerate(points):
            state.stopped_points[seat, other] = number
    _fill_bag(position)


def _give_lines(position: "Position", given: dict[str, Any]) -> None:
    state, record = position.state[0], position.board.record[0]
    for line, name in enumerate(line_names(position)):
        near, far = (int(city) for city in record.line_city[line])
        joined = [seat for seat in range(position.players) if _is_joined(position, seat, near, far)]
        owner = given.get("major_lines", {}).get(name, joined[0] if joined else OPEN)
        state.line_owner[line] = -1 if owner == OPEN else owner
    for name, owner in given.get("western_links", {}).items():
        state.western_owner[western_names(position).index(name)] = -1 if owner == OPEN else owner


def _is_joined(position: "Position", seat: int, near: int, far: int) -> bool:
    """Whether a path of the seat's own links joins two cities."""
    linked = position.state[0].linked[seat]
    found, waiting = {near}, [near]
    while waiting:
        here = int(linked[waiting.pop()])
        new = [city for city in range(len(linked)) if here & bit(city) and city not in found]
        found.update(new)
        waiting += new
    return far in found


def _give_cards(position: "Position", given: dict[str, Any]) -> None:
    """Cards that are not shown, not held and not in the deck are out of the game."""
    if not {"shown", "held", "used", "deck"} & given.keys():
        return
    state, record = position.state[0], position.board.record[0]
    names = card_names(position)
    for name, number in given.get("shown", {}).items():
        state.shown[names.index(name)] = number
    for key in ("held", "used"):
        for seat, hand in enumerate(given.get(key, [])):
            for row, name in enumerate(names):
                state[key][seat, row] = hand.count(name)
    copies = [int(number) for number in record.card_copies[: len(names)]]
    for row in range(len(names)):
        copies[row] -= int(state.shown[row]) + int(state.held[:, row].sum(dtype=int))
    shuffled = [int(row) for row in state.deck[int(state.deck_next) : int(state.n_deck)]]
    wanted = given.get("deck", ["..."])
    stack = [names.index(name) for name in wanted if name != "..."]
    for row in stack:
        copies[row] -= 1
    for row, left in enumerate(copies):
        if left < 0:
            raise Mistake(
                f"shown, held and deck: there {_copies(int(record.card_copies[row]))} of the card "
                f"{names[row]!r}."
            )
    if wanted[-1:] == ["..."]:
        for row in shuffled:
            if copies[row] > 0:
                copies[row] -= 1
                stack.append(row)
    every = [row for row, group in enumerate(record.card_group[: len(names)]) if int(group) == 0]
    cards = Counter({row: int(record.card_copies[row]) for row in every})
    cards.subtract(stack)
    order = [*cards.elements(), *stack]
    state.deck[: len(order)] = order
    state.n_deck = len(order)
    state.deck_next = len(order) - len(stack)


def _copies(number: int) -> str:
    return "is 1 copy" if number == 1 else f"are {number} copies"


def _give_turn(position: "Position", given: dict[str, Any]) -> None:
    state, players = position.state[0], position.players
    phase = _phase_meant(given)
    turn = given.get("turn", 0 if phase == KEEPING else 1)
    if (turn == 0) != (phase == KEEPING):
        raise Mistake(f"turn = {turn} and the phase {PHASES[phase]!r} do not go together.")
    round_ = given.get("round", 1 if phase == ACTION else 0)
    if not (1 <= round_ <= 3 if phase == ACTION else round_ == 0):
        raise Mistake("round should be 1, 2 or 3 in the phase 'action' and left out in others.")
    if phase == ACTION and any(key in given for key in _OF_THE_AUCTION):
        raise Mistake(f"{', '.join(_OF_THE_AUCTION)} are for the phase {PHASES[BIDDING]!r}.")
    first = given.get("first_player", 0)
    order = given.get("order", [(first + place) % players for place in range(players)])
    if given.get("first_player", order[0]) != order[0]:
        raise Mistake(f"first_player = {first} should be the first of order = {order}.")
    for place, seat in enumerate(order):
        state.order[place] = seat
    mover = given.get("to_move", 0 if phase == KEEPING else order[0])
    state.phase, state.turn, state.round_number, state.to_move = phase, turn, round_, mover
    state.place = order.index(mover)
    state.actions_left = given.get("actions_left", 1 if phase == ACTION else 0)
    _give_auction(position, given, mover)
    _give_end(position, given, turn)


def _phase_meant(given: dict[str, Any]) -> int:
    later = ACTION if given.get("turn") or given.get("round") else KEEPING
    phase = PHASES.index(given.get("phase", PHASES[later]))
    if phase not in _GIVEN_PHASES:
        choices = ", ".join(repr(PHASES[choice]) for choice in _GIVEN_PHASES)
        raise Mistake(f"phase = {PHASES[phase]!r} is reached by playing: give one of {choices}.")
    return phase


def _give_auction(position: "Position", given: dict[str, Any], mover: int) -> None:
    state = position.state[0]
    bid, bidder = given.get("bid", 0), given.get("high_bidder", "none")
    if (bid > 0) != (bidder != "none"):
        raise Mistake("bid and high_bidder go together.")
    passed = given.get("passed", [])
    if len(set(passed)) < len(passed):
        raise Mistake(f"passed = {passed} should name a seat only once.")
    if mover in passed or bidder in passed:
        raise Mistake(f"passed = {passed} should be neither the high bidder nor who decides.")
    if bidder == mover:
        raise Mistake(f"high_bidder = {bidder} has nothing to decide: it is another's turn to bid.")
    state.bid, state.high_bidder = bid, -1 if bidder == "none" else bidder
    state.passed = sum(bit(seat) for seat in passed)
    state.n_passed = len(passed)
    for place, seat in enumerate(passed):
        state.pass_order[place] = seat
    if bidder != "none" and "own_bids" not in given:
        state.own_bid[bidder] = bid
    if bidder != "none" and int(state.own_bid[bidder]) != bid:
        raise Mistake(f"own_bids: the last bid of seat {bidder} should be {bid}.")


def _give_end(position: "Position", given: dict[str, Any], turn: int) -> None:
    state = position.state[0]
    triggered = given.get("triggered", 1 if "last_turn" in given else 0)
    if not 0 <= triggered <= 3:
        raise Mistake(f"triggered = {triggered} should be a round, 1 to 3, or 0.")
    if not triggered:
        return
    last = given.get("last_turn", turn + 1)
    if last not in (turn, turn + 1):
        raise Mistake(f"last_turn = {last} should be this turn, {turn}, or the next.")
    if last == turn and int(state.marked):
        raise Mistake("markers: they are off the board in the last turn.")
    state.triggered, state.last_turn = triggered, last
    player = given.get("trigger_player", 0)
    state.trigger_player = -1 if player == "none" else player


def _give_barons(position: "Position", given: dict[str, Any]) -> None:
    """Each seat's Rail Barons; what is not given stays as dealt where there are copies left."""
    state, record, players = position.state[0], position.board.record[0], position.players
    names = baron_names(position)
    copies = [int(number) for number in record.baron_copies[: len(names)]]
    slots: list[list[int]] = []
    entries = [entry for entry in given.get("barons", []) if entry != "..."]
    for entry in [*entries, *[[]] * players][:players]:
        slots.append([names.index(name) for name in ([entry] if isinstance(entry, str) else entry)])
        for row in slots[-1]:
            copies[row] -= 1
    for row, left in enumerate(copies):
        if left < 0:
            raise Mistake(
                f"barons: there {_copies(int(record.baron_copies[row]))} of {names[row]!r}."
            )
    for seat in range(players):
        dealt = [int(row) for row in state.barons[seat]]
        while len(slots[seat]) < 2:
            row = next(row for row in [*dealt, *range(len(names))] if copies[row] > 0)
            copies[row] -= 1
            slots[seat].append(row)
        for slot, row in enumerate(slots[seat]):
            state.barons[seat, slot] = row
    keeping = int(state.phase) == KEEPING
    for seat in range(players):
        state.has_kept[seat] = int(not keeping or seat < int(state.to_move))


# --------------------------------------------------------------------------------------- looking


def look(position: "Position", key: str) -> Any:
    """What a key of `EXPECTED` is now; names sorted where their order means nothing."""
    if key in _LOOKS:
        return _LOOKS[key](position)
    state = position.state[0]
    value = state[_FIELDS.get(key, key)]
    if KINDS[key] == BY_SEAT:
        return [int(number) for number in value[: position.players]]
    if KINDS[key] == "seat or none":
        return "none" if int(value) < 0 else int(value)
    return int(value)


def _look_at_cities(position: "Position", read) -> dict:
    return {name: read(number) for number, name in enumerate(city_names(position))}


def _look_at_cubes(position: "Position") -> dict:
    cubes = position.state[0].cubes
    return _look_at_cities(
        position,
        lambda city: {word: int(cubes[city, colour]) for colour, word in enumerate(COLOURS)},
    )


def _look_at_dials(position: "Position") -> dict:
    dial = position.state[0].dial
    words = (*COLOURS, "none")
    return _look_at_cities(
        position, lambda city: "no dial" if int(dial[city]) < 0 else words[int(dial[city])]
    )


def _look_at_links(position: "Position") -> dict:
    """Owners by the names of two cities; a pair without a link has none."""
    state, cities = position.state[0], city_names(position)
    found = defaultdict(list)
    for number in range(int(state.n_links)):
        ends = sorted(int(city) for city in state.link_city[number])
        found["-".join(cities[city] for city in ends)].append(int(state.link_owner[number]))
    return defaultdict(list, {pair: sorted(seats) for pair, seats in found.items()})


def _look_at_stubs(position: "Position") -> list[str]:
    state = position.state[0]
    cities, hexes = city_names(position), list(hex_numbers(position))
    return sorted(
        f"{int(state.stub_owner[number])} {cities[int(state.stub_city[number])]} "
        f"{hexes[int(state.stub_hex[number])]} {SIDES[int(state.stub_exit[number])]}"
        for number in range(int(state.n_stubs))
    )


def _look_at_track(position: "Position") -> dict:
    state = position.state[0]
    found = {}
    for name, number in hex_numbers(position).items():
        texts = []
        for track in state.track[number]:
            if int(track):
                owner, pair = divmod(int(track) - 1, 16)
                near, far = (SIDES[int(side)] for side in PAIR_SIDES[pair])
                texts.append(f"{owner} {near}-{far}")
        found[name] = sorted(texts)
    return found


def _look_at_owners(names: list[str], owners) -> dict:
    return {
        name: OPEN if int(owners[number]) < 0 else int(owners[number])
        for number, name in enumerate(names)
    }


def _look_at_stopped(position: "Position") -> list[str]:
    state, cities = position.state[0], city_names(position)
    return [
        ""
        if int(state.stopped[seat]) < 0
        else f"{COLOURS[int(state.stopped[seat])]} {cities[int(state.stopped_at[seat])]}"
        for seat in range(position.players)
    ]


def _look_at_hands(position: "Position", key: str) -> list[list[str]]:
    hands, names = position.state[0][key], card_names(position)
    return [
        sorted(name for row, name in enumerate(names) for _copy in range(int(hands[seat, row])))
        for seat in range(position.players)
    ]


def _look_at_deck(position: "Position") -> list[str]:
    state, names = position.state[0], card_names(position)
    return [names[int(row)] for row in state.deck[int(state.deck_next) : int(state.n_deck)]]


def _look_at_barons(position: "Position") -> list:
    """The kept one by name, or the two that are still to choose from."""
    state, names = position.state[0], baron_names(position)
    dealt = [[names[int(row)] for row in state.barons[seat]] for seat in range(position.players)]
    return [pair[0] if int(state.has_kept[seat]) else pair for seat, pair in enumerate(dealt)]


def _look_at_passed(position: "Position") -> list[int]:
    state = position.state[0]
    return [int(seat) for seat in state.pass_order[: int(state.n_passed)]]


def _members(names: list[str], bits: int) -> list[str]:
    return [name for number, name in enumerate(names) if bits & bit(number)]


_LOOKS = {
    "phase": lambda position: PHASES[int(position.state[0].phase)],
    "order": lambda position: [int(seat) for seat in position.state[0].order[: position.players]],
    "first_player": lambda position: int(position.state[0].order[0]),
    "first_at_level": lambda position: {
        level: "none"
        if int(position.state[0].first_at_level[int(level)]) < 0
        else int(position.state[0].first_at_level[int(level)])
        for level in level_names(position)
    },
    "cubes": _look_at_cubes,
    "cube_count": lambda position: _look_at_cities(
        position, lambda city: int(position.state[0].cubes[city].sum(dtype=int))
    ),
    "bag": lambda position: {
        word: int(position.state[0].bag[colour]) for colour, word in enumerate(COLOURS)
    },
    "bag_count": lambda position: int(position.state[0].bag.sum(dtype=int)),
    "colours": lambda position: _look_at_cities(
        position, lambda city: (*COLOURS, "gray")[int(position.state[0].colour[city])]
    ),
    "new_tiles": lambda position: {
        word: int(position.state[0].new_tiles[colour]) for colour, word in enumerate(COLOURS)
    },
    "dials": _look_at_dials,
    "markers": lambda position: _members(city_names(position), int(position.state[0].marked)),
    "marked": lambda position: _look_at_cities(
        position, lambda city: bool(int(position.state[0].marked) & bit(city))
    ),
    "markers_placed": lambda position: len(
        _members(city_names(position), int(position.state[0].marked))
    ),
    "links": _look_at_links,
    "stubs": _look_at_stubs,
    "track": _look_at_track,
    "major_lines": lambda position: _look_at_owners(
        line_names(position), position.state[0].line_owner
    ),
    "western_links": lambda position: _look_at_owners(
        western_names(position), position.state[0].western_owner
    ),
    "depots": lambda position: _look_at_cities(
        position,
        lambda city: [int(position.state[0].depots[s, city]) for s in range(position.players)],
    ),
    "stopped": _look_at_stopped,
    "shown": lambda position: {
        name: int(position.state[0].shown[row]) for row, name in enumerate(card_names(position))
    },
    "held": lambda position: _look_at_hands(position, "held"),
    "used": lambda position: _look_at_hands(position, "used"),
    "deck": _look_at_deck,
    "deck_count": lambda position: len(_look_at_deck(position)),
    "barons": _look_at_barons,
    "passed": _look_at_passed,
    "declared": lambda position: {
        name: int(bool(int(position.state[0].declared) & bit(row)))
        for row, name in enumerate(card_names(position))
    },
}
