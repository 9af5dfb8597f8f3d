"""Indirect fire in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sandtable.kernel.events import Event
from sandtable.kernel.ids import NOBODY
from sandtable.play.words import does, listed
from sandtable.rulesets.panzer_battles.fire.events import Bombarded, FirePolicySet, Suffered
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.names import EFFECTS, place_name, strength_text, unit_name


def results(position: Position, struck: Iterable[Suffered]) -> list[str]:
    """What each unit suffered, as far as that is known."""
    return [
        does(
            [unit_name(position, one.unit)], f"loses {strength_text(one.kind, one.lost)}" if one.lost else "has no loss"
        )
        + EFFECTS[one.result]
        for one in struck
    ]


def bombarded(event: Bombarded, position: Position) -> str:
    """Who fires where, and what came of it as far as that is known."""
    who = "unseen guns" if event.unit == NOBODY else unit_name(position, event.unit)
    how = "opportunity fire: " if event.opportunity else ""
    found = "; ".join(results(position, event.struck))
    return f"{how}{does([who], f'shells {place_name(position, event.hex)}')}{f': {found}' if found else ''}"


def policy_set(event: FirePolicySet, position: Position) -> str:
    """Whose opportunity fire was settled."""
    whose = listed(unit_name(position, id) for id in event.units) or "the whole side"
    return f"opportunity fire is settled for {whose}"


SENTENCES: dict[type[Event], Callable[[Any, Position], str]] = {Bombarded: bombarded, FirePolicySet: policy_set}
