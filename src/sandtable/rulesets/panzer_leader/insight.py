"""What a player may ask of the table before deciding: lines of sight, who watches and threatens a hex, how things
stand.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.ruleset import ProfilePoint, SightLine
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line, Tally
from sandtable.play.words import so_far
from sandtable.rulesets.panzer_leader import looks, sight, victory
from sandtable.rulesets.panzer_leader.describe import side_title
from sandtable.rulesets.panzer_leader.model import SIDES, Position
from sandtable.rulesets.panzer_leader.scenario import Condition
from sandtable.rulesets.panzer_leader.stacks import STACK_LIMIT, active, height
from sandtable.rulesets.panzer_leader.terrain import level_at, points, terrain_at
from sandtable.rulesets.panzer_leader.terrain_table import terrain_table


def sight_line(view: View[Position], a: HexId, b: HexId) -> SightLine:
    """The line from one hex to another: clear or not, what obstructs, and the ground it passes over.

    Rules: PL-701, PL-704, PL-714.
    """
    position = view.position
    board = position.ground.board
    if not (board.is_on(a) and board.is_on(b)):
        return SightLine(clear=False, reason=Line("off the board", "", RuleId("PL-701")))
    profile = tuple(
        ProfilePoint(place, level_at(position, place), terrain.title, terrain.needs_spotting)
        for place in board.line(a, b)
        if place
        for terrain in (terrain_at(position, place),)
    )
    reason = sight.obstacle(position, a, b)
    if reason is None:
        return SightLine(clear=True, profile=profile)
    blocked = looks.sight_on(position.ground).why(a, b)
    if blocked is None:
        return SightLine(False, profile, reason, board.parse(str(reason.value)))
    return SightLine(False, profile, reason, blocked.hex, blocked.direction if blocked.direction >= 0 else None)


def seen(view: View[Position], units: tuple[UnitId, ...]) -> tuple[HexId, ...]:
    """The hexes these own units observe between them; all of the side's units when none is named."""
    position = view.position
    named = {id for id in units if 0 <= id < len(position.units)}
    looking = [unit for unit in active(position, view.side) if unit.id in named or not units]
    field = sight.field(position, {unit.hex for unit in looking})
    return tuple(place for place in position.ground.board.hexes if place in field)


def watchers(view: View[Position], place: HexId) -> tuple[UnitId, ...]:
    """The side's units that can spot and see a hex."""
    if not view.position.ground.board.is_on(place):
        return ()
    return sight.witnesses(view.position, place, view.side)


def standing(view: View[Position]) -> tuple[Tally, ...]:
    """Points of both sides, and each victory condition with whether it is met now.

    Rules: PL-1501, PL-1505.
    """
    position = view.position
    outcome = victory.judged(position)
    now = f"{side_title(position, outcome.winner)}, {outcome.level}" if outcome.winner else "a draw"
    title = "The battle has ended" if position.over else "If it ended now"
    tallies = [Tally(title, now, tuple(Line(reason, "", RuleId("PL-1501")) for reason in outcome.reasons))]
    conditions = victory.terms(position).conditions
    if conditions:
        lines = tuple(_condition_line(position, condition) for condition in conditions)
        met = sum(victory.is_met(position, condition) for condition in conditions)
        tallies.append(Tally("Conditions", f"{met} of {len(conditions)} met", lines))
    for side in sorted(SIDES, key=lambda side: side != view.side):
        tallies.append(replace(victory.score(position, side), title=f"{side_title(position, side)}: points"))
    return tuple(tallies)


def _condition_line(position: Position, condition: Condition) -> Line:
    """A victory condition: whose it is and what it is worth, whether it is met, and how far each part of it is."""
    whose = f"{side_title(position, SideId(condition.side))}, {condition.level}"
    met = "met" if victory.is_met(position, condition) else "not met"
    parts = ", ".join(so_far(*part) for part in victory.parts(position, condition))
    label = f"{whose}: {condition.title}" if condition.title else whose
    return Line(label, f"{met}: {parts}" if parts else met, RuleId("PL-1501"))


def hex_facts(view: View[Position], place: HexId) -> tuple[Line, ...]:
    """Terrain, height, costs, cover and stacking of a hex, each with its rule."""
    position = view.position
    board = position.ground.board
    if not board.is_on(place):
        return ()
    terrain, level = terrain_at(position, place), level_at(position, place)
    hilltop = terrain_table().hilltop
    facts = [Line("Terrain", terrain.title + (" on a hilltop" if level == hilltop.level else ""), RuleId("PL-209"))]
    facts.append(Line("Level", level, RuleId("PL-202")))
    for mobility, title in (("truck", "Trucks"), ("vehicle", "Vehicles"), ("nonvehicle", "Foot")):
        cost = getattr(terrain, mobility)
        label, value = (f"{title} enter", "not at all") if cost < 0 else (f"{title} enter for", points(cost))
        facts.append(Line(label, value, RuleId("PL-209")))
    if board.roads[place]:
        facts.append(Line("Along the road", points(terrain_table().road_cost), RuleId("PL-611")))
    if terrain.drm_fire:
        facts.append(Line("Die against fire", f"{terrain.drm_fire:+d}", RuleId("PL-833")))
    if terrain.needs_spotting:
        facts.append(Line("Units must be spotted", "from afar", RuleId("PL-721")))
    facts.append(Line("Stacking", f"{height(position, place)} of {STACK_LIMIT}", RuleId("PL-401")))
    if place in victory.contested(position):
        owner = position.control.get(place)
        facts.append(Line("Belongs to", side_title(position, owner) if owner else "nobody", RuleId("PL-1502")))
    if place in position.bridges_down:
        facts.append(Line("Bridge", "destroyed", RuleId("PL-1331")))
    if place in position.mines:
        facts.append(Line("Minefield", "stop on entering", RuleId("PL-1301")))
    if place in position.blocks:
        facts.append(Line("Block", "stop on entering", RuleId("PL-1311")))
    if place in position.smoke:
        facts.append(Line("Smoke", "blocks sight through it", RuleId("PL-1609")))
    return tuple(facts)
