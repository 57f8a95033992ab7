"""Summaries of results tables, from tables made here with known answers."""

import itertools
import json
import math
import re

import numpy as np
import pandas as pd
import pytest

from experiments.metrics import summarise
from experiments.stats import anytime_interval, block_interval, paired_interval
from experiments.store import COLUMNS, PROGRESS
from sim.contract import Measure
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
        "label": " ".join(f"{key}={value}" for key, value in settings.items()),
        "blocks": 300,
    }


def manifest(*cells):
    return {
        "format": 3,
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
                    "options": 9 * said.get("turns", 30),
                    "forced": said.get("forced", 0),
                    "turns": said.get("turns", 30),
                    "lead_changes": said.get("lead_changes", 3),
                    "dead_turns": said.get("dead_turns", np.nan),
                    "choices_that_matter": said.get("choices_that_matter", np.nan),
                    "end_reason": said.get("end_reason", "demands"),
                    "status": said.get("status", "ok"),
                    "offender": said.get("offender", -1),
                    "failure": said.get("failure", ""),
                    "version": 3,
                }
                course = said.get("course", [scores * i / 8 for i in range(9)])
                row |= {name: now[seat] for name, now in zip(PROGRESS, course, strict=True)}
                row |= {k: v[seat] for k, v in said.get("measures", {}).items()}
                rows.append(row)
    return pd.DataFrame(rows)


def random_game(specs, rng):
    return {"scores": rng.permutation(len(specs)), "turns": int(rng.integers(20, 40))}


def one(frame, *cells, measures=()):
    return summarise([frame], manifest(*cells), measures)


# ---- how a game went


def test_who_leads_at_each_quarter_and_who_comes_back():
    """Seat 2 wins: last until half-time, level with seat 0 at three quarters."""
    entry = cell(0, ["a"] * 3, rotations=1)
    course = [[5, 4, 3], [5, 4, 3], [6, 5, 4], [6, 5, 4], [7, 6, 5], [7, 6, 6], [8, 6, 8]]
    course = [np.array(now, float) for now in [*course, [8, 6, 9], [8, 6, 9]]]
    game = {"scores": [8, 6, 9], "course": course, "lead_changes": 1}
    other = {"scores": [9, 6, 6], "course": [np.array([9.0, 6, 6])] * 9, "lead_changes": 0}
    frame = play(entry, 40, lambda specs, rng: game if rng.random() < 0.5 else other)
    got = one(frame, entry).cells[0]
    part = frame[frame.seat == 2].win_share.mean()
    assert 0.2 < part < 0.8
    assert got.leader_wins[25].mean == got.leader_wins[50].mean == pytest.approx(1 - part)
    assert got.leader_wins[75].mean == pytest.approx(1 - part / 2)  # two lead, one of them wins
    assert got.comebacks.mean == pytest.approx(part) == got.lead_changes.mean
    assert got.to_json()["leader_wins"]["75"]["mean"] == got.leader_wins[75].mean


def test_a_tie_for_last_place_is_a_comeback_only_behind_a_leader():
    entry = cell(0, ["a"] * 3, rotations=1)
    for half, wanted in (([4, 4, 4], 0), ([5, 4, 4], 1), ([4, 4, 5], 1), ([3, 4, 5], 0)):
        course = [np.array(half, float)] * 9
        frame = play(entry, 9, lambda *_, course=course: {"scores": [1, 9, 2], "course": course})
        assert one(frame, entry).cells[0].comebacks.mean == wanted


def test_width_forced_decisions_and_weighed_choices():
    entry = cell(0, ["a", "b", "b"])
    games = iter(range(10**6))

    def game(specs, rng):
        seen = {"dead_turns": 0.25, "choices_that_matter": 0.5} if next(games) % 3 == 0 else {}
        return random_game(specs, rng) | seen | {"forced": 20}

    frame = play(entry, 60, game)
    got = one(frame, entry).cells[0]
    assert got.width.mean == pytest.approx(9 / 2)
    by_game = frame.groupby(["block", "rotation"])[["forced", "decisions"]].sum()
    wanted = (by_game.forced / (by_game.forced + by_game.decisions)).mean()
    assert got.forced.mean == pytest.approx(wanted)
    assert (got.dead_turns.mean, got.choices_that_matter.mean) == (0.25, 0.5)
    assert got.dead_turns.blocks == 60


def test_the_spread_of_the_length_is_its_standard_deviation():
    entry = cell(0, ["a", "b", "b"])
    frame = play(entry, 200, random_game)
    turns = frame[frame.seat == 0].turns
    got = one(frame, entry).cells[0].turns_spread
    assert got.mean == pytest.approx(turns.std(ddof=0))
    assert got.low < 20 / math.sqrt(12) < got.high  # whole numbers from 20 to 39
    assert 0.9 < got.low / got.mean < 1 < got.high / got.mean < 1.1


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
    wanted = np.array([[50 / 3], [5], [1.5]]) * np.arange(9) / 8
    np.testing.assert_allclose(got.trajectory, wanted, atol=2**-16)


def test_measures_overall_and_by_agent():
    entry = cell(0, ["a", "b", "b"])

    def game(specs, rng):
        own = [10.0 if spec == "a" else rng.random() for spec in specs]
        return {"scores": [1, 2, 3], "measures": {"bonds": own, "deliveries": [7.0] * 3}}

    frame = play(entry, 40, game)
    measures = [Measure("bonds", "", "", True), Measure("deliveries", "", "")]
    got = one(frame, entry, measures=measures).cells[0]
    assert list(got.measures) == ["bonds", "deliveries"]
    assert got.measures["deliveries"].overall.mean == 7
    assert got.measures["deliveries"].by_agent == {}
    bonds = got.measures["bonds"]
    assert bonds.by_agent["a"].mean == 10
    by_block = frame[frame.agent == "b"].groupby("block").bonds.mean()
    assert bonds.by_agent["b"] == pytest.approx(block_interval(by_block, bounds=None))
    assert bonds.overall.mean == pytest.approx(frame.bonds.mean())


def test_measures_without_a_value_are_left_out_of_the_mean():
    entry = cell(0, ["a", "b"])

    def game(specs, rng):
        first = [math.nan if spec == "b" else 4.0 for spec in specs]
        return {"scores": [1, 2], "measures": {"first_delivery": first}}

    declared = [Measure("first_delivery", "turns", "", True)]
    summary = one(play(entry, 5, game), entry, measures=declared)
    measure = summary.cells[0].measures["first_delivery"]
    assert measure.overall.mean == 4 and measure.by_agent["a"].mean == 4
    assert math.isnan(measure.by_agent["b"].mean) and measure.by_agent["b"].blocks == 0


def test_a_share_among_the_measures_stays_between_nought_and_one():
    entry = cell(0, ["a", "b"])

    def game(specs, rng):
        last = [float(spec == "a" and rng.random() < 0.03) for spec in specs]
        return random_game(specs, rng) | {"measures": {"last": last, "coins": last}}

    measures = (Measure("last", "share", "", True), Measure("coins", "$", "", True))
    for blocks in (5, 60):
        frame = play(entry, blocks, game)
        found = one(frame, entry, measures=measures).cells[0].measures
        assert found["last"].overall.low >= 0 and found["last"].by_agent["b"].high <= 1
        assert found["last"].by_agent["b"].high > 0 == found["last"].by_agent["b"].mean
        assert found["coins"].by_agent["b"].high == 0


# ---- games with a problem


def test_problem_games_count_and_take_the_verdict():
    entry = cell(0, ["good", "bad", "bad"])

    def game(specs, rng):
        if rng.random() < 0.1:
            offender = specs.index("bad")
            share = [0.0 if seat == offender else 0.5 for seat in range(3)]
            said = {"status": "illegal", "offender": offender, "win_share": share}
            said["failure"] = "'fly' is not an action."
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
    text = " ".join(summary.warnings())
    assert f"({got.problems} illegal)" in text and "nothing is concluded" in text
    first = frame[frame.offender >= 0].sort_values(["block", "rotation"]).iloc[0]
    place = f"cell 0, block {first.block}, rotation {first.rotation}"
    said = f"bad in seat {first.offender} broke off the game of {place}: 'fly' is not an action."
    assert summary.warnings()[1] == said
    assert summary.finding() == {}


def test_one_problem_in_a_hundred_keeps_the_verdict():
    entry = cell(0, ["a", "a"])
    frame = play(entry, 100, random_game)
    frame.loc[frame.block == 5, "status"] = "too long"
    summary = one(frame, entry)
    assert summary.cells[0].statuses == {"ok": 99, "too long": 1}
    assert summary.cells[0].has_verdict
    assert "1 of 100 games did not end properly (1 too long)" in summary.warnings()[0]
    assert "more than 1 %" not in summary.warnings()[0] and summary.finding()


# ---- streaming


def test_parts_in_any_order_give_the_same_summary():
    entries = [cell(0, ["a", "b", "b"], money=20), cell(1, ["a", "b", "b"], money=30)]

    def game(specs, rng):
        return random_game(specs, rng) | {"measures": {"bonds": rng.random(3)}}

    whole = pd.concat([play(entry, 30, game, seed=entry["cell"]) for entry in entries])
    bonds = [Measure("bonds", "", "", True)]
    wanted = json.dumps(summarise([whole], manifest(*entries), bonds).to_json())
    parts = [whole[whole.block % 7 == i] for i in (3, 0, 6, 1, 5, 2, 4)]
    parts = [part.sample(frac=1, random_state=1) for part in parts] + [whole.iloc[:0]]
    assert json.dumps(summarise(iter(parts), manifest(*entries), bonds).to_json()) == wanted


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
        summarise(parts(count), manifest(entry), ())
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
    got = summarise(frames, manifest(*entries), ()).cells[0].end_reasons["deadlock"]
    assert got.mean == 0 == got.low and 0 < got.high < 0.2


# ---- the finding


def biased(strength):
    def game(specs, rng):
        luck = rng.random(len(specs)) + [strength * (spec == "strong") for spec in specs]
        return {"scores": luck, "turns": int(rng.integers(20, 40))}

    return game


def told(summary):
    """The sentences of the only line-up, and how sure they are."""
    (sentences, sure) = summary.finding().values()
    return sentences, sure[0]


def test_same_agents_find_nothing():
    entry = cell(0, ["greedy"] * 4)
    sentences, sure = told(one(play(entry, 300, random_game), entry))
    assert sentences[0] == "All seats are played by greedy, so only seats can differ."
    assert re.search(
        r"^No seat shows an .*; one of more than \d+\.\d percentage points is ruled", sentences[1]
    )
    # Four seats and the length.
    assert "all 5 of them together with 95 % confidence (each alone: 99 %)" in sure


def test_same_agents_rarely_find_something():
    # All claims of a run together may err in 5 % of runs.
    entry = cell(0, ["a", "b", "b"])
    wrong = 0
    for seed in range(60):
        sentences, _ = told(one(play(entry, 40, random_game, seed), entry))
        wrong += "than fair" in " ".join(sentences)
    assert wrong <= 7  # P(more than 7 of 60 at 5 %) = 0.01


def test_planted_agent_bias_is_found():
    entry = cell(0, ["strong", "weak", "weak", "weak"])
    summary = one(play(entry, 150, biased(0.3)), entry)
    assert "4 players (strong, 3 weak), fair share 25 %" in summary.finding()
    agents, seats, *_ = told(summary)[0]
    strong, weak = agents.split("; ")
    assert re.fullmatch(r"strong wins more than fair: \d+\.\d % \(\S+ to \S+ %\)", strong)
    assert weak.startswith("each copy of weak wins less than fair: ")
    assert seats.startswith("No seat shows an advantage")


def test_planted_seat_bias_is_found():
    def game(specs, rng):
        return {"scores": rng.random(3) + [0, 0.3, 0]}

    entry = cell(0, ["a", "b", "b"])
    agents, seats, *_ = told(one(play(entry, 150, game), entry))[0]
    assert "seat 1 wins more than fair" in seats.replace("Seat", "seat")
    assert agents.startswith("No agent shows an advantage")


def test_sweep_tells_how_shares_and_length_move():
    entries = [cell(i, ["strong", "weak", "weak"], money=20 + 5 * i) for i in range(3)]

    def at(i):
        def game(specs, rng):
            return biased(0.4 - 0.2 * i)(specs, rng) | {"turns": int(rng.integers(30, 35)) - 4 * i}

        return game

    frames = (play(entry, 120, at(i)) for i, entry in enumerate(entries))
    summary = summarise(frames, manifest(*entries), ())
    (agents, _, length, changes), sure = told(summary)
    assert agents.startswith("strong wins more than fair in 2 of 3 settings, most so at money=20: ")
    assert re.match(r"A game takes from 2\d\.\d turns \(.*\) at money=30 to 3", length)
    assert changes.startswith("From money=20 to money=30, the win share of strong falls by ")
    assert re.search(r"games get shorter by 8\.0 turns \(\d\.\d to \d\.\d\)", changes)
    # (2 agents + 3 seats + length) in 3 cells, and the six changes.
    assert summary.comparisons == 24 and "all 24 of them" in sure
    first, last = summary.cells[0], summary.cells[-1]
    wanted = paired_interval(last.values("turns")[:120], first.values("turns")[:120], bounds=None)
    assert first.change_to(last, "turns", level=0.95) == wanted
    named = summary.finding(lambda cell: f"${cell.settings['money']}")
    assert "most so at $20: " in next(iter(named.values()))[0]


def test_few_blocks_say_so():
    entry = cell(0, ["a", "b"])
    sentences, sure = told(one(play(entry, 1, random_game), entry))
    assert "only a first look" in sure and "too few blocks" in sentences[2]
    assert "than fair" not in " ".join(sentences)


def test_line_ups_are_told_apart():
    entries = [cell(0, ["a", "b"]), cell(1, ["a", "a", "b"])]
    summary = summarise((play(e, 35, random_game) for e in entries), manifest(*entries), ())
    assert [name.split(", fair")[0] for name in summary.line_ups] == [
        "2 players (a, b)",
        "3 players (2 a, b)",
    ]


def test_run_without_games():
    summary = summarise([], manifest(cell(0, ["a", "b"])), ())
    assert summary.finding() == {}
    assert "it has fewer blocks than planned" in summary.warnings()[0]


# ---- matches and tournaments


def test_intervals_of_a_match_hold_however_early_it_ended():
    """For a share of three copies, none of which can have more than a third."""
    entry = cell(0, ["a", "b", "b", "b"])
    frame = play(entry, 80, random_game)
    of_match = manifest(entry) | {"plan": {"kind": "match"}}
    got = summarise([frame], of_match, ()).cells[0]
    by_block = frame[frame.agent == "b"].groupby("block").win_share.mean()
    assert got.win_share["b"] == pytest.approx(anytime_interval(by_block, bounds=(0, 1 / 3)))
    assert got.turns == one(frame, entry).cells[0].turns


def test_line_ups_of_a_tournament_by_pandas():
    """In parts that cut blocks and line-ups apart, in any order."""
    specs = ["a", "b", "c", "d"]
    entries = [cell(i, list(of)) for i, of in enumerate(itertools.combinations(specs, 3))]
    frame = pd.concat([play(entry, 40, random_game) for entry in entries], ignore_index=True)
    entries = [entry | {"blocks": 40} for entry in entries]
    cup = manifest(*entries) | {"plan": {"kind": "tournament"}}
    parts = [rows.sample(frac=1) for _, rows in frame.groupby((frame.block + frame.cell) % 3)]
    (got,) = summarise(parts[::-1], cup, ()).cells
    assert got.games == 480 and got.blocks == 40 and got.is_complete
    assert got.line_up == "4 agents in 4 line-ups"
    for spec in specs:
        by_block = frame[frame.agent == spec].groupby("block").win_share.mean()
        assert got.win_share[spec] == pytest.approx(block_interval(by_block))
    by_block = frame[frame.seat == 1].groupby("block").win_share.mean()
    assert got.seat_win_share[1] == pytest.approx(block_interval(by_block))
    longest = frame[frame.turns == frame.turns.max()].sort_values(["cell", "block", "rotation"])
    assert got.extremes["longest"][:3] == tuple(longest[["cell", "block", "rotation"]].iloc[0])
    short = frame[(frame.cell < 3) | (frame.block < 39)]
    assert not summarise([short], cup, ()).cells[0].is_complete
