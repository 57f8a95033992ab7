"""A run as one self-contained page for the browser, and its tables as CSV files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import Mistake

if TYPE_CHECKING:
    from jinja2 import Environment

    from experiments.metrics import Summary
    from experiments.report.view import View
    from experiments.store import Run


def write(run: Run, path: str | Path, summary: Summary | None = None, game: Any = None) -> Path:
    """Write the report of a run to `path`, and its tables to the folder `tables` beside it.

    Parameters
    ----------
    run
        The run; its manifest and the use of the board's elements are read, and its tables too
        unless `summary` is given.
    path
        The HTML file to write.
    summary
        What `experiments.metrics.summarise` made of the run.
    game
        The run's game; loaded by the manifest's name unless given.

    Errors
    ------
    Mistake when the file or the folder cannot be written.

    Examples
    --------
    >>> from experiments.store import Run
    >>> write(Run.open("runs/x"), "runs/x/report.html")                   # doctest: +SKIP
    PosixPath('runs/x/report.html')
    """
    from experiments.metrics import summarise
    from experiments.report.view import View

    path = Path(path)
    if game is None:
        import sim

        game = sim.load(run.manifest["game"])
    if summary is None:
        summary = summarise(run.tables(), run.manifest, game.measures)
    context = _context(View(run, summary, game))
    text = _environment().get_template("report.html.j2").render(context)
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

    if view.cells:
        parts = [part(view) for part in sections.PARTS]
        headline, details = sentences.headline(view), sentences.details(view)
    else:
        parts = [sections.assumed(view), sections.data(view)]
        headline, details = ["No game has been played yet."], []
    manifest = view.manifest
    return {
        "eyebrow": " · ".join(part for part in ("Balance report", view.summary.board) if part),
        "title": sentences.title(view),
        "warnings": sentences.warnings(view),
        "headline": headline,
        "details": details,
        "facts": sentences.facts(view),
        "sections": [section for section in parts if section is not None],
        "colours": plots.colours(*view.drawn),
        "foot": f"Golden Spike · {view.game.title}, rules version {manifest.get('rules_version')}"
        f" · run of {str(manifest.get('created', ''))[:10]}",
    }


def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # A number and its percent sign stay on one line.
        finalize=lambda v: v.replace(" %", "\u00a0%") if type(v) is str else v,
    )


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text(text, encoding="utf-8", newline="")
    os.replace(temporary, path)
