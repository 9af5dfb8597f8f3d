"""The lobby's cards: systems, scenarios with their boards and tutorials, rules and players, of the shipped content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

import sandtable
from sandtable import registry
from sandtable.battle.library import files_digest
from sandtable.content import ContentError, Scenario, Tutorial, load_shipped, shipped_scenarios, tutorial_path
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import HexId, SideId
from sandtable.kernel.questions import Badge
from sandtable.server import messages as m
from sandtable.server.http.boards import PackedBoard, packed

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
        m.SystemCard(
            *(key, room.title, room.prefix, implemented(key), room.rules_version, badges(key), registry.campaigns(key))
        )
        for key, room in registry.SYSTEMS.items()
    )


_ONE_MAKER = Lock()


def prepare() -> None:
    """What the lobby shows first is made; who asks for it meanwhile waits instead of making it a second time."""
    with _ONE_MAKER:
        systems()
        scenarios()


def badges(system: str) -> tuple[Badge, ...]:
    """The badges that a system's pieces wear."""
    return registry.ruleset(system).info.badges


def implemented(system: str) -> int:
    """How many rules of a system are played, those left out that its catalogue says are not."""
    return sum(not rule.not_implemented for rule in registry.rules(system))


@cache
def rules(system: str) -> tuple[m.RuleCard, ...]:
    """The rules of a system in the order of its catalogue; KeyError when there is no such system."""
    return tuple(
        m.RuleCard(rule.id, rule.title, rule.text, rule.section, rule.provenance, rule.not_implemented)
        for rule in registry.rules(system)
    )


class Playable(NamedTuple):
    """A scenario with all that is sent of it."""

    scenario: Scenario[Any, Any]
    card: m.ScenarioCard
    board: PackedBoard
    tutorial: Tutorial | None
    digest: str


@cache
def playable() -> tuple[Playable, ...]:
    """Every scenario that can be played; one whose file is broken is left out."""
    found = (_playable(header.system, header.id) for header in shipped_scenarios() if header.system in registry.SYSTEMS)
    return tuple(one for one in found if one is not None)


@cache
def scenarios() -> tuple[m.ScenarioCard, ...]:
    """The cards of the scenarios."""
    return tuple(one.card for one in playable())


def scenario(system: str, id: str) -> m.ScenarioCard | None:
    """The card of a shipped scenario, or None when it can't be played."""
    return next((card for card in scenarios() if (card.system, card.id) == (system, id)), None)


def is_shipped(system: str, id: str, digest: str) -> bool:
    """Whether a shipped scenario has the files of that digest."""
    return any((one.card.system, one.card.id, one.digest) == (system, id, digest) for one in playable())


@cache
def boards() -> dict[str, PackedBoard]:
    """The boards of the scenarios by their digests, and those of kept scenarios that were asked for."""
    return {one.board.digest: one.board for one in playable()}


def kept(found: Scenario[Any, Any]) -> m.ScenarioCard:
    """The card of a scenario that only a battle still has; its board can be had like any other from now on."""
    board = packed(found.sheet)
    boards()[board.digest] = board
    return _card(found, board, None)


def briefing(found: Scenario[Any, Any], side: SideId) -> m.Briefing:
    """What a side of a scenario is to do, and with what."""
    text = next(one.briefing for one in found.sides if one.id == side)
    forces = Counter(registry.unit_title(found.system, unit.type) for unit in found.units if unit.side == side)
    return m.Briefing(side, text, tuple(forces.items()))


def briefings(id: str, options: dict[str, bool | int | str]) -> tuple[m.Briefing, ...]:
    """What every side of a shipped scenario has, as far as a battle with these options lets anybody see it."""
    found = next(one.scenario for one in playable() if one.card.id == id)
    rules = registry.ruleset(found.system)
    if rules.hides(rules.setup(found, options, DiceKey("")).position):
        return ()
    return tuple(briefing(found, SideId(side.id)) for side in found.sides)


@cache
def tutorials() -> Mapping[str, Tutorial]:
    """The tutorials by the ids of their scenarios."""
    return {one.card.id: one.tutorial for one in playable() if one.tutorial is not None}


def _playable(system: str, id: str) -> Playable | None:
    try:
        found = load_shipped(id, registry.vocabulary(system))
    except ContentError:
        return None
    board, tutorial = packed(found.sheet), _tutorial(found)
    return Playable(found, _card(found, board, tutorial), board, tutorial, files_digest(found))


def _tutorial(found: Scenario[Any, Any]) -> Tutorial | None:
    """The tutorial beside a scenario; a battle can be played without one, so a broken file is as good as none."""
    source = tutorial_path(found.id)
    if source is None:
        return None
    try:
        tutorial: Tutorial = registry.tutorial(found.system, found, source)
    except ContentError:
        return None
    return tutorial


def _card(found: Scenario[Any, Any], board: PackedBoard, tutorial: Tutorial | None) -> m.ScenarioCard:
    return m.ScenarioCard(
        id=found.id,
        system=found.system,
        title=found.title,
        summary=found.summary,
        turns=found.turns,
        first=SideId(found.first),
        sides=tuple(m.SideCard(SideId(side.id), side.title, side.nations) for side in found.sides),
        options=tuple(
            m.OptionCard(option.name, option.title or option.name, found.options[option.name], option.values)
            for option in registry.vocabulary(found.system).options
        ),
        tutorial=found.tutorial,
        difficulty=found.difficulty,
        minutes=found.minutes,
        balance="",
        board=m.BoardCard(found.board.id, found.board.title, found.board.width, found.board.height, board.digest),
        objectives=tuple(
            (HexId(place), objective.title) for objective in found.objectives for place in objective.hexes
        ),
        guided=SideId(tutorial.side if tutorial else ""),
    )
