"""Railways of the World as text: a position as a table, and what an action has changed."""

from collections import Counter
from typing import TYPE_CHECKING

from sim.bits import bit, count
from sim.layout import columns, counted, filled, grid, wrapped
from sim.railways_of_the_world.notes import baron_text, explain, note, secrets
from sim.railways_of_the_world.state import (
    ACTION,
    ASK_DEPOT,
    ASK_POINTS,
    BIDDING,
    BUILDING,
    COLOURS,
    EXTENDING,
    GREEN_CIRCLE,
    LAST_SPACE,
    PHASES,
    ROUTE,
    SIDES,
    STARTING,
)

if TYPE_CHECKING:
    from sim.game import Board, Position

__all__ = ["changes", "chart", "explain", "note", "now", "secrets", "show"]

_GROUND = {"o": ".", "w": "~", "h": "^", "C": "."}
_LETTERS = "RBYPK-"  # of the colours; gray, or a dial that shows none


def show(position: "Position", viewer: int | None = None) -> str:
    """The position as a table that fits the terminal; with the viewer's own Rail Baron."""
    state, file = position.state[0], position.board.file
    head = f"{position.game.title} · {position.players} players · {position.board.label}"
    lines = [*filled(head), *filled(now(position)), "", *_seats(position), ""]
    if position.is_over:
        barons = [file.baron_ids[row] for row in state.barons[: position.players, 0]]
        lines += wrapped("Rail Barons by seat: ", barons)
    elif viewer is not None and state.has_kept[viewer]:
        baron = file.baron_rows[state.barons[viewer, 0]]
        lines += filled(f"Seat {viewer}'s own Rail Baron: {baron.id} ({baron_text(baron)})")
    for seat in range(position.players):
        held = _cards(file, state.held[seat], state.used[seat])
        if held:
            lines += wrapped(f"Seat {seat} holds: ", held)
    lines += _markers(position)
    symbols = position.board.record[0].card_symbol
    goals = [n if symbols[row] == GREEN_CIRCLE else 0 for row, n in enumerate(state.shown)]
    lines += wrapped("Goals on display: ", _cards(file, goals) or ["none"])
    cards = [0 if symbols[row] == GREEN_CIRCLE else n for row, n in enumerate(state.shown)]
    left = f" ({int(state.n_deck - state.deck_next)} more in the deck): "
    lines += wrapped(f"Cards on display{left}", _cards(file, cards) or ["none"])
    lines += _lines_and_links(position)
    lines += _depots_and_cubes(position)
    lines += ["", *_cities(position)]
    return "\n".join(lines)


def now(position: "Position") -> str:
    """What is to be decided, and by whom; how a game that is over has ended."""
    state, file = position.state[0], position.board.file
    seat, phase = position.to_move, int(state.phase)
    if position.is_over:
        winners = " and ".join(f"seat {winner}" for winner in position.winners)
        return f"Over after turn {position.turn} ({position.end_reason}): {winners} won."
    when = f"Turn {position.turn}" if position.turn else "Set-up"
    if state.round_number:
        when += f", round {state.round_number}"
    told = f"{when} · seat {seat} decides: {PHASES[phase]}"
    if phase == BIDDING:
        bid = f"${state.bid}k by seat {state.high_bidder}" if state.bid else "no bid yet"
        passed = [str(other) for other in range(position.players) if state.passed & bit(other)]
        told += f", {bid}" + (f"; passed: {', '.join(passed)}" if passed else "")
    elif phase == ACTION and state.actions_left > 1:
        told += f" ({state.actions_left} actions left)"
    elif phase in (BUILDING, STARTING, EXTENDING):
        told += f" ({counted(int(state.tiles_left), 'tiles')} left)"
    elif phase == ROUTE:
        ids = file.city_ids
        about = int(state.ask_about)
        if state.ask == ASK_POINTS:
            question = f"points of seat {about} by this move"
        elif state.ask == ASK_DEPOT:
            question = f"is a Fuel Depot used to pass {ids[about]}"
        else:
            question = f"does it pass {ids[about]}"
        told += (
            f" of the {COLOURS[state.move_colour]} cube from {ids[state.move_from]} "
            f"to {ids[state.move_to]}: {question}"
        )
    return told


def _seats(position: "Position") -> list[str]:
    """The table of the players."""
    state, record = position.state[0], position.board.record[0]
    places = state.order[: position.players].tolist()
    rows = [["seat", "order", "money", "bonds", "income", "points", "engine", "links"]]
    if record.fuel_depots:
        rows[0].append("depots")
    if position.is_over:
        rows[0] += ["Baron", "final"]
    scores = position.scores if position.is_over else []
    for seat in range(position.players):
        mark = ">" if seat == position.to_move and not position.is_over else " "
        banked, marker = int(state.banked[seat]), int(state.marker[seat])
        row = [
            f"{mark} {seat}",
            str(places.index(seat) + 1 if seat in places else "·"),
            f"${state.money[seat]}k",
            str(state.bonds[seat]),
            f"${_income(position, seat)}k",
            f"{banked}+{marker}" if banked else str(marker),
            str(state.engine[seat]),
            str(state.links[seat]),
        ]
        if record.fuel_depots:
            row.append(str(state.depots_left[seat]))
        if position.is_over:
            row += [str(state.baron_points[seat]), str(scores[seat])]
        rows.append(row)
    return columns(rows, {0})


def _income(position: "Position", seat: int) -> int:
    state, income = position.state[0], position.board.record[0].income
    return int(income[LAST_SPACE if state.banked[seat] else state.marker[seat]])


def _markers(position: "Position") -> list[str]:
    state, record = position.state[0], position.board.record[0]
    ids = position.board.file.city_ids
    wanted = int(record.empty_city_markers[position.players])
    marked = [city for city in range(len(ids)) if int(state.marked) & bit(city)]
    cities = [f"{ids[city]} {_colour(state, city)}" for city in marked]
    lines = wrapped(f"Empty City Markers {len(marked)} of {wanted}: ", cities or ["none"])
    if state.triggered:
        lines = lines if marked else []
        lines.append(f"The end is triggered: turn {state.last_turn} is the last.")
    tiles = [f"{COLOURS[c]} {n}" for c, n in enumerate(state.new_tiles) if n]
    bag = _cubes(state.bag) or "empty"
    return [*lines, *filled(f"Bag: {bag} · New City tiles: {', '.join(tiles) or 'none'}")]


def _cards(file, numbers, used=None) -> list[str]:
    """Cards by row, with how many where there are several."""
    texts = []
    for row, name in enumerate(file.card_ids):
        if numbers[row]:
            text = name + (f" x{numbers[row]}" if numbers[row] > 1 else "")
            texts.append(text + (" (used)" if used is not None and used[row] else ""))
    return texts


def _lines_and_links(position: "Position") -> list[str]:
    """Major Lines, links by owner, unfinished links."""
    state, file = position.state[0], position.board.file
    ids, lines = file.city_ids, []
    owners = state.line_owner[: len(file.major_lines)].tolist()
    names = [f"{line.id} {line.points}" for line in file.major_lines]
    is_open = [name for name, owner in zip(names, owners, strict=True) if owner < 0]
    done = [
        f"{name} by seat {owner}" for name, owner in zip(names, owners, strict=True) if owner >= 0
    ]
    if names:
        lines += wrapped("Major Lines open: ", is_open or ["none"])
    if done:
        lines += wrapped("Major Lines done: ", done)
    for place, city in enumerate(position.board.record[0].western_city):
        if city >= 0 and state.western_owner[place] >= 0:
            lines.append(f"Western link at {ids[city]} by seat {state.western_owner[place]}")
    for seat in range(position.players):
        links = [
            _link(state, ids, link)
            for link in range(state.n_links)
            if state.link_owner[link] == seat
        ]
        if links:
            lines += wrapped(f"Seat {seat}'s links: ", sorted(links))
    stubs = [
        f"seat {state.stub_owner[stub]} from {ids[state.stub_city[stub]]} to "
        f"{file.hex_ids[state.stub_hex[stub]]} {SIDES[state.stub_exit[stub]]}"
        for stub in range(state.n_stubs)
    ]
    if stubs:
        lines += wrapped("Unfinished: ", stubs)
    return lines


def _link(state, ids: list[str], link: int) -> str:
    return "-".join(sorted(ids[city] for city in state.link_city[link]))


def _depots_and_cubes(position: "Position") -> list[str]:
    """Fuel Depots, and the cubes that wait at one."""
    state, ids = position.state[0], position.board.file.city_ids
    lines, waiting = [], []
    for seat in range(position.players):
        depots = [
            name + (" x2" if state.depots[seat, city] > 1 else "")
            for city, name in enumerate(ids)
            if state.depots[seat, city]
        ]
        if depots:
            lines += wrapped(f"Seat {seat}'s Fuel Depots: ", depots)
        if state.stopped[seat] >= 0:
            links = int(state.stopped_links[seat])
            where = f"in {ids[state.stopped_at[seat]]}"
            if position.board.record[0].stopped_cube_removed:  # R19, as in Example 1
                where = f"off the map, to go on {where}"
            waiting.append(
                f"seat {seat}'s {COLOURS[state.stopped[seat]]} cube {where} "
                f"({counted(links, 'links')} from {ids[state.stopped_from[seat]]})"
            )
    return lines + (wrapped("Stopped: ", waiting) if waiting else [])


def _cities(position: "Position") -> list[str]:
    """The cities with cubes, in columns."""
    state, ids = position.state[0], position.board.file.city_ids
    title = "Cities with cubes (R red, B blue, Y yellow, P purple, K black, - gray)"
    stocked = [city for city in range(len(ids)) if state.cubes[city].any()]
    rows = [(ids[city], _colour(state, city), _cubes(state.cubes[city])) for city in stocked]
    rotors = ":" if not any(state.dial[: len(ids)] >= 0) else "; after a /, the dial:"
    if not rows:
        return ["No city has cubes."]
    name, colour, cubes = (max(len(row[column]) for row in rows) for column in range(3))
    cells = [f"{row[0]:{name}} {row[1]:{colour}}  {row[2]:{cubes}}" for row in rows]
    return [*filled(title + rotors), *grid(cells)]


def _colour(state, city: int) -> str:
    """The letter of a city's colour, and of what its dial shows."""
    dial = int(state.dial[city])
    return _LETTERS[state.colour[city]] + (f"/{_LETTERS[dial]}" if dial >= 0 else "")


def _cubes(numbers) -> str:
    return " ".join(f"{_LETTERS[colour]}{n}" for colour, n in enumerate(numbers) if n)


def chart(position: "Position") -> list[str]:
    """The hexes as text, two characters each, with the numbers of rows and columns."""
    file, track = position.board.file, position.state[0].track
    cells = {place: f"{_GROUND[letter]} " for place, letter in file.letters.items()}
    for number, place in enumerate(file.places):
        owners = "".join(str((int(entry) - 1) // 16) for entry in track[number] if entry)
        cells[place] = f"{owners:2}" if owners else cells[place]
    for city in file.cities:
        words = city.name.split()
        cells[city.place] = (words[0][0] + words[1][0] if words[1:] else city.name[:2]).upper()
    across = max(len(row) for row in file.hexes.rows)
    numbers = "    " + "".join(f"{column:<4}" for column in range(0, across, 2)).rstrip()
    lines = [
        f"{row:>3} {' ' * (row % 2)}{''.join(cells.get((row, n), '  ') for n in range(across))}"
        for row in range(len(file.hexes.rows))
    ]
    key = filled(
        "Cities by two letters, track by its seat; . open, ~ water, ^ mountain. "
        "? NAME tells where a city lies, ? ROW,COLUMN the ridges of a hex."
    )
    return [numbers, *(line.rstrip() for line in lines), numbers, *key]


# ---------------------------------------------------------------------------- what has changed


def changes(board: "Board", before: "Position", after: "Position") -> list[str]:
    """What an action has changed beyond its own words, a short sentence each."""
    old, new = before.state[0], after.state[0]
    told = [
        *_told_of_the_auction(before, after),
        *_told_of_links(board, before, after),
        *_told_of_cubes(board, before, after),
        *_told_of_cities(board, before, after),
        *_told_of_cards(board, before, after),
    ]
    for seat in range(after.players):
        if new.engine[seat] != old.engine[seat]:
            told.append(f"seat {seat}: engine of level {new.engine[seat]}")
    told += _told_of_points(after.players, old, new)
    is_end_of_turn = old.turn > 0 and (new.turn > old.turn or after.is_over)
    if is_end_of_turn:
        told += _told_of_removals(before, after)
        incomes = [f"seat {seat} ${_income(after, seat)}k" for seat in range(after.players)]
        dividend = int(board.record[0].bond_dividend)
        told.append(f"income: {', '.join(incomes)}; dividends: ${dividend}k a bond")
    for seat in range(after.players):
        bonds = int(new.bonds[seat] - old.bonds[seat])
        if new.money[seat] != old.money[seat] or bonds:
            issued = f", {counted(bonds, 'bonds')} issued" if bonds else ""
            told.append(f"seat {seat}: ${old.money[seat]}k to ${new.money[seat]}k{issued}")
    if after.is_over:
        for seat in range(after.players):
            baron, points = board.file.baron_ids[new.barons[seat, 0]], new.baron_points[seat]
            told.append(f"seat {seat} shows the Rail Baron {baron}: {points} points")
        return [*told, f"the game is over: {after.end_reason}"]
    if old.triggered and is_end_of_turn:
        told.append("all Empty City Markers are removed")
    if new.deck_next > old.deck_next:
        told.append(f"{board.file.card_ids[new.deck[old.deck_next]]} is added to the display")
    if new.turn > old.turn:
        told.append(f"turn {new.turn} begins")
    elif new.round_number > max(1, old.round_number):
        told.append(f"round {new.round_number} begins")
    return told


def _told_of_the_auction(before: "Position", after: "Position") -> list[str]:
    old, new = before.state[0], after.state[0]
    if old.round_number > 0 or new.round_number == 0:
        return []
    order = new.order[: after.players].tolist()
    return [f"seat {order[0]} is First Player; the order is {', '.join(map(str, order))}"]


def _told_of_links(board: "Board", before: "Position", after: "Position") -> list[str]:
    old, new, file = before.state[0], after.state[0], board.file
    told = []
    for link in range(old.n_links, new.n_links):
        tiles = int(new.link_tiles[link])
        told.append(
            f"seat {new.link_owner[link]}'s link {_link(new, file.city_ids, link)} is complete, "
            f"{counted(tiles, 'tiles')}"
        )
    for line, entry in enumerate(file.major_lines):
        if new.line_owner[line] != old.line_owner[line]:
            told.append(
                f"seat {new.line_owner[line]} completes the Major Line {entry.id}, "
                f"{entry.points} points"
            )
    return told


def _owners(tracks: list[int]) -> list[int]:
    return [(track - 1) // 16 for track in tracks if track]


def _told_of_removals(before: "Position", after: "Position") -> list[str]:
    """Of unfinished links, which leave the board at the end of a turn."""
    old, new = before.state[0], after.state[0]
    owners = set()
    for there, left in zip(old.track.tolist(), new.track.tolist(), strict=True):
        gone = Counter(_owners(there)) - Counter(_owners(left))  # a tile may have been turned
        owners |= set(gone)
    if new.tiles.sum() > old.tiles.sum() and new.n_links == old.n_links:
        owners.add(before.to_move)
    return [f"seat {seat}'s unfinished track is removed" for seat in sorted(owners)]


def _told_of_cubes(board: "Board", before: "Position", after: "Position") -> list[str]:
    """Of deliveries, of cubes that stop or are lost, and of Fuel Depots taken back."""
    old, new, ids = before.state[0], after.state[0], board.file.city_ids
    told = []
    for seat in range(after.players):
        if new.cubes_lost[seat] > old.cubes_lost[seat]:
            colour = int(old.stopped[seat] if old.stopped[seat] >= 0 else new.move_colour)
            told.append(f"seat {seat}'s stopped {COLOURS[colour]} cube goes to the bag")
        if new.deliveries[seat] > old.deliveries[seat]:
            links = int(new.delivery_links[seat] - old.delivery_links[seat])
            told.append(
                f"a {COLOURS[new.move_colour]} cube comes from {ids[new.stopped_from[seat]]} to "
                f"{ids[new.move_to]} over {counted(links, 'links')}"
            )
        at = int(new.stopped_at[seat])
        if new.stopped[seat] >= 0 and (old.stopped[seat] < 0 or at != old.stopped_at[seat]):
            links = int(new.stopped_links[seat])
            told.append(
                f"a {COLOURS[new.stopped[seat]]} cube stops in {ids[at]} "
                f"after {counted(links, 'links')}"
            )
        for city, name in enumerate(ids):
            back = int(old.depots[seat, city]) - int(new.depots[seat, city])
            if back > 0:
                number = "a Fuel Depot" if back == 1 else f"{back} Fuel Depots"
                told.append(f"seat {seat} takes {number} back from {name}")
    return told


def _told_of_cities(board: "Board", before: "Position", after: "Position") -> list[str]:
    old, new, ids = before.state[0], after.state[0], board.file.city_ids
    told = []
    for city, name in enumerate(ids):
        gains = [int(new.cubes[city, c]) - int(old.cubes[city, c]) for c in range(len(COLOURS))]
        cubes = [f"{gain} {COLOURS[c]}" for c, gain in enumerate(gains) if gain > 0]
        if cubes:
            told.append(f"{name} gets {', '.join(cubes)}")
        if new.dial[city] != old.dial[city]:
            told.append(f"the dial of {name} shows {(*COLOURS, 'none')[new.dial[city]]}")
    if old.triggered:
        return told
    marked = int(new.marked)
    wanted = int(board.record[0].empty_city_markers[after.players])
    for city, name in enumerate(ids):
        if (marked ^ int(old.marked)) & bit(city):
            done = "is placed in" if marked & bit(city) else "is taken off"
            told.append(f"an Empty City Marker {done} {name} ({count(marked)} of {wanted})")
    if new.triggered and not old.triggered:
        told.append(f"that was the last marker: turn {new.last_turn} is the last")
    return told


def _told_of_cards(board: "Board", before: "Position", after: "Position") -> list[str]:
    old, new, file = before.state[0], after.state[0], board.file
    told = []
    seat = before.to_move
    for row, name in enumerate(file.card_ids):
        is_goal = board.record[0].card_symbol[row] == GREEN_CIRCLE
        if is_goal and new.shown[row] < old.shown[row]:
            told.append(f"seat {seat} earns {name}")
        if new.held[seat, row] < old.held[seat, row]:
            told.append(f"{name} is discarded")
    return told


def _told_of_points(players: int, old, new) -> list[str]:
    told = []
    for seat in range(players):
        points = [int(state.banked[seat] + state.marker[seat]) for state in (old, new)]
        parts = [
            f"{int(new[field][seat] - old[field][seat])} for {what}"
            for field, what in (
                ("delivery_points", "links"),
                ("card_points", "cards"),
                ("line_points", "a Major Line"),
            )
            if new[field][seat] > old[field][seat]
        ]
        if points[0] != points[1]:
            why = f" ({', '.join(parts)})" if parts else ""
            told.append(f"seat {seat}: {points[0]} to {points[1]} points{why}")
    return told
