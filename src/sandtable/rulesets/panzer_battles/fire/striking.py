"""One direct fire carried out: the shot, the losses, and what they do to the target.

Rules: PB-FIRE-57, PB-CRT-11.
"""

from __future__ import annotations

from sandtable.kernel.ids import UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles.events import Fired
from sandtable.rulesets.panzer_battles.fire import counterbattery
from sandtable.rulesets.panzer_battles.fire.costs import times
from sandtable.rulesets.panzer_battles.fire.situations import shot
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.results.losses import nominal_loss
from sandtable.rulesets.panzer_battles.results.suffering import suffer


def fire(resolution: Resolution[Position], id: UnitId, target_id: UnitId, *, cost: int | None) -> str:
    """One fire is resolved; `cost` is None for opportunity fire, which costs nothing. What it newly did to its target.

    Rules: PB-FIRE-57, PB-CRT-11, PB-OPF-3, PB-OPF-8, PB-FIRE-20.
    """
    before = resolution.position
    unit, target = before.units[id], before.units[target_id]
    found = shot(before, unit, target)
    lines = tuple(line for tally in found.value.tallies for line in tally.lines)
    paid = {} if cost is None else {"mp": unit.mp - cost, "thirds": unit.thirds + times(before, unit)}
    kept = {"mp": unit.mp, "thirds": unit.thirds, **paid}
    resolution.emit(Fired(id, target_id, target.hex, unit.hex, kept["mp"], kept["thirds"], cost is None, lines))
    loss = nominal_loss(resolution, found.interval, id, alternative=before.ground.options.alternative_fire)
    # the dice are the firer's, so that nobody foresees what he did not know of
    result = suffer(resolution, target, found.struck, loss, multiplier=found.multiplier, actor=id)
    counterbattery.search(resolution, id)
    return result.effect or ("hit" if result.lost else "")
