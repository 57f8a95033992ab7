"""Scenario files: a position, what is done in it, and what the rules make of it.

    # Leasing: pay $2 a segment, divided among the rival's shares and rounded up.
    game = "westward-rails"
    players = 3                        # seats are numbered from 0
    # seed = 1                         # deals what is not given
    # board = "reconstructed_map"      # or a board file, looked for beside the scenario

    [options]                          # options that differ from the board's
    lease_tie = "cheapest"

    [given]                            # whatever is not given is as after set-up
    phase = "turn"
    to_move = 0
    money = [20, 20, 20]

    [[do]]                             # one decision, by whoever is to decide
    action = "build midland_pacific grand_junction-provo"
    seat = 0                           # optional: whose decision it should be
    [do.expect]                        # optional: as [expect], right after this step
    phase = "second cube"

    [[do]]
    action = ["stop", "auction santa_fe", "bid 5", "pass", "pass"]     # several decisions in a row

    [[do]]                             # the action, or each of the list, should be illegal
    action = "upgrade front_range"     # here; it is not played
    illegal = true
    why = "and seat 2 has $4"          # optional: words of the reason

    [[do]]
    action = "pass"
    forced = true                      # optional: it should be the only legal action

    [[do]]
    redraw_for = 1                     # all that seat 1 cannot know is drawn anew

    [expect]                           # at the end
    money = [18, 22, 22]

Every decision is written down, also one that is forced, so that the file alone tells the story.
Names are those of the board file. A table may name some of its entries only (`value.santa_fe = 6`);
a list that ends in "..." gives only its beginning; a list of tables (`track`) gives only the
entries that matter.

Keys of `expect` for every game: `to_move`, `turn`, `is_over`, `end_reason`, `status`, `scores`,
`payoffs`, `winners` (empty while the game goes on), and `legal` with `contains`, `not` and `only`,
lists of actions, in which `*` stands for any text ("build *"). All other keys, and those of
`given`, are the game's own: `GIVEN` and `EXPECTED` in its room's `scenarios.py`.
"""

import fnmatch
import functools
import json
import math
from pathlib import Path
from typing import Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    field_validator,
)

import sim
from sim.errors import Mistake, nearest
from sim.game import Board, Position
from sim.options import read_toml, validate

_EXPECTED = (
    "to_move",
    "turn",
    "is_over",
    "end_reason",
    "status",
    "scores",
    "payoffs",
    "winners",
    "legal",
)
_LEGAL = ("contains", "not", "only")


class Step(BaseModel):
    """One `[[do]]`: decisions to play, or to find illegal, and what to expect then."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    action: Any = ()
    seat: StrictInt | None = None
    illegal: StrictBool = False
    why: str = ""
    forced: StrictBool = False
    redraw_for: StrictInt | None = None
    expect: dict[str, Any] = {}

    @classmethod
    def called(cls, _: Any, number: int) -> str:
        """What faults call a step: its number in the file."""
        return f"[[do]] {number}"

    @field_validator("action")
    @classmethod
    def _as_list(cls, value: Any) -> list[str]:
        texts = [value] if isinstance(value, str) else value
        is_list = isinstance(texts, list) and texts
        if not is_list or not all(isinstance(text, str) and text.strip() for text in texts):
            raise ValueError(f"{_shown(value)} should be an action or a list of actions")
        return texts


class Scenario(BaseModel):
    """A scenario file, its keys and names checked. Made by `load`."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    game: str
    players: StrictInt
    seed: StrictInt = 1
    board: str | None = None
    options: dict[str, Any] = {}
    given: dict[str, Any] = {}
    do: list[Step] = []
    expect: dict[str, Any] = {}
    path: Path = Field(Path(), exclude=True)

    def start(self) -> Position:
        """The given position. Raises Mistake when it cannot be."""
        board = _board(self)
        try:
            position = board.new(self.players, self.seed)
        except Mistake as mistake:
            raise Mistake(f"{self.path}: {mistake}") from None
        try:
            position.game.scenarios.give(position, self.given)
        except Mistake as mistake:
            raise Mistake(f"{self.path}: [given] {mistake}") from None
        return position


def load(path: str | Path) -> Scenario:
    """The scenario in a TOML file.

    Raises Mistake for a file that cannot be read, an unknown key or name (with the nearest right
    one), a value of the wrong kind, and a position that cannot be.
    """
    path = Path(path)
    document = read_toml(path)
    if "path" in document:
        raise Mistake(f"{path}: there is no key 'path'.")
    scenario = validate(Scenario, {**document, "path": path}, str(path))
    position = scenario.start()
    for number, step in enumerate(scenario.do, 1):
        where = f"{path}: [[do]] {number}"
        for key in ("seat", "redraw_for"):
            seat = getattr(step, key)
            if seat is not None and not 0 <= seat < scenario.players:
                raise Mistake(
                    f"{where}: {key} = {seat} should be a seat from 0 to {scenario.players - 1}."
                )
        if step.why and not step.illegal:
            raise Mistake(f"{where}: 'why' is for an action with illegal = true.")
        if (step.illegal or step.forced) and not step.action:
            raise Mistake(f"{where}: the key 'action' is missing.")
        if step.illegal and step.forced:
            raise Mistake(f"{where}: an action cannot be both illegal and forced.")
        _check_keys(position, step.expect, f"{where}: expect")
    _check_keys(position, scenario.expect, f"{path}: [expect]")
    return scenario


def check(scenario: Scenario) -> list[str]:
    """Play a scenario and say what differs from what it expects, a sentence each.

    An empty list: all is as expected. Raises Mistake for an action that cannot be read.

    >>> from sim import scenario                                                # doctest: +SKIP
    >>> scenario.check(scenario.load("lease.toml"))                             # doctest: +SKIP
    ['At the end: money should be [18, 22, 22] but is [18, 21, 22].']
    """
    position = scenario.start()
    told: list[str] = []
    for number, step in enumerate(scenario.do, 1):
        where = f"Step {number}"
        if step.seat is not None and step.seat != position.to_move:
            told.append(
                f"{where}: seat {step.seat} should decide but seat {position.to_move} does."
            )
        for text in step.action:
            refusal = _refusal(position, text, f"{scenario.path}: [[do]] {number}")
            if step.illegal:
                told += _wrongly_legal(where, text, step.why, refusal)
                continue
            if refusal:
                return [*told, f"{where}: {refusal}"]
            if step.forced and len(position.legal_codes()) > 1:
                others = [other for other in position.legal() if other != text]
                told.append(f"{where}: {text!r} is not forced: {others[0]!r} is legal too.")
            position.play(text)
            if position.status != "ok":
                return [
                    *told,
                    f"{where}: after {text!r} the position is {position.status}.",
                ]
        if step.redraw_for is not None:
            position = position.determinized(step.redraw_for, scenario.seed + number)
        told += _compare_all(position, step.expect, f"After step {number}")
    return told + _compare_all(position, scenario.expect, "At the end")


def _board(scenario: Scenario) -> Board:
    name = scenario.board
    if name is not None and name.endswith(".toml"):
        name = str(scenario.path.parent / name)
    try:
        return _shared_board(scenario.game, name, json.dumps(scenario.options, sort_keys=True))
    except Mistake as mistake:
        raise Mistake(f"{scenario.path}: {mistake}") from None


@functools.lru_cache(maxsize=64)
def _shared_board(game: str, name: str | None, options: str) -> Board:
    return sim.load(game).board(name, json.loads(options), "[options]")


def _check_keys(position: Position, expect: dict[str, Any], where: str) -> None:
    """Every key known, every value of the right kind, every name on the board."""
    room = position.game.scenarios
    known = [*_EXPECTED, *room.EXPECTED]
    for key, value in expect.items():
        if key not in known:
            raise Mistake(f"{where} there is no key {key!r}{nearest(key, known)}.")
        if key == "legal":
            if not isinstance(value, dict):
                raise Mistake(f"{where} legal should be a table with {', '.join(_LEGAL)}.")
            for part in value:
                if part not in _LEGAL:
                    raise Mistake(f"{where} there is no key 'legal.{part}'{nearest(part, _LEGAL)}.")
        elif key not in _EXPECTED:
            try:
                room.tidy(position, key, value)
            except Mistake as mistake:
                raise Mistake(f"{where} {mistake}") from None


def _refusal(position: Position, text: str, where: str) -> str:
    """Why an action is not legal; empty when it is. Raises Mistake when it cannot be read."""
    try:
        position.code(text)
    except Mistake as mistake:
        told = str(mistake)
        if "is not legal" in told or "the game is over" in told:
            return told
        raise Mistake(f"{where}: {told}") from None
    return ""


def _wrongly_legal(where: str, text: str, why: str, refusal: str) -> list[str]:
    if not refusal:
        return [f"{where}: {text!r} should be illegal but is legal."]
    if why not in refusal:
        return [
            f"{where}: {text!r} should be illegal because {why!r}, but the reason is: {refusal}"
        ]
    return []


def _compare_all(position: Position, expect: dict[str, Any], where: str) -> list[str]:
    room = position.game.scenarios
    told = []
    for key, expected in expect.items():
        if key == "legal":
            told += _compare_legal(position, expected, where)
        elif key in _EXPECTED:
            told += _compare(key, expected, getattr(position, key))
        else:
            told += _compare(key, room.tidy(position, key, expected), room.look(position, key))
    return [line if line.startswith(where) else f"{where}: {line}" for line in told]


def _compare_legal(position: Position, expected: dict[str, list[str]], where: str) -> list[str]:
    legal = position.legal()
    told = []

    def matching(text: str) -> list[str]:
        if "*" in text:
            return fnmatch.filter(legal, text)
        if _refusal(position, text, where):
            return []
        return [position.text(position.code(text))]

    for text in expected.get("contains", []):
        if not matching(text):
            reason = "" if "*" in text else f": {_refusal(position, text, where)}"
            told.append(f"{text!r} should be legal but is not{reason}".rstrip(".") + ".")
    for text in expected.get("not", []):
        told += [f"{found!r} should not be legal but is." for found in matching(text)[:3]]
    if "only" in expected:
        wanted = [found for text in expected["only"] for found in matching(text)]
        told += [f"{text!r} should be legal." for text in expected["only"] if not matching(text)]
        others = [text for text in legal if text not in wanted]
        told += [f"{text!r} should not be legal but is." for text in others[:3]]
    return told


def _compare(key: str, expected: Any, found: Any) -> list[str]:
    """How what was found differs: entries that `expected` does not name may be anything."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return [
            line
            for name, value in expected.items()
            for line in _compare(f"{key}.{name}", value, found[name])
        ]
    if isinstance(expected, list) and expected and isinstance(expected[0], dict):
        first = next(iter(expected[0]))
        entries = {entry[first]: entry for entry in found}
        return [
            line
            for entry in expected
            for line in _compare(f"{key} {entry[first]}", entry, entries[entry[first]])
        ]
    if isinstance(expected, list) and expected[-1:] == ["..."]:
        expected = expected[:-1]
        found = found[: len(expected)]
    if _equal(expected, found):
        return []
    return [f"{key} should be {_shown(expected)} but is {_shown(found)}."]


def _equal(expected: Any, found: Any) -> bool:
    """Equal, shares of the win to three places."""
    if isinstance(expected, list) and isinstance(found, list):
        return len(expected) == len(found) and all(map(_equal, expected, found))
    if isinstance(found, float) and isinstance(expected, int | float):
        return math.isclose(expected, found, abs_tol=1e-3)
    return type(expected) is type(found) and expected == found


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
