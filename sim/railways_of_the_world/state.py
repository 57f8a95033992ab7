"""The records of Railways of the World, its phases and its action codes.

Money is in thousands of dollars. A set of cities is an i8 with a bit a city. Sides of a hex are
numbered clockwise from the north-east: NE, E, SE, SW, W, NW.
"""

import numpy as np

MAX_PLAYERS = 6
MAX_CITIES = 64
MAX_HEXES = 1024
MAX_LINKS = 192  # a spur takes one track, six a city
MAX_STUBS = 48  # unfinished links; a player begins at most one an action
MAX_CARDS = 48  # rows of the card table; copies of a card share a row
MAX_DECK = 96
MAX_BARONS = 32
MAX_LINES = 16
MAX_WESTERN = 4
MAX_LEVEL = 8
MAX_BID = 200
LAST_SPACE = 100  # of the Income Track

SIDES = ("ne", "e", "se", "sw", "w", "nw")


def opposite(side: int) -> int:
    """The same side as the neighbour sees it."""
    return (side + 3) % len(SIDES)


# A tile joins two sides: pair number -> sides, the lower first.
PAIRS = tuple((low, high) for low in range(6) for high in range(low + 1, 6))
PAIR_OF = np.array(
    [[PAIRS.index((min(a, b), max(a, b))) if a != b else -1 for b in range(6)] for a in range(6)],
    np.int8,
)
PAIR_SIDES = np.array(PAIRS, np.int8)

OPEN, WATER, MOUNTAIN, CITY = range(4)
TERRAINS = ("open", "water", "mountain")
RED, BLUE, YELLOW, PURPLE, BLACK, GRAY = range(6)
COLOURS = ("red", "blue", "yellow", "purple", "black")
NO_DIAL = len(COLOURS)  # what a City Rotor's dial shows besides the colours

# Phases: what `to_move` decides.
(
    KEEPING,
    BIDDING,
    ACTION,
    BUILDING,
    STARTING,
    EXTENDING,
    LINK_DONE,
    ROUTE,
    NEW_INDUSTRY,
    CITY_GROWTH,
    FREE_DEPOTS,
    AFTER_ACTION,
    OVER,
) = range(13)
PHASES = (
    "keep a Baron",
    "bid",
    "action",
    "build",
    "first tile",
    "next tile",
    "link done",
    "route",
    "new industry",
    "city growth",
    "free depots",
    "after the action",
    "over",
)

# Action codes: each kind is a block of consecutive numbers.
PASS, DONE, BUILD, UPGRADE = range(4)
USE = 4  # + card row: declare a card for this Build
TAKE = USE + MAX_CARDS  # + card row
KEEP = TAKE + MAX_CARDS  # + Baron row
FROM = KEEP + MAX_BARONS  # + city
DEPOTS = FROM + MAX_CITIES  # + city * 2 + number - 1
URBANIZE = DEPOTS + MAX_CITIES * 2  # + city * 5 + colour
GROW = URBANIZE + MAX_CITIES * 5  # + city
DIAL = GROW + MAX_CITIES  # + city
WESTERN = DIAL + MAX_CITIES  # + place in the board's list
POINTS = WESTERN + MAX_WESTERN  # + seat * 16 + points
THROUGH = POINTS + MAX_PLAYERS * 16  # + city * 2 + 1 if a depot is used there
VIA = THROUGH + MAX_CITIES * 2  # + city * 2 + 1 if passed
CONTINUE = VIA + MAX_CITIES * 2  # + city
CONTINUE_STOP = CONTINUE + MAX_CITIES  # + city
BID = CONTINUE_STOP + MAX_CITIES  # + thousands of dollars
LAY = BID + MAX_BID + 1  # + hex * 15 + pair
REDIRECT = LAY + MAX_HEXES * 15  # + hex * 15 + new pair
DELIVER = REDIRECT + MAX_HEXES * 15  # + (colour * 64 + origin) * 64 + destination
STOP = DELIVER + 5 * MAX_CITIES * MAX_CITIES  # + (colour * 64 + origin) * 64 + city
MAX_CODE = STOP + 5 * MAX_CITIES * MAX_CITIES
MAX_LEGAL = 10_240  # 125 cubes with 63 destinations and 8 stops each, and all the rest
MAX_DECISIONS = 100_000

# What a card does; what a Baron wants.
(
    FIRST_DELIVERY,
    FIRST_DELIVERY_TO,
    FIRST_DELIVERY_LINKS,
    FIRST_ENGINE_LEVEL,
    HOTEL,
    TWO_ACTIONS,
    FREE_OPEN_TILES,
    NEW_CITY_TILE,
    ADD_CUBES,
    EXTRA_TILES,
    NO_RIDGE_COST,
    TERRAIN_PRICE,
    TURN_ROTOR,
    PLACE_DEPOTS,
) = range(14)
EFFECTS = (
    "gain_points_on_first_delivery",
    "gain_points_on_first_delivery_to",
    "first_delivery_links",
    "first_engine_level",
    "hotel",
    "two_actions",
    "free_open_tiles",
    "new_city_tile",
    "add_cubes",
    "extra_tiles",
    "no_ridge_cost",
    "terrain_price",
    "turn_rotor",
    "free_depots",
)
GREEN_CIRCLE, PURPLE_DIAMOND, RED_X, HAND, INFINITY = range(5)  # symbols of the cards
(
    MOST_MONEY,
    FEWEST_BONDS,
    LONGEST_CHAIN,
    MOST_LINKS,
    MOST_CITIES,
    MOST_MAJOR_LINES,
    CONNECTIONS_OUT_OF,
    CONNECTED,
    FIRST_LEVEL,
    LINKS_INTO,
    WESTERN_LINK,
) = range(11)
CONDITIONS = (
    "most_money",
    "fewest_bonds",
    "longest_chain",
    "most_links",
    "most_cities_connected",
    "most_major_lines",
    "connections_out_of",
    "connected",
    "first_engine_level",
    "links_into",
    "own_western_link",
)
STANDARD, NEW_PLAYERS, FIRST_TO_PASS = range(3)
AUCTIONS = ("standard", "new_players", "first_to_pass")

# What is asked about a delivery's route while several have different outcomes.
ASK_POINTS, ASK_DEPOT, ASK_VIA = range(3)

END_REASONS = (
    "triggered in round 1",
    "triggered in round 2",
    "triggered in round 3",
    "turn limit",
)
BY_TURN_LIMIT = 3

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("railways_of_the_world", "i1"),
                ("rng", "u8"),
                ("status", "i1"),
                ("is_over", "i1"),
                ("end_reason", "i1"),
                ("n_players", "i1"),
                ("to_move", "i1"),
                ("phase", "i1"),
                ("round_number", "i1"),  # 1 to 3; 0 during the auction
                ("place", "i1"),  # of `to_move` in `order`
                ("actions_left", "i1"),  # of the acting player in this round
                ("turn", "i4"),
                ("last_turn", "i4"),  # 0: the end is not triggered
                ("triggered", "i1"),  # round of the trigger, 0: not yet
                ("trigger_player", "i1"),
                ("order", "i1", (MAX_PLAYERS,)),
                # First Player Auction.
                ("bid", "i4"),  # the highest, 0: none yet
                ("high_bidder", "i1"),
                ("passed", "i4"),  # set of players out of this auction
                ("n_passed", "i1"),
                ("pass_order", "i1", (MAX_PLAYERS,)),
                ("own_bid", "i4", (MAX_PLAYERS,)),
                # Players.
                ("money", "i4", (MAX_PLAYERS,)),
                ("bonds", "i4", (MAX_PLAYERS,)),
                ("marker", "i4", (MAX_PLAYERS,)),  # space on the Income Track
                ("banked", "i4", (MAX_PLAYERS,)),  # points of full rounds of the track
                ("engine", "i1", (MAX_PLAYERS,)),
                ("first_at_level", "i1", (MAX_LEVEL + 1,)),  # player; -1: nobody yet
                # Rail Barons: rows; kept and discarded once `has_kept`.
                ("barons", "i1", (MAX_PLAYERS, 2)),
                ("has_kept", "i1", (MAX_PLAYERS,)),
                ("baron_points", "i4", (MAX_PLAYERS,)),  # once the game is over
                # Railroad Operations cards.
                ("deck", "i1", (MAX_DECK,)),
                ("n_deck", "i4"),
                ("deck_next", "i4"),
                ("shown", "i1", (MAX_CARDS,)),
                ("held", "i1", (MAX_PLAYERS, MAX_CARDS)),
                ("used", "i1", (MAX_PLAYERS, MAX_CARDS)),  # purple ones, this turn
                # Goods and cities.
                ("bag", "i4", (5,)),
                ("cubes", "i1", (MAX_CITIES, 5)),
                ("colour", "i1", (MAX_CITIES,)),
                ("dial", "i1", (MAX_CITIES,)),  # -1: no rotor
                ("accepts", "i8", (5,)),  # cities in which a cube of the colour must stop
                ("stocked", "i8"),  # cities with cubes
                ("marked", "i8"),  # cities with an Empty City Marker
                ("new_tiles", "i1", (5,)),  # New City tiles left
                # Track.
                ("track", "i1", (MAX_HEXES, 2)),  # 0: none, else 1 + pair + 16 * owner
                ("linked", "i8", (MAX_PLAYERS, MAX_CITIES)),  # cities joined by own links
                ("joined", "i8", (MAX_CITIES,)),  # cities joined by anybody's links
                ("n_links", "i4"),
                ("link_owner", "i1", (MAX_LINKS,)),
                ("link_city", "i1", (MAX_LINKS, 2)),
                ("link_spur", "i1", (MAX_LINKS,)),  # side of its first city
                ("link_tiles", "i2", (MAX_LINKS,)),
                ("links", "i4", (MAX_PLAYERS,)),
                ("network", "i8", (MAX_PLAYERS,)),  # cities at own links
                # Unfinished links.
                ("n_stubs", "i4"),
                ("stub_owner", "i1", (MAX_STUBS,)),
                ("stub_city", "i1", (MAX_STUBS,)),
                ("stub_spur", "i1", (MAX_STUBS,)),  # side of that city
                ("stub_hex", "i2", (MAX_STUBS,)),  # its last tile
                ("stub_entry", "i1", (MAX_STUBS,)),  # sides of that tile
                ("stub_exit", "i1", (MAX_STUBS,)),
                ("stub_tiles", "i2", (MAX_STUBS,)),
                ("line_owner", "i1", (MAX_LINES,)),  # Major Lines; -1: open
                ("western_owner", "i1", (MAX_WESTERN,)),
                # The Build under way.
                ("build_stub", "i1"),  # -1: none yet
                ("build_city", "i1"),
                ("tiles_left", "i4"),
                ("tile_cost", "i4", (3,)),  # by terrain, with the cards declared
                ("ridge_cost", "i4"),
                ("declared", "i8"),  # set of card rows
                ("depots_placed", "i1"),  # times
                ("card_amount", "i4"),  # cubes or depots of the red X card being carried out
                # Fuel Depots, and cubes that stopped at one.
                ("depots", "i1", (MAX_PLAYERS, MAX_CITIES)),
                ("depots_left", "i1", (MAX_PLAYERS,)),
                ("depot_cities", "i8", (MAX_PLAYERS,)),  # cities with own depots
                ("stopped", "i1", (MAX_PLAYERS,)),  # colour of the cube, -1: none
                ("stopped_at", "i1", (MAX_PLAYERS,)),
                ("stopped_from", "i1", (MAX_PLAYERS,)),  # city the journey began in
                ("stopped_links", "i1", (MAX_PLAYERS,)),  # of the journey so far
                ("stopped_seen", "i8", (MAX_PLAYERS,)),  # cities of the journey so far
                ("stopped_points", "i1", (MAX_PLAYERS, MAX_PLAYERS)),  # mover, earner
                # The delivery under way.
                ("move_colour", "i1"),
                ("move_from", "i1"),
                ("move_to", "i1"),
                ("move_stops", "i1"),
                ("move_continues", "i1"),
                ("ask", "i1"),
                ("ask_about", "i1"),  # seat or city
                ("ask_values", "i8"),  # set of answers
                ("set_points", "i1", (MAX_PLAYERS,)),  # settled; -1: open
                ("set_depots", "i8", (2,)),  # cities settled: without, with a depot used
                ("set_via", "i8", (2,)),  # cities settled: not passed, passed
                # The walk over its routes.
                ("path_city", "i1", (MAX_LEVEL + 1,)),
                ("path_owner", "i1", (MAX_LEVEL + 1,)),
                ("path_left", "i8", (MAX_LEVEL + 1,)),  # cities still to be tried from there
                ("path_points", "i1", (MAX_PLAYERS,)),
                ("near", "i8", (MAX_LEVEL + 1,)),  # cities at most so many links from the end
                ("possible_points", "i4", (MAX_PLAYERS,)),  # set of points of the routes found
                # Measures.
                ("auction_paid", "i4", (MAX_PLAYERS,)),
                ("auction_money", "i4"),
                ("highest_bid", "i4"),
                ("deliveries", "i4", (MAX_PLAYERS,)),
                ("delivery_links", "i4", (MAX_PLAYERS,)),
                ("longest_delivery", "i4", (MAX_PLAYERS,)),
                ("delivery_points", "i4", (MAX_PLAYERS,)),
                ("line_points", "i4", (MAX_PLAYERS,)),
                ("card_points", "i4", (MAX_PLAYERS,)),
                ("tiles", "i4", (MAX_PLAYERS,)),
                ("track_paid", "i4", (MAX_PLAYERS,)),
                ("urbanized", "i4", (MAX_PLAYERS,)),
                ("cards_taken", "i4", (MAX_PLAYERS,)),
                ("passes", "i4", (MAX_PLAYERS,)),
                ("cubes_lost", "i4", (MAX_PLAYERS,)),
                ("depots_used", "i4", (MAX_PLAYERS,)),
            ],
            align=True,
        ),
    )
)

BOARD = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("railways_of_the_world_board", "i1"),
                ("n_hexes", "i4"),
                ("n_cities", "i4"),
                ("n_cards", "i4"),
                ("n_barons", "i4"),
                ("n_lines", "i4"),
                ("n_western", "i4"),
                # Playable hexes in reading order, cities among them.
                ("beside", "i2", (MAX_HEXES, 6)),  # neighbour over each side; -1: none
                ("terrain", "i1", (MAX_HEXES,)),
                ("ridges", "i1", (MAX_HEXES,)),  # set of sides
                ("city_at", "i1", (MAX_HEXES,)),  # -1: no city
                ("city_hex", "i2", (MAX_CITIES,)),
                ("spurs", "i1", (MAX_CITIES,)),  # set of sides
                ("city_colour", "i1", (MAX_CITIES,)),
                ("city_goods", "i1", (MAX_CITIES,)),
                ("city_dial", "i1", (MAX_CITIES,)),  # -1: no rotor, or the module is off
                ("dial_next", "i1", (6,)),  # what the dial shows a step on
                ("income", "i4", (LAST_SPACE + 1,)),
                # Cards by row; those left out by an option have no copies.
                ("card_symbol", "i1", (MAX_CARDS,)),
                ("card_effect", "i1", (MAX_CARDS,)),
                ("card_copies", "i1", (MAX_CARDS,)),
                ("card_group", "i1", (MAX_CARDS,)),  # 0: shuffled, 1: Start, 2: Service Bounty
                ("card_city", "i1", (MAX_CARDS,)),
                ("card_points", "i4", (MAX_CARDS,)),
                ("card_amount", "i4", (MAX_CARDS,)),  # actions, tiles, cubes, links, level, ...
                ("card_terrain", "i1", (MAX_CARDS,)),
                ("card_cost", "i4", (MAX_CARDS,)),
                # Rail Barons by row.
                ("baron_condition", "i1", (MAX_BARONS,)),
                ("baron_copies", "i1", (MAX_BARONS,)),
                ("baron_points", "i4", (MAX_BARONS,)),  # for each, where counted
                ("baron_amount", "i4", (MAX_BARONS,)),  # most, level or at_least
                ("baron_cities", "i8", (MAX_BARONS,)),
                ("line_city", "i1", (MAX_LINES, 2)),
                ("line_points", "i4", (MAX_LINES,)),
                # Western link.
                ("western_city", "i1", (MAX_WESTERN,)),
                ("western_cost", "i4"),
                ("western_cubes", "i4"),
                ("western_destination", "i1"),
                ("western_added", "i4"),
                # Options: numbers, by player count where they are a table.
                ("starting_money", "i4", (MAX_PLAYERS + 1,)),
                ("empty_city_markers", "i4", (MAX_PLAYERS + 1,)),
                ("goods_reduction", "i4", (MAX_PLAYERS + 1,)),
                ("cubes_per_colour", "i4"),
                ("new_city_tiles", "i4", (5,)),
                ("service_bounties", "i4"),
                ("cards_per_player", "i4"),
                ("tiles_per_build", "i4"),
                ("tile_cost", "i4", (3,)),
                ("ridge_cost", "i4"),
                ("crossover_cost", "i4"),
                ("urbanize_cost", "i4"),
                ("urbanize_cubes", "i4"),
                ("engine_price", "i4", (MAX_LEVEL + 1,)),  # of reaching the level
                ("bond_cash", "i4"),
                ("bond_dividend", "i4"),
                ("bond_points", "i4"),
                ("max_bid", "i4"),
                ("max_turns", "i4"),
                ("depots_per_player", "i4"),
                ("depot_cost", "i4"),
                # Options: rulings and modules.
                ("auction", "i1"),
                ("last_to_pass_is_first", "i1"),  # R04, K14
                ("fuel_depots", "i1"),
                ("depots_2010", "i1"),  # R18
                ("stopped_cube_removed", "i1"),  # R19: shown only
                ("own_first_link_after_stop", "i1"),  # M10
                ("second_own_parallel_link", "i1"),  # R16
                ("sharp_turns", "i1"),
                ("link_may_cross_itself", "i1"),  # M6
                ("tracks_need_not_cross", "i1"),  # M7
                ("growth_lifts_marker", "i1"),  # A05
                ("useless_card_may_be_taken", "i1"),  # M12
                ("chain_may_revisit_city", "i1"),  # A03
            ],
            align=True,
        ),
    )
)
