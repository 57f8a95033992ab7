"""Why an action of Great Western Trail is not legal, in words of the rules.

What is legal, `legal_actions` alone says. These functions look for the rule that stands in the way
of something else, in the order in which a player would look. Each returns the end of a sentence.
"""

import dataclasses
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.bits import bit
from sim.great_western_trail.cards import drawable, of_type
from sim.great_western_trail.icons import counted as counted_by
from sim.great_western_trail.icons import may_do
from sim.great_western_trail.names import Names, names
from sim.great_western_trail.railroad import (
    along,
    backward_to,
    forward_to,
    has_fitting_disc,
    is_behind,
)
from sim.great_western_trail.state import (
    ACTED,
    ANY_CATTLE,
    ANY_PAIR,
    APPOINTING,
    AUXILIARY,
    BACK,
    BEHIND,
    BRANCHLET,
    BUILD,
    BUILDING,
    BUY,
    BUYING,
    CERTIFICATES,
    CHOOSING,
    CLEAR,
    CLEARING,
    COPYING,
    CRAFTSMAN,
    DELIVERY,
    DISC,
    DISC_LIMIT_4,
    DISC_LIMIT_6,
    DISC_MOVE_1,
    DISC_MOVE_2,
    DISCARDING,
    DO,
    DRAW,
    DRAWING,
    EITHER,
    ENGINE,
    ENGINE_BACK,
    EXTRAORDINARY,
    FIRST_WORKER,
    FORESIGHT,
    FORWARD,
    FREE_CARD,
    FREE_CATTLE,
    GAIN,
    GIVE,
    GIVING,
    HIRE,
    HIRING,
    HOLD_OBJECTIVE,
    INCOME,
    LOCAL,
    MASTERS,
    MAX_CATTLE,
    MAX_ROWS,
    MOVING,
    NEUTRAL,
    OBJECTIVE_CARD,
    OBJECTIVES,
    OUTER,
    PHASE_A,
    PHASES,
    PLACING,
    REMOVE,
    REMOVING,
    RIDE,
    ROW_LENGTH,
    SECOND_CARD,
    SITE,
    STATION_DISC,
    TAKE_DISC,
    TAKE_OBJECTIVE,
    TOLL_FREE,
    TOWN,
    TOWN_SPACES,
    TRADE,
    TRADING,
    UPGRADE_BEHIND,
    UPGRADING,
    VALUE_2,
    WAY,
    WORKERS,
)
from sim.great_western_trail.tasks import (
    auxiliary_level,
    certificates_held,
    certificates_possible,
    cleared,
)
from sim.great_western_trail.towns import accessible
from sim.great_western_trail.trail import (
    building_of,
    craftsmen_for,
    is_adjacent,
    next_stops,
)
from sim.layout import counted

if TYPE_CHECKING:
    from sim.game import Position

# Phases in which a kind of action may be legal; those not named, in all.
_PHASES = {
    "market": (BUYING,),
    "stack": (OBJECTIVES,),
    "play": (PLACING, MOVING, LOCAL),
    "move": (PLACING, MOVING),
    "way": (WAY,),
    "use": (LOCAL, CHOOSING),
    "hire": (HIRING,),
    "build": (BUILDING,),
    "onto": (SITE,),
    "objective": (OBJECTIVES,),
    "certificate": (CERTIFICATES,),
    "engine": (ENGINE, ENGINE_BACK),
    "disc": (DISC, UPGRADING),
    "station_disc": (DISC, UPGRADING),
    "appoint": (APPOINTING,),
    "trade": (TRADING,),
    "hazard": (CLEARING,),
    "buy": (BUYING,),
    "take": (SECOND_CARD, FREE_CARD),
    "draw": (DRAWING,),
    "discard": (GIVING, DISCARDING),
    "remove": (REMOVING,),
    "copy": (COPYING,),
    "upgrade": (BEHIND,),
    "foresight": (FORESIGHT,),
    "spend": (INCOME,),
    "deliver": (DELIVERY,),
    "master": (MASTERS,),
    "branchlet": (TOWN,),
}
# Kinds of icon that a step of an action begins with.
_BEGUN_BY = {
    "market": (BUY,),
    "stack": (TAKE_OBJECTIVE, HOLD_OBJECTIVE),
    "move": (RIDE,),
    "hire": (HIRE,),
    "build": (BUILD,),
    "onto": (BUILD,),
    "objective": (TAKE_OBJECTIVE, HOLD_OBJECTIVE),
    "engine": (FORWARD, BACK, EXTRAORDINARY),
    "trade": (TRADE,),
    "hazard": (CLEAR,),
    "buy": (BUY,),
    "take": (FREE_CATTLE,),
    "draw": (DRAW,),
    "discard": (GIVE,),
    "remove": (REMOVE, BACK),
    "upgrade": (UPGRADE_BEHIND,),
    "deliver": (EXTRAORDINARY,),
    "branchlet": (BRANCHLET, GIVE),
}


@dataclasses.dataclass(frozen=True)
class _Case:
    """A position as the reasons look at it."""

    position: "Position"
    state: Any
    record: Any
    names: Names
    player: int
    phase: int
    one: int  # of the topmost task
    two: int

    @property
    def money(self) -> int:
        return int(self.state.money[self.player])

    @property
    def has_money(self) -> str:
        return f"seat {self.player} has ${self.money}"

    def is_legal(self, code: int) -> bool:
        return code in self.position.legal_codes()


def _case(position: "Position") -> _Case:
    state = position.state[0]
    top = int(state.n_tasks) - 1
    return _Case(
        position,
        state,
        position.board.record[0],
        names(position.board),
        int(state.to_move),
        int(state.phase),
        int(state.one[top]),
        int(state.two[top]),
    )


def why_not(position: "Position", code: int, kind: str, number: int) -> str:
    """Why an action that is not legal here is not, as the end of a sentence."""
    case = _case(position)
    if case.phase not in _PHASES.get(kind, (case.phase,)):
        return _wrong_moment(case, kind)
    reason = _REASONS[kind](case, number)
    return reason or f"it cannot be done now{_choices(case)}"


def _choices(case: _Case) -> str:
    """The first legal actions, in parentheses."""
    codes = case.position.legal_codes()
    texts = [case.position.text(code) for code in codes[:4]]
    return f" ({', '.join(texts)}{', ...' if len(codes) > 4 else ''})"


def _wrong_moment(case: _Case, kind: str) -> str:
    """What is to be decided instead, or what the action begins with."""
    if kind == "play":
        return "objective cards are played before the move, or in phase B before or after an action"
    icons = case.record.icon_kind
    begins = [
        case.position.text(code)
        for code in case.position.legal_codes().tolist()
        if DO <= code < DO + len(icons) and icons[code - DO] in _BEGUN_BY.get(kind, ())
    ]
    if begins:
        return f"an action comes first: type {' or '.join(map(repr, begins))}"
    return f"to be decided now: {PHASES[case.phase]}{_choices(case)}"


def _no_reason(case: _Case, number: int) -> str:
    return ""


def _why_not_done(case: _Case, number: int) -> str:
    if case.phase == LOCAL and case.two & OUTER and not case.two & ACTED:
        return f"something must be done in phase B{_choices(case)}"
    return f"it must be decided: {PHASES[case.phase]}{_choices(case)}"


def _why_no_token(case: _Case, number: int) -> str:
    if case.state.tokens[case.player] == 0:
        return f"seat {case.player} has no exchange token"
    if drawable(case.state, case.player) == 0:
        return f"seat {case.player} has no card left to draw"
    return ""


def _why_not_play(case: _Case, kind: int) -> str:
    if case.phase == MOVING and case.two != PHASE_A or case.phase == LOCAL and not case.two & OUTER:
        return _wrong_moment(case, "play")
    return _not_in_hand(case, MAX_CATTLE + kind)


def _not_in_hand(case: _Case, card: int) -> str:
    if case.state.hand[case.player, card] == 0:
        return f"seat {case.player} has no {case.names.card(card)} in hand"
    return ""


# ---------------------------------------------------------------------------------------- the trail


def ways_of(position: "Position", target: int, steps: int) -> dict[int, tuple[int, ...]]:
    """Ways of the player to move to a space of at most so many steps, with the spaces passed."""
    state, record = position.state[0], position.board.record[0]
    found: dict[int, tuple[int, ...]] = {}
    for way, passed in _onward(record, int(state.at[state.to_move]), target):
        stops = sum(bool(int(state.occupied) & bit(space)) for space in passed)
        if stops <= steps:
            found[way] = passed
    return found


def _onward(record: Any, space: int, target: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Ways from a space to another: the forks where it turns off, and the spaces entered."""
    if space == target:
        yield 0, ()
        return
    fork = int(record.fork[space])
    for branch, there in enumerate(record.next[space].tolist()):
        if 0 <= there <= target:
            turned = branch << fork if fork >= 0 else 0
            for way, passed in _onward(record, there, target):
                yield way | turned, (there, *passed)


def _why_not_move(case: _Case, space: int) -> str:
    state, record, name = case.state, case.record, case.names.spaces[space]
    if case.phase == PLACING:
        is_own = record.first_on_private and state.builder[space] == case.player
        if record.space_kind[space] == NEUTRAL or is_own:
            return ""
        own = " or an own one" if record.first_on_private else ""
        return f"the cattleman begins on a neutral building{own}, and {name} has none"
    here = int(state.at[case.player])
    if space == here:
        return "the cattleman must move at least one step"
    if not int(state.occupied) & bit(space):
        return f"nothing lies on {name}, and one cannot stop there"
    if case.two == TOLL_FREE and space == record.n_spaces - 1 and not record.ride_to_kansas_city:
        return "a move without tolls does not end at Kansas City"
    edge, reached, steps = {here}, set(), 0
    while edge and space not in edge:
        stops = [int(next_stops(state, record, stop)) for stop in edge]
        edge = {
            stop for stop in range(record.n_spaces) if any(bits & bit(stop) for bits in stops)
        } - reached
        reached |= edge
        steps += 1
    if not edge:
        return f"no way leads from {case.names.spaces[here]} to {name}"
    if steps > case.one:
        return f"{name} is {counted(steps, 'steps')} away, and {case.one} may be moved"
    return ""


def _why_not_copy(case: _Case, space: int) -> str:
    name = case.names.spaces[space]
    if case.state.building[space] < 0:
        return f"no building stands on {name}"
    if not is_adjacent(case.state, case.record, case.one, space):
        return f"{name} is not next to {case.names.spaces[case.one]}"
    if int(case.state.copied) & bit(space):
        return f"the building on {name} has acted in this turn"
    return ""


def _why_not_build(case: _Case, number: int) -> str:
    state, record, player = case.state, case.record, case.player
    if int(state.gone[player]) >> number & 1:
        return f"tile {number + 1} has been built"
    costs = {
        space: int(craftsmen_for(state, record, player, number, space))
        for space in range(record.n_spaces)
    }
    needed = min((cost for cost in costs.values() if cost >= 0), default=-1)
    if needed < 0:
        return f"no building space is left for tile {number + 1}"
    return _cannot_build(case, number, needed, case.one)


def _cannot_build(case: _Case, number: int, needed: int, price: int) -> str:
    """That a tile asks for too many craftsmen, or too much money."""
    craftsmen = int(case.state.workers[case.player, CRAFTSMAN])
    tile = case.names.buildings[int(building_of(case.state, number))]
    if needed > craftsmen:
        return (
            f"{tile} asks for {craftsmen_text(needed)} there, and seat {case.player} has "
            f"{craftsmen}"
        )
    if needed * price > case.money:
        return f"{tile} costs ${needed * price} there, and {case.has_money}"
    return ""


def craftsmen_text(number: int) -> str:
    """A number of craftsmen.

    >>> craftsmen_text(1), craftsmen_text(2)
    ('1 craftsman', '2 craftsmen')
    """
    return f"{number} craftsm{'a' if number == 1 else 'e'}n"


def _why_not_onto(case: _Case, space: int) -> str:
    owner, name = int(case.state.builder[space]), case.names.spaces[space]
    needed = int(craftsmen_for(case.state, case.record, case.player, case.two, space))
    if needed >= 0:
        return _cannot_build(case, case.two, needed, case.one)
    if owner != case.player:
        return f"a building of seat {owner} stands on {name}"
    return f"the own building on {name} needs no fewer craftsmen, and only a lesser one is replaced"


def _why_no_trade(case: _Case, place: int) -> str:
    if case.state.teepee[place] < 0:
        return "no teepee lies there"
    cost = -int(case.record.trade_money[place])
    return f"${cost} must be paid, and {case.has_money}" if cost > case.money else ""


def _why_no_hazard(case: _Case, space: int) -> str:
    is_free = case.state.hazard[space] < 0
    return f"no hazard lies on {case.names.spaces[space]}" if is_free else ""


# ----------------------------------------------------------------------------------------- actions


def _why_not_use(case: _Case, icon: int) -> str:
    reason = _why_no_icon(case, icon)
    if not reason and case.phase == LOCAL:
        reason = _why_not_here(case, icon)
    return reason or f"it is not offered here{_choices(case)}"


def _why_not_here(case: _Case, icon: int) -> str:
    """Why an icon that could be used is not among those of a building."""
    state, record, space = case.state, case.record, case.one
    icons = [*record.building_icon[state.building[space]], record.risk[space]]
    left = [there for place, there in enumerate(icons) if case.two >> place & 1]
    owner = int(state.builder[space])
    if icon in _parts(record, left):
        return ""
    if icon in _parts(record, icons):
        if case.two & OUTER and owner not in (-1, case.player):
            return f"the building is that of seat {owner}"
        return "it has been used"
    auxiliary, double = np.nonzero(record.auxiliary == icon)
    if not auxiliary.size or not case.two & OUTER:
        return ""
    if auxiliary_level(state, record, case.player, int(auxiliary[0])) <= double[0]:
        return "its disc has not been taken from the player board"
    if double[0]:
        return "only a single auxiliary action is taken instead of those of the building"
    return "a single auxiliary action is taken instead of all others" if case.two & ACTED else ""


def _parts(record: Any, icons: list[int]) -> set[int]:
    """Icons, of a choice between two both."""
    return {
        int(part)
        for icon in icons
        if icon >= 0
        for part in (record.icon_other[icon] if record.icon_kind[icon] == EITHER else [icon])
    }


def _why_no_icon(case: _Case, icon: int) -> str:
    """What an icon asks for that is not there, wherever it is used."""
    state, record, player = case.state, case.record, case.player
    if may_do(state, record, icon):
        return ""
    kind, amount = int(record.icon_kind[icon]), int(record.icon_amount[icon])
    number = int(counted_by(state, record, player, int(record.icon_counts[icon])))
    price = -int(record.icon_money[icon])
    if kind in (FORWARD, BACK) and price > case.money:
        return f"it costs ${price}, and {case.has_money}"
    if kind == BACK or kind == EXTRAORDINARY:
        return "the engine cannot be moved back so far"
    if kind == GIVE:
        return f"seat {player} has not the cards in hand that it asks for"
    if kind == HIRE:
        return _why_nobody_hired(case, amount)
    if kind == BUILD:
        craftsmen = craftsmen_text(int(state.workers[player, CRAFTSMAN]))
        return f"seat {player} can build no tile with {craftsmen} and ${case.money}"
    if kind == CLEAR and case.money < amount:
        return f"it costs ${amount}, and {case.has_money}"
    if kind == GAIN and number > 0:
        return "the certificate marker is at its limit"
    if kind in (GAIN, FORWARD, DRAW) and number == 0:
        return f"seat {player} has nothing for which it counts"
    return _NOTHING_THERE.get(kind, "")


_NOTHING_THERE = {
    CLEAR: "no hazard lies on the trail",
    TRADE: "no teepee can be had",
    BUY: "no cattle can be bought",
    FREE_CATTLE: "the market has no such card",
    DRAW: "no card is left to draw",
    REMOVE: "no card is in hand",
    TAKE_OBJECTIVE: "no objective card is left",
    HOLD_OBJECTIVE: "no objective card is left",
    BRANCHLET: "no branchlet can be placed",
    UPGRADE_BEHIND: "no station behind the engine can be upgraded",
    AUXILIARY: "no auxiliary action can be taken",
    EITHER: "neither can be done",
}


def _why_nobody_hired(case: _Case, change: int) -> str:
    state, record = case.state, case.record
    token = int(state.placed) // case.position.players
    costs = [
        max(0, int(record.row_cost[row]) + change)
        for row in range(MAX_ROWS)
        for worker in range(len(WORKERS))
        if row != token
        and state.job[row, worker]
        and state.workers[case.player, worker] < ROW_LENGTH
    ]
    if not costs:
        return "the job market has no worker to be hired"
    return f"the cheapest worker costs ${min(costs)}, and {case.has_money}"


def _why_not_hire(case: _Case, number: int) -> str:
    row, worker = divmod(number, len(WORKERS))
    state, name = case.state, WORKERS[worker]
    if state.job[row, worker] == 0:
        return f"there is no {name} in row {row + 1}"
    if state.workers[case.player, worker] == ROW_LENGTH:
        return f"the row of {name}s of seat {case.player} is full".replace("mans", "men")
    if row == int(state.placed) // case.position.players:
        return f"the job market token is in row {row + 1}"
    cost = max(0, int(case.record.row_cost[row]) + case.one)
    return f"he costs ${cost}, and {case.has_money}" if cost > case.money else ""


def _why_no_certificates(case: _Case, spaces: int) -> str:
    possible = int(certificates_possible(case.state, case.record, case.player))
    if spaces > case.one:
        return f"the marker moves up to {counted(case.one, 'spaces')}"
    if spaces > possible:
        return f"the marker can move {counted(possible, 'spaces')} to its limit"
    return "" if spaces else "the marker moves at least a space, or type 'done'"


def _why_not_engine(case: _Case, position: int) -> str:
    state, record = case.state, case.record
    here = int(state.engine[case.player])
    is_forward, is_ahead = case.phase == ENGINE, along(record, position) > along(record, here)
    reach = forward_to if is_forward else backward_to
    if int(reach(state, record, case.one)) & bit(position):
        return ""
    for seat, engine in enumerate(state.engine[: case.position.players].tolist()):
        if position and engine == position:
            return f"the engine of seat {seat} is there"
    if is_ahead != is_forward or position == here:
        return f"the engine moves {'forward' if is_forward else 'back'}"
    spaces = counted(case.one, "spaces")
    return f"the engine moves {f'up to {spaces} forward' if is_forward else f'{spaces} back'}"


def _why_not_disc(case: _Case, disc: int) -> str:
    state, record, player = case.state, case.record, case.player
    name, left = case.names.discs[disc], int(state.discs[player, disc])
    if left == 0:
        return f"no disc is left on {name}"
    is_city = case.phase == DISC
    black = bool(record.city_black[case.one] if is_city else record.station_black[case.one])
    any_fits = black or (
        is_city
        and record.black_disc_on_white_city
        and not has_fitting_disc(state, record, player, False, case.money)
    )
    if record.left_disc_first:
        pairs = {DISC_MOVE_2: DISC_MOVE_1, DISC_LIMIT_6: DISC_LIMIT_4}
        if disc in pairs and not cleared(state, record, player, pairs[disc]):
            return f"the disc of {case.names.discs[pairs[disc]]} is taken first"
    if record.disc_black[disc] and not any_fits:
        return "a disc with black corners does not fit white ones"
    cost, upgrade = (
        int(record.disc_cost[disc]),
        0 if is_city else int(record.station_cost[case.one]),
    )
    if cost + upgrade > case.money:
        station = f" beside the ${upgrade} of the station" if upgrade else ""
        return f"taking it costs ${cost}{station}, and {case.has_money}"
    return ""


def _why_no_station_disc(case: _Case, station: int) -> str:
    if case.state.station_disc[case.player, station] == 0:
        return f"seat {case.player} has no disc on that station"
    if case.phase == UPGRADING and station == case.one:
        return "the disc may not come from the station that is upgraded"
    of_the_board = range(TAKE_DISC, STATION_DISC)
    if any(code in of_the_board for code in case.position.legal_codes().tolist()):
        return "a disc of the player board can be used"
    return ""


def _why_not_appoint(case: _Case, worker: int) -> str:
    if case.state.workers[case.player, worker] > 1:
        return ""
    return f"seat {case.player} has hired no {WORKERS[worker]}, and the printed one stays"


# ------------------------------------------------------------------------------------------- cards


def _why_no_objective(case: _Case, kind: int) -> str:
    return "" if kind in case.state.display else "it is not on display"


def _why_not_stack(case: _Case, number: int) -> str:
    is_empty = case.state.objective_next == case.state.n_objectives
    return "no card is left in the stack" if is_empty else ""


def _why_no_market_cards(case: _Case, number: int) -> str:
    is_empty = case.state.cattle_next == case.state.n_cattle
    return "no card is left in the stack" if is_empty else ""


def _why_not_buy(case: _Case, number: int) -> str:
    line, kind = divmod(number, MAX_CATTLE)
    record, needed = case.record, int(case.record.buy_cowboys[line])
    if case.two:
        return "nothing is bought after cowboys have drawn cards"
    if needed > case.one:
        return f"that takes {counted(needed, 'cowboys')}, and {case.one} are left"
    if case.state.market[kind] == 0:
        return f"the market has no {case.names.cattle[kind]}"
    cost = int(record.buy_cost[line])
    return f"that costs ${cost}, and {case.has_money}" if cost > case.money else ""


def _why_not_take(case: _Case, kind: int) -> str:
    record, name = case.record, case.names.cattle[kind]
    if record.breeding[record.cattle_type[kind]] != case.one:
        return f"a card of the breeding value {case.one} is taken, and {name} is none"
    if case.state.market[kind] == 0:
        return f"the market has no {name}"
    if kind < case.two:
        return f"of two cards {name} is named first and then {case.names.cattle[case.two]}"
    return ""


def _why_not_draw(case: _Case, number: int) -> str:
    left = int(drawable(case.state, case.player))
    if not 1 <= number <= case.one:
        return f"1 to {case.one} may be drawn" if case.one > 1 else "1 card is drawn"
    return f"seat {case.player} has only {left} left to draw" if number > left else ""


def _why_not_discard(case: _Case, card: int) -> str:
    reason = _not_in_hand(case, card)
    if reason or case.phase == DISCARDING:
        return reason
    state, record, player = case.state, case.record, case.player
    wanted, asks = int(record.icon_card[case.one]), "the action asks for"
    if wanted == OBJECTIVE_CARD:
        return f"{asks} an objective card" if card < MAX_CATTLE else ""
    kind = int(record.cattle_type[card]) if card < MAX_CATTLE else -1
    if wanted == ANY_CATTLE:
        return f"{asks} a cattle card" if kind < 0 else ""
    if wanted == VALUE_2:
        fits = kind >= 0 and record.breeding[kind] == 2
        return "" if fits else f"{asks} cattle cards of the breeding value 2"
    if wanted == ANY_PAIR and case.two == 2:
        fits = kind >= 0 and of_type(state, record, player, kind) >= 2
        return "" if fits else f"{asks} two cattle cards of one type"
    if wanted == ANY_PAIR:
        wanted = case.two >> 2
    types = record.cattle_type[: record.n_cattle].tolist()
    right = [case.names.cattle[number] for number, other in enumerate(types) if other == wanted]
    return "" if kind == wanted else f"{asks} {' or '.join(right)}"


# ------------------------------------------------------------------------ Kansas City and the North


def _why_not_upgrade(case: _Case, station: int) -> str:
    state, record, player = case.state, case.record, case.player
    if not is_behind(state, record, player, station):
        return "the station does not lie behind the engine"
    if state.station_disc[player, station]:
        return f"seat {player} has a disc there"
    cost = int(record.station_cost[station])
    if cost > case.money:
        return f"it costs ${cost}, and {case.has_money}"
    black = bool(record.station_black[station])
    if not has_fitting_disc(state, record, player, black, case.money - cost):
        return f"seat {player} has no disc for it"
    return ""


def _why_no_foresight(case: _Case, tile: int) -> str:
    if tile not in case.state.foresight[case.one]:
        return f"it does not lie in column {case.one + 1}"
    is_closed = tile >= FIRST_WORKER and case.state.token_owner >= 0
    return "the job market is closed" if is_closed else ""


def _why_not_spend(case: _Case, number: int) -> str:
    held = int(certificates_held(case.state, case.record, case.player))
    if number <= held:
        return ""
    return f"seat {case.player} has {counted(held or 'no', 'certificates')} to spend"


def _why_not_deliver(case: _Case, city: int) -> str:
    state, record, name = case.state, case.record, case.names.cities[city]
    value = int(record.city_value[city])
    if value > case.one:
        return f"{name} asks for {value}, and the delivery is worth {case.one}"
    town = int(record.city_town[city])
    if town >= 0 and not int(state.towns[case.player]) & bit(town):
        return f"seat {case.player} has no branchlet in {name}"
    if int(state.delivered[case.player]) >> city & 1 and not record.city_repeats[city]:
        return f"seat {case.player} has delivered to {name}"
    return ""


def _why_no_master(case: _Case, master: int) -> str:
    return "" if int(case.state.new_york) >> master & 1 else "it is not at New York City"


def _why_no_branchlet(case: _Case, number: int) -> str:
    state, record, player = case.state, case.record, case.player
    town, space = divmod(number, TOWN_SPACES)
    name = case.names.towns[town]
    if state.branchlets[player] == 0:
        return f"seat {player} has no branchlet left"
    if int(state.towns[player]) & bit(town):
        return f"seat {player} has a branchlet in {name}"
    if not int(accessible(state, record, player)) & bit(town):
        return f"no track joins {name} to a city or town of seat {player}, or to the office"
    if state.town[town, space] >= 0:
        return f"a branchlet of seat {int(state.town[town, space])} lies there"
    cost = -int(record.town_money[town, space])
    return f"the space costs ${cost}, and {case.has_money}" if cost > case.money else ""


_REASONS: dict[str, Callable[[_Case, int], str]] = {
    "done": _why_not_done,
    "token": _why_no_token,
    "market": _why_no_market_cards,
    "stack": _why_not_stack,
    "play": _why_not_play,
    "move": _why_not_move,
    "way": _no_reason,
    "use": _why_not_use,
    "hire": _why_not_hire,
    "build": _why_not_build,
    "onto": _why_not_onto,
    "objective": _why_no_objective,
    "certificate": _why_no_certificates,
    "engine": _why_not_engine,
    "disc": _why_not_disc,
    "station_disc": _why_no_station_disc,
    "appoint": _why_not_appoint,
    "trade": _why_no_trade,
    "hazard": _why_no_hazard,
    "buy": _why_not_buy,
    "take": _why_not_take,
    "draw": _why_not_draw,
    "discard": _why_not_discard,
    "remove": _not_in_hand,
    "copy": _why_not_copy,
    "upgrade": _why_not_upgrade,
    "foresight": _why_no_foresight,
    "spend": _why_not_spend,
    "deliver": _why_not_deliver,
    "master": _why_no_master,
    "branchlet": _why_no_branchlet,
}
