"""Panzer '44 in words: pieces for the map, sentences for the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.events import Event
from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.ruleset import Piece, PieceChanges
from sandtable.kernel.state import View
from sandtable.play.words import LAST_SEEN, by_place, listed, numbered
from sandtable.rulesets.panzer_44 import events as e
from sandtable.rulesets.panzer_44.badges import arm_of, badges_of, formation_key, titles, tone_of
from sandtable.rulesets.panzer_44.kinds import UNKNOWN, UnitKind
from sandtable.rulesets.panzer_44.model import BOLTING, RESERVE, Contact, Plot, Position, Unit
from sandtable.rulesets.panzer_44.panic import nerves
from sandtable.rulesets.panzer_44.results import RESULT_WORDS
from sandtable.rulesets.panzer_44.sequence import BY_KEY
from sandtable.rulesets.panzer_44.stacks import kind_of
from sandtable.rulesets.panzer_44.tables import GRADES

DIRECTIONS = ("north", "northeast", "southeast", "south", "southwest", "northwest")
NEUTRAL = SideId("")

SYMBOLS = {
    "tank": "armor",
    "tank_destroyer": "tank_destroyer",
    "assault_gun": "assault_gun",
    "armored_car": "recon",
    "halftrack": "halftrack",
    "artillery": "spa",
    "flak": "spaa",
    "gun": "antitank",
    "infantry": "infantry",
    "engineers": "engineer",
    "machine_gun": "mg",
    "mortar": "mortar",
    "truck": "transport",
    "jeep": "recon",
    "carrier": "halftrack",
    UNKNOWN: "unknown",
}
"""The symbol on the counter of each kind."""


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


def unit_name(position: Position, id: UnitId) -> str:
    """A unit as players name it: its own name if the scenario gives one, else its type and number."""
    if not 0 <= id < len(position.units):
        return "nobody"
    return name_of(position, position.units[id])


def name_of(position: Position, unit: Unit) -> str:
    """The same of a unit as it is or was known."""
    names = position.ground.once(
        "names", lambda: {entry.id: entry.name for entry in position.ground.scenario.units if entry.name}
    )
    own = names.get(unit.name)
    return own if own else numbered(kind_of(unit).name, unit.id)


PLOT_WORDS: Mapping[str, Callable[[str, str, Plot], str]] = {
    "direct": lambda who, where, plot: f"{who} fires at {where}",
    "opportunity": lambda who, where, plot: f"{who} waits for movers",
    "indirect": lambda who, where, plot: f"{who} shells {where}, {plot.pattern}",
    "move": lambda who, where, plot: f"{who} moves",
    "clear": lambda who, where, plot: f"{who} clears the mines in {where}",
    "dig": lambda who, where, plot: f"{who} digs in",
    "mission": lambda who, where, plot: f"{plot.support} fires on {where}, {plot.pattern}",
    "sortie": lambda who, where, plot: f"{plot.support} attacks {where}",
}
"""What each kind of plotted order says."""


def plot_words(position: Position, plot: Plot) -> str:
    """A plotted order in words."""
    return PLOT_WORDS[plot.kind](unit_name(position, plot.unit), place_name(position, plot.hex), plot)


# --- pieces ---------------------------------------------------------------------------------------------------------


def pieces(view: View[Position]) -> tuple[Piece, ...]:
    """Every counter and marker the side sees, and the enemies it remembers."""
    position = view.position
    units = (piece(position, unit, view.side) for unit in position.units if is_shown(unit, view.side))
    ghosts = (ghost(position, contact, view.side) for contact in position.contacts.values())
    return (*units, *ghosts, *markers(position))


def is_shown(unit: Unit, viewer: SideId) -> bool:
    """Whether a unit has a piece: on the table, or the viewer's own and still to be placed."""
    return bool(unit.hex) or (unit.fate == RESERVE and unit.side == viewer)


def corners_of(kind: UnitKind) -> tuple[str, str, str, str]:
    """What is printed on a counter: attack with its class and range above, defense and movement below."""
    attack = f"{kind.attack}{kind.weapon}" if kind.is_armed else ""
    reach = str(kind.range) if kind.is_armed else ""
    return attack, reach, str(kind.defense), str(kind.ma)


def piece(position: Position, unit: Unit, viewer: SideId) -> Piece:
    """The counter of a unit. Of another side's unit the order shows only once plots are open."""
    kind = kind_of(unit)
    worn = badges_of(position if unit.side == viewer or not _is_plotting(position) else _blank(position), unit)
    return Piece(
        id=unit.id,
        side=unit.side,
        hex=unit.hex,
        title=unit_name(position, unit.id),
        mark=SYMBOLS[kind.kind],
        corners=corners_of(kind),
        states=titles(worn),
        carrier=unit.carrier if unit.carrier != NOBODY else None,
        formation=formation_key(unit.side, arm_of(unit)),
        badges=worn,
        tone=tone_of(worn),
        name=unit.name if unit.side == viewer else "",
        counter=unit.kind,
    )


def _is_plotting(position: Position) -> bool:
    return position.step == "plot"


def _blank(position: Position) -> Position:
    """The position without orders."""
    return replace(position, plots=())


def ghost(position: Position, contact: Contact, viewer: SideId) -> Piece:
    """An enemy as he was last seen: no counter of the order of battle."""
    known = piece(_blank(position), contact.unit, viewer)
    return replace(known, formation="", badges=(), states=(), tone="", carrier=None, last_seen=contact.turn)


MARKERS = ("wreck", "mine", "position", "flag")


def markers(position: Position) -> Iterable[Piece]:
    """Wrecks, mines, Improved Positions and the flags of ground that counts."""
    found = [("wreck", place, NEUTRAL, "Wreck") for place in position.wrecks]
    found += [("mine", place, NEUTRAL, GRADES[grade].title) for place, grade in position.mines.items()]
    found += [("position", place, NEUTRAL, "Improved Position") for place in position.positions]
    found += [("flag", place, owner, "Flag") for place, owner in position.control.items()]
    for mark, place, side, title in sorted(found):
        # a marker keeps its number while it lies there, and none is a unit's
        id = UnitId(-2 - (place * len(MARKERS) + MARKERS.index(mark)))
        yield Piece(id, side, place, title, mark, kind="marker")


LAID = ("wrecks", "mines", "positions", "control")


def piece_changes(before: Position, after: Position, side: SideId) -> PieceChanges:
    """How the pieces of one known position become those of another."""
    were, are = _altered_pieces(before, after, side)
    changed = [one for id, one in are.items() if were.get(id) != one]
    gone = [id for id in were if id not in are]
    return PieceChanges(tuple(changed), tuple(gone))


def _altered_pieces(before: Position, after: Position, side: SideId) -> tuple[dict[UnitId, Piece], dict[UnitId, Piece]]:
    """The pieces before and after that can look otherwise."""
    altered = {new.id for _, new in after.derived.changes(before.units, after.units)}
    if before.plots is not after.plots or before.step != after.step:
        altered |= {plot.unit for plot in (*before.plots, *after.plots) if plot.unit != NOBODY}
    if before.works is not after.works:
        altered |= {work.unit for work in (*before.works, *after.works)}
    altered |= {*before.shot, *after.shot}
    if before.contacts is not after.contacts:
        altered |= {*before.contacts, *after.contacts}
    found: list[dict[UnitId, Piece]] = []
    for position in (before, after):
        shown = {
            id: piece(position, unit, side) for id in sorted(altered) if is_shown(unit := position.units[id], side)
        }
        shown |= {id: ghost(position, position.contacts[id], side) for id in altered if id in position.contacts}
        if any(getattr(before, name) is not getattr(after, name) for name in LAID):
            shown |= {one.id: one for one in markers(position)}
        found.append(shown)
    return found[0], found[1]


# --- sentences ------------------------------------------------------------------------------------------------------

ATTACKS = {
    "direct fire": "fires at",
    "opportunity fire": "fires on opportunity at",
    "overrun": "overruns",
}
OTHER_ATTACKS = {
    "direct fire": "Somebody unseen fires at",
    "opportunity fire": "Somebody unseen fires at",
    "shells": "Shells hit",
    "bombs": "Aircraft hit",
    "mines": "Mines go off under",
    "overrun": "Somebody unseen overruns",
}


class _Words:
    """The names that sentences are made of."""

    def __init__(self, position: Position) -> None:
        self.position = position

    def unit(self, id: UnitId) -> str:
        """A unit as it is, or as it was last seen."""
        contact = self.position.contacts.get(id)
        return unit_name(self.position, id) if contact is None else name_of(self.position, contact.unit)

    def hex(self, place: HexId) -> str:
        return place_name(self.position, place)

    def side(self, side: SideId) -> str:
        return side_title(self.position, side)


Sentence = Callable[[_Words, Any], str]


def _step_began(w: _Words, x: e.StepBegan) -> str:
    step = BY_KEY.get(x.step)
    if step is None:
        return ""
    return f"{step.title}: {w.side(x.side)}" if x.side else step.title


def _digits(w: _Words, x: e.DigitsDrawn) -> str:
    title = next((one.title for one in nerves(w.position.ground, x.side) if one.group == x.group), "")
    who = f"{w.side(x.side)}, {title}" if title else w.side(x.side)
    return f"{who}: hexes ending in {listed(map(str, x.digits))} panic"


def _attacked(w: _Words, x: e.AttackRolled) -> str:
    target = w.unit(x.target)
    who = f"{w.unit(x.attacker)} {ATTACKS[x.manner]}" if x.attacker != NOBODY else OTHER_ATTACKS[x.manner]
    die = f"die {x.roll}{f' less {x.reduction}' if x.reduction else ''} at {x.column:+d}"
    return f"{who} {target}: {die}, {RESULT_WORDS[x.result]}"


def _fell(w: _Words, x: e.ShellsFell) -> str:
    who = x.support or (w.unit(x.unit) if x.unit != NOBODY else f"A battery in {w.hex(x.origin)}")
    if not x.hex:
        return f"{who} fires off the map"
    if not x.aimed or x.aimed == x.hex:
        return f"{who} fires on {w.hex(x.hex)}, {x.pattern}"
    seen = "" if x.observed else ", unobserved,"
    return f"{who} fires at {w.hex(x.aimed)}{seen} and hits {w.hex(x.hex)}, {x.pattern}"


def _ended(w: _Words, x: e.BattleEnded) -> str:
    if not x.winner:
        return f"The battle is over: a draw. {listed(x.reasons)}"
    return f"The battle is over: {w.side(x.winner)} wins, {x.level}. {listed(x.reasons)}"


def _panicked(w: _Words, x: e.Panicked) -> str:
    does = "bolts" if x.panic == BOLTING else "freezes"
    return f"{w.unit(x.unit)} panics and {does}{f' (die {x.roll})' if x.roll else ''}"


def _moved(w: _Words, x: e.Moved) -> str:
    """Where a unit has gone; who comes into sight by it is told of as that."""
    return "" if w.position.units[x.unit].kind == UNKNOWN else f"{w.unit(x.unit)} moves to {w.hex(x.hex)}"


def _sighted(w: _Words, x: e.UnitsSighted) -> str:
    """Who came into sight where."""
    seen = [unit for unit in x.units if unit.id in x.contacts]
    return f"In sight: {by_place(((w.unit(unit.id), w.hex(unit.hex)) for unit in seen), ' in ')}" if seen else ""


def _lost_from_sight(w: _Words, x: e.SightLost) -> str:
    """Whom a side has lost from its sight, and where it saw him last; nobody who was on no map."""
    units = [w.position.contacts[id].unit for id in x.units if id in w.position.contacts]
    lost = by_place(((name_of(w.position, unit), w.hex(unit.hex)) for unit in units), LAST_SEEN)
    return f"Out of sight: {lost}" if lost else ""


SENTENCES: Mapping[type[Event], Sentence] = {
    e.TurnBegan: lambda w, x: f"Turn {x.turn}; {w.side(x.side)} is First Player",
    e.StepBegan: _step_began,
    e.BattleEnded: _ended,
    e.UnitPlaced: lambda w, x: f"{w.unit(x.unit)} is placed in {w.hex(x.hex)}",
    e.Plotted: lambda w, x: f"Plotted: {plot_words(w.position, x.plot)}",
    e.Unplotted: lambda w, x: f"Struck out: the order of {x.support or w.unit(x.unit)}",
    e.PlotSealed: lambda w, x: f"Your plot is sealed ({x.commitment[:12]})",
    e.PlotsOpened: lambda w, x: "The plots are opened",
    e.OrderVoid: lambda w, x: f"No order: {plot_words(w.position, x.plot)} ({x.reason})",
    e.DigitsDrawn: _digits,
    e.Panicked: _panicked,
    e.Steadied: lambda w, x: f"{w.unit(x.unit)} stays where it is",
    e.BoltRolled: lambda w, x: f"{w.unit(x.unit)} bolts {DIRECTIONS[x.roll - 1]} (die {x.roll})",
    e.FireWasted: lambda w, x: f"{w.unit(x.unit)} fires at {w.hex(x.hex)} and hits nobody",
    e.AttackRolled: _attacked,
    e.Pinned: lambda w, x: f"{w.unit(x.unit)} is pinned",
    e.PanicDelayed: lambda w, x: f"{w.unit(x.unit)} will panic",
    e.Disrupted: lambda w, x: f"{w.unit(x.unit)} is disrupted, level {x.level}",
    e.Destroyed: lambda w, x: f"{w.unit(x.unit)} is destroyed in {w.hex(x.hex)}",
    e.RecoveryRolled: lambda w, x: (
        f"{w.unit(x.unit)} {'recovers' if x.recovered else 'stays disrupted'} (die {x.roll})"
    ),
    e.Moved: _moved,
    e.Barred: lambda w, x: f"{w.unit(x.unit)} is barred by enemies in {w.hex(x.hex)}",
    e.OverrunMade: lambda w, x: f"{w.unit(x.unit)} drives at {w.hex(x.hex)}",
    e.Loaded: lambda w, x: f"{w.unit(x.passenger)} goes aboard {w.unit(x.unit)}",
    e.Unloaded: lambda w, x: f"{w.unit(x.passenger)} is set down by {w.unit(x.unit)}",
    e.LeftMap: lambda w, x: f"{w.unit(x.unit)} leaves the map at {w.hex(x.hex)}",
    e.GroundTaken: lambda w, x: f"{w.side(x.side)} takes {w.hex(x.hex)}",
    e.WorkAdvanced: lambda w, x: f"{w.unit(x.work.unit)} works on",
    e.MinesLowered: lambda w, x: (
        f"The mines in {w.hex(x.hex)} are {f'weaker now: {GRADES[x.grade].title.lower()}' if x.grade else 'cleared'}"
    ),
    e.PositionBuilt: lambda w, x: f"An Improved Position is dug in {w.hex(x.hex)}",
    e.ShellsFell: _fell,
    e.SortieFlown: lambda w, x: (
        f"{x.support} {'attacks' if x.attacks else 'is driven off from'} {w.hex(x.hex)} (die {x.roll})"
    ),
    e.SortieHeld: lambda w, x: f"Nobody marks {w.hex(x.hex)} for {x.support}; it will come again",
    e.UnitsSighted: _sighted,
    e.SightLost: _lost_from_sight,
}
"""The sentence of each event; one that is not listed is bookkeeping."""


def sentence(event: Event, position: Position) -> str:
    """The event as a sentence of the log; empty for bookkeeping."""
    make = SENTENCES.get(type(event))
    return "" if make is None else make(_Words(position), event)


def result(events: tuple[Event, ...], view: View[Position]) -> str:
    """What came of an order, in a few words."""
    position, found = view.position, list[str]()
    for event in events:
        match event:
            case e.Destroyed():
                found.append(f"{unit_name(position, event.unit)} destroyed")
            case e.Disrupted():
                found.append(f"{unit_name(position, event.unit)} disrupted {event.level}")
            case e.Pinned():
                found.append(f"{unit_name(position, event.unit)} pinned")
            case e.PanicDelayed():
                found.append(f"{unit_name(position, event.unit)} will panic")
    return listed(found) or "no effect"
