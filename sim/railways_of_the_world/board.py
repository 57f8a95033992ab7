"""A board file of Railways of the World: read, checked, and turned into the record rules use."""

import functools
import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from sim import board_file
from sim.board_file import Entry, Name
from sim.contract import record
from sim.errors import Mistake, nearest
from sim.layout import counted
from sim.railways_of_the_world.options import RailwaysOfTheWorldOptions
from sim.railways_of_the_world.state import (
    AUCTIONS,
    BOARD,
    COLOURS,
    CONDITIONS,
    EFFECTS,
    GREEN_CIRCLE,
    HAND,
    INFINITY,
    LAST_SPACE,
    MAX_BARONS,
    MAX_CARDS,
    MAX_CITIES,
    MAX_DECK,
    MAX_HEXES,
    MAX_LEVEL,
    MAX_LINES,
    MAX_PLAYERS,
    MAX_STUBS,
    MAX_WESTERN,
    PURPLE_DIAMOND,
    RED_X,
    SIDES,
    TERRAINS,
    opposite,
)

Place = tuple[int, int]  # row and column of a hex

LETTERS = "owhC"  # in the order of the terrain codes, cities last
NOT_PLAYABLE = "."
ALL_COLOURS = (*COLOURS, "gray")
DIALS = (*COLOURS, "none")
GROUPS = ("operations", "start", "bounties")  # card_group
SYMBOL_OF = {
    "start": GREEN_CIRCLE,
    "bounty": GREEN_CIRCLE,
    "ongoing_once_per_turn": PURPLE_DIAMOND,
    "immediate": RED_X,
    "hand": HAND,
    "permanent": INFINITY,
}
MODULES = ("city_rotors", "fuel_depots")

_SHOWN = ("start", "bounty")
_BUILD = ("hand", "ongoing_once_per_turn")
_NOW = ("immediate",)
MOST_FREE_ACTIONS = MAX_STUBS - 3 * MAX_PLAYERS  # each may begin a link
# Effect: the kinds of card that may have it, and what such a card must tell.
_EFFECT_NEEDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "gain_points_on_first_delivery": (_SHOWN, ("points",)),
    "gain_points_on_first_delivery_to": (_SHOWN, ("city", "points")),
    "first_delivery_links": (_SHOWN, ("links", "points")),
    "first_engine_level": (_SHOWN, ("level", "points")),
    "hotel": (("permanent",), ("city", "points")),
    "two_actions": (_NOW, ("amount",)),
    "free_open_tiles": (_BUILD, ()),
    "new_city_tile": (_NOW, ()),
    "add_cubes": (_NOW, ("amount",)),
    "extra_tiles": (_BUILD, ("amount",)),
    "no_ridge_cost": (_BUILD, ()),
    "terrain_price": (_BUILD, ("terrain", "cost")),
    "turn_rotor": (("hand",), ("steps",)),
    "free_depots": (_NOW, ("amount",)),
}
_CONDITION_NEEDS: dict[str, tuple[str, ...]] = {
    "most_money": ("points",),
    "fewest_bonds": ("points",),
    "longest_chain": ("points",),
    "most_links": ("points",),
    "most_cities_connected": ("points",),
    "most_major_lines": ("points",),
    "connections_out_of": ("city", "points_each", "most"),
    "connected": ("cities", "points"),
    "first_engine_level": ("level", "points"),
    "links_into": ("cities", "at_least", "points"),
    "own_western_link": ("points",),
}

Colour = Literal["red", "blue", "yellow", "purple", "black", "gray"]
Dial = Literal["red", "blue", "yellow", "purple", "black", "none"]


def _whole(low: int, high: int) -> Any:
    return Annotated[int, Field(strict=True, ge=low, le=high)]


Points = _whole(1, LAST_SPACE)
Copies = _whole(1, MAX_DECK)
Number = _whole(0, 9999)  # of a row or column
Level = _whole(2, MAX_LEVEL)


def slug(name: str) -> str:
    """How a name is typed.

    >>> slug("St. Louis")
    'st_louis'
    """
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


class _Named(Entry):
    name: Name

    @property
    def id(self) -> str:
        """The name as it is typed."""
        return slug(self.name)


class Meta(Entry):
    """What the board is called, and how far it may be trusted."""

    game: Literal["railways-of-the-world"]
    name: Name
    label: Name


class MajorLine(Entry):
    """Two cities and the points for the first player to join them."""

    noun: ClassVar[str] = "Major Line"
    named_by: ClassVar[tuple[str, ...]] = ("a", "b")
    a: Name
    b: Name
    points: Points

    @property
    def id(self) -> str:
        """The line as it is typed."""
        return f"{slug(self.a)}-{slug(self.b)}"


class WesternLink(Entry):
    """The Western Link of 2005: where it may be built, its price in $1,000s, and its cubes."""

    cities: Annotated[list[Name], Field(min_length=1, max_length=MAX_WESTERN)]
    cost: _whole(0, 1000)
    red_cubes: _whole(0, 25)
    destination: Name
    cubes_added: _whole(0, 25)


class City(_Named):
    """A city: its hex, its cubes, and the sides where track may touch it.

    A dial may start at the city's own colour, as it comes to it in play.
    """

    noun: ClassVar[str] = "city"
    colour: Colour
    goods: _whole(1, 25)
    row: Number
    col: Number
    spurs: str
    western_spur: str | None = None
    dial_start: Dial | None = None

    @property
    def place(self) -> Place:
        """Row and column of its hex."""
        return self.row, self.col


class Hexes(Entry):
    """The hexes, a letter each, and the pairs of them with a ridge between.

    Hexes whose reading is in doubt may be listed; nothing is made of them.
    """

    rows: Annotated[list[str], Field(min_length=1)]
    ridges: list[Annotated[list[Number], Field(min_length=4, max_length=4)]] = []
    doubtful_playable: list[list[int]] = []
    doubtful_terrain: list[list[int]] = []


class Card(_Named):
    """A row of Railroad Operations cards."""

    noun: ClassVar[str] = "card"
    kind: Literal[
        "start", "bounty", "ongoing_once_per_turn", "immediate", "hand", "permanent", "optional"
    ]
    effect: Literal[EFFECTS]
    copies: Copies
    city: Name | None = None
    points: Points | None = None
    links: _whole(1, 63) | None = None
    level: Level | None = None
    amount: _whole(1, 20) | None = None
    steps: _whole(1, len(DIALS) - 1) | None = None
    terrain: Literal[TERRAINS] | None = None
    cost: _whole(0, 100) | None = None
    behaves_as: Literal["ongoing_once_per_turn", "immediate", "hand", "permanent"] | None = None
    module: Literal[MODULES] | None = None

    @property
    def behaviour(self) -> str:
        """Its kind, or the one it behaves as."""
        return self.behaves_as or self.kind if self.kind == "optional" else self.kind


class Baron(_Named):
    """A row of Rail Baron cards."""

    noun: ClassVar[str] = "Baron"
    condition: Literal[CONDITIONS]
    copies: Copies
    city: Name | None = None
    cities: Annotated[list[Name], Field(min_length=1)] | None = None
    points: Points | None = None
    points_each: Points | None = None
    most: _whole(1, 6) | None = None
    level: Level | None = None
    at_least: _whole(1, MAX_CITIES) | None = None
    replaces: Name | None = None


class BoardFile(board_file.BoardFile):
    """A whole board file: the map and its cards."""

    meta: Meta
    major_lines: Annotated[list[MajorLine], Field(max_length=MAX_LINES)] = []
    western_link: WesternLink | None = None
    cities: Annotated[list[City], Field(min_length=2, max_length=MAX_CITIES)]
    hexes: Hexes
    start: list[Card] = []
    bounties: list[Card] = []
    operations: list[Card] = []
    barons: list[Baron]
    barons_western_link: list[Baron] = []

    @functools.cached_property
    def letters(self) -> dict[Place, str]:
        """Letter of every playable hex, in reading order."""
        return {
            (row, column): letter
            for row, letters in enumerate(self.hexes.rows)
            for column, letter in enumerate(letters)
            if letter != NOT_PLAYABLE
        }

    @functools.cached_property
    def places(self) -> list[Place]:
        """Row and column of every playable hex, in the order of the record."""
        return list(self.letters)

    @functools.cached_property
    def hex_ids(self) -> list[str]:
        """Hexes as they are typed, in the order of the record."""
        return [f"{row},{column}" for row, column in self.places]

    @functools.cached_property
    def cards(self) -> list[Card]:
        """Card rows in the order of the record."""
        return [*self.start, *self.bounties, *self.operations]

    @functools.cached_property
    def baron_rows(self) -> list[Baron]:
        """Baron rows in the order of the record, those of the Western Link last."""
        return [*self.barons, *self.barons_western_link]

    @functools.cached_property
    def city_ids(self) -> list[str]:
        """Cities as they are typed, in the order of the record."""
        return [city.id for city in self.cities]

    @functools.cached_property
    def card_ids(self) -> list[str]:
        """Card rows as they are typed, in the order of the record."""
        return [card.id for card in self.cards]

    @functools.cached_property
    def baron_ids(self) -> list[str]:
        """Baron rows as they are typed, in the order of the record."""
        return [baron.id for baron in self.baron_rows]


def read(document: dict, where: str) -> BoardFile:
    """The checked board; `where` names its file. Raises Mistake that lists every violation."""
    return board_file.read(BoardFile, document, where, _faults)


def beside(place: Place, side: int) -> Place:
    """The place over a side of a hex, playable or not.

    >>> beside((4, 7), 0), beside((5, 7), 0)
    ((3, 7), (4, 8))
    """
    row, column = place
    shift = row & 1
    return (
        (row - 1, column + shift),
        (row, column + 1),
        (row + 1, column + shift),
        (row + 1, column - 1 + shift),
        (row, column - 1),
        (row - 1, column - 1 + shift),
    )[side]


def _faults(board: BoardFile) -> list[str]:
    """Every rule of a valid board that this one breaks."""
    # A row too short or too long moves what stands in it: no use to tell of that too.
    return _row_faults(board) or [
        *_hex_faults(board),
        *_city_faults(board),
        *_card_faults(board),
    ]


def _row_faults(board: BoardFile) -> list[str]:
    """Rows that are not as long as most."""
    lengths = Counter(map(len, board.hexes.rows))
    usual = lengths.most_common(1)[0][0]
    return [
        f"row {row} of hexes.rows has {counted(len(letters), 'hexes')} and should have "
        f"{usual}, as most rows have"
        for row, letters in enumerate(board.hexes.rows)
        if len(letters) != usual
    ]


def _hex_faults(board: BoardFile) -> list[str]:
    """Rules of valid hexes that the board breaks."""
    faults = [
        f"row {row} of hexes.rows has the unknown letter {letter!r}; use o, w, h, C or ."
        for row, letters in enumerate(board.hexes.rows)
        for letter in sorted(set(letters) - set(LETTERS + NOT_PLAYABLE))
    ]
    if len(board.places) > MAX_HEXES:
        faults.append(
            f"hexes.rows has {len(board.places)} playable hexes and should have at most {MAX_HEXES}"
        )
    seen = set()
    for ridge in board.hexes.ridges:
        first, second = tuple(ridge[:2]), tuple(ridge[2:])
        if first not in board.letters or second not in board.letters:
            faults.append(f"ridge {ridge} lies at a hex that is not playable")
        elif second not in [beside(first, side) for side in range(6)]:
            faults.append(f"ridge {ridge} is between hexes that do not touch")
        elif frozenset((first, second)) in seen:
            faults.append(f"ridge {ridge} is given twice")
        seen.add(frozenset((first, second)))
    return faults


def _city_faults(board: BoardFile) -> list[str]:
    """Rules of valid cities and lines that the board breaks."""
    faults = _twice("city", board.city_ids)
    names = [city.name for city in board.cities]
    at: dict[Place, City] = {}
    for city in board.cities:
        if city.place in at:
            faults.append(f"cities {at[city.place].name!r} and {city.name!r} share a hex")
        at.setdefault(city.place, city)
        if board.letters.get(city.place) != "C":
            faults.append(f"city {city.name!r} at row {city.row}, column {city.col} is not on a C")
        if city.dial_start and city.colour == "gray":
            faults.append(
                f"city {city.name!r} is gray and has a dial: a rotor city has a colour of its own"
            )
    for place, letter in board.letters.items():
        if letter == "C" and place not in at:
            faults.append(f"the C at row {place[0]}, column {place[1]} has no city")
    sound = len(faults)
    for city in board.cities:
        faults += _spur_faults(board, city, at)
    if len(faults) == sound:
        faults += _lonely(board, at)
    seen = set()
    for line in board.major_lines:
        user = f"Major Line {line.id!r}"
        unknown = [*_unknown(line.a, names, user), *_unknown(line.b, names, user)]
        faults += unknown
        if not unknown and line.a == line.b:
            faults.append(f"{user} joins a city to itself")
        elif not unknown and frozenset((line.a, line.b)) in seen:
            faults.append(f"{user} is given twice")
        seen.add(frozenset((line.a, line.b)))
    if board.western_link:
        cities = board.western_link.cities
        for name in (*cities, board.western_link.destination):
            faults += _unknown(name, names, "western_link")
        faults += [
            f"western_link names {city!r} {times} times"
            for city, times in Counter(cities).items()
            if times > 1
        ]
        if board.western_link.destination in cities:
            faults.append(f"western_link leads from {board.western_link.destination!r} to itself")
    return faults


def _spur_faults(board: BoardFile, city: City, at: dict[Place, City]) -> list[str]:
    faults = []
    spurs = city.spurs.split()
    if not spurs:
        faults.append(f"city {city.name!r} has no spur")
    faults += [
        f"city {city.name!r} has the spur {side!r} {times} times"
        for side, times in Counter(spurs).items()
        if times > 1
    ]
    if city.western_spur is not None and city.western_spur in spurs:
        faults.append(f"western_spur {city.western_spur!r} of {city.name!r} is also a spur")
    for side in dict.fromkeys([*spurs, *([city.western_spur] if city.western_spur else [])]):
        if side not in SIDES:
            faults.append(
                f"city {city.name!r} has the unknown spur {side!r}; choose from {', '.join(SIDES)}"
            )
            continue
        ahead = beside(city.place, SIDES.index(side))
        row = board.hexes.rows[ahead[0]] if 0 <= ahead[0] < len(board.hexes.rows) else ""
        spur = f"spur {side!r} of {city.name!r}"
        if not 0 <= ahead[1] < len(row):
            faults.append(f"{spur} leads off the board")
        elif ahead in at:
            faults.append(f"{spur} leads to the city {at[ahead].name!r}")
        elif ahead not in board.letters:
            faults.append(f"{spur} leads to a hex that is not playable")
    return faults


def _lonely(board: BoardFile, at: dict[Place, City]) -> list[str]:
    """Cities from which no track, however long and bent, can reach another city."""
    faults = []
    spurs = {city.place: {SIDES.index(side) for side in city.spurs.split()} for city in at.values()}
    for city in board.cities:
        waiting = [beside(city.place, side) for side in spurs[city.place]]
        found, reached = set(waiting), False
        while waiting and not reached:
            here = waiting.pop()
            for side in range(6):
                ahead = beside(here, side)
                if ahead in at:
                    reached |= ahead != city.place and opposite(side) in spurs[ahead]
                elif ahead in board.letters and ahead not in found:
                    found.add(ahead)
                    waiting.append(ahead)
        if not reached:
            faults.append(f"no other city can be reached from {city.name!r}")
    return faults


def _card_faults(board: BoardFile) -> list[str]:
    """Rules of valid cards and Barons that the board breaks."""
    faults = [*_twice("card", board.card_ids), *_twice("Baron", board.baron_ids)]
    names = [city.name for city in board.cities]
    for group in GROUPS:
        for card in getattr(board, group):
            faults += _one_card_faults(card, group, names)
    rotors = [card.id for card in board.cards if card.effect == "turn_rotor"]
    if len(rotors) > 1:
        faults.append(f"cards {', '.join(map(repr, rotors))}: at most one row may turn a rotor")
    for kind, rows, most in (
        ("cards", board.cards, MAX_CARDS),
        ("Barons", board.baron_rows, MAX_BARONS),
    ):
        if len(rows) > most:
            faults.append(f"there are {len(rows)} rows of {kind} and should be at most {most}")
    free = sum(
        card.copies * ((card.amount or 1) - 1)
        for card in board.cards
        if card.effect == "two_actions"
    )
    if free > MOST_FREE_ACTIONS:
        faults.append(
            f"the cards with two_actions give {free} actions more and should give at most "
            f"{MOST_FREE_ACTIONS}"
        )
    copies = sum(card.copies for card in board.cards)
    if copies > MAX_DECK:
        faults.append(f"there are {copies} cards and should be at most {MAX_DECK}")
    for baron in board.baron_rows:
        faults += _baron_faults(baron, board, names)
    taken = Counter(baron.replaces for baron in board.barons_western_link)
    faults += [
        f"Baron {name!r} is replaced {times} times" for name, times in taken.items() if times > 1
    ]
    if board.barons_western_link and not board.western_link:
        faults.append("barons_western_link is given without western_link")
    without = [baron.copies for baron in board.barons if baron.name in taken]
    ordinary = sum(baron.copies for baron in board.barons)
    western = ordinary - sum(without) + sum(baron.copies for baron in board.barons_western_link)
    for total, words in ((ordinary, ""), (western, " with the option western_link")):
        if words and not board.barons_western_link:
            continue
        if total < 2 * MAX_PLAYERS:
            faults.append(
                f"there {'is' if total == 1 else 'are'} {counted(total, 'Barons')}{words} and "
                f"should be at least {2 * MAX_PLAYERS}, "
                f"2 for each of {MAX_PLAYERS} players"
            )
        elif total > MAX_BARONS:
            faults.append(f"there are {total} Barons{words} and should be at most {MAX_BARONS}")
    return faults


def _one_card_faults(card: Card, group: str, names: list[str]) -> list[str]:
    faults = []
    user = f"card {card.name!r}"
    kinds, needs = _EFFECT_NEEDS[card.effect]
    if card.kind == "optional":
        needs += ("behaves_as", "module")
    faults += _parameter_faults(card, user, f"the effect {card.effect}", needs)
    if card.behaviour != "optional" and card.behaviour not in kinds:
        faults.append(
            f"{user}: the effect {card.effect} cannot be of kind {card.behaviour!r}, "
            f"only {' or '.join(kinds)}"
        )
    if card.kind in _SHOWN or group != "operations":
        place = {"start": "start", "bounty": "bounties"}.get(card.kind, "operations")
        if place != group:
            faults.append(f"{user} of kind {card.kind!r} stands in {group}, not in {place}")
    if card.effect == "free_depots" and (card.amount or 1) > 2:
        faults.append(
            f"{user}: amount = {card.amount} should be 1 or 2, what a city may get at once"
        )
    if card.city is not None:
        faults += _unknown(card.city, names, user)
    return faults


def _baron_faults(baron: Baron, board: BoardFile, names: list[str]) -> list[str]:
    user = f"Baron {baron.name!r}"
    needs = _CONDITION_NEEDS[baron.condition]
    is_western = any(baron is other for other in board.barons_western_link)
    if is_western:
        needs += ("replaces",)
    faults = _parameter_faults(baron, user, f"the condition {baron.condition}", needs)
    for name in [baron.city] if baron.city else baron.cities or []:
        faults += _unknown(name, names, user)
    cities = baron.cities or []
    if len(set(cities)) < len(cities):
        faults.append(f"{user} names a city twice")
    if baron.condition == "connected" and cities and len(cities) != 2:
        faults.append(f"{user} names {counted(len(cities), 'cities')} and should name 2")
    if baron.at_least is not None and cities and baron.at_least > len(cities):
        there = counted(len(cities), "cities")
        faults.append(f"{user} asks for {baron.at_least} of {there}")
    others = [other.name for other in board.barons]
    if is_western and baron.replaces and baron.replaces not in others:
        faults.append(
            f"{user} replaces the unknown Baron {baron.replaces!r}{nearest(baron.replaces, others)}"
        )
    return faults


def _parameter_faults(
    entry: Card | Baron, user: str, what: str, needs: tuple[str, ...]
) -> list[str]:
    """Keys that the entry lacks, and keys that mean nothing there."""
    always = {"basis", "note", "name", "kind", "effect", "condition", "copies"}
    faults = [f"{user} lacks {key}" for key in needs if getattr(entry, key) is None]
    for key in type(entry).model_fields:
        if key not in always and key not in needs and getattr(entry, key) is not None:
            faults.append(f"{user} gives {key}, which {what} does not use")
    return faults


def _twice(kind: str, ids: list[str]) -> list[str]:
    faults = [
        f"{kind} {name!r} is given {times} times"
        for name, times in Counter(ids).items()
        if times > 1 and name
    ]
    if "" in ids:
        faults.append(f"a {kind} has a name without letters")
    return faults


def _unknown(city: str, names: list[str], user: str) -> list[str]:
    if city in names:
        return []
    return [f"{user} names the unknown city {city!r}{nearest(city, names)}"]


@functools.cache
def shared_rules() -> dict:
    """What `rules.toml` holds: the income table, the order of a dial, the basis of the options."""
    return tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))


def fill(board: BoardFile, options: RailwaysOfTheWorldOptions) -> np.ndarray:
    """The BOARD record (an array of length 1) for a board and options.

    Raises Mistake when the options cannot be used on the board.
    """
    faults = _option_faults(board, options)
    if faults:
        raise Mistake(f"{'; '.join(faults)}.")
    records = record(BOARD)
    out = records[0]
    out.railways_of_the_world_board = 1
    city = {city.name: number for number, city in enumerate(board.cities)}
    _fill_map(out, board, options)
    _fill_cards(out, board, options, city)
    _fill_barons(out, board, options, city)
    out.n_lines = len(board.major_lines)
    for number, line in enumerate(board.major_lines):
        out.line_city[number] = city[line.a], city[line.b]
        out.line_points[number] = line.points
    out.western_city[:] = -1
    out.western_destination = -1
    if options.western_link:
        link = board.western_link
        out.n_western = len(link.cities)
        out.western_city[: len(link.cities)] = [city[name] for name in link.cities]
        out.western_cost, out.western_cubes = link.cost, link.red_cubes
        out.western_destination, out.western_added = city[link.destination], link.cubes_added
    rules = shared_rules()
    out.income[:] = rules["income"]["table"]
    order = [DIALS.index(dial) for dial in rules["dial"]["order"]]
    for here, there in zip(order, order[1:] + order[:1], strict=True):
        out.dial_next[here] = there
    _fill_options(out, options)
    return records


def _option_faults(board: BoardFile, options: RailwaysOfTheWorldOptions) -> list[str]:
    faults = []
    name = board.meta.name
    if options.western_link and not board.western_link:
        faults.append(f"western_link = true is not possible: {name!r} has no Western Link")
    if options.city_rotors and not any(city.dial_start for city in board.cities):
        faults.append(f"city_rotors = true is not possible: {name!r} has no city with a dial")
    bounties = sum(card.copies for card in board.bounties)
    if options.service_bounties > bounties:
        faults.append(
            f"service_bounties = {options.service_bounties} is more than the "
            f"{counted(bounties, 'bounty cards')} of {name!r}"
        )
    bag = options.cubes_per_colour * len(COLOURS)
    for players, less in options.goods_reduction.model_dump(by_alias=True).items():
        goods = sum(max(city.goods - less, 1) for city in board.cities)
        if goods > bag:
            faults.append(
                f"{name!r} needs {goods} cubes with {players} players, "
                f"and cubes_per_colour = {options.cubes_per_colour} gives {bag}"
            )
            break
    return faults


def _bits(numbers: Iterable[int]) -> int:
    """A set of numbers 0 to 63 as a signed 64-bit integer."""
    return int(np.uint64(sum(1 << number for number in numbers)).astype(np.int64))


def _fill_map(out: np.record, board: BoardFile, options: RailwaysOfTheWorldOptions) -> None:
    out.n_hexes, out.n_cities = len(board.places), len(board.cities)
    index = {place: number for number, place in enumerate(board.places)}
    out.beside[:] = -1
    out.city_at[:] = -1
    for place, number in index.items():
        out.beside[number] = [index.get(beside(place, side), -1) for side in range(6)]
        out.terrain[number] = LETTERS.index(board.letters[place])
    for ridge in board.hexes.ridges:
        first, second = index[tuple(ridge[:2])], index[tuple(ridge[2:])]
        side = out.beside[first].tolist().index(second)
        out.ridges[first] |= 1 << side
        out.ridges[second] |= 1 << opposite(side)
    out.city_dial[:] = -1
    for number, city in enumerate(board.cities):
        here = index[city.place]
        out.city_at[here], out.city_hex[number] = number, here
        out.spurs[number] = _bits(SIDES.index(side) for side in city.spurs.split())
        out.city_colour[number] = ALL_COLOURS.index(city.colour)
        out.city_goods[number] = city.goods
        if options.city_rotors and city.dial_start:
            out.city_dial[number] = DIALS.index(city.dial_start)


def _fill_cards(
    out: np.record, board: BoardFile, options: RailwaysOfTheWorldOptions, city: dict[str, int]
) -> None:
    out.n_cards = len(board.cards)
    out.card_city[:] = -1
    out.card_terrain[:] = -1
    groups = [group for group in ("start", "bounties", "operations") for _ in getattr(board, group)]
    for number, (card, group) in enumerate(zip(board.cards, groups, strict=True)):
        out.card_symbol[number] = SYMBOL_OF[card.behaviour]
        out.card_effect[number] = EFFECTS.index(card.effect)
        out.card_group[number] = GROUPS.index(group)
        is_used = card.kind != "optional" or (
            options.optional_cards and getattr(options, card.module)
        )
        out.card_copies[number] = card.copies if is_used else 0
        out.card_points[number] = card.points or 0
        amounts = (card.links, card.level, card.amount, card.steps)
        out.card_amount[number] = next((amount for amount in amounts if amount is not None), 0)
        if card.effect == "new_city_tile":
            out.card_amount[number] = options.new_industry_cubes
        if card.city is not None:
            out.card_city[number] = city[card.city]
        if card.terrain is not None:
            out.card_terrain[number] = TERRAINS.index(card.terrain)
            out.card_cost[number] = card.cost


def _fill_barons(
    out: np.record, board: BoardFile, options: RailwaysOfTheWorldOptions, city: dict[str, int]
) -> None:
    out.n_barons = len(board.baron_rows)
    replaced = {baron.replaces for baron in board.barons_western_link}
    for number, baron in enumerate(board.baron_rows):
        if options.western_link:
            is_used = baron.name not in replaced
        else:
            is_used = number < len(board.barons)
        out.baron_copies[number] = baron.copies if is_used else 0
        out.baron_condition[number] = CONDITIONS.index(baron.condition)
        out.baron_points[number] = baron.points or baron.points_each or 0
        out.baron_amount[number] = baron.most or baron.level or baron.at_least or 0
        names = [baron.city] if baron.city else baron.cities or []
        out.baron_cities[number] = _bits(city[name] for name in names)


def _fill_options(out: np.record, options: RailwaysOfTheWorldOptions) -> None:
    for name, value in options:
        if name in BOARD.names and isinstance(value, int):
            out[name] = value
    for name in ("starting_money", "empty_city_markers", "goods_reduction", "engine_price"):
        for key, value in getattr(options, name).model_dump(by_alias=True).items():
            out[name][int(key)] = value
    out.new_city_tiles[:] = [getattr(options.new_city_tiles, colour) for colour in COLOURS]
    out.tile_cost[:] = [options.open_cost, options.water_cost, options.mountain_cost]
    out.crossover_cost = options.crossover_cost + (2 if options.rules_2005 else 0)
    out.auction = AUCTIONS.index(options.auction)
    out.last_to_pass_is_first = options.first_to_pass_all_pass == "last_to_pass"
    out.depots_2010 = options.depot_rules == "2010"
    out.stopped_cube_removed = options.depot_example_1 == "removed"
    out.tracks_need_not_cross = options.tracks_may_share_hex_without_crossing


def elements(board: BoardFile) -> list[str]:
    """What `usage` counts: every two cities a link may join, as a reader sees them."""
    names = [city.name for city in board.cities]
    return [f"{a}–{b}" for number, a in enumerate(names) for b in names[number + 1 :]]
