"""Situations: set up, played to a moment, and one order whose odds are exact."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.content import ContentError
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.forecast import Forecast
from sandtable.lab.situations import Answer, answer, read_situation, toml
from sandtable.lab.tables import LabError
from tests.cli.kit import toy_system

__all__ = ["toy_system"]

HEAD = 'format = 1\nkind = "situation"\n'

SHOT = """
scenario = "post.toml"
side = "red"

[[orders]]
side = "red"
order = "Bid"
amount = 3

[[orders]]
side = "blue"
order = "Bid"
amount = 1

[order]
order = "Shoot"
unit = "red 2"
target = "blue 4"
"""


def ask(toy: Path, text: str) -> Answer:
    path = toy.with_name("situation.toml")
    path.write_text(HEAD + text)
    return answer(read_situation(path), toy.parent)


def odds(toy: Path, text: str) -> Forecast:
    found = ask(toy, text).odds
    assert isinstance(found, Forecast), found
    return found


def test_a_shot_opens_a_chance_to_dodge(toy_system: Path) -> None:
    found = ask(toy_system, SHOT)
    assert isinstance(found.odds, Forecast)
    assert found.text == "shoot 2 4"
    assert [(line.label, line.value, line.rule) for line in found.odds.tally[0].lines] == [("a shot", 4, "TOY-8")]


def test_the_odds_of_a_die_are_exact(toy_system: Path) -> None:
    shot = (
        SHOT.split("[order]")[0]
        + """
[[orders]]
side = "red"
order = "Shoot"
unit = "red 2"
target = "blue 4"

[order]
order = "Pass"
"""
    )
    found = odds(toy_system, shot.replace('side = "red"', 'side = "blue"', 1))
    assert {branch.result: branch.chance for branch in found.branches} == {
        "lost": Fraction(1, 2),
        "missed": Fraction(1, 2),
    }


def test_an_order_out_of_turn_is_refused(toy_system: Path) -> None:
    found = ask(toy_system, SHOT.replace('side = "red"', 'side = "blue"', 1)).odds
    assert found == Refusal("KERNEL", "no decision is open to your side now")  # type: ignore[arg-type]


def test_an_order_the_rules_forbid_is_refused_with_the_rule(toy_system: Path) -> None:
    found = ask(toy_system, SHOT.replace("red 2", "red 1")).odds
    assert found == Refusal("TOY-8", "that is out of range")  # type: ignore[arg-type]


def test_units_are_placed_anew(toy_system: Path) -> None:
    # ann now stands where bob stood, and can shoot; the board is named by id, so it is given
    board = toy_system.with_name("line.toml").read_text().split("\n", 2)[2]
    inline = "[board]\n" + board.replace("[legend]", "[board.legend]").replace(
        "[hexsides]", "[board.hexsides]"
    ).replace("[features]", "[board.features]").replace("[names]", "[board.names]")
    placed = '\n[[place]]\nunit = "ann"\nat = "0105"\n'
    found = ask(toy_system, SHOT.replace("red 2", "red 1") + placed + inline).odds
    assert isinstance(found, Forecast)


def test_options_are_those_of_the_system(toy_system: Path) -> None:
    assert odds(toy_system, SHOT + "\n[options]\nturns = 2\n").exact
    with pytest.raises(LabError, match="turns can't be '3'"):
        ask(toy_system, SHOT + "\n[options]\nturns = 3\n")


def test_play_goes_on_to_the_step_asked_for(toy_system: Path) -> None:
    bids = SHOT.replace("[order]", 'step = "move"\n[order]').replace('step = "move"\n', "", 1)
    later = 'step = "move"\n' + bids.replace('side = "red"', 'side = "blue"', 1).replace(
        'unit = "red 2"\ntarget = "blue 4"', 'unit = "blue 4"\ntarget = "red 2"'
    )
    assert odds(toy_system, later).tally[0].total == 4


def test_a_step_that_never_comes_is_told(toy_system: Path) -> None:
    with pytest.raises(LabError, match="the step 'bid' of red can't be left without an order"):
        ask(toy_system, 'step = "tea"\n' + SHOT)
    endless = HEAD + 'scenario = "pl-first-platoon"\nside = "allied"\nstep = "tea"\n[order]\norder = "EndPhase"\n'
    path = toy_system.with_name("endless.toml")
    path.write_text(endless)
    with pytest.raises(LabError, match="never comes to a step 'tea' of allied"):
        answer(read_situation(path), path.parent)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"post.toml"', '"nowhere.toml"', "no such file"),
        ('"post.toml"', '"pl-first-plato"', "did you mean 'pl-first-platoon'"),
        ('side = "red"\n\n[[', 'side = "green"\n\n[[', "no side 'green'"),
        ("amount = 3", "amount = 9", r"\[\[orders\]\] #1 is refused: a bid is 1, 2 or 3 \(TOY-2\)"),
        ('order = "Bid"\namount = 3', 'order = "Bit"', "no kind of order 'Bit'"),
        ('"red 2"', '"red 9"', "no unit 'red 9'"),
        ('[[orders]]\nside = "red"', "[[orders]]", "no side 'None'"),
    ],
)
def test_a_situation_that_is_none_is_refused(toy_system: Path, old: str, new: str, reason: str) -> None:
    assert old in SHOT
    with pytest.raises((LabError, ContentError), match=reason):
        ask(toy_system, SHOT.replace(old, new, 1))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("side = 5\n", "not a situation"),
        ('side = "a"\nscenario = "b"\nwhat = 1\n[order]\n', "not a situation: .*what"),
        ('[scenario]\nsystem = "chess"\n[order]\n', "not a situation"),
        ('side = "a"\n[scenario]\nsystem = "chess"\n[order]\n', "no system 'chess'"),
        ('side = "a"\n[scenario]\nsystem = []\n[order]\n', r"no system '\[\]'"),
        ('side = "a"\n[scenario]\nsystem = "toy"\nturns = 1979-05-27\n[order]\n', "no dates or times"),
        (
            'side = "a"\nplace = [{unit = "x"}]\n[scenario]\nsystem = "toy"\nunits = [{id = "y"}]\n[order]\n',
            "no unit with",
        ),
        ('side = "a"\nplace = [{unit = "x"}]\n[scenario]\nsystem = "toy"\nunits = 3\n[order]\n', "there is none"),
    ],
)
def test_a_file_of_another_shape_is_refused(toy_system: Path, text: str, reason: str) -> None:
    with pytest.raises((LabError, ContentError), match=reason):
        ask(toy_system, text)


VALUES = st.recursive(
    st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), VALUES, max_size=4))
def test_a_table_written_as_toml_reads_back(content: dict[str, Any]) -> None:
    content = {key: value for key, value in content.items() if key not in ("format", "kind")}
    assert tomllib.loads(toml(content, "scenario").decode()) == {"format": 1, "kind": "scenario", **content}
