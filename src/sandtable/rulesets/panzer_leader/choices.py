"""The lawful orders of a decision, produced as they are asked for; sound, and complete enough for any player to
play well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import Order
from sandtable.kernel.ids import SideId
from sandtable.kernel.state import View
from sandtable.rulesets.panzer_leader import (
    air,
    artillery,
    assault,
    engineers,
    fire,
    forts,
    movement,
    naval,
    opportunity,
    orders,
    overrun,
    setup,
    transport,
)
from sandtable.rulesets.panzer_leader.frames import OpportunityWindow
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import RESERVE, Position, Unit

Options = Callable[[Position, SideId, Unit], Iterator[Order]]
Pick = Callable[[Position, SideId, Unit, PromptDice], Order | None]

# What the units of the deciding side can do in each step.
BY_UNIT: dict[str, tuple[Options, ...]] = {
    "setup": (setup.placement_options, fire.facing_options),
    "indirect orders": (artillery.mission_options,),
    "direct fire": (fire.fire_options,),
    "anti-aircraft": (air.antiair_options,),
    "vehicle movement": (
        movement.move_options,
        overrun.overrun_options,
        transport.load_options,
        forts.fort_options,
        engineers.work_options,
        setup.placement_options,
    ),
    "foot movement": (
        movement.move_options,
        forts.fort_options,
        engineers.work_options,
        setup.placement_options,
        fire.facing_options,
    ),
    "close assault": (assault.assault_options,),
    "landing": (setup.placement_options,),
}

# Quicker ways to a random order than choosing among all, for the orders that are given most or dear to list.
PICKS: dict[Options, Pick] = {
    fire.fire_options: fire.pick_fire,
    movement.move_options: movement.pick_move,
    overrun.overrun_options: overrun.pick_overrun,
    setup.placement_options: setup.pick_placement,
    artillery.mission_options: artillery.pick_mission,
}

# The kinds of unit that have business in a step; others do nothing there, or only what few battles see.
ANY_KIND = frozenset(KINDS)
BUSINESS: dict[str, frozenset[str]] = {
    "indirect orders": artillery.BATTERIES,
    "direct fire": frozenset(key for key, kind in KINDS.items() if kind.attack),
    "anti-aircraft": frozenset(key for key, kind in KINDS.items() if kind.has("aa")),
    "vehicle movement": frozenset(key for key, kind in KINDS.items() if kind.is_vehicle),
    "foot movement": frozenset(key for key, kind in KINDS.items() if not kind.is_vehicle and not kind.is_work),
    "close assault": frozenset(key for key, kind in KINDS.items() if kind.is_infantry),
}

TRIES = 6
"""How many units a random pick looks at before it ends the phase."""

VARIETY = 8
"""How many orders of one unit a random pick chooses among."""

SPECIAL = 5
"""One in so many random picks looks beyond moving and shooting."""


class Choices:
    """The lawful orders of one decision."""

    def __init__(self, view: View[Position], decision: Decision) -> None:
        self.position, self.side, self.kind = view.position, view.side, decision.kind
        top = view.flow[-1]
        self.window = top if isinstance(top, OpportunityWindow) else None

    def __iter__(self) -> Iterator[Order]:
        if self.window is not None:
            yield from opportunity.opportunity_options(self.position, self.side, self.window)
            yield orders.Pass()
            return
        for unit in self.units():
            yield from self.of(unit)
        yield from self.by_no_unit()
        yield from self.ending()

    def units(self) -> list[Unit]:
        """The side's units that could have something to do."""
        waiting = self.kind in ("setup", "landing", "vehicle movement", "foot movement")
        return [
            unit
            for unit in self.position.units
            if unit.side == self.side and (unit.hex or (waiting and unit.fate == RESERVE))
        ]

    def of(self, unit: Unit) -> Iterator[Order]:
        """What one unit can do."""
        for options in BY_UNIT.get(self.kind, ()):
            yield from options(self.position, self.side, unit)

    def by_no_unit(self) -> Iterator[Order]:
        """What the side can do with aircraft, ships and written missions."""
        match self.kind:
            case "indirect orders" | "direct fire":
                yield from naval.naval_options(self.position, self.side)
            case "indirect fire":
                yield from artillery.due_options(self.position, self.side)
            case "air movement":
                for plane in self.position.aircraft:
                    yield from air.fly_options(self.position, self.side, plane)
            case "air attack":
                yield from air.air_attack_options(self.position, self.side)

    def ending(self) -> Iterator[Order]:
        """The end of the phase, where it may end."""
        if setup.check_end(self.position, self.side, orders.EndPhase()) is None:
            yield orders.EndPhase()

    def pick(self, dice: PromptDice) -> Order:
        """One lawful order by the dice: a random unit's random order, or the end of the phase when a few units
        have none.
        """
        if self.window is not None:
            return _one(dice, self)
        units = self.likely()
        start = dice.below(len(units) + 1)
        if start < len(units):
            for step in range(min(TRIES, len(units))):
                order = self.pick_for(units[(start + step) % len(units)], dice)
                if order is not None:
                    return order
        others = list(islice(self.by_no_unit(), VARIETY))
        if others:
            return others[dice.below(len(others))]
        for order in self.ending():
            return order
        return _one(dice, self)

    def likely(self) -> list[Unit]:
        """The side's units whose kind has business in this step and that are not past doing it."""
        kinds, side = BUSINESS.get(self.kind, ANY_KIND), self.side
        return [
            unit
            for unit in self.position.units
            if unit.side == side
            and unit.kind in kinds
            and not unit.moved
            and not unit.dispersed
            and (unit.hex or unit.fate == RESERVE)
        ]

    def pick_for(self, unit: Unit, dice: PromptDice) -> Order | None:
        """A random order of one unit, or None when it has none."""
        ways = BY_UNIT.get(self.kind, ())
        if not unit.hex:
            ways = (setup.placement_options,) if setup.placement_options in ways else ()
        elif dice.below(SPECIAL):
            ways = ways[:1]
        elif len(ways) > 1:
            ways = ways[1:]
        for options in ways:
            order = self.pick_among(options, unit, dice)
            if order is not None:
                return order
        return None

    def pick_among(self, options: Options, unit: Unit, dice: PromptDice) -> Order | None:
        """A random order of one sort, or None when the unit has none."""
        pick = PICKS.get(options)
        if pick is not None:
            return pick(self.position, self.side, unit, dice)
        some = list(islice(options(self.position, self.side, unit), VARIETY))
        return some[dice.below(len(some))] if some else None


def _one(dice: PromptDice, orders: Iterable[Order]) -> Order:
    some = list(islice(orders, VARIETY))
    return some[dice.below(len(some))]
