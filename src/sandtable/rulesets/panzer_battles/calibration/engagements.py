"""Every engagement that is played, by its id."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.rulesets.panzer_battles.calibration.battalion import DAYS
from sandtable.rulesets.panzer_battles.calibration.labors import LABORS
from sandtable.rulesets.panzer_battles.calibration.scripts import FIGHTS, Engagement
from sandtable.rulesets.panzer_battles.calibration.strikes import STRIKES

ENGAGEMENTS: Mapping[str, Engagement] = {**FIGHTS, **STRIKES, **DAYS, **LABORS}
