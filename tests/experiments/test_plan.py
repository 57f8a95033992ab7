"""Plans: what may be typed, what is refused, and the seats that follow from a line-up."""

import itertools
import subprocess
import sys
from collections import Counter
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field

from experiments.plan import (
    Plan,
    cyclic_order,
    differences,
    parse_settings,
    rotations,
    round_size,
    seats,
)
from experiments.stats import blocks_needed
from sim.errors import Mistake
from sim.options import ByPlayers, Options


class Levels(Options):
    """By level, though its entries look like numbers of players."""

    three: int = Field(1, alias="3")
    four: int = Field(2, alias="4")


class Money(ByPlayers):
    """By number of players."""

    three: int = Field(1, alias="3")
    four: int = Field(2, alias="4")


class ToyOptions(Options):
    """Some of each kind."""

    money: Money = Money()
    level: Levels = Levels()
    rule: str = "x"


GAME = SimpleNamespace(title="Toy", players=range(3, 6), options=ToyOptions)


def make(**changes):
    data = {"game": "toy", "players": [4], "agents": ["a", "b"], "games": 100} | changes
    return Plan.build(data, source="plan.toml")


@pytest.mark.parametrize(
    ("flag", "values"),
    [
        ("money=35", [35]),
        ("money=24:48:8", [24, 32, 40, 48]),
        ("money=5:1:-2", [5, 3, 1]),
        ("rate=0.1:0.3:0.1", [0.1, 0.2, 0.3]),
        ("money=1:3", [1, 2, 3]),
        ("rule=strict,loose", ["strict", "loose"]),
        ("money=10,20:30:10", [10, 20, 30]),
        ("rule=true,false", [True, False]),
        ("money.4=35", [35]),
        ("rule=a:b", ["a:b"]),
    ],
)
def test_settings_are_read(flag, values):
    (read,) = parse_settings([flag]).values()
    assert read == values
    assert [type(value) for value in read] == [type(value) for value in values]


@pytest.mark.parametrize(
    "flags",
    [["money"], ["=3"], ["money="], ["money=1:9:0"], ["money=9:1:1"], ["money=1:9999999:1"]]
    + [["money=1,"], ["money=1,1"], ["money=1", "money=2"]],
)
def test_settings_that_make_no_sense_are_refused(flags):
    with pytest.raises(Mistake):
        parse_settings(flags)


@pytest.mark.parametrize(
    ("flag", "told"),
    [
        ("money=8:20:5", "'8:20:5', which steps past 20; write 8:18:5 or 8:23:5."),
        ("money=20:8:-5", "'20:8:-5', which steps past 8; write 20:10:-5 or 20:5:-5."),
        ("rate=0.1:0.4:0.2", "'0.1:0.4:0.2', which steps past 0.4; write 0.1:0.3:0.2 or 0.1:0.5:"),
    ],
)
def test_a_range_ends_with_its_stop(flag, told):
    with pytest.raises(Mistake) as mistake:
        parse_settings([flag])
    assert told in str(mistake.value)


def test_file_and_flags_make_the_same_plan(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(
        'game = "toy"\nplayers = [3, 4]\nagents = ["a", "b"]\ngames = 10\n'
        '[settings]\nmoney = "24:40:8"\nstart.4 = 3\nrule = ["x", "y"]\n'
    )
    flags = {
        "game": "toy",
        "players": [3, 4],
        "agents": "a,b",
        "games": 10,
        "settings": parse_settings(["money=24:40:8", "start.4=3", "rule=x,y"]),
    }
    assert Plan.load(path) == Plan.build(flags)
    assert Plan.load(path, games=20, seed=None).games == 20


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"playrs": 4}, ["plan.toml", "'playrs'", "the nearest is 'players'"]),
        ({"games": 0}, ["plan.toml", "games = 0"]),
        ({"games": "many"}, ["games = 'many'"]),
        ({"order": "fixd"}, ["order = 'fixd'", "the nearest is 'fixed'"]),
        ({"players": []}, ["players"]),
        ({"players": [4, 4]}, ["players", "twice"]),
        ({"agents": "a,,b"}, ["agents", "empty"]),
        ({"settings": {"money": []}}, ["'money'", "empty"]),
        ({"settings": {"money": [[1]]}}, ["'money'", "[1]"]),
    ],
)
def test_a_wrong_key_or_value_is_one_sentence(changes, words):
    with pytest.raises(Mistake) as mistake:
        make(**changes)
    assert all(word in str(mistake.value) for word in words)
    assert "\n" not in str(mistake.value)


def test_a_missing_key_and_a_bad_file_are_named(tmp_path):
    with pytest.raises(Mistake, match="'games' is missing"):
        Plan.build({"game": "toy", "players": 4, "agents": "a"})
    with pytest.raises(Mistake, match="none.toml: there is no such file"):
        Plan.load(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("game = ")
    with pytest.raises(Mistake, match="bad.toml: it is not valid TOML"):
        Plan.load(tmp_path / "bad.toml")


def test_cells_are_the_grid_of_settings_for_each_table():
    cells = make(players=[3, 4], settings={"money": [1, 2], "rule": "x"}, games=10).cells(GAME)
    assert [(c.index, c.players, c.settings["money"], c.label) for c in cells] == [
        (0, 3, 1, "money=1"),
        (1, 3, 2, "money=2"),
        (2, 4, 1, "money=1"),
        (3, 4, 2, "money=2"),
    ]
    assert cells[0].agents == ("a", "b", "a") and cells[2].agents == ("a", "b", "a", "b")
    assert (cells[0].rotations, cells[0].blocks, cells[0].games) == (3, 4, 12)


def test_a_setting_for_one_table_makes_no_cells_at_the_others():
    plan = make(players=[3, 4], settings={"money.3": [1, 2], "money.4": [3, 4, 5]})
    assert [(c.players, c.settings) for c in plan.cells(GAME)] == [
        *((3, {"money.3": value}) for value in (1, 2)),
        *((4, {"money.4": value}) for value in (3, 4, 5)),
    ]
    with pytest.raises(Mistake, match="'money.5' is for 5 players"):
        make(settings={"money.5": 1}).cells(GAME)


def test_a_number_at_the_end_of_a_key_need_not_be_of_players():
    plan = make(players=[3, 5], settings={"level": 7, "level.4": [1, 2], "money": 9})
    assert [(c.players, c.settings) for c in plan.cells(GAME)] == [
        (players, {"level": 7, "level.4": value, "money": 9})
        for players in (3, 5)
        for value in (1, 2)
    ]


def test_tables_that_cannot_be_are_refused():
    with pytest.raises(Mistake, match="players = 6 is not possible in Toy; choose from 3, 4, 5"):
        make(players=6).cells(GAME)
    with pytest.raises(Mistake, match="agents lists 5, too many for a table of 3"):
        make(players=[5, 3], agents="a,b,c,d,e").cells(GAME)


def test_only_more_games_are_no_difference():
    old, new = (make(games=games).model_dump(mode="json") for games in (100, 200))
    assert differences(old, new) == differences(new, old) == []  # see the test of the runner
    other = make(games=200, seed=2, agents="a,c").model_dump(mode="json")
    assert [line.split()[0] for line in differences(old, other)] == ["agents", "seed"]


line_ups = st.lists(st.sampled_from("abc"), min_size=1, max_size=6)


@settings(max_examples=60, deadline=None)
@given(line_ups, st.integers(0, 5))
def test_every_agent_sits_equally_often_in_every_seat(line_up, block):
    copies = cyclic_order(line_up, 1, block)
    assert sorted(copies) == list(range(len(line_up)))
    specs = [line_up[copy] for copy in copies]
    count = rotations(specs)
    sitting = [seats(specs, rotation) for rotation in range(count)]
    assert len(set(sitting)) == count  # distinct
    assert set(sitting) == {seats(specs, turn) for turn in range(len(specs))}  # and all
    for spec in set(line_up):
        shares = {sum(one[seat] == spec for one in sitting) for seat in range(len(specs))}
        assert shares == {count * line_up.count(spec) // len(specs)}


@pytest.mark.parametrize("line_up", ["aabb", "abab", "abcd", "aabc", "abbb", "abcde", "aabbc"])
def test_cyclic_orders_are_drawn_evenly(line_up):
    """Against brute force: orders that are turns of each other count as one."""
    necklaces = {
        frozenset(seats(order, turn) for turn in range(len(order)))
        for order in itertools.permutations(line_up)
    }
    draws = 150 * len(necklaces)
    drawn = Counter(
        frozenset(
            seats([line_up[copy] for copy in cyclic_order(line_up, 7, block)], turn)
            for turn in range(len(line_up))
        )
        for block in range(draws)
    )
    assert set(drawn) == necklaces
    assert all(abs(count - 150) < 5 * 150**0.5 for count in drawn.values())


def test_blocks_cover_the_games_where_orders_differ_in_length():
    cell = make(agents="a,a,b,b", games=1001).cells(GAME)[0]
    lengths = [len(cell.sittings(block)) for block in range(cell.blocks)]
    assert set(lengths) == {2, 4}
    assert sum(lengths) == cell.games and 1001 <= cell.games < 1001 + 4
    fixed = make(agents="a,b,a,b", games=1001, order="fixed").cells(GAME)[0]
    assert (fixed.rotations, fixed.blocks) == (2, 501)


def test_plans_load_no_heavy_library():
    code = "import sys, experiments.plan; print(*{'numba', 'pandas', 'scipy'} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == ""


def test_settings_are_named_by_where_they_were_written(tmp_path):
    values = {"game": "toy", "players": 3, "agents": ["plain"], "games": 3}
    assert Plan.build(values, source="The command").settings_source == "--set"
    path = tmp_path / "plan.toml"
    path.write_text("game = 'toy'\nplayers = 3\nagents = ['plain']\ngames = 3\n")
    assert Plan.load(path).settings_source == f"{path}: settings"


def test_several_line_ups_sit_at_every_setting():
    plan = make(players=[3, 4], line_ups=["a", "a,b"], settings={"money": [1, 2]})
    assert plan.agents == ["a", "b"]
    assert [(c.players, c.settings["money"], c.agents) for c in plan.cells(GAME)] == [
        (players, money, tuple(line_up * 2)[:players])
        for players in (3, 4)
        for money in (1, 2)
        for line_up in ("aa", "ab")
    ]
    with pytest.raises(Mistake, match="agents lists 5, too many for a table of 3"):
        make(players=3, line_ups=["a", "a,b,c,d,e"], agents="a,b,c,d,e").cells(GAME)


def test_settings_may_be_a_list_of_grids(tmp_path):
    path = tmp_path / "list.toml"
    path.write_text(
        'game = "toy"\nplayers = 4\nagents = "a"\ngames = 8\n'
        "[[settings]]\nmoney = 1\n[[settings]]\nmoney = [2, 3]\nrule = 'y'\n"
    )
    plan = Plan.load(path)
    assert [(c.label, c.settings) for c in plan.cells(GAME)] == [
        ("money=1", {"money": 1}),
        ("money=2 rule=y", {"money": 2, "rule": "y"}),
        ("money=3 rule=y", {"money": 3, "rule": "y"}),
    ]
    again = Plan.load(path, settings={"rule": ["z"]}, line_ups=[["b"], ["c"]])
    assert [c.settings["rule"] for c in again.cells(GAME)] == ["z"] * 6
    assert again.agents == ["b", "c"]


def test_a_cell_of_a_sweep_plays_whole_rounds_and_three_times_a_fixed_study_at_most():
    plan = make(kind="sweep", games=None, players=[3, 4], agents="a,b", line_ups=["a", "a,b"])
    for cell in plan.cells(GAME):
        least = {("a", "a", "b", "b"): 2}.get(tuple(sorted(cell.agents)), cell.rotations)
        assert cell.needed == blocks_needed(cell.players, 0.03, games=least)
        size = round_size(cell.needed)
        most = 3 * blocks_needed(cell.players, 0.03)  # the games of a block may be all alike
        assert most <= cell.blocks < most + size and cell.blocks % size == 0
        assert cell.games == sum(len(cell.sittings(block)) for block in range(cell.blocks))
    few = make(kind="sweep", games=1000, agents="a", margin=10)
    assert [cell.blocks for cell in few.cells(GAME)] == [1000]
    with pytest.raises(Mistake, match="decided after rounds of 25 games; give 25 or more"):
        make(kind="sweep", games=20, agents="a", margin=10).cells(GAME)


def test_a_sweep_without_something_seats_one_restricted_player_among_others():
    plan = make(kind="sweep", games=None, players=[3, 4], agents="a", without=["x", "take y"])
    cells = plan.cells(GAME)
    assert [cell.agents for cell in cells[:2]] == [
        ("a:without=x", "a", "a"),
        ("a:without=take y", "a", "a"),
    ]
    assert [cell.players for cell in cells] == [3] * (len(cells) // 2) + [4] * (len(cells) // 2)
    assert cells[-1].agents == ("a:without=take y", "a", "a", "a")
    assert {cell.rotations for cell in cells if cell.players == 4} == {4}
    for words in ("x", "take y"):  # every setting, as without a restriction
        own = [cell.settings for cell in cells if f"without={words}" in cell.agents[0]]
        plain = make(kind="sweep", games=None, players=[3, 4], agents="a").cells(GAME)
        assert own == [cell.settings for cell in plain]
    again = make(kind="sweep", games=None, line_ups=["a"], agents="a", without=["x"])
    assert again.cells(GAME)[0].agents[0] == "a:without=x"  # as --agents of a sweep says it


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"without": ["x"]}, "'without' is for a sweep"),
        ({"without": ["x"], "kind": "match", "agents": "a,b"}, "'without' is for a sweep"),
        ({"without": ["x"], "kind": "sweep", "agents": "a,b"}, "a sweep of one agent, not 2"),
        ({"without": ["x", "x"], "kind": "sweep"}, "without: the same words are given twice"),
        ({"without": [""], "kind": "sweep"}, "without: an entry is empty"),
        ({"line_ups": ["a", "a"]}, "line_ups: a line-up is given twice"),
        ({"line_ups": ["a", []]}, "line_ups: an entry is empty"),
        ({"line_ups": ["a,"]}, "line_ups: an entry is empty"),
        ({"line_ups": ["a,b"], "agents": "a"}, "agents and line_ups are given, and differ"),
        ({"line_ups": ["a,b"], "kind": "match"}, "a match has agents, and makes the line-ups"),
        ({"margin": 2}, "margin and want are for a sweep"),
        ({"want": {"length": "5:"}}, "margin and want are for a sweep"),
        ({"kind": "sweep", "want": {"lenght": "5:"}}, "no quantity 'lenght' to want; the nearest"),
        ({"kind": "sweep", "margin": 25}, "margin = 25 reaches the fair share, 25.0 %"),
        ({"kind": "sweep", "margin": 0}, "margin = 0 is not possible"),
        ({"settings": [{"money": 1}, {"money": []}]}, "'money' has an empty list"),
        ({"kind": "match", "settings": [{}, {}]}, "one value for each setting"),
    ],
)
def test_what_a_sweep_cannot_be(changes, part):
    if "line_ups" in changes and "agents" not in changes:
        changes = {"agents": "a,b" if "a,b" in changes["line_ups"] else "a"} | changes
    with pytest.raises(Mistake) as mistake:
        make(**changes)
    assert part in str(mistake.value)


def test_a_plan_from_before_a_key_existed_is_no_other_plan():
    new = make().model_dump(mode="json")
    old = {key: value for key, value in new.items() if key not in ("margin", "line_ups", "without")}
    assert differences(old, new | {"want": {"ties": ":5"}}) == []  # nor is one with other wants
