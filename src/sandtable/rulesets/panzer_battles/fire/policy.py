"""At what each type of weapon takes opportunities to fire: settings of a side and of single units.

Settings are written as a letter for each pair of a firing type and a target type, firing type by firing type.

Rules: PB-OPF-5, PB-OPF-6, PB-OPF-7.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import Field, Selection
from sandtable.kernel.trace import Line, Tally
from sandtable.play.rows import Actors
from sandtable.rulesets.panzer_battles.fire.chances import ANYWHERE, MIDWAY, NEAR, NOT, limit
from sandtable.rulesets.panzer_battles.fire.events import FirePolicySet
from sandtable.rulesets.panzer_battles.fire.orders import SetPolicy
from sandtable.rulesets.panzer_battles.kinds import GUNS, SHIPS
from sandtable.rulesets.panzer_battles.model import Position, Unit, is_hard, on_map
from sandtable.rulesets.panzer_battles.refusals import own, refuse

FIRING = ("infantry", "heavy", "vehicles", "at_guns", "guns")
TARGETS = ("foot", "soft", "hard")
"""The types of PB-OPF-6."""

TITLES = {
    "infantry": "Infantry",
    "heavy": "Heavy weapons",
    "vehicles": "Vehicles",
    "at_guns": "Anti-tank guns",
    "guns": "Other guns",
    "foot": "men on foot",
    "soft": "soft vehicles and guns",
    "hard": "hard vehicles",
}
CELLS = tuple(f"{firing}_{target}" for firing in FIRING for target in TARGETS)
"""The fields of the form, in the order of the letters."""

LETTERS = (NOT, NEAR, MIDWAY, ANYWHERE)
UNRESTRICTED = ANYWHERE * len(CELLS)
"""The settings of a side that has said nothing (PB-OPF-5)."""


def firing_type(unit: Unit) -> str:
    """As which type a unit fires.

    Rules: PB-OPF-6.
    """
    kind = unit.of
    if kind.component in (GUNS, SHIPS):
        return "at_guns" if kind.has("at_gun") else "guns"
    if kind.is_vehicles:
        return "vehicles"
    return "heavy" if kind.type == "heavy_weapons" else "infantry"


def target_type(unit: Unit) -> str:
    """As which type a unit is fired at.

    Rules: PB-OPF-6.
    """
    if is_hard(unit):
        return "hard"
    rides = unit.of.is_carried and unit.is_traveling and not unit.on_foot
    return "foot" if unit.of.is_men and not rides else "soft"


def settings_of(position: Position, unit: Unit) -> str:
    """The settings that hold for a unit: its own, or those of its side (PB-OPF-7)."""
    return unit.opfire or position.opfire.get(unit.side, UNRESTRICTED)


def farthest(position: Position, unit: Unit, target: Unit, reach: int) -> int:
    """How far its settings let a unit of that range take an opportunity at a target.

    Rules: PB-OPF-5, PB-OPF-6.
    """
    settings = settings_of(position, unit)
    if settings == UNRESTRICTED:
        return reach
    cell = FIRING.index(firing_type(unit)) * len(TARGETS) + TARGETS.index(target_type(target))
    return limit(settings[cell], reach)


# --- as orders ------------------------------------------------------------------------------------------------------


def written(order: SetPolicy) -> str:
    """The settings of an order, a letter for each pair."""
    return "".join(getattr(order, cell) for cell in CELLS)


def _ordered(settings: str, units: tuple[UnitId, ...]) -> SetPolicy:
    return msgspec.convert({"units": units, **dict(zip(CELLS, settings, strict=True))}, SetPolicy)


def check_policy(position: Position, side: SideId, order: SetPolicy) -> Refusal | None:
    """Rules: PB-OPF-7."""
    for id in order.units:
        unit = own(position, side, id, may_ride=True)
        if isinstance(unit, Refusal):
            return unit
    if len(set(order.units)) < len(order.units):
        return refuse("PB-OPF-7", "each unit is named once")
    return None


def resolve_policy(resolution: Resolution[Position], side: SideId, order: SetPolicy) -> None:
    """The settings hold from now on.

    Rules: PB-OPF-7.
    """
    resolution.emit(FirePolicySet(side, order.units, written(order)))


def _nobody(position: Position, side: SideId, step: str) -> list[Unit]:
    """A unit that is nobody, in whose name the side is asked while none is picked; none of a side that has none."""
    return [Unit(NOBODY, unit.kind, side) for unit in on_map(position, side)[:1]]


def _picked(position: Position, ids: tuple[UnitId, ...]) -> list[Unit]:
    return [position.units[id] for id in ids if 0 <= id < len(position.units) and position.units[id].hex]


SIDE_OR_UNITS: Actors[Position] = Actors(_nobody, _picked, must_be_picked=False)
"""Whose settings are meant: those of picked units, or the side's while none is picked."""


def side_options(position: Position, side: SideId, unit: Unit) -> Iterator[SetPolicy]:
    """The settings of the side as they are, to be changed."""
    yield _ordered(position.opfire.get(side, UNRESTRICTED), ())


def unit_offers(position: Position, side: SideId, unit: Unit) -> Iterator[SetPolicy]:
    """The settings of a unit as they are, to be changed."""
    yield _ordered(settings_of(position, unit), (unit.id,))


def policy_form(position: Position, side: SideId, actors: Sequence[Unit]) -> tuple[Field, ...]:
    """A choice for each type of target of each type that fires among the units, as the first of them has it."""
    settings = settings_of(position, actors[0]) if actors else UNRESTRICTED
    is_of_side = any(unit.id == NOBODY for unit in actors)
    types = {firing_type(unit) for unit in (on_map(position, side) if is_of_side else actors)}
    pairs = ((firing, target) for firing in FIRING for target in TARGETS)
    return tuple(
        Field(cell, f"{TITLES[firing]} at {TITLES[target]}", "choice", choices=LETTERS, default=letter)
        for cell, letter, (firing, target) in zip(CELLS, settings, pairs, strict=True)
        if firing in types
    )


def explain_policy(position: Position, side: SideId, order: SetPolicy) -> tuple[Tally, ...]:
    """What the letters mean.

    Rules: PB-OPF-5.
    """
    lines = tuple(Line(MEANINGS[letter], letter, RuleId("PB-OPF-5")) for letter in LETTERS)
    return (Tally("Fires by itself", "", lines),)


def point_policy(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> SetPolicy:
    """The settings of the units as the first of them has them."""
    return _ordered(settings_of(position, units[0]), tuple(unit.id for unit in units))


def policy_lines(position: Position, unit: Unit) -> Iterator[Line]:
    """What the settings say of a unit's weapon, for its card; nothing where it fires at everything.

    Rules: PB-OPF-5.
    """
    settings = settings_of(position, unit)
    start = FIRING.index(firing_type(unit)) * len(TARGETS)
    for target, letter in zip(TARGETS, settings[start : start + len(TARGETS)], strict=True):
        if letter != ANYWHERE:
            yield Line(f"Opportunity fire at {TITLES[target]}", MEANINGS[letter], RuleId("PB-OPF-5"))


MEANINGS = {
    NOT: "never",
    NEAR: "within a third of its range",
    MIDWAY: "within two thirds of its range",
    ANYWHERE: "as far as it reaches",
}
