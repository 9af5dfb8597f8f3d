"""What stands in a side's notes and has not come down yet, and how it is struck out again.

Rules: PL-1102, PL-1104, PL-1121.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import is_
from typing import NamedTuple

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import Target
from sandtable.kernel.state import View
from sandtable.rulesets.panzer_leader.describe import firers_name, place_name, turn_of, unit_names
from sandtable.rulesets.panzer_leader.events import MissionStruck
from sandtable.rulesets.panzer_leader.missions import batteries
from sandtable.rulesets.panzer_leader.model import SIDES, Mission, Position, Unit
from sandtable.rulesets.panzer_leader.orders import StrikeMission

WRITTEN = RuleId("PL-1102")
WRITING, NEVER = "indirect orders", 0
"""The step in which missions are written and struck out, and a segment in which none was."""


def plans(view: View[Position]) -> tuple[Target, ...]:
    """The side's missions that are still to come down, what comes down first at the head.

    Rules: PL-1102.
    """
    position, side = view.position, view.side
    if not position.missions:
        return ()
    # only while orders are written is anything struck out, and of that no more than was written in this segment
    segment = position.segment if any(decision.kind == WRITING for decision in view.decisions) else NEVER
    return position.derived.part(
        _PLANS[side],
        (position.missions, position.units, segment),
        lambda: _plans(position, side, segment),
        lambda known, before: _unchanged_plans(position, known, segment, *before),
    )


def _unchanged_plans(
    position: Position,
    known: tuple[Target, ...],
    segment: int,
    missions: tuple[Mission, ...],
    units: tuple[Unit, ...],
    before: int,
) -> tuple[Target, ...] | None:
    """The same as long as nothing is written or struck out, as much can be, and none of those who are to fire has
    changed.
    """
    if missions is not position.missions or segment != before:
        return None
    firers = batteries(position)
    return None if any(new.id in firers for _, new in position.derived.changes(units, position.units)) else known


def _plans(position: Position, side: SideId, segment: int) -> tuple[Target, ...]:
    """The plans, of which only those are told anew whose firers have changed, or that stay from now on."""
    waiting = [mission for mission in position.missions if mission.side == side and not mission.held]
    told: dict[int, Told] = position.derived.part(_TOLD[side], (position.ground,), dict)
    kept: dict[int, Told] = {}
    for mission in sorted(waiting, key=lambda mission: mission.due):
        firers, known = [position.units[id] for id in mission.firers], told.get(id(mission))
        stays = mission.written != segment
        # the mission is kept with its plan, so that its identity can't pass to another
        is_same = known is not None and known.mission is mission and all(map(is_, known.firers, firers))
        if known is None or not is_same or known.plan.stays != stays:
            known = Told(mission, firers, _plan(position, mission, stays=stays))
        kept[id(mission)] = known
    position.derived.keep(_TOLD[side], (position.ground,), kept)
    return tuple([one.plan for one in kept.values()])


class Told(NamedTuple):
    """A mission as it was told, and the firers as they were then."""

    mission: Mission
    firers: list[Unit]
    plan: Target


_PLANS = {side: f"plans of {side}" for side in SIDES}
_TOLD = {side: f"plans told to {side}" for side in SIDES}


def _plan(position: Position, mission: Mission, *, stays: bool) -> Target:
    who, when = firers_name(position, mission), f"turn {turn_of(mission.due)}"
    start = tuple(position.units[id].hex for id in mission.firers[:1])
    return Target(
        _strike(mission),
        mission.hex,
        note=f"comes down in your segment of {when}",
        path=(*start, mission.hex) if start else (),
        text=f"{'smoke' if mission.smoke else 'indirect fire'} of {who} on {place_name(position, mission.hex)}",
        actors=mission.firers,
        brief=f"smoke, {when}" if mission.smoke else when,
        stays=stays,
    )


# --- striking out ----------------------------------------------------------------------------------------------------


def _strike(mission: Mission) -> StrikeMission:
    return StrikeMission(mission.hex, mission.firers[0] if mission.firers else NOBODY, mission.naval)


def is_fresh(position: Position, mission: Mission) -> bool:
    """Whether a mission can still be struck out: while the step lasts in which it was written nobody has acted on it.

    Rules: PL-1102.
    """
    return mission.written == position.segment


def _meant(position: Position, side: SideId, order: StrikeMission) -> Mission | None:
    """The mission that an order to strike one out names: the latest, where the same was written before."""
    return position.derived.of("missions by what strikes them", position.missions, _by_strike).get((side, order))


def _by_strike(missions: tuple[Mission, ...]) -> dict[tuple[SideId, StrikeMission], Mission]:
    return {(mission.side, _strike(mission)): mission for mission in missions}


def check_strike(position: Position, side: SideId, order: StrikeMission) -> Refusal | None:
    """Only what was written in this step is struck out; older orders are with the batteries, which can hold their fire.

    Rules: PL-1102, PL-1104.
    """
    mission = _meant(position, side, order)
    if mission is None:
        return Refusal(WRITTEN, "nothing of the kind stands in your notes")
    if not is_fresh(position, mission):
        return Refusal(RuleId("PL-1104"), "the batteries have that order: they carry it out, or hold when it is due")
    return None


def resolve_strike(resolution: Resolution[Position], side: SideId, order: StrikeMission) -> None:
    """The mission stands in the notes no more."""
    mission = _meant(resolution.position, side, order)
    assert mission is not None
    resolution.emit(MissionStruck(side, mission))


def unprompted(position: Position, side: SideId) -> Iterator[StrikeMission]:
    """Computer players write nothing that they would strike out."""
    return iter(())


def strike_offers(position: Position, side: SideId) -> Iterator[StrikeMission]:
    """Every mission that can still be struck out."""
    for mission in position.missions:
        if mission.side == side and is_fresh(position, mission):
            yield _strike(mission)


def has_fresh(position: Position, nobody: None) -> bool:
    """Whether the side on turn has written anything that it can still strike out."""
    return any(True for _ in strike_offers(position, position.phasing))


def strike_words(position: Position, order: StrikeMission) -> str:
    """The order as one short line."""
    who = unit_names(position, (order.unit,)) if order.unit != NOBODY else f"naval guns ({order.points})"
    return f"strike out the fire of {who} on {place_name(position, order.hex)}"
