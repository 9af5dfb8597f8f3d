"""What a side has written down and not yet done: plotted batteries, units assigned to opportunity fire, designated
targets, each with the order that strikes it out.

Rules: PB3-502, PB3-503, PB3-505.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.ruleset import Target
from sandtable.kernel.state import View
from sandtable.rulesets.panzerblitz_3d import fire, orders
from sandtable.rulesets.panzerblitz_3d.describe import battery_name, place_name, unit_name, unit_names
from sandtable.rulesets.panzerblitz_3d.model import Position
from sandtable.rulesets.panzerblitz_3d.workings import Attack


def plans(view: View[Position]) -> tuple[Target, ...]:
    """All that stands in the side's notes."""
    return (*_plots(view), *_assignments(view), *_shots(view))


def _plots(view: View[Position]) -> Iterator[Target]:
    position = view.position
    for plot in position.plots:
        text = f"{battery_name(position, plot.battery)} fires on {place_name(position, plot.hex)}"
        yield Target(orders.CancelPlot(plot.battery), plot.hex, text=text)


def _assignments(view: View[Position]) -> Iterator[Target]:
    position = view.position
    for id in position.assigned:
        text = f"{unit_name(position, id)} waits for an opportunity"
        yield Target(orders.Unassign((id,)), position.units[id].hex, text=text, actors=(id,))


def _shots(view: View[Position]) -> Iterator[Target]:
    position = view.position
    for shot in position.shots:
        attack = fire.shot_attack(position, view.side, shot)
        odds = f", {attack.odds}" if isinstance(attack, Attack) else ""
        who, whom = unit_names(position, shot.firers), unit_names(position, shot.targets)
        text = f"{who} fire at {whom} in {place_name(position, shot.hex)}{odds}"
        path = (position.units[shot.firers[0]].hex, shot.hex)
        yield Target(
            orders.CancelShot(shot.firers[0]), shot.hex, shot.targets, path=path, text=text, actors=shot.firers
        )
