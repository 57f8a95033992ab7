"""Great Western Trail: the eleven categories of the final scoring, and who wins."""

import numpy as np

from sim.contract import compiled
from sim.great_western_trail.railroad import stations_of
from sim.great_western_trail.state import (
    BLUE_TEEPEE,
    BY_MONEY,
    DISC_MOVE_2,
    EACH_AREA,
    EACH_BUILDING,
    EACH_WORKER,
    GREEN_TEEPEE,
    MAX_CATTLE,
    MAX_STACK,
    MAX_STATIONS,
    NEED_3,
    NEED_4,
    NEED_5,
    NEED_BLUE,
    NEED_BUILDING,
    NEED_GREEN,
    NEED_HAZARD,
    NEED_SF,
    NEED_STATION,
    NEEDS,
    PAIR_OF_TEEPEES,
    ROW_LENGTH,
    TWO_CERTIFICATES,
    TWO_HAZARDS,
    TWO_OBJECTIVES,
    TWO_STATIONS,
    TWO_TOKENS,
)
from sim.great_western_trail.tasks import bells, certificates_held, cleared
from sim.great_western_trail.towns import areas_of
from sim.great_western_trail.trail import hazards_of, own_buildings, pairs_of

MAX_HELD = MAX_STACK + 1  # objective cards of a player
_DIGITS = 7  # bits for a number of things; the highest tells that there are too few
_LACKING = sum(1 << (_DIGITS * need + _DIGITS - 1) for need in range(NEEDS))


@compiled
def money_points(state, board, player):
    """1. Money."""
    return int(state.money[player]) // int(board.money_per_point)


@compiled
def building_points(state, board, player):
    """2. Private buildings on the trail."""
    points = 0
    for space in range(board.n_spaces):
        if state.builder[space] == player:
            points += int(board.building_points[state.building[space]])
    return points


@compiled
def city_points(state, board, player):
    """3. Cities: for each disc, and for pairs of them."""
    points = 0
    for city in range(board.n_cities):
        for_disc = board.city_points[city] + board.city_bell_points[city] * bells(state, player)
        points += int(state.city_discs[player, city]) * int(for_disc)
    for pair in range(board.n_pairs):
        if (
            state.city_discs[player, board.pair[pair, 0]] > 0
            and state.city_discs[player, board.pair[pair, 1]] > 0
        ):
            points += int(board.pair_points[pair])
    return points


@compiled
def station_points(state, board, player):
    """4. Stations."""
    points = 0
    for station in range(MAX_STATIONS):
        points += int(state.station_disc[player, station]) * int(board.station_points[station])
    return points


@compiled
def hazard_points(state, board, player):
    """5. Hazard tiles."""
    points = 0
    for tile in range(GREEN_TEEPEE):
        points += int(state.tiles[player, tile]) * int(board.tile_points[tile])
    return points


@compiled
def copies_in_deck(state, player, card):
    """Copies of a card in stack, hand and discard pile."""
    return int(state.hand[player, card] + state.stack[player, card] + state.discard[player, card])


@compiled
def cattle_points(state, board, player):
    """6. Cattle cards."""
    points = 0
    for kind in range(board.n_cattle):
        points += copies_in_deck(state, player, kind) * int(board.cattle_points[kind])
    return points


@compiled
def master_points(state, board, player):
    """8. Station masters, but for the one that counts objective cards."""
    points = 0
    for master in range(board.n_masters):
        if (state.masters[player] >> master) & 1 != 0:
            number = _counted_by(state, board, player, int(board.master_task[master]))
            points += number * int(board.master_points[master])
    return points


@compiled
def _counted_by(state, board, player, task):
    """How often a station master's points are gained."""
    if task == EACH_WORKER:
        workers = 0
        for worker in range(3):
            workers += int(state.workers[player, worker])
        return workers
    if task == TWO_HAZARDS:
        return hazards_of(state, player) // 2
    if task == PAIR_OF_TEEPEES:
        return pairs_of(state, player)
    if task == TWO_CERTIFICATES:
        certificates = certificates_held(state, board, player) + int(state.permanent[player])
        return certificates // 2
    if task == TWO_STATIONS:
        return stations_of(state, player) // 2
    if task == EACH_BUILDING:
        return own_buildings(state, board, player, False)
    if task == TWO_TOKENS:
        return int(state.tokens[player]) // 2
    if task == EACH_AREA:
        return areas_of(state, board, player)
    return 0


@compiled
def worker_points(state, board, player):
    """9. Workers on the fifth and sixth space of a row."""
    points = 0
    for worker in range(3):
        points += max(0, int(state.workers[player, worker]) - (ROW_LENGTH - 2))
    return points * int(board.row_points)


@compiled
def disc_points(state, board, player):
    """10. The right movement disc."""
    return cleared(state, board, player, DISC_MOVE_2) * int(board.disc_points)


@compiled
def token_points(state, board, player):
    """11. The job market token."""
    return int(board.token_points) if state.token_owner == player else 0


# ---------------------------------------------------------------- 7. Objective cards (R26)


@compiled
def objective_points(state, board, player):
    """The most that the cards give: which to add, and which thing serves which card.

    With the station master that counts two objective cards, its points too: cards committed count
    though they fail, so that a failed one may be worth adding. Before the end scores are open to
    all: cards that only their owner has seen do not count yet.
    """
    pair_points = 0
    for master in range(board.n_masters):
        is_own = (state.masters[player] >> master) & 1 != 0
        if is_own and board.master_task[master] == TWO_OBJECTIVES:
            pair_points = int(board.master_points[master])
    failed = 0
    committed = 0
    cards = 0
    kinds = np.zeros(MAX_HELD, np.int64)  # of the cards, played ones of a kind first
    added = np.zeros(MAX_HELD, np.int64)  # 1: not committed yet
    for kind in range(board.n_objectives):
        played = int(state.played[player, kind])
        failed -= played * int(board.objective_penalty[kind])
        committed += played
        spare = copies_in_deck(state, player, MAX_CATTLE + kind)
        if not state.is_over:
            spare -= int(state.secret[player, kind])
        for copy in range(played + spare):
            kinds[cards] = kind
            added[cards] = int(copy >= played)
            cards += 1
    supply = _things(state, board, player)
    return failed + _best_choice(board, kinds, added, cards, supply, committed, pair_points)


@compiled
def _best_choice(board, kinds, added, cards, supply, committed, pair_points):
    """The most above the penalties of all committed cards: branch and bound over the cards.

    A card is fulfilled or not, the first copy of a kind before the next.
    """
    gains = np.zeros(MAX_HELD, np.int64)  # for fulfilling a card, and no penalty if it is committed
    needs = np.zeros(MAX_HELD, np.int64)
    most = 0  # what all cards from `card` on may bring
    for number in range(cards):
        kind = kinds[number]
        gains[number] = board.objective_points[kind]
        if not added[number]:
            gains[number] += board.objective_penalty[kind]
        needs[number] = _needs(board, kind)
        most += int(gains[number])
    bound = pair_points * ((committed + cards + 2) // 2)
    chosen = 0  # set of cards fulfilled
    best = -1000
    card = 0
    value = 0
    while True:
        if card == cards or value + most + bound <= best:
            if card == cards:
                pairs = _pairs_worth(board, kinds, added, cards, chosen, committed, pair_points)
                best = max(best, value + pairs)
            while card > 0:  # back to the last card that was fulfilled, and leave it
                card -= 1
                most += int(gains[card])
                if (chosen >> card) & 1 != 0:
                    break
            if (chosen >> card) & 1 == 0:
                return best
            chosen &= ~(1 << card)
            supply += int(needs[card])
            value -= int(gains[card])
            committed -= int(added[card])
            most -= int(gains[card])
            card += 1
            continue
        most -= int(gains[card])
        left = (supply | _LACKING) - int(needs[card])
        skipped = card > 0 and (chosen >> (card - 1)) & 1 == 0 and kinds[card - 1] == kinds[card]
        if left & _LACKING == _LACKING and not skipped:
            supply = left & ~_LACKING
            chosen |= 1 << card
            value += int(gains[card])
            committed += int(added[card])
        card += 1


@compiled
def _pairs_worth(board, kinds, added, cards, chosen, committed, pair_points):
    """The most for every two committed cards: those that fail may be added, the cheapest first."""
    best = (committed // 2) * pair_points
    paid = 0
    for penalty in range(pair_points):  # no card is worth as much as a pair
        for card in range(cards):
            is_left = added[card] and (chosen >> card) & 1 == 0
            if is_left and board.objective_penalty[kinds[card]] == penalty:
                committed += 1
                paid += penalty
                best = max(best, (committed // 2) * pair_points - paid)
    return best


@compiled
def _needs(board, kind):
    """What a card asks for, packed."""
    needs = 0
    for need in range(NEEDS):
        needs += int(board.objective_need[kind, need]) << (_DIGITS * need)
    return needs


@compiled
def _things(state, board, player):
    """What the player has of all that cards may ask for, packed."""
    things = 0
    for kind in range(board.n_cattle):
        value = board.breeding[board.cattle_type[kind]]
        copies = copies_in_deck(state, player, kind)
        if value == 3:
            things += copies << (_DIGITS * NEED_3)
        elif value == 4:
            things += copies << (_DIGITS * NEED_4)
        elif value == 5:
            things += copies << (_DIGITS * NEED_5)
    things += own_buildings(state, board, player, False) << (_DIGITS * NEED_BUILDING)
    things += stations_of(state, player) << (_DIGITS * NEED_STATION)
    things += hazards_of(state, player) << (_DIGITS * NEED_HAZARD)
    things += int(state.tiles[player, GREEN_TEEPEE]) << (_DIGITS * NEED_GREEN)
    things += int(state.tiles[player, BLUE_TEEPEE]) << (_DIGITS * NEED_BLUE)
    if board.san_francisco >= 0:
        discs = int(state.city_discs[player, board.san_francisco])
        things += discs << (_DIGITS * NEED_SF)
    return things


# ------------------------------------------------------------------------------------- The winner


@compiled
def scores(state, board, out):
    """Victory points, as if the game ended now; of what all have seen."""
    for player in range(state.n_players):
        out[player] = (
            money_points(state, board, player)
            + building_points(state, board, player)
            + city_points(state, board, player)
            + station_points(state, board, player)
            + hazard_points(state, board, player)
            + cattle_points(state, board, player)
            + objective_points(state, board, player)
            + master_points(state, board, player)
            + worker_points(state, board, player)
            + disc_points(state, board, player)
            + token_points(state, board, player)
        )


@compiled
def payoffs(state, board, out):
    """Most points win; the win is shared, or goes to the most money of those tied."""
    scores(state, board, out)
    best = 0
    for player in range(1, state.n_players):
        if _is_ahead(state, board, out, player, best):
            best = player
    winners = 0
    for player in range(state.n_players):
        winners += int(not _is_ahead(state, board, out, best, player))
    top = out[best]
    for player in range(state.n_players):
        is_tied = out[player] == top and (
            board.tie != BY_MONEY or state.money[player] == state.money[best]
        )
        out[player] = 1.0 / winners if is_tied else 0.0


@compiled
def _is_ahead(state, board, points, player, other):
    """Whether a player stands before another."""
    if points[player] != points[other]:
        return points[player] > points[other]
    return board.tie == BY_MONEY and state.money[player] > state.money[other]
