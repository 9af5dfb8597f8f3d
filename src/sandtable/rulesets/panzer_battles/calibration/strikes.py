"""Aircraft and mines: the scripts of the engagements in which nobody on the ground fires."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.kernel.ids import SideId, UnitId
from sandtable.rulesets.panzer_battles.air.orders import CallStrike
from sandtable.rulesets.panzer_battles.calibration.field import HEADQUARTERS, Bout, Counter, Place, Setting
from sandtable.rulesets.panzer_battles.calibration.scripts import (
    GERMANS,
    MIDDLE,
    PANZERS,
    RIFLES,
    TANKS,
    Engagement,
    Measures,
)
from sandtable.rulesets.panzer_battles.features import MINEFIELD, TRENCH
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, Feature, enemy_of

FLAK, ATTACKERS, BOMBERS = "de_20flak", "il2_flight", "ju87_flight"
BEFORE: Place = (0, -1)

Counters = tuple[Counter, ...]


def _posts(side: SideId) -> Counters:
    """A headquarters of the enemy in the south, and that of a side in the north, which sees for it."""
    return Counter(HEADQUARTERS, enemy_of(side), (-4, 4)), Counter(HEADQUARTERS, side, (0, -4))


# --- from the air ---------------------------------------------------------------------------------------------------


def _strike(bout: Bout) -> Measures:
    """Aircraft are called to the first unit's hex and fly at the start of their side's next turn (F1, F2)."""
    _call(bout)
    return {"lost": bout.lost(0), "P(Disrupted)": bout.unit(0).is_shaken}


def _run_of_guns(bout: Bout) -> Measures:
    """The same, and what the guns against aircraft have done to them (F3)."""
    _call(bout)
    return {"lost": bout.lost(1)}


def _call(bout: Bout) -> None:
    """The second unit is called to the first one's hex, and has flown."""
    bout.attempt(CallStrike(UnitId(1), bout.hex(MIDDLE)))
    bout.wait()


def _attacked(target: str, flight: str, work: str = "", *others: Counter) -> Engagement:
    side = AXIS if target.startswith("de") else ALLIED
    counters = (Counter(target, side, MIDDLE), Counter(flight, enemy_of(side), None), *others)
    works = ((MIDDLE, Feature(work, side)),) if work else ()
    setting = Setting((*counters, *_posts(enemy_of(side))), works=works, answers=False)
    return Engagement(setting, _run_of_guns if others else _strike, enemy_of(side))


# --- mines ------------------------------------------------------------------------------------------------------------


def _entry(bout: Bout) -> Measures:
    """The first unit enters a minefield (N)."""
    bout.step(0, MIDDLE)
    return {"% lost": 100 * bout.lost(0) / bout.unit(0).full}


def _mined(kind: str, strength: int) -> Engagement:
    setting = Setting(
        (Counter(kind, ALLIED, BEFORE), *_posts(ALLIED)),
        works=((MIDDLE, Feature(MINEFIELD, AXIS, strength=strength)),),
        answers=False,
    )
    return Engagement(setting, _entry, ALLIED)


STRIKES: Mapping[str, Engagement] = {
    "F1-clear": _attacked(GERMANS, ATTACKERS),
    "F1-trench": _attacked(GERMANS, ATTACKERS, TRENCH),
    "F2-clear": _attacked(RIFLES, BOMBERS),
    "F2-trench": _attacked(RIFLES, BOMBERS, TRENCH),
    "F1-tanks": _attacked(PANZERS, ATTACKERS),
    "F2-tanks": _attacked(TANKS, BOMBERS),
    "F3-0": _attacked(GERMANS, ATTACKERS, "", Counter(FLAK, AXIS, MIDDLE)),
    "F3-1": _attacked(GERMANS, ATTACKERS, "", Counter(FLAK, AXIS, BEFORE)),
    **{f"N{n}-inf": _mined(RIFLES, n) for n in (1, 3)},
    **{f"N{n}-tank": _mined(TANKS, n) for n in (1, 3)},
}
"""Every engagement of aircraft and of mines, by its id."""
