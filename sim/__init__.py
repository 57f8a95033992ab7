"""Golden Spike's rules: one room a game, and what every game shares.

>>> import sim
>>> sim.games()
('westward-rails', 'railways-of-the-world', 'great-western-trail')
>>> game = sim.load("westward-rails")
>>> position = game.new(players=4, seed=7, starting_money=35)
>>> position.play("bid 12").to_move
1
"""

import contextlib
import functools
import hashlib
import importlib
import os
import re
import shutil
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from sim.errors import Mistake, nearest

if TYPE_CHECKING:
    from sim.game import Game

# Each with a room of its name.
_GAMES = ("westward-rails", "railways-of-the-world", "great-western-trail")
_CACHES_KEPT = 3
_DAY = 86_400  # seconds


@functools.cache
def source_digest() -> str:
    """Digest of the rules and agents: where it is the same, the same games are played."""
    digest = hashlib.sha256()
    home = Path(__file__).parent
    for package in (home, home.parent / "agents"):
        for path in sorted(package.rglob("*.py")):
            digest.update(path.relative_to(package.parent).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _cache_digest() -> str:
    """Digest of all that compiled code depends on; numba itself sees only a function's own file."""
    parts = [
        source_digest(),
        sys.version,
        *(version(name) for name in ("numba", "llvmlite", "numpy")),
    ]
    parts += sorted(
        f"{key}={value}"
        for key, value in os.environ.items()
        if key.startswith("NUMBA_") and key not in ("NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS")
    )
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:20]


def _cache_home() -> Path:
    if "GOLDEN_SPIKE_CACHE" in os.environ:
        return Path(os.environ["GOLDEN_SPIKE_CACHE"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "golden-spike"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "golden-spike"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "golden-spike"


def _open_cache() -> Path | None:
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):  # nothing will be compiled
        return None
    digest = _cache_digest()
    try:
        folder = _cache_home() / digest
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        if not os.access(folder, os.W_OK):
            raise PermissionError(folder)
    except (OSError, RuntimeError):  # no home, or one that cannot be written
        folder = Path(tempfile.gettempdir()) / f"golden-spike-{_user()}" / digest
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _prune(folder)
    # Numba re-reads the environment at every compilation, and its own copy only then.
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_DIR = str(folder)
    return folder


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "user"


def _prune(folder: Path) -> None:
    """Remove older versions' folders, but for the newest and those in use of late."""
    with contextlib.suppress(OSError):
        ages = {
            path: path.stat().st_mtime
            for path in folder.parent.iterdir()
            if re.fullmatch(r"[0-9a-f]{20}", path.name) and path.is_dir()
        }
        for old in sorted(ages, key=ages.get)[:-_CACHES_KEPT]:
            if ages[old] < time.time() - _DAY:
                shutil.rmtree(old, ignore_errors=True)


CACHE = _open_cache()


def games() -> tuple[str, ...]:
    """Names of the games there are."""
    return _GAMES


def load(name: str) -> "Game":
    """The game of that name; its rules are compiled when they are first needed.

    Raises Mistake for a name that is not a game's.

    >>> load("westward-rails").title
    'Westward Rails'
    """
    if name not in _GAMES:
        raise Mistake(f"There is no game {name!r}{nearest(name, _GAMES)}.")
    return importlib.import_module(f"sim.{name.replace('-', '_')}").GAME
