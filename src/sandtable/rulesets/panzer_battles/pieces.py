"""Counters and markers for the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.questions import UNKNOWN
from sandtable.kernel.ruleset import Piece, PieceChanges
from sandtable.kernel.state import View
from sandtable.rulesets.panzer_battles.badges import badges_of, titles, tone_of
from sandtable.rulesets.panzer_battles.formations import listed_under
from sandtable.rulesets.panzer_battles.kinds import UnitKind
from sandtable.rulesets.panzer_battles.model import Intel, Position, Unit, enemy_of
from sandtable.rulesets.panzer_battles.names import unit_name
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
}
"""The symbols on counters by type; a type that is not listed bears that of infantry (PB-OOB-12)."""

CATEGORY_SYMBOLS = {"armor": "armor", "gun": "antitank", "HQ": "headquarters", "infantry": "infantry"}
MARKERS = ("wreck", "flag")


def symbol_of(kind: UnitKind) -> str:
    return SYMBOLS.get(kind.type, "infantry")


def pieces(view: View[Position]) -> tuple[Piece, ...]:
    """Every counter and marker the side sees."""
    position = view.position
    units = (piece(position, unit, view.side) for unit in position.units if unit.hex)
    return (*units, *remembered(position), *markers(position))


def piece(position: Position, unit: Unit, viewer: SideId) -> Piece:
    """The counter of a unit: soft and hard attack above, strength below, an enemy's in notation; three figures of men
    leave no room for the movement points, which stand on the card and beside every move.

    Rules: PB-UNIT-16, PB-UNIT-17.
    """
    worn, kind = badges_of(position, unit), unit.of
    is_known = position.knows(unit.side)
    strength = str(unit.strength) if is_known else notation(unit.strength)
    return Piece(
        id=unit.id,
        side=unit.side,
        hex=unit.hex,
        title=unit_name(position, unit.id),
        mark=symbol_of(kind),
        corners=(str(kind.soft or ""), str(kind.hard or ""), strength, ""),
        states=titles(worn),
        formation=listed_under(position.ground, unit.formation) if is_known else unit.side,
        badges=worn,
        tone=tone_of(worn),
        name=unit.name if unit.side == viewer else "",
        counter=unit.kind,
    )


def remembered(position: Position) -> Iterator[Piece]:
    """Where enemies were last seen, and where there is one of unknown kind.

    Rules: PB-SPOT-17, PB-SPOT-21.
    """
    for intel in position.intel.values():
        yield _last_known(intel)
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


def markers(position: Position) -> Iterable[Piece]:
    """Wrecks and the flags of objectives."""
    found = [("wreck", place, NEUTRAL, f"{count}") for place, count in position.wrecks.items()]
    found += [("flag", place, owner, "") for place, owner in position.owners.items()]
    for mark, place, side, note in sorted(found):
        # a marker keeps its number while it lies there, and none is a unit's
        id = UnitId(-2 - (place * len(MARKERS) + MARKERS.index(mark)))
        yield Piece(id, side, HexId(place), mark.capitalize(), mark, kind="marker", note=note)


def piece_changes(before: Position, after: Position, side: SideId) -> PieceChanges:
    """How the pieces of one known position become those of another."""
    changed: list[Piece] = []
    gone: list[UnitId] = []
    for old, new in after.derived.changes(before.units, after.units):
        if new.hex:
            shown = piece(after, new, side)
            if not old.hex or piece(before, old, side) != shown:
                changed.append(shown)
        elif old.hex and new.id not in after.intel:
            gone.append(new.id)
    if any(getattr(before, name) is not getattr(after, name) for name in ("wrecks", "owners", "intel", "unknowns")):
        were, are = ({one.id: one for one in (*markers(p), *remembered(p))} for p in (before, after))
        changed += [one for id, one in are.items() if were.get(id) != one]
        standing = {unit.id for unit in after.units if unit.hex}
        gone += [id for id in were if id not in are and id not in standing]
    return PieceChanges(tuple(changed), tuple(gone))
