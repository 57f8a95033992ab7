"""Tune an agent's weights: CMA-ES over paired games, and a match on fresh deals to confirm it.

Every candidate plays the same blocks in the same order: alone among the rivals, in each seat. One
that is clearly behind the best so far is stopped early. What is found was chosen by the games it
was tried in, so its share of their wins flatters it; only the match afterwards is evidence.

Sources: N. Hansen, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772 (2016), as in optuna
and cmaes; F. Wilcoxon, Individual Comparisons by Ranking Methods, Biometrics Bulletin 1 (1945).
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import math
import os
import signal
import statistics
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import joblib
import pyarrow as pa

from experiments import runner, store
from experiments.metrics import percent
from experiments.plan import Cell, Plan
from sim.errors import Mistake, nearest
from sim.layout import counted

if TYPE_CHECKING:
    from optuna import Study, Trial
    from optuna.trial import FrozenTrial

#: Blocks after each of which it is asked whether a candidate goes on. Fewer say little, and of up
#: to 13 scipy weighs all signs, which takes longer than their games.
ROUND = 20
#: Of the tuning's folder: all trials, the agent found, and the match that confirms it.
STUDY, TUNED, CONFIRMATION = "study.journal", "tuned.toml", "confirmation"


@dataclasses.dataclass(frozen=True)
class Tuning:
    """What is tuned, and where and how it is tried; made by `build`.

    Attributes
    ----------
    plan
        The untuned weights among the rivals: one cell.
    agent
        The agent to tune, as typed.
    name, values
        The named strategy it stands on, and all its parameters.
    against
        The rivals as named.
    ranges
        For each weight to tune, the least and the most that is tried.
    spread
        How far that is, in units of the weight.
    trials
        Candidates; the first is the untuned weights.
    manifest
        The rules, agents and boards it rests on.
    """

    plan: Plan
    cell: Cell
    agent: str
    name: str
    values: dict[str, float]
    against: list[str]
    ranges: dict[str, tuple[float, float]]
    spread: float
    trials: int
    game: Any
    manifest: dict[str, Any]

    @classmethod
    def build(
        cls,
        asked: dict[str, Any],
        agent: str = "greedy",
        against: Sequence[str] | None = None,
        weights: Sequence[str] | None = None,
        spread: float = 0.5,
        trials: int = 200,
        blocks: int = 100,
    ) -> Tuning:
        """A tuning of `weights` (all if None) at a setting: `asked` is a plan but for its agents.

        Raises Mistake for whatever is not possible.
        """
        for flag, number in (("trials", trials), ("blocks", blocks)):
            if number < 1:
                raise Mistake(f"--{flag}: {number} is not possible; give 1 or more.")
        if not 0 < spread < math.inf:
            raise Mistake(f"--spread: {spread:g} is not possible; give more than 0, such as 0.5.")
        game, load, _ = runner.open_house(asked["game"])
        players = asked["players"]
        base = load(agent, game)
        if not base.tunable:
            raise Mistake(
                f"--agent: {agent!r} has no weights to tune; give greedy or another named strategy."
            )
        for name in weights or ():
            if name not in base.tunable:
                raise Mistake(
                    f"--weights: {agent!r} has no weight {name!r}{nearest(name, base.tunable)}."
                )
        rivals = list(against or [agent])
        if len(rivals) > players - 1 >= 1:
            raise Mistake(
                f"--against: {len(rivals)} rivals are too many for a table of {players}; name at "
                f"most {players - 1}, a shorter list is repeated."
            )
        seats = [rivals[seat % len(rivals)] for seat in range(players - 1)]
        asked = asked | {"agents": [_spec(base.name, base.values), *seats]}
        plan = Plan.build(asked | {"games": blocks * players}, source="The command")
        (cell,) = plan.cells(game)
        return cls(
            plan=plan,
            cell=cell,
            agent=agent,
            name=base.name,
            values=base.values,
            against=rivals,
            ranges={
                name: _range(name, base.tunable, spread)
                for name in base.tunable
                if not weights or name in weights
            },
            spread=float(spread),
            trials=trials,
            game=game,
            manifest=runner.describe(plan, game, load, [cell]),
        )

    @property
    def games(self) -> int:
        """Games it takes at most, if no candidate is stopped early."""
        return self.trials * self.cell.games

    @property
    def asked(self) -> dict[str, Any]:
        """All that the trials follow from, as asked for."""
        plan = self.plan.model_dump(mode="json")
        return {key: plan[key] for key in ("game", "players", "settings", "board", "seed")} | {
            "agent": self.agent,
            "against": self.against,
            "weights": list(self.ranges),
            "spread": self.spread,
            "blocks": self.cell.blocks,
            "trials": self.trials,
            **{package: version(package) for package in ("optuna", "cmaes")},
        }

    def weights(self, tried: dict[str, float]) -> dict[str, float]:
        """The weights a trial played: five digits will do, but for the untuned ones."""
        return {
            name: self.values[name] if value == self.values[name] else float(f"{value:.5g}")
            for name, value in tried.items()
        }

    def confirmation(self, folder: str | Path, games: int) -> Plan:
        """The match of the tuned agent against the untuned one, on deals that no trial played.

        Its seed is that of the tuning plus 1. Raises Mistake for too few games.
        """
        changes = {"agents": [str(Path(folder) / TUNED), self.agent], "seed": self.plan.seed + 1}
        changes |= {"games": games, "kind": "match"}
        plan = Plan.build(self.plan.model_dump() | changes, source="The confirmation")
        plan.cells(self.game)
        return plan


@dataclasses.dataclass(frozen=True)
class Tuned:
    """What a tuning has found.

    Attributes
    ----------
    weights, untuned
        The weights that did best, and those it began with.
    trial
        The number of the trial they are of; 0: the untuned weights did best.
    win_share, untuned_win_share, fair_share
        In training; that of the best flatters it.
    trials, stopped, games
        Candidates tried, those of them stopped early, and all games they took.
    """

    weights: dict[str, float]
    untuned: dict[str, float]
    trial: int
    win_share: float
    untuned_win_share: float
    fair_share: float
    trials: int
    stopped: int
    games: int

    def to_json(self) -> dict[str, Any]:
        """What was found, for scripts."""
        training = dataclasses.asdict(self)
        return {key: training.pop(key) for key in ("weights", "untuned")} | {"training": training}

    def sentences(self) -> list[str]:
        """What was found, for people."""
        spent = f"{counted(self.games, 'games')}, {self.stopped} stopped early"
        fair = percent(self.fair_share)
        if self.trial == 0:
            return [
                f"Of {counted(self.trials, 'candidates')} ({spent}) none did better than the "
                f"untuned weights, which won {percent(self.win_share)} where {fair} is fair."
            ]
        return [
            f"Of {counted(self.trials, 'candidates')} ({spent}) number {self.trial} did best in "
            f"training: it won {percent(self.win_share)}, the untuned weights "
            f"{percent(self.untuned_win_share)}, where {fair} is fair.",
            "It was chosen for these games, which flatters it; the evidence is a match on others.",
        ]


def search(
    tuning: Tuning,
    folder: str | Path,
    workers: int | None = None,
    progress: runner.Progress | None = None,
) -> Tuned:
    """Try the candidates, or what is left of them, and write the best as a preset file.

    The same tuning in the same folder goes on where it stopped, at the trial that was broken off,
    and ends as if it had not stopped. Workers (threads; all cores if None) never change what is
    found. `progress` is called as by `runner.run`.

    Raises
    ------
    Mistake
        For a folder that holds something else or cannot be written.
    KeyboardInterrupt
        After Ctrl-C, within a second; all finished trials are saved.
    """
    workers = runner.number_of(workers)
    tuning.game.ready()
    folder = Path(folder)
    with store.lock(folder, STUDY):
        with _stoppable() as stop:
            trials = _Session(tuning, folder, workers, stop, progress).play()
        players = tuning.cell.players
        best = max(trials, key=lambda trial: (trial.value, -trial.number))
        blocks = [len(trial.intermediate_values) for trial in trials]
        found = Tuned(
            weights=tuning.weights(best.params),
            untuned={name: tuning.values[name] for name in tuning.ranges},
            trial=best.number,
            win_share=best.value,
            untuned_win_share=trials[0].value,
            fair_share=1 / players,
            trials=len(trials),
            stopped=sum(count < tuning.cell.blocks for count in blocks),
            games=sum(blocks) * players,
        )
        store.write_file(folder / TUNED, preset(tuning, found).encode())
    return found


def preset(tuning: Tuning, found: Tuned) -> str:
    """The tuned agent as the text of a file that `agents.load` reads."""
    asked = tuning.asked
    training = {
        "weights": list(found.weights),
        "players": tuning.cell.players,
        "settings": tuning.cell.settings,
        **({"board": asked["board"]} if asked["board"] else {}),
        **{key: asked[key] for key in ("agent", "against", "spread", "seed", "blocks")},
        **found.to_json()["training"],
    }
    lines = [
        f"# {tuning.agent}, tuned by `spike tune`. To play it, give this file as an agent.",
        f"game = {_toml(tuning.plan.game)}",
        f"agent = {_toml(tuning.name)}",
        "",
        "[parameters]",
        *(f"{key} = {_toml(value)}" for key, value in (tuning.values | found.weights).items()),
        "",
        "# Where it comes from. The win share is that of the games it was chosen by and flatters;",
        f"# the evidence is the match in the folder {CONFIRMATION} beside this file.",
        "[training]",
        *(f"{key} = {_toml(value)}" for key, value in training.items()),
    ]
    return "\n".join(lines) + "\n"


class _Session:
    """One sitting at a tuning: trials are made in memory, and kept once they are finished.

    So what a kill leaves of a trial is gone, and the next sitting plays it from its beginning.
    """

    def __init__(
        self,
        tuning: Tuning,
        folder: Path,
        workers: int,
        stop: threading.Event,
        progress: runner.Progress | None,
    ):
        self.tuning, self.folder, self.workers, self.stop = tuning, folder, workers, stop
        self.progress = progress or (lambda total, done, rate, note: None)
        cell = tuning.cell
        board = tuning.game.board(tuning.plan.board, cell.settings, tuning.plan.settings_source)
        self.board = board.name, json.dumps(board.document)
        self.kept = _open(tuning, folder)
        self.study = _in_memory(tuning, self.kept)
        blocks = [len(trial.intermediate_values) for trial in self.study.trials if trial.values]
        self.number = len(blocks)
        self.before = self.played = sum(blocks) * cell.players
        self.total = self.played + (tuning.trials - len(blocks)) * cell.games
        self.started = time.monotonic()

    def play(self) -> list[FrozenTrial]:
        """Play the trials that are left; all of them. Raises KeyboardInterrupt after Ctrl-C."""
        from optuna.distributions import FloatDistribution
        from optuna.samplers import CmaEsSampler

        space = {name: FloatDistribution(*ends) for name, ends in self.tuning.ranges.items()}
        seed = self.tuning.plan.seed % 2**32
        self.tell()
        with joblib.Parallel(self.workers, backend="threading") as parallel:
            while self.number < self.tuning.trials:
                # Its state is kept in the trials. A new one draws by the seed and the trial's
                # number alone, not by what it has drawn before in this sitting.
                self.study.sampler = CmaEsSampler(seed=seed, warn_independent_sampling=False)
                trial = self.study.ask(space)
                share = self.win_share(trial, parallel)
                with store.told(self.folder):
                    self.kept.add_trial(self.study.tell(trial, share))
                self.number += 1
                self.tell()
        return self.kept.trials

    def win_share(self, trial: Trial, parallel: joblib.Parallel) -> float:
        """Mean win share of a candidate over the blocks, or those played when it was stopped.

        The pruner stops none whose mean is not below the best's, so the best has played them all.
        """
        tuning, cell = self.tuning, self.tuning.cell
        candidate = _spec(tuning.name, tuning.values | tuning.weights(trial.params))
        cell = dataclasses.replace(cell, agents=(candidate, *cell.agents[1:]))
        shares: list[float] = []
        for start in range(0, cell.blocks, ROUND):
            blocks = list(range(start, min(start + ROUND, cell.blocks)))
            for block, share in zip(blocks, self.shares(cell, blocks, parallel), strict=True):
                trial.report(share, block)
                shares.append(share)
            self.played += len(blocks) * cell.players
            if trial.should_prune():
                self.total -= (cell.blocks - len(shares)) * cell.players
                break
            if len(shares) < cell.blocks:
                self.tell()
        return statistics.fmean(shares)

    def shares(self, cell: Cell, blocks: list[int], parallel: joblib.Parallel) -> list[float]:
        """The candidate's win share in each of the blocks, some of them to each worker."""
        size = math.ceil(len(blocks) / self.workers)
        results = parallel(
            joblib.delayed(runner.play_task)(
                runner.Task(self.tuning.plan.game, *self.board, cell, blocks[first : first + size]),
                runner.open_house,
                self.stop.is_set,
            )
            for first in range(0, len(blocks), size)
        )
        if self.stop.is_set():
            raise KeyboardInterrupt
        rows = pa.concat_tables(result.table for result in results)
        rows = rows.select(["block", "copy", "win_share"]).to_pandas()
        shares = rows[rows["copy"] == 0].groupby("block").win_share.mean()
        return shares[blocks].tolist()

    def tell(self) -> None:
        """Tell the progress."""
        rate = (self.played - self.before) / max(time.monotonic() - self.started, 1e-9)
        best = f"best {percent(self.study.best_value)}" if self.number else ""
        self.progress(self.total, self.played, rate, best)


class _Held:
    """The journal's lock: the folder's own is held already, and a kill releases that one."""

    def acquire(self) -> bool:
        return True

    def release(self) -> None:
        pass


def _open(tuning: Tuning, folder: Path) -> Study:
    """The finished trials of a folder. Raises Mistake if they are of another tuning."""
    import optuna
    from optuna.storages.journal import JournalFileBackend

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    path = folder / STUDY
    board = {key: tuning.manifest["board"][key] for key in ("name", "digest")}
    new = json.loads(json.dumps([tuning.asked, tuning.manifest | {"board": board}]))
    with store.told(folder):
        if path.exists():
            content = path.read_bytes()
            os.truncate(path, content.rfind(b"\n") + 1)  # a kill may leave a part of a line
        try:
            storage = optuna.storages.JournalStorage(JournalFileBackend(str(path), _Held()))
            study = optuna.create_study(
                storage=storage, study_name="tune", direction="maximize", load_if_exists=True
            )
            old = study.user_attrs.get("tuning")
        except (ValueError, KeyError, TypeError):
            raise Mistake(f"{path} is damaged; give another folder.") from None
        if old is None:
            study.set_user_attr("tuning", new)
            return study
    found = [
        f"{key} is {old[0].get(key)!r} there and {value!r} here"
        for key, value in new[0].items()
        if old[0].get(key) != value
    ]
    if found := found or runner.changed(old[1], new[1]):
        raise Mistake(
            f"{folder} holds another tuning: {'; '.join(found)}; give another folder for this one."
        )
    return study


def _in_memory(tuning: Tuning, kept: Study) -> Study:
    """A study with the trials kept so far, which the search goes on in."""
    import optuna

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        pruner = optuna.pruners.WilcoxonPruner()
    study = optuna.create_study(direction="maximize", pruner=pruner)
    study.add_trials(kept.trials)
    if not kept.trials:
        study.enqueue_trial({name: tuning.values[name] for name in tuning.ranges})
    return study


@contextlib.contextmanager
def _stoppable() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets; a second one does not wait for the games to stop."""
    stop = threading.Event()

    def interrupt(*_: Any) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    handler = signal.signal(signal.SIGINT, interrupt)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, handler)


def _range(name: str, weights: dict[str, float], spread: float) -> tuple[float, float]:
    """The least and the most that is tried of a weight: `spread` times its size either way.

    A weight of 0 has the size of the typical other one, the median.

    >>> _range("a", {"a": -2.0, "b": 0.0, "c": 0.5}, 1.0)
    (-4.0, 0.0)
    >>> _range("b", {"a": -2.0, "b": 0.0, "c": 0.5}, 2.0)
    (-2.5, 2.5)
    """
    sizes = [abs(weight) for weight in weights.values() if weight] or [1.0]
    size = spread * (abs(weights[name]) or statistics.median(sizes))
    return weights[name] - size, weights[name] + size


def _spec(name: str, values: dict[str, float]) -> str:
    """A named strategy with all its parameters, as typed."""
    return ":".join([name, *(f"{key}={value}" for key, value in values.items())])


def _toml(value: Any) -> str:
    """A value as TOML writes it.

    >>> print(_toml({"rule": "a", "money.4": 30, "odd": [True, 0.5]}))
    {"rule" = "a", "money.4" = 30, "odd" = [true, 0.5]}
    """
    if isinstance(value, dict):
        entries = (f"{json.dumps(key)} = {_toml(entry)}" for key, entry in value.items())
        return f"{{{', '.join(entries)}}}"
    return json.dumps(value, ensure_ascii=False)
