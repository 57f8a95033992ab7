"""Tuning: what is tried, that it is found, and that nothing but the plan decides it."""

import itertools
import json
import math
import shlex
import signal
import subprocess
import sys
import tomllib
import warnings
from pathlib import Path

import pytest
from optuna import create_study, load_study
from optuna.pruners import WilcoxonPruner
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend

from experiments import cli, match, runner, tune
from experiments.store import Run
from sim.errors import Mistake
from tests.experiments import toy

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.filterwarnings("ignore:WilcoxonPruner is experimental")


@pytest.fixture(autouse=True)
def toy_house(request, monkeypatch):
    if "real" not in request.node.name:
        monkeypatch.setattr(runner, "open_house", toy.open_house)


def make(
    agent="weighted", players=3, trials=20, blocks=45, seed=1, settings=None, spread=1.0, **more
):
    asked = {"game": "toy", "players": players, "settings": settings or {}, "seed": seed}
    return tune.Tuning.build(asked, agent, spread=spread, trials=trials, blocks=blocks, **more)


def trials(folder):
    """All that is kept of each trial, but for its times and the search's own notes, which have
    memory in them that was never written to."""
    storage = JournalStorage(JournalFileBackend(str(folder / tune.STUDY)))
    found = load_study(study_name="tune", storage=storage).trials
    return [(t.number, t.params, t.value, t.intermediate_values) for t in found]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A tuning played without a break, and what it found."""
    folder = tmp_path_factory.mktemp("tunings") / "whole"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "open_house", toy.open_house)
        return folder, tune.search(make(), folder, workers=1)


def test_a_tuning_finds_better_weights(tmp_path):
    tuning = make(trials=60, blocks=60)
    found = tune.search(tuning, tmp_path, workers=1)
    before, after = (
        math.dist([weights[key] for key in toy.BEST], toy.BEST.values())
        for weights in (found.untuned, found.weights)
    )
    assert after < 0.5 * before and found.win_share > found.untuned_win_share + 0.1
    assert found.fair_share == 1 / 3 and found.trials == 60 and 10 < found.stopped < 60
    assert found.games < tuning.games == 60 * 60 * 3
    plan = tuning.confirmation(tmp_path, 3000)
    outcome = match.outcome(runner.run(plan, tmp_path / tune.CONFIRMATION, workers=1))
    assert outcome.verdict == "better" and outcome.agents[0] == str(tmp_path / "tuned.toml")


def test_every_trial_plays_the_same_blocks_worked_out_anew(whole):
    """The win shares of the kept trials, from runs of their own; who stops, from Wilcoxon's test.

    The twin plays each candidate's whole line-up as `spike run` would.
    """
    folder, found = whole
    tuning = make()
    assert trials(folder)[0][1] == {"push": 0.5, "pull": 0.0}
    best = None
    for number, params, value, shares in trials(folder):
        weights = {key: f"{params[key]:.5g}" for key in params}
        spec = f"weighted:push={weights['push']}:pull={weights['pull']}:noise=0.0"
        plan = tuning.plan.model_copy(update={"agents": [spec, "weighted", "weighted"]})
        run = runner.run(plan, folder.parent / f"twin-{number}", workers=1)
        table = run.table()
        own = table[table["copy"] == 0].groupby("block").win_share.mean()
        assert (table.groupby(["block", "copy"]).seat.nunique() == 3).all()
        looks = [end for end in (20, 40) if stops(own[:end], best)]
        assert list(shares) == list(range(min([*looks, 45])))
        assert list(shares.values()) == own[: len(shares)].tolist()
        assert value == pytest.approx(own[: len(shares)].mean())
        if best is None or value > best.mean():
            assert len(shares) == 45
            best, winner = own, (number, weights)
    assert found.trial == winner[0]
    assert found.win_share == pytest.approx(best.mean())
    assert found.weights == {key: float(value) for key, value in winner[1].items()}
    assert found.stopped == sum(len(trial[3]) < 45 for trial in trials(folder)) > 0
    assert found.games == 3 * sum(len(trial[3]) for trial in trials(folder))


def stops(shares, best):
    """Whether optuna's pruner stops a trial with these blocks, asked in a study of its own."""
    if best is None:
        return False
    study = create_study(direction="maximize", pruner=WilcoxonPruner())
    for values in (best, shares):
        trial = study.ask()
        for block, value in values.items():
            trial.report(value, block)
        if values is best:
            study.tell(trial, best.mean())
    return trial.should_prune()


def test_weights_are_searched_round_what_they_are():
    assert make().ranges == {"push": (0.0, 1.0), "pull": (-0.5, 0.5)}
    assert make(spread=3).ranges == {"push": (-1.0, 2.0), "pull": (-1.5, 1.5)}
    assert list(make(weights=["pull"]).ranges) == ["pull"]
    tuning = make("weighted:push=0.123456789:noise=0.5")
    assert tuning.values == {"push": 0.123456789, "pull": 0.0, "noise": 0.5}
    assert tuning.weights({"push": 0.123456789, "pull": 0.123456789})["push"] == 0.123456789
    assert tuning.weights({"push": 0.123456788, "pull": 0.1})["push"] == 0.12346
    assert "noise" not in tuning.ranges
    assert tuning.cell.agents[0] == "weighted:push=0.123456789:pull=0.0:noise=0.5"


def test_rivals_fill_the_table():
    tuning = make(players=5, against=["plain", "strong"])
    assert tuning.cell.agents[1:] == ("plain", "strong", "plain", "strong")
    assert tuning.cell.games == 225 and tuning.games == 4500
    assert make(players=2).cell.agents[1:] == ("weighted",)


@pytest.mark.parametrize("workers", [2, 3])
def test_the_workers_change_nothing(whole, tmp_path, workers):
    folder, found = whole
    assert tune.search(make(), tmp_path, workers=workers) == found
    assert trials(tmp_path) == trials(folder)
    assert (tmp_path / tune.TUNED).read_text() == (folder / tune.TUNED).read_text()


def test_a_break_anywhere_changes_nothing(whole, tmp_path):
    """Stopped again and again, within trials and between them."""
    folder, found = whole
    for sitting in itertools.count():
        calls = itertools.count()

        def stop(*_, calls=calls, last=3 + sitting % 4):  # 3 calls finish a trial at least
            if next(calls) == last:
                raise KeyboardInterrupt

        try:
            again = tune.search(make(), tmp_path, workers=1, progress=stop)
            break
        except KeyboardInterrupt:
            with open(tmp_path / tune.STUDY, "ab") as file:  # as a kill may leave it
                file.write(b'{"op_code":4' * (sitting % 2))
    assert sitting > 8 and again == found
    assert trials(tmp_path) == trials(folder)
    calls = []
    assert tune.search(make(), tmp_path, progress=lambda *call: calls.append(call)) == found
    assert [call[:3] for call in calls] == [(found.games, found.games, 0)]


SCRIPT = """
import sys
from experiments import runner, tune
from tests.experiments import toy
runner.open_house, toy.SLOW = toy.open_house, 0.005
asked = dict(game="toy", players=3, settings={}, seed=1)
job = tune.Tuning.build(asked, "weighted", against=["slow"], spread=1.0, trials=16, blocks=30)
tune.search(job, sys.argv[1], 2, lambda total, done, rate, note: print(done, flush=True))
"""


@pytest.mark.parametrize(("order", "lines"), [("SIGKILL", 4), ("SIGKILL", 18), ("SIGINT", 17)])
def test_a_kill_and_ctrl_c_change_nothing(tmp_path, monkeypatch, order, lines):
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "tuning")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    for _, _line in zip(range(lines), process.stdout, strict=False):
        pass
    process.send_signal(getattr(signal, order))
    _, err = process.communicate(timeout=60)
    assert process.returncode != 0
    assert order == "SIGKILL" or err.rstrip().endswith("KeyboardInterrupt")
    monkeypatch.setattr(toy, "SLOW", 0)
    tuning = make(against=["slow"], trials=16, blocks=30)
    kept = trials(tmp_path / "tuning")
    assert lines // 2 - 1 <= len(kept) < 16
    found = tune.search(tuning, tmp_path / "tuning", workers=1)
    assert found == tune.search(tuning, tmp_path / "again", workers=2)
    assert trials(tmp_path / "tuning") == trials(tmp_path / "again")
    assert trials(tmp_path / "tuning")[: len(kept)] == kept


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"trials": 21}, "trials is 20 there and 21 here"),
        ({"blocks": 24, "seed": 2}, "seed is 1 there and 2 here; blocks is 45 there and 24 here"),
        ({"against": ["plain"]}, r"against is \['weighted'\] there and \['plain'\] here"),
        (
            {"agent": "weighted:push=0.4", "against": ["weighted"]},
            "agent is 'weighted' there and 'weighted:push=0.4' here",
        ),
        ({"weights": ["push"]}, r"weights is \['push', 'pull'\] there and \['push'\] here"),
        ({"settings": {"coins": 3}}, r"settings is {} there and {'coins': \[3\]} here"),
    ],
)
def test_another_tuning_is_not_mixed_in(whole, changes, words):
    with pytest.raises(Mistake, match=f"{words}; give another folder for this one"):
        tune.search(make(**changes), whole[0])


def test_what_has_changed_meanwhile_is_told(whole, monkeypatch):
    monkeypatch.setitem(toy.STRENGTH, "weighted", 0.2)
    with pytest.raises(Mistake, match="holds another tuning: the agent weighted has changed since"):
        tune.search(make(), whole[0])


def test_a_folder_that_cannot_be_used(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(Mistake, match="holds something that is not a run .notes.txt"):
        tune.search(make(), tmp_path)
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / tune.STUDY).write_text("nothing of ours\n{}\n")
    with pytest.raises(Mistake, match="study.journal is damaged; give another folder"):
        tune.search(make(), tmp_path / "bad")
    assert (tmp_path / "bad" / tune.STUDY).read_text() == "nothing of ours\n{}\n"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"trials": 0}, "--trials: 0 is not possible; give 1 or more"),
        ({"blocks": -1}, "--blocks: -1 is not possible"),
        ({"spread": 0}, "--spread: 0 is not possible; give more than 0"),
        ({"spread": math.nan}, "--spread: nan is not possible"),
        ({"agent": "plain"}, "--agent: 'plain' has no weights to tune; give greedy or another"),
        ({"agent": "wighted"}, "There is no agent 'wighted'; the nearest is 'weighted'"),
        ({"weights": ["posh"]}, "--weights: 'weighted' has no weight 'posh'; the nearest is 'push"),
        ({"weights": ["noise"]}, "has no weight 'noise'"),
        ({"against": ["plain", "strong", "handy"]}, "--against: 3 rivals .* of 3; name at most 2"),
        ({"against": ["plane"]}, "the nearest is 'plain'"),
        ({"players": 7}, "The command: players = 7 is not possible"),
        ({"players": 1}, "The command: players = 1 is not possible"),
        ({"settings": {"coins": 0}}, "--set: coins = 0 lets a game last for ever"),
        ({"seed": -1}, "seed"),
    ],
)
def test_what_is_not_possible_is_one_sentence(changes, words):
    with pytest.raises(Mistake, match=words):
        make(**changes)


def test_few_games_to_confirm_are_a_mistake_before_anything_is_played(tmp_path):
    with pytest.raises(Mistake, match="The confirmation: games = 10 is too few for a match"):
        make().confirmation(tmp_path, 10)


def test_the_untuned_weights_may_be_best(tmp_path):
    tuning = make(trials=1, settings={"coins": 3})
    found = tune.search(tuning, tmp_path)
    assert found.trial == 0 and found.weights == found.untuned and found.stopped == 0
    assert found.win_share == found.untuned_win_share == pytest.approx(1 / 3, abs=0.2)
    assert found.sentences()[0].startswith("Of 1 candidate (135 games, 0 stopped early) none did ")
    preset = tomllib.loads((tmp_path / tune.TUNED).read_text())
    assert preset["parameters"] == toy.WEIGHTS
    assert preset["training"]["settings"] == {"coins": 3}


def test_the_confirmation_plays_other_deals_at_the_same_setting(whole):
    folder, _ = whole
    tuning = make(settings={"coins": 3})
    plan = tuning.confirmation(folder, 600)
    assert (plan.kind, plan.seed, plan.games) == ("match", 2, 600)
    assert plan.agents == [str(folder / "tuned.toml"), "weighted"]
    assert plan.settings == {"coins": [3]} and plan.players == [3]
    seeds = [{runner.game_seed(seed, block) for block in range(1000)} for seed in (1, 2)]
    assert not seeds[0] & seeds[1]


def test_an_edited_preset_is_not_taken_for_the_old_one(whole, tmp_path):
    preset = tmp_path / "mine.toml"
    preset.write_text((whole[0] / tune.TUNED).read_text())
    plan = make(against=[str(preset)]).plan
    runner.run(plan, tmp_path / "run", workers=1)
    runner.run(plan, tmp_path / "run", workers=1)
    preset.write_text(preset.read_text() + "# edited\n")
    with pytest.raises(Mistake, match="mine.toml has changed since"):
        runner.run(plan, tmp_path / "run", workers=1)


def test_optuna_is_loaded_when_it_is_needed_and_not_before():
    code = "import sys, experiments.tune; print('optuna' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert found.stdout.strip() == "False"


def test_the_real_game_from_end_to_end(monkeypatch, capfd, tmp_path):
    """Nothing but JSON on standard output, no warning, and a file that plays."""
    monkeypatch.chdir(tmp_path)
    line = "spike tune westward-rails --agent greedy:cash=3 --weights shares,cash"
    line += " --players 3 --trials 9 --blocks 20 --set demand_spaces=4 --confirm 300"
    line += " --out t --workers 2"

    def spike(line):
        monkeypatch.setattr(sys, "argv", shlex.split(line))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            cli.main()
        return capfd.readouterr()

    with pytest.raises(SystemExit):
        spike(f"{line} --json")
    out, err = capfd.readouterr()
    told = json.loads(out)
    assert (
        "9 trials of 2 weights of greedy:cash=3, 3 players, at most 540 games, seed 1"
        in " ".join(err.split())
    )
    assert "ptuna" not in err and "Warning" not in err
    assert list(told["weights"]) == ["cash", "shares"] and told["untuned"]["cash"] == 3
    assert told["agent"] == "t/tuned.toml" and told["training"]["trials"] == 9
    assert told["confirmation"]["games"] == 300 and told["confirmation"]["verdict"]
    assert "t/tuned.toml" in told["confirmation"]["alone"]
    assert Run.open("t/confirmation").manifest["plan"]["settings"] == {"demand_spaces": [4]}
    preset = tomllib.loads(Path("t/tuned.toml").read_text())
    assert preset["training"]["settings"] == {"demand_spaces": 4}
    assert {key: preset["parameters"][key] for key in told["weights"]} == told["weights"]
    with pytest.raises(SystemExit):
        spike(line)
    out, err = capfd.readouterr()
    assert "It was chosen for these games" in out and "That rests on 300 games" in out
    assert "The agent is t/tuned.toml" in err
    assert "--games" not in out
    with pytest.raises(SystemExit):
        spike("spike run westward-rails --agents t/tuned.toml,greedy --games 3 --out r --json")
    out, err = capfd.readouterr()
    assert '"t/tuned.toml"' in out
