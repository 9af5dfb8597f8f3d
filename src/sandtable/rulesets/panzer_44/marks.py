"""What of an event is shown on the map."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.kernel.events import Event
from sandtable.kernel.ids import NOBODY, NOWHERE, SPECTATORS, RuleId, UnitId
from sandtable.kernel.ruleset import Marks
from sandtable.rulesets.panzer_44 import events as e
from sandtable.rulesets.panzer_44.results import RESULT_WORDS

UNITS: Mapping[type[Event], tuple[str, ...]] = {
    e.UnitPlaced: ("unit",),
    e.Panicked: ("unit",),
    e.Steadied: ("unit",),
    e.BoltRolled: ("unit",),
    e.FireWasted: ("unit",),
    e.AttackRolled: ("attacker", "target"),
    e.Pinned: ("unit",),
    e.PanicDelayed: ("unit",),
    e.Disrupted: ("unit",),
    e.Destroyed: ("unit",),
    e.RecoveryRolled: ("unit",),
    e.Moved: ("unit",),
    e.Barred: ("unit",),
    e.OverrunMade: ("unit",),
    e.Loaded: ("unit", "passenger"),
    e.Unloaded: ("unit", "passenger"),
    e.LeftMap: ("unit",),
    e.ShellsFell: ("unit",),
    e.UnitsSighted: ("contacts",),
    e.SightLost: ("units",),
}
"""Fields that hold one unit or several, in the order in which the map shows them."""

TONES: Mapping[type[Event], str] = {
    e.TurnBegan: "heading",
    e.BattleEnded: "heading",
    e.StepBegan: "phase",
    e.PlotsOpened: "phase",
    e.AttackRolled: "act",
    e.ShellsFell: "act",
    e.SortieFlown: "act",
    e.RecoveryRolled: "act",
    e.Destroyed: "loss",
    e.LeftMap: "left",
    e.UnitsSighted: "contact",
    e.SightLost: "contact",
}


def brief(event: Event) -> str:
    """What came of an event, in a word or two."""
    match event:
        case e.AttackRolled():
            return RESULT_WORDS[event.result]
        case e.RecoveryRolled():
            return "recovers" if event.recovered else "no effect"
        case e.Panicked():
            return f"panics, {event.panic}"
        case e.SortieFlown():
            return "attacks" if event.attacks else "driven off"
    return ""


def marks(event: Event) -> Marks:
    """Where on the map the event happened, as far as it says so itself."""
    place = getattr(event, "hex", NOWHERE)
    path, start = ((place,), event.start) if isinstance(event, e.Moved) else ((), NOWHERE)
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
