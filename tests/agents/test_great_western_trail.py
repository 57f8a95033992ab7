"""Greedy play of Great Western Trail: its figures against slow twins, its strategies' deeds."""

import functools
import itertools
import random
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import agents
from agents import great_western_trail as heuristics
from agents.great_western_trail import PARAMETERS
from sim.game import Board, Position
from sim.great_western_trail.names import names
from sim.great_western_trail.state import MAX_CATTLE, MAX_ROWS
from tests.agents import naive
from tests.agents.play import actions, batch, by_copy, play
from tests.sim.great_western_trail.midgame import midgame
from tests.sim.great_western_trail.positions import BASE, GAME, NORTH, at

STRATEGIES = list(agents.heuristics(GAME).PRESETS)

# Weights for tests of the figures, so that tuning changes none of them. Of the discs that fit
# everywhere one of an auxiliary action is worth most, and is what a delivery brings.
EVEN = dict.fromkeys(PARAMETERS, 1.0) | {"auxiliaries": 2.0, "aims": 0.5}

# Both are on the way; the first may be in Kansas City with the next step.
ON_THE_WAY = {"at": ["g", "a"]}


def agent_of(weights: dict[str, float]) -> agents.Agent:
    """Greedy with these weights."""
    return agents.load(":".join(["greedy", *(f"{k}={v}" for k, v in weights.items())]), GAME)


def worth(position: Position, **weights: float) -> np.ndarray:
    """What a position is worth to each player by even weights and these."""
    return np.array(naive.evaluate(position, agent_of(EVEN | weights)))


def part_of(weight: str, position: Position) -> np.ndarray:
    """How often a weight counts in what the position is worth to each player."""
    step = 2.0**-10  # so small that nothing else becomes the best
    more = worth(position, **{weight: EVEN[weight] + step})
    return (more - worth(position)) / step


def records(position: Position) -> tuple[np.record, np.record]:
    """State and board, as compiled functions take them."""
    return position.state[0], position.board.record[0]


def late(players: int = 2, board: Board = BASE, **given: Any) -> Position:
    """The position given, in which all workers have come into the job market."""
    position = at(ON_THE_WAY | given, players=players, board=board)
    position.state[0].placed = MAX_ROWS * players
    return position


# ---------------------------------------------------------------------------------- the weights


class Case(NamedTuple):
    """Two positions, and how much more often a weight counts in the second, for seat 0.

    `times` is "more" where the number depends on other figures.
    """

    weight: str
    without: dict[str, Any]
    with_it: dict[str, Any]
    times: float | str
    board: Board = BASE


AT_4B = {  # which lets draw cards, at a hand in which much is missing
    "buildings": {"b1": "4/0"},
    "sides": "bbbbbbbbbb",
    "at": ["b1", "a"],
    "phase": "actions",
    "hand": [["jersey", "jersey"], "..."],
}
POOR_DECK = {"hand": [["jersey"] * 2, "..."], "stack": [["jersey"] * 3, "..."]}
RICH = POOR_DECK | {"money": [20, 0]}
MIXED_DECK = POOR_DECK | {"stack": [["jersey", "guernsey", "guernsey", "holstein"], "..."]}
OBJECTIVE = {"played": [["money_4_h_h"], []]}  # 3 points for a card of 4 and two hazards
A_HAZARD = {"tiles": [["flood_green_4"], []]}

CASES = [
    # With the $1 that a hand of jerseys will bring, $21 become $31; use is 25m/(m + 25).
    Case("cash", RICH, POOR_DECK | {"money": [30, 0]}, 31 * 25 / 56 - 21 * 25 / 46),
    Case("cowboys", {}, {"cowboys": [2, 1]}, 1),
    Case("craftsmen", {}, {"craftsmen": [3, 1]}, 2),
    Case("engineers", {}, {"engineers": [2, 1]}, 1),
    Case("deck", POOR_DECK, MIXED_DECK, "more"),
    Case("hand", AT_4B | {"left": []}, AT_4B | {"left": ["draw per cowboy"]}, "more"),
    Case("tempo", {"at": ["g", "a"]}, {"at": ["a", "a"]}, -1),
    Case("track", {}, {"engine": ["7", "0"]}, 7),
    Case("track", {"engine": ["7", "0"]}, {"engine": ["7.5", "0"]}, 0.5),
    Case("marker", {}, {"certificates": [2, 0]}, 2),
    Case("marker", {}, {"permanent": [1, 0]}, "more"),
    Case("sites", {}, {"buildings": {"b1": "2/0"}}, 1),
    Case("sites", {"buildings": {"b1": "2/0"}}, {"buildings": {"b1": "4/0"}}, "more"),  # its toll
    Case("steps", {}, {"cleared": [["move_1"], []]}, 1),
    Case("steps", {"cleared": [["move_1"], []]}, {"cleared": [["move_1", "move_2"], []]}, 1),
    Case("limits", {}, {"cleared": [["limit_4"], []]}, 1),
    Case("hands", {}, {"cleared": [["hand", "hand"], []]}, 2),
    Case("auxiliaries", {}, {"cleared": [["remove", "remove"], []]}, 2),
    Case("tiles", {}, A_HAZARD, 1),
    Case("tiles", {}, {"tiles": [["green_teepee"], []]}, 1),
    Case("tiles", {}, {"tiles": [["green_teepee", "blue_teepee"], []]}, 2.5),
    Case(
        "aims", A_HAZARD, A_HAZARD | OBJECTIVE, 5 / 3
    ),  # a third of the 3 points, and of the 2 lost
    Case("clutter", POOR_DECK, POOR_DECK | {"discard": [["money_4_h_h"], []]}, -1),
    Case("towns", {}, {"towns": {"42": [0]}}, 1, NORTH),
    Case("pending", AT_4B | {"left": []}, AT_4B | {"left": ["draw per cowboy"]}, "more"),
    Case("cities", {}, {"cities": {"san_francisco": [1, 0]}}, 9),
    Case("sorting", POOR_DECK, MIXED_DECK, "more"),
    Case("plan", POOR_DECK, MIXED_DECK, "more"),
    Case("growth", {"token_row": 12}, {}, "more"),
]


@pytest.mark.parametrize("case", CASES, ids=[f"{n} {case.weight}" for n, case in enumerate(CASES)])
def test_a_weight_counts_for_what_its_description_says(case):
    """And for whom: what one player gains changes nothing for the other."""
    few, many = (
        part_of(case.weight, at(ON_THE_WAY | given, board=case.board))
        for given in (case.without, case.with_it)
    )
    gained, others = many - few
    if case.times == "more":
        assert gained > 0.01
    else:
        assert gained == pytest.approx(case.times)
    if case.weight != "growth":  # where the game is nearly over, it is so for all
        assert others == pytest.approx(0)


def test_every_weight_has_a_case():
    assert {case.weight for case in CASES} == set(PARAMETERS)


LASTING = [
    ("cowboys", {"cowboys": [2, 1]}, 1),
    ("craftsmen", {"craftsmen": [2, 1]}, 1),
    ("engineers", {"engineers": [2, 1]}, 1),
    ("sites", {"buildings": {"b1": "2/0"}}, 1),
    ("steps", {"cleared": [["move_1"], []]}, 1),
    ("limits", {"cleared": [["limit_4"], []]}, 1),
    ("hands", {"cleared": [["hand"], []]}, 1),
    ("auxiliaries", {"cleared": [["draw"], []]}, 1),
    ("clutter", {"discard": [["money_4_h_h"], []]}, -1),
]


@pytest.mark.parametrize("row", [4, 7, 12])
@pytest.mark.parametrize(("weight", "given", "times"), LASTING)
def test_what_serves_until_the_end_counts_by_the_part_of_the_game_left(weight, given, times, row):
    base = ON_THE_WAY | POOR_DECK | {"token_row": row}
    position = at(base | given)
    gained = part_of(weight, position) - part_of(weight, at(base))
    left = heuristics._left(*records(position))
    assert gained == pytest.approx([times * left, 0])
    assert 0 < left < 1


def test_each_dollar_more_is_worth_something_and_less_than_the_one_before():
    """And at the end what it scores: a point for five. $25 have half of the use of all money."""
    weights = np.array(list(EVEN.values()))
    _, board = records(at())
    worths = [heuristics._wealth(board, weights, 1.0, money) for money in range(100)]
    assert (np.diff(worths) > 0.2).all() and (np.diff(worths, 2) < 0).all()
    assert worths[0] == 0 and worths[25] == pytest.approx(5 + 12.5)
    assert heuristics._wealth(board, weights, 0.0, 25) == pytest.approx(5)


@pytest.mark.parametrize("board", [BASE, NORTH], ids=["base", "north"])
@pytest.mark.parametrize("row", [4, 12])
def test_a_position_with_a_dollar_more_is_worth_more(board, row):
    """By a point for five at least, for all that deliveries to come will bring."""
    given = ON_THE_WAY | {"token_row": row}
    worths = [worth(at(given | {"money": [m, 0]}, board=board))[0] for m in range(41)]
    assert (np.diff(worths) > 0.2).all()


# ------------------------------------------------------------------------------------- slow twins


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("at_start", [0, 6])
def test_the_part_left_falls_with_each_worker_from_1_to_0(players, at_start):
    settings = {f"workers_at_start.{players}": at_start} if at_start else {}
    position = at(players=players, **settings)
    state, board = records(position)
    first, last = int(state.placed), MAX_ROWS * players
    parts = []
    for placed in range(first, last + 1):
        state.placed = placed
        parts.append(heuristics._left(state, board))
    assert (parts[0], parts[-1]) == (1, 0)
    assert -np.diff(parts) == pytest.approx([1 / (last - first)] * (last - first))


def test_the_part_left_is_0_where_the_last_worker_came():
    """And the job market token went to whoever placed it."""
    started = batch(["greedy", "random"], 1, board=BASE)
    state = started.states[0]
    while started.step() is not None:
        left = heuristics._left(state, started.board.record[0])
        assert (left == 0) == (state.token_owner >= 0)
    assert state.is_over and left == 0


def seen(copies: int, pool: int, looks: int) -> float:
    """The part of all draws of so many cards that have one of the copies."""
    if looks >= pool:
        return float(copies > 0)
    draws = list(itertools.combinations(range(pool), looks))
    return sum(min(draw, default=pool) < copies for draw in draws) / len(draws)


def test_a_card_is_seen_as_often_as_in_all_draws():
    for pool in range(1, 9):
        for copies, looks in itertools.product(range(pool + 1), range(pool + 3)):
            chance = heuristics._seen(copies, pool, float(looks))
            assert chance == pytest.approx(seen(copies, pool, looks)), (copies, pool, looks)
    assert heuristics._seen(0, 0, 3.0) == 0


def test_a_part_of_a_look_counts_in_part():
    for copies, looks in itertools.product(range(6), np.arange(0, 8, 0.25)):
        whole, part = divmod(looks, 1)
        less, more = (heuristics._seen(copies, 9, whole + one) for one in (0, 1))
        chance = heuristics._seen(copies, 9, float(looks))
        assert chance == pytest.approx(less + part * (more - less))


def best_value(position: Position, cards: Counter, room: int) -> int:
    """The most that so many of the cards are worth: each type of cattle counts once."""
    _, board = records(position)
    types = {int(board.cattle_type[kind]) for kind in cards.elements()}
    return sum(sorted((int(board.breeding[one]) for one in types), reverse=True)[:room])


def cards_of(numbers: np.ndarray) -> Counter:
    """Cattle cards, each as often as it is there."""
    return Counter({kind: int(copies) for kind, copies in enumerate(numbers[:MAX_CATTLE])})


def mean_of_all_draws(position: Position, looks: int, room: int) -> float:
    """Breeding value of the best hand, over all draws of so many cards from the stack."""
    state, _ = records(position)
    held, stack = cards_of(state.hand[0]), list(cards_of(state.stack[0]).elements())
    draws = list(itertools.combinations(stack, min(looks, len(stack))))
    return sum(best_value(position, held + Counter(draw), room) for draw in draws) / len(draws)


SMALL_DECKS = [
    ([], ["jersey", "jersey", "guernsey", "holstein"]),
    (["jersey"], ["guernsey", "guernsey", "dutch_belt"]),
    (["jersey", "guernsey"], ["guernsey", "holstein", "holstein", "jersey"]),
    (["guernsey", "holstein"], ["jersey", "jersey", "jersey", "west_highland_4"]),
    ([], ["west_highland_3", "west_highland_5", "texas_longhorn_7", "jersey"]),
]
LARGE_DECKS = [
    (["jersey", "guernsey"], ["dutch_belt", "black_angus", "holstein", "jersey", "jersey"]),
    ([], ["guernsey", "dutch_belt", "black_angus", "holstein", "ayrshire", "west_highland_3"]),
    (["jersey", "jersey"], ["guernsey", "holstein", "brown_swiss", "texas_longhorn_5", "jersey"]),
    (["jersey"], ["jersey", "jersey", "dutch_belt", "dutch_belt", "black_angus", "guernsey"]),
    (["holstein", "guernsey"], ["texas_longhorn_6", *["jersey"] * 4, "dutch_belt", "black_angus"]),
]


def deck(hand: list[str], stack: list[str]) -> Position:
    return at(ON_THE_WAY | {"hand": [hand, "..."], "stack": [stack, "..."], "discard": [[], "..."]})


@pytest.mark.parametrize(("hand", "stack"), SMALL_DECKS)
def test_the_hand_to_be_is_the_mean_of_all_draws_where_every_type_has_room(hand, stack):
    position = deck(hand, stack)
    for looks in range(len(stack) + 1):
        value = heuristics._hand_to_be(*records(position), 0, float(looks), False)
        assert value == pytest.approx(mean_of_all_draws(position, looks, 4)), looks


@pytest.mark.parametrize(("hand", "stack"), LARGE_DECKS)
def test_the_hand_to_be_is_near_the_mean_of_all_draws(hand, stack):
    """Where types compete for room it is no less, and at most 0.5 more; right for a whole deck."""
    position = deck(hand, stack)
    for looks in range(len(stack) + 1):
        value = heuristics._hand_to_be(*records(position), 0, float(looks), False)
        mean = mean_of_all_draws(position, looks, 4)
        assert mean - 1e-9 <= value <= mean + 0.5, looks
    assert value == pytest.approx(mean)


@pytest.mark.parametrize(("hand", "stack"), SMALL_DECKS + LARGE_DECKS)
def test_a_new_hand_is_drawn_from_the_whole_deck(hand, stack):
    """It does not matter where the cards are now."""
    shuffled = deck([], hand + stack)
    discarded = deck([], [])
    state = discarded.state[0]
    state.discard[0], state.n_discard[0] = shuffled.state.stack[0, 0], len(hand + stack)
    for looks in (0.0, 2.0, 4.5, 20.0):
        value = heuristics._hand_to_be(*records(deck(hand, stack)), 0, looks, True)
        for other in (shuffled, discarded):
            again = heuristics._hand_to_be(*records(other), 0, looks, True)
            assert again == pytest.approx(value)
        assert heuristics._hand_to_be(*records(shuffled), 0, looks, False) == pytest.approx(value)


@functools.cache
def midgames(board: Board) -> list[Position]:
    """Positions deep in a game, of 2 to 4 players."""
    return [
        midgame(board.new(players, number), random.Random(f"{number} of {players}"))
        for players in GAME.players
        for number in range(8)
    ]


@pytest.mark.parametrize("board", [BASE, NORTH], ids=["base", "north"])
@pytest.mark.parametrize("name", STRATEGIES)
def test_a_delivery_is_worth_what_the_best_city_is(board, name):
    """Of all to which the rules let the player deliver, less the transport costs they take."""
    weights = np.array(agents.load(name, GAME).weights)
    for number, position in enumerate(midgames(board)):
        player = position.to_move
        asked = position.copy()
        state, record = records(asked)
        value = number % 21
        state.at[player] = record.n_spaces - 1
        task = int(state.n_tasks) - 1  # the move, in place of which a city is chosen
        state.task[task] = state.phase = heuristics.DELIVERY
        state.one[task] = value
        left = heuristics._left(state, record)
        gains = []
        for text in asked.legal():
            if not text.startswith("deliver"):
                continue  # an exchange token
            city = names(board).cities.index(text.removeprefix("deliver "))
            after = asked.copy().play(text).state[0]
            paid = int(after.transport[player] - state.transport[player])
            brought = heuristics._city_value(state, record, weights, player, left, city)
            gains.append(brought + heuristics._cash(state, record, weights, player, left, -paid))
        best = heuristics._delivery_value(state, record, weights, player, left, value)
        assert best == pytest.approx(max(gains))


@pytest.mark.parametrize("start", ["0", "1", "4", "4.5", "7", "7.5", "10", "10.5"])
def test_the_engine_gains_the_way_or_a_station_the_rules_let_it_reach(start):
    """From a turnout too, and from one to the next."""
    weights = np.array(list((EVEN | {"cash": 0.0}).values()))
    given = ON_THE_WAY | {"engine": [start, "0"], "money": [30, 0]}
    least: dict[str, int] = {}  # spaces that take the engine to a turnout
    for spaces in range(1, 7):
        asked = at(given | {"pending": [{"phase": "engine forward", "spaces": spaces}]})
        gains = [float(spaces)]
        for text in asked.legal():
            target = text.removeprefix("engine to ")
            if target.endswith(".5"):
                least.setdefault(target, spaces)
                station = names(BASE).stations.index(target)
                value = heuristics._station_value(*records(asked), weights, 0, 1.0, station)
                gains.append(least[target] + value)
        gained = heuristics._engine_value(*records(asked), weights, 0, 1.0, spaces)
        assert gained == pytest.approx(max(gains))
    assert least


@pytest.mark.parametrize("engine", ["4", "5", "7.5", "8", "13.5", "20", "33.5"])
def test_a_station_behind_the_engine_is_worth_what_the_best_the_rules_offer_is(engine):
    weights = np.array(list((EVEN | {"cash": 0.0}).values()))
    given = ON_THE_WAY | {"engine": [engine, "0"], "money": [30, 0]}
    state, board = records(at(given))
    offered = at(given | {"pending": [{"phase": "station behind", "optional": True}]}).legal()
    behind = [text.removeprefix("upgrade ") for text in offered if text.startswith("upgrade")]
    assert bool(behind) == (engine != "4")
    values = [
        heuristics._station_value(state, board, weights, 0, 1.0, names(BASE).stations.index(one))
        for one in behind
    ]
    value = heuristics._behind_value(state, board, weights, 0, 1.0)
    assert value == pytest.approx(max(values, default=0.0))


# Weights by which $5 are a point at all times, and black corners bring the right movement disc: 3
# points and a step.
PLAIN = np.array(list((EVEN | {"cash": 0.0}).values()))
AT_30 = ON_THE_WAY | {"engine": ["30", "0"]}  # so that no delivery costs transport


def test_certificates_are_spent_on_the_next_arrival_to_reach_a_better_city():
    """Each is worth a point, and adds $1 to the income.

    With 15, El Paso: 0.4 of pairs of 6 and 8 points, and a disc. With 16, Sacramento: 6 points, 0.4
    of a pair of 4, and a disc.
    """
    el_paso, sacramento = 0.4 * (6 + 8) + 4, 6 + 0.4 * 4 + 4
    worths = [15 / 5 + el_paso, 16 / 5 + sacramento - 1]
    for held, expected in enumerate(worths):
        position = at(AT_30 | {"certificates": [held, 0]})
        value = heuristics._arrival_value(*records(position), PLAIN, 0, 1.0, 15.0, 0)
        assert value == pytest.approx(expected)


def test_certificates_are_kept_where_they_reach_no_better_city():
    for held in (0, 1):  # from 12 to 13
        position = at(AT_30 | {"certificates": [held, 0]})
        value = heuristics._arrival_value(*records(position), PLAIN, 0, 1.0, 12.0, 0)
        assert value == pytest.approx(12 / 5 + 0.4 * (6 + 8) + 4)


def test_certificates_at_hand_are_not_for_the_deliveries_after_the_next():
    """But permanent ones are."""
    plain, held, permanent = (
        heuristics._plan_value(*records(at(AT_30 | given)), PLAIN, 0, 1.0, 10.0)
        for given in ({}, {"certificates": [3, 0]}, {"permanent": [1, 0]})
    )
    assert held == plain < permanent


def test_an_extraordinary_delivery_costs_the_spaces_that_the_engine_goes_back():
    """At half a point each: San Francisco 9 + 4 - 18/2; El Paso, Sacramento 3.6 and less others."""
    weights = np.array(list((EVEN | {"cash": 0.0, "track": 0.5}).values()))
    for engine, value in (("18", 4.0), ("15", 0.4 * (6 + 8) + 4 - 6), ("0", 0.0)):
        state, board = records(at(ON_THE_WAY | {"engine": [engine, "0"]}))
        best = heuristics._extraordinary_value(state, board, weights, 0, 1.0)
        assert best == pytest.approx(value)


@pytest.mark.parametrize(("pays", "value"), [(False, 0), (True, 6 * 25 / 31 + 6 / 5 - 6 + 2 - 1)])
def test_an_extraordinary_delivery_to_kansas_city_brings_its_money_where_the_rules_say_so(
    pays, value
):
    """$6 are 1.2 points and 6 * 25 / 31 of use; 6 points and a space of the engine are lost."""
    given = ON_THE_WAY | {"engine": ["1", "0"], "money": [0, 0]}
    position = at(given, extraordinary_kansas_city_pays=pays)
    weights = np.array(list(EVEN.values()))
    best = heuristics._extraordinary_value(*records(position), weights, 0, 1.0)
    assert best == pytest.approx(value)


def test_the_pair_of_a_city_counts_once_both_have_a_disc_and_in_part_before():
    """0.4 of it while the game is long, nothing at its end. El Paso has another pair of 6 points,
    San Diego one of 4."""
    one, both = (
        records(at(ON_THE_WAY | {"cities": cities}))
        for cities in ({"el_paso": [1, 0]}, {"el_paso": [1, 0], "san_diego": [1, 0]})
    )
    assert heuristics._cities_value(*one, PLAIN, 0, 1.0) == pytest.approx(0.4 * (8 + 6))
    assert heuristics._cities_value(*both, PLAIN, 0, 1.0) == pytest.approx(8 + 0.4 * (6 + 4))
    assert heuristics._cities_value(*one, PLAIN, 0, 0.0) == 0
    assert heuristics._cities_value(*both, PLAIN, 0, 0.0) == 8


def visit(city: str, done: tuple[str, ...] = ()) -> float:
    """What a city of Rails to the North brings halfway, beside its disc, after others."""
    cities = names(NORTH).cities
    chosen = sum(1 << cities.index(other) for other in done)
    state, board = records(at(ON_THE_WAY, board=NORTH))
    return heuristics._visit_value(
        state, board, PLAIN, 0, 0.5, cities.index(city), chosen, float(state.money[0])
    )


def test_a_delivery_brings_the_icons_and_gifts_of_its_city_and_of_a_pair_that_it_completes():
    assert visit("memphis") == pytest.approx(2 / 5 + (1 - 0.5))  # $2; an objective, less clutter
    assert visit("columbia") == pytest.approx(0.4 * -5)
    # The other 0.6 of the pair's points, and its token.
    assert visit("columbia", done=("st_louis",)) == pytest.approx(0.6 * -5 + 0.4)


def icon_worth(icon: str, **given: Any) -> float:
    """What an icon may bring."""
    number = names(BASE).icons.index(icon)
    return heuristics._icon_value(*records(at(ON_THE_WAY | given)), PLAIN, 0, 1.0, number)


def test_a_card_given_for_an_engine_move_is_worth_what_the_move_brings():
    """From 33 to the station after it: 8 points for $5, and a disc; from 31 a space alone."""
    given = {"money": [30, 0]} | {"hand": [["jersey"], "..."]}
    station, space = (
        icon_worth("jersey for engine", engine=[engine, "0"], **given) for engine in ("33", "31")
    )
    assert station - space == pytest.approx(8 - 5 / 5 + 4)


def test_a_teepee_that_cannot_be_paid_for_is_worth_nothing():
    given = {"teepees": {"*": "none", "-3": "green"}}
    state, board = records(at(ON_THE_WAY | given | {"money": [2, 0]}))
    assert heuristics._trade_value(state, board, PLAIN, 0, 1.0) == 0
    state.money[0] = 3
    assert heuristics._trade_value(state, board, PLAIN, 0, 1.0) == pytest.approx(1 - 3 / 5)


def test_a_tile_to_be_built_is_worth_what_it_will_be_on_the_trail():
    """4b: 3 points, what it does, and 0.3 for its toll."""
    given = ON_THE_WAY | {"sides": "bbbbbbbbbb", "craftsmen": [2, 1]}
    without = at(given)
    best = heuristics._build_value(*records(without), PLAIN, 0, 1.0, 0)
    assert best == pytest.approx(3 + 1.3)
    built = at(given | {"buildings": {"b1": "4/0"}})
    assert worth(built) - worth(without) == pytest.approx([best, 0])


AT_10B = {"buildings": {"b1": "10/0"}, "sides": "bbbbbbbbbb", "at": ["b1", "a"]}


def test_the_actions_that_a_move_forfeits_are_worth_nothing():
    """Tile 10b: its $4 and engine move once its move has begun."""
    move = {"phase": "move", "steps": 4, "manner": "action"}
    none, some = (
        {"phase": "actions", "space": "b1", "begun": True, "left": left}
        for left in ([], ["4 dollars", "engine 4"])
    )
    before = [worth(at(AT_10B | {"pending": [tile]}))[0] for tile in (none, some)]
    during = [worth(at(AT_10B | {"pending": [move, tile]}))[0] for tile in (none, some)]
    assert before[1] > before[0] + 4 and during[1] == during[0]


def card_worth(there: dict[str, Any], base: Callable[..., Position], **weights: float) -> float:
    """What an objective card is worth that is played: a card of 4 and two hazards."""
    without, played = (base(**there | {"played": [cards, []]}) for cards in ([], ["money_4_h_h"]))
    return (worth(played, **weights) - worth(without, **weights))[0]


def early(**given: Any) -> Position:
    return at(ON_THE_WAY | given)


def test_an_objective_card_counts_in_full_when_all_it_asks_for_is_there():
    there = {
        "tiles": [["flood_green_4", "flood_black_3"], []],
        "discard": [["west_highland_4"], []],
    }
    for base, aims in itertools.product((early, late), (0.0, 0.5, 2.0)):
        assert card_worth(there, base, aims=aims) == pytest.approx(3)


def test_an_objective_card_counts_by_how_likely_it_is_while_a_part_is_there():
    """3 points, or 2 lost. One of three things is half a third with even weights; at the end no."""
    there = {"tiles": [["flood_green_4"], []]}
    assert card_worth(there, early) == pytest.approx(3 * 1 / 6 - 2 * 5 / 6)
    assert card_worth(there, late) == pytest.approx(-2)


def test_a_way_that_the_game_is_too_short_for_brings_nothing():
    """From a to Kansas City it is 3 turns, from g 1."""
    far, near = (
        [worth(late(at=[place, "a"], hand=[cards, "..."])) for cards in (["jersey"], ["guernsey"])]
        for place in ("a", "g")
    )
    assert far[0] == pytest.approx(far[1])
    assert near[1][0] > near[0][0]


ALBUQUERQUE = names(BASE).cities.index("albuquerque")  # black corners; 6 points with El Paso


def albuquerque(**given: Any) -> float:
    """What a delivery there brings by weights that count points and discs alone."""
    weights = np.array(list((EVEN | {"cash": 0.0, "hands": 9.0}).values()))
    state, board = records(at({"phase": "delivery", "value": 12} | given))
    return heuristics._city_value(state, board, weights, 0, 1.0, ALBUQUERQUE)


def test_a_city_that_completes_a_pair_brings_more():
    alone, paired = (albuquerque(cities={"el_paso": [discs, 0]}) for discs in (0, 1))
    assert paired > alone


def test_a_city_brings_the_best_disc_that_fits_and_can_be_paid():
    """For a hand disc $5 are paid, a point; the next best brings 3 points and a step, 4."""
    poor, rich = (albuquerque(money=[money, 0]) for money in (4, 5))
    assert rich - poor == pytest.approx((9 - 1) - 4)
    assert albuquerque(money=[5, 0], discs=[["move_2"], "..."]) == pytest.approx(poor)
    assert albuquerque(money=[4, 0], discs=[["hand"], "..."]) == pytest.approx(poor - 4)


# -------------------------------------------------------------------------------- fair to all seats


MANY_THINGS = {
    "at": ["e", "b", "g"],
    "money": [3, 17, 40],
    "cowboys": [4, 1, 2],
    "craftsmen": [1, 5, 1],
    "engineers": [1, 2, 6],
    "certificates": [1, 3, 0],
    "engine": ["12", "3", "21.5"],
    "hand": [["jersey", "guernsey"], ["holstein", "jersey", "draw_5_h"], ["texas_longhorn_7"]],
    "stack": [["jersey"] * 5, ["dutch_belt", "guernsey"] * 2, ["west_highland_4", "jersey"] * 3],
    "discard": [["west_highland_3", "ride_3_4_5"], [], ["jersey", "texas_longhorn_5"]],
    "played": [["start_b_b_h"], ["start_s_s_gt", "money_s_s_h"], ["start_3_4_b"]],
    "tiles": [["flood_green_2", "green_teepee", "blue_teepee"], ["blue_teepee"], []],
    "cleared": [["hand", "draw"], ["move_1", "limit_4", "remove"], ["hand", "hand", "move_2"]],
    "masters": [["workers"], [], ["hazards"]],
}
STATIONS = {"4.5": [0], "7.5": [0, 2], "21.5": [2]}
BUILDINGS = {"b1": (2, 1), "f1": (4, 1), "g2": (1, 0)}  # tile and seat
CITIES = {"topeka": [1, 0, 0], "wichita": [1, 1, 0], "san_francisco": [0, 0, 2]}


def turned(by: int) -> dict[str, Any]:
    """Many things of three players, each of whom sits so many seats further on."""
    given = {key: value[-by:] + value[:-by] for key, value in MANY_THINGS.items()}
    return given | {
        "stations": {
            place: [(seat + by) % 3 for seat in seats] for place, seats in STATIONS.items()
        },
        "buildings": {p: f"{tile}/{(seat + by) % 3}" for p, (tile, seat) in BUILDINGS.items()},
        "cities": {city: discs[-by:] + discs[:-by] for city, discs in CITIES.items()},
        "pending": [],
        "to_move": by,
    }


@pytest.mark.parametrize("name", STRATEGIES)
def test_worth_is_the_same_on_every_seat(name):
    agent = agents.load(name, GAME)
    first = naive.evaluate(at(turned(0), players=3), agent)
    assert len(set(first)) == 3
    for by in (1, 2):
        assert naive.evaluate(at(turned(by), players=3), agent) == pytest.approx(np.roll(first, by))


# ----------------------------------------------------------------------------------------- the end


POINTS = [
    ({"buildings": {"b1": "10/0"}}, 13, BASE),
    ({"stations": {"33.5": [0]}}, 8, BASE),
    ({"tiles": [["flood_green_4", "flood_black_3"], []]}, 7, BASE),
    ({"cities": {"san_francisco": [2, 0]}}, 18, BASE),
    ({"cities": {"san_francisco": [1, 0]}, "towns": {"42": [0], "43": [0], "40": [0]}}, 2, NORTH),
    ({"discard": [["texas_longhorn_7", "west_highland_3"], []]}, 10, BASE),
    ({"cowboys": [5, 1], "craftsmen": [6, 1]}, 12, BASE),
    ({"cleared": [["move_1", "move_2"], []]}, 3, BASE),
    ({"masters": [["workers"], []], "cowboys": [3, 1]}, 5, BASE),
    ({"masters": [["buildings"], []], "buildings": {"b1": "2/0", "g1": "3/0"}}, 8, NORTH),
    ({"played": [["draw_5_h"], []]}, -2, BASE),
    (
        {
            "played": [["draw_s_gt_gt"], []],
            "tiles": [["green_teepee"] * 2, []],
            "stations": {"4.5": [0]},
        },
        4,
        BASE,
    ),
    ({"money": [20, 0]}, 4, BASE),
    ({"token_owner": 0}, 2, BASE),
    ({"cities": {"el_paso": [1, 0]}}, 0, BASE),  # half a pair
    ({"cities": {"el_paso": [1, 0], "san_diego": [1, 0]}}, 8, BASE),
]


@pytest.mark.parametrize(("given", "points", "board"), POINTS)
def test_in_the_last_turns_a_thing_counts_by_its_printed_points_alone(given, points, board):
    """Whatever it would serve for, if the game went on."""
    base = {"at": ["g", "g"], "money": [0, 0], "played": [[], []]}
    plain, rich = late(board=board, **base), late(board=board, **base | given)
    gained = worth(rich) - worth(plain)
    for position in (plain, rich):
        position.state[0].is_over = 1
    assert np.subtract(rich.scores, plain.scores).tolist() == [points, 0]
    assert gained == pytest.approx([points, 0])


@pytest.mark.parametrize("board", [BASE, NORTH], ids=["base", "north"])
def test_at_the_end_the_worth_is_the_score(board):
    agent = agents.load("greedy", GAME)
    for players in GAME.players:
        started = batch(["greedy"] * players, 3, board=board)
        for game in range(3):
            while started.step(game) is not None:
                pass
            position = started.position(game)
            assert position.is_over
            assert naive.evaluate(position, agent) == pytest.approx(position.scores)


# ------------------------------------------------------------------------------- what is hidden


def choice(position: Position, spec: str = "greedy", seed: int = 1) -> str:
    """What an agent plays in a position; `seed` is its own chance."""
    started = batch([spec] * position.players, 1, board=position.board, agent_seed=seed)
    started.states[:] = position.state
    return position.text(started.step())


def deep_positions(board: Board) -> list[Position]:
    """Positions of games begun in their middle."""
    kept = []
    for number, position in enumerate(midgames(board)):
        chance, going = random.Random(number), position.copy()
        for step in range(40):
            if going.is_over:
                break
            if step % 8 == number % 8:
                kept.append(going.copy())
            going.play(chance.choice(going.legal_codes().tolist()))
    return kept


@pytest.mark.parametrize("board", [BASE, NORTH], ids=["base", "north"])
def test_what_is_hidden_changes_no_worth_of_ones_own(board):
    """Neither others' hands nor any pile or stack; others are worth another thing only by hands."""
    agent, differing = agents.load("greedy", GAME), 0
    for number, position in enumerate(deep_positions(board)):
        worth_of = naive.evaluate(position, agent)
        for viewer in range(position.players):
            other = position.determinized(viewer, number)
            assert naive.evaluate(other, agent)[viewer] == worth_of[viewer]
            differing += naive.evaluate(other, agent) != worth_of
            for field in ("hand", "stack", "secret"):
                other.state[field] = position.state[field]
            assert naive.evaluate(other, agent) == worth_of
    assert differing > 20


@pytest.mark.parametrize("name", STRATEGIES)
def test_no_choice_depends_on_what_is_hidden(name):
    """A position that looks the same to the player to move gets the same answer."""
    asked = 0
    for number, position in enumerate(deep_positions(NORTH)):
        if len(position.legal_codes()) > 1:
            other = position.determinized(position.to_move, number)
            asked += any(
                (other.state[key] != position.state[key]).any() for key in ("hand", "pile")
            )
            assert choice(other, name) == choice(position, name)
    assert asked > 50


# ------------------------------------------------------------------------------------ good moves


ON = {"at": ["a", "b"]}
NOBODY = {"*": []}


def pending(phase: str, **words: Any) -> dict[str, Any]:
    """On the way, with one thing to decide."""
    return ON | {"pending": [{"phase": phase, **words}]}


def hand(*cards: str) -> dict[str, Any]:
    return {"hand": [list(cards), "..."]}


MOVES = {
    "a second card of a type is worth nothing": (
        pending("discard", cards=1) | hand("jersey", "jersey", "guernsey", "holstein"),
        "discard jersey",
    ),
    "the card of the least value goes": (
        pending("discard", cards=1) | hand("guernsey", "jersey", "holstein", "west_highland_3"),
        "discard jersey",
    ),
    "the worst card leaves the deck": (
        pending("remove", cards=1) | hand("holstein", "jersey", "texas_longhorn_5"),
        "remove card jersey",
    ),
    "the best city within reach": (
        {"phase": "delivery", "value": 18, "engine": ["30", "0"]},
        "deliver san_francisco",
    ),
    "the city that makes a pair of 8 points": (
        {
            "phase": "delivery",
            "value": 14,
            "engine": ["30", "0"],
            "cities": {"san_diego": [1, 0]},
        },
        "deliver el_paso",
    ),
    "a cowboy early in the game, and plenty of dollars": (
        ON
        | {"phase": "actions", "money": [30, 0], "left": ["hire"]}
        | {"job": NOBODY | {"1": ["cowboy"]}, "token_row": 4},
        "use hire",
    ),
    "the cheaper of two equal workers": (
        pending("hire", change=0)
        | {"money": [30, 0], "job": NOBODY | {"3": ["cowboy"], "4": ["cowboy"]}, "token_row": 6},
        "hire cowboy row 4",
    ),
    "the way without a toll": (
        pending("way", to="b", steps=3, manner="phase A")
        | {"hazards": {"*": "none", "flood1": "flood_green_4"}, "buildings": {"a1": "2/0"}},
        "by first branches",
    ),
    "the way without a toll, the other branch": (
        pending("way", to="b", steps=3, manner="phase A")
        | {"buildings": {"a1": "1/1", "flood_risk1": "2/0"}},
        "by flood1",
    ),
    "the hazard with more points": (
        pending("hazard", price=0)
        | {"hazards": {"*": "none", "flood1": "flood_green_2", "drought1": "drought_green_4"}},
        "remove hazard drought1",
    ),
    "the trade that brings more": (
        pending("trade") | {"teepees": {"*": "none", "1": "green", "4": "green"}},
        "trade 4",
    ),
    "the engine as far as it goes": (
        pending("engine forward", spaces=3),
        "engine to 3",
    ),
    "as many certificates as there are": (
        pending("certificates", spaces=2),
        "certificate 2",
    ),
    "the best cattle for all cowboys": (
        pending("buy cattle", cowboys=4)
        | {"money": [8, 0], "market": ["texas_longhorn_7", "holstein"]},  # not for both
        "buy texas_longhorn_7 for 6 with 4 cowboys",
    ),
    "of equal cattle the card with more points": (
        pending("buy cattle", cowboys=3)
        | {"money": [6, 0], "market": ["west_highland_3", "west_highland_5"]},
        "buy west_highland_5 for 6 with 3 cowboys",
    ),
    "late in the game, the certificates that reach San Francisco": (
        {"phase": "income", "at": ["kansas_city", "a"], "engine": ["30", "0"], "token_row": 11}
        | {"certificates": [3, 0]}
        | hand("texas_longhorn_5", "west_highland_3", "holstein", "brown_swiss"),
        "spend 3",
    ),
    "no certificate that reaches no better city": (
        {
            "phase": "income",
            "at": ["kansas_city", "a"],
            "certificates": [1, 0],
            "engine": ["30", "0"],
        }
        | hand("holstein", "jersey"),
        "spend 0",
    ),
    "of two pairs the cheaper one": (
        pending("give cards", **{"for": "pair for 3", "cards": 2})
        | hand("jersey", "jersey", "guernsey", "guernsey"),
        "discard jersey",
    ),
    "8 points for $5, behind the engine": (
        pending("station behind") | {"engine": ["34", "0"], "money": [30, 0]},
        "upgrade 33.5",
    ),
    "a tile that upgrades a station behind the engine": (
        {"at": ["b1", "a"], "buildings": {"b1": "9/0"}, "sides": "bbbbbbbbbb", "phase": "actions"}
        | {"engine": ["34", "0"], "money": [30, 0]},
        "use upgrade behind",
    ),
    "8 points for $5": (
        ON
        | {"engine": ["33", "0"], "money": [30, 0]}
        | {"pending": [{"phase": "engine forward", "spaces": 1}, {"phase": "upgrade here"}]},
        "engine to 33.5",
    ),
}


@pytest.mark.parametrize("what", MOVES)
def test_greedy_plays_an_obviously_best_move(what):
    given, move = MOVES[what]
    position = at(given)
    assert move in position.legal() and len(position.legal()) > 1
    assert {choice(position, seed=seed) for seed in (1, 2, 3)} == {move}


@pytest.mark.parametrize("name", STRATEGIES)
def test_nobody_delivers_to_kansas_city_in_the_last_turn_without_need(name):
    """Its $6 are a point and its disc costs 6; Santa Fe brings nothing and costs nothing."""
    done = {city: [1, 0] for city in ("topeka", "wichita", "colorado_springs")}
    position = late(
        at=["kansas_city", "a"], phase="delivery", value=8, cities=done, engine=["12", "0"]
    )
    assert position.legal() == ["deliver kansas_city", "deliver santa_fe"]
    assert choice(position, name) == "deliver santa_fe"


@pytest.mark.parametrize("name", STRATEGIES)
def test_nobody_delivers_to_kansas_city_while_another_city_is_open(name):
    """$6 and 6 points lost, against Santa Fe, early in the game."""
    done = {city: [1, 0] for city in ("topeka", "wichita", "colorado_springs")}
    given = {"at": ["kansas_city", "a"], "phase": "delivery", "value": 8, "cities": done}
    position = at(given | {"engine": ["12", "0"], "money": [20, 0]})
    assert position.legal() == ["deliver kansas_city", "deliver santa_fe"]
    assert choice(position, name) == "deliver santa_fe"


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_move_of_a_building_comes_after_what_it_would_forfeit(name):
    """Tile 10b gives $4, an engine move and a move; the move ends what the tile offers."""
    given = {"at": ["b1", "a"], "phase": "actions", "buildings": {"b1": "10/0"}, "money": [0, 0]}
    position = at(given | {"sides": "bbbbbbbbbb"})
    left = {"use 4 dollars", "use engine 4", "use move 4"}
    assert left <= set(position.legal())
    while not (move := choice(position, name)).startswith("move "):
        position.play(move)
    assert position.state[0].money[0] == 4


@pytest.mark.parametrize(
    ("name", "worker"),
    [("cowboys", "cowboy"), ("builders", "craftsman"), ("engineers", "engineer")],
)
def test_a_strategy_hires_whom_it_is_named_for(name, worker):
    """All three workers can be had at the same price."""
    job = NOBODY | {"1": ["cowboy", "craftsman"], "2": ["engineer"]}
    position = at(pending("hire", change=0) | {"money": [30, 0], "job": job, "token_row": 5})
    assert choice(position, name).split()[1] == worker


# ------------------------------------------------------------------------------------ strategies


def measure(games, what: str) -> np.ndarray:
    """A measure by place in the line-up, [G, n]."""
    row = [measure.name for measure in GAME.measures].index(what)
    return by_copy(games.measures[:, row])


@functools.cache
def among_greedy(name: str, count: int = 80):
    """Games of one strategy among three greedy players."""
    return play([name, "greedy", "greedy", "greedy"], count, board=BASE)


def lead_of_first(values: np.ndarray) -> float:
    """By how many standard errors place 0 of the line-up leads the mean of the others.

    Over blocks: the rotations of a deal are not independent.
    """
    n = values.shape[1]
    lead = (values[:, 0] - values[:, 1:].mean(axis=1)).reshape(-1, n).mean(axis=1)
    return lead.mean() / (lead.std(ddof=1) / np.sqrt(len(lead)))


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("cowboys", "cowboys"),
        ("builders", "craftsmen"),
        ("builders", "buildings"),
        ("engineers", "engineers"),
        ("engineers", "engine"),
        ("mixed", "engineers"),
    ],
)
def test_a_strategy_does_more_of_what_it_is_named_for(name, what):
    assert lead_of_first(measure(among_greedy(name), what)) > 3


def test_no_two_strategies_play_alike():
    """On the same deal each pair of them parts."""
    played = {name: actions(batch([name] * 3, 1, board=BASE)) for name in STRATEGIES}
    for one, other in itertools.combinations(STRATEGIES, 2):
        assert played[one] != played[other], (one, other)


@pytest.mark.parametrize("board", [BASE, NORTH], ids=["base", "north"])
@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_beats_random(board, name):
    games = play([name, "random", "random"], 30, board=board)
    assert by_copy(games.win_share)[:, 0].mean() >= 0.9


# ---------------------------------------------------------------------------- Rails to the North


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_branchlet_that_costs_nothing_is_placed(name):
    task = {"phase": "town", "optional": True}
    position = at(ON | {"pending": [task], "tokens": [0, 0]}, board=NORTH)
    assert "done" in position.legal()
    assert choice(position, name).startswith("branchlet")


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_position_with_one_branchlet_more_is_worth_more(name):
    """At the start of the game, in its middle and near its end."""
    agent = agents.load(name, GAME)
    for row in (3, 7, 12):
        given = ON | {"token_row": row}
        few, many = (
            naive.evaluate(at(given | {"towns": towns}, board=NORTH), agent)
            for towns in ({}, {"42": [0]})
        )
        assert many[0] > few[0] and many[1] == few[1]
