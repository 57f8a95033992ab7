"""The options of Great Western Trail: what the box prints, and every contested ruling."""

import re
from typing import Literal

from pydantic import Field, StrictBool, StrictStr, field_validator

from sim.great_western_trail.state import MAX_STACK, NUMBERS, TIES
from sim.options import ByPlayers, BySeat, Options, whole


class StartingMoney(BySeat):
    """Money of each player at the start, in dollars, by seat."""

    first: int = whole(6, 0, 1000, "$ of the first seat", "$", alias="1")
    second: int = whole(7, 0, 1000, "$ of the second seat", "$", alias="2")
    third: int = whole(8, 0, 1000, "$ of the third seat", "$", alias="3")
    fourth: int = whole(9, 0, 1000, "$ of the fourth seat", "$", alias="4")


class MarketSize(ByPlayers):
    """Cards the cattle market is filled up to, by number of players."""

    two: int = whole(7, 0, MAX_STACK, "cards with 2 players", alias="2")
    three: int = whole(10, 0, MAX_STACK, "cards with 3 players", alias="3")
    four: int = whole(13, 0, MAX_STACK, "cards with 4 players", alias="4")


class WorkersAtStart(ByPlayers):
    """Workers in the job market at the start, by number of players; none beyond row 6."""

    two: int = whole(3, 0, 11, "workers with 2 players", alias="2")
    three: int = whole(5, 0, 17, "workers with 3 players", alias="3")
    four: int = whole(7, 0, 23, "workers with 4 players", alias="4")


class GreatWesternTrailOptions(Options):
    """Options with their printed or ruled values; codes are the rulings of the room's README.

    Where each value comes from stands in `rules.toml` and in the board files.
    """

    rails_to_the_north: StrictBool = Field(
        False, description="the expansion Rails to the North is used"
    )
    building_sides: StrictStr = Field(
        "a",
        description="side of the private buildings: a, b, random, or a letter for each number, "
        "such as abbaabbaab",
    )
    neutral_buildings: Literal["on_letters", "random"] = Field(
        "on_letters", description="where the neutral buildings lie at the start"
    )

    starting_money: StartingMoney = Field(
        StartingMoney(),
        description="$ of each player at the start, by seat",
        json_schema_extra={"unit": "$"},
    )
    market_size: MarketSize = Field(
        MarketSize(), description="cards the cattle market is filled up to, by number of players"
    )
    workers_at_start: WorkersAtStart = Field(
        WorkersAtStart(), description="workers in the job market at the start, by number of players"
    )
    tiles_at_start: int = whole(7, 0, 12, "hazards and teepees on the trail at the start")
    cards_in_hand: int = whole(4, 1, 6, "cards in hand at most, before a disc raises it")
    start_tokens: int = whole(1, 0, 10, "exchange tokens of each player at the start")
    disc_money: int = whole(3, 0, 100, "$ for taking the left movement disc", "$")
    disc_points: int = whole(3, 0, 100, "points for the space of the right movement disc")
    goal_money: int = whole(3, 0, 100, "$ for reaching the last space of the railroad", "$")
    row_points: int = whole(4, 0, 100, "points for a worker on space 5 or 6 of his row")
    token_points: int = whole(2, 0, 100, "points for the job market token")
    money_per_point: int = whole(5, 1, 100, "$ for a point at the end", "$")

    upgrade_before_reward: StrictBool = Field(
        True, description="a station reached is upgraded before the rest of the action (X2)"
    )
    black_disc_on_white_city: StrictBool = Field(
        True, description="with only black discs left, one goes on a white city too (X3)"
    )
    extraordinary_counts_end_turnout: StrictBool = Field(
        True, description="a turnout the engine stops on counts for 9a (X4)"
    )
    extraordinary_kansas_city_pays: StrictBool = Field(
        False, description="an extraordinary delivery to Kansas City brings its money"
    )
    left_disc_first: StrictBool = Field(
        False, description="the left of two discs must be taken first (X6)"
    )
    chicago_detroit: Literal["token_minus_5", "objective_and_3"] = Field(
        "token_minus_5", description="what discs on both Chicago and Detroit bring (X9, R39)"
    )
    market_draw_last: StrictBool = Field(
        False, description="cowboys draw cards only after all purchases (M21)"
    )
    delivery_actions_mandatory: StrictBool = Field(
        True, description="a delivery action must be performed (M23)"
    )
    adjacent_skips_empty: StrictBool = Field(
        False, description="empty spaces are passed over to the adjacent building (8b)"
    )
    copied_risk_action: StrictBool = Field(
        True, description="the risk action beside a copied building may be used (R15)"
    )
    ride_to_kansas_city: StrictBool = Field(
        False, description="a move without tolls may end at Kansas City (R36)"
    )
    ride_gives_actions: StrictBool = Field(
        False, description="a move without tolls gives the actions of the new location (R36b)"
    )
    something_in_phase_b: StrictBool = Field(
        True, description="something must be done in phase B if possible (R11)"
    )
    first_placement_on_private: StrictBool = Field(
        False, description="a first cattleman may be put on an own building, too"
    )
    tie: Literal[TIES] = Field("shared", description="what breaks a tie at the end: nothing, money")
    teepee_order: Literal["lowest_first", "minus_one_first"] = Field(
        "lowest_first", description="which teepee space is filled first: -3 or -1"
    )

    @field_validator("building_sides")
    @classmethod
    def _sides(cls, value: str) -> str:
        if not re.fullmatch(rf"random|[ab]{{1,{NUMBERS}}}", value):
            raise ValueError(
                f"{value!r} should be a, b, random, or a letter a or b for each number"
            )
        return value
