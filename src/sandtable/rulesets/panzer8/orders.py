"""What a player can order."""

from __future__ import annotations

from sandtable.kernel.events import Order
from sandtable.kernel.ids import NOBODY, HexId, UnitId


class PlaceElement(Order, frozen=True):
    """Set an element up in a hex of one's zone (P8-4.01)."""

    unit: UnitId
    hex: HexId
    facing: int = 0


class Move(Order, frozen=True):
    """Go along a path and end facing a hexside (P8-6.08)."""

    unit: UnitId
    path: tuple[HexId, ...]
    facing: int = 0


class Fire(Order, frozen=True):
    """Fire armor-piercing or high explosive and small arms at an enemy (P8-8.01)."""

    unit: UnitId
    target: UnitId
    ammo: str


class MoveAndFire(Order, frozen=True):
    """Go at most half a move, or turn on the spot, and fire (P8-4.06, P8-4.07)."""

    unit: UnitId
    path: tuple[HexId, ...]
    facing: int
    target: UnitId
    ammo: str


class TankHunt(Order, frozen=True):
    """Hunt an adjacent enemy vehicle, after at most half a move (P8-10.01)."""

    unit: UnitId
    target: UnitId
    path: tuple[HexId, ...] = ()


class Charge(Order, frozen=True):
    """Go to contact and declare hand-to-hand combat (P8-11.01)."""

    unit: UnitId
    target: UnitId
    path: tuple[HexId, ...] = ()


class Overrun(Order, frozen=True):
    """Go to contact and declare a tank overrun (P8-11.07)."""

    unit: UnitId
    target: UnitId
    path: tuple[HexId, ...] = ()


class Recover(Order, frozen=True):
    """Try to shake off suppression (P8-9.06)."""

    unit: UnitId


class Rally(Order, frozen=True):
    """Help friends nearby to recover (P8-9.08)."""

    unit: UnitId


class LaySmoke(Order, frozen=True):
    """Put a smoke marker on a hex (P8-12.01)."""

    unit: UnitId
    hex: HexId


class Mount(Order, frozen=True):
    """Take a friend aboard or in tow (P8-6.10)."""

    unit: UnitId
    passenger: UnitId


class Dismount(Order, frozen=True):
    """Set the passenger down in an adjacent hex (P8-6.10)."""

    unit: UnitId
    hex: HexId


class Pivot(Order, frozen=True):
    """Turn on the spot (P8-4.06)."""

    unit: UnitId
    facing: int


class CallBattery(Order, frozen=True):
    """Call a battery off the map onto a hex (P8-12.03), or aircraft, which may use AP against armor (P8-12.05)."""

    unit: UnitId
    battery: str
    hex: HexId
    ammo: str = "hesa"


class Clear(Order, frozen=True):
    """Begin to clear a mined hex (direction -1) or to breach the obstacle on a hexside (P8-15.02)."""

    unit: UnitId
    hex: HexId
    direction: int = -1


class EndPhase(Order, frozen=True):
    """Leave it at that."""


# --- reactions


class ReactByFire(Order, frozen=True):
    """Fire at the element that gave the occasion (P8-5.03)."""

    unit: UnitId
    ammo: str


class ReactByPivot(Order, frozen=True):
    """Turn to face the occasion (P8-5.03)."""

    unit: UnitId
    facing: int


class Evade(Order, frozen=True):
    """Fall back before the charge or overrun (P8-5.03)."""

    unit: UnitId


class Pass(Order, frozen=True):
    """Let it go on; with `rest`, to the end of this action."""

    rest: bool = False


# --- event cards


class ChooseElement(Order, frozen=True):
    """Name the element that the card works on."""

    unit: UnitId


class ChooseHex(Order, frozen=True):
    """Name the hex that the card works on."""

    hex: HexId


class StrikeFromAir(Order, frozen=True):
    """Send the fighter-bombers against a hex, with bombs or against the armor in it (P8-12.05)."""

    hex: HexId
    ammo: str


class LetCardGo(Order, frozen=True):
    """Make no use of the card."""


# --- close combat


class Fight(Order, frozen=True):
    """Fight a declared combat now; where an element has declared several, the one against `target` (P8-4.04)."""

    unit: UnitId
    target: UnitId = NOBODY


class Advance(Order, frozen=True):
    """Enter the hex that the enemy has left, and face a hexside (P8-11.11)."""

    facing: int


class Stay(Order, frozen=True):
    """Do not advance."""
