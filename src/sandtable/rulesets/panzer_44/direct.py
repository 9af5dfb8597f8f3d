"""Phase 3: plotted direct fire, one attack after the other; all results are applied together at the end.

Nothing has moved since the plot and no firer is panicked or disrupted, so each sees whoever is in its hex.

Rules: P44-5.10, P44-8.01, P44-8.02, P44-8.10.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.ids import NOBODY, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer_44 import fire
from sandtable.rulesets.panzer_44.changes import DIRECT_FIRE
from sandtable.rulesets.panzer_44.events import FireWasted, HitsApplied, VictimAsked
from sandtable.rulesets.panzer_44.model import DIRECT, Plot, Position, Unit
from sandtable.rulesets.panzer_44.orders import NameTarget
from sandtable.rulesets.panzer_44.pieces import enemy_of, first_player
from sandtable.rulesets.panzer_44.plots import plot_of, plots_of
from sandtable.rulesets.panzer_44.refusals import refuse
from sandtable.rulesets.panzer_44.results import inflict, roll_attack
from sandtable.rulesets.panzer_44.stacks import enemies_at, kind_of

RULE = RuleId("P44-8.01")


def decide(position: Position) -> tuple[Decision, ...]:
    """The firing player names a victim where there is more than one."""
    if position.asking == NOBODY:
        return ()
    firer = position.units[position.asking]
    prompt = f"Whom does the {kind_of(firer).name} fire at?"
    return (Decision(firer.side, "target", RULE, prompt),)


def victims(position: Position, firer: Unit, plot: Plot) -> list[Unit]:
    """The enemies in the plotted hex that a unit may attack."""
    enemies = enemies_at(position, plot.hex, firer.side)
    return [enemy for enemy in enemies if fire.no_attack(position, firer, enemy) is None]


def _next_plot(position: Position) -> Plot | None:
    """The next fire to be resolved: the First Player's, then the other's (P44-5.10)."""
    first = first_player(position)
    for side in (first, enemy_of(first)):
        for plot in plots_of(position, side, DIRECT):
            if plot.unit not in position.shot:
                return plot
    return None


def go_on(resolution: Resolution[Position]) -> bool:
    """One more attack was made, or somebody is asked for its victim; False when all fire is resolved and applied."""
    position = resolution.position
    plot = _next_plot(position)
    if plot is None:
        _apply(resolution)
        return False
    firer = position.units[plot.unit]
    found = victims(position, firer, plot)
    if not found:
        resolution.emit(FireWasted(plot.side, plot.unit, plot.hex))
    elif len(found) == 1:
        _shoot(resolution, firer.id, found[0].id)
    else:
        resolution.emit(VictimAsked(plot.side, plot.unit))
    return True


def _shoot(resolution: Resolution[Position], firer: UnitId, target: UnitId) -> None:
    units = resolution.position.units
    odds = fire.aimed(resolution.position, units[firer], units[target])
    roll_attack(resolution, DIRECT_FIRE, target, odds, "P44-9.05", firer)


def _apply(resolution: Resolution[Position]) -> None:
    """All markers and losses of the phase are applied together (P44-5.10)."""
    hits = resolution.position.hits
    resolution.emit(HitsApplied())
    for hit in hits:
        inflict(resolution, hit.unit, hit.result)


# --- naming a victim ------------------------------------------------------------------------------------------------


def _asking(position: Position) -> tuple[Unit, Plot]:
    plot = plot_of(position, position.asking)
    assert plot is not None
    return position.units[position.asking], plot


def check_name(position: Position, side: SideId, order: NameTarget) -> Refusal | None:
    """Why that can't be the victim, or None."""
    if order.target not in [unit.id for unit in victims(position, *_asking(position))]:
        return refuse("P44-8.01", "it must be an enemy in the plotted hex that the unit may attack")
    return None


def resolve_name(resolution: Resolution[Position], side: SideId, order: NameTarget) -> None:
    _shoot(resolution, resolution.position.asking, order.target)


def name_options(position: Position, side: SideId) -> Iterator[NameTarget]:
    for unit in victims(position, *_asking(position)):
        yield NameTarget(unit.id)


def named_odds(position: Position, order: NameTarget) -> fire.Odds:
    """The numbers of the attack on a victim."""
    return fire.aimed(position, position.units[position.asking], position.units[order.target])


def explain_name(position: Position, side: SideId, order: NameTarget) -> tuple[Tally, ...]:
    odds = named_odds(position, order)
    return odds.superiority, odds.reduction
