"""What of an event is shown on the map: the fields of each event that name a hex, units, a way or a calculation."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.kernel.events import Event
from sandtable.kernel.ids import NOWHERE, SPECTATORS, HexId, RuleId, SideId, UnitId
from sandtable.kernel.ruleset import Marks
from sandtable.play.words import reason_and_rule
from sandtable.rulesets.panzerblitz_3d import events as e
from sandtable.rulesets.panzerblitz_3d.model import DESTROYED
from sandtable.rulesets.panzerblitz_3d.tables import NOTHING

# Fields that hold one unit or several, in the order in which the map shows them.
UNITS: Mapping[type[Event], tuple[str, ...]] = {
    e.UnitPlaced: ("unit",),
    e.Assigned: ("units",),
    e.Unassigned: ("units",),
    e.AssignmentsRevealed: ("units",),
    e.ShotStruck: ("unit",),
    e.ShotLost: ("firers",),
    e.AttackRolled: ("attackers", "targets"),
    e.AttackFailed: ("attackers",),
    e.UnitsFired: ("units",),
    e.UnitDispersed: ("unit",),
    e.UnitDestroyed: ("unit",),
    e.UnitMoved: ("unit",),
    e.MoveEnded: ("unit",),
    e.MoveHalted: ("unit",),
    e.MoveResumed: ("unit",),
    e.UnitExited: ("unit",),
    e.UnitLoaded: ("carrier", "passenger"),
    e.UnitUnloaded: ("carrier", "passenger"),
    e.FortEntered: ("unit",),
    e.FortLeft: ("unit",),
    e.MineEntered: ("unit",),
    e.SightLost: ("units",),
    e.ContactsForgotten: ("units",),
}

SIGHT = RuleId("PB3-1303")
CONTACT, LOSS = "contact", "loss"
"""The tones of what came into a side's sight or went out of it, and of what is no more."""

# How lines of the log are marked; the others are plain.
TONES: Mapping[type[Event], str] = {
    e.TurnBegan: "heading",
    e.PlayerTurnBegan: "heading",
    e.BattleEnded: "heading",
    e.TurnEnded: "phase",
    e.StepBegan: "phase",
    e.AttackRolled: "act",
    e.AttackFailed: "act",
    e.BatteryFired: "act",
    e.UnitDestroyed: LOSS,
    e.UnitExited: "left",
    e.SightLost: CONTACT,
}

TURNS = (e.PlayerTurnBegan, e.StepBegan)
"""Events that begin a part of a side's turn."""


def brief(event: Event) -> str:
    """What came of an event, in a word or two."""
    match event:
        case e.AttackRolled():
            return "no effect" if event.result == NOTHING else event.result
        case e.AttackFailed():
            return "no effect"
        case e.UnitDestroyed():
            return "destroyed"
        case e.UnitDispersed():
            return "dispersed"
        case e.SightLost():
            return "out of sight"
        case e.HexShelled():
            return "barrage"
        case e.BatteryFired() if _start(event):
            return "scattered"
    return ""


def marks(event: Event) -> Marks:
    """Where on the map the event happened, as far as it says so itself."""
    match event:
        case e.UnitsSighted():
            seen = [unit for unit in event.units if unit.id in event.contacts]
            if not seen:
                are_lost = any(unit.fate == DESTROYED for unit in event.units)
                return Marks(units=tuple(unit.id for unit in event.units), tone=LOSS if are_lost else "")
            return Marks(seen[0].hex, event.contacts, rule=SIGHT, tone=CONTACT, brief="in sight")
        case e.ContactMoved():
            return Marks(units=(event.unit.id,), path=event.path, rule=SIGHT, tone=CONTACT, brief="in sight")
        case e.ShotDesignated():
            return Marks(event.shot.hex, event.shot.firers, rule=RuleId("PB3-505"))
    return Marks(
        getattr(event, "hex", NOWHERE),
        _units(event),
        getattr(event, "path", ()),
        getattr(event, "lines", ()),
        _rule(event),
        TONES.get(type(event), ""),
        brief(event),
        _start(event),
        SideId(getattr(event, "side", SPECTATORS)) if type(event) in TURNS else SPECTATORS,
    )


def _rule(event: Event) -> RuleId:
    """The rule that an event cites; why a unit stops names it behind the reason."""
    if isinstance(event, e.MoveEnded):
        return RuleId(reason_and_rule(event.why)[1])
    return RuleId(getattr(event, "rule", ""))


def _start(event: Event) -> HexId:
    """Where the path of a move sets out, as the account of a mover says in its first stretch; of fire that scattered,
    where it was to fall.
    """
    if isinstance(event, e.BatteryFired) and event.hex != event.plotted:
        return event.plotted
    if isinstance(event, e.UnitMoved) and event.mover.hexes == len(event.path):
        return event.mover.start
    return NOWHERE


def _units(event: Event) -> tuple[UnitId, ...]:
    named: list[UnitId] = []
    for field in UNITS.get(type(event), ()):
        value = getattr(event, field)
        named += value if isinstance(value, tuple) else (value,)
    return tuple(dict.fromkeys(named))
