"""What an attack does: falling back, suppression, going out of action; and the dice thrown against each other.

Rules: P8-8.04, P8-8.05, P8-8.06, P8-8.07, P8-8.09, P8-9.01, P8-9.02, P8-9.03, P8-9.04, P8-9.05, P8-6.11.
"""

from __future__ import annotations

from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, RuleId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer8 import events as e
from sandtable.rulesets.panzer8.cover import hex_cover
from sandtable.rulesets.panzer8.frames import Journey, ReactionFrame
from sandtable.rulesets.panzer8.kinds import ARMOR, GUN, WEAPON
from sandtable.rulesets.panzer8.model import Element, Position
from sandtable.rulesets.panzer8.movement import gait, step_cost
from sandtable.rulesets.panzer8.result_tables import RESULTS
from sandtable.rulesets.panzer8.sight import sees
from sandtable.rulesets.panzer8.stacks import element_at, kind_of, passengers
from sandtable.rulesets.panzer8.terrain import COVER_VALUES
from sandtable.rulesets.panzer8.victory import enter_ground

DIE = 10
"""Dice have ten sides (P8-1.04)."""

NONE, FALL_BACK, SUPPRESSED, OUT = "no effect", "falls back", "suppressed", "out of action"

WHEN_SUPPRESSED = {SUPPRESSED: FALL_BACK}
"""What a result comes to for an element that is suppressed already: our own reading (P8-9.03)."""

FALL_BACK_HEXES = 4
FALL_BACK_OF_WEAPONS = 1
"""How far an element falls back at most, and a crew-served weapon (P8-9.04)."""


def result(table: str, difference: int) -> str:
    """The result of a difference by one of the tables.

    Rules: P8-8.06, P8-8.07, P8-10.04, P8-11.09.
    """
    row = RESULTS[table]
    if difference >= row.out:
        return OUT
    if difference >= row.suppressed:
        return SUPPRESSED
    return FALL_BACK if row.fall_back and difference >= row.fall_back else NONE


def hesa_result(target: Element, difference: int) -> str:
    """The result of high explosive or small arms; an armored vehicle is suppressed at worst and never falls back.

    Rules: P8-8.06, P8-8.09.
    """
    found = result("hesa", difference)
    if kind_of(target).kind != ARMOR:
        return found
    return {OUT: SUPPRESSED, FALL_BACK: NONE}.get(found, found)


def tally(title: str, lines: list[Line]) -> Tally:
    """The sum of some lines; those that add nothing are left out, save the first."""
    kept = [line for place, line in enumerate(lines) if place == 0 or line.value]
    return Tally(title, sum(int(line.value) for line in kept), tuple(kept))


def line(label: str, value: int, rule: str) -> Line:
    return Line(label, value, RuleId(rule))


def roll_off(resolution: Resolution[Position], rule: str, attacker: UnitId, target: UnitId) -> tuple[int, int]:
    """The attacker's die and the target's, from the one logged generator (P8-1.07)."""
    return resolution.roll(rule, attacker, DIE), resolution.roll(rule, target, DIE)


# --- what befalls an element ----------------------------------------------------------------------------------------


def inflict(resolution: Resolution[Position], unit: UnitId, outcome: str, cause: HexId) -> None:
    """The result has befallen an element; `cause` is where it came from.

    Rules: P8-9.01, P8-9.02, P8-9.03, P8-9.05.
    """
    element = resolution.position.elements[unit]
    if element.suppressed:
        outcome = WHEN_SUPPRESSED.get(outcome, outcome)
    if outcome == OUT:
        _lose(resolution, unit, cause)
    elif outcome == SUPPRESSED:
        resolution.emit(e.Suppressed(unit))
    elif outcome == FALL_BACK:
        _fall_back_or(resolution, unit, cause)


def _fall_back_or(resolution: Resolution[Position], unit: UnitId, cause: HexId) -> None:
    """It falls back; what can't is suppressed, and what was suppressed already goes out of action (P8-9.05)."""
    element = resolution.position.elements[unit]
    path = fall_back_path(resolution.position, element, cause)
    if path:
        fall_back(resolution, unit, path)
    elif element.suppressed:
        _lose(resolution, unit, cause)
    else:
        resolution.emit(e.Suppressed(unit))


def fall_back(resolution: Resolution[Position], unit: UnitId, path: tuple[HexId, ...]) -> None:
    """It has gone that way: it holds what it went through, and whoever was to fight it where it was does not any more.

    Rules: P8-9.04, P8-11.12, P8-14.03.
    """
    resolution.emit(e.FellBack(unit, path))
    enter_ground(resolution, unit, path)
    for combat in resolution.position.combats:
        if combat.defender == unit:
            resolution.emit(e.CombatEnded(combat.attacker, unit))


def _lose(resolution: Resolution[Position], unit: UnitId, cause: HexId) -> None:
    """It is out of action; passengers of a lost carrier are hit as by fire with no modifiers (P8-6.11)."""
    position = resolution.position
    riders, place = passengers(position, unit), _place_to_leave(resolution, unit)
    lost = position.elements[unit]
    resolution.emit(e.Lost(unit, lost.hex if kind_of(lost).is_vehicle else NOWHERE))
    for rider in riders:
        resolution.emit(e.Dismounted(unit, rider.id, place, -1))
        attack, defense = roll_off(resolution, "P8-6.11", NOBODY, rider.id)
        difference = attack - defense
        outcome = hesa_result(rider, difference)
        resolution.emit(e.AttackRolled("bail", rider.id, attack, defense, difference, outcome, RuleId("P8-6.11")))
        inflict(resolution, rider.id, outcome, cause)


def _place_to_leave(resolution: Resolution[Position], unit: UnitId) -> HexId:
    """Where passengers leave a lost carrier: its hex, or the last empty one it left if it was going through a friend's.

    Rules: P8-1.05, P8-6.12.
    """
    place = resolution.position.elements[unit].hex
    top = resolution.top
    if isinstance(top, ReactionFrame):
        top = resolution.flow[-2]
    is_shared = any(
        one.hex == place and one.id != unit and one.carrier == NOBODY for one in resolution.position.elements
    )
    return top.empty if is_shared and isinstance(top, Journey) else place


def fall_back_path(position: Position, element: Element, cause: HexId) -> tuple[HexId, ...]:
    """The way an element falls back: away from the cause, as far as it may or until the cause no longer sees it.

    Each step increases the distance; of several the one into better cover, then with the lowest direction.

    Rules: P8-9.04, P8-9.05.
    """
    kind, board, here = kind_of(element).kind, position.ground.board, element.hex
    if kind == GUN:
        return ()
    how, path = gait(position, element), list[HexId]()
    for _ in range(FALL_BACK_OF_WEAPONS if kind == WEAPON else FALL_BACK_HEXES):
        ways = []
        for direction in range(6):
            there = HexId(board.neighbor(here, direction))
            if not there or board.distance(there, cause) <= board.distance(here, cause):
                continue
            if step_cost(position, how, here, direction) is None or element_at(position, there) is not None:
                continue
            ways.append((-COVER_VALUES[hex_cover(position, there)], direction, there))
        if not ways:
            break
        here = min(ways)[2]
        path.append(here)
        if not sees(position, cause, here):
            break
    return tuple(path)
