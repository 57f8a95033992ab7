"""Game records: golden ones of every end, and what is said of a record that is not right."""

import dataclasses
import itertools
import json
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import agents
import sim
from agents.loop import Batch
from sim import replay
from sim.errors import Mistake
from sim.game import Game
from sim.rng import stream
from tests.conformance.boards import small_board

GOLDEN = Path(__file__).parents[1] / "golden"
GAME = sim.load("westward-rails")

SEEDS = 4000  # looked through for an end


class Case(NamedTuple):
    """A golden record: an end, and where it is looked for; play is random unless it has agents."""

    game: Game
    end: str
    players: int
    board: str | None = None
    settings: dict = {}
    agents: tuple[str, ...] = ()


def westward_rails() -> dict[str, Case]:
    """Every end at every table, with the settings under which random play finds it."""
    close = {"cubes_per_railroad": 24}  # cubes and demands run out together
    return {
        f"{end.replace(' ', '_')}_{players}_players": Case(
            GAME, end, players, settings=close if " and " in end else {}
        )
        for end, players in itertools.product(GAME.end_reasons, GAME.players)
    }


def railways_of_the_world() -> dict[str, Case]:
    """Every end on both boards: as printed, by agents; at a turn limit, with rarer options."""
    game = sim.load("railways-of-the-world")
    every = ("greedy", "line_builder", "engineer", "short_hauler", "frugal", "prudent")
    rare = {
        "eastern_us": {"auction": "first_to_pass", "western_link": True, "fuel_depots": True},
        "western_us": {"second_own_parallel_link": True, "goods_reduction": 0},
    }
    cases = {}
    for board, tables in (("eastern_us", (2, 4, 6, 3)), ("western_us", (3, 5, 2, 4))):
        for end, players in zip(game.end_reasons, tables, strict=True):
            case = Case(game, end, players, board, agents=every[:players])
            if end == "turn limit":
                often = {"max_turns": 12, "max_bid": 3, "tiles_per_build": 12, "depot_cost": 0}
                case = Case(game, end, players, board, often | rare[board])
            cases[f"{board}_{end.replace(' ', '_')}_{players}_players"] = case
    return cases


def great_western_trail() -> dict[str, Case]:
    """With the expansion and without at every table, other buildings at each."""
    game = sim.load("great-western-trail")
    buildings = {
        2: {},
        3: {"building_sides": "b"},
        4: {"building_sides": "random", "neutral_buildings": "random"},
    }
    (end,) = game.end_reasons
    return {
        f"{name}_{players}_players": Case(
            game, end, players, settings=settings | {"rails_to_the_north": name != "base"}
        )
        for name, (players, settings) in itertools.product(
            ("base", "rails_to_the_north"), buildings.items()
        )
    }


CASES = {
    f"{make.__name__}/{name}": case
    for make in (westward_rails, railways_of_the_world, great_western_trail)
    for name, case in make().items()
}


def golden_path(name: str) -> Path:
    """File names say which end it is."""
    return GOLDEN / f"{name}.jsonl"


def choose(position, seed: int, number: int) -> str:
    """A legal action, by its text alone; half the time each kind is as likely as another."""
    legal = sorted(position.legal())
    drawn = stream("golden", seed, number)
    if drawn % 2:
        kinds = sorted({(text.split()[0], len(text.split())) for text in legal})
        kind = kinds[(drawn >> 8) % len(kinds)]
        legal = [text for text in legal if (text.split()[0], len(text.split())) == kind]
    return legal[(drawn >> 32) % len(legal)]


def record_game(path: Path, board, players: int, seed: int, by: tuple[str, ...] = ()) -> str:
    """Record a game by agents, else a random one; return how it ended."""
    names = list(by) or ["random"] * players
    batch = None
    if by:
        line_up = [agents.load(name, board.game) for name in by]
        seeds = np.arange(players, dtype=np.uint64)[None]
        batch = Batch(board, [line_up], np.array([seed]), seeds)
    with replay.Recorder(path, board, players, seed, names) as recorder:
        for number in itertools.count():
            action = batch.step() if batch else choose(recorder.position, seed, number)
            recorder.play(action)
            if recorder.position.is_over:
                return recorder.position.end_reason


@pytest.mark.parametrize("name", CASES)
def test_golden_record(name, request, tmp_path):
    """Each plays as recorded; random ones had at every decision the same legal actions as now."""
    path, case = golden_path(name), CASES[name]
    board = case.game.board(case.board, case.settings)
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(parents=True, exist_ok=True)
        ends = (record_game(path, board, case.players, n, case.agents) for n in range(SEEDS))
        assert case.end in ends, f"none of {SEEDS} seeds ends by {case.end}"
    verdict = replay.verify(path)
    assert verdict.is_finished
    assert verdict.position.end_reason == case.end
    if not case.agents:
        again = tmp_path / path.name
        record_game(again, board, case.players, replay.read(path).header.seed)
        assert again.read_text() == path.read_text()  # choices are drawn from the legal actions


def test_golden_records_are_all_known():
    assert {*GOLDEN.rglob("*.*")} == {*map(golden_path, CASES)}


@pytest.mark.parametrize(
    ("room", "every"),
    [
        (
            "westward_rails",
            "pass 1, stop 1, bid 2, auction 2, upgrade 2, build 3, build 5, route 3",
        ),
        (
            "railways_of_the_world",
            "pass 1, keep 2, bid 2, build 1, use 2, from 2, lay 3, redirect 3, depots 3, done 1, "
            "upgrade 1, urbanize 3, deliver 4, stop 4, continue_stop 2, points 3, take 2, "
            "grow 2, dial 2, western_link 2",
        ),
        (
            "great_western_trail",
            "move 2, by 2, by 3, use 2, use 3, use 4, use 5, use 6, done 1, foresight 2, discard "
            "2, draw 2, engine 3, disc 2, spend 2, deliver 2, branchlet 3, certificate 2, "
            "exchange 2, remove 3, hire 4, take 3, play 2, trade 2, trade 3, market 2, build 3, "
            "onto 2, buy 7, top 3, appoint 2",
        ),
    ],
)
def test_golden_records_hold_every_kind_of_action(room, every):
    """Each with its number of words; what is left out hardly ever happens."""
    own = [name for name in CASES if name.startswith(f"{room}/")]
    texts = [entry.action for name in own for entry in replay.read(golden_path(name)).decisions]
    kinds = {f"{text.split()[0]} {len(text.split())}" for text in texts}
    assert kinds == set(every.split(", "))


# ------------------------------------------------------------------------------- what is recorded


@pytest.fixture
def record(tmp_path):
    """A short record of a finished game on a board of the user's own; its lines, to be changed."""
    path = tmp_path / "game.jsonl"
    record_game(path, small_board(GAME.name), 3, 1)
    return path


def change(path: Path, number: int, **values) -> None:
    """Change keys of a line."""
    lines = path.read_text().splitlines()
    lines[number - 1] = json.dumps({**json.loads(lines[number - 1]), **values})
    path.write_text("\n".join(lines) + "\n")


def fault(path: Path) -> str:
    """What is said of a record, less the name of its file."""
    with pytest.raises(Mistake) as mistake:
        replay.verify(path)
    text = str(mistake.value)
    assert text.startswith(str(path))
    assert text.endswith(".")
    assert text.count(str(path)) == 1
    return text.removeprefix(str(path)).removeprefix(", ").removeprefix(": ")


def test_header_says_all_that_is_needed_to_deal_again(tmp_path):
    path = tmp_path / "game.jsonl"
    board = GAME.board(settings={"starting_money.4": 35, "lease_tie": "cheapest"})
    with replay.Recorder(path, board, 4, 9, ["greedy", "random", "human", "greedy"]) as recorder:
        recorder.play("bid 7")
    first = json.loads(path.read_text().splitlines()[0])
    assert first["format"] == 1
    assert (first["game"], first["version"]) == ("westward-rails", GAME.version)
    assert (first["players"], first["seed"]) == (4, 9)
    assert first["agents"] == ["greedy", "random", "human", "greedy"]
    assert first["board"] == {
        "name": "reconstructed_map",
        "label": "Reconstructed map",
        "digest": board.digest,
    }
    assert first["settings"] == {"starting_money.4": 35, "lease_tie": "cheapest"}
    assert first["options"]["starting_money"] == {"3": 40, "4": 35, "5": 24}
    found = replay.board(replay.read(path))
    assert (found.options, found.settings) == (board.options, board.settings)


def test_board_of_ones_own_is_in_the_record(record):
    assert replay.read(record).header.board.document == small_board(GAME.name).document
    assert replay.verify(record).is_finished


def test_positions_are_those_of_play(record):
    positions = list(replay.replay(record))
    decisions = replay.read(record).decisions
    assert len(positions) == len(decisions) + 1
    assert [position.to_move for position in positions[:-1]] == [entry.seat for entry in decisions]
    assert len({id(position.state) for position in positions}) == len(positions)
    assert positions[-1].is_over


def test_action_code_and_loose_text_are_recorded_in_canonical_words(tmp_path):
    path = tmp_path / "game.jsonl"
    with replay.Recorder(path, GAME.board(), 3, 1) as recorder:
        recorder.play("  BID   $7 ")
        recorder.play(recorder.position.code("pass"))
    assert [entry.action for entry in replay.read(path).decisions] == ["bid 7", "pass"]


def test_illegal_action_is_not_recorded(tmp_path):
    path = tmp_path / "game.jsonl"
    with replay.Recorder(path, GAME.board(), 3, 1) as recorder:
        with pytest.raises(Mistake):
            recorder.play("bid 4")
        recorder.play("bid 5")
    assert replay.verify(path).decisions == 1


def test_undo_takes_decisions_back_out(tmp_path):
    path = tmp_path / "game.jsonl"
    with replay.Recorder(path, GAME.board(), 3, 1) as recorder:
        recorder.play("bid 5")
        before = recorder.position.copy()
        recorder.play("bid 6").play("bid 7")
        recorder.undo(before, 2)
        recorder.play("pass")
    assert [entry.action for entry in replay.read(path).decisions] == ["bid 5", "pass"]
    assert replay.verify(path).position.to_move == 2


def test_undo_of_the_last_decision_takes_the_scores_out_too(record, tmp_path):
    path = tmp_path / "again.jsonl"
    board = small_board(GAME.name)
    decisions = replay.read(record).decisions
    with replay.Recorder(path, board, 3, 1, ["random"] * 3) as recorder:
        for entry in decisions:
            before = recorder.position.copy()
            recorder.play(entry.action)
        recorder.undo(before)
        assert not replay.verify(path).is_finished
        recorder.play(decisions[-1].action)
    assert path.read_text() == record.read_text()


def test_folder_that_is_not_there(tmp_path):
    path = tmp_path / "nowhere" / "game.jsonl"
    with pytest.raises(Mistake, match=f"{re.escape(str(path))}: the record cannot be written"):
        replay.Recorder(path, GAME.board(), 3, 1)


# --------------------------------------------------------------------------------------- a verdict


def test_verdict_of_a_finished_game(record):
    verdict = replay.verify(record)
    scores = ", ".join(map(str, verdict.position.scores))
    assert str(verdict) == (
        f"{record}: {verdict.decisions} decisions play as recorded; the game ends "
        f"({verdict.position.end_reason}) with scores {scores}."
    )


@pytest.mark.parametrize("cut", [3, 20])
def test_file_cut_short_plays_as_far_as_it_goes(record, cut):
    """A writer killed in the middle of a line leaves half of it."""
    whole = replay.read(record)
    record.write_text(record.read_text()[:-cut])
    verdict = replay.verify(record)
    assert not verdict.is_finished
    assert verdict.decisions == len(whole.decisions)
    assert "unfinished" in str(verdict)


def test_file_without_its_last_lines_is_unfinished(record):
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join(lines[:8]))
    assert str(replay.verify(record)) == (
        f"{record}: 7 decisions play as recorded; the record is unfinished."
    )


def test_last_line_break_may_be_missing(record):
    record.write_text(record.read_text().rstrip("\n"))
    assert replay.verify(record).is_finished


# -------------------------------------------------------------------- records that are not right


def test_other_rules_version(record):
    change(record, 1, version=GAME.version + 1)
    newer, now = GAME.version + 1, GAME.version
    assert fault(record) == (
        f"line 1: the game was recorded under rules version {newer}; this is {now}: "
        f"use the release with version {newer}."
    )


def test_other_board(record):
    entry = replay.read(record).header.board
    change(record, 1, board=entry.model_dump() | {"digest": "0123456789abcdef"})
    assert fault(record) == (
        "line 1: the game was recorded on a board 'small board 0' with digest 0123456789abcdef; "
        f"here that board and its options have {entry.digest}."
    )


def test_changed_option_is_another_board(record):
    options = replay.read(record).header.options
    change(record, 1, options=options | {"upgrade_cost": 99})
    assert "with digest" in fault(record)


def test_illegal_action_names_its_line(record):
    change(record, 2, action="bid 1000")
    assert re.match(r"line 2: 'bid 1000' is not legal: seat 0 has only \$\d+\.", fault(record))


def test_wrong_seat(record):
    change(record, 3, seat=2)
    assert fault(record) == "line 3: seat 2 is recorded, but seat 1 decides."


def test_wrong_final_scores(record):
    count = len(record.read_text().splitlines())
    scores = replay.read(record).result.scores
    change(record, count, scores=[scores[0] + 1, *scores[1:]])
    assert fault(record) == (
        f"line {count}: scores {[scores[0] + 1, *scores[1:]]} are recorded, but the game ends "
        f"with {scores}."
    )


@pytest.mark.parametrize(("name", "value"), [("winners", [0, 1, 2]), ("end_reason", "boredom")])
def test_wrong_end(record, name, value):
    change(record, len(record.read_text().splitlines()), **{name: value})
    assert f"{name} {value} are recorded, but the game ends with" in fault(record)


def test_scores_before_the_end(record):
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join([*lines[:5], lines[-1]]))
    assert fault(record) == "line 6: scores are recorded, but the game is not over."


def test_decisions_after_the_end(record):
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join([*lines[:-1], lines[1]]))
    assert f"line {len(lines)}: " in fault(record)
    record.write_text("".join([*lines, lines[1]]))
    assert fault(record) == f"line {len(lines) + 1}: nothing may follow the line of scores."


def test_broken_line(record):
    lines = record.read_text().splitlines(keepends=True)
    lines[3] = lines[3].replace(":", "", 1)
    record.write_text("".join(lines))
    assert fault(record).startswith("line 4: it is not valid JSON: ")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('["bid 5"]', 'line 2: it should be an object in braces, not ["bid 5"].'),
        ('{"seat": 0}', "line 2: the key 'action' is missing."),
        (
            '{"seat": 0, "action": "bid 5", "seats": 1}',
            "line 2: there is no key 'seats'; the nearest is 'seat'",
        ),
        ('{"seat": "0", "action": "bid 5"}', "line 2: seat = '0' is not possible"),
        ('{"seat": 0, "action": "jump"}', "line 2: 'jump' is not an action"),
    ],
)
def test_line_of_another_kind(record, line, said):
    lines = record.read_text().splitlines()
    record.write_text("\n".join([lines[0], line, *lines[2:]]) + "\n")
    assert said in fault(record)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"format": 2}, "line 1: format = 2 is not possible: it should be 1"),
        ({"game": "westward-rail"}, "line 1: There is no game 'westward-rail'; the nearest is"),
        ({"players": 9}, "line 1: Westward Rails is for 3 to 5 players, not 9."),
        ({"seed": -1}, "line 1: The seed -1 should be a whole number"),
        ({"agent": []}, "line 1: there is no key 'agent'; the nearest is 'agents'"),
        ({"options": {"upgrade_costs": 5}}, "upgrade_costs"),
        ({"board": {"name": "reconstructed", "label": "", "digest": ""}}, "no board 'reconstr"),
    ],
)
def test_first_line_that_cannot_be(record, values, said):
    change(record, 1, **values)
    assert said in fault(record)


def test_not_a_record(tmp_path):
    path = tmp_path / "game.jsonl"
    with pytest.raises(Mistake, match="there is no such file"):
        replay.read(path)
    path.write_bytes(b"")
    assert fault(path) == "it holds no whole line, so it is not a game record."
    path.write_bytes(b"\xff\xfe\n")
    assert fault(path).startswith("it cannot be read: ")
    path.write_text("seat,action\n")
    assert fault(path).startswith("line 1: it is not valid JSON: ")


def test_shipped_board_that_has_changed(tmp_path):
    """The record names a board of the game and does not hold it: its digest tells."""
    path = tmp_path / "game.jsonl"
    board = dataclasses.replace(
        GAME.board(), options=GAME.board(settings={"upgrade_cost": 1}).options
    )
    with replay.Recorder(path, board, 3, 1) as recorder:
        recorder.play("bid 5")
    options = replay.read(path).header.options
    change(path, 1, options=options | {"upgrade_cost": 5})
    assert "recorded on a board 'reconstructed_map'" in fault(path)


def test_other_files_are_left_alone(tmp_path):
    path = tmp_path / "thesis.txt"
    path.write_text("years of work")
    with pytest.raises(Mistake, match="not a game record"):
        replay.Recorder(path, sim.load("westward-rails").board(), 3, 7)
    assert path.read_text() == "years of work"
