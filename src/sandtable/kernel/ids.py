"""Names for the handful of identities that cross the kernel, so that one can't be passed for another."""

from __future__ import annotations

from typing import Final, NewType

from sandtable.geometry.grid import HexId as HexId

SideId = NewType("SideId", str)
UnitId = NewType("UnitId", int)
RuleId = NewType("RuleId", str)

NOWHERE: Final[HexId] = 0
"""Off the board: hex 0 is a guard hex of every board and never a real one."""

NOBODY = UnitId(-1)
"""No unit: for example the actor of a roll that no unit makes."""

SPECTATORS = SideId("")
"""The viewer who commands nothing: told what every side may know, and nothing more."""
