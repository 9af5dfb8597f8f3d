"""What the computer does with PANZER8's elements."""

from __future__ import annotations

import pytest

from sandtable.rulesets.panzer8.doctrine import Doctrine
from sandtable.rulesets.panzer8.orders import Charge
from tests.rulesets.panzer8.table import RULES, Table, element, open_ground, table


def charges(t: Table) -> list[Charge]:
    """The charges that the computer thinks of."""
    view = RULES.view(t.state, t.position.active)
    groups = Doctrine().candidates(view, view.decisions[0])
    return [one.order for group in groups for one in group if isinstance(one.order, Charge)]


@pytest.mark.parametrize(("kind", "storms"), [("cav", True), ("cmd_foot", False)])
def test_the_computer_leaves_storming_to_those_who_are_not_commanders(kind: str, *, storms: bool) -> None:
    t = table(open_ground(3, 9), element(kind, "0206"), element("truck", "0201", "german", suppressed=True))
    assert bool(charges(t)) == storms
