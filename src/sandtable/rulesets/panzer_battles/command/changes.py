"""What the events of command do to a position."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.ids import NOBODY, NOWHERE
from sandtable.rulesets.panzer_battles.changing import changes
from sandtable.rulesets.panzer_battles.command.events import StaffsRestored
from sandtable.rulesets.panzer_battles.model import DEPLOYED, Position, unseen, with_units


@changes.on(StaffsRestored)
def _restored(position: Position, event: StaffsRestored) -> Position:
    """Headquarters stand there anew by themselves and in the open, whoever carried or hid them when they were lost, and
    not cut off as they may have been.

    Rules: PB-CMD-27, PB-SPOT-30.
    """
    if not event.hexes:
        return with_units(position, [unseen(id, event.side) for id in event.units])
    found = zip(event.units, event.hexes, event.strengths, strict=True)
    return with_units(
        position,
        [
            replace(
                position.units[id],
                hex=place,
                strength=strength,
                gone="",
                lost_at=NOWHERE,
                disrupted=True,
                broken=False,
                out_of_command=True,
                concealed=False,
                isolated=False,
                carrier=NOBODY,
                mode=DEPLOYED,
            )
            for id, place, strength in found
        ],
    )
