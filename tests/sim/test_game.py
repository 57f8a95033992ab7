"""The Python face: a game, its boards, its positions."""

import copy
import doctest
import importlib
import pickle
import pkgutil

import numpy as np
import pytest

import sim
from sim.errors import Mistake
from tests.conformance.boards import small_board

GAME = sim.load("westward-rails")
every_game = pytest.mark.parametrize(
    "game", [sim.load(name) for name in sim.games()], ids=sim.games()
)
MODULES = ["sim", *(found.name for found in pkgutil.walk_packages(sim.__path__, "sim."))]


def said(function, *arguments, **keywords):
    with pytest.raises(Mistake) as mistake:
        function(*arguments, **keywords)
    text = str(mistake.value)
    assert text.endswith((".", "?", ")")), text
    assert "\n" not in text
    return text


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def public(module):
    """The public classes and functions of a module, and the methods of those classes."""
    for name, thing in vars(module).items():
        if name.startswith("_") or getattr(thing, "__module__", None) != module.__name__:
            continue
        if isinstance(thing, type):
            yield f"{module.__name__}.{name}", thing
            for inner, method in vars(thing).items():
                if not inner.startswith("_") and (callable(method) or isinstance(method, property)):
                    yield f"{module.__name__}.{name}.{inner}", method
        elif callable(thing):
            yield f"{module.__name__}.{name}", thing


@pytest.mark.parametrize("name", ["sim", "sim.errors", "sim.game", "sim.options", "sim.replay"])
def test_everything_public_says_what_it_is(name):
    missing = [where for where, thing in public(importlib.import_module(name)) if not thing.__doc__]
    assert missing == []


# ------------------------------------------------------------------------------------ a new game


def test_games():
    assert set(sim.games()) == {
        "railways-of-the-world",
        "westward-rails",
        "great-western-trail",
    }
    assert sim.load("westward-rails") is GAME
    text = said(sim.load, "westward-rail")
    assert text.startswith("There is no game 'westward-rail'; the nearest is 'westward-rails'")


def test_game_says_what_it_is():
    assert (GAME.name, GAME.title, list(GAME.players)) == (
        "westward-rails",
        "Westward Rails",
        [3, 4, 5],
    )
    assert GAME.end_reasons == ("demands", "cubes", "demands and cubes", "deadlock")
    assert GAME.boards() == ("reconstructed_map",)
    assert any("Reconstructed map" in text for text in GAME.assumptions)


@pytest.mark.parametrize("players", [0, 2, 6, -1])
def test_wrong_number_of_players(players):
    text = said(GAME.board().new, players)
    assert text == f"Westward Rails is for 3 to 5 players, not {players}."


@every_game
def test_new_without_a_number_of_players_takes_the_least(game):
    assert game.new().players == game.players[0]


@pytest.mark.parametrize("seed", [-1, 2**53, 2**64])
def test_wrong_seed(seed):
    assert said(GAME.new, 3, seed) == (
        f"The seed {seed} should be a whole number from 0 to 2^53 - 1."
    )


@every_game
@pytest.mark.parametrize("seed", [0, 2**53 - 1])
def test_least_and_greatest_seed(game, seed):
    assert game.new(3, seed).legal()


def test_wrong_option_and_board():
    assert "the nearest is 'starting_money'" in said(GAME.new, 4, startin_money=3)
    assert "has no board 'usa'" in said(GAME.new, 4, board="usa")


# ------------------------------------------------------------------------------------ a position


def test_a_new_position():
    position = GAME.new(players=4, seed=7, starting_money=35)
    assert (position.players, position.to_move, position.turn) == (4, 0, 0)
    assert position.scores == [35] * 4
    assert position.payoffs == [0.25] * 4
    assert (position.is_over, position.winners, position.end_reason) == (False, [], "")
    assert position.status == "ok"
    assert position.game is GAME
    assert position.legal() == ["pass", *(f"bid {bid}" for bid in range(5, 36))]
    assert position.legal_codes().dtype == np.int32
    assert repr(position) == "<Westward Rails, 4 players, turn 0>"


def test_play_takes_text_or_code_and_returns_the_position():
    position = GAME.new(players=3, seed=1)
    assert position.play("bid 12") is position
    assert position.play(position.code("bid 13")) is position
    assert position.play(np.int32(0)).to_move == 0
    assert position.play("pass").scores == [40, 27, 40]


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("bid 4", "'bid 4' is not legal: the least bid is $5."),
        ("bid 41", "'bid 41' is not legal: seat 0 has only $40."),
        ("bid 5000", "'bid 5000' is not legal: no bid may be above $2000."),
        ("bid five", "'bid five' should end in a whole number, not 'five'."),
        ("bid", "'bid' is not complete: write 'bid DOLLARS'."),
        ("bit 5", "'bit 5' is not an action; the nearest is 'bid'"),
        ("", "'' is not an action; choose from"),
        ("upgrade boise", "There is no metro area 'boise'"),
        ("build santafe x", "There is no railroad 'santafe'; the nearest is 'santa_fe'"),
        ("build santa_fe lincoln-wichta", "no link 'lincoln-wichta'; the nearest is 'lincoln-w"),
        ("build santa_fe dodge_city-wichita", "a share is being auctioned: bid or pass."),
        ("stop", "a share is being auctioned"),
        (99999, "The action code 99999 is not legal here."),
        (-1, "The action code -1 is not legal here."),
        (1, "The action code 1 is not legal here."),
        (None, "None should be an action's text or code, such as 'pass'."),
        (3.5, "3.5 should be an action's text or code"),
        (["pass"], "['pass'] should be an action's text or code"),
    ],
)
def test_illegal_action_says_why_and_changes_nothing(action, told):
    position = GAME.new(players=3, seed=1)
    before = position.state.tobytes()
    assert told in said(position.play, action)
    assert position.state.tobytes() == before


@every_game
def test_what_is_no_text_code_seat_or_number_is_a_mistake(game):
    position = game.new(seed=1)
    for wrong in (None, 3.5, b"pass"):
        assert "should be an action's text, such as '" in said(position.code, wrong)
        assert "should be an action's text or code" in said(position.note, wrong)
        assert "should be a name of the board" in said(position.explain, wrong)
    for wrong in (None, 3.5, "pass"):
        assert "should be an action's code" in said(position.text, wrong)
    for wrong in (-(10**7), 10**7):
        assert said(position.text, wrong) == f"There is no action with the code {wrong}."
    for look in (position.observe, position.table, position.secrets):
        assert "There is no seat 1.0" in said(look, 1.0)
    assert "seed None" in said(position.board.new, game.players[0], None)
    assert "not 3.0" in said(position.board.new, 3.0)


@every_game
def test_a_finished_game_takes_no_action(game):
    position = small_board(game.name).new(3, seed=3)
    number = 0
    while not position.is_over:
        codes = position.legal_codes()
        position.play(int(codes[number * 7919 % len(codes)]))
        number += 1
    assert position.legal() == []
    assert position.winners
    assert position.end_reason in game.end_reasons
    assert sum(position.payoffs) == pytest.approx(1)
    assert said(position.play, "pass") == "'pass' cannot be played: the game is over."
    assert "not legal" in said(position.play, 0)
    assert "Over after turn" in str(position)


@every_game
@pytest.mark.parametrize("make", [lambda position: position.copy(), copy.copy, copy.deepcopy])
def test_copies(game, make):
    position = game.new(players=3, seed=1)
    position.play(position.legal()[-1])
    other, legal = make(position), position.legal()
    assert other == position
    other.play(other.legal()[0])
    assert other != position
    assert position.legal() == legal


@every_game
def test_equality_is_of_the_whole_state(game):
    assert game.new(3, 1) == game.new(3, 1)
    assert game.new(3, 1) != game.new(3, 2)  # other stacks of cards
    assert game.new(3, 1) != game.new(4, 1)
    assert game.new(3, 1) != "a position"


def test_games_are_told_apart():
    first, second = (sim.load(name).new(3, 1) for name in sim.games()[:2])
    assert first != second


@every_game
@pytest.mark.parametrize("columns", [60, 80])
def test_a_positions_table_fits_a_terminal(game, columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    position = small_board(game.name).new(players=game.players[-1], seed=1)
    number = 0
    while not position.is_over:
        assert max(len(line) for line in str(position).splitlines()) < columns
        codes = position.legal_codes()
        position.play(int(codes[number * 7919 % len(codes)]))
        number += 1


def test_table_shows_what_a_player_needs():
    text = str(GAME.new(players=4, seed=7).play("bid 12"))
    for part in (
        "4 players",
        "Reconstructed map",
        "Texas & Pacific",
        "$12 by seat 0",
        "> 1",
        "$30",
    ):
        assert part in text, part
    assert "Next demand: " in text


@every_game
def test_measures_are_named(game):
    measures = game.new(players=4).measures()
    assert list(measures) == [measure.name for measure in game.measures]
    assert all(len(row) == 4 for row in measures.values())


def test_determinized_leaves_the_position_as_it_is():
    position = GAME.new(players=3, seed=1)
    before = position.state.tobytes()
    other = position.determinized(0, 5)
    assert position.state.tobytes() == before
    assert other.state["deck"].tolist() != position.state["deck"].tolist()
    assert other.state["deck"][0][0] == position.state["deck"][0][0]  # the top card is seen


@every_game
def test_board_changed_in_no_way_by_its_games(game):
    board = game.board()
    digest = board.digest
    position = board.new(3)
    position.play(position.legal()[-1])
    assert board.digest == digest == game.board().digest


@every_game
def test_positions_are_pickled_by_the_games_name(game):
    position = game.new(4, seed=7)
    position.play(position.legal()[0])
    other = pickle.loads(pickle.dumps(position))
    assert other == position
    assert other.game is game
    text = position.legal()[-1]
    assert other.play(text).legal() == position.play(text).legal()


@every_game
@pytest.mark.parametrize("seat", [-1, 3, 9])
def test_there_are_only_so_many_seats(game, seat):
    position = game.new(3)
    for look in (position.observe, lambda viewer: position.determinized(viewer, 1)):
        assert f"no seat {seat}" in said(look, seat)


@pytest.mark.parametrize(
    ("actions", "told"),
    [
        (["bid 7", "pass", "pass"], "seat 0 gets a share of Texas & Pacific for $7"),
        (["pass", "pass", "bid 5"], "seat 2 gets a share of Texas & Pacific for $5"),
        (["pass", "pass", "pass"], "seat 0 gets a share of Texas & Pacific for nothing"),
    ],
)
def test_the_price_of_a_share_is_told(actions, told):
    position = GAME.new(3)
    for action in actions:
        before = position.copy()
        position.play(action)
    assert told in GAME.table.changes(position.board, before, position)


@every_game
def test_no_player_count_is_not_the_default(game):
    assert f"{game.players[0]} to {game.players[-1]} players, not 0" in said(game.new, 0)
