"""What a player cannot know is drawn anew, and nothing else.

Seen by all: what lies open, and every card that is bought, discarded, played or taken from the
display. Unseen: the order of all stacks and piles, which cards of their decks others hold, and
which objective card another took from the stack into his hand (6b).
"""

import random
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from sim.game import Position
from sim.great_western_trail.state import DISCARD, MAX_CATTLE, PLAY
from tests.sim.great_western_trail.midgame import midgame
from tests.sim.great_western_trail.plain import GAME, names_of, table
from tests.sim.great_western_trail.test_against_reference import random_settings

HIDDEN = {"hand", "stack", "secret", "pile", "cattle_stack", "objective_stack", "rng"}
COPIES = 2000  # drawn for a distribution


def positions(seed: int) -> list[Position]:
    """Positions of a random game from deep in it, every tenth decision."""
    chance = random.Random(f"unseen {seed}")
    board = GAME.board(settings=random_settings(chance, 0))
    position = midgame(board.new(2 + seed % 3, seed), chance)
    kept = []
    for number in range(100):
        if position.is_over:
            break
        if number % 10 == 0:
            kept.append(position.copy())
        codes = position.legal_codes().tolist()
        cards = [code for code in codes if PLAY <= code < PLAY + 32 or code >= DISCARD]
        position.play(chance.choice(cards if cards and chance.random() < 0.3 else codes))
    return kept


def unseen(position: Position, viewer: int) -> tuple[list[Counter], Counter]:
    """Others' cards that may be in their hands, and objective cards of which nobody knows where."""
    state, names = position.state[0], names_of(position.board)
    pools = []
    for player in range(position.players):
        cards = names.cards(state.hand[player]) + names.cards(state.stack[player])
        pools.append(cards - known(state, names, player) - secret(state, names, player))
    stack = Counter(table(position).objective_stack)
    for player in range(position.players):
        if player != viewer:
            stack += secret(state, names, player)
    return pools, stack


def known(state, names, player: int) -> Counter:
    """Objective cards that all saw go into a hand."""
    return names.cards([0] * MAX_CATTLE + state.shown[player].tolist())


def secret(state, names, player: int) -> Counter:
    """Objective cards in a hand that only their owner has seen."""
    return names.cards([0] * MAX_CATTLE + state.secret[player].tolist())


@pytest.mark.parametrize("seed", range(9))
def test_all_that_is_seen_stays(seed):
    for number, position in enumerate(positions(seed)):
        for viewer in range(position.players):
            other = position.determinized(viewer, number)
            before, after = position.state[0], other.state[0]
            names = names_of(position.board)
            for field in set(before.dtype.names) - HIDDEN:
                assert (before[field] == after[field]).all(), field
            for field in ("hand", "stack", "secret"):
                assert (before[field][viewer] == after[field][viewer]).all(), field
            for player in range(position.players):
                hand = names.cards(after.hand[player])
                assert hand.total() == after.n_hand[player]
                assert names.cards(after.stack[player]).total() == after.n_stack[player]
                assert known(after, names, player) + secret(after, names, player) <= hand
                number_of = (secret(s, names, player).total() for s in (before, after))
                assert len(set(number_of)) == 1
            assert unseen(other, viewer) == unseen(position, viewer)
            there, here = table(other), table(position)
            assert [Counter(pile) for pile in there.piles] == [Counter(pile) for pile in here.piles]
            assert Counter(there.cattle_stack) == Counter(here.cattle_stack)
            assert (other.observe(viewer) == position.observe(viewer)).all()
            assert other.scores == position.scores
            if viewer == position.to_move:
                assert other.legal_codes().tolist() == position.legal_codes().tolist()


@pytest.mark.parametrize("seed", range(9))
def test_nothing_of_the_truth_is_left(seed):
    """Positions that look the same to the viewer give the same."""
    for number, position in enumerate(positions(seed)):
        for viewer in range(position.players):
            once = position.determinized(viewer, number)
            twice = position.determinized(viewer, number + 1000).determinized(viewer, number)
            assert once == twice
            assert position.determinized(viewer, number + 1) != once


def evenly_drawn(drawn: np.ndarray, pool: np.ndarray, size: int) -> float:
    """The chance of counts at least that uneven, if hands of that size are drawn from the pool.

    `drawn` has a row for each hand. Counts of a hand are multivariate hypergeometric, so that
    Pearson's statistic is a chi-square times (pool - hand) / (pool - 1).
    """
    total = pool.sum()
    expected = len(drawn) * size * pool / total
    statistic = ((drawn.sum(axis=0) - expected) ** 2 / expected).sum()
    return stats.chi2.sf(statistic * (total - 1) / (total - size), len(pool) - 1)


@pytest.mark.parametrize("seed", [0, 3, 6])
def test_hands_are_drawn_evenly(seed):
    """Of two players' decks and hands, which nobody has seen but the cards taken openly."""
    position = positions(seed)[-1]
    state, names = position.state[0], names_of(position.board)
    other = 1
    pool = unseen(position, 0)[0][other]
    cards = list(pool)
    size = (
        int(state.n_hand[other])
        - (known(state, names, other) + secret(state, names, other)).total()
    )
    assert 0 < size < pool.total()
    hands = []
    for copy in range(COPIES):
        after = position.determinized(0, copy).state[0]
        hand = names.cards(after.hand[other]) - known(after, names, other)
        hand -= secret(after, names, other)
        hands.append([hand[card] for card in cards])
    assert evenly_drawn(np.array(hands), np.array([pool[card] for card in cards]), size) > 0.01


def test_objective_cards_that_nobody_saw_are_drawn_evenly():
    position = GAME.board().new(3, 5)
    state = position.state[0]
    for player, cards in ((0, 1), (1, 2), (2, 1)):  # taken from the stack with 6b
        for _ in range(cards):
            kind = int(state.objective_stack[state.objective_next])
            state.objective_next += 1
            state.hand[player, MAX_CATTLE + kind] += 1
            state.secret[player, kind] += 1
            state.n_hand[player] += 1
    names = names_of(position.board)
    pool = unseen(position, 0)[1]
    assert pool.total() == 24 - 4 - 1
    copies = np.array([pool[name] for name in names.objectives])
    there = copies > 0
    taken, first = [], []
    for copy in range(COPIES):
        after = position.determinized(0, copy).state[0]
        assert (after.secret[0] == state.secret[0]).all()
        taken.append(after.secret[1, : len(there)][there])
        first.append(np.flatnonzero(there) == after.objective_stack[after.objective_next])
    assert evenly_drawn(np.array(taken), copies[there], 2) > 0.01
    assert evenly_drawn(np.array(first), copies[there], 1) > 0.01


def test_orders_are_drawn_evenly():
    """The next tile of a pile and the next cattle card."""
    position = GAME.board().new(4, 6)
    state = position.state[0]
    pile = state.pile[2, state.pile_next[2] : state.n_pile[2]]
    stack = state.cattle_stack[state.cattle_next : state.n_cattle]
    tiles, cards = [], []
    for copy in range(COPIES):
        after = position.determinized(1, copy).state[0]
        tiles.append(np.unique(pile) == after.pile[2, after.pile_next[2]])
        cards.append(np.unique(stack) == after.cattle_stack[after.cattle_next])
    for first, whole in ((tiles, pile), (cards, stack)):
        assert evenly_drawn(np.array(first), np.unique(whole, return_counts=True)[1], 1) > 0.01


def test_own_draws_to_come_are_not_known():
    """What a player draws at the end of the turn depends on the seed of the copy."""
    position = GAME.board().new(2, 7)
    state = position.state[0]
    state.stack[0] += state.hand[0]
    state.n_stack[0] += state.n_hand[0]
    state.hand[0] = state.n_hand[0] = 0
    drawn = set()
    for copy in range(20):
        other = position.determinized(0, copy)
        while other.to_move == 0:
            other.play(int(other.legal_codes()[0]))
        drawn.add(tuple(other.state[0].hand[0].tolist()))
    assert len(drawn) > 5
