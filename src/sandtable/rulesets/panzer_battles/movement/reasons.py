"""Why a step costs what it costs, in words.

Rules: PB-MOVE-5, PB-MOVE-6, PB-MOVE-38.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sandtable.kernel.ids import HexId, RuleId
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_battles import features
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.movement import paths
from sandtable.rulesets.panzer_battles.movement.costs import (
    EMBANKMENT,
    FULL_FERRY,
    LANDING,
    RAILS,
    RAISED,
    SEA,
    WHOLE_ALLOWANCE,
    crossing,
    layers,
    mobility,
)
from sandtable.rulesets.panzer_battles.movement.entry import LYING, part
from sandtable.rulesets.panzer_battles.movement.minefields import clears_mines
from sandtable.rulesets.panzer_battles.movement.stacking import has_road_room
from sandtable.rulesets.panzer_battles.names import feature_title, side_words
from sandtable.rulesets.panzer_battles.terrain import features_on


class Reason(NamedTuple):
    """One thing that makes a step as dear as it is, and the rule that says so."""

    words: str
    rule: str


NOT_ON_THE_GROUND = (RAILS, SEA, LANDING)
RUBBLE = (features.RUBBLE, features.CLEARED_RUBBLE)
LAID_BY = {features.MINEFIELD: "PB-MOVE-82", features.OBSTACLE: "PB-MOVE-73", features.CONGESTION: "PB-MOVE-77"}
"""By which rule what lies in a hex takes its part of an allowance."""


def step_line(position: Position, unit: Unit, here: HexId, to: HexId, cost: int, company: Sequence[Unit] = ()) -> Line:
    """What a step costs a unit that comes with others, with all the reasons and the rule of the last."""
    found = list(reasons(position, unit, here, to, company))
    words = ", ".join(one.words for one in found)
    return Line(f"{position.ground.board.label(to)}, {words}", cost, RuleId(found[-1].rule))


def reasons(position: Position, unit: Unit, here: HexId, to: HexId, company: Sequence[Unit] = ()) -> Iterator[Reason]:
    """The road, or the terrain with what lies between; then zones of control, the storm and what lies in the hex."""
    board, found = position.ground.board, layers(position, mobility(unit))
    edge = 8 * here + board.direction(here, to)
    step = paths.step(position, unit, here, to, company=company)
    if found.with_roads[edge] < found.without[edge] and has_road_room(position, to, unit, company):
        yield Reason("by road", "PB-MOVE-38")
    else:
        yield Reason(board.terrain[to].replace("_", " "), "PB-MOVE-5")
        yield from _between(position, unit, here, to)
        if found.without[edge] == WHOLE_ALLOWANCE:
            yield Reason("for the whole allowance", "PB-MOVE-75")
    if step.normal > step.plain:
        yield Reason("from zone to zone", "PB-ZOC-3")
    if position.weather.storm:
        yield Reason("storm", "PB-ENV-16")
    if step.cost > step.normal:
        yield from _lying(position, unit, to)


def _between(position: Position, unit: Unit, here: HexId, to: HexId) -> Iterator[Reason]:
    """What lies between two hexes and on the second, and makes a step off the road dearer."""
    board, way = position.ground.board, mobility(unit)
    if way.way in NOT_ON_THE_GROUND:
        return
    across = features_on(position, here, board.direction(here, to))
    if crossing(across, way, position.parameters, position.weather.condition) > 0:
        table = position.parameters.movement.hexside
        yield from (Reason(side_words(one), "PB-MOVE-5") for one in sorted(across) if one in table)
    if board.has_feature(to, RAISED):
        yield Reason(EMBANKMENT, "PB-MOVE-40")
    if board.elevation[to] - board.elevation[here] >= position.parameters.movement.elevation_level_m:
        yield Reason("uphill", "PB-MOVE-9")
    rubble = features.find(position, to, *RUBBLE)
    if rubble is not None:
        yield Reason(feature_title(rubble), "PB-MOVE-71")


def _lying(position: Position, unit: Unit, to: HexId) -> Iterator[Reason]:
    """What in a hex takes a part of the allowance that is more than the step; of mines those who clear them pay their
    own.

    Rules: PB-MOVE-73, PB-MOVE-77, PB-MOVE-82, PB-MOVE-83.
    """
    for one in features.at(position, to):
        if one.kind in LYING and part(position, unit, to, one):
            is_cleared = one.kind == features.MINEFIELD and clears_mines(unit)
            yield Reason(feature_title(one), "PB-MOVE-83" if is_cleared else LAID_BY[one.kind])
    if position.ground.board.has_feature(to, FULL_FERRY):
        yield Reason("ferry", "PB-MOVE-97")
