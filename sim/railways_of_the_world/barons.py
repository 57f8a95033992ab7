"""End of Game: the Rail Baron cards."""

import numpy as np

from sim.bits import bit, count, lowest, without_lowest
from sim.contract import compiled
from sim.railways_of_the_world.state import (
    CONNECTED,
    CONNECTIONS_OUT_OF,
    FEWEST_BONDS,
    FIRST_LEVEL,
    LINKS_INTO,
    MAX_CITIES,
    MAX_LINKS,
    MOST_CITIES,
    MOST_LINKS,
    MOST_MAJOR_LINES,
    MOST_MONEY,
    WESTERN_LINK,
)
from sim.railways_of_the_world.track import own_component


@compiled
def score_barons(state, board):
    """What each player's kept Baron scores."""
    for player in range(state.n_players):
        row = int(state.barons[player, 0])
        state.baron_points[player] = 0
        if row >= 0:
            state.baron_points[player] = board.baron_points[row] * _fulfilled(
                state, board, player, row
            )


@compiled
def _fulfilled(state, board, player, row):
    """How many times a Baron's condition is met: once, but for connections that are counted."""
    condition = board.baron_condition[row]
    cities = board.baron_cities[row]
    if condition == CONNECTIONS_OUT_OF:
        links = 0
        for link in range(state.n_links):
            ends = bit(state.link_city[link, 0]) | bit(state.link_city[link, 1])
            if state.link_owner[link] == player and ends & cities != 0:
                links += 1
        return min(links, int(board.baron_amount[row]))
    if condition == CONNECTED:
        met = own_component(state, player, lowest(cities)) & cities == cities
    elif condition == FIRST_LEVEL:
        met = state.first_at_level[board.baron_amount[row]] == player
    elif condition == LINKS_INTO:
        met = count(state.network[player] & cities) >= board.baron_amount[row]
    elif condition == WESTERN_LINK:
        met = False
        for place in range(board.n_western):
            if state.western_owner[place] == player:
                met = True
    else:
        met = _leads_alone(state, board, player, condition)
    return 1 if met else 0


@compiled
def _leads_alone(state, board, player, condition):
    """Most, fewest, longest: no score on a tie (R12)."""
    own = _standing(state, board, player, condition)
    for other in range(state.n_players):
        if other != player and _standing(state, board, other, condition) >= own:
            return False
    return True


@compiled
def _standing(state, board, player, condition):
    """What a Baron for the most or the fewest compares: the more the better."""
    if condition == MOST_MONEY:
        return int(state.money[player])
    if condition == FEWEST_BONDS:
        return -int(state.bonds[player])
    if condition == MOST_LINKS:
        return int(state.links[player])
    if condition == MOST_CITIES:
        return count(state.network[player])
    if condition == MOST_MAJOR_LINES:
        lines = 0
        for line in range(board.n_lines):
            if state.line_owner[line] == player:
                lines += 1
        return lines
    return longest_chain(state, player, board.chain_may_revisit_city != 0)  # LONGEST_CHAIN


# ----------------------------------------------------------------------------------- Longest chain


@compiled
def longest_chain(state, player, may_revisit):
    """Links of the longest walk over own links that uses no link twice (A03).

    Depth first from every city, leaving off where not even all that is left could beat the best.
    """
    left = np.zeros((MAX_CITIES, MAX_CITIES), np.int8)  # parallel links not yet used
    for link in range(state.n_links):
        if state.link_owner[link] == player:
            here = int(state.link_city[link, 0])
            there = int(state.link_city[link, 1])
            left[here, there] += 1
            left[there, here] += 1
    beside = np.zeros(MAX_CITIES, np.int64)  # cities over links not yet used
    for city in range(MAX_CITIES):
        beside[city] = state.linked[player, city]
    walk = np.zeros(MAX_LINKS + 1, np.int64)
    untried = np.zeros(MAX_LINKS + 1, np.int64)
    degree = np.zeros(MAX_CITIES, np.int64)
    depth = np.zeros(MAX_CITIES, np.int64)
    best = 0
    starts = state.network[player]
    while starts != 0:
        step = 0
        walk[0] = lowest(starts)
        starts = without_lowest(starts)
        barred = 0 if may_revisit else bit(walk[0])
        untried[0] = beside[walk[0]]
        while step >= 0:
            here = walk[step]
            if untried[step] == 0:
                step -= 1
                if step >= 0:
                    before = walk[step]
                    if not may_revisit:
                        barred &= ~bit(here)
                    left[before, here] += 1
                    left[here, before] += 1
                    beside[before] |= bit(here)
                    beside[here] |= bit(before)
                continue
            there = lowest(untried[step])
            untried[step] = without_lowest(untried[step])
            left[here, there] -= 1
            left[there, here] -= 1
            if left[here, there] == 0:
                beside[here] &= ~bit(there)
                beside[there] &= ~bit(here)
            if not may_revisit:
                barred |= bit(there)
            step += 1
            walk[step] = there
            best = max(best, step)
            more = _most_that_follow(left, beside, there, barred, may_revisit, degree, depth)
            untried[step] = beside[there] & ~barred if step + more > best else 0
    return best


@compiled
def _most_that_follow(left, beside, start, barred, may_revisit, degree, depth):
    """No walk from `start` over what is left is longer than this.

    Without cities twice: the cities within reach. Else dead ends are cut off first, for of those
    a walk can use but one, its last; in what remains every other city with an odd number of links
    leaves one unused, but for the city the walk ends in. `degree` (links at a city) and `depth`
    (the longest dead end cut off there) are room to work in.
    """
    reached = bit(start)
    frontier = reached
    while frontier != 0:
        city = lowest(frontier)
        frontier = without_lowest(frontier)
        new = beside[city] & ~(reached | barred)
        reached |= new
        frontier |= new
    if not may_revisit:
        return count(reached) - 1
    ends = 0
    cities = reached
    while cities != 0:
        city = lowest(cities)
        cities = without_lowest(cities)
        others = beside[city]
        degree[city] = 0
        depth[city] = 0
        while others != 0:
            degree[city] += left[city, lowest(others)]
            others = without_lowest(others)
        if degree[city] == 1 and city != start:
            ends |= bit(city)
    longest = 0
    kept = reached
    while ends != 0:
        city = lowest(ends)
        ends = without_lowest(ends)
        kept &= ~bit(city)
        other = beside[city] & kept
        if other == 0:
            continue
        hub = lowest(other)
        degree[city] = 0
        degree[hub] -= 1
        depth[hub] = max(depth[hub], depth[city] + 1)
        longest = max(longest, depth[hub])
        if degree[hub] == 1 and hub != start:
            ends |= bit(hub)
    links = 0
    odd = 0
    while kept != 0:
        city = lowest(kept)
        kept = without_lowest(kept)
        links += degree[city]
        if degree[city] % 2 == 1 and city != start:
            odd += 1
    return links // 2 - odd // 2 + longest
