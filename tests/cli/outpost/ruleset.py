"""The toy on a board one column wide, whose hexes are its line of cells."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import HexId, SideId
from sandtable.kernel.state import State, View
from tests.kit import toy


class Outpost(toy.Toy):
    def setup(self, scenario: Any, options: dict[str, Any], key: DiceKey) -> State[toy.Position]:
        height = scenario.board.height
        posts = tuple(toy.Post(SideId(u.side), HexId(u.hex), u.details.hidden) for u in scenario.units)
        turns = {**scenario.options, **options}["turns"]
        return super().setup(toy.Scenario(2 * height + 2, turns, posts), {}, key)

    def _check_move(self, view: View[toy.Position], unit: toy.Unit, to: HexId) -> Refusal | None:
        if to <= view.position.ground.length // 2 + 1:
            return toy.refuse(3, "that is off the map")
        return super()._check_move(view, unit, to)

    def pieces(self, view: View[toy.Position]) -> Any:
        corners = ("4", "3", "1", "4")
        return tuple(msgspec.structs.replace(piece, corners=corners) for piece in super().pieces(view))
