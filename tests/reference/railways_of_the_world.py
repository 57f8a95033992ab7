"""Railways of the World, slow and obvious: the rules against which the compiled engine is checked.

Plain dicts and lists, every route listed one by one. Each rule is a small method that cites the
section of the rulebook, or the ruling (R16, M9, A05, ...), it follows; nothing is shared with the
engine. `DEFAULTS` lists the options, `Reference.legal` the decisions players are asked for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

COLOURS = ("red", "blue", "yellow", "purple", "black")
DIAL = (*COLOURS, "none")  # R17: one step on, then from the start again
SIDES = ("ne", "e", "se", "sw", "w", "nw")
TERRAIN = {"o": "open", "w": "water", "h": "mountain"}
HIGHEST_LEVEL = 8
ROUNDS = 3
TOP_SPACE = 100  # A01
# fmt: off
INCOME = [
    0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 16, 16, 17, 17, 18,  # from 0
    18, 19, 19, 19, 20, 20, 20, 21, 21, 21, 22, 22, 22, 23, 23, 23, 23, 24, 24, 24,  # 20
    24, 25, 25, 25, 25, 25, 25, 25, 25, 24, 24, 24, 24, 23, 23, 23, 23, 22, 22, 22,  # 40
    22, 21, 21, 21, 21, 20, 20, 20, 19, 19, 19, 18, 18, 18, 17, 17, 17, 16, 16, 16,  # 60
    15, 15, 15, 14, 14, 14, 13, 13, 13, 12, 12, 12, 11, 11, 11, 10, 10, 10, 9, 9, 9,  # 80
]
# fmt: on
DECLARED_IN_BUILD = ("free_open_tiles", "extra_tiles", "no_ridge_cost", "terrain_price")
GREEN = ("start", "bounty")

DEFAULTS = {
    "starting_money": dict.fromkeys("23456", 0),
    "empty_city_markers": {"2": 10, "3": 12, "4": 14, "5": 16, "6": 18},
    "goods_reduction": {"2": 1, "3": 1, "4": 0, "5": 0, "6": 0},
    "new_city_tiles": {"red": 0, "blue": 3, "yellow": 3, "purple": 3, "black": 3},
    "engine_price": {"2": 5, "3": 10, "4": 10, "5": 15, "6": 15, "7": 20, "8": 20},
    "cubes_per_colour": 25,
    "service_bounties": 4,
    "cards_per_player": 2,
    "tiles_per_build": 4,
    "open_cost": 2,
    "water_cost": 3,
    "mountain_cost": 4,
    "ridge_cost": 4,
    "crossover_cost": 0,
    "urbanize_cost": 10,
    "urbanize_cubes": 2,
    "bond_cash": 5,
    "bond_dividend": 1,
    "bond_points": 1,
    "max_bid": 40,  # M2
    "max_turns": 60,  # M1
    "depots_per_player": 4,
    "depot_cost": 5,
    "new_industry_cubes": 0,  # A04
    "auction": "standard",  # or "new_players", "first_to_pass"
    "first_to_pass_all_pass": "last_to_pass",  # K14: or "left_of_previous"
    "rules_2005": False,  # R09
    "western_link": False,  # R21
    "city_rotors": False,  # R17
    "fuel_depots": False,
    "depot_rules": "current",  # R18: or "2010"
    "depot_example_1": "held",  # R19: shown only
    "own_first_link_after_stop": False,  # M10
    "second_own_parallel_link": False,  # R16, K13
    "sharp_turns": False,
    "link_may_cross_itself": False,  # M6
    "tracks_may_share_hex_without_crossing": False,  # M7
    "optional_cards": True,
    "growth_lifts_marker": True,  # A05
    "useless_card_may_be_taken": False,  # M12
    "chain_may_revisit_city": True,  # A03
}

Hex = tuple[int, int]


def slug(name: str) -> str:
    """A name as it is typed: "St. Louis" is "st_louis"."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def beyond(place: Hex, side: str) -> Hex:
    """The neighbour over that side; odd rows sit half a hex to the right."""
    row, column = place
    shift = row % 2
    return {
        "ne": (row - 1, column + shift),
        "e": (row, column + 1),
        "se": (row + 1, column + shift),
        "sw": (row + 1, column - 1 + shift),
        "w": (row, column - 1),
        "nw": (row - 1, column - 1 + shift),
    }[side]


def opposite(side: str) -> str:
    """The same side seen from the neighbour."""
    return SIDES[(SIDES.index(side) + 3) % 6]


def are_adjacent(one: str, other: str) -> bool:
    """Whether the two sides of a hex meet in a corner."""
    return (SIDES.index(one) - SIDES.index(other)) % 6 in (1, 5)


def cross(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """M7: exactly one side of the first lies between the two sides of the other."""
    low, high = sorted(SIDES.index(side) for side in other)
    return sum(low < SIDES.index(side) < high for side in one) == 1


class Tile(NamedTuple):
    """A track through a hex, in the direction it was built."""

    hex: Hex
    entry: str
    exit: str

    @property
    def text(self) -> str:
        """Its hex and its sides in clockwise order."""
        return f"{self.hex[0]},{self.hex[1]} " + "-".join(
            sorted((self.entry, self.exit), key=SIDES.index)
        )


@dataclass(eq=False)
class Link:
    """Track of one player from a city: unfinished while it has no other end."""

    owner: int
    start: str
    tiles: list[Tile]
    end: str | None = None

    @property
    def ends(self) -> set[str]:
        """The two cities it joins."""
        return {self.start, self.end}


@dataclass
class Step:
    """A tile that may be laid or redirected, and what its exit meets."""

    tile: Tile
    link: Link | None  # extended or redirected; None: a new one
    start: str  # city the link begins in
    city: str | None = None  # met
    stub: Link | None = None  # own unfinished link met


@dataclass
class Build:
    """A Build action under way."""

    tiles_left: int
    price: dict[str, int]  # by terrain, and of a "ridge"
    declared: list[str] = field(default_factory=list)
    link: Link | None = None  # the one that is built on
    start: str | None = None  # city a new one begins in
    depots_placed: int = 0


class Outcome(NamedTuple):
    """M20: what a way of moving a cube comes to."""

    points: tuple[int, ...]
    depots: frozenset[str]  # cities passed with a depot
    via: frozenset[str]  # cities passed, where it matters


@dataclass
class Cube:
    """A cube that stopped at a Fuel Depot."""

    colour: str
    origin: str
    at: str
    seen: set[str]
    points: list[int]


@dataclass
class Move:
    """A cube about to move; several outcomes while the route is asked for."""

    colour: str
    origin: str
    to: str
    stops: bool
    continues: bool
    outcomes: list[Outcome]


class Reference:
    """One game of Railways of the World.

    Parameters
    ----------
    document : dict
        The parsed board file.
    options : dict
        Values of the options; what is missing comes from the board's options, then `DEFAULTS`.
    players : int
        Number of players; seats go clockwise from 0.
    deal : dict
        "cubes": {city: {colour: number}}, "bag": {colour: number}, "barons": two names a seat,
        "shown": {card: number}, "deck": names, next card first.
    below : callable
        `below(limit)`: a random whole number from 0 to limit - 1.

    Attributes
    ----------
    phase : str
        "keep a Baron", "bid", "action", "build", "first tile", "next tile", "link done", "route",
        "new industry", "city growth", "free depots", "after the action" or "over".
    to_move : int
        The player to decide; of no meaning once the game is over.
    """

    # ------------------------------------------------------------------------------------- set-up

    def __init__(
        self,
        document: dict,
        options: dict,
        players: int,
        deal: dict,
        below: Callable[[int], int],
    ):
        """Setup; Western: Goods Cube Reduction and depots."""
        self.options = {**DEFAULTS, **document.get("options", {}), **options}
        unknown = sorted(set(self.options) - set(DEFAULTS))
        if unknown:
            raise ValueError(f"unknown options {unknown}")
        self.below = below
        self.players = players
        seats = range(players)
        self.read_board(document)
        self.read_cards(document)

        self.money = [self.table("starting_money", players)] * players
        self.bonds = [0] * players
        self.marker = [0] * players
        self.banked = [0] * players
        self.engine = [1] * players
        self.first_at_level: dict[int, int] = {}

        self.cubes = {city: Counter(deal["cubes"][city]) for city in self.cities}
        self.bag = Counter(deal["bag"])
        self.marked: set[str] = set()
        self.new_tiles = {colour: self.table("new_city_tiles", colour) for colour in COLOURS}
        self.depots = {city: [0] * players for city in self.cities}
        in_play = self.options["depots_per_player"] if self.options["fuel_depots"] else 0
        self.depots_left = [in_play] * players
        self.stopped: list[Cube | None] = [None] * players

        self.dealt_barons = [list(pair) for pair in deal["barons"]]
        self.baron: list[str | None] = [None] * players
        self.shown = Counter(deal["shown"])
        self.deck = list(deal["deck"])
        self.held = [Counter() for _ in seats]
        self.used = [Counter() for _ in seats]  # purple ones, this turn

        self.links: list[Link] = []
        self.line_owner: list[int | None] = [None] * len(self.lines)
        self.western_owner: dict[str, int] = {}

        self.turn = 0
        self.round = 0  # 0 during the auction
        self.actions_left = 0
        self.order = list(seats)
        self.bid = 0
        self.high_bidder: int | None = None
        self.own_bid = [0] * players
        self.passed: list[int] = []  # in the order of passing
        self.build: Build | None = None
        self.move: Move | None = None
        self.taken: dict = {}  # red X card under way
        self.last_turn: int | None = None
        self.triggered = 0  # round of the trigger
        self.trigger_player: int | None = None
        self.is_over = False
        self.end_reason = ""
        self.to_move = 0
        self.phase = "keep a Baron"
        self.known_legal: set[str] | None = None

    def read_board(self, document: dict) -> None:
        """Hexes, ridge sides, cities, Major Lines and the western link of a board file."""
        self.terrain: dict[Hex, str] = {}  # of playable hexes without a city
        for row, letters in enumerate(document["hexes"]["rows"]):
            for column, letter in enumerate(letters):
                if letter in TERRAIN:
                    self.terrain[row, column] = TERRAIN[letter]
        self.ridges = {
            frozenset(((a, b), (c, d))) for a, b, c, d in document["hexes"].get("ridges", [])
        }
        entries = {slug(entry["name"]): entry for entry in document["cities"]}
        self.cities = list(entries)
        self.place = {city: (entry["row"], entry["col"]) for city, entry in entries.items()}
        self.city_at = {place: city for city, place in self.place.items()}
        self.spurs = {
            city: [side.lower() for side in entry["spurs"].split()]
            for city, entry in entries.items()
        }
        self.colour = {city: entry["colour"] for city, entry in entries.items()}
        rotors = self.options["city_rotors"]
        self.dial: dict[str, str | None] = {
            city: entry.get("dial_start") if rotors else None for city, entry in entries.items()
        }
        self.lines = [
            (slug(entry["a"]), slug(entry["b"]), entry["points"])
            for entry in document.get("major_lines", [])
        ]
        self.western = document.get("western_link") if self.options["western_link"] else None

    def read_cards(self, document: dict) -> None:
        """Cards and Barons by the names that are typed."""
        self.cards = {
            slug(row["name"]): row
            for part in ("start", "bounties", "operations")
            for row in document.get(part, [])
        }
        self.barons = {
            slug(row["name"]): row
            for part in ("barons", "barons_western_link")
            for row in document.get(part, [])
        }

    def table(self, option: str, key: int | str) -> int:
        """An entry of an option that is a table."""
        values = self.options[option]
        if isinstance(values, dict):
            return values[str(key)]
        return values

    # ----------------------------------------------------------------------- what may be decided

    def legal(self) -> set[str]:
        """Every decision the player to move may take."""
        if self.known_legal is None:
            self.known_legal = self.find_legal()
        return set(self.known_legal)

    def find_legal(self) -> set[str]:
        """The texts for each phase."""
        player = self.to_move
        match self.phase:
            case "keep a Baron":
                return {f"keep {name}" for name in self.dealt_barons[player]}
            case "bid":
                raises = range(self.bid + 1, self.options["max_bid"] + 1)  # M2
                return {"pass", *(f"bid {amount}" for amount in raises)}
            case "action":
                return self.action_texts(player)
            case "build":
                return {*self.use_texts(player), *self.track_texts(player), *self.depot_texts()}
            case "first tile":
                return set(self.first_tiles(player, self.build.start))
            case "next tile":
                return {*self.next_tiles(player), *self.depot_texts(), "done"}
            case "link done":
                return {*self.depot_texts(), "done"}
            case "route":
                return set(self.question())
            case "new industry":
                return self.urbanize_texts()
            case "city growth":
                return {f"grow {city}" for city in self.cities}
            case "free depots":
                return self.free_depot_texts(player)
            case "after the action":
                return {"done", *self.dial_texts(player)}
        return set()

    def play(self, text: str) -> None:
        """Carry out one legal decision and all that follows from it without a further one."""
        if text not in self.legal():
            raise ValueError(f"{text!r} is not legal in phase {self.phase!r}")
        self.known_legal = None
        match self.phase:
            case "keep a Baron":
                self.keep(text.split()[1])
            case "bid":
                self.take_bid(None if text == "pass" else int(text.split()[1]))
            case "action":
                self.take_action(text)
            case "build" | "first tile" | "next tile" | "link done":
                self.take_build_step(text)
            case "route":
                self.answer(text)
            case "new industry":
                _, city, colour = text.split()
                self.place_new_city(city, colour)
                self.add_cubes(city, self.options["new_industry_cubes"], by_card=True)
                self.end_action()
            case "city growth":
                self.add_cubes(text.split()[1], self.taken["amount"], by_card=True)  # M13
                self.end_action()
            case "free depots":
                _, city, number = text.split()
                self.place_depots(city, int(number))
                self.end_action()
            case "after the action":
                if text == "done":
                    self.next_player()
                else:
                    self.turn_dial(text.split()[1])
                    self.ask_after_action()

    def keep(self, name: str) -> None:
        """Setup 7: each player keeps one of two Barons."""
        self.baron[self.to_move] = name
        if self.to_move + 1 < self.players:
            self.to_move += 1
        else:
            self.begin_turn()

    # ------------------------------------------------------------------------------------- money

    def pay(self, player: int, amount: int) -> None:
        """Bond Certificates & Money, A02: as few bonds as make the payment possible."""
        while self.money[player] < amount:
            self.bonds[player] += 1
            self.money[player] += self.options["bond_cash"]
        self.money[player] -= amount

    def gain_points(self, player: int, points: int) -> None:
        """Setup 11, A01: past the last space, bank its number and begin again."""
        self.marker[player] += points
        if self.marker[player] > TOP_SPACE:
            self.marker[player] -= TOP_SPACE
            self.banked[player] += TOP_SPACE

    def income(self, player: int) -> int:
        """Phase 3; Setup 11: once a player has banked, that of the last space."""
        return INCOME[TOP_SPACE] if self.banked[player] else INCOME[self.marker[player]]

    # ------------------------------------------------------------------------------------ auction

    def begin_turn(self) -> None:
        """Phase 1; M16: each purple card may be used once a turn."""
        self.turn += 1
        self.round = 0
        self.used = [Counter() for _ in range(self.players)]
        self.bid = 0
        self.high_bidder = None
        self.own_bid = [0] * self.players
        self.passed = []
        if self.turn == 1 and self.options["auction"] == "new_players":  # A07
            for place, player in enumerate(self.order):
                self.money[player] += place
            self.begin_round(1)
        else:
            self.phase = "bid"
            self.to_move = self.order[0]

    def bidding_order(self) -> list[int]:
        """Clockwise; First to Pass: the turn order of the turn before."""
        if self.options["auction"] == "first_to_pass":
            return self.order
        return list(range(self.players))

    def take_bid(self, amount: int | None) -> None:
        """Phase 1, M15: until only the high bidder, or nobody, is left."""
        player = self.to_move
        if amount is None:
            self.passed.append(player)
            if self.options["auction"] == "first_to_pass":  # R05
                self.pay(player, (self.own_bid[player] + 1) // 2)
        else:
            self.bid, self.high_bidder = amount, player
            self.own_bid[player] = amount
        left = [seat for seat in range(self.players) if seat not in self.passed]
        if not left or left == [self.high_bidder]:
            self.end_auction()
            return
        seats = self.bidding_order()
        place = seats.index(player)
        while True:
            place = (place + 1) % self.players
            if seats[place] not in self.passed:
                self.to_move = seats[place]
                return

    def end_auction(self) -> None:
        """Phase 1, R04, R05, K14: who pays, who is first, and who follows."""
        if self.high_bidder is not None:
            self.pay(self.high_bidder, self.bid)
        by_passing = self.options["auction"] == "first_to_pass"
        if self.high_bidder is None and self.options["first_to_pass_all_pass"] != "last_to_pass":
            by_passing = False
        if by_passing:
            winner = [] if self.high_bidder is None else [self.high_bidder]
            self.order = winner + self.passed[::-1]
        else:
            if self.high_bidder is not None:
                first = self.high_bidder
            elif self.turn == 1:
                first = 0
            else:
                first = (self.order[0] + 1) % self.players
            self.order = [(first + place) % self.players for place in range(self.players)]
        self.begin_round(1)

    # ---------------------------------------------------------------------------- rounds and turns

    def begin_round(self, number: int) -> None:
        """Phase 2: one action each, in turn order."""
        self.round = number
        self.begin_player(self.order[0])

    def begin_player(self, player: int) -> None:
        """Phase 2: one action, or more with a Railroad Executive."""
        self.to_move = player
        self.actions_left = 1
        self.phase = "action"

    def end_action(self) -> None:
        """After an action; M9: a cube that stopped in the turn's last action is lost."""
        player = self.to_move
        self.actions_left -= 1
        self.build = None
        self.move = None
        self.taken = {}
        if self.actions_left == 0 and self.round == ROUNDS:
            self.lose_stopped_cube(player)
        if self.actions_left > 0:
            self.phase = "action"
        else:
            self.ask_after_action()

    def ask_after_action(self) -> None:
        """M16: a Dispatcher may also be used after an action of one's own turn."""
        if self.dial_texts(self.to_move):
            self.phase = "after the action"
        else:
            self.next_player()

    def next_player(self) -> None:
        """Phase 2: the next in turn order, the next round, or the end of the turn."""
        place = self.order.index(self.to_move) + 1
        if place < self.players:
            self.begin_player(self.order[place])
        elif self.round < ROUNDS:
            self.begin_round(self.round + 1)
        else:
            self.end_turn()

    def end_turn(self) -> None:
        """Phase 3, K17, R10; End of Game, M1, M14."""
        self.links = [link for link in self.links if link.end is not None]
        for player in range(self.players):
            self.money[player] += self.income(player)
            self.pay(player, self.bonds[player] * self.options["bond_dividend"])
        if self.turn == self.last_turn:
            self.end_game(f"triggered in round {self.triggered}")
        elif self.turn == self.options["max_turns"]:
            self.end_game("turn limit")
        else:
            if self.last_turn == self.turn + 1:
                self.marked = set()
            if self.deck:
                self.shown[self.deck.pop(0)] += 1
            self.begin_turn()

    def end_game(self, reason: str) -> None:
        """End of Game."""
        self.is_over = True
        self.end_reason = reason
        self.phase = "over"

    # ------------------------------------------------------------------------------------- actions

    def action_texts(self, player: int) -> set[str]:
        """Phase 2: the actions, passing, and what does not count as one (Dispatcher)."""
        texts = {"pass"}
        if self.can_build(player):
            texts.add("build")
        if self.engine[player] < HIGHEST_LEVEL:
            texts.add("upgrade")
        texts |= self.urbanize_texts()
        texts |= set(self.moves(player))
        texts |= {f"take {name}" for name in self.shown if self.may_take(player, name)}
        if self.western:
            free = {slug(name) for name in self.western["cities"]} - set(self.western_owner)
            texts |= {f"western_link {city}" for city in free}
        return texts | self.dial_texts(player)

    def take_action(self, text: str) -> None:
        """Phase 2; M9: a stopped cube that does not go on now is lost before the action."""
        player = self.to_move
        words = text.split()
        if words[0] == "dial":
            self.turn_dial(words[1])
            return
        move = self.moves(player).get(text)
        if words[0] not in ("continue", "continue_stop"):
            self.lose_stopped_cube(player)
        match words:
            case ["pass"]:
                self.end_action()
            case ["build"]:
                self.begin_build()
            case ["upgrade"]:
                self.upgrade(player)
                self.end_action()
            case ["urbanize", city, colour]:
                self.pay(player, self.options["urbanize_cost"])
                self.place_new_city(city, colour)
                self.add_cubes(city, self.options["urbanize_cubes"])
                self.end_action()
            case ["take", name]:
                self.take_card(player, name)
            case ["western_link", city]:
                self.build_western_link(player, city)
                self.end_action()
            case _:
                self.move = move
                self.settle_move()

    # --------------------------------------------------------------------------- C. upgrade engine

    def upgrade(self, player: int) -> None:
        """C. Upgrade Engine: a level an action; a New Train card goes to the first to reach it."""
        level = self.engine[player] + 1
        self.pay(player, self.table("engine_price", level))
        self.engine[player] = level
        self.first_at_level.setdefault(level, player)
        for name, row in self.shown_green("first_engine_level"):
            if row["level"] == level:
                self.earn_card(player, name)

    # ---------------------------------------------------------------------------------- B. urbanize

    def urbanize_texts(self) -> set[str]:
        """B. Urbanize, M12: a gray city and a New City tile."""
        return {
            f"urbanize {city} {colour}"
            for city in self.cities
            for colour in COLOURS
            if self.colour[city] == "gray" and self.new_tiles[colour] > 0
        }

    def place_new_city(self, city: str, colour: str) -> None:
        """B. Urbanize: the gray city takes the colour of the tile."""
        self.new_tiles[colour] -= 1
        self.colour[city] = colour

    def draw_cube(self) -> str:
        """A cube from the bag; each is as likely."""
        place = self.below(sum(self.bag.values()))
        for colour in COLOURS:
            if place < self.bag[colour]:
                self.bag[colour] -= 1
                return colour
            place -= self.bag[colour]
        raise AssertionError("an empty bag")

    def add_cubes(self, city: str, number: int, by_card: bool = False) -> None:
        """B. Urbanize, City Growth, M12: random cubes, or as many as there are."""
        for _ in range(number):
            if sum(self.bag.values()) == 0:
                return
            self.cubes[city][self.draw_cube()] += 1
            self.lift_marker(city, by_card)

    def lift_marker(self, city: str, by_card: bool = False) -> None:
        """B. Urbanize, R07, A05: a city with a cube has no marker, until the end is triggered."""
        if not self.triggered and (not by_card or self.options["growth_lifts_marker"]):
            self.marked.discard(city)

    def build_western_link(self, player: int, city: str) -> None:
        """R21: a sixth kind of action; red cubes come to the city."""
        self.pay(player, self.western["cost"])
        self.western_owner[city] = player
        for _ in range(self.western["red_cubes"]):
            if self.bag["red"] > 0:
                self.bag["red"] -= 1
                self.cubes[city]["red"] += 1
                self.lift_marker(city)

    # ------------------------------------------------------------------------------------- E. cards

    def symbol(self, name: str) -> str:
        """Card Symbols; Black Star: a card behaves as another kind."""
        row = self.cards[name]
        return row.get("behaves_as", row["kind"])

    def may_take(self, player: int, name: str) -> bool:
        """E. Select a Card, M12: not a green one; a red X only if it can do something."""
        row = self.cards[name]
        if self.shown[name] == 0 or self.symbol(name) in GREEN:
            return False
        if self.symbol(name) != "immediate" or self.options["useless_card_may_be_taken"]:
            return True
        return self.has_effect(player, row)

    def has_effect(self, player: int, row: dict) -> bool:
        """M12: whether a red X can be carried out in part."""
        if row["effect"] == "new_city_tile":
            return bool(self.urbanize_texts())
        if row["effect"] == "add_cubes":
            # M9: an own stopped cube is back in the bag before the card draws.
            return sum(self.bag.values()) > 0 or self.stopped[player] is not None
        if row["effect"] == "free_depots":
            return bool(self.depot_cities(player)) and self.depots_left[player] > 0
        return True

    def take_card(self, player: int, name: str) -> None:
        """E. Select a Card: a red X at once, others are kept."""
        self.shown[name] -= 1
        if self.symbol(name) != "immediate":
            self.held[player][name] += 1
            self.end_action()
            return
        self.taken = self.cards[name]
        if not self.has_effect(player, self.taken):
            self.end_action()
            return
        match self.taken["effect"]:
            case "two_actions":  # R02
                self.actions_left += self.taken["amount"]
                self.end_action()
            case "new_city_tile":
                self.phase = "new industry"
            case "add_cubes":
                self.phase = "city growth"
            case "free_depots":
                self.phase = "free depots"

    def shown_green(self, effect: str) -> list[tuple[str, dict]]:
        """Green Circle: the cards on show with that goal."""
        return [
            (name, self.cards[name])
            for name in list(self.shown)
            for _ in range(self.shown[name])
            if self.symbol(name) in GREEN and self.cards[name]["effect"] == effect
        ]

    def earn_card(self, player: int, name: str) -> None:
        """Green Circle: points once, then the card leaves."""
        self.shown[name] -= 1
        self.gain_points(player, self.cards[name]["points"])

    def dial_texts(self, player: int) -> set[str]:
        """M16: cities whose dial a Dispatcher can turn."""
        if not self.dispatchers(player):
            return set()
        return {f"dial {city}" for city in self.cities if self.dial[city] is not None}

    def dispatchers(self, player: int) -> list[str]:
        """The player's cards that turn a dial."""
        return [
            name
            for name, number in self.held[player].items()
            if number > 0 and self.cards[name]["effect"] == "turn_rotor"
        ]

    def turn_dial(self, city: str) -> None:
        """Hand of Cards: the card is discarded."""
        name = self.dispatchers(self.to_move)[0]
        self.held[self.to_move][name] -= 1
        for _ in range(self.cards[name].get("steps", 1)):
            self.step_dial(city)

    def step_dial(self, city: str) -> None:
        """R17: one step on; the fixed colour stays."""
        if self.dial[city] is not None:
            self.dial[city] = DIAL[(DIAL.index(self.dial[city]) + 1) % len(DIAL)]

    # ------------------------------------------------------------------------------- A. build track

    def tracks(self, place: Hex) -> list[tuple[Tile, Link]]:
        """Track in a hex, of anybody, finished or not."""
        return [(tile, link) for link in self.links for tile in link.tiles if tile.hex == place]

    def used_sides(self, place: Hex, without: Tile | None = None) -> set[str]:
        """Sides of a hex that track runs over."""
        return {
            side
            for tile, _ in self.tracks(place)
            if tile != without
            for side in (tile.entry, tile.exit)
        }

    def stubs(self, player: int) -> list[Link]:
        """The player's unfinished links."""
        return [link for link in self.links if link.owner == player and link.end is None]

    def own_links(self, player: int) -> list[Link]:
        """The player's completed links."""
        return [link for link in self.links if link.owner == player and link.end is not None]

    def are_joined(self, player: int, one: str, other: str) -> bool:
        """R16: whether the player has a link between the two cities."""
        return any(link.ends == {one, other} for link in self.own_links(player))

    def may_join(self, player: int, one: str, other: str) -> bool:
        """M6, R16: exactly one OTHER city, and no second own link between the two."""
        if one == other:
            return False
        if self.options["second_own_parallel_link"]:
            return True
        return not self.are_joined(player, one, other)

    def fits(self, tile: Tile, link: Link | None, without: Tile | None = None) -> bool:
        """A. Build Track, M7: a free place in the hex for a track of this shape."""
        if tile.hex not in self.terrain or tile.entry == tile.exit:
            return False
        if are_adjacent(tile.entry, tile.exit) and not self.options["sharp_turns"]:
            return False
        present = [(old, owner) for old, owner in self.tracks(tile.hex) if old != without]
        if len(present) >= 2:
            return False
        for old, owner in present:
            if {tile.entry, tile.exit} & {old.entry, old.exit}:
                return False
            if owner is link and not self.options["link_may_cross_itself"]:  # M6
                return False
            crosses = cross((tile.entry, tile.exit), (old.entry, old.exit))
            if not crosses and not self.options["tracks_may_share_hex_without_crossing"]:
                return False
        return True

    def step(
        self, player: int, tile: Tile, link: Link | None, start: str, without: Tile | None = None
    ) -> Step | None:
        """M5, M6: the step, if the tile fits and its exit leads to somewhere it may."""
        if not self.fits(tile, link, without):
            return None
        target, back = beyond(tile.hex, tile.exit), opposite(tile.exit)
        city = self.city_at.get(target)
        if city is not None:
            if back in self.spurs[city] and self.may_join(player, start, city):
                return Step(tile, link, start, city=city)
            return None
        if target not in self.terrain:
            return None
        if back not in self.used_sides(target):
            return Step(tile, link, start)
        for stub in self.stubs(player):
            if stub is not link and (stub.tiles[-1].hex, stub.tiles[-1].exit) == (target, back):
                if not self.may_join(player, start, stub.start):
                    return None
                if self.would_meet_itself(tile, link, stub):
                    return None
                return Step(tile, link, start, stub=stub)
        return None

    def would_meet_itself(self, tile: Tile, link: Link | None, stub: Link) -> bool:
        """M6: joined, the two would use a hex twice."""
        if self.options["link_may_cross_itself"]:
            return False
        hexes = {tile.hex} | {old.hex for old in (link.tiles if link else [])}
        return bool(hexes & {old.hex for old in stub.tiles})

    def first_tiles(self, player: int, city: str) -> dict[str, Step]:
        """A. Build Track: the first tile at a free spur of a city."""
        found = {}
        for spur in self.spurs[city]:
            place, entry = beyond(self.place[city], spur), opposite(spur)
            for side in SIDES:
                tile = Tile(place, entry, side)
                step = self.step(player, tile, None, city)
                if step:
                    found[f"lay {tile.text}"] = step
        return found

    def extensions(self, player: int, stub: Link) -> dict[str, Step]:
        """A. Build Track: the next tile of an own unfinished link."""
        end = stub.tiles[-1]
        found = {}
        for side in SIDES:
            tile = Tile(beyond(end.hex, end.exit), opposite(end.exit), side)
            step = self.step(player, tile, stub, stub.start)
            if step:
                found[f"lay {tile.text}"] = step
        return found

    def redirects(self, player: int, stub: Link) -> dict[str, Step]:
        """M3: another exit for the end tile of an own unfinished link."""
        end = stub.tiles[-1]
        found = {}
        for side in SIDES:
            if side == end.exit:
                continue
            tile = Tile(end.hex, end.entry, side)
            step = self.step(player, tile, stub, stub.start, without=end)
            if step:
                found[f"redirect {tile.text}"] = step
        return found

    def next_tiles(self, player: int) -> dict[str, Step]:
        """A. Build Track: on the link under way, while tiles are left."""
        if self.build.tiles_left == 0:
            return {}
        return self.extensions(player, self.build.link)

    def own_steps(self, player: int) -> dict[str, Step]:
        """K16: any own unfinished link may be continued or, as the first step, redirected."""
        found = {}
        for stub in self.stubs(player):
            found |= self.extensions(player, stub)
            found |= self.redirects(player, stub)
        return found

    def track_texts(self, player: int) -> set[str]:
        """What a Build may begin with."""
        begun = {f"from {city}" for city in self.cities if self.first_tiles(player, city)}
        return begun | set(self.own_steps(player))

    def can_build(self, player: int) -> bool:
        """M17: at least one tile is laid or redirected."""
        return bool(self.track_texts(player))

    def begin_build(self) -> None:
        """A. Build Track: up to four tiles in an action."""
        self.build = Build(
            tiles_left=self.options["tiles_per_build"],
            price={
                **{terrain: self.options[f"{terrain}_cost"] for terrain in TERRAIN.values()},
                "ridge": self.options["ridge_cost"],
            },
        )
        self.phase = "build"

    def use_texts(self, player: int) -> set[str]:
        """M16: cards declared at the start of a Build action; a purple one once a turn."""
        texts = set()
        for name, number in self.held[player].items():
            if self.symbol(name) == "ongoing_once_per_turn":
                number -= self.used[player][name]
            if self.cards[name]["effect"] not in DECLARED_IN_BUILD:
                continue
            if number > 0 and name not in self.build.declared:
                texts.add(f"use {name}")
        return texts

    def use_card(self, player: int, name: str) -> None:
        """R14, M16: the card holds for this Build; one from the hand is discarded."""
        row = self.cards[name]
        self.build.declared.append(name)
        if self.symbol(name) == "hand":
            self.held[player][name] -= 1
        else:
            self.used[player][name] += 1
        match row["effect"]:
            case "free_open_tiles":
                self.build.price["open"] = 0
            case "extra_tiles":
                self.build.tiles_left += row["amount"]
            case "no_ridge_cost":
                self.build.price["ridge"] = 0
            case "terrain_price":
                terrain = row["terrain"]
                self.build.price[terrain] = min(self.build.price[terrain], row["cost"])

    def take_build_step(self, text: str) -> None:
        """A. Build Track, step by step."""
        player = self.to_move
        words = text.split()
        match words[0]:
            case "use":
                self.use_card(player, words[1])
            case "from":
                self.build.start = words[1]
                self.phase = "first tile"
            case "depots":
                self.build_depots(player, words[1], int(words[2]))
            case "done":
                self.end_action()
            case "lay" | "redirect":
                if self.phase == "build":
                    step = self.own_steps(player)[text]
                elif self.phase == "first tile":
                    step = self.first_tiles(player, self.build.start)[text]
                else:
                    step = self.next_tiles(player)[text]
                self.lay(player, step, is_redirect=words[0] == "redirect")

    def ridge_price(self, place: Hex, side: str) -> int:
        """Crossing a ridge; A06: also next to a city."""
        if frozenset((place, beyond(place, side))) in self.ridges:
            return self.build.price["ridge"]
        return 0

    def lay(self, player: int, step: Step, is_redirect: bool) -> None:
        """A. Build Track, M3, M4, R09: pay and place the tile; complete the link if it meets."""
        tile = step.tile
        cost = self.build.price[self.terrain[tile.hex]]
        if not is_redirect:
            if self.tracks(tile.hex):
                cost += self.options["crossover_cost"] + (2 if self.options["rules_2005"] else 0)
            cost += self.ridge_price(tile.hex, tile.entry)
            self.build.tiles_left -= 1
        is_complete = step.city is not None or step.stub is not None
        if is_complete:
            cost += self.ridge_price(tile.hex, tile.exit)
        self.pay(player, cost)

        link = step.link
        if link is None:
            link = Link(player, step.start, [])
            self.links.append(link)
        if is_redirect:
            link.tiles.pop()
        link.tiles.append(tile)
        self.build.link = link
        if is_complete:
            self.complete(player, link, step)
            self.phase = "link done"
        else:
            self.phase = "next tile"
        self.go_on_building(player)

    def complete(self, player: int, link: Link, step: Step) -> None:
        """A. Build Track: a link between two cities; Complete Major Lines, R13."""
        if step.stub is not None:
            self.links.remove(step.stub)
            back = [Tile(tile.hex, tile.exit, tile.entry) for tile in reversed(step.stub.tiles)]
            link.tiles += back
            link.end = step.stub.start
        else:
            link.end = step.city
        for number, (one, other, points) in enumerate(self.lines):
            if self.line_owner[number] is None and other in self.reach(player, one):
                self.line_owner[number] = player
                self.gain_points(player, points)

    def reach(self, player: int, start: str) -> set[str]:
        """Cities joined to a city over the player's own links."""
        reached = {start}
        grown = True
        while grown:
            grown = False
            for link in self.own_links(player):
                if len(link.ends & reached) == 1:
                    reached |= link.ends
                    grown = True
        return reached

    def go_on_building(self, player: int) -> None:
        """The action ends by itself when nothing is left to decide."""
        if self.phase == "build":
            return
        tiles = self.next_tiles(player) if self.phase == "next tile" else {}
        if not tiles and not self.depot_texts():
            self.end_action()

    # ------------------------------------------------------------------------------ Fuel Depots

    def depot_cities(self, player: int) -> list[str]:
        """Western, R18: cities at an own complete link without a depot of any colour."""
        if not self.options["fuel_depots"]:
            return []
        own = set().union(*(link.ends for link in self.own_links(player)))
        return [city for city in self.cities if city in own and sum(self.depots[city]) == 0]

    def depot_texts(self) -> set[str]:
        """Western, M17, R18: once in a Build, one or two in one city; 2010: at the new link."""
        player = self.to_move
        left = self.depots_left[player]
        cities = self.depot_cities(player)
        if self.options["depot_rules"] == "2010":
            if self.phase != "link done":
                return set()
            cities = [city for city in cities if city in self.build.link.ends]
            most = min(1, left)
        else:
            if self.build.depots_placed:
                return set()
            most = min(2, left)
        return {f"depots {city} {n}" for city in cities for n in range(1, most + 1)}

    def build_depots(self, player: int, city: str, number: int) -> None:
        """Western: for an additional cost, once in the action."""
        if self.build.depots_placed == 0:
            self.pay(player, self.options["depot_cost"])
        self.build.depots_placed += number
        self.place_depots(city, number)
        self.go_on_building(player)

    def free_depot_texts(self, player: int) -> set[str]:
        """Coal Contract: without paying or building, in one city."""
        most = min(self.taken["amount"], self.depots_left[player])
        return {
            f"depots {city} {n}" for city in self.depot_cities(player) for n in range(1, most + 1)
        }

    def place_depots(self, city: str, number: int) -> None:
        """From the player's supply to the city."""
        self.depots[city][self.to_move] += number
        self.depots_left[self.to_move] -= number

    def remove_depot(self, player: int, city: str) -> None:
        """Western: a depot used returns to the player's supply."""
        self.depots[city][player] -= 1
        self.depots_left[player] += 1

    def lose_stopped_cube(self, player: int) -> None:
        """M9, K15: a cube that is not moved on goes to the bag; the depot stays."""
        cube = self.stopped[player]
        if cube is not None:
            self.bag[cube.colour] += 1
            self.stopped[player] = None

    # ----------------------------------------------------------------------------------- D. deliver

    def accepts(self, city: str, colour: str) -> bool:
        """D. Deliver, R17: its colour, or the one on its dial."""
        return colour in (self.colour[city], self.dial[city])

    def ways(
        self, player: int, colour: str, origin: str, barred: set[str], own_first: bool
    ) -> Iterator[tuple[list[str], list[int], set[str]]]:
        """D. Deliver, R20, M8: every way over completed links: cities, owners, depots used.

        A way goes on past a city that accepts the cube only with an own depot there.
        """

        def walk(cities: list[str], owners: list[int], depots: set[str]) -> Iterator:
            if len(owners) == self.engine[player]:
                return
            here = cities[-1]
            choices = {
                ((link.ends - {here}).pop(), link.owner)
                for link in self.links
                if link.end is not None and here in link.ends
            }
            for city, owner in sorted(choices):
                if city in barred or city in cities:
                    continue
                if own_first and not owners and owner != player:
                    continue
                yield [*cities, city], [*owners, owner], depots
                if not self.accepts(city, colour):
                    yield from walk([*cities, city], [*owners, owner], depots)
                elif self.depots[city][player] > 0:
                    yield from walk([*cities, city], [*owners, owner], depots | {city})

        yield from walk([origin], [], set())

    def moves(self, player: int) -> dict[str, Move]:
        """D. Deliver, and the depots' stops: all moves of a cube, each with its outcomes."""
        found: dict[str, Move] = {}
        for city in self.cities:
            for colour in COLOURS:
                if self.cubes[city][colour] > 0:
                    ways = self.ways(player, colour, city, set(), own_first=True)
                    self.list_moves(player, colour, city, False, ways, found)
        cube = self.stopped[player]
        if cube is not None and self.depots[cube.at][player] > 0:
            own_first = self.options["own_first_link_after_stop"]  # M10
            ways = self.ways(player, cube.colour, cube.at, cube.seen, own_first)
            self.list_moves(player, cube.colour, cube.at, True, ways, found)
        return found

    def list_moves(
        self,
        player: int,
        colour: str,
        origin: str,
        continues: bool,
        ways: Iterator,
        found: dict[str, Move],
    ) -> None:
        """M20, A08: the moves that these ways allow."""
        for cities, owners, depots in ways:
            to = cities[-1]
            points = tuple(owners.count(seat) for seat in range(self.players))
            is_accepted = self.accepts(to, colour)
            moves = []
            if is_accepted:
                moves.append((False, Outcome(points, frozenset(depots), frozenset())))
            if self.depots[to][player] >= (2 if is_accepted else 1):
                via = frozenset(cities[1:-1])
                moves.append((True, Outcome(points, frozenset(depots), via)))
            for stops, outcome in moves:
                if continues:
                    text = f"continue_stop {to}" if stops else f"continue {to}"
                else:
                    text = f"{'stop' if stops else 'deliver'} {colour} {origin} {to}"
                move = found.setdefault(text, Move(colour, origin, to, stops, continues, []))
                if outcome not in move.outcomes:
                    move.outcomes.append(outcome)

    def question(self) -> dict[str, list[Outcome]]:
        """M20: the first thing in which the outcomes differ, by answer; none when one is left."""
        outcomes = self.move.outcomes
        for seat in range(self.players):
            answers: dict[str, list[Outcome]] = {}
            for outcome in outcomes:
                answers.setdefault(f"points {seat} {outcome.points[seat]}", []).append(outcome)
            if len(answers) > 1:
                return answers
        for kind, yes, no in (("depots", "depot", "no_depot"), ("via", "via", "not_via")):
            for city in self.cities:
                answers = {}
                for outcome in outcomes:
                    word = yes if city in getattr(outcome, kind) else no
                    answers.setdefault(f"{word} {city}", []).append(outcome)
                if len(answers) > 1:
                    return answers
        return {}

    def answer(self, text: str) -> None:
        """One question on the route is settled."""
        self.move.outcomes = self.question()[text]
        self.settle_move()

    def settle_move(self) -> None:
        """Ask until one outcome is left, then move the cube."""
        if self.question():
            self.phase = "route"
            return
        player, move = self.to_move, self.move
        (outcome,) = move.outcomes
        for city in outcome.depots:
            self.remove_depot(player, city)
        if move.continues:
            self.remove_depot(player, move.origin)
            cube, self.stopped[player] = self.stopped[player], None
        else:
            cube = Cube(move.colour, move.origin, move.origin, {move.origin}, [0] * self.players)
            self.take_cube_away(player, move.origin, move.colour)
        cube.at = move.to
        cube.seen |= outcome.via | {move.to}
        cube.points = [sum(both) for both in zip(cube.points, outcome.points, strict=True)]
        if move.stops:
            if self.accepts(move.to, move.colour):  # A08
                self.remove_depot(player, move.to)
            self.stopped[player] = cube
        else:
            self.arrive(player, cube)
        self.end_action()

    def take_cube_away(self, player: int, city: str, colour: str) -> None:
        """D. Deliver: an Empty City Marker for the last cube; End of Game, R06, M9."""
        self.cubes[city][colour] -= 1
        if sum(self.cubes[city].values()) > 0 or self.triggered or city in self.marked:
            return
        self.marked.add(city)
        if len(self.marked) == self.table("empty_city_markers", self.players):
            self.triggered = self.round
            self.trigger_player = player
            self.last_turn = self.turn + 1

    def arrive(self, player: int, cube: Cube) -> None:
        """D. Deliver: the cube to the bag, points, Hotels, green cards, the dial, the West."""
        self.bag[cube.colour] += 1
        for seat in range(self.players):
            self.gain_points(seat, cube.points[seat])
        for seat in range(self.players):  # R15
            for name, number in self.held[seat].items():
                row = self.cards[name]
                if row["effect"] == "hotel" and slug(row["city"]) == cube.at:
                    self.gain_points(seat, number * row["points"])
        for name, _ in self.shown_green("gain_points_on_first_delivery"):  # K18
            self.earn_card(player, name)
        for name, row in self.shown_green("gain_points_on_first_delivery_to"):
            if slug(row["city"]) == cube.at:
                self.earn_card(player, name)
        for name, row in self.shown_green("first_delivery_links"):
            if sum(cube.points) >= row["links"]:
                self.earn_card(player, name)
        self.step_dial(cube.at)
        is_western = cube.colour == "red" and cube.origin in self.western_owner  # R21
        if is_western and cube.at == slug(self.western["destination"]):
            self.add_cubes(cube.at, self.western["cubes_added"])

    # ------------------------------------------------------------------------------------- the end

    def scores(self) -> list[int]:
        """End of Game, M11; Barons once the game is over."""
        return [
            self.banked[player]
            + self.marker[player]
            - self.bonds[player] * self.options["bond_points"]
            + (self.baron_points(player) if self.is_over else 0)
            for player in range(self.players)
        ]

    def payoffs(self) -> list[float]:
        """Western, End of Game, R11, M11: points, then links, then money, then a shared win."""
        ranks = [
            (score, len(self.own_links(player)), self.money[player])
            for player, score in enumerate(self.scores())
        ]
        best = max(ranks)
        return [1 / ranks.count(best) if rank == best else 0.0 for rank in ranks]

    def baron_points(self, player: int) -> int:
        """End of Game: the Baron kept."""
        if self.baron[player] is None:
            return 0
        row = self.barons[self.baron[player]]
        measure = {
            "most_money": lambda seat: self.money[seat],
            "fewest_bonds": lambda seat: -self.bonds[seat],
            "longest_chain": self.longest_chain,
            "most_links": lambda seat: len(self.own_links(seat)),
            "most_cities_connected": lambda seat: len(self.own_cities(seat)),
            "most_major_lines": lambda seat: self.line_owner.count(seat),
        }.get(row["condition"])
        if measure is not None:  # R12
            others = [measure(seat) for seat in range(self.players) if seat != player]
            return row["points"] if measure(player) > max(others) else 0
        if row["condition"] == "connections_out_of":
            at_city = [link for link in self.own_links(player) if slug(row["city"]) in link.ends]
            return row["points_each"] * min(len(at_city), row["most"])
        return row["points"] if self.has_met(player, row) else 0

    def has_met(self, player: int, row: dict) -> bool:
        """Conditions that do not compare players."""
        match row["condition"]:
            case "connected":
                one, other = (slug(name) for name in row["cities"])
                return other in self.reach(player, one)
            case "first_engine_level":
                return self.first_at_level.get(row["level"]) == player
            case "links_into":
                reached = self.own_cities(player) & {slug(name) for name in row["cities"]}
                return len(reached) >= row["at_least"]
            case "own_western_link":
                return player in self.western_owner.values()
        raise ValueError(row["condition"])

    def own_cities(self, player: int) -> set[str]:
        """Cities at ends of the player's own links."""
        return set().union(*(link.ends for link in self.own_links(player)))

    def longest_chain(self, player: int) -> int:
        """A03: the longest walk over own links, none twice."""

        def longest(here: str, left: list[Link], seen: set[str]) -> int:
            best = 0
            for link in left:
                if here not in link.ends:
                    continue
                city = (link.ends - {here}).pop()
                if city in seen and not self.options["chain_may_revisit_city"]:
                    continue
                rest = [other for other in left if other is not link]
                best = max(best, 1 + longest(city, rest, seen | {city}))
            return best

        own = self.own_links(player)
        return max((longest(city, own, {city}) for city in self.own_cities(player)), default=0)
