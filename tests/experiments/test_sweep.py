"""Sweeps: what is judged fair or unfair, when cells stop, and that a break changes nothing."""

import itertools
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from experiments import metrics, runner, store, sweep
from experiments.plan import Plan
from experiments.stats import blocks_needed
from sim.errors import Mistake
from tests.experiments import toy

ROOT = Path(__file__).parents[2]
GAME = SimpleNamespace(title="Toy", players=range(2, 7), options=toy.Options)


pytestmark = pytest.mark.usefixtures("toy_house")


def make(**changes):
    return Plan.build(toy.SWEEP | changes)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A sweep played without a break."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "open_house", toy.open_house)
        return runner.run(make(), tmp_path_factory.mktemp("runs") / "whole", workers=1)


def verdicts(run):
    summary = metrics.summarise(run.tables(), run.manifest, toy.Game.measures)
    return sweep.findings(run, summary).verdicts


def test_cells_stop_when_their_question_is_answered(whole):
    found = verdicts(whole)
    assert [one.verdict for one in found] == ["fair", "undecided", "unfair"] * 2
    table = whole.table()
    blocks = table.groupby("cell").block.nunique()
    assert blocks.tolist() == [one.blocks for one in found]
    assert (table.groupby("cell").block.max() + 1 == blocks).all()
    assert all(one.blocks == one.most > 2 * one.needed for one in found[1::3])
    assert all(one.blocks < one.needed for one in found[2::3])
    deals = table.groupby(["block"]).seed.nunique()
    assert (deals == 1).all()  # the same in every cell


@pytest.mark.parametrize(("workers", "backend"), [(2, "threading"), (3, "threading"), (2, "loky")])
def test_the_workers_change_nothing(whole, tmp_path, workers, backend):
    run = runner.run(make(), tmp_path, workers=workers, backend=backend)
    pd.testing.assert_frame_equal(run.table(), whole.table())
    assert verdicts(run) == verdicts(whole)


@pytest.mark.filterwarnings("ignore:.* tasks .*:UserWarning")  # joblib, of those broken off
def test_a_break_anywhere_changes_nothing(whole, tmp_path):
    for games in itertools.count(31, 797):
        folder = tmp_path / str(games)

        def stop(total, done, rate, note, games=games):
            if done >= games:
                raise KeyboardInterrupt

        try:
            runner.run(make(), folder, workers=2, progress=stop)
        except KeyboardInterrupt:
            for one, last in zip(verdicts(store.Run.open(folder)), verdicts(whole), strict=True):
                assert one.verdict in ("open", last.verdict)
            runner.run(make(), folder, workers=1 + games % 2)
        pd.testing.assert_frame_equal(store.Run.open(folder).table(), whole.table())
        if games > whole.games():
            break


SCRIPT = """
import sys
from experiments import runner
from experiments.plan import Plan
from tests.experiments import toy, test_sweep
runner.open_house = toy.open_house
runner.PART_GAMES = 60
backend = sys.argv[2]
show = lambda total, done, rate, note: print(done, flush=True)
runner.run(test_sweep.make(), sys.argv[1], 2, show, backend=backend)
"""


def killed(folder, backend, games, who):
    """A sweep of which the parent or a worker is killed after so many games."""
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(folder), backend],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
    )
    for line in process.stdout:
        if int(line) > games:
            break
    victim = process.pid
    if who == "worker":
        tasks = Path(f"/proc/{process.pid}/task").glob("*/children")
        children = [int(child) for path in tasks for child in path.read_text().split()]
        victim = max(children)
    os.kill(victim, signal.SIGKILL)
    process.communicate(timeout=30)
    return store.Run.open(folder)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds the workers in /proc")
@pytest.mark.parametrize(
    ("backend", "who"), [("threading", "parent"), ("loky", "parent"), ("loky", "worker")]
)
def test_a_kill_changes_nothing(whole, tmp_path, backend, who):
    games = 100 + 1000 * int(time.time_ns() % 997) // 997  # any moment will do
    broken = killed(tmp_path, backend, games, who)
    assert 0 < broken.games() <= whole.games()
    for _ in range(2):
        try:
            again = runner.run(make(), tmp_path, workers=2)
        except Mistake as mistake:  # a process that was left has not ended yet
            assert "is being written" in str(mistake)
            time.sleep(1)
    pd.testing.assert_frame_equal(again.table(), whole.table())


def test_the_cap_is_kept_and_can_be_raised(whole, tmp_path):
    with pytest.raises(Mistake, match="games = 20 is too few for a cell of this sweep"):
        runner.run(make(games=20), tmp_path)
    short = runner.run(make(games=410), tmp_path, workers=1)
    found = verdicts(short)
    assert [one.verdict for one in found] == ["undecided", "undecided", "unfair"] * 2
    assert {one.blocks for one in found if one.verdict == "undecided"} == {400}
    with pytest.raises(Mistake, match="games is 410 there and 100 here, and can only grow"):
        runner.run(make(games=100), tmp_path)
    again = runner.run(make(), tmp_path, workers=1)  # the cap of three fixed studies
    pd.testing.assert_frame_equal(again.table(), whole.table())


def test_nothing_is_concluded_where_many_games_of_a_cell_failed(whole, tmp_path, monkeypatch):
    play_games = toy.play_games

    def failing(board, line_up, *arguments, **more):
        games = play_games(board, line_up, *arguments, **more)
        if board.options.first_seat_bonus == 0.2:
            games.status[:1] = 2
        return games

    monkeypatch.setattr(runner, "open_house", lambda name: (toy.Game(), toy.load, failing))
    found = verdicts(runner.run(make(), tmp_path, workers=1))
    assert [one.verdict for one in found] == ["fair", "undecided", "undecided"] * 2
    assert [one.problems > 0.01 for one in found] == [False, False, True] * 2


# ---- what it is worth


@pytest.fixture(scope="module")
def restricted(tmp_path_factory):
    """What a sweep with a restricted player in each cell showed."""
    words = ["hat", "legs", "ballast"]
    plan = make(without=words, settings={"first_seat_bonus": [0.0, 0.1]}, games=400)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "open_house", toy.open_house)
        run = runner.run(plan, tmp_path_factory.mktemp("runs") / "restricted", workers=1)
    return run, sweep.findings(run, metrics.summarise(run.tables(), run.manifest, ()))


def test_what_a_restricted_player_loses(restricted):
    """As by a count of its games, the greatest loss first."""
    run, found = restricted
    table = run.table()
    assert len(found.worths) == 12
    lost = [one.lost.mean for one in found.worths]
    assert lost == sorted(lost, reverse=True)
    for one in found.worths:
        cell, fair = one.cell, 1 / one.cell.players
        own = table[(table.cell == cell.cell) & (table.agent == f"plain:without={one.without}")]
        assert one.win_share.mean == pytest.approx(own.win_share.mean())
        assert len(own) == cell.games  # alone, and in every seat equally often
        assert own.groupby("seat").size().nunique() == 1
        assert one.lost[:3] == pytest.approx(
            [fair - share for share in (one.win_share.mean, one.win_share.high, one.win_share.low)]
        )
        assert one.most > one.lost.high
        assert one.is_beyond_chance == (one.without != "hat")
        assert (one.lost.mean > 0.1) == (one.without == "legs")
        assert (one.lost.mean < -0.1) == (one.without == "ballast")


def test_a_restricted_player_plays_all_games_of_its_cell(restricted, tmp_path):
    """However unfair its seats are, which are judged then: else its win share would be known by as
    few games as show that. If no games are asked for, by the variance of the first."""
    run, found = restricted
    assert [one.blocks for one in found.verdicts] == [one.most for one in found.verdicts]
    assert {cell.blocks for cell in found.cells if cell.players == 4} == {100}
    free = verdicts(runner.run(make(without=["legs"]), tmp_path, workers=1))
    assert all(one.blocks == one.most > 2 * one.needed for one in free)
    assert [one.verdict for one in free] == ["fair", "undecided", "unfair"] * 2


def test_what_is_said_of_a_restricted_player(restricted):
    _, found = restricted
    told = found.sentences(lambda cell: cell.label)
    first, cell = found.worths[0], found.worths[0].cell
    assert told[0].startswith(f"With {cell.players} players at {cell.label}, a player without legs")
    assert f"wins {100 * first.win_share.mean:.1f} % (" in told[0]
    assert told[0].endswith(f"it is worth {100 * first.lost.mean:.1f} percentage points.")
    assert sum("a player without ballast wins" in one and "it costs" in one for one in told) == 4
    idle = [one for one in told if "nothing beyond chance is lost without: hat; more than" in one]
    assert len(idle) == 4
    assert sum(one.startswith("With 3 players (plain, one restricted)") for one in told) == 1
    worths = found.to_json()["restricted"]
    assert [one["without"] for one in worths] == [one.without for one in found.worths]
    assert worths[0]["players"] == cell.players and worths[0]["settings"] == cell.settings
    assert worths[0]["lost"]["mean"] == first.lost.mean
    assert worths[0]["win_share"] == metrics.as_json(first.win_share)


def test_a_sweep_without_restrictions_has_no_worths(whole):
    summary = metrics.summarise(whole.tables(), whole.manifest, ())
    found = sweep.findings(whole, summary)
    assert found.worths == [] and found.to_json()["restricted"] == []


def test_words_that_there_are_not_are_told_before_anything_is_written(tmp_path):
    with pytest.raises(Mistake, match="there is no tail on plain"):
        runner.run(make(without=["hat", "tail"]), tmp_path / "no", workers=1)
    assert not (tmp_path / "no").exists()


# ---- error rates, on outcomes drawn directly


def shares(advantage, players=4):
    """Chance of each seat to win, if the first is ahead of fair by so much."""
    found = np.full(players, (1 - 1 / players - advantage) / (players - 1))
    found[0] = 1 / players + advantage
    return found


def judged(advantages, rng, players=4, margin=3.0):
    """A sweep over cells with these advantages of the first seat: its verdicts."""
    bonuses = [cell / 100 for cell in range(len(advantages))]
    plan = make(players=players, margin=margin, settings={"first_seat_bonus": bonuses})
    entries = [
        {"cell": cell.index, "players": players, "blocks": cell.blocks, "games": cell.games}
        | {"needed": cell.needed}
        for cell in plan.cells(GAME)
    ]
    referee = sweep.Referee(entries, {"margin": margin, "games": None})
    odds = [shares(advantage, players).cumsum() for advantage in advantages]
    while rounds := referee.next_round():
        frames = []
        for cell, blocks in rounds.items():
            winner = np.searchsorted(odds[cell][:-1], rng.random(len(blocks)))
            frames.append(
                {
                    "cell": np.full(len(blocks) * players, cell),
                    "block": np.repeat(blocks, players),
                    "seat": np.tile(np.arange(players), len(blocks)),
                    "win_share": np.eye(players)[winner].ravel(),
                }
            )
        columns = {key: np.concatenate([one[key] for one in frames]) for key in frames[0]}
        referee.add(pd.DataFrame(columns).assign(rotation=0, status="ok"))
    return referee.verdicts()


def test_planted_advantages_are_found_with_few_games():
    """At most 60 % of the games that studies of fixed size take, and the right verdicts."""
    advantages = [0, 0, 0.06, 0.10, 0.10, 0.15, 0.15, 0.20, 0.20]
    right = ["fair", "fair", *["unfair"] * 7]
    rng = np.random.default_rng(4)
    parts, wrong, undecided = [], 0, 0
    for _ in range(20):
        found = judged(advantages, rng)
        parts.append(sum(one.blocks for one in found) / (9 * blocks_needed(4, 0.03)))
        pairs = list(zip((one.verdict for one in found), right, strict=True))
        undecided += sum(one == "undecided" for one, _ in pairs)
        wrong += sum(one not in (other, "undecided") for one, other in pairs)
    assert np.mean(parts) < 0.60
    assert wrong == 0 and undecided <= 2  # of 180


def test_cells_on_the_margin_stay_undecided():
    rng = np.random.default_rng(5)
    found = [[one.verdict for one in judged([0.03] * 9, rng)] for _ in range(12)]
    assert sum("unfair" in verdicts for verdicts in found) == 0  # it is not unfair by more
    assert sum("fair" in verdicts for verdicts in found) <= 1
    assert np.mean([verdicts.count("undecided") for verdicts in found]) > 8.9


@pytest.mark.parametrize("players", [2, 5])
def test_fair_tables_are_said_to_be_fair_and_take_little_more_than_a_fixed_study(players):
    rng = np.random.default_rng(6)
    parts = []
    for _ in range(8):
        found = judged([0.0] * 6, rng, players, margin=5.0)
        assert {one.verdict for one in found} <= {"fair", "undecided"}
        assert [one.verdict for one in found].count("undecided") <= 1
        parts += [one.blocks / blocks_needed(players, 0.05) for one in found]
    assert 1.1 < np.mean(parts) < 1.7


def test_the_first_blocks_tell_how_many_a_cell_takes():
    """Games of a block that are all alike take as many blocks as if there were one of them."""
    needed = blocks_needed(3, 0.08, games=3)
    entry = {"cell": 0, "players": 3, "blocks": 9999, "games": 29997, "needed": needed}
    for is_alike in (False, True):
        referee = sweep.Referee([entry], {"margin": 8.0, "games": None})
        assert referee.games_at_most == pytest.approx(3 * 3 * needed, abs=3)
        rng = np.random.default_rng(7)
        while (blocks := referee.next_round().get(0)) and blocks.start < 50:
            winner = rng.integers(0, 3, (len(blocks), 3))
            winner = np.repeat(winner[:, :1], 3, axis=1) if is_alike else winner
            columns = {
                "cell": 0,
                "block": np.repeat(blocks, 9),
                "rotation": np.tile(np.repeat(range(3), 3), len(blocks)),
                "seat": np.tile(range(3), 3 * len(blocks)),
                "win_share": np.eye(3)[winner].ravel(),
                "status": "ok",
            }
            referee.add(pd.DataFrame(columns))
        (verdict,) = referee.verdicts()
        assert verdict.blocks == 50
        found = blocks_needed(3, 0.08, games=1 if is_alike else 3)
        assert verdict.needed == pytest.approx(found, rel=0.25)
        assert verdict.most >= 3 * verdict.needed > verdict.most - 25
