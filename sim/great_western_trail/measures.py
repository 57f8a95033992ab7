"""Great Western Trail: the figures of a game, and what a player may know."""

from sim.contract import Measure, compiled
from sim.great_western_trail.railroad import stations_of
from sim.great_western_trail.scoring import (
    building_points,
    cattle_points,
    city_points,
    disc_points,
    hazard_points,
    master_points,
    money_points,
    objective_points,
    station_points,
    token_points,
    worker_points,
)
from sim.great_western_trail.state import (
    BLUE_TEEPEE,
    BRANCHLETS,
    COWBOY,
    CRAFTSMAN,
    DISC_KINDS,
    DISPLAY,
    ENGINEER,
    FIRST_WORKER,
    GREEN_TEEPEE,
    MAX_CARDS,
    MAX_CATTLE,
    MAX_CITIES,
    MAX_OBJECTIVES,
    MAX_PLAYERS,
    MAX_ROWS,
    MAX_SPACES,
    MAX_STATIONS,
    MAX_TOWNS,
    NUMBERS,
    TOWN_SPACES,
    TRADES,
)
from sim.great_western_trail.trail import hazards_of, own_buildings

# Parts of the report.
POINTS = "Where the points came from"
HOLDINGS = "Workers, buildings, tiles and cards"
DELIVERIES = "Kansas City and the railroad"

MEASURES = (
    Measure("rounds", "turns", "turns of the player who had most of them"),
    Measure("money_points", "points", "points for money", True, POINTS),
    Measure("building_points", "points", "points for buildings", True, POINTS),
    Measure("city_points", "points", "points for cities", True, POINTS),
    Measure("station_points", "points", "points for stations", True, POINTS),
    Measure("hazard_points", "points", "points for hazards", True, POINTS),
    Measure("cattle_points", "points", "points for cattle cards", True, POINTS),
    Measure(
        "objective_points",
        "points",
        "points for objective cards, with those of the station master that counts them",
        True,
        POINTS,
    ),
    Measure("master_points", "points", "points for other station masters", True, POINTS),
    Measure("worker_points", "points", "points for workers", True, POINTS),
    Measure("disc_points", "points", "points for the right movement disc", True, POINTS),
    Measure("token_points", "points", "points for the job market token", True, POINTS),
    Measure("turns_taken", "turns", "turns taken", True, DELIVERIES),
    Measure("deliveries", "deliveries", "deliveries made", True, DELIVERIES),
    Measure("arrivals", "arrivals", "times at Kansas City", True, DELIVERIES),
    Measure("income", "$", "income of all arrivals", True, DELIVERIES),
    Measure("best_income", "$", "highest income of an arrival", True, DELIVERIES),
    Measure("transport", "$", "paid for transport", True, DELIVERIES),
    Measure("engine", "spaces", "last number passed by the engine", True, DELIVERIES),
    Measure("stations", "stations", "stations upgraded", True, DELIVERIES),
    Measure("cowboys", "workers", "cowboys at the end", True, HOLDINGS),
    Measure("craftsmen", "workers", "craftsmen at the end", True, HOLDINGS),
    Measure("engineers", "workers", "engineers at the end", True, HOLDINGS),
    Measure("workers_hired", "workers", "workers hired", True, HOLDINGS),
    Measure("buildings", "buildings", "own buildings on the trail", True, HOLDINGS),
    Measure("hazards", "tiles", "hazards removed", True, HOLDINGS),
    Measure("teepees", "tiles", "teepees traded", True, HOLDINGS),
    Measure("cattle_bought", "cards", "cattle cards from the market", True, HOLDINGS),
    Measure("cards_removed", "cards", "cards removed from the own deck", True, HOLDINGS),
    Measure("tolls_paid", "$", "tolls paid", True),
    Measure("tolls_earned", "$", "tolls received from others", True),
    Measure("branchlets", "branchlets", "branchlets placed; 0 without Rails to the North", True),
    Measure("ended_the_game", "share", "games in which the player took the token", True),
)

_PER_PLAYER = 19
OBSERVATION = (
    8
    + MAX_PLAYERS
    * (_PER_PLAYER + DISC_KINDS + FIRST_WORKER + MAX_STATIONS + MAX_CITIES + 2 * MAX_OBJECTIVES)
    + 2 * MAX_PLAYERS * MAX_CARDS
    + 3 * MAX_SPACES
    + TRADES
    + NUMBERS
    + 6
    + 3 * MAX_ROWS
    + MAX_CATTLE
    + DISPLAY
    + MAX_STATIONS
    + MAX_TOWNS * (TOWN_SPACES + 1)
    + 2 * MAX_CARDS
)


@compiled
def measures(state, board, out):
    """A row for each of MEASURES, a column a player; a game's own figure in every column."""
    rounds = 0
    for player in range(state.n_players):
        rounds = max(rounds, int(state.turns[player]))
    for player in range(state.n_players):
        out[0, player] = rounds
        out[1, player] = money_points(state, board, player)
        out[2, player] = building_points(state, board, player)
        out[3, player] = city_points(state, board, player)
        out[4, player] = station_points(state, board, player)
        out[5, player] = hazard_points(state, board, player)
        out[6, player] = cattle_points(state, board, player)
        out[7, player] = objective_points(state, board, player)
        out[8, player] = master_points(state, board, player)
        out[9, player] = worker_points(state, board, player)
        out[10, player] = disc_points(state, board, player)
        out[11, player] = token_points(state, board, player)
        out[12, player] = state.turns[player]
        out[13, player] = state.deliveries[player]
        out[14, player] = state.arrivals[player]
        out[15, player] = state.income[player]
        out[16, player] = state.best_income[player]
        out[17, player] = state.transport[player]
        number = int(board.turnout_after[state.engine[player]])
        out[18, player] = number if number >= 0 else state.engine[player]
        out[19, player] = stations_of(state, player)
        out[20, player] = state.workers[player, COWBOY]
        out[21, player] = state.workers[player, CRAFTSMAN]
        out[22, player] = state.workers[player, ENGINEER]
        out[23, player] = state.hired[player]
        out[24, player] = own_buildings(state, board, player, False)
        out[25, player] = hazards_of(state, player)
        out[26, player] = state.tiles[player, GREEN_TEEPEE] + state.tiles[player, BLUE_TEEPEE]
        out[27, player] = state.cattle_bought[player]
        out[28, player] = state.removed[player]
        out[29, player] = state.tolls_paid[player]
        out[30, player] = state.tolls_earned[player]
        out[31, player] = BRANCHLETS - state.branchlets[player]
        out[32, player] = 1.0 if state.token_owner == player else 0.0


@compiled
def usage(state, board, out):
    """Add one for each space of the trail on which a cattleman stopped."""
    for space in range(board.n_spaces):
        out[space] += int(state.visits[space] > 0)


@compiled
def observe(state, board, viewer, out):
    """Write OBSERVATION numbers: all that lies open, and the viewer's own cards."""
    out[0] = state.phase
    out[1] = state.turn
    out[2] = state.to_move
    out[3] = state.placed
    out[4] = state.token_owner
    out[5] = state.n_cattle - state.cattle_next
    out[6] = state.n_objectives - state.objective_next
    out[7] = state.new_york
    n = 8
    for player in range(MAX_PLAYERS):
        n = _observe_player(state, player, out, n)
        for card in range(MAX_CARDS):
            out[n] = state.discard[player, card]
            # The cards of others are known, but for where they are and what nobody saw taken.
            kept = int(state.hand[player, card] + state.stack[player, card])
            if player != viewer and card >= MAX_CATTLE:
                kept -= int(state.secret[player, card - MAX_CATTLE])
            out[n + 1] = kept
            n += 2
    for space in range(MAX_SPACES):
        out[n] = state.building[space]
        out[n + 1] = state.builder[space]
        out[n + 2] = state.hazard[space]
        n += 3
    for place in range(TRADES):
        out[n] = state.teepee[place]
        n += 1
    for number in range(NUMBERS):
        out[n] = state.side[number]
        n += 1
    for column in range(3):
        out[n] = state.foresight[column, 0]
        out[n + 1] = state.foresight[column, 1]
        n += 2
    for row in range(MAX_ROWS):
        for worker in range(3):
            out[n] = state.job[row, worker]
            n += 1
    for kind in range(MAX_CATTLE):
        out[n] = state.market[kind]
        n += 1
    for place in range(DISPLAY):
        out[n] = state.display[place]
        n += 1
    for station in range(MAX_STATIONS):
        out[n] = state.station_master[station]
        n += 1
    for town in range(MAX_TOWNS):
        out[n] = state.medium[town]
        for space in range(TOWN_SPACES):
            out[n + 1 + space] = state.town[town, space]
        n += TOWN_SPACES + 1
    for card in range(MAX_CARDS):
        out[n] = state.hand[viewer, card]
        out[n + 1] = state.stack[viewer, card]
        n += 2


@compiled
def _observe_player(state, player, out, n):
    """What lies before a player for all to see."""
    out[n] = state.money[player]
    for worker in range(3):
        out[n + 1 + worker] = state.workers[player, worker]
    out[n + 4] = state.certificate[player]
    out[n + 5] = state.permanent[player]
    out[n + 6] = state.engine[player]
    out[n + 7] = state.at[player]
    out[n + 8] = state.n_hand[player]
    out[n + 9] = state.n_stack[player]
    out[n + 10] = state.n_discard[player]
    out[n + 11] = state.gone[player]
    out[n + 12] = state.masters[player]
    out[n + 13] = state.delivered[player]
    out[n + 14] = state.branchlets[player]
    out[n + 15] = state.tokens[player]
    out[n + 16] = state.turns[player]
    out[n + 17] = state.removed[player]
    out[n + 18] = state.deliveries[player]
    n += _PER_PLAYER
    for disc in range(DISC_KINDS):
        out[n] = state.discs[player, disc]
        n += 1
    for tile in range(FIRST_WORKER):
        out[n] = state.tiles[player, tile]
        n += 1
    for station in range(MAX_STATIONS):
        out[n] = state.station_disc[player, station]
        n += 1
    for city in range(MAX_CITIES):
        out[n] = state.city_discs[player, city]
        n += 1
    for kind in range(MAX_OBJECTIVES):
        out[n] = state.played[player, kind]
        out[n + 1] = state.shown[player, kind]
        n += 2
    return n
