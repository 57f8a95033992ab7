"""The `spike` command, as a user meets it."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from experiments import cli, show
from experiments.ratings import Pairwise
from experiments.stats import Interval
from experiments.store import Run
from experiments.tournament import Standings

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMAND = [sys.executable, "-m", "experiments.cli"]


@pytest.fixture
def spike(monkeypatch, capsys, tmp_path):
    """Run a command line in an empty folder: (exit code, standard output, error output)."""
    monkeypatch.chdir(tmp_path)

    def run(line: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["spike", *shlex.split(line)])
        code = 0
        try:
            cli.main()
        except SystemExit as end:
            code = end.code or 0
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_start_is_light():
    """Help must not wait for numba, pandas, scipy or matplotlib."""
    heavy = ("numba", "pandas", "scipy", "matplotlib", "pyarrow", "joblib", "optuna")
    code = f"import sys, experiments.cli; print([m for m in {heavy} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_help_has_an_example_for_every_command(spike):
    names = [command.callback.__name__ for command in cli.app.registered_commands]
    assert set(names) == {
        *("games", "play", "run", "report", "check", "replay", "analyse", "bench"),
        *("match", "tournament", "strategies", "ladder", "sweep", "tune", "selfcheck"),
    }
    for name in names:
        code, out, _ = spike(f"{name} --help")
        assert code == 0
        assert f"Example: spike {name}" in " ".join(out.split()).replace("`", "")


def test_games(spike):
    code, out, _ = spike("games")
    assert code == 0
    assert "westward-rails" in out
    code, out, _ = spike("games westward-rails")
    assert "Reconstructed map" in out
    assert "lease_tie" in out
    code, out, _ = spike("games westward-rails --json")
    described = json.loads(out)
    assert described["options"]["starting_money"]["value"] == {"3": 40, "4": 30, "5": 24}
    assert described["players"] == [3, 4, 5]
    code, out, _ = spike("games railways-of-the-world")
    assert out.count("(true on western_us)") == 2 and "debts" in out
    assert "README.md" in out.split("explained in")[1]
    code, out, _ = spike("games railways-of-the-world --json")
    assert json.loads(out)["options"]["city_rotors"]["boards"] == {"western_us": True}


def test_a_list_of_games_compiles_nothing(tmp_path):
    for line in ("games", "games westward-rails"):
        process = subprocess.run(
            [*COMMAND, *line.split()],
            cwd=tmp_path,
            env=environment() | {"GOLDEN_SPIKE_CACHE": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=True,
        )
        assert "westward" in process.stdout.lower() and not process.stderr
    assert not list((tmp_path / "cache").rglob("*.nb?"))


def test_compilation_is_told_before_it_begins(tmp_path):
    variables = environment() | {"GOLDEN_SPIKE_CACHE": str(tmp_path)}
    command = [*COMMAND, "play", "westward-rails"]
    with subprocess.Popen(
        command, env=variables, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stderr.readline().startswith("Compiling the rules.")
        process.kill()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("play westward-rail", "no game 'westward-rail'.*'westward-rails'"),
        ("run westward-rails --set starting_mony=3", "'starting_mony'.*'starting_money'"),
        (
            "run westward-rails --set starting_money=abc",
            "--set: starting_money = 'abc' .*a whole number[.] $",
        ),
        (
            "run westward-rails --set starting_money=1001",
            "starting_money = 1001 .*at most 1000[.] $",
        ),
        ("run westward-rails --set demand_spaces=0", "demand_spaces = 0.*1"),
        ("run westward-rails --set lease_tie=cheap", "lease_tie = 'cheap'.*'cheapest'"),
        ("run westward-rails --set starting_money", "key=value"),
        ("run westward-rails --players 7", "players = 7.*3, 4, 5"),
        ("run westward-rails --players three", "'three'.*3,4,5"),
        ("run westward-rails --agents greedyy", "'greedyy'.*'greedy'"),
        ("run westward-rails --agents greedy:demnds=2", "'demnds'.*'demands'"),
        ("run westward-rails --agents greedy:noise=2", "from 0 to 1"),
        ("run westward-rails --agents a,,b", "empty place"),
        ("run westward-rails --agents ./bot.py:Bot", "no file './bot.py'"),
        ("run westward-rails --agents random,random,random,random", "4, too many"),
        ("run westward-rails --games 0", "games = 0"),
        ("run westward-rails --workers 0", "workers = 0"),
        ("run westward-rails --order sideways", "order = 'sideways'"),
        ("run westward-rails --board my.toml", "my.toml: there is no such file"),
        ("run westward-rails --board east", "no board 'east'.*reconstructed_map"),
        ("run plan.toml", "plan.toml"),
        ("match westward-rails greedy greedy", "each given once"),
        ("match westward-rails greedy random --games 9", "games = 9 is too few.* 300 or more"),
        ("match westward-rails greedy random --players 9", "players = 9.*3, 4, 5"),
        ("match westward-rails greedy random --set starting_money=3,4", "2 values"),
        ("tournament westward-rails greedy", "two or more agents"),
        ("tournament westward-rails greedy,,random", "empty place"),
        ("strategies westward-rails greedy", "two or more agents"),
        ("strategies westward-rails greedy,greedy", "each given once"),
        ("strategies westward-rails --players 9", "players = 9.*3, 4, 5"),
        ("ladder westward-rails --max-hours 0", "--max-hours: 0 is not possible"),
        ("ladder westward-rails --max-hours nan", "--max-hours: nan is not possible"),
        ("ladder westward-rails --workers -1", "^workers = -1 is not possible"),
        (
            "ladder westward-rails --agent mcts:iterations=9",
            "gives the iterations.*--from and --to",
        ),
        ("ladder westward-rails --agent greedy", "no parameter 'iterations'"),
        ("ladder westward-rails --from 8 --to 9", "--to: 9 is less than twice 8"),
        ("report nowhere", "nowhere holds no run"),
        ("replay nowhere", "nowhere: there is no such file"),
        ("play westward-rails --players 9", "3 to 5 players, not 9"),
        ("play westward-rails --agents random,random,random,random --players 3", "too many"),
        ("play westward-rails --set starting_money=20,30 --players 3", "2 values"),
        ("play westward-rails --seed -1", "seed -1"),
        ("play westward-rails --record no/folder/x.jsonl", "no/folder/x.jsonl"),
    ],
)
def test_a_mistake_is_one_sentence(spike, line, said):
    code, out, err = spike(line)
    assert code == 2
    assert re.search(said, err.replace("\n", " ")), err
    assert "Traceback" not in err
    assert err.count("\n") == 1
    assert not out


def test_check_tells_what_differs_from_what_cannot_be_read(spike, tmp_path):
    head = 'game = "westward-rails"\nplayers = 3\n'
    (tmp_path / "right.toml").write_text(head + "[expect]\nturn = 0\n")
    (tmp_path / "other.toml").write_text(head + "[expect]\nturn = 7\n")
    (tmp_path / "broken.toml").write_text("game = \n")
    (tmp_path / "step.toml").write_text(head + '[[do]]\nacton = "pass"\n')
    assert spike("check right.toml") == (0, "as expected  right.toml\n", "")
    code, out, err = spike("check right.toml other.toml")
    assert (code, err) == (1, "Of 2 scenarios 1 differs.\n")
    assert "differs      other.toml\n    At the end: turn should be 7 but is 0.\n" in out
    code, out, err = spike("check other.toml other.toml broken.toml step.toml none.toml")
    assert (code, err) == (2, "Of 5 scenarios 2 differ and 3 cannot be read.\n")
    assert "unreadable   broken.toml\n    it is not valid TOML: " in out
    assert "unreadable   step.toml\n    [[do]] 1: there is no key 'acton'; the nearest is" in out
    assert "unreadable   none.toml\n    there is no such file.\n" in out


def test_debug_shows_the_traceback(spike):
    with pytest.raises(cli.Mistake):
        spike("play westward-rail --debug")


def test_analyse(spike, tmp_path):
    assert spike("play westward-rails --players 3 --seed 7 --record game.jsonl")[0] == 0
    code, out, err = spike("analyse game.jsonl --decision 1 --iterations 40 --json")
    told = json.loads(out)
    assert code == 0 and told["iterations"] == 40
    assert sum(move["visits"] for move in told["moves"]) == 40
    assert {len(move["win_share"]) for move in told["moves"] if move["visits"]} == {3}
    code, out, err = spike("analyse game.jsonl --decision 1 --iterations 40")
    assert code == 0 and told["moves"][0]["action"] in out and "nan" not in out
    # A position from which seat 0 alone can win, and does so by every delivery.
    scenarios = ROOT / "tests" / "scenarios" / "railways_of_the_world"
    code, out, _ = spike(f"analyse {scenarios / 'depots_example_2.toml'} --iterations 30 --json")
    assert code == 0 and json.loads(out)["moves"][0]["action"].startswith("deliver")


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("analyse game.jsonl --decision 0", "--decision 0 should be from 1 to "),
        ("analyse game.jsonl", "The game is over"),
        ("analyse game.jsonl --decision 1 --agent greedy", "'greedy' does not search"),
        ("analyse game.jsonl --decision 1 --iterations 0", "iterations=0 should be a whole number"),
        ("analyse none.jsonl", "there is no such file"),
    ],
)
def test_analyse_says_what_is_wrong(spike, line, part):
    spike("play westward-rails --players 3 --seed 7 --record game.jsonl")
    code, out, err = spike(line)
    assert code == 2 and out == ""
    assert part in " ".join(err.split()) and "Traceback" not in err


def test_run_report_and_replay(spike, tmp_path):
    line = "run westward-rails --players 3,4 --agents random,greedy --games 24 --set "
    line += "starting_money=30:40:10 --out runs/x --json"
    code, out, _ = spike(line)
    assert code == 0
    found = json.loads(out)
    assert found["games"] == sum(cell["games"] for cell in found["cells"]) >= 24 * 4
    for cell in found["cells"]:
        assert set(cell["settings"]) == {"starting_money"}
        assert set(cell["win_share"]) == {"random", "greedy"}
        assert {"mean", "low", "high"} <= set(cell["win_share"]["greedy"])
        assert len(cell["seat_win_share"]) == cell["players"]
        copies = [cell["agents"].count(spec) for spec in ("random", "greedy")]
        shares = [cell["win_share"][spec]["mean"] for spec in ("random", "greedy")]
        assert sum(n * share for n, share in zip(copies, shares, strict=True)) == pytest.approx(1)
        assert sum(seat["mean"] for seat in cell["seat_win_share"]) == pytest.approx(1)
    assert spike("run westward-rails --players 3 --out runs/x")[2].count("another plan") == 1
    code, out, err = spike("report runs/x")
    assert code == 0
    page = (tmp_path / "runs/x/report.html").read_text(encoding="utf-8")
    assert "Reconstructed map" in page
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", page)
    table = pd.read_parquet(tmp_path / "runs/x/parts")
    game = table[(table.cell == 2) & (table.block == 1) & (table.rotation == 1)]
    code, out, _ = spike("replay runs/x --cell 2 --block 1 --rotation 1 --record again.jsonl")
    assert code == 0
    scores = [f"${score:.0f}" for score in game.sort_values("seat").score]
    shown = [line.split()[1] for line in out.splitlines() if re.match(r"^  \d +\$", line)]
    assert shown == scores
    code, out, _ = spike("replay again.jsonl")
    assert code == 0
    assert "play as recorded" in out


def test_a_match_from_end_to_end(spike, tmp_path):
    line = "match westward-rails greedy random --games 300 --out m"
    code, out, err = spike(line)
    assert code == 0 and out.startswith("greedy beats random. On balance it wins ")
    assert "does greedy beat random? 3 players, at most 300 games, seed 1, into m" in " ".join(
        err.split()
    )
    code, out, _ = spike(f"{line} --json")
    told = json.loads(out)
    assert code == 0 and told["verdict"] == "better" and told["games"] == 300
    assert told["fair_share"] == pytest.approx(1 / 3)
    assert told["win_share"]["low"] > told["fair_share"]
    assert json.loads(spike("report m --json")[1])["contest"] == told
    code, out, _ = spike("report m")
    page = (tmp_path / "m" / "report.html").read_text()
    assert code == 0 and out.startswith("Greedy beats random.")
    assert "Does one beat the other?" in page and "log-likelihood ratio" in page
    assert "greedy, 2 random" in page and "random, 2 greedy" in page
    shares = pd.read_csv(tmp_path / "m" / "tables" / "match.csv")
    assert shares["where"].tolist() == [
        "on balance",
        "alone among copies of random",
        "alone among copies of greedy",
    ]
    assert shares.win_share.tolist() == pytest.approx(
        [told["win_share"]["mean"], *(share["mean"] for share in told["alone"].values())]
    )
    assert "wins most changes" not in page and "each alone among copies of the other" in page
    code, _, err = spike("match westward-rails random greedy --games 300 --out m")
    assert code == 2 and "agents is ['greedy', 'random'] there" in err


def test_a_tournament_from_end_to_end(spike, tmp_path):
    line = "tournament westward-rails greedy,random,builder,racer --games 12 --out t"
    code, out, _ = spike(line)
    assert code == 0 and "rated" in out and "finishes ahead of" in out
    told = json.loads(spike(f"{line} --json")[1])
    assert told["agents"][-1]["agent"] == "random" and len(told["pairs"]) == 12
    code, out, _ = spike("report t")
    page = (tmp_path / "t" / "report.html").read_text()
    assert code == 0 and "Who is best" in page and "Finishes ahead of" in page
    assert (tmp_path / "t" / "tables" / "pairs.csv").exists()


def test_strategies_from_end_to_end(spike, tmp_path):
    line = "strategies westward-rails builder,racer,random --games 90 --out t"
    code, out, err = spike(line)
    said = "3 strategies, 3 players, 720 games in 10 line-ups, seed 1, into t."
    assert code == 0 and said in " ".join(err.split())
    assert "random is dead: against the mix it wins " in " ".join(out.split())
    told = json.loads(spike(f"{line} --json")[1])
    (cell,) = told["cells"]
    assert cell["strategies"][2]["verdict"] == "dead" and cell["blocks"] == 30
    assert sum(one["weight"]["mean"] for one in cell["strategies"]) == pytest.approx(1)
    assert json.loads(spike("report t --json")[1])["contest"] == told
    page = (tmp_path / "t" / "report.html").read_text()
    assert "Which strategies matter" in page and "Alone among copies of" in page
    mix = pd.read_csv(tmp_path / "t" / "tables" / "mix.csv")
    assert mix.strategy.tolist() == ["builder", "racer", "random"]
    assert mix.weight.tolist() == [one["weight"]["mean"] for one in cell["strategies"]]
    replies = pd.read_csv(tmp_path / "t" / "tables" / "replies.csv")
    assert len(replies) == 6 and replies.win_share.between(0, 1).all()


def test_all_named_strategies_at_several_settings(spike, tmp_path):
    line = "strategies westward-rails --games 3 --set starting_money=30,40"
    code, out, err = spike(line)
    said = "5 strategies, 3 players, 190 games in 70 line-ups at 2 settings, seed 1, "
    assert code == 0 and said in " ".join(err.split())
    assert out.count("This is only a first look: 1 block is too few") == 2
    assert "At starting_money=40:" in out
    code, out, _ = spike("report runs/westward-rails-strategies-all-3-players")
    assert code == 0 and "At starting money $40: " in out
    page = next((tmp_path / "runs").glob("*/report.html")).read_text()
    assert "How much of each strategy is in the mix" in page and "Starting money $40: " in page


def test_a_sweep_from_end_to_end(spike, tmp_path):
    line = "sweep westward-rails --players 3,4 --agents greedy --agents random"
    line += " --set starting_money=28,32 --margin 12 --games 190 --out s"
    code, out, err = spike(line)
    said = "4 players: nothing that was tried is known to be fair within 12 percentage points"
    assert code == 0 and said in " ".join(out.split())
    assert "4 players (4 random): the seat farthest from 25.0 %" in out and "unfair" in out
    told = " ".join(err.split())
    assert "sweep of 8 cells. Some games of it tell the cost." in told
    assert "Games that find a cell fair within 12 percentage points" in told
    assert "3 players, 3 random: 2 cells of at most 175 games, too few as 220 are needed" in told
    assert "sweep of 8 cells, seed 1, into s." in told
    told = json.loads(spike(f"{line} --json")[1])
    assert told["margin"] == 0.12 and len(told["cells"]) == 8
    assert {cell["verdict"] for cell in told["cells"]} == {"unfair", "undecided"}
    cell = told["cells"][4]
    assert cell["settings"] == {"starting_money": 28} and cell["verdict"] == "unfair"
    assert len(cell["seat_win_share"]) == 4 and cell["games"] == cell["blocks"] < 175
    assert [one["printed"]["starting_money"] for one in told["advice"]] == [40, 30]
    assert all(one["settings"]["starting_money"] in (28, 32) for one in told["advice"])
    assert json.loads(spike("report s --json")[1])["contest"] == told
    page = (tmp_path / "s" / "report.html").read_text()
    assert "Which settings are fair?" in page and "within 12 percentage points" in page
    verdicts = pd.read_csv(tmp_path / "s" / "tables" / "verdicts.csv")
    assert verdicts.verdict.tolist() == [cell["verdict"] for cell in told["cells"]]
    changes = pd.read_csv(tmp_path / "s" / "tables" / "changes.csv")
    table = Run.open(tmp_path / "s").table()
    turns = table[table.seat == 0].groupby(["cell", "block"]).turns.first().unstack("cell")
    moved = changes[(changes.cell == 2) & (changes.quantity == "turns")]["mean"].item()
    assert moved == pytest.approx((turns[2] - turns[0]).dropna().mean())
    code, out, _ = spike(f"{line} --want seats=12,length=:3")  # plays nothing anew
    assert code == 0 and "not turns of a game at most 3" in " ".join(out.split())
    code, _, err = spike(line.replace("--margin 12", "--margin 11"))
    assert code == 2 and "margin is 12.0 there and 11.0 here" in err


def test_a_sweep_without_something_from_end_to_end(spike, tmp_path):
    line = "sweep westward-rails --players 3 --agents greedy --without build --without stop"
    line += " --margin 12 --games 150 --set starting_money=28,32 --out w"
    code, out, _ = spike(line)
    told = " ".join(out.split())
    assert code == 0 and "a player without build wins " in told
    assert "Win share of a player without it among players with it" in out
    assert "3 players (greedy, one restricted): the seat farthest from 33.3 %" in out
    found = json.loads(spike(f"{line} --json")[1])
    worths = found["restricted"]
    assert [one["without"] for one in worths[:2]] == ["build", "build"]
    assert worths[0]["lost"]["mean"] == pytest.approx(1 / 3 - worths[0]["win_share"]["mean"])
    assert worths[0]["lost"]["low"] > 0 and worths[0]["is_beyond_chance"]
    code, out, _ = spike("report w")
    assert code == 0 and "a player without build" in out.splitlines()[0]
    page = (tmp_path / "w" / "report.html").read_text()
    assert "What it is worth" in page and "The win share changes beyond chance without" in page
    table = pd.read_csv(tmp_path / "w" / "tables" / "worth.csv")
    assert table.without.tolist() == [one["without"] for one in worths]
    assert table.lost.tolist() == pytest.approx([one["lost"]["mean"] for one in worths])
    code, _, err = spike(line.replace("--without stop ", ""))
    assert code == 2 and "without is ['build', 'stop'] there and ['build'] here" in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--margin 0", "margin = 0.0 is not possible"),
        ("--players 3 --margin 40", "margin = 40 reaches the fair share, 33.3 %"),
        ("--agents greedy --agents greedy", "a line-up is given twice"),
        ("--agents greedy,", "line_ups: an entry is empty"),
        ("--agents greeedy", "There is no agent 'greeedy'; the nearest is 'greedy'"),
        ("--agents greedy,greedy,greedy,greedy --players 3", "agents lists 4, too many"),
        ("--games 3", "games = 3 is too few for a cell of this sweep at a table of 3"),
        ("--tiers --agents greedy", "--tiers: they are line-ups of their own"),
        ("--want length", "--want: 'length' is not of the form NAME=LOW:HIGH"),
        ("--want ties=:5,ties=:6", "--want: 'ties' is given twice"),
        ("--want seats=x", "--want seats=x should be a number"),
        ("--want seats=3 --margin 4", "--margin: 4 differs from --want seats=3"),
        ("--set starting_mony=3", "--set: there is no option 'starting_mony'"),
        ("--without upgade", "has the word 'upgade'; the nearest is 'upgrade'"),
        (
            "--without pass --without bond",
            "Agent 'greedy:noise=0.1:without=bond': without=bond: no action",
        ),
        ("--without pass --agents greedy,racer", "'without' is for a sweep of one agent, not 2"),
        ("--without pass --agents bot.py:Bot", "'bot.py:Bot:without=pass' should be written FILE"),
    ],
)
def test_sweeps_that_cannot_be(spike, tmp_path, words, told):
    code, _, err = spike(f"sweep westward-rails {words} --out s")
    assert code == 2 and told in err and not (tmp_path / "s").exists()


def test_a_plan_of_another_kind_is_no_sweep(spike, tmp_path):
    plan = "game = 'westward-rails'\nplayers = 3\nkind = 'match'\nagents = 'greedy,random'\n"
    (tmp_path / "m.toml").write_text(plan)
    code, _, err = spike("sweep m.toml")
    assert code == 2 and err == "m.toml: kind = 'match' is no sweep; play it with spike run.\n"


def test_a_plan_of_a_kind_tells_scripts_its_outcome(spike, tmp_path):
    plan = "game = 'westward-rails'\nplayers = 3\nkind = 'tournament'\n"
    (tmp_path / "cup.toml").write_text(f"{plan}agents = 'greedy,random,racer'\ngames = 3\n")
    told = json.loads(spike("run cup.toml --json")[1])
    assert told["contest"]["agents"][-1]["agent"] == "random"
    assert "contest" not in json.loads(spike("run westward-rails --games 3 --json")[1])


def test_a_match_tells_what_a_bot_did_wrong(spike, tmp_path):
    bot = "class Bad:\n    def choose(self, position):\n        return 1 / 0\n"
    (tmp_path / "bad.py").write_text(bot)
    code, out, err = spike("match westward-rails greedy ./bad.py:Bad --games 300 --workers 1")
    assert code == 0 and out.startswith("It is undecided whether greedy beats ./bad.py:Bad: 100 %")
    assert "./bad.py:Bad in seat 1 broke off the game of cell 0, block 0" in err
    assert "ZeroDivisionError" in err
    assert "runs/westward-rails-greedy-against-bad.py_Bad-3-players" in err


def test_a_ladder_says_that_its_time_is_up_and_where_its_reports_are(spike):
    line = "ladder westward-rails --from 1 --to 2 --agent mcts:depth=1 --max-hours 1e-9 --out z"
    code, out, err = spike(line)
    assert code == 0 and "The lowest rung, 2 against 1, is undecided." in out and "nan" not in out
    assert "One game is played to tell the cost." in err and "The time is up." in err
    assert "spike report z/2-against-1" in err
    code, _, err = spike("report z")
    assert code == 2 and err == "z holds no run (no manifest.json); z/2-against-1 holds one.\n"


def test_same_game_from_a_plan_file(spike, tmp_path):
    plan = "game = 'westward-rails'\nplayers = 3\nagents = ['random']\ngames = 6\n"
    (tmp_path / "plan.toml").write_text(plan)
    assert spike("run plan.toml")[0] == 0
    assert spike("run westward-rails --players 3 --agents random --games 6 --out runs/y")[0] == 0
    first, second = (Run.open(tmp_path / "runs" / name).table() for name in ("plan", "y"))
    pd.testing.assert_frame_equal(first, second)


def test_a_person_plays(spike, monkeypatch):
    typed = iter(
        ["? bid 2", "?", "table", "bid 3", "nonsense", "undo", "bid 7", "undo", "pass", "quit"]
    )
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    code, out, _ = spike("play westward-rails --agents human,random,random --record g.jsonl")
    assert code == 0
    few = out.split("listed by ? bid\n")[1].split("pass")[0]
    assert "bid 20" in few and "bid 19" not in few
    assert "the least bid is $5" in out
    assert "'nonsense' is not an action" in out
    assert "There is nothing to take back" in out
    assert "seat 0 (human): bid 7" in out
    assert out.rstrip().endswith("The record is g.jsonl")
    _, out, _ = spike("replay g.jsonl")
    assert "seat 0 (human): pass" in out
    assert "bid 7" not in out.split("seat 1")[0]


def test_a_person_is_told_what_an_action_brings_and_where_things_are(spike, monkeypatch, tmp_path):
    typed = iter(
        ["keep most_cities", "? nonsense", "? New York", "build", "? from", "from new_york"]
        + ["lay 6,23 ne-w", "map", "done", "quit"]
    )
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "60")
    line = "play railways-of-the-world --agents human,random --seed 5 --set auction=new_players"
    code, out, _ = spike(line)
    assert code == 0
    lines = out.splitlines()
    assert max(len(line) for line in lines if not line.startswith("The picture")) < 60
    assert "keep most_cities     own links at the most cities of all," in lines
    assert "Seat 0's own Rail Baron: most_cities" in out
    assert "seat 1 (random): keep a Baron" in out
    assert "begins with 'nonsense'" in " ".join(out.split())
    assert "New York, city at row,column 5,23: takes red cubes; has" in out
    assert any(line.startswith("from albany") and "6 free spurs" in line for line in lines)
    assert "lay 6,23 ne-sw  open $2k (1 new Bond), completes" in lines
    assert "upgrade $5k (1 new Bond), to level 2" in " ".join(out.split())
    assert any(line.startswith("urbanize ...") for line in lines)
    building = out.split("seat 0 (human): build\n")[1].split("seat 0 (human): done\n")[0]
    assert "Cities with cubes" not in building  # the table is not told again for every tile
    assert "next tile (3 tiles left)" in building
    assert "Cities with cubes" in out.split("seat 0 (human): done\n")[1]
    picture = Path(out.split("The picture is ")[1].split("\n")[0])
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "\n\n\n" not in out


def test_bots_alone_in_a_new_process(tmp_path):
    """No compiled agent is loaded then, and the compiled loop still needs its symbols."""
    bot = "class Bot:\n    def choose(self, position):\n        return position.legal()[0]\n"
    (tmp_path / "bot.py").write_text(bot)
    line = "run westward-rails --agents ./bot.py:Bot --games 2 --workers 1 --out x"
    subprocess.run([*COMMAND, *line.split()], cwd=tmp_path, env=environment(), check=True)
    line = "play westward-rails --agents human,./bot.py:Bot,./bot.py:Bot"
    command = [*COMMAND, *line.split()]
    subprocess.run(command, cwd=tmp_path, env=environment(), input=b"pass\nquit\n", check=True)


def test_a_bot_that_leaves_or_spoils_the_board_is_a_row(spike, tmp_path):
    (tmp_path / "bad.py").write_text(
        "import sys\n"
        "class Leaves:\n    def choose(self, position):\n        sys.exit(3)\n"
        "class Spoils:\n    def choose(self, position):\n"
        "        position.board.file.link.clear()\n"
        "        position.board.record[:] = 0\n        return 'pass'\n"
    )
    for name in ("Leaves", "Spoils"):
        line = (
            f"run westward-rails --agents ./bad.py:{name},random --games 3 --workers 1 --out {name}"
        )
        code, _, err = spike(line)
        assert code == 0, err
        assert len(Run.open(tmp_path / name).table()) % 3 == 0


def test_what_a_bot_prints_stays_out_of_the_json(spike, tmp_path):
    bot = "class Talks:\n    def choose(self, position):\n"
    (tmp_path / "[b]x.py").write_text(bot + "        print('x')\n        return 'pass'\n")
    line = "run westward-rails --agents ./[b]x.py:Talks,random --games 3 --workers 1 --out x"
    code, out, _ = spike(f"{line} --json")
    assert code == 0
    assert json.loads(out)["games"] == 3
    code, out, err = spike(line)
    assert "[b]x.py:Talks" in out
    assert "3 of 3 games did not end properly (3 illegal)" in err


def test_an_edited_bot_is_played_as_it_is_now(spike, tmp_path):
    for number, action in enumerate(("legal()[0]", "legal()[-1]")):
        bot = f"class Bot:\n    def choose(self, position):\n        return position.{action}\n"
        (tmp_path / "bot.py").write_text(bot)
        line = (
            f"run westward-rails --agents ./bot.py:Bot,random --games 3 --workers 1 --out {number}"
        )
        assert spike(line)[0] == 0
    first, second = (Run.open(tmp_path / name).table() for name in "01")
    assert not first.score.equals(second.score)
    code, _, err = spike(line.replace("--out 1", "--out 0"))
    assert code == 2
    assert "bot.py has changed since" in err


def test_an_edited_board_is_played_as_it_is_now(spike, tmp_path):
    text = (ROOT / "sim/westward_rails/boards/reconstructed_map.toml").read_text()
    for number, cost in enumerate((0, 9)):
        board = text.replace("upgrade_cubes = 6 ", f"upgrade_cubes = 6\nupgrade_cost = {cost} ")
        (tmp_path / "my.toml").write_text(board)
        line = f"run westward-rails --board my.toml --agents random --games 6 --out {number}"
        assert spike(f"{line} --workers 1")[0] == 0
    first, second = (Run.open(tmp_path / name).table() for name in "01")
    assert not first.score.equals(second.score)


def test_settings_of_a_plan_file_are_kept_beside_flags(spike, tmp_path):
    plan = "game = 'westward-rails'\nplayers = 3\nagents = ['random']\ngames = 3\n"
    plan += "[settings]\nstarting_money = [20, 30]\n"
    (tmp_path / "plan.toml").write_text(plan)
    code, out, _ = spike("run plan.toml --set demand_spaces=3 --json")
    assert code == 0
    cells = json.loads(out)["cells"]
    assert [cell["settings"] for cell in cells] == [
        {"starting_money": money, "demand_spaces": 3} for money in (20, 30)
    ]


@pytest.mark.parametrize("order", [1, -1])
def test_a_setting_for_one_player_count_holds_beside_one_for_all(spike, order):
    flags = ["--set starting_money=24,32", "--set starting_money.4=35"][::order]
    line = f"run westward-rails --players 3,4 --agents random --games 3 --json {' '.join(flags)}"
    code, out, _ = spike(line)
    assert code == 0
    cells = json.loads(out)["cells"]
    settings = [(cell["players"], cell["settings"]) for cell in cells]
    assert sorted(settings, key=str) == [
        (3, {"starting_money": 24}),
        (3, {"starting_money": 32}),
        (4, {"starting_money.4": 35}),
    ]


def test_a_failing_bot_is_told(spike, tmp_path):
    bot = "class Bad:\n    def choose(self, position):\n        return 1 / 0\n"
    (tmp_path / "bad.py").write_text(bot)
    code, out, _ = spike("play westward-rails --agents ./bad.py:Bad,random,random")
    assert code == 0
    assert "ZeroDivisionError" in out


def test_an_illegal_move_is_told_with_who_made_it(spike, tmp_path):
    bot = "class Bad:\n    def choose(self, position):\n        return {}\n"
    (tmp_path / "bad.py").write_text(bot.format("'bid 99'"))
    code, out, _ = spike("play westward-rails --agents ./bad.py:Bad,random,random")
    assert "seat 0, ./bad.py:Bad" in out and "'bid 99' is not legal: " in out
    (tmp_path / "bad.py").write_text(bot.format("-5"))
    line = "run westward-rails --agents random,./bad.py:Bad --games 3 --workers 1 --out x"
    _, _, err = spike(line)
    said = (
        r"\./bad\.py:Bad in seat \d broke off the game of cell 0, block 0, rotation \d: The action "
    )
    assert re.search(f"{said}code -5 is not legal here", err)
    assert re.search(said, spike("report x")[2])


@pytest.mark.parametrize("width", [60, 80])
def test_tables_fit_the_terminal(spike, monkeypatch, width):
    """No line is too wide and no word is cut, even with six seats and a setting."""
    run = "run railways-of-the-world --players 6 --agents prudent,random --games 2 --out x"
    run += " --set max_turns=1,2"
    tournament = "tournament westward-rails random,greedy,builder,racer --games 3 --out y"
    mix = "strategies westward-rails greedy,builder,racer --games 3 --out m"
    ladder = "ladder westward-rails --from 1 --to 2 --agent mcts:depth=1 --max-hours 1e-9 --out z"
    for line in (
        *("games", "games railways-of-the-world", "games westward-rails"),
        *(run, tournament, mix, ladder),
    ):
        monkeypatch.setenv("COLUMNS", "500")
        words = spike(line)[1].split()
        monkeypatch.setenv("COLUMNS", str(width))
        out = spike(line)[1]
        assert set(out.split()) == set(words)
        assert max(len(line) for line in out.splitlines() if "README.md" not in line) <= width


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_table_of_many_pairs_fits_the_terminal(monkeypatch, capsys, width):
    """Columns without room follow below; no figure is cut."""
    number = 12
    share = np.full((number, number), 0.125)
    np.fill_diagonal(share, np.nan)
    blocks = 50 - 50 * np.eye(number, dtype=int)
    found = Standings(
        agents=[f"greedy:noise=0.{place}" for place in range(number)],
        players=4,
        games=100,
        problems=0.0,
        ratings=[Interval(-0.4, -20.4, 19.6, 50)] * number,
        leads=[Interval(0.4, -20.4, 19.6, 50)] * (number - 1),
        win_share=[Interval(0.25, 0.2, 0.3, 50)] * number,
        pairs=Pairwise(share, share, share, blocks),
        ahead=np.ones((number, number), bool),
        circles=[],
        lottery=np.full(number, 1 / number),
    )
    monkeypatch.setenv("COLUMNS", str(width))
    show.standings(found)
    out = capsys.readouterr().out
    assert out.count("12.5*") == number * (number - 1)
    assert max(map(len, out.splitlines())) <= width
    assert not re.search(r"-0\b(?!\.)", out)


def readme_commands() -> list[str]:
    """Every `spike` command the README prints."""
    lines = [line.strip() for line in README.splitlines() if line.startswith("    spike ")]
    return [line.removeprefix("spike ") for line in lines]


def test_readme_commands_work_as_printed(spike, tmp_path):
    """All of them in order, in one folder; only the number of games is made small."""
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    (tmp_path / "experiments").symlink_to(ROOT / "experiments")
    bot = re.search(r"```python\n(class MyBot.*?)```", README, re.S)[1]
    (tmp_path / "my_bot.py").write_text(bot)
    commands = readme_commands()
    assert len(commands) >= 10
    for line in commands:
        if line.startswith(("bench", "run experiments/demo.toml", "--help")) or "human" in line:
            continue  # measured, run and played elsewhere
        line = re.sub(r"--games \d+", "--games 12", line)
        line = line.replace("mcts:iterations=20", "mcts:iterations=1")
        line = line.replace("--from 50 --to 800 --max-hours 2", "--from 1 --to 2 --max-hours 1e-9")
        line = line.replace("--cell 2 --block 17", "--cell 2 --block 1")
        line = line.replace("--trials 200", "--trials 2 --blocks 1 --confirm 0")
        line = line.replace("--margin 3", "--margin 15")
        line = line.replace("*.toml", "leasing_L5*.toml")
        if "*" in line:
            head, _, pattern = line.rpartition(" ")
            files = sorted(path.relative_to(tmp_path) for path in tmp_path.glob(pattern))
            line = " ".join([head, *map(str, files)])
        code, _, err = spike(line)
        assert code == 0, f"spike {line}: {err}"


def test_readme_python_works():
    code = re.search(r"```python\n(import sim.*?)```", README, re.S)[1]
    exec(compile(code, "README.md", "exec"), {})


RUN = shlex.split(
    "run westward-rails --players 3 --agents random,greedy,builder --games 3000 --out x"
)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_stops_at_once_and_resumes(tmp_path, workers):
    warm = [*RUN[:-3], "3", "--out", "warm"]  # what is compiled now does not take the first games
    assert subprocess.run([*COMMAND, *warm], cwd=tmp_path, env=environment()).returncode == 0
    for seconds in (0.7, 1.4, 2.1):  # a busy machine is late with its first game
        folder = tmp_path / str(seconds)
        folder.mkdir()
        interrupt(folder, workers, seconds)
        finished = Run.open(folder / "x").games()
        if finished:
            break
    assert 0 < finished < 3000
    finish(folder)


def interrupt(folder, workers, seconds):
    """Press Ctrl-C so long after a run has begun to play."""
    command = [*COMMAND, *RUN, "--workers", workers]
    process = subprocess.Popen(command, cwd=folder, env=environment(), stderr=subprocess.PIPE)
    while not (folder / "x" / "manifest.json").exists():
        time.sleep(0.05)
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert b"The same command goes on from here" in err


def test_kill_at_any_moment_and_resume_gives_the_same_table(tmp_path):
    expected = tmp_path / "whole"
    expected.mkdir()
    finish(expected)
    for number, delay in enumerate((0.05, 0.3, 0.8)):
        folder = tmp_path / str(number)
        folder.mkdir()
        process = subprocess.Popen(
            [*COMMAND, *RUN, "--workers", "2"],
            cwd=folder,
            env=environment(),
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        while not (folder / "x" / "manifest.json").exists():
            time.sleep(0.02)
        time.sleep(delay)
        process.kill()
        process.wait()
        finish(folder)
        pd.testing.assert_frame_equal(
            Run.open(folder / "x").table(), Run.open(expected / "x").table()
        )


def finish(folder: Path) -> None:
    """Run the same command to its end."""
    subprocess.run([*COMMAND, *RUN], cwd=folder, env=environment(), check=True, capture_output=True)


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)}
