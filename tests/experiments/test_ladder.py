"""Ladders: rungs, what they cost, and where they stop."""

from contextlib import contextmanager

import pytest

from experiments import ladder, match, runner, store
from sim.errors import Mistake
from tests.experiments import toy

COMMON = {"game": "toy", "players": 4, "games": 800, "seed": 1}


@pytest.fixture(autouse=True)
def toy_house(monkeypatch):
    """A toy whose agents are stronger the more iterations they have, up to 4."""
    strength = {f"plain:iterations={n}": 0.3 * min(n, 4) for n in (1, 2, 4, 8, 16)}
    monkeypatch.setattr(toy, "STRENGTH", toy.STRENGTH | strength)
    monkeypatch.setattr(runner, "open_house", toy.open_house)


@contextmanager
def silent(rung):
    yield lambda total, done, rate, note: None


def test_each_rung_is_twice_the_one_below():
    rungs = ladder.rungs(COMMON, "plain", 1, 9)
    assert [(rung.below, rung.budget) for rung in rungs] == [(1, 2), (2, 4), (4, 8)]
    assert rungs[1].plan.agents == ["plain:iterations=4", "plain:iterations=2"]
    assert rungs[1].plan.kind == "match" and rungs[1].name == "4-against-2"


@pytest.mark.parametrize(
    ("low", "high", "part"),
    [(0, 9, "--from: 0 is not possible"), (8, 15, "--to: 15 is less than twice 8")],
)
def test_wrong_budgets(low, high, part):
    with pytest.raises(Mistake, match=part):
        ladder.rungs(COMMON, "plain", low, high)


def test_it_climbs_to_where_thinking_longer_pays_no_more(tmp_path):
    climbed = list(ladder.climb(ladder.rungs(COMMON, "plain", 1, 8), tmp_path, 2, None, silent))
    assert [outcome.verdict for _, outcome in climbed] == ["better", "better", "not_better"]
    assert "win every time from 1 to 4; 8 against 4 is not won: 2" in ladder.sentence(climbed)
    assert "The lowest rung, 8 against 4, is not won: 2" in ladder.sentence(climbed[2:])
    assert [ladder.won(climbed[:size]) for size in range(4)] == [0, 1, 2, 2]
    assert ladder.sentence(climbed[:2]).endswith("where it stops paying lies beyond.")
    told = ladder.to_json(climbed, 3)
    assert [rung["iterations"] for rung in told["rungs"]] == [2, 4, 8]
    assert told["rungs"][0].keys() >= {"verdict", "win_share", "fair_share", "games", "against"}
    games = [store.Run.open(tmp_path / rung.name).games() for rung, _ in climbed]
    again = list(ladder.climb(ladder.rungs(COMMON, "plain", 1, 8), tmp_path, 1, None, silent))
    assert again == climbed
    assert games == [store.Run.open(tmp_path / rung.name).games() for rung, _ in climbed]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("workers", [1, 2])
def test_it_stops_when_its_hours_are_over_and_goes_on_later(tmp_path, workers):
    rungs = ladder.rungs(COMMON, "plain", 1, 4)
    stopped = ladder.climb(rungs, tmp_path, workers, 0.0, silent)
    first = next(stopped)
    assert first[1].verdict == "undecided"
    assert ladder.sentence([first]) == "The lowest rung, 2 against 1, is undecided."
    with pytest.raises(ladder.TimeIsUp):
        next(stopped)
    whole = list(ladder.climb(rungs, tmp_path, workers, 1.0, silent))
    assert whole == list(ladder.climb(rungs, tmp_path / "whole", 1, None, silent))
    assert match.outcome(store.Run.open(tmp_path / rungs[1].name)) == whole[1][1]
