"""Greedy play of Westward Rails: its figures against slow twins, its strategies by their deeds."""

import functools
import itertools
import random

import numpy as np
import pytest

import agents
from agents.base import MAX_SEATS, MEMO
from tests.agents import naive
from tests.agents.play import (
    GAME,
    STRATEGIES,
    actions,
    batch,
    by_copy,
    measure,
    play,
)
from tests.conformance import boards
from tests.conformance.play import game as random_game

AGENTS = {name: agents.load(name, GAME) for name in STRATEGIES}
PARAMETERS = agents.heuristics(GAME).PARAMETERS


def odd_agent(number: int) -> agents.Agent:
    """Greedy with every weight another: no feature goes unseen."""
    chance = random.Random(number)
    settings = [f"{key}={chance.uniform(-3, 3):.3f}" for key in PARAMETERS]
    return agents.load(":".join(["greedy", *settings]), GAME)


def positions(count: int, every: int = 7):
    """Positions of random games, on the shipped board and small ones, with various options."""
    for number in range(count):
        board = boards.board("westward-rails", number)
        players = board.game.players[number % 3]
        for position, code in itertools.islice(
            random_game(board, players, 50 + number), number % every, None, every
        ):
            if code is not None:
                yield position


def played_positions(name: str, every: int = 5):
    """Positions of a game among a strategy's copies."""
    started = batch([name] * 4, 1)
    for number in itertools.count():
        if started.step() is None:
            return
        if number % every == 0:
            yield started.position().copy()


# ----------------------------------------------------------------------------------------- worth


@pytest.mark.parametrize("name", [*STRATEGIES, "odd"])
def test_evaluate_equals_its_slow_twin(name):
    for number, position in enumerate(positions(10)):
        agent = AGENTS.get(name) or odd_agent(number)
        twin = naive.Worth(position, naive.weights_of(agent, GAME))
        assert naive.evaluate(position, agent) == pytest.approx(
            twin.players_worth(), rel=1e-9, abs=1e-7
        )


@pytest.mark.parametrize("name", STRATEGIES)
def test_evaluate_equals_its_slow_twin_in_played_games(name):
    for position in played_positions(name):
        for agent in (AGENTS[name], odd_agent(position.turn)):
            twin = naive.Worth(position, naive.weights_of(agent, GAME))
            assert naive.evaluate(position, agent) == pytest.approx(
                twin.players_worth(), rel=1e-9, abs=1e-7
            )


def test_every_weight_counts():
    """Each moves the worth of some position, or a bid: no parameter is idle."""
    seen = [position.copy() for position in positions(10)]
    idle = set(PARAMETERS)
    for key, plain in itertools.product(PARAMETERS, (AGENTS["greedy"], odd_agent(1))):
        changed = naive.weights_of(plain, GAME)
        changed[key] -= 0.6
        spec = ":".join(["greedy", *(f"{name}={value}" for name, value in changed.items())])
        other = agents.load(spec, GAME)
        for position in seen:
            if naive.evaluate(position, plain) != naive.evaluate(position, other):
                idle.discard(key)
            if naive.advise(position, plain) != naive.advise(position, other):
                idle.discard(key)
    assert idle == set()


@pytest.mark.parametrize("name", STRATEGIES)
def test_evaluate_and_advise_never_depend_on_the_memo(name):
    """Garbage in it, or what other positions of the board left there, changes nothing."""
    agent, chance = AGENTS[name], np.random.default_rng(1)
    kept: dict[str, np.ndarray] = {}
    for position in positions(8):
        clean = naive.evaluate(position, agent)
        advised = naive.advise(position, agent)
        used = kept.setdefault(position.board.name, np.zeros(MAX_SEATS + MEMO))
        for memo in (
            chance.uniform(-1e6, 1e6, MAX_SEATS + MEMO),
            chance.integers(-2, 40, MAX_SEATS + MEMO).astype(float),
            np.full(MAX_SEATS + MEMO, np.nan),
            np.full(MAX_SEATS + MEMO, -np.inf),
            used,
        ):
            again = used if memo is used else memo.copy()
            assert naive.evaluate(position, agent, again) == clean
            assert naive.evaluate(position, agent, again) == clean
            assert naive.advise(position, agent, again) == advised
            again = used if memo is used else memo.copy()
            assert naive.advise(position, agent, again) == advised


@pytest.mark.parametrize("name", STRATEGIES)
def test_evaluate_writes_within_its_places(name):
    """And leaves the position as it is."""
    for position in positions(6):
        out = np.full(MAX_SEATS + MEMO + 8, 123.25)
        before = position.state.tobytes()
        naive.evaluate(position, AGENTS[name], out)
        naive.advise(position, AGENTS[name], out)
        assert (out[MAX_SEATS + MEMO :] == 123.25).all()
        assert np.isfinite(out[: position.players]).all()
        assert position.state.tobytes() == before


def test_worth_is_fair_to_seats():
    """The same position with the players' belongings turned round is worth the same, turned."""
    agent = odd_agent(3)
    for position in positions(6):
        if position.legal()[0] == "pass" or position.legal()[0].startswith("bid"):
            continue  # who sits where counts in an auction
        other, n = position.copy(), position.players
        for field in ("money", "shares"):
            other.state[field][0, :n] = np.roll(position.state[field][0, :n], 1, axis=0)
        turned = np.roll(naive.evaluate(position, agent), 1)
        assert naive.evaluate(other, agent) == pytest.approx(turned)


# ------------------------------------------------------------------------------------------ bids


@pytest.mark.parametrize("name", [*STRATEGIES, "odd"])
def test_bids_are_the_least_and_within_ones_cash(name):
    """Never below the least bid, never above one's cash; no advice but in an auction."""
    bids = 0
    for number, position in enumerate(positions(12, every=3)):
        agent = AGENTS.get(name) or odd_agent(number)
        code = naive.advise(position, agent)
        texts = position.legal()
        is_auction = any(text.startswith("bid") for text in texts) or texts == ["pass"]
        if not is_auction:
            assert code == -1
        elif code != -1:
            assert code in position.legal_codes()
            text = position.text(code)
            lowest = [other for other in texts if other.startswith("bid")][:1]
            assert text in ["pass", *lowest]
            bids += text != "pass"
            if len(texts) > 1:
                twin = naive.Worth(position, naive.weights_of(agent, GAME))
                assert text == twin.advised_bid()
    assert bids > 20


@pytest.mark.parametrize("settings", [{"minimum_raise": 7}, {"minimum_bid": 23}])
@pytest.mark.parametrize("money", [0, 5, 24, 1000])
def test_bids_where_money_is_short_or_plenty(settings, money):
    """The loop does not check what its compiled agents play: so here, each decision of a game."""
    board = GAME.board(settings={**settings, "starting_money": money})
    for name in STRATEGIES:
        started = batch([name, "random", name], 1, board=board)
        while not started.position().is_over:
            legal = started.position().legal_codes()
            assert started.step() in legal
            assert min(started.position().scores) >= 0
        assert started.position().status == "ok"


def test_a_share_is_bid_for_up_to_a_part_of_its_worth():
    """A greater part, and the first auction brings more."""
    worth = "accrued=1:prospects=0.75:growth=0.9:track=0:reach=0:demands=0:metros=0:shares=0"
    prices = [
        measure(play([f"greedy:{worth}:bids={part}"] * 4, 40), "initial_price_1").mean()
        for part in (0.3, 0.6, 0.9)
    ]
    assert 0 < prices[0] < prices[1] < prices[2]


# ------------------------------------------------------------------------------------- strategies


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_beats_random(name):
    games = play([name, "random", "random", "random"], 240)
    share = by_copy(games.win_share)[:, 0].mean()
    assert share >= 0.9, f"{name} wins {share:.3f} against three random players"


@pytest.mark.parametrize("players", [3, 5])
@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_beats_random_with_fewer_and_more(name, players):
    games = play([name] + ["random"] * (players - 1), 40 * players)
    assert by_copy(games.win_share)[:, 0].mean() >= 0.8


def test_no_two_strategies_play_alike():
    """On the same seeds each pair of them parts in every game, and soon."""
    for first in range(4):
        played = {name: actions(batch([name] * 4, 1, first=first)) for name in STRATEGIES}
        for one, other in itertools.combinations(STRATEGIES, 2):
            assert played[one] != played[other], (one, other)


def test_no_two_strategies_build_alike():
    """They differ in more than their bids: the links built are others too."""
    used = {name: play([name] * 4, 40).usage for name in STRATEGIES}
    for one, other in itertools.combinations(STRATEGIES, 2):
        assert np.abs(used[one] - used[other]).sum() > 20, (one, other)


def among_greedy(name: str, count: int = 800):
    """Games of one strategy among three greedy players."""
    return play([name, "greedy", "greedy", "greedy"], count)


def lead_of_first(values: np.ndarray) -> tuple[float, float]:
    """By how much place 0 of the line-up leads the mean of the others, and its standard error.

    Over blocks: the rotations of a deal are not independent.
    """
    n = values.shape[1]
    lead = (values[:, 0] - values[:, 1:].mean(axis=1)).reshape(-1, n).mean(axis=1)
    return lead.mean(), lead.std(ddof=1) / np.sqrt(len(lead))


def links_completed(name: str, count: int = 80) -> np.ndarray:
    """Links each player completed on its own turns, [game, place], among three greedy players."""
    started = batch([name, "greedy", "greedy", "greedy"], count)
    links = np.zeros((count, 4))
    for game in range(count):
        state, before = started.states[game], 0
        while not state.is_over:
            player = int(state.actor)
            started.step(game)
            after = sum(int(word).bit_count() for word in state.complete.view(np.uint64).flat)
            links[game, player] += after - before
            before = after
    return by_copy(links)


@functools.cache
def own_games(name: str, what: str, count: int = 200) -> np.ndarray:
    """A figure of whole games among a strategy's copies, a mean for each deal."""
    return measure(play([name] * 4, count * 4), what).reshape(count, 16).mean(axis=1)


@pytest.mark.parametrize(
    ("name", "what"), [("collector", "shares_held"), ("upgrader", "upgrade_turns")]
)
def test_strategies_do_more_of_what_they_are_named_for(name, what):
    lead, error = lead_of_first(measure(among_greedy(name), what))
    assert lead > 0.5, f"{name}: {what} {lead:+.2f}"
    assert lead > 4 * error


def test_builder_builds_more():
    """It completes more links on its own turns, or at least builds on more of them."""
    links, links_error = lead_of_first(links_completed("builder"))
    turns, turns_error = lead_of_first(measure(among_greedy("builder"), "build_turns"))
    assert (links > 0.5 and links > 3 * links_error) or (turns > 0.5 and turns > 4 * turns_error), (
        f"builder: {links:+.2f} links and {turns:+.2f} build turns a game"
    )


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("racer", "demands_met"),
        ("collector", "auction_price"),
        ("upgrader", "metros_upgraded"),
    ],
)
def test_games_among_one_strategy_show_it(name, what):
    """Against games among greedy players on the same deals."""
    lead = own_games(name, what) - own_games("greedy", what)
    error = lead.std(ddof=1) / np.sqrt(len(lead))
    assert lead.mean() > 4 * error, f"{name}: {what} {lead.mean():+.2f}, error {error:.2f}"
