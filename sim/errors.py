"""A user's mistake, told in one sentence."""

import difflib
from collections.abc import Iterable

MOST_CHOICES = 30  # listed where none is near


class Mistake(Exception):
    """Something the user can put right; the text says what and how, in one sentence."""


def nearest(word: str, choices: Iterable[str]) -> str:
    """The end of a sentence that points to the right word, or to the likeliest of many.

    >>> nearest("fargp", ["fargo", "dallas"])
    "; the nearest is 'fargo'"
    >>> nearest("x", ["fargo", "dallas"])
    '; choose from dallas, fargo'
    """
    choices = [str(choice) for choice in choices]
    close = closest(word, choices)
    if close:
        return f"; the nearest is {close[0]!r}"
    if len(choices) > MOST_CHOICES:
        likeliest = [repr(choice) for choice in closest(word, choices, 3, cutoff=0.0)]
        return (
            f"; the nearest of {len(choices)} are {', '.join(likeliest[:-1])} and {likeliest[-1]}"
        )
    return f"; choose from {', '.join(sorted(choices))}" if choices else ""


def closest(word: str, choices: Iterable[str], most: int = 1, cutoff: float = 0.6) -> list[str]:
    """The choices most like a word, the nearest first; capital letters make no difference.

    >>> closest("st louis", ["Saint Paul", "St. Louis"])
    ['St. Louis']
    """
    folded = {choice.lower(): choice for choice in choices}
    return [folded[near] for near in difflib.get_close_matches(word.lower(), folded, most, cutoff)]
