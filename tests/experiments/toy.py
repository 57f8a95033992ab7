"""A game of one hash: each seat's score is its agent's strength, its seat's bonus, and chance.

It stands in for a real game, its agents and the loop, so that the runner is tested by itself.
The agent "weighted" is the stronger the nearer its weights are to BEST.
"""

import hashlib
import itertools
import time
import tomllib
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from agents.loop import SAMPLES
from sim.contract import Measure
from sim.errors import Mistake, nearest
from sim.options import Options as GameOptions

STRENGTH = {
    "plain": 0.0,
    "same": 0.0,
    "handy": 0.03,
    "strong": 0.3,
    "python": 0.0,
    "slow": 0.0,
    "stubborn": 0.0,
    "endless": 0.0,
    "weighted": 0.0,
    "plain:without=legs": -0.3,
    "plain:without=hat": 0.0,
    "plain:without=ballast": 0.3,
}
SLOW = 0.02  # seconds of a game
QUICK = 8  # games of "endless" in a process before those that never end

endless_games = itertools.count(1)

# A sweep with a setting that is fair, one that is on the margin, and one that is neither.
SWEEP = {
    "game": "toy",
    "players": [3, 4],
    "agents": ["plain"],
    "settings": {"first_seat_bonus": [0.0, 0.1, 0.2]},
    "kind": "sweep",
    "margin": 8.0,
}

WEIGHTS = {"push": 0.5, "pull": 0.0, "noise": 0.0}
BEST = {"push": 0.9, "pull": 0.3}


class Options(GameOptions):
    first_seat_bonus: float = 0.0
    coins: int = 10
    rule: str = "a"

    def batch_fault(self):
        return "coins = 0 lets a game last for ever; give 1 or more." if self.coins == 0 else None


class Game:
    name, title, version, players = "toy", "Toy", 3, range(2, 6)
    measures = (Measure("coins_left", "$", "Coins at the end.", True),)
    end_reasons = ("goal", "deadlock")
    options = Options

    def ready(self):
        """Nothing is compiled."""

    def board(self, name=None, settings=None, where="--set"):
        return self.board_from({"city": []}, name, settings)

    def board_from(self, document, name=None, settings=None):
        name = name or "plain"
        for key in settings or {}:
            if key.partition(".")[0] not in Options.model_fields:
                raise Mistake(f"There is no option {key!r}{nearest(key, Options.model_fields)}")
        options = Options(
            **{key.partition(".")[0]: value for key, value in (settings or {}).items()}
        )
        text = f"{name} {options}"
        return SimpleNamespace(
            name=name,
            label="Toy map",
            digest=hashlib.sha256(text.encode()).hexdigest(),
            options=options,
            settings=settings or {},
            elements=["left", "right"],
            document=document,
        )


class Agent:
    def __init__(self, spec, name, values):
        self.spec, self.name, self.values = spec, name, values
        self.tunable = {key: values[key] for key in values if key != "noise"}
        self.strength = STRENGTH.get(spec, 0.0)
        self.strength -= sum((values[key] - BEST[key]) ** 2 for key in self.tunable)
        self.parameters = [self.strength, *values.values()]
        self.is_compiled = spec not in ("python", "slow", "stubborn", "endless")

    def forbidden(self, board):
        """The only words there are."""
        words = self.spec.partition(":without=")[2]
        if words not in ("", "legs", "hat", "ballast"):
            raise Mistake(f"Agent {self.spec!r}: there is no {words} on {board.name}.")


def load(spec, game):
    name, *settings = spec.split(":")
    values = {}
    if spec.endswith(".toml"):
        preset = tomllib.loads(Path(spec).read_text())
        name, settings, values = preset["agent"], [], preset["parameters"]
    elif name not in STRENGTH and ".py:" not in spec:
        raise Mistake(f"There is no agent {spec!r}{nearest(spec, STRENGTH)}")
    if name == "weighted":
        pairs = (setting.split("=") for setting in settings)
        values = WEIGHTS | values | {key: float(value) for key, value in pairs}
    return Agent(spec, name, values)


def _chance(*words):
    """Numbers from 0 to 1 that depend on every bit of the words (SplitMix64's finish)."""
    bits = np.zeros((), np.uint64)
    with np.errstate(over="ignore"):
        for word in words:
            bits = bits + np.uint64(0x9E3779B97F4A7C15) + word
            bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            bits = bits ^ (bits >> np.uint64(31))
    return (bits >> np.uint64(11)).astype(float) * 2.0**-53


def play_games(board, line_up, game_seeds, agent_seeds, stop=None, weighed=None):
    """Games that take no time, but for those of "slow", "stubborn" and "endless" players."""
    games, n = agent_seeds.shape
    for agents in line_up:
        if agents[0].spec == "stubborn":
            time.sleep(0.5)
        if agents[0].spec == "endless":
            time.sleep(0.1 if next(endless_games) <= QUICK else 3600)
        if agents[0].spec == "slow":
            time.sleep(SLOW)
        if stop is not None and stop():
            return None
    strength = np.array([[agent.strength for agent in agents] for agents in line_up])
    score = _chance(game_seeds[:, None], agent_seeds) + strength
    score[:, 0] += board.options.first_seat_bonus
    win_share = (score == score.max(axis=1, keepdims=True)).astype(float)
    win_share /= win_share.sum(axis=1, keepdims=True)
    return SimpleNamespace(
        win_share=win_share,
        score=score,
        decisions=np.full((games, n), 4, np.int32),
        options=np.full((games, n), 12, np.int32),
        forced=np.full((games, n), 1, np.int32),
        lead_changes=(game_seeds % np.uint64(3)).astype(np.int32),
        dead_turns=np.where(weighed, 0.25, np.nan),
        choices_that_matter=np.where(weighed, 0.5, np.nan),
        turns=(game_seeds % np.uint64(20)).astype(np.int32),
        end_reason=(game_seeds % np.uint64(2)).astype(np.int8),
        status=np.zeros(games, np.int8),
        offender=np.full(games, -1, np.int8),
        trajectory=score[:, None, :] * np.linspace(0, 1, SAMPLES)[None, :, None],
        measures=score[:, None, :] + board.options.coins,
        failure=[""] * games,
        usage=np.array([games, (game_seeds % np.uint64(7)).sum()], np.int64),
    )


def open_house(name):
    return Game(), load, play_games
