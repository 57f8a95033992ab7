"""Restricted play: what words forbid, and that a seat never chooses it where it has a choice."""

from types import SimpleNamespace

import numpy as np
import pytest

import agents
import sim
from agents import loop
from agents.base import loans
from agents.loop import Batch
from agents.restriction import choose_among, forbidden
from sim import contract
from sim.errors import Mistake
from sim.railways_of_the_world.state import ACTION, BIDDING, BUILDING, PASS, STARTING
from sim.rng import step, stream
from tests.agents import naive
from tests.agents.play import BOARD, GAME, actions, batch, by_copy, digest, play

RAILWAYS = sim.load("railways-of-the-world")
BOARDS = {
    "westward-rails": BOARD,
    "railways-of-the-world": RAILWAYS.board(),
    "great-western-trail": sim.load("great-western-trail").board(),
}

# What is forbidden, and actions that are and are not.
EXAMPLES = [
    ("westward-rails", "upgrade", ["upgrade front_range"], ["auction santa_fe", "pass"]),
    ("westward-rails", "front_range", ["upgrade front_range"], ["upgrade wasatch_front"]),
    ("westward-rails", "front", ["upgrade front_range", "upgrade wasatch_front"], ["stop"]),
    ("westward-rails", "bid 12", ["bid 12"], ["bid 1", "bid 120", "route santa_fe 12"]),
    ("westward-rails", "santa_fe", ["auction santa_fe", "route santa_fe 2"], ["bid 12"]),
    ("westward-rails", "auction+stop", ["auction santa_fe", "stop"], ["pass"]),
    ("westward-rails", " Upgrade  Front_Range ", ["upgrade front_range"], ["stop"]),
    ("railways-of-the-world", "upgrade", ["upgrade"], ["urbanize toledo blue", "build"]),
    ("railways-of-the-world", "urbanize", ["urbanize toledo blue"], ["take new_industry"]),
    ("railways-of-the-world", "take hotel", ["take hotel_chicago"], ["take city_growth"]),
    ("railways-of-the-world", "hotel_chicago", ["take hotel_chicago"], ["take hotel_boston"]),
    ("railways-of-the-world", "depot", ["depot toledo"], ["no_depot toledo", "depots toledo 1"]),
    (
        "railways-of-the-world",
        "chicago",  # not what is only named after the city
        ["deliver red chicago toledo", "urbanize chicago blue", "from chicago"],
        ["take hotel_chicago", "keep hub_of_chicago"],
    ),
    (
        "railways-of-the-world",
        "deliver red chicago",
        ["deliver red chicago toledo", "deliver red toledo chicago"],
        ["deliver blue chicago toledo", "stop red chicago toledo"],
    ),
    ("railways-of-the-world", "ne-sw", ["lay 6,23 ne-sw"], ["lay 6,23 ne-w"]),
    ("railways-of-the-world", "lay 6,23", ["lay 6,23 ne-sw"], ["redirect 6,23 ne-sw"]),
    (
        "great-western-trail",
        "hire",
        ["use hire", "use hire plus 2", "hire cowboy row 3"],
        ["use build", "appoint cowboy"],
    ),
    ("great-western-trail", "tile 9", ["build tile 9"], ["build tile 10", "hire cowboy row 9"]),
    ("great-western-trail", "deliver topeka", ["deliver topeka"], ["deliver wichita"]),
    (
        "great-western-trail",
        "buy longhorn",
        ["buy texas_longhorn_6 for 6 with 4 cowboys"],
        ["discard texas_longhorn_6", "buy holstein for 6 with 1 cowboy"],
    ),
]


def every_text(board) -> dict[int, str]:
    """The text of every action of a board, asked one by one."""
    position, found = board.new(board.game.players[0]), {}
    for code in range(board.game.rules.MAX_CODE):
        try:
            found[code] = position.text(code)
        except Mistake:
            continue
    return found


TEXTS = {name: every_text(board) for name, board in BOARDS.items()}


NAMES = {
    game: set(" ".join(texts.values()).replace("-", " ").replace(">", " ").split())
    for game, texts in TEXTS.items()
}


def has(game: str, text: str, words: str) -> bool:
    """The slow twin: whether an action's text has all the words."""
    names = set(text.replace("-", " ").replace(">", " ").split())
    return all(
        word in names if word in NAMES[game] else any(f"_{word}_" in f"_{name}_" for name in names)
        for word in words.lower().replace("-", " ").split()
    )


def allowed(position, words: str) -> list[int]:
    """The slow twin: what may be chosen, or all where that is nothing."""
    game, parts = position.game.name, words.split("+")
    limits = [int(one.partition(" over ")[2] or 0) for one in parts if has_loans(one)]
    parts = [one for one in parts if not has_loans(one)]
    kept = [text for text in position.legal() if not any(has(game, text, one) for one in parts)]
    for limit in limits:
        most = max(limit, int(position.state[0].bonds[position.to_move]))
        kept = [text for text in kept if bonds_after(position, text) <= most]
    return [position.code(text) for text in kept] or position.legal_codes().tolist()


def has_loans(words: str) -> bool:
    return words.split()[0] in ("loans", "bonds")


def bonds_after(position, text: str) -> int:
    """The slow twin: the Bonds of who plays that, where the turn does not end or costs nothing."""
    seat = position.to_move
    state, bond = position.state[0], int(position.board.record[0].bond_cash)
    if text.startswith("bid"):
        return int(state.bonds[seat]) + max(0, -((int(state.money[seat]) - int(text[4:])) // bond))
    after = position.copy().play(text)
    if state.phase == BIDDING or after.state[0].phase not in (BUILDING, STARTING):
        return int(after.state[0].bonds[seat])
    least = 10**9
    for then in after.legal():
        least = min(least, bonds_after(after, then))
        if least == state.bonds[seat]:
            break
    return least


# ------------------------------------------------------------------------------------------ words


@pytest.mark.parametrize(("name", "words", "out", "kept"), EXAMPLES)
def test_words_forbid_the_actions_that_have_them_all(name, words, out, kept):
    texts = TEXTS[name]
    mask = agents.load(f"random:without={words}", sim.load(name)).forbidden(BOARDS[name])
    found = {texts[code] for code in np.flatnonzero(mask)}
    assert {*out, *kept} <= set(texts.values())
    assert set(out) <= found and not set(kept) & found
    assert found == {
        text for text in texts.values() if any(has(name, text, one) for one in words.split("+"))
    }


@pytest.mark.parametrize("name", sim.games())
def test_no_text_has_what_separates(name):
    assert not set("+:=") & set("".join(TEXTS[name].values()))


@pytest.mark.parametrize(
    ("name", "words", "told"),
    [
        ("westward-rails", "bond", "reconstructed_map has the word 'bond'; the nearest is 'bend'"),
        ("westward-rails", "pass+upgade", "has the word 'upgade'; the nearest is 'upgrade'"),
        ("westward-rails", "upgrade denver", "upgrade denver: no action on the board recon"),
        ("railways-of-the-world", "bond", "no action on the board eastern_us has the word 'bond'"),
        ("railways-of-the-world", "denver", "has the word 'denver'; the nearest is"),
        ("railways-of-the-world", "loan", "no action on the board eastern_us has the word 'loan'"),
        ("railways-of-the-world", "bonds over ten", "should be bonds, or bonds over a number"),
        ("railways-of-the-world", "loans 4", "should be loans, or loans over a number"),
        ("great-western-trail", "chicago", "no action on the board first_edition has the word"),
        ("great-western-trail", "bonds", "no action on the board first_edition has the word 'bon"),
        ("great-western-trail", "loans", "there are no loans in Great Western Trail"),
        ("westward-rails", "loans", "without=loans: there are no loans in Westward Rails"),
        ("westward-rails", "pass+loans over 3", "loans over 3: there are no loans in Westward"),
    ],
)
def test_words_that_no_action_has(name, words, told):
    agent = agents.load(f"greedy:without={words}", sim.load(name))
    with pytest.raises(Mistake, match=told) as caught:
        agent.forbidden(BOARDS[name])
    assert repr(agent.spec) in str(caught.value)
    with pytest.raises(Mistake, match=told):
        batch([agent] * 3, 1, board=BOARDS[name])


def test_words_are_those_of_the_board():
    western = RAILWAYS.board("western_us")
    assert agents.load("greedy:without=denver", RAILWAYS).forbidden(western).any()
    for word in ("boston", "western_link"):
        with pytest.raises(Mistake, match=f"the board western_us has the word '{word}'"):
            agents.load(f"greedy:without={word}", RAILWAYS).forbidden(western)


def test_a_preset_may_be_restricted(tmp_path):
    path = tmp_path / "tuned.toml"
    path.write_text(
        'game = "westward-rails"\nagent = "racer"\nparameters = {cash = 2, without = "upgrade"}\n'
    )
    agent = agents.load(str(path), GAME)
    assert agent.without == ("upgrade",) and agent.values["without"] == "upgrade"
    assert agents.load(f"{path}:without=bid 5+pass", GAME).without == ("bid 5", "pass")
    assert agents.load("racer", GAME).without == ()


# ------------------------------------------------------------------------------------------- play


def test_what_is_left_is_in_the_old_order():
    table = np.zeros((3, 10), np.bool_)
    table[1, [2, 5, 9]] = True
    search = SimpleNamespace(forbidden=table, most_loans=[-1, -1])
    legal = np.array([9, 1, 5, 7, 2, 3], np.int32)

    def choose(count, row):
        return choose_among.py_func(None, None, legal, count, row, search)

    assert choose(5, 0) == (5, 0)
    assert legal.tolist() == [9, 1, 5, 7, 2, 3]
    assert choose(5, 1) == (2, 1)
    assert legal[:2].tolist() == [1, 7]
    legal[:3] = 9, 2, 5
    assert choose(3, 1) == (3, 0)
    assert legal[:3].tolist() == [9, 2, 5]


# No Dividends are paid, so that whatever is borrowed is borrowed by an action.
MONEYED = {"starting_money": 25, "bond_dividend": 0}

LINE_UPS = [
    ("westward-rails", ["random:without=build", "random", "greedy:without=upgrade+bid"]),
    ("westward-rails", ["greedy:without=pass", "greedy:without=santa_fe", "upgrader"]),
    ("westward-rails", ["mcts:iterations=4:depth=4:without=denver+upgrade", "random", "racer"]),
    ("railways-of-the-world", ["greedy:without=upgrade", "random:without=bid+deliver", "random"]),
    ("railways-of-the-world", ["random:without=lay", "greedy:without=build+take hotel"]),
    (
        "railways-of-the-world",
        ["mcts:iterations=3:depth=3:without=urbanize", "greedy:without=deliver+pass"],
    ),
    (
        "railways-of-the-world",
        ["random:without=bonds", "greedy:without=loans over 4+upgrade", "greedy:noise=0.3"],
    ),
    ("railways-of-the-world", ["mcts:iterations=3:depth=3:without=loans", "random"]),
]


@pytest.mark.parametrize(("name", "line_up"), LINE_UPS)
def test_a_restricted_seat_chooses_among_what_the_slow_twin_allows(name, line_up):
    """And it counts these choices alone; the others choose as ever."""
    game, board = sim.load(name), BOARDS[name]
    if any("loans" in spec for spec in line_up):
        board = game.board(settings=MONEYED)
    started = batch(line_up, 1, board=board, seed=3)
    words = [agents.load(spec, game).without for spec in line_up]
    counts = np.zeros((3, len(line_up)), int)
    forbade = bent = 0
    for _ in range(400):
        position = started.position()
        if position.is_over:
            break
        seat, legal = position.to_move, position.legal_codes().tolist()
        may = allowed(position, "+".join(words[seat])) if words[seat] else legal
        stream_before = int(started.seats[0, seat].rng)
        code = started.step()
        assert code in may
        counts[0 if len(may) > 1 else 2, seat] += 1
        counts[1, seat] += len(may) if len(may) > 1 else 0
        forbade += len(may) < len(legal)
        mask = agents.load(line_up[seat], game).forbidden(board)
        bent += words[seat] != () and bool(mask[code])
        if line_up[seat].startswith("random") and len(may) > 1:
            assert code == may[(step(stream_before)[0] >> 32) * len(may) >> 32]
    assert forbade > 10
    found = (started.seats.decisions, started.seats.options, started.seats.forced)
    assert counts.tolist() == [one[0].tolist() for one in found]
    assert bent == 0 or bent < forbade


def test_loans_are_those_of_the_slow_twin():
    """At every legal action of random games, first steps of a Build and bids among them."""
    board = RAILWAYS.board(settings=MONEYED | {"depots_per_player": 2})
    builders = ["random:without=pass+deliver+urbanize+upgrade", "random", "random:without=take"]
    seen, borrowed = set(), 0
    for seed in range(5):
        started = batch(builders, 1, board=board, seed=seed)
        for number in range(90):
            position = started.position()
            here = int(position.state[0].bonds[position.to_move])
            for code in position.legal_codes().tolist() if number % 3 == seed % 3 else []:
                found = contract.record(RAILWAYS.rules.STATE)
                found[0] = position.state[0]
                counted, text = loans(found[0], board.record[0], code), position.text(code)
                assert counted == bonds_after(position, text), text
                borrowed += counted > here
                seen.add(text.partition(" ")[0])
            found[0] = position.state[0]
            assert loans(found[0], board.record[0], -1) == here
            started.step()
    assert borrowed > 100
    assert {"bid", "build", "from", "lay", "upgrade", "urbanize", "use", "redirect"} <= seen


def test_dividends_are_borrowed_by_no_action():
    """The last of a turn, who has debts and no money, passes without a loan and ends with one."""
    position = RAILWAYS.new(players=2, seed=1)
    state = position.state[0]
    while state.round_number < 3 or state.place < 1 or state.phase != ACTION:
        position.play(position.legal_codes()[0])
    seat = position.to_move
    state.money[seat], state.bonds[seat] = 0, 9
    found = contract.record(RAILWAYS.rules.STATE)
    found[0] = state
    assert loans(found[0], position.board.record[0], PASS) == 9
    position.play("pass")
    assert position.turn == 2 and state.bonds[seat] > 9


@pytest.mark.parametrize("agent", ["random", "greedy", "greedy:noise=0.5", "prudent"])
def test_who_may_not_borrow_never_does(agent):
    board = RAILWAYS.board(settings={"starting_money": 40})
    games = play([f"{agent}:without=loans", "greedy", "random"], 9, board=board)
    names = [measure.name for measure in RAILWAYS.measures]
    bonds = by_copy(games.measures[:, names.index("bonds")])
    assert not bonds[:, 0].any() and bonds[:, 1:].all(axis=0).any()
    spent = by_copy(games.measures[:, names.index("track_paid")])
    assert spent[:, 0].any()


@pytest.mark.parametrize("words", ["upgrade", "build", "santa_fe", "bid 5+bid 6+bid 7", "pass"])
def test_restricted_greedy_equals_its_slow_twin(words):
    agent = agents.load(f"greedy:without={words}", GAME)
    started = batch([agent, "greedy", "random"], 1, seed=5)
    fell_back = 0
    while not started.position().is_over:
        position, seat = started.position().copy(), started.position().to_move
        drawn, _ = step(int(started.seats[0, seat].rng))
        code = started.step()
        may = allowed(position, words)
        if seat != 0 or len(may) == 1:
            continue
        seen = position.determinized(seat, drawn)
        advised = naive.advise(seen, agent)
        if advised >= 0 and advised in may:
            assert code == advised
            continue
        fell_back += advised >= 0
        gains = {one: gain for one, gain in naive.gains(seen, agent).items() if one in may}
        assert gains[code] >= max(gains.values()) - 1e-9 * max(1.0, abs(max(gains.values())))
    assert fell_back > 0 or "bid" not in words


def test_where_all_is_forbidden_the_restriction_does_not_hold():
    """Nobody may bid or pass, yet every auction goes on; no disc stays where it must leave."""
    games = play(["random:without=bid+pass", "greedy:without=bid+pass", "random"], 6)
    assert set(games.status) == {0} and games.win_share.sum(axis=1) == pytest.approx(np.ones(6))
    all_of_it = "random:without=bid+pass+auction+build+upgrade+route+stop"
    assert digest(play([all_of_it] * 3, 3)) == digest(play(["random"] * 3, 3))


@pytest.mark.parametrize("spec", ["random", "greedy", "racer", "mcts:iterations=4:depth=4"])
def test_a_restriction_that_never_bites_changes_nothing(spec):
    restricted = f"{spec}:without=bid 1999"
    assert digest(play([restricted, "greedy", spec], 3)) == digest(play([spec, "greedy", spec], 3))


MIXED = [
    "greedy:without=upgrade",
    "random:without=bid 5+build",
    "mcts:iterations=5:depth=4:reuse=1:without=build",
    "mcts:iterations=5:depth=4:reuse=1",
]


def test_restricted_games_depend_on_nothing_but_seeds(monkeypatch):
    """Nor on the budget, nor on the other games of a batch."""
    whole = play(MIXED, 4)
    assert digest(play(MIXED, 4)) == digest(whole)
    alone = [play(MIXED, 1, first=game) for game in range(4)]
    assert [one.score[0].tolist() for one in alone] == whole.score.tolist()
    stepped = batch(MIXED, 2)
    assert all(actions(stepped, game) for game in range(2))
    assert digest(stepped.results()) == digest(play(MIXED, 2))
    monkeypatch.setattr(loop, "_BUDGET", 50)
    assert digest(play(MIXED, 4)) == digest(whole)


@pytest.mark.parametrize("words", ["build", "upgrade+auction"])
def test_a_search_knows_its_own_restriction_and_not_that_of_others(words):
    agent = agents.load(f"mcts:iterations=400:depth=4:without={words}", GAME)
    mask = forbidden(BOARD, agent.without)
    checked = others = 0
    for seed in range(6):
        started = batch([agent, "random", "random"], 1, seed=seed)
        for _ in range(60):
            position = started.position()
            if position.to_move == 0 and position.turn > 2 and len(allowed(position, words)) > 1:
                break
            started.step()
        before = position.copy()
        started.step()
        for here, tried in nodes_of(started, before, words):
            if here.to_move == 0:
                assert set(tried) <= set(allowed(here, words))
                checked += len(here.legal_codes()) > len(allowed(here, words))
            else:
                others += int(mask[tried].sum())
    assert checked > 10 and others > 0


def nodes_of(started, position, words):
    """Positions of the tree of seat 0, as long as no chance comes in, and what was tried there."""
    nodes = started._search.nodes[0]
    waiting = [(0, position)]
    while waiting:
        node, here = waiting.pop()
        while not here.is_over:
            may = allowed(here, words) if here.to_move == 0 else here.legal_codes().tolist()
            if len(may) > 1:
                break
            here = here.copy().play(may[0])
        tried, child = [], int(nodes[node].first)
        while child >= 0:
            code = int(nodes[child].action)
            if nodes[child].visits > 0 and code in here.legal_codes():
                tried.append(code)
                waiting.append((child, here.copy().play(code)))
            child = int(nodes[child].next)
        if tried:
            yield here, tried


def test_each_game_has_room_for_all_restrictions_of_a_batch():
    specs = [f"random:without=bid {bid}" for bid in range(5, 15)]
    loaded = [agents.load(spec, GAME) for spec in specs]
    line_ups = [loaded[first : first + 5] for first in range(6)]
    seeds = np.array([[stream(game, seat) for seat in range(5)] for game in range(6)], np.uint64)
    started = Batch(BOARD, line_ups, np.arange(6), seeds)
    assert len(set(started.seats.without.ravel().tolist())) == 10
    for game in range(6):
        while True:
            seat = started.position(game).to_move
            is_choice = len(started.position(game).legal_codes()) > 1
            code = started.step(game)
            if code is None:
                break
            assert not is_choice or started.position(game).text(code) != f"bid {5 + game + seat}"
