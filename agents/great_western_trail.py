"""Great Western Trail: what a position is worth, and the named strategies.

A position is worth its points and what will bring more: money, workers for as long as the game
lasts, the deck by the breeding value of the hands it will give, the hand at hand by how near Kansas
City is, the way gone on the trail, discs cleared, certificates, the engine. What is pending in a
turn is worth what its icons may bring. All values are in points.
"""

import math

from sim.bits import bit, count
from sim.contract import compiled
from sim.great_western_trail.cards import breeding_value, of_type
from sim.great_western_trail.icons import counted, may_do, may_hire
from sim.great_western_trail.railroad import (
    along,
    is_behind,
    may_take_disc,
    stations_of,
    transport_cost,
)
from sim.great_western_trail.scoring import (
    copies_in_deck,
    hazard_points,
    master_points,
    scores,
    station_points,
    token_points,
)
from sim.great_western_trail.state import (
    ACTED,
    ADJACENT,
    ANY_PAIR,
    AUXILIARY,
    BACK,
    BEHIND,
    BLUE_TEEPEE,
    BOARD,
    BRANCHLET,
    BRANCHLETS,
    BUILD,
    BUILDING,
    BUY,
    BUYING,
    CERTIFICATES,
    CHOOSING,
    CLEAR,
    CLEARING,
    COPYING,
    COWBOY,
    CRAFTSMAN,
    DELIVERY,
    DISC,
    DISC_HAND,
    DISC_KINDS,
    DISC_LIMIT_4,
    DISC_LIMIT_6,
    DISC_MOVE_1,
    DISC_MOVE_2,
    DRAW,
    DRAWING,
    EITHER,
    ENGINE,
    ENGINE_BACK,
    EXTRAORDINARY,
    FORWARD,
    FREE_CARD,
    FREE_CATTLE,
    GAIN,
    GIVE,
    GIVING,
    GREEN_TEEPEE,
    HIRE,
    HIRING,
    HOLD_OBJECTIVE,
    ICON,
    ICONS_ON_TILE,
    INCOME,
    LOCAL,
    MASTER,
    MASTERS,
    MAX_CATTLE,
    MAX_ROWS,
    MONEY,
    MOVE,
    MOVING,
    NEED_3,
    NEED_5,
    NEED_BLUE,
    NEED_BUILDING,
    NEED_GREEN,
    NEED_HAZARD,
    NEED_STATION,
    NEEDS,
    OBJECTIVES,
    OUTER,
    REMOVE,
    REMOVING,
    RIDE,
    ROW_LENGTH,
    SECOND_CARD,
    SITE,
    STATE,
    TAKE_OBJECTIVE,
    TOKEN,
    TOWN,
    TRADE,
    TRADES,
    TRADING,
    UPGRADE_BEHIND,
    UPGRADING,
)
from sim.great_western_trail.tasks import (
    bells,
    certificates_held,
    certificates_possible,
    cleared,
    hand_limit,
    step_limit,
)
from sim.great_western_trail.trail import (
    building_of,
    hazards_of,
    may_trade,
    own_buildings,
    pairs_of,
)

__all__ = [
    "BOARD",
    "PARAMETERS",
    "PRESETS",
    "SEARCH",
    "STATE",
    "advise",
    "evaluate",
    "loans",
]

# Order of the weights. Each is what one unit is worth in points.
(
    CASH,
    COWBOYS,
    CRAFTSMEN,
    ENGINEERS,
    DECK,
    HAND,
    TEMPO,
    TRACK,
    MARKER,
    SITES,
    STEPS,
    LIMITS,
    HANDS,
    AUXILIARIES_OPEN,
    TILES,
    AIMS,
    CLUTTER,
    TOWNS,
    PENDING,
    CITIES,
    SORTING,
    PLAN,
    GROWTH,
) = range(23)

PARAMETERS = {
    "cash": (1.1, "points that $1 is worth at the start beside its worth at the end"),
    "cowboys": (20.0, "points for each cowboy hired, times the part of the game left"),
    "craftsmen": (0.95, "points for each craftsman hired, times the part of the game left"),
    "engineers": (9.7, "points for each engineer hired, times the part of the game left"),
    "deck": (8.2, "points for a breeding value of 1 in the hands to come, times the part left"),
    "hand": (0.012, "points for a breeding value of 1 that cards may bring beside its income"),
    "tempo": (7.1, "points that a turn on the way to Kansas City costs"),
    "track": (0.55, "points for each space of the engine"),
    "marker": (1.5, "points for each certificate"),
    "sites": (20.0, "points for each own building, times the part of the game left"),
    "steps": (0.67, "points for each movement disc cleared, times the part left"),
    "limits": (0.49, "points for each certificate limit disc cleared, times the part left"),
    "hands": (5.6, "points for each hand disc cleared, times the part left"),
    "auxiliaries": (0.68, "points for each auxiliary disc cleared, times the part left"),
    "tiles": (1.2, "points for each teepee and hazard beside what is printed"),
    "aims": (0.2, "part of an objective card's points that count as far as it is fulfilled"),
    "clutter": (0.58, "points that an objective card in the deck costs, times the part left"),
    "towns": (0.27, "points for each branchlet, times the part of the game left"),
    "pending": (0.72, "part of what icons at hand may bring"),
    "cities": (0.49, "weight of the points of cities"),
    "sorting": (0.28, "cards that are changed in a turn on the way"),
    "plan": (0.28, "weight of the cities that deliveries to come may reach"),
    "growth": (0.6, "breeding value that a hand gains from one delivery to the next"),
}

# Named strategies: how each plays, and what sets it apart from the balanced weights above.
PRESETS = {
    "greedy": ("balanced: takes what its features say is worth most", {}),
    "cowboys": (
        "cattle: hires cowboys, buys the best cards, delivers far",
        {"cowboys": 30.0, "engineers": 4.0, "deck": 16.0},
    ),
    "builders": (
        "buildings: hires craftsmen and builds on the trail",
        {"cowboys": 9.0, "craftsmen": 15.0, "engineers": 4.0, "sites": 40.0},
    ),
    "engineers": (
        "railroad: hires engineers, upgrades stations, saves transport costs",
        {"cowboys": 9.0, "engineers": 20.0, "track": 1.0},
    ),
    "mixed": (
        "cattle and railroad: as many engineers as cowboys",
        {"cowboys": 16.0, "engineers": 16.0, "track": 0.7},
    ),
}

TUNED = (
    "greedy with weights found by playing alone among three of greedy",
    {
        "cash": 1.7,
        "cowboys": 18.0,
        "craftsmen": 0.6,
        "engineers": 6.8,
        "deck": 8.9,
        "hand": 0.017,
        "tempo": 3.5,
        "track": 0.88,
        "marker": 1.9,
        "sites": 15.0,
        "steps": 0.67,
        "limits": 1.2,
        "hands": 5.7,
        "auxiliaries": 0.95,
        "tiles": 2.4,
        "aims": 0.22,
        "clutter": 0.94,
        "towns": 0.29,
        "pending": 0.58,
        "cities": 0.59,
        "sorting": 0.11,
        "plan": 0.19,
        "growth": 0.4,
    },
)

# Tree search: where playouts end, and how much a lead then counts.
SEARCH = {"depth": 40, "widening": 1.0}

_ROUNDS = 6.0  # deliveries of a player in a game
_TURNS = 4.0  # of a way from start to Kansas City
_A_DISC = 4.0  # points that a delivery to come is worth beside its city
_PURSE = 10.0  # dollars at hand at a delivery to come
_RICH = 25.0  # dollars at which half of their use is had, and one more has a quarter of it


# ------------------------------------------------------------------------------- What things bring


@compiled
def _left(state, board):
    """Part of the game still to come, by the workers that go into the job market until its end."""
    rows = MAX_ROWS * int(state.n_players)
    first = int(board.workers_at_start[state.n_players])
    return max(0.0, (rows - int(state.placed)) / (rows - first))


@compiled
def _soon(left):
    """1 while what is for later still counts in full, 0 at the end."""
    return min(1.0, 2.0 * left)


@compiled
def _wealth(board, weights, left, money):
    """Points that so much money is worth; the rich find less use for one dollar more."""
    use = money * _RICH / (money + _RICH) if money > 0 else money
    return money / board.money_per_point + weights[CASH] * left * use


@compiled
def _cash(state, board, weights, player, left, dollars):
    """Points that so many dollars more, or fewer, are worth to a player."""
    money = int(state.money[player])
    return _wealth(board, weights, left, money + dollars) - _wealth(board, weights, left, money)


@compiled
def _turns_away(state, board, player):
    """Turns to Kansas City, at the pace of the discs cleared; of a new way once it is reached."""
    space = max(0, int(state.at[player]))
    if space == board.n_spaces - 1:
        space = 0
    return -(-int(board.stops_left[space]) // step_limit(state, board, player))


@compiled
def _hand_value(state, board, weights, player, left):
    """What a breeding value of 1 in hand is worth."""
    return weights[HAND] + _cash(state, board, weights, player, left, 1.0)


@compiled
def _arrival_value(state, board, weights, player, left, value, spread):
    """What arriving with that breeding value, give or take `spread`, brings: income, a delivery.

    Certificates are spent where that brings more than they are worth.
    """
    sure = value + int(state.permanent[player])
    worth = _income_value(state, board, weights, player, left, sure, spread)
    held = certificates_held(state, board, player)
    if held > 0:
        spent = _income_value(state, board, weights, player, left, sure + held, spread)
        worth = max(worth, spent - held * weights[MARKER] * _soon(left))
    return worth


@compiled
def _income_value(state, board, weights, player, left, value, spread):
    """As `_arrival_value`, certificates counted."""
    low, city, high = _best_cities(state, board, weights, player, left, int(value), spread)
    if spread > 0:
        city = 0.5 * city + 0.25 * (low + high)
    return _cash(state, board, weights, player, left, value) + city


@compiled
def _disc_value(state, board, weights, player, left, disc):
    """What clearing a disc is worth, its price aside."""
    if disc == DISC_MOVE_1 or disc == DISC_MOVE_2:
        value = weights[STEPS] * left
        if disc == DISC_MOVE_1:
            return value + _cash(state, board, weights, player, left, board.disc_money)
        return value + board.disc_points
    if disc == DISC_HAND:
        return weights[HANDS] * left
    if disc == DISC_LIMIT_4 or disc == DISC_LIMIT_6:
        return weights[LIMITS] * left
    return weights[AUXILIARIES_OPEN] * left


@compiled
def _best_disc(state, board, weights, player, left, is_black, money):
    """What the best disc for a space with such corners is worth; 0 if none can be paid."""
    best = 0.0
    for disc in range(DISC_KINDS):
        if (is_black or not board.disc_black[disc]) and may_take_disc(
            state, board, player, disc, money
        ):
            value = _disc_value(state, board, weights, player, left, disc)
            if board.disc_cost[disc] != 0:
                value += _cash(state, board, weights, player, left, -board.disc_cost[disc])
            best = max(best, value)
    return best


@compiled
def _station_value(state, board, weights, player, left, station):
    """What upgrading a station is worth; below 0 if it cannot be done."""
    money = int(state.money[player] - board.station_cost[station])
    if money < 0 or state.station_disc[player, station] != 0:
        return -1.0
    value = board.station_points[station] + _cash(
        state, board, weights, player, left, -board.station_cost[station]
    )
    if state.station_master[station] >= 0:
        value += 1.0
    is_black = board.station_black[station] != 0
    return value + _best_disc(state, board, weights, player, left, is_black, money)


@compiled
def _engine_value(state, board, weights, player, left, spaces):
    """What the engine can gain with so many spaces: the way, or a station on it."""
    track = weights[TRACK] * _soon(left)
    best = spaces * track
    here = along(board, int(state.engine[player]))
    for station in range(board.n_stations):
        position = int(board.station_position[station])
        if position < 0 or position == state.engine[player]:
            continue
        away = (along(board, position) + 1) // 2 - here // 2
        if 0 < away <= spaces:
            value = _station_value(state, board, weights, player, left, station)
            best = max(best, away * track + value)
    return best


@compiled
def _behind_value(state, board, weights, player, left):
    """What the best station behind the engine is worth."""
    best = 0.0
    for station in range(board.n_stations):
        if is_behind(state, board, player, station):
            best = max(best, _station_value(state, board, weights, player, left, station))
    return best


@compiled
def _worker_value(state, board, weights, player, left, worker):
    """What one more worker is worth."""
    value = weights[COWBOYS + worker] * left
    number = int(state.workers[player, worker]) + 1
    if number > ROW_LENGTH - 2:
        value += board.row_points
    if board.worker_icon[worker, number] >= 0:
        value += 0.6
    return value


@compiled
def _hire_value(state, board, weights, player, left, change):
    """What the best worker that can be hired is worth."""
    best = 0.0
    for worker in range(3):
        if state.workers[player, worker] == ROW_LENGTH:
            continue
        value = _worker_value(state, board, weights, player, left, worker)
        for row in range(MAX_ROWS):
            if state.job[row, worker] > 0 and may_hire(state, board, player, row, worker, change):
                cost = max(0, board.row_cost[row] + change)
                best = max(best, value + _cash(state, board, weights, player, left, -cost))
    return best


@compiled
def _tile_worth(board, weights, left, building):
    """What a private building on the trail is worth; tolls add to what it does."""
    tolls = 0.3 * count(int(board.building_hand[building]))
    return board.building_points[building] + weights[SITES] * left * (1.0 + tolls)


@compiled
def _build_value(state, board, weights, player, left, price):
    """What the best tile that can be built on an empty space is worth."""
    best = 0.0
    for number in range(board.n_numbers):
        if (state.gone[player] >> number) & 1 != 0:
            continue
        building = building_of(state, number)
        needed = int(board.craftsmen[building])
        if needed <= state.workers[player, CRAFTSMAN] and needed * price <= state.money[player]:
            value = _tile_worth(board, weights, left, building)
            best = max(best, value + _cash(state, board, weights, player, left, -needed * price))
    return best


@compiled
def _card_value(state, board, weights, player, left, kind):
    """What a cattle card is worth in the deck."""
    more = board.breeding[board.cattle_type[kind]] - 1.5
    if more > 0.0 and copies_in_deck(state, player, kind) > 0:
        more *= 0.5
    return board.cattle_points[kind] + 0.25 * weights[DECK] * left * more


@compiled
def _buy_value(state, board, weights, player, left, cowboys):
    """What the best line of the buying table is worth."""
    best = 0.0
    for line in range(board.n_buys):
        if board.buy_cowboys[line] > cowboys or board.buy_cost[line] > state.money[player]:
            continue
        for kind in range(board.n_cattle):
            if (
                state.market[kind] > 0
                and board.breeding[board.cattle_type[kind]] == board.buy_breeding[line]
            ):
                cards = int(min(board.buy_cards[line], state.market[kind]))
                value = cards * _card_value(state, board, weights, player, left, kind)
                paid = _cash(state, board, weights, player, left, -board.buy_cost[line])
                best = max(best, value + paid)
    return best


@compiled
def _trade_value(state, board, weights, player, left):
    """What the best teepee is worth."""
    best = 0.0
    for place in range(TRADES):
        if may_trade(state, board, player, place):
            paid = _cash(state, board, weights, player, left, board.trade_money[place])
            best = max(best, paid + weights[TILES] * _soon(left))
    return best


@compiled
def _clear_value(state, board, weights, player, left, cost):
    """What the best hazard is worth."""
    best = 0.0
    for space in range(board.n_spaces):
        if state.hazard[space] >= 0:
            best = max(best, board.tile_points[state.hazard[space]] + 0.0)
    best += weights[TILES] * _soon(left)
    return max(0.0, best + _cash(state, board, weights, player, left, -cost))


@compiled
def _weight_of_cities(weights, left):
    """Points of cities count in full at the end."""
    return 1.0 + (weights[CITIES] - 1.0) * _soon(left)


@compiled
def _half_pair(left):
    """Part of a pair's points for one of its two cities: that the other follows is a hope."""
    return 0.4 * _soon(left)


@compiled
def _bonus_value(weights, left, kind):
    """What the icons of cities and pairs bring."""
    if kind == TAKE_OBJECTIVE or kind == HOLD_OBJECTIVE:
        return 1.0 - weights[CLUTTER] * left
    if kind == TOKEN:
        return 0.4 * _soon(left)
    return 2.0 if kind == MASTER else 0.0


@compiled
def _visit_value(state, board, weights, player, left, city, chosen, purse):
    """What a delivery to a city brings beside its income and the disc: points, money, icons.

    `chosen` is the set of cities that have been, or will have been, delivered to; `purse` the money
    at hand then.
    """
    points = board.city_points[city] + board.city_bell_points[city] * bells(state, player)
    money = board.city_money[city] + board.city_gift[city]
    bonus = 0.0
    if board.city_icon[city] >= 0:
        bonus += _bonus_value(weights, left, board.icon_kind[board.city_icon[city]])
    half = _half_pair(left)
    pairs = 0.0
    for pair in range(board.n_pairs):
        for side in range(2):
            if board.pair[pair, side] != city:
                continue
            if (chosen >> int(board.pair[pair, 1 - side])) & 1 == 0:
                pairs += half * board.pair_points[pair]
                continue
            pairs += (1.0 - half) * board.pair_points[pair]
            money += board.pair_gift[pair]
            if board.pair_icon[pair] >= 0:
                bonus += _bonus_value(weights, left, board.icon_kind[board.pair_icon[pair]])
    value = _weight_of_cities(weights, left) * (points + pairs)
    paid = _wealth(board, weights, left, purse + money) - _wealth(board, weights, left, purse)
    return value + bonus + paid


@compiled
def _city_value(state, board, weights, player, left, city):
    """What a delivery to a city brings beside its income, transport costs aside."""
    is_black = board.city_black[city] != 0
    money = int(state.money[player] + board.city_money[city])
    disc = _best_disc(state, board, weights, player, left, is_black, money)
    chosen = int(state.delivered[player])
    purse = int(state.money[player]) + 0.0
    return disc + _visit_value(state, board, weights, player, left, city, chosen, purse)


@compiled
def _may_deliver(state, board, player, city, chosen):
    """Whether a city is open to a player who has delivered to those chosen."""
    if (chosen >> city) & 1 != 0 and not board.city_repeats[city]:
        return False
    town = int(board.city_town[city])
    return town < 0 or state.towns[player] & bit(town) != 0


@compiled
def _best_cities(state, board, weights, player, left, reach, spread):
    """What the best city brings within a value less `spread`, the value, and that much more."""
    low = middle = high = -math.inf  # Kansas City is always open
    for city in range(board.n_cities):
        value = int(board.city_value[city])
        if value > reach + spread or not _may_deliver(
            state, board, player, city, int(state.delivered[player])
        ):
            continue
        cost = transport_cost(state, board, player, value)
        gain = _city_value(state, board, weights, player, left, city)
        gain += _cash(state, board, weights, player, left, -cost)
        high = max(high, gain)
        if value <= reach:
            middle = max(middle, gain)
        if value <= max(0, reach - spread):
            low = max(low, gain)
    return low, middle, high


@compiled
def _delivery_value(state, board, weights, player, left, value):
    """What the best city within a value brings."""
    return _best_cities(state, board, weights, player, left, value, 0)[1]


@compiled
def _extraordinary_value(state, board, weights, player, left):
    """What an extraordinary delivery brings, the spaces lost paid for."""
    best = 0.0
    spaces = along(board, int(state.engine[player])) // 2
    for city in range(board.n_cities):
        back = max(1, int(board.city_value[city]))
        if back <= spaces and _may_deliver(
            state, board, player, city, int(state.delivered[player])
        ):
            gain = _city_value(state, board, weights, player, left, city)
            if not board.extraordinary_pays:
                gain -= _cash(state, board, weights, player, left, board.city_money[city])
            best = max(best, gain - back * weights[TRACK] * _soon(left))
    return best


# -------------------------------------------------------------------------------- What is pending


@compiled
def _gift_value(state, board, weights, player, left, icon, given):
    """What an icon gives for cards, and what the cards are missed in hand.

    `given` is the type of the first card of a pair, -1 if none is given yet.
    """
    value = _cash(state, board, weights, player, left, board.icon_money[icon])
    value += weights[MARKER] * min(
        int(board.icon_certificates[icon]), certificates_possible(state, board, player)
    )
    if board.icon_then[icon] >= 0:
        value += _deed_value(state, board, weights, player, left, int(board.icon_then[icon]))
    card = int(board.icon_card[icon])
    number = 2 if card == ANY_PAIR and given < 0 else 1
    value += _draw_value(state, board, weights, player, left, number)
    if card == ANY_PAIR:
        card = given
        for cattle_type in range(board.n_types - 1, -1, -1):
            if given < 0 and of_type(state, board, player, cattle_type) >= 2:
                card = cattle_type
    if 0 <= card < board.n_types and of_type(state, board, player, card) == number:
        each = _hand_value(state, board, weights, player, left)
        value -= 0.6 * each * board.breeding[card]
    return value


@compiled
def _icon_value(state, board, weights, player, left, icon):
    """What an icon may bring, if it can be used now."""
    if not may_do(state, board, icon):
        return 0.0
    if board.icon_kind[icon] == EITHER:
        first = _plain_value(state, board, weights, player, left, int(board.icon_other[icon, 0]))
        second = _plain_value(state, board, weights, player, left, int(board.icon_other[icon, 1]))
        return max(first, second)
    return _plain_value(state, board, weights, player, left, icon)


@compiled
def _plain_value(state, board, weights, player, left, icon):
    """As `_icon_value`, for an icon that is no choice between two."""
    if board.icon_kind[icon] == GIVE:
        return max(0.0, _gift_value(state, board, weights, player, left, icon, -1))
    return _deed_value(state, board, weights, player, left, icon)


@compiled
def _deed_value(state, board, weights, player, left, icon):
    """As `_plain_value`, for an icon that asks for no cards."""
    kind = board.icon_kind[icon]
    amount = int(board.icon_amount[icon])
    if kind == GAIN:
        number = counted(state, board, player, board.icon_counts[icon])
        certificates = min(
            number * int(board.icon_certificates[icon]), certificates_possible(state, board, player)
        )
        money = _cash(state, board, weights, player, left, number * board.icon_money[icon])
        return money + certificates * weights[MARKER]
    if kind == HIRE:
        return _hire_value(state, board, weights, player, left, amount)
    if kind == BUILD:
        return _build_value(state, board, weights, player, left, amount)
    if kind == FORWARD:
        spaces = amount * counted(state, board, player, board.icon_counts[icon])
        paid = _cash(state, board, weights, player, left, board.icon_money[icon])
        return max(0.0, _engine_value(state, board, weights, player, left, spaces) + paid)
    if kind == BACK:
        reward = _cash(state, board, weights, player, left, board.icon_money[icon])
        reward += board.icon_certificates[icon] * weights[MARKER]
        if board.icon_then[icon] >= 0:
            reward += 0.6 * amount * left
        return max(0.0, reward - amount * weights[TRACK] * _soon(left))
    if kind == TRADE:
        return _trade_value(state, board, weights, player, left)
    if kind == CLEAR:
        return _clear_value(state, board, weights, player, left, amount)
    if kind == BUY:
        return _buy_value(state, board, weights, player, left, int(state.workers[player, COWBOY]))
    return _small_value(state, board, weights, player, left, icon)


@compiled
def _small_value(state, board, weights, player, left, icon):
    """The rest of `_deed_value`."""
    kind = board.icon_kind[icon]
    amount = int(board.icon_amount[icon])
    if kind == MOVE or kind == RIDE:
        return 0.3 * amount
    if kind == DRAW:
        number = amount * counted(state, board, player, board.icon_counts[icon])
        return _draw_value(state, board, weights, player, left, number)
    if kind == REMOVE:
        return 0.6 * amount * left
    if kind == AUXILIARY:
        return 0.4 + 0.2 * left
    if kind == UPGRADE_BEHIND:
        return _behind_value(state, board, weights, player, left)
    if kind == EXTRAORDINARY:
        return _extraordinary_value(state, board, weights, player, left)
    if kind == BRANCHLET:
        return amount * (weights[TOWNS] * left + 0.5)
    if kind == FREE_CATTLE:
        return 1.5 + 0.25 * weights[DECK] * left
    if kind == ADJACENT:
        return 1.0
    return _bonus_value(weights, left, kind)


@compiled
def _local_value(state, board, weights, player, left, space, flags):
    """What the icons left on a tile may bring; a single auxiliary action instead is worth less."""
    value = 0.0
    for place in range(ICONS_ON_TILE + 1):
        if (flags >> place) & 1 == 0:
            continue
        if place == ICONS_ON_TILE:
            icon = int(board.risk[space])
        else:
            icon = int(board.building_icon[state.building[space], place])
        value += _icon_value(state, board, weights, player, left, icon)
    if flags & OUTER != 0 and flags & ACTED == 0:
        value = max(value, _cash(state, board, weights, player, left, 1.0))
    return value


@compiled
def _task_value(state, board, weights, player, left, place):
    """What a pending task may bring."""
    task = state.task[place]
    one, two = int(state.one[place]), int(state.two[place])
    if task == LOCAL:
        return _local_value(state, board, weights, player, left, one, two)
    if task == CHOOSING or task == ICON:
        return _icon_value(state, board, weights, player, left, one)
    if task == GIVING:
        given = two >> 2 if board.icon_card[one] == ANY_PAIR and two != 2 else -1
        return _gift_value(state, board, weights, player, left, one, given)
    if task == HIRING:
        return _hire_value(state, board, weights, player, left, one)
    if task == BUILDING:
        return _build_value(state, board, weights, player, left, one)
    if task == SITE:
        building = building_of(state, two)
        needed = int(board.craftsmen[building])
        value = _tile_worth(board, weights, left, building)
        return value + _cash(state, board, weights, player, left, -needed * one)
    if task == CERTIFICATES:
        return weights[MARKER] * min(one, certificates_possible(state, board, player))
    if task == ENGINE:
        return _engine_value(state, board, weights, player, left, one)
    if task == ENGINE_BACK:
        return -max(1, one) * weights[TRACK] * _soon(left)
    if task == BEHIND:
        return _behind_value(state, board, weights, player, left)
    if task == BUYING:
        return _buy_value(state, board, weights, player, left, one)
    if task == SECOND_CARD or task == FREE_CARD:
        return 2.0
    if task == MOVING:
        return 0.3 * one if two != 0 else 0.0
    if task == UPGRADING:
        return max(0.0, _station_value(state, board, weights, player, left, one))
    return _goal_value(state, board, weights, player, left, task, one, two)


@compiled
def _goal_value(state, board, weights, player, left, task, one, two):
    """The rest of `_task_value`: trades, draws, and the steps at Kansas City."""
    if task == TRADING:
        return _trade_value(state, board, weights, player, left)
    if task == CLEARING:
        return _clear_value(state, board, weights, player, left, one)
    if task == MONEY:
        return _cash(state, board, weights, player, left, one)
    if task == REMOVING:
        return 0.6 * one * left
    if task == COPYING:
        return 1.0
    if task == OBJECTIVES:
        return _bonus_value(weights, left, TAKE_OBJECTIVE)
    if task == INCOME:
        value = breeding_value(state, board, player) + 0.0
        return _arrival_value(state, board, weights, player, left, value, 0)
    if task == DELIVERY:
        if two == 2:
            return _extraordinary_value(state, board, weights, player, left)
        return _delivery_value(state, board, weights, player, left, one)
    if task == DISC:  # the city's money is paid already
        money = int(state.money[player])
        is_black = board.city_black[one] != 0
        disc = _best_disc(state, board, weights, player, left, is_black, money)
        chosen = int(state.delivered[player])
        visit = _visit_value(state, board, weights, player, left, one, chosen, money + 0.0)
        return disc + visit - _cash(state, board, weights, player, left, board.city_money[one])
    if task == MASTERS:
        return 2.0
    if task == TOWN:
        return weights[TOWNS] * left + 0.5
    return 0.0


# --------------------------------------------------------------------------- What a player has


@compiled
def _hand_to_be(state, board, player, looks, is_new):
    """Breeding value of the best hand among the cards held and so many more that will be seen.

    From the best type down, each counts as far as it is likely to be there, until the hand is full.
    A new hand is drawn from the whole deck.
    """
    room = hand_limit(state, board, player) + 0.0
    is_shuffled = is_new or state.n_stack[player] < looks
    pool = int(state.n_stack[player])
    if is_shuffled:
        pool += int(state.n_discard[player])
    if is_new:
        pool += int(state.n_hand[player])
    value = 0.0
    for place in range(board.n_types):
        cattle_type = board.n_types - 1 - place
        copies = 0
        is_held = False
        for kind in range(board.n_cattle):
            if board.cattle_type[kind] == cattle_type:
                copies += int(state.stack[player, kind])
                if is_shuffled:
                    copies += int(state.discard[player, kind])
                if is_new:
                    copies += int(state.hand[player, kind])
                elif state.hand[player, kind] > 0:
                    is_held = True
        likely = 1.0 if is_held else _seen(copies, pool, looks)
        likely = min(likely, room)
        value += likely * board.breeding[cattle_type]
        room -= likely
        if room <= 0.0:
            break
    return value


@compiled
def _seen(copies, pool, looks):
    """Chance that one of some copies is among so many cards of a pool; a part of a look counts."""
    if copies == 0:
        return 0.0
    missed = 1.0
    while looks > 0.0:
        missed *= 1.0 - min(1.0, looks) * min(1.0, copies / max(1, pool))
        looks -= 1.0
        pool -= 1
    return 1.0 - missed


@compiled
def _looks(state, board, weights, player):
    """Cards that a player will see beside the hand before Kansas City."""
    missing = max(0, hand_limit(state, board, player) - int(state.n_hand[player]))
    looks = missing + weights[SORTING] * _turns_away(state, board, player)
    if player == state.to_move:
        for place in range(state.n_tasks):
            if state.task[place] == DRAWING:
                looks += state.one[place]
    return looks


@compiled
def _hand_to_come(state, board, weights, player):
    """Breeding value to be expected on the next arrival."""
    is_new = player == state.to_move and state.reached_goal != 0
    looks = _looks(state, board, weights, player)
    if is_new:
        looks = hand_limit(state, board, player) + weights[SORTING] * _TURNS
    return _hand_to_be(state, board, player, looks, is_new)


@compiled
def _draw_value(state, board, weights, player, left, number):
    """What seeing so many more cards is worth."""
    looks = _looks(state, board, weights, player)
    more = _hand_to_be(state, board, player, looks + number, False)
    return (more - _hand_to_be(state, board, player, looks, False)) * _hand_value(
        state, board, weights, player, left
    )


@compiled
def _plan_value(state, board, weights, player, left, expected):
    """What the cities that the deliveries to come may reach bring, the best first, each once."""
    total = 0.0
    chosen = int(state.delivered[player])
    rest = _ROUNDS * left - 1.0
    reach = expected + int(state.permanent[player]) + 0.5 * weights[GROWTH] * max(0.0, rest)
    while rest > 0.0:
        best = -1
        best_gain = 0.0
        for city in range(board.n_cities):
            likely = min(1.0, 0.5 + 0.2 * (reach - board.city_value[city]))
            if likely <= 0.0 or not _may_deliver(state, board, player, city, chosen):
                continue
            gain = _visit_value(state, board, weights, player, left, city, chosen, _PURSE)
            if likely * (gain + _A_DISC) > best_gain:
                best_gain = likely * (gain + _A_DISC)
                best = city
        if best < 0:
            break
        total += min(1.0, rest) * best_gain
        chosen |= 1 << best
        rest -= 1.0
    return total


@compiled
def _aims_value(state, board, weights, player, left):
    """Objective cards, by how likely they are to be fulfilled: by the part that is there."""
    value = 0.0
    for kind in range(board.n_objectives):
        played = int(state.played[player, kind])
        in_deck = copies_in_deck(state, player, MAX_CATTLE + kind)
        if played + in_deck == 0:
            continue
        asked = 0
        there = 0
        for need in range(NEEDS):
            number = int(board.objective_need[kind, need])
            if number > 0:
                asked += number
                there += min(number, _things(state, board, player, need))
        likely = 1.0 if there == asked else min(1.0, weights[AIMS] * _soon(left)) * there / asked
        points = board.objective_points[kind] * likely
        value += played * (points - board.objective_penalty[kind] * (1.0 - likely))
        value += in_deck * (points - weights[CLUTTER] * left)
    return value


@compiled
def _things(state, board, player, need):
    """How many a player has of what objective cards ask for."""
    if need <= NEED_5:
        value = 3 + need - NEED_3
        number = 0
        for kind in range(board.n_cattle):
            if board.breeding[board.cattle_type[kind]] == value:
                number += copies_in_deck(state, player, kind)
        return number
    if need == NEED_BUILDING:
        return own_buildings(state, board, player, False)
    if need == NEED_STATION:
        return stations_of(state, player)
    if need == NEED_HAZARD:
        return hazards_of(state, player)
    if need == NEED_GREEN:
        return int(state.tiles[player, GREEN_TEEPEE])
    if need == NEED_BLUE:
        return int(state.tiles[player, BLUE_TEEPEE])
    if board.san_francisco >= 0:
        return int(state.city_discs[player, board.san_francisco])
    return 0


@compiled
def _player_value(state, board, weights, player, left):
    """All that a player has, buildings on the trail aside."""
    soon = _soon(left)
    value = _wealth(board, weights, left, int(state.money[player]))
    for worker in range(3):
        number = int(state.workers[player, worker])
        value += weights[COWBOYS + worker] * left * (number - 1)
        value += board.row_points * max(0, number - (ROW_LENGTH - 2))
    certificates = certificates_held(state, board, player)
    value += weights[MARKER] * (soon * certificates + 3.0 * left * int(state.permanent[player]))
    value += weights[TRACK] * soon * 0.5 * along(board, int(state.engine[player]))
    looks = hand_limit(state, board, player) + weights[SORTING] * _TURNS
    expected = _hand_to_be(state, board, player, looks, True)
    value += weights[DECK] * left * expected
    value += weights[PLAN] * _plan_value(state, board, weights, player, left, expected)
    value += _way_value(state, board, weights, player, left)
    for kind in range(board.n_cattle):
        value += copies_in_deck(state, player, kind) * board.cattle_points[kind]
    for disc in range(DISC_KINDS):
        gone = cleared(state, board, player, disc)
        if gone > 0:
            value += gone * _disc_value(state, board, weights, player, left, disc)
            if disc == DISC_MOVE_1:
                value -= gone * _cash(state, board, weights, player, left, board.disc_money)
    value += hazard_points(state, board, player)
    tiles = hazards_of(state, player) + 0.5 * pairs_of(state, player)
    tiles += int(state.tiles[player, GREEN_TEEPEE]) + int(state.tiles[player, BLUE_TEEPEE])
    value += weights[TILES] * soon * tiles
    value += station_points(state, board, player)
    if state.masters[player] != 0:
        value += master_points(state, board, player)
    value += token_points(state, board, player)
    value += _cities_value(state, board, weights, player, left)
    value += _aims_value(state, board, weights, player, left)
    if board.n_towns > 0:
        placed = BRANCHLETS - int(state.branchlets[player])
        value += weights[TOWNS] * left * placed + 0.4 * soon * int(state.tokens[player])
    return value


@compiled
def _way_value(state, board, weights, player, left):
    """What the next arrival is likely to bring, and what the turns until then cost."""
    turns = _turns_away(state, board, player)
    coming = _hand_to_come(state, board, weights, player)
    spread = 3 if turns > 1 else 0
    value = _arrival_value(state, board, weights, player, left, coming, spread)
    value -= weights[TEMPO] * turns
    return value * min(1.0, max(0.0, 1.0 + 2.0 * (_ROUNDS * left - turns / _TURNS)))


@compiled
def _cities_value(state, board, weights, player, left):
    """Points of the discs on cities; half a pair counts in part."""
    points = 0.0
    for city in range(board.n_cities):
        for_disc = board.city_points[city] + board.city_bell_points[city] * bells(state, player)
        points += int(state.city_discs[player, city]) * for_disc
    for pair in range(board.n_pairs):
        discs = int(state.city_discs[player, board.pair[pair, 0]] > 0) + int(
            state.city_discs[player, board.pair[pair, 1]] > 0
        )
        points += board.pair_points[pair] * (1.0 if discs == 2 else _half_pair(left) * discs)
    return _weight_of_cities(weights, left) * points


@compiled
def evaluate(state, board, weights, out):
    """What each player has, and for the player to move what is pending; at the end the points."""
    if state.is_over:
        scores(state, board, out)
        return
    left = _left(state, board)
    for player in range(state.n_players):
        out[player] = _player_value(state, board, weights, player, left)
    for space in range(board.n_spaces):
        owner = int(state.builder[space])
        if owner >= 0:
            out[owner] += _tile_worth(board, weights, left, int(state.building[space]))
    player = int(state.to_move)
    is_left_behind = False  # a tile whose actions a move that is begun forfeits
    for place in range(state.n_tasks - 1, -1, -1):
        task = state.task[place]
        if task == LOCAL and is_left_behind:
            continue
        is_left_behind |= task == MOVING
        value = _task_value(state, board, weights, player, left, place)
        is_sure = task == INCOME or task == DELIVERY or task == DISC or task == MONEY
        out[player] += value if is_sure else weights[PENDING] * value


@compiled
def advise(state, board, weights, memo):
    """Looking one decision ahead is better."""
    return -1


@compiled
def loans(state, board, action):
    """Nobody lends."""
    return 0
