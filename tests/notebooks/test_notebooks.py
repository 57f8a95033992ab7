"""Every notebook runs from top to bottom."""

import runpy
from pathlib import Path

import matplotlib
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.py"))


def test_there_are_some():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path):
    matplotlib.use("agg")
    runpy.run_path(str(path))
