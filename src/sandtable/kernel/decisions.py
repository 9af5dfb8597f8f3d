"""What may be decided now, and why something may not be done."""

from __future__ import annotations

import msgspec

from sandtable.kernel.ids import RuleId, SideId


class Decision(msgspec.Struct, frozen=True, gc=False):
    """A choice that is open to one side; several stand open at once when play is simultaneous."""

    side: SideId
    kind: str
    rule: RuleId
    prompt: str = ""
    optional: bool = False
    sealed: bool = False


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """Why an order is not lawful, citing the rule; made from the side's view, so it can't tell a secret."""

    rule: RuleId
    reason: str
    detail: str = ""


KERNEL = RuleId("KERNEL")
"""The rule cited when the protocol itself refuses: no decision is open to that side."""
