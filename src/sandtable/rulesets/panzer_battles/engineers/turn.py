"""What engineers and diggers have got done when their side's turn begins.

Rules: PB-TURN-2.
"""

from __future__ import annotations

from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles.engineers import bridges, digging, mines
from sandtable.rulesets.panzer_battles.model import Position


def work(resolution: Resolution[Position]) -> None:
    """Everybody of the active side has gone on with his work (PB-TURN-2, step 9)."""
    side = resolution.position.active
    digging.dig(resolution, side)
    mines.clear(resolution, side)
    mines.lay(resolution, side)
    bridges.work(resolution, side)
