"""Contacts that come and go while one order is carried out: a reader is told of each once, by where it ends.

A mover who passes gaps between woods, or a battery that shows itself by firing, would else fill the log with lines that
the next one takes back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.battle.observed import ToldStep
from sandtable.kernel.ids import NOWHERE, HexId, UnitId

CONTACT = "contact"
"""The tone of lines on what came into sight or went out of it."""


class _News(NamedTuple):
    """What a line tells of a unit: that it went out of sight or came into it, and where it is or was."""

    step: int
    is_lost: bool
    hex: HexId


def without_flickers(steps: Iterable[ToldStep]) -> tuple[ToldStep, ...]:
    """The steps without the lines on contacts of which nothing remains: the next that is told of everybody in them is
    that he is out of sight after all, or back in it. Who is back where he was is told of not at all.
    """
    told = tuple(steps)
    idle = _idle(told)
    silent = (replace(step, line=None) if n in idle else step for n, step in enumerate(told))
    return tuple(step for step in silent if step.line or step.changed or step.gone)


def _idle(steps: tuple[ToldStep, ...]) -> set[int]:
    """The numbers of the steps whose lines are idle for every unit in them."""
    runs: defaultdict[UnitId, list[_News]] = defaultdict(list)
    left: dict[int, set[UnitId]] = {}
    for n, step in enumerate(steps):
        if step.line is None:
            continue
        is_contact = step.line.tone == CONTACT
        if is_contact and step.line.units:
            left[n] = set(step.line.units)
        for id in step.line.units:
            run = runs[id]
            if not is_contact:
                run.clear()
                continue
            if run:
                left[run[-1].step].discard(id)
            run.append(_news(n, step, id))
            if _is_as_before(run):
                left[n].discard(id)
                run.clear()
    return {n for n, ids in left.items() if not ids}


def _news(n: int, step: ToldStep, id: UnitId) -> _News:
    piece = next((one for one in step.changed if one.id == id), None)
    return _News(n, piece is None or piece.last_seen > 0, NOWHERE if piece is None else piece.hex)


def _is_as_before(run: list[_News]) -> bool:
    """Whether a unit that was in sight is in sight again where it was."""
    first, last = run[0], run[-1]
    return first.is_lost and not last.is_lost and first.hex == last.hex
