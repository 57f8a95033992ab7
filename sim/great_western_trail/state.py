"""The records of Great Western Trail, what may be pending, and its action codes.

A turn is a stack of what is still to be decided, the next on top: most decisions are about one
icon of the game, and playing one may put others on top of it.
"""

import numpy as np

MAX_PLAYERS = 4
MAX_SPACES = 64  # of the trail; numbered so that every way leads to higher numbers
MAX_WAYS = 8  # spaces at which the trail forks
SLOTS = 4  # hazard spaces of a type
TRADES = 9  # spaces of the Indian trade section
MAX_TILES = 20  # kinds of tile in the Kansas City supply
MAX_PILE = 40
MAX_BUILDINGS = 32
NEUTRALS = 7
NUMBERS = 12  # private building tiles of a player
MAX_ICONS = 112  # actions, as the rulebook's icons
ICONS_ON_TILE = 4
MAX_CATTLE = 16  # kinds of cattle card: a type with its victory points
MAX_TYPES = 12
MAX_OBJECTIVES = 32  # kinds of objective card
MAX_CARDS = MAX_CATTLE + MAX_OBJECTIVES
MAX_STACK = 48
DISPLAY = 4
NEEDS = 9  # what an objective card may ask for
MAX_BUYS = 8
MAX_ROWS = 12  # of the job market
ROW_LENGTH = 6  # of workers
LAST_NUMBER = 39  # of the railroad track
TURNOUTS = 9
TRACK = LAST_NUMBER + 1 + TURNOUTS  # positions: the numbered spaces, then the turnouts
MAX_STATIONS = 12
MAX_MASTERS = 11
MAX_CITIES = 16
MAX_PAIRS = 8
DISC_KINDS = 12
AUXILIARIES = 6
CERTIFICATE_SPACES = 6
MAX_TOWNS = 32
TOWN_SPACES = 4
MEDIUM_KINDS = 5
BELLS = 5
MOST_CERTIFICATES = 7  # temporary ones held at once
MOST_DRAWN = 7  # cards drawn at once
BRANCHLETS = 15
MAX_TASKS = 40

# Kinds of space on the trail.
START, NEUTRAL, PRIVATE, HAZARD, TEEPEE, GOAL = range(6)
SPACE_KINDS = ("start", "neutral", "private", "hazard", "teepee", "goal")

# Hands on tiles: a set of the two.
GREEN_HAND, BLACK_HAND = 1, 2
HANDS = ("none", "green", "black", "both")

# Tiles: hazards by type and kind, then teepees, then workers.
HAZARD_TYPES = ("flood", "drought", "rockfall")
HAZARD_KINDS = 5
GREEN_TEEPEE = len(HAZARD_TYPES) * HAZARD_KINDS
BLUE_TEEPEE = GREEN_TEEPEE + 1
FIRST_WORKER = BLUE_TEEPEE + 1
COWBOY, CRAFTSMAN, ENGINEER = range(3)
WORKERS = ("cowboy", "craftsman", "engineer")

# What objective cards ask for.
(
    NEED_3,
    NEED_4,
    NEED_5,
    NEED_BUILDING,
    NEED_STATION,
    NEED_HAZARD,
    NEED_GREEN,
    NEED_BLUE,
    NEED_SF,
) = range(NEEDS)
NEED_CODES = ("3", "4", "5", "B", "S", "H", "GT", "BT", "SF")

# Disc spaces of a player board, by what they unlock.
(
    DISC_DOLLAR,
    DISC_DRAW,
    DISC_CERTIFICATE,
    DISC_ENGINE,
    DISC_REMOVE,
    DISC_BRANCHLET,
    DISC_LIMIT_4,
    DISC_LIMIT_6,
    DISC_MOVE_1,
    DISC_MOVE_2,
    DISC_HAND,
) = range(11)
DISCS = (
    "dollar",
    "draw",
    "certificate",
    "engine",
    "remove",
    "branchlet",
    "limit_4",
    "limit_6",
    "move_1",
    "move_2",
    "hand",
)  # the first six are those of the auxiliary actions

# What an icon does.
(
    GAIN,  # money and certificates, for each of what is counted
    GIVE,  # discard cards; then money, certificates and `then`
    HIRE,  # one worker at the row's cost + amount
    BUILD,  # amount: $ for a craftsman
    TAKE_OBJECTIVE,  # onto the discard pile
    HOLD_OBJECTIVE,  # into the hand
    EITHER,  # of two other icons, `first` and `second`
    FORWARD,  # engine up to amount for each of what is counted; money below 0 is paid
    BACK,  # engine amount back; then money, certificates and `then`; money below 0 is paid first
    TRADE,  # with the Indians
    CLEAR,  # a hazard, for amount $
    AUXILIARY,  # one single or double auxiliary action
    BUY,  # cattle
    MOVE,  # the cattleman up to amount steps
    RIDE,  # the same without tolls
    DRAW,  # up to amount cards for each of what is counted, then discard as many
    REMOVE,  # up to amount hand cards from the game
    ADJACENT,  # the local actions of an adjacent building
    EXTRAORDINARY,  # delivery
    UPGRADE_BEHIND,  # any station behind the engine
    BRANCHLET,  # place amount branchlets
    TOKEN,  # an exchange token
    FREE_CATTLE,  # a card of the breeding value amount from the market
    MASTER,  # one of the station masters at New York City
) = range(24)
ICON_KINDS = (
    "gain",
    "give",
    "hire",
    "build",
    "take_objective",
    "hold_objective",
    "either",
    "forward",
    "back",
    "trade",
    "clear",
    "auxiliary",
    "buy",
    "move",
    "ride",
    "draw",
    "remove",
    "adjacent",
    "extraordinary",
    "upgrade_behind",
    "branchlet",
    "token",
    "free_cattle",
    "master",
)

# What is counted for an icon.
(
    ONE,
    PER_COWBOY,
    PER_CRAFTSMAN,
    PER_ENGINEER,
    PER_WOODS,  # own buildings on spaces with woods
    PER_PAIR,  # own pairs of a green and a blue teepee
    PER_HAZARD,
    PER_BELL,  # cleared
) = range(8)
COUNTED = ("one", "cowboys", "craftsmen", "engineers", "woods", "pairs", "hazards", "bells")

# Cards that an icon asks for beside a type of cattle.
ANY_PAIR = MAX_TYPES  # two of one type
ANY_CATTLE = MAX_TYPES + 1
OBJECTIVE_CARD = MAX_TYPES + 2
VALUE_2 = MAX_TYPES + 3  # amount cattle cards of breeding value 2

# What a station master gives at the end.
(
    NO_TASK,
    EACH_WORKER,
    TWO_OBJECTIVES,
    TWO_HAZARDS,
    PAIR_OF_TEEPEES,
    TWO_CERTIFICATES,
    TWO_STATIONS,
    EACH_BUILDING,
    TWO_TOKENS,
    EACH_AREA,
) = range(10)
MASTER_TASKS = (
    "none",
    "worker",
    "two_objectives",
    "two_hazards",
    "teepee_pair",
    "two_certificates",
    "two_stations",
    "building",
    "two_tokens",
    "area",
)

# Towns of the extension board.
SMALL, MEDIUM, STATION_TOWN, BIG = range(4)
TOWN_TYPES = ("small", "medium", "station", "big")

# Phases: what `to_move` decides about, the topmost task.
(
    PLACING,  # the cattleman on a neutral building, in the first turn
    MOVING,  # one: steps, two: 0 phase A, 1 by an action, 2 without tolls
    WAY,  # one: the space moved to, two: as before
    LOCAL,  # one: space, two: icons left | flags
    CHOOSING,  # one: icon of kind EITHER or AUXILIARY
    GIVING,  # one: icon, two: cards still to give
    HIRING,  # one: change of the cost
    BUILDING,  # one: $ for a craftsman
    SITE,  # one: $ for a craftsman, two: number of the tile - 1
    OBJECTIVES,  # one: 1 into the hand
    CERTIFICATES,  # one: up to how many spaces
    ENGINE,  # one: up to how many spaces forward
    ENGINE_BACK,  # one: exactly how many spaces; 0: one or more
    UPGRADING,  # one: station
    APPOINTING,  # one: station
    TRADING,
    CLEARING,  # one: $
    BUYING,  # one: cowboys left, two: 1 once a cowboy drew cards
    SECOND_CARD,  # one: breeding value, two: least kind
    FREE_CARD,  # one: breeding value
    DRAWING,  # one: up to how many
    DISCARDING,  # one: how many
    REMOVING,  # one: up to how many
    COPYING,  # one: space of the building that is adjacent
    BEHIND,
    FORESIGHT,  # one: column
    INCOME,
    DELIVERY,  # one: greatest city value, two: 1 extraordinary, 2 before the engine moved for it
    DISC,  # one: city
    MASTERS,
    TOWN,
    ENDING,  # the last moment for exchange tokens
    OVER,
    # Settled without a decision.
    UPGRADE_HERE,
    MONEY,  # one: $
    DELIVERED,  # one: city
    ICON,  # one: icon whose turn comes
    LEAVE_KANSAS_CITY,
) = range(38)
PHASES = (
    "place the cattleman",
    "move",
    "way",
    "actions",
    "choice",
    "give cards",
    "hire",
    "build",
    "building space",
    "objective card",
    "certificates",
    "engine forward",
    "engine back",
    "upgrade",
    "station master",
    "trade",
    "hazard",
    "buy cattle",
    "second card",
    "free card",
    "draw",
    "discard",
    "remove",
    "adjacent building",
    "station behind",
    "foresight",
    "income",
    "delivery",
    "disc",
    "New York",
    "town",
    "end of turn",
    "over",
)

# Flags of a LOCAL task, above the set of icons left on the tile.
ACTED = 1 << 8  # something was done
OUTER = 1 << 9  # phase B itself, not a building that is copied

# How a cattleman moves.
PHASE_A, BY_ACTION, TOLL_FREE = range(3)

# Action codes: each kind is a block of consecutive numbers.
DONE = 0  # go on; what is left of the task is forfeited
USE_TOKEN = 1
MARKET_CARDS = 2  # a cowboy draws two cards into the cattle market
FROM_STACK = 3  # the top card of the objective stack
PLAY = 4  # + objective card
GO = PLAY + MAX_OBJECTIVES  # + space
BY = GO + MAX_SPACES  # + set of forks at which the second way is taken
DO = BY + (1 << MAX_WAYS)  # + icon
WORKER = DO + MAX_ICONS  # + row * 3 + worker
TILE = WORKER + MAX_ROWS * 3  # + number - 1 of a private building tile
ONTO = TILE + NUMBERS  # + space
OBJECTIVE = ONTO + MAX_SPACES  # + objective card
CERTIFICATE = OBJECTIVE + MAX_OBJECTIVES  # + spaces forward
ENGINE_TO = CERTIFICATE + 8  # + position
TAKE_DISC = ENGINE_TO + TRACK  # + disc kind
STATION_DISC = TAKE_DISC + DISC_KINDS  # + station whose disc is moved
APPOINT = STATION_DISC + MAX_STATIONS  # + worker
TEEPEE_FROM = APPOINT + 3  # + place of the trade section
HAZARD_FROM = TEEPEE_FROM + TRADES  # + space
BUY_CARD = HAZARD_FROM + MAX_SPACES  # + line of the buying table * MAX_CATTLE + cattle
TAKE_CARD = BUY_CARD + MAX_BUYS * MAX_CATTLE  # + cattle
DRAW_CARDS = TAKE_CARD + MAX_CATTLE  # + number
DISCARD = DRAW_CARDS + MOST_DRAWN + 1  # + card
REMOVE_CARD = DISCARD + MAX_CARDS  # + card
COPY = REMOVE_CARD + MAX_CARDS  # + space
STATION = COPY + MAX_SPACES  # + station
FORESEE = STATION + MAX_STATIONS  # + tile
SPEND = FORESEE + MAX_TILES  # + certificates
DELIVER = SPEND + MOST_CERTIFICATES + 1  # + city
TAKE_MASTER = DELIVER + MAX_CITIES  # + station master
TOWN_AT = TAKE_MASTER + MAX_MASTERS  # + town * 4 + space
MAX_CODE = TOWN_AT + MAX_TOWNS * TOWN_SPACES
MAX_LEGAL = 512
MAX_DECISIONS = 20_000

FIXED, RANDOM = range(2)  # neutral tiles on their letters; or anywhere
SIDES_A, SIDES_B, SIDES_RANDOM = range(3)
SHARED, BY_MONEY = range(2)
TIES = ("shared", "money")

END_REASONS = ("job market token",)

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("great_western_trail", "i1"),
                ("rng", "u8"),
                ("status", "i1"),
                ("is_over", "i1"),
                ("end_reason", "i1"),
                ("n_players", "i1"),
                ("to_move", "i1"),
                ("phase", "i1"),  # the topmost task
                ("turn", "i4"),
                # What is pending, the topmost last.
                ("n_tasks", "i4"),
                ("task", "i1", (MAX_TASKS,)),
                ("one", "i4", (MAX_TASKS,)),
                ("two", "i4", (MAX_TASKS,)),
                ("optional", "i1", (MAX_TASKS,)),  # may be forfeited
                ("copied", "i8"),  # set of spaces whose building acted this turn
                ("reached_goal", "i1"),  # Kansas City, this turn
                # The trail.
                ("at", "i1", (MAX_PLAYERS,)),  # space of the cattleman; -1: not placed yet
                ("occupied", "i8"),  # set of spaces that count as a step
                ("building", "i1", (MAX_SPACES,)),  # -1: none
                ("builder", "i1", (MAX_SPACES,)),  # owner of a private building; -1: nobody
                ("hazard", "i1", (MAX_SPACES,)),  # tile; -1: none
                ("teepee", "i1", (TRADES,)),  # tile; -1: none
                ("side", "i1", (NUMBERS,)),  # of the private buildings of all players
                # Kansas City.
                ("pile", "i1", (3, MAX_PILE)),
                ("n_pile", "i4", (3,)),
                ("pile_next", "i4", (3,)),
                ("foresight", "i1", (3, 2)),  # tile; -1: none
                # Job market.
                ("job", "i1", (MAX_ROWS, 3)),  # workers of each kind
                ("placed", "i4"),  # workers ever placed there
                ("token_owner", "i1"),  # who ended the game; -1: nobody yet
                # Cards.
                ("market", "i1", (MAX_CATTLE,)),
                ("cattle_stack", "i1", (MAX_STACK,)),
                ("n_cattle", "i4"),
                ("cattle_next", "i4"),
                ("display", "i1", (DISPLAY,)),  # objective cards; -1: none
                ("objective_stack", "i1", (MAX_STACK,)),
                ("n_objectives", "i4"),
                ("objective_next", "i4"),
                # Players.
                ("money", "i4", (MAX_PLAYERS,)),
                ("workers", "i1", (MAX_PLAYERS, 3)),  # the printed one included
                ("certificate", "i1", (MAX_PLAYERS,)),  # space of the marker
                ("permanent", "i1", (MAX_PLAYERS,)),  # certificates
                ("engine", "i1", (MAX_PLAYERS,)),  # position
                ("hand", "i1", (MAX_PLAYERS, MAX_CARDS)),
                ("stack", "i1", (MAX_PLAYERS, MAX_CARDS)),  # shuffled when cards are drawn
                ("discard", "i1", (MAX_PLAYERS, MAX_CARDS)),
                ("n_hand", "i4", (MAX_PLAYERS,)),
                ("n_stack", "i4", (MAX_PLAYERS,)),
                ("n_discard", "i4", (MAX_PLAYERS,)),
                # Objective cards in hand that others saw taken, and that nobody saw.
                ("shown", "i1", (MAX_PLAYERS, MAX_OBJECTIVES)),
                ("secret", "i1", (MAX_PLAYERS, MAX_OBJECTIVES)),
                ("played", "i1", (MAX_PLAYERS, MAX_OBJECTIVES)),
                ("tiles", "i1", (MAX_PLAYERS, FIRST_WORKER)),  # hazards and teepees taken
                ("discs", "i1", (MAX_PLAYERS, DISC_KINDS)),  # left on the player board
                ("gone", "i4", (MAX_PLAYERS,)),  # set of own building tiles used up
                # Railroad and cities.
                ("station_disc", "i1", (MAX_PLAYERS, MAX_STATIONS)),
                ("station_master", "i1", (MAX_STATIONS,)),  # tile there; -1: none
                ("station_worker", "i1", (MAX_STATIONS,)),  # appointed there; -1: nobody
                ("new_york", "i4"),  # set of station masters there
                ("masters", "i4", (MAX_PLAYERS,)),  # set of station masters
                ("city_discs", "i1", (MAX_PLAYERS, MAX_CITIES)),
                ("delivered", "i4", (MAX_PLAYERS,)),  # set of cities
                # Rails to the North.
                ("branchlets", "i1", (MAX_PLAYERS,)),  # left
                ("town", "i1", (MAX_TOWNS, TOWN_SPACES)),  # owner; -1: free
                ("towns", "i8", (MAX_PLAYERS,)),  # set of towns with own branchlets
                ("medium", "i1", (MAX_TOWNS,)),  # kind of tile; -1: none
                ("tokens", "i4", (MAX_PLAYERS,)),
                # Measures.
                ("turns", "i4", (MAX_PLAYERS,)),
                ("arrivals", "i4", (MAX_PLAYERS,)),  # at Kansas City
                ("deliveries", "i4", (MAX_PLAYERS,)),
                ("income", "i4", (MAX_PLAYERS,)),
                ("best_income", "i4", (MAX_PLAYERS,)),
                ("transport", "i4", (MAX_PLAYERS,)),
                ("tolls_paid", "i4", (MAX_PLAYERS,)),
                ("tolls_earned", "i4", (MAX_PLAYERS,)),
                ("cattle_bought", "i4", (MAX_PLAYERS,)),
                ("hired", "i4", (MAX_PLAYERS,)),
                ("removed", "i4", (MAX_PLAYERS,)),
                ("visits", "i2", (MAX_SPACES,)),  # of cattlemen who stopped there
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
                ("great_western_trail_board", "i1"),
                # The trail.
                ("n_spaces", "i4"),  # the first is the start, the last Kansas City
                ("space_kind", "i1", (MAX_SPACES,)),
                ("next", "i1", (MAX_SPACES, 2)),  # -1: none
                ("fork", "i1", (MAX_SPACES,)),  # number of a space with two ways on; -1: one way
                ("woods", "i1", (MAX_SPACES,)),
                ("risk", "i1", (MAX_SPACES,)),  # icon; -1: none
                ("hazard_space", "i1", (len(HAZARD_TYPES), SLOTS)),
                ("trade_money", "i4", (TRADES,)),  # in the order in which teepees are put there
                ("trade_of", "i1", (MAX_SPACES,)),  # place of the trade section; -1: none
                ("neutral_space", "i1", (NEUTRALS,)),
                ("stops_left", "i1", (MAX_SPACES,)),  # to Kansas City, private tiles passed by
                ("toll", "i4", (MAX_PLAYERS + 1, 4)),  # by players and set of hands
                ("steps", "i4", (MAX_PLAYERS + 1, 3)),  # by players and movement discs cleared
                # Tiles of the Kansas City supply.
                ("tile_hand", "i1", (MAX_TILES,)),
                ("tile_points", "i4", (MAX_TILES,)),
                ("pile_tiles", "i4", (3, MAX_TILES)),
                ("tiles_at_start", "i4"),
                # Buildings: neutral ones, then by number two sides each.
                ("craftsmen", "i4", (MAX_BUILDINGS,)),
                ("building_points", "i4", (MAX_BUILDINGS,)),
                ("building_hand", "i1", (MAX_BUILDINGS,)),
                ("building_icon", "i1", (MAX_BUILDINGS, ICONS_ON_TILE)),  # -1: none
                ("n_numbers", "i4"),  # private building tiles of a player
                ("side_of", "i1", (NUMBERS,)),  # 0, 1; -1: drawn at the start
                # Icons.
                ("icon_kind", "i1", (MAX_ICONS,)),
                ("icon_amount", "i4", (MAX_ICONS,)),
                ("icon_counts", "i1", (MAX_ICONS,)),
                ("icon_money", "i4", (MAX_ICONS,)),
                ("icon_certificates", "i4", (MAX_ICONS,)),
                ("icon_card", "i1", (MAX_ICONS,)),
                ("icon_then", "i1", (MAX_ICONS,)),  # -1: nothing
                ("icon_other", "i1", (MAX_ICONS, 2)),  # of EITHER
                ("auxiliary", "i1", (AUXILIARIES, 2)),  # icons: single, double; -1: none
                ("open_from_start", "i1", (AUXILIARIES,)),
                ("worker_icon", "i1", (3, ROW_LENGTH + 1)),  # by place in the row; -1: none
                ("medium_icon", "i1", (MEDIUM_KINDS,)),
                ("medium_copies", "i4", (MEDIUM_KINDS,)),
                # Cards.
                ("n_cattle", "i4"),
                ("cattle_type", "i1", (MAX_CATTLE,)),
                ("cattle_points", "i4", (MAX_CATTLE,)),
                ("breeding", "i4", (MAX_TYPES,)),
                ("n_types", "i4"),
                ("start_cards", "i4", (MAX_CATTLE,)),
                ("market_cards", "i4", (MAX_CATTLE,)),
                ("market_size", "i4", (MAX_PLAYERS + 1,)),
                ("n_buys", "i4"),
                ("buy_breeding", "i4", (MAX_BUYS,)),
                ("buy_cowboys", "i4", (MAX_BUYS,)),
                ("buy_cost", "i4", (MAX_BUYS,)),
                ("buy_cards", "i4", (MAX_BUYS,)),
                ("n_objectives", "i4"),  # kinds; the starting cards are the last
                ("objective_need", "i1", (MAX_OBJECTIVES, NEEDS)),
                ("objective_points", "i4", (MAX_OBJECTIVES,)),
                ("objective_penalty", "i4", (MAX_OBJECTIVES,)),  # points lost
                ("objective_icon", "i1", (MAX_OBJECTIVES,)),
                ("objective_copies", "i4", (MAX_OBJECTIVES,)),  # in the stack
                ("starting_copies", "i4", (MAX_OBJECTIVES,)),
                # Job market.
                ("row_cost", "i4", (MAX_ROWS,)),
                ("row_refills", "i1", (MAX_ROWS,)),  # the market, when the token leaves it
                ("workers_at_start", "i4", (MAX_PLAYERS + 1,)),
                # Railroad, stations and their masters.
                ("turnout", "i1", (LAST_NUMBER + 1,)),  # position of the one behind; -1: none
                ("turnout_after", "i1", (TRACK,)),  # number before it; -1: no turnout
                ("station_at", "i1", (TRACK,)),  # station; -1: none
                ("crosses_before", "i4", (TRACK,)),
                ("n_stations", "i4"),
                ("station_cost", "i4", (MAX_STATIONS,)),
                ("station_points", "i4", (MAX_STATIONS,)),
                ("station_black", "i1", (MAX_STATIONS,)),
                ("station_has_master", "i1", (MAX_STATIONS,)),
                ("station_position", "i1", (MAX_STATIONS,)),  # -1: in a town
                ("n_masters", "i4"),
                ("master_icon", "i1", (MAX_MASTERS,)),
                ("master_permanent", "i4", (MAX_MASTERS,)),
                ("master_task", "i1", (MAX_MASTERS,)),
                ("master_points", "i4", (MAX_MASTERS,)),
                ("masters_in_city", "i4"),
                # Cities.
                ("n_cities", "i4"),
                ("city_value", "i4", (MAX_CITIES,)),
                ("city_black", "i1", (MAX_CITIES,)),
                ("city_repeats", "i1", (MAX_CITIES,)),
                ("city_money", "i4", (MAX_CITIES,)),  # before the disc
                ("city_points", "i4", (MAX_CITIES,)),  # for a disc
                ("city_bell_points", "i4", (MAX_CITIES,)),  # for a disc and cleared bell
                ("city_icon", "i1", (MAX_CITIES,)),
                ("city_gift", "i4", (MAX_CITIES,)),  # $ of its delivery action
                ("city_town", "i1", (MAX_CITIES,)),  # own branchlet asked for; -1: none
                ("san_francisco", "i1"),  # city of the objective cards; -1: none
                ("kansas_city", "i1"),
                ("n_pairs", "i4"),
                ("pair", "i1", (MAX_PAIRS, 2)),
                ("pair_points", "i4", (MAX_PAIRS,)),
                ("pair_icon", "i1", (MAX_PAIRS,)),
                ("pair_gift", "i4", (MAX_PAIRS,)),
                # Player boards.
                ("disc_copies", "i4", (DISC_KINDS,)),
                ("disc_black", "i1", (DISC_KINDS,)),
                ("disc_cost", "i4", (DISC_KINDS,)),
                ("certificates", "i4", (CERTIFICATE_SPACES,)),
                # Extension board.
                ("n_towns", "i4"),  # 0: without Rails to the North
                ("beside", "i8", (MAX_TOWNS,)),  # set of towns
                ("town_cities", "i4", (MAX_TOWNS,)),  # set of cities on the strip
                ("town_office", "i1", (MAX_TOWNS,)),
                ("town_area", "i1", (MAX_TOWNS,)),
                ("town_type", "i1", (MAX_TOWNS,)),
                ("town_station", "i1", (MAX_TOWNS,)),  # -1: none
                ("town_money", "i4", (MAX_TOWNS, TOWN_SPACES)),  # below 0: a cost
                ("town_icon", "i1", (MAX_TOWNS, TOWN_SPACES)),  # -1: none
                ("bell_token", "i1", (BELLS + 1,)),  # a token when so many bells are cleared
                # Options.
                ("starting_money", "i4", (MAX_PLAYERS,)),  # by seat
                ("start_tokens", "i4"),
                ("cards_in_hand", "i4"),  # hand limit at the start
                ("disc_money", "i4"),  # for the left movement disc
                ("disc_points", "i4"),  # for the right one
                ("goal_money", "i4"),  # for the last space of the track
                ("row_points", "i4"),  # for a worker on the fifth or sixth space
                ("token_points", "i4"),
                ("money_per_point", "i4"),
                ("neutral_random", "i1"),
                ("tie", "i1"),
                ("upgrade_before_reward", "i1"),  # X2
                ("black_disc_on_white_city", "i1"),  # X3
                ("end_turnout_counts", "i1"),  # X4
                ("extraordinary_pays", "i1"),  # the $ of Kansas City
                ("left_disc_first", "i1"),  # X6
                ("market_draw_last", "i1"),  # M21
                ("delivery_actions_mandatory", "i1"),  # M23
                ("adjacent_skips_empty", "i1"),
                ("copied_risk", "i1"),  # R15
                ("ride_to_kansas_city", "i1"),  # R36
                ("ride_gives_actions", "i1"),  # R36b
                ("phase_b_required", "i1"),  # R11
                ("first_on_private", "i1"),  # a first cattleman on an own building
            ],
            align=True,
        ),
    )
)
