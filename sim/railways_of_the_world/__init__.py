"""Railways of the World (Eagle-Gryphon Games; Glenn Drover, Martin Wallace), 2 to 6 players."""

from pathlib import Path

from sim.game import Game
from sim.railways_of_the_world import actions, board, rules, scenarios, table
from sim.railways_of_the_world.options import RailwaysOfTheWorldOptions
from sim.railways_of_the_world.picture import draw, draw_position

GAME = Game(
    name="railways-of-the-world",
    title="Railways of the World",
    version=1,
    players=range(2, 7),
    rules=rules,
    options=RailwaysOfTheWorldOptions,
    board_reader=board,
    actions=actions,
    table=table,
    scenarios=scenarios,
    folder=Path(__file__).parent,
    default_board="eastern_us",
    score_unit="points",
    loan="bond",
    assumptions=(
        "The Eastern map is read off the 2005 board; later printings may differ. The Western map "
        "is a stand-in built from ordinary geography, not the published one.",
        "The income track and all engine prices but the first are those of the 2005 edition.",
        "The cards' numbers of copies, some of their effects and points, and the points of some "
        "Major Lines are assumed; the board file gives the basis of every entry.",
    ),
    picture=draw,
    portrait=draw_position,
)
