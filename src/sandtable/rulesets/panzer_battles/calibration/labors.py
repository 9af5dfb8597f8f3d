"""Digging, laying mines, marching, resting and shelling houses: the scripts that count turns of work."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.kernel.events import Order
from sandtable.kernel.ids import UnitId
from sandtable.rulesets.panzer_battles.calibration.field import (
    HEADQUARTERS,
    Bout,
    Counter,
    Place,
    Setting,
    row,
    with_headquarters,
)
from sandtable.rulesets.panzer_battles.calibration.scripts import (
    GERMANS,
    HOWITZERS,
    MIDDLE,
    SHELLED_FROM,
    TANKS,
    Engagement,
    Measures,
)
from sandtable.rulesets.panzer_battles.engineers.orders import DigIn, LayMines
from sandtable.rulesets.panzer_battles.features import IMPROVED, MINEFIELD, RUBBLE, TRENCH
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, Feature
from sandtable.rulesets.panzer_battles.orders import Move

SAPPERS, PLATOON, UNRELIABLE = "su_sapper_coy", "su_rifle_plt", "de_panther"
COMPANY_AT, SAPPERS_AT, PLATOON_AT = MIDDLE, (2, 0), (4, 0)
POST, FOE = Counter(HEADQUARTERS, ALLIED, (0, -4)), Counter(HEADQUARTERS, AXIS, (0, 20))

MARCH, LEG = 40, 10
"""So many hexes are marched, so many in a turn."""

MAXIMUM, STILL_LOW = 150, 49
"""Fatigue at its most, and the most that counts as Low."""

BOMBARDMENTS = 4
"""So many turns houses are shelled."""


def _turns_until(bout: Bout, order: Order, place: Place, kind: str) -> int:
    """How many turns a unit works until there is a feature of that kind in its hex."""
    bout.attempt(order)
    turns = 0
    while bout.work(place, kind) is None:
        bout.wait()
        turns += 1
    return turns


def _digging(bout: Bout) -> Measures:
    """A company, sappers who begin in an improved position and a platoon dig, one after the other (Z1)."""
    company, sappers, platoon = (DigIn(UnitId(id)) for id in range(3))
    improved = _turns_until(bout, company, COMPANY_AT, IMPROVED)
    trench = 0
    while bout.work(COMPANY_AT, TRENCH) is None:
        bout.wait()
        trench += 1
    return {
        "turns to Improved": improved,
        "turns Improved to Trench": trench,
        "same by engineers": _turns_until(bout, sappers, SAPPERS_AT, TRENCH),
        "turns to Improved, platoon": _turns_until(bout, platoon, PLATOON_AT, IMPROVED),
    }


def _diggers() -> Engagement:
    counters = (
        Counter("su_rifle_coy", ALLIED, COMPANY_AT),
        Counter(SAPPERS, ALLIED, SAPPERS_AT),
        Counter(PLATOON, ALLIED, PLATOON_AT),
    )
    setting = Setting((*counters, POST, FOE), works=((SAPPERS_AT, Feature(IMPROVED, ALLIED)),))
    return Engagement(setting, _digging, ALLIED)


def _laying(bout: Bout) -> Measures:
    """A hundred engineers lay mines (Z2)."""
    return {"turns": _turns_until(bout, LayMines(UnitId(0)), MIDDLE, MINEFIELD)}


def _marching(bout: Bout) -> Measures:
    """Tanks of both sorts march back and forth (Z3)."""
    for turn in range(MARCH // LEG):
        legs = range(1, LEG + 1) if turn % 2 == 0 else range(LEG - 1, -1, -1)
        for id in (0, 1):
            way = tuple(bout.hex((2 * id, step)) for step in legs)
            bout.attempt(Move((UnitId(id),), way))
        bout.wait()
    sound, poor = (100 * bout.lost(id) / bout.unit(id).full for id in (0, 1))
    return {"% lost": sound, "% lost, Low Reliability": poor}


def _resting(bout: Bout) -> Measures:
    """A company rests from Maximum to Low Fatigue, and another by night (Z4)."""
    by_night = Bout(_tired(night=True), bout.seed, AXIS)
    return {"day turns": _turns_of_rest(bout), "night turns": _turns_of_rest(by_night)}


def _turns_of_rest(bout: Bout) -> int:
    turns = 0
    while bout.unit(0).fatigue > STILL_LOW:
        bout.wait()
        turns += 1
    return turns


def _tired(*, night: bool) -> Setting:
    return Setting((Counter(GERMANS, AXIS, MIDDLE, fatigue=MAXIMUM), POST, FOE), night=night)


def _shelling(bout: Bout) -> Measures:
    """A battalion of howitzers fires into a village for four turns (Z5)."""
    guns = [unit.id for unit in bout.fighters(ALLIED)]
    for _ in range(BOMBARDMENTS):
        for id in guns:
            bout.renew(id)
            bout.bombard(id, MIDDLE, 2)
    return {"P(rubble)": bout.work(MIDDLE, RUBBLE) is not None}


def _village() -> Engagement:
    counters = with_headquarters(Counter(GERMANS, AXIS, MIDDLE), *row(HOWITZERS, ALLIED, SHELLED_FROM))
    return Engagement(Setting(counters, ((MIDDLE, "village"),), answers=False), _shelling, ALLIED)


LABORS: Mapping[str, Engagement] = {
    "Z1": _diggers(),
    "Z2": Engagement(Setting((Counter(SAPPERS, ALLIED, MIDDLE, strength=100), POST, FOE)), _laying, ALLIED),
    "Z3": Engagement(
        Setting((Counter(TANKS, ALLIED, (0, 0)), Counter(UNRELIABLE, ALLIED, (2, 0)), POST, FOE), breakdown=2),
        _marching,
        ALLIED,
    ),
    "Z4": Engagement(_tired(night=False), _resting, AXIS),
    "Z5": _village(),
}
"""Every engagement of work, by its id."""
