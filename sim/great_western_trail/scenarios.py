"""Positions of Great Western Trail for scenario files: what can be given, and what looked at.

Keys of `given` (whatever is not given is as after set-up). Where a list has an entry for each seat,
"..." at its end stands for the seats that follow; in a table, "*" is for all that is not named.

    phase        what the seat to move is about to do: "place the cattleman" or "move" (the default:
                 whichever it is), "actions" of the building it stands on, "foresight" (it has just
                 come to Kansas City), "income", "delivery", "end of turn"
    value        8: what the phase "delivery" is worth
    left         ["hire", "hire plus 2"]: in the phase "actions", those not used yet; begun = true
                 when something has been done, as it is when `left` leaves out any
    pending      any other moment, the topmost task first, in place of `phase`:
                 [{ phase = "engine back", spaces = 2 }, { phase = "certificates", spaces = 1 }];
                 the other words of each stand in `scenario_tasks`
    acted        ["b1"]: spaces whose building acted in this turn; in the phase "actions" its own
    arrived      true: Kansas City was reached in this turn, as it is while its steps are pending
    turn, to_move   turns begun so far, and whose the last is; either follows from the other
    at           ["b", "none"]: where each cattleman stands; "none" is yet to be placed

    sides        "abbaabbaab": of the private buildings, in place of the option
    buildings    buildings.b1 = "3/1": tile 3 of seat 1; buildings.a = "C": a neutral one; "none"
    used_up      [[3], []]: tiles of each seat that left the game; those on the trail are too
    hazards      hazards.flood1 = "green_4", or "none"
    teepees      teepees."-3" = "blue", by what is gained for it, or "none"
    foresight    [["flood_green_2"], ["cowboy", "cowboy"], []], by column
    piles        the tiles under them, from the top; "..." at the end: the others as shuffled
    job          job."3" = ["cowboy", "engineer"], by row
    token_row    row of the job market token; it follows that the rows above have been filled
    token_owner  seat that ended the game
    market       ["holstein", "holstein"]: the whole cattle market; or market.holstein = 2
    cattle_stack, objective_stack     from the top; "..." at the end: the others as shuffled
    display      ["draw_5_h", "..."]: the objective cards on display, "..." for the others

    money, cowboys, craftsmen, engineers, permanent, tokens       [6, 7], by seat; the printed
                 workers count; permanent certificates follow from station masters when left out
    certificates [2, 0], by seat, as many as a space of the track has
    engine       ["7", "4.5"], by seat
    hand, discard, stack    [["jersey", "jersey", "texas_longhorn_6"], "..."], cards by seat. When
                 the stack is left out, it has the rest of the starting cards
    played, shown, secret   objective cards by seat: played, or in a hand to which all, or nobody,
                 saw them go
    tiles        [["flood_green_4", "blue_teepee"], []]: hazards and teepees that each seat has
    cleared      [["hand", "certificate", "certificate"], []]: discs taken from each player board;
    discs        or those left on it
    stations     stations."7.5" = [0, 1]: seats with a disc there
    masters      [["workers"], []]: station masters of each seat; they leave their stations
    station_masters, appointed       station_masters."7.5" = "workers", appointed."7.5" = "cowboy"
    new_york     station masters at New York City
    cities       cities.topeka = [1, 0]: discs by seat
    delivered    [["topeka"], []]: cities delivered to; when left out, those with a disc
    towns        towns.denver = [0, "none", 1]: whose branchlets are on its spaces
    medium       medium.43 = "engine_3"

What is given elsewhere is not in the piles and stacks; what is nowhere lies at their bottom, or is
out of the game where a pile or stack is given in full.

`expect` has the same keys, and `placed` (workers ever, in the job market), `tiles_laid` (hazards
and teepees), `pile_count` by column, `cattle_count` and `objective_count` of the stacks; by seat
`breeding_value` (of the hand), `steps`, `hand_limit`, `certificate_limit`, `branchlets` (left),
`hand_count`, `stack_count`, `discard_count` and the measures `turns`, `arrivals`, `deliveries`,
`income`, `best_income`, `transport`, `tolls_paid`, `tolls_earned`, `cattle_bought`, `hired` and
`removed`; and by category of the final scoring `points`: points.city = [-6, 0].
`left` is empty in other phases than "actions", and `pending` is looked at as ["delivery value=8"].
"""

from collections import Counter
from typing import TYPE_CHECKING, Any

from sim.bits import bit
from sim.errors import Mistake, nearest
from sim.great_western_trail.cards import breeding_value
from sim.great_western_trail.names import names
from sim.great_western_trail.rules import settle
from sim.great_western_trail.scenario_tasks import (
    as_text,
    encode,
    icon_set,
    icons_of,
    pending,
    tidy_task,
)
from sim.great_western_trail.scenario_values import (
    BY_SEAT,
    EXPECTED,
    GIVEN,
    KINDS,
    NONE,
    OTHERS,
    REST,
    medium_icons,
    medium_names,
    point_names,
    row_names,
    spaces_of,
    tidy,
    trade_names,
)
from sim.great_western_trail.state import (
    ACTED,
    BRANCHLETS,
    DELIVERY,
    DISPLAY,
    ENDING,
    FIRST_WORKER,
    FORESIGHT,
    HAZARD,
    INCOME,
    LEAVE_KANSAS_CITY,
    LOCAL,
    MAX_CATTLE,
    MAX_ROWS,
    MOVING,
    NEUTRAL,
    NEUTRALS,
    OUTER,
    PHASE_A,
    PHASES,
    PLACING,
    PRIVATE,
    WORKERS,
)
from sim.great_western_trail.tasks import (
    certificate_limit,
    certificates_held,
    hand_limit,
    pop,
    push,
    step_limit,
)

if TYPE_CHECKING:
    from sim.game import Position

__all__ = ["EXPECTED", "GIVEN", "give", "look", "tidy"]

_WORKER_KEYS = ("cowboys", "craftsmen", "engineers")
_PILES = ("hand", "discard", "stack")
_OBJECTIVES = ("played", "shown", "secret")
_GIVEN_PHASES = (PLACING, MOVING, LOCAL, FORESIGHT, INCOME, DELIVERY, ENDING)
_AT_THE_GOAL = (FORESIGHT, INCOME, DELIVERY)


# ---------------------------------------------------------------------------------------- giving


def give(position: "Position", given: dict[str, Any]) -> None:
    """Turn a position just dealt into the one `given` describes.

    Raises Mistake for an unknown key and for what cannot be on a table.
    """
    for key in given:
        if key not in GIVEN:
            raise Mistake(f"there is no key {key!r}{nearest(key, GIVEN)}.")
    tasks = [tidy_task(position, "pending", task) for task in given.get("pending", [])]
    if "sides" in given:
        _give_sides(position, given["sides"])
    given = {key: tidy(position, key, value) for key, value in given.items()}
    gone = _out_of_game(position)
    _give_buildings(position, given)
    _give_tiles(position, given)
    _give_discs(position, given)
    _give_players(position, given)
    _give_masters(position, given)
    _give_job_market(position, given)
    _give_piles(position, given, gone)
    _give_decks(position, given)
    _give_cattle(position, given)
    _give_objectives(position, given)
    _give_towns(position, given)
    _give_turn(position, given, tasks if "pending" in given else None)


def _by_given_seat(given: dict[str, Any], key: str) -> list[tuple[int, Any]]:
    """Seats with what is given for them, without those that "..." stands for."""
    return [(seat, value) for seat, value in enumerate(given.get(key, [])) if value != REST]


def _whole(table: dict[str, Any], known: list[str]) -> dict[str, Any]:
    """A table with what it says of all others written out."""
    if OTHERS not in table:
        return table
    return {name: table.get(name, table[OTHERS]) for name in known}


def _too_many(key: str, name: str, there: int, most: int) -> Mistake:
    return Mistake(f"{key}: {there} of {name!r} would be in the game, and there are {most}.")


# The trail


def _give_sides(position: "Position", letters: Any) -> None:
    for number, letter in enumerate(tidy(position, "sides", letters)):
        position.state[0].side[number] = "ab".index(letter)


def _give_buildings(position: "Position", given: dict[str, Any]) -> None:
    state, record, name = position.state[0], position.board.record[0], names(position.board)
    places = spaces_of(NEUTRAL, PRIVATE)(position)
    table = given.get("buildings", {})
    if OTHERS in table:
        kept = spaces_of(NEUTRAL)(position)
        table = {
            place: table.get(place, table[OTHERS])
            for place in places
            if place in table or place not in kept
        }
    for place, what in table.items():
        space = name.spaces.index(place)
        tile, _, seat = what.partition("/")
        is_neutral = tile in name.buildings[:NEUTRALS]
        if (record.space_kind[space] == NEUTRAL) != is_neutral:
            raise Mistake(f"buildings.{place} = {what!r} does not belong on such a space.")
        state.building[space] = -1 if what == NONE else name.buildings.index(tile)
        state.builder[space] = int(seat) if seat else -1
    here = [int(tile) for tile in state.building if 0 <= tile < NEUTRALS]
    if sorted(here) != list(range(NEUTRALS)):
        raise Mistake("buildings: each neutral building should stand on one space.")
    for seat in range(position.players):
        own = [
            (int(state.building[space]) - NEUTRALS) // 2
            for space in range(record.n_spaces)
            if state.builder[space] == seat
        ]
        if len(set(own)) < len(own):
            raise Mistake(f"buildings: seat {seat} has each tile once.")
        used = dict(_by_given_seat(given, "used_up")).get(seat, [])
        state.gone[seat] = sum(1 << number for number in {*own, *(tile - 1 for tile in used)})


def _give_tiles(position: "Position", given: dict[str, Any]) -> None:
    """Hazards and teepees, on the trail and of players; which spaces count as a step follows."""
    state, record, name = position.state[0], position.board.record[0], names(position.board)
    for place, tile in _whole(given.get("hazards", {}), spaces_of(HAZARD)(position)).items():
        state.hazard[name.spaces.index(place)] = -1 if tile == NONE else name.tiles.index(tile)
    trades = trade_names(position)
    for money, tile in _whole(given.get("teepees", {}), trades).items():
        state.teepee[trades.index(money)] = -1 if tile == NONE else name.tiles.index(tile)
    for seat, tiles in _by_given_seat(given, "tiles"):
        for tile, other in enumerate(name.tiles[:FIRST_WORKER]):
            state.tiles[seat, tile] = tiles.count(other)
    state.occupied = bit(int(record.n_spaces) - 1)
    for space in range(record.n_spaces):
        place = int(record.trade_of[space])
        has_teepee = place >= 0 and state.teepee[place] >= 0
        if state.building[space] >= 0 or state.hazard[space] >= 0 or has_teepee:
            state.occupied |= bit(space)


# Players


def _give_discs(position: "Position", given: dict[str, Any]) -> None:
    """Discs on player boards, stations and cities."""
    state, record, name = position.state[0], position.board.record[0], names(position.board)
    if "cleared" in given and "discs" in given:
        raise Mistake("cleared and discs say the same: give one of them.")
    for key in ("cleared", "discs"):
        for seat, discs in _by_given_seat(given, key):
            for disc, word in enumerate(name.discs):
                copies, number = int(record.disc_copies[disc]), discs.count(word)
                if number > copies:
                    raise Mistake(f"{key}: seat {seat} has {copies} of the discs {word!r}.")
                state.discs[seat, disc] = number if key == "discs" else copies - number
    for place, seats in _whole(given.get("stations", {}), name.stations).items():
        for seat in range(position.players):
            state.station_disc[seat, name.stations.index(place)] = int(seat in seats)
    cities = _whole(given.get("cities", {}), name.cities)
    for city, discs in cities.items():
        for seat, number in enumerate(discs):
            if number != REST:
                state.city_discs[seat, name.cities.index(city)] = number
    for seat in range(position.players):
        delivered = [n for n in range(len(name.cities)) if state.city_discs[seat, n]]
        state.delivered[seat] = sum(1 << city for city in delivered)
    for seat, towns in _by_given_seat(given, "delivered"):
        state.delivered[seat] = sum(1 << name.cities.index(city) for city in towns)


def _give_players(position: "Position", given: dict[str, Any]) -> None:
    state, record, name = position.state[0], position.board.record[0], names(position.board)
    for key in ("money", "tokens"):
        for seat, number in _by_given_seat(given, key):
            state[key][seat] = number
    if any(state.tokens) and not record.n_towns:
        raise Mistake("tokens belong to Rails to the North, which is not played.")
    for worker, key in enumerate(_WORKER_KEYS):
        for seat, number in _by_given_seat(given, key):
            state.workers[seat, worker] = number
    held = record.certificates.tolist()
    for seat, number in _by_given_seat(given, "certificates"):
        if number not in held:
            raise Mistake(f"certificates = {number} should be one of {held}.")
        limit = int(certificate_limit(state, record, seat))
        if held.index(number) > limit:
            raise Mistake(f"certificates = {number}: the limit of seat {seat} is {held[limit]}.")
        state.certificate[seat] = held.index(number)
    for seat, place in _by_given_seat(given, "engine"):
        state.engine[seat] = name.positions.index(place)
    engines = [place for place in state.engine[: position.players].tolist() if place]
    if len(set(engines)) < len(engines):
        raise Mistake("engine: only the start has room for several.")


def _give_masters(position: "Position", given: dict[str, Any]) -> None:
    """Station masters of players, at stations and in New York City, each of them once."""
    state, record, name = position.state[0], position.board.record[0], names(position.board)
    held = [name.masters.index(m) for _, some in _by_given_seat(given, "masters") for m in some]
    for seat, masters in _by_given_seat(given, "masters"):
        numbers = [name.masters.index(master) for master in masters]
        state.masters[seat] = sum(1 << number for number in numbers)
        state.permanent[seat] = sum(int(record.master_permanent[number]) for number in numbers)
    for seat, number in _by_given_seat(given, "permanent"):
        state.permanent[seat] = number
    table = _whole(given.get("station_masters", {}), name.stations)
    named = {
        name.stations.index(place): -1 if master == NONE else name.masters.index(master)
        for place, master in table.items()
    }
    for station, master in named.items():
        if master >= 0 and not record.station_has_master[station]:
            raise Mistake(f"station_masters: the station {name.stations[station]} has no place.")
    office = [name.masters.index(master) for master in given.get("new_york", [])]
    if office and not record.masters_in_city:
        raise Mistake("new_york belongs to Rails to the North, which is not played.")
    placed = [*held, *(master for master in named.values() if master >= 0), *office]
    for master in placed:
        if placed.count(master) > 1:
            raise Mistake(f"the station master {name.masters[master]!r} is given twice.")
    dealt = {n: int(state.station_master[n]) for n in range(len(name.stations)) if n not in named}
    kept = {n: -1 if m in held else m for n, m in dealt.items() if m in held or m not in placed}
    free = [m for m in range(len(name.masters)) if m not in [*placed, *kept.values()]]
    for station in range(len(name.stations)):
        if station in named or station in kept:
            state.station_master[station] = named.get(station, kept.get(station))
        elif dealt[station] >= 0:
            state.station_master[station] = free.pop(0) if free else -1
    if record.masters_in_city:
        there = office if "new_york" in given else free
        state.new_york = sum(1 << master for master in there)
    for place, worker in given.get("appointed", {}).items():
        number = -1 if worker == NONE else WORKERS.index(worker)
        state.station_worker[name.stations.index(place)] = number


# Supply


def _give_job_market(position: "Position", given: dict[str, Any]) -> None:
    """Workers by row. The token's row is not full, and those above it have been filled."""
    state, players = position.state[0], position.players
    for row, workers in _whole(given.get("job", {}), row_names(position)).items():
        for worker, word in enumerate(WORKERS):
            state.job[int(row) - 1, worker] = workers.count(word)
    owner = given.get("token_owner", NONE)
    state.token_owner = -1 if owner == NONE else owner
    row = int(state.placed) // players
    row = MAX_ROWS if owner != NONE else given.get("token_row", row + 1) - 1
    if row == MAX_ROWS and owner == NONE:
        raise Mistake("token_owner: the token has left the last row, so a seat has it.")
    state.placed = row * players + (int(state.job[row].sum(dtype=int)) if row < MAX_ROWS else 0)
    for number in range(MAX_ROWS):
        there = int(state.job[number].sum(dtype=int))
        most = players if number < row else players - 1 if number == row else 0
        if there > most:
            raise Mistake(
                f"job.{number + 1} = {there} is too many with the token in row {row + 1}."
            )


def _unplaced(position: "Position") -> Counter:
    """Tiles by kind that are not on the trail, nor workers, nor a player's: all in the piles."""
    state, record = position.state[0], position.board.record[0]
    left = Counter(dict(enumerate(record.pile_tiles.sum(axis=0, dtype=int).tolist())))
    left.subtract(tile for tile in [*state.hazard.tolist(), *state.teepee.tolist()] if tile >= 0)
    for seat in range(position.players):
        left.subtract(dict(enumerate(state.tiles[seat].tolist())))
    for worker in range(len(WORKERS)):
        hired = int(state.workers[: position.players, worker].sum(dtype=int)) - position.players
        hired += int((state.station_worker == worker).sum())
        left[FIRST_WORKER + worker] -= hired + int(state.job[:, worker].sum(dtype=int))
    return left


def _out_of_game(position: "Position") -> Counter:
    """Tiles by kind that are nowhere."""
    state, left = position.state[0], _unplaced(position)
    left.subtract(tile for tile in state.foresight.ravel().tolist() if tile >= 0)
    for column in range(3):
        left.subtract(_dealt(position, column))
    return left


def _dealt(position: "Position", column: int) -> list[int]:
    state = position.state[0]
    return state.pile[column, state.pile_next[column] : state.n_pile[column]].tolist()


def _give_piles(position: "Position", given: dict[str, Any], gone: Counter) -> None:
    """Foresight tiles, and the piles under them."""
    state, record, tiles = position.state[0], position.board.record[0], names(position.board).tiles
    printed = [Counter(dict(enumerate(record.pile_tiles[c].tolist()))) for c in range(3)]
    left, given_piles = _unplaced(position), given.get("piles", [[REST]] * 3)
    piles = [[tiles.index(tile) for tile in pile if tile != REST] for pile in given_piles]
    shown = [[tiles.index(tile) for tile in column] for column in given.get("foresight", [[]] * 3)]
    for column in range(3):
        here = Counter([*piles[column], *shown[column]])
        left.subtract(here)
        printed[column].subtract(here)
        for tile, number in printed[column].items():
            if number < 0:
                raise Mistake(
                    f"foresight and piles: column {column + 1} has {number + here[tile]} of "
                    f"{tiles[tile]!r}."
                )
    for tile, number in left.items():
        if number < 0:
            most = int(record.pile_tiles[:, tile].sum(dtype=int))
            raise _too_many("tiles", tiles[tile], most - number, most)
    left = Counter({tile: max(0, number - gone[tile]) for tile, number in left.items()})
    rest = [column for column in range(3) if given_piles[column][-1:] == [REST]]
    others = [list(room.elements()) for room in printed]
    for column in range(3):
        if "foresight" not in given:
            shown[column] = [tile for tile in state.foresight[column].tolist() if left[tile] > 0]
            left.subtract(shown[column])
            printed[column].subtract(shown[column])
    for order in ([_dealt(position, column) for column in range(3)], others):
        for column in rest:  # those as shuffled, then those that were dealt and lie nowhere
            for tile in order[column]:
                if printed[column][tile] > 0 and _taken(left, tile):
                    printed[column][tile] -= 1
                    piles[column].append(tile)
    for column in range(3):
        while "foresight" not in given and piles[column] and len(shown[column]) < 2:
            shown[column].append(piles[column].pop(0))
        state.foresight[column] = shown[column] + [-1] * (2 - len(shown[column]))
        every = Counter(dict(enumerate(record.pile_tiles[column].tolist())))
        state.pile_next[column] = _lay(state.pile[column], piles[column], every)


def _taken(left: Counter, card: int) -> bool:
    """Take one of a kind if any is left."""
    if left[card] <= 0:
        return False
    left[card] -= 1
    return True


def _lay(pile: Any, order: list[int], every: Counter) -> int:
    """Lay a stack at the end of its room, what is gone before it; where its top is."""
    every = every.copy()
    every.subtract(order)
    gone = list(every.elements())
    top, end = len(gone), len(gone) + len(order)
    if pile[top:end].tolist() != order:
        pile[:end] = [*gone, *order]
    return top


def _stacked(wanted: list[int], dealt: list[int], left: Counter, rest: bool) -> list[int]:
    """A stack from its top: what is named, then what was dealt, and whatever else is left."""
    if not rest:
        return wanted
    return wanted + [card for card in dealt if _taken(left, card)] + list(left.elements())


# Cards


def _give_decks(position: "Position", given: dict[str, Any]) -> None:
    """Decks of the players: without a stack given, it has the rest of the starting cards."""
    state, record = position.state[0], position.board.record[0]
    name = names(position.board)
    for key in _OBJECTIVES:
        for seat, cards in _by_given_seat(given, key):
            for kind, other in enumerate(name.objectives):
                state[key][seat, kind] = cards.count(other)
    for seat in range(position.players):
        named = [key for key in _PILES if seat in dict(_by_given_seat(given, key))]
        for key in named:
            for card, other in name.cards.items():
                state[key][seat, card] = given[key][seat].count(other)
        if named and "stack" not in named:
            for card in name.cards:
                start = int(record.start_cards[card]) if card < MAX_CATTLE else 0
                there = int(state.hand[seat, card]) + int(state.discard[seat, card])
                state.stack[seat, card] = max(0, start - there)
        for key in _PILES:
            state[f"n_{key}"][seat] = int(state[key][seat].sum(dtype=int))
        for kind, card in enumerate(name.objectives):
            there = int(state.shown[seat, kind]) + int(state.secret[seat, kind])
            if there > state.hand[seat, MAX_CATTLE + kind]:
                raise Mistake(f"shown and secret: seat {seat} has not {card!r} in hand.")
    _deal_starting_objectives(position, given)


def _deal_starting_objectives(position: "Position", given: dict[str, Any]) -> None:
    """Seats of which nothing is said have another starting card when another has theirs."""
    state, record, name = position.state[0], position.board.record[0], names(position.board)
    named = dict(_by_given_seat(given, "played"))
    for seat in range(position.players):
        if seat in named:
            continue
        for kind in range(len(name.objectives)):
            others = int(state.played[: position.players, kind].sum(dtype=int))
            if state.played[seat, kind] and others > record.starting_copies[kind]:
                state.played[seat, kind] = 0
                free = [
                    other
                    for other in range(len(name.objectives))
                    if state.played[: position.players, other].sum(dtype=int)
                    < record.starting_copies[other]
                ]
                if free:
                    state.played[seat, free[0]] = 1


def _of_players(position: "Position", card: int) -> int:
    """Copies of a card in all decks."""
    state, players = position.state[0], position.players
    return sum(int(state[key][:players, card].sum(dtype=int)) for key in _PILES)


def _give_cattle(position: "Position", given: dict[str, Any]) -> None:
    """The cattle market and its stack."""
    state, record, name = position.state[0], position.board.record[0], names(position.board)
    kinds = range(len(name.cattle))
    market = given.get("market", {})
    for cattle, number in market.items():
        state.market[name.cattle.index(cattle)] = number
    every = Counter({kind: int(record.market_cards[kind]) for kind in kinds})
    total = {kind: every[kind] + position.players * int(record.start_cards[kind]) for kind in kinds}
    wanted = [name.cattle.index(card) for card in given.get("cattle_stack", []) if card != REST]
    left = Counter(total)
    left.subtract(wanted)
    left.subtract({kind: _of_players(position, kind) for kind in kinds})
    named = [kind for kind in kinds if name.cattle[kind] in market]
    left.subtract({kind: int(state.market[kind]) for kind in named})
    for kind, number in left.items():
        if number < 0:
            raise _too_many("cards", name.cattle[kind], total[kind] - number, total[kind])
    # Starting cards that are nowhere are out of the game.
    left = Counter({kind: min(left[kind], every[kind]) for kind in kinds})
    for kind in kinds:
        if kind not in named:
            state.market[kind] = min(int(state.market[kind]), left[kind])
            left[kind] -= int(state.market[kind])
    dealt = state.cattle_stack[int(state.cattle_next) : int(state.n_cattle)].tolist()
    rest = given.get("cattle_stack", [REST])[-1:] == [REST]
    state.cattle_next = _lay(state.cattle_stack, _stacked(wanted, dealt, left, rest), every)


def _give_objectives(position: "Position", given: dict[str, Any]) -> None:
    """Objective cards on display and their stack."""
    state, record, name = position.state[0], position.board.record[0], names(position.board)
    kinds = range(len(name.objectives))
    every = Counter({kind: int(record.objective_copies[kind]) for kind in kinds})
    total = {kind: every[kind] + int(record.starting_copies[kind]) for kind in kinds}
    cards, display = given.get("objective_stack", [REST]), given.get("display", [REST])
    stack = [name.objectives.index(card) for card in cards if card != REST]
    shown = [name.objectives.index(card) for card in display if card != REST]
    left = Counter(total)
    left.subtract([*stack, *shown])
    for kind in kinds:
        played = int(state.played[: position.players, kind].sum(dtype=int))
        left[kind] -= played + _of_players(position, MAX_CATTLE + kind)
    for kind, number in left.items():
        if number < 0:
            raise _too_many("cards", name.objectives[kind], total[kind] - number, total[kind])
    left = Counter({kind: min(left[kind], every[kind]) for kind in kinds})
    dealt = [int(kind) for kind in state.display if kind >= 0]
    if display[-1:] == [REST]:
        shown += [kind for kind in dealt[: DISPLAY - len(shown)] if _taken(left, kind)]
    under = state.objective_stack[int(state.objective_next) : int(state.n_objectives)].tolist()
    others = _stacked([], under, left, cards[-1:] == [REST])
    while display[-1:] == [REST] and others and len(shown) < DISPLAY:
        shown.append(others.pop(0))
    stack += others
    if stack and len(shown) < DISPLAY:
        raise Mistake(
            f"display: it has {DISPLAY} cards while any are in the stack; write '...' at its end "
            "for the others."
        )
    state.display[:] = shown + [-1] * (DISPLAY - len(shown))
    state.objective_next = _lay(state.objective_stack, stack, every)


# Rails to the North


def _give_towns(position: "Position", given: dict[str, Any]) -> None:
    """Branchlets in towns; the others are left to their seats."""
    state, record, name = position.state[0], position.board.record[0], names(position.board)
    for place, owners in _whole(given.get("towns", {}), name.towns).items():
        there = [owner for owner in owners if owner != NONE]
        if len(set(there)) < len(there):
            raise Mistake(f"towns.{place}: a seat has at most one branchlet in a town.")
        for space, owner in enumerate(owners):
            state.town[name.towns.index(place), space] = -1 if owner == NONE else owner
    for seat in range(position.players):
        own = [n for n in range(record.n_towns) if seat in state.town[n].tolist()]
        if len(own) > BRANCHLETS:
            raise Mistake(f"towns: seat {seat} has {BRANCHLETS} branchlets.")
        state.towns[seat] = sum(bit(town) for town in own)
        state.branchlets[seat] = BRANCHLETS - len(own)
    for place, icon in given.get("medium", {}).items():
        state.medium[name.towns.index(place)] = medium_icons(position).index(icon)
    for kind, icon in enumerate(medium_icons(position)):
        there = int((state.medium[: record.n_towns] == kind).sum())
        if "medium" in given and there > record.medium_copies[kind]:
            raise _too_many("medium", icon, there, int(record.medium_copies[kind]))


# The turn


def _give_turn(position: "Position", given: dict[str, Any], tasks: list[dict] | None) -> None:
    """Whose turn it is, and what is pending in it."""
    state, name, players = position.state[0], names(position.board), position.players
    for seat, place in _by_given_seat(given, "at"):
        state.at[seat] = -1 if place == NONE else name.spaces.index(place)
    mover = given.get("to_move", (given["turn"] - 1) % players if given.get("turn") else 0)
    phase = None if tasks is not None else _phase_meant(position, given, mover)
    first_turns = phase == PLACING or tasks is not None and int(state.at[mover]) < 0
    turn = given.get("turn", mover + 1 + (0 if first_turns else players))
    if turn < 1 or (turn - 1) % players != mover:
        raise Mistake(f"turn = {turn} is a turn of seat {(turn - 1) % players}, not of {mover}.")
    state.to_move, state.turn = mover, turn
    for seat in range(players):
        state.turns[seat] = len(range(seat + 1, turn + 1, players))
    while state.n_tasks:
        pop(state)
    push(state, ENDING, 0, 0, 0)
    stack = [encode(position, task) for task in tasks or []]
    stack += [] if phase is None else _stack_of_phase(position, given, phase)
    for task, one, two, optional in reversed(stack):
        push(state, task, one, two, optional)
    here = int(state.at[mover])
    acted = [name.spaces.index(place) for place in given.get("acted", [])]
    if phase == LOCAL and "acted" not in given:
        acted = [here]
    state.copied = sum(bit(space) for space in acted)
    is_there = any(task == LEAVE_KANSAS_CITY for task, *_ in stack)
    state.reached_goal = int(given.get("arrived", is_there))
    settle(state, position.board.record[0])


def _phase_meant(position: "Position", given: dict[str, Any], mover: int) -> int:
    """The phase given, or that of a seat about to move; it fits the place of its cattleman."""
    state, name = position.state[0], names(position.board)
    goal = len(name.spaces) - 1
    default = PLACING if state.at[mover] < 0 else MOVING
    phase = PHASES.index(given.get("phase", PHASES[default]))
    if phase not in _GIVEN_PHASES:
        choices = ", ".join(repr(PHASES[choice]) for choice in _GIVEN_PHASES)
        raise Mistake(
            f"phase = {PHASES[phase]!r} is reached by playing, or given as pending; give one of "
            f"{choices}."
        )
    for key, owner in (("left", LOCAL), ("begun", LOCAL), ("value", DELIVERY)):
        if key in given and phase != owner:
            raise Mistake(f"{key} is for the phase {PHASES[owner]!r}.")
    if phase == DELIVERY and "value" not in given:
        raise Mistake("the key 'value' is missing: what the delivery is worth.")
    if phase in _AT_THE_GOAL and "at" not in given:
        state.at[mover] = goal
    here = int(state.at[mover])
    place = name.spaces[here] if here >= 0 else NONE
    is_right = {
        PLACING: here < 0,
        MOVING: 0 <= here < goal,
        LOCAL: 0 < here < goal and int(state.occupied) & bit(here),
        ENDING: here >= 0,
    }.get(phase, here == goal)
    if not is_right:
        raise Mistake(f"at: the cattleman of seat {mover} cannot be at {place!r} in this phase.")
    return phase


def _stack_of_phase(
    position: "Position", given: dict[str, Any], phase: int
) -> list[tuple[int, int, int, int]]:
    """The tasks of a phase, the topmost first, as the rules keep them."""
    state, record = position.state[0], position.board.record[0]
    mover, leave = int(state.to_move), (LEAVE_KANSAS_CITY, 0, 0, 0)
    if phase == PLACING:
        return [(PLACING, 0, 0, 0)]
    if phase == MOVING:
        return [(MOVING, int(step_limit(state, record, mover)), PHASE_A, 0)]
    if phase == LOCAL:
        space = int(state.at[mover])
        there = [icon for icon in icons_of(position, space) if icon]
        if int(state.builder[space]) not in (-1, mover) or state.building[space] < 0:
            there = []
        left = given.get("left", there)
        begun = given.get("begun", sorted(left) != sorted(there))
        bits = icon_set(position, space, left) | OUTER | (ACTED if begun else 0)
        return [(LOCAL, space, bits, 0)]
    if phase == FORESIGHT:
        return [*((FORESIGHT, column, 0, 0) for column in range(3)), (INCOME, 0, 0, 0), leave]
    if phase == INCOME:
        return [(INCOME, 0, 0, 0), leave]
    if phase == DELIVERY:
        return [(DELIVERY, given["value"], 0, 0), leave]
    return []


# --------------------------------------------------------------------------------------- looking


def look(position: "Position", key: str) -> Any:
    """What a key of `EXPECTED` is now; names sorted where their order means nothing."""
    if key in _LOOKS:
        return _LOOKS[key](position)
    state = position.state[0]
    if key in _WORKER_KEYS:
        return _by_seat(position, lambda seat: int(state.workers[seat, _WORKER_KEYS.index(key)]))
    if key in _PILES:
        cards = names(position.board).cards
        return _by_seat(
            position, lambda seat: _several(cards.values(), (state[key][seat, c] for c in cards))
        )
    if key in _OBJECTIVES:
        objectives = names(position.board).objectives
        return _by_seat(position, lambda seat: _several(objectives, state[key][seat]))
    if KINDS[key] in (BY_SEAT, "workers by seat"):
        field = state[f"n_{key.removesuffix('_count')}" if key.endswith("_count") else key]
        return [int(number) for number in field[: position.players]]
    return int(state[key])


def _by_seat(position: "Position", read) -> list:
    return [read(seat) for seat in range(position.players)]


def _several(words, numbers) -> list[str]:
    """Sorted names, each as often as it is there."""
    pairs = zip(words, numbers, strict=False)
    return sorted(word for word, number in pairs for _copy in range(int(number)))


def _members(words: list[str], bits: int) -> list[str]:
    return sorted(word for number, word in enumerate(words) if bits >> number & 1)


def _named_or_none(words: list[str], number: int) -> str:
    return words[number] if number >= 0 else NONE


def _seat_or_none(number: int) -> Any:
    return int(number) if number >= 0 else NONE


def _rule(kernel):
    """A figure of the rules, for each seat."""
    return lambda position: _by_seat(
        position, lambda seat: int(kernel(position.state[0], position.board.record[0], seat))
    )


def _look_at_local(position: "Position", key: str) -> Any:
    tasks = pending(position)
    task = tasks[0] if tasks and tasks[0]["phase"] == PHASES[LOCAL] else {}
    return sorted(task.get("left", [])) if key == "left" else bool(task.get("begun", False))


def _look_at_value(position: "Position") -> int:
    state = position.state[0]
    return int(state.one[int(state.n_tasks) - 1]) if state.phase == DELIVERY else 0


def _look_at_acted(position: "Position") -> list[str]:
    spaces, copied = names(position.board).spaces, int(position.state[0].copied)
    return sorted(place for space, place in enumerate(spaces) if copied & bit(space))


def _look_at_certificate_limit(position: "Position") -> list[int]:
    state, record = position.state[0], position.board.record[0]
    return _by_seat(
        position, lambda seat: int(record.certificates[certificate_limit(state, record, seat)])
    )


def _look_at_discs(position: "Position", is_left: bool) -> list[list[str]]:
    state, record, discs = position.state[0], position.board.record[0], names(position.board).discs
    return _by_seat(
        position,
        lambda seat: _several(
            discs, state.discs[seat] if is_left else record.disc_copies - state.discs[seat]
        ),
    )


def _look_at_used_up(position: "Position") -> list[list[int]]:
    state, numbers = position.state[0], range(int(position.board.record[0].n_numbers))
    return _by_seat(
        position, lambda seat: [n + 1 for n in numbers if int(state.gone[seat]) >> n & 1]
    )


def _look_at_buildings(position: "Position") -> dict[str, str]:
    state, name = position.state[0], names(position.board)
    found = {}
    for place in spaces_of(NEUTRAL, PRIVATE)(position):
        space = name.spaces.index(place)
        building, seat = int(state.building[space]), int(state.builder[space])
        tile = name.buildings[building] if building >= 0 else NONE
        found[place] = f"{tile}/{seat}" if seat >= 0 else tile
    return found


def _look_at_hazards(position: "Position") -> dict[str, str]:
    state, name = position.state[0], names(position.board)
    return {
        place: _named_or_none(name.tiles, int(state.hazard[name.spaces.index(place)]))
        for place in spaces_of(HAZARD)(position)
    }


def _look_at_teepees(position: "Position") -> dict[str, str]:
    state, tiles = position.state[0], names(position.board).tiles
    return {
        money: _named_or_none(tiles, int(state.teepee[place]))
        for place, money in enumerate(trade_names(position))
    }


def _look_at_piles(position: "Position") -> list[list[str]]:
    state, tiles = position.state[0], names(position.board).tiles
    return [
        [tiles[tile] for tile in state.pile[c, int(state.pile_next[c]) : int(state.n_pile[c])]]
        for c in range(3)
    ]


def _look_at_stack(position: "Position", field: str, count: str, known: list[str]) -> list[str]:
    state = position.state[0]
    stack = state[f"{field}_stack"][int(state[f"{field}_next"]) : int(state[count])]
    return [known[card] for card in stack]


def _cattle_stack(position: "Position") -> list[str]:
    return _look_at_stack(position, "cattle", "n_cattle", names(position.board).cattle)


def _objective_stack(position: "Position") -> list[str]:
    return _look_at_stack(position, "objective", "n_objectives", names(position.board).objectives)


def _look_at_stations(position: "Position", read) -> dict[str, Any]:
    return {place: read(n) for n, place in enumerate(names(position.board).stations)}


def _look_at_seats_at_stations(position: "Position") -> dict[str, list[int]]:
    discs = position.state[0].station_disc
    return _look_at_stations(
        position, lambda n: [seat for seat in range(position.players) if discs[seat, n]]
    )


def _look_at_points(position: "Position") -> dict[str, list[int]]:
    measures = position.measures()
    return {
        name: [int(points) for points in measures[f"{name}_points"]]
        for name in point_names(position)
    }


_LOOKS = {
    "phase": lambda position: PHASES[int(position.state[0].phase)],
    "left": lambda position: _look_at_local(position, "left"),
    "begun": lambda position: _look_at_local(position, "begun"),
    "value": _look_at_value,
    "pending": lambda position: [as_text(task) for task in pending(position)],
    "acted": _look_at_acted,
    "arrived": lambda position: bool(position.state[0].reached_goal),
    "at": lambda position: _by_seat(
        position,
        lambda seat: _named_or_none(names(position.board).spaces, int(position.state[0].at[seat])),
    ),
    "sides": lambda position: "".join(
        "ab"[int(side)] for side in position.state[0].side[: position.board.record[0].n_numbers]
    ),
    "buildings": _look_at_buildings,
    "used_up": _look_at_used_up,
    "hazards": _look_at_hazards,
    "teepees": _look_at_teepees,
    "foresight": lambda position: [
        sorted(names(position.board).tiles[tile] for tile in column if tile >= 0)
        for column in position.state[0].foresight
    ],
    "piles": _look_at_piles,
    "pile_count": lambda position: [len(pile) for pile in _look_at_piles(position)],
    "tiles_laid": lambda position: int(
        (position.state[0].hazard >= 0).sum() + (position.state[0].teepee >= 0).sum()
    ),
    "job": lambda position: {
        row: _several(WORKERS, position.state[0].job[number])
        for number, row in enumerate(row_names(position))
    },
    "token_row": lambda position: int(position.state[0].placed) // position.players + 1,
    "token_owner": lambda position: _seat_or_none(position.state[0].token_owner),
    "market": lambda position: {
        card: int(position.state[0].market[kind])
        for kind, card in enumerate(names(position.board).cattle)
    },
    "cattle_stack": _cattle_stack,
    "cattle_count": lambda position: len(_cattle_stack(position)),
    "display": lambda position: sorted(
        names(position.board).objectives[kind] for kind in position.state[0].display if kind >= 0
    ),
    "objective_stack": _objective_stack,
    "objective_count": lambda position: len(_objective_stack(position)),
    "certificates": _rule(certificates_held),
    "steps": _rule(step_limit),
    "hand_limit": _rule(hand_limit),
    "certificate_limit": _look_at_certificate_limit,
    "breeding_value": lambda position: _by_seat(
        position,
        lambda seat: int(breeding_value(position.state[0], position.board.record[0], seat)),
    ),
    "engine": lambda position: _by_seat(
        position, lambda seat: names(position.board).positions[position.state[0].engine[seat]]
    ),
    "tiles": lambda position: _by_seat(
        position, lambda seat: _several(names(position.board).tiles, position.state[0].tiles[seat])
    ),
    "cleared": lambda position: _look_at_discs(position, False),
    "discs": lambda position: _look_at_discs(position, True),
    "stations": _look_at_seats_at_stations,
    "station_masters": lambda position: _look_at_stations(
        position,
        lambda station: _named_or_none(
            names(position.board).masters, int(position.state[0].station_master[station])
        ),
    ),
    "appointed": lambda position: _look_at_stations(
        position,
        lambda station: _named_or_none(
            list(WORKERS), int(position.state[0].station_worker[station])
        ),
    ),
    "new_york": lambda position: _members(
        names(position.board).masters, int(position.state[0].new_york)
    ),
    "masters": lambda position: _by_seat(
        position,
        lambda seat: _members(names(position.board).masters, int(position.state[0].masters[seat])),
    ),
    "cities": lambda position: {
        city: [int(number) for number in position.state[0].city_discs[: position.players, n]]
        for n, city in enumerate(names(position.board).cities)
    },
    "delivered": lambda position: _by_seat(
        position,
        lambda seat: _members(names(position.board).cities, int(position.state[0].delivered[seat])),
    ),
    "towns": lambda position: {
        town: [_seat_or_none(owner) for owner in position.state[0].town[n]]
        for n, town in enumerate(names(position.board).towns)
    },
    "medium": lambda position: {
        town: _named_or_none(
            medium_icons(position),
            int(position.state[0].medium[names(position.board).towns.index(town)]),
        )
        for town in medium_names(position)
    },
    "points": _look_at_points,
}
