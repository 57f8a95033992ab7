"""Runs on disk: written whole or not at all, and every trouble told with what to do."""

import errno
import multiprocessing
import os

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from experiments import store
from experiments.store import Run
from sim.errors import Mistake

MANIFEST = {"format": 3, "plan": {"games": 4}}
SCHEMA = store.schema(["coins_left"])


def rows(cell, blocks, players=3):
    """A table with one game a block, rows out of order."""
    n = len(blocks) * players
    columns = {
        field.name: ["x"] * n if field.type == pa.string() else np.zeros(n) for field in SCHEMA
    }
    columns |= {"cell": np.full(n, cell), "block": np.repeat(blocks, players)}
    columns["seat"] = np.tile(np.arange(players), len(blocks))
    return pa.table(columns).cast(SCHEMA).take(np.arange(n)[::-1])


def part(run, cell, blocks):
    usage = {str(cell): [len(blocks), 1]}
    metadata = {"blocks": {str(cell): store.spans(blocks)}, "usage": usage, "games": len(blocks)}
    return run.write(rows(cell, blocks), metadata)


@pytest.fixture
def run(tmp_path):
    run = Run.create(tmp_path / "run", MANIFEST)
    part(run, 1, [4, 2, 3])
    part(run, 0, [0, 1])
    return run


def test_a_run_is_read_back(run):
    again = Run.open(run.folder)
    assert again.manifest == MANIFEST
    assert again.done() == {0: {0, 1}, 1: {2, 3, 4}}
    assert again.games() == 5
    assert {cell: counts.tolist() for cell, counts in again.usage().items()} == {
        0: [2, 1],
        1: [3, 1],
    }
    table = again.table()
    assert list(table.columns) == SCHEMA.names
    assert list(zip(table.cell, table.block, table.seat, strict=True)) == [
        (cell, block, seat)
        for cell, block in [(0, 0), (0, 1), (1, 2), (1, 3), (1, 4)]
        for seat in range(3)
    ]
    assert table.cell.dtype == np.int32 and table.score_50.dtype == np.float32
    pd.testing.assert_frame_equal(
        pd.concat(again.tables(["block"])).sort_values("block", ignore_index=True),
        table[["block"]],
    )


@pytest.mark.parametrize("name", ["money:24", "key=value", "mcts:c=0.3", "s3:", "50 %", "ü"])
def test_a_folder_may_have_any_name(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = Run.create(name, MANIFEST)
    part(run, 0, [0, 1])
    again = Run.open(name)
    assert again.games() == 2 and again.done() == {0: {0, 1}}
    assert len(again.table()) == 6


def test_a_run_is_not_made_twice_nor_read_where_there_is_none(run, tmp_path):
    with pytest.raises(Mistake, match="already holds a run"):
        Run.create(run.folder, MANIFEST)
    with pytest.raises(Mistake, match="holds no run"):
        Run.open(tmp_path / "nowhere")
    (run.folder / "manifest.json").write_text('{"format": 99}')
    with pytest.raises(Mistake, match="not a run of format 3"):
        Run.open(run.folder)
    (run.folder / "manifest.json").write_text('{"form')
    with pytest.raises(Mistake, match="damaged"):
        Run.open(run.folder)


@pytest.mark.parametrize("damage", ["cut", "bytes", "empty"])
def test_a_damaged_part_is_named_and_moved_aside_on_request(run, damage):
    bad, good = run.parts()
    content = bytearray(bad.read_bytes())
    if damage == "cut":
        content = content[: len(content) // 2]
    elif damage == "bytes":
        content[20:40] = bytes(20)
    else:
        content = b""
    bad.write_bytes(content)
    for read in (run.repair, run.table, lambda: list(run.tables())):
        with pytest.raises(Mistake, match=f"{bad.name} cannot be read; run again with --repair"):
            read()
    (moved,) = run.repair(move=True)
    assert moved == run.folder / "unreadable" / bad.name
    assert moved.read_bytes() == content
    assert run.parts() == [good] and run.done() == {0: {0, 1}}
    assert part(run, 1, [2]).name == "part-00002.parquet"


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_a_full_disk_loses_nothing(run, monkeypatch, code):
    before = {path: path.read_bytes() for path in run.folder.rglob("*") if path.is_file()}

    def full(_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Mistake, match="cannot be written") as mistake:
        part(run, 2, [0])
    assert ("make room" in str(mistake.value)) == (code == errno.ENOSPC)
    with pytest.raises(Mistake):
        run.describe({"format": 3})
    after = {path: path.read_bytes() for path in run.folder.rglob("*") if path.is_file()}
    assert after == before


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes anywhere")
def test_a_folder_without_leave_is_told_by_the_system(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(Mistake, match="cannot be written"), store.lock(tmp_path / "run"):
        pass


def test_a_folder_that_cannot_be_written_is_told(run, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(Mistake, match="Permission denied"), store.lock(run.folder):
        pass


def test_a_folder_with_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(Mistake, match="not a run .thesis.txt"), store.lock(tmp_path):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
    with pytest.raises(Mistake, match="is a file"), store.lock(tmp_path / "thesis.txt"):
        pass


def test_what_a_kill_left_behind_is_cleared(run):
    remains = [run.folder / ".manifest.json.tmp", run.folder / "parts" / ".part-00002.parquet.tmp"]
    for path in remains:
        path.write_bytes(b"half")
    assert len(Run.open(run.folder).parts()) == 2
    with store.lock(run.folder):
        assert not any(path.exists() for path in remains)
    fresh = run.folder.parent / "fresh"
    fresh.mkdir()
    (fresh / ".manifest.json.tmp").write_bytes(b"half")
    with store.lock(fresh):
        Run.create(fresh, MANIFEST)


def _try_lock(folder, answer):
    try:
        with store.lock(folder):
            answer.put("held")
    except Mistake as mistake:
        answer.put(str(mistake))


@pytest.mark.skipif(store.fcntl is None, reason="no file locks")
def test_two_runners_do_not_share_a_folder(run):
    context = multiprocessing.get_context("spawn")
    answer = context.Queue()
    with store.lock(run.folder):
        process = context.Process(target=_try_lock, args=(run.folder, answer))
        process.start()
        assert "another run" in answer.get(timeout=30)
        process.join()
    with store.lock(run.folder):
        pass
