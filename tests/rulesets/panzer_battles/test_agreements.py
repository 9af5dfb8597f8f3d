"""What players agree on before a battle: options, advantage, who plays, and campaigns."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from sandtable import registry
from sandtable.battle import seats
from sandtable.battle.memory import open_battle
from sandtable.content import ContentError, load_scenario, load_shipped, shipped_folder, shipped_scenarios
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import SideId
from sandtable.lab.tables import LabError, checked_options, options_from, read_table
from sandtable.rulesets.panzer_battles.assault.prospects import explain_assault
from sandtable.rulesets.panzer_battles.campaigns import campaigns
from sandtable.rulesets.panzer_battles.fire.situations import advantage, shot
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, SIDES
from sandtable.rulesets.panzer_battles.orders import Assault
from sandtable.rulesets.panzer_battles.scenario import OPTIONS, VOCABULARY
from tests.rulesets.panzer_battles.table import RULES, U, table, unit

MANUAL = "manual_defensive_fire"


@pytest.mark.rule("PB-GEN-6", "PB-OPT-3")
def test_who_asks_for_manual_defensive_fire_is_told_that_there_is_none() -> None:
    source = shipped_folder("scenarios").joinpath("pb-kalinovka.toml").read_text("utf-8")
    assert "[options]" not in source
    asking = source.replace("[environment]", f"[options]\n{MANUAL} = true\n\n[environment]", 1)
    with pytest.raises(ContentError, match="no manual defensive fire"):
        load_scenario(asking.encode(), VOCABULARY, shipped_folder("boards"))
    played = read_table(shipped_folder("scenarios").joinpath("pb-kalinovka.toml"), "panzer_battles")
    with pytest.raises(LabError, match="no manual defensive fire"):
        options_from(played, [f"{MANUAL}=on"])
    with pytest.raises(LabError, match="no manual defensive fire"):
        checked_options(played, {MANUAL: True})


@pytest.mark.rule("PB-OPT-3")
def test_the_list_of_options_does_not_show_it() -> None:
    assert MANUAL not in [option.name for option in OPTIONS]
    assert all("PB-" in option.title for option in OPTIONS)


@pytest.mark.rule("PB-FIRE-71")
def test_an_advantage_multiplies_the_values_of_both_sides() -> None:
    def values(favor: int) -> tuple[float, float]:
        t = table(". .", unit("us_m4", "0101"), unit("de_pz4h", "0201"), options={"advantage": favor})  # type: ignore[dict-item]
        there, back = shot(t.position, t.unit(0), t.unit(1)), shot(t.position, t.unit(1), t.unit(0))
        return there.value.value, back.value.value

    (ours, theirs), (more, less) = values(0), values(100)
    assert (more / ours, less / theirs) == pytest.approx((1.25, 0.75))
    t = table(". .", unit("us_m4", "0101"), unit("de_pz4h", "0201"), options={"advantage": 50}, first=AXIS)  # type: ignore[dict-item]
    assert (advantage(t.position, AXIS), advantage(t.position, ALLIED)) == (1.125, 0.875)
    tallies = explain_assault(t.position, ALLIED, Assault((U(0),), t.hex("0201")))
    assert [line.value for tally in tallies[:2] for line in tally.lines if line.rule == "PB-FIRE-71"] == [
        "x0.875",
        "x1.125",
    ]


@pytest.mark.rule("PB-FIRE-71")
def test_advantage_is_an_option_of_a_few_values() -> None:
    (option,) = [one for one in OPTIONS if one.name == "advantage"]
    assert (option.default, min(option.values), max(option.values)) == (0, -100, 100)
    assert option.allows(-75)
    assert not option.allows(60)


@pytest.mark.rule("PB-GEN-7")
def test_each_side_may_be_a_persons_a_neighbors_a_friends_or_a_computers() -> None:
    played = read_table(shipped_folder("scenarios").joinpath("pb-kalinovka.toml"), "panzer_battles")
    makers: tuple[Callable[[SideId, str], seats.Seat], ...] = (
        seats.human,
        seats.hot_seat,
        seats.friend,
        seats.computer,
    )
    for first, second in product(makers, makers):
        battle = open_battle(played, (first(ALLIED, "greedy"), second(AXIS, "greedy")), seed="modes")
        assert {seat.side for seat in battle.seats.values()} == set(SIDES)
    (rule,) = [one for one in registry.rules("panzer_battles") if one.id == "PB-GEN-7"]
    assert "mail, which is still to come" in rule.text


@pytest.mark.rule("PB-GEN-9")
def test_a_campaign_is_a_list_of_battles_without_carry_over() -> None:
    known = {header.id for header in shipped_scenarios("panzer_battles")}
    for campaign in campaigns():
        assert len(campaign.scenarios) > 1
        assert set(campaign.scenarios) <= known
        assert len(set(campaign.scenarios)) == len(campaign.scenarios)
    assert registry.campaigns("panzer_battles") == campaigns()
    assert registry.campaigns("panzer_leader") == ()
    dates = [load_shipped(id, VOCABULARY).sections.environment.date for id in campaigns()[0].scenarios]
    assert dates == sorted(dates)


@pytest.mark.rule("PB-GEN-9")
def test_a_battle_begins_as_its_file_says_whatever_came_before() -> None:
    first, second = (load_shipped(id, VOCABULARY) for id in campaigns()[0].scenarios[:2])
    fresh = RULES.setup(second, {}, DiceKey("fresh")).position
    RULES.setup(first, {}, DiceKey("before"))
    again = RULES.setup(second, {}, DiceKey("fresh")).position
    assert again.units == fresh.units
    assert not again.losses
