"""The compiled rules against the slow, obvious engine, decision by decision."""

import copy
import dataclasses
import random

import pytest

from sim.game import Board, Position
from tests.reference.great_western_trail import Reference
from tests.sim.great_western_trail.midgame import midgame
from tests.sim.great_western_trail.plain import GAME, action, names_of, reference, table

RULINGS = {
    "upgrade_before_reward": [True, False],
    "black_disc_on_white_city": [True, False],
    "extraordinary_counts_end_turnout": [True, False],
    "extraordinary_kansas_city_pays": [False, True],
    "left_disc_first": [False, True],
    "chicago_detroit": ["token_minus_5", "objective_and_3"],
    "market_draw_last": [False, True],
    "delivery_actions_mandatory": [True, False],
    "adjacent_skips_empty": [False, True],
    "copied_risk_action": [True, False],
    "ride_to_kansas_city": [False, True],
    "ride_gives_actions": [False, True],
    "something_in_phase_b": [True, False],
    "first_placement_on_private": [False, True],
    "tie": ["shared", "money"],
    "teepee_order": ["lowest_first", "minus_one_first"],
}
NUMBERS = {
    "tiles_at_start": [0, 7, 12],
    "cards_in_hand": [1, 4, 6],
    "start_tokens": [0, 1, 5],
    "disc_money": [0, 3, 9],
    "disc_points": [0, 3],
    "goal_money": [0, 3, 9],
    "row_points": [0, 4, 7],
    "token_points": [0, 2, 9],
    "money_per_point": [1, 5, 7],
    "market_size": [0, 9, 30],
    "workers_at_start": [0, 6, 11],
}
PARTS = (
    *("money", "building", "city", "station", "hazard", "cattle", "objective", "master"),
    *("worker", "disc", "token"),
)


def random_settings(chance: random.Random, changes: int) -> dict:
    """Random sides, places of the buildings and expansion, and so many other options."""
    choices = {**RULINGS, **NUMBERS}
    settings = {key: chance.choice(choices[key]) for key in chance.sample(sorted(choices), changes)}
    return settings | {
        "rails_to_the_north": chance.random() < 0.5,
        "building_sides": chance.choice(["a", "b", "random"]),
        "neutral_buildings": chance.choice(["on_letters", "random"]),
    }


def random_board(chance: random.Random) -> dict:
    """The printed board with another trail, and with icons, costs and values exchanged."""
    document = copy.deepcopy(GAME.board().document)
    document["meta"] = {"game": GAME.name, "name": "random", "label": "Random board"}
    _lay_trail(document["spaces"], chance)
    _put_icons(document, chance)
    ranges = {  # of what is printed on the entries of each table
        "players": {"green": 4, "black": 4},
        "buildings": {"craftsmen": 7, "points": 9},
        "buildings_north": {"craftsmen": 7, "points": 9},
        "buying": {"cost": 9},
        "objectives": {"points": 7, "penalty": 5},
        "stations": {"cost": 7, "points": 9},
        "stations_north": {"cost": 7, "points": 9},
        "masters": {"points": 5},
        "masters_north": {"points": 5},
        "cities": {"points": 9},
        "cities_north": {"points": 9},
        "big_towns": {"points": 9},
        "pairs": {"points": 9},
        "pairs_north": {"points": 9},
    }
    for key, keys in ranges.items():
        for entry in document[key]:
            entry |= {name: chance.randint(1, high) for name, high in keys.items()}
    for key in ("stations", "stations_north", "cities", "cities_north", "big_towns", "discs"):
        for entry in document[key]:
            entry["corner"] = chance.choice(["white", "white", "black"])
    for entry in document["buying"]:
        entry["cards"] = chance.choice([1, 2])
    for entry in document["players"]:
        entry["steps"] = sorted(chance.choices(range(1, 8), k=3))
    for entry in document["discs"]:
        entry["cost"] = chance.choice([0, 0, 0, 2, 5])
    for entry in document["towns"]:
        entry["money"] = chance.choices([-3, -1, 0, 0, 0, 2], k=4)
    document["job_market"]["costs"] = chance.choices(range(1, 9), k=12)
    document["railroad"]["crosses"] = sorted(chance.sample(range(2, 30), 11))
    document["certificate_track"]["spaces"] = [0, *sorted(chance.sample(range(1, 8), 5))]
    document["bells"]["tokens"] = chance.sample(range(1, 6), 2)
    return document


def _lay_trail(spaces: list[dict], chance: random.Random) -> None:
    """The spaces between start and Kansas City in any order, a way along all, and short cuts."""
    middle = spaces[1:-1]
    chance.shuffle(middle)
    spaces[1:-1] = middle
    names = [space["name"] for space in spaces]
    forks = chance.sample(range(len(spaces) - 3), chance.choice([2, 5, 8]))
    for number, space in enumerate(spaces[:-1]):
        space["next"] = [names[number + 1]]
        if number in forks:
            further = names[number + 2 : number + 2 + chance.choice([1, 4, 12])]
            space["next"].append(chance.choice(further))
            chance.shuffle(space["next"])


def _put_icons(document: dict, chance: random.Random) -> None:
    """Any icon may come up by itself; buildings keep to icons that none of their lists has yet."""
    icons = {icon["name"]: icon for icon in document["icons"]}
    anywhere = sorted(set(icons) - {"token"})  # which belongs to the expansion
    singles = {entry["single"] for entry in document["auxiliary"] + document["auxiliary_north"]}
    risks = {space["risk"] for space in document["spaces"] if "risk" in space}
    for key in ("neutral_buildings", "buildings", "buildings_north"):
        for tile in document[key]:
            offered: set[str] = set()
            tile["icons"] = []
            for name in chance.sample(anywhere, chance.choice([8, 20, 40])):
                either = set(icons[name].get("either", [name]))
                if len(tile["icons"]) < 4 and not either & (offered | singles | risks):
                    tile["icons"].append(name)
                    offered |= either
    for key in ("worker_spaces", "objectives", "big_towns", "cities_north", "cities"):
        for entry in document[key]:
            if chance.random() < 0.5:
                entry["icon"] = chance.choice(anywhere)
    for entry in document["masters"] + document["masters_north"]:
        if "icon" in entry:
            entry["icon"] = chance.choice(anywhere)
    for town in document["towns"]:
        if "icons" in town:
            town["icons"] = chance.choices(sorted(icons), k=4)
    mediums = chance.sample(anywhere, len(document["medium_tiles"]))
    for tile, icon in zip(document["medium_tiles"], mediums, strict=True):
        tile["icon"] = icon


# ----------------------------------------------------------------------------------------- playing


def likely(twin: Reference, asked: tuple) -> float:
    """Random play that gets somewhere: to buildings, and to their actions."""
    word, about = asked[0], asked[-1]
    if word == "go":
        owner, _ = twin.table.buildings.get(about, ("nobody", None))
        return {twin.table.to_move: 6, None: 3}.get(owner, 1)
    if word == "do":
        return 0.2 if about in twin.auxiliary_icons(False) else 2
    return {"done": 0.25, "token": 0.4}.get(word, 1)


class Twins:
    """One game in both engines."""

    def __init__(self, position: Position):
        self.position = position
        self.twin = reference(position, self.drawn)
        self.compare()

    def drawn(self, player: int, number: int):
        """The cards that the compiled rules have drawn: all that came into the hand."""
        hand = names_of(self.position.board).cards(self.position.state[0].hand[player])
        return hand - self.twin.table.seats[player].hand

    def compare(self) -> None:
        """Both engines hold the same position and ask the same."""
        position, twin = self.position, self.twin
        there = table(position)
        there.removed = twin.table.removed  # the record does not know which cards they were
        for field in dataclasses.fields(there):
            assert getattr(there, field.name) == getattr(twin.table, field.name), field.name
        assert position.status == "ok"
        assert position.is_over == twin.is_over
        codes = position.legal_codes().tolist()
        self.codes = {action(position, code, twin): code for code in codes}
        assert len(self.codes) == len(codes)
        assert set(self.codes) == twin.legal

    def compare_scores(self) -> None:
        """All parts of the scores, and who would have won."""
        figures = self.position.measures()
        for player, seat in enumerate(self.twin.table.seats):
            points = [figures[f"{part}_points"][player] for part in PARTS]
            assert points == self.twin.points(seat)
        assert self.position.scores == self.twin.scores()
        if self.position.is_over:
            assert self.position.payoffs == pytest.approx(self.twin.payoffs())

    def answer(self, answer: tuple) -> None:
        """Carry out a decision in both."""
        self.position.play(self.codes[answer])
        self.twin.play(answer)
        self.compare()

    def play(self, chance: random.Random, decisions: int) -> None:
        """Play on at random, at most so many decisions."""
        for number in range(decisions):
            if self.twin.is_over:
                break
            asked = sorted(self.codes, key=str)
            self.answer(chance.choices(asked, [likely(self.twin, one) for one in asked])[0])
            if number % 25 == 0:
                self.compare_scores()
        self.compare_scores()


def play_both(board: Board, players: int, chance: random.Random, decisions: int, is_mid: bool):
    """Play a random game in both engines, from its start or from deep in it."""
    position = board.new(players, chance.randrange(2**53))
    twins = Twins(midgame(position, chance) if is_mid else position)
    twins.play(chance, decisions)
    return twins


@pytest.mark.parametrize("north", [False, True])
@pytest.mark.parametrize("players", GAME.players)
def test_whole_games(players, north):
    chance = random.Random(f"whole {players} {north}")
    settings = {"rails_to_the_north": north, "building_sides": "random"}
    board = GAME.board(settings=settings | {"neutral_buildings": "random"})
    assert play_both(board, players, chance, 10_000, False).twin.is_over


@pytest.mark.parametrize("seed", range(24))
def test_any_options(seed):
    chance = random.Random(f"options {seed}")
    board = GAME.board(settings=random_settings(chance, chance.choice([0, 2, 6, 20])))
    play_both(board, 2 + seed % 3, chance, 150, seed % 4 > 0)


@pytest.mark.parametrize("seed", range(24))
def test_any_board_and_options(seed):
    chance = random.Random(f"boards {seed}")
    settings = random_settings(chance, chance.choice([0, 2, 6, 20]))
    board = GAME.board_from(random_board(chance), "random board", settings)
    play_both(board, 2 + seed % 3, chance, 150, seed % 4 > 0)
