"""Which strategies matter at a setting: the mix that is in balance, and who is dead or dominant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.equilibria import (
    BALANCED,
    Equilibrium,
    effective_number,
    equilibria,
    expected_shares,
    gains,
    line_ups,
    payoffs_of,
    pure_replies,
    settle,
)
from experiments.metrics import (
    POINTS,
    CellSummary,
    as_json,
    failing,
    part_of,
    percent,
    percent_within,
)
from experiments.ratings import Circle, circles
from experiments.stats import BLOCKS_FOR_T, ROUNDING, Interval, block_interval
from sim.layout import counted

if TYPE_CHECKING:
    import pandas

    from experiments.metrics import Summary
    from experiments.store import Run

#: Confidence of what is said of the strategies of a setting, all taken together.
LEVEL = 0.95

#: Other mixes in balance that are told and followed, at most.
OTHERS = 3

#: Samples of the blocks behind the intervals of a mix.
SAMPLES = 500


@dataclass(frozen=True)
class Balance:
    """The mix of strategies in balance, and what each strategy is worth in it.

    A *field* is a table of copies of one strategy.

    Attributes
    ----------
    mixes
        The equilibria that were found; the first is *the* mix, from most starting mixes.
    weights, won
        By strategy: its weight in the mix, and its win share when all others play the mix.
    gain
        No strategy wins more than fair by more than that against the mix, as far as is known.
    effective
        The effective number of strategies of the mix.
    replies
        replies[i][j] is the win share of strategy i alone in the field of j.
    best
        bool[i, j], whether no strategy is a better reply to the field of j than i.
    beats
        bool[i, j], whether i alone wins more than fair in the field of j beyond chance, for all
        pairs together.
    verdicts
        By strategy: "dominant" (best reply to every field, and the whole of the only mix),
        "matters" (its weight is not 0), "niche" (loses against the mix, but is the best reply to a
        field or in another mix) or "dead" (loses against the mix, and is neither), each beyond
        chance; else "open".
    """

    players: int
    blocks: int
    mixes: list[Equilibrium]
    weights: list[Interval]
    won: list[Interval]
    gain: float
    effective: Interval
    replies: list[list[Interval]]
    best: np.ndarray
    beats: np.ndarray
    verdicts: list[str]

    @property
    def circles(self) -> list[Circle]:
        """Where best replies go round: each is the best reply to the next."""
        return circles(self.best & self.beats)


def balance(shares: np.ndarray, players: int, samples: int = SAMPLES, seed: int = 0) -> Balance:
    """The mix in balance and its intervals, from shares [block, line_up, strategy].

    A share is what a copy of the strategy won in the line-up (as `equilibria.line_ups` orders them)
    on average over the block, any number where it is not in it. Intervals of win shares are those
    of block values. Intervals of weights hold 95 % of the mixes of bootstrap samples of the blocks,
    the same blocks for all line-ups (Wiedenbeck, Cassell and Wellman, "Bootstrap statistics for
    empirical games", 2014); a verdict holds in so many of them that all are right together. With
    few blocks they are narrow: 60 blocks gave 91 % for 95 %, 200 gave 97 %.

    Examples
    --------
    Paper wraps rock, and nobody plays scissors.

    >>> found = balance(np.tile([[0.5, 0], [0.1, 0.9], [0, 0.5]], (40, 1, 1)), players=2)
    >>> [weight.mean for weight in found.weights], found.verdicts
    ([0.0, 1.0], ['dead', 'dominant'])
    """
    size, _, number = shares.shape
    fair = 1 / players
    by_block = payoffs_of(shares, players)
    payoffs = by_block.mean(axis=0)
    mixes = equilibria(payoffs, players)
    mix = mixes[0].mix
    tail = (1 - LEVEL) / number

    generator = np.random.default_rng(seed)
    drawn = generator.integers(size, size=(samples, size))
    times = np.array([np.bincount(row, minlength=size) for row in drawn])
    sampled = (times / size @ by_block.reshape(size, -1)).reshape(samples, *payoffs.shape)
    followed = np.array([_follow(sampled, one.mix, players) for one in mixes[: 1 + OTHERS]])
    played = followed[0]

    best = _best(pure_replies(payoffs, players))
    is_best = _best(pure_replies(sampled, players))  # [sample, strategy, field]
    loses = gains(sampled, played, players) < -BALANCED
    finds_a_place = is_best.any(axis=2) | (followed[1:] > 0).any(axis=0)
    is_dominant = (followed > 1 - BALANCED).all(axis=0) & is_best.all(axis=2)
    chances = {
        "dominant": is_dominant.mean(axis=0),
        "matters": (played > 0).mean(axis=0),
        "niche": (loses & finds_a_place).mean(axis=0),
        "dead": (loses & ~finds_a_place).mean(axis=0),
    }

    def verdict(strategy: int) -> str:
        if size < BLOCKS_FOR_T:
            return "open"
        sure = (name for name, chance in chances.items() if chance[strategy] >= 1 - tail)
        return next(sure, "open")

    won = expected_shares(by_block, mix, players)
    alone = pure_replies(by_block, players)
    of_pairs = 1 - (1 - LEVEL) / max(number * (number - 1), 1)
    return Balance(
        players=players,
        blocks=size,
        mixes=mixes,
        weights=[_within(mix[i], played[:, i], size) for i in range(number)],
        won=[_share(won[:, i], fair) for i in range(number)],
        gain=max(_share(won[:, i], fair, 1 - tail).high for i in range(number)) - fair,
        effective=_within(effective_number(mix), effective_number(played), size),
        replies=[[_share(alone[:, i, j], fair) for j in range(number)] for i in range(number)],
        best=best,
        beats=np.array(
            [
                [block_interval(alone[:, i, j], of_pairs).low > fair for j in range(number)]
                for i in range(number)
            ]
        ),
        verdicts=[verdict(strategy) for strategy in range(number)],
    )


def _follow(sampled: np.ndarray, mix: np.ndarray, players: int) -> np.ndarray:
    """What becomes of a mix in balance in each sample of the payoffs [sample, strategy]."""
    found = settle(sampled, 0.9 * mix + 0.1 / len(mix), players)
    for at in np.flatnonzero(gains(sampled, found, players).max(axis=-1) > BALANCED):
        others = equilibria(sampled[at], players, starts=10)
        found[at] = min((one.mix for one in others), key=lambda one: np.abs(one - mix).max())
    return found


def _best(replies: np.ndarray) -> np.ndarray:
    """Whether nothing does better than the strategy of the row in the field of the column."""
    return replies > replies.max(axis=-2, keepdims=True) - BALANCED


def _share(values: np.ndarray, fair: float, level: float = LEVEL) -> Interval:
    """A win share with its interval; among copies of itself it is fair for certain."""
    if np.abs(values - fair).max() < ROUNDING:
        return Interval(fair, fair, fair, len(values))
    return block_interval(values, level)


def _within(mean: float, samples: np.ndarray, blocks: int) -> Interval:
    """A figure with the percentiles of its bootstrap samples."""
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(samples, (tail, 1 - tail))
    return Interval(float(mean), float(low), float(high), blocks)


@dataclass(frozen=True)
class Strategies:
    """What a run of strategies showed, setting by setting.

    `cells` are the settings, each with all line-ups of `agents`; `balances` what was found there,
    None where nothing can be concluded.
    """

    agents: list[str]
    cells: list[CellSummary]
    balances: list[Balance | None]

    def to_json(self) -> dict[str, Any]:
        """The findings for scripts."""
        return {
            "agents": self.agents,
            "cells": [
                {
                    "players": cell.players,
                    "settings": cell.settings,
                    "games": cell.games,
                    "problems": cell.problems / max(cell.games, 1),
                    "fair_share": 1 / cell.players,
                }
                | (self._told(found) if found else {})
                for cell, found in zip(self.cells, self.balances, strict=True)
            ],
        }

    def sentences(self, place: Callable[[CellSummary], str] | None = None) -> list[str]:
        """The findings for people, of several settings a short one each; `place` names a setting,
        as typed if it is not given."""
        if len(self.cells) == 1:
            return self.full(0)
        told = []
        for cell, found in zip(self.cells, self.balances, strict=True):
            text = self._nothing(cell)
            if found:
                mix = self.mix([weight.mean for weight in found.weights])
                text = f"{self._matter(found)} ({mix})"
                for verdict in ("dominant", "niche", "dead", "open"):
                    own = self._with(found, verdict)
                    word = "not settled" if verdict == "open" else verdict
                    text += f"; {word}: {', '.join(own)}" if own else ""
                text += "."
            told.append(f"At {(place or self.place)(cell)}: {text}")
        return told

    def full(self, index: int) -> list[str]:
        """All that was found at the setting of that number."""
        cell, found = self.cells[index], self.balances[index]
        return self._sentences(found) if found else [self._nothing(cell)]

    def place(self, cell: CellSummary) -> str:
        """A setting in words, as typed."""
        several = len({one.players for one in self.cells}) > 1
        players = [f"{cell.players} players"] if several or not cell.settings else []
        return ", ".join(players + ([cell.label] if cell.settings else []))

    def mix(self, weights: Sequence[float]) -> str:
        """A mix in words, what is most frequent first."""
        order = np.argsort(-np.asarray(weights), kind="stable")
        return ", ".join(f"{self.agents[i]} {percent(weights[i])}" for i in order if weights[i] > 0)

    def _told(self, found: Balance) -> dict[str, Any]:
        places = range(len(self.agents))
        return {
            "blocks": found.blocks,
            "strategies": [
                {
                    "agent": self.agents[i],
                    "weight": as_json(found.weights[i]),
                    "win_share_against_the_mix": as_json(found.won[i]),
                    "verdict": found.verdicts[i],
                }
                for i in places
            ],
            "effective_number": as_json(found.effective),
            "gain_at_most": found.gain,
            "mixes": [
                {
                    "weights": dict(zip(self.agents, one.mix.tolist(), strict=True)),
                    "regret": one.regret,
                    "attracts": one.attracts,
                }
                for one in found.mixes
            ],
            "replies": [
                {
                    "agent": self.agents[i],
                    "in_the_field_of": self.agents[j],
                    "win_share": as_json(found.replies[i][j]),
                    "is_best": bool(found.best[i, j]),
                    "beyond_chance": bool(found.beats[i, j]),
                }
                for j in places
                for i in places
                if i != j
            ],
            "circles": [[self.agents[i] for i in circle.cycle] for circle in found.circles],
        }

    def _nothing(self, cell: CellSummary) -> str:
        """Why nothing is concluded."""
        if cell.games and not cell.has_verdict:
            return failing(cell.problems / cell.games)
        return "Not all line-ups have been played yet, so nothing is concluded."

    def _matter(self, found: Balance) -> str:
        """How many strategies matter; or, until all is settled, how many are in the mix."""
        count = sum(weight.mean > 0 for weight in found.weights)
        verb = "are in the mix in balance"
        if "open" not in found.verdicts:
            verb = "matters" if count == 1 else "matter"
        elif count == 1:
            verb = "is in the mix in balance"
        return f"{part_of(count, len(self.agents))} strategies {verb}".capitalize()

    def _with(self, found: Balance, verdict: str) -> list[str]:
        """The strategies of a verdict."""
        pairs = zip(self.agents, found.verdicts, strict=True)
        return [spec for spec, one in pairs if one == verdict]

    def _sentences(self, found: Balance) -> list[str]:
        """What was found at a setting."""
        order = sorted(range(len(self.agents)), key=lambda i: -found.weights[i].mean)
        inside = [i for i in order if found.weights[i].mean > 0]
        parts = [f"{self.agents[i]} {_weight(found.weights[i])}" for i in inside]
        told = [f"{self._matter(found)}: {', '.join(parts)}."]
        if len(inside) > 1:
            told.append(
                f"The mix is as diverse as {found.effective.mean:.1f} strategies in equal parts "
                f"({found.effective.low:.1f} to {found.effective.high:.1f})."
            )
        for i in order:
            name, verdict = self.agents[i], found.verdicts[i]
            wins = f"against the mix it wins {percent_within(found.won[i])} where "
            wins += f"{percent(1 / found.players)} is fair"
            if verdict == "dominant":
                told.append(
                    f"{name} is dominant: nothing does better among copies of any strategy, nor "
                    "against the mix."
                )
            elif verdict == "niche":
                fields = ", ".join(self.agents[j] for j in np.flatnonzero(found.best[i]))
                reasons = [f"does best among copies of {fields}"] if fields else []
                if not fields or any(one.mix[i] > 0 for one in found.mixes[1 : 1 + OTHERS]):
                    reasons.append("is in another mix in balance")
                told.append(f"{name} has a niche: {wins}, yet it {' and '.join(reasons)}.")
            elif verdict == "dead":
                told.append(
                    f"{name} is dead: {wins}, and it does best among copies of no strategy."
                )
        unsettled = self._with(found, "open")
        if found.blocks < BLOCKS_FOR_T:
            told.append(
                f"This is only a first look: {counted(found.blocks, 'blocks')} "
                f"{'is' if found.blocks == 1 else 'are'} too few to call a strategy dead or "
                "dominant; give more --games."
            )
        elif unsettled:
            verb = "matters" if len(unsettled) == 1 else "matter"
            told.append(f"Not settled, for want of games: whether {', '.join(unsettled)} {verb}.")
        return told + self._orders(found)

    def _orders(self, found: Balance) -> list[str]:
        """Where there is more than one mix, or where best replies go round."""
        told = []
        if len(found.mixes) > 1:
            others = "; or ".join(
                f"{self.mix(one.mix)} ({percent(one.attracts)})"
                for one in found.mixes[1 : 1 + OTHERS]
            )
            more = len(found.mixes) - 1 - OTHERS
            others += f"; and {counted(more, 'more')}" if more > 0 else ""
            told.append(
                "By these games it is not the only mix in balance: "
                f"{percent(found.mixes[0].attracts)} of the starting mixes lead to it, the rest to "
                f"{others}."
            )
        told += [
            f"Best replies go round: {' > '.join(self.agents[i] for i in circle.cycle)}, each the "
            "best alone in a field of the next."
            for circle in found.circles
        ]
        if found.mixes[0].regret > BALANCED:
            told.append(
                "No mix was found in perfect balance: against this one a strategy still gains "
                f"{100 * found.mixes[0].regret:.2f} {POINTS}."
            )
        return told


def _weight(weight: Interval) -> str:
    """A weight in percent, with its interval if it has any width."""
    return percent_within(weight) if weight.low < weight.high else percent(weight.mean)


def strategies(run: Run, summary: Summary) -> Strategies:
    """What a run of strategies showed, summed up in `summary`.

    Of each setting, the blocks count that all line-ups have played.

    >>> strategies(run, summary).balances[0].verdicts                     # doctest: +SKIP
    ['matters', 'matters', 'dead']
    """
    import pandas

    agents = run.manifest["plan"]["agents"]
    rows = pandas.concat(list(run.tables(["cell", "block", "agent", "win_share"])))
    means = rows.groupby(["cell", "block", "agent"]).win_share.mean()
    found = []
    for cell in summary.cells:
        shares = _shares(means, cell, agents)
        found.append(balance(shares, cell.players) if cell.has_verdict and len(shares) else None)
    return Strategies(agents, summary.cells, found)


def _shares(means: pandas.Series, cell: CellSummary, agents: list[str]) -> np.ndarray:
    """What a copy of each strategy won, [block, line_up, strategy]; 0 where it did not play."""
    wanted = line_ups(len(agents), cell.players)
    numbers = {tuple(line_up.count(spec) for spec in agents): number
               for number, line_up in cell.line_ups.items()}  # fmt: skip
    places = {numbers[tuple(copies)]: place for place, copies in enumerate(wanted.tolist())}
    own = means[means.index.get_level_values("cell").isin(places)]
    at = own.index.to_frame()
    shares = np.full((cell.planned, *wanted.shape), np.nan)
    shares[at["block"], at["cell"].map(places), at["agent"].map(agents.index)] = own
    shares[:, wanted == 0] = 0.0
    return shares[~np.isnan(shares).any(axis=(1, 2))]
