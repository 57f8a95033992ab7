"""A board file of Westward Rails: read, checked, and turned into the record the rules use."""

import itertools
from collections import Counter
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from sim import board_file
from sim.board_file import Entry, Name
from sim.contract import record
from sim.errors import Mistake, nearest
from sim.layout import counted
from sim.westward_rails.options import WestwardRailsOptions
from sim.westward_rails.state import (
    BOARD,
    MAX_CITIES,
    MAX_DEMANDS,
    MAX_HOPS,
    MAX_LINKS,
    MAX_METROS,
    MAX_PLAYERS,
    MAX_RAILROADS,
)

Identifier = Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
Pair = Annotated[list[Identifier], Field(min_length=2, max_length=2)]


class _Named(Entry):
    named_by: ClassVar[tuple[str, ...]] = ("id",)
    id: Identifier
    name: Name


class _BetweenCities(Entry):
    named_by: ClassVar[tuple[str, ...]] = ("cities",)
    cities: Pair


class Meta(Entry):
    """What the board is called, and how far it may be trusted."""

    game: Literal["westward-rails"]
    name: Name
    label: Name


class Railroad(_Named):
    """A railroad; those of a board stand in auction order, left to right on the sheet."""

    noun: ClassVar[str] = "railroad"
    start: Identifier
    colour: Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]


class City(_Named):
    """A city, with its place on a drawn map."""

    noun: ClassVar[str] = "city"
    x: float = Field(allow_inf_nan=False)
    y: float = Field(allow_inf_nan=False)
    west_coast: bool = False


class Metro(_Named):
    """A metro area: cities that are upgraded together."""

    noun: ClassVar[str] = "metro"
    cities: Annotated[list[Identifier], Field(min_length=1)]


class Link(_BetweenCities):
    """Two cities and the 1 to 4 track segments between them."""

    noun: ClassVar[str] = "link"
    segments: Annotated[int, Field(strict=True)]
    miles: float | None = None
    terrain: str = ""


class Demand(_BetweenCities):
    """A demand card: its pile and its pair of cities."""

    noun: ClassVar[str] = "demand"
    letter: Annotated[str, Field(pattern=r"^[A-Z]$")]


class BoardFile(board_file.BoardFile):
    """A whole board file."""

    meta: Meta
    railroad: Annotated[list[Railroad], Field(min_length=1, max_length=MAX_RAILROADS)]
    city: Annotated[list[City], Field(min_length=2, max_length=MAX_CITIES)]
    metro: Annotated[list[Metro], Field(max_length=MAX_METROS)] = []
    link: Annotated[list[Link], Field(min_length=1, max_length=MAX_LINKS)]
    demand: Annotated[list[Demand], Field(min_length=1, max_length=MAX_DEMANDS)]


def read(document: dict, where: str) -> BoardFile:
    """The checked board; `where` names its file. Raises Mistake that lists every violation."""
    return board_file.read(BoardFile, document, where, _faults)


def _faults(board: BoardFile) -> list[str]:
    """Every rule of a valid board that this one breaks."""
    faults = []
    cities = [city.id for city in board.city]
    for kind in ("railroad", "city", "metro"):
        for name, times in Counter(entry.id for entry in getattr(board, kind)).items():
            if times > 1:
                faults.append(f"{kind} {name!r} is given {times} times")

    def unknown(city: str, user: str) -> bool:
        if city not in cities:
            faults.append(f"{user} names the unknown city {city!r}{nearest(city, cities)}")
        return city not in cities

    neighbours: dict[str, set[str]] = {city: set() for city in cities}
    seen = set()
    for link in board.link:
        first, second = link.cities
        name = link_name(link)
        if not 1 <= link.segments <= 4:
            faults.append(f"link {name!r} has {link.segments} segments and should have 1 to 4")
        if any([unknown(city, f"link {name!r}") for city in link.cities]):
            continue
        if first == second:
            faults.append(f"link {name!r} joins a city to itself")
        elif frozenset(link.cities) in seen:
            faults.append(f"link {name!r} is given twice")
        seen.add(frozenset(link.cities))
        neighbours[first].add(second)
        neighbours[second].add(first)
    starts = Counter(railroad.start for railroad in board.railroad)
    reachable = set()
    for railroad in board.railroad:
        if unknown(railroad.start, f"railroad {railroad.id!r}"):
            continue
        if starts[railroad.start] > 1 and f"start {railroad.start!r} is shared" not in faults:
            faults.append(f"start {railroad.start!r} is shared")
        if not neighbours[railroad.start]:
            faults.append(
                f"start {railroad.start!r} of railroad {railroad.id!r} is unreachable: "
                "no link touches it"
            )
        reachable |= _connected(railroad.start, neighbours)
    for city in cities:
        if city not in reachable:
            faults.append(f"city {city!r} cannot be reached from any railroad's start")
    in_metro: dict[str, str] = {}
    for metro in board.metro:
        for city in metro.cities:
            if unknown(city, f"metro {metro.id!r}"):
                continue
            if city in in_metro:
                faults.append(f"city {city!r} is in the metros {in_metro[city]!r} and {metro.id!r}")
            in_metro[city] = metro.id
    seen = set()
    letters = ""
    for demand in board.demand:
        first, second = demand.cities
        name = f"{first}-{second}"
        letters += demand.letter
        if any([unknown(city, f"demand {name!r}") for city in demand.cities]):
            continue
        if first == second:
            faults.append(f"demand {name!r} joins a city to itself")
        elif second in neighbours[first]:
            faults.append(f"demand {name!r} is between neighbours: one link joins them")
        elif second not in _connected(first, neighbours):
            faults.append(f"demand {name!r} can never be met: no links lead from one to the other")
        if frozenset(demand.cities) in seen:
            faults.append(f"demand {name!r} is given twice")
        seen.add(frozenset(demand.cities))
    if list(letters) != sorted(letters):
        faults.append("demands are not in the order of their letters")
    return faults


def _connected(start: str, neighbours: dict[str, set[str]]) -> set[str]:
    found, waiting = {start}, [start]
    while waiting:
        new = neighbours[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def link_name(link: Link) -> str:
    """How a link is written: its two cities, in the file's order."""
    return "-".join(link.cities)


def fill(board: BoardFile, options: WestwardRailsOptions) -> np.ndarray:
    """The BOARD record (an array of length 1) for a board and options.

    Raises Mistake when the options cannot be used on the board.
    """
    if options.railroads_out_of_cubes > len(board.railroad):
        raise Mistake(
            f"railroads_out_of_cubes = {options.railroads_out_of_cubes} is more than the "
            f"{counted(len(board.railroad), 'railroads')} of {board.meta.name!r}."
        )
    records = record(BOARD)
    out = records[0]
    out.westward_rails_board = 1
    out.n_cities, out.n_links = len(board.city), len(board.link)
    out.n_railroads, out.n_metros = len(board.railroad), len(board.metro)
    out.n_demands = len(board.demand)
    index = {city.id: number for number, city in enumerate(board.city)}
    out.coast = _bits(index[city.id] for city in board.city if city.west_coast)
    out.city_metro[:] = -1
    for number, metro in enumerate(board.metro):
        out.metro_cities[number] = _bits(index[city] for city in metro.cities)
        for city in metro.cities:
            out.city_metro[index[city]] = number
    for number, railroad in enumerate(board.railroad):
        out.railroad_start[number] = index[railroad.start]
    for number, link in enumerate(board.link):
        out.link_city[number] = [index[city] for city in link.cities]
        out.link_segments[number] = link.segments
        for city in link.cities:
            out.city_links[index[city], number >> 6] |= np.int64(_bits([number & 63]))
    for number, demand in enumerate(board.demand):
        out.demand_city[number] = [index[city] for city in demand.cities]
        out.demand_letter[number] = ord(demand.letter) - ord("A")
    out.hops[:] = 127
    hops = _hops(board, index)
    for (first, second), distance in hops.items():
        out.hops[first, second] = distance
    for city, reach in itertools.product(range(len(board.city)), range(MAX_HOPS)):
        near = [other for other in range(len(board.city)) if hops.get((city, other), 99) <= reach]
        out.within[city, reach] = _bits(near)
    for number, metro in enumerate(board.metro):
        reach = [out.within[index[city], 1] for city in metro.cities]
        out.metro_near[number] = np.bitwise_or.reduce(reach)
    _fill_options(out, options)
    return records


def _bits(numbers) -> int:
    """A set of numbers 0 to 63 as a signed 64-bit integer."""
    return int(np.uint64(sum(1 << number for number in numbers)).astype(np.int64))


def _hops(board: BoardFile, index: dict[str, int]) -> dict[tuple[int, int], int]:
    """Links between each two cities of the bare map."""
    neighbours: dict[int, set[int]] = {number: set() for number in index.values()}
    for link in board.link:
        first, second = (index[city] for city in link.cities)
        neighbours[first].add(second)
        neighbours[second].add(first)
    hops = {}
    for start in index.values():
        frontier, distance, seen = {start}, 0, set()
        while frontier:
            hops.update({(start, city): distance for city in frontier})
            seen |= frontier
            frontier = set().union(*(neighbours[city] for city in frontier)) - seen
            distance += 1
    return hops


def _fill_options(out: np.record, options: WestwardRailsOptions) -> None:
    money = options.starting_money
    out.starting_money[3 : MAX_PLAYERS + 1] = [money.three, money.four, money.five]
    out.spaces[:] = [options.build_spaces, options.auction_spaces, options.upgrade_spaces]
    for name, value in options:
        if name in BOARD.names and name != "starting_money":
            out[name] = value
    out.lease_tie_cheapest = options.lease_tie == "cheapest"
    out.west_coast_once_per_city = options.west_coast_bonus == "once_per_city"
    out.metro_each_link = options.metro_value_bonus == "each_link"
    out.divide_by_all_shares = options.share_divisor == "all_five"
    out.check_after_each_dividend = options.demand_check == "after_each_dividend"


def elements(board: BoardFile) -> list[str]:
    """Names of what `usage` counts: the links, as a reader sees them."""
    names = {city.id: city.name for city in board.city}
    return ["–".join(names[city] for city in link.cities) for link in board.link]
