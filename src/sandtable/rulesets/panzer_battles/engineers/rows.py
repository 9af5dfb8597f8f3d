"""The orders of engineers and diggers as a player meets them, all in one menu.

Rules: PB-ENG-64.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, SideId
from sandtable.kernel.ruleset import Selection
from sandtable.kernel.trace import Tally
from sandtable.play.rows import Action, Aim, Label, Row, everyone, nobody, unexplained, unwarned
from sandtable.play.words import does
from sandtable.rulesets.panzer_battles import menu
from sandtable.rulesets.panzer_battles.engineers import bridges, demolition, digging, ferries, mines
from sandtable.rulesets.panzer_battles.engineers import orders as o
from sandtable.rulesets.panzer_battles.engineers.states import is_engineer, may_bridge, may_clear, may_demolish
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.movement.costs import FULL_BRIDGE
from sandtable.rulesets.panzer_battles.movement.modes import has_rail
from sandtable.rulesets.panzer_battles.names import place_name, unit_name
from sandtable.rulesets.panzer_battles.operations import (
    BRIDGING,
    CLEARING,
    LAYING,
    RUBBLE,
    holds_bridge,
    is_at,
)
from sandtable.rulesets.panzer_battles.refusals import own, refuse
from sandtable.rulesets.panzer_battles.sequence import ORDERS
from sandtable.rulesets.panzer_battles.tallying import POINTS_LEFT

GROUP = "Engineers"

Bars = Callable[[Position, SideId, Unit], Refusal | None]
Check = Callable[[Position, SideId, Any], Refusal | None]
Explain = Callable[[Position, SideId, Any], tuple[Tally, ...]]


def _label(explain: Explain) -> Callable[[Position, SideId, Any], Label]:
    """What stands beside an order: the first number that explains it, other than its cost."""

    def label(position: Position, side: SideId, order: Any) -> Label:
        found = [tally for tally in explain(position, side, order) if tally.title != POINTS_LEFT]
        return Label(f"{found[0].title.lower()}: {found[0].total}", str(found[0].total)) if found else Label()

    return label


def _unless_carried(bars: Bars) -> Bars:
    """What keeps a unit from an order of the kind, and that it rides on another (PB-MOVE-49)."""

    def barred(position: Position, side: SideId, unit: Unit) -> Refusal | None:
        riding = own(position, side, unit.id)
        return riding if isinstance(riding, Refusal) else bars(position, side, unit)

    return barred


def _on_the_spot(
    order: Any,
    title: str,
    hotkey: str,
    rule: str,
    *,
    bars: Bars,
    check: Check,
    resolve: Any,
    words: str,
    explain: Explain = unexplained,
    suits: Callable[[Position, Unit], bool] = everyone,
    checked: Callable[[Position, Unit], bool] = nobody,
    warns: Callable[[Position, SideId, Any], str] = unwarned,
    stops: str = "",
) -> Row[Position]:
    """The row of an order that a unit carries out where it stands; who is at it already stops by it."""
    bars = _unless_carried(bars)

    def options(position: Position, side: SideId, unit: Unit) -> Iterator[Order]:
        if suits(position, unit) and bars(position, side, unit) is None:
            yield order(unit.id)

    def point(position: Position, side: SideId, units: Any, target: Selection) -> Order | Refusal:
        here = target.hex == units[0].hex
        return order(units[0].id) if here else refuse(rule, "that is done where the unit stands")

    return Row(
        order=order,
        steps=(ORDERS,),
        check=check,
        resolve=resolve,
        explain=explain,
        words=lambda p, x: does([unit_name(p, x.unit)], stops if checked(p, p.units[x.unit]) else words),
        by=menu.UNITS,
        options=options,
        warns=warns,
        aim=lambda p, x: Aim(p.units[x.unit].hex, actors=(x.unit,)),
        point=point,
        verb=Action(
            key=order.__name__.lower(),
            title=title,
            hotkey=hotkey,
            group=GROUP,
            rule=rule,
            nothing="there is nothing of the kind to be done here",
            suits=suits,
            bars=bars,
            checked=checked,
            label=_label(explain),
        ),
    )


def _toward(
    order: Any,
    title: str,
    hotkey: str,
    rule: str,
    *,
    bars: Bars,
    check: Check,
    resolve: Any,
    words: str,
    targets: Callable[[Position, Unit], list[HexId]],
    nothing: str,
    explain: Explain = unexplained,
    suits: Callable[[Position, Unit], bool] = everyone,
) -> Row[Position]:
    """The row of an order that a unit carries out toward a neighboring hex."""
    bars = _unless_carried(bars)

    def options(position: Position, side: SideId, unit: Unit) -> Iterator[Order]:
        if suits(position, unit) and bars(position, side, unit) is None:
            yield from (order(unit.id, place) for place in targets(position, unit))

    return Row(
        order=order,
        steps=(ORDERS,),
        check=check,
        resolve=resolve,
        explain=explain,
        words=lambda p, x: does([unit_name(p, x.unit)], f"{words} {place_name(p, x.hex)}"),
        by=menu.UNITS,
        options=options,
        aim=lambda p, x: Aim(x.hex, actors=(x.unit,)),
        point=lambda p, side, units, target: order(units[0].id, target.hex),
        verb=Action(
            key=order.__name__.lower(),
            title=title,
            hotkey=hotkey,
            group=GROUP,
            rule=rule,
            nothing=nothing,
            suits=suits,
            bars=bars,
            label=_label(explain),
        ),
    )


ROWS: tuple[Row[Position], ...] = (
    _on_the_spot(
        o.DigIn, "Dig In", "i", "PB-MOVE-102", words="digs in", stops="stops digging in",
        bars=digging.cannot_dig, check=digging.check_dig, resolve=digging.resolve_dig, explain=digging.explain_dig,
        suits=lambda p, unit: not unit.has("hq") and not unit.has("supply"),
        checked=lambda p, unit: unit.digging_in,
    ),
    _on_the_spot(
        o.ClearMines, "Clear Mines or Rubble", "K", "PB-ENG-27", words="clears mines or rubble", stops="stops clearing",
        bars=mines.cannot_clear, check=mines.check_clear, resolve=mines.resolve_clear, explain=mines.explain_clear,
        suits=lambda p, unit: may_clear(unit) or is_engineer(unit),
        checked=lambda p, unit: is_at(unit, CLEARING, RUBBLE),
    ),
    _on_the_spot(
        o.LayMines, "Lay Mines", "L", "PB-ENG-28", words="lays mines", stops="stops laying mines",
        bars=mines.cannot_lay, check=mines.check_lay, resolve=mines.resolve_lay, explain=mines.explain_lay,
        suits=lambda p, unit: is_engineer(unit), checked=lambda p, unit: is_at(unit, LAYING),
    ),
    _toward(
        o.Demolish, "Damage Bridge", "J", "PB-ENG-10", words="blows up the bridge or ditch toward",
        bars=demolition.cannot_demolish, check=demolition.check_demolish, resolve=demolition.resolve_demolish,
        explain=demolition.explain_demolish, targets=demolition.targets,
        nothing="there is no bridge or ditch beside it", suits=lambda p, unit: may_demolish(unit),
    ),
    _toward(
        o.BuildBridge, "Bridge Operations", "B", "PB-ENG-35", words="builds a bridge toward",
        bars=bridges.cannot_bridge, check=bridges.check_build, resolve=bridges.resolve_build,
        explain=bridges.explain_build, targets=bridges.sites,
        nothing="there is nothing to be bridged beside it",
        suits=lambda p, unit: may_bridge(unit) and not is_at(unit, *BRIDGING),
    ),
    _on_the_spot(
        o.DismantleBridge, "Dismantle Bridge", "p", "PB-ENG-44", words="takes up its bridge",
        bars=bridges.cannot_dismantle, check=bridges.check_dismantle, resolve=bridges.resolve_dismantle,
        explain=bridges.explain_dismantle,
        suits=lambda p, unit: holds_bridge(unit),
    ),
    _on_the_spot(
        o.AbandonBridge, "Abandon Bridge", "Q", "PB-ENG-45", words="gives up its bridge",
        bars=bridges.cannot_abandon, check=bridges.check_abandon, resolve=bridges.resolve_abandon,
        warns=bridges.abandon_warning,
        suits=lambda p, unit: is_at(unit, *BRIDGING),
    ),
    _on_the_spot(
        o.WireBridge, "Wire Bridge", "W", "PB-ENG-58", words="wires the bridge",
        bars=bridges.cannot_wire, check=bridges.check_wire, resolve=bridges.resolve_wire, explain=bridges.explain_wire,
        suits=lambda p, unit: is_engineer(unit) and p.ground.board.has_feature(unit.hex, FULL_BRIDGE),
    ),
    _toward(
        o.FerryAcross, "Ferry", "Y", "PB-ENG-53", words="goes by boat to",
        bars=ferries.cannot_go, check=ferries.check_ferry, resolve=ferries.resolve_ferry, explain=ferries.explain_ferry,
        targets=ferries.passages, nothing="nobody can take it over the water here",
        suits=ferries.is_at_water,
    ),
    _toward(
        o.DestroyFerry, "Destroy Ferry", "Z", "PB-MOVE-94", words="destroys the ferry to",
        bars=demolition.cannot_sink, check=demolition.check_sink, resolve=demolition.resolve_sink,
        explain=demolition.explain_sink,
        targets=demolition.ferries, nothing="there is no ferry beside it",
        suits=lambda p, unit: bool(demolition.ferries(p, unit)),
    ),
    _on_the_spot(
        o.DamageRail, "Damage Rail Line", "V", "PB-MOVE-87", words="damages the rail line",
        bars=demolition.cannot_damage_rail, check=demolition.check_rail, resolve=demolition.resolve_rail,
        explain=demolition.explain_rail,
        suits=lambda p, unit: has_rail(p.ground.board, unit.hex),
    ),
)  # fmt: skip
