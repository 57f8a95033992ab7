"""A run on many machines: its tasks on a Dask cluster.

Dask is asked itself and not through joblib, whose backend for it waits for ever where a task's
workers died too often (joblib 1.6).
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import pickle
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from sim.errors import Mistake

if TYPE_CHECKING:
    from distributed import Client

Task = TypeVar("Task")

#: How long a scheduler may take to answer, and then a worker to come.
CONNECT_SECONDS, WORKER_SECONDS = 8, 5
#: Tasks dealt out for each thread of the cluster: one more than it plays, so that none waits.
TASKS_A_THREAD = 2
#: How often new workers are looked for, and results.
COUNT_SECONDS, LOOK_SECONDS = 1.0, 0.01
#: So often given up by Dask, a task kills its workers.
GIVEN_UP = 3
AGAIN = "the same command goes on from here"


@contextlib.contextmanager
def connected(scheduler: str) -> Iterator[Client]:
    """A client of the scheduler at an address such as "tcp://10.0.0.5:8786", closed at the end.

    Raises Mistake if Dask is not installed, nobody answers there, or it has no workers.
    """
    try:
        import distributed
    except ImportError:
        raise Mistake(
            "To play on a Dask cluster, install Dask: pip install 'golden-spike[dask]'."
        ) from None
    with _quiet("distributed", "distributed.client"), ThreadPoolExecutor(1) as thread:
        try:  # in a thread, for a notebook has a loop of its own in this one
            thread.submit(asyncio.run, _ask(scheduler)).result()
        except Exception as error:
            reason = " ".join(str(error).split()) or f"waited {CONNECT_SECONDS} s"
            raise Mistake(
                f"No Dask scheduler answers at {scheduler!r} ({reason}); start one with "
                "`dask scheduler` and give the address it prints, such as tcp://10.0.0.5:8786."
            ) from None
    with (
        _quiet("distributed", "distributed.client"),
        distributed.Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False) as client,
    ):
        try:
            client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except TimeoutError:
            raise Mistake(
                f"The Dask scheduler at {scheduler} has no workers; start one on each machine "
                f"with `dask worker {scheduler} --nworkers auto`."
            ) from None
        yield client


async def _ask(scheduler: str) -> None:
    """Find out whether a scheduler answers; a client would wait for ever for some other server."""
    from distributed import Security, rpc

    async with asyncio.timeout(CONNECT_SECONDS):
        safety = Security().get_connection_args("client")
        async with rpc(scheduler, connection_args=safety) as there:
            await there.identity()


@contextlib.contextmanager
def _quiet(*names: str) -> Iterator[None]:
    """Keep these loggers to themselves: what goes wrong is told in a sentence."""
    levels = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


def play(
    client: Client, function: Callable[[Task], Any], tasks: Iterator[Task], stop: Callable[[], bool]
) -> Iterator[Any]:
    """What `function` makes of each task on the cluster, in any order, until `stop()`.

    A task whose worker is lost, or that gives None (see `unwanted`), is dealt out again. Dask gives
    up a task that was on several workers that died, even if it only waited there; that often dealt
    out again, it is taken to kill them.

    Raises Mistake where the scheduler is lost, or workers lack this program or die of a task.
    """
    from distributed import KilledWorker, as_completed

    done = as_completed(loop=client.loop, with_results=True, raise_errors=False)
    waiting: dict[Any, tuple[Task, int]] = {}  # and how often it was given up

    def open_and_play(parcel: bytes) -> Any:
        """Goes along by value: a worker that lacks this program says so, where it would die."""
        import pickle

        try:
            function, task = pickle.loads(parcel)
        except Exception as error:
            raise ImportError(f"{type(error).__name__}: {error}") from None
        return function(task)

    def deal(task: Task, given_up: int = 0) -> None:
        future = client.submit(open_and_play, pickle.dumps((function, task)), pure=False)
        waiting[future] = task, given_up
        done.add(future)

    room, counted = 0, -COUNT_SECONDS
    while not stop():
        if time.monotonic() - counted >= COUNT_SECONDS:
            room, counted = TASKS_A_THREAD * max(_threads(client), 1), time.monotonic()
        for task in itertools.islice(tasks, max(room - len(waiting), 0)):
            deal(task)
        if not waiting:
            return
        if not done.has_ready():
            time.sleep(LOOK_SECONDS)
        for future, result in done.next_batch(block=False):
            (task, given_up), status = waiting.pop(future), future.status
            if status == "finished" and result is not None:
                yield result
            elif status == "error":
                reason = result[1]
                if isinstance(reason, KilledWorker):
                    given_up += 1
                    if given_up < GIVEN_UP:
                        deal(task, given_up)
                        continue
                    deaths = given_up * (reason.allowed_failures + 1)
                    raise Mistake(
                        f"{deaths} workers died of the same games; see the log of "
                        f"{reason.last_worker.address}; {AGAIN}."
                    ) from None
                if isinstance(reason, ImportError):
                    raise Mistake(
                        f"A worker cannot read its task ({reason}); install this version of "
                        "golden-spike, with its [dask], where the workers run, and start them anew."
                    ) from None
                raise reason
            else:
                deal(task, given_up)


def _threads(client: Client) -> int:
    try:
        return sum(client.nthreads().values())
    except (OSError, RuntimeError, TimeoutError):
        raise Mistake(
            f"The Dask scheduler at {client.scheduler.address} is gone; {AGAIN} once there is one."
        ) from None


def unwanted() -> Callable[[], bool]:
    """In a task on a worker: what tells that nobody waits for it, as after Ctrl-C."""
    from distributed import get_worker

    worker = get_worker()
    key, tasks = worker.get_current_task(), worker.state.tasks
    return lambda: key not in tasks or tasks[key].state == "cancelled"
