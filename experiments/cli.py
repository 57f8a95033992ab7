"""The `spike` command: thin, and quick to start. The work is done in the other modules."""

import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.errors import Mistake
from sim.layout import counted

if TYPE_CHECKING:
    from experiments.ladder import Rung
    from experiments.plan import Plan
    from experiments.report.view import View
    from experiments.store import Run
    from experiments.sweep import Cost
    from sim.game import Game

app = typer.Typer(
    help="Golden Spike: a strategy lab for railway board games.",
    epilog="With --debug, a mistake shows its traceback.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameOrPlan = Annotated[str, typer.Argument(help="A game, or a plan file ending in .toml.")]
PlayerCounts = Annotated[str | None, typer.Option(help="Player counts, such as 4 or 3,4,5.")]
Order = Annotated[str | None, typer.Option(help="Seating round the table: random or fixed.")]
PlanSeed = Annotated[int | None, typer.Option("--seed", help="Where all chance starts (1).")]
GameName = Annotated[str, typer.Argument(help="A game, as `spike games` lists them.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", help="An option: key=value. May be given several times."),
]
Grid = Annotated[
    list[str] | None,
    typer.Option("--set", help="key=value, key=a,b,c or key=start:stop:step (a grid)."),
]
BoardFile = Annotated[
    str | None, typer.Option("--board", help="A board of the game, or a TOML file of your own.")
]
Seed = Annotated[int, typer.Option(help="Where all chance starts.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object for scripts.")]
Record = Annotated[Path | None, typer.Option(help="Write the game's record to this file.")]
Players = Annotated[int | None, typer.Option(help="Players; the game's least, if not given.")]
Out = Annotated[Path | None, typer.Option(help="Folder of the run; one in runs/ if not given.")]
Workers = Annotated[int | None, typer.Option(help="Workers; all cores if not given.")]
Backend = Annotated[
    str | None,
    typer.Option(help="threading, loky (processes) or dask; chosen by itself if not given."),
]
Scheduler = Annotated[
    str | None,
    typer.Option(help="Play on the Dask cluster of this scheduler, such as tcp://10.0.0.5:8786."),
]
Repair = Annotated[
    bool, typer.Option("--repair", help="Play the blocks of unreadable parts again.")
]


def main() -> None:
    """Run the command line: a mistake is one sentence, and a traceback only with --debug."""
    debug = "--debug" in sys.argv
    if debug:
        sys.argv.remove("--debug")
    try:
        app()
    except Mistake as mistake:
        if debug:
            raise
        _say(str(mistake))
        sys.exit(2)


def _say(text: str) -> None:
    """A line to a person, beside what a script reads."""
    print(text, file=sys.stderr, flush=True)


@app.command()
def games(
    game: Annotated[str | None, typer.Argument(help="Show this game's options and agents.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the games; or the options, boards and agents of one.

    Example: `spike games westward-rails`
    """
    import sim
    from experiments import show

    if game is None:
        show.games([sim.load(name) for name in sim.games()], as_json)
    else:
        show.game(sim.load(game), as_json)


@app.command()
def play(
    game: GameName,
    agents: Annotated[
        str, typer.Option(help="Who plays, seat by seat; `human` takes a seat at the keyboard.")
    ] = "greedy",
    players: Annotated[
        int | None, typer.Option(help="Players; as many as agents are named, if not given.")
    ] = None,
    settings: Settings = None,
    board: BoardFile = None,
    seed: Seed = 1,
    record: Record = None,
) -> None:
    """Play one game: take a seat, or watch.

    At the prompt, ? lists the actions, ? NAME explains a name; table, map and undo help.

    Example: `spike play westward-rails --agents human,greedy,greedy`
    """
    import sim
    from experiments.play import play_one

    play_one(sim.load(game), _names(agents), players, _settings(settings), board, seed, record)


@app.command()
def run(
    plan: GameOrPlan,
    players: PlayerCounts = None,
    agents: Annotated[
        str | None,
        typer.Option(help="The line-up, such as greedy,random; repeated to fill the table."),
    ] = None,
    games: Annotated[int | None, typer.Option(help="Games for each cell.")] = None,
    settings: Grid = None,
    board: BoardFile = None,
    seed: PlanSeed = None,
    order: Order = None,
    out: Out = None,
    workers: Workers = None,
    backend: Backend = None,
    scheduler: Scheduler = None,
    repair: Repair = False,
    as_json: AsJson = False,
) -> None:
    """Play an experiment: every setting, every seat, as often as asked.

    The same command goes on where it was stopped; more --games extend it.

    Example: `spike run westward-rails --players 3,4,5 --agents greedy,random,builder --games 3000
    --set starting_money=24:48:8 --out runs/x`
    """
    from experiments import show
    from experiments.report.sentences import headline
    from experiments.report.view import View

    flags = _flags(players, games, settings, board, seed, order)
    flags["agents"] = None if agents is None else _names(agents)
    made, game = _planned(plan, flags, {"agents": ["greedy", "random"], "games": 1000})
    folder = out or Path("runs") / Path(plan).stem
    cells = made.cells(game)
    what = f"{counted(sum(cell.games for cell in cells), 'games')} in "
    what += counted(len(cells), "cells")
    finished = _played(made, game.title, what, folder, workers, backend, scheduler, repair)
    view = View.of(finished)
    if as_json:
        print(json.dumps(_found(view), indent=1))
    else:
        show.results(view, headline(view))
        _say(f"\nFor a report: spike report {folder}")


@app.command()
def sweep(
    plan: GameOrPlan,
    players: PlayerCounts = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            help="A line-up, such as greedy,racer (greedy:noise=0.1). May be given several times."
        ),
    ] = None,
    tiers: Annotated[
        bool,
        typer.Option("--tiers", help="Weak, greedy and searching players, each by themselves."),
    ] = False,
    margin: Annotated[
        float | None, typer.Option(help="Percentage points from fair that are still fair (3).")
    ] = None,
    want: Annotated[
        str | None,
        typer.Option(help="What a setting should have, such as seats=3,length=50:80,ties=:5."),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(help="Games of a cell at most; three times those of a study of fixed size."),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            help="One copy of the agent may not choose actions with these words, such as upgrade: "
            "what is that worth? May be given several times."
        ),
    ] = None,
    settings: Grid = None,
    board: BoardFile = None,
    seed: PlanSeed = None,
    order: Order = None,
    out: Out = None,
    workers: Workers = None,
    backend: Backend = None,
    scheduler: Scheduler = None,
    repair: Repair = False,
    as_json: AsJson = False,
) -> None:
    """Find the settings that are fair: play each until it is known.

    Fair: every seat wins its share, give or take the margin. Of the verdicts 5 % at most are wrong,
    however many settings there are. For each number of players the setting to print is told: the
    nearest to the printed one that is fair, and as you --want. The same command goes on where it
    was stopped; more --games extend it.

    With --without it tells what a rule, a track or a city is worth: the win share that a player
    loses who may not use it, alone among others who may.

    Example: `spike sweep westward-rails --players 3,4,5 --set starting_money=20:40:4 --margin 3`

    Example: `spike sweep westward-rails --players 4 --without upgrade --without denver`
    """
    import agents as agents_by
    from experiments import show
    from experiments.report.sentences import headline
    from experiments.report.view import View
    from experiments.runner import number_of, seconds_a_game
    from experiments.store import MANIFEST
    from experiments.sweep import TIERS, costs

    flags = _flags(players, games, settings, board, seed, order)
    if tiers:
        if agents:
            raise Mistake("--tiers: they are line-ups of their own; leave --agents out.")
        agents = list(TIERS)
    wants = None if want is None else _wants(want)
    if wants and "seats" in wants:
        seats = _number("--want seats", wants.pop("seats"))
        if margin not in (None, seats):
            raise Mistake(f"--margin: {margin:g} differs from --want seats={seats:g}; give one.")
        margin = seats
    flags |= {"kind": "sweep", "margin": margin, "want": wants, "line_ups": agents}
    flags["without"] = without
    made, game = _planned(plan, flags, {"agents": [TIERS[1]]})
    folder = out or Path("runs") / f"{Path(plan).stem}-sweep"
    cells = made.cells(game)
    what = f"sweep of {counted(len(cells), 'cells')}"
    if not (folder / MANIFEST).exists():
        cores = number_of(workers) if scheduler is None else 1
        boards = [game.board(made.board, cell.settings, made.settings_source) for cell in cells]
        seats = [[agents_by.load(spec, game) for spec in cell.agents] for cell in cells]
        _say(f"{game.title}: {what}. Some games of it tell the cost.")
        game.ready()
        found = costs(
            cells,
            made.games is not None,
            lambda cell: seconds_a_game(boards[cell.index], seats[cell.index]),
        )
        _tell_needs(found, made.margin, cores)
    run = _played(made, game.title, what, folder, workers, backend, scheduler, repair)
    view = View.of(run)
    _show_contest(view, as_json, lambda _: show.sweep(view, headline(view)), folder)


def _tell_needs(costs: list["Cost"], margin: float, cores: int) -> None:
    """How many games the questions of a sweep take, and about how long that is here."""
    _say(
        f"Games that find a cell fair within {margin:g} percentage points (with a chance of 90 % "
        "if it is exactly fair), and that it takes at most; the time of all such cells together on "
        f"{counted(cores, 'cores')}:"
    )
    for cost in costs:
        least, most = (_took(cost.cells * n * cost.seconds / cores) for n in cost[3:5])
        size = f"{cost.needed:,} to {cost.most:,} games, {least} to {most}"
        if cost.most < cost.needed:
            size = f"at most {cost.most:,} games, too few as {cost.needed:,} are needed, {most}"
        cells = counted(cost.cells, "cells")
        _say(f"  {cost.players} players, {cost.line_up}: {cells} of {size}")


@app.command()
def match(
    game: GameName,
    first: Annotated[str, typer.Argument(help="The agent that may be the better one.")],
    second: Annotated[str, typer.Argument(help="The agent it is measured against.")],
    players: Players = None,
    games: Annotated[int, typer.Option(help="Games at most.")] = 4000,
    settings: Settings = None,
    board: BoardFile = None,
    seed: Seed = 1,
    out: Out = None,
    workers: Workers = None,
    backend: Backend = None,
    scheduler: Scheduler = None,
    repair: Repair = False,
    as_json: AsJson = False,
) -> None:
    """Ask whether one agent beats another, with as few games as the answer takes.

    Each sits alone among copies of the other, in every seat of the same deals. The answer is sure
    to 95 %; a lead of under 5 percentage points may be missed. The same command goes on where it
    was stopped; more --games extend it.

    Example: `spike match westward-rails mcts:iterations=100 greedy --players 4`
    """
    import sim
    from experiments.plan import Plan
    from experiments.report.view import View

    rules = sim.load(game)
    asked = _asked(rules, players, games, settings, board, seed)
    asked |= {"kind": "match", "agents": [first, second]}
    plan = Plan.build(asked, source="The command")
    most = sum(cell.games for cell in plan.cells(rules))
    what = f"does {first} beat {second}? {plan.players[0]} players, at most {most:,} games"
    folder = out or _folder(plan.players[0], game, first, "against", second)
    run = _played(plan, rules.title, what, folder, workers, backend, scheduler, repair)
    view = View.of(run)
    _show_contest(view, as_json, lambda found: print(*found.sentences(), sep="\n"), folder)


@app.command()
def tournament(
    game: GameName,
    agents: Annotated[str, typer.Argument(help="The agents, such as greedy,builder,random.")],
    players: Players = None,
    games: Annotated[int, typer.Option(help="Games of each line-up.")] = 200,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="The first agent sits at every table.")
    ] = False,
    settings: Settings = None,
    board: BoardFile = None,
    seed: Seed = 1,
    out: Out = None,
    workers: Workers = None,
    backend: Backend = None,
    scheduler: Scheduler = None,
    repair: Repair = False,
    as_json: AsJson = False,
) -> None:
    """Rank several agents: all meet in every combination, in every seat of the same deals.

    Ratings, the table of pairs, and whether there is one order. The same command goes on where it
    was stopped; more --games extend it.

    Example: `spike tournament westward-rails greedy,builder,racer,random,collector --players 4`
    """
    import sim
    from experiments import show
    from experiments.plan import Plan
    from experiments.report.view import View

    rules = sim.load(game)
    kind = "gauntlet" if gauntlet else "tournament"
    asked = _asked(rules, players, games, settings, board, seed)
    asked |= {"kind": kind, "agents": _names(agents)}
    plan = Plan.build(asked, source="The command")
    cells = plan.cells(rules)
    what = f"{kind} of {len(plan.agents)} agents, {plan.players[0]} players, "
    what += f"{counted(sum(cell.games for cell in cells), 'games')} in "
    what += counted(len(cells), "line-ups")
    folder = out or _folder(plan.players[0], game, kind, *plan.agents)
    run = _played(plan, rules.title, what, folder, workers, backend, scheduler, repair)
    _show_contest(View.of(run), as_json, show.standings, folder)


@app.command()
def strategies(
    game: GameName,
    agents: Annotated[
        str | None,
        typer.Argument(help="The strategies, such as greedy,racer; all named ones if not given."),
    ] = None,
    players: PlayerCounts = None,
    games: Annotated[int, typer.Option(help="Games of each line-up, at most.")] = 200,
    settings: Grid = None,
    board: BoardFile = None,
    seed: Seed = 1,
    out: Out = None,
    workers: Workers = None,
    backend: Backend = None,
    scheduler: Scheduler = None,
    repair: Repair = False,
    as_json: AsJson = False,
) -> None:
    """Ask which strategies matter at a setting, which is dominant and which is dead.

    All line-ups that the strategies can make meet on the same deals, copies among them. What comes
    of it is the mix of strategies in balance: when all others play it, none wins more than its
    share. The same command goes on where it was stopped; more --games extend it.

    Example: `spike strategies westward-rails greedy,builder,racer --players 4 --set
    starting_money=24,32`
    """
    import agents as agents_by
    import sim
    from experiments import show
    from experiments.plan import Plan
    from experiments.report.view import View

    rules = sim.load(game)
    named = [one.spec for one in agents_by.strategies(rules)] if agents is None else _names(agents)
    flags = _flags(players, games, settings, board, seed, None)
    asked = {key: value for key, value in flags.items() if value is not None}
    asked = {"game": rules.name, "players": [rules.players[0]]} | asked
    plan = Plan.build(asked | {"kind": "strategies", "agents": named}, source="The command")
    cells = plan.cells(rules)
    what = f"{counted(len(named), 'strategies')}, {', '.join(map(str, plan.players))} players, "
    what += f"{counted(sum(cell.games for cell in cells), 'games')} in "
    what += counted(len(cells), "line-ups")
    tables = {(cell.players, cell.label) for cell in cells}
    what += f" at {counted(len(tables), 'settings')}" if len(tables) > 1 else ""
    words = ["all"] if agents is None else named
    folder = out or _folder("-".join(map(str, plan.players)), game, "strategies", *words)
    run = _played(plan, rules.title, what, folder, workers, backend, scheduler, repair)
    _show_contest(View.of(run), as_json, show.strategies, folder)


@app.command()
def ladder(
    game: GameName,
    agent: Annotated[
        str, typer.Option(help="The search: mcts, with any of its parameters but iterations.")
    ] = "mcts",
    low: Annotated[int, typer.Option("--from", help="Iterations of the lowest budget.")] = 50,
    high: Annotated[int, typer.Option("--to", help="Iterations of the highest, at most.")] = 800,
    players: Players = None,
    games: Annotated[
        int | None, typer.Option(help="Games of a rung at most; 200 blocks if not given.")
    ] = None,
    settings: Settings = None,
    board: BoardFile = None,
    seed: Seed = 1,
    hours: Annotated[
        float | None, typer.Option("--max-hours", help="Stop after so many hours.")
    ] = None,
    out: Out = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Find the skill depth of a game: whether thinking twice as long wins, rung by rung.

    Every rung is a match of a budget against half of it. The same command goes on where it was
    stopped; each rung has a folder of its own with its report.

    Example: `spike ladder westward-rails --players 4 --from 50 --to 800 --max-hours 2`
    """
    import agents
    import sim
    from experiments import ladder as steps
    from experiments import show
    from experiments.runner import number_of, seconds_a_game

    if hours is not None and not hours > 0:
        raise Mistake(f"--max-hours: {hours:g} is not possible; give more than 0.")
    cores = number_of(workers)
    rules = sim.load(game)
    asked = _asked(rules, players, games, settings, board, seed)
    players = asked["players"]
    if games is None:
        asked["games"] = 2 * players * steps.MOST_BLOCKS
    rungs = steps.rungs(asked, agent, low, high)
    folder = out or _folder(players, game, "ladder", agent)
    lowest = agents.load(rungs[0].plan.agents[1], rules)
    rungs[0].plan.cells(rules)  # so that a mistake is told before the wait
    _say(f"{rules.title}: {counted(len(rungs), 'rungs')}, {players} players, seed {seed}, into")
    _say(f"{folder}. One game is played to tell the cost.")
    rules.ready()
    seconds = seconds_a_game(rules.board(board, asked["settings"]), [lowest] * players)
    pace = seconds / lowest.search["iterations"]
    _tell_costs([(rung, rung.seconds(pace, cores)) for rung in rungs])
    if hours is not None:
        _say(f"It stops after {hours:g} h; the same command goes on from there.")
    climbed = []
    stopped = "The same command goes on from here."
    try:
        for rung, outcome in steps.climb(rungs, folder, workers, hours, _rung_progress):
            climbed.append((rung, outcome))
            _say(outcome.sentences()[0])
    except steps.TimeIsUp:
        _say(f"The time is up. {stopped}")
    except KeyboardInterrupt:
        _say(f"Stopped. {stopped}")
        raise
    if as_json:
        print(json.dumps(steps.to_json(climbed, len(rungs)), indent=1))
    else:
        show.ladder(climbed, steps.sentence(climbed))
        _say(f"\nFor a report of a rung: spike report {folder / climbed[-1][0].name}")


def _tell_costs(costs: list[tuple["Rung", tuple[float, float]]]) -> None:
    """What each rung takes at least and at most, and all of them."""
    _say("By its time the rungs take, at least and at most:")
    for rung, (least, most) in costs:
        _say(f"  {rung.budget:>6} against {rung.below:>6}  {_took(least)} to {_took(most)}")
    least, most = (sum(ends) for ends in zip(*(took for _, took in costs), strict=True))
    _say(f"  together               {_took(least)} to {_took(most)}")


def _rung_progress(rung: "Rung") -> Any:
    return _progress(f"{rung.budget} iterations against {rung.below}:")


def _took(seconds: float) -> str:
    """A time in the unit that suits it.

    >>> _took(40), _took(400), _took(40_000)
    ('40 s', '7 min', '11.1 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


@app.command()
def tune(
    game: GameName,
    agent: Annotated[str, typer.Option(help="The named strategy whose weights are tuned.")] = (
        "greedy"
    ),
    weights: Annotated[
        str | None, typer.Option(help="These alone, such as cash,links; all if not given.")
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(help="Rivals, repeated to fill the table; the untuned agent if not given."),
    ] = None,
    players: Players = None,
    trials: Annotated[int, typer.Option(help="Candidates, the untuned agent first.")] = 200,
    blocks: Annotated[int, typer.Option(help="Deals a candidate plays, in every seat.")] = 100,
    spread: Annotated[
        float, typer.Option(help="How far to search, in units of each weight.")
    ] = 0.5,
    confirm: Annotated[int, typer.Option(help="Games of the match at most; 0: none.")] = 4000,
    settings: Settings = None,
    board: BoardFile = None,
    seed: Seed = 1,
    out: Out = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Tune an agent's weights at a setting, and confirm by a match that it plays better.

    Each candidate sits alone among the rivals, in every seat of the same deals; those clearly
    behind the best are stopped early. A weight is tried from half its value to one and a half
    times; `--spread 1` tries from 0 to twice its value, and more goes beyond 0. One that is 0 is
    tried on both sides, as far as the typical other weight. The search is CMA-ES.

    The best is written as tuned.toml in the folder, a file that is an agent. Then it meets the
    untuned agent on fresh deals (of the seed plus 1), as by `spike match`. The same command goes
    on where it was stopped.

    Example: `spike tune westward-rails --players 4 --weights cash,shares --out runs/tune`
    """
    import sim
    from experiments import show
    from experiments import tune as tuning
    from experiments.report.view import View

    rules = sim.load(game)
    asked = _asked(rules, players, None, settings, board, seed)
    job = tuning.Tuning.build(
        asked,
        agent,
        None if against is None else _names(against, "against"),
        None if weights is None else _names(weights, "weights"),
        spread,
        trials,
        blocks,
    )
    players = asked["players"]
    folder = out or _folder(players, game, "tune", agent)
    match = job.confirmation(folder, confirm) if confirm else None
    opening = f"{rules.title}: {counted(trials, 'trials')} of {counted(len(job.ranges), 'weights')}"
    opening += (
        f" of {agent}, {players} players, at most {counted(job.games, 'games')}, seed {seed},"
    )
    opening += f" into {folder}."
    with _stopped(), _progress(opening) as progress, redirect_stdout(sys.stderr):
        found = tuning.search(job, folder, workers, progress)
    told: dict[str, Any] = {"agent": str(folder / tuning.TUNED)} | found.to_json()
    confirmed = None
    if match is not None and found.trial != 0:
        what = f"is it better? A match on fresh deals, at most {confirm:,} games"
        run = _played(match, rules.title, what, folder / tuning.CONFIRMATION, workers)
        confirmed = View.of(run)
    if as_json:
        told["confirmation"] = None if confirmed is None else confirmed.contest.to_json()
        print(json.dumps(told, indent=1))
        return
    show.tuned(found)
    if confirmed is not None:
        for sentence in confirmed.contest.sentences():
            print(sentence.replace("more --games", "more --confirm"))
        for warning in confirmed.summary.warnings():
            _say(warning)
        _say(f"For a report: spike report {folder / tuning.CONFIRMATION}")
    _say(f"The agent is {told['agent']}")


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(help="Folder of a run.")],
    out: Annotated[
        Path | None, typer.Option(help="The HTML file; report.html in the folder if not given.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a run's report: one HTML file to read, mail and keep.

    Example: `spike report runs/demo`
    """
    from experiments.report import write
    from experiments.report.sentences import headline
    from experiments.report.view import View
    from experiments.store import Run

    view = View.of(Run.open(folder))
    with redirect_stdout(sys.stderr):  # what a bot prints in a game that is drawn
        path = write(view, out or folder / "report.html")
    if as_json:
        print(json.dumps(_found(view) | {"report": str(path)}, indent=1))
    else:
        for sentence in headline(view):
            print(sentence)
        for warning in view.summary.warnings():
            _say(warning)
        _say(f"The report is {path}")


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(help="Scenario files.")],
) -> None:
    """Check scenarios: positions, actions and what the rules should make of them.

    Ends with 1 if a scenario differs, with 2 if a file cannot be read.

    Example: `spike check tests/scenarios/westward_rails/*.toml`
    """
    from sim import scenario

    wrong = unreadable = 0
    for path in files:
        try:
            told = scenario.check(scenario.load(path))
            found = "differs" if told else "as expected"
            wrong += bool(told)
        except Mistake as mistake:
            told = [str(mistake).removeprefix(f"{path}: ")]
            found = "unreadable"
            unreadable += 1
        print(f"{found:12} {path}")
        for sentence in told:
            print(f"    {sentence}")
    if wrong or unreadable:
        counts = {"differs" if wrong == 1 else "differ": wrong, "cannot be read": unreadable}
        told = " and ".join(f"{count} {what}" for what, count in counts.items() if count)
        _say(f"Of {counted(len(files), 'scenarios')} {told}.")
        raise typer.Exit(2 if unreadable else 1)


@app.command()
def replay(
    source: Annotated[Path, typer.Argument(help="A game's record, or the folder of a run.")],
    cell: Annotated[int, typer.Option(help="Of a run: the cell.")] = 0,
    block: Annotated[int, typer.Option(help="Of a run: the block.")] = 0,
    rotation: Annotated[int, typer.Option(help="Of a run: the rotation.")] = 0,
    record: Record = None,
) -> None:
    """Play a recorded game again, or any game of a run, and tell it.

    Example: `spike replay runs/demo --cell 2 --block 17 --rotation 1`
    """
    from experiments import play as table

    if source.is_dir():
        from experiments.runner import replay_game
        from experiments.store import Run

        again = replay_game(Run.open(source), cell, block, rotation)
        table.watch(again.board, again.agents, again.game_seed, again.agent_seeds, record)
    else:
        table.watch_record(source)


@app.command()
def analyse(
    file: Annotated[Path, typer.Argument(help="A game's record, or a scenario (.toml).")],
    decision: Annotated[
        int | None,
        typer.Option(help="Of a record: before which decision, from 1; its end if not given."),
    ] = None,
    agent: Annotated[
        str, typer.Option(help="The search: mcts, with any of its parameters.")
    ] = "mcts",
    iterations: Annotated[int | None, typer.Option(help="Iterations of the search.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the search.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Search a position: its moves, everybody's win share, and what is expected to follow.

    Example: `spike analyse game.jsonl --decision 12 --iterations 2000`
    """
    import agents
    from agents.analysis import Analysis
    from experiments import show
    from experiments.play import position_in

    position = position_in(file, decision)
    spec = agent if iterations is None else f"{agent}:iterations={iterations}"
    analysis = Analysis(position, agents.load(spec, position.game), seed)
    opening = f"{position.game.title}: {spec} searches for seat {analysis.seat}, seed {seed}."
    started = time.monotonic()
    with _progress(opening, "iterations") as progress:
        while not analysis.is_done:
            analysis.go_on()
            spent = time.monotonic() - started
            progress(analysis.iterations, analysis.done, analysis.done / max(spent, 1e-9))
    moves = analysis.moves()
    if as_json:
        told = {"seat": analysis.seat, "iterations": analysis.iterations}
        print(json.dumps(told | {"moves": [move._asdict() for move in moves]}, indent=1))
    else:
        show.moves(position, moves)


@app.command()
def selfcheck(
    game: Annotated[str, typer.Argument(help="A game, as `spike games` lists them.")] = (
        "westward-rails"
    ),
    seed: Seed = 1,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Ask whether the lab itself is honest: what must be found is, and what must not is not.

    Ends with 1 if a check fails.

    Example: `spike selfcheck westward-rails`
    """
    import sim
    from experiments.selfcheck import check

    rules = sim.load(game)
    rules.ready()
    _say(f"{rules.title}: real games and simulated ones, seed {seed}. A minute or so.")
    found = []
    for finding in check(rules, seed, workers):
        found.append(finding)
        if not as_json:
            print(f"{'right' if finding.is_right else 'WRONG':6} {finding.name}: {finding.told}.")
    if as_json:
        print(json.dumps([finding._asdict() for finding in found], indent=1))
    wrong = sum(not finding.is_right for finding in found)
    if wrong:
        _say(f"{wrong} of {len(found)} checks failed.")
        raise typer.Exit(1)
    _say(f"All {len(found)} checks are as they must be.")


@app.command()
def bench(
    game: GameName,
    runs: Annotated[int, typer.Option(min=5, help="Runs behind each median.")] = 5,
    as_json: AsJson = False,
) -> None:
    """Measure how fast this machine plays.

    Example: `spike bench westward-rails --json`
    """
    import sim
    from experiments import bench as benchmark
    from experiments import show

    figures = benchmark.measure(sim.load(game), runs, _say)
    if as_json:
        print(json.dumps(figures, indent=1))
    else:
        show.figures(figures, benchmark.FIGURES)


def _flags(
    players: str | None,
    games: int | None,
    settings: list[str] | None,
    board: str | None,
    seed: int | None,
    order: str | None,
) -> dict[str, Any]:
    """What may be said of a plan on the command line, None where it was not."""
    from experiments.plan import parse_settings

    return {
        "players": None if players is None else _numbers("players", players),
        "games": games,
        "settings": parse_settings(settings) if settings else None,
        "board": board,
        "seed": seed,
        "order": order,
    }


def _planned(plan: str, flags: dict[str, Any], defaults: dict[str, Any]) -> tuple["Plan", "Game"]:
    """The plan of a file, or of a game with defaults; what the flags say goes before both."""
    import sim
    from experiments.plan import Plan

    if plan.endswith(".toml"):
        made = Plan.load(plan, **flags)
        return made, sim.load(made.game)
    game = sim.load(plan)
    given = {key: value for key, value in flags.items() if value is not None}
    if "line_ups" in given:
        del defaults["agents"]
    asked = {"game": plan, "players": [game.players[0]]} | defaults | given
    return Plan.build(asked, source="The command"), game


def _asked(
    game: "Game",
    players: int | None,
    games: int | None,
    settings: list[str] | None,
    board: str | None,
    seed: int,
) -> dict[str, Any]:
    """What the plans of contests have in common."""
    return {
        "game": game.name,
        "players": game.players[0] if players is None else players,
        "games": games,
        "settings": _settings(settings),
        "board": board,
        "seed": seed,
    }


def _played(
    plan: "Plan",
    title: str,
    what: str,
    folder: Path,
    workers: int | None,
    backend: str | None = None,
    scheduler: str | None = None,
    repair: bool = False,
) -> "Run":
    """Play a plan into a folder, with a bar."""
    from experiments.runner import run

    opening = f"{title}: {what}, seed {plan.seed}, into {folder}."
    # What a bot prints must not get between a script and its JSON.
    with _stopped(), _progress(opening) as progress, redirect_stdout(sys.stderr):
        return run(plan, folder, workers, progress, repair, backend, scheduler)


@contextmanager
def _stopped() -> Iterator[None]:
    """Say after Ctrl-C that nothing is lost."""
    try:
        yield
    except KeyboardInterrupt:
        _say("Stopped. The same command goes on from here.")
        raise


def _show_contest(view: "View", as_json: bool, show: Callable[[Any], None], folder: Path) -> None:
    """Tell what a contest showed, to a script or to a person."""
    if as_json:
        print(json.dumps(view.to_json(), indent=1))
        return
    show(view.contest)
    for warning in view.summary.warnings():
        _say(warning)
    _say(f"\nFor a report: spike report {folder}")


def _folder(players: int | str, *words: str) -> Path:
    """Where a contest goes if it is not said: a name from words as typed, paths by their end.

    >>> str(_folder(3, "toy", "greedy", "against", "bots/mine.py:Bot"))
    'runs/toy-greedy-against-mine.py_Bot-3-players'
    """
    name = "-".join(re.sub(r".*[/\\]", "", word) for word in words)
    name = re.sub(r"[^\w.=-]+", "_", name)[:120]
    return Path("runs") / f"{name}-{players}-players"


def _found(view: "View") -> dict[str, Any]:
    """What a run showed, for scripts; of a match or a tournament its outcome too."""
    contest = {"contest": view.to_json()} if view.contest else {}
    return view.summary.to_json() | contest


def _names(text: str, flag: str = "agents") -> list[str]:
    """Names separated by commas."""
    specs = [spec.strip() for spec in text.split(",")]
    if "" in specs:
        raise Mistake(f"--{flag}: {text!r} has an empty place; write names between commas.")
    return specs


def _wants(text: str) -> dict[str, str]:
    """What is wanted, by name.

    >>> _wants("seats=3,length=50:80")
    {'seats': '3', 'length': '50:80'}
    """
    found: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not (name and equals and value):
            raise Mistake(f"--want: {part.strip()!r} is not of the form NAME=LOW:HIGH.")
        if name in found:
            raise Mistake(f"--want: {name!r} is given twice.")
        found[name] = value
    return found


def _number(flag: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Mistake(f"{flag}={text} should be a number, such as 3.") from None


def _numbers(flag: str, text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise Mistake(f"--{flag}: {text!r} should be whole numbers such as 3,4,5.") from None


def _settings(flags: list[str] | None) -> dict[str, Any]:
    """One value for each option."""
    from experiments.plan import parse_settings

    settings = parse_settings(flags or [])
    for key, values in settings.items():
        if len(values) > 1:
            raise Mistake(f"--set: {key} has {len(values)} values, and one game can have one.")
    return {key: values[0] for key, values in settings.items()}


@contextmanager
def _progress(opening: str, things: str = "games") -> Iterator[Any]:
    """A bar with rate and time left, on the error stream; the opening once play begins."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.table import Column

    console = Console(stderr=True)
    is_narrow = console.width < 80
    bar = Progress(
        *([] if is_narrow else [TextColumn("{task.description}"), BarColumn()]),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}", table_column=Column(no_wrap=not is_narrow)),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    )
    task = bar.add_task(things, total=None, rate="")

    def update(total: int, done: int, rate: float, note: str = "") -> None:
        is_first = bar.tasks[task].total is None
        shown = f"{rate:,.{0 if rate >= 10 else 1}f}/s" if rate else ""
        bar.update(task, total=total, completed=done, rate=" ".join((shown, note)).strip())
        if is_first:
            console.print(opening, highlight=False, markup=False)
            bar.start()

    try:
        yield update
    finally:
        if bar.live.is_started:  # else it would print an empty line
            bar.stop()


if __name__ == "__main__":
    main()
