"""An experiment as cells, blocks and rotations, from a TOML file or from flags.

A *cell* is one setting of the options with one line-up. A *block* is one seed, played once in each
distinct rotation of the seats; it is the unit of every statistic.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    field_validator,
    model_validator,
)

from sim.errors import Mistake
from sim.options import read_toml, validate

Value = bool | int | float | str

#: A range with more values than this is taken for a slip of the keyboard.
MAX_VALUES = 1_000

#: Blocks of a round: whether a match goes on is decided between rounds only.
ROUND = 25


@dataclass(frozen=True)
class Cell:
    """One setting of the options and one line-up, with the blocks it plays.

    `rotations` is the number of games in a block; where the drawn orders differ in it (A,A,B,B has
    4 distinct rotations, A,B,A,B has 2), the largest. `games` is the exact number of all games.
    """

    index: int
    players: int
    settings: dict[str, Value]
    label: str
    agents: tuple[str, ...]
    rotations: int
    blocks: int
    games: int
    seed: int
    order: str

    def sittings(self, block: int) -> tuple[tuple[int, ...], ...]:
        """For each rotation of a block, the copy (index into `agents`) in each seat."""
        return _sittings(self.agents, cyclic_order(self.agents, self.seed, block, self.order))


class Plan(BaseModel):
    """What to play; equal plans play equal games.

    `kind` says who meets whom. Without one, `agents` is the line-up, repeated to fill the table. In
    a "match" each of two agents sits alone among copies of the other; in a "tournament" as many
    different agents as there are seats meet in all combinations; in a "gauntlet" the first agent
    meets the others so. `games` are those of a cell; of a match, the most it may take.

    Examples
    --------
    >>> plan = Plan.build({"game": "westward-rails", "players": 4, "agents": ["greedy", "random"],
    ...                    "games": 100, "settings": {"starting_money": "24:40:8"}})
    >>> plan.settings
    {'starting_money': [24, 32, 40]}
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    game: str
    players: list[int] = Field(min_length=1)
    agents: list[str] = Field(min_length=1)
    games: int = Field(ge=1)
    seed: int = Field(default=1, ge=0, lt=2**63)
    settings: dict[str, list[Value]] = {}
    board: str | None = None
    order: Literal["random", "fixed"] = "random"
    kind: Literal["match", "tournament", "gauntlet"] | None = None

    _source: str = PrivateAttr("The plan")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self.model_dump() == other.model_dump()

    @model_validator(mode="before")
    @classmethod
    def _spread(cls, data: Any) -> Any:
        """Accept one player count, a comma list of agents, and nested settings."""
        if not isinstance(data, dict):
            return data
        data = dict(data)
        if isinstance(data.get("players"), int):
            data["players"] = [data["players"]]
        if isinstance(data.get("agents"), str):
            data["agents"] = [spec.strip() for spec in data["agents"].split(",")]
        if isinstance(data.get("settings"), dict):
            data["settings"] = {
                key: _values(key, value) for key, value in flat(data["settings"]).items()
            }
        return data

    @field_validator("players", "agents", mode="after")
    @classmethod
    def _check_entries(cls, entries: list) -> list:
        if "" in entries:
            raise ValueError("an entry is empty")
        if isinstance(entries[0], int) and len(set(entries)) < len(entries):
            raise ValueError("a player count is given twice")
        return entries

    @model_validator(mode="after")
    def _check_kind(self) -> Plan:
        if self.kind is None:
            return self
        if self.kind == "match" and len(self.agents) != 2:
            raise ValueError(f"a match is between two agents, not {len(self.agents)}")
        if len(self.agents) < 2 or len(set(self.agents)) < len(self.agents):
            raise ValueError(f"a {self.kind} needs two or more agents, each given once")
        if len(self.players) > 1 or any(len(values) > 1 for values in self.settings.values()):
            raise ValueError(f"a {self.kind} has one player count and one value for each setting")
        return self

    @property
    def settings_source(self) -> str:
        """Where the settings were written, for errors."""
        return f"{self._source}: settings" if self._source.endswith(".toml") else "--set"

    @classmethod
    def build(cls, data: dict[str, Any], source: str = "The plan") -> Plan:
        """A plan from plain values; `source` names their origin in errors. Raises Mistake."""
        try:
            plan = validate(cls, data, source)
        except Mistake as mistake:  # one of a setting's values does not know the source
            named = str(mistake).startswith(f"{source}: ")
            raise mistake if named else Mistake(f"{source}: {mistake}") from None
        plan._source = source
        return plan

    @classmethod
    def load(cls, path: str | Path, **changes: Any) -> Plan:
        """A plan from a TOML file; `changes` that are not None replace its keys. Raises Mistake."""
        data = read_toml(path)
        if changes.get("settings"):
            data["settings"] = flat(data.get("settings", {})) | changes.pop("settings")
        data.update((key, value) for key, value in changes.items() if value is not None)
        return cls.build(data, source=str(path))

    def cells(self, game: Any) -> list[Cell]:
        """All cells: for each player count and line-up, the grid of the settings.

        An entry of an option by players, `starting_money.4`, holds at tables of that many only.
        Raises Mistake for a player count the game does not have, a line-up longer than a table, and
        such a key for a table that is not played.
        """
        tables = {key: game.options.players_of(key) for key in self.settings}
        for key, table in tables.items():
            if table is not None and table not in self.players:
                raise Mistake(
                    f"{self._source}: the setting {key!r} is for {table} players, "
                    f"and the plan has only {', '.join(map(str, self.players))}."
                )
        cells: list[Cell] = []
        for players in self.players:
            if players not in game.players:
                raise Mistake(
                    f"{self._source}: players = {players} is not possible in {game.title}; "
                    f"choose from {', '.join(map(str, game.players))}."
                )
            keys = [
                key
                for key, table in tables.items()
                if table == players or (table is None and tables.get(f"{key}.{players}") is None)
            ]
            line_ups = self._line_ups(players)
            grid = itertools.product(*(self.settings[key] for key in keys))
            for values, line_up in itertools.product(grid, line_ups):
                settings = dict(zip(keys, values, strict=True))
                varied = (key for key in keys if len(self.settings[key]) > 1)
                blocks, games, largest = _size(line_up, self._games(players), self.seed, self.order)
                cells.append(
                    Cell(
                        index=len(cells),
                        players=players,
                        settings=settings,
                        label=" ".join(f"{key}={text(settings[key])}" for key in varied),
                        agents=line_up,
                        rotations=largest,
                        blocks=blocks,
                        games=games,
                        seed=self.seed,
                        order=self.order,
                    )
                )
        return cells

    def _line_ups(self, players: int) -> list[tuple[str, ...]]:
        """Who sits together at tables of that many. Raises Mistake if that is too many agents."""
        if self.kind == "match":
            first, second = self.agents
            return [(first, *[second] * (players - 1)), (second, *[first] * (players - 1))]
        if self.kind == "tournament":
            return mixed(self.agents, players)
        if self.kind == "gauntlet":
            return [(self.agents[0], *rivals) for rivals in mixed(self.agents[1:], players - 1)]
        if len(self.agents) > players:
            raise Mistake(
                f"{self._source}: agents lists {len(self.agents)}, too many for a table of "
                f"{players}; name at most {players}, a shorter list is repeated."
            )
        return [tuple(itertools.islice(itertools.cycle(self.agents), players))]

    def _games(self, players: int) -> int:
        """Games of a cell at least; those of a match are whole rounds of both its cells."""
        if self.kind != "match":
            return self.games
        round_of_both = 2 * players * ROUND
        if self.games < 2 * round_of_both:
            raise Mistake(
                f"{self._source}: games = {self.games} is too few for a match at a table of "
                f"{players}, which is decided after two rounds of {round_of_both} games at the "
                f"earliest; give {2 * round_of_both} or more."
            )
        return self.games // round_of_both * players * ROUND


def mixed(agents: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """All line-ups of different agents; with fewer agents than seats, as evenly as they can be.

    >>> mixed(["a", "b", "c"], 2)
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    >>> mixed(["a", "b"], 3)
    [('a', 'a', 'b'), ('a', 'b', 'b')]
    """
    times, more = divmod(seats, len(agents))
    return [
        tuple(spec for spec in agents for _ in range(times + (spec in chosen)))
        for chosen in itertools.combinations(agents, more)
    ]


def differences(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """What keeps a run of the plan `old` from going on as `new`; more games are no difference."""
    found = [
        f"{key} is {old.get(key)!r} there and {new.get(key)!r} here"
        for key in Plan.model_fields
        if key != "games" and old.get(key) != new.get(key)
    ]
    if not found and list(old["settings"]) != list(new["settings"]):  # the cells' order
        there, here = (", ".join(settings) for settings in (old["settings"], new["settings"]))
        found.append(f"the settings are in the order {there} there and {here} here")
    if new["games"] < old["games"]:
        found.append(f"games is {old['games']} there and {new['games']} here, and can only grow")
    return found


def text(value: Value) -> str:
    """A setting's value as it is typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def parse_settings(flags: Iterable[str]) -> dict[str, list[Value]]:
    """Settings from `key=value` flags: one value, `a,b,c`, or `start:stop:step` with the stop.

    Raises Mistake for a flag without "=", a key given twice, and a range that never ends.

    >>> parse_settings(["starting_money=24:48:8", "demand_spaces=4"])
    {'starting_money': [24, 32, 40, 48], 'demand_spaces': [4]}
    """
    settings: dict[str, list[Value]] = {}
    for flag in flags:
        key, equals, value = (part.strip() for part in flag.partition("="))
        if not (key and equals and value):
            raise Mistake(f"The setting {flag!r} is not of the form key=value.")
        if key in settings:
            raise Mistake(f"The setting {key!r} is given twice; write {key}=first,second instead.")
        settings[key] = _values(key, value)
    return settings


def flat(options: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Nested tables as dotted keys.

    >>> flat({"starting_money": {"3": 40, "4": 30}})
    {'starting_money.3': 40, 'starting_money.4': 30}
    """
    found: dict[str, Any] = {}
    for key, value in options.items():
        if isinstance(value, dict):
            found.update(flat(value, f"{before}{key}."))
        else:
            found[f"{before}{key}"] = value
    return found


def rotations(line_up: Sequence) -> int:
    """The smallest shift, 1 or more, that maps a list onto itself: its distinct rotations.

    >>> rotations(["a"] * 4), rotations(["a", "b", "a", "b"]), rotations(["a", "b", "b", "b"])
    (1, 2, 4)
    """
    line_up = list(line_up)
    return next(
        shift
        for shift in range(1, len(line_up) + 1)
        if line_up[shift:] + line_up[:shift] == line_up
    )


def cyclic_order(
    line_up: Sequence[str], seed: int, block: int, order: str = "random"
) -> tuple[int, ...]:
    """The order in which the copies of a line-up sit round the table, as indices into it.

    With "random", uniform over the distinct cyclic orders by stream (seed, block, "order"): for
    A,A,B,B these are AABB and ABAB, so a block has as many rotations as *its* order has. Which
    copy of one spec takes which of its places does not matter and is not drawn.

    >>> cyclic_order(["a", "b", "b", "b"], seed=1, block=0)
    (0, 1, 2, 3)
    """
    if order == "fixed":
        return tuple(range(len(line_up)))
    orders = _cyclic_orders(tuple(line_up))
    if len(orders) == 1:
        return orders[0]
    from sim.rng import stream  # imports numba

    return orders[stream(seed, block, "order") % len(orders)]


def seats(order: Sequence, rotation: int) -> tuple:
    """Who sits in each seat: the entry at place j is in seat (j + rotation) mod n.

    >>> seats("abcd", 1)
    ('d', 'a', 'b', 'c')
    """
    players = len(order)
    return tuple(order[(seat - rotation) % players] for seat in range(players))


@lru_cache
def _cyclic_orders(line_up: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """The distinct cyclic orders of a line-up's copies, each from its smallest turn."""
    specs = list(dict.fromkeys(line_up))
    pattern = tuple(specs.index(spec) for spec in line_up)
    orders = {
        min(seats((*pattern[:1], *rest), turn) for turn in range(len(pattern)))
        for rest in set(itertools.permutations(pattern[1:]))
    }
    places = sorted(range(len(pattern)), key=lambda copy: pattern[copy])  # stable: copies in order
    found = []
    for order in sorted(orders):
        copies = dict(zip(sorted(range(len(order)), key=order.__getitem__), places, strict=True))
        found.append(tuple(copies[place] for place in range(len(order))))
    return tuple(found)


@lru_cache
def _sittings(line_up: tuple[str, ...], copies: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    count = rotations([line_up[copy] for copy in copies])
    return tuple(seats(copies, rotation) for rotation in range(count))


def _size(line_up: tuple[str, ...], games: int, seed: int, order: str) -> tuple[int, int, int]:
    """Blocks, all their games, and the largest block, for at least so many games."""
    orders = [tuple(range(len(line_up)))] if order == "fixed" else _cyclic_orders(line_up)
    lengths = {len(_sittings(line_up, copies)) for copies in orders}
    largest = max(lengths)
    if len(lengths) == 1:
        blocks = math.ceil(games / largest)
        return blocks, blocks * largest, largest
    blocks = played = 0
    while played < games:
        played += len(_sittings(line_up, cyclic_order(line_up, seed, blocks, order)))
        blocks += 1
    return blocks, played, largest


def _values(key: str, value: Any) -> list[Value]:
    """The values of one setting, from a list, a single value, or text as in a flag."""
    parts = value.split(",") if isinstance(value, str) else value
    parts = parts if isinstance(parts, list) else [parts]
    values = [
        one for part in parts for one in (_read(key, part) if isinstance(part, str) else [part])
    ]
    if not values:
        raise Mistake(f"the setting {key!r} has an empty list; give at least one value.")
    for one in values:
        if not isinstance(one, Value):
            raise Mistake(
                f"the setting {key!r} has {one!r}; a value is a number, a word or true/false."
            )
        if sum(one == other and type(one) is type(other) for other in values) > 1:
            raise Mistake(f"the setting {key!r} has the value {text(one)} twice.")
    return values


def _read(key: str, word: str) -> list[Value]:
    """One word of a setting: a number, true, false, a range, or itself."""
    word = word.strip()
    if not word:
        raise Mistake(f"the setting {key!r} has an empty value.")
    if word.lower() in ("true", "false"):
        return [word.lower() == "true"]
    try:
        numbers = [Decimal(part) for part in word.split(":")]
    except InvalidOperation:
        return [word]
    if len(numbers) > 3 or not all(number.is_finite() for number in numbers):
        return [word]
    if len(numbers) > 1:
        start, stop, step = numbers if len(numbers) == 3 else (*numbers, Decimal(1))
        count = (stop - start) / step + 1 if step else 0
        if not 1 <= count <= MAX_VALUES:
            raise Mistake(
                f"the setting {key!r} has the range {word!r}; start:stop:step needs a step that "
                f"leads from start to stop in at most {MAX_VALUES} values."
            )
        if count != int(count):
            ends = [start + step * i for i in (int(count) - 1, int(count))]
            right = " or ".join(f"{start}:{end}:{step}" for end in ends)
            raise Mistake(
                f"the setting {key!r} has the range {word!r}, which steps past {stop}; "
                f"write {right}."
            )
        numbers = [start + step * i for i in range(int(count))]
    is_whole = all(number == int(number) for number in numbers) and "." not in word
    return [int(number) if is_whole else float(number) for number in numbers]
