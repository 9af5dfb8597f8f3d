"""How combining, breaking down and attaching are told: to their own side."""

from __future__ import annotations

from sandtable.rulesets.panzer_battles.organization import events as e
from sandtable.rulesets.panzer_battles.spotting.fog import telling, to_its_side

for kind in (e.UnitsCombined, e.UnitBrokenDown, e.Attached):
    telling.version(kind)(to_its_side)
