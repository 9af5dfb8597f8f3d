"""A ruleset's tables of numbers and names, read into its own types."""

from __future__ import annotations

from typing import Final, TypeVar

import msgspec

from sandtable.content.problems import Findings
from sandtable.content.reading import Source, open_document
from sandtable.content.shapes import Place, Reader

ENDING: Final = ".table.toml"
"""How the name of a table ends that lies among scenarios."""

T = TypeVar("T", bound=msgspec.Struct)


def read_table(source: Source, shape: type[T], kind: str = "table") -> T:
    """The table a file holds, as the type given; ContentError with every mismatch otherwise."""
    document = open_document(source, kind)
    findings = Findings(document.file)
    table = Reader(findings).read(document.table, shape, Place())
    findings.raise_if_any()
    result: T = table
    return result
