"""Panzer Leader in words: pieces for the map, sentences for the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter, is_
from typing import Any

from sandtable.kernel.events import Event
from sandtable.kernel.ids import NOBODY, SPECTATORS, HexId, SideId, UnitId
from sandtable.kernel.ruleset import Piece, PieceChanges
from sandtable.kernel.state import View
from sandtable.play.words import LAST_SEEN, by_place, counted, does, mixed, numbered, reason_and_rule
from sandtable.rulesets.panzer_leader import events as e
from sandtable.rulesets.panzer_leader import landing
from sandtable.rulesets.panzer_leader.badges import (
    ARM_OF,
    badges_of,
    badges_of_aircraft,
    badges_of_mine,
    formation_key,
    titles,
    tone_of,
)
from sandtable.rulesets.panzer_leader.kinds import KINDS, UNKNOWN, UnitKind, aircraft_kinds
from sandtable.rulesets.panzer_leader.model import DESTROYED, EXITED, RESERVE, SIDES, Contact, Mission, Position, Unit
from sandtable.rulesets.panzer_leader.setup import arrival_of
from sandtable.rulesets.panzer_leader.stacks import STACK_LIMIT
from sandtable.rulesets.panzer_leader.terrain import is_concealing
from sandtable.rulesets.panzer_leader.victory import terms

NO_UNITS_ATTACK = {
    "PL-1107": "Shells fall on",
    "PL-1121": "Naval guns fire at",
    "PL-1203": "Aircraft attack",
    "PL-1303": "The minefield attacks",
}
"""Who does what when no unit does it, by the rule of the attack."""

FROM_AFAR = {"air": "Aircraft attack", "direct": "Naval guns fire at"}
"""The same by the kind of attack."""

NEUTRAL = SideId("")
"""The side of what belongs to nobody."""

ATTACKS = {
    "direct": ("fires at", "fire at"),
    "indirect": ("shells", "shell"),
    "air": ("attacks", "attack"),
    "overrun": ("overruns", "overrun"),
    "close_assault": ("close assaults", "close assault"),
    "mine": ("attacks", "attack"),
}
"""What a unit does, and what several do."""


def place_name(position: Position, place: HexId) -> str:
    """A hex as players name it: its label and the name printed there, if any."""
    if not position.ground.board.is_on(place):
        return "off the map"
    name = position.ground.scenario.sheet.names.get(place, "")
    label = position.ground.board.label(place)
    return f"{label} ({name})" if name else label


def direction_name(direction: int) -> str:
    """A direction as players name it; hexes have a flat top, so that 0 is straight up the map."""
    return ("north", "northeast", "southeast", "south", "southwest", "northwest")[direction]


def side_title(position: Position, side: SideId) -> str:
    """A side as the scenario calls it."""
    return {one.id: one.title for one in position.ground.scenario.sides}.get(side, side)


def unit_name(position: Position, id: UnitId) -> str:
    """A unit as players name it: its own name if the scenario gives one, else its type and its scenario id."""
    if not 0 <= id < len(position.units):
        return f"unit {id}"
    return name_of(position, position.units[id])


def name_of(position: Position, unit: Unit) -> str:
    """The same of a unit as it is or was known."""
    cache = position.ground.cache
    if "names" not in cache:
        cache["names"] = {entry.id: entry.name for entry in position.ground.scenario.units if entry.name}
    own = cache["names"].get(unit.name)
    return str(own) if own else numbered(KINDS[unit.kind].name, unit.id)


def unit_names(position: Position, ids: Iterable[UnitId]) -> str:
    """Several units in one phrase; alike ones are counted."""
    return counted((unit_name(position, id) for id in ids), "nobody")


def aircraft_name(position: Position, id: UnitId) -> str:
    """An aircraft by type and number."""
    if not 0 <= id < len(position.aircraft):
        return f"aircraft {id}"
    return numbered(aircraft_kinds()[position.aircraft[id].kind].name, id)


def pieces(view: View[Position]) -> tuple[Piece, ...]:
    """Every counter and marker the side sees, and every contact it remembers."""
    position = view.position
    return (
        *(_unit_piece(position, unit, view.side) for unit in position.units if has_piece(unit, view.side)),
        *(_contact_piece(position, contact) for contact in position.contacts.values()),
        *_aircraft_pieces(position),
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
    for made in (_aircraft_pieces, _marker_pieces):
        shown = MADE_OF[made]
        if not all(map(is_, shown(before), shown(after))):
            old_pieces, new_pieces = ({piece.id: piece for piece in made(p)} for p in (before, after))
            changed += [piece for id, piece in new_pieces.items() if old_pieces.get(id) != piece]
            gone += [id for id in old_pieces if id not in new_pieces]
    return PieceChanges(tuple(changed), tuple(gone))


def _altered(before: Position, after: Position, side: SideId) -> set[UnitId]:
    """The units whose counters can look otherwise: they have changed, are spotted or not any more, or come sooner."""
    altered = {new.id for _, new in after.derived.changes(before.units, after.units)}
    if before.contacts is not after.contacts:
        altered |= _changed_contacts(before.contacts, after.contacts)
    if before.sightings is not after.sightings:
        altered |= {s.unit for s in before.sightings} ^ {s.unit for s in after.sightings}
    if before.turn != after.turn:
        altered |= {unit.id for unit in after.units if _waits(unit, side)}
    return altered


def _changed_contacts(before: Mapping[UnitId, Contact], after: Mapping[UnitId, Contact]) -> set[UnitId]:
    """The contacts that are new, gone, or remembered otherwise."""
    both = before.keys() & after.keys()
    return (before.keys() ^ after.keys()) | {id for id in both if before[id] is not after[id]}


def has_piece(unit: Unit, side: SideId) -> bool:
    """Whether a viewer finds a unit among the pieces: it is on the table, or his own and still to come."""
    return bool(unit.hex) or _waits(unit, side)


def _piece_of(position: Position, id: UnitId, side: SideId) -> Piece | None:
    """The counter of a unit as a viewer sees or remembers it."""
    unit = position.units[id]
    if has_piece(unit, side):
        return _unit_piece(position, unit, side)
    contact = position.contacts.get(id)
    return None if contact is None else _contact_piece(position, contact)


def _waits(unit: Unit, side: SideId) -> bool:
    """Whether a unit is the side's own and still to come; its piece has no hex yet."""
    return unit.fate == RESERVE and unit.side == side and not KINDS[unit.kind].is_work


def _unit_piece(position: Position, unit: Unit, viewer: SideId) -> Piece:
    """The counter of a unit; it looks the same as long as the unit is the same, is spotted or not, and no turn goes by
    that it waits for.
    """
    kept: dict[UnitId, tuple[Unit, bool, int, Piece]]
    kept = position.derived.part(_COUNTERS[viewer], (position.ground,), dict)
    is_spotted = any(s.unit == unit.id for s in position.sightings)
    turn = position.turn if unit.fate == RESERVE else 0
    known = kept.get(unit.id)
    if known is not None and known[0] is unit and known[1] == is_spotted and known[2] == turn:
        return known[3]
    piece = _drawn(position, unit, viewer)
    kept[unit.id] = (unit, is_spotted, turn, piece)
    return piece


_COUNTERS = {side: f"counters of {side}" for side in (*SIDES, SPECTATORS)}


def _contact_piece(position: Position, contact: Contact) -> Piece:
    """The counter of an enemy where he was last seen: what is printed on it, and nothing of what he has done since.

    Rules: PL-1507.
    """
    unit, kind = contact.unit, KINDS[contact.unit.kind]
    return Piece(
        id=unit.id,
        side=unit.side,
        hex=unit.hex,
        title=name_of(position, unit),
        mark=kind.nato,
        corners=_corners(kind),
        letter=kind.weapon if kind.weapon != "-" else "",
        states=(last_seen(contact),),
        last_seen=contact.turn,
    )


def last_seen(contact: Contact) -> str:
    """When an enemy was last seen, in words."""
    return f"last seen on turn {contact.turn}"


def _corners(kind: UnitKind) -> tuple[str, str, str, str]:
    star = "*" if kind.has("star") else ""
    if kind.is_work:
        return ("", "", str(kind.defense), "")
    return (str(kind.attack), f"{kind.range}{star}", str(kind.defense), str(kind.movement))


def _drawn(position: Position, unit: Unit, viewer: SideId) -> Piece:
    kind, worn = KINDS[unit.kind], badges_of(position, unit)
    return Piece(
        id=unit.id,
        side=unit.side,
        hex=unit.hex,
        title=unit_name(position, unit.id),
        mark=kind.nato,
        corners=_corners(kind),
        letter=kind.weapon if kind.weapon != "-" else "",
        states=titles(worn),
        kind="work" if kind.is_work else "unit",
        carrier=unit.carrier if unit.carrier != NOBODY else unit.fort if unit.fort != NOBODY else None,
        facing=unit.facing if position.ground.options.field_of_fire and kind.movement == 0 else None,
        note=coming(position, unit) if unit.fate == RESERVE else "",
        formation=formation_key(unit.side, ARM_OF[unit.kind]),
        badges=worn,
        tone=tone_of(worn),
        counter=unit.kind,
        # an enemy's name would tell what type it is
        name=unit.name if unit.side == viewer else "",
    )


def turn_of(segment: int) -> int:
    """The turn that a segment belongs to: each turn holds two (PL-101)."""
    return (segment + 1) // 2


def firers_name(position: Position, mission: Mission) -> str:
    """Who fires a mission, in words."""
    return unit_names(position, mission.firers) if mission.firers else f"naval guns ({mission.naval})"


def coming(position: Position, unit: Unit) -> str:
    """When and where a reinforcement comes; empty for a unit that is set up before the battle.

    Rules: PL-1506.
    """
    arrival = arrival_of(position, unit)
    if arrival is None:
        return ""
    turn, places = arrival
    labels = [position.ground.board.label(place) for place in places]
    where = " or ".join(labels) if len(labels) < 4 else f"one of {len(labels)} hexes"
    if landing.landing_of(position, unit) is not None:
        when = "as your segment ends" if turn <= position.turn else f"on turn {turn} or later"
        return f"is placed at sea {when}, in {where}"
    return f"{'may come this turn' if turn <= position.turn else f'comes on turn {turn} or later'}, in {where}"


def aircraft_piece(position: Position, id: UnitId) -> UnitId:
    """The number of an aircraft among the pieces: aircraft are numbered by themselves, pieces are not."""
    return UnitId(len(position.units) + id)


def _aircraft_pieces(position: Position) -> Iterable[Piece]:
    for plane in position.aircraft:
        if plane.hex:
            kind, worn = aircraft_kinds()[plane.kind], badges_of_aircraft(plane)
            guns = str(kind.guns.strength) if kind.guns else ""
            yield Piece(
                id=aircraft_piece(position, plane.id),
                side=plane.side,
                hex=plane.hex,
                title=aircraft_name(position, plane.id),
                mark="aircraft",
                corners=(guns, "", "", ""),
                states=titles(worn),
                kind="aircraft",
                formation=formation_key(plane.side, "aircraft"),
                badges=worn,
                tone=tone_of(worn),
                counter=plane.kind,
            )


def _marker_pieces(position: Position) -> Iterable[Piece]:
    markers = [("mine", place, NEUTRAL, 0) for place in position.mines]
    markers += [("block", place, NEUTRAL, 0) for place in position.blocks]
    markers += [("wreck", place, NEUTRAL, n) for place, count in position.wrecks.items() for n in range(count)]
    markers += [("smoke", place, NEUTRAL, 0) for place in position.smoke]
    markers += [("ruined bridge", place, NEUTRAL, 0) for place in position.bridges_down]
    markers += [("flag", place, position.control[place], 0) for place in prizes(position) if place in position.control]
    for mark, place, side, number in sorted(markers):
        worn = badges_of_mine(position.mines[place]) if mark == "mine" else ()
        yield Piece(
            # a marker keeps its number while it lies there: none is a unit's, and none moves up when another goes
            UnitId(-2 - (place * len(MARKERS) + MARKERS.index(mark)) * STACK_LIMIT - number),
            side,
            place,
            mark.capitalize(),
            mark,
            states=titles(worn),
            kind="marker",
            badges=worn,
        )


MARKERS = ("mine", "block", "wreck", "smoke", "ruined bridge", "flag")


MADE_OF: dict[Callable[[Position], Iterable[Piece]], Callable[[Position], tuple[object, ...]]] = {
    _aircraft_pieces: lambda position: (position.aircraft,),
    _marker_pieces: attrgetter("mines", "blocks", "wrecks", "smoke", "bridges_down", "control"),
}
"""What on the table the pieces that are no units show."""


def prizes(position: Position) -> set[HexId]:
    """The hexes for which the battle is fought: objectives, and what a condition of victory says to hold.

    Rules: PL-1502.
    """
    board = position.ground.board
    named = {place for objective in position.ground.scenario.objectives for place in objective.hexes}
    return named | {board.parse(label) for condition in terms(position).conditions for label in condition.hold}


def _attack_sentence(p: Position, x: e.AttackRolled) -> str:
    deed = _deed(p, x, NO_UNITS_ATTACK.get(x.rule, f"Unseen attackers {ATTACKS[x.how][1]}"))
    place = place_name(p, x.hex)
    where = f"{unit_names(p, x.targets)} in {place}" if x.targets else place
    numbers = f"{mixed(x.strength)} to {x.defense}, {x.odds}, " if x.odds else ""
    drm = f" {x.drm:+d}" if x.drm else ""
    came = f"result {x.result}" if x.result != "-" else "no effect"
    return f"{deed} {where}: {numbers}die {x.die}{drm}, {came}{MORE if x.unseen else ''}."


def _deed(p: Position, x: e.AttackRolled | e.AttackFailed, others: str) -> str:
    """Who attacks, and how; what is done by no known unit is told by others' words."""
    if not x.attackers:
        return others
    who = counted((name_of(p, _as_remembered(p, id)) for id in x.attackers), "nobody")
    return f"{who} {ATTACKS[x.how][len(x.attackers) > 1]}"


def _as_remembered(p: Position, id: UnitId) -> Unit:
    """Who somebody is, or was when he was last seen if he is out of sight by now."""
    contact = p.contacts.get(id)
    return p.units[id] if contact is None else contact.unit


MORE = "; more stands there than you see"


def _failed_sentence(p: Position, x: e.AttackFailed) -> str:
    deed = _deed(p, x, FROM_AFAR.get(x.how, ""))
    return f"{deed} {place_name(p, x.hex)}: no effect{MORE}."


def _giveaway_sentence(p: Position, units: list[UnitId]) -> str:
    """Who has given himself away out of cover; in the open he was seen before (PL-722)."""
    return f"{unit_names(p, units)} can be spotted now." if units else ""


def _sighting_sentences(p: Position, x: e.UnitsSighted) -> Iterable[str]:
    """Who came into sight where, and what a loss turned out to be; a bridge that is laid is told of as that."""
    seen = [unit for unit in x.units if unit.id in x.contacts and unit.hex]
    seen = [unit for unit in seen if not KINDS[unit.kind].is_temporary_bridge]
    if seen:
        yield f"In sight: {by_place(((name_of(p, unit), place_name(p, unit.hex)) for unit in seen), ' in ')}."
    lost = [name_of(p, unit) for unit in x.units if unit.fate == DESTROYED]
    if lost:
        yield f"The enemy has lost {counted(lost)}."
    left = [name_of(p, unit) for unit in x.units if unit.fate == EXITED]
    if left:
        yield f"{does(left, 'has left the map')}."


def _passing_sentence(p: Position, x: e.MovedOutOfSight) -> str:
    """Who went out of sight at the end of his move; of a glimpse nobody tells what it was."""
    unit, place = _as_remembered(p, x.unit), place_name(p, x.path[-1])
    if unit.kind == UNKNOWN:
        return f"{name_of(p, unit)} is glimpsed in {place}."
    return f"{name_of(p, unit)} moves to {place} and out of sight."


def _lost_sentence(p: Position, x: e.SightLost) -> str:
    """Whom a side has lost from its sight, and where it saw him last."""
    units = [p.contacts[id].unit for id in x.units if id in p.contacts]
    lost = by_place(((name_of(p, unit), place_name(p, unit.hex)) for unit in units), LAST_SEEN)
    return f"Out of sight: {lost}." if lost else ""


LOST = {
    "PL-645": "is lost with its carrier",
    "PL-1321": "is lost with its fort",
    "PL-1333": "is lost with the bridge",
    "PL-1403": "is lost at sea",
    "PL-1406": "sinks",
}
"""How a unit is lost that no attack destroys, by the rule."""

WORKING = {
    "clear": "clearing the way",
    "flail": "beating a lane through the mines",
    "demolish": "charging the bridge",
    "block": "blocking the road",
    "bridge": "laying its bridge",
}
"""What a unit does that works, by its task.

Rules: PL-1304, PL-1305, PL-1331, PL-1332, PL-1333.
"""


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
    e.StepBegan: lambda p, x: f"{x.side.capitalize()}: {x.step}." if x.step else "",
    e.SegmentBegan: lambda p, x: f"Turn {x.turn}, {x.side.capitalize()} segment.",
    e.SegmentEnded: lambda p, x: "",
    e.UnitPlaced: lambda p, x: f"{unit_name(p, x.unit)} is placed in {place_name(p, x.hex)}.",
    e.UnitMoved: lambda p, x: f"{unit_name(p, x.unit)} moves to {place_name(p, x.path[-1])}.",
    e.MoveEnded: lambda p, x: f"{unit_name(p, x.unit)} stops: {reason_and_rule(x.why)[0]}." if x.why else "",
    e.MoveHalted: lambda p, x: "",
    e.MoveResumed: lambda p, x: "",
    e.MoverSet: lambda p, x: "",
    e.CrossingTried: lambda p, x: (
        f"{unit_name(p, x.unit)} tries to cross into {place_name(p, x.hex)}: die {x.die}, "
        f"{'across' if x.crossed else 'it fails'}."
    ),
    e.UnitExited: _exit_sentence,
    e.UnitLoaded: lambda p, x: f"{unit_name(p, x.passenger)} mounts {unit_name(p, x.carrier)}.",
    e.UnitUnloaded: lambda p, x: f"{unit_name(p, x.passenger)} dismounts from {unit_name(p, x.carrier)}.",
    e.FortEntered: lambda p, x: f"{unit_name(p, x.unit)} goes into {unit_name(p, x.fort)}.",
    e.FortLeft: lambda p, x: f"{unit_name(p, x.unit)} comes out of {unit_name(p, x.fort)}.",
    e.FortCaptured: lambda p, x: f"{unit_name(p, x.fort)} is taken by the {x.side.capitalize()} side.",
    e.AttackRolled: _attack_sentence,
    e.AttackFailed: _failed_sentence,
    e.UnitsFired: lambda p, x: "",
    e.UnitDispersed: lambda p, x: f"{unit_name(p, x.unit)} is dispersed.",
    e.UnitRecovered: lambda p, x: f"{unit_name(p, x.unit)} recovers from dispersal.",
    e.UnitDestroyed: _loss_sentence,
    e.ContactMoved: lambda p, x: f"{unit_name(p, x.unit.id)} comes into sight in {place_name(p, x.path[-1])}.",
    e.MovedOutOfSight: _passing_sentence,
    e.UnitsSighted: lambda p, x: " ".join(_sighting_sentences(p, x)),
    e.SightLost: _lost_sentence,
    e.ContactsForgotten: lambda p, x: "",
    e.AccountsKnown: lambda p, x: "",
    e.Sighted: lambda p, x: _giveaway_sentence(p, [s.unit for s in x.sightings if is_concealing(p, s.hex)]),
    e.MissionWritten: lambda p, x: (
        f"Mission written: {firers_name(p, x.mission)} on {place_name(p, x.mission.hex)}"
        f"{', smoke' if x.mission.smoke else ''}, for turn {turn_of(x.mission.due)}."
    ),
    e.MissionStruck: lambda p, x: f"Mission struck out: {firers_name(p, x.mission)} on {place_name(p, x.mission.hex)}.",
    e.MissionFired: lambda p, x: (
        "Indirect fire goes wild."
        if not x.hex
        else f"Indirect fire comes down on {place_name(p, x.hex)}"
        f"{f', scattered from {place_name(p, x.mission.hex)}' if x.scattered else ''}."
    ),
    e.MissionsEnded: lambda p, x: "",
    e.HexShelled: lambda p, x: (
        f"The shells harm nothing in {place_name(p, x.hex)}: nobody is there, or they are too weak."
        if x.in_vain
        else ""
    ),
    e.SmokeLaid: lambda p, x: f"Smoke lies in {place_name(p, x.hex)}.",
    e.NavalSpent: lambda p, x: f"Naval guns use {x.points} points.",
    e.NavalRefilled: lambda p, x: "",
    e.AircraftFlew: lambda p, x: f"{aircraft_name(p, x.aircraft)} flies to {place_name(p, x.hex)}.",
    e.AircraftShotAt: lambda p, x: (
        f"Anti-aircraft fire of {x.strength} at {aircraft_name(p, x.aircraft)}: die {x.die}: "
        f"{ {'X': 'shot down', 'abort': 'driven off', '-': 'no effect'}[x.result] }."
    ),
    e.AircraftAttacked: lambda p, x: ", ".join(f"{aircraft_name(p, id)} uses {weapon}" for id, weapon in x.used) + ".",
    e.AirPhaseEnded: lambda p, x: "",
    e.WorkBegan: lambda p, x: f"{unit_name(p, x.unit)} starts {WORKING[x.task]} in {place_name(p, x.hex)}.",
    e.WorkAdvanced: lambda p, x: f"{unit_name(p, x.unit)}'s work goes on.",
    e.WorkEnded: lambda p, x: (
        f"{unit_name(p, x.unit)}: {WORKING[x.task]} {'is done' if x.done else 'comes to nothing'}"
        f"{f', die {x.die}' if x.die else ''}."
    ),
    e.MineLaid: lambda p, x: (
        f"A minefield lies in {place_name(p, x.hex)}{', and is being cleared' if x.flipped_by != NOBODY else ''}."
    ),
    e.MineLifted: lambda p, x: f"The minefield in {place_name(p, x.hex)} is gone.",
    e.BlockPlaced: lambda p, x: f"A block lies in {place_name(p, x.hex)}.",
    e.BlockRemoved: lambda p, x: f"The block in {place_name(p, x.hex)} is gone.",
    e.BridgeDestroyed: lambda p, x: f"The bridge in {place_name(p, x.hex)} is down.",
    e.BridgeLaid: lambda p, x: f"A tank bridge lies in {place_name(p, x.hex)}.",
    e.FacingSet: lambda p, x: f"{unit_name(p, x.unit)} turns.",
    e.UnitRevealed: lambda p, x: f"{unit_name(p, x.unit)} shows itself at sea.",
    e.UnitLanded: lambda p, x: (
        f"{unit_name(p, x.unit)} comes ashore in {place_name(p, x.hex)}"
        f"{' on top of friends, which disperses all of them' if landing.crowds(p, x.unit, x.hex) else ''}."
    ),
    e.ControlTaken: lambda p, x: f"{place_name(p, x.hex)} belongs to the {x.side.capitalize()} side.",
    e.DieCast: lambda p, x: (
        f"{unit_name(p, x.unit) + ': ' if x.unit != NOBODY else ''}{x.what}: die {x.die}, "
        f"{'passed' if x.passed else 'failed'}."
    ),
    e.BattleEnded: lambda p, x: "The battle is over.",
}


def sentence(event: Event, position: Position) -> str:
    """The event as a sentence of the log; empty for bookkeeping that tells a player nothing."""
    return _SENTENCES[type(event)](position, event)


def result(events: tuple[Event, ...], view: View[Position]) -> str:
    """What came of an order, by what befell units and aircraft; orders that leave all unharmed give "no effect"."""
    fates: list[str] = []
    dispersed: dict[UnitId, None] = {}
    destroyed: dict[UnitId, None] = {}
    for event in events:
        match event:
            case e.UnitDestroyed():
                destroyed[event.unit] = None
            case e.UnitDispersed():
                dispersed[event.unit] = None
            case e.AircraftShotAt() if event.result != "-":
                fates.append(f"{aircraft_name(view.position, event.aircraft)} {RESULTS_AIR[event.result]}")
            case e.CrossingTried():
                fates.append("crosses" if event.crossed else "does not cross")
            case e.DieCast() if not event.passed:
                fates.append(f"{event.what} fails")
            case e.DieCast() if event.rule in PASSED:
                fates.append(PASSED[event.rule])
            case e.WorkEnded() if event.die:
                fates.append("work done" if event.done else "work fails")
    if destroyed:
        fates.append(f"{unit_names(view.position, destroyed)} destroyed")
    left = [id for id in dispersed if id not in destroyed]
    if left:
        fates.append(f"{unit_names(view.position, left)} dispersed")
    return "; ".join(fates) or "no effect"


PASSED = {"PL-1605": "stays in order", "PL-1406": "stays afloat"}
"""What a die that is passed spares a unit, by its rule."""

RESULTS_AIR = {"X": "shot down", "abort": "driven off"}
