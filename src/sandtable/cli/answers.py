"""What the console answers to questions about units and the battle, in tables or in sentences that stand alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from sandtable.cli.screen import columns
from sandtable.kernel.ids import HexId, UnitId
from sandtable.kernel.questions import Formation, Query, Report, Section, UnitCard
from sandtable.kernel.ruleset import SightLine
from sandtable.kernel.trace import Line

Named = Callable[[UnitId], str]
"""A unit as the console calls it."""


def card_lines(card: UnitCard, title: str, *, plain: bool) -> Iterator[str]:
    """A unit's card; `title` is what its side is called."""
    name = f"unit {card.unit}, {title} {card.title}"
    yield f"{name[0].upper()}{name[1:]}: {card.kind}."
    yield from section_lines(card.sections, plain=plain)


def section_lines(sections: Iterable[Section], *, plain: bool) -> Iterator[str]:
    """Headings with their lines below them, or each line with its heading."""
    for section in sections:
        if plain:
            yield from _plain_lines(section)
            continue
        total = f": {section.total}" if section.total != "" else ""
        yield f"{section.title}{total}"
        rows = [(line.label, line.value, f"({line.rule})") for line in section.lines]
        yield from (f"  {line}" for line in columns(rows))


def _plain_lines(section: Section) -> Iterator[str]:
    if section.total != "":
        yield f"{section.title}: {section.total}."
    for line in section.lines:
        yield f"{section.title}, {_told(line)}."


def _told(line: Line) -> str:
    value = f": {line.value}" if line.value != "" else ""
    return f"{line.label}{value}, rule {line.rule}"


def forces_lines(tree: Iterable[Formation], named: Named, *, plain: bool) -> Iterator[str]:
    """The order of battle, each formation with what is left of it and those of its units that are in sight."""
    return _spoken_forces(tree, named, "") if plain else _drawn_forces(tree, "")


def _drawn_forces(tree: Iterable[Formation], indent: str) -> Iterator[str]:
    for formation in tree:
        yield f"{indent}{formation.title}: {formation.left} of {formation.initial} left"
        if formation.units:
            yield f"{indent}  units {' '.join(map(str, formation.units))}"
        yield from _drawn_forces(formation.children, f"{indent}  ")


def _spoken_forces(tree: Iterable[Formation], named: Named, above: str) -> Iterator[str]:
    for formation in tree:
        title = f"{above}{formation.title}"
        yield f"{title}: {formation.left} of {formation.initial} left."
        yield from (f"{title}: unit {id}, {named(id)}." for id in formation.units)
        yield from _spoken_forces(formation.children, named, f"{title}, ")


def query_lines(found: Query, named: Named, place: Callable[[HexId], str]) -> Iterator[str]:
    """What a highlight holds."""
    yield f"{found.title} ({found.rule}):"
    yield from (f"  {id}: {named(id)}" for id in found.units)
    if found.hexes:
        yield f"  hexes {' '.join(map(place, found.hexes))}"
    if not found.hexes and not found.units:
        yield "  none"


def sight_lines(line: SightLine, a: HexId, b: HexId, place: Callable[[HexId], str]) -> Iterator[str]:
    """Whether one hex sees another, and if not, what stands in the way, where and by which rule."""
    if line.reason is None:
        yield f"{place(a)} sees {place(b)}."
    else:
        where = f" at {line.reason.value}" if line.reason.value != "" else ""
        yield f"{place(a)} does not see {place(b)}: {line.reason.label}{where} ({line.reason.rule})."
    for point in line.profile:
        yield f"  {place(point.hex)}: level {point.level}{f', {point.cover.lower()}' if point.cover else ''}"


def report_lines(report: Report, *, plain: bool) -> Iterator[str]:
    """A report under its title."""
    yield f"{report.title}{'.' if plain else ':'}"
    yield from section_lines(report.sections, plain=plain)
