"""Tables on the terminal."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

import agents
from sim.game import Game

if TYPE_CHECKING:
    from experiments.metrics import Summary
    from experiments.stats import Interval


def _table(*columns: str, right: Sequence[str] = ()) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), title_justify="left")
    for column in columns:
        name = column.replace("_", " ")  # a header may wrap there
        justify = "right" if column in right else "left"
        table.add_column(name, justify=justify, overflow="fold", no_wrap=column == columns[0])
    return table


def games(found: Sequence[Game], as_json: bool) -> None:
    """The games, a line each."""
    if as_json:
        print(json.dumps([_described(game) for game in found], indent=1))
        return
    table = _table("game", "title", "players", "boards")
    for game in found:
        table.add_row(game.name, game.title, _players(game), ", ".join(game.boards()))
    Console().print(table)


def game(game: Game, as_json: bool) -> None:
    """One game: what it rests on, its agents and its options."""
    described = _described(game)
    if as_json:
        print(json.dumps(described, indent=1))
        return
    console = Console()
    console.print(f"{game.title}, {_players(game)} players, rules version {game.version}")
    console.print(f"Boards: {', '.join(game.boards())}", highlight=False)
    for assumption in game.assumptions:
        console.print(f"Assumed: {assumption}", highlight=False)
    table = _table("agent", "how it plays")
    for name, text in described["agents"].items():
        table.add_row(name, escape(text))
    console.print("", table)
    table = _table("parameter", "value", "of every agent but random", right=["value"])
    for name, (value, text) in agents.parameters(game).items():
        table.add_row(name, f"{value:g}", escape(text))
    console.print("", table)
    table = _table("option", "what it is")
    for name, option in described["options"].items():
        values = f"{_value(option['value'])}; {option['choices']}"
        table.add_row(name, f"{escape(option['text'])}\n[dim]{escape(values)}[/dim]")
    console.print("", table)


def _players(game: Game) -> str:
    return f"{game.players[0]} to {game.players[-1]}"


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {entry}" for key, entry in value.items())
    return json.dumps(value) if isinstance(value, bool) else str(value)


def _described(game: Game) -> dict[str, Any]:
    fields = game.options.model_json_schema()["properties"]
    values = game.board().options.model_dump(by_alias=True)
    return {
        "game": game.name,
        "title": game.title,
        "players": list(game.players),
        "version": game.version,
        "boards": list(game.boards()),
        "agents": agents.names(game),
        "options": {
            name: {
                "value": values[name],
                "choices": _choices(field),
                "text": field.get("description", ""),
            }
            for name, field in fields.items()
        },
        "assumptions": list(game.assumptions),
    }


def _choices(field: Mapping[str, Any]) -> str:
    """What an option may be."""
    if "enum" in field:
        return " or ".join(field["enum"])
    if field.get("type") == "boolean":
        return "true or false"
    if "minimum" in field:
        return f"{field['minimum']} to {field['maximum']}"
    return "one value for all, or one for each: key.entry=value"


def results(summary: "Summary", headline: Sequence[str]) -> None:
    """The finding, then win share by agent and by seat for every cell."""
    console = Console()
    for sentence in headline:
        console.print(sentence, highlight=False, markup=False)
    specs = list(dict.fromkeys(spec for cell in summary.cells for spec in cell.win_share))
    keys = list(dict.fromkeys(key for cell in summary.cells for key in cell.settings))
    numbers = ["players", "fair", *keys, "win share", "95 %", "games", "turns"]
    table = _table("players", *keys, "fair", "agent", *numbers[-4:], right=numbers)
    table.title = f"\nWin share of each copy of an agent, in % ({escape(summary.board)})"
    for cell in summary.cells:
        head = [str(cell.players), *(_value(cell.settings.get(key, "")) for key in keys)]
        head.append(_percent(1 / cell.players))
        tail = [f"{cell.games:,}", f"{cell.turns.mean:.1f}"]
        for spec in (spec for spec in specs if spec in cell.win_share):
            share = cell.win_share[spec]
            table.add_row(*head, escape(spec), _percent(share.mean), _interval(share), *tail)
            head, tail = [""] * len(head), ["", ""]
    console.print(table)
    seats = [f"seat {seat}" for seat in range(max(cell.players for cell in summary.cells))]
    table = _table("players", *keys, *seats, right=["players", *keys])
    table.title = "\nWin share of each seat, in %, with its 95 % interval"
    for cell in summary.cells:
        shares = [f"{_percent(share.mean)} {_interval(share)}" for share in cell.seat_win_share]
        settings = [_value(cell.settings.get(key, "")) for key in keys]
        table.add_row(str(cell.players), *settings, *shares)
    console.print(table)
    for warning in summary.warnings():
        print(warning, file=sys.stderr)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _interval(share: "Interval") -> str:
    return f"{100 * share.low:.0f}-{100 * share.high:.0f}"


def figures(found: Mapping[str, Any], texts: Mapping[str, tuple[str, str]]) -> None:
    """Figures of a benchmark with their units."""
    table = _table("figure", "median", "unit", "of what", right=["median"])
    for name, value in found.items():
        unit, text = texts[name]
        shown = f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
        table.add_row(name, shown, unit, text)
    Console().print(table)
