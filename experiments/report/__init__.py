"""A run as one self-contained page for the browser, and its tables as CSV files."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import Mistake

if TYPE_CHECKING:
    from experiments.report.view import View


def write(view: View, path: str | Path) -> Path:
    """Write the report of a run to `path`, and its tables to the folder `tables` beside it.

    Parameters
    ----------
    view
        The run with what `experiments.metrics.summarise` made of it, and its game.
    path
        The HTML file to write.

    Errors
    ------
    Mistake when the file or the folder cannot be written.

    Examples
    --------
    >>> write(View.of(Run.open("runs/x")), "runs/x/report.html")          # doctest: +SKIP
    PosixPath('runs/x/report.html')
    """
    import matplotlib
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    path = Path(path)
    with matplotlib.rc_context({"text.parse_math": False}):  # a "$" in a name is a "$"
        context = _context(view)
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # A number and its percent sign stay on one line.
        finalize=lambda v: v.replace(" %", "\u00a0%") if type(v) is str else v,
    )
    text = environment.get_template("report.html.j2").render(context)
    tables = path.parent / "tables"
    try:
        tables.mkdir(parents=True, exist_ok=True)
        for section in context["sections"]:
            for table in section.tables:
                _write(tables / f"{table.slug}.csv", table.csv)
        _write(path, text)
    except OSError as error:
        raise Mistake(
            f"The report {path} cannot be written ({error.strerror}); give another file with --out."
        ) from None
    return path


def _context(view: View) -> dict[str, Any]:
    """Values for the template."""
    from experiments.report import plots, sections, sentences

    found = sections.parts(view)
    figures = [figure for section in found for figure in section.figures]
    images = [svg for f in figures for svg in (*(p[1] for p in f.panels), *(k[0] for k in f.key))]
    created = view.manifest["created"][:10]
    return {
        "eyebrow": f"Balance report · {view.summary.board}",
        "title": sentences.title(view),
        "warnings": view.summary.warnings(view.place),
        "headline": sentences.headline(view),
        "finding": view.summary.finding(partial(view.settings, short=view.is_clear)),
        "facts": sentences.facts(view),
        "sections": found,
        "colours": plots.colours("".join(images)),
        "foot": f"Golden Spike · {view.game.title}, rules version {view.manifest['rules_version']}"
        f" · run of {created}",
    }


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text(text, encoding="utf-8", newline="")
    os.replace(temporary, path)
