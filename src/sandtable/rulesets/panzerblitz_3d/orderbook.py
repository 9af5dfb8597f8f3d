"""Every kind of order of 3D PanzerBlitz, one row each, in the order in which menus show them.

In a step the first row of units is what most random orders are of.
"""

from __future__ import annotations

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOWHERE, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.play import verbs
from sandtable.play.orderbook import Orderbook
from sandtable.play.rows import Action, Aim, Row, never_picked, standing
from sandtable.rulesets.panzerblitz_3d import (
    artillery,
    assault,
    choices,
    fire,
    labels,
    menu,
    movement,
    opportunity,
    overrun,
    sequels,
    sequence,
    setup,
    transport,
    works,
)
from sandtable.rulesets.panzerblitz_3d import orders as o
from sandtable.rulesets.panzerblitz_3d.choices import UNITS
from sandtable.rulesets.panzerblitz_3d.describe import battery_name, place_name, unit_name, unit_names
from sandtable.rulesets.panzerblitz_3d.mobility import moving_refusal
from sandtable.rulesets.panzerblitz_3d.model import Position
from sandtable.rulesets.panzerblitz_3d.sequence import ASSAULT, ASSIGNMENT, FIRE, FOOT, INITIATIVE, PLOTS, VEHICLES

SETUP, REACTING = "setup", "opportunity fire"
MOVING = (VEHICLES, FOOT)

SHOOT, MOVE, CARRY, NOTES, STEP = "Fire", "Movement", "Transport", "Notes", "Step"
"""The groups of the menu."""


def _end_phase(resolution: Resolution[Position], side: SideId, order: o.EndPhase) -> None:
    sequence.end_phase(resolution)


ROWS: tuple[Row[Position], ...] = (
    Row(
        order=o.ChooseFirst,
        steps=(INITIATIVE,),
        check=sequence.check_first,
        resolve=sequence.resolve_first,
        words=lambda p, x: f"the {x.side.capitalize()} side is first player",
        options=sequence.first_options,
        point=menu.go_first,
        verb=Action(
            key="first", title="Choose who is first", hotkey="f", group=STEP,
            rule="PB3-501", nothing="there is nothing to choose", label=labels.of_first,
        ),
    ),
    Row(
        order=o.PlotFire,
        steps=(PLOTS,),
        check=artillery.check_plot,
        resolve=artillery.resolve_plot,
        explain=artillery.explain_plot,
        later=sequels.of_plot,
        warns=sequels.warn_of_plot,
        words=lambda p, x: f"plot {battery_name(p, x.battery)} on {place_name(p, x.hex)}",
        options=artillery.plot_options,
        offers=artillery.plot_offers,
        on_paper=True,
        aim=lambda p, x: Aim(x.hex),
        point=menu.plot,
        verb=Action(
            key="plot", title="Plot artillery", hotkey="p", group=NOTES,
            rule="PB3-502", nothing="no battery has a fire mission left", label=labels.of_plot,
        ),
    ),
    Row(
        order=o.CancelPlot,
        steps=(PLOTS,),
        check=artillery.check_cancel,
        resolve=artillery.resolve_cancel,
        words=lambda p, x: f"strike out the plot of {battery_name(p, x.battery)}",
        options=artillery.no_options,
        offers=artillery.cancel_offers,
        on_paper=True,
        aim=lambda p, x: Aim(next(plot.hex for plot in p.plots if plot.battery == x.battery)),
        point=menu.cancel_plot,
        verb=Action(
            key="cancel plot", title="Strike out a plot", hotkey="c", group=NOTES,
            rule="PB3-502", nothing="nothing is plotted", suits=menu.has_plots, label=labels.of_cancelled_plot,
        ),
    ),
    Row(
        order=o.Assign,
        steps=(ASSIGNMENT,),
        check=opportunity.check_assign,
        resolve=opportunity.resolve_assign,
        words=lambda p, x: f"assign {unit_names(p, x.units)} to opportunity fire",
        by=UNITS,
        options=opportunity.assign_options,
        together="units",
        on_paper=True,
        aim=lambda p, x: standing(p.units, *x.units),
        point=menu.in_place(lambda unit: o.Assign((unit.id,))),
        verb=Action(
            key="assign", title="Assign to opportunity fire", hotkey="o", group=NOTES,
            rule="PB3-503", nothing="it is assigned already", suits=menu.is_armed, checked=menu.is_assigned,
            bars=menu.barred_by(lambda p, side, unit: opportunity.assigning_refusal(unit)),
            label=labels.of_units(lambda who: f"{who}: wait for an opportunity"),
        ),
    ),
    Row(
        order=o.Unassign,
        steps=(ASSIGNMENT,),
        check=opportunity.check_unassign,
        resolve=opportunity.resolve_unassign,
        words=lambda p, x: f"take {unit_names(p, x.units)} off opportunity fire",
        by=UNITS,
        options=opportunity.no_offers,
        offers=opportunity.unassign_offers,
        together="units",
        on_paper=True,
        aim=lambda p, x: standing(p.units, *x.units),
        point=menu.in_place(lambda unit: o.Unassign((unit.id,))),
        verb=Action(
            key="unassign", title="Take off opportunity fire", hotkey="c", group=NOTES,
            rule="PB3-503", nothing="it is not assigned", suits=menu.is_armed,
            label=labels.of_units(lambda who: f"{who}: do not wait"),
        ),
    ),
    Row(
        order=o.DesignateTarget,
        steps=(FIRE,),
        check=fire.check_designate,
        resolve=fire.resolve_designate,
        explain=fire.explain_designate,
        later=sequels.of_shot,
        words=lambda p, x: (
            f"fire at {unit_names(p, x.targets)} in {place_name(p, x.hex)} with {unit_names(p, x.firers)}"
        ),
        by=UNITS,
        options=fire.fire_options,
        pick=fire.pick_fire,
        together="firers",
        on_paper=True,
        aim=lambda p, x: Aim(x.hex, x.targets, actors=x.firers),
        point=menu.designate,
        verb=Action(
            key="fire", title="Designate a target", hotkey="f", group=SHOOT,
            rule="PB3-505", nothing="nobody it could harm is in range and in sight",
            suits=menu.is_armed, checked=menu.has_target,
            bars=menu.barred_by(lambda p, side, unit: fire.designating_refusal(p, unit)),
            label=labels.of_fire, left="can still fire",
        ),
    ),
    Row(
        order=o.CancelShot,
        steps=(FIRE,),
        check=fire.check_cancel,
        resolve=fire.resolve_cancel,
        words=lambda p, x: f"strike out the target of {unit_name(p, x.unit)}",
        by=UNITS,
        options=fire.no_offers,
        offers=fire.cancel_offers,
        on_paper=True,
        aim=lambda p, x: standing(p.units, x.unit),
        point=menu.in_place(lambda unit: o.CancelShot(unit.id)),
        verb=Action(
            key="cancel shot", title="Strike out its target", hotkey="c", group=SHOOT,
            rule="PB3-505", nothing="it has no target", suits=menu.is_armed,
            label=labels.of_units(lambda who: f"the target of {who} is struck out"),
        ),
    ),
    Row(
        order=o.MoveUnit,
        steps=MOVING,
        check=movement.check_move,
        resolve=movement.resolve_move,
        explain=movement.explain_move,
        words=lambda p, x: f"move {unit_name(p, x.unit)} to {place_name(p, x.path[-1] if x.path else NOWHERE)}",
        by=UNITS,
        options=movement.move_options,
        pick=movement.pick_move,
        led=movement.led_moves,
        aim=lambda p, x: Aim(x.path[-1], path=x.path, actors=(x.unit,)),
        point=menu.move,
        verb=Action(
            **verbs.MOVE, group=MOVE, rule="PB3-602",
            bars=menu.barred_by(lambda p, side, unit: moving_refusal(p, unit)), label=labels.of_move,
        ),
    ),
    Row(
        order=o.Overrun,
        steps=(VEHICLES,),
        check=overrun.check_overrun,
        resolve=overrun.resolve_overrun,
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
            **verbs.OVERRUN, group=MOVE, rule="PB3-1001", suits=menu.can_overrun,
            bars=menu.barred_by(lambda p, side, unit: moving_refusal(p, unit)), label=labels.of_overrun,
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
            **verbs.LOAD, group=CARRY, rule="PB3-621",
            bars=menu.barred_by(), label=labels.of_load,
        ),
    ),
    Row(
        order=o.UnloadUnit,
        steps=(VEHICLES,),
        check=transport.check_unload,
        resolve=transport.resolve_unload,
        words=lambda p, x: f"unload {unit_name(p, x.carrier)}",
        by=UNITS,
        options=transport.unload_options,
        aim=lambda p, x: standing(p.units, x.carrier),
        point=menu.in_place(lambda unit: o.UnloadUnit(unit.id)),
        verb=Action(
            **verbs.UNLOAD, group=CARRY, rule="PB3-622",
            suits=menu.carries, bars=menu.barred_by(), label=labels.of_unload,
        ),
    ),
    Row(
        order=o.EnterFort,
        steps=MOVING,
        check=works.check_enter,
        resolve=works.resolve_enter,
        words=lambda p, x: f"take {unit_name(p, x.unit)} into the fort",
        by=UNITS,
        options=works.enter_options,
        aim=lambda p, x: standing(p.units, x.unit),
        point=menu.in_place(lambda unit: o.EnterFort(unit.id)),
        verb=Action(
            key="enter fort", title="Enter fort", hotkey="e", group=MOVE,
            rule="PB3-1606", nothing="there is no fort here it could enter",
            suits=menu.is_at_fort, bars=menu.barred_by(),
            label=labels.of_units(lambda who: f"{who} goes into the fort"),
        ),
    ),
    Row(
        order=o.LeaveFort,
        steps=MOVING,
        check=works.check_leave,
        resolve=works.resolve_leave,
        words=lambda p, x: f"take {unit_name(p, x.unit)} out of the fort",
        by=UNITS,
        options=works.leave_options,
        aim=lambda p, x: standing(p.units, x.unit),
        point=menu.in_place(lambda unit: o.LeaveFort(unit.id)),
        verb=Action(
            key="leave fort", title="Leave fort", hotkey="v", group=MOVE,
            rule="PB3-1606", nothing="it is in no fort it could leave",
            suits=menu.is_inside, bars=menu.barred_by(),
            label=labels.of_units(lambda who: f"{who} comes out of the fort"),
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
            key="leave", title="Leave the map", hotkey="x", group=MOVE,
            rule="PB3-1301", nothing="it can't leave the map from here",
            suits=menu.has_way_out, bars=menu.barred_by(),
            label=labels.of_units(lambda who: f"{who} leaves the map here"),
        ),
    ),
    Row(
        order=o.PlaceUnit,
        steps=(SETUP, *MOVING),
        check=setup.check_place,
        resolve=setup.resolve_place,
        words=lambda p, x: f"place {unit_name(p, x.unit)} in {place_name(p, x.hex)}",
        by=UNITS,
        options=setup.placement_options,
        pick=setup.pick_placement,
        enters=True,
        aim=lambda p, x: Aim(x.hex, actors=(x.unit,)),
        point=menu.of_first(lambda unit, place: o.PlaceUnit(unit.id, place)),
        verb=Action(
            **verbs.PLACE, group=MOVE, rule="PB3-1303",
            suits=menu.waits, label=labels.of_place, left="waits to be placed",
        ),
    ),
    Row(
        order=o.CloseAssault,
        steps=(ASSAULT,),
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
            **verbs.ASSAULT, group=SHOOT, rule="PB3-1021", suits=menu.is_infantry,
            bars=menu.barred_by(lambda p, side, unit: assault.assaulting_refusal(unit)),
            label=labels.of_assault,
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
        reacts=True,
        aim=lambda p, x: Aim(p.units[p.mover.unit].hex, (p.mover.unit,), actors=x.firers) if p.mover else Aim(),
        point=menu.at_mover,
        verb=Action(
            key="react", title="Opportunity fire", hotkey="f", group=SHOOT,
            rule="PB3-1104", nothing="nobody can fire at the mover", label=labels.of_opportunity,
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
            **verbs.PASS, group=STEP, closes=True, rule="PB3-1104",
        ),
    ),
    Row(
        order=o.SealPlot,
        steps=sequence.SEALED,
        resolve=sequence.resolve_seal,
        later=sequels.of_sealing,
        words=lambda p, x: "seal your notes",
        options=sequence.seal_options,
        point=menu.of_side(o.SealPlot),
        verb=Action(
            key="seal", title="Seal your notes", hotkey="Enter", group=STEP, closes=True,
            rule="PB3-502", nothing="there is nothing to seal",
        ),
    ),
    Row(
        order=o.EndPhase,
        steps=(SETUP, FIRE, *MOVING, ASSAULT),
        check=setup.check_end,
        resolve=_end_phase,
        later=sequels.of_ending,
        words=lambda p, x: "end the step",
        options=setup.end_options,
        point=menu.of_side(o.EndPhase),
        verb=Action(
            key="end", title="End the step", hotkey="Enter", group=STEP, closes=True,
            rule="PB3-505", nothing="the step can't end yet",
            bars=lambda p, side, nobody: setup.check_end(p, side, o.EndPhase()),
            titled=sequels.title_of_ending,
        ),
    ),
)  # fmt: skip

BOOK: Orderbook[Position] = Orderbook(
    ROWS,
    not_yet=Refusal(RuleId("PB3-505"), "it is not your side's decision now"),
    not_yours=Refusal(RuleId("PB3-505"), "that is not your unit"),
    is_on=lambda position, place: position.ground.board.is_on(place),
    likely=choices.likely,
    idle=choices.idle,
    named=unit_name,
    losses=sequels.losses,
)
