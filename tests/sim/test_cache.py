"""The folder of compiled code: found anywhere, and nothing else is ever removed."""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]


def cache_of(**environment: str) -> Path:
    """The folder a new process uses."""
    kept = {key: value for key, value in os.environ.items() if key != "GOLDEN_SPIKE_CACHE"}
    found = subprocess.run(
        [sys.executable, "-c", "import sim; print(sim.CACHE)"],
        env=kept | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return Path(found.stdout.strip())


def test_only_old_folders_of_its_own_are_removed(tmp_path):
    others = [tmp_path / name for name in ("thesis", "photos", "0123456789abcdef0123-notes")]
    mine = [tmp_path / f"{number:020x}" for number in range(6)]
    for folder in (*others, *mine):
        folder.mkdir()
    month_ago = time.time() - 30 * 86_400
    for number, folder in enumerate((*others, *mine[:4])):
        os.utime(folder, (month_ago + number, month_ago + number))
    used = cache_of(GOLDEN_SPIKE_CACHE=str(tmp_path))
    assert used.parent == tmp_path
    assert all(folder.exists() for folder in others)
    assert [folder.exists() for folder in mine] == [False] * 4 + [True] * 2


def test_a_home_that_cannot_be_written_has_one_stable_folder(tmp_path):
    (tmp_path / "file").write_text("no folder can be made below")
    spot = str(tmp_path / "file" / "cache")
    first = cache_of(GOLDEN_SPIKE_CACHE=spot, TMPDIR=str(tmp_path))
    assert first == cache_of(GOLDEN_SPIKE_CACHE=spot, TMPDIR=str(tmp_path))
    assert tmp_path in first.parents
