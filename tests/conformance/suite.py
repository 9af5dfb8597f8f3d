"""The checks, each a function of a case that raises AssertionError with a sentence when the case fails it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import islice
from typing import Any, get_type_hints

import msgspec

from sandtable.kernel import codec
from sandtable.kernel.decisions import KERNEL, Decision, Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.engine import all_viewers, submit
from sandtable.kernel.events import DISCERNED, DiceKey, Draw, Event, Order
from sandtable.kernel.forecast import Forecast, forecast
from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.questions import GRADES, SEEN, SHAKEN, SPENT, UNKNOWN, WAITING, Formation, Section
from sandtable.kernel.replay import load, read, states, verify, write
from sandtable.kernel.ruleset import AnyRuleset, Piece, Selection, Target, Verb
from sandtable.kernel.state import Played, State, View
from sandtable.kernel.telling import Telling, introduced, is_discovery
from sandtable.play.menu import RESERVED_KEYS
from tests.kit.battles import Battle, header, random_battle, record_of, same
from tests.kit.cases import Case

FIRST = 8
"""How many options of a decision are looked at."""

CERTAINTIES = 6
"""Of how many orders of a battle the odds are held against what came of them, for each state that is sampled."""

POINTS = 4
"""At how many pieces, and at how many hexes, each verb is pointed."""


def require(holds: object, complaint: str) -> None:
    """AssertionError with the complaint unless it holds; unlike `assert`, also under -O."""
    if not holds:
        raise AssertionError(complaint)


_fought: dict[tuple[str, str], Battle] = {}


def battles(case: Case) -> Iterator[Battle]:
    """The battles of a case, each fought once and kept, because every check looks at them."""
    for seed in case.seeds:
        if (case.name, seed) not in _fought:
            battle = random_battle(case.ruleset, case.scenario, case.options, seed, case.most)
            _fought[case.name, seed] = battle
        yield _fought[case.name, seed]


def sampled(case: Case) -> Iterator[State[Any]]:
    """States spread over the first battle of a case."""
    states = next(battles(case)).states
    yield from states[:: max(1, len(states) // case.samples)]


def open_orders(case: Case, state: State[Any]) -> Iterator[tuple[View[Any], Decision, Order]]:
    """A few lawful orders of each open decision: the first ones and some chosen by lot."""
    ruleset = case.ruleset
    for decision in ruleset.decisions(state):
        view = ruleset.view(state, decision.side)
        options = ruleset.options(view, decision)
        chosen = list(islice(options, FIRST))
        chosen += [options.pick(PromptDice(f"option {n}", state.dice.number)) for n in range(FIRST)]
        for n, order in enumerate(chosen):
            if order not in chosen[:n]:
                yield view, decision, order


# the battle goes on, and ends


def check_ends(case: Case) -> None:
    """Random battles end."""
    ruleset = case.ruleset
    for battle in battles(case):
        last = battle.states[-1]
        require(ruleset.outcome(last) is not None, f"the battle goes on after {len(battle.steps)} orders")
        require(not ruleset.decisions(last), "the battle is over, but a decision is open")
        side, order = battle.steps[-1].side, battle.steps[-1].order
        answer = submit(ruleset, last, side, order)
        require(isinstance(answer, Refusal) and answer.rule == KERNEL, "an order was taken after the end")


def check_no_dead_ends(case: Case) -> None:
    """While the battle goes on, a decision is open, its side knows of it, and something can be decided."""
    ruleset = case.ruleset
    for battle in battles(case):
        for state in battle.states:
            decisions = ruleset.decisions(state)
            require(decisions or ruleset.outcome(state) is not None, "nobody can decide anything")
            require({decision.side for decision in decisions} <= set(ruleset.sides(state)), "a stranger decides")
            for side in ruleset.sides(state):
                mine = tuple(decision for decision in decisions if decision.side == side)
                require(ruleset.view(state, side).decisions == mine, f"{side} sees other decisions than its own")
            for decision in decisions:
                options = ruleset.options(ruleset.view(state, decision.side), decision)
                require(next(iter(options), None) is not None, f"{decision.kind} is open, but has no option")


# what is offered is lawful


def check_options_are_lawful(case: Case) -> None:
    """Every option passes the check and is carried out."""
    for state in sampled(case):
        for view, decision, order in open_orders(case, state):
            refusal = case.ruleset.check(view, order)
            require(refusal is None, f"an option of {decision.kind} is refused: {order} {refusal}")
            played = submit(case.ruleset, state, decision.side, order)
            require(isinstance(played, Played), f"an option of {decision.kind} is not carried out: {order} {played}")


def selections(ruleset: AnyRuleset, view: View[Any]) -> Iterator[Selection]:
    yield Selection()
    for piece in ruleset.pieces(view)[:FIRST]:
        yield Selection((piece.id,), piece.hex)


def check_menus_are_lawful(case: Case) -> None:
    """Every target of a menu is lawful; a verb without targets says why, citing a rule; every piece is drawn once."""
    ruleset = case.ruleset
    for state in sampled(case):
        for side in ruleset.sides(state):
            view = ruleset.view(state, side)
            ids = [piece.id for piece in ruleset.pieces(view)]
            require(len(ids) == len(set(ids)), "two pieces have one id")
            for selection in selections(ruleset, view):
                verbs = ruleset.menu(view, selection)
                require(len({verb.key for verb in verbs}) == len(verbs), "two verbs have one key")
                require(len({verb.hotkey for verb in verbs}) == len(verbs), "two verbs have one hot key")
                for verb in verbs:
                    require(verb.hotkey.lower() not in RESERVED_KEYS, f"the hot key of {verb.key} is not its own")
                    _check_told_apart(verb)
                    require(bool(verb.targets) != bool(verb.refusal), f"{verb.key} is neither open nor greyed")
                    require(verb.refusal is None or cites(case, verb.refusal.rule), f"{verb.key} cites no rule")
                    for target in verb.targets[:FIRST]:
                        refusal = ruleset.check(view, target.order)
                        require(refusal is None, f"the menu offers {target.order}: {refusal}")


def _check_told_apart(verb: Verb) -> None:
    """Whoever has pointed at a hex, and at the next one where there is one, can tell what is left to choose from."""
    ways = [(t.hex, t.then, t.side, t.choice or (t.text, t.order)) for t in verb.targets]
    require(len(set(ways)) == len(ways), f"two ways to {verb.key} read alike: {[way[-1] for way in ways]}")


def pointed_at(ruleset: AnyRuleset, view: View[Any], n: int) -> Iterator[Selection]:
    """Some pieces and hexes to point at: others for each n, and now and then what is no hex at all."""
    pieces = [piece for piece in ruleset.pieces(view) if piece.hex]
    hexes = sorted({piece.hex for piece in pieces})
    dice = PromptDice("pointing", n)
    for _ in range(POINTS if pieces else 0):
        piece = pieces[dice.below(len(pieces))]
        yield Selection((piece.id,), piece.hex)
        yield Selection((), HexId(dice.below(max(hexes) + 2)))


def is_covered(verb: Verb | None, target: Selection) -> bool:
    """Whether a target of the verb is meant by pointing there."""
    for one in verb.targets if verb is not None else ():
        if not one.hex and not one.units:
            return True
        if one.hex == target.hex and (not one.units or not target.units or set(one.units) & set(target.units)):
            return True
    return False


def check_why_not(case: Case) -> None:
    """Pointing with a verb is refused, citing a rule, exactly when the menu has no target there: never an error."""
    ruleset, every = case.ruleset, _verb_keys(case)
    for n, state in enumerate(sampled(case)):
        for side in ruleset.sides(state):
            view = ruleset.view(state, side)
            for selection in selections(ruleset, view):
                verbs = {verb.key: verb for verb in ruleset.menu(view, selection)}
                for target in pointed_at(ruleset, view, n):
                    for key in every:
                        refusal = ruleset.why_not(view, key, selection, target)
                        said = f"{key} {selection} {target}: {refusal}"
                        require((refusal is None) == is_covered(verbs.get(key), target), f"not as the menu: {said}")
                        require(refusal is None or cites(case, refusal.rule), f"cites no rule: {said}")
                        require(refusal is None or refusal.reason, f"gives no reason: {said}")


def _verb_keys(case: Case) -> list[str]:
    """The keys of all verbs that a battle of the case shows, and one that there is not."""
    ruleset, keys = case.ruleset, {"no such verb"}
    for state in sampled(case):
        for decision in ruleset.decisions(state):
            view = ruleset.view(state, decision.side)
            keys |= {verb.key for selection in selections(ruleset, view) for verb in ruleset.menu(view, selection)}
    return sorted(keys)


def check_forecasts(case: Case) -> None:
    """The branches of every forecast add up to one, and orders and events have words."""
    ruleset = case.ruleset
    for state in sampled(case):
        for view, _, order in open_orders(case, state):
            odds = brief_forecast(ruleset, view, order)
            require(isinstance(odds, Forecast), f"{order} is lawful, but has no forecast: {odds}")
            assert isinstance(odds, Forecast)
            require(sum(branch.chance for branch in odds.branches) == 1, f"the odds of {order} don't add up to one")
            require(ruleset.order_text(order, view), f"{order} has no text")
            _check_reactions(ruleset, view, odds)
    for step in next(battles(case)).steps:
        for side in ruleset.sides(step.before):
            view = ruleset.view(step.played.state, side)
            for event in heard(step.played, side):
                # an empty sentence is lawful: bookkeeping that tells a player nothing stays out of the log
                require(isinstance(ruleset.describe(event, view), str), f"{event} has no sentence")


def _check_reactions(ruleset: AnyRuleset, view: View[Any], odds: Forecast) -> None:
    """Reactions are those of enemies that the side sees, each adds up to one, and they make nothing more likely."""
    seen = {piece.id for piece in ruleset.pieces(view) if piece.side != view.side}
    for reaction in odds.reactions:
        known = set(reaction.actors) <= seen
        require(known, f"{view.side} is told of a reaction by what it can't see: {reaction.text}")
        require(sum(branch.chance for branch in reaction.branches) == 1, f"{reaction.text} does not add up to one")
    if odds.arrival is not None:
        least, most = Fraction(odds.arrival.at_least), Fraction(odds.arrival.unhindered)
        require(0 <= least <= most <= 1, f"an order gets through at least {least} and at most {most}")


def check_certainty(case: Case) -> None:
    """What is said to happen as ordered throws no die; only what the side can't know of may throw one all the same,
    and none for a unit of its own.
    """
    ruleset, steps = case.ruleset, next(battles(case)).steps
    for step in steps[:: max(1, len(steps) // (CERTAINTIES * case.samples))]:
        view, order = ruleset.view(step.before, step.side), step.order
        odds = brief_forecast(ruleset, view, order)
        assert isinstance(odds, Forecast)
        require(not odds.certain or len(odds.branches) == 1, f"{order} is certain, and of what it is not")
        own = {piece.id for piece in ruleset.pieces(view) if piece.side == view.side}
        is_open = same(view.position, step.before.position)
        foreseen = [draw for draw in step.played.draws if is_open or draw.actor in own]
        require(not odds.certain or not foreseen, f"{order} was to happen as ordered, and threw {foreseen}")


def heard(played: Played[Any], side: SideId) -> tuple[Event, ...]:
    """The events of an order as a viewer was told them."""
    return tuple(told.event for told in played.told[side])


def brief_forecast(ruleset: AnyRuleset, view: View[Any], order: Order) -> Forecast | Refusal:
    return forecast(ruleset, view, order, leaves=100, samples=20)


def garbled(case: Case, order: Order, dice: PromptDice) -> Order:
    """The order with one field made wrong, as far as its type allows."""
    fields = msgspec.structs.asdict(order)
    if not fields:
        return order
    name = list(fields)[dice.below(len(fields))]
    value = fields[name]
    if isinstance(value, bool):
        value = not value
    elif isinstance(value, int):
        value += dice.below(9) - 4
    elif isinstance(value, tuple):
        value = value[::-1] if dice.below(2) else value[:-1]
    wrong = msgspec.structs.replace(order, **{name: value})
    try:
        made: Order = codec.decode(codec.encode(wrong), case.ruleset.info.orders)
    except codec.CodecError:
        return order
    return made


def wrong_orders(case: Case) -> list[Order]:
    """Orders from all over a battle, each as it was given and garbled."""
    orders = [step.order for step in next(battles(case)).steps]
    some = orders[:: max(1, len(orders) // case.samples)]
    return some + [garbled(case, order, PromptDice("garbled", n)) for n, order in enumerate(some * 3)]


def check_wrong_orders(case: Case) -> None:
    """An order that comes at the wrong time or is wrong in itself is refused with a rule, or lawful: never an error."""
    ruleset = case.ruleset
    orders = wrong_orders(case)
    for state in sampled(case):
        for side in ruleset.sides(state):
            view = ruleset.view(state, side)
            for order in orders:
                refusal = ruleset.check(view, order)
                require(refusal is None or cites(case, refusal.rule), f"{refusal} cites no rule")
                answer = submit(ruleset, state, side, order)
                require(
                    isinstance(answer, Played) == (refusal is None and bool(view.decisions)),
                    f"check and submit disagree about {order}: {refusal} {answer}",
                )


# every word can be written and read again


def ground(position: Any) -> codec.Fixed:
    """The fixed part of a position."""
    found = [
        value for name in type(position).__struct_fields__ if isinstance(value := getattr(position, name), codec.Fixed)
    ]
    require(len(found) == 1, f"a position stands on one ground that is codec.Fixed; this one has {len(found)}")
    return found[0]


def check_save_and_load(case: Case) -> None:
    """A state is the same after saving and loading, at every step, and its ground is written as a digest alone."""
    ruleset = case.ruleset
    for battle in battles(case):
        for state in battle.states:
            data = codec.encode(state)
            loaded = load(ruleset, data, ground(state.position))
            require(loaded == state, "the state that was saved is not the one loaded")
            require(codec.encode(loaded) == data, "a loaded state is saved as other bytes")


def check_words(case: Case) -> None:
    """Every order, event, frame, draw and decision is the same after JSON."""
    info = case.ruleset.info
    for battle in battles(case):
        for played in (battle.opening, *(step.played for step in battle.steps)):
            words: list[tuple[object, Any]] = [(event, info.events) for event in played.events]
            words += [(frame, info.frames) for frame in played.state.flow]
            words += [(draw, Draw) for draw in played.draws]
            words += [(decision, Decision) for decision in case.ruleset.decisions(played.state)]
            if played.order is not None:
                words.append((played.order, info.orders))
            for word, kind in words:
                try:
                    again = codec.decode(codec.encode(word), kind)
                except codec.CodecError as error:
                    raise AssertionError(f"{word} can't be read again: {error}") from None
                require(again == word and type(again) is type(word), f"{word} comes back as {again}")


def cites(case: Case, rule: str) -> bool:
    """Whether it is the id of a rule: one of the case's, or, when the case lists none, one with the right prefix."""
    return rule == KERNEL or (rule in case.rules if case.rules else rule.startswith(case.ruleset.info.prefix))


def check_citations(case: Case) -> None:
    """Every draw and every decision cites a rule."""
    for battle in battles(case):
        for played in (battle.opening, *(step.played for step in battle.steps)):
            for draw in played.draws:
                require(cites(case, draw.rule), f"a die was thrown for {draw.rule}, which is no rule")
                require(1 <= draw.result <= draw.sides, f"{draw} is no face of the die")
            for decision in case.ruleset.decisions(played.state):
                require(cites(case, decision.rule), f"{decision.kind} cites {decision.rule}, which is no rule")


# the record


def check_record(case: Case) -> None:
    """Applying the events gives the states that playing gave, and the record verifies, also when read from a file."""
    ruleset, scenario = case.ruleset, case.scenario
    for seed, battle in zip(case.seeds, battles(case), strict=True):
        record = read(write(record_of(ruleset, header(ruleset, scenario, case.options, seed), battle)))
        for played, folded in zip(battle.states, states(ruleset, scenario, record), strict=True):
            require(same(played, folded), f"events don't fold to the state after order {played.dice.number - 1}")
        verdict = verify(ruleset, scenario, record)
        require(verdict.holds, f"the record of the battle does not verify: {verdict.problem}")


def digests(cases: Iterable[Case]) -> dict[str, str]:
    """For each case the digest of a record of it."""
    return {
        case.name: codec.digest(
            [
                record_of(case.ruleset, header(case.ruleset, case.scenario, case.options, seed), battle)
                for seed, battle in zip(case.seeds[:1], battles(case), strict=False)
            ]
        )
        for case in cases
    }


# secrets


def check_sealed(case: Case) -> None:
    """While the other side's sealed decision is open, it can't tell one sealed order from another, and no die falls."""
    ruleset = case.ruleset
    for state in (state for battle in battles(case) for state in battle.states):
        if not any(decision.sealed for decision in ruleset.decisions(state)):
            continue
        seen: dict[tuple[SideId, SideId, type[Order]], tuple[Order, bytes]] = {}
        asked = {decision.side for decision in ruleset.decisions(state) if decision.sealed}
        for _, decision, order in open_orders(case, state):
            if not decision.sealed:
                continue
            told = introduced(ruleset, state, ruleset.sides(state), state.known.positions)
            played = submit(ruleset, told, decision.side, order)
            assert isinstance(played, Played)
            # one who is asked only now has not been waited for: his is the next sealed decision
            waiting = {other.side for other in ruleset.decisions(played.state) if other.sealed} & asked
            waiting.discard(decision.side)
            require(not waiting or not played.draws, "a die fell before the last sealed order was in")
            for side in waiting:
                sight = codec.encode([heard(played, side), ruleset.view(played.state, side)])
                first, expected = seen.setdefault((decision.side, side, type(order)), (order, sight))
                require(sight == expected, f"{side} can tell {order} from {first}")


def check_twins(case: Case) -> None:
    """Two truths that look alike to a side give it the same bytes until they lawfully come to light."""
    if case.twin is None:
        return
    wrong = wrong_orders(case)
    for state in sampled(case):
        for side in case.ruleset.sides(state):
            other = case.twin(state, side, PromptDice(f"twin of {side}", state.dice.number))
            if other is not None:
                known, sides = state.known.positions, case.ruleset.sides(state)
                a, b = (introduced(case.ruleset, one, sides, known) for one in (state, other))
                _compare_knowledge(case, a, b, side, wrong)
                _compare_consequences(case, a, b, side)


def _compare_knowledge(case: Case, a: State[Any], b: State[Any], side: SideId, wrong: list[Order]) -> None:
    """All that a side can ask is answered alike in both worlds."""
    ruleset = case.ruleset
    here, there = ruleset.view(a, side), ruleset.view(b, side)
    require(same(here, there), f"{side}'s view tells two worlds apart")
    require(same(ruleset.pieces(here), ruleset.pieces(there)), f"{side}'s pieces tell two worlds apart")
    for question, answers in zip(questions(ruleset, here), questions(ruleset, there), strict=True):
        require(same(question, answers), f"{side}'s {question[0]} tells two worlds apart")
    for selection in selections(ruleset, here):
        verbs = ruleset.menu(here, selection)
        require(same(verbs, ruleset.menu(there, selection)), f"{side}'s menu tells two worlds apart")
        for target in pointed_at(ruleset, here, a.dice.number):
            for verb in verbs:
                asked = [ruleset.why_not(view, verb.key, selection, target) for view in (here, there)]
                require(same(*asked), f"why not {verb.key} tells {side} two worlds apart: {target}")
    for order in wrong:
        require(
            same(ruleset.check(here, order), ruleset.check(there, order)),
            f"a refusal tells {side} two worlds apart: {order}",
        )
    for decision in here.decisions:
        options = [list(islice(ruleset.options(view, decision), FIRST)) for view in (here, there)]
        require(same(*options), f"{side}'s options tell two worlds apart")
        for order in options[0]:
            odds = [brief_forecast(ruleset, view, order) for view in (here, there)]
            require(same(*odds), f"a forecast tells {side} two worlds apart: {order}")


def questions(ruleset: AnyRuleset, view: View[Any]) -> Iterator[tuple[str, object]]:
    """Every question a client can ask about a view, with its answer."""
    yield "list of who is ready", ruleset.ready(view)
    yield "list of what is left to do", ruleset.reminders(view)
    yield "list of what is written down", ruleset.plans(view)
    yield "order of battle", ruleset.tree(view)
    # the numbers of units not in sight are asked for too: whoever counts on may come upon one
    numbers = sorted({piece.id for piece in ruleset.pieces(view)} | {UnitId(n) for n in range(-1, 3 * FIRST)})
    yield "file of cards", [ruleset.card(view, id) for id in numbers]
    queries = ruleset.queries(view)
    yield "list of highlights", [queries, *(ruleset.query(view, query.key) for query in queries)]
    reports = ruleset.reports(view)
    yield "file of reports", [reports, *(ruleset.report(view, report.kind) for report in reports)]


def _compare_consequences(case: Case, a: State[Any], b: State[Any], side: SideId) -> None:
    """An order looks alike in both worlds, unless its dice differ or it brings something hidden to light."""
    ruleset = case.ruleset
    for _, decision, order in open_orders(case, a):
        worlds = [submit(ruleset, state, decision.side, order) for state in (a, b)]
        played = [_let_go(case, world) for world in worlds if isinstance(world, Played)]
        if len(played) < 2:
            # to its enemy the worlds do not look alike, so only the side itself must find the order lawful in both
            require(decision.side != side, f"an order of {side} is lawful in one world only: {order}")
            continue
        if len({_deciders(ruleset, world) for world in played}) > 1 or any(_is_interrupted(ruleset, w) for w in played):
            continue  # somebody has more to decide in one world, and that is no secret
        if played[0].draws != played[1].draws or any(_comes_to_light(ruleset, a, world, side) for world in played):
            continue
        views = [ruleset.view(world.state, side) for world in played]
        seen = [heard(world, side) for world in played]
        require(same(*seen), f"the log tells {side} two worlds apart after {order}: {seen}")
        require(same(*views), f"{side}'s view tells two worlds apart after {order}")


def _let_go(case: Case, world: Played[Any]) -> Played[Any]:
    """The order with all that comes of it when nobody else reacts; as it is where that would be no secret."""
    while case.lets_go is not None and _is_interrupted(case.ruleset, world):
        (decision,) = case.ruleset.decisions(world.state)
        later = submit(case.ruleset, world.state, decision.side, case.lets_go)
        if not isinstance(later, Played):
            return world  # another kind of reaction, which is none of this
        told = {viewer: (*news, *later.told[viewer]) for viewer, news in world.told.items()}
        world = msgspec.structs.replace(
            later, side=world.side, order=world.order, draws=(*world.draws, *later.draws), told=told
        )
    return world


def _deciders(ruleset: AnyRuleset, world: Played[Any]) -> tuple[SideId, ...]:
    return tuple(decision.side for decision in ruleset.decisions(world.state))


def _is_interrupted(ruleset: AnyRuleset, world: Played[Any]) -> bool:
    """Whether somebody else may react now, so that the order is not over."""
    return any(decision.optional and decision.side != world.side for decision in ruleset.decisions(world.state))


def _comes_to_light(ruleset: AnyRuleset, before: State[Any], world: Played[Any], side: SideId) -> bool:
    """Whether an order shows a side something it could not know; news of its own pieces are no such thing."""
    known = before.known.positions[side]
    for told in world.told[side]:
        if is_discovery(told):
            changes = ruleset.piece_changes(known, told.known, side)
            pieces = {piece.id: piece for piece in ruleset.pieces(View(side, 0, known, (), ()))}
            sides = {piece.side for piece in changes.changed} | {pieces[id].side for id in changes.gone}
            if type(told.event).audience is not DISCERNED or sides - {side}:
                return True
        known = told.known
    return False


# telling


def check_telling(case: Case) -> None:
    """After every event, what a viewer was told adds up to what he may know, made from scratch; spectators too."""
    ruleset = case.ruleset
    for battle in battles(case):
        opening = ruleset.setup(case.scenario, dict(case.options), battle.opening.state.dice)
        told = introduced(ruleset, opening, all_viewers(ruleset, opening), {})
        telling, position = Telling(ruleset, told.known), told.position
        for played in (battle.opening, *(step.played for step in battle.steps)):
            for event in played.events:
                require(type(event).audience is not DISCERNED, f"{event} is no event that happens")
                after, before = ruleset.apply(position, event), dict(telling.known)
                telling.tell(event, position, after)
                for viewer, known in telling.known.items():
                    seen = ruleset.redact(event, position, after, viewer)
                    remembered = before[viewer] if seen is None else ruleset.apply(before[viewer], seen)
                    may_know = known == ruleset.known(forgetful(after), viewer, forgetful(remembered))
                    require(may_know, f"what {viewer or 'a spectator'} was told is not what he may know: {event}")
                position = after
            for viewer, known in telling.known.items():
                as_then = same(played.state.known.positions[viewer], known)
                require(as_then, f"{viewer or 'a spectator'} was told otherwise when it happened")


def forgetful(position: Any) -> Any:
    """The position without anything that was worked out of it or of those before it."""
    fields = type(position).__struct_fields__
    derived = {name: type(value) for name in fields if isinstance(value := getattr(position, name), codec.Unwritten)}
    return msgspec.structs.replace(position, **{name: kind() for name, kind in derived.items()})


def check_piece_changes(case: Case) -> None:
    """A client that follows the changes has the pieces that a fresh look shows, after everything it was told."""
    ruleset = case.ruleset
    for battle in battles(case):
        before = battle.opening.state
        for played in (step.played for step in battle.steps):
            for viewer, news in played.told.items():
                known = before.known.positions[viewer]
                pieces = _pieces_by_id(ruleset, known, viewer)
                for told in news:
                    changes = ruleset.piece_changes(known, told.known, viewer)
                    for id in changes.gone:
                        require(pieces.pop(id, None) is not None, f"a piece is gone that was not there: {id}")
                    pieces.update({piece.id: piece for piece in changes.changed})
                    known = told.known
                fresh = _pieces_by_id(ruleset, known, viewer)
                require(pieces == fresh, f"{viewer or 'a spectator'}'s pieces do not follow {played.order}")
            before = played.state


def _pieces_by_id(ruleset: AnyRuleset, known: Any, viewer: SideId) -> dict[Any, Any]:
    view: View[Any] = View(viewer, 0, known, (), ())
    return {piece.id: piece for piece in ruleset.pieces(view)}


# what clients ask

TONES = frozenset(("", SPENT, SHAKEN, SEEN, WAITING, UNKNOWN, *GRADES))


def check_questions(case: Case) -> None:
    """Cards, orders of battle, highlights and reports hang together, cite rules and know every piece, for everybody."""
    for state in sampled(case):
        for viewer in all_viewers(case.ruleset, state):
            view = case.ruleset.view(state, viewer)
            pieces = {piece.id: piece for piece in case.ruleset.pieces(view)}
            _check_badges(case, pieces)
            _check_cards(case, view, pieces)
            _check_tree(case, view, pieces)
            _check_queries(case, view, pieces)
            _check_reports(case, view, pieces)


def _check_badges(case: Case, pieces: dict[UnitId, Piece]) -> None:
    worn = {badge.key: badge for badge in case.ruleset.info.badges}
    require(len(worn) == len(case.ruleset.info.badges), "two badges have one key")
    for badge in worn.values():
        require(badge.title and cites(case, badge.rule), f"the badge {badge.key} has no title or no rule")
        require(badge.tone in TONES, f"nobody knows the tone {badge.tone}")
    for piece in pieces.values():
        require(set(piece.badges) <= worn.keys(), f"{piece.title} wears a badge that is not listed: {piece.badges}")
        require(piece.tone in TONES, f"nobody knows the tone {piece.tone}")


def _check_lines(case: Case, what: str, sections: Iterable[Section], pieces: dict[UnitId, Piece]) -> None:
    for section in sections:
        require(section.title, f"{what} has a section without a title")
        require(set(section.units) <= pieces.keys(), f"{what} is about units that nobody sees: {section}")
        for line in section.lines:
            require(line.label and cites(case, line.rule), f"a line of {what} cites no rule: {line}")


def _check_cards(case: Case, view: View[Any], pieces: dict[UnitId, Piece]) -> None:
    for piece in pieces.values():
        card = case.ruleset.card(view, piece.id)
        if card is None:
            require(not piece.formation, f"{piece.title} belongs to a formation, but has no card")
            continue
        told = (card.unit, card.title, card.side, card.badges)
        require(told == (piece.id, piece.title, piece.side, piece.badges), f"the card of {piece.title} is another's")
        require(card.kind and card.sections, f"the card of {piece.title} tells nothing")
        _check_lines(case, f"the card of {piece.title}", card.sections, pieces)
    for stranger in (max(pieces, default=UnitId(0)) + 1000, min(pieces, default=UnitId(0)) - 1000):
        require(case.ruleset.card(view, UnitId(stranger)) is None, f"there is a card of unit {stranger}, which is none")


def _formations(tree: Iterable[Formation]) -> Iterator[Formation]:
    for formation in tree:
        yield formation
        yield from _formations(formation.children)


def _check_tree(case: Case, view: View[Any], pieces: dict[UnitId, Piece]) -> None:
    formations = list(_formations(case.ruleset.tree(view)))
    by_key = {formation.key: formation for formation in formations}
    require(len(by_key) == len(formations), "two formations have one key")
    for formation in formations:
        require(formation.title, f"the formation {formation.key} has no title")
        require(0 <= formation.left <= formation.initial, f"{formation.title} has more left than it had")
        require(len(formation.units) <= formation.initial, f"{formation.title} shows more units than it ever had")
        if formation.children:
            for field in ("left", "initial"):
                below = sum(getattr(child, field) for child in formation.children)
                require(
                    getattr(formation, field) == below, f"the strength of {formation.title} is not that of its parts"
                )
    listed = [(id, formation.key) for formation in formations for id in formation.units]
    shown = [(piece.id, piece.formation) for piece in pieces.values() if piece.formation]
    require(sorted(listed) == sorted(shown), "the order of battle lists other units than the pieces say")


def _check_queries(case: Case, view: View[Any], pieces: dict[UnitId, Piece]) -> None:
    ruleset = case.ruleset
    listed = ruleset.queries(view)
    require(len({query.key for query in listed}) == len(listed), "two queries have one key")
    for query in listed:
        require(query.title and cites(case, query.rule), f"the query {query.key} has no title or no rule")
        require(not query.hexes and not query.units, f"the query {query.key} is worked out before it is asked for")
        found = ruleset.query(view, query.key)
        require(found is not None, f"the query {query.key} is listed, but has no answer")
        assert found is not None
        bare = msgspec.structs.replace(found, hexes=(), units=())
        require(bare == query, f"the query {query.key} is answered by {bare}")
        require(set(found.units) <= pieces.keys(), f"the query {query.key} finds units that nobody sees")
        require(all(place > 0 for place in found.hexes), f"the query {query.key} finds hexes off the board")
    require(ruleset.query(view, "no such query") is None, "a query that is not listed has an answer")


def _check_reports(case: Case, view: View[Any], pieces: dict[UnitId, Piece]) -> None:
    ruleset = case.ruleset
    listed = ruleset.reports(view)
    require(len({report.kind for report in listed}) == len(listed), "two reports are of one kind")
    for report in listed:
        require(report.title and not report.sections, f"the report {report.kind} has no title or is written unasked")
        written = ruleset.report(view, report.kind)
        require(written is not None, f"the report {report.kind} is listed, but nobody writes it")
        assert written is not None
        require(msgspec.structs.replace(written, sections=()) == report, f"the report {report.kind} is another")
        _check_lines(case, f"the report {report.kind}", written.sections, pieces)
    require(ruleset.report(view, "no such report") is None, "a report that is not listed is written")


def check_ready(case: Case) -> None:
    """Who is ready has something in his menu that nobody else is told to do; who has, is ready; and no one else is."""
    ruleset = case.ruleset
    for state in sampled(case):
        for viewer in all_viewers(ruleset, state):
            view = ruleset.view(state, viewer)
            ready = ruleset.ready(view)
            require(len(set(ready)) == len(ready), "a unit is ready twice")
            require(view.decisions or not ready, "somebody is ready while nothing is open")
            own = {piece.id for piece in ruleset.pieces(view) if piece.side == viewer and piece.formation}
            require(set(ready) <= own, "a unit is ready that is none of the side's pieces")
            for reminder in ruleset.reminders(view):
                require(reminder.text and cites(case, reminder.rule), f"a reminder cites no rule: {reminder}")
                require(set(reminder.units) <= own, f"a reminder is about another's units: {reminder}")
            for plan in ruleset.plans(view):
                require(plan.text and set(plan.actors) <= own, f"a plan is not about the side's own units: {plan}")
            common = [target.order for target in _offers(ruleset, view, NOBODY)]
            for id in sorted(own):
                offers = [target.order for target in _offers(ruleset, view, id)]
                # orders that need no unit are in every menu, and some that are name the unit all the same
                more, named = len(offers) > len(common), any(id in named_units(order) for order in offers)
                require(more or named or id not in ready, f"unit {id} is ready, but there is nothing it can do")
                require(not more or id in ready, f"unit {id} can do something, but is not ready")


def _offers(ruleset: AnyRuleset, view: View[Any], id: UnitId) -> list[Target]:
    return [target for verb in ruleset.menu(view, Selection((id,))) for target in verb.targets]


def named_units(order: Any) -> set[UnitId]:
    """The units that an order names, those of its parts included."""
    hints, found = get_type_hints(type(order)), set[UnitId]()
    for field in order.__struct_fields__:
        value, hint = getattr(order, field), hints[field]
        if hint is UnitId:
            found.add(value)
        elif hint == tuple[UnitId, ...]:
            found.update(value)
        elif isinstance(value, tuple):
            found = found.union(*(named_units(part) for part in value if isinstance(part, msgspec.Struct)))
    return found


# imagination


def check_imagination(case: Case) -> None:
    """A world that a side imagines looks to it like its view; where something is hidden, two keys give two worlds."""
    ruleset = case.ruleset
    hidden = differing = 0
    for state in sampled(case):
        for side in ruleset.sides(state):
            view = ruleset.view(state, side)
            worlds = [ruleset.imagine(view, DiceKey("imagined", n)) for n in range(3)]
            for n, world in enumerate(worlds):
                require(world.dice == DiceKey("imagined", n), "an imagined world has other dice than it was given")
                seen = introduced(ruleset, world, (side,), {side: view.position})
                looks = same(seen.known.positions[side], view.position) and same(ruleset.view(seen, side), view)
                require(looks, f"{side} can tell the world it imagines from its own")
            again = ruleset.imagine(view, DiceKey("imagined", 0))
            require(same(worlds[0], again), "one key gives two worlds")
            hidden += _pieces_by_id(ruleset, state.position, side) != _pieces_by_id(ruleset, view.position, side)
            differing += len({codec.encode(world.position) for world in worlds}) > 1
    require(differing or not hidden, "whatever the key, a side imagines one and the same world")


CHECKS = (
    check_ends,
    check_no_dead_ends,
    check_options_are_lawful,
    check_menus_are_lawful,
    check_why_not,
    check_forecasts,
    check_certainty,
    check_wrong_orders,
    check_save_and_load,
    check_words,
    check_citations,
    check_record,
    check_sealed,
    check_twins,
    check_telling,
    check_piece_changes,
    check_questions,
    check_ready,
    check_imagination,
)
