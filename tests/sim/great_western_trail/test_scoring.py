"""The final scoring, reckoned from a whole position: as the reference does, and open to all."""

import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.game import Position
from sim.great_western_trail.state import MAX_CATTLE
from tests.sim.great_western_trail.midgame import midgame
from tests.sim.great_western_trail.plain import GAME, reference
from tests.sim.great_western_trail.positions import at
from tests.sim.great_western_trail.test_against_reference import (
    PARTS,
    random_board,
    random_settings,
)

CARDS = 7  # objective cards of a player, at most: the reference tries every choice


@settings(deadline=None, derandomize=True, max_examples=60, suppress_health_check=HealthCheck)
@given(seed=st.integers(0, 2**32), players=st.sampled_from(GAME.players))
def test_points_of_any_position(seed, players):
    """Before the end and after it; then what others have not seen counts too."""
    position = rich(seed, players)
    state, twin = position.state[0], reference(position, None)
    for is_over in (False, True):
        state.is_over = twin.is_over = is_over
        figures = position.measures()
        for player, seat in enumerate(twin.table.seats):
            assert [figures[f"{part}_points"][player] for part in PARTS] == twin.points(seat)
        assert position.scores == twin.scores()
        assert position.payoffs == twin.payoffs()


@settings(deadline=None, derandomize=True, max_examples=40, suppress_health_check=HealthCheck)
@given(seed=st.integers(0, 2**32), players=st.sampled_from(GAME.players))
def test_scores_tell_nobody_what_others_hold(seed, players):
    position = rich(seed, players)
    for viewer in range(players):
        other = position.determinized(viewer, seed)
        assert other.scores == position.scores
        assert other.payoffs == position.payoffs
        assert other.measures() == position.measures()


def test_a_card_that_only_its_owner_has_seen_counts_at_the_end():
    """Of the same things as one that all saw go into the hand."""
    points = {}
    for where in ("shown", "secret"):
        card = [["money_s_s_h"], []]
        things = {"stations": {"4.5": [1, 0], "7.5": [1, 0]}, "tiles": [["flood_green_2"], []]}
        position = at(things | {"hand": card, where: card, "played": [["start_bt_h_h"], []]})
        before = position.scores[0]
        position.state[0].is_over = 1
        points[where] = before, position.scores[0]
    assert points["shown"] == (points["secret"][1],) * 2
    assert points["secret"][1] - points["secret"][0] == 3


def rich(seed: int, players: int) -> Position:
    """A position of many objective cards, from deep in a game, on any board."""
    chance = random.Random(f"scoring {seed}")
    document = random_board(chance) if chance.random() < 0.5 else GAME.board().document
    board = GAME.board_from(document, "board", random_settings(chance, chance.choice([0, 10])))
    position = midgame(board.new(players, seed), chance)
    state = position.state[0]
    for player in range(players):
        for _ in range(chance.randrange(CARDS)):
            if state.objective_next < state.n_objectives:
                take(position, player, chance.choice(["played", "shown", "secret", "discard"]))
        for master in range(int(board.record[0].n_masters)):
            if int(state.new_york) >> master & 1 and chance.random() < 0.3:
                state.new_york &= ~(1 << master)
                state.masters[player] |= 1 << master
    return position


def take(position: Position, player: int, where: str) -> None:
    """The top of the objective stack goes to a player: played, discarded, or into the hand."""
    state = position.state[0]
    kind = int(state.objective_stack[state.objective_next])
    state.objective_next += 1
    if where == "played":
        state.played[player, kind] += 1
        return
    pile = "discard" if where == "discard" else "hand"
    state[pile][player, MAX_CATTLE + kind] += 1
    state[f"n_{pile}"][player] += 1
    if pile == "hand":
        state[where][player, kind] += 1
