"""The order of battle, named highlights and reports, as far as a side knows them.

Rules: P8-2.05, P8-14.02, P8-15.01.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.questions import Formation, Query, Report, Section
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line
from sandtable.play.choices import Choices
from sandtable.rulesets.panzer8 import deck, insight, reactions, sight, support, victory
from sandtable.rulesets.panzer8.badges import ARM_OF, ARMS, arm_of, formation_key
from sandtable.rulesets.panzer8.describe import element_name, is_on_show, side_title
from sandtable.rulesets.panzer8.frames import ReactionFrame
from sandtable.rulesets.panzer8.kinds import COMMANDER, KINDS
from sandtable.rulesets.panzer8.model import LOST, SIDES, Element, Position
from sandtable.rulesets.panzer8.orderbook import BOOK
from sandtable.rulesets.panzer8.recovery import COMMAND_RADIUS
from sandtable.rulesets.panzer8.stacks import kind_of, on_table

Seen = View[Position]


def sides_for(side: SideId) -> list[SideId]:
    """Both sides, the viewer's own first."""
    return sorted(SIDES, key=lambda one: one != side)


def tree(view: Seen) -> tuple[Formation, ...]:
    """Each side's elements by arm, with what is left of what it had."""
    return tuple(_army(view.position, side, view.side) for side in sides_for(view.side))


def _army(position: Position, side: SideId, viewer: SideId) -> Formation:
    arms = []
    for arm in ARMS:
        here = [one for one in position.elements if one.side == side and arm_of(one) == arm.key]
        initial = _initial(position, side, arm.key, here, viewer)
        if initial:
            units = tuple(one.id for one in here if is_on_show(one))
            left = sum(one.fate != LOST for one in here)
            arms.append(Formation(formation_key(side, arm.key), arm.title, side, left, initial, units))
    total, left = sum(arm.initial for arm in arms), sum(arm.left for arm in arms)
    return Formation(side, side_title(position, side), side, left, total, (), tuple(arms))


def _initial(position: Position, side: SideId, arm: str, here: list[Element], viewer: SideId) -> int:
    """How many there were: by the scenario for one's own side, else as many as are known or counted as unseen."""
    if side != viewer and position.ground.options.hidden_setup:
        return len(here)
    return sum(unit.side == side and ARM_OF[KINDS[unit.type].kind] == arm for unit in position.ground.scenario.units)


# --- who can still act ----------------------------------------------------------------------------------------------


def ready(view: Seen) -> tuple[UnitId, ...]:
    """The side's elements that have a lawful order in the open decision."""
    if not view.decisions:
        return ()
    position = view.position
    if isinstance(view.flow[-1], ReactionFrame):
        answers = (reactions.fire_options, reactions.evade_options, reactions.pivot_options)
        able = {order.unit for options in answers for order in options(position, view.side, view.flow[-1])}
        return tuple(sorted(able))
    choices = Choices(BOOK, view, view.decisions[0])
    return tuple(one.id for one in choices.units() if choices.is_able(one))


# --- highlights -----------------------------------------------------------------------------------------------------


class QueryRow(NamedTuple):
    """One highlight: what it is called, its rule, and the hexes or elements it finds."""

    title: str
    rule: str
    hexes: Callable[[Seen], Iterable[HexId]] | None = None
    units: Callable[[Seen], Iterable[UnitId]] | None = None


def _suppressed(view: Seen) -> Iterable[UnitId]:
    return [one.id for one in view.position.elements if one.hex and one.suppressed]


def _commanded(view: Seen) -> Iterable[HexId]:
    board = view.position.ground.board
    own = [one for one in on_table(view.position, view.side) if kind_of(one).kind == COMMANDER and not one.suppressed]
    return {HexId(h) for one in own for h in board.within(one.hex, COMMAND_RADIUS) if board.is_on(h)}


def _threatened(view: Seen) -> Iterable[UnitId]:
    return [one.id for one in on_table(view.position, view.side) if insight.threats(view, one.hex)]


def _objectives(view: Seen) -> Iterable[HexId]:
    return list(view.position.control)


QUERIES: dict[str, QueryRow] = {
    "ready": QueryRow("Who can still act", "P8-4.03", units=ready),
    "suppressed": QueryRow("Suppressed elements", "P8-9.02", units=_suppressed),
    "threatened": QueryRow("Your elements under enemy guns", "P8-8.03", units=_threatened),
    "command": QueryRow("Within reach of your commanders", "P8-9.06", hexes=_commanded),
    "seen": QueryRow("What your elements see", "P8-7.02", hexes=lambda view: insight.seen(view, ())),
    "objectives": QueryRow("Objectives", "P8-14.03", hexes=_objectives),
}


def _rows(view: Seen) -> dict[str, QueryRow]:
    """All highlights of a viewer: those of his side, and for each element that he sees what it faces."""
    rows = QUERIES if view.side in SIDES else {"objectives": QUERIES["objectives"]}
    seen = (one for one in view.position.elements if one.hex and one.carrier == NOBODY)
    return {**rows, **{f"front@{one.id}": _front_row(view, one) for one in seen}}


def _front_row(view: Seen, element: Element) -> QueryRow:
    def faced(view: Seen) -> Iterable[HexId]:
        return sight.front(view.position, element)

    arc = "its arc of fire" if kind_of(element).is_front_only else "it fires all around"
    return QueryRow(f"What {element_name(view.position, element.id)} faces; {arc}", "P8-7.05", faced)


def queries(view: Seen) -> tuple[Query, ...]:
    """The highlights that can be asked for."""
    return tuple(Query(key, row.title, RuleId(row.rule)) for key, row in _rows(view).items())


def query(view: Seen, key: str) -> Query | None:
    """One of them worked out."""
    row = _rows(view).get(key)
    if row is None:
        return None
    hexes = tuple(sorted(row.hexes(view))) if row.hexes else ()
    units = tuple(sorted(row.units(view))) if row.units else ()
    return Query(key, row.title, RuleId(row.rule), hexes, units)


# --- reports --------------------------------------------------------------------------------------------------------


def _losses(view: Seen) -> Iterator[Section]:
    """What each side has lost, and how much breaks it."""
    for side in sides_for(view.side):
        position = view.position
        lost = [one for one in position.elements if one.side == side and one.fate == LOST]
        lines = tuple(Line(element_name(position, one.id), kind_of(one).name, RuleId("P8-9.01")) for one in lost)
        share = f"{victory.combat_losses(position, side)} of {victory.breaking_point(position.ground, side)}"
        yield Section(side_title(position, side), lines, share)


def _standing(view: Seen) -> Iterator[Section]:
    for tally in insight.standing(view):
        yield Section(tally.title, tally.lines, tally.total)


def _events(view: Seen) -> Iterator[Section]:
    """The card of the turn, what works on, and the cards that are out."""
    position = view.position
    if position.card:
        card = deck.CARDS[position.card]
        yield Section(f"The card of this turn: {card.name}", (Line(card.text, "", RuleId("P8-13.02")),))
    lasting = tuple(
        Line(deck.CARDS[x.card].name, element_name(position, x.unit) if x.unit >= 0 else "", RuleId("P8-13.02"))
        for x in position.effects
    )
    if lasting:
        yield Section("At work", lasting)
    for owner, drawn in position.drawn.items():
        names = tuple(Line(deck.CARDS[key].name, key, RuleId("P8-13.01")) for key in drawn)
        yield Section(f"Drawn{f' by {side_title(position, owner)}' if owner else ''}", names, len(drawn))


def _batteries(view: Seen) -> Iterator[Section]:
    own = [one for one in view.position.batteries if one.side == view.side]
    lines = tuple(Line(support.SUPPORT[one.kind].name, f"{one.left} left", RuleId("P8-12.03")) for one in own)
    yield Section("On call", lines)


class ReportRow(NamedTuple):
    """One report: what it is called, and how it is written."""

    title: str
    sections: Callable[[Seen], Iterator[Section]]


REPORTS: dict[str, ReportRow] = {
    "losses": ReportRow("Losses", _losses),
    "standing": ReportRow("Points and objectives", _standing),
    "events": ReportRow("Event cards", _events),
    "batteries": ReportRow("Batteries", _batteries),
}


def reports(view: Seen) -> tuple[Report, ...]:
    """The reports there are."""
    return tuple(Report(kind, row.title) for kind, row in REPORTS.items())


def report(view: Seen, kind: str) -> Report | None:
    """One of them written."""
    row = REPORTS.get(kind)
    return None if row is None else Report(kind, row.title, tuple(row.sections(view)))
