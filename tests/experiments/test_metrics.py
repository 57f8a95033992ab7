"""Summaries of results tables, from tables made here with known answers."""

import json
import math
import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from experiments.metrics import COLUMNS, PROGRESS, summarise
from experiments.stats import block_interval, paired_interval
from sim.errors import Mistake


def cell(number, agents, **settings):
    shift = next(
        r for r in range(1, len(agents) + 1) if agents[-r % len(agents) :] + agents[:-r] == agents
    )
    return {
        "cell": number,
        "players": len(agents),
        "settings": settings,
        "agents": agents,
        "rotations": shift,
        "blocks": 4,  # too few on purpose: a run may be extended
    }


def manifest(*cells):
    return {
        "format": 1,
        "game": "westward-rails",
        "rules_version": 3,
        "board": {"name": "board", "label": "Reconstructed map"},
        "cells": list(cells),
    }


def play(entry, blocks, game, seed=1):
    """Results table of a cell; `game(specs, rng)` gives a dict: scores, and what it likes."""
    n, rows = entry["players"], []
    for block in range(blocks):
        rng = np.random.default_rng((seed, block))
        first = int(rng.integers(entry["rotations"]))  # the block's cyclic order
        for rotation in range(entry["rotations"]):
            copies = [(seat - rotation - first) % n for seat in range(n)]
            specs = [entry["agents"][copy] for copy in copies]
            said = game(specs, rng)
            scores = np.array(said["scores"], float)
            share = said.get("win_share", (scores == scores.max()) / (scores == scores.max()).sum())
            for seat in range(n):
                row = {
                    "cell": entry["cell"],
                    "block": block,
                    "rotation": rotation,
                    "seat": seat,
                    "copy": copies[seat],
                    "agent": specs[seat],
                    "players": n,
                    "seed": 1000 + block,
                    "settings": ",".join(f"{k}={v}" for k, v in entry["settings"].items()),
                    "win_share": share[seat],
                    "score": scores[seat],
                    "rank": 1 + int((scores > scores[seat]).sum()),
                    "decisions": 2 * said.get("turns", 30),
                    "turns": said.get("turns", 30),
                    "end_reason": said.get("end_reason", "demands"),
                    "status": said.get("status", "ok"),
                    "offender": said.get("offender", -1),
                    "version": 3,
                }
                row |= {name: scores[seat] * i / 10 for i, name in enumerate(PROGRESS)}
                row |= {k: v[seat] for k, v in said.get("measures", {}).items()}
                rows.append(row)
    return pd.DataFrame(rows)


def random_game(specs, rng):
    return {"scores": rng.permutation(len(specs)), "turns": int(rng.integers(20, 40))}


def one(frame, *cells, **keywords):
    return summarise([frame], manifest(*cells), **keywords)


# ---- who won: seat against agent


def test_fixed_seat_advantage_is_the_seats_not_the_agents():
    # The third seat wins every game, whoever sits there.
    entry = cell(0, ["a", "b", "c", "d"])
    frame = play(entry, 60, lambda specs, rng: {"scores": [1, 2, 9, 3]})
    got = one(frame, entry).cells[0]
    assert [share.mean for share in got.seat_win_share] == [0, 0, 1, 0]
    assert {spec: share.mean for spec, share in got.win_share.items()} == dict.fromkeys(
        "abcd", 0.25
    )
    for share in got.win_share.values():
        assert not share.excludes(0.25)


def test_fixed_agent_advantage_is_the_agents_not_the_seats():
    entry = cell(0, ["strong", "weak", "weak"])
    frame = play(entry, 60, lambda specs, rng: {"scores": [spec == "strong" for spec in specs]})
    got = one(frame, entry).cells[0]
    assert got.win_share["strong"].mean == 1
    assert got.win_share["weak"].mean == 0
    assert [share.mean for share in got.seat_win_share] == pytest.approx([1 / 3] * 3)


def test_unequal_copies_share_is_per_copy():
    entry = cell(0, ["a", "b", "b", "b"])
    frame = play(entry, 80, random_game)
    got = one(frame, entry).cells[0]
    assert list(got.win_share) == ["a", "b"]
    assert got.games == 320 and got.blocks == 80
    a, b = got.win_share["a"], got.win_share["b"]
    assert a.mean + 3 * b.mean == pytest.approx(1)
    # By pandas, the slow way.
    by_block = frame[frame.agent == "b"].groupby("block").win_share.mean()
    assert b == pytest.approx(block_interval(by_block))
    for seat in range(4):
        by_block = frame[frame.seat == seat].groupby("block").win_share.mean()
        assert got.seat_win_share[seat] == pytest.approx(block_interval(by_block))


def test_two_agents_alternating_have_two_rotations():
    entry = cell(0, ["a", "b", "a", "b"])
    assert entry["rotations"] == 2
    frame = play(entry, 40, lambda specs, rng: {"scores": [spec == "a" for spec in specs]})
    got = one(frame, entry).cells[0]
    assert (got.games, got.win_share["a"].mean, got.win_share["b"].mean) == (80, 0.5, 0)


# ---- other figures


def test_ties_margins_lengths_and_end_reasons():
    entry = cell(0, ["a", "a", "a"])
    games = iter(
        [
            {"scores": [5, 5, 1], "turns": 10, "end_reason": "cubes"},
            {"scores": [9, 2, 7], "turns": 20},
            {"scores": [4, 4, 4], "turns": 30},
            {"scores": [0, 6, 5], "turns": 60, "end_reason": ""},
        ]
    )
    got = one(play(entry, 4, lambda specs, rng: next(games)), entry).cells[0]
    assert got.ties.mean == 0.5
    assert got.score_margin.mean == (0 + 2 + 0 + 1) / 4
    assert got.turns.mean == 30 and got.decisions.mean == 180
    assert {name: share.mean for name, share in got.end_reasons.items()} == {
        "cubes": 0.25,
        "demands": 0.5,
        "none": 0.25,
    }
    assert [share.mean for share in got.seat_win_share] == pytest.approx(
        [(1 / 2 + 1 + 1 / 3) / 4, (1 / 2 + 1 / 3 + 1) / 4, (1 / 3) / 4]
    )
    found = {name: (game.block, game.value) for name, game in got.extremes.items()}
    assert found == {
        "shortest": (0, 10),
        "longest": (3, 60),
        "highest_winning_score": (1, 9),
        "largest_margin": (1, 2),
        "narrowest_margin": (0, 0),  # the earlier of two
    }
    assert got.extremes["longest"].seed == 1003


def test_trajectory_by_final_rank():
    entry = cell(0, ["a", "a", "a"])
    games = iter([{"scores": [10, 10, 2]}, {"scores": [1, 5, 30]}])
    got = one(play(entry, 2, lambda specs, rng: next(games)), entry).cells[0]
    assert got.trajectory_players.tolist() == [3, 1, 2]
    wanted = np.array([[50 / 3], [5], [1.5]]) * np.arange(11) / 10
    np.testing.assert_allclose(got.trajectory, wanted, atol=2**-16)


def test_measures_overall_and_by_agent():
    entry = cell(0, ["a", "b", "b"])

    def game(specs, rng):
        own = [10.0 if spec == "a" else rng.random() for spec in specs]
        return {"scores": [1, 2, 3], "measures": {"bonds": own, "deliveries": [7.0] * 3}}

    frame = play(entry, 40, game)
    got = one(frame, entry).cells[0]
    assert list(got.measures) == ["bonds", "deliveries"]
    assert got.measures["deliveries"].overall.mean == 7
    assert got.measures["deliveries"].by_agent == {}
    bonds = got.measures["bonds"]
    assert bonds.by_agent["a"].mean == 10
    by_block = frame[frame.agent == "b"].groupby("block").bonds.mean()
    assert bonds.by_agent["b"] == pytest.approx(block_interval(by_block, bounds=None))
    assert bonds.overall.mean == pytest.approx(frame.bonds.mean())
    # What the game declares goes before what the table looks like.
    declared = [
        SimpleNamespace(name="bonds", per_player=False),
        SimpleNamespace(name="deliveries", per_player=True),
    ]
    got = one(frame, entry, measures=declared).cells[0]
    assert not got.measures["bonds"].by_agent
    assert got.measures["deliveries"].by_agent["b"].mean == 7


def test_measures_without_a_value_are_left_out_of_the_mean():
    entry = cell(0, ["a", "b"])

    def game(specs, rng):
        first = [math.nan if spec == "b" else 4.0 for spec in specs]
        return {"scores": [1, 2], "measures": {"first_delivery": first}}

    measure = one(play(entry, 5, game), entry).cells[0].measures["first_delivery"]
    assert measure.overall.mean == 4 and measure.by_agent["a"].mean == 4
    assert math.isnan(measure.by_agent["b"].mean) and measure.by_agent["b"].blocks == 0


# ---- games with a problem


def test_problem_games_count_and_take_the_verdict():
    entry = cell(0, ["good", "bad", "bad"])

    def game(specs, rng):
        if rng.random() < 0.1:
            offender = specs.index("bad")
            share = [0.0 if seat == offender else 0.5 for seat in range(3)]
            said = {"status": "illegal", "offender": offender, "win_share": share}
            return said | {"scores": [0, 0, 0], "turns": 1, "end_reason": ""}
        return random_game(specs, rng)

    frame = play(entry, 100, game)
    summary = one(frame, entry)
    got = summary.cells[0]
    assert got.games == 300 == sum(got.statuses.values())
    assert got.problems == got.statuses["illegal"] > 10
    assert not got.has_verdict
    # Never dropped: the shares are those of all games.
    assert got.win_share["good"].mean == pytest.approx(
        frame[frame.agent == "good"].win_share.mean()
    )
    # The others' halves are no tie, and a game broken off is no record.
    assert got.ties.mean == 0 and got.extremes["shortest"].value >= 20
    text = " ".join(summary.finding())
    assert f"{got.problems} illegal" in text and "nothing is concluded" in text
    assert "compatible" not in text and "more than the fair" not in text


def test_one_problem_in_a_hundred_keeps_the_verdict():
    entry = cell(0, ["a", "a"])
    frame = play(entry, 100, random_game)
    frame.loc[frame.block == 5, "status"] = "too long"
    summary = one(frame, entry)
    assert summary.cells[0].statuses == {"ok": 99, "too long": 1}
    assert summary.cells[0].has_verdict
    assert "1 of 100 games had a problem (1 too long)" in " ".join(summary.finding())


# ---- streaming


def test_parts_in_any_order_give_the_same_summary():
    entries = [cell(0, ["a", "b", "b"], money=20), cell(1, ["a", "b", "b"], money=30)]

    def game(specs, rng):
        return random_game(specs, rng) | {"measures": {"bonds": rng.random(3)}}

    whole = pd.concat([play(entry, 30, game, seed=entry["cell"]) for entry in entries])
    wanted = json.dumps(summarise([whole], manifest(*entries)).to_json())
    parts = [whole[whole.block % 7 == i] for i in (3, 0, 6, 1, 5, 2, 4)]
    parts = [part.sample(frac=1, random_state=1) for part in parts] + [whole.iloc[:0]]
    assert json.dumps(summarise(iter(parts), manifest(*entries)).to_json()) == wanted


def test_blocks_may_differ_in_rotations():
    # A,A,B,B is seated as AABB (four rotations) or ABAB (two); each block counts once.
    entry = cell(0, ["a", "a", "b", "b"])
    frame = play(entry, 40, random_game)
    frame = frame[(frame.block % 3 > 0) | (frame.rotation < 2)]
    got = one(frame, entry).cells[0]
    assert got.blocks == 40 and got.games == 26 * 4 + 14 * 2
    by_block = frame[frame.agent == "a"].groupby("block").win_share.mean()
    assert got.win_share["a"] == pytest.approx(block_interval(by_block))


def test_memory_stays_small_over_many_parts():
    import tracemalloc

    entry = cell(0, ["a", "b"]) | {"blocks": 100_000}
    part = play(entry, 500, random_game)

    def parts(count):
        for i in range(count):
            yield part.assign(block=part.block + 500 * i)

    def peak(count):
        tracemalloc.start()
        summarise(parts(count), manifest(entry))
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    # 20 times the games, in sums that were there from the start.
    assert peak(40) < 1.3 * peak(2)


def test_damaged_tables_are_refused():
    entry = cell(0, ["a", "b"])
    frame = play(entry, 3, random_game)
    with pytest.raises(Mistake, match="cell 0 are damaged.*each of its 2 seats"):
        one(frame.iloc[1:], entry)
    with pytest.raises(Mistake, match="cell 0.*only the cells 4"):
        one(frame, cell(4, ["a", "b"]))
    with pytest.raises(Mistake, match="played by [ab], [ab] where the manifest has a, c"):
        one(frame, cell(0, ["a", "c"]))


def test_columns_are_those_of_the_table():
    assert list(play(cell(0, ["a", "a"]), 1, random_game).columns) == list(COLUMNS)


# ---- to_json


def test_json_names_and_plain_values():
    entry = cell(0, ["a", "b"], starting_money=24)
    empty = cell(1, ["a", "b"], starting_money=30)
    summary = one(play(entry, 1, random_game), entry, empty)
    got = json.loads(json.dumps(summary.to_json(), allow_nan=False))
    assert got["games"] == 2 and len(got["cells"]) == 2
    first = got["cells"][0]
    assert first["settings"] == {"starting_money": 24}
    assert (first["players"], first["games"], first["statuses"]) == (2, 2, {"ok": 2})
    assert set(first["win_share"]) == {"a", "b"}
    assert set(first["win_share"]["a"]) == {"mean", "low", "high"}
    assert [set(seat) for seat in first["seat_win_share"]] == [{"mean", "low", "high"}] * 2
    # One block: a wide interval for a share, none for a length.
    assert first["win_share"]["a"]["high"] - first["win_share"]["a"]["low"] > 0.8
    assert first["turns"]["mean"] > 0 and first["turns"]["low"] is None
    assert first["end_reasons"]["demands"]["mean"] == 1.0
    second = got["cells"][1]
    assert (second["games"], second["statuses"], second["has_verdict"]) == (0, {}, False)
    assert second["win_share"]["a"] == {"mean": None, "low": 0.0, "high": 1.0}


def test_end_reason_that_only_another_cell_saw_has_share_zero():
    entries = [cell(0, ["a", "a"], money=1), cell(1, ["a", "a"], money=2)]
    frames = [
        play(entries[0], 40, random_game),
        play(entries[1], 40, lambda s, r: random_game(s, r) | {"end_reason": "deadlock"}),
    ]
    got = summarise(frames, manifest(*entries)).cells[0].end_reasons["deadlock"]
    assert got.mean == 0 == got.low and 0 < got.high < 0.2


# ---- the finding


def biased(strength):
    def game(specs, rng):
        luck = rng.random(len(specs)) + [strength * (spec == "strong") for spec in specs]
        return {"scores": luck, "turns": int(rng.integers(20, 40))}

    return game


def claims(summary):
    return [line for line in summary.finding() if "than the fair" in line]


def test_same_agents_find_nothing():
    entry = cell(0, ["greedy"] * 4)
    summary = one(play(entry, 300, random_game), entry)
    text = " ".join(summary.finding())
    assert claims(summary) == []
    assert "All seats are played by greedy" in text
    assert re.search(r"No seat shows an advantage larger than about \d+\.\d points", text)
    assert "no difference" not in text
    # Four seats and the length.
    assert "This makes 5 comparisons" in text and "99.0 % level" in text


def test_same_agents_rarely_find_something():
    # All claims of a run together may err in 5 % of runs.
    entry = cell(0, ["a", "b", "b"])
    wrong = sum(bool(claims(one(play(entry, 40, random_game, s), entry))) for s in range(60))
    assert wrong <= 7  # P(more than 7 of 60 at 5 %) = 0.01


def test_planted_agent_bias_is_found():
    entry = cell(0, ["strong", "weak", "weak", "weak"])
    summary = one(play(entry, 150, biased(0.3)), entry)
    found = claims(summary)
    assert len(found) == 2
    assert found[0].startswith("strong wins ")
    assert "more than the fair 25 %, by " in found[0]
    assert found[1].startswith("Each copy of weak wins ") and "less than the fair 25 %" in found[1]
    assert any("No seat shows an advantage" in line for line in summary.finding())


def test_planted_seat_bias_is_found():
    def game(specs, rng):
        return {"scores": rng.random(3) + [0, 0.3, 0]}

    entry = cell(0, ["a", "b", "b"])
    summary = one(play(entry, 150, game), entry)
    found = claims(summary)
    assert any(line.startswith("The second seat wins") and "more than" in line for line in found)
    assert not any(line.startswith(("a wins", "Each copy of b")) for line in found)


def test_sweep_tells_how_shares_and_length_move():
    entries = [cell(i, ["strong", "weak", "weak"], money=20 + 5 * i) for i in range(3)]

    def at(i):
        def game(specs, rng):
            return biased(0.4 - 0.2 * i)(specs, rng) | {"turns": int(rng.integers(30, 35)) - 4 * i}

        return game

    summary = summarise(
        (play(entry, 120, at(i)) for i, entry in enumerate(entries)), manifest(*entries)
    )
    text = " ".join(summary.finding())
    assert "3 settings, from money=20 to money=30" in text
    assert "more than the fair 33.3 % in 2 of 3 settings, most so at money=20: " in text
    assert re.search(r"money=20 to money=30 \(120 common blocks\), strong's win share falls", text)
    assert re.search(r"games become 8\.0 \(\d\.\d to \d\.\d\) turns shorter", text)
    # (2 agents + 3 seats + length) in 3 cells, and the six moves.
    assert "This makes 24 comparisons" in text
    first, last = summary.cells[0], summary.cells[-1]
    move = paired_interval(first.values("turns")[:120], last.values("turns")[:120], bounds=None)
    assert move.mean == pytest.approx(8)


def test_every_number_comes_with_an_interval():
    entry = cell(0, ["strong", "weak"])
    for line in one(play(entry, 40, biased(0.5)), entry).finding()[1:]:
        for hit in re.finditer(r"\d+\.\d %", line):
            rest = line[hit.end() :]
            inside = re.search(r"\([^)]*$", line[: hit.start()])
            assert rest.startswith((" (", " level")) or inside or "fair " in line[: hit.start()]


def test_few_blocks_say_so():
    entry = cell(0, ["a", "b"])
    text = " ".join(one(play(entry, 1, random_game), entry).finding())
    assert "only a first look" in text and "One block is too little" in text
    assert "in 1 block " in text and "than the fair" not in text


def test_line_ups_are_told_apart():
    entries = [cell(0, ["a", "b"]), cell(1, ["a", "a", "b"])]
    summary = summarise((play(e, 35, random_game) for e in entries), manifest(*entries))
    lines = summary.finding()
    assert any(line.startswith("With 2 players (a, b): ") for line in lines)
    assert any(line.startswith("With 3 players (2 a, b): ") for line in lines)


def test_run_without_games():
    entry = cell(0, ["a", "b"])
    assert summarise([], manifest(entry)).finding()[-1] == "Cell 0 has no games yet."
