"""One game at the terminal: people take seats, or watch."""

import dataclasses
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import agents
from agents import Agent
from agents.base import PYTHON
from agents.loop import Batch
from sim import replay
from sim.errors import Mistake
from sim.game import Board, Game, Position
from sim.rng import stream

HUMAN = Agent("human", PYTHON, make=lambda seed: None)
_HELP = (
    "Type an action; ? lists them, ? WORD those that begin so, table shows the game, undo takes "
    "back, quit leaves."
)


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
    print(f"{board.game.title} · {board.label} · seed {game_seed}")
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
    print(f"\n{before}\n\n{replay.Verdict(record, before)}")


def _print_action(before: Position, after: Position, names: Sequence[str], text: str) -> None:
    if before.turn != after.turn and before.turn == 0:
        print()
    seat = before.to_move
    name = f" ({names[seat]})" if names[seat] else ""
    told = after.game.table.changes(after.board, before, after)
    print(f"{before.turn or '':>4}  seat {seat}{name}: {text}")
    for line in told:
        print(f"          {line}")


@dataclasses.dataclass
class _Telling:
    batch: Batch
    names: list[str]
    recorder: replay.Recorder | None
    undo: list[tuple[np.ndarray, np.ndarray, np.ndarray, int]] = dataclasses.field(
        default_factory=list
    )
    decisions: int = 0

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
            _print_action(before, position, self.names, text)
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
        print(f"\n{position}\n\n{_HELP}")
        while True:
            try:
                text = input(f"seat {position.to_move}> ").strip()
            except EOFError:
                raise Quit from None
            if text in ("quit", "exit"):
                raise Quit
            if text.startswith("?"):
                start = text[1:].strip()
                _print_columns([known for known in position.legal() if known.startswith(start)])
            elif text == "table":
                print(position)
            elif text == "undo":
                if self.take_back():
                    return None
                print("There is nothing to take back.")
            elif text:
                try:
                    code = position.code(text)
                except Mistake as mistake:
                    print(mistake)
                    continue
                self.remember()
                return code

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


def _print_columns(texts: list[str]) -> None:
    """Texts in columns that fit the terminal."""
    from rich.columns import Columns
    from rich.console import Console
    from rich.text import Text

    Console().print(Columns([Text(text) for text in texts], padding=(0, 3)))
