"""Overruns, close assaults, and riders who do both."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzerblitz_3d.assault import may_assault
from sandtable.rulesets.panzerblitz_3d.events import AttackFailed, AttackRolled
from sandtable.rulesets.panzerblitz_3d.model import DESTROYED, GERMAN, OVERRUN, RUSSIAN
from sandtable.rulesets.panzerblitz_3d.orders import (
    CloseAssault,
    EndPhase,
    MoveUnit,
    OpportunityFire,
    Overrun,
    OverrunRun,
    Pass,
)
from sandtable.rulesets.panzerblitz_3d.overrun import MOST_TOGETHER, pick_overrun
from tests.rulesets.panzerblitz_3d.table import Counter, Table, U, open_ground, table, unit

GROUND = open_ground(6, 6)


def driving(*units: Counter, rows: str = GROUND, **fields: Any) -> Table:
    """Russian tanks may drive."""
    return table(rows, *units, **{"phasing": RUSSIAN, "step": "vehicle movement", **fields})


def run(t: Table, number: int, *labels: str) -> OverrunRun:
    return OverrunRun(U(number), t.hexes(*labels))


def straight(t: Table, number: int = 0) -> Overrun:
    """From 0304 through 0303 to 0302."""
    return Overrun(t.hex("0303"), (run(t, number, "0303", "0302"),))


# --- overruns --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB3-1001", "PB3-1002", "PB3-1003")
def test_an_overrun_drives_straight_through_and_stops_behind() -> None:
    t = driving(unit("r_t34c", "0304"), unit("g_rifle", "0303"), unit("g_truck", "0303"))
    strength, defense, odds, drm = t.explain(straight(t))
    assert (strength.total, defense.total, odds.total, drm.total) == (12, 9, "2-1", -2)
    assert [line.value for line in odds.lines] == ["1-1", "2-1"]
    t.play(straight(t), [1])
    assert t.at(0) == "0302"
    assert [t.unit(number).fate for number in (1, 2)] == [DESTROYED, DESTROYED]
    assert t.refusal(MoveUnit(U(0), t.hexes("0301"))).rule == "PB3-601"


@pytest.mark.rule("PB3-1002")
def test_the_exit_lies_opposite_and_must_be_free_of_enemies_with_room_to_stop() -> None:
    t = driving(unit("r_t34c", "0304"), unit("g_rifle", "0303"))
    assert t.refusal(Overrun(t.hex("0303"), (run(t, 0, "0303", "0402"),))).rule == "PB3-1002"
    assert t.refusal(Overrun(t.hex("0303"), (run(t, 0, "0303"),))).rule == "PB3-1002"
    t = driving(unit("r_t34c", "0304"), unit("g_rifle", "0303"), unit("g_truck", "0302"))
    assert t.refusal(straight(t)).rule == "PB3-606"
    t = driving(unit("r_t34c", "0304"), unit("g_rifle", "0303"), unit("r_rifle", "0302"), unit("r_rifle", "0302"))
    assert t.refusal(straight(t)).rule == "PB3-404"


@pytest.mark.rule("PB3-1002")
def test_points_for_both_hexes_are_needed_and_no_road_helps() -> None:
    t = driving(unit("g_jtiger", "0306"), unit("r_truck", "0303"), phasing=GERMAN, roads=[["0306", "0305", "0304"]])
    assert t.check(Overrun(t.hex("0303"), (run(t, 0, "0305", "0304", "0303", "0302"),))) is None
    t.play(MoveUnit(U(0), t.hexes("0305")))
    assert t.refusal(Overrun(t.hex("0303"), (run(t, 0, "0304", "0303", "0302"),))).rule == "PB3-1002"
    t = driving(unit("g_jtiger", "0106"), unit("r_truck", "0103"), phasing=GERMAN, rows="..\n..\n..\n..\nS.\n..")
    order = Overrun(t.hex("0103"), (run(t, 0, "0105", "0104", "0103", "0102"),))
    assert t.refusal(order).rule == "PB3-602"


@pytest.mark.parametrize("letter", "TWMSF")
@pytest.mark.rule("PB3-1001")
def test_only_clear_hexes_are_overrun(letter: str) -> None:
    rows = f"......\n......\n..{letter}...\n......"
    t = driving(unit("r_t34c", "0304"), unit("g_rifle", "0303"), rows=rows)
    assert t.refusal(straight(t)).rule == "PB3-1001"
    assert t.options(0, Overrun) == []


@pytest.mark.rule("PB3-1001")
def test_a_clear_hilltop_a_road_and_a_ford_are_clear() -> None:
    for fields in ({"rows": "......\n..S...\n..^...\n..S..."}, {"ford": ["0303"]}, {"roads": [["0304", "0303"]]}):
        t = driving(unit("r_t34c", "0304"), unit("g_rifle", "0303"), **fields)
        assert t.check(straight(t)) is None


@pytest.mark.rule("PB3-1001")
def test_an_overrun_needs_somebody_to_overrun_on_the_map() -> None:
    t = driving(unit("r_t34c", "0304"), unit("g_rifle", "0101"))
    assert t.refusal(straight(t)).rule == "PB3-1001"
    assert t.refusal(Overrun(HexId(0), (run(t, 0, "0303", "0302"),))).rule == "PB3-1001"


@pytest.mark.rule("PB3-1001", "PB3-1004")
@pytest.mark.parametrize(
    ("key", "target", "can"),
    [
        ("g_pz4", "r_t34c", True),
        ("g_ht", "r_45at", True),
        ("g_ht", "r_su76", False),
        ("g_hummel", "r_truck", False),
        ("g_truck", "r_truck", False),
        ("g_puma", "r_truck", True),
    ],
)
def test_who_overruns_whom(key: str, target: str, can: bool) -> None:
    t = driving(unit(key, "0304"), unit(target, "0303"), phasing=GERMAN)
    assert (t.check(straight(t)) is None) is can
    if not can:
        assert t.refusal(straight(t)).rule == "PB3-1004"


@pytest.mark.rule("PB3-601", "PB3-1001")
def test_who_has_fired_does_not_overrun() -> None:
    t = driving(unit("r_t34c", "0304", fired=True), unit("g_rifle", "0303"))
    assert t.refusal(straight(t)).rule == "PB3-601"
    assert t.options(0, Overrun) == []
    assert t.refusal(straight(t, 7)).rule == "PB3-1001"


@pytest.mark.parametrize(
    "fields", [{"wrecks": {"0303": 1}}, {"blocks": ["0303"]}, {"mines": ["0303"]}, {"fort": True}], ids=str
)
@pytest.mark.rule("PB3-1006")
def test_wrecks_blocks_mines_and_forts_forbid_it(fields: dict[str, Any]) -> None:
    forts = [unit("n_fort_g", "0303")] if fields.pop("fort", False) else []
    t = driving(unit("r_t34c", "0304"), unit("g_rifle", "0303"), *forts, options={"works": True}, **fields)
    assert t.refusal(straight(t)).rule == "PB3-1006"


@pytest.mark.rule("PB3-1005")
def test_all_who_overrun_a_stack_attack_it_together_and_once() -> None:
    t = driving(unit("r_t34c", "0304"), unit("r_t3485", "0203"), unit("g_pz4", "0303"), unit("r_t34c", "0204"))
    order = Overrun(t.hex("0303"), (run(t, 0, "0303", "0302"), run(t, 1, "0303", "0402")))
    t.play(order, [6])
    (rolled,) = t.happened(AttackRolled)
    assert (rolled.strength, rolled.odds, rolled.attackers) == (27, "4-1", (0, 1))
    t.change(2, fate="", hex=t.hex("0303"), attacked=(OVERRUN,))
    t.set(wrecks={})
    again = Overrun(t.hex("0303"), (run(t, 3, "0203", "0303", "0402"),))
    assert t.refusal(again).rule == "PB3-1005"
    assert t.refusal(Overrun(t.hex("0303"), ())).rule == "PB3-1005"
    assert t.refusal(Overrun(t.hex("0303"), (run(t, 3, "0303", "0302"),) * 2)).rule == "PB3-1005"


@pytest.mark.rule("PB3-811")
def test_hopeless_overruns_are_refused() -> None:
    t = driving(unit("g_lynx", "0304"), unit("r_rifle", "0303"), phasing=GERMAN)
    assert t.refusal(straight(t)).rule == "PB3-811"


@pytest.mark.rule("PB3-1104", "PB3-1106")
def test_overrunners_are_fired_at_on_the_way_and_behind_but_not_in_the_hex() -> None:
    t = driving(
        unit("r_t34c", "0306"),
        unit("g_truck", "0303"),
        unit("g_75pak", "0603", of_assigned=True),
    )
    order = Overrun(t.hex("0303"), (run(t, 0, "0305", "0304", "0303", "0302"),))
    t.play(order, passing=False)
    places = []
    while t.asked == "opportunity fire":
        places.append(t.at(0))
        t.play(Pass(), [1] if t.at(0) == "0302" else [], passing=False)
    assert places == ["0304", "0302"]
    assert t.unit(1).fate == DESTROYED


@pytest.mark.rule("PB3-902", "PB3-1005")
def test_who_is_stopped_on_the_way_takes_no_part() -> None:
    t = driving(
        unit("r_t34c", "0306"),
        unit("r_t34c", "0203"),
        unit("g_rifle", "0303"),
        unit("g_88", "0603", of_assigned=True),
    )
    order = Overrun(t.hex("0303"), (run(t, 0, "0305", "0304", "0303", "0302"), run(t, 1, "0303", "0402")))
    t.play(order, passing=False)
    t.play(OpportunityFire((U(3),)), [1, 6])
    (_, rolled) = t.happened(AttackRolled)
    assert (rolled.attackers, rolled.how) == ((1,), "overrun")


@pytest.mark.rule("PB3-1002", "PB3-1005", "PB3-1606")
def test_who_stops_on_a_block_behind_the_hex_has_overrun_and_who_runs_onto_mines_there_has_not() -> None:
    works: dict[str, Any] = {"options": {"works": True}}
    t = driving(unit("r_t34c", "0304"), unit("g_rifle", "0303"), blocks=["0302"], **works)
    t.play(straight(t), [6])
    assert [event.how for event in t.happened(AttackRolled)] == ["overrun"]
    t = driving(unit("r_t34c", "0304"), unit("g_rifle", "0303"), mines=["0302"], **works)
    t.play(straight(t), [6])
    assert [event.how for event in t.happened(AttackRolled)] == ["mine"]
    assert (t.at(0), t.unit(0).moved) == ("0302", True)


@pytest.mark.rule("PB3-1005")
def test_when_nobody_gets_through_there_is_no_attack() -> None:
    t = driving(unit("r_t34c", "0306"), unit("g_rifle", "0303"), unit("g_88", "0603", of_assigned=True))
    t.play(Overrun(t.hex("0303"), (run(t, 0, "0305", "0304", "0303", "0302"),)), passing=False)
    t.play(OpportunityFire((U(2),)), [1])
    assert [event.how for event in t.happened(AttackRolled)] == ["opportunity"]
    assert t.asked == "vehicle movement"


@pytest.mark.rule("PB3-811", "PB3-1005")
def test_an_overrun_that_is_too_weak_after_losses_comes_to_nothing() -> None:
    t = driving(
        unit("r_t34c", "0306"),
        unit("r_ht", "0203"),
        unit("g_rifle", "0303"),
        unit("g_engineer", "0303"),
        unit("g_88", "0603", of_assigned=True),
    )
    order = Overrun(t.hex("0303"), (run(t, 0, "0305", "0304", "0303", "0302"), run(t, 1, "0303", "0402")))
    t.play(order, passing=False)
    t.play(OpportunityFire((U(4),)), [1])
    assert [event.how for event in t.happened(AttackFailed)] == ["overrun"]


def test_overruns_that_a_player_might_try_are_lawful() -> None:
    t = driving(*[unit("r_t34c", f"0{n}05") for n in range(1, 6)], unit("g_rifle", "0303"))
    found = t.options(0, Overrun)
    assert {len(order.runs) for order in found} == {1, MOST_TOGETHER}
    assert all(t.check(order) is None for order in found)
    picked = [pick_overrun(t.position, RUSSIAN, t.unit(0), PromptDice(str(seed))) for seed in range(10)]
    assert all(order is None or t.check(order) is None for order in picked)
    assert any(picked)
    assert pick_overrun(t.position, RUSSIAN, t.unit(5), PromptDice("1")) is None


def test_no_overrun_is_picked_where_no_way_leads_through() -> None:
    t = driving(unit("r_t34c", "0104"), unit("g_rifle", "0101"), rows="..\n..\n..\n..")
    assert t.options(0, Overrun) == []
    assert pick_overrun(t.position, RUSSIAN, t.unit(0), PromptDice("1")) is None


# --- close assaults --------------------------------------------------------------------------------------------------


def storming(*units: Counter, rows: str = GROUND, **fields: Any) -> Table:
    """Russian infantry may storm 0303."""
    return table(rows, *units, **{"phasing": RUSSIAN, "step": "close assault", **fields})


def storm(t: Table, *numbers: int, label: str = "0303") -> CloseAssault:
    return CloseAssault(tuple(map(U, numbers)), t.hex(label))


@pytest.mark.rule("PB3-1021")
def test_infantry_storms_whatever_is_in_a_hex_beside_it_seen_or_not() -> None:
    rows = "......\n......\n..W...\n......"
    t = storming(unit("r_guards", "0304"), unit("r_smg", "0203"), unit("g_tiger1", "0303"), rows=rows)
    strength, defense, odds, drm = t.explain(storm(t, 0, 1))
    assert (strength.total, defense.total, odds.total, drm.total) == (14, 12, "1-1", -1)
    t.play(storm(t, 0, 1), [1])
    assert t.unit(2).dispersed
    assert t.unit(0).fired


@pytest.mark.parametrize(
    ("attacker", "rule"),
    [
        (unit("r_guards", "0304", fired=True), "PB3-1021"),
        (unit("r_guards", "0304", dispersed=True), "PB3-902"),
        (unit("r_guards", "0304", unloaded=True), "PB3-622"),
        (unit("r_guards", "0304", mined=True), "PB3-1606"),
        (unit("r_t34c", "0304"), "PB3-1021"),
        (unit("r_mg", "0304"), "PB3-1021"),
        (unit("r_guards", "0306"), "PB3-1021"),
    ],
)
@pytest.mark.rule("PB3-622", "PB3-902", "PB3-1021", "PB3-1606")
def test_who_may_not_storm(attacker: Counter, rule: str) -> None:
    t = storming(attacker, unit("g_truck", "0303"))
    assert t.refusal(storm(t, 0)).rule == rule
    assert t.options(0, CloseAssault) == []


@pytest.mark.rule("PB3-1021")
def test_passengers_and_garrisons_do_not_storm() -> None:
    t = storming(unit("r_t34c", "0304"), unit("r_smg", carrier=0), unit("g_truck", "0303"))
    assert t.refusal(storm(t, 1)).rule == "PB3-622"
    t = storming(unit("n_fort_r", "0304"), unit("r_smg", fort=0), unit("g_truck", "0303"), options={"works": True})
    assert t.refusal(storm(t, 1)).rule == "PB3-1606"


@pytest.mark.rule("PB3-1021")
def test_a_hex_is_stormed_once_in_a_player_turn() -> None:
    t = storming(unit("r_guards", "0304"), unit("r_smg", "0203"), unit("g_rifle", "0303"))
    t.play(storm(t, 0), [6])
    assert t.refusal(storm(t, 1)).rule == "PB3-1021"


@pytest.mark.rule("PB3-1021")
def test_orders_that_name_nonsense_are_refused_and_never_fail() -> None:
    t = storming(unit("r_guards", "0304"), unit("g_rifle", "0303"))
    for order in (storm(t), storm(t, 0, 0), storm(t, 1), storm(t, 9), CloseAssault((U(0),), HexId(0))):
        t.refusal(order)
        assert t.explain(order) == ()
    assert t.refusal(storm(t, 0, label="0404")).rule == "PB3-1021"


@pytest.mark.rule("PB3-807", "PB3-808", "PB3-1021")
def test_uphill_every_factor_is_halved_for_itself() -> None:
    rows = "......\n......\n..S...\n......"
    t = storming(unit("r_guards", "0304"), unit("r_recon", "0304"), unit("g_truck", "0303"), rows=rows)
    (strength, *_) = t.explain(storm(t, 0, 1))
    assert strength.total == 3 + 1
    assert [line.rule for line in strength.lines if line.value == "x1/2"] == ["PB3-807", "PB3-807"]


@pytest.mark.rule("PB3-1022")
def test_an_engineer_helps_those_of_its_own_hex_once() -> None:
    t = storming(
        unit("r_guards", "0304"), unit("r_engineer", "0304"), unit("r_engineer", "0203"), unit("g_rifle", "0303")
    )
    assert t.explain(storm(t, 0, 1))[2].total == "2-1"
    assert t.explain(storm(t, 0, 2))[2].total == "1-1"
    assert t.explain(storm(t, 0, 1, 2))[2].total == "2-1"
    assert t.explain(storm(t, 1, 2))[2].total == "1-2"


@pytest.mark.rule("PB3-1021")
def test_assaults_alone_with_the_stack_and_with_everybody_are_offered() -> None:
    t = storming(unit("r_guards", "0304"), unit("r_smg", "0304"), unit("r_rifle", "0203"), unit("g_rifle", "0303"))
    parties = [order.units for order in t.options(0, CloseAssault)]
    assert [set(party) for party in parties] == [{0}, {0, 1}, {0, 1, 2}]
    assert t.options(3, CloseAssault) == []
    assert may_assault(t.position)


# --- riders ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB3-1608")
def test_with_the_option_riders_drop_off_and_storm_the_overrun_hex() -> None:
    t = driving(
        unit("r_t34c", "0305"),
        unit("r_smg", carrier=0),
        unit("g_pz4", "0303"),
        unit("g_truck", "0403"),
        options={"panzerblitz_assault": True},
    )
    order = Overrun(t.hex("0303"), (run(t, 0, "0304", "0303", "0302"),), (U(1),))
    assert order in t.options(0, Overrun)
    t.play(order, [6])
    assert (t.at(0), t.at(1)) == ("0302", "0304")
    t.play(EndPhase())
    t.play(EndPhase())
    assert t.asked == "close assault"
    assert t.refusal(storm(t, 1, label="0403")).rule == "PB3-1608"
    t.play(storm(t, 1), [6])


@pytest.mark.rule("PB3-1608")
def test_riders_drop_off_only_with_the_option_from_tanks_that_overrun() -> None:
    def order(t: Table, *drop: int) -> Overrun:
        return Overrun(t.hex("0303"), (run(t, 0, "0304", "0303", "0302"),), tuple(map(U, drop)))

    units = (unit("r_t34c", "0305"), unit("r_smg", carrier=0), unit("g_truck", "0303"), unit("r_rifle", "0305"))
    t = driving(*units)
    assert t.refusal(order(t, 1)).rule == "PB3-1608"
    t = driving(*units, options={"panzerblitz_assault": True})
    assert t.refusal(order(t, 3)).rule == "PB3-1608"
    assert t.refusal(order(t, 99)).rule == "PB3-1608"
    t = driving(
        unit("r_ht", "0305"), unit("r_smg", carrier=0), unit("g_truck", "0303"), options={"panzerblitz_assault": True}
    )
    assert t.refusal(order(t, 1)).rule == "PB3-1608"


@pytest.mark.rule("PB3-404", "PB3-1608")
def test_riders_need_room_where_they_drop_off() -> None:
    t = driving(
        unit("r_t34c", "0305"),
        unit("r_smg", carrier=0),
        unit("g_truck", "0303"),
        unit("r_rifle", "0304"),
        options={"panzerblitz_assault": True},
    )
    assert t.refusal(Overrun(t.hex("0303"), (run(t, 0, "0304", "0303", "0302"),), (U(1),))).rule == "PB3-404"


def test_a_rider_that_stays_aboard_goes_with_its_tank() -> None:
    t = driving(unit("r_t34c", "0304"), unit("r_smg", carrier=0), unit("g_truck", "0303"))
    t.play(straight(t), [1])
    assert t.at(1) == "0302"
