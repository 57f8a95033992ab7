"""What the parts of a board of Great Western Trail are called where they are typed and shown."""

import dataclasses
import functools
import re
from typing import TYPE_CHECKING

from sim.great_western_trail.state import (
    DISCS,
    HAZARD_TYPES,
    LAST_NUMBER,
    MAX_CATTLE,
    WORKERS,
)

if TYPE_CHECKING:
    from sim.game import Board


def slug(name: str) -> str:
    """How a name is typed.

    >>> slug("St. Louis"), slug("engine b-bt-h-h")
    ('st_louis', 'engine_b_bt_h_h')
    """
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def spoken(text: str) -> str:
    """A text in small letters, its signs as words: a plus in an action would part restrictions.

    >>> spoken("hire +2"), spoken("Trade -3"), spoken("play draw 5-h")
    ('hire plus 2', 'trade minus 3', 'play draw 5_h')
    """
    text = re.sub(r"(?<!\S)\+\s*", "plus ", text.lower())
    text = re.sub(r"(?<!\S)[-−]\s*(?=\d)", "minus ", text)
    return re.sub(r"[-+−]", "_", text)


@dataclasses.dataclass(frozen=True)
class Names:
    """The parts of a board as they are typed, each list in the order of the record."""

    spaces: list[str]
    icons: list[str]
    tiles: list[str]  # of the Kansas City supply
    buildings: list[str]  # neutral ones in capital letters, then both sides of each number
    cattle: list[str]  # kinds of card
    objectives: list[str]
    stations: list[str]
    positions: list[str]  # of the railroad
    masters: list[str]
    cities: list[str]
    towns: list[str]
    trades: list[str]
    discs: tuple[str, ...] = DISCS

    def card(self, card: int) -> str:
        """A card of a player's deck."""
        return self.cattle[card] if card < MAX_CATTLE else self.objectives[card - MAX_CATTLE]

    @functools.cached_property
    def cards(self) -> dict[int, str]:
        """All cards of a player's deck."""
        return dict(enumerate(self.cattle)) | dict(enumerate(self.objectives, MAX_CATTLE))


@functools.lru_cache(maxsize=64)
def names(board: "Board") -> Names:
    """The names on a board, of its expansion only if that is used.

    >>> import sim
    >>> names(sim.load("great-western-trail").board()).cities[:2]
    ['kansas_city', 'topeka']
    """
    file, record = board.file, board.record[0]
    north = bool(record.n_towns)
    cattle = []
    for name, points in file.cattle_kinds:
        several = sum(other == name for other, _ in file.cattle_kinds) > 1
        cattle.append(slug(f"{name} {points}" if several else name))
    hazards = [
        f"{kind}_{hazard.hand}_{hazard.points}" for kind in HAZARD_TYPES for hazard in file.hazards
    ]
    turnouts = [f"{int(after)}.5" for after in record.turnout_after if after >= 0]
    private = {tile.name for tile in file.used("buildings", north)}
    return Names(
        spaces=file.space_names,
        icons=[spoken(name) for name in file.icon_names],
        tiles=[*hazards, "green_teepee", "blue_teepee", *WORKERS],
        buildings=[
            *(tile.name.upper() for tile in file.neutral_buildings),
            *sorted(private, key=lambda name: (int(name[:-1]), name[-1])),
        ],
        cattle=cattle,
        objectives=[slug(card.name) for card in file.objective_kinds],
        stations=[
            slug(station.town) if station.town else str(station.at or f"{station.after}.5")
            for station in file.used("stations", north)
        ],
        positions=[*map(str, range(LAST_NUMBER + 1)), *turnouts],
        masters=[slug(master.name) for master in file.used("masters", north)],
        cities=[slug(city.name) for city in file.strip(north)],
        towns=[slug(town.name) for town in file.towns] if north else [],
        trades=[spoken(str(int(money))) for money in record.trade_money],
    )
