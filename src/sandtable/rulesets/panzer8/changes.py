"""What each event does to a position. It is folded into the truth and into what each viewer knows."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.ids import NOBODY, NOWHERE, SideId, UnitId
from sandtable.play.changes import Changes
from sandtable.rulesets.panzer8 import events as e
from sandtable.rulesets.panzer8.model import (
    IN_PLAY,
    LOST,
    UNSEEN,
    Combat,
    Effect,
    Element,
    Occasion,
    Opening,
    Position,
    Work,
    unseen,
)
from sandtable.rulesets.panzer8.pieces import with_element, with_elements
from sandtable.rulesets.panzer8.stacks import passengers

changes: Changes[Position] = Changes()

# --- the sequence of play


@changes.on(e.TurnBegan)
def _turn_began(position: Position, event: e.TurnBegan) -> Position:
    """Whose turn it is has an action again; the others have a reaction again."""
    fresh = [_fresh(one, event.side) for one in position.elements if one.fate != UNSEEN]
    changed = [one for one in fresh if one is not position.elements[one.id]]
    return replace(
        with_elements(position, changed),
        active=event.side,
        turn=event.turn,
        half=event.half,
        latest=NOBODY,
        doing="",
        urgent=NOBODY,
    )


def _fresh(one: Element, active: SideId) -> Element:
    if one.side != active:
        return replace(one, reacted=0) if one.reacted else one
    if not (one.acted or one.spare or one.spent or one.recovered or one.rallied or one.handled):
        return one
    return replace(one, acted=0, spare=0, spent=0, recovered=False, rallied=False, handled=False)


@changes.on(e.StepBegan)
def _step_began(position: Position, event: e.StepBegan) -> Position:
    return replace(position, step=event.step)


@changes.on(e.TurnEnded)
def _turn_ended(position: Position, event: e.TurnEnded) -> Position:
    return replace(
        position,
        effects=tuple(effect for effect in position.effects if effect.until > event.half),
        smoke={place: until for place, until in position.smoke.items() if until > event.half},
        card="",
    )


@changes.on(e.BattleEnded)
def _battle_ended(position: Position, event: e.BattleEnded) -> Position:
    return replace(position, winner=event.winner, level=event.level, reasons=event.reasons)


# --- event cards


@changes.on(e.DeckShuffled)
def _deck_shuffled(position: Position, event: e.DeckShuffled) -> Position:
    return replace(position, drawn={**position.drawn, event.deck: ()})


@changes.on(e.CardDrawn)
def _card_drawn(position: Position, event: e.CardDrawn) -> Position:
    cards = (*position.drawn.get(event.deck, ()), event.card)
    return replace(position, drawn={**position.drawn, event.deck: cards}, card=event.card)


@changes.on(e.EffectBegan)
def _effect_began(position: Position, event: e.EffectBegan) -> Position:
    effect = Effect(event.card, event.side, event.until, event.unit)
    position = replace(position, effects=(*position.effects, effect))
    if event.card == "E02" and event.unit != NOBODY:
        position = with_element(position, event.unit, spare=position.elements[event.unit].spare + 1)
    return position


@changes.on(e.EffectSpent)
def _effect_spent(position: Position, event: e.EffectSpent) -> Position:
    left = tuple(x for x in position.effects if (x.card, x.side) != (event.card, event.side))
    return replace(position, effects=left)


@changes.on(e.StragglersFound)
def _stragglers_found(position: Position, event: e.StragglersFound) -> Position:
    found = position.stragglers.get(event.side, 0) + 1
    return replace(position, stragglers={**position.stragglers, event.side: found})


@changes.on(e.DieCast)
def _die_cast(position: Position, event: e.DieCast) -> Position:
    return position


# --- actions


@changes.on(e.ActionTaken)
def _action_taken(position: Position, event: e.ActionTaken) -> Position:
    """An action is used up; the one that a good recovery grants comes on top of all others (P8-9.07)."""
    one = position.elements[event.unit]
    position = with_element(position, event.unit, acted=one.acted + (position.urgent != event.unit), spent=0)
    return replace(position, latest=event.unit, doing=event.action, urgent=NOBODY)


@changes.on(e.Reacted)
def _reacted(position: Position, event: e.Reacted) -> Position:
    return with_element(position, event.unit, reacted=position.elements[event.unit].reacted + 1)


@changes.on(e.Shown)
def _shown(position: Position, event: e.Shown) -> Position:
    one = position.elements[event.unit]
    if one.fate == UNSEEN:
        return position
    return with_element(
        position, one.id, has_moved=one.has_moved or event.has_moved, has_fired=one.has_fired or event.has_fired
    )


@changes.on(e.Placed)
def _placed(position: Position, event: e.Placed) -> Position:
    riders = [replace(one, hex=event.hex, fate=IN_PLAY) for one in passengers(position, event.unit)]
    placed = replace(position.elements[event.unit], hex=event.hex, facing=event.facing, fate=IN_PLAY)
    return with_elements(position, (placed, *riders))


@changes.on(e.Moved)
def _moved(position: Position, event: e.Moved) -> Position:
    """Who is carried has moved too: he no longer lies hidden, and his telephone is dead (P8-12.03, P8-15.01)."""
    riders = [replace(one, hex=event.hex, has_moved=True) for one in passengers(position, event.unit)]
    mover = replace(position.elements[event.unit], hex=event.hex, facing=event.facing, spent=event.spent)
    position = with_elements(position, (mover, *riders))
    # on the way to fire, hunt, charge or overrun it does that, and has no move of which something could be left
    return _doing(position, event.unit, "move") if position.doing == "handle" else position


def _doing(position: Position, unit: UnitId, action: str) -> Position:
    return replace(position, doing=action) if position.latest == unit else position


@changes.on(e.Stopped)
def _stopped(position: Position, event: e.Stopped) -> Position:
    riders = [replace(one, hex=event.hex) for one in passengers(position, event.unit)]
    return with_elements(position, (replace(position.elements[event.unit], hex=event.hex), *riders))


@changes.on(e.Turned)
def _turned(position: Position, event: e.Turned) -> Position:
    return with_element(position, event.unit, facing=event.facing)


@changes.on(e.Mounted)
def _mounted(position: Position, event: e.Mounted) -> Position:
    carrier = replace(position.elements[event.unit], spent=event.spent)
    rider = replace(position.elements[event.passenger], hex=carrier.hex, carrier=event.unit, handled=True)
    return _doing(with_elements(position, (carrier, rider)), event.unit, "handle")


@changes.on(e.Dismounted)
def _dismounted(position: Position, event: e.Dismounted) -> Position:
    rider = replace(position.elements[event.passenger], hex=event.hex, carrier=NOBODY)
    if event.spent < 0:
        return with_elements(position, (rider,))
    carrier = replace(position.elements[event.unit], spent=event.spent)
    return _doing(with_elements(position, (carrier, replace(rider, handled=True))), event.unit, "handle")


@changes.on(e.SmokeLaid)
def _smoke_laid(position: Position, event: e.SmokeLaid) -> Position:
    return replace(position, smoke={**position.smoke, event.hex: event.until})


def _battery_called(position: Position, event: e.BatteryCalled | e.StruckFromAir) -> Position:
    batteries = list(position.batteries)
    for n, one in enumerate(batteries):
        if (one.side, one.kind) == (event.side, event.battery) and one.left:
            # of several alike the first that still has a stonk fires
            batteries[n] = replace(one, left=one.left - 1)
            break
    return replace(position, batteries=tuple(batteries))


changes.on(e.BatteryCalled)(_battery_called)
changes.on(e.StruckFromAir)(_battery_called)


@changes.on(e.WorkBegan)
def _work_began(position: Position, event: e.WorkBegan) -> Position:
    others = tuple(work for work in position.works if work.unit != event.unit)
    return replace(position, works=(*others, Work(event.unit, event.hex, event.direction, event.half)))


@changes.on(e.WorkEnded)
def _work_ended(position: Position, event: e.WorkEnded) -> Position:
    return replace(position, works=tuple(work for work in position.works if work.unit != event.unit))


@changes.on(e.ObstacleCleared)
def _obstacle_cleared(position: Position, event: e.ObstacleCleared) -> Position:
    if event.direction < 0:
        return replace(position, mines=tuple(place for place in position.mines if place != event.hex))
    return replace(position, breaches=(*position.breaches, (event.hex, event.direction)))


@changes.on(e.GroundTaken)
def _ground_taken(position: Position, event: e.GroundTaken) -> Position:
    return replace(position, control={**position.control, event.hex: event.side})


# --- attacks and their results


@changes.on(e.AttackRolled)
def _attack_rolled(position: Position, event: e.AttackRolled) -> Position:
    return position


@changes.on(e.Suppressed)
def _suppressed(position: Position, event: e.Suppressed) -> Position:
    """Passengers of a suppressed carrier are suppressed too (P8-6.11)."""
    riders = [replace(one, suppressed=True) for one in passengers(position, event.unit)]
    return with_elements(position, (replace(position.elements[event.unit], suppressed=True), *riders))


@changes.on(e.Lost)
def _lost(position: Position, event: e.Lost) -> Position:
    """A vehicle leaves a wreck, also one that a viewer never saw (P8-9.01)."""
    one = position.elements[event.unit]
    if event.wreck and event.wreck not in position.wrecks:
        position = replace(position, wrecks=tuple(sorted((*position.wrecks, event.wreck))))
    gone = replace(one, hex=NOWHERE, fate=LOST, carrier=NOBODY, suppressed=False)
    return with_elements(_without_combats(position, event.unit), (gone,))


def _without_combats(position: Position, unit: UnitId, defender: UnitId = NOBODY) -> Position:
    """A combat is void without its attacker; without its defender it is ended when its turn comes (P8-11.12)."""
    left = tuple(x for x in position.combats if x.attacker != unit or defender not in (NOBODY, x.defender))
    return position if len(left) == len(position.combats) else replace(position, combats=left)


@changes.on(e.FellBack)
def _fell_back(position: Position, event: e.FellBack) -> Position:
    place = event.path[-1]
    riders = [replace(one, hex=place, has_moved=True) for one in passengers(position, event.unit)]
    one = replace(position.elements[event.unit], hex=place, has_moved=True)
    # its action ends at once: it neither mounts nor dismounts anybody with what is left of its move (P8-5.06)
    return _doing(with_elements(_without_combats(position, event.unit), (one, *riders)), event.unit, "")


@changes.on(e.RecoveryRolled)
def _recovery_rolled(position: Position, event: e.RecoveryRolled) -> Position:
    one = position.elements[event.unit]
    rises = event.result in ("recovers", "recovers and acts")
    again = event.result == "recovers and acts"
    riders = [replace(rider, suppressed=False) for rider in passengers(position, event.unit)] if rises else []
    one = replace(one, recovered=True, suppressed=one.suppressed and not rises)
    return replace(with_elements(position, (one, *riders)), urgent=event.unit if again else NOBODY)


@changes.on(e.CommanderRallied)
def _commander_rallied(position: Position, event: e.CommanderRallied) -> Position:
    return with_element(position, event.unit, rallied=True)


@changes.on(e.CombatDeclared)
def _combat_declared(position: Position, event: e.CombatDeclared) -> Position:
    return replace(position, combats=(*position.combats, Combat(event.attacker, event.defender, event.manner)))


@changes.on(e.CombatEnded)
def _combat_ended(position: Position, event: e.CombatEnded) -> Position:
    return _without_combats(position, event.attacker, event.defender)


@changes.on(e.OccasionGiven)
def _occasion_given(position: Position, event: e.OccasionGiven) -> Position:
    return replace(position, occasion=Occasion(event.unit, event.manner, event.target))


@changes.on(e.AdvanceOffered)
def _advance_offered(position: Position, event: e.AdvanceOffered) -> Position:
    return replace(position, opening=Opening(event.unit, event.hex))


# --- what comes into sight and goes out of it


@changes.on(e.ElementsSighted)
def _elements_sighted(position: Position, event: e.ElementsSighted) -> Position:
    return with_elements(position, event.elements)


@changes.on(e.SightLost)
def _sight_lost(position: Position, event: e.SightLost) -> Position:
    return with_elements(position, [unseen(id, position.elements[id].side) for id in event.units])


@changes.on(e.AccountsKnown)
def _accounts_known(position: Position, event: e.AccountsKnown) -> Position:
    told = {name: getattr(event, name) for name in event.__struct_fields__}
    return replace(position, **{name: value for name, value in told.items() if value is not None})


changes.complete(e.AnyEvent)
apply = changes.apply
