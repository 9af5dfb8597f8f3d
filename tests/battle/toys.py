"""Relatives of the toy: one in which both sides move at once, one whose rules fail, one that is both."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.kernel.decisions import Decision
from sandtable.kernel.ids import RuleId, SideId, UnitId
from sandtable.kernel.ruleset import Selection
from sandtable.kernel.state import State
from tests.kit.toy import SIDES, Moves, Position, Toy, Watch

FAULTY = UnitId(3)
"""The red unit whose watch the rules fail on."""


class Melee(Toy):
    """The toy with both sides moving at the same time."""

    def decisions(self, state: State[Position]) -> tuple[Decision, ...]:
        if isinstance(state.flow[-1], Moves) and self.outcome(state) is None:
            return tuple(Decision(side, "move", RuleId("TOY-4"), "Move") for side in SIDES)
        return super().decisions(state)


class Lookout(Toy):
    """The toy in which a hidden enemy shows himself to whoever stands next to him."""

    def known(self, position: Position, side: SideId, before: Position | None = None) -> Position:
        eyes = {unit.cell + step for unit in position.of(side) for step in (-1, 1)}
        spotted = {unit.id for unit in position.units if unit.side != side and unit.hidden and unit.cell in eyes}
        shown = replace(
            position,
            units=tuple(replace(unit, hidden=False) if unit.id in spotted else unit for unit in position.units),
        )
        return super().known(shown, side)


class Brittle(Toy):
    """The toy with three faults; the message of one holds the whole truth."""

    def resolve(self, resolution: Any, side: SideId, order: Any) -> None:
        if order == Watch(FAULTY):
            raise RuntimeError(f"the truth is {resolution.position}")
        super().resolve(resolution, side, order)

    def menu(self, view: Any, selection: Selection) -> Any:
        if selection.hex == 5:
            raise RuntimeError("the menu fails")
        return super().menu(view, selection)

    def hex_facts(self, view: Any, place: Any) -> Any:
        if not place:
            raise RuntimeError(f"there is no such place in {view}")
        return super().hex_facts(view, place)


class BrittleMelee(Brittle, Melee):
    """Both."""
