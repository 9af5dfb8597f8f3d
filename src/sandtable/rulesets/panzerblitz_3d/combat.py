"""How an attack is worked out, rolled and suffered: defense, odds, die modifiers, the results table and what it does.

Rules: PB3-802, PB3-805, PB3-808, PB3-811, PB3-812, PB3-813, PB3-814, PB3-901 to PB3-904.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.mechanics.odds import odds_ratio, odds_text, shifted
from sandtable.rulesets.panzerblitz_3d.events import (
    AttackFailed,
    AttackRolled,
    UnitDestroyed,
    UnitDispersed,
    UnitUnloaded,
)
from sandtable.rulesets.panzerblitz_3d.ground import Ground
from sandtable.rulesets.panzerblitz_3d.kinds import ARMORED, ARMORED_VEHICLES, FORTS
from sandtable.rulesets.panzerblitz_3d.model import ASSAULT, MINE, OVERRUN, Position, Unit
from sandtable.rulesets.panzerblitz_3d.stacks import garrison, has_room, kind, passenger_of
from sandtable.rulesets.panzerblitz_3d.tables import (
    DESTROYED,
    DISPERSED,
    DOUBLE,
    NOTHING,
    combat_tables,
    results_table,
)
from sandtable.rulesets.panzerblitz_3d.terrain import ground_of, is_town
from sandtable.rulesets.panzerblitz_3d.workings import Attack, Shift

CRT = results_table()
"""The combat results table (PB3-814), clamped to its rows (PB3-813)."""

WORST_ODDS, BEST_ODDS = 4, 4
"""The table runs from 1-4 to 4-1 (PB3-811)."""

DEEPEST = -2
DEEP_COLUMNS = ("1-4", "1-3")
"""Where a die as low as that counts in the next column, if the option is played (PB3-1602)."""

PUBLISHED = ("4-1", 6)
"""The one cell in which the published table differs, if that option is played (PB3-1603)."""

MIXED_ARMORED, MIXED_OTHERS, MIXED_EVENLY = "armored", "others", "evenly"
"""What a target is to a weapon (PB3-805)."""

_MODIFIERS = {row.key: row for row in combat_tables().drm.row}
_SPECIAL = {OVERRUN: "overrun", ASSAULT: "close_assault"}

# --- the target -----------------------------------------------------------------------------------------------------


def counts_as_armored(position: Position, unit: Unit) -> bool:
    """Whether fire treats the counter as armored: by its type, or because it is in a town.

    Rules: PB3-302, PB3-806.
    """
    return unit.kind in ARMORED or is_town(position.ground.board, unit.hex)


def target_type(position: Position, targets: Iterable[Unit]) -> str:
    """Whether the targeted counters are mostly armored, mostly not, or evenly divided.

    Rules: PB3-805.
    """
    votes = [counts_as_armored(position, unit) for unit in targets]
    armored = sum(votes)
    if 2 * armored == len(votes):
        return MIXED_EVENLY
    return MIXED_ARMORED if 2 * armored > len(votes) else MIXED_OTHERS


def total_defense(targets: Iterable[Unit]) -> int:
    """The summed defense factors of the targets; a carrier defends for its passenger, a fort for its garrison.

    Rules: PB3-623, PB3-802.
    """
    return sum([kind(unit).defense for unit in targets])


# --- odds and die ---------------------------------------------------------------------------------------------------


def odds_column(strength: int, defense: int) -> str | None:
    """The odds column, or None when the odds are worse than 1-4 and there is no attack.

    Rules: PB3-811.
    """
    if strength <= 0:
        return None
    ratio = odds_ratio(strength, defense, BEST_ODDS)
    return None if ratio < -WORST_ODDS else odds_text(ratio)


def die_modifiers(position: Position, how: str, place: HexId, targets: Iterable[Unit]) -> list[Line]:
    """The die modifiers of an attack on these units of a hex, a line each; mines care for none.

    Rules: PB3-206, PB3-209, PB3-812, PB3-1606.
    """
    lines: list[Line] = []
    if how == MINE:
        return lines
    terrain = ground_of(position.ground.board, place)
    if terrain.drm:
        lines.append(Line(f"Target in {terrain.title.lower()}", terrain.drm, RuleId("PB3-209")))
    if any(unit.dispersed for unit in targets):
        lines.append(_modifier("dispersed"))
    if how in _SPECIAL:
        lines.append(_modifier(_SPECIAL[how]))
    return lines


def _modifier(key: str) -> Line:
    row = _MODIFIERS[key]
    return Line(row.title, row.drm, RuleId("PB3-812"))


def summed(lines: Iterable[Line]) -> int:
    """The sum of whole numbers in lines."""
    return sum(line.value for line in lines if isinstance(line.value, int))


def result_of(ground: Ground, odds: str, die: int) -> str:
    """What the table says for a modified die, by the options that are played.

    Rules: PB3-813, PB3-814, PB3-1602, PB3-1603.
    """
    if ground.options.deep_modifier and die <= DEEPEST and odds in DEEP_COLUMNS:
        odds = shifted(CRT.columns, odds, 1)
    if ground.options.published_4_1 and (odds, die) == PUBLISHED:
        return DESTROYED
    return CRT.result(odds, die)


def readied(
    position: Position,
    place: HexId,
    targets: Sequence[Unit],
    lines: Sequence[Line],
    *,
    strength: int,
    side: SideId,
    how: str,
    rule: str,
    attackers: Iterable[Unit] = (),
    shift: Shift | None = None,
) -> Attack | Refusal:
    """The attack of that strength on these units of a hex, ready to be rolled, or the refusal if it is worse than 1-4.

    Rules: PB3-802, PB3-811, PB3-812, PB3-1003, PB3-1022.
    """
    defense = total_defense(targets)
    base = odds_column(strength, defense)
    if base is None:
        return Refusal(RuleId("PB3-811"), f"{strength} against {defense} is worse than 1-4")
    odds, ratio = base, [Line(f"{strength} against {defense}", base, RuleId("PB3-811"))]
    if shift is not None:
        odds = shifted(CRT.columns, base, 1)
        ratio.append(Line(shift.label, odds, RuleId(shift.rule)))
    modifiers = die_modifiers(position, how, place, targets)
    defends = [Line(f"{kind(unit).name} defends", kind(unit).defense, RuleId("PB3-802")) for unit in targets]
    return Attack(
        side=side,
        how=how,
        attackers=tuple([unit.id for unit in attackers]),
        hex=place,
        targets=tuple([unit.id for unit in targets]),
        strength=strength,
        defense=defense,
        base=base,
        odds=odds,
        drm=summed(modifiers),
        rule=rule,
        tallies=(
            Tally("Attack strength", strength, tuple(lines)),
            Tally("Defense strength", defense, tuple(defends)),
            Tally("Odds", odds, tuple(ratio)),
            Tally("Die modifier", summed(modifiers), tuple(modifiers)),
        ),
    )


def can_harm(ground: Ground, odds: str, drm: int) -> bool:
    """Whether any die does harm at these odds with that modifier (PB3-814)."""
    return any(result_of(ground, odds, die + drm) != NOTHING for die in range(1, 7))


# --- rolling --------------------------------------------------------------------------------------------------------


def roll_attack(resolution: Resolution[Position], attack: Attack) -> None:
    """The attack is rolled and every unit of its target has taken the result.

    Rules: PB3-101, PB3-814.
    """
    actor = attack.attackers[0] if attack.attackers else NOBODY
    die = resolution.roll(attack.rule, actor)
    result = result_of(resolution.position.ground, attack.odds, die + attack.drm)
    resolution.emit(
        AttackRolled(
            side=attack.side,
            how=attack.how,
            attackers=attack.attackers,
            hex=attack.hex,
            targets=attack.targets,
            strength=attack.strength,
            defense=attack.defense,
            odds=attack.odds,
            drm=attack.drm,
            die=die,
            result=result,
            rule=attack.rule,
            lines=tuple([line for tally in attack.tallies for line in tally.lines]),
        )
    )
    for id in attack.targets:
        take_result(resolution, id, result)


def fail(
    resolution: Resolution[Position],
    side: SideId,
    how: str,
    attackers: Iterable[UnitId],
    place: HexId,
    targets: Iterable[Unit],
) -> None:
    """What is there has proved too strong: the attack that its side was allowed comes to nothing (PB3-811)."""
    rule = "PB3-1207" if how == "artillery" else "PB3-811"
    resolution.emit(AttackFailed(side, how, tuple(attackers), place, tuple([unit.id for unit in targets]), rule))


def take_result(resolution: Resolution[Position], id: UnitId, result: str) -> None:
    """The unit has suffered the result: X removes it, D disperses it, DD removes it if it was dispersed before.

    Rules: PB3-901, PB3-902, PB3-903, PB3-904.
    """
    unit = resolution.position.units[id]
    if result == DESTROYED:
        destroy(resolution, unit)
    elif result == DOUBLE and unit.dispersed:
        destroy(resolution, unit, "PB3-903")
    elif result in (DISPERSED, DOUBLE):
        disperse(resolution, unit)


def destroy(resolution: Resolution[Position], unit: Unit, rule: str = "PB3-901") -> None:
    """The unit and all it carries or holds are gone; armored vehicles leave a wreck, with the option everybody does.

    Rules: PB3-403, PB3-623, PB3-901, PB3-1606, PB3-1607.
    """
    position = resolution.position
    rider = passenger_of(position, unit.id)
    if rider is not None:
        resolution.emit(UnitDestroyed(rider.id, _wreck_of(position, rider), "PB3-623"))
    for inside in garrison(position, unit.id):
        destroy(resolution, inside, "PB3-1606")
    resolution.emit(UnitDestroyed(unit.id, _wreck_of(position, unit), rule))


def _wreck_of(position: Position, unit: Unit) -> HexId:
    """The hex in which a lost unit leaves a wreck, if it does (PB3-403, PB3-1607)."""
    leaves = unit.kind in ARMORED_VEHICLES or (position.ground.options.all_wrecks and unit.kind not in FORTS)
    return unit.hex if leaves else NOWHERE


def disperse(resolution: Resolution[Position], unit: Unit, rule: str = "PB3-902") -> None:
    """The unit is dispersed, and with it those who ride in it or hold the fort; riders fall off a tank and are lost if
    that overstacks the hex.

    Rules: PB3-623, PB3-902, PB3-1606.
    """
    resolution.emit(UnitDispersed(unit.id, rule))
    for inside in garrison(resolution.position, unit.id):
        disperse(resolution, inside, "PB3-1606")
    rider = passenger_of(resolution.position, unit.id)
    if rider is None:
        return
    resolution.emit(UnitDispersed(rider.id, "PB3-623"))
    if not rides_outside(unit):
        return
    if has_room(resolution.position, unit.hex, unit.side):
        resolution.emit(UnitUnloaded(unit.id, rider.id, forced=True))
    else:
        resolution.emit(UnitDestroyed(rider.id, _wreck_of(resolution.position, rider), "PB3-623"))


def rides_outside(carrier: Unit) -> bool:
    """Whether passengers of this unit sit on it and not in it: an armored vehicle that is no carrier (PB3-621)."""
    return carrier.kind in ARMORED_VEHICLES and not kind(carrier).has("c")
