"""Telling viewers what happens: each event is redacted once for each of them, and what he was told is what he knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, Protocol, TypeVar

import msgspec

from sandtable.kernel.events import DiceKey, Event, Frame
from sandtable.kernel.ids import SideId
from sandtable.kernel.state import Knowledge, State, Told

P = TypeVar("P")


class Tells(Protocol[P]):
    """What a system knows about telling."""

    def apply(self, position: P, event: Event) -> P: ...
    def known(self, position: P, side: SideId, before: P | None = None) -> P: ...
    def redact(self, event: Event, before: P, after: P, side: SideId) -> Event | None: ...
    def discern(self, known: P, before: P, after: P, side: SideId) -> Iterable[Event]: ...


class Telling(Generic[P]):
    """Keeps every viewer informed while an order is carried out."""

    __slots__ = ("_rules", "known", "told")

    def __init__(self, rules: Tells[P], knowledge: Knowledge[P]) -> None:
        self._rules = rules
        self.known: dict[SideId, P] = dict(knowledge.positions)
        self.told: dict[SideId, list[Told]] = {viewer: [] for viewer in self.known}

    def tell(self, event: Event, before: P, after: P) -> None:
        """Each viewer knows of the event what he may, and of everything that came to light or out of sight by it."""
        rules = self._rules
        for viewer, known in self.known.items():
            news, is_open = self.told[viewer], known is before
            seen = rules.redact(event, before, after, viewer)
            if seen is not None:
                # from whom nothing is hidden, the truth itself is what he knows: no need to fold it twice
                known = after if is_open and seen is event else rules.apply(known, seen)
                news.append(Told(seen, known))
            for more in rules.discern(known, before, after, viewer) if after is not before else ():
                known = rules.apply(known, more)
                news.append(Told(more, known))
            self.known[viewer] = rules.known(after, viewer, known) if is_open and known is not after else known

    def knowledge(self) -> Knowledge[P]:
        """What every viewer knows now."""
        return Knowledge(self.known)


def telling_of(rules: Tells[P], state: State[P]) -> Telling[P] | None:
    """The telling of an order to those who know the state; None in the many imagined worlds, where nobody is told."""
    return Telling(rules, state.known) if state.known.positions else None


def introduced(rules: Tells[P], state: State[P], viewers: Iterable[SideId], before: Mapping[SideId, P]) -> State[P]:
    """The state in which these viewers know what they may know of it and remember, and will be told what happens."""
    known = {viewer: rules.known(state.position, viewer, before.get(viewer)) for viewer in viewers}
    return msgspec.structs.replace(state, known=Knowledge(known))


def known_position(rules: Tells[P], state: State[P], side: SideId) -> P:
    """The position as a viewer knows it: what he was told, or made from scratch for one whom nobody tells anything."""
    told = state.known.positions.get(side)
    return rules.known(state.position, side) if told is None else told


def retold(
    rules: Tells[P], before: State[P], events: Iterable[Event], flow: tuple[Frame, ...]
) -> tuple[State[P], dict[SideId, tuple[Told, ...]]]:
    """The state that recorded events lead to, and what each viewer was told of them; the rules of play aren't asked."""
    telling, position = Telling(rules, before.known), before.position
    for event in events:
        after = rules.apply(position, event)
        telling.tell(event, position, after)
        position = after
    key = DiceKey(before.dice.seed, before.dice.number + 1)
    told = {viewer: tuple(news) for viewer, news in telling.told.items()}
    return State(position, flow, key, telling.knowledge()), told


def is_discovery(told: Told) -> bool:
    """Whether by it the viewer learned of something that was hidden, or lost sight of something."""
    return type(told.event).audience.reveals
