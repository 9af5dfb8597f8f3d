"""Reactions: enemies who see an element act may fire at it, turn toward it, or evade its charge.

A reaction never gives an occasion for another one, so there is no loop (P8-5.02).

Rules: P8-5.01, P8-5.02, P8-5.03, P8-5.04, P8-5.05, P8-5.06, P8-5.07.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer8 import close_combat, fire
from sandtable.rulesets.panzer8.actions import has_effect, not_yours, refuse, show
from sandtable.rulesets.panzer8.events import CombatEnded, OccasionGiven, Reacted, Stopped, Turned
from sandtable.rulesets.panzer8.frames import AdvanceFrame, Journey, ReactionFrame
from sandtable.rulesets.panzer8.kinds import GUN
from sandtable.rulesets.panzer8.model import CHARGE, OVERRUN, UNSEEN, Element, Occasion, Position
from sandtable.rulesets.panzer8.orders import Evade, Pass, ReactByFire, ReactByPivot
from sandtable.rulesets.panzer8.pieces import enemy_of
from sandtable.rulesets.panzer8.results import fall_back, fall_back_path
from sandtable.rulesets.panzer8.sight import facing_toward, is_flanked, sees, visibility
from sandtable.rulesets.panzer8.stacks import kind_of, on_table
from sandtable.rulesets.panzer8.visibility import has_hidden

RULE = RuleId("P8-5.02")
ENTERS, FIRES, HUNTS = "enters", "fires", "hunts"
"""The occasions besides a charge and an overrun."""


def most_reactions(position: Position, side: SideId) -> int:
    """How often an element may react in the opposing turn: once, twice when alert (P8-5.01, card E15)."""
    return 2 if has_effect(position, "E15", enemy_of(side)) else 1


def cannot_react(position: Position, element: Element, occasion: Occasion) -> Refusal | None:
    """Why an element may not react to an occasion at all, or None."""
    cause = position.elements[occasion.unit]
    if element.side == cause.side or not element.hex:
        return refuse("P8-5.01", "only enemies of the acting element react")
    if element.carrier != NOBODY:
        return refuse("P8-6.10", "it is aboard a carrier")
    if element.suppressed:
        return refuse("P8-5.01", "a suppressed element does not react")
    if element.reacted >= most_reactions(position, element.side):
        return refuse("P8-5.01", "it has reacted in this turn")
    if not sees(position, element.hex, cause.hex):
        return refuse("P8-5.02", "it does not see the acting element")
    return None


def reactors(position: Position, occasion: Occasion) -> Iterator[Element]:
    """The elements that may react to an occasion."""
    cause, board = position.elements[occasion.unit], position.ground.board
    side = enemy_of(cause.side)
    most, far = most_reactions(position, side), visibility(position)
    for one in on_table(position, side):
        # most are past reacting or too far off to see anything: the rule is asked of the others
        if one.reacted >= most or one.suppressed or board.distance(one.hex, cause.hex) > far:
            continue
        if cannot_react(position, one, occasion) is None:
            yield one


def reacting(position: Position) -> tuple[Element, ...]:
    """Those who may react to the occasion at hand, which each way to react asks for."""
    return position.derived.of("reacting", position, _reacting)


def _reacting(position: Position) -> tuple[Element, ...]:
    return tuple(reactors(position, occasion_of(position)))


def is_worth_asking(position: Position, element: Element, occasion: Occasion) -> bool:
    """Whether an element could react to some purpose: fire that some dice make good, evade, or turn toward an enemy who
    is not to its front.

    Who could only turn what faces the occasion already is not asked, or every step would be a question.
    """
    cause = position.elements[occasion.unit]
    if is_flanked(position.ground.board, element, cause.hex) and kind_of(element).is_combat_element:
        return True
    if can_evade(position, element, occasion):
        return True
    stand = fire.standing(element)
    return any(fire.can_harm(position, stand, cause, one.ammo) for one in fire_reactions(position, element, occasion))


def is_opened(position: Position, occasion: Occasion) -> bool:
    """Whether the enemy is asked. While some of his elements lie hidden he is asked at every occasion, or the question
    itself would betray them (P8-15.01).
    """
    cause = position.elements[occasion.unit]
    if not cause.hex or has_effect(position, "E16", cause.side):
        return False
    if has_hidden(position, cause.side):
        return True
    return any(is_worth_asking(position, one, occasion) for one in reactors(position, occasion))


def give_occasion(resolution: Resolution[Position], occasion: Occasion) -> None:
    """The enemy may react now, if anybody can (P8-5.02)."""
    position = resolution.position
    if is_opened(position, occasion):
        resolution.emit(OccasionGiven(occasion.unit, occasion.manner, occasion.target))
        resolution.push(ReactionFrame(enemy_of(position.elements[occasion.unit].side)))


def occasion_of(position: Position) -> Occasion:
    """The occasion that is being reacted to."""
    assert position.occasion is not None
    return position.occasion


def decide(position: Position, frame: ReactionFrame) -> tuple[Decision, ...]:
    """The other side may react or let it pass."""
    occasion = occasion_of(position)
    cause = position.elements[occasion.unit]
    name = kind_of(cause).name if cause.fate != UNSEEN else "enemy"
    prompt = f"React to the {name} that {WORDS[occasion.manner]}, or let it pass."
    return (Decision(frame.side, "reaction", RULE, prompt, optional=True),)


WORDS = {
    ENTERS: "has come up",
    FIRES: "has fired",
    HUNTS: "hunts tanks",
    CHARGE: "charges",
    OVERRUN: "drives over you",
}


# --- fire -----------------------------------------------------------------------------------------------------------


def fire_reactions(position: Position, element: Element, occasion: Occasion) -> Iterator[ReactByFire]:
    """The shots that an element can take at the acting one."""
    if fire.cannot_fire(position, element) is not None:
        return
    target = position.elements[occasion.unit]
    for ammo in fire.AMMO:
        if fire.no_shot(position, fire.standing(element), target, ammo) is None:
            yield ReactByFire(element.id, ammo)


def check_fire(position: Position, side: SideId, order: ReactByFire) -> Refusal | None:
    """Why the element can't fire at the acting one, or None."""
    occasion = occasion_of(position)
    refusal = not_yours(position, side, order.unit)
    if refusal is not None:
        return refusal
    element = position.elements[order.unit]
    refusal = cannot_react(position, element, occasion) or fire.cannot_fire(position, element)
    if refusal is not None:
        return refusal
    if order.ammo not in fire.AMMO:
        return refuse("P8-2.01", f"there is no ammunition {order.ammo!r}; it is ap or hesa")
    return fire.no_shot(position, fire.standing(element), position.elements[occasion.unit], order.ammo)


def resolve_fire(resolution: Resolution[Position], side: SideId, order: ReactByFire) -> None:
    """The reacting element has fired; it counts as not moved (P8-5.05)."""
    occasion = occasion_of(resolution.position)
    before = resolution.position.elements[occasion.unit]
    resolution.emit(Reacted(order.unit))
    fire.shoot(resolution, order.unit, occasion.unit, order.ammo, moved=False)
    _go_on(resolution, occasion, before)


def explain_fire(position: Position, side: SideId, order: ReactByFire) -> tuple[Tally, ...]:
    """Both totals of the shot."""
    element, target = position.elements[order.unit], position.elements[occasion_of(position).unit]
    odds = fire.contest(position, fire.standing(element), target, order.ammo)
    return odds.attack, odds.defense


def fire_options(position: Position, side: SideId, frame: ReactionFrame) -> Iterator[ReactByFire]:
    occasion = occasion_of(position)
    for element in reacting(position):
        yield from fire_reactions(position, element, occasion)


# --- turning and evading --------------------------------------------------------------------------------------------


def check_pivot(position: Position, side: SideId, order: ReactByPivot) -> Refusal | None:
    """Why the element can't turn, or None."""
    occasion = occasion_of(position)
    refusal = not_yours(position, side, order.unit)
    if refusal is not None:
        return refusal
    element = position.elements[order.unit]
    if not 0 <= order.facing < 6 or order.facing == element.facing:
        return refuse("P8-5.03", "it turns to another of the six hexsides, 0 to 5")
    return cannot_react(position, element, occasion)


def resolve_pivot(resolution: Resolution[Position], side: SideId, order: ReactByPivot) -> None:
    """The reacting element faces another way."""
    occasion = occasion_of(resolution.position)
    resolution.emit(Reacted(order.unit))
    resolution.emit(Turned(order.unit, order.facing))
    _go_on(resolution, occasion, resolution.position.elements[occasion.unit])


def pivot_options(position: Position, side: SideId, frame: ReactionFrame) -> Iterator[ReactByPivot]:
    """Whoever can react may turn: to face the acting element where it does not, first of all."""
    occasion = occasion_of(position)
    cause, board = position.elements[occasion.unit], position.ground.board
    for element in reacting(position):
        toward = facing_toward(board, element.hex, cause.hex)
        if toward != element.facing:
            yield ReactByPivot(element.id, toward)


def pivot_offers(position: Position, side: SideId) -> Iterator[ReactByPivot]:
    """Every facing for everybody who can react."""
    for element in reacting(position):
        for facing in range(6):
            if facing != element.facing:
                yield ReactByPivot(element.id, facing)


def can_evade(position: Position, element: Element, occasion: Occasion) -> bool:
    """Whether an element is the one charged or overrun still, and has somewhere to go (P8-5.03)."""
    if occasion.manner not in (CHARGE, OVERRUN) or occasion.target != element.id or kind_of(element).kind == GUN:
        return False
    if close_combat.combat_of(position, occasion.unit) is None:
        return False
    return bool(fall_back_path(position, element, position.elements[occasion.unit].hex))


def check_evade(position: Position, side: SideId, order: Evade) -> Refusal | None:
    """Why the element can't evade, or None."""
    occasion = occasion_of(position)
    refusal = not_yours(position, side, order.unit)
    if refusal is not None:
        return refusal
    element = position.elements[order.unit]
    refusal = cannot_react(position, element, occasion)
    if refusal is not None:
        return refusal
    if not can_evade(position, element, occasion):
        return refuse("P8-5.03", "only the element charged or overrun evades, if it can go a hex; a gun never does")
    return None


def resolve_evade(resolution: Resolution[Position], side: SideId, order: Evade) -> None:
    """The element is gone before the blow falls; the attacker may take its place."""
    resolution.pop()
    position = resolution.position
    occasion = occasion_of(position)
    element, cause = position.elements[order.unit], position.elements[occasion.unit]
    resolution.emit(Reacted(order.unit))
    show(resolution, order.unit, moves=True)
    fall_back(resolution, order.unit, fall_back_path(position, element, cause.hex))
    close_combat.offer_advance(resolution, occasion.unit, element.hex)
    _ask_others(resolution, occasion, cause.hex)


def evade_options(position: Position, side: SideId, frame: ReactionFrame) -> Iterator[Evade]:
    occasion = occasion_of(position)
    for element in reacting(position):
        if can_evade(position, element, occasion):
            yield Evade(element.id)


# --- letting it pass ------------------------------------------------------------------------------------------------


def resolve_pass(resolution: Resolution[Position], side: SideId, order: Pass) -> None:
    """Nobody reacts to this occasion, or to the rest of the action."""
    resolution.pop()
    top = resolution.top
    if order.rest and isinstance(top, Journey):
        resolution.goto(replace(top, ignored=True))


def pass_options(position: Position, side: SideId, frame: ReactionFrame) -> Iterator[Pass]:
    yield Pass()
    if occasion_of(position).manner == ENTERS:
        yield Pass(rest=True)


# --- how it goes on -------------------------------------------------------------------------------------------------


def _go_on(resolution: Resolution[Position], occasion: Occasion, before: Element) -> None:
    """After a reaction: the action is over if the acting element was stopped (P8-5.06), and others may react."""
    resolution.pop()
    cause = resolution.position.elements[occasion.unit]
    if cause.hex != before.hex or (cause.suppressed and not before.suppressed):
        end_action(resolution, occasion.unit)
    _ask_others(resolution, occasion, before.hex)


def _ask_others(resolution: Resolution[Position], occasion: Occasion, place: HexId) -> None:
    """Others may react to the same occasion as long as the acting element is still there (P8-5.02)."""
    position = resolution.position
    cause = position.elements[occasion.unit]
    if cause.hex == place and is_opened(position, occasion):
        resolution.push(ReactionFrame(enemy_of(cause.side)))


def end_action(resolution: Resolution[Position], unit: UnitId) -> None:
    """The action of a stopped element is over: it goes no farther, fires no more, and its combat is void.

    Rules: P8-5.06, P8-5.07, P8-6.12.
    """
    top = resolution.top
    if isinstance(top, Journey) and top.unit == unit:
        resolution.pop()
        set_back(resolution, top)
    elif isinstance(top, AdvanceFrame):
        # its target had evaded, and it might have taken the place
        resolution.pop()
    if close_combat.combat_of(resolution.position, unit) is not None:
        resolution.emit(CombatEnded(unit))


def set_back(resolution: Resolution[Position], journey: Journey) -> None:
    """An element that was stopped in a friend's hex is back in the last empty hex it left (P8-6.12)."""
    position = resolution.position
    element = position.elements[journey.unit]
    shares = any(one.hex == element.hex and one.id != element.id for one in on_table(position, element.side))
    if element.hex and shares:
        resolution.emit(Stopped(element.id, journey.empty))
