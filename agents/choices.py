"""Does a choice matter? A look at every decision of a game while it is played.

A choice matters if, by the evaluation that greedy plays by, the best of its actions wins at least
1 percentage point more of the games than the worst. A dead turn is a stretch of decisions of one
player, until another decides, in which no choice matters: a bystander could have played it.
"""

from agents.base import evaluate
from sim.contract import apply, compiled, determinize
from sim.maths import exp
from sim.rng import below, draw

#: What a choice must be worth, as a share of the wins.
MATTERS = 0.01
#: Of a choice among more actions, so many are looked at.
LOOKS = 16


@compiled
def weigh(state, board, progress, legal, count, scratch, worth, judge, weights):
    """Note whether the decision that waits matters; once for each, however often it is called.

    `judge` and `weights` are what greedy plays by, `scratch` two states, `worth` the `out` of
    `evaluate`. The draws come from the stream of `progress`, so that no player's change.
    """
    if progress.weighed == progress.decisions:
        return
    progress.weighed = progress.decisions
    player = int(state.to_move)
    if player != progress.player:
        close_turn(progress)
        progress.player = player
        progress.turns += 1
    if count < 2:
        return
    progress.choices += 1
    scratch[0] = state
    determinize(scratch[0], board, player, draw(progress))
    looks = min(count, LOOKS)
    start = below(progress, count)
    best = 0.0
    worst = 1.0
    for look in range(looks):
        scratch[1] = scratch[0]
        apply(scratch[1], board, legal[(start + look * count // looks) % count])
        evaluate(scratch[1], board, weights, worth)
        total = 0.0
        for other in range(state.n_players):
            total += exp((worth[other] - worth[player]) / judge.scale)
        best = max(best, 1.0 / total)
        worst = min(worst, 1.0 / total)
    if best - worst >= MATTERS:
        progress.matter += 1
        progress.is_alive = 1


@compiled
def close_turn(progress):
    """The player who decided is done: a turn in which nothing mattered was dead."""
    if progress.player >= 0 and progress.is_alive == 0:
        progress.dead += 1
    progress.is_alive = 0
    progress.player = -1
