"""What a sensible commander does, and the worlds he imagines."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.ai.players import GreedyPlayer, Player, RandomPlayer
from sandtable.content import load_shipped
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.engine import begin, submit
from sandtable.kernel.events import DiceKey, Order
from sandtable.kernel.ids import NOWHERE, HexId, SideId
from sandtable.kernel.state import Played
from sandtable.rulesets.panzer_battles.air.orders import CallStrike
from sandtable.rulesets.panzer_battles.deception.orders import DeployDeception
from sandtable.rulesets.panzer_battles.doctrine import Doctrine, gain, wanted
from sandtable.rulesets.panzer_battles.engineers.orders import BuildBridge, ClearMines, DigIn, FerryAcross
from sandtable.rulesets.panzer_battles.features import MINEFIELD, TRENCH
from sandtable.rulesets.panzer_battles.fire.orders import Bombard
from sandtable.rulesets.panzer_battles.imagination import imagined
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, DEPLOYED, TRAVEL, Feature
from sandtable.rulesets.panzer_battles.movement.orders import Uncarry
from sandtable.rulesets.panzer_battles.orders import Assault, ChangeMode, EndTurn, Fire, Move
from sandtable.rulesets.panzer_battles.reinforcements.orders import Arrive, RemoveFromMap
from sandtable.rulesets.panzer_battles.scenario import VOCABULARY
from sandtable.rulesets.panzer_battles.spotting.levels import SPOTTED, UNKNOWN, UNSPOTTED, level
from sandtable.rulesets.panzer_battles.ways import NO_WAY, Crossing, ahead, crossing, to_exit
from tests.rulesets.panzer_battles.table import RULES, AllHighest, Counter, Table, U, table, unit

FIELD = "\n".join([". . . . . . . . . ."] * 3)


def chosen(t: Table) -> object:
    view = t.view(t.position.active)
    return GreedyPlayer(RULES, Doctrine()).choose(view, view.decisions[0], 64, PromptDice("x"))


def ordered(t: Table) -> list[Order]:
    """Everything that he thinks of ordering."""
    view = t.view(t.position.active)
    return [one.order for group in Doctrine().candidates(view, view.decisions[0]) for one in group]


def test_he_fires_at_what_is_worth_it() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("de_rifle_coy", "0401"), owners={"0801": AXIS})
    assert chosen(t) == Fire(U(0), U(1))
    assert gain(t.position, ALLIED, Fire(U(0), U(1))) > 0


def test_he_goes_to_the_objectives_that_are_not_his() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("su_bn_hq", "0102"), owners={"0801": AXIS, "0101": ALLIED})
    assert wanted(t.position, ALLIED) == [t.hex("0801")]
    order = chosen(t)
    assert isinstance(order, Move)
    assert order.path[-1] == t.hex("0801")
    t.play(order)
    following = chosen(t)
    assert isinstance(following, Move), "the staff comes after"
    assert following.units == (U(1),)
    t.play(following)
    assert chosen(t) == EndTurn(), "there is nothing left to win"


def test_a_staff_keeps_away_from_the_enemy_and_stays_near_its_troops() -> None:
    wide = "\n".join([". " * 40] * 3)
    t = table(
        wide, unit("su_bn_hq", "0101"), unit("us_m4", "3001", mp=0), unit("de_pz4h", "3503", broken=True),
        owners={"4001": AXIS},
    )  # fmt: skip
    order = chosen(t)
    assert isinstance(order, Move)
    assert order.units == (U(0),)
    assert t.board.distance(order.path[-1], t.hex("3503")) > 4
    alone = table(wide, unit("su_bn_hq", "0101"), owners={"4001": AXIS})
    assert chosen(alone) == EndTurn()


@pytest.mark.rule("PB-AI-3")
def test_reinforcements_are_brought_in_as_soon_as_they_are_due() -> None:
    t = table(FIELD, unit("us_m4", "0101", mp=0), owners={"0801": AXIS})
    scenario = load_shipped("pb-kamenka", VOCABULARY)
    state = begin(RULES, scenario, {}, "first").state
    view = RULES.view(state, RULES.decisions(state)[0].side)
    order = GreedyPlayer(RULES, Doctrine()).choose(view, view.decisions[0], 64, PromptDice("x"))
    assert isinstance(order, Arrive)
    assert chosen(t) == EndTurn()


@pytest.mark.rule("PB-AI-5")
def test_guns_fire_over_the_heads_of_others_and_stay_behind_them() -> None:
    far = "\n".join([". " * 30] * 3)
    t = table(
        far, unit("us_m7", "0101"), unit("us_rifle_coy", "1901", mp=0), unit("de_rifle_coy", "2101"),
        owners={"2501": AXIS},
    )  # fmt: skip
    assert chosen(t) == Bombard(U(0), t.hex("2101"))
    wide = "\n".join([". " * 60] * 3)
    quiet = table(wide, unit("us_m7", "0101"), owners={"5501": AXIS})
    order = chosen(quiet)
    assert isinstance(order, Move), "what it wants is out of two thirds of its range"
    close = table(far, unit("us_m7", "1001"), owners={"2501": AXIS})
    assert chosen(close) == DigIn(U(0)), "from here it reaches"
    traveling = table(far, unit("de_105lefh", "1001", ALLIED, mode=TRAVEL), owners={"2501": AXIS})
    assert chosen(traveling) == ChangeMode(U(0), DEPLOYED)


def test_trucks_and_guns_march_while_the_enemy_is_far() -> None:
    far = "\n".join([". " * 40] * 3)
    t = table(far, unit("us_57at", "0101"), owners={"3501": AXIS})
    assert chosen(t) == ChangeMode(U(0), TRAVEL)
    near = table(far, unit("us_57at", "0101"), unit("de_pz4h", "0901"), owners={"3501": AXIS})
    assert not isinstance(chosen(near), ChangeMode)


def test_the_last_unit_on_an_objective_stays_there_while_an_enemy_is_about() -> None:
    near = [unit("us_rifle_coy", "0101"), unit("de_pz4h", "0901", broken=True)]
    t = table(FIELD, *near, owners={"0101": ALLIED, "1003": AXIS})
    assert not isinstance(chosen(t), Move)
    free = table(FIELD, *near, unit("us_rifle_coy", "0101"), owners={"0101": ALLIED, "1003": AXIS})
    assert isinstance(chosen(free), Move)
    alone = table(FIELD, near[0], owners={"0101": ALLIED, "1003": AXIS})
    assert isinstance(chosen(alone), Move)


def test_where_no_way_leads_he_goes_as_near_as_he_can() -> None:
    t = table(". . ~ . .\n. . ~ . .", unit("us_rifle_coy", "0101"), owners={"0501": AXIS})
    order = chosen(t)
    assert isinstance(order, Move)
    assert order.path[-1] in t.hexes("0201", "0202")


def test_a_unit_that_has_nothing_to_do_is_asked_again_when_an_enemy_comes() -> None:
    t = table(FIELD, unit("us_rifle_coy", "0101"), unit("de_pz4h", "1001"), owners={"0101": ALLIED})
    assert chosen(t) == DigIn(U(0)), "what it holds it fortifies"
    t.play(DigIn(U(0)))
    assert chosen(t) == EndTurn()
    assert chosen(t) == EndTurn(), "and it is remembered"
    t.play(EndTurn(), dice=AllHighest())
    t.play(Move((U(1),), t.hexes("0901", "0801")), dice=AllHighest())
    t.play(EndTurn(), dice=AllHighest())
    assert chosen(t) != Move((U(0),), t.hexes("0201"))


def test_shaken_units_and_those_without_points_stay() -> None:
    t = table(
        FIELD, unit("us_m4", "0101", disrupted=True), unit("us_m4", "0102", broken=True), unit("us_m4", "0103", mp=0),
        unit("us_57at", "0201"), owners={"0801": AXIS},
    )  # fmt: skip
    assert chosen(t) == EndTurn()


def test_he_deploys_before_the_enemy() -> None:
    t = table(FIELD, unit("us_57at", "0101", mode=TRAVEL), unit("de_rifle_coy", "0801"), owners={"0101": ALLIED})
    assert chosen(t) == ChangeMode(U(0), DEPLOYED)


def test_value_counts_units_and_ground() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("de_pz4h", "0901"), owners={"0801": AXIS})
    view = t.view()
    doctrine = Doctrine()
    assert doctrine.value(t.state, view) == -500
    assert doctrine.estimate(view, EndTurn()) == -499


# --- over the water, through mines, off the map ----------------------------------------------------------------------

BANKS = "\n".join([". . . . . . . . . . . . . ."] * 3)
RIVER = [f"07{n:02}-08{m:02}" for n, m in ((1, 1), (2, 1), (2, 2), (3, 2), (3, 3))]


def river(*counters: Counter, **drawn: Any) -> Table:
    """A river from north to south that nobody crosses on foot; what is wanted lies behind it."""
    return table(BANKS, *counters, hexsides={"river": RIVER}, owners={"1402": AXIS}, **drawn)


def test_he_goes_to_where_his_engineers_take_him_over_the_water() -> None:
    t = river(unit("su_bridge_eng", "0701", mode=TRAVEL), unit("us_rifle_coy", "0601"), unit("us_m4", "0101"))
    site = crossing(t.position, ALLIED)
    assert site is not None
    assert t.board.label(site.near)[:2] == "07"
    assert t.board.label(site.far)[:2] == "08"
    orders = ordered(t)
    assert ChangeMode(U(0), DEPLOYED) in orders
    assert any(isinstance(one, Move) and one.units == (U(1),) and one.path[-1] == site.near for one in orders)
    tanks = [one for one in orders if isinstance(one, Move) and one.units == (U(2),)]
    assert tanks, "they come up"
    assert all(t.board.distance(one.path[-1], site.near) > 3 for one in tanks), "but wait behind for a bridge"


@pytest.mark.rule("PB-AI-3")
def test_engineers_build_and_take_men_over_in_boats_meanwhile() -> None:
    t = river(
        unit("su_bridge_eng", "0702"), unit("su_sapper_coy", "0702"), unit("us_rifle_coy", "0702"),
        unit("us_rifle_coy", "0702", mp=1),
    )  # fmt: skip
    site = crossing(t.position, ALLIED)
    assert site is not None
    assert site.near == t.hex("0702")
    orders = ordered(t)
    assert BuildBridge(U(0), site.far) in orders
    assert ChangeMode(U(2), TRAVEL) in orders
    assert not any(isinstance(one, (ChangeMode, FerryAcross)) and one.unit == 3 for one in orders)
    t.change(2, mode=TRAVEL)
    assert FerryAcross(U(2), site.far) in ordered(t)
    assert gain(t.position, ALLIED, FerryAcross(U(2), site.far)) > 0
    t.change(0, operation="building:1")
    t.change(1, mp=0)
    assert not any(isinstance(one, FerryAcross) for one in ordered(t)), "nobody is left for the boats"


def test_one_of_two_bridging_companies_keeps_to_the_boats() -> None:
    t = river(unit("su_bridge_eng", "0702"), unit("su_bridge_eng", "0702", operation="building:1"))
    assert not any(isinstance(one, BuildBridge) for one in ordered(t))


def test_a_landing_under_the_eyes_of_the_enemy_is_shunned() -> None:
    free = river(unit("su_bridge_eng", "0701"))
    site = crossing(free.position, ALLIED)
    watched = river(unit("su_bridge_eng", "0701"), unit("de_rifle_coy", "0801"))
    other = crossing(watched.view().position, ALLIED)
    assert site is not None
    assert other is not None
    assert t_distance(watched, other) > t_distance(watched, site)


def t_distance(t: Table, site: Crossing) -> int:
    return t.board.distance(site.far, t.hex("0801"))


def test_without_engineers_or_without_a_river_there_is_no_crossing() -> None:
    assert crossing(river(unit("us_rifle_coy", "0701")).position, ALLIED) is None
    assert crossing(river(unit("su_bridge_eng", "0901")).position, ALLIED) is None
    assert crossing(table(BANKS, unit("su_bridge_eng", "0101"), owners={"1402": ALLIED}).position, ALLIED) is None


def test_who_can_never_come_to_the_crossing_goes_straight() -> None:
    t = table(
        ". ~ . . .", unit("us_rifle_coy", "0101"), unit("su_bridge_eng", "0301"), hexsides={"river": ["0301-0401"]},
        owners={"0501": AXIS},
    )  # fmt: skip
    assert ahead(t.position, t.unit(0), t.unit(0).hex) > NO_WAY


@pytest.mark.rule("PB-AI-3")
def test_engineers_clear_the_mines_on_the_road() -> None:
    road = {"primary": [["0101", "0201", "0301", "0401", "0501", "0601", "0701", "0801", "0901", "1001"]]}
    mined = {"0301": [Feature(MINEFIELD, AXIS)]}

    def mines(*counters: Counter) -> Table:
        return table(FIELD, *counters, roads=road, features=mined, owners={"1001": AXIS}, fog=False)

    t = mines(unit("su_sapper_coy", "0201"))
    assert chosen(t) == Move((U(0),), t.hexes("0301"))
    assert chosen(mines(unit("su_sapper_coy", "0301"))) == ClearMines(U(0))
    assert not any(isinstance(one, ClearMines) for one in ordered(mines(unit("su_sapper_coy", "0301", mode=TRAVEL))))
    near = mines(unit("su_sapper_coy", "0201", mp=20), unit("de_truck", "0402", broken=True))
    assert Move((U(0),), near.hexes("0301")) not in ordered(near)
    others = mines(unit("us_rifle_coy", "0201"))
    through, around = Move((U(0),), others.hexes("0301")), Move((U(0),), others.hexes("0302"))
    assert gain(others.position, ALLIED, through) < gain(others.position, ALLIED, around)


def exit_table(*counters: Counter, turns: int) -> Table:
    return table(
        FIELD, *counters, turns=turns, owners={"0101": ALLIED, "1001": AXIS}, objectives={"0101": 0}
    )  # fmt: skip


@pytest.mark.rule("PB-AI-3")
def test_units_leave_the_map_where_it_pays_when_the_battle_ends() -> None:
    t = exit_table(unit("us_m4", "0301"), unit("su_bn_hq", "0101"), turns=1)
    order = chosen(t)
    assert isinstance(order, Move)
    assert order.path[-1] == t.hex("0101")
    t.play(order)
    assert chosen(t) == RemoveFromMap(U(0))
    t.play(RemoveFromMap(U(0)))
    assert chosen(t) == EndTurn(), "a staff stays"
    early = exit_table(unit("us_m4", "0101"), turns=9)
    assert gain(early.position, ALLIED, RemoveFromMap(U(0))) == 0
    assert isinstance(chosen(early), Move), "there is time to fight"
    assert to_exit(early.position, early.unit(0), early.hex("0201")) > 0
    cut = table(". ~ .", unit("us_m4", "0301"), turns=1, owners={"0101": ALLIED}, objectives={"0101": 0})
    assert chosen(cut) == DigIn(U(0))


def test_a_shaken_unit_gets_away_from_an_enemy_close_by() -> None:
    def close(kind: str, owners: dict[str, SideId]) -> Table:
        shaken, foe = unit(kind, "0402", broken=True), unit("de_truck", "0501", broken=True)
        return table(FIELD, shaken, foe, owners=owners, fog=False)

    t = close("us_rifle_coy", {"1001": AXIS})
    order = chosen(t)
    assert isinstance(order, Move)
    assert t.board.distance(order.path[-1], t.hex("0501")) > 2
    assert chosen(close("us_rifle_coy", {"0402": ALLIED})) == EndTurn(), "what it keeps it keeps"
    assert chosen(close("us_57at", {"1001": AXIS})) == EndTurn(), "guns on the ground stay"


def test_guns_that_drive_stop_short_of_the_enemy() -> None:
    wide = "\n".join([". " * 60] * 3)
    t = table(
        wide, unit("us_m7", "0101", mp=20), unit("de_truck", "1001", broken=True), owners={"5501": AXIS}, fog=False
    )
    moves = [one for one in ordered(t) if isinstance(one, Move)]
    assert all(t.board.distance(one.path[-1], t.hex("1001")) > 8 for one in moves)
    free = table(wide, unit("us_m7", "0101", mp=20), owners={"5501": AXIS})
    assert len([one for one in ordered(free) if isinstance(one, Move)]) > len(moves)


@pytest.mark.rule("PB-AI-7")
def test_he_storms_what_is_likely_to_fall_and_nothing_else() -> None:
    def beside(**state: Any) -> Table:
        ours = [unit("us_rifle_coy", label) for label in ("0401", "0402", "0501")]
        return table(FIELD, *ours, unit("de_rifle_coy", "0502", **state), owners={"1001": AXIS})

    assert any(isinstance(one, Assault) for one in ordered(beside(broken=True, fatigue=150, strength=40)))
    firm = table(
        FIELD, unit("us_rifle_coy", "0402"), unit("de_rifle_coy", "0502"), features={"0502": [Feature(TRENCH, AXIS)]},
        owners={"1001": AXIS},
    )  # fmt: skip
    assert not any(isinstance(one, Assault) for one in ordered(firm))
    nobody = Assault((U(0),), firm.hex("0301"))
    assert gain(firm.position, ALLIED, nobody) == 0


def test_a_staff_near_the_enemy_goes_back() -> None:
    wide = "\n".join([". " * 40] * 3)
    t = table(wide, unit("su_bn_hq", "2001"), unit("us_m4", "2101", mp=0), unit("de_truck", "2403", broken=True))
    order = chosen(t)
    assert isinstance(order, Move)
    assert t.board.distance(order.path[-1], t.hex("2403")) > 8
    cornered = table(
        ". . .", unit("su_bn_hq", "0101"), unit("us_m4", "0201", mp=0), unit("de_truck", "0301", broken=True)
    )
    assert not any(isinstance(one, Move) and one.units == (U(0),) for one in ordered(cornered))


@pytest.mark.rule("PB-AI-3")
def test_deceivers_go_where_the_enemy_is() -> None:
    t = table(
        FIELD, unit("any_deception", "0101", ALLIED), unit("us_m4", "0102", mp=0), unit("de_pz4h", "0601"),
        parameters={"deception": {"range": {"allied": 1, "axis": 1}}}, owners={"0101": ALLIED}, fog=False,
    )  # fmt: skip
    order = next(one for one in ordered(t) if isinstance(one, DeployDeception))
    assert t.board.distance(order.hex, t.hex("0601")) == min(
        t.board.distance(place, t.hex("0601")) for place in map(HexId, t.board.hexes)
        if t.board.distance(place, t.hex("0101")) <= 3 and place != t.hex("0601")
    )  # fmt: skip
    t.change(0, hex=NOWHERE, posted=t.hex("0401"))
    assert not any(isinstance(one, DeployDeception) for one in ordered(t))


def test_greedy_beats_random() -> None:
    scenario = load_shipped("pb-kalinovka", VOCABULARY)
    state, number = begin(RULES, scenario, {}, "greedy").state, 0
    players: dict[SideId, Player] = {ALLIED: GreedyPlayer(RULES, Doctrine()), AXIS: RandomPlayer(RULES, Doctrine())}
    while RULES.outcome(state) is None:
        decision = RULES.decisions(state)[0]
        view = RULES.view(state, decision.side)
        order = players[decision.side].choose(view, decision, 64, PromptDice("greedy", number))
        played = submit(RULES, state, decision.side, order)
        assert isinstance(played, Played)
        state, number = played.state, number + 1
    outcome = RULES.outcome(state)
    assert outcome is not None
    assert outcome.winner == ALLIED


# --- imagination ----------------------------------------------------------------------------------------------------


def test_unseen_enemies_are_imagined_where_they_could_be() -> None:
    t = table(
        ". . F F . .\n. . F F . .\n. . F F . .",
        unit("us_m4", "0101"), unit("us_m4", "0102", broken=True),
        unit("de_pz4h", "0302", concealed=True), unit("de_truck", "0601"), unit("de_rifle_plt", "0202"),
    )  # fmt: skip
    worlds = [imagined(t.view(), DiceKey("w", n)).position for n in range(8)]
    for world in worlds:
        assert world.units[4].kind == "de_rifle_plt"
        kinds = {world.units[n].kind for n in (2, 3) if world.units[n].hex}
        assert kinds <= {"de_pz4h", "de_truck"}
        for n in (2, 3):
            assert not world.units[n].hex or level(world, world.units[n]) == UNSPOTTED
        assert level(world, world.units[4]) == SPOTTED
    assert len({world.units for world in worlds}) > 1


def test_somebody_is_imagined_where_somebody_is_known_to_be() -> None:
    t = table(FIELD, unit("us_m4", "0101", broken=True), unit("de_truck", "0401"))
    world = imagined(t.view(), DiceKey("w")).position
    assert world.units[1].hex == t.hex("0401")
    assert level(world, world.units[1]) == UNKNOWN


def test_who_finds_no_place_is_left_out() -> None:
    t = table("m .\n. .", unit("us_m4", "0202"), unit("de_pz4h", "0101", concealed=True))
    assert imagined(t.view(), DiceKey("w")).position.units[1].hex == NOWHERE
    crowd = table("m .\n. .", unit("us_m4", "0202"), unit("us_m4", "0201"), unit("de_pz4h", "0101", concealed=True))
    assert imagined(crowd.view(), DiceKey("w")).position.units[2].hex == NOWHERE


def test_every_flight_is_sent_against_the_enemy_in_sight() -> None:
    t = table(
        FIELD,
        unit("il2_flight", "", ALLIED, formation=""),
        unit("us_rifle_coy", "0103", mp=0),
        unit("de_rifle_coy", "0303"),
        owners={"0103": ALLIED},
    )
    assert chosen(t) == CallStrike(U(0), t.hex("0303"))
    assert gain(t.position, ALLIED, CallStrike(U(0), t.hex("0303"))) > 0


def test_riders_get_down_where_an_enemy_is_near() -> None:
    def riding(*others: Counter) -> Table:
        return table(
            FIELD, unit("de_truck", "0101", ALLIED), unit("su_rifle_plt", "0101", carrier=U(0), strength=20), *others,
            visibility=(4,), owners={"0101": ALLIED},
        )  # fmt: skip

    near = unit("de_truck", "0202", broken=True)
    assert Uncarry(U(0)) in ordered(riding(near))
    assert Uncarry(U(0)) not in ordered(riding())


def test_engineers_bridge_the_river_that_bars_the_way() -> None:
    t = table(
        """
        . .
        """,
        unit("su_bridge_eng", "0101"),
        hexsides={"river": ["0101-0201"]},
        owners={"0201": AXIS},
    )
    assert chosen(t) == BuildBridge(U(0), t.hex("0201"))


def test_a_unit_with_nothing_to_do_looks_again_when_something_happens_to_an_enemy_near_it() -> None:
    t = table(
        FIELD,
        unit("us_rifle_coy", "0101", mp=1, digging_in=True),
        unit("de_rifle_coy", "0501"),
        owners={"0101": ALLIED},
        fog=False,
    )
    assert chosen(t) == EndTurn()
    t.change(1, broken=True)
    assert chosen(t) == EndTurn()


def test_guns_do_not_drive_up_to_the_enemy() -> None:
    far = "\n".join([". " * 30] * 3)
    t = table(
        far, unit("us_m7", "0101", unavailable=True), unit("us_m4", "0401", mp=0), unit("de_rifle_coy", "0701"),
        owners={"2501": AXIS},
    )  # fmt: skip
    order = chosen(t)
    assert not isinstance(order, Move) or t.board.distance(order.path[-1], t.hex("0701")) > 4
