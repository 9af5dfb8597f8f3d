"""What a seat may ask about its table besides orders: the rules answer on the view of that seat, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sandtable.battle import observation
from sandtable.battle.ledger import Rules
from sandtable.battle.observation import way_out
from sandtable.battle.observed import (
    FieldOfView,
    Forces,
    HexReport,
    Highlight,
    Highlights,
    LineOfSight,
    ReadyUnits,
    ReportList,
    UnitReport,
    WhyNot,
    WrittenReport,
)
from sandtable.kernel.ids import NOBODY, HexId, UnitId
from sandtable.kernel.ruleset import Selection
from sandtable.kernel.state import View

T = TypeVar("T")


class Untold(Exception):
    """The rules could not answer a question; the message is one fixed sentence."""


class Asking:
    """The questions that every battle answers; what is not there is answered with nothing, never with an error."""

    rules: Rules

    def knowledge(self, seat: str) -> View[Any]:
        """The view that a seat decides on."""
        raise NotImplementedError

    def _blame(self, what: str, error: Exception) -> None:
        raise NotImplementedError

    def _answered(self, seat: str, answer: Callable[[View[Any]], T]) -> T:
        """What the rules answer on the seat's view; Untold when they fail."""
        view = self.knowledge(seat)
        try:
            return answer(view)
        except Exception as error:
            self._blame("a question", error)
            raise Untold("that could not be answered") from None

    # places

    @way_out
    def trace(self, seat: str, a: HexId, b: HexId) -> LineOfSight:
        """Whether one hex sees another, as far as that seat can tell."""
        return self._answered(seat, lambda view: observation.trace(self.rules.ruleset, view, a, b))

    @way_out
    def field(self, seat: str, units: tuple[UnitId, ...]) -> FieldOfView:
        """What these units of that seat see between them; all of them when none is named."""
        return self._answered(seat, lambda view: observation.field(self.rules.ruleset, view, units))

    @way_out
    def ground(self, seat: str, place: HexId, unit: UnitId = NOBODY) -> HexReport:
        """What that seat knows of a hex, and of the danger that a unit of it would be in there."""
        return self._answered(seat, lambda view: observation.ground(self.rules.ruleset, view, place, unit))

    # units

    @way_out
    def ready(self, seat: str) -> ReadyUnits:
        """The units of that seat that can still be told to do something."""
        return self._answered(seat, lambda view: observation.ready(self.rules.ruleset, view))

    @way_out
    def unit(self, seat: str, unit: UnitId) -> UnitReport:
        """All that seat knows of a unit."""
        return self._answered(seat, lambda view: observation.unit(self.rules.ruleset, view, unit))

    @way_out
    def forces(self, seat: str) -> Forces:
        """The order of battle of every side, as far as that seat knows it."""
        return self._answered(seat, lambda view: observation.forces(self.rules.ruleset, view))

    @way_out
    def why_not(self, seat: str, verb: str, selection: Selection, target: Selection) -> WhyNot:
        """Why what that seat has picked can't do that to what it points at."""
        return self._answered(seat, lambda view: observation.why_not(self.rules.ruleset, view, verb, selection, target))

    # the whole table

    @way_out
    def highlights(self, seat: str) -> Highlights:
        """What that seat can have marked on the map."""
        return self._answered(seat, lambda view: observation.highlights(self.rules.ruleset, view))

    @way_out
    def highlight(self, seat: str, key: str) -> Highlight:
        """One of the highlights, worked out."""
        return self._answered(seat, lambda view: observation.highlight(self.rules.ruleset, view, key))

    @way_out
    def reports(self, seat: str) -> ReportList:
        """The reports that seat can have."""
        return self._answered(seat, lambda view: observation.reports(self.rules.ruleset, view))

    @way_out
    def report(self, seat: str, kind: str) -> WrittenReport:
        """One of the reports, written."""
        return self._answered(seat, lambda view: observation.report(self.rules.ruleset, view, kind))
