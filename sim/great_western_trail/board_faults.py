"""The rules of a valid board of Great Western Trail, and what breaks one told in words."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sim.errors import nearest
from sim.great_western_trail.board_entries import (
    CARDS,
    KANSAS_CITY,
    OFFICE,
    PLAYERS,
    SAN_FRANCISCO,
    BoardFile,
    City,
    Icon,
    Pair,
    Pile,
)
from sim.great_western_trail.state import (
    AUXILIARIES,
    BELLS,
    DISCS,
    HAZARD_TYPES,
    MAX_CATTLE,
    MAX_CITIES,
    MAX_MASTERS,
    MAX_OBJECTIVES,
    MAX_PILE,
    MAX_PLAYERS,
    MAX_ROWS,
    MAX_STACK,
    MAX_STATIONS,
    MAX_WAYS,
    MOST_DRAWN,
    NEUTRALS,
    NUMBERS,
    ROW_LENGTH,
    SLOTS,
    TRADES,
    TURNOUTS,
)
from sim.layout import counted

# Kind of icon: what it must tell, and what it may.
_ICON_KEYS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "gain": ((), ("money", "certificates", "counts")),
    "give": (("card",), ("amount", "money", "certificates", "then")),
    "hire": (("amount",), ()),
    "build": (("amount",), ()),
    "either": (("either",), ()),
    "forward": (("amount",), ("counts", "money")),
    "back": (("amount",), ("money", "certificates", "then")),
    "clear": (("amount",), ()),
    "move": (("amount",), ()),
    "ride": (("amount",), ()),
    "draw": (("amount",), ("counts",)),
    "remove": (("amount",), ()),
    "branchlet": (("amount",), ()),
    "free_cattle": (("amount",), ()),
}
_ICON_VALUES = ("amount", "counts", "money", "certificates", "card", "then", "either")
_SIGNED = ("hire",)  # kinds whose amount may be below 0
_FROM_ZERO = ("build", "clear")  # and those for which it may be 0
_MOST_COUNTED = {  # at most so many are counted; of others there may be more than can be drawn
    None: 1,
    "one": 1,
    "cowboys": ROW_LENGTH,
    "craftsmen": ROW_LENGTH,
    "engineers": ROW_LENGTH,
    "bells": BELLS,
}
_NORTH = (  # tables of the extension board
    "buildings_north",
    "stations_north",
    "masters_north",
    "cities_north",
    "pairs_north",
    "big_towns",
    "discs_north",
    "auxiliary_north",
    "links",
    "medium_tiles",
    "bells",
)


def faults_of(board: BoardFile) -> list[str]:
    """Every rule of a valid board that this one breaks."""
    # A name given twice or not at all would be told again by what rests on it.
    return [*_names_twice(board), *_unknown_icons(board)] or [
        *_icon_faults(board),
        *_trail_faults(board),
        *_tile_faults(board),
        *_building_faults(board),
        *_card_faults(board),
        *_player_board_faults(board),
        *_railroad_faults(board),
        *_city_faults(board, board.cities, board.pairs),
        *_extension_faults(board),
    ]


def _names_twice(board: BoardFile) -> list[str]:
    """Names that are given more than once."""
    named: list[tuple[str, list[Any]]] = [
        ("icon", board.icons),
        ("space", board.spaces),
        ("neutral building", board.neutral_buildings),
        ("building", board.used("buildings", north=True)),
        ("cattle", board.cattle),
        ("objective card", board.objective_kinds),
        ("station", board.used("stations", north=True)),
        ("station master", board.used("masters", north=True)),
        ("city", board.cities),
        ("city", board.strip(north=True)),
        ("disc", board.used("discs", north=True)),
        ("auxiliary action", board.used("auxiliary", north=True)),
        ("town", board.towns),
    ]
    keys = [(noun, [repr(entry.name) for entry in entries]) for noun, entries in named]
    keys += [
        ("players entry for", [str(entry.players) for entry in board.players]),
        ("pile", [str(pile.number) for pile in board.piles]),
        ("worker space", [f"{each.worker} {each.place}" for each in board.worker_spaces]),
        ("hazard", [f"{hazard.hand} {hazard.points}" for hazard in board.hazards]),
    ]
    return [
        f"{noun} {name} is given {times} times"
        for noun, names in keys
        for name, times in Counter(names).items()
        if times > 1
    ]


def _icons_used(board: BoardFile) -> Iterator[tuple[str, str | None]]:
    """Who shows an icon, and which."""
    for icon in board.icons:
        for name in (icon.then, *(icon.either or [])):
            yield f"icon {icon.name!r}", name
    for space in board.spaces:
        yield f"space {space.name!r}", space.risk
    for tile in (*board.neutral_buildings, *board.used("buildings", north=True)):
        for name in tile.icons:
            yield f"building {tile.name!r}", name
    for action in board.used("auxiliary", north=True):
        for name in (action.single, action.double):
            yield f"auxiliary action {action.name!r}", name
    for place in board.worker_spaces:
        yield f"worker space {place.worker} {place.place}", place.icon
    for card in board.objectives:
        yield f"objective card {card.name!r}", card.icon
    for master in board.used("masters", north=True):
        yield f"station master {master.name!r}", master.icon
    for city in (*board.cities, *board.strip(north=True)):
        yield f"city {city.name!r}", city.icon
    for pair in (*board.pairs, *board.pairs_north):
        yield f"pair {'-'.join(pair.cities)!r}", pair.icon
    for town in board.towns:
        for name in town.icons:
            yield f"town {town.name!r}", name
    for tile in board.medium_tiles:
        yield "a medium tile", tile.icon


def _unknown_icons(board: BoardFile) -> list[str]:
    return [
        f"{user} shows the unknown icon {name!r}{nearest(name, board.icon_names)}"
        for user, name in _icons_used(board)
        if name is not None and name not in board.icon_names
    ]


def _icon_faults(board: BoardFile) -> list[str]:
    """Rules of valid icons that the board breaks."""
    cattle = [each.name for each in board.cattle]
    faults = [
        f"cattle {name!r} has the name of a kind of card that icons ask for"
        for name in cattle
        if name in CARDS
    ]
    for icon in board.icons:
        faults += _one_icon_faults(icon, [*cattle, *CARDS], board.market_values)
    after = {icon.name: [*filter(None, [icon.then]), *(icon.either or [])] for icon in board.icons}
    auxiliary = board.used("auxiliary", north=True)
    for icon in board.icons:
        if icon.kind == "auxiliary":
            after[icon.name] = [name for each in auxiliary for name in (each.single, each.double)]
    faults += [
        f"icon {name!r} leads to itself again" for name in after if name in _met(after, name)
    ]
    return [*faults, *_offer_faults(board)]


def _offer_faults(board: BoardFile) -> list[str]:
    """Lists to choose an icon from in which one would stand twice, or another list."""
    kind = {icon.name: icon.kind for icon in board.icons}
    either = {icon.name: icon.either or [icon.name] for icon in board.icons}
    auxiliary = board.used("auxiliary", north=True)
    actions = [name for each in auxiliary for name in (each.single, each.double)]
    single = [each.single for each in auxiliary]
    risks = {space.risk for space in board.spaces} - {None}
    lists = [(f"icon {icon.name!r}", icon.either) for icon in board.icons if icon.either]
    faults = [
        f"{user} offers {name!r}, which is of kind {kind[name]!r} and offers others"
        for user, names, kinds in (
            *((user, names, ("either",)) for user, names in lists),
            ("an auxiliary action", actions, ("either", "auxiliary")),
        )
        for name in names
        if kind[name] in kinds
    ]
    lists.append(("the list of auxiliary actions", actions))
    for tile in (*board.neutral_buildings, *board.used("buildings", north=True)):
        offered = [other for name in tile.icons for other in either[name]]
        lists.append((f"building {tile.name!r}", offered))
        elsewhere = [("a single auxiliary action", single)]
        if tile not in board.neutral_buildings:
            elsewhere.append(("a space with a risk", risks))
        faults += [
            f"building {tile.name!r} offers {name!r}, as {what} does: give it an icon of its own"
            for what, names in elsewhere
            for name in offered
            if name in names
        ]
    faults += [
        f"a space with a risk offers {name!r}, as a single auxiliary action does: give it an icon "
        "of its own"
        for name in sorted(risks.intersection(single))
    ]
    return faults + [
        f"{user} offers {name!r} {times} times"
        for user, names in lists
        for name, times in Counter(names).items()
        if times > 1
    ]


def _one_icon_faults(icon: Icon, cards: list[str], values: list[int]) -> list[str]:
    user = f"icon {icon.name!r}"
    needs, may = _ICON_KEYS.get(icon.kind, ((), ()))
    faults = [f"{user} lacks {key}" for key in needs if getattr(icon, key) is None]
    faults += [
        f"{user} gives {key}, which the kind {icon.kind!r} does not use"
        for key in _ICON_VALUES
        if getattr(icon, key) is not None and key not in (*needs, *may)
    ]
    if faults:
        return faults
    if icon.card is not None and icon.card not in cards:
        faults.append(f"{user} asks for the unknown card {icon.card!r}{nearest(icon.card, cards)}")
    least = 0 if icon.kind in _FROM_ZERO else 1
    if icon.amount is not None and icon.amount < least and icon.kind not in _SIGNED:
        faults.append(f"{user}: amount = {icon.amount} should be at least {least}")
    if icon.kind == "give" and icon.amount is not None and icon.card != "value 2":
        faults.append(f"{user} gives amount, which only the card 'value 2' uses")
    if icon.kind in ("gain", "give") and icon.money is not None and icon.money < 1:
        faults.append(f"{user}: money = {icon.money} should be at least 1")
    if icon.kind == "forward" and icon.money is not None and icon.money > -1:
        faults.append(f"{user}: money = {icon.money} should be below 0, as it is paid")
    brings = (icon.certificates, icon.then, (icon.money or 0) > 0)
    if icon.kind in ("gain", "give", "back") and not any(brings):
        faults.append(f"{user} brings nothing")
    most = (icon.amount or 0) * _MOST_COUNTED.get(icon.counts, MAX_PILE)
    if icon.kind == "draw" and most > MOST_DRAWN:
        faults.append(f"{user} may draw {most} cards and should draw at most {MOST_DRAWN} at once")
    if icon.kind == "free_cattle" and icon.amount not in values:
        faults.append(f"{user}: no card of the market has the breeding value {icon.amount}")
    return faults


def _met(after: Mapping[str, Iterable[str]], start: str) -> set[str]:
    """All that is reached from a start by one step or more."""
    found, waiting = set(), [start]
    while waiting:
        new = set(after[waiting.pop()]) - found
        found |= new
        waiting += new
    return found


def _trail_faults(board: BoardFile) -> list[str]:
    """Rules of a valid trail that the board breaks."""
    faults = _way_faults(board)
    kinds = Counter(space.kind for space in board.spaces)
    hazards = Counter(space.hazard for space in board.spaces)
    for what, there, right in (
        ("neutral spaces", kinds["neutral"], NEUTRALS),
        *((f"hazard spaces of the type {each}", hazards[each], SLOTS) for each in HAZARD_TYPES),
    ):
        if there != right:
            faults.append(f"the trail has {counted(there, what)} and should have {right}")
    for space in board.spaces:
        user = f"space {space.name!r} of kind {space.kind!r}"
        for kind, key in (("hazard", "hazard"), ("teepee", "trade")):
            if space.kind == kind and getattr(space, key) is None:
                faults.append(f"{user} lacks {key}")
        for kind, key in (
            ("hazard", "hazard"),
            ("teepee", "trade"),
            ("private", "risk"),
            ("private", "woods"),
        ):
            if space.kind != kind and getattr(space, key) not in (None, False):
                faults.append(f"{user} gives {key}, which only the kind {kind!r} uses")
    trades = board.trades
    if len(trades) != TRADES:
        faults.append(
            f"there are {counted(len(trades), 'teepee spaces')}, those beside the trail included, "
            f"and should be {TRADES}"
        )
    faults += [
        f"{times} teepee spaces have the trade {trade} and should differ"
        for trade, times in Counter(trades).items()
        if times > 1
    ]
    given = {entry.players for entry in board.players}
    faults += [f"players lacks an entry for {number}" for number in PLAYERS if number not in given]
    faults += [
        f"the players entry for {entry.players} has the steps {entry.steps}, which should not fall"
        for entry in board.players
        if entry.steps != sorted(entry.steps)
    ]
    return faults


def _way_faults(board: BoardFile) -> list[str]:
    """Faults in the ways from space to space."""
    faults = []
    names = board.space_names
    last = len(names) - 1
    for number, space in enumerate(board.spaces):
        user = f"space {space.name!r}"
        for place, kind, words in ((0, "start", "first"), (last, "goal", "last")):
            if (number == place) != (space.kind == kind):
                faults.append(
                    f"{user} of kind {space.kind!r}: the {words} space, and no other, should be "
                    f"of kind {kind!r}"
                )
        ways = len(space.next)
        if number == last and ways:
            faults.append(f"{user} is the last and leads on")
        elif number != last and ways not in (1, 2):
            faults.append(f"{user} has {counted(ways, 'ways')} on and should have 1 or 2")
        elif ways != len(set(space.next)):
            faults.append(f"{user} leads to {space.next[0]!r} twice")
        for name in space.next:
            if name not in names:
                faults.append(f"{user} leads to the unknown space {name!r}{nearest(name, names)}")
            elif names.index(name) <= number:
                faults.append(
                    f"{user} leads back to {name!r}: the spaces should stand in the order of travel"
                )
    forks = sum(len(space.next) > 1 for space in board.spaces)
    if forks > MAX_WAYS:
        faults.append(f"the trail forks {forks} times and should at most {MAX_WAYS} times")
    entered = {name for space in board.spaces for name in space.next}
    return faults + [
        f"no way leads to the space {name!r}" for name in names[1:] if name not in entered
    ]


def _tile_faults(board: BoardFile) -> list[str]:
    """Rules of valid piles and of the job market that the board breaks."""
    faults = [
        f"piles lacks the number {number}"
        for number in (1, 2, 3)
        if number not in [pile.number for pile in board.piles]
    ]
    with_hazards = [str(pile.number) for pile in board.piles if pile.hazards]
    if len(with_hazards) != 1:
        faults.append(
            f"hazards lie in the piles {', '.join(with_hazards)} and should lie in one"
            if with_hazards
            else "no pile has the hazards"
        )
    for pile in board.piles:
        total = _size(board, pile)
        if not 1 <= total <= MAX_PILE:
            faults.append(
                f"pile {pile.number} has {counted(total, 'tiles')} and should have 1 to {MAX_PILE}"
            )
        workers = sum(pile.workers)
        if pile.number == 1 and workers:
            faults.append("pile 1 has workers, and the trail is filled from it")
        if pile.number == 2 and workers != total:
            faults.append(
                "pile 2 has other tiles than workers, and the job market is filled from it"
            )
    workers, needed = sum(sum(pile.workers) for pile in board.piles), MAX_ROWS * MAX_PLAYERS
    if workers < needed:
        faults.append(
            f"there are {counted(workers, 'workers')} and should be at least {needed}: the job "
            f"market has {MAX_ROWS} rows of {MAX_PLAYERS}"
        )
    faults += [
        f"job_market.refills names the row {row} {times} times"
        for row, times in Counter(board.job_market.refills).items()
        if times > 1
    ]
    return faults


def _size(board: BoardFile, pile: Pile) -> int:
    """Tiles in a pile."""
    hazards = len(HAZARD_TYPES) * sum(hazard.copies for hazard in board.hazards)
    return hazards * pile.hazards + pile.green_teepees + pile.blue_teepees + sum(pile.workers)


def _building_faults(board: BoardFile) -> list[str]:
    """Rules of valid buildings that the board breaks."""
    spaces = [space.name for space in board.spaces if space.kind == "neutral"]
    faults = [
        f"neutral building {tile.name!r} has no neutral space of its name"
        f"{nearest(tile.name, spaces)}"
        for tile in board.neutral_buildings
        if tile.name not in spaces
    ]
    both = board.used("buildings", north=True)
    most = max((tile.number for tile in both), default=1)
    names = [tile.name for tile in both]
    faults += [
        f"building {name!r} is missing: both sides of the numbers 1 to {most} should be given"
        for number in range(1, min(most, NUMBERS) + 1)
        for name in (f"{number}a", f"{number}b")
        if name not in names
    ]
    first = {tile.number for tile in board.buildings}
    faults += [
        f"building {tile.name!r} of buildings_north should have a higher number than all of "
        f"buildings"
        for tile in board.buildings_north
        if tile.number <= max(first, default=0)
    ]
    faults += [
        f"building {tile.name!r} should have a number of 1 to {NUMBERS}"
        for tile in both
        if not 1 <= tile.number <= NUMBERS
    ]
    return faults


def _card_faults(board: BoardFile) -> list[str]:
    """Rules of valid cattle and objective cards that the board breaks."""
    faults = [
        f"cattle {cattle.name!r} has no cards"
        for cattle in board.cattle
        if not cattle.start and not cattle.market
    ]
    kinds = board.objective_kinds
    copies = sum(card.copies for card in board.objectives)
    for what, there, least, most in (
        ("kinds of cattle card", len(board.cattle_kinds), 1, MAX_CATTLE),
        ("cattle cards at the start", sum(each.start for each in board.cattle), 1, MAX_STACK),
        ("cattle cards for the market", len(board.market_values), 1, MAX_STACK),
        ("kinds of objective card", len(kinds), 1, MAX_OBJECTIVES),
        ("objective cards in the stack", copies, 0, MAX_STACK),
        ("starting objective cards", len(board.starting_objectives), MAX_PLAYERS, MAX_OBJECTIVES),
    ):
        if not least <= there <= most:
            faults.append(f"there are {there} {what} and should be {least} to {most}")
    faults += [
        f"buying asks for the breeding value {value}, which no card of the market has"
        for value in sorted({line.value for line in board.buying} - set(board.market_values))
    ]
    return faults


def _player_board_faults(board: BoardFile) -> list[str]:
    """Rules of valid player boards that the board breaks."""
    faults = []
    north = DISCS[AUXILIARIES - 1]  # belongs to the expansion
    for table, discs, actions, right in (
        ("discs", board.discs, board.auxiliary, [disc for disc in DISCS if disc != north]),
        ("discs_north", board.discs_north, board.auxiliary_north, [north] if board.towns else []),
    ):
        names = [disc.name for disc in discs]
        faults += [f"{table} lacks {name!r}" for name in right if name not in names]
        faults += [f"{name!r} does not belong to {table}" for name in names if name not in right]
        done = [action.name for action in actions]
        table = table.replace("discs", "auxiliary")
        right = [name for name in right if name in DISCS[:AUXILIARIES]]
        faults += [f"{table} lacks {name!r}" for name in right if name not in done]
        faults += [f"{name!r} does not belong to {table}" for name in done if name not in right]
    faults += [
        f"disc {disc.name!r} has 2 copies and should have 1"
        for disc in board.discs
        if disc.copies > 1 and disc.name.startswith(("limit", "move"))
    ]
    spaces = board.certificate_track.spaces
    if spaces[0] != 0 or spaces != sorted(set(spaces)):
        faults.append(f"certificate_track.spaces = {spaces} should rise from 0")
    return faults


def _railroad_faults(board: BoardFile) -> list[str]:
    """Rules of a valid railroad, its stations and their masters that the board breaks."""
    faults = []
    for station in board.stations:
        if station.town is not None or (station.after is None) == (station.at is None):
            faults.append(f"station {station.name!r} should have one of after and at, and no town")
    places = Counter(station.after or station.at for station in board.stations)
    faults += [
        f"{times} stations lie at the space {place}"
        for place, times in places.items()
        if place and times > 1
    ]
    turnouts = sum(station.after is not None for station in board.stations)
    stations = board.used("stations", north=True)
    masters = board.used("masters", north=True)
    for what, there, most in (
        ("turnouts", turnouts, TURNOUTS),
        ("stations", len(stations), MAX_STATIONS),
        ("station masters", len(masters), MAX_MASTERS),
    ):
        if there > most:
            faults.append(f"there are {counted(there, what)} and should be at most {most}")
    for words, some, tiles in (
        ("", board.stations, board.masters),
        (" with the expansion", stations, masters),
    ):
        needed = sum(station.master for station in some)
        if len(tiles) < needed:
            faults.append(
                f"there are {counted(len(tiles), 'station masters')}{words} and should be at least "
                f"{needed}, one for each station that has one"
            )
    return faults


def _city_faults(board: BoardFile, cities: list[City], pairs: list[Pair]) -> list[str]:
    """Rules of a valid strip of cities that the board breaks."""
    faults = []
    names = [city.name for city in cities]
    goal = [city for city in cities if city.name == KANSAS_CITY]
    if not goal or goal[0].value or not goal[0].repeats:
        faults.append(
            f"{KANSAS_CITY!r}, of the value 0 and with repeats, should be among the cities, so "
            "that every delivery can be made"
        )
    if len(cities) > MAX_CITIES:
        faults.append(f"there are {len(cities)} cities and should be at most {MAX_CITIES}")
    for city in cities:
        crosses = sum(cross < city.value for cross in board.railroad.crosses)
        if crosses > city.value:
            faults.append(
                f"city {city.name!r} of the value {city.value} lies behind {crosses} crosses: "
                "transport could cost more than it brings"
            )
    needs = {need for card in board.objective_kinds for need in card.needs}
    if "SF" in needs and SAN_FRANCISCO not in names:
        faults.append(f"objective cards ask for {SAN_FRANCISCO}, which is not among the cities")
    seen = []
    for pair in pairs:
        user = f"pair {'-'.join(pair.cities)!r}"
        faults += [
            f"{user} names the unknown city {name!r}{nearest(name, names)}"
            for name in pair.cities
            if name not in names
        ]
        if pair.cities[0] == pair.cities[1]:
            faults.append(f"{user} is of a city with itself")
        if set(pair.cities) in seen:
            faults.append(f"{user} is given twice")
        seen.append(set(pair.cities))
    for entry, user in (
        *((city, f"city {city.name!r}") for city in cities),
        *((pair, f"pair {'-'.join(pair.cities)!r}") for pair in pairs),
    ):
        if entry.gift and entry.icon is None:
            faults.append(f"{user} has a gift without the icon of a delivery action")
    return faults


def _extension_faults(board: BoardFile) -> list[str]:
    """Rules of a valid extension board that the board breaks."""
    if not board.towns:
        return [
            f"{table} is given without towns"
            for table in _NORTH
            if getattr(board, table) != type(board).model_fields[table].default
        ]
    towns = {town.name: town for town in board.towns}
    strip = [city.name for city in board.cities_north]
    faults = _city_faults(board, board.strip(north=True), board.pairs_north)
    faults += [f"town {name!r} is also a city of the strip" for name in towns if name in strip]
    faults += [f"a town has the name {OFFICE!r} of Kansas City's office"] * (OFFICE in towns)
    for town_type, entries, what in (
        ("big", {city.name: city.name for city in board.big_towns}, "city of big_towns"),
        ("station", {each.name: each.town for each in board.stations_north}, "station"),
    ):
        right = [town.name for town in board.towns if town.type == town_type]
        for name, town in entries.items():
            if town not in right:
                where = f"no town of type {town_type!r}"
                faults.append(f"{what} {name!r} lies in {where}{nearest(str(town), right)}")
        for name in right:
            there = list(entries.values()).count(name)
            if there != 1:
                faults.append(
                    f"town {name!r} of type {town_type!r} has {there} entries and should have one "
                    f"{what}"
                )
    faults += [
        f"station {station.name!r} of stations_north lies in a town, not on the railroad"
        for station in board.stations_north
        if station.after or station.at
    ]
    medium = sum(town.type == "medium" for town in board.towns)
    tiles = sum(tile.copies for tile in board.medium_tiles)
    if tiles < medium:
        faults.append(
            f"there are {counted(tiles, 'medium tiles')} and should be at least {medium}, one for "
            "each medium town"
        )
    return faults + _link_faults(board, towns, strip)


def _link_faults(board: BoardFile, towns: Iterable[str], strip: list[str]) -> list[str]:
    faults = []
    known = [OFFICE, *strip, *towns]
    after: dict[str, list[str]] = {name: [] for name in known}
    seen = []
    for ends in board.links.joins:
        user = f"link {'-'.join(ends)!r}"
        unknown = [name for name in ends if name not in known]
        for name in unknown:
            faults.append(f"{user} names the unknown town {name!r}{nearest(name, known)}")
        if unknown:
            continue
        if ends[0] == ends[1]:
            faults.append(f"{user} joins a town to itself")
        elif not set(ends) & set(towns):
            faults.append(f"{user} joins no town")
        elif set(ends) in seen:
            faults.append(f"{user} is given twice")
        seen.append(set(ends))
        for one, other in (ends, ends[::-1]):
            after[one].append(other)
    reached = set().union(*(_met(after, name) for name in (OFFICE, *strip)))
    return faults + [
        f"no links lead to the town {name!r} from the office or a city"
        for name in towns
        if name not in reached
    ]
