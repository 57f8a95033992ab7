"""Game, Board and Position: the friendly face over a game's compiled rules."""

import dataclasses
import functools
import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from sim import contract
from sim.contract import Measure
from sim.errors import Mistake, nearest
from sim.options import Options, read_toml, validate, with_settings


@dataclasses.dataclass(frozen=True, eq=False)
class Game:
    """A game of the lab: its rules, options, boards and words.

    Parameters
    ----------
    name, title
        As typed, and as printed.
    version
        Number of its rules; rises with every change that can change a game.
    players
        Player counts it can be played with.
    rules
        Module with the kernels of `sim.contract` and the limits they state.
    options
        Model of its options.
    board_reader
        Module with `read`, `fill` and `elements` for board files.
    actions
        Module with `describe` and `parse` between action codes and texts; with `conceal` where
        some actions are secret.
    table
        Module between positions and text: `show` a position, what is to be decided `now`, the map
        as a `chart`, the `changes` of an action, a `note` on one to come, a player's `secrets`,
        and `explain` for a name.
    scenarios
        Module with `give` and `look` for scenario files.
    folder
        Where its `boards` lie.
    default_board
        Board used when none is named.
    assumptions
        What is not printed in the rulebook and every result rests on.
    score_unit
        Unit of the scores: "$", "points".
    element
        What an element of the board whose use is counted is called: "link".
    loan
        What a loan is called: "bond"; empty in a game without loans.
    picture
        Draws the board on matplotlib axes: `picture(axes, document, counts, games)`.
    portrait
        Draws a position on matplotlib axes: `portrait(axes, position)`.
    """

    name: str
    title: str
    version: int
    players: range
    rules: ModuleType
    options: type[Options]
    board_reader: ModuleType
    actions: ModuleType
    table: ModuleType
    scenarios: ModuleType
    folder: Path
    default_board: str
    score_unit: str = ""
    element: str = "link"
    loan: str = ""
    assumptions: tuple[str, ...] = ()
    picture: Callable | None = None
    portrait: Callable | None = None

    def __post_init__(self) -> None:
        contract.register(self.rules)

    def __reduce__(self) -> tuple:
        from sim import load  # pickled by name: its parts are modules

        return load, (self.name,)

    def ready(self) -> None:
        """Compile the rules, or load them from the cache, before they are first needed."""
        contract.ready(self.rules.STATE)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The game's own figures in a results table."""
        return self.rules.MEASURES

    @property
    def end_reasons(self) -> tuple[str, ...]:
        """Ways a game can end."""
        return self.rules.END_REASONS

    def concealed(self, code: int) -> str:
        """What others are told of a secret action; empty for one that all see.

        >>> import sim
        >>> sim.load("westward-rails").concealed(0)
        ''
        """
        conceal = getattr(self.actions, "conceal", None)
        return conceal(code) if conceal else ""

    def boards(self) -> tuple[str, ...]:
        """Names of the boards that come with the game.

        >>> import sim
        >>> sim.load("westward-rails").boards()
        ('reconstructed_map',)
        """
        return tuple(sorted(path.stem for path in (self.folder / "boards").glob("*.toml")))

    def board(
        self,
        name: str | Path | None = None,
        settings: Mapping[str, Any] | None = None,
        where: str = "--set",
    ) -> "Board":
        """A board with the options chosen: `name` is one of `boards()` or a TOML file.

        `where` names the place of the settings in errors.

        Raises Mistake for an unknown board, a board that breaks a rule of valid boards, an
        unknown option or a value it cannot have.

        >>> import sim
        >>> sim.load("westward-rails").board(settings={"starting_money": 35}).label
        'Reconstructed map'
        """
        name = str(name or self.default_board)
        path = Path(name)
        if path.suffix != ".toml":
            if name not in self.boards():
                raise Mistake(
                    f"{self.title} has no board {name!r}{nearest(name, self.boards())} "
                    "(a board file of your own ends in .toml)."
                )
            path = self.folder / "boards" / f"{name}.toml"
        return self.board_from(read_toml(path), str(name), settings, where)

    def board_from(
        self,
        document: dict,
        name: str,
        settings: Mapping[str, Any] | None = None,
        where: str = "--set",
    ) -> "Board":
        """The board in a parsed board file, with the options chosen; `name` is used in errors."""
        settings = dict(settings or {})
        file = self.board_reader.read(document, name)
        printed = validate(self.options, file.options, f"{name}: options")
        values = with_settings(self.options, printed.model_dump(by_alias=True), settings, where)
        options = validate(self.options, values, where)
        return Board(self, name, document, file, options, settings)

    def new(
        self,
        players: int | None = None,
        seed: int = 1,
        board: str | Path | None = None,
        **settings: Any,
    ) -> "Position":
        """A new game, dealt from `seed`; options as keywords.

        Raises Mistake for a player count, board or option that cannot be.

        >>> import sim
        >>> sim.load("westward-rails").new(players=4, seed=7, starting_money=35).scores
        [35, 35, 35, 35]
        """
        players = self.players[0] if players is None else players
        return self.board(board, settings, "Options").new(players, seed)


@dataclasses.dataclass(frozen=True, eq=False)
class Board:
    """A board with its options: what a game is dealt on."""

    game: Game
    name: str
    document: dict
    file: Any
    options: Options
    settings: dict

    @functools.cached_property
    def record(self) -> np.ndarray:
        """The record that kernels read: an array of length 1 of the rules' BOARD."""
        return self.game.board_reader.fill(self.file, self.options)

    @property
    def label(self) -> str:
        """What every output calls the board, so that a reconstruction is known as one."""
        return self.file.meta.label

    @functools.cached_property
    def digest(self) -> str:
        """Digest of the record: equal for boards on which every game is the same."""
        return hashlib.sha256(self.record.tobytes()).hexdigest()[:16]

    @functools.cached_property
    def elements(self) -> list[str]:
        """Names, as a reader sees them, of the parts of the board whose use is counted."""
        return self.game.board_reader.elements(self.file)

    def new(self, players: int, seed: int = 1) -> "Position":
        """A new game on this board for that many players, dealt from `seed`."""
        if not _is_whole(players) or players not in self.game.players:
            low, high = self.game.players[0], self.game.players[-1]
            raise Mistake(f"{self.game.title} is for {low} to {high} players, not {players}.")
        if not _is_whole(seed) or not 0 <= seed < 2**53:
            raise Mistake(f"The seed {seed} should be a whole number from 0 to 2^53 - 1.")
        state = contract.record(self.game.rules.STATE)
        contract.run("setup", state, self.record, players, seed)
        return Position(self, state)


class Position:
    """A game in progress.

    >>> import sim
    >>> position = sim.load("westward-rails").new(players=3, seed=7)
    >>> position.legal()[:3]
    ['pass', 'bid 5', 'bid 6']
    >>> position.play("bid 6").play("pass").play("pass").scores
    [34, 40, 40]
    """

    def __init__(self, board: Board, state: np.ndarray) -> None:
        self.board = board
        self.state = state

    @property
    def game(self) -> Game:
        """The game this is a position of."""
        return self.board.game

    @property
    def players(self) -> int:
        """Number of players."""
        return int(self.state["n_players"][0])

    @property
    def to_move(self) -> int:
        """The seat that decides, from 0."""
        return int(self.state["to_move"][0])

    @property
    def turn(self) -> int:
        """Turns begun so far."""
        return int(self.state["turn"][0])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state["is_over"][0])

    @property
    def status(self) -> str:
        """One of `sim.contract.STATUS`; "ok" unless something cannot be."""
        return contract.STATUS[int(self.state["status"][0])]

    @property
    def end_reason(self) -> str:
        """How the game ended; empty while it goes on."""
        reason = int(self.state["end_reason"][0])
        return self.game.end_reasons[reason] if reason >= 0 else ""

    @property
    def scores(self) -> list[int]:
        """Each player's money or points now.

        >>> import sim
        >>> sim.load("westward-rails").new(players=5).scores
        [24, 24, 24, 24, 24]
        """
        out = np.zeros(self.game.rules.MAX_PLAYERS)
        contract.run("scores", self.state, self.board.record, out)
        return [int(score) for score in out[: self.players]]

    @property
    def payoffs(self) -> list[float]:
        """Each player's share of the win if the game ended now.

        >>> import sim
        >>> sim.load("westward-rails").new(players=4).payoffs
        [0.25, 0.25, 0.25, 0.25]
        """
        out = np.zeros(self.game.rules.MAX_PLAYERS)
        contract.run("payoffs", self.state, self.board.record, out)
        return [float(share) for share in out[: self.players]]

    @property
    def winners(self) -> list[int]:
        """The seats that won, after tie-breaks; empty while the game goes on.

        >>> import sim
        >>> sim.load("westward-rails").new(players=4).winners
        []
        """
        if not self.is_over:
            return []
        return [seat for seat, share in enumerate(self.payoffs) if share > 0]

    def legal_codes(self) -> np.ndarray:
        """Codes of the legal actions (int32)."""
        out = np.empty(self.game.rules.MAX_LEGAL, np.int32)
        count = contract.run("legal_actions", self.state, self.board.record, out)
        return out[:count].copy()

    def legal(self) -> list[str]:
        """Texts of the legal actions; empty when the game is over.

        >>> import sim
        >>> sim.load("westward-rails").new(players=3, starting_money=6).legal()
        ['pass', 'bid 5', 'bid 6']
        """
        return [self.text(code) for code in self.legal_codes()]

    def text(self, code: int) -> str:
        """The text of an action code.

        >>> import sim
        >>> position = sim.load("westward-rails").new(players=3)
        >>> position.text(position.code("bid 12"))
        'bid 12'
        """
        if not _is_whole(code):
            raise Mistake(f"{code!r} should be an action's code, a whole number.")
        try:
            if 0 <= code < self.game.rules.MAX_CODE:
                return self.game.actions.describe(self.board, int(code))
        except IndexError:  # of a city, say, that this board has not
            pass
        raise Mistake(f"There is no action with the code {code}.")

    def code(self, text: str) -> int:
        """The code of a legal action from its text.

        Raises Mistake when it is not an action or not legal, and says why.
        """
        if not isinstance(text, str):
            raise Mistake(f"{text!r} should be an action's text, such as {self._example()}.")
        if self.is_over:
            raise Mistake(f"{text!r} cannot be played: the game is over.")
        return self.game.actions.parse(self, text)

    def play(self, action: str | int) -> "Position":
        """Play a legal action, given as text or code, and return this position.

        Raises Mistake when it is not legal, and says why.

        >>> import sim
        >>> sim.load("westward-rails").new(players=3).play("bid 6").play("bid 8").to_move
        2
        """
        contract.run("apply", self.state, self.board.record, self._legal_code(action))
        return self

    def _legal_code(self, action: str | int) -> int:
        """The code of a legal action given as text or code."""
        if isinstance(action, str):
            return self.code(action)
        if not _is_whole(action):
            raise Mistake(
                f"{action!r} should be an action's text or code, such as {self._example()}."
            )
        if action not in self.legal_codes():
            raise Mistake(f"The action code {action} is not legal here.")
        return int(action)

    def _example(self) -> str:
        """A legal action, quoted."""
        return repr(self.text(self.legal_codes()[0])) if not self.is_over else "'pass'"

    def note(self, action: str | int) -> str:
        """What a legal action costs or brings and where it leads; empty if its text tells all.

        Only what the seat to move may know is told.

        >>> import sim
        >>> sim.load("westward-rails").new(players=3).note("bid 6")
        ''
        """
        return self.game.table.note(self, self._legal_code(action))

    def explain(self, word: str) -> list[str]:
        """Lines that explain a name of the board, such as a city or a card; none if unknown.

        >>> import sim
        >>> sim.load("westward-rails").new(players=3).explain("nowhere")
        []
        """
        if not isinstance(word, str):
            raise Mistake(f"{word!r} should be a name of the board, a text.")
        return self.game.table.explain(self, word)

    def secrets(self, viewer: int) -> list[str]:
        """Names of what `viewer` alone knows he holds, such as the Rail Baron he keeps.

        In the copy that a Python agent gets, those of the other seats are made up.

        >>> import sim
        >>> sim.load("westward-rails").new(players=3).secrets(0)
        []
        """
        self._check_seat(viewer)
        return self.game.table.secrets(self, viewer)

    def table(self, viewer: int | None = None) -> str:
        """The position as a table for everybody; with a viewer, also what he alone knows.

        >>> import sim
        >>> position = sim.load("westward-rails").new(players=3)
        >>> position.table() == str(position)
        True
        """
        if viewer is not None:
            self._check_seat(viewer)
        return self.game.table.show(self, viewer)

    def copy(self) -> "Position":
        """An independent copy.

        >>> import sim
        >>> position = sim.load("westward-rails").new(players=3)
        >>> position.copy().play("bid 6") == position
        False
        """
        return Position(self.board, self.state.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: dict) -> "Position":
        return self.copy()

    def determinized(self, viewer: int, seed: int) -> "Position":
        """A copy in which all that `viewer` cannot know is drawn anew from `seed`.

        >>> import sim
        >>> position = sim.load("westward-rails").new(players=3)
        >>> position.determinized(viewer=0, seed=5).legal() == position.legal()
        True
        """
        self._check_seat(viewer)
        other = self.copy()
        contract.run("determinize", other.state, self.board.record, viewer, seed)
        return other

    def observe(self, viewer: int) -> np.ndarray:
        """What `viewer` may know, as float64 numbers.

        >>> import sim
        >>> position = sim.load("westward-rails").new(players=3)
        >>> (position.observe(1) == position.determinized(1, 5).observe(1)).all()
        np.True_
        """
        self._check_seat(viewer)
        out = np.zeros(self.game.rules.OBSERVATION)
        contract.run("observe", self.state, self.board.record, viewer, out)
        return out

    def _check_seat(self, seat: int) -> None:
        if not _is_whole(seat) or seat not in range(self.players):
            raise Mistake(f"There is no seat {seat}: seats are 0 to {self.players - 1}.")

    def measures(self) -> dict[str, list[float]]:
        """The game's own figures so far, for each player.

        >>> import sim
        >>> sim.load("westward-rails").new(players=3).measures()["shares_held"]
        [0.0, 0.0, 0.0]
        """
        out = np.zeros((len(self.game.measures), self.game.rules.MAX_PLAYERS))
        contract.run("measures", self.state, self.board.record, out)
        return {
            measure.name: out[row, : self.players].tolist()
            for row, measure in enumerate(self.game.measures)
        }

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Position)
            and self.board.digest == other.board.digest
            and bool((self.state == other.state).all())
        )

    __hash__ = None

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<{self.game.title}, {self.players} players, turn {self.turn}>"


def _is_whole(number: object) -> bool:
    """Whether it is a whole number, of Python's or numpy's."""
    return isinstance(number, (int, np.integer))
