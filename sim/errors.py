"""A user's mistake, told in one sentence."""

import difflib
from collections.abc import Iterable


class Mistake(Exception):
    """Something the user can put right; the text says what and how, in one sentence."""


def nearest(word: str, choices: Iterable[str]) -> str:
    """The end of a sentence that points to the right word.

    >>> nearest("fargp", ["fargo", "dallas"])
    "; did you mean 'fargo'?"
    >>> nearest("x", ["fargo", "dallas"])
    '; choose from dallas, fargo'
    """
    choices = [str(choice) for choice in choices]
    close = difflib.get_close_matches(word, choices, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; choose from {', '.join(sorted(choices))}" if choices else ""
