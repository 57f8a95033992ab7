"""The keys of a scenario's position and expectations, and their values read and checked.

`scenarios` says what they mean.
"""

import re
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sim.errors import Mistake
from sim.great_western_trail.names import names, slug
from sim.great_western_trail.scenario_tasks import as_text, tidy_task
from sim.great_western_trail.state import (
    DISPLAY,
    FIRST_WORKER,
    GREEN_TEEPEE,
    HAZARD,
    HAZARD_KINDS,
    HAZARD_TYPES,
    MAX_ROWS,
    MEDIUM,
    NEUTRAL,
    NEUTRALS,
    PHASES,
    PRIVATE,
    ROW_LENGTH,
    TOWN_SPACES,
    WORKERS,
)
from sim.great_western_trail.trail import building_of
from sim.reading import a_list, a_name, a_seat

if TYPE_CHECKING:
    from sim.game import Position

NONE = "none"
OTHERS = "*"  # all entries of a table that are not named
REST = "..."  # the others, as dealt
BY_SEAT = "count by seat"
# Kind of value of each key that can be given.
_GIVEN = {
    "phase": "phase",
    "turn": "count",
    "to_move": "seat",
    "left": "icons",
    "begun": "flag",
    "value": "count",
    "pending": "tasks",
    "acted": "spaces",
    "arrived": "flag",
    "at": "space by seat",
    "sides": "sides",
    "buildings": "building by space",
    "used_up": "numbers by seat",
    "hazards": "hazard by space",
    "teepees": "teepee by trade",
    "foresight": "tiles by column",
    "piles": "stacks by column",
    "job": "workers by row",
    "token_row": "row",
    "token_owner": "seat or none",
    "market": "cattle",
    "cattle_stack": "stack of cattle",
    "display": "display",
    "objective_stack": "stack of objectives",
    "money": BY_SEAT,
    "cowboys": "workers by seat",
    "craftsmen": "workers by seat",
    "engineers": "workers by seat",
    "certificates": BY_SEAT,
    "permanent": BY_SEAT,
    "tokens": BY_SEAT,
    "engine": "position by seat",
    "hand": "cards by seat",
    "stack": "cards by seat",
    "discard": "cards by seat",
    "played": "objectives by seat",
    "shown": "objectives by seat",
    "secret": "objectives by seat",
    "tiles": "tiles by seat",
    "cleared": "discs by seat",
    "discs": "discs by seat",
    "stations": "seats by station",
    "station_masters": "master by station",
    "appointed": "worker by station",
    "new_york": "masters",
    "masters": "masters by seat",
    "cities": "counts by seat by city",
    "delivered": "cities by seat",
    "towns": "owners by town",
    "medium": "tile by town",
}
MEASURES = (
    "turns",
    "arrivals",
    "deliveries",
    "income",
    "best_income",
    "transport",
    "tolls_paid",
    "tolls_earned",
    "cattle_bought",
    "hired",
    "removed",
)
KINDS = (
    _GIVEN
    | {
        "placed": "count",
        "tiles_laid": "count",
        "pile_count": "counts by column",
        "branchlets": BY_SEAT,
        "breeding_value": BY_SEAT,
        "steps": BY_SEAT,
        "hand_limit": BY_SEAT,
        "certificate_limit": BY_SEAT,
        "cattle_count": "count",
        "objective_count": "count",
        "points": "points by category",
    }
    | dict.fromkeys(("hand_count", "stack_count", "discard_count"), BY_SEAT)
    | dict.fromkeys(MEASURES, BY_SEAT)
)
GIVEN = tuple(_GIVEN)
EXPECTED = tuple(KINDS)

Reader = Callable[["Position", str, Any], Any]


def tidy(position: "Position", key: str, value: Any) -> Any:
    """The value of a key with its names checked and written as `look` writes them.

    Raises Mistake when it is of the wrong kind or names what is not on the board.
    """
    kind = KINDS[key]
    if kind == "tasks":
        return [as_text(task) for task in tasks_of(position, key, value)]
    if kind in _READERS:
        return _READERS[kind](position, key, value)
    what, known_names, reader = _READERS_BY_NAME[kind]
    known = known_names(position)
    if not known:
        raise Mistake(f"{key}: the board has none with these options.")
    if not isinstance(value, dict):
        raise Mistake(f"{key} should be given by {what}, as in {key}.{known[0]}, not {value!r}.")
    return {
        name if name == OTHERS else a_name(key, what, name, known): reader(
            position, f"{key}.{name}", entry
        )
        for name, entry in value.items()
    }


def tasks_of(position: "Position", key: str, value: Any) -> list[dict]:
    """The entries of `pending`, checked."""
    return [
        task if isinstance(task, str) else tidy_task(position, key, task)
        for task in a_list(key, value)
    ]


# ----------------------------------------------------------------------------------------- readers


def _count(_position: "Position", key: str, value: Any) -> int:
    few = key.split(".")[0] in ("market", "cities", "permanent", "tokens", "value")
    most = 120 if few else 1_000_000
    if type(value) is not int or not 0 <= value <= most:
        raise Mistake(f"{key} = {value!r} should be a whole number from 0 to {most}.")
    return value


def _number(_position: "Position", key: str, value: Any) -> int:
    if type(value) is not int:
        raise Mistake(f"{key} = {value!r} should be a whole number.")
    return value


def _from_1_to(most: int) -> Reader:
    def read(_position: "Position", key: str, value: Any) -> int:
        if type(value) is not int or not 1 <= value <= most:
            raise Mistake(f"{key} = {value!r} should be a whole number from 1 to {most}.")
        return value

    return read


def _flag(_position: "Position", key: str, value: Any) -> bool:
    if type(value) is not bool:
        raise Mistake(f"{key} = {value!r} should be true or false.")
    return value


def _or_none(reader: Reader) -> Reader:
    return lambda position, key, value: value if value == NONE else reader(position, key, value)


def _one_of(what: str, known: Callable[["Position"], list[str]]) -> Reader:
    """A reader of a name."""
    return lambda position, key, value: a_name(key, what, str(value), known(position))


def _some_of(what: str, known: Callable[["Position"], list[str]]) -> Reader:
    """A reader of a list of names, which it sorts."""
    one = _one_of(what, known)
    return lambda position, key, value: sorted(
        one(position, key, entry) for entry in a_list(key, value)
    )


def _stack_of(what: str, known: Callable[["Position"], list[str]]) -> Reader:
    """A reader of a stack from its top, which may end in "..."."""
    one = _one_of(what, known)

    def read(position: "Position", key: str, value: Any) -> list[str]:
        entries = a_list(key, value)
        rest = entries[-1:] if entries[-1:] == [REST] else []
        named = entries[: len(entries) - len(rest)]
        return [one(position, key, entry) for entry in named] + rest

    return read


def _by_seat(reader: Reader, what: str) -> Reader:
    """A reader of a value for each seat; "..." at the end stands for the others."""

    def read(position: "Position", key: str, value: Any) -> list:
        players = position.players
        rest = value[-1:] if isinstance(value, list) and value[-1:] == [REST] else []
        entries = value[: len(value) - len(rest)] if isinstance(value, list) else None
        if entries is None or len(entries) > players or len(entries) < players and not rest:
            raise Mistake(f"{key} = {value!r} should be {players} {what}, one a seat.")
        return [reader(position, key, entry) for entry in entries] + rest

    return read


def _by_column(reader: Reader) -> Reader:
    """A reader of a value for each column of the Kansas City supply."""

    def read(position: "Position", key: str, value: Any) -> list:
        if not isinstance(value, list) or len(value) != 3:
            raise Mistake(f"{key} = {value!r} should have 3 entries, one a column.")
        return [reader(position, key, entry) for entry in value]

    return read


def _seats(position: "Position", key: str, value: Any) -> list[int]:
    return sorted({a_seat(position, key, seat) for seat in a_list(key, value)})


def _numbers(position: "Position", key: str, value: Any) -> list[int]:
    most = int(position.board.record[0].n_numbers)
    for number in a_list(key, value):
        if type(number) is not int or not 1 <= number <= most:
            raise Mistake(f"{key}: {number!r} should be a building tile, 1 to {most}.")
    return sorted(value)


def _sides(position: "Position", key: str, value: Any) -> str:
    number = int(position.board.record[0].n_numbers)
    if not re.fullmatch(rf"[ab]{{{number}}}", str(value)):
        raise Mistake(f"{key} = {value!r} should be {number} letters a or b, one a number.")
    return value


def _foresight(position: "Position", key: str, value: Any) -> list[str]:
    tiles = _some_of("tile", tile_names)(position, key, value)
    if len(tiles) > 2:
        raise Mistake(f"{key}: a column has room for 2 tiles, not {len(tiles)}.")
    return tiles


def _display(position: "Position", key: str, value: Any) -> list[str]:
    cards = _stack_of("objective card", objective_names)(position, key, value)
    rest = cards[-1:] == [REST]
    if len(cards) - rest > DISPLAY:
        raise Mistake(f"{key}: there is room for {DISPLAY} cards, not {len(cards) - rest}.")
    return cards if rest else sorted(cards)


def _market(position: "Position", key: str, value: Any) -> dict[str, int]:
    """Cards by name: a list names them all, a table only some."""
    known = names(position.board).cattle
    if isinstance(value, dict):
        return {
            a_name(key, "cattle", card, known): _count(position, f"{key}.{card}", number)
            for card, number in value.items()
        }
    found = Counter(a_name(key, "cattle", card, known) for card in a_list(key, value))
    return {card: found[card] for card in known}


def _building(position: "Position", key: str, value: Any) -> str:
    """A neutral building, or a private one with its seat: "3/1", or with its side "3a/1"."""
    known = names(position.board).buildings
    if value in (NONE, *known[:NEUTRALS]):
        return value
    match = re.fullmatch(r"(\d+)([ab]?)/(\d)", str(value))
    if not match:
        raise Mistake(
            f"{key} = {value!r} should be a tile and its seat, as in '3/1', a neutral building, "
            "or 'none'."
        )
    number = _numbers(position, key, [int(match[1])])[0]
    a_seat(position, key, int(match[3]))
    used = known[int(building_of(position.state[0], number - 1))]
    if match[2] not in ("", used[-1]):
        raise Mistake(f"{key} = {value!r}: the side {used} is used in this game.")
    return f"{used}/{match[3]}"


def _hazard(position: "Position", key: str, value: Any) -> str:
    """A hazard of the space's type, which may be left out."""
    place = key.partition(".")[2]
    if value == NONE or place == OTHERS:
        return a_name(key, "hazard", value, [NONE])
    kind = HAZARD_TYPES.index(position.board.file.spaces[_space(position, place)].hazard)
    known = names(position.board).tiles[kind * HAZARD_KINDS : (kind + 1) * HAZARD_KINDS]
    full = value if value in known else f"{HAZARD_TYPES[kind]}_{value}"
    return a_name(key, "hazard", full, known)


def _space(position: "Position", name: str) -> int:
    return names(position.board).spaces.index(name)


def _teepee(position: "Position", key: str, value: Any) -> str:
    """A teepee, by its colour alone too."""
    known = names(position.board).tiles[GREEN_TEEPEE:FIRST_WORKER]
    full = value if value in (NONE, *known) else f"{value}_teepee"
    return a_name(key, "teepee", full, [NONE, *known])


def _owners(position: "Position", key: str, value: Any) -> list:
    if not isinstance(value, list) or len(value) > TOWN_SPACES:
        raise Mistake(
            f"{key} = {value!r} should be a list of at most {TOWN_SPACES} seats or 'none', one a "
            "space."
        )
    there = [_or_none(a_seat)(position, key, entry) for entry in value]
    return there + [NONE] * (TOWN_SPACES - len(there))


# What is on the board, by name.


def card_names(position: "Position") -> list[str]:
    return list(names(position.board).cards.values())


def objective_names(position: "Position") -> list[str]:
    return names(position.board).objectives


def tile_names(position: "Position") -> list[str]:
    return names(position.board).tiles


def taken_names(position: "Position") -> list[str]:
    return names(position.board).tiles[:FIRST_WORKER]


def disc_names(position: "Position") -> list[str]:
    copies = position.board.record[0].disc_copies.tolist()
    return [
        disc for disc, number in zip(names(position.board).discs, copies, strict=False) if number
    ]


def master_names(position: "Position") -> list[str]:
    return names(position.board).masters


def city_names(position: "Position") -> list[str]:
    return names(position.board).cities


def station_names(position: "Position") -> list[str]:
    return names(position.board).stations


def spaces_of(*kinds: int) -> Callable[["Position"], list[str]]:
    """A function that names the spaces of some kinds."""

    def known(position: "Position") -> list[str]:
        of = position.board.record[0].space_kind
        return [s for n, s in enumerate(names(position.board).spaces) if int(of[n]) in kinds]

    return known


def trade_names(position: "Position") -> list[str]:
    return [str(int(money)) for money in position.board.record[0].trade_money]


def row_names(_position: "Position") -> list[str]:
    return [str(row + 1) for row in range(MAX_ROWS)]


def town_names(position: "Position") -> list[str]:
    return names(position.board).towns


def medium_names(position: "Position") -> list[str]:
    record = position.board.record[0]
    return [town for n, town in enumerate(town_names(position)) if record.town_type[n] == MEDIUM]


def medium_icons(position: "Position") -> list[str]:
    """Kinds of medium tile, by their icons as they are typed."""
    return [slug(tile.icon) for tile in position.board.file.medium_tiles]


def point_names(position: "Position") -> list[str]:
    """Categories of the final scoring, by the measures that count them."""
    return [
        measure.name.removesuffix("_points")
        for measure in position.game.measures
        if measure.name.endswith("_points")
    ]


def _space_names(position: "Position") -> list[str]:
    return [NONE, *names(position.board).spaces]


def _position_names(position: "Position") -> list[str]:
    return names(position.board).positions


def _worker_names(_position: "Position") -> list[str]:
    return list(WORKERS)


_READERS: dict[str, Reader] = {
    "count": _count,
    "flag": _flag,
    "seat": a_seat,
    "seat or none": _or_none(a_seat),
    "row": _from_1_to(MAX_ROWS + 1),
    "phase": lambda _position, key, value: a_name(key, "phase", value, PHASES),
    "icons": _some_of("action", lambda position: names(position.board).icons),
    "sides": _sides,
    "spaces": _some_of("space", lambda position: names(position.board).spaces),
    BY_SEAT: _by_seat(_count, "whole numbers"),
    "workers by seat": _by_seat(_from_1_to(ROW_LENGTH), "numbers of workers"),
    "space by seat": _by_seat(_one_of("space", _space_names), "spaces"),
    "position by seat": _by_seat(_one_of("space of the railroad", _position_names), "spaces"),
    "cards by seat": _by_seat(_some_of("card", card_names), "lists of cards"),
    "objectives by seat": _by_seat(_some_of("objective card", objective_names), "lists of cards"),
    "tiles by seat": _by_seat(_some_of("hazard or teepee", taken_names), "lists of tiles"),
    "discs by seat": _by_seat(_some_of("disc", disc_names), "lists of discs"),
    "numbers by seat": _by_seat(_numbers, "lists of building tiles"),
    "masters by seat": _by_seat(_some_of("station master", master_names), "lists of masters"),
    "cities by seat": _by_seat(_some_of("city", city_names), "lists of cities"),
    "tiles by column": _by_column(_foresight),
    "counts by column": _by_column(_count),
    "stacks by column": _by_column(_stack_of("tile", tile_names)),
    "cattle": _market,
    "stack of cattle": _stack_of("cattle", lambda position: names(position.board).cattle),
    "display": _display,
    "stack of objectives": _stack_of("objective card", objective_names),
    "masters": _some_of("station master", master_names),
}
_READERS_BY_NAME = {
    "building by space": ("space", spaces_of(NEUTRAL, PRIVATE), _building),
    "hazard by space": ("hazard space", spaces_of(HAZARD), _hazard),
    "teepee by trade": ("trade", trade_names, _teepee),
    "workers by row": ("row", row_names, _some_of("worker", _worker_names)),
    "seats by station": ("station", station_names, _seats),
    "master by station": (
        "station",
        station_names,
        _or_none(_one_of("station master", master_names)),
    ),
    "worker by station": ("station", station_names, _or_none(_one_of("worker", _worker_names))),
    "counts by seat by city": ("city", city_names, _by_seat(_count, "whole numbers")),
    "owners by town": ("town", town_names, _owners),
    "tile by town": ("town", medium_names, _one_of("medium tile", medium_icons)),
    "points by category": ("category", point_names, _by_seat(_number, "numbers of points")),
}
