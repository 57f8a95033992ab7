"""Great Western Trail (Stronghold / eggertspiele, 2016; Alexander Pfister), 2 to 4 players."""

from pathlib import Path

from sim.game import Game
from sim.great_western_trail import actions, board, rules, scenarios, table
from sim.great_western_trail.options import GreatWesternTrailOptions
from sim.great_western_trail.picture import draw, draw_position

GAME = Game(
    name="great-western-trail",
    title="Great Western Trail",
    version=1,
    players=range(2, 5),
    rules=rules,
    options=GreatWesternTrailOptions,
    board_reader=board,
    actions=actions,
    table=table,
    scenarios=scenarios,
    folder=Path(__file__).parent,
    default_board="first_edition",
    score_unit="points",
    element="space",
    assumptions=(
        "What is printed is taken from public transcriptions and pictures of the first edition; "
        "the board file gives the basis of every entry.",
        "How the tiles are split among the three piles of the supply rests on one transcription, "
        "the only one that adds up to the rulebook's totals.",
        "The city strip and the towns of Rails to the North are read off a redrawn picture, and "
        "some links through a switch are left out.",
        "What the rulebook leaves open is ruled in the options, each with its basis.",
    ),
    picture=draw,
    portrait=draw_position,
)
