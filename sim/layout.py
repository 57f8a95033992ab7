"""Text laid out for a terminal: columns, and lists in lines."""

from collections.abc import Collection

WIDTH = 79


def counted(number: int | str, things: str) -> str:
    """A number with what it counts, in the singular for one.

    >>> counted(1, "cities"), counted(1, "hexes"), counted("1", "$"), counted(1200, "games")
    ('1 city', '1 hex', '1 $', '1,200 games')
    """
    text = number if isinstance(number, str) else f"{number:,}"
    if text in ("1", "−1"):
        endings = (("ies", "y"), ("xes", "x"), ("s", ""))
        many, one = next((pair for pair in endings if things.endswith(pair[0])), ("", ""))
        things = things.removesuffix(many) + one
    return f"{text} {things}".rstrip()


def columns(rows: list[list[str]], to_the_left: Collection[int]) -> list[str]:
    """Rows with their cells in columns: those of the numbers given to the left, others right.

    >>> columns([["seat", "money"], ["0", "$4"]], {0})
    ['seat  money', '0        $4']
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column in to_the_left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def wrapped(title: str, items: list[str]) -> list[str]:
    """Items after a title, separated by commas, in lines of `WIDTH`.

    >>> wrapped("Links: ", ["a-b", "b-c"])
    ['Links: a-b, b-c']
    """
    lines, line = [], title
    for number, item in enumerate(items):
        part = item + (", " if number + 1 < len(items) else "")
        if len(line) + len(part.rstrip()) > WIDTH and line.strip():
            lines.append(line.rstrip())
            line = "    "
        line += part
    return [*lines, line.rstrip()]
