"""One game at the terminal: people take seats, or watch."""

import dataclasses
import functools
import itertools
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import agents
from agents import Agent
from agents.base import PYTHON
from agents.loop import Batch
from sim import replay, scenario
from sim.errors import Mistake
from sim.game import Board, Game, Position
from sim.layout import filled, grid, width
from sim.rng import stream

HUMAN = Agent("human", PYTHON, make=lambda seed: None)
_HELP = (
    "Type an action; ? lists them with what they cost and bring, ? WORD those that begin so, "
    "? NAME explains a name of the board; table shows the game, map draws it, undo takes back, "
    "quit leaves, help tells this again."
)
_MANY = 24  # choices that are listed by their first word


class Quit(Exception):
    """The person at the keyboard leaves."""


def play_one(
    game: Game,
    specs: Sequence[str],
    players: int | None,
    settings: dict[str, Any],
    board_name: str | None,
    seed: int,
    record: Path | None,
) -> None:
    """Play a game with these agents by seat; a shorter list is repeated."""
    board = game.board(board_name, settings)
    players = max(len(specs), game.players[0]) if players is None else players
    if len(specs) > players:
        raise Mistake(f"--agents names {len(specs)}, too many for {players} players.")
    specs = list(itertools.islice(itertools.cycle(specs), players))
    line_up = [HUMAN if spec == "human" else agents.load(spec, game) for spec in specs]
    seeds = [stream(seed, "play", seat) for seat in range(players)]
    watch(board, line_up, seed, seeds, record)


def watch(
    board: Board,
    line_up: Sequence[Agent],
    game_seed: int,
    agent_seeds: Sequence[int],
    record: Path | None = None,
) -> None:
    """Tell a game decision by decision, asking people where they decide."""
    players = len(line_up)
    board.new(players, game_seed)  # a wrong player count or seed is told before anything else
    batch = Batch(board, [list(line_up)], np.array([game_seed]), np.array([agent_seeds], np.uint64))
    names = [agent.spec for agent in line_up]
    recorder = replay.Recorder(record, board, players, game_seed, names) if record else None
    _say(f"{board.game.title} · {board.label} · seed {game_seed}")
    for seat, name in enumerate(names):
        print(f"  seat {seat}: {name}")
    try:
        _Telling(batch, names, recorder).tell()
    except Quit:
        print("Left.")
    finally:
        if recorder:
            recorder.close()
            print(f"The record is {record}")


def watch_record(path: Path) -> None:
    """Tell a recorded game, and whether it plays as recorded."""
    record = replay.read(path)
    names = record.header.agents or [""] * record.header.players
    before = None
    for position, decision in zip(replay.replay(record), [None, *record.decisions], strict=True):
        if before is not None:
            _print_action(before, position, names, decision.action)
        before = position
    print(f"\n{before}\n")
    _say(str(replay.Verdict(record, before)))


def position_in(file: Path, decision: int | None = None) -> Position:
    """The position a scenario starts from, or that of a record before a decision (from 1).

    Raises Mistake for a file that is neither, and a decision that the record has not.
    """
    if file.suffix == ".toml":
        if decision is not None:
            raise Mistake(f"{file}: a scenario is searched from its start; leave --decision out.")
        return scenario.load(file).start()
    positions = list(replay.replay(file))
    if decision is None:
        return positions[-1]
    if not 1 <= decision <= len(positions):
        raise Mistake(f"{file}: --decision {decision} should be from 1 to {len(positions)}.")
    return positions[decision - 1]


def _print_action(before: Position, after: Position, names: Sequence[str], text: str) -> list[str]:
    """Tell an action and what it has changed; return the changes."""
    seat = before.to_move
    name = f" ({names[seat]})" if names[seat] else ""
    told = after.game.table.changes(after.board, before, after)
    _say(f"{before.turn or '':>4}  seat {seat}{name}: {text}", 10)
    for line in told:
        _say(f"{'':10}{line}", 12)
    return told


def _say(text: str, indent: int = 4) -> None:
    print("\n".join(filled(text, indent)))


@dataclasses.dataclass
class _Telling:
    batch: Batch
    names: list[str]
    recorder: replay.Recorder | None
    undo: list[tuple[np.ndarray, np.ndarray, np.ndarray, int]] = dataclasses.field(
        default_factory=list
    )
    decisions: int = 0
    asked: tuple[int, int] | None = None  # turn and seat for which the table was last shown
    has_changed: bool = False  # by others' actions since then

    def tell(self) -> None:
        """Play to the end."""
        batch = self.batch
        position = batch.position()
        while not position.is_over and position.status == "ok":
            before = position.copy()
            is_human = self.names[position.to_move] == "human"
            if is_human and len(position.legal_codes()) > 1:
                code = self.ask(position)
                if code is None:
                    continue
                position.play(code)
                batch.progress[0].decisions += 1
            else:
                code = batch.step()
                if code is None:
                    break
            self.decisions += 1
            if self.recorder:
                self.recorder.play(code)
            text = position.text(code)
            if "human" in self.names and not is_human:
                text = position.game.concealed(code) or text
            told = _print_action(before, position, self.names, text)
            if told and not is_human:
                self.has_changed = True
        if position.is_over:
            print(f"\n{position}")
        else:
            seat = int(batch.offender[0])
            at_fault = f": seat {seat}, {self.names[seat]}" if seat >= 0 else ""
            print(f"\nThe game stopped ({position.status}){at_fault}.")
            if batch.failure[0]:
                print(f"  {batch.failure[0]}")

    def ask(self, position: Position) -> int | None:
        """The code a person chooses; None after an undo."""
        seat = position.to_move
        self.introduce(position)
        while True:
            try:
                text = input(f"seat {seat}> ").strip()
            except EOFError:
                print()
                raise Quit from None
            if text in ("quit", "exit"):
                raise Quit
            try:
                if text.startswith("?"):
                    _print_help(position, " ".join(text[1:].split()))
                elif text == "table":
                    print(position.table(seat))
                elif text == "map":
                    self.draw(position)
                elif text == "help":
                    _say(_HELP)
                elif text == "undo":
                    if self.take_back():
                        return None
                    print("There is nothing to take back.")
                elif text:
                    code = position.code(text)
                    self.remember()
                    return code
            except Mistake as mistake:
                _say(str(mistake))

    def introduce(self, position: Position) -> None:
        """Show the table where it is news, else what is to be decided; then the choices."""
        seat = position.to_move
        is_first = self.asked is None
        print()
        if self.asked != (position.turn, seat) or self.has_changed:
            print(position.table(seat))
            print()
        else:
            _say(position.game.table.now(position))
        self.asked, self.has_changed = (position.turn, seat), False
        if is_first:
            _say(_HELP)
        _print_help(position, "")

    def draw(self, position: Position) -> None:
        """Print the map if the game has one in text, and write its picture.

        The picture is of the bare board where the game draws no position.
        """
        from experiments.report import plots

        game = position.game
        chart = game.table.chart(position)
        if max(map(len, chart), default=0) <= width():
            for line in chart:
                print(line)
        if game.portrait:
            figure = plots.picture(game.portrait, position)
        elif game.picture:
            figure = plots.picture(game.picture, position.board.document)
        else:
            raise Mistake(f"{game.title} has no picture of its map.")
        figure.savefig(self.map_file, dpi=150)
        print(
            f"The picture{'' if game.portrait else ', without what is built,'} is {self.map_file}"
        )

    @functools.cached_property
    def map_file(self) -> Path:
        """Where pictures of this game are written, each over the one before."""
        return Path(tempfile.mkdtemp(prefix="spike-")) / "map.png"

    def remember(self) -> None:
        """Keep what an undo needs."""
        batch = self.batch
        saved = (batch.states.copy(), batch.seats.copy(), batch.progress.copy(), self.decisions)
        self.undo.append(saved)

    def take_back(self) -> bool:
        """Go back to before the last decision a person made."""
        if not self.undo:
            return False
        states, seats, progress, decisions = self.undo.pop()
        self.batch.states[:] = states
        self.batch.seats[:] = seats
        self.batch.progress[:] = progress
        if self.recorder:
            self.recorder.undo(self.batch.position().copy(), self.decisions - decisions)
        self.decisions = decisions
        return True


def _print_help(position: Position, word: str) -> None:
    """The actions that begin with a word, and what it names; all actions when it is empty."""
    codes = position.legal_codes().tolist()
    if not word and len(codes) > _MANY:
        _print_kinds(position, codes)
        return
    codes = [code for code in codes if position.text(code).startswith(word.lower())]
    told = position.explain(word) if word else []
    if codes:
        _print_choices(position, codes)
    for line in told:
        print(line)
    if not codes and not told:
        _say(f"No action that can be played now begins with {word!r}, and nothing is called so.")


def _print_kinds(position: Position, codes: Sequence[int]) -> None:
    """A line for each action; where many begin with the same word, only one for all of them."""
    kinds: dict[str, list[int]] = {}
    for code in codes:
        kinds.setdefault(position.text(code).split()[0], []).append(code)
    rows = []
    for verb, group in kinds.items():
        if len(group) <= 6:
            rows += [(position.text(code), position.note(code)) for code in group]
        else:
            rows.append((f"{verb} ...", f"{len(group)} choices, listed by ? {verb}"))
    _print_rows(rows)


def _print_choices(position: Position, codes: Sequence[int]) -> None:
    """Actions, each with its note; a note that all share is told once."""
    rows = [(position.text(code), position.note(code)) for code in codes]
    notes = {note for _, note in rows}
    if len(rows) > 1 and len(notes) == 1:
        print("\n".join(grid([text for text, _ in rows])))
        if notes != {""}:
            _say(f"each: {notes.pop()}")
    else:
        _print_rows(rows)


def _print_rows(rows: Sequence[tuple[str, str]]) -> None:
    """Texts with their notes beside them, in as many columns as fit."""
    wide = max(len(text) for text, _ in rows)
    cells = [f"{text:{wide}}  {note}".rstrip() for text, note in rows]
    if max(map(len, cells)) <= width():
        print("\n".join(grid(cells)))
    else:
        for cell in cells:
            _say(cell, wide + 2)
