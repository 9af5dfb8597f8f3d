"""Which rules a battle is played by: the version of the code, and which files of numbers and of units."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from typing import Final

TABLES: Final = files("sandtable.rulesets.panzer_battles") / "tables"

TABLE_FILES: Final = ("parameters.toml", "units.toml")
"""The files that a battle is pinned to."""


def version(number: str, texts: dict[str, str]) -> str:
    """The version of rules that read those files: who sees two of them sees which file was changed.

    Rules: PB-GEN-19.
    """
    marks = (f"{name} {hashlib.sha256(text.encode()).hexdigest()[:12]}" for name, text in texts.items())
    return ", ".join((number, *marks))


RULES_VERSION: Final = version("1", {name: TABLES.joinpath(name).read_text("utf-8") for name in TABLE_FILES})
"""The version that a battle begun now is pinned to."""
