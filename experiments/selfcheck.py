"""Is the lab itself honest? Checks that anyone can run, on real games of their own machine.

Each is something the lab must find, or must not find, whatever the game: equal players are equal,
what was planted is found, nothing depends on the workers or on a break.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from experiments import match, metrics, runner, store, sweep
from experiments.metrics import percent, percent_within
from experiments.plan import Plan
from experiments.stats import block_interval, sequential_test
from sim.layout import counted
from sim.rng import stream

if TYPE_CHECKING:
    from sim.game import Game

#: Blocks of the runs that are compared row by row.
BLOCKS = 40
#: Points of win share that are planted for the first seat, and the margin of the sweep.
PLANTED, MARGIN = 12, 6.0
#: Simulated studies for the error rates.
STUDIES = 4_000


class Finding(NamedTuple):
    """What a check found, in a sentence, and whether that is as it must be."""

    name: str
    told: str
    is_right: bool


@dataclass(frozen=True)
class Lab:
    """What the checks are done with: a game, its least table, a seed, workers, and a folder."""

    game: Game
    seed: int
    workers: int
    folder: Path

    @property
    def players(self) -> int:
        """Seats: the least table of 3 or more, where "alone among copies" says something."""
        return next((n for n in self.game.players if n > 2), self.game.players[-1])

    def run(self, name: str, agents: str, games: int, workers: int = 0, **more: Any) -> store.Run:
        """Play a plan into a folder of its own."""
        made = {"game": self.game.name, "players": self.players, "agents": agents}
        plan = Plan.build(made | {"games": games, "seed": self.seed} | more)
        return runner.run(plan, self.folder / name, workers or self.workers)


def check(game: Game, seed: int = 1, workers: int | None = None) -> Iterator[Finding]:
    """All checks, each when it is done.

    >>> import sim                                                        # doctest: +SKIP
    >>> all(finding.is_right for finding in check(sim.load("westward-rails")))   # doctest: +SKIP
    True
    """
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(game, seed, runner.number_of(workers), Path(folder))
        for one in CHECKS:
            name, told, is_right = one(lab)
            yield Finding(name, told, bool(is_right))  # not one of numpy's


def copies(lab: Lab) -> Finding:
    """One agent under several names wins equally often: no place in the line-up is favoured."""
    line_up = ["greedy:noise=1." + "0" * place for place in range(1, lab.players + 1)]
    games = 50 * BLOCKS
    table = lab.run("copies", ",".join(line_up), games).table()
    games = len(table) // lab.players  # in whole blocks
    shares = table.groupby(["block", "copy"]).win_share.mean().unstack().to_numpy()
    level = 1 - 0.01 / lab.players  # all of them together at 99 %
    found = [block_interval(column, level) for column in shares.T]
    worst = max(found, key=lambda share: abs(share.mean - 1 / lab.players))
    return Finding(
        "Equal players",
        f"of {counted(lab.players, 'names')} of a random player, the one farthest from "
        f"{percent(1 / lab.players)} wins {percent_within(worst)} of {counted(games, 'games')}",
        not any(share.excludes(1 / lab.players) for share in found),
    )


def names(lab: Lab) -> Finding:
    """One agent under two names: a match finds no lead at all, as it plays the same games."""
    games = 4 * lab.players * BLOCKS
    run = lab.run("names", "greedy:noise=0.2,greedy:noise=0.20", games, kind="match")
    found = match.outcome(run)
    return Finding(
        "One agent, two names",
        f"a match of {counted(found.games, 'games')} finds a lead of "
        f"{100 * found.advantage.mean:g} points and says {found.verdict.replace('_', ' ')}",
        found.advantage.mean == 0.0 and found.verdict == "not_better",
    )


def weaker(lab: Lab) -> Finding:
    """A planted weakness is found: every second move at random, beside hardly any."""
    agents = "greedy:noise=0.05,greedy:noise=0.5"
    found = match.outcome(lab.run("weaker", agents, 100 * lab.players * BLOCKS, kind="match"))
    return Finding(
        "A weaker player",
        f"with every second move at random, a match says {found.verdict.replace('_', ' ')} for the "
        f"other: {percent_within(found.win_share)} after {counted(found.games, 'games')}",
        found.verdict == "better",
    )


def seats(lab: Lab) -> Finding:
    """Seats that are made equal are found fair; what is then planted for the first is found."""
    verdicts, least = [], 0.0
    for planted in (0, PLANTED):
        with _other_seats(planted):
            run = lab.run(f"seats-{planted}", "random", None, kind="sweep", margin=MARGIN)
            summary = metrics.summarise(run.tables(), run.manifest, lab.game.measures)
            found = sweep.findings(run, summary)
        verdicts.append(found.verdicts[0])
        least = summary.cells[0].seat_win_share[0].mean
    return Finding(
        "A favoured seat",
        f"drawn anew, seats are {verdicts[0].verdict} within {MARGIN:g} points after "
        f"{counted(verdicts[0].blocks, 'games')}; with {PLANTED} points for the first they are "
        f"{verdicts[1].verdict} after {verdicts[1].blocks:,} (it wins {percent(least)})",
        [one.verdict for one in verdicts] == ["fair", "unfair"],
    )


@contextlib.contextmanager
def _other_seats(planted: int) -> Iterator[None]:
    """Games whose outcome is dealt out to the seats anew, and some of them to the first seat."""
    house = runner.open_house

    def other_house(name: str) -> tuple[Any, Callable, Callable]:
        game, load, play_games = house(name)

        def play(board: Any, line_ups: Any, game_seeds: np.ndarray, *rest: Any, **more: Any) -> Any:
            played = play_games(board, line_ups, game_seeds, *rest, **more)
            if played is None:
                return None
            share = played.win_share.copy()
            seats = share.shape[1]
            for number, seed in enumerate(game_seeds.tolist()):
                share[number] = np.roll(share[number], stream(seed, "seat") % seats)
                # Of the games the others win, such a part that the first gains the points.
                if share[number, 0] < 1 and stream(seed, "plant") % 10_000 < planted * 100 / (
                    1 - 1 / seats
                ):
                    share[number] = np.eye(seats)[0]
            return replace(played, win_share=share)

        return game, load, play

    runner.open_house = other_house
    try:
        yield
    finally:
        runner.open_house = house


def rotation(lab: Lab) -> Finding:
    """Each agent sits in each seat equally often on the same deals, and shares add up to 1."""
    line_up = ",".join(["greedy:noise=0.1", "random", "greedy"][: lab.players])
    table = lab.run("whole", line_up, BLOCKS * lab.players, workers=1).table()
    sat = table.groupby(["agent", "seat"]).size().unstack()
    sums = table.groupby(["block", "rotation"]).win_share.sum()
    deals = table.groupby("block").seed.nunique()
    is_even = bool((sat.to_numpy() == sat.to_numpy()[:, :1]).all())
    return Finding(
        "Rotation",
        f"in {counted(len(sums), 'games')} each agent had each seat "
        f"{'equally often' if is_even else 'NOT equally often'}, shares of a game add up to "
        f"{sums.min():g} to {sums.max():g}, and a block has {deals.max()} deal",
        is_even and bool(np.allclose(sums, 1, rtol=0, atol=1e-9)) and deals.max() == 1,
    )


def workers(lab: Lab) -> Finding:
    """Threads and processes play the same rows as one worker alone."""
    run = store.Run.open(lab.folder / "whole")
    whole, plan = run.table(), Plan.build(run.manifest["plan"])
    other = runner.run(plan, lab.folder / "threads", 3).table()
    apart = runner.run(plan, lab.folder / "processes", 2, backend="loky").table()
    same = [whole.equals(other), whole.equals(apart)]
    return Finding(
        "Workers",
        f"{counted(len(whole), 'rows')}: 3 threads play {_same(same[0])}, 2 processes play "
        f"{_same(same[1])}, as 1 worker",
        all(same),
    )


def resume(lab: Lab) -> Finding:
    """A run that is broken off and gone on with ends as if nothing had been."""
    run = store.Run.open(lab.folder / "whole")
    whole, plan = run.table(), Plan.build(run.manifest["plan"])
    breaks = 0
    for after in itertools.count(1):

        def stop(total: int, done: int, rate: float, note: str, after: int = after) -> None:
            if done > after * total / 4:
                raise KeyboardInterrupt

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # joblib, of what is broken off
                broken = runner.run(plan, lab.folder / "broken", 2, stop)
            break
        except KeyboardInterrupt:
            breaks += 1
    same = whole.equals(broken.table())
    return Finding(
        "Resume",
        f"a run broken off {breaks} times has {_same(same)} in the end",
        same and breaks > 0,
    )


def replay(lab: Lab) -> Finding:
    """Games of a run, played again from their seeds alone, end with the same scores."""
    run = store.Run.open(lab.folder / "whole")
    table = run.table()
    games = table.groupby(["cell", "block", "rotation"]).score.agg(list)
    chosen = games.iloc[:: max(len(games) // 10, 1)]
    same = sum(
        runner.replay_game(run, *place).play().scores == scores for place, scores in chosen.items()
    )
    return Finding(
        "Replay", f"{same} of {len(chosen)} games end with the same scores", same == len(chosen)
    )


def errors(lab: Lab) -> Finding:
    """Intervals hold the truth, and a match calls an equal agent better, as often as is said."""
    rng = np.random.default_rng(lab.seed)
    held = wrong = 0
    for _ in range(STUDIES):
        luck = rng.normal(0, 0.5, (60, 1))  # shared by the games of a block
        wins = (rng.normal(size=(60, 4)) + luck > 0).mean(axis=1)
        held += not block_interval(wins).excludes(0.5)
        lead = (rng.multinomial(1, [0.25] * 4, (300, 2))[..., 0] @ [0.5, -0.5]) * 0.5
        wrong += sequential_test(lead).verdict == "better"
    coverage, rate = held / STUDIES, wrong / STUDIES
    slack = 3.3 * math.sqrt(0.05 * 0.95 / STUDIES)  # 1 in 1,000 by chance
    return Finding(
        "Error rates",
        f"in {STUDIES:,} simulated studies the 95 % interval held the truth in "
        f"{percent(coverage)}, and an equal agent was called better in {percent(rate)} "
        "(promised: 5 % at most)",
        abs(coverage - 0.95) < 2 * slack and rate < 0.05 + slack,
    )


def _same(is_same: bool) -> str:
    return "the same rows" if is_same else "OTHER rows"


CHECKS = (copies, names, weaker, seats, rotation, workers, resume, replay, errors)
