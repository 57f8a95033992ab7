"""Bond Certificates & Money, and the Income Track."""

from sim.contract import TOO_LONG, compiled
from sim.railways_of_the_world.state import LAST_SPACE

# A debt without income grows by a fifth a turn; the money of 32 bits is not left (M1).
MOST_BONDS = 20_000_000


@compiled
def pay(state, board, player, cost):
    """Pay the bank, issuing the fewest Bonds that make it possible (A02)."""
    short = cost - state.money[player]
    if short > 0:
        bonds = (short + board.bond_cash - 1) // board.bond_cash
        state.bonds[player] += bonds
        state.money[player] += bonds * board.bond_cash
        if state.bonds[player] > MOST_BONDS:
            state.status = TOO_LONG
    state.money[player] -= cost


@compiled
def gain(state, player, points):
    """Move on the Income Track; past its end the top number is banked (A01)."""
    state.marker[player] += points
    while state.marker[player] > LAST_SPACE:
        state.banked[player] += LAST_SPACE
        state.marker[player] -= LAST_SPACE


@compiled
def income(state, board, player):
    """Income ($k): after a round of the track the last space's for good."""
    if state.banked[player] > 0:
        return board.income[LAST_SPACE]
    return board.income[state.marker[player]]


@compiled
def collect_income(state, board):
    """Phase 3: everybody's income, then $1k a Bond; new Bonds pay nothing this turn (R10)."""
    for player in range(state.n_players):
        state.money[player] += income(state, board, player)
        pay(state, board, player, state.bonds[player] * board.bond_dividend)
