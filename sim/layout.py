"""Text laid out for a terminal: columns, grids, and lists in lines, none wider than it."""

import shutil
import textwrap
from collections.abc import Collection


def width() -> int:
    """Characters a line may have: those of the terminal, at least 40 and at most 79.

    >>> 40 <= width() <= 79
    True
    """
    return max(40, min(79, shutil.get_terminal_size().columns - 1))


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

    Columns for which a line has no room follow below, after the first once more.

    >>> columns([["seat", "money"], ["0", "$4"]], {0})
    ['seat  money', '0        $4']
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    blocks: list[list[int]] = [[0]]
    for column in range(1, len(widths)):
        if sum(widths[other] + 2 for other in blocks[-1]) + widths[column] > width():
            blocks.append([0])
        blocks[-1].append(column)
    return [
        "  ".join(
            row[column].ljust(widths[column])
            if column in to_the_left
            else row[column].rjust(widths[column])
            for column in block
        ).rstrip()
        for block in blocks
        for row in rows
    ]


def grid(cells: list[str]) -> list[str]:
    """Cells in as many columns as fit, one below the other first.

    >>> grid(["a", "bb", "c"])
    ['a    bb   c']
    """
    wide = max(map(len, cells), default=0)
    across = max(1, (width() + 3) // (wide + 3))
    down = -(-len(cells) // across)
    return [
        "   ".join(cell.ljust(wide) for cell in cells[line::down]).rstrip() for line in range(down)
    ]


def filled(text: str, indent: int = 4) -> list[str]:
    """A text in lines, those after the first `indent` to the right.

    >>> filled("seat 0: pass")
    ['seat 0: pass']
    """
    return textwrap.wrap(text, width(), subsequent_indent=" " * indent, break_on_hyphens=False)


def wrapped(title: str, items: list[str]) -> list[str]:
    """Items after a title, separated by commas, in lines.

    >>> wrapped("Links: ", ["a-b", "b-c"])
    ['Links: a-b, b-c']
    """
    lines, line = [], title
    for number, item in enumerate(items):
        part = item + (", " if number + 1 < len(items) else "")
        if len(line) + len(part.rstrip()) > width() and line.strip():
            lines.append(line.rstrip())
            line = "    "
        line += part
    return [*lines, line.rstrip()]
