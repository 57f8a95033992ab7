"""Batches of games for the agents' tests, and one digest for all that a batch leaves.

As a program it plays batches and prints their digests, every numpy warning an error:

    python -m tests.agents.play
"""

import dataclasses
import hashlib
import json
import random
import warnings
from collections.abc import Sequence

import numpy as np

import agents
import sim
from agents import Agent
from agents.base import PYTHON
from agents.loop import Batch, Games
from sim.game import Board
from sim.rng import stream

GAME = sim.load("westward-rails")
BOARD = GAME.board()
STRATEGIES = list(agents.heuristics(GAME).PRESETS)
SEARCH = "mcts:iterations=6:depth=8"  # enough to show what it keeps to

# What a process of its own plays: specs, games.
PLAIN = [
    (["random", "random", "random"], 2),
    (["greedy:noise=0.3", "random", "random"], 1),
    (["greedy:without=bid 5+upgrade", "random:without=build", "random"], 1),
]


class AtRandom:
    """A bot as a user might write it: any legal action, drawn from its own seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def choose(self, position):
        return self.random.choice(position.legal())


def python_agent(bot: type, takes_seed: bool = True) -> Agent:
    """The agent for a bot class, as `agents.load` makes it from a file."""
    make = (lambda seed: bot(seed=seed)) if takes_seed else (lambda seed: bot())
    return Agent(f"bot.py:{bot.__name__}", PYTHON, make=make)


def batch(
    specs: Sequence[str | Agent],
    count: int,
    seed: int = 1,
    board: Board = BOARD,
    agent_seed: int | None = None,
    first: int = 0,
    weighed: bool = False,
) -> Batch:
    """Games `first` to `first + count - 1`: game g is rotation g % n of block g // n.

    The agent typed at place c has seat (c + g) % n.
    """
    n = len(specs)
    loaded = [spec if isinstance(spec, Agent) else agents.load(spec, board.game) for spec in specs]
    agent_seed = seed if agent_seed is None else agent_seed
    line_ups, game_seeds, agent_seeds = [], [], []
    for number in range(first, first + count):
        block, rotation = divmod(number, n)
        copies = [(seat - rotation) % n for seat in range(n)]
        line_ups.append([loaded[copy] for copy in copies])
        game_seeds.append(stream(seed, block) % 2**53)
        agent_seeds.append([stream(agent_seed, block, rotation, copy) for copy in copies])
    seeds = np.array(game_seeds), np.array(agent_seeds, np.uint64)
    return Batch(board, line_ups, *seeds, weighed=np.full(count, weighed))


def play(*arguments, **more) -> Games:
    """The games of `batch`, played to their end."""
    return batch(*arguments, **more).play()


def by_copy(values: np.ndarray) -> np.ndarray:
    """Values[G, n] by seat, turned to columns by place in the line-up of `batch`."""
    count, n = values.shape
    seats = (np.arange(n)[None, :] + np.arange(count)[:, None]) % n
    return np.take_along_axis(values, seats, axis=1)


def measure(games: Games, name: str) -> np.ndarray:
    """A measure of each game by place in the line-up, [G, n]."""
    row = [measure.name for measure in GAME.measures].index(name)
    return by_copy(games.measures[:, row])


def digest(games: Games) -> str:
    """Digest of every table."""
    whole = hashlib.sha256()
    for field in dataclasses.fields(games):
        values = np.ascontiguousarray(getattr(games, field.name))
        if field.name == "failure":
            whole.update(repr(values.tolist()).encode())
            continue
        whole.update(f"{field.name} {values.dtype} {values.shape}".encode())
        whole.update(np.where(np.isnan(values), -1, values).tobytes())
    return whole.hexdigest()


def actions(started: Batch, game: int = 0) -> list[int]:
    """The codes of a game of the batch, step by step to its end."""
    played = []
    while (action := started.step(game)) is not None:
        played.append(action)
    return played


def plain_digests() -> list[str]:
    """Digests of the batches in `PLAIN`, and of one with a bot in Python."""
    digests = [digest(play(specs, count, seed=4)) for specs, count in PLAIN]
    line_up = [python_agent(AtRandom), "random", "random"]
    return [*digests, digest(play(line_up, 1, seed=5))]


def main() -> None:
    warnings.simplefilter("error")
    with np.errstate(over="raise"):
        print(json.dumps(plain_digests()))


if __name__ == "__main__":
    main()
