"""One direct fire carried out: the shot, the losses, and what they do to the target.

Rules: PB-FIRE-57, PB-CRT-11.
"""

from __future__ import annotations

from sandtable.kernel.ids import UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles.events import Fired, Struck
from sandtable.rulesets.panzer_battles.fire.situations import shot
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.results.losses import nominal_loss, toll
from sandtable.rulesets.panzer_battles.spotting import concealment


def fire(resolution: Resolution[Position], id: UnitId, target_id: UnitId, *, cost: int | None) -> str:
    """One fire is resolved; `cost` is None for opportunity fire, which costs nothing. What it newly did to its target.

    Rules: PB-FIRE-57, PB-CRT-11, PB-OPF-3, PB-OPF-8, PB-FIRE-20.
    """
    before = resolution.position
    unit, target = before.units[id], before.units[target_id]
    found = shot(before, unit, target)
    lines = tuple(line for tally in found.value.tallies for line in tally.lines)
    paid = {} if cost is None else {"mp": unit.mp - cost, "thirds": unit.thirds + 1}
    kept = {"mp": unit.mp, "thirds": unit.thirds, **paid}
    resolution.emit(Fired(id, target_id, target.hex, unit.hex, kept["mp"], kept["thirds"], cost is None, lines))
    loss = nominal_loss(resolution, found.interval, id)
    result = toll(resolution, found.struck, loss, before.parameters, target_id, multiplier=found.multiplier)
    resolution.emit(
        Struck(
            target_id,
            target.hex,
            result.lost,
            result.strength,
            result.fatigue,
            result.disrupted,
            result.broken,
            result.effect,
            target.kind,
            target.side,
        )
    )
    concealment.settle(resolution, before)
    return result.effect or ("hit" if result.lost else "")
