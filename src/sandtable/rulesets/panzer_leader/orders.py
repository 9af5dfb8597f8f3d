"""What a Panzer Leader player can order."""

from __future__ import annotations

import msgspec

from sandtable.kernel.events import Order
from sandtable.kernel.ids import NOBODY, HexId, UnitId


class PlaceUnit(Order, frozen=True):
    """Put a unit on a hex during setup, or bring a reinforcement or landing unit onto one."""

    unit: UnitId
    hex: HexId
    facing: int = 0


class EndPhase(Order, frozen=True):
    """Finish the present step of the sequence of play."""


class WriteMission(Order, frozen=True):
    """Order batteries to fire indirectly at a hex in the next own segment."""

    firers: tuple[UnitId, ...]
    hex: HexId
    smoke: bool = False


class WriteNavalMission(Order, frozen=True):
    """Call naval guns down on a hex, two turns ahead."""

    points: int
    hex: HexId


class StrikeMission(Order, frozen=True):
    """Strike a mission out of the notes: that of a battery, or with no battery a naval lot of so many points."""

    hex: HexId
    unit: UnitId = NOBODY
    points: int = 0


class FireMissions(Order, frozen=True):
    """Let all written missions that are due come down, except the firers told to hold."""

    hold: tuple[UnitId, ...] = ()


class DirectFire(Order, frozen=True):
    """Fire at some or all units of a hex."""

    firers: tuple[UnitId, ...]
    hex: HexId
    targets: tuple[UnitId, ...]


class NavalFire(Order, frozen=True):
    """Fire naval guns directly at units of a hex."""

    points: int
    hex: HexId
    targets: tuple[UnitId, ...]


class FlyTo(Order, frozen=True):
    """Send an aircraft to a hex."""

    aircraft: UnitId
    hex: HexId


class FireAtAircraft(Order, frozen=True):
    """Fire anti-aircraft guns at one aircraft."""

    firers: tuple[UnitId, ...]
    aircraft: UnitId


class AirSortie(msgspec.Struct, frozen=True):
    """One aircraft's part in an air attack: which of its weapons it uses ("mg", "bombs" or "rockets")."""

    aircraft: UnitId
    weapon: str


class AirAttack(Order, frozen=True):
    """Attack units of a hex with aircraft."""

    sorties: tuple[AirSortie, ...]
    hex: HexId
    targets: tuple[UnitId, ...]


class MoveUnit(Order, frozen=True):
    """Move a unit along a path of hexes; `gait` is "" or "quick" (PL-1605)."""

    unit: UnitId
    path: tuple[HexId, ...]
    gait: str = ""


class LeaveMap(Order, frozen=True):
    """Take a unit off the map from the edge hex it stands on."""

    unit: UnitId


class LoadUnit(Order, frozen=True):
    """Take a unit of the same hex aboard a carrier."""

    carrier: UnitId
    passenger: UnitId


class UnloadUnit(Order, frozen=True):
    """Set a carrier's passenger down in the carrier's hex."""

    carrier: UnitId


class EnterFort(Order, frozen=True):
    """Take a unit into the fortification of its hex."""

    unit: UnitId


class LeaveFort(Order, frozen=True):
    """Take a unit out of its fortification onto the same hex."""

    unit: UnitId


class OverrunRun(msgspec.Struct, frozen=True):
    """One vehicle's part in an overrun: its path, which ends with the target hex and the exit hex."""

    unit: UnitId
    path: tuple[HexId, ...]


class Overrun(Order, frozen=True):
    """Drive vehicles of one stack through an enemy-held hex; dropped riders may assault it afterwards (PL-1606)."""

    hex: HexId
    runs: tuple[OverrunRun, ...]
    drop: tuple[UnitId, ...] = ()


class CloseAssault(Order, frozen=True):
    """Assault an adjacent hex with infantry."""

    units: tuple[UnitId, ...]
    hex: HexId


class OpportunityFire(Order, frozen=True):
    """Fire together at the unit that is moving in sight."""

    firers: tuple[UnitId, ...]


class Pass(Order, frozen=True):
    """Let the chance to react go by; with `rest`, every other that the move under way gives as well."""

    rest: bool = False


class BeginWork(Order, frozen=True):
    """Set an engineer, flail or bridgelayer to a task: "clear", "block" or "demolish"."""

    unit: UnitId
    task: str
    hex: HexId


class FinishWork(Order, frozen=True):
    """Step off and try the die for a task that is ripe, or lift what has been made safe."""

    unit: UnitId


class SetFacing(Order, frozen=True):
    """Turn a gun toward a direction."""

    unit: UnitId
    facing: int
