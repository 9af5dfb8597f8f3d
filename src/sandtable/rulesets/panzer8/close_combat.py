"""Hand-to-hand combat and tank overruns: declared in the Action phase, fought in the Close Combat phase.

Rules: P8-4.04, P8-11.01, P8-11.02, P8-11.03, P8-11.04, P8-11.05, P8-11.06, P8-11.07, P8-11.08, P8-11.09, P8-11.10,
P8-11.11, P8-11.12.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer8.actions import begin_action, cannot_act, not_yours, refuse, show
from sandtable.rulesets.panzer8.cover import NO_LINE, ground_cover, side_features
from sandtable.rulesets.panzer8.events import AdvanceOffered, AttackRolled, CombatEnded, Moved
from sandtable.rulesets.panzer8.frames import AdvanceFrame, Journey
from sandtable.rulesets.panzer8.ground import dug_in
from sandtable.rulesets.panzer8.kinds import (
    ARMOR,
    CAVALRY,
    COMMANDER,
    ENGINEERS,
    GUN,
    INFANTRY,
    WEAPON,
)
from sandtable.rulesets.panzer8.mines import strike_mines
from sandtable.rulesets.panzer8.model import CHARGE, OVERRUN, Combat, Element, Opening, Position
from sandtable.rulesets.panzer8.movement import gait, ground_at, path_tally, rooted, step_cost
from sandtable.rulesets.panzer8.movement_table import FULL_MOVE
from sandtable.rulesets.panzer8.orders import Advance, Charge, Fight, Overrun, Stay
from sandtable.rulesets.panzer8.pieces import enemy_of
from sandtable.rulesets.panzer8.recovery import COMMAND_RADIUS
from sandtable.rulesets.panzer8.results import NONE, inflict, line, result, roll_off, tally
from sandtable.rulesets.panzer8.sight import facing_toward
from sandtable.rulesets.panzer8.stacks import element_at, in_play, kind_of, on_table
from sandtable.rulesets.panzer8.tank_hunting import CONTACT, approaches, no_approach, out_of_contact
from sandtable.rulesets.panzer8.terrain import FLAT, HIGH_CROPS, OPEN
from sandtable.rulesets.panzer8.victory import take_ground
from sandtable.rulesets.panzer8.workings import Contest

FISTS = 4
"""What crew-served weapons, guns and commanders fight hand to hand with (P8-11.02, P8-11.03)."""

TRACKS = 8
"""What a tank overruns with (P8-11.07)."""

Assault = Charge | Overrun

ARMOR_REFUSED = {
    "P8-11.01": "nobody fights an armored vehicle hand to hand; infantry may hunt it",
    "P8-11.07": "no armored vehicle overruns another",
}

NO_OVERRUN_INTO = ("bua", "dense_woods")
NO_OVERRUN_ACROSS = "wall"


def manner_of(order: Assault) -> str:
    return CHARGE if isinstance(order, Charge) else OVERRUN


# --- the numbers ----------------------------------------------------------------------------------------------------


def combat_contest(position: Position, attacker: Element, place: HexId, defender: Element, manner: str) -> Contest:
    """The totals of a close combat fought from a hex, before the dice."""
    if manner == OVERRUN:
        attack = [line("tracks and guns", TRACKS, "P8-11.07"), line("quality", attacker.quality, "P8-2.04")]
        defense = [
            _strength(defender),
            _command(position, defender, defender.hex),
            line("quality", defender.quality, "P8-2.04"),
        ]
        return Contest(tally("Attacker", attack), tally("Defender", defense))
    kind = kind_of(attacker).kind
    smoke = place in position.smoke or defender.hex in position.smoke
    attack = [
        _strength(attacker),
        line("cavalry charges", 2 * int(kind == CAVALRY and is_cavalry_ground(position, defender)), "P8-11.04"),
        line("engineers", 2 * int(kind == ENGINEERS), "P8-11.02"),
        line("through smoke", int(smoke and kind in (INFANTRY, ENGINEERS)), "P8-11.05"),
        _command(position, attacker, place),
        line("quality", attacker.quality, "P8-2.04"),
    ]
    covered = ground_cover(position, defender, place)
    defense = [
        _strength(defender),
        line("engineers", 2 * int(kind_of(defender).kind == ENGINEERS), "P8-11.03"),
        covered if covered is NO_LINE else Line(covered.label, covered.value, RuleId("P8-11.03")),
        _command(position, defender, defender.hex),
        line("quality", defender.quality, "P8-2.04"),
    ]
    return Contest(tally("Attacker", attack), tally("Defender", defense))


def _strength(element: Element) -> Line:
    """What an element fights with: its HESA, or bare fists where that is a gun's or a staff's; a blank is 0."""
    kind = kind_of(element)
    if kind.kind in (WEAPON, GUN, COMMANDER):
        return line("fights hand to hand", FISTS, "P8-11.03")
    return line("HESA value", kind.hesa, "P8-11.02")


def _command(position: Position, element: Element, place: HexId) -> Line:
    """A commander near the hex that an element fights in: unsuppressed, and not the fighter himself.

    Rules: P8-11.06.
    """
    distance = position.ground.board.distance
    near = any(
        kind_of(one).kind == COMMANDER
        and one.id != element.id
        and not one.suppressed
        and distance(one.hex, place) <= COMMAND_RADIUS
        for one in in_play(position, element.side)
    )
    return line("commander near", int(near), "P8-11.06")


def is_cavalry_ground(position: Position, defender: Element) -> bool:
    """Whether cavalry rides down a defender: open or flat ground, high crops, or dug in (P8-11.04)."""
    place = defender.hex
    if place in dug_in(position.ground) or position.ground.board.terrain[place] == HIGH_CROPS:
        return True
    return ground_at(position, place) in (OPEN, FLAT)


# --- declaring ------------------------------------------------------------------------------------------------------


def check_assault(position: Position, side: SideId, order: Assault) -> Refusal | None:
    """Why the element can't declare that combat, or None.

    Rules: P8-11.01, P8-11.07, P8-11.08.
    """
    refusal = cannot_act(position, side, order.unit, manner_of(order))
    if refusal is not None:
        return refusal
    element = position.elements[order.unit]
    refusal = _cannot_assault(element, order)
    if refusal is not None:
        return refusal
    rule = "P8-11.07" if isinstance(order, Overrun) else "P8-11.01"
    if not 0 <= order.target < len(position.elements):
        return refuse(rule, "there is no such target")
    target = position.elements[order.target]
    if target.side == side or not target.hex or target.carrier >= 0:
        return refuse(rule, "that is no enemy on the map")
    if kind_of(target).kind == ARMOR:
        return refuse(rule, ARMOR_REFUSED[rule])
    if any((combat.attacker, combat.defender) == (element.id, target.id) for combat in position.combats):
        return refuse("P8-4.04", "it has declared that close combat already")
    refusal = no_approach(position, side, element, order.path, FULL_MOVE, "P8-6.02")
    if refusal is not None:
        return refusal
    place = order.path[-1] if order.path else element.hex
    return out_of_contact(position, place, target, rule) or _no_overrun(position, order, place, target)


def _cannot_assault(element: Element, order: Assault) -> Refusal | None:
    kind = kind_of(element)
    if isinstance(order, Overrun):
        return None if kind.kind == ARMOR else refuse("P8-11.07", "only an armored vehicle overruns")
    if kind.kind in (INFANTRY, ENGINEERS, CAVALRY) or (kind.kind == COMMANDER and kind.is_on_foot):
        return None
    return refuse("P8-11.01", "only infantry, engineers, cavalry and commanders on foot charge")


def _no_overrun(position: Position, order: Assault, place: HexId, target: Element) -> Refusal | None:
    """Why a tank can't drive over what stands there, or None (P8-11.08)."""
    if isinstance(order, Charge):
        return None
    board = position.ground.board
    if board.terrain[target.hex] in NO_OVERRUN_INTO:
        return refuse("P8-11.08", "no overrun into a built-up area or dense woods")
    direction = board.direction(place, target.hex)
    if NO_OVERRUN_ACROSS in side_features(position, place, direction):
        return refuse("P8-11.08", "no overrun across a wall")
    return None


def resolve_assault(resolution: Resolution[Position], side: SideId, order: Assault) -> None:
    """The attacker is on its way to contact."""
    manner = manner_of(order)
    begin_action(resolution, order.unit, manner)
    position = resolution.position
    element, board = position.elements[order.unit], position.ground.board
    place = order.path[-1] if order.path else element.hex
    facing = facing_toward(board, place, position.elements[order.target].hex)
    resolution.push(Journey(order.unit, order.path, facing, manner, order.target))


def explain_assault(position: Position, side: SideId, order: Assault) -> tuple[Tally, ...]:
    """The way, and both totals of the combat that will be fought."""
    element, target = position.elements[order.unit], position.elements[order.target]
    place = order.path[-1] if order.path else element.hex
    odds = combat_contest(position, element, place, target, manner_of(order))
    way = (path_tally(position, element, order.path, FULL_MOVE),) if order.path else ()
    return (*way, odds.attack, odds.defense)


def charge_options(position: Position, side: SideId, element: Element) -> Iterator[Charge]:
    yield from (o for o in _assault_options(position, side, element, Charge) if isinstance(o, Charge))


def overrun_options(position: Position, side: SideId, element: Element) -> Iterator[Overrun]:
    yield from (o for o in _assault_options(position, side, element, Overrun) if isinstance(o, Overrun))


def _assault_options(
    position: Position, side: SideId, element: Element, kind: type[Charge] | type[Overrun]
) -> Iterator[Assault]:
    """Every combat in reach, from each hex beside the defender."""
    manner = CHARGE if kind is Charge else OVERRUN
    if cannot_act(position, side, element.id, manner) is not None:
        return
    if _cannot_assault(element, kind(element.id, element.id)) is not None:
        return
    declared = [combat.defender for combat in position.combats if combat.attacker == element.id]
    enemies = (one for one in on_table(position, enemy_of(side)) if one.id not in declared)
    soft = [one for one in enemies if kind_of(one).kind != ARMOR]
    for target, path in approaches(position, side, element, soft, FULL_MOVE):
        order = kind(element.id, target.id, path)
        if _no_overrun(position, order, path[-1] if path else element.hex, target) is None:
            yield order


# --- fighting -------------------------------------------------------------------------------------------------------


def has_combats(position: Position) -> bool:
    """Whether any declared combat is still to be fought."""
    return bool(position.combats)


def combat_of(position: Position, attacker: UnitId, defender: UnitId = NOBODY) -> Combat | None:
    """The combat that an element has declared, against a defender where one is named."""
    own = (combat for combat in position.combats if combat.attacker == attacker)
    return next((combat for combat in own if defender in (NOBODY, combat.defender)), None)


def is_due(position: Position, combat: Combat) -> bool:
    """Whether attacker and defender still stand against each other (P8-11.12)."""
    attacker, defender = position.elements[combat.attacker], position.elements[combat.defender]
    if not attacker.hex or not defender.hex or attacker.suppressed:
        return False
    return position.ground.board.distance(attacker.hex, defender.hex) <= CONTACT


def drop_void_combats(resolution: Resolution[Position]) -> None:
    """Combats whose defender has left are over (P8-11.12)."""
    for combat in resolution.position.combats:
        if not is_due(resolution.position, combat):
            resolution.emit(CombatEnded(combat.attacker, combat.defender))


def check_fight(position: Position, side: SideId, order: Fight) -> Refusal | None:
    """Why that combat can't be fought now, or None."""
    refusal = not_yours(position, side, order.unit)
    if refusal is not None:
        return refusal
    if combat_of(position, order.unit, order.target) is None:
        return refuse("P8-4.04", "it has declared no such close combat")
    return None


def resolve_fight(resolution: Resolution[Position], side: SideId, order: Fight) -> None:
    """The combat was fought; the winner may advance.

    Rules: P8-11.09, P8-11.10, P8-11.11.
    """
    position = resolution.position
    combat = combat_of(position, order.unit, order.target)
    assert combat is not None
    attacker, defender = position.elements[combat.attacker], position.elements[combat.defender]
    odds = combat_contest(position, attacker, attacker.hex, defender, combat.manner)
    resolution.emit(CombatEnded(attacker.id, defender.id))
    show(resolution, defender.id, fires=True)
    attack, defense = roll_off(resolution, "P8-11.09", attacker.id, defender.id)
    difference = attack - defense + odds.modifier
    outcome = result("combat", difference) if difference > 0 else NONE
    backfire = result("combat", -difference) if difference < 0 else NONE
    resolution.emit(
        AttackRolled(
            combat.manner,
            defender.id,
            attack,
            defense,
            difference,
            outcome,
            RuleId("P8-11.09"),
            attacker.id,
            backfire,
            odds.lines,
        )
    )
    inflict(resolution, defender.id, outcome, attacker.hex)
    inflict(resolution, attacker.id, backfire, defender.hex)
    drop_void_combats(resolution)
    if difference > 0:
        offer_advance(resolution, attacker.id, defender.hex)


def explain_fight(position: Position, side: SideId, order: Fight) -> tuple[Tally, ...]:
    """Both totals."""
    combat = combat_of(position, order.unit, order.target)
    assert combat is not None
    attacker, defender = position.elements[combat.attacker], position.elements[combat.defender]
    odds = combat_contest(position, attacker, attacker.hex, defender, combat.manner)
    return odds.attack, odds.defense


def fight_options(position: Position, side: SideId, element: Element) -> Iterator[Fight]:
    own = [combat for combat in position.combats if combat.attacker == element.id and element.side == side]
    for combat in own:
        yield Fight(element.id, combat.defender if len(own) > 1 else NOBODY)


# --- advancing ------------------------------------------------------------------------------------------------------


def offer_advance(resolution: Resolution[Position], unit: UnitId, place: HexId) -> None:
    """The winner may enter the hex if it is empty, the ground lets it and it can move at all (P8-11.11)."""
    position = resolution.position
    element, board = position.elements[unit], position.ground.board
    if not element.hex or element_at(position, place) is not None or board.distance(element.hex, place) != 1:
        return
    if rooted(position, element) is not None:
        return
    if step_cost(position, gait(position, element), element.hex, board.direction(element.hex, place)) is not None:
        resolution.emit(AdvanceOffered(unit, place))
        resolution.push(AdvanceFrame(element.side))


def decide_advance(position: Position, frame: AdvanceFrame) -> tuple[Decision, ...]:
    prompt = "Enter the hex the enemy has left, or stay."
    return (Decision(frame.side, "advance", RuleId("P8-11.11"), prompt, optional=True),)


def check_advance(position: Position, side: SideId, order: Advance) -> Refusal | None:
    """Why the element can't advance so, or None; which one may is in the frame that asks."""
    return None if 0 <= order.facing < 6 else refuse("P8-6.08", "a facing is one of six hexsides, 0 to 5")


def resolve_advance(resolution: Resolution[Position], side: SideId, order: Advance) -> None:
    """The winner stands in the loser's hex; that is no occasion for anybody (P8-5.02)."""
    resolution.pop()
    way = opening_of(resolution.position)
    show(resolution, way.unit, moves=True)
    winner = resolution.position.elements[way.unit]
    resolution.emit(Moved(way.unit, way.hex, order.facing, winner.spent, winner.hex))
    take_ground(resolution, way.unit)
    strike_mines(resolution, way.unit)


def opening_of(position: Position) -> Opening:
    """The hex that may be entered, and by whom."""
    assert position.opening is not None
    return position.opening


def resolve_stay(resolution: Resolution[Position], side: SideId, order: Stay) -> None:
    resolution.pop()


def advance_options(position: Position, side: SideId, frame: AdvanceFrame) -> Iterator[Advance]:
    """The advance with every facing, the way it goes first."""
    way, board = opening_of(position), position.ground.board
    ahead = board.direction(position.elements[way.unit].hex, way.hex)
    for turn in range(6):
        yield Advance((ahead + turn) % 6)


def stay_options(position: Position, side: SideId, frame: AdvanceFrame) -> Iterator[Stay]:
    yield Stay()
