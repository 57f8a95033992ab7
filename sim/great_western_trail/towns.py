"""Rails to the North: branchlets and the towns of the extension board."""

from sim.bits import bit, lowest, without_lowest
from sim.contract import compiled
from sim.great_western_trail.state import TOWN_AT, TOWN_SPACES


@compiled
def accessible(state, board, player):
    """The set of towns that can take a branchlet of the player, money and free spaces aside.

    Those next to the Kansas City office, to a city with an own disc, or to an own branchlet; none
    where there is one already.
    """
    towns = 0
    cities = 0
    for city in range(board.n_cities):
        if state.city_discs[player, city] > 0:
            cities |= 1 << city
    for town in range(board.n_towns):
        if board.town_office[town] or board.town_cities[town] & cities != 0:
            towns |= bit(town)
    own = state.towns[player]
    while own != 0:
        towns |= board.beside[lowest(own)]
        own = without_lowest(own)
    return towns & ~state.towns[player]


@compiled
def _is_free(state, board, player, town, space):
    """Whether a branchlet space is free, its cost can be paid, and none before it is the same."""
    if state.town[town, space] >= 0 or state.money[player] + board.town_money[town, space] < 0:
        return False
    for before in range(space):
        if (
            state.town[town, before] < 0
            and board.town_money[town, before] == board.town_money[town, space]
            and board.town_icon[town, before] == board.town_icon[town, space]
        ):
            return False
    return True


@compiled
def may_place_branchlet(state, board, player):
    """Whether there is a branchlet and a space for it."""
    if state.branchlets[player] == 0:
        return False
    towns = accessible(state, board, player)
    while towns != 0:
        town = lowest(towns)
        towns = without_lowest(towns)
        for space in range(TOWN_SPACES):
            if _is_free(state, board, player, town, space):
                return True
    return False


@compiled
def legal_towns(state, board, out, n):
    """Spaces for a branchlet; those of a town with equal print are one choice (K22)."""
    player = int(state.to_move)
    if state.branchlets[player] == 0:
        return n
    towns = accessible(state, board, player)
    while towns != 0:
        town = lowest(towns)
        towns = without_lowest(towns)
        for space in range(TOWN_SPACES):
            if _is_free(state, board, player, town, space):
                out[n] = TOWN_AT + town * TOWN_SPACES + space
                n += 1
    return n


@compiled
def put_branchlet(state, board, player, town, space):
    """Take a branchlet from the leftmost bell, place it, and pay or gain the money there."""
    state.branchlets[player] -= 1
    state.town[town, space] = player
    state.towns[player] |= bit(town)
    state.money[player] += board.town_money[town, space]


@compiled
def areas_of(state, board, player):
    """Areas of the extension board in which the player has a branchlet."""
    areas = 0
    number = 0
    own = state.towns[player]
    while own != 0:
        area = int(board.town_area[lowest(own)])
        own = without_lowest(own)
        if (areas >> area) & 1 == 0:
            areas |= 1 << area
            number += 1
    return number
