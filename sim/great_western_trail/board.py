"""A board file of Great Western Trail: read, and turned into the record that rules use."""

import functools
import re
import tomllib
from collections import Counter
from pathlib import Path

import numpy as np

from sim import board_file
from sim.contract import record
from sim.errors import Mistake
from sim.great_western_trail.board_entries import (
    CARDS,
    KANSAS_CITY,
    OFFICE,
    SAN_FRANCISCO,
    BoardFile,
    Objective,
)
from sim.great_western_trail.board_faults import faults_of
from sim.great_western_trail.options import GreatWesternTrailOptions
from sim.great_western_trail.state import (
    BLACK_HAND,
    BLUE_TEEPEE,
    BOARD,
    COUNTED,
    DISCS,
    FIRST_WORKER,
    GOAL,
    GREEN_HAND,
    GREEN_TEEPEE,
    HANDS,
    HAZARD_KINDS,
    HAZARD_TYPES,
    ICON_KINDS,
    LAST_NUMBER,
    MASTER_TASKS,
    NEED_CODES,
    NEUTRAL,
    NEUTRALS,
    SLOTS,
    SPACE_KINDS,
    TIES,
    TOWN_TYPES,
    TRADES,
    WORKERS,
)
from sim.layout import counted

CHICAGO_DETROIT = {"Chicago", "Detroit"}  # the pair of the option of that name
OBJECTIVE = "objective"  # icon of the same option

Icons = dict[str | None, int]  # number of each icon; -1 for none


def read(document: dict, where: str) -> BoardFile:
    """The checked board; `where` names its file. Raises Mistake that lists every violation."""
    return board_file.read(BoardFile, document, where, faults_of)


@functools.cache
def shared_rules() -> dict:
    """What `rules.toml` holds: the basis of the options."""
    return tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))


def fill(board: BoardFile, options: GreatWesternTrailOptions) -> np.ndarray:
    """The BOARD record (an array of length 1) for a board and options.

    Raises Mistake when the options cannot be used on the board.
    """
    faults = _option_faults(board, options)
    if faults:
        raise Mistake(f"{'; '.join(faults)}.")
    records = record(BOARD)
    out = records[0]
    out.great_western_trail_board = 1
    north = options.rails_to_the_north
    icon: Icons = {name: number for number, name in enumerate(board.icon_names)} | {None: -1}
    _fill_icons(out, board, icon)
    _fill_player_board(out, board, icon, north)
    _fill_trail(out, board, icon, options.teepee_order)
    _fill_tiles(out, board)
    _fill_buildings(out, board, icon, options)
    _fill_cards(out, board, icon)
    _fill_railroad(out, board, icon, north)
    _fill_cities(out, board, icon, options)
    _fill_towns(out, board, icon, north)
    _fill_options(out, options)
    return records


def _option_faults(board: BoardFile, options: GreatWesternTrailOptions) -> list[str]:
    name = board.meta.name
    if options.rails_to_the_north and not board.towns:
        return [f"rails_to_the_north = true is not possible: {name!r} has no extension board"]
    faults = []
    stack = len(board.market_values)
    for players, cards in options.market_size.model_dump(by_alias=True).items():
        if cards > stack:
            faults.append(
                f"market_size.{players} = {cards} is more than the "
                f"{counted(stack, 'cattle cards')} of {name!r}"
            )
    for players, workers in options.workers_at_start.model_dump(by_alias=True).items():
        pile = sum(sum(pile.workers) for pile in board.piles if pile.number == 2)
        if workers > pile:
            faults.append(
                f"workers_at_start.{players} = {workers} is more than the "
                f"{counted(pile, 'workers')} in pile 2 of {name!r}"
            )
    places = _fillable(board)
    if options.tiles_at_start > places:
        faults.append(
            f"tiles_at_start = {options.tiles_at_start} is more than the "
            f"{counted(places, 'tiles')} of pile 1 that {name!r} has spaces for"
        )
    if options.chicago_detroit == "objective_and_3" and OBJECTIVE not in board.icon_names:
        faults.append(
            f"chicago_detroit = 'objective_and_3' is not possible: {name!r} has no icon "
            f"{OBJECTIVE!r}"
        )
    sides = options.building_sides
    numbers = len(board.used("buildings", options.rails_to_the_north)) // 2
    if sides != "random" and len(sides) not in (1, numbers):
        faults.append(
            f"building_sides = {sides!r} has {counted(len(sides), 'letters')} and should have one "
            f"for each of the {counted(numbers, 'private buildings')}"
        )
    return faults


def _fillable(board: BoardFile) -> int:
    """Tiles of pile 1 that find a space on the trail, whatever their order."""
    pile = next(pile for pile in board.piles if pile.number == 1)
    of_a_type = sum(hazard.copies for hazard in board.hazards) if pile.hazards else 0
    teepees = pile.green_teepees + pile.blue_teepees
    return len(HAZARD_TYPES) * min(SLOTS, of_a_type) + min(TRADES, teepees)


def _fill_icons(out: np.record, board: BoardFile, icon: Icons) -> None:
    types = {cattle.name: number for number, cattle in enumerate(board.cattle)}
    cards = CARDS | types | {None: -1}
    out.icon_card[:] = out.icon_then[:] = out.icon_other[:] = -1
    for number, entry in enumerate(board.icons):
        out.icon_kind[number] = ICON_KINDS.index(entry.kind)
        alone = 1 if entry.kind == "give" else 0
        out.icon_amount[number] = alone if entry.amount is None else entry.amount
        out.icon_counts[number] = COUNTED.index(entry.counts or "one")
        out.icon_money[number] = entry.money or 0
        out.icon_certificates[number] = entry.certificates or 0
        out.icon_card[number] = cards[entry.card]
        out.icon_then[number] = icon[entry.then]
        if entry.either:
            out.icon_other[number] = [icon[name] for name in entry.either]


def _fill_player_board(out: np.record, board: BoardFile, icon: Icons, north: bool) -> None:
    out.auxiliary[:] = out.worker_icon[:] = -1
    for disc in board.used("discs", north):
        number = DISCS.index(disc.name)
        out.disc_copies[number] = disc.copies
        out.disc_black[number] = disc.corner == "black"
        out.disc_cost[number] = disc.cost
    for entry in board.used("auxiliary", north):
        number = DISCS.index(entry.name)
        out.auxiliary[number] = icon[entry.single], icon[entry.double]
        out.open_from_start[number] = out.disc_copies[number] < 2
    for entry in board.worker_spaces:
        out.worker_icon[WORKERS.index(entry.worker), entry.place] = icon[entry.icon]
    out.certificates[:] = board.certificate_track.spaces


def _fill_trail(out: np.record, board: BoardFile, icon: Icons, teepee_order: str) -> None:
    index = {name: number for number, name in enumerate(board.space_names)}
    out.n_spaces = len(board.spaces)
    out.next[:] = out.fork[:] = out.risk[:] = out.trade_of[:] = -1
    forks = 0
    slots: Counter[str] = Counter()
    trades = board.trades
    if teepee_order == "minus_one_first" and -1 in trades:
        trades = [-1, *(trade for trade in trades if trade != -1)]
    out.trade_money[:] = trades
    for number, space in enumerate(board.spaces):
        out.space_kind[number] = SPACE_KINDS.index(space.kind)
        out.next[number, : len(space.next)] = [index[name] for name in space.next]
        if len(space.next) == 2:
            out.fork[number] = forks
            forks += 1
        out.woods[number] = space.woods
        out.risk[number] = icon[space.risk]
        if space.hazard:
            out.hazard_space[HAZARD_TYPES.index(space.hazard), slots[space.hazard]] = number
            slots[space.hazard] += 1
        if space.trade is not None:
            out.trade_of[number] = trades.index(space.trade)
    out.neutral_space[:] = [index[tile.name] for tile in board.neutral_buildings]
    for number in range(len(board.spaces) - 2, -1, -1):  # from Kansas City back
        ahead = [
            int(out.stops_left[after]) + (out.space_kind[after] in (NEUTRAL, GOAL))
            for after in out.next[number]
            if after >= 0
        ]
        out.stops_left[number] = min(ahead)
    for entry in board.players:
        out.toll[entry.players] = [0, entry.green, entry.black, entry.green + entry.black]
        out.steps[entry.players] = entry.steps


def _fill_tiles(out: np.record, board: BoardFile) -> None:
    hands = {"green": GREEN_HAND, "black": BLACK_HAND}
    for pile in board.piles:
        tiles = out.pile_tiles[pile.number - 1]
        for kind, hazard in enumerate(board.hazards):
            for number in range(kind, GREEN_TEEPEE, HAZARD_KINDS):
                out.tile_hand[number] = hands[hazard.hand]
                out.tile_points[number] = hazard.points
                tiles[number] = hazard.copies if pile.hazards else 0
        tiles[GREEN_TEEPEE], tiles[BLUE_TEEPEE] = pile.green_teepees, pile.blue_teepees
        tiles[FIRST_WORKER : FIRST_WORKER + len(WORKERS)] = pile.workers
    out.tile_hand[GREEN_TEEPEE], out.tile_hand[BLUE_TEEPEE] = GREEN_HAND, BLACK_HAND
    out.row_cost[:] = board.job_market.costs
    for row in board.job_market.refills:
        out.row_refills[row - 1] = 1


def _fill_buildings(
    out: np.record, board: BoardFile, icon: Icons, options: GreatWesternTrailOptions
) -> None:
    private = board.used("buildings", options.rails_to_the_north)
    out.building_icon[:] = -1
    for number, tile in enumerate(board.neutral_buildings):
        out.building_icon[number, : len(tile.icons)] = [icon[name] for name in tile.icons]
    for tile in private:
        number = NEUTRALS + (tile.number - 1) * 2 + tile.side
        out.building_icon[number, : len(tile.icons)] = [icon[name] for name in tile.icons]
        out.craftsmen[number] = tile.craftsmen
        out.building_points[number] = tile.points
        out.building_hand[number] = HANDS.index(tile.hand)
    out.n_numbers = len(private) // 2
    sides = options.building_sides
    sides = sides * out.n_numbers if len(sides) == 1 else sides
    out.side_of[:] = -1
    if sides != "random":
        out.side_of[: out.n_numbers] = ["ab".index(side) for side in sides]


def _fill_cards(out: np.record, board: BoardFile, icon: Icons) -> None:
    kinds = {kind: number for number, kind in enumerate(board.cattle_kinds)}
    out.n_types, out.n_cattle = len(board.cattle), len(kinds)
    for number, cattle in enumerate(board.cattle):
        out.breeding[number] = cattle.value
        for points in cattle.points:
            kind = kinds[cattle.name, points]
            out.cattle_type[kind], out.cattle_points[kind] = number, points
            out.market_cards[kind] = cattle.market.count(points)
        if cattle.start:
            out.start_cards[kinds[cattle.name, 0]] = cattle.start
    out.n_buys = len(board.buying)
    for number, line in enumerate(board.buying):
        out.buy_breeding[number] = line.value
        out.buy_cowboys[number] = line.cowboys
        out.buy_cost[number] = line.cost
        out.buy_cards[number] = line.cards
    out.n_objectives = len(board.objective_kinds)
    out.objective_icon[:] = -1
    for number, card in enumerate(board.objective_kinds):
        out.objective_need[number] = [card.needs.count(code) for code in NEED_CODES]
        out.objective_points[number] = card.points
        if isinstance(card, Objective):
            out.objective_penalty[number] = card.penalty
            out.objective_icon[number] = icon[card.icon]
            out.objective_copies[number] = card.copies
        else:
            out.starting_copies[number] = 1


def _fill_railroad(out: np.record, board: BoardFile, icon: Icons, north: bool) -> None:
    out.turnout[:] = out.turnout_after[:] = out.station_at[:] = out.station_position[:] = -1
    stations = board.used("stations", north)
    turnouts = sorted(station.after for station in board.stations if station.after)
    for number, after in enumerate(turnouts, LAST_NUMBER + 1):
        out.turnout[after], out.turnout_after[number] = number, after
    crosses = np.array(board.railroad.crosses)
    for position in range(LAST_NUMBER + 1):
        out.crosses_before[position] = np.count_nonzero(crosses < position)
    for position, after in enumerate(turnouts, LAST_NUMBER + 1):
        out.crosses_before[position] = np.count_nonzero(crosses <= after)
    out.n_stations = len(stations)
    for number, station in enumerate(stations):
        out.station_cost[number] = station.cost
        out.station_points[number] = station.points
        out.station_black[number] = station.corner == "black"
        out.station_has_master[number] = station.master
        if station.town is None:
            position = station.at or int(out.turnout[station.after])
            out.station_position[number], out.station_at[position] = position, number
    masters = board.used("masters", north)
    out.n_masters = len(masters)
    out.master_icon[:] = -1
    for number, master in enumerate(masters):
        out.master_icon[number] = icon[master.icon]
        out.master_permanent[number] = master.permanent
        out.master_task[number] = MASTER_TASKS.index(master.task)
        out.master_points[number] = master.points
    if north:
        out.masters_in_city = len(masters) - sum(station.master for station in stations)


def _fill_cities(
    out: np.record, board: BoardFile, icon: Icons, options: GreatWesternTrailOptions
) -> None:
    north = options.rails_to_the_north
    cities = board.strip(north)
    names = [city.name for city in cities]
    towns = [town.name for town in board.towns] if north else []
    out.n_cities = len(cities)
    out.city_icon[:] = out.city_town[:] = out.pair_icon[:] = -1
    for number, city in enumerate(cities):
        out.city_value[number] = city.value
        out.city_black[number] = city.corner == "black"
        out.city_repeats[number] = city.repeats
        out.city_money[number] = city.money
        out.city_points[number] = city.points
        out.city_bell_points[number] = city.bell_points
        out.city_icon[number] = icon[city.icon]
        out.city_gift[number] = city.gift
        if city.name in towns:
            out.city_town[number] = towns.index(city.name)
    out.kansas_city = names.index(KANSAS_CITY)
    out.san_francisco = names.index(SAN_FRANCISCO) if SAN_FRANCISCO in names else -1
    pairs = board.pairs_north if north else board.pairs
    out.n_pairs = len(pairs)
    for number, pair in enumerate(pairs):
        out.pair[number] = [names.index(name) for name in pair.cities]
        points, name, gift = pair.points, pair.icon, pair.gift
        if set(pair.cities) == CHICAGO_DETROIT and options.chicago_detroit == "objective_and_3":
            points, name, gift = 0, OBJECTIVE, 3
        out.pair_points[number], out.pair_icon[number] = points, icon[name]
        out.pair_gift[number] = gift


def _fill_towns(out: np.record, board: BoardFile, icon: Icons, north: bool) -> None:
    out.town_icon[:] = out.town_station[:] = out.medium_icon[:] = -1
    if not north:
        return
    out.n_towns = len(board.towns)
    index = {town.name: number for number, town in enumerate(board.towns)}
    cities = {city.name: number for number, city in enumerate(board.cities_north)}
    areas = list(dict.fromkeys(town.area for town in board.towns))
    for number, town in enumerate(board.towns):
        out.town_area[number] = areas.index(town.area)
        out.town_type[number] = TOWN_TYPES.index(town.type)
        out.town_money[number, : len(town.money)] = town.money
        out.town_icon[number, : len(town.icons)] = [icon[name] for name in town.icons]
    for number, station in enumerate(board.stations_north, len(board.stations)):
        out.town_station[index[station.town]] = number
    for ends in board.links.joins:
        for one, other in (ends, ends[::-1]):
            if one not in index:
                continue
            if other in index:
                out.beside[index[one]] |= 1 << index[other]
            elif other == OFFICE:
                out.town_office[index[one]] = 1
            else:
                out.town_cities[index[one]] |= 1 << cities[other]
    for number, tile in enumerate(board.medium_tiles):
        out.medium_icon[number], out.medium_copies[number] = icon[tile.icon], tile.copies
    out.bell_token[board.bells.tokens] = 1


def _fill_options(out: np.record, options: GreatWesternTrailOptions) -> None:
    for name, value in options:
        if name in BOARD.names and isinstance(value, int):
            out[name] = value
    for name in ("market_size", "workers_at_start"):
        for players, value in getattr(options, name).model_dump(by_alias=True).items():
            out[name][int(players)] = value
    out.starting_money[:] = list(options.starting_money.model_dump().values())
    if not options.rails_to_the_north:
        out.start_tokens = 0
    out.neutral_random = options.neutral_buildings == "random"
    out.tie = TIES.index(options.tie)
    out.end_turnout_counts = options.extraordinary_counts_end_turnout
    out.extraordinary_pays = options.extraordinary_kansas_city_pays
    out.copied_risk = options.copied_risk_action
    out.phase_b_required = options.something_in_phase_b
    out.first_on_private = options.first_placement_on_private


def elements(board: BoardFile) -> list[str]:
    """What `usage` counts: the spaces of the trail, as a reader sees them."""
    return [KANSAS_CITY if space.kind == "goal" else shown(space.name) for space in board.spaces]


def shown(name: str) -> str:
    """The name of a space as a reader sees it.

    >>> shown("a1"), shown("flood1"), shown("flood_risk1")
    ('A1', 'Flood 1', 'Flood risk 1')
    """
    words = re.sub(r"(?<=[a-z]{2})(?=[0-9])", " ", name.replace("_", " "))
    return words[:1].upper() + words[1:]
