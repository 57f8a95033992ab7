"""The plain Python twin of a module that has one for `NUMBA_DISABLE_JIT`."""

import importlib.util
import types
from unittest import mock

import numba


def plain_twin(module: types.ModuleType) -> types.ModuleType:
    """The module once more, as it is without compilation."""
    spec = importlib.util.spec_from_file_location(f"plain_{module.__name__}", module.__file__)
    twin = importlib.util.module_from_spec(spec)
    with mock.patch.object(numba.config, "DISABLE_JIT", 1):
        spec.loader.exec_module(twin)
    return twin
