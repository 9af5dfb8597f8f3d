"""The event deck: a card is turned over at the start of each turn, and does what it says.

No order of the deck exists before a card is turned: each of those left is as likely, which is what shuffling means,
and there is nothing that a view could betray.

Rules: P8-4.02, P8-13.01, P8-13.02, P8-15.03.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType

import msgspec

from sandtable.content import read_table
from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer8 import support
from sandtable.rulesets.panzer8.actions import refuse
from sandtable.rulesets.panzer8.events import (
    AttackRolled,
    CardDrawn,
    DeckShuffled,
    DieCast,
    EffectBegan,
    SmokeLaid,
    StragglersFound,
)
from sandtable.rulesets.panzer8.frames import CardFrame
from sandtable.rulesets.panzer8.kinds import ARMOR, COMMANDER, GUN, TABLES, WEAPON
from sandtable.rulesets.panzer8.model import COMMON_DECK, Element, Position
from sandtable.rulesets.panzer8.orders import ChooseElement, ChooseHex, LetCardGo, StrikeFromAir
from sandtable.rulesets.panzer8.pieces import enemy_of
from sandtable.rulesets.panzer8.results import DIE, hesa_result, inflict, line, roll_off
from sandtable.rulesets.panzer8.stacks import in_play, kind_of, on_table
from sandtable.rulesets.panzer8.visibility import hidden

RULE = RuleId("P8-13.02")
RESHUFFLE = "E20"
SNIPER_HESA = 4
SMOKE_DRIFT = 6
ENGINE_FAILS = 3
OUT_OF_TOUCH = 8
FRIENDLY_BATTERY_HESA = 5
FIGHTER_BOMBER_HESA = 7
"""The numbers that cards E06, E07, E09, E12, E13 and E14 name."""


class Card(msgspec.Struct, frozen=True):
    """An event card."""

    name: str
    copies: int
    text: str


class _Deck(msgspec.Struct, frozen=True):
    system: str
    rule: str
    card: dict[str, Card]


@cache
def _table() -> _Deck:
    return read_table(TABLES / "deck.toml", _Deck)


CARDS: Mapping[str, Card] = MappingProxyType(_table().card)
DECK: tuple[str, ...] = tuple(key for key, card in CARDS.items() for _ in range(card.copies))
"""All cards of a deck, each as often as it has copies (P8-13.01)."""


def deck_of(position: Position, side: SideId) -> SideId:
    """Whose deck a side draws from: the common one, or its own (P8-15.03)."""
    return side if position.ground.options.own_decks else COMMON_DECK


def cards_left(position: Position, side: SideId) -> list[str]:
    """The cards that may still be turned over, in the order of the table."""
    left = list(DECK)
    for card in position.drawn.get(deck_of(position, side), ()):
        left.remove(card)
    return left


def draw(resolution: Resolution[Position]) -> None:
    """The active player has turned over a card, and what it says happens (P8-4.02)."""
    side = resolution.position.active
    deck = deck_of(resolution.position, side)
    if not cards_left(resolution.position, side):
        resolution.emit(DeckShuffled(deck))
    left = cards_left(resolution.position, side)
    card = left[resolution.roll("P8-13.01", NOBODY, len(left)) - 1]
    resolution.emit(CardDrawn(card, side, deck))
    EFFECTS.get(card, _nothing)(resolution, card, side)


def shuffle_if_due(resolution: Resolution[Position]) -> None:
    """The deck is whole again after the turn of the reshuffle card (P8-13.01)."""
    position = resolution.position
    if position.card == RESHUFFLE:
        resolution.emit(DeckShuffled(deck_of(position, position.active)))


# --- what cards do by themselves ------------------------------------------------------------------------------------

Resolve = Callable[[Resolution[Position], str, SideId], None]


def _nothing(resolution: Resolution[Position], card: str, side: SideId) -> None:
    """All quiet, or the deck is reshuffled after the turn."""


def _lasts(resolution: Resolution[Position], card: str, side: SideId) -> None:
    """The card works for the whole turn."""
    resolution.emit(EffectBegan(card, side, resolution.position.half))


def _lasts_long(resolution: Resolution[Position], card: str, side: SideId) -> None:
    """The card works to the end of the opponent's next turn (card E08)."""
    resolution.emit(EffectBegan(card, side, resolution.position.half + 1))


def _one_by_lot(resolution: Resolution[Position], among: list[Element]) -> Element | None:
    """One of several, each as likely; no die is thrown for nobody."""
    if not among:
        return None
    return among[resolution.roll(RULE, NOBODY, len(among)) - 1] if len(among) > 1 else among[0]


def _by_lot(*kinds: str) -> Resolve:
    """The card hits one random element of these kinds for the turn."""

    def resolve(resolution: Resolution[Position], card: str, side: SideId) -> None:
        position = resolution.position
        # those aboard too: only the sniper passes over them (card E06)
        hit = _one_by_lot(resolution, [one for one in in_play(position, side) if kind_of(one).kind in kinds])
        if hit is not None:
            resolution.emit(EffectBegan(card, side, position.half, hit.id))

    return resolve


def _hesitates(resolution: Resolution[Position], card: str, side: SideId) -> None:
    """A random element that is no commander, aboard or not, does not act (card E11)."""
    position = resolution.position
    others = [one for one in in_play(position, side) if kind_of(one).kind != COMMANDER]
    hit = _one_by_lot(resolution, others)
    if hit is not None:
        resolution.emit(EffectBegan(card, side, position.half, hit.id))


def _engine_trouble(resolution: Resolution[Position], card: str, side: SideId) -> None:
    """A random vehicle may fail to start (card E09)."""
    position = resolution.position
    hit = _one_by_lot(resolution, [one for one in on_table(position, side) if kind_of(one).is_vehicle])
    if hit is None:
        return
    roll = resolution.roll(RULE, hit.id, DIE)
    resolution.emit(DieCast(hit.id, RULE, roll, roll > ENGINE_FAILS))
    if roll <= ENGINE_FAILS:
        resolution.emit(EffectBegan(card, side, position.half, hit.id))


def _sniper(resolution: Resolution[Position], card: str, side: SideId) -> None:
    """A shot at a random enemy commander or crew-served weapon; it falls back from the nearest enemy (card E06)."""
    position = resolution.position
    among = [one for one in on_table(position, enemy_of(side)) if kind_of(one).kind in (COMMANDER, WEAPON)]
    target = _one_by_lot(resolution, among)
    if target is None:
        return
    defense = kind_of(target).defense
    attack_roll, defense_roll = roll_off(resolution, RULE, NOBODY, target.id)
    difference = attack_roll - defense_roll + SNIPER_HESA - defense
    outcome = hesa_result(target, difference)
    lines = (line("sniper", SNIPER_HESA, RULE), line("Def of the target", -defense, RULE))
    resolution.emit(
        AttackRolled("sniper", target.id, attack_roll, defense_roll, difference, outcome, RULE, lines=lines)
    )
    inflict(resolution, target.id, outcome, sniper_hex(position, target))


def sniper_hex(position: Position, target: Element) -> HexId:
    """Where a sniper's shot seems to come from: the nearest enemy of the target, else its own hex."""
    distance = position.ground.board.distance
    enemies = on_table(position, enemy_of(target.side))
    nearest = min(enemies, key=lambda one: (distance(one.hex, target.hex), one.id), default=target)
    return nearest.hex


def _stragglers(resolution: Resolution[Position], card: str, side: SideId) -> None:
    resolution.emit(StragglersFound(side))


def _asks(resolution: Resolution[Position], card: str, side: SideId) -> None:
    """A player chooses what the card works on, if there is anything to choose (P8-13.02)."""
    chooser = enemy_of(side) if card == "E12" else side
    if has_object(resolution.position, chooser, card):
        resolution.push(CardFrame(card, chooser))


def has_object(position: Position, chooser: SideId, card: str) -> bool:
    """Whether a card can work on anything that its chooser knows of: to be asked tells nothing of who lies hidden.

    Rules: P8-13.02, P8-15.01.
    """
    if card == "E13":
        # shells fall on any hex that is seen, and each element sees its own at least
        return bool(on_table(position, chooser))
    unknown = hidden(position, chooser) if card == "E12" else ()
    found = choices(position, chooser, CardFrame(card, chooser))
    return any(not isinstance(order, ChooseElement) or order.unit not in unknown for order in found)


EFFECTS: Mapping[str, Resolve] = MappingProxyType(
    {
        "E02": _asks,
        "E03": _lasts,
        "E04": _by_lot(GUN, WEAPON),
        "E05": _asks,
        "E06": _sniper,
        "E07": _asks,
        "E08": _lasts_long,
        "E09": _engine_trouble,
        "E10": _lasts,
        "E11": _hesitates,
        "E12": _asks,
        "E13": _asks,
        "E14": _asks,
        "E15": _lasts,
        "E16": _lasts,
        "E17": _stragglers,
        "E18": _lasts,
        "E19": _lasts,
    }
)
"""What each card does; a card that is not listed does nothing."""

# --- what a player chooses ------------------------------------------------------------------------------------------

CHOOSES_ELEMENT, CHOOSES_HEX, CHOOSES_STRIKE = ("E02", "E05", "E12"), ("E07", "E13"), ("E14",)


def decide(position: Position, frame: CardFrame) -> tuple[Decision, ...]:
    """The player who chooses what the card works on."""
    card = CARDS[frame.card]
    return (Decision(frame.side, "event", RULE, f"{card.name}: {card.text}.", optional=True),)


def choices(position: Position, side: SideId, frame: CardFrame) -> Iterator[ChooseElement | ChooseHex | StrikeFromAir]:
    """All that the card may work on."""
    if frame.card in CHOOSES_ELEMENT:
        yield from element_options(position, side, frame)
    elif frame.card in CHOOSES_HEX:
        yield from hex_options(position, side, frame)
    else:
        yield from strike_options(position, side, frame)


def not_chosen(position: Position, side: SideId, unit: UnitId, card: str) -> Refusal | None:
    """Why a card can't work on an element, or None."""
    if not 0 <= unit < len(position.elements) or not position.elements[unit].hex:
        return refuse("P8-13.02", "there is no such element on the map")
    element = position.elements[unit]
    owner = enemy_of(side) if card == "E12" else side
    if element.side != owner or element.carrier != NOBODY:
        return refuse("P8-13.02", "the card does not work on that element")
    if card == "E02" and element.suppressed:
        return refuse("P8-13.02", "only an unsuppressed element has the initiative (card E02)")
    if card == "E12" and not is_out_of_touch(position, element):
        return refuse("P8-13.02", f"it is within {OUT_OF_TOUCH} hexes of a commander of its side (card E12)")
    return None


def is_out_of_touch(position: Position, element: Element) -> bool:
    """Whether an element is farther than 8 from every commander of its side (card E12)."""
    distance = position.ground.board.distance
    return not any(
        kind_of(one).kind == COMMANDER and distance(one.hex, element.hex) <= OUT_OF_TOUCH
        for one in in_play(position, element.side)
    )


def check_element(position: Position, side: SideId, order: ChooseElement) -> Refusal | None:
    if position.card not in CHOOSES_ELEMENT:
        return refuse("P8-13.02", "this card does not work on an element")
    return not_chosen(position, side, order.unit, position.card)


def element_options(position: Position, side: SideId, frame: CardFrame) -> Iterator[ChooseElement]:
    if frame.card not in CHOOSES_ELEMENT:
        return
    for one in position.elements:
        if not_chosen(position, side, one.id, frame.card) is None:
            yield ChooseElement(one.id)


def resolve_element(resolution: Resolution[Position], side: SideId, order: ChooseElement) -> None:
    """The card works on that element."""
    frame = resolution.pop()
    assert isinstance(frame, CardFrame)
    owner = resolution.position.elements[order.unit].side
    resolution.emit(EffectBegan(frame.card, owner, resolution.position.half, order.unit))


def no_place(position: Position, side: SideId, place: HexId, card: str) -> Refusal | None:
    """Why a card can't work on a hex, or None."""
    board = position.ground.board
    if not board.is_on(place):
        return refuse("P8-13.02", "that is off the map")
    if card == "E14":
        return None
    if card == "E07":
        near = any(board.distance(one.hex, place) <= SMOKE_DRIFT for one in on_table(position, side))
        return None if near else refuse("P8-13.02", f"no element of yours is within {SMOKE_DRIFT} hexes (card E07)")
    return None if support.seen_by(position, side, place) else refuse("P8-12.03", "none of your elements sees it")


def check_hex(position: Position, side: SideId, order: ChooseHex) -> Refusal | None:
    if position.card not in CHOOSES_HEX:
        return refuse("P8-13.02", "this card does not work on a hex")
    return no_place(position, side, order.hex, position.card)


def hex_options(position: Position, side: SideId, frame: CardFrame) -> Iterator[ChooseHex]:
    """Hexes with something in them to hide or to hit."""
    if frame.card not in CHOOSES_HEX:
        return
    for one in position.elements if frame.card == "E07" else on_table(position, enemy_of(side)):
        if one.hex and one.carrier == NOBODY and no_place(position, side, one.hex, frame.card) is None:
            yield ChooseHex(one.hex)


def hex_offers(position: Position, side: SideId) -> Iterator[ChooseHex]:
    """Every hex that the card may work on."""
    if position.card in CHOOSES_HEX:
        yield from (ChooseHex(place) for place in _places(position, side))


def _places(position: Position, side: SideId) -> Iterator[HexId]:
    places = map(HexId, position.ground.board.hexes)
    return (place for place in places if no_place(position, side, place, position.card) is None)


def resolve_hex(resolution: Resolution[Position], side: SideId, order: ChooseHex) -> None:
    """Smoke drifts there, or shells come down."""
    frame = resolution.pop()
    assert isinstance(frame, CardFrame)
    if frame.card == "E07":
        resolution.emit(SmokeLaid(order.hex, support.smoke_end(resolution.position)))
    else:
        support.stonk(resolution, side, "", FRIENDLY_BATTERY_HESA, order.hex, None)


def check_strike(position: Position, side: SideId, order: StrikeFromAir) -> Refusal | None:
    if position.card not in CHOOSES_STRIKE:
        return refuse("P8-13.02", "no aircraft are overhead")
    if order.ammo not in ("ap", "hesa"):
        return refuse("P8-12.05", "aircraft attack with ap or hesa")
    return no_place(position, side, order.hex, position.card) or support.no_armor(position, order.hex, order.ammo)


def strike_options(position: Position, side: SideId, frame: CardFrame) -> Iterator[StrikeFromAir]:
    """Strikes at the enemies that are known of, at armor with both kinds of attack."""
    if frame.card not in CHOOSES_STRIKE:
        return
    for one in on_table(position, enemy_of(side)):
        yield StrikeFromAir(one.hex, "hesa")
        if kind_of(one).kind == ARMOR:
            yield StrikeFromAir(one.hex, "ap")


def strike_offers(position: Position, side: SideId) -> Iterator[StrikeFromAir]:
    """Every hex of the map, and the armor known to stand in it."""
    if position.card not in CHOOSES_STRIKE:
        return
    for place in _places(position, side):
        yield StrikeFromAir(place, "hesa")
        if support.no_armor(position, place, "ap") is None:
            yield StrikeFromAir(place, "ap")


def resolve_strike(resolution: Resolution[Position], side: SideId, order: StrikeFromAir) -> None:
    frame = resolution.pop()
    assert isinstance(frame, CardFrame)
    support.strike_from_air(resolution, side, order.hex, order.ammo, FIGHTER_BOMBER_HESA)


def resolve_let_go(resolution: Resolution[Position], side: SideId, order: LetCardGo) -> None:
    resolution.pop()


def let_go_options(position: Position, side: SideId, frame: CardFrame) -> Iterator[LetCardGo]:
    yield LetCardGo()
