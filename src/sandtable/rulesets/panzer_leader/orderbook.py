"""Every kind of order of Panzer Leader, one row each, in the order in which menus show them.

In a step the first row of units is what most random orders are of.
"""

from __future__ import annotations

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOWHERE, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.play import verbs
from sandtable.play.orderbook import Orderbook
from sandtable.play.rows import Action, Aim, Row, never_picked, standing
from sandtable.rulesets.panzer_leader import (
    air,
    artillery,
    assault,
    choices,
    engineers,
    fire,
    forts,
    labels,
    menu,
    movement,
    naval,
    opportunity,
    overrun,
    plans,
    sequels,
    sequence,
    setup,
    transport,
)
from sandtable.rulesets.panzer_leader import orders as o
from sandtable.rulesets.panzer_leader.choices import AIRCRAFT, UNITS
from sandtable.rulesets.panzer_leader.describe import (
    WORKING,
    aircraft_name,
    direction_name,
    place_name,
    unit_name,
    unit_names,
)
from sandtable.rulesets.panzer_leader.model import Position

SETUP, WRITING, SHELLING, FIRING, FLYING, FLAK, STRIKING, VEHICLES, FOOT, STORMING, LANDING = (
    "setup",
    "indirect orders",
    "indirect fire",
    "direct fire",
    "air movement",
    "anti-aircraft",
    "air attack",
    "vehicle movement",
    "foot movement",
    "close assault",
    "landing",
)
MOVING = (VEHICLES, FOOT)
REACTING = "opportunity fire"
EVERY_STEP = (SETUP, *(step.key for step in sequence.STEPS if step.is_open))

FIRE, MOVE, CARRY, WORK, AIR, STEP = "Fire", "Movement", "Transport", "Works", "Air", "Step"
"""The groups of the menu."""


def _end_phase(resolution: Resolution[Position], side: SideId, order: o.EndPhase) -> None:
    sequence.end_phase(resolution)


ROWS: tuple[Row[Position], ...] = (
    Row(
        order=o.WriteMission,
        steps=(WRITING,),
        check=artillery.check_write,
        resolve=artillery.resolve_write,
        later=sequels.of_mission,
        warns=sequels.warn_of_mission,
        words=lambda p, x: (
            f"{'smoke' if x.smoke else 'indirect fire'} of {unit_names(p, x.firers)} on {place_name(p, x.hex)}"
        ),
        by=UNITS,
        options=artillery.mission_options,
        offers=artillery.mission_offers,
        pick=artillery.pick_mission,
        together="firers",
        on_paper=True,
        aim=lambda p, x: Aim(x.hex, actors=x.firers),
        point=menu.of_all(o.WriteMission),
        verb=Action(
            key="mission", title="Indirect fire", hotkey="i", group=FIRE,
            rule="PL-1103", nothing="no hex in its range is under the eyes of a friendly unit",
            bars=menu.barred_by(menu.mission_bar), checked=menu.has_mission,
            label=labels.of_mission, left="can still be ordered to fire indirectly",
        ),
    ),
    Row(
        order=o.DirectFire,
        steps=(FIRING,),
        check=fire.check_direct_fire,
        resolve=fire.resolve_direct_fire,
        warns=sequels.warn_of_fire,
        explain=fire.explain_direct_fire,
        words=lambda p, x: (
            f"fire at {unit_names(p, x.targets)} in {place_name(p, x.hex)} with {unit_names(p, x.firers)}"
        ),
        by=UNITS,
        options=fire.fire_options,
        offers=fire.fire_offers,
        fewer=fire.fewer,
        pick=fire.pick_fire,
        together="firers",
        aim=lambda p, x: Aim(x.hex, x.targets, actors=x.firers),
        point=menu.direct_fire,
        verb=Action(
            key="fire", title="Fire", hotkey="f", group=FIRE,
            rule="PL-805", nothing="nobody it could harm is in range and in sight",
            bars=menu.barred_by(lambda p, side, unit: fire.firing_refusal(p, unit)),
            label=labels.of_fire,
        ),
    ),
    Row(
        order=o.FireAtAircraft,
        steps=(FLAK,),
        check=air.check_antiair,
        resolve=air.resolve_antiair,
        explain=air.explain_antiair,
        words=lambda p, x: f"fire at {aircraft_name(p, x.aircraft)} with {unit_names(p, x.firers)}",
        by=UNITS,
        options=air.antiair_options,
        together="firers",
        aim=lambda p, x: Aim(
            p.aircraft[x.aircraft].hex, (menu.piece_of(p, p.aircraft[x.aircraft]),), actors=x.firers
        ),
        point=menu.antiair_fire,
        verb=Action(
            key="antiair", title="Fire at aircraft", hotkey="f", group=FIRE,
            rule="PL-1207", nothing="no aircraft is in its range", bars=menu.barred_by(),
            label=labels.of_antiair,
        ),
    ),
    Row(
        order=o.MoveUnit,
        steps=MOVING,
        check=movement.check_move,
        resolve=movement.resolve_move,
        later=sequels.of_move,
        warns=sequels.warn_of_move,
        explain=movement.explain_move,
        words=lambda p, x: (
            f"move {unit_name(p, x.unit)} to {place_name(p, x.path[-1] if x.path else NOWHERE)}"
            f"{' at quick-time' if x.gait else ''}"
        ),
        by=UNITS,
        options=movement.move_options,
        pick=movement.pick_move,
        led=movement.led_moves,
        aim=lambda p, x: Aim(x.path[-1], path=x.path, actors=(x.unit,)),
        point=menu.move,
        verb=Action(
            **verbs.MOVE, group=MOVE, rule="PL-601",
            bars=menu.barred_by(movement.moving_refusal), label=labels.of_move,
        ),
    ),
    Row(
        order=o.Overrun,
        steps=(VEHICLES,),
        check=overrun.check_overrun,
        resolve=overrun.resolve_overrun,
        later=sequels.of_overrun,
        explain=overrun.explain_overrun,
        words=lambda p, x: (
            f"overrun {place_name(p, x.hex)} with {unit_names(p, (run.unit for run in x.runs))}"
            f"{f', {unit_names(p, x.drop)} dropping off' if x.drop else ''}"
        ),
        by=UNITS,
        options=overrun.overrun_options,
        pick=overrun.pick_overrun,
        aim=lambda p, x: Aim(
            x.hex,
            actors=tuple(run.unit for run in x.runs),
            path=x.runs[0].path,
            then=x.runs[0].path[-1],
        ),
        point=menu.drive_through,
        verb=Action(
            **verbs.OVERRUN, group=MOVE, rule="PL-1001", suits=menu.is_armored,
            bars=menu.barred_by(movement.moving_refusal),
            label=labels.of_overrun,
        ),
    ),
    Row(
        order=o.LoadUnit,
        steps=(VEHICLES,),
        check=transport.check_load,
        resolve=transport.resolve_load,
        words=lambda p, x: f"load {unit_name(p, x.passenger)} on {unit_name(p, x.carrier)}",
        by=UNITS,
        options=transport.load_options,
        aim=lambda p, x: Aim(p.units[x.carrier].hex, (x.passenger,), actors=(x.carrier,)),
        point=menu.load,
        verb=Action(
            **verbs.LOAD, group=CARRY, rule="PL-641",
            bars=menu.barred_by(), label=labels.of_load,
        ),
    ),
    Row(
        order=o.UnloadUnit,
        steps=(VEHICLES,),
        check=transport.check_unload,
        resolve=transport.resolve_unload,
        later=sequels.of_unloading,
        words=lambda p, x: f"unload {unit_name(p, x.carrier)}",
        by=UNITS,
        options=transport.unload_options,
        aim=lambda p, x: standing(p.units, x.carrier),
        point=menu.in_place(lambda unit: o.UnloadUnit(unit.id)),
        verb=Action(
            **verbs.UNLOAD, group=CARRY, rule="PL-642",
            suits=menu.carries, bars=menu.barred_by(), label=labels.of_unload,
        ),
    ),
    Row(
        order=o.EnterFort,
        steps=MOVING,
        check=forts.check_enter_fort,
        resolve=forts.resolve_enter_fort,
        words=lambda p, x: f"take {unit_name(p, x.unit)} into the fortification",
        by=UNITS,
        options=forts.enter_options,
        aim=lambda p, x: standing(p.units, x.unit),
        point=menu.in_place(lambda unit: o.EnterFort(unit.id)),
        verb=Action(
            key="enter", title="Enter fort", hotkey="e", group=MOVE,
            rule="PL-1321", nothing="there is no fortification here it could enter",
            suits=menu.has_fort, bars=menu.barred_by(),
            label=labels.of_unit(lambda name: f"{name} goes into the fortification"),
        ),
    ),
    Row(
        order=o.LeaveFort,
        steps=MOVING,
        check=forts.check_leave_fort,
        resolve=forts.resolve_leave_fort,
        words=lambda p, x: f"take {unit_name(p, x.unit)} out of the fortification",
        by=UNITS,
        options=forts.leave_options,
        aim=lambda p, x: standing(p.units, x.unit),
        point=menu.in_place(lambda unit: o.LeaveFort(unit.id)),
        verb=Action(
            key="leave fort", title="Leave fort", hotkey="v", group=MOVE,
            rule="PL-1321", nothing="it is in no fortification it could leave",
            suits=menu.has_fort, bars=menu.barred_by(),
            label=labels.of_unit(lambda name: f"{name} comes out of the fortification"),
        ),
    ),
    Row(
        order=o.FinishWork,
        steps=MOVING,
        check=engineers.check_finish,
        resolve=engineers.resolve_finish,
        words=lambda p, x: f"{unit_name(p, x.unit)}: finish the work",
        by=UNITS,
        options=engineers.finish_options,
        aim=lambda p, x: standing(p.units, x.unit),
        point=menu.in_place(lambda unit: o.FinishWork(unit.id)),
        verb=Action(
            key="finish", title="Finish work", hotkey="n", group=WORK,
            rule="PL-1331", nothing="it has no work ready to be finished",
            suits=menu.can_work, bars=menu.barred_by(),
            label=labels.of_unit(lambda name: f"{name} tries its charge now"),
        ),
    ),
    Row(
        order=o.BeginWork,
        steps=MOVING,
        check=engineers.check_begin,
        resolve=engineers.resolve_begin,
        later=sequels.of_work,
        words=lambda p, x: f"set {unit_name(p, x.unit)} to {WORKING[x.task]} in {place_name(p, x.hex)}",
        by=UNITS,
        options=engineers.begin_options,
        aim=lambda p, x: Aim(x.hex, actors=(x.unit,)),
        point=menu.begin_work,
        verb=Action(
            key="work", title="Set to work", hotkey="w", group=WORK,
            rule="PL-1304", nothing="there is no work here for it",
            suits=menu.can_work, bars=menu.barred_by(), checked=menu.is_at_work,
            label=labels.of_work,
        ),
    ),
    Row(
        order=o.LeaveMap,
        steps=MOVING,
        check=movement.check_leave,
        resolve=movement.resolve_leave,
        words=lambda p, x: f"take {unit_name(p, x.unit)} off the map",
        by=UNITS,
        options=movement.leave_options,
        pick=never_picked,
        aim=lambda p, x: standing(p.units, x.unit),
        point=menu.leave_map,
        verb=Action(
            key="exit", title="Leave the map", hotkey="x", group=MOVE,
            rule="PL-1504", nothing="it can't leave the map from here",
            suits=menu.has_way_out, bars=menu.barred_by(),
            label=labels.of_unit(lambda name: f"{name} leaves the map here"),
        ),
    ),
    Row(
        order=o.PlaceUnit,
        steps=(SETUP, LANDING, *MOVING),
        check=setup.check_place,
        resolve=setup.resolve_place,
        later=sequels.of_placing,
        words=lambda p, x: f"place {unit_name(p, x.unit)} in {place_name(p, x.hex)}",
        by=UNITS,
        options=setup.placement_options,
        pick=setup.pick_placement,
        enters=True,
        aim=lambda p, x: Aim(x.hex, actors=(x.unit,)),
        point=menu.of_first(lambda unit, place: o.PlaceUnit(unit.id, place, unit.facing)),
        verb=Action(
            **verbs.PLACE, group=MOVE, rule="PL-1506",
            suits=menu.waits, bars=setup.placing_refusal, form=menu.facing_form, label=labels.of_place,
            left="waits to be placed",
        ),
    ),
    Row(
        order=o.SetFacing,
        steps=(SETUP, FOOT),
        check=fire.check_facing,
        resolve=fire.resolve_facing,
        words=lambda p, x: f"turn {unit_name(p, x.unit)} to the {direction_name(x.facing)}",
        by=UNITS,
        options=fire.facing_options,
        on_paper=True,
        aim=lambda p, x: Aim(p.units[x.unit].hex, side=x.facing, actors=(x.unit,)),
        point=menu.in_place(lambda unit: o.SetFacing(unit.id, unit.facing)),
        verb=Action(
            key="turn", title="Turn", hotkey="t", group=MOVE,
            rule="PL-1608", nothing="it can't be turned now", suits=menu.can_turn, bars=menu.barred_by(),
            label=labels.of_facing,
        ),
    ),
    Row(
        order=o.CloseAssault,
        steps=(STORMING,),
        check=assault.check_assault,
        resolve=assault.resolve_assault,
        explain=assault.explain_assault,
        words=lambda p, x: f"assault {place_name(p, x.hex)} with {unit_names(p, x.units)}",
        by=UNITS,
        options=assault.assault_options,
        together="units",
        aim=lambda p, x: Aim(x.hex, actors=x.units),
        point=menu.of_all(o.CloseAssault),
        verb=Action(
            **verbs.ASSAULT, group=FIRE, rule="PL-1021",
            bars=menu.barred_by(lambda p, side, unit: assault.assaulting_refusal(p, unit)),
            label=labels.of_assault,
        ),
    ),
    Row(
        order=o.FireMissions,
        steps=(SHELLING,),
        check=artillery.check_missions,
        resolve=artillery.resolve_missions,
        warns=sequels.warn_of_missions,
        explain=artillery.explain_missions,
        words=lambda p, x: f"fire missions{f', hold {unit_names(p, x.hold)}' if x.hold else ''}",
        options=artillery.due_options,
        offers=artillery.due_offers,
        point=menu.of_side(o.FireMissions),
        verb=Action(
            key="missions", title="Fire missions", hotkey="f", group=FIRE,
            rule="PL-503", nothing="no mission is due", label=labels.of_missions,
        ),
    ),
    Row(
        order=o.WriteNavalMission,
        steps=(WRITING,),
        check=naval.check_naval_write,
        resolve=naval.resolve_naval_write,
        later=sequels.of_naval_mission,
        warns=sequels.warn_of_naval_mission,
        words=lambda p, x: f"naval fire of {x.points} on {place_name(p, x.hex)}",
        options=naval.write_options,
        offers=naval.write_offers,
        on_paper=True,
        aim=lambda p, x: Aim(x.hex),
        point=menu.naval_mission,
        verb=Action(
            key="naval", title="Naval fire", hotkey="g", group=FIRE,
            rule="PL-1121", nothing="no naval points or no target for them",
            offered=menu.has_ships, form=menu.points_form, label=labels.of_naval_mission,
        ),
    ),
    Row(
        order=o.StrikeMission,
        steps=(WRITING,),
        check=plans.check_strike,
        resolve=plans.resolve_strike,
        words=plans.strike_words,
        options=plans.unprompted,
        offers=plans.strike_offers,
        on_paper=True,
        point=menu.of_side(lambda: o.StrikeMission(NOWHERE)),
        verb=Action(
            key="erase", title="Strike out", hotkey="o", group=FIRE,
            rule="PL-1102", nothing="nothing is written that can still be struck out", suits=plans.has_fresh,
        ),
    ),
    Row(
        order=o.NavalFire,
        steps=(FIRING,),
        check=naval.check_naval_fire,
        resolve=naval.resolve_naval_fire,
        explain=naval.explain_naval_fire,
        words=lambda p, x: f"fire naval guns ({x.points}) at {unit_names(p, x.targets)} in {place_name(p, x.hex)}",
        options=naval.fire_options,
        aim=lambda p, x: Aim(x.hex, x.targets),
        point=menu.naval_fire,
        verb=Action(
            key="naval", title="Naval fire", hotkey="g", group=FIRE,
            rule="PL-1121", nothing="no naval points or no target for them",
            offered=menu.has_ships, form=menu.points_form, label=labels.of_naval_fire,
        ),
    ),
    Row(
        order=o.FlyTo,
        steps=(FLYING,),
        check=air.check_fly,
        resolve=air.resolve_fly,
        later=sequels.of_flight,
        words=lambda p, x: f"fly {aircraft_name(p, x.aircraft)} to {place_name(p, x.hex)}",
        by=AIRCRAFT,
        options=air.fly_options,
        offers=air.fly_offers,
        aim=lambda p, x: Aim(x.hex, actors=(menu.piece_of(p, p.aircraft[x.aircraft]),)),
        point=menu.flight,
        verb=Action(
            key="fly", title="Fly", hotkey="y", group=AIR,
            rule="PL-1201", nothing="no aircraft can fly", label=labels.of_flight,
        ),
    ),
    Row(
        order=o.AirAttack,
        steps=(STRIKING,),
        check=air.check_air_attack,
        resolve=air.resolve_air_attack,
        explain=air.explain_air_attack,
        words=lambda p, x: (
            f"attack {unit_names(p, x.targets)} in {place_name(p, x.hex)} "
            f"with {', '.join(f'{s.weapon} of {aircraft_name(p, s.aircraft)}' for s in x.sorties)}"
        ),
        by=AIRCRAFT,
        options=air.air_attack_options,
        aim=lambda p, x: Aim(
            x.hex, x.targets, actors=tuple(menu.piece_of(p, p.aircraft[s.aircraft]) for s in x.sorties)
        ),
        point=menu.air_strike,
        verb=Action(
            key="strike", title="Air attack", hotkey="k", group=AIR,
            rule="PL-1203", nothing="no aircraft has a target beside it",
            label=labels.of_strike,
        ),
    ),
    Row(
        order=o.OpportunityFire,
        steps=(REACTING,),
        check=opportunity.check_opportunity,
        resolve=opportunity.resolve_opportunity,
        explain=opportunity.explain_opportunity,
        words=lambda p, x: f"opportunity fire by {unit_names(p, x.firers)}",
        options=opportunity.opportunity_options,
        offers=opportunity.opportunity_offers,
        warns=sequels.warn_of_opportunity,
        reacts=True,
        aim=lambda p, x: Aim(
            opportunity.targets(p)[0].hex, tuple(unit.id for unit in opportunity.targets(p)), actors=x.firers
        ),
        point=menu.opportunity_fire,
        verb=Action(
            key="opportunity", title="Opportunity fire", hotkey="f", group=FIRE,
            rule="PL-1601", nothing="nobody can fire at the mover",
            label=labels.of_opportunity,
        ),
    ),
    Row(
        order=o.Pass,
        steps=(REACTING,),
        resolve=opportunity.resolve_pass,
        words=lambda p, x: "let the whole move go by" if x.rest else "let it go by",
        options=opportunity.pass_options,
        reacts=True,
        point=menu.of_side(o.Pass),
        verb=Action(
            **verbs.PASS, group=STEP, closes=True, rule="PL-1601",
        ),
    ),
    Row(
        order=o.EndPhase,
        steps=EVERY_STEP,
        check=setup.check_end,
        resolve=_end_phase,
        words=lambda p, x: "end the phase",
        options=setup.end_options,
        point=menu.of_side(o.EndPhase),
        verb=Action(
            key="end", title="End the phase", hotkey="Enter", group=STEP, closes=True,
            rule="PL-501", nothing="the phase can't end yet",
            bars=lambda p, side, nobody: setup.check_end(p, side, o.EndPhase()),
            titled=lambda view: f"End: {sequence.title_of(view.flow[-1])}",
        ),
    ),
)  # fmt: skip

BOOK: Orderbook[Position] = Orderbook(
    ROWS,
    not_yet=Refusal(RuleId("PL-501"), "it is the other side's decision now"),
    not_yours=Refusal(RuleId("PL-501"), "that is not your unit"),
    is_on=lambda position, place: position.ground.board.is_on(place),
    likely=choices.likely,
    idle=choices.idle,
    named=unit_name,
    losses=sequels.losses,
)
