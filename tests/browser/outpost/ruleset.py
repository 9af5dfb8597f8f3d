"""The toy with a lane of hexes under its cells, sentences for its log, and only the verbs that fit the decision."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.events import DiceKey, Event, Order
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import Info, Piece, ProfilePoint, Selection, SightLine, Target, Verb
from sandtable.kernel.state import State, View
from sandtable.kernel.trace import Line
from tests.browser.outpost import staff
from tests.kit import toy
from tests.kit.toy import Position

COLUMN = 2
"""The column of the board that is the lane, counted from 0."""

HEIGHT = 12
OFFSET = (COLUMN + 1) * (HEIGHT + 2)
"""What a cell's hex is more than its number: the lane runs down a column, where hexes are numbered one by one."""

KEYS = {"bid": "bid", "move": "move", "watch": "watch", "shoot": "shoot", "endmoves": "end"}
TITLES = {"bid": "Bid", "endmoves": "End the turn", "dodge": "Dodge", "press": "Press", "pass": "Let it be"}


def hex_of(cell: HexId) -> HexId:
    return HexId(cell + OFFSET)


def cell_of(place: HexId) -> HexId:
    return HexId(place - OFFSET)


class Outpost(toy.Toy):
    """The ruleset."""

    info = Info("toy", "Outpost Line", "1", "TOY-", Position, staff.ORDERS, staff.EVENTS, toy.FRAMES, toy.BADGES)

    def setup(self, scenario: Any, options: dict[str, Any], key: DiceKey) -> State[Position]:
        posts = tuple(toy.Post(unit.side, cell_of(unit.hex), unit.details.hidden) for unit in scenario.units)
        return super().setup(toy.Scenario(HEIGHT, scenario.turns, posts), options, key)

    def decisions(self, state: State[Position]) -> tuple[Decision, ...]:
        """The toy's decisions; a reaction says what it answers."""
        shots = [frame for frame in state.flow if isinstance(frame, toy.Dodging)]
        if not shots:
            return super().decisions(state)
        asked = f"{self.name(state.position, shots[-1].unit)} fires at {self.name(state.position, shots[-1].target)}"
        words = {"dodge": f"{asked}. Dodge?", "press": f"{asked}, who dodges. Press?"}
        return tuple(replace(one, prompt=words[one.kind]) for one in super().decisions(state))

    @staticmethod
    def name(position: Position, id: UnitId) -> str:
        unit = position.unit(id)
        return f"{unit.side} post {id}" if unit is not None else f"post {id}"

    # what is lawful, and what happens

    def check(self, view: View[Position], order: Order) -> Refusal | None:
        if isinstance(order, staff.Signal | staff.Retire):
            return staff.check(view, order)
        return super().check(view, order)

    def resolve(self, resolution: Resolution[Position], side: SideId, order: Order) -> None:
        match order:
            case staff.Signal(unit, color, times, loud):
                resolution.emit(staff.Signaled(unit, color, times, loud))
            case staff.Retire(unit):
                resolution.emit(toy.Lost(unit))
            case _:
                super().resolve(resolution, side, order)

    # what a client shows

    def pieces(self, view: View[Position]) -> tuple[Piece, ...]:
        return tuple(
            replace(
                self._piece(unit),
                hex=hex_of(unit.cell),
                title=self.name(view.position, unit.id).capitalize(),
                mark="infantry",
                states=("hidden",) * unit.hidden + ("acted",) * unit.acted,
                name=f"post-{unit.id}" if unit.side == view.side else "",
            )
            for unit in view.position.units
        )

    def menu(self, view: View[Position], selection: Selection) -> tuple[Verb, ...]:
        """The verbs of the open decision; those for units only when one is chosen."""
        fitting = {kind.__name__.lower() for one in view.decisions for kind in toy.FITTING[one.kind]}
        verbs = (verb for verb in super().menu(view, selection) if verb.key in fitting)
        shown = tuple(
            self._shown(view, verb) for verb in verbs if selection.units or verb.key not in ("move", "watch", "shoot")
        )
        picked = [unit for unit in view.position.units if unit.id in selection.units]
        are_watching = bool(picked) and all(unit.watching for unit in picked)
        marked = (replace(verb, checked=are_watching) if verb.key == "watch" else verb for verb in shown)
        return (*marked, *staff.verbs(view, selection))

    def _shown(self, view: View[Position], verb: Verb) -> Verb:
        title = TITLES.get(verb.key, verb.title)
        targets = tuple(self._target(view, target.order) for target in verb.targets)
        hotkey = "Enter" if verb.key == "endmoves" else verb.hotkey
        group = staff.GROUPS.get(verb.key, "")
        key = KEYS.get(verb.key, verb.key)
        return replace(verb, key=key, title=title, hotkey=hotkey, targets=targets, group=group)

    def _target(self, view: View[Position], order: Order) -> Target:
        match order:
            case toy.Move(_, to):
                return Target(order, hex_of(to))
            case toy.Shoot(_, target):
                unit = view.position.unit(target)
                return Target(order, hex_of(unit.cell), (target,), note="hits on 4") if unit else Target(order)
            case toy.Watch(id):
                unit = view.position.unit(id)
                return Target(order, hex_of(unit.cell)) if unit else Target(order)
            case toy.Bid(amount):
                return Target(order, note=f"bid {amount}")
        return Target(order)

    def sight(self, view: View[Position], a: HexId, b: HexId) -> SightLine:
        return SightLine(clear=True, profile=(ProfilePoint(a, 0), ProfilePoint(b, 0)))

    def seen(self, view: View[Position], units: tuple[UnitId, ...]) -> tuple[HexId, ...]:
        return tuple(map(hex_of, super().seen(view, units)))

    def hex_facts(self, view: View[Position], place: HexId) -> tuple[Line, ...]:
        return super().hex_facts(view, cell_of(place))

    # words

    def describe(self, event: Event, view: View[Position]) -> str:
        name = self.name
        match event:
            case toy.BidMade(side, amount):
                return f"{side} bids {amount}." if amount else f"{side} has bid."
            case toy.BidsRevealed(red, blue, first):
                return f"The bids are opened: red {red}, blue {blue}; {first} moves first."
            case toy.Fired(unit, target, roll, needed):
                return f"{name(view.position, unit)} fires at {name(view.position, target)}: {roll} against {needed}."
            case staff.Signaled(unit):
                return staff.text(name(view.position, unit), event)
        return super().describe(event, view)

    def order_text(self, order: Order, view: View[Position]) -> str:
        if isinstance(order, toy.Shoot):
            return f"{self.name(view.position, order.unit)} fires at {self.name(view.position, order.target)}"
        return super().order_text(order, view)
