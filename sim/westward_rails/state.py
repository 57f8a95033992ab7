"""The records of Westward Rails, its phases and its action codes."""

import numpy as np

MAX_PLAYERS = 5
MAX_RAILROADS = 5
MAX_CITIES = 64
MAX_LINKS = 128
LINK_WORDS = MAX_LINKS // 64
MAX_METROS = 8
MAX_DEMANDS = 32
MAX_DEMAND_SPACES = 8
MAX_QUEUE = 64
MAX_CUBES = 60
MAX_BID = 2000
MAX_HOPS = 8

# Phases: what `to_move` decides; then steps within an action, which no player ever sees.
BIDDING, OPENING_BID, TURN, SECOND_CUBE, LEASE_ROUTE, DEMAND_ROUTE, OVER = range(7)
PAYING_LEASE, PLACING_CUBE, SETTLING = range(7, 10)
PHASES = (
    "bidding",
    "opening bid",
    "turn",
    "second cube",
    "lease route",
    "demand route",
    "over",
)

# Kinds of action space.
BUILD_SPACE, AUCTION_SPACE, UPGRADE_SPACE = range(3)
SPACES = ("build", "auction", "upgrade")

# Action codes: each kind is a block of consecutive numbers.
PASS = 0
STOP = 1
AUCTION = 2  # + railroad
UPGRADE = AUCTION + MAX_RAILROADS  # + metro
BUILD = UPGRADE + MAX_METROS  # + railroad * MAX_LINKS + link
LEASE = BUILD + MAX_RAILROADS * MAX_LINKS  # + (railroad * MAX_LINKS + link) * 2 + end
ROUTE = LEASE + MAX_RAILROADS * MAX_LINKS * 2  # + railroad * 64 + links or segments
BID = ROUTE + MAX_RAILROADS * 64  # + dollars
MAX_CODE = BID + MAX_BID + 1
MAX_LEGAL = MAX_BID + 1  # more than all builds and leases: 2 * 5 * 128
MAX_DECISIONS = 20_000

# No route: as many links as no network has, so that any route is shorter.
NO_ROUTE = 32_000
ROUTE_LINK = 256  # a route's length is ROUTE_LINK * links + segments

END_REASONS = ("demands", "cubes", "demands and cubes", "deadlock")
BY_DEMANDS, BY_CUBES, BY_BOTH, BY_DEADLOCK = range(4)

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("westward_rails", "i1"),
                ("rng", "u8"),
                ("status", "i1"),
                ("is_over", "i1"),
                ("end_reason", "i1"),
                ("n_players", "i1"),
                ("to_move", "i1"),
                ("phase", "i1"),
                ("actor", "i1"),  # whose turn it is; in the Initial Auction, who opened
                ("forced_passes", "i1"),  # turns in a row that could only be passed
                ("turn", "i4"),
                ("money", "i4", (MAX_PLAYERS,)),
                ("shares", "i1", (MAX_PLAYERS, MAX_RAILROADS)),
                ("disc", "i1", (MAX_PLAYERS,)),  # kind of action space it stands on
                # Auctions.
                ("initial", "i1"),  # Initial Auction: shares auctioned before this one
                ("auctioned", "i1"),  # railroad whose share is being auctioned
                ("high_bidder", "i1"),
                ("passed", "i4"),  # set of players out of this auction
                ("high_bid", "i4"),  # 0: none yet
                # Railroads.
                ("value", "i4", (MAX_RAILROADS,)),
                ("next_dividend", "i4", (MAX_RAILROADS,)),  # next white space to come
                ("shares_out", "i4", (MAX_RAILROADS,)),  # shares in players' hands
                ("cubes", "i4", (MAX_RAILROADS,)),  # left to place
                ("presence", "i8", (MAX_RAILROADS,)),  # set of cities its track touches
                ("joined", "i8", (MAX_RAILROADS,)),  # set of ends of its completed links
                ("begun", "i8", (MAX_RAILROADS, LINK_WORDS)),  # set of its unfinished links
                ("complete", "i8", (MAX_RAILROADS, LINK_WORDS)),  # set of its completed links
                ("adjacent", "i8", (MAX_RAILROADS, LINK_WORDS)),  # links at a city it touches
                (
                    "reachable",
                    "i8",
                    (MAX_RAILROADS, LINK_WORDS),
                ),  # links it touches or may lease to
                # Shortest leased route to each city: ROUTE_LINK * links + fewest segments.
                ("lease", "i2", (MAX_RAILROADS, MAX_CITIES)),
                # Links.
                ("unowned", "i8", (LINK_WORDS,)),
                ("link_railroad", "i1", (MAX_LINKS,)),  # -1: nobody's
                ("link_cubes", "i1", (MAX_LINKS,)),
                ("component", "i1", (MAX_CITIES,)),  # cities joined by completed links share one
                # Metro areas.
                ("upgrade_cubes", "i4"),
                ("upgraded", "i4"),  # set of upgraded metro areas
                ("metro_cash", "i4"),  # set of metro areas whose first-link $10 is to be had
                # Demands.
                ("deck", "i1", (MAX_DEMANDS,)),
                ("deck_next", "i1"),
                ("demand_space", "i1", (MAX_DEMAND_SPACES,)),  # from the top; -1: empty
                # What is being settled: crossed white spaces, then met demands.
                ("queue", "i1", (MAX_QUEUE,)),
                ("queue_first", "i4"),
                ("queue_last", "i4"),
                ("check_space", "i1"),  # next demand space to check
                ("met", "i4"),  # set of demand spaces met in this check
                ("gain", "i4", (MAX_RAILROADS,)),  # value they bring
                # The build action, and the route being chosen.
                ("cubes_placed", "i1"),
                ("building", "i1"),  # railroad that builds
                ("build_link", "i1"),
                ("build_end", "i1"),  # of that link, where its first cube lies
                ("route_from", "i1"),
                ("route_railroad", "i1"),  # railroad asked about
                ("route_amount", "i1", (MAX_RAILROADS,)),  # settled amounts; -1: still open
                ("distance", "i1", (MAX_CITIES,)),  # links from each city to the route's end
                ("path", "i1", (MAX_CITIES,)),  # links of the route being walked
                # Measures.
                ("dividends", "i4"),
                ("dividend_money", "i4", (MAX_PLAYERS,)),
                ("lease_paid", "i4", (MAX_PLAYERS,)),
                ("demands_met", "i4"),
                ("demands_lost", "i4"),
                ("auctions", "i4"),
                ("auction_money", "i4"),
                ("initial_price", "i4", (MAX_RAILROADS,)),
                ("builds", "i4", (MAX_PLAYERS,)),
                ("upgrades", "i4", (MAX_PLAYERS,)),
                ("sales", "i4", (MAX_PLAYERS,)),
                ("passes", "i4"),
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
                ("westward_rails_board", "i1"),
                ("n_cities", "i4"),
                ("n_links", "i4"),
                ("n_railroads", "i4"),
                ("n_metros", "i4"),
                ("n_demands", "i4"),
                ("coast", "i8"),  # set of West Coast cities
                ("metro_cities", "i8", (MAX_METROS,)),
                ("metro_near", "i8", (MAX_METROS,)),  # its cities and those one link away
                ("city_links", "i8", (MAX_CITIES, LINK_WORDS)),
                ("within", "i8", (MAX_CITIES, MAX_HOPS)),  # cities up to so many links away
                ("hops", "i1", (MAX_CITIES, MAX_CITIES)),  # links apart on the bare map
                ("city_metro", "i1", (MAX_CITIES,)),  # -1: in none
                ("link_city", "i1", (MAX_LINKS, 2)),
                ("link_segments", "i1", (MAX_LINKS,)),
                ("railroad_start", "i1", (MAX_RAILROADS,)),
                ("demand_city", "i1", (MAX_DEMANDS, 2)),
                ("demand_letter", "i1", (MAX_DEMANDS,)),
                # Options: numbers.
                ("starting_money", "i4", (MAX_PLAYERS + 1,)),
                ("cubes_per_railroad", "i4"),
                ("shares_per_railroad", "i4"),
                ("upgrade_cubes", "i4"),
                ("demand_spaces", "i4"),
                ("demands_face_up", "i4"),
                ("dividend_every", "i4"),
                ("starting_value", "i4"),
                ("railroads_out_of_cubes", "i4"),
                ("spaces", "i4", (3,)),  # action spaces of each kind
                ("minimum_bid", "i4"),
                ("minimum_raise", "i4"),
                ("upgrade_cost", "i4"),
                ("lease_cost_per_segment", "i4"),
                ("metro_first_link_cash", "i4"),
                ("metro_value_increase", "i4"),
                ("west_coast_value_increase", "i4"),
                ("auction_value_increase", "i4"),
                # Options: rulings.
                ("initial_auction_raises_value", "i1"),
                ("lease_allowed_before_first_cube", "i1"),
                ("incomplete_link_gives_presence", "i1"),
                ("lease_tie_cheapest", "i1"),
                ("lease_when_adjacent_allowed", "i1"),
                ("west_coast_once_per_city", "i1"),
                ("metro_each_link", "i1"),
                ("metro_cash_forfeited_if_preconnected", "i1"),
                ("divide_by_all_shares", "i1"),
                ("check_after_each_dividend", "i1"),
                ("demand_track_closes_gaps", "i1"),
                ("finish_turn_before_game_end", "i1"),
            ],
            align=True,
        ),
    )
)
