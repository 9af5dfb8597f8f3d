"""Riding: trucks, ships and the outside of tanks."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import Selection
from sandtable.rulesets.panzer_battles import changes, describe
from sandtable.rulesets.panzer_battles.air.interdiction import on_the_march
from sandtable.rulesets.panzer_battles.assault.situations import as_fighter
from sandtable.rulesets.panzer_battles.engineers.events import MinesTouched
from sandtable.rulesets.panzer_battles.events import Struck
from sandtable.rulesets.panzer_battles.fire.orders import Bombard
from sandtable.rulesets.panzer_battles.fire.policy import target_type
from sandtable.rulesets.panzer_battles.fire.situations import as_target
from sandtable.rulesets.panzer_battles.fire.values import base_defense, is_armored
from sandtable.rulesets.panzer_battles.fire.values import is_hard as is_hard_target
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, TRAVEL, Feature, is_hard
from sandtable.rulesets.panzer_battles.movement import events as e
from sandtable.rulesets.panzer_battles.movement.carrying import load, room_for
from sandtable.rulesets.panzer_battles.movement.costs import allowance
from sandtable.rulesets.panzer_battles.movement.orders import Carry, GoOnFoot, Uncarry
from sandtable.rulesets.panzer_battles.movement.stacking import has_room
from sandtable.rulesets.panzer_battles.movement.walking import walk_offers
from sandtable.rulesets.panzer_battles.movement.zones import has_zone
from sandtable.rulesets.panzer_battles.operations import CLEARING
from sandtable.rulesets.panzer_battles.orderbook import BOOK
from sandtable.rulesets.panzer_battles.orders import Assault, EndTurn, Fire, Move
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS
from sandtable.rulesets.panzer_battles.refusals import refuse
from sandtable.rulesets.panzer_battles.results.suffering import forfeit
from sandtable.rulesets.panzer_battles.spotting.levels import UNSPOTTED, level
from tests.rulesets.panzer_battles.table import HIGHEST, ONE, RULES, AllHighest, Faces, Table, U, table, unit

FIELD = ". . . . .\n. . . . ."


def ride(carrier: str = "us_m4", rider: str = "us_rifle_coy", *others: Any, strength: int = 20, **drawn: Any) -> Table:
    """A carrier with a passenger of the Allies in 0101, an enemy far away."""
    return table(
        FIELD,
        unit(carrier, "0101", ALLIED),
        unit(rider, "0101", ALLIED, strength=strength, carrier=U(0)),
        *others,
        unit("de_rifle_coy", "0502"),
        **drawn,
    )


def room(carrier: str, load_of: str) -> int:
    a, b = (table(".", unit(kind, "0101", ALLIED)).unit(0) for kind in (carrier, load_of))
    return int(room_for(a, b, DEFAULTS))


@pytest.mark.rule("PB-GEN-17", "PB-MOVE-48", "PB-ASLT-7")
def test_tanks_that_have_set_down_their_riders_may_still_storm() -> None:
    t = table(
        ". . .",
        unit("su_t34_76", "0101"),
        unit("su_smg_coy", "0101", strength=40, carrier=U(0)),
        unit("de_rifle_plt", "0201"),
    )
    whole = t.unit(0).mp
    t.play(Uncarry(U(0)))
    left = t.unit(0).mp
    assert left == whole - -(-whole // 3) < -(-2 * whole // 3), "a point is missing to two thirds"
    storm = Assault((U(0), U(1)), t.hex("0201"))
    assert t.check(storm) is None
    t.play(storm, AllHighest())
    assert t.unit(0).mp == 0


@pytest.mark.rule("PB-GEN-17", "PB-MOVE-48", "PB-FIRE-14")
def test_who_has_set_down_riders_may_fire_twice_more_unless_he_has_gone_a_step() -> None:
    t = ride()
    whole = t.unit(0).mp
    third = -(-whole // 3)
    assert 3 * third > whole
    t.change(2, hex=t.hex("0301"))
    t.play(Uncarry(U(0)))
    t.play(Fire(U(0), U(2)), AllHighest())
    assert t.unit(0).mp == whole - 2 * third < third
    assert t.check(Fire(U(0), U(2))) is None
    t.change(0, mp=t.unit(0).mp - 1)
    assert t.refusal(Fire(U(0), U(2))).rule == "PB-FIRE-14"


@pytest.mark.rule("PB-MOVE-42", "PB-MOVE-43", "PB-MOVE-44", "PB-MOVE-45", "PB-UNIT-14")
def test_how_much_a_vehicle_or_ship_takes() -> None:
    assert (room("de_truck", "us_rifle_coy"), room("de_truck", "us_57at"), room("de_truck", "us_m4")) == (10, 1, 0)
    assert (room("uk_lct", "us_rifle_coy"), room("uk_lct", "us_57at"), room("uk_lct", "us_m4")) == (40, 4, 4)
    assert (room("us_m4", "us_rifle_coy"), room("us_m4", "us_57at"), room("us_m4", "us_aib_coy")) == (5, 0, 0)


@pytest.mark.rule("PB-MOVE-46")
def test_mixed_loads_share_the_room_in_proportion() -> None:
    t = table(FIELD, unit("de_truck", "0101", ALLIED, strength=4), *(unit(k, "0101", strength=n) for k, n in LOADS))
    assert load(t.unit(0), (t.unit(1), t.unit(2)), DEFAULTS) == 1
    assert t.check(Carry((U(1), U(2)), U(0))) is None
    assert t.refusal(Carry((U(1), U(2), U(3)), U(0))).rule == "PB-MOVE-46"
    tally, *_ = RULES.explain(t.view(), Carry((U(1), U(2)), U(0)))
    assert tally.total == "1"


LOADS = (("us_rifle_coy", 20), ("us_57at", 2), ("us_57at", 1))


@pytest.mark.rule("PB-MOVE-48")
def test_the_preview_says_what_boarding_and_setting_down_leave_each_of_them() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("us_rifle_coy", "0101", strength=20), unit("de_rifle_coy", "0502"))
    room, *before = RULES.explain(t.view(), Carry((U(1),), U(0)))
    assert room.title == "Room taken"
    t.play(Carry((U(1),), U(0)))
    assert [tally.total for tally in before] == [t.unit(0).mp, t.unit(1).mp]
    assert {tally.lines[1].rule for tally in before} == {"PB-MOVE-48"}
    down = RULES.explain(t.view(), Uncarry(U(0)))
    t.play(Uncarry(U(0)))
    assert [tally.total for tally in down] == [t.unit(0).mp, t.unit(1).mp]


@pytest.mark.rule("PB-MOVE-47", "PB-MOVE-48", "PB-MOVE-49")
def test_passengers_board_ride_and_are_set_down_again() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("us_rifle_coy", "0101", strength=20), unit("de_rifle_coy", "0502"))
    tanks, men = allowance(t.position, t.unit(0)), allowance(t.position, t.unit(1))
    t.play(Carry((U(1),), U(0)))
    assert (t.unit(0).mp, t.unit(1).mp) == (tanks - -(-tanks // 3), men - -(-men // 3))
    assert (t.unit(1).carrier, t.unit(1).moved) == (0, True)
    assert "boards" in describe.sentence(t.only(e.Boarded), t.position)
    aboard = {piece.id: piece.carrier for piece in RULES.pieces(t.view(ALLIED)) if piece.kind == "unit"}
    assert aboard[U(1)] == 0, "on the map it lies in its carrier"
    badges = {one.id: one.states for one in RULES.pieces(t.view())}
    assert "CARRYING" in badges[U(0)]
    assert t.refusal(Move((U(1),), t.hexes("0201"))).rule == "PB-MOVE-49"
    t.play(Move((U(0),), t.hexes("0102")), AllHighest())
    assert (t.at(0), t.at(1)) == ("0102", "0102")
    assert t.unit(1).mp == men - -(-men // 3)
    t.play(Uncarry(U(0)))
    assert t.unit(1).carrier == -1
    assert "dismounts" in describe.sentence(t.only(e.Dismounted), t.position)
    assert t.refusal(Uncarry(U(0))).reason == "it carries nobody"


@pytest.mark.rule("PB-MOVE-45", "PB-MOVE-47", "PB-MOVE-48", "PB-MOVE-55")
@pytest.mark.parametrize(
    ("order", "rule"),
    [
        (Carry((U(2),), U(0)), "PB-MOVE-45"),
        (Carry((U(3),), U(0)), "PB-MOVE-47"),
        (Carry((U(4),), U(0)), "PB-MOVE-55"),
        (Carry((U(5),), U(0)), "PB-MOVE-48"),
        (Carry((U(6),), U(0)), "PB-MOVE-98"),
        (Carry((U(1),), U(4)), "PB-MOVE-47"),
        (Carry((U(1), U(1)), U(0)), "PB-MOVE-47"),
        (Carry((U(0),), U(0)), "PB-MOVE-45"),
        (Carry((U(7),), U(0)), "PB-GEN-3"),
        (Carry((U(1),), U(7)), "PB-GEN-3"),
        (Carry((U(1),), U(8)), "PB-MOVE-55"),
        (Uncarry(U(7)), "PB-GEN-3"),
    ],
)
def test_who_can_not_board(order: Any, rule: str) -> None:
    few: dict[str, Any] = {"strength": 10}
    t = table(
        FIELD,
        unit("us_m4", "0101"),
        unit("us_rifle_coy", "0101", **few),
        unit("us_57at", "0101"),
        unit("us_rifle_coy", "0102", **few),
        unit("us_rifle_coy", "0101", disrupted=True, **few),
        unit("us_rifle_coy", "0101", mp=3, **few),
        unit("us_rifle_coy", "0101", fixed=True, **few),
        unit("de_rifle_coy", "0502"),
        unit("us_m4", "0101", broken=True),
    )
    assert t.refusal(order).rule == rule


@pytest.mark.rule("PB-MOVE-55")
def test_nobody_is_set_down_or_boards_where_he_could_not_be() -> None:
    sea = "~ ~ ~\n~ ~ ~"
    t = table(sea, unit("uk_lct", "0101"), unit("us_rifle_coy", "0101", carrier=U(0)), unit("us_rifle_coy", "0101"))
    assert t.refusal(Uncarry(U(0))).rule == "PB-MOVE-55"
    assert t.refusal(Carry((U(2),), U(0))).rule == "PB-MOVE-55"
    t.change(1, disrupted=True)
    assert t.refusal(Uncarry(U(0))).reason.startswith("Disrupted")


@pytest.mark.rule("PB-MOVE-30", "PB-MOVE-12", "PB-UNIT-11")
def test_neither_who_never_moves_nor_who_is_on_a_train_or_holds_a_bridge_boards() -> None:
    t = table(
        FIELD,
        unit("de_truck", "0101", ALLIED, strength=20, full=20),
        unit("us_57at", "0101", strength=1, flags=("immobile",)),
        unit("us_57at", "0101", strength=1, mode="rail"),
        unit("us_57at", "0101", strength=1, operation="holding:1"),
    )
    refused = [t.refusal(Carry((U(n),), U(0))).rule for n in (1, 2, 3)]
    assert refused == ["PB-UNIT-11", "PB-MOVE-30", "PB-MOVE-12"]


@pytest.mark.rule("PB-MOVE-48", "PB-MOVE-49", "PB-MOVE-103")
def test_who_boards_digs_in_no_more() -> None:
    t = table(FIELD, unit("us_m4", "0101", digging_in=True), unit("us_rifle_coy", "0101", strength=20, digging_in=True))
    t.play(Carry((U(1),), U(0)))
    assert not t.unit(0).digging_in
    assert not t.unit(1).digging_in


@pytest.mark.rule("PB-STK-2", "PB-STK-3")
def test_a_ship_sets_nobody_down_where_there_is_no_room() -> None:
    ashore = [unit("us_rifle_coy", "0101") for _ in range(2)]
    aboard = [unit("us_rifle_coy", "0101", carrier=U(0)) for _ in range(2)]
    t = table("s . .", unit("uk_lct", "0101", ALLIED, strength=8, full=8), *aboard, *ashore)
    assert t.refusal(Uncarry(U(0))).rule == "PB-STK-2"
    t.change(4, hex=t.hex("0201"))
    assert t.check(Uncarry(U(0))) is None


def test_boarding_is_offered_to_who_stands_with_a_carrier() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("us_rifle_coy", "0101", strength=20), unit("us_rifle_coy", "0201"))
    verbs = {verb.key: verb for verb in RULES.menu(t.view(), Selection(units=(U(1),)))}
    assert [target.hex for target in verbs["carry"].targets] == [t.hex("0101")]
    assert "carry" not in {verb.key for verb in RULES.menu(t.view(), Selection(units=(U(2),)))}
    point, known = BOOK.of(Carry((U(1),), U(0))).point, t.known(ALLIED)
    assert point(known, ALLIED, [t.unit(1)], Selection(hex=t.hex("0101"))) == Carry((U(1),), U(0))
    assert point(known, ALLIED, [t.unit(1)], Selection(hex=t.hex("0101"), units=(U(0),))) == Carry((U(1),), U(0))
    assert point(known, ALLIED, [t.unit(0), t.unit(1)], Selection(hex=t.hex("0101"))) == Carry((U(1),), U(0))
    refusal = point(known, ALLIED, [t.unit(2)], Selection(hex=t.hex("0201")))
    assert not isinstance(refusal, Carry)
    t.play(Carry((U(1),), U(0)))
    assert "boards" in RULES.order_text(Carry((U(1),), U(0)), t.view())
    assert "sets everybody down" in RULES.order_text(Uncarry(U(0)), t.view())
    verbs = {verb.key: verb for verb in RULES.menu(t.view(), Selection(units=(U(0),)))}
    assert verbs["uncarry"].targets


@pytest.mark.rule("PB-MOVE-47", "PB-MOVE-49")
def test_who_is_carried_gets_off_when_its_carrier_sets_everybody_down() -> None:
    t = ride()
    for picked in ((U(0),), (U(1),), (U(0), U(1))):
        verbs = {verb.key: verb for verb in RULES.menu(t.view(), Selection(units=picked))}
        assert {target.order for target in verbs["uncarry"].targets} == {Uncarry(U(0))}
    verbs = {verb.key: verb for verb in RULES.menu(t.view(), Selection(units=(U(1),)))}
    assert verbs["carry"].refusal == refuse("PB-MOVE-49", "it is carried already")
    point = BOOK.of(Uncarry(U(0))).point
    assert point(t.known(ALLIED), ALLIED, [t.unit(1)], Selection(hex=t.hex("0101"))) == Uncarry(U(0))
    assert isinstance(point(t.known(ALLIED), ALLIED, [t.unit(1)], Selection(hex=t.hex("0201"))), Refusal)
    disrupted = ride(strength=20)
    disrupted.change(0, disrupted=True)
    verbs = {verb.key: verb for verb in RULES.menu(disrupted.view(), Selection(units=(U(1),)))}
    assert verbs["uncarry"].refusal is not None


@pytest.mark.rule("PB-MOVE-49", "PB-ZOC-10", "PB-STK-3")
def test_passengers_do_nothing_but_count_for_the_hex() -> None:
    t = ride()
    assert t.refusal(Fire(U(1), U(2))).rule == "PB-MOVE-49"
    assert not has_zone(t.unit(1))
    full = unit("us_rifle_coy", "0102", strength=300)
    t = ride("us_m4", "us_rifle_coy", full, strength=160)
    # 50 men-equivalents of tanks beside 160 men and 300 are too many
    assert not has_room(t.position, t.hex("0102"), (t.unit(0),))
    t.change(1, strength=100)
    assert has_room(t.position, t.hex("0102"), (t.unit(0),))


@pytest.mark.rule("PB-MOVE-49")
def test_passengers_see_nothing_and_who_is_inside_is_not_seen() -> None:
    t = table(
        FIELD,
        unit("us_rifle_coy", "0101", carrier=U(1)),
        unit("de_truck", "0101", ALLIED),
        unit("de_rifle_coy", "0201"),
    )
    assert level(t.position, t.unit(0)) == UNSPOTTED
    t.change(1, broken=True)
    assert level(t.position, t.unit(2)) != 2
    assert t.known(AXIS).units[0].hex == 0


@pytest.mark.rule("PB-MOVE-52")
def test_riders_are_a_soft_target_of_defense_16_whatever_carries_them() -> None:
    t = ride()
    target = as_target(t.position, t.unit(1))
    assert target.rides
    assert base_defense(target, DEFAULTS) == 16
    assert not is_hard(t.unit(1))
    assert t.known(AXIS).units[1].carrier == 0


@pytest.mark.rule("PB-MOVE-50", "PB-ASLT-10")
def test_riders_are_lost_when_their_carrier_attacks_or_defends_in_an_assault() -> None:
    t = table(
        FIELD,
        unit("us_m4", "0101"),
        unit("us_rifle_coy", "0101", strength=20, carrier=U(0)),
        unit("de_pz4h", "0201", strength=2),
        unit("de_rifle_plt", "0201", strength=10, carrier=U(2)),
    )
    t.play(Assault((U(0),), t.hex("0201")), AllHighest())
    assert (t.unit(1).gone, t.unit(3).gone) == ("eliminated", "eliminated")


@pytest.mark.rule("PB-MOVE-50", "PB-MOVE-54")
def test_who_is_inside_trucks_shares_their_fate_in_an_assault() -> None:
    t = table(
        FIELD,
        unit("us_m4", "0101"),
        unit("de_truck", "0201", strength=4),
        unit("de_rifle_plt", "0201", strength=10, carrier=U(1)),
    )
    t.play(Assault((U(0),), t.hex("0201")), AllHighest())
    assert [t.unit(number).gone for number in (1, 2)] == ["eliminated", "eliminated"]


@pytest.mark.rule("PB-MOVE-98", "PB-MOVE-49")
def test_nobody_takes_a_fixed_passenger_away() -> None:
    t = ride()
    t.change(1, fixed=True)
    assert t.refusal(Move((U(0),), t.hexes("0201"))).rule == "PB-MOVE-98"
    t.change(1, fixed=False)
    assert t.check(Move((U(0),), t.hexes("0201"))) is None


@pytest.mark.rule("PB-MOVE-51")
def test_riders_suffer_from_mines_as_well() -> None:
    t = ride(features={"0201": [Feature("minefield", AXIS, 1)]})
    t.play(Move((U(0),), t.hexes("0201")), AllHighest())
    assert [one.unit for one in t.all(MinesTouched)] == [0, 1]


@pytest.mark.rule("PB-MOVE-51", "PB-MOVE-83", "PB-ENG-26")
def test_who_passes_by_a_lane_or_clears_mines_brings_his_riders_through() -> None:
    mines = {"0201": [Feature("minefield", AXIS, 1)]}
    lane = unit("us_eng_coy", "0201", operation=CLEARING, progress=1)
    riders = unit("us_rifle_coy", "0101", strength=20, carrier=U(0))
    for carrier, others in (({"mode": TRAVEL}, (lane,)), ({"flags": ("mine_clear",)}, ())):
        t = table(FIELD, unit("us_m4", "0101", **carrier), riders, *others, features=mines)
        t.play(Move((U(0),), t.hexes("0201")))
        assert not t.all(MinesTouched)
        assert t.at(1) == "0201"


def hit(t: Table, number: int, lost: int, *dice: int) -> None:
    """A unit has lost so much by whatever it was."""
    resolution = Resolution(t.state, Faces(dice), changes.apply)
    forfeit(resolution, t.unit(number), lost)
    t.set(units=resolution.position.units, losses=resolution.position.losses)


@pytest.mark.rule("PB-MOVE-54", "PB-UNIT-8", "PB-VIC-13")
def test_passengers_inside_are_lost_in_proportion_to_their_carriers() -> None:
    t = ride("de_truck", "us_rifle_coy", strength=60)
    trucks = t.unit(0).strength
    hit(t, 0, trucks - 4)
    assert t.unit(1).strength == 40
    assert t.position.losses[ALLIED]["us_rifle_coy"] == 20
    hit(t, 0, 1)
    assert t.unit(1).strength == 30
    hit(t, 0, 3)
    assert t.unit(1).gone == "eliminated"
    t = ride("de_truck", "us_rifle_coy", strength=10)
    hit(t, 0, 1)
    assert t.unit(1).strength == 10


@pytest.mark.rule("PB-MOVE-54")
def test_riders_of_vehicles_that_are_gone_dismount_disrupted_with_losses() -> None:
    t = ride(strength=20)
    t.change(0, strength=2, full=5)
    hit(t, 0, 1)
    assert t.unit(1).strength == 20
    hit(t, 0, 1, HIGHEST)
    # the last fire took one of five vehicles
    assert (t.unit(1).strength, t.unit(1).disrupted, t.unit(1).carrier) == (16, True, -1)
    assert t.at(1) == "0101"


@pytest.mark.rule("PB-MOVE-53")
def test_passengers_of_a_ship_sunk_in_shallow_water_lose_half_and_in_deep_water_all() -> None:
    for terrain, left in (("s", 10), ("~", 0)):
        t = table(terrain, unit("uk_lct", "0101"), unit("us_rifle_coy", "0101", strength=20, carrier=U(0)))
        hit(t, 0, t.unit(0).strength, *([HIGHEST] if left else []))
        assert t.unit(1).strength == left
        assert bool(t.unit(1).hex) == bool(left)


@pytest.mark.rule("PB-MOVE-54", "PB-FIRE-63", "PB-UNIT-8")
@pytest.mark.parametrize("is_seen", [True, False])
def test_who_rides_in_trucks_that_shells_destroy_is_lost_with_them_and_told_to_who_sees_it(is_seen: bool) -> None:
    t = table(
        ". . . . . . . F",
        unit("us_m7", "0101", strength=50, full=50),
        unit("us_rifle_coy", "0701"),
        unit("de_truck", "0801", strength=1, full=10, concealed=not is_seen),
        unit("de_pak40", "0801", strength=1, full=1, carrier=U(2), mode="travel", concealed=not is_seen),
        unit("de_hmg_plt", "0801"),
    )
    t.play(Bombard(U(0), t.hex("0801")), AllHighest())
    assert [t.unit(number).hex for number in (2, 3)] == [0, 0]
    assert t.known(AXIS).losses[AXIS]["de_pak40"] == 1
    assert ("de_pak40" in t.known(ALLIED).losses.get(AXIS, {})) is is_seen
    assert bool(t.heard(ALLIED, Struck)) is is_seen


@pytest.mark.rule("PB-MOVE-111", "PB-VIC-15", "PB-FIRE-63", "PB-UNIT-15")
def test_of_a_breakdown_out_of_sight_the_enemy_sees_the_wreck_alone() -> None:
    rate = {"misc": {"vehicle_breakdown": {"allied": 99}}, "air": {"interdiction_pct": {"axis": 0}}}
    t = table(FIELD, unit("us_m4", "0101", strength=5), unit("de_rifle_coy", "0502"), visibility=[1], parameters=rate)
    t.play(Move((U(0),), t.hexes("0102")), dice=[ONE])
    assert t.known(ALLIED).losses == {ALLIED: {"us_m4": 1}}
    assert t.known(AXIS).losses == {}
    assert t.known(AXIS).wrecks == {t.hex("0102"): 1}
    (told,) = t.heard(AXIS, Struck)
    assert (told.unit, told.lost, told.kind, told.side) == (-1, 0, "", "")
    assert describe.sentence(told, t.known(AXIS)) == "A new wreck in 0102"
    assert RULES.marks(told).brief == ""
    assert describe.result((told,), t.view(AXIS)) == "no effect"


@pytest.mark.rule("PB-MOVE-81", "PB-FIRE-63")
def test_of_men_whom_mines_kill_out_of_sight_the_enemy_learns_nothing() -> None:
    t = table(
        FIELD,
        unit("us_rifle_coy", "0101", strength=11, full=160),
        unit("de_rifle_coy", "0502"),
        visibility=[1],
        features={"0102": [Feature("minefield", AXIS, 3)]},
    )
    t.play(Move((U(0),), t.hexes("0102")), AllHighest())
    assert t.unit(0).strength < 11
    assert t.known(ALLIED).losses[ALLIED]
    assert t.known(AXIS).losses == {}
    assert not t.heard(AXIS, Struck)


@pytest.mark.rule("PB-MOVE-49", "PB-AIR-37")
def test_aircraft_on_the_prowl_find_the_truck_and_not_who_is_in_it() -> None:
    t = ride("de_truck", "us_57at", strength=1)
    t.change(0, mode="travel")
    t.change(1, mode="travel")
    assert [one.id for one in on_the_march(t.position, t.unit(0))] == [U(0)]


# --- on foot --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-MOVE-67", "PB-MOVE-68")
def test_carried_men_may_leave_their_vehicles_behind_until_they_meet_their_headquarters() -> None:
    t = table(FIELD, unit("us_aib_coy", "0101"), unit("de_bn_hq", "0102", ALLIED), unit("de_rifle_coy", "0502"))
    verbs = {verb.key: verb for verb in RULES.menu(t.view(), Selection(units=(U(0),)))}
    (way,) = verbs["on_foot"].targets
    assert way.warning.startswith("its vehicles come back only")
    t.play(GoOnFoot(U(0)))
    walker = t.unit(0)
    assert walker.on_foot
    assert allowance(t.position, walker, "travel") == allowance(t.position, walker, "deployed")
    assert "leaves its vehicles" in describe.sentence(t.only(e.WentOnFoot), t.position)
    assert "vehicles behind" in RULES.order_text(GoOnFoot(U(0)), t.view())
    assert t.refusal(GoOnFoot(U(0))).reason == "it walks already"
    t.play(EndTurn(), AllHighest())
    t.play(EndTurn(), AllHighest())
    assert t.unit(0).on_foot
    t.change(0, hex=t.hex("0102"))
    t.play(EndTurn(), AllHighest())
    t.play(EndTurn(), AllHighest())
    assert not t.unit(0).on_foot
    assert "vehicles again" in describe.sentence(t.only(e.Remounted), t.position)


@pytest.mark.rule("PB-MOVE-45", "PB-MOVE-67")
def test_who_can_not_go_on_foot() -> None:
    t = table(
        FIELD, unit("us_rifle_coy", "0101"), unit("us_aib_coy", "0101", mode="travel"), unit("de_rifle_coy", "0502")
    )
    assert t.refusal(GoOnFoot(U(0))).reason.startswith("it has no vehicles")
    assert t.refusal(GoOnFoot(U(1))).reason == "it must deploy first"
    assert t.refusal(GoOnFoot(U(2))).rule == "PB-GEN-3"
    assert not list(walk_offers(t.known(ALLIED), ALLIED, t.unit(1)))
    aboard = table(FIELD, unit("us_aib_coy", "0101", carrier=U(1)), unit("us_m4", "0101"))
    assert not list(walk_offers(aboard.position, ALLIED, aboard.unit(0)))
    assert not t.all(Struck)


@pytest.mark.rule("PB-MOVE-52", "PB-SPOT-14")
def test_riders_come_into_sight_with_those_who_carry_them() -> None:
    t = table(
        ". . . . . .\n. . . . . .",
        unit("us_m4", "0601"),
        unit("su_rifle_plt", "0601", ALLIED, strength=20, carrier=U(0)),
        unit("de_rifle_coy", "0101"),
        visibility=(4,),
        active=AXIS,
    )
    assert not t.known(AXIS).units[1].hex
    t.play(Move((U(2),), t.hexes("0201")), dice=AllHighest())
    assert t.known(AXIS).units[1].hex == t.hex("0601")


@pytest.mark.rule("PB-ENG-7", "PB-MOVE-48", "PB-MOVE-103")
@pytest.mark.parametrize("change", [{"operation": "laying", "progress": 1}, {"digging_in": True}])
def test_the_work_of_who_boards_is_over(change: dict[str, Any]) -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("su_sapper_coy", "0101", strength=20, **change))
    t.play(Carry((U(1),), U(0)))
    assert (t.unit(1).operation, t.unit(1).digging_in, t.unit(1).progress) == ("", False, 0)


@pytest.mark.rule("PB-ENG-43", "PB-MOVE-12")
@pytest.mark.parametrize("work", ["holding:2", "building:2", "pontoon dismantling:2"])
def test_nobody_boards_who_has_a_bridge_in_hand(work: str) -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("su_sapper_coy", "0101", strength=20, operation=work))
    assert t.refusal(Carry((U(1),), U(0))).rule == "PB-MOVE-12"


@pytest.mark.rule("PB-MOVE-54", "PB-UNIT-8", "PB-FIRE-63")
@pytest.mark.parametrize("seen", [True, False])
def test_who_rides_inside_is_lost_with_a_carrier_that_shells_destroy_and_nobody_hears_of_it_who_did_not_see(
    seen: bool,
) -> None:
    t = table(
        FIELD,
        unit("su_152how", "0101", strength=40, full=40),
        unit("us_m4", "0201"),
        unit("de_truck", "0501", AXIS, mode="travel", strength=1),
        unit("de_rifle_plt", "0501", strength=10, carrier=U(2)),
        visibility=[5 if seen else 2],
        options={"fire_by_map": True},
    )
    t.play(Bombard(U(0), t.hex("0501")), AllHighest())
    assert (t.at(2), t.at(3)) == ("", "")
    assert t.known(AXIS).losses[AXIS] == {"de_truck": 1, "de_rifle_plt": 10}
    assert t.known(ALLIED).losses == (t.known(AXIS).losses if seen else {})
    assert [len(t.heard(side, Struck)) for side in (ALLIED, AXIS)] == [int(seen), 1]
    assert t.known(AXIS).units[3].gone == "eliminated"
    assert bool(t.known(ALLIED).units[3].gone) is seen


@pytest.mark.rule("PB-MOVE-54", "PB-AIR-38")
def test_men_on_the_outside_of_a_tank_that_aircraft_destroy_get_off() -> None:
    t = ride(strength=40, parameters={"air": {"interdiction_pct": {"axis": 100}, "interdiction_aircraft": 200}})
    t.change(0, strength=1, mode="travel")
    t.play(Move((U(0),), t.hexes("0201")), AllHighest())
    assert (t.at(0), t.at(1)) == ("", "0201")
    assert (t.unit(1).carrier, t.unit(1).disrupted) == (-1, True)


@pytest.mark.rule("PB-MOVE-67", "PB-UNIT-9")
@pytest.mark.parametrize("kind", ["us_aib_coy", "de_motinf_coy"])
def test_who_left_his_vehicles_behind_marches_as_infantry_and_not_in_them(kind: str) -> None:
    t = table(
        FIELD,
        unit(kind, "0101", ALLIED, on_foot=True, mode="travel", low_fuel=True),
        unit(kind, "0101", ALLIED, mode="travel"),
    )
    walking, riding = (as_target(t.position, t.unit(n)) for n in (0, 1))
    assert base_defense(walking, DEFAULTS) == DEFAULTS.misc.infantry_defense
    assert base_defense(riding, DEFAULTS) == riding.kind.defense
    assert (is_hard_target(walking, ""), is_armored(walking)) == (False, False)
    assert is_armored(riding) is (kind == "us_aib_coy")
    fighters = [as_fighter(t.position, t.unit(n), t.hex("0201")) for n in (0, 1)]
    assert [one.fights_as_vehicle for one in fighters] == [False, True]
    assert [target_type(t.unit(n)) for n in (0, 1)] == ["foot", "hard" if kind == "us_aib_coy" else "soft"]
