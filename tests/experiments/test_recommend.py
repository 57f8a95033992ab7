"""Recommendations: the nearest setting to the printed one that is fair and as wanted."""

import math
from types import SimpleNamespace

import pytest

from experiments.recommend import QUANTITIES, Want, best, choices, common, parse_wants
from experiments.stats import Interval
from sim.errors import Mistake


def cell(players, value, gap=0.0, turns=60.0, ties=0.02):
    return SimpleNamespace(
        players=players,
        value=value,
        games=99,
        seat_gap=gap,
        turns=Interval(turns, 0, 99, 99),
        ties=Interval(ties, 0, 1, 99),
    )


def every(rows, wants=None, printed=30):
    """Choices from (players, value, verdict, more) rows; equal values are line-ups of a setting."""
    cells = [cell(players, value, **more) for players, value, _, more in rows]
    verdicts = [SimpleNamespace(verdict=verdict) for _, _, verdict, _ in rows]
    findings = SimpleNamespace(cells=cells, verdicts=verdicts)
    players = {row[0] for row in rows}
    return choices(
        findings,
        parse_wants(wants or {}),
        lambda one: (one.value,),
        dict.fromkeys(players, (printed,)),
    )


def chosen(rows, **more):
    return [one.point[0] for one in best(every(rows, **more))]


def test_the_nearest_fair_setting_to_the_printed_one():
    rows = [(4, 20, "fair", {}), (4, 26, "fair", {}), (4, 30, "unfair", {}), (4, 40, "fair", {})]
    assert chosen(rows) == [26]
    assert chosen(rows, printed=39) == [40]
    rows[2] = (4, 30, "fair", {})
    assert chosen(rows) == [30]


def test_undecided_is_not_fair_and_where_nothing_is_the_least_unfair_is_taken():
    rows = [(4, 20, "fair", {}), (4, 30, "undecided", {})]
    assert chosen(rows) == [20]
    rows = [(4, 20, "unfair", {"gap": 0.05}), (4, 30, "unfair", {"gap": -0.2})]
    assert chosen(rows) == [20]


def test_wants_come_before_nearness_and_fairness_before_wants():
    rows = [(4, 20, "fair", {"turns": 60}), (4, 30, "fair", {"turns": 90})]
    assert chosen(rows) == [30]
    assert chosen(rows, wants={"length": "50:80"}) == [20]
    assert chosen(rows, wants={"length": ":50"}) == [30]  # neither: then the nearer
    rows.append((4, 31, "unfair", {"turns": 40}))
    assert chosen(rows, wants={"length": ":50"}) == [30]


def test_a_setting_that_serves_more_kinds_of_players_goes_first():
    rows = [
        *((4, 20, "fair", {}), (4, 20, "fair", {})),
        *((4, 30, "fair", {}), (4, 30, "undecided", {})),
    ]
    (one,) = best(every(rows))
    assert one.point == (20,) and len(one.good) == len(one.cells) == 2


def test_the_common_setting_is_good_at_most_tables_then_least_off():
    rows = [
        *((3, 20, "fair", {"gap": 0.01}), (3, 30, "unfair", {"gap": 0.1})),
        *((4, 20, "unfair", {"gap": 0.2}), (4, 30, "fair", {"gap": 0.01})),
    ]
    assert {one.point for one in common(every(rows))} == {(30,)}
    rows.append((3, 40, "fair", {}))  # not played by 4
    assert {one.point for one in common(every(rows))} == {(30,)}
    assert common(every([(3, 20, "fair", {}), (4, 30, "fair", {})])) == []


def test_what_is_far_from_the_printed_setting():
    rows = [(4, value, "fair", {}) for value in ("b", "a")]
    assert [one.remoteness for one in every(rows, printed="a")] == [1, 0]
    rows = [(4, value, "fair", {}) for value in (20, 30, 60)]
    assert [one.remoteness for one in every(rows)] == [0.25, 0, 0.75]


@pytest.mark.parametrize(
    ("want", "turns", "ties", "met"),
    [
        ("length=50:80", 50, 0, True),
        ("length=50:80", 80.1, 0, False),
        ("length=:70", 70.1, 0, False),
        ("length=70:", 70.1, 0, True),
        ("ties=:5", 0, 0.05, True),  # in percent
        ("ties=:5", 0, 0.051, False),
    ],
)
def test_when_a_want_is_met(want, turns, ties, met):
    name, _, text = want.partition("=")
    (one,) = parse_wants({name: text})
    assert one.is_met(cell(4, 30, turns=turns, ties=ties)) == met


def test_no_want_of_agents_where_all_are_the_same():
    (want,) = parse_wants({"agents": "20:30"})
    share = {"a": Interval(0.4, 0, 1, 9), "b": Interval(0.1, 0, 1, 9)}
    assert want.is_met(SimpleNamespace(rivals=[], win_share=share))
    assert not want.is_met(SimpleNamespace(rivals=["a", "b"], win_share=share))


@pytest.mark.parametrize(
    ("wants", "part"),
    [
        ({"lenght": "1:2"}, "There is no quantity 'lenght' to want; the nearest is 'length'"),
        ({"length": "50"}, "The want length=50 should be length=LOW:HIGH"),
        ({"length": ":"}, "The want length=: should be length=LOW:HIGH"),
        ({"length": "a:b"}, "The want length=a:b should be length=LOW:HIGH"),
        ({"length": "9:3"}, "The want length=9:3 ends below its beginning; write 3:9"),
    ],
)
def test_wants_that_cannot_be(wants, part):
    with pytest.raises(Mistake, match=part.replace("(", r"\(")):
        parse_wants(wants)


def test_every_quantity_can_be_put_in_words():
    for name in QUANTITIES:
        for ends in ((1, 2), (-math.inf, 2), (1, math.inf)):
            text = Want(name, *ends).text
            assert "inf" not in text and ("%" in text) == (QUANTITIES[name].unit == "%")
