"""Every kind of decision, put to the player to move in positions deep in a game.

Random play comes to most of them seldom: here the compiled rules are asked each of them in each
position, and the reference what the answer should be.
"""

import random
from collections.abc import Iterator

import pytest

from sim.game import Position
from sim.great_western_trail.state import (
    AUXILIARY,
    BEHIND,
    BUILDING,
    BUYING,
    BY_ACTION,
    CERTIFICATES,
    CHOOSING,
    CLEARING,
    COPYING,
    DELIVERY,
    DISC,
    ENGINE,
    ENGINE_BACK,
    FORESIGHT,
    FREE_CARD,
    GIVE,
    GIVING,
    HIRING,
    INCOME,
    LOCAL,
    MASTERS,
    MOVING,
    OBJECTIVES,
    OUTER,
    PHASE_A,
    SITE,
    TOLL_FREE,
    TOWN,
    TRADING,
    UPGRADING,
)
from tests.reference.great_western_trail import DONE, Reference
from tests.sim.great_western_trail.midgame import midgame
from tests.sim.great_western_trail.plain import GAME, action, names_of, reference
from tests.sim.great_western_trail.test_against_reference import random_board, random_settings


def put(position: Position, *tasks: tuple[int, int, int]) -> Position:
    """The position with other tasks instead of the move of phase A, the last on top."""
    other = position.copy()
    state = other.state[0]
    for place, (task, one, two) in enumerate(tasks, int(state.n_tasks) - 1):
        state.task[place], state.one[place], state.two[place] = task, one, two
        state.n_tasks = place + 1
        state.phase = task
    return other


def asked(position: Position, twin: Reference) -> set[tuple]:
    """What the compiled rules let the player do."""
    codes = position.legal_codes().tolist()
    actions = {action(position, code, twin) for code in codes}
    assert len(actions) == len(codes)
    return actions


def decisions(position: Position, twin: Reference) -> Iterator[tuple[tuple[int, int, int], set]]:
    """Tasks, and the actions that the reference allows."""
    names, seat = names_of(position.board), twin.seat
    for steps in range(1, 8):
        yield (MOVING, steps, PHASE_A), twin.moves(steps) | twin.plays()
        yield (MOVING, steps, BY_ACTION), twin.moves(steps)
        yield (MOVING, steps, TOLL_FREE), twin.moves(steps, True)
    for spaces in range(1, 12):
        yield (ENGINE, spaces, 0), {("engine", one) for one in twin.forward(spaces)}
        yield (ENGINE_BACK, spaces, 0), {("engine", one) for one in twin.backward(spaces)}
    yield (ENGINE_BACK, 0, 0), {("engine", one) for one in twin.anywhere_behind()}
    for value in range(24):
        yield (DELIVERY, value, 0), twin.deliveries(value)
    for number, city in enumerate(names.cities):
        yield (DISC, number, 0), twin.city_discs(city)
    for number, station in enumerate(names.stations):
        if twin.station_discs(station):
            yield (UPGRADING, number, 0), twin.station_discs(station)
    yield (BEHIND, 0, 0), twin.stations_behind()
    for change in (-2, -1, 0, 2):
        yield (HIRING, change, 0), twin.hires(change)
    for price in range(3):
        sites = twin.sites(price)
        yield (BUILDING, price, 0), {("tile", number) for number, _ in sites}
        for tile in {number for number, _ in sites}:
            yield (SITE, price, tile - 1), {("onto", place) for n, place in sites if n == tile}
    for number, space in enumerate(names.spaces[:-1]):
        twin.copied = (space,)
        yield (COPYING, number, 0), twin.copies()
    twin.copied = ()
    for cowboys in range(1, 7):
        yield (BUYING, cowboys, 0), twin.purchases(cowboys, True)
        yield (BUYING, cowboys, 1), twin.purchases(cowboys, False)
    for value in (3, 4, 5):
        yield (FREE_CARD, value, 0), {("take", card) for card in twin.in_market(value)}
    yield (TRADING, 0, 0), twin.trades_possible()
    yield (CLEARING, 0, 0), {("hazard", place) for place in twin.table.hazards}
    yield (TOWN, 0, 0), twin.branchlet_spaces()
    yield (OBJECTIVES, 0, 0), twin.objective_choices()
    yield (MASTERS, 0, 0), {("master", name) for name in twin.table.new_york}
    yield (INCOME, 0, 0), {("spend", number) for number in range(twin.held() + 1)}
    for column in range(3):
        yield (FORESIGHT, column, 0), twin.foresight_choices(column)
    limit = twin.marker_spaces()
    if limit:
        yield (CERTIFICATES, 9, 0), {("certificates", n) for n in range(1, limit + 1)}
    for number, name in enumerate(names.icons):
        kind, cards = position.board.record[0].icon_kind[number], twin.icons[name]
        if kind == GIVE:
            needed = 2 if cards["card"] == "pair" else cards.get("amount", 1)
            gifts = {("discard", card) for card in twin.gifts(cards, None)}
            yield (GIVING, number, needed), gifts
        elif kind == AUXILIARY:
            yield (CHOOSING, number, 0), twin.any_auxiliaries()
    if seat.at in twin.table.buildings:
        icons = twin.tiles[twin.table.buildings[seat.at][1]]["icons"]
        local = (LOCAL, names.spaces.index(seat.at), OUTER | ((1 << len(icons)) - 1))
        yield local, twin.uses(icons) | twin.single_auxiliaries() | twin.plays()


def positions(number: int) -> Iterator[Position]:
    """Some with the printed board, some with others."""
    for seed in range(10 * number, 10 * number + 10):
        chance = random.Random(f"decisions {seed}")
        settings = random_settings(chance, chance.choice([0, 6])) | {"something_in_phase_b": True}
        document = random_board(chance) if seed % 2 else GAME.board().document
        board = GAME.board_from(document, "board", settings)
        yield midgame(board.new(2 + seed % 3, seed), chance)


@pytest.mark.parametrize("number", range(4))
def test_what_may_be_done(number):
    for position in positions(number):
        twin = reference(position, None)
        for task, expected in decisions(position, twin):
            assert asked(put(position, task), twin) == (expected or {DONE}) | twin.token(), task


@pytest.mark.parametrize("number", range(4))
def test_how_far_the_engine_went_back(number):
    """X4: it is what a city may be worth at most."""
    for position in positions(number):
        twin = reference(position, None)
        near = {target for target in twin.anywhere_behind() if target > twin.seat.engine - 15}
        for target in near:
            other = put(position, (DELIVERY, 0, 2), (ENGINE_BACK, 0, 0))
            codes = {action(other, code, twin): code for code in other.legal_codes().tolist()}
            other.play(codes["engine", target])
            value = twin.spaces_back(twin.seat.engine, target)
            counts = twin.options["extraordinary_counts_end_turnout"]
            if target in twin.turnouts and not counts:
                value -= 1
            assert other.state[0].one[int(other.state[0].n_tasks) - 1] == value
