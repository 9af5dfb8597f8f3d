"""What orders may bring, in closed form: the results of a fire, and the shots that known enemies may take.

Rules: PB-CRT-21, PB-OPF-4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import prod
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.kernel.events import Order
from sandtable.kernel.forecast import Arrival, Branch, Forecast, Reaction, branches
from sandtable.kernel.ids import NOWHERE, HexId, RuleId, SideId, UnitId
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line, Tally
from sandtable.play.words import does
from sandtable.rulesets.panzer_battles import orders as o
from sandtable.rulesets.panzer_battles.air import interdiction
from sandtable.rulesets.panzer_battles.assault import prospects as storming
from sandtable.rulesets.panzer_battles.assault.situations import exposed_to_answers
from sandtable.rulesets.panzer_battles.deception.effects import astray_chance
from sandtable.rulesets.panzer_battles.engineers import demolition
from sandtable.rulesets.panzer_battles.engineers.orders import Demolish, FerryAcross
from sandtable.rulesets.panzer_battles.fire import direct, opportunity
from sandtable.rulesets.panzer_battles.fire.orders import Bombard, KeepBombarding, KeepFiring
from sandtable.rulesets.panzer_battles.fire.shelling import Salvo, salvo
from sandtable.rulesets.panzer_battles.fire.situations import Shot, shot
from sandtable.rulesets.panzer_battles.model import TRUTH, Position, Unit, enemy_of, with_units
from sandtable.rulesets.panzer_battles.movement import columns, moves
from sandtable.rulesets.panzer_battles.movement.breakdown import breakdown_chance
from sandtable.rulesets.panzer_battles.movement.carrying import passengers, riders
from sandtable.rulesets.panzer_battles.movement.minefields import as_far_as_mines, blast, is_spared
from sandtable.rulesets.panzer_battles.movement.orders import MoveColumn
from sandtable.rulesets.panzer_battles.names import COMPASS, COMPONENTS, EFFECTS, place_name, strength_text, unit_name
from sandtable.rulesets.panzer_battles.results.losses import NONE, probability
from sandtable.rulesets.panzer_battles.results.odds import ResultOdds, exact_shares, result_odds
from sandtable.rulesets.panzer_battles.spotting import concealment, scouting
from sandtable.rulesets.panzer_battles.spotting.fog import is_fogged
from sandtable.rulesets.panzer_battles.spotting.levels import spotted_enemies, spotters

HARMLESS = "no loss"
MOST_RESULTS = 6
"""So many results of a fire are told one by one."""


def odds_of(position: Position, firer: Unit, target: Unit) -> ResultOdds:
    """What a fire may do to its target.

    Rules: PB-CRT-21.
    """
    return shot_odds(position, shot(position, firer, target))


def shot_odds(position: Position, found: Shot) -> ResultOdds:
    """What a fire that has been worked out may do.

    Rules: PB-CRT-19, PB-CRT-21, PB-OPT-10.
    """
    alternative = position.ground.options.alternative_fire
    return result_odds(
        found.struck, found.interval, position.parameters, multiplier=found.multiplier, alternative=alternative
    )


def answer_odds(position: Position, answer: opportunity.Chance, target: Unit) -> ResultOdds:
    """What a shot that an enemy may take can do to its target.

    Rules: PB-CRT-21, PB-OPF-9.
    """
    if not answer.indirect:
        return odds_of(position, answer.unit, target)
    fired = salvo(position, answer.unit, target.hex)
    return shot_odds(position, fired.shots[[one.id for one in fired.targets].index(target.id)])


def outcomes(odds: ResultOdds, target: Unit) -> dict[str, Fraction]:
    """Each result in words, with its chance; together they are certain. Where there are more than a player reads, those
    of one effect are one.
    """
    shares = exact_shares(odds.outcomes)
    spans: dict[str, list[int]] = {}
    if len(shares) > MOST_RESULTS:
        for lost, effect in sorted(shares):
            spans.setdefault(effect, []).extend([lost] if lost else [])
    weights: dict[str, Fraction] = {}
    for (lost, effect), chance in shares.items():
        text = f"{_loss_words(target, lost, spans.get(effect) or [lost])}{EFFECTS[effect]}"
        weights[text] = weights.get(text, Fraction(0)) + chance
    return weights


def _loss_words(target: Unit, lost: int, span: list[int]) -> str:
    """A loss in words, or the span of losses that it is told with."""
    if not lost:
        return HARMLESS
    fewest, most = span[0], span[-1]
    words = strength_text(target.kind, most)
    return f"loses {words}" if fewest == most else f"loses {fewest} to {words}"


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
            return _of_moves(view.position, view.side, (order,))
        case o.MoveLeavingBehind():
            going = moves.followers(view.position, order) or order.units
            return _of_moves(view.position, view.side, (o.Move(going, order.path),))
        case MoveColumn():
            return _of_moves(columns.setting_out(view.position, view.side, order), view.side, columns.marches(order))
        case FerryAcross():
            return _of_moves(view.position, view.side, (o.Move((order.unit,), (order.hex,)),), by_boat=True)
        case o.Fire():
            return _of_fire(view, order)
        case KeepFiring():
            return replace(_of_fire(view, o.Fire(order.unit, order.target)), exact=False, error=1.0)
        case Bombard():
            return _of_bombardment(view, order)
        case KeepBombarding():
            return replace(_of_bombardment(view, Bombard(order.unit, order.hex)), exact=False, error=1.0)
        case o.Assault():
            return _of_assault(view, order)
        case Demolish():
            return _of_demolition(view, order)
        case o.EndTurn():
            # what the start of the enemy's turn draws by lot is nothing to look into
            return Forecast((Branch("the other side's turn begins", "1/1"),), (), dice=1)
    return None


def _of_demolition(view: View[Position], order: Demolish) -> Forecast:
    """A demolition, in closed form.

    Rules: PB-ENG-12, PB-ENG-13.
    """
    position = view.position
    unit = position.units[order.unit]
    found = demolition.charge(position, unit, demolition.target_toward(position, unit, order.hex))
    done = Fraction(round(found.chance * 1_000_000), 1_000_000)
    weights = {text: chance for text, chance in (("damaged", done), ("nothing happens", 1 - done)) if chance}
    return Forecast(branches(weights), demolition.explain_demolish(position, view.side, order), dice=3)


def _of_fire(view: View[Position], order: o.Fire) -> Forecast:
    position = believed(view.position)
    firer, target = position.units[order.unit], position.units[order.target]
    found = odds_of(position, firer, target)
    answers = tuple(reaction for reaction, _ in _answers(position, firer, by_moving=False))
    tally = (_expected(found, target), *direct.explain_fire(position, view.side, order))
    return Forecast(branches(outcomes(found, target), HARMLESS), tally, dice=5, reactions=answers)


def _expected(odds: ResultOdds, target: Unit, title: str = "Loss to be expected") -> Tally:
    """What a combat can be expected to cost a unit.

    Rules: PB-CRT-21.
    """
    rule = RuleId("PB-CRT-21")
    shaken = (
        ("Disrupted", odds.disrupted),
        ("Broken", odds.broken),
        ("eliminated", odds.eliminated),
    )
    lines = (
        Line("any loss", f"{odds.any_loss:.0%}", rule),
        *(Line(word, f"{chance:.0%}", rule) for word, chance in shaken if chance),
    )
    return Tally(title, f"{odds.mean_loss:.1f} {COMPONENTS[target.of.component][1]}", lines)


def _expected_of(position: Position, unit: Unit, odds: ResultOdds) -> Tally:
    """What a combat of several can be expected to cost one of them."""
    return _expected(odds, unit, f"Loss of {unit_name(position, unit.id)} to be expected")


UNSEEN = "nobody will see what comes of it"


def brief_bombardment(position: Position, order: Bombard | KeepBombarding) -> tuple[str, str]:
    """What an indirect fire can be expected to do to those known to be there: in a phrase, and in a few characters."""
    found = salvo(position, position.units[order.unit], order.hex)
    if not found.targets:
        return UNSEEN, "?"
    odds = [shot_odds(position, one) for one in found.shots]
    loss = sum(one.mean_loss for one in odds)
    shaken = 1 - prod(1 - one.disrupted - one.broken - one.eliminated for one in odds)
    return f"{loss:.1f} expected loss, {shaken:.0%} to shake somebody", f"{loss:.1f}"


def salvo_branches(position: Position, found: Salvo) -> dict[str, Fraction]:
    """Each result of a fire into a hex in words, with its chance: of several units, how many are shaken or gone.

    Rules: PB-CRT-20, PB-CRT-21.
    """
    if len(found.targets) == 1:
        return outcomes(shot_odds(position, found.shots[0]), found.targets[0])
    totals: dict[tuple[int, bool], float] = {(0, False): 1.0}
    for one in (shot_odds(position, each) for each in found.shots):
        shaken = one.disrupted + one.broken + one.eliminated
        unhurt = one.outcomes.get((0, NONE), 0.0)
        after: dict[tuple[int, bool], float] = {}
        for (count, hurt), chance in totals.items():
            for key, share in (
                ((count + 1, True), shaken),
                ((count, hurt), unhurt),
                ((count, True), 1 - shaken - unhurt),
            ):
                after[key] = after.get(key, 0.0) + chance * max(0.0, share)
        totals = after
    words = {key: _in_words(*key, len(found.targets)) for key in totals}
    return {words[key]: chance for key, chance in exact_shares(totals).items()}


def _in_words(shaken: int, hurt: bool, units: int) -> str:
    if shaken:
        return f"{shaken} of {units} units shaken or gone"
    return "losses, and nobody shaken" if hurt else HARMLESS


def _of_bombardment(view: View[Position], order: Bombard) -> Forecast:
    """An indirect fire at those who are known to be in the hex; what others there suffer nobody will see.

    Rules: PB-CRT-20, PB-CRT-21, PB-FIRE-63.
    """
    position = believed(view.position)
    found = salvo(position, position.units[order.unit], order.hex)
    answers = tuple(reaction for reaction, _ in _answers(position, position.units[order.unit], by_moving=False))
    if not found.targets:
        # who lies there unseen is hit by dice, and houses may fall in
        return Forecast((Branch(UNSEEN, "1/1"),), (), dice=5, exact=False, error=1.0, reactions=answers)
    expected = tuple(
        _expected_of(position, unit, shot_odds(position, shot))
        for unit, shot in zip(found.targets, found.shots, strict=True)
    )
    tally = (*expected, *(line for each in found.shots for line in each.value.tallies))
    weights = branches(salvo_branches(position, found))
    if order.hex in view.position.unknowns:
        return Forecast(weights, tally, dice=5, exact=False, error=1.0, reactions=answers)
    return Forecast(weights, tally, dice=5, reactions=answers)


def _of_assault(view: View[Position], order: o.Assault) -> Forecast:
    """An assault on what is known to be in the hex, and the shots that it may draw before; nothing is worked out where
    nothing is known.

    Rules: PB-CRT-21, PB-OPF-1.
    """
    tally, position = storming.explain_assault(view.position, view.side, order), believed(view.position)
    found = storming.prospect(position, view.side, order)
    drawn = exposed_to_answers(position, [position.units[id] for id in order.units])
    answers = tuple(reaction for unit in drawn for reaction, _ in _answers(position, unit, by_moving=True))
    if found is None:
        return Forecast((Branch(storming.UNKNOWN, "1/1"),), tally, dice=8, exact=False, error=1.0, reactions=answers)
    fates = tuple(storming.fates(position, view.side, order))
    losses = storming.losses_tally(position, view.side, order, fates)
    each = (_expected_of(position, unit, odds) for unit, odds in fates)
    return Forecast(branches(storming.branches_of(found)), (losses, *tally, *each), dice=8, reactions=answers)


MINES_STOP, CONTACT_STOPS = ", where mines stop it", ", where an enemy comes into sight"
ASTRAY, BROKEN_DOWN = "is sent astray on the way", "a vehicle or more breaks down"
FOUND, DUST = "a concealed enemy is found", "the dust is seen"
"""What the dice of a move itself may bring (PB-DEC-8, PB-MOVE-111, PB-SPOT-23, PB-MOVE-115)."""


class Walked(NamedTuple):
    """A move as it is foreseen: how far it comes and why no farther, who is where then, what known enemies and mines
    may do to it, and the chances that they hit nothing, that no aircraft strike and that nobody sends it astray.
    """

    march: o.Move
    stop: str
    position: Position
    reactions: tuple[Reaction, ...]
    unhit: Fraction
    unstruck: Fraction
    unmisled: Fraction

    @property
    def movers(self) -> list[Unit]:
        """The units where they end."""
        return [self.position.units[id] for id in self.march.units]


def _of_moves(start: Position, side: SideId, marches: tuple[o.Move, ...], *, by_boat: bool = False) -> Forecast:
    """One or several moves, each as far as it is known to come, with what their own dice may bring; a hit stops the
    mover. A passage by boat is no matter of steps.

    Rules: PB-DEC-8, PB-MOVE-11, PB-MOVE-81, PB-MOVE-111, PB-MOVE-115, PB-MOVE-120, PB-SPOT-23, PB-ENG-53, PB-OPF-1.
    """
    walks = [_walked(believed(start), marches[0], side)]
    for march in marches[1:]:
        walks.append(_walked(walks[-1].position, march, side))
    position, first = walks[-1].position, walks[0]
    reactions = [reaction for walk in walks for reaction in walk.reactions]
    least = prod((walk.unhit for walk in walks), start=Fraction(1))
    calm = prod((walk.unstruck for walk in walks), start=Fraction(1))
    led = prod((walk.unmisled for walk in walks), start=Fraction(1))
    goal = first.march.path[-1]
    if calm < 1:
        struck = branches({"the march is struck": 1 - calm, "no aircraft come": calm})
        reactions.append(Reaction(enemy_of(side), (), goal, "aircraft may strike the march on its way", struck))
    worn = [each for walk in walks for each in _wear(start, walk.march, by_boat=by_boat)]
    costs = () if by_boat or len(marches) > 1 else moves.explain_move(start, side, first.march)
    tally = (*costs, *(each for each, _ in worn))
    chances = Arrival("0", "0") if first.stop else Arrival(str(led), str(led * least * calm))
    arrival = chances if first.stop or reactions or led < 1 else None
    may_bring = {
        ASTRAY: 1 - led,
        BROKEN_DOWN: _any_of(chance for _, chance in worn),
        FOUND: _any_of(scouting.finding_chance(walk.position, walk.movers) for walk in walks),
        DUST: _any_of(scouting.dust_chance(walk.position, walk.movers) for walk in walks),
    }
    ends = _ends(f"moves to {place_name(position, goal)}{first.stop}", may_bring)
    dice = sum(1 for chance in may_bring.values() if chance)
    return Forecast(ends, tally, dice=dice, reactions=tuple(reactions), arrival=arrival)


def _any_of(chances: Iterable[Fraction]) -> Fraction:
    """The chance that any of several things happens that have nothing to do with each other."""
    return 1 - prod((1 - chance for chance in chances), start=Fraction(1))


def _ends(end: str, may_bring: Mapping[str, Fraction]) -> tuple[Branch, ...]:
    """The ends of a move by what its own dice bring; who is sent astray may be anywhere."""
    weights = {end: 1 - may_bring[ASTRAY]}
    for what, chance in may_bring.items():
        if what != ASTRAY and chance:
            more = {f"{text}; {what}": share * chance for text, share in weights.items()}
            weights = {text: share * (1 - chance) for text, share in weights.items()} | more
    weights[ASTRAY] = may_bring[ASTRAY]
    return branches(exact_shares({text: float(share) for text, share in weights.items()}))


def _walked(position: Position, march: o.Move, side: SideId) -> Walked:
    """A move as far as known mines, and without fog the enemies who come into sight, let it.

    Rules: PB-MOVE-11, PB-MOVE-51, PB-SPOT-32.
    """
    shown = position
    path = as_far_as_mines(position, [position.units[id] for id in march.units], march.path)
    stop = MINES_STOP if len(path) < len(march.path) else ""
    reactions: list[Reaction] = []
    unhit = unstruck = unmisled = Fraction(1)
    for number, place in enumerate(path, 1):
        before, shown_before = position, shown
        onward = path[number] if number < len(path) else NOWHERE
        for id in march.units:
            position = _with_mover_in(position, id, place)
            shown = position if is_fogged(position) else _with_mover_in(shown, id, place, hides=False)
            mover = position.units[id]
            met = (*_wires(position, mover, onward), *_mines(position, mover))
            for reaction, hit in (*met, *_answers(position, mover, by_moving=True)):
                reactions.append(reaction)
                unhit *= 1 - hit
            position = demolition.without_wires(position, mover)
            unmisled *= 1 - astray_chance(position, mover)
            unstruck *= 1 - interdiction.chance_at(position, mover)
        if number == len(march.path):
            break
        if _shows_enemies(before, position, side):
            path, stop = path[:number], CONTACT_STOPS
            break
        if reactions and _shows_enemies(shown_before, shown, side):
            # whoever fires does not lie hidden again, and comes into sight once more
            unhit = Fraction(0)
    return Walked(replace(march, path=path), stop, position, tuple(reactions), unhit, unstruck, unmisled)


def _with_mover_in(before: Position, id: UnitId, place: HexId, *, hides: bool = True) -> Position:
    """The position in which a unit, and whoever rides on it, has come into a hex; who is known to be out of its sight
    by that may lie hidden again.
    """
    unit = before.units[id]
    hidden = concealment.is_hidden_on_entering(before, unit, place)
    riding = (replace(rider, hex=place) for rider in passengers(before, unit))
    position = with_units(before, (replace(unit, hex=place, concealed=hidden), *riding))
    if is_fogged(position) or not hides:
        return position
    lost = concealment.hidden_again(position, spotters(before))
    return with_units(position, [replace(position.units[other], concealed=True) for other in lost])


def _shows_enemies(before: Position, now: Position, side: SideId) -> bool:
    """Whether a step is known to bring enemies into sight, as it is where no fog hides them."""
    return not is_fogged(now) and bool(spotted_enemies(now, side) - spotted_enemies(before, side))


def _wear(position: Position, order: o.Move, *, by_boat: bool) -> Iterator[tuple[Tally, Fraction]]:
    """How likely a vehicle breaks down on the way, hex by hex, where any may; a passage takes all that is left.

    Rules: PB-MOVE-111, PB-ENG-53.
    """
    for id in order.units:
        unit = position.units[id]
        chances = [
            (place, breakdown_chance(unit, cost, position.parameters))
            for place, cost in ([(order.path[-1], unit.mp)] if by_boat else moves.move_cost(position, order, id))
        ]
        if any(chance for _, chance in chances):
            total = _any_of(chance for _, chance in chances)
            lines = tuple(
                Line(place_name(position, place), f"{float(chance):.2%}", RuleId("PB-MOVE-111"))
                for place, chance in chances
            )
            yield Tally(f"Breakdown of {unit_name(position, id)}", f"{float(total):.1%}", lines), total


def _wires(position: Position, unit: Unit, onward: HexId) -> Iterator[tuple[Reaction, Fraction]]:
    """What becomes of the wired bridges that a unit has come up to, or onto; one that goes up keeps it from going on
    over it, or on it.

    Rules: PB-ENG-60, PB-ENG-63.
    """
    blown, board = probability(position.parameters.bridge.wired_pct.of(unit.side)), position.ground.board
    for direction in demolition.wires_met(position, unit):
        is_under = direction == demolition.ITSELF
        where = "in " if is_under else f"{COMPASS[direction]} of "
        text = f"the wired bridge {where}{place_name(position, unit.hex)} may go up"
        found = branches({"the bridge is down": blown, "the charges fail": 1 - blown})
        is_on_the_way = is_under or board.direction(unit.hex, onward or unit.hex) == direction
        yield Reaction(enemy_of(unit.side), (), unit.hex, text, found), blown if is_on_the_way else Fraction(0)


def _mines(position: Position, unit: Unit) -> Iterator[tuple[Reaction, Fraction]]:
    """What the known mines of a hex may do to a unit that has entered it, and to those on its outside.

    Rules: PB-MOVE-51, PB-MOVE-81.
    """
    if is_spared(position, unit, unit.hex):
        return
    for one in (unit, *riders(position, unit)):
        rides = one.id != unit.id
        found = None if is_spared(position, one, unit.hex) else blast(position, one, unit.hex, rides=rides)
        if found is not None:
            weights = outcomes(result_odds(found.struck, found.interval, position.parameters), one)
            whom = f", to {unit_name(position, one.id)} on the outside" if rides else ""
            text = f"mines in {place_name(position, unit.hex)}{whom}"
            hit = Fraction(0) if rides else 1 - weights.get(HARMLESS, Fraction(0))
            yield Reaction(enemy_of(unit.side), (), unit.hex, text, branches(weights, HARMLESS), (found.tally,)), hit


def _answers(position: Position, target: Unit, *, by_moving: bool) -> Iterator[tuple[Reaction, Fraction]]:
    """The shots that known enemies may take at a unit where it stands, each with how likely it is fired and hits."""
    for unit, chance, indirect in opportunity.chances(position, target, by_moving=by_moving):
        if indirect:
            fired = salvo(position, unit, target.hex)
            weights = salvo_branches(position, fired)
            tallies = tuple(tally for each in fired.shots for tally in each.value.tallies)
        else:
            weights = outcomes(odds_of(position, unit, target), target)
            tallies = shot(position, unit, target).value.tallies
        spared = weights.get(HARMLESS, Fraction(0))
        where = f" into {position.ground.board.label(target.hex)}" if by_moving else ""
        shooter = does([unit_name(position, unit.id)], f"fires from {place_name(position, unit.hex)}")
        text = f"{shooter}{where}, chance {float(chance):.0%}"
        yield (
            Reaction(unit.side, (unit.id,), target.hex, text, branches(weights, HARMLESS), tallies),
            chance * (1 - spared),
        )


def threats_to(position: Position, id: UnitId) -> tuple[Reaction, ...]:
    """The shots that known enemies may take at a unit if it came to where it stands."""
    world = believed(position)
    return tuple(reaction for reaction, _ in _answers(world, world.units[id], by_moving=True))
