"""What the agents of every game promise: one suite for all of them."""

import numpy as np
import pytest

import agents
import sim
from agents.base import MAX_SEATS, MAX_WEIGHTS, MEMO
from sim import contract
from tests.agents.play import SEARCH, batch, digest
from tests.conformance import boards
from tests.conformance.play import game as random_game

NAMED = {
    name: [SEARCH if spec == "mcts" else spec for spec in agents.names(sim.load(name))]
    for name in sim.games()
}

every_game = pytest.mark.parametrize("name", sim.games())
every_agent = pytest.mark.parametrize(
    ("name", "spec"), [(name, spec) for name, specs in NAMED.items() for spec in specs]
)


def memo_of(game) -> int:
    """Places for what the game's heuristics keep."""
    return getattr(agents.heuristics(game), "MEMO", MEMO)


def run(kernel: str, position, weights, memo):
    """A kernel of the heuristics, and the positions' worth it leaves."""
    arguments = position.state, position.board.record, weights, memo
    return contract.run(kernel, *arguments), memo[: position.players].tolist()


@every_game
def test_parameters_and_presets_are_complete(name):
    game = sim.load(name)
    module, known = agents.heuristics(game), agents.parameters(game)
    assert len(module.PARAMETERS) <= MAX_WEIGHTS
    assert {"random", "greedy"} <= set(agents.names(game))
    for text, changes in module.PRESETS.values():
        assert text and set(changes) <= set(known)
    assert known.pop("without")[0] == ""
    assert all(np.isfinite(default) and text for default, text in known.values())


@every_agent
def test_a_named_agent_plays_to_the_end_and_by_the_rules(name, spec):
    """At every table and on every kind of board; the loop does not check what it plays."""
    game = sim.load(name)
    for players in game.players:
        board = boards.small_board(name, players)
        line_up = [spec, *["random"] * (players - 1)]
        started = batch(line_up, 1, seed=players, board=board)
        position = started.position()
        while not position.is_over and position.status == "ok":
            legal = position.legal_codes()
            assert started.step() in legal
        assert position.status == "ok"
    whole = batch(line_up, players, board=board).play()
    assert digest(whole) == digest(batch(line_up, players, board=board).play())


@every_game
def test_figures_never_depend_on_the_memo_and_stay_within_it(name):
    game = sim.load(name)
    chance, places = np.random.default_rng(1), MAX_SEATS + memo_of(game)
    named = [agents.load(spec, game) for spec in NAMED[name] if spec != "random"]
    for number in range(4):
        board = boards.board(name, number)
        players = board.game.players[number % len(board.game.players)]
        used = np.zeros(places)
        for step, (position, code) in enumerate(random_game(board, players, number)):
            if code is None or step % 29:
                continue
            agent = named[step % len(named)]
            weights = np.zeros(MAX_WEIGHTS)
            weights[: len(agent.weights)] = agent.weights
            before = position.state.tobytes()
            clean = run("evaluate", position, weights, np.zeros(places))
            # What advice leaves to chance moves its copy's stream, and nothing else.
            advised = run("advise", position.copy(), weights, np.zeros(places))[0]
            for memo in (used, chance.uniform(-1e6, 1e6, places), np.full(places, np.nan)):
                edged = np.concatenate([memo, np.full(8, 123.25)])
                assert run("evaluate", position, weights, edged) == clean
                assert run("advise", position.copy(), weights, edged)[0] == advised
                assert (edged[places:] == 123.25).all()
                used = edged[:places].copy() if memo is used else used
            assert np.isfinite(clean[1]).all()
            assert position.state.tobytes() == before


@every_game
def test_no_choice_depends_on_the_chance_to_come(name):
    game = sim.load(name)
    players = game.players[-1]
    for spec in NAMED[name]:
        true, other = (batch([spec] * players, 1, board=boards.shipped_board(name)) for _ in "ab")
        for number in range(60):
            other.states[:], other.seats[:] = true.states, true.seats
            other.progress[:] = true.progress
            other.states[0].rng = number
            assert other.step() == true.step()
