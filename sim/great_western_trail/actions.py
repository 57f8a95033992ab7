"""Texts of Great Western Trail's actions, and why one is not legal.

move c2                            also where a first cattleman is put
by flood1 c2                       the way there: the first space of each branch that turns off
by first branches                  the way that never turns off
use hire plus 2                    an action of a building, of the board, of a card; then its steps:
hire cowboy row 3
build tile 3
onto b1
take objective draw_5_h            from the display; or the
top objective card                 of the stack
certificate 2                      spaces forward
engine to 7, engine to 4.5         a number of the railroad, or the turnout after it
disc hand                          a disc of the player board, for a city or a station; or a
disc from station 7.5
appoint engineer                   as station master
trade 4, trade minus 3             the teepee for which that is gained or paid
remove hazard flood2
buy holstein for 6 with 1 cowboy
buy ayrshire and another for 5 with 3 cowboys
take texas_longhorn_6              a second card of a purchase, or a free one
market cards                       a cowboy draws cards into the cattle market
draw 2
discard jersey
remove card jersey                 from the game
copy c2                            the building there acts
upgrade 16.5                       a station behind the engine
foresight flood_green_4            a tile to be placed, a worker to come to the job market
spend 3                            certificates
deliver santa_fe
station master dollars             of those in New York City
branchlet denver 2                 on the second space of that town
play ride_3_4_5                    an objective card of the hand
exchange token
done                               what is left is forfeited

Words may be left out where one action is meant: `engine 7`, `buy holstein`, `branchlet denver`.
A way may be named by any of its spaces: the way listed is taken that costs the same tolls.
"""

import bisect
import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sim.errors import Mistake, closest, nearest
from sim.great_western_trail.names import names, spoken
from sim.great_western_trail.state import (
    APPOINT,
    BUY_CARD,
    BY,
    CERTIFICATE,
    COPY,
    DELIVER,
    DISCARD,
    DO,
    DONE,
    DRAW_CARDS,
    EITHER,
    ENGINE_TO,
    FORESEE,
    FROM_STACK,
    GO,
    HAZARD,
    HAZARD_FROM,
    MARKET_CARDS,
    MAX_CATTLE,
    MAX_ROWS,
    NEUTRAL,
    OBJECTIVE,
    ONTO,
    PLAY,
    PRIVATE,
    REMOVE_CARD,
    SPEND,
    START,
    STATION,
    STATION_DISC,
    TAKE_CARD,
    TAKE_DISC,
    TAKE_MASTER,
    TEEPEE_FROM,
    TILE,
    TOWN_AT,
    TOWN_SPACES,
    USE_TOKEN,
    WAY,
    WORKER,
    WORKERS,
)
from sim.great_western_trail.trail import tolls_of
from sim.great_western_trail.why_not import ways_of, why_not
from sim.layout import counted

if TYPE_CHECKING:
    import numpy as np

    from sim.game import Board, Position

# Kind of action -> its first code; codes rise from kind to kind.
_BLOCKS = {
    "done": DONE,
    "token": USE_TOKEN,
    "market": MARKET_CARDS,
    "stack": FROM_STACK,
    "play": PLAY,
    "move": GO,
    "way": BY,
    "use": DO,
    "hire": WORKER,
    "build": TILE,
    "onto": ONTO,
    "objective": OBJECTIVE,
    "certificate": CERTIFICATE,
    "engine": ENGINE_TO,
    "disc": TAKE_DISC,
    "station_disc": STATION_DISC,
    "appoint": APPOINT,
    "trade": TEEPEE_FROM,
    "hazard": HAZARD_FROM,
    "buy": BUY_CARD,
    "take": TAKE_CARD,
    "draw": DRAW_CARDS,
    "discard": DISCARD,
    "remove": REMOVE_CARD,
    "copy": COPY,
    "upgrade": STATION,
    "foresight": FORESEE,
    "spend": SPEND,
    "deliver": DELIVER,
    "master": TAKE_MASTER,
    "branchlet": TOWN_AT,
}
_FORMS = {  # by first word
    "done": "done",
    "exchange": "exchange token",
    "market": "market cards",
    "top": "top objective card",
    "play": "play OBJECTIVE",
    "move": "move SPACE",
    "by": "by SPACE SPACE",
    "use": "use ACTION",
    "hire": "hire WORKER row NUMBER",
    "build": "build tile NUMBER",
    "onto": "onto SPACE",
    "certificate": "certificate SPACES",
    "engine": "engine to SPACE",
    "disc": "disc NAME' or 'disc from station SPACE",
    "appoint": "appoint WORKER",
    "trade": "trade DOLLARS",
    "buy": "buy CATTLE",
    "take": "take objective CARD' or 'take CATTLE",
    "draw": "draw NUMBER",
    "discard": "discard CARD",
    "remove": "remove hazard SPACE' or 'remove card CARD",
    "copy": "copy SPACE",
    "upgrade": "upgrade STATION",
    "foresight": "foresight TILE",
    "spend": "spend CERTIFICATES",
    "deliver": "deliver CITY",
    "station": "station master NAME",
    "branchlet": "branchlet TOWN SPACE",
}
_FIRST_BRANCHES = "first branches"
# Words that may be left out.
_FILLERS = {"and", "another", "for", "from", "row", "tile", "to", "use"}
_KINDS = (
    ["remove", "hazard"],
    ["remove", "card"],
    ["take", "objective"],
)  # and the second of these


def split(code: int) -> tuple[str, int]:
    """The kind of an action and its number within the kind."""
    firsts = list(_BLOCKS.values())
    place = bisect.bisect_right(firsts, code) - 1
    return list(_BLOCKS)[place], code - firsts[place]


def describe(board: "Board", code: int) -> str:
    """The canonical text of an action code. Raises IndexError for one that the board has not."""
    if code not in _texts(board):
        raise IndexError(code)
    return _texts(board)[code]


@functools.lru_cache(maxsize=64)
def _texts(board: "Board") -> dict[int, str]:
    """The texts of all actions of a board by code."""
    return dict([*_texts_of_moves(board), *_texts_of_steps(board), *_texts_of_the_goal(board)])


def _texts_of_moves(board: "Board") -> Iterator[tuple[int, str]]:
    """What is decided about the turn: moves, cards played, actions used."""
    name, record = names(board), board.record[0]
    yield DONE, "done"
    if record.n_towns:
        yield USE_TOKEN, "exchange token"
    for kind, objective in enumerate(name.objectives):
        yield PLAY + kind, f"play {objective}"
    kinds = record.space_kind[: record.n_spaces].tolist()
    for space, kind in enumerate(kinds):
        if kind != START:
            yield GO + space, f"move {name.spaces[space]}"
        if kind in (NEUTRAL, PRIVATE):
            yield COPY + space, f"copy {name.spaces[space]}"
        if kind == PRIVATE:
            yield ONTO + space, f"onto {name.spaces[space]}"
        if kind == HAZARD:
            yield HAZARD_FROM + space, f"remove hazard {name.spaces[space]}"
    branches = _branches(board)
    for way in range(1 << len(branches)):
        taken = [branch for fork, branch in enumerate(branches) if way >> fork & 1]
        yield BY + way, f"by {' '.join(taken) or _FIRST_BRANCHES}"
    for icon in sorted(_usable(record)):
        yield DO + icon, f"use {name.icons[icon]}"


def _branches(board: "Board") -> list[str]:
    """The first space of the second branch of each fork."""
    record, spaces = board.record[0], names(board).spaces
    return [spaces[record.next[space, 1]] for space, fork in enumerate(record.fork) if fork >= 0]


def _usable(record: "np.record") -> set[int]:
    """Icons that a player may be asked to use, not only offered when their turn comes."""
    shown = _icons(record, "building_icon", "risk", "auxiliary")
    offered = _icons(
        record,
        *("worker_icon", "medium_icon", "objective_icon", "master_icon"),
        *("city_icon", "pair_icon", "town_icon", "icon_then"),
    )
    either = {icon for icon in shown | offered if record.icon_kind[icon] == EITHER}
    return (shown - either) | {int(icon) for one in either for icon in record.icon_other[one]}


def _icons(record: "np.record", *fields: str) -> set[int]:
    return {icon for field in fields for icon in record[field].ravel().tolist() if icon >= 0}


def _texts_of_steps(board: "Board") -> Iterator[tuple[int, str]]:
    """The steps of actions."""
    name, record = names(board), board.record[0]
    yield MARKET_CARDS, "market cards"
    yield FROM_STACK, "top objective card"
    for row in range(MAX_ROWS):
        for number, worker in enumerate(WORKERS):
            yield WORKER + row * len(WORKERS) + number, f"hire {worker} row {row + 1}"
    for number in range(record.n_numbers):
        yield TILE + number, f"build tile {number + 1}"
    for kind, objective in enumerate(name.objectives):
        yield OBJECTIVE + kind, f"take objective {objective}"
    for spaces in range(ENGINE_TO - CERTIFICATE):
        yield CERTIFICATE + spaces, f"certificate {spaces}"
    for position, place in enumerate(name.positions):
        yield ENGINE_TO + position, f"engine to {place}"
    for disc, place in enumerate(name.discs):
        if record.disc_copies[disc]:
            yield TAKE_DISC + disc, f"disc {place}"
    for station, place in enumerate(name.stations):
        yield STATION_DISC + station, f"disc from station {place}"
        if record.station_position[station] >= 0:
            yield STATION + station, f"upgrade {place}"
    for number, worker in enumerate(WORKERS):
        yield APPOINT + number, f"appoint {worker}"
    for place, money in enumerate(name.trades):
        yield TEEPEE_FROM + place, f"trade {money}"
    for kind, cattle in enumerate(name.cattle):
        if not record.market_cards[kind]:
            continue
        yield TAKE_CARD + kind, f"take {cattle}"
        for line in range(record.n_buys):
            if record.buy_breeding[line] == record.breeding[record.cattle_type[kind]]:
                code = BUY_CARD + line * MAX_CATTLE + kind
                cowboys = counted(int(record.buy_cowboys[line]), "cowboys")
                more = " and another" if record.buy_cards[line] > 1 else ""
                yield code, f"buy {cattle}{more} for {record.buy_cost[line]} with {cowboys}"
    for number in range(DISCARD - DRAW_CARDS):
        yield DRAW_CARDS + number, f"draw {number}"
    for card, words in name.cards.items():
        yield DISCARD + card, f"discard {words}"
        yield REMOVE_CARD + card, f"remove card {words}"


def _texts_of_the_goal(board: "Board") -> Iterator[tuple[int, str]]:
    """Kansas City and the cities; the extension board."""
    name = names(board)
    for tile, words in enumerate(name.tiles):
        yield FORESEE + tile, f"foresight {words}"
    for number in range(DELIVER - SPEND):
        yield SPEND + number, f"spend {number}"
    for city, words in enumerate(name.cities):
        yield DELIVER + city, f"deliver {words}"
    for master, words in enumerate(name.masters):
        yield TAKE_MASTER + master, f"station master {words}"
    for town, words in enumerate(name.towns):
        for space in range(TOWN_SPACES):
            yield TOWN_AT + town * TOWN_SPACES + space, f"branchlet {words} {space + 1}"


# ---------------------------------------------------------------------------------------- reading


def parse(position: "Position", text: str) -> int:
    """The legal action a text names. Raises Mistake that says what would be right."""
    board = position.board
    words = tuple(spoken(text.replace("$", "")).replace(">", " ").split())
    exact, playable = _codes(board).get(" ".join(words)), position.legal_codes().tolist()
    if exact in playable:
        return exact
    if words[:1] == ("by",):
        return _way(position, words[1:], text)
    known = [exact] if exact is not None else _meant(board, words)
    meant = [code for code in known if code in playable] or _same_print(position, known, playable)
    if len(meant) == 1:
        return meant[0]
    if meant:
        texts = [repr(describe(board, code)) for code in meant]
        raise Mistake(f"{_quoted(text)} may be one of {', '.join(texts)}.")
    if not known or words[1:] == () and exact is None:
        raise Mistake(_unknown(board, words, text))
    raise Mistake(f"{_quoted(text)} is not legal: {why_not(position, known[0], *split(known[0]))}.")


def _meant(board: "Board", words: tuple[str, ...]) -> list[int]:
    """Actions whose text is the same but for words that may be left out, else begins so."""
    tokens, texts = _tokens(words), _all_tokens(board)
    same = [code for code, other in texts.items() if other == tokens]
    begun = [code for code, other in texts.items() if other[: len(tokens)] == tokens]
    return same or (begun if tokens else [])


@functools.lru_cache(maxsize=64)
def _codes(board: "Board") -> dict[str, int]:
    """The codes of all actions of a board by text."""
    return {text: code for code, text in _texts(board).items()}


@functools.lru_cache(maxsize=64)
def _all_tokens(board: "Board") -> dict[int, tuple[str, ...]]:
    return {code: _tokens(text.split()) for code, text in _texts(board).items()}


def _tokens(words: "tuple[str, ...] | list[str]") -> tuple[str, ...]:
    """What of a text is compared: its words without those that may be left out."""
    parts = [part for word in words for part in word.split("_") if part]
    if parts[:2] in _KINDS:
        del parts[1]
    return tuple(part for part in parts if part not in _FILLERS)


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")


def _unknown(board: "Board", words: tuple[str, ...], text: str) -> str:
    """What is said of a text that is no action of the board."""
    verb, rest = words[0] if words else "", " ".join(words[1:])
    texts = [other.partition(" ") for other in _codes(board)]
    if verb not in _FORMS:
        icons = [icon for first, _, icon in texts if first == "use"]
        near = [] if closest(verb, _FORMS) else closest(" ".join(words), icons)
        return f"{_quoted(text)} is not an action{nearest(verb, near or _FORMS)}."
    choices = [after for first, _, after in texts if first == verb]
    if not choices:
        return f"{_quoted(text)} is not legal: Rails to the North is not played."
    if not rest:
        return f"{_quoted(text)} is not complete: write '{_FORMS[verb]}'."
    cannot = f"{rest!r} cannot follow {verb!r}{nearest(rest, choices)}"
    return f"{_quoted(text)} is not an action: {cannot}."


def _same_print(position: "Position", codes: list[int], playable: list[int]) -> list[int]:
    """The legal branchlet spaces that are one choice with the free space one of these names."""
    state, record = position.state[0], position.board.record[0]
    if not codes or codes[0] < TOWN_AT:
        return []
    town, space = divmod(codes[0] - TOWN_AT, TOWN_SPACES)
    places = {code: divmod(code - TOWN_AT, TOWN_SPACES) for code in playable if code >= TOWN_AT}
    return [
        code
        for code, place in places.items()
        if place[0] == town
        and state.town[town, space] < 0
        and record.town_money[place] == record.town_money[town, space]
        and record.town_icon[place] == record.town_icon[town, space]
    ]


def _way(position: "Position", words: tuple[str, ...], text: str) -> int:
    """The legal way that costs the same tolls as all ways by the spaces named."""
    state, record, board = position.state[0], position.board.record[0], position.board
    spaces, branches = names(board).spaces, _branches(board)
    is_set = " ".join(words) == _FIRST_BRANCHES or (words and set(words) <= set(branches))
    for word in () if is_set else words:
        if word not in spaces:
            raise Mistake(f"There is no space {word!r}{nearest(word, spaces)}.")
    if not words:
        raise Mistake(f"{_quoted(text)} is not complete: write '{_FORMS['by']}'.")
    if state.phase != WAY:
        code = BY  # whichever: none is to be chosen
        raise Mistake(f"{_quoted(text)} is not legal: {why_not(position, code, *split(code))}.")
    top = int(state.n_tasks) - 1
    target, steps, manner = int(state.one[top]), int(state.two[top]) >> 2, int(state.two[top]) & 3
    ways = ways_of(position, target, steps)
    if is_set:
        way = sum(1 << fork for fork, branch in enumerate(branches) if branch in words)
        meant = [way] if way in ways else []
    else:
        named = {spaces.index(word) for word in words} - {int(state.at[state.to_move])}
        meant = [way for way, passed in ways.items() if named <= set(passed)]
    if not meant:
        to = spaces[target]
        raise Mistake(
            f"{_quoted(text)} is not legal: no way to {to} of at most "
            f"{counted(steps, 'steps')} goes so ({', '.join(position.legal())})."
        )
    tolls = {tolls_of(state, record, target, way, steps, manner) for way in meant}
    if len(tolls) > 1:
        raise Mistake(
            f"{_quoted(text)} may be ways that cost different tolls: name more of their spaces "
            f"({', '.join(position.legal())})."
        )
    paid = tolls.pop()
    return next(
        code
        for code in position.legal_codes().tolist()
        if code >= BY and tolls_of(state, record, target, code - BY, steps, manner) == paid
    )
