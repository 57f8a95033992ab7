"""Railways of the World: the rules, compiled.

Headings are the rulebook's. Codes such as R04 or M15 are the rulings of this room's README.
A. Build Track is in `track`, D. Deliver Goods Cube in `goods`, the Rail Barons in `barons`.
"""

from sim.bits import bit
from sim.contract import compiled
from sim.railways_of_the_world.barons import score_barons
from sim.railways_of_the_world.goods import (
    add_cubes,
    ask_route,
    begin_move,
    cubes_in_bag,
    draw_cube,
    legal_answers,
    legal_deliveries,
    lose_stopped_cube,
    move_cube,
    note_answer,
    put_cube,
    score_card,
    turn_dial,
)
from sim.railways_of_the_world.measures import MEASURES, OBSERVATION, measures, observe, usage
from sim.railways_of_the_world.money import collect_income, pay
from sim.railways_of_the_world.state import (
    ACTION,
    ADD_CUBES,
    AFTER_ACTION,
    BID,
    BIDDING,
    BOARD,
    BUILD,
    BUILDING,
    BY_TURN_LIMIT,
    CITY_GROWTH,
    CONTINUE,
    DELIVER,
    DEPOTS,
    DIAL,
    DONE,
    END_REASONS,
    EXTENDING,
    EXTRA_TILES,
    FIRST_ENGINE_LEVEL,
    FIRST_TO_PASS,
    FREE_DEPOTS,
    FREE_OPEN_TILES,
    FROM,
    GRAY,
    GREEN_CIRCLE,
    GROW,
    HAND,
    KEEP,
    KEEPING,
    LAY,
    LINK_DONE,
    MAX_CARDS,
    MAX_CITIES,
    MAX_CODE,
    MAX_DECISIONS,
    MAX_DECK,
    MAX_HEXES,
    MAX_LEGAL,
    MAX_LEVEL,
    MAX_LINES,
    MAX_LINKS,
    MAX_PLAYERS,
    MAX_STUBS,
    MAX_WESTERN,
    NEW_CITY_TILE,
    NEW_INDUSTRY,
    NEW_PLAYERS,
    NO_RIDGE_COST,
    OPEN,
    OVER,
    PASS,
    PLACE_DEPOTS,
    PURPLE_DIAMOND,
    RED,
    RED_X,
    REDIRECT,
    ROUTE,
    STARTING,
    STATE,
    TAKE,
    TERRAIN_PRICE,
    TURN_ROTOR,
    TWO_ACTIONS,
    UPGRADE,
    URBANIZE,
    USE,
    WESTERN,
)
from sim.railways_of_the_world.track import (
    build_depot_sites,
    depot_sites,
    lay,
    legal_depots,
    legal_extensions,
    legal_first_tiles,
    legal_own_ends,
    may_begin,
    may_build,
    may_extend,
    place_depots,
    price_build,
    redirect,
    remove_stubs,
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

ROUNDS = 3


# ------------------------------------------------------------------------------------------- Setup


@compiled
def setup(state, board, n_players, seed):
    """Deal a new game: cubes, cards and Barons; the first player keeps one of two Barons."""
    state.railways_of_the_world = 1
    state.rng = seed
    chance = draw(state)  # of play: the same whatever set-up draws
    state.status = 0
    state.is_over = 0
    state.end_reason = -1
    state.n_players = n_players
    state.turn = 0
    state.last_turn = 0
    state.round_number = 0
    state.place = 0
    state.actions_left = 0
    state.triggered = 0
    state.trigger_player = -1
    state.bid = 0
    state.high_bidder = -1
    state.passed = 0
    state.n_passed = 0
    state.auction_money = 0
    state.highest_bid = 0
    _set_up_players(state, board)
    _set_up_goods(state, board)
    _set_up_track(state)
    _deal_cards(state, board)
    _deal_barons(state, board, -1)
    state.rng = chance
    state.phase = KEEPING
    state.to_move = 0


@compiled
def _set_up_players(state, board):
    for player in range(MAX_PLAYERS):
        plays = player < state.n_players
        state.order[player] = player if plays else -1
        state.pass_order[player] = -1
        state.own_bid[player] = 0
        state.money[player] = board.starting_money[state.n_players] if plays else 0
        state.bonds[player] = 0
        state.marker[player] = 0
        state.banked[player] = 0
        state.engine[player] = 1
        state.has_kept[player] = 0
        state.baron_points[player] = 0
        state.depots_left[player] = board.depots_per_player if plays else 0
        state.depot_cities[player] = 0
        state.stopped[player] = -1
        state.stopped_at[player] = -1
        state.stopped_from[player] = -1
        state.stopped_links[player] = 0
        state.stopped_seen[player] = 0
        state.links[player] = 0
        state.network[player] = 0
        state.set_points[player] = -1
        state.path_points[player] = 0
        state.possible_points[player] = 0
        state.auction_paid[player] = 0
        state.deliveries[player] = 0
        state.delivery_links[player] = 0
        state.longest_delivery[player] = 0
        state.delivery_points[player] = 0
        state.line_points[player] = 0
        state.card_points[player] = 0
        state.tiles[player] = 0
        state.track_paid[player] = 0
        state.urbanized[player] = 0
        state.cards_taken[player] = 0
        state.passes[player] = 0
        state.cubes_lost[player] = 0
        state.depots_used[player] = 0
        for other in range(MAX_PLAYERS):
            state.stopped_points[player, other] = 0
        for city in range(MAX_CITIES):
            state.depots[player, city] = 0
            state.linked[player, city] = 0
        for row in range(MAX_CARDS):
            state.held[player, row] = 0
            state.used[player, row] = 0
    for level in range(MAX_LEVEL + 1):
        state.first_at_level[level] = -1
        state.path_city[level] = 0
        state.path_owner[level] = 0
        state.path_left[level] = 0
        state.near[level] = 0


@compiled
def _set_up_goods(state, board):
    """Cubes from the bag by the number on each city; fewer with 2 or 3 players, never below 1."""
    for colour in range(5):
        state.bag[colour] = board.cubes_per_colour
        state.new_tiles[colour] = board.new_city_tiles[colour]
        state.accepts[colour] = 0
    state.stocked = 0
    state.marked = 0
    for city in range(MAX_CITIES):
        for colour in range(5):
            state.cubes[city, colour] = 0
        state.joined[city] = 0
        state.colour[city] = board.city_colour[city] if city < board.n_cities else GRAY
        state.dial[city] = board.city_dial[city] if city < board.n_cities else -1
        if city >= board.n_cities:
            continue
        if state.colour[city] < GRAY:
            state.accepts[state.colour[city]] |= bit(city)
        if 0 <= state.dial[city] < GRAY:
            state.accepts[state.dial[city]] |= bit(city)
        goods = int(board.city_goods[city])
        fewer = max(1, goods - board.goods_reduction[state.n_players])
        for _ in range(min(goods, fewer)):
            put_cube(state, city, draw_cube(state, cubes_in_bag(state)), False)


@compiled
def _set_up_track(state):
    for place in range(MAX_HEXES):
        state.track[place, 0] = 0
        state.track[place, 1] = 0
    state.n_links = 0
    for link in range(MAX_LINKS):
        state.link_owner[link] = -1
        state.link_city[link, 0] = -1
        state.link_city[link, 1] = -1
        state.link_spur[link] = -1
        state.link_tiles[link] = 0
    state.n_stubs = 0
    for stub in range(MAX_STUBS):
        state.stub_owner[stub] = -1
        state.stub_city[stub] = -1
        state.stub_spur[stub] = -1
        state.stub_hex[stub] = -1
        state.stub_entry[stub] = -1
        state.stub_exit[stub] = -1
        state.stub_tiles[stub] = 0
    for line in range(MAX_LINES):
        state.line_owner[line] = -1
    for place in range(MAX_WESTERN):
        state.western_owner[place] = -1
    state.build_stub = -1
    state.build_city = -1
    state.tiles_left = 0
    state.declared = 0
    state.depots_placed = 0
    state.card_amount = 0
    state.ridge_cost = 0
    for terrain in range(3):
        state.tile_cost[terrain] = 0
    state.move_colour = -1
    state.move_from = -1
    state.move_to = -1
    state.move_stops = 0
    state.move_continues = 0
    state.ask = 0
    state.ask_about = -1
    state.ask_values = 0
    for answer in range(2):
        state.set_depots[answer] = 0
        state.set_via[answer] = 0


@compiled
def _deal_cards(state, board):
    """Start cards, some of the Service Bounties, and two cards a player are laid out."""
    for row in range(MAX_CARDS):
        state.shown[row] = 0
    for place in range(MAX_DECK):
        state.deck[place] = -1
    _put_in_deck(state, board, 2)
    _shuffle_deck(state, 0)
    for place in range(min(int(board.service_bounties), int(state.n_deck))):
        state.shown[state.deck[place]] += 1
    for place in range(state.n_deck):
        state.deck[place] = -1
    _put_in_deck(state, board, 0)
    _shuffle_deck(state, 0)
    for row in range(board.n_cards):
        if board.card_group[row] == 1:
            state.shown[row] += board.card_copies[row]
    for _ in range(board.cards_per_player * state.n_players):
        _show_next_card(state)


@compiled
def _put_in_deck(state, board, group):
    """Make the deck of all copies of the cards of a group."""
    state.deck_next = 0
    state.n_deck = 0
    for row in range(board.n_cards):
        if board.card_group[row] == group:
            for _ in range(board.card_copies[row]):
                state.deck[state.n_deck] = row
                state.n_deck += 1


@compiled
def _shuffle_deck(state, first):
    """Shuffle the deck from that place on."""
    for place in range(state.n_deck - 1, first, -1):
        other = first + below(state, place - first + 1)
        card = state.deck[place]
        state.deck[place] = state.deck[other]
        state.deck[other] = card


@compiled
def _show_next_card(state):
    """Add the next card to the display; none is left in the end (M14)."""
    if state.deck_next < state.n_deck:
        state.shown[state.deck[state.deck_next]] += 1
        state.deck_next += 1


@compiled
def _deal_barons(state, board, viewer):
    """Two Barons to every player but the viewer (-1: nobody), who keeps those held."""
    for player in range(MAX_PLAYERS):
        if player != viewer:
            state.barons[player, 0] = -1
            state.barons[player, 1] = -1
    left = 0
    for row in range(board.n_barons):
        left += _barons_left(state, board, row)
    for player in range(state.n_players):
        for hand in range(2):
            if player == viewer:
                continue
            place = below(state, left)
            left -= 1
            row = 0
            while place >= _barons_left(state, board, row):
                place -= _barons_left(state, board, row)
                row += 1
            state.barons[player, hand] = row


@compiled
def _barons_left(state, board, row):
    """Copies of a Baron that nobody has been dealt."""
    copies = int(board.baron_copies[row])
    for player in range(state.n_players):
        for hand in range(2):
            copies -= int(state.barons[player, hand] == row)
    return copies


@compiled
def determinize(state, board, viewer, seed):
    """Others' Barons and the order of the deck are drawn anew; the bag's contents are known."""
    state.rng = seed
    _deal_barons(state, board, viewer)
    sorted_to = state.deck_next
    for row in range(board.n_cards):  # no trace of the true order
        for place in range(sorted_to, state.n_deck):
            if state.deck[place] == row:
                state.deck[place] = state.deck[sorted_to]
                state.deck[sorted_to] = row
                sorted_to += 1
    _shuffle_deck(state, int(state.deck_next))


# --------------------------------------------------------------------------------- Legal actions


@compiled
def legal_actions(state, board, out):
    """Write the codes of all legal actions; return how many."""
    n = 0
    if state.phase == KEEPING:
        out[0] = KEEP + state.barons[state.to_move, 0]
        out[1] = KEEP + state.barons[state.to_move, 1]
        n = 1 if out[0] == out[1] else 2
    elif state.phase == BIDDING:
        out[0] = PASS
        n = 1
        for bid in range(state.bid + 1, board.max_bid + 1):
            out[n] = BID + bid
            n += 1
    elif state.phase == ACTION:
        n = _legal_in_round(state, board, out)
    elif state.phase == BUILDING:
        n = _legal_declarations(state, board, out, n)
        for city in range(board.n_cities):
            if may_begin(state, board, city):
                out[n] = FROM + city
                n += 1
        n = legal_own_ends(state, board, out, n)
        n = legal_depots(state, 2, build_depot_sites(state, board, False), out, n)
    elif state.phase == STARTING:
        n = legal_first_tiles(state, board, int(state.build_city), out, n)
    elif state.phase == EXTENDING or state.phase == LINK_DONE:
        is_done = state.phase == LINK_DONE
        if not is_done and state.tiles_left > 0:
            n = legal_extensions(state, board, int(state.build_stub), out, n)
        most = 1 if board.depots_2010 else 2
        n = legal_depots(state, most, build_depot_sites(state, board, is_done), out, n)
        out[n] = DONE
        n += 1
    elif state.phase == ROUTE:
        n = legal_answers(state, out)
    elif state.phase == NEW_INDUSTRY:
        n = _legal_city_tiles(state, board, out, n)
    elif state.phase == CITY_GROWTH:
        for city in range(board.n_cities):
            out[n] = GROW + city
            n += 1
    elif state.phase == FREE_DEPOTS:
        n = legal_depots(state, state.card_amount, depot_sites(state, board), out, n)
    elif state.phase == AFTER_ACTION:
        out[0] = DONE
        n = _legal_dials(state, board, out, 1)
    return n


@compiled
def _legal_in_round(state, board, out):
    """One of the five actions, a Western Link, a Dispatcher's dial, or pass."""
    player = int(state.to_move)
    out[0] = PASS
    n = 1
    if may_build(state, board):
        out[n] = BUILD
        n += 1
    if state.engine[player] < MAX_LEVEL:
        out[n] = UPGRADE
        n += 1
    n = _legal_city_tiles(state, board, out, n)
    n = legal_deliveries(state, board, out, n)
    for row in range(board.n_cards):
        if state.shown[row] > 0 and may_take(state, board, row):
            out[n] = TAKE + row
            n += 1
    for place in range(board.n_western):
        if state.western_owner[place] < 0:
            out[n] = WESTERN + place
            n += 1
    return _legal_dials(state, board, out, n)


@compiled
def _legal_city_tiles(state, board, out, n):
    """New City tiles left on gray cities."""
    for city in range(board.n_cities):
        if state.colour[city] == GRAY:
            for colour in range(5):
                if state.new_tiles[colour] > 0:
                    out[n] = URBANIZE + city * 5 + colour
                    n += 1
    return n


@compiled
def may_take(state, board, row):
    """Whether a card shown may be taken: no green circle, and no red X to no effect (M12)."""
    if board.card_symbol[row] == GREEN_CIRCLE:
        return False
    if board.card_symbol[row] != RED_X or board.useless_card_may_be_taken:
        return True
    return _has_effect(state, board, row)


@compiled
def _has_effect(state, board, row):
    """Whether a red X card can be carried out in part."""
    effect = board.card_effect[row]
    if effect == NEW_CITY_TILE:
        tiles = 0
        for colour in range(5):
            tiles += int(state.new_tiles[colour])
        if tiles == 0:
            return False
        for city in range(board.n_cities):
            if state.colour[city] == GRAY:
                return True
        return False
    if effect == ADD_CUBES:  # an own stopped cube goes to the bag first (M9)
        return cubes_in_bag(state) > 0 or state.stopped[state.to_move] >= 0
    if effect == PLACE_DEPOTS:
        return depot_sites(state, board) != 0
    return True


@compiled
def rotor_card(state, board, player):
    """A card in hand that turns a dial; -1: none, or no dial."""
    for row in range(board.n_cards):
        if board.card_effect[row] == TURN_ROTOR and state.held[player, row] > 0:
            for city in range(board.n_cities):
                if state.dial[city] >= 0:
                    return row
    return -1


@compiled
def _legal_dials(state, board, out, n):
    """Dials that a card in hand may turn."""
    if rotor_card(state, board, int(state.to_move)) >= 0:
        for city in range(board.n_cities):
            if state.dial[city] >= 0:
                out[n] = DIAL + city
                n += 1
    return n


@compiled
def _legal_declarations(state, board, out, n):
    """Cards that change this Build: from the hand, or a purple diamond not used this turn (M16)."""
    for row in range(board.n_cards):
        if may_declare(state, board, row):
            out[n] = USE + row
            n += 1
    return n


@compiled
def may_declare(state, board, row):
    """Whether the player has a card that changes a Build, and may still do so."""
    player = int(state.to_move)
    if state.held[player, row] == 0 or state.declared & bit(row) != 0:
        return False
    if board.card_symbol[row] == HAND:
        return board.card_effect[row] != TURN_ROTOR
    is_fresh = state.used[player, row] < state.held[player, row]
    return board.card_symbol[row] == PURPLE_DIAMOND and is_fresh


# ---------------------------------------------------------------------------------- Playing actions


@compiled
def apply(state, board, action):
    """Play a legal action and settle all that follows from it."""
    player = int(state.to_move)
    phase = state.phase
    ends_action = False
    if phase == KEEPING:
        _keep_baron(state, board, action)
    elif phase == BIDDING:
        _bid_or_pass(state, board, action)
    elif DIAL <= action < WESTERN:
        row = rotor_card(state, board, player)
        state.held[player, row] -= 1
        turn_dial(state, board, action - DIAL, board.card_amount[row])
        if phase == AFTER_ACTION and rotor_card(state, board, player) < 0:
            _next_player(state, board)
    elif phase == AFTER_ACTION:
        _next_player(state, board)
    elif phase == ACTION:
        ends_action = _begin_action(state, board, action)
    elif phase == ROUTE:
        note_answer(state, action)
    elif phase == NEW_INDUSTRY:
        _place_city_tile(state, action - URBANIZE)
        lifts = board.growth_lifts_marker != 0
        add_cubes(state, (action - URBANIZE) // 5, state.card_amount, lifts)
        ends_action = True
    elif phase == CITY_GROWTH:
        lifts = board.growth_lifts_marker != 0
        add_cubes(state, action - GROW, state.card_amount, lifts)
        ends_action = True
    elif phase == FREE_DEPOTS:
        place_depots(state, (action - DEPOTS) // 2, (action - DEPOTS) % 2 + 1)
        ends_action = True
    else:
        ends_action = _go_on_building(state, board, action)
    if state.phase == ROUTE:
        ask_route(state, board)
        if state.ask_values == 0:
            move_cube(state, board)
            ends_action = True
    if ends_action:
        _end_action(state, board)


@compiled
def _keep_baron(state, board, action):
    """Choose one of two Barons; the other leaves the game unseen."""
    player = int(state.to_move)
    if state.barons[player, 0] != action - KEEP:
        state.barons[player, 1] = state.barons[player, 0]
        state.barons[player, 0] = action - KEEP
    state.has_kept[player] = 1
    state.to_move += 1
    if state.to_move == state.n_players:
        _begin_turn(state, board)


# ------------------------------------------------------------------ Phase 1: First Player Auction


@compiled
def _begin_turn(state, board):
    """Purple cards are fresh; the auction begins, but for a first turn of new players."""
    state.turn += 1
    state.round_number = 0
    state.bid = 0
    state.high_bidder = -1
    state.passed = 0
    state.n_passed = 0
    for player in range(state.n_players):
        state.own_bid[player] = 0
        for row in range(board.n_cards):
            state.used[player, row] = 0
    if board.auction == NEW_PLAYERS and state.turn == 1:  # A07
        for place in range(state.n_players):
            state.money[state.order[place]] += place
        _begin_rounds(state, board)
        return
    state.phase = BIDDING
    state.place = 0
    state.to_move = state.order[0]


@compiled
def _bid_or_pass(state, board, action):
    """Who bids stays in; the last one left with a bid wins, pays, and is First Player."""
    player = int(state.to_move)
    if action == PASS:
        state.passed |= bit(player)
        state.pass_order[state.n_passed] = player
        state.n_passed += 1
        if board.auction == FIRST_TO_PASS:  # R05
            _pay_bid(state, board, player, (state.own_bid[player] + 1) // 2)
    else:
        state.bid = action - BID
        state.own_bid[player] = state.bid
        state.high_bidder = player
    if state.n_passed == state.n_players:
        _everybody_passed(state, board)
    elif state.n_passed == state.n_players - 1 and state.bid > 0:
        state.highest_bid = max(state.highest_bid, state.bid)
        _pay_bid(state, board, int(state.high_bidder), state.bid)
        if board.auction == FIRST_TO_PASS:
            state.pass_order[state.n_passed] = state.high_bidder
            _order_by_passing(state)
        else:
            _order_clockwise(state, int(state.high_bidder))
        _begin_rounds(state, board)
    else:  # the last one left still decides when nobody has bid (M15)
        while True:
            state.place = (state.place + 1) % state.n_players
            if state.passed & bit(state.order[state.place]) == 0:
                break
        state.to_move = state.order[state.place]


@compiled
def _pay_bid(state, board, player, amount):
    pay(state, board, player, amount)
    state.auction_paid[player] += amount
    state.auction_money += amount


@compiled
def _everybody_passed(state, board):
    """Left of the previous First Player; or who passed last, by the advanced method (R04, K14)."""
    if board.auction == FIRST_TO_PASS and board.last_to_pass_is_first:
        _order_by_passing(state)
    elif state.turn == 1:
        _order_clockwise(state, int(state.order[0]))
    else:
        _order_clockwise(state, (int(state.order[0]) + 1) % int(state.n_players))
    _begin_rounds(state, board)


@compiled
def _order_clockwise(state, first):
    for place in range(state.n_players):
        state.order[place] = (first + place) % int(state.n_players)


@compiled
def _order_by_passing(state):
    for place in range(state.n_players):
        state.order[place] = state.pass_order[state.n_players - 1 - place]


# ----------------------------------------------------------------------- Phase 2: Player Actions


@compiled
def _begin_rounds(state, board):
    state.round_number = 1
    state.place = 0
    _give_action(state)


@compiled
def _give_action(state):
    state.to_move = state.order[state.place]
    state.actions_left = 1
    state.phase = ACTION


@compiled
def _begin_action(state, board, action):
    """Begin one of the actions; whether it is over already."""
    player = int(state.to_move)
    continues = CONTINUE <= action < BID
    if not continues:
        lose_stopped_cube(state, player)
    if action == PASS:
        state.passes[player] += 1
    elif action == BUILD:
        _begin_build(state, board)
        return False
    elif action == UPGRADE:
        _upgrade(state, board)
    elif continues or action >= DELIVER:
        begin_move(state, action)
        state.phase = ROUTE
        return False
    elif action < KEEP:
        return _take_card(state, board, action - TAKE)
    elif action < GROW:
        _urbanize(state, board, action - URBANIZE)
    else:
        _build_western_link(state, board, action - WESTERN)
    return True


@compiled
def _end_action(state, board):
    """The player's next action, a Dispatcher after it, or the next player."""
    player = int(state.to_move)
    state.actions_left -= 1
    if state.actions_left > 0:
        state.phase = ACTION
        return
    if state.round_number == ROUNDS:  # M9
        lose_stopped_cube(state, player)
    if rotor_card(state, board, player) >= 0:
        state.phase = AFTER_ACTION
        return
    _next_player(state, board)


@compiled
def _next_player(state, board):
    state.place += 1
    if state.place == state.n_players:
        state.place = 0
        state.round_number += 1
    if state.round_number <= ROUNDS:
        _give_action(state)
    else:
        _end_turn(state, board)


# A. Build Track


@compiled
def _begin_build(state, board):
    state.phase = BUILDING
    state.build_stub = -1
    state.build_city = -1
    state.declared = 0
    state.depots_placed = 0
    price_build(state, board)


@compiled
def _go_on_building(state, board, action):
    """A step of a Build; whether the action is over."""
    player = int(state.to_move)
    if action == DONE:
        return True
    if USE <= action < TAKE:
        _declare(state, board, player, action - USE)
        return False
    if FROM <= action < DEPOTS:
        state.build_city = action - FROM
        state.phase = STARTING
        return False
    if DEPOTS <= action < URBANIZE:
        if not (board.depots_2010 and state.depots_placed > 0):
            pay(state, board, player, board.depot_cost)
        place_depots(state, (action - DEPOTS) // 2, (action - DEPOTS) % 2 + 1)
        if state.phase == BUILDING:
            return False
    elif action < REDIRECT:
        lay(state, board, (action - LAY) // 15, (action - LAY) % 15)
    else:
        redirect(state, board, (action - REDIRECT) // 15, (action - REDIRECT) % 15)
    is_done = state.build_stub < 0
    state.phase = LINK_DONE if is_done else EXTENDING
    if build_depot_sites(state, board, is_done) != 0:
        return False
    if is_done or state.tiles_left <= 0:
        return True
    return not may_extend(state, board, int(state.build_stub))


@compiled
def _declare(state, board, player, row):
    """A card changes the prices or the number of tiles of this Build (M16, R14, K20)."""
    state.declared |= bit(row)
    if board.card_symbol[row] == HAND:
        state.held[player, row] -= 1
    else:
        state.used[player, row] += 1
    effect = board.card_effect[row]
    if effect == FREE_OPEN_TILES:
        state.tile_cost[OPEN] = 0
    elif effect == EXTRA_TILES:
        state.tiles_left += board.card_amount[row]
    elif effect == NO_RIDGE_COST:
        state.ridge_cost = 0
    elif effect == TERRAIN_PRICE:
        terrain = int(board.card_terrain[row])
        state.tile_cost[terrain] = min(state.tile_cost[terrain], board.card_cost[row])


# B. Urbanize, C. Upgrade Engine


@compiled
def _urbanize(state, board, place):
    """Pay for a New City tile; cubes come with it (R07, M12), but not with the card (A04)."""
    _place_city_tile(state, place)
    pay(state, board, int(state.to_move), board.urbanize_cost)
    add_cubes(state, place // 5, board.urbanize_cubes, True)


@compiled
def _place_city_tile(state, place):
    """A gray city takes the colour of a New City tile; `place` is city * 5 + colour."""
    city = place // 5
    colour = place % 5
    state.new_tiles[colour] -= 1
    state.colour[city] = colour
    state.accepts[colour] |= bit(city)
    state.urbanized[state.to_move] += 1


@compiled
def _upgrade(state, board):
    """One level; the first at a level earns the cards that ask for it."""
    player = int(state.to_move)
    state.engine[player] += 1
    level = int(state.engine[player])
    pay(state, board, player, board.engine_price[level])
    if state.first_at_level[level] < 0:
        state.first_at_level[level] = player
    for row in range(board.n_cards):
        if (
            board.card_symbol[row] == GREEN_CIRCLE
            and board.card_effect[row] == FIRST_ENGINE_LEVEL
            and board.card_amount[row] == level
            and state.shown[row] > 0
        ):
            score_card(state, player, int(state.shown[row]) * board.card_points[row])
            state.shown[row] = 0


# E. Select a Railroad Operations Card


@compiled
def _take_card(state, board, row):
    """Take a card; a red X acts at once. Whether the action is over."""
    player = int(state.to_move)
    state.shown[row] -= 1
    state.cards_taken[player] += 1
    if board.card_symbol[row] != RED_X:
        state.held[player, row] += 1
        return True
    effect = board.card_effect[row]
    if effect == TWO_ACTIONS:  # R02
        state.actions_left += board.card_amount[row]
        return True
    if not _has_effect(state, board, row):
        return True
    if effect == NEW_CITY_TILE:
        state.phase = NEW_INDUSTRY
    elif effect == ADD_CUBES:
        state.phase = CITY_GROWTH
    else:
        state.phase = FREE_DEPOTS
    state.card_amount = board.card_amount[row]
    return False


# Western link (2005)


@compiled
def _build_western_link(state, board, place):
    """Pay, and red cubes come to the city, as many as the bag has (R21)."""
    player = int(state.to_move)
    city = int(board.western_city[place])
    state.western_owner[place] = player
    pay(state, board, player, board.western_cost)
    for _ in range(min(board.western_cubes, state.bag[RED])):
        state.bag[RED] -= 1
        put_cube(state, city, RED, True)


# --------------------------------------------------- Phase 3: Income and Dividends; End of Game


@compiled
def _end_turn(state, board):
    """Income, dividends, one more card; the end a full turn after its trigger (R06, M1)."""
    remove_stubs(state, board)
    collect_income(state, board)
    if state.triggered != 0 and state.turn == state.last_turn:
        _end_game(state, board, int(state.triggered) - 1)
    elif state.turn == board.max_turns:
        _end_game(state, board, BY_TURN_LIMIT)
    else:
        if state.triggered != 0:
            state.marked = 0
        _show_next_card(state)
        _begin_turn(state, board)


@compiled
def _end_game(state, board, reason):
    state.is_over = 1
    state.end_reason = reason
    state.phase = OVER
    score_barons(state, board)


@compiled
def scores(state, board, out):
    """Points: the track, less a point a Bond; Barons once the game is over."""
    for player in range(state.n_players):
        out[player] = (
            state.banked[player]
            + state.marker[player]
            - state.bonds[player] * board.bond_points
            + state.baron_points[player]
        )


@compiled
def payoffs(state, board, out):
    """Most points; then most completed links; then most money; then shared (R11, M11)."""
    scores(state, board, out)
    best = 0
    winners = 0
    for player in range(state.n_players):
        standing = _compare(state, out, player, best) if player > 0 else 1
        if standing > 0:
            best = player
            winners = 1
        elif standing == 0:
            winners += 1
    top = out[best]
    for player in range(state.n_players):
        is_best = (
            out[player] == top
            and state.links[player] == state.links[best]
            and state.money[player] == state.money[best]
        )
        out[player] = 1.0 / winners if is_best else 0.0


@compiled
def _compare(state, points, player, other):
    """1, 0 or -1: the player stands before the other, level with it, or behind."""
    if points[player] != points[other]:
        return 1 if points[player] > points[other] else -1
    if state.links[player] != state.links[other]:
        return 1 if state.links[player] > state.links[other] else -1
    if state.money[player] != state.money[other]:
        return 1 if state.money[player] > state.money[other] else -1
    return 0
