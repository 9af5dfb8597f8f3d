"""What is remembered between orders equals what would be made anew, whatever was asked for before."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable import registry
from sandtable.content import load_shipped
from sandtable.kernel.ids import NOBODY
from sandtable.play.derived import Derived
from sandtable.rulesets.panzer_44 import stacks
from tests.kit.battles import random_battle

RULES = registry.ruleset("panzer_44")


@pytest.mark.rule("P44-4.01", "P44-4.05")
@pytest.mark.parametrize("name", ["p44-our", "p44-vierville"])
def test_who_stands_where_is_the_same_in_the_same_order_as_if_made_anew(name: str) -> None:
    played = random_battle(RULES, load_shipped(name, registry.vocabulary("panzer_44")), {}, "stacks", 400)
    for position in [state.position for state in played.states]:
        made = stacks.stacks(replace(position, derived=Derived()))
        assert dict(stacks.stacks(position)) == dict(made)
        assert sum(map(len, made.values())) == sum(bool(one.hex) and one.carrier == NOBODY for one in position.units)
