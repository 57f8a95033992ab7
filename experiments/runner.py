"""Play a plan: blocks in threads, processes or a cluster, rows into the store, and on from where it
stopped.

What is played never depends on the workers, on how blocks are dealt out to them, or on the clock:
every game's seeds come from its block, rotation and copy alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import math
import os
import re
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np
import pyarrow as pa

import sim
from experiments import cluster, match, store, sweep
from experiments.plan import Cell, Plan, differences
from sim.contract import STATUS
from sim.errors import Mistake, nearest
from sim.rng import outputs, stream

#: Seconds a task should take: long beside dealing it out, short beside a run.
TASK_SECONDS = 0.4
FIRST_GAMES, MOST_GAMES = 8, 2_000
#: Play that tells what games cost takes so long at least; a game that takes longer than the second
#: is enough.
PACE_SECONDS, LONG_SECONDS = 0.2, 3.0
#: In a game of each of the first blocks it is found out whether choices matter.
WEIGHED_BLOCKS = 100
#: Places of a block's stream that a rotation takes: more than any table has seats.
SEATS = 64
#: A part is written after so many games or seconds.
PART_GAMES, PART_SECONDS = 5_000, 30.0
#: Worker processes that have not stopped by then are ended.
GRACE_SECONDS = 0.35
#: Who decides between rounds whether a run goes on, by the kind of its plan.
REFEREES = {"match": match.Referee, "sweep": sweep.Referee}
BACKENDS = ("threading", "loky", "dask")
PACKAGES = ("numpy", "numba", "llvmlite", "pandas", "pyarrow", "joblib", "golden-spike")

Progress = Callable[[int, int, float, str], None]


class Task(NamedTuple):
    """Some blocks of one cell, as small things a process can be sent."""

    game: str
    board: str
    document: str  # of the board, as JSON
    cell: Cell
    blocks: list[int]


class Result(NamedTuple):
    """What a task played."""

    cell: int
    blocks: list[int]
    games: int
    table: pa.Table
    usage: np.ndarray
    seconds: float


class Replay(NamedTuple):
    """All that makes one game play the same again."""

    board: Any
    agents: list[Any]
    game_seed: int
    agent_seeds: list[int]

    def play(self) -> Any:
        """The position at the end of the game."""
        from agents.loop import Batch

        seeds = np.array([self.game_seed]), np.array([self.agent_seeds], np.uint64)
        batch = Batch(self.board, [self.agents], *seeds)
        batch.play()
        return batch.position()


def open_house(name: str) -> tuple[Any, Callable, Callable]:
    """A game, the loader of agents, and the loop: the one place where the runner meets them."""
    import agents
    from agents.loop import play_games

    return sim.load(name), agents.load, play_games


def run(
    plan: Plan,
    folder: str | Path,
    workers: int | None = None,
    progress: Progress | None = None,
    repair: bool = False,
    backend: str | None = None,
    scheduler: str | None = None,
) -> store.Run:
    """Play a plan into a folder, or what is left of it, and give the run.

    Parameters
    ----------
    plan, folder
        A folder with a run of the same plan is gone on with; more games extend it.
    workers
        Threads or processes; all cores if None. They never change the rows.
    progress
        Called with (games in all, games done, games a second, what a match stands at) whenever
        games were played.
    repair
        Move parts that cannot be read aside and play their blocks again.
    backend
        "threading" or "loky", joblib's threads and processes of this machine, or "dask"; if None,
        the last with a scheduler, else the first where every agent is compiled, else the second.
    scheduler
        Address of a Dask scheduler, whose workers play all.

    Raises
    ------
    Mistake
        For a wrong plan, board, agent or backend, another plan's folder, a part that cannot be
        read, a folder that cannot be written, and a cluster that cannot play.
    KeyboardInterrupt
        After Ctrl-C, within a second, once all finished games are saved.
    """
    _check_backend(backend, scheduler, workers)
    workers = number_of(workers)
    game, load, _ = open_house(plan.game)
    cells = plan.cells(game)
    is_compiled = all([load(spec, game).is_compiled for spec in dict.fromkeys(plan.agents)])
    manifest = describe(plan, game, load, cells)
    with contextlib.ExitStack() as held:
        client = None
        if scheduler is None:
            game.ready()
        else:
            client = held.enter_context(cluster.connected(scheduler))
        held.enter_context(store.lock(folder))
        if (Path(folder) / store.MANIFEST).exists():
            finished = store.Run.open(folder)
            _go_on(finished, manifest)
        else:
            finished = store.Run.create(folder, manifest)
        finished.repair(move=repair)
        session = _Session(
            finished,
            plan,
            cells,
            workers,
            "dask" if client else backend or ("threading" if is_compiled else "loky"),
            client,
            progress or (lambda total, done, rate, note: None),
        )
        session.play()
    return finished


def seconds_a_game(board: Any, line_up: Sequence[Any]) -> float:
    """Seconds of one core that a game takes, by a few games of nothing else."""
    from agents import load
    from agents.loop import play_games

    def play(games: int, seated: Sequence[Any] = line_up) -> float:
        seeds = np.arange(games * len(seated), dtype=np.uint64).reshape(games, -1)
        started = time.process_time()
        play_games(board, [seated] * games, seeds[:, 0], seeds)
        return time.process_time() - started

    play(1, [load("random", board.game)] * len(line_up))  # compiles or loads the code
    spent, games = play(1), 1
    if spent < LONG_SECONDS:
        while (spent := play(games)) < PACE_SECONDS:
            games *= 4
    return spent / games


def _check_backend(backend: str | None, scheduler: str | None, workers: int | None) -> None:
    if backend not in (None, *BACKENDS):
        raise Mistake(f"There is no backend {backend!r}{nearest(backend, BACKENDS)}.")
    if backend == "dask" and scheduler is None:
        raise Mistake(
            "--backend dask lacks the cluster's address; give --scheduler tcp://HOST:PORT."
        )
    if scheduler is not None and backend not in (None, "dask"):
        raise Mistake(f"--scheduler is for a Dask cluster; leave --backend {backend} out.")
    if scheduler is not None and workers is not None:
        raise Mistake(
            "--workers is for this machine, and on a cluster all workers play; leave it out."
        )


def number_of(workers: int | None) -> int:
    """Workers as given, or all cores. Raises Mistake for none."""
    if workers is not None and workers < 1:
        raise Mistake(f"workers = {workers} is not possible; give 1 or more.")
    return workers or joblib.cpu_count()


def replay_game(run: store.Run, cell: int, block: int, rotation: int) -> Replay:
    """What is needed to play one game of a run again.

    Raises Mistake if the run has no such game, or its rules, board or agents have changed since.
    """
    manifest = run.manifest
    plan = Plan.build(manifest["plan"], source=str(run.folder / store.MANIFEST))
    game, load, _ = open_house(plan.game)
    cells = plan.cells(game)
    if not 0 <= cell < len(cells):
        raise Mistake(f"{run.folder} has no cell {cell}; choose from 0 to {len(cells) - 1}.")
    one = cells[cell]
    sittings = one.sittings(block)
    if not 0 <= block < one.blocks or not 0 <= rotation < len(sittings):
        raise Mistake(
            f"{run.folder} has no rotation {rotation} of block {block} in cell {cell}; "
            f"it has blocks 0 to {one.blocks - 1} of at most {one.rotations} rotations."
        )
    sitting = sittings[rotation]
    agents = [load(one.agents[copy], game) for copy in sitting]
    changes = _changes(manifest, _rules_and_agents(plan, game, load))
    if not changes:
        name, document = manifest["board"]["name"], manifest["board"]["document"]
        board = game.board_from(document, name, one.settings)
        if board.digest != manifest["cells"][cell]["digest"]:
            changes.append("the meaning of the board or of a setting has changed since")
    if changes:
        raise Mistake(f"{run.folder} cannot be replayed: {'; '.join(changes)}.")
    return Replay(
        board,
        agents,
        game_seed(plan.seed, block),
        agent_seeds(plan.seed, [(block, rotation, sitting)])[0].tolist(),
    )


def game_seed(seed: int, block: int) -> int:
    """The seed of a block's set-up and chance: the same in every rotation and every cell."""
    return stream(seed, block) % 2**53


def agent_seeds(seed: int, games: Sequence[tuple[int, int, tuple[int, ...]]]) -> np.ndarray:
    """Seeds of the agents' own choices, a row a game: a place in its block's stream for each copy
    in each rotation. `games` are block, rotation and the copy in each seat.
    """
    blocks, rotations, sittings = (np.array(part) for part in zip(*games, strict=True))
    starts = {block: stream(seed, block, "agents") for block in set(blocks.tolist())}
    starts = np.array([starts[block] for block in blocks.tolist()], np.uint64)
    return outputs(starts[:, None], rotations[:, None] * SEATS + sittings)


# --- the manifest ---------------------------------------------------------------------------------


def describe(plan: Plan, game: Any, load: Callable, cells: list[Cell]) -> dict[str, Any]:
    """What a run is of; making it checks the board and every setting. Raises Mistake."""
    base = game.board(plan.board)
    described = []
    seated = {}  # a board for each agent, to see that it has what the agent is restricted in
    for cell in cells:
        board = game.board(plan.board, cell.settings, plan.settings_source)
        seated |= dict.fromkeys(cell.agents, board)
        if fault := board.options.batch_fault():
            raise Mistake(f"{plan.settings_source}: {fault}")
        described.append(
            {
                "cell": cell.index,
                "players": cell.players,
                "settings": cell.settings,
                "label": cell.label,
                "options": board.options.model_dump(mode="json", by_alias=True),
                "digest": board.digest,
                "agents": list(cell.agents),
                "rotations": cell.rotations,
                "blocks": cell.blocks,
                "games": cell.games,
                "needed": cell.needed,
            }
        )
    for spec, board in seated.items():
        load(spec, game).forbidden(board)
    manifest = {
        "format": store.FORMAT,
        "plan": plan.model_dump(mode="json"),
        "game": game.name,
        **_rules_and_agents(plan, game, load),
        "board": {
            "name": base.name,
            "label": base.label,
            "digest": base.digest,
            "elements": list(base.elements),
            "document": base.document,
        },
        "versions": {"python": sys.version.split()[0], **dict(_versions())},
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "cells": described,
    }
    return json.loads(json.dumps(manifest, default=str))


def _rules_and_agents(plan: Plan, game: Any, load: Callable) -> dict[str, Any]:
    """What makes the same plan play the same games again, beside its boards."""
    return {
        "rules_version": game.version,
        "agents": {spec: list(load(spec, game).parameters) for spec in plan.agents},
        "agent_files": _file_digests(plan.agents),
    }


def _versions() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        with contextlib.suppress(PackageNotFoundError):
            yield package, version(package)


def _file_digests(specs: Sequence[str]) -> dict[str, str]:
    """Digests of the users' agent files, so that an edited one is not taken for the old one."""
    return {file: hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in _files(specs)}


def _files(specs: Sequence[str]) -> list[str]:
    """The users' agent files in specs."""
    named = (re.match(r"(.+\.(?:py|toml))(?::|$)", spec) for spec in specs)
    return sorted({found[1] for found in named if found})


def _changes(manifest: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """What a run's rules and agents differ in from those there are now."""
    found = []
    if manifest["rules_version"] != now["rules_version"]:
        there, here = manifest["rules_version"], now["rules_version"]
        found.append(f"the rules are version {there} there and {here} here")
    for kind, what in (("agents", "the agent "), ("agent_files", "")):
        old, new = manifest[kind], now[kind]
        found += [f"{what}{name} has changed since" for name in new if old.get(name) != new[name]]
    return found


def changed(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """What differs in the rules, agents and boards of two manifests of the same plan."""
    found = _changes(old, new)
    if old["board"]["digest"] != new["board"]["digest"]:
        found.append(f"the board {new['board']['name']!r} has changed since")
    elif [cell["digest"] for cell in old["cells"]] != [cell["digest"] for cell in new["cells"]]:
        found.append("the meaning of a setting has changed since")
    return found


def _go_on(run: store.Run, manifest: dict[str, Any]) -> None:
    """Make a run ready to go on as a plan, or raise Mistake with each difference."""
    old = run.manifest
    found = differences(old["plan"], manifest["plan"]) or changed(old, manifest)
    sizes = [[cell["blocks"] for cell in one["cells"]] for one in (old, manifest)]
    if not found and any(there > here for there, here in zip(*sizes, strict=True)):
        there, here = (
            one["plan"]["games"] or max(cell["games"] for cell in one["cells"])
            for one in (old, manifest)
        )
        found.append(f"games is {there} there and {here} here, and can only grow")
    if found:
        raise Mistake(
            f"{run.folder} holds a run of another plan: {'; '.join(found)}; "
            "give another folder for this one."
        )
    if sizes[0] != sizes[1] or old["plan"] != manifest["plan"]:
        run.describe({**manifest, "created": old["created"]})


# --- playing --------------------------------------------------------------------------------------


class _Session:
    """One sitting at a run: deals out tasks, takes their rows, and stops when told."""

    def __init__(
        self,
        run: store.Run,
        plan: Plan,
        cells: list[Cell],
        workers: int,
        backend: str,
        client: Any,
        progress: Progress,
    ):
        self.run, self.plan, self.cells = run, plan, cells
        self.workers, self.backend, self.progress = workers, backend, progress
        self.client = client  # of a Dask cluster, which then plays all
        board = run.manifest["board"]
        self.board = board["name"], json.dumps(board["document"])
        self.done = run.done()
        self.total = sum(cell.games for cell in cells)
        self.before = self.played = run.games()
        self.pace: dict[int, float] = {}
        self.waiting: list[Result] = []
        self.started = self.written = time.monotonic()
        self.stop = threading.Event()
        self.is_interrupted = self.is_playing_here = False
        self.flag = run.folder / store.PLAYING
        self.killer = threading.Timer(GRACE_SECONDS, _end_processes)
        self.referee = None
        if plan.kind in REFEREES:
            manifest = run.manifest
            self.referee = REFEREES[plan.kind](manifest["cells"], manifest["plan"])

    def play(self) -> None:
        """Play what is left. Raises KeyboardInterrupt after Ctrl-C, with all finished saved."""
        self.progress(self.total, self.played, 0.0, "")
        if self.played >= self.total:
            return
        is_main = threading.current_thread() is threading.main_thread()
        handler = signal.getsignal(signal.SIGINT)
        trouble: Exception | None = None
        try:
            if is_main:
                signal.signal(signal.SIGINT, self.interrupt)
            for result in self.results():
                if result is not None and trouble is None:
                    try:
                        self.take(result)
                    except Exception as reason:  # a full disk: let the workers end in order
                        trouble = reason
                        self.quit()
        except Exception:
            if not self.is_interrupted:  # else only the end of the workers
                raise
        finally:
            self.quit()
            self.killer.cancel()
            if self.is_interrupted and self.backend == "loky" and self.workers > 1:
                _end_processes()  # at once; Python would wait for each at its own end
            try:
                self.flush()
            finally:
                if is_main:
                    signal.signal(signal.SIGINT, handler)
        if trouble is not None:
            raise trouble
        if self.is_interrupted:
            raise KeyboardInterrupt

    def interrupt(self, *_: Any) -> None:
        """Ctrl-C: let the workers stop; a second one, or a game in this thread, stops at once."""
        is_second, self.is_interrupted = self.is_interrupted, True
        self.quit()
        if is_second or self.is_playing_here:
            raise KeyboardInterrupt
        if self.backend == "loky" and self.workers > 1:
            self.killer.start()

    def quit(self) -> None:
        """Tell every worker to stop."""
        self.stop.set()
        self.flag.unlink(missing_ok=True)

    def results(self) -> Iterator[Result | None]:
        """Results as they come; those of a round are all taken before the next begins."""
        # The first task is played here, so that processes find the compiled rules in the cache.
        is_alone = self.workers == 1 and self.backend != "dask"
        here = 1 if self.backend == "loky" and not is_alone else 0
        for queues in self.rounds():
            tasks = self.tasks(queues)
            for task in tasks if is_alone else itertools.islice(tasks, here):
                self.is_playing_here = True
                try:
                    result = play_task(task, open_house, self.stop.is_set)
                finally:
                    self.is_playing_here = False
                yield result
            if not is_alone:
                yield from self.results_from_workers(tasks)
                here = 0

    def results_from_workers(self, tasks: Iterator[Task]) -> Iterator[Result | None]:
        """Results of tasks that threads, processes or a cluster play."""
        if self.backend == "dask":
            files = {file: Path(file).read_bytes() for file in _files(self.plan.agents)}
            play = partial(play_far, house=open_house, files=files, source=sim.source_digest())
            yield from cluster.play(self.client, play, tasks, self.stop.is_set)
            return
        if self.backend == "threading":
            play = partial(play_task, house=open_house, stop=self.stop.is_set)
        else:
            flag = str(self.flag.resolve())
            self.flag.touch()
            play = partial(
                play_apart, house=open_house, flag=flag, parent=os.getpid(), home=os.getcwd()
            )
        parallel = joblib.Parallel(
            self.workers, backend=self.backend, return_as="generator_unordered", batch_size=1
        )
        # Processes that are started meanwhile leave Ctrl-C to this one.
        with contextlib.nullcontext() if self.backend == "threading" else _uninterrupted():
            results = parallel(joblib.delayed(play)(task) for task in tasks)
        yield from results

    def rounds(self) -> Iterator[dict[int, Iterator[int]]]:
        """The blocks to play, by cell: all at once, or by rounds until the referee has decided.

        A round is decided from all earlier ones and starts when they are complete, so the end never
        depends on the workers or on an interruption.
        """
        if self.referee is None:
            yield {cell.index: self.blocks_left(cell, range(cell.blocks)) for cell in self.cells}
            return
        self.run.show(self.referee)
        while not self.stop.is_set() and (blocks := self.referee.next_round()):
            self.total = self.referee.games_at_most
            yield {index: self.blocks_left(self.cells[index], blocks[index]) for index in blocks}

    def tasks(self, queues: dict[int, Iterator[int]]) -> Iterator[Task]:
        """Tasks for the blocks of each cell, some of each in turn, as long as nobody says stop."""
        while queues:
            for index in list(queues):
                blocks = list(itertools.islice(queues[index], self.task_size(self.cells[index])))
                if self.stop.is_set():
                    return
                if not blocks:
                    del queues[index]
                    continue
                yield Task(self.plan.game, *self.board, self.cells[index], blocks)

    def blocks_left(self, cell: Cell, blocks: range) -> Iterator[int]:
        """Those of the blocks of a cell that no earlier sitting has played."""
        done = self.done.get(cell.index, ())
        return (block for block in blocks if block not in done)

    def task_size(self, cell: Cell) -> int:
        """Blocks in the next task of a cell, by what its games took so far."""
        seconds = self.pace.get(cell.index)
        games = FIRST_GAMES if seconds is None else min(TASK_SECONDS / seconds, MOST_GAMES)
        return max(1, math.ceil(games / cell.rotations))

    def take(self, result: Result) -> None:
        """Keep a result, and write a part when it is time."""
        self.pace[result.cell] = max(result.seconds / result.games, 1e-6)
        self.waiting.append(result)
        self.played += result.games
        if self.referee is not None:
            self.referee.add(result.table.select(self.referee.columns).to_pandas())
        now = time.monotonic()
        if sum(waiting.games for waiting in self.waiting) >= PART_GAMES or (
            now - self.written > PART_SECONDS
        ):
            self.flush()
        rate = (self.played - self.before) / max(now - self.started, 1e-9)
        note = "" if self.referee is None else self.referee.note
        self.progress(self.total, self.played, rate, note)

    def flush(self) -> None:
        """Write a part of all that waits."""
        results, self.waiting = self.waiting, []
        self.written = time.monotonic()
        if not results:
            return
        blocks: dict[int, list[int]] = {}
        usage: dict[int, np.ndarray] = {}
        for result in results:
            blocks.setdefault(result.cell, []).extend(result.blocks)
            usage[result.cell] = usage.get(result.cell, 0) + result.usage
        self.run.write(
            pa.concat_tables([result.table for result in results]),
            {
                "blocks": {str(cell): store.spans(blocks[cell]) for cell in sorted(blocks)},
                "usage": {str(cell): usage[cell].tolist() for cell in sorted(usage)},
                "games": sum(result.games for result in results),
            },
        )


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def _end_processes() -> None:
    """End worker processes that do not stop by themselves, as in a slow agent's choice.

    Joblib does it with psutil, or with pgrep, which a small machine may lack.
    """
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor(reuse=True).shutdown(wait=False, kill_workers=True)


def play_apart(task: Task, house: Callable, flag: str, parent: int, home: str) -> Result | None:
    """Play a task in a worker process; it stops when the flag's file is gone."""
    _leave_with(parent)
    sys.stdout = sys.stderr  # what a bot prints
    if os.getcwd() != home:  # a process kept from an earlier run
        os.chdir(home)
    return play_task(task, house, lambda: not os.path.exists(flag))


@lru_cache
def _leave_with(parent: int) -> None:
    """End this process soon after its parent was killed."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.2)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def play_far(task: Task, house: Callable, files: dict[str, bytes], source: str) -> Result | None:
    """Play a task on a cluster's worker, with the users' agent files that came along.

    Raises Mistake if the worker has other rules or agents, or cannot use the files.
    """
    where = socket.gethostname()
    if sim.source_digest() != source:
        raise Mistake(
            f"A worker on {where} has another version of golden-spike; install the one that "
            "starts the run there, and start the worker anew."
        )
    try:
        return play_task(task, house, cluster.unwanted(), files)
    except Mistake as mistake:
        raise Mistake(f"A worker on {where}: {mistake}") from None


@lru_cache
def _folder_with(name: str, source: bytes) -> tempfile.TemporaryDirectory:
    """A folder of this process with a file of that name and content."""
    folder = tempfile.TemporaryDirectory(prefix="golden-spike-")
    Path(folder.name, name).write_bytes(source)
    return folder


def _at_hand(spec: str, files: dict[str, bytes]) -> str:
    """The spec with the path of the copy of its file, if that came along."""
    for file, source in files.items():
        if spec == file or spec.startswith(f"{file}:"):
            copy = Path(_folder_with(Path(file).name, source).name, Path(file).name)
            return f"{copy}{spec.removeprefix(file)}"
    return spec


def play_task(
    task: Task,
    house: Callable,
    stop: Callable[[], bool] | None = None,
    files: dict[str, bytes] | None = None,
) -> Result | None:
    """Play the blocks of a task; None when stopped. `files` are agents' files it is to use."""
    if stop is not None and stop():
        return None
    started = time.perf_counter()
    cell = task.cell
    game, load, play_games = house(task.game)
    board = _board(house, task.game, task.board, task.document, json.dumps(cell.settings))
    agents = {spec: load(_at_hand(spec, files or {}), game) for spec in set(cell.agents)}
    games = [
        (block, rotation, sitting)
        for block in task.blocks
        for rotation, sitting in enumerate(cell.sittings(block))
    ]
    line_up = [[agents[cell.agents[copy]] for copy in sitting] for _, _, sitting in games]
    of_block = {block: game_seed(cell.seed, block) for block in task.blocks}
    game_seeds = np.array([of_block[block] for block, _, _ in games], np.uint64)
    seeds = agent_seeds(cell.seed, games)
    weighed = np.array([block < WEIGHED_BLOCKS and not rotation for block, rotation, _ in games])
    played = play_games(board, line_up, game_seeds, seeds, stop=stop, weighed=weighed)
    if played is None:
        return None
    return Result(
        cell=cell.index,
        blocks=task.blocks,
        games=len(games),
        table=_rows(game, cell, games, game_seeds, played),
        usage=np.asarray(played.usage, np.int64),
        seconds=time.perf_counter() - started,
    )


@lru_cache(maxsize=256)
def _board(house: Callable, game: str, name: str, document: str, settings: str) -> Any:
    """The board of the manifest, whatever has become of its file."""
    return house(game)[0].board_from(json.loads(document), name, json.loads(settings))


def _rows(
    game: Any,
    cell: Cell,
    games: list[tuple[int, int, tuple[int, ...]]],
    game_seeds: np.ndarray,
    played: Any,
) -> pa.Table:
    """The rows of some games: one a player, by game and seat."""
    n = cell.players
    count = len(games)
    copies = np.array([sitting for _, _, sitting in games]).ravel()
    by_game = {
        "cell": np.full(count, cell.index),
        "block": np.array([block for block, _, _ in games]),
        "rotation": np.array([rotation for _, rotation, _ in games]),
        "players": np.full(count, n),
        "seed": game_seeds.astype(np.int64),
        "turns": played.turns,
        "lead_changes": played.lead_changes,
        "dead_turns": played.dead_turns,
        "choices_that_matter": played.choices_that_matter,
        "offender": played.offender,
        "version": np.full(count, game.version),
    }
    columns = {name: np.repeat(values, n) for name, values in by_game.items()}
    columns |= {
        "seat": np.tile(np.arange(n), count),
        "copy": copies,
        "agent": _words(cell.agents, copies),
        "settings": _words([cell.label], np.zeros(count * n, int)),
        "win_share": played.win_share.ravel(),
        "score": played.score.ravel(),
        "rank": _ranks(played.win_share, played.score).ravel(),
        "decisions": played.decisions.ravel(),
        "options": played.options.ravel(),
        "forced": played.forced.ravel(),
        "end_reason": _words(["", *game.end_reasons], np.repeat(played.end_reason, n) + 1),
        "status": _words(STATUS, np.repeat(played.status, n)),
        "failure": pa.array(np.repeat(np.array(played.failure, object), n), pa.string()),
    }
    for sample, name in enumerate(store.PROGRESS):
        columns[name] = played.trajectory[:, sample].ravel()
    names = [measure.name for measure in game.measures]
    for m, name in enumerate(names):
        columns[name] = played.measures[:, m].ravel()
    schema = store.schema(names)
    return pa.table(
        [
            column.cast(field.type)
            if isinstance(column, pa.Array)
            else pa.array(column.astype(field.type.to_pandas_dtype()))
            for field in schema
            for column in (columns[field.name],)
        ],
        schema=schema,
    )


def _words(words: Sequence[str], indices: np.ndarray) -> pa.Array:
    return pa.DictionaryArray.from_arrays(indices.astype(np.int32), pa.array(words, pa.string()))


def _ranks(win_share: np.ndarray, score: np.ndarray) -> np.ndarray:
    """Ranks in each game, ties sharing the smallest: winners first, the others by score."""
    loser_score = np.where(win_share > 0, 0.0, score)
    ahead = (win_share[:, :, None] < win_share[:, None, :]) | (
        (win_share[:, :, None] == win_share[:, None, :])
        & (loser_score[:, :, None] < loser_score[:, None, :])
    )
    return 1 + ahead.sum(axis=2)
