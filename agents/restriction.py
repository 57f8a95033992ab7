"""Restricted play: actions that a seat may not choose, named by words of their texts.

`greedy:without=upgrade` never upgrades. All words of a restriction must be in an action's text,
anywhere: `without=take hotel` takes no hotel. A word is a name as `spike play` shows it (`denver`,
`hotel_chicago`) or, where no action has that name, a part of names: `hotel`. Several restrictions
are joined by `+`, which is in no text: `without=upgrade+urbanize`.

`without=loans`, or by the game's own word `without=bonds`, forbids actions that take a loan, and
`without=loans over 10` those that lead to more than ten. A bid is taken for paid, and what a first
step commits to counts as cheaply as it can be done. What the rules take later by themselves, as
dividends, may still be borrowed.

Where all that is legal is forbidden, the restriction does not hold for that decision: the game must
go on. What takes several decisions is restricted in those whose text has the words, and what the
rules do by themselves is no action. In Westward Rails

    upgrade, upgrade front_range    no upgrades, or not those of a metro area
    santa_fe                        no cube of that railroad, and it is not put to auction; a bid
                                    names no railroad, so that a share of it may be bought
    build denver                    no cube on a link of Denver

and in Railways of the World

    urbanize, upgrade, take hotel, deliver red
    chicago                         no cube from or to it, no link begun there, no New City tile, no
                                    growth; a tile names its hex, so that a link may end there
    lay 6,23, redirect 6,23         no track in that hex; on a list of agents, where commas part
                                    them, it cannot be named
    bonds                           who begins without money builds nothing; see `starting_money`

and in Great Western Trail

    hire cowboy, build tile 9, buy longhorn, deliver topeka, take objective, disc hand
    engine                          it never goes forward; back, where an action asks for it
"""

import functools
import re

import numpy as np

from agents.base import loans
from sim.contract import compiled
from sim.errors import Mistake, nearest
from sim.game import Board

JOINT = "+"
MEANING = (
    "what it may not choose: words of an action, as in upgrade, or loans, or loans over 10; "
    f"several joined by {JOINT}"
)

# A name in an action's text; cities that a line or an arrow joins are each a name.
_NAME = re.compile(r"[^\s>-]+")

_OVER = re.compile(r" over (\d{1,8})")


@functools.lru_cache(maxsize=64)
def forbidden(board: Board, without: tuple[str, ...]) -> np.ndarray:
    """Which actions of the board the restrictions forbid, by code: bool[MAX_CODE].

    Raises Mistake for words that no action of the board has.

    >>> import sim
    >>> position = sim.load("westward-rails").new(players=3)
    >>> mask = forbidden(position.board, ("bid 6", "upgrade"))
    >>> [position.text(code) for code in position.legal_codes()[:4] if not mask[code]]
    ['pass', 'bid 5', 'bid 7']
    """
    known = _codes_by_name(board) if without else {}
    mask = np.zeros(board.game.rules.MAX_CODE, np.bool_)
    for words in without:
        if _limit(board, words) is not None:
            continue
        found = [_codes_of(word, known) for word in _NAME.findall(words)]
        for word, codes in zip(_NAME.findall(words), found, strict=True):
            if not codes:
                choices = [name for name in known if not name[0].isdecimal()]
                raise Mistake(
                    f"without={words}: no action on the board {board.name} has the word "
                    f"{word!r}{nearest(word, choices)}."
                )
        codes = set.intersection(*found)
        if not codes:
            raise Mistake(f"without={words}: no action on the board {board.name} has all of this.")
        mask[list(codes)] = True
    return mask


def most_loans(board: Board, without: tuple[str, ...]) -> int:
    """How many loans the restrictions allow; -1: as many as the rules do.

    >>> import sim
    >>> most_loans(sim.load("railways-of-the-world").board(), ("upgrade", "loans over 10"))
    10
    """
    limits = [limit for words in without if (limit := _limit(board, words)) is not None]
    return min(limits, default=-1)


def _limit(board: Board, words: str) -> int | None:
    """How many loans these words allow; None where they do not speak of loans."""
    name, loan = words.partition(" ")[0], board.game.loan
    if name not in ("loans", f"{loan or 'loan'}s"):
        return None
    if not loan:
        raise Mistake(f"without={words}: there are no loans in {board.game.title}.")
    over = _OVER.fullmatch(words.removeprefix(name))
    if words != name and over is None:
        raise Mistake(f"without={words} should be {name}, or {name} over a number.")
    return int(over[1]) if over else 0


@functools.lru_cache(maxsize=64)
def _codes_by_name(board: Board) -> dict[str, set[int]]:
    """The codes of the actions that have a name in their text, for every name."""
    found: dict[str, set[int]] = {}
    for code in range(board.game.rules.MAX_CODE):
        try:
            text = board.game.actions.describe(board, code)
        except IndexError:  # of a city, say, that this board has not
            continue
        for name in _NAME.findall(text):
            found.setdefault(name, set()).add(code)
    return found


def _codes_of(word: str, known: dict[str, set[int]]) -> set[int]:
    """The codes of the actions that have a word: a name, or else a part of names."""
    if word in known:
        return known[word]
    return set().union(*(known[name] for name in known if f"_{word}_" in f"_{name}_"))


@compiled
def choose_among(state, board, legal, count, row, search):
    """Put the actions first that a row of the tables does not forbid; how many, and the row.

    Where it forbids all, nothing is moved and row 0 holds, which forbids nothing. A row with a
    limit of loans is written as the last row of the table, true of what is legal now.
    """
    if row == 0:
        return count, row
    if search.most_loans[row] >= 0:
        row = _with_loans(state, board, legal, count, row, search)
    table = search.forbidden
    allowed = 0
    for place in range(count):
        if not table[row, legal[place]]:
            legal[allowed] = legal[place]
            allowed += 1
    if allowed == 0:
        return count, 0
    return allowed, row


@compiled
def _with_loans(state, board, legal, count, row, search):
    """Write a row, and what leads to more loans than it allows, as the last one; its number."""
    table, trial = search.forbidden, search.trial
    now = len(table) - 1
    trial[0] = state
    most = max(search.most_loans[row], loans(trial[0], board, -1))
    for place in range(count):
        code = legal[place]
        table[now, code] = table[row, code]
        if not table[row, code]:
            trial[0] = state
            table[now, code] = loans(trial[0], board, code) > most
    return now
