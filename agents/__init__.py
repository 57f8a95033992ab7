"""What wants to win: agents by name, or from a file of your own.

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
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np

from agents.base import GREEDY, HEURISTICS, MAX_WEIGHTS, PYTHON, UNIFORM, PythonAgent
from sim import contract
from sim.errors import Mistake, nearest
from sim.game import Game

# Parameters of greedy play that every game has: default, and what they mean unless it says more.
_COMMON = {
    "rivalry": (0.5, "worth lost for each unit of worth the mean rival gains"),
    "noise": (0.0, "chance of a random move"),
}


@functools.cache
def heuristics(game: Game) -> ModuleType:
    """The game's module of features, weights and named strategies: it is named after the game."""
    module = importlib.import_module(f"agents.{game.name.replace('-', '_')}")
    contract.register(module, HEURISTICS)
    return module


@dataclasses.dataclass(frozen=True)
class Agent:
    """An agent as typed: `name`, `name:key=value:key=value` or `FILE.py:Class`."""

    spec: str
    kind: int
    weights: tuple[float, ...] = ()
    rivalry: float = 0.0
    noise: float = 0.0
    make: Callable[[int], PythonAgent] | None = None

    @property
    def parameters(self) -> list[float]:
        """All numbers it plays by: with other ones it is another agent."""
        return [*self.weights, self.rivalry, self.noise]

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
    return {"random": f"any legal action, all equally likely{remark and f'; {remark}'}"} | {
        name: text for name, (text, _) in module.PRESETS.items()
    }


def parameters(game: Game) -> dict[str, tuple[float, str]]:
    """Parameters of greedy play in a game: default, and what they mean."""
    return _COMMON | heuristics(game).PARAMETERS


def load(spec: str, game: Game) -> Agent:
    """The agent of that spec.

    Raises Mistake for an unknown name, parameter or file, or a value that is not a number.
    """
    if ".py" in spec:
        return _load_python(spec)
    name, *settings = spec.split(":")
    module = heuristics(game)
    known = names(game)
    if name not in known:
        raise Mistake(f"There is no agent {name!r}{nearest(name, known)}.")
    values = {key: default for key, (default, _) in parameters(game).items()}
    values |= {} if name == "random" else module.PRESETS[name][1]
    allowed = {} if name == "random" else values
    for setting in settings:
        key, equals, text = setting.partition("=")
        if sum(other.startswith(f"{key}=") for other in settings) > 1:
            raise Mistake(f"Agent {spec!r} gives {key!r} more than once.")
        if key in allowed and not equals:
            raise Mistake(f"Agent {spec!r}: write {key}=NUMBER.")
        if key not in allowed:
            hint = nearest(key, allowed) if allowed else "; it has none"
            raise Mistake(f"Agent {spec!r} has no parameter {key!r}{hint}.")
        try:
            values[key] = float(text)
        except ValueError:
            raise Mistake(f"Agent {spec!r}: {key}={text} should be a number.") from None
        if not np.isfinite(values[key]) or (key == "noise" and not 0 <= values[key] <= 1):
            wanted = "a number from 0 to 1" if key == "noise" else "a finite number"
            raise Mistake(f"Agent {spec!r}: {key}={text} should be {wanted}.")
    if name == "random":
        return Agent(spec, UNIFORM)
    weights = tuple(values[key] for key in module.PARAMETERS)
    assert len(weights) <= MAX_WEIGHTS
    return Agent(spec, GREEDY, weights, values["rivalry"], values["noise"])


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
