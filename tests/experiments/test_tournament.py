"""Tournaments: line-ups and seats that are balanced, standings that add up."""

import itertools
from collections import Counter

import numpy as np
import pytest

from experiments import runner, store, tournament
from experiments.metrics import summarise
from experiments.plan import Plan, mixed
from sim.errors import Mistake
from tests.experiments import toy

AGENTS = ["plain", "strong", "handy", "same", "python"]


pytestmark = pytest.mark.usefixtures("toy_house")


def play(folder, agents, players=4, kind="tournament", games=40):
    plan = Plan.build(
        {"game": "toy", "players": players, "agents": agents, "games": games, "kind": kind}
    )
    run = runner.run(plan, folder, workers=1)
    summary = summarise(run.tables(), run.manifest, toy.Game.measures)
    return run, summary, tournament.standings(run, summary)


@pytest.mark.parametrize("number", range(2, 7))
@pytest.mark.parametrize("seats", range(1, 7))
def test_line_ups_treat_all_agents_alike(number, seats):
    """All play equally often, and so do all pairs: with and against each other."""
    agents = [f"a{index}" for index in range(number)]
    line_ups = mixed(agents, seats)
    assert all(len(line_up) == seats for line_up in line_ups)
    assert len(set(map(tuple, map(sorted, line_ups)))) == len(line_ups)
    for line_up in line_ups:
        counts = Counter(line_up)
        assert max(counts.values()) - min(counts[agent] for agent in agents) <= 1
    played = Counter(itertools.chain(*line_ups))
    assert len(set(played.values())) == 1 and len(played) == number
    met = Counter(
        tuple(sorted(pair)) for line_up in line_ups for pair in itertools.combinations(line_up, 2)
    )
    assert len({count for pair, count in met.items() if pair[0] != pair[1]}) <= 1


@pytest.mark.parametrize(
    ("agents", "players"),
    [(AGENTS, 4), (AGENTS[:3], 4), (AGENTS[:2], 5), (AGENTS[:4], 4), (AGENTS, 2)],
)
def test_seats_are_balanced_exactly(tmp_path, agents, players):
    run, *_ = play(tmp_path, agents, players, games=20)
    table = run.table()
    seats = table.groupby(["agent", "seat"]).size().unstack("seat")
    assert len(seats) == len(agents) and len(set(seats.to_numpy().ravel())) == 1
    assert table.groupby("block").cell.nunique().nunique() == 1


def test_in_a_gauntlet_the_first_sits_at_every_table(tmp_path):
    run, _, found = play(tmp_path, AGENTS[:4], 3, "gauntlet")
    line_ups = [entry["agents"] for entry in run.manifest["cells"]]
    assert line_ups == [
        ["plain", "strong", "handy"],
        ["plain", "strong", "same"],
        ["plain", "handy", "same"],
    ]
    assert set(found.agents) == set(AGENTS[:4])


def test_standings_are_those_of_the_table_of_games(tmp_path):
    run, summary, found = play(tmp_path, AGENTS, games=160)
    table = run.table()
    assert found.agents[0] == "strong" and found.games == len(table) // 4
    assert found.games == 5 * 160
    means = table.groupby("agent").win_share.mean()
    assert [share.mean for share in found.win_share] == pytest.approx(
        [means[agent] for agent in found.agents]
    )
    assert [one.mean for one in found.ratings] == sorted(
        (one.mean for one in found.ratings), reverse=True
    )
    assert sum(one.mean for one in found.ratings) == pytest.approx(0)
    gaps = np.diff([one.mean for one in found.ratings])
    assert [lead.mean for lead in found.leads] == pytest.approx((-gaps).tolist())
    assert found.leads[0].low > 0 and found.leads[0].low < found.leads[0].mean
    strong, plain = (table[table.agent == agent] for agent in ("strong", "plain"))
    both = strong.merge(plain, on=["cell", "block", "rotation"])
    ahead = (both.rank_x < both.rank_y) + 0.5 * (both.rank_x == both.rank_y)
    pair = found.pair(0, found.agents.index("plain"))
    assert pair.mean == pytest.approx(ahead.groupby(both.block).mean().mean())
    assert pair.blocks == table.block.nunique()
    assert found.ahead[0].sum() == 4 and found.circles == [] and not found.is_spoiled
    assert found.lottery[0] == pytest.approx(1)
    assert summary.cells[0].is_complete and not summary.warnings()


def test_equal_agents_are_not_told_apart(tmp_path):
    found = play(tmp_path, ["plain", "same", "python"], 3, games=150)[2]
    assert not found.ahead.any()
    assert found.sentences()[0].startswith(f"{found.agents[0]} and {found.agents[1]} lead, and ")
    assert all(one.low < 0 < one.high for one in found.ratings)


def test_a_circular_order_is_named(tmp_path, monkeypatch):
    """Scissors cut paper, paper wraps rock, rock blunts scissors: by the neighbours of a seat."""
    beats = {"plain": "same", "same": "python", "python": "plain"}
    play_games = toy.play_games

    def circular(board, line_ups, *arguments, **more):
        games = play_games(board, line_ups, *arguments, **more)
        for game, (one, other) in enumerate(line_ups):
            games.score[game] = (9, 1) if beats[one.spec] == other.spec else (1, 9)
            if game % 4 == 0:
                games.score[game] = games.score[game][::-1]
        games.win_share[:] = games.score == games.score.max(axis=1, keepdims=True)
        return games

    monkeypatch.setattr(runner, "open_house", lambda name: (toy.Game(), toy.load, circular))
    found = play(tmp_path, list(beats), 2, games=400)[2]
    (circle,) = found.circles
    cycle = [found.agents[place] for place in circle.cycle]
    assert all(beats[one] == other for one, other in itertools.pairwise(cycle))
    assert found.lottery == pytest.approx(1 / 3, abs=0.02)
    said = found.sentences()[1]
    assert "There is no one order" in said and " > ".join(cycle) in said
    assert found.to_json()["circles"] == [cycle]


def test_nothing_is_concluded_where_many_games_failed(tmp_path, monkeypatch):
    play_games = toy.play_games

    def failing(*arguments, **more):
        games = play_games(*arguments, **more)
        games.status[::20] = 2
        return games

    monkeypatch.setattr(runner, "open_house", lambda name: (toy.Game(), toy.load, failing))
    found = play(tmp_path, AGENTS[:3], 3)[2]
    assert found.is_spoiled and "nothing is concluded" in found.sentences()[0]


def test_what_a_script_is_told(tmp_path):
    told = play(tmp_path, AGENTS[:3])[2].to_json()
    assert [entry["agent"] for entry in told["agents"]][0] == "strong"
    assert told["fair_share"] == 0.25 and told["players"] == 4 and told["games"] == 120
    assert len(told["pairs"]) == 6 and told["circles"] == []
    shares = {(pair["agent"], pair["against"]): pair["finishes_ahead"] for pair in told["pairs"]}
    assert shares["strong", "plain"]["mean"] + shares["plain", "strong"]["mean"] == pytest.approx(1)


def test_what_is_said_of_few_blocks(tmp_path):
    said = play(tmp_path, AGENTS[:3], games=8)[2].sentences()
    assert "which of them is better is not settled" in said[0]
    assert said[1] == "No pair is apart beyond chance."
    assert said[-1].startswith("This is only a first look: 2 blocks are too few")


def test_what_is_said_of_two(tmp_path):
    said = play(tmp_path, ["plain", "strong"], games=160)[2].sentences()
    assert said[0].startswith("strong is rated highest, ")
    assert said[1:] == ["The two are apart beyond chance."]


def test_who_always_finishes_behind_has_no_rating_that_tells_how_far(tmp_path, monkeypatch):
    monkeypatch.setitem(toy.STRENGTH, "plain", -9.0)
    found = play(tmp_path, AGENTS[:3], 3, games=120)[2]
    assert found.agents[-1] == "plain" and found.extremes == ["plain"]
    assert found.sentences()[-1].startswith("plain finished ahead or behind every time, ")
    monkeypatch.setitem(toy.STRENGTH, "strong", 9.0)
    found = play(tmp_path / "more", AGENTS[:2], 2, games=120)[2]
    assert found.sentences()[0] == (
        "strong is rated highest: it finished ahead of plain every time."
    )


def test_who_has_not_played_yet_has_no_standing(tmp_path):
    def stop(total, done, rate, note):
        if done:
            raise KeyboardInterrupt

    plan = Plan.build(
        {"game": "toy", "players": 3, "agents": AGENTS, "games": 40, "kind": "tournament"}
    )
    with pytest.raises(KeyboardInterrupt):
        runner.run(plan, tmp_path, workers=1, progress=stop)
    run = store.Run.open(tmp_path)
    summary = summarise(run.tables(), run.manifest, toy.Game.measures)
    assert sorted(tournament.standings(run, summary).agents) == sorted(AGENTS[:3])
    assert summary.warnings() == ["The run is not complete: it has fewer blocks than planned."]


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"agents": ["plain"]}, "a tournament needs two or more agents, each given once"),
        ({"agents": ["plain", "plain"]}, "a tournament needs two or more agents, each given once"),
        ({"players": [3, 4]}, "a tournament has one player count and one value for each setting"),
        ({"settings": {"coins": [1, 2]}}, "one value for each setting"),
        ({"kind": "match"}, "a match is between two agents, not 3"),
        (
            {"kind": "cup"},
            "kind = 'cup' is not possible: it should be 'match', 'tournament', 'gauntlet'",
        ),
    ],
)
def test_wrong_plans(changes, part):
    data = {"game": "toy", "players": 4, "agents": AGENTS[:3], "games": 9, "kind": "tournament"}
    with pytest.raises(Mistake) as mistake:
        Plan.build(data | changes, source="cup.toml")
    assert part in str(mistake.value) and str(mistake.value).startswith("cup.toml: ")
