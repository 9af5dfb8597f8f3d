"""What a player may ask of the table before deciding: lines of sight, who watches and threatens a hex, how things
stand.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.forecast import Reaction
from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.ruleset import ProfilePoint, SightLine
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line, Tally
from sandtable.play.words import mixed, so_far
from sandtable.rulesets.panzerblitz_3d import fire, looks, sight, victory
from sandtable.rulesets.panzerblitz_3d.combat import (
    MIXED_ARMORED,
    MIXED_OTHERS,
    odds_column,
    target_type,
    total_defense,
)
from sandtable.rulesets.panzerblitz_3d.describe import side_title, unit_name
from sandtable.rulesets.panzerblitz_3d.journeys import halves
from sandtable.rulesets.panzerblitz_3d.kinds import KINDS
from sandtable.rulesets.panzerblitz_3d.model import SIDES, Position, Unit
from sandtable.rulesets.panzerblitz_3d.pieces import enemy_of
from sandtable.rulesets.panzerblitz_3d.scenario import Condition
from sandtable.rulesets.panzerblitz_3d.stacks import active, counters_at, height, limit_of
from sandtable.rulesets.panzerblitz_3d.terrain import FORBIDDEN, HILLTOP_LEVEL, ground_of, is_closed, is_ford, is_gully
from sandtable.rulesets.panzerblitz_3d.terrain_table import Costs, Terrain, terrain_table


def terrain_name(position: Position, place: HexId) -> str:
    """A hex's terrain in words, with hilltop, gully and ford."""
    board = position.ground.board
    title = ground_of(board, place).title
    if board.elevation[place] == HILLTOP_LEVEL:
        title += " on a hilltop"
    return f"{title} in a gully" if is_gully(board, place) else title


def sight_line(view: View[Position], a: HexId, b: HexId) -> SightLine:
    """The line from one hex to another: clear or not, what obstructs, and the ground it passes over.

    Rules: PB3-701, PB3-702, PB3-707, PB3-708.
    """
    position = view.position
    board = position.ground.board
    if not (board.is_on(a) and board.is_on(b)):
        return SightLine(clear=False, reason=Line("off the board", "", RuleId("PB3-701")))
    profile = tuple(
        ProfilePoint(
            HexId(place),
            board.elevation[place],
            "Barrage" if place in position.barrages else terrain_name(position, HexId(place)),
            ground_of(board, HexId(place)).hidden or place in position.barrages,
        )
        for place in board.line(a, b)
        if place
    )
    reason = sight.why_unseen(position, a, b)
    if reason is None:
        return SightLine(clear=True, profile=profile)
    blocked = looks.sight_on(position.ground).why(a, b)
    if blocked is None:
        return SightLine(False, profile, reason, HexId(board.parse(str(reason.value))))
    return SightLine(False, profile, reason, HexId(blocked.hex), blocked.direction)


def seen(view: View[Position], units: tuple[UnitId, ...]) -> tuple[HexId, ...]:
    """The hexes these own units see between them; all of the side's units when none is named."""
    position = view.position
    looking = [unit for unit in active(position, view.side) if (unit.id in units or not units) and sight.can_spot(unit)]
    rows = [looks.looks(position)[unit.hex] for unit in looking]
    return tuple(HexId(place) for place in position.ground.board.hexes if any(row[place] for row in rows))


def watchers(view: View[Position], place: HexId) -> tuple[UnitId, ...]:
    """The side's units that see a hex."""
    if not view.position.ground.board.is_on(place):
        return ()
    return tuple(unit.id for unit in sight.watchers(view.position, view.side, place))


def gunners(view: View[Position], place: HexId) -> list[Unit]:
    """The known enemies that have a hex in range and in sight and are not dispersed."""
    position, board = view.position, view.position.ground.board
    row = looks.looks(position)[place]
    return [
        unit
        for unit in active(position, enemy_of(view.side))
        if KINDS[unit.kind].attack
        and not unit.dispersed
        and row[unit.hex]
        and board.distance(unit.hex, place) <= KINDS[unit.kind].range
    ]


def threats(view: View[Position], place: HexId) -> tuple[Reaction, ...]:
    """The enemies in sight that could fire at a hex, with their strength against armor and against others, and their
    odds against what the side has there.

    Rules: PB3-803, PB3-811.
    """
    position = view.position
    if not position.ground.board.is_on(place):
        return ()
    found: list[Reaction] = []
    for unit in gunners(view, place):
        armored, soft = (fire.strength_in(position, unit, place, against) for against in (MIXED_ARMORED, MIXED_OTHERS))
        text = f"{armored} against armor, {soft} against others{_odds_here(position, unit, place)}"
        found.append(Reaction(unit.side, (unit.id,), place, text))
    return tuple(found)


def _odds_here(position: Position, enemy: Unit, place: HexId) -> str:
    """The odds of one enemy's fire at all that stands against him in a hex; nothing where nothing does."""
    own = counters_at(position, place, enemy_of(enemy.side))
    if not own:
        return ""
    strength = fire.strength_in(position, enemy, place, target_type(position, own))
    odds = odds_column(strength, total_defense(own))
    what = unit_name(position, own[0].id) if len(own) == 1 else f"your {len(own)} units there"
    return f"; {odds} against {what}" if odds else f"; too weak for {what}"


def standing(view: View[Position]) -> tuple[Tally, ...]:
    """Points of both sides, and each victory condition with whether it is met now.

    Rules: PB3-1301, PB3-1302.
    """
    position = view.position
    outcome = victory.judged(position)
    now = f"{side_title(position, outcome.winner)}, {outcome.level}" if outcome.winner else "a draw"
    title = "The battle has ended" if position.over else "If it ended now"
    tallies = [Tally(title, now, tuple(Line(reason, "", RuleId("PB3-1301")) for reason in outcome.reasons))]
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
    return Line(label, f"{met}: {parts}" if parts else met, RuleId("PB3-1301"))


def hex_facts(view: View[Position], place: HexId) -> tuple[Line, ...]:
    """Terrain, height, costs, cover and stacking of a hex, each with its rule."""
    position = view.position
    board = position.ground.board
    if not board.is_on(place):
        return ()
    terrain, level = ground_of(board, place), board.elevation[place]
    facts = [Line("Terrain", terrain_name(position, place), RuleId("PB3-205"))]
    facts.append(Line("Level", level, RuleId("PB3-202")))
    facts += _cost_lines("enter for", terrain.cost)
    if isinstance(terrain, Terrain) and terrain.up is not None:
        facts += _cost_lines("enter from below for", terrain.up)
    if is_gully(board, place):
        facts += _cost_lines("leave the gully for", terrain_table().gully.leaving, "more", "PB3-605")
    if is_ford(board, place):
        facts.append(Line("Ford", "left like clear ground", RuleId("PB3-605")))
    if board.roads[place] and not is_closed(board, place):
        facts.append(Line("Along the road", mixed(halves(terrain_table().road_cost)), RuleId("PB3-604")))
    if terrain.drm:
        facts.append(Line("Die against attacks", f"{terrain.drm:+d}", RuleId("PB3-812")))
    if level in terrain_table().halved_levels:
        facts.append(Line("Fire at it", "x1/2", RuleId("PB3-807")))
    if terrain.hidden:
        facts.append(Line("Units are hidden", "until spotted", RuleId("PB3-711")))
    stacking = ", ".join(f"{side.capitalize()} {limit_of(side)}" for side in SIDES)
    facts.append(Line("Stacking", f"{height(position, place)} (limit {stacking})", RuleId("PB3-401")))
    if place in victory.contested(position):
        owner = position.control.get(place)
        facts.append(Line("Held by", side_title(position, owner) if owner else "nobody", RuleId("PB3-1302")))
    if place in position.barrages:
        facts.append(Line("Barrage", "blocks sight this game turn", RuleId("PB3-708")))
    if place in position.mines:
        facts.append(Line("Minefield", "stop on entering", RuleId("PB3-1606")))
    if place in position.blocks:
        facts.append(Line("Block", "stop on entering", RuleId("PB3-1606")))
    return tuple(facts)


def _cost_lines(what: str, costs: Costs, more: str = "", rule: str = "PB3-205") -> list[Line]:
    rows = (("Trucks", costs.truck), ("Vehicles", costs.vehicle), ("Foot", costs.nonvehicle))
    return [
        Line(f"{who} {what.removesuffix(' for')}", "not at all", RuleId(rule))
        if cost == FORBIDDEN
        else Line(f"{who} {what}", f"{mixed(halves(cost))} {more}".strip(), RuleId(rule))
        for who, cost in rows
    ]
