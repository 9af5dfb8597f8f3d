"""Guided first battles: a TOML file beside its scenario, `NAME.tutorial.toml` beside `NAME.toml`.

A step is words, what to look at, and what ends it. It is read from the table and the menu alone and changes nothing of
what a player may do, so it is not part of the scenario and does not bind a battle.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec

from sandtable.content.boards import find_hex, not_on
from sandtable.content.model import Scenario
from sandtable.content.problems import Findings, quoted
from sandtable.content.reading import Source, open_document
from sandtable.content.shapes import HexLabel, Id, Place, Reader, Reference, SideName, Title, UnitName, refers_to

ENDING: Final = ".tutorial.toml"
"""How the name of a tutorial's file ends; before it stands the name of the scenario's file."""

MAX_STEPS: Final = 100

VerbName = Annotated[str, refers_to("verb", "the key of a verb")]
DecisionName = Annotated[str, refers_to("kind of decision", "the kind of a decision")]
RuleName = Annotated[str, refers_to("rule", "the id of a rule")]
Panel = Literal["prompt", "undo", "orders", "preview", "unit", "hex", "sight", "log"]
"""A part of the screen that a step can point at."""

_Turn = Annotated[int, msgspec.Meta(ge=1, le=999, description="a whole number from 1 to 999")]
_Text = Annotated[str, msgspec.Meta(min_length=1, max_length=1000, description="text of 1 to 1000 letters")]


class TutorialWords(NamedTuple):
    """The words of a system that a tutorial may use."""

    verbs: Collection[str]
    decisions: Collection[str]
    rules: Collection[str]


class TutorialCondition(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the player has brought about; everything that is given must hold."""

    ordered: VerbName = ""
    """An order of this verb was given."""
    planned: VerbName = ""
    """An order of this verb is being considered."""
    selected: tuple[UnitName, ...] = ()
    """One of these units is selected."""
    unit: UnitName = ""
    at: tuple[HexLabel, ...] = ()
    """The unit stands in one of these hexes."""
    decision: DecisionName = ""
    """A decision of this kind is open to the player."""
    waiting: bool | None = None
    """Whether the player has to wait: no decision is open to him."""
    turn: _Turn = 0
    """It is this turn or a later one."""
    sight: bool = False
    """A line of sight is on the map."""


class TutorialStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step: it ends when one of its conditions holds, and without any when the player says so."""

    title: Title
    text: _Text
    hexes: tuple[HexLabel, ...] = ()
    units: tuple[UnitName, ...] = ()
    verbs: tuple[VerbName, ...] = ()
    panels: tuple[Panel, ...] = ()
    rules: tuple[RuleName, ...] = ()
    until: tuple[TutorialCondition, ...] = ()


class Tutorial(msgspec.Struct, frozen=True):
    """The steps that guide the player of one side through a scenario."""

    scenario: Id
    side: SideName
    steps: Annotated[tuple[TutorialStep, ...], msgspec.Meta(min_length=1, max_length=MAX_STEPS)]


def load_tutorial(source: Source, scenario: Scenario[Any, Any], words: TutorialWords, name: str = "") -> Tutorial:
    """The tutorial a file holds for a scenario; ContentError with every problem when it can't guide anybody there."""
    document = open_document(source, "tutorial", name)
    findings = Findings(document.file)
    reader = Reader(findings)
    tutorial: Tutorial = reader.read(document.table, Tutorial, Place())
    if tutorial.scenario and tutorial.scenario != scenario.id:
        findings.add("'scenario'", f"expected {quoted(scenario.id)}, got {quoted(tutorial.scenario)}")
    _check_references(reader.references, tutorial.side, scenario, words, findings)
    for n, step in enumerate(tutorial.steps, 1):
        _check_conditions(step, f"[[steps]] #{n} 'until'", findings)
    findings.raise_if_any()
    return tutorial


def _check_references(
    references: list[Reference], side: str, scenario: Scenario[Any, Any], words: TutorialWords, findings: Findings
) -> None:
    """Note every name that nothing bears, and every unit that the guided player does not command."""
    owners = {unit.id: unit.side for unit in scenario.units}
    known: dict[str, Collection[str]] = {
        "side": {one.id for one in scenario.sides},
        "unit": owners,
        "verb": words.verbs,
        "kind of decision": words.decisions,
        "rule": words.rules,
    }
    for place, noun, value in references:
        if noun == "hex":
            if not find_hex(scenario.board, value):
                findings.add(place, not_on(scenario.board, value))
        elif value not in known[noun]:
            findings.add_unknown(place, noun, value, known[noun])
        elif noun == "unit" and side in known["side"] and owners[value] != side:
            findings.add(place, f"{quoted(value)} is not of the guided side {quoted(side)}; name its hex instead")


def _check_conditions(step: TutorialStep, where: str, findings: Findings) -> None:
    for n, condition in enumerate(step.until, 1):
        if condition == TutorialCondition():
            findings.add(f"{where} #{n}", "expected something to wait for, got an empty table")
        if bool(condition.unit) != bool(condition.at):
            missing = "at" if condition.unit else "unit"
            findings.add(f"{where} #{n}", f"expected 'unit' and 'at' together; '{missing}' is missing")
