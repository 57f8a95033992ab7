"""The options of Westward Rails: what the sheet prints, and every contested ruling."""

from typing import Annotated, Literal

from pydantic import Field, StrictBool, model_validator

from sim.options import Options
from sim.westward_rails.state import MAX_CUBES, MAX_DEMAND_SPACES, MAX_METROS, MAX_RAILROADS

Count = Annotated[int, Field(strict=True, ge=0, le=100)]
Positive = Annotated[int, Field(strict=True, ge=1, le=100)]
Dollars = Annotated[int, Field(strict=True, ge=0, le=1000)]


class StartingMoney(Options):
    """Starting cash of each player, in $, by number of players."""

    three: Dollars = Field(40, alias="3")
    four: Dollars = Field(30, alias="4")
    five: Dollars = Field(24, alias="5")


class WestwardRailsOptions(Options):
    """Options and their printed or ruled values. Codes are the rulings of the room's README."""

    starting_money: StartingMoney = StartingMoney()

    cubes_per_railroad: Annotated[int, Field(strict=True, ge=1, le=MAX_CUBES)] = 20
    shares_per_railroad: Annotated[int, Field(strict=True, ge=1, le=20)] = 5
    upgrade_cubes: Annotated[int, Field(strict=True, ge=0, le=MAX_METROS)] = 6
    demand_spaces: Annotated[int, Field(strict=True, ge=1, le=MAX_DEMAND_SPACES)] = 4
    demands_face_up: Annotated[int, Field(strict=True, ge=0, le=MAX_DEMAND_SPACES)] = 0  # D1, K11
    dividend_every: Annotated[int, Field(strict=True, ge=2, le=100)] = 6
    starting_value: Annotated[int, Field(strict=True, ge=0, le=100)] = 1
    railroads_out_of_cubes: Annotated[int, Field(strict=True, ge=1, le=MAX_RAILROADS)] = 4
    build_spaces: Annotated[int, Field(strict=True, ge=1, le=5)] = 2  # T2
    auction_spaces: Annotated[int, Field(strict=True, ge=0, le=5)] = 1  # T2
    upgrade_spaces: Annotated[int, Field(strict=True, ge=0, le=5)] = 1  # T2

    minimum_bid: Positive = 5
    minimum_raise: Positive = 1
    upgrade_cost: Count = 5
    lease_cost_per_segment: Count = 2
    metro_first_link_cash: Count = 10
    metro_value_increase: Annotated[int, Field(strict=True, ge=0, le=20)] = 3
    west_coast_value_increase: Annotated[int, Field(strict=True, ge=0, le=20)] = 1
    auction_value_increase: Annotated[int, Field(strict=True, ge=0, le=20)] = 1

    initial_auction_raises_value: StrictBool = False  # A5
    lease_allowed_before_first_cube: StrictBool = False  # B8
    incomplete_link_gives_presence: StrictBool = True  # B3
    lease_tie: Literal["player", "cheapest"] = "player"  # L3
    lease_when_adjacent_allowed: StrictBool = False  # L6
    west_coast_bonus: Literal["each_link", "once_per_city"] = "each_link"  # W1
    metro_value_bonus: Literal["once", "each_link"] = "once"  # M1
    metro_cash_forfeited_if_preconnected: StrictBool = True  # M3
    share_divisor: Literal["in_hands", "all_five"] = "in_hands"  # V3
    demand_check: Literal["after_batch", "after_each_dividend"] = "after_batch"  # D3
    demand_track_closes_gaps: StrictBool = False  # D4
    finish_turn_before_game_end: StrictBool = True  # E1

    @model_validator(mode="after")
    def _fits(self) -> "WestwardRailsOptions":
        if self.demands_face_up > self.demand_spaces:
            raise ValueError(
                f"demands_face_up = {self.demands_face_up} is more than the "
                f"{self.demand_spaces} demand_spaces"
            )
        return self
