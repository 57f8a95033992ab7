"""Matches: the blocks that are played, when they end, and what is said of them."""

import dataclasses
import itertools
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from experiments import match, runner, store
from experiments.plan import ROUND, Plan
from experiments.report import contests
from experiments.stats import anytime_interval, sequential_test
from sim.errors import Mistake
from tests.experiments import toy

ROOT = Path(__file__).parents[2]


pytestmark = pytest.mark.usefixtures("toy_house")


def make(first="handy", second="plain", **changes):
    data = {"game": "toy", "players": 4, "agents": [first, second], "games": 4000, "kind": "match"}
    return Plan.build(data | changes)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A match that takes several rounds, played without a break."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "open_house", toy.open_house)
        return runner.run(make(), tmp_path_factory.mktemp("runs") / "whole", workers=1)


def test_each_sits_alone_in_every_seat_of_the_same_deals(whole):
    table = whole.table()
    assert table[table.cell == 0].groupby("agent").size().to_dict() == {
        "handy": len(table) // 8,
        "plain": 3 * len(table) // 8,
    }
    lone = table[table.agent == table.cell.map({0: "handy", 1: "plain"})]
    seats = lone.groupby(["cell", "block"]).seat.agg(sorted)
    assert all(found == [0, 1, 2, 3] for found in seats)
    seeds = table.groupby(["cell", "block"]).seed.first().unstack("cell")
    assert (seeds[0] == seeds[1]).all()


def test_the_outcome_is_the_tests_of_the_block_values(whole):
    """Worked out once more, from the table of all games."""
    table = whole.table()
    lone = table[table.agent == table.cell.map({0: "handy", 1: "plain"})]
    share = lone.groupby(["cell", "block"]).win_share.mean().unstack("cell").to_numpy()
    ahead = (share[:, 0] - share[:, 1]) / 2
    found = match.outcome(whole)
    assert found.decision == sequential_test(ahead, ROUND)
    assert found.verdict == "better" and found.is_over
    assert len(ahead) == found.decision.blocks >= 3 * ROUND
    assert found.games == whole.games() == 8 * len(ahead)
    assert found.advantage == anytime_interval(ahead, bounds=(-0.5, 0.5))
    assert found.win_share.mean == pytest.approx(0.25 + ahead.mean())
    assert [one.mean for one in found.alone] == pytest.approx(share.mean(axis=0))
    assert found.problems == 0
    assert len(found.course) == len(ahead) // ROUND
    assert found.course[-1] == found.decision.log_likelihood_ratio
    assert all(abs(ratio) < found.decision.bound for ratio in found.course[1:-1])


@pytest.mark.parametrize(("workers", "backend"), [(2, "threading"), (3, "threading"), (2, "loky")])
def test_the_workers_change_nothing(whole, tmp_path, workers, backend):
    run = runner.run(make(), tmp_path, workers=workers, backend=backend)
    pd.testing.assert_frame_equal(run.table(), whole.table())
    assert match.outcome(run) == match.outcome(whole)


@pytest.mark.filterwarnings("ignore:.* tasks .*:UserWarning")  # joblib, of those broken off
def test_a_break_anywhere_changes_nothing(whole, tmp_path):
    """However many games were played before: none of a later round is, and the end is the same."""
    per_round = 8 * ROUND
    for games in itertools.count(9, 67):
        folder = tmp_path / str(games)
        seen = []

        def stop(total, done, rate, note, games=games, seen=seen):
            seen.append(done)
            if done >= games:
                raise KeyboardInterrupt

        try:
            runner.run(make(), folder, workers=2, progress=stop)
        except KeyboardInterrupt:
            table = store.Run.open(folder).table()
            assert table.block.max() // ROUND == (max(seen) - 1) // per_round
            runner.run(make(), folder, workers=1 + games % 2)
        pd.testing.assert_frame_equal(store.Run.open(folder).table(), whole.table())
        if games > whole.games():
            break
    assert games > 3 * per_round


SCRIPT = """
import sys
from experiments import runner
from experiments.plan import Plan
from tests.experiments import toy
runner.open_house = toy.open_house
runner.PART_GAMES = 40
plan = Plan.build(dict(game="toy", players=4, agents="slow,plain", games=800, kind="match"))
runner.run(plan, sys.argv[1], 2, lambda total, done, rate, note: print(done, flush=True))
"""


def test_a_kill_in_the_second_round_changes_nothing(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "run")],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    for line in process.stdout:
        if int(line) > 250:
            break
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=10)
    plan = make("slow", games=800)
    assert 200 <= store.Run.open(tmp_path / "run").games() < 400
    killed = runner.run(plan, tmp_path / "run", workers=2)
    again = runner.run(plan, tmp_path / "again", workers=2)
    pd.testing.assert_frame_equal(killed.table(), again.table())


def test_the_cap_is_kept_and_can_be_raised(whole, tmp_path):
    with pytest.raises(Mistake, match="games = 399 is too few for a match at a table of 4.*400 or"):
        runner.run(make(games=399), tmp_path)
    run = runner.run(make(games=599), tmp_path, workers=1)
    assert run.games() == 400
    found = match.outcome(run)
    assert found.verdict == "undecided" and not found.is_over
    assert found.sentences()[0].startswith("It is undecided whether handy beats plain. On balance ")
    assert found.most == 400 and "; more --games go on with it." in found.sentences()[1]
    run = runner.run(make(), tmp_path, workers=1)
    pd.testing.assert_frame_equal(run.table(), whole.table())
    more = runner.run(make(games=40_000), tmp_path, workers=1)
    assert more.games() == whole.games()
    assert match.outcome(more) == dataclasses.replace(match.outcome(whole), most=40_000)


def test_a_match_and_a_run_are_not_mixed(whole):
    plan = Plan.build({"game": "toy", "players": 4, "agents": "handy,plain", "games": 4000})
    with pytest.raises(Mistake, match="kind is 'match' there and None here"):
        runner.run(plan, whole.folder)


def test_equal_agents_are_not_told_apart(tmp_path):
    """An A/A run that must find nothing."""
    verdicts = [
        match.outcome(runner.run(make("same", seed=seed), tmp_path / str(seed), workers=1)).verdict
        for seed in range(1, 9)
    ]
    assert "better" not in verdicts and "not_better" in verdicts


@pytest.mark.parametrize("players", [2, 3, 5])
def test_any_table(tmp_path, players):
    found = match.outcome(runner.run(make("strong", players=players), tmp_path, workers=1))
    assert found.verdict == "better" and found.fair_share == pytest.approx(1 / players)
    other = match.outcome(runner.run(make("plain", "strong", players=players), tmp_path / "other"))
    assert other.verdict == "not_better" and other.win_share.high < 1 / players
    assert "does not beat strong: it is behind" in other.sentences()[0]


def test_nothing_is_concluded_where_many_games_of_a_line_up_failed(tmp_path, monkeypatch):
    play_games = toy.play_games

    def failing(board, line_up, *arguments, **more):
        games = play_games(board, line_up, *arguments, **more)
        lone = [[agent.spec for agent in agents].count("strong") == 1 for agents in line_up]
        games.status[np.flatnonzero(lone)[:1]] = 2  # 1 game in 80 or more of the other never
        return games

    monkeypatch.setattr(runner, "open_house", lambda name: (toy.Game(), toy.load, failing))
    run = runner.run(make("strong"), tmp_path, workers=1)
    found = match.outcome(run)
    status = run.table().groupby("cell").status
    share = status.apply(lambda of_cell: (of_cell != "ok").mean())
    assert share[1] == 0 and found.problems == pytest.approx(share[0])
    assert found.is_spoiled and found.verdict == "undecided"
    assert run.games() == 8 * ROUND  # more would not help
    (said,) = found.sentences()
    assert said.startswith("It is undecided whether strong beats plain: ")
    assert said.endswith(
        "of the games did not end properly, more than 1 %, so nothing is concluded."
    )


def test_the_ratio_is_that_of_whole_rounds_only(tmp_path, monkeypatch):
    """Of a match broken off within a round, which is undecided whatever its ratio would be."""
    monkeypatch.setattr(runner, "MOST_GAMES", 20)

    def stop(total, done, rate, note):
        if done > 8 * (ROUND + 10):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runner.run(make("strong"), tmp_path, workers=1, progress=stop)
    found = match.outcome(store.Run.open(tmp_path))
    assert found.verdict == "undecided" and found.games == 8 * found.decision.blocks
    assert ROUND < found.decision.blocks < 2 * ROUND and len(found.course) == 1
    assert found.decision.log_likelihood_ratio == found.course[0]
    assert found.most == 4000 and "; the same command goes on with it." in found.sentences()[1]


def outcome(first, second, verdict="better"):
    """An outcome in which all blocks have the same shares."""
    shares = [np.full(50, share) for share in (first, second)]
    ahead = (shares[0] - shares[1]) / 2
    return match.Outcome(
        agents=("a", "b"),
        players=4,
        decision=sequential_test(ahead, ROUND),
        advantage=anytime_interval(ahead, bounds=(-0.5, 0.5)),
        alone=tuple(map(anytime_interval, shares)),
        course=[],
        games=400,
        most=4000,
        problems=0.0,
    )


def test_a_game_that_pays_the_only_one_of_its_kind_is_named():
    said = outcome(0.9, 0.6).sentences()
    assert "Note: it pays to be the only one of one's kind here" in said[-1]
    assert "Note: it does not pay" in outcome(0.05, 0.0).sentences()[-1]
    assert not any("Note" in text for text in outcome(0.9, 0.1).sentences())


def test_a_verdict_that_the_interval_does_not_show_is_explained():
    ahead = np.tile([0.25, -0.125], 50)
    found = dataclasses.replace(
        outcome(0.9, 0.1),
        decision=sequential_test(ahead, ROUND),
        advantage=anytime_interval(ahead, bounds=(-0.5, 0.5)),
    )
    assert found.verdict == "better" and found.advantage.low > 0
    near = dataclasses.replace(found, advantage=found.advantage._replace(low=-0.01))
    assert len(near.sentences()) == len(found.sentences()) + 1
    assert near.sentences()[2].startswith("The interval reaches the fair share")


def test_at_a_table_of_two_nobody_is_alone_among_copies():
    said = dataclasses.replace(outcome(0.9, 0.1), players=2).sentences()
    assert len(said) == 2 and "wins 90.0 %" in said[0]


def test_what_a_script_is_told():
    told = outcome(0.9, 0.6).to_json()
    assert told["verdict"] == "better" and told["fair_share"] == 0.25 and told["games"] == 400
    assert told["win_share"].keys() == {"mean", "low", "high"}
    assert told["win_share"]["mean"] == pytest.approx(0.4)
    assert told["alone"]["b"]["mean"] == pytest.approx(0.6)
    assert outcome(0.0, 1.0).to_json()["win_share"]["mean"] == 0.0  # a share is never below


def test_the_outcome_of_nothing_yet(tmp_path):
    def stop(*call):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runner.run(make(), tmp_path, progress=stop)
    found = match.outcome(store.Run.open(tmp_path))
    assert found.verdict == "undecided" and found.games == 0
    assert found.to_json()["win_share"] == {"mean": None, "low": 0.0, "high": 0.75}
    assert "not even one block" in found.sentences()[0]
    page = contests.section(SimpleNamespace(contest=found))
    assert "not even one block" in page.intro and not page.tables and not page.figures
