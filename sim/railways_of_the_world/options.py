"""The options of Railways of the World: what the box prints, modules, every contested ruling."""

from typing import Literal

from pydantic import Field, StrictBool, field_validator, model_validator

from sim.options import ByPlayers, Options, whole
from sim.railways_of_the_world.state import MAX_BID, MAX_CARDS


class StartingMoney(ByPlayers):
    """Money of each player at the start, in thousands of dollars, by number of players."""

    two: int = whole(0, 0, 1000, "$1,000s with 2 players", alias="2")
    three: int = whole(0, 0, 1000, "$1,000s with 3 players", alias="3")
    four: int = whole(0, 0, 1000, "$1,000s with 4 players", alias="4")
    five: int = whole(0, 0, 1000, "$1,000s with 5 players", alias="5")
    six: int = whole(0, 0, 1000, "$1,000s with 6 players", alias="6")


class EmptyCityMarkers(ByPlayers):
    """Empty City Markers whose last one triggers the end, by number of players; the box has 19."""

    two: int = whole(10, 1, 20, "markers with 2 players", alias="2")
    three: int = whole(12, 1, 20, "markers with 3 players", alias="3")
    four: int = whole(14, 1, 20, "markers with 4 players", alias="4")
    five: int = whole(16, 1, 20, "markers with 5 players", alias="5")
    six: int = whole(18, 1, 20, "markers with 6 players", alias="6")


class GoodsReduction(ByPlayers):
    """Cubes less than its number in each city at the start, by number of players."""

    two: int = whole(1, 0, 25, "cubes with 2 players", alias="2")
    three: int = whole(1, 0, 25, "cubes with 3 players", alias="3")
    four: int = whole(0, 0, 25, "cubes with 4 players", alias="4")
    five: int = whole(0, 0, 25, "cubes with 5 players", alias="5")
    six: int = whole(0, 0, 25, "cubes with 6 players", alias="6")


class NewCityTiles(Options):
    """New City tiles, by colour."""

    red: int = whole(0, 0, 60, "red tiles")
    blue: int = whole(3, 0, 60, "blue tiles")
    yellow: int = whole(3, 0, 60, "yellow tiles")
    purple: int = whole(3, 0, 60, "purple tiles")
    black: int = whole(3, 0, 60, "black tiles")


class EnginePrice(Options):
    """Price of reaching an engine level from the one below, in thousands of dollars."""

    two: int = whole(5, 0, 200, "$1,000s to reach level 2", alias="2")
    three: int = whole(10, 0, 200, "$1,000s to reach level 3", alias="3")
    four: int = whole(10, 0, 200, "$1,000s to reach level 4", alias="4")
    five: int = whole(15, 0, 200, "$1,000s to reach level 5", alias="5")
    six: int = whole(15, 0, 200, "$1,000s to reach level 6", alias="6")
    seven: int = whole(20, 0, 200, "$1,000s to reach level 7", alias="7")
    eight: int = whole(20, 0, 200, "$1,000s to reach level 8", alias="8")


class RailwaysOfTheWorldOptions(Options):
    """Options with their printed or ruled values; codes are the rulings of the room's README.

    Where each value comes from stands in `rules.toml` and in the board files.
    """

    starting_money: StartingMoney = Field(
        StartingMoney(),
        description="$1,000s of each player, by number of players",
        json_schema_extra={"unit": "$k"},
    )
    empty_city_markers: EmptyCityMarkers = Field(
        EmptyCityMarkers(),
        description="markers placed that trigger the end, by number of players (the box has 19)",
    )
    goods_reduction: GoodsReduction = Field(
        GoodsReduction(),
        description="cubes less in each city at the start (never below 1), by number of players",
    )
    cubes_per_colour: int = whole(25, 1, 25, "cubes of each colour, in cities and bag")
    new_city_tiles: NewCityTiles = Field(NewCityTiles(), description="New City tiles, by colour")
    service_bounties: int = whole(4, 0, MAX_CARDS, "Service Bounty cards laid out at the start")
    cards_per_player: int = whole(2, 0, 10, "operations cards shown at the start, a player")

    tiles_per_build: int = whole(4, 1, 20, "track tiles of a Build action at most")
    open_cost: int = whole(2, 0, 100, "$1,000s for a tile on open terrain", "$k")
    water_cost: int = whole(3, 0, 100, "$1,000s for a tile on a hex with water (R01)", "$k")
    mountain_cost: int = whole(4, 0, 100, "$1,000s for a tile on hills or mountains", "$k")
    ridge_cost: int = whole(
        4, 0, 100, "$1,000s for each ridge side the track crosses (M4, A06)", "$k"
    )
    crossover_cost: int = whole(0, 0, 100, "$1,000s more for a tile over other track (R09)", "$k")
    urbanize_cost: int = whole(10, 0, 200, "$1,000s to Urbanize a gray city", "$k")
    urbanize_cubes: int = whole(2, 0, 20, "cubes drawn for a city that is urbanized")
    new_industry_cubes: int = whole(0, 0, 20, "cubes drawn for a city with New Industry (A04)")
    engine_price: EnginePrice = Field(
        EnginePrice(),
        description="$1,000s to reach an engine level, by level",
        json_schema_extra={"unit": "$k"},
    )
    bond_cash: int = whole(5, 1, 100, "$1,000s received for a bond", "$k")
    bond_dividend: int = whole(1, 0, 100, "$1,000s a turn for each bond (R10)", "$k")
    bond_points: int = whole(1, 0, 100, "points lost for each bond at the end")
    max_bid: int = whole(40, 1, MAX_BID, "$1,000s that can be bid at most (M2)", "$k")
    max_turns: int = whole(60, 0, 1000, "turns after which the game ends; 0: no limit (M1)")
    depots_per_player: int = whole(4, 0, 20, "Fuel Depots of each player")
    depot_cost: int = whole(5, 0, 100, "$1,000s to place Fuel Depots, one or two", "$k")

    auction: Literal["standard", "new_players", "first_to_pass"] = Field(
        "standard", description="how the first player is found (R05, A07)"
    )
    first_to_pass_all_pass: Literal["last_to_pass", "left_of_previous"] = Field(
        "last_to_pass", description="who is first when all pass in first_to_pass (R04, K14)"
    )
    rules_2005: StrictBool = Field(
        False, description="rules of 2005: crossovers cost $2,000 more (R09)"
    )
    western_link: StrictBool = Field(
        False, description="rules of 2005: the Western Link action and its Baron (R21)"
    )
    city_rotors: StrictBool = Field(
        False, description="module City Rotors: a second colour in some cities (R17)"
    )
    fuel_depots: StrictBool = Field(
        False, description="module Fuel Depots: a cube passes a city or stops there (R18, R19)"
    )
    depot_rules: Literal["current", "2010"] = Field(
        "current", description="where Fuel Depots may be placed, and how many (R18)"
    )
    depot_example_1: Literal["held", "removed"] = Field(
        "held", description="how a stopped cube is shown: beside its depot, or off the map (R19)"
    )
    own_first_link_after_stop: StrictBool = Field(
        False, description="a cube that stopped goes on over an own link first (M10)"
    )
    second_own_parallel_link: StrictBool = Field(
        False, description="a player may own two links between the same cities (R16, K13)"
    )
    sharp_turns: StrictBool = Field(
        False, description="a tile may join two sides next to each other"
    )
    link_may_cross_itself: StrictBool = Field(False, description="a link may use a hex twice (M6)")
    tracks_may_share_hex_without_crossing: StrictBool = Field(
        False, description="a second track in a hex need not cross the first (M7)"
    )
    optional_cards: StrictBool = Field(
        True, description="optional cards are used when their module is"
    )
    growth_lifts_marker: StrictBool = Field(
        True, description="cubes from a card take the marker off an empty city (A05)"
    )
    useless_card_may_be_taken: StrictBool = Field(
        False, description="a card used at once may be taken where it does nothing (M12)"
    )
    chain_may_revisit_city: StrictBool = Field(
        True, description="the longest chain of links may pass a city twice (A03)"
    )

    @field_validator("depot_rules", mode="before")
    @classmethod
    def _year_as_text(cls, value: object) -> object:
        """On a command line or in a plan 2010 is read as a number."""
        return str(value) if value == 2010 and type(value) is int else value

    @model_validator(mode="after")
    def _fits(self) -> "RailwaysOfTheWorldOptions":
        if self.bond_dividend > self.bond_cash:
            raise ValueError(
                f"bond_dividend = {self.bond_dividend} should be at most bond_cash, "
                f"{self.bond_cash}"
            )
        return self

    def batch_fault(self) -> str | None:
        """Nothing but `max_turns` bounds a game: passing is legal and markers come back (M1)."""
        if self.max_turns == 0:
            return "max_turns = 0 lets a game go on for ever: give a number of turns, such as 60."
        return None
