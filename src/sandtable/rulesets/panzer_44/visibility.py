"""Which enemies a side sees: those in the line of sight of a unit that keeps its head, within the visibility.

Rules: P44-4.05, P44-4.07.
"""

from __future__ import annotations

from sandtable.kernel.ids import SPECTATORS, HexId, SideId, UnitId
from sandtable.rulesets.panzer_44.model import RESERVE, SIDES, UNSEEN, Position, Unit
from sandtable.rulesets.panzer_44.scenario import VISIBILITY
from sandtable.rulesets.panzer_44.sight import sight
from sandtable.rulesets.panzer_44.stacks import is_fit, on_table

SETUP = "setup"
NOBODY_HIDDEN: frozenset[UnitId] = frozenset()


def visibility(position: Position) -> int:
    """How far one sees in this turn."""
    entries = position.ground.scenario.sections.visibility
    if not entries:
        return VISIBILITY
    reached = [entry for entry in entries if entry.turn <= position.turn]
    return max(reached, key=lambda entry: entry.turn).hexes if reached else VISIBILITY


def can_see(position: Position, a: HexId, b: HexId) -> bool:
    """Whether somebody in one hex sees the other: in line of sight, and not beyond the visibility."""
    ground = position.ground
    return ground.board.distance(a, b) <= visibility(position) and sight(ground).sees(a, b)


def spotters(position: Position, side: SideId) -> list[Unit]:
    """The side's units that can spot: neither disrupted nor panicked, and nobody's passengers."""
    return [unit for unit in on_table(position, side) if is_fit(unit)]


def is_watched(position: Position, place: HexId, side: SideId) -> bool:
    """Whether a side sees a hex."""
    eyes, far = _eyes(position, side), visibility(position)
    watched = position.derived.answers(_WATCHED[side], eyes)
    found = watched.get((place, far))
    if found is None:
        board, sees = position.ground.board, sight(position.ground).sees
        found = watched[place, far] = any(board.distance(eye, place) <= far and sees(eye, place) for eye in eyes)
    return bool(found)


def _eyes(position: Position, side: SideId) -> tuple[HexId, ...]:
    """The hexes that a side looks from: the very same while nobody of its spotters moves, comes or goes."""

    def looking() -> tuple[HexId, ...]:
        return tuple(dict.fromkeys(unit.hex for unit in spotters(position, side)))

    def unless_changed(before: tuple[HexId, ...], sources: object) -> tuple[HexId, ...]:
        now = looking()
        return before if now == before else now

    return position.derived.part(_EYES[side], (position.units,), looking, unless_changed)


_WATCHED = {side: f"watched by {side}" for side in SIDES}
_EYES = {side: f"eyes of {side}" for side in SIDES}


def is_set_up_unseen(position: Position) -> bool:
    """Whether the sides set up now: with fog of war nobody sees the enemy at it, or he would scout for nothing."""
    return position.step == SETUP


def hidden(position: Position, side: SideId) -> frozenset[UnitId]:
    """The enemy units a side can't see; none without fog of war. Spectators see what every side sees."""
    if not position.ground.options.fog:
        return NOBODY_HIDDEN
    if side == SPECTATORS:
        return hidden(position, SIDES[0]) | hidden(position, SIDES[1])
    name = f"hidden from {side} {'at set-up' if is_set_up_unseen(position) else visibility(position)}"
    return position.derived.part(name, (position.units,), lambda: _hidden(position, side))


def _hidden(position: Position, side: SideId) -> frozenset[UnitId]:
    foes = [unit for unit in position.units if unit.side != side]
    if is_set_up_unseen(position):
        return frozenset(unit.id for unit in foes if unit.hex or unit.fate in (RESERVE, UNSEEN))
    return frozenset(
        unit.id for unit in foes if unit.fate == UNSEEN or (unit.hex and not is_watched(position, unit.hex, side))
    )
