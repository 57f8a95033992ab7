"""What every game provides. Generic code calls these; the state's record type picks the game.

A game's rules are compiled once, with the signatures given here, and reached through a named
symbol. Called in the ordinary way, numba would copy and optimise all the rules again inside every
caller: minutes instead of seconds (measured: 230 s against 20 s for 1,400 lines of rules).

A rule never raises: behind a symbol numba prints the error and goes on. What cannot happen sets
`state.status`, and whoever runs the game stops there. `apply` checks nothing; `Position.play` does.
"""

import functools
import logging
import threading
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import numba
import numpy as np
from llvmlite import binding, ir
from numba import config, float64, from_dtype, int32, int64, types, uint64
from numba.core import cgutils
from numba.extending import intrinsic, overload

compiled = numba.njit(cache=True, nogil=True, error_model="numpy")

STATUS = ("ok", "illegal", "broken", "too long", "failed")
OK, ILLEGAL, BROKEN, TOO_LONG, FAILED = range(5)

CODES = types.Array(int32, 1, "C")
NUMBERS = types.Array(float64, 1, "C")
TABLE = types.Array(float64, 2, "C")
COUNTS = types.Array(int64, 1, "C")

# Fields of STATE that generic code reads, the same in every game.
STATE_FIELDS = (
    "rng",  # u8: the stream of chance
    "status",  # index into STATUS
    "is_over",  # 1 when nothing is left to decide
    "end_reason",  # index into the game's END_REASONS, -1 before the end
    "n_players",
    "to_move",  # the seat that decides
    "phase",
    "turn",  # turns begun
)


class Measure(NamedTuple):
    """A figure of one game for the results table.

    `unit` is "share", money ("$", or "$k" for thousands) or a word. Measures with the same
    `heading` make a part of the report. A name that ends in a number, `price_2`, may mean an entry
    of a list in the board file, `piece`; the report names that entry.
    """

    name: str
    unit: str
    text: str
    per_player: bool = False
    heading: str = ""
    piece: str = ""


_FUNCTIONS: dict = {}  # (state dtype or its numba type, kernel's name) -> the game's function
_KERNELS: dict = {}  # kernel's name -> (return type, types after state and board)
_WAITING: dict = {}  # state dtype -> (function, signature) of what is still to be compiled
_LOCK = threading.Lock()
_LOG = logging.getLogger(__name__)
_DIRECT = bool(config.BOUNDSCHECK)  # errors must reach the caller: call rules in the ordinary way


def _signature(name: str, state, board):
    returns, arguments = _KERNELS[name]
    return returns(state, board, *arguments)


def _symbol(function) -> str:
    return f"{function.__module__}.{function.__name__}"


def kernel(returns, *arguments):
    """Declare a compiled function that each game provides under the declared function's name."""

    def declare(declared):
        name = declared.__name__
        _KERNELS[name] = returns, arguments

        @functools.wraps(declared)
        def stub(state, board, *rest):
            return _FUNCTIONS[state.dtype, name](state, board, *rest)

        def emit(function):
            def through_symbol(target, builder, call, values):
                result = target.get_value_type(call.return_type)
                kind = ir.FunctionType(result, [value.type for value in values])
                callee = cgutils.get_or_insert_function(builder.module, kind, _symbol(function))
                value = builder.call(callee, values)
                return target.get_dummy_value() if call.return_type == types.void else value

            return through_symbol

        # numba looks at a function's parameters, so each number of arguments is spelled out.
        if len(arguments) == 1:

            def typed(context, state, board, third):
                return _signature(name, state, board), emit(_FUNCTIONS[state, name])

            def choose(state, board, third):
                if _DIRECT:
                    rule = _FUNCTIONS[state, name]
                    return lambda state, board, third: rule(state, board, third)
                return lambda state, board, third: call(state, board, third)

        elif len(arguments) == 2:

            def typed(context, state, board, third, fourth):
                return _signature(name, state, board), emit(_FUNCTIONS[state, name])

            def choose(state, board, third, fourth):
                if _DIRECT:
                    rule = _FUNCTIONS[state, name]
                    return lambda state, board, third, fourth: rule(state, board, third, fourth)
                return lambda state, board, third, fourth: call(state, board, third, fourth)

        else:
            raise TypeError(f"{name}: a kernel takes a state, a board and one or two arguments")
        call = intrinsic(typed)
        overload(stub)(choose)
        return stub

    return declare


@kernel(types.void, int64, uint64)
def setup(state, board, n_players, seed):
    """Deal a new game for `n_players` from the stream that starts at `seed`."""


@kernel(int64, CODES)
def legal_actions(state, board, out):
    """Write the codes legal for `to_move` into `out`, each distinct outcome once; return how many.

    `out` has MAX_LEGAL places. A game that is not over has at least one legal action.
    """


@kernel(types.void, int64)
def apply(state, board, action):
    """Play a legal action, settle all that follows from it and set `to_move`."""


@kernel(types.void, NUMBERS)
def payoffs(state, board, out):
    """Each player's share of the win: 1, or 1/k among k tied winners after tie-breaks, else 0."""


@kernel(types.void, NUMBERS)
def scores(state, board, out):
    """Each player's final money or points; defined at any time."""


@kernel(types.void, int64, uint64)
def determinize(state, board, viewer, seed):
    """Redraw from `seed` all that `viewer` cannot know, and replace the stream of chance."""


@kernel(types.void, int64, NUMBERS)
def observe(state, board, viewer, out):
    """Write what `viewer` may know as OBSERVATION numbers; the same after `determinize`."""


@kernel(types.void, TABLE)
def measures(state, board, out):
    """Write the game's MEASURES: a row a measure, a column a player."""


@kernel(types.void, COUNTS)
def usage(state, board, out):
    """Add one to `out` for every element of the board (a link, say) that the game has used."""


RULES = tuple(_KERNELS)


def register(provider: ModuleType, names: tuple[str, ...] = RULES) -> None:
    """Make a game's kernels known; they are compiled when `ready` or `run` first needs them.

    `provider` has STATE, BOARD and a function for each of `names`. Raises ValueError when another
    game has an equal STATE.
    """
    for name in names:
        function = getattr(provider, name)
        known = _FUNCTIONS.setdefault((provider.STATE, name), function)
        if known is not function:
            raise ValueError(
                f"{provider.__name__} has the same STATE as the game of {known.__module__}: "
                "name a field after the game"
            )
        if config.DISABLE_JIT:
            continue
        state, board = from_dtype(provider.STATE), from_dtype(provider.BOARD)
        if (state, name) not in _FUNCTIONS:
            _FUNCTIONS[state, name] = function
            waiting = function, _signature(name, state, board)
            _WAITING.setdefault(provider.STATE, []).append(waiting)


def ready(dtype: np.dtype) -> None:
    """Compile the kernels known for a state's type, or load them from the cache.

    Whoever calls generic compiled code does this first: it may come from the cache itself, and
    then looks for the kernels' symbols only. Raises TypeError when a kernel returns another type
    than declared.
    """
    if dtype not in _WAITING:
        return
    with _LOCK:
        waiting = _WAITING.get(dtype, ())
        if waiting and not any(Path(waiting[0][0].stats.cache_path).glob("*.nbi")):
            _LOG.warning("Compiling the rules. This happens once and takes a minute or so.")
        for function, signature in waiting:
            _compile(function, signature)
        _WAITING.pop(dtype, None)


def _compile(function, signature) -> None:
    """Compile a rule with that signature alone, and give its address to LLVM as a symbol."""
    function.compile(signature.args)
    function.disable_compile()  # another type of argument is an error, not a slow surprise
    result = function.get_compile_result(signature)
    returned = types.unliteral(result.signature.return_type)
    if returned != signature.return_type:
        raise TypeError(f"{_symbol(function)} returns {returned}, not as declared")
    wrapper = result.fndesc.llvm_cfunc_wrapper_name
    binding.add_symbol(_symbol(function), result.library.get_pointer_to_function(wrapper))


def run(name: str, states: np.ndarray, boards: np.ndarray, *arguments):
    """Call the kernel `name` from Python on record arrays of length 1."""
    ready(states.dtype)
    kinds = _KERNELS[name][1]
    arguments = [
        np.uint64(argument) if kind == uint64 else argument
        for kind, argument in zip(kinds, arguments, strict=True)
    ]
    return _FUNCTIONS[states.dtype, name](states[0], boards[0], *arguments)


def record(dtype: np.dtype) -> np.ndarray:
    """One zeroed record, as the array of length 1 that is cheap to pass to compiled code."""
    return np.zeros(1, dtype).view(np.recarray)[:]
