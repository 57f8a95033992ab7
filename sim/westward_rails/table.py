"""Westward Rails as text: a position as a table, and what an action has changed."""

from typing import TYPE_CHECKING

from sim.bits import bit
from sim.layout import columns, counted, filled, wrapped
from sim.westward_rails.state import (
    AUCTION,
    BID,
    BIDDING,
    BUILD,
    LEASE,
    LEASE_ROUTE,
    MAX_LINKS,
    OPENING_BID,
    PHASES,
    ROUTE,
    ROUTE_LINK,
    SPACES,
    UPGRADE,
)

if TYPE_CHECKING:
    from sim.game import Board, Position


def show(position: "Position", viewer: int | None = None) -> str:
    """The position as a table that fits the terminal; all of it is open to every viewer."""
    state, file, record = position.state[0], position.board.file, position.board.record[0]
    railroads = range(len(file.railroad))
    head = f"{position.game.title} · {position.players} players · {position.board.label}"
    lines = [*filled(head), *filled(now(position)), ""]
    rows = [["seat", "money", "disc", *(_short(file, railroad) for railroad in railroads)]]
    for seat in range(position.players):
        shares = [str(state.shares[seat, railroad] or "·") for railroad in railroads]
        mark = ">" if seat == position.to_move and not position.is_over else " "
        rows.append([f"{mark} {seat}", f"${state.money[seat]}", SPACES[state.disc[seat]], *shares])
    rows.append(["value", "", "", *(str(state.value[railroad]) for railroad in railroads)])
    rows.append(
        ["dividend at", "", "", *(str(state.next_dividend[railroad]) for railroad in railroads)]
    )
    unsold = [str(record.shares_per_railroad - state.shares_out[r]) for r in railroads]
    rows.append(["unsold", "", "", *unsold])
    rows.append(["cubes left", "", "", *(str(state.cubes[railroad]) for railroad in railroads)])
    lines += columns(rows, {0, 2})
    lines.append("")
    for railroad in railroads:
        track = [
            "-".join(link.cities)
            + (
                ""
                if state.link_cubes[n] == link.segments
                else f" ({state.link_cubes[n]} of {link.segments})"
            )
            for n, link in enumerate(file.link)
            if state.link_railroad[n] == railroad
        ]
        if track:
            lines += wrapped(f"{file.railroad[railroad].name}: ", track)
    metros = [
        metro.name
        + (
            f" (${record.metro_first_link_cash} open)"
            if int(state.metro_cash) & bit(number)
            else ""
        )
        for number, metro in enumerate(file.metro)
        if int(state.upgraded) & bit(number)
    ]
    lines += wrapped("Upgraded: ", metros or ["none"])
    spaces = [
        "-".join(file.demand[card].cities) if card >= 0 else "·"
        for card in state.demand_space[: record.demand_spaces]
    ]
    lines += wrapped("Demands, top first: ", spaces)
    left = len(file.demand) - int(state.deck_next)
    if left:
        card = file.demand[state.deck[state.deck_next]]
        lines += filled(f"Next demand: {'-'.join(card.cities)} ({left} in the stack)")
    return "\n".join(lines)


def now(position: "Position") -> str:
    """What is to be decided, and by whom; how a game that is over has ended."""
    state, file = position.state[0], position.board.file
    if position.is_over:
        winners = " and ".join(f"seat {seat}" for seat in position.winners)
        return f"Over after turn {position.turn} ({position.end_reason}): {winners} won."
    when = f"Turn {position.turn}" if position.turn else "Initial Auction"
    told = f"{when} · seat {position.to_move} decides: {PHASES[state.phase]}"
    if state.phase in (BIDDING, OPENING_BID):
        name = file.railroad[int(state.auctioned)].name
        bid = f"${state.high_bid} by seat {state.high_bidder}" if state.high_bid else "no bid yet"
        told += f" on {name}, {bid}"
    return told


def _short(file, railroad: int) -> str:
    """A railroad's name where columns are narrow."""
    return file.railroad[railroad].name.split()[0]


def changes(board: "Board", before: "Position", after: "Position") -> list[str]:
    """What an action has changed beyond its own words, a short sentence each."""
    old, new, file = before.state[0], after.state[0], board.file
    told = []
    for railroad, entry in enumerate(file.railroad):
        if new.shares_out[railroad] > old.shares_out[railroad]:
            gains = new.shares[:, railroad] - old.shares[:, railroad]
            # The closing bid stays in the state unless the next share is up already.
            price = max(int(old.high_bid), int(new.high_bid))
            if old.turn == 0:
                price = int(new.initial_price[railroad])
            paid = f"for ${price}" if price else "for nothing"
            told.append(f"seat {int(gains.argmax())} gets a share of {entry.name} {paid}")
    for number, link in enumerate(file.link):
        is_new = new.link_cubes[number] > old.link_cubes[number]
        if is_new and new.link_cubes[number] == link.segments:
            told.append(f"{'-'.join(link.cities)} is complete")
    for railroad, entry in enumerate(file.railroad):
        if new.value[railroad] != old.value[railroad]:
            told.append(f"{entry.name}: value {old.value[railroad]} to {new.value[railroad]}")
    dividends = int(new.dividends - old.dividends)
    if dividends:
        told.append(f"{counted(dividends, 'dividends')} paid")
    met = int(new.demands_met - old.demands_met)
    if met:
        told.append(f"{counted(met, 'demands')} met")
    for seat in range(after.players):
        if new.money[seat] != old.money[seat]:
            told.append(f"seat {seat}: ${old.money[seat]} to ${new.money[seat]}")
    return told


# -------------------------------------------------------------- actions to come; names on the board


def note(position: "Position", code: int) -> str:
    """What an action costs or brings; empty when its words tell all."""
    state, file, record = position.state[0], position.board.file, position.board.record[0]
    if AUCTION <= code < UPGRADE:
        railroad = code - AUCTION
        unsold = int(record.shares_per_railroad - state.shares_out[railroad])
        return f"opened at ${int(record.minimum_bid)} or more, {unsold} unsold"
    if UPGRADE <= code < BUILD:
        return f"${int(record.upgrade_cost)}"
    if BUILD <= code < ROUTE:
        link = (code - BUILD if code < LEASE else (code - LEASE) // 2) % MAX_LINKS
        cubes, segments = int(state.link_cubes[link]) + 1, file.link[link].segments
        placed = "completes it" if cubes == segments else f"cube {cubes} of {segments}"
        return f"{_lease(position, code)}, {placed}" if code >= LEASE else placed
    if ROUTE <= code < BID and state.phase == LEASE_ROUTE:
        railroad, segments = divmod(code - ROUTE, 64)
        cost = segments * int(record.lease_cost_per_segment)
        return f"${cost} to the holders of {file.railroad[railroad].name}"
    return ""


def _lease(position: "Position", code: int) -> str:
    """The price of a lease: the least, where a route is still to be chosen."""
    state, record, seat = position.state[0], position.board.record[0], position.to_move
    after = position.determinized(seat, 0).play(code).state[0]
    if after.phase != LEASE_ROUTE:
        return f"lease ${int(after.lease_paid[seat] - state.lease_paid[seat])}"
    railroad, link = divmod((code - LEASE) // 2, MAX_LINKS)
    city = record.link_city[link, (code - LEASE) % 2]
    segments = int(state.lease[railroad, city]) % ROUTE_LINK
    return f"lease ${segments * int(record.lease_cost_per_segment)} or more, by the route"


def chart(position: "Position") -> list[str]:
    """Nothing: the table lists the links, and `explain` those of a city."""
    return []


def secrets(position: "Position", viewer: int) -> list[str]:
    """Nothing: all that a player holds lies open."""
    return []


def explain(position: "Position", word: str) -> list[str]:
    """Lines on the city, railroad or metro area of that name; none if there is none."""
    file, name = position.board.file, "_".join(word.lower().split())
    lines = []
    for number, city in enumerate(file.city):
        if _is_called(city, name):
            lines += _told_city(position, number)
    for number, railroad in enumerate(file.railroad):
        if _is_called(railroad, name):
            lines += _told_railroad(position, number)
    for number, metro in enumerate(file.metro):
        if _is_called(metro, name):
            done = int(position.state[0].upgraded) & bit(number)
            title = f"{metro.name}, metro area, {'' if done else 'not '}upgraded: "
            lines += wrapped(title, list(metro.cities))
    return lines


def _is_called(entry, name: str) -> bool:
    """Whether an entry of the board has that id, or that name with underscores."""
    return name in (entry.id, entry.name.lower().replace(" ", "_"))


def _told_city(position: "Position", number: int) -> list[str]:
    state, file = position.state[0], position.board.file
    city = file.city[number]
    what = [f"metro area {metro.id}" for metro in file.metro if city.id in metro.cities]
    what += [
        f"where {railroad.id} starts" for railroad in file.railroad if railroad.start == city.id
    ]
    if city.west_coast:
        what.append("on the West Coast")
    lines = filled(f"{', '.join([f'{city.name}, city', *what])}.")
    links = []
    for place, link in enumerate(file.link):
        if city.id in link.cities:
            other = link.cities[link.cities[0] == city.id]
            owner = int(state.link_railroad[place])
            cubes = f"{state.link_cubes[place]} of {link.segments}"
            built = f"{file.railroad[owner].id} {cubes}" if owner >= 0 else f"{link.segments} free"
            links.append(f"{other} ({built})")
    lines += wrapped("  Links and their segments: ", links)
    shown = [card for card in state.demand_space.tolist() if card >= 0]
    demands = ["-".join(file.demand[card].cities) for card in shown]
    wanted = [demand for demand in demands if city.id in demand.split("-")]
    return lines + (wrapped("  Demands: ", wanted) if wanted else [])


def _told_railroad(position: "Position", railroad: int) -> list[str]:
    state, file = position.state[0], position.board.file
    entry = file.railroad[railroad]
    held = [f"seat {seat} {n}" for seat, n in enumerate(state.shares[:, railroad]) if n]
    unsold = int(position.board.record[0].shares_per_railroad - state.shares_out[railroad])
    return filled(
        f"{entry.name}, railroad from {entry.start}: value {state.value[railroad]}, next dividend "
        f"at {state.next_dividend[railroad]}; shares: {', '.join([*held, f'{unsold} unsold'])}; "
        f"{state.cubes[railroad]} cubes left."
    )
