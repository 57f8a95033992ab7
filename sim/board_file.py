"""What the board files of all games share: entries that rest on something, and their faults."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from sim.errors import Mistake, nearest
from sim.options import validate

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
# One of the words, and then what more there is to say; a key right after "sourced:" is explained
# under `sources`. What states none rests on nothing: an assumption.
Basis = Annotated[str, Field(pattern=r"^(rulebook|reconstruction|assumption)\b|^sourced: ?\w")]


class Entry(BaseModel):
    """An entry of a board file, with what it rests on."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    noun: ClassVar[str] = "entry"
    named_by: ClassVar[tuple[str, ...]] = ("name",)
    basis: Basis = "assumption"
    note: str = ""

    @classmethod
    def called(cls, values: Mapping[str, Any], number: int) -> str:
        """What faults call the entry with these values; `number` counts those without a name."""
        names = [values.get(key) for key in cls.named_by]
        names = names[0] if isinstance(names[0], list) else names
        if names and all(isinstance(name, str) for name in names):
            return f"{cls.noun} {'-'.join(names)!r}"
        return f"{cls.noun} number {number}"


class BoardFile(BaseModel):
    """Base of a game's board file."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    sources: dict[str, str] = {}
    options: dict = {}


def read(
    model: type[BoardFile],
    document: dict,
    where: str,
    faults_of: Callable[[Any], Iterable[str]],
) -> Any:
    """The checked board; `where` names its file. Raises Mistake that lists every violation."""
    board = validate(model, document, where)
    faults = [*_unexplained(board), *faults_of(board)]
    if faults:
        raise Mistake(f"{where}: {'; '.join(faults)}.")
    return board


def _unexplained(board: BoardFile) -> Iterator[str]:
    """Sources that an entry names and the file does not explain."""
    for key, value in board:
        for number, entry in enumerate(value if isinstance(value, list) else [value], 1):
            if not isinstance(entry, Entry):
                continue
            for source in re.findall(r"sourced:(\w+)", entry.basis):
                if source not in board.sources:
                    user = entry.called(dict(entry), number) if isinstance(value, list) else key
                    yield f"{user}: the basis names {source!r}, which is not in sources" + nearest(
                        source, board.sources
                    )
