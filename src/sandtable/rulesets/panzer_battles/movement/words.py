"""Riding and walking as sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.kernel.events import Event
from sandtable.kernel.ids import UnitId
from sandtable.play.words import listed
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.movement import events as e
from sandtable.rulesets.panzer_battles.names import unit_name


def _all(position: Position, ids: tuple[UnitId, ...]) -> str:
    return listed(unit_name(position, id) for id in ids)


SENTENCES: dict[type[Event], Callable[[Any, Position], str]] = {
    e.Boarded: lambda x, p: f"{_all(p, x.units)} boards {unit_name(p, x.carrier)}",
    e.Dismounted: lambda x, p: f"{_all(p, x.units)} {'is thrown off' if x.is_shaken else 'dismounts'}",
    e.WentOnFoot: lambda x, p: f"{unit_name(p, x.unit)} leaves its vehicles behind",
    e.Remounted: lambda x, p: f"{_all(p, x.units)} has its vehicles again",
}
