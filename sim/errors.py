"""A user's mistake, told in one sentence."""

import difflib
from collections.abc import Iterable


class Mistake(Exception):
    """Something the user can put right; the text says what and how, in one sentence."""


def nearest(word: str, choices: Iterable[str]) -> str:
    """The end of a sentence that points to the right word.

    >>> nearest("fargp", ["fargo", "dallas"])
    "; the nearest is 'fargo'"
    >>> nearest("x", ["fargo", "dallas"])
    '; choose from dallas, fargo'
    """
    choices = [str(choice) for choice in choices]
    close = difflib.get_close_matches(word, choices, n=1)
    if close:
        return f"; the nearest is {close[0]!r}"
    return f"; choose from {', '.join(sorted(choices))}" if choices else ""
