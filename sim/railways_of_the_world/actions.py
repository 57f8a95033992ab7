"""Texts of Railways of the World's actions, and why one is not legal.

pass                               in the auction, or to give up an action
keep richest                       the Rail Baron to keep
bid 3                              in thousands of dollars
build                              begin a Build; then its steps:
use government_land_grant              a card for this Build
from new_york                          a new link begins there
lay 6,23 ne-sw                         a tile in that hex
redirect 6,23 ne-w                     the end tile of an own unfinished link
depots denver 2                        one or two Fuel Depots
done                                   the end of the Build
upgrade
urbanize toledo blue
deliver red providence new_york
stop blue chicago denver           the cube is held at an own Fuel Depot there
continue denver                    the stopped cube goes on and is delivered
continue_stop denver               it goes on and stops again
take city_growth
grow toledo                        where the cubes of that card go
dial phoenix                       a City Rotor's dial turns a step
western_link des_moines

Of routes with different outcomes one is chosen, question by question or at once:

points 2 3                         seat 2 earns 3 points by this move
depot denver, no_depot denver      a Fuel Depot is used to pass, or not
via toledo, not_via toledo         where a cube passes before it stops
route chicago > toledo/2 > denver  as this route would, over seat 2's first link

A whole route may also be named with deliver, stop, continue and continue_stop.
"""

import re
from typing import TYPE_CHECKING

from sim.bits import bit
from sim.errors import Mistake, nearest
from sim.railways_of_the_world.state import (
    ASK_DEPOT,
    ASK_POINTS,
    BID,
    BUILD,
    COLOURS,
    CONTINUE,
    CONTINUE_STOP,
    DELIVER,
    DEPOTS,
    DIAL,
    DONE,
    FROM,
    GROW,
    KEEP,
    LAY,
    MAX_BARONS,
    MAX_BID,
    MAX_CARDS,
    MAX_CITIES,
    MAX_HEXES,
    MAX_PLAYERS,
    MAX_WESTERN,
    PAIR_OF,
    PAIRS,
    PASS,
    POINTS,
    REDIRECT,
    ROUTE,
    SIDES,
    STOP,
    TAKE,
    THROUGH,
    UPGRADE,
    URBANIZE,
    USE,
    VIA,
    WESTERN,
)
from sim.railways_of_the_world.why_not import why_no_route, why_not
from sim.reading import index_of

if TYPE_CHECKING:
    from sim.game import Board, Position

# Verb -> its first code, and the numbers that follow it: of what, and how many there are.
# Codes rise from verb to verb.
_CITY = ("city", MAX_CITIES)
_BLOCKS = {
    "pass": (PASS, ()),
    "done": (DONE, ()),
    "build": (BUILD, ()),
    "upgrade": (UPGRADE, ()),
    "use": (USE, (("card", MAX_CARDS),)),
    "take": (TAKE, (("card", MAX_CARDS),)),
    "keep": (KEEP, (("baron", MAX_BARONS),)),
    "from": (FROM, (_CITY,)),
    "depots": (DEPOTS, (_CITY, ("one_or_two", 2))),
    "urbanize": (URBANIZE, (_CITY, ("colour", 5))),
    "grow": (GROW, (_CITY,)),
    "dial": (DIAL, (_CITY,)),
    "western_link": (WESTERN, (("western", MAX_WESTERN),)),
    "points": (POINTS, (("number", MAX_PLAYERS), ("number", 16))),
    "depot": (THROUGH, (_CITY, ("yes", 2))),
    "via": (VIA, (_CITY, ("yes", 2))),
    "continue": (CONTINUE, (_CITY,)),
    "continue_stop": (CONTINUE_STOP, (_CITY,)),
    "bid": (BID, (("number", MAX_BID + 1),)),
    "lay": (LAY, (("hex", MAX_HEXES), ("sides", len(PAIRS)))),
    "redirect": (REDIRECT, (("hex", MAX_HEXES), ("sides", len(PAIRS)))),
    "deliver": (DELIVER, (("colour", 5), _CITY, _CITY)),
    "stop": (STOP, (("colour", 5), _CITY, _CITY)),
}
_NOT = {"depot": "no_depot", "via": "not_via"}  # what their code with a 0 at the end says
_FORMS = {
    "pass": "pass",
    "done": "done",
    "build": "build",
    "upgrade": "upgrade",
    "use": "use CARD",
    "take": "take CARD",
    "keep": "keep BARON",
    "from": "from CITY",
    "depots": "depots CITY NUMBER",
    "urbanize": "urbanize CITY COLOUR",
    "grow": "grow CITY",
    "dial": "dial CITY",
    "western_link": "western_link CITY",
    "points": "points SEAT NUMBER",
    "depot": "depot CITY",
    "no_depot": "no_depot CITY",
    "via": "via CITY",
    "not_via": "not_via CITY",
    "continue": "continue CITY",
    "continue_stop": "continue_stop CITY",
    "bid": "bid THOUSANDS",
    "lay": "lay ROW,COLUMN SIDE-SIDE",
    "redirect": "redirect ROW,COLUMN SIDE-SIDE",
    "deliver": "deliver COLOUR FROM TO",
    "stop": "stop COLOUR FROM TO",
    "route": "route CITY > CITY > CITY",
}


def describe(board: "Board", code: int) -> str:
    """The canonical text of an action code."""
    verb, numbers = split(code)
    kinds = [kind for kind, _ in _BLOCKS[verb][1]]
    if verb in _NOT and not numbers.pop():
        verb = _NOT[verb]
    words = [_word(board, kind, number) for kind, number in zip(kinds, numbers, strict=False)]
    return " ".join([verb, *words])


def split(code: int) -> tuple[str, list[int]]:
    """The verb of a code and its numbers."""
    verb = next(verb for verb in reversed(_BLOCKS) if _BLOCKS[verb][0] <= code)
    first, kinds = _BLOCKS[verb]
    rest, numbers = code - first, []
    for _, size in reversed(kinds):
        rest, number = divmod(rest, size)
        numbers.insert(0, number)
    return verb, numbers


def _code(verb: str, *numbers: int) -> int:
    """The code of a verb and its numbers."""
    first, kinds = _BLOCKS[verb]
    rest = 0
    for number, (_, size) in zip(numbers, kinds, strict=True):
        rest = rest * size + int(number)
    return first + rest


def _word(board: "Board", kind: str, number: int) -> str:
    file = board.file
    if kind == "city":
        return file.city_ids[number]
    if kind == "card":
        return file.card_ids[number]
    if kind == "baron":
        return file.baron_ids[number]
    if kind == "colour":
        return COLOURS[number]
    if kind == "hex":
        return file.hex_ids[number]
    if kind == "sides":
        return "-".join(SIDES[side] for side in PAIRS[number])
    if kind == "western":
        record = board.record[0]
        return file.city_ids[record.western_city[: record.n_western][number]]
    return str(number + 1 if kind == "one_or_two" else number)


def conceal(code: int) -> str:
    """What others see of a secret action: which Baron is kept stays hidden."""
    return "keep a Baron" if KEEP <= code < FROM else ""


def parse(position: "Position", text: str) -> int:
    """The legal action a text names. Raises Mistake that says what would be right."""
    try:
        code = _read(position, text)
        if code not in position.legal_codes():
            raise _Illegal(why_not(position, *split(code)))
    except _Illegal as reason:
        raise Mistake(f"{_quoted(text)} is not legal: {reason}.") from None
    return code


class _Illegal(Exception):
    """Something the rules do not allow; the text ends a sentence."""


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")


def _read(position: "Position", text: str) -> int:
    """The code a text stands for. Raises Mistake for what cannot be read."""
    plain = text.lower().replace("->", ">").replace("→", ">")
    plain = re.sub(r"\s*,\s*", ",", plain.replace(">", " > "))
    words = plain.split()
    verb, rest = (words[0], words[1:]) if words else ("", [])
    if verb not in _FORMS:
        raise Mistake(f"{_quoted(text)} is not an action{nearest(verb, _FORMS)}.")
    if verb == "route":
        return _answer(position, rest, text)
    wanted = _FORMS[verb].count(" ")
    exact = verb in ("lay", "redirect", "points") or not wanted
    if len(rest) < wanted and (verb, len(rest)) != ("depots", 1):
        raise Mistake(f"{_quoted(text)} is not complete: write {_FORMS[verb]!r}.")
    if exact and len(rest) > wanted:
        raise Mistake(f"{_quoted(text)} is too long: write {_FORMS[verb]!r}.")
    if ">" in rest:
        return _whole_route(position, verb, rest, text)
    for positive, negative in _NOT.items():
        if verb in (positive, negative):
            return _code(positive, _city(position, rest), verb == positive)
    if verb in ("deliver", "stop"):
        return _code(verb, _colour(rest[0]), *_two_cities(position, rest[1:], text))
    if verb == "urbanize":
        return _code(verb, _city(position, rest[:-1]), _colour(rest[-1]))
    if verb == "depots":
        number = _number(rest.pop(), text) if rest[-1].isdecimal() and rest[1:] else 1
        city = _city(position, rest)
        if not 1 <= number <= 2:
            raise _Illegal("one or two Fuel Depots are placed at a time")
        return _code(verb, city, number - 1)
    if verb in ("lay", "redirect"):
        return _code(verb, _hex(position.board, rest[0], text), _sides(rest[1], text))
    if verb == "bid":
        return _bid(position, rest, text)
    if verb == "points":
        seat, points = (_number(word, text) for word in rest)
        if seat >= position.players:
            last = position.players - 1
            raise Mistake(f"There is no seat {seat}: seats are 0 to {last}.")
        if points >= 16:
            raise _Illegal("no move is that long")
        return _code(verb, seat, points)
    if verb == "western_link":
        return _western(position, rest)
    if verb in ("use", "take"):
        return _code(verb, _index("card", rest, position.board.file.card_ids))
    if verb == "keep":
        return _code(verb, _index("Rail Baron", rest, position.board.file.baron_ids))
    return _code(verb, _city(position, rest)) if rest else _code(verb)


def _slug(words: list[str]) -> str:
    return re.sub(r"[^a-z0-9]+", "_", " ".join(words)).strip("_")


def _index(kind: str, words: list[str], choices: list[str]) -> int:
    return index_of(kind, _slug(words), choices)


def _city(position: "Position", words: list[str]) -> int:
    return _index("city", words, position.board.file.city_ids)


def _colour(word: str) -> int:
    return index_of("colour", word, COLOURS)


def _number(word: str, text: str) -> int:
    if not word.isdecimal():
        raise Mistake(f"{_quoted(text)} should have a whole number where {word!r} stands.")
    return int(word)


def _two_cities(position: "Position", words: list[str], text: str) -> list[int]:
    """Two cities one after the other, their names of any number of words."""
    cities = position.board.file.city_ids
    pairs = [(_slug(words[:cut]), _slug(words[cut:])) for cut in range(1, len(words))]
    known = [pair for pair in pairs if pair[0] in cities and pair[1] in cities]
    if len(known) > 1:
        raise Mistake(f"{_quoted(text)} can be read in two ways: write city names with '_'.")
    if not known:  # tell of the part that is wrong
        known = [pair for pair in pairs if pair[0] in cities or pair[1] in cities] or pairs
    return [_index("city", [name], cities) for name in known[0]]


def _hex(board: "Board", word: str, text: str) -> int:
    numbers = re.fullmatch(r"(\d+),(\d+)", word)
    if numbers is None:
        raise Mistake(f"{_quoted(text)} should name a hex as ROW,COLUMN, not {word!r}.")
    place = int(numbers[1]), int(numbers[2])
    if place not in board.file.places:
        raise _Illegal(f"{word} is not a complete hex of the board")
    return board.file.places.index(place)


def _sides(word: str, text: str) -> int:
    names = word.split("-")
    if len(names) != 2 or names[0] == names[1]:
        raise Mistake(f"{_quoted(text)} should name two sides, as in 'ne-sw', not {word!r}.")
    for name in names:
        if name not in SIDES:
            raise Mistake(f"There is no side {name!r}; choose from {', '.join(SIDES)}.")
    first, second = (SIDES.index(name) for name in names)
    return int(PAIR_OF[first, second])


def _bid(position: "Position", words: list[str], text: str) -> int:
    if words[1:] not in ([], ["k"]):
        raise Mistake(f"{_quoted(text)} is too long: write {_FORMS['bid']!r}.")
    amount = _number(words[0].removeprefix("$").replace(",", "").removesuffix("k"), text)
    if amount >= 1000:
        right = f"; for ${amount:,} write 'bid {amount // 1000}'" if amount % 1000 == 0 else ""
        raise _Illegal(f"bids are in thousands of dollars{right}")
    if amount > MAX_BID:
        raise _Illegal(f"no bid may be above ${int(position.board.record[0].max_bid)}k")
    return _code("bid", amount)


def _western(position: "Position", words: list[str]) -> int:
    city, record = _city(position, words), position.board.record[0]
    cities = record.western_city[: record.n_western].tolist()
    if not cities:
        raise _Illegal("western links are not played")
    if city not in cities:
        names = " or ".join(position.board.file.cities[number].name for number in cities)
        raise _Illegal(f"a western link is built at {names}")
    return _code("western_link", cities.index(city))


# --------------------------------------------------------------------------------- whole routes


def _stages(
    position: "Position", words: list[str], text: str
) -> tuple[list[int], list[int | None]]:
    """The cities of a route, and after each the seat whose link leads to it, where named."""
    cities: list[int] = []
    seats: list[int | None] = []
    for part in " ".join(words).split(">"):
        name, _, seat = part.partition("/")
        if not name.strip():
            raise Mistake(f"{_quoted(text)} is not complete: write {_FORMS['route']!r}.")
        cities.append(_city(position, [name]))
        seats.append(_number(seat.strip(), text) if seat else None)
    if len(cities) < 2:
        raise Mistake(f"{_quoted(text)} is not complete: write {_FORMS['route']!r}.")
    return cities, seats[1:]


def _whole_route(position: "Position", verb: str, words: list[str], text: str) -> int:
    """The code of a move whose whole route is named."""
    state = position.state[0]
    seat = int(state.to_move)
    goes_on = verb in ("continue", "continue_stop")
    if not goes_on and verb not in ("deliver", "stop"):
        raise Mistake(f"{_quoted(text)} names a route where none belongs: write {_FORMS[verb]!r}.")
    if goes_on:
        colour = int(state.stopped[seat])
        cities, seats = _stages(position, words, text)
        code = _code(verb, cities[-1])
        if colour >= 0 and cities[0] != state.stopped_at[seat]:
            name = position.board.file.cities[int(state.stopped_at[seat])].name
            raise _Illegal(f"the cube stopped in {name}")
    else:
        colour = _colour(words[0])
        cities, seats = _stages(position, words[1:], text)
        code = _code(verb, colour, cities[0], cities[-1])
    if code not in position.legal_codes():
        raise _Illegal(why_not(position, *split(code)))
    reason = why_no_route(
        position, colour, cities, seats, goes_on, verb in ("stop", "continue_stop")
    )
    if reason:
        raise _Illegal(reason)
    return code


def _answer(position: "Position", words: list[str], text: str) -> int:
    """The code that answers the question asked as a whole route would."""
    state, file = position.state[0], position.board.file
    cities, seats = _stages(position, words, text)
    if state.phase != ROUTE:
        raise _Illegal("no route is to be chosen now")
    mover, goes_on = int(state.to_move), bool(state.move_continues)
    start, end = int(state.move_from), int(state.move_to)
    if goes_on:
        start = int(state.stopped_at[mover])
    if [cities[0], cities[-1]] != [start, end]:
        raise _Illegal(f"the cube goes from {file.cities[start].name} to {file.cities[end].name}")
    reason = why_no_route(
        position, int(state.move_colour), cities, seats, goes_on, bool(state.move_stops)
    )
    if reason:
        raise _Illegal(reason)
    passed = cities[1:-1]
    used = [city for city in passed if int(state.accepts[state.move_colour]) & bit(city)]
    wanted = state.set_points.tolist()
    outcomes = {
        points
        for points in _points(position, cities, seats, goes_on)
        if all(want in (-1, got) for want, got in zip(wanted, points, strict=True))
    }
    if (
        not outcomes
        or any(_differs(state.set_depots, city, used) for city in range(len(file.cities)))
        or any(_differs(state.set_via, city, passed) for city in range(len(file.cities)))
    ):
        raise _Illegal("it does not go by what is chosen already")
    about = int(state.ask_about)
    if state.ask == ASK_POINTS:
        answers = {points[about] for points in outcomes}
        if len(answers) > 1:
            raise Mistake(
                f"{_quoted(text)} can earn seat {about} {' or '.join(map(str, sorted(answers)))} "
                "points: write whose link leads to a city, as in '> toledo/2'."
            )
        return _code("points", about, answers.pop())
    if state.ask == ASK_DEPOT:
        return _code("depot", about, about in used)
    return _code("via", about, about in passed)


def _differs(settled, city: int, on_route: list[int]) -> bool:
    """Whether a route has not what is settled: the sets of cities without it, and with it."""
    return bool(int(settled[int(city not in on_route)]) & bit(city))


def _points(
    position: "Position", cities: list[int], seats: list[int | None], goes_on: bool
) -> set[tuple[int, ...]]:
    """What each seat may earn on a route, where the mover picks among several owners' links."""
    state, record = position.state[0], position.board.record[0]
    mover = int(state.to_move)
    outcomes = {(0,) * MAX_PLAYERS}
    for number, seat in enumerate(seats):
        owners = [
            owner
            for owner in range(position.players)
            if int(state.linked[owner, cities[number]]) & bit(cities[number + 1])
        ]
        if number == 0 and (not goes_on or record.own_first_link_after_stop):
            owners = [mover]
        outcomes = {
            (*points[:owner], points[owner] + 1, *points[owner + 1 :])
            for points in outcomes
            for owner in owners
            if seat in (None, owner)
        }
    return outcomes
