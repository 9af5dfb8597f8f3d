"""Riding and walking as sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.kernel.events import Event
from sandtable.kernel.ids import UnitId
from sandtable.play.words import does
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.movement import events as e
from sandtable.rulesets.panzer_battles.names import unit_name


def _do(position: Position, ids: tuple[UnitId, ...], deed: str) -> str:
    return does((unit_name(position, id) for id in ids), deed)


SENTENCES: dict[type[Event], Callable[[Any, Position], str]] = {
    e.Boarded: lambda x, p: _do(p, x.units, f"boards {unit_name(p, x.carrier)}"),
    e.Dismounted: lambda x, p: _do(p, x.units, "is thrown off" if x.is_shaken else "dismounts"),
    e.WentOnFoot: lambda x, p: _do(p, (x.unit,), "leaves its vehicles behind"),
    e.Remounted: lambda x, p: _do(p, x.units, "has its vehicles again"),
}
