"""Naval fire: points a turn, direct fire from the sea, and lots written two turns ahead."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_leader import artillery, missions, naval
from sandtable.rulesets.panzer_leader.events import (
    AttackFailed,
    AttackRolled,
    HexShelled,
    MissionFired,
    MissionWritten,
    NavalSpent,
    UnitRevealed,
)
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, Mission
from sandtable.rulesets.panzer_leader.orders import FireMissions, NavalFire, WriteNavalMission
from sandtable.rulesets.panzer_leader.scenario import Naval
from tests.rulesets.panzer_leader.table import Counter as Piece
from tests.rulesets.panzer_leader.table import Table, ids, table, unit

COAST = """
O O B . . . . . W . T .
O O B . . . . . W . T .
"""


def coast(*units: Piece, points: int = 60, rows: str = COAST, **more: Any) -> Table:
    """The Allies have naval points off a coast."""
    options = {"naval_fire": True, **more.pop("options", {})}
    sections = {"naval": Naval({"allied": points})}
    return table(rows, *units, options=options, sections=sections, naval={ALLIED: points}, **more)


def fire(t: Table, points: int, label: str, *targets: int) -> NavalFire:
    return NavalFire(points, t.hex(label), ids(*targets))


@pytest.mark.rule("PL-1121")
def test_naval_fire_is_used_in_lots_of_at_least_20_points_out_of_those_of_the_turn() -> None:
    """19 are too few, 61 too many; what is fired is spent."""
    t = coast(unit("g_rifle", "0401"), unit("g_rifle", "0501"))
    assert "at least 20" in t.refusal(fire(t, 19, "0401", 0)).reason
    assert t.refusal(fire(t, 61, "0401", 0)).detail == "60 are left"
    t.play(fire(t, 41, "0401", 0), dice=[6])
    assert t.happened(NavalSpent) == [NavalSpent(ALLIED, 41)]
    assert naval.points_left(t.position, ALLIED) == 19
    assert t.refusal(fire(t, 20, "0501", 1)).rule == "PL-1121"


@pytest.mark.rule("PL-1121")
def test_without_the_option_or_points_there_is_no_naval_fire() -> None:
    """The option is off, or the other side has the ships."""
    t = coast(unit("g_rifle", "0401"), options={"naval_fire": False})
    assert t.refusal(fire(t, 20, "0401", 0)).rule == "PL-1121"
    assert t.refusal(WriteNavalMission(20, t.hex("0401"))).rule == "PL-1121"
    t = coast(unit("a_rifle", "0401"), phasing=GERMAN)
    assert t.refusal(fire(t, 20, "0401", 0)).rule == "PL-1121"
    assert not naval.may_write(t.position)


@pytest.mark.rule("PL-1121", "PL-1324")
def test_naval_fire_at_enemies_on_top_of_ones_own_fort_is_rolled_again_against_the_fort() -> None:
    t = coast(unit("n_fort20", "0401", side=ALLIED), unit("a_rifle", fort=0), unit("g_rifle", "0401"))
    t.play(fire(t, 40, "0401", 2), dice=[6, 1])
    top, fort = t.happened(AttackRolled)
    assert (top.strength, top.targets, top.rule) == ("40", (2,), "PL-1121")
    assert (fort.strength, fort.defense, fort.targets, fort.group, fort.rule) == ("20", 20, (0,), "", "PL-1324")
    assert t.unit(1).dispersed
    high = coast(unit("n_fort40", "0401", side=ALLIED), unit("g_smg", "0401"), elevation={"0401": 2})
    high.play(fire(high, 20, "0401", 1), dice=[6])
    assert [event.targets for event in high.happened(AttackRolled)] == [(1,)]  # 5 to 40 is worse than 1-4


@pytest.mark.rule("PL-1121", "PL-1333")
def test_naval_guns_attack_a_tank_bridge_by_itself() -> None:
    rows = COAST.replace("B . .", "B R .", 1)
    t = coast(unit("n_tbridge", "0401", side=GERMAN), unit("g_rifle", "0401"), rows=rows)
    assert t.refusal(fire(t, 60, "0401", 0, 1)).rule == "PL-1333"
    assert t.check(fire(t, 60, "0401", 1)) is None
    t.play(fire(t, 60, "0401", 0), dice=[5])
    assert t.happened(AttackRolled)[0].targets == (0,)


@pytest.mark.rule("PL-1121", "PL-808")
@pytest.mark.parametrize(("kinds", "strength"), [(["g_rifle"], "40"), (["g_pz4"], "20"), (["g_pz4", "g_rifle"], "20")])
def test_naval_guns_are_always_far_and_halved_against_armor(kinds: list[str], strength: str) -> None:
    """Also where armor and others are evenly divided (PL-807)."""
    t = coast(*(unit(kind, "0401") for kind in kinds))
    t.play(fire(t, 40, "0401", *range(len(kinds))), dice=[6])
    (roll,) = t.happened(AttackRolled)
    assert (roll.strength, roll.rule, roll.attackers, roll.group) == (strength, "PL-1121", (), "fire")


@pytest.mark.rule("PL-1121")
def test_direct_naval_fire_has_any_range_but_needs_a_line_of_sight_from_some_sea_hex() -> None:
    """Behind the town nobody is seen from the sea."""
    rows = "O" + "." * 60 + "T" + "."
    t = coast(unit("g_rifle", "6101"), unit("g_rifle", "6301"), rows=rows)
    assert t.check(fire(t, 20, "6101", 0)) is None
    assert "line of sight" in t.refusal(fire(t, 20, "6301", 1)).reason
    inland = coast(unit("g_rifle", "0401"), rows=". . . . . .")
    assert inland.refusal(fire(inland, 20, "0401", 0)).rule == "PL-1121"


@pytest.mark.rule("PL-721", "PL-1121")
def test_a_target_in_woods_must_be_spotted_for_direct_naval_fire() -> None:
    """A friend beside it spots it."""
    t = coast(unit("g_rifle", "0901"), unit("a_rifle", "0401"))
    assert t.refusal(fire(t, 20, "0901", 0)).rule == "PL-721"
    t.change(1, hex="0801")
    assert t.check(fire(t, 20, "0901", 0)) is None


@pytest.mark.rule("PL-821", "PL-822", "PL-1121")
@pytest.mark.parametrize(("rows", "levels", "rule"), [("O..S", {}, "PL-822"), ("O...", {"0401": 2}, "PL-821")])
def test_naval_fire_at_higher_ground_is_halved(rows: str, levels: dict[str, int], rule: str) -> None:
    """Ships lie at ground level."""
    t = coast(unit("g_rifle", "0401"), rows=rows, elevation=levels)
    tallies = t.explain(fire(t, 40, "0401", 0))
    assert [(tally.title, tally.total) for tally in tallies] == [
        ("Attack strength", 20),
        ("Defense strength", 8),
        ("Odds", "2-1"),
        ("Die modifier", 0),
    ]
    assert rule in {line.rule for line in tallies[0].lines}
    assert t.explain(fire(t, 10, "0401", 0)) == ()


@pytest.mark.rule("PL-804", "PL-511", "PL-1121")
def test_naval_fire_obeys_the_limits_of_direct_fire() -> None:
    """Not into a shelled hex, not at a unit fired at already, not at nonsense."""
    t = coast(unit("g_rifle", "0401"), unit("a_rifle", "0501"), unit("g_tiger2", "0601"))
    assert coast(unit("g_rifle", "0401"), shelled=["0401"]).refusal(fire(t, 20, "0401", 0)).rule == "PL-804"
    assert coast(unit("g_rifle", "0401", attacked=("fire",))).refusal(fire(t, 20, "0401", 0)).rule == "PL-511"
    assert t.refusal(fire(t, 20, "0501", 1)).rule == "PL-802"
    assert t.refusal(fire(t, 20, "0401")).rule == "PL-802"
    assert t.refusal(fire(t, 20, "0401", 99)).rule == "PL-802"
    assert t.refusal(NavalFire(20, HexId(0), ids(0))).rule == "PL-1121"
    t = coast(*[unit("g_tiger2", "0601")] * 3)
    assert t.refusal(fire(t, 20, "0601", 0, 1, 2)).rule == "PL-832"


@pytest.mark.rule("PL-802", "PL-1121")
def test_in_a_town_naval_fire_hits_every_unit_of_the_hex() -> None:
    """Also those the side did not know of when it gave the order."""
    rows = "O . . T ."
    t = coast(unit("g_rifle", "0401"), unit("a_rifle", "0501"), rows=rows)
    known = fire(t, 60, "0401", 0)
    assert t.check(known) is None
    true = coast(unit("g_rifle", "0401"), unit("a_rifle", "0501"), unit("g_rifle", "0401"), rows=rows)
    true.run(naval.resolve_naval_fire, ALLIED, known, dice=[6])
    assert true.happened(AttackRolled)[0].targets == (0, 2)
    crowd = coast(*[unit("g_rifle", "0401")] * 18, points=20, rows=rows)
    crowd.run(naval.resolve_naval_fire, ALLIED, fire(crowd, 20, "0401", 0))
    assert crowd.events == (NavalSpent(ALLIED, 20), AttackFailed(ALLIED, "direct", (), crowd.hex("0401")))


@pytest.mark.rule("PL-1401", "PL-1121")
def test_a_face_down_unit_shows_itself_under_naval_fire() -> None:
    """German ships would see what lands."""
    t = table(
        "O O B .",
        unit("a_rifle", "0201", facedown=True),
        options={"naval_fire": True},
        naval={GERMAN: 20},
        phasing=GERMAN,
    )
    t.play(fire(t, 20, "0201", 0), dice=[6])
    assert [event.unit for event in t.happened(UnitRevealed)] == [0]


# --- written fire ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-1121", "PL-1103")
def test_naval_missions_are_written_two_turns_ahead_for_a_hex_that_is_observed() -> None:
    """They claim points of the turn in which they come down, and cost nothing now."""
    t = coast(unit("a_rifle", "0301"), segment=3, turn=2)
    t.play(WriteNavalMission(40, t.hex("0801")))
    assert t.happened(MissionWritten) == [
        MissionWritten(Mission(ALLIED, (), t.hex("0801"), ids(0), written=3, due=7, naval=40))
    ]
    assert naval.points_left(t.position, ALLIED) == 60
    assert t.refusal(WriteNavalMission(21, t.hex("0801"))).detail == "20 are left"
    assert t.check(WriteNavalMission(20, t.hex("0801"))) is None
    assert t.refusal(WriteNavalMission(20, t.hex("1201"))).rule == "PL-1103"
    assert t.refusal(WriteNavalMission(20, HexId(0))).rule == "PL-1121"


@pytest.mark.rule("PL-1121", "PL-1107")
def test_a_naval_mission_comes_down_with_the_batteries_and_its_points_are_spent() -> None:
    """60 points and a howitzer of 40 make 100 on the one counter."""
    rows = "O" + "." * 19
    t = coast(unit("a_105", "0201"), unit("a_rifle", "1401"), unit("g_rifle", "1501"), rows=rows, segment=5, turn=3)
    spotted: dict[str, Any] = {"spotters": ids(1), "due": 5}
    t.set(
        missions=(
            Mission(ALLIED, (), t.hex("1501"), written=1, naval=60, **spotted),
            Mission(ALLIED, ids(0), t.hex("1501"), written=3, **spotted),
        )
    )
    assert naval.points_left(t.position, ALLIED) == 0
    (strength, *_) = t.explain(FireMissions())
    assert strength.total == 100
    assert "PL-1121" in {line.rule for line in strength.lines}
    t.play(FireMissions(), dice=[6])
    assert t.happened(AttackRolled)[0].strength == "100"
    assert t.happened(NavalSpent) == [NavalSpent(ALLIED, 60)]
    assert naval.points_left(t.position, ALLIED) == 0


@pytest.mark.rule("PL-510", "PL-1105")
def test_naval_fire_written_before_the_battle_comes_down_in_turn_1_with_a_die_for_scatter() -> None:
    """It has no spotters, so it is rolled for."""
    t = coast(unit("g_rifle", "0801"))
    t.set(missions=(Mission(ALLIED, (), t.hex("0801"), (), written=0, due=1, naval=20),))
    assert artillery.has_due_missions(t.position)
    played = t.play(FireMissions(), dice=[1, 6])
    assert [draw.rule for draw in played.draws] == ["PL-1105", "PL-1107"]
    assert t.happened(MissionFired)[0].die == 1
    assert t.happened(HexShelled) == [HexShelled(t.hex("0801"))]


@pytest.mark.rule("PL-501", "PL-1121")
def test_a_side_with_naval_points_for_two_turns_on_writes_orders() -> None:
    """Not when they would come down after the last turn, nor when they are all promised."""
    assert artillery.may_write_missions(coast(turn=8).position)
    assert not artillery.may_write_missions(coast(turn=9).position)
    t = coast()
    t.set(missions=(Mission(ALLIED, (), t.hex("0801"), (), written=1, due=5, naval=50),))
    assert not artillery.may_write_missions(t.position)


@pytest.mark.rule("PL-1121")
def test_the_options_are_the_smallest_lot_and_all_of_it_on_what_may_be_fired_at() -> None:
    """Directly or in writing, as the step is; friends are spared, and points that are gone offer nothing."""
    t = coast(unit("g_rifle", "0401"), unit("g_rifle", "0901"), unit("a_rifle", "0501"))
    t.set(step="direct fire")
    assert list(naval.fire_options(t.position, ALLIED)) == [fire(t, 20, "0401", 0), fire(t, 60, "0401", 0)]
    t.set(step="indirect orders")
    options = list(naval.write_options(t.position, ALLIED))
    assert options == [WriteNavalMission(20, t.hex("0401")), WriteNavalMission(60, t.hex("0401"))]
    assert all(t.check(order) is None for order in options)
    offers = [order.hex for order in naval.write_offers(t.position, ALLIED)]
    assert t.hex("0401") in offers
    assert offers == [place for place in t.board.hexes if missions.is_observed(t.position, ALLIED, place)]
    assert len(offers) < len(t.board.hexes)
    t.set(turn=9)
    assert list(naval.write_options(t.position, ALLIED)) == []
    t.set(naval={}, step="direct fire")
    assert list(naval.fire_options(t.position, ALLIED)) == []
