"""The same games on every machine: compiled code calls nothing whose last bit differs by processor.

+ - * / and sqrt are exact everywhere; logarithms, powers and the like come from the system's
library, which has several versions of each for different processors.
"""

import importlib
import math
import pkgutil
import re

import numba
import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

import agents
import sim
from agents import loop
from sim import contract
from tests.agents.play import SEARCH, play
from tests.conformance.boards import small_board

NAMES = "log log2 log10 log1p exp exp2 exp10 expm1 pow powi sin cos tan asin acos atan atan2 sinh"
NAMES += " cosh tanh asinh acosh atanh cbrt hypot tgamma lgamma erf erfc fma fmuladd"
PREFIX = r"(?:llvm\.|numba_|npy_|__svml_|_ZGV\w+?_)?"
LIBRARY = re.compile(rf"@\"?{PREFIX}({'|'.join(NAMES.split())})(?:f|l|\.[\w.]+)?\"?\(")
# Flags that let the compiler reorder or fuse floating-point operations.
LOOSE = re.compile(r"\bf(?:add|sub|mul|div|cmp) (?:\w+ )*(fast|reassoc|contract|arcp|afn)\b")

every_game = pytest.mark.parametrize("name", sim.games())

pytestmark = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT), reason="nothing is compiled with NUMBA_DISABLE_JIT"
)


def code(function: Dispatcher) -> dict:
    """LLVM's intermediate code of a compiled function, with all it calls, by signature.

    `inspect_llvm` refuses functions that come from the disk cache, so this takes the module that
    numba keeps to link into callers.
    """
    return {
        signature: str(result.library._get_module_for_linking())
        for signature, result in function.overloads.items()
    }


def faults(text: str) -> set[str]:
    """What of the code would not be the same everywhere."""
    return {found[1] for found in LIBRARY.finditer(text)} | {
        found[1] for found in LOOSE.finditer(text)
    }


def compiled_functions() -> dict[str, Dispatcher]:
    """Every compiled function of the modules of `sim` and `agents`."""
    found = {}
    for package in (sim, agents):
        for entry in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(entry.name)
            for value in vars(module).values():
                if isinstance(value, Dispatcher):
                    found[f"{value.py_func.__module__}.{value.__name__}"] = value
    return found


@every_game
def test_no_compiled_function_calls_the_mathematics_library(name):
    game = sim.load(name)
    line_up = [SEARCH, *list(agents.heuristics(game).PRESETS)[:2], "random"]
    play(line_up, 1, board=small_board(name))  # every kernel of the loop is ready
    scanned, wrong = set(), {}
    for function_name, function in compiled_functions().items():
        for text in code(function).values():
            scanned.add(function_name)
            if faults(text):
                wrong[function_name] = faults(text)
    assert wrong == {}
    kernels = {
        f"{function.py_func.__module__}.{function.__name__}"
        for (state, _), function in contract._FUNCTIONS.items()
        if state == game.rules.STATE
    }
    assert len(kernels) >= len(contract.RULES) + 2
    entries = {f"agents.loop.{entry.__name__}" for entry in (loop.deal, loop.advance, loop.collect)}
    assert kernels | entries <= scanned


@every_game
def test_code_holds_all_that_is_called(name):
    """Else a helper could hide from the scan: the features are in `evaluate`, the search in the
    loop; both call the kernels of the rules and of the heuristics alone, which are scanned."""
    game = sim.load(name)
    play([SEARCH, "random"] + ["random"] * (game.players[0] - 2), 1, board=small_board(name))
    kernels = {
        f"{function.py_func.__module__}.{function.__name__}"
        for function in contract._FUNCTIONS.values()
    }
    for function in (agents.heuristics(game).evaluate, loop.advance):
        assert len(code(function)) > 0
        for text in code(function).values():
            called = set(re.findall(r"call [^\n]*?@\"?([\w.$]+)\"?\(", text))
            defined = set(re.findall(r"define [^\n]*?@\"?([\w.$]+)\"?\(", text))
            outside = {other for other in called - defined if not other.startswith("llvm.")}
            own = {other for other in outside if re.search("agents|sim|westward|railways", other)}
            assert own <= kernels
            assert text.count("fmul") > 5
    for text in code(loop.advance).values():
        assert "choose_by_search" in text and "_shares_of_worth" in text


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (lambda x: math.log(x), "log"),
        (lambda x: np.log(x), "log"),
        (lambda x: math.exp(x), "exp"),
        (lambda x: np.exp(x), "exp"),
        (lambda x: x**1.7, "pow"),
        (lambda x: math.sin(x), "sin"),
        (lambda x: math.cos(x), "cos"),
        (lambda x: math.log1p(x), "log1p"),
        (lambda x: math.atan2(x, 2.0), "atan2"),
    ],
)
def test_the_scan_finds_what_it_looks_for(function, name):
    trap = numba.njit("float64(float64)")(function)
    (text,) = code(trap).values()
    assert name in faults(text)


def test_the_scan_finds_loose_arithmetic():
    trap = numba.njit("float64(float64, float64)", fastmath=True)(lambda x, y: x * y + x)
    (text,) = code(trap).values()
    assert "fast" in faults(text)


def test_the_scan_lets_exact_arithmetic_pass():
    plain = numba.njit("float64(float64, float64)")(lambda x, y: math.sqrt(x * x + y / 3) - abs(y))
    (text,) = code(plain).values()
    assert faults(text) == set()
