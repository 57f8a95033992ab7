"""Game records: a JSON Lines file that plays a whole game again and checks it.

    {"format": 1, "game": "westward-rails", "version": 1, "players": 4, "seed": 7, "board": ...}
    {"seat": 0, "action": "bid 12"}
    {"seat": 1, "action": "pass"}
    {"scores": [38, 91, 64, 70], "winners": [1], "end_reason": "cubes"}

The first line says what was dealt: rules version, board (the whole document when it is not one
that comes with the game), options, and the agent of each seat. Then a line for each decision; the
last line is there when the game came to its end.

>>> import sim, tempfile
>>> board = sim.load("westward-rails").board()
>>> path = Path(tempfile.mkdtemp()) / "game.jsonl"
>>> with Recorder(path, board, players=3, seed=7) as recorder:
...     recorder.play("bid 6").play("pass").play("pass").position.scores
[34, 40, 40]
>>> verify(path).decisions
3
"""

import dataclasses
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError

import sim
from sim.errors import Mistake
from sim.game import Board, Position
from sim.options import describe_faults


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class BoardEntry(_Line):
    """The board of a record; `document` when it does not come with the game."""

    name: str
    label: str
    digest: str
    document: dict | None = None


class Header(_Line):
    """The first line of a record: what was dealt, under which rules, to whom."""

    format: Literal[1] = 1
    game: str
    version: int
    players: int
    seed: int
    agents: list[str] = []
    board: BoardEntry
    settings: dict = {}
    options: dict


class Decision(_Line):
    """One decision."""

    seat: int
    action: str


class Result(_Line):
    """The last line of a finished game."""

    scores: list[int]
    winners: list[int]
    end_reason: str


@dataclasses.dataclass(frozen=True)
class Record:
    """What a record file holds; decision n stands on line n + 2 of `path`."""

    path: Path
    header: Header
    decisions: list[Decision]
    result: Result | None = None  # None: unfinished


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What replaying a record found; `str()` says it in a sentence."""

    record: Record
    position: Position  # the last

    @property
    def decisions(self) -> int:
        """Decisions in the record."""
        return len(self.record.decisions)

    @property
    def is_finished(self) -> bool:
        """Whether the record goes to the end of its game."""
        return self.record.result is not None

    def __str__(self) -> str:
        text = f"{self.record.path}: {self.decisions} decisions play as recorded"
        if not self.is_finished:
            return f"{text}; the record is unfinished."
        scores = ", ".join(str(score) for score in self.position.scores)
        return f"{text}; the game ends ({self.position.end_reason}) with scores {scores}."


def header(board: Board, players: int, seed: int, agents: Sequence[str] = ()) -> Header:
    """The first line for a game on that board; `agents` are their specs by seat."""
    is_shipped = (
        board.name in board.game.boards()
        and board.game.board(board.name).document == board.document
    )
    return Header(
        game=board.game.name,
        version=board.game.version,
        players=players,
        seed=seed,
        agents=list(agents),
        board=BoardEntry(
            name=board.name,
            label=board.label,
            digest=board.digest,
            document=None if is_shipped else board.document,
        ),
        settings=board.settings,
        options=board.options.model_dump(by_alias=True),
    )


def result(position: Position) -> Result | None:
    """The last line for a position; None while the game goes on."""
    if not position.is_over:
        return None
    return Result(scores=position.scores, winners=position.winners, end_reason=position.end_reason)


def _is_record(path: Path) -> bool:
    """Whether a file, or none of its content, may be written over."""
    try:
        with path.open("rb") as file:
            head = file.readline(1_000_000)
        return not head or {"format", "game"} <= json.loads(head).keys()
    except (OSError, ValueError, AttributeError):
        return False


def _text(line: _Line) -> str:
    return json.dumps(line.model_dump(exclude_none=True), ensure_ascii=False) + "\n"


class Recorder:
    """Records a game while it is played; what was played is in the file even after a crash.

    `position` is the game: play it through `play`. Raises Mistake when the file cannot be written.
    """

    def __init__(
        self,
        path: Path | str,
        board: Board,
        players: int,
        seed: int,
        agents: Sequence[str] = (),
    ) -> None:
        self.position = board.new(players, seed)
        if Path(path).exists() and not _is_record(Path(path)):
            raise Mistake(f"{path} is not a game record and is left as it is; give a new file.")
        try:
            self._file = Path(path).open("wb")  # noqa: SIM115 (closed by `close`)
        except OSError as error:
            raise Mistake(f"{path}: the record cannot be written: {error.strerror}.") from None
        self._starts: list[int] = []  # where in the file each decision's line starts
        self._add(header(board, players, seed, agents))

    def play(self, action: str | int) -> Self:
        """Play an action, given as text or code, record it, and return this recorder."""
        seat = self.position.to_move
        code = self.position.code(action) if isinstance(action, str) else int(action)
        self.position.play(code)
        self._starts.append(self._file.tell())
        self._add(Decision(seat=seat, action=self.position.text(code)))
        last = result(self.position)
        if last:
            self._add(last)
        return self

    def undo(self, position: Position, decisions: int = 1) -> None:
        """Take the last decisions back out of the record; the game goes on from `position`."""
        start = self._starts[-decisions]
        del self._starts[-decisions:]
        self._file.seek(start)
        self._file.truncate()
        self.position = position

    def _add(self, line: _Line) -> None:
        try:
            self._file.write(_text(line).encode())
            self._file.flush()
        except OSError as error:
            name = self._file.name
            raise Mistake(f"{name}: the record cannot be written: {error.strerror}.") from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read(path: Path | str) -> Record:
    """The record in a file. A last line cut short is left out.

    Raises Mistake, with the line's number, for a file that is not a record.
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise Mistake(f"{path}: there is no such file.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise Mistake(f"{path}: it cannot be read: {error}.") from None
    lines = text.split("\n")
    if not lines[-1].strip().endswith("}"):  # empty after a whole line; else cut short
        lines.pop()
    if not lines:
        raise Mistake(f"{path}: it holds no whole line, so it is not a game record.")
    first = _parsed(path, 1, lines[0], Header)
    decisions: list[Decision] = []
    last = None
    for number, line in enumerate(lines[1:], 2):
        if last:
            raise Mistake(f"{path}, line {number}: nothing may follow the line of scores.")
        entry = _parsed(path, number, line, Decision, Result)
        if isinstance(entry, Result):
            last = entry
        else:
            decisions.append(entry)
    return Record(path, first, decisions, last)


def _parsed(path: Path, number: int, line: str, model: type[_Line], other=None) -> _Line:
    """A line as `model`, or as `other` if it has one of that model's keys."""
    where = f"{path}, line {number}"
    try:
        values = json.loads(line)
    except json.JSONDecodeError as error:
        raise Mistake(f"{where}: it is not valid JSON: {error.msg}.") from None
    if not isinstance(values, dict):
        raise Mistake(f"{where}: it should be an object in braces, not {line[:40]}.")
    if other and values.keys() & other.model_fields.keys():
        model = other
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise Mistake(f"{where}: {describe_faults(model, error, values)}") from None


def board(record: Record) -> Board:
    """The board a record was played on, with its options.

    Raises Mistake for a record of other rules or of another board.
    """
    first, path = record.header, record.path
    try:
        game = sim.load(first.game)
        if first.version != game.version:
            raise Mistake(
                f"the game was recorded under rules version {first.version}; this is "
                f"{game.version}: use the release with version {first.version}."
            )
        document = first.board.document or game.board(first.board.name).document
        found = game.board_from(document, first.board.name, first.options)
    except Mistake as mistake:
        raise Mistake(f"{path}, line 1: {mistake}") from None
    if found.digest != first.board.digest:
        raise Mistake(
            f"{path}, line 1: the game was recorded on a board {first.board.name!r} with digest "
            f"{first.board.digest}; here that board and its options have {found.digest}."
        )
    return dataclasses.replace(found, settings=first.settings)


def replay(source: Path | str | Record) -> Iterator[Position]:
    """The positions of a recorded game, from the deal to the last decision in the file.

    Raises Mistake, with the line's number, where the game differs from its record.

    >>> import sim, tempfile
    >>> path = Path(tempfile.mkdtemp()) / "game.jsonl"
    >>> with Recorder(path, sim.load("westward-rails").board(), players=3, seed=7) as recorder:
    ...     position = recorder.play("bid 6").play("bid 7").position
    >>> [position.to_move for position in replay(path)]
    [0, 1, 2]
    """
    record = source if isinstance(source, Record) else read(source)
    path, first = record.path, record.header
    try:
        position = board(record).new(first.players, first.seed)
    except Mistake as mistake:
        at_line = f"{path}, line 1: "
        raise Mistake(at_line + str(mistake).removeprefix(at_line)) from None
    yield position.copy()
    for number, decision in enumerate(record.decisions, 2):
        where = f"{path}, line {number}"
        if not position.is_over and decision.seat != position.to_move:
            raise Mistake(
                f"{where}: seat {decision.seat} is recorded, but seat {position.to_move} decides."
            )
        try:
            position.play(decision.action)
        except Mistake as mistake:
            raise Mistake(f"{where}: {mistake}") from None
        yield position.copy()
    if record.result:
        _check_result(position, record.result, f"{path}, line {len(record.decisions) + 2}")


def _check_result(position: Position, recorded: Result, where: str) -> None:
    found = result(position)
    if found is None:
        raise Mistake(f"{where}: scores are recorded, but the game is not over.")
    for name in Result.model_fields:
        if getattr(found, name) != getattr(recorded, name):
            raise Mistake(
                f"{where}: {name} {getattr(recorded, name)} are recorded, but the game ends with "
                f"{getattr(found, name)}."
            )


def verify(path: Path | str) -> Verdict:
    """Play a recorded game again. Raises Mistake, with the line, where it differs."""
    record = read(path)
    *_, position = replay(record)
    return Verdict(record, position)
