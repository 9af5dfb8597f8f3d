"""How an assault is offered and explained, and what it may bring as far as its side knows.

Rules: PB-ASLT-2, PB-CRT-21.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, RuleId, SideId
from sandtable.kernel.ruleset import Selection
from sandtable.kernel.trace import Line, Tally
from sandtable.play.rows import Aim, Label
from sandtable.play.words import listed
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.assault.eligibility import (
    cannot_assault,
    check_assault,
    defenders_of,
    is_held,
    is_overrun,
)
from sandtable.rulesets.panzer_battles.assault.odds import Capture, entered, side_fate, success
from sandtable.rulesets.panzer_battles.assault.retreat import capture_chance, is_trapped
from sandtable.rulesets.panzer_battles.assault.situations import as_fighter, circumstances, value_of
from sandtable.rulesets.panzer_battles.assault.values import attackers_disruption, combined_arms, shares
from sandtable.rulesets.panzer_battles.fire.situations import as_struck
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.names import COMPONENTS, unit_name
from sandtable.rulesets.panzer_battles.orders import Assault
from sandtable.rulesets.panzer_battles.results.losses import Interval, assault_interval
from sandtable.rulesets.panzer_battles.results.odds import ResultOdds, mean_loss, result_odds

TAKEN, BEATEN, HELD, UNKNOWN = (
    "the hex is taken",
    "the defenders are beaten, and nobody moves in",
    "the hex is held",
    "nobody knows what is there",
)


class Prospect(NamedTuple):
    """What an assault may bring: how likely it succeeds, how likely the attackers move in, and the nominal losses to be
    expected.
    """

    success: float
    taken: float
    hurt: float
    cost: float


def can_storm(position: Position, unit: Unit) -> bool:
    """Whether a unit of its type ever assaults."""
    return bool(unit.of.assault) and not unit.of.has("hq") and not unit.of.has("towed")


def targets(position: Position, unit: Unit) -> list[HexId]:
    """The neighboring hexes in which an enemy is known to be."""
    beside = (HexId(place) for place in position.ground.board.neighbors(unit.hex))
    return [place for place in beside if is_held(position, unit.side, place)]


def bars_assault(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What keeps a unit from any assault: something in itself, or in the way to every enemy known beside it.

    Rules: PB-ASLT-4, PB-ASLT-6, PB-ASLT-7.
    """
    refusal = cannot_assault(position, side, unit)
    if refusal is not None:
        return refusal
    tried = [check_assault(position, side, Assault((unit.id,), place)) for place in targets(position, unit)]
    return tried[0] if tried and all(tried) else None


def assault_options(position: Position, side: SideId, unit: Unit) -> Iterator[Assault]:
    """An assault of one unit on every neighboring hex that it may attack."""
    if cannot_assault(position, side, unit) is None:
        for place in targets(position, unit):
            order = Assault((unit.id,), place)
            if check_assault(position, side, order) is None:
                yield order


def joined(position: Position, side: SideId, order: Assault) -> Assault:
    """The assault with everybody who may join in from any side."""
    helpers = [
        unit.id
        for unit in index.adjacent(position, side, order.hex)
        if unit.id not in order.units and check_assault(position, side, Assault((unit.id,), order.hex)) is None
    ]
    return Assault((*order.units, *helpers), order.hex)


def assault_offers(position: Position, side: SideId, unit: Unit) -> Iterator[Assault]:
    """Each assault of a unit alone, and after it the same with everybody who may join in.

    Rules: PB-ASLT-2.
    """
    for order in assault_options(position, side, unit):
        yield order
        everybody = joined(position, side, order)
        if everybody != order:
            yield everybody


def assault_aim(position: Position, order: Assault) -> Aim:
    return Aim(order.hex, actors=order.units)


def point_assault(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> Assault | Refusal:
    """The assault of those picked on the hex pointed at."""
    return Assault(tuple(unit.id for unit in units), target.hex)


def assault_label(position: Position, side: SideId, order: Assault) -> Label:
    """How likely the hex is taken, as far as that is known."""
    found = prospect(position, side, order)
    who = listed(unit_name(position, id) for id in order.units)
    if found is None:
        return Label(UNKNOWN, "?", who)
    chance = f"{found.taken:.0%}"
    return Label(f"{chance} to take the hex", chance, f"{who}: {chance}")


def explain_assault(position: Position, side: SideId, order: Assault) -> tuple[Tally, ...]:
    """Both sides' values, as far as they are known."""
    foes = defenders_of(position, side, order.hex)
    if not foes or is_overrun(foes):
        return ()
    ours = [position.units[id] for id in order.units]
    return (*value_of(position, ours, foes, order.hex).tallies, *_unaccompanied(position, ours, foes, order.hex))


def _unaccompanied(position: Position, ours: Sequence[Unit], foes: Sequence[Unit], place: HexId) -> tuple[Tally, ...]:
    """How many vehicles attack at half strength for want of infantry, where that betrays nothing.

    Rules: PB-ASLT-34.
    """
    storm = [as_fighter(position, unit, place) for unit in ours]
    stand = [as_fighter(position, unit, place, ours) for unit in foes]
    alone = sum(combined_arms(storm, stand, circumstances(position, ours, place)))
    if position.ground.options.fog or not alone:
        return ()
    return (Tally("Vehicles without infantry", str(alone), (Line("at half strength", alone, RuleId("PB-ASLT-32")),)),)


class Sides(NamedTuple):
    """Both sides of an assault worked out: who they are, which part of its side's casualty value each unit takes, and
    between which values that lies.
    """

    ours: tuple[Unit, ...]
    foes: tuple[Unit, ...]
    our_shares: tuple[float, ...]
    their_shares: tuple[float, ...]
    on_ours: Interval
    on_theirs: Interval
    shock: Fraction


def sides_of(position: Position, side: SideId, order: Assault) -> Sides | None:
    """Both sides of an assault, as far as they are known; None where nobody fights back.

    Rules: PB-ASLT-37, PB-ASLT-38, PB-ASLT-40.
    """
    ours, foes = tuple(position.units[id] for id in order.units), tuple(defenders_of(position, side, order.hex))
    if not foes or is_overrun(foes):
        return None
    parameters = position.parameters
    storm = [as_fighter(position, unit, order.hex) for unit in ours]
    stand = [as_fighter(position, unit, order.hex, ours) for unit in foes]
    value, context = value_of(position, ours, foes, order.hex), circumstances(position, ours, order.hex)
    return Sides(
        ours,
        foes,
        shares(storm, parameters),
        shares(stand, parameters),
        assault_interval(value.on_attackers, parameters),
        assault_interval(value.on_defenders, parameters),
        attackers_disruption(context, parameters),
    )


def fates(position: Position, side: SideId, order: Assault) -> Iterator[tuple[Unit, ResultOdds]]:
    """What an assault may do to each unit of both sides.

    Rules: PB-CRT-21, PB-ASLT-38, PB-ASLT-40, PB-ASLT-41.
    """
    found = sides_of(position, side, order)
    if found is None:
        return
    parameters, alternative = position.parameters, position.ground.options.alternative_assault
    for unit, share in zip(found.ours, found.our_shares, strict=True):
        part = Interval(found.on_ours.low * share, found.on_ours.high * share)
        yield (
            unit,
            result_odds(
                as_struck(unit), part, parameters, multiplier=found.shock, attacks=True, alternative=alternative
            ),
        )
    for unit, share in zip(found.foes, found.their_shares, strict=True):
        part = Interval(found.on_theirs.low * share, found.on_theirs.high * share)
        yield unit, result_odds(as_struck(unit), part, parameters, alternative=alternative)


def prospect(position: Position, side: SideId, order: Assault) -> Prospect | None:
    """What an assault may bring against the defenders that are known; None when none is.

    Rules: PB-CRT-21, PB-ASLT-42, PB-ASLT-43, PB-ASLT-46.
    """
    found = sides_of(position, side, order)
    if found is None:
        overrun = defenders_of(position, side, order.hex)
        return Prospect(1.0, 1.0, float(sum(unit.strength for unit in overrun)), 0.0) if overrun else None
    parameters, alternative = position.parameters, position.ground.options.alternative_assault
    theirs = side_fate(
        [as_struck(unit) for unit in found.foes],
        found.their_shares,
        found.on_theirs,
        parameters,
        alternative=alternative,
        captures=[_capture(position, unit) for unit in found.foes],
    )
    own = side_fate(
        [as_struck(unit) for unit in found.ours],
        found.our_shares,
        found.on_ours,
        parameters,
        multiplier=found.shock,
        attacks=True,
        alternative=alternative,
    )
    return Prospect(success(own, theirs), entered(own, theirs), mean_loss(found.on_theirs), mean_loss(found.on_ours))


def _capture(position: Position, unit: Unit) -> Capture | None:
    """How likely a defender is captured altogether, where he can't retreat."""
    if not is_trapped(position, unit):
        return None
    return lambda strength, is_broken: capture_chance(position, unit, strength, is_broken=is_broken)


def losses_tally(position: Position, side: SideId, order: Assault, each: Sequence[tuple[Unit, ResultOdds]]) -> Tally:
    """What both sides can be expected to lose, men, guns and vehicles apart; of those who are overrun nobody is left.

    Rules: PB-CRT-21, PB-ASLT-54.
    """
    rule, losses = RuleId("PB-CRT-21"), [(unit, odds.mean_loss) for unit, odds in each]
    if not losses:
        losses = [(unit, float(unit.strength)) for unit in defenders_of(position, side, order.hex)]
    cost = _in_components((unit, loss) for unit, loss in losses if unit.side == side)
    hurt = _in_components((unit, loss) for unit, loss in losses if unit.side != side)
    lines = (Line("attackers", cost, rule), Line("defenders", hurt, rule))
    return Tally("Losses to be expected", f"{cost} for {hurt}", lines)


def _in_components(losses: Iterable[tuple[Unit, float]]) -> str:
    """Losses of several units in words, each component as a number by itself."""
    summed = dict.fromkeys(COMPONENTS, 0.0)
    for unit, loss in losses:
        summed[unit.of.component] += loss
    return listed((f"{loss:.1f} {COMPONENTS[component][1]}" for component, loss in summed.items() if loss), "nothing")


def branches_of(found: Prospect) -> dict[str, Fraction]:
    """How it ends, in exact millionths: the hex is taken, or its defenders are beaten and stay, or hold it.

    Rules: PB-ASLT-42, PB-ASLT-46.
    """
    taken, won = (Fraction(round(chance * 1_000_000), 1_000_000) for chance in (found.taken, found.success))
    chances = {TAKEN: taken, BEATEN: won - taken, HELD: 1 - won}
    return {text: chance for text, chance in chances.items() if chance}
