"""What a player should know of an action before it is played, and of a name on the board.

Only what the seat to move may know is read; what chance or a hidden card decides is not told.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from sim.bits import bit
from sim.great_western_trail.actions import split
from sim.great_western_trail.cards import breeding_value
from sim.great_western_trail.icons import counted as counted_by
from sim.great_western_trail.names import names, slug, spoken
from sim.great_western_trail.railroad import transport_cost
from sim.great_western_trail.state import (
    AUXILIARIES,
    BLUE_TEEPEE,
    DISC_HAND,
    DISC_LIMIT_4,
    DISC_LIMIT_6,
    DISC_MOVE_1,
    DISC_MOVE_2,
    DRAW,
    FIRST_WORKER,
    FORWARD,
    GREEN_TEEPEE,
    HANDS,
    HAZARD_KINDS,
    MASTER_TASKS,
    MAX_CATTLE,
    MAX_ROWS,
    MEDIUM,
    NEED_CODES,
    NEUTRALS,
    ONE,
    PLACING,
    PRIVATE,
    ROW_LENGTH,
    SLOTS,
    TOLL_FREE,
    TOWN_SPACES,
    TOWN_TYPES,
    TRADES,
    WORKERS,
)
from sim.great_western_trail.tasks import auxiliary_level
from sim.great_western_trail.trail import building_of, craftsmen_for, tolls_of
from sim.great_western_trail.why_not import craftsmen_text, ways_of
from sim.layout import counted, filled

if TYPE_CHECKING:
    from sim.game import Position

# What a station master's points are gained for, in the words of `MASTER_TASKS`.
_TASKS = {
    "worker": "worker",
    "two_objectives": "2 objective cards",
    "two_hazards": "2 hazards",
    "teepee_pair": "pair of a green and a blue teepee",
    "two_certificates": "2 certificates",
    "two_stations": "2 stations",
    "building": "own building",
    "two_tokens": "2 exchange tokens",
    "area": "area with an own branchlet",
}
# What an icon of a kind does; its name tells the rest.
_ICONS = {
    "gain": "gained",
    "give": "hand cards discarded for a gain",
    "hire": "a worker hired at the cost of the row, and {amount:+}",
    "build": "a private building for ${amount} a craftsman",
    "take_objective": "an objective card onto the discard pile",
    "hold_objective": "an objective card into the hand",
    "either": "one of two",
    "forward": "the engine up to as many spaces forward",
    "back": "the engine {amount} back, for a gain",
    "trade": "a teepee for the money above it",
    "clear": "a hazard for ${amount}",
    "auxiliary": "a single or double auxiliary action",
    "buy": "cattle bought with cowboys",
    "move": "the cattleman up to {amount} steps",
    "ride": "the cattleman up to {amount} steps without tolls",
    "draw": "cards drawn, and as many discarded",
    "remove": "up to {amount} hand cards leave the game",
    "adjacent": "the actions of an adjacent building",
    "extraordinary": "the engine back, and a delivery for what it went",
    "upgrade_behind": "a station behind the engine upgraded",
    "branchlet": "{amount} branchlets placed",
    "token": "an exchange token",
    "free_cattle": "a card of the breeding value {amount} from the market",
    "master": "a station master of New York City",
}


def note(position: "Position", code: int) -> str:
    """What an action costs or brings and where it leads; empty when its words tell all."""
    kind, number = split(code)
    return _NOTES[kind](position, number) if kind in _NOTES else ""


def secrets(position: "Position", viewer: int) -> list[str]:
    """The cards of the viewer's hand."""
    hand = position.state[0].hand[viewer]
    return [name for card, name in names(position.board).cards.items() for _ in range(hand[card])]


# ---------------------------------------------------------------------------------- what things are


def icons_text(position: "Position", icons: Iterable[int]) -> str:
    """Icons by name, separated by semicolons."""
    return "; ".join(position.board.file.icon_names[icon] for icon in icons if icon >= 0)


def building_text(position: "Position", building: int, space: int = -1) -> str:
    """A building and its icons; of one on the trail, also the risk action beside it."""
    record = position.board.record[0]
    icons = record.building_icon[building].tolist()
    if space >= 0 and record.space_kind[space] == PRIVATE:
        icons.append(int(record.risk[space]))
    return f"{names(position.board).buildings[building]}: {icons_text(position, icons)}"


def tile_text(position: "Position", tile: int) -> str:
    """A tile of the supply: the hand on it and its points."""
    record = position.board.record[0]
    hand = HANDS[record.tile_hand[tile]]
    if tile < GREEN_TEEPEE:
        return f"{hand} hand, {counted(int(record.tile_points[tile]), 'points')}"
    return f"{hand} hand" if tile < FIRST_WORKER else "worker"


def objective_text(position: "Position", kind: int) -> str:
    """What an objective card asks for, and what it brings."""
    record = position.board.record[0]
    needs = [
        code
        for code, number in zip(NEED_CODES, record.objective_need[kind], strict=True)
        for _ in range(number)
    ]
    points, penalty = int(record.objective_points[kind]), int(record.objective_penalty[kind])
    icon = int(record.objective_icon[kind])
    told = f"{counted(points, 'points')} for {' '.join(needs)}"
    told += f", else -{penalty}" if penalty else ""
    return told + (f"; {position.board.file.icon_names[icon]}" if icon >= 0 else "")


def master_text(position: "Position", master: int) -> str:
    """What a station master brings at once and at the end."""
    record = position.board.record[0]
    permanent, icon = int(record.master_permanent[master]), int(record.master_icon[master])
    parts = [counted(permanent, "permanent certificates")] if permanent else []
    parts += [position.board.file.icon_names[icon]] if icon >= 0 else []
    task = MASTER_TASKS[record.master_task[master]]
    if task in _TASKS:
        points = counted(int(record.master_points[master]), "points")
        parts.append(f"{points} for each {_TASKS[task]}")
    return ", ".join(parts)


def _station_text(position: "Position", station: int) -> str:
    record, state = position.board.record[0], position.state[0]
    corner = "black" if record.station_black[station] else "white"
    points = counted(int(record.station_points[station]), "points")
    master = int(state.station_master[station])
    told = f"${int(record.station_cost[station])}, {points}, {corner}"
    return told + (f", master {names(position.board).masters[master]}" if master >= 0 else "")


def _city_text(position: "Position", city: int) -> str:
    """What a delivery brings but for the money that it is worth."""
    record, file, ids = position.board.record[0], position.board.file, names(position.board).cities
    parts = ["black" if record.city_black[city] else "white"]
    for field, text in (("city_money", "${}"), ("city_gift", "${}"), ("city_points", "{} points")):
        if record[field][city]:
            parts.append(text.format(int(record[field][city])))
    if record.city_bell_points[city]:
        parts.append(f"{int(record.city_bell_points[city])} points for each cleared bell")
    if record.city_icon[city] >= 0:
        parts.append(file.icon_names[record.city_icon[city]])
    for pair in range(record.n_pairs):
        ends = record.pair[pair].tolist()
        if city in ends:
            gains = [f"{int(record.pair_points[pair])} points"] if record.pair_points[pair] else []
            gains += [f"${int(record.pair_gift[pair])}"] if record.pair_gift[pair] else []
            icon = int(record.pair_icon[pair])
            gains += [file.icon_names[icon]] if icon >= 0 else []
            other = ids[ends[ends[0] == city]]
            parts.append(f"with {other} {' and '.join(gains) or 'nothing'}")
    return ", ".join(parts)


def _disc_text(position: "Position", disc: int) -> str:
    """What taking a disc unlocks, and its price."""
    record, state, file = position.board.record[0], position.state[0], position.board.file
    seat = position.to_move
    left = int(state.discs[seat, disc])
    if disc < AUXILIARIES:
        is_double = auxiliary_level(state, record, seat, disc) > 0
        what = file.icon_names[record.auxiliary[disc, int(is_double)]]
    elif disc in (DISC_LIMIT_4, DISC_LIMIT_6):
        space = len(record.certificates) - (2 if disc == DISC_LIMIT_4 else 1)
        what = f"certificate limit {int(record.certificates[space])}"
        what += " with the other" if disc == DISC_LIMIT_6 else ""
    elif disc == DISC_HAND:
        hand = int(record.cards_in_hand) + int(record.disc_copies[disc]) - left + 1
        what = f"hand limit {hand}"
    else:
        steps = record.steps[position.players].tolist()
        cleared = sum(
            int(record.disc_copies[each]) - int(state.discs[seat, each])
            for each in (DISC_MOVE_1, DISC_MOVE_2)
        )
        what = f"{steps[min(cleared + 1, len(steps) - 1)]} steps"
        what += f", ${int(record.disc_money)}" if disc == DISC_MOVE_1 else ""
        what += f", {int(record.disc_points)} points" if disc == DISC_MOVE_2 else ""
    cost = int(record.disc_cost[disc])
    return (
        f"${cost}, " if cost else ""
    ) + f"{'black' if record.disc_black[disc] else 'white'}, {what}"


# ----------------------------------------------------------------------------- actions, by kind


def _move(position: "Position", space: int) -> str:
    """Steps and tolls of a move, and what lies there."""
    state, there = position.state[0], what_lies(position, space)
    if state.phase == PLACING:
        return there
    top = int(state.n_tasks) - 1
    steps, manner = int(state.one[top]), int(state.two[top])
    ways = ways_of(position, space, steps)
    stops = {sum(bool(int(state.occupied) & bit(each)) for each in way) for way in ways.values()}
    span = " to ".join(str(number) for number in sorted({min(stops), max(stops)}))
    parts = [counted(span, "steps")]
    if manner != TOLL_FREE:
        paid = {sum(_paid(position, way, space, steps, manner)) for way in ways}
        if max(paid):
            parts.append(
                f"tolls ${' to $'.join(str(number) for number in sorted({min(paid), max(paid)}))}"
            )
    return ", ".join([*parts, there])


def _paid(position: "Position", way: int, target: int, steps: int, manner: int) -> list[int]:
    """What each seat, and the bank last, receives of the tolls of a way."""
    state, record = position.state[0], position.board.record[0]
    packed = int(tolls_of(state, record, target, way, steps, manner))
    return [packed >> 12 * seat & 0xFFF for seat in range(position.players + 1)]


def what_lies(position: "Position", space: int) -> str:
    """What lies on a space of the trail."""
    state, record, name = position.state[0], position.board.record[0], names(position.board)
    if state.building[space] >= 0:
        owner = int(state.builder[space])
        told = building_text(position, int(state.building[space]), space)
        return told if owner < 0 else f"seat {owner}'s {told}"
    if state.hazard[space] >= 0:
        return name.tiles[state.hazard[space]]
    place = int(record.trade_of[space])
    if place >= 0 and state.teepee[place] >= 0:
        return name.tiles[state.teepee[place]]
    return "nothing" if space < record.n_spaces - 1 else "Kansas City"


def _way(position: "Position", way: int) -> str:
    """Who receives what, and where the way goes."""
    state = position.state[0]
    top = int(state.n_tasks) - 1
    target, steps, manner = int(state.one[top]), int(state.two[top]) >> 2, int(state.two[top]) & 3
    paid = _paid(position, way, target, steps, manner)
    parts = [f"seat {seat} ${amount}" for seat, amount in enumerate(paid[:-1]) if amount]
    parts += [f"the bank ${paid[-1]}"] if paid[-1] else []
    passed = [
        names(position.board).spaces[space]
        for space in ways_of(position, target, steps)[way]
        if int(state.occupied) & bit(space)
    ]
    return f"{', '.join(parts) or 'no tolls'}; over {' '.join(passed)}"


def _use(position: "Position", icon: int) -> str:
    """How much an icon that counts something comes to."""
    state, record, seat = position.state[0], position.board.record[0], position.to_move
    what = int(record.icon_counts[icon])
    if what == ONE:
        return ""
    number = int(counted_by(state, record, seat, what))
    kind, amount = record.icon_kind[icon], int(record.icon_amount[icon])
    if kind == FORWARD:
        return f"up to {counted(number * amount, 'spaces')}"
    if kind == DRAW:
        return f"up to {counted(number * amount, 'cards')}"
    money, certificates = int(record.icon_money[icon]), int(record.icon_certificates[icon])
    parts = [counted(number * certificates, "certificates")] if certificates else []
    return " and ".join([*parts, f"${number * money}"]) if money else " and ".join(parts)


def _hire(position: "Position", number: int) -> str:
    state, record, file = position.state[0], position.board.record[0], position.board.file
    row, worker = divmod(number, len(WORKERS))
    change = int(state.one[int(state.n_tasks) - 1])
    place = int(state.workers[position.to_move, worker]) + 1
    icon = int(record.worker_icon[worker, place])
    told = f"${max(0, int(record.row_cost[row]) + change)}"
    if place > ROW_LENGTH - 2:
        told += f", {counted(int(record.row_points), 'points')}"
    return told + (f", then {file.icon_names[icon]}" if icon >= 0 else "")


def _build(position: "Position", number: int) -> str:
    state, record = position.state[0], position.board.record[0]
    building = int(building_of(state, number))
    needs = [
        int(craftsmen_for(state, record, position.to_move, number, space))
        for space in range(record.n_spaces)
    ]
    price = int(state.one[int(state.n_tasks) - 1])
    least, most = min(need for need in needs if need >= 0), int(record.craftsmen[building])
    cost = f"${most * price}" if least == most else f"${least * price} or more"
    points = counted(int(record.building_points[building]), "points")
    return f"{cost}, {points}, {building_text(position, building)}"


def _onto(position: "Position", space: int) -> str:
    state, record, file = position.state[0], position.board.record[0], position.board.file
    top = int(state.n_tasks) - 1
    price, number = int(state.one[top]), int(state.two[top])
    needed = int(craftsmen_for(state, record, position.to_move, number, space))
    parts = [f"${needed * price}"]
    if state.building[space] >= 0:
        parts.append(f"replaces {names(position.board).buildings[state.building[space]]}")
    if record.woods[space]:
        parts.append("woods")
    if record.risk[space] >= 0:
        parts.append(file.icon_names[record.risk[space]])
    return ", ".join(parts)


def _engine(position: "Position", place: int) -> str:
    """The station there."""
    record, state = position.board.record[0], position.state[0]
    station = int(record.station_at[place])
    if station < 0:
        return ""
    done = "done" if state.station_disc[position.to_move, station] else "may be upgraded"
    return f"station, {done}: {_station_text(position, station)}"


def _station_disc(position: "Position", station: int) -> str:
    points = int(position.board.record[0].station_points[station])
    return f"{counted(points, 'points')} of that station lost"


def _appoint(position: "Position", worker: int) -> str:
    state = position.state[0]
    station = int(state.one[int(state.n_tasks) - 1])
    return master_text(position, int(state.station_master[station]))


def _trade(position: "Position", place: int) -> str:
    return names(position.board).tiles[position.state[0].teepee[place]]


def _hazard(position: "Position", space: int) -> str:
    tile = int(position.state[0].hazard[space])
    return f"{names(position.board).tiles[tile]}, {tile_text(position, tile)}"


def _card(position: "Position", card: int) -> str:
    """Breeding value and points of a cattle card; what an objective card asks and brings."""
    if card >= MAX_CATTLE:
        return objective_text(position, card - MAX_CATTLE)
    record = position.board.record[0]
    value, points = int(record.breeding[record.cattle_type[card]]), int(record.cattle_points[card])
    return f"breeding value {value}" + (f", {counted(points, 'points')}" if points else "")


def _buy(position: "Position", number: int) -> str:
    return _card(position, number % MAX_CATTLE)


def _from_hand(position: "Position", card: int) -> str:
    """The breeding value that the hand has left."""
    if card >= MAX_CATTLE:
        return _card(position, card)
    state = position.state.copy()[0]
    state.hand[position.to_move, card] -= 1
    value = int(breeding_value(state, position.board.record[0], position.to_move))
    return f"hand then worth {value}"


def _copy(position: "Position", space: int) -> str:
    return what_lies(position, space)


def _upgrade(position: "Position", station: int) -> str:
    return _station_text(position, station)


def _foresight(position: "Position", tile: int) -> str:
    """Where the tile goes."""
    state, record = position.state[0], position.board.record[0]
    spaces = names(position.board).spaces
    if tile < GREEN_TEEPEE:
        slots = record.hazard_space[tile // HAZARD_KINDS, :SLOTS].tolist()
        free = [spaces[space] for space in slots if space >= 0 and state.hazard[space] < 0]
        return f"to {free[0]}" if free else "leaves the game"
    if tile <= BLUE_TEEPEE:
        free = [place for place in range(TRADES) if state.teepee[place] < 0]
        return f"to trade {names(position.board).trades[free[0]]}" if free else "leaves the game"
    row = int(state.placed) // position.players
    told = f"to row {row + 1}"
    if (int(state.placed) + 1) % position.players == 0:
        told += ", the token moves on" if row < MAX_ROWS - 1 else ", the end is near"
        told += " and the cattle market is filled" if record.row_refills[row] else ""
    return told


def _spend(position: "Position", number: int) -> str:
    state, record, seat = position.state[0], position.board.record[0], position.to_move
    value = int(breeding_value(state, record, seat)) + int(state.permanent[seat]) + number
    return f"income ${value}, a city of at most {value}"


def _deliver(position: "Position", city: int) -> str:
    state, record, seat = position.state[0], position.board.record[0], position.to_move
    is_extraordinary = bool(state.two[int(state.n_tasks) - 1])
    cost = int(transport_cost(state, record, seat, int(record.city_value[city])))
    parts = [] if is_extraordinary else [f"transport ${cost}"]
    if is_extraordinary and record.city_money[city] and not record.extraordinary_pays:
        parts.append("no income")
    return ", ".join([*parts, _city_text(position, city)])


def _branchlet(position: "Position", number: int) -> str:
    """What a branchlet space costs or brings, and its town."""
    state, record, file = position.state[0], position.board.record[0], position.board.file
    town, space = divmod(number, TOWN_SPACES)
    money, icon = int(record.town_money[town, space]), int(record.town_icon[town, space])
    parts = [f"{'costs' if money < 0 else 'brings'} ${abs(money)}"] if money else []
    parts += [file.icon_names[icon]] if icon >= 0 else []
    parts.append(f"{TOWN_TYPES[record.town_type[town]]} town")
    if record.town_type[town] == MEDIUM and state.medium[town] >= 0:
        parts[-1] += f" {file.icon_names[record.medium_icon[state.medium[town]]]}"
    station = int(record.town_station[town])
    if station >= 0:
        parts.append(_station_text(position, station))
    return ", ".join(parts)


_NOTES: dict[str, Callable[["Position", int], str]] = {
    "play": objective_text,
    "move": _move,
    "way": _way,
    "use": _use,
    "hire": _hire,
    "build": _build,
    "onto": _onto,
    "objective": objective_text,
    "engine": _engine,
    "disc": _disc_text,
    "station_disc": _station_disc,
    "appoint": _appoint,
    "trade": _trade,
    "hazard": _hazard,
    "buy": _buy,
    "take": _card,
    "discard": _from_hand,
    "remove": _from_hand,
    "copy": _copy,
    "upgrade": _upgrade,
    "foresight": _foresight,
    "spend": _spend,
    "deliver": _deliver,
    "master": master_text,
    "branchlet": _branchlet,
}


# ------------------------------------------------------------------------------- names on the board


def explain(position: "Position", word: str) -> list[str]:
    """Lines on whatever has that name: a space, a building, a card, a city; none if nothing has."""
    board, name, lines = position.board, names(position.board), []
    called = slug(spoken(word))
    for kind, known, told in (
        ("space", name.spaces, _told_space),
        ("building", name.buildings, _told_building),
        ("city", name.cities, _told_city),
        ("town", name.towns, _told_town),
        ("station", name.stations, _told_station),
        ("station master", name.masters, master_text),
        ("tile", name.tiles, tile_text),
        ("objective card", name.objectives, objective_text),
        ("disc", name.discs, _disc_text),
        ("action", name.icons, _told_icon),
    ):
        for number, other in enumerate(known):
            is_used = kind != "disc" or board.record[0].disc_copies[number]
            if is_used and slug(other) == called:
                title = other if kind != "action" else board.file.icon_names[number]
                lines += filled(f"{title}, {kind}: {told(position, number)}")
    for card, other in name.cards.items():
        if card < MAX_CATTLE and called in (other, other.rstrip("0123456789").rstrip("_")):
            lines += filled(f"{other}, cattle: {_told_cattle(position, card)}")
    if called.isdecimal():
        for building in range(NEUTRALS, len(name.buildings)):
            if name.buildings[building][:-1] == called:
                told = _told_building(position, building)
                lines += filled(f"{name.buildings[building]}, building: {told}")
    return lines


def _told_space(position: "Position", space: int) -> str:
    state, record, name = position.state[0], position.board.record[0], names(position.board)
    after = [name.spaces[there] for there in record.next[space] if there >= 0]
    parts = [what_lies(position, space)]
    parts += ["woods"] if record.woods[space] else []
    if record.risk[space] >= 0:
        parts.append(f"risk action {position.board.file.icon_names[record.risk[space]]}")
    place = int(record.trade_of[space])
    if place >= 0:
        parts.append(f"trade {name.trades[place]}")
    seats = [str(seat) for seat in range(position.players) if state.at[seat] == space]
    parts += [f"cattleman of seat {' and '.join(seats)}"] if seats else []
    parts += [f"next {' or '.join(after)}"] if after else []
    return "; ".join(parts)


def _told_building(position: "Position", building: int) -> str:
    state, record, name = position.state[0], position.board.record[0], names(position.board)
    parts = [icons_text(position, record.building_icon[building])]
    if building >= NEUTRALS:
        number, side = divmod(building - NEUTRALS, 2)
        parts.append(craftsmen_text(int(record.craftsmen[building])))
        parts.append(counted(int(record.building_points[building]), "points"))
        parts.append(f"hand {HANDS[record.building_hand[building]]}")
        if state.side[number] != side:
            parts.append("the other side is used")
    places = [
        name.spaces[space]
        + (f" of seat {int(state.builder[space])}" if state.builder[space] >= 0 else "")
        for space in range(record.n_spaces)
        if state.building[space] == building
    ]
    return ", ".join([*parts, *(f"on {place}" for place in places)])


def _told_city(position: "Position", city: int) -> str:
    state, record = position.state[0], position.board.record[0]
    discs = [
        f"seat {seat} {int(number)}"
        for seat, number in enumerate(state.city_discs[: position.players, city])
        if number
    ]
    told = f"value {int(record.city_value[city])}, {_city_text(position, city)}"
    if record.city_town[city] >= 0:
        told += ", for whoever has a branchlet there"
    return f"{told}; discs: {', '.join(discs) or 'none'}"


def _told_town(position: "Position", town: int) -> str:
    state, record, name = position.state[0], position.board.record[0], names(position.board)
    spaces = []
    for space in range(TOWN_SPACES):
        owner = int(state.town[town, space])
        note = _branchlet(position, town * TOWN_SPACES + space).split(", ")
        gain = [part for part in note if " town" not in part and part]
        is_plain = not record.town_money[town, space] and record.town_icon[town, space] < 0
        what = "plain" if is_plain else gain[0]
        spaces.append(f"{space + 1} {what}" + (f" (seat {owner})" if owner >= 0 else ""))
    beside = [name.towns[other] for other in range(record.n_towns) if _joins(record, town, other)]
    beside += [
        city
        for number, city in enumerate(name.cities)
        if int(record.town_cities[town]) >> number & 1
    ]
    beside += ["the office"] if record.town_office[town] else []
    kind = TOWN_TYPES[record.town_type[town]]
    if record.town_type[town] == MEDIUM and state.medium[town] >= 0:
        kind += f" ({position.board.file.icon_names[record.medium_icon[state.medium[town]]]})"
    return f"{kind}, next to {', '.join(beside)}; spaces: {', '.join(spaces)}"


def _joins(record, town: int, other: int) -> bool:
    return bool(int(record.beside[town]) & bit(other))


def _told_station(position: "Position", station: int) -> str:
    state = position.state[0]
    discs = [str(seat) for seat in range(position.players) if state.station_disc[seat, station]]
    told = _station_text(position, station)
    worker = int(state.station_worker[station])
    told += f", {WORKERS[worker]} appointed" if worker >= 0 else ""
    return f"{told}; discs of seats: {', '.join(discs) or 'none'}"


def _told_icon(position: "Position", icon: int) -> str:
    entry, record = position.board.file.icons[icon], position.board.record[0]
    told = _ICONS[entry.kind].format(amount=int(record.icon_amount[icon]))
    note = _use(position, icon)
    return f"{told} (now {note})" if note else told


def _told_cattle(position: "Position", card: int) -> str:
    state = position.state[0]
    return f"{_card(position, card)}; {int(state.market[card])} in the market"
