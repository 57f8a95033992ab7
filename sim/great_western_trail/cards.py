"""Great Western Trail: cards. A player's own deck, the cattle market, objective cards."""

from sim.contract import compiled
from sim.great_western_trail.state import (
    DISPLAY,
    MAX_CARDS,
    MAX_CATTLE,
    MAX_OBJECTIVES,
)
from sim.rng import below


@compiled
def draw_cards(state, player, number):
    """Draw from the own stack; how many. The discard pile is shuffled when it runs out (M22)."""
    drawn = 0
    while drawn < number:
        if state.n_stack[player] == 0:
            if state.n_discard[player] == 0:
                break
            for card in range(MAX_CARDS):
                state.stack[player, card] = state.discard[player, card]
                state.discard[player, card] = 0
            state.n_stack[player] = state.n_discard[player]
            state.n_discard[player] = 0
        card = _pick(state, player, below(state, state.n_stack[player]))
        state.stack[player, card] -= 1
        state.n_stack[player] -= 1
        state.hand[player, card] += 1
        state.n_hand[player] += 1
        drawn += 1
    return drawn


@compiled
def _pick(state, player, place):
    """The card at that place of the stack, its cards in the order of their numbers."""
    card = 0
    while place >= state.stack[player, card]:
        place -= int(state.stack[player, card])
        card += 1
    return card


@compiled
def drawable(state, player):
    """Cards that the player can still draw."""
    return int(state.n_stack[player] + state.n_discard[player])


@compiled
def leave_hand(state, player, card):
    """A card leaves the hand, seen by all."""
    state.hand[player, card] -= 1
    state.n_hand[player] -= 1
    if card >= MAX_CATTLE:
        kind = card - MAX_CATTLE
        if state.shown[player, kind] > 0:
            state.shown[player, kind] -= 1
        if state.secret[player, kind] > state.hand[player, card]:
            state.secret[player, kind] = state.hand[player, card]


@compiled
def discard_card(state, player, card):
    """Put a hand card on the own discard pile."""
    leave_hand(state, player, card)
    state.discard[player, card] += 1
    state.n_discard[player] += 1


@compiled
def discard_hand(state, player):
    """Put all hand cards on the own discard pile."""
    for card in range(MAX_CARDS):
        while state.hand[player, card] > 0:
            discard_card(state, player, card)


@compiled
def of_type(state, board, player, cattle_type):
    """Hand cards of a type of cattle."""
    number = 0
    for kind in range(board.n_cattle):
        if board.cattle_type[kind] == cattle_type:
            number += int(state.hand[player, kind])
    return number


@compiled
def has_pair(state, board, player):
    """Whether two hand cards are of the same type."""
    for cattle_type in range(board.n_types):
        if of_type(state, board, player, cattle_type) >= 2:
            return True
    return False


@compiled
def of_value(state, board, player, value):
    """Hand cards of a breeding value."""
    number = 0
    for kind in range(board.n_cattle):
        if board.breeding[board.cattle_type[kind]] == value:
            number += int(state.hand[player, kind])
    return number


@compiled
def breeding_value(state, board, player):
    """Of the hand: each type of cattle counts once."""
    types = 0
    value = 0
    for kind in range(board.n_cattle):
        cattle_type = int(board.cattle_type[kind])
        if state.hand[player, kind] > 0 and (types >> cattle_type) & 1 == 0:
            types |= 1 << cattle_type
            value += int(board.breeding[cattle_type])
    return value


# --------------------------------------------------------------------------------- Cattle market


@compiled
def add_to_market(state, number):
    """Lay cards from the cattle stack in the market, as many as there are (R08)."""
    while number > 0 and state.cattle_next < state.n_cattle:
        state.market[state.cattle_stack[state.cattle_next]] += 1
        state.cattle_next += 1
        number -= 1


@compiled
def fill_market(state, board):
    """Fill the market up to its size; more may lie there (R07)."""
    size = 0
    for kind in range(board.n_cattle):
        size += int(state.market[kind])
    add_to_market(state, int(board.market_size[state.n_players]) - size)


@compiled
def in_market(state, board, value):
    """Cards of a breeding value in the market."""
    number = 0
    for kind in range(board.n_cattle):
        if board.breeding[board.cattle_type[kind]] == value:
            number += int(state.market[kind])
    return number


@compiled
def take_cattle(state, player, kind):
    """From the market onto the own discard pile."""
    state.market[kind] -= 1
    state.discard[player, kind] += 1
    state.n_discard[player] += 1
    state.cattle_bought[player] += 1


@compiled
def may_buy(state, board, player, line, cowboys):
    """Whether a line of the buying table can be used with so many cowboys."""
    return (
        board.buy_cowboys[line] <= cowboys
        and board.buy_cost[line] <= state.money[player]
        and in_market(state, board, board.buy_breeding[line]) > 0
    )


@compiled
def may_buy_something(state, board, player, cowboys):
    """Whether a cowboy can be put to use."""
    if cowboys > 0 and state.cattle_next < state.n_cattle:
        return True
    for line in range(board.n_buys):
        if may_buy(state, board, player, line, cowboys):
            return True
    return False


# ------------------------------------------------------------------------------- Objective cards


@compiled
def objectives_left(state):
    """Whether an objective card can be taken: from the display or the stack (M22)."""
    if state.objective_next < state.n_objectives:
        return True
    for place in range(DISPLAY):
        if state.display[place] >= 0:
            return True
    return False


@compiled
def fill_display(state):
    """A card from the stack in every vacant place of the display, while there are any."""
    for place in range(DISPLAY):
        if state.display[place] < 0 and state.objective_next < state.n_objectives:
            state.display[place] = state.objective_stack[state.objective_next]
            state.objective_next += 1


@compiled
def take_objective(state, player, kind, into_hand):
    """Take a card of that kind from the display, or the top of the stack (-1)."""
    is_secret = kind < 0
    if is_secret:
        kind = int(state.objective_stack[state.objective_next])
        state.objective_next += 1
    else:
        for place in range(DISPLAY):
            if state.display[place] == kind:
                state.display[place] = -1
                break
        fill_display(state)
    card = MAX_CATTLE + kind
    if not into_hand:
        state.discard[player, card] += 1
        state.n_discard[player] += 1
        return
    state.hand[player, card] += 1
    state.n_hand[player] += 1
    if is_secret:
        state.secret[player, kind] += 1
    else:
        state.shown[player, kind] += 1


# ------------------------------------------------------------------------- What nobody can know


@compiled
def shuffle_stacks(state):
    """Draw the order of all stacks anew, from no trace of the true one."""
    for column in range(3):
        first, last = int(state.pile_next[column]), int(state.n_pile[column])
        _shuffle(state, state.pile[column], first, last)
    _shuffle(state, state.cattle_stack, int(state.cattle_next), int(state.n_cattle))
    _shuffle(state, state.objective_stack, int(state.objective_next), int(state.n_objectives))


@compiled
def _shuffle(state, stack, first, last):
    """Sort the stack from `first` on, then shuffle it."""
    for place in range(first + 1, last):
        card = stack[place]
        before = place - 1
        while before >= first and stack[before] > card:
            stack[before + 1] = stack[before]
            before -= 1
        stack[before + 1] = card
    for place in range(last - 1, first, -1):
        other = first + below(state, place - first + 1)
        card = stack[place]
        stack[place] = stack[other]
        stack[other] = card


@compiled
def redraw_hands(state, viewer):
    """Draw others' hands anew, but for objective cards that all saw go there.

    Objective cards taken unseen may be any that nobody has seen: they are put back and drawn anew.
    """
    for player in range(state.n_players):
        if player != viewer:
            _return_secrets(state, player)
    shuffle_stacks(state)
    for player in range(state.n_players):
        if player != viewer:
            _redraw_hand(state, player)


@compiled
def _return_secrets(state, player):
    """Objective cards that the others never saw go back under the stack, as -1 in hand."""
    for kind in range(MAX_OBJECTIVES):
        while state.secret[player, kind] > 0:
            state.secret[player, kind] -= 1
            state.hand[player, MAX_CATTLE + kind] -= 1
            state.objective_next -= 1
            state.objective_stack[state.objective_next] = kind


@compiled
def _redraw_hand(state, player):
    """Fill the hand to its size again: unseen objective cards first, the rest from the deck."""
    size = int(state.n_hand[player])
    kept = 0
    held = 0
    for card in range(MAX_CARDS):
        held += int(state.hand[player, card])
        fixed = int(state.shown[player, card - MAX_CATTLE]) if card >= MAX_CATTLE else 0
        kept += fixed
        free = int(state.hand[player, card]) - fixed
        state.stack[player, card] += free
        state.n_stack[player] += free
        state.hand[player, card] = fixed
    for _ in range(size - held):
        kind = int(state.objective_stack[state.objective_next])
        state.objective_next += 1
        state.hand[player, MAX_CATTLE + kind] += 1
        state.secret[player, kind] += 1
        kept += 1
    for _ in range(size - kept):
        card = _pick(state, player, below(state, state.n_stack[player]))
        state.stack[player, card] -= 1
        state.n_stack[player] -= 1
        state.hand[player, card] += 1


@compiled
def set_up_deck(state, board, player):
    """The starting cards of a player, as the stack."""
    for card in range(MAX_CARDS):
        state.hand[player, card] = 0
        state.discard[player, card] = 0
        state.stack[player, card] = 0
    for kind in range(MAX_OBJECTIVES):
        state.shown[player, kind] = 0
        state.secret[player, kind] = 0
        state.played[player, kind] = 0
    state.n_hand[player] = 0
    state.n_discard[player] = 0
    state.n_stack[player] = 0
    if player < state.n_players:
        for kind in range(board.n_cattle):
            state.stack[player, kind] = board.start_cards[kind]
            state.n_stack[player] += board.start_cards[kind]
