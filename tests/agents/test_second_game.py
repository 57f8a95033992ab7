"""The loop on a game of its own kind: what an agent leaves to chance, its memory, odd scores."""

import numpy as np
import pytest

import agents
from agents.base import GREEDY, MAX_SEATS, UNIFORM
from agents.loop import SAMPLES, Batch
from tests.agents import lots
from tests.agents.play import actions, digest

DRAWS = agents.Agent("draws", GREEDY, weights=(1.0,))
LOOKS = agents.Agent("looks", GREEDY, weights=(0.0,))
RANDOM = agents.Agent("random", UNIFORM)


@pytest.fixture(autouse=True)
def lots_are_known(monkeypatch):
    monkeypatch.setattr(agents, "heuristics", lots.heuristics)


def batch(line_up, count=1, turns=6, game_seed=1, agent_seed=1):
    seeds = np.arange(count * len(line_up), dtype=np.uint64) * 7919 + agent_seed
    games = np.arange(count) + game_seed
    return Batch(lots.board(turns), [line_up] * count, games, seeds.reshape(count, -1))


def test_what_advice_leaves_to_chance_comes_from_the_seats_own_stream():
    """Its copy's stream was begun from there: another deal changes nothing, another seed all."""
    played = actions(batch([DRAWS] * 4, turns=20))
    assert played == actions(batch([DRAWS] * 4, turns=20))
    assert played == actions(batch([DRAWS] * 4, turns=20, game_seed=99))
    other = actions(batch([DRAWS] * 4, turns=20, agent_seed=2))
    assert sum(a == b for a, b in zip(played, other, strict=True)) < 40


def test_what_is_drawn_is_even_and_never_the_same_for_long():
    drawn = np.array(actions(batch([DRAWS, DRAWS], turns=400)))
    assert np.bincount(drawn, minlength=lots.MAX_LEGAL).min() > 100
    assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 0.15


def test_a_drawing_seat_leaves_the_game_and_the_others_alone():
    alone = [code for code in actions(batch([RANDOM, LOOKS]))[::2]]
    assert alone == actions(batch([RANDOM, DRAWS]))[::2]
    started = batch([DRAWS, DRAWS])
    before = int(started.states[0].rng)
    started.play()
    assert int(started.states[0].rng) == before


def test_heuristics_may_state_a_memo_of_their_own():
    started = batch([LOOKS, RANDOM])
    assert len(started._numbers) == MAX_SEATS + lots.MEMO
    started.play()
    assert started._numbers[-1] == 1.0


@pytest.mark.parametrize("players", [2, 6])
@pytest.mark.parametrize("turns", [1, 300])
def test_six_seats_scores_below_nought_and_games_longer_than_the_trace(players, turns):
    started = batch([RANDOM] * players, count=5, turns=turns)
    games = started.play()
    assert games.trajectory.shape == (5, SAMPLES, players)
    assert games.score.min() < 0 and (games.trajectory[:, 0] == 0).all()
    assert (games.trajectory[:, -1] == games.score).all()
    assert (games.win_share.argmax(axis=1) == games.score.argmax(axis=1)).all()
    assert digest(games) == digest(batch([RANDOM] * players, count=5, turns=turns).play())
    best = batch([LOOKS] + [RANDOM] * (players - 1), count=3, turns=turns).play()
    assert (best.score[:, 0] == 2 * turns).all()
