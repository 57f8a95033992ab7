"""Tree search: finds what trying everything finds, adds up, and depends on nothing it must not."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest

import agents
import sim
from agents.analysis import Analysis
from agents.loop import Batch
from agents.mcts import NODE
from experiments.plan import Plan
from experiments.runner import run
from sim import maths
from sim.game import Position
from sim.rng import stream
from tests.agents import naive_search
from tests.agents.play import BOARD, GAME, actions, batch, digest, play
from tests.conformance import boards
from tests.conformance.play import game as random_game

# Settings that make a small game shorter still.
SHORT = {"railways-of-the-world": {"max_turns": 1}}

# Short random games near whose end `solved` finds something, which is rare: found by trying all.
# After a change of the rules others may be wanted.
DECISIVE = {
    "westward-rails": (105, 381, 509, 551),
    "railways-of-the-world": (175, 279),
    "great-western-trail": (208, 302, 1742, 1831),
}

every_game = pytest.mark.parametrize("name", sim.games())


def searching(position: Position, spec: str, seed: int = 1) -> Batch:
    """A batch of one game that stands at the position; the seat to move searches."""
    agent = agents.load(spec, position.game)
    started = Batch(
        position.board,
        [[agent] * position.players],
        np.array([1]),
        np.array([[stream(seed, seat) for seat in range(position.players)]], np.uint64),
    )
    started.states[0] = position.state[0]
    return started


def children(started: Batch, seat: int, parent: int = 0) -> list[int]:
    """Numbers of the nodes below a node."""
    nodes, found = started._search.nodes[seat], []
    child = int(nodes[parent].first)
    while child >= 0:
        found.append(child)
        child = int(nodes[child].next)
    return found


def solved(name: str):
    """Positions near the end of small games, solved: of each game the one with the longest line.

    Each choice of the line is the only best one, and all of it is the same whatever is hidden.
    """
    for number in DECISIVE.get(name, range(400)):
        document, settings = boards.SMALL[name](number % 8)
        board = sim.load(name).board_from(document, "small board", settings | SHORT.get(name, {}))
        players = board.game.players[number % 3]
        played = [position.copy() for position, _ in random_game(board, players, number)]
        longest = None
        for position in played[-2:-60:-1]:
            if len(position.legal_codes()) < 2:
                continue
            seat = position.to_move
            try:
                solution = naive_search.solve(position.determinized(seat, 0), 600)
            except naive_search.TooLarge:
                break
            if not solution.line or (longest and len(solution.line) <= len(longest[1].line)):
                continue
            hidden = (position.determinized(seat, seed) for seed in range(1, 9))
            if all(naive_search.solve(other, 9_999) == solution for other in hidden):
                longest = position, solution
        if longest:
            yield longest


@every_game
def test_it_finds_the_best_line_of_solved_positions(name):
    """At every choice of the line; its shares come ever nearer to the solution's."""
    errors = {500: [], 5_000: [], 50_000: []}
    positions = list(itertools.islice(solved(name), 4))
    assert len(positions) >= 2 and max(len(solution.line) for _, solution in positions) >= 2
    for position, solution in positions:
        seat = position.to_move
        (shares,) = solution.actions[solution.line[0]]
        for iterations, found in errors.items():
            plain = "playout=random:depth=0:trust=0:widening=2:c=0.5"
            started = searching(position, f"mcts:iterations={iterations}:{plain}")
            assert started.step() == solution.line[0]
            nodes, node, line = started._search.nodes[seat], 0, []
            while len(line) < len(solution.line):
                node = max(children(started, seat, node), key=lambda child: nodes[child].visits)
                line.append(int(nodes[node].action))
                mean = started._search.values[seat, node] / nodes[node].visits
                found.append(np.abs(mean - shares).max())
            assert tuple(line) == solution.line
    few, more, most = (np.mean(found) for found in errors.values())
    assert few > 1.5 * more > 2.25 * most
    assert max(errors[50_000]) < 0.05


@every_game
@pytest.mark.parametrize("settings", [":reuse=0", ":reuse=1", ":paranoid=1:playout=random"])
def test_no_choice_depends_on_what_the_searcher_cannot_know(name, settings):
    """Before every decision all that is hidden from who decides is drawn anew: the same action."""
    changed = 0
    for number in range(3):
        board = boards.board(name, number)
        line_up = [f"mcts:iterations=8:depth=4{settings}"] * board.game.players[-1]
        true, other = batch(line_up, 1, board=board), batch(line_up, 1, board=board)
        for decision in range(400):
            other.seats[:], other.progress[:] = true.seats, true.progress
            for mine, theirs in zip(other._search, true._search, strict=True):
                mine[:] = theirs
            position = true.position()
            other.states[0] = position.determinized(position.to_move, decision).state[0]
            differing = [
                field
                for field in true.states.dtype.names
                if true.states[field].tolist() != other.states[field].tolist()
            ]
            changed += len(differing) > 1  # more than the chance to come
            expected = true.step()
            assert other.step() == expected
            if expected is None:
                break
    assert changed > 100


@every_game
def test_threads_and_processes_play_the_same(name, tmp_path):
    """With one, two or three workers; trees that are kept and paranoid ones too."""
    short = "mcts:iterations=5:depth=4:reuse=0"
    players_of = sim.load(name).options.players_of
    settings = boards.SETTINGS[name][0].items()
    plan = Plan.build(
        {
            "game": name,
            "players": 3,
            "agents": [
                short,
                short.replace("reuse=0", "reuse=1"),
                f"{short}:paranoid=1:playout_noise=0.5",
            ],
            "games": 12,
            "settings": {key: value for key, value in settings if players_of(key) in (None, 3)},
        }
    )
    alone = run(plan, tmp_path / "alone", workers=1).table()
    assert set(alone.status) == {"ok"} and alone.decisions.nunique() > 3
    for backend in ("threading", "loky"):
        for workers in (2, 3):
            folder = tmp_path / f"{backend} {workers}"
            found = run(plan, folder, workers=workers, backend=backend).table()
            pd.testing.assert_frame_equal(found, alone)


def test_a_node_is_small():
    """Below 64 bytes beside the values."""
    assert NODE.itemsize < 64


@every_game
def test_visits_and_shares_add_up(name):
    board = boards.shipped_board(name)
    position = board.new(3)
    while len(position.legal_codes()) < 3 or position.turn < 1:
        position.play(int(position.legal_codes()[0]))
    seat = position.to_move
    started = searching(position, "mcts:iterations=60:depth=5")
    assert started.step() in position.legal_codes()
    nodes = started._search.nodes[seat]
    root, after = nodes[0], [nodes[child] for child in children(started, seat)]
    assert started._search.trees[seat].used <= len(nodes)
    assert root.visits == 60 == sum(node.visits for node in after)
    assert {int(node.action) for node in after} >= set(position.legal_codes().tolist())
    assert all(node.visits <= node.available <= 60 for node in after)
    assert sum(node.prior for node in after[: len(position.legal_codes())]) == pytest.approx(1)
    priors = [node.prior for node in after]
    assert priors == sorted(priors, reverse=True)
    used = int(started._search.trees[seat].used)
    totals = started._search.values[seat, :used].sum(axis=1)
    assert totals == pytest.approx(nodes[:used].visits)


@pytest.mark.parametrize(
    "settings", ["", ":reuse=1", ":paranoid=1", ":playout=random", ":noise=0.3:playout_noise=0.5"]
)
def test_what_it_plays_never_depends_on_how_often_it_is_interrupted(settings):
    """A call that has no budget does one iteration; the whole game is the same."""
    line_up = [f"mcts:iterations=12:depth=6{settings}", "greedy", "random"]
    step_by_step = batch(line_up, 1)
    played = actions(step_by_step)
    whole = batch(line_up, 1)
    games = whole.play()
    assert digest(step_by_step.results()) == digest(games)
    assert len(played) == whole.progress.decisions[0]
    assert digest(games) == digest(play(line_up, 1))
    assert digest(games) != digest(play(line_up, 1, agent_seed=2))


def test_a_tree_is_kept_where_that_is_wished():
    """A decision begins with the iterations that tried its actions before, and does the others."""
    line_up = ["mcts:iterations=40:depth=5:reuse=1:trust=0", "greedy", "greedy"]
    started, begun = batch(line_up, 1), []
    tree, nodes = started._search.trees[0], started._search.nodes[0]
    while not started.position().is_over:
        is_kept = tree.game == 0 and tree.decisions == started.progress[0].decisions
        is_choice = len(started.position().legal_codes()) > 1
        if started.position().to_move == 0 and is_kept and is_choice:
            root, child, tried = nodes[tree.root], int(nodes[tree.root].first), 0
            legal = started.position().legal_codes()
            while child >= 0:
                tried += int(nodes[child].visits) * (nodes[child].action in legal)
                child = int(nodes[child].next)
            before = int(root.visits)
            begun.append(tried)
            started.step()
            assert root.visits - before == max(40 - tried, 1)
        else:
            started.step()
    assert sum(tried > 0 for tried in begun) > 10
    assert digest(play(line_up, 2)) != digest(
        play([line_up[0].replace(":reuse=1", "")] + line_up[1:], 2)
    )


def test_a_kept_tree_never_plays_what_was_legal_with_other_cards():
    """Though it was tried more than all else; and its visits count for nothing."""
    position = BOARD.new(3)
    while len(position.legal_codes()) < 6:
        position.play(int(position.legal_codes()[0]))
    seat, legal = position.to_move, set(position.legal_codes().tolist())
    started = searching(position, "mcts:iterations=40:depth=3:reuse=1")
    favourite = started.step()
    nodes, tree = started._search.nodes[seat], started._search.trees[seat]
    child = next(child for child in nodes[1 : tree.used] if child.action == favourite)
    kept = 40 - child.visits
    child.action = next(code for code in range(999) if code not in legal)
    started.states[0] = position.state[0]
    started.progress[0].decisions = 0
    tree.root, tree.game, tree.decisions = 0, 0, 0
    assert started.step() in legal
    assert nodes[0].visits == 40 + 40 - kept


@pytest.mark.parametrize("reuse", [0, 1])
def test_one_iteration_is_enough_to_play(reuse):
    """However many actions are legal, the root has room for them."""
    board = boards.shipped_board("railways-of-the-world")
    line_up = [f"mcts:iterations=1:depth=1:reuse={reuse}", "random"]
    assert set(play(line_up, 2, board=board).status) == {0}


def test_few_actions_are_admitted_where_the_prior_is_trusted():
    position = BOARD.new(3)
    while len(position.legal_codes()) < 12:
        position.play(int(position.legal_codes()[0]))
    for widening, most in (("0.2", 4), ("1", 10), ("9", 99)):
        started = searching(position, f"mcts:iterations=64:depth=3:trust=0:c=9:widening={widening}")
        seat = position.to_move
        started.step()
        nodes = started._search.nodes[seat]
        tried = sum(nodes[child].visits > 0 for child in children(started, seat))
        assert tried <= most
    assert tried >= 12


def test_leaves_grow_when_they_are_ripe():
    """Before that the tree is the root and its actions."""
    position = BOARD.new(3)
    while len(position.legal_codes()) < 6:
        position.play(int(position.legal_codes()[0]))
    for ripe, grows in (("41", False), ("1", True)):
        started = searching(position, f"mcts:iterations=40:depth=3:ripe={ripe}")
        started.step()
        used = int(started._search.trees[position.to_move].used)
        assert (used > 1 + len(position.legal_codes())) == grows


def test_playouts_may_look_at_a_few_actions_only():
    """As many as there can be is all of them; of one there is no choice."""
    line_up = ["mcts:iterations=20:depth=10:playout_looks={}", "greedy", "greedy"]
    every, most, few, one, uniform = (
        digest(play([line_up[0].format(looks), *line_up[1:]], 1))
        for looks in ("0", "100000", "3", "1", "0:playout=random")
    )
    assert every == most and len({every, few, one, uniform}) == 4


def test_a_paranoid_searcher_plays_otherwise():
    line_up = ["mcts:iterations=30:depth=10:trust=0", "greedy", "greedy"]
    other = ["mcts:iterations=30:depth=10:trust=0:paranoid=1", "greedy", "greedy"]
    assert digest(play(line_up, 1)) != digest(play(other, 1))


def test_it_beats_greedy():
    games = play(["mcts:iterations=40", "greedy", "greedy", "greedy"], 16)
    share = [games.win_share[game, game % 4] for game in range(16)]
    assert set(games.status) == {0}
    assert np.mean(share) > 0.4


def test_analysis_tells_what_the_search_found():
    """Moves by visits, with lines that can be played; the agent itself would play the first."""
    position = BOARD.new(3)
    while len(position.legal_codes()) < 6:
        position.play(int(position.legal_codes()[0]))
    spec = "mcts:iterations=200:depth=10:trust=0:c=0.1"
    analysis = Analysis(position, agents.load(spec, GAME))
    assert analysis.done == 0
    analysis.go_on(0)
    assert analysis.done == 1
    while not analysis.is_done:
        analysis.go_on(1_000)
    moves = analysis.moves()
    assert analysis.done == 200 == sum(move.visits for move in moves)
    assert [move.visits for move in moves] == sorted((m.visits for m in moves), reverse=True)
    assert sorted(move.action for move in moves) == sorted(position.legal())
    assert all(sum(move.win_share) == pytest.approx(1) for move in moves if move.visits)
    assert len(moves[0].line) > 0


def test_where_one_action_may_be_chosen_there_is_nothing_to_analyse():
    """By the rules, or by what the agent may not choose; else it searches among the others."""
    position = GAME.new(3, starting_money=6)
    assert position.legal() == ["pass", "bid 5", "bid 6"]
    analysis = Analysis(position, agents.load("mcts:iterations=9:without=bid 5", GAME))
    while not analysis.is_done:
        analysis.go_on()
    assert sorted(move.action for move in analysis.moves()) == ["bid 6", "pass"]
    with pytest.raises(sim.errors.Mistake, match="only one action may be chosen"):
        Analysis(position, agents.load("mcts:iterations=9:without=bid", GAME))
    while len(position.legal_codes()) > 1:
        position.play(position.legal()[-1])
    with pytest.raises(sim.errors.Mistake, match="only one action may be chosen"):
        Analysis(position, agents.load("mcts:iterations=9", GAME))


def test_own_exp_is_exact_to_fifteen_digits():
    for x in [*np.linspace(-30, 30, 4001), -700.0, 700.0, 0.0, 1e-9, -1e-9]:
        assert maths.exp(float(x)) == pytest.approx(math.exp(x), rel=2e-15)
    assert maths.exp(-1e9) == maths.exp(-700.0) and maths.exp(1e9) == maths.exp(700.0)
    values = [maths.exp(x) for x in np.linspace(-5, 5, 999)]
    assert values == sorted(values)


@pytest.mark.parametrize(
    ("spec", "part"),
    [
        ("mcts:iterations=0", "iterations=0 should be a whole number from 1 to 1,000,000"),
        ("mcts:iterations=2.5", "should be a whole number from 1 to 1,000,000"),
        ("mcts:c=-1", "c=-1 should be a finite number, 0 or more"),
        ("mcts:trust=2", "trust=2 should be a number from 0 to 1"),
        ("mcts:scale=0", "scale=0 should be a finite number, 0.001 or more"),
        ("mcts:paranoid=yes", "paranoid=yes should be a number"),
        ("mcts:playout=gredy", "no strategy 'gredy'; the nearest is 'greedy'"),
        ("mcts:playout", "write playout=STRATEGY"),
        ("mcts:iteration=9", "no parameter 'iteration'; the nearest is 'iterations'"),
    ],
)
def test_wrong_parameters(spec, part):
    with pytest.raises(sim.errors.Mistake) as mistake:
        agents.load(spec, GAME)
    assert part in str(mistake.value) and repr(spec) in str(mistake.value)


def test_parameters_reach_the_seat():
    agent = agents.load("mcts:iterations=7:playout=racer:c=0.25:depth=3", GAME)
    started = searching(BOARD.new(3), agent.spec)
    seat = started.seats[0, 0]
    assert (seat.iterations, seat.c, seat.depth) == (7, 0.25, 3)
    assert seat.playout == list(agents.heuristics(GAME).PRESETS).index("racer")
    assert agents.load("mcts:playout=random", GAME).search["playout"] == -1
    assert agents.load("mcts", GAME).parameters != agents.load("mcts:c=2", GAME).parameters
