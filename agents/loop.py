"""The one loop that plays games: compiled, resumable, for any mix of compiled and Python agents."""

import copy
import dataclasses
import functools
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from agents.base import GREEDY, MAX_SEATS, MAX_WEIGHTS, MEMO, PYTHON, SEARCH, SEAT, PythonAgent
from agents.choices import close_turn, weigh
from agents.greedy import choose_greedy
from agents.mcts import Search, choose_by_search, follow, make_search
from agents.restriction import choose_among
from sim.contract import (
    BROKEN,
    FAILED,
    ILLEGAL,
    OK,
    TOO_LONG,
    apply,
    compiled,
    determinize,
    legal_actions,
    measures,
    payoffs,
    scores,
    setup,
    usage,
)
from sim.errors import Mistake
from sim.game import Board, Position
from sim.rng import below, draw, step, uniform

if TYPE_CHECKING:
    from agents import Agent

SAMPLES = 9  # of the scores over a game, evenly from 0 to 100 % of its turns
_TRACE = 128

# `advance` returns about that often, so that Ctrl-C is soon heard; how many legal actions a game
# weighs in the time is found as it is played, these at most.
_SECONDS = 0.1
_BUDGET = 400_000

# What the loop remembers of a game beside its state.
PROGRESS = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("decisions", "i4"),
                ("action", "i4"),  # the last one played
                ("turn", "i4"),  # last turn whose scores are in the trace
                ("stride", "i4"),  # turns between two traces; doubles when the trace is full
                ("traces", "i4"),
                ("scores", "f4", (_TRACE, MAX_SEATS)),
                ("leader", "i4"),  # seat that was ahead of all others last; -1: none yet
                ("lead_changes", "i4"),
                # The rest is for games whose choices are weighed, see agents/choices.py.
                ("rng", "u8"),
                ("weighs", "i4"),  # 1: they are
                ("weighed", "i4"),  # decisions played before the last choice weighed
                ("player", "i4"),  # who decided last
                ("is_alive", "i4"),  # whether anything mattered since that player decides
                ("turns", "i4"),
                ("dead", "i4"),  # of the turns
                ("choices", "i4"),
                ("matter", "i4"),  # of the choices
            ],
            align=True,
        ),
    )
)


@compiled
def deal(states, boards, progress, n_players, seeds):
    """Set up every game of a batch."""
    for game in range(len(states)):
        setup(states[game], boards[0], n_players, seeds[game])
        progress[game].decisions = 0
        progress[game].turn = -1
        progress[game].stride = 1
        progress[game].traces = 0
        progress[game].leader = -1
        progress[game].player = -1
        progress[game].weighed = -1
        progress[game].rng = seeds[game]


@compiled
def advance(
    states,
    boards,
    seats,
    weights,
    progress,
    scratch,
    legal,
    numbers,
    search,
    judges,
    first,
    limit,
    budget,
):
    """Play games on from number `first`; return the game that stopped play, or their number.

    Stops where a Python agent must choose, and when `budget` is spent: a legal action weighed
    costs 1, a decision 10. Call it again with what it returned, and nothing changes in the games.
    `limit` is the number of decisions after which a game is too long; `judges` are the record of a
    seat and the weights of who says which choices matter.
    """
    board = boards[0]
    for game in range(first, len(states)):
        state = states[game]
        while state.is_over == 0 and state.status == OK:
            if progress[game].decisions >= limit:
                state.status = TOO_LONG
                break
            _trace(state, board, progress[game], numbers)
            everything = legal_actions(state, board, legal)
            if everything == 0:
                state.status = BROKEN
                break
            seat = seats[game, state.to_move]
            count = everything
            without = 0
            if seat.without != 0:  # the table is not looked at for nothing
                without = int(seat.without)
                count, without = choose_among(state, board, legal, everything, without, search)
            if progress[game].weighs != 0:
                weigh(
                    state,
                    board,
                    progress[game],
                    legal,
                    count,
                    scratch,
                    numbers,
                    judges[0][0],
                    judges[1],
                )
            # Last of all checks, so that where play stops for a Python agent all is noted.
            if budget < 0 or (count > 1 and seat.kind == PYTHON):
                return game
            budget -= 10
            action = int(legal[0])
            if count == 1:
                seat.forced += 1
            else:
                goes_on = seat.kind == SEARCH and search.trees[state.to_move].done >= 0
                if not goes_on:
                    seat.decisions += 1
                    seat.options += count
                if seat.kind == GREEDY and (seat.noise == 0.0 or uniform(seat) >= seat.noise):
                    scratch[0] = state
                    determinize(scratch[0], board, state.to_move, draw(seat))
                    action = choose_greedy(
                        seat,
                        weights[game, state.to_move],
                        scratch[0],
                        board,
                        legal,
                        count,
                        search.forbidden[without],
                        scratch[1:],
                        numbers,
                    )
                    budget -= count
                elif seat.kind == SEARCH and (
                    goes_on or seat.noise == 0.0 or uniform(seat) >= seat.noise
                ):
                    action, budget = choose_by_search(
                        seat,
                        weights[game, state.to_move],
                        state,
                        board,
                        legal,
                        scratch,
                        numbers,
                        limit,
                        search,
                        (game, progress[game].decisions),
                        budget,
                    )
                    if action < 0:
                        return game
                else:
                    action = int(legal[below(seat, count)])
            for player in range(state.n_players):
                known = count if player == state.to_move else everything  # to its search
                follow(
                    search.trees[player],
                    search.nodes[player],
                    game,
                    progress[game].decisions,
                    action,
                    known > 1,
                )
            progress[game].decisions += 1
            progress[game].action = action
            apply(state, board, action)
    return len(states)


@compiled
def _trace(state, board, progress, numbers):
    """Note everybody's score at the start of each turn, or of each `stride` turns."""
    if state.turn <= progress.turn:
        return
    progress.turn = state.turn
    scores(state, board, numbers)
    _note_leader(progress, numbers, state.n_players)
    if state.turn % progress.stride != 0:
        return
    if progress.traces == _TRACE:
        for i in range(_TRACE // 2):
            for seat in range(MAX_SEATS):
                progress.scores[i, seat] = progress.scores[2 * i, seat]
        progress.traces = _TRACE // 2
        progress.stride *= 2
        if state.turn % progress.stride != 0:
            return
    for seat in range(state.n_players):
        progress.scores[progress.traces, seat] = numbers[seat]
    progress.traces += 1


@compiled
def _note_leader(progress, numbers, players):
    """Whose score is the highest of all now, and whether that is another seat than before."""
    leader = 0
    for seat in range(1, players):
        if numbers[seat] > numbers[leader]:
            leader = seat
    for seat in range(players):
        if seat != leader and numbers[seat] == numbers[leader]:
            return
    if leader != progress.leader:
        progress.lead_changes += 1 if progress.leader >= 0 else 0
        progress.leader = leader


@compiled
def collect(states, boards, progress, numbers, win_share, score, trajectory, figures, used):
    """Fill the tables of `Games` from games that have stopped."""
    board = boards[0]
    for game in range(len(states)):
        state = states[game]
        players = int(state.n_players)
        payoffs(state, board, numbers)
        if state.is_over == 0:  # too long: the scores decide, ties share
            scores(state, board, numbers)
            best = numbers[0]
            for seat in range(players):
                best = max(best, numbers[seat])
            winners = 0
            for seat in range(players):
                numbers[seat] = 1.0 if numbers[seat] == best else 0.0
                winners += int(numbers[seat])
            for seat in range(players):
                numbers[seat] /= winners
        for seat in range(players):
            win_share[game, seat] = numbers[seat]
        scores(state, board, numbers)
        _note_leader(progress[game], numbers, players)
        close_turn(progress[game])
        for seat in range(players):
            score[game, seat] = numbers[seat]
            for sample in range(SAMPLES):
                turn = sample * state.turn // (SAMPLES - 1)
                trace = min(turn // progress[game].stride, progress[game].traces - 1)
                is_last = sample == SAMPLES - 1 or trace < 0
                trajectory[game, sample, seat] = (
                    numbers[seat] if is_last else progress[game].scores[trace, seat]
                )
        measures(state, board, figures[game])
        usage(state, board, used)


@dataclasses.dataclass(frozen=True)
class Games:
    """What a batch of G games with n seats left.

    Attributes
    ----------
    win_share, score
        float64[G, n]. After an illegal move or a failure the offender has 0 and each other seat
        1/(n - 1); a game that is too long is decided by the scores.
    decisions, options, forced
        int32[G, n], choices among two or more legal actions, the sum of these actions, and
        decisions with a single legal action; what a seat may not choose is not counted.
    lead_changes
        int32[G], how often another seat than before had the highest score, at a turn or in the end.
    dead_turns, choices_that_matter
        float64[G], parts of the turns and of the choices, see `agents.choices`; NaN where choices
        were not weighed.
    turns, end_reason, status, offender
        [G]; end_reason -1 when the game did not end by its rules, offender -1 when nobody.
    trajectory
        float64[G, SAMPLES, n], scores from 0 to 100 % of the game's turns.
    measures
        float64[G, M, n], by the game's MEASURES.
    failure
        [G], what the offender did wrong; empty where nobody did.
    usage
        int64[E], how many of the games used each element of the board.
    """

    win_share: np.ndarray
    score: np.ndarray
    decisions: np.ndarray
    options: np.ndarray
    forced: np.ndarray
    lead_changes: np.ndarray
    dead_turns: np.ndarray
    choices_that_matter: np.ndarray
    turns: np.ndarray
    end_reason: np.ndarray
    status: np.ndarray
    offender: np.ndarray
    trajectory: np.ndarray
    measures: np.ndarray
    failure: list[str]
    usage: np.ndarray


class Batch:
    """Games that are played together; `play` brings them all to their end.

    Parameters
    ----------
    board
        What all are played on.
    line_ups
        For each game, the agent in each seat; equally many in all.
    game_seeds, agent_seeds
        Start of each game's stream [G], and of each seat's [G, n].
    weighed
        bool[G], in which games it is found out whether choices matter; no game changes by that.
    """

    def __init__(
        self,
        board: Board,
        line_ups: Sequence[Sequence["Agent"]],
        game_seeds: np.ndarray,
        agent_seeds: np.ndarray,
        weighed: np.ndarray | None = None,
    ) -> None:
        from agents import heuristics  # here, for agents imports this module's neighbours

        own = heuristics(board.game)  # the loop calls its kernels by symbol, whoever plays
        rules = board.game.rules
        board.game.ready()
        games, players = len(line_ups), len(line_ups[0])
        if players not in board.game.players:
            raise Mistake(f"{board.game.title} cannot be played by {players}.")
        self.board = board
        self.players = players
        self.states = _records(games, rules.STATE)
        self.progress = _records(games, PROGRESS)
        self.seats = _records((games, players), SEAT)
        self.weights = np.zeros((games, players, MAX_WEIGHTS))
        self.offender = np.full(games, -1, np.int8)
        self._elements = len(board.elements)
        self.failure = [""] * games  # what the offender did wrong
        self.python: dict[tuple[int, int], PythonAgent] = {}
        self._forbidden = [np.zeros(rules.MAX_CODE, np.bool_)]
        self._most_loans = [-1]
        self._seat(line_ups, agent_seeds)
        self._scratch = _records(3, rules.STATE)
        self._legal = np.empty(rules.MAX_LEGAL, np.int32)
        self._numbers = np.zeros(MAX_SEATS + getattr(own, "MEMO", MEMO))
        self._search = self._make_search(line_ups)
        self._judges = _records(1, SEAT), np.zeros(MAX_WEIGHTS)
        if weighed is not None and np.any(weighed):
            self.progress.weighs[:] = weighed
            self._seat_judge()
        seeds = np.asarray(game_seeds, np.uint64)
        deal(self.states, board.record, self.progress, players, seeds)

    def _seat(self, line_ups: Sequence[Sequence["Agent"]], agent_seeds: np.ndarray) -> None:
        """Fill the records of all seats, one kind of agent after the other."""
        self.seats.rng[:] = agent_seeds
        agents = {id(agent): agent for line_up in line_ups for agent in line_up}
        sitting = np.array([[id(agent) for agent in line_up] for line_up in line_ups])
        for key, agent in agents.items():
            places = sitting == key
            self.seats.kind[places] = agent.kind
            self.seats.noise[places] = agent.noise
            self.seats.rivalry[places] = agent.rivalry
            for key, value in agent.search.items():
                self.seats[key][places] = value
            if agent.without:
                self.seats.without[places] = len(self._forbidden)
                self._forbidden.append(agent.forbidden(self.board))
                self._most_loans.append(agent.most_loans(self.board))
            self.weights[places, : len(agent.weights)] = agent.weights
            if not agent.is_compiled:
                for game, seat in zip(*np.nonzero(places), strict=True):
                    self.python[game, seat] = agent.make(int(agent_seeds[game, seat]))

    def _make_search(self, line_ups: Sequence[Sequence["Agent"]]) -> Search:
        """Room for the searches of all seats, and the strategies that they ask."""
        from agents import strategies

        room = max(agent.room for line_up in line_ups for agent in line_up)
        known = strategies(self.board.game) if room else []
        policies, weights = _records(len(known), SEAT), np.zeros((len(known), MAX_WEIGHTS))
        for place, agent in enumerate(known):
            policies.rivalry[place] = agent.rivalry
            weights[place, : len(agent.weights)] = agent.weights
        table = np.array([*self._forbidden, self._forbidden[0]])
        limits = np.array(self._most_loans)
        return make_search(
            self.board.game.rules, self.players, room, policies, weights, table, limits
        )

    def _seat_judge(self) -> None:
        """Who says which choices matter: greedy, and how a search turns its worth into shares."""
        from agents import load

        greedy, searcher = (load(spec, self.board.game) for spec in ("greedy", "mcts"))
        seat, weights = self._judges
        seat.scale = searcher.search["scale"]
        weights[: len(greedy.weights)] = greedy.weights

    def play(self, stop: Callable[[], bool] | None = None) -> Games | None:
        """Play all games to their end; None when `stop`, asked every 0.1 s or so, says so."""
        game, budget = 0, _BUDGET // 100
        while game < len(self.states):
            if stop is not None and stop():
                return None
            started = time.perf_counter()
            game = self._advance(game, budget)
            seconds = time.perf_counter() - started
            if game < len(self.states) and not self._let_python_choose(game):
                budget = min(int(budget * _SECONDS / max(seconds, 1e-6)) + 1, _BUDGET)
        return self.results()

    def step(self, game: int = 0) -> int | None:
        """Play one decision of a game; its action code, None when nothing could be played."""
        before = int(self.progress[game].decisions)
        self._advance(game, 0, game + 1)
        while (self._search.trees.done >= 0).any():
            self._advance(game, 0, game + 1)
        if self.progress[game].decisions == before:
            self._let_python_choose(game)
        return int(self.progress[game].action) if self.progress[game].decisions > before else None

    def position(self, game: int = 0) -> Position:
        """A game as it stands; playing on it plays on in the batch."""
        return Position(self.board, self.states[game : game + 1])

    def _advance(self, game: int, budget: int, last: int | None = None) -> int:
        """Play on from that game; the game that waits, for a Python agent or for another call."""
        limit = self.board.game.rules.MAX_DECISIONS
        return advance(
            self.states[:last],
            self.board.record,
            self.seats,
            self.weights,
            self.progress,
            self._scratch,
            self._legal,
            self._numbers,
            self._search,
            self._judges,
            game,
            limit,
            budget,
        )

    @functools.cached_property
    def _shown(self) -> Board:
        """What Python agents see of the board, theirs to spoil."""
        file, document = copy.deepcopy((self.board.file, self.board.document))
        return dataclasses.replace(self.board, file=file, document=document)

    def _let_python_choose(self, game: int) -> bool:
        """Let the Python agent whose decision it is choose, from a copy that hides the rest.

        False when it is nobody's: only the budget was spent.
        """
        position = self.position(game)
        seat = position.to_move
        agent = self.python.get((game, seat))
        if agent is None or position.is_over or position.status != "ok":
            return False
        legal = position.legal_codes()
        if len(legal) == 1:
            return False
        record = self.seats[game, seat]
        record.decisions += 1
        record.options += len(legal)
        seed, record.rng = step(int(record.rng))
        seen = Position(self._shown, position.determinized(seat, seed).state)
        try:
            choice = agent.choose(seen)
            code = position.code(choice) if isinstance(choice, str) else int(choice)
        except Mistake as mistake:
            told = str(mistake)  # some faults name a word of the action alone
            self.failure[game] = told if repr(choice) in told else f"{choice!r:.60}: {told}"
            code = -1
        except (Exception, SystemExit) as error:
            # A fault of the bot is a row of the table, not our end.
            position.state["status"] = FAILED
            self.offender[game] = seat
            self.failure[game] = " ".join(f"{type(error).__name__}: {error}".split())
            return True
        if code not in legal:
            position.state["status"] = ILLEGAL
            self.offender[game] = seat
            self.failure[game] = self.failure[game] or f"The action code {code} is not legal here."
            return True
        self.progress[game].decisions += 1
        self.progress[game].action = code
        position.play(code)
        return True

    def results(self) -> Games:
        """The tables of the games as they stand."""
        board, rules = self.board, self.board.game.rules
        games = len(self.states)
        win_share = np.zeros((games, self.players))
        score = np.zeros((games, self.players))
        trajectory = np.zeros((games, SAMPLES, self.players))
        figures = np.zeros((games, len(rules.MEASURES), rules.MAX_PLAYERS))
        used = np.zeros(self._elements, np.int64)
        collect(
            self.states,
            board.record,
            self.progress,
            self._numbers,
            win_share,
            score,
            trajectory,
            figures,
            used,
        )
        for game in np.flatnonzero(self.offender >= 0):
            win_share[game] = 1 / (self.players - 1)
            win_share[game, self.offender[game]] = 0
        return Games(
            win_share,
            score,
            self.seats.decisions.copy(),
            self.seats.options.copy(),
            self.seats.forced.copy(),
            self.progress.lead_changes.copy(),
            *self._weighed(),
            self.states.turn.copy(),
            self.states.end_reason.copy(),
            self.states.status.copy(),
            self.offender,
            trajectory,
            np.ascontiguousarray(figures[:, :, : self.players]),
            self.failure,
            used,
        )

    def _weighed(self) -> tuple[np.ndarray, np.ndarray]:
        """Parts of the turns that were dead, and of the choices that mattered."""
        found = self.progress
        with np.errstate(invalid="ignore", divide="ignore"):
            return found.dead / found.turns, found.matter / found.choices


def _records(shape: int | tuple[int, ...], dtype: np.dtype) -> np.recarray:
    return np.zeros(shape, dtype).view(np.recarray)


def play_games(
    board: Board,
    line_ups: Sequence[Sequence["Agent"]],
    game_seeds: np.ndarray,
    agent_seeds: np.ndarray,
    stop: Callable[[], bool] | None = None,
    weighed: np.ndarray | None = None,
) -> Games | None:
    """Play a batch of games to their end; see `Batch` for the arguments.

    >>> import agents, sim
    >>> game = sim.load("westward-rails")
    >>> line_up = [agents.load(spec, game) for spec in ("greedy", "random", "random")]
    >>> games = play_games(game.board(), [line_up], [7], np.array([[1, 2, 3]]))
    >>> float(games.win_share.sum())
    1.0
    """
    return Batch(board, line_ups, game_seeds, agent_seeds, weighed).play(stop)
