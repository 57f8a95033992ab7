"""Random play that is the same in every process, compiled or not.

As a program it plays games, every numpy warning an error, and prints a digest of all positions:

    python -m tests.conformance.play westward-rails small 4
"""

import hashlib
import json
import sys
import warnings
from collections.abc import Iterator

import numba
import numpy as np

from sim import contract
from sim.game import Board, Position
from sim.rng import stream
from tests.conformance import boards


def choose(position: Position, seed: int) -> int:
    """A legal code: by seed and position alone. Every third choice is of the rarer kind."""
    codes = position.legal_codes()
    state = position.state[0]
    drawn = stream(seed, int(state.turn), int(state.to_move), digest(position))
    if drawn % 3 == 0:  # else what is rare would hardly be played: draw a kind of action first
        kinds = [position.text(code).split() for code in codes]
        kinds = [(words[0], len(words)) for words in kinds]
        distinct = sorted(set(kinds))
        kind = distinct[(drawn >> 8) % len(distinct)]
        codes = [code for code, other in zip(codes, kinds, strict=True) if other == kind]
    return int(codes[(drawn >> 32) % len(codes)])


def digest(position: Position) -> str:
    """Digest of every field of the state; not of the padding between them."""
    state = position.state
    fields = b"".join(state[name].tobytes() for name in state.dtype.names)
    return hashlib.sha256(fields).hexdigest()


def game(board: Board, players: int, seed: int) -> Iterator[tuple[Position, int | None]]:
    """Each position of a random game, before a decision, with the code to be played; None last."""
    position = board.new(players, seed)
    while not position.is_over:
        code = choose(position, seed)
        yield position, code
        position.play(code)
    yield position, None


def games(name: str, kind: str, count: int) -> list[str]:
    """A digest for each of `count` random games, on "small" boards or on "shipped" ones."""
    make = {"small": boards.small_board, "shipped": boards.shipped_board}[kind]
    digests = []
    for number in range(count):
        board = make(name, number)
        counts = board.game.players
        whole = hashlib.sha256()
        for position, code in game(board, counts[number % len(counts)], number):
            whole.update(f"{digest(position)} {position.legal_codes().tolist()} {code}".encode())
            whole.update(repr((position.scores, position.payoffs, position.measures())).encode())
            viewer = number % position.players
            whole.update(position.observe(viewer).tobytes())
            whole.update(digest(position.determinized(viewer, number)).encode())
        digests.append(whole.hexdigest())
    return digests


def is_checked(board: Board) -> bool:
    """Whether a kernel that writes beyond the end of an array is stopped.

    Only to be asked of a process in which it should be: elsewhere the write goes through.
    """
    position = board.new(board.game.players[0])
    try:
        contract.run("legal_actions", position.state, board.record, np.empty(0, np.int32))
    except IndexError:
        return True
    return False


def main(name: str, kind: str, count: str) -> None:
    warnings.simplefilter("error")
    with np.errstate(over="raise", invalid="raise"):
        digests = games(name, kind, int(count))
    guarded = numba.config.BOUNDSCHECK or numba.config.DISABLE_JIT
    print(
        json.dumps(
            {
                "digests": digests,
                "is_checked": bool(guarded) and is_checked(boards.small_board(name)),
            }
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
