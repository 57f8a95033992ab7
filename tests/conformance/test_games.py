"""What every game of the lab promises: one suite they all pass."""

import itertools
import json
import os
import pickle
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import sim
from agents.base import MAX_SEATS
from experiments.store import COLUMNS
from sim import contract, replay
from sim.options import ByPlayers
from tests.conformance import boards, play

HOME = Path(__file__).parents[2]
CODES_READ = 40  # of a position with more legal actions, so many are read back

every_game = pytest.mark.parametrize("name", sim.games())
some_games = pytest.mark.parametrize("number", range(6))


def start(name, number, seed=None):
    """A board, a player count and a seed: another of each with every number."""
    board = boards.board(name, number)
    counts = board.game.players
    return board, counts[number % len(counts)], 1000 + number if seed is None else seed


def fields(state):
    return {name: state[name].tolist() for name in state.dtype.names}


def subprocess_games(name, kind, count, **environment):
    """What `tests.conformance.play` prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.conformance.play", name, kind, str(count)],
        cwd=HOME,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# ------------------------------------------------------------------------------------ the records


@every_game
def test_record_has_what_generic_code_reads(name):
    """The common fields are there, and no unsigned field but the stream (numpy would wrap it)."""
    rules = sim.load(name).rules
    assert set(contract.STATE_FIELDS) <= set(rules.STATE.names)
    assert rules.STATE["rng"] == np.uint64
    for dtype in (rules.STATE, rules.BOARD):
        kinds = {field: dtype[field].base.kind for field in dtype.names if field != "rng"}
        assert set(kinds.values()) <= {"i", "f"}, kinds


@every_game
def test_game_states_its_limits_and_figures(name):
    game = sim.load(name)
    rules = game.rules
    assert game.players[-1] <= min(rules.MAX_PLAYERS, MAX_SEATS)
    assert rules.MAX_LEGAL > 0
    assert 0 < rules.MAX_CODE < 2**31
    assert rules.MAX_DECISIONS > 0
    for names in (rules.END_REASONS, [measure.name for measure in rules.MEASURES]):
        assert len(set(names)) == len(names) > 0
    assert all(measure.unit and measure.text for measure in rules.MEASURES)
    assert not {measure.name for measure in rules.MEASURES} & set(COLUMNS)
    assert game.score_unit and game.element and game.assumptions


@every_game
def test_options_have_units_and_an_entry_for_every_player_count(name):
    game = sim.load(name)
    options = game.board().options
    assert options.batch_fault() is None
    for key, value in options:
        unit = game.options.unit_of(key)
        assert unit == "" or unit.startswith("$") or isinstance(value, int), key
        if isinstance(value, ByPlayers):
            assert list(value.model_dump(by_alias=True)) == [*map(str, game.players)], key


@every_game
def test_an_equal_state_is_refused(name):
    """Two games with one record type could not be told apart."""
    rules = sim.load(name).rules
    twin = types.ModuleType("twin")
    vars(twin).update(vars(rules))
    twin.__name__ = "twin"
    twin.STATE = pickle.loads(pickle.dumps(rules.STATE))
    assert twin.STATE == rules.STATE
    for kernel in contract.RULES:
        setattr(twin, kernel, lambda *arguments: None)
    with pytest.raises(ValueError, match="twin"):
        contract.register(twin)
    position = boards.small_board(name).new(sim.load(name).players[0])
    assert len(position.legal_codes()) > 0  # the first game is still the one known


# ---------------------------------------------------------------------------------------- the deal


@every_game
@some_games
def test_setup_writes_every_field(name, number):
    """A record that is used again, whatever it holds, deals the same game as a new one."""
    board, players, seed = start(name, number)
    fresh = board.new(players, seed).state
    for garbage in (0x55, 0xFF):
        used = np.full(fresh.nbytes, garbage, np.uint8).view(fresh.dtype).view(np.recarray)
        contract.run("setup", used, board.record, players, seed)
        assert fields(used) == fields(fresh)


@every_game
@some_games
def test_same_seed_same_game_and_another_seed_another(name, number):
    board, players, seed = start(name, number)
    assert board.new(players, seed) == board.new(players, seed)
    digests = {play.digest(board.new(players, other)) for other in range(20)}
    assert len(digests) == 20


# -------------------------------------------------------------------------------------- the actions


@every_game
@some_games
def test_codes_and_texts(name, number):
    """Codes are distinct and within their limits; each has a text that is read back as the code."""
    board, players, seed = start(name, number)
    rules = board.game.rules
    texts = {}
    for position, code in play.game(board, players, seed):
        codes = position.legal_codes().tolist()
        assert position.status == "ok"
        if code is None:
            assert codes == []
            break
        assert 0 < len(codes) <= rules.MAX_LEGAL
        assert len(set(codes)) == len(codes)
        assert all(0 <= code < rules.MAX_CODE for code in codes)
        for code in {*codes[:: len(codes) // CODES_READ + 1], codes[-1]}:
            text = position.text(code)
            assert position.code(text) == code
            assert texts.setdefault(text, code) == code  # codes mean the same all game long
    assert len(texts) == len(set(texts.values()))


@every_game
@some_games
def test_legal_actions_changes_nothing(name, number):
    board, players, seed = start(name, number)
    for position, _ in play.game(board, players, seed):
        before = position.copy()
        codes = position.legal_codes()
        position.scores, position.payoffs, position.measures(), position.observe(0)
        usage = np.zeros(len(board.elements), np.int64)
        contract.run("usage", position.state, board.record, usage)
        # The path a route search walks is scratch space; what is played is not to depend on it.
        assert position.legal_codes().tolist() == codes.tolist()
        assert position.to_move == before.to_move
        assert position.scores == before.scores


@every_game
@some_games
def test_copy_is_equal_and_independent(name, number):
    board, players, seed = start(name, number)
    for position, code in itertools.islice(play.game(board, players, seed), 0, None, 7):
        if code is None:
            break
        copy = position.copy()
        before = position.state.tobytes()
        assert copy == position
        assert copy.state is not position.state
        copy.play(code)
        assert position.state.tobytes() == before
        again = position.copy().play(code)
        assert fields(again.state) == fields(copy.state)


@every_game
@some_games
def test_board_is_not_written(name, number):
    board, players, seed = start(name, number)
    before = board.record.tobytes()
    for position, _ in play.game(board, players, seed):
        position.determinized(position.to_move, 1)
    assert board.record.tobytes() == before


# ------------------------------------------------------------------------------------- the figures


@every_game
@some_games
def test_payoffs_scores_measures_and_usage(name, number):
    board, players, seed = start(name, number)
    used = np.zeros(len(board.elements), np.int64)
    for position, code in play.game(board, players, seed):
        assert sum(position.payoffs) == pytest.approx(1)
        assert min(position.payoffs) >= 0
        assert np.isfinite(position.scores).all()
        for measure in board.game.measures:
            row = position.measures()[measure.name]
            assert len(row) == players
            assert not np.isinf(row).any()
            if not measure.per_player:
                assert len(set(map(str, row))) == 1, measure.name
        now = np.zeros_like(used)
        contract.run("usage", position.state, board.record, now)
        assert set(now.tolist()) <= {0, 1}
        used = now
        is_over = code is None
        assert position.is_over == is_over
        assert bool(position.end_reason) == is_over
        assert bool(position.winners) == is_over
    assert used.sum() > 0


@every_game
@some_games
def test_random_play_ends_well_within_the_limit(name, number):
    board, players, _ = start(name, number)
    limit = board.game.rules.MAX_DECISIONS
    for seed in range(3):
        decisions = sum(1 for _ in play.game(board, players, seed))
        assert decisions * 10 < limit


# ------------------------------------------------------------------------------- hidden information


@every_game
@some_games
def test_observe_writes_every_number(name, number):
    board, players, seed = start(name, number)
    for position, _ in play.game(board, players, seed):
        for viewer in range(players):
            out = np.full(board.game.rules.OBSERVATION, np.nan)
            contract.run("observe", position.state, board.record, viewer, out)
            assert np.isfinite(out).all()


@every_game
@some_games
def test_determinize_keeps_what_the_viewer_knows(name, number):
    """Another hidden part, the same known part; the chance to come is always another."""
    board, players, seed = start(name, number)
    redrawn = set()
    for step, (position, _) in enumerate(play.game(board, players, seed)):
        viewer = step % players
        known = position.observe(viewer)
        legal = position.legal_codes().tolist()
        for draw in (1, 2):
            other = position.determinized(viewer, 1000 * step + draw)
            assert other.observe(viewer).tolist() == known.tolist()
            assert other.scores == position.scores
            assert other.payoffs == position.payoffs
            assert other.is_over == position.is_over
            if viewer == position.to_move:
                assert other.legal_codes().tolist() == legal
            assert other.state["rng"] != position.state["rng"]
            changed = [
                field
                for field in other.state.dtype.names
                if other.state[field].tolist() != position.state[field].tolist()
            ]
            redrawn.update(changed)
    assert redrawn > {"rng"}


@every_game
@some_games
def test_what_a_player_is_told_gives_nothing_hidden_away(name, number):
    """Tables, notes and explanations are the same whatever the others' hidden part is."""
    board, players, seed = start(name, number)
    for step, (position, _) in enumerate(play.game(board, players, seed)):
        if step % 5 or position.is_over:  # then all is shown
            continue
        viewer = position.to_move
        other = position.determinized(viewer, step)
        assert other.secrets(viewer) == position.secrets(viewer)
        assert other.table(viewer) == position.table(viewer)
        assert other.game.table.chart(other) == position.game.table.chart(position)
        before = position.state.tobytes()
        for code in position.legal_codes()[::7]:
            note = position.note(code)
            assert other.note(code) == note
            assert "\n" not in note and not note.endswith(".")
        for word in {word for text in position.legal()[::7] for word in text.split()}:
            assert other.explain(word) == position.explain(word)
        assert position.state.tobytes() == before


@every_game
@some_games
def test_determinize_depends_on_its_seed_alone(name, number):
    """Not on the true hidden part: else a player could learn from what is drawn."""
    board, players, seed = start(name, number)
    for step, (position, _) in enumerate(play.game(board, players, seed)):
        drawn = position.determinized(0, 5)
        assert fields(drawn.state) == fields(position.determinized(0, 5).state)
        if step == 0:
            seen = []  # but for the stream of chance, which always differs
            for draw in range(10):
                drawn = fields(position.determinized(0, draw).state)
                drawn.pop("rng")
                if drawn not in seen:
                    seen.append(drawn)
            assert len(seen) > 1


@every_game
@some_games
def test_a_determinized_game_can_be_played_out(name, number):
    board, players, seed = start(name, number)
    for step, (position, _) in enumerate(play.game(board, players, seed)):
        if step % 50 == 10:
            other = position.determinized(position.to_move, step)
            while not other.is_over:
                other.play(play.choose(other, step))
                assert other.status == "ok"


# ----------------------------------------------------------------------------- the same everywhere


@every_game
@some_games
def test_replay_equals_play(name, number, tmp_path):
    board, players, seed = start(name, number)
    path = tmp_path / "game.jsonl"
    played = []
    with replay.Recorder(path, board, players, seed) as recorder:
        while not recorder.position.is_over:
            played.append(fields(recorder.position.state))
            recorder.play(play.choose(recorder.position, seed))
        played.append(fields(recorder.position.state))
    assert [fields(position.state) for position in replay.replay(path)] == played
    assert replay.verify(path).is_finished


@every_game
def test_two_processes_agree(name):
    assert subprocess_games(name, "small", 6)["digests"] == play.games(name, "small", 6)


@every_game
@pytest.mark.parametrize(("kind", "count"), [("small", 12), ("shipped", 4)])
def test_plain_python_equals_compiled(name, kind, count):
    """Without compilation the same source plays the same games, and no integer overflows."""
    plain = subprocess_games(name, kind, count, NUMBA_DISABLE_JIT="1")
    assert plain["digests"] == play.games(name, kind, count)


@every_game
def test_no_kernel_reads_or_writes_beyond_an_array(name):
    checked = subprocess_games(name, "small", 30, NUMBA_BOUNDSCHECK="1")
    assert checked["is_checked"]
    assert checked["digests"] == play.games(name, "small", 30)
