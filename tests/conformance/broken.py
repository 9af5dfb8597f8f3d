"""The toy, broken in one way at a time: each of these must be caught, or the suite proves nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.events import EVERYBODY, DiceKey, Event, Order
from sandtable.kernel.forecast import Arrival, Branch, Forecast, Reaction
from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.questions import Formation, Query, Report, Section, UnitCard
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import Piece, PieceChanges, Reminder, Selection, Verb
from sandtable.kernel.state import Outcome, State, View
from sandtable.kernel.trace import Line
from tests.kit import toy
from tests.kit.cases import Case

_COUNTER = count()


class Groundless(msgspec.Struct, frozen=True):
    length: int


class LeakyView(toy.Toy):
    """The turn number tells where the enemy stands."""

    def view(self, state: State[toy.Position], side: SideId) -> View[toy.Position]:
        view = super().view(state, side)
        return replace(view, turn=sum(unit.cell for unit in state.position.units))


class LeakyLog(toy.Toy):
    """A move next to a hidden enemy is missing from the log."""

    def redact(self, event: Event, before: toy.Position, after: toy.Position, side: SideId) -> Event | None:
        if isinstance(event, toy.Moved):
            near = (unit for unit in after.of(toy.ENEMY.get(side, side)) if abs(unit.cell - event.to) < 3)
            if any(unit.hidden for unit in near):
                return None
        return super().redact(event, before, after, side)


class LeakySeal(toy.Toy):
    """The log tells the secret bid."""

    def redact(self, event: Event, before: toy.Position, after: toy.Position, side: SideId) -> Event | None:
        return event if isinstance(event, toy.BidMade) else super().redact(event, before, after, side)


class HastyDie(toy.Toy):
    """A die falls with the first of the two sealed bids."""

    def resolve(self, resolution: Resolution[toy.Position], side: SideId, order: Order) -> None:
        if isinstance(order, toy.Bid):
            resolution.roll("TOY-2")
        super().resolve(resolution, side, order)


class Obstinate(toy.Toy):
    """An order into an unseen enemy is refused."""

    def __init__(self) -> None:
        self._truth: toy.Position | None = None

    def view(self, state: State[toy.Position], side: SideId) -> View[toy.Position]:
        self._truth = state.position
        return super().view(state, side)

    def check(self, view: View[toy.Position], order: Order) -> Refusal | None:
        if isinstance(order, toy.Move) and self._truth is not None:
            found = self._truth.at(order.to)
            if found is not None and found.hidden:
                return toy.refuse(3, "something is in the way")
        return super().check(view, order)


class Wild(toy.Lawful):
    """Lawful orders and, for whoever reads them all, one that is not; picks are lawful, so that battles go on."""

    def __iter__(self) -> Iterator[Order]:
        yield from super().__iter__()
        yield toy.Bid(9)


class WildOption(toy.Toy):
    """A bid is offered that no rule allows."""

    def options(self, view: View[toy.Position], decision: Decision) -> toy.Lawful:
        lawful = super().options(view, decision)
        return Wild(tuple(lawful)) if decision.kind == "bid" and view.turn == 1 else lawful


class WildMenu(toy.Toy):
    """The menu greys nothing."""

    def menu(self, view: View[toy.Position], selection: Selection) -> tuple[Verb, ...]:
        return tuple(replace(verb, refusal=None) for verb in super().menu(view, selection))


class DeadEnd(toy.Toy):
    """When the last turn begins, nothing can be bid."""

    def check(self, view: View[toy.Position], order: Order) -> Refusal | None:
        if isinstance(order, toy.Bid) and view.turn == view.position.ground.turns:
            return toy.refuse(2, "the bank is closed")
        return super().check(view, order)


class Endless(toy.Toy):
    """No battle is ever over."""

    def outcome(self, state: State[toy.Position]) -> Outcome | None:
        return None


class Restless(toy.Toy):
    """What happens depends on how often something has happened in this process."""

    def apply(self, position: toy.Position, event: Event) -> toy.Position:
        after = super().apply(position, event)
        return replace(after, turn=after.turn + 100 * next(_COUNTER)) if isinstance(event, toy.TurnBegan) else after


class Lawless(toy.Toy):
    """A die is thrown for a rule that nobody wrote."""

    def resolve(self, resolution: Resolution[toy.Position], side: SideId, order: Order) -> None:
        if isinstance(order, toy.Watch):
            resolution.roll("TOY-99")
        super().resolve(resolution, side, order)


class Whisper(Event, frozen=True):
    """An event that the ruleset's card does not list."""

    audience = EVERYBODY


class Stranger(toy.Toy):
    def resolve(self, resolution: Resolution[toy.Position], side: SideId, order: Order) -> None:
        resolution.emit(Whisper())
        super().resolve(resolution, side, order)


class Vague(toy.Toy):
    """A refusal cites no rule."""

    def check(self, view: View[toy.Position], order: Order) -> Refusal | None:
        refusal = super().check(view, order)
        return Refusal(RuleId("no rule"), refusal.reason) if refusal is not None else None


class Unordered(toy.Toy):
    """The posts are numbered in the order of a set."""

    def setup(self, scenario: toy.Scenario, options: dict[str, Any], key: DiceKey) -> State[toy.Position]:
        posts = {f"{post.side} {post.cell}": post for post in scenario.posts}
        return super().setup(replace(scenario, posts=tuple(posts[name] for name in set(posts))), options, key)


class BrokenCase(NamedTuple):
    """A broken ruleset, the check that must catch it, and how the complaint begins."""

    case: Case
    check: str
    complaint: str

    def __str__(self) -> str:
        return self.case.name


class Yielding(toy.Toy):
    """Nothing is ever said against a target."""

    def why_not(self, view: View[toy.Position], verb: str, selection: Selection, target: Selection) -> Refusal | None:
        return None


class Unreasoning(toy.Toy):
    """What can't be done is refused by a rule that there is not."""

    def why_not(self, view: View[toy.Position], verb: str, selection: Selection, target: Selection) -> Refusal | None:
        refusal = super().why_not(view, verb, selection, target)
        return None if refusal is None else toy.refuse(99, refusal.reason)


class Telltale(toy.Toy):
    """Where a hidden enemy stands shows in what is said against going somewhere else."""

    def __init__(self) -> None:
        self._truths: list[tuple[View[toy.Position], toy.Position]] = []

    def view(self, state: State[toy.Position], side: SideId) -> View[toy.Position]:
        view = super().view(state, side)
        self._truths.append((view, state.position))
        return view

    def why_not(self, view: View[toy.Position], verb: str, selection: Selection, target: Selection) -> Refusal | None:
        refusal = super().why_not(view, verb, selection, target)
        truth = next(position for seen, position in reversed(self._truths) if seen is view)
        return None if refusal is None else replace(refusal, detail=str([unit.cell for unit in truth.units]))


class Forgetful(toy.Toy):
    """A hidden unit that moves is not shown to who should see it."""

    def discern(self, known: toy.Position, before: toy.Position, after: toy.Position, side: SideId) -> Iterator[Event]:
        return iter(())


class StaleCounter(toy.Toy):
    """A unit that moves stays where it was on the screen."""

    def piece_changes(self, before: toy.Position, after: toy.Position, side: SideId) -> PieceChanges:
        return PieceChanges((), super().piece_changes(before, after, side).gone)


class LingeringCounter(toy.Toy):
    """A unit that is lost stays on the screen."""

    def piece_changes(self, before: toy.Position, after: toy.Position, side: SideId) -> PieceChanges:
        return PieceChanges(super().piece_changes(before, after, side).changed, ())


class Peeking(toy.Toy):
    """A ruleset that remembers of each view what the truth was."""

    def __init__(self) -> None:
        self._truths: dict[int, tuple[View[toy.Position], toy.Position]] = {}

    def view(self, state: State[toy.Position], side: SideId) -> View[toy.Position]:
        view = super().view(state, side)
        self._truths[id(view)] = (view, state.position)
        return view

    def truth(self, view: View[toy.Position]) -> View[toy.Position]:
        return replace(view, position=self._truths[id(view)][1])


class LeakyReady(Peeking):
    """Who comes near a hidden enemy is not ready."""

    def ready(self, view: View[toy.Position]) -> tuple[UnitId, ...]:
        hidden = [unit.cell for unit in self.truth(view).position.units if unit.hidden and unit.side != view.side]
        units = (view.position.unit(id) for id in super().ready(view))
        return tuple(unit.id for unit in units if unit and all(abs(unit.cell - cell) > 5 for cell in hidden))


class LeakyCard(Peeking):
    """There are cards of hidden enemies."""

    def card(self, view: View[toy.Position], unit: UnitId) -> UnitCard | None:
        return super().card(self.truth(view), unit)


class LeakyTree(Peeking):
    """The order of battle tells who watches."""

    def tree(self, view: View[toy.Position]) -> tuple[Formation, ...]:
        watching = sum(unit.watching for unit in self.truth(view).position.units)
        return (*super().tree(view), Formation("watch", "On watch", toy.RED, watching, 6))


class LeakyQuery(Peeking):
    """Hidden enemies threaten hexes."""

    def query(self, view: View[toy.Position], key: str) -> Query | None:
        return super().query(self.truth(view), key)


class LeakyReport(Peeking):
    """A report adds up the secret bids."""

    def report(self, view: View[toy.Position], kind: str) -> Report | None:
        report = super().report(view, kind)
        line = Line("Bids", sum(self.truth(view).position.bids), RuleId("TOY-2"))
        return report and replace(report, sections=(Section("Bids", (line,)),))


class LeakyReminder(Peeking):
    """Somebody is reminded of an enemy on watch."""

    def reminders(self, view: View[toy.Position]) -> tuple[Reminder, ...]:
        watching = sum(unit.watching for unit in self.truth(view).position.units)
        return (*super().reminders(view), Reminder(f"{watching} are on watch", RuleId("TOY-4")))


class Boaster(toy.Toy):
    """Whatever is ordered is said to happen as ordered."""

    def odds(self, view: View[toy.Position], order: Order) -> Forecast | None:
        return Forecast((Branch("as ordered", "1/1"),), ())


class OneKey(toy.Toy):
    """Every verb has the same hot key."""

    def menu(self, view: View[toy.Position], selection: Selection) -> tuple[Verb, ...]:
        return tuple(replace(verb, hotkey="x") for verb in super().menu(view, selection))


class NoUndo(toy.Toy):
    """A verb has the key with which an order is taken back."""

    def menu(self, view: View[toy.Position], selection: Selection) -> tuple[Verb, ...]:
        first, *others = super().menu(view, selection)
        return (replace(first, hotkey="u"), *others)


class Mumbler(toy.Toy):
    """All ways to do a thing are called the same."""

    def menu(self, view: View[toy.Position], selection: Selection) -> tuple[Verb, ...]:
        return tuple(
            replace(verb, targets=tuple(replace(target, hex=HexId(0), choice="so") for target in verb.targets))
            for verb in super().menu(view, selection)
        )


class Eager(toy.Toy):
    """Units that have acted are ready."""

    def ready(self, view: View[toy.Position]) -> tuple[UnitId, ...]:
        return tuple(unit.id for unit in view.position.of(view.side)) if super().ready(view) else ()


class Drowsy(toy.Toy):
    """One unit of those that are ready is forgotten."""

    def ready(self, view: View[toy.Position]) -> tuple[UnitId, ...]:
        return super().ready(view)[1:]


class StrangeBadge(toy.Toy):
    """A piece wears a badge that is on no list."""

    def pieces(self, view: View[toy.Position]) -> tuple[Piece, ...]:
        return tuple(replace(piece, badges=("brave",)) for piece in super().pieces(view))


class SwappedCard(toy.Toy):
    """Every card is that of the first unit."""

    def card(self, view: View[toy.Position], unit: UnitId) -> UnitCard | None:
        return super().card(view, view.position.units[0].id if view.position.units else unit)


class BareCard(toy.Toy):
    """A card cites a rule that nobody wrote."""

    def card(self, view: View[toy.Position], unit: UnitId) -> UnitCard | None:
        card, line = super().card(view, unit), Line("Luck", 7, RuleId("TOY-77"))
        return card and replace(card, sections=(Section("Luck", (line,)),))


class Miscounted(toy.Toy):
    """A side is stronger than its parts."""

    def tree(self, view: View[toy.Position]) -> tuple[Formation, ...]:
        return tuple(replace(army, initial=army.initial + 1) for army in super().tree(view))


class Deserted(toy.Toy):
    """The order of battle leaves a unit out."""

    def tree(self, view: View[toy.Position]) -> tuple[Formation, ...]:
        armies = super().tree(view)
        return tuple(
            replace(army, children=tuple(replace(line, units=line.units[1:]) for line in army.children))
            for army in armies
        )


class HastyQuery(toy.Toy):
    """A query is worked out before anybody asks."""

    def queries(self, view: View[toy.Position]) -> tuple[Query, ...]:
        return tuple(replace(query, hexes=(HexId(1),)) for query in super().queries(view))


class Unwritten(toy.Toy):
    """A report is promised that nobody writes."""

    def reports(self, view: View[toy.Position]) -> tuple[Report, ...]:
        return (*super().reports(view), Report("weather", "Weather"))


class Informer(toy.Toy):
    """The odds of an order tell of a gun that the side can't see."""

    branches = (Branch("nothing lost", "1/1"),)
    arrival = Arrival("1/1", "1/2")

    def odds(self, view: View[toy.Position], order: Order) -> Forecast | None:
        foe = toy.ENEMY[view.side]
        gun = Reaction(foe, (UnitId(98),), HexId(1), "a gun may fire", self.branches, ())
        return Forecast(self.branches, (), reactions=(gun,), arrival=self.arrival)


class Optimist(Informer):
    """Enemies who react make an order likelier to get through."""

    arrival = Arrival("1/2", "1/1")

    def odds(self, view: View[toy.Position], order: Order) -> Forecast | None:
        return Forecast(self.branches, (), arrival=self.arrival)


class Clairvoyant(toy.Toy):
    """In the world that a side imagines somebody stands in sight."""

    def imagine(self, view: View[toy.Position], key: DiceKey) -> State[toy.Position]:
        world = super().imagine(view, key)
        return replace(world, position=world.position.put(world.position.units[-1].id, hidden=False))


class Unimaginative(toy.Toy):
    """A side imagines one and the same world."""

    def imagine(self, view: View[toy.Position], key: DiceKey) -> State[toy.Position]:
        return State(view.position, view.flow, key)


class Fickle(toy.Toy):
    """A side imagines another world each time."""

    def imagine(self, view: View[toy.Position], key: DiceKey) -> State[toy.Position]:
        return replace(super().imagine(view, DiceKey(f"{key.seed} {next(_COUNTER)}")), dice=key)


class Loaded(toy.Toy):
    """An imagined world has dice of its own."""

    def imagine(self, view: View[toy.Position], key: DiceKey) -> State[toy.Position]:
        return replace(super().imagine(view, key), dice=DiceKey("loaded"))


def _cases() -> Iterator[tuple[toy.Toy, str, str]]:
    yield LeakyView(), "check_twins", "red's view tells two worlds apart"
    yield LeakyLog(), "check_twins", "the log tells red two worlds apart"
    yield LeakySeal(), "check_sealed", "blue can tell"
    yield HastyDie(), "check_sealed", "a die fell before the last sealed order was in"
    yield Obstinate(), "check_twins", "an order of red is lawful in one world only"
    yield WildOption(), "check_options_are_lawful", "an option of bid is refused"
    yield WildMenu(), "check_menus_are_lawful", "move is neither open nor greyed"
    yield Yielding(), "check_why_not", "not as the menu: "
    yield Unreasoning(), "check_why_not", "cites no rule: "
    yield Telltale(), "check_twins", "why not "
    yield DeadEnd(), "check_no_dead_ends", "bid is open, but has no option"
    yield Endless(), "check_ends", "the battle goes on after"
    yield Restless(), "check_record", "events don't fold to the state after order"
    yield Lawless(), "check_citations", "a die was thrown for TOY-99"
    yield Stranger(), "check_words", "Whisper() can't be read again"
    yield Forgetful(), "check_telling", "what red was told is not what he may know"
    yield StaleCounter(), "check_piece_changes", "red's pieces do not follow"
    yield LingeringCounter(), "check_piece_changes", "red's pieces do not follow"
    yield LeakyReady(), "check_twins", "red's list of who is ready tells two worlds apart"
    yield LeakyCard(), "check_twins", "red's file of cards tells two worlds apart"
    yield LeakyTree(), "check_twins", "red's order of battle tells two worlds apart"
    yield LeakyQuery(), "check_twins", "red's list of highlights tells two worlds apart"
    yield LeakyReport(), "check_twins", "red's file of reports tells two worlds apart"
    yield LeakyReminder(), "check_twins", "red's list of what is left to do tells two worlds apart"
    yield Boaster(), "check_certainty", "was to happen as ordered, and threw"
    yield OneKey(), "check_menus_are_lawful", "two verbs have one hot key"
    yield NoUndo(), "check_menus_are_lawful", "the hot key of bid is not its own"
    yield Mumbler(), "check_menus_are_lawful", "two ways to bid read alike"
    yield Eager(), "check_ready", "is ready, but there is nothing it can do"
    yield Drowsy(), "check_ready", "can do something, but is not ready"
    yield StrangeBadge(), "check_questions", "red 1 wears a badge that is not listed"
    yield SwappedCard(), "check_questions", "the card of red 2 is another's"
    yield BareCard(), "check_questions", "a line of the card of red 1 cites no rule"
    yield Miscounted(), "check_questions", "the strength of The red side is not that of its parts"
    yield Deserted(), "check_questions", "the order of battle lists other units than the pieces say"
    yield HastyQuery(), "check_questions", "the query ready is worked out before it is asked for"
    yield Unwritten(), "check_questions", "the report weather is listed, but nobody writes it"
    yield Informer(), "check_forecasts", "is told of a reaction by what it can't see: a gun may fire"
    yield Optimist(), "check_forecasts", "an order gets through at least 1 and at most 1/2"
    yield Clairvoyant(), "check_imagination", "red can tell the world it imagines from its own"
    yield Unimaginative(), "check_imagination", "whatever the key, a side imagines one and the same world"
    yield Fickle(), "check_imagination", "one key gives two worlds"
    yield Loaded(), "check_imagination", "an imagined world has other dice than it was given"
    yield Vague(), "check_wrong_orders", "cites no rule"


def cases() -> list[BrokenCase]:
    """Every broken ruleset."""
    return [BrokenCase(_case(ruleset), check, complaint) for ruleset, check, complaint in _cases()]


def _case(ruleset: toy.Toy) -> Case:
    name = type(ruleset).__name__
    return Case(name, ruleset, lambda: toy.LINE, twin=toy.twin, rules=frozenset(toy.RULES), most=150, seeds=("1", "2"))


def unordered() -> list[Case]:
    """A case whose digest differs from process to process."""
    return [_case(Unordered())]
