"""What holds in every position of every game: nothing is lost, nobody owes, every game ends."""

import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sim.game import Board, Position
from sim.great_western_trail.state import (
    DO,
    DONE,
    FORESEE,
    MAX_CATTLE,
    MAX_CODE,
    MAX_LEGAL,
    MAX_TASKS,
    MAX_TILES,
    USE_TOKEN,
    WORKERS,
)
from tests.reference.great_western_trail import Table
from tests.sim.great_western_trail.midgame import midgame
from tests.sim.great_western_trail.plain import GAME, names_of, reference, table
from tests.sim.great_western_trail.test_against_reference import random_board, random_settings

LIMITS = (3, 4, 5)  # of the certificate track: at the start, with the first disc, with both

moderate = settings(
    deadline=None,
    derandomize=True,
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


class Box:
    """All that lies in the box of a board, used by so many players."""

    def __init__(self, board: Board, players: int):
        file, north = board.file, board.options.rails_to_the_north
        self.starting = {card.name for card in file.starting_objectives}
        self.cards = Counter({card.name: card.copies for card in file.objectives})
        for cattle in file.cattle:
            self.cards[cattle.name, 0] += cattle.start * players
            self.cards.update((cattle.name, points) for points in cattle.market)
        self.tiles = Counter()
        for pile in file.piles:
            workers = zip(WORKERS, pile.workers, strict=True)
            self.tiles.update(green=pile.green_teepees, blue=pile.blue_teepees, **dict(workers))
            if pile.hazards:
                for hazard in file.hazards:
                    for kind in ("flood", "drought", "rockfall"):
                        self.tiles[kind, hazard.hand, hazard.points] += hazard.copies
        self.neutral = sorted(tile.name for tile in file.neutral_buildings)
        masters = [*file.masters, *(file.masters_north if north else [])]
        self.masters = sorted(master.name for master in masters)
        discs = [*file.discs, *(file.discs_north if north else [])]
        self.discs = {disc.name: disc.copies for disc in discs}
        self.hazard_spaces = Counter(space.hazard for space in file.spaces if space.hazard)
        mediums = Counter({tile.icon: tile.copies for tile in file.medium_tiles})
        self.mediums = mediums if north else Counter()
        self.medium_towns = {town.name for town in file.towns if north and town.type == "medium"}


class Watcher:
    """Follows one game, and counts what leaves it."""

    def __init__(self, position: Position):
        self.position = position
        self.box = Box(position.board, position.players)
        self.twin = reference(position, None)  # only asked what is occupied
        self.before = table(position)
        self.lost = (self.box.tiles - tiles_of(self.before)).total()
        self.closed_in = 0  # the turn in which the token was taken

    def check(self, code: int | None) -> None:
        """Everything, after a decision."""
        there = table(self.position)
        self.twin.table = there
        if code is not None and FORESEE <= code < FORESEE + MAX_TILES:
            tile = names_of(self.position.board).tiles[code - FORESEE]
            self.lost += not has_room(self.before, tile, self.box)
        assert self.position.status == "ok"
        self.check_cards(there)
        self.check_tiles(there)
        self.check_board(there)
        self.check_players(there)
        self.check_turn(there)
        self.before = there

    def check_cards(self, there: Table) -> None:
        """Only removed cards are missing; everybody has a starting objective card of his own."""
        held = there.market + Counter(there.cattle_stack) + Counter(there.objective_stack)
        held += Counter(card for card in there.display if card is not None)
        starting = []
        for seat in there.seats:
            held += seat.hand + seat.stack + seat.discard + seat.played
            starting += [card for card in seat.played if card in self.box.starting]
        assert len(set(starting)) == len(starting) == len(there.seats)
        held -= Counter(starting)
        assert held <= self.box.cards
        removed = sum(seat.counted["removed"] for seat in there.seats)
        assert (self.box.cards - held).total() == removed
        assert None not in there.display or not there.objective_stack

    def check_tiles(self, there: Table) -> None:
        """Only tiles that found no room are missing, workers never."""
        held = tiles_of(there)
        assert held <= self.box.tiles
        missing = self.box.tiles - held
        assert missing.total() == self.lost
        assert not set(missing) & set(WORKERS)
        masters = [*there.station_masters.values(), *there.new_york]
        for seat in there.seats:
            masters += seat.masters
        assert sorted(masters) == self.box.masters
        workers = [*there.job, *(seat.workers for seat in there.seats)]
        assert min(min(row.values()) for row in workers) >= 0
        assert Counter(there.medium.values()) <= self.box.mediums
        assert set(there.medium) == self.box.medium_towns

    def check_board(self, there: Table) -> None:
        """The trail, the railroad and the towns."""
        neutral = [tile for owner, tile in there.buildings.values() if owner is None]
        assert sorted(neutral) == self.box.neutral
        occupied = int(self.position.state[0].occupied)
        for number, space in enumerate(names_of(self.position.board).spaces):
            assert self.twin.is_occupied(space) == bool(occupied >> number & 1)
        for place, (kind, _, _) in there.hazards.items():
            assert place.startswith(kind)
        engines = [seat.engine for seat in there.seats if seat.engine]
        assert len(set(engines)) == len(engines)
        assert 39 not in engines or self.position.state[0].n_tasks > 1
        for owners in there.towns.values():
            owned = [owner for owner in owners if owner is not None]
            assert len(set(owned)) == len(owned)

    def check_players(self, there: Table) -> None:
        """Discs, buildings, branchlets and certificates of each; tolls that do not go astray."""
        state = self.position.state[0]
        for player, seat in enumerate(there.seats):
            assert min(seat.money, seat.tokens, seat.permanent, seat.certificate) >= 0
            placed = len(seat.stations) + seat.city_discs.total()
            assert seat.discs.total() + placed == sum(self.box.discs.values())
            assert all(0 <= seat.discs[disc] <= copies for disc, copies in self.box.discs.items())
            cleared = [not seat.discs["limit_4"], not seat.discs["limit_6"]]
            assert seat.certificate <= LIMITS[sum(cleared) if cleared[0] else 0]
            assert {city for city, discs in seat.city_discs.items() if discs} <= seat.delivered
            own = [tile for owner, tile in there.buildings.values() if owner == player]
            numbers = [int(tile[:-1]) for tile in own]
            assert len(set(numbers)) == len(numbers)
            assert set(numbers) <= seat.gone
            assert all(tile[-1] == there.sides[int(tile[:-1]) - 1] for tile in own)
            towns = [town for town, owners in there.towns.items() if player in owners]
            assert seat.branchlets + len(towns) == 15
            assert all(1 <= seat.workers[worker] <= 6 for worker in WORKERS)
            for pile in ("hand", "stack", "discard"):
                assert getattr(seat, pile).total() == state[f"n_{pile}"][player]
            for kind in (
                state.shown[player] + state.secret[player] > state.hand[player, MAX_CATTLE:]
            ):
                assert not kind
        tolls = [(seat.counted["tolls_paid"], seat.counted["tolls_earned"]) for seat in there.seats]
        assert sum(paid for paid, _ in tolls) >= sum(earned for _, earned in tolls)
        for field in (state.money, state.hand, state.discs, state.tiles, state.city_discs):
            assert not field[len(there.seats) :].any()

    def check_turn(self, there: Table) -> None:
        """Something can always be done; the token closes the game (R37)."""
        position, state = self.position, self.position.state[0]
        codes = position.legal_codes().tolist()
        assert len(set(codes)) == len(codes) < MAX_LEGAL / 2
        assert all(0 <= code < MAX_CODE for code in codes)
        assert bool(codes) != position.is_over
        assert state.n_tasks < MAX_TASKS / 2
        if there.token_owner is not None and not self.closed_in:
            self.closed_in = position.turn
        last = self.closed_in + position.players - 1
        assert position.is_over or not self.closed_in or position.turn <= last
        if position.is_over:
            assert position.turn == last
            assert position.to_move == there.token_owner
            assert position.end_reason == "job market token"
            assert there.token_row == 12
            turns = [seat.counted["turns"] for seat in there.seats]
            assert max(turns) - min(turns) <= 1
            assert sum(turns) == position.turn


def tiles_of(there: Table) -> Counter:
    """Tiles of the Kansas City supply that are still in the game."""
    tiles = Counter(tile for pile in there.piles for tile in pile)
    tiles += Counter(tile for pair in there.foresight for tile in pair if tile is not None)
    tiles += Counter(there.hazards.values()) + Counter(there.teepees.values())
    tiles += Counter(there.station_workers.values())
    for row in there.job:
        tiles += row
    for seat in there.seats:
        tiles += seat.hazards + seat.teepees + seat.workers
        tiles -= Counter(WORKERS)  # the printed ones
    return tiles


def has_room(there: Table, tile, box: Box) -> bool:
    """Whether a tile can be placed."""
    if tile in WORKERS:
        return True
    if tile in ("green", "blue"):
        return len(there.teepees) < 9
    return (
        sum(kind == tile[0] for kind, _, _ in there.hazards.values()) < box.hazard_spaces[tile[0]]
    )


def check_game(position: Position, chance: random.Random, decisions: int) -> Position:
    """Play at random under all the checks."""
    watcher = Watcher(position)
    watcher.check(None)
    for _ in range(decisions):
        if position.is_over:
            break
        codes = position.legal_codes().tolist()
        likely = [0.3 if code in (DONE, USE_TOKEN) else 2 if code >= DO else 1 for code in codes]
        code = chance.choices(codes, likely)[0]
        position.play(code)
        watcher.check(code)
    return position


@pytest.mark.parametrize("north", [False, True])
@pytest.mark.parametrize("players", GAME.players)
def test_whole_games(players, north):
    chance = random.Random(f"invariants {players} {north}")
    board = GAME.board(settings={"rails_to_the_north": north, "building_sides": "random"})
    assert check_game(board.new(players, players), chance, 10_000).is_over


@moderate
@given(
    seed=st.integers(0, 2**32), players=st.sampled_from(GAME.players), changes=st.integers(0, 20)
)
@example(seed=1, players=4, changes=0)
def test_any_board_and_options(seed, players, changes):
    chance = random.Random(f"board {seed}")
    document = random_board(chance) if chance.random() < 0.5 else GAME.board().document
    board = GAME.board_from(document, "random board", random_settings(chance, changes))
    position = board.new(players, seed)
    if chance.random() < 0.7:
        midgame(position, chance)
    check_game(position, chance, 120)


@moderate
@given(
    seed=st.integers(0, 2**32), players=st.sampled_from(GAME.players), changes=st.integers(0, 20)
)
def test_set_up(seed, players, changes):
    """What lies where at the start."""
    chance = random.Random(f"set-up {seed}")
    board = GAME.board(settings=random_settings(chance, changes))
    there, options = table(board.new(players, seed)), board.options
    size = options.market_size.model_dump(by_alias=True)[str(players)]
    workers = options.workers_at_start.model_dump(by_alias=True)[str(players)]
    money = list(options.starting_money.model_dump(by_alias=True).values())
    assert there.market.total() == min(size, 36)
    assert sum(row.total() for row in there.job) == workers
    assert [row.total() for row in there.job[: there.token_row]] == [players] * there.token_row
    assert len(there.hazards) + len(there.teepees) == options.tiles_at_start  # R31
    assert sorted(there.teepees) == sorted(names_of(board).trades[: len(there.teepees)])
    assert None not in there.display
    assert all(None not in tiles for tiles in there.foresight)
    full = {kind for kind, n in Counter(t[0] for t in there.hazards.values()).items() if n == 4}
    gone = Box(board, players).tiles - tiles_of(there)
    assert {kind for kind, _, _ in gone} <= full
    stations = [one for one in board.file.stations if one.master]
    if options.rails_to_the_north:
        stations += board.file.stations_north
        assert (len(there.new_york), len(there.medium)) == (4, 6)
    assert set(there.station_masters) == {one.name for one in stations}
    for number, seat in enumerate(there.seats):
        assert seat.money == money[number]
        assert (seat.engine, seat.certificate, seat.at) == (0, 0, None)
        assert (seat.hand.total(), seat.discard.total()) == (options.cards_in_hand, 0)
        assert (seat.hand + seat.stack).total() == 14
        assert seat.played.total() == 1
        assert seat.tokens == options.start_tokens * options.rails_to_the_north
    if options.neutral_buildings == "on_letters":
        assert all(there.buildings[tile] == (None, tile) for tile in "abcdefg")
    if options.building_sides in ("a", "b"):
        assert set(there.sides) == {options.building_sides}
