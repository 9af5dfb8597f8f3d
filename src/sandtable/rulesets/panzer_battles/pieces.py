"""Counters and markers for the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import starmap
from typing import Any, NamedTuple, get_args

from sandtable.geometry.hexes import DIRECTIONS
from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.questions import UNKNOWN
from sandtable.kernel.ruleset import Piece, PieceChanges
from sandtable.kernel.state import View
from sandtable.play.words import so_many
from sandtable.rulesets.panzer_battles import victory
from sandtable.rulesets.panzer_battles.badges import badges_of, titles, tone_of
from sandtable.rulesets.panzer_battles.features import MINEFIELD, WIRED, FeatureKind
from sandtable.rulesets.panzer_battles.fire.costs import fires_left
from sandtable.rulesets.panzer_battles.formations import level_mark, listed_under
from sandtable.rulesets.panzer_battles.kinds import UnitKind
from sandtable.rulesets.panzer_battles.model import RAIL, Feature, Intel, Position, Unit, enemy_of
from sandtable.rulesets.panzer_battles.movement.costs import DAMAGED_BRIDGE, ENGINEER_BRIDGE, allowance
from sandtable.rulesets.panzer_battles.names import COMPASS, COMPONENTS, feature_title, side_words, unit_name
from sandtable.rulesets.panzer_battles.organization.grouping import mark as parts_mark
from sandtable.rulesets.panzer_battles.results.notation import notation

NEUTRAL = SideId("")

SYMBOLS = {
    "infantry": "infantry",
    "mechanized_infantry": "armored_infantry",
    "motorized_infantry": "infantry",
    "heavy_weapons": "mg",
    "engineer": "engineer",
    "armor": "armor",
    "anti_tank": "antitank",
    "recon": "recon",
    "heavy_anti_aircraft": "antiair",
    "anti_aircraft": "antiair",
    "infantry_artillery": "artillery",
    "artillery": "artillery",
    "heavy_artillery": "artillery",
    "rockets": "rocket",
    "siege_gun": "artillery",
    "transport": "transport",
    "headquarters": "headquarters",
    "cavalry": "recon",
    "commando": "commando",
    "partisan": "partisan",
    "naval": "naval",
    "rail": "rail",
    "supply": "supply",
    "deception": "deception",
    "air": "aircraft",
}
"""The symbols on counters by type; a type of no symbol bears that of infantry.

Rules: PB-OOB-12.
"""

ARMORED = {"artillery": "spa", "antiair": "spaa", "antitank": "tank_destroyer", "engineer": "armored_engineer"}
"""The symbols of those who fight from vehicles of their own (PB-OOB-12)."""

TRACKS = ("halftrack", "tracked")
BY_CLASS = {"ski": "ski", "bicycle": "bicycle", "motorcycle": "motorcycle"}
"""The symbols of men by what carries them (PB-OOB-12)."""

RAIL_SYMBOL = "rail"
"""What is shown of a unit in Rail Mode in the place of its own (PB-OOB-16)."""

CATEGORY_SYMBOLS = {
    **{"armor": "armor", "gun": "antitank", "HQ": "headquarters", "infantry": "infantry"},
    "unknown": "unknown",
}
SIDE_MARKS = (DAMAGED_BRIDGE, ENGINEER_BRIDGE, WIRED)
"""What is shown of a hexside that is no longer as the board has it (PB-ENG-15)."""

UPPER = DIRECTIONS[:3]
"""The directions from which every hexside is met once."""

MARKERS = (
    *("wreck", "flag"),
    *get_args(FeatureKind),
    *(f"{word}:{direction}" for word in SIDE_MARKS for direction in UPPER),
)


MARKED = ("wrecks", "owners", "features", "sides", "intel", "unknowns", "exits")
"""The parts of a position that markers show."""


def symbol_of(kind: UnitKind) -> str:
    """The symbol of a type, as its means of movement vary it.

    Rules: PB-OOB-12.
    """
    symbol = SYMBOLS.get(kind.type, "infantry")
    if kind.is_vehicles and kind.move_class in TRACKS:
        return ARMORED.get(symbol, symbol)
    if kind.has("airborne"):
        return "airborne"
    if symbol == "mg" and kind.has("indirect"):
        return "mortar"
    return BY_CLASS.get(kind.move_class, symbol)


def pieces(view: View[Position]) -> tuple[Piece, ...]:
    """Every counter and marker the side sees."""
    position = view.position
    units = (piece(position, unit, view.side) for unit in position.units if unit.hex or unit.posted)
    return (*units, *remembered(position, position.intel), *markers(position))


def counter_title(position: Position, unit: Unit) -> str:
    """What a counter is called: its name, and how many parts it has where that is known (PB-UNIT-28)."""
    parts = parts_mark(position, unit) if position.knows(unit.side) else ""
    return f"{unit_name(position, unit.id)} {parts}".rstrip()


def state_of(position: Position, unit: Unit) -> str:
    """How a unit stands, in a line: strength, movement points or the fires left of who never moves, fatigue and
    quality; of an enemy what shows.

    Rules: PB-UNIT-11, PB-UNIT-18.
    """
    if not position.knows(unit.side):
        return f"strength {notation(unit.strength)}"
    strength = f"{unit.strength} of {unit.full} {COMPONENTS[unit.of.component][1]}"
    points = f"{unit.mp} of {allowance(position, unit)} points"
    if unit.is_immobile:
        points = f"fires left: {fires_left(position, unit)}"
    return f"{strength}, {points}, fatigue {unit.fatigue}, quality {unit.quality}"


def piece(position: Position, unit: Unit, viewer: SideId) -> Piece:
    """The counter of a unit: soft and hard attack above, strength below, an enemy's in notation; three figures of men
    leave no room for the movement points, which stand in its line, on its card and beside every move.

    Rules: PB-UNIT-16, PB-UNIT-17.
    """
    worn, kind = badges_of(position, unit), unit.of
    is_known = position.knows(unit.side)
    strength = str(unit.strength) if is_known else notation(unit.strength)
    return Piece(
        id=unit.id,
        side=unit.side,
        hex=unit.hex or unit.posted,
        title=counter_title(position, unit),
        mark=RAIL_SYMBOL if unit.mode == RAIL else symbol_of(kind),
        corners=(str(kind.soft or ""), str(kind.hard or ""), strength, level_mark(position, unit) if is_known else ""),
        states=titles(worn),
        # whose carrier is known too: nobody is drawn inside what is not seen
        carrier=unit.carrier if is_known and unit.carrier != NOBODY else None,
        formation=listed_under(position, unit.formation) if is_known else unit.side,
        badges=worn,
        tone=tone_of(worn),
        name=unit.name if unit.side == viewer else "",
        counter=unit.kind,
        kind="marker" if unit.posted else "unit",
        note=state_of(position, unit),
    )


def remembered(position: Position, intel: Mapping[UnitId, Intel]) -> Iterator[Piece]:
    """Where some enemies were last seen, and where there is one of unknown kind.

    Rules: PB-SPOT-17, PB-SPOT-21.
    """
    for one in intel.values():
        yield _last_known(one)
    enemy = enemy_of(position.viewer)
    for number, place in enumerate(position.unknowns):
        same = position.unknowns[:number].count(place)
        # the number belongs to the hex and not to the unit, so that nobody can tell whom he has seen before
        id = UnitId(len(position.units) + place * len(position.units) + same)
        yield Piece(id, enemy, place, "Unknown unit", "unknown", tone=UNKNOWN, counter=UNKNOWN)


def _last_known(intel: Intel) -> Piece:
    return Piece(
        intel.unit,
        intel.side,
        intel.hex,
        f"{intel.category}, {intel.notation}",
        CATEGORY_SYMBOLS[intel.category],
        corners=("", "", intel.notation, ""),
        states=(f"last seen on turn {intel.turn}",),
        last_seen=intel.turn,
    )


class Marked(NamedTuple):
    """What markers show of a position, or some of it."""

    wrecks: Mapping[HexId, int]
    owners: Mapping[HexId, SideId]
    features: Mapping[HexId, tuple[Feature, ...]]
    sides: Mapping[int, frozenset[str]]

    @classmethod
    def of(cls, position: Position) -> Marked:
        return cls(position.wrecks, position.owners, position.features, position.sides)

    def other_than(self, before: Marked) -> Marked:
        """What is not as it was."""
        return Marked(*starmap(_others, zip(self, before, strict=True)))


def _others(now: Mapping[Any, Any], before: Mapping[Any, Any]) -> Mapping[Any, Any]:
    return {} if now is before else {key: value for key, value in now.items() if before.get(key) != value}


def markers(position: Position, some: Marked | None = None) -> Iterable[Piece]:
    """Wrecks, the flags of objectives, and features: a work in capitals, or vacated in small letters (PB-MOVE-109); all
    there are, or some.
    """
    shown = Marked.of(position) if some is None else some
    found = [("wreck", place, NEUTRAL, so_many(count, "vehicle", "vehicles")) for place, count in shown.wrecks.items()]
    found += [("flag", place, owner, objective_value(position, place)) for place, owner in shown.owners.items()]
    for mark, place, side, note in sorted(found):
        yield _marker(mark, HexId(place), side, mark.capitalize(), note)
    for place, features in shown.features.items():
        for one in features:
            note = str(one.strength) if one.kind == MINEFIELD else ""
            yield _marker(one.kind, place, one.side, feature_title(one), note)
    for key, words in shown.sides.items():
        place, direction = HexId(key // 8), key % 8
        for word in SIDE_MARKS if direction in UPPER else ():
            if word in words:
                title = f"{side_words(word)} to the {COMPASS[direction]}"
                yield _marker(f"{word}:{direction}", place, NEUTRAL, title, "")


def objective_value(position: Position, place: HexId) -> str:
    """What an objective is worth, as its viewer may know it: the enemy's exits under fog are a riddle.

    Rules: PB-VIC-2, PB-VIC-6.
    """
    if place not in victory.exits(position.ground):
        return str(victory.objective_points(position.ground)[place])
    return str(victory.exit_value(position, place)) if position.knows(position.owners[place]) else victory.RIDDLE


def _marker(mark: str, place: HexId, side: SideId, title: str, note: str) -> Piece:
    # a marker keeps its number while it lies there, and none is a unit's
    id = UnitId(-2 - (place * len(MARKERS) + MARKERS.index(mark)))
    return Piece(id, side, place, title, mark.partition(":")[0], kind="marker", note=note)


def _marks(position: Position, other: Position) -> Iterator[Piece]:
    """The markers of a position that may not be as in another."""
    shown = Marked.of(position).other_than(Marked.of(other))
    if position.exits is not other.exits:
        shown = shown._replace(owners=position.owners)
    yield from markers(position, shown)
    yield from remembered(position, _others(position.intel, other.intel))


def _stands(position: Position, id: UnitId) -> bool:
    """Whether a number is that of a unit which has a counter now."""
    unit = position.units[id] if 0 <= id < len(position.units) else None
    return unit is not None and bool(unit.hex or unit.posted)


def _touched(before: Position, after: Position) -> Iterable[tuple[Unit, Unit]]:
    """The units whose counters may have changed: all of them where organizations have."""
    if before.attachments is not after.attachments:
        return zip(before.units, after.units, strict=True)
    return after.derived.changes(before.units, after.units)


def piece_changes(before: Position, after: Position, side: SideId) -> PieceChanges:
    """How the pieces of one known position become those of another."""
    changed: list[Piece] = []
    gone: list[UnitId] = []
    for old, new in _touched(before, after):
        if new.hex or new.posted:
            shown = piece(after, new, side)
            if not (old.hex or old.posted) or piece(before, old, side) != shown:
                changed.append(shown)
        elif (old.hex or old.posted) and new.id not in after.intel:
            gone.append(new.id)
    if any(getattr(before, name) is not getattr(after, name) for name in MARKED):
        were, are = ({one.id: one for one in some} for some in (_marks(before, after), _marks(after, before)))
        changed += [one for id, one in are.items() if were.get(id) != one]
        gone += [id for id in were if id not in are and not _stands(after, id)]
    return PieceChanges(tuple(changed), tuple(gone))
