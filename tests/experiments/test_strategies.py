"""Which strategies matter: verdicts and intervals of known games, and runs of the toy house."""

import json

import numpy as np
import pytest

from experiments import runner, store
from experiments.equilibria import expected_shares, line_ups, payoffs_of
from experiments.metrics import summarise
from experiments.plan import Plan
from experiments.strategies import Strategies, _shares, balance, strategies
from sim.errors import Mistake
from tests.experiments import toy
from tests.experiments.test_equilibria import RARE, random_shares, two_players

RING = {"plain": "same", "same": "python", "python": "plain"}


pytestmark = pytest.mark.usefixtures("toy_house")


def noisy(shares, blocks, rng, size=0.1):
    """Blocks of the shares of two strategies of three players, with luck that adds up to 0."""
    copies = line_ups(2, 3)
    luck = rng.uniform(-size, size, size=(blocks, len(copies), 1)) * [1, -1]
    return shares + np.where((copies > 0).all(axis=1)[:, None], luck / np.maximum(copies, 1), 0)


def play(folder, agents, players=3, games=90, **more):
    data = {"game": "toy", "players": players, "agents": agents, "games": games}
    plan = Plan.build(data | {"kind": "strategies"} | more)
    run = runner.run(plan, folder, workers=1)
    summary = summarise(run.tables(), run.manifest, toy.Game.measures)
    return run, summary, strategies(run, summary)


# ---- the mix and its intervals


def test_intervals_cover():
    """Of the weight, and of what a strategy wins against the mix that was found."""
    rng = np.random.default_rng(5)
    truth = payoffs_of(RARE, 3)
    weights, won = [], []
    for _ in range(50):
        found = balance(noisy(RARE, 60, rng), 3, samples=100)
        weights.append(found.weights[0].low <= 5 / 7 <= found.weights[0].high)
        against = expected_shares(truth, found.mixes[0].mix, 3)
        won += [one.low <= true <= one.high for one, true in zip(found.won, against, strict=True)]
    assert 0.84 <= np.mean(weights) <= 0.99
    assert 0.89 <= np.mean(won) <= 0.99


def test_equal_strategies_are_not_called_dead_or_dominant():
    rng = np.random.default_rng(6)
    shares = [[1 / 3, 0], [1 / 3, 1 / 3], [1 / 3, 1 / 3], [0, 1 / 3]]
    said = [balance(noisy(shares, 40, rng), 3, samples=100).verdicts for _ in range(40)]
    wrong = sum("dead" in verdicts or "dominant" in verdicts for verdicts in said)
    assert wrong <= 4


def test_a_niche():
    """Rock is the best reply to scissors, which nobody plays as paper is better than both."""
    wins = np.array([[0.5, 0.1, 0.9], [0.9, 0.5, 0.8], [0.1, 0.2, 0.5]])
    found = balance(np.tile(two_players(wins), (40, 1, 1)), 2)
    assert found.verdicts == ["niche", "matters", "dead"]
    assert found.best.argmax(axis=0).tolist() == [1, 1, 0] and found.best.sum() == 3
    assert found.weights[1].mean == 1
    assert found.replies[0][2].mean == pytest.approx(0.9)
    assert found.beats.tolist() == [[False, False, True], [True, False, True], [False] * 3]
    assert found.effective[:3] == (1, 1, 1)


def test_who_is_in_another_mix_alone_is_not_dead():
    shares = random_shares(np.random.default_rng(9), 3, 3)
    found = balance(np.tile(shares, (40, 1, 1)), 3)
    assert found.best.argmax(axis=0).tolist() == [1, 2, 2]
    assert found.verdicts == ["niche", "niche", "matters"]
    assert [(one.mix > 0).tolist() for one in found.mixes] == [
        [False, False, True],
        [True, True, False],
    ]
    told = Strategies(["a", "b", "c"], [None], [found]).sentences()
    assert told[0] == "1 of 3 strategies matters: c 100 %."
    assert told[1].startswith("a has a niche: against the mix it wins ")
    assert told[1].endswith("yet it is in another mix in balance.")
    said = "yet it does best among copies of a and is in another mix in balance."
    assert told[2].endswith(said)
    assert told[3].startswith("By these games it is not the only mix in balance: ")


def test_few_blocks_decide_nothing():
    shares = np.tile([[0.5, 0], [0.1, 0.9], [0, 0.5]], (29, 1, 1))
    assert balance(shares, 2).verdicts == ["open", "open"]
    assert balance(shares[:1], 2).weights[1].mean == 1


# ---- runs


def test_who_is_stronger_is_dominant(tmp_path):
    run, summary, found = play(tmp_path, ["plain", "strong", "handy"])
    table = run.table()
    assert len(run.manifest["cells"]) == 10 and len(summary.cells) == 1
    assert table.groupby("cell").block.nunique().unique() == [30]
    (one,) = found.balances
    assert one.verdicts == ["dead", "dominant", "dead"] and one.blocks == 30
    assert [weight.mean for weight in one.weights] == [0, 1, 0]
    assert one.best.tolist() == [[False] * 3, [True] * 3, [False] * 3] and one.circles == []
    # Alone among copies, by pandas.
    number = next(
        entry["cell"]
        for entry in run.manifest["cells"]
        if sorted(entry["agents"]) == ["handy", "strong", "strong"]
    )
    rows = table[(table.cell == number) & (table.agent == "handy")]
    assert one.replies[2][1].mean == pytest.approx(rows.groupby("block").win_share.mean().mean())
    assert one.won[2].mean == pytest.approx(one.replies[2][1].mean)
    said = found.sentences()
    assert said[0] == "1 of 3 strategies matters: strong 100 %."
    assert said[1].startswith("strong is dominant: ")
    assert said[2].startswith("plain is dead: against the mix it wins ")
    assert not summary.warnings()


def test_shares_of_blocks_of_different_length_count_alike(tmp_path):
    """A,A,B,B is 4 games in one order and 2 in the other."""
    agents = ["plain", "strong"]
    run, summary, _ = play(tmp_path, agents, players=4, games=160)
    table = run.table()
    rows = table.groupby(["cell", "block", "agent"]).win_share
    assert set(rows.count().groupby(["cell", "block"]).sum()) == {4, 8, 16}
    found = _shares(rows.mean(), summary.cells[0], agents)
    two = next(e["cell"] for e in run.manifest["cells"] if e["agents"].count("plain") == 2)
    own = table[(table.cell == two) & (table.agent == "strong")]
    wanted = own.groupby("block").win_share.mean()
    assert found.shape == (40, 5, 2) and found[:, 2, 1] == pytest.approx(wanted.to_numpy())


def test_a_circle_of_best_replies(tmp_path, monkeypatch):
    """Scissors cut paper, paper wraps rock, rock blunts scissors."""
    play_games = toy.play_games

    def circular(board, line_ups, *arguments, **more):
        games = play_games(board, line_ups, *arguments, **more)
        for game, (one, other) in enumerate(line_ups):
            if one.spec == other.spec:
                games.score[game] = (5, 5)
            else:
                games.score[game] = (9, 1) if RING[one.spec] == other.spec else (1, 9)
                if game % 4 == 0:
                    games.score[game] = games.score[game][::-1]
        games.win_share[:] = games.score == games.score.max(axis=1, keepdims=True)
        games.win_share[:] /= games.win_share.sum(axis=1, keepdims=True)
        return games

    monkeypatch.setattr(runner, "open_house", lambda name: (toy.Game(), toy.load, circular))
    found = play(tmp_path, list(RING), 2, games=400)[2]
    (one,) = found.balances
    assert [weight.mean for weight in one.weights] == pytest.approx([1 / 3] * 3, abs=0.05)
    assert one.verdicts == ["matters"] * 3 and one.effective.mean == pytest.approx(3, abs=0.05)
    (circle,) = one.circles
    assert sorted(circle.agents) == [0, 1, 2]
    said = found.sentences()
    assert said[0].startswith("All 3 strategies matter: ")
    assert said[-1].startswith("Best replies go round: plain > same > python > plain, ")


def test_several_settings_and_player_counts(tmp_path):
    run, summary, found = play(
        tmp_path, ["plain", "strong"], [2, 3], games=60, settings={"coins": [5, 6]}
    )
    assert len(run.manifest["cells"]) == 2 * (3 + 4)
    assert [(cell.players, cell.label) for cell in summary.cells] == [
        *((2, "coins=5"), (2, "coins=6"), (3, "coins=5"), (3, "coins=6"))
    ]
    assert [one.blocks for one in found.balances] == [30, 30, 20, 20]
    said = found.sentences()
    assert said[0] == (
        "At 2 players, coins=5: 1 of 2 strategies matters (strong 100 %); dominant: strong; "
        "dead: plain."
    )
    assert said[3].startswith("At 3 players, coins=6: 1 of 2 strategies is in the mix in balance")
    assert found.sentences(lambda cell: "home")[1].startswith("At home: ")
    assert found.full(3)[-1].startswith("This is only a first look: 20 blocks are too few")
    told = json.loads(json.dumps(found.to_json()))
    assert told["agents"] == ["plain", "strong"] and len(told["cells"]) == 4
    cell = told["cells"][0]
    assert cell["fair_share"] == 0.5 and cell["settings"] == {"coins": 5}
    assert [one["verdict"] for one in cell["strategies"]] == ["dead", "dominant"]
    assert cell["mixes"][0]["weights"] == {"plain": 0, "strong": 1}
    assert len(cell["replies"]) == 2 and cell["replies"][0]["in_the_field_of"] == "plain"


def test_more_games_extend_a_run(tmp_path):
    play(tmp_path, ["plain", "strong"], games=60)
    assert play(tmp_path, ["plain", "strong"], games=90)[2].balances[0].blocks == 30


def test_until_all_line_ups_are_played_nothing_is_concluded(tmp_path):
    def stop(total, done, rate, note):
        if done:
            raise KeyboardInterrupt

    data = {"game": "toy", "players": 3, "agents": ["plain", "strong", "handy"], "games": 90}
    with pytest.raises(KeyboardInterrupt):
        runner.run(Plan.build(data | {"kind": "strategies"}), tmp_path, workers=1, progress=stop)
    run = store.Run.open(tmp_path)
    summary = summarise(run.tables(), run.manifest, toy.Game.measures)
    found = strategies(run, summary)
    assert found.balances == [None]
    assert found.sentences() == ["Not all line-ups have been played yet, so nothing is concluded."]
    assert "strategies" not in found.to_json()["cells"][0]


def test_nothing_is_concluded_where_many_games_failed(tmp_path, monkeypatch):
    play_games = toy.play_games

    def failing(*arguments, **more):
        games = play_games(*arguments, **more)
        games.status[::20] = 2
        return games

    monkeypatch.setattr(runner, "open_house", lambda name: (toy.Game(), toy.load, failing))
    found = play(tmp_path, ["plain", "strong"], 3)[2]
    assert "more than 1 %, so nothing is concluded" in found.sentences()[0]


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"agents": ["plain"]}, "a run of strategies needs two or more agents, each given once"),
        ({"agents": ["plain"] * 2}, "a run of strategies needs two or more agents, each given"),
        ({"line_ups": ["plain,same"], "agents": ["plain", "same"]}, "makes the line-ups from them"),
        (
            {"agents": [f"weighted:push={i}" for i in range(12)]},
            "12 agents at a table of 4 make 1,365 line-ups, more than 500; give at most 9 agents",
        ),
    ],
)
def test_wrong_plans(changes, part):
    data = {"game": "toy", "players": 4, "agents": ["plain", "same"], "games": 9}
    with pytest.raises(Mistake) as mistake:
        Plan.build(data | {"kind": "strategies"} | changes, source="mix.toml").cells(toy.Game())
    assert part in str(mistake.value) and str(mistake.value).startswith("mix.toml: ")
