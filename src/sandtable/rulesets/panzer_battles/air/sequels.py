"""What a called air mission meets at the start of its side's next turn, if all stays as it is: interceptors, the
anti-aircraft guns that are known, and what comes of the bombs or of the look.

Rules: PB-AIR-2, PB-AIR-8.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sandtable.kernel.forecast import Reaction, branches
from sandtable.kernel.ids import HexId, RuleId, SideId
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line, Tally
from sandtable.play.words import does, so_many
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.air.calling import is_halved
from sandtable.rulesets.panzer_battles.air.flying import (
    as_flyer,
    as_gunner,
    enemies_at,
    flies_low,
    gunners,
    interception_chance,
    strike_shot,
)
from sandtable.rulesets.panzer_battles.air.orders import AnyCall, CallCarpet, CallRecon, CallStrike
from sandtable.rulesets.panzer_battles.air.values import flak_value, recon_chance
from sandtable.rulesets.panzer_battles.fire.prospects import HARMLESS, believed, outcomes, shot_odds
from sandtable.rulesets.panzer_battles.fire.situations import as_struck
from sandtable.rulesets.panzer_battles.model import Position, Unit, enemy_of, men
from sandtable.rulesets.panzer_battles.names import place_name, unit_name
from sandtable.rulesets.panzer_battles.results.losses import fire_interval
from sandtable.rulesets.panzer_battles.results.odds import result_odds
from sandtable.rulesets.panzer_battles.terrain import terrain_at


def of_strike(view: View[Position], order: CallStrike) -> tuple[Reaction, ...]:
    """What a strike meets and does.

    Rules: PB-AIR-7, PB-AIR-17, PB-AIR-18.
    """
    position = believed(view.position)
    return (*_on_the_way(position, view.side, order), *_bombs(position, order))


def of_carpet(view: View[Position], order: CallCarpet) -> tuple[Reaction, ...]:
    """What heavy bombers meet, and whom their bombs may fall on.

    Rules: PB-AIR-22, PB-AIR-23.
    """
    position = believed(view.position)
    return (*_on_the_way(position, view.side, order), _scatter(position, view.side, order))


def of_recon(view: View[Position], order: CallRecon) -> tuple[Reaction, ...]:
    """What a reconnaissance flight meets, and what it may find.

    Rules: PB-AIR-26, PB-AIR-27.
    """
    position = believed(view.position)
    return (*_on_the_way(position, view.side, order), _look(position, view.side, order))


def _on_the_way(position: Position, side: SideId, order: AnyCall) -> Iterator[Reaction]:
    """What the aircraft have to get through first.

    Rules: PB-AIR-6, PB-AIR-9, PB-AIR-16, PB-AIR-44.
    """
    unit, board = position.units[order.unit], position.ground.board
    chance = interception_chance(position, unit)
    where = place_name(position, order.hex)
    flown = f"At the start of your next turn, unless a storm keeps them down, they fly to {where}"
    ways = {"intercepted": chance, "not intercepted": 1 - chance}
    line = Line("interception", f"{float(chance):.0%}", RuleId("PB-AIR-44"))
    found = branches({text: likely for text, likely in ways.items() if likely})
    yield Reaction(
        enemy_of(side), (), order.hex, flown, found, (Tally("Interception", f"{float(chance):.0%}", (line,)),)
    )
    for gun in gunners(position, unit, order.hex):
        value = flak_value(
            as_gunner(position, gun), board.distance(gun.hex, order.hex), position.parameters, flies_low=flies_low(unit)
        )
        between = fire_interval(value.value / unit.of.defense, position.parameters)
        weights = outcomes(result_odds(as_struck(unit), between, position.parameters), unit)
        deed = f"fires at the aircraft from {place_name(position, gun.hex)}"
        text = does([unit_name(position, gun.id)], deed)
        yield Reaction(gun.side, (gun.id,), order.hex, text, branches(weights, HARMLESS), (value.tally(),))


def _bombs(position: Position, order: CallStrike) -> Iterator[Reaction]:
    """What a strike by all who set out does to each enemy who may be the one that is struck."""
    unit = position.units[order.unit]
    targets = enemies_at(position, unit, order.hex)
    if not targets:
        text = f"Whom it strikes is not known: nobody is seen in {place_name(position, order.hex)} (PB-AIR-17)"
        yield Reaction(unit.side, (unit.id,), order.hex, text)
    everybody = sum(men(target, position.parameters) for target in targets)
    halved = is_halved(position, unit, order.hex)
    for target in targets:
        chosen = men(target, position.parameters) / everybody
        lot = f", which is chosen with {chosen:.0%}" if len(targets) > 1 else ""
        shot = strike_shot(position, as_flyer(unit), target, halved=halved, share=1.0, multiplier=Fraction(1))
        found = branches(outcomes(shot_odds(position, shot), target), HARMLESS)
        text = f"A strike in full strength on {unit_name(position, target.id)}{lot}"
        yield Reaction(unit.side, (unit.id,), order.hex, text, found, shot.value.tallies)


def _scatter(position: Position, side: SideId, order: CallCarpet) -> Reaction:
    """On whom the bombs of a carpet may fall."""
    reach = position.parameters.air.carpet_scatter_hexes
    around = position.ground.board.within(order.hex, reach)
    weights: dict[str, Fraction] = {}
    for place in around:
        text = _under_bombs(position, side, HexId(place))
        weights[text] = weights.get(text, Fraction(0)) + Fraction(1, len(around))
    where = f"one of {so_many(len(around), 'hex', 'hexes')} within {reach} of {place_name(position, order.hex)}"
    text = f"The bombs fall on everybody in {where}"
    lines = (Line("the hex itself", f"1 of {len(around)}", RuleId("PB-AIR-23")),)
    return Reaction(side, (order.unit,), order.hex, text, branches(weights), (Tally("Scatter", len(around), lines),))


def _under_bombs(position: Position, side: SideId, place: HexId) -> str:
    sides = {unit.side for unit in index.at(position, place)}
    if side in sides:
        return "on your own units"
    return "on known enemies" if sides else "where nobody is known to be"


def _look(position: Position, side: SideId, order: CallRecon) -> Reaction:
    """What a flight may find in the hex it is sent to, and how likely farther away."""
    unit: Unit = position.units[order.unit]
    terrain = position.parameters.terrain.combat_pct[terrain_at(position, order.hex)]

    def chance(distance: int, cover: int) -> Fraction:
        return recon_chance(
            distance, cover, unit.strength, unit.quality, position.parameters, disrupted=unit.disrupted
        )  # fmt: skip

    found = chance(0, terrain)
    weights = {"seen in detail": found / 2, "reported": found / 2, "not found": 1 - found}
    lines = tuple(
        Line(
            f"{so_many(distance, 'hex', 'hexes')} away, without cover",
            f"{float(chance(distance, 0)):.0%}",
            RuleId("PB-AIR-26"),
        )
        for distance in range(1, position.visibility + 1)
    )
    lines += (Line("who is concealed", "reported at best", RuleId("PB-AIR-28")),)
    text = f"If there is an enemy in {place_name(position, order.hex)}, seen in detail only where he is not concealed"
    return Reaction(
        side, (order.unit,), order.hex, text,
        tuple(branch for branch in branches(weights) if branch.chance),
        (Tally("Found in the hex", f"{float(found):.0%}", lines),),
    )  # fmt: skip
