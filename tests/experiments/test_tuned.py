"""The tuned agents beat the strategies whose weights were set by hand, by sequential matches."""

import pytest

import agents
import sim
from experiments import match, runner
from experiments.plan import Plan

MATCHES = [
    (name, strategy)
    for name in sim.games()
    for strategy in agents.heuristics(sim.load(name)).PRESETS
]


@pytest.mark.parametrize(("name", "strategy"), MATCHES)
def test_tuned_beats_every_strategy_at_a_table_of_four(name, strategy, tmp_path):
    plan = {"game": name, "players": 4, "agents": ["tuned", strategy], "kind": "match"}
    outcome = match.outcome(runner.run(Plan.build(plan | {"games": 4000, "seed": 11}), tmp_path))
    assert outcome.verdict == "better"
    assert outcome.win_share.mean > 0.27 and outcome.problems == 0
