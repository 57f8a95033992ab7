"""Tables on the terminal."""

import json
import re
import sys
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

import agents
from sim.game import Game, Position

if TYPE_CHECKING:
    from agents.analysis import Move
    from experiments.ladder import Rung
    from experiments.match import Outcome
    from experiments.report.view import View
    from experiments.stats import Interval
    from experiments.strategies import Strategies
    from experiments.tournament import Standings
    from experiments.tune import Tuned


#: Columns that a text needs beside its name; with fewer it stands below.
ROOM = 36


def _show(
    columns: Sequence[str],
    rows: Sequence[Sequence[str | Text]],
    wide: str,
    right: Collection[str] = (),
    stacked: Collection[str] = (),
) -> None:
    """A table: where it is too wide, headings and the cells of `stacked` columns are put one word
    below the other, and the column `wide` alone is wrapped."""
    console = Console()
    columns = [column.replace("_", " ") for column in columns]
    lengths = [max(map(len, cells)) for cells in zip(columns, *rows, strict=True)]
    lengths = [
        min(length, ROOM) if column == wide else length
        for column, length in zip(columns, lengths, strict=True)
    ]
    is_tight = sum(lengths) + 2 * len(lengths) - 2 > console.width
    table = Table(box=None, pad_edge=False, padding=(0, 1 if is_tight else 2, 0, 0))
    right = [column.replace("_", " ") for column in right]
    for column in columns:
        table.add_column(
            column if column == wide or not is_tight else column.replace(" ", "\n"),
            justify="right" if column in right else "left",
            overflow="fold",
            no_wrap=column != wide,
        )
    for row in rows:
        cells = [
            cell.replace(" ", "\n") if is_tight and column in stacked else cell
            for column, cell in zip(columns, row, strict=True)
        ]
        table.add_row(*(escape(cell) if isinstance(cell, str) else cell for cell in cells))
    console.print(table)


def _show_texts(heading: tuple[str, str], texts: Mapping[str, Text]) -> None:
    """Names and what they are, after an empty line; side by side if there is room."""
    console = Console(highlight=False)
    console.print()
    if console.width - max(map(len, texts)) - 2 >= ROOM:
        _show(heading, list(texts.items()), wide=heading[1])
        return
    for name, text in [(heading[0], Text(heading[1])), *texts.items()]:
        console.print(name, markup=False, style="bold")
        console.print(Padding(text, (0, 0, 0, 4)))


def games(found: Sequence[Game], as_json: bool) -> None:
    """The games, a line each."""
    if as_json:
        print(json.dumps([_described(game) for game in found], indent=1))
        return
    rows = [[game.name, game.title, _players(game), "\n".join(game.boards())] for game in found]
    _show(["game", "title", "players", "boards"], rows, wide="title")


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
    texts = {name: Text(text) for name, text in described["agents"].items()}
    _show_texts(("agent", "how it plays"), texts)
    for name, whose in (("greedy", "of the named strategies"), ("mcts", "of mcts")):
        console.print()
        known = agents.parameters(game, name)
        rows = [
            [key, value if isinstance(value, str) else f"{value:g}", known[key][1]]
            for key, (value, _) in known.items()
        ]
        _show(["parameter", "value", whose], rows, wide=whose, right=["value"])
    texts = {}
    for name, option in described["options"].items():
        values = _value(option["value"])
        values += "".join(f" ({_value(v)} on {board})" for board, v in option["boards"].items())
        values += f"; {option['choices']}"
        texts[name] = Text.assemble(option["text"], "\n", (values, "dim"))
    _show_texts(("option", "what it is"), texts)
    if code := re.search(r"\([A-Z]+\d+", " ".join(map(str, texts.values()))):
        print(f"\nCodes such as {code[0]}) are rulings; they are explained in")
        print(game.folder / "README.md")


def _players(game: Game) -> str:
    return f"{game.players[0]} to {game.players[-1]}"


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}={entry}" for key, entry in value.items())
    return json.dumps(value) if isinstance(value, bool) else str(value)


def _described(game: Game) -> dict[str, Any]:
    fields = game.options.model_json_schema()["properties"]
    values, *others = (
        game.board(name).options.model_dump(by_alias=True) for name in (None, *game.boards())
    )
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
                "boards": {
                    board: own[name]
                    for board, own in zip(game.boards(), others, strict=True)
                    if own[name] != values[name]
                },
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


def results(view: "View", headline: Sequence[str]) -> None:
    """The finding, then win share by agent and by seat for every cell."""
    console, summary, keys = Console(), view.summary, view.keys
    for sentence in headline:
        console.print(sentence, highlight=False, markup=False)
    specs = list(dict.fromkeys(spec for cell in summary.cells for spec in cell.win_share))
    numbers = ["players", "fair", *keys, "win share", "95 %", "games", "turns"]
    title = f"\nWin share of each copy of an agent, in % ({summary.board})"
    console.print(title, highlight=False, markup=False)
    rows = []
    for cell in summary.cells:
        head = [str(cell.players), *(_value(view.value(cell, key)) for key in keys)]
        head.append(_percent(1 / cell.players))
        tail = [f"{cell.games:,}", f"{cell.turns.mean:.1f}"]
        for spec in (spec for spec in specs if spec in cell.win_share):
            share = cell.win_share[spec]
            rows.append([*head, spec, _percent(share.mean), _interval(share), *tail])
            head, tail = [""] * len(head), ["", ""]
    _show(["players", *keys, "fair", "agent", *numbers[-4:]], rows, wide="agent", right=numbers)
    seats = [f"seat {seat}" for seat in range(max(cell.players for cell in summary.cells))]
    title = "\nWin share of each seat, in %, with its 95 % interval"
    console.print(title, highlight=False, markup=False)
    rows = []
    for cell in summary.cells:
        shares = [f"{_percent(share.mean)} {_interval(share)}" for share in cell.seat_win_share]
        settings = [_value(view.value(cell, key)) for key in keys]
        shares += [""] * (len(seats) - len(shares))
        rows.append([str(cell.players), *settings, *shares])
    columns = ["players", *keys, *seats]
    _show(columns, rows, wide="", right=["players", *keys], stacked=seats)
    for warning in summary.warnings():
        print(warning, file=sys.stderr)


def sweep(view: "View", headline: Sequence[str]) -> None:
    """The finding, what each restriction takes, then for each table the verdicts and the seats that
    are farthest from fair."""
    console, found, keys = Console(), view.contest, view.keys
    for sentence in headline:
        console.print(sentence, highlight=False, markup=False)
    tables: dict[str, list[list[str]]] = {}
    for cell, verdict in zip(found.cells, found.verdicts, strict=True):
        fair = _percent(1 / cell.players)
        title = f"{cell.players} players ({found.line_up(cell)}): the seat farthest from {fair} %"
        seat, share = cell.farthest_seat
        told = [f"seat {seat}", _percent(share.mean), _interval(share)] if cell.games else [""] * 3
        settings = [_value(view.value(cell, key)) for key in keys]
        settings = [found.words(cell), *settings] if found.without else settings
        tables.setdefault(title, []).append([*settings, verdict.verdict, *told, f"{cell.games:,}"])
    if found.worths:
        _worths(view)
    keys = ["without", *keys] if found.without else keys
    numbers = ["win share in %", "95 %", "games"]
    for title, rows in tables.items():
        console.print(f"\n{title}", highlight=False, markup=False)
        right = [*(key for key in keys if key != "without"), *numbers]
        _show([*keys, "verdict", "seat", *numbers], rows, wide="verdict", right=right)


def _worths(view: "View") -> None:
    """A line for each restriction: what its player wins, and what is lost."""
    title = "\nWin share of a player without it among players with it, in %; *: beyond chance"
    Console().print(title, highlight=False, markup=False)
    rows = [
        [
            one.without,
            str(one.cell.players),
            *(_value(view.value(one.cell, key)) for key in view.keys),
            _percent(1 / one.cell.players),
            _percent(one.win_share.mean),
            _interval(one.win_share),
            f"{100 * one.lost.mean:+.1f}{'*' if one.is_beyond_chance else ' '}",
            f"{one.cell.games:,}",
        ]
        for one in view.contest.worths
    ]
    numbers = ["players", *view.keys, "fair", "win share", "95 %", "lost in points", "games"]
    _show(["without", *numbers], rows, wide="without", right=numbers)


def standings(found: "Standings") -> None:
    """Ratings and win shares, then how often one finishes ahead of another."""
    console = Console()
    for sentence in found.sentences():
        console.print(sentence, highlight=False, markup=False)
    title = f"\nRatings, and win share of each copy in % (fair: {_percent(1 / found.players)})"
    console.print(title, highlight=False, markup=False)
    rows = [
        [
            str(place + 1),
            spec,
            f"{round(rating.mean)}",
            f"{round(rating.low)} to {round(rating.high)}",
            _percent(share.mean),
            _interval(share),
        ]
        for place, (spec, rating, share) in enumerate(
            zip(found.agents, found.ratings, found.win_share, strict=True)
        )
    ]
    columns = ["", "agent", "rating", "95 %", "win share", "95 %"]
    _show(columns, rows, wide="agent", right=["", *columns[2:]])
    title = "\nHow often it finishes ahead of the agent of that number, in %; *: beyond chance"
    console.print(title, highlight=False, markup=False)
    places = range(len(found.agents))
    rows = []
    for row in places:
        shares = [found.pair(row, column) for column in places]
        apart = found.ahead[row] | found.ahead[:, row]
        rows.append(
            [
                f"{_percent(share.mean)}{'*' if apart[column] else ' '}" if share else ""
                for column, share in enumerate(shares)
            ]
        )
    _show_pairs(found.agents, rows, "agent")


def _show_pairs(agents: Sequence[str], rows: Sequence[Sequence[str]], heading: str) -> None:
    """A table of numbered agents against each other, the columns by number alone."""
    # Names where there is room; else the numbers do, and columns without room follow below.
    width, size = Console().width, len(agents)
    room = width - 7 * size - 5
    names = [agents] if max(map(len, agents)) <= min(room, ROOM) else []
    most = size if names else max((width - 3) // 6, 1)
    for first in range(0, size, most):
        columns = [f"{place + 1}\u00a0" for place in range(size)[first : first + most]]
        heads = zip(map(str, range(1, size + 1)), *names, strict=True)
        table = [[*head, *row[first : first + most]] for head, row in zip(heads, rows, strict=True)]
        title = ["", heading][: 1 + len(names)]
        _show([*title, *columns], table, wide=heading, right=["", *columns])


def strategies(found: "Strategies") -> None:
    """For each setting the findings, the mix in balance, and the replies to each field."""
    console = Console()

    def say(text: str) -> None:
        console.print(text, highlight=False, markup=False)

    places = range(len(found.agents))
    for index, (cell, one) in enumerate(zip(found.cells, found.balances, strict=True)):
        if len(found.cells) > 1:
            say(f"{chr(10) * (index > 0)}At {found.place(cell)}:")
        for sentence in found.full(index):
            say(sentence)
        if one is None:
            continue
        fair = _percent(1 / cell.players)
        say(f"\nWeight in the mix, and win share when all others play it, in % (fair: {fair})")
        rows = [
            [
                str(i + 1),
                found.agents[i],
                _percent(one.weights[i].mean),
                _interval(one.weights[i]),
                _percent(one.won[i].mean),
                _interval(one.won[i]),
                one.verdicts[i],
            ]
            for i in places
        ]
        columns = ["", "strategy", "weight", "95 %", "win share", "95 %"]
        _show([*columns, "verdict"], rows, wide="strategy", right=["", *columns[2:]])
        say("\nWin share alone among copies of the strategy of that number, in %; *: the best")
        rows = [
            [f"{_percent(one.replies[i][j].mean)}{' *'[int(one.best[i, j])]}" for j in places]
            for i in places
        ]
        _show_pairs(found.agents, rows, "strategy")


def ladder(climbed: Sequence[tuple["Rung", "Outcome"]], sentence: str) -> None:
    """A line for each rung: the win share of twice the iterations."""
    console = Console()
    console.print(sentence, highlight=False, markup=False)
    fair = _percent(climbed[0][1].fair_share)
    console.print(f"\nWin share of the higher budget in % (fair: {fair})", highlight=False)
    rows = [
        [
            f"{rung.budget:,}",
            f"{rung.below:,}",
            _percent(outcome.win_share.mean) if outcome.games else "",
            _interval(outcome.win_share),
            f"{outcome.decision.log_likelihood_ratio:+.2f}",
            f"{outcome.games:,}",
            outcome.verdict.replace("_", " "),
        ]
        for rung, outcome in climbed
    ]
    columns = ["iterations", "against", "win share", "95 %", "log-likelihood ratio", "games"]
    _show([*columns, "verdict"], rows, wide="verdict", right=columns)


def tuned(found: "Tuned") -> None:
    """What a tuning has found: how it did in training, and the weights."""
    for sentence in found.sentences():
        print(sentence)
    rows = [
        [name, f"{found.untuned[name]:g}", f"{weight:.3g}"]
        for name, weight in found.weights.items()
    ]
    _show(["weight", "untuned", "tuned"], rows, wide="weight", right=["untuned", "tuned"])


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _interval(share: "Interval") -> str:
    return f"{100 * share.low:.0f}-{100 * share.high:.0f}"


def moves(position: Position, found: Sequence["Move"], most: int = 12) -> None:
    """The actions searched most, with everybody's win share and what is expected to follow."""
    seats = [f"seat {seat}" for seat in range(position.players)]
    rows = [
        [
            f"{move.visits:,}",
            *([_percent(share) for share in move.win_share] or [""] * len(seats)),
            move.action,
            ", ".join(move.line),
        ]
        for move in found[:most]
    ]
    title = f"What seat {position.to_move} could do; win shares in %, as the search has them"
    Console().print(title, highlight=False, markup=False)
    columns = ["visits", *seats, "action", "expected to follow"]
    _show(columns, rows, wide=columns[-1], right=columns[:-2])
    if len(found) > most:
        print(f"{len(found) - most} more were tried no more than these; --json has all.")


def figures(found: Mapping[str, Any], texts: Mapping[str, tuple[str, str]]) -> None:
    """Figures of a benchmark with their units."""
    rows = []
    for name, value in found.items():
        unit, text = texts[name]
        shown = f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
        rows.append([shown, unit, text])
    _show(["median", "unit", "of what"], rows, wide="of what", right=["median"])
