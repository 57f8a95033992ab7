"""Monte Carlo tree search for any game: more than two players, hidden cards, chance.

One tree of actions from the searcher's point of view. Every iteration draws anew what he cannot
know (information set Monte Carlo tree search: Cowling, Powley and Whitehouse, 2012), goes down the
tree, plays on from the leaf by a policy, and adds every player's share of the win to the nodes on
the way (max-n: Luckhardt and Irani, 1986). On the way down each player takes the action with the
highest

    mean share + c * prior * sqrt(times available) / (1 + visits)

(PUCT: Rosin, 2011), among those that progressive widening admits. The prior is what the game's
named strategies would play, each with one vote. Nothing is allocated, and no logarithm is taken.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from agents.base import MAX_SEATS, evaluate
from agents.greedy import choose_greedy
from agents.restriction import choose_among
from sim.contract import OK, apply, compiled, determinize, legal_actions, payoffs
from sim.maths import exp
from sim.rng import below, draw, uniform

MAX_PATH = 256  # nodes from the root to a leaf
NODES_PER_ITERATION = 256  # room for that many; where it ends, leaves stay leaves

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("action", "i4"),
                ("visits", "i4"),
                ("available", "i4"),  # times it was legal where its parent was visited
                ("first", "i4"),  # child with the highest prior; -1: a leaf
                ("next", "i4"),  # sibling with the next lower prior; -1: none
                ("prior", "f4"),
            ],
            align=True,
        ),
    )
)

TREE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("done", "i4"),  # iterations of the search under way, kept ones too; -1: none is
                ("root", "i4"),
                ("used", "i4"),  # nodes
                ("game", "i4"),  # the game and its decision that the root stands for
                ("decisions", "i4"),
            ],
            align=True,
        ),
    )
)


class Search(NamedTuple):
    """Where searches write: allocated once for a batch, with a tree for every seat."""

    trees: np.ndarray  # TREE[n]
    nodes: np.ndarray  # NODE[n, N]
    values: np.ndarray  # float64[n, N, n]: sums of win shares by seat
    path: np.ndarray  # int32[MAX_PATH], the nodes of an iteration
    marks: np.ndarray  # int64[MAX_CODE], by action: when it was last seen legal
    clock: np.ndarray  # int64[1], what "when" counts
    votes: np.ndarray  # float64[MAX_LEGAL], priors of the legal actions
    share: np.ndarray  # float64[MAX_SEATS], win shares of an iteration
    policies: np.ndarray  # SEAT[K], the named strategies
    policy_weights: np.ndarray  # float64[K, MAX_WEIGHTS]
    # What a restricted seat may not choose, see agents/restriction.py; row 0: nothing.
    forbidden: np.ndarray  # bool[R + 1, MAX_CODE]; the last row is for what is legal now
    most_loans: np.ndarray  # int64[R], loans it may have; -1: no limit
    trial: np.ndarray  # STATE[1], to try actions in


def make_search(
    rules, players: int, iterations: int, policies, policy_weights, forbidden, most_loans
) -> Search:
    """Room for searches of so many iterations; for none, as little as possible."""
    nodes = iterations * NODES_PER_ITERATION + rules.MAX_LEGAL if iterations else 1
    trees = np.zeros(players, TREE).view(np.recarray)
    trees.done = -1
    trees.game = -1
    return Search(
        trees,
        np.empty((players, nodes), NODE).view(np.recarray),
        np.empty((players, nodes, players)),
        np.zeros(MAX_PATH, np.int32),
        np.zeros(rules.MAX_CODE, np.int64),
        np.zeros(1, np.int64),
        np.zeros(rules.MAX_LEGAL),
        np.zeros(MAX_SEATS),
        policies,
        policy_weights,
        forbidden,
        most_loans,
        np.zeros(1, rules.STATE).view(np.recarray),
    )


@compiled
def choose_by_search(
    seat, weights, state, board, legal, scratch, numbers, limit, search, decision, budget
):
    """The action visited most, and what is left of `budget`; -1 when that is spent before.

    Called again then, it goes on: what it chooses never depends on the budget. `decision` is the
    game's number and that of its decision, `scratch` three states.
    """
    me = int(state.to_move)
    tree = search.trees[me]
    nodes = search.nodes[me]
    values = search.values[me]
    if tree.done < 0:
        _begin(seat, state, board, legal, tree, nodes, values, search, decision)
    while True:
        scratch[0] = state
        determinize(scratch[0], board, me, draw(seat))
        steps, spent = _descend(
            seat, me, board, legal, scratch, numbers, limit, search, tree, nodes, values
        )
        spent += _play_out(seat, me, weights, board, legal, scratch, numbers, limit, search)
        for step in range(steps + 1):
            node = search.path[step]
            nodes[node].visits += 1
            for player in range(state.n_players):
                values[node, player] += search.share[player]
        tree.done += 1
        budget -= spent
        if tree.done >= seat.iterations:
            break
        if budget < 0:
            return -1, budget
    tree.done = -1
    now = _mark_legal(seat, state, board, legal, search)
    return nodes[_favourite(me, tree, nodes, values, search.marks, now)].action, budget


@compiled
def _row(seat, me, position):
    """The row of the tables that holds for who is to move.

    What is forbidden to the others the searcher does not know.
    """
    return int(seat.without) if position.to_move == me else 0


@compiled
def _mark_legal(seat, state, board, legal, search):
    """Mark the actions that are legal with a number that no other mark has; that number."""
    search.clock[0] += 1
    count = legal_actions(state, board, legal)
    if seat.without != 0:
        count, _ = choose_among(state, board, legal, count, int(seat.without), search)
    for place in range(count):
        search.marks[legal[place]] = search.clock[0]
    return search.clock[0]


@compiled
def _begin(seat, state, board, legal, tree, nodes, values, search, decision):
    """A root alone, or the tree of the decision before from where the game now stands.

    The iterations that tried there what is legal now count as done; one more is always done.
    """
    for policy in range(len(search.policies)):
        search.policies[policy].rng = draw(seat)
    is_known = tree.game == decision[0] and tree.decisions == decision[1]
    room = seat.iterations * NODES_PER_ITERATION + len(search.votes)
    if seat.reuse == 0 or not is_known or tree.used + room > len(nodes):
        tree.root = 0
        tree.used = 1
        _clear(nodes[0], values[0], -1, 0.0)
    tree.game = decision[0]
    tree.decisions = decision[1]
    tree.done = 0
    now = _mark_legal(seat, state, board, legal, search)
    child = nodes[tree.root].first
    while child >= 0:
        if search.marks[nodes[child].action] == now:
            tree.done += nodes[child].visits
        child = nodes[child].next
    tree.done = min(int(tree.done), int(seat.iterations) - 1)


@compiled
def _clear(node, values, action, prior):
    node.action = action
    node.visits = 0
    node.available = 0
    node.first = -1
    node.next = -1
    node.prior = prior
    for player in range(len(values)):
        values[player] = 0.0


@compiled
def follow(tree, nodes, game, decisions, action, is_choice):
    """An action was played: the tree's root becomes the node it leads to, if there is one."""
    if tree.game != game or tree.decisions != decisions:
        return
    tree.decisions += 1
    if not is_choice:
        return
    child = nodes[tree.root].first
    while child >= 0 and nodes[child].action != action:
        child = nodes[child].next
    tree.root = child
    if child < 0:
        tree.game = -1


@compiled
def _descend(seat, me, board, legal, scratch, numbers, limit, search, tree, nodes, values):
    """Go down to a leaf, the position with it; the steps taken, and what they cost."""
    position = scratch[0]
    node = tree.root
    search.path[0] = node
    step = 0
    spent = 0
    for _ in range(limit):
        if position.is_over != 0 or position.status != OK or step + 1 == MAX_PATH:
            break
        count = legal_actions(position, board, legal)
        row = _row(seat, me, position)
        if row != 0:  # the tables are not handed on for nothing
            count, row = choose_among(position, board, legal, count, row, search)
        spent += 10
        if count == 0:
            break
        if count == 1:
            apply(position, board, legal[0])
            continue
        if nodes[node].first < 0:
            if (step > 0 and nodes[node].visits < seat.ripe) or tree.used + count > len(nodes):
                break
            spent += _expand(
                seat, board, legal, count, row, scratch, numbers, search, tree, nodes, values, node
            )
        child = _select(seat, me, position, legal, count, search, tree, nodes, values, node)
        if child < 0:
            break
        apply(position, board, nodes[child].action)
        node = child
        step += 1
        search.path[step] = node
    return step, spent


@compiled
def _expand(seat, board, legal, count, row, scratch, numbers, search, tree, nodes, values, node):
    """Add a node for every legal action, the highest prior first, equal ones in random order."""
    votes = search.votes
    policies = len(search.policies) if seat.trust > 0.0 else 0
    even = (1.0 - (seat.trust if policies > 0 else 0.0)) / count
    _draw_to_front(seat, legal, count, count)
    votes[:count] = even
    for policy in range(policies):
        scratch[1] = scratch[0]
        favourite = choose_greedy(
            search.policies[policy],
            search.policy_weights[policy],
            scratch[1],
            board,
            legal,
            count,
            search.forbidden[row],
            scratch[2:],
            numbers,
        )
        for place in range(count):
            if legal[place] == favourite:
                votes[place] += seat.trust / policies
    ranked = 0
    while ranked < count:
        best = ranked
        for place in range(ranked, count):
            if votes[place] > votes[best]:
                best = place
        if votes[best] == even:
            break
        legal[ranked], legal[best] = legal[best], legal[ranked]
        votes[ranked], votes[best] = votes[best], votes[ranked]
        ranked += 1
    last = -1
    for place in range(count):
        last = _add(tree, nodes, values, node, last, legal[place], votes[place])
    return 10 * count if policies > 0 else 0


@compiled
def _draw_to_front(seat, legal, count, number):
    """Put that many of the legal actions first, drawn at random."""
    for place in range(number):
        other = place + below(seat, count - place)
        legal[place], legal[other] = legal[other], legal[place]


@compiled
def _add(tree, nodes, values, node, last, action, prior):
    """Add a child after `last` (-1: as the first); its number."""
    child = tree.used
    tree.used += 1
    _clear(nodes[child], values[child], action, prior)
    if last < 0:
        nodes[node].first = child
    else:
        nodes[last].next = child
    return child


@compiled
def _select(seat, me, position, legal, count, search, tree, nodes, values, node):
    """The child to go on with, of those legal now; actions not seen before become children."""
    search.clock[0] += 1
    now = search.clock[0]
    marks = search.marks
    for place in range(count):
        marks[legal[place]] = now
    mover = int(position.to_move)
    visits = nodes[node].visits
    admitted = seat.widening * sqrt(visits + 1.0)
    expected = 1.0 / position.n_players
    if visits > 0:
        expected = _share(seat, me, mover, values[node]) / visits
    best = -1
    best_value = 0.0
    seen = 0
    last = -1
    child = nodes[node].first
    while child >= 0:
        known = nodes[child]
        if marks[known.action] == now:
            marks[known.action] = 0
            known.available += 1
            seen += 1
            if seen <= admitted or known.visits > 0 or seen <= 2:
                value = expected
                if known.visits > 0:
                    value = _share(seat, me, mover, values[child]) / known.visits
                value += seat.c * known.prior * sqrt(known.available) / (1.0 + known.visits)
                if best < 0 or value > best_value:
                    best = child
                    best_value = value
        last = child
        child = known.next
    if seen < count:
        prior = (1.0 - seat.trust) / count
        for place in range(count):
            if marks[legal[place]] == now and tree.used < len(nodes):
                last = _add(tree, nodes, values, node, last, legal[place], prior)
                nodes[last].available = 1
                if best < 0:
                    best = last
    return best


@compiled
def _share(seat, me, mover, values):
    """What the mover makes of a node's shares; paranoid, all others want the searcher to lose."""
    if seat.paranoid != 0 and mover != me:
        return -values[me]
    return values[mover]


@compiled
def _play_out(seat, me, weights, board, legal, scratch, numbers, limit, search):
    """Play on from the leaf and write the win shares; what it cost."""
    position = scratch[0]
    spent = 0
    depth = seat.depth if seat.depth > 0 else -1
    played = 0
    for _ in range(limit):
        if position.is_over != 0 or position.status != OK or played == depth:
            break
        count = legal_actions(position, board, legal)
        row = _row(seat, me, position)
        if row != 0:  # the tables are not handed on for nothing
            count, row = choose_among(position, board, legal, count, row, search)
        if count == 0:
            break
        spent += 10
        action = int(legal[0])
        if count > 1:
            played += 1
            if seat.playout >= 0 and (
                seat.playout_noise == 0.0 or uniform(seat) >= seat.playout_noise
            ):
                if 0 < seat.playout_looks < count:
                    _draw_to_front(seat, legal, count, seat.playout_looks)
                    count = int(seat.playout_looks)
                action = choose_greedy(
                    search.policies[seat.playout],
                    search.policy_weights[seat.playout],
                    position,
                    board,
                    legal,
                    count,
                    search.forbidden[row],
                    scratch[1:],
                    numbers,
                )
                spent += count
            else:
                action = int(legal[below(seat, count)])
        apply(position, board, action)
    if position.is_over != 0:
        payoffs(position, board, numbers)
        for player in range(position.n_players):
            search.share[player] = numbers[player]
    else:
        evaluate(position, board, weights, numbers)
        _shares_of_worth(seat, position.n_players, numbers, search.share)
    return spent


@compiled
def _shares_of_worth(seat, players, worth, share):
    """Win shares guessed from what the position is worth to each: `scale` more is e times more."""
    best = worth[0]
    for player in range(players):
        best = max(best, worth[player])
    total = 0.0
    for player in range(players):
        share[player] = exp((worth[player] - best) / seat.scale)
        total += share[player]
    for player in range(players):
        share[player] /= total


@compiled
def _favourite(me, tree, nodes, values, marks, now):
    """The child of the root visited most of those legal; among equals, the one worth more.

    In a tree that was kept, others were legal with other cards.
    """
    best = -1
    child = nodes[tree.root].first
    while child >= 0:
        if marks[nodes[child].action] == now:
            more = nodes[child].visits - nodes[best].visits if best >= 0 else 1
            if more > 0 or (more == 0 and values[child, me] > values[best, me]):
                best = child
        child = nodes[child].next
    return best
