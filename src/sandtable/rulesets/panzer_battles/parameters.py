"""The numbers that the rules leave to the data, checked as a whole, and open to change by a scenario.

Rules: PB-GEN-19, PB-GEN-20, PB-GEN-23.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, get_args

import msgspec

from sandtable.content import ContentError, Scenario
from sandtable.content.problems import Findings, shown
from sandtable.content.reading import Source, open_document
from sandtable.content.shapes import Place, Reader, bare, is_struct
from sandtable.rulesets.panzer_battles import parameter_sections as sections
from sandtable.rulesets.panzer_battles.version import TABLES

SHIPPED: Final[Source] = TABLES / "parameters.toml"
"""The parameter file of a scenario that names none."""

LARGEST_DENOMINATOR: Final = 1000
"""A decimal is read as the nearest fraction with at most this denominator, so that 0.3333333333 is 1/3."""

GREATEST: Final = 1000
"""No multiplier or fraction is greater."""

_Table = dict[str, Any]


class Parameters(msgspec.Struct, frozen=True):
    """All numbers of a battle, under the headings of the file (PB-GEN-19, PB-GEN-21)."""

    meta: sections.Meta
    time: sections.Time
    stacking: sections.Stacking
    misc: sections.Misc
    quality: sections.Quality
    fatigue: sections.Fatigue
    combat: sections.Combat
    fortification: sections.Fortification
    artillery: sections.Artillery
    air: sections.Air
    bridge: sections.Bridge
    supply: sections.Supply
    deception: sections.Deception
    frozen: sections.Frozen
    airborne: sections.Airborne
    victory: sections.Victory
    carry: sections.Carry
    costs: sections.Costs
    movement: sections.Movement
    terrain: sections.Terrain
    hexside: sections.Hexside
    los: sections.Sight
    weather: sections.Weather


def column(move_class: str) -> int:
    """The column of a movement class in the movement tables."""
    return sections.MOVE_CLASSES.index(move_class)


class _File(msgspec.Struct, frozen=True):
    """The keys that say what the file is; all others are the numbers."""

    system: str
    rule: str


def exact(decimal: float) -> Fraction:
    """The simplest fraction near a decimal: 0.3333333333 is 1/3, 0.6666666667 is 2/3, 0.5 is 1/2.

    Rules: PB-GEN-15.
    """
    return Fraction(decimal).limit_denominator(LARGEST_DENOMINATOR)


def read_parameters(source: Source, name: str = "") -> Parameters:
    """The numbers that a file holds; ContentError with everything that is wrong otherwise.

    Rules: PB-GEN-20.
    """
    document = open_document(source, "table", name)
    return _checked(_numbers(document.table), document.file, Place())


def _numbers(table: _Table) -> _Table:
    return {key: value for key, value in table.items() if key not in _File.__struct_fields__}


def overridden(changes: Mapping[str, Any], file: str, source: Source = SHIPPED) -> Parameters:
    """The numbers of a parameter file with some of them set anew; ContentError names the file that does so, and keys.

    Rules: PB-GEN-19.
    """
    numbers = _numbers(open_document(source, "table").table)
    return _checked(_merged(numbers, changes), file, Place(header="parameters"))


def parameters_of(scenario: Scenario[Any, Any]) -> Parameters:
    """The numbers of a battle: those of the parameter file that the scenario names, or of the system's own, with what
    the scenario sets anew. ContentError names file and key of all that is wrong, in either.

    Rules: PB-GEN-19, PB-GEN-20.
    """
    changes, name = scenario.sections.parameters, scenario.sections.parameter_file
    if not name and not changes:
        return DEFAULTS
    findings, source, parameters = Findings(scenario.file), SHIPPED, DEFAULTS
    if name:
        text = scenario.files[name].encode()
        try:
            source, parameters = text, read_parameters(text, name)
        except ContentError as error:
            source = SHIPPED
            findings.take(error.problems)
    try:
        parameters = overridden(changes, scenario.file, source)
    except ContentError as error:
        findings.take(error.problems)
    findings.raise_if_any()
    return parameters


def _merged(table: _Table, changes: Mapping[str, Any]) -> _Table:
    """The table with each changed value in the place of its own, tables within tables likewise."""
    result = dict(table)
    for key, value in changes.items():
        own = result.get(key)
        result[key] = _merged(own, value) if isinstance(own, dict) and isinstance(value, Mapping) else value
    return result


def _checked(numbers: _Table, file: str, place: Place) -> Parameters:
    findings = Findings(file)
    parameters: Parameters = Reader(findings).read(_prepared(numbers, Parameters, place, findings), Parameters, place)
    findings.raise_if_any()
    _look_at_order(parameters, place, findings)
    findings.raise_if_any()
    return parameters


def _prepared(value: object, shape: Any, place: Place, findings: Findings) -> object:
    """The value with decimals made exact where a fraction is wanted, and tables that lack a key or have one too many
    noted.
    """
    inner = bare(shape)
    if inner is Fraction:
        return _exact_text(value, place, findings)
    if not isinstance(value, dict):
        return value
    if is_struct(inner):
        fields = {field.encode_name: field.type for field in msgspec.structs.fields(inner)}
        return {
            key: _prepared(item, fields[key], place.under(key, fields[key]), findings) if key in fields else item
            for key, item in value.items()
        }
    _look_for_keys(value, shape, place, findings)
    item_shape = get_args(inner)[1]
    return {key: _prepared(item, item_shape, place, findings) for key, item in value.items()}


def _exact_text(value: object, place: Place, findings: Findings) -> str:
    """A number of the file as an exact "n/d"."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= GREATEST:
        findings.add(place, f"expected a number from 0 to {GREATEST}, got {shown(value)}")
        return "0/1"
    fraction = exact(value)
    return f"{fraction.numerator}/{fraction.denominator}"


def _look_for_keys(table: _Table, shape: Any, place: Place, findings: Findings) -> None:
    (keys,) = (mark.extra["keys"] for mark in shape.__metadata__)
    for key in keys:
        if key not in table:
            findings.add(place, f"{key} is missing")
    for key in table:
        if key not in keys:
            findings.add_unknown(place, "key", key, keys)


def _look_at_order(parameters: Parameters, place: Place, findings: Findings) -> None:
    """Note numbers that are right by themselves and not beside each other."""
    p = parameters
    pairs = (
        ("time", "dusk", p.time.dawn, p.time.dusk, "dawn"),
        ("fatigue", "high_at", p.fatigue.medium_at, p.fatigue.high_at, "medium_at"),
        ("fatigue", "max", p.fatigue.high_at, p.fatigue.max, "high_at"),
        ("combat", "fire_hcv", p.combat.fire_lcv, p.combat.fire_hcv, "fire_lcv"),
        ("combat", "assault_hcv", p.combat.assault_lcv, p.combat.assault_hcv, "assault_lcv"),
        ("misc", "hq_restore_strength_pct", *p.misc.hq_restore_strength_pct, "its first value"),
    )
    for section, key, low, high, name in pairs:
        if not low <= high:  # type: ignore[operator]
            here = place.under(section, Parameters).under(key, int)
            findings.add(here, f"expected no less than {name} ({low}), got {high}")


DEFAULTS: Final = read_parameters(SHIPPED)
"""The numbers of a scenario that changes none."""
