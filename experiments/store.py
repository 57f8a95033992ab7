"""A run as a folder: a manifest and Parquet parts, each written whole or not at all.

A row is one player in one game. Parts carry in their metadata which blocks they hold, so a run that
was killed goes on from what is there.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from agents.loop import SAMPLES
from sim.errors import Mistake

if TYPE_CHECKING:
    import pandas as pd

try:
    import fcntl
except ImportError:  # Windows: two runners on one folder are then not told apart
    fcntl = None

FORMAT = 3
METADATA_KEY = b"golden_spike"
MANIFEST = "manifest.json"
LOCK = ".lock"
#: Exists while a run plays; worker processes stop when it is gone.
PLAYING = ".playing"
TEMPORARY = ".tmp"
UNREADABLE = "unreadable"
SORT_KEYS = ("cell", "block", "rotation", "seat")

#: Parts of a game, in percent of its turns, at which everybody's score is noted; their columns.
PERCENT = tuple(100 * sample // (SAMPLES - 1) for sample in range(SAMPLES))
PROGRESS = tuple(f"score_{percent}" for percent in PERCENT)

#: Columns every results table has, whatever the game; all others are the game's measures.
COLUMNS = {
    "cell": pa.int32(),
    "block": pa.int32(),
    "rotation": pa.int16(),
    "seat": pa.int8(),
    "copy": pa.int8(),
    "agent": pa.string(),
    "players": pa.int8(),
    "seed": pa.int64(),
    "settings": pa.string(),
    "win_share": pa.float64(),
    "score": pa.float64(),
    "rank": pa.int8(),
    "decisions": pa.int32(),
    "options": pa.int32(),
    "forced": pa.int32(),
    "turns": pa.int32(),
    "lead_changes": pa.int32(),
    "dead_turns": pa.float32(),
    "choices_that_matter": pa.float32(),
    "end_reason": pa.string(),
    "status": pa.string(),
    "offender": pa.int8(),
    "failure": pa.string(),
    "version": pa.int32(),
    **dict.fromkeys(PROGRESS, pa.float32()),
}


def schema(measures: Iterable[str]) -> pa.Schema:
    """The columns of the results table, those of the game's own measures last."""
    return pa.schema(COLUMNS | dict.fromkeys(measures, pa.float64()))


@contextlib.contextmanager
def lock(folder: str | Path, mark: str = MANIFEST) -> Iterator[None]:
    """Hold a folder for writing, made if need be; a kill releases it.

    Raises Mistake if it holds something but not the file `mark`, cannot be written, or is being
    written.
    """
    folder = Path(folder)
    with told(folder):
        if folder.exists() and not folder.is_dir():
            raise Mistake(f"{folder} is a file; give a folder for the run.")
        if folder.is_dir() and not (folder / mark).exists():
            foreign = [path.name for path in sorted(folder.iterdir()) if not _is_ours(path.name)]
            if foreign:
                raise Mistake(
                    f"{folder} holds something that is not a run ({foreign[0]}, no {mark}); "
                    "give a new or an empty folder."
                )
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if fcntl is not None:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Mistake(
                    f"{folder} is being written by another run; wait for it or give another folder."
                ) from None
        with told(folder):
            for path in (*folder.glob(f".*{TEMPORARY}"), *folder.glob(f"parts/.*{TEMPORARY}")):
                path.unlink()
        yield
    finally:
        os.close(handle)


class Run:
    """A run's folder.

    Examples
    --------
    >>> run = Run.open("runs/x")                                          # doctest: +SKIP
    >>> run.table().groupby("agent").win_share.mean()                     # doctest: +SKIP
    """

    def __init__(self, folder: str | Path, manifest: dict[str, Any]):
        self.folder = Path(folder)
        self.manifest = manifest

    @classmethod
    def create(cls, folder: str | Path, manifest: dict[str, Any]) -> Run:
        """A new run. Raises Mistake if the folder has one already or cannot be written."""
        folder = Path(folder)
        if (folder / MANIFEST).exists():
            raise Mistake(f"{folder} already holds a run.")
        with told(folder):
            folder.mkdir(parents=True, exist_ok=True)
        run = cls(folder, {})
        run.describe(manifest)
        return run

    @classmethod
    def open(cls, folder: str | Path) -> Run:
        """The run in a folder. Raises Mistake if there is none that this version reads."""
        path = Path(folder) / MANIFEST
        try:
            manifest = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            within = sorted(path.parent.glob(f"*/{MANIFEST}"))
            hint = f"; {within[0].parent} holds one" if within else ""
            raise Mistake(f"{folder} holds no run (no {MANIFEST}){hint}.") from None
        except OSError as error:
            raise Mistake(f"{path} cannot be read ({error.strerror}).") from None
        except ValueError:
            raise Mistake(f"{path} is damaged: it is not valid JSON.") from None
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise Mistake(f"{path} is not a run of format {FORMAT}, the one this version reads.")
        return cls(folder, manifest)

    def describe(self, manifest: dict[str, Any]) -> None:
        """Write another manifest in place of this one."""
        write_file(self.folder / MANIFEST, json.dumps(manifest, indent=1, default=str).encode())
        self.manifest = manifest

    def write(self, table: pa.Table, metadata: dict[str, Any]) -> Path:
        """Add a part: rows in any order, and {"blocks": ..., "usage": ..., "games": ...}.

        Raises Mistake when the disk is full or the folder cannot be written; then no part is added.
        """
        table = table.sort_by([(key, "ascending") for key in SORT_KEYS])
        table = table.replace_schema_metadata({METADATA_KEY: json.dumps(metadata).encode()})
        sink = pa.BufferOutputStream()
        pq.write_table(table, sink, compression="zstd", write_page_checksum=True)
        folder = self.folder / "parts"
        with told(self.folder):
            folder.mkdir(exist_ok=True)
            numbers = [
                int(path.name[5:10])
                for place in (folder, self.folder / UNREADABLE)
                for path in place.glob("part-[0-9][0-9][0-9][0-9][0-9].parquet")
            ]
        path = folder / f"part-{max(numbers, default=-1) + 1:05d}.parquet"
        write_file(path, sink.getvalue())
        return path

    def parts(self) -> list[Path]:
        """The parts, in the order they were written."""
        return sorted((self.folder / "parts").glob("part-*.parquet"))

    def repair(self, move: bool = False) -> list[Path]:
        """Read every part; those that cannot be read are moved aside, or raise Mistake.

        Returns the parts moved, now in the run's folder `unreadable`.
        """
        moved = []
        for path in self.parts():
            try:
                _read(path)
                _described(path)
            except Mistake:
                if not move:
                    raise
                moved.append(self.folder / UNREADABLE / path.name)
                with told(self.folder):
                    moved[-1].parent.mkdir(exist_ok=True)
                    os.replace(path, moved[-1])
        return moved

    def done(self) -> dict[int, set[int]]:
        """The blocks played, by cell."""
        done: dict[int, set[int]] = {}
        for metadata in self._metadata():
            for cell, spans in metadata["blocks"].items():
                for first, last in spans:
                    done.setdefault(int(cell), set()).update(range(first, last + 1))
        return done

    def games(self) -> int:
        """The number of games played."""
        return sum(metadata["games"] for metadata in self._metadata())

    def usage(self) -> dict[int, np.ndarray]:
        """How often each element of the board was used, by cell."""
        usage: dict[int, np.ndarray] = {}
        for metadata in self._metadata():
            for cell, counts in metadata["usage"].items():
                counts = np.asarray(counts, np.int64)
                usage[int(cell)] = usage.get(int(cell), 0) + counts
        return usage

    def tables(self, columns: Sequence[str] | None = None) -> Iterator[pd.DataFrame]:
        """The rows part by part, so that memory does not grow with the run; Mistake as `repair`."""
        for path in self.parts():
            yield _read(path, columns).to_pandas()

    def show(self, referee: Any) -> None:
        """Give a referee, who decides when a run is over, all that was played so far."""
        for rows in self.tables(referee.columns):
            referee.add(rows)

    def table(self) -> pd.DataFrame:
        """All rows, sorted by cell, block, rotation and seat; the same however they were played."""
        parts = [_read(path) for path in self.parts()]
        if not parts:
            raise Mistake(f"{self.folder} has no games yet.")
        table = pa.concat_tables(parts).sort_by([(key, "ascending") for key in SORT_KEYS])
        return table.replace_schema_metadata(None).to_pandas()

    def _metadata(self) -> Iterator[dict[str, Any]]:
        return map(_described, self.parts())


def _described(path: Path) -> dict[str, Any]:
    """What a part says of itself. Raises Mistake if it does not."""
    with _naming(path):
        metadata = json.loads(pq.read_schema(path.absolute()).metadata[METADATA_KEY])
        return {key: metadata[key] for key in ("blocks", "usage", "games")}


def spans(numbers: Iterable[int]) -> list[list[int]]:
    """Numbers as [first, last] of each run of neighbours.

    >>> spans([4, 1, 2, 3, 9])
    [[1, 4], [9, 9]]
    """
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def _is_ours(name: str) -> bool:
    """Whether a kill before the manifest was written can leave this name."""
    return name in (LOCK, PLAYING) or (name.startswith(".") and name.endswith(TEMPORARY))


def _read(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """One part's rows. Raises Mistake if it is damaged."""
    whole = path.absolute()  # "money:24/parts" alone would be taken for an address
    with _naming(path), pq.ParquetFile(whole, page_checksum_verification=True) as file:
        return file.read(columns=None if columns is None else list(columns))


@contextlib.contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Turn any trouble with a part's content into a Mistake that names it."""
    try:
        yield
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError):
        raise Mistake(
            f"{path} cannot be read; run again with --repair to play its blocks again."
        ) from None


def write_file(path: Path, content: Any) -> None:
    """Write a file whole or not at all, even if the machine stops."""
    temporary = path.with_name(f".{path.name}{TEMPORARY}")
    with told(path.parent):
        try:
            with open(temporary, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
            if os.name == "posix":  # elsewhere a folder cannot be opened
                folder = os.open(path.parent, os.O_RDONLY)
                try:
                    os.fsync(folder)
                finally:
                    os.close(folder)
        except OSError:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise


@contextlib.contextmanager
def told(folder: Path) -> Iterator[None]:
    """Turn the trouble of writing to a folder into a Mistake that says what to do."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            advice = "make room and run the same command again, it goes on from what is saved"
        else:
            advice = "give a folder that can be written"
        raise Mistake(f"{folder} cannot be written ({error.strerror}); {advice}.") from None
