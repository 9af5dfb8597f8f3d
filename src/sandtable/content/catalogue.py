"""The catalogue of a system's rules, read from its `rules.toml`."""

from __future__ import annotations

from typing import Literal

import msgspec

from sandtable.content.problems import Findings
from sandtable.content.reading import Source, parse
from sandtable.content.shapes import Place, Reader
from sandtable.kernel.ids import RuleId


class CatalogueRule(msgspec.Struct, frozen=True):
    """A rule as its system's catalogue lists it, in our own words."""

    id: RuleId
    title: str
    section: str = ""
    text: str = ""
    provenance: tuple[str, ...] = ()
    not_implemented: str = ""


class _Catalogue(msgspec.Struct, frozen=True):
    format: Literal[1]
    system: str
    rule: tuple[CatalogueRule, ...]


def read_catalogue(source: Source) -> tuple[CatalogueRule, ...]:
    """The rules that a catalogue lists; ContentError with every mismatch otherwise."""
    name = "<rules>" if isinstance(source, bytes) else source.name
    findings = Findings(name)
    table = parse(source if isinstance(source, bytes) else source.read_bytes(), name)
    catalogue: _Catalogue = Reader(findings).read(table, _Catalogue, Place())
    findings.raise_if_any()
    return catalogue.rule
