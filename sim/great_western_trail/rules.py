"""Great Western Trail: the rules, compiled.

Headings are the rulebook's. Codes such as R04 or X2 are the rulings of this room's README. The
trail is in `trail`, cards in `cards`, the track and its stations in `railroad`, the extension board
in `towns`, what an icon does in `icons`, the final scoring in `scoring`.
"""

from sim.bits import bit, lowest, without_lowest, write
from sim.contract import compiled
from sim.great_western_trail.cards import (
    add_to_market,
    breeding_value,
    discard_card,
    discard_hand,
    draw_cards,
    drawable,
    fill_display,
    fill_market,
    leave_hand,
    may_buy,
    of_type,
    redraw_hands,
    set_up_deck,
    shuffle_stacks,
    take_cattle,
    take_objective,
)
from sim.great_western_trail.icons import (
    do,
    hire,
    legal_workers,
    may_do,
    may_do_auxiliary,
    offer,
    reward_for_cards,
)
from sim.great_western_trail.measures import MEASURES, OBSERVATION, measures, observe, usage
from sim.great_western_trail.railroad import (
    backward_to,
    forward_to,
    legal_appointments,
    legal_discs,
    legal_stations,
    may_appoint,
    may_upgrade,
    spaces_back,
    take_disc,
    transport_cost,
)
from sim.great_western_trail.scoring import payoffs, scores
from sim.great_western_trail.state import (
    ACTED,
    ANY_CATTLE,
    ANY_PAIR,
    APPOINT,
    APPOINTING,
    AUXILIARIES,
    BEHIND,
    BLUE_TEEPEE,
    BOARD,
    BRANCHLETS,
    BUILDING,
    BUY_CARD,
    BUYING,
    BY,
    BY_ACTION,
    CERTIFICATE,
    CERTIFICATES,
    CHOOSING,
    CLEARING,
    COPY,
    COPYING,
    DELIVER,
    DELIVERED,
    DELIVERY,
    DISC,
    DISC_KINDS,
    DISCARD,
    DISCARDING,
    DISPLAY,
    DO,
    DONE,
    DRAW_CARDS,
    DRAWING,
    EITHER,
    END_REASONS,
    ENDING,
    ENGINE,
    ENGINE_BACK,
    ENGINE_TO,
    FIRST_WORKER,
    FORESEE,
    FORESIGHT,
    FREE_CARD,
    FROM_STACK,
    GIVING,
    GO,
    GREEN_TEEPEE,
    HAZARD_FROM,
    HIRING,
    ICON,
    ICONS_ON_TILE,
    INCOME,
    LAST_NUMBER,
    LEAVE_KANSAS_CITY,
    LOCAL,
    MARKET_CARDS,
    MASTERS,
    MAX_CARDS,
    MAX_CATTLE,
    MAX_CITIES,
    MAX_CODE,
    MAX_DECISIONS,
    MAX_LEGAL,
    MAX_OBJECTIVES,
    MAX_PILE,
    MAX_PLAYERS,
    MAX_ROWS,
    MAX_SPACES,
    MAX_STACK,
    MAX_STATIONS,
    MAX_TASKS,
    MAX_TILES,
    MAX_TOWNS,
    MEDIUM,
    MEDIUM_KINDS,
    MONEY,
    MOVING,
    NEUTRAL,
    NEUTRALS,
    NUMBERS,
    OBJECTIVE,
    OBJECTIVE_CARD,
    OBJECTIVES,
    ONTO,
    OUTER,
    OVER,
    PHASE_A,
    PLACING,
    PLAY,
    PRIVATE,
    REMOVE_CARD,
    REMOVING,
    SECOND_CARD,
    SITE,
    SPEND,
    STATE,
    STATION,
    STATION_TOWN,
    TAKE_CARD,
    TAKE_DISC,
    TAKE_MASTER,
    TEEPEE_FROM,
    TILE,
    TOLL_FREE,
    TOWN,
    TOWN_AT,
    TOWN_SPACES,
    TRADES,
    TRADING,
    UPGRADE_HERE,
    UPGRADING,
    USE_TOKEN,
    VALUE_2,
    WAY,
    WORKER,
)
from sim.great_western_trail.tasks import (
    bells,
    certificates_held,
    certificates_possible,
    hand_limit,
    pop,
    push,
    spend_certificates,
    step_limit,
)
from sim.great_western_trail.towns import legal_towns, put_branchlet
from sim.great_western_trail.trail import (
    build,
    clear_hazard,
    legal_hazards,
    legal_moves,
    legal_sites,
    legal_tiles,
    legal_trades,
    legal_ways,
    may_copy,
    move_by,
    only_way,
    place_hazard,
    place_teepee,
    trade,
)
from sim.rng import below, draw

__all__ = [
    "BOARD",
    "END_REASONS",
    "MAX_CODE",
    "MAX_DECISIONS",
    "MAX_LEGAL",
    "MAX_PLAYERS",
    "MEASURES",
    "OBSERVATION",
    "STATE",
    "apply",
    "determinize",
    "legal_actions",
    "measures",
    "observe",
    "payoffs",
    "scores",
    "setup",
    "usage",
]


# ------------------------------------------------------------------------------------------- Setup


@compiled
def setup(state, board, n_players, seed):
    """Deal a new game."""
    state.great_western_trail = 1
    state.rng = seed
    chance = draw(state)  # of play: the same whatever set-up draws
    state.status = 0
    state.is_over = 0
    state.end_reason = -1
    state.n_players = n_players
    state.turn = 0
    state.n_tasks = 0
    for place in range(MAX_TASKS):
        state.task[place] = 0
        state.one[place] = 0
        state.two[place] = 0
        state.optional[place] = 0
    state.copied = 0
    state.reached_goal = 0
    state.token_owner = -1
    _set_up_players(state, board)
    _set_up_trail(state, board)
    _set_up_supply(state, board)
    _set_up_cards(state, board)
    _set_up_stations(state, board)
    _set_up_towns(state, board)
    state.rng = chance
    for player in range(n_players):
        draw_cards(state, player, board.cards_in_hand)
    state.to_move = 0
    _begin_turn(state, board)
    settle(state, board)


@compiled
def _set_up_players(state, board):
    for player in range(MAX_PLAYERS):
        plays = int(player < state.n_players)
        state.at[player] = -1
        state.money[player] = board.starting_money[player] * plays
        for worker in range(3):
            state.workers[player, worker] = plays
        state.certificate[player] = 0
        state.permanent[player] = 0
        state.engine[player] = 0
        state.gone[player] = 0
        state.masters[player] = 0
        state.delivered[player] = 0
        state.branchlets[player] = BRANCHLETS
        state.towns[player] = 0
        state.tokens[player] = board.start_tokens * plays if board.n_towns > 0 else 0
        for disc in range(DISC_KINDS):
            state.discs[player, disc] = board.disc_copies[disc] * plays
        for station in range(MAX_STATIONS):
            state.station_disc[player, station] = 0
        for city in range(MAX_CITIES):
            state.city_discs[player, city] = 0
        for tile in range(FIRST_WORKER):
            state.tiles[player, tile] = 0
        set_up_deck(state, board, player)
        state.turns[player] = 0
        state.arrivals[player] = 0
        state.deliveries[player] = 0
        state.income[player] = 0
        state.best_income[player] = 0
        state.transport[player] = 0
        state.tolls_paid[player] = 0
        state.tolls_earned[player] = 0
        state.cattle_bought[player] = 0
        state.hired[player] = 0
        state.removed[player] = 0


@compiled
def _set_up_trail(state, board):
    """Neutral buildings on the spaces of their letters or anywhere; the sides of private ones."""
    state.occupied = bit(int(board.n_spaces) - 1)
    for space in range(MAX_SPACES):
        state.building[space] = -1
        state.builder[space] = -1
        state.hazard[space] = -1
        state.visits[space] = 0
    for place in range(TRADES):
        state.teepee[place] = -1
    for tile in range(NEUTRALS):
        state.building[board.neutral_space[tile]] = tile
        state.occupied |= bit(int(board.neutral_space[tile]))
    for tile in range(NEUTRALS - 1, 0, -1):
        other = below(state, tile + 1)
        if board.neutral_random:
            here = int(board.neutral_space[tile])
            there = int(board.neutral_space[other])
            state.building[here], state.building[there] = (
                state.building[there],
                state.building[here],
            )
    for number in range(NUMBERS):
        drawn = below(state, 2)
        state.side[number] = board.side_of[number] if board.side_of[number] >= 0 else drawn


@compiled
def _set_up_supply(state, board):
    """Piles of the Kansas City supply, tiles on the trail, workers, two foresights a column."""
    for column in range(3):
        state.pile_next[column] = 0
        state.n_pile[column] = 0
        for place in range(MAX_PILE):
            state.pile[column, place] = -1
        for tile in range(MAX_TILES):
            for _ in range(board.pile_tiles[column, tile]):
                state.pile[column, state.n_pile[column]] = tile
                state.n_pile[column] += 1
    state.n_cattle = 0
    state.cattle_next = 0
    state.n_objectives = 0
    state.objective_next = 0
    for place in range(MAX_STACK):
        state.cattle_stack[place] = -1
        state.objective_stack[place] = -1
    for kind in range(board.n_cattle):
        for _ in range(board.market_cards[kind]):
            state.cattle_stack[state.n_cattle] = kind
            state.n_cattle += 1
    for kind in range(board.n_objectives):
        for _ in range(board.objective_copies[kind]):
            state.objective_stack[state.n_objectives] = kind
            state.n_objectives += 1
    shuffle_stacks(state)
    state.placed = 0
    for row in range(MAX_ROWS):
        for worker in range(3):
            state.job[row, worker] = 0
    for _ in range(board.workers_at_start[state.n_players]):
        worker = _next_tile(state, 1) - FIRST_WORKER
        state.job[state.placed // state.n_players, worker] += 1
        state.placed += 1
    laid = 0
    while laid < board.tiles_at_start and state.pile_next[0] < state.n_pile[0]:
        tile = _next_tile(state, 0)
        if tile < GREEN_TEEPEE:
            laid += int(place_hazard(state, board, tile))  # R31
        else:
            laid += int(place_teepee(state, board, tile))
    for column in range(3):
        for place in range(2):
            state.foresight[column, place] = _next_tile(state, column)


@compiled
def _next_tile(state, column):
    """The next tile of a pile; -1: it is empty."""
    if state.pile_next[column] == state.n_pile[column]:
        return -1
    state.pile_next[column] += 1
    return int(state.pile[column, state.pile_next[column] - 1])


@compiled
def _set_up_cards(state, board):
    """Cattle market, display of objective cards, a starting objective card a player."""
    for kind in range(MAX_CATTLE):
        state.market[kind] = 0
    fill_market(state, board)
    for place in range(DISPLAY):
        state.display[place] = -1
    fill_display(state)
    left = 0
    for kind in range(board.n_objectives):
        left += board.starting_copies[kind]
    for player in range(state.n_players):
        place = below(state, left)
        left -= 1
        kind = 0
        while True:
            there = int(board.starting_copies[kind])
            for other in range(player):
                if board.starting_copies[kind] > 0:
                    there -= int(state.played[other, kind])
            if place < there:
                break
            place -= there
            kind += 1
        state.played[player, kind] = 1


@compiled
def _set_up_stations(state, board):
    """Station masters at random: one at each station that has a place, the next in New York."""
    state.new_york = 0
    left = (1 << int(board.n_masters)) - 1
    for station in range(MAX_STATIONS):
        state.station_master[station] = -1
        state.station_worker[station] = -1
        if station < board.n_stations and board.station_has_master[station] and left != 0:
            master = _draw_master(state, board, left)
            left &= ~(1 << master)
            state.station_master[station] = master
    for _ in range(board.masters_in_city):
        if left != 0:
            master = _draw_master(state, board, left)
            left &= ~(1 << master)
            state.new_york |= 1 << master


@compiled
def _draw_master(state, board, left):
    """One of a set of station masters."""
    number = 0
    for master in range(board.n_masters):
        number += (left >> master) & 1
    place = below(state, number)
    for _ in range(place):
        left = without_lowest(left)
    return int(lowest(left))


@compiled
def _set_up_towns(state, board):
    """Medium town tiles, drawn from all of them."""
    for town in range(MAX_TOWNS):
        state.medium[town] = -1
        for space in range(TOWN_SPACES):
            state.town[town, space] = -1
    left = 0
    for kind in range(MEDIUM_KINDS):
        left += board.medium_copies[kind]
    for town in range(board.n_towns):
        if board.town_type[town] != MEDIUM or left == 0:
            continue
        place = below(state, left)
        left -= 1
        kind = 0
        while True:
            there = int(board.medium_copies[kind])
            for other in range(town):
                there -= int(state.medium[other] == kind)
            if place < there:
                break
            place -= there
            kind += 1
        state.medium[town] = kind


@compiled
def determinize(state, board, viewer, seed):
    """Others' hands, objective cards they took unseen, and the order of all stacks anew."""
    state.rng = seed
    redraw_hands(state, viewer)


# --------------------------------------------------------------------------------- Legal actions


@compiled
def legal_actions(state, board, out):
    """Write the codes of all legal actions; return how many."""
    if state.is_over:
        return 0
    n = _legal_for_task(state, board, out)
    if n == 0 or state.optional[state.n_tasks - 1]:
        out[n] = DONE
        n += 1
    player = int(state.to_move)
    if state.tokens[player] > 0 and drawable(state, player) > 0:  # X10
        out[n] = USE_TOKEN
        n += 1
    return n


@compiled
def _legal_for_task(state, board, out):
    """What the topmost task can be done with."""
    player = int(state.to_move)
    top = int(state.n_tasks) - 1
    one, two = int(state.one[top]), int(state.two[top])
    phase = state.phase
    if phase == LOCAL:
        return _legal_local(state, board, two, out)
    if phase == MOVING:
        n = legal_moves(state, board, one, two, out, 0)
        return _legal_plays(state, out, n) if two == PHASE_A else n
    if phase == PLACING:
        n = 0
        for space in range(board.n_spaces):
            is_own = board.first_on_private and state.builder[space] == player
            if board.space_kind[space] == NEUTRAL or is_own:
                out[n] = GO + space
                n += 1
        return _legal_plays(state, out, n)
    if phase == WAY:
        return legal_ways(state, board, one, two >> 2, two & 3, out, 0)
    if phase == CHOOSING:
        return _legal_choices(state, board, one, out)
    if phase == GIVING:
        return _legal_gifts(state, board, one, two, out)
    if phase == HIRING:
        return legal_workers(state, board, one, out, 0)
    if phase == BUILDING:
        return legal_tiles(state, board, one, out, 0)
    if phase == SITE:
        return legal_sites(state, board, one, two, out, 0)
    if phase == ENGINE:
        return write(forward_to(state, board, one), ENGINE_TO, out, 0)
    if phase == ENGINE_BACK:
        return write(backward_to(state, board, one), ENGINE_TO, out, 0)
    if phase == BUYING or phase == SECOND_CARD or phase == FREE_CARD:
        return _legal_cattle(state, board, one, two, out)
    if phase == DISC or phase == UPGRADING or phase == DELIVERY or phase == FORESIGHT:
        return _legal_at_goal(state, board, one, two, out)
    return _legal_for_rest(state, board, one, out)


@compiled
def _legal_for_rest(state, board, one, out):
    player = int(state.to_move)
    phase = state.phase
    n = 0
    if phase == OBJECTIVES:
        return _legal_objectives(state, out)
    if phase == CERTIFICATES:
        for spaces in range(min(one, certificates_possible(state, board, player)), 0, -1):
            out[n] = CERTIFICATE + spaces
            n += 1
    elif phase == DRAWING:
        for number in range(min(one, drawable(state, player)), 0, -1):
            out[n] = DRAW_CARDS + number
            n += 1
    elif phase == DISCARDING or phase == REMOVING:
        first = DISCARD if phase == DISCARDING else REMOVE_CARD
        for card in range(MAX_CARDS):
            if state.hand[player, card] > 0:
                out[n] = first + card
                n += 1
    elif phase == APPOINTING:
        n = legal_appointments(state, out, 0)
    elif phase == TRADING:
        n = legal_trades(state, board, out, 0)
    elif phase == CLEARING:
        n = legal_hazards(state, board, out, 0)
    elif phase == COPYING:
        for space in range(board.n_spaces):
            if may_copy(state, board, one, space):
                out[n] = COPY + space
                n += 1
    elif phase == BEHIND:
        n = legal_stations(state, board, out, 0)
    elif phase == INCOME:
        for number in range(certificates_held(state, board, player) + 1):
            out[n] = SPEND + number
            n += 1
    elif phase == MASTERS:
        n = write(state.new_york, TAKE_MASTER, out, 0)
    elif phase == TOWN:
        n = legal_towns(state, board, out, 0)
    return n


@compiled
def _legal_local(state, board, left, out):
    """Icons of the tile not used yet; in phase B also a single auxiliary action, and cards."""
    n = 0
    top = int(state.n_tasks) - 1
    space = int(state.one[top])
    for place in range(ICONS_ON_TILE + 1):
        if (left >> place) & 1 != 0:
            n = _legal_icon(state, board, _icon_at(state, board, space, place), out, n)
    if left & OUTER != 0:
        if left & ACTED == 0:
            for auxiliary in range(AUXILIARIES):
                if may_do_auxiliary(state, board, auxiliary, 0):
                    out[n] = DO + int(board.auxiliary[auxiliary, 0])
                    n += 1
        n = _legal_plays(state, out, n)
    if n > 0 and (left & ACTED != 0 or not board.phase_b_required):  # R11
        out[n] = DONE
        n += 1
    return n


@compiled
def _icon_at(state, board, space, place):
    """An icon of the building on a space; the last place is the space's own risk action."""
    if place == ICONS_ON_TILE:
        return int(board.risk[space])
    return int(board.building_icon[state.building[space], place])


@compiled
def _legal_icon(state, board, icon, out, n):
    """An icon that can be used, or either of two."""
    if board.icon_kind[icon] != EITHER:
        if may_do(state, board, icon):
            out[n] = DO + icon
            n += 1
        return n
    for which in range(2):
        if may_do(state, board, int(board.icon_other[icon, which])):
            out[n] = DO + int(board.icon_other[icon, which])
            n += 1
    return n


@compiled
def _legal_choices(state, board, icon, out):
    """Either of two icons; or the auxiliary actions, single and double."""
    if board.icon_kind[icon] == EITHER:
        return _legal_icon(state, board, icon, out, 0)
    n = 0
    for auxiliary in range(AUXILIARIES):
        for double in range(2):
            if may_do_auxiliary(state, board, auxiliary, double):
                out[n] = DO + int(board.auxiliary[auxiliary, double])
                n += 1
    return n


@compiled
def _legal_plays(state, out, n):
    """Objective cards in hand (X8)."""
    for kind in range(MAX_OBJECTIVES):
        if state.hand[state.to_move, MAX_CATTLE + kind] > 0:
            out[n] = PLAY + kind
            n += 1
    return n


@compiled
def _legal_gifts(state, board, icon, two, out):
    """Cards that an icon asks for; of a pair the second is of the first one's type."""
    player = int(state.to_move)
    card = int(board.icon_card[icon])
    n = 0
    if card == OBJECTIVE_CARD:
        for kind in range(MAX_OBJECTIVES):
            if state.hand[player, MAX_CATTLE + kind] > 0:
                out[n] = DISCARD + MAX_CATTLE + kind
                n += 1
        return n
    for kind in range(board.n_cattle):
        if state.hand[player, kind] == 0:
            continue
        cattle_type = int(board.cattle_type[kind])
        if card == ANY_PAIR:
            fits = (
                of_type(state, board, player, cattle_type) >= 2
                if two == 2
                else cattle_type == two >> 2
            )
        elif card == VALUE_2:
            fits = board.breeding[cattle_type] == 2
        else:
            fits = card == ANY_CATTLE or card == cattle_type
        if fits:
            out[n] = DISCARD + kind
            n += 1
    return n


@compiled
def _legal_objectives(state, out):
    """Cards of the display, each kind once, and the top of the stack."""
    n = 0
    for place in range(DISPLAY):
        kind = int(state.display[place])
        is_new = kind >= 0
        for before in range(place):
            if state.display[before] == kind:
                is_new = False
        if is_new:
            out[n] = OBJECTIVE + kind
            n += 1
    if state.objective_next < state.n_objectives:
        out[n] = FROM_STACK
        n += 1
    return n


@compiled
def _legal_cattle(state, board, one, two, out):
    """Lines of the buying table with a card each, or two new cards; a second card; a free one."""
    player = int(state.to_move)
    n = 0
    if state.phase != BUYING:
        for kind in range(two, board.n_cattle):
            if state.market[kind] > 0 and board.breeding[board.cattle_type[kind]] == one:
                out[n] = TAKE_CARD + kind
                n += 1
        return n
    if two == 0:
        for line in range(board.n_buys):
            if not may_buy(state, board, player, line, one):
                continue
            for kind in range(board.n_cattle):
                value = board.breeding[board.cattle_type[kind]]
                if state.market[kind] > 0 and value == board.buy_breeding[line]:
                    out[n] = BUY_CARD + line * MAX_CATTLE + kind
                    n += 1
    if one > 0 and state.cattle_next < state.n_cattle:
        out[n] = MARKET_CARDS
        n += 1
    return n


@compiled
def _legal_at_goal(state, board, one, two, out):
    """Foresight tiles, cities, discs."""
    player = int(state.to_move)
    n = 0
    if state.phase == FORESIGHT:
        for place in range(2):
            tile = int(state.foresight[one, place])
            is_new = place == 0 or tile != state.foresight[one, 0]
            if is_new and may_place_tile(state, tile):
                out[n] = FORESEE + tile
                n += 1
        return n
    if state.phase == DISC:
        is_black = board.city_black[one] != 0
        return legal_discs(state, board, is_black, state.money[player], -1, out, 0)
    if state.phase == UPGRADING:
        is_black = board.station_black[one] != 0
        money = state.money[player] - board.station_cost[one]
        return legal_discs(state, board, is_black, money, one, out, 0)
    for city in range(board.n_cities):
        if may_deliver(state, board, player, city, one):
            out[n] = DELIVER + city
            n += 1
    return n


@compiled
def may_place_tile(state, tile):
    """Whether a foresight tile can be chosen: no worker once the job market is closed (R28)."""
    return tile >= 0 and (tile < FIRST_WORKER or state.token_owner < 0)


@compiled
def may_deliver(state, board, player, city, value):
    """Whether a city can be delivered to: not twice, and a big town with an own branchlet."""
    if board.city_value[city] > value:
        return False
    if (state.delivered[player] >> city) & 1 != 0 and not board.city_repeats[city]:
        return False
    town = int(board.city_town[city])
    return town < 0 or state.towns[player] & bit(town) != 0


# ---------------------------------------------------------------------------------- Playing actions


@compiled
def apply(state, board, action):
    """Play a legal action and settle all that follows from it."""
    player = int(state.to_move)
    top = int(state.n_tasks) - 1
    one, two = int(state.one[top]), int(state.two[top])
    if action == USE_TOKEN:
        state.tokens[player] -= 1
        push(state, DRAWING, 2, 0, 0)
    elif action == DONE:
        pop(state)
        if state.phase == ENGINE:  # it did not move: no station is reached
            pop(state)
    elif PLAY <= action < GO:
        _play_objective(state, board, player, action - PLAY)
    elif action < WORKER:
        _move_or_do(state, board, action, one, two)
    else:
        pop(state)
        if action < TAKE_CARD:
            _act(state, board, player, action, one, two)
        else:
            _act_more(state, board, player, action, one, two)
    settle(state, board)


@compiled
def _play_objective(state, board, player, kind):
    """Commit a card of the hand; its icon may be used (R24, R25)."""
    leave_hand(state, player, MAX_CATTLE + kind)
    state.played[player, kind] += 1
    offer(state, board, int(board.objective_icon[kind]), True)


@compiled
def _move_or_do(state, board, action, one, two):
    """Moves, ways and icons; or two cards for the market, or one of the objective stack."""
    phase = state.phase
    if phase == PLACING:
        pop(state)
        state.at[state.to_move] = action - GO
        state.visits[action - GO] += 1
        _arrive(state, board, action - GO)
    elif phase == MOVING:
        pop(state)
        way = only_way(state, board, action - GO, one, two)
        if way < 0:
            push(state, WAY, action - GO, one * 4 + two, 0)
        else:
            _go(state, board, action - GO, way, one, two)
    elif phase == WAY:
        pop(state)
        _go(state, board, one, action - BY, two >> 2, two & 3)
    elif phase == LOCAL:
        _do_local(state, board, one, two, action - DO)
    elif phase == CHOOSING:
        pop(state)
        do(state, board, action - DO, 0)
    elif phase == OBJECTIVES:
        pop(state)
        take_objective(state, int(state.to_move), -1, one != 0)
    else:
        add_to_market(state, 2)
        top = int(state.n_tasks) - 1
        state.one[top] -= 1
        state.two[top] = board.market_draw_last
        state.optional[top] = 1


@compiled
def _go(state, board, space, way, steps, manner):
    """Move there. After an action's move what was left of the old place is lost (R23)."""
    move_by(state, board, space, way, steps, manner)
    if manner == BY_ACTION:
        while state.n_tasks > 0 and state.task[state.n_tasks - 1] != ENDING:
            pop(state)
    elif manner == TOLL_FREE:
        _ride_on(state, board, space)
        return
    _arrive(state, board, space)


@compiled
def _ride_on(state, board, space):
    """Without tolls there are no actions at the new place; those of the old one are lost (R36b)."""
    if space == board.n_spaces - 1:
        while state.n_tasks > 0 and state.task[state.n_tasks - 1] != ENDING:
            pop(state)
        _arrive(state, board, space)
        return
    for place in range(state.n_tasks):
        if state.task[place] != LOCAL:
            continue
        flags = int(state.two[place]) & (ACTED | OUTER)
        if flags & OUTER != 0:
            state.one[place] = space
            if board.ride_gives_actions:
                flags |= _icons_of(state, board, space, True)
                state.copied |= bit(space)
        state.two[place] = flags


# Phase B


@compiled
def _arrive(state, board, space):
    """Kansas City with its five steps; anywhere else phase B."""
    if space == board.n_spaces - 1:
        player = int(state.to_move)
        state.reached_goal = 1
        state.arrivals[player] += 1
        push(state, LEAVE_KANSAS_CITY, 0, 0, 0)
        push(state, INCOME, 0, 0, 0)
        for column in range(2, -1, -1):
            push(state, FORESIGHT, column, 0, 0)
        return
    push(state, LOCAL, space, _icons_of(state, board, space, True) | OUTER, 0)
    state.copied |= bit(space)


@compiled
def _icons_of(state, board, space, only_own):
    """The icons of a building, as a set: of a neutral or own one, or of anybody's."""
    building = int(state.building[space])
    if building < 0:
        return 0
    owner = int(state.builder[space])
    if only_own and owner >= 0 and owner != state.to_move:
        return 0
    icons = 0
    for place in range(ICONS_ON_TILE):
        if board.building_icon[building, place] >= 0:
            icons |= 1 << place
    has_risk = board.space_kind[space] == PRIVATE and board.risk[space] >= 0
    if has_risk and (only_own or board.copied_risk):  # R15
        icons |= 1 << ICONS_ON_TILE
    return icons


@compiled
def _do_local(state, board, space, left, icon):
    """Use an icon of the tile; or in phase B one single auxiliary action instead of all."""
    top = int(state.n_tasks) - 1
    used = 0
    for place in range(ICONS_ON_TILE, -1, -1):
        if (left >> place) & 1 != 0:
            there = _icon_at(state, board, space, place)
            is_one = board.icon_kind[there] == EITHER and (
                board.icon_other[there, 0] == icon or board.icon_other[there, 1] == icon
            )
            if there == icon or is_one:
                used = 1 << place
    if used == 0:
        left &= ~((1 << (ICONS_ON_TILE + 1)) - 1)
    state.two[top] = (left & ~used) | ACTED
    do(state, board, icon, 0)


@compiled
def _act(state, board, player, action, one, two):
    """Tiles, sites, workers, cards and the engine: the task is off the stack."""
    if action < TILE:
        hire(state, board, player, (action - WORKER) // 3, (action - WORKER) % 3, one)
    elif action < ONTO:
        push(state, SITE, one, action - TILE, 0)
    elif action < OBJECTIVE:
        build(state, board, player, two, action - ONTO, one)
    elif action < CERTIFICATE:
        take_objective(state, player, action - OBJECTIVE, one != 0)
    elif action < ENGINE_TO:
        state.certificate[player] += action - CERTIFICATE
    elif action < TAKE_DISC:
        _move_engine(state, board, player, action - ENGINE_TO)
    elif action < APPOINT:
        _use_disc(state, board, player, action, one)
    elif action < TEEPEE_FROM:
        _appoint(state, board, player, one, action - APPOINT)
    elif action < HAZARD_FROM:
        trade(state, board, player, action - TEEPEE_FROM)
    elif action < BUY_CARD:
        clear_hazard(state, player, action - HAZARD_FROM, one)
    else:
        line, kind = (action - BUY_CARD) // MAX_CATTLE, (action - BUY_CARD) % MAX_CATTLE
        state.money[player] -= board.buy_cost[line]
        take_cattle(state, player, kind)
        push(state, BUYING, one - board.buy_cowboys[line], two, 1)
        if board.buy_cards[line] > 1:
            push(state, SECOND_CARD, board.buy_breeding[line], kind, 1)


@compiled
def _act_more(state, board, player, action, one, two):
    """The rest of `_act`, by the kind of action."""
    if action < DRAW_CARDS:
        take_cattle(state, player, action - TAKE_CARD)
    elif action < DISCARD:
        drawn = draw_cards(state, player, action - DRAW_CARDS)
        push(state, DISCARDING, drawn, 0, 0)
    elif action < REMOVE_CARD:
        _give_card(state, board, player, action - DISCARD, one, two)
    elif action < COPY:
        leave_hand(state, player, action - REMOVE_CARD)
        state.removed[player] += 1
        if one > 1:
            push(state, REMOVING, one - 1, 0, 1)
    elif action < STATION:
        space = action - COPY
        state.copied |= bit(space)
        push(state, LOCAL, space, _icons_of(state, board, space, False), 0)
    elif action < FORESEE:
        push(state, UPGRADING, action - STATION, 0, 0)
    elif action < SPEND:
        _take_foresight(state, board, player, one, action - FORESEE)
    elif action < DELIVER:
        _earn_income(state, board, player, action - SPEND)
    elif action < TAKE_MASTER:
        _deliver(state, board, player, action - DELIVER, two != 0)
    elif action < TOWN_AT:
        state.new_york &= ~(1 << (action - TAKE_MASTER))
        _gain_master(state, board, player, action - TAKE_MASTER)
    else:
        place = action - TOWN_AT
        _place_branchlet(state, board, player, place // TOWN_SPACES, place % TOWN_SPACES)


@compiled
def _give_card(state, board, player, card, one, two):
    """Discard a card: one of so many, or what an icon asks for before its reward."""
    is_gift = state.phase == GIVING
    discard_card(state, player, card)
    if not is_gift:
        if one > 1:
            push(state, DISCARDING, one - 1, 0, 0)
    elif two == 2:
        is_pair = board.icon_card[one] == ANY_PAIR
        push(state, GIVING, one, 1 | (int(board.cattle_type[card]) << 2 if is_pair else 0), 0)
    else:
        reward_for_cards(state, board, player, one)


# The railroad


@compiled
def _move_engine(state, board, player, position):
    """Stop there; on the last space upgrade, go back, and gain money (K23)."""
    if state.phase == ENGINE_BACK:
        _note_spaces(state, spaces_back(state, board, position))
    state.engine[player] = position
    if position == LAST_NUMBER:
        push(state, MONEY, board.goal_money, 0, 0)
        push(state, ENGINE_BACK, 0, 0, 0)
        push(state, UPGRADE_HERE, 0, 0, 0)


@compiled
def _note_spaces(state, spaces):
    """What the engine went back is the value of an extraordinary delivery that waits for it."""
    for place in range(state.n_tasks - 1, -1, -1):
        if state.task[place] == DELIVERY and state.two[place] == 2:
            state.one[place] = spaces
            state.two[place] = 1
            return


@compiled
def _use_disc(state, board, player, action, one):
    """Place a disc on a city, or on a station, which is paid and may have its master."""
    if state.phase == DISC:
        take_disc(state, board, player, action)
        state.city_discs[player, one] += 1
        return
    state.money[player] -= board.station_cost[one]
    take_disc(state, board, player, action)
    state.station_disc[player, one] = 1
    if state.station_master[one] >= 0 and may_appoint(state, player):
        push(state, APPOINTING, one, 0, 1)


@compiled
def _appoint(state, board, player, station, worker):
    """A worker becomes the station master, and the player has the tile."""
    state.workers[player, worker] -= 1
    state.station_worker[station] = worker
    master = int(state.station_master[station])
    state.station_master[station] = -1
    _gain_master(state, board, player, master)


@compiled
def _gain_master(state, board, player, master):
    state.masters[player] |= 1 << master
    state.permanent[player] += board.master_permanent[master]
    offer(state, board, int(board.master_icon[master]), True)


# Kansas City


@compiled
def _take_foresight(state, board, player, column, tile):
    """Place the tile: on the trail, or in the job market; one without room leaves the game."""
    place = 0 if state.foresight[column, 0] == tile else 1
    state.foresight[column, place] = -1
    if tile < GREEN_TEEPEE:
        place_hazard(state, board, tile)
    elif tile <= BLUE_TEEPEE:
        place_teepee(state, board, tile)
    else:
        _place_worker(state, board, player, tile - FIRST_WORKER)


@compiled
def _place_worker(state, board, player, worker):
    """Leftmost free space of the token's row; on the token's own space, it moves a row down."""
    row = int(state.placed // state.n_players)
    state.job[row, worker] += 1
    state.placed += 1
    if state.placed % state.n_players == 0:
        if board.row_refills[row]:
            fill_market(state, board)
        if row == MAX_ROWS - 1:
            state.token_owner = player


@compiled
def _earn_income(state, board, player, certificates):
    """Breeding value with certificates, as income; then all cards are discarded (K24)."""
    value = breeding_value(state, board, player) + int(state.permanent[player]) + certificates
    spend_certificates(state, board, player, certificates)
    state.money[player] += value
    state.income[player] += value
    state.best_income[player] = max(state.best_income[player], value)
    discard_hand(state, player)
    push(state, DELIVERY, value, 0, 0)


@compiled
def _deliver(state, board, player, city, is_extraordinary):
    """Transport cost, the money of Kansas City, then the disc, then delivery actions (X7)."""
    state.deliveries[player] += 1
    if not is_extraordinary:
        cost = transport_cost(state, board, player, board.city_value[city])
        state.money[player] -= cost
        state.transport[player] += cost
    if not is_extraordinary or board.extraordinary_pays:
        state.money[player] += board.city_money[city]
    push(state, DELIVERED, city, int(state.city_discs[player, city]), 0)
    push(state, DISC, city, 0, 0)


@compiled
def _end_delivery(state, board, player, city, discs_before):
    """Delivery actions: of a pair that the new disc completes, and of the city itself (R30)."""
    state.delivered[player] |= 1 << city
    optional = not board.delivery_actions_mandatory  # R32, M23
    offer(state, board, int(board.city_icon[city]), optional)
    state.money[player] += board.city_gift[city]
    if state.city_discs[player, city] == discs_before:
        return
    for pair in range(board.n_pairs):
        for side in range(2):
            other = int(board.pair[pair, 1 - side])
            if board.pair[pair, side] == city and state.city_discs[player, other] > 0:
                offer(state, board, int(board.pair_icon[pair]), optional)
                state.money[player] += board.pair_gift[pair]


# Rails to the North


@compiled
def _place_branchlet(state, board, player, town, space):
    """Place a branchlet; what its space, its town and a cleared bell give."""
    put_branchlet(state, board, player, town, space)
    if board.town_type[town] == STATION_TOWN:
        station = int(board.town_station[town])
        if may_upgrade(state, board, player, station):
            push(state, UPGRADING, station, 0, 1)
    elif board.town_type[town] == MEDIUM:
        offer(state, board, int(board.medium_icon[state.medium[town]]), True)
    offer(state, board, int(board.town_icon[town, space]), True)
    if state.branchlets[player] % 3 == 0:
        state.tokens[player] += board.bell_token[bells(state, player)]


# ------------------------------------------------------------------------------------ Turns


@compiled
def settle(state, board):
    """Do all that needs no decision, through the end of the turn if it comes to that."""
    while not state.is_over and state.status == 0:
        if state.n_tasks == 0:
            _end_turn(state, board)
            continue
        top = int(state.n_tasks) - 1
        task = state.task[top]
        one, two = int(state.one[top]), int(state.two[top])
        if task == UPGRADE_HERE:
            pop(state)
            station = int(board.station_at[state.engine[state.to_move]])
            if may_upgrade(state, board, int(state.to_move), station):
                push(state, UPGRADING, station, 0, 1)
        elif task == MONEY:
            pop(state)
            state.money[state.to_move] += one
        elif task == ICON:
            optional = int(state.optional[top])
            pop(state)
            if may_do(state, board, one):
                do(state, board, one, optional)
        elif task == DELIVERED:
            pop(state)
            _end_delivery(state, board, int(state.to_move), one, two)
        elif task == LEAVE_KANSAS_CITY:
            pop(state)
            state.at[state.to_move] = 0
        elif _is_empty(state, board, task, one):
            pop(state)
        else:
            if task == MOVING and two == PHASE_A:  # a disc taken before the move counts
                state.one[top] = step_limit(state, board, int(state.to_move))
            state.phase = task
            return


@compiled
def _is_empty(state, board, task, one):
    """Whether there is nothing to decide about a task, not even whether to forfeit it."""
    player = int(state.to_move)
    if task == CERTIFICATES:
        return certificates_possible(state, board, player) == 0
    if task == FORESIGHT:  # R27
        return not (
            may_place_tile(state, int(state.foresight[one, 0]))
            or may_place_tile(state, int(state.foresight[one, 1]))
        )
    if task == DISCARDING or task == REMOVING:
        return state.n_hand[player] == 0
    if task == ENDING:
        return state.tokens[player] == 0 or drawable(state, player) == 0
    if task == BUYING:
        return one == 0
    return False


@compiled
def _begin_turn(state, board):
    """Phase A: move; the first time the cattleman is put on a neutral building."""
    player = int(state.to_move)
    state.turn += 1
    state.turns[player] += 1
    state.copied = 0
    state.reached_goal = 0
    push(state, ENDING, 0, 0, 0)
    if state.at[player] < 0:
        push(state, PLACING, 0, 0, 0)
    else:
        push(state, MOVING, 0, PHASE_A, 0)


@compiled
def _end_turn(state, board):
    """Phase C: draw up to the hand limit; foresight tiles; the next player, or the end (R37)."""
    player = int(state.to_move)
    limit = hand_limit(state, board, player)
    if state.n_hand[player] < limit:
        draw_cards(state, player, limit - int(state.n_hand[player]))
    if state.reached_goal:  # R29
        for column in range(3):
            for place in range(2):
                if state.foresight[column, place] < 0:
                    state.foresight[column, place] = _next_tile(state, column)
    state.to_move = (player + 1) % state.n_players
    if state.token_owner == state.to_move:
        state.is_over = 1
        state.end_reason = 0
        state.phase = OVER
    else:
        _begin_turn(state, board)
