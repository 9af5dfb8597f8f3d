"""How the events of movement, fire, assault and the turn are told, and that no event of any part is forgotten."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.ids import NOBODY, NOWHERE, SideId
from sandtable.rulesets.panzer_battles import events as e
from sandtable.rulesets.panzer_battles.air import telling as _air  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.command import telling as _command  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.deception import telling as _deception  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.engineers import telling as _engineers  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.fire import telling as _fire  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.movement import telling as _movement  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.organization import telling as _organization  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.reinforcements import telling as _reinforcements  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.spotting import telling as _spotting  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.spotting.fog import is_fogged, own_among, shows, telling, to_its_side
from sandtable.rulesets.panzer_battles.supply import telling as _supply  # noqa: F401 - registers


@telling.version(e.Concealed)
def _concealed(event: e.Concealed, before: Position, after: Position, side: SideId) -> e.Concealed | None:
    return None if is_fogged(after) else event


for kind in (e.CommandTested, e.Recovered, e.Rested, e.PointsRestored, e.MoveStopped):
    telling.version(kind)(to_its_side)


@telling.version(e.Stepped)
def _stepped(event: e.Stepped, before: Position, after: Position, side: SideId) -> e.Stepped | None:
    """A step as far as it was seen; who comes into sight by it is told as that."""
    if not is_fogged(after):
        return event
    if after.units[event.unit].side == side:
        return replace(event, concealed=False) if event.concealed else event
    seen = shows(before, event.unit, side) and shows(after, event.unit, side)
    return replace(event, mp=0, concealed=False) if seen else None


@telling.version(e.Bumped)
def _bumped(event: e.Bumped, before: Position, after: Position, side: SideId) -> e.Bumped | None:
    if not is_fogged(after):
        return event
    return replace(event, revealed=()) if after.units[event.unit].side == side else None


@telling.version(e.ModeChanged)
def _mode_changed(event: e.ModeChanged, before: Position, after: Position, side: SideId) -> e.ModeChanged | None:
    if not is_fogged(after) or after.units[event.unit].side == side:
        return event
    seen = shows(before, event.unit, side) and shows(after, event.unit, side)
    return replace(event, mp=0, thirds=0) if seen else None


@telling.version(e.Fired)
def _fired(event: e.Fired, before: Position, after: Position, side: SideId) -> e.Fired | None:
    """A fire: its own side knows who fired, the others know it if they see him; what it was worth hangs on what nobody
    may know of the other.
    """
    if not is_fogged(after):
        return event
    firer, target = after.units[event.unit], after.units[event.target]
    if firer.side == side:
        return replace(event, lines=())
    if target.side != side and not (shows(after, firer.id, side) and shows(after, target.id, side)):
        return None
    told = replace(event, lines=(), mp=0, thirds=0)
    return told if shows(after, firer.id, side) else replace(told, unit=NOBODY, start=NOWHERE)


@telling.version(e.Struck)
def _struck(event: e.Struck, before: Position, after: Position, side: SideId) -> e.Struck | None:
    """What came of a fire or an assault, or of the way. Whoever was fired at had been spotted; of an attacker whom
    nobody sees it is known that he lost; of others whom nobody sees there are no more than their wrecks.

    Rules: PB-FIRE-62, PB-FIRE-63, PB-SPOT-18.
    """
    if not is_fogged(after):
        return event
    if after.units[event.unit].side == side:
        return replace(event, unseen=False) if event.unseen else event
    if event.unseen:
        return e.Struck(NOBODY, event.hex, 0, wrecks=event.wrecks) if event.wrecks else None
    told = replace(event, strength=0, fatigue=0)
    if shows(before, event.unit, side):
        return told
    return replace(told, unit=NOBODY, disrupted=False, broken=False, result="", spent="")


@telling.version(e.AssaultBegun)
def _assault_begun(event: e.AssaultBegun, before: Position, after: Position, side: SideId) -> e.AssaultBegun:
    """An assault: who of the attackers is seen; the defenders come into sight by themselves."""
    if not is_fogged(after):
        return event
    if event.side == side:
        return replace(event, revealed=())
    shown = tuple(id for id in event.units if shows(before, id, side) and shows(after, id, side))
    return replace(event, units=shown, mp=(0,) * len(shown), revealed=own_among(after, event.revealed, side))


telling.complete(e.AnyEvent)

redact = telling.redact
