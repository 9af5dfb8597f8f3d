"""PANZER8 in words: pieces for the map, sentences for the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from sandtable.kernel.events import Event
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, SideId, UnitId
from sandtable.kernel.ruleset import Piece, PieceChanges
from sandtable.kernel.state import View
from sandtable.play.words import listed, numbered
from sandtable.rulesets.panzer8 import deck, support
from sandtable.rulesets.panzer8 import events as e
from sandtable.rulesets.panzer8.badges import arm_of, badges_of, formation_key, titles, tone_of
from sandtable.rulesets.panzer8.kinds import (
    ARMOR,
    CAVALRY,
    COMMANDER,
    ENGINEERS,
    GUN,
    INFANTRY,
    KINDS,
    OBSERVER,
    SOFT,
    UNKNOWN,
    WEAPON,
    ElementKind,
)
from sandtable.rulesets.panzer8.model import GERMAN, RESERVE, Element, Position
from sandtable.rulesets.panzer8.results import FALL_BACK, OUT, SUPPRESSED
from sandtable.rulesets.panzer8.stacks import kind_of

FACINGS = ("north", "northeast", "southeast", "south", "southwest", "northwest")
NEUTRAL = SideId("")

SYMBOLS = {
    COMMANDER: "headquarters",
    INFANTRY: "infantry",
    ENGINEERS: "engineer",
    CAVALRY: "cavalry",
    WEAPON: "mg",
    GUN: "antitank",
    ARMOR: "armor",
    SOFT: "transport",
    OBSERVER: "observer",
    UNKNOWN: "unknown",
}
SYMBOL_OF = {
    "mortar_l": "mortar",
    "mortar_m": "mortar",
    "atr": "antitank",
    "at_37": "antitank",
    "at_2pdr": "antitank",
    "at_50": "antitank",
    "at_6pdr": "antitank",
    "ig75": "artillery",
    "flak88": "antiair",
    "zis3": "artillery",
    "halftrack": "halftrack",
    "carrier": "halftrack",
    "stug3b": "assault_gun",
    "stug3g": "assault_gun",
    "marder": "tank_destroyer",
    "su76": "assault_gun",
    "m10": "tank_destroyer",
    "ac_222": "recon",
    "ac_humber": "recon",
    "ba10": "recon",
    "mcycle": "recon",
}
"""The symbols on counters; a type that is not listed bears that of its kind."""


def symbol_of(kind: ElementKind) -> str:
    return SYMBOL_OF.get(kind.key, SYMBOLS[kind.kind])


def place_name(position: Position, place: HexId) -> str:
    """A hex as players name it: its label and the name printed there, if any."""
    if not position.ground.board.is_on(place):
        return "off the map"
    name = position.ground.scenario.sheet.names.get(place, "")
    label = position.ground.board.label(place)
    return f"{label} ({name})" if name else label


def side_title(position: Position, side: SideId) -> str:
    """A side as the scenario calls it."""
    return {one.id: one.title for one in position.ground.scenario.sides}.get(side, side)


def element_name(position: Position, id: UnitId) -> str:
    """An element as players name it: its own name if the scenario gives one, else its type and number."""
    if not 0 <= id < len(position.elements):
        return "nobody"
    element = position.elements[id]
    kept = position.ground.cache.get("names")
    if kept is None:
        kept = {entry.id: entry.name for entry in position.ground.scenario.units if entry.name}
        position.ground.cache["names"] = kept
    own = kept.get(element.name)
    return str(own) if own else numbered(KINDS[element.kind].name, id)


# --- pieces ---------------------------------------------------------------------------------------------------------


def pieces(view: View[Position]) -> tuple[Piece, ...]:
    """Every counter and marker the side sees."""
    position = view.position
    elements = (piece(position, one, view.side) for one in position.elements if is_on_show(one))
    return (*elements, *markers(position), *cards_on_table(position))


def is_on_show(element: Element) -> bool:
    """Whether an element is a piece: it stands on the map, or waits beside it to be set up."""
    return bool(element.hex) or element.fate == RESERVE


def piece(position: Position, element: Element, viewer: SideId) -> Piece:
    """The counter of an element: AP and HESA above, Def and the full move below."""
    kind, worn = kind_of(element), badges_of(position, element)
    corners = (str(kind.ap or ""), str(kind.hesa or ""), str(kind.defense), "")
    return Piece(
        id=element.id,
        side=element.side,
        hex=element.hex,
        title=element_name(position, element.id),
        mark=symbol_of(kind),
        corners=corners,
        states=titles(worn),
        carrier=element.carrier if element.carrier != NOBODY else None,
        facing=element.facing,
        formation=formation_key(element.side, arm_of(element)),
        badges=worn,
        tone=tone_of(worn),
        name=element.name if element.side == viewer else "",
        counter=element.kind,
    )


MARKERS = ("smoke", "wreck", "mine", "flag")


def markers(position: Position) -> Iterable[Piece]:
    """Smoke, wrecks, mines and the flags of objectives."""
    found = [("smoke", place, NEUTRAL) for place in position.smoke]
    found += [("wreck", place, NEUTRAL) for place in position.wrecks]
    found += [("mine", place, NEUTRAL) for place in position.mines]
    found += [("flag", place, owner) for place, owner in position.control.items()]
    for mark, place, side in sorted(found):
        # a marker keeps its number while it lies there, and none is an element's
        id = UnitId(-2 - (place * len(MARKERS) + MARKERS.index(mark)))
        yield Piece(id, side, place, mark.capitalize(), mark, kind="marker")


def cards_on_table(position: Position) -> Iterable[Piece]:
    """The cards that lie open: what works on, and the card of this turn where nothing of it does.

    Rules: P8-4.02, P8-13.02.
    """
    board, keys = position.ground.board, tuple(deck.CARDS)
    shown = dict[tuple[str, SideId], tuple[str, ...]]()
    if position.card:
        shown[position.card, position.active] = ("drawn in this turn",)
    for effect in position.effects:
        until = "until the end of this turn" if effect.until <= position.half else "until the end of the next turn"
        whom = (element_name(position, effect.unit),) if effect.unit != NOBODY else ()
        shown[effect.card, effect.side] = (*whom, until)
    for (key, side), states in sorted(shown.items()):
        # numbered below every marker of the map
        id = UnitId(-2 - len(board.terrain) * len(MARKERS) - 2 * keys.index(key) - (side == GERMAN))
        card = deck.CARDS[key]
        yield Piece(id, side, NOWHERE, card.name, "card", states=states, kind="marker", note=card.text)


def piece_changes(before: Position, after: Position, side: SideId) -> PieceChanges:
    """How the pieces of one known position become those of another."""
    changed: list[Piece] = []
    gone: list[UnitId] = []
    for id in sorted(_altered(before, after)):
        old, new = before.elements[id], after.elements[id]
        if is_on_show(new):
            shown = piece(after, new, side)
            if not is_on_show(old) or piece(before, old, side) != shown:
                changed.append(shown)
        elif is_on_show(old):
            gone.append(id)
    for made, sources in MADE_OF.items():
        if any(getattr(before, name) is not getattr(after, name) for name in sources):
            were, are = ({one.id: one for one in made(p)} for p in (before, after))
            changed += [one for id, one in are.items() if were.get(id) != one]
            gone += [id for id in were if id not in are]
    return PieceChanges(tuple(changed), tuple(gone))


MADE_OF: Mapping[Callable[[Position], Iterable[Piece]], tuple[str, ...]] = {
    markers: ("smoke", "wrecks", "mines", "control"),
    cards_on_table: ("card", "effects", "half"),
}
"""What on the table the pieces that are no elements show."""


def _altered(before: Position, after: Position) -> set[UnitId]:
    """The elements whose counters can look otherwise."""
    altered = {new.id for _, new in after.derived.changes(before.elements, after.elements)}
    if before.combats is not after.combats:
        both = (*before.combats, *after.combats)
        altered |= {id for combat in both for id in (combat.attacker, combat.defender)}
    if before.works is not after.works:
        altered |= {work.unit for work in (*before.works, *after.works)}
    if before.urgent != after.urgent:
        altered |= {before.urgent, after.urgent} - {NOBODY}
    return altered


# --- sentences ------------------------------------------------------------------------------------------------------

ATTACKS = {
    "ap": "fires AP at",
    "hesa": "fires at",
    "hunt": "hunts",
    "charge": "fights",
    "overrun": "overruns",
}
OTHER_ATTACKS = {
    "stonk": "Shells fall on",
    "air": "Aircraft attack",
    "sniper": "A sniper shoots at",
    "mines": "Mines go off under",
    "bail": "The wreck is left by",
}
BACKFIRES = {FALL_BACK: "falls back", SUPPRESSED: "is suppressed", OUT: "is out of action"}
EFFECTS = {
    "E02": "has the initiative: it may act twice",
    "E04": "is short of shells and does not fire this turn",
    "E05": "has fresh belts: +1 on its next fire",
    "E09": "has engine trouble and does not move this turn",
    "E11": "hesitates and does not act this turn",
    "E12": "has lost its orders and may only fire this turn",
}


def sentence(event: Event, position: Position) -> str:
    """The event as a sentence of the log; empty for bookkeeping."""

    def name(id: UnitId) -> str:
        return element_name(position, id)

    def at(place: HexId) -> str:
        return place_name(position, place)

    match event:
        case e.TurnBegan():
            return f"Turn {event.turn}: {side_title(position, event.side)}"
        case e.CardDrawn():
            card = deck.CARDS[event.card]
            return f"Event: {card.name} ({card.text})"
        case e.DeckShuffled():
            return "The deck is shuffled"
        case e.EffectBegan() if event.card in EFFECTS and event.unit != NOBODY:
            return f"{name(event.unit)} {EFFECTS[event.card]}"
        case e.StragglersFound():
            return f"Stragglers come back to {side_title(position, event.side)}"
        case e.DieCast():
            return f"{name(event.unit)} rolls {event.roll}: {'its engine starts' if event.passed else 'nothing moves'}"
        case e.Placed():
            return f"{name(event.unit)} is set up in {at(event.hex)}, facing {FACINGS[event.facing]}"
        case e.Moved():
            return f"{name(event.unit)} moves to {at(event.hex)}"
        case e.Stopped():
            why = f", barred by an enemy in {at(event.barred)}" if event.barred else ""
            return f"{name(event.unit)} stops in {at(event.hex)}{why}"
        case e.Turned():
            return f"{name(event.unit)} turns {FACINGS[event.facing]}"
        case e.Mounted():
            return f"{name(event.passenger)} goes aboard {name(event.unit)}"
        case e.Dismounted():
            return f"{name(event.passenger)} dismounts in {at(event.hex)}"
        case e.SmokeLaid():
            return f"Smoke on {at(event.hex)}"
        case e.BatteryCalled():
            return _called(event, position)
        case e.StruckFromAir():
            return _struck_from_air(event, position)
        case e.WorkBegan():
            return f"{name(event.unit)} begins to clear an obstacle"
        case e.ObstacleCleared():
            return f"The way at {at(event.hex)} is clear"
    return _outcome(event, position)


def _outcome(event: Event, position: Position) -> str:
    """What came of a fight, of courage or of seeing, as a sentence."""

    def name(id: UnitId) -> str:
        return element_name(position, id)

    match event:
        case e.GroundTaken():
            return f"{side_title(position, event.side)} takes {place_name(position, event.hex)}"
        case e.AttackRolled():
            return _attacked(event, position)
        case e.Suppressed():
            return f"{name(event.unit)} is suppressed"
        case e.Lost():
            return f"{name(event.unit)} is out of action"
        case e.FellBack():
            return f"{name(event.unit)} falls back to {place_name(position, event.path[-1])}"
        case e.RecoveryRolled():
            return f"{name(event.unit)} tries to recover: die {event.roll}, total {event.total}, {event.result}"
        case e.CommanderRallied():
            return f"{name(event.unit)} rallies the troops around him"
        case e.CombatDeclared():
            return f"{name(event.attacker)} will {event.manner} {name(event.defender)}"
        case e.ElementsSighted():
            return f"In sight: {listed(name(one.id) for one in event.elements)}"
        case e.SightLost():
            return f"Out of sight: {len(event.units)} of the enemy"
        case e.BattleEnded():
            winner = side_title(position, event.winner) if event.winner else "nobody"
            return f"The battle is over: {winner} wins, {event.level}. {listed(event.reasons)}"
    return ""


def _struck_from_air(event: e.StruckFromAir, position: Position) -> str:
    if event.battery:
        came = f"{support.SUPPORT[event.battery].name} {'arrives over' if event.arrived else 'does not find'}"
    else:
        came = f"Fighter-bombers {'arrive over' if event.arrived else 'do not find'}"
    return f"{came} {place_name(position, event.hex)} (die {event.roll})"


def _called(event: e.BatteryCalled, position: Position) -> str:
    found = support.SUPPORT.get(event.battery)
    guns = found.name if found else "A friendly battery"
    if not event.aimed:
        return f"{guns} fires, and its shells come down beyond the edge of the map"
    if not event.hex:
        return f"{guns} fires at {place_name(position, event.aimed)} and drifts beyond the edge of the map"
    if event.hex == event.aimed:
        return f"{guns} fires on {place_name(position, event.hex)}"
    return f"{guns} fires at {place_name(position, event.aimed)} and drifts to {place_name(position, event.hex)}"


def _attacked(event: e.AttackRolled, position: Position) -> str:
    target = element_name(position, event.target)
    if event.attacker != NOBODY:
        who = f"{element_name(position, event.attacker)} {ATTACKS[event.manner]} {target}"
    else:
        who = f"{OTHER_ATTACKS[event.manner]} {target}"
    dice = f"{event.attack_roll} against {event.defense_roll}, difference {event.difference:+d}"
    back = f"; the attacker {BACKFIRES[event.backfire]}" if event.backfire in BACKFIRES else ""
    return f"{who}: {dice}, {event.result}{back}"


def result(events: tuple[Event, ...], view: View[Position]) -> str:
    """What came of an order, in a few words."""
    position, found = view.position, list[str]()
    for event in events:
        match event:
            case e.Lost():
                found.append(f"{element_name(position, event.unit)} out of action")
            case e.Suppressed():
                found.append(f"{element_name(position, event.unit)} suppressed")
            case e.FellBack():
                found.append(f"{element_name(position, event.unit)} falls back")
            case e.RecoveryRolled() if event.result != "out of action":
                found.append(event.result)
    return listed(found) or "no effect"
