"""The compiled rules against the slow, obvious engine, decision by decision."""

import random

import pytest

import sim
from sim.westward_rails.state import PHASES
from tests.reference.westward_rails import Reference

GAME = sim.load("westward-rails")

RULINGS = {
    "initial_auction_raises_value": [False, True],
    "lease_allowed_before_first_cube": [False, True],
    "incomplete_link_gives_presence": [True, False],
    "lease_tie": ["player", "cheapest"],
    "lease_when_adjacent_allowed": [False, True],
    "west_coast_bonus": ["each_link", "once_per_city"],
    "metro_value_bonus": ["once", "each_link"],
    "metro_cash_forfeited_if_preconnected": [True, False],
    "share_divisor": ["in_hands", "all_five"],
    "demand_check": ["after_batch", "after_each_dividend"],
    "demand_track_closes_gaps": [False, True],
    "finish_turn_before_game_end": [True, False],
}
NUMBERS = {
    "starting_money": [4, 20, 30, 60, 200],
    "cubes_per_railroad": [6, 12, 20, 40],
    "shares_per_railroad": [2, 5, 7],
    "upgrade_cubes": [0, 3, 6],
    "demand_spaces": [1, 4, 8],
    "demands_face_up": [0, 1],
    "dividend_every": [3, 6, 9],
    "starting_value": [0, 1, 5],
    "railroads_out_of_cubes": [1, 4, 5],
    "build_spaces": [1, 2],
    "auction_spaces": [0, 1, 2],
    "upgrade_spaces": [0, 1, 2],
    "minimum_bid": [1, 5, 9],
    "minimum_raise": [1, 3],
    "upgrade_cost": [0, 5],
    "lease_cost_per_segment": [0, 1, 2, 3],
    "metro_first_link_cash": [0, 10],
    "metro_value_increase": [0, 3, 7],
    "west_coast_value_increase": [0, 1, 6],
    "auction_value_increase": [0, 1, 6],
}


def random_settings(chance: random.Random, changes: int) -> dict:
    choices = {**RULINGS, **NUMBERS}
    return {key: chance.choice(choices[key]) for key in chance.sample(sorted(choices), changes)}


def random_board(chance: random.Random) -> dict:
    """A small, dense board: many short links, so that leases and equal routes abound."""
    columns, rows = chance.choice([(3, 3), (4, 3), (4, 4)])
    spots = [(x, y) for y in range(rows) for x in range(columns)]
    city = {spot: f"c{n}" for n, spot in enumerate(spots)}
    pairs = [
        (here, there)
        for here in spots
        for there in spots
        if here < there and max(abs(here[0] - there[0]), abs(here[1] - there[1])) == 1
    ]
    straight = [pair for pair in pairs if pair[0][0] == pair[1][0] or pair[0][1] == pair[1][1]]
    diagonal = [pair for pair in pairs if pair not in straight and chance.random() < 0.3]
    links = straight + diagonal
    chance.shuffle(links)
    joined = {frozenset(pair) for pair in links}
    apart = [(a, b) for a in spots for b in spots if a < b and frozenset((a, b)) not in joined]
    chance.shuffle(apart)
    starts = chance.sample(spots, chance.choice([2, 3, 5]))
    areas = chance.sample(spots, 4)
    document = {
        "meta": {"game": "westward-rails", "name": "random", "label": "Random board"},
        "options": {"railroads_out_of_cubes": len(starts)},
        "railroad": [
            {"id": f"r{n}", "name": f"R{n}", "start": city[spot], "colour": "#000000"}
            for n, spot in enumerate(starts)
        ],
        "city": [
            {
                "id": city[spot],
                "name": city[spot].upper(),
                "x": spot[0],
                "y": spot[1],
                "west_coast": spot[0] == 0,
            }
            for spot in spots
        ],
        "metro": [
            {"id": "m0", "name": "M0", "cities": [city[spot] for spot in areas[:2]]},
            {"id": "m1", "name": "M1", "cities": [city[spot] for spot in areas[2:3]]},
        ],
        "link": [
            {"cities": [city[a], city[b]], "segments": chance.choice([1, 1, 1, 2, 2, 3, 4])}
            for a, b in links
        ],
        "demand": [
            {"letter": "ABCD"[n * 4 // len(apart[:10])], "cities": [city[a], city[b]]}
            for n, (a, b) in enumerate(apart[:10])
        ],
    }
    return document


def compare(position: sim.game.Position, reference: Reference) -> None:
    """Both engines hold the same game."""
    state, file = position.state[0], position.board.file
    assert position.status == "ok"
    assert position.is_over == reference.is_over
    assert position.scores == list(reference.money)
    assert position.end_reason == reference.end_reason
    names = [railroad.id for railroad in file.railroad]
    for n, name in enumerate(names):
        assert list(state.shares[: position.players, n]) == reference.shares[name]
        assert state.value[n] == reference.value[name], name
        assert state.cubes[n] == reference.cubes_left[name]
    for n, link in enumerate(file.link):
        railroad, cubes, _, _ = reference.links["-".join(link.cities)]
        owner = int(state.link_railroad[n])
        assert (names[owner] if owner >= 0 else None, state.link_cubes[n]) == (railroad, cubes)
    spaces = [int(card) for card in state.demand_space[: position.board.options.demand_spaces]]
    assert spaces == [-1 if card is None else card for card in reference.demand_spaces]
    assert len(file.demand) - state.deck_next == len(reference.deck_left)
    metros = [metro.id for metro in file.metro]
    for field, known in (("upgraded", reference.upgraded), ("metro_cash", reference.metro_cash)):
        bits = int(getattr(state, field))
        assert {name for n, name in enumerate(metros) if bits >> n & 1} == set(known), field
    assert state.upgrade_cubes == reference.upgrade_cubes
    assert state.dividends == len(reference.dividends_paid)
    if position.is_over:
        assert position.payoffs == pytest.approx(reference.payoffs())
    else:
        assert position.to_move == reference.to_move
        assert PHASES[state.phase] in ("bidding", "opening bid") or PHASES[
            state.phase
        ] == reference.phase.replace("_", " ")
        assert sorted(position.legal()) == reference.legal()


def play_both(board: sim.game.Board, players: int, chance: random.Random) -> list[str]:
    """Play a random game in both engines; the actions played."""
    position = board.new(players, chance.randrange(2**53))
    deck = [int(card) for card in position.state[0].deck[: len(board.file.demand)]]
    options = board.options.model_dump(by_alias=True)
    options["starting_money"] = {int(n): cash for n, cash in options["starting_money"].items()}
    reference = Reference(board.document, options, players, deck)
    compare(position, reference)
    played = []
    while not position.is_over:
        legal = position.legal()
        # Plain random play seldom sells or leases: every other move is drawn from the rarer ones.
        rare = [text for text in legal if " from " in text or text.split()[0] in ("route", "stop")]
        action = chance.choice(rare if rare and chance.random() < 0.3 else legal)
        played.append(action)
        position.play(action)
        reference.play(action)
        compare(position, reference)
    return played


@pytest.mark.parametrize("seed", range(12))
def test_printed_options(seed):
    chance = random.Random(f"printed {seed}")
    play_both(GAME.board(), 3 + seed % 3, chance)


@pytest.mark.parametrize("seed", range(24))
def test_any_options(seed):
    chance = random.Random(f"options {seed}")
    settings = random_settings(chance, chance.choice([2, 6, 14]))
    play_both(GAME.board(settings=settings), 3 + seed % 3, chance)


@pytest.mark.parametrize("seed", range(60))
def test_any_board_and_options(seed):
    chance = random.Random(f"boards {seed}")
    document = random_board(chance)
    settings = random_settings(chance, chance.choice([0, 2, 6, 14]))
    if settings.get("railroads_out_of_cubes", 0) > len(document["railroad"]):
        settings.pop("railroads_out_of_cubes")
    play_both(GAME.board_from(document, "random board", settings), 3 + seed % 3, chance)
