"""Ledgers kept beside their log, so that neither opening a battle nor looking back folds it from its beginning.

A snapshot holds a state and what is needed to go on from it, and nothing of the log: it is as large at the five
thousandth order as at the hundredth. It is a cache; whatever can't be read or belongs to another past is not used.
"""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.battle.ledger import Ledger, LoggedOrder, Rules, Standing, TurnMark, ground, replayed
from sandtable.battle.observation import Account
from sandtable.battle.storage.rows import StoredSnapshot
from sandtable.kernel import codec, replay
from sandtable.kernel.ids import SideId

SNAPSHOT_EVERY = 100
"""Entries between two snapshots: half of those that a ledger made anew is folded from in any case (`history.LEAD`)."""

NEIGHBORS = 8
"""How many snapshots stand so close; those that are older stand twice as far apart, and so on."""


class KeptOrder(msgspec.Struct, frozen=True):
    """A recent order that stands, and who noticed it; the state it was given in follows from those before it."""

    line: LoggedOrder
    numbers: dict[SideId, int]


class KeptLedger(msgspec.Struct, frozen=True):
    """A ledger as it is written: `state` is the one before the recent orders, `known` what viewers knew of it who did
    not see everything: what they remember can't be worked out again.
    """

    state: msgspec.Raw
    entries: int
    chain: str
    lines: int
    accounts: dict[SideId, Account]
    recent: tuple[KeptOrder, ...]
    takeable: dict[SideId, tuple[int, ...]]
    turns: tuple[TurnMark, ...]
    known: dict[SideId, msgspec.Raw] = {}


def is_due(entries: int) -> bool:
    """Whether a ledger of so many entries is to be kept."""
    return entries % SNAPSHOT_EVERY == 0


def is_worth_keeping(number: int, entries: int) -> bool:
    """Whether the ledger of that many entries is still kept when there are so many: the older, the fewer."""
    spacing = SNAPSHOT_EVERY
    while entries - number > NEIGHBORS * spacing:
        spacing *= 2
    return number % spacing == 0


def outdated(entries: int) -> tuple[int, ...]:
    """The numbers of snapshots that are not worth keeping any more since there are so many entries."""
    before = entries - SNAPSHOT_EVERY
    numbers = range(0, before + 1, SNAPSHOT_EVERY)
    return tuple(n for n in numbers if is_worth_keeping(n, before) and not is_worth_keeping(n, entries))


def written(value: Any) -> msgspec.Raw:
    """The canonical JSON of a value, that of a plain structure field by field: whole, it would be copied for the sake
    of the few mappings by number in it.
    """
    config = getattr(value, "__struct_config__", None)
    if config is None or config.tag is not None or config.omit_defaults:
        return msgspec.Raw(codec.encode(value))
    return msgspec.Raw(codec.encode({name: written(getattr(value, name)) for name in value.__struct_fields__}))


def snapshot_of(ledger: Ledger) -> StoredSnapshot:
    """The ledger as it can be kept beside its log."""
    base = ledger.recent[0].before if ledger.recent else ledger.state
    kept = KeptLedger(
        written(base),
        ledger.entries,
        ledger.chain,
        ledger.lines,
        ledger.accounts,
        tuple(KeptOrder(one.line, one.numbers) for one in ledger.recent),
        ledger.takeable,
        ledger.turns,
        {viewer: written(known) for viewer, known in base.known.positions.items() if known is not base.position},
    )
    body = codec.encode(kept).decode()
    return StoredSnapshot(ledger.entries, ledger.chain, codec.digest(body), body)


def from_snapshot(rules: Rules, snapshot: StoredSnapshot) -> Ledger | None:
    """The ledger that was kept, without a tail, or None when it can't be read: the log then tells everything."""
    try:
        kept: KeptLedger = codec.decode(snapshot.body.encode(), KeptLedger)
        fixed = ground(rules.opening.position)
        state: Any = replay.load(rules.ruleset, bytes(kept.state), fixed)
        position = rules.ruleset.info.position
        known = {viewer: codec.decode(bytes(raw), position, fixed) for viewer, raw in kept.known.items()}
    except codec.CodecError:
        return None
    state, recent = rules.known(state, known), []
    for one in kept.recent:
        recent.append(Standing(one.line, state, one.numbers))
        state = replayed(rules, state, one.line).state
    return Ledger(
        state=state,
        entries=kept.entries,
        chain=kept.chain,
        lines=kept.lines,
        accounts=kept.accounts,
        recent=tuple(recent),
        takeable=kept.takeable,
        turns=kept.turns,
        outcome=rules.ruleset.outcome(state),
    )
