"""The day of a rifle battalion against a company in a trench: twenty turns of coming up, attacking and falling back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import UnitId
from sandtable.rulesets.panzer_battles.calibration.field import HEADQUARTERS, Bout, Counter, Place, Setting
from sandtable.rulesets.panzer_battles.calibration.scripts import GERMANS, MIDDLE, RIFLES, Engagement, Measures
from sandtable.rulesets.panzer_battles.features import TRENCH
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, Feature, Unit
from sandtable.rulesets.panzer_battles.movement import paths
from sandtable.rulesets.panzer_battles.orders import Assault, Fire, Move

TURNS = 20
DISTANCES: Mapping[int, int] = {3: 4, 4: 2, 10: 4, 11: 6, 13: 4, 14: 2, 18: 4, 19: 6}
"""The turns in which the battalion moves, and to what distance from the trench."""

ATTACK_FROM = 2
"""So far from the trench it lies when it attacks (in hexes)."""

ATTACKS = frozenset({*range(5, 10), *range(15, 18)})
STORMS = frozenset({8, 9, 16, 17})
"""The turns in which it attacks, and those in which it storms whatever the state of the defenders."""

APPROACHES = frozenset({3, 4, 13, 14})
"""The turns in which it comes up; in these and when it attacks all guns fire, else the mortars alone."""

FORWARD = frozenset({4, 14})
"""The turns in which only who is in good order moves."""

FIT_FATIGUE, FIT_COMPANIES = 100, 2
"""A company tired so much does not storm, nor do fewer companies than that."""

COMPANIES, MACHINE_GUNS, MORTARS, HOWITZERS = (0, 1, 2), 3, 4, 5
DEFENDERS, GERMAN_MORTARS, GERMAN_GUNS = (6, 7), 8, 9
BESIDE: Mapping[int, Place] = {0: (0, -1), 1: (1, -1), 2: (1, 0)}
"""From where each company storms."""


def _at(id: int, distance: int) -> Place:
    """Where a company, or the machine guns, are so far from the trench."""
    columns = {0: (0, -distance), 1: (1, -distance), 2: (distance, 1 - distance), MACHINE_GUNS: (-1, 1 - distance)}
    return columns[id]


def _day(bout: Bout) -> Measures:
    """The whole day (D1)."""
    broken: set[int] = set()
    taken, lots = False, PromptDice(bout.seed)
    for turn in range(1, TURNS + 1):
        if not taken:
            _battalion(bout, turn)
        broken |= {id for id in COMPANIES if bout.unit(id).broken}
        if not taken and not _in_trench(bout):
            taken = True
            bout.entrench({bout.unit(id).hex for id in (*COMPANIES, MACHINE_GUNS)} - {0}, ALLIED)
        bout.end_turn()
        _garrison(bout, turn, lots, is_taken=taken)
        broken |= {id for id in COMPANIES if bout.unit(id).broken}
        bout.end_turn()
    return {
        "% of the battalion's men lost": _share_lost(bout, (*COMPANIES, MACHINE_GUNS)),
        "% of the defenders lost": _share_lost(bout, DEFENDERS),
        "P(position taken)": taken,
        "share of rifle companies Broken at some time": len(broken) / len(COMPANIES),
    }


def _share_lost(bout: Bout, ids: Sequence[int]) -> float:
    return 100 * sum(map(bout.lost, ids)) / sum(bout.unit(id).full for id in ids)


def _in_trench(bout: Bout) -> list[Unit]:
    """The defenders who still hold the trench."""
    return [bout.unit(id) for id in DEFENDERS if bout.unit(id).hex == bout.hex(MIDDLE)]


# --- the battalion's turns ------------------------------------------------------------------------------------------


def _battalion(bout: Bout, turn: int) -> None:
    """Guns first, then the companies come up, fire, storm or fall back."""
    _bombard(bout, turn, MORTARS, HOWITZERS, MIDDLE)
    if turn in DISTANCES:
        for id in (*COMPANIES, MACHINE_GUNS):
            if turn not in FORWARD or not bout.unit(id).is_shaken:
                _go(bout, id, _at(id, DISTANCES[turn]))
    elif turn in ATTACKS:
        _attack(bout, turn)


def _bombard(bout: Bout, turn: int, mortars: int, guns: int, place: Place) -> None:
    """Guns and mortars fire twice where there is fighting, else the mortars once."""
    if turn in ATTACKS | APPROACHES:
        bout.bombard(mortars, place, 2)
        bout.bombard(guns, place, 2)
    else:
        bout.bombard(mortars, place, 1)


def _attack(bout: Bout, turn: int) -> None:
    """The machine guns fire; then the companies storm if it is time and enough of them are fit, or fire."""
    _fire(bout, MACHINE_GUNS, DEFENDERS)
    shaken = all(unit.is_shaken for unit in _in_trench(bout))
    fit = [id for id in COMPANIES if _is_fit(bout, id)]
    if len(fit) < FIT_COMPANIES or not (shaken or turn in STORMS):
        for id in COMPANIES:
            _close_up(bout, id)
            _fire(bout, id, DEFENDERS)
        return
    for id in fit:
        _go(bout, id, BESIDE[id])
    ready = tuple(UnitId(id) for id in fit if _distance(bout, id) == 1 and not bout.unit(id).is_shaken)
    bout.attempt(Assault(ready, bout.hex(MIDDLE)))


def _close_up(bout: Bout, id: int) -> None:
    """A company in good order that hung back comes up to where it can fire."""
    unit = bout.unit(id)
    if unit.hex and not unit.is_shaken and _distance(bout, id) > ATTACK_FROM:
        _go(bout, id, _at(id, ATTACK_FROM))


def _is_fit(bout: Bout, id: int) -> bool:
    """Whether a company can storm: in good order, at half strength or more, not too tired, and near enough."""
    unit = bout.unit(id)
    is_well = bool(unit.hex) and not unit.is_shaken and 2 * unit.strength >= unit.full and unit.fatigue < FIT_FATIGUE
    return is_well and _distance(bout, id) <= ATTACK_FROM


def _distance(bout: Bout, id: int) -> int:
    return bout.position.ground.board.distance(bout.unit(id).hex, bout.hex(MIDDLE))


def _fire(bout: Bout, id: int, targets: Sequence[int]) -> None:
    """A unit fires three times, each at who is in best order and largest of those that it can reach."""
    for _ in range(3):
        foes = [bout.unit(foe) for foe in targets if bout.unit(foe).hex]
        foes.sort(key=lambda foe: (foe.broken, foe.disrupted, -foe.strength, foe.id))
        if not bout.unit(id).hex or not any(bout.attempt(Fire(UnitId(id), foe.id)) for foe in foes):
            return


def _go(bout: Bout, id: int, place: Place) -> None:
    """A unit goes to a hex, or as near to it as it comes this turn; fire that does not shake it does not hold it."""
    goal, board = bout.hex(place), bout.position.ground.board
    while True:
        unit = bout.unit(id)
        reached = paths.goals(bout.position, unit) if unit.hex else []
        nearest = min(reached, key=lambda one: (board.distance(one, goal), one), default=goal)
        if not reached or board.distance(nearest, goal) >= board.distance(unit.hex, goal):
            return
        moved = bout.attempt(Move((unit.id,), paths.way(bout.position, unit, nearest)))
        if not moved or bout.unit(id).is_shaken != unit.is_shaken:
            return


# --- the defenders' turns -------------------------------------------------------------------------------------------


def _garrison(bout: Bout, turn: int, lots: PromptDice, *, is_taken: bool) -> None:
    """The defenders fire where there is fighting, their guns and mortars at a company by lot; the mortars always."""
    places = [bout.unit(id).hex for id in COMPANIES if bout.unit(id).hex] or [bout.hex(MIDDLE)]
    is_fighting = turn in ATTACKS | APPROACHES and not is_taken
    for id, times in ((GERMAN_MORTARS, 2 if is_fighting else 1), (GERMAN_GUNS, 2 if is_fighting else 0)):
        bout.bombard_hex(id, places[lots.below(len(places))], times)
    for id in DEFENDERS if is_fighting else ():
        _fire(bout, id, (*COMPANIES, MACHINE_GUNS))


def _setting() -> Setting:
    counters = (
        *(Counter(RIFLES, ALLIED, _at(id, 6)) for id in COMPANIES),
        Counter("su_maxim_coy", ALLIED, _at(MACHINE_GUNS, 6)),
        Counter("su_82mortar", ALLIED, (0, -9)),
        Counter("su_122how", ALLIED, (1, -10)),
        Counter(GERMANS, AXIS, MIDDLE),
        Counter("de_hmg_plt", AXIS, MIDDLE),
        Counter("de_81mortar", AXIS, (0, 3)),
        Counter("de_105lefh", AXIS, (0, 9)),
        Counter(HEADQUARTERS, ALLIED, (2, -9)),
        Counter(HEADQUARTERS, AXIS, (-4, 4)),
    )
    woods = tuple((_at(id, distance), "forest") for distance in (2, 6) for id in (*COMPANIES, MACHINE_GUNS))
    return Setting(counters, woods, ((MIDDLE, Feature(TRENCH, AXIS)),))


DAYS: Mapping[str, Engagement] = {"D1": Engagement(_setting(), _day, ALLIED)}
"""Every engagement that lasts a day, by its id."""
