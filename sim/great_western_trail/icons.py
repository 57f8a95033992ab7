"""Great Western Trail: the action icons. Wherever the same icon appears, it is the same action.

`may_do` says whether an icon can be used now, `do` begins it: what it gives at once is given, what
is to be decided is put on top of the pending tasks.
"""

from sim.contract import compiled
from sim.great_western_trail.cards import (
    drawable,
    has_pair,
    in_market,
    may_buy_something,
    objectives_left,
    of_type,
    of_value,
)
from sim.great_western_trail.railroad import backward_to, may_upgrade_behind
from sim.great_western_trail.state import (
    ADJACENT,
    ANY_CATTLE,
    ANY_PAIR,
    AUXILIARIES,
    AUXILIARY,
    BACK,
    BEHIND,
    BRANCHLET,
    BUILD,
    BUILDING,
    BUY,
    BUYING,
    BY_ACTION,
    CERTIFICATES,
    CHOOSING,
    CLEAR,
    CLEARING,
    COPYING,
    COWBOY,
    CRAFTSMAN,
    DELIVERY,
    DRAW,
    DRAWING,
    EITHER,
    ENGINE,
    ENGINE_BACK,
    ENGINEER,
    EXTRAORDINARY,
    FORWARD,
    FREE_CARD,
    FREE_CATTLE,
    GAIN,
    GIVE,
    GIVING,
    HIRE,
    HIRING,
    HOLD_OBJECTIVE,
    ICON,
    LOCAL,
    MASTER,
    MASTERS,
    MAX_CATTLE,
    MAX_OBJECTIVES,
    MAX_ROWS,
    MONEY,
    MOVE,
    MOVING,
    OBJECTIVE_CARD,
    OBJECTIVES,
    PER_BELL,
    PER_COWBOY,
    PER_CRAFTSMAN,
    PER_ENGINEER,
    PER_HAZARD,
    PER_PAIR,
    PER_WOODS,
    REMOVE,
    REMOVING,
    RIDE,
    ROW_LENGTH,
    TAKE_OBJECTIVE,
    TOKEN,
    TOLL_FREE,
    TOWN,
    TRADE,
    TRADING,
    UPGRADE_BEHIND,
    UPGRADE_HERE,
    VALUE_2,
    WORKER,
)
from sim.great_western_trail.tasks import (
    auxiliary_level,
    bells,
    certificates_possible,
    push,
)
from sim.great_western_trail.towns import may_place_branchlet
from sim.great_western_trail.trail import (
    hazards_of,
    may_build,
    may_clear,
    may_copy,
    may_trade_any,
    own_buildings,
    pairs_of,
    within_reach,
)


@compiled
def counted(state, board, player, what):
    """How many there are of what an icon counts."""
    if what == PER_COWBOY:
        return int(state.workers[player, COWBOY])
    if what == PER_CRAFTSMAN:
        return int(state.workers[player, CRAFTSMAN])
    if what == PER_ENGINEER:
        return int(state.workers[player, ENGINEER])
    if what == PER_WOODS:
        return own_buildings(state, board, player, True)
    if what == PER_PAIR:
        return pairs_of(state, player)
    if what == PER_HAZARD:
        return hazards_of(state, player)
    if what == PER_BELL:
        return bells(state, player)
    return 1


# ------------------------------------------------------------------------------ Whether it can be


@compiled
def may_do(state, board, icon):
    """Whether an icon can be used: its requirement can be met, and it changes something (M24)."""
    if board.icon_kind[icon] == EITHER:
        return _may_do_one(state, board, int(board.icon_other[icon, 0])) or _may_do_one(
            state, board, int(board.icon_other[icon, 1])
        )
    return _may_do_one(state, board, icon)


@compiled
def _may_do_one(state, board, icon):
    """As `may_do`, for an icon that is no choice between two."""
    if board.icon_kind[icon] != AUXILIARY:
        return may_do_plain(state, board, icon)
    for auxiliary in range(AUXILIARIES):
        for double in range(2):
            if may_do_auxiliary(state, board, auxiliary, double):
                return True
    return False


@compiled
def may_do_auxiliary(state, board, auxiliary, double):
    """Whether a single (0) or double (1) auxiliary action is unlocked and can be used."""
    icon = int(board.auxiliary[auxiliary, double])
    if icon < 0 or auxiliary_level(state, board, int(state.to_move), auxiliary) <= double:
        return False
    return may_do_plain(state, board, icon)


@compiled
def may_do_plain(state, board, icon):
    """As `may_do`, for an icon that leads to no other list of icons."""
    player = int(state.to_move)
    kind = board.icon_kind[icon]
    amount = int(board.icon_amount[icon])
    if kind == GAIN:
        return _may_gain(state, board, player, icon)
    if kind == GIVE:
        return _may_give(state, board, player, int(board.icon_card[icon]), amount)
    if kind == HIRE:
        return _may_hire(state, board, player, amount)
    if kind == BUILD:
        return may_build(state, board, player, amount)
    if kind == TAKE_OBJECTIVE or kind == HOLD_OBJECTIVE:
        return objectives_left(state)
    if kind == FORWARD:
        can_pay = state.money[player] + board.icon_money[icon] >= 0
        return can_pay and amount * counted(state, board, player, board.icon_counts[icon]) > 0
    if kind == BACK:
        can_pay = state.money[player] + board.icon_money[icon] >= 0
        return can_pay and backward_to(state, board, amount) != 0
    if kind == EXTRAORDINARY:
        return state.engine[player] > 0
    return _may_do_more(state, board, player, kind, amount, int(board.icon_counts[icon]))


@compiled
def _may_do_more(state, board, player, kind, amount, counts):
    """The rest of `may_do_plain`."""
    if kind == TRADE:
        return may_trade_any(state, board, player)
    if kind == CLEAR:
        return may_clear(state, board, player, amount)
    if kind == BUY:
        return may_buy_something(state, board, player, int(state.workers[player, COWBOY]))
    if kind == MOVE:
        return state.at[player] >= 0
    if kind == RIDE:
        return state.at[player] >= 0 and within_reach(state, board, amount, TOLL_FREE) != 0
    if kind == DRAW:
        return drawable(state, player) > 0 and counted(state, board, player, counts) > 0
    if kind == REMOVE:
        return state.n_hand[player] > 0
    if kind == ADJACENT:
        for space in range(board.n_spaces):
            if may_copy(state, board, acting_space(state), space):
                return True
        return False
    if kind == UPGRADE_BEHIND:
        return may_upgrade_behind(state, board, player)
    if kind == BRANCHLET:
        return may_place_branchlet(state, board, player)
    if kind == FREE_CATTLE:
        return in_market(state, board, amount) > 0
    if kind == MASTER:
        return state.new_york != 0
    return kind == TOKEN


@compiled
def acting_space(state):
    """The space whose building acts: the cattleman's, or that of a building it copies (R14)."""
    for place in range(state.n_tasks - 1, -1, -1):
        if state.task[place] == LOCAL:
            return int(state.one[place])
    return int(state.at[state.to_move])


@compiled
def _may_gain(state, board, player, icon):
    number = counted(state, board, player, board.icon_counts[icon])
    if number * board.icon_money[icon] > 0:
        return True
    certificates = number * board.icon_certificates[icon]
    return certificates > 0 and certificates_possible(state, board, player) > 0


@compiled
def _may_give(state, board, player, card, amount):
    """Whether the cards that an icon asks for are in the hand."""
    if card == ANY_PAIR:
        return has_pair(state, board, player)
    if card == VALUE_2:
        return of_value(state, board, player, 2) >= amount
    if card == ANY_CATTLE:
        for kind in range(board.n_cattle):
            if state.hand[player, kind] > 0:
                return True
        return False
    if card == OBJECTIVE_CARD:
        for kind in range(MAX_OBJECTIVES):
            if state.hand[player, MAX_CATTLE + kind] > 0:
                return True
        return False
    return of_type(state, board, player, card) > 0


# ------------------------------------------------------------------------------------- Job market


@compiled
def may_hire(state, board, player, row, worker, change):
    """Whether a worker of a row can be hired: not from the token's row, nor into a full one."""
    if state.job[row, worker] == 0 or state.workers[player, worker] == ROW_LENGTH:
        return False
    if row == state.placed // state.n_players:  # the token's; M22: none once it has left
        return False
    return max(0, board.row_cost[row] + change) <= state.money[player]


@compiled
def _may_hire(state, board, player, change):
    for row in range(MAX_ROWS):
        for worker in range(3):
            if may_hire(state, board, player, row, worker, change):
                return True
    return False


@compiled
def legal_workers(state, board, change, out, n):
    """Workers that can be hired; equal ones of a row are one choice."""
    for row in range(MAX_ROWS):
        for worker in range(3):
            if may_hire(state, board, int(state.to_move), row, worker, change):
                out[n] = WORKER + row * 3 + worker
                n += 1
    return n


@compiled
def hire(state, board, player, row, worker, change):
    """Pay; the worker takes the leftmost free space of its row, and its icon may be used."""
    state.money[player] -= max(0, board.row_cost[row] + change)
    state.job[row, worker] -= 1
    state.workers[player, worker] += 1
    state.hired[player] += 1
    offer(state, board, int(board.worker_icon[worker, state.workers[player, worker]]), True)


# ------------------------------------------------------------------------------------ What it does


@compiled
def offer(state, board, icon, optional):
    """An icon whose turn comes when what lies above it is settled; -1: nothing."""
    if icon >= 0:
        push(state, ICON, icon, 0, int(optional))


@compiled
def do(state, board, icon, optional):
    """Begin an icon that can be used; the player may forfeit it if it is optional."""
    player = int(state.to_move)
    kind = board.icon_kind[icon]
    amount = int(board.icon_amount[icon])
    if kind == GAIN:
        _reward(state, board, player, icon, optional)
    elif kind == GIVE:
        cards = amount if board.icon_card[icon] == VALUE_2 else 1
        push(state, GIVING, icon, 2 if board.icon_card[icon] == ANY_PAIR else cards, optional)
    elif kind == HIRE:
        push(state, HIRING, amount, 0, optional)
    elif kind == BUILD:
        push(state, BUILDING, amount, 0, optional)
    elif kind == TAKE_OBJECTIVE:
        push(state, OBJECTIVES, 0, 0, optional)
    elif kind == HOLD_OBJECTIVE:
        push(state, OBJECTIVES, 1, 0, optional)
    elif kind == EITHER or kind == AUXILIARY:
        push(state, CHOOSING, icon, 0, optional)
    elif kind == FORWARD:
        state.money[player] += board.icon_money[icon]
        push(state, UPGRADE_HERE, 0, 0, 0)
        spaces = amount * counted(state, board, player, board.icon_counts[icon])
        push(state, ENGINE, spaces, 0, optional)
    elif kind == BACK:
        _move_back(state, board, player, icon, amount)
    elif kind == EXTRAORDINARY:
        _deliver_extraordinarily(state, board)
    else:
        _do_more(state, board, player, icon, kind, amount, optional)


@compiled
def _do_more(state, board, player, icon, kind, amount, optional):
    """The rest of `do`."""
    if kind == TRADE:
        push(state, TRADING, 0, 0, optional)
    elif kind == CLEAR:
        push(state, CLEARING, amount, 0, optional)
    elif kind == BUY:
        push(state, BUYING, int(state.workers[player, COWBOY]), 0, optional)
    elif kind == MOVE:
        push(state, MOVING, amount, BY_ACTION, optional)
    elif kind == RIDE:
        push(state, MOVING, amount, TOLL_FREE, optional)
    elif kind == DRAW:
        number = amount * counted(state, board, player, board.icon_counts[icon])
        push(state, DRAWING, number, 0, optional)
    elif kind == REMOVE:
        push(state, REMOVING, amount, 0, optional)
    elif kind == ADJACENT:
        push(state, COPYING, acting_space(state), 0, optional)
    elif kind == UPGRADE_BEHIND:
        push(state, BEHIND, 0, 0, optional)
    elif kind == BRANCHLET:
        for _ in range(amount):
            push(state, TOWN, 0, 0, optional)
    elif kind == TOKEN:
        state.tokens[player] += 1
    elif kind == FREE_CATTLE:
        push(state, FREE_CARD, amount, 0, optional)
    elif kind == MASTER:
        push(state, MASTERS, 0, 0, optional)


@compiled
def _reward(state, board, player, icon, optional):
    """Money at once and in full, certificates as many as wished."""
    number = counted(state, board, player, board.icon_counts[icon])
    state.money[player] += number * board.icon_money[icon]
    if board.icon_certificates[icon] > 0:
        may_forfeit = optional or board.icon_money[icon] > 0
        push(state, CERTIFICATES, number * board.icon_certificates[icon], 0, int(may_forfeit))


@compiled
def reward_for_cards(state, board, player, icon):
    """What an icon gives for the cards that were discarded."""
    offer(state, board, int(board.icon_then[icon]), True)
    state.money[player] += board.icon_money[icon]
    if board.icon_certificates[icon] > 0:
        push(state, CERTIFICATES, board.icon_certificates[icon], 0, 1)


@compiled
def _move_back(state, board, player, icon, spaces):
    """Pay; then the engine goes back, a station there is upgraded, the reward follows (X2)."""
    if not board.upgrade_before_reward:
        push(state, UPGRADE_HERE, 0, 0, 0)
    offer(state, board, int(board.icon_then[icon]), True)
    if board.icon_certificates[icon] > 0:
        push(state, CERTIFICATES, board.icon_certificates[icon], 0, 1)
    if board.icon_money[icon] > 0:
        push(state, MONEY, board.icon_money[icon], 0, 0)
    else:
        state.money[player] += board.icon_money[icon]
    if board.upgrade_before_reward:
        push(state, UPGRADE_HERE, 0, 0, 0)
    push(state, ENGINE_BACK, spaces, 0, 0)


@compiled
def _deliver_extraordinarily(state, board):
    """The engine goes back, and what it went is the value of the delivery."""
    if not board.upgrade_before_reward:
        push(state, UPGRADE_HERE, 0, 0, 0)
    push(state, DELIVERY, 0, 2, 0)
    if board.upgrade_before_reward:
        push(state, UPGRADE_HERE, 0, 0, 0)
    push(state, ENGINE_BACK, 0, 0, 0)
