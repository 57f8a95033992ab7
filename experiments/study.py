"""Studies: sweeps whose plans lie beside a notebook, and what is kept of them."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.metrics import CellSummary
from experiments.plan import Plan
from experiments.report.view import View
from experiments.runner import run
from experiments.stats import Interval

if TYPE_CHECKING:
    import matplotlib.figure

#: Of a report's tables, those that a study keeps.
KEPT = ("verdicts", "balance")

LETTERS_PER_INCH = 7.5  # of a picture's title


def played(plan: str | Path, folder: str | Path, changes: Mapping[str, Any] | None = None) -> View:
    """A plan file, played into a folder or gone on with there; `changes` replace keys of it.

    Raises Mistake for what is wrong with the plan.

    >>> played("notebooks/starting_money.toml", "runs/starting_money")     # doctest: +SKIP
    """
    return View.of(run(Plan.load(Path(plan), **(changes or {})), folder))


def keep(view: View, folder: str | Path) -> None:
    """Write the report beside the run, and its verdicts as picture and tables to the folder.

    >>> keep(view, "notebooks/starting_money")                             # doctest: +SKIP
    """
    from experiments.report import write

    folder, name = Path(folder), view.run.folder.name
    folder.mkdir(parents=True, exist_ok=True)
    write(view, view.run.folder / "report.html")
    verdicts(view).savefig(folder / f"{name}.png", dpi=130)
    for table in KEPT:
        shutil.copyfile(view.run.folder / "tables" / f"{table}.csv", folder / f"{name}_{table}.csv")


def verdicts(view: View) -> matplotlib.figure.Figure:
    """The verdicts of a sweep as a picture that needs no words beside it.

    >>> verdicts(view)                                                     # doctest: +SKIP
    """
    from matplotlib.patches import Patch

    from experiments.report.contests import VERDICTS, tally, verdict_grid
    from experiments.report.plots import filling

    figure = verdict_grid(view)
    width, height = figure.get_size_inches()
    finding = textwrap.fill(
        f"{tally(view.contest)} The number: by how many percentage points the seat farthest from "
        "fair wins more (+) or less (−) than its share",
        int(LETTERS_PER_INCH * width),
    )
    figure.set_size_inches(width, height + 0.4 + 0.2 * (finding.count("\n") + 1))
    figure.suptitle(finding)
    if view.axis:
        figure.axes[0].set_xlabel(view.axis_label)
    found = {one.verdict for one in view.contest.verdicts}
    key = [Patch(**filling(n), label=name) for n, name in enumerate(VERDICTS) if name in found]
    figure.legend(handles=key, loc="outside lower center", ncols=len(key), frameon=False)
    return figure


def courses(
    view: View, agents: str, quantities: Mapping[str, Callable[[CellSummary], Interval]], title: str
) -> matplotlib.figure.Figure:
    """How quantities change along a sweep's axis: a panel each, a line for each size of table.

    Parameters
    ----------
    view
        The sweep.
    agents
        The line-up that is drawn, as the sweep names it: that of copies of one agent.
    quantities
        Title of a panel, and what it shows of a cell; one whose title has a "%" is a share.
    title
        The finding.

    >>> courses(view, "greedy", {"Turns of a game": lambda cell: cell.turns},
    ...         "More money, longer games")                                # doctest: +SKIP
    """
    from matplotlib.figure import Figure

    from experiments.report import plots

    rows = -(-len(quantities) // 2)
    figure = Figure(figsize=(11, 3.2 * rows), layout="constrained")
    panels = figure.subplots(rows, 2, squeeze=False).flat
    for panel, (name, get) in zip(panels, quantities.items(), strict=False):
        scale = 100 if "%" in name else 1
        for place, players in enumerate(view.player_counts):
            cells = [c for c in view.cells if c.players == players and set(c.agents) == {agents}]
            cells = view.along(cells)
            found = [get(cell) for cell in cells]
            low = [scale * (one.mean - one.low) for one in found]
            high = [scale * (one.high - one.mean) for one in found]
            colour, marker, dash = plots.style(place)
            panel.errorbar(
                [view.value(cell, view.axis) for cell in cells],
                [scale * one.mean for one in found],
                [low, high],
                color=colour,
                marker=marker,
                ls=dash,
                ms=5,
                lw=1.2,
                label=f"{players} players",
            )
        panel.set(title=name, xlabel=view.axis_label)
        panel.grid(axis="y", color=plots.GRID, lw=0.8)
    panels[0].legend(frameon=False)
    figure.suptitle(title)
    return figure
