"""What a sensible commander does, and the worlds he imagines."""

from __future__ import annotations

from sandtable.ai.players import GreedyPlayer, Player, RandomPlayer
from sandtable.content import load_shipped
from sandtable.kernel.dice import DiceKey, PromptDice
from sandtable.kernel.engine import Played, begin, submit
from sandtable.kernel.ids import NOWHERE, SideId
from sandtable.rulesets.panzer_battles.doctrine import Doctrine, gain, wanted
from sandtable.rulesets.panzer_battles.imagination import imagined
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, DEPLOYED, TRAVEL
from sandtable.rulesets.panzer_battles.orders import ChangeMode, EndTurn, Fire, Move
from sandtable.rulesets.panzer_battles.scenario import VOCABULARY
from sandtable.rulesets.panzer_battles.spotting.levels import SPOTTED, UNKNOWN, UNSPOTTED, level
from tests.rulesets.panzer_battles.table import RULES, Table, U, table, unit

FIELD = "\n".join([". . . . . . . . . ."] * 3)


def chosen(t: Table) -> object:
    view = t.view(t.position.active)
    return GreedyPlayer(RULES, Doctrine()).choose(view, view.decisions[0], 64, PromptDice("x"))


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
    assert chosen(t) == EndTurn(), "the staff stays behind, and there is nothing left to win"


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
