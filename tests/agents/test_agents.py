"""Agents by name and from a file: what can be typed, and what is said when it is wrong."""

import inspect
import re
import textwrap

import numpy as np
import pytest

import agents
from agents import base
from sim.errors import Mistake
from tests.agents.play import BOARD, GAME, STRATEGIES, batch, digest, play

BOT = """
    class Bot:
        def choose(self, position):
            return position.legal()[0]
"""


@pytest.fixture
def write(tmp_path):
    """Writes a bot file, each in a folder of its own; returns its path."""

    def write(text, name="my_bot.py"):
        folder = tmp_path / str(sum(1 for _ in tmp_path.iterdir()))
        folder.mkdir()
        (folder / name).write_text(textwrap.dedent(text))
        return folder / name

    return write


def mistake(spec) -> str:
    """The one sentence that is said about a spec."""
    with pytest.raises(Mistake) as caught:
        agents.load(str(spec), GAME)
    text = str(caught.value)
    assert "\n" not in text
    assert text[-1] in ".?)"
    assert not re.search(r"[.?!] +[A-Z]", text), f"more than one sentence: {text}"
    return text


# ------------------------------------------------------------------------------------ by name


def test_names_tell_how_they_play():
    names = agents.names(GAME)
    assert {"random", "greedy"} < set(names)
    assert len(names) >= 6  # four named strategies besides
    assert all(text and "\n" not in text for text in names.values())
    assert len(set(names.values())) == len(names)


def test_parameters_have_a_default_and_a_meaning():
    parameters = agents.parameters(GAME)
    assert {"noise", "rivalry", "cash"} <= set(parameters)
    assert parameters.pop("without")[0] == ""
    for default, text in parameters.values():
        assert np.isfinite(default)
        assert text


def test_presets_change_parameters_that_exist():
    presets = agents.heuristics(GAME).PRESETS
    assert presets["greedy"][1] == {}
    for name, (_, changes) in presets.items():
        assert set(changes) <= set(agents.parameters(GAME)), name


def test_every_name_is_loaded():
    for name in agents.names(GAME):
        agent = agents.load(name, GAME)
        assert agent.spec == name
        assert agent.is_compiled


def test_settings_reach_the_agent():
    keys = list(agents.heuristics(GAME).PARAMETERS)
    agent = agents.load("greedy:cash=2:noise=0.25:rivalry=-1e-1", GAME)
    assert agent.weights[keys.index("cash")] == 2
    assert (agent.noise, agent.rivalry) == (0.25, -0.1)
    default = agents.load("greedy", GAME)
    assert default.noise == 0
    for key, weight in zip(keys, default.weights, strict=True):
        assert weight == agents.parameters(GAME)[key][0]
    for name in STRATEGIES:
        for key, value in agents.heuristics(GAME).PRESETS[name][1].items():
            strategy = agents.load(name, GAME)
            known = dict(zip(keys, strategy.weights, strict=True))
            known |= {"noise": strategy.noise, "rivalry": strategy.rivalry}
            assert known[key] == value


@pytest.mark.parametrize("noise", ["0", "1", "0.5", "1e-3"])
def test_noise_from_nought_to_one(noise):
    assert agents.load(f"greedy:noise={noise}", GAME).noise == float(noise)


def test_greedy_that_is_all_noise_plays_at_random():
    """And a little noise changes some games, not all choices."""
    random = play(["random"] * 4, 40).score.mean()
    greedy = play(["greedy"] * 4, 40).score.mean()
    noisy = play(["greedy:noise=1"] * 4, 40).score.mean()
    assert abs(noisy - random) < 0.2 * abs(greedy - random)
    assert digest(play(["greedy:noise=0.02"] * 4, 4)) != digest(play(["greedy"] * 4, 4))
    assert digest(play(["greedy:noise=0"] * 4, 4)) == digest(play(["greedy"] * 4, 4))


@pytest.mark.parametrize(
    ("spec", "part"),
    [
        ("gredy", "no agent 'gredy'; the nearest is 'greedy'"),
        ("collecter", "the nearest is 'collector'"),
        ("zzz", "choose from "),
        ("", "no agent ''"),
        ("Greedy", "the nearest is 'greedy'"),
        (" greedy", "the nearest is 'greedy'"),
        ("greedy:nose=0.1", "no parameter 'nose'; the nearest is 'noise'"),
        ("greedy:demand=1", "the nearest is 'demands'"),
        ("racer:zzz=1", "no parameter 'zzz'; choose from "),
        ("greedy:noise", "noise"),
        ("greedy:", "no parameter ''"),
        ("greedy:=1", "no parameter ''"),
        ("greedy:noise=", "should be a number"),
        ("greedy:noise=lots", "noise=lots should be a number"),
        ("greedy:cash=1,5", "cash=1,5 should be a number"),
        ("greedy:noise=1.1", "should be a number from 0 to 1"),
        ("greedy:noise=-0.1", "should be a number from 0 to 1"),
        ("greedy:noise=nan", "should be a number from 0 to 1"),
        ("greedy:cash=inf", "should be a finite number"),
        ("greedy:rivalry=nan", "should be a finite number"),
        ("random:noise=0.5", "no parameter 'noise'; choose from without"),
        ("greedy:without", "write without=WORDS"),
        ("greedy:without=", "without= should be words of an action"),
        ("random:without=upgrade+", "without=upgrade+ should be words of an action"),
        ("mcts:without=-", "without=- should be words of an action"),
        ("greedy:without=bid:without=pass", "gives 'without' more than once"),
    ],
)
def test_wrong_spec(spec, part):
    text = mistake(spec)
    assert part in text
    assert repr(spec) in text or repr(spec.split(":")[0]) in text


# ---------------------------------------------------------------------------- from a preset file


PRESET = """
    game = "westward-rails"
    agent = "racer"
    parameters = {cash = 2, links = 0.25, noise = 0.5}
    training = {seed = 1}
"""


def test_a_preset_file_is_what_could_be_typed(write):
    path = write(PRESET, "tuned.toml")
    agent = agents.load(str(path), GAME)
    typed = agents.load("racer:cash=2:links=0.25:noise=0.5", GAME)
    assert agent.spec == str(path) and agent.name == "racer"
    assert agent.parameters == typed.parameters and agent.values == typed.values
    assert agent.values["demands"] == agents.parameters(GAME, "racer")["demands"][0]
    fixed = ("noise", "without")
    assert list(agent.tunable) == [key for key in agents.parameters(GAME) if key not in fixed]
    changed = agents.load(f"{path}:noise=0:bids=3", GAME)
    assert (changed.noise, changed.values["bids"], changed.values["cash"]) == (0, 3, 2)
    assert not agents.load("mcts", GAME).tunable and not agents.load("random", GAME).tunable
    path.write_text('game = "westward-rails"\nagent = "mcts"\nparameters.playout = "racer"\n')
    search = agents.load(f"{path}:iterations=7", GAME).search
    assert search == agents.load("mcts:playout=racer:iterations=7", GAME).search


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("westward-rails", "railways-of-the-world", "game = 'railways-of-the-world' should be 'we"),
        ('game = "westward-rails"', "", "game = None should be 'westward-rails'"),
        ('"racer"', '"raser"', "agent = 'raser' is no agent of Westward Rails; the nearest is 'ra"),
        ('"racer"', "[]", r"agent = \[\] is no agent of Westward Rails"),
        ("links", "lynks", "no parameter 'lynks'; the nearest is 'links'"),
        ("0.25", '"many"', "links=many should be a number"),
        ("0.25", "true", "links=True should be a number"),
        ("0.25", "inf", "links=inf should be a finite number"),
        ("noise = 0.5", "noise = 1.5", "noise=1.5 should be a number from 0 to 1"),
        ("{cash = 2, links = 0.25, noise = 0.5}", "3", "parameters = 3 should be a table"),
        ("training", "traning", "no key 'traning' in a preset; the nearest is 'training'"),
        ("training = ", "training ", "it is not valid TOML"),
    ],
)
def test_wrong_preset_file(write, old, new, part):
    path = write(PRESET.replace(old, new), "tuned.toml")
    with pytest.raises(Mistake, match=part) as caught:
        agents.load(str(path), GAME)
    assert str(path) in str(caught.value)


def test_wrong_words_after_a_preset_file(write, tmp_path):
    path = write(PRESET, "tuned.toml")
    assert "gives 'cash' more than once" in mistake(f"{path}:cash=1:cash=2")
    assert "no parameter ''" in mistake(f"{path}:")
    assert "there is no such file" in mistake(tmp_path / "absent.toml")


# ----------------------------------------------------------------------------- from a user's file


def test_missing_file(tmp_path):
    text = mistake(tmp_path / "absent.py:Bot")
    assert "there is no file" in text
    assert "absent.py" in text
    assert "FILE.py:Class" in mistake(tmp_path / "absent.py")


def test_folder_is_no_file(tmp_path):
    (tmp_path / "folder.py").mkdir()
    assert "there is no file" in mistake(tmp_path / "folder.py:Bot")


def test_file_without_the_class(write):
    path = write(BOT)
    assert "no class 'Bit'" in mistake(f"{path}:Bit")
    assert "FILE.py:Class" in mistake(path)
    assert "FILE.py:Class" in mistake(f"{path}:")
    assert "FILE.py:Class" in mistake(f"{path}:Bot:noise=1")


def test_class_without_choose(write):
    path = write("class Bot:\n    choose = 3\n\nclass Other:\n    pass\n\nnumber = 7\n")
    for name in ("Bot", "Other", "number"):
        text = mistake(f"{path}:{name}")
        assert f"{name} has no method choose(self, position)" in text


@pytest.mark.parametrize(
    ("source", "part"),
    [
        ("class Bot\n    pass\n", "SyntaxError"),
        ("class Bot:\n  a = 1\n   b = 2\n", "IndentationError"),
        ("import no_such_module_here\n", "no_such_module_here"),
        ("raise ValueError('not today')\n", "not today"),
        ("raise RuntimeError('first line\\nsecond line')\n", "first line"),
        ("import sys\nsys.exit('gone')\n", "gone"),
    ],
)
def test_file_that_cannot_be_loaded(write, source, part):
    path = write(source)
    text = mistake(f"{path}:Bot")
    assert "cannot be loaded" in text
    assert "my_bot.py" in text
    assert part in text


def test_bot_from_a_relative_path(write, monkeypatch):
    path = write(BOT)
    monkeypatch.chdir(path.parent)
    for spec in ("./my_bot.py:Bot", "my_bot.py:Bot"):
        agent = agents.load(spec, GAME)
        assert agent.spec == spec
        assert not agent.is_compiled
    assert set(play([agents.load("./my_bot.py:Bot", GAME), "random", "random"], 1).status) == {0}


def test_two_files_of_one_name(write):
    """Each is its own, though both are called my_bot.py."""
    specs = [f"{write(f'number = {n}' + textwrap.dedent(BOT))}:Bot" for n in (1, 2)]
    made = [agents.load(spec, GAME).make(0) for spec in specs]
    assert [type(bot).choose.__globals__["number"] for bot in made] == [1, 2]


def test_imports_beside_the_file(write):
    path = write(
        """
        from beside_the_bot_1 import pick

        class Bot:
            def choose(self, position):
                return pick(position.legal())
        """
    )
    (path.parent / "beside_the_bot_1.py").write_text("def pick(legal):\n    return legal[-1]\n")
    games = play([f"{path}:Bot", "random", "random"], 1)
    assert games.status.tolist() == [0]


def test_file_with_a_dataclass(write):
    """Python looks its module up by name when annotations are texts."""
    path = write(
        """
        from __future__ import annotations
        from dataclasses import dataclass

        @dataclass
        class Bot:
            seed: int

            def choose(self, position):
                return position.legal()[self.seed % 2]
        """
    )
    assert agents.load(f"{path}:Bot", GAME).make(7).seed == 7


def test_seed_is_given_to_who_wants_it(write):
    path = write(
        """
        class Seeded:
            def __init__(self, seed):
                self.seed = seed

            def choose(self, position):
                return position.legal()[0]

        class ByKeyword(Seeded):
            def __init__(self, *, depth=2, seed=0):
                self.seed = seed

        class Plain(Seeded):
            def __init__(self, depth=2):
                self.seed = "none"
        """
    )
    made = {
        name: agents.load(f"{path}:{name}", GAME).make(2**64 - 1).seed
        for name in ("Seeded", "ByKeyword", "Plain")
    }
    assert made == {"Seeded": 2**64 - 1, "ByKeyword": 2**64 - 1, "Plain": "none"}


def test_a_fresh_bot_for_every_seat_of_every_game(write):
    path = write(
        """
        class Bot:
            def __init__(self, seed):
                self.seed = seed
                self.seats = set()

            def choose(self, position):
                self.seats.add(position.to_move)
                return position.legal()[0]
        """
    )
    started = batch([f"{path}:Bot"] * 3, 4)
    bots = dict(started.python)
    assert len(bots) == 12
    assert len({id(bot) for bot in bots.values()}) == 12
    seeds = {place: int(started.seats[place].rng) for place in bots}
    assert {place: bot.seed for place, bot in bots.items()} == seeds
    assert len(set(seeds.values())) == 12
    started.play()
    assert {place: bot.seats for place, bot in bots.items()} == {
        (game, seat): {seat} for game, seat in bots
    }


def test_the_documented_bot(write):
    """The ten lines in `agents.base` are a bot, and play."""
    lines = inspect.getdoc(base).splitlines()
    source = "\n".join(line for line in lines if line.startswith("    ") or not line)
    assert 8 <= sum(1 for line in source.splitlines() if line.strip()) <= 12
    typed = re.search(r"--agents (\S+?)`", base.__doc__)[1].split(",")[-1]
    file, name = typed.rsplit(":", 1)
    path = write(source, file.removeprefix("./"))
    line_up = [f"{path}:{name}", "greedy", "random"]
    games = play(line_up, 6)
    assert games.status.tolist() == [0] * 6
    assert digest(games) == digest(play(line_up, 6))
    assert digest(games) != digest(play(line_up, 6, agent_seed=9))
    assert BOARD.game is GAME
