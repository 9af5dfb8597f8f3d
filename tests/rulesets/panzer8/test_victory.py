"""Victory, hidden set-up, content files and the words of the room: sections 14, 15 and the rest."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import SPECTATORS, SideId
from sandtable.rulesets.panzer8 import setup, victory, visibility
from sandtable.rulesets.panzer8.events import BattleEnded, GroundTaken
from sandtable.rulesets.panzer8.model import ALLIED, GERMAN, LOST
from sandtable.rulesets.panzer8.orders import EndPhase, Fire, Move, Pass
from sandtable.rulesets.panzer8.pieces import is_over
from sandtable.rulesets.panzer8.scenario import Condition, ElementDetails, Victory
from tests.rulesets.panzer8.table import RULES, Table, U, drawn, element, open_ground, scenario, table


def ended(t: Table, *, is_last: bool = False) -> BattleEnded | None:
    t.run(lambda resolution: victory.conclude(resolution, is_last=is_last))
    return next(iter(t.happened(BattleEnded)), None)


def sides(allied: int, german: int, lost: tuple[int, ...] = (), **fields: Any) -> Table:
    """So many elements of each side, some of them lost."""
    own = [element("sherman", f"01{n + 1:02d}") for n in range(allied)]
    foes = [element("pz4g", f"03{n + 1:02d}") for n in range(german)]
    t = table(open_ground(3, 12), *own, *foes, **fields)
    for number in lost:
        t.change(number, fate=LOST, hex=0)
    return t


@pytest.mark.rule("P8-14.02")
def test_a_side_that_has_lost_half_its_combat_elements_loses() -> None:
    assert ended(sides(5, 4, (0, 1))) is None
    verdict = ended(sides(5, 4, (0, 1, 2)))
    assert verdict is not None
    assert verdict.winner == GERMAN
    both = ended(sides(4, 5, (0, 1, 4, 5, 6)))
    assert both is not None
    assert (both.winner, both.level) == (ALLIED, "marginal")
    other = ended(sides(4, 5, (0, 1, 2, 4, 5, 6)))
    assert other is not None
    assert other.winner == GERMAN
    equal = ended(sides(4, 4, (0, 1, 4, 5)))
    assert equal is not None
    assert (equal.winner, equal.level) == ("", "draw")


@pytest.mark.rule("P8-14.03")
def test_points_decide_at_the_turn_limit() -> None:
    t = sides(4, 4, (4,), objectives={"The hill": ("0101", "0303")}, control={"0101": ALLIED, "0303": GERMAN})
    assert victory.score(t.position, ALLIED).total == 4
    assert victory.score(t.position, GERMAN).total == 3
    verdict = ended(t, is_last=True)
    assert verdict is not None
    assert verdict.winner == ALLIED
    assert victory.outcome(t.position) is not None
    even = ended(sides(4, 4), is_last=True)
    assert even is not None
    assert even.level == "draw"
    behind = ended(sides(4, 4, (0,)), is_last=True)
    assert behind is not None
    assert behind.winner == GERMAN
    assert victory.outcome(sides(4, 4).position) is None


@pytest.mark.rule("P8-14.01")
def test_conditions_of_the_scenario_come_before_points() -> None:
    terms = Victory((Condition("allied", "Both are taken", ("0101", "0303")),), "german")
    t = sides(4, 4, control={"0101": ALLIED, "0303": GERMAN}, sections={"victory": terms})
    verdict = ended(t, is_last=True)
    assert verdict is not None
    assert verdict.winner == GERMAN
    met = sides(4, 4, control={"0101": ALLIED, "0303": ALLIED}, sections={"victory": terms})
    verdict = ended(met, is_last=True)
    assert verdict is not None
    assert (verdict.winner, verdict.reasons) == (ALLIED, ("Both are taken",))


@pytest.mark.rule("P8-14.01")
def test_victory_is_checked_in_every_end_phase_and_the_last_one_ends_the_battle() -> None:
    t = sides(4, 4, (0, 1))
    t.play(EndPhase())
    assert is_over(t.position)
    assert t.asked == ""
    last = sides(4, 4, turns=1, active=GERMAN, half=2)
    last.play(EndPhase())
    assert last.position.level == "draw"


@pytest.mark.rule("P8-14.03")
def test_who_enters_an_objective_holds_it() -> None:
    t = sides(1, 1, objectives={"The hill": ("0102",)}, control={"0102": GERMAN})
    t.play(Move(U(0), t.hexes("0102"), 3))
    assert t.happened(GroundTaken)[0].side == ALLIED
    assert t.position.control[t.hex("0102")] == ALLIED


# --- hidden set-up --------------------------------------------------------------------------------------------------


def ambush(kind: str = "inf_rifle", distance: int = 13) -> Table:
    return table(
        "o" + "W" + "o\n" + open_ground(3, distance + 2),
        element("sherman", f"02{distance + 1:02d}"),
        element(kind, "0201", "german", facing=3),
        options={"hidden_setup": True},
    )


@pytest.mark.rule("P8-15.01")
@pytest.mark.parametrize(
    ("kind", "distance", "hidden"),
    [("inf_rifle", 13, True), ("inf_rifle", 12, False), ("pz4g", 21, True), ("pz4g", 20, False), ("at_75", 21, True)],
)
def test_what_lies_hidden_in_cover_is_unseen_from_afar(kind: str, distance: int, hidden: bool) -> None:
    t = ambush(kind, distance)
    assert (1 in visibility.hidden(t.position, ALLIED)) == hidden
    assert visibility.hidden(t.position, GERMAN) == frozenset()
    seen = RULES.view(t.state, ALLIED)
    assert (seen.position.elements[1].kind == "unknown") == hidden
    assert (1 in visibility.hidden(t.position, SPECTATORS)) == hidden


@pytest.mark.rule("P8-15.01")
def test_what_has_fired_or_moved_or_stands_in_the_open_is_seen() -> None:
    t = ambush()
    t.change(1, has_fired=True)
    assert not visibility.hidden(t.position, ALLIED)
    t = ambush()
    t.change(1, has_moved=True)
    assert not visibility.hidden(t.position, ALLIED)
    t = ambush()
    t.change(1, hex=t.hex("0101"))
    assert not visibility.hidden(t.position, ALLIED)
    hedge = table(
        open_ground(1, 16),
        element("sherman", "0116"),
        element("inf_rifle", "0102", "german"),
        options={"hidden_setup": True},
        hexsides={"hedge": ["0101-0102"]},
    )
    assert visibility.hidden(hedge.position, ALLIED) == {1}
    hedge.set(breaches=((hedge.hex("0102"), 0),))
    assert not visibility.hidden(hedge.position, ALLIED), "a breached hedge hides nobody"


@pytest.mark.rule("P8-15.01")
def test_hidden_enemies_are_no_targets_and_bar_the_way_with_an_event() -> None:
    t = ambush(distance=14)
    assert t.refusal(Fire(U(0), U(1), "hesa")).rule == "P8-8.10"
    blind = table(
        "DDD\nDDD\nDDD\nDDD\nooo",
        element("inf_rifle", "0204"),
        element("inf_rifle", "0201", "german", facing=3),
        element("pz4g", "0205", facing=0),
        options={"hidden_setup": True},
    )
    assert visibility.hidden(blind.position, ALLIED) == {1}
    blind.play(Move(U(0), blind.hexes("0203", "0202"), 0), passing=False)
    while blind.asked == "reaction":
        blind.play(Pass(), passing=False)
    assert not visibility.hidden(blind.position, ALLIED)


@pytest.mark.rule("P8-15.01")
def test_under_hidden_set_up_nothing_can_be_taken_back() -> None:
    t = ambush()
    assert not RULES.may_undo(RULES.view(t.state, ALLIED), EndPhase())
    open_view = RULES.view(sides(1, 1).state, ALLIED)
    assert RULES.may_undo(open_view, EndPhase())
    assert RULES.hides(t.position)


# --- content --------------------------------------------------------------------------------------------------------


def opened(units: tuple[Any, ...] = (), **sections: Any) -> Any:
    board = drawn(open_ground(3, 6))
    return setup.opening(scenario(board, units, sections=sections), {}, DiceKey("seed"))


@pytest.mark.rule("P8-4.01")
@pytest.mark.rule("P8-14.03")
def test_objectives_begin_in_the_hands_of_the_second_player() -> None:
    board = drawn(open_ground(3, 6))
    from sandtable.content import Objective

    prizes = (Objective("The hill", (board.parse("0101"), board.parse("0102"))),)
    made = scenario(board, objectives=prizes, sections={"control": {"allied": ("0102",)}})
    state = setup.opening(made, {}, DiceKey("seed"))
    assert state.position.control == {board.parse("0101"): GERMAN, board.parse("0102"): ALLIED}
    assert state.position.active == ALLIED


@pytest.mark.rule("P8-15.04")
@pytest.mark.parametrize(("elite", "quality"), [(True, 2), (False, 1)])
def test_elite_troops_have_quality_2_with_the_option_and_are_veterans_without(elite: bool, quality: int) -> None:
    from sandtable.content import ScenarioUnit

    board = drawn(open_ground(3, 6))
    entry = ScenarioUnit("u", "sherman", "allied", ElementDetails(elite=True), 1, hex=board.parse("0101"))
    state = setup.opening(scenario(board, (entry,)), {"elite": elite}, DiceKey("seed"))
    assert state.position.elements[0].quality == quality


@pytest.mark.rule("P8-1.01")
@pytest.mark.rule("P8-1.04")
def test_two_players_and_ten_sided_dice() -> None:
    from sandtable.rulesets.panzer8.results import DIE

    assert RULES.sides(sides(1, 1).state) == (SideId("allied"), SideId("german"))
    assert DIE == 10


@pytest.mark.rule("P8-14.02")
def test_a_scenario_may_say_how_many_lost_elements_break_a_side() -> None:
    fallen = [element("inf_lmg", "", fate="lost") for _ in range(2)]
    t = table(
        open_ground(6, 3),
        element("inf_lmg", "0101"),
        *fallen,
        element("inf_lmg", "0601", side=GERMAN),
        sections={"breaking": {"allied": 3}},
    )
    ground = t.position.ground
    assert (victory.breaking_point(ground, ALLIED), victory.breaking_point(ground, GERMAN)) == (3, 1)
    assert victory.broken(t.position) == []
    t.change(0, hex=0, fate="lost")
    assert victory.broken(t.position) == [ALLIED]
    t.run(lambda resolution: victory.conclude(resolution, is_last=False))
    assert t.position.reasons == ("Allied has lost 3 of 3 elements (P8-14.02)",)
