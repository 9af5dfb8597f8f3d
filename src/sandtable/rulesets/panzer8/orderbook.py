"""Every kind of order of PANZER8, one row each, in the order in which menus show them.

In a step the first row of elements is what most random orders are of.
"""

from __future__ import annotations

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOWHERE, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.play import verbs
from sandtable.play.orderbook import Orderbook
from sandtable.play.rows import Action, Actors, Aim, Row, standing
from sandtable.rulesets.panzer8 import (
    close_combat,
    deck,
    engineering,
    fire,
    menu,
    movement,
    reactions,
    recovery,
    sequence,
    setup,
    support,
    tank_hunting,
    transport,
)
from sandtable.rulesets.panzer8 import orders as o
from sandtable.rulesets.panzer8.actions import cannot_act, refuse
from sandtable.rulesets.panzer8.describe import FACINGS, element_name, place_name
from sandtable.rulesets.panzer8.kinds import ARMOR, CAVALRY, COMMANDER, ENGINEERS, INFANTRY, OBSERVER
from sandtable.rulesets.panzer8.menu import ACTION, COMBAT
from sandtable.rulesets.panzer8.model import SETUP, Position

REACTION, EVENT, ADVANCE = "reaction", "event", "advance"
FIRE, MOVE, ASSAULT, COMMAND, CARRY, STEP = "Fire", "Movement", "Close combat", "Command", "Transport", "Step"
"""The groups of the menu."""


def _end_phase(resolution: Resolution[Position], side: SideId, order: o.EndPhase) -> None:
    sequence.end_phase(resolution)


ROWS: tuple[Row[Position], ...] = (
    Row(
        order=o.Move,
        steps=(ACTION,),
        check=movement.check_move,
        resolve=movement.resolve_move,
        explain=movement.explain_move,
        words=lambda p, x: (
            f"move {element_name(p, x.unit)} to {place_name(p, x.path[-1] if x.path else NOWHERE)},"
            f" facing {FACINGS[x.facing % 6]}"
        ),
        by=menu.ELEMENTS,
        options=movement.move_options,
        offers=movement.move_offers,
        pick=movement.pick_move,
        aim=menu.move_aim,
        led=menu.led,
        point=menu.at_hex(lambda p, one, h: o.Move(one.id, menu.way(p, one, h), movement.usual_facing(p, one, h))),
        verb=Action(
            **verbs.MOVE, group=MOVE, rule="P8-6.01",
            bars=lambda p, side, one: movement.cannot_move(p, side, one.id), label=menu.move_label,
        ),
    ),
    Row(
        order=o.PlaceElement,
        steps=(SETUP,),
        check=setup.check_place,
        resolve=setup.resolve_place,
        words=lambda p, x: (
            f"set up {element_name(p, x.unit)} in {place_name(p, x.hex)}, facing {FACINGS[x.facing % 6]}"
        ),
        by=menu.ELEMENTS,
        options=setup.place_options,
        offers=setup.place_offers,
        pick=setup.pick_place,
        enters=True,
        aim=menu.place_aim,
        point=menu.at_hex(lambda p, one, h: o.PlaceElement(one.id, h, one.facing)),
        verb=Action(
            key="place", title="Set up", hotkey="p", group=MOVE,
            rule="P8-4.01", nothing="there is no free hex for it in your zone", label=menu.facing_label,
        ),
    ),
    Row(
        order=o.Fire,
        steps=(ACTION,),
        check=fire.check_fire,
        resolve=fire.resolve_fire,
        explain=fire.explain_fire,
        words=lambda p, x: (
            f"{element_name(p, x.unit)} fires {menu.AMMO.get(x.ammo, x.ammo)} at {element_name(p, x.target)}"
        ),
        by=menu.ELEMENTS,
        options=fire.fire_options,
        aim=menu.target_aim,
        point=menu.at_enemy(lambda p, one, there: o.Fire(one.id, there.id, menu.best_ammo(p, one, there))),
        verb=Action(
            key="fire", title="Fire", hotkey="f", group=FIRE,
            rule="P8-8.03", nothing="nobody it could harm is in range and in sight", suits=menu.is_armed,
            bars=lambda p, side, one: cannot_act(p, side, one.id, "fire") or fire.cannot_fire(p, one),
            label=menu.ammo_label(fire.explain_fire),
        ),
    ),
    Row(
        order=o.MoveAndFire,
        steps=(ACTION,),
        check=fire.check_move_and_fire,
        resolve=fire.resolve_move_and_fire,
        explain=fire.explain_move_and_fire,
        words=lambda p, x: (
            f"{element_name(p, x.unit)} fires {menu.AMMO.get(x.ammo, x.ammo)} at {element_name(p, x.target)}"
            f"{menu.after_moving(p, x.path) or f' after turning {FACINGS[x.facing % 6]}'}"
        ),
        by=menu.ELEMENTS,
        options=fire.move_and_fire_options,
        aim=menu.target_aim,
        point=menu.at_enemy(
            lambda p, one, there: o.MoveAndFire(
                one.id, (), menu.toward(p, one, there.hex), there.id, menu.best_ammo(p, one, there)
            )
        ),
        verb=Action(
            key="advance fire", title="Move and fire", hotkey="v", group=FIRE,
            rule="P8-4.06", nothing="nothing comes into its sights after half a move or a turn", suits=menu.is_armed,
            bars=lambda p, side, one: cannot_act(p, side, one.id, "move and fire") or fire.cannot_fire(p, one),
            label=menu.ammo_label(fire.explain_move_and_fire),
        ),
    ),
    Row(
        order=o.TankHunt,
        steps=(ACTION,),
        check=tank_hunting.check_hunt,
        resolve=tank_hunting.resolve_hunt,
        explain=tank_hunting.explain_hunt,
        words=lambda p, x: (
            f"{element_name(p, x.unit)} hunts {element_name(p, x.target)}{menu.after_moving(p, x.path)}"
        ),
        by=menu.ELEMENTS,
        options=tank_hunting.hunt_options,
        aim=menu.target_aim,
        point=menu.at_enemy(lambda p, one, there: o.TankHunt(one.id, there.id, menu.to_contact(p, one, there))),
        verb=Action(
            key="hunt", title="Hunt a tank", hotkey="h", group=ASSAULT,
            rule="P8-10.01", nothing="it can't get next to an enemy armored vehicle",
            suits=menu.is_kind(INFANTRY, ENGINEERS), bars=menu.barred("tank hunt"),
            label=menu.contest_label(tank_hunting.explain_hunt),
        ),
    ),
    Row(
        order=o.Charge,
        steps=(ACTION,),
        check=close_combat.check_assault,
        resolve=close_combat.resolve_assault,
        explain=close_combat.explain_assault,
        words=lambda p, x: (
            f"{element_name(p, x.unit)} charges {element_name(p, x.target)}{menu.after_moving(p, x.path)}"
        ),
        by=menu.ELEMENTS,
        options=close_combat.charge_options,
        aim=menu.target_aim,
        point=menu.at_enemy(lambda p, one, there: o.Charge(one.id, there.id, menu.to_contact(p, one, there))),
        verb=Action(
            key="charge", title="Charge", hotkey="c", group=ASSAULT,
            rule="P8-11.01", nothing="it can't get next to an enemy it could charge",
            suits=menu.is_kind(INFANTRY, ENGINEERS, CAVALRY, COMMANDER), bars=menu.barred("charge"),
            label=menu.contest_label(close_combat.explain_assault),
        ),
    ),
    Row(
        order=o.Overrun,
        steps=(ACTION,),
        check=close_combat.check_assault,
        resolve=close_combat.resolve_assault,
        explain=close_combat.explain_assault,
        words=lambda p, x: (
            f"{element_name(p, x.unit)} overruns {element_name(p, x.target)}{menu.after_moving(p, x.path)}"
        ),
        by=menu.ELEMENTS,
        options=close_combat.overrun_options,
        aim=menu.target_aim,
        point=menu.at_enemy(lambda p, one, there: o.Overrun(one.id, there.id, menu.to_contact(p, one, there))),
        verb=Action(
            key="overrun", title="Overrun", hotkey="o", group=ASSAULT,
            rule="P8-11.07", nothing="it can't get next to an enemy it could overrun",
            suits=menu.is_kind(ARMOR), bars=menu.barred("overrun"),
            label=menu.contest_label(close_combat.explain_assault),
        ),
    ),
    Row(
        order=o.Recover,
        steps=(ACTION,),
        check=recovery.check_recover,
        resolve=recovery.resolve_recover,
        explain=recovery.explain_recover,
        words=lambda p, x: f"{element_name(p, x.unit)} tries to recover",
        by=menu.ELEMENTS,
        options=recovery.recover_options,
        aim=lambda p, x: standing(p.elements, x.unit),
        point=menu.in_place(lambda one: o.Recover(one.id)),
        verb=Action(
            key="recover", title="Recover", hotkey="r", group=COMMAND,
            rule="P8-9.10", nothing="it has tried to recover in this turn", suits=menu.is_suppressed,
            bars=menu.barred("recover"),
        ),
    ),
    Row(
        order=o.Rally,
        steps=(ACTION,),
        check=recovery.check_rally,
        resolve=recovery.resolve_rally,
        words=lambda p, x: f"{element_name(p, x.unit)} rallies the troops around him",
        by=menu.ELEMENTS,
        options=recovery.rally_options,
        aim=lambda p, x: standing(p.elements, x.unit),
        point=menu.in_place(lambda one: o.Rally(one.id)),
        verb=Action(
            key="rally", title="Rally", hotkey="y", group=COMMAND,
            rule="P8-13.02", nothing="radio failure: commanders may not rally this turn (card E03)",
            suits=menu.is_kind(COMMANDER), bars=menu.barred("rally"),
        ),
    ),
    Row(
        order=o.LaySmoke,
        steps=(ACTION,),
        check=support.check_smoke,
        resolve=support.resolve_smoke,
        words=lambda p, x: f"{element_name(p, x.unit)} lays smoke on {place_name(p, x.hex)}",
        by=menu.ELEMENTS,
        options=support.smoke_options,
        offers=support.smoke_offers,
        aim=lambda p, x: Aim(x.hex, actors=(x.unit,)),
        point=menu.at_hex(lambda p, one, h: o.LaySmoke(one.id, h)),
        verb=Action(
            key="smoke", title="Lay smoke", hotkey="s", group=FIRE,
            rule="P8-12.01", nothing="there is no hex in its reach",
            suits=menu.has_flag("smoke"), bars=menu.barred("smoke"),
        ),
    ),
    Row(
        order=o.CallBattery,
        steps=(ACTION,),
        check=support.check_call,
        resolve=support.resolve_call,
        explain=support.explain_call,
        words=lambda p, x: (
            f"call {menu.battery_name(x.battery)}{' with AP' if x.ammo == 'ap' else ''} on {place_name(p, x.hex)}"
        ),
        by=menu.ELEMENTS,
        options=support.call_options,
        offers=support.call_offers,
        aim=lambda p, x: Aim(x.hex, actors=(x.unit,)),
        point=menu.at_hex(menu.call_at),
        verb=Action(
            key="call", title="Call artillery", hotkey="a", group=FIRE,
            rule="P8-12.03", nothing="no battery on call has a stonk left, or the observer sees nothing",
            suits=menu.is_kind(OBSERVER), bars=menu.barred("call"),
            label=menu.battery_label,
        ),
    ),
    Row(
        order=o.Mount,
        steps=(ACTION,),
        check=transport.check_mount,
        resolve=transport.resolve_mount,
        words=lambda p, x: f"{element_name(p, x.unit)} takes {element_name(p, x.passenger)} aboard",
        by=menu.ELEMENTS,
        options=transport.mount_options,
        aim=lambda p, x: Aim(p.elements[x.passenger].hex, (x.passenger,), actors=(x.unit,)),
        point=menu.mount_at,
        verb=Action(
            key="mount", title="Mount", hotkey="b", group=CARRY,
            rule="P8-6.10", nothing="there is nobody next to it whom it can take aboard", suits=menu.has_flag("tow"),
            bars=lambda p, side, one: transport.cannot_handle(p, side, one),
        ),
    ),
    Row(
        order=o.Dismount,
        steps=(ACTION,),
        check=transport.check_dismount,
        resolve=transport.resolve_dismount,
        words=lambda p, x: f"{element_name(p, x.unit)} sets its passenger down in {place_name(p, x.hex)}",
        by=menu.ELEMENTS,
        options=transport.dismount_options,
        aim=lambda p, x: Aim(x.hex, actors=(x.unit,)),
        point=menu.at_hex(lambda p, one, h: o.Dismount(one.id, h)),
        verb=Action(
            key="dismount", title="Dismount", hotkey="d", group=CARRY,
            rule="P8-6.10", nothing="there is no hex to set its passenger down in", suits=menu.carries,
            bars=lambda p, side, one: transport.cannot_handle(p, side, one),
        ),
    ),
    Row(
        order=o.Pivot,
        steps=(ACTION,),
        check=movement.check_pivot,
        resolve=movement.resolve_pivot,
        words=lambda p, x: f"turn {element_name(p, x.unit)} to face {FACINGS[x.facing % 6]}",
        by=menu.ELEMENTS,
        options=movement.pivot_options,
        aim=menu.facing_aim,
        point=menu.pivot_to,
        verb=Action(
            key="pivot", title="Turn", hotkey="t", group=MOVE,
            rule="P8-4.06", nothing="it can't turn now", bars=menu.barred("pivot"),
            label=menu.facing_label,
        ),
    ),
    Row(
        order=o.Clear,
        steps=(ACTION,),
        check=engineering.check_clear,
        resolve=engineering.resolve_clear,
        words=menu.clear_words,
        by=menu.ELEMENTS,
        options=engineering.clear_options,
        aim=menu.clear_aim,
        point=menu.at_hex(menu.clear_at),
        verb=Action(
            key="clear", title="Clear an obstacle", hotkey="e", group=COMMAND,
            rule="P8-15.02", nothing="there is nothing to clear next to it", suits=menu.has_engineering,
            bars=menu.barred("clear"),
        ),
    ),
    Row(
        order=o.Fight,
        steps=(COMBAT,),
        check=close_combat.check_fight,
        resolve=close_combat.resolve_fight,
        explain=close_combat.explain_fight,
        words=menu.fight_words,
        by=Actors(menu.elements_in, menu.picked_elements, must_be_picked=False),
        options=close_combat.fight_options,
        aim=menu.fight_aim,
        point=menu.in_place(lambda one: o.Fight(one.id)),
        verb=Action(
            key="fight", title="Fight", hotkey="f", group=ASSAULT,
            rule="P8-4.04", nothing="it has declared no close combat",
            label=menu.contest_label(close_combat.explain_fight),
        ),
    ),
    Row(
        order=o.ReactByFire,
        steps=(REACTION,),
        check=reactions.check_fire,
        resolve=reactions.resolve_fire,
        explain=reactions.explain_fire,
        words=lambda p, x: f"{element_name(p, x.unit)} fires back with {menu.AMMO.get(x.ammo, x.ammo)}",
        options=reactions.fire_options,
        reacts=True,
        aim=menu.reaction_aim,
        point=menu.only_occasion,
        verb=Action(
            key="react", title="Fire", hotkey="f", group=FIRE,
            rule="P8-5.03", nothing="nobody can fire at it",
            label=menu.ammo_label(reactions.explain_fire),
        ),
    ),
    Row(
        order=o.Evade,
        steps=(REACTION,),
        check=reactions.check_evade,
        resolve=reactions.resolve_evade,
        words=lambda p, x: f"{element_name(p, x.unit)} evades",
        options=reactions.evade_options,
        reacts=True,
        aim=lambda p, x: standing(p.elements, x.unit),
        point=menu.only_occasion,
        verb=Action(
            key="evade", title="Evade", hotkey="v", group=MOVE,
            rule="P8-5.03", nothing="nobody is charged or overrun who could evade",
        ),
    ),
    Row(
        order=o.ReactByPivot,
        steps=(REACTION,),
        check=reactions.check_pivot,
        resolve=reactions.resolve_pivot,
        words=lambda p, x: f"{element_name(p, x.unit)} turns to face {FACINGS[x.facing % 6]}",
        options=reactions.pivot_options,
        offers=reactions.pivot_offers,
        reacts=True,
        aim=menu.facing_aim,
        point=menu.only_occasion,
        verb=Action(
            key="turn", title="Turn", hotkey="t", group=MOVE,
            rule="P8-5.03", nothing="everybody who could react faces it", label=menu.facing_label,
        ),
    ),
    Row(
        order=o.Pass,
        steps=(REACTION,),
        resolve=reactions.resolve_pass,
        words=lambda p, x: "let the rest of its action pass" if x.rest else "let it pass",
        options=reactions.pass_options,
        reacts=True,
        point=menu.of_side(o.Pass),
        verb=Action(
            key="pass", title="Let it pass", hotkey=" ", group=STEP, closes=True,
            rule="P8-5.02", nothing="there is nothing to let pass",
        ),
    ),
    Row(
        order=o.ChooseElement,
        steps=(EVENT,),
        check=deck.check_element,
        resolve=deck.resolve_element,
        words=lambda p, x: f"{deck.CARDS[p.card].name if p.card else 'the card'}: {element_name(p, x.unit)}",
        options=deck.element_options,
        reacts=True,
        aim=lambda p, x: Aim(p.elements[x.unit].hex, (x.unit,)),
        point=menu.point_card_element,
        verb=Action(
            key="choose", title="Choose an element", hotkey="c", group=COMMAND,
            rule="P8-13.02", nothing="the card works on no element",
        ),
    ),
    Row(
        order=o.ChooseHex,
        steps=(EVENT,),
        check=deck.check_hex,
        resolve=deck.resolve_hex,
        words=lambda p, x: f"{deck.CARDS[p.card].name if p.card else 'the card'}: {place_name(p, x.hex)}",
        options=deck.hex_options,
        offers=deck.hex_offers,
        reacts=True,
        aim=lambda p, x: Aim(x.hex),
        point=lambda p, side, nobody, target: o.ChooseHex(target.hex),
        verb=Action(
            key="place", title="Choose a hex", hotkey="h", group=COMMAND,
            rule="P8-13.02", nothing="the card works on no hex",
        ),
    ),
    Row(
        order=o.StrikeFromAir,
        steps=(EVENT,),
        check=deck.check_strike,
        resolve=deck.resolve_strike,
        words=lambda p, x: (
            f"fighter-bombers {'fire at the armor in' if x.ammo == 'ap' else 'bomb'} {place_name(p, x.hex)}"
        ),
        options=deck.strike_options,
        offers=deck.strike_offers,
        reacts=True,
        aim=lambda p, x: Aim(x.hex),
        point=lambda p, side, nobody, target: o.StrikeFromAir(target.hex, "hesa"),
        verb=Action(
            key="strike", title="Strike from the air", hotkey="f", group=FIRE,
            rule="P8-12.05", nothing="no aircraft are overhead",
        ),
    ),
    Row(
        order=o.LetCardGo,
        steps=(EVENT,),
        resolve=deck.resolve_let_go,
        words=lambda p, x: "make no use of the card",
        options=deck.let_go_options,
        reacts=True,
        point=menu.of_side(o.LetCardGo),
        verb=Action(
            key="let go", title="Make no use of it", hotkey=" ", group=STEP, closes=True,
            rule="P8-13.02", nothing="there is no card",
        ),
    ),
    Row(
        order=o.Advance,
        steps=(ADVANCE,),
        check=close_combat.check_advance,
        resolve=close_combat.resolve_advance,
        words=lambda p, x: f"advance, facing {FACINGS[x.facing % 6]}",
        options=close_combat.advance_options,
        reacts=True,
        aim=menu.opening_aim,
        point=lambda p, side, nobody, target: refuse("P8-11.11", "only into the hex that the enemy has left"),
        verb=Action(
            key="advance", title="Advance", hotkey="a", group=MOVE,
            rule="P8-11.11", nothing="there is no hex to enter", label=menu.facing_label,
        ),
    ),
    Row(
        order=o.Stay,
        steps=(ADVANCE,),
        resolve=close_combat.resolve_stay,
        words=lambda p, x: "stay where it is",
        options=close_combat.stay_options,
        reacts=True,
        point=menu.of_side(o.Stay),
        verb=Action(
            key="stay", title="Stay", hotkey=" ", group=STEP, closes=True,
            rule="P8-11.11", nothing="there is nothing to decide",
        ),
    ),
    Row(
        order=o.EndPhase,
        steps=(ACTION, SETUP),
        check=setup.check_end,
        resolve=_end_phase,
        words=lambda p, x: "end the set-up" if p.step == SETUP else "end the phase",
        options=setup.end_options,
        point=menu.of_side(o.EndPhase),
        verb=Action(
            key="end", title="End the Action phase", titled=menu.end_title, hotkey="Enter", group=STEP, closes=True,
            rule="P8-4.03", nothing="the phase can't end yet", bars=menu.unplaced,
        ),
    ),
)  # fmt: skip


BOOK: Orderbook[Position] = Orderbook(
    ROWS,
    not_yet=Refusal(RuleId("P8-4.01"), "it is the other side's decision now"),
    not_yours=Refusal(RuleId("P8-4.03"), "that is no element of yours"),
    is_on=lambda position, place: position.ground.board.is_on(place),
    likely=menu.likely,
    idle=menu.idle,
    named=element_name,
)
