"""The catalogue of a system's rules."""

from __future__ import annotations

from pathlib import Path

from sandtable.content import read_catalogue
from tests.content.samples import problems_of, spoiled

CATALOGUE = """format = 1
system = "toy"

[[rule]]
id = "TOY-1"
title = "A side acts when a decision is open to it"
section = "Turns"
text = "A side acts when a decision is open to it."
provenance = ["D"]

[[rule]]
id = "TOY-2"
title = "Bids are sealed"
not_implemented = "nobody bids"
"""


def test_rules_are_read_in_their_order(tmp_path: Path) -> None:
    first, second = read_catalogue(CATALOGUE.encode())
    assert (first.id, first.section, first.provenance, first.not_implemented) == ("TOY-1", "Turns", ("D",), "")
    assert (second.id, second.text, second.not_implemented) == ("TOY-2", "", "nobody bids")
    file = tmp_path / "rules.toml"
    file.write_text(CATALOGUE, encoding="utf-8")
    assert read_catalogue(file) == (first, second)


def test_a_rule_without_a_title_is_told() -> None:
    broken = spoiled(CATALOGUE, ('title = "Bids are sealed"\n', ""))
    assert problems_of(lambda: read_catalogue(broken.encode())) == [
        "<rules>: [[rule]] #2 'title': missing; expected text"
    ]
