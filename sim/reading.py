"""What users write in actions and scenario files, checked against what there is."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sim.errors import Mistake, nearest

if TYPE_CHECKING:
    from sim.game import Position


def index_of(kind: str, word: str, choices: Sequence[str]) -> int:
    """The place of a word among the choices. Raises Mistake with the nearest right one.

    >>> index_of("city", "fargo", ["dallas", "fargo"])
    1
    """
    if word not in choices:
        raise Mistake(f"There is no {kind} {word!r}{nearest(word, choices)}.")
    return choices.index(word)


def a_name(key: str, kind: str, word: Any, choices: Sequence[str]) -> str:
    """The value of a key that must be one of the choices."""
    if word not in choices:
        raise Mistake(f"{key}: there is no {kind} {word!r}{nearest(str(word), choices)}.")
    return word


def a_list(key: str, value: Any) -> list:
    """The value of a key that must be a list."""
    if not isinstance(value, list):
        raise Mistake(f"{key} should be a list, not {value!r}.")
    return value


def a_seat(position: "Position", key: str, value: Any) -> int:
    """The value of a key that must be a seat of the position."""
    if type(value) is not int or not 0 <= value < position.players:
        raise Mistake(f"{key} = {value!r} should be a seat from 0 to {position.players - 1}.")
    return value
