"""What tests of the runner share."""

import pytest

from experiments import runner
from tests.experiments import toy


@pytest.fixture
def toy_house(monkeypatch):
    """The runner plays the toy, whatever game is asked for."""
    monkeypatch.setattr(runner, "open_house", toy.open_house)
