"""What an order leads to in a later step: the dice that fall for it then, as far as its side can tell, what speaks
against it although it is lawful, and what is lost when a step is ended.

Rules: PB3-502, PB3-505, PB3-1203, PB3-1206.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from sandtable.kernel.dice import Dice
from sandtable.kernel.events import DiceKey, Order
from sandtable.kernel.forecast import Forecast, Reaction, branches, every_fall
from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import Reminder
from sandtable.kernel.state import State, View
from sandtable.play.words import listed
from sandtable.rulesets.panzerblitz_3d import artillery, changes, fire, orders, sequence
from sandtable.rulesets.panzerblitz_3d.combat import roll_attack
from sandtable.rulesets.panzerblitz_3d.describe import battery_name, place_name, result, unit_names
from sandtable.rulesets.panzerblitz_3d.model import Position, Shot
from sandtable.rulesets.panzerblitz_3d.pieces import enemy_of
from sandtable.rulesets.panzerblitz_3d.stacks import active
from sandtable.rulesets.panzerblitz_3d.workings import Attack


def rolled(view: View[Position], attack: Attack, text: str, actors: tuple[UnitId, ...] = ()) -> Reaction:
    """What the die of an attack may bring if all stays as it is."""
    weights: defaultdict[str, Fraction] = defaultdict(Fraction)
    state = State(view.position, view.flow, DiceKey("forecast"))
    for came, chance in every_fall(partial(_played, state, view, attack)):
        weights[came] += chance
    return Reaction(view.side, actors, attack.hex, text, branches(weights), attack.tallies)


def _played(state: State[Position], view: View[Position], attack: Attack, dice: Dice) -> str:
    resolution = Resolution(state, dice, changes.apply)
    roll_attack(resolution, attack)
    return result(tuple(resolution.events), view)


# --- designated fire ------------------------------------------------------------------------------------------------


def of_shot(view: View[Position], order: orders.DesignateTarget) -> tuple[Reaction, ...]:
    """What a designated shot does when all fire is resolved (PB3-505)."""
    attack = fire.designated_attack(view.position, view.side, order)
    assert isinstance(attack, Attack)  # asked of lawful orders only
    return (_shot(view, Shot(order.firers, order.hex, order.targets), attack),)


def _shot(view: View[Position], shot: Shot, attack: Attack) -> Reaction:
    who, whom = unit_names(view.position, shot.firers), unit_names(view.position, shot.targets)
    return rolled(view, attack, f"When fire is resolved: {who} at {whom}", shot.firers)


def of_ending(view: View[Position], order: orders.EndPhase) -> tuple[Reaction, ...]:
    """What every designated shot does when the fire step is ended (PB3-505)."""
    return tuple(_shots(view)) if view.position.step == sequence.FIRE else ()


def _shots(view: View[Position]) -> Iterator[Reaction]:
    for shot in view.position.shots:
        attack = fire.shot_attack(view.position, view.side, shot)
        if isinstance(attack, Attack):
            yield _shot(view, shot, attack)


# --- plotted fire ---------------------------------------------------------------------------------------------------


def of_plot(view: View[Position], order: orders.PlotFire) -> tuple[Reaction, ...]:
    """What a plotted battery does in this game turn, if all stays as it is and it falls as plotted.

    Rules: PB3-1202, PB3-1203, PB3-1206.
    """
    batteries = artillery.falling_with(view.position, view.side, order.battery, order.hex)
    return (_barrage(view, batteries, order.hex),)


def of_sealing(view: View[Position], order: orders.SealPlot) -> tuple[Reaction, ...]:
    """What the plotted batteries do when both sides have sealed; those that fall together are one attack.

    Rules: PB3-1208.
    """
    position, side = view.position, view.side
    together = {
        tuple(sorted(artillery.falling_with(position, side, plot.battery, plot.hex))): plot.hex
        for plot in position.plots
    }
    return tuple(_barrage(view, batteries, place) for batteries, place in together.items())


def _barrage(view: View[Position], batteries: tuple[int, ...], place: HexId) -> Reaction:
    position = view.position
    seen = artillery.is_observed(position, view.side, place)
    aim = "it falls there" if seen else "nobody observes it: it falls there on 1-2 and scatters on 3-6"
    guns = listed([battery_name(position, battery) for battery in batteries])
    text = f"{guns} on {place_name(position, place)}: {aim if len(batteries) == 1 else 'it all falls there'}"
    attack = artillery.artillery_attack(position, view.side, batteries, place)
    if isinstance(attack, Attack):
        return rolled(view, attack, f"{text}; if it falls there and all stays as it is")
    return Reaction(view.side, (), place, text)


def warn_of_plot(position: Position, side: SideId, order: orders.PlotFire) -> str:
    """That own units are in the hex, or that nobody can be harmed there as far as the side knows."""
    own = [unit.id for unit in active(position, side) if unit.hex == order.hex]
    if own:
        return f"it hits your own there: {unit_names(position, own)}"
    if not any(unit.hex == order.hex for unit in active(position, enemy_of(side))):
        return f"nobody is known to be in {place_name(position, order.hex)}; the barrage still blocks sight"
    return ""


# --- ending a step --------------------------------------------------------------------------------------------------

PLAIN_ENDINGS = (orders.EndPhase, orders.SealPlot)


def odds(view: View[Position], order: Order) -> Forecast | None:
    """The forecast of an order that ends a step: what it does is plain, and its dice are told as what it leads to.

    Rules: PB3-501, PB3-504, PB3-505.
    """
    if not isinstance(order, PLAIN_ENDINGS):
        return None
    position = view.position
    dice = len(position.shots) + len(position.plots)
    is_last = position.step == sequence.PLAYER_TURN[-1].key or position.step == sequence.FOOT
    if isinstance(order, orders.EndPhase) and is_last and position.phasing != position.first:
        dice += 2  # the next turn begins with the dice for the initiative
    if position.step == "setup":
        dice += 2
    return Forecast(branches({"the step is over": Fraction(1)}), (), dice=dice)


def losses(position: Position, side: SideId, step: str) -> Iterator[Reminder]:
    """The batteries that would stay silent although they have missions left (PB3-502)."""
    if step == sequence.PLOTS:
        for battery in artillery.batteries_of(position, side):
            if artillery.plot_of(position, battery.id) is None:
                text = f"{battery_name(position, battery.id)} has no target ({battery.missions} missions left)"
                yield Reminder(text, RuleId("PB3-502"))


def title_of_ending(view: View[Position]) -> str:
    """The name of the step that would be ended; in the fire step what ending it does."""
    if view.position.step == sequence.FIRE and view.position.shots:
        return "Resolve fire"
    step = sequence.BY_KEY.get(view.position.step)
    return f"End: {step.title}" if step is not None else "End: Setup"
