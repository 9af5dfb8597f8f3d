"""What a plotted order leads to when the plots are open: the numbers of fire that is only written down yet.

Rules: P44-8.01, P44-11.03, P44-11.04, P44-11.05, P44-11.06, P44-11.10.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sandtable.kernel.forecast import Branch, Reaction, branches
from sandtable.kernel.ids import RuleId, SideId, UnitId
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_44 import direct, fire, plotting, shelling
from sandtable.rulesets.panzer_44 import orders as o
from sandtable.rulesets.panzer_44.describe import unit_name
from sandtable.rulesets.panzer_44.insight import branches_of
from sandtable.rulesets.panzer_44.model import Position, Unit
from sandtable.rulesets.panzer_44.results import RESULT_WORDS
from sandtable.rulesets.panzer_44.stacks import enemies_at

MISSED, DRIVEN_OFF = "not under the shells", "driven off"

Shells = o.PlotIndirectFire | o.PlotMission


def _victims(position: Position, side: SideId, order: o.PlotDirectFire) -> Iterator[tuple[Unit, Unit]]:
    """Each firer with each enemy in the plotted hex that it may attack."""
    for plot in plotting.written(side, order):
        firer = position.units[plot.unit]
        for target in direct.victims(position, firer, plot):
            yield firer, target


def explain_direct(position: Position, side: SideId, order: o.PlotDirectFire) -> tuple[Tally, ...]:
    """The numbers of each attack that the plotted fire may become."""
    found = (fire.aimed(position, firer, target) for firer, target in _victims(position, side, order))
    return tuple(tally for odds in found for tally in (odds.superiority, odds.reduction))


def later_direct(view: View[Position], order: o.PlotDirectFire) -> tuple[Reaction, ...]:
    """Each attack that the plotted fire may become, with its odds; the victim is named when it is made."""
    position, side = view.position, view.side
    return tuple(
        _shot(position, firer, target, fire.aimed(position, firer, target))
        for firer, target in _victims(position, side, order)
    )


def _shot(position: Position, firer: Unit, target: Unit, odds: fire.Odds) -> Reaction:
    text = f"{unit_name(position, firer.id)} fires at {unit_name(position, target.id)}"
    return Reaction(firer.side, (firer.id,), target.hex, text, branches_of(odds), (odds.superiority, odds.reduction))


# --- shells -----------------------------------------------------------------------------------------------------------


def _guns(position: Position, side: SideId, order: Shells) -> shelling.Guns:
    (plot,) = plotting.written(side, order)
    return shelling.guns_of(position, plot)


def explain_shells(position: Position, side: SideId, order: Shells) -> tuple[Tally, ...]:
    """How likely the shells come down where they are aimed, in sixths (P44-11.03, P44-11.04)."""
    if not shelling.is_observed(position, side, order.hex):
        line = Line("unobserved: always two hexes off", 0, RuleId("P44-11.04"))
        return (Tally("On target with a roll up to", 0, (line,)),)
    number = min(fire.DIE, shelling.accuracy_of(position, _guns(position, side, order), order.hex))
    line = Line("accuracy of observed fire", number, RuleId("P44-11.03"))
    return (Tally("On target with a roll up to", number, (line,)),)


def later_shells(view: View[Position], order: Shells) -> tuple[Reaction, ...]:
    """For everybody who may come under the shells, if all stays as it is: what they do to him, and how likely."""
    position, side = view.position, view.side
    guns = _guns(position, side, order)
    accuracy = shelling.accuracy_of(position, guns, order.hex)
    under: dict[UnitId, Fraction] = {}
    for impact, chance in shelling.impacts(position, side, order.hex, accuracy).items():
        for unit in shelling.under_shells(position, impact, order.pattern):
            under[unit.id] = under.get(unit.id, Fraction(0)) + chance
    actors = (order.unit,) if isinstance(order, o.PlotIndirectFire) else ()
    found = []
    for id, chance in sorted(under.items(), key=lambda item: (-item[1], item[0])):
        target = position.units[id]
        odds = shelling.shell_odds(position, guns.strength, order.pattern, target)
        results = _weighted(odds, chance, MISSED)
        text = f"shells on {unit_name(position, id)}"
        found.append(Reaction(side, actors, target.hex, text, results, (odds.superiority, odds.reduction)))
    return tuple(found)


def _weighted(odds: fire.Odds, chance: Fraction, otherwise: str) -> tuple[Branch, ...]:
    """The results of an attack that is made only with some chance."""
    weights = {RESULT_WORDS[result]: p * chance for result, p in odds.chances.items()}
    return branches({**weights, otherwise: 1 - chance} if chance < 1 else weights)


def later_sortie(view: View[Position], order: o.PlotSortie) -> tuple[Reaction, ...]:
    """What the aircraft may do to each enemy in the hex, if somebody marks it (P44-11.10)."""
    position, side = view.position, view.side
    kind = next(one.kind for one in position.sorties if one.name == order.sortie)
    chance = Fraction(len(shelling.attack_rolls(position, side, order.hex)), fire.DIE)
    found = []
    for target in enemies_at(position, order.hex, side):
        odds = shelling.bomb_odds(position, kind, target)
        text = f"{order.sortie} attacks {unit_name(position, target.id)}"
        tallies = (odds.superiority, odds.reduction)
        found.append(Reaction(side, (), target.hex, text, _weighted(odds, chance, DRIVEN_OFF), tallies))
    return tuple(found)


# --- warnings ---------------------------------------------------------------------------------------------------------


def wasted(position: Position, side: SideId, order: o.PlotDirectFire) -> str:
    """A warning where plotted fire would hit nobody."""
    against = [plotting.in_vain(position, position.units[unit], order.hex) for unit in order.units]
    return next((refusal.reason for refusal in against if refusal is not None), "")


def unobserved(position: Position, side: SideId, order: Shells) -> str:
    """A warning where nobody of the side sees the hex."""
    seen = shelling.is_observed(position, side, order.hex)
    return "" if seen else "nobody observes that hex: the shells will fall two hexes off"


def unmarked(position: Position, side: SideId, order: o.PlotSortie) -> str:
    """A warning where no spotter is near enough now."""
    marked = shelling.is_marked(position, side, order.hex)
    return "" if marked else f"no spotter within {shelling.AIR_SPOTTING} hexes sees that hex now"
