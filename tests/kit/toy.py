"""Outpost Line: a toy ruleset of a few pieces on a line of cells, small enough to hold in the head.

A turn: both sides secretly bid for the first move (a bid costs speed), then each side moves, watches or shoots with
every unit once. A shot may be dodged and a dodge answered by pressing. Some units start hidden: who walks into one is
ambushed.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.kernel import codec
from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import DISCERNED, EVERYBODY, REVEALED, Audience, DiceKey, Event, Frame, Order
from sandtable.kernel.forecast import NO_EFFECT, Forecast, Reaction, Sequel
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.questions import SPENT, UNKNOWN, Badge, Formation, Query, Report, Section, UnitCard
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import (
    Info,
    Marks,
    Piece,
    PieceChanges,
    ProfilePoint,
    Reminder,
    Selection,
    SightLine,
    Target,
    Verb,
)
from sandtable.kernel.state import Outcome, State, View
from sandtable.kernel.telling import known_position
from sandtable.kernel.trace import Line, Tally

RED, BLUE = SideId("red"), SideId("blue")
SIDES = (RED, BLUE)
ENEMY = {RED: BLUE, BLUE: RED}

RULES = {
    "TOY-1": "A side acts when a decision is open to it, with an order that fits the decision.",
    "TOY-2": "Both sides bid in secret; the higher bid moves first, and a tie is diced.",
    "TOY-3": "A unit moves up to 4 cells less its side's bid, through no piece that its side sees.",
    "TOY-4": "Each unit acts once a turn.",
    "TOY-5": "A unit that enters a hidden enemy's cell is stopped, and lost with a chance of 1/3.",
    "TOY-6": "A watching unit fires at the first enemy that comes next to it and hits on a 6.",
    "TOY-7": "A unit shot at may dodge; the shooter may press a unit that dodges.",
    "TOY-8": "A shot reaches 3 cells and hits on 4 or more, 5 or more against a dodge.",
    "TOY-9": "A side without units has lost; when the turns are over, the side with more units has won.",
}

BADGES = (
    Badge("hidden", "hidden", RuleId("TOY-5"), tone=UNKNOWN),
    Badge("watching", "watching", RuleId("TOY-6"), "W"),
    Badge("acted", "acted", RuleId("TOY-4"), "A", SPENT),
)

RANGE = 3
AMBUSH = Fraction(1, 3)


class Post(msgspec.Struct, frozen=True):
    """One unit of a scenario."""

    side: SideId
    cell: HexId
    hidden: bool = False


class Scenario(msgspec.Struct, frozen=True):
    length: int
    turns: int
    posts: tuple[Post, ...]


class Track(codec.Fixed):
    """The line of cells 1..length and how long the battle lasts."""

    def __init__(self, length: int, turns: int) -> None:
        self.length, self.turns = length, turns
        self.digest = codec.digest(["track", length, turns])


class Unit(msgspec.Struct, frozen=True):
    id: UnitId
    side: SideId
    cell: HexId
    hidden: bool = False
    watching: bool = False
    acted: bool = False


class Position(msgspec.Struct, frozen=True):
    """Bids are 0 until made, red's first, and secret until they are revealed."""

    ground: Track
    units: tuple[Unit, ...]
    turn: int = 1
    bids: tuple[int, int] = (0, 0)
    revealed: bool = False

    def unit(self, id: UnitId) -> Unit | None:
        return next((unit for unit in self.units if unit.id == id), None)

    def at(self, cell: HexId) -> Unit | None:
        return next((unit for unit in self.units if unit.cell == cell), None)

    def of(self, side: SideId) -> tuple[Unit, ...]:
        return tuple(unit for unit in self.units if unit.side == side)

    def put(self, id: UnitId, **changes: Any) -> Position:
        units = tuple(replace(unit, **changes) if unit.id == id else unit for unit in self.units)
        return replace(self, units=units)


# Orders


class Bid(Order, frozen=True):
    amount: int


class Move(Order, frozen=True):
    unit: UnitId
    to: HexId


class Watch(Order, frozen=True):
    unit: UnitId


class Shoot(Order, frozen=True):
    unit: UnitId
    target: UnitId


class EndMoves(Order, frozen=True):
    pass


class Dodge(Order, frozen=True):
    pass


class Press(Order, frozen=True):
    pass


class Pass(Order, frozen=True):
    pass


# Events

SEALED = Audience("its side word for word, the others without the amount")
OWNER = Audience("the side of its unit")


class BidMade(Event, frozen=True):
    audience = SEALED

    side: SideId
    amount: int


class BidsRevealed(Event, frozen=True):
    audience = REVEALED

    red: int
    blue: int
    first: SideId


class Moved(Event, frozen=True):
    audience = EVERYBODY

    unit: UnitId
    to: HexId


class Ambushed(Event, frozen=True):
    audience = EVERYBODY

    unit: UnitId
    ambusher: UnitId


class Watched(Event, frozen=True):
    audience = OWNER

    unit: UnitId


class Fired(Event, frozen=True):
    audience = EVERYBODY

    unit: UnitId
    target: UnitId
    roll: int
    needed: int


class Lost(Event, frozen=True):
    audience = EVERYBODY

    unit: UnitId


class TurnBegan(Event, frozen=True):
    audience = EVERYBODY

    turn: int


class Appeared(Event, frozen=True):
    """Units that were hidden from the viewer are there."""

    audience = DISCERNED

    units: tuple[Unit, ...]


# Frames


class Plan(Frame, frozen=True):
    """Both sides bid."""


class Moves(Frame, frozen=True):
    """One side acts, then the other."""

    side: SideId
    then: tuple[SideId, ...] = ()


class Dodging(Frame, frozen=True):
    """The side that is shot at may dodge."""

    unit: UnitId
    target: UnitId


class Pressing(Frame, frozen=True):
    """The side that shoots may press."""


class Rest(Frame, frozen=True):
    """The turn is over; nobody has anything to decide."""


ORDERS = Bid | Move | Watch | Shoot | EndMoves | Dodge | Press | Pass
EVENTS = BidMade | BidsRevealed | Moved | Ambushed | Watched | Fired | Lost | TurnBegan | Appeared
FRAMES = Plan | Moves | Dodging | Pressing | Rest

FITTING: dict[str, tuple[type[Order], ...]] = {
    "bid": (Bid,),
    "move": (Move, Watch, Shoot, EndMoves),
    "dodge": (Dodge, Pass),
    "press": (Press, Pass),
}
VERBS: tuple[tuple[type[Order], str], ...] = (
    (Bid, "b"),
    (Move, "m"),
    (Watch, "w"),
    (Shoot, "s"),
    (EndMoves, "e"),
    (Dodge, "d"),
    (Press, "r"),
    (Pass, "p"),
)


class Lawful:
    """The lawful orders of a decision, all of them."""

    def __init__(self, orders: tuple[Order, ...]) -> None:
        self._orders = orders

    def __iter__(self) -> Iterator[Order]:
        return iter(self._orders)

    def pick(self, dice: PromptDice) -> Order:
        return self._orders[dice.below(len(self._orders))]


def path(start: HexId, end: HexId) -> tuple[HexId, ...]:
    """The cells entered on the way, the last one included."""
    step = 1 if end > start else -1
    return tuple(HexId(cell) for cell in range(start + step, end + step, step))


def to_hit(*, dodged: bool, pressed: bool) -> Tally:
    """The lowest roll that hits."""
    lines = [Line("a shot", 4, RuleId("TOY-8"))]
    if dodged:
        lines.append(Line("the target dodges", 1, RuleId("TOY-8")))
    if pressed:
        lines.append(Line("the shooter presses", -1, RuleId("TOY-7")))
    return Tally("to hit", sum(line.value for line in lines if isinstance(line.value, int)), tuple(lines))


def refuse(number: int, reason: str) -> Refusal:
    return Refusal(RuleId(f"TOY-{number}"), reason)


class Toy:
    """The ruleset."""

    info = Info("toy", "Outpost Line", "1", "TOY-", Position, ORDERS, EVENTS, FRAMES, BADGES)

    def setup(self, scenario: Scenario, options: dict[str, Any], key: DiceKey) -> State[Position]:
        turns = options.get("turns", scenario.turns)
        if not isinstance(turns, int) or not 1 <= turns <= 20:
            raise ValueError("a battle lasts 1 to 20 turns")
        units = tuple(
            Unit(UnitId(number), post.side, post.cell, hidden=post.hidden)
            for number, post in enumerate(scenario.posts, start=1)
        )
        return State(Position(Track(scenario.length, turns), units), (Plan(),), key)

    def sides(self, state: State[Position]) -> tuple[SideId, ...]:
        return SIDES

    # who decides, and what each side sees

    def decisions(self, state: State[Position]) -> tuple[Decision, ...]:
        position, frame = state.position, state.flow[-1]
        if self.outcome(state) is not None:
            return ()
        if isinstance(frame, Plan):
            return tuple(
                Decision(side, "bid", RuleId("TOY-2"), "Bid for the first move", sealed=True)
                for side, bid in zip(SIDES, position.bids, strict=True)
                if not bid
            )
        if isinstance(frame, Moves):
            return (Decision(frame.side, "move", RuleId("TOY-4"), "Move, watch or shoot"),)
        if isinstance(frame, Dodging):
            return (Decision(ENEMY[self._shooter(state.flow)], "dodge", RuleId("TOY-7"), "Dodge?", optional=True),)
        if isinstance(frame, Pressing):
            return (Decision(self._shooter(state.flow), "press", RuleId("TOY-7"), "Press?", optional=True),)
        return ()

    @staticmethod
    def _shooter(flow: tuple[Frame, ...]) -> SideId:
        assert isinstance(flow[0], Moves)
        return flow[0].side

    def view(self, state: State[Position], side: SideId) -> View[Position]:
        mine = tuple(decision for decision in self.decisions(state) if decision.side == side)
        return View(side, state.position.turn, known_position(self, state, side), state.flow, mine)

    def known(self, position: Position, side: SideId, before: Position | None = None) -> Position:
        units = tuple(
            unit if unit.side == side else replace(unit, watching=False)
            for unit in position.units
            if unit.side == side or not unit.hidden
        )
        red, blue = position.bids
        if not position.revealed:
            red, blue = red if side == RED else 0, blue if side == BLUE else 0
        return replace(position, units=units, bids=(red, blue))

    def redact(self, event: Event, before: Position, after: Position, side: SideId) -> Event | None:
        if isinstance(event, BidMade) and event.side != side:
            return BidMade(event.side, 0)
        if isinstance(event, Watched):
            unit = after.unit(event.unit)
            return event if unit is not None and unit.side == side else None
        return event

    def discern(self, known: Position, before: Position, after: Position, side: SideId) -> Iterator[Event]:
        appeared = tuple(unit for unit in self.known(after, side).units if unit != known.unit(unit.id))
        if appeared:
            yield Appeared(appeared)

    def hides(self, position: Position) -> bool:
        return True

    def may_undo(self, view: View[Position], order: Order) -> bool:
        return True

    def believed(self, view: View[Position]) -> State[Position]:
        return State(view.position, view.flow, DiceKey("forecast"))

    def imagine(self, view: View[Position], key: DiceKey) -> State[Position]:
        """Somebody may lie in wait in a cell by lot, and who is in sight may be watching."""
        position, lots, foe = view.position, PromptDice(f"imagine/{key.seed}", key.number), ENEMY[view.side]
        for unit in position.of(foe):
            position = position.put(unit.id, watching=bool(lots.below(2)))
        free = [HexId(n) for n in range(1, position.ground.length + 1) if position.at(HexId(n)) is None]
        ambusher = Unit(UnitId(99), foe, free[lots.below(len(free))], hidden=True)
        return State(replace(position, units=(*position.units, ambusher)), view.flow, key)

    # what is lawful

    def check(self, view: View[Position], order: Order) -> Refusal | None:
        if not any(isinstance(order, FITTING[decision.kind]) for decision in view.decisions):
            return refuse(1, "nothing like that can be decided now")
        if isinstance(order, Bid):
            return None if 1 <= order.amount <= 3 else refuse(2, "a bid is 1, 2 or 3")
        if isinstance(order, Move | Watch | Shoot):
            unit = view.position.unit(order.unit)
            if unit is None or unit.side != view.side:
                return refuse(1, "that is no unit of yours")
            if unit.acted:
                return refuse(4, "the unit has acted this turn")
            if isinstance(order, Move):
                return self._check_move(view, unit, order.to)
            if isinstance(order, Shoot):
                return self._check_shot(view, unit, order.target)
        return None

    def _check_move(self, view: View[Position], unit: Unit, to: HexId) -> Refusal | None:
        position = view.position
        if not 1 <= to <= position.ground.length or to == unit.cell:
            return refuse(3, "that is nowhere to go")
        if abs(to - unit.cell) > 4 - position.bids[SIDES.index(view.side)]:
            return refuse(3, "that is too far")
        if any(position.at(cell) for cell in path(unit.cell, to)):
            return refuse(3, "another piece is in the way")
        return None

    def _check_shot(self, view: View[Position], unit: Unit, id: UnitId) -> Refusal | None:
        target = view.position.unit(id)
        if target is None or target.side == view.side:
            return refuse(8, "that is no enemy you can see")
        return refuse(8, "that is out of range") if abs(target.cell - unit.cell) > RANGE else None

    def _candidates(self, view: View[Position]) -> Iterator[Order]:
        """Every order worth asking about."""
        yield from (Bid(amount) for amount in (1, 2, 3))
        for unit in view.position.of(view.side):
            yield from (Move(unit.id, HexId(cell)) for cell in range(1, view.position.ground.length + 1))
            yield Watch(unit.id)
            yield from (Shoot(unit.id, foe.id) for foe in view.position.of(ENEMY[view.side]))
        yield from (EndMoves(), Dodge(), Press(), Pass())

    def options(self, view: View[Position], decision: Decision) -> Lawful:
        fitting = (order for order in self._candidates(view) if isinstance(order, FITTING[decision.kind]))
        return Lawful(tuple(order for order in fitting if self.check(view, order) is None))

    def menu(self, view: View[Position], selection: Selection) -> tuple[Verb, ...]:
        wanted = tuple(
            order
            for order in self._candidates(view)
            if not selection.units or getattr(order, "unit", selection.units[0]) in selection.units
        )
        return tuple(self._verb(view, kind, hotkey, wanted) for kind, hotkey in VERBS)

    def _verb(self, view: View[Position], kind: type[Order], hotkey: str, wanted: tuple[Order, ...]) -> Verb:
        answers = [(order, self.check(view, order)) for order in wanted if isinstance(order, kind)]
        targets = tuple(
            Target(order, getattr(order, "to", HexId(0)), path=self._way(view, order))
            for order, refusal in answers
            if refusal is None
        )
        refusal = None if targets else next((why for _, why in answers), refuse(1, "there is nothing to do it with"))
        closes = kind in (EndMoves, Pass)
        return Verb(kind.__name__.lower(), kind.__name__, hotkey, targets, refusal, closes=closes)

    @staticmethod
    def _way(view: View[Position], order: Order) -> tuple[HexId, ...]:
        if not isinstance(order, Move):
            return ()
        unit = view.position.unit(order.unit)
        assert unit is not None
        return path(unit.cell, order.to)

    def why_not(self, view: View[Position], verb: str, selection: Selection, target: Selection) -> Refusal | None:
        found = {one.key: one for one in self.menu(view, selection)}.get(verb)
        if found is None:
            return refuse(1, "there is no such verb")
        if any(not one.hex or one.hex == target.hex for one in found.targets):
            return None
        return found.refusal or refuse(3, "it can't go there")

    def pieces(self, view: View[Position]) -> tuple[Piece, ...]:
        return tuple(self._piece(unit) for unit in view.position.units)

    def _piece(self, unit: Unit) -> Piece:
        worn = tuple(badge.key for badge in BADGES if getattr(unit, badge.key))
        return Piece(
            unit.id,
            unit.side,
            unit.cell,
            f"{unit.side} {unit.id}",
            "unit",
            states=("hidden",) * unit.hidden,
            formation=f"{unit.side} line",
            badges=worn,
            tone=SPENT if unit.acted else "",
        )

    def piece_changes(self, before: Position, after: Position, side: SideId) -> PieceChanges:
        old, new = (
            {piece.id: piece for piece in self.pieces(View(side, position.turn, position, (), ()))}
            for position in (before, after)
        )
        changed = tuple(piece for id, piece in new.items() if old.get(id) != piece)
        return PieceChanges(changed, tuple(id for id in old if id not in new))

    # what happens

    def resolve(self, resolution: Resolution[Position], side: SideId, order: Order) -> None:
        match order:
            case Bid(amount):
                resolution.emit(BidMade(side, amount))
            case Move(unit, to):
                self._move(resolution, unit, to)
            case Watch(unit):
                resolution.emit(Watched(unit))
            case Shoot(unit, target):
                resolution.push(Dodging(unit, target))
            case Dodge():
                resolution.push(Pressing())
            case Press():
                resolution.pop()
                self._shot(resolution, dodged=True, pressed=True)
            case Pass():
                dodged = isinstance(resolution.top, Pressing)
                if dodged:
                    resolution.pop()
                self._shot(resolution, dodged=dodged, pressed=False)
            case _:
                frame = resolution.top
                assert isinstance(frame, Moves)
                resolution.goto(Moves(frame.then[0]) if frame.then else Rest())

    def _move(self, resolution: Resolution[Position], id: UnitId, to: HexId) -> None:
        """The unit has gone as far as the truth lets it."""
        unit = resolution.position.unit(id)
        assert unit is not None
        for cell in path(unit.cell, to):
            ambusher = resolution.position.at(cell)
            if ambusher is not None:
                resolution.emit(Ambushed(id, ambusher.id))
                if resolution.chance(AMBUSH, "TOY-5", ambusher.id):
                    resolution.emit(Lost(id))
                return
            resolution.emit(Moved(id, cell))
            for watcher in resolution.position.of(ENEMY[unit.side]):
                if watcher.watching and abs(watcher.cell - cell) == 1:
                    self._fire(resolution, watcher.id, id, "TOY-6", 6)
                    if resolution.position.unit(id) is None:
                        return

    def _shot(self, resolution: Resolution[Position], *, dodged: bool, pressed: bool) -> None:
        frame = resolution.pop()
        assert isinstance(frame, Dodging)
        needed = to_hit(dodged=dodged, pressed=pressed).total
        assert isinstance(needed, int)
        self._fire(resolution, frame.unit, frame.target, "TOY-8", needed)

    def _fire(self, resolution: Resolution[Position], id: UnitId, target: UnitId, rule: str, needed: int) -> None:
        roll = resolution.roll(rule, id)
        resolution.emit(Fired(id, target, roll, needed))
        if roll >= needed:
            resolution.emit(Lost(target))

    def advance(self, resolution: Resolution[Position]) -> None:
        if isinstance(resolution.top, Plan):
            red, blue = resolution.position.bids
            lead = red - blue or (1 if resolution.roll("TOY-2") <= 3 else -1)
            first = RED if lead > 0 else BLUE
            resolution.emit(BidsRevealed(red, blue, first))
            resolution.goto(Moves(first, (ENEMY[first],)))
        else:
            resolution.emit(TurnBegan(resolution.position.turn + 1))
            resolution.goto(Plan())

    def apply(self, position: Position, event: Event) -> Position:
        match event:
            case BidMade(side, amount):
                red, blue = position.bids
                return replace(position, bids=(amount, blue) if side == RED else (red, amount))
            case Moved(id, to):
                return position.put(id, cell=to, acted=True, hidden=False, watching=False)
            case Ambushed(id, ambusher):
                return position.put(id, acted=True, hidden=False, watching=False).put(ambusher, hidden=False)
            case Watched(id):
                return position.put(id, watching=True, acted=True)
            case Fired(id):
                return position.put(id, acted=True, hidden=False, watching=False)
            case Lost(id):
                return replace(position, units=tuple(unit for unit in position.units if unit.id != id))
            case TurnBegan(turn):
                units = tuple(replace(unit, acted=False) for unit in position.units)
                return replace(position, units=units, turn=turn, bids=(0, 0), revealed=False)
            case BidsRevealed(red, blue):
                return replace(position, bids=(red, blue), revealed=True)
            case Appeared(units):
                ids = {unit.id for unit in units}
                there = (*(unit for unit in position.units if unit.id not in ids), *units)
                return replace(position, units=tuple(sorted(there, key=lambda unit: unit.id)))
            case _:
                return position

    def outcome(self, state: State[Position]) -> Outcome | None:
        position = state.position
        red, blue = len(position.of(RED)), len(position.of(BLUE))
        if red and blue and position.turn <= position.ground.turns:
            return None
        winner = None if red == blue else RED if red > blue else BLUE
        return Outcome(winner, "decisive" if not (red and blue) else "marginal", (f"red {red}, blue {blue} (TOY-9)",))

    # words and numbers

    def explain(self, view: View[Position], order: Order) -> tuple[Tally, ...]:
        if isinstance(order, Shoot):
            return (to_hit(dodged=False, pressed=False),)
        if isinstance(order, Press | Pass):
            return (to_hit(dodged=isinstance(view.flow[-1], Pressing), pressed=isinstance(order, Press)),)
        return ()

    def result(self, events: tuple[Event, ...], view: View[Position]) -> str:
        if any(isinstance(event, Lost) for event in events):
            return "lost"
        return "missed" if any(isinstance(event, Fired) for event in events) else NO_EFFECT

    def sight(self, view: View[Position], a: HexId, b: HexId) -> SightLine:
        """Everything on the track sees everything else."""
        return SightLine(clear=True, profile=(ProfilePoint(a, 0), ProfilePoint(b, 0)))

    def seen(self, view: View[Position], units: tuple[UnitId, ...]) -> tuple[HexId, ...]:
        return tuple(sorted({unit.cell for unit in view.position.units if unit.id in units}))

    def watchers(self, view: View[Position], place: HexId) -> tuple[UnitId, ...]:
        return tuple(unit.id for unit in view.position.units if unit.side == view.side)

    def threats(self, view: View[Position], place: HexId, unit: UnitId = NOBODY) -> tuple[Reaction, ...]:
        return tuple(
            Reaction(foe.side, (foe.id,), place, "shoots") for foe in view.position.units if foe.side != view.side
        )

    def standing(self, view: View[Position]) -> tuple[Tally, ...]:
        return (Tally("Units", sum(unit.side == view.side for unit in view.position.units)),)

    def odds(self, view: View[Position], order: Order) -> Forecast | None:
        return None

    def sequel(self, view: View[Position], order: Order) -> Sequel:
        return Sequel()

    def hex_facts(self, view: View[Position], place: HexId) -> tuple[Line, ...]:
        return (Line("Cell", place, RuleId("TOY-1")),)

    def ready(self, view: View[Position]) -> tuple[UnitId, ...]:
        if not any(decision.kind == "move" for decision in view.decisions):
            return ()
        return tuple(unit.id for unit in view.position.of(view.side) if not unit.acted)

    def reminders(self, view: View[Position]) -> tuple[Reminder, ...]:
        if any(decision.kind == "bid" for decision in view.decisions):
            return (Reminder("your bid is still to be made", RuleId("TOY-2")),)
        return tuple(Reminder(f"{id} has not acted", RuleId("TOY-4"), units=(id,)) for id in self.ready(view))

    def plans(self, view: View[Position]) -> tuple[Target, ...]:
        return ()

    def card(self, view: View[Position], unit: UnitId) -> UnitCard | None:
        found = view.position.unit(unit)
        if found is None:
            return None
        piece = self._piece(found)
        printed = (Line("Range", RANGE, RuleId("TOY-8")), Line("Cell", found.cell, RuleId("TOY-3")))
        worn = tuple(Line("Is", badge.title, badge.rule) for badge in BADGES if badge.key in piece.badges)
        sections = (Section("Values", printed), Section("State", worn))
        return UnitCard(unit, piece.title, "post", found.side, sections, piece.badges)

    def tree(self, view: View[Position]) -> tuple[Formation, ...]:
        """Each side and its one line; the toy does not remember whom it has lost."""
        return tuple(self._army(side, view.position.of(side)) for side in SIDES)

    def _army(self, side: SideId, units: tuple[Unit, ...]) -> Formation:
        count, ids = len(units), tuple(unit.id for unit in units)
        line = Formation(f"{side} line", f"The {side} line", side, count, count, ids)
        return Formation(side, f"The {side} side", side, count, count, children=(line,))

    def queries(self, view: View[Position]) -> tuple[Query, ...]:
        return (Query("ready", "Who can act", RuleId("TOY-4")), Query("danger", "Under fire", RuleId("TOY-8")))

    def query(self, view: View[Position], key: str) -> Query | None:
        if key == "ready":
            return Query(key, "Who can act", RuleId("TOY-4"), units=self.ready(view))
        if key != "danger":
            return None
        foes = tuple(unit for unit in view.position.units if unit.side != view.side)
        cells = range(1, view.position.ground.length + 1)
        near = (HexId(cell) for cell in cells if any(abs(cell - foe.cell) <= RANGE for foe in foes))
        return Query(key, "Under fire", RuleId("TOY-8"), tuple(near), tuple(foe.id for foe in foes))

    def reports(self, view: View[Position]) -> tuple[Report, ...]:
        return (Report("strength", "Strength"),)

    def report(self, view: View[Position], kind: str) -> Report | None:
        if kind != "strength":
            return None
        lines = tuple(Line(side, len(view.position.of(side)), RuleId("TOY-9")) for side in SIDES)
        return Report(kind, "Strength", (Section("Units", lines),))

    def describe(self, event: Event, view: View[Position]) -> str:
        fields = msgspec.structs.asdict(event).items()
        return f"{type(event).__name__}: " + ", ".join(f"{name} {value}" for name, value in fields)

    def marks(self, event: Event) -> Marks:
        match event:
            case Moved(unit, to):
                return Marks(to, (unit,), (to,))
            case Ambushed(unit, ambusher):
                return Marks(units=(unit, ambusher), rule=RuleId("TOY-5"))
            case Fired(unit, target):
                return Marks(units=(unit, target), rule=RuleId("TOY-8"))
            case Watched(unit) | Lost(unit):
                return Marks(units=(unit,))
            case Appeared(units):
                return Marks(units=tuple(unit.id for unit in units))
            case _:
                return Marks()

    def step(self, view: View[Position]) -> str:
        return view.decisions[0].kind if view.decisions else ""

    def order_text(self, order: Order, view: View[Position]) -> str:
        return " ".join([type(order).__name__.lower(), *map(str, msgspec.structs.astuple(order))])


def twin(state: State[Position], side: SideId, dice: PromptDice) -> State[Position] | None:
    """Another truth that looks the same to that side: hidden enemies elsewhere, another watch, another secret bid."""
    position = state.position
    foe = ENEMY[side]
    for unit in position.of(foe):
        if unit.hidden:
            free = [cell for cell in range(1, position.ground.length + 1) if position.at(HexId(cell)) is None]
            position = position.put(unit.id, cell=HexId(free[dice.below(len(free))]))
        position = position.put(unit.id, watching=not unit.watching)
    if isinstance(state.flow[-1], Plan):
        red, blue = position.bids
        if side == RED:
            blue = blue and blue % 3 + 1
        else:
            red = red and red % 3 + 1
        position = replace(position, bids=(red, blue))
    return State(position, state.flow, state.dice)


TOY = Toy()

LINE = Scenario(
    length=12,
    turns=6,
    posts=(
        Post(RED, HexId(1)),
        Post(RED, HexId(2)),
        Post(RED, HexId(3)),
        Post(BLUE, HexId(7), hidden=True),
        Post(BLUE, HexId(9)),
        Post(BLUE, HexId(12), hidden=True),
    ),
)
