"""Scenarios as a battle keeps them: with every file that they name."""

from __future__ import annotations

import zlib
from base64 import b64encode

import msgspec
import pytest

from sandtable.battle.library import files_digest, packed_files, restored
from sandtable.content import Scenario, load_scenario, shipped_folder
from sandtable.rulesets.panzer_battles.scenario import VOCABULARY, Sections, UnitDetails
from sandtable.rulesets.panzer_battles.version import TABLES

SYSTEM = "panzer_battles"
NUMBERS = (TABLES / "parameters.toml").read_text(encoding="utf-8")
OWN = NUMBERS.replace("range_effect = 1.5", "range_effect = 2.5")
PLAIN = shipped_folder("scenarios").joinpath("pb-kalinovka.toml").read_text(encoding="utf-8")
NAMING = PLAIN.replace("\nturns =", '\nparameter_file = "own.table.toml"\nturns =', 1).encode()


def loaded(numbers: str) -> Scenario[Sections, UnitDetails]:
    return load_scenario(NAMING, VOCABULARY, shipped_folder("boards"), beside={"own.table.toml": numbers})


def board() -> bytes:
    return shipped_folder("boards").joinpath(f"{loaded(NUMBERS).board.id}.toml").read_bytes()


@pytest.mark.rule("PB-GEN-19")
def test_a_battle_keeps_the_parameter_file_that_its_scenario_names() -> None:
    kept = restored(SYSTEM, packed_files(NAMING, board(), {"own.table.toml": OWN}))
    assert kept.scenario.files == {"own.table.toml": OWN}
    assert kept.digest == files_digest(loaded(OWN))
    assert kept.digest != files_digest(loaded(NUMBERS))


def test_a_copy_without_a_file_that_the_scenario_names_cant_be_played() -> None:
    with pytest.raises(LookupError, match="can't be read"):
        restored(SYSTEM, packed_files(NAMING, board(), {}))


def test_copies_from_before_scenarios_named_files_are_still_read() -> None:
    text = msgspec.json.encode([PLAIN, board().decode()])
    kept = restored(SYSTEM, b64encode(zlib.compress(text)).decode())
    assert (kept.title, kept.scenario.files) == ("Kalinovka before noon", {})
