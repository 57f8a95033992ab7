"""Every notebook runs from top to bottom, and studies leave what they should."""

import runpy
from pathlib import Path

import matplotlib
import pytest

FEW_CELLS = {"games": 50, "players": [2, 6], "settings": {"empty_city_markers": [8, 20]}}

#: What the plans of a study play here instead, so that it takes seconds.
SMALL = {
    "starting_money": {
        "starting_money": {"games": 75},
        "starting_money_search": {"games": 25, "line_ups": ["mcts:iterations=1"]},
    },
    "empty_city_markers": {
        "empty_city_markers_eastern": FEW_CELLS,
        "empty_city_markers_western": FEW_CELLS,
        "empty_city_markers_search": {
            "games": 25,
            "players": [2],
            "line_ups": ["mcts:iterations=1"],
        },
    },
}

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.py"))


def test_there_are_some():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path, tmp_path):
    matplotlib.use("agg")
    changes = SMALL.get(path.stem, {})
    own = {"CHANGES": changes, "RUNS": tmp_path / "runs", "KEEP": tmp_path / "kept"}
    runpy.run_path(str(path), own)
    if changes:
        kept = {one.name for one in (tmp_path / "kept").iterdir()}
        # As many files, of the same names, as the study keeps that was played in full.
        assert kept == {one.name for one in path.with_suffix("").iterdir()}
