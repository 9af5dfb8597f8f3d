"""The scripts of the engagements: who does what in which turn, and what is counted.

A script plays one engagement and gives its measures by name; which side begins is given to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sandtable.kernel.ids import SideId, UnitId
from sandtable.rulesets.panzer_battles import orders as o
from sandtable.rulesets.panzer_battles.calibration.field import Bout, Counter, Place, Setting, row, with_headquarters
from sandtable.rulesets.panzer_battles.features import BUNKER, IMPROVED, TRENCH
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, Feature, enemy_of

Measures = Mapping[str, float]
Script = Callable[[Bout], Measures]

MOST_TURNS = 40
"""So many turns an engagement of tanks lasts at most."""

ATTACKS = 3
"""So many turns the attackers of a storm have."""

SHELLED_FROM = 10
"""So far away guns stand that fire over the heads of others (in hexes)."""

RIFLES, GERMANS = "su_rifle_coy", "de_rifle_coy"
TANKS, PANZERS, HEAVIES = "su_t34_76_coy", "de_pz4h", "de_tiger1"
FIELD_GUNS, HOWITZERS = ("de_105lefh",) * 3, ("su_122how",) * 3
MIDDLE: Place = (0, 0)


class Engagement(NamedTuple):
    """A situation and its script; `begins` is the side that begins, or None when it is by lot."""

    setting: Setting
    script: Script
    begins: SideId | None = None


# --- tanks against tanks ------------------------------------------------------------------------------------------


def _tank_duel(bout: Bout) -> Measures:
    """Both fire at one another until a side has lost half its tanks (T)."""
    start = {side: sum(unit.strength for unit in bout.fighters(side)) for side in (ALLIED, AXIS)}
    first: dict[SideId, int] = {}
    turns = 0
    while True:
        turns += 1
        for _ in (ALLIED, AXIS):
            bout.all_fire(3)
            bout.end_turn()
        lost = {side: start[side] - sum(unit.strength for unit in bout.fighters(side)) for side in start}
        first = first or lost
        halved = [side for side in lost if 2 * lost[side] >= start[side]]
        if halved or turns == MOST_TURNS:
            break
    share = {(ALLIED,): 1.0, (ALLIED, AXIS): 0.5}.get(tuple(halved), 0.0)
    return {
        "Soviet tanks lost in turn 1": first[ALLIED],
        "German tanks lost in turn 1": first[AXIS],
        "game turns until a side has lost half": turns,
        "share in which the Soviets lose half first": share,
    }


def _tanks(
    ours: Sequence[str], distance: int, quality: str, theirs: str = TANKS, their_quality: str = "C"
) -> Engagement:
    company = Counter(theirs, ALLIED, MIDDLE, quality=their_quality)
    return Engagement(Setting(with_headquarters(company, *row(ours, AXIS, distance, quality=quality))), _tank_duel)


# --- one turn of fire ---------------------------------------------------------------------------------------------


def _one_turn_of_fire(bout: Bout) -> Measures:
    """The firer's whole turn at a target that does not answer (S, H, A3); the target is the first unit."""
    bout.all_fire(3)
    return _harm(bout, 0)


def _one_turn_of_shells(bout: Bout) -> Measures:
    """Every gun fires twice indirectly into the first unit's hex (M, A, K)."""
    _shell(bout)
    return _harm(bout, 0)


def _one_hour_of_shells(bout: Bout) -> Measures:
    """Two such turns; the target does not recover in between (A1-hour)."""
    _shell(bout)
    shaken = bout.unit(0).is_shaken
    for unit in bout.fighters(bout.active):
        bout.renew(unit.id)
    _shell(bout)
    return {**_harm(bout, 0), "P(Disrupted)": shaken or bout.unit(0).is_shaken}


def _shell(bout: Bout) -> None:
    for unit in bout.fighters(bout.active):
        bout.bombard(unit.id, MIDDLE, 2)


def _harm(bout: Bout, id: int) -> Measures:
    unit, lost = bout.unit(id), float(bout.lost(id))
    return {"men lost": lost, "lost": lost, "P(Disrupted)": unit.is_shaken, "P(destroyed)": not unit.hex}


def _target(
    target: str,
    firers: Sequence[str],
    distance: int,
    work: str = "",
    quality: str = "C",
    script: Script = _one_turn_of_fire,
) -> Engagement:
    """Firers of the other side at one target; no answer."""
    side = AXIS if target.startswith("de") else ALLIED
    counters = (Counter(target, side, MIDDLE, quality=quality), *row(firers, enemy_of(side), distance))
    return Engagement(
        Setting(with_headquarters(*counters), works=_works(work, side), answers=False), script, enemy_of(side)
    )


def _works(kind: str, side: SideId, *places: Place) -> tuple[tuple[Place, Feature], ...]:
    return tuple((place, Feature(kind, side)) for place in places or (MIDDLE,)) if kind else ()


def _shelled(
    target: str, guns: Sequence[str], work: str = "", quality: str = "C", script: Script = _one_turn_of_shells
) -> Engagement:
    """Guns far behind at one target, which their headquarters watches."""
    return _target(target, guns, SHELLED_FROM, work, quality, script)


# --- riflemen -----------------------------------------------------------------------------------------------------


def _fire_fight(bout: Bout) -> Measures:
    """Two companies fire at one another for one game turn (R); the German one is the first."""
    disrupted = False
    for _ in (ALLIED, AXIS):
        bout.all_fire(3)
        disrupted = disrupted or bout.unit(0).is_shaken
        bout.end_turn()
    german, soviet = bout.unit(0), bout.unit(1)
    return {
        "% of the German company lost": 100 * bout.lost(0) / german.full,
        "% of the Soviet company lost": 100 * bout.lost(1) / soviet.full,
        "P(German Disrupted)": disrupted,
    }


def _rifles(distance: int, *, terrain: str = "clear", work: str = "") -> Engagement:
    counters = (Counter(GERMANS, AXIS, MIDDLE), Counter(RIFLES, ALLIED, (0, -distance)))
    setting = Setting(with_headquarters(*counters), ((MIDDLE, terrain),), _works(work, AXIS))
    return Engagement(setting, _fire_fight)


def _until_a_third_is_lost(bout: Bout) -> Measures:
    """A fresh company fires at the first unit turn by turn (L)."""
    turns, disrupted, broken = 0, False, False
    while True:
        turns += 1
        bout.fire(1, 3)
        target = bout.unit(0)
        disrupted, broken = disrupted or target.is_shaken, broken or target.broken
        if 3 * bout.lost(0) >= target.full:
            return {
                "turns to lose a third": turns,
                "P(Disrupted by then)": disrupted,
                "P(Broken by then)": broken,
            }
        bout.end_turn()
        bout.end_turn()
        bout.renew(1)


# --- going up to guns ---------------------------------------------------------------------------------------------


def _walk(bout: Bout) -> Measures:
    """The last fighter walks up to the enemy and stops when Disrupted (O1); poor troops need a second turn for it."""
    _approach(bout, 2, 5)
    left = bout.position.ground.board.distance(bout.unit(2).hex, bout.hex(MIDDLE))
    if left > 1 and not bout.unit(2).is_shaken:
        bout.end_turn()
        bout.end_turn()
        _approach(bout, 2, left)
    unit, arrived = bout.unit(2), bout.unit(2).hex == bout.hex((0, -1))
    return {
        "men lost": bout.lost(2),
        "P(Disrupted)": unit.is_shaken,
        "P(arrives in good order)": arrived and not unit.is_shaken,
    }


def _approach(bout: Bout, id: int, start: int, column: int = 0) -> None:
    """A unit enters one hex after the other towards the enemy's row as long as it is in order."""
    for distance in range(start - 1, 0, -1):
        unit = bout.unit(id)
        if unit.is_shaken or not unit.hex or not bout.step(id, (column, -distance)):
            return


def _charge(bout: Bout) -> Measures:
    """Tanks charge two platoons of guns, which then have their turn; then they storm one of them (O2)."""
    tanks = 2
    _approach(bout, tanks, 7, column=1)
    on_the_way = bout.lost(tanks)
    bout.end_turn()
    bout.all_fire(3)
    after = bout.lost(tanks)
    bout.end_turn()
    overrun = False
    unit = bout.unit(tanks)
    if unit.hex and not unit.is_shaken:
        away = bout.position.ground.board.distance(unit.hex, bout.hex(MIDDLE))
        if away > 1:
            _approach(bout, tanks, away, column=1)
        else:
            bout.fire(tanks, 1)
        victim = max(bout.fighters(AXIS), key=lambda foe: (foe.broken, foe.disrupted, -foe.strength), default=None)
        if victim is not None and bout.attempt(o.Assault((UnitId(tanks),), victim.hex)):
            # a platoon that was driven out or destroyed no longer stands there
            overrun = bout.unit(victim.id).hex != victim.hex
    return {
        "tanks lost on the way": on_the_way,
        "tanks lost after the guns' own turn": after,
        "P(one platoon overrun in the second turn)": overrun,
    }


def _charge_by_platoons(bout: Bout) -> Measures:
    """Two platoons charge a battery one after the other, movement only (O3)."""
    for number, id in enumerate((1, 2)):
        _approach(bout, id, 7, column=number)
    return {"tanks lost on the way": bout.lost(1) + bout.lost(2)}


# --- storms -------------------------------------------------------------------------------------------------------

APPROACHES: Sequence[tuple[Place, Place]] = (((0, -2), (0, -1)), ((1, -2), (1, -1)), ((2, -1), (1, 0)))
"""Where the companies of a storm start, and from where they assault."""
SAPPERS: tuple[Place, Place] = (-1, -1), (0, -1)
"""The sappers join the first company, so that a retreat stays possible."""


def _storm(bout: Bout) -> Measures:
    """The attackers come up, fire and storm the first unit's hex, for three of their turns at most (B)."""
    assaults = 0
    guns = [unit.id for unit in bout.fighters(ALLIED) if unit.of.has("indirect")]
    middle, at = bout.hex(MIDDLE), _jumping_off(bout)
    attackers = list(at)
    taken = False
    for _ in range(ATTACKS):
        for id in guns:
            bout.bombard(id, MIDDLE, 2)
        _come_up(bout, at)
        fit = [id for id in attackers if _is_beside(bout, id)]
        if fit and bout.attempt(o.Assault(tuple(UnitId(id) for id in fit), middle)):
            assaults += 1
        if bout.unit(0).hex != middle:
            taken = True
            break
        bout.end_turn()
        bout.all_fire(3)
        bout.end_turn()
    men = [id for id in attackers if bout.unit(id).of.is_men]
    return {
        "P(hex taken)": taken,
        "% of the attacking men lost": 100 * sum(map(bout.lost, men)) / sum(bout.unit(id).full for id in men),
        "assaults made": assaults,
        "tanks lost": sum(bout.lost(id) for id in attackers if id not in men),
    }


def _jumping_off(bout: Bout) -> dict[int, Place]:
    """From where each attacker assaults."""
    by_start = {bout.hex(start): place for start, place in (*APPROACHES, SAPPERS)}
    return {unit.id: by_start[unit.hex] for unit in bout.fighters(ALLIED) if unit.hex in by_start}


def _come_up(bout: Bout, at: Mapping[int, Place]) -> None:
    """Every attacker in good order has moved up to the hex, or has fired once if it was there."""
    for id, place in at.items():
        unit = bout.unit(id)
        if not unit.hex or unit.is_shaken:
            continue
        if unit.hex == bout.hex(place):
            bout.fire(id, 1)
        else:
            bout.step(id, place)


def _is_beside(bout: Bout, id: int) -> bool:
    unit, board = bout.unit(id), bout.position.ground.board
    return bool(unit.hex) and not unit.is_shaken and board.distance(unit.hex, bout.hex(MIDDLE)) == 1


def _storming(companies: int, *, guns: bool = False, tanks: bool = False, sappers: bool = False) -> Engagement:
    places = [start for start, _ in APPROACHES]
    counters = [Counter(GERMANS, AXIS, MIDDLE)]
    counters += row(HOWITZERS, ALLIED, SHELLED_FROM) if guns else ()
    counters += [Counter("su_sapper_coy", ALLIED, SAPPERS[0])] if sappers else []
    counters += [Counter(RIFLES, ALLIED, place) for place in places[:companies]]
    counters += [Counter(TANKS, ALLIED, places[0])] if tanks else []
    return Engagement(Setting(with_headquarters(*counters), works=_works(TRENCH, AXIS)), _storm, ALLIED)


def _one_assault(bout: Bout) -> Measures:
    """Everybody beside the first unit's hex assaults it once (B0)."""
    ids = tuple(unit.id for unit in bout.fighters(ALLIED))
    bout.attempt(o.Assault(ids, bout.hex(MIDDLE)))
    return {
        "P(hex taken)": bout.unit(0).hex != bout.hex(MIDDLE),
        "tanks lost": sum(bout.lost(id) for id in ids if bout.unit(id).of.is_vehicles),
        "defending men lost": bout.lost(0),
    }


def _assault(*attackers: str, terrain: str = "clear") -> Engagement:
    counters = [Counter(GERMANS, AXIS, MIDDLE), *(Counter(kind, ALLIED, (0, -1)) for kind in attackers)]
    return Engagement(Setting(with_headquarters(*counters), ((MIDDLE, terrain),)), _one_assault, ALLIED)


# --- all of them --------------------------------------------------------------------------------------------------


def _walkers(quality: str) -> Engagement:
    counters = (
        Counter(GERMANS, AXIS, MIDDLE),
        Counter("de_hmg_plt", AXIS, MIDDLE),
        Counter(RIFLES, ALLIED, (0, -5), quality=quality),
    )
    return Engagement(Setting(with_headquarters(*counters), works=_works(TRENCH, AXIS)), _walk, ALLIED)


def _lasting(distance: int, quality: str = "C", work: str = "") -> Engagement:
    return _target(RIFLES, (GERMANS,), distance, work, quality, _until_a_third_is_lost)


def _pak_front() -> Engagement:
    guns = (Counter("de_pak40", AXIS, MIDDLE), Counter("de_pak40", AXIS, (1, 0)))
    counters = with_headquarters(*guns, Counter(TANKS, ALLIED, (1, -7)))
    return Engagement(Setting(counters, works=_works(IMPROVED, AXIS, MIDDLE, (1, 0))), _charge, ALLIED)


def _battery_front() -> Engagement:
    counters = (Counter("su_zis3", ALLIED, MIDDLE), *row((PANZERS, PANZERS), AXIS, 7))
    return Engagement(Setting(with_headquarters(*counters), works=_works(IMPROVED, ALLIED)), _charge_by_platoons, AXIS)


FIGHTS: Mapping[str, Engagement] = {
    **{f"T1-{n}": _tanks((PANZERS, PANZERS), n, "C") for n in (1, 2, 4, 6)},
    **{f"T2-{n}": _tanks((PANZERS, PANZERS), n, "C", theirs="su_t34_85") for n in (1, 2, 4, 6)},
    **{f"T3-{n}": _tanks((PANZERS,), n, "C", theirs="su_t34_76") for n in (2, 4)},
    **{f"T4-{n}": _tanks((HEAVIES,), n, "B") for n in (2, 4, 6)},
    "T5-4": _tanks((PANZERS, PANZERS), 4, "B", their_quality="D"),
    "S1": _target(RIFLES, ("de_stug3g",), 2),
    "S2": _target(RIFLES, ("de_stug3g",), 2, TRENCH),
    **{f"R{n}-clear": _rifles(n) for n in (1, 2)},
    **{f"R{n}-village": _rifles(n, terrain="village") for n in (1, 2)},
    **{f"R{n}-improved": _rifles(n, work=IMPROVED) for n in (1, 2)},
    **{f"R{n}-trench": _rifles(n, work=TRENCH) for n in (1, 2)},
    "L1": _lasting(2),
    "L2": _lasting(1),
    "L3": _lasting(2, work=TRENCH),
    "L4": _lasting(2, quality="D"),
    "H2": _target(RIFLES, ("de_hmg_plt",), 2),
    "H4": _target(RIFLES, ("de_hmg_plt",), 4),
    "O1": _walkers("C"),
    "O1-D": _walkers("D"),
    "O2": _pak_front(),
    "O3": _battery_front(),
    "M1": _shelled(GERMANS, ("su_82mortar",)),
    "M2": _shelled(GERMANS, ("su_82mortar",), TRENCH),
    "M3": _shelled(GERMANS, ("su_120mortar",)),
    "M4": _shelled(GERMANS, ("su_120mortar",), TRENCH),
    "A1-clear": _shelled(RIFLES, FIELD_GUNS),
    "A1-trench": _shelled(RIFLES, FIELD_GUNS, TRENCH),
    "A2-clear": _shelled(GERMANS, HOWITZERS),
    "A2-trench": _shelled(GERMANS, HOWITZERS, TRENCH),
    "A1-trenchD": _shelled(RIFLES, FIELD_GUNS, TRENCH, "D"),
    "A1-hour": _shelled(RIFLES, FIELD_GUNS, TRENCH, "C", _one_hour_of_shells),
    "A1-hourD": _shelled(RIFLES, FIELD_GUNS, TRENCH, "D", _one_hour_of_shells),
    "A1-bunker": _shelled(RIFLES, FIELD_GUNS, BUNKER),
    "A1-tanks": _shelled(TANKS, FIELD_GUNS),
    "A2-tanks": _shelled(PANZERS, HOWITZERS),
    "A5": _shelled("de_105lefh", HOWITZERS, IMPROVED),
    "A4": _target(TANKS, ("de_105lefh",), 2, script=_one_turn_of_shells),
    "K1": _shelled(GERMANS, ("su_bm13",)),
    "K2": _shelled(GERMANS, ("su_bm13",), TRENCH),
    "K3": _shelled(RIFLES, ("de_nebel150",)),
    "A3": _target(TANKS, ("de_105lefh",), 2),
    "B1": _storming(1),
    "B2": _storming(2),
    "B3": _storming(3),
    "B1a": _storming(1, guns=True),
    "B2a": _storming(2, guns=True),
    "B3a": _storming(3, guns=True),
    "B3ae": _storming(3, guns=True, sappers=True),
    "B3at": _storming(3, guns=True, tanks=True),
    "B1t": _storming(1, tanks=True),
    "B0t": _assault(TANKS),
    "B0v": _assault(TANKS, terrain="village"),
    "B0vi": _assault(TANKS, RIFLES, terrain="village"),
}
"""Every engagement of fire and assault, by its id."""
