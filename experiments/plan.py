"""An experiment as cells, blocks and rotations, from a TOML file or from flags.

A *cell* is one setting of the options with one line-up. A *block* is one seed, played once in each
distinct rotation of the seats; it is the unit of every statistic.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
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

from experiments.recommend import parse_wants
from experiments.stats import blocks_needed
from sim.errors import Mistake
from sim.options import read_toml, validate

Value = bool | int | float | str

#: A range with more values than this is taken for a slip of the keyboard.
MAX_VALUES = 1_000

#: Blocks of a round: whether a match goes on is decided between rounds only.
ROUND = 25

#: More line-ups of strategies than this are taken for a slip.
MOST_LINE_UPS = 500

#: A sweep's cell plays so many times the blocks of a study of fixed size at most.
MOST_TIMES = 3


@dataclass(frozen=True)
class Cell:
    """One setting of the options and one line-up, with the blocks it plays.

    `rotations` is the number of games in a block; where the drawn orders differ in it (A,A,B,B has
    4 distinct rotations, A,B,A,B has 2), the largest. `games` is the exact number of all games. Of
    a sweep's cell, `needed` are the blocks that a study of fixed size would take, if the games of
    a block were independent.
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
    needed: int | None = None

    def sittings(self, block: int) -> tuple[tuple[int, ...], ...]:
        """For each rotation of a block, the copy (index into `agents`) in each seat."""
        return _sittings(self.agents, cyclic_order(self.agents, self.seed, block, self.order))


class Plan(BaseModel):
    """What to play; equal plans play equal games.

    `kind` says who meets whom. Without one, `agents` is the line-up, repeated to fill the table, or
    `line_ups` are several such. In a "match" each of two agents sits alone among copies of the
    other; in a "tournament" as many different agents as there are seats meet in all combinations;
    in a "gauntlet" the first agent meets the others so; with "strategies" all line-ups are played
    that can be made of the agents, for the same blocks. A "sweep" is the grid of settings and
    line-ups, of which each cell is played until it is known whether its seats are within `margin`
    percentage points of fair; `want` is what a setting to recommend should have beside that (see
    `recommend.QUANTITIES`), such as {"length": "50:80"}; each entry of `without` makes a line-up in
    which one copy of the agent, alone among the others, may not choose actions with these words,
    and which plays all its games. `games` are those of a cell; the most it may take in a match and
    in a sweep, where three times the games of a study of fixed size are, if it is not given.

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
    line_ups: list[list[str]] = []
    games: int | None = Field(default=None, ge=1)
    seed: int = Field(default=1, ge=0, lt=2**63)
    settings: dict[str, list[Value]] | list[dict[str, list[Value]]] = {}
    board: str | None = None
    order: Literal["random", "fixed"] = "random"
    kind: Literal["match", "tournament", "gauntlet", "strategies", "sweep"] | None = None
    margin: float = Field(default=3.0, gt=0.0)
    want: dict[str, str] = {}
    without: list[str] = []

    _source: str = PrivateAttr("The plan")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self.model_dump() == other.model_dump()

    @model_validator(mode="before")
    @classmethod
    def _spread(cls, data: Any) -> Any:
        """Accept one player count, comma lists of agents, line-ups alone, and nested settings."""
        if not isinstance(data, dict):
            return data
        data = dict(data)
        if isinstance(data.get("players"), int):
            data["players"] = [data["players"]]
        if isinstance(data.get("agents"), str):
            data["agents"] = _specs(data["agents"])
        if isinstance(data.get("line_ups"), list) and data["line_ups"]:
            data["line_ups"] = [
                _specs(one) if isinstance(one, str) else one for one in data["line_ups"]
            ]
            if "agents" not in data and all(isinstance(one, list) for one in data["line_ups"]):
                data["agents"] = list(dict.fromkeys(itertools.chain(*data["line_ups"])))
        grids = data.get("settings")
        if isinstance(grids, dict):
            data["settings"] = _grid(grids)
        elif isinstance(grids, list) and all(isinstance(grid, dict) for grid in grids):
            data["settings"] = [_grid(grid) for grid in grids]
        return data

    @field_validator("players", "agents", "line_ups", "without", mode="after")
    @classmethod
    def _check_entries(cls, entries: list) -> list:
        if any(entry in ("", []) or (isinstance(entry, list) and "" in entry) for entry in entries):
            raise ValueError("an entry is empty")
        if (
            entries
            and isinstance(entries[0], list)
            and len(set(map(tuple, entries))) < len(entries)
        ):
            raise ValueError("a line-up is given twice")
        if entries and isinstance(entries[0], int) and len(set(entries)) < len(entries):
            raise ValueError("a player count is given twice")
        return entries

    @field_validator("without", mode="after")
    @classmethod
    def _check_words(cls, entries: list[str]) -> list[str]:
        if len(set(entries)) < len(entries):
            raise ValueError("the same words are given twice")
        return entries

    @model_validator(mode="after")
    def _check_kind(self) -> Plan:
        if self.line_ups and set(self.agents) != set(itertools.chain(*self.line_ups)):
            raise ValueError("agents and line_ups are given, and differ; one of them is enough")
        parse_wants(self.want)
        if self.kind == "sweep":
            fair = 100 / max(self.players)
            if self.margin >= fair:
                raise ValueError(f"margin = {self.margin:g} reaches the fair share, {fair:.1f} %")
            if self.without and (several := len(set(self.agents))) > 1:
                raise ValueError(f"'without' is for a sweep of one agent, not {several}")
            return self
        if self.want or self.margin != type(self).model_fields["margin"].default:
            raise ValueError("margin and want are for a sweep; they need kind = 'sweep'")
        if self.without:
            raise ValueError("'without' is for a sweep; it needs kind = 'sweep'")
        if self.games is None:
            raise ValueError("'games' is missing; give the games of each cell")
        if self.kind is None:
            return self
        if self.line_ups:
            raise ValueError(f"{self._named} has agents, and makes the line-ups from them")
        if self.kind == "match" and len(self.agents) != 2:
            raise ValueError(f"a match is between two agents, not {len(self.agents)}")
        if len(self.agents) < 2 or len(set(self.agents)) < len(self.agents):
            raise ValueError(f"{self._named} needs two or more agents, each given once")
        if self.kind == "strategies":
            return self
        is_one = len(self.grids) == 1 and all(len(v) == 1 for v in self.grids[0].values())
        if len(self.players) > 1 or not is_one:
            raise ValueError(f"a {self.kind} has one player count and one value for each setting")
        return self

    @property
    def _named(self) -> str:
        return f"a {'run of ' if self.kind == 'strategies' else ''}{self.kind}"

    @property
    def grids(self) -> list[dict[str, list[Value]]]:
        """The values of each setting, for one grid or a list of them."""
        return _listed(self.settings)

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
        kind = changes.get("kind")
        if kind and data.get("kind", kind) != kind:
            raise Mistake(f"{path}: kind = {data['kind']!r} is no {kind}; play it with spike run.")
        if changes.get("settings"):
            grids = data.get("settings", {})
            own = [flat(grid) | changes["settings"] for grid in _listed(grids)]
            data["settings"] = own if isinstance(grids, list) else own[0]
            del changes["settings"]
        if changes.get("agents") or changes.get("line_ups"):
            data = {key: value for key, value in data.items() if key not in ("agents", "line_ups")}
        data.update((key, value) for key, value in changes.items() if value is not None)
        return cls.build(data, source=str(path))

    def cells(self, game: Any) -> list[Cell]:
        """All cells: for each player count and line-up, the grid of the settings.

        An entry of an option by players, `starting_money.4`, holds at tables of that many only.
        Raises Mistake for a player count the game does not have, a line-up longer than a table, and
        such a key for a table that is not played.
        """
        tables = {key: game.options.players_of(key) for grid in self.grids for key in grid}
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
            for settings, label in self._settings(players, tables):
                for line_up in self._line_ups(players):
                    lengths = _lengths(line_up, self.order)
                    needed = None
                    if self.kind == "sweep":
                        needed = blocks_needed(players, self.margin / 100, games=min(lengths))
                    blocks = self._blocks(players, max(lengths), needed)
                    blocks, games = _size(line_up, self.games, blocks, self.seed, self.order)
                    cells.append(
                        Cell(
                            index=len(cells),
                            players=players,
                            settings=settings,
                            label=label,
                            agents=line_up,
                            rotations=max(lengths),
                            blocks=blocks,
                            games=games,
                            seed=self.seed,
                            order=self.order,
                            needed=needed,
                        )
                    )
        return cells

    def _settings(
        self, players: int, tables: dict[str, int | None]
    ) -> Iterator[tuple[dict[str, Value], str]]:
        """Each setting at tables of that many, and what varies in it, as typed."""
        for grid in self.grids:
            keys = [
                key
                for key in grid
                if tables[key] == players
                or (tables[key] is None and tables.get(f"{key}.{players}") is None)
            ]
            varied = [key for key in keys if len(grid[key]) > 1 or len(self.grids) > 1]
            for values in itertools.product(*(grid[key] for key in keys)):
                settings = dict(zip(keys, values, strict=True))
                yield settings, " ".join(f"{key}={plain(settings[key])}" for key in varied)

    def _line_ups(self, players: int) -> list[tuple[str, ...]]:
        """Who sits together at tables of that many. Raises Mistake if that is too many agents."""
        if self.kind == "match":
            first, second = self.agents
            return [(first, *[second] * (players - 1)), (second, *[first] * (players - 1))]
        if self.kind == "tournament":
            return mixed(self.agents, players)
        if self.kind == "gauntlet":
            return [(self.agents[0], *rivals) for rivals in mixed(self.agents[1:], players - 1)]
        if self.kind == "strategies":
            return self._all_line_ups(players)
        if self.without:
            base = self.agents[0]
            return [(restricted(base, one), *[base] * (players - 1)) for one in self.without]
        line_ups = self.line_ups or [self.agents]
        for specs in line_ups:
            if len(specs) > players:
                raise Mistake(
                    f"{self._source}: agents lists {len(specs)}, too many for a table of "
                    f"{players}; name at most {players}, a shorter list is repeated."
                )
        return [tuple(itertools.islice(itertools.cycle(specs), players)) for specs in line_ups]

    def _all_line_ups(self, players: int) -> list[tuple[str, ...]]:
        """All multisets of the agents. Raises Mistake for too many."""
        number = math.comb(len(self.agents) + players - 1, players)
        if number > MOST_LINE_UPS:
            fits = len(self.agents)
            while math.comb(fits + players - 1, players) > MOST_LINE_UPS:
                fits -= 1
            raise Mistake(
                f"{self._source}: {len(self.agents)} agents at a table of {players} make "
                f"{number:,} line-ups, more than {MOST_LINE_UPS}; give at most {fits} agents, or "
                "fewer players."
            )
        return list(itertools.combinations_with_replacement(self.agents, players))

    def _blocks(self, players: int, rotations: int, needed: int | None) -> int | None:
        """Blocks of a cell of a match or a sweep, which are whole rounds, and of strategies, which
        are those that the longest line-ups take."""
        if self.kind == "strategies":
            return math.ceil(self.games / players)
        if self.kind == "match":
            size, cells, least, what = ROUND, 2, 2, "a match"
        elif needed is not None:
            size, cells, least, what = round_size(needed), 1, 1, "a cell of this sweep"
        else:
            return None
        if self.games is None:  # whatever the variance turns out to be
            most = MOST_TIMES * blocks_needed(players, self.margin / 100)
            return math.ceil(most / size) * size
        games = cells * size * rotations
        if self.games < least * games:
            raise Mistake(
                f"{self._source}: games = {self.games} is too few for {what} at a table of "
                f"{players}, which is decided after rounds of {games} games; give "
                f"{least * games} or more."
            )
        return self.games // games * size


def restricted(agent: str, words: str) -> str:
    """The agent that may not choose actions with these words.

    >>> restricted("greedy", "upgrade")
    'greedy:without=upgrade'
    """
    return f"{agent}:without={words}"


def round_size(needed: int) -> int:
    """Blocks of a round of a sweep's cell, of which a study of fixed size would need so many.

    More rounds would save no games to speak of, and with fewer the workers wait for each other.

    >>> round_size(800), round_size(3147)
    (25, 50)
    """
    return math.ceil(needed / 64 / ROUND) * ROUND


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
    """What keeps a run of the plan `old` from going on as `new`, beside fewer games.

    What is wanted of the settings changes no game.
    """
    found = [
        f"{key} is {there!r} there and {new[key]!r} here"
        for key, field in Plan.model_fields.items()
        if key not in ("games", "want") and (there := old.get(key, field.default)) != new[key]
    ]
    if not found:  # the cells' order
        there, here = (
            ", ".join(key for grid in _listed(plan["settings"]) for key in grid)
            for plan in (old, new)
        )
        if there != here:
            found.append(f"the settings are in the order {there} there and {here} here")
    return found


def plain(value: Value) -> str:
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


def _lengths(line_up: tuple[str, ...], order: str) -> set[int]:
    """Games that a block can have."""
    orders = [tuple(range(len(line_up)))] if order == "fixed" else _cyclic_orders(line_up)
    return {len(_sittings(line_up, copies)) for copies in orders}


@lru_cache
def _size(
    line_up: tuple[str, ...], games: int | None, blocks: int | None, seed: int, order: str
) -> tuple[int, int]:
    """Blocks and their games: so many blocks, or for at least so many games."""
    lengths = _lengths(line_up, order)
    if len(lengths) == 1:
        (length,) = lengths
        blocks = blocks or math.ceil(games / length)
        return blocks, blocks * length
    played = number = 0
    while number < blocks if blocks else played < games:
        played += len(_sittings(line_up, cyclic_order(line_up, seed, number, order)))
        number += 1
    return number, played


def _specs(line_up: str) -> list[str]:
    return [spec.strip() for spec in line_up.split(",")]


def _listed(grids: Any) -> list[Any]:
    return grids if isinstance(grids, list) else [grids]


def _grid(settings: dict[str, Any]) -> dict[str, list[Value]]:
    return {key: _values(key, value) for key, value in flat(settings).items()}


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
            raise Mistake(f"the setting {key!r} has the value {plain(one)} twice.")
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
