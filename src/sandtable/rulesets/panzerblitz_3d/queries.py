"""Named sets of hexes and units that a client can highlight, each worked out when it is asked for.

All are answered from what the side knows: an unseen enemy threatens nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.questions import Query
from sandtable.kernel.state import View
from sandtable.rulesets.panzerblitz_3d import artillery, insight, opportunity, prospects, victory
from sandtable.rulesets.panzerblitz_3d.describe import has_piece, prizes, side_title
from sandtable.rulesets.panzerblitz_3d.forces import sides_for
from sandtable.rulesets.panzerblitz_3d.kinds import KINDS
from sandtable.rulesets.panzerblitz_3d.looks import looks
from sandtable.rulesets.panzerblitz_3d.model import RESERVE, SIDES, Position, Unit
from sandtable.rulesets.panzerblitz_3d.pieces import enemy_of
from sandtable.rulesets.panzerblitz_3d.readiness import ready
from sandtable.rulesets.panzerblitz_3d.sight import is_spotted_at, is_watched
from sandtable.rulesets.panzerblitz_3d.stacks import active

Seen = View[Position]


class Row(NamedTuple):
    """One query: when it is offered, and the hexes and units it finds."""

    title: str
    rule: str
    is_offered: Callable[[Seen], bool]
    hexes: Callable[[Seen], Iterable[HexId]] | None = None
    units: Callable[[Seen], Iterable[UnitId]] | None = None


def queries(view: Seen) -> tuple[Query, ...]:
    """The highlights that can mean something in this battle to this viewer."""
    return tuple(Query(key, row.title, RuleId(row.rule)) for key, row in _rows(view).items() if row.is_offered(view))


def query(view: Seen, key: str) -> Query | None:
    """One of them worked out."""
    row = _rows(view).get(key)
    if row is None or not row.is_offered(view):
        return None
    hexes = tuple(sorted(row.hexes(view))) if row.hexes else ()
    units = tuple(sorted(row.units(view))) if row.units else ()
    return Query(key, row.title, RuleId(row.rule), hexes, units)


def _rows(view: Seen) -> dict[str, Row]:
    return {**ROWS, **{f"held {side}": _held_row(view, side) for side in sides_for(view.side)}}


def _held_row(view: Seen, side: SideId) -> Row:
    def held(view: Seen) -> Iterable[HexId]:
        return [place for place in prizes(view.position) if view.position.control.get(place) == side]

    title = f"Objectives held by the {side_title(view.position, side)}"
    return Row(title, "PB3-1302", lambda view: bool(prizes(view.position)), held)


def _plays(view: Seen) -> bool:
    return view.side in SIDES


def _is_on_turn(view: Seen) -> bool:
    return view.side in SIDES and view.position.phasing == view.side


def _own(view: Seen, holds: Callable[[Position, Unit], bool]) -> list[UnitId]:
    return [unit.id for unit in active(view.position, view.side) if holds(view.position, unit)]


def _can_move(view: Seen) -> list[UnitId]:
    return _own(view, lambda position, unit: prospects.no_move(position, unit) is None)


def _can_fire(view: Seen) -> list[UnitId]:
    return _own(view, lambda position, unit: prospects.no_fire(position, unit) is None)


def _dispersed(view: Seen) -> list[UnitId]:
    return [unit.id for unit in view.position.units if unit.dispersed and unit.hex]


def _waiting(view: Seen) -> list[UnitId]:
    return [unit.id for unit in view.position.units if unit.fate == RESERVE and has_piece(unit, view.side)]


def _ambushing(view: Seen) -> list[UnitId]:
    """The known units of both sides that wait for an opportunity (PB3-1101)."""
    return [unit.id for unit in view.position.units if unit.hex and opportunity.waits(unit)]


def _spotted_enemies(view: Seen) -> list[UnitId]:
    """The known enemies that may be fired at from afar: those in the open, and those in cover that are spotted."""
    position, side = view.position, view.side
    return [
        unit.id
        for unit in active(position, enemy_of(side))
        if is_watched(position, side, unit.hex) and is_spotted_at(position, unit.hex, side)
    ]


def _under_fire(view: Seen) -> set[HexId]:
    """The hexes that known enemies have in range and in sight."""
    return _fields_of_fire(view, lambda unit: not unit.dispersed)


def _watched(view: Seen) -> set[HexId]:
    """The hexes that known enemies who wait for an opportunity have in range and in sight (PB3-1104)."""
    return _fields_of_fire(view, opportunity.waits)


def _fields_of_fire(view: Seen, holds: Callable[[Unit], bool]) -> set[HexId]:
    position, found = view.position, set[HexId]()
    for unit in active(position, enemy_of(view.side)):
        kind = KINDS[unit.kind]
        if kind.attack and holds(unit):
            row = looks(position)[unit.hex]
            found.update(HexId(place) for place in position.ground.board.within(unit.hex, kind.range) if row[place])
    return found


def _observed(view: Seen) -> list[HexId]:
    position = view.position
    return [HexId(place) for place in position.ground.board.hexes if artillery.is_observed(position, view.side, place)]


ROWS: dict[str, Row] = {
    "ready": Row("Who can act now", "PB3-505", lambda view: bool(view.decisions), units=ready),
    "can move": Row("Who can still move", "PB3-601", _is_on_turn, units=_can_move),
    "can fire": Row("Who can still fire", "PB3-801", _is_on_turn, units=_can_fire),
    "dispersed": Row("Dispersed units", "PB3-902", lambda view: bool(_dispersed(view)), units=_dispersed),
    "ambush": Row(
        "Units that wait for an opportunity", "PB3-1101", lambda view: bool(_ambushing(view)), units=_ambushing
    ),
    "waiting": Row("Units still to come", "PB3-1303", lambda view: bool(_waiting(view)), units=_waiting),
    "spotted": Row("Enemies that can be fired at from afar", "PB3-711", _plays, units=_spotted_enemies),
    "under fire": Row("Hexes that known enemies can fire at", "PB3-803", _plays, _under_fire),
    "watched": Row("Hexes under opportunity fire of known enemies", "PB3-1104", _plays, _watched),
    "seen": Row("Hexes your units see", "PB3-701", _plays, lambda view: insight.seen(view, ())),
    "observed": Row("Hexes your observers see", "PB3-1201", _plays, _observed),
    "objectives": Row(
        "Objectives", "PB3-1302", lambda view: bool(prizes(view.position)), lambda view: prizes(view.position)
    ),
    "exits": Row(
        "Where you may leave the map",
        "PB3-1301",
        lambda view: bool(victory.ways_out(view.position, view.side)),
        lambda view: victory.ways_out(view.position, view.side),
    ),
    "barrages": Row(
        "Barrages", "PB3-708", lambda view: bool(view.position.barrages), lambda view: view.position.barrages
    ),
}
"""The queries by key, in the order in which they are listed; those of who holds what follow."""
