"""Close assault: infantry against everything in an adjacent hex.

Rules: PL-1021 to PL-1028.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_leader.combat import CLOSE_ASSAULT, fail, readied, reveal, roll_attack
from sandtable.rulesets.panzer_leader.events import UnitsFired
from sandtable.rulesets.panzer_leader.fire import named_units
from sandtable.rulesets.panzer_leader.kinds import INFANTRY, TANK_BRIDGES
from sandtable.rulesets.panzer_leader.model import ASSAULT, Position, Unit
from sandtable.rulesets.panzer_leader.orders import CloseAssault
from sandtable.rulesets.panzer_leader.pieces import enemy_of
from sandtable.rulesets.panzer_leader.sight import is_in_stream
from sandtable.rulesets.panzer_leader.stacks import active, kind, places_of, units_at
from sandtable.rulesets.panzer_leader.workings import Attack, Shift

ENGINEERS = Shift(1, "Engineers with infantry: one column", "PL-1025")


def defenders(position: Position, side: SideId, place: HexId) -> tuple[Unit, ...]:
    """The enemy counters of a hex that an assault meets, all of them; a tank bridge is none.

    Rules: PL-1023, PL-1333.
    """
    return tuple(
        [
            unit
            for unit in units_at(position, place)
            if unit.side != side and unit.carrier == NOBODY and unit.fort == NOBODY and unit.kind not in TANK_BRIDGES
        ]
    )


def assaulting_refusal(position: Position, unit: Unit) -> Refusal | None:
    """Why a unit can't assault anything now, or None.

    A unit that came along a road may (PL-1028); one that fired, rode, or has assaulted already may not, unless it
    dropped off before an overrun (PL-1606).

    Rules: PL-306, PL-713, PL-1021, PL-1022, PL-1028, PL-1322, PL-1606.
    """
    name = kind(unit).name
    if not unit.hex:
        return Refusal(RuleId("PL-1021"), f"{name} is not on the table")
    if not kind(unit).is_infantry:
        return Refusal(RuleId("PL-1021"), f"{name} is no infantry")
    if unit.is_inverted:
        return Refusal(RuleId("PL-1021"), f"{name} has attacked already or is dispersed")
    if unit.carrier != NOBODY or (unit.transported and not unit.assaults):
        return Refusal(RuleId("PL-643"), f"{name} loads, rides or unloads this segment")
    if unit.fort != NOBODY:
        return Refusal(RuleId("PL-1322"), f"{name} is inside a fort")
    if is_in_stream(position, unit.hex):
        return Refusal(RuleId("PL-1022"), f"{name} stands in a stream")
    return None


def contact_refusal(position: Position, unit: Unit, place: HexId) -> Refusal | None:
    """Why a unit can't come to grips with a hex: it is not adjacent, or a cliff is between.

    A unit on top of a fort is adjacent to those inside (PL-1322).

    Rules: PL-622, PL-1021, PL-1022, PL-1322, PL-1606.
    """
    board = position.ground.board
    if board.terrain[place] == "sea":
        return Refusal(RuleId("PL-1022"), "no close assault goes into the sea")
    if unit.assaults not in (NOWHERE, place):
        return Refusal(RuleId("PL-1606"), f"{kind(unit).name} dropped off to assault the overrun hex and no other")
    if unit.hex == place:
        return None
    d = board.direction(unit.hex, place)
    if d < 0:
        return Refusal(RuleId("PL-1021"), f"{kind(unit).name} is not adjacent to the hex")
    if "cliff" in board.side_features(unit.hex, d):
        return Refusal(RuleId("PL-622"), "no close assault goes across a cliff")
    return None


def has_engineer_support(attackers: Sequence[Unit]) -> bool:
    """Whether an engineer shares a hex with attacking infantry that is neither engineer nor machine guns.

    Rules: PL-1025.
    """
    engineers = {unit.hex for unit in attackers if kind(unit).has("eng")}
    return any(unit.hex in engineers and not kind(unit).has("eng") and not kind(unit).has("mg") for unit in attackers)


def lonely_machine_gun(attackers: Sequence[Unit]) -> Unit | None:
    """An attacking machine-gun unit without other attacking infantry in its hex, if there is one.

    Rules: PL-1027.
    """
    led = {unit.hex for unit in attackers if not kind(unit).has("mg")}
    return next((unit for unit in attackers if kind(unit).has("mg") and unit.hex not in led), None)


def assault_attack(position: Position, side: SideId, attackers: Sequence[Unit], place: HexId) -> Attack | Refusal:
    """The close assault of these units on a hex, ready to be rolled, or why it can't be; who they are is not asked.

    Rules: PL-823, PL-832, PL-1023, PL-1024, PL-1025, PL-1026, PL-1027.
    """
    targets = defenders(position, side, place)
    if not targets:
        return Refusal(RuleId("PL-1021"), "there is no enemy in that hex")
    if any(ASSAULT in unit.attacked for unit in targets):
        return Refusal(RuleId("PL-1026"), "that hex has been assaulted already this segment")
    lonely = lonely_machine_gun(attackers)
    if lonely is not None:
        return Refusal(RuleId("PL-1027"), f"{kind(lonely).name} needs other infantry of its hex in the assault")
    lines = [Line(f"{kind(unit).name} attacks", kind(unit).attack, RuleId("PL-1023")) for unit in attackers]
    return readied(
        position,
        place,
        targets,
        sum(kind(unit).attack for unit in attackers),
        lines,
        group=ASSAULT,
        how=CLOSE_ASSAULT,
        rule="PL-507",
        attackers=attackers,
        shift=ENGINEERS if has_engineer_support(attackers) else None,
    )


def ordered_assault(position: Position, side: SideId, order: CloseAssault) -> Attack | Refusal:
    """The attack that the order makes, or why it makes none."""
    attackers = named_units(position, order.units)
    if attackers is None or any(unit.side != side for unit in attackers):
        return Refusal(RuleId("PL-1021"), "name each of your assaulting units once")
    if not position.ground.board.is_on(order.hex):
        return Refusal(RuleId("PL-1021"), "that hex is off the map")
    for unit in attackers:
        refusal = assaulting_refusal(position, unit) or contact_refusal(position, unit, order.hex)
        if refusal is not None:
            return refusal
    return assault_attack(position, side, attackers, order.hex)


def check_assault(position: Position, side: SideId, order: CloseAssault) -> Refusal | None:
    """Why the order can't be carried out, or None."""
    attack = ordered_assault(position, side, order)
    return attack if isinstance(attack, Refusal) else None


def resolve_assault(resolution: Resolution[Position], side: SideId, order: CloseAssault) -> None:
    """The units have spent themselves in the assault, and everything in the hex has taken what came of it.

    Defenders that the attacker did not know of can make the odds worse than 1-4; then the assault has no effect.

    Rules: PL-507, PL-1026, PL-1401.
    """
    position = resolution.position
    reveal(resolution, (unit.id for unit in defenders(position, side, order.hex)))
    attackers = tuple(position.units[id] for id in order.units)
    attack = assault_attack(resolution.position, side, attackers, order.hex)
    # inverted until the segment ends, so that nobody assaults twice; it gives nobody away (PL-723)
    resolution.emit(UnitsFired(order.units, closely=True))
    if isinstance(attack, Attack):
        roll_attack(resolution, attack)
    else:
        fail(resolution, side, CLOSE_ASSAULT, order.units, order.hex)


def explain_assault(position: Position, side: SideId, order: CloseAssault) -> tuple[Tally, ...]:
    """The tallies of the attack that the order makes, none when it makes none."""
    attack = ordered_assault(position, side, order)
    return () if isinstance(attack, Refusal) else attack.tallies


def can_assault(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether a unit could take part in an assault on a hex now (PL-1021)."""
    return assaulting_refusal(position, unit) is None and contact_refusal(position, unit, place) is None


def _places_beside(position: Position, side: SideId, unit: Unit) -> Iterator[HexId]:
    """The hexes with enemies that a unit touches: adjacent ones, and its own when it stands on a fort."""
    near, enemies = (unit.hex, *position.ground.board.neighbors(unit.hex)), places_of(position, enemy_of(side))
    if enemies.keys().isdisjoint(near):
        return
    for place in near:
        targets = defenders(position, side, place) if place in enemies else ()
        if targets and not any(ASSAULT in target.attacked for target in targets):
            yield place


def assault_options(position: Position, side: SideId, unit: Unit) -> Iterator[CloseAssault]:
    """Assaults of the unit alone, with the others of its hex, and with all who can join."""
    if unit.side != side or not kind(unit).is_infantry or assaulting_refusal(position, unit) is not None:
        return
    board = position.ground.board
    for place in _places_beside(position, side, unit):
        near = (place, *board.neighbors(place))
        joining = [
            other
            for h in near
            for other in units_at(position, HexId(h))
            if other.side == side and other.id != unit.id and can_assault(position, other, place)
        ]
        stacked = [other for other in joining if other.hex == unit.hex]
        parties = dict.fromkeys((unit.id, *(other.id for other in party)) for party in ([], stacked, joining))
        for party in parties:
            order = CloseAssault(party, place)
            if check_assault(position, side, order) is None:
                yield order


def able_attackers(position: Position, side: SideId, place: HexId) -> int:
    """How many units of a side could take part in an assault on a hex."""
    near = (place, *position.ground.board.neighbors(place))
    units = (unit for h in near for unit in units_at(position, HexId(h)) if unit.side == side)
    return sum(1 for unit in units if can_assault(position, unit, place))


def may_assault(position: Position) -> bool:
    """Whether the side on turn has infantry that can assault some hex."""
    side = position.phasing
    for unit in active(position, side):
        if unit.kind in INFANTRY:
            # few touch an enemy at all
            for place in _places_beside(position, side, unit):
                if assaulting_refusal(position, unit) is None and contact_refusal(position, unit, place) is None:
                    return True
    return False
