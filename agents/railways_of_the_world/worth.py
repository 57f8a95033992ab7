"""What a position is worth: points, money and income, and the deliveries a network promises."""

from agents.railways_of_the_world.goods_search import potential
from agents.railways_of_the_world.track_search import note_set, noted_set
from agents.railways_of_the_world.weights import (
    BARONS,
    DEBT,
    DELIVERIES,
    GOAL,
    GOODS,
    HOPE,
    HORIZON,
    MONEY,
    PACE,
    PATIENCE,
    SHARING,
    WALK,
)
from sim.bits import count
from sim.contract import compiled
from sim.railways_of_the_world.money import income
from sim.railways_of_the_world.state import BUILDING, FEWEST_BONDS, LAST_SPACE, MAX_LEVEL, STARTING


@compiled
def turns_left(state, board, weights):
    """Turns to go, this one included."""
    if state.triggered != 0:
        return float(state.last_turn - state.turn + 1)
    players = int(state.n_players)
    markers = board.empty_city_markers[players] - count(state.marked)
    turns = 1.0 + weights[PACE] * max(1, markers) / players
    if board.max_turns > 0:
        turns = min(turns, float(board.max_turns - state.turn + 1))
    return max(1.0, turns)


@compiled
def deliveries_left(state, weights, turns):
    """Own deliveries to come after the present action."""
    actions = 3.0 * (turns - 1.0) + 3.0 - max(1, int(state.round_number)) + state.actions_left - 1
    return max(0.0, actions * weights[DELIVERIES])


@compiled
def _holdings(state, board, weights, player, turns, cost, points):
    """Points, money, income and Bonds once `cost` ($k) is paid and `points` are gained."""
    money = float(state.money[player] - cost)
    bonds = float(state.bonds[player])
    while money < 0.0:
        money += board.bond_cash
        bonds += 1.0
    marker = int(state.marker[player]) + points
    earned = board.income[LAST_SPACE]
    if state.banked[player] == 0 and marker <= LAST_SPACE:
        earned = board.income[marker]
    net = earned - bonds * board.bond_dividend
    turns = min(turns, weights[HORIZON])
    wealth = money + turns * net
    of_use = 12.0 * (turns - 1.0)
    worth = weights[MONEY]
    if wealth > of_use:
        worth *= max(0.05, of_use / wealth)
    elif wealth < 0.0:  # the Bonds it takes bring dividends of their own
        worth *= 1.0 + 0.1 * turns
    debt = weights[DEBT] * board.bond_points
    row = int(state.barons[player, 0])
    if row >= 0 and board.baron_condition[row] == FEWEST_BONDS:
        debt += 0.3 * weights[BARONS]
    points = weights[GOAL] * (state.banked[player] + marker)
    return points + worth * wealth - debt * bonds


@compiled
def gained(state, board, weights, player, turns, cost, points):
    """What paying `cost` and gaining `points` adds to a player's holdings."""
    return _holdings(state, board, weights, player, turns, cost, points) - _holdings(
        state, board, weights, player, turns, 0, 0
    )


@compiled
def point_now(state, board, weights, player, turns):
    """What a point gained now is worth; past the top of the Income Track it costs income."""
    return max(0.5, gained(state, board, weights, player, turns, 0, 3) / 3.0)


@compiled
def later_point(state, board, weights, player, turns):
    """What a point gained half-way to the end is worth, with the income it brings."""
    later = gained(state, board, weights, player, 0.5 * turns + 0.5, 0, 10) / 10.0
    return min(max(0.5, later), point_now(state, board, weights, player, turns))


@compiled
def network_worth(state, weights, player, level, deliveries, memory):
    """Links of the deliveries a network promises, as the weights see them."""
    patience, sharing, hope = weights[PATIENCE], weights[SHARING], weights[HOPE]
    return potential(state, player, level, deliveries, patience, sharing, hope, memory)


@compiled
def _least_tile(state, board, player):
    """$k that a Build just begun is sure to cost; nothing for who must build to have an income."""
    begins = state.phase == BUILDING or state.phase == STARTING
    if not begins or state.to_move != player or income(state, board, player) == 0:
        return 0
    return min(state.tile_cost[0], min(state.tile_cost[1], state.tile_cost[2]))


@compiled
def evaluate(state, board, weights, out):
    """Points each player may expect: holdings, and the deliveries the network allows."""
    turns = turns_left(state, board, weights)
    deliveries = deliveries_left(state, weights, turns)
    memory = out[GOODS:]
    _keep_walk(state, out)
    for player in range(state.n_players):
        due = _least_tile(state, board, player)
        out[player] = _holdings(state, board, weights, player, turns, due, 0)
        if weights[GOAL] != 0.0:
            level = int(state.engine[player])
            later = later_point(state, board, weights, player, turns)
            network = network_worth(state, weights, player, level, deliveries, memory)
            out[player] += weights[GOAL] * (later * network + state.baron_points[player])
    _put_walk_back(state, out)


@compiled
def _keep_walk(state, memo):
    """Note the walk that stands in the state: a search for deliveries uses its place."""
    for step in range(MAX_LEVEL + 1):
        at = WALK + 4 * step
        memo[at] = state.path_city[step]
        memo[at + 1] = state.path_owner[step]
        note_set(memo, at + 2, state.path_left[step])


@compiled
def _put_walk_back(state, memo):
    """Give the state its own walk back."""
    for step in range(MAX_LEVEL + 1):
        at = WALK + 4 * step
        state.path_city[step] = int(memo[at])
        state.path_owner[step] = int(memo[at + 1])
        state.path_left[step] = noted_set(memo, at + 2)
