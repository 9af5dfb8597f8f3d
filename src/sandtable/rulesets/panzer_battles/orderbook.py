"""Every kind of order of Panzer Battles, one row each, in the order in which menus show them.

Nothing here fills up losses, stockpiles, moves by itself or fires by hand in the enemy's turn.

Rules: PB-GEN-8, PB-UNIT-12, PB-MOVE-27.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.ids import SideId
from sandtable.kernel.resolution import Resolution
from sandtable.play import verbs
from sandtable.play.orderbook import Orderbook
from sandtable.play.rows import Action, Row
from sandtable.play.words import does, listed
from sandtable.rulesets.panzer_battles import menu, sequence
from sandtable.rulesets.panzer_battles import orders as o
from sandtable.rulesets.panzer_battles.air import rows as air_rows
from sandtable.rulesets.panzer_battles.assault import eligibility, resolving
from sandtable.rulesets.panzer_battles.assault import prospects as storming
from sandtable.rulesets.panzer_battles.deception import rows as deception
from sandtable.rulesets.panzer_battles.engineers import rows as engineers
from sandtable.rulesets.panzer_battles.fire import direct
from sandtable.rulesets.panzer_battles.fire import rows as fire_rows
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.movement import modes, moves, stacks
from sandtable.rulesets.panzer_battles.movement import rows as movement
from sandtable.rulesets.panzer_battles.names import place_name, unit_name
from sandtable.rulesets.panzer_battles.organization import rows as organization
from sandtable.rulesets.panzer_battles.refusals import NOT_YOURS, refuse
from sandtable.rulesets.panzer_battles.reinforcements import arriving
from sandtable.rulesets.panzer_battles.reinforcements import rows as reinforcements
from sandtable.rulesets.panzer_battles.sequence import ORDERS

MOVE, FIRE, TURN = "Movement", "Fire", "Turn"
"""The groups of the menu."""


def _end_options(position: Position, side: SideId) -> Iterator[o.EndTurn]:
    yield o.EndTurn()


def _end_turn(resolution: Resolution[Position], side: SideId, order: o.EndTurn) -> None:
    sequence.end_turn(resolution)


ROWS: tuple[Row[Position], ...] = (
    Row(
        order=o.Move,
        steps=(ORDERS,),
        check=moves.check_move,
        resolve=moves.resolve_move,
        explain=moves.explain_move,
        words=lambda p, x: (
            f"move {listed(unit_name(p, id) for id in x.units)} to {place_name(p, menu.last_place(x))}"
        ),
        by=menu.UNITS,
        together="units",
        options=moves.move_options,
        pick=moves.pick_move,
        led=moves.led_options,
        warns=menu.move_warning,
        aim=menu.move_aim,
        point=menu.point_move,
        verb=Action(
            **verbs.MOVE, group=MOVE, rule="PB-MOVE-1",
            bars=moves.cannot_move, label=menu.move_label, left="has done nothing yet",
        ),
    ),
    Row(
        order=o.MoveLeavingBehind,
        steps=(ORDERS,),
        check=moves.check_move,
        resolve=moves.resolve_move,
        explain=moves.explain_move,
        words=lambda p, x: (
            f"move {listed(unit_name(p, id) for id in x.units)} to {place_name(p, menu.last_place(x))},"
            " leaving behind who can't follow"
        ),
        by=menu.STACK,
        options=stacks.nothing_to_try,
        offers=stacks.offers,
        by_hand=True,
        warns=menu.move_warning,
        aim=menu.move_aim,
        point=menu.point_leaving,
        verb=Action(
            key="leave_behind", title="Move, leaving behind", hotkey="n", group=MOVE,
            rule="PB-MOVE-10", nothing="pick several units of a hex, of which not all can go as far",
            bars=stacks.bars, label=menu.leaving_label,
        ),
    ),
    Row(
        order=o.Fire,
        steps=(ORDERS,),
        check=direct.check_fire,
        resolve=direct.resolve_fire,
        explain=direct.explain_fire,
        words=lambda p, x: does([unit_name(p, x.unit)], f"fires at {unit_name(p, x.target)}"),
        by=menu.UNITS,
        options=direct.fire_options,
        aim=menu.fire_aim,
        point=menu.point_fire,
        verb=Action(
            key="fire", title="Fire", hotkey="f", group=FIRE,
            rule="PB-FIRE-1", nothing="nobody it could harm is in range and in sight", suits=menu.is_armed,
            bars=menu.bars_fire, label=menu.fire_label,
        ),
    ),
    *fire_rows.ROWS,
    *air_rows.ROWS,
    Row(
        order=o.Assault,
        steps=(ORDERS,),
        check=eligibility.check_assault,
        resolve=resolving.resolve_assault,
        explain=storming.explain_assault,
        words=lambda p, x: f"storm {place_name(p, x.hex)} with {listed(unit_name(p, id) for id in x.units)}",
        by=menu.UNITS,
        together="units",
        options=storming.assault_options,
        offers=storming.assault_offers,
        aim=storming.assault_aim,
        point=storming.point_assault,
        verb=Action(
            key="assault", title="Assault", hotkey="a", group=FIRE,
            rule="PB-ASLT-3", nothing="no enemy is known beside it that it could storm", suits=storming.can_storm,
            bars=storming.bars_assault, label=storming.assault_label,
        ),
    ),
    Row(
        order=o.ChangeMode,
        steps=(ORDERS,),
        check=modes.check_change,
        resolve=modes.resolve_change,
        explain=modes.explain_change,
        words=lambda p, x: does([unit_name(p, x.unit)], modes.change_words(p.units[x.unit], x.mode)),
        by=menu.UNITS,
        options=modes.change_options,
        warns=menu.mode_warning,
        aim=menu.mode_aim,
        point=menu.point_mode,
        verb=Action(
            key="travel", title="Travel Mode", hotkey="t", group=MOVE,
            rule="PB-MOVE-26", nothing="it can't change its mode",
            bars=menu.bars_change, checked=menu.travels, label=menu.mode_label,
        ),
    ),
    *engineers.ROWS,
    *reinforcements.ROWS,
    *movement.ROWS,
    *organization.ROWS,
    *deception.ROWS,
    Row(
        order=o.EndTurn,
        steps=(ORDERS,),
        resolve=_end_turn,
        words=lambda p, x: "end the turn",
        options=_end_options,
        point=lambda p, side, actors, target: o.EndTurn(),
        verb=Action(
            key="end", title="Next Turn", hotkey="e", group=TURN,
            rule="PB-TURN-5", nothing="the turn can't be ended now", closes=True,
        ),
    ),
)  # fmt: skip

BOOK: Orderbook[Position] = Orderbook(
    ROWS,
    not_yet=refuse("PB-GEN-4", "it is the other side's turn"),
    not_yours=NOT_YOURS,
    is_on=lambda position, place: position.ground.board.is_on(place),
    likely=menu.able,
    idle=menu.idle,
    named=unit_name,
    losses=lambda position, side, step: arriving.reminders(position, side),
)
