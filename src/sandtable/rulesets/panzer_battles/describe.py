"""Panzer Battles in words: sentences for the log, and what came of an order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sandtable.kernel.events import Event
from sandtable.kernel.ids import HexId, UnitId
from sandtable.kernel.state import View
from sandtable.play.words import LAST_SEEN, by_place, does, listed
from sandtable.rulesets.panzer_battles import clock
from sandtable.rulesets.panzer_battles import events as e
from sandtable.rulesets.panzer_battles.air import words as air
from sandtable.rulesets.panzer_battles.command import words as command
from sandtable.rulesets.panzer_battles.deception import words as deception
from sandtable.rulesets.panzer_battles.engineers import words as engineers
from sandtable.rulesets.panzer_battles.environment import words as weather
from sandtable.rulesets.panzer_battles.fire import words as fire_words
from sandtable.rulesets.panzer_battles.fire.events import Bombarded
from sandtable.rulesets.panzer_battles.model import Feature, Position
from sandtable.rulesets.panzer_battles.movement import words as movement
from sandtable.rulesets.panzer_battles.movement.modes import mode_words
from sandtable.rulesets.panzer_battles.movement.moves import BUMP
from sandtable.rulesets.panzer_battles.names import (
    EFFECTS,
    feature_title,
    losses_text,
    place_name,
    side_title,
    strength_text,
    unit_name,
)
from sandtable.rulesets.panzer_battles.organization import words as organization
from sandtable.rulesets.panzer_battles.reinforcements import words as reinforcements
from sandtable.rulesets.panzer_battles.supply import words as supply

SENTENCES: dict[type[Event], Callable[[Any, Position], str]] = {
    **engineers.SENTENCES,
    **air.SENTENCES,
    **fire_words.SENTENCES,
    **movement.SENTENCES,
    **organization.SENTENCES,
    **reinforcements.SENTENCES,
    **deception.SENTENCES,
    **weather.SENTENCES,
    **supply.SENTENCES,
    **command.SENTENCES,
}
"""How the events of each part of the rules read in the log; an empty text is none."""


REMEMBERED = {
    "infantry": "infantry",
    "armor": "armor",
    "gun": "guns",
    "HQ": "a headquarters",
    "unknown": "others of the enemy",
}
"""What is remembered of an enemy who has gone out of sight (PB-SPOT-21)."""


def capital(text: str) -> str:
    """A sentence begins with a capital."""
    return text[:1].upper() + text[1:]


def sentence(event: Event, position: Position) -> str:
    """The event as a sentence of the log; empty for bookkeeping."""
    say = SENTENCES.get(type(event))
    return capital(say(event, position)) if say else _sentence(event, position)


def _sentence(event: Event, position: Position) -> str:
    def name(id: UnitId) -> str:
        return unit_name(position, id)

    match event:
        case e.TurnBegan():
            when = f"{clock.shown(event.minutes)}, visibility {event.visibility}"
            return f"Turn {event.turn}, {when}: {side_title(position, event.side)}"
        case e.CommandTested() if event.out:
            return f"Out of command: {listed(map(name, event.out))}"
        case e.Recovered():
            return capital(_recovered(event, position))
        case e.Rested():
            return capital(does(map(name, event.units), "rests"))
        case e.Stepped():
            return does(
                [name(event.unit)], f"{'retreats' if event.retreats else 'moves'} to {place_name(position, event.to)}"
            )
        case e.Bumped():
            return does([name(event.unit)], f"runs into an enemy in {place_name(position, event.hex)}")
        case e.MoveStopped() if event.reason == BUMP:
            # whom they have run into is told already
            return ""
        case e.MoveStopped():
            where = place_name(position, event.hex)
            return does(map(name, event.units), f"stops in {where}: {event.reason}")
        case e.ModeChanged():
            return does([name(event.unit)], mode_words(position.units[event.unit], event.mode, by_rail=event.by_rail))
        case e.Fired():
            how = "Opportunity fire: " if event.opportunity else ""
            return capital(f"{how}{does([name(event.unit)], f'fires at {name(event.target)}')}")
        case e.AssaultBegun():
            who = [name(id) for id in event.units] or ["an unseen enemy"]
            return capital(does(who, f"storms {place_name(position, event.hex)}"))
        case e.AssaultDecided():
            end = "succeeds" if event.won else "fails"
            cost, hurt = (losses_text(lost, "nothing") for lost in (event.attackers_lost, event.defenders_lost))
            return f"The assault on {place_name(position, event.hex)} {end}: attackers lose {cost}, defenders {hurt}"
        case e.Struck() if not event.kind:
            return capital(f"a new wreck in {place_name(position, event.hex)}")
        case e.Struck():
            charges = "charges spent, " if event.spent else ""
            return capital(f"{name(event.unit)}: {charges}{result_text(event)}")
    return _news(event, position)


def _recovered(event: e.Recovered, position: Position) -> str:
    """Who is in order again, and who is Disrupted now that was Broken (PB-CMD-24)."""
    ends: dict[str, list[str]] = {}
    for id in event.units:
        end = "is Disrupted and no more Broken" if position.units[id].disrupted else "recovers"
        ends.setdefault(end, []).append(unit_name(position, id))
    return "; ".join(does(names, end) for end, names in ends.items())


def _news(event: Event, position: Position) -> str:
    """What changed hands, came into sight or ended, as a sentence."""
    match event:
        case e.ObjectiveTaken():
            return f"{side_title(position, event.side)} takes {place_name(position, event.hex)}"
        case e.UnitsSeen() if event.contacts:
            places = {unit.id: place_name(position, unit.hex) for unit in event.units}
            return f"In sight: {by_place(((unit_name(position, id), places[id]) for id in event.contacts), ' in ')}"
        case e.SightLost():
            lost = [position.intel[id] for id in event.units if id in position.intel]
            kinds = dict.fromkeys((REMEMBERED[one.category], place_name(position, one.hex)) for one in lost)
            return f"Out of sight: {by_place(kinds, LAST_SEEN)}" if lost else ""
        case e.FeaturesSeen():
            found = [f"{feature_title(one)} in {place_name(position, place)}" for place, one in _discovered(event)]
            return f"Found: {listed(found)}" if found else ""
        case e.UnknownsSeen() if event.hexes:
            return f"Somebody is in {listed(dict.fromkeys(place_name(position, place) for place in event.hexes))}"
        case e.BattleEnded():
            first = side_title(position, position.first)
            return f"The battle is over with a score of {event.score}: {event.level} for {first}"
    return ""


def _discovered(event: e.FeaturesSeen) -> Iterator[tuple[HexId, Feature]]:
    """The features that an event shows, with their hexes."""
    for place, features in zip(event.hexes, event.features, strict=True):
        for feature in features:
            yield place, feature


def result_text(event: e.Struck) -> str:
    """What came of a fire: losses with their component, and the new state."""
    lost = f"loses {strength_text(event.kind, event.lost)}" if event.lost else "no loss"
    return f"{lost}{EFFECTS[event.result]}"


def result(events: tuple[Event, ...], view: View[Position]) -> str:
    """What came of an order, in a few words."""
    position = view.position
    hits = [one for one in events if isinstance(one, e.Struck) and one.kind]
    found = [f"{unit_name(position, one.unit)} {result_text(one)}" for one in hits]
    shelled = [one for one in events if isinstance(one, Bombarded)]
    found += [text for one in shelled for text in fire_words.results(position, one.struck)]
    return listed(found) or ("nobody saw what came of it" if shelled else "no effect")
