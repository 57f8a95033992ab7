"""Great Western Trail as text: a position as a table, and what an action has changed."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sim.great_western_trail.cards import breeding_value
from sim.great_western_trail.names import names
from sim.great_western_trail.notes import explain, note, secrets
from sim.great_western_trail.state import (
    APPOINTING,
    BUILDING,
    BUYING,
    CERTIFICATES,
    CHOOSING,
    CLEARING,
    DELIVERY,
    DISC,
    DISCARDING,
    DRAWING,
    ENGINE,
    ENGINE_BACK,
    FIRST_WORKER,
    FORESIGHT,
    FREE_CARD,
    GIVING,
    HIRING,
    LOCAL,
    MAX_CARDS,
    MAX_CATTLE,
    MAX_ROWS,
    MEDIUM,
    MOVING,
    OUTER,
    PHASES,
    REMOVING,
    SECOND_CARD,
    SITE,
    TOLL_FREE,
    TRADES,
    UPGRADING,
    WAY,
    WORKERS,
)
from sim.great_western_trail.tasks import (
    certificate_limit,
    certificates_held,
    hand_limit,
    step_limit,
)
from sim.great_western_trail.trail import building_of
from sim.layout import columns, counted, filled, wrapped

if TYPE_CHECKING:
    from sim.game import Board, Position

__all__ = ["changes", "chart", "explain", "note", "now", "secrets", "show"]


def show(position: "Position", viewer: int | None = None) -> str:
    """The position as a table that fits the terminal; with the viewer's own cards."""
    head = f"{position.game.title} · {position.players} players · {position.board.label}"
    lines = [*filled(head), *filled(now(position)), "", *_seats(position), ""]
    lines += _trail(position)
    lines += _markets(position)
    lines += _railroad(position)
    lines.append("")
    for seat in range(position.players):
        lines += _belongings(position, seat, viewer == seat or position.is_over)
    return "\n".join(lines)


def now(position: "Position") -> str:
    """What is to be decided, and by whom; how a game that is over has ended."""
    if position.is_over:
        winners = " and ".join(f"seat {winner}" for winner in position.winners)
        return f"Over after turn {position.turn} ({position.end_reason}): {winners} won."
    state = position.state[0]
    told = f"Turn {position.turn} · seat {position.to_move} decides: {PHASES[state.phase]}"
    more = _about(position)
    if state.token_owner >= 0:
        more += f"; the end is near, by seat {int(state.token_owner)}"
    return f"{told}{more}"


def _about(position: "Position") -> str:
    """What the phase is about."""
    state, name, file = position.state[0], names(position.board), position.board.file
    top = int(state.n_tasks) - 1
    phase, one, two = int(state.phase), int(state.one[top]), int(state.two[top])
    if phase == MOVING:
        manner = " without tolls" if two == TOLL_FREE else ""
        return f", up to {counted(one, 'steps')}{manner}"
    if phase == WAY:
        return f" to {name.spaces[one]}"
    if phase == LOCAL:
        return f" on {name.spaces[one]}" + ("" if two & OUTER else ", copied")
    if phase in (CHOOSING, GIVING):
        return f": {file.icon_names[one]}"
    if phase == HIRING:
        return f", at {'-' if one < 0 else '+'}${abs(one)}" if one else ""
    if phase == BUILDING:
        return f", ${one} a craftsman"
    if phase == SITE:
        return f" for {name.buildings[int(building_of(state, two))]}, ${one} a craftsman"
    if phase in (CERTIFICATES, ENGINE):
        return f", up to {counted(one, 'spaces')}"
    if phase == ENGINE_BACK:
        return f", exactly {counted(one, 'spaces')}" if one else ", a space or more"
    if phase in (UPGRADING, APPOINTING):
        return f" at station {name.stations[one]}"
    if phase == CLEARING:
        return f", for ${one}"
    if phase == BUYING:
        return f" with {counted(one, 'cowboys')}"
    if phase in (SECOND_CARD, FREE_CARD):
        return f" of the breeding value {one}"
    if phase in (DRAWING, REMOVING):
        return f", up to {counted(one, 'cards')}"
    if phase == DISCARDING:
        return f" {counted(one, 'cards')}"
    if phase == FORESIGHT:
        return f", column {one + 1}"
    if phase == DELIVERY:
        return f" of the value {one}"
    return f" for {name.cities[one]}" if phase == DISC else ""


def _seats(position: "Position") -> list[str]:
    """The table of the players."""
    state, record, name = position.state[0], position.board.record[0], names(position.board)
    rows = [["seat", "money", "at", *(f"{worker}s" for worker in WORKERS)]]
    rows[0] = [cell.replace("mans", "men") for cell in rows[0]]
    rows[0] += ["certificates", "engine", "steps", "hand", "stack", "discards"]
    if record.n_towns:
        rows[0] += ["tokens", "branchlets"]
    if position.is_over:
        rows[0].append("points")
    scores = position.scores if position.is_over else []
    for seat in range(position.players):
        mark = ">" if seat == position.to_move and not position.is_over else " "
        held = int(certificates_held(state, record, seat))
        limit = int(record.certificates[certificate_limit(state, record, seat)])
        permanent = int(state.permanent[seat])
        row = [f"{mark} {seat}", f"${int(state.money[seat])}"]
        row.append(name.spaces[state.at[seat]] if state.at[seat] >= 0 else "·")
        row += [str(int(number)) for number in state.workers[seat]]
        row.append(f"{held} of {limit}" + (f" +{permanent}" if permanent else ""))
        row.append(name.positions[state.engine[seat]])
        row.append(str(int(step_limit(state, record, seat))))
        row.append(f"{int(state.n_hand[seat])} of {int(hand_limit(state, record, seat))}")
        row += [str(int(state[pile][seat])) for pile in ("n_stack", "n_discard")]
        if record.n_towns:
            row += [str(int(state[field][seat])) for field in ("tokens", "branchlets")]
        if position.is_over:
            row.append(str(scores[seat]))
        rows.append(row)
    return columns(rows, {0, 2})


def _several(names: Iterable[str], numbers: Iterable[int]) -> list[str]:
    """Names of what there is, with how many where there are several."""
    pairs = [(name, int(number)) for name, number in zip(names, numbers, strict=False)]
    return [name + (f" x{number}" if number > 1 else "") for name, number in pairs if number]


# ---------------------------------------------------------------------------------------- the board


def _on_trail(position: "Position", space: int) -> str:
    """What stands on a space, short; empty if nothing does."""
    state, record, name = position.state[0], position.board.record[0], names(position.board)
    building, place = int(state.building[space]), int(record.trade_of[space])
    what = ""
    if building >= 0:
        owner = int(state.builder[space])
        what = name.buildings[building] + (f"/{owner}" if owner >= 0 else "")
    elif state.hazard[space] >= 0:
        what = name.tiles[state.hazard[space]].partition("_")[2]
    elif place >= 0 and state.teepee[place] >= 0:
        what = name.tiles[state.teepee[place]].partition("_")[0]
    seats = "".join(str(seat) for seat in range(position.players) if state.at[seat] == space)
    return " ".join(part for part in (what, f"*{seats}" if seats else "") if part)


def _trail(position: "Position") -> list[str]:
    state, record, name = position.state[0], position.board.record[0], names(position.board)
    there = [(space, _on_trail(position, number)) for number, space in enumerate(name.spaces)]
    lines = wrapped(
        "Trail (building/seat, hand_points, *cattlemen): ",
        [f"{space} {what}" for space, what in there if what],
    )
    teepees = [
        f"{int(record.trade_money[place])} {name.tiles[state.teepee[place]].partition('_')[0]}"
        for place in range(TRADES)
        if state.teepee[place] >= 0
    ]
    return lines + wrapped("Teepees to trade: ", teepees or ["none"])


def _markets(position: "Position") -> list[str]:
    """Job market, foresight, cattle and objective cards."""
    state, record, name = position.state[0], position.board.record[0], names(position.board)
    row, workers = divmod(int(state.placed), position.players)
    rows = [
        f"row {number + 1} ${int(record.row_cost[number])} {' '.join(_several(WORKERS, there))}"
        for number, there in enumerate(state.job)
        if there.any()
    ]
    token = "taken" if row >= MAX_ROWS else f"in row {row + 1}, {workers} of {position.players}"
    lines = wrapped(f"Job market (token {token}): ", rows or ["empty"])
    columns_ = []
    for column in range(3):
        tiles = [name.tiles[tile] for tile in state.foresight[column] if tile >= 0]
        left = int(state.n_pile[column] - state.pile_next[column])
        columns_.append(f"{column + 1} {' '.join(tiles) or 'empty'} ({left} more)")
    lines += wrapped("Foresight: ", columns_)
    left = int(state.n_cattle - state.cattle_next)
    cattle = _several(name.cattle, state.market)
    lines += wrapped(f"Cattle market ({left} more in the stack): ", cattle or ["none"])
    left = int(state.n_objectives - state.objective_next)
    cards = [name.objectives[kind] for kind in state.display if kind >= 0]
    return lines + wrapped(f"Objective cards ({left} more in the stack): ", cards or ["none"])


def _railroad(position: "Position") -> list[str]:
    """Stations, cities and towns with what stands there."""
    state, record, name = position.state[0], position.board.record[0], names(position.board)
    players, stations, cities, towns = position.players, [], [], []
    for number, station in enumerate(name.stations):
        master, worker = int(state.station_master[number]), int(state.station_worker[number])
        parts = [f"master {name.masters[master]}"] if master >= 0 else []
        parts += [WORKERS[worker]] if worker >= 0 else []
        seats = [str(seat) for seat in range(players) if state.station_disc[seat, number]]
        parts += [f"discs {' '.join(seats)}"] if seats else []
        stations += [f"{station} {' '.join(parts)}"] if parts else []
    for number, city in enumerate(name.cities):
        discs = _several(map(str, range(players)), state.city_discs[:players, number])
        cities += [f"{city} {' '.join(discs)}"] if discs else []
    for number, town in enumerate(name.towns):
        seats = [str(seat) for seat in state.town[number].tolist() if seat >= 0]
        what = ""
        if record.town_type[number] == MEDIUM and state.medium[number] >= 0:
            icon = position.board.file.icon_names[record.medium_icon[state.medium[number]]]
            what = f" ({icon})"
        towns += [f"{town}{what} {' '.join(seats)}".rstrip()] if seats or what else []
    lines = wrapped("Stations: ", stations or ["nothing there"])
    lines += wrapped("Discs on cities: ", cities or ["none"])
    if record.n_towns:
        lines += wrapped("Branchlets in towns: ", towns or ["none"])
        masters = [name.masters[n] for n in _members(int(state.new_york))]
        lines += wrapped("Station masters at New York City: ", masters or ["none"])
    return lines


def _members(bits: int) -> list[int]:
    return [number for number in range(bits.bit_length()) if bits >> number & 1]


def _belongings(position: "Position", seat: int, is_own: bool) -> list[str]:
    """What lies before a player; his hand for himself only."""
    state, record, name = position.state[0], position.board.record[0], names(position.board)
    lines = []
    if is_own:
        hand = [number for number in state.hand[seat].tolist()]
        value = int(breeding_value(state, record, seat))
        lines += wrapped(
            f"Seat {seat}'s hand (breeding value {value}): ",
            _cards(position, hand) or ["empty"],
        )
    elif state.shown[seat].any():
        lines += wrapped(f"Seat {seat} holds: ", _several(name.objectives, state.shown[seat]))
    deck = [
        int(state.hand[seat, card] + state.stack[seat, card] + state.discard[seat, card])
        for card in range(MAX_CARDS)
    ]
    if not is_own:  # what nobody saw taken is not told
        for kind, number in enumerate(state.secret[seat].tolist()):
            deck[MAX_CATTLE + kind] -= number
    lines += wrapped(f"Seat {seat}'s cards: ", _cards(position, deck) or ["none"])
    gone = record.disc_copies - state.discs[seat]
    for title, items in (
        ("objective cards played", _several(name.objectives, state.played[seat])),
        ("hazards and teepees", _several(name.tiles[:FIRST_WORKER], state.tiles[seat])),
        ("station masters", [name.masters[n] for n in _members(int(state.masters[seat]))]),
        ("discs taken", _several(name.discs, gone)),
        ("building tiles used", [str(n + 1) for n in _members(int(state.gone[seat]))]),
    ):
        if items:
            lines += wrapped(f"  {title}: ", items)
    return lines


def _cards(position: "Position", numbers: list[int]) -> list[str]:
    cards = names(position.board).cards
    return _several(cards.values(), (numbers[card] for card in cards))


def chart(position: "Position") -> list[str]:
    """The trail as text: the ways from each fork to where they meet again."""
    record, name = position.board.record[0], names(position.board)
    count = int(record.n_spaces)
    after = [[int(there) for there in record.next[space] if there >= 0] for space in range(count)]
    before = [sum(there.count(space) for there in after) for space in range(count)]
    lines = []
    for space in range(count):
        if space and len(after[space]) == 1 and before[space] == 1:
            continue
        for there in after[space]:
            way = [space, there]
            while len(after[there]) == 1 and before[there] == 1:
                there = after[there][0]
                way.append(there)
            texts = [f"{name.spaces[each]} {_on_trail(position, each)}".strip() for each in way]
            lines += filled(" > ".join(texts))
    key = "After a name what stands there: building/seat, a hazard's or teepee's hand, *cattlemen."
    return [*lines, *filled(key)]


# ---------------------------------------------------------------------------- what has changed


def changes(board: "Board", before: "Position", after: "Position") -> list[str]:
    """What an action has changed beyond its own words, a short sentence each."""
    old, new = before.state[0], after.state[0]
    told = []
    if new.reached_goal and not old.reached_goal:
        told.append(f"seat {before.to_move} reaches Kansas City")
    told += _told_of_seats(before, after)
    told += _told_of_the_trail(before, after)
    told += _told_of_markets(before, after)
    if new.token_owner != old.token_owner:
        told.append(f"seat {int(new.token_owner)} takes the job market token: the end is near")
    for seat in range(after.players):
        if new.money[seat] != old.money[seat]:
            told.append(f"seat {seat}: ${int(old.money[seat])} to ${int(new.money[seat])}")
    if after.is_over:
        points = [f"seat {seat} {score}" for seat, score in enumerate(after.scores)]
        told.append(f"points: {', '.join(points)}")
        told.append(f"the game is over: {after.end_reason}")
    elif new.turn > old.turn:
        told.append(f"turn {int(new.turn)} begins")
    return told


def _told_of_seats(before: "Position", after: "Position") -> list[str]:
    """Of engines, certificates, cards drawn and what belongs to players."""
    old, new, name = before.state[0], after.state[0], names(after.board)
    record, told = after.board.record[0], []
    for seat in range(after.players):
        if new.engine[seat] != old.engine[seat]:
            places = [name.positions[state.engine[seat]] for state in (old, new)]
            told.append(f"seat {seat}: engine from {places[0]} to {places[1]}")
        held = [
            int(certificates_held(state, record, seat) + state.permanent[seat])
            for state in (old, new)
        ]
        if held[0] != held[1]:
            told.append(f"seat {seat}: {held[0]} to {counted(held[1], 'certificates')}")
        drawn = int(new.n_hand[seat]) - int(old.n_hand[seat])
        if drawn > 0 and new.n_stack[seat] + new.n_discard[seat] < (
            old.n_stack[seat] + old.n_discard[seat]
        ):
            told.append(f"seat {seat} draws {counted(drawn, 'cards')}")
        if new.tokens[seat] > old.tokens[seat]:
            told.append(f"seat {seat} gains an exchange token")
        for master in _members(int(new.masters[seat]) & ~int(old.masters[seat])):
            told.append(f"seat {seat} gains the station master {name.masters[master]}")
        for station, place in enumerate(name.stations):
            if new.station_disc[seat, station] > old.station_disc[seat, station]:
                told.append(f"seat {seat} upgrades station {place}")
        for city, place in enumerate(name.cities):
            if new.city_discs[seat, city] > old.city_discs[seat, city]:
                told.append(f"seat {seat} has a disc on {place}")
        if new.at[seat] == 0 and old.at[seat] > 0:
            told.append(f"seat {seat}'s cattleman is back at the start")
    return told


def _told_of_the_trail(before: "Position", after: "Position") -> list[str]:
    """Of tiles that come to the trail or to the trade section."""
    old, new, name = before.state[0], after.state[0], names(after.board)
    told = []
    for space, place in enumerate(name.spaces):
        if new.hazard[space] >= 0 and new.hazard[space] != old.hazard[space]:
            told.append(f"{name.tiles[new.hazard[space]]} comes to {place}")
        if new.building[space] != old.building[space]:
            told.append(f"{name.buildings[new.building[space]]} stands on {place}")
    for place, money in enumerate(name.trades):
        if new.teepee[place] >= 0 and new.teepee[place] != old.teepee[place]:
            told.append(f"{name.tiles[new.teepee[place]]} comes to trade {money}")
    return told


def _told_of_markets(before: "Position", after: "Position") -> list[str]:
    """Of what is laid out in the job market, the cattle market, the display and the foresight."""
    old, new, name = before.state[0], after.state[0], names(after.board)
    told = []
    if new.placed != old.placed:
        rows = [int(state.placed) // after.players + 1 for state in (old, new)]
        told.append(f"a worker comes to row {rows[0]} of the job market")
        if rows[1] != rows[0] and rows[1] <= MAX_ROWS:
            told.append(f"the job market token moves to row {rows[1]}")
    laid = _several(name.cattle, (max(0, n) for n in (new.market - old.market).tolist()))
    if laid:
        told.append(f"new in the cattle market: {', '.join(laid)}")
    if new.objective_next > old.objective_next:
        kinds = new.objective_stack[old.objective_next : new.objective_next].tolist()
        shown = [name.objectives[kind] for kind in kinds if kind in new.display.tolist()]
        if shown and (new.display != old.display).any():
            told.append(f"new on display: {', '.join(shown)}")
    for column in range(3):
        tiles = [
            name.tiles[new.foresight[column, place]]
            for place in range(2)
            if new.foresight[column, place] >= 0 and old.foresight[column, place] < 0
        ]
        if tiles:
            told.append(f"new in column {column + 1} of the foresight: {', '.join(tiles)}")
    return told
