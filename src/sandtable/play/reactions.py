"""What known enemies may do while an order is carried out: the shots that it invites, and its chance to be carried
through all the same.

The order is carried out by the rules on the world as its side believes it, once with nobody reacting; wherever the
enemy could react there is a window. What he may do at a window is the room's to say, and so is what harms a mover.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from sandtable.kernel.dice import Dice
from sandtable.kernel.engine import carry_out
from sandtable.kernel.events import Event, Order
from sandtable.kernel.forecast import Reaction, TooManyFallsError, every_fall
from sandtable.kernel.ids import UnitId
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import Played, State, View

P = TypeVar("P")

MOST_WINDOWS = 200
"""So many chances to react are looked into; only dice by the dozen on the way can make more."""


class Window(Generic[P]):
    """A chance to react: what is on the table, the frame that asks for it, how many came before it, and what follows
    when nobody reacts.
    """

    def __init__(self, state: State[P], depth: int) -> None:
        self.state, self.depth = state, depth
        self.later: Course[P] = []

    @property
    def frame(self) -> Any:
        return self.state.flow[-1]


Course = list[tuple[Window[P] | bool, Fraction]]
"""What comes next with which chance: a window, or the end of the order and whether it was carried through."""


class Trail(NamedTuple):
    """What has happened on a way so far: its events and dice, the windows met, and the chance that it came to this."""

    events: tuple[Event, ...] = ()
    dice: int = 0
    windows: int = 0
    share: Fraction = Fraction(1)


class Way(Generic[P]):
    """An order as it goes when nobody reacts: the windows met, what comes of it, and how many dice it throws.

    A frame of the type `asks` waits for a reaction, `passing` lets it go by, `is_through` judges the end. More than
    MOST_WINDOWS windows raise TooManyFallsError.
    """

    def __init__(
        self,
        ruleset: Ruleset[P],
        view: View[P],
        order: Order,
        asks: type[Any],
        passing: Order,
        is_through: Callable[[P], bool],
    ) -> None:
        self.ruleset, self.view = ruleset, view
        self._asks, self._passing, self._is_through = asks, passing, is_through
        self.windows: list[Window[P]] = []
        self.weights: defaultdict[str, Fraction] = defaultdict(Fraction)
        self.dice = 0
        self.start = self._followed(partial(carry_out, ruleset, ruleset.believed(view), view.side, order), Trail())

    def _followed(self, play: Callable[[Dice], Played[P]], trail: Trail) -> Course[P]:
        found: Course[P] = []
        for played, chance in every_fall(play):
            events, dice = (*trail.events, *played.events), trail.dice + len(played.draws)
            frame, share = played.state.flow[-1], trail.share * chance
            if not isinstance(frame, self._asks):
                self.weights[self.ruleset.result(events, self.view)] += share
                self.dice = max(self.dice, dice)
                found.append((self._is_through(played.state.position), chance))
                continue
            window = Window(played.state, trail.windows)
            self.windows.append(window)
            if len(self.windows) > MOST_WINDOWS:
                raise TooManyFallsError
            going_on = partial(carry_out, self.ruleset, played.state, frame.side, self._passing)
            window.later = self._followed(going_on, Trail(events, dice, trail.windows + 1, share))
            found.append((window, chance))
        return found

    @property
    def unhindered(self) -> Fraction:
        """The chance that the order is carried through when nobody reacts."""
        return _unhindered(self.start)


def _unhindered(course: Course[Any]) -> Fraction:
    return sum(
        (chance * (_unhindered(next.later) if isinstance(next, Window) else next) for next, chance in course),
        Fraction(0),
    )


# --- each enemy fires by himself ------------------------------------------------------------------------------------


class Shot(NamedTuple):
    """Fire that a known enemy may open, and how likely it stops what it is aimed at."""

    reaction: Reaction
    stops: Fraction

    @property
    def unit(self) -> UnitId:
        return self.reaction.actors[0]


def distinct(shots: Iterable[Shot]) -> tuple[Reaction, ...]:
    """Each shot once, however often a way gives the occasion for it."""
    return tuple({(shot.unit, shot.reaction.hex, shot.reaction.text): shot.reaction for shot in shots}.values())


def worst_of_each(shots: Iterable[Shot]) -> Fraction:
    """The chance that nothing is stopped when everybody takes the shot of his that is likeliest to stop it; each fires
    once.
    """
    worst: dict[UnitId, Fraction] = {}
    for shot in shots:
        worst[shot.unit] = max(worst.get(shot.unit, Fraction(0)), shot.stops)
    least = Fraction(1)
    for stops in worst.values():
        least *= 1 - stops
    return least
