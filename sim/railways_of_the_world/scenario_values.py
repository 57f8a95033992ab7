"""The keys of a scenario's position and expectations, and their values read and checked.

`scenarios` says what they mean.
"""

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from sim.errors import Mistake, nearest
from sim.railways_of_the_world.state import CITY, COLOURS, MAX_LEVEL, PHASES, SIDES
from sim.reading import a_list, a_name, a_seat

if TYPE_CHECKING:
    from sim.game import Position

BY_SEAT = "count by seat"
# Kind of value of each key that can be given.
_GIVEN = {
    "phase": "phase",
    "turn": "count",
    "round": "count",
    "order": "order",
    "first_player": "seat",
    "to_move": "seat",
    "actions_left": "count",
    "money": BY_SEAT,
    "bonds": BY_SEAT,
    "points": BY_SEAT,
    "banked": BY_SEAT,
    "engine": BY_SEAT,
    "first_at_level": "seat by level",
    "cubes": "cubes by city",
    "colours": "colour by city",
    "new_tiles": "count by colour",
    "dials": "dial by city",
    "markers": "cities",
    "markers_placed": "count",
    "links": "links",
    "stubs": "stubs",
    "major_lines": "owner by line",
    "western_links": "owner by place",
    "depots": "counts by seat by city",
    "stopped": "stopped",
    "shown": "cards",
    "held": "cards by seat",
    "used": "cards by seat",
    "deck": "deck",
    "barons": "barons",
    "bid": "count",
    "high_bidder": "seat or none",
    "passed": "seats",
    "own_bids": BY_SEAT,
    "triggered": "count",
    "last_turn": "count",
    "trigger_player": "seat or none",
}
_MEASURES = (
    "auction_paid",
    "deliveries",
    "delivery_links",
    "longest_delivery",
    "delivery_points",
    "line_points",
    "card_points",
    "tiles",
    "track_paid",
    "urbanized",
    "cards_taken",
    "passes",
    "cubes_lost",
    "depots_used",
)
KINDS = (
    _GIVEN
    | {
        "marked": "flag by city",
        "cube_count": "count by city",
        "bag": "count by colour",
        "bag_count": "count",
        "link_count": BY_SEAT,
        "depots_left": BY_SEAT,
        "track": "track",
        "tiles_left": "count",
        "declared": "cards",
        "deck_count": "count",
    }
    | dict.fromkeys(_MEASURES, BY_SEAT)
)
GIVEN = tuple(_GIVEN)
EXPECTED = tuple(KINDS)


_FEW = ("actions_left", "engine", "cubes", "new_tiles", "depots", "shown")  # at most 125
OPEN = "open"  # a Major Line or a western link nobody has
OTHERS = "*"  # in `cubes`: all cities that are not named


def tidy(position: "Position", key: str, value: Any) -> Any:
    """The value of a key with its names checked and written as `look` writes them.

    Raises Mistake when it is of the wrong kind or names what is not on the board.
    """
    kind = KINDS[key]
    if kind in _READERS:
        return _READERS[kind](position, key, value)
    if kind in _READERS_BY_NAME:
        what, names, reader = _READERS_BY_NAME[kind]
        known = names(position)
        if not known:
            raise Mistake(f"{key}: the board has none with these options.")
        if not isinstance(value, dict):
            raise Mistake(
                f"{key} should be given by {what}, as in {key}.{known[0]}, not {value!r}."
            )
        return {
            a_name(key, what, name, known): reader(position, f"{key}.{name}", entry)
            for name, entry in value.items()
        }
    raise KeyError(kind)


def _count(_position: "Position", key: str, value: Any) -> int:
    most = 125 if key.split(".")[0] in _FEW else 1_000_000
    if type(value) is not int or not 0 <= value <= most:
        raise Mistake(f"{key} = {value!r} should be a whole number from 0 to {most}.")
    return value


def _flag(_position: "Position", key: str, value: Any) -> bool:
    if type(value) is not bool:
        raise Mistake(f"{key} = {value!r} should be true or false.")
    return value


def _seat_or(word: str):
    """A reader of a seat, or of the word that says there is none."""
    return lambda position, key, value: value if value == word else a_seat(position, key, value)


def _seats(position: "Position", key: str, value: Any) -> list[int]:
    return [a_seat(position, key, seat) for seat in a_list(key, value)]


def _order(position: "Position", key: str, value: Any) -> list[int]:
    if sorted(_seats(position, key, value)) != list(range(position.players)):
        raise Mistake(f"{key} = {value!r} should name each of the {position.players} seats once.")
    return value


def _each_seat(position: "Position", key: str, value: Any, what: str) -> list:
    if not isinstance(value, list) or len(value) != position.players:
        raise Mistake(f"{key} = {value!r} should be {position.players} {what}, one a seat.")
    return value


def _counts(position: "Position", key: str, value: Any) -> list[int]:
    value = _each_seat(position, key, value, "whole numbers")
    return [_count(position, key, number) for number in value]


def _phase(_position: "Position", key: str, value: Any) -> str:
    return a_name(key, "phase", value, PHASES)


def _city(position: "Position", key: str, value: Any) -> str:
    return a_name(key, "city", value, city_names(position))


def _some_cities(position: "Position", key: str, value: Any) -> list[str]:
    return sorted({_city(position, key, city) for city in a_list(key, value)})


def _colour(_position: "Position", key: str, value: Any) -> str:
    return a_name(key, "colour", value, (*COLOURS, "gray"))


def _cube_colour(_position: "Position", key: str, value: Any) -> str:
    return a_name(key, "colour", value, COLOURS)


def _dial(_position: "Position", key: str, value: Any) -> str:
    return a_name(key, "colour of a dial", value, (*COLOURS, "none"))


def _cubes(position: "Position", key: str, value: Any) -> dict[str, int]:
    """Cubes of a city by colour: a list names them all, a table only some colours."""
    if isinstance(value, dict):
        return {
            _cube_colour(position, key, colour): _count(position, f"{key}.{colour}", number)
            for colour, number in value.items()
        }
    if not isinstance(value, list):
        raise Mistake(f"{key} should be a list of colours or a table by colour, not {value!r}.")
    found = Counter(_cube_colour(position, key, colour) for colour in value)
    return {colour: found[colour] for colour in COLOURS}


def level_names(_position: "Position") -> list[str]:
    return [str(level) for level in range(2, MAX_LEVEL + 1)]


def _card(position: "Position", key: str, value: Any) -> str:
    return a_name(key, "card", value, card_names(position))


def _display(position: "Position", key: str, value: Any) -> dict[str, int]:
    """Cards by name: a list names them all, a table only some."""
    if isinstance(value, dict):
        return {
            _card(position, key, card): _count(position, f"{key}.{card}", number)
            for card, number in value.items()
        }
    found = Counter(_card(position, key, card) for card in a_list(key, value))
    return {card: found[card] for card in card_names(position)}


def _hands(position: "Position", key: str, value: Any) -> list[list[str]]:
    hands = _each_seat(position, key, value, "lists of cards")
    return [sorted(_card(position, key, card) for card in a_list(key, h)) for h in hands]


def _stack(position: "Position", key: str, value: Any) -> list[str]:
    cards = a_list(key, value)
    rest = ["..."] if cards[-1:] == ["..."] else []
    return [_card(position, key, card) for card in cards[: len(cards) - len(rest)]] + rest


def _dealt_barons(position: "Position", key: str, value: Any) -> list:
    """A Baron for each seat, or two where it is yet to keep one; in two, the kept one first."""
    known = baron_names(position)
    entries = a_list(key, value)
    if entries[-1:] != ["..."]:
        _each_seat(position, key, entries, "Rail Barons")
    for entry in entries[:-1] if entries[-1:] == ["..."] else entries:
        both = entry if isinstance(entry, list) else [entry]
        if isinstance(entry, list) and len(entry) != 2:
            raise Mistake(f"{key}: {entry!r} should be one Rail Baron or two.")
        for name in both:
            a_name(key, "Rail Baron", name, known)
    return entries


def _table(key: str, entry: Any, keys: tuple[str, ...], needed: tuple[str, ...]) -> dict:
    """An entry of a list of tables, its keys checked."""
    if not isinstance(entry, dict):
        raise Mistake(f"{key} should be a list of tables with {', '.join(keys)}, not {entry!r}.")
    for name in entry:
        if name not in keys:
            raise Mistake(f"{key}: there is no key {name!r}{nearest(name, keys)}.")
    for name in needed:
        if name not in entry:
            raise Mistake(f"{key} {entry!r}: the key {name!r} is missing.")
    return entry


def _pair_name(position: "Position", key: str, word: Any) -> str:
    """The name of two cities, which may be given in either order."""
    cities = city_names(position)
    ends = str(word).split("-")
    if len(ends) != 2:
        raise Mistake(f"{key}: {word!r} should be two cities, as in {cities[0]}-{cities[1]}.")
    for city in ends:
        a_name(key, "city", city, cities)
    if ends[0] == ends[1]:
        raise Mistake(f"{key}: {word!r} should be two different cities.")
    return "-".join(sorted(ends, key=cities.index))


def _links(position: "Position", key: str, value: Any) -> dict[str, list[int]]:
    """Owners of the links between two cities, by the names of the two."""
    if isinstance(value, dict):
        return {
            _pair_name(position, key, pair): sorted(_seats(position, f"{key}.{pair}", seats))
            for pair, seats in value.items()
        }
    owners = defaultdict(list)
    for entry in link_entries(position, key, value):
        ends = [entry["route"][0], entry["route"][-1]] if "route" in entry else entry["cities"]
        owners[_pair_name(position, key, "-".join(ends))].append(entry["seat"])
    return {pair: sorted(seats) for pair, seats in owners.items()}


def link_entries(position: "Position", key: str, value: Any) -> list[dict]:
    """The links to lay, those with a route first."""
    if isinstance(value, dict):
        pairs = _links(position, key, value)
        value = [
            {"seat": seat, "cities": pair.split("-")} for pair in pairs for seat in pairs[pair]
        ]
    for entry in a_list(key, value):
        _table(key, entry, ("seat", "route", "cities"), ("seat",))
        a_seat(position, f"{key}: seat", entry["seat"])
        if ("route" in entry) == ("cities" in entry):
            raise Mistake(f"{key} {entry!r} should have either 'route' or 'cities'.")
        if "route" in entry:
            route = a_list(f"{key}: route", entry["route"])
            if len(route) < 3:
                raise Mistake(f"{key}: the route {route!r} should be a city, hexes and a city.")
            ends, hexes = [route[0], route[-1]], route[1:-1]
        else:
            ends, hexes = a_list(f"{key}: cities", entry["cities"]), []
            if len(ends) != 2:
                raise Mistake(f"{key}: cities = {ends!r} should be two cities.")
        for city in ends:
            _city(position, key, city)
        _pair_name(position, key, "-".join(ends))
        for name in hexes:
            _hex(position, key, name)
    return sorted(value, key=lambda entry: "route" not in entry)


def _stubs(position: "Position", key: str, value: Any) -> list[str]:
    """Unfinished links as text: seat, city, last hex, its open side."""
    out = []
    for entry in a_list(key, value):
        if isinstance(entry, str):
            out.append(entry)
            continue
        entry = stub_entry(position, key, entry)
        out.append(f"{entry['seat']} {entry['route'][0]} {entry['route'][-1]} {entry['exit']}")
    return sorted(out)


def stub_entry(position: "Position", key: str, entry: Any) -> dict:
    """An unfinished link to lay, its keys and names checked."""
    _table(key, entry, ("seat", "route", "exit"), ("seat", "route", "exit"))
    a_seat(position, f"{key}: seat", entry["seat"])
    route = a_list(f"{key}: route", entry["route"])
    if len(route) < 2:
        raise Mistake(f"{key}: the route {route!r} should be a city and hexes.")
    _city(position, key, route[0])
    for name in route[1:]:
        _hex(position, key, name)
    a_name(key, "side", entry["exit"], SIDES)
    return entry


def _hex(position: "Position", key: str, word: Any) -> int:
    """The number of a hex that track can be laid in, written row,column."""
    hexes = hex_numbers(position)
    if not re.fullmatch(r"\d+,\d+", str(word)):
        raise Mistake(f"{key}: {word!r} should be a hex, as in '6,23'.")
    if word not in hexes:
        raise Mistake(f"{key}: the hex {word!r} is not on the board.")
    number = hexes[word]
    if int(position.board.record[0].terrain[number]) == CITY:
        raise Mistake(f"{key}: the hex {word!r} is a city.")
    return number


def _track(position: "Position", key: str, value: Any) -> dict[str, list[str]]:
    if not isinstance(value, dict):
        raise Mistake(f"{key} should be given by hex, as in {key}.'6,23', not {value!r}.")
    for name, entries in value.items():
        _hex(position, key, name)
        for text in a_list(f"{key}.{name}", entries):
            match = re.fullmatch(r"(\d) (\w+)-(\w+)", str(text))
            if not match or match[2] not in SIDES or match[3] not in SIDES:
                raise Mistake(f"{key}.{name}: {text!r} should be a seat and two sides: '0 ne-sw'.")
    return {name: sorted(entries) for name, entries in value.items()}


def _stopped(position: "Position", key: str, value: Any) -> list[str]:
    """The cube each seat has at a Fuel Depot as text: its colour and the city."""
    value = a_list(key, value)
    if value and all(isinstance(entry, str) for entry in value):
        return _each_seat(position, key, value, "texts like 'blue denver'")
    out = [""] * position.players
    for entry in value:
        entry = _stopped_entry(position, key, entry)
        out[entry["seat"]] = f"{entry['colour']} {entry['route'][-1]}"
    return out


def _stopped_entry(position: "Position", key: str, entry: Any) -> dict:
    keys = ("seat", "colour", "route", "points")
    _table(key, entry, keys, keys[:3])
    a_seat(position, f"{key}: seat", entry["seat"])
    _cube_colour(position, f"{key}: colour", entry["colour"])
    for city in a_list(f"{key}: route", entry["route"]):
        _city(position, key, city)
    if len(entry["route"]) < 2:
        raise Mistake(f"{key}: the route {entry['route']!r} should be two cities or more.")
    if "points" in entry:
        _counts(position, f"{key}: points", entry["points"])
    return entry


# What is on the board, by name.


def city_names(position: "Position") -> list[str]:
    return position.board.file.city_ids


def card_names(position: "Position") -> list[str]:
    return position.board.file.card_ids


def baron_names(position: "Position") -> list[str]:
    return position.board.file.baron_ids


def line_names(position: "Position") -> list[str]:
    return [line.id for line in position.board.file.major_lines]


def western_names(position: "Position") -> list[str]:
    record, cities = position.board.record[0], city_names(position)
    return [cities[int(city)] for city in record.western_city[: int(record.n_western)]]


def hex_numbers(position: "Position") -> dict[str, int]:
    """Numbers of the hexes on the board, cities among them, in reading order."""
    return {f"{row},{column}": n for n, (row, column) in enumerate(position.board.file.places)}


def _colours(_position: "Position") -> tuple[str, ...]:
    return COLOURS


def _cities_and_others(position: "Position") -> list[str]:
    return [*city_names(position), OTHERS]


_READERS = {
    "count": _count,
    "seat": a_seat,
    "seat or none": _seat_or("none"),
    "seats": _seats,
    "order": _order,
    BY_SEAT: _counts,
    "phase": _phase,
    "cities": _some_cities,
    "cards": _display,
    "cards by seat": _hands,
    "deck": _stack,
    "barons": _dealt_barons,
    "links": _links,
    "stubs": _stubs,
    "stopped": _stopped,
    "track": _track,
}
_READERS_BY_NAME = {
    "seat by level": ("level", level_names, _seat_or("none")),
    "cubes by city": ("city", _cities_and_others, _cubes),
    "count by city": ("city", city_names, _count),
    "flag by city": ("city", city_names, _flag),
    "counts by seat by city": ("city", city_names, _counts),
    "colour by city": ("city", city_names, _colour),
    "dial by city": ("city", city_names, _dial),
    "count by colour": ("colour", _colours, _count),
    "owner by line": ("Major Line", line_names, _seat_or(OPEN)),
    "owner by place": ("western link", western_names, _seat_or(OPEN)),
}
