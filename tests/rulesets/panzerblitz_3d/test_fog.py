"""What a side sees, remembers and is told in the fog of war (PB3-1303)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.kernel.engine import submit, undoable
from sandtable.kernel.events import DiceKey, Event
from sandtable.kernel.ids import SPECTATORS, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import State
from sandtable.kernel.telling import Telling, introduced
from sandtable.rulesets.panzerblitz_3d import artillery, assault, opportunity
from sandtable.rulesets.panzerblitz_3d import events as e
from sandtable.rulesets.panzerblitz_3d.frames import Journey, OpportunityWindow, OverrunFrame, StepFrame
from sandtable.rulesets.panzerblitz_3d.model import (
    GERMAN,
    RUSSIAN,
    UNSEEN,
    BatteryState,
    Plot,
    Position,
    Unit,
)
from sandtable.rulesets.panzerblitz_3d.orders import (
    CloseAssault,
    DesignateTarget,
    EndPhase,
    MoveUnit,
    OpportunityFire,
    Overrun,
    OverrunRun,
    Pass,
    PlaceUnit,
)
from sandtable.rulesets.panzerblitz_3d.scenario import Sections, Setup
from sandtable.rulesets.panzerblitz_3d.visibility import hidden_units
from tests.kit.battles import must
from tests.kit.scripted import ScriptedDice
from tests.rulesets.panzerblitz_3d.battles import battle, entry, id_of, opened
from tests.rulesets.panzerblitz_3d.table import RULES, Table, U, open_ground, table, unit


def fogged(rows: str, *units: Any, **fields: Any) -> Table:
    t = table(rows, *units, options={"fog": True, **fields.pop("options", {})}, **fields)
    t.state = introduced(RULES, t.state, (GERMAN, RUSSIAN, SPECTATORS), {})
    return t


def hear(t: Table, order: Any, side: SideId, dice: list[int] | None = None) -> tuple[Event, ...]:
    """The order is carried out; what the side was told of it."""
    decider = t.decider
    played = must(submit(RULES, t.state, decider, order, ScriptedDice(dice or [])))
    t.state, t.events = played.state, played.events
    return tuple(told.event for told in played.told[side])


def fate(t: Table, side: SideId, number: int) -> str:
    return RULES.view(t.state, side).position.units[number].fate


@pytest.mark.rule("PB3-1303")
def test_an_enemy_in_the_open_is_seen_by_undispersed_units_and_in_cover_only_when_spotted() -> None:
    t = fogged(
        ". . . W . W",
        unit("g_pz4", "0101"),
        unit("r_rifle", "0201"),
        unit("r_rifle", "0401"),
        unit("r_rifle", "0601"),
        unit("g_truck", "0501"),
        unit("n_fort_r", "0301"),
        hexsides={"green": ["0501-0601"]},
        step="vehicle movement",
    )
    assert hidden_units(t.position, GERMAN) == frozenset()
    t.change(4, dispersed=True)
    assert hidden_units(t.position, GERMAN) == {U(2), U(3)}
    assert hidden_units(t.position, SPECTATORS) == {U(2), U(3)}
    t.change(0, dispersed=True)
    assert hidden_units(t.position, GERMAN) == {U(1), U(2), U(3)}


@pytest.mark.rule("PB3-1303")
def test_who_goes_out_of_sight_is_remembered_until_the_side_sees_that_nobody_is_there() -> None:
    t = fogged(
        ". . . W .",
        unit("g_pz4", "0101"),
        unit("r_t34c", "0301"),
        phasing=RUSSIAN,
        step="vehicle movement",
    )
    heard = hear(t, MoveUnit(U(1), t.hexes("0401")), GERMAN)
    assert [type(event) for event in heard] == [e.SightLost]
    known = RULES.view(t.state, GERMAN).position
    assert (known.units[1].fate, known.contacts[U(1)].unit.hex, known.contacts[U(1)].turn) == (UNSEEN, t.hex("0301"), 1)
    piece = next(one for one in RULES.pieces(RULES.view(t.state, GERMAN)) if one.id == 1)
    assert (piece.hex, piece.last_seen, piece.states) == (t.hex("0301"), 1, ("last seen on turn 1",))
    card = RULES.card(RULES.view(t.state, GERMAN), U(1))
    assert card is not None
    assert card.sections[0].title == "Out of sight"
    # in a later turn the side sees that nobody is there any more
    played = t.position
    for event in (e.TurnBegan(2),):
        after = RULES.apply(played, event)
        told = list(RULES.discern(RULES.apply(known, event), played, after, GERMAN))
        assert told == [e.ContactsForgotten((U(1),))]
    # spectators remember for a turn
    seen = RULES.known(replace(t.position, turn=2), SPECTATORS, RULES.view(t.state, SPECTATORS).position)
    assert seen.contacts == {}


@pytest.mark.rule("PB3-1303")
def test_an_enemy_who_comes_into_sight_is_told_with_the_hex_he_came_into() -> None:
    t = fogged("W . . . .", unit("r_t34c", "0101"), unit("g_pz4", "0501"), phasing=RUSSIAN, step="vehicle movement")
    assert fate(t, GERMAN, 0) == UNSEEN
    heard = hear(t, MoveUnit(U(0), t.hexes("0201", "0301")), GERMAN)
    assert [type(event) for event in heard] == [e.ContactMoved, e.UnitMoved]
    assert fate(t, GERMAN, 0) == ""
    moved = heard[1]
    assert isinstance(moved, e.UnitMoved)
    assert moved.mover.spent == 0


@pytest.mark.rule("PB3-1303")
@pytest.mark.rule("PB3-606")
def test_a_move_into_an_unseen_enemy_is_lawful_and_broken_off_before_him() -> None:
    t = fogged(". . W", unit("g_pz4", "0101"), unit("r_rifle", "0301"), step="vehicle movement")
    heard = hear(t, MoveUnit(U(0), t.hexes("0201", "0301")), GERMAN)
    assert t.at(0) == "0201"
    assert [event.why for event in heard if isinstance(event, e.MoveEnded)] == ["the way is barred (PB3-606)"]


@pytest.mark.rule("PB3-1303")
def test_in_the_fog_nothing_but_notes_is_taken_back() -> None:
    t = fogged(open_ground(6, 1), unit("g_pz4", "0101"), unit("r_t34c", "0301"))
    before, order = t.state, DesignateTarget((U(0),), t.hex("0301"), (U(1),))
    played = must(submit(RULES, before, GERMAN, order))
    assert undoable(RULES, before, played)
    t = fogged(open_ground(6, 1), unit("g_pz4", "0101"), unit("r_t34c", "0301"), step="vehicle movement")
    moved = must(submit(RULES, t.state, GERMAN, MoveUnit(U(0), t.hexes("0201"))))
    assert not undoable(RULES, t.state, moved)
    assert RULES.hides(t.position)


@pytest.mark.rule("PB3-1104")
@pytest.mark.rule("PB3-1303")
def test_in_the_fog_a_mover_halts_where_he_could_be_watched_whether_or_not_he_is() -> None:
    alone = fogged("W . . . . .", unit("r_rifle", "0101"), unit("g_lynx", "0601"), step="vehicle movement")
    watched = fogged(
        "W . . . . .", unit("r_rifle", "0101", of_assigned=True), unit("g_lynx", "0601"), step="vehicle movement"
    )
    kinds = []
    for t in (alone, watched):
        heard = hear(t, MoveUnit(U(1), t.hexes("0501", "0401", "0301")), GERMAN)
        kinds.append([type(event) for event in heard])
    assert kinds[0] == kinds[1]
    assert e.MoveHalted in kinds[0]
    assert e.MoveResumed in kinds[0]


@pytest.mark.rule("PB3-1104")
def test_the_movers_side_is_not_told_who_could_fire_and_a_shot_out_of_hiding_names_nobody() -> None:
    t = fogged(
        "W . . . . . . .\n. . . . . . . .",
        unit("r_76at", "0101", of_assigned=True),
        unit("g_lynx", "0801"),
        step="vehicle movement",
    )
    path = t.hexes("0701", "0601", "0501", "0401")
    assert t.check(MoveUnit(U(1), path)) is None
    hear(t, MoveUnit(U(1), path), GERMAN)
    window = t.state.flow[-1]
    assert isinstance(window, OpportunityWindow)
    assert window.firers == (U(0),)
    seen = RULES.view(t.state, GERMAN)
    hidden = seen.flow[-1]
    assert isinstance(hidden, OpportunityWindow)
    assert hidden.firers == ()
    assert seen.position.mover is not None
    assert seen.position.mover.exposure == {}
    journey = RULES.view(t.state, RUSSIAN).flow[1]
    assert isinstance(journey, Journey)
    assert journey.path == ()
    heard = hear(t, OpportunityFire((U(0),)), GERMAN, [6])
    shot = next(event for event in heard if isinstance(event, e.AttackRolled))
    assert (shot.attackers, shot.strength, shot.odds) == ((), 0, "")
    assert RULES.describe(shot, seen).startswith("Unseen attackers")


@pytest.mark.rule("PB3-1206")
@pytest.mark.rule("PB3-1303")
def test_shells_that_fall_on_unseen_units_tell_their_side_nothing_but_losses() -> None:
    t = fogged(
        "W . . . . .",
        unit("r_rifle", "0101"),
        unit("g_cp", "0601"),
        unit("r_rifle", "0301"),
        step="artillery",
        batteries=(BatteryState(0, "ob_105", GERMAN, 2), BatteryState(1, "ob_81", RUSSIAN, 2)),
        plots=(Plot(0, 0),),
    )
    t.set(plots=(Plot(0, t.hex("0101")), Plot(1, t.hex("0501"))))
    state = introduced(RULES, t.state, (GERMAN, RUSSIAN), {})
    heard = told(state, artillery.resolve_artillery, GERMAN, [6, 1])
    assert [type(event) for event in heard][:2] == [e.BatteryFired, e.HexShelled]
    own, foes = (event for event in heard if isinstance(event, e.BatteryFired))
    assert (own.plotted, own.seen) == (t.hex("0101"), True)
    assert (foes.plotted, foes.dice, foes.hex) == (0, (), t.hex("0501"))
    assert not any(isinstance(event, e.AttackRolled) for event in heard)
    assert any(isinstance(event, e.AttackRolled) for event in told(state, artillery.resolve_artillery, RUSSIAN, [6, 1]))


def told(state: State[Position], what: Any, side: SideId, dice: list[int]) -> list[Event]:
    """What a side hears of something the rules do."""
    telling = Telling(RULES, state.known)
    what(Resolution(state, ScriptedDice(dice), RULES.apply, telling))
    return [one.event for one in telling.told[side]]


@pytest.mark.rule("PB3-1207")
def test_shells_too_weak_for_what_is_there_are_reported_when_it_is_seen() -> None:
    def shelled(terrain: str) -> list[Event]:
        t = fogged(
            f"{terrain} . . .",
            unit("n_fort_r", "0101"),
            unit("r_rifle", fort=0),
            unit("g_cp", "0401"),
            step="artillery",
            batteries=(BatteryState(0, "ob_81", GERMAN, 2),),
        )
        t.set(plots=(Plot(0, t.hex("0101")),))
        return told(introduced(RULES, t.state, (GERMAN, RUSSIAN), {}), artillery.resolve_artillery, GERMAN, [])

    failed = [event for event in shelled(".") if isinstance(event, e.AttackFailed)]
    assert [event.rule for event in failed] == ["PB3-1207"]
    t = table(open_ground(4, 1), unit("n_fort_r", "0101"), unit("g_cp", "0401"))
    assert RULES.describe(failed[0], RULES.view(t.state, GERMAN)).startswith("Shells fall on 0101")


@pytest.mark.rule("PB3-811")
def test_an_attack_that_proves_worse_than_1_4_comes_to_nothing() -> None:
    t = fogged(
        ". T .", unit("g_security", "0101"), unit("r_recon", "0201"), unit("r_guards", "0201"), step="close assault"
    )
    heard = told(
        introduced(RULES, t.state, (GERMAN, RUSSIAN), {}),
        lambda resolution: assault.resolve_assault(resolution, GERMAN, CloseAssault((U(0),), t.hex("0201"))),
        GERMAN,
        [],
    )
    failed = [event for event in heard if isinstance(event, e.AttackFailed)]
    assert [(event.how, event.rule) for event in failed] == [("assault", "PB3-811")]
    assert RULES.describe(failed[0], RULES.view(t.state, GERMAN)).endswith("no effect, what is there is too strong.")
    assert RULES.marks(failed[0]).brief == "no effect"


@pytest.mark.rule("PB3-1302")
@pytest.mark.rule("PB3-1303")
def test_ground_taken_unseen_changes_hands_without_the_enemys_knowledge() -> None:
    t = fogged(
        ". . . . W W",
        unit("g_pz4", "0101"),
        unit("r_t34c", "0601"),
        phasing=RUSSIAN,
        step="vehicle movement",
        roads=[["0501", "0601"]],
        objectives={"Wood": ("0501",)},
        control={"0501": GERMAN},
    )
    hear(t, MoveUnit(U(1), t.hexes("0501")), GERMAN)
    assert t.position.control == {t.hex("0501"): RUSSIAN}
    assert RULES.view(t.state, GERMAN).position.control == {t.hex("0501"): GERMAN}
    assert RULES.view(t.state, RUSSIAN).position.control == {t.hex("0501"): RUSSIAN}
    over = RULES.known(replace(t.position, over=True), GERMAN, RULES.view(t.state, GERMAN).position)
    assert over.control == t.position.control


@pytest.mark.rule("PB3-1303")
def test_an_overrun_is_declared_without_what_is_out_of_sight() -> None:
    t = fogged(
        "W\n.\n.\n.\n.",
        unit("g_pz4", "0101"),
        unit("r_truck", "0103"),
        unit("r_t34c", "0105"),
        step="vehicle movement",
    )
    order = Overrun(t.hex("0103"), (OverrunRun(U(0), t.hexes("0102", "0103", "0104")),))
    assert t.check(order) is None
    frame = OverrunFrame(order.hex, order.runs)
    state = State(t.position, (StepFrame("vehicle movement"), frame, Journey(U(0), ())), DiceKey("x"))
    known = RULES.view(state, RUSSIAN)
    assert known.flow[1] == OverrunFrame(order.hex, ())
    assert RULES.view(state, GERMAN).flow[1] == frame


@pytest.mark.rule("PB3-503")
def test_assignments_of_hidden_units_stay_hidden_when_the_others_are_revealed() -> None:
    t = fogged(
        "W . . . .",
        unit("r_45at", "0101"),
        unit("g_pz4", "0501"),
        unit("r_t34c", "0301"),
        step="opportunity assignment",
        assigned=(U(0), U(1), U(2)),
    )
    heard = told(introduced(RULES, t.state, (GERMAN, RUSSIAN), {}), opportunity.reveal, GERMAN, [])
    assert [event.units for event in heard if isinstance(event, e.AssignmentsRevealed)] == [(U(1), U(2))]


@pytest.mark.rule("PB3-1303")
def test_units_are_set_up_unseen() -> None:
    zones = {"german": ["0101"], "russian": ["0401"]}
    made = battle(
        open_ground(4, 1),
        entry("g_rifle", id="a"),
        entry("r_rifle", id="b"),
        zones=zones,
        sections=Sections(setup=Setup(("german", "russian"))),
        options={"fog": True},
    )
    t = opened(made)
    a = id_of(t, "a")
    played = must(submit(RULES, t.state, GERMAN, PlaceUnit(a, t.hex("0101"))))
    assert played.told[RUSSIAN] == ()
    t.state = played.state
    worlds = {RULES.imagine(RULES.view(t.state, RUSSIAN), DiceKey("k", n)).position.units[a].hex for n in range(3)}
    assert worlds == {0}
    t.play(EndPhase(), side=GERMAN)
    worlds = {RULES.imagine(RULES.view(t.state, RUSSIAN), DiceKey("k", n)).position.units[a].hex for n in range(3)}
    assert worlds == {t.hex("0101")}
    mine = RULES.imagine(RULES.view(t.state, GERMAN), DiceKey("k")).position.units[id_of(t, "b")]
    assert (mine.kind, mine.fate) == ("r_rifle", "reserve")


@pytest.mark.rule("PB3-1303")
def test_a_side_imagines_garrisons_in_their_forts_and_reinforcements_where_they_may_have_come() -> None:
    made = battle(
        "W . . . . W W",
        entry("n_fort_r", "0101", id="fort"),
        entry("r_rifle", id="in", inside="fort"),
        entry("r_t34c", id="late", turn=1, at=["0601"]),
        entry("r_t34c", id="later", turn=9, at=["0601"]),
        entry("r_truck", "0701", id="truck"),
        entry("r_rifle", id="rider", aboard="truck"),
        entry("g_pz4", "0401"),
        options={"fog": True, "works": True},
        roads=[["0601", "0701"]],
    )
    t = opened(made)
    view = RULES.view(t.state, GERMAN)
    fates: set[tuple[str, str]] = set()
    for n in range(12):
        world = RULES.imagine(view, DiceKey("k", n)).position
        for one in world.units:
            fates.add((one.name, "inside" if one.fort >= 0 else "aboard" if one.carrier >= 0 else one.fate))
    assert {("in", "inside"), ("later", "reserve"), ("late", ""), ("rider", "aboard")} <= fates


def test_passing_ends_the_moment_for_the_mover_too() -> None:
    t = fogged(
        "W . . . . . . .", unit("r_76at", "0101", of_assigned=True), unit("g_lynx", "0801"), step="vehicle movement"
    )
    hear(t, MoveUnit(U(1), t.hexes("0701", "0601", "0501", "0401")), GERMAN)
    heard = hear(t, Pass(), GERMAN)
    assert type(heard[0]) is e.MoveResumed
    while t.asked == "opportunity fire":
        hear(t, Pass(), GERMAN)
    assert t.at(1) == "0401"


@pytest.mark.rule("PB3-1104")
@pytest.mark.parametrize("fog", [False, True])
def test_the_rest_of_a_move_is_let_go_by_with_one_order_and_its_side_is_told_the_same(fog: bool) -> None:
    told_: list[list[type[Event]]] = []
    for rest in (False, True):
        t = fogged(
            "W . . . . . . .",
            unit("r_76at", "0101", of_assigned=True),
            unit("g_lynx", "0801"),
            step="vehicle movement",
            options={"fog": fog},
        )
        heard = list(hear(t, MoveUnit(U(1), t.hexes("0701", "0601", "0501", "0401", "0301")), GERMAN))
        asked = 0
        while t.asked == "opportunity fire":
            heard += hear(t, Pass(rest=rest), GERMAN)
            asked += 1
        assert (asked == 1) == rest
        assert t.at(1) == "0301"
        told_.append([type(event) for event in heard])
    assert told_[0] == told_[1]


@pytest.mark.rule("PB3-502")
def test_a_side_imagines_that_batteries_are_plotted_on_its_own_hexes() -> None:
    t = fogged(
        "W . . . .",
        unit("r_cp", "0101"),
        unit("g_pz4", "0501"),
        step="artillery plots",
        batteries=(BatteryState(0, "ob_105", GERMAN, 2), BatteryState(1, "ob_81", RUSSIAN, 2)),
    )
    view = RULES.view(t.state, GERMAN)
    found = {RULES.imagine(view, DiceKey("k", n)).position.plots for n in range(8)}
    assert found == {(), (Plot(1, t.hex("0501")),)}


@pytest.mark.rule("PB3-1303")
def test_who_fits_nowhere_out_of_sight_stays_unseen() -> None:
    made = battle(
        "W .",
        entry("r_rifle", "0101", id="a"),
        entry("r_guards", "0101"),
        entry("g_pz4", "0201"),
        options={"fog": True},
    )
    t = opened(made)
    t.set(units=tuple(replace(one, hex=0, fate="reserve") if one.name == "a" else one for one in t.position.units))
    lonely = introduced(RULES, t.state, (GERMAN,), {})
    world = RULES.imagine(RULES.view(lonely, GERMAN), DiceKey("k")).position
    assert UNSEEN in {one.fate for one in world.units if one.side == RUSSIAN}


@pytest.mark.rule("PB3-901", "PB3-1303")
@pytest.mark.parametrize("event", [e.UnitDestroyed(U(1)), e.UnitExited(U(1), allowed=False)], ids=str)
def test_of_a_unit_that_is_gone_nobody_learns_what_it_was_about(event: e.AnyEvent) -> None:
    t = fogged("W . .", unit("g_pz4", "0301"), unit("r_76at", "0101", fired=True, of_assigned=True, dispersed=True))
    lost = RULES.apply(t.position, event).units[1]
    assert lost == Unit(U(1), "r_76at", RUSSIAN, fate="destroyed", name="u1")


@pytest.mark.rule("PB3-404", "PB3-606", "PB3-1303")
def test_who_finds_the_way_barred_in_a_full_hex_ends_in_the_last_one_with_room() -> None:
    friends = [unit("r_rifle", "0301", dispersed=True), unit("r_rifle", "0301", dispersed=True)]
    t = fogged(
        ". . . W .\n. . . . .",
        unit("r_t34c", "0101"),
        unit("g_rifle", "0401"),
        *friends,
        phasing=RUSSIAN,
        step="vehicle movement",
    )
    heard = hear(t, MoveUnit(U(0), t.hexes("0201", "0301", "0401")), RUSSIAN)
    assert [event.why for event in heard if isinstance(event, e.MoveEnded)] == ["the way is barred (PB3-606)"]
    assert t.at(0) == "0201"


@pytest.mark.rule("PB3-404", "PB3-1002", "PB3-1303")
def test_an_overrun_that_is_barred_behind_its_target_ends_where_there_is_room() -> None:
    friends = [unit("r_rifle", "0105", dispersed=True), unit("r_rifle", "0105", dispersed=True)]
    t = fogged(
        ".\n.\nW\n.\n.\n.\n.",
        unit("r_t34c", "0107"),
        unit("g_rifle", "0103"),
        unit("g_truck", "0104"),
        *friends,
        phasing=RUSSIAN,
        step="vehicle movement",
    )
    assert fate(t, RUSSIAN, 1) == UNSEEN
    hear(t, Overrun(t.hex("0104"), (OverrunRun(U(0), t.hexes("0106", "0105", "0104", "0103")),)), RUSSIAN)
    assert (t.at(0), t.unit(0).moved) == ("0106", True)


@pytest.mark.rule("PB3-1003", "PB3-1303")
def test_who_is_overrun_knows_whom_he_saw_driving_through() -> None:
    #  whoever sees the road does not spot what drives on into the woods
    units = unit("r_t34c", "0101"), unit("g_rifle", "0103", dispersed=True), unit("g_truck", "0301")
    t = fogged("...\n...\n...\nW..", *units, phasing=RUSSIAN, step="vehicle movement")
    order = Overrun(t.hex("0103"), (OverrunRun(U(0), t.hexes("0102", "0103", "0104")),))
    heard = hear(t, order, GERMAN, [6])
    attack = next(event for event in heard if isinstance(event, e.AttackRolled))
    assert fate(t, GERMAN, 0) == UNSEEN
    assert (attack.attackers, attack.strength, attack.odds, attack.lines) == ((0,), 0, "", ())
    said = RULES.describe(attack, RULES.view(t.state, GERMAN))
    assert said == "T-34c #0 overruns Rifle platoon #1 in 0103: die 6 -3, result DD."


@pytest.mark.rule("PB3-404", "PB3-1303")
def test_the_enemy_is_not_shown_where_a_unit_on_its_way_has_been() -> None:
    t = fogged(
        open_ground(9, 1), unit("g_pz4", "0101"), unit("r_su85", "0901", of_assigned=True), step="vehicle movement"
    )
    hear(t, MoveUnit(U(0), t.hexes("0201", "0301", "0401")), GERMAN)
    shown = {side: RULES.view(t.state, side).flow[1] for side in (GERMAN, RUSSIAN)}
    assert shown[GERMAN] == Journey(U(0), t.hexes("0401"), behind=t.hexes("0101", "0201"))
    assert shown[RUSSIAN] == Journey(U(0), ())
