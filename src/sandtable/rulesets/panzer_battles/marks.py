"""What of an event is shown on the map. An event of a part of the rules says by itself which rule it `cites` and in
which `tone` its line is written.
"""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.kernel.events import Event
from sandtable.kernel.ids import NOBODY, NOWHERE, SPECTATORS, HexId, RuleId, UnitId
from sandtable.kernel.ruleset import Marks
from sandtable.rulesets.panzer_battles import events as e
from sandtable.rulesets.panzer_battles.fire.events import Bombarded
from sandtable.rulesets.panzer_battles.names import losses_text, result_text

TONES: Mapping[type[Event], str] = {
    e.TurnBegan: "heading",
    e.BattleEnded: "heading",
    e.Fired: "act",
    e.AssaultBegun: "act",
    e.UnitsSeen: "contact",
    e.SightLost: "contact",
    e.UnknownsSeen: "contact",
}

RULES: Mapping[type[Event], str] = {
    e.TurnBegan: "PB-TURN-5",
    e.CommandTested: "PB-CMD-10",
    e.Recovered: "PB-CMD-24",
    e.Rested: "PB-FAT-9",
    e.Stepped: "PB-MOVE-5",
    e.Bumped: "PB-MOVE-14",
    e.MoveStopped: "PB-MOVE-11",
    e.Fired: "PB-FIRE-56",
    e.Struck: "PB-CRT-11",
    e.AssaultBegun: "PB-ASLT-1",
    e.AssaultDecided: "PB-ASLT-42",
    e.ObjectiveTaken: "PB-VIC-4",
    e.BattleEnded: "PB-VIC-11",
}


def marks(event: Event) -> Marks:
    """Where on the map the event happened, as far as it says so itself."""
    place: HexId = getattr(event, "hex", NOWHERE)
    path: tuple[HexId, ...] = ()
    start: HexId = NOWHERE
    tone, brief = TONES.get(type(event), getattr(event, "tone", "")), getattr(event, "brief", "")
    match event:
        case e.Stepped():
            place, path, start = event.to, (event.to,), event.start
        case e.UnitsSeen():
            place = next((unit.hex for unit in event.units if unit.id in event.contacts), NOWHERE)
        case e.Fired() | Bombarded():
            start = event.start
        case e.Struck() if event.kind:
            brief = result_text(event.kind, event.lost, event.result)
            tone = "loss" if event.result == "X" else ""
        case e.AssaultDecided():
            brief = " / ".join(losses_text(lost, "0") for lost in (event.attackers_lost, event.defenders_lost))
    side = event.side if isinstance(event, e.TurnBegan) else SPECTATORS
    rule = RuleId(getattr(event, "spent", "") or RULES.get(type(event), getattr(event, "cites", "")))
    return Marks(place, _units(event), path, getattr(event, "lines", ()), rule, tone, brief, start, side)


def _units(event: Event) -> tuple[UnitId, ...]:
    """The units an event is about, in the order in which the map shows them."""
    match event:
        case e.Fired():
            named: tuple[UnitId, ...] = (event.unit, event.target)
        case Bombarded():
            named = (event.unit, *(one.unit for one in event.struck))
        case e.UnitsSeen():
            named = event.contacts or tuple(unit.id for unit in event.units)
        case e.CommandTested():
            named = event.out
        case _:
            named = getattr(event, "units", ()) or (getattr(event, "unit", NOBODY),)
    return tuple(id for id in named if id != NOBODY)
