"""`sandtable odds`, by the examples of its page."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from sandtable.cli.odds import told
from sandtable.kernel.forecast import Arrival, Branch, Forecast, Reaction
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.trace import Tally
from tests.cli.kit import Run, refused

PAGE = (Path(__file__).parents[2] / "docs" / "howto" / "odds.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
ANSWERS = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def ambush(tmp_path: Path) -> Path:
    path = tmp_path / "ambush.toml"
    path.write_text(EXAMPLES[0], encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("example", "answer"), list(zip(EXAMPLES, ANSWERS, strict=True)), ids=["ambush", "refusal", "passage"]
)
def test_the_examples_of_the_page_are_answered_as_it_says(run: Run, tmp_path: Path, example: str, answer: str) -> None:
    path = tmp_path / "situation.toml"
    path.write_text(example, encoding="utf-8")
    said = run("odds", path)
    assert said.code == 0
    assert said.out.endswith(answer)


@pytest.mark.rule("PL-808", "PL-831")
def test_a_panther_at_half_range_attacks_a_sherman_at_three_to_one(run: Run, ambush: Path) -> None:
    said = run("odds", ambush, "--json").json
    assert said["legal"] is True
    chances = {branch["result"].split()[-1]: Fraction(branch["probability"]) for branch in said["branches"]}
    assert chances == {"destroyed": Fraction(2, 6), "dispersed": Fraction(4, 6)}
    assert {"label": "32 against 9", "value": "3-1", "rule": "PL-831"} in said["tally"]
    assert {"title": "Odds", "total": "3-1"} in said["totals"]
    assert said["exact"] is True


def test_an_unlawful_order_is_an_answer(run: Run, ambush: Path) -> None:
    ambush.write_text(EXAMPLES[0].replace('step = "direct fire"\n', 'step = "vehicle movement"\n'))
    said = run("odds", ambush, "--json").json
    assert said["legal"] is False
    assert said["refusal"]["rule"].startswith("PL-")
    assert said["refusal"]["reason"]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('firers = ["panther"]', 'firers = ["tiger"]', "there is no unit 'tiger'"),
        ('hex = "0703"\ntargets', 'hex = "0909"\ntargets', "'0909' is not a hex of the board (0101 to 0805)"),
        ('kind = "situation"', 'kind = "scenario"', "expected 'situation'"),
        ('order = "DirectFire"', "order = ", "not valid TOML"),
        ("width = 8", "width = 9", "expected 9 letters, got 8 (and 4 more; `sandtable validate` lists them all)"),
    ],
)
def test_a_bad_situation_is_told_in_one_sentence(run: Run, ambush: Path, old: str, new: str, reason: str) -> None:
    ambush.write_text(EXAMPLES[0].replace(old, new, 1))
    assert reason in refused(run("odds", ambush))


# --- what known enemies may do meanwhile ----------------------------------------------------------------------------


def passage(*, dice: int = 0, exact: bool = True) -> Forecast:
    """A move past a gun."""
    tally = (Tally("Strength", 8), Tally("Odds", "1-2"))
    shot = Reaction(
        SideId("red"),
        (UnitId(4),),
        HexId(7),
        "A gun may fire in 7",
        (Branch("missed", "2/3"), Branch("hit", "1/3")),
        tally,
    )
    return Forecast(
        (Branch("crosses", "1/2"), Branch("stays", "1/2")),
        (),
        dice=dice,
        reactions=(shot,),
        arrival=Arrival("1/2", "1/3", exact),
    )


def test_an_order_without_dice_that_may_be_answered_is_not_promised() -> None:
    assert told(passage()) == [
        "If nobody reacts, it happens as ordered.",
        "A gun may fire in 7: Strength 8, Odds 1-2",
        "  █████████████·······  2/3  66.7 %  missed",
        "  ███████·············  1/3  33.3 %  hit",
        "Gets through: 50.0 % (1/2) if nobody reacts, at least 33.3 % (1/3) whatever known enemies do",
    ]


def test_the_dice_of_an_order_that_may_be_answered_are_those_if_nobody_does() -> None:
    lines = told(passage(dice=1))
    assert lines[0] == "If nobody reacts:"
    assert [line.split()[-1] for line in lines[1:3]] == ["crosses", "stays"]


def test_a_bound_is_told_as_one() -> None:
    assert told(passage(exact=False))[-1].endswith("(1/3) whatever known enemies do, a bound that they may not reach")


def test_reactions_stand_in_the_json_too(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "passage.toml"
    path.write_text(EXAMPLES[2], encoding="utf-8")
    said = run("odds", path, "--json").json
    assert [len(reaction["actors"]) for reaction in said["reactions"]] == [1, 1]
    assert said["arrival"] == {"unhindered": "1/1", "at_least": "1/2", "exact": True}
    assert (said["later"], said["warning"], said["certain"]) == ([], "", False)
