"""Positions of Westward Rails for scenario files: what can be given, and what can be looked at.

Keys of `given` (whatever is not given is as after set-up):

    phase        "bidding", "opening bid" (an Auction action that needs its first bid), "turn"
    turn         turns begun; 0 (set-up) is the Initial Auction, 1 when the phase is "turn"
    to_move      seat that decides
    money        [20, 20, 20], by seat
    shares       shares.santa_fe = [1, 0, 2], by seat
    value        value.santa_fe = 5
    track        [{ link = "boise-twin_falls", railroad = "santa_fe", cubes = 1, from = "boise" }]
                 cubes: all of the link's when left out; from: the end an unfinished link was
                 begun at, needed only when the railroad touches both of its ends or neither
    cubes_left   cubes_left.santa_fe = 3; when left out, those not in `track`
    disc         ["build", "auction", "upgrade"], by seat
    demands      ["fargo-butte", "", "dallas-tucson"]: the demand spaces from the top
    deck         the stack from its top; "..." at the end: the other cards follow, as shuffled
    upgraded     ["front_range"]
    metro_cash   upgraded areas whose first link still earns $10; when left out, those that no
                 railroad is connected to
    upgrade_cubes  left; when left out, those not in `upgraded`
    auctioned, high_bid, high_bidder, passed, opener   the auction under way; passed = [0, 2]
    forced_passes, dividends, demands_met, demands_lost    counts so far

`expect` has the same keys and `touches` (touches.santa_fe: cities its track touches),
`next_dividend` and `shares_out` by railroad, `dividend_money` and `lease_paid` by seat, and
`initial_price` by railroad.
"""

from typing import TYPE_CHECKING, Any

from sim.bits import bit
from sim.errors import Mistake, nearest
from sim.reading import a_list, a_name, a_seat
from sim.westward_rails.board import link_name
from sim.westward_rails.rules import lay_link, touch
from sim.westward_rails.state import BIDDING, OPENING_BID, PHASES, SPACES, TURN

if TYPE_CHECKING:
    from sim.game import Position

# Kind of value of each key that can be given.
_GIVEN = {
    "phase": "phase",
    "turn": "count",
    "to_move": "seat",
    "money": "count by seat",
    "shares": "counts by seat by railroad",
    "value": "count by railroad",
    "track": "track",
    "cubes_left": "count by railroad",
    "disc": "space by seat",
    "demands": "demands",
    "deck": "deck",
    "upgraded": "metro areas",
    "metro_cash": "metro areas",
    "upgrade_cubes": "count",
    "auctioned": "railroad",
    "high_bid": "count",
    "high_bidder": "seat",
    "passed": "seats",
    "opener": "seat",
    "forced_passes": "count",
    "dividends": "count",
    "demands_met": "count",
    "demands_lost": "count",
}
_EXPECTED = _GIVEN | {
    "touches": "cities by railroad",
    "next_dividend": "count by railroad",
    "shares_out": "count by railroad",
    "dividend_money": "count by seat",
    "lease_paid": "count by seat",
    "initial_price": "count by railroad",
}
GIVEN = tuple(_GIVEN)
EXPECTED = tuple(_EXPECTED)
_PLAIN = (
    "upgrade_cubes",
    "high_bid",
    "forced_passes",
    "dividends",
    "demands_met",
    "demands_lost",
)
_GIVEN_PHASES = (BIDDING, OPENING_BID, TURN)


# ----------------------------------------------------------------------------- reading of values


def tidy(position: "Position", key: str, value: Any) -> Any:
    """The value of a key with its names checked and written as `look` writes them.

    Raises Mistake when it is of the wrong kind or names what is not on the board.
    """
    kind = _EXPECTED[key]
    file, players = position.board.file, position.players
    if kind == "count":
        return _count(key, value)
    if kind == "seat":
        return a_seat(position, key, value)
    if kind == "seats":
        return sorted({a_seat(position, key, seat) for seat in a_list(key, value)})
    if kind == "count by seat":
        return _counts(key, value, players)
    if kind == "space by seat":
        if len(a_list(key, value)) != players:
            raise Mistake(f"{key} should be {players} action spaces, one a seat.")
        return [a_name(key, "action space", space, SPACES) for space in value]
    if kind == "phase":
        return a_name(key, "phase", value, PHASES)
    if kind == "railroad":
        return a_name(key, "railroad", value, _ids(file.railroad))
    if kind == "metro areas":
        known = _ids(file.metro)
        return sorted({a_name(key, "metro area", name, known) for name in a_list(key, value)})
    if kind == "demands":
        spaces = int(position.board.record[0].demand_spaces)
        if len(a_list(key, value)) > spaces:
            raise Mistake(f"{key} should be at most {spaces} cards, from the top space down.")
        cards = [_pair(key, "demand", card, file.demand) if card else "" for card in value]
        return cards + [""] * (spaces - len(cards))
    if kind == "deck":
        cards = a_list(key, value)
        rest = ["..."] if cards[-1:] == ["..."] else []
        cards = cards[: len(cards) - len(rest)]
        return [_pair(key, "demand", card, file.demand) for card in cards] + rest
    if kind == "track":
        return [_track(position, entry) for entry in a_list(key, value)]
    return _by_railroad(position, key, value, kind)


def _by_railroad(position: "Position", key: str, value: Any, kind: str) -> dict:
    if not isinstance(value, dict):
        raise Mistake(f"{key} should be given by railroad, as in {key}.santa_fe, not {value!r}.")
    known = _ids(position.board.file.railroad)
    cities = _ids(position.board.file.city)
    out = {}
    for railroad, entry in value.items():
        name = f"{key}.{a_name(key, 'railroad', railroad, known)}"
        if kind == "count by railroad":
            out[railroad] = _count(name, entry)
        elif kind == "counts by seat by railroad":
            out[railroad] = _counts(name, entry, position.players)
        else:
            out[railroad] = sorted(
                {a_name(name, "city", city, cities) for city in a_list(name, entry)}
            )
    return out


def _track(position: "Position", entry: Any) -> dict:
    file = position.board.file
    keys = ("link", "railroad", "cubes", "from")
    if not isinstance(entry, dict) or "link" not in entry:
        raise Mistake(f"track should be a list of tables with {', '.join(keys)}, not {entry!r}.")
    for key in entry:
        if key not in keys:
            raise Mistake(f"track: there is no key {key!r}{nearest(key, keys)}.")
    out = {"link": _pair("track", "link", entry["link"], file.link)}
    if entry.get("railroad", "") != "":
        out["railroad"] = a_name("track", "railroad", entry["railroad"], _ids(file.railroad))
    elif "railroad" in entry:
        out["railroad"] = ""
    if "cubes" in entry:
        out["cubes"] = _count(f"track {out['link']}: cubes", entry["cubes"])
    if "from" in entry:
        ends = out["link"].split("-")
        out["from"] = a_name(f"track {out['link']}", "end", entry["from"], ends)
    return out


def _ids(entries) -> list[str]:
    return [entry.id for entry in entries]


def _pair(key: str, kind: str, word: Any, entries) -> str:
    """The name of a link or a demand, whose two cities may be given in either order."""
    names = ["-".join(entry.cities) for entry in entries]
    turned = "-".join(reversed(str(word).split("-")))
    return turned if turned in names else a_name(key, kind, word, names)


def _count(key: str, value: Any) -> int:
    if type(value) is not int or not 0 <= value <= 100_000:
        raise Mistake(f"{key} = {value!r} should be a whole number, 0 or more.")
    return value


def _counts(key: str, value: Any, players: int) -> list[int]:
    if not isinstance(value, list) or len(value) != players:
        raise Mistake(f"{key} = {value!r} should be {players} whole numbers, one a seat.")
    return [_count(key, number) for number in value]


# ---------------------------------------------------------------------------------------- giving


def give(position: "Position", given: dict[str, Any]) -> None:
    """Turn a position just dealt into the one `given` describes.

    Raises Mistake for an unknown key and for what cannot be on a table.
    """
    for key in given:
        if key not in GIVEN:
            raise Mistake(f"there is no key {key!r}{nearest(key, GIVEN)}.")
    given = {key: tidy(position, key, value) for key, value in given.items()}
    state = position.state[0]
    for seat, dollars in enumerate(given.get("money", [])):
        state.money[seat] = dollars
    for seat, space in enumerate(given.get("disc", [])):
        state.disc[seat] = SPACES.index(space)
    for key in _PLAIN:
        if key in given:
            state[key] = given[key]
    _give_railroads(position, given)
    _give_track(position, given.get("track", []))
    _give_cubes(position, given)
    _give_metros(position, given)
    _give_demands(position, given)
    _give_phase(position, given)


def _give_railroads(position: "Position", given: dict[str, Any]) -> None:
    state, record = position.state[0], position.board.record[0]
    names = _ids(position.board.file.railroad)
    for name, shares in given.get("shares", {}).items():
        railroad = names.index(name)
        if sum(shares) > record.shares_per_railroad:
            raise Mistake(
                f"shares.{name}: {sum(shares)} are too many, a railroad has "
                f"{int(record.shares_per_railroad)}."
            )
        state.shares_out[railroad] = sum(shares)
        for seat, count in enumerate(shares):
            state.shares[seat, railroad] = count
    for name, value in given.get("value", {}).items():
        every = int(record.dividend_every)
        state.value[names.index(name)] = value
        state.next_dividend[names.index(name)] = (value // every + 1) * every


def _give_track(position: "Position", track: list[dict]) -> None:
    """Completed links first: they decide which end an unfinished one was begun at."""
    file = position.board.file
    links, railroads = [link_name(link) for link in file.link], _ids(file.railroad)
    seen = set()
    unfinished = []
    for entry in track:
        name = entry["link"]
        link = links.index(name)
        segments = file.link[link].segments
        if name in seen:
            raise Mistake(f"track: the link {name!r} is given twice.")
        seen.add(name)
        if not entry.get("railroad"):
            raise Mistake(f"track {name}: the key 'railroad' is missing.")
        cubes = entry.get("cubes", segments)
        if not 1 <= cubes <= segments:
            raise Mistake(f"track {name}: cubes = {cubes} should be from 1 to {segments}.")
        railroad = railroads.index(entry["railroad"])
        _own(position, railroad, link, cubes)
        if cubes < segments:
            unfinished.append((entry, railroad, link))
        else:
            _complete(position, railroad, link)
    for entry, railroad, link in unfinished:
        _begin(position, entry, railroad, link)


def _own(position: "Position", railroad: int, link: int, cubes: int) -> None:
    state = position.state[0]
    state.link_railroad[link] = railroad
    state.link_cubes[link] = cubes
    word = link >> 6
    state.unowned[word] = int(state.unowned[word]) & ~bit(link & 63)
    left = int(state.cubes[railroad]) - cubes
    if left < 0:
        name = position.board.file.railroad[railroad].id
        raise Mistake(f"track: {name} has more cubes on the map than there are.")
    state.cubes[railroad] = left


def _complete(position: "Position", railroad: int, link: int) -> None:
    state, record = position.state[0], position.board.record[0]
    near, far = (int(city) for city in record.link_city[link])
    state.joined[railroad] = int(state.joined[railroad]) | bit(near) | bit(far)
    lay_link(state, record, railroad, link)


def _begin(position: "Position", entry: dict, railroad: int, link: int) -> None:
    state, record = position.state[0], position.board.record[0]
    ends = entry["link"].split("-")
    touched = [
        city
        for city, number in zip(ends, record.link_city[link], strict=True)
        if int(state.presence[railroad]) & bit(int(number))
    ]
    if "from" not in entry and len(touched) != 1:
        both = "both ends" if touched else "neither end"
        raise Mistake(
            f"track {entry['link']}: {entry['railroad']} touches {both}, so say where the link "
            f"was begun: from = {ends[0]!r} or {ends[1]!r}."
        )
    start = entry.get("from") or touched[0]
    word = link >> 6
    state.begun[railroad, word] = int(state.begun[railroad, word]) | bit(link & 63)
    if record.incomplete_link_gives_presence:
        touch(state, record, railroad, int(record.link_city[link][ends.index(start)]))


def _give_cubes(position: "Position", given: dict[str, Any]) -> None:
    state = position.state[0]
    names = _ids(position.board.file.railroad)
    for name, left in given.get("cubes_left", {}).items():
        railroad = names.index(name)
        if left > state.cubes[railroad]:
            raise Mistake(
                f"cubes_left.{name} = {left} should be at most {int(state.cubes[railroad])}: "
                "the others are on the map."
            )
        state.cubes[railroad] = left


def _give_metros(position: "Position", given: dict[str, Any]) -> None:
    state, record = position.state[0], position.board.record[0]
    names = _ids(position.board.file.metro)
    upgraded = given.get("upgraded", [])
    state.upgraded = sum(bit(names.index(name)) for name in upgraded)
    if "upgrade_cubes" not in given:
        left = int(record.upgrade_cubes) - len(upgraded)
        if left < 0:
            raise Mistake(f"upgraded: there are only {int(record.upgrade_cubes)} upgrade cubes.")
        state.upgrade_cubes = left
    connected = 0
    for railroad in range(int(record.n_railroads)):
        connected |= int(state.joined[railroad])
    is_free = {
        name: connected & int(record.metro_cities[number]) == 0 for number, name in enumerate(names)
    }
    open_cash = given.get("metro_cash", [name for name in upgraded if is_free[name]])
    for name in open_cash:
        if name not in upgraded:
            raise Mistake(f"metro_cash: {name!r} is not upgraded.")
    state.metro_cash = sum(bit(names.index(name)) for name in open_cash)


def _give_demands(position: "Position", given: dict[str, Any]) -> None:
    """Cards in neither `demands` nor `deck` are gone; the stack lies at the end of `deck`."""
    if "demands" not in given and "deck" not in given:
        return
    state, record = position.state[0], position.board.record[0]
    cards = ["-".join(card.cities) for card in position.board.file.demand]
    shuffled = [cards[number] for number in state.deck[: len(cards)]]
    spaces = given.get("demands", look(position, "demands"))
    shown = [card for card in spaces if card]
    stack = given.get("deck", ["..."])
    if stack[-1:] == ["..."]:
        stack = stack[:-1]
        stack = stack + [card for card in shuffled if card not in stack and card not in shown]
    for card in shown + stack:
        if (shown + stack).count(card) > 1:
            raise Mistake(f"demands and deck: the card {card!r} is given twice.")
    order = [card for card in cards if card not in stack] + stack
    for place, card in enumerate(order):
        state.deck[place] = cards.index(card)
    state.deck_next = len(cards) - len(stack)
    for space in range(int(record.demand_spaces)):
        state.demand_space[space] = cards.index(spaces[space]) if spaces[space] else -1


def _give_phase(position: "Position", given: dict[str, Any]) -> None:
    state, record = position.state[0], position.board.record[0]
    railroads = _ids(position.board.file.railroad)
    phase = PHASES.index(given.get("phase", PHASES[TURN if given.get("turn") else BIDDING]))
    if phase not in _GIVEN_PHASES:
        choices = ", ".join(repr(PHASES[choice]) for choice in _GIVEN_PHASES)
        raise Mistake(f"phase = {PHASES[phase]!r} is reached by playing: give one of {choices}.")
    turn = given.get("turn", 0 if phase == BIDDING else 1)
    if turn == 0 and phase != BIDDING:
        raise Mistake(f"turn = 0 is the Initial Auction, so phase cannot be {PHASES[phase]!r}.")
    if turn > 0 and phase != TURN and "auctioned" not in given:
        raise Mistake("the key 'auctioned' is missing: which railroad's share is up?")
    state.phase = phase
    state.turn = turn
    state.to_move = given.get("to_move", given.get("opener", 0))
    state.actor = given.get("opener", int(state.to_move))
    state.auctioned = railroads.index(given.get("auctioned", railroads[0]))
    state.initial = int(state.auctioned) if turn == 0 else int(record.n_railroads)
    state.high_bid = given.get("high_bid", 0)
    state.high_bidder = given.get("high_bidder", -1)
    if (state.high_bid > 0) != (state.high_bidder >= 0):
        raise Mistake("high_bid and high_bidder go together.")
    state.passed = sum(bit(seat) for seat in given.get("passed", []))


# --------------------------------------------------------------------------------------- looking


def look(position: "Position", key: str) -> Any:
    """What a key of `EXPECTED` is now; names sorted where their order means nothing."""
    state, file = position.state[0], position.board.file
    record, players = position.board.record[0], position.players
    railroads = _ids(file.railroad)
    fields = {"cubes_left": "cubes", "opener": "actor"}
    if key == "phase":
        return PHASES[state.phase]
    if key == "disc":
        return [SPACES[space] for space in state.disc[:players]]
    if key == "shares":
        return {
            name: [int(state.shares[seat, number]) for seat in range(players)]
            for number, name in enumerate(railroads)
        }
    if key == "auctioned":
        return railroads[state.auctioned]
    if key == "passed":
        return [seat for seat in range(players) if int(state.passed) & bit(seat)]
    if key in ("upgraded", "metro_cash"):
        names = enumerate(_ids(file.metro))
        return sorted(name for number, name in names if int(state[key]) & bit(number))
    if key == "touches":
        return {
            name: sorted(
                city.id
                for place, city in enumerate(file.city)
                if int(state.presence[number]) & bit(place)
            )
            for number, name in enumerate(railroads)
        }
    if key in ("demands", "deck"):
        cards = ["-".join(card.cities) for card in file.demand]
        if key == "deck":
            return [cards[number] for number in state.deck[state.deck_next : len(cards)]]
        shown = state.demand_space[: record.demand_spaces]
        return [cards[number] if number >= 0 else "" for number in shown]
    if key == "track":
        return [_look_at_link(position, number) for number in range(len(file.link))]
    if _EXPECTED[key] == "count by railroad":
        values = state[fields.get(key, key)]
        return {name: int(values[number]) for number, name in enumerate(railroads)}
    if _EXPECTED[key] == "count by seat":
        return [int(value) for value in state[key][:players]]
    return int(state[fields.get(key, key)])


def _look_at_link(position: "Position", link: int) -> dict:
    """A link as in `given`; `from` is empty unless one end only is touched."""
    state, record, file = (
        position.state[0],
        position.board.record[0],
        position.board.file,
    )
    entry = {"link": link_name(file.link[link]), "railroad": "", "cubes": 0, "from": ""}
    railroad = int(state.link_railroad[link])
    if railroad >= 0:
        entry["railroad"] = file.railroad[railroad].id
        entry["cubes"] = int(state.link_cubes[link])
        touched = [
            city
            for city, number in zip(file.link[link].cities, record.link_city[link], strict=True)
            if int(state.presence[railroad]) & bit(int(number))
        ]
        if len(touched) == 1 and entry["cubes"] < file.link[link].segments:
            entry["from"] = touched[0]
    return entry
