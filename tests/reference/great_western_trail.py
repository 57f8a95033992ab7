"""Great Western Trail, slow and obvious: the rules against which the compiled engine is checked.

A turn is written down as it is played: a method asks a player by `yield` and goes on with the
answer. Every way along the trail and the railroad is walked, every choice of objective cards tried.
Methods cite the chapter of the rulebook, or the ruling (R08, X2, M24, ...), they follow; nothing is
shared with the engine. `Reference.legal` lists the decisions that players are asked for.
"""

from __future__ import annotations

import contextlib
import functools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

Action = tuple  # a word, then what it is about
Asking = Iterator[set[Action]]  # a part of a turn: it yields what is legal, and is sent the answer

DONE = ("done",)
TOKEN = ("token",)
AUXILIARIES = ("dollar", "draw", "certificate", "engine", "remove", "branchlet")
WORKERS = ("cowboy", "craftsman", "engineer")
LAST_SPACE = 39
DISPLAY = 4
ROW_LENGTH = 6
BRANCHLETS = 15
BELLS = 5


@dataclass
class Seat:
    """What a player has. Cards are objective cards by name, or a type of cattle with its points."""

    at: str | None = None  # space of the cattleman
    money: int = 0
    workers: Counter = field(default_factory=Counter)  # the printed ones included
    certificate: int = 0  # space of the marker
    permanent: int = 0  # certificates
    engine: float = 0  # 4.5: the turnout between 4 and 5
    hand: Counter = field(default_factory=Counter)
    stack: Counter = field(default_factory=Counter)
    discard: Counter = field(default_factory=Counter)
    shown: Counter = field(default_factory=Counter)  # objective cards that all saw go into the hand
    secret: Counter = field(default_factory=Counter)  # ones that nobody else saw
    played: Counter = field(default_factory=Counter)
    hazards: Counter = field(default_factory=Counter)  # a type, a hand, points
    teepees: Counter = field(default_factory=Counter)  # "green", "blue"
    discs: Counter = field(default_factory=Counter)  # left on the player board
    gone: set[int] = field(default_factory=set)  # numbers of building tiles used up
    stations: set[str] = field(default_factory=set)  # with an own disc
    masters: set[str] = field(default_factory=set)
    city_discs: Counter = field(default_factory=Counter)
    delivered: set[str] = field(default_factory=set)
    branchlets: int = BRANCHLETS
    tokens: int = 0
    counted: Counter = field(default_factory=Counter)  # for the measures


@dataclass
class Table:
    """A position between decisions."""

    seats: list[Seat]
    to_move: int
    sides: str  # of the private buildings, by number
    buildings: dict[str, tuple[int | None, str]]  # by space: the owner and the tile
    hazards: dict[str, tuple[str, str, int]]  # by space
    teepees: dict[int, str]  # by what is given for them
    piles: list[list]  # tiles: hazards, "green", "blue", workers
    foresight: list[list]
    job: list[Counter]
    token_row: int  # of the job market token, from 0; 12: it has left
    filled: int  # spaces before the token in its row that had a worker
    token_owner: int | None
    market: Counter
    cattle_stack: list
    display: list[str | None]
    objective_stack: list[str]
    station_masters: dict[str, str]
    station_workers: dict[str, str]
    new_york: set[str]
    towns: dict[str, list[int | None]]  # owner of each of the branchlet spaces
    medium: dict[str, str]  # by town: the icon of its tile
    removed: Counter = field(default_factory=Counter)  # cards that left the game
    visits: Counter = field(default_factory=Counter)  # by space


class Left(Exception):
    """A cattleman has moved on: what was still to be done at the old place is lost (R23)."""


class Reference:
    """One game of Great Western Trail from a position before the first decision.

    Parameters
    ----------
    document : dict
        The parsed board file.
    options : dict
        Every option.
    table : Table
        The position after set-up, in the first turn; it is changed.
    draw : callable
        Which cards a player draws: `draw(player, number)`, a Counter.

    Attributes
    ----------
    legal : set of tuple
        What the player to move may do; empty once the game is over. An action is a word and what
        it is about: ("go", space), ("way", ((payee, dollars), ...)), ("play", card), ("do", icon),
        ("hire", row, worker), ("tile", number), ("onto", space), ("objective", card or "stack"),
        ("certificates", spaces), ("engine", position), ("disc", space of the player board),
        ("disc from", station), ("appoint", worker), ("teepee", money), ("hazard", space),
        ("buy", value, cowboys, card), ("market cards",), ("take", card), ("draw", number),
        ("discard", card), ("remove", card), ("copy", space), ("upgrade", station),
        ("foresee", tile), ("spend", certificates), ("deliver", city), ("master", tile),
        ("town", town, money, icon), ("token",), and ("done",) to leave what is left.
    """

    def __init__(
        self,
        document: dict,
        options: dict,
        table: Table,
        draw: Callable[[int, int], Counter] = lambda player, number: Counter(),
    ):
        self.options = options
        self.table = table
        self.draw_cards = draw
        self.players = len(table.seats)
        north = options["rails_to_the_north"]

        def named(key: str, *extra: str) -> dict[str, dict]:
            keys = [key, *(extra if north else ())]
            return {entry["name"]: entry for each in keys for entry in document[each]}

        self.icons = named("icons")
        self.spaces = named("spaces")
        self.start, *_, self.goal = self.spaces
        self.trail_trades = {
            name: space["trade"] for name, space in self.spaces.items() if "trade" in space
        }
        trades = [*document["beside_trail"]["trades"], *self.trail_trades.values()]
        self.trades = sorted(trades)
        if options["teepee_order"] == "minus_one_first":
            self.trades.sort(key=lambda trade: (trade != -1, trade))
        self.by_players = {entry["players"]: entry for entry in document["players"]}[self.players]
        self.tiles = named("neutral_buildings") | named("buildings", "buildings_north")
        self.numbers = range(1, 1 + len(named("buildings", "buildings_north")) // 2)
        self.breeding = {cattle["name"]: cattle["value"] for cattle in document["cattle"]}
        self.kinds = [  # of cattle cards
            (cattle["name"], points)
            for cattle in document["cattle"]
            for points in sorted({*cattle.get("market", []), *([0] if "start" in cattle else [])})
        ]
        self.lines = document["buying"]
        self.objectives = named("objectives") | named("starting_objectives")
        self.rows = document["job_market"]["costs"]
        self.refills = document["job_market"]["refills"]
        self.crosses = document["railroad"]["crosses"]
        self.stations = named("stations", "stations_north")
        self.turnouts = {
            station["after"] + 0.5: name
            for name, station in self.stations.items()
            if "after" in station
        }
        self.station_at = self.turnouts | {
            station["at"]: name for name, station in self.stations.items() if "at" in station
        }
        self.masters = named("masters", "masters_north")
        strip = ["cities_north", "big_towns"] if north else ["cities"]
        self.cities = {city["name"]: city for key in strip for city in document[key]}
        self.big_towns = {town["name"] for town in document["big_towns"]} if north else set()
        self.pairs = document["pairs_north" if north else "pairs"]
        self.discs = named("discs", "discs_north")
        self.auxiliaries = named("auxiliary", "auxiliary_north")
        self.certificates = document["certificate_track"]["spaces"]
        self.worker_icons = {
            (entry["worker"], entry["place"]): entry["icon"] for entry in document["worker_spaces"]
        }
        self.towns = named("towns") if north else {}
        self.joins = document["links"]["joins"] if north else []
        self.bell_tokens = document["bells"]["tokens"]

        self.is_over = False
        self.acted: set[str] = set()  # places whose building was used in this turn (R14)
        self.copied: tuple[str, ...] = ()  # places of buildings that are being copied, one by one
        self.was_at_goal = False
        self.asking = self.game()
        self.legal = next(self.asking)

    def play(self, action: Action) -> None:
        """Carry out one legal decision and all that follows from it without a further one."""
        if action not in self.legal:
            raise ValueError(f"{action} is not legal")
        try:
            self.legal = self.asking.send(action)
        except StopIteration:
            self.legal, self.is_over = set(), True

    @property
    def seat(self) -> Seat:
        """The player to move."""
        return self.table.seats[self.table.to_move]

    # ------------------------------------------------------------------------------------- asking

    def ask(self, options: Callable[[], set[Action]]) -> Asking:
        """Ask; a token may be used first (X10), and who cannot do anything goes on."""
        while True:
            legal = options() or {DONE}
            answer = yield legal | self.token()
            if answer != TOKEN:
                return answer
            yield from self.use_token()

    def ask_or_not(self, is_optional: bool, options: Callable[[], set[Action]]) -> Asking:
        """Ask for something that may be forfeited, or may not."""
        return (yield from self.ask(lambda: options() | ({DONE} if is_optional else set())))

    def token(self) -> set[Action]:
        """X10: a token cannot be used with stack and discard pile both empty."""
        return {TOKEN} if self.seat.tokens and self.drawable() else set()

    def use_token(self) -> Asking:
        """How to use your exchange tokens: draw up to 2 cards, then discard as many."""
        self.seat.tokens -= 1
        yield from self.draw_and_discard(2, False)

    # --------------------------------------------------------------------------------------- turns

    def game(self) -> Asking:
        """R37: once the token is taken every other player has one more turn."""
        while True:
            yield from self.turn()
            self.table.to_move = (self.table.to_move + 1) % self.players
            if self.table.token_owner == self.table.to_move:
                return
            self.seat.counted["turns"] += 1

    def turn(self) -> Asking:
        """Phase A: move. Phase B: local actions, or Kansas City. Phase C: draw."""
        seat = self.seat
        self.acted = set()
        has_arrived = False
        with contextlib.suppress(Left):
            yield from self.phase_a()
        while not has_arrived:
            with contextlib.suppress(Left):
                if seat.at == self.goal:
                    yield from self.kansas_city()
                else:
                    yield from self.phase_b()
                has_arrived = True
        while self.token():  # the last moment for one
            answer = yield {DONE, TOKEN}
            if answer == DONE:
                break
            yield from self.use_token()
        self.draw(max(0, self.hand_limit() - seat.hand.total()))
        if self.was_at_goal:  # R29
            for tiles, pile in zip(self.table.foresight, self.table.piles, strict=True):
                for place, tile in enumerate(tiles):
                    if tile is None and pile:
                        tiles[place] = pile.pop(0)
        self.was_at_goal = False

    def phase_a(self) -> Asking:
        """A first turn begins on a neutral building; X8: objective cards come before the move."""
        seat = self.seat
        while True:
            answer = yield from self.ask(lambda: self.moves_of_phase_a() | self.plays())
            if answer[0] == "play":
                yield from self.play_objective(answer[1])
            elif seat.at is None:
                self.arrive(answer[1])
                return
            else:
                yield from self.travel(answer[1], self.step_limit())
                return

    def moves_of_phase_a(self) -> set[Action]:
        """The first time neutral buildings, and own ones with an option."""
        if self.seat.at is not None:
            return self.moves(self.step_limit())
        places = {name for name, space in self.spaces.items() if space["kind"] == "neutral"}
        if self.options["first_placement_on_private"]:
            places |= {
                space
                for space, (owner, _) in self.table.buildings.items()
                if owner == self.table.to_move
            }
        return {("go", place) for place in places}

    def step_limit(self) -> int:
        """X6: it goes by the number of movement discs cleared, up to the move itself."""
        return self.by_players["steps"][self.cleared("move_1") + self.cleared("move_2")]

    def hand_limit(self) -> int:
        """X6: by the number of discs cleared."""
        return self.options["cards_in_hand"] + self.cleared("hand")

    def cleared(self, disc: str) -> int:
        """Disc spaces of that kind that were cleared."""
        return self.discs[disc]["copies"] - self.seat.discs[disc]

    # ----------------------------------------------------------------------- moving the cattleman

    def is_occupied(self, place: str) -> bool:
        """Where a step is counted: buildings, hazards, teepees on the trail, Kansas City."""
        return (
            place == self.goal
            or place in self.table.buildings
            or place in self.table.hazards
            or self.trail_trades.get(place) in self.table.teepees
        )

    def walks(self, place: str, steps: int) -> Iterator[list[str]]:
        """Every way of 1 to so many steps, as the occupied spaces entered."""
        for ahead in self.spaces[place].get("next", []):
            if not self.is_occupied(ahead):
                yield from self.walks(ahead, steps)
                continue
            yield [ahead]
            if steps > 1:
                for walk in self.walks(ahead, steps - 1):
                    yield [ahead, *walk]

    def moves(self, steps: int, is_free: bool = False) -> set[Action]:
        """Spaces to move to; R36: without tolls not to Kansas City."""
        places = {walk[-1] for walk in self.walks(self.seat.at, steps)}
        if is_free and not self.options["ride_to_kansas_city"]:
            places.discard(self.goal)
        return {("go", place) for place in places}

    def toll(self, place: str) -> tuple[int | None, int]:
        """Who has the toll of a space, None for the bank, and how much; R21."""
        owner, hand = None, "none"
        if place in self.table.hazards:
            hand = self.table.hazards[place][1]
        elif self.trail_trades.get(place) in self.table.teepees:
            colour = self.table.teepees[self.trail_trades[place]]
            hand = {"green": "green", "blue": "black"}[colour]
        elif place in self.table.buildings:
            owner, tile = self.table.buildings[place]
            if owner is not None and owner != self.table.to_move:
                hand = self.tiles[tile].get("hand", "none")
        hands = {"none": [], "both": ["green", "black"]}.get(hand, [hand])
        return owner, sum(self.by_players[each] for each in hands)

    def payments(self, walk: list[str]) -> tuple[tuple[int | str, int], ...]:
        """What everybody receives on a way; who is too poor pays what he has."""
        money, received = self.seat.money, Counter()
        for place in walk:
            owner, amount = self.toll(place)
            paid = min(money, amount)
            money -= paid
            received["bank" if owner is None else owner] += paid
        return tuple(sorted(((+received).items()), key=str))

    def outcomes(self, target: str, steps: int) -> set[tuple]:
        """Every distinct outcome of the ways to a space."""
        walks = [walk for walk in self.walks(self.seat.at, steps) if walk[-1] == target]
        return {self.payments(walk) for walk in walks}

    def travel(self, target: str, steps: int) -> Asking:
        """Move there, by a way that is asked for if they differ, and pay the tolls."""
        found = self.outcomes(target, steps)
        if len(found) > 1:
            _, paid = yield from self.ask(lambda: {("way", outcome) for outcome in found})
        else:
            (paid,) = found
        for payee, amount in paid:
            self.seat.money -= amount
            self.seat.counted["tolls_paid"] += amount
            if payee != "bank":
                self.table.seats[payee].money += amount
                self.table.seats[payee].counted["tolls_earned"] += amount
        self.arrive(target)

    def arrive(self, place: str) -> None:
        """The cattleman stops there."""
        self.seat.at = place
        self.table.visits[place] += 1

    # ------------------------------------------------------------------------------------ phase B

    def phase_b(self) -> Asking:
        """Local actions, each once in any order; or one single auxiliary action instead of all.

        R11: something must be done, if possible. X8: objective cards before the first or after any
        one action. R36b: after a move without tolls there are no local actions any more.
        """
        seat = self.seat
        place = seat.at
        self.acted.add(place)
        left = self.icons_at(place, is_copied=False)
        has_acted = False
        tile = self.table.buildings.get(place)

        def options() -> set[Action]:
            found = self.uses(left) | self.plays()
            if not has_acted:
                found |= self.single_auxiliaries()
            if has_acted or not self.options["something_in_phase_b"]:
                found |= {DONE}
            return found

        while True:
            answer = yield from self.ask(options)
            if answer == DONE:
                return
            if answer[0] == "play":
                yield from self.play_objective(answer[1])
            else:
                has_acted = True
                icon = answer[1]
                used = [each for each in left if icon in self.either(each)]
                left = [each for each in left if each != used[0]] if used else []
                yield from self.do(icon, False)
            if seat.at != place:
                place, tile, left = seat.at, self.table.buildings.get(seat.at), []
                if self.options["ride_gives_actions"]:
                    self.acted.add(place)
                    left = self.icons_at(place, is_copied=False)
            elif self.table.buildings.get(place) != tile:
                tile, left = self.table.buildings[place], self.kept(left, place)

    def icons_at(self, place: str, is_copied: bool) -> list[str]:
        """Local actions: of neutral and own buildings; copied ones may be anybody's (R14, R15)."""
        if place not in self.table.buildings:
            return []
        owner, tile = self.table.buildings[place]
        if owner not in (None, self.table.to_move) and not is_copied:
            return []
        icons = list(self.tiles[tile]["icons"])
        risk = self.spaces[place].get("risk")
        if risk and (self.options["copied_risk_action"] or not is_copied):
            icons.append(risk)
        return icons

    def kept(self, left: list[str], place: str) -> list[str]:
        """What is left when the building one acts with is replaced: the space's own action."""
        return [icon for icon in left if icon == self.spaces[place].get("risk")]

    def either(self, icon: str) -> list[str]:
        """The icons between which one chooses, or the one."""
        return self.icons[icon].get("either", [icon])

    def uses(self, icons: list[str]) -> set[Action]:
        """The icons that can be used."""
        each = [one for icon in icons for one in self.either(icon)]
        return {("do", icon) for icon in each if self.may_do(icon)}

    def auxiliary_icons(self, is_double: bool) -> list[str]:
        """Unlocked ones: with one space clear the single action, with both the double one (X6)."""
        key, needed = ("double", 2) if is_double else ("single", 1)
        return [
            entry[key]
            for name, entry in self.auxiliaries.items()
            if 2 - self.seat.discs[name] >= needed
        ]

    def single_auxiliaries(self) -> set[Action]:
        """Single auxiliary actions that can be used."""
        return self.uses(self.auxiliary_icons(False))

    def plays(self) -> set[Action]:
        """Objective cards in hand."""
        return {("play", card) for card in self.seat.hand if card in self.objectives}

    def play_objective(self, card: str) -> Asking:
        """The card is committed; its action may be used."""
        self.take_from_hand(card)
        self.seat.played[card] += 1
        yield from self.offer(self.objectives[card].get("icon"), True)

    # -------------------------------------------------------------------------------------- icons

    def counted(self, icon: dict) -> int:
        """How many there are of what an icon counts."""
        seat = self.seat
        match icon.get("counts", "one"):
            case "one":
                return 1
            case "cowboys" | "craftsmen" | "engineers" as many:
                return seat.workers[{"craftsmen": "craftsman"}.get(many, many[:-1])]
            case "woods":
                return sum(
                    1 for place in self.own_buildings(seat) if self.spaces[place].get("woods")
                )
            case "pairs":
                return min(seat.teepees["green"], seat.teepees["blue"])
            case "hazards":
                return seat.hazards.total()
            case "bells":
                return self.bells(seat)

    def may_do(self, name: str) -> bool:
        """Whether the requirement can be met and something would change (M24, K25)."""
        seat, icon = self.seat, self.icons[name]
        can_pay = seat.money + min(0, icon.get("money", 0)) >= 0
        number = icon.get("amount", 1) * self.counted(icon)
        match icon["kind"]:
            case "gain":
                money = self.counted(icon) * icon.get("money", 0)
                marker = self.counted(icon) * icon.get("certificates", 0)
                return money > 0 or (marker > 0 and self.marker_spaces() > 0)
            case "give":
                needed = icon.get("amount", 1)
                return sum(seat.hand[card] for card in self.gifts(icon, None)) >= needed
            case "hire":
                return bool(self.hires(icon["amount"]))
            case "build":
                return bool(self.sites(icon["amount"]))
            case "take_objective" | "hold_objective":
                return bool(self.objective_choices())
            case "either":
                return any(self.may_do(one) for one in icon["either"])
            case "forward":
                return can_pay and number > 0
            case "back":
                return can_pay and bool(self.backward(icon["amount"]))
            case "extraordinary":
                return seat.engine > 0
            case "trade":
                return bool(self.trades_possible())
            case "clear":
                return seat.money >= icon["amount"] and bool(self.table.hazards)
            case "auxiliary":
                return bool(self.any_auxiliaries())
            case "buy":
                return bool(self.purchases(seat.workers["cowboy"], True))
            case "move":
                return seat.at is not None
            case "ride":
                return seat.at is not None and bool(self.moves(icon["amount"], True))
            case "draw":
                return number > 0 and self.drawable() > 0
            case "remove":
                return seat.hand.total() > 0
            case "adjacent":
                return bool(self.copies())
            case "upgrade_behind":
                return bool(self.stations_behind())
            case "branchlet":
                return bool(self.branchlet_spaces())
            case "token":
                return True
            case "free_cattle":
                return bool(self.in_market(icon["amount"]))
            case "master":
                return bool(self.table.new_york)

    def any_auxiliaries(self) -> set[Action]:
        """Single and double auxiliary actions that can be used."""
        return self.uses(self.auxiliary_icons(False) + self.auxiliary_icons(True))

    def offer(self, icon: str | None, is_optional: bool) -> Asking:
        """An icon that comes up by itself, if it can be used."""
        if icon is not None and self.may_do(icon):
            yield from self.do(icon, is_optional)

    def do(self, name: str, is_optional: bool) -> Asking:
        """Use an icon that can be used."""
        seat, icon = self.seat, self.icons[name]
        amount = icon.get("amount", 1)
        number = amount * self.counted(icon)
        match icon["kind"]:
            case "gain":
                times, money = self.counted(icon), icon.get("money", 0)
                seat.money += times * money
                spaces = times * icon.get("certificates", 0)
                yield from self.move_marker(spaces, is_optional or money > 0)
            case "give":
                yield from self.give(icon, is_optional)
            case "hire":
                yield from self.hire(amount, is_optional)
            case "build":
                yield from self.build(amount, is_optional)
            case "take_objective" | "hold_objective" as kind:
                yield from self.gain_objective(kind == "hold_objective", is_optional)
            case "either":
                answer = yield from self.ask_or_not(is_optional, lambda: self.uses([name]))
                if answer != DONE:
                    yield from self.do(answer[1], False)
            case "auxiliary":
                answer = yield from self.ask_or_not(is_optional, self.any_auxiliaries)
                if answer != DONE:
                    yield from self.do(answer[1], False)
            case "forward":
                seat.money += icon.get("money", 0)
                yield from self.move_forward(number, is_optional)
            case "back":
                yield from self.move_back_for(icon)
            case "extraordinary":
                yield from self.deliver_extraordinarily()
            case "trade":
                answer = yield from self.ask_or_not(is_optional, self.trades_possible)
                if answer != DONE:
                    seat.money += answer[1]
                    seat.teepees[self.table.teepees.pop(answer[1])] += 1
            case "clear":
                answer = yield from self.ask_or_not(
                    is_optional, lambda: {("hazard", place) for place in self.table.hazards}
                )
                if answer != DONE:
                    seat.money -= amount
                    seat.hazards[self.table.hazards.pop(answer[1])] += 1
            case "buy":
                yield from self.buy(is_optional)
            case "move":
                yield from self.move_on(amount, is_optional)
            case "ride":
                yield from self.ride(amount, is_optional)
            case "draw":
                yield from self.draw_and_discard(number, is_optional)
            case "remove":
                yield from self.remove(amount, is_optional)
            case "adjacent":
                yield from self.copy(is_optional)
            case "upgrade_behind":
                answer = yield from self.ask_or_not(is_optional, self.stations_behind)
                if answer != DONE:
                    yield from self.upgrade(answer[1], False)
            case "branchlet":
                for _ in range(amount):
                    yield from self.place_branchlet(is_optional)
            case "token":
                seat.tokens += 1
            case "free_cattle":
                answer = yield from self.ask_or_not(
                    is_optional, lambda: {("take", card) for card in self.in_market(amount)}
                )
                if answer != DONE:
                    self.take_cattle(answer[1])
            case "master":
                answer = yield from self.ask_or_not(
                    is_optional, lambda: {("master", name) for name in self.table.new_york}
                )
                if answer != DONE:
                    self.table.new_york.remove(answer[1])
                    yield from self.gain_master(answer[1])

    def move_on(self, steps: int, is_optional: bool) -> Asking:
        """R22: as many steps as the tile says. R23: what was left at the old place is lost."""
        answer = yield from self.ask_or_not(is_optional, lambda: self.moves(steps))
        if answer != DONE:
            yield from self.travel(answer[1], steps)
            raise Left

    def ride(self, steps: int, is_optional: bool) -> Asking:
        """Move without tolls (R24, R36, R36b)."""
        answer = yield from self.ask_or_not(is_optional, lambda: self.moves(steps, True))
        if answer != DONE:
            self.arrive(answer[1])
            if answer[1] == self.goal:
                raise Left

    def adjacent(self, place: str) -> set[str]:
        """Spaces next to it, in either direction; with an option empty ones are passed over."""
        if self.options["adjacent_skips_empty"]:
            ahead = {walk[0] for walk in self.walks(place, 1)}
            behind = {other for other in self.spaces if [place] in list(self.walks(other, 1))}
            return ahead | behind
        behind = {name for name, space in self.spaces.items() if place in space.get("next", [])}
        return behind | set(self.spaces[place].get("next", []))

    def copies(self) -> set[Action]:
        """R14: anybody's building beside the one that acts, but none twice in a turn."""
        near = self.adjacent(self.acting) & set(self.table.buildings)
        return {("copy", place) for place in near - self.acted}

    @property
    def acting(self) -> str:
        """Where the building stands whose actions are used."""
        return [self.seat.at, *self.copied][-1]

    def copy(self, is_optional: bool) -> Asking:
        """8b: the local actions of an adjacent building."""
        answer = yield from self.ask_or_not(is_optional, self.copies)
        if answer == DONE:
            return
        place = answer[1]
        self.acted.add(place)
        before, self.copied = self.copied, (*self.copied, place)
        try:
            yield from self.copied_actions(place)
        finally:
            self.copied = before

    def copied_actions(self, place: str) -> Asking:
        """Local actions of a building that is copied; nothing else comes between (X8)."""
        left = self.icons_at(place, is_copied=True)
        tile = self.table.buildings[place]
        here = self.seat.at
        has_acted = False

        def options() -> set[Action]:
            found = self.uses(left)
            if has_acted or not self.options["something_in_phase_b"]:
                found |= {DONE}
            return found

        while True:
            answer = yield from self.ask(options)
            if answer == DONE:
                return
            has_acted = True
            used = next(each for each in left if answer[1] in self.either(each))
            left = [each for each in left if each != used]
            yield from self.do(answer[1], False)
            if self.seat.at != here:
                left = []
            if self.table.buildings[place] != tile:
                tile, left = self.table.buildings[place], self.kept(left, place)

    # -------------------------------------------------------------------------------------- cards

    def drawable(self) -> int:
        """Cards that can still be drawn."""
        return self.seat.stack.total() + self.seat.discard.total()

    def draw(self, number: int) -> None:
        """M22: the discard pile is shuffled once when the stack runs out, then what there is."""
        seat = self.seat
        number = min(number, self.drawable())
        if not number:
            return
        drawn = self.draw_cards(self.table.to_move, number)
        assert drawn.total() == number
        if number > seat.stack.total():
            assert seat.stack <= drawn
            seat.hand += seat.stack
            drawn -= seat.stack
            seat.stack, seat.discard = seat.discard, Counter()
        assert drawn <= seat.stack
        seat.hand += drawn
        seat.stack -= drawn

    def take_from_hand(self, card) -> None:
        """A card leaves the hand, for all to see: one that they knew of, if there is one."""
        seat = self.seat
        assert seat.hand[card] > 0
        seat.hand -= Counter([card])
        seat.shown -= Counter([card])
        seat.secret &= seat.hand

    def discard_one(self, card) -> None:
        """Discarding: from the hand face up onto the own discard pile."""
        self.take_from_hand(card)
        self.seat.discard[card] += 1

    def draw_and_discard(self, number: int, is_optional: bool) -> Asking:
        """R12: draw all first, then discard as many as were drawn."""
        answer = yield from self.ask_or_not(
            is_optional,
            lambda: {("draw", n) for n in range(1, min(number, self.drawable()) + 1)},
        )
        if answer == DONE:
            return
        self.draw(answer[1])
        for _ in range(answer[1]):
            if self.seat.hand:
                answer = yield from self.ask(lambda: {("discard", card) for card in self.seat.hand})
                self.discard_one(answer[1])

    def remove(self, number: int, is_optional: bool) -> Asking:
        """Up to so many hand cards leave the game."""
        for _ in range(number):
            if not self.seat.hand:
                return
            answer = yield from self.ask_or_not(
                is_optional, lambda: {("remove", card) for card in self.seat.hand}
            )
            if answer == DONE:
                return
            self.take_from_hand(answer[1])
            self.table.removed[answer[1]] += 1
            self.seat.counted["removed"] += 1
            is_optional = True

    def cattle_in_hand(self) -> list:
        """Kinds of cattle card in hand."""
        return [card for card in self.seat.hand if card not in self.objectives]

    def gifts(self, icon: dict, cattle_type: str | None) -> set:
        """Cards that an icon asks for; the second of a pair is of the type of the first."""
        hand = self.seat.hand
        types = Counter()
        for card in self.cattle_in_hand():
            types[card[0]] += hand[card]
        match icon["card"]:
            case "objective":
                return {card for card in hand if card in self.objectives}
            case "cattle":
                return set(self.cattle_in_hand())
            case "pair":
                return {
                    card
                    for card in self.cattle_in_hand()
                    if card[0] == cattle_type or (cattle_type is None and types[card[0]] >= 2)
                }
            case "value 2":
                return {card for card in self.cattle_in_hand() if self.breeding[card[0]] == 2}
            case _:
                return {card for card in self.cattle_in_hand() if card[0] == icon["card"]}

    def give(self, icon: dict, is_optional: bool) -> Asking:
        """General notes: discard exactly the cards shown, once, to gain the reward."""
        cards = 2 if icon["card"] == "pair" else icon.get("amount", 1)
        cattle_type = None
        for _ in range(cards):
            answer = yield from self.ask_or_not(
                is_optional,
                lambda known=cattle_type: {("discard", card) for card in self.gifts(icon, known)},
            )
            if answer == DONE:
                return
            self.discard_one(answer[1])
            cattle_type = answer[1][0]
            is_optional = False
        self.seat.money += icon.get("money", 0)
        yield from self.move_marker(icon.get("certificates", 0), True)
        yield from self.offer(icon.get("then"), True)

    def marker_spaces(self) -> int:
        """Spaces to the temporary certificate limit; X6: 6 only with both discs."""
        last = 3
        if self.cleared("limit_4"):
            last = 5 if self.cleared("limit_6") else 4
        return max(0, last - self.seat.certificate)

    def move_marker(self, spaces: int, is_optional: bool) -> Asking:
        """The certificate marker goes up to so many spaces forward."""
        spaces = min(spaces, self.marker_spaces())
        if not spaces:
            return
        answer = yield from self.ask_or_not(
            is_optional, lambda: {("certificates", n) for n in range(1, spaces + 1)}
        )
        if answer != DONE:
            self.seat.certificate += answer[1]

    def objective_choices(self) -> set[Action]:
        """Gain One Objective Card: one of the display, or the top of the stack."""
        found = {("objective", card) for card in self.table.display if card is not None}
        return found | ({("objective", "stack")} if self.table.objective_stack else set())

    def gain_objective(self, into_hand: bool, is_optional: bool) -> Asking:
        """The display is filled at once."""
        table = self.table
        answer = yield from self.ask_or_not(is_optional, self.objective_choices)
        if answer == DONE:
            return
        card = answer[1]
        if card == "stack":
            card = table.objective_stack.pop(0)
        else:
            table.display[table.display.index(card)] = None
            for place in range(DISPLAY):
                if table.display[place] is None and table.objective_stack:
                    table.display[place] = table.objective_stack.pop(0)
        if into_hand:
            self.seat.hand[card] += 1
            (self.seat.secret if answer[1] == "stack" else self.seat.shown)[card] += 1
        else:
            self.seat.discard[card] += 1

    # ----------------------------------------------------------------------- workers and buildings

    def hires(self, change: int) -> set[Action]:
        """Hire One Worker: not from the token's row (M22), nor into a full row."""
        return {
            ("hire", row + 1, worker)
            for row, there in enumerate(self.table.job)
            for worker in WORKERS
            if there[worker]
            and row != self.table.token_row
            and self.seat.workers[worker] < ROW_LENGTH
            and max(0, self.rows[row] + change) <= self.seat.money
        }

    def hire(self, change: int, is_optional: bool) -> Asking:
        """Pay; the action of the space he is put on may be used."""
        answer = yield from self.ask_or_not(is_optional, lambda: self.hires(change))
        if answer == DONE:
            return
        _, row, worker = answer
        self.seat.money -= max(0, self.rows[row - 1] + change)
        self.table.job[row - 1][worker] -= 1
        self.seat.workers[worker] += 1
        self.seat.counted["hired"] += 1
        yield from self.offer(self.worker_icons.get((worker, self.seat.workers[worker])), True)

    def tile_of(self, number: int) -> str:
        """The private building of that number, on the side that all players use."""
        return f"{number}{self.table.sides[number - 1]}"

    def own_buildings(self, seat: Seat) -> list[str]:
        """Spaces with a building of a player."""
        return [
            place
            for place, (owner, _) in self.table.buildings.items()
            if owner is not None and self.table.seats[owner] is seat
        ]

    def sites(self, price: int) -> set[tuple[int, str]]:
        """Numbers of tiles above the player board, with the spaces where each can be built."""
        found = set()
        for number in self.numbers:
            for place, space in self.spaces.items():
                if number in self.seat.gone or space["kind"] != "private":
                    continue
                needed = self.craftsmen_needed(number, place)
                if needed is not None and (
                    needed <= self.seat.workers["craftsman"] and needed * price <= self.seat.money
                ):
                    found.add((number, place))
        return found

    def craftsmen_needed(self, number: int, place: str) -> int | None:
        """Those on the tile, or the difference to an own tile of fewer that it replaces."""
        needed = self.tiles[self.tile_of(number)]["craftsmen"]
        if place not in self.table.buildings:
            return needed
        owner, tile = self.table.buildings[place]
        old = self.tiles[tile].get("craftsmen")
        return needed - old if owner == self.table.to_move and old < needed else None

    def build(self, price: int, is_optional: bool) -> Asking:
        """Place One Of Your Private Building Tiles; one that is replaced leaves the game."""
        answer = yield from self.ask_or_not(
            is_optional, lambda: {("tile", number) for number, _ in self.sites(price)}
        )
        if answer == DONE:
            return
        tile = answer[1]
        answer = yield from self.ask(
            lambda: {("onto", place) for number, place in self.sites(price) if number == tile}
        )
        self.seat.money -= price * self.craftsmen_needed(tile, answer[1])
        self.table.buildings[answer[1]] = self.table.to_move, self.tile_of(tile)
        self.seat.gone.add(tile)

    def trades_possible(self) -> set[Action]:
        """Trade With The Indians: any teepee whose cost can be paid."""
        return {("teepee", trade) for trade in self.table.teepees if self.seat.money + trade >= 0}

    # -------------------------------------------------------------------------------------- cattle

    def in_market(self, value: int) -> list:
        """Kinds of card of a breeding value in the market."""
        return [
            card
            for card in self.kinds
            if self.table.market[card] and self.breeding[card[0]] == value
        ]

    def purchases(self, cowboys: int, may_buy: bool) -> set[Action]:
        """What so many cowboys may still do; R08: draw two cards if there is one."""
        found = {
            ("buy", line["value"], line["cowboys"], card)
            for line in self.lines
            if may_buy and line["cowboys"] <= cowboys and line["cost"] <= self.seat.money
            for card in self.in_market(line["value"])
        }
        return found | ({("market cards",)} if cowboys and self.table.cattle_stack else set())

    def buy(self, is_optional: bool) -> Asking:
        """Buy Cattle: each cowboy once, in any order (M21); the second of two cards may be left."""
        cowboys, may_buy = self.seat.workers["cowboy"], True
        while cowboys:
            answer = yield from self.ask_or_not(
                is_optional, lambda left=cowboys, may=may_buy: self.purchases(left, may)
            )
            if answer == DONE:
                return
            is_optional = True
            if answer == ("market cards",):
                cowboys -= 1
                self.fill_market(self.table.market.total() + 2)
                may_buy = not self.options["market_draw_last"]
                continue
            _, value, used, card = answer
            cowboys -= used
            (line,) = [
                line for line in self.lines if (line["value"], line["cowboys"]) == (value, used)
            ]
            self.seat.money -= line["cost"]
            self.take_cattle(card)
            if line["cards"] == 2:  # the cards in the order of their kinds
                kinds = self.kinds[self.kinds.index(card) :]
                answer = yield from self.ask_or_not(
                    True,
                    lambda value=value, kinds=kinds: {
                        ("take", card) for card in self.in_market(value) if card in kinds
                    },
                )
                if answer != DONE:
                    self.take_cattle(answer[1])

    def take_cattle(self, card) -> None:
        """From the market onto the own discard pile."""
        self.table.market[card] -= 1
        self.seat.discard[card] += 1
        self.seat.counted["cattle_bought"] += 1

    def fill_market(self, size: int) -> None:
        """R07, M22: up to that size, with what is left."""
        while self.table.market.total() < size and self.table.cattle_stack:
            self.table.market[self.table.cattle_stack.pop(0)] += 1

    # -------------------------------------------------------------------------------- the railroad

    def blocked(self) -> set[float]:
        """Spaces with another engine; the start has room for all."""
        return {seat.engine for seat in self.table.seats if seat is not self.seat} - {0}

    def ahead(self, position: float) -> list[float]:
        """One space forward, whatever stands there."""
        if position in self.turnouts:
            return [int(position) + 1]
        found = [position + 0.5, position + 1]
        return [one for one in found if one in self.turnouts or one in range(LAST_SPACE + 1)]

    def behind(self, position: float) -> list[float]:
        """One space backward."""
        if position in self.turnouts:
            return [int(position)]
        found = [position - 0.5, position - 1]
        return [one for one in found if one in self.turnouts or one in range(LAST_SPACE + 1)]

    def spaces_on(self, position: float, spaces: int, onward) -> set[float]:
        """Where exactly so many spaces lead; R20: occupied ones are not there."""
        if spaces == 0:
            return {position}
        found = set()
        for one in onward(position):
            found |= self.spaces_on(one, spaces - (one not in self.blocked()), onward)
        return found

    def forward(self, spaces: int) -> set[float]:
        """Up to so many spaces forward."""
        found = set()
        for number in range(1, spaces + 1):
            found |= self.spaces_on(self.seat.engine, number, self.ahead)
        return found

    def backward(self, spaces: int) -> set[float]:
        """Exactly so many spaces backward."""
        return self.spaces_on(self.seat.engine, spaces, self.behind)

    def anywhere_behind(self) -> set[float]:
        """Any free space along the track behind the engine."""
        every = {*range(LAST_SPACE + 1), *self.turnouts}
        return {one for one in every - self.blocked() if one < self.seat.engine}

    def spaces_back(self, here: float, target: float) -> int:
        """X4: the most spaces of all ways back, occupied ones not counted."""
        ways = [
            self.spaces_back(one, target) + (one not in self.blocked())
            for one in self.behind(here)
            if one > target
        ]
        return max([*ways, *([1] if target in self.behind(here) else [])])

    def move_forward(self, spaces: int, is_optional: bool) -> Asking:
        """Move Your Engine Forward: 1 to so many spaces (M24); then the last space, the station."""
        answer = yield from self.ask_or_not(
            is_optional, lambda: {("engine", one) for one in self.forward(spaces)}
        )
        if answer == DONE:
            return
        self.seat.engine = answer[1]
        if answer[1] == LAST_SPACE:  # K23, R19
            yield from self.upgrade_here()
            yield from self.ask_back(self.anywhere_behind)
            self.seat.money += self.options["goal_money"]
        yield from self.upgrade_here()

    def ask_back(self, positions: Callable[[], set[float]]) -> Asking:
        """Where the engine goes back to."""
        _, self.seat.engine = yield from self.ask(lambda: {("engine", one) for one in positions()})

    def move_back_for(self, icon: dict) -> Asking:
        """Pay, go back; X2: a station is upgraded at once, before the reward."""
        self.seat.money += min(0, icon.get("money", 0))
        yield from self.ask_back(lambda: self.backward(icon["amount"]))
        if self.options["upgrade_before_reward"]:
            yield from self.upgrade_here()
        self.seat.money += max(0, icon.get("money", 0))
        yield from self.move_marker(icon.get("certificates", 0), True)
        yield from self.offer(icon.get("then"), True)
        if not self.options["upgrade_before_reward"]:
            yield from self.upgrade_here()

    def deliver_extraordinarily(self) -> Asking:
        """9a: back any number of spaces, then deliver to a city of at most that value (X4)."""
        here = self.seat.engine
        yield from self.ask_back(self.anywhere_behind)
        value = self.spaces_back(here, self.seat.engine)
        if (
            self.seat.engine in self.turnouts
            and not self.options["extraordinary_counts_end_turnout"]
        ):
            value -= 1
        if self.options["upgrade_before_reward"]:
            yield from self.upgrade_here()
        yield from self.deliver(value, True)
        if not self.options["upgrade_before_reward"]:
            yield from self.upgrade_here()

    # ----------------------------------------------------------------------------- stations, discs

    def payable(self, disc: str, money: int) -> bool:
        """Whether a disc lies on the player board and can be paid."""
        if not self.seat.discs[disc] or self.discs[disc].get("cost", 0) > money:
            return False
        before = {"move_2": "move_1", "limit_6": "limit_4"}.get(disc)  # X6
        return not (self.options["left_disc_first"] and before and self.seat.discs[before])

    def fitting(self, corner: str, money: int) -> set[Action]:
        """Discs for a space: white-cornered ones anywhere, others with dark corners only."""
        return {
            ("disc", disc)
            for disc, entry in self.discs.items()
            if (corner == "black" or entry["corner"] == "white") and self.payable(disc, money)
        }

    def other_stations(self, station: str | None) -> set[Action]:
        """R02, R03: own discs on stations, but for the one that is upgraded."""
        return {("disc from", other) for other in self.seat.stations - {station}}

    def station_discs(self, station: str) -> set[Action]:
        """X3: a fitting disc of the board, or without one a disc from another station."""
        entry = self.stations[station]
        money = self.seat.money - entry["cost"]
        if station in self.seat.stations or money < 0:
            return set()
        return self.fitting(entry["corner"], money) or self.other_stations(station)

    def city_discs(self, city: str) -> set[Action]:
        """X3, R05: fitting, else a black one, else one from a station, else (R04) none."""
        found = self.fitting(self.cities[city]["corner"], self.seat.money)
        if not found and self.options["black_disc_on_white_city"]:
            found = self.fitting("black", self.seat.money)
        return found or self.other_stations(None)

    def take_disc(self, answer: Action) -> None:
        """Pay for the disc; the left movement disc brings money."""
        if answer[0] == "disc from":
            self.seat.stations.remove(answer[1])
            return
        self.seat.money -= self.discs[answer[1]].get("cost", 0)
        self.seat.discs[answer[1]] -= 1
        if answer[1] == "move_1":
            self.seat.money += self.options["disc_money"]

    def upgrade_here(self) -> Asking:
        """The station of the space the engine has stopped on."""
        station = self.station_at.get(self.seat.engine)
        if station is not None:
            yield from self.upgrade(station, True)

    def stations_behind(self) -> set[Action]:
        """9b: any station behind the engine that can be upgraded."""
        return {
            ("upgrade", station)
            for position, station in self.station_at.items()
            if position < self.seat.engine and self.station_discs(station)
        }

    def upgrade(self, station: str, is_optional: bool) -> Asking:
        """Upgrading Train Stations: cost, disc, and the chance of the station master."""
        if not self.station_discs(station):
            return
        answer = yield from self.ask_or_not(is_optional, lambda: self.station_discs(station))
        if answer == DONE:
            return
        self.seat.money -= self.stations[station]["cost"]
        self.take_disc(answer)
        self.seat.stations.add(station)
        hired = {worker for worker in WORKERS if self.seat.workers[worker] > 1}
        if station not in self.table.station_masters or not hired:
            return
        answer = yield from self.ask_or_not(True, lambda: {("appoint", one) for one in hired})
        if answer != DONE:
            self.seat.workers[answer[1]] -= 1
            self.table.station_workers[station] = answer[1]
            yield from self.gain_master(self.table.station_masters.pop(station))

    def gain_master(self, name: str) -> Asking:
        """Permanent certificates, or an action that may be used."""
        self.seat.masters.add(name)
        self.seat.permanent += self.masters[name].get("permanent", 0)
        yield from self.offer(self.masters[name].get("icon"), True)

    # ---------------------------------------------------------------------------------- Kansas City

    def kansas_city(self) -> Asking:
        """Three tiles, income, delivery; then back to the start."""
        seat = self.seat
        self.was_at_goal = True
        seat.counted["arrivals"] += 1
        for column in range(3):
            if self.foresight_choices(column):  # R27
                answer = yield from self.ask(lambda column=column: self.foresight_choices(column))
                self.place(column, answer[1])
        answer = yield from self.ask(lambda: {("spend", n) for n in range(self.held() + 1)})
        value = self.breeding_value() + seat.permanent + answer[1]  # K24
        held = self.held()
        while held - self.held() < answer[1]:
            seat.certificate -= 1
        seat.money += value
        seat.counted["income"] += value
        seat.counted["best_income"] = max(seat.counted["best_income"], value)
        for card in [*seat.hand.elements()]:
            self.discard_one(card)
        yield from self.deliver(value, False)
        seat.at = self.start

    def foresight_choices(self, column: int) -> set[Action]:
        """R28: no worker once the job market is closed."""
        return {
            ("foresee", tile)
            for tile in self.table.foresight[column]
            if tile is not None and (tile not in WORKERS or self.table.token_owner is None)
        }

    def place(self, column: int, tile) -> None:
        """On the trail or in the job market; a tile without room leaves the game."""
        table = self.table
        table.foresight[column][table.foresight[column].index(tile)] = None
        if tile in WORKERS:
            self.place_worker(tile)
        elif tile in ("green", "blue"):
            free = [trade for trade in self.trades if trade not in table.teepees]
            if free:
                table.teepees[free[0]] = tile
        else:
            free = [
                place
                for place, space in self.spaces.items()
                if space.get("hazard") == tile[0] and place not in table.hazards
            ]
            if free:
                table.hazards[free[0]] = tile

    def place_worker(self, worker: str) -> None:
        """The leftmost free space of the token's row; from its own space the token moves down."""
        table = self.table
        row = table.token_row
        table.job[row][worker] += 1
        table.filled += 1
        if table.filled < self.players:
            return
        table.token_row, table.filled = row + 1, 0
        if row + 1 in self.refills:
            self.fill_market(self.options["market_size"][str(self.players)])
        if table.token_row == len(self.rows):
            table.token_owner = table.to_move

    def held(self) -> int:
        """Temporary certificates."""
        return self.certificates[self.seat.certificate]

    def breeding_value(self) -> int:
        """Cattle of one type count once."""
        return sum(self.breeding[name] for name in {card[0] for card in self.cattle_in_hand()})

    def deliveries(self, value: int) -> set[Action]:
        """R34: each city once, but for two; a big town with an own branchlet."""
        return {
            ("deliver", name)
            for name, city in self.cities.items()
            if city["value"] <= value
            and (name not in self.seat.delivered or city.get("repeats"))
            and (name not in self.big_towns or self.table.to_move in self.table.towns[name])
        }

    def transport_cost(self, value: int) -> int:
        """A dollar a cross between the engine and the space numbered like the city."""
        return sum(self.seat.engine <= cross < value for cross in self.crosses)

    def deliver(self, value: int, is_extraordinary: bool) -> Asking:
        """X7: transport cost, the money of Kansas City, the disc, the delivery actions."""
        seat = self.seat
        _, name = yield from self.ask(lambda: self.deliveries(value))
        city = self.cities[name]
        seat.counted["deliveries"] += 1
        if not is_extraordinary:
            cost = self.transport_cost(city["value"])
            seat.money -= cost
            seat.counted["transport"] += cost
        if not is_extraordinary or self.options["extraordinary_kansas_city_pays"]:
            seat.money += city.get("money", 0)
        answer = yield from self.ask(lambda: self.city_discs(name))
        if answer != DONE:
            self.take_disc(answer)
            seat.city_discs[name] += 1
        seat.delivered.add(name)
        gifts = [city]
        for pair in self.pairs:
            if answer != DONE and name in pair["cities"]:
                (other,) = [one for one in pair["cities"] if one != name]
                if seat.city_discs[other]:
                    gifts.insert(0, self.pair_gift(pair))
        for gift in gifts:
            seat.money += gift.get("gift", 0)
        for gift in gifts:  # M23
            yield from self.offer(gift.get("icon"), not self.options["delivery_actions_mandatory"])

    def pair_gift(self, pair: dict) -> dict:
        """What a pair brings; X9."""
        is_contested = set(pair["cities"]) == {"Chicago", "Detroit"}
        if is_contested and self.options["chicago_detroit"] == "objective_and_3":
            return {"icon": "objective", "gift": 3, "points": 0}
        return pair

    # --------------------------------------------------------------------------- Rails to the North

    def bells(self, seat: Seat) -> int:
        """Bell spaces completely cleared."""
        return (BRANCHLETS - seat.branchlets) // (BRANCHLETS // BELLS)

    def accessible(self) -> set[str]:
        """Place one branchlet: towns joined to the office, a city with a disc, an own branchlet."""
        own = {town for town, owners in self.table.towns.items() if self.table.to_move in owners}
        near = {"office"} | own | {city for city, discs in self.seat.city_discs.items() if discs}
        found = {
            town
            for ends in self.joins
            for one, town in (ends, ends[::-1])
            if one in near and town in self.towns
        }
        return found - own

    def branchlet_spaces(self) -> set[Action]:
        """K22: any free space that can be paid; those with equal print are one choice."""
        if not self.seat.branchlets:
            return set()
        found = set()
        for town in self.accessible():
            entry = self.towns[town]
            for space, owner in enumerate(self.table.towns[town]):
                money, icon = [
                    [*entry.get(key, []), *[nothing] * 4][space]
                    for key, nothing in (("money", 0), ("icons", None))
                ]
                if owner is None and self.seat.money + money >= 0:
                    found.add(("town", town, money, icon))
        return found

    def place_branchlet(self, is_optional: bool) -> Asking:
        """What the space gives, then what the town gives."""
        seat = self.seat
        answer = yield from self.ask_or_not(is_optional, self.branchlet_spaces)
        if answer == DONE:
            return
        _, town, money, icon = answer
        entry, owners = self.towns[town], self.table.towns[town]
        prints = [
            ([*entry.get("money", []), 0, 0, 0, 0][n], [*entry.get("icons", []), *[None] * 4][n])
            for n in range(len(owners))
        ]
        free = [n for n, one in enumerate(prints) if one == (money, icon) and owners[n] is None]
        owners[free[0]] = self.table.to_move
        seat.branchlets -= 1
        seat.money += money
        if seat.branchlets % (BRANCHLETS // BELLS) == 0 and self.bells(seat) in self.bell_tokens:
            seat.tokens += 1
        yield from self.offer(icon, True)
        if entry["type"] == "medium":
            yield from self.offer(self.table.medium[town], True)
        elif entry["type"] == "station":
            (station,) = [name for name, one in self.stations.items() if one.get("town") == town]
            yield from self.upgrade(station, True)

    # -------------------------------------------------------------------------------------- scoring

    def points(self, seat: Seat) -> list[int]:
        """The eleven categories of the final scoring."""
        return [
            seat.money // self.options["money_per_point"],
            sum(
                self.tiles[self.table.buildings[place][1]]["points"]
                for place in self.own_buildings(seat)
            ),
            self.city_points(seat),
            sum(self.stations[station]["points"] for station in seat.stations),
            sum(points * tiles for (_, _, points), tiles in seat.hazards.items()),
            sum(
                card[1] * copies
                for card, copies in self.deck(seat).items()
                if card not in self.objectives
            ),
            self.objective_points(seat),
            sum(self.master_points(seat, self.masters[name]) for name in seat.masters),
            self.options["row_points"]
            * sum(max(0, seat.workers[worker] - 4) for worker in WORKERS),
            self.options["disc_points"] * (1 - seat.discs["move_2"]),
            self.options["token_points"] * (self.owner_of_token() is seat),
        ]

    def owner_of_token(self) -> Seat | None:
        """Who has taken the job market token."""
        owner = self.table.token_owner
        return None if owner is None else self.table.seats[owner]

    def deck(self, seat: Seat) -> Counter:
        """Cards of stack, hand and discard pile."""
        return seat.hand + seat.stack + seat.discard

    def city_points(self, seat: Seat) -> int:
        """Each disc, and pairs of cities with a disc."""
        points = 0
        for city, discs in seat.city_discs.items():
            entry = self.cities[city]
            per_bell = entry.get("bell_points", 0) * self.bells(seat)
            points += discs * (entry.get("points", 0) + per_bell)
        for pair in self.pairs:
            if all(seat.city_discs[city] for city in pair["cities"]):
                points += self.pair_gift(pair).get("points", 0)
        return points

    def things(self, seat: Seat) -> dict[str, int]:
        """What objective cards ask for."""
        things = Counter(
            B=len(self.own_buildings(seat)),
            S=len(seat.stations),
            H=seat.hazards.total(),
            GT=seat.teepees["green"],
            BT=seat.teepees["blue"],
            SF=seat.city_discs["San Francisco"],
        )
        for card, copies in self.deck(seat).items():
            if card not in self.objectives:
                things[str(self.breeding[card[0]])] += copies
        return things

    def objective_points(self, seat: Seat) -> int:
        """R26: the best of all choices, which cards to add and which of them to fulfil.

        The station master for two objective cards counts committed ones, fulfilled or not; its
        points belong here. Before the end nobody is to see from it what others hold in secret.
        """
        spare = self.deck(seat) - (Counter() if self.is_over else seat.secret)
        spare = Counter({card: n for card, n in spare.items() if card in self.objectives})
        cards = [(card, True) for card in seat.played.elements()]
        cards += [(card, False) for card in spare.elements()]
        tasks = {self.masters[name]["task"]: self.masters[name] for name in seat.masters}
        pair_points = tasks["two_objectives"]["points"] if "two_objectives" in tasks else 0

        @functools.cache
        def best(number: int, committed: int, left: tuple[tuple[str, int], ...]) -> int:
            if number == len(cards):
                return committed // 2 * pair_points
            card, is_played = cards[number]
            entry = self.objectives[card]
            totals = [
                best(number + 1, committed + 1, left) - entry.get("penalty", 0),  # it fails
            ]
            if not is_played:
                totals.append(best(number + 1, committed, left))
            rest = Counter(dict(left))
            rest.subtract(entry["needs"])
            if min(rest.values()) >= 0:
                after = tuple(sorted(rest.items()))
                totals.append(best(number + 1, committed + 1, after) + entry["points"])
            return max(totals)

        return best(0, 0, tuple(sorted(self.things(seat).items())))

    def master_points(self, seat: Seat, master: dict) -> int:
        """Station masters, each for its task."""
        match master["task"]:
            case "worker":
                number = sum(seat.workers[worker] for worker in WORKERS)
            case "two_hazards":
                number = seat.hazards.total() // 2
            case "teepee_pair":
                number = min(seat.teepees["green"], seat.teepees["blue"])
            case "two_certificates":
                number = (self.certificates[seat.certificate] + seat.permanent) // 2
            case "two_stations":
                number = len(seat.stations) // 2
            case "building":
                number = len(self.own_buildings(seat))
            case "two_tokens":
                number = seat.tokens // 2
            case "area":
                me = self.table.seats.index(seat)
                number = len(
                    {
                        self.towns[town]["area"]
                        for town, owners in self.table.towns.items()
                        if me in owners
                    }
                )
            case _:
                number = 0
        return number * master["points"]

    def scores(self) -> list[int]:
        """Points of each player, if the game ended now."""
        return [sum(self.points(seat)) for seat in self.table.seats]

    def payoffs(self) -> list[float]:
        """Most points win; the win is shared, or goes to the most money."""
        ranks = [
            (points, seat.money if self.options["tie"] == "money" else 0)
            for points, seat in zip(self.scores(), self.table.seats, strict=True)
        ]
        winners = [rank == max(ranks) for rank in ranks]
        return [is_winner / sum(winners) for is_winner in winners]
