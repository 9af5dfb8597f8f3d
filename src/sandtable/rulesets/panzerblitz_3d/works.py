"""Mines, blocks and forts, where they are played.

Rules: PB3-405, PB3-806, PB3-1606.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzerblitz_3d.combat import die_modifiers, roll_attack, summed, total_defense
from sandtable.rulesets.panzerblitz_3d.events import FortEntered, FortLeft, MineEntered, MoveEnded
from sandtable.rulesets.panzerblitz_3d.mobility import account, moving_refusal, step_of
from sandtable.rulesets.panzerblitz_3d.model import MINE, NO_SIDE, Position, Unit
from sandtable.rulesets.panzerblitz_3d.orders import EnterFort, LeaveFort
from sandtable.rulesets.panzerblitz_3d.stacks import fort_at, garrison, has_room, kind, limit_of, own_unit
from sandtable.rulesets.panzerblitz_3d.workings import Attack

WORKS = RuleId("PB3-1606")
MINE_ODDS = "2-1"
"""A minefield attacks at these odds (PB3-1606)."""


def mine_attack(position: Position, unit: Unit) -> Attack:
    """The attack of a minefield on a unit that enters it: at 2-1, whatever the terrain.

    Rules: PB3-1606.
    """
    defense = total_defense((unit,))
    modifiers = die_modifiers(position, MINE, unit.hex, (unit,))
    line = Line("Minefield", MINE_ODDS, WORKS)
    return Attack(
        side=NO_SIDE,
        how=MINE,
        attackers=(),
        hex=unit.hex,
        targets=(unit.id,),
        strength=2 * defense,
        defense=defense,
        base=MINE_ODDS,
        odds=MINE_ODDS,
        drm=summed(modifiers),
        rule=WORKS,
        tallies=(Tally("Odds", MINE_ODDS, (line,)), Tally("Die modifier", summed(modifiers), tuple(modifiers))),
    )


def entered(resolution: Resolution[Position], id: UnitId, place: HexId) -> None:
    """Mines have attacked a unit that came onto them, once.

    Rules: PB3-1606.
    """
    position = resolution.position
    if place in position.mines:
        resolution.emit(MineEntered(id))
        roll_attack(resolution, mine_attack(position, position.units[id]))


def stopped(resolution: Resolution[Position], id: UnitId) -> None:
    """A unit that came onto mines or a block, and still stands there, has stopped.

    Rules: PB3-1606.
    """
    position = resolution.position
    place = position.units[id].hex
    if place in position.mines:
        resolution.emit(MoveEnded(id, "mines lie here (PB3-1606)"))
    elif place in position.blocks:
        resolution.emit(MoveEnded(id, "a block lies here (PB3-1606)"))


# --- forts ----------------------------------------------------------------------------------------------------------


def _cannot_change(position: Position, side: SideId, id: UnitId) -> Refusal | Unit:
    """The unit if it may go into a fort or out of one as its whole move, or why not."""
    unit = own_unit(position, side, id)
    if unit is None:
        return Refusal(WORKS, "there is no such unit of yours on the table")
    if position.step != step_of(unit):
        return Refusal(RuleId("PB3-509"), "vehicles move first, all others after them")
    now = account(position, unit)
    if now is not None:
        return Refusal(WORKS, f"{kind(unit).name} has begun to move elsewhere")
    return unit


def check_enter(position: Position, side: SideId, order: EnterFort) -> Refusal | None:
    """Why a unit can't go into the fort of its hex, or None.

    Rules: PB3-405, PB3-1606.
    """
    unit = _cannot_change(position, side, order.unit)
    if isinstance(unit, Refusal):
        return unit
    refusal = moving_refusal(position, unit)
    if refusal is not None:
        return refusal
    fort = fort_at(position, unit.hex)
    if fort is None or fort.side != side or fort.id == unit.id:
        return Refusal(WORKS, "there is no fort of yours to enter here")
    if len(garrison(position, fort.id)) >= limit_of(side):
        return Refusal(RuleId("PB3-405"), "the fort is full")
    return None


def resolve_enter(resolution: Resolution[Position], side: SideId, order: EnterFort) -> None:
    """The unit is inside, and that was its move."""
    fort = fort_at(resolution.position, resolution.position.units[order.unit].hex)
    assert fort is not None
    resolution.emit(FortEntered(order.unit, fort.id))
    resolution.emit(MoveEnded(order.unit))


def enter_options(position: Position, side: SideId, unit: Unit) -> Iterator[EnterFort]:
    """The fort of the unit's hex."""
    order = EnterFort(unit.id)
    if position.ground.options.works and check_enter(position, side, order) is None:
        yield order


def check_leave(position: Position, side: SideId, order: LeaveFort) -> Refusal | None:
    """Why a unit can't come out of its fort, which is a move of its own, or None.

    Rules: PB3-404, PB3-601, PB3-603, PB3-1606.
    """
    unit = _cannot_change(position, side, order.unit)
    if isinstance(unit, Refusal):
        return unit
    if unit.fort == NOBODY:
        return Refusal(WORKS, f"{kind(unit).name} is in no fort")
    refusal = moving_refusal(position, replace(unit, fort=NOBODY))
    if refusal is not None:
        return refusal
    if not has_room(position, unit.hex, side):
        return Refusal(RuleId("PB3-404"), "the hex is full")
    return None


def resolve_leave(resolution: Resolution[Position], side: SideId, order: LeaveFort) -> None:
    """The unit is outside, and that was its move."""
    resolution.emit(FortLeft(order.unit, resolution.position.units[order.unit].fort))
    resolution.emit(MoveEnded(order.unit))


def leave_options(position: Position, side: SideId, unit: Unit) -> Iterator[LeaveFort]:
    """Out of the fort the unit is in."""
    order = LeaveFort(unit.id)
    if unit.fort != NOBODY and check_leave(position, side, order) is None:
        yield order
