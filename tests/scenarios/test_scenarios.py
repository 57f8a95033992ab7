"""Every rule of every game, as scenario files that a reader of the rulebook can check."""

import re
from pathlib import Path

import pytest

import sim
from sim import scenario

FOLDER = Path(__file__).parent
ROOMS = {
    "great_western_trail": "great-western-trail",
    "railways_of_the_world": "railways-of-the-world",
    "westward_rails": "westward-rails",
}
RULINGS = {  # rows of the READMEs' tables
    "great_western_trail": 56,
    "railways_of_the_world": 56,
    "westward_rails": 79,
}
FILES = sorted(path for room in ROOMS for path in (FOLDER / room).glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_scenario(path):
    assert scenario.check(scenario.load(path)) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_it_says_what_it_shows(path):
    """It opens with the section of the rulebook, and names the codes in its own name."""
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# ")
    for code in re.findall(r"(?<=_)[A-Z]\d+[a-z]?(?=_)", path.stem):
        assert re.search(rf"\b{code}\b", _opening(text)), code
    game = scenario.load(path).game
    assert ROOMS[path.parent.name] == game


@pytest.mark.parametrize("room", RULINGS)
def test_every_ruling_has_a_scenario(room):
    """Each ruling of the room's README names scenario files; they exist and name the ruling."""
    sim.load(ROOMS[room])
    readme = FOLDER.parent.parent / "sim" / room / "README.md"
    row = re.compile(r"^\| ([A-Z]\d+[a-z]?) \|.*\| ([^|]+) \|$", re.MULTILINE)
    rows = row.findall(readme.read_text("utf-8"))
    codes = [code for code, _ in rows]
    assert len(codes) == RULINGS[room] and len(set(codes)) == len(codes)
    for code, cell in rows:
        names = re.findall(r"`(\w+)`", cell)
        assert names, f"{code} has no scenario"
        for name in names:
            text = (FOLDER / room / f"{name}.toml").read_text(encoding="utf-8")
            assert re.search(rf"\b{code}\b", _opening(text)), f"{name} does not name {code}"


@pytest.mark.parametrize("room", ROOMS)
def test_both_values_of_every_switch(room):
    """Every option that is a ruling rather than a number is played with each value it can have."""
    game = sim.load(ROOMS[room])
    tried = {}
    for path in FILES:
        if path.parent.name == room:
            played = scenario.load(path)
            for name, value in played.start().board.options:
                tried.setdefault(name, set()).add(str(value))
    for name, field in game.options.model_fields.items():
        if isinstance(field.default, bool):
            assert tried[name] == {"True", "False"}, name
        elif hasattr(field.annotation, "__args__") and isinstance(field.default, str):
            assert tried[name] == set(field.annotation.__args__), name


def _opening(text: str) -> str:
    """The comment a file opens with."""
    lines = text.splitlines()
    return "\n".join(lines[: next(n for n, line in enumerate(lines) if not line.startswith("#"))])
