"""A run on a Dask cluster of two worker processes: the same rows, whatever dies on the way."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest
from distributed import Client

from experiments import cli, cluster, match, runner, store
from experiments.plan import Plan
from sim.errors import Mistake
from tests.experiments import toy

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def dask_client(tmp_path_factory):
    """Of a cluster, started as a user does; a worker that dies is started again."""
    folder = tmp_path_factory.mktemp("cluster")
    told = folder / "scheduler.json"
    variables = {"PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}

    def dask(*words):
        command = [sys.executable, "-m", "dask", *words, "--scheduler-file", str(told)]
        return subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--no-dashboard"],
            cwd=folder,
            env=os.environ | variables,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    processes = [dask("scheduler", "--port", "0")]
    try:
        processes.append(dask("worker", "--nworkers", "2", "--nthreads", "1"))
        deadline = time.monotonic() + 30
        while not told.exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        with Client(scheduler_file=str(told), set_as_default=False) as client:
            yield client
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait(timeout=20)


@pytest.fixture
def scheduler(dask_client):
    """The address of the cluster, once both workers are there."""
    dask_client.wait_for_workers(2, timeout=30)
    return dask_client.scheduler.address


def make(**changes):
    data = {"game": "toy", "players": [3, 4], "agents": "plain,strong", "games": 60}
    return Plan.build(data | {"settings": {"coins": [5, 10]}} | changes)


def alone(plan, folder):
    return runner.run(plan, folder, workers=1).table()


def test_the_cluster_does_not_change_a_row(toy_house, scheduler, tmp_path):
    run = runner.run(make(), tmp_path / "cluster", scheduler=scheduler)
    pd.testing.assert_frame_equal(run.table(), alone(make(), tmp_path / "alone"))


def test_a_match_ends_with_the_same_verdict(toy_house, scheduler, tmp_path):
    plan = make(players=4, agents="strong,plain", kind="match", games=2000, settings={})
    far = runner.run(plan, tmp_path / "cluster", backend="dask", scheduler=scheduler)
    near = runner.run(plan, tmp_path / "alone", workers=2)
    assert match.outcome(far) == match.outcome(near)
    assert match.outcome(far).verdict == "better" and far.games() < 2000
    pd.testing.assert_frame_equal(far.table(), near.table())


def test_a_real_game_and_agents_whose_files_the_workers_lack(scheduler, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the workers are elsewhere
    Path("bot.py").write_text(
        "class Bot:\n    def choose(self, position):\n        return max(position.legal())\n"
    )
    preset = 'game = "westward-rails"\nagent = "greedy"\n[parameters]\nshares = 2.5\n'
    Path("mine.toml").write_text(preset)
    agents = "mine.toml,./bot.py:Bot,mine.toml:noise=0.5"
    plan = Plan.build({"game": "westward-rails", "players": 3, "agents": agents, "games": 6})
    near = alone(plan, "alone")  # first: the workers then find the rules compiled
    far = runner.run(plan, "cluster", scheduler=scheduler).table()
    assert set(far.agent) == set(agents.split(",")) and set(far.status) == {"ok"}
    pd.testing.assert_frame_equal(far, near)


def test_a_worker_that_cannot_load_a_bot_says_so(scheduler, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("helper.py").write_text("")
    Path("bot.py").write_text(
        "import helper\nclass Bot:\n    def choose(self, position):\n        return 'pass'\n"
    )
    plan = Plan.build({"game": "westward-rails", "players": 3, "agents": "bot.py:Bot", "games": 3})
    with pytest.raises(Mistake, match="A worker on .*bot.py: .* No module named 'helper'"):
        runner.run(plan, "run", scheduler=scheduler)


def test_a_worker_of_another_version_is_told(toy_house, scheduler, tmp_path, monkeypatch):
    monkeypatch.setattr(runner.sim, "source_digest", lambda: "another")
    with pytest.raises(Mistake, match="has another version of golden-spike"):
        runner.run(make(), tmp_path, scheduler=scheduler)


def test_a_killed_worker_loses_nothing(toy_house, dask_client, scheduler, tmp_path):
    plan = make(players=4, agents="slow,plain", settings={}, games=120)
    killed = []

    def kill(total, done, rate, note):
        if done and not killed:
            killed.extend(dask_client.run(os.getpid).values())
            os.kill(killed[0], signal.SIGKILL)

    run = runner.run(plan, tmp_path / "cluster", progress=kill, scheduler=scheduler)
    assert len(killed) == 2 and run.games() == 120
    pd.testing.assert_frame_equal(run.table(), alone(plan, tmp_path / "alone"))


def test_a_worker_without_the_program_says_so(toy_house, scheduler, tmp_path, monkeypatch):
    strange = ModuleType("strange")
    exec("def play_far(task, house, files, source): pass", strange.__dict__)
    monkeypatch.setitem(sys.modules, "strange", strange)
    monkeypatch.setattr(runner, "play_far", strange.play_far)
    with pytest.raises(Mistake, match="No module named 'strange'.*install this version"):
        runner.run(make(), tmp_path, scheduler=scheduler)


def die(task, house, files, source):
    os._exit(1)


def test_games_that_every_worker_dies_of_are_told(toy_house, scheduler, tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "play_far", die)
    monkeypatch.setattr(cluster, "GIVEN_UP", 1)
    with pytest.raises(Mistake, match="2 workers died of the same games"):
        runner.run(make(), tmp_path, scheduler=scheduler)


SCRIPT = """
import json, sys
from experiments import runner
from experiments.plan import Plan
from tests.experiments import toy
runner.open_house = toy.open_house
runner.PART_GAMES, runner.MOST_GAMES = 40, 20_000
folder, plan, scheduler, runner.TASK_SECONDS = *sys.argv[1:4], float(sys.argv[4])
plan = Plan.build(json.loads(plan))
runner.run(plan, folder, progress=lambda total, done, rate, note: print(done, flush=True),
           scheduler=scheduler)
"""


def start(folder, plan, scheduler, wait_for, task_seconds=0.4):
    """A run in a process of its own, once it has done that many games."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            SCRIPT,
            str(folder),
            plan.model_dump_json(),
            scheduler,
            str(task_seconds),
        ],
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


def test_a_killed_run_ends_as_if_nothing_had_been(toy_house, scheduler, tmp_path):
    plan = make(players=4, agents="slow,plain", settings={}, games=160)
    process = start(tmp_path / "run", plan, scheduler, wait_for=60)
    process.kill()
    process.communicate(timeout=10)
    assert 0 < store.Run.open(tmp_path / "run").games() < 160
    again = runner.run(plan, tmp_path / "run", scheduler=scheduler)
    pd.testing.assert_frame_equal(again.table(), alone(plan, tmp_path / "alone"))


@pytest.mark.parametrize("seed", [1, 2])
def test_a_sweep_ends_alike_whoever_is_killed_and_when(
    toy_house, dask_client, scheduler, tmp_path, seed
):
    """The run itself, and then a worker three times."""
    plan, chance, killed = Plan.build(toy.SWEEP), random.Random(seed), []
    whole = runner.run(plan, tmp_path / "alone", workers=1)
    first, *moments = sorted(chance.sample(range(whole.games() // 2), 4))

    def kill_a_worker(total, done, rate, note):
        if moments and done > moments[0]:
            moments.pop(0)
            dask_client.wait_for_workers(2, timeout=60)
            time.sleep(1)  # one that is killed while it starts would not be started again
            killed.append(chance.choice(list(dask_client.run(os.getpid).values())))
            os.kill(killed[-1], signal.SIGKILL)

    process = start(tmp_path / "run", plan, scheduler, first)
    process.kill()
    process.communicate(timeout=10)
    found = runner.run(plan, tmp_path / "run", progress=kill_a_worker, scheduler=scheduler)
    assert len(killed) == 3
    pd.testing.assert_frame_equal(found.table(), whole.table())


def busy(dask_worker):
    return len(dask_worker.active_threads)


@pytest.mark.parametrize(("agents", "wait_for"), [("slow,plain", 22), ("stubborn,plain", 8)])
def test_ctrl_c_stops_at_once_and_frees_the_workers(
    dask_client, scheduler, tmp_path, agents, wait_for
):
    """Not at the end of a task, which takes minutes."""
    plan = make(players=4, agents=agents, settings={}, games=500_000)
    process = start(tmp_path / "run", plan, scheduler, wait_for, task_seconds=1000)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert errors.rstrip().endswith("KeyboardInterrupt") and errors.count("Traceback") == 1
    assert store.Run.open(tmp_path / "run").games() >= max([wait_for, *map(int, out.split())])
    deadline = time.monotonic() + 60
    while any(dask_client.run(busy).values()):
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ({"scheduler": "tcp://127.0.0.1:1"}, "No Dask scheduler answers at 'tcp://127.0.0.1:1'"),
        ({"scheduler": "nonsense"}, r"\(missing port number in address 'nonsense'\)"),
        ({"backend": "dask"}, "give --scheduler"),
        ({"backend": "dusk"}, "the nearest is 'dask'"),
        ({"backend": "loky", "scheduler": "tcp://127.0.0.1:1"}, "leave --backend loky out"),
        ({"workers": 2, "scheduler": "tcp://127.0.0.1:1"}, "on a cluster all workers play"),
    ],
)
def test_a_wrong_address_or_flag_is_one_sentence(tmp_path, monkeypatch, capfd, flags, words):
    flags = [part for key, value in flags.items() for part in (f"--{key}", str(value))]
    line = ["spike", "run", "westward-rails", "--games", "6", "--out", str(tmp_path / "run")]
    monkeypatch.setattr(sys, "argv", [*line, *flags, "--debug"])
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    with pytest.raises(Mistake, match=words):
        cli.main()
    assert not (tmp_path / "run").exists()
    assert capfd.readouterr() == ("", "")


def test_without_dask_its_installation_is_named(toy_house, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Mistake, match=r"pip install 'golden-spike\[dask\]'"):
        runner.run(make(), tmp_path / "run", scheduler="tcp://127.0.0.1:1")
