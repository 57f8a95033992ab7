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
from tests.agents.play import GAME, SEARCH, STRATEGIES, play

NAMES = "log log2 log10 log1p exp exp2 exp10 expm1 pow powi sin cos tan asin acos atan atan2 sinh"
NAMES += " cosh tanh asinh acosh atanh cbrt hypot tgamma lgamma erf erfc fma fmuladd"
PREFIX = r"(?:llvm\.|numba_|npy_|__svml_|_ZGV\w+?_)?"
LIBRARY = re.compile(rf"@\"?{PREFIX}({'|'.join(NAMES.split())})(?:f|l|\.[\w.]+)?\"?\(")
# Flags that let the compiler reorder or fuse floating-point operations.
LOOSE = re.compile(r"\bf(?:add|sub|mul|div|cmp) (?:\w+ )*(fast|reassoc|contract|arcp|afn)\b")

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


def test_no_compiled_function_calls_the_mathematics_library():
    play([*STRATEGIES[:2], "random", SEARCH], 1)  # every kernel of the loop is ready
    scanned, wrong = set(), {}
    for name, function in compiled_functions().items():
        for text in code(function).values():
            scanned.add(name)
            if faults(text):
                wrong[name] = faults(text)
    assert wrong == {}
    kernels = {
        f"{function.py_func.__module__}.{function.__name__}"
        for (state, _), function in contract._FUNCTIONS.items()
        if state == GAME.rules.STATE
    }
    assert len(kernels) >= len(contract.RULES) + 2
    entries = {f"agents.loop.{entry.__name__}" for entry in (loop.deal, loop.advance, loop.collect)}
    assert kernels | entries <= scanned


def test_code_holds_all_that_is_called():
    """Else a helper could hide from the scan: the strategies' features are in `evaluate`."""
    (text,) = code(agents.heuristics(GAME).evaluate).values()
    called = set(re.findall(r"call [^\n]*?@\"?([\w.$]+)\"?\(", text))
    defined = set(re.findall(r"define [^\n]*?@\"?([\w.$]+)\"?\(", text))
    outside = {name for name in called - defined if not name.startswith("llvm.")}
    assert not {name for name in outside if "westward_rails" in name}
    assert text.count("fmul") > 5


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
