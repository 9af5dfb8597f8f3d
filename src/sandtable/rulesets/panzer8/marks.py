"""What of an event is shown on the map."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.kernel.events import Event
from sandtable.kernel.ids import NOBODY, NOWHERE, SPECTATORS, RuleId, UnitId
from sandtable.kernel.ruleset import Marks
from sandtable.rulesets.panzer8 import events as e

UNITS: Mapping[type[Event], tuple[str, ...]] = {
    e.Moved: ("unit",),
    e.Stopped: ("unit",),
    e.Turned: ("unit",),
    e.Mounted: ("unit", "passenger"),
    e.Dismounted: ("unit", "passenger"),
    e.WorkBegan: ("unit",),
    e.AttackRolled: ("attacker", "target"),
    e.Suppressed: ("unit",),
    e.Lost: ("unit",),
    e.FellBack: ("unit",),
    e.RecoveryRolled: ("unit",),
    e.CommanderRallied: ("unit",),
    e.CombatDeclared: ("attacker", "defender"),
    e.EffectBegan: ("unit",),
    e.DieCast: ("unit",),
    e.SightLost: ("units",),
}
"""Fields that hold one element or several, in the order in which the map shows them."""

TONES: Mapping[type[Event], str] = {
    e.TurnBegan: "heading",
    e.BattleEnded: "heading",
    e.CardDrawn: "phase",
    e.AttackRolled: "act",
    e.BatteryCalled: "act",
    e.RecoveryRolled: "act",
    e.Lost: "loss",
    e.ElementsSighted: "contact",
    e.SightLost: "contact",
}


def brief(event: Event) -> str:
    """What came of an event, in a word or two."""
    match event:
        case e.AttackRolled() | e.RecoveryRolled():
            return event.result
        case e.Lost():
            return "out of action"
        case e.Suppressed():
            return "suppressed"
        case e.FellBack():
            return "falls back"
    return ""


def marks(event: Event) -> Marks:
    """Where on the map the event happened, as far as it says so itself."""
    if isinstance(event, e.ElementsSighted):
        return Marks(units=tuple(one.id for one in event.elements), tone="contact")
    place = getattr(event, "hex", NOWHERE)
    path, start = getattr(event, "path", ()), NOWHERE
    if isinstance(event, e.Moved):
        path, start = (event.hex,), event.start
    return Marks(
        place,
        _units(event),
        path,
        getattr(event, "lines", ()),
        RuleId(getattr(event, "rule", "")),
        TONES.get(type(event), ""),
        brief(event),
        start,
        event.side if isinstance(event, e.TurnBegan | e.StepBegan) else SPECTATORS,
    )


def _units(event: Event) -> tuple[UnitId, ...]:
    named: list[UnitId] = []
    for field in UNITS.get(type(event), ()):
        value = getattr(event, field)
        named += value if isinstance(value, tuple) else (value,)
    return tuple(id for id in dict.fromkeys(named) if id != NOBODY)
