"""What orders may bring, in closed form: the results of a fire, and the shots that known enemies may take.

Rules: PB-CRT-21, PB-OPF-4.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from sandtable.kernel.events import Order
from sandtable.kernel.forecast import Arrival, Branch, Forecast, Reaction, branches
from sandtable.kernel.ids import UnitId
from sandtable.kernel.state import View
from sandtable.rulesets.panzer_battles import orders as o
from sandtable.rulesets.panzer_battles.assault import prospects as storming
from sandtable.rulesets.panzer_battles.describe import EFFECTS
from sandtable.rulesets.panzer_battles.fire import direct, opportunity
from sandtable.rulesets.panzer_battles.fire.situations import shot
from sandtable.rulesets.panzer_battles.model import TRUTH, Position, Unit, with_units
from sandtable.rulesets.panzer_battles.movement import moves
from sandtable.rulesets.panzer_battles.names import losses_text, place_name, unit_name
from sandtable.rulesets.panzer_battles.results.odds import ResultOdds, exact_shares, result_odds
from sandtable.rulesets.panzer_battles.spotting import concealment

HARMLESS = "no loss"


def odds_of(position: Position, firer: Unit, target: Unit) -> ResultOdds:
    """What a fire may do to its target.

    Rules: PB-CRT-21.
    """
    found = shot(position, firer, target)
    return result_odds(found.struck, found.interval, position.parameters, multiplier=found.multiplier)


def outcomes(odds: ResultOdds, target: Unit) -> dict[str, Fraction]:
    """Each result in words, with its chance; together they are certain."""
    weights: dict[str, Fraction] = {}
    for (lost, effect), chance in exact_shares(odds.outcomes).items():
        words = f"loses {losses_text(target.kind, lost)}" if lost else HARMLESS
        text = f"{words}{EFFECTS[effect]}"
        weights[text] = weights.get(text, Fraction(0)) + chance
    return weights


def brief_odds(position: Position, order: o.Fire) -> tuple[str, str]:
    """What a fire can be expected to do: in a phrase, and in a few characters."""
    found = odds_of(position, position.units[order.unit], position.units[order.target])
    return f"{found.mean_loss:.1f} expected loss, {found.any_loss:.0%} any", f"{found.mean_loss:.1f}"


def believed(position: Position) -> Position:
    """The world of a view, in which nothing stands where nothing is known."""
    return replace(position, viewer=TRUTH, unknowns=(), intel={})


def odds(view: View[Position], order: Order) -> Forecast | None:
    """The forecast of an order; None for what throws no dice."""
    match order:
        case o.Move():
            return _of_move(view, order)
        case o.Fire():
            return _of_fire(view, order)
        case o.Assault():
            return _of_assault(view, order)
        case o.EndTurn():
            # what the start of the enemy's turn draws by lot is nothing to look into
            return Forecast((Branch("the other side's turn begins", "1/1"),), (), dice=1)
    return None


def _of_fire(view: View[Position], order: o.Fire) -> Forecast:
    position = believed(view.position)
    firer, target = position.units[order.unit], position.units[order.target]
    weights = outcomes(odds_of(position, firer, target), target)
    answers = tuple(reaction for reaction, _ in _answers(position, firer, by_moving=False))
    tally = direct.explain_fire(position, view.side, order)
    return Forecast(branches(weights), tally, dice=5, reactions=answers)


def _of_assault(view: View[Position], order: o.Assault) -> Forecast:
    """An assault on what is known to be in the hex; nothing is worked out where nothing is known.

    Rules: PB-CRT-21.
    """
    tally = storming.explain_assault(view.position, view.side, order)
    found = storming.prospect(believed(view.position), view.side, order)
    if found is None:
        return Forecast((Branch(storming.UNKNOWN, "1/1"),), tally, exact=False, error=1.0)
    return Forecast(branches(storming.branches_of(found)), tally, dice=8)


def _of_move(view: View[Position], order: o.Move) -> Forecast:
    """A move with the shots that known enemies may take on the way; a hit stops it.

    Rules: PB-MOVE-11, PB-OPF-1.
    """
    position = believed(view.position)
    reactions: list[Reaction] = []
    least = Fraction(1)
    for place in order.path:
        for id in order.units:
            unit = position.units[id]
            hidden = concealment.is_hidden_on_entering(position, unit, place)
            position = with_units(position, (replace(unit, hex=place, concealed=hidden),))
            for reaction, hit in _answers(position, position.units[id], by_moving=True):
                reactions.append(reaction)
                least *= 1 - hit
    end = Branch(f"moves to {place_name(position, order.path[-1])}", "1/1")
    tally = moves.explain_move(view.position, view.side, order)
    if not reactions:
        return Forecast((end,), tally)
    return Forecast((end,), tally, reactions=tuple(reactions), arrival=Arrival("1", str(least)))


def _answers(position: Position, target: Unit, *, by_moving: bool) -> Iterator[tuple[Reaction, Fraction]]:
    """The shots that known enemies may take at a unit where it stands, each with how likely it is fired and hits."""
    for unit, chance in opportunity.chances(position, target, by_moving=by_moving):
        weights = outcomes(odds_of(position, unit, target), target)
        spared = weights.get(HARMLESS, Fraction(0))
        text = f"{unit_name(position, unit.id)} fires from {place_name(position, unit.hex)}, chance {float(chance):.0%}"
        tallies = shot(position, unit, target).value.tallies
        yield Reaction(unit.side, (unit.id,), target.hex, text, branches(weights), tallies), chance * (1 - spared)


def threats_to(position: Position, id: UnitId) -> tuple[Reaction, ...]:
    """The shots that known enemies may take at a unit if it came to where it stands."""
    world = believed(position)
    return tuple(reaction for reaction, _ in _answers(world, world.units[id], by_moving=True))
