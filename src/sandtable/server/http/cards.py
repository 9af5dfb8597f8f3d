"""The lobby's cards: systems, scenarios with their boards, rules and players, made of the shipped content."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import sandtable
from sandtable import registry
from sandtable.content import ContentError, Scenario, load_shipped, shipped_scenarios
from sandtable.geometry import Board
from sandtable.kernel.ids import SideId
from sandtable.server import messages as m

PLAYER_TITLES = {
    "random": "Plays anything lawful",
    "greedy": "Weighs the odds of each order",
}


def house(*, is_local: bool) -> m.House:
    """What kind of server this is."""
    players = tuple(m.PlayerCard(name, PLAYER_TITLES.get(name, name.title())) for name in registry.PLAYERS)
    return m.House(sandtable.__version__, m.PROTOCOL, is_local, players)


@cache
def systems() -> tuple[m.SystemCard, ...]:
    """Every system of the house."""
    return tuple(
        m.SystemCard(key, room.title, room.prefix, len(rules(key)), room.rules_version)
        for key, room in registry.SYSTEMS.items()
    )


@cache
def rules(system: str) -> tuple[m.RuleCard, ...]:
    """The rules of a system in the order of its catalogue; KeyError when there is no such system."""
    return tuple(
        m.RuleCard(rule.id, rule.title, rule.text, rule.section, rule.provenance) for rule in registry.rules(system)
    )


@cache
def scenarios() -> tuple[m.ScenarioCard, ...]:
    """Every scenario that can be played; one whose file is broken is left out."""
    return tuple(card for header in shipped_scenarios() if (card := scenario(header.system, header.id)) is not None)


@cache
def scenario(system: str, id: str) -> m.ScenarioCard | None:
    """The card of a shipped scenario, or None when it can't be played."""
    if system not in registry.SYSTEMS:
        return None
    try:
        found = load_shipped(id, registry.vocabulary(system))
    except ContentError:
        return None
    return m.ScenarioCard(
        id=found.id,
        system=system,
        title=found.title,
        summary=found.summary,
        turns=found.turns,
        first=SideId(found.first),
        sides=tuple(_side(found, side) for side in found.sides),
        options=tuple(
            m.OptionCard(option.name, option.title or option.name, found.options[option.name], option.values)
            for option in registry.vocabulary(system).options
        ),
        tutorial=found.tutorial,
        difficulty=found.difficulty,
        minutes=found.minutes,
        balance="",
        board=_sheet(found),
    )


def _side(scenario: Scenario[Any, Any], side: Any) -> m.SideCard:
    own = [unit for unit in scenario.units if unit.side == side.id]
    forces = Counter(registry.unit_title(scenario.system, unit.type) for unit in own)
    return m.SideCard(SideId(side.id), side.title, side.briefing, side.nations, len(own), tuple(forces.items()))


def _sheet(scenario: Scenario[Any, Any]) -> m.BoardSheet:
    """The board as a client draws it."""
    board, sheet = scenario.board, scenario.sheet
    return m.BoardSheet(
        id=board.id,
        title=board.title,
        width=board.width,
        height=board.height,
        terrain=board.terrain,
        elevation=tuple(board.elevation),
        roads=tuple(board.roads),
        hexsides=tuple(
            (place, direction, name)
            for (place, direction), names in sorted(board.hexsides.items())
            if board.is_on(place) and (direction < 3 or not _neighbor(board, place, direction))
            for name in sorted(names)
        ),
        features=tuple((place, name) for place, names in sorted(board.features.items()) for name in sorted(names)),
        names=tuple(sorted(sheet.names.items())),
        road_ends=sheet.road_ends,
        objectives=tuple((place, objective.title) for objective in scenario.objectives for place in objective.hexes),
    )


def _neighbor(board: Board, place: int, direction: int) -> int:
    """The hex across a side, 0 when that is off the board: an inner side is told by one of its two hexes alone."""
    return board.neighbor(place, direction)
