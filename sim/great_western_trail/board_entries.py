"""What a board file of Great Western Trail holds: its tables, and what an entry may be."""

import functools
import re
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field

from sim import board_file
from sim.board_file import Entry, Name
from sim.great_western_trail.state import (
    ANY_CATTLE,
    ANY_PAIR,
    AUXILIARIES,
    BELLS,
    CERTIFICATE_SPACES,
    COUNTED,
    DISCS,
    HANDS,
    HAZARD_KINDS,
    HAZARD_TYPES,
    ICON_KINDS,
    ICONS_ON_TILE,
    LAST_NUMBER,
    MASTER_TASKS,
    MAX_BUYS,
    MAX_ICONS,
    MAX_PAIRS,
    MAX_PILE,
    MAX_PLAYERS,
    MAX_ROWS,
    MAX_SPACES,
    MAX_STACK,
    MAX_TOWNS,
    MAX_TYPES,
    MEDIUM_KINDS,
    MOST_CERTIFICATES,
    NEED_CODES,
    NEUTRALS,
    OBJECTIVE_CARD,
    ROW_LENGTH,
    SPACE_KINDS,
    TOWN_SPACES,
    TOWN_TYPES,
    TRADES,
    VALUE_2,
    WORKERS,
)

OFFICE = "office"  # where links at Kansas City begin
KANSAS_CITY, SAN_FRANCISCO = "Kansas City", "San Francisco"
CARDS = {  # what an icon may ask for beside a type of cattle
    "pair": ANY_PAIR,
    "cattle": ANY_CATTLE,
    "objective": OBJECTIVE_CARD,
    "value 2": VALUE_2,
}
PLAYERS = range(2, MAX_PLAYERS + 1)


def _plain(name: str) -> str:
    if not re.fullmatch(r"[a-z0-9+-]+( [a-z0-9+-]+)*", name):
        raise ValueError(f"{name!r} should be words of small letters, digits, + and -")
    return name


def _tile_name(name: str) -> str:
    if not re.fullmatch(r"[1-9][0-9]?[ab]", name):
        raise ValueError(f"{name!r} should be a number and a side, such as 1a")
    return name


def _whole(low: int, high: int) -> Any:
    return Annotated[int, Field(strict=True, ge=low, le=high)]


def _list(kind: Any, least: int, most: int) -> Any:
    return Annotated[list[kind], Field(min_length=least, max_length=most)]


Plain = Annotated[str, AfterValidator(_plain)]
Identifier = Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
Corner = Literal["white", "black"]
Hand = Literal[HANDS]
Copies = _whole(1, MAX_STACK)
Points = _whole(-100, 100)
Money = _whole(0, 100)
Disc = Literal[DISCS]
# Across and down in a drawing, not as printed.
Place = _list(Annotated[float, Field(ge=-100, le=100, allow_inf_nan=False)], 2, 2)


class Meta(Entry):
    """What the board is called, and how far it may be trusted."""

    game: Literal["great-western-trail"]
    name: Name
    label: Name


class Icon(Entry):
    """An action: wherever its icon is printed."""

    noun: ClassVar[str] = "icon"
    name: Plain
    kind: Literal[ICON_KINDS]
    amount: _whole(-20, 20) | None = None
    counts: Literal[COUNTED] | None = None
    money: _whole(-100, 100) | None = None
    certificates: _whole(1, 9) | None = None
    card: Name | None = None
    then: Name | None = None
    either: _list(Name, 2, 2) | None = None


class Space(Entry):
    """A space of the trail and the ways on."""

    noun: ClassVar[str] = "space"
    name: Identifier
    kind: Literal[SPACE_KINDS]
    next: list[Identifier] = []
    woods: bool = False
    risk: Name | None = None
    hazard: Literal[HAZARD_TYPES] | None = None
    trade: _whole(-100, 100) | None = None
    at: Place | None = None


class BesideTrail(Entry):
    """What the Indians give for teepees beside the trail."""

    trades: _list(_whole(-100, 100), 0, TRADES)


class Players(Entry):
    """Tolls, and the step limit with 0, 1 and 2 movement discs cleared."""

    noun: ClassVar[str] = "players entry"
    players: _whole(PLAYERS[0], PLAYERS[-1])
    green: Money
    black: Money
    steps: _list(_whole(1, 20), 3, 3)


class Hazard(Entry):
    """A kind of hazard tile; every type has it."""

    noun: ClassVar[str] = "hazard"
    hand: Literal["green", "black"]
    points: Points
    copies: Copies


class Pile(Entry):
    """The tiles with a number on their back."""

    noun: ClassVar[str] = "pile"
    number: _whole(1, 3)
    hazards: bool = False  # all of them
    green_teepees: _whole(0, MAX_PILE) = 0
    blue_teepees: _whole(0, MAX_PILE) = 0
    cowboys: _whole(0, MAX_PILE) = 0
    craftsmen: _whole(0, MAX_PILE) = 0
    engineers: _whole(0, MAX_PILE) = 0

    @property
    def workers(self) -> list[int]:
        """Workers by kind."""
        return [self.cowboys, self.craftsmen, self.engineers]


class Tile(Entry):
    """A neutral building."""

    noun: ClassVar[str] = "building"
    name: Identifier
    icons: _list(Name, 1, ICONS_ON_TILE)


class Building(Tile):
    """A side of a private building."""

    name: Annotated[str, AfterValidator(_tile_name)]
    craftsmen: _whole(1, 20)
    points: Points
    hand: Hand = "none"

    @property
    def number(self) -> int:
        """The number on the tile."""
        return int(self.name[:-1])

    @property
    def side(self) -> int:
        """0 for side a, 1 for b."""
        return "ab".index(self.name[-1])


class Cattle(Entry):
    """A type of cattle: its cards at the start, or the points of each in the market's stack."""

    noun: ClassVar[str] = "cattle"
    name: Plain
    value: _whole(1, 20)
    start: _whole(0, MAX_STACK) = 0
    market: _list(_whole(0, 100), 0, MAX_STACK) = []

    @property
    def points(self) -> list[int]:
        """Points of its kinds of card, in order."""
        return sorted({*([0] if self.start else []), *self.market})


class Buy(Entry):
    """A line of the buying table."""

    noun: ClassVar[str] = "line"
    value: _whole(1, 20)
    cowboys: _whole(1, ROW_LENGTH)
    cost: Money
    cards: _whole(1, 2)


class Starting(Entry):
    """An objective card dealt at the start."""

    noun: ClassVar[str] = "objective card"
    name: Plain
    needs: _list(Literal[NEED_CODES], 1, 6)
    points: _whole(0, 100)


class Objective(Starting):
    """An objective card of the stack."""

    penalty: _whole(0, 100)
    icon: Name
    copies: Copies


class JobMarket(Entry):
    """Costs of the rows, and the rows after which the cattle market is filled."""

    costs: _list(Money, MAX_ROWS, MAX_ROWS)
    refills: list[_whole(1, MAX_ROWS)]


class Railroad(Entry):
    """The crosses of the track, each by the space before it."""

    crosses: list[_whole(0, LAST_NUMBER - 1)]


class Station(Entry):
    """A station of the railroad, or of a town of the extension board."""

    noun: ClassVar[str] = "station"
    name: Identifier
    after: _whole(1, LAST_NUMBER - 1) | None = None  # on a turnout
    at: _whole(LAST_NUMBER, LAST_NUMBER) | None = None
    town: Name | None = None
    cost: Money
    points: Points
    corner: Corner
    master: bool = False


class Master(Entry):
    """A station master."""

    noun: ClassVar[str] = "station master"
    name: Identifier
    icon: Name | None = None
    permanent: _whole(0, 6) = 0
    task: Literal[MASTER_TASKS]
    points: _whole(0, 100)


class City(Entry):
    """A city on the strip, or the crest of a big town."""

    noun: ClassVar[str] = "city"
    name: Name
    value: _whole(0, LAST_NUMBER)
    corner: Corner
    repeats: bool = False
    money: Money = 0
    points: Points = 0
    bell_points: Points = 0
    icon: Name | None = None
    gift: Money = 0


class Pair(Entry):
    """Two cities and what discs on both bring."""

    noun: ClassVar[str] = "pair"
    named_by: ClassVar[tuple[str, ...]] = ("cities",)
    cities: _list(Name, 2, 2)
    points: Points
    icon: Name | None = None
    gift: Money = 0


class Discs(Entry):
    """A kind of disc space of a player board."""

    noun: ClassVar[str] = "disc"
    name: Disc
    copies: _whole(1, 2)
    corner: Corner
    cost: Money = 0


class Auxiliary(Entry):
    """An auxiliary action."""

    noun: ClassVar[str] = "auxiliary action"
    name: Literal[DISCS[:AUXILIARIES]]
    single: Name
    double: Name


class CertificateTrack(Entry):
    """Certificates on the spaces of the track."""

    spaces: _list(_whole(0, MOST_CERTIFICATES), CERTIFICATE_SPACES, CERTIFICATE_SPACES)


class WorkerSpace(Entry):
    """A space of a worker row with an action."""

    noun: ClassVar[str] = "worker space"
    worker: Literal[WORKERS]
    place: _whole(2, ROW_LENGTH)
    icon: Name


class Town(Entry):
    """A town: what its branchlet spaces bring or cost, from the first."""

    noun: ClassVar[str] = "town"
    name: Name
    area: Identifier
    type: Literal[TOWN_TYPES]
    money: _list(_whole(-100, 100), 0, TOWN_SPACES) = []
    icons: _list(Name, 0, TOWN_SPACES) = []
    at: Place | None = None


class Links(Entry):
    """Rail tracks of the extension board."""

    joins: list[_list(Name, 2, 2)]


class MediumTile(Entry):
    """A kind of medium town tile."""

    noun: ClassVar[str] = "medium tile"
    named_by: ClassVar[tuple[str, ...]] = ("icon",)
    icon: Name
    copies: Copies


class Bells(Entry):
    """After how many cleared bells a token is gained."""

    tokens: list[_whole(1, BELLS)]


class BoardFile(board_file.BoardFile):
    """A whole board file: board, tiles, cards, player boards, and those of the expansion."""

    meta: Meta
    icons: _list(Icon, 1, MAX_ICONS)
    spaces: _list(Space, 2, MAX_SPACES)
    beside_trail: BesideTrail
    players: list[Players]
    hazards: _list(Hazard, HAZARD_KINDS, HAZARD_KINDS)
    piles: list[Pile]
    neutral_buildings: _list(Tile, NEUTRALS, NEUTRALS)
    buildings: list[Building]
    buildings_north: list[Building] = []
    cattle: _list(Cattle, 1, MAX_TYPES)
    buying: _list(Buy, 1, MAX_BUYS)
    objectives: list[Objective]
    starting_objectives: list[Starting]
    job_market: JobMarket
    railroad: Railroad
    stations: list[Station]
    stations_north: list[Station] = []
    masters: list[Master]
    masters_north: list[Master] = []
    cities: list[City]
    pairs: _list(Pair, 0, MAX_PAIRS) = []
    cities_north: list[City] = []
    pairs_north: _list(Pair, 0, MAX_PAIRS) = []
    big_towns: list[City] = []
    discs: list[Discs]
    discs_north: list[Discs] = []
    auxiliary: list[Auxiliary]
    auxiliary_north: list[Auxiliary] = []
    certificate_track: CertificateTrack
    worker_spaces: list[WorkerSpace] = []
    towns: _list(Town, 0, MAX_TOWNS) = []
    links: Links = Links(joins=[])
    medium_tiles: _list(MediumTile, 0, MEDIUM_KINDS) = []
    bells: Bells = Bells(tokens=[])

    @functools.cached_property
    def icon_names(self) -> list[str]:
        """Icons in the order of the record."""
        return [icon.name for icon in self.icons]

    @functools.cached_property
    def space_names(self) -> list[str]:
        """Spaces of the trail in the order of the record."""
        return [space.name for space in self.spaces]

    @functools.cached_property
    def cattle_kinds(self) -> list[tuple[str, int]]:
        """Kinds of cattle card in the order of the record: a type with its points."""
        return [(cattle.name, points) for cattle in self.cattle for points in cattle.points]

    @functools.cached_property
    def objective_kinds(self) -> list[Starting]:
        """Kinds of objective card in the order of the record."""
        return [*self.objectives, *self.starting_objectives]

    def used(self, table: str, north: bool) -> list[Any]:
        """Entries of a table, with the expansion also those that it adds."""
        return [*getattr(self, table), *(getattr(self, f"{table}_north") if north else [])]

    def strip(self, north: bool) -> list[City]:
        """Cities in the order of the record, those of big towns last."""
        return [*self.cities_north, *self.big_towns] if north else self.cities

    @functools.cached_property
    def trades(self) -> list[int]:
        """What the Indians give for teepees, on the trail and beside it, the lowest first."""
        on_trail = [space.trade for space in self.spaces if space.trade is not None]
        return sorted([*self.beside_trail.trades, *on_trail])

    @functools.cached_property
    def market_values(self) -> list[int]:
        """Breeding value of each card in the market's stack."""
        return [cattle.value for cattle in self.cattle for _ in cattle.market]
