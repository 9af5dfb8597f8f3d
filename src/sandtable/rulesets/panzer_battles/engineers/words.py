"""The events of engineers as sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.kernel.events import Event
from sandtable.play.words import does
from sandtable.rulesets.panzer_battles.engineers import events as e
from sandtable.rulesets.panzer_battles.features import MINEFIELD, OBSTACLE
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.names import COMPASS, feature_title, place_name, unit_name
from sandtable.rulesets.panzer_battles.operations import (
    BUILDING,
    CLEARING,
    DISMANTLING,
    HOLDING,
    LAYING,
    PONTOON_BUILDING,
    PONTOON_DISMANTLING,
    PONTOON_HOLDING,
    RUBBLE,
    WIRING,
)

DEEDS = {
    CLEARING: "begins to clear mines",
    LAYING: "begins to lay mines",
    RUBBLE: "begins to clear rubble",
    WIRING: "begins to wire the bridge",
    BUILDING: "begins a bridge",
    PONTOON_BUILDING: "begins a pontoon bridge",
    DISMANTLING: "begins to take up its bridge",
    PONTOON_DISMANTLING: "begins to take up its pontoon bridge",
    HOLDING: "holds a bridge",
    PONTOON_HOLDING: "holds a pontoon bridge",
}
"""What who has taken up a work does (PB-ENG-7)."""


CLEARED = {MINEFIELD: "the mines in {} are cleared", OBSTACLE: "the obstacle in {} is cleared"}
"""What is told of barriers that are no more (PB-ENG-24)."""


def _feature(event: e.FeatureChanged, position: Position) -> str:
    where = place_name(position, event.hex)
    if event.old is not None and event.old.kind in CLEARED:
        if event.new is not None:
            return f"the mines in {where} are down to strength {event.new.strength}"
        return CLEARED[event.old.kind].format(where)
    if event.new is None:
        return "" if event.old is None else f"{where}: {feature_title(event.old)} is no more"
    return f"Now in {where}: {feature_title(event.new)}"


def _work(event: e.WorkChanged, position: Position) -> str:
    who = unit_name(position, event.unit)
    if event.digging_in:
        return does([who], "digs in")
    if event.operation:
        return does([who], DEEDS[event.operation.partition(":")[0]])
    return does([who], "has done its work" if event.by_itself else "ends its work")


def _tried(event: e.DamageTried, position: Position) -> str:
    who, where = unit_name(position, event.unit), place_name(position, event.hex)
    if event.what == e.RAIL_LINE:
        return does([who], f"{'damages' if event.done else 'fails to damage'} the rail line in {where}")
    if event.what == e.FERRY_BOAT:
        return does([who], f"destroys the ferry to {where}")
    return does([who], f"tries a demolition toward {where}, {'that succeeds' if event.done else 'that fails'}")


SENTENCES: dict[type[Event], Callable[[Any, Position], str]] = {
    e.MinesTouched: lambda x, p: does([unit_name(p, x.unit)], f"is among mines in {place_name(p, x.hex)}"),
    e.FeatureChanged: _feature,
    e.WorkChanged: _work,
    e.WorkProgressed: lambda x, p: "",
    e.SideChanged: lambda x, p: f"{x.what} {COMPASS[x.direction]} of {place_name(p, x.hex)}" if x.what else "",
    e.DamageTried: _tried,
}
