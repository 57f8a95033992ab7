"""Studies: what is drawn of a sweep, and what is kept of it."""

import pytest

from experiments import study
from experiments.report.contests import tally

PLAN = """
kind = "sweep"
game = "westward-rails"
players = [3, 4]
line_ups = ["random", "greedy:noise=1"]
margin = 8
games = 75

[settings]
starting_money = [40, 20]
"""


@pytest.fixture(scope="module")
def view(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    (folder / "small.toml").write_text(PLAN)
    return study.played(folder / "small.toml", folder / "small", {"margin": 20})


def test_changes_replace_keys_of_the_plan(view):
    assert view.contest.margin == 0.2


def test_a_line_for_each_table_along_the_setting(view):
    quantities = {
        "Turns": lambda cell: cell.turns,
        "Leader (%)": lambda cell: cell.leader_wins[50],
        "Margin ($)": lambda cell: cell.score_margin,
    }
    figure = study.courses(view, "random", quantities, "What money changes")
    assert figure.get_suptitle() == "What money changes"
    panels = [axes for axes in figure.axes if axes.get_title()]
    assert [axes.get_title() for axes in panels] == list(quantities)
    for axes, (name, get) in zip(panels, quantities.items(), strict=True):
        assert axes.get_xlabel() == "starting money ($)"
        labels = [line.get_label() for line in axes.containers]
        assert labels == ["3 players", "4 players"]
        for line, players in zip(axes.containers, (3, 4), strict=True):
            points, _, (bars,) = line.lines
            cells = {
                view.value(cell, "starting_money"): get(cell)
                for cell in view.cells
                if cell.players == players and cell.agents[0] == "random"
            }
            scale = 100 if "%" in name else 1
            assert points.get_xdata().tolist() == [20, 40]
            expected = [cells[money] for money in (20, 40)]
            assert points.get_ydata() == pytest.approx([scale * one.mean for one in expected])
            ends = [[y for _, y in segment] for segment in bars.get_segments()]
            for end, one in zip(ends, expected, strict=True):
                assert end == pytest.approx([scale * one.low, scale * one.high])


def test_verdicts_need_no_words_beside_them(view):
    figure = study.verdicts(view)
    assert " ".join(figure.get_suptitle().split()).startswith(tally(view.contest))
    room = study.LETTERS_PER_INCH * figure.get_size_inches()[0]
    assert max(map(len, figure.get_suptitle().split("\n"))) <= room  # a narrow one has more lines
    (key,) = figure.legends
    named = {text.get_text() for text in key.get_texts()}
    assert named == {one.verdict for one in view.contest.verdicts}
    assert figure.axes[0].get_xlabel() == "starting money ($)"


def test_pictures_and_tables_are_kept(view, tmp_path):
    study.keep(view, tmp_path / "kept")
    names = {path.name for path in (tmp_path / "kept").iterdir()}
    assert names == {"small.png", "small_verdicts.csv", "small_balance.csv"}
    assert (view.run.folder / "report.html").exists()
    rows = (tmp_path / "kept" / "small_verdicts.csv").read_text().splitlines()
    assert len(rows) == 1 + len(view.cells)
