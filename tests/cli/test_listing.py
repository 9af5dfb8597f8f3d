"""What there is: systems, scenarios, rules, versions."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import sandtable
from sandtable import registry
from sandtable.cli.rulebook import catalogue
from sandtable.content import shipped_scenarios
from tests.cli.kit import Run, refused


def test_systems_are_listed(run: Run) -> None:
    assert [system["key"] for system in run("systems", "--json").json] == list(registry.SYSTEMS)
    assert "Panzer Leader" in run("systems").out


def test_scenarios_are_listed_with_what_a_player_asks_first(run: Run) -> None:
    listed = run("scenarios", "PL", "--json").json
    assert [scenario["id"] for scenario in listed] == [header.id for header in shipped_scenarios("panzer_leader")]
    first = next(scenario for scenario in listed if scenario["id"] == "pl-first-platoon")
    assert (first["system"], first["turns"], first["units"]) == ("panzer_leader", 5, 8)
    text = run("scenarios").out
    assert text.splitlines()[0].split() == ["ID", "SYSTEM", "TURNS", "UNITS", "MINUTES", "DIFFICULTY", "SIDES", "TITLE"]
    assert "US advance guard / German rear guard" in text
    assert "tutorial" in text


def test_an_unknown_system_is_refused(run: Run) -> None:
    assert "there is no system 'chess'" in refused(run("scenarios", "chess"))


@pytest.mark.parametrize("system", ["PL", "panzer_leader"])
def test_all_rules_of_a_system_are_listed(run: Run, system: str) -> None:
    listed = run("rules", system, "--json").json
    assert [rule["id"] for rule in listed] == list(catalogue("panzer_leader"))
    assert set(listed[0]) >= {"id", "title", "text", "provenance", "section"}
    text = run("rules", system).out
    assert all(rule["id"] in text for rule in listed)


@pytest.mark.parametrize("id", ["PL-808", "pl-808", "808"])
def test_one_rule_is_told_with_the_places_that_cite_it(run: Run, id: str) -> None:
    rule = run("rules", "PL", id, "--json").json
    assert rule["id"] == "PL-808"
    assert any("rulesets/panzer_leader/" in place for place in rule["implemented"])
    assert any(place.startswith("tests/") for place in rule["tested"])
    text = run("rules", "PL", id).out
    assert rule["title"] in text
    assert rule["implemented"][0] in text


def test_a_citation_is_no_part_of_a_longer_id(run: Run) -> None:
    places = run("rules", "PL", "PL-808", "--json").json["implemented"]
    root = Path(sandtable.__file__).parents[1]
    for place in places:
        name, _, line = place.rpartition(":")
        assert "PL-808" in (root / name).read_text(encoding="utf-8").splitlines()[int(line) - 1]


def test_an_unknown_rule_is_refused_with_the_nearest(run: Run) -> None:
    assert "Panzer Leader has no rule 'PL-80'; did you mean PL-8" in refused(run("rules", "PL", "PL-80"))


def test_a_rule_that_is_not_implemented_says_why(run: Run, toy_system: Path) -> None:
    text = run("rules", "toy", "TOY-8").out
    assert "not implemented: only in the tests" in text
    assert "provenance: our own decision, X" in text
    assert "implemented: nowhere" in text
    assert run("rules", "TOY", "8", "--json").json["not_implemented"] == "only in the tests"
    assert run("rules", "TOY", "--json").json[2]["not_implemented"] == "only in the tests"


def test_the_version_names_kernels_and_rules(run: Run) -> None:
    told = run("version", "--json").json
    assert told["version"] == sandtable.__version__
    assert told["kernels"] in ("compiled", "interpreted")
    assert told["rules"] == {key: registry.ruleset(key).info.rules_version for key in registry.SYSTEMS}
    assert f"sandtable {sandtable.__version__}" in run("version").out


def test_the_version_is_told_fast_and_without_opening_a_ruleset() -> None:
    """0.2 s of processor time; twice that is allowed to a machine with other things to do."""
    code = (
        "import sys, time\n"
        "from sandtable.cli.__main__ import main\n"
        "main(['version'])\n"
        "print([name for name in sys.modules if name.endswith('.ruleset') and 'kernel' not in name])\n"
        "print(time.process_time())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    *_, opened, seconds = done.stdout.splitlines()
    assert opened == "[]"
    assert float(seconds) < 0.4


def test_the_list_of_rules_says_which_are_not_implemented(run: Run) -> None:
    missing = [rule.id for rule in registry.rules("panzer_battles") if rule.not_implemented]
    said = run("rules", "panzer_battles").out.splitlines()
    told = [line.split()[0] for line in said if line.endswith("(not implemented)")]
    assert told == missing
