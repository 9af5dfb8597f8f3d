"""3D PanzerBlitz in words: pieces for the map, sentences for the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sandtable.kernel.events import Event
from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.ruleset import Piece, PieceChanges
from sandtable.kernel.state import View
from sandtable.play.words import LAST_SEEN, by_place, counted, does, numbered, reason_and_rule
from sandtable.rulesets.panzerblitz_3d import events as e
from sandtable.rulesets.panzerblitz_3d.badges import ARM_OF, badges_of, formation_key, titles, tone_of
from sandtable.rulesets.panzerblitz_3d.kinds import KINDS, UNARMED, UNKNOWN, UnitKind
from sandtable.rulesets.panzerblitz_3d.model import DESTROYED, EXITED, NO_SIDE, RESERVE, Contact, Position, Unit
from sandtable.rulesets.panzerblitz_3d.setup import arrival_of
from sandtable.rulesets.panzerblitz_3d.tables import BATTERIES, NOTHING
from sandtable.rulesets.panzerblitz_3d.victory import terms

ATTACKS = {
    "fire": ("fires at", "fire at"),
    "opportunity": ("fires by opportunity at", "fire by opportunity at"),
    "overrun": ("overruns", "overrun"),
    "assault": ("close assaults", "close assault"),
    "artillery": ("shells", "shell"),
    "mine": ("attacks", "attack"),
}
"""What a unit does, and what several do."""

NO_UNITS_ATTACK = {"artillery": "Shells fall on", "mine": "The minefield attacks"}
"""Who does what when no unit does it."""


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
    """A unit as players name it: its own name if the scenario gives one, else its type and its number."""
    if not 0 <= id < len(position.units):
        return f"unit {id}"
    return name_of(position, position.units[id])


def name_of(position: Position, unit: Unit) -> str:
    """The same of a unit as it is or was known."""
    names: dict[str, str] = position.ground.once(
        "names", lambda: {entry.id: entry.name for entry in position.ground.scenario.units if entry.name}
    )
    return names.get(unit.name) or numbered(KINDS[unit.kind].name, unit.id)


def unit_names(position: Position, ids: Iterable[UnitId]) -> str:
    """Several units in one phrase; alike ones are counted."""
    return counted((unit_name(position, id) for id in ids), "nobody")


def battery_name(position: Position, id: int) -> str:
    """A battery as players name it: its own name if the scenario gives one, else its type and its number."""
    if not 0 <= id < len(position.batteries):
        return f"battery {id}"
    battery = position.batteries[id]
    return battery.name or numbered(BATTERIES[battery.kind].name, id + 1)


# --- pieces ---------------------------------------------------------------------------------------------------------


def pieces(view: View[Position]) -> tuple[Piece, ...]:
    """Every counter and marker the side sees, and every contact it remembers."""
    position = view.position
    return (
        *(_unit_piece(position, unit, view.side) for unit in position.units if has_piece(unit, view.side)),
        *(_contact_piece(position, contact) for contact in position.contacts.values()),
        *_marker_pieces(position),
    )


def piece_changes(before: Position, after: Position, side: SideId) -> PieceChanges:
    """How the pieces of one known position become those of another: only what can have changed is looked at."""
    changed: list[Piece] = []
    gone: list[UnitId] = []
    for id in sorted(_altered(before, after, side)):
        old, piece = _piece_of(before, id, side), _piece_of(after, id, side)
        if piece is not None and piece != old:
            changed.append(piece)
        elif piece is None and old is not None:
            gone.append(id)
    if any(getattr(before, name) is not getattr(after, name) for name in MADE_OF):
        old_pieces, new_pieces = ({piece.id: piece for piece in _marker_pieces(p)} for p in (before, after))
        changed += [piece for id, piece in new_pieces.items() if old_pieces.get(id) != piece]
        gone += [id for id in old_pieces if id not in new_pieces]
    return PieceChanges(tuple(changed), tuple(gone))


MADE_OF = ("mines", "blocks", "wrecks", "barrages", "control")
"""What on the table the markers show."""


def _altered(before: Position, after: Position, side: SideId) -> set[UnitId]:
    """The units whose counters can look otherwise: they have changed, are in the notes or not, or come sooner."""
    altered = {new.id for _, new in after.derived.changes(before.units, after.units)}
    if before.contacts is not after.contacts:
        altered |= {*before.contacts, *after.contacts}
    if before.assigned is not after.assigned:
        altered |= {*before.assigned} ^ {*after.assigned}
    if before.shots is not after.shots:
        altered |= {id for one in (before, after) for shot in one.shots for id in shot.firers}
    if before.turn != after.turn:
        altered |= {unit.id for unit in after.units if _waits(unit, side)}
    return altered


def has_piece(unit: Unit, side: SideId) -> bool:
    """Whether a viewer finds a unit among the pieces: it is on the table, or his own and still to come."""
    return bool(unit.hex) or _waits(unit, side)


def _waits(unit: Unit, side: SideId) -> bool:
    return unit.fate == RESERVE and unit.side == side


def _piece_of(position: Position, id: UnitId, side: SideId) -> Piece | None:
    """The counter of a unit as a viewer sees or remembers it."""
    unit = position.units[id]
    if has_piece(unit, side):
        return _unit_piece(position, unit, side)
    contact = position.contacts.get(id)
    return None if contact is None else _contact_piece(position, contact)


def _unit_piece(position: Position, unit: Unit, viewer: SideId) -> Piece:
    kind, worn = KINDS[unit.kind], badges_of(position, unit)
    return Piece(
        id=unit.id,
        side=unit.side,
        hex=unit.hex,
        title=unit_name(position, unit.id),
        mark=kind.nato,
        corners=_corners(kind),
        letter=kind.weapon if kind.weapon != UNARMED else "",
        states=titles(worn),
        kind="work" if kind.is_work else "unit",
        carrier=unit.carrier if unit.carrier != NOBODY else unit.fort if unit.fort != NOBODY else None,
        note=coming(position, unit) if unit.fate == RESERVE else "",
        formation=formation_key(unit.side, ARM_OF[unit.kind]),
        badges=worn,
        tone=tone_of(worn),
        counter=unit.kind,
        # an enemy's name would tell what the scenario calls it
        name=unit.name if unit.side == viewer else "",
    )


def _contact_piece(position: Position, contact: Contact) -> Piece:
    """The counter of an enemy where he was last seen: what is printed on it, and nothing of what he has done since."""
    unit, kind = contact.unit, KINDS[contact.unit.kind]
    return Piece(
        id=unit.id,
        side=unit.side,
        hex=unit.hex,
        title=name_of(position, unit),
        mark=kind.nato,
        corners=_corners(kind),
        letter=kind.weapon if kind.weapon != UNARMED else "",
        states=(f"last seen on turn {contact.turn}",),
        last_seen=contact.turn,
    )


def _corners(kind: UnitKind) -> tuple[str, str, str, str]:
    if kind.is_work:
        return ("", "", str(kind.defense), "")
    return (str(kind.attack), str(kind.range), str(kind.defense), str(kind.movement))


def coming(position: Position, unit: Unit) -> str:
    """When and where a reinforcement comes; empty for a unit that is set up before the battle (PB3-1303)."""
    arrival = arrival_of(position, unit)
    if arrival is None:
        return ""
    turn, places = arrival
    labels = [position.ground.board.label(place) for place in places]
    where = " or ".join(labels) if len(labels) < 4 else f"one of {len(labels)} hexes"
    return f"{'may come this turn' if turn <= position.turn else f'comes on turn {turn} or later'}, in {where}"


MARKERS = ("mine", "block", "wreck", "barrage", "flag")
MOST_ALIKE = 64
"""So many markers of a sort in one hex have numbers of their own."""


def _marker_pieces(position: Position) -> Iterable[Piece]:
    markers = [("mine", place, NO_SIDE, 0) for place in position.mines]
    markers += [("block", place, NO_SIDE, 0) for place in position.blocks]
    markers += [("wreck", place, NO_SIDE, n) for place, count in position.wrecks.items() for n in range(count)]
    markers += [("barrage", place, NO_SIDE, 0) for place in position.barrages]
    markers += [("flag", place, position.control[place], 0) for place in prizes(position) if place in position.control]
    for mark, place, side, number in sorted(markers):
        # a marker keeps its number while it lies there: none is a unit's, and none moves up when another goes
        id = UnitId(-2 - (place * len(MARKERS) + MARKERS.index(mark)) * MOST_ALIKE - number)
        yield Piece(id, side, place, mark.capitalize(), "smoke" if mark == "barrage" else mark, kind="marker")


def prizes(position: Position) -> frozenset[HexId]:
    """The hexes for which the battle is fought: objectives, and what a condition of victory says to hold."""
    return position.ground.once("prizes", lambda: _prizes(position))


def _prizes(position: Position) -> frozenset[HexId]:
    board = position.ground.board
    named = {HexId(place) for objective in position.ground.scenario.objectives for place in objective.hexes}
    held = {HexId(board.parse(label)) for condition in terms(position).conditions for label in condition.hold}
    return frozenset(named | held)


# --- sentences ------------------------------------------------------------------------------------------------------


def _attack_sentence(p: Position, x: e.AttackRolled) -> str:
    place = place_name(p, x.hex)
    where = f"{unit_names(p, x.targets)} in {place}" if x.targets else place
    numbers = f"{x.strength} to {x.defense}, {x.odds}, " if x.odds else ""
    drm = f" {x.drm:+d}" if x.drm else ""
    came = f"result {x.result}" if x.result != NOTHING else "no effect"
    return f"{_deed(p, x)} {where}: {numbers}die {x.die}{drm}, {came}."


def _deed(p: Position, x: e.AttackRolled | e.AttackFailed) -> str:
    """Who attacks, and how."""
    one, many = ATTACKS[x.how]
    if x.attackers:
        who = counted((name_of(p, _as_remembered(p, id)) for id in x.attackers), "nobody")
        return f"{who} {many if len(x.attackers) > 1 else one}"
    return NO_UNITS_ATTACK.get(x.how, f"Unseen attackers {many}")


def _as_remembered(p: Position, id: UnitId) -> Unit:
    """Who somebody is, or was when he was last seen if he is out of sight by now."""
    contact = p.contacts.get(id)
    return p.units[id] if contact is None else contact.unit


def _failed_sentence(p: Position, x: e.AttackFailed) -> str:
    return f"{_deed(p, x)} {place_name(p, x.hex)}: no effect, what is there is too strong."


def _battery_sentence(p: Position, x: e.BatteryFired) -> str:
    who = battery_name(p, x.battery)
    if not x.hex:
        return f"{who} fires and its shells are lost{_plotted(p, x)}."
    return f"{who} fires on {place_name(p, x.hex)}{_plotted(p, x) if x.hex != x.plotted else ''}."


def _plotted(p: Position, x: e.BatteryFired) -> str:
    return f", scattered from {place_name(p, x.plotted)}" if x.plotted else ""


def _sighting_sentences(p: Position, x: e.UnitsSighted) -> Iterable[str]:
    """Who came into sight where, and what a loss turned out to be."""
    seen = [unit for unit in x.units if unit.id in x.contacts and unit.hex]
    if seen:
        yield f"In sight: {by_place(((name_of(p, unit), place_name(p, unit.hex)) for unit in seen), ' in ')}."
    lost = [name_of(p, unit) for unit in x.units if unit.fate == DESTROYED]
    if lost:
        yield f"The enemy has lost {counted(lost)}."
    left = [name_of(p, unit) for unit in x.units if unit.fate == EXITED]
    if left:
        yield f"{does(left, 'has left the map')}."


def _lost_sentence(p: Position, x: e.SightLost) -> str:
    """Whom a side has lost from its sight, and where it saw him last."""
    units = [p.contacts[id].unit for id in x.units if id in p.contacts]
    lost = by_place(((name_of(p, unit), place_name(p, unit.hex)) for unit in units), LAST_SEEN)
    return f"Out of sight: {lost}." if lost else ""


LOST = {"PB3-623": "is lost as a passenger", "PB3-1606": "is lost with its fort"}
"""How a unit is lost that no attack is made on, by the rule."""


def _silent(p: Position, x: Any) -> str:
    return ""


def _exit_sentence(p: Position, x: e.UnitExited) -> str:
    """Who leaves the map; of one whom the viewer did not know he is told next who it was."""
    if p.units[x.unit].kind == UNKNOWN:
        return ""
    return f"{unit_name(p, x.unit)} leaves the map{'' if x.allowed else ' where it may not, and counts as lost'}."


def _loss_sentence(p: Position, x: e.UnitDestroyed) -> str:
    """How a unit was lost; of one whom the viewer did not know he is told next what it was."""
    if p.units[x.unit].kind == UNKNOWN:
        return ""
    return f"{unit_name(p, x.unit)} {LOST.get(x.rule, 'is destroyed')}{', leaving a wreck' if x.wreck else ''}."


_SENTENCES: dict[type[Event], Callable[[Position, Any], str]] = {
    e.TurnBegan: lambda p, x: f"Turn {x.turn}.",
    e.InitiativeRolled: lambda p, x: (
        f"Initiative: German {x.german}, Russian {x.russian}: "
        f"{f'{x.winner.capitalize()} wins' if x.winner else 'a tie, both roll again'}."
    ),
    e.FirstChosen: lambda p, x: f"The {x.side.capitalize()} side is first player.",
    e.StepBegan: lambda p, x: f"{f'{x.side.capitalize()}: {x.step}' if x.side else x.step.capitalize()}.",
    e.PlayerTurnBegan: lambda p, x: f"Turn {x.turn}, {x.side.capitalize()} player turn.",
    e.PlayerTurnEnded: _silent,
    e.TurnEnded: lambda p, x: "Units that have been dispersed through a player turn of their own recover.",
    e.UnitPlaced: lambda p, x: f"{unit_name(p, x.unit)} is placed in {place_name(p, x.hex)}.",
    e.PlotWritten: lambda p, x: f"{battery_name(p, x.battery)} is plotted on {place_name(p, x.hex)}.",
    e.PlotStruck: lambda p, x: f"{battery_name(p, x.battery)} is not to fire.",
    e.Assigned: lambda p, x: f"{unit_names(p, x.units)}: assigned to opportunity fire.",
    e.Unassigned: lambda p, x: f"{unit_names(p, x.units)}: not assigned to opportunity fire any more.",
    e.NotesSealed: lambda p, x: "Your notes are sealed.",
    e.AssignmentsRevealed: lambda p, x: (
        f"Assigned to opportunity fire: {unit_names(p, x.units)}." if x.units else "Nobody waits for an opportunity."
    ),
    e.BatteryFired: _battery_sentence,
    e.HexShelled: lambda p, x: f"{place_name(p, x.hex)} is under a barrage.",
    e.ShotDesignated: lambda p, x: (
        f"{unit_names(p, x.shot.firers)}: target {unit_names(p, x.shot.targets)} in {place_name(p, x.shot.hex)}."
    ),
    e.ShotStruck: lambda p, x: f"{unit_name(p, x.unit)}: target struck out.",
    e.ShotLost: lambda p, x: f"{unit_names(p, x.firers)}: the target in {place_name(p, x.hex)} is gone, the shot lost.",
    e.AttackRolled: _attack_sentence,
    e.AttackFailed: _failed_sentence,
    e.UnitsFired: _silent,
    e.UnitDispersed: lambda p, x: f"{unit_name(p, x.unit)} is dispersed.",
    e.UnitDestroyed: _loss_sentence,
    e.UnitMoved: lambda p, x: f"{unit_name(p, x.unit)} moves to {place_name(p, x.path[-1])}.",
    e.MoveEnded: lambda p, x: f"{unit_name(p, x.unit)} stops: {reason_and_rule(x.why)[0]}." if x.why else "",
    e.MoveHalted: _silent,
    e.MoveResumed: _silent,
    e.UnitExited: _exit_sentence,
    e.UnitLoaded: lambda p, x: f"{unit_name(p, x.passenger)} mounts {unit_name(p, x.carrier)}.",
    e.UnitUnloaded: lambda p, x: f"{unit_name(p, x.passenger)} dismounts from {unit_name(p, x.carrier)}.",
    e.FortEntered: lambda p, x: f"{unit_name(p, x.unit)} goes into {unit_name(p, x.fort)}.",
    e.FortLeft: lambda p, x: f"{unit_name(p, x.unit)} comes out of {unit_name(p, x.fort)}.",
    e.MineEntered: lambda p, x: f"{unit_name(p, x.unit)} runs onto mines.",
    e.ControlTaken: lambda p, x: f"{place_name(p, x.hex)} is held by the {x.side.capitalize()} side.",
    e.ContactMoved: lambda p, x: f"{unit_name(p, x.unit.id)} comes into sight in {place_name(p, x.path[-1])}.",
    e.UnitsSighted: lambda p, x: " ".join(_sighting_sentences(p, x)),
    e.SightLost: _lost_sentence,
    e.ContactsForgotten: _silent,
    e.AccountsKnown: _silent,
    e.BattleEnded: lambda p, x: "The battle is over.",
}


def sentence(event: Event, position: Position) -> str:
    """The event as a sentence of the log; empty for bookkeeping that tells a player nothing."""
    return _SENTENCES[type(event)](position, event)


def result(events: tuple[Event, ...], view: View[Position]) -> str:
    """What came of an order, by what befell units; orders that leave all unharmed give "no effect"."""
    fates: list[str] = []
    dispersed: dict[UnitId, None] = {}
    destroyed: dict[UnitId, None] = {}
    for event in events:
        match event:
            case e.UnitDestroyed():
                destroyed[event.unit] = None
            case e.UnitDispersed():
                dispersed[event.unit] = None
    if destroyed:
        fates.append(f"{unit_names(view.position, destroyed)} destroyed")
    left = [id for id in dispersed if id not in destroyed]
    if left:
        fates.append(f"{unit_names(view.position, left)} dispersed")
    return "; ".join(fates) or "no effect"
