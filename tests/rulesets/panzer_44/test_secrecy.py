"""What one side writes in the plot stays its own until both are sealed; and with fog of war, what is out of sight."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from sandtable import registry
from sandtable.battle.observation import Account, Change, Witness, bearing, noticed
from sandtable.content import load_shipped
from sandtable.kernel import codec
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.engine import submit, undoable
from sandtable.kernel.events import Order
from sandtable.kernel.ids import NOBODY, NOWHERE, SPECTATORS, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import Selection
from sandtable.kernel.state import Played, State
from sandtable.kernel.telling import introduced, telling_of
from sandtable.rulesets.panzer_44 import changes, plotting, sequence
from sandtable.rulesets.panzer_44 import events as e
from sandtable.rulesets.panzer_44 import orders as o
from sandtable.rulesets.panzer_44.frames import Journey, OpportunityFrame, SetupFrame, StepFrame
from sandtable.rulesets.panzer_44.model import ALLIED, GERMAN, SIDES, UNSEEN, Plot, Position
from sandtable.rulesets.panzer_44.scenario import VisibilityEntry
from tests.kit.battles import must, told_battle
from tests.kit.scripted import ScriptedDice
from tests.rulesets.panzer_44.table import RULES, Table, U, on_the_move, open_ground, table, unit

VIEWERS = (*SIDES, SPECTATORS)
FOG = {"fog": True}
NIGHT = VisibilityEntry(1, 1)
"""One sees no farther than the next hex."""


def told(t: Table) -> State[Position]:
    """The state of a table, of which everybody is told from now on."""
    return introduced(RULES, t.state, VIEWERS, {})


def sent(state: State[Position], side: SideId, order: Order) -> Played[Position]:
    return must(submit(RULES, state, side, order))


def written_orders(state: State[Position], side: SideId, seed: str) -> list[Order]:
    """A plot by lot, sealed at the end."""
    found: list[Order] = []
    for number in range(60):
        view = RULES.view(state, side)
        order = RULES.options(view, view.decisions[0]).pick(PromptDice(seed, number))
        found.append(order)
        state = sent(state, side, order).state
        if not RULES.view(state, side).decisions:
            return found
    raise AssertionError("the plot has no end")


def played_in(state: State[Position], turns: str, plots: dict[str, list[Order]]) -> Played[Position]:
    """The orders of both sides, given in that succession of initials."""
    sides, left = {"a": ALLIED, "g": GERMAN}, {key: list(orders) for key, orders in plots.items()}
    last = None
    for turn in turns:
        last = sent(state, sides[turn], left[turn].pop(0))
        state = last.state
    return must(last)


@pytest.mark.rule("P44-5.03")
@pytest.mark.parametrize("options", [{}, FOG], ids=["open", "fog"])
def test_what_comes_of_the_plots_does_not_depend_on_who_wrote_or_sealed_first(options: dict[str, Any]) -> None:
    scenario = load_shipped("p44-vierville", registry.vocabulary("panzer_44"))
    state = told_battle(RULES, scenario, options, "interleaved").state
    while any(decision.kind == "setup" for decision in RULES.decisions(state)):
        state = sent(state, RULES.decisions(state)[0].side, o.EndSetup()).state
    plots = {"a": written_orders(state, ALLIED, "allied"), "g": written_orders(state, GERMAN, "german")}
    a, g = len(plots["a"]), len(plots["g"])
    mixed = "".join(one + other for one, other in zip("a" * min(a, g), "g" * min(a, g), strict=True))
    mixed += "a" * (a - min(a, g)) + "g" * (g - min(a, g))
    ends = [played_in(state, turns, plots) for turns in ("a" * a + "g" * g, "g" * g + "a" * a, mixed, mixed[::-1])]
    first = ends[0]
    for other in ends[1:]:
        assert other.events[1:] == first.events[1:], "but for whose seal was the last"
        assert other.draws == first.draws
        assert codec.encode(other.state) == codec.encode(first.state)


@pytest.mark.rule("P44-5.08")
@pytest.mark.parametrize("options", [{}, FOG], ids=["open", "fog"])
def test_nothing_that_a_side_does_in_the_plot_is_told_to_anybody_else(options: dict[str, Any]) -> None:
    t = table(open_ground(6, 4), unit("u_m4", "0202"), unit("g_pz4h", "0502"), options=options)
    state = told(t)
    orders: list[Order] = [
        o.PlotDirectFire((U(0),), t.hex("0502")),
        o.PlotMove((U(0),)),
        o.PlotOpportunityFire((U(0),)),
        o.Unplot(U(0)),
        o.SealPlot("salt"),
    ]
    for order in orders:
        played = sent(state, ALLIED, order)
        for viewer in (GERMAN, SPECTATORS):
            before, after = RULES.view(state, viewer), RULES.view(played.state, viewer)
            assert codec.encode([before, RULES.pieces(before)]) == codec.encode([after, RULES.pieces(after)])
            assert played.told[viewer] == ()
            account = Account(number=1, bearing=bearing(RULES, state, before))
            seen = noticed(RULES, Change(state, played.state), Witness(viewer, account), played.told[viewer], None)
            assert seen == (), "no number of an observation is spent on it"
        state = played.state


@pytest.mark.rule("P44-5.08")
def test_until_it_is_sealed_a_plot_can_be_changed_and_taken_back_and_not_after() -> None:
    t = table(open_ground(6, 4), unit("u_m4", "0202"), unit("g_pz4h", "0502"), options=FOG)
    state = told(t)
    played = sent(state, ALLIED, o.PlotMove((U(0),)))
    assert undoable(RULES, state, played), "even under fog, for it is on paper"
    again = sent(played.state, ALLIED, o.PlotOpportunityFire((U(0),)))
    assert [plot.kind for plot in again.state.position.plots] == ["opportunity"]
    sealed = sent(again.state, ALLIED, o.SealPlot())
    assert not undoable(RULES, again.state, sealed)
    stands = Refusal(RuleId("P44-5.08"), "the plot is sealed")
    assert submit(RULES, sealed.state, ALLIED, o.PlotMove((U(0),))) == stands
    picked = Selection(units=(U(0),))
    assert RULES.why_not(RULES.view(sealed.state, ALLIED), "plot move", picked, picked) == stands


@pytest.mark.rule("P44-5.08")
def test_without_fog_everybody_sees_both_plots_once_they_are_open() -> None:
    t = table(open_ground(12, 4), unit("u_m4", "0202"), unit("g_pz4h", "1202"), unit("g_gren", "1204"))
    state = sent(told(t), GERMAN, o.PlotOpportunityFire((U(1), U(2)))).state
    state = sent(state, GERMAN, o.SealPlot()).state
    state = sent(state, ALLIED, o.PlotMove((U(0),))).state
    played = sent(state, ALLIED, o.SealPlot())
    for viewer in VIEWERS:
        known = played.state.known.positions[viewer]
        assert [plot.kind for plot in known.plots] == ["move", "opportunity", "opportunity"]
        assert known.sealed.keys() == set(SIDES)
        pieces = RULES.pieces(RULES.view(played.state, viewer))
        assert sum("waits" in piece.badges for piece in pieces) == 2


@pytest.mark.rule("P44-5.08")
def test_with_fog_a_side_never_sees_the_enemys_orders() -> None:
    t = table(open_ground(12, 4), unit("u_m4", "0202"), unit("g_pz4h", "1202"), options=FOG)
    state = sent(told(t), GERMAN, o.PlotOpportunityFire((U(1),))).state
    state = sent(state, GERMAN, o.SealPlot("n")).state
    state = sent(state, ALLIED, o.PlotMove((U(0),))).state
    played = sent(state, ALLIED, o.SealPlot())
    known = played.state.known.positions
    assert [plot.kind for plot in known[ALLIED].plots] == ["move"]
    assert [plot.kind for plot in known[GERMAN].plots] == ["opportunity"]
    assert known[GERMAN].nonces == {GERMAN: "n"}
    assert known[SPECTATORS].plots == ()


@pytest.mark.rule("P44-5.08")
def test_both_decisions_stand_open_at_once_and_each_side_sees_its_own() -> None:
    t = table(open_ground(6, 4), unit("u_m4", "0202"), unit("g_pz4h", "0502"))
    decisions = RULES.decisions(t.state)
    assert [(one.side, one.sealed) for one in decisions] == [(ALLIED, True), (GERMAN, True)]
    assert all(RULES.view(t.state, side).decisions[0].side == side for side in SIDES)


@pytest.mark.rule("P44-5.08")
def test_a_commitment_binds_to_every_order_and_to_the_nonce() -> None:
    t = table(open_ground(6, 4), unit("u_m4", "0202"), unit("u_m10", "0203"), unit("g_pz4h", "0502"))
    plots = [Plot(ALLIED, "move", U(0)), Plot(ALLIED, "opportunity", U(1)), Plot(GERMAN, "move", U(2))]
    digests = set()
    for some in permutations(plots, 2):
        t.set(plots=tuple(sorted(some, key=lambda plot: plot.unit)))
        digests.add(plotting.commitment(t.position, ALLIED, ""))
    assert len(digests) == 3, "the enemy's orders are none of it"
    assert plotting.commitment(t.position, ALLIED, "x") not in digests


# --- fog of war -------------------------------------------------------------------------------------------------------

WOODED = """
. . . W . . .
. . . W . . .
. . . W . . .
. . . W . . .
"""


def seen_by(state: State[Position], side: SideId) -> set[int]:
    return {one.id for one in state.known.positions[side].units if one.hex and one.side != side}


@pytest.mark.rule("P44-4.07")
def test_an_enemy_behind_woods_is_not_on_the_map_of_a_side_until_it_sees_him() -> None:
    t = on_the_move(WOODED, unit("u_m4", "0102"), unit("g_pz4h", "0702"), options=FOG)
    state = told(t)
    assert seen_by(state, ALLIED) == set()
    assert RULES.card(RULES.view(state, ALLIED), U(1)) is None
    played = sent(state, ALLIED, o.Move(U(0), t.hexes("0202", "0302", "0402")))
    assert seen_by(played.state, ALLIED) == {1}
    assert seen_by(played.state, GERMAN) == {0}
    sighted = [one.event for one in played.told[ALLIED] if isinstance(one.event, e.UnitsSighted)]
    assert sighted[0].contacts == (1,)


@pytest.mark.rule("P44-4.07")
def test_whoever_sees_a_mover_come_out_of_hiding_is_not_told_where_it_set_out() -> None:
    t = on_the_move(WOODED, unit("u_m4", "0102"), unit("g_pz4h", "0702"), options=FOG)
    played = sent(told(t), ALLIED, o.Move(U(0), t.hexes("0202", "0302", "0402", "0502")))
    moves = {
        side: [one.event for one in played.told[side] if isinstance(one.event, e.Moved)] for side in (ALLIED, GERMAN)
    }
    assert [move.start for move in moves[ALLIED]] == list(t.hexes("0102", "0202", "0302", "0402"))
    assert [move.start for move in moves[GERMAN]] == [NOWHERE, t.hex("0402")]


@pytest.mark.rule("P44-4.07")
def test_a_side_remembers_where_it_lost_sight_of_an_enemy_and_forgets_when_it_looks_there_later() -> None:
    t = on_the_move(WOODED, unit("g_pz4h", "0402"), unit("u_m4", "0102"), options=FOG)
    state = told(t)
    assert seen_by(state, ALLIED) == {0}
    played = sent(state, GERMAN, o.Move(U(0), t.hexes("0502", "0602")))
    known = played.state.known.positions[ALLIED]
    assert known.units[0].fate == UNSEEN
    assert known.contacts[U(0)].unit.hex == t.hex("0402")
    ghost = next(piece for piece in RULES.pieces(RULES.view(played.state, ALLIED)) if piece.id == 0)
    assert (ghost.last_seen, ghost.formation) == (1, "")
    card = RULES.card(RULES.view(played.state, ALLIED), U(0))
    assert card is not None
    assert card.sections[1].lines[0].value == "turn 1"
    ended = sent(played.state, GERMAN, o.EndMovement())
    assert ended.state.position.turn == 2
    assert ended.state.known.positions[ALLIED].contacts == {}, "the woods are in sight, and nobody is there"


@pytest.mark.rule("P44-4.07")
def test_spectators_know_what_every_side_sees_and_remember_it_for_a_turn() -> None:
    t = on_the_move(WOODED, unit("g_pz4h", "0402"), unit("u_m4", "0102"), options=FOG)
    played = sent(told(t), GERMAN, o.Move(U(0), t.hexes("0502", "0602")))
    known = played.state.known.positions[SPECTATORS]
    assert {unit.fate for unit in known.units} == {UNSEEN}
    assert set(known.contacts) == {U(0), U(1)}
    ended = sent(played.state, GERMAN, o.EndMovement())
    assert ended.state.known.positions[SPECTATORS].contacts == {}


@pytest.mark.rule("P44-4.07")
def test_an_unseen_enemy_in_the_way_stops_a_move_and_is_never_a_reason_to_refuse_it() -> None:
    t = on_the_move(
        ". . .", unit("u_m3", "0101"), unit("g_gren", "0301"), options=FOG, sections={"visibility": (NIGHT,)}
    )
    state = told(t)
    assert seen_by(state, ALLIED) == set()
    assert RULES.check(RULES.view(state, ALLIED), o.Move(U(0), t.hexes("0201", "0301"))) is None
    played = sent(state, ALLIED, o.Move(U(0), t.hexes("0201", "0301")))
    barred = [event for event in played.events if isinstance(event, e.Barred)]
    assert [event.hex for event in barred] == [t.hex("0301")]
    assert played.state.position.units[0].hex == t.hex("0201")
    assert not undoable(RULES, state, played)


@pytest.mark.rule("P44-4.07")
def test_nobody_sees_the_enemy_while_the_sides_set_up() -> None:
    t = table(open_ground(4, 2), unit("u_m4", "0101"), unit("g_pz4h", "0401"), options=FOG, step="setup",
              flow=(SetupFrame(ALLIED),))  # fmt: skip
    state = told(t)
    assert seen_by(state, ALLIED) == seen_by(state, GERMAN) == set()
    played = sent(state, ALLIED, o.EndSetup())
    assert seen_by(played.state, ALLIED) == {1}
    assert seen_by(played.state, GERMAN) == {0}


@pytest.mark.rule("P44-4.07")
def test_a_mover_can_not_tell_whether_anybody_was_asked_to_fire_at_it() -> None:
    plots = (Plot(GERMAN, "opportunity", U(1)),)
    t = on_the_move(open_ground(8, 2), unit("u_m4", "0101"), unit("g_pak40", "0801"), options=FOG, plots=plots)
    played = sent(told(t), ALLIED, o.Move(U(0), t.hexes("0201")))
    assert isinstance(played.state.flow[-1], OpportunityFrame)
    assert [type(frame) for frame in RULES.view(played.state, ALLIED).flow] == [StepFrame, Journey]
    assert [type(frame) for frame in RULES.view(played.state, GERMAN).flow] == [StepFrame, Journey, OpportunityFrame]
    assert played.state.known.positions[ALLIED].occasion is None
    halted = [one.event for one in played.told[ALLIED] if isinstance(one.event, e.MoveHalted)]
    assert halted == [e.MoveHalted(U(0), ALLIED)]
    assert not any(isinstance(one.event, e.MoveHalted) for one in played.told[GERMAN])


@pytest.mark.rule("P44-4.07")
def test_a_side_is_not_told_where_its_enemy_goes_next_nor_that_he_moves_unseen() -> None:
    t = on_the_move(WOODED, unit("g_pz4h", "0602"), unit("u_m4", "0102"), options=FOG)
    journey = Journey(U(0), t.hexes("0702"))
    t.state = State(t.state.position, (*t.state.flow, journey), t.state.dice)
    assert [type(frame) for frame in RULES.view(t.state, ALLIED).flow] == [StepFrame]
    t.change(0, hex=t.hex("0402"))
    assert RULES.view(t.state, ALLIED).flow[-1] == Journey(U(0), ())
    assert RULES.view(t.state, GERMAN).flow[-1] == journey


@pytest.mark.rule("P44-4.07")
def test_who_is_fired_at_by_an_enemy_he_does_not_see_is_told_of_the_fire_alone() -> None:
    t = table(
        open_ground(6, 2), unit("u_m4", "0101"), unit("g_gren", "0401", panic="frozen"), options=FOG, step="panic"
    )
    t.set(plots=(Plot(ALLIED, "direct", U(0), t.hex("0401")),))
    state = told(t)
    assert seen_by(state, GERMAN) == set(), "the only unit that could look has panicked"
    voice = telling_of(RULES, state)
    assert voice is not None
    resolution: Resolution[Position] = Resolution(state, ScriptedDice([6]), changes.apply, voice)
    sequence.advance(resolution)
    sequence.advance(resolution)
    heard = [one.event for one in voice.told[GERMAN] if isinstance(one.event, e.AttackRolled)]
    assert [(event.attacker, event.lines) for event in heard] == [(NOBODY, ())]
    own = [one.event for one in voice.told[ALLIED] if isinstance(one.event, e.AttackRolled)]
    assert own[0].attacker == U(0)
