"""What the weather does."""

from __future__ import annotations

from typing import ClassVar

from sandtable.kernel.events import EVERYBODY, Event


class WeatherChanged(Event, frozen=True):
    """The weather of a game turn is another than that of the last; how far one sees is told with the turn.

    Rules: PB-ENV-5, PB-ENV-9, PB-ENV-15.
    """

    audience = EVERYBODY
    cites: ClassVar[str] = "PB-ENV-7"

    condition: str
    storm: bool
    nominal: int
    trend: int


EnvironmentEvent = WeatherChanged
