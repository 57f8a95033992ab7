"""Texts of Westward Rails' actions, and why one is not legal.

pass                                      in an auction, or when nothing else can be done
bid 12
auction santa_fe
upgrade wasatch_front
build santa_fe dodge_city-amarillo        on track the railroad touches, or has begun
build midland_pacific grand_junction-provo from grand_junction        leased to that city
stop                                      no second cube
route santa_fe 2                          the route with 2 segments (lease) or links (demand)
via denver > boulder > grand_junction     the same, by naming a whole route
"""

from typing import TYPE_CHECKING

from sim.bits import bit
from sim.errors import Mistake, nearest
from sim.reading import index_of
from sim.westward_rails.board import link_name
from sim.westward_rails.rules import lease_budget, least_bid, links_to_go, may_use
from sim.westward_rails.state import (
    AUCTION,
    AUCTION_SPACE,
    BID,
    BIDDING,
    BUILD,
    BUILD_SPACE,
    DEMAND_ROUTE,
    LEASE,
    LEASE_ROUTE,
    MAX_BID,
    MAX_LINKS,
    NO_ROUTE,
    OPENING_BID,
    PASS,
    PHASES,
    ROUTE,
    ROUTE_LINK,
    SECOND_CUBE,
    STOP,
    TURN,
    UPGRADE,
    UPGRADE_SPACE,
)

if TYPE_CHECKING:
    from sim.game import Board, Position

_FORMS = {
    "pass": "pass",
    "stop": "stop",
    "bid": "bid DOLLARS",
    "auction": "auction RAILROAD",
    "upgrade": "upgrade METRO",
    "build": "build RAILROAD CITY-CITY [from CITY]",
    "route": "route RAILROAD NUMBER",
    "via": "via CITY > CITY > CITY",
}


def describe(board: "Board", code: int) -> str:
    """The canonical text of an action code."""
    file = board.file
    if code == PASS:
        return "pass"
    if code == STOP:
        return "stop"
    if code < UPGRADE:
        return f"auction {file.railroad[code - AUCTION].id}"
    if code < BUILD:
        return f"upgrade {file.metro[code - UPGRADE].id}"
    if code < LEASE:
        railroad, link = divmod(code - BUILD, MAX_LINKS)
        return f"build {file.railroad[railroad].id} {link_name(file.link[link])}"
    if code < ROUTE:
        place, end = divmod(code - LEASE, 2)
        railroad, link = divmod(place, MAX_LINKS)
        name = link_name(file.link[link])
        return f"build {file.railroad[railroad].id} {name} from {file.link[link].cities[end]}"
    if code < BID:
        railroad, amount = divmod(code - ROUTE, 64)
        return f"route {file.railroad[railroad].id} {amount}"
    return f"bid {code - BID}"


def parse(position: "Position", text: str) -> int:
    """The legal action a text names. Raises Mistake that says what would be right."""
    text = text if len(text) <= 80 else text[:77] + "..."
    codes = _read(position, text)
    playable = set(position.legal_codes().tolist())
    legal = [code for code in codes if code in playable]
    if len(legal) == 1 or codes[0] in legal:
        return legal[0]
    if legal:  # a leased link with two ends that tie
        ends = " or ".join(repr(describe(position.board, code)) for code in legal)
        raise Mistake(f"{text!r} can be reached at either end: type {ends}.")
    raise Mistake(f"{text!r} is not legal: {_why_not(position, codes[0])}.")


def _read(position: "Position", text: str) -> list[int]:
    """The codes a text may stand for, the likeliest first."""
    file = position.board.file
    words = text.lower().replace(">", " > ").split()
    verb = words[0] if words else ""
    if verb not in _FORMS:
        raise Mistake(f"{text!r} is not an action{nearest(verb, _FORMS)}.")
    rest = words[1:]
    if verb == "via":
        return [_via(position, [word for word in rest if word != ">"], text)]
    wanted = {"pass": (0,), "stop": (0,), "build": (2, 4), "route": (2,)}.get(verb, (1,))
    if len(rest) not in wanted or (len(rest) == 4 and rest[2] != "from"):
        raise Mistake(f"{text!r} is not complete: write {_FORMS[verb]!r}.")
    if verb == "pass":
        return [PASS]
    if verb == "stop":
        return [STOP]
    if verb == "bid":
        amount = _number(rest[0].removeprefix("$"), text)
        if amount > MAX_BID:
            raise Mistake(f"{text!r} is not legal: no bid may be above ${MAX_BID}.")
        return [BID + amount]
    if verb == "upgrade":
        return [UPGRADE + index_of("metro area", rest[0], [metro.id for metro in file.metro])]
    railroad = index_of("railroad", rest[0], [entry.id for entry in file.railroad])
    if verb == "auction":
        return [AUCTION + railroad]
    if verb == "route":
        amount = _number(rest[1], text)
        if amount >= 64:
            raise Mistake(f"{text!r} is not legal: no route is that long.")
        return [ROUTE + railroad * 64 + amount]
    names = [link_name(entry) for entry in file.link]
    turned = ["-".join(reversed(entry.cities)) for entry in file.link]
    link = index_of("link", rest[1], names + turned) % len(names)
    place = railroad * MAX_LINKS + link
    ends = [LEASE + place * 2, LEASE + place * 2 + 1]
    if len(rest) == 4:
        return [ends[index_of("end of that link", rest[3], list(file.link[link].cities))]]
    return [BUILD + place, *ends]


def _number(word: str, text: str) -> int:
    if not word.isdecimal():
        raise Mistake(f"{text!r} should end in a whole number, not {word!r}.")
    return int(word)


def _via(position: "Position", words: list[str], text: str) -> int:
    """The code for the amount asked about, from a whole route named city by city."""
    state, file = position.state[0], position.board.file
    if state.phase not in (LEASE_ROUTE, DEMAND_ROUTE):
        raise Mistake(f"{text!r} is not legal: no route is to be chosen now.")
    cities = [city.id for city in file.city]
    route = [index_of("city", word, cities) for word in words]
    if not route:
        raise Mistake(f"{text!r} is not complete: write {_FORMS['via']!r}.")
    start = int(state.route_from)
    if route[0] != start:
        route.reverse()
    length = links_to_go(state, start)
    left = [links_to_go(state, city) for city in route]
    if route[0] != start or left != list(range(length, -1, -1)):
        raise Mistake(
            f"{text!r} is not legal: it is not a shortest route from {cities[start]} "
            f"({length} links)."
        )
    ends = [sorted(link.cities) for link in file.link]
    used = [0] * len(file.railroad)
    for here, there in zip(route, route[1:], strict=False):
        pair = sorted((cities[here], cities[there]))
        link = ends.index(pair) if pair in ends else -1
        owner = int(state.link_railroad[link])
        is_complete = link >= 0 and state.link_cubes[link] == file.link[link].segments
        if not is_complete or (state.phase == LEASE_ROUTE and owner == state.building):
            raise Mistake(f"{text!r} is not legal: {'-'.join(pair)} is not a link to use.")
        used[owner] += file.link[link].segments if state.phase == LEASE_ROUTE else 1
    chosen = state.route_amount[: len(used)].tolist()
    if any(here not in (-1, there) for here, there in zip(chosen, used, strict=True)):
        raise Mistake(f"{text!r} is not legal: it does not go by what is chosen already.")
    if sum(used) > lease_budget(state, position.board.record[0]):
        raise Mistake(f"{text!r} is not legal: it cannot be paid, or another one is cheaper.")
    railroad = int(state.route_railroad)
    return ROUTE + railroad * 64 + used[railroad]


def _why_not(position: "Position", code: int) -> str:
    """Why a code is not legal here, as the end of a sentence."""
    state, record = position.state[0], position.board.record[0]
    file = position.board.file
    player = int(state.to_move)
    phase = int(state.phase)
    money = int(state.money[player])
    if phase in (BIDDING, OPENING_BID):
        if code == PASS:
            return "whoever offers a share must bid"
        if code < BID:
            return "a share is being auctioned: bid or pass"
        least = int(least_bid(state, record))
        if code - BID < least:
            return f"the least bid is ${least}"
        return f"seat {player} has only ${money}"
    if phase == SECOND_CUBE and not (code == STOP or BUILD <= code < ROUTE):
        return "place a second cube of the same railroad, or stop"
    if phase not in (TURN, SECOND_CUBE):
        return f"now a {PHASES[phase]} must be chosen ({', '.join(position.legal()[:6])})"
    if code == PASS:
        return "a player may only pass when nothing else can be done"
    if code == STOP or code >= ROUTE:
        return "it is the wrong moment: take a turn's action"
    if code < UPGRADE:
        if record.spaces[AUCTION_SPACE] == 0:
            return "there is no auction space"
        if not may_use(state, record, AUCTION_SPACE):
            return "the disc is on the auction space and must move"
        if state.shares_out[code - AUCTION] >= record.shares_per_railroad:
            return "all its shares are sold"
        return f"seat {player} has ${money} and must open at ${int(record.minimum_bid)}"
    if code < BUILD:
        if record.spaces[UPGRADE_SPACE] == 0:
            return "there is no upgrade space"
        if not may_use(state, record, UPGRADE_SPACE):
            return "the disc is on the upgrade space and must move"
        if int(state.upgraded) & bit(code - UPGRADE):
            return "it is upgraded already"
        if state.upgrade_cubes == 0:
            return "no upgrade cube is left"
        return f"it costs ${int(record.upgrade_cost)} and seat {player} has ${money}"
    return _why_no_cube(code, file, state, record)


def _why_no_cube(code: int, file, state, record) -> str:
    place = code - BUILD if code < LEASE else (code - LEASE) // 2
    railroad, link = divmod(place, MAX_LINKS)
    player = int(state.to_move)
    name = file.railroad[railroad].name
    if state.phase == TURN and not may_use(state, record, BUILD_SPACE):
        return "the disc is on the build space and must move"
    if state.phase == SECOND_CUBE and railroad != state.building:
        return f"both cubes must be of {file.railroad[int(state.building)].name}"
    if state.shares[player, railroad] == 0:
        return f"seat {player} has no share of {name}"
    if state.cubes[railroad] == 0:
        return f"{name} has no track cubes left"
    owner = int(state.link_railroad[link])
    if owner >= 0 and state.link_cubes[link] == file.link[link].segments:
        return f"the link is complete ({file.railroad[owner].name})"
    if owner >= 0 and owner != railroad:
        return f"the link is {file.railroad[owner].name}'s"
    if code >= LEASE and owner == railroad:
        return f"{name} has begun the link and need not lease"
    near, far = record.link_city[link]
    presence = int(state.presence[railroad])
    if presence & (bit(near) | bit(far)) and not record.lease_when_adjacent_allowed:
        return f"the link touches {name}'s track and is not leased"
    is_first = state.cubes[railroad] == record.cubes_per_railroad
    if is_first and not record.lease_allowed_before_first_cube:
        return f"{name}'s first cube must be placed at {file.railroad[railroad].start}"
    ends = [code - LEASE & 1] if code >= LEASE else [0, 1]
    lengths = [int(state.lease[railroad, record.link_city[link, end]]) for end in ends]
    shortest = min(lengths)
    if shortest >= NO_ROUTE:
        return f"it does not touch {name}'s track, and no rival links lead there"
    cost = shortest % ROUTE_LINK * int(record.lease_cost_per_segment)
    if cost > state.money[player]:
        return f"the lease costs ${cost} and seat {player} has ${int(state.money[player])}"
    return "another end is reached over fewer rival links, or for less"
