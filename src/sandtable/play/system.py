"""One object per room: what the floors above ask of a system besides its rules of play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from sandtable.content.catalogue import CatalogueRule
from sandtable.kernel.events import Order
from sandtable.kernel.ruleset import AnyRuleset
from sandtable.play.counters import CounterCard


class Candidate(NamedTuple):
    """An order worth trying out; `bonus` is what speaks for it and does not show in the state it leads to."""

    order: Order
    bonus: int = 0


class Calibrated(NamedTuple):
    """A measure of an engagement: its band, the result that the numbers were tuned to, and what play gives now.

    The mean and its standard error are None where the engagement is not played.
    """

    id: str
    situation: str
    measure: str
    low: float
    high: float
    tuned: float
    mean: float | None
    error: float | None
    verdict: str


class Campaign(msgspec.Struct, frozen=True):
    """An ordered list of scenarios; each is a battle of its own, and losses are not carried over."""

    id: str
    title: str
    summary: str
    scenarios: tuple[str, ...]


def no_campaigns() -> tuple[Campaign, ...]:
    """A system whose scenarios stand alone."""
    return ()


class System(NamedTuple):
    """A system as a whole; its types of content are its own, so they have no name here."""

    ruleset: AnyRuleset
    doctrine: Any
    """What it tells computer players about good orders."""
    vocabulary: Any
    """The words its content files may use."""
    unit_title: Callable[[str], str]
    """A unit type in words."""
    rules: Callable[[], tuple[CatalogueRule, ...]]
    """Its rules, in the order of its catalogue."""
    tutorial: Callable[[Any, Any], Any]
    """The tutorial that a source holds for a scenario, checked by the system's words."""
    counters: Callable[[], tuple[CounterCard, ...]] = lambda: ()
    """Its types of counters in words; a piece names its own by the key."""
    calibration: Callable[[int, str, str], Iterator[Calibrated]] | None = None
    """Its engagements played so often, by that seed, those alone whose ids begin so; None where it has none."""
    campaigns: Callable[[], tuple[Campaign, ...]] = no_campaigns
    """Its scenarios that are to be played one after the other."""
