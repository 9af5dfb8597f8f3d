"""Campaigns: lists of battles in their order; nothing is carried over from one to the next.

Rules: PB-GEN-9.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated

import msgspec

from sandtable.content.shapes import Id
from sandtable.content.tables import read_table
from sandtable.play.system import Campaign
from sandtable.rulesets.panzer_battles.version import TABLES


class _Campaigns(msgspec.Struct, frozen=True):
    system: Id
    rule: str
    campaign: Annotated[tuple[Campaign, ...], msgspec.Meta(min_length=1)]


@cache
def campaigns() -> tuple[Campaign, ...]:
    """The campaigns that come with the system.

    Rules: PB-GEN-9.
    """
    return read_table(TABLES / "campaigns.toml", _Campaigns).campaign
