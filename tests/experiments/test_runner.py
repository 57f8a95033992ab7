"""The runner on a toy game: same rows however they are played, and nothing lost on the way."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import agents
import sim
from experiments import runner, store
from experiments.plan import Plan
from experiments.stats import block_interval
from sim.errors import Mistake
from tests.experiments import toy

ROOT = Path(__file__).parents[2]


pytestmark = pytest.mark.usefixtures("toy_house")


def make(**changes):
    data = {"game": "toy", "players": [3, 4], "agents": "plain,strong", "games": 60}
    return Plan.build(data | {"settings": {"coins": [5, 10]}} | changes)


def shares(table, by):
    """Intervals of the block values of each agent or seat."""
    values = table.groupby([by, "block"]).win_share.mean().unstack(by)
    return {key: block_interval(values[key]) for key in values}


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "open_house", toy.open_house)
        return runner.run(make(), tmp_path_factory.mktemp("runs") / "reference", workers=1).table()


def test_rows_are_complete(reference):
    assert list(reference.columns) == store.schema(["coins_left"]).names
    games = reference.groupby(["cell", "block", "rotation"])
    assert (games.size() == games.players.first()).all()
    assert (games.win_share.sum() == 1).all() and (games["rank"].min() == 1).all()
    assert (games.seat.nunique() == games.players.first()).all()
    assert (games["copy"].nunique() == games.players.first()).all()
    assert reference.settings.unique().tolist() == ["coins=5", "coins=10"]
    assert set(reference.end_reason) == {"goal", "deadlock"} and set(reference.status) == {"ok"}
    assert (reference.offender == -1).all() and (reference.version == 3).all()
    assert np.allclose(reference.score_100, reference.score)
    coins = np.where(reference.settings == "coins=5", 5, 10)
    assert np.allclose(reference.coins_left, reference.score + coins)


def test_an_agent_is_credited_with_its_own_games(reference):
    """A winner's row names the agent that sat in the winner's seat."""
    strong = reference.agent == "strong"
    assert reference[strong].score.max() > 1 and reference[~strong].score.max() < 1
    copies = reference.groupby("copy").agent.unique()
    assert copies.map(list).to_dict() == {
        0: ["plain"],
        1: ["strong"],
        2: ["plain"],
        3: ["strong"],
    }


def test_seeds_are_shared_by_cells_and_rotations_and_by_no_other_games(reference):
    seeds = reference.groupby("block").seed.unique()
    assert (seeds.map(len) == 1).all()
    assert reference.seed.nunique() == reference.block.nunique()
    assert reference.seed.between(0, 2**53 - 1).all()
    own = {
        int(runner.agent_seeds(1, [(block, rotation, (copy,))])[0, 0])
        for block, rotation, copy in zip(
            reference.block, reference.rotation, reference["copy"], strict=True
        )
    }
    assert len(own) == len(reference.groupby(["block", "rotation", "copy"]))


def test_seats_are_even(reference):
    counts = reference.groupby(["cell", "agent", "seat"]).size().unstack("seat")
    assert (counts.nunique(axis=1) == 1).all()


@pytest.mark.parametrize(
    ("workers", "backend"), [(2, "threading"), (3, "threading"), (2, "loky"), (3, "loky")]
)
def test_the_workers_do_not_change_a_row(reference, tmp_path, workers, backend):
    run = runner.run(make(), tmp_path, workers=workers, backend=backend)
    pd.testing.assert_frame_equal(run.table(), reference)
    assert not list(tmp_path.glob(".playing"))


def test_agents_in_python_play_in_processes(tmp_path):
    plan = make(players=4, agents="python,plain", settings={})
    run = runner.run(plan, tmp_path / "two", workers=2)
    assert run.games() == 60
    alone = runner.run(plan, tmp_path / "one", workers=1)
    pd.testing.assert_frame_equal(run.table(), alone.table())


def test_task_and_part_sizes_do_not_change_a_row(reference, tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "FIRST_GAMES", 1)
    monkeypatch.setattr(runner, "MOST_GAMES", 7)
    monkeypatch.setattr(runner, "PART_GAMES", 20)
    run = runner.run(make(), tmp_path, workers=2)
    assert len(run.parts()) > 5
    pd.testing.assert_frame_equal(run.table(), reference)
    whole = runner.run(make(), tmp_path / "whole", workers=1)
    assert all((run.usage()[cell] == counts).all() for cell, counts in whole.usage().items())


def test_a_run_goes_on_and_grows(reference, tmp_path):
    runner.run(make(games=20), tmp_path, workers=1)
    calls = []
    run = runner.run(make(), tmp_path, workers=2, progress=lambda *call: calls.append(call))
    pd.testing.assert_frame_equal(run.table(), reference)
    total = len(reference.groupby(["cell", "block", "rotation"]))
    assert calls[0][:2] == (total, 2 * 21 + 2 * 20) and calls[-1][:2] == (total, total)
    assert calls[-1][2] > 0
    parts = run.parts()
    again = runner.run(make(), tmp_path)
    assert again.parts() == parts
    with pytest.raises(Mistake, match="games is 60 there and 20 here"):
        runner.run(make(games=20), tmp_path)


def test_a_run_is_never_mixed_with_another(tmp_path, monkeypatch):
    runner.run(make(), tmp_path, workers=1)
    with pytest.raises(Mistake, match=r"players is \[3, 4\] there and \[4\] here; seed is 1"):
        runner.run(make(players=4, seed=5), tmp_path)
    monkeypatch.setattr(toy.Game, "version", 4)
    with pytest.raises(Mistake, match="rules are version 3 there and 4 here"):
        runner.run(make(), tmp_path)
    monkeypatch.undo()
    monkeypatch.setattr(runner, "open_house", toy.open_house)
    monkeypatch.setattr(toy.Options.model_fields["rule"], "default", "b")
    toy.Options.model_rebuild(force=True)
    try:
        with pytest.raises(Mistake, match="board 'plain' has changed since"):
            runner.run(make(), tmp_path)
    finally:
        monkeypatch.undo()
        toy.Options.model_rebuild(force=True)


def test_an_edited_bot_is_not_taken_for_the_old_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text("first")
    plan = make(agents="./bot.py:Bot", settings={})
    runner.run(plan, "run", workers=1)
    runner.run(plan, "run", workers=1)
    Path("bot.py").write_text("second")
    with pytest.raises(Mistake, match="bot.py has changed since"):
        runner.run(plan, "run", workers=1)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"settings": {"coin": 3}}, "the nearest is 'coins'"),
        ({"agents": "plane"}, "the nearest is 'plain'"),
        ({"players": 7}, "players = 7"),
        ({"settings": {"coins": [5, 0]}}, "--set: coins = 0 lets a game last for ever"),
    ],
)
def test_a_wrong_plan_leaves_no_folder(tmp_path, changes, words):
    with pytest.raises(Mistake, match=words):
        runner.run(make(**changes), tmp_path / "run")
    assert not (tmp_path / "run").exists()
    with pytest.raises(Mistake, match="workers = 0"):
        runner.run(make(), tmp_path / "run", workers=0)


def test_a_damaged_part_is_played_again_on_request(reference, tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "PART_GAMES", 50)
    run = runner.run(make(), tmp_path, workers=1)
    run.parts()[1].write_bytes(b"PAR1 nonsense PAR1")
    with pytest.raises(Mistake, match="part-00001.parquet cannot be read; run again with --repair"):
        runner.run(make(), tmp_path)
    run = runner.run(make(), tmp_path, workers=1, repair=True)
    pd.testing.assert_frame_equal(run.table(), reference)
    assert (tmp_path / "unreadable" / "part-00001.parquet").exists()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_full_disk_is_told_and_the_run_goes_on_later(reference, tmp_path, monkeypatch, workers):
    monkeypatch.setattr(runner, "PART_GAMES", 50)
    written = []
    write = store.Run.write

    def fill_up(self, table, metadata):
        if written:
            raise Mistake("The disk is full.")
        written.append(metadata)
        return write(self, table, metadata)

    monkeypatch.setattr(store.Run, "write", fill_up)
    with pytest.raises(Mistake, match="disk is full"):
        runner.run(make(), tmp_path, workers=workers)
    monkeypatch.setattr(store.Run, "write", write)
    pd.testing.assert_frame_equal(runner.run(make(), tmp_path, workers=workers).table(), reference)


def test_an_equal_field_finds_nothing():
    """A/A: of 40 intervals at 95 %, few miss the fair share."""
    missed = 0
    for seed in range(1, 11):
        cell = make(players=4, agents="plain,same", seed=seed).cells(toy.Game())[0]
        table = _table(cell, 200)
        missed += sum(one.excludes(0.25) for one in shares(table, "agent").values())
        missed += sum(one.excludes(0.25) for one in list(shares(table, "seat").values())[:2])
    assert missed <= 6


def _table(cell, blocks):
    task = runner.Task("toy", "plain", '{"city": []}', cell, list(range(blocks)))
    return runner.play_task(task, toy.open_house).table.to_pandas()


def test_a_planted_bias_is_found_where_it_is():
    stronger = shares(_table(make(players=4).cells(toy.Game())[0], 300), "agent")
    assert stronger["strong"].low > 0.25 > stronger["plain"].high
    plan = make(players=4, agents="plain,same", settings={"first_seat_bonus": 0.3})
    table = _table(plan.cells(toy.Game())[0], 300)
    by_seat = shares(table, "seat")
    assert by_seat[0].low > 0.25 and all(by_seat[seat].high < 0.25 for seat in (1, 2, 3))
    assert not any(one.excludes(0.25) for one in shares(table, "agent").values())


def test_a_game_is_replayed_from_its_place(tmp_path):
    run = runner.run(make(agents="plain,strong,python", players=4), tmp_path, workers=1)
    row = run.table().query("cell == 1 and block == 7 and rotation == 2").set_index("seat")
    replay = runner.replay_game(run, cell=1, block=7, rotation=2)
    assert [agent.spec for agent in replay.agents] == row.agent.tolist()
    assert replay.game_seed == row.seed[0]
    played = toy.play_games(
        replay.board,
        [replay.agents],
        np.array([replay.game_seed], np.uint64),
        np.array([replay.agent_seeds], np.uint64),
    )
    assert played.score[0].tolist() == row.score.tolist()
    for place in [(9, 0, 0), (0, 99, 0), (0, 0, 4)]:
        with pytest.raises(Mistake, match="has no"):
            runner.replay_game(run, *place)


def test_ranks():
    win_share = np.array([[0.5, 0, 0.5, 0], [0, 1, 0, 0], [1 / 3, 0, 1 / 3, 1 / 3]])
    score = np.array([[9, 9, 8, 7], [9, 9, 3, 3], [1, 5, 2, 3]], float)
    assert runner._ranks(win_share, score).tolist() == [[1, 3, 1, 4], [2, 1, 3, 3], [1, 4, 1, 1]]


SCRIPT = """
import sys
from experiments import runner
from experiments.plan import Plan
from tests.experiments import toy
runner.open_house = toy.open_house
runner.PART_GAMES, runner.MOST_GAMES = 40, 20_000
folder, agents, games, workers, runner.TASK_SECONDS = *sys.argv[1:5], float(sys.argv[5])
plan = Plan.build(dict(game="toy", players=4, agents=agents, games=int(games)))
runner.run(plan, folder, int(workers), lambda total, done, rate, note: print(done, flush=True))
"""


def start(folder, agents, games, workers, wait_for, task_seconds=runner.TASK_SECONDS):
    """A run in a process of its own, once it has done that many games."""
    words = (folder, agents, games, workers, task_seconds)
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
    )
    for line in process.stdout:
        if int(line) >= wait_for:
            return process
    raise AssertionError(process.stderr.read())


def finish(folder, agents, games):
    plan = Plan.build({"game": "toy", "players": 4, "agents": agents, "games": games})
    return runner.run(plan, folder, workers=1).table()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_run_ends_as_if_nothing_had_been(tmp_path, workers):
    process = start(tmp_path / "run", "slow,plain", 160, workers, wait_for=60)
    assert process.poll() is None
    process.kill()
    process.communicate(timeout=10)  # its workers hold the pipes: they are gone too
    assert 0 < store.Run.open(tmp_path / "run").games() < 160
    killed = finish(tmp_path / "run", "slow,plain", 160)
    pd.testing.assert_frame_equal(killed, finish(tmp_path / "whole", "slow,plain", 160))


@pytest.mark.parametrize(
    ("agents", "workers", "wait_for", "whole_group"),
    [
        ("plain,strong", 1, 60, False),
        ("plain,strong", 2, 60, True),
        ("slow,plain", 1, 4, True),
        ("slow,plain", 2, 4, True),
        ("slow,plain", 2, 4, False),
        ("endless,plain", 1, 4, False),
        ("endless,plain", 2, 12, True),
    ],
)
def test_ctrl_c_stops_at_once_and_keeps_what_was_played(
    tmp_path, agents, workers, wait_for, whole_group
):
    """Neither at the end of a task (minutes, with "slow") nor of a game (an hour, "endless")."""
    task_seconds = 1000 if "slow" in agents else runner.TASK_SECONDS
    process = start(tmp_path / "run", agents, 500_000, workers, wait_for, task_seconds)
    (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert errors.rstrip().endswith("KeyboardInterrupt") and errors.count("Traceback") == 1
    done = max([wait_for, *(int(line) for line in out.split())])
    assert done <= store.Run.open(tmp_path / "run").games() < 500_000
    assert not list((tmp_path / "run").glob(".playing"))


def test_a_run_in_another_thread_needs_no_signals(reference, tmp_path):
    thread = threading.Thread(target=lambda: runner.run(make(), tmp_path, workers=2))
    thread.start()
    thread.join()
    pd.testing.assert_frame_equal(store.Run.open(tmp_path).table(), reference)


def test_the_cost_of_a_game_is_that_of_real_ones():
    game = sim.load("westward-rails")
    game.ready()
    costs = [
        runner.seconds_a_game(game.board(), [agents.load(spec, game)] * 3)
        for spec in ("random", "greedy", "mcts:iterations=9:depth=1")
    ]
    assert 0 < costs[0] < costs[1] < costs[2]
