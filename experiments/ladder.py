"""How far thinking longer pays: each rung of a ladder searches twice as long as the one below.

A rung is a match of its budget against the one below. How many rungs in a row win is the skill
depth of a game at a setting.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments import match, runner, store
from experiments.metrics import percent_within
from experiments.plan import ROUND, Plan
from sim.errors import Mistake

#: Blocks of a rung at most, if it is not said.
MOST_BLOCKS = 200
#: A match is never decided before so many blocks.
LEAST_BLOCKS = 2 * ROUND


class TimeIsUp(Exception):
    """The hours that a ladder may take are over; all that was played is kept."""


@dataclass(frozen=True)
class Rung:
    """A budget and the one below it, in iterations, and the plan of their match."""

    below: int
    budget: int
    plan: Plan

    @property
    def name(self) -> str:
        """The rung's folder."""
        return f"{self.budget}-against-{self.below}"

    def seconds(self, at_one: float, workers: int) -> tuple[float, float]:
        """What it takes at least and at most, if a game takes `at_one` s for each iteration.

        >>> plan = Plan.build({"game": "toy", "players": 4, "agents": ["a", "b"], "games": 1600})
        >>> Rung(50, 100, plan).seconds(0.04, workers=2)
        (600.0, 2400.0)
        """
        game = at_one * (self.below + self.budget) / 2 / workers
        return game * 2 * self.plan.players[0] * LEAST_BLOCKS, game * self.plan.games


def rungs(plan: dict[str, Any], agent: str, low: int, high: int) -> list[Rung]:
    """The rungs from `low` to `high` iterations; `plan` is what their plans have in common.

    Raises Mistake for budgets that make no rung, and an agent that has its iterations already.
    """
    if ":iterations=" in agent:
        raise Mistake(
            f"--agent: {agent!r} gives the iterations, which the rungs set; leave them out and "
            "give --from and --to."
        )
    if low < 1:
        raise Mistake(f"--from: {low} is not possible; give 1 iteration or more.")
    if high < 2 * low:
        raise Mistake(f"--to: {high} is less than twice {low}, the budget below; give {2 * low}.")
    found = []
    while 2 * low <= high:
        specs = [f"{agent}:iterations={budget}" for budget in (2 * low, low)]
        made = Plan.build(plan | {"agents": specs, "kind": "match"}, source="The command")
        found.append(Rung(low, 2 * low, made))
        low *= 2
    return found


def climb(
    steps: Sequence[Rung],
    folder: Path,
    workers: int | None,
    hours: float | None,
    progress: Callable[[Rung], Any],
) -> Iterator[tuple[Rung, match.Outcome]]:
    """Play the rungs one after the other; each with its outcome, as far as the hours go.

    `progress(rung)` gives a context with the progress of that rung. The rung that time runs out in
    is given as it then stands; then TimeIsUp is raised.
    """
    deadline = None if hours is None else time.monotonic() + 3600 * hours
    for rung in steps:
        is_over = False
        with progress(rung) as show:

            def watch(*call: Any, show: Any = show) -> None:
                show(*call)
                if deadline is not None and time.monotonic() > deadline:
                    raise TimeIsUp

            try:
                run = runner.run(rung.plan, folder / rung.name, workers, watch)
            except TimeIsUp:
                run, is_over = store.Run.open(folder / rung.name), True
        yield rung, match.outcome(run)
        if is_over:
            raise TimeIsUp


def won(climbed: Sequence[tuple[Rung, match.Outcome]]) -> int:
    """Rungs in a row that are won, from the lowest: the skill depth, as far as it is known."""
    verdicts = [outcome.verdict for _, outcome in climbed]
    return next((i for i, verdict in enumerate(verdicts) if verdict != "better"), len(verdicts))


def to_json(climbed: Sequence[tuple[Rung, match.Outcome]], planned: int) -> dict[str, Any]:
    """The ladder for scripts."""
    return {
        "rungs": [
            {"iterations": rung.budget, "against": rung.below} | outcome.to_json()
            for rung, outcome in climbed
        ],
        "rungs_won": won(climbed),
        "rungs_planned": planned,
    }


def sentence(climbed: Sequence[tuple[Rung, match.Outcome]]) -> str:
    """How far thinking longer pays, for people."""
    number = won(climbed)
    text = "The lowest rung, "
    if number:
        text = f"Twice the iterations win every time from {climbed[0][0].below} to "
        text += f"{climbed[number - 1][0].budget}; "
    if number == len(climbed):
        return f"{text}where it stops paying lies beyond."
    rung, outcome = climbed[number]
    verdict = "not won" if outcome.verdict == "not_better" else "undecided"
    share = f": {percent_within(outcome.win_share)}" if outcome.games else ""
    comma = "" if number else ","
    return f"{text}{rung.budget} against {rung.below}{comma} is {verdict}{share}."
