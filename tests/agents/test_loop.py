"""The one loop that plays games: nothing but seeds and agents decides what is played."""

import copy
import itertools
import json
import math
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import agents
from agents import loop
from agents.loop import Batch, Games
from sim import contract
from sim.contract import BROKEN, STATUS
from sim.errors import Mistake
from sim.game import Board
from sim.rng import step, stream
from tests.agents import naive
from tests.agents.play import (
    BOARD,
    GAME,
    SEARCH,
    STRATEGIES,
    AtRandom,
    actions,
    batch,
    by_copy,
    digest,
    plain_digests,
    play,
    python_agent,
)
from tests.conformance.boards import small_board
from tests.conformance.play import digest as fields

HOME = Path(__file__).parents[2]
BOT = python_agent(AtRandom)
# Compiled, noisy, in Python: a seat of each.
MIXED = ["greedy", BOT, "greedy:noise=0.2", "random"]


class Careful:
    """Greedy once more, in Python, by the texts a user sees."""

    agent = agents.load("greedy", GAME)

    def __init__(self, seed):
        self.random = random.Random(seed)

    def choose(self, position):
        codes = sorted(naive.greedy_choices(position, self.agent))
        return position.text(codes[self.random.randrange(len(codes))])


def bot_that(choose) -> agents.Agent:
    """An agent whose bot answers `choose(position)`."""
    bot = type("Bot", (), {"choose": lambda self, position: choose(position)})
    return python_agent(bot, takes_seed=False)


def joined(parts: list[Games]) -> Games:
    """The games of several batches, as if they had been one."""
    rows = vars(parts[0])
    return Games(
        **{
            name: sum(part.usage for part in parts)
            if name == "usage"
            else np.concatenate([getattr(part, name) for part in parts])
            for name in rows
        }
    )


# ------------------------------------------------------------------- however it is played, the same


@pytest.mark.parametrize("budget", [0, 1, 15, 97, 1_000, 20_000, 10**9])
def test_the_budget_never_affects_a_game(monkeypatch, budget):
    whole = play(MIXED, 8)
    monkeypatch.setattr(loop, "_BUDGET", budget)
    assert digest(play(MIXED, 8)) == digest(whole)


@pytest.mark.parametrize("line_up", [MIXED, [BOT] * 4, ["greedy", "racer", "random"]])
def test_step_by_step_equals_play(line_up):
    stepped = batch(line_up, 4)
    for game in range(4):
        played = actions(stepped, game)
        assert len(played) == stepped.progress[game].decisions
        assert stepped.position(game).is_over
    assert digest(stepped.results()) == digest(play(line_up, 4))


def test_step_plays_one_decision():
    stepped = batch(["random", BOT, "greedy"], 1)
    for number in itertools.count():
        assert stepped.progress[0].decisions == number
        if stepped.step() is None:
            break
    assert stepped.position().is_over
    assert number > 50


def test_step_leaves_the_other_games_alone():
    """Also when its own game has just ended, or is over."""
    stepped = batch(["random"] * 3, 2)
    other = fields(stepped.position(1))
    while stepped.step(0) is not None:
        assert fields(stepped.position(1)) == other
    assert stepped.position(0).is_over
    assert fields(stepped.position(1)) == other
    assert stepped.step(0) is None
    assert fields(stepped.position(1)) == other


def test_step_tells_the_action():
    stepped, position = batch(MIXED, 1), batch(MIXED, 1).position().copy()
    while (code := stepped.step()) is not None:
        assert fields(position.play(code)) == fields(stepped.position())
    assert position.is_over


@pytest.mark.parametrize("line_up", [MIXED, ["random"] * 5])
def test_the_size_of_a_batch_never_affects_a_game(line_up):
    whole = play(line_up, 12)
    for size in (1, 5):
        parts = [play(line_up, min(size, 12 - first), first=first) for first in range(0, 12, size)]
        assert digest(joined(parts)) == digest(whole)


def test_stopped_and_played_on(monkeypatch):
    whole = play(MIXED, 4)
    monkeypatch.setattr(loop, "_BUDGET", 500)
    stopped = batch(MIXED, 4)
    assert stopped.play(stop=lambda: True) is None
    asked, results = 0, None

    def every_third_time():
        nonlocal asked
        asked += 1
        return asked % 3 == 0

    while results is None:
        results = stopped.play(every_third_time)
    assert asked > 10
    assert digest(results) == digest(whole)


def test_threads_play_the_same():
    jobs = [(MIXED, 4, seed) for seed in range(4)]
    alone = [digest(play(*job)) for job in jobs]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(lambda job: digest(play(*job)), jobs)) == alone


def test_plain_python_plays_the_same():
    """With compilation off, in a process of its own, every numpy warning an error."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.agents.play"],
        cwd=HOME,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == plain_digests()


# ------------------------------------------------------------------------------------------- seeds


@pytest.mark.parametrize("line_up", [[name] * 4 for name in STRATEGIES] + [MIXED])
def test_same_seeds_same_games(line_up):
    assert digest(play(line_up, 4)) == digest(play(line_up, 4))


@pytest.mark.parametrize("spec", ["random", "greedy:noise=0.3", BOT])
def test_other_agent_seeds_other_games(spec):
    """The same deal, yet each game of its own."""
    played = {tuple(actions(batch([spec] * 3, 1, agent_seed=seed))) for seed in range(6)}
    assert len(played) == 6


def test_a_seat_plays_by_its_own_seed():
    """Another seed for one seat: nothing changes before it has chosen."""
    game_seeds, agent_seeds = np.array([5]), np.array([[1, 2, 3]], np.uint64)
    line_up = [[agents.load("random", GAME)] * 3]
    for seat in range(3):
        other_seeds = agent_seeds.copy()
        other_seeds[0, seat] = 99
        first = Batch(BOARD, line_up, game_seeds, agent_seeds)
        second = Batch(BOARD, line_up, game_seeds, other_seeds)
        while fields(first.position()) == fields(second.position()):
            to_move = first.position().to_move
            assert first.step() is not None
            second.step()
        assert to_move == seat


def test_other_game_seeds_other_deals():
    started = batch(["random"] * 3, 30)
    decks = {bytes(started.states[game].deck) for game in range(0, 30, 3)}
    assert len(decks) == 10
    for game in range(0, 30, 3):  # the rotations of a block share the deal
        assert len({fields(started.position(game + r)) for r in range(3)}) == 1


# ------------------------------------------------------------------------------------------ tables


def ahead(scores: list[float]) -> list[int]:
    """The seat with the highest score of all, if there is one."""
    best = [seat for seat, score in enumerate(scores) if score == max(scores)]
    return best if len(best) == 1 else []


def weighed(position, seed: int) -> tuple[bool, int]:
    """Whether the choice matters, and where the stream then stands that says what is looked at."""
    player, judge = position.to_move, agents.load("greedy", GAME)
    scale = agents.load("mcts", GAME).search["scale"]
    drawn, seed = step(seed)
    seen = position.determinized(player, drawn)
    legal = position.legal_codes()
    drawn, seed = step(seed)
    start = (drawn >> 32) * len(legal) >> 32
    looks = min(len(legal), 16)
    shares = []
    for look in range(looks):
        after = seen.copy()
        after.play(legal[(start + look * len(legal) // looks) % len(legal)])
        worth = [value / scale for value in naive.evaluate(after, judge)]
        shares.append(1 / sum(math.exp(one - worth[player]) for one in worth))
    return max(shares) - min(shares) >= 0.01, seed


def recomputed(started: Batch) -> dict:
    """The tables of a single game, worked out slowly while it is stepped through."""
    n = started.players
    decisions, options, forced, by_turn = [0] * n, [0] * n, [0] * n, {}
    leaders, deciders, seed = [], [], int(started.progress[0].rng)
    position = started.position()
    while True:
        if position.turn not in by_turn:
            by_turn[position.turn] = position.scores
            leaders += ahead(position.scores)
        seat, legal = position.to_move, position.legal_codes()
        matters, seed = weighed(position, seed) if len(legal) > 1 else (None, seed)
        if started.step() is None:
            break
        deciders.append((seat, matters))
        decisions[seat] += len(legal) > 1
        options[seat] += len(legal) if len(legal) > 1 else 0
        forced[seat] += len(legal) == 1
    leaders += ahead(position.scores)
    alive = [
        any(matters for _, matters in turn)
        for _, turn in itertools.groupby(deciders, key=lambda decided: decided[0])
    ]
    choices = [matters for _, matters in deciders if matters is not None]
    turns = position.turn
    stride = 1
    while turns // stride >= 128:  # as many samples as are kept
        stride *= 2
    samples = [by_turn[k * turns // 8 // stride * stride] for k in range(8)]
    return {
        "decisions": decisions,
        "options": options,
        "forced": forced,
        "lead_changes": sum(a != b for a, b in itertools.pairwise(leaders)),
        "dead_turns": 1 - np.mean(alive),
        "choices_that_matter": np.mean(choices),
        "turns": turns,
        "score": position.scores,
        "win_share": position.payoffs,
        "end_reason": GAME.end_reasons.index(position.end_reason),
        "trajectory": [*samples, position.scores],
        "measures": list(position.measures().values()),
    }


def compare(games: Games, expected: dict) -> None:
    for name, values in expected.items():
        found = getattr(games, name)[0]
        assert np.allclose(found, values, rtol=0, atol=1e-12, equal_nan=True), name


@pytest.mark.parametrize("line_up", [MIXED, ["greedy"] * 3, ["random"] * 5, [BOT] * 3])
def test_tables_equal_a_slow_count(line_up):
    for first in range(3):
        which = {"first": first, "weighed": True}
        compare(play(line_up, 1, **which), recomputed(batch(line_up, 1, **which)))


@pytest.mark.parametrize("line_up", [MIXED, ["greedy", BOT, "random"]])
def test_weighing_choices_changes_no_game(line_up):
    plain, seen = play(line_up, 6), play(line_up, 6, weighed=True)
    assert np.isnan(plain.dead_turns).all() and np.isnan(plain.choices_that_matter).all()
    assert seen.dead_turns.min() > 0 and seen.dead_turns.max() < 1
    for name in ("win_share", "score", "decisions", "options", "forced", "lead_changes", "turns"):
        assert (getattr(plain, name) == getattr(seen, name)).all()


def long_board(shares: int) -> Board:
    """Every link takes four cubes, and nothing ends a game but that all is built and sold."""
    document = copy.deepcopy(BOARD.document)
    for link in document["link"]:
        link["segments"] = 4
    settings = {"starting_money": 1000, "minimum_bid": 1, "shares_per_railroad": shares}
    settings |= {"cubes_per_railroad": 60, "railroads_out_of_cubes": 5, "dividend_every": 100}
    return GAME.board_from(document, "long board", settings)


def one_cube_at_a_time(position):
    """Makes a game long: bids little, and never places a second cube."""
    legal = position.legal()
    for text in ("pass", "stop"):
        if text in legal:
            return text
    return legal[stream(position.turn, len(legal)) % len(legal)]


@pytest.mark.parametrize(("shares", "least"), [(5, 128), (20, 256)])
def test_long_games_keep_every_second_or_fourth_turn(shares, least):
    slow = bot_that(one_cube_at_a_time)
    board = long_board(shares)
    games = play([slow, slow, slow], 1, board=board, weighed=True)
    assert games.turns[0] >= least
    compare(games, recomputed(batch([slow, slow, slow], 1, board=board, weighed=True)))


def test_usage_counts_games_in_which_a_link_is_used():
    whole = play(["greedy"] * 4, 6)
    alone = [play(["greedy"] * 4, 1, first=game).usage for game in range(6)]
    assert set(np.concatenate(alone)) <= {0, 1}
    assert whole.usage.tolist() == sum(alone).tolist()
    assert len(whole.usage) == len(BOARD.elements)


def test_win_shares_add_up():
    for line_up in (MIXED, ["random"] * 5, ["greedy"] * 3):
        games = play(line_up, 24)
        assert games.win_share.sum(axis=1) == pytest.approx(np.ones(24))
        assert games.win_share.min() >= 0
        assert set(games.status) == {0}
        assert set(games.offender) == {-1}
        assert set(games.end_reason) <= set(range(len(GAME.end_reasons)))
        assert (games.trajectory[:, -1] == games.score).all()
        assert (games.trajectory[:, 0] == BOARD.new(len(line_up)).scores[0]).all()


def test_seats_are_not_mixed_up():
    """What an agent is known for stays with its seat, whatever the rotation."""
    first = bot_that(lambda position: position.legal()[0])
    games = play([first, "greedy", "random", "random"], 40)
    counted = by_copy(games.decisions)
    assert (counted > 0).all()
    share = by_copy(games.win_share).mean(axis=0)
    assert share.argmax() == 1
    assert share[1] > 0.8


@pytest.mark.parametrize("players", [1, 2, 6])
def test_wrong_number_of_players(players):
    with pytest.raises(Mistake, match=f"cannot be played by {players}"):
        batch(["random"] * players, 1)


# ---------------------------------------------------------------------------------------- statuses


def status(games: Games) -> list[str]:
    return [STATUS[number] for number in games.status]


@pytest.mark.parametrize(
    "answer", ["fly", "", "bid 4", "bid 99999", "stop", "build x y", -1, 2**31, 10**30]
)
def test_illegal_move(answer):
    games = play([bot_that(lambda position: answer), "greedy", "random"], 3)
    assert status(games) == ["illegal"] * 3
    assert games.offender.tolist() == [0, 1, 2]
    told = repr(answer) if isinstance(answer, str) else f"The action code {answer} "
    assert all(failure.startswith(told) for failure in games.failure)
    assert games.end_reason.tolist() == [-1] * 3
    assert by_copy(games.win_share).tolist() == [[0, 0.5, 0.5]] * 3


def fail(position):
    if position.turn >= 10:
        raise ZeroDivisionError("by design")
    return position.legal()[0]


@pytest.mark.parametrize(
    "choose",
    [fail, lambda position: None, lambda position: [1, 2], lambda position: position.no_such_thing],
)
def test_bot_that_fails(choose):
    started = batch(["random", bot_that(choose), "random", "greedy"], 4)
    games = started.play()
    assert status(games) == ["failed"] * 4
    assert games.offender.tolist() == [1, 2, 3, 0]
    assert by_copy(games.win_share) == pytest.approx(np.array([[1 / 3, 0, 1 / 3, 1 / 3]] * 4))
    assert games.end_reason.tolist() == [-1] * 4
    for failure in started.failure:
        assert failure.split(":")[0] in ("ZeroDivisionError", "TypeError", "AttributeError")


def test_a_fault_stops_its_own_game_alone():
    """Those before and after it are played as ever."""
    count = 6
    usual = batch(["random", BOT, "random"], count)
    faulty = batch(["random", BOT, "random"], count)
    place = next(place for place in faulty.python if place[0] == 2)
    faulty.python[place] = bot_that(fail).make(0)
    usual, faulty = usual.play(), faulty.play()
    assert status(faulty) == ["ok", "ok", "failed", "ok", "ok", "ok"]
    others = [0, 1, 3, 4, 5]
    assert (usual.trajectory[others] == faulty.trajectory[others]).all()
    assert (usual.decisions[others] == faulty.decisions[others]).all()
    assert len(faulty.score) == count


@pytest.mark.parametrize("line_up", [["greedy", "random", "random"], [BOT] * 3, MIXED])
@pytest.mark.parametrize("budget", [0, 10**9])
def test_too_long(monkeypatch, line_up, budget):
    """Stopped at the limit to the decision, and decided by the scores, ties sharing."""
    limit = 60
    monkeypatch.setattr(GAME.rules, "MAX_DECISIONS", limit)
    monkeypatch.setattr(loop, "_BUDGET", budget)
    started = batch(line_up, 6)
    games = started.play()
    assert status(games) == ["too long"] * 6
    assert started.progress.decisions.tolist() == [limit] * 6
    assert set(games.offender) == {-1}
    assert set(games.end_reason) == {-1}
    best = games.score == games.score.max(axis=1, keepdims=True)
    assert games.win_share == pytest.approx(best / best.sum(axis=1, keepdims=True))
    assert (games.trajectory[:, -1] == games.score).all()


def test_too_long_in_the_first_auction(monkeypatch):
    monkeypatch.setattr(GAME.rules, "MAX_DECISIONS", 0)
    games = play(["random"] * 4, 2)
    assert status(games) == ["too long"] * 2
    assert (games.win_share == 0.25).all()
    assert set(games.turns) == {0}


def test_a_game_as_long_as_the_limit_is_no_longer_than_it(monkeypatch):
    started = batch(["random"] * 3, 1)
    whole = started.play()
    needed = int(started.progress[0].decisions)
    monkeypatch.setattr(GAME.rules, "MAX_DECISIONS", needed)
    assert digest(play(["random"] * 3, 1)) == digest(whole)
    monkeypatch.setattr(GAME.rules, "MAX_DECISIONS", needed - 1)
    assert status(play(["random"] * 3, 1)) == ["too long"]


def test_broken_rules_stop_their_game_alone():
    started = batch(MIXED, 3)
    started.states[1].status = BROKEN
    games = started.play()
    assert status(games) == ["ok", "broken", "ok"]
    assert games.win_share.sum(axis=1) == pytest.approx(np.ones(3))
    assert games.turns[1] == 0


# -------------------------------------------------------------------------------- agents in Python


def test_a_random_bot_plays_everywhere():
    for players in GAME.players:
        for board in (BOARD, small_board("westward-rails", 1)):
            games = play([BOT] + ["greedy"] * (players - 1), players, board=board)
            assert set(games.status) == {0}


def test_a_random_bot_plays_like_random():
    """As good as compiled random play, within five standard errors."""
    games = play([BOT, "random", "random", "random"], 200)
    share = by_copy(games.win_share)[:, 0]
    assert abs(share.mean() - 0.25) < 5 * share.std() / np.sqrt(len(share))


def test_codes_and_texts_are_the_same_to_a_bot():
    by_text = bot_that(lambda position: position.legal()[-1])
    by_code = bot_that(lambda position: int(position.legal_codes()[-1]))
    by_numpy = bot_that(lambda position: position.legal_codes()[-1])
    played = {digest(play([bot, "greedy", "random"], 3)) for bot in (by_text, by_code, by_numpy)}
    assert len(played) == 1


def test_bots_are_asked_only_where_there_is_a_choice():
    asked = []

    def choose(position):
        asked.append(len(position.legal_codes()))
        return position.legal()[0]

    games = play([bot_that(choose)] * 3, 3)
    assert min(asked) >= 2
    assert len(asked) == games.decisions.sum()


def test_what_a_bot_does_to_its_copy_changes_nothing():
    """Scribbled over, or played on: the answer counts as before."""

    def last(position):
        return int(position.legal_codes()[-1])

    def scribbler(position):
        code = last(position)
        position.state.view(np.uint8)[:] = 0x55
        return code

    def player(position):
        code = last(position)
        position.play(code)
        return code

    def player_of_texts(position):
        text = position.legal()[-1]
        position.play(text)
        return text

    honest = digest(play([bot_that(last), "greedy", "random"], 3))
    for choose in (scribbler, player, player_of_texts):
        games = play([bot_that(choose), "greedy", "random"], 3)
        assert status(games) == ["ok"] * 3, choose.__name__
        assert digest(games) == honest


def test_a_bot_never_sees_the_true_position():
    """Its copy shares no memory, has another stream, and often another order of the stack."""
    started = batch([BOT, "random", "random"], 1)
    true = started.position()
    kept, orders = [], []

    class Watcher:
        def __init__(self, inner):
            self.inner = inner

        def choose(self, position):
            kept.append(position)
            assert position.observe(0).tolist() == true.observe(0).tolist()
            assert not np.shares_memory(position.state, started.states)
            assert position.state["rng"] != true.state["rng"]
            assert position.legal() == true.legal()
            orders.append(position.state.deck.tolist() != true.state.deck.tolist())
            return self.inner.choose(position)

    started.python = {place: Watcher(bot) for place, bot in started.python.items()}
    games = started.play()
    assert started.failure == [""]
    assert digest(games) == digest(play([BOT, "random", "random"], 1))
    assert np.mean(orders) > 0.5
    assert len({id(position.state) for position in kept}) == len(kept)


def hide_otherwise(started: Batch, seed: int) -> None:
    """Another stream of chance and another order of the cards nobody has seen."""
    state = started.states[0]
    state.rng = stream("another", seed)
    letters = [demand["letter"] for demand in BOARD.document["demand"]]
    first = int(state.deck_next) + 1
    hidden = [int(card) for card in state.deck[first : len(letters)]]
    random.Random(seed).shuffle(hidden)
    hidden.sort(key=lambda card: letters[card])
    state.deck[first : len(letters)] = hidden


@pytest.mark.parametrize(
    "spec",
    ["random", *STRATEGIES, "greedy:noise=0.2", SEARCH, BOT, python_agent(Careful)],
    ids=lambda spec: getattr(spec, "spec", spec),
)
def test_no_choice_depends_on_what_is_hidden(spec):
    """Every decision once more, with the hidden part changed: the same action."""
    line_up = [spec, spec, spec]
    true, other = batch(line_up, 1), batch(line_up, 1)
    changed = 0
    for number in range(10_000):
        other.states[:], other.progress[:] = true.states, true.progress
        other.seats[:] = true.seats
        for place, bot in true.python.items():
            other.python[place].random.setstate(bot.random.getstate())
        hide_otherwise(other, number)
        changed += other.states[0].deck.tolist() != true.states[0].deck.tolist()
        expected = true.step()
        assert other.step() == expected
        if expected is None:
            break
    assert true.position().is_over
    assert changed > 20


@pytest.mark.parametrize("name", STRATEGIES)
def test_greedy_equals_its_slow_twin(name):
    """Whole games: what is played is what the twin would play, or of equal worth."""
    agent = agents.load(name, GAME)
    several = 0
    for first in range(2):
        started = batch([name, name, "random"], 1, first=first)
        while not started.position().is_over:
            position, seat = started.position().copy(), started.position().to_move
            drawn, _ = step(int(started.seats[0, seat].rng))
            code = started.step()
            if (seat - first) % 3 == 2 or len(position.legal_codes()) == 1:
                continue
            choices = naive.greedy_choices(position.determinized(seat, drawn), agent)
            assert code in choices
            several += len(choices) > 1
    assert several > 0


def test_a_python_twin_is_as_good_as_greedy():
    """The same choices up to ties, so the same strength; neither follows the other at the table."""
    games = play([python_agent(Careful), "random", "greedy", "random"], 32)
    assert set(games.status) == {0}
    share = by_copy(games.win_share).mean(axis=0)
    assert share[0] + share[2] > 0.9
    assert abs(share[0] - share[2]) < 0.5


def test_ties_are_drawn_evenly():
    """Greedy without weights finds all actions of equal worth: it plays any of them alike."""
    none = ":".join(f"{key}=0" for key in agents.heuristics(GAME).PARAMETERS)
    played = {
        tuple(actions(batch([f"greedy:{none}"] * 3, 1, agent_seed=seed))) for seed in range(8)
    }
    assert len(played) == 8
    first_builds = set()
    for seed in range(40):
        started = batch([f"greedy:{none}"] * 3, 1, agent_seed=seed)
        while started.position().turn == 0:
            started.step()
        first_builds.add((started.position().legal_codes().tobytes(), started.step()))
    assert len(first_builds) > 10


def test_kernels_of_the_heuristics_are_known_to_the_loop():
    """`evaluate` and `advise` are reached by the state's type, like the rules."""
    agents.heuristics(GAME)
    for name in agents.base.HEURISTICS:
        assert (GAME.rules.STATE, name) in contract._FUNCTIONS
