"""Scenario files: what they may say, what is wrong with them, and how a battle opens."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sandtable.content import ContentError, MapSheet, load_scenario, load_shipped, shipped_folder
from sandtable.geometry.board import Board
from sandtable.kernel.engine import begin
from sandtable.kernel.events import DiceKey
from sandtable.kernel.replay import FORMAT, Header, commitment, recorded, verify
from sandtable.rulesets.panzer_battles.environment.weather import program
from sandtable.rulesets.panzer_battles.ground import Ground
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, DEPLOYED, TRAVEL, Feature
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS
from sandtable.rulesets.panzer_battles.ruleset import PanzerBattles
from sandtable.rulesets.panzer_battles.scenario import VOCABULARY, BattleScenario
from sandtable.rulesets.panzer_battles.system import SYSTEM, rules, unit_title
from sandtable.rulesets.panzer_battles.version import RULES_VERSION, TABLES, version

GROUND: dict[int | str, str] = {"0202": "forest", "0302": "marsh", "0303": "forest", "0401": "water"}
BOARD = Board.build("b", 6, 4, meters=True, terrain=GROUND, roads=[["0202", "0201"]])

TEXT = """
format = 1
kind = "scenario"
id = "x"
system = "panzer_battles"
title = "X"
summary = "Y"
board = "b"
turns = 3
first = "allied"
environment = { visibility = 6, date = "1943-08-14", weather = "" }

[thresholds]
major_defeat = -20
minor_defeat = -10
minor_victory = 10
major_victory = 20

[ownership]
axis = ["0104"]

[[sides]]
id = "allied"
title = "A"

[[sides]]
id = "axis"
title = "B"

[[formations]]
id = "bde"
title = "Brigade"
side = "allied"
level = "brigade"

[[formations]]
id = "bn"
title = "Battalion"
side = "allied"
level = "battalion"
parent = "bde"

[[formations]]
id = "rgt"
title = "Regiment"
side = "axis"
level = "regiment"

[[units]]
type = "us_m4"
side = "allied"
at = "0101"
formation = "bn"
mode = "travel"

[[units]]
type = "us_rifle_coy"
side = "allied"
at = "0202"
formation = "bde"
strength = 90
quality = "B"

[[units]]
type = "de_rifle_plt"
side = "axis"
at = "0303"
formation = "rgt"
fixed = true

[[objectives]]
title = "Prize"
hex = "0104"
points = 25
"""


def scenario(text: str = TEXT) -> BattleScenario:
    return load_scenario(text.encode(), VOCABULARY, {"b": MapSheet(BOARD)})


def opening(**options: Any) -> Any:
    return begin(PanzerBattles(), scenario(), options, "seed")


def opened(**options: Any) -> Any:
    return opening(**options).state.position


@pytest.mark.rule("PB-VIC-3", "PB-OOB-6", "PB-SPOT-30")
def test_a_battle_opens_as_the_scenario_says() -> None:
    position = opened()
    units = {unit.name: unit for unit in position.units}
    tank, company, platoon = (units[name] for name in ("us_m4-1", "us_rifle_coy-1", "de_rifle_plt-1"))
    assert (tank.mode, tank.mp, tank.concealed) == (TRAVEL, 110, False)
    assert (company.strength, company.full, company.quality, company.concealed) == (90, 160, "B", True)
    assert (platoon.fixed, platoon.formation) == (True, "rgt")
    assert position.owners == {BOARD.parse("0104"): AXIS}
    assert (position.turn, position.active, position.visibility) == (1, ALLIED, 6)


FACING_EACH_OTHER = TEXT.replace('at = "0303"', 'at = "0601"')
AT_NIGHT = FACING_EACH_OTHER.replace("turns = 3", 'turns = 3\nclock = "22:00"')


def under(weather: str) -> str:
    """The scenario with more in its [environment]."""
    return FACING_EACH_OTHER.replace('weather = ""', weather)


@pytest.mark.rule("PB-ENV-2", "PB-ENV-4", "PB-ENV-17", "PB-ENV-26", "PB-SPOT-21", "PB-UI-61")
@pytest.mark.parametrize(
    ("text", "programmed"),
    [
        (AT_NIGHT, False),
        (under('weather = "", storm = true'), False),
        (under('weather = "1 8 1943 100 0 0 0 0 1 3"'), True),
        (under('weather = "1 8 1943 100 0 0 0 0 6 6 100"'), True),
    ],
)
def test_nobody_remembers_what_better_sight_than_that_of_the_first_turn_would_have_shown(
    text: str, programmed: bool
) -> None:
    options = {"programmed_weather": programmed}
    state = begin(PanzerBattles(), scenario(text), options, "seed", viewers=(ALLIED,)).state
    known = PanzerBattles().view(state, ALLIED).position
    assert known.visibility < 4, "so far away is the enemy"
    assert not any(unit.hex for unit in known.units if unit.side == AXIS)
    assert known.intel == {}


@pytest.mark.rule("PB-ENV-26")
def test_what_the_program_lets_one_see_is_seen_from_the_first_turn_on() -> None:
    text, options = under('weather = "1 8 1943 100 0 0 0 0 6 6"'), {"programmed_weather": True}
    state = begin(PanzerBattles(), scenario(text), options, "seed", viewers=(ALLIED,)).state
    assert any(unit.hex for unit in PanzerBattles().view(state, ALLIED).position.units if unit.side == AXIS)


@pytest.mark.rule("PB-OOB-6", "PB-AIR-1")
def test_flags_of_single_units_and_flights_without_a_place_are_read() -> None:
    flight = '[[units]]\ntype = "il2_flight"\nside = "allied"\n\n[[units]]\ntype = "us_m4"'
    text = TEXT.replace('[[units]]\ntype = "us_m4"', flight).replace(
        'mode = "travel"', 'mode = "travel"\nflags = ["low_reliability"]'
    )
    units = begin(PanzerBattles(), scenario(text), {}, "seed").state.position.units
    assert [unit.kind for unit in units if not unit.hex] == ["il2_flight"]
    assert [unit.kind for unit in units if unit.has("low_reliability")] == ["us_m4"]


@pytest.mark.rule("PB-MOVE-85")
def test_works_and_mines_lie_where_the_scenario_puts_them() -> None:
    text = TEXT + '\n[[features]]\nkind = "minefield"\nside = "axis"\nstrength = 2\nhexes = ["0103", "0203"]\n'
    position = begin(PanzerBattles(), scenario(text), {}, "seed").state.position
    mines = Feature("minefield", AXIS, 2)
    assert position.features == {BOARD.parse("0103"): (mines,), BOARD.parse("0203"): (mines,)}


@pytest.mark.rule("PB-GEN-10")
def test_ids_are_dealt_by_the_seed_so_that_they_tell_nothing() -> None:
    deals = {
        tuple(unit.kind for unit in PanzerBattles().setup(scenario(), {}, DiceKey(str(seed))).position.units)
        for seed in range(12)
    }
    assert len(deals) > 3


@pytest.mark.rule("PB-GEN-19")
def test_a_scenario_sets_single_parameters_anew() -> None:
    text = TEXT + "\n[parameters.stacking]\nmax = 600\n"
    ground = PanzerBattles().setup(scenario(text), {}, DiceKey("x")).position.ground
    assert ground.parameters.stacking.max == 600
    assert ground.digest != opened().ground.digest


OWN = (TABLES / "parameters.toml").read_text(encoding="utf-8")
NAMED = TEXT.replace("turns = 3", 'turns = 3\nparameter_file = "own.table.toml"')


def with_files(text: str, **files: str) -> BattleScenario:
    beside = {f"{name}.table.toml": content for name, content in files.items()}
    return load_scenario(text.encode(), VOCABULARY, {"b": MapSheet(BOARD)}, "x.toml", beside)


def ground_of(read: BattleScenario) -> Ground:
    return PanzerBattles().setup(read, {"programmed_weather": True}, DiceKey("x")).position.ground


@pytest.mark.rule("PB-GEN-19")
def test_a_scenario_names_its_parameter_file_and_sets_single_values_anew() -> None:
    own = OWN.replace("max = 500\n", "max = 700\n").replace("range_effect = 1.5", "range_effect = 2.5")
    ground = ground_of(with_files(NAMED + "\n[parameters.combat]\nrange_effect = 1.25\n", own=own))
    assert (ground.parameters.stacking.max, ground.parameters.combat.range_effect) == (700, 1.25)
    assert ground_of(with_files(NAMED, own=own)).parameters.combat.range_effect == 2.5
    assert ground_of(with_files(NAMED, own=OWN)).parameters == DEFAULTS
    assert ground_of(with_files(NAMED, own=OWN)).digest != ground_of(with_files(NAMED, own=own)).digest


@pytest.mark.rule("PB-GEN-19", "PB-GEN-20")
def test_what_is_wrong_with_a_named_parameter_file_and_with_what_is_set_anew_is_reported_at_once() -> None:
    own = OWN.replace("range_effect = 1.5\n", "").replace("max = 500\n", 'max = "many"\n')
    text = NAMED.replace("minor_defeat = -10", "minor_defeat = -20") + "\n[parameters.fatigue]\nhigh_at = 40\n"
    with pytest.raises(ContentError) as caught:
        with_files(text, own=own)
    assert str(caught.value).splitlines() == [
        "own.table.toml: [stacking] 'max': expected a whole number from 1 to 100000, got 'many'",
        "own.table.toml: [combat] 'range_effect': missing; expected a number from 1 to 100",
        "x.toml: [parameters.fatigue] 'high_at': expected no less than medium_at (50), got 40",
        "x.toml: [thresholds]: expected major_defeat < minor_defeat < minor_victory < major_victory",
    ]
    with pytest.raises(ContentError, match=re.escape("x.toml: 'parameter_file': own.table.toml: there is no such")):
        with_files(NAMED)


@pytest.mark.rule("PB-GEN-19", "PB-MOVE-7")
def test_where_a_unit_may_stand_is_judged_by_the_numbers_of_its_scenario() -> None:
    text = TEXT.replace('at = "0101"', 'at = "0302"')
    open_marsh = "\n[parameters.movement.terrain]\nmarsh = [9, 9, 9, 9, 9, 9, 9, 9]\n"
    assert scenario(text + open_marsh).units[0].hex == BOARD.parse("0302")


@pytest.mark.rule("PB-ENV-23", "PB-ENV-24")
def test_a_scenario_names_its_weather_file() -> None:
    text = TEXT.replace('weather = ""', 'weather_file = "wet.table.toml"')
    lines = "14 8 1943 0 0 100 0 0 3 4\n"
    assert program(ground_of(with_files(text, wet=lines)))[0].visibility == (3, 4)
    with pytest.raises(ContentError) as caught:
        with_files(text, wet=lines + "01 8 1943 0 80 0 10 0 3 4\n15 8 1943 0 80 0 10 0 3 4\n")
    assert str(caught.value).splitlines() == [
        "wet.table.toml: weather line 2: expected a whole number without leading zeros, got '01' (PB-ENV-27)",
        "wet.table.toml: weather line 3: the five conditions add to 90 %, not to 100 (PB-ENV-25)",
    ]
    both = TEXT.replace('weather = ""', f'weather = "{lines.strip()}", weather_file = "wet.table.toml"')
    with pytest.raises(ContentError, match="'weather_file': expected either"):
        with_files(both, wet=lines)


def pinned() -> dict[str, str]:
    return {name: (TABLES / name).read_text(encoding="utf-8") for name in ("parameters.toml", "units.toml")}


@pytest.mark.rule("PB-GEN-19")
def test_a_battle_is_pinned_to_the_files_of_numbers_and_of_units_by_their_names() -> None:
    assert PanzerBattles().info.rules_version == RULES_VERSION == version("1", pinned())
    assert len(RULES_VERSION) <= 64, "a store keeps no longer one"
    changed = version("1", pinned() | {"units.toml": "other"})
    pairs = zip(RULES_VERSION.split(", "), changed.split(", "), strict=True)
    assert [mine.split()[0] for mine, other in pairs if mine != other] == ["units.toml"]


@pytest.mark.rule("PB-GEN-19")
def test_a_record_played_with_another_file_of_units_says_so() -> None:
    played, older = opening(), version("1", pinned() | {"units.toml": "other"})
    header = Header(FORMAT, "panzer_battles", older, "x", "", {}, commitment("seed"), "seed")
    verdict = verify(PanzerBattles(), scenario(), recorded(header, [played], played.state, None))
    assert verdict.problem == f"it was played under rules {older}; these are {RULES_VERSION}"


@pytest.mark.rule("PB-REIN-1", "PB-MOVE-100", "PB-MOVE-110", "PB-VIC-8")
def test_a_scenario_schedules_arrivals_releases_withdrawals_and_exits() -> None:
    text = TEXT.replace("points = 25", 'points = 0\n\n[exit_multipliers]\n"0104" = 2')
    text = text.replace('at = "0101"', 'arrives = { turn = 2, at = "0101" }\narrival = { chance = 50 }')
    text += '\n[[releases]]\nformation = "bde"\nturn = 2\n\n[[withdrawals]]\nunits = ["us_rifle_coy-1"]\nturn = 3\n'
    position = begin(PanzerBattles(), scenario(text), {}, "seed").state.position
    (tank,) = [unit for unit in position.units if unit.name == "us_m4-1"]
    assert (tank.away, tank.hex, tank.mode) == ("coming", 0, TRAVEL)


@pytest.mark.rule("PB-REIN-5", "PB-REIN-17", "PB-MOVE-60")
def test_who_arrives_travels_but_for_ships_which_have_no_other_mode() -> None:
    for kind, place, mode in (("us_m4", "0101", TRAVEL), ("uk_destroyer", "0401", DEPLOYED)):
        text = TEXT.replace('type = "us_m4"', f'type = "{kind}"').replace('mode = "travel"\n', "")
        text = text.replace('at = "0101"', f'arrives = {{ turn = 2, at = "{place}" }}\narrival = {{ by = "sea" }}')
        position = begin(PanzerBattles(), scenario(text), {}, "seed").state.position
        assert [unit.mode for unit in position.units if unit.kind == kind] == [mode]


@pytest.mark.rule("PB-UNIT-6")
def test_who_begins_broken_is_not_disrupted_as_well() -> None:
    text = TEXT.replace('mode = "travel"', "disrupted = true\nbroken = true")
    position = begin(PanzerBattles(), scenario(text), {}, "seed").state.position
    assert [(unit.disrupted, unit.broken) for unit in position.units if unit.kind == "us_m4"] == [(False, True)]


@pytest.mark.rule("PB-REIN-6", "PB-REIN-16")
def test_who_finds_his_place_may_be_meant_to_come_anywhere() -> None:
    arrives = 'arrives = { turn = 2, at = "0302" }\narrival = { by = "infiltration" }'
    assert scenario(TEXT.replace('at = "0101"', arrives)).units[0].arrival


PROBLEMS = [
    (("minor_defeat = -10", "minor_defeat = -20"), "[thresholds]: expected major_defeat < minor_defeat"),
    (('id = "bn"', 'id = "bde"'), "[[formations]] #2 'id': 'bde' stands twice"),
    (('parent = "bde"', 'parent = "xx"'), "[[formations]] #2 'parent': no organization 'xx' stands before it"),
    (
        ('id = "rgt"\ntitle = "Regiment"', 'id = "rgt"\nparent = "bde"\ntitle = "Regiment"'),
        "'bde' is of the other side",
    ),
    (('parent = "bde"', 'parent = "bn"'), "[[formations]] #2 'parent': 'bn' is under itself (PB-OOB-1)"),
    (('level = "battalion"', 'level = "army"'), "a army can't be under a brigade"),
    (('formation = "bn"', 'formation = "rgt"'), "[[units]] #1 'formation': allied has no organization 'rgt'"),
    (('type = "us_m4"', 'type = "il2_flight"'), "air units are off the map (PB-AIR-1)"),
    (('type = "us_m4"', 'type = "uk_destroyer"'), "clear in hex 0101 is prohibited to it"),
    (('type = "us_m4"', 'type = "any_armtrain"'), "clear in hex 0101 is prohibited to it"),
    (('mode = "travel"', 'mode = "rail"'), "[[units]] #1 'at': there is no rail line in hex 0101 (PB-MOVE-31)"),
    (('at = "0101"', 'arrives = { turn = 2, at = "0302" }'), "[[units]] #1 'arrives': marsh in hex 0302 is prohibited"),
    (('at = "0101"\n', 'inside = "us_rifle_coy-1"\n'), "expected 'at', 'arrives' or 'aboard'"),
    (('mode = "travel"', 'flags = ["shiny"]'), "'flags': unknown flag 'shiny'"),
    (('at = "0101"', 'arrives = { turn = 2, at = ["0101", "0102"] }'), "'arrives': expected one hex"),
    (('mode = "travel"', 'arrival = { by = "glider" }'), "'arrival' is for units with 'arrives'"),
    (("[[sides]]", '[[releases]]\nformation = "xx"\nturn = 2\n\n[[sides]]'), "there is no organization 'xx'"),
    (("[[sides]]", '[[fixings]]\nunits = ["xx"]\nturn = 2\n\n[[sides]]'), "[[fixings]] #1 'units'"),
    (("[[sides]]", '[[withdrawals]]\nunits = ["xx"]\nturn = 2\n\n[[sides]]'), "there is no unit 'xx'"),
    (("points = 25", 'points = 0\n\n[exit_multipliers]\n"0103" = 2'), "there is no exit in hex 0103"),
    (('hex = "0104"\npoints = 25', 'hex = "0203"\npoints = 0'), "the exit in hex 0203 is not on the edge"),
    (("strength = 90", "strength = 190"), "'strength': expected at most 160, its full strength"),
    (('at = "0101"', 'at = "0302"'), "[[units]] #1 'at': marsh in hex 0302 is prohibited to it"),
    (
        ('at = "0202"', 'aboard = "us_m4-1"'),
        "[[units]] #2 'aboard': 'us_m4-1' has not so much room: 3 3/5 of it (PB-MOVE-46)",
    ),
    (
        ('at = "0101"', 'aboard = "us_rifle_coy-1"'),
        "[[units]] #1 'aboard': 'us_rifle_coy-1' takes no such unit (PB-MOVE-42)",
    ),
    (('at = "0101"', 'at = "0303"'), "hex 0303 holds units of both sides"),
    (('at = "0101"', 'at = "0101"\nfull = 51'), "hex 0101 holds 510 men and may hold 500 (PB-STK-2)"),
    (
        (
            "[[sides]]",
            '[[units]]\ntype = "uk_lct"\nside = "allied"\nat = "0401"\nformation = "bn"\n\n' * 5 + "[[sides]]",
        ),
        "hex 0401 holds 5 ships and may hold 4 (PB-STK-6)",
    ),
    (('axis = ["0104"]', ""), "the objective in hex 0104 is nobody's"),
    (('axis = ["0104"]', 'axis = ["0104", "0103"]'), "there is no objective in hex 0103"),
    (
        ("[[sides]]", '[[features]]\nkind = "trench"\nhexes = ["0103"]\n\n[[sides]]'),
        "[[features]] #1 'side': expected the side that a trench belongs to",
    ),
    (
        ("[[sides]]", '[[features]]\nkind = "bunker"\nside = "axis"\nhexes = ["0103", "0103"]\n\n[[sides]]'),
        "[[features]] #1 'hexes': hex 0103 has a work already",
    ),
    (
        ("[[sides]]", '[[supply_sources]]\nside = "axis"\nhex = "0103"\nvalue = 50\n\n' * 2 + "[[sides]]"),
        "[[supply_sources]] #2 'hex': axis has a source in hex 0103 already",
    ),
    (("visibility = 6", "visibility = 0"), "visibility"),
    (("visibility = 6", "visibility = 6, visibility_range = [7, 9]"), "expected 7 to 9, got 6 (PB-ENV-2)"),
    (("visibility = 6", "visibility = 6, visibility_range = [1, 30]"), "expected at most 20, got 30 (PB-ENV-2)"),
    (("visibility = 6", 'visibility = 6, conditions = ["mud", "soft"]'), "expected the least before the greatest"),
    (("visibility = 6", 'visibility = 6, conditions = ["soft", "mud"]'), "normal is not among its conditions"),
    (("08-14", "02-30"), "the calendar has no 1943-02-30"),
    (('weather = ""', 'weather = "1 8 1943 0 80 0 10 0 3 4"'), "weather line 1: the five conditions add to 90 %"),
    (("[[sides]]", "[parameters.stacking]\nmax = 'many'\n\n[[sides]]"), "max"),
]


@pytest.mark.rule("PB-MAP-6")
def test_a_long_bridge_on_land_is_reported() -> None:
    dry = Board.build("b", 6, 4, meters=True, terrain={"0202": "forest"}, features={"0401": ["full_bridge"]})
    with pytest.raises(ContentError, match=re.escape("the full bridge is not in a Water hex: hex 0401 is no water")):
        load_scenario(TEXT.encode(), VOCABULARY, {"b": MapSheet(dry)})
    wet = Board.build(
        "b", 6, 4, meters=True, terrain={"0202": "forest", "0401": "water"}, features={"0401": ["full_bridge"]}
    )
    assert load_scenario(TEXT.encode(), VOCABULARY, {"b": MapSheet(wet)}).board is wet


@pytest.mark.rule("PB-MOVE-42", "PB-VIC-11", "PB-OOB-1", "PB-MOVE-7", "PB-STK-9", "PB-GEN-20", "PB-VIC-6", "PB-REIN-1")
@pytest.mark.parametrize(("change", "complaint"), PROBLEMS, ids=[complaint for _, complaint in PROBLEMS])
def test_what_is_wrong_is_reported_with_its_place(change: tuple[str, str], complaint: str) -> None:
    assert change[0] in TEXT
    with pytest.raises(ContentError, match=re.escape(complaint)):
        scenario(TEXT.replace(*change, 1))


def test_everything_wrong_is_reported_at_once() -> None:
    changes = (
        ("minor_defeat = -10", "minor_defeat = -20"),
        ("strength = 90", "strength = 190"),
        ('at = "0101"', 'at = "0302"'),
        ('formation = "rgt"', 'formation = "nobody"'),
        ('id = "bde"\n', 'id = "bde"\nparent = "bn"\n'),
        ("[[sides]]", '[parameters.combat]\nfire_lcv = "many"\n\n[[sides]]'),
    )
    text = TEXT
    for old, new in changes:
        text = text.replace(old, new, 1)
    with pytest.raises(ContentError) as caught:
        load_scenario(text.encode(), VOCABULARY, {"b": MapSheet(BOARD)}, "x.toml")
    found = str(caught.value).splitlines()
    places = [
        *("[parameters.combat] 'fire_lcv'", "[thresholds]", "[[formations]] #1 'parent'", "[[formations]] #2 'parent'"),
        *("[[units]] #1 'at'", "[[units]] #2 'strength'", "[[units]] #3 'formation'"),
    ]
    assert [line.split(": ")[:2] for line in found] == [["x.toml", place] for place in places]


@pytest.mark.rule("PB-MOVE-43", "PB-MOVE-46")
def test_passengers_that_fit_are_taken_by_the_numbers_of_the_scenario() -> None:
    text = TEXT.replace('at = "0202"', 'aboard = "us_m4-1"').replace("strength = 90", "strength = 25")
    assert [unit.aboard for unit in scenario(text).units] == [None, "us_m4-1", None]
    with pytest.raises(ContentError, match="has not so much room"):
        scenario(text + "\n[parameters.carry]\nexternal_men_per_vehicle = 4\n")


@pytest.mark.rule("PB-MOVE-35")
def test_a_truck_may_begin_on_the_road_in_a_wood() -> None:
    text = TEXT.replace('type = "us_m4"', 'type = "de_truck"').replace('at = "0101"', 'at = "0202"')
    assert scenario(text).units[0].hex == BOARD.parse("0202")


def test_the_shipped_battle_loads_and_the_system_answers() -> None:
    shipped = load_shipped("pb-kalinovka", VOCABULARY)
    assert SYSTEM.ruleset.setup(shipped, {}, DiceKey("x")).position.units
    assert unit_title("us_m4") == "M4 Sherman platoon"
    assert len(rules()) == 863
    assert SYSTEM.counters()
    guide = SYSTEM.tutorial(shipped, shipped_folder("scenarios") / "pb-kalinovka.tutorial.toml")
    assert guide.side == ALLIED
