"""The report of made-up runs: what it must hold, what it must not, and its tables."""

from __future__ import annotations

import csv
import html.parser
import json
import re
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from pydantic import Field

import sim
from experiments import runner
from experiments.metrics import summarise
from experiments.plan import Plan
from experiments.report import plots, sentences, write
from experiments.report.tables import Column, Row, Table, number, shown
from experiments.report.view import View
from experiments.stats import Interval
from experiments.store import PERCENT, PROGRESS
from sim.contract import Measure
from sim.errors import Mistake
from sim.options import ByPlayers, BySeat, Options, whole, with_settings

GAME = sim.load("westward-rails")
BOARD = GAME.board()
DOCUMENT = BOARD.document
MEASURES = (
    Measure("dividend_money", "$", "dividends received by the player", True, "Money"),
    Measure("lease_money", "$", "paid by the player for leases", True, "Money"),
    Measure("demands_met", "demands", "demands fulfilled in the game"),
    Measure("auction_price", "$", "mean price of those shares", heading="Auction prices"),
    *(
        Measure(f"initial_price_{k}", "$", "", heading="Auction prices", piece="railroad")
        for k in range(1, 6)
    ),
    Measure("value_highest", "spaces", "value of the most valuable railroad at the end"),
    Measure("shares_held", "shares", "shares the player holds at the end", True),
)
STRENGTH = {"greedy": 1.0, "builder": 0.7, "collector": 0.55, "racer": 0.3, "random": -1.2}


class FakeRun:
    """A run that lives in memory: what the report reads of one."""

    def __init__(self, folder, cells, blocks=40, seed=3, label="Reconstructed map"):
        self.folder = folder
        self.generator = np.random.default_rng(seed)
        entries, self.frames, self.counts = [], [], {}
        for index, (players, settings, agents) in enumerate(cells):
            rotations = players if len(set(agents)) > 1 else 1
            entries.append(
                {
                    "cell": index,
                    "players": players,
                    "settings": settings,
                    "agents": agents,
                    "rotations": rotations,
                    "blocks": blocks,
                    "label": " ".join(f"{key}={value}" for key, value in settings.items()),
                    "options": BOARD.options.model_dump(by_alias=True) | {"lease_tie": "cheapest"},
                }
            )
            self.frames.append(self.play(index, players, settings, agents, blocks, rotations))
            games = blocks * rotations
            often = np.random.default_rng(1).beta(0.5, 0.8, len(DOCUMENT["link"]))
            self.counts[index] = self.generator.binomial(games, often)
        self.manifest = {
            "format": 3,
            "plan": {"game": "westward-rails", "seed": 1, "games": blocks},
            "game": "westward-rails",
            "rules_version": 1,
            "board": {
                "name": "reconstructed_map",
                "label": label,
                "digest": "0123456789abcdef",
                "elements": BOARD.elements,
                "document": DOCUMENT,
            },
            "versions": {"python": "3.11.9", "numpy": "2.4.6", "numba": "0.68.1"},
            "created": "2025-05-01T12:00:00",
            "cells": entries,
        }

    def play(self, index, players, settings, agents, blocks, rotations):
        """Rows with the columns of a results table; the richer the table, the longer the game."""
        random = self.generator
        money = float(next(iter(_money(settings).values()), 30))
        games = blocks * rotations
        copies = (
            np.arange(players)[None, :] - np.tile(np.arange(rotations), blocks)[:, None]
        ) % players
        strength = np.array([STRENGTH.get(spec.split(":")[0], 0.0) for spec in agents])[copies]
        seat = np.linspace(0.25, -0.25, players)[None, :]
        score = np.round(
            60 + money + 14 * strength + 14 * seat + random.normal(0, 14, copies.shape)
        )
        best = score == score.max(axis=1, keepdims=True)
        rank = 1 + (score[:, None, :] > score[:, :, None]).sum(axis=2)
        turns = np.round(90 - 0.4 * money - 4 * players + random.normal(0, 6, games))
        ends = random.choice(["demands", "cubes", "demands and cubes", "deadlock"], games,
                             p=[0.62, 0.3, 0.06, 0.02])  # fmt: skip

        def each(values):
            return np.repeat(np.asarray(values), players)

        frame = {
            "cell": index,
            "block": each(np.repeat(np.arange(blocks), rotations)),
            "rotation": each(np.tile(np.arange(rotations), blocks)),
            "seat": np.tile(np.arange(players), games),
            "copy": copies.ravel(),
            "agent": np.array(agents, dtype=object)[copies].ravel(),
            "players": players,
            "seed": each(np.repeat(random.integers(0, 2**53, blocks), rotations)),
            "settings": ",".join(f"{key}={value}" for key, value in settings.items()),
            "win_share": (best / best.sum(axis=1, keepdims=True)).ravel(),
            "score": score.ravel(),
            "rank": rank.ravel(),
            "decisions": random.integers(20, 40, games * players),
            "options": random.integers(200, 400, games * players),
            "forced": random.integers(0, 9, games * players),
            "turns": each(turns).astype(int),
            "lead_changes": each(random.poisson(6, games)),
            "dead_turns": each(random.random(games) * (random.random(games) < 0.5)),
            "choices_that_matter": each(np.where(random.random(games) < 0.5, np.nan, 0.4)),
            "end_reason": each(ends),
            "status": "ok",
            "offender": -1,
            "failure": "",
            "version": 1,
        }
        start = money * 0.3
        for name, percent in zip(PROGRESS, PERCENT, strict=True):
            noise = random.normal(0, 3, score.shape) * (percent < 100)
            grown = start + (score - start) * (percent / 100) ** 1.4 + noise
            frame[name] = grown.ravel()
        frame["dividend_money"] = (score * 0.8).ravel()
        frame["lease_money"] = random.poisson(4, score.size).astype(float)
        frame["demands_met"] = each(random.poisson(7, games).astype(float))
        later = np.round(7 + 0.1 * money + random.normal(0, 2, games))
        frame["auction_price"] = each(np.where(random.random(games) < 0.1, np.nan, later))
        for k in range(5):
            price = 6 + 0.2 * money * (1 + k / 5) + random.normal(0, 2, games)
            frame[f"initial_price_{k + 1}"] = each(np.round(price))
        frame["value_highest"] = each(np.round(20 + 0.1 * money + random.normal(0, 3, games)))
        frame["shares_held"] = random.integers(3, 8, score.size).astype(float)
        return pd.DataFrame(frame)

    def tables(self, columns=None):
        """The frames, as a run gives its parts."""
        yield from self.frames

    def usage(self):
        """Counts of built links, by cell."""
        return self.counts


def _money(settings):
    return {key.rpartition(".")[2]: value for key, value in settings.items() if "money" in key}


def _game(**changes):
    """The game as it is, but for its measures and what else is given."""
    names = ("title", "options", "board_from", "score_unit", "element", "assumptions")
    names += ("picture", "portrait")
    parts = {name: getattr(GAME, name) for name in names}
    return SimpleNamespace(**(parts | {"measures": MEASURES} | changes))


def grid(folder, blocks=40):
    """12 cells: 3 player counts, 4 settings, up to 5 agents."""
    specs = ["greedy", "builder", "collector", "racer", "random"]
    cells = [
        (players, {f"starting_money.{players}": money}, specs[:players])
        for players in (3, 4, 5)
        for money in (24, 32, 40, 48)
    ]
    return FakeRun(folder, cells, blocks)


def single(folder, blocks=60, agents=("greedy", "random", "random", "random")):
    """One cell, nothing varied."""
    return FakeRun(folder, [(len(agents), {}, list(agents))], blocks)


class _Page(html.parser.HTMLParser):
    """Tags, ids, links and text of a page; complains about a tag that is not closed."""

    VOID = {"meta", "br", "hr", "img", "input", "link", "wbr"}

    def __init__(self, text):
        super().__init__()
        self.stack, self.ids, self.links, self.words, self.images = [], [], [], [], []
        self.feed(text)
        assert self.stack == []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if "id" in values:
            self.ids.append(values["id"])
        self.links += [value for name, value in attributes if name in ("href", "src", "xlink:href")]
        if tag == "svg":
            self.images.append(values)
        if tag not in self.VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self.stack.pop()

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        if self.stack and self.stack[-1] not in ("style", "script"):
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())  # a no-break space becomes a plain one


def _written(run, folder, **changes):
    """The page of a run, its map left out unless asked for: it takes the most time."""
    game = _game(**({"picture": None} | changes))
    summary = summarise(run.tables(), run.manifest, game.measures)
    path = write(View(run, summary, game), folder / "report.html")
    text = path.read_text(encoding="utf-8")
    return text, _Page(text)


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """The report of the grid."""
    folder = tmp_path_factory.mktemp("grid")
    return folder, *_written(grid(folder), folder, picture=GAME.picture)


def test_grid_has_every_part(wide):
    _, _, page = wide
    for heading in (
        "Win share by agent",
        "Win share by seat",
        "How the games went",
        "Auction prices",
        "Score over the game, by final rank",
        "The board, and how it was used",
        "What was assumed",
        "The most extreme games",
        "The run in full",
    ):
        assert heading in page.text
    assert "Reconstructed map" in page.text
    assert "starting money from $24 to $48" in page.text
    assert "Great Falls" in page.text  # the map is there
    assert "\\$" not in page.text
    assert '"starting_money.3": 40' in page.text  # options with dotted keys
    assert "spike replay" in page.text and "--rotation" in page.text
    assert "lease_tie" in page.text and "share_divisor" not in page.text.split("The run in full")[0]


def test_page_is_self_contained(wide):
    _, text, page = wide
    for link in page.links:
        assert link.startswith(("#", "data:")), link
    assert not re.search(r"url\((?!#)", text)
    assert "@import" not in text and "<script" not in text


def test_ids_are_unique_and_references_resolve(wide):
    _, text, page = wide
    assert len(page.ids) == len(set(page.ids))
    used = set(re.findall(r"url\(#([^)]+)\)", text))
    used |= {link[1:] for link in page.links if link.startswith("#")}
    assert used <= set(page.ids)


def test_every_figure_has_a_text(wide):
    _, text, page = wide
    described = [image for image in page.images if image.get("aria-label")]
    assert len(described) > 15
    assert text.count("<figcaption>") == text.count("<figure")
    assert all(image["role"] == "img" for image in page.images)


def test_every_colour_has_a_light_and_a_dark_value(wide):
    _, text, _ = wide
    for name in set(re.findall(r"var\((--c-[0-9a-f]{6})\)", text)):
        assert text.count(f"{name}:") == 2, name


def test_tables_are_files_and_links(wide):
    folder, _, page = wide
    files = sorted((folder / "tables").glob("*.csv"))
    downloads = [link for link in page.links if link.startswith("data:text/csv")]
    assert len(files) == len(downloads) >= 8
    for path in files:
        rows = list(csv.reader(path.open(encoding="utf-8", newline="")))
        assert len(rows) > 1 and {len(row) for row in rows} == {len(rows[0])}, path.name
    balance = pd.read_csv(folder / "tables" / "balance.csv")
    assert set(balance["cell"]) == set(range(12))
    assert not (balance["low"] > balance["mean"]).any()


def test_report_repeats_byte_for_byte(tmp_path):
    run = single(tmp_path, blocks=10)
    first, _ = _written(run, tmp_path, picture=GAME.picture)
    second, _ = _written(run, tmp_path, picture=GAME.picture)
    assert first == second


def test_single_cell(tmp_path):
    text, page = _written(single(tmp_path), tmp_path)
    assert "Greedy wins" in page.text
    assert 'class="pair"' in text
    assert "greedy and random at a table of 4" in page.text


def test_one_agent_only_compares_seats(tmp_path):
    _, page = _written(single(tmp_path, agents=("greedy",) * 3), tmp_path)
    assert "by construction" in page.text


def test_words_instead_of_numbers_are_settings_too(tmp_path):
    agents = ["greedy", "random", "random"]
    cells = [(3, {"lease_tie": value}, agents) for value in ("player", "cheapest")]
    _, page = _written(FakeRun(tmp_path, cells), tmp_path)
    assert "lease tie player and cheapest" in page.text


def test_two_numbers_varied(tmp_path):
    agents = ["greedy", "random", "random"]
    cells = [
        (3, {"starting_money": money, "demand_spaces": spaces}, agents)
        for money in (24, 32, 40)
        for spaces in (3, 4)
    ]
    _, page = _written(FakeRun(tmp_path, cells), tmp_path)
    assert "3 players, demand spaces 4" in page.text


def test_what_users_type_is_escaped(tmp_path):
    evil = "./x.py:A<script>alert(1)</script>&$x^2$"
    cells = [(3, {"board_<b>": "<img src=x>"}, [evil, "random", "random"])] * 2
    run = FakeRun(tmp_path, cells, label="<i>Mine</i>")
    run.manifest["cells"][1]["settings"] = {"board_<b>": "<svg onload=1>"}
    text, page = _written(run, tmp_path)
    for part in ("<script>alert", "<img", "<i>Mine", "<b>", "<svg onload"):
        assert part not in text
    assert "alert(1)" in page.text


def test_games_with_a_status_are_told(tmp_path):
    run = single(tmp_path, blocks=20)
    frame = run.frames[0]
    frame.loc[frame["block"] < 2, ["status", "end_reason"]] = ["too long", ""]
    _, page = _written(run, tmp_path)
    assert "8 of 80 games did not end properly (8 too long)" in page.text
    assert "nothing is concluded" in page.text


def test_a_run_without_games_still_has_a_page(tmp_path):
    run = single(tmp_path)
    run.frames, run.counts = [], {}
    _, page = _written(run, tmp_path)
    assert "No game has been played yet." in page.text


def test_one_block(tmp_path):
    _, page = _written(single(tmp_path, blocks=1), tmp_path)
    assert "Win share by agent" in page.text and "nan" not in page.text.lower()


def test_game_without_picture_or_measures(tmp_path):
    run = single(tmp_path, blocks=10)
    _, page = _written(run, tmp_path, measures=())
    assert "The board, and how it was used" in page.text and "Dividend money" in page.text


class Markers(ByPlayers):
    """An option by players of a game for 2 to 6."""

    two: int = whole(10, 1, 20, "markers", alias="2")
    six: int = whole(18, 1, 20, "markers", alias="6")


class Prices(Options):
    """An option by level."""

    two: int = whole(5, 0, 99, "price", alias="2")
    three: int = whole(5, 0, 99, "price", alias="3")


class Purses(BySeat):
    """An option by seat."""

    first: int = whole(6, 0, 99, "money of the first", alias="1")
    second: int = whole(7, 0, 99, "money of the second", alias="2")
    third: int = whole(8, 0, 99, "money of the third", alias="3")


class OtherOptions(Options):
    """Options of another game, with money in thousands."""

    markers: Markers = Markers()
    bond: int = whole(5, 0, 99, "money of a bond", "$k")
    engine_price: Prices = Field(Prices(), json_schema_extra={"unit": "$k"})
    purse: Purses = Field(Purses(), json_schema_extra={"unit": "$k"})


POINTS = (
    Measure("dividend_money", "points", "points of deliveries", True, "Where the points came from"),
    Measure("lease_money", "points", "points of cards", True, "Where the points came from"),
    Measure("auction_price", "$k", "mean winning bid", heading="Where the money went"),
    Measure("shares_held", "bonds", "bonds held", True, heading="Where the money went"),
)


def other_game(**changes):
    """A game with points for scores and money in thousands."""
    parts = {"options": OtherOptions, "score_unit": "points", "element": "hex", "assumptions": ()}
    parts |= {"board_from": lambda *_: SimpleNamespace(options=OtherOptions())}
    return parts | {"measures": POINTS} | changes


def other_run(folder, cells):
    """Its games; many end below nought."""
    agents = ["greedy", *["random"] * 5]
    run = FakeRun(folder, [(players, values, agents[:players]) for players, values in cells])
    for frame, entry in zip(run.frames, run.manifest["cells"], strict=True):
        frame[["score", *PROGRESS]] -= 100
        entry["options"] = OtherOptions().model_dump(by_alias=True)
    return run


def test_a_game_with_other_units_and_words(tmp_path):
    grid = [(players, {"markers": n}) for players in (2, 3, 4, 5, 6) for n in (8, 14, 20)]
    text, page = _written(other_run(tmp_path, grid), tmp_path, **other_game())
    assert "markers from 8 to 20" in page.text
    assert "How often each hex was used" in page.text and "Most used hex: " in page.text
    assert "Where the points came from" in page.text and "Where the money went" in page.text
    assert "mean, points a player" in page.text and "score (points)" in page.text
    assert re.search(r"\$\d+(\.\d+)?k", page.text) and re.search(r"−\d", page.text)
    assert re.search(r"On average \S+ points \(", page.text)
    assert not re.search(r"\$\d+(\.\d+)?(?![\d.k])", page.text)
    assert "nan" not in page.text.lower()
    assert {f"Seat {seat}" for seat in range(6)} <= set(re.findall(r"Seat \d", text))
    balance = pd.read_csv(tmp_path / "tables" / "balance.csv")
    assert set(balance["markers"]) == {8, 14, 20} and set(balance["players"]) == {2, 3, 4, 5, 6}


def test_a_number_in_a_setting_is_of_players_only_where_the_game_says_so(tmp_path):
    cells = [(3, {"engine_price.3": price}) for price in (5, 10, 15)]
    _, page = _written(other_run(tmp_path, cells), tmp_path, **other_game())
    assert "engine price 3 from $5k to $15k" in page.text
    assert "engine_price.2" not in page.text.split("The run in full")[0]


def test_an_option_set_entry_by_entry_is_told_whole(tmp_path):
    """By seat, as many as there are players; beside cells that leave it as printed."""
    grid = [{}, {"purse.1": 6, "purse.2": 9, "purse.3": 12}, {"engine_price": 7}]
    run = other_run(tmp_path, [(players, values) for players in (2, 3) for values in grid])
    for entry in run.manifest["cells"]:
        printed = OtherOptions().model_dump(by_alias=True)
        entry["options"] = with_settings(OtherOptions, printed, entry["settings"])
    _, page = _written(run, tmp_path, **other_game())
    balance = pd.read_csv(tmp_path / "tables" / "balance.csv")
    found = balance[["players", "purse", "engine_price"]].drop_duplicates()
    assert found.to_numpy().tolist() == [
        *([2, "6/7", 5], [2, "6/9", 5], [2, "6/7", 7]),
        *([3, "6/7/8", 5], [3, "6/9/12", 5], [3, "6/7/8", 7]),
    ]
    assert "purse $6/9/12k" in page.text
    assert not {"purse.1", "engine_price.2"} & set(page.text.split("The run in full")[0].split())


def test_more_panels_than_lines_can_be_told_apart(tmp_path):
    cells = [
        (players, {"markers": n, "bond": bond})
        for players in (2, 3, 4)
        for n in (8, 14, 20)
        for bond in (4, 5, 6)
    ]
    _, page = _written(other_run(tmp_path, cells), tmp_path, **other_game())
    assert "2 players, bond $4k" in page.text and "Winning margin over" not in page.text
    assert "Where the money went" in page.text


def test_options_that_the_board_sets_are_told(tmp_path):
    game = sim.load("railways-of-the-world")
    board = game.board("western_us", {"max_turns": 30, "fuel_depots": False})
    run = single(tmp_path, agents=("random", "prudent", "./my.py:Bot"))
    run.manifest["cells"][0]["options"] = board.options.model_dump(by_alias=True)
    run.manifest |= {"game": game.name, "board": run.manifest["board"] | {"name": board.name}}
    run.manifest["board"]["document"] = board.document
    changes = {"options": game.options, "board_from": game.board_from}
    _, page = _written(run, tmp_path, **changes)
    told = page.text.split("What was assumed")[-1].split("The most extreme")[0]
    assert "city_rotors true false the board" in told
    assert "fuel_depots false false the run" in told
    assert "max_turns 30 60 the run" in told
    assert "sharp_turns" not in told and "debts" in told


def test_what_could_never_be_used_is_not_counted_as_seldom(tmp_path):
    run = single(tmp_path, blocks=10)
    run.counts[0][:] = 0
    run.counts[0][:3] = (40, 20, 1)
    _, page = _written(run, tmp_path)
    assert "of 3 that were used at all, 1 in fewer than 5 %." in page.text


@pytest.mark.parametrize(
    ("at_half", "said"),
    [
        ([-3], "hardly ahead of the runner-up, if at all"),
        ([4], "hardly ahead of the runner-up, if at all"),
        ([30], "has 30 % of the final lead"),
        ([30, 12], "has 12 to 30 % of the final lead"),
        ([30, 0.2], "has at most 30 % of the final lead"),
        ([30, -8], "has at most 30 % of the final lead"),
    ],
)
def test_lead_at_half_time(at_half, said):
    curves = [np.array([[0, lead, 100], [0, 0, 0]]) for lead in at_half]
    assert said in sentences.lead(curves)


def real_run(folder):
    """Twelve games at two tables."""
    plan = {"game": "westward-rails", "players": 3, "agents": ["random"], "games": 6}
    return runner.run(Plan.build(plan | {"settings": {"starting_money": [20, 30]}}), folder)


def test_a_typical_game_is_drawn_where_the_game_can(tmp_path):
    run, drawn = real_run(tmp_path / "run"), []

    def portrait(axes, position):
        drawn.append(position)
        axes.text(0, 0, f"{position.turn} turns")

    _, page = _written(run, tmp_path, measures=GAME.measures, portrait=portrait)
    (position,) = drawn
    assert position.is_over and position.board.options.starting_money.three == 20
    assert f"after {position.turn} turns" in page.text and "A typical game" in page.text
    best = run.table().query("cell == 0").groupby(["block", "rotation"]).score.max()
    nearest = (best - best.median()).abs()
    block, rotation = nearest.idxmin()
    assert max(position.scores) == best[block, rotation]
    assert f"--cell 0 --block {block} --rotation {rotation}" in page.text
    run.manifest["rules_version"] = 0
    _, page = _written(run, tmp_path, measures=GAME.measures, portrait=portrait)
    assert "A typical game" not in page.text


def test_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(Mistake, match="report"):
        _written(single(tmp_path, blocks=5), tmp_path / "file")


def test_figures_in_threads_equal_those_of_one():
    def drawn(index):
        figure = plots.lines([1, 2, 3], [plots.Series("a", [1, 2, index])], "x", "y", (0, 9))
        return plots.svg(figure, "f", "alt")

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(drawn, range(8))) == [drawn(index) for index in range(8)]


def test_csv_cannot_run_a_formula():
    table = Table("t", "t", [Column("Agent")], [Row(["=cmd()"])])
    assert table.csv == "agent\n'=cmd()\n"


def test_values_as_shown():
    assert shown(Interval(0.25, 0.2, 0.31, 9), "share").text == "25.0 %"
    assert shown(Interval(0.25, 0.2, 0.31, 9), "share").small == "20.0–31.0"
    assert shown(Interval(31.4, 30.4, 32.4, 9), "$").text == "$31.4"
    assert shown(Interval(31.4, -np.inf, np.inf, 1), "$").small == ""
    assert number(-0.5, "$") == "−$0.50" and number(1_000_000) == "1,000,000"


def test_names_on_the_map_do_not_overlap():
    figure = plots.picture(GAME.picture, DOCUMENT, None, 0)
    renderer = FigureCanvasAgg(figure).get_renderer()
    names = {city["name"] for city in DOCUMENT["city"]}
    boxes = [
        text.get_window_extent(renderer)
        for text in figure.axes[0].texts
        if text.get_text() in names
    ]
    assert len(boxes) >= len(names)
    overlaps = [(a, b) for i, a in enumerate(boxes) for b in boxes[:i] if a.padded(-1).overlaps(b)]
    assert overlaps == []
    frame = figure.bbox
    assert all(frame.contains(*box.min) and frame.contains(*box.max) for box in boxes)


@pytest.mark.parametrize("columns", [["verdict"], ["$24", "$32", "$40", "$48"]])
@pytest.mark.parametrize("letters", [9, 45, 200])
def test_names_beside_a_board_of_fields_have_room(columns, letters):
    rows = [("seat " * letters)[: letters - 1] + str(number) for number in range(6)]
    figure = plots.grid(rows, columns, [[(0, "+1.2")] * len(columns)] * 6)
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    (axes,) = figure.axes
    assert axes.get_window_extent(renderer).width > 0.25 * figure.get_figwidth() * figure.dpi
    for text in [*axes.get_yticklabels(), *axes.get_xticklabels(), *axes.texts]:
        left, bottom, right, top = text.get_window_extent(renderer).extents
        assert (
            left >= 0 and bottom >= 0 and right <= figure.bbox.width and top <= figure.bbox.height
        )


def test_manifest_survives_json(tmp_path):
    run = single(tmp_path, blocks=5)
    run.manifest = json.loads(json.dumps(run.manifest))
    _written(run, tmp_path)
