"""The lab's own check: right where the lab is, and each check wrong where it is not."""

import itertools
import json

import pytest

import sim
from experiments import runner, selfcheck
from experiments.plan import Cell
from experiments.stats import block_interval


@pytest.fixture
def lab(tmp_path):
    game = sim.load("westward-rails")
    game.ready()
    return selfcheck.Lab(game, 1, 2, tmp_path)


@pytest.mark.parametrize("name", sim.games())
def test_all_is_as_it_must_be(name):
    found = list(selfcheck.check(sim.load(name)))
    assert len(found) == 9 and [one for one in found if not one.is_right] == []
    assert json.dumps([one._asdict() for one in found])


def test_a_favoured_copy_is_found(lab, monkeypatch):
    """Copies that keep their seats, one of which wins more."""
    monkeypatch.setattr(Cell, "sittings", lambda cell, block: (tuple(range(cell.players)),))
    with selfcheck._other_seats(12):
        found = selfcheck.copies(lab)
    assert not found.is_right and "3 names of a random player" in found.told


def test_names_that_matter_are_found(lab, monkeypatch):
    numbers, seeds = itertools.count(), runner.agent_seeds
    monkeypatch.setattr(runner, "agent_seeds", lambda *keys: seeds(*keys) + next(numbers))
    assert not selfcheck.names(lab).is_right


def test_a_weakness_that_is_none_is_not_found(lab, monkeypatch):
    run = selfcheck.Lab.run

    def alike(self, name, agents, games, **more):
        return run(self, name, "greedy:noise=0.5,greedy:noise=0.50", 600, **more)

    monkeypatch.setattr(selfcheck.Lab, "run", alike)
    assert not selfcheck.weaker(lab).is_right


def test_a_seat_that_is_not_favoured_is_not_found(lab, monkeypatch):
    monkeypatch.setattr(selfcheck, "PLANTED", 0)
    assert not selfcheck.seats(lab).is_right


def test_a_rotation_that_is_left_out_is_found(lab, monkeypatch):
    sittings = Cell.sittings
    monkeypatch.setattr(Cell, "sittings", lambda cell, block: sittings(cell, block)[:2])
    found = selfcheck.rotation(lab)
    assert not found.is_right and "NOT equally often" in found.told


@pytest.mark.parametrize("check", ["workers", "resume"])
def test_chance_that_is_not_of_the_game_is_found(lab, monkeypatch, check):
    assert selfcheck.rotation(lab).is_right
    assert getattr(selfcheck, check)(lab).is_right
    for folder in ("threads", "processes", "broken"):
        for path in lab.folder.glob(f"{folder}/**/*.parquet"):
            path.unlink()
    numbers, seeds = itertools.count(), runner.agent_seeds
    monkeypatch.setattr(runner, "agent_seeds", lambda *keys: seeds(*keys) + next(numbers))
    found = getattr(selfcheck, check)(lab)
    assert not found.is_right and "OTHER rows" in found.told


def test_a_replay_with_other_seeds_is_found(lab, monkeypatch):
    assert selfcheck.rotation(lab).is_right and selfcheck.replay(lab).is_right
    monkeypatch.setattr(runner, "game_seed", lambda seed, block: block)
    assert not selfcheck.replay(lab).is_right


def test_intervals_that_are_too_narrow_are_found(lab, monkeypatch):
    monkeypatch.setattr(selfcheck, "block_interval", lambda values: block_interval(values, 0.9))
    assert selfcheck.errors(lab).is_right is False
