"""The weights and named strategies of Railways of the World, and the places of the memory."""

from agents.base import MAX_SEATS
from agents.railways_of_the_world import goods_search as goods
from agents.railways_of_the_world import track_search as track
from sim.railways_of_the_world.state import MAX_CITIES, MAX_LEVEL, MAX_LINES

(
    MONEY,
    PACE,
    DELIVERIES,
    PATIENCE,
    SHARING,
    RIVALRY,
    LINKS,
    ENGINE,
    LINES,
    BARONS,
    CITIES,
    CARDS,
    BIDS,
    REACH,
    LEVELS,
    DEBT,
    HOPE,
    GOAL,
    PLAN,
    HORIZON,
    OPENING,
    DEPOT_WORTH,
) = range(22)

PARAMETERS = {
    "money": (0.2, "points that $1k is worth while there is use for it"),
    "pace": (1.8, "turns to go for each Empty City Marker left, times the players"),
    "deliveries": (0.55, "part of the actions to come that will deliver"),
    "patience": (0.7, "worth of a delivery for each level the engine lacks"),
    "sharing": (0.35, "how much each rival that reaches a city takes of its cubes' worth"),
    "rivalry": (0.7, "points lost for each point a delivery gives to rivals"),
    "links": (1.2, "weight of the deliveries a new link opens"),
    "engine": (2.0, "weight of the deliveries a better engine opens"),
    "lines": (2.5, "weight of Major Lines"),
    "barons": (1.0, "weight of the Rail Baron"),
    "cities": (0.5, "weight of the deliveries a New City tile opens"),
    "cards": (0.25, "weight of Railroad Operations cards"),
    "bids": (0.25, "part of the worth of going first that is bid for it"),
    "reach": (6.0, "tiles of the longest link thought of, at most 6"),
    "top_level": (8.0, "engine level beyond which it does not upgrade"),
    "debt": (3.0, "points that a Bond costs"),
    "hope": (0.5, "links that a cube in the network counts which cannot be delivered yet"),
    "points": (1.0, "weight of points, those made and those a network promises"),
    "plan": (1.0, "1: thinks in whole links and deliveries; 0: looks one decision ahead"),
    "horizon": (8.0, "turns ahead for which money is reckoned"),
    "opening": (17.0, "points that going first in turn 1 is worth, with three rivals or more"),
    "depots": (1.0, "weight of the deliveries that Fuel Depots and dials open"),
}

RANDOM = "it runs up debts without end, so measure others by prudent"

# Named strategies: how each plays, and what sets it apart from the balanced weights above.
PRESETS = {
    "greedy": ("balanced: takes what adds most points by its reckoning", {}),
    "short_hauler": (
        "short deliveries: delivers early over few links, never beyond engine level 3",
        {"top_level": 3.0, "patience": 0.4, "engine": 1.0},
    ),
    "engineer": (
        "engine first: upgrades early and delivers over many links",
        {"engine": 4.0, "patience": 0.8, "debt": 2.0},
    ),
    "line_builder": (
        "Major Lines: builds towards them, whatever they cost",
        {"lines": 5.0},
    ),
    "prudent": (
        "random, but borrows only when it must: any action that takes the fewest Bonds",
        {"plan": 0.0, "points": 0.0, "money": 0.0, "rivalry": 0.0},
    ),
    "frugal": (
        "frugal: few Bonds and short links",
        {"debt": 6.0, "reach": 4.0},
    ),
}

# Greedy's weights, tuned at a table of four.
TUNED = (
    "greedy with weights that `spike tune` found: beats all strategies above",
    {
        "rivalry": 0.666,
        "money": 0.199,
        "pace": 1.38,
        "deliveries": 0.517,
        "patience": 0.75,
        "sharing": 0.27,
        "links": 1.52,
        "engine": 2.36,
        "lines": 3.13,
        "barons": 0.879,
        "cities": 0.654,
        "cards": 0.259,
        "bids": 0.22,
        "debt": 2.1,
        "hope": 0.558,
        "horizon": 8.52,
        "opening": 11.4,
    },
)

# Tree search: what the strategies propose, played on for some turns, which tells more than what
# the position is worth; an action is several decisions, which go on in the same tree.
SEARCH = {"depth": 100, "widening": 0.5, "reuse": 1}

# Places in the memory: how far cities are apart, then those of the searches, then the lines'.
TRACK = MAX_SEATS
GOODS = TRACK + track.SIZE
APART = GOODS + goods.SIZE  # + city * 64 + city: hexes; the last place tells that it is filled
APART_KNOWN = APART + MAX_CITIES * MAX_CITIES
GOALS = MAX_LINES + 1  # Major Lines, and a Baron that asks for two cities to be connected
TO_START = APART_KNOWN + 1  # + goal * 64 + city: hexes to what is joined to its first city
TO_END = TO_START + GOALS * MAX_CITIES  # ... to its second city
GAP = TO_END + GOALS * MAX_CITIES  # + goal: hexes between the two
LENGTH = GAP + GOALS  # + city * 5 + colour: links of the best delivery over own links
WALK = LENGTH + MAX_CITIES * 5  # the walk noted in a state while it is evaluated
ACCEPTED = WALK + 4 * (MAX_LEVEL + 1)  # + colour: whether the city looked at takes it
MARK = ACCEPTED + 5  # tells that the memory is this module's
MEMO = MARK + 1 - MAX_SEATS
READY = 0.71828

ACTION_WORTH = 2.5  # points that a further action for a link is worth
NEVER = -1e9
