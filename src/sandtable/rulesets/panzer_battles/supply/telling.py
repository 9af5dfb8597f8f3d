"""How the events of supply are told: to their own side alone.

Rules: PB-SUP-51, PB-UNIT-18.
"""

from __future__ import annotations

from sandtable.rulesets.panzer_battles.spotting.fog import telling, to_its_side
from sandtable.rulesets.panzer_battles.supply.events import LinesTraced, Supplied

for kind in (LinesTraced, Supplied):
    telling.version(kind)(to_its_side)
