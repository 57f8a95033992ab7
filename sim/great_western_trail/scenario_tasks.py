"""What is pending in a scenario's position: tasks, the topmost first, as tables and as text.

Each is a table with its phase and these words; `optional = true` when it may be forfeited.

    move                steps, manner: "phase A", "action" or "no tolls"
    way                 to, steps, manner
    actions             space, left, begun; copied = true in a building that is copied
    choice              of: an action that is a choice between two, or "auxiliary"
    give cards          for: the action, cards left to give, of: the type of a pair's first card
    hire                change of the cost
    build               price of a craftsman; "building space" price, tile
    objective card      to_hand
    certificates, engine forward, engine back      spaces; back 0: one or more
    upgrade, station master    station
    hazard              price
    buy cattle          cowboys, drawn = true once cards were drawn
    second card         value, least: the first card; "free card" value
    draw, discard, remove      cards
    adjacent building   space of the building that copies
    foresight           column, from 1
    delivery            value, extraordinary
    disc                city
    trade, station behind, income, New York, town, place the cattleman

and what is settled without a decision: "upgrade here", "money" dollars, "delivered" city and discs
that were there, "action" of, "leave Kansas City".
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from sim.errors import Mistake, nearest
from sim.great_western_trail.names import names, slug, spoken
from sim.great_western_trail.state import (
    ACTED,
    APPOINTING,
    BEHIND,
    BUILDING,
    BUYING,
    CERTIFICATES,
    CHOOSING,
    CLEARING,
    COPYING,
    DELIVERED,
    DELIVERY,
    DISC,
    DISCARDING,
    DRAWING,
    ENGINE,
    ENGINE_BACK,
    FORESIGHT,
    FREE_CARD,
    GIVING,
    HIRING,
    ICON,
    ICONS_ON_TILE,
    INCOME,
    LEAVE_KANSAS_CITY,
    LOCAL,
    MASTERS,
    MONEY,
    MOVING,
    OBJECTIVES,
    OUTER,
    PHASES,
    PLACING,
    REMOVING,
    SECOND_CARD,
    SITE,
    TOWN,
    TRADING,
    UPGRADE_HERE,
    UPGRADING,
    WAY,
)
from sim.reading import a_list, a_name

if TYPE_CHECKING:
    from sim.game import Position

TASKS = (*PHASES, "upgrade here", "money", "delivered", "action", "leave Kansas City")
_MANNERS = ("phase A", "action", "no tolls")  # of a cattleman's move
_FLAGS = ("false", "true")


class _Field(NamedTuple):
    """A part of a task: some bits of `one` or of `two`."""

    name: str
    words: Callable[["Position"], Any] | None  # what its numbers are called; None: numbers
    part: str = "one"
    shift: int = 0
    bits: int = 0  # 0: all from `shift` on
    first: int = 0  # what the number 0 is called


def _spaces(position: "Position") -> list[str]:
    return names(position.board).spaces


def _icons(position: "Position") -> list[str]:
    return names(position.board).icons


def _stations(position: "Position") -> list[str]:
    return names(position.board).stations


def _cities(position: "Position") -> list[str]:
    return names(position.board).cities


def _cattle(position: "Position") -> list[str]:
    return names(position.board).cattle


def _types(position: "Position") -> list[str]:
    return [slug(cattle.name) for cattle in position.board.file.cattle]


def _flags(_position: "Position") -> tuple[str, ...]:
    return _FLAGS


def _manners(_position: "Position") -> tuple[str, ...]:
    return _MANNERS


_SPACE = _Field("space", _spaces)
_STATION = _Field("station", _stations)
_CITY = _Field("city", _cities)
_PRICE = _Field("price", None)
_SPACES = _Field("spaces", None)
_CARDS = _Field("cards", None)
_VALUE = _Field("value", None)
# Parts of each task that can be given; `left` of "actions" stands for itself.
_PARTS: dict[int, tuple[_Field, ...]] = {
    PLACING: (),
    MOVING: (_Field("steps", None), _Field("manner", _manners, "two")),
    WAY: (
        _Field("to", _spaces),
        _Field("steps", None, "two", 2),
        _Field("manner", _manners, "two", 0, 2),
    ),
    LOCAL: (
        _SPACE,
        _Field("begun", _flags, "two", ACTED.bit_length() - 1, 1),
        _Field("copied", _flags, "two", OUTER.bit_length() - 1, 1),
    ),
    CHOOSING: (_Field("of", _icons),),
    GIVING: (
        _Field("for", _icons),
        _Field("cards", None, "two", 0, 2),
        _Field("of", _types, "two", 2),
    ),
    HIRING: (_Field("change", None),),
    BUILDING: (_PRICE,),
    SITE: (_PRICE, _Field("tile", None, "two", first=1)),
    OBJECTIVES: (_Field("to_hand", _flags),),
    CERTIFICATES: (_SPACES,),
    ENGINE: (_SPACES,),
    ENGINE_BACK: (_SPACES,),
    UPGRADING: (_STATION,),
    APPOINTING: (_STATION,),
    TRADING: (),
    CLEARING: (_PRICE,),
    BUYING: (_Field("cowboys", None), _Field("drawn", _flags, "two")),
    SECOND_CARD: (_VALUE, _Field("least", _cattle, "two")),
    FREE_CARD: (_VALUE,),
    DRAWING: (_CARDS,),
    DISCARDING: (_CARDS,),
    REMOVING: (_CARDS,),
    COPYING: (_SPACE,),
    BEHIND: (),
    FORESIGHT: (_Field("column", None, first=1),),
    INCOME: (),
    DELIVERY: (_VALUE, _Field("extraordinary", _flags, "two")),
    DISC: (_CITY,),
    MASTERS: (),
    TOWN: (),
    UPGRADE_HERE: (),
    MONEY: (_Field("dollars", None),),
    DELIVERED: (_CITY, _Field("discs", None, "two")),
    ICON: (_Field("of", _icons),),
    LEAVE_KANSAS_CITY: (),
}


def tidy_task(position: "Position", key: str, entry: Any) -> dict[str, Any]:
    """An entry of `pending` with its keys and names checked, all of them written out."""
    if not isinstance(entry, dict) or "phase" not in entry:
        raise Mistake(f"{key} should be a list of tables, each with its 'phase', not {entry!r}.")
    phase = a_name(key, "phase", entry["phase"], [TASKS[phase] for phase in _PARTS])
    fields = _PARTS[TASKS.index(phase)]
    known = ["phase", *(field.name for field in fields), "optional"]
    known += ["left"] if phase == TASKS[LOCAL] else []
    for name in entry:
        if name not in known:
            raise Mistake(f"{key}: {phase!r} has no {name!r}{nearest(name, known)}.")
    out: dict[str, Any] = {"phase": phase}
    for field in fields:
        out[field.name] = _word(position, f"{key}: {field.name}", field, entry)
    if "left" in known:
        out["left"] = [
            a_name(f"{key}: left", "action", spoken(str(icon)), _icons(position))
            for icon in a_list(f"{key}: left", entry.get("left", []))
        ]
    if entry.get("optional", False):
        out["optional"] = True
    return out


def _word(position: "Position", key: str, field: _Field, entry: dict) -> Any:
    words = field.words(position) if field.words else None
    if words == _FLAGS:
        value = entry.get(field.name, False)
        if type(value) is not bool:
            raise Mistake(f"{key} = {value!r} should be true or false.")
        return value
    if field.name not in entry:
        if field.shift == 0 and field.part == "one":
            raise Mistake(f"{key} is missing in {entry!r}.")
        return words[0] if words else field.first
    value = entry[field.name]
    if words is not None:
        word = spoken(str(value)) if field.words is _icons else str(value)
        return a_name(key, "word", word, words)
    if type(value) is not int or not -99 <= value <= 1_000_000:
        raise Mistake(f"{key} = {value!r} should be a whole number.")
    return value


def as_text(task: dict[str, Any] | str) -> str:
    """A task as it is looked at.

    >>> as_text({"phase": "delivery", "value": 8, "extraordinary": False})
    'delivery value=8'
    """
    if isinstance(task, str):
        return task
    parts = [task["phase"]]
    for name, value in task.items():
        if value is True:
            parts.append(name)
        elif isinstance(value, list):
            parts.append(f"{name}={', '.join(sorted(value))}")
        elif name != "phase" and value is not False:
            parts.append(f"{name}={value}")
    return " ".join(parts)


def encode(position: "Position", task: dict[str, Any]) -> tuple[int, int, int, int]:
    """A task of `tidy_task` as the rules keep it: task, one, two, optional."""
    phase = TASKS.index(task["phase"])
    numbers = {"one": 0, "two": 0}
    for field in _PARTS[phase]:
        value, words = task[field.name], field.words(position) if field.words else None
        if words == _FLAGS:
            number = int(value)
        else:
            number = words.index(value) if words is not None else value - field.first
        numbers[field.part] += number << field.shift
    if phase == LOCAL:
        numbers["two"] = numbers["two"] ^ OUTER | icon_set(position, numbers["one"], task["left"])
    return phase, numbers["one"], numbers["two"], int(task.get("optional", False))


def icon_set(position: "Position", space: int, icons: list[str]) -> int:
    """The set of a building's icons that are named; its space's risk action is one of them."""
    there = icons_of(position, space)
    found = 0
    for icon in icons:
        known = [name for name in there if name]
        if icon not in known:
            raise Mistake(
                f"left: {_spaces(position)[space]} has no action {icon!r}{nearest(icon, known)}."
            )
        found |= 1 << there.index(icon)
    return found


def icons_of(position: "Position", space: int) -> list[str]:
    """The icons of a building and of its space, "" where there is none."""
    state, record, icons = position.state[0], position.board.record[0], _icons(position)
    building = int(state.building[space])
    numbers = record.building_icon[building].tolist() if building >= 0 else [-1] * ICONS_ON_TILE
    return [icons[number] if number >= 0 else "" for number in [*numbers, int(record.risk[space])]]


def pending(position: "Position") -> list[dict[str, Any]]:
    """The tasks above the end of the turn, the topmost first, as `tidy_task` writes them."""
    state = position.state[0]
    return [_decode(position, place) for place in range(int(state.n_tasks) - 1, 0, -1)]


def _decode(position: "Position", place: int) -> dict[str, Any]:
    state = position.state[0]
    phase = int(state.task[place])
    parts = {"one": int(state.one[place]), "two": int(state.two[place])}
    out: dict[str, Any] = {"phase": TASKS[phase]}
    for field in _PARTS[phase]:
        number = parts[field.part] >> field.shift
        number = number & ((1 << field.bits) - 1) if field.bits else number
        words = field.words(position) if field.words else None
        if words == _FLAGS:
            out[field.name] = bool(number)
        else:
            out[field.name] = words[number] if words is not None else number + field.first
    if phase == LOCAL:
        out["copied"] = not out["copied"]
        there = icons_of(position, parts["one"])
        out["left"] = [icon for n, icon in enumerate(there) if parts["two"] >> n & 1]
    if state.optional[place]:
        out["optional"] = True
    return out
