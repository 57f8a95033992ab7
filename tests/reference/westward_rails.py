"""Westward Rails, slow and obvious: the rules against which the compiled engine is checked.

Plain dicts and lists, every route listed one by one. Each rule is a small method that cites the
section of the rulebook, or the ruling (A2, B8, M18, ...), it follows; nothing is shared with the
engine. `DEFAULTS` lists the options, `Reference.legal` the decisions players are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

HIGHEST_BID = 2000
CUBES_PER_BUILD = 2

DEFAULTS = {
    "starting_money": {3: 40, 4: 30, 5: 24},
    "cubes_per_railroad": 20,
    "shares_per_railroad": 5,
    "upgrade_cubes": 6,
    "demand_spaces": 4,
    "dividend_every": 6,
    "demands_face_up": 0,
    "build_spaces": 2,
    "auction_spaces": 1,
    "upgrade_spaces": 1,
    "minimum_bid": 5,
    "minimum_raise": 1,
    "upgrade_cost": 5,
    "lease_cost_per_segment": 2,
    "metro_first_link_cash": 10,
    "metro_value_increase": 3,
    "west_coast_value_increase": 1,
    "auction_value_increase": 1,
    "starting_value": 1,
    "railroads_out_of_cubes": 4,
    "initial_auction_raises_value": False,  # A5
    "lease_allowed_before_first_cube": False,  # B8
    "incomplete_link_gives_presence": True,  # B3
    "lease_tie": "player",  # L3: or "cheapest"
    "lease_when_adjacent_allowed": False,  # L6
    "west_coast_bonus": "each_link",  # W1: or "once_per_city"
    "metro_value_bonus": "once",  # M1: or "each_link"
    "metro_cash_forfeited_if_preconnected": True,  # M3, K9
    "share_divisor": "in_hands",  # V3: or "all_five"
    "demand_check": "after_batch",  # D3, K8: or "after_each_dividend"
    "demand_track_closes_gaps": False,  # D4
    "finish_turn_before_game_end": True,  # E1, X5
}


class LinkState(NamedTuple):
    """What lies on a link. Equal to the plain tuple of its four fields."""

    railroad: str | None = None
    cubes: int = 0
    begun_from: str | None = None
    complete: bool = False


@dataclass
class Sale:
    """An auction under way."""

    railroad: str
    opener: int
    initial: bool
    bid: int | None = None
    bidder: int | None = None
    passed: set[int] = field(default_factory=set)


@dataclass
class Lease:
    """A lease whose route the builder is settling; an outcome is the segments paid per railroad."""

    link: str
    city: str
    outcomes: list[tuple[int, ...]]


@dataclass
class DemandCheck:
    """Met demands whose routes are being settled; an outcome is the links per railroad."""

    met: list[int]  # spaces of all demands met in this check
    to_settle: list[list[tuple[int, ...]]]  # outcomes of those not settled yet, top space first
    gains: list[int]  # per railroad, of those settled


class Reference:
    """One game of Westward Rails.

    Parameters
    ----------
    document : dict
        The parsed board file.
    options : dict
        Any keys of `DEFAULTS`; what is missing comes from the board's options, then from there.
    players : int
        Number of players; player 0 has the "1" disc, seats go clockwise.
    deck : list of int
        Indices into `document["demand"]`, top card first.

    Attributes
    ----------
    phase : str
        "initial_auction", "turn" (choose an action), "auction" (bids of an Auction action),
        "second_cube", "lease_route", "demand_route" or "over".
    turn : int
        Turns ended so far, forced passes included; sales of the Initial Auction are no turns.
    disc : list of str
        Kind of space each disc stands on; it moves with the first decision of the action.
    to_move : int
        The player to decide; of no meaning once the game is over.
    """

    # ------------------------------------------------------------------------------------- set-up

    def __init__(self, document: dict, options: dict, players: int, deck: list[int]):
        """Set-Up; D1: the demand track is empty; A8: every disc starts on a Build space."""
        self.options = {**DEFAULTS, **document.get("options", {}), **options}
        unknown = sorted(set(self.options) - set(DEFAULTS))
        if unknown:
            raise ValueError(f"unknown options {unknown}")
        self.players = players
        self.railroads = [entry["id"] for entry in document["railroad"]]
        self.start = {entry["id"]: entry["start"] for entry in document["railroad"]}
        self.west_coast = {entry["id"] for entry in document["city"] if entry.get("west_coast")}
        self.ends = {
            "-".join(entry["cities"]): tuple(entry["cities"]) for entry in document["link"]
        }
        self.segments = {"-".join(entry["cities"]): entry["segments"] for entry in document["link"]}
        self.metros = {entry["id"]: set(entry["cities"]) for entry in document["metro"]}
        self.demands = [tuple(entry["cities"]) for entry in document["demand"]]

        self.money = [self.starting_money()] * players
        self.shares = {railroad: [0] * players for railroad in self.railroads}
        self.value = dict.fromkeys(self.railroads, self.options["starting_value"])
        self.cubes_left = dict.fromkeys(self.railroads, self.options["cubes_per_railroad"])
        self.links = {link: LinkState() for link in self.ends}
        self.upgrade_cubes = self.options["upgrade_cubes"]
        self.upgraded: set[str] = set()
        self.metro_cash: set[str] = set()
        self.disc = ["build"] * players
        self.deck_left = list(deck)
        self.demand_spaces: list[int | None] = [None] * self.options["demand_spaces"]
        for _ in range(self.options["demands_face_up"]):
            self.shift_demands()  # K11: as if so many dividends had been paid

        self.dividends_paid: list[tuple[str, int, int]] = []
        self.queue: list[tuple[str, int]] = []  # dividends triggered and not yet paid
        self.queued_up_to = dict(self.value)  # white spaces up to here have been queued
        self.check_due = False
        self.sale: Sale | None = None
        self.initial_railroad = self.railroads[0]  # sold last in the Initial Auction,
        self.initial_winner = 0  # and to whom
        self.building: str | None = None  # railroad of the Build action under way
        self.cubes_laid = 0  # in the Build action under way
        self.lease: Lease | None = None
        self.check: DemandCheck | None = None
        self.acting = 0  # the player whose disc moved (K7); in the Initial Auction the opener
        self.to_move = 0
        self.turn = 0
        self.forced_passes = 0  # in a row
        self.phase = "initial_auction"
        self.is_over = False
        self.end_reason = ""
        self.open_initial_auction(self.railroads[0], opener=0)

    def starting_money(self) -> int:
        """Set-Up 1: by number of players."""
        table = self.options["starting_money"]
        if isinstance(table, int):
            return table
        return {int(number): amount for number, amount in table.items()}[self.players]

    # ----------------------------------------------------------------------- what may be decided

    def legal(self) -> list[str]:
        """Every decision the player to move may take, as sorted texts.

        bid N | pass | build RAILROAD LINK [from CITY] | stop | auction RAILROAD | upgrade METRO |
        route RAILROAD N
        """
        if self.phase in ("initial_auction", "auction"):
            return sorted(self.bid_texts())
        if self.phase == "turn":
            return sorted(self.action_texts(self.to_move))
        if self.phase == "second_cube":
            return sorted([*self.build_texts(self.to_move, self.building), "stop"])
        if self.phase in ("lease_route", "demand_route"):
            railroad, numbers = self.question(self.open_outcomes())
            return sorted(f"route {railroad} {number}" for number in numbers)
        return []

    def play(self, text: str) -> None:
        """Carry out one legal decision and all that follows from it without a further one."""
        if text not in self.legal():
            raise ValueError(f"{text!r} is not legal in phase {self.phase!r}")
        match text.split():
            case ["bid", amount]:
                self.take_bid(int(amount))
            case ["pass"] if self.phase == "turn":
                self.take_forced_pass()
            case ["pass"]:
                self.take_bid(None)
            case ["build", railroad, link]:
                self.take_build(railroad, link, None)
            case ["build", railroad, link, "from", city]:
                self.take_build(railroad, link, city)
            case ["stop"]:
                self.end_build()
            case ["auction", railroad]:
                self.take_auction(railroad)
            case ["upgrade", metro]:
                self.take_upgrade(metro)
            case ["route", railroad, number]:
                self.take_route(railroad, int(number))

    def action_texts(self, player: int) -> list[str]:
        """On Your Go, T3, T4: the actions on other spaces; passing only when there are none."""
        texts = []
        if self.can_move_disc(player, "build"):
            for railroad in self.railroads:
                texts += self.build_texts(player, railroad)
        if self.can_move_disc(player, "auction"):
            texts += [f"auction {railroad}" for railroad in self.may_auction(player)]
        if self.can_move_disc(player, "upgrade"):
            texts += [f"upgrade {metro}" for metro in self.may_upgrade(player)]
        return texts or ["pass"]

    def can_move_disc(self, player: int, kind: str) -> bool:
        """On Your Go, T1-T3, K1: there must be a space of the kind other than the disc's own."""
        own = 1 if self.disc[player] == kind else 0
        return self.options[f"{kind}_spaces"] - own >= 1

    # ------------------------------------------------------------------------------------ auctions

    def open_initial_auction(self, railroad: str, opener: int) -> None:
        """Initial Auction, A1: one share of each railroad, from left to right."""
        self.sale = Sale(railroad, opener, initial=True)
        self.acting = opener
        self.to_move = opener
        self.phase = "initial_auction"

    def may_auction(self, player: int) -> list[str]:
        """Auction Action, A6: any unsold share, if the player can make the least bid."""
        if self.money[player] < self.options["minimum_bid"]:
            return []
        limit = self.options["shares_per_railroad"]
        return [railroad for railroad in self.railroads if self.shares_in_hands(railroad) < limit]

    def take_auction(self, railroad: str) -> None:
        """Auction Action: the disc moves and the acting player opens the bidding."""
        self.acting = self.to_move
        self.disc[self.acting] = "auction"
        self.sale = Sale(railroad, self.acting, initial=False)
        self.phase = "auction"

    def bid_texts(self) -> list[str]:
        """Initial Auction, Auction Action, A2: whole bids up to own cash, or pass.

        A6: the player who opens an Auction action cannot pass before he has bid.
        """
        sale = self.sale
        if sale.bid is None:
            least = self.options["minimum_bid"]
        else:
            least = sale.bid + self.options["minimum_raise"]
        most = min(self.money[self.to_move], HIGHEST_BID)
        texts = [f"bid {amount}" for amount in range(least, most + 1)]
        if sale.initial or sale.bid is not None:
            texts.append("pass")
        return texts

    def take_bid(self, amount: int | None) -> None:
        """Initial Auction: a bid stands until a higher one; who passes (None) may not return."""
        if amount is None:
            self.sale.passed.add(self.to_move)
        else:
            self.sale.bid, self.sale.bidder = amount, self.to_move
        self.continue_auction()

    def continue_auction(self) -> None:
        """Initial Auction, A3: clockwise until only the high bidder, or nobody, is left.

        The last player left while nobody has bid still has his turn.
        """
        sale = self.sale
        still_in = [player for player in range(self.players) if player not in sale.passed]
        if still_in == [sale.bidder] or not still_in:
            self.sell_share()
            return
        self.to_move = (self.to_move + 1) % self.players
        while self.to_move in sale.passed:
            self.to_move = (self.to_move + 1) % self.players

    def sell_share(self) -> None:
        """Pay the bank, hand over the share, move the value, then dividends (A7).

        A3: if all passed the opener has the share free. A5: an initial sale raises the value only
        with that option, and only if it was sold for a bid.
        """
        sale, self.sale = self.sale, None
        if sale.bid is None:
            winner = sale.opener
        else:
            winner = sale.bidder
            self.money[winner] -= sale.bid
        self.shares[sale.railroad][winner] += 1
        if not sale.initial:
            self.value[sale.railroad] += self.options["auction_value_increase"]
            self.start_events()
            return
        self.initial_winner = winner
        self.initial_railroad = sale.railroad
        if sale.bid is not None and self.options["initial_auction_raises_value"]:
            self.value[sale.railroad] += self.options["auction_value_increase"]
            self.start_events()
        else:
            self.next_initial_auction()

    def next_initial_auction(self) -> None:
        """Initial Auction, A4: the winner opens the next, or after the last has the first turn."""
        sold = self.railroads.index(self.initial_railroad) + 1
        if sold < len(self.railroads):
            self.open_initial_auction(self.railroads[sold], opener=self.initial_winner)
        else:
            self.begin_turn(self.initial_winner)

    # -------------------------------------------------------------------------------------- build

    def presence(self, railroad: str) -> set[str]:
        """B2, B3, B7: the cities a railroad touches.

        Its starting city, both ends of its completed links, and of an incomplete link the end it
        was begun from (also when leased, L1, M18, K4), unless that option is off.
        """
        cities = {self.start[railroad]}
        for link, state in self.links.items():
            if state.railroad == railroad and state.complete:
                cities.update(self.ends[link])
            elif state.railroad == railroad and self.options["incomplete_link_gives_presence"]:
                cities.add(state.begun_from)
        return cities

    def build_texts(self, player: int, railroad: str) -> list[str]:
        """Build Action, T4: the next cube, if the player has a share and the railroad a cube."""
        if self.shares[railroad][player] == 0 or self.cubes_left[railroad] == 0:
            return []
        touched = self.presence(railroad)
        links = [link for link in self.links if self.may_build(railroad, link, touched)]
        texts = [f"build {railroad} {link}" for link in links]
        for link, cities in self.leases(player, railroad).items():
            texts += [f"build {railroad} {link} from {city}" for city in cities]
        return texts

    def may_build(self, railroad: str, link: str, touched: set[str]) -> bool:
        """B2, B4, K3: go on with a link of its own, or begin a free one at a city it touches."""
        state = self.links[link]
        if state.railroad is None:
            return any(city in touched for city in self.ends[link])
        return state.railroad == railroad and not state.complete

    def leases(self, player: int, railroad: str) -> dict[str, dict[str, list[tuple[int, ...]]]]:
        """Leasing, L1-L8, M18: by link and end reached, the outcomes the player can pay in full.

        Routes run over completed links of rivals from any city the railroad touches (L4); the
        fewest links over both ends decide; ends or routes that tie are the player's choice.
        """
        if not self.may_lease(railroad):
            return {}
        own = self.completed_links(railroad)
        rivals = [link for link in self.links if self.links[link].complete and link not in own]
        touched = self.presence(railroad)
        routes = self.shortest_routes(touched, rivals)
        found = {}
        for link in self.links:
            reached = [city for city in self.lease_ends(link, touched) if city in routes]
            if not reached:
                continue
            fewest = min(len(routes[city][0]) for city in reached)
            outcomes = {
                city: self.outcomes(routes[city], self.segments)
                for city in reached
                if len(routes[city][0]) == fewest
            }
            affordable = self.affordable(outcomes, self.money[player])
            if affordable:
                found[link] = affordable
        return found

    def may_lease(self, railroad: str) -> bool:
        """B8, L9: not before its first cube, unless that option is on."""
        laid = any(state.railroad == railroad for state in self.links.values())
        return laid or self.options["lease_allowed_before_first_cube"]

    def lease_ends(self, link: str, touched: set[str]) -> list[str]:
        """L1, L6, K3: the ends a leased route may reach: both, of a free link nowhere touched.

        With that option also the far end of a free link touched at one end only.
        """
        if self.links[link].railroad is not None:
            return []
        untouched = [city for city in self.ends[link] if city not in touched]
        if len(untouched) == 1 and not self.options["lease_when_adjacent_allowed"]:
            return []
        return untouched

    def affordable(self, outcomes: dict, cash: int) -> dict[str, list[tuple[int, ...]]]:
        """L3, L7: what can be paid in full beforehand; "cheapest" leaves only the least total."""
        costs = [self.lease_cost(outcome) for each in outcomes.values() for outcome in each]
        if self.options["lease_tie"] == "cheapest":
            limit = min(cash, min(costs))
        else:
            limit = cash
        kept = {
            city: [outcome for outcome in each if self.lease_cost(outcome) <= limit]
            for city, each in outcomes.items()
        }
        return {city: each for city, each in kept.items() if each}

    def lease_cost(self, outcome: tuple[int, ...]) -> int:
        """Leasing, L8: so much for every segment."""
        return self.options["lease_cost_per_segment"] * sum(outcome)

    def take_build(self, railroad: str, link: str, leased_from: str | None) -> None:
        """Build Action: the first cube moves the disc; a leased one may ask for its route first."""
        if self.phase == "turn":
            self.acting = self.to_move
            self.disc[self.acting] = "build"
            self.building = railroad
            self.cubes_laid = 0
        if leased_from is None:
            self.lay_cube(link, self.begun_at(railroad, link))
        else:
            outcomes = self.leases(self.acting, railroad)[link][leased_from]
            self.lease = Lease(link, leased_from, outcomes)
            self.continue_lease()

    def begun_at(self, railroad: str, link: str) -> str:
        """K3: the end a link is begun from; touched at both ends, the first (it never matters)."""
        if self.links[link].railroad is not None:
            return self.links[link].begun_from
        return next(city for city in self.ends[link] if city in self.presence(railroad))

    def continue_lease(self) -> None:
        """M18, M20: ask until one outcome is left, then pay; the cube lies at the city reached."""
        if len(self.lease.outcomes) > 1:
            self.phase = "lease_route"
            return
        lease, self.lease = self.lease, None
        self.pay_lease(lease.outcomes[0])
        self.lay_cube(lease.link, lease.city)

    def pay_lease(self, outcome: tuple[int, ...]) -> None:
        """Leasing, L5, L7, K6: pay all; then each railroad's sum is divided once, rounded up."""
        self.money[self.acting] -= self.lease_cost(outcome)
        for railroad, segments in zip(self.railroads, outcome, strict=True):
            if segments:
                amount = self.options["lease_cost_per_segment"] * segments
                self.pay_shareholders(railroad, amount)

    def lay_cube(self, link: str, begun_from: str) -> None:
        """Build Action, B1, B4, K2: one cube; then a second if possible, or the action ends."""
        railroad = self.building
        self.links[link] = LinkState(railroad, self.links[link].cubes + 1, begun_from)
        self.cubes_left[railroad] -= 1
        self.cubes_laid += 1
        if self.links[link].cubes == self.segments[link]:
            self.complete_link(link)
        if self.cubes_laid < CUBES_PER_BUILD and self.build_texts(self.acting, railroad):
            self.phase = "second_cube"
        else:
            self.end_build()

    def complete_link(self, link: str) -> None:
        """Completing a Link and its bonuses (metro, West Coast): the value moves at once (B11).

        The bonuses look at what the railroad had completed before this link.
        """
        railroad = self.building
        gain = self.segments[link] + self.west_coast_gain(railroad, link)
        for metro in self.metros:
            if metro in self.upgraded and self.link_serves(link, metro):
                gain += self.metro_gain(railroad, metro)
                self.pay_metro_cash(railroad, metro)
        self.value[railroad] += gain
        self.links[link] = self.links[link]._replace(complete=True)

    def end_build(self) -> None:
        """On Your Go: after the action come dividends and demands."""
        self.building = None
        if self.ends_at_once():  # X5 (i)
            return
        self.start_events()

    # -------------------------------------------------------------------------- coast and metros

    def completed_links(self, railroad: str) -> list[str]:
        """The railroad's completed links."""
        states = self.links.items()
        return [link for link, s in states if s.railroad == railroad and s.complete]

    def west_coast_gain(self, railroad: str, link: str) -> int:
        """West Coast Bonuses, W1, W2: once a link, whether one end or both lie on the coast.

        "once_per_city": only if one of those cities had no completed link of this railroad.
        """
        coast = [city for city in self.ends[link] if city in self.west_coast]
        if self.options["west_coast_bonus"] == "once_per_city":
            earlier = self.completed_links(railroad)
            coast = [city for city in coast if not any(city in self.ends[old] for old in earlier)]
        return self.options["west_coast_value_increase"] if coast else 0

    def link_serves(self, link: str, metro: str) -> bool:
        """M2, K10: one end or both in the area, it counts once."""
        return any(city in self.metros[metro] for city in self.ends[link])

    def is_connected(self, railroad: str, metro: str) -> bool:
        """M2: it has a completed link that ends in a city of the area."""
        return any(self.link_serves(link, metro) for link in self.completed_links(railroad))

    def metro_gain(self, railroad: str, metro: str) -> int:
        """M1, M5, M6: once a railroad and metro; or, with that option, for each link."""
        if self.options["metro_value_bonus"] == "once" and self.is_connected(railroad, metro):
            return 0
        return self.options["metro_value_increase"]

    def pay_metro_cash(self, railroad: str, metro: str) -> None:
        """Upgrade Action, M7, K5, K9: to the first that newly connects; in hand at once."""
        if metro in self.metro_cash and not self.is_connected(railroad, metro):
            self.metro_cash.remove(metro)
            self.pay_shareholders(railroad, self.options["metro_first_link_cash"])

    def may_upgrade(self, player: int) -> list[str]:
        """Upgrade Action, T4, M4: the price, a cube left and an empty metro space."""
        if self.money[player] < self.options["upgrade_cost"] or self.upgrade_cubes == 0:
            return []
        return [metro for metro in self.metros if metro not in self.upgraded]

    def take_upgrade(self, metro: str) -> None:
        """Upgrade Action, M1, M3, M4: railroads connected already gain; the cash may be lost."""
        self.acting = self.to_move
        self.disc[self.acting] = "upgrade"
        self.money[self.acting] -= self.options["upgrade_cost"]
        self.upgrade_cubes -= 1
        self.upgraded.add(metro)
        connected = [railroad for railroad in self.railroads if self.is_connected(railroad, metro)]
        for railroad in connected:
            self.value[railroad] += self.options["metro_value_increase"]
        if not (connected and self.options["metro_cash_forfeited_if_preconnected"]):
            self.metro_cash.add(metro)
        self.start_events()

    # ------------------------------------------------------------------------ routes and outcomes

    def shortest_routes(self, starts: set[str], links: list[str]) -> dict[str, list[tuple]]:
        """Leasing, Demands, L2, L8, D6: by city, all routes of fewest links from any of the starts.

        Routes grow link by link; one that arrives where a shorter one has been is dropped.
        """
        routes: dict[str, list[tuple]] = {city: [()] for city in starts}
        newest = dict(routes)
        while newest:
            longer: dict[str, list[tuple]] = {}
            for city, ways in newest.items():
                for link in links:
                    if city in self.ends[link]:
                        first, second = self.ends[link]
                        far = second if city == first else first
                        if far not in routes:
                            longer.setdefault(far, []).extend((*way, link) for way in ways)
            routes.update(longer)
            newest = longer
        return routes

    def outcomes(self, routes: list[tuple], weight: dict[str, int]) -> list[tuple[int, ...]]:
        """M20: routes of the same sums per railroad, in document order, are one outcome."""
        found = set()
        for route in routes:
            sums = dict.fromkeys(self.railroads, 0)
            for link in route:
                sums[self.links[link].railroad] += weight[link]
            found.add(tuple(sums.values()))
        return sorted(found)

    def open_outcomes(self) -> list[tuple[int, ...]]:
        """The outcomes between which the player to move must decide."""
        if self.phase == "lease_route":
            return self.lease.outcomes
        return self.check.to_settle[0]

    def question(self, outcomes: list[tuple[int, ...]]) -> tuple[str, list[int]]:
        """M20: the first railroad for which more than one number is possible, and these numbers."""
        for place, railroad in enumerate(self.railroads):
            numbers = sorted({outcome[place] for outcome in outcomes})
            if len(numbers) > 1:
                return railroad, numbers
        raise AssertionError("only one outcome is left")

    def take_route(self, railroad: str, number: int) -> None:
        """M20: keep the outcomes that give this railroad this number."""
        place = self.railroads.index(railroad)
        kept = [outcome for outcome in self.open_outcomes() if outcome[place] == number]
        if self.phase == "lease_route":
            self.lease.outcomes = kept
            self.continue_lease()
        else:
            self.check.to_settle[0] = kept
            self.continue_events()

    # ---------------------------------------------------------------------- dividends and demands

    def shares_in_hands(self, railroad: str) -> int:
        """V3: shares players hold."""
        return sum(self.shares[railroad])

    def pay_shareholders(self, railroad: str, amount: int) -> int:
        """V3, V6: divide by the shares in hands (or by all), round up, pay each share held."""
        if self.options["share_divisor"] == "all_five":
            divisor = self.options["shares_per_railroad"]
        else:
            divisor = self.shares_in_hands(railroad)
        per_share = -(-amount // divisor)
        for player in range(self.players):
            self.money[player] += per_share * self.shares[railroad][player]
        return per_share

    def start_events(self) -> None:
        """On Your Go, D10: dividends, then demands; a check also when there is no dividend."""
        self.queue_crossings()
        self.check_due = not self.queue
        self.continue_events()

    def queue_crossings(self) -> None:
        """Dividends, V1, V2, V4: railroads left to right, of each the lowest white space first."""
        for railroad in self.railroads:
            for space in range(self.queued_up_to[railroad] + 1, self.value[railroad] + 1):
                if space % self.options["dividend_every"] == 0:
                    self.queue.append((railroad, space))
        self.queued_up_to = dict(self.value)

    def continue_events(self) -> None:
        """D3, D5, K8: pay and shift for the whole queue, then check; repeat until nothing changes.

        "after_each_dividend": check after each; new dividends wait at the end of the queue.
        """
        check_after_each = self.options["demand_check"] == "after_each_dividend"
        while self.queue or self.check_due or self.check:
            if self.check:
                if not self.routes_settled():
                    return
                self.end_check()
            elif self.check_due and (check_after_each or not self.queue):
                self.start_check()
            else:
                self.pay_dividend(*self.queue.pop(0))
            if self.ends_at_once():  # X5 (ii) after a dividend, (iii) after demands
                return
        self.come_to_rest()

    def pay_dividend(self, railroad: str, space: int) -> None:
        """Dividends, Adjusting Demands: the number of the white space; then the cards move down."""
        per_share = self.pay_shareholders(railroad, space)
        self.dividends_paid.append((railroad, space, per_share))
        self.shift_demands()
        self.check_due = True

    def shift_demands(self) -> None:
        """Adjusting Demands, D4: each card one space down, the last is lost, the top one enters."""
        card = self.deck_left.pop(0) if self.deck_left else None
        self.demand_spaces = [card, *self.demand_spaces[:-1]]

    def start_check(self) -> None:
        """Demands, D2, D6, D7, D8: those in the spaces whose two cities completed links join."""
        self.check_due = False
        complete = [link for link, state in self.links.items() if state.complete]
        one_each = dict.fromkeys(self.links, 1)
        met, to_settle = [], []
        for space, card in enumerate(self.demand_spaces):
            if card is not None:
                origin, destination = self.demands[card]
                routes = self.shortest_routes({origin}, complete)
                if destination in routes:
                    met.append(space)
                    to_settle.append(self.outcomes(routes[destination], one_each))
        self.check = DemandCheck(met, to_settle, [0] * len(self.railroads))

    def routes_settled(self) -> bool:
        """D5, D6, K7, M20: settle each card's route, top space first; the acting player decides."""
        check = self.check
        while check.to_settle:
            if len(check.to_settle[0]) > 1:
                self.phase = "demand_route"
                self.to_move = self.acting
                return False
            outcome = check.to_settle.pop(0)[0]
            check.gains = [old + new for old, new in zip(check.gains, outcome, strict=True)]
        return True

    def end_check(self) -> None:
        """D5: the cards met are removed and all gains made together; these may bring dividends."""
        check, self.check = self.check, None
        for space in check.met:
            self.remove_card(space)
        for railroad, gain in zip(self.railroads, check.gains, strict=True):
            self.value[railroad] += gain
        self.queue_crossings()

    def remove_card(self, space: int) -> None:
        """D4, M19: leave a gap; or, with that option, the cards above it move down one space.

        Several cards are removed from the top down, so the spaces of those still to go stay true.
        """
        self.demand_spaces[space] = None
        if self.options["demand_track_closes_gaps"]:
            above, below = self.demand_spaces[:space], self.demand_spaces[space + 1 :]
            self.demand_spaces = [None, *above, *below]

    # -------------------------------------------------------------------------- turns and the end

    def begin_turn(self, player: int) -> None:
        """On Your Go."""
        self.to_move = player
        self.acting = player
        self.phase = "turn"

    def take_forced_pass(self) -> None:
        """On Your Go, T3, T5: the disc stays; if all in a row had to pass it is a deadlock."""
        self.turn += 1
        self.forced_passes += 1
        if self.forced_passes == self.players:
            self.end_game("deadlock")
        else:
            self.begin_turn((self.to_move + 1) % self.players)

    def come_to_rest(self) -> None:
        """E1: nothing more is triggered; the game ends here, or play passes clockwise."""
        in_set_up = self.phase == "initial_auction"
        if not in_set_up:
            self.turn += 1
            self.forced_passes = 0
        if self.end_reasons():
            self.end_game(" and ".join(self.end_reasons()))
        elif in_set_up:
            self.next_initial_auction()
        else:
            self.begin_turn((self.acting + 1) % self.players)

    def end_reasons(self) -> list[str]:
        """Ending the Game, E2: no demand left, or enough railroads without a cube."""
        reasons = []
        if not self.deck_left and all(card is None for card in self.demand_spaces):
            reasons.append("demands")
        empty = [railroad for railroad in self.railroads if self.cubes_left[railroad] == 0]
        if len(empty) >= self.options["railroads_out_of_cubes"]:
            reasons.append("cubes")
        return reasons

    def ends_at_once(self) -> bool:
        """X5: with that option the game ends in mid turn, whatever is still to be paid."""
        if self.options["finish_turn_before_game_end"] or not self.end_reasons():
            return False
        if self.phase != "initial_auction":
            self.turn += 1
        self.end_game(" and ".join(self.end_reasons()))
        return True

    def end_game(self, reason: str) -> None:
        """Ending the Game."""
        self.is_over = True
        self.end_reason = reason
        self.phase = "over"

    def scores(self) -> list[int]:
        """Ending the Game: cash; shares count nothing."""
        return list(self.money)

    def payoffs(self) -> list[float]:
        """Ending the Game, E3, K12: the most cash, then most shares of the most valuable railroad.

        If several have the top value their shares are added; who is still tied shares the win.
        """
        richest = [
            player for player in range(self.players) if self.money[player] == max(self.money)
        ]
        top_value = max(self.value.values())
        top = [railroad for railroad in self.railroads if self.value[railroad] == top_value]
        held = {
            player: sum(self.shares[railroad][player] for railroad in top) for player in richest
        }
        winners = [player for player in richest if held[player] == max(held.values())]
        return [1.0 / len(winners) if player in winners else 0.0 for player in range(self.players)]
