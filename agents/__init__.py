"""What wants to win: agents by name, tuned ones from their files, or a bot of your own.

>>> import agents, sim
>>> game = sim.load("westward-rails")
>>> agents.load("greedy:noise=0.1", game).noise
0.1
"""

import dataclasses
import functools
import hashlib
import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np

from agents import restriction
from agents.base import GREEDY, HEURISTICS, MAX_WEIGHTS, PYTHON, SEARCH, UNIFORM, PythonAgent
from agents.restriction import JOINT, MEANING
from sim import contract
from sim.errors import Mistake, nearest
from sim.game import Board, Game
from sim.options import read_toml

# The parameter that every agent of these names has: default, and what it means.
_WITHOUT = {"without": ("", MEANING)}

# Parameters of greedy play that every game has: default, and what they mean unless it says more.
_COMMON = {
    "rivalry": (0.5, "worth lost for each unit of worth the mean rival gains"),
    "noise": (0.0, "chance of a random move"),
}

# Parameters of tree search: default, and what they mean. A game's module may have defaults of its
# own, SEARCH.
_SEARCH = {
    "iterations": (400, "iterations a decision"),
    "c": (0.3, "weight of what has been tried little against what has done well"),
    "trust": (0.8, "part of the prior that the named strategies' choices share"),
    "widening": (2.0, "actions admitted at a node, times the square root of its visits"),
    "ripe": (3, "visits of a leaf before its actions become nodes"),
    "playout": ("greedy", "strategy that plays on from a leaf, or random"),
    "playout_looks": (0, "legal actions, drawn at random, that it then chooses among; 0: all"),
    "playout_noise": (0.0, "chance of a random move in playouts"),
    "depth": (0, "choices after which a playout ends and is valued by its worth; 0: never"),
    "scale": (10.0, "worth by which a lead makes a win e times likelier, where a playout ends"),
    "paranoid": (0, "1: all others want the searcher to lose; 0: everybody wants to win"),
    "reuse": (0, "1: keeps the tree for the next decision, whose iterations count"),
    "noise": (0.0, "chance of a random move"),
}

# Least and most of a parameter, and whether it is a whole number.
_RANGES = {
    "noise": (0, 1, False),
    "iterations": (1, 1_000_000, True),
    "c": (0, np.inf, False),
    "trust": (0, 1, False),
    "widening": (0, np.inf, False),
    "ripe": (1, 1_000_000, True),
    "playout_noise": (0, 1, False),
    "playout_looks": (0, 1_000_000, True),
    "depth": (0, 1_000_000, True),
    "scale": (0.001, np.inf, False),
    "paranoid": (0, 1, True),
    "reuse": (0, 1, True),
}

# A preset file, and settings that replace some of its own.
_FILE = re.compile(r"(.+\.toml)(?::(.*))?")


@functools.cache
def heuristics(game: Game) -> ModuleType:
    """The game's module of features, weights and named strategies: it is named after the game."""
    module = importlib.import_module(f"agents.{game.name.replace('-', '_')}")
    contract.register(module, HEURISTICS)
    return module


@dataclasses.dataclass(frozen=True)
class Agent:
    """An agent as typed: `name`, `name:key=value:key=value`, `FILE.toml` or `FILE.py:Class`.

    Of one that plays by weights, `name` and `values` say the same in full: the named strategy it
    starts from, and all its parameters. What it is `without` it may not choose, see
    agents/restriction.py.
    """

    spec: str
    kind: int
    weights: tuple[float, ...] = ()
    rivalry: float = 0.0
    noise: float = 0.0
    make: Callable[[int], PythonAgent] | None = None
    search: dict[str, float] = dataclasses.field(default_factory=dict)
    name: str = ""
    values: dict[str, float | str] = dataclasses.field(default_factory=dict)
    without: tuple[str, ...] = ()

    @property
    def parameters(self) -> list[float]:
        """All numbers it plays by: with other ones it is another agent."""
        return [*self.weights, self.rivalry, self.noise, *self.search.values()]

    @property
    def tunable(self) -> dict[str, float]:
        """Its weights by name; none if it searches, plays at random or is a bot."""
        fixed = ("noise", "without")
        return {key: value for key, value in self.values.items() if key not in fixed}

    @property
    def room(self) -> int:
        """Iterations for which its tree must have room; 0: it does not search."""
        return int(self.search.get("iterations", 0) * (2 if self.search.get("reuse") else 1))

    def forbidden(self, board: Board) -> np.ndarray:
        """Which actions of a board it may not choose, by code: bool[MAX_CODE].

        Raises Mistake for words of `without` that no action of the board has.
        """
        try:
            return restriction.forbidden(board, self.without)
        except Mistake as mistake:
            raise Mistake(f"Agent {self.spec!r}: {mistake}") from None

    def most_loans(self, board: Board) -> int:
        """How many loans it may have; -1: as many as the rules allow."""
        return restriction.most_loans(board, self.without)

    @property
    def is_compiled(self) -> bool:
        """Whether it plays inside the compiled loop."""
        return self.kind != PYTHON


def names(game: Game) -> dict[str, str]:
    """The named agents of a game, each with a line that says how it plays.

    A game's module may have a remark on random play, `RANDOM`.
    """
    module = heuristics(game)
    remark = getattr(module, "RANDOM", "")
    return (
        {"random": f"any legal action, all equally likely{remark and f'; {remark}'}"}
        | {name: text for name, (text, _) in _weighted(module).items()}
        | {"mcts": "tree search: plays out what the named strategies and others would do"}
    )


def parameters(game: Game, name: str = "greedy") -> dict[str, tuple[float | str, str]]:
    """Parameters of an agent of a game by name: default, and what they mean."""
    module = heuristics(game)
    if name == "random":
        return _WITHOUT
    if name == "mcts":
        own, known = getattr(module, "SEARCH", {}), _SEARCH
    else:
        own, known = _weighted(module)[name][1], _COMMON | module.PARAMETERS
    return {key: (own.get(key, default), text) for key, (default, text) in known.items()} | _WITHOUT


def _weighted(module: ModuleType) -> dict[str, tuple[str, dict[str, float]]]:
    """The agents that play by weights: how each plays, and what sets it apart from greedy."""
    return module.PRESETS | {"tuned": module.TUNED}


def strategies(game: Game) -> list[Agent]:
    """The named strategies of a game, policies that a search may ask; `tuned` is not of them.

    A search that asked it, too, would be another player than the one that was measured.
    """
    return [load(name, game) for name in heuristics(game).PRESETS]


def load(spec: str, game: Game) -> Agent:
    """The agent of that spec.

    A preset file, as `spike tune` writes one, has the keys `game`, `agent` (a name) and
    `parameters` (a table); what it says of its `training` does not matter here.

    Raises Mistake for an unknown name, parameter or file, or a value that is not possible.
    """
    of_file: list[str] = []
    if file := _FILE.fullmatch(spec):
        name, of_file = _read_preset(file[1], game)
        settings = [] if file[2] is None else file[2].split(":")
    elif ".py" in spec:
        return _load_python(spec)
    else:
        name, *settings = spec.split(":")
    known = names(game)
    if name not in known:
        raise Mistake(f"There is no agent {name!r}{nearest(name, known)}.")
    values = {key: default for key, (default, _) in parameters(game, name).items()}
    for setting in [*of_file, *settings]:
        key, equals, text = setting.partition("=")
        if sum(other.startswith(f"{key}=") for other in settings) > 1:
            raise Mistake(f"Agent {spec!r} gives {key!r} more than once.")
        if key not in values:
            raise Mistake(f"Agent {spec!r} has no parameter {key!r}{nearest(key, values)}.")
        if not equals:
            what = {"playout": "STRATEGY", "without": "WORDS"}.get(key, "NUMBER")
            raise Mistake(f"Agent {spec!r}: write {key}={what}.")
        values[key] = _value(spec, game, key, text)
    words = values.pop("without")
    without = tuple(words.split(JOINT)) if words else ()
    if name == "random":
        return Agent(spec, UNIFORM, without=without)
    if name == "mcts":
        return _searcher(spec, game, values, without)
    weights = tuple(values[key] for key in heuristics(game).PARAMETERS)
    assert len(weights) <= MAX_WEIGHTS
    rivalry, noise = values["rivalry"], values["noise"]
    values |= {"without": words} if words else {}
    return Agent(spec, GREEDY, weights, rivalry, noise, name=name, values=values, without=without)


def _read_preset(path: str, game: Game) -> tuple[str, list[str]]:
    """The name in a preset file, and its parameters as settings of a spec."""
    preset = read_toml(path)
    keys = ("game", "agent", "parameters", "training")
    for key in preset:
        if key not in keys:
            raise Mistake(f"{path}: there is no key {key!r} in a preset{nearest(key, keys)}.")
    if (of := preset.get("game")) != game.name:
        raise Mistake(f"{path}: game = {of!r} should be {game.name!r}, which is played here.")
    name, given = preset.get("agent"), preset.get("parameters", {})
    if str(name) not in names(game):
        hint = nearest(str(name), names(game))
        raise Mistake(f"{path}: agent = {name!r} is no agent of {game.title}{hint}.")
    if not isinstance(given, dict):
        raise Mistake(f"{path}: parameters = {given!r} should be a table of numbers.")
    return name, [f"{key}={value}" for key, value in given.items()]


def _value(spec: str, game: Game, key: str, text: str) -> float | str:
    """The value of a parameter as typed."""
    if key == "playout":
        playouts = _playouts(game)
        if text not in playouts:
            raise Mistake(
                f"Agent {spec!r}: there is no strategy {text!r}{nearest(text, playouts)}."
            )
        return text
    if key == "without":
        parts = [" ".join(part.lower().split()) for part in text.split(JOINT)]
        if not all(re.search("[a-z0-9]", part) for part in parts):
            raise Mistake(f"Agent {spec!r}: without={text} should be words of an action.")
        return JOINT.join(parts)
    least, most, is_whole = _RANGES.get(key, (-np.inf, np.inf, False))
    try:
        value = float(text)
    except ValueError:
        raise Mistake(f"Agent {spec!r}: {key}={text} should be a number.") from None
    if not np.isfinite(value) or not least <= value <= most or (is_whole and value % 1):
        if np.isfinite(most):
            wanted = f"a {'whole ' if is_whole else ''}number from {least:,} to {most:,}"
        else:
            wanted = f"a finite number{f', {least:,} or more' if np.isfinite(least) else ''}"
        raise Mistake(f"Agent {spec!r}: {key}={text} should be {wanted}.")
    return int(value) if is_whole else value


def _playouts(game: Game) -> list[str]:
    """What may play on from a leaf: random, then the strategies in the order of `strategies`."""
    return ["random", *heuristics(game).PRESETS]


def _searcher(
    spec: str, game: Game, values: dict[str, float | str], without: tuple[str, ...]
) -> Agent:
    """The agent that searches with these parameters; it values positions as greedy does."""
    balanced = load("greedy", game)
    search = values | {"playout": _playouts(game).index(values["playout"]) - 1}
    noise = search.pop("noise")
    weights, rivalry = balanced.weights, balanced.rivalry
    return Agent(spec, SEARCH, weights, rivalry, noise, search=search, without=without)


def _load_python(spec: str) -> Agent:
    file, _, name = spec.rpartition(":")
    path = Path(file)
    if not file.endswith(".py") or not name:
        raise Mistake(f"Agent {spec!r} should be written FILE.py:Class.")
    if not path.is_file():
        raise Mistake(f"Agent {spec!r}: there is no file {file!r}.")
    source = path.read_bytes()
    bot = getattr(_module(path.resolve(), hashlib.sha256(source).hexdigest()), name, None)
    if bot is None:
        raise Mistake(f"Agent {spec!r}: {file} has no class {name!r}.")
    if not callable(getattr(bot, "choose", None)):
        raise Mistake(f"Agent {spec!r}: {name} has no method choose(self, position).")
    wants_seed = "seed" in inspect.signature(bot).parameters

    def make(seed: int) -> PythonAgent:
        try:
            return bot(seed=seed) if wants_seed else bot()
        except (Exception, SystemExit) as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise Mistake(f"Agent {spec!r} cannot be made: {reason}.") from None

    return Agent(spec, PYTHON, make=make)


@functools.cache
def _module(path: Path, digest: str) -> ModuleType:
    """The module in a user's file, loaded again when the file has changed."""
    found = importlib.util.spec_from_file_location(f"user_agents_{digest}", path)
    module = importlib.util.module_from_spec(found)
    sys.path.append(str(path.parent))  # for good: an agent may import what it needs later
    sys.modules[found.name] = module  # dataclasses look their module up
    try:
        found.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise Mistake(f"{path}: it cannot be loaded: {reason}.") from None
    return module
