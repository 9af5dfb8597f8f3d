"""What becomes of defenders who must leave their hex.

Rules: PB-ASLT-51.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import floor

from msgspec.structs import replace

from sandtable.kernel.ids import HexId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import index, victory
from sandtable.rulesets.panzer_battles.assault.situations import HEDGE_ROW, features_between
from sandtable.rulesets.panzer_battles.engineers import entering
from sandtable.rulesets.panzer_battles.engineers.events import FeatureChanged
from sandtable.rulesets.panzer_battles.events import ModeChanged, Stepped
from sandtable.rulesets.panzer_battles.features import BUNKER, PILLBOX, minefield_at, work_at
from sandtable.rulesets.panzer_battles.formations import headquarters, is_fanatical
from sandtable.rulesets.panzer_battles.model import RAIL, TRAVEL, Position, Unit, enemy_of
from sandtable.rulesets.panzer_battles.movement import paths
from sandtable.rulesets.panzer_battles.movement.carrying import passengers
from sandtable.rulesets.panzer_battles.movement.stacking import stacked
from sandtable.rulesets.panzer_battles.movement.zones import is_controlled
from sandtable.rulesets.panzer_battles.results.losses import rounded
from sandtable.rulesets.panzer_battles.results.suffering import forfeit
from sandtable.rulesets.panzer_battles.spotting import concealment

OVERCROWDED = Fraction(3, 2)
"""How far beyond its limit a retreat may fill a hex (PB-STK-12)."""


def is_refuge(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether a unit may retreat into a neighboring hex.

    Rules: PB-ASLT-44, PB-STK-3, PB-STK-12.
    """
    if not paths.step(position, unit, unit.hex, place).cost:
        return False
    there = index.at(position, place)
    if any(other.side != unit.side for other in there):
        return False
    if minefield_at(position, place):
        return False
    if not _has_room(position, place, (unit,)):
        return False
    return bool(there) or not is_controlled(position, enemy_of(unit.side), place)


def _has_room(position: Position, place: HexId, coming: Iterable[Unit]) -> bool:
    """Whether these units may crowd into a hex in a retreat, with whom they carry (PB-STK-12)."""
    crowd = {one.id: one for unit in coming for one in (unit, *passengers(position, unit))}
    total = stacked(position, (*crowd.values(), *index.at(position, place)))
    return total <= position.parameters.stacking.max * OVERCROWDED


def refuges(position: Position, unit: Unit, attackers: Iterable[HexId]) -> list[HexId]:
    """The hexes into which a unit may retreat, the best first: few enemies near, far from where the attackers came
    from, near headquarters.

    Rules: PB-ASLT-45, PB-MOVE-56, PB-UNIT-11.
    """
    if unit.is_immobile or (unit.has("rail_unit") and unit.mode != RAIL):
        return []
    board, enemy = position.ground.board, enemy_of(unit.side)
    post = headquarters(position, unit)

    def rank(place: HexId) -> tuple[int, int, int, int]:
        beside = len(list(index.adjacent(position, enemy, place)))
        away = sum(board.distance(place, foe) for foe in attackers)
        home = board.distance(place, post.hex) if post is not None else 0
        return beside, -away, home, place

    found = [HexId(place) for place in board.neighbors(unit.hex)]
    return sorted((place for place in found if is_refuge(position, unit, place)), key=rank)


def is_trapped(position: Position, unit: Unit) -> bool:
    """Whether a unit that is beaten in its hex can be foreseen to stay there: guns on tow are lost or go.

    Rules: PB-ASLT-46, PB-ASLT-47, PB-ASLT-50.
    """
    if unit.of.has("towed"):
        if _is_abandoned(unit):
            return False
        unit = replace(unit, mode=TRAVEL)
    return _holds_out(position, unit) or not refuges(position, unit, ())


def capture_chance(position: Position, unit: Unit, strength: int, *, is_broken: bool) -> float:
    """How likely nothing is left of a trapped unit of which the assault has left so much.

    Rules: PB-ASLT-46, PB-ASLT-48, PB-ASLT-49, PB-ASLT-50, PB-FIRE-65.
    """
    if _holds_out(position, unit):
        return 0.0
    combat = position.parameters.combat
    left = _left(strength, combat.at_gun_retreat_loss_pct) if unit.of.has("towed") else {strength: 1.0}
    gone = left.pop(0, 0.0)
    if not is_fanatical(position, unit):
        pct = combat.retreat_captured_broken_pct if is_broken else combat.retreat_captured_pct
        for rest, chance in left.items():
            gone += chance * _left(rest, pct).get(0, 0.0)
    return gone


def _left(strength: int, pct: float) -> dict[int, float]:
    """How likely a loss of so many percent, rounded by lot, leaves how much."""
    lost = strength * pct / 100
    whole = floor(lost)
    return {strength - whole: 1 - (lost - whole), strength - whole - 1: lost - whole}


def _is_abandoned(unit: Unit) -> bool:
    """Whether a towed gun that must leave its hex is lost: all are but anti-tank guns that can move.

    Rules: PB-ASLT-47, PB-ASLT-48.
    """
    return not unit.of.has("at_gun") or unit.is_immobile


def lose(resolution: Resolution[Position], unit: Unit, pct: float, rule: str) -> None:
    """A unit has lost so many percent of its strength, rounded by lot."""
    lost = unit.strength if pct >= 100 else rounded(resolution, unit.strength * pct / 100, rule, unit.id)
    forfeit(resolution, unit, lost)


def retreat(resolution: Resolution[Position], ids: Sequence[UnitId], attackers: frozenset[HexId]) -> None:
    """The defenders have left the hex, together where all can go to the same, or singly; who can't is taken in part.
    The attackers are the hexes that they came from.

    Rules: PB-ASLT-45, PB-ASLT-46, PB-ASLT-47, PB-ASLT-48, PB-ASLT-50, PB-FIRE-65.
    """
    ids = [id for id in ids if not _holds_out(resolution.position, resolution.position.units[id])]
    for id in ids:
        _limber(resolution, id)
    stack = [resolution.position.units[id] for id in ids if resolution.position.units[id].hex]
    together = _common_refuges(resolution.position, stack, attackers)
    for unit in stack:
        places = together or refuges(resolution.position, unit, attackers)
        if places:
            _fall_back(resolution, unit.id, places[0])
        else:
            _stay(resolution, unit)


def _holds_out(position: Position, unit: Unit) -> bool:
    """Whether a unit never leaves the hard work it is in.

    Rules: PB-ASLT-50.
    """
    work = work_at(position, unit.hex)
    return work is not None and work.kind in (BUNKER, PILLBOX) and is_fanatical(position, unit)


def _stay(resolution: Resolution[Position], unit: Unit) -> None:
    """Who can't retreat is taken in part, unless he is a fanatic, and the work he is in is vacated.

    Rules: PB-ASLT-46, PB-ASLT-49, PB-FIRE-68.
    """
    combat = resolution.position.parameters.combat
    if not is_fanatical(resolution.position, unit):
        pct = combat.retreat_captured_broken_pct if unit.broken else combat.retreat_captured_pct
        lose(resolution, unit, pct, "PB-ASLT-46")
    work = work_at(resolution.position, unit.hex)
    if work is not None and not work.vacated:
        resolution.emit(FeatureChanged(unit.hex, work, replace(work, vacated=True)))


def _common_refuges(position: Position, stack: Sequence[Unit], attackers: frozenset[HexId]) -> list[HexId]:
    """The hexes into which all units of a stack may retreat and in which there is room for all of them, the best first.

    Rules: PB-ASLT-45, PB-STK-12.
    """
    places = [refuges(position, unit, attackers) for unit in stack]
    first = places[0] if places else []
    return [place for place in first if all(place in other for other in places) and _has_room(position, place, stack)]


def _limber(resolution: Resolution[Position], id: UnitId) -> None:
    """Who can move in Travel Mode only is lost, be it on tow already, but anti-tank guns can save half of themselves.

    Rules: PB-ASLT-47, PB-ASLT-48.
    """
    unit = resolution.position.units[id]
    if not unit.of.has("towed"):
        return
    if _is_abandoned(unit):
        lose(resolution, unit, 100, "PB-ASLT-47")
        return
    lose(resolution, unit, resolution.position.parameters.combat.at_gun_retreat_loss_pct, "PB-ASLT-48")
    if resolution.position.units[id].hex and not unit.is_traveling:
        resolution.emit(ModeChanged(id, TRAVEL, unit.mp, unit.thirds))


def _fall_back(resolution: Resolution[Position], id: UnitId, to: HexId) -> None:
    """A unit has retreated, at no cost and under no fire; but a step is a step to objectives, works and hedge rows.

    Rules: PB-ASLT-51, PB-FIRE-68, PB-MOVE-89, PB-VIC-4.
    """
    before = resolution.position
    unit = before.units[id]
    hidden = concealment.is_hidden_on_entering(before, replace(unit, concealed=False), to)
    crossed = unit.of.is_vehicles and HEDGE_ROW in features_between(before, unit.hex, to)
    is_vulnerable = unit.vulnerable or crossed
    resolution.emit(Stepped(id, to, unit.mp, hidden, is_vulnerable, unit.hex, retreats=True))
    concealment.settle(resolution, before)
    victory.capture(resolution, id)
    entering.vacate(resolution, id)
