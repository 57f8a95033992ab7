"""A whole route typed city by city answers what is asked, and only if it is one of the choices."""

import pytest

import sim
from sim.errors import Mistake
from sim.westward_rails import scenarios

GAME = sim.load("westward-rails")

# Three ways of two links from a to d: r1 and r3 (2 segments), r1 and r2 (5), r3 alone (2).
LINKS = [
    ("a", "z", 1),
    ("a", "b1", 1),
    ("b1", "d", 1),
    ("a", "b2", 1),
    ("b2", "d", 4),
    ("a", "b3", 1),
    ("b3", "d", 1),
    ("d", "e", 2),
    ("s1", "a", 1),
    ("s2", "a", 1),
    ("s3", "a", 1),
]
OWNERS = {
    "a-z": "me",
    "a-b1": "r1",
    "b1-d": "r3",
    "a-b2": "r1",
    "b2-d": "r2",
    "a-b3": "r3",
    "b3-d": "r3",
}


def lease(money: int, **settings: object) -> sim.game.Position:
    """Seat 0 with that much money leases to d for the railroad at z, and must choose a route."""
    document = {
        "meta": {"game": "westward-rails", "name": "Three ways", "label": "Made up"},
        "railroad": [
            {"id": name, "name": name, "start": start, "colour": "#000000"}
            for name, start in (("me", "z"), ("r1", "s1"), ("r2", "s2"), ("r3", "s3"))
        ],
        "city": [
            {"id": city, "name": city, "x": 0, "y": 0}
            for city in ("a", "b1", "b2", "b3", "d", "e", "s1", "s2", "s3", "z")
        ],
        "link": [{"cities": [near, far], "segments": n} for near, far, n in LINKS],
        "demand": [{"letter": "A", "cities": ["s1", "e"]}],
    }
    position = GAME.board_from(document, "three ways", settings).new(3, 1)
    given = {
        "phase": "turn",
        "money": [money, 20, 20],
        "shares": {"me": [1, 0, 0], "r1": [0, 1, 0], "r2": [0, 0, 1], "r3": [0, 1, 0]},
        "track": [{"link": link, "railroad": railroad} for link, railroad in OWNERS.items()],
    }
    scenarios.give(position, given)
    return position.play("build me d-e")


def test_each_route_may_be_named():
    for route, money in (("b1", [16, 24, 20]), ("b2", [10, 22, 28]), ("b3", [16, 24, 20])):
        position = lease(20)
        assert position.legal() == ["route r1 0", "route r1 1"]
        while "route" in position.legal()[0]:
            position.play(f"via a > {route} > d")
        assert position.scores == money


def test_a_route_that_cannot_be_paid_is_refused():
    with pytest.raises(Mistake, match="cannot be paid"):
        lease(9).play("via a > b2 > d")


def test_a_dearer_route_is_refused_where_the_cheapest_is_taken():
    with pytest.raises(Mistake, match="another one is cheaper"):
        lease(20, lease_tie="cheapest").play("via a > b2 > d")


def test_a_route_against_what_is_chosen_is_refused():
    position = lease(20).play("route r1 1")
    with pytest.raises(Mistake, match="chosen already"):
        position.play("via a > b3 > d")
    assert position.play("via a > b2 > d").scores == [10, 22, 28]
