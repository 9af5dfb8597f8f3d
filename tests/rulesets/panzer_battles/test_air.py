"""Air power: calling missions, flying them through interception and flak, readiness, interdiction."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.kernel.events import DiceKey
from sandtable.kernel.forecast import Forecast, forecast
from sandtable.kernel.ids import NOBODY, NOWHERE, UnitId
from sandtable.kernel.ruleset import Selection
from sandtable.rulesets.panzer_battles.air import calling, interdiction, sequels
from sandtable.rulesets.panzer_battles.air.events import (
    ABORTED,
    CANCELED,
    DONE,
    INTERCEPTED,
    NOTHING,
    SHOT_DOWN,
    AirUnitsReadied,
    Interdicted,
    MissionCalled,
    MissionFlown,
)
from sandtable.rulesets.panzer_battles.air.flying import (
    as_flyer,
    as_gunner,
    gunners,
)
from sandtable.rulesets.panzer_battles.air.orders import CallCarpet, CallRecon, CallStrike
from sandtable.rulesets.panzer_battles.air.units import CARPET, RECON, STRIKE, air_units, mission_of
from sandtable.rulesets.panzer_battles.air.values import (
    availability,
    flak_range_factor,
    flak_value,
    interdiction_chance,
    recon_chance,
    strike_value,
)
from sandtable.rulesets.panzer_battles.fire.values import FireContext, Firer, Target
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, RAIL, TRAVEL, WITHDRAWN, Mission, Weather
from sandtable.rulesets.panzer_battles.orders import EndTurn, Move
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS, overridden
from sandtable.rulesets.panzer_battles.results.losses import fire_interval
from sandtable.rulesets.panzer_battles.results.odds import result_odds
from sandtable.rulesets.panzer_battles.results.struck import Struck
from sandtable.rulesets.panzer_battles.spotting.events import Reported
from sandtable.rulesets.panzer_battles.spotting.levels import SPOTTED, UNKNOWN
from tests.rulesets.panzer_battles.table import HIGHEST, ONE, RULES, AllHighest, Table, U, table, unit
from tests.rulesets.panzer_battles.test_examples import Facts, of_kind

ROW = ". " * 12
FIELD = f"{ROW}\n{ROW}\n{ROW}\n{ROW}\n{ROW}"
IL2, TARGET = U(0), U(2)


def flight(kind: str = "il2_flight", side: str | None = None, **state: Any) -> Any:
    return unit(kind, "", side, **{"formation": "", **state})


def airfield(kind: str = "il2_flight", *others: Any, enemy: str = "0303", **drawn: Any) -> Table:
    """An air unit, a watcher, and an enemy company that it sees."""
    return table(
        FIELD, flight(kind, ALLIED), unit("us_rifle_coy", "0103"), unit("de_rifle_coy", enemy), *others, **drawn
    )


class AllZero(AllHighest):
    """Dice that always show their lowest face."""

    def face(self, sides: int, actor: UnitId) -> int:
        return 1


def turn(t: Table, dice: Any = None) -> None:
    """Both turns are over, and the side's next one begins."""
    t.play(EndTurn(), AllHighest())
    t.play(EndTurn(), dice if dice is not None else AllHighest())


# --- formulas -------------------------------------------------------------------------------------------------------


@of_kind("flak range")
def test_distance_thins_anti_aircraft_fire(situation: Facts, expected: Facts) -> None:
    for distance, factor in zip(situation["ranges"], expected["factors"], strict=True):
        assert flak_range_factor(distance) == pytest.approx(factor, abs=1e-6)


@of_kind("air recon")
def test_how_likely_air_recon_finds_a_hex(situation: Facts, expected: Facts) -> None:
    chance = recon_chance(
        situation["R"], situation["terrain_pct"], situation["aircraft"], situation["q"], DEFAULTS,
        disrupted=situation["status"] == "disrupted",
    )  # fmt: skip
    assert float(chance) == pytest.approx(expected["p"], abs=1e-6)
    assert float(chance) / 2 == pytest.approx(expected["p_detail"], abs=1e-6)


@of_kind("air strike")
def test_what_an_air_strike_is_worth(situation: Facts, expected: Facts) -> None:
    air, kind = KINDS[situation["air"]], KINDS[situation["target"]]
    firer = Firer(air, "axis", situation["aircraft"], air.full, air.soft, air.hard, situation["q"])
    target = Target(kind, "allied", kind.defense)
    context = FireContext(0, situation["strength"], situation["terrain"], fort=situation["fort"], indirect=True)
    found = strike_value(firer, target, context, DEFAULTS)
    assert found.value == pytest.approx(expected["strike_value"])
    assert found.cv == pytest.approx(expected["combat_value"])
    between = fire_interval(found.cv, DEFAULTS)
    assert (between.low, between.high) == pytest.approx((expected["low"], expected["high"]))
    size = "company" if kind.is_company else "platoon"
    struck = Struck(kind.is_men, situation["strength"], kind.full, size=size)  # type: ignore[arg-type]
    odds = result_odds(struck, between, DEFAULTS)
    assert odds.disrupted == pytest.approx(expected["p_disrupt"], abs=1e-6)
    assert odds.mean_loss == pytest.approx(expected["mean_loss"], abs=1e-6)


@of_kind("interdiction")
def test_how_likely_units_on_the_march_are_interdicted(situation: Facts, expected: Facts) -> None:
    chance = interdiction_chance(
        "axis", situation["units_in_travel"], situation["terrain_pct"], DEFAULTS, twilight=situation["dawn"]
    )
    assert float(chance) == pytest.approx(expected["p"])


@pytest.mark.rule("PB-AIR-12", "PB-AIR-13", "PB-AIR-15", "PB-OOB-14", "PB-AIR-11")
def test_what_anti_aircraft_fire_is_worth() -> None:
    t = table(FIELD, unit("de_88flak", "0101"), unit("su_37aa", "0102"))
    heavy, light = as_gunner(t.position, t.unit(0)), as_gunner(t.position, t.unit(1))
    base = light.kind.aa * light.strength
    assert flak_value(light, 0, DEFAULTS, flies_low=True).value == base
    assert flak_value(light, 1, DEFAULTS, flies_low=True).value == pytest.approx(base / 3)
    high = flak_value(heavy, 0, DEFAULTS, flies_low=False).value
    assert flak_value(heavy, 0, DEFAULTS, flies_low=True).value == pytest.approx(high / 2)
    t.change(1, disrupted=True, low_ammo=True)
    tired = as_gunner(t.position, t.unit(1))
    assert flak_value(tired, 0, DEFAULTS, flies_low=True).value == pytest.approx(base / 2)


@pytest.mark.rule("PB-AIR-13", "PB-FIRE-23")
def test_men_who_fire_at_aircraft_are_counted_by_tens() -> None:
    t = table(FIELD, unit("su_corps_hq", "0101", strength=40, full=40))
    value = flak_value(as_gunner(t.position, t.unit(0)), 0, DEFAULTS, flies_low=True)
    assert value.value == t.unit(0).of.aa * 4
    assert value.tally().lines[0].label == "aa 2 x 40 men / 10"


@pytest.mark.rule("PB-AIR-16", "PB-AIR-19", "PB-AIR-41")
def test_a_disrupted_flight_and_one_whom_detached_units_guide_strike_at_half() -> None:
    t = airfield()
    kind = t.unit(2).of
    target, context = Target(kind, "axis", kind.defense), FireContext(0, 0, indirect=True)
    plain = strike_value(as_flyer(t.unit(0)), target, context, DEFAULTS).value
    assert strike_value(as_flyer(t.unit(0)), target, context, DEFAULTS, halved=True).value == plain / 2
    t.change(0, disrupted=True)
    assert strike_value(as_flyer(t.unit(0)), target, context, DEFAULTS).value == plain / 2
    broken = Target(kind, "axis", kind.defense, mode=TRAVEL, broken=True)
    assert strike_value(as_flyer(t.unit(0)), broken, context, DEFAULTS).value == plain / 4


# --- calling --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-AIR-1", "PB-AIR-2", "PB-AIR-3", "PB-AIR-4")
def test_a_mission_is_called_for_the_next_turn_and_its_own_side_alone_knows() -> None:
    t = airfield()
    assert [one.id for one in air_units(t.position, ALLIED)] == [0]
    order = CallStrike(IL2, t.hex("0303"))
    t.play(order)
    assert t.only(MissionCalled).kind == STRIKE
    assert t.heard(AXIS, MissionCalled) == []
    assert t.known(AXIS).missions == ()
    (plan,) = RULES.plans(t.view())
    assert plan.hex == t.hex("0303")
    assert RULES.plans(t.view(AXIS)) == ()
    assert t.refusal(order).rule == "PB-AIR-4"
    assert "air strike called on" in RULES.describe(t.only(MissionCalled), t.view())
    assert t.known(AXIS).units[0].kind == "unknown"


@pytest.mark.rule("PB-AIR-1", "PB-AIR-22", "PB-AIR-25")
def test_each_air_unit_has_its_mission() -> None:
    t = airfield("il2_flight", flight("pe2_recon"), flight("b17_carpet"), flight("ju87_flight"))
    assert [mission_of(t.unit(n)) for n in (0, 3, 4)] == [STRIKE, RECON, CARPET]
    there = t.hex("1205")
    assert t.check(CallRecon(U(3), there)) is None
    assert t.check(CallCarpet(U(4), there)) is None
    assert t.refusal(CallStrike(U(3), there)).rule == "PB-AIR-1"
    assert t.refusal(CallStrike(U(1), there)).rule == "PB-AIR-1"
    assert t.refusal(CallStrike(U(5), there)).rule == "PB-GEN-3"
    assert t.refusal(CallStrike(U(99), there)).rule == "PB-AIR-1"
    assert t.refusal(CallRecon(U(3), 99999)).rule == "PB-AIR-5"


@pytest.mark.rule("PB-AIR-5", "PB-AIR-6", "PB-AIR-31", "PB-AIR-32")
def test_storm_short_sight_and_want_of_readiness_keep_aircraft_down() -> None:
    t = airfield()
    order = CallStrike(IL2, t.hex("0303"))
    assert t.refusal(CallStrike(IL2, t.hex("0903"))).rule == "PB-AIR-5"
    t.change(0, unavailable=True)
    assert t.refusal(order).reason == "it is not available yet"
    t.change(0, unavailable=False, disrupted=True)
    assert t.refusal(order).reason == "it has to recover first"
    t.change(0, disrupted=False)
    t.set(weather=Weather(storm=True))
    assert t.refusal(order).rule == "PB-AIR-6"
    t.set(weather=Weather(nominal=2), visibility=1)
    assert t.refusal(order).reason == "one does not see far enough to fly"
    t.set(minutes=300)
    assert calling.can_see_enough(t.position)


@pytest.mark.rule("PB-AIR-4", "PB-AIR-5", "PB-AIR-6", "PB-AIR-32")
def test_the_verbs_of_the_air_say_what_keeps_the_aircraft_down() -> None:
    t = airfield("il2_flight", flight("pe2_recon"), flight("b17_carpet", unavailable=True))

    def refusals() -> dict[str, tuple[str, str]]:
        verbs = [verb for verb in RULES.menu(t.view(), Selection()) if verb.group == "Air"]
        return {verb.key: (verb.refusal.rule, verb.refusal.reason) for verb in verbs if verb.refusal is not None}

    assert refusals() == {"carpet": ("PB-AIR-32", "it is not available yet")}
    assert [one for one in RULES.options(t.view(), t.view().decisions[0]) if isinstance(one, CallCarpet)] == []
    t.play(CallRecon(U(3), t.hex("0303")))
    assert refusals()["air_recon"] == ("PB-AIR-4", "it is called already, and no mission is called off")
    t.change(1, moved=True)
    assert refusals()["air_strike"][1] == "no air unit can strike anything that is known"
    t.set(weather=Weather(storm=True))
    assert set(refusals().values()) == {("PB-AIR-6", "nobody flies in a storm")}
    orders = tuple(RULES.options(t.view(), t.view().decisions[0]))
    assert not any(isinstance(one, CallStrike | CallCarpet | CallRecon) for one in orders)


@pytest.mark.rule("PB-AIR-40", "PB-AIR-41", "PB-AIR-42", "PB-AIR-43", "PB-OOB-8")
def test_who_spots_for_aircraft_kept_still_and_belongs_to_their_owner() -> None:
    t = airfield()
    place = t.hex("0303")
    t.change(1, moved=True)
    assert t.refusal(CallStrike(IL2, place)).rule == "PB-AIR-42"
    t.change(1, moved=False)
    t.change(0, formation="battalion")
    assert t.check(CallStrike(IL2, place)) is None
    assert calling.is_halved(t.position, t.unit(0), place)
    t.change(1, formation="brigade")
    assert t.refusal(CallStrike(IL2, place)).rule == "PB-AIR-40"
    t.change(1, formation="battalion", kind=next(key for key, kind in KINDS.items() if kind.has("partisan")))
    assert t.refusal(CallStrike(IL2, place)).rule == "PB-AIR-40"
    t.change(0, formation="")
    assert t.refusal(CallStrike(IL2, place)).rule == "PB-AIR-43"


@pytest.mark.rule("PB-AIR-46", "PB-AIR-47")
def test_no_more_aircraft_are_called_to_a_hex_than_the_limit() -> None:
    t = airfield("il2_flight", flight("il2_flight"), parameters={"air": {"strike_hex_limit": 6}})
    t.play(CallStrike(IL2, t.hex("0303")))
    assert t.refusal(CallStrike(U(3), t.hex("0303"))).rule == "PB-AIR-47"
    t = airfield("il2_flight", parameters={"air": {"strike_hex_limit": 6}}, fog=False)
    t.set(missions=(Mission(U(9), AXIS, t.hex("0303"), STRIKE),))
    assert t.check(CallStrike(IL2, t.hex("0303"))) is None


@pytest.mark.rule("PB-AIR-1", "PB-AIR-5", "PB-AIR-22", "PB-AIR-24", "PB-OOB-8")
def test_the_verbs_of_the_air_and_the_air_report() -> None:
    t = airfield("il2_flight", flight("pe2_recon"), flight("b17_carpet", unavailable=True), flight("p47_flight"))
    t.change(5, formation="battalion")
    verbs = {verb.key: verb for verb in RULES.menu(t.view(), Selection())}
    assert {one.hex for one in verbs["air_strike"].targets} == {t.hex("0303")}
    assert len(verbs["air_recon"].targets) == 60
    assert verbs["carpet"].refusal is not None
    assert RULES.why_not(t.view(), "air_strike", Selection(), Selection(hex=t.hex("0303"))) is None
    t.play(CallStrike(IL2, t.hex("0303")))
    report = RULES.report(t.view(), "air")
    assert report is not None
    lines = [(line.label, line.value) for line in report.sections[0].lines]
    marks = ["RECON", "CARPET SINGLE USE"]
    assert [mark for label, _ in lines for mark in marks if f" {mark}," in label] == marks
    assert ("owned by", "The Battalion") in lines
    assert any("called on" in str(value) for _, value in lines)
    assert any(value == "it is not available yet" for _, value in lines)
    assert RULES.card(t.view(), IL2) is not None
    carpet = airfield("b17_carpet")
    verbs = {verb.key: verb for verb in RULES.menu(carpet.view(), Selection())}
    assert len(verbs["carpet"].targets) == 60
    assert RULES.order_text(CallCarpet(IL2, carpet.hex("0303")), carpet.view()).startswith("call ")


# --- flying ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-AIR-2", "PB-AIR-8", "PB-AIR-17", "PB-AIR-18", "PB-AIR-21", "PB-AIR-32")
def test_a_strike_is_flown_at_the_start_of_the_next_turn() -> None:
    t = airfield()
    t.play(CallStrike(IL2, t.hex("0303")))
    turn(t)
    flown = t.only(MissionFlown)
    assert (flown.outcome, flown.lost) == (DONE, 0)
    assert flown.struck[0].unit == 2
    assert flown.struck[0].lost > 0
    assert t.unit(0).unavailable
    assert t.position.missions == ()
    told = t.heard(AXIS, MissionFlown)[0]
    assert (told.unit, told.aircraft) == (NOBODY, "il2_flight")
    assert RULES.describe(told, t.view(AXIS)).startswith("Air strike by Il-2 flight on 0303: Rifle company #2 loses")
    idle = replace(flown, struck=())
    assert RULES.describe(idle, t.view(ALLIED)).endswith("on 0303: nobody saw what came of it")
    assert RULES.marks(flown).brief


@pytest.mark.rule("PB-AIR-6", "PB-AIR-7")
def test_a_strike_that_finds_nobody_or_a_storm_leaves_its_unit_available() -> None:
    t = airfield()
    t.play(CallStrike(IL2, t.hex("0303")))
    t.play(EndTurn(), AllHighest())
    t.change(2, hex=t.hex("0903"))
    t.play(EndTurn(), AllHighest())
    assert t.only(MissionFlown).outcome == NOTHING
    assert not t.unit(0).unavailable
    assert t.heard(AXIS, MissionFlown) == []
    t.change(2, hex=t.hex("0303"))
    t.play(CallStrike(IL2, t.hex("0303")))
    t.play(EndTurn(), AllHighest())
    t.change(2, hex=t.hex("0304"))
    t.play(EndTurn(), AllHighest())
    assert t.only(MissionFlown).hex == t.hex("0304")
    (own,), (foe,) = t.heard(ALLIED, MissionFlown), t.heard(AXIS, MissionFlown)
    words = "Air strike by Il-2 flight #0 on 0304, beside 0303 where nobody was left: Rifle company #2 loses "
    assert RULES.describe(own, t.view(ALLIED)).startswith(words)
    assert RULES.marks(own).rule == "PB-AIR-7"
    assert RULES.describe(foe, t.view(AXIS)).startswith("Air strike by Il-2 flight on 0304: Rifle company #2 loses ")
    assert (foe.called, RULES.marks(foe).rule) == (NOWHERE, "PB-AIR-8")
    stormy = airfield(storm=True)
    stormy.set(missions=(Mission(IL2, ALLIED, stormy.hex("0303"), STRIKE),))
    # the weather is drawn anew at the start of a turn; these dice let the storm go on
    stormy.play(EndTurn(), AllZero())
    stormy.play(EndTurn(), AllZero())
    assert stormy.only(MissionFlown).outcome == CANCELED
    assert not stormy.unit(0).unavailable


@pytest.mark.rule("PB-AIR-24", "PB-AIR-44", "PB-AIR-45")
def test_interceptors_send_a_mission_home() -> None:
    sure = {"air": {"interception_pct": {"allied": 100, "axis": 100}, "interdiction_pct": {"allied": 0, "axis": 0}}}
    t = airfield(parameters=sure)
    t.play(CallStrike(IL2, t.hex("0303")))
    turn(t)
    assert t.only(MissionFlown).outcome == INTERCEPTED
    assert t.unit(0).unavailable
    bombers = airfield("b17_carpet", parameters=sure)
    assert bombers.unit(0).has("single_use")
    bombers.play(CallCarpet(IL2, bombers.hex("0303")))
    turn(bombers)
    assert (bombers.unit(0).away, bombers.unit(0).unavailable) == ("", True), "it has its one mission yet to fly"
    jets = airfield("me262_flight", parameters=sure)
    jets.play(CallStrike(IL2, jets.hex("0303")))
    turn(jets)
    assert jets.only(MissionFlown).outcome == DONE


@pytest.mark.rule("PB-AIR-9", "PB-AIR-10", "PB-AIR-14", "PB-AIR-16", "PB-CRT-1", "PB-CRT-8")
def test_flak_that_covers_the_hex_fires_and_high_flyers_fear_heavy_guns_alone() -> None:
    t = airfield(
        "il2_flight", unit("de_20flak", "0303"), unit("de_88flak", "0403"), unit("de_20flak", "0303", broken=True),
        unit("de_20flak", "1205"), unit("de_20flak", "0303", mode=RAIL),
    )  # fmt: skip
    place = t.hex("0303")
    assert [gun.id for gun in gunners(t.position, t.unit(0), place)] == [3, 4]
    t.change(0, kind="pe2_recon")
    assert [gun.id for gun in gunners(t.position, t.unit(0), place)] == [4]
    t.change(0, kind="il2_flight", strength=1)
    t.play(CallStrike(IL2, place))
    turn(t)
    assert t.only(MissionFlown).outcome == SHOT_DOWN
    assert t.unit(0).gone == "eliminated"
    assert t.position.losses[ALLIED] == {"il2_flight": 1}
    assert t.known(AXIS).units[0].gone == "eliminated"


@pytest.mark.rule("PB-AIR-9")
def test_guns_that_nobody_knew_of_fire_from_as_far_as_they_reach_whoever_asked_before() -> None:
    t = airfield("il2_flight", unit("de_88flak", "1205", concealed=True), visibility=[3])
    place = t.hex("0303")
    assert gunners(t.known(ALLIED), t.unit(0), place) == []
    assert [gun.id for gun in gunners(t.position, t.unit(0), place)] == [3]


@pytest.mark.rule("PB-AIR-16")
def test_a_broken_flight_turns_back() -> None:
    t = airfield("il2_flight", unit("de_20flak", "0303"))
    t.play(CallStrike(IL2, t.hex("0303")))
    t.play(EndTurn(), AllHighest())
    t.change(0, broken=True)
    t.play(EndTurn(), AllHighest())
    assert t.only(MissionFlown).outcome == ABORTED
    assert t.only(MissionFlown).struck == ()


@pytest.mark.rule("PB-AIR-22", "PB-AIR-23", "PB-AIR-24")
def test_carpet_bombs_scatter_and_hit_friend_and_foe() -> None:
    t = airfield("b17_carpet", unit("us_rifle_coy", "0505"))
    t.change(0, full=36, strength=36)
    t.play(CallCarpet(IL2, t.hex("0303")))
    t.play(EndTurn(), AllHighest())
    t.change(2, hex=0)
    t.change(1, hex=t.hex("0305"))
    t.play(EndTurn(), AllHighest())
    flown = t.only(MissionFlown)
    assert t.board.distance(t.hex("0303"), flown.hex) == 2
    assert ", scattered from 0303: " in RULES.describe(flown, t.view())
    assert RULES.marks(flown).rule == "PB-AIR-23"
    assert t.unit(0).away == WITHDRAWN
    close = airfield("b17_carpet", unit("us_rifle_coy", "0505"))
    close.set(missions=())
    close.play(CallCarpet(IL2, close.hex("0303")))
    close.play(EndTurn(), AllHighest())
    around = close.board.within(close.hex("0303"), 2)
    close.change(1, hex=around[-1])
    close.change(2, hex=0)
    close.play(EndTurn(), AllHighest())
    assert [one.unit for one in close.only(MissionFlown).struck] == [1]


@pytest.mark.rule("PB-AIR-25", "PB-AIR-26", "PB-AIR-27", "PB-AIR-28", "PB-AIR-29", "PB-AIR-30")
def test_air_recon_finds_hexes_for_that_turn_and_concealed_units_as_unknown() -> None:
    always = {
        "quality": {"air_recon_pct": {"C": 1000}},
        "air": {"availability_pct": {"allied": 0, "axis": 0}, "interdiction_pct": {"allied": 0, "axis": 0}},
    }
    t = table(
        "\n".join([". . . . . F . . . . . ."] * 5), flight("pe2_recon"), unit("us_rifle_coy", "0103"),
        unit("de_rifle_coy", "0803"), unit("de_rifle_plt", "0803", concealed=True), parameters=always,
    )  # fmt: skip
    t.play(CallRecon(IL2, t.hex("0803")))
    t.play(EndTurn(), AllHighest())
    assert t.known(ALLIED).units[2].hex == 0
    t.play(EndTurn(), dice=[ONE, ONE])
    assert t.only(MissionFlown).kind == RECON
    assert [(one.units, one.level) for one in t.all(Reported)] == [((2,), SPOTTED), ((3,), UNKNOWN)]
    assert t.known(ALLIED).units[2].hex == t.hex("0803")
    assert t.known(ALLIED).unknowns == (t.hex("0803"),)
    assert t.check(CallStrike(U(0), t.hex("0803"))) is not None
    t.play(EndTurn(), AllHighest())
    assert t.known(ALLIED).units[2].hex == 0


# --- readiness ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-AIR-32", "PB-AIR-33", "PB-AIR-34", "PB-AIR-36", "PB-FAT-11")
def test_air_units_recover_rest_and_become_available() -> None:
    t = airfield("il2_flight", flight("pe2_recon", unavailable=True), flight("p47_flight", broken=True, fatigue=20))
    t.play(EndTurn(), AllHighest())
    t.play(EndTurn(), dice=[ONE, ONE])
    readied = t.heard(ALLIED, AirUnitsReadied)[0]
    assert (readied.available, readied.recovered, readied.rested, readied.fatigue) == ((3,), (4,), (4,), (16,))
    assert (t.unit(4).broken, t.unit(4).disrupted) == (False, True)
    assert not t.unit(3).unavailable
    assert "available again" in RULES.describe(readied, t.view()).lower()
    assert t.heard(AXIS, AirUnitsReadied) == []


@pytest.mark.rule("PB-AIR-35", "PB-OPT-7")
def test_in_low_visibility_air_units_are_seldom_available() -> None:
    assert availability("axis", 20, DEFAULTS, low_visibility=False) == Fraction(1, 5)
    assert availability("axis", 2, DEFAULTS, low_visibility=True) == Fraction(1, 20)
    assert availability("axis", 20, DEFAULTS, low_visibility=True) == Fraction(1, 5)
    assert availability("axis", 1, DEFAULTS, low_visibility=True) == 0


# --- interdiction ---------------------------------------------------------------------------------------------------

SWARMS = {"air": {"interdiction_pct": {"allied": 40, "axis": 40}}}


@pytest.mark.rule("PB-AIR-37", "PB-AIR-38", "PB-AIR-39")
def test_units_on_the_march_may_be_struck_where_they_enter_a_hex() -> None:
    enemy = unit("de_rifle_coy", "1203", concealed=True)
    t = table(FIELD, unit("us_m4", "0103", mode=TRAVEL), enemy, parameters=SWARMS)
    assert interdiction.chance_at(t.position, t.unit(0)) == Fraction(2, 5)
    order = Move((U(0),), t.hexes("0203"))
    odds = forecast(RULES, t.view(), order)
    assert isinstance(odds, Forecast)
    assert odds.arrival is not None
    assert odds.arrival.at_least == "3/5"
    [strike] = odds.reactions
    assert strike.text == "aircraft may strike the march on its way"
    assert [(one.result, one.chance) for one in strike.branches] == [
        ("no aircraft come", Fraction(3, 5)),
        ("the march is struck", Fraction(2, 5)),
    ]
    before = t.unit(0).mp
    t.play(order, dice=[ONE, ONE, HIGHEST, HIGHEST, ONE, HIGHEST, ONE, 11])
    hit = t.only(Interdicted)
    assert hit.side == AXIS
    assert hit.aircraft == "ju87_flight"
    assert t.unit(0).mp < before - 9
    assert t.heard(AXIS, Interdicted)[0].unit == NOBODY
    assert "strikes the march" in RULES.describe(hit, t.view())
    t.change(0, mode="deployed")
    assert interdiction.chance_at(t.position, t.unit(0)) == 0
    t.change(0, mode=TRAVEL)
    t.set(weather=Weather(storm=True))
    assert interdiction.chance_at(t.position, t.unit(0)) == 0
    assert overridden(SWARMS, "x").air.interdiction_pct.axis == 40


@pytest.mark.rule("PB-AIR-38", "PB-FIRE-63", "PB-SPOT-18")
def test_of_a_march_that_nobody_sees_the_side_of_the_aircraft_learns_no_more_than_that_something_burns() -> None:
    for kind, heard in (("us_m4", 1), ("us_aib_coy", 0)):
        enemy = unit("de_rifle_coy", "1203")
        t = table(FIELD, unit(kind, "0103", mode=TRAVEL), enemy, parameters=SWARMS, visibility=[2])
        t.play(Move((U(0),), t.hexes("0203")), AllZero())
        assert t.heard(ALLIED, Interdicted)[0].struck
        told = t.heard(AXIS, Interdicted)
        assert len(told) == heard
        assert all((one.unit, one.struck, one.wrecks > 0) == (NOBODY, (), True) for one in told)


@pytest.mark.rule("PB-AIR-38", "PB-MOVE-49")
def test_who_rides_inside_a_truck_on_the_march_is_struck_with_it_alone() -> None:
    t = table(
        FIELD,
        unit("de_truck", "0103", ALLIED, mode=TRAVEL),
        unit("us_rifle_coy", "0103", mode=TRAVEL, carrier=U(0)),
        unit("us_m4", "0103", mode=TRAVEL),
        unit("su_rifle_plt", "0103", mode=TRAVEL, carrier=U(2)),
    )
    assert [one.id for one in interdiction.on_the_march(t.position, t.unit(0))] == [0, 2, 3]


@pytest.mark.rule("PB-AIR-18", "PB-MOVE-54")
def test_who_rides_inside_is_lost_with_a_truck_that_a_strike_destroys() -> None:
    t = airfield(
        "il2_flight",
        unit("de_truck", "0403", AXIS, mode=TRAVEL, strength=1),
        unit("de_rifle_plt", "0403", carrier=U(3), strength=10),
        parameters={"air": {"interdiction_pct": {"allied": 0, "axis": 0}}},
    )
    t.change(0, strength=60, full=60)
    t.play(CallStrike(IL2, t.hex("0403")))
    turn(t)
    assert (t.at(3), t.at(4)) == ("", "")
    assert t.position.losses[AXIS] == {"de_truck": 1, "de_rifle_plt": 10}


@pytest.mark.rule("PB-AIR-20")
def test_bombs_may_bring_houses_down() -> None:
    crumbling = {"misc": {"rubble_pct_per_1000_fire": 1000}, "air": {"interdiction_pct": {"allied": 0, "axis": 0}}}
    rows = "\n".join([". . V . . ."] * 3)
    t = table(
        rows, flight("b17_carpet", ALLIED, strength=36, full=36), unit("us_rifle_coy", "0102"),
        unit("de_rifle_coy", "0302"), parameters=crumbling,
    )  # fmt: skip
    t.change(0, kind="il2_flight", strength=40, full=40)
    t.play(CallStrike(IL2, t.hex("0302")))
    turn(t)
    assert [one.kind for one in t.position.features[t.hex("0302")]] == ["rubble"]


@pytest.mark.rule("PB-AIR-5")
def test_what_was_reported_without_being_seen_may_be_struck() -> None:
    t = airfield(enemy="0903", visibility=[4])
    t.set(sightings={ALLIED: {TARGET: UNKNOWN}})
    assert t.check(CallStrike(IL2, t.hex("0903"))) is None


@pytest.mark.rule("PB-AIR-17")
def test_the_larger_a_unit_the_likelier_it_is_struck() -> None:
    t = airfield("il2_flight", unit("de_rifle_plt", "0303"))
    t.play(CallStrike(IL2, t.hex("0303")))
    turn(t)
    assert t.only(MissionFlown).struck[0].unit == 3


@pytest.mark.rule("PB-AIR-26", "PB-AIR-32", "PB-AIR-37")
def test_air_recon_availability_and_interdiction_that_come_to_nothing() -> None:
    t = airfield("pe2_recon", enemy="0903")
    t.play(CallRecon(IL2, t.hex("0303")))
    turn(t)
    assert t.only(MissionFlown).outcome == DONE
    assert not t.all(Reported)
    turn(t)
    assert t.unit(0).unavailable
    march = table(FIELD, unit("us_m4", "0103", mode=TRAVEL), unit("de_rifle_coy", "1203"), parameters=SWARMS)
    march.play(Move((U(0),), march.hexes("0203")), AllHighest())
    assert not march.all(Interdicted)


@pytest.mark.rule("PB-AIR-39", "PB-SPOT-19")
def test_without_fog_everybody_is_told_everything_of_the_air() -> None:
    t = airfield("il2_flight", unit("de_20flak", "0303", strength=12), fog=False)
    t.play(CallStrike(IL2, t.hex("0303")))
    turn(t)
    flown = t.heard(AXIS, MissionFlown)[0]
    assert flown.unit == IL2
    assert f"loses {flown.lost} aircraft" in RULES.describe(flown, t.view(AXIS))
    enemy = unit("de_rifle_coy", "1203", concealed=True)
    march = table(FIELD, unit("us_m4", "0103", mode=TRAVEL), enemy, parameters=SWARMS, fog=False)
    march.play(Move((U(0),), march.hexes("0203")), dice=[ONE, ONE, HIGHEST, HIGHEST, ONE, HIGHEST, HIGHEST])
    hit = march.heard(AXIS, Interdicted)[0]
    assert hit.unit == 0
    assert RULES.marks(hit).brief == "0 vehicles"
    assert not RULES.imagine(t.view(), DiceKey("x", 1)).position.units[0].hex


@pytest.mark.rule("PB-AIR-1")
def test_in_an_imagined_world_aircraft_are_in_the_air() -> None:
    t = airfield("il2_flight", flight("ju87_flight"))
    world = RULES.imagine(t.view(), DiceKey("x", 1)).position
    assert [one.hex for one in world.units if one.kind == "ju87_flight"] == [0]


@pytest.mark.rule("PB-AIR-6", "PB-AIR-7", "PB-AIR-13", "PB-AIR-16", "PB-AIR-23", "PB-AIR-44")
@pytest.mark.parametrize(
    ("outcome", "called", "rule"),
    [
        (CANCELED, "", "PB-AIR-6"),
        (NOTHING, "", "PB-AIR-7"),
        (INTERCEPTED, "0303", "PB-AIR-44"),
        (SHOT_DOWN, "", "PB-AIR-13"),
        (ABORTED, "", "PB-AIR-16"),
        (DONE, "0303", "PB-AIR-23"),
        (DONE, "", "PB-AIR-8"),
    ],
)
def test_the_log_names_the_rule_by_which_a_mission_came_to_nothing(outcome: str, called: str, rule: str) -> None:
    t = airfield("b17_carpet")
    where = t.hex(called) if called else NOWHERE
    flown = MissionFlown(ALLIED, IL2, t.hex("0203"), CARPET, "b17_carpet", outcome, called=where)
    assert RULES.marks(flown).rule == rule


@pytest.mark.rule("PB-AIR-8", "PB-AIR-17", "PB-AIR-44")
def test_the_preview_of_a_strike_tells_interception_flak_and_whom_it_may_hit() -> None:
    t = airfield("il2_flight", unit("de_88flak", "0303"))
    odds = forecast(RULES, t.view(ALLIED), CallStrike(IL2, t.hex("0303")))
    assert isinstance(odds, Forecast)
    assert not odds.certain
    intercepted, flak, *bombs = odds.later
    assert intercepted.tally[0].lines[0].rule == "PB-AIR-44"
    assert flak.actors == (U(3),)
    assert "fires at the aircraft" in flak.text
    assert len(bombs) == 2
    assert all("which is chosen with" in one.text for one in bombs)
    assert all(sum(branch.chance for branch in one.branches) == 1 for one in odds.later)


@pytest.mark.rule("PB-AIR-17")
def test_whom_a_strike_hits_is_not_foretold_where_nobody_is_seen() -> None:
    t = airfield()
    later = sequels.of_strike(t.view(ALLIED), CallStrike(IL2, t.hex("0505")))
    assert not later[-1].branches
    assert "not known" in later[-1].text


@pytest.mark.rule("PB-AIR-23", "PB-AIR-26", "PB-AIR-28")
def test_the_previews_of_carpets_and_of_flights_that_look() -> None:
    t = airfield("b17_carpet")
    scatter = sequels.of_carpet(t.view(ALLIED), CallCarpet(IL2, t.hex("0203")))[-1]
    texts = {branch.result for branch in scatter.branches}
    assert texts == {"on your own units", "on known enemies", "where nobody is known to be"}
    look = sequels.of_recon(t.view(ALLIED), CallRecon(IL2, t.hex("0303")))[-1]
    assert {branch.result for branch in look.branches} >= {"seen in detail", "reported"}
    assert sum(branch.chance for branch in look.branches) == 1
    assert "only where he is not concealed" in look.text
    assert [line.value for line in look.tally[0].lines if line.rule == "PB-AIR-28"] == ["reported at best"]
