"""Great Western Trail: the railroad track, stations and their masters, the discs for them."""

from sim.bits import bit, lowest, without_lowest
from sim.contract import compiled
from sim.great_western_trail.state import (
    APPOINT,
    DISC_KINDS,
    DISC_LIMIT_4,
    DISC_LIMIT_6,
    DISC_MOVE_1,
    DISC_MOVE_2,
    LAST_NUMBER,
    MAX_STATIONS,
    STATION,
    STATION_DISC,
    TAKE_DISC,
    TRACK,
)
from sim.great_western_trail.tasks import cleared

# ------------------------------------------------------------------------------ Moving the engine


@compiled
def along(board, position):
    """Where a position lies along the track; turnouts are between two numbers."""
    number = int(board.turnout_after[position])
    return 2 * number + 1 if number >= 0 else 2 * position


@compiled
def engines(state):
    """The set of positions that engines block; the start has room for all."""
    blocked = 0
    for player in range(state.n_players):
        if 0 < state.engine[player] < TRACK:
            blocked |= bit(int(state.engine[player]))
    return blocked


@compiled
def _ahead(board, position):
    """The set of positions one space forward."""
    if position == LAST_NUMBER:
        return 0
    number = int(board.turnout_after[position])
    if number >= 0:
        return bit(number + 1)
    spaces = bit(position + 1)
    if board.turnout[position] >= 0:
        spaces |= bit(int(board.turnout[position]))
    return spaces


@compiled
def _behind(board, position):
    """The set of positions one space backward."""
    number = int(board.turnout_after[position])
    if number >= 0:
        return bit(number)
    if position == 0:
        return 0
    spaces = bit(position - 1)
    if board.turnout[position - 1] >= 0:
        spaces |= bit(int(board.turnout[position - 1]))
    return spaces


@compiled
def _one_space(state, board, positions, forward):
    """The set of positions one space on from any of these; blocked ones are not there."""
    blocked = engines(state)
    found = 0
    while positions != 0:
        position = lowest(positions)
        positions = without_lowest(positions)
        spaces = _ahead(board, position) if forward else _behind(board, position)
        found |= spaces & ~blocked
        positions |= spaces & blocked
    return found


@compiled
def forward_to(state, board, spaces):
    """The set of positions 1 to `spaces` spaces forward."""
    edge = bit(int(state.engine[state.to_move]))
    reached = 0
    for _ in range(spaces):
        edge = _one_space(state, board, edge, True)
        if edge == 0:
            break
        reached |= edge
    return reached


@compiled
def backward_to(state, board, spaces):
    """The set of positions exactly so many spaces backward; 0: all free ones behind (R20)."""
    position = int(state.engine[state.to_move])
    if spaces > 0:
        edge = bit(position)
        for _ in range(spaces):
            edge = _one_space(state, board, edge, False)
        return edge
    blocked = engines(state)
    found = 0
    for other in range(TRACK):
        if along(board, other) < along(board, position) and blocked & bit(other) == 0:
            found |= bit(other)
    return found


@compiled
def spaces_back(state, board, position):
    """Spaces from the engine back to a position, turnouts on the way used too (X4)."""
    blocked = engines(state)
    here = int(state.engine[state.to_move])
    number = 0
    for other in range(TRACK):
        if blocked & bit(other) == 0 and (
            along(board, position) <= along(board, other) < along(board, here)
        ):
            number += 1
    if board.turnout_after[position] >= 0 and not board.end_turnout_counts:
        number -= 1
    return number


@compiled
def transport_cost(state, board, player, value):
    """A dollar for each cross between the engine and the space numbered like the city."""
    numbered = min(value, LAST_NUMBER)
    crosses = board.crosses_before[numbered] - board.crosses_before[state.engine[player]]
    return max(0, int(crosses))


# ------------------------------------------------------------------------------------------ Discs


@compiled
def may_take_disc(state, board, player, disc, money):
    """Whether a disc is on the board and can be paid with so much money."""
    if state.discs[player, disc] == 0 or board.disc_cost[disc] > money:
        return False
    if board.left_disc_first:  # X6
        if disc == DISC_MOVE_2 and cleared(state, board, player, DISC_MOVE_1) == 0:
            return False
        if disc == DISC_LIMIT_6 and cleared(state, board, player, DISC_LIMIT_4) == 0:
            return False
    return True


@compiled
def has_fitting_disc(state, board, player, is_black, money):
    """Whether a disc on the board fits a space with such corners and can be paid."""
    for disc in range(DISC_KINDS):
        if (is_black or not board.disc_black[disc]) and may_take_disc(
            state, board, player, disc, money
        ):
            return True
    return False


@compiled
def stations_of(state, player):
    """Stations with a disc of the player."""
    number = 0
    for station in range(MAX_STATIONS):
        number += int(state.station_disc[player, station])
    return number


@compiled
def legal_discs(state, board, is_black, money, station, out, n):
    """Discs for a space with such corners: fitting ones, else from another station (R02, R03).

    `station` is the one to be upgraded, -1 for a delivery: only there a black disc may stand in
    for a white one (X3, R05), and no disc at all is needed if there is none (R04).
    """
    player = int(state.to_move)
    first = n
    for disc in range(DISC_KINDS):
        if (is_black or not board.disc_black[disc]) and may_take_disc(
            state, board, player, disc, money
        ):
            out[n] = TAKE_DISC + disc
            n += 1
    if n == first and station < 0 and board.black_disc_on_white_city:
        for disc in range(DISC_KINDS):
            if may_take_disc(state, board, player, disc, money):
                out[n] = TAKE_DISC + disc
                n += 1
    if n == first:
        for other in range(board.n_stations):
            if state.station_disc[player, other] != 0 and other != station:
                out[n] = STATION_DISC + other
                n += 1
    return n


@compiled
def take_disc(state, board, player, action):
    """Take the disc, pay for it, and gain what it unlocks at once."""
    if action >= STATION_DISC:
        state.station_disc[player, action - STATION_DISC] = 0
        return
    disc = action - TAKE_DISC
    state.discs[player, disc] -= 1
    state.money[player] -= board.disc_cost[disc]
    if disc == DISC_MOVE_1:
        state.money[player] += board.disc_money


# -------------------------------------------------------------------------------------- Stations


@compiled
def may_upgrade(state, board, player, station):
    """Whether a station can be upgraded: not done before, and a disc and the money for it."""
    if station < 0 or state.station_disc[player, station] != 0:
        return False
    money = int(state.money[player] - board.station_cost[station])
    if money < 0:
        return False
    if has_fitting_disc(state, board, player, board.station_black[station] != 0, money):
        return True
    return stations_of(state, player) > 0


@compiled
def is_behind(state, board, player, station):
    """Whether a station lies behind the engine."""
    position = int(board.station_position[station])
    return position >= 0 and along(board, position) < along(board, int(state.engine[player]))


@compiled
def may_upgrade_behind(state, board, player):
    """Whether any station behind the engine can be upgraded."""
    for station in range(board.n_stations):
        if is_behind(state, board, player, station) and may_upgrade(state, board, player, station):
            return True
    return False


@compiled
def legal_stations(state, board, out, n):
    """Stations behind the engine that can be upgraded."""
    player = int(state.to_move)
    for station in range(board.n_stations):
        if is_behind(state, board, player, station) and may_upgrade(state, board, player, station):
            out[n] = STATION + station
            n += 1
    return n


@compiled
def may_appoint(state, player):
    """Whether a hired worker can become a station master."""
    for worker in range(3):
        if state.workers[player, worker] > 1:
            return True
    return False


@compiled
def legal_appointments(state, out, n):
    """Workers on the rightmost space of their row; the printed ones stay."""
    for worker in range(3):
        if state.workers[state.to_move, worker] > 1:
            out[n] = APPOINT + worker
            n += 1
    return n
