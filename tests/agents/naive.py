"""Slow, obvious twins of the compiled agents: plain Python, from a board's document and its texts.

Of a state they read what lies on the table: money, shares, values, cubes, cards and where track
touches. Distances, finished links, adjacency and dividends are worked out here again.
"""

import functools

import numpy as np

import agents
from agents.base import MAX_SEATS, MEMO
from sim import contract
from sim.game import Position

FAR = 8  # links beyond which the map is not looked at


@functools.cache
def neighbours(links: tuple, city: str) -> frozenset[str]:
    """Cities one link away, built or not; a link is its ends and segments."""
    return frozenset(far for near, far, _ in links if near == city) | {
        near for near, far, _ in links if far == city
    }


@functools.cache
def hops(links: tuple, start: str) -> dict[str, int]:
    """Links from `start` to each city, built or not."""
    distance, waiting = {start: 0}, [start]
    for city in waiting:
        for other in neighbours(links, city):
            if other not in distance:
                distance[other] = distance[city] + 1
                waiting.append(other)
    return distance


class Worth:
    """What a position is worth to each player by the weights of a spec.

    Attributes
    ----------
    weights : dict
        By the names of `PARAMETERS`.
    """

    def __init__(self, position: Position, weights: dict[str, float]) -> None:
        self.position = position
        self.weights = weights
        self.state = position.state[0]
        self.options = position.board.options
        document = position.board.document
        self.cities = [city["id"] for city in document["city"]]
        self.coast = [city["id"] for city in document["city"] if city.get("west_coast")]
        self.metros = [metro["cities"] for metro in document["metro"]]
        self.links = tuple((*link["cities"], link["segments"]) for link in document["link"])
        self.demands = [demand["cities"] for demand in document["demand"]]
        self.railroads = range(len(document["railroad"]))
        self.players = range(position.players)

    # ----------------------------------------------------------------------------- railroads

    def touched(self, railroad: int) -> set[str]:
        """Cities at the railroad's start and track."""
        bits = int(self.state.presence[railroad])
        return {city for number, city in enumerate(self.cities) if bits >> number & 1}

    def track(self, railroad: int) -> list[tuple[str, str, int, int]]:
        """Ends, segments and cubes of each link of the railroad."""
        return [
            (*link, int(self.state.link_cubes[number]))
            for number, link in enumerate(self.links)
            if self.state.link_railroad[number] == railroad
        ]

    def finished(self, railroad: int) -> list[tuple[str, str, int, int]]:
        """Its links that are complete."""
        return [link for link in self.track(railroad) if link[3] == link[2]]

    def joined(self, railroad: int) -> set[str]:
        """Ends of its finished links."""
        return {city for near, far, _, _ in self.finished(railroad) for city in (near, far)}

    def open_demands(self) -> list[list[str]]:
        """Cards on the demand track, and the one seen on top of the stack."""
        cards = [int(card) for card in self.state.demand_space[: self.options.demand_spaces]]
        if self.state.deck_next < len(self.demands):
            cards.append(int(self.state.deck[self.state.deck_next]))
        return [self.demands[card] for card in cards if card >= 0]

    def accrued(self, railroad: int) -> float:
        """Dividends up to the value, smoothed, less those paid."""
        value, every = int(self.state.value[railroad]), self.options.dividend_every
        reached = list(range(every, value + 1, every))
        queue = self.state.queue[self.state.queue_first : self.state.queue_last]
        waiting = queue.tolist().count(railroad)
        return self.smooth(value) - sum(reached[: len(reached) - waiting])

    def smooth(self, value: float) -> float:
        """S(v): 6 + 12 + 18 + ..., smoothed."""
        return value * value / (2 * self.options.dividend_every) + value / 2

    def unfinished(self, railroad: int) -> int:
        return sum(cubes for _, _, segments, cubes in self.track(railroad) if cubes < segments)

    def reach(self, railroad: int) -> int:
        """Links nobody has begun at cities the railroad touches, no more than it has cubes."""
        touched = self.touched(railroad)
        free = [
            number
            for number, (near, far, _) in enumerate(self.links)
            if self.state.link_cubes[number] == 0 and {near, far} & touched
        ]
        return min(len(free), int(self.state.cubes[railroad]))

    def demand_progress(self, railroad: int) -> int:
        touched = self.touched(railroad)
        progress = 0
        for start, end in self.open_demands():
            from_start, from_end = hops(self.links, start), hops(self.links, end)
            apart = min(from_start[end], FAR)
            missing = min(from_start[city] for city in touched if city in from_start)
            missing += min(from_end[city] for city in touched if city in from_end)
            progress += max(0, apart - missing)
        return progress

    def metro_progress(self, railroad: int) -> float:
        progress = 0.0
        for number, cities in enumerate(self.metros):
            if not int(self.state.upgraded) >> number & 1:
                continue
            near = set(cities).union(*(neighbours(self.links, city) for city in cities))
            if self.joined(railroad) & set(cities):
                progress += 1
            elif self.touched(railroad) & near:
                progress += 0.5
        return progress

    def coast_progress(self, railroad: int) -> int:
        touched = self.touched(railroad)
        ways = [hops(self.links, city).get(other, FAR) for city in self.coast for other in touched]
        return FAR - min([FAR, *ways])

    def railroad_worth(self, railroad: int) -> float:
        """What the railroad is worth to all who hold it."""
        weights, cubes = self.weights, int(self.state.cubes[railroad])
        value = int(self.state.value[railroad])
        later = value + weights["growth"] * cubes
        worth = weights["accrued"] * self.accrued(railroad)
        worth += weights["prospects"] * (self.smooth(later) - self.smooth(value))
        worth += weights["track"] * self.unfinished(railroad)
        worth += weights["links"] * len(self.finished(railroad))
        worth += weights["reach"] * self.reach(railroad)
        if cubes > 0:
            worth += weights["demands"] * self.demand_progress(railroad)
        worth += weights["metros"] * self.metro_progress(railroad)
        return worth + weights["coast"] * self.coast_progress(railroad)

    # ------------------------------------------------------------------------------- players

    def is_auction(self) -> bool:
        """Whether the legal actions are bids."""
        return any(text.startswith("bid") for text in self.position.legal()) or (
            self.position.legal() == ["pass"] and self.state.phase == 0
        )

    def sale(self, worth: float) -> tuple[int, int]:
        """Winner and price of the open auction, were the share worth that to all."""
        limits = {
            player: min(int(self.state.money[player]), int(worth))
            for player in self.players
            if not int(self.state.passed) >> player & 1
        }
        actor = int(self.state.actor)
        least = self.options.minimum_bid
        able = {player: limit for player, limit in limits.items() if limit >= least}
        if not able:
            return actor, least
        most = max(able.values())
        first = [player for player, limit in able.items() if limit == most]
        winner = actor if actor in first else first[0]
        others = [limit for player, limit in limits.items() if player != winner]
        return winner, max([least, *others])

    def players_worth(self) -> list[float]:
        weights = self.weights
        worth = [weights["cash"] * int(self.state.money[player]) for player in self.players]
        for railroad in self.railroads:
            held = [int(self.state.shares[player, railroad]) for player in self.players]
            is_sold = self.is_auction() and railroad == self.state.auctioned
            shares = sum(held) + is_sold
            if shares == 0:
                continue
            each = self.railroad_worth(railroad) / shares + weights["shares"]
            if is_sold:
                winner, price = self.sale(each)
                worth[winner] += each - weights["cash"] * price
            for player in self.players:
                worth[player] += each * held[player]
        return worth

    def advised_bid(self) -> str:
        """What is bid: the least, while a part of the share's worth and the money allow it."""
        bids = [text for text in self.position.legal() if text.startswith("bid")]
        if "pass" not in self.position.legal():
            return bids[0]
        railroad = int(self.state.auctioned)
        held = sum(int(self.state.shares[player, railroad]) for player in self.players)
        worth = self.railroad_worth(railroad) / (held + 1) + self.weights["shares"]
        if bids and int(bids[0].split()[1]) <= worth * self.weights["bids"]:
            return bids[0]
        return "pass"


def weights_of(agent: agents.Agent, game) -> dict[str, float]:
    """An agent's weights by name."""
    return dict(zip(agents.heuristics(game).PARAMETERS, agent.weights, strict=True))


def evaluate(position: Position, agent: agents.Agent, memo: np.ndarray | None = None) -> list:
    """The compiled `evaluate` from Python; `memo` is what its `out` holds before."""
    out = np.zeros(MAX_SEATS + MEMO) if memo is None else memo
    contract.run("evaluate", position.state, position.board.record, np.array(agent.weights), out)
    return out[: position.players].tolist()


def advise(position: Position, agent: agents.Agent, memo: np.ndarray | None = None) -> int:
    """The compiled `advise` from Python."""
    memo = np.zeros(MAX_SEATS + MEMO) if memo is None else memo
    weights = np.array(agent.weights)
    return contract.run("advise", position.state, position.board.record, weights, memo)


def gains(position: Position, agent: agents.Agent) -> dict[int, float]:
    """By action code: what it leaves the player to move, less `rivalry` times the mean rival's."""
    player = position.to_move
    found = {}
    for code in position.legal_codes().tolist():
        worth = evaluate(position.copy().play(code), agent)
        own = worth.pop(player)
        found[code] = own - agent.rivalry * sum(worth) / len(worth)
    return found


def greedy_choices(position: Position, agent: agents.Agent) -> set[int]:
    """The codes greedy play may choose: one, or several of equal worth."""
    code = advise(position, agent)
    if code >= 0:
        return {code}
    found = gains(position, agent)
    best = max(found.values())
    return {code for code, gain in found.items() if gain >= best - 1e-9 * max(1.0, abs(best))}
