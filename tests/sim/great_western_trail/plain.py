"""A record as the reference's table, and codes as its actions."""

import functools
from collections import Counter

import sim
from sim.game import Board, Position
from sim.great_western_trail.state import (
    APPOINT,
    BLUE_TEEPEE,
    BUY_CARD,
    BY,
    CERTIFICATE,
    COPY,
    DELIVER,
    DISCARD,
    DISCS,
    DO,
    DONE,
    DRAW_CARDS,
    ENGINE_TO,
    FORESEE,
    FROM_STACK,
    GO,
    GREEN_TEEPEE,
    HAZARD_FROM,
    HAZARD_TYPES,
    LAST_NUMBER,
    MARKET_CARDS,
    MAX_CATTLE,
    MAX_CODE,
    NEUTRALS,
    OBJECTIVE,
    ONTO,
    PLAY,
    REMOVE_CARD,
    SPEND,
    STATION,
    STATION_DISC,
    TAKE_CARD,
    TAKE_DISC,
    TAKE_MASTER,
    TEEPEE_FROM,
    TILE,
    TOWN_AT,
    TOWN_SPACES,
    USE_TOKEN,
    WORKER,
    WORKERS,
)
from tests.reference.great_western_trail import Reference, Seat, Table

GAME = sim.load("great-western-trail")


def reference(position: Position, draw) -> Reference:
    """The reference's game from a position; `draw` tells what cards are drawn."""
    options = position.board.options.model_dump(by_alias=True)
    return Reference(position.board.document, options, table(position), draw)


# ------------------------------------------------------------------------------ records as tables


@functools.cache
def names_of(board: Board) -> "Names":
    """What the numbers in the records of a board mean."""
    return Names(board)


class Names:
    """What the numbers in a record mean, as the document has it."""

    def __init__(self, board: Board):
        file, north = board.file, board.options.rails_to_the_north
        self.spaces = file.space_names
        self.icons = [icon.name for icon in file.icons]
        self.cattle = file.cattle_kinds
        self.objectives = [card.name for card in file.objective_kinds]
        self.stations = [one.name for one in file.stations] + [
            one.name for one in file.stations_north if north
        ]
        self.masters = [one.name for one in file.masters] + [
            one.name for one in file.masters_north if north
        ]
        self.cities = [city.name for city in file.strip(north)]
        self.towns = [town.name for town in file.towns if north]
        self.neutral = [tile.name for tile in file.neutral_buildings]
        self.mediums = [tile.icon for tile in file.medium_tiles]
        self.lines = [(line.value, line.cowboys) for line in file.buying]
        hands = [(hazard.hand, hazard.points) for hazard in file.hazards]
        self.tiles = [(kind, *hand) for kind in HAZARD_TYPES for hand in hands]
        self.tiles += ["green", "blue", *WORKERS]
        self.trades = [int(money) for money in board.record[0].trade_money]
        turnouts = sorted(station.after for station in file.stations if station.after)
        self.positions = [*range(LAST_NUMBER + 1), *(after + 0.5 for after in turnouts)]
        self.next = {space.name: space.next for space in file.spaces}
        self.forks = [space.name for space in file.spaces if len(space.next) == 2]

    def card(self, number: int):
        """A card of a deck."""
        if number < MAX_CATTLE:
            return self.cattle[number]
        return self.objectives[number - MAX_CATTLE]

    def cards(self, copies) -> Counter:
        return +Counter({self.card(n): int(k) for n, k in enumerate(copies) if k})

    def building(self, number: int) -> str:
        if number < NEUTRALS:
            return self.neutral[number]
        number -= NEUTRALS
        return f"{number // 2 + 1}{'ab'[number % 2]}"

    def some(self, names: list, bits: int) -> set:
        """The names in a set."""
        return {name for number, name in enumerate(names) if int(bits) >> number & 1}


def named(names: list, numbers) -> dict:
    """The entries of an array that are not -1."""
    return {name: int(number) for name, number in zip(names, numbers, strict=False) if number >= 0}


def table(position: Position) -> Table:
    """The whole position as the reference keeps it."""
    state, names = position.state[0], names_of(position.board)
    players = range(position.players)
    numbers = int(position.board.record[0].n_numbers)
    return Table(
        seats=[seat(state, names, player) for player in players],
        to_move=int(state.to_move),
        sides="".join("ab"[side] for side in state.side[:numbers]),
        buildings={
            space: (int(owner) if owner >= 0 else None, names.building(int(building)))
            for space, building, owner in zip(
                names.spaces, state.building, state.builder, strict=False
            )
            if building >= 0
        },
        hazards={s: names.tiles[t] for s, t in named(names.spaces, state.hazard).items()},
        teepees={m: names.tiles[t] for m, t in named(names.trades, state.teepee).items()},
        piles=[
            [names.tiles[tile] for tile in pile[first:last]]
            for pile, first, last in zip(state.pile, state.pile_next, state.n_pile, strict=True)
        ],
        foresight=[
            [names.tiles[tile] if tile >= 0 else None for tile in tiles]
            for tiles in state.foresight
        ],
        job=[Counter(dict(zip(WORKERS, map(int, row), strict=True))) for row in state.job],
        token_row=int(state.placed) // len(players),
        filled=int(state.placed) % len(players),
        token_owner=int(state.token_owner) if state.token_owner >= 0 else None,
        market=names.cards(state.market),
        cattle_stack=[
            names.cattle[kind] for kind in state.cattle_stack[state.cattle_next : state.n_cattle]
        ],
        display=[names.objectives[kind] if kind >= 0 else None for kind in state.display],
        objective_stack=[
            names.objectives[kind]
            for kind in state.objective_stack[state.objective_next : state.n_objectives]
        ],
        station_masters={
            s: names.masters[m] for s, m in named(names.stations, state.station_master).items()
        },
        station_workers={
            s: WORKERS[w] for s, w in named(names.stations, state.station_worker).items()
        },
        new_york=names.some(names.masters, state.new_york),
        towns={
            town: [int(owner) if owner >= 0 else None for owner in owners]
            for town, owners in zip(names.towns, state.town, strict=False)
        },
        medium={t: names.mediums[kind] for t, kind in named(names.towns, state.medium).items()},
        removed=Counter(),
        visits=Counter({s: int(n) for s, n in zip(names.spaces, state.visits, strict=False)}),
    )


def seat(state, names: Names, player: int) -> Seat:
    """What a player has."""
    tiles = [int(number) for number in state.tiles[player]]
    counted = ("turns", "arrivals", "deliveries", "income", "best_income", "transport")
    counted += ("tolls_paid", "tolls_earned", "cattle_bought", "hired", "removed")
    return Seat(
        at=names.spaces[state.at[player]] if state.at[player] >= 0 else None,
        money=int(state.money[player]),
        workers=Counter(dict(zip(WORKERS, map(int, state.workers[player]), strict=True))),
        certificate=int(state.certificate[player]),
        permanent=int(state.permanent[player]),
        engine=names.positions[state.engine[player]],
        hand=names.cards(state.hand[player]),
        stack=names.cards(state.stack[player]),
        discard=names.cards(state.discard[player]),
        shown=names.cards([0] * MAX_CATTLE + state.shown[player].tolist()),
        secret=names.cards([0] * MAX_CATTLE + state.secret[player].tolist()),
        played=names.cards([0] * MAX_CATTLE + state.played[player].tolist()),
        hazards=Counter(dict(zip(names.tiles, tiles[:GREEN_TEEPEE], strict=False))),
        teepees=Counter(green=tiles[GREEN_TEEPEE], blue=tiles[BLUE_TEEPEE]),
        discs=Counter(dict(zip(DISCS, map(int, state.discs[player]), strict=False))),
        gone={number for number in range(1, 13) if int(state.gone[player]) >> (number - 1) & 1},
        stations={
            station
            for station, disc in zip(names.stations, state.station_disc[player], strict=False)
            if disc
        },
        masters=names.some(names.masters, state.masters[player]),
        city_discs=Counter(
            dict(zip(names.cities, map(int, state.city_discs[player]), strict=False))
        ),
        delivered=names.some(names.cities, state.delivered[player]),
        branchlets=int(state.branchlets[player]),
        tokens=int(state.tokens[player]),
        counted=Counter({name: int(state[name][player]) for name in counted}),
    )


# -------------------------------------------------------------------------------- codes as actions


def action(position: Position, code: int, twin: Reference) -> tuple:
    """A code as the reference writes it; `twin` reckons what a way costs."""
    names = names_of(position.board)
    kinds = [
        (DONE, lambda n: ("done",)),
        (USE_TOKEN, lambda n: ("token",)),
        (MARKET_CARDS, lambda n: ("market cards",)),
        (FROM_STACK, lambda n: ("objective", "stack")),
        (PLAY, lambda n: ("play", names.objectives[n])),
        (GO, lambda n: ("go", names.spaces[n])),
        (BY, lambda n: ("way", twin.payments(walked(position, names, n, twin)))),
        (DO, lambda n: ("do", names.icons[n])),
        (WORKER, lambda n: ("hire", n // 3 + 1, WORKERS[n % 3])),
        (TILE, lambda n: ("tile", n + 1)),
        (ONTO, lambda n: ("onto", names.spaces[n])),
        (OBJECTIVE, lambda n: ("objective", names.objectives[n])),
        (CERTIFICATE, lambda n: ("certificates", n)),
        (ENGINE_TO, lambda n: ("engine", names.positions[n])),
        (TAKE_DISC, lambda n: ("disc", DISCS[n])),
        (STATION_DISC, lambda n: ("disc from", names.stations[n])),
        (APPOINT, lambda n: ("appoint", WORKERS[n])),
        (TEEPEE_FROM, lambda n: ("teepee", names.trades[n])),
        (HAZARD_FROM, lambda n: ("hazard", names.spaces[n])),
        (BUY_CARD, lambda n: ("buy", *names.lines[n // MAX_CATTLE], names.cattle[n % MAX_CATTLE])),
        (TAKE_CARD, lambda n: ("take", names.cattle[n])),
        (DRAW_CARDS, lambda n: ("draw", n)),
        (DISCARD, lambda n: ("discard", names.card(n))),
        (REMOVE_CARD, lambda n: ("remove", names.card(n))),
        (COPY, lambda n: ("copy", names.spaces[n])),
        (STATION, lambda n: ("upgrade", names.stations[n])),
        (FORESEE, lambda n: ("foresee", names.tiles[n])),
        (SPEND, lambda n: ("spend", n)),
        (DELIVER, lambda n: ("deliver", names.cities[n])),
        (TAKE_MASTER, lambda n: ("master", names.masters[n])),
        (TOWN_AT, lambda n: ("town", *branchlet_space(position, n))),
    ]
    assert 0 <= code < MAX_CODE
    first, write = max((kind for kind in kinds if kind[0] <= code), key=lambda kind: kind[0])
    return write(code - first)


def branchlet_space(position: Position, number: int) -> tuple:
    """Town, money and icon of a branchlet space."""
    town = position.board.file.towns[number // TOWN_SPACES]
    space = number % TOWN_SPACES
    money = town.money[space] if space < len(town.money) else 0
    icon = town.icons[space] if space < len(town.icons) else None
    return town.name, money, icon


def walked(position: Position, names: Names, way: int, twin: Reference) -> list[str]:
    """Occupied spaces entered by a way: a set of the forks where the second branch is taken."""
    state = position.state[0]
    target = names.spaces[state.one[state.n_tasks - 1]]
    place, walk = twin.seat.at, []
    while place != target:
        branch = way >> names.forks.index(place) & 1 if place in names.forks else 0
        place = names.next[place][branch]
        if twin.is_occupied(place):
            walk.append(place)
    return walk
