"""Westward Rails as text: a position as a table, and what an action has changed."""

from typing import TYPE_CHECKING

from sim.bits import bit
from sim.layout import columns, wrapped
from sim.westward_rails.state import (
    BIDDING,
    OPENING_BID,
    PHASES,
    SPACES,
)

if TYPE_CHECKING:
    from sim.game import Board, Position


def show(position: "Position") -> str:
    """The position as a table that fits a terminal of 80 columns."""
    state, file, record = position.state[0], position.board.file, position.board.record[0]
    railroads = range(len(file.railroad))
    head = f"{position.game.title} · {position.players} players · {position.board.label}"
    if position.is_over:
        winners = " and ".join(f"seat {seat}" for seat in position.winners)
        now = f"Over after turn {position.turn} ({position.end_reason}): {winners} won."
    elif position.turn == 0:
        now = f"Initial Auction · seat {position.to_move} decides: {PHASES[state.phase]}"
    else:
        now = f"Turn {position.turn} · seat {position.to_move} decides: {PHASES[state.phase]}"
    if state.phase in (BIDDING, OPENING_BID):
        name = file.railroad[int(state.auctioned)].name
        bid = f"${state.high_bid} by seat {state.high_bidder}" if state.high_bid else "no bid yet"
        now += f" on {name}, {bid}"
    lines = [head, now, ""]
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
        lines.append(f"Next demand: {'-'.join(card.cities)} ({left} in the stack)")
    return "\n".join(lines)


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
        told.append(f"{dividends} dividend{'s' if dividends > 1 else ''} paid")
    met = int(new.demands_met - old.demands_met)
    if met:
        told.append(f"{met} demand{'s' if met > 1 else ''} met")
    for seat in range(after.players):
        if new.money[seat] != old.money[seat]:
            told.append(f"seat {seat}: ${old.money[seat]} to ${new.money[seat]}")
    return told
