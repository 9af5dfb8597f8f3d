"""How riding and walking are told: to their own side, others see what stands there."""

from __future__ import annotations

from sandtable.rulesets.panzer_battles.movement import events as e
from sandtable.rulesets.panzer_battles.spotting.fog import telling, to_its_side

for kind in (e.Boarded, e.Dismounted, e.WentOnFoot, e.Remounted):
    telling.version(kind)(to_its_side)
