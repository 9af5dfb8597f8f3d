"""Smoke, batteries off the map, and aircraft.

Rules: P8-12.01, P8-12.03, P8-12.04, P8-12.05.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

import msgspec

from sandtable.content import read_table
from sandtable.geometry.hexes import STEPS, Hex, neighbors
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer8.actions import begin_action, cannot_act, refuse, show
from sandtable.rulesets.panzer8.cover import own_cover
from sandtable.rulesets.panzer8.events import AttackRolled, BatteryCalled, SmokeLaid, StruckFromAir
from sandtable.rulesets.panzer8.kinds import ARMOR, OBSERVER, TABLES
from sandtable.rulesets.panzer8.model import Element, Position
from sandtable.rulesets.panzer8.orders import CallBattery, LaySmoke
from sandtable.rulesets.panzer8.pieces import enemy_of
from sandtable.rulesets.panzer8.results import DIE, hesa_result, inflict, line, result, roll_off, tally
from sandtable.rulesets.panzer8.sight import sees
from sandtable.rulesets.panzer8.stacks import element_at, kind_of, on_table
from sandtable.rulesets.panzer8.workings import Contest

ON_TARGET = 6
"""What an observer needs with his quality to bring a battery on target (P8-12.03)."""

AP, HESA = "ap", "hesa"
"""What aircraft attack with: AP against armor, else as shells do (P8-12.05)."""

DRIFT_DIVISOR = 3
AIR_ARRIVES = 5
AIR_AP = 6
"""What aircraft need to arrive, and what they hit armor with (P8-12.05)."""


class Support(msgspec.Struct, frozen=True):
    """A battery or aircraft off the map, which an observer calls alike (P8-12.03, P8-12.05)."""

    name: str
    hesa: int
    is_aircraft: bool = False


class _SupportTable(msgspec.Struct, frozen=True):
    system: str
    rule: str
    stonks: int
    support: dict[str, Support]


@cache
def _table() -> _SupportTable:
    return read_table(TABLES / "support.toml", _SupportTable)


SUPPORT: Mapping[str, Support] = MappingProxyType(_table().support)
STONKS = _table().stonks
"""How often a battery fires in a game unless the scenario says otherwise (P8-12.03)."""

# --- smoke ----------------------------------------------------------------------------------------------------------


def smoke_reach(element: Element) -> int:
    """How far an element lays smoke: a vehicle on its own or an adjacent hex, others within HESA range (P8-12.01)."""
    kind = kind_of(element)
    return 1 if kind.is_vehicle else kind.hesa_range


def check_smoke(position: Position, side: SideId, order: LaySmoke) -> Refusal | None:
    """Why the element can't lay smoke there, or None."""
    refusal = cannot_act(position, side, order.unit, "smoke")
    if refusal is not None:
        return refusal
    element, board = position.elements[order.unit], position.ground.board
    if not kind_of(element).has("smoke"):
        return refuse("P8-12.01", "it has no smoke")
    if not board.is_on(order.hex):
        return refuse("P8-12.01", "that is off the map")
    distance = board.distance(element.hex, order.hex)
    if distance > smoke_reach(element):
        return refuse("P8-12.01", f"that is {distance} hexes away; it lays smoke within {smoke_reach(element)}")
    return None


def smoke_end(position: Position) -> int:
    """The player turn at whose end smoke laid now is gone: the opponent's next one (P8-12.01)."""
    return position.half + 1


def resolve_smoke(resolution: Resolution[Position], side: SideId, order: LaySmoke) -> None:
    """Smoke stands on the hex."""
    begin_action(resolution, order.unit, "smoke")
    if not kind_of(resolution.position.elements[order.unit]).is_vehicle:
        show(resolution, order.unit, fires=True)
    resolution.emit(SmokeLaid(order.hex, smoke_end(resolution.position)))


def smoke_options(position: Position, side: SideId, element: Element) -> Iterator[LaySmoke]:
    """Smoke that hides something: on friends, on enemies, and next to the enemies in reach."""
    if not kind_of(element).has("smoke") or cannot_act(position, side, element.id, "smoke") is not None:
        return
    board, far = position.ground.board, smoke_reach(element)
    wanted = {one.hex for one in position.elements if one.hex}
    for place in sorted(wanted):
        if board.distance(place, element.hex) <= far and place not in position.smoke:
            yield LaySmoke(element.id, place)


def smoke_offers(position: Position, side: SideId, element: Element) -> Iterator[LaySmoke]:
    """Every hex in reach."""
    if not kind_of(element).has("smoke") or cannot_act(position, side, element.id, "smoke") is not None:
        return
    board = position.ground.board
    for place in board.within(element.hex, smoke_reach(element)):
        yield LaySmoke(element.id, HexId(place))


# --- batteries ------------------------------------------------------------------------------------------------------


def check_call(position: Position, side: SideId, order: CallBattery) -> Refusal | None:
    """Why the observer can't call that battery there, or None.

    Rules: P8-12.03.
    """
    refusal = cannot_act(position, side, order.unit, "call")
    if refusal is not None:
        return refusal
    element, board = position.elements[order.unit], position.ground.board
    refusal = _cannot_observe(element)
    if refusal is not None:
        return refusal
    alike = [one for one in position.batteries if (one.side, one.kind) == (side, order.battery)]
    if not alike:
        return refuse("P8-12.03", "there is no such battery on call")
    if not any(one.left for one in alike):
        return refuse("P8-12.03", "the battery has fired all its stonks")
    if not board.is_on(order.hex) or not sees(position, element.hex, order.hex):
        return refuse("P8-12.03", "the observer does not see that hex")
    if order.ammo != HESA and not (order.ammo == AP and SUPPORT[order.battery].is_aircraft):
        return refuse("P8-12.05", "batteries fire high explosive; aircraft may use AP instead")
    return no_armor(position, order.hex, order.ammo)


def _cannot_observe(element: Element) -> Refusal | None:
    if kind_of(element).kind != OBSERVER:
        return refuse("P8-12.03", "only a forward observer calls batteries")
    if element.has_telephone and element.has_moved:
        return refuse("P8-12.03", "an observer with a telephone that has moved has lost his line")
    return None


def resolve_call(resolution: Resolution[Position], side: SideId, order: CallBattery) -> None:
    """The battery has fired, on target or drifting, or the aircraft were called."""
    begin_action(resolution, order.unit, "call")
    called = SUPPORT[order.battery]
    if called.is_aircraft:
        strike_from_air(resolution, side, order.hex, order.ammo, called.hesa, order.battery)
    else:
        stonk(resolution, side, order.battery, called.hesa, order.hex, resolution.position.elements[order.unit])


def stonk(
    resolution: Resolution[Position], side: SideId, battery: str, hesa: int, aimed: HexId, observer: Element | None
) -> None:
    """Shells come down on a hex and the six around it, or where they drift (P8-12.03, P8-12.04)."""
    board = resolution.position.ground.board
    actor = observer.id if observer is not None else NOBODY
    roll = resolution.roll("P8-12.03", actor, DIE)
    total = roll + (observer.quality if observer is not None else 0)
    impact = board.axial(aimed)
    if total < ON_TARGET:
        hexes = -(-resolution.roll("P8-12.03", actor, DIE) // DRIFT_DIVISOR)
        q, r = STEPS[resolution.roll("P8-12.03", actor, 6) - 1]
        impact = Hex(impact.q + hexes * q, impact.r + hexes * r)
    resolution.emit(BatteryCalled(actor, side, battery, aimed, HexId(board.from_axial(impact)), roll, total))
    # of the seven hexes some are on the map also where the one in the middle is just beyond its edge
    places = sorted(HexId(h) for h in map(board.from_axial, (impact, *neighbors(impact))) if h)
    under = [element_at(resolution.position, place) for place in places]
    for target in [one for one in under if one is not None]:
        # each that stood there is hit once, also one that has fallen back into another of these hexes
        shell(resolution, target, hesa, HexId(board.rim_at(impact)), "stonk")


def shell_contest(position: Position, target: Element, hesa: int) -> Contest:
    """The totals of shells against an element: its Def, the cover of its own hex and its quality, nothing else."""
    defense = [
        line("Def of the target", kind_of(target).defense, "P8-12.04"),
        own_cover(position, target),
        line("quality of the target", target.quality, "P8-2.04"),
    ]
    return Contest(tally("Shells", [line("HESA of the shells", hesa, "P8-12.04")]), tally("Target", defense))


def shell(resolution: Resolution[Position], target: Element, hesa: int, cause: HexId, manner: str) -> None:
    """One element was shelled."""
    odds = shell_contest(resolution.position, target, hesa)
    attack, defense = roll_off(resolution, "P8-12.04", NOBODY, target.id)
    difference = attack - defense + odds.modifier
    outcome = hesa_result(target, difference)
    resolution.emit(
        AttackRolled(manner, target.id, attack, defense, difference, outcome, RuleId("P8-12.04"), lines=odds.lines)
    )
    inflict(resolution, target.id, outcome, cause)


def explain_call(position: Position, side: SideId, order: CallBattery) -> tuple[Tally, ...]:
    """What the observer needs, and the totals against whoever is known to stand under the fire."""
    called, board = SUPPORT[order.battery], position.ground.board
    if called.is_aircraft:
        arrives = line(f"arrives with {AIR_ARRIVES} or more", AIR_ARRIVES, "P8-12.05")
        found, places = [Tally(called.name, 0, (arrives,))], [order.hex]
    else:
        aim = tally("Observer", [line("quality", position.elements[order.unit].quality, "P8-12.03")])
        needed = line(f"on target with {ON_TARGET} or more", ON_TARGET, "P8-12.03")
        found, places = [Tally(aim.title, aim.total, (*aim.lines, needed))], [order.hex, *board.neighbors(order.hex)]
    for place in places:
        target = element_at(position, HexId(place))
        if target is not None:
            odds = air_contest(position, target) if order.ammo == AP else shell_contest(position, target, called.hesa)
            label = f"{kind_of(target).name} in {board.label(target.hex)}"
            found.append(Tally(label, odds.modifier, odds.lines))
    return tuple(found)


def call_options(position: Position, side: SideId, element: Element) -> Iterator[CallBattery]:
    """Every battery on every enemy in sight."""
    yield from _calls(position, side, element, [one.hex for one in on_table(position, enemy_of(side))])


def call_offers(position: Position, side: SideId, element: Element) -> Iterator[CallBattery]:
    """Every battery on every hex in sight."""
    yield from _calls(position, side, element, [HexId(h) for h in position.ground.board.hexes])


def _calls(position: Position, side: SideId, element: Element, places: list[HexId]) -> Iterator[CallBattery]:
    if kind_of(element).kind != OBSERVER or cannot_act(position, side, element.id, "call") is not None:
        return
    if _cannot_observe(element) is not None:
        return
    ready = dict.fromkeys(one.kind for one in position.batteries if one.side == side and one.left)
    for place in places if ready else ():
        if sees(position, element.hex, place):
            for battery in ready:
                yield CallBattery(element.id, battery, place)
                if SUPPORT[battery].is_aircraft and no_armor(position, place, AP) is None:
                    yield CallBattery(element.id, battery, place, AP)


# --- aircraft -------------------------------------------------------------------------------------------------------


def no_armor(position: Position, place: HexId, ammo: str) -> Refusal | None:
    """Why aircraft can't attack a hex with AP, or None: that is for an armored vehicle, which must be known of."""
    target = element_at(position, place) if ammo == AP else None
    if ammo != AP or (target is not None and kind_of(target).kind == ARMOR):
        return None
    return refuse("P8-12.05", "no armored vehicle is seen there; aircraft use AP against nothing else")


def strike_from_air(
    resolution: Resolution[Position], side: SideId, place: HexId, ammo: str, hesa: int, battery: str = ""
) -> None:
    """Aircraft come or don't; they bomb what stands in the hex, or fire at the armor there (P8-12.05)."""
    roll = resolution.roll("P8-12.05", NOBODY, DIE)
    resolution.emit(StruckFromAir(side, place, roll, roll >= AIR_ARRIVES, battery))
    target = element_at(resolution.position, place)
    if roll < AIR_ARRIVES or target is None:
        return
    if ammo != AP:
        shell(resolution, target, hesa, place, "air")
        return
    odds = air_contest(resolution.position, target)
    attack, defense = roll_off(resolution, "P8-12.05", NOBODY, target.id)
    difference = attack - defense + odds.modifier
    outcome = result("ap", difference)
    resolution.emit(
        AttackRolled("air", target.id, attack, defense, difference, outcome, RuleId("P8-12.05"), lines=odds.lines)
    )
    inflict(resolution, target.id, outcome, place)


def air_contest(position: Position, target: Element) -> Contest:
    """The totals of an attack on armor from the air."""
    odds = shell_contest(position, target, AIR_AP)
    return Contest(tally("Aircraft", [line("AP of the aircraft", AIR_AP, "P8-12.05")]), odds.defense)


def seen_by(position: Position, side: SideId, place: HexId) -> bool:
    """Whether any element of a side sees a hex."""
    return any(sees(position, one.hex, place) for one in on_table(position, side))
