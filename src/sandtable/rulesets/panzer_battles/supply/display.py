"""What a player may ask about supply: sources, units in trouble, the value of a hex.

Rules: PB-SUP-51.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.ids import HexId, RuleId
from sandtable.kernel.questions import Section
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_battles.kinds import SHIPS
from sandtable.rulesets.panzer_battles.model import SIDES, Position, Unit, on_map
from sandtable.rulesets.panzer_battles.names import place_name, unit_name
from sandtable.rulesets.panzer_battles.supply.columns import capacity, column_for, is_column
from sandtable.rulesets.panzer_battles.supply.lines import NONE, field
from sandtable.rulesets.panzer_battles.supply.sources import global_value, sources, usable

TROUBLES = {
    "isolated": ("Isolated", "PB-SUP-17"),
    "low_ammo": ("Low Ammo", "PB-SUP-26"),
    "unavailable": ("out of shells", "PB-SUP-28"),
    "low_fuel": ("Low Fuel", "PB-SUP-33"),
}
"""What supply may fail to bring a unit, by its field."""


TIPS = (
    "Mind how far your units are from their headquarters: a close staff makes up for poor supply.",
    "Keep staffs out of Travel Mode, in which they reach less.",
    "Bring scattered units together again before midnight, when fuel is tested.",
    "Keep staffs away from fire: a Disrupted one reaches half as far, a Broken one nobody.",
)
"""What a player who runs short of supplies is told.

Rules: PB-SUP-52.
"""


def report(view: View[Position]) -> Iterator[Section]:
    """The supply value of a side, its sources and columns, its units in trouble, and what helps.

    Rules: PB-OPT-9, PB-SUP-1, PB-SUP-51, PB-SUP-52.
    """
    position = view.position
    if view.side not in SIDES:
        return
    value = Line("Global Supply Value", f"{global_value(position, view.side)} %", RuleId("PB-SUP-1"))
    yield Section("Supply", (value,))
    open_now = usable(position, view.side)
    lines = tuple(
        Line(place_name(position, place), f"{value} %{'' if place in open_now else ', lost'}", RuleId("PB-SUP-3"))
        for place, value in sources(position.ground, view.side).items()
    )
    yield Section("Supply Sources", lines or (Line("Every hex of the map edge", "", RuleId("PB-SUP-5")),))
    columns = tuple(unit for unit in on_map(position, view.side) if is_column(unit))
    if columns:
        held = tuple(Line(unit_name(position, unit.id), _points(unit), RuleId("PB-OPT-9")) for unit in columns)
        yield Section("Supply columns", held, units=tuple(unit.id for unit in columns))
    for name, (title, rule) in TROUBLES.items():
        units = tuple(unit.id for unit in on_map(position, view.side) if getattr(unit, name))
        if units:
            named = tuple(Line(unit_name(position, id), title, RuleId(rule)) for id in units)
            yield Section(title, named, len(units), units)
    yield Section("How to stay supplied", tuple(Line(tip, "", RuleId("PB-SUP-52")) for tip in TIPS))


def _points(unit: Unit) -> str:
    """The points that a supply column has left, and how many it can carry."""
    return f"{unit.stores} of {capacity(unit)} points"


def by_column(position: Position, unit: Unit) -> Iterator[Line]:
    """What supply by columns is to a unit: the points that a column has, or which column serves it; ships have none.

    Rules: PB-OPT-8, PB-OPT-9, PB-SUP-9.
    """
    if is_column(unit):
        yield Line("Carries", _points(unit), RuleId("PB-OPT-9"))
    elif position.ground.options.explicit_supply and unit.of.component != SHIPS:
        column = column_for(position, unit)
        served = "none near, half the supply" if column is None else unit_name(position, column.id)
        yield Line("Supply column", served, RuleId("PB-OPT-9"))


def fact(view: View[Position], place: HexId) -> Iterator[Line]:
    """The supply value that the side could trace to a hex, as far as it knows.

    Rules: PB-SUP-1, PB-SUP-7.
    """
    if view.side in SIDES:
        value = field(view.position, view.side)[place]
        yield Line("Supply", "none" if value == NONE else f"{value} %", RuleId("PB-SUP-7"))
