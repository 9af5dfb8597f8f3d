"""Ids dealt by the secret seed, so that an id tells nothing of what it is on."""

from __future__ import annotations

from sandtable.kernel.dice import KeyedDice
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import NOBODY, UnitId


def dealt(count: int, key: DiceKey) -> list[UnitId]:
    """The ids from 0 on in an order that the seed decides."""
    ids, dice = [UnitId(n) for n in range(count)], KeyedDice(DiceKey(f"deal/{key.seed}"))
    for last in range(count - 1, 0, -1):
        other = dice.face(last + 1, NOBODY) - 1
        ids[last], ids[other] = ids[other], ids[last]
    return ids
