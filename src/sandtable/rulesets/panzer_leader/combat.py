"""What every attack has in common: the defender's type and strength, odds, die modifiers, the roll and its results.

Rules: PL-806, PL-831, PL-833, PL-836, PL-901 to PL-910.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally, amount
from sandtable.mechanics.odds import odds_ratio, odds_text, shifted
from sandtable.mechanics.results import ResultsTable
from sandtable.rulesets.panzer_leader.combat_tables import combat_tables
from sandtable.rulesets.panzer_leader.events import (
    AttackFailed,
    AttackRolled,
    UnitDestroyed,
    UnitDispersed,
    UnitRevealed,
    UnitUnloaded,
)
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import Position, Unit
from sandtable.rulesets.panzer_leader.stacks import garrison, has_room, kind, passenger_of, units_at
from sandtable.rulesets.panzer_leader.terrain import terrain_at, terrain_key
from sandtable.rulesets.panzer_leader.workings import Attack, Shift, Tallies

ARMORED, NONARMORED, EVEN = "armored", "nonarmored", "even"

# The kinds of attack that die modifiers tell apart.
DIRECT, INDIRECT, AIR_ATTACK, OVERRUN_ATTACK, CLOSE_ASSAULT, MINE_ATTACK = (
    "direct",
    "indirect",
    "air",
    "overrun",
    "close_assault",
    "mine",
)

_TERRAIN_DRM = {
    DIRECT: "drm_fire",
    INDIRECT: "drm_fire",
    AIR_ATTACK: "drm_air",
    OVERRUN_ATTACK: "drm_overrun",
    CLOSE_ASSAULT: "drm_cat",
    MINE_ATTACK: "drm_mine",
}

MOST_WRECKS = 3
"""A hex holds up to three wrecks (PL-908)."""

BEST_ODDS, WORST_ODDS = 4, 4
"""The table runs from 1-4 to 4-1 (PL-831, PL-832)."""

SEA_DEFENSE = 8
"""A unit at sea that does not swim defends with 8 (PL-1402)."""

RIDER_DEFENSE = 1
"""A unit on a tank that is attacked alone defends with 1 (PL-646)."""


CRT = ResultsTable(combat_tables().crt.columns, combat_tables().crt.rows)
"""The combat results table (PL-836), clamped to its rows (PL-834)."""

_MODIFIERS = {row.key: row for row in combat_tables().drm.row}


def tallied(
    strength: Fraction,
    defense: int,
    odds: str,
    drm: int,
    attacks: Iterable[Line] = (),
    defends: Iterable[Line] = (),
    ratio: Iterable[Line] = (),
    modifiers: Iterable[Line] = (),
) -> Tallies:
    """The numbers of an attack under the names that players know them by."""
    return Tallies(
        Tally("Attack strength", amount(strength), tuple(attacks)),
        Tally("Defense strength", defense, tuple(defends)),
        Tally("Odds", odds, tuple(ratio)),
        Tally("Die modifier", drm, tuple(modifiers)),
    )


def is_at_sea(position: Position, unit: Unit) -> bool:
    """Whether a unit is in a sea hex."""
    return position.ground.board.terrain[unit.hex] == "sea"


def defense_of(position: Position, unit: Unit) -> int:
    """The defense strength of one counter where it stands.

    Rules: PL-645, PL-646, PL-1321, PL-1402.
    """
    printed = KINDS[unit.kind]
    if unit.carrier != NOBODY:
        return RIDER_DEFENSE
    if is_at_sea(position, unit) and "dd" not in printed.flags:
        return SEA_DEFENSE
    return printed.defense


def defends_as_armored(position: Position, unit: Unit) -> bool:
    """Whether fire treats the counter as armored: by its type, in a town, or at sea unless it swims.

    Rules: PL-302, PL-646, PL-1402.
    """
    if unit.carrier != NOBODY:
        return False
    if KINDS[unit.kind].armored or terrain_key(position, unit.hex) == "town":
        return True
    return is_at_sea(position, unit)


def target_type(position: Position, targets: Iterable[Unit]) -> str:
    """Whether the targeted counters are mostly armored, mostly not, or evenly divided.

    Rules: PL-806, PL-807.
    """
    votes = [defends_as_armored(position, unit) for unit in targets]
    armored = sum(votes)
    if 2 * armored == len(votes):
        return EVEN
    return ARMORED if 2 * armored > len(votes) else NONARMORED


def total_defense(position: Position, targets: Iterable[Unit]) -> tuple[int, list[Line]]:
    """The summed defense of the targets and a line for each.

    Rules: PL-802.
    """
    lines = [Line(f"{kind(unit).name} defends", defense_of(position, unit), RuleId("PL-802")) for unit in targets]
    return sum(line.value for line in lines if isinstance(line.value, int)), lines


def odds_column(strength: int | Fraction, defense: int) -> str | None:
    """The odds column, or None when the odds are worse than 1-4 and no attack is allowed.

    Rules: PL-831, PL-832.
    """
    if strength.numerator <= 0:
        return None
    ratio = odds_ratio(strength, defense, BEST_ODDS)
    return None if ratio < -WORST_ODDS else odds_text(ratio)


def die_modifiers(position: Position, how: str, place: HexId, targets: Iterable[Unit]) -> list[Line]:
    """The die modifiers of an attack on these units of a hex, a line each.

    Rules: PL-209, PL-210, PL-833, PL-835, PL-1303.
    """
    lines: list[Line] = []
    terrain = terrain_at(position, place)
    drm = getattr(terrain, _TERRAIN_DRM[how])
    if drm:
        lines.append(Line(f"Target in {terrain.title.lower()}", drm, RuleId("PL-209")))
    targets = tuple(targets)
    if terrain_key(position, place) == "sea" and any("dd" in kind(unit).flags for unit in targets):
        lines.append(_modifier("dd_at_sea"))
    # PL-835: one dispersed unit is enough; only dispersal of this very segment counts (PL-906)
    if how in _MODIFIERS["dispersed"].attacks and any(unit.dispersed == position.segment for unit in targets):
        lines.append(_modifier("dispersed"))
    if how in _MODIFIERS:
        lines.append(_modifier(how))
    return lines


def _modifier(key: str) -> Line:
    row = _MODIFIERS[key]
    return Line(row.title, row.drm, RuleId("PL-833"))


def modifier_sum(lines: Iterable[Line]) -> int:
    """The net die modifier (PL-833)."""
    return sum(line.value for line in lines if isinstance(line.value, int))


def readied(
    position: Position,
    place: HexId,
    targets: Sequence[Unit],
    strength: int | Fraction,
    lines: Iterable[Line],
    *,
    group: str,
    how: str,
    rule: str,
    attackers: Iterable[Unit] = (),
    shift: Shift | None = None,
    halving: Line | None = None,
) -> Attack | Refusal:
    """The attack of that strength on these units of a hex, ready to be rolled, or the refusal if it is worse than 1-4.

    `halving` cites what halves the defense, which is then rounded up, in the defender's favor.

    Rules: PL-802, PL-831, PL-832, PL-833, PL-1006, PL-1025, PL-1605.
    """
    defense, defends = total_defense(position, targets)
    if halving is not None:
        defense = -(-defense // 2)
        defends.append(halving)
    base = odds_column(strength, defense)
    if base is None:
        return Refusal(RuleId("PL-832"), f"{amount(strength)} against {defense} is worse than 1-4")
    odds, ratio = base, [Line(f"{amount(strength)} against {defense}", base, RuleId("PL-831"))]
    if shift is not None:
        odds = shifted(CRT.columns, base, shift.columns)
        ratio.append(Line(shift.label, odds, RuleId(shift.rule)))
    modifiers = die_modifiers(position, how, place, targets)
    force = strength if isinstance(strength, Fraction) else Fraction(strength)
    drm = modifier_sum(modifiers)
    return Attack(
        group=group,
        how=how,
        attackers=tuple([unit.id for unit in attackers]),
        hex=place,
        targets=tuple([unit.id for unit in targets]),
        strength=force,
        defense=defense,
        base=base,
        odds=odds,
        drm=drm,
        rule=rule,
        tallies=tallied(force, defense, odds, drm, lines, defends, ratio, modifiers),
    )


def distribution(attack: Attack) -> list[str]:
    """The table's result for each face of the die, 1 to 6."""
    return [CRT.result(attack.odds, die + attack.drm) for die in range(1, 7)]


def is_futile(attack: Attack) -> bool:
    """Whether no die would do the target any harm."""
    return not can_harm(attack.odds, attack.drm)


@cache
def can_harm(odds: str, drm: int) -> bool:
    """Whether any die does harm at these odds with that modifier (PL-836)."""
    return any(CRT.result(odds, die + drm) != "-" for die in range(1, 7))


def reveal(resolution: Resolution[Position], targets: Iterable[UnitId]) -> None:
    """Face-down landing units that are attacked show what they are (PL-1401)."""
    for id in targets:
        unit = resolution.position.units[id]
        if unit.facedown:
            resolution.emit(UnitRevealed(id, unit.kind, unit.name))


def roll_attack(resolution: Resolution[Position], attack: Attack, actor: UnitId = NOBODY) -> str:
    """The attack is rolled and every unit of its target has taken the result.

    Rules: PL-103, PL-834, PL-836.
    """
    actor = attack.attackers[0] if attack.attackers else actor
    die = resolution.roll(attack.rule, actor)
    result = CRT.result(attack.odds, die + attack.drm)
    resolution.emit(
        AttackRolled(
            group=attack.group,
            how=attack.how,
            attackers=attack.attackers,
            hex=attack.hex,
            targets=attack.targets,
            strength=str(amount(attack.strength)),
            defense=attack.defense,
            odds=attack.odds,
            drm=attack.drm,
            die=die,
            result=result,
            rule=attack.rule,
            lines=attack.tallies.lines,
        )
    )
    for id in attack.targets:
        take_result(resolution, id, result)
    return result


def fail(resolution: Resolution[Position], side: SideId, how: str, attackers: Iterable[UnitId], place: HexId) -> None:
    """What is there has proved too strong: the attack that its side was allowed comes to nothing.

    Rules: PL-832, PL-1507.
    """
    resolution.emit(AttackFailed(side, how, tuple(attackers), place))


def take_result(resolution: Resolution[Position], id: UnitId, result: str) -> None:
    """The unit has suffered the result: X removes it, D disperses it, DD removes it if this segment dispersed it
    before.

    Only X harms a tank bridge.

    Rules: PL-901, PL-902, PL-903, PL-904, PL-906, PL-1333.
    """
    unit = resolution.position.units[id]
    if not unit.hex or (kind(unit).is_temporary_bridge and result != "X"):
        return
    twice = result == "DD" and unit.dispersed == resolution.position.segment
    if result == "X" or twice:
        destroy(resolution, id, "PL-903" if twice else "PL-901")
    elif result in ("D", "DD"):
        disperse(resolution, id)


def destroy(resolution: Resolution[Position], id: UnitId, rule: str = "PL-901") -> None:
    """The unit and all it carries or holds are gone; armor and forts leave a wreck where there is room for one.

    Rules: PL-645, PL-901, PL-908, PL-1321, PL-1333.
    """
    position = resolution.position
    unit = position.units[id]
    lost = [passenger_of(position, id), *garrison(position, id)]
    on_bridge = kind(unit).is_temporary_bridge
    if on_bridge:
        lost += [other for other in units_at(position, unit.hex) if kind(other).is_vehicle or other.carrier != NOBODY]
    for other in lost:
        if other is not None and resolution.position.units[other.id].hex:
            why = "PL-1333" if on_bridge else "PL-1321" if other.fort == id else "PL-645"
            resolution.emit(UnitDestroyed(other.id, rule=why))
    wreck = unit.hex if leaves_wreck(resolution.position, unit) else NOWHERE
    resolution.emit(UnitDestroyed(id, wreck, rule=rule))


def leaves_wreck(position: Position, unit: Unit) -> bool:
    """Whether a unit that is lost leaves a wreck.

    Rules: PL-908, PL-1333.
    """
    if not kind(unit).armored or kind(unit).is_temporary_bridge or is_at_sea(position, unit):
        return False
    return position.wrecks.get(unit.hex, 0) < MOST_WRECKS


def disperse(resolution: Resolution[Position], id: UnitId) -> None:
    """The unit is dispersed, and with it those who ride in it or hold the fort; riders fall off a tank if there is
    room.

    Rules: PL-645, PL-646, PL-647, PL-902, PL-1321.
    """
    unit = resolution.position.units[id]
    resolution.emit(UnitDispersed(id))
    for inside in garrison(resolution.position, id):
        resolution.emit(UnitDispersed(inside.id, "PL-1321"))
    passenger = passenger_of(resolution.position, id)
    if passenger is not None:
        resolution.emit(UnitDispersed(passenger.id, "PL-645"))
        if rides_outside(unit) and has_room(resolution.position, unit.hex):
            resolution.emit(UnitUnloaded(id, passenger.id, forced=True))
    if unit.carrier != NOBODY:
        # only a rider on a tank can have been the target alone (PL-646)
        if has_room(resolution.position, unit.hex):
            resolution.emit(UnitUnloaded(unit.carrier, id, forced=True))
        else:
            resolution.emit(UnitDispersed(unit.carrier, "PL-646"))


def rides_outside(carrier: Unit) -> bool:
    """Whether passengers of this unit sit on it and not in it: a German armored unit that is no carrier by flag.

    Rules: PL-641, PL-646.
    """
    return kind(carrier).armored and not kind(carrier).has("c")
