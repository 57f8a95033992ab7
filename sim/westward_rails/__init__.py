"""Westward Rails (Hollandspiele; design by Travis D. Hill), 3 to 5 players."""

from pathlib import Path

from sim.game import Game
from sim.westward_rails import actions, board, rules, scenarios, table
from sim.westward_rails.options import WestwardRailsOptions
from sim.westward_rails.picture import draw

GAME = Game(
    name="westward-rails",
    title="Westward Rails",
    version=1,
    players=range(3, 6),
    rules=rules,
    options=WestwardRailsOptions,
    board_reader=board,
    actions=actions,
    table=table,
    scenarios=scenarios,
    folder=Path(__file__).parent,
    default_board="reconstructed_map",
    score_unit="$",
    assumptions=(
        "Reconstructed map: the printed mapsheet is not publicly available. Cities named in the "
        "rulebook are its own; other cities, links, metro areas and demand pairs are assumed.",
        "Starting money of $40, $30 and $24 for 3, 4 and 5 players is assumed: the rulebook "
        "leaves it to the mapsheet.",
    ),
    picture=draw,
)
