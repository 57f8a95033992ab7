"""The report's tables: written for the eye in the page, in full precision as CSV."""

from __future__ import annotations

import base64
import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Column:
    """A column: its heading, unit, and how its values are written.

    `kind` is "text", "code" or the unit of a number: "share" (shown in percent), "$", or anything
    else ("" for a plain count). A value may be a number, None, or something with `mean`, `low` and
    `high`, which takes three columns in the CSV.
    """

    label: str
    kind: str = "text"
    unit: str = ""

    @property
    def number(self) -> bool:
        """Whether the column stands right."""
        return self.kind not in ("text", "code")

    @property
    def code(self) -> bool:
        """Whether the column is something to type."""
        return self.kind == "code"


@dataclass(frozen=True)
class Cell:
    """A value as shown: its text and, small beside it, its interval."""

    text: str
    spread: str = ""


@dataclass
class Row:
    """Values by column; `group` starts a new group of rows, `kind` overrides the columns' own."""

    values: Sequence[Any]
    group: bool = False
    kind: str | None = None


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

    def pairs(self, row: Row) -> list[tuple[Column, Cell]]:
        """Column and shown value, cell by cell."""
        return [
            (column, shown(value, row.kind if row.kind and column.number else column.kind))
            for column, value in zip(self.columns, row.values, strict=True)
        ]

    @property
    def csv(self) -> str:
        """The table as CSV text, numbers unrounded; intervals as three columns."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        if self.full is not None:
            writer.writerow(self.full[0])
            writer.writerows([_plain(value) for value in row] for row in self.full[1])
            return out.getvalue()
        wide = [
            any(hasattr(row.values[index], "low") for row in self.rows)
            for index in range(len(self.columns))
        ]
        header: list[str] = []
        for column, is_wide in zip(self.columns, wide, strict=True):
            name = column.label.lower().replace(" ", "_")
            header += [name, f"{name}_low", f"{name}_high"] if is_wide else [name]
        writer.writerow(header)
        for row in self.rows:
            line: list[Any] = []
            for value, is_wide in zip(row.values, wide, strict=True):
                line += spread(value) if is_wide else [_plain(value)]
            writer.writerow(line)
        return out.getvalue()

    @property
    def uri(self) -> str:
        """The CSV as a link that holds the file itself."""
        return "data:text/csv;charset=utf-8;base64," + base64.b64encode(self.csv.encode()).decode()


def shown(value: Any, kind: str) -> Cell:
    """A value as a reader sees it, rounded; a missing one is a dash.

    Examples
    --------
    >>> shown(0.2514, "share").text, shown(31.4, "$").text, shown(float("nan"), "").text
    ('25.1 %', '$31.4', '–')
    """
    if hasattr(value, "mean") and hasattr(value, "low"):
        text = number(value.mean, kind)
        low, high = value.low, value.high
        if not (math.isfinite(low) and math.isfinite(high)) or not math.isfinite(value.mean):
            return Cell(text)
        if kind == "share":
            return Cell(text, f"{100 * low:.1f}–{100 * high:.1f}")
        half = (high - low) / 2
        if half <= 0:
            return Cell(text)
        width = _rounded(half, abs(value.mean))
        least = width.strip("0.,") == ""
        return Cell(text, f"<{width[:-1]}1" if least else f"±{width}")
    if isinstance(value, Cell):
        return value
    if value is None:
        return Cell("–")
    if isinstance(value, str):
        return Cell(value)
    return Cell(number(value, kind))


def number(value: float, kind: str = "") -> str:
    """A number with its unit where that is a sign: percent for "share", "$" before money.

    Examples
    --------
    >>> number(0.5, "share"), number(-3.25, "$"), number(12345, "")
    ('50.0 %', '−$3.25', '12,345')
    """
    if math.isnan(value):
        return "–"
    if kind == "share":
        return f"{100 * value:.1f} %"
    sign = "−" if value < 0 else ""
    return f"{sign}{'$' if kind == '$' else ''}{_rounded(abs(value), abs(value))}"


def spread(value: Any) -> list[Any]:
    """Mean, low and high as plain values; infinite ends are left empty."""
    if not hasattr(value, "low"):
        return [_plain(value), "", ""]
    return [_plain(value.mean), _plain(value.low), _plain(value.high)]


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
    if isinstance(value, int) or hasattr(value, "bit_count"):  # a count, not a mean
        return f"{value:,}"
    decimals = 0 if size >= 1000 else 1 if size >= 10 else 2 if size >= 0.1 else 3
    return f"{value:,.{decimals}f}"


def _plain(value: Any) -> Any:
    if hasattr(value, "mean") and hasattr(value, "low"):
        value = value.mean
    if isinstance(value, Cell):
        value = value.text
    if value is None:
        return ""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else ""
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return "'" + value  # a spreadsheet would run it as a formula
    return value
