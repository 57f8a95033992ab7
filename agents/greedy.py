"""Greedy: looks one decision ahead by the game's weighted features."""

from agents.base import advise, evaluate
from sim.contract import apply, compiled
from sim.rng import below


@compiled
def choose_greedy(seat, weights, state, board, legal, count, forbidden, scratch, worth):
    """The legal action after which the position is worth most to the player, less its rivals.

    Ties are drawn from the player's own stream. `state` is the player's copy, with chance of its
    own; `scratch` is a state to try actions in, `worth` the `out` of `evaluate`. `forbidden` says
    by code what is not among the legal actions though the rules allow it: no advice is that.
    """
    advised = advise(state, board, weights, worth)
    if advised >= 0 and not forbidden[advised]:
        return advised
    player = int(state.to_move)
    best = 0
    best_gain = -1e300
    ties = 1
    for i in range(count):
        scratch[0] = state
        apply(scratch[0], board, legal[i])
        evaluate(scratch[0], board, weights, worth)
        others = 0.0
        for other in range(state.n_players):
            others += worth[other]
        others -= worth[player]
        gain = worth[player] - seat.rivalry * others / (state.n_players - 1)
        if gain > best_gain:
            best_gain = gain
            best = i
            ties = 1
        elif gain == best_gain:
            ties += 1
            if below(seat, ties) == 0:
                best = i
    return int(legal[best])
