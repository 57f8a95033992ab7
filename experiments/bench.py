"""`spike bench`: how fast this machine plays, as medians over several runs."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import agents
from agents.analysis import Analysis
from agents.loop import Batch
from experiments.plan import Plan
from experiments.runner import run
from sim.contract import compiled
from sim.game import Game
from sim.rng import stream

PLAYERS = 4
SECONDS = 1.0  # of each run of play in one thread
LONG_SECONDS = 10.0  # of a run with one worker, beside which two are measured
COPIES = 2_000_000
SEARCH = "mcts:iterations=100000:playout=random:depth=0:trust=0:widening=2:reuse=0"

FIGURES = {
    "random_decisions_per_second": ("decisions/s", "random play, all legal actions listed each"),
    "random_games_per_second": ("games/s", "random play"),
    "greedy_games_per_second": ("games/s", "greedy play"),
    "mcts_iterations_per_second": (
        "iterations/s",
        "tree search of the opening, uniform playouts to the end, no prior",
    ),
    "mean_playout_decisions": ("decisions", "in a random game, forced ones included"),
    "state_bytes": ("bytes", "a position"),
    "copy_ns": ("ns", "to copy a position"),
    "cold_compile_seconds": ("s", "a new process with an empty cache, until all can be played"),
    "warm_start_seconds": ("s", "`spike play` to its first line"),
    "two_worker_speedup": ("times", "two workers beside one, greedy runs of 10 s and more"),
}


@compiled
def copy_many(states, times):
    """Copy records of an array over each other, all in the nearest cache."""
    last = len(states) - 1
    for i in range(times):
        states[i & last] = states[(i + 5) & last]


def measure(game: Game, runs: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """The FIGURES of a game on this machine: medians of `runs` runs, play with 4 players.

    Raises Mistake when the game cannot be played by 4.
    """
    board = game.board()
    board.new(PLAYERS)
    figures: dict[str, Any] = {}
    tell(
        f"{runs} runs of each: random play, greedy play, tree search, compiling {game.title} anew, "
        f"starting, games with one worker and with two. This takes up to {2 * runs} minutes or so."
    )

    def each(what: str, one: Callable[[int], Any]) -> list[Any]:
        """One after the other, each told as it begins."""
        found = []
        for number in range(runs):
            tell(f"{what}, {number + 1} of {runs} ...")
            found.append(one(number))
        return found

    played = each("random play", lambda number: _play(game, "random", number))
    figures["random_decisions_per_second"] = statistics.median(rate for rate, _, _ in played)
    figures["random_games_per_second"] = statistics.median(rate for _, rate, _ in played)
    greedy = each("greedy play", lambda number: _play(game, "greedy", number))
    figures["greedy_games_per_second"] = statistics.median(rate for _, rate, _ in greedy)
    searched = each("tree search", lambda number: _search(game, number))
    figures["mcts_iterations_per_second"] = statistics.median(searched)
    figures["mean_playout_decisions"] = statistics.fmean(length for _, _, length in played)
    figures["state_bytes"] = int(game.rules.STATE.itemsize)
    figures["copy_ns"] = statistics.median(_copy(game) for _ in range(runs))
    cold = each("compiling with an empty cache, a minute or so", lambda _: _cold(game))
    figures["cold_compile_seconds"] = statistics.median(cold)
    figures["warm_start_seconds"] = statistics.median(each("warm start", lambda _: _warm(game)))
    plan = _long_run(game, statistics.median(rate for _, rate, _ in greedy))
    speedups = each("one worker, then two", lambda _: _speedup(plan))
    figures["two_worker_speedup"] = statistics.median(speedups)
    return {name: figures[name] for name in FIGURES}


def _play(game: Game, spec: str, run_number: int) -> tuple[float, float, float]:
    """Decisions a second, games a second, and decisions a game, of play in one thread."""
    line_up = [agents.load(spec, game)] * PLAYERS
    board = game.board()
    games, decisions, spent = 0, 0, 0.0
    size = 1
    while spent < SECONDS:
        seeds = np.array([stream(run_number, games + i) % 2**53 for i in range(size)])
        batch = Batch(board, [line_up] * size, seeds, seeds[:, None] + np.arange(PLAYERS))
        started = time.perf_counter()
        batch.play()
        spent += time.perf_counter() - started
        games += size
        decisions += int(batch.progress.decisions.sum())
        size = min(2 * size, 100)
    return decisions / spent, games / spent, decisions / games


def _search(game: Game, run_number: int) -> float:
    """Iterations a second of a search of the opening, in one thread."""
    opening = game.board().new(PLAYERS, run_number)
    while len(opening.legal_codes()) == 1:
        opening.play(opening.legal_codes()[0])
    analysis = Analysis(opening, agents.load(SEARCH, game))
    analysis.go_on(0)  # compiled by now
    before, started = analysis.done, time.perf_counter()
    while time.perf_counter() - started < SECONDS and not analysis.is_done:
        analysis.go_on()
    return (analysis.done - before) / (time.perf_counter() - started)


def _copy(game: Game) -> float:
    """Nanoseconds a copy of a position takes."""
    states = np.zeros(16, game.rules.STATE).view(np.recarray)
    copy_many(states, 1000)
    started = time.perf_counter()
    copy_many(states, COPIES)
    return (time.perf_counter() - started) / COPIES * 1e9


_WARM_UP = """
import sys, numpy as np, sim, agents
from agents.loop import play_games
game = sim.load(sys.argv[1])
line_up = [agents.load(spec, game) for spec in ("random", "greedy", "random", "random")]
play_games(game.board(), [line_up], [1], np.arange(4)[None])
"""


def _cold(game: Game) -> float:
    """Seconds a new process with an empty cache takes until everything can be played."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        command = [sys.executable, "-c", _WARM_UP, game.name]
        environment = os.environ | {"GOLDEN_SPIKE_CACHE": folder}
        subprocess.run(command, check=True, env=environment, capture_output=True)
        return time.perf_counter() - started


def _warm(game: Game) -> float:
    """Seconds `spike play` takes to its first printed line."""
    command = [sys.executable, "-u", "-m", "experiments.cli", "play", game.name]
    started = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        process.stdout.readline()
        spent = time.perf_counter() - started
        process.kill()
    return spent


def _long_run(game: Game, rate: float) -> Plan:
    """Greedy games for LONG_SECONDS and more of one worker that plays `rate` a second."""
    return Plan.build(
        {
            "game": game.name,
            "players": [PLAYERS],
            "agents": ["greedy"],
            "games": int(rate * LONG_SECONDS * 1.2),
        }
    )


def _speedup(plan: Plan) -> float:
    """How many times faster two workers end a run than one."""
    seconds = []
    for workers in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            started = time.perf_counter()
            run(plan, Path(folder) / "run", workers)
            seconds.append(time.perf_counter() - started)
    return seconds[0] / seconds[1]
