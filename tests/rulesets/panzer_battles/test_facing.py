"""Units that face one way: what they cover with fire and control, and assaults from behind."""

from __future__ import annotations

import pytest

from sandtable.geometry.hexes import Hex
from sandtable.rulesets.panzer_battles.assault.situations import as_fighter
from sandtable.rulesets.panzer_battles.facing import FACINGS, covers
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS
from sandtable.rulesets.panzer_battles.movement.zones import is_controlled, zone_flags
from sandtable.rulesets.panzer_battles.orders import Fire
from tests.rulesets.panzer_battles.table import U, table, unit
from tests.rulesets.panzer_battles.test_examples import Facts, of_kind

FIELD = "\n".join([". . . . . . . . ."] * 9)


@of_kind("facing")
def test_a_facing_covers_its_direction_and_the_two_beside_it(situation: Facts, expected: Facts) -> None:
    direction = FACINGS.index(situation["facing"].lower().replace(" ", "_"))
    t = table(FIELD, unit("de_pak40", "0505", facing=direction))
    middle = t.board.axial(t.hex("0505"))
    places = [t.board.from_axial(Hex(middle.q + q, middle.r + r)) for q, r in situation["targets"]]
    assert [covers(t.board, t.unit(0), place) for place in places] == expected["may_fire"]


@pytest.mark.rule("PB-FIRE-21", "PB-MAP-11")
def test_a_unit_with_a_facing_fires_only_where_it_faces() -> None:
    t = table(
        FIELD, unit("us_57at", "0505", facing=FACINGS.index("up")), unit("de_pz4h", "0503"), unit("de_pz4h", "0507")
    )
    assert t.check(Fire(U(0), U(1))) is None
    assert t.refusal(Fire(U(0), U(2))).rule == "PB-FIRE-21"
    t.change(0, facing=-1)
    assert t.check(Fire(U(0), U(2))) is None


@pytest.mark.rule("PB-ZOC-7")
def test_a_unit_with_a_facing_controls_no_hex_that_it_does_not_face() -> None:
    t = table(FIELD, unit("de_pak40", "0505", facing=FACINGS.index("down")))
    above, below = t.hexes("0504", "0506")
    assert not is_controlled(t.position, AXIS, above)
    assert is_controlled(t.position, AXIS, below)
    assert sum(map(bool, zone_flags(t.position, AXIS))) == 3
    t.change(0, facing=-1)
    assert is_controlled(t.position, AXIS, above)


@pytest.mark.rule("PB-ASLT-19")
def test_a_defender_does_not_fight_those_who_all_come_from_where_it_does_not_face() -> None:
    t = table(
        FIELD, unit("us_rifle_coy", "0506"), unit("us_rifle_coy", "0504"),
        unit("de_rifle_coy", "0505", facing=FACINGS.index("up")),
    )  # fmt: skip
    behind, before, gun = (t.unit(n) for n in range(3))
    assert as_fighter(t.position, gun, gun.hex, [behind]).faces_away
    assert not as_fighter(t.position, gun, gun.hex, [behind, before]).faces_away
    assert not as_fighter(t.position, behind, gun.hex).faces_away
    assert t.unit(0).side == ALLIED
