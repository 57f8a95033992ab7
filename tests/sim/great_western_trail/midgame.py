"""Random positions deep in a game, with everything that random play alone seldom comes to."""

import random

from sim.game import Position
from sim.great_western_trail.state import (
    BRANCHLETS,
    DISC_MOVE_1,
    DISC_MOVE_2,
    FIRST_WORKER,
    GREEN_TEEPEE,
    HAZARD_KINDS,
    MAX_CATTLE,
    MAX_ROWS,
    MOVING,
    NEUTRALS,
    PRIVATE,
    ROW_LENGTH,
    TOWN_SPACES,
    TRADES,
)


def midgame(position: Position, chance: random.Random) -> Position:
    """The position of a first turn with pieces moved as in play; all that is conserved stays so."""
    state, board = position.state[0], position.board.record[0]
    players = range(position.players)
    for column in chance.choices([0, 1, 1, 2], k=chance.choice([3, 15, 30, 50])):
        _next_tile(state, board, column, chance)
    for player in chance.choices(players, k=chance.choice([0, 60, 120])):
        _hire(state, player, chance)
    for player in chance.choices(players, k=chance.randrange(12)):
        _build(state, board, player, chance)
    for player in players:
        state.money[player] = chance.choice([0, 1, 4, 9, 20, 60])
        state.certificate[player] = chance.randrange(4)
        state.engine[player] = 0
        if board.n_towns:
            _put_branchlets(state, board, player, chance)
            state.tokens[player] = chance.randrange(4)
        for _ in range(chance.choice([2, 8, 20, 60])):
            _put_disc(state, board, player, chance)
        _gain_cards(state, board, player, chance)
    near = chance.choice([chance.randrange(35), 34])
    every = [*range(near, near + 5), *range(40, 49)]
    for player, engine in zip(players, chance.sample(every, len(players)), strict=True):
        state.engine[player] = chance.choice([engine, engine, engine, 0])
    _send_out_cattlemen(state, board, chance)
    return position


def _next_tile(state, board, column, chance):
    """A tile of a pile goes where tiles go, or to a player."""
    if state.pile_next[column] == state.n_pile[column]:
        return
    tile = int(state.pile[column, state.pile_next[column]])
    spaces = board.hazard_space[tile // HAZARD_KINDS] if tile < GREEN_TEEPEE else []
    free = [int(space) for space in spaces if space >= 0 and state.hazard[space] < 0]
    places = [place for place in range(TRADES) if state.teepee[place] < 0]
    row = int(state.placed) // int(state.n_players)
    if tile >= FIRST_WORKER:
        if row == MAX_ROWS - 1:
            return
        state.job[row, tile - FIRST_WORKER] += 1
        state.placed += 1
    elif chance.random() < 0.5:
        state.tiles[chance.randrange(int(state.n_players)), tile] += 1
    elif tile < GREEN_TEEPEE and free:
        state.hazard[free[0]] = tile
        state.occupied |= _bit(free[0])
    elif tile >= GREEN_TEEPEE and places:
        state.teepee[places[0]] = tile
        for space in range(board.n_spaces):
            if board.trade_of[space] == places[0]:
                state.occupied |= _bit(space)
    else:
        return
    state.pile_next[column] += 1


def _hire(state, player, chance):
    """A worker leaves the job market."""
    row, worker = chance.randrange(MAX_ROWS), chance.randrange(3)
    is_tokens = row == int(state.placed) // int(state.n_players)
    if state.job[row, worker] and state.workers[player, worker] < ROW_LENGTH and not is_tokens:
        state.job[row, worker] -= 1
        state.workers[player, worker] += 1


def _bit(number):
    return 1 << int(number)


def _build(state, board, player, chance):
    spaces = range(int(board.n_spaces))
    free = [n for n in spaces if board.space_kind[n] == PRIVATE and state.building[n] < 0]
    number = chance.randrange(int(board.n_numbers))
    if not free or int(state.gone[player]) >> number & 1:
        return
    space = chance.choice(free)
    state.building[space] = NEUTRALS + 2 * number + int(state.side[number])
    state.builder[space] = player
    state.occupied |= _bit(space)
    state.gone[player] |= _bit(number)


def _put_disc(state, board, player, chance):
    """A disc of the player board goes to a station or a city; a station master may be appointed."""
    discs = [n for n, copies in enumerate(state.discs[player]) if copies]
    if not discs:
        return
    disc = chance.choice(discs)
    if chance.random() < 0.5:
        station = chance.randrange(int(board.n_stations))
        if state.station_disc[player, station]:
            return
        state.station_disc[player, station] = 1
        master, worker = int(state.station_master[station]), chance.randrange(3)
        if master >= 0 and state.workers[player, worker] > 1 and chance.random() < 0.5:
            state.workers[player, worker] -= 1
            state.station_master[station] = -1
            state.station_worker[station] = worker
            state.masters[player] |= _bit(master)
            state.permanent[player] += board.master_permanent[master]
    else:
        cities = [n for n in range(int(board.n_cities)) if _may_deliver(state, board, player, n)]
        city = chance.choice(cities)
        state.city_discs[player, city] += 1
        state.delivered[player] |= _bit(city)
    state.discs[player, disc] -= 1


def _may_deliver(state, board, player, city):
    town = int(board.city_town[city])
    if town >= 0 and player not in state.town[town]:
        return False
    return board.city_repeats[city] or not int(state.delivered[player]) >> city & 1


def _gain_cards(state, board, player, chance):
    """Cards of the two stacks go into the deck or are played; hand cards leave the stack."""
    for _ in range(chance.randrange(8)):
        if state.cattle_next < state.n_cattle:
            kind = int(state.cattle_stack[state.cattle_next])
            state.cattle_next += 1
            state.stack[player, kind] += 1
            state.n_stack[player] += 1
    for _ in range(chance.randrange(4)):
        if state.objective_next < state.n_objectives:
            kind = int(state.objective_stack[state.objective_next])
            state.objective_next += 1
            where = chance.choice(["played", "hand", "discard"])
            card = kind if where == "played" else MAX_CATTLE + kind
            state[where][player, card] += 1
            if where == "hand":  # seen by all when it was taken, or by nobody else
                state[chance.choice(["shown", "secret"])][player, kind] += 1
                state.n_hand[player] += 1
            elif where == "discard":
                state.n_discard[player] += 1
    for _ in range(chance.randrange(3)):  # into the hand, a few at most
        cards = [n for n, copies in enumerate(state.stack[player]) if copies]
        card = chance.choice(cards)
        state.stack[player, card] -= 1
        state.hand[player, card] += 1
        state.n_stack[player] -= 1
        state.n_hand[player] += 1


def _put_branchlets(state, board, player, chance):
    towns = chance.sample(range(int(board.n_towns)), chance.choice([0, 2, 5, 9]))
    for town in towns[:BRANCHLETS]:
        free = [space for space in range(TOWN_SPACES) if state.town[town, space] < 0]
        if free:
            state.town[town, chance.choice(free)] = player
            state.towns[player] |= _bit(town)
            state.branchlets[player] -= 1


def _send_out_cattlemen(state, board, chance):
    """Everybody is on the way; the first player is about to move."""
    occupied = [n for n in range(int(board.n_spaces) - 1) if int(state.occupied) >> n & 1]
    for player in range(int(state.n_players)):
        state.at[player] = chance.choice([0, *occupied])
    discs = board.disc_copies - state.discs[int(state.to_move)]
    steps = board.steps[state.n_players, discs[DISC_MOVE_1] + discs[DISC_MOVE_2]]
    top = int(state.n_tasks) - 1
    state.phase = state.task[top] = MOVING
    state.one[top] = steps
