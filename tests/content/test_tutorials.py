"""A tutorial is held to its scenario and to the words of its system, and every problem of it is told."""

from __future__ import annotations

import pytest

from sandtable.content import Tutorial, TutorialCondition, TutorialWords, load_tutorial
from tests.content.samples import problems_of, scenario, spoiled

WORDS = TutorialWords({"move", "fire", "end"}, {"movement", "fire"}, {"TOY-1", "TOY-2"})

GUIDE = """format = 1
kind = "tutorial"
scenario = "crossroads"
side = "allied"

[[steps]]
title = "Take the village"
text = "It is marked on the map."
hexes = ["0303", "0403"]
panels = ["prompt", "log"]
rules = ["TOY-1"]

[[steps]]
title = "Move a tank"
text = "Click it, then the hex."
units = ["a_sherman-1"]
verbs = ["move"]
until = [
    { ordered = "move", turn = 2 },
    { planned = "fire" },
    { selected = ["a_sherman-1", "carrier"] },
    { unit = "a_sherman-1", at = ["0202", "0303"] },
    { decision = "fire", waiting = false },
    { sight = true },
]
"""


def guide(text: str = GUIDE) -> Tutorial:
    return load_tutorial(text.encode(), scenario(), WORDS, "bocage.tutorial.toml")


def told(*changes: tuple[str, str]) -> list[str]:
    return problems_of(lambda: guide(spoiled(GUIDE, *changes)))


def test_a_good_file_becomes_steps_with_what_ends_them() -> None:
    tutorial = guide()
    assert (tutorial.scenario, tutorial.side) == ("crossroads", "allied")
    first, second = tutorial.steps
    assert (first.hexes, first.panels, first.rules) == (("0303", "0403"), ("prompt", "log"), ("TOY-1",))
    assert first.until == ()
    assert (second.units, second.verbs) == (("a_sherman-1",), ("move",))
    assert second.until[0] == TutorialCondition(ordered="move", turn=2)
    assert second.until[3] == TutorialCondition(unit="a_sherman-1", at=("0202", "0303"))
    assert second.until[4] == TutorialCondition(decision="fire", waiting=False)
    assert second.until[5] == TutorialCondition(sight=True)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('side = "allied"', 'side = "alied"', "'side': unknown side 'alied'; did you mean 'allied'?"),
        ('"crossroads"', '"crosroads"', "'scenario': expected 'crossroads', got 'crosroads'"),
        ('"0403"', '"0409"', "[[steps]] #1 'hexes' #2: '0409' is not a hex of the board (0101 to 0605)"),
        ('"TOY-1"', '"TOY-9"', "[[steps]] #1 'rules' #1: unknown rule 'TOY-9'; did you mean 'TOY-2'?"),
        ('verbs = ["move"]', 'verbs = ["moev"]', "[[steps]] #2 'verbs' #1: unknown verb 'moev'; did you mean 'move'?"),
        (
            'planned = "fire"',
            'planned = "fier"',
            "[[steps]] #2 'until' #2.planned: unknown verb 'fier'; did you mean 'fire'?",
        ),
        (
            'decision = "fire"',
            'decision = "fires"',
            "[[steps]] #2 'until' #5.decision: unknown kind of decision 'fires'; did you mean 'fire'?",
        ),
        (
            'units = ["a_sherman-1"]',
            'units = ["a_sherman-9"]',
            "[[steps]] #2 'units' #1: unknown unit 'a_sherman-9'; did you mean 'a_sherman-3'?",
        ),
        (
            'units = ["a_sherman-1"]',
            'units = ["queen"]',
            "[[steps]] #2 'units' #1: 'queen' is not of the guided side 'allied'; name its hex instead",
        ),
        (
            '"log"]',
            '"lok"]',
            "[[steps]] #1 'panels' #2: expected one of 'prompt', 'undo', 'orders', 'preview', 'unit', 'hex', 'sight', "
            "'log', got 'lok'; did you mean 'log'?",
        ),
        ("{ sight = true }", "{}", "[[steps]] #2 'until' #6: expected something to wait for, got an empty table"),
        (
            ', at = ["0202", "0303"]',
            "",
            "[[steps]] #2 'until' #4: expected 'unit' and 'at' together; 'at' is missing",
        ),
        (
            'unit = "a_sherman-1", at',
            "at",
            "[[steps]] #2 'until' #4: expected 'unit' and 'at' together; 'unit' is missing",
        ),
        ("text =", "txt =", "[[steps]] #1 'text': missing; expected text of 1 to 1000 letters"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(old: str, new: str, problem: str) -> None:
    assert told((old, new))[0] == f"bocage.tutorial.toml: {problem}"


def test_every_problem_is_told_at_once() -> None:
    assert len(told(('"0303"', '"9999"'), ('"TOY-1"', '"TOY-7"'), ("turn = 2", "turn = 0"))) == 3


def test_with_an_unknown_side_no_unit_is_called_the_enemys() -> None:
    assert len(told(('side = "allied"', 'side = "alied"'))) == 1


def test_a_tutorial_has_a_step_and_not_a_thousand() -> None:
    head = GUIDE.split("[[steps]]")[0]
    assert problems_of(lambda: guide(head + "steps = []\n")) == [
        "bocage.tutorial.toml: [[steps]]: expected at least 1, got 0"
    ]
    many = head + '[[steps]]\ntitle = "a"\ntext = "b"\n' * 101
    assert problems_of(lambda: guide(many)) == ["bocage.tutorial.toml: [[steps]]: expected at most 100, got 101"]


def test_a_scenario_is_no_tutorial() -> None:
    assert told(('"tutorial"', '"scenario"')) == ["bocage.tutorial.toml: 'kind': got 'scenario'; expected 'tutorial'"]
