"""Who may act, and what begins an action.

Rules: P8-4.03, P8-4.06, P8-4.08, P8-9.02, P8-9.07, P8-13.02.
"""

from __future__ import annotations

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer8.events import ActionTaken, EffectSpent, Shown, WorkEnded
from sandtable.rulesets.panzer8.model import Element, Position
from sandtable.rulesets.panzer8.stacks import kind_of

FIRING = ("fire",)
WHILE_SUPPRESSED = ("fire", "recover")
"""What a suppressed element may still do (P8-4.08)."""


def refuse(rule: str, reason: str) -> Refusal:
    """A refusal that cites a rule of this system."""
    return Refusal(RuleId(rule), reason)


def has_effect(position: Position, card: str, side: SideId, unit: UnitId = NOBODY) -> bool:
    """Whether a card works for a side now, on the element where one is named."""
    for effect in position.effects:
        if effect.card == card and effect.side == side and unit in (NOBODY, effect.unit):
            return True
    return False


def cannot_act(position: Position, side: SideId, unit: UnitId, action: str) -> Refusal | None:
    """Why an element can't do a kind of action now, or None."""
    return not_yours(position, side, unit) or _unfit(position, position.elements[unit], action)


def not_yours(position: Position, side: SideId, unit: UnitId) -> Refusal | None:
    """Why a side has no say over an element: it is none of its own on the table."""
    if not 0 <= unit < len(position.elements) or position.elements[unit].side != side:
        return refuse("P8-4.03", "that is no element of yours")
    return None if position.elements[unit].hex else refuse("P8-9.01", "it is out of action")


def has_action(position: Position, element: Element) -> bool:
    """Whether an element has an action left: its one, those a card grants, or one that must be taken at once; none once
    it was mounted or dismounted (P8-6.10).
    """
    return not element.handled and (element.acted <= element.spare or position.urgent == element.id)


def _unfit(position: Position, element: Element, action: str) -> Refusal | None:
    side, unit = element.side, element.id
    if element.carrier != NOBODY:
        return refuse("P8-6.10", "it is aboard; its carrier lets it dismount")
    if element.handled:
        return refuse("P8-6.10", "it was mounted or dismounted in this turn and does nothing else")
    if not has_action(position, element):
        return refuse("P8-4.03", "it has used its action of this turn")
    if element.suppressed and action not in WHILE_SUPPRESSED:
        return refuse("P8-4.08", "a suppressed element may only recover, or fire without moving")
    if has_effect(position, "E11", side, unit):
        return refuse("P8-13.02", "it hesitates and does not act this turn (card E11)")
    if has_effect(position, "E12", side, unit) and action not in FIRING:
        return refuse("P8-13.02", "its orders were lost: it may only fire this turn (card E12)")
    return None


def begin_action(resolution: Resolution[Position], unit: UnitId, action: str) -> None:
    """The element has used an action; surprise is over once the first action of a turn is (card E16)."""
    position = resolution.position
    side = position.elements[unit].side
    if position.latest != NOBODY and has_effect(position, "E16", side):
        resolution.emit(EffectSpent("E16", side))
    resolution.emit(ActionTaken(unit, action))


def show(resolution: Resolution[Position], unit: UnitId, *, moves: bool = False, fires: bool = False) -> None:
    """The element stirs: it can't lie hidden any longer, and engineers leave their work when they move."""
    element = resolution.position.elements[unit]
    if (moves and not element.has_moved) or (fires and not element.has_fired):
        resolution.emit(Shown(unit, moves, fires))
    if moves and any(work.unit == unit for work in resolution.position.works):
        resolution.emit(WorkEnded(unit))


def is_able(position: Position, element: Element) -> bool:
    """Whether an element could still do something of its own accord in this turn."""
    return element.carrier == NOBODY and has_action(position, element) and kind_of(element).kind != "unknown"
