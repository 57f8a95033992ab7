"""The report's tables: written for the eye in the page, in full precision as CSV."""

from __future__ import annotations

import base64
import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from experiments.stats import Interval
from sim.layout import counted


class Column(NamedTuple):
    """A column: its heading, how its values are written, and what stands small in the heading.

    `kind` is "text", "code" or the unit of a number: "share" (shown in percent), money ("$", "$k"),
    or anything else ("" for a plain count). A value may be a number, a text, None or an `Interval`,
    which takes three columns in the CSV. `link` is a place in the page that the heading leads to.
    """

    label: str
    kind: str = "text"
    small: str = ""
    link: str = ""

    @property
    def number(self) -> bool:
        """Whether the column stands right."""
        return self.kind not in ("text", "code")


class Shown(NamedTuple):
    """A value as shown: its text and, small beside it, its interval or a remark."""

    text: str
    small: str = ""


class Row(NamedTuple):
    """Values by column; `group` starts a new group of rows, `kind` overrides the columns' own.

    `link` is a place in the page that the first value leads to, `anchor` names this one.
    """

    values: Sequence[Any]
    group: bool = False
    kind: str | None = None
    link: str = ""
    anchor: str = ""


@dataclass
class Table:
    """A table of the page, and its CSV.

    `full`, when given, are header and rows for the CSV in place of what is shown.
    """

    slug: str
    title: str
    columns: Sequence[Column]
    rows: list[Row]
    note: str = ""
    full: tuple[Sequence[str], list[Sequence[Any]]] | None = field(default=None, repr=False)

    def pairs(self, row: Row) -> list[tuple[Column, Shown]]:
        """Column and shown value, cell by cell."""
        return [
            (column, shown(value, row.kind if row.kind and column.number else column.kind))
            for column, value in zip(self.columns, row.values, strict=True)
        ]

    @property
    def csv(self) -> str:
        """The table as CSV text, numbers unrounded; intervals as three columns."""
        header, lines = self.full or ([], [[] for _ in self.rows])
        for index, column in enumerate([] if self.full else self.columns):
            values = [row.values[index] for row in self.rows]
            name = column.label.lower().replace(" ", "_")
            wide = any(isinstance(value, Interval) for value in values)
            header += [name, f"{name}_low", f"{name}_high"] if wide else [name]
            for line, value in zip(lines, values, strict=True):
                line += spread(value) if wide else [value]
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([_plain(value) for value in line] for line in lines)
        return out.getvalue()

    @property
    def uri(self) -> str:
        """The CSV as a link that holds the file itself."""
        return "data:text/csv;charset=utf-8;base64," + base64.b64encode(self.csv.encode()).decode()


def shown(value: Any, kind: str) -> Shown:
    """A value as a reader sees it, rounded; a missing one is a dash.

    Examples
    --------
    >>> shown(0.2514, "share").text, shown(31.4, "$").text, shown(float("nan"), "").text
    ('25.1 %', '$31.4', '–')
    """
    if isinstance(value, Shown):
        return value
    if isinstance(value, str):
        return Shown(value)
    if value is None:
        return Shown("–")
    if not isinstance(value, Interval):
        return Shown(number(value, kind))
    text = number(value.mean, kind)
    half = (value.high - value.low) / 2
    if not 0 < half < math.inf:
        return Shown(text)
    if kind == "share":
        return Shown(text, f"{100 * value.low:.1f}–{100 * value.high:.1f}")
    width = _rounded(half, abs(value.mean))
    return Shown(text, f"±{width}" if width.strip("0.,") else f"<{width[:-1]}1")


def number(value: float, kind: str = "") -> str:
    """A number with its unit where that is a sign: percent for "share", "$" before money.

    Examples
    --------
    >>> number(0.5, "share"), number(-3.25, "$"), number(24, "$k"), number(12345, "points")
    ('50.0 %', '−$3.25', '$24k', '12,345')
    """
    if math.isnan(value):
        return "–"
    if kind == "share":
        return f"{100 * value:.1f} %"
    return ("−" if value < 0 else "") + priced(_rounded(abs(value), abs(value)), kind)


def priced(text: str, unit: str) -> str:
    """An amount of money with its signs, "$24" or "$24k"; anything else as it is."""
    return f"${text}{unit[1:]}" if unit.startswith("$") else text


def amount(value: float, unit: str) -> str:
    """A number with its unit, be it a sign or a word.

    >>> amount(3, "$k"), amount(1, "turns"), amount(-1, "points")
    ('$3k', '1 turn', '−1 point')
    """
    text = number(value, unit)
    return text if has_sign(unit) else counted(text, unit)


def has_sign(unit: str) -> bool:
    """Whether `number` writes the unit."""
    return unit == "share" or unit.startswith("$")


def spread(value: Interval | float | None) -> list[Any]:
    """Mean, low and high; a plain number has no ends."""
    return list(value[:3]) if isinstance(value, Interval) else [value, "", ""]


def listed(words: Iterable[Any], last: str = "and") -> str:
    """Words as in a sentence.

    Examples
    --------
    >>> listed([3, 4, 5]), listed(["greedy"])
    ('3, 4 and 5', 'greedy')
    """
    words = [str(word) for word in words]
    return " ".join([", ".join(words[:-1]), last, words[-1]]) if len(words) > 1 else "".join(words)


def _rounded(value: float, size: float) -> str:
    if isinstance(value, int) or value == 0:  # a count, not a mean
        return f"{value:,.0f}"
    decimals = 0 if size >= 1000 else 1 if size >= 10 else 2 if size >= 0.1 else 3
    return f"{value:,.{decimals}f}"


def _plain(value: Any) -> Any:
    """A value for a CSV file; what is not finite is left empty."""
    if isinstance(value, Shown):
        value = value.text
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return "'" + value  # a spreadsheet would run it as a formula
    return value
