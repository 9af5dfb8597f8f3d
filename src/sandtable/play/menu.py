"""What a client shows for what is picked, derived from the orderbook: each verb of the step with its targets, or greyed
with the refusal that says why; and for anything that can be pointed at, why not that one.

Every target carries the complete order, so that a client needs no rules to give it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, TypeVar

import msgspec

from sandtable.kernel.decisions import KERNEL, Refusal
from sandtable.kernel.events import Order
from sandtable.kernel.ids import RuleId
from sandtable.kernel.ruleset import Field, Reminder, Selection, Target, Verb
from sandtable.kernel.state import View
from sandtable.play.orderbook import Orderbook, of_side, out_of_step
from sandtable.play.rows import Row, no_fewer
from sandtable.play.words import listed

P = TypeVar("P")

RESERVED_KEYS = frozenset({"u"})
"""The letters that mean the same in every step, so that no verb may have them: to take the last order back."""

REMINDED = 2
"""Of how many units a player is reminded by name before he ends a step."""


def menu(book: Orderbook[P], view: View[P], selection: Selection) -> tuple[Verb, ...]:
    """The verbs of the open decisions for what is picked, and those that need nothing picked; by way of hexes, those
    that can be led through them.
    """
    if selection.via:
        return tuple(_led(book, view, selection))
    return tuple(
        _verb(book, view, row, Cast(view, row, selection))
        for row in _open(book, view)
        if _is_shown(view, row, selection) and not _is_premature(book, view, row, selection)
    )


def _open(book: Orderbook[P], view: View[P]) -> Iterator[Row[P]]:
    """The rows of the orders that fit an open decision."""
    rows = (row for decision in view.decisions for row in book.in_step(decision.kind).all)
    return iter(dict.fromkeys(rows, None) if len(view.decisions) > 1 else rows)


class Cast:
    """Those who would act: the picked pieces of the side, or all of the sort where none need be picked."""

    def __init__(self, view: View[Any], row: Row[Any], selection: Selection) -> None:
        position, side, by = view.position, view.side, row.by
        self.actors: list[Any] = []
        self.are_picked = True
        if by is None:
            self.actors = [None]
            return
        self.actors = [actor for actor in by.picked(position, selection.units) if actor.side == side]
        if not self.actors and not by.must_be_picked:
            self.are_picked = False
            everybody = (actor for kind in view.decisions for actor in by.everybody(position, side, kind.kind))
            self.actors = [actor for actor in everybody if actor.side == side]


def _is_shown(view: View[Any], row: Row[Any], selection: Selection) -> bool:
    """Whether the verb could mean anything to the side, and to somebody who is picked."""
    position, by, suits = view.position, row.by, row.verb.suits
    if not row.verb.offered(position, view.side):
        return False
    if by is None:
        return suits(position, None)
    if not by.must_be_picked:
        return True
    return any(suits(position, actor) for actor in by.picked(position, selection.units))


def _is_premature(book: Orderbook[Any], view: View[Any], row: Row[Any], selection: Selection) -> bool:
    """Whether all who are picked wait beside the map in a step that brings such units there, and the verb does not."""
    if row.by is None or not row.by.must_be_picked or row.enters:
        return False
    rows = [one for decision in view.decisions for one in book.in_step(decision.kind).entering]
    entering = [one for one in rows if one.by is row.by]
    picked = row.by.picked(view.position, selection.units)
    return all(any(one.verb.suits(view.position, actor) for one in entering) and not actor.hex for actor in picked)


def _verb(book: Orderbook[P], view: View[P], row: Row[P], cast: Cast) -> Verb:
    action, position, side = row.verb, view.position, view.side
    form = action.form(position, side, cast.actors)
    orders = tuple(_once(row, form, _orders(book, view, row, cast)))
    return Verb(
        key=action.key,
        title=action.titled(view) if action.titled is not None else action.title,
        hotkey=action.hotkey,
        targets=tuple(_target(view, row, order) for order in orders),
        refusal=None if orders else _greyed(book, view, row, cast),
        group=action.group,
        checked=bool(cast.actors) and all(action.checked(position, actor) for actor in cast.actors),
        confirm=_reminder(book, view) if action.closes and orders else "",
        form=form,
        closes=action.closes,
    )


def _led(book: Orderbook[P], view: View[P], selection: Selection) -> Iterator[Verb]:
    """Each verb with a way, as it goes through the hexes to the one pointed at, or with what the rules say to that."""
    position, side, way = view.position, view.side, (*selection.via, selection.hex)
    for row in _open(book, view):
        if row.led is None or not _is_shown(view, row, selection):
            continue
        cast, action = Cast(view, row, selection), row.verb
        orders: list[Order] = []
        if cast.actors and all(book.is_on(position, place) for place in way):
            orders = [order for actor in cast.actors for order in row.led(position, side, actor, way)]
        judged = [(order, book.check(view, order)) for order in orders]
        lawful = tuple(_target(view, row, order) for order, refusal in judged if refusal is None)
        against = next((refusal for _, refusal in judged if refusal is not None), None)
        refusal = None if lawful else against or _greyed(book, view, row, cast)
        yield Verb(action.key, action.title, action.hotkey, lawful, refusal, action.group)


def _orders(book: Orderbook[P], view: View[P], row: Row[P], cast: Cast) -> Iterator[Order]:
    """What the actors can do all together, then what each can do, with no others who are not picked."""
    position, side, actors = view.position, view.side, cast.actors
    if row.by is None:
        return of_side(row, position, side, view.flow[-1]) if row.offers is None else row.offers(position, side)
    offers = row.offers if row.offers is not None and cast.are_picked else row.options
    found = (order for actor in actors for order in offers(position, side, actor))
    if len(actors) < 2 or not row.together:
        return found
    return _together(book, view, row, tuple(actor.id for actor in actors), tuple(found))


def _together(
    book: Orderbook[P], view: View[P], row: Row[P], actors: tuple[Any, ...], orders: tuple[Order, ...]
) -> Iterator[Order]:
    # two actors at one target give the same joint order; it is judged once
    for whole in dict.fromkeys(_by(row, order, actors) for order in orders):
        joint = whole if book.check(view, whole) is None else _of_those_who_can(book, view, row, whole, orders)
        if joint is not None:
            yield joint
            yield from row.fewer(view.position, view.side, joint)
    for order in orders:
        some = getattr(order, row.together)
        # where a row says itself which few are worth it, of each actor's own ways only that alone is left
        if set(some) <= set(actors) and (row.fewer is no_fewer or len(some) == 1):
            yield order


def _of_those_who_can(
    book: Orderbook[P], view: View[P], row: Row[P], whole: Order, orders: tuple[Order, ...]
) -> Order | None:
    """The joint order of those of its actors who could be part of it, where that is some of them and lawful."""
    alike = [order for order in orders if _by(row, order, ()) == _by(row, whole, ())]
    able = {actor for order in alike for actor in getattr(order, row.together)}
    some = tuple(actor for actor in getattr(whole, row.together) if actor in able)
    if not 1 < len(some) < len(getattr(whole, row.together)):
        return None
    joint = _by(row, whole, some)
    return joint if book.check(view, joint) is None else None


def _by(row: Row[Any], order: Order, actors: tuple[Any, ...]) -> Order:
    """The same order by those actors."""
    return msgspec.structs.replace(order, **{row.together: actors})


def _once(row: Row[Any], form: tuple[Field, ...], orders: Iterator[Order]) -> Iterator[Order]:
    """Each order once: two actors may offer the same joint attack, each naming itself first; and what a form asks for
    stands at its default.
    """
    defaults = {field.name: field.default for field in form}
    seen: set[bytes] = set()
    for order in orders:
        order = msgspec.structs.replace(order, **defaults) if defaults else order
        same = order
        if row.together:
            same = msgspec.structs.replace(order, **{row.together: tuple(sorted(getattr(order, row.together)))})
        key = msgspec.json.encode(same)
        if key not in seen:
            seen.add(key)
            yield order


def _target(view: View[P], row: Row[P], order: Order) -> Target:
    position, side, action = view.position, view.side, row.verb
    aim, label = row.aim(position, order), action.label(position, side, order)
    return Target(
        order,
        aim.hex,
        aim.units,
        aim.side,
        label.note,
        aim.path,
        row.words(position, order),
        aim.actors,
        label.brief,
        label.choice,
        aim.then,
        row.warns(position, side, order),
    )


def _greyed(book: Orderbook[P], view: View[P], row: Row[P], cast: Cast) -> Refusal:
    """The rule that stands in the way: whose the pieces are, their own state, then the lack of anything to point at."""
    if not cast.actors:
        return book.not_yours if cast.are_picked else _nothing(row)
    return row.verb.bars(view.position, view.side, cast.actors[0]) or _nothing(row)


def _nothing(row: Row[Any]) -> Refusal:
    return Refusal(RuleId(row.verb.rule), row.verb.nothing)


def _reminder(book: Orderbook[P], view: View[P]) -> str:
    """What would be lost and who could still act, to be asked before the step is ended; empty when nothing is left."""
    lost = [f"{loss.text}." for loss in _losses(book, view)]
    names = [book.named(view.position, actor.id) for actor, _ in islice(_left(book, view), REMINDED + 1)]
    if names:
        more = ("others",) if len(names) > REMINDED else ()
        lost.append(f"{listed((*names[:REMINDED], *more))} can still act.")
    return " ".join(lost)


def reminders(book: Orderbook[P], view: View[P]) -> tuple[Reminder, ...]:
    """What would be lost if the step were ended now, then every other unit that can still do what the step is for."""
    lost = tuple(_losses(book, view))
    named = {unit for loss in lost if loss.lost for unit in loss.units}
    left = (
        Reminder(
            f"{book.named(view.position, actor.id)} {row.verb.left or f'can still {row.verb.title.lower()}'}",
            RuleId(row.verb.rule),
            actor.hex,
            (actor.id,),
        )
        for actor, row in _left(book, view)
        if actor.id not in named
    )
    return (*lost, *left)


def _losses(book: Orderbook[P], view: View[P]) -> Iterator[Reminder]:
    return (loss for decision in view.decisions for loss in book.losses(view.position, view.side, decision.kind))


def _left(book: Orderbook[P], view: View[P]) -> Iterator[tuple[Any, Row[P]]]:
    """The units that can still do what the open step is for, as they are asked for, each with the row of it; what else
    they can is not asked.
    """
    position, side = view.position, view.side
    for decision in view.decisions:
        rows = book.in_step(decision.kind)
        for unit in book.idle(position, side, decision.kind) if rows.of_units else ():
            first = rows.of_units[:1] if unit.hex else rows.entering
            row = next((row for row in first for _ in row.options(position, side, unit)), None)
            if row is not None:
                yield unit, row


def why_not(book: Orderbook[P], view: View[P], verb: str, selection: Selection, target: Selection) -> Refusal | None:
    """Why what is picked can't do that to what is pointed at; None exactly when a target of the menu covers it."""
    if not view.decisions:
        return book.not_yet
    row = next((row for row in _open(book, view) if row.verb.key == verb), None)
    if row is None:
        return out_of_step(view) if verb in book.verbs else Refusal(KERNEL, "there is no such verb")
    if not _is_shown(view, row, selection):
        return _nothing(row)
    cast = Cast(view, row, selection)
    if any(row.aim(view.position, order).covers(target) for order in _orders(book, view, row, cast)):
        return None
    return _pointing_refusal(book, view, row, cast, target)


def _pointing_refusal(book: Orderbook[P], view: View[P], row: Row[P], cast: Cast, target: Selection) -> Refusal | None:
    """Why the order that pointing there means is not lawful."""
    position, side, rule = view.position, view.side, RuleId(row.verb.rule)
    if not cast.actors:
        return _greyed(book, view, row, cast)
    barred = row.verb.bars(position, side, cast.actors[0])
    if barred is not None:
        return barred
    if not book.is_on(position, target.hex):
        return Refusal(rule, "that is no hex of the map")
    order = row.point(position, side, cast.actors, target)
    refusal = order if isinstance(order, Refusal) else book.check(view, order)
    if refusal is None and not cast.are_picked:
        return Refusal(rule, "pick who is to do it there")
    return refusal
