"""What is pending in a turn, and what a player has: money, certificates, discs cleared."""

from sim.contract import BROKEN, compiled
from sim.great_western_trail.state import (
    BELLS,
    BRANCHLETS,
    CERTIFICATE_SPACES,
    DISC_HAND,
    DISC_LIMIT_4,
    DISC_LIMIT_6,
    DISC_MOVE_1,
    DISC_MOVE_2,
    MAX_TASKS,
)


@compiled
def push(state, task, one, two, optional):
    """Put a task on top: it is decided, or settled, next."""
    place = int(state.n_tasks)
    if place == MAX_TASKS:
        state.status = BROKEN
        return
    state.task[place] = task
    state.one[place] = one
    state.two[place] = two
    state.optional[place] = optional
    state.n_tasks = place + 1


@compiled
def pop(state):
    """Take the topmost task off; what it leaves is zeroed, so that equal positions look equal."""
    state.n_tasks -= 1
    place = int(state.n_tasks)
    state.task[place] = 0
    state.one[place] = 0
    state.two[place] = 0
    state.optional[place] = 0


@compiled
def cleared(state, board, player, disc):
    """Discs of a kind that are gone from the player board."""
    return int(board.disc_copies[disc]) - int(state.discs[player, disc])


@compiled
def auxiliary_level(state, board, player, auxiliary):
    """0: locked, 1: the single action is unlocked, 2: the double one too."""
    return int(board.open_from_start[auxiliary]) + cleared(state, board, player, auxiliary)


@compiled
def step_limit(state, board, player):
    """Steps of the move in phase A."""
    discs = cleared(state, board, player, DISC_MOVE_1) + cleared(state, board, player, DISC_MOVE_2)
    return int(board.steps[state.n_players, discs])


@compiled
def hand_limit(state, board, player):
    """Cards to draw up to in phase C."""
    return int(board.cards_in_hand) + cleared(state, board, player, DISC_HAND)


@compiled
def certificate_limit(state, board, player):
    """Last space of the certificate track the marker may enter: 3, then 4, 6 only with both."""
    last = CERTIFICATE_SPACES - 3
    if cleared(state, board, player, DISC_LIMIT_4) > 0:
        last += 1
        if cleared(state, board, player, DISC_LIMIT_6) > 0:
            last += 1
    return last


@compiled
def certificates_possible(state, board, player):
    """How many spaces the certificate marker can still move forward."""
    return max(0, certificate_limit(state, board, player) - int(state.certificate[player]))


@compiled
def certificates_held(state, board, player):
    """Temporary certificates."""
    return int(board.certificates[state.certificate[player]])


@compiled
def spend_certificates(state, board, player, number):
    """The marker goes down step by step until at least so many are covered."""
    held = certificates_held(state, board, player)
    while held - certificates_held(state, board, player) < number:
        state.certificate[player] -= 1


@compiled
def bells(state, player):
    """Bell spaces that the player has cleared; none without Rails to the North."""
    return (BRANCHLETS - int(state.branchlets[player])) // (BRANCHLETS // BELLS)
