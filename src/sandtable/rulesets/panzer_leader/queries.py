"""Named sets of hexes and units that a client can highlight, each worked out when it is asked for.

All are answered from what the side knows: an unseen enemy threatens nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.questions import Query
from sandtable.kernel.state import View
from sandtable.rulesets.panzer_leader import insight, prospects, sight, victory
from sandtable.rulesets.panzer_leader.describe import has_piece, prizes, side_title
from sandtable.rulesets.panzer_leader.forces import sides_for
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import RESERVE, SIDES, Position, Unit
from sandtable.rulesets.panzer_leader.pieces import enemy_of
from sandtable.rulesets.panzer_leader.readiness import ready
from sandtable.rulesets.panzer_leader.stacks import active
from sandtable.rulesets.panzer_leader.terrain import is_concealing
from sandtable.rulesets.panzer_leader.weapons import bears_on, is_fixed_gun, reach_of

Seen = View[Position]

NO_FACING = -1
"""In place of a direction for what fires all around."""


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
        return [place for place in prizes(view.position) if victory.holds(view.position, side, place)]

    title = f"Objectives of the {side_title(view.position, side)}"
    return Row(title, "PL-1502", lambda view: bool(prizes(view.position)), held)


# --- whom a query is for --------------------------------------------------------------------------------------------


def _decides(view: Seen) -> bool:
    return bool(view.decisions)


def _plays(view: Seen) -> bool:
    return view.side in SIDES


def _is_on_turn(view: Seen) -> bool:
    return view.position.phasing == view.side


# --- units ----------------------------------------------------------------------------------------------------------


def _own(view: Seen, holds: Callable[[Position, Unit], bool]) -> list[UnitId]:
    return [unit.id for unit in active(view.position, view.side) if holds(view.position, unit)]


def _can_move(view: Seen) -> list[UnitId]:
    return _own(view, lambda position, unit: prospects.no_move(position, unit) is None)


def _can_fire(view: Seen) -> list[UnitId]:
    return _own(view, lambda position, unit: prospects.no_fire(position, unit) is None)


def _dispersed(view: Seen) -> list[UnitId]:
    return [unit.id for unit in view.position.units if unit.dispersed and unit.hex]


def _spotted_enemies(view: Seen) -> list[UnitId]:
    """The known enemies that may be fired at from afar: those in the open, and those in cover that are spotted.

    Rules: PL-721, PL-722.
    """
    position, side = view.position, view.side
    return [
        unit.id
        for unit in active(position, enemy_of(side))
        if sight.is_watched(position, side, unit.hex) and sight.is_spotted(position, unit, side)
    ]


def _exposed(view: Seen) -> list[UnitId]:
    """The own units that a known enemy could fire at now.

    Rules: PL-721, PL-805.
    """
    position, under_fire = view.position, frozenset(_under_fire(view))
    return [
        unit.id
        for unit in active(position, view.side)
        if unit.hex in under_fire
        and (not is_concealing(position, unit.hex) or sight.is_spotted(position, unit, enemy_of(view.side)))
    ]


def _waiting(view: Seen) -> list[UnitId]:
    return [unit.id for unit in view.position.units if unit.fate == RESERVE and has_piece(unit, view.side)]


# --- hexes ----------------------------------------------------------------------------------------------------------


def _under_fire(view: Seen) -> set[HexId]:
    """The hexes that known enemies have in range, in sight and before their guns.

    Rules: PL-805, PL-1608.
    """
    position, board = view.position, view.position.ground.board
    found: set[HexId] = set()
    for unit, reach in _gunners(position, enemy_of(view.side)):
        seen = sight.look(position, unit.hex)
        for place in board.within(unit.hex, reach):
            if seen[place] and bears_on(position, unit, place):
                found.add(place)
    return found


def _gunners(position: Position, side: SideId) -> Iterable[tuple[Unit, int]]:
    """Of each stack and each way that its guns point, the unit that fires farthest, and how far."""
    farthest: dict[tuple[HexId, int], tuple[Unit, int]] = {}
    for unit in active(position, side):
        kind = KINDS[unit.kind]
        if kind.attack and not unit.dispersed:
            at = (unit.hex, unit.facing if is_fixed_gun(kind) else NO_FACING)
            reach = reach_of(kind)
            if at not in farthest or farthest[at][1] < reach:
                farthest[at] = (unit, reach)
    return farthest.values()


def _exits(view: Seen) -> set[HexId]:
    board = view.position.ground.board
    ways = (way for way in victory.terms(view.position).exits if way.side == view.side)
    return {board.parse(label) for way in ways for label in way.hexes}


ROWS: dict[str, Row] = {
    "ready": Row("Who can act now", "PL-501", _decides, units=ready),
    "can move": Row("Who can still move", "PL-601", _is_on_turn, units=_can_move),
    "can fire": Row("Who can still fire", "PL-801", _is_on_turn, units=_can_fire),
    "dispersed": Row("Dispersed units", "PL-902", lambda view: bool(_dispersed(view)), units=_dispersed),
    "waiting": Row("Units still to come", "PL-1506", lambda view: bool(_waiting(view)), units=_waiting),
    "spotted": Row("Enemies that can be fired at from afar", "PL-721", _plays, units=_spotted_enemies),
    "exposed": Row("Own units that known enemies can fire at", "PL-805", _plays, units=_exposed),
    "under fire": Row("Hexes that known enemies can fire at", "PL-805", _plays, _under_fire),
    "seen": Row("Hexes your units see", "PL-701", _plays, lambda view: insight.seen(view, ())),
    "objectives": Row(
        "Objectives", "PL-1502", lambda view: bool(prizes(view.position)), lambda view: prizes(view.position)
    ),
    "exits": Row("Where you may leave the map", "PL-1504", lambda view: bool(_exits(view)), _exits),
    "mines": Row("Minefields", "PL-1301", lambda view: bool(view.position.mines), lambda view: view.position.mines),
    "blocks": Row("Blocks", "PL-1311", lambda view: bool(view.position.blocks), lambda view: view.position.blocks),
}
"""The queries by key, in the order in which they are listed; those of who holds what follow."""
