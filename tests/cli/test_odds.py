"""`sandtable odds`, by the examples of its page."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from tests.cli.kit import Run, refused

PAGE = (Path(__file__).parents[2] / "docs" / "howto" / "odds.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
ANSWERS = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def ambush(tmp_path: Path) -> Path:
    path = tmp_path / "ambush.toml"
    path.write_text(EXAMPLES[0], encoding="utf-8")
    return path


@pytest.mark.parametrize(("example", "answer"), list(zip(EXAMPLES, ANSWERS, strict=True)), ids=["ambush", "refusal"])
def test_the_examples_of_the_page_are_answered_as_it_says(run: Run, tmp_path: Path, example: str, answer: str) -> None:
    path = tmp_path / "situation.toml"
    path.write_text(example, encoding="utf-8")
    said = run("odds", path)
    assert said.code == 0
    assert said.out.endswith(answer)


@pytest.mark.rule("PL-808", "PL-831")
def test_a_panther_at_half_range_attacks_a_sherman_at_three_to_one(run: Run, ambush: Path) -> None:
    told = run("odds", ambush, "--json").json
    assert told["legal"] is True
    chances = {branch["result"].split()[-1]: Fraction(branch["probability"]) for branch in told["branches"]}
    assert chances == {"destroyed": Fraction(2, 6), "dispersed": Fraction(4, 6)}
    assert {"label": "32 against 9", "value": "3-1", "rule": "PL-831"} in told["tally"]
    assert {"title": "Odds", "total": "3-1"} in told["totals"]
    assert told["exact"] is True


def test_an_unlawful_order_is_an_answer(run: Run, ambush: Path) -> None:
    ambush.write_text(EXAMPLES[0].replace('step = "direct fire"\n', 'step = "vehicle movement"\n'))
    told = run("odds", ambush, "--json").json
    assert told["legal"] is False
    assert told["refusal"]["rule"].startswith("PL-")
    assert told["refusal"]["reason"]


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
