"""Close assault: infantry attacks an adjacent hex after movement.

Rules: PB3-1021, PB3-1022, PB3-1608.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzerblitz_3d.combat import fail, readied, roll_attack
from sandtable.rulesets.panzerblitz_3d.events import UnitsFired
from sandtable.rulesets.panzerblitz_3d.kinds import ENGINEERS, INFANTRY
from sandtable.rulesets.panzerblitz_3d.model import ASSAULT, Position, Unit
from sandtable.rulesets.panzerblitz_3d.orders import CloseAssault
from sandtable.rulesets.panzerblitz_3d.pieces import enemy_of
from sandtable.rulesets.panzerblitz_3d.stacks import active, counters_at, kind, named_units, units_at
from sandtable.rulesets.panzerblitz_3d.weapons import HALF, is_halved
from sandtable.rulesets.panzerblitz_3d.workings import Attack, Shift

WHO = RuleId("PB3-1021")
SUPPORT = Shift("Engineers assault with others of their hex: one column", "PB3-1022")


def assaulting_refusal(unit: Unit) -> Refusal | None:
    """Why a unit can't close assault in this player turn, or None.

    Rules: PB3-622, PB3-902, PB3-1021, PB3-1606.
    """
    name = kind(unit).name
    if not unit.hex:
        return Refusal(WHO, f"{name} is not on the table")
    if unit.kind not in INFANTRY:
        return Refusal(WHO, f"{name} is no infantry")
    if unit.fired:
        return Refusal(WHO, f"{name} has fired or assaulted in this game turn")
    if unit.dispersed:
        return Refusal(RuleId("PB3-902"), f"{name} is dispersed")
    if unit.carrier != NOBODY or (unit.unloaded and not unit.assaults):
        return Refusal(RuleId("PB3-622"), f"{name} rides or was unloaded in this player turn")
    if unit.mined:
        return Refusal(RuleId("PB3-1606"), f"{name} has run onto mines in this player turn")
    if unit.fort != NOBODY:
        return Refusal(RuleId("PB3-1606"), f"{name} is inside a fort")
    return None


def contact_refusal(position: Position, unit: Unit, place: HexId) -> Refusal | None:
    """Why a unit can't come to grips with a hex, or None.

    Rules: PB3-1021, PB3-1608.
    """
    if unit.assaults not in (NOWHERE, place):
        return Refusal(RuleId("PB3-1608"), f"{kind(unit).name} dropped off to assault the overrun hex and no other")
    if position.ground.board.direction(unit.hex, place) < 0:
        return Refusal(WHO, f"{kind(unit).name} is not adjacent to the hex")
    return None


def has_support(attackers: Sequence[Unit]) -> bool:
    """Whether an engineer shares a hex with attacking infantry that is no engineer.

    Rules: PB3-1022.
    """
    engineers = {unit.hex for unit in attackers if unit.kind in ENGINEERS}
    return any(unit.hex in engineers and unit.kind not in ENGINEERS for unit in attackers)


def assault_strength(position: Position, unit: Unit, place: HexId) -> tuple[int, list[Line]]:
    """What one unit adds to a close assault: its printed factor, halved uphill, the fraction dropped.

    Rules: PB3-807, PB3-808, PB3-1021.
    """
    printed = kind(unit)
    lines = [Line(f"{printed.name}: attack factor", printed.attack, WHO)]
    if not is_halved(position.ground, unit.hex, place):
        return printed.attack, lines
    total = int(printed.attack * Fraction(HALF))
    lines.append(Line(f"{printed.name}: target on a slope or hilltop", "x1/2", RuleId("PB3-807")))
    lines.append(Line(f"{printed.name}: adds, fractions dropped", total, RuleId("PB3-808")))
    return total, lines


def assault_attack(position: Position, side: SideId, attackers: Sequence[Unit], place: HexId) -> Attack | Refusal:
    """The close assault of these units on all that is in a hex, ready to be rolled, or why it can't be.

    Rules: PB3-811, PB3-1021, PB3-1022.
    """
    targets = counters_at(position, place, enemy_of(side))
    if not targets:
        return Refusal(WHO, "there is no enemy in that hex")
    if any(ASSAULT in unit.attacked for unit in targets):
        return Refusal(WHO, "that hex has been assaulted already in this player turn")
    made = [assault_strength(position, unit, place) for unit in attackers]
    return readied(
        position,
        place,
        targets,
        [line for _, lines in made for line in lines],
        strength=sum(total for total, _ in made),
        side=side,
        how=ASSAULT,
        rule=WHO,
        attackers=attackers,
        shift=SUPPORT if has_support(attackers) else None,
    )


def ordered_assault(position: Position, side: SideId, order: CloseAssault) -> Attack | Refusal:
    """The attack that the order makes, or why it makes none."""
    attackers = named_units(position, side, order.units)
    if attackers is None:
        return Refusal(WHO, "name each of your assaulting units once")
    if not position.ground.board.is_on(order.hex):
        return Refusal(WHO, "that is no hex of the map")
    for unit in attackers:
        refusal = assaulting_refusal(unit) or contact_refusal(position, unit, order.hex)
        if refusal is not None:
            return refusal
    return assault_attack(position, side, attackers, order.hex)


def check_assault(position: Position, side: SideId, order: CloseAssault) -> Refusal | None:
    """Why the order can't be carried out, or None."""
    attack = ordered_assault(position, side, order)
    return attack if isinstance(attack, Refusal) else None


def resolve_assault(resolution: Resolution[Position], side: SideId, order: CloseAssault) -> None:
    """The units have spent their attack of the game turn, and everything in the hex has taken what came of it.

    Rules: PB3-811, PB3-1021.
    """
    position = resolution.position
    attack = assault_attack(position, side, tuple(map(position.unit, order.units)), order.hex)
    resolution.emit(UnitsFired(order.units))
    if isinstance(attack, Attack):
        roll_attack(resolution, attack)
    else:
        fail(resolution, side, ASSAULT, order.units, order.hex, counters_at(position, order.hex, enemy_of(side)))


def explain_assault(position: Position, side: SideId, order: CloseAssault) -> tuple[Tally, ...]:
    """The tallies of the attack that the order makes, none when it makes none."""
    attack = ordered_assault(position, side, order)
    return () if isinstance(attack, Refusal) else attack.tallies


def _can_assault(position: Position, unit: Unit, place: HexId) -> bool:
    return assaulting_refusal(unit) is None and contact_refusal(position, unit, place) is None


def places_beside(position: Position, side: SideId, unit: Unit) -> Iterator[HexId]:
    """The hexes with enemies not yet assaulted that a unit may attack."""
    for place in map(HexId, position.ground.board.neighbors(unit.hex)):
        targets = counters_at(position, place, enemy_of(side))
        fresh = targets and not any(ASSAULT in target.attacked for target in targets)
        if fresh and contact_refusal(position, unit, place) is None:
            yield place


def joining(position: Position, side: SideId, place: HexId) -> list[Unit]:
    """Everybody of a side who could take part in an assault on a hex."""
    near = map(HexId, position.ground.board.neighbors(place))
    units = (unit for h in near for unit in units_at(position, h) if unit.side == side)
    return [unit for unit in units if _can_assault(position, unit, place)]


def assault_options(position: Position, side: SideId, unit: Unit) -> Iterator[CloseAssault]:
    """Assaults of the unit alone, with the others of its hex, and with all who can join."""
    if unit.side != side or assaulting_refusal(unit) is not None:
        return
    for place in places_beside(position, side, unit):
        others = [other for other in joining(position, side, place) if other.id != unit.id]
        stacked = [other for other in others if other.hex == unit.hex]
        for party in dict.fromkeys((unit.id, *(other.id for other in some)) for some in ([], stacked, others)):
            order = CloseAssault(party, place)
            if check_assault(position, side, order) is None:
                yield order


def may_assault(position: Position) -> bool:
    """Whether the side on turn has infantry that can assault some hex."""
    side = position.phasing
    return any(
        True
        for unit in active(position, side)
        if unit.kind in INFANTRY and assaulting_refusal(unit) is None
        for _ in places_beside(position, side, unit)
    )
