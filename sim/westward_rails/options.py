"""The options of Westward Rails: what the sheet prints, and every contested ruling."""

from typing import Literal

from pydantic import Field, StrictBool, model_validator

from sim.options import ByPlayers, Options, whole
from sim.westward_rails.state import (
    MAX_CUBES,
    MAX_DEMAND_SPACES,
    MAX_METROS,
    MAX_PLAYERS,
    MAX_RAILROADS,
)


class StartingMoney(ByPlayers):
    """Starting cash of each player, in $, by number of players."""

    three: int = whole(40, 0, 1000, "$ with 3 players", alias="3")
    four: int = whole(30, 0, 1000, "$ with 4 players", alias="4")
    five: int = whole(24, 0, 1000, "$ with 5 players", alias="5")


class WestwardRailsOptions(Options):
    """Options with their printed or ruled values; codes are the rulings of the room's README."""

    starting_money: StartingMoney = Field(
        StartingMoney(),
        description="$ of each player, by number of players",
        json_schema_extra={"unit": "$"},
    )
    cubes_per_railroad: int = whole(20, 1, MAX_CUBES, "track cubes of a railroad")
    shares_per_railroad: int = whole(5, 1, 20, "shares of a railroad")
    upgrade_cubes: int = whole(6, 0, MAX_METROS, "metro areas that can be upgraded")
    demand_spaces: int = whole(4, 1, MAX_DEMAND_SPACES, "spaces of the demand track")
    demands_face_up: int = whole(0, 0, MAX_DEMAND_SPACES, "demands there at the start (D1)")
    dividend_every: int = whole(6, 2, 100, "spaces from one dividend to the next")
    starting_value: int = whole(1, 0, 100, "value of a railroad at the start")
    railroads_out_of_cubes: int = whole(
        4, 1, MAX_RAILROADS, "railroads without cubes that end the game"
    )
    build_spaces: int = whole(2, 1, MAX_PLAYERS, "action spaces for Build (T2)")
    auction_spaces: int = whole(1, 0, MAX_PLAYERS, "action spaces for Auction (T2)")
    upgrade_spaces: int = whole(1, 0, MAX_PLAYERS, "action spaces for Upgrade (T2)")

    minimum_bid: int = whole(5, 1, 100, "$ of the first bid at least", "$")
    minimum_raise: int = whole(1, 1, 100, "$ over the last bid at least", "$")
    upgrade_cost: int = whole(5, 0, 100, "$ to upgrade a metro area", "$")
    lease_cost_per_segment: int = whole(2, 0, 100, "$ for each leased segment", "$")
    metro_first_link_cash: int = whole(10, 0, 100, "$ for the first link to an upgraded metro", "$")
    metro_value_increase: int = whole(3, 0, 20, "spaces for joining an upgraded metro area")
    west_coast_value_increase: int = whole(1, 0, 20, "spaces for a link to the West Coast")
    auction_value_increase: int = whole(1, 0, 20, "spaces for a share sold")

    initial_auction_raises_value: StrictBool = Field(
        False, description="shares sold in the Initial Auction raise the value too (A5)"
    )
    lease_allowed_before_first_cube: StrictBool = Field(
        False, description="a railroad without track may lease from its start (B8)"
    )
    incomplete_link_gives_presence: StrictBool = Field(
        True, description="a begun link touches the city it was begun from (B3)"
    )
    lease_tie: Literal["player", "cheapest"] = Field(
        "player", description="who chooses among equal leases (L3)"
    )
    lease_when_adjacent_allowed: StrictBool = Field(
        False, description="a link at one's own track may be begun from its far end (L6)"
    )
    west_coast_bonus: Literal["each_link", "once_per_city"] = Field(
        "each_link", description="how often the West Coast bonus is given (W1)"
    )
    metro_value_bonus: Literal["once", "each_link"] = Field(
        "once", description="how often a metro area raises a railroad's value (M1)"
    )
    metro_cash_forfeited_if_preconnected: StrictBool = Field(
        True, description="no first-link cash where a railroad was there before (M3)"
    )
    share_divisor: Literal["in_hands", "all_five"] = Field(
        "in_hands", description="shares that payments are divided by (V3)"
    )
    demand_check: Literal["after_batch", "after_each_dividend"] = Field(
        "after_batch", description="when demands are checked (D3, K8)"
    )
    demand_track_closes_gaps: StrictBool = Field(
        False, description="cards above a fulfilled demand move down (D4)"
    )
    finish_turn_before_game_end: StrictBool = Field(
        True, description="the turn that ends the game is played out (E1, X5)"
    )

    @model_validator(mode="after")
    def _fits(self) -> "WestwardRailsOptions":
        if self.demands_face_up > self.demand_spaces:
            raise ValueError(
                f"demands_face_up = {self.demands_face_up} should be at most demand_spaces, "
                f"{self.demand_spaces}"
            )
        return self
