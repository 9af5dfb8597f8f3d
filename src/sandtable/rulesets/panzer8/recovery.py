"""Recovering from suppression, and commanders who help.

Rules: P8-9.06, P8-9.07, P8-9.08, P8-9.09, P8-9.10.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer8.actions import begin_action, cannot_act, has_effect, refuse
from sandtable.rulesets.panzer8.events import CommanderRallied, RecoveryRolled
from sandtable.rulesets.panzer8.kinds import COMMANDER
from sandtable.rulesets.panzer8.model import LOST, Element, Position
from sandtable.rulesets.panzer8.orders import Rally, Recover
from sandtable.rulesets.panzer8.result_tables import RECOVERY
from sandtable.rulesets.panzer8.results import DIE, OUT, inflict, line, tally
from sandtable.rulesets.panzer8.stacks import in_play, kind_of, on_table

COMMAND_RADIUS = 4
"""As far as a commander helps (P8-9.06)."""

SUPPORT_RADIUS = 4
"""As far as friends support each other: our own distance, see the rule (P8-9.09)."""

LOSSES_PER_POINT = 3
"""So many lost elements take 1 off a recovery (P8-9.06)."""

NO_EFFECT, RECOVERS, RECOVERS_AND_ACTS = "no effect", "recovers", "recovers and acts"


def losses(position: Position, side: SideId) -> int:
    """The elements a side has lost, as they weigh on recovery; stragglers come back from the count (card E17)."""
    lost = sum(one.side == side and one.fate == LOST for one in position.elements)
    return max(0, lost - position.stragglers.get(side, 0))


def is_unsupported(position: Position, element: Element) -> bool:
    """Whether no other unsuppressed combat element of its side is near.

    Rules: P8-9.09.
    """
    distance = position.ground.board.distance
    return not any(
        one.id != element.id
        and not one.suppressed
        and kind_of(one).is_combat_element
        and distance(one.hex, element.hex) <= SUPPORT_RADIUS
        for one in in_play(position, element.side)
    )


def is_rallied(position: Position, element: Element) -> bool:
    """Whether a commander near it has rallied in this turn (P8-9.08)."""
    distance = position.ground.board.distance
    return any(
        one.rallied and one.id != element.id and distance(one.hex, element.hex) <= COMMAND_RADIUS
        for one in on_table(position, element.side)
    )


def recovery(position: Position, element: Element) -> Tally:
    """What is added to the die of a recovery.

    Rules: P8-9.06.
    """
    side = element.side
    return tally(
        "Recovery",
        [
            line("quality", element.quality, "P8-2.04"),
            line("a commander rallies", int(is_rallied(position, element)), "P8-9.08"),
            line(f"{losses(position, side)} elements lost", -(losses(position, side) // LOSSES_PER_POINT), "P8-9.06"),
            line("unsupported", -int(is_unsupported(position, element)), "P8-9.09"),
            line("inspiring example (card E10)", int(has_effect(position, "E10", side)), "P8-13.02"),
        ],
    )


def recovery_result(total: int) -> str:
    """What a total means.

    Rules: P8-9.07.
    """
    if total >= RECOVERY.recovers_and_acts:
        return RECOVERS_AND_ACTS
    if total >= RECOVERY.recovers:
        return RECOVERS
    return NO_EFFECT if total >= RECOVERY.no_effect else OUT


def check_recover(position: Position, side: SideId, order: Recover) -> Refusal | None:
    """Why the element can't try to recover, or None."""
    refusal = cannot_act(position, side, order.unit, "recover")
    if refusal is not None:
        return refusal
    element = position.elements[order.unit]
    if not element.suppressed:
        return refuse("P8-9.06", "it is not suppressed")
    return refuse("P8-9.10", "it has tried to recover in this turn") if element.recovered else None


def resolve_recover(resolution: Resolution[Position], side: SideId, order: Recover) -> None:
    """The element has tried to recover."""
    begin_action(resolution, order.unit, "recover")
    position = resolution.position
    element = position.elements[order.unit]
    modifiers = recovery(position, element)
    roll = resolution.roll("P8-9.06", order.unit, DIE)
    total = roll + int(modifiers.total)
    outcome = recovery_result(total)
    resolution.emit(RecoveryRolled(order.unit, roll, total, outcome, modifiers.lines))
    if outcome == OUT:
        inflict(resolution, order.unit, OUT, element.hex)


def explain_recover(position: Position, side: SideId, order: Recover) -> tuple[Tally, ...]:
    """The modifiers of the die."""
    return (recovery(position, position.elements[order.unit]),)


def recover_options(position: Position, side: SideId, element: Element) -> Iterator[Recover]:
    order = Recover(element.id)
    if check_recover(position, side, order) is None:
        yield order


def check_rally(position: Position, side: SideId, order: Rally) -> Refusal | None:
    """Why the commander can't rally, or None."""
    refusal = cannot_act(position, side, order.unit, "rally")
    if refusal is not None:
        return refusal
    if kind_of(position.elements[order.unit]).kind != COMMANDER:
        return refuse("P8-9.08", "only a commander rallies")
    if has_effect(position, "E03", side):
        return Refusal(RuleId("P8-13.02"), "radio failure: commanders may not rally this turn (card E03)")
    return None


def resolve_rally(resolution: Resolution[Position], side: SideId, order: Rally) -> None:
    """The commander serves everybody near who recovers later in this turn."""
    begin_action(resolution, order.unit, "rally")
    resolution.emit(CommanderRallied(order.unit))


def rally_options(position: Position, side: SideId, element: Element) -> Iterator[Rally]:
    order = Rally(element.id)
    if check_rally(position, side, order) is None:
        yield order
