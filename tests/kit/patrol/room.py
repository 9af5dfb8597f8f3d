"""Night Patrol in one file: everything a room must say, in the order in which the how-to tells it.

Two patrols of each side walk about in the dark. They see two hexes far, shoot at what they see, and duck. A real room
has a file for each part; the headings here bear the names of those files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from sandtable.content import (
    Nothing,
    Scenario,
    Tutorial,
    TutorialWords,
    Vocabulary,
    load_scenario,
    load_sheet,
    load_tutorial,
    read_catalogue,
)
from sandtable.content.catalogue import CatalogueRule
from sandtable.content.reading import Source
from sandtable.geometry import Board
from sandtable.kernel import codec
from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import DISCERNED, EVERYBODY, DiceKey, Event, Frame, Order
from sandtable.kernel.forecast import Forecast, Reaction
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.questions import SPENT, Badge, Formation, Query, Report, Section, UnitCard
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import (
    Info,
    Marks,
    Piece,
    PieceChanges,
    ProfilePoint,
    Selection,
    SightLine,
)
from sandtable.kernel.state import Outcome, State
from sandtable.kernel.state import View as KernelView
from sandtable.kernel.telling import known_position
from sandtable.kernel.trace import Line, Tally
from sandtable.play.answers import OrderbookAnswers
from sandtable.play.changes import Changes
from sandtable.play.choices import Choices
from sandtable.play.derived import Derived
from sandtable.play.fog import WITNESSES, Redactions
from sandtable.play.orderbook import Orderbook
from sandtable.play.rows import Action, Actors, Aim, Row
from sandtable.play.step_tables import Level, Step
from sandtable.play.steps import Levels, Steps
from sandtable.play.system import Candidate, System
from sandtable.play.words import numbered

FILES = Path(__file__).parent

# --- model.py: what lies on the table -------------------------------------------------------------------------------

RED, BLUE = SideId("red"), SideId("blue")
SIDES = (RED, BLUE)
ENEMY = {RED: BLUE, BLUE: RED}
EYESIGHT = 2


class Ground(codec.Fixed):
    """What never changes in a battle; a record holds its digest alone."""

    def __init__(self, scenario: Scenario[Nothing, Nothing]) -> None:
        self.board: Board = scenario.board
        self.turns = scenario.turns
        self.sides = tuple(SideId(unit.side) for unit in scenario.units)
        """The side of every patrol that began the battle, by its number: no secret to anybody."""
        self.digest = codec.digest([scenario.digest, scenario.board.digest])


class Patrol(msgspec.Struct, frozen=True):
    id: UnitId
    side: SideId
    hex: HexId
    acted: bool = False


class Position(msgspec.Struct, frozen=True):
    """The table; in a view of it the patrols that the viewer can't see are missing."""

    ground: Ground
    patrols: tuple[Patrol, ...]
    watch: SideId = RED
    turn: int = 1
    lost: tuple[UnitId, ...] = ()
    derived: Derived = msgspec.field(default_factory=Derived)

    def patrol(self, id: UnitId) -> Patrol | None:
        return next((patrol for patrol in self.patrols if patrol.id == id), None)

    def at(self, place: HexId) -> Patrol | None:
        return next((patrol for patrol in self.patrols if patrol.hex == place), None)

    def of(self, side: SideId) -> list[Patrol]:
        return [patrol for patrol in self.patrols if patrol.side == side]

    def put(self, id: UnitId, **changes: Any) -> Position:
        """One patrol is otherwise than it was; nothing happens to one that is not there."""
        patrols = tuple(replace(one, **changes) if one.id == id else one for one in self.patrols)
        return replace(self, patrols=patrols)


View = KernelView[Position]


def is_ground(board: Board, place: HexId) -> bool:
    """Whether a patrol can stand there (NP-3)."""
    return board.is_on(place) and board.terrain[place] != "pond"


def unspotted(position: Position) -> frozenset[UnitId]:
    """The patrols that no enemy sees, worked out once for each table (NP-4)."""
    return position.derived.part("unspotted", (position.patrols,), lambda: _unspotted(position))


def _unspotted(position: Position) -> frozenset[UnitId]:
    distance = position.ground.board.distance
    return frozenset(
        one.id
        for one in position.patrols
        if not any(distance(one.hex, foe.hex) <= EYESIGHT for foe in position.of(ENEMY[one.side]))
    )


# --- orders.py ------------------------------------------------------------------------------------------------------


class Walk(Order, frozen=True):
    """Go to a hex beside one's own."""

    unit: UnitId
    to: HexId


class Shoot(Order, frozen=True):
    """Shoot at an enemy patrol in sight."""

    unit: UnitId
    target: UnitId


class Duck(Order, frozen=True):
    """Take cover from the shot."""


class Stand(Order, frozen=True):
    """Take the shot standing."""


class EndWatch(Order, frozen=True):
    """Leave the rest to the other side."""


# --- events.py: what happens, and who may know of it ----------------------------------------------------------------


class Walked(Event, frozen=True):
    audience = WITNESSES

    unit: UnitId
    to: HexId


class Ducked(Event, frozen=True):
    audience = EVERYBODY

    unit: UnitId


class Shot(Event, frozen=True):
    audience = EVERYBODY

    unit: UnitId
    target: UnitId
    roll: int
    needed: int


class Lost(Event, frozen=True):
    audience = EVERYBODY

    unit: UnitId


class Rested(Event, frozen=True):
    audience = EVERYBODY

    side: SideId


class WatchBegan(Event, frozen=True):
    audience = EVERYBODY

    side: SideId
    turn: int


class Sighted(Event, frozen=True):
    """Patrols have come into the viewer's sight, or look otherwise than he knew."""

    audience = DISCERNED

    patrols: tuple[Patrol, ...]


class Vanished(Event, frozen=True):
    """Patrols have gone out of the viewer's sight."""

    audience = DISCERNED

    units: tuple[UnitId, ...]


AnyEvent = Walked | Ducked | Shot | Lost | Rested | WatchBegan | Sighted | Vanished

# --- changes.py: what each event does -------------------------------------------------------------------------------

changes: Changes[Position] = Changes()


@changes.on(Walked)
def _walked(position: Position, event: Walked) -> Position:
    return position.put(event.unit, hex=event.to, acted=True)


@changes.on(Ducked)
def _ducked(position: Position, event: Ducked) -> Position:
    return position.put(event.unit, acted=True)


@changes.on(Shot)
def _shot(position: Position, event: Shot) -> Position:
    return position.put(event.unit, acted=True)


@changes.on(Lost)
def _lost(position: Position, event: Lost) -> Position:
    return replace(_without(position, (event.unit,)), lost=(*position.lost, event.unit))


@changes.on(Rested)
def _rested(position: Position, event: Rested) -> Position:
    return replace(
        position, patrols=tuple(replace(one, acted=one.acted and one.side != event.side) for one in position.patrols)
    )


@changes.on(WatchBegan)
def _watch_began(position: Position, event: WatchBegan) -> Position:
    return replace(position, watch=event.side, turn=event.turn)


@changes.on(Sighted)
def _sighted(position: Position, event: Sighted) -> Position:
    others = _without(position, [one.id for one in event.patrols]).patrols
    return replace(position, patrols=tuple(sorted((*others, *event.patrols), key=lambda one: one.id)))


@changes.on(Vanished)
def _vanished(position: Position, event: Vanished) -> Position:
    return _without(position, event.units)


def _without(position: Position, ids: Iterable[UnitId]) -> Position:
    return replace(position, patrols=tuple(one for one in position.patrols if one.id not in ids))


changes.complete(AnyEvent)

# --- frames.py and sequence.py --------------------------------------------------------------------------------------


class StepFrame(Frame, frozen=True):
    """A step of a side's watch."""

    step: str = ""


class UnderFire(Frame, frozen=True):
    """A patrol is about to be shot at and may duck."""

    unit: UnitId
    target: UnitId


AnyFrame = StepFrame | UnderFire


def _rest(resolution: Resolution[Position]) -> None:
    """The side's patrols are fresh again (NP-2)."""
    resolution.emit(Rested(resolution.position.watch))


STEPS: tuple[Step[Position], ...] = (
    Step("patrol", "Patrol", "NP-1", "Walk or shoot with your patrols; then end your watch."),
    Step("rest", "Rest", "NP-2", run=_rest),
)


def _began(resolution: Resolution[Position], step: Step[Position]) -> None:
    resolution.goto(StepFrame(step.key))


WALK: Steps[Position] = Steps(STEPS, _began)


def _decide(position: Position, frame: StepFrame) -> tuple[Decision, ...]:
    step = WALK.by_key.get(frame.step)
    return (Decision(position.watch, step.key, RuleId(step.rule), step.prompt),) if step and step.is_open else ()


def _go_on(resolution: Resolution[Position], frame: StepFrame) -> None:
    """The next step has begun; after the last one it is the other side's watch."""
    if frame.step and WALK.go_on(resolution, frame.step):
        return
    position = resolution.position
    if frame.step:
        turn = position.turn + (position.watch == SIDES[-1])
        resolution.emit(WatchBegan(ENEMY[position.watch], turn))
    WALK.begin(resolution)


def resolve_end(resolution: Resolution[Position], side: SideId, order: EndWatch) -> None:
    WALK.end(resolution, "patrol")


def _may_duck(position: Position, frame: UnderFire) -> tuple[Decision, ...]:
    side = ENEMY[position.watch]
    return (Decision(side, "under fire", RuleId("NP-6"), "Duck, or take the shot standing.", optional=True),)


LEVELS: Levels[Position] = Levels(Level(StepFrame, _decide, _go_on), Level(UnderFire, _may_duck))

# --- movement.py ----------------------------------------------------------------------------------------------------


def refuse(rule: str, reason: str) -> Refusal:
    return Refusal(RuleId(rule), reason)


def tired(position: Position, side: SideId, patrol: Patrol) -> Refusal | None:
    """The refusal that a patrol's own state makes (NP-2)."""
    return refuse("NP-2", "the patrol has acted in this watch") if patrol.acted else None


def _actor(position: Position, side: SideId, id: UnitId) -> Patrol | Refusal:
    """The patrol, fit to act, or why it can't."""
    patrol = position.patrol(id)
    if patrol is None or patrol.side != side:
        return refuse("NP-1", "that is no patrol of yours")
    return tired(position, side, patrol) or patrol


def check_walk(position: Position, side: SideId, order: Walk) -> Refusal | None:
    """Rules: NP-3."""
    patrol, board = _actor(position, side, order.unit), position.ground.board
    if isinstance(patrol, Refusal):
        return patrol
    if not board.is_on(order.to) or board.distance(patrol.hex, order.to) != 1:
        return refuse("NP-3", "a patrol walks one hex")
    if not is_ground(board, order.to):
        return refuse("NP-3", "nobody walks into a pond")
    return refuse("NP-3", "somebody stands there") if position.at(order.to) else None


def resolve_walk(resolution: Resolution[Position], side: SideId, order: Walk) -> None:
    resolution.emit(Walked(order.unit, order.to))


def walk_options(position: Position, side: SideId, patrol: Patrol) -> Iterator[Walk]:
    orders = (Walk(patrol.id, HexId(place)) for place in position.ground.board.neighbors(patrol.hex))
    return (order for order in orders if check_walk(position, side, order) is None)


# --- fire.py --------------------------------------------------------------------------------------------------------


def to_hit(*, ducks: bool) -> Tally:
    """The lowest roll that hits, with the rules that made it."""
    lines = [Line("a shot", 4, RuleId("NP-5"))]
    if ducks:
        lines.append(Line("the target ducks", 1, RuleId("NP-6")))
    return Tally("To hit", 5 if ducks else 4, tuple(lines))


def check_shoot(position: Position, side: SideId, order: Shoot) -> Refusal | None:
    """Rules: NP-5."""
    patrol, target = _actor(position, side, order.unit), position.patrol(order.target)
    if isinstance(patrol, Refusal):
        return patrol
    if target is None or target.side == side:
        return refuse("NP-5", "that is no enemy in sight")
    if position.ground.board.distance(patrol.hex, target.hex) > EYESIGHT:
        return refuse("NP-5", "the patrol itself does not see that far")
    return None


def resolve_shoot(resolution: Resolution[Position], side: SideId, order: Shoot) -> None:
    """The target may duck first, if it is fresh (NP-6)."""
    target = resolution.position.patrol(order.target)
    assert target is not None
    if target.acted:
        _hit_or_miss(resolution, order.unit, order.target, ducks=False)
    else:
        resolution.push(UnderFire(order.unit, order.target))


def resolve_duck(resolution: Resolution[Position], side: SideId, order: Duck) -> None:
    frame = resolution.pop()
    assert isinstance(frame, UnderFire)
    resolution.emit(Ducked(frame.target))
    _hit_or_miss(resolution, frame.unit, frame.target, ducks=True)


def resolve_stand(resolution: Resolution[Position], side: SideId, order: Stand) -> None:
    frame = resolution.pop()
    assert isinstance(frame, UnderFire)
    _hit_or_miss(resolution, frame.unit, frame.target, ducks=False)


def _hit_or_miss(resolution: Resolution[Position], unit: UnitId, target: UnitId, *, ducks: bool) -> None:
    needed = int(to_hit(ducks=ducks).total)
    roll = resolution.roll("NP-5", unit)
    resolution.emit(Shot(unit, target, roll, needed))
    if roll >= needed:
        resolution.emit(Lost(target))


def shoot_options(position: Position, side: SideId, patrol: Patrol) -> Iterator[Shoot]:
    orders = (Shoot(patrol.id, foe.id) for foe in position.of(ENEMY[side]))
    return (order for order in orders if check_shoot(position, side, order) is None)


def aim_shoot(position: Position, order: Shoot) -> Aim:
    target = position.patrol(order.target)
    return Aim(target.hex, (target.id,), actors=(order.unit,)) if target else Aim()


def point_shoot(position: Position, side: SideId, patrols: list[Patrol], target: Selection) -> Order | Refusal:
    """The shot at whoever stands where the player points."""
    there = position.at(target.hex)
    return refuse("NP-5", "nobody is seen there") if there is None else Shoot(patrols[0].id, there.id)


# --- orderbook.py: one row for each kind of order -------------------------------------------------------------------


def patrols_of(position: Position, side: SideId, step: str) -> list[Patrol]:
    return position.of(side)


def fresh(position: Position, side: SideId, step: str) -> list[Patrol]:
    return [patrol for patrol in position.of(side) if not patrol.acted]


def name(position: Position, id: UnitId) -> str:
    return f"the {position.ground.sides[id]} patrol {id + 1}" if 0 <= id < len(position.ground.sides) else "nobody"


PATROLS: Actors[Position] = Actors(patrols_of, lambda position, ids: [one for one in position.patrols if one.id in ids])

ROWS: tuple[Row[Position], ...] = (
    Row(
        order=Walk,
        steps=("patrol",),
        check=check_walk,
        resolve=resolve_walk,
        words=lambda p, x: f"walk with {name(p, x.unit)} to {p.ground.board.label(x.to)}",
        by=PATROLS,
        options=walk_options,
        aim=lambda p, x: Aim(x.to, path=(x.to,), actors=(x.unit,)),
        point=lambda p, side, patrols, target: Walk(patrols[0].id, target.hex),
        verb=Action(
            key="walk", title="Walk", hotkey="w", rule="NP-3", nothing="there is no hex it can walk to", bars=tired
        ),
    ),
    Row(
        order=Shoot,
        steps=("patrol",),
        check=check_shoot,
        resolve=resolve_shoot,
        explain=lambda p, side, x: (to_hit(ducks=False),),
        words=lambda p, x: f"shoot at {name(p, x.target)} with {name(p, x.unit)}",
        by=PATROLS,
        options=shoot_options,
        aim=aim_shoot,
        point=point_shoot,
        verb=Action(
            key="shoot", title="Shoot", hotkey="s", rule="NP-5", nothing="it sees no enemy", bars=tired
        ),
    ),
    Row(
        order=Duck,
        steps=("under fire",),
        resolve=resolve_duck,
        explain=lambda p, side, x: (to_hit(ducks=True),),
        words=lambda p, x: "duck",
        options=lambda p, side: iter((Duck(),)),
        point=lambda p, side, nobody, target: Duck(),
        verb=Action(key="duck", title="Duck", hotkey="d", rule="NP-6", nothing="nobody is shot at"),
    ),
    Row(
        order=Stand,
        steps=("under fire",),
        resolve=resolve_stand,
        explain=lambda p, side, x: (to_hit(ducks=False),),
        words=lambda p, x: "take the shot standing",
        options=lambda p, side: iter((Stand(),)),
        point=lambda p, side, nobody, target: Stand(),
        verb=Action(key="stand", title="Stand", hotkey=" ", rule="NP-6", nothing="nobody is shot at", closes=True),
    ),
    Row(
        order=EndWatch,
        steps=("patrol",),
        resolve=resolve_end,
        words=lambda p, x: "end the watch",
        options=lambda p, side: iter((EndWatch(),)),
        point=lambda p, side, nobody, target: EndWatch(),
        verb=Action(key="end", title="End the watch", hotkey="Enter", rule="NP-1", nothing="", closes=True),
    ),
)  # fmt: skip

BOOK: Orderbook[Position] = Orderbook(
    ROWS,
    not_yet=refuse("NP-1", "it is the other side's watch"),
    not_yours=refuse("NP-1", "that is no patrol of yours"),
    is_on=lambda position, place: position.ground.board.is_on(place),
    likely=fresh,
    idle=fresh,
    named=name,
)

# --- view.py: who knows what ----------------------------------------------------------------------------------------


def hidden(position: Position, viewer: SideId) -> frozenset[UnitId]:
    """The patrols that a viewer can't see; a spectator sees those that their enemy sees (NP-4)."""
    return frozenset(id for id in unspotted(position) if position.ground.sides[id] != viewer)


def known(position: Position, viewer: SideId) -> Position:
    """The position as a viewer may know it, made from scratch."""
    unseen = hidden(position, viewer)
    return _without(position, unseen) if unseen else position


redactions: Redactions[Position] = Redactions(hidden)
redactions.complete(AnyEvent)


def discern(told: Position, after: Position, viewer: SideId) -> Iterator[Event]:
    """What must still be told so that the viewer knows all he may know of the table."""
    truth = known(after, viewer)
    gone = tuple(one.id for one in told.patrols if truth.patrol(one.id) is None)
    news = tuple(one for one in truth.patrols if one != told.patrol(one.id))
    if gone:
        yield Vanished(gone)
    if news:
        yield Sighted(news)


def imagined(view: View, key: DiceKey) -> State[Position]:
    """The patrols that the side can't see stand somewhere by lot where it could not see them."""
    position, lots = view.position, PromptDice(f"imagine/{key.seed}", key.number)
    board, eyes = position.ground.board, [one.hex for one in position.of(view.side)]
    free = [
        HexId(h)
        for h in board.hexes
        if is_ground(board, h) and not position.at(h) and all(board.distance(h, eye) > EYESIGHT for eye in eyes)
    ]
    placed = [Patrol(id, position.ground.sides[id], free.pop(lots.below(len(free)))) for id in unaccounted(position)]
    patrols = tuple(sorted((*position.patrols, *placed), key=lambda one: one.id))
    return State(replace(position, patrols=patrols), view.flow, key)


def unaccounted(position: Position) -> list[UnitId]:
    """The patrols that are neither lost nor seen on the table."""
    accounted = {one.id for one in position.patrols} | set(position.lost)
    return [UnitId(id) for id in range(len(position.ground.sides)) if id not in accounted]


# --- victory.py -----------------------------------------------------------------------------------------------------


def left(position: Position, side: SideId) -> int:
    """How many patrols a side has left, seen or not; losses are no secret."""
    return sum(own == side and id not in position.lost for id, own in enumerate(position.ground.sides))


def outcome(position: Position) -> Outcome | None:
    """Rules: NP-7."""
    red, blue = (left(position, side) for side in SIDES)
    if red and blue and position.turn <= position.ground.turns:
        return None
    winner = None if red == blue else RED if red > blue else BLUE
    return Outcome(winner, "decisive" if not (red and blue) else "marginal", (f"red {red}, blue {blue} (NP-7)",))


# --- describe.py: words and pieces ----------------------------------------------------------------------------------

BADGES = (Badge("acted", "has acted", RuleId("NP-2"), "A", SPENT),)


def piece(patrol: Patrol) -> Piece:
    return Piece(
        patrol.id,
        patrol.side,
        patrol.hex,
        numbered(f"{patrol.side} patrol", patrol.id + 1),
        "infantry",
        formation=patrol.side,
        badges=("acted",) if patrol.acted else (),
        tone=SPENT if patrol.acted else "",
    )


def sentence(event: Event, position: Position) -> str:
    """The event as a line of the log."""
    match event:
        case Walked(unit, to):
            return f"{name(position, unit)} walks to {position.ground.board.label(to)}"
        case Ducked(unit):
            return f"{name(position, unit)} ducks"
        case Shot(unit, target, roll, needed):
            return f"{name(position, unit)} shoots at {name(position, target)}: {roll}, {needed} hits"
        case Lost(unit):
            return f"{name(position, unit)} is lost"
        case WatchBegan(side, turn):
            return f"turn {turn}, the {side} watch"
        case Sighted(patrols):
            return f"in sight: {', '.join(name(position, one.id) for one in patrols)}"
        case Vanished(units):
            return f"out of sight: {', '.join(name(position, id) for id in units)}"
        case _:
            return ""


def marks(event: Event) -> Marks:
    match event:
        case Walked(unit, to):
            return Marks(to, (unit,), (to,))
        case Shot(unit, target):
            return Marks(units=(unit, target), rule=RuleId("NP-5"))
        case Ducked(unit) | Lost(unit):
            return Marks(units=(unit,))
        case _:
            return Marks()


# --- ruleset.py: the questions the kernel asks, each handed on ------------------------------------------------------


class NightPatrol(OrderbookAnswers[Position]):
    """The ruleset."""

    book = BOOK
    info = Info("night_patrol", "Night Patrol", "1", "NP-", Position, BOOK.orders, AnyEvent, AnyFrame, BADGES)

    def setup(self, scenario: Scenario[Nothing, Nothing], options: dict[str, Any], key: DiceKey) -> State[Position]:
        ground = Ground(scenario)
        patrols = tuple(
            Patrol(UnitId(n), SideId(unit.side), HexId(unit.hex or 0)) for n, unit in enumerate(scenario.units)
        )
        return State(Position(ground, patrols), (StepFrame(),), key)

    def sides(self, state: State[Position]) -> tuple[SideId, ...]:
        return SIDES

    def decisions(self, state: State[Position]) -> tuple[Decision, ...]:
        return () if outcome(state.position) else LEVELS.decisions(state)

    def view(self, state: State[Position], side: SideId) -> View:
        mine = tuple(decision for decision in self.decisions(state) if decision.side == side)
        return View(side, state.position.turn, known_position(self, state, side), state.flow, mine)

    def pieces(self, view: View) -> tuple[Piece, ...]:
        return tuple(map(piece, view.position.patrols))

    def piece_changes(self, before: Position, after: Position, side: SideId) -> PieceChanges:
        changed = tuple(piece(one) for one in after.patrols if one != before.patrol(one.id))
        return PieceChanges(changed, tuple(one.id for one in before.patrols if after.patrol(one.id) is None))

    def advance(self, resolution: Resolution[Position]) -> None:
        LEVELS.advance(resolution)

    def apply(self, position: Position, event: Event) -> Position:
        return changes.apply(position, event)

    def known(self, position: Position, side: SideId, before: Position | None = None) -> Position:
        return known(position, side)

    def redact(self, event: Event, before: Position, after: Position, side: SideId) -> Event | None:
        return redactions.redact(event, before, after, side)

    def discern(self, known: Position, before: Position, after: Position, side: SideId) -> Iterator[Event]:
        return discern(known, after, side)

    def hides(self, position: Position) -> bool:
        return True

    def may_undo(self, view: View, order: Order) -> bool:
        return True

    def imagine(self, view: View, key: DiceKey) -> State[Position]:
        return imagined(view, key)

    def outcome(self, state: State[Position]) -> Outcome | None:
        return outcome(state.position)

    def odds(self, view: View, order: Order) -> Forecast | None:
        return None

    def sight(self, view: View, a: HexId, b: HexId) -> SightLine:
        board = view.position.ground.board
        profile = tuple(ProfilePoint(h, 0) for h in board.line(a, b))
        if board.distance(a, b) <= EYESIGHT:
            return SightLine(clear=True, profile=profile)
        return SightLine(clear=False, profile=profile, reason=Line("Dark", EYESIGHT, RuleId("NP-4")), hex=b)

    def seen(self, view: View, units: tuple[UnitId, ...]) -> tuple[HexId, ...]:
        board, own = view.position.ground.board, view.position.of(view.side)
        eyes = [one for one in own if not units or one.id in units]
        return tuple(HexId(h) for h in board.hexes if any(board.distance(h, one.hex) <= EYESIGHT for one in eyes))

    def watchers(self, view: View, place: HexId) -> tuple[UnitId, ...]:
        board = view.position.ground.board
        return tuple(one.id for one in view.position.of(view.side) if board.distance(place, one.hex) <= EYESIGHT)

    def threats(self, view: View, place: HexId, unit: UnitId = NOBODY) -> tuple[Reaction, ...]:
        board, foes = view.position.ground.board, [one for one in view.position.patrols if one.side != view.side]
        return tuple(
            Reaction(foe.side, (foe.id,), place, "may shoot")
            for foe in foes
            if board.distance(place, foe.hex) <= EYESIGHT
        )

    def standing(self, view: View) -> tuple[Tally, ...]:
        lines = tuple(Line(side, left(view.position, side), RuleId("NP-7")) for side in SIDES)
        return (Tally("Patrols left", left(view.position, view.side), lines),)

    def hex_facts(self, view: View, place: HexId) -> tuple[Line, ...]:
        return (Line("Terrain", view.position.ground.board.terrain[place], RuleId("NP-3")),)

    def ready(self, view: View) -> tuple[UnitId, ...]:
        if not view.decisions:
            return ()
        choices = Choices(BOOK, view, view.decisions[0])
        return tuple(one.id for one in choices.units() if choices.is_able(one))

    def card(self, view: View, unit: UnitId) -> UnitCard | None:
        patrol = view.position.patrol(unit)
        if patrol is None:
            return None
        shown = piece(patrol)
        values = (Line("Walks", 1, RuleId("NP-3")), Line("Sees", EYESIGHT, RuleId("NP-4")))
        return UnitCard(unit, shown.title, "patrol", patrol.side, (Section("Values", values),), shown.badges)

    def tree(self, view: View) -> tuple[Formation, ...]:
        position = view.position
        return tuple(
            Formation(
                side,
                f"The {side} side",
                side,
                left(position, side),
                position.ground.sides.count(side),
                tuple(one.id for one in position.of(side)),
            )
            for side in SIDES
        )

    def queries(self, view: View) -> tuple[Query, ...]:
        return ()

    def query(self, view: View, key: str) -> Query | None:
        return None

    def reports(self, view: View) -> tuple[Report, ...]:
        return ()

    def report(self, view: View, kind: str) -> Report | None:
        return None

    def result(self, events: tuple[Event, ...], view: View) -> str:
        return "hit" if any(isinstance(event, Lost) for event in events) else "nobody is lost"

    def describe(self, event: Event, view: View) -> str:
        return sentence(event, view.position)

    def marks(self, event: Event) -> Marks:
        return marks(event)

    def step(self, view: View) -> str:
        return view.decisions[0].kind if view.decisions else ""


# --- scenario.py: the words of content files ------------------------------------------------------------------------

VOCABULARY: Vocabulary[Nothing, Nothing] = Vocabulary(
    system="night_patrol",
    sections=Nothing,
    unit_details=Nothing,
    terrains=frozenset({"clear", "pond"}),
    unit_types=frozenset({"patrol"}),
    sides=frozenset(SIDES),
)


def meadow() -> Scenario[Nothing, Nothing]:
    """The scenario beside this file; a shipped one is found by `load_shipped`."""
    sheet = load_sheet((FILES / "board.toml").read_bytes(), VOCABULARY)
    return load_scenario((FILES / "scenario.toml").read_bytes(), VOCABULARY, {"meadow": sheet})


# --- doctrine.py: what a computer player is told --------------------------------------------------------------------


class Doctrine:
    """Shoot at what is seen, else walk."""

    def candidates(self, view: View, decision: Decision) -> Iterable[Iterable[Candidate]]:
        yield (Candidate(order, 1 if isinstance(order, Shoot) else 0) for order in Choices(BOOK, view, decision))

    def value(self, state: State[Position], view: View) -> int:
        return 100 * (left(state.position, view.side) - left(state.position, ENEMY[view.side]))

    def estimate(self, view: View, order: Order) -> int | Fraction | None:
        return None

    def ending(self, view: View, decision: Decision) -> Order:
        return Stand() if decision.kind == "under fire" else EndWatch()


# --- system.py: the door of the room --------------------------------------------------------------------------------


def unit_title(type: str) -> str:
    return type.capitalize()


@cache
def rules() -> tuple[CatalogueRule, ...]:
    return read_catalogue(FILES / "rules.toml")


def tutorial(scenario: Scenario[Nothing, Nothing], source: Source) -> Tutorial:
    return load_tutorial(source, scenario, TutorialWords(BOOK.verbs, BOOK.steps, [rule.id for rule in rules()]))


SYSTEM: Final = System(NightPatrol(), Doctrine(), VOCABULARY, unit_title, rules, tutorial)


# --- for the conformance tests: other truths that look the same -----------------------------------------------------


def twin(state: State[Position], side: SideId, dice: PromptDice) -> State[Position] | None:
    """Every enemy that the side can't see is somewhere else where it could not see him."""
    position = state.position
    board, eyes = position.ground.board, [one.hex for one in position.of(side)]
    unseen = [one for one in position.of(ENEMY[side]) if all(board.distance(one.hex, eye) > EYESIGHT for eye in eyes)]
    for one in unseen:
        free = [h for h in board.hexes if is_ground(board, h) and not position.at(h)]
        dark = [HexId(h) for h in free if all(board.distance(h, eye) > EYESIGHT for eye in eyes)]
        if dark:
            position = position.put(one.id, hex=dark[dice.below(len(dark))], acted=bool(dice.below(2)))
    return replace(state, position=position) if unseen else None
