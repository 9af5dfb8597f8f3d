"""The menu and why not that one, derived from the orderbook."""

from __future__ import annotations

import re
from pathlib import Path

from sandtable.kernel.decisions import KERNEL, Refusal
from sandtable.kernel.ids import HexId, RuleId, UnitId
from sandtable.kernel.ruleset import Field, Reminder, Selection, Target, Verb
from sandtable.play import menu
from sandtable.play.orderbook import Orderbook
from sandtable.play.rows import Aim
from tests.play import room
from tests.play.room import BLUE, BOOK, RED, Line, at, blue, picked, red, view

KITES = (room.Scout(UnitId(8), RED), room.Scout(UnitId(9), BLUE))
THREE = Line((red(1, 3), red(2, 5), blue(3, 4)), KITES)


def verbs(position: Line, selection: Selection, *steps: str) -> dict[str, Verb]:
    return {verb.key: verb for verb in menu.menu(BOOK, view(position, *(steps or ("day",))), selection)}


def why(key: str, selection: Selection, target: Selection, position: Line = THREE, step: str = "day") -> str:
    """The refusal, agreeing with the menu, as rule and reason."""
    refusal = menu.why_not(BOOK, view(position, step), key, selection, target)
    offered = verbs(position, selection, step).get(key)
    covered = any(Aim(one.hex, one.units).covers(target) for one in offered.targets) if offered else False
    assert (refusal is None) == covered
    return "" if refusal is None else f"{refusal.rule} {refusal.reason}"


def test_with_nothing_to_decide_there_is_no_menu() -> None:
    assert menu.menu(BOOK, view(THREE), picked(1)) == ()


def test_with_nothing_picked_there_is_what_need_not_be_picked() -> None:
    assert list(verbs(THREE, picked())) == ["fly", "sing", "zzz"]


def test_a_target_has_its_order_place_way_actors_and_words() -> None:
    (target, *_) = verbs(THREE, picked(1))["run"].targets
    order = room.Run(UnitId(1), HexId(1))
    assert target == Target(order, HexId(1), path=(HexId(1),), actors=(UnitId(1),), text="run 1 to 1")


def test_a_verb_is_shown_to_whom_it_suits() -> None:
    assert "enter" not in verbs(THREE, picked(1))
    assert "enter" in verbs(Line((red(1),)), picked(1))
    assert "sing" not in verbs(Line((red(1, 3),)), picked())


def by_way(position: Line, *units: int, via: int, to: int) -> dict[str, Verb]:
    """What can be led through one hex to another."""
    selection = Selection(tuple(map(UnitId, units)), HexId(to), (HexId(via),))
    return {verb.key: verb for verb in menu.menu(BOOK, view(position, "day"), selection)}


def test_by_way_of_hexes_there_are_the_verbs_that_have_a_way_with_what_is_lawful() -> None:
    (run,) = by_way(THREE, 1, via=1, to=7).values()
    assert (run.key, run.refusal) == ("run", None)
    assert [target.order for target in run.targets] == [room.Run(UnitId(1), HexId(1))]


def test_a_way_that_the_rules_forbid_is_refused_with_their_reason() -> None:
    (run,) = by_way(THREE, 1, via=7, to=7).values()
    assert run.targets == ()
    assert run.refusal == BOOK.check(view(THREE, "day"), room.Run(UnitId(1), HexId(7)))


def test_a_way_off_the_map_or_of_another_side_is_refused() -> None:
    assert by_way(THREE, 1, via=99, to=4)["run"].refusal == room.refuse(3, "nothing to run")
    assert by_way(THREE, 3, via=1, to=4)["run"].refusal == BOOK.not_yours
    assert by_way(Line((red(1),)), 1, via=1, to=4) == {}


def test_another_sides_piece_can_not_be_ordered_about() -> None:
    assert verbs(THREE, picked(3))["run"].refusal == BOOK.not_yours


def test_a_verb_without_targets_says_what_bars_the_unit_or_that_there_is_nothing() -> None:
    tired = Line((red(1, 3, tired=True),))
    assert verbs(tired, picked(1))["run"].refusal == room.refuse(2, "it is tired")
    assert verbs(Line((red(1, 3),)), picked())["fly"].refusal == room.refuse(7, "nothing to fly")


def test_what_several_can_do_together_comes_first_and_nobody_acts_who_was_not_picked() -> None:
    waves = [target.order for target in verbs(THREE, picked(1, 2))["wave"].targets]
    there = [(order.units, order.to) for order in waves if isinstance(order, room.Wave)]
    assert there == [((1, 2), 4), ((1,), 2), ((1,), 4), ((2,), 4), ((2,), 6)]
    alone = [
        order.units
        for order in (t.order for t in verbs(THREE, picked(1))["wave"].targets)
        if isinstance(order, room.Wave)
    ]
    assert (1, 2) in alone


def test_nobody_who_was_not_picked_acts_with_several_who_were() -> None:
    crowd = Line((red(1, 3), red(2, 5), red(4, 5)))
    waves = [target.order for target in verbs(crowd, picked(1, 2))["wave"].targets]
    assert {order.units for order in waves if isinstance(order, room.Wave)} == {(1, 2), (1,), (2,)}


def test_a_form_asks_for_what_stands_at_its_default_in_every_order() -> None:
    wave = verbs(THREE, picked(1))["wave"]
    assert wave.form == (Field("times", "Times", least=1, most=3, default=2),)
    assert {target.order.times for target in wave.targets if isinstance(target.order, room.Wave)} == {2}


def test_a_verb_is_checked_when_all_who_are_picked_are_at_it() -> None:
    position = Line((red(1, 3, tired=True), red(2, 5)))
    assert verbs(position, picked(1))["wave"].checked
    assert not verbs(position, picked(1, 2))["wave"].checked
    assert not verbs(position, picked(1))["run"].checked


def test_what_need_not_be_picked_offers_more_when_it_is() -> None:
    assert [target.hex for target in verbs(THREE, picked())["fly"].targets] == [5]
    assert len(verbs(THREE, picked(8))["fly"].targets) == room.LENGTH
    assert [target.hex for target in verbs(THREE, picked(9))["fly"].targets] == [5]


def test_the_end_of_the_step_closes_it_and_reminds_of_who_could_still_act() -> None:
    end = verbs(THREE, picked())["zzz"]
    assert (end.title, end.closes, end.confirm) == ("Rest: day", True, "scout 1 and scout 2 can still act.")
    many = Line((red(1, 3), red(2, 5), red(4, 7), red(5)))
    assert verbs(many, picked())["zzz"].confirm == "scout 1, scout 2 and others can still act."
    assert verbs(Line((red(1),)), picked())["zzz"].confirm == "scout 1 can still act."
    assert verbs(Line((red(1, 3, tired=True),)), picked())["zzz"].confirm == ""
    assert verbs(THREE, picked(), "meeting")["zzz"].confirm == ""
    nobody = verbs(Line(), picked())["zzz"]
    assert (nobody.refusal, nobody.confirm) == (room.refuse(1, "nobody is there to rest"), "")


def test_what_is_lost_with_the_step_is_told_first_and_then_each_unit_that_could_still_act() -> None:
    night = view(Line((red(1, 3), red(2)), KITES), "night")
    assert menu.reminders(BOOK, night)[0] == Reminder("The kites fly away", RuleId("L-7"), lost=True)
    (end,) = (verb for verb in menu.menu(BOOK, night, picked()) if verb.closes)
    assert end.confirm == "The kites fly away. scout 1 can still act."
    assert menu.reminders(BOOK, view(Line((red(1, 3), red(2))), "day")) == (
        Reminder("scout 1 can still run", RuleId("L-3"), HexId(3), (UnitId(1),)),
        Reminder("scout 2 waits outside", RuleId("L-6"), HexId(0), (UnitId(2),)),
    )
    assert menu.reminders(BOOK, view(THREE)) == ()


def test_a_room_that_loses_nothing_with_a_step_need_not_say_so() -> None:
    bare = Orderbook(
        room.ROWS,
        not_yet=BOOK.not_yet,
        not_yours=BOOK.not_yours,
        is_on=BOOK.is_on,
        likely=BOOK.likely,
        idle=BOOK.idle,
        named=BOOK.named,
    )
    assert all(not one.lost for one in menu.reminders(bare, view(Line((red(1, 3),), KITES), "night")))


def test_a_target_tells_what_sets_it_apart_and_what_speaks_against_it() -> None:
    there, other = (t for t in verbs(THREE, picked(1))["wave"].targets if t.actors == (UnitId(1),))
    assert (there.note, there.brief, there.choice, there.warning) == ("far", "!", "(1,)", "nobody is there")
    assert (other.hex, other.warning) == (4, "")


def test_some_of_several_may_be_enough() -> None:
    crowd = Line((red(1, 3), red(2, 5), red(3, 3), blue(4, 4)))
    waves = [target.order for target in verbs(crowd, picked(1, 2, 3))["wave"].targets if target.hex == 4]
    assert [order.units for order in waves if isinstance(order, room.Wave)][:2] == [(1, 2, 3), (1, 2)]


def test_an_order_tells_what_it_leads_to_later() -> None:
    sequel = BOOK.sequel(view(THREE, "day"), room.Wave((UnitId(1),), HexId(2)))
    assert ([one.text for one in sequel.later], sequel.warning) == (["they may wave back"], "nobody is there")
    assert BOOK.sequel(view(THREE, "day"), room.Sing()) == ((), "")


def test_no_verb_has_a_key_that_means_the_same_in_every_step() -> None:
    """The client's own table of keys says what they mean, and verbs have the other letters before it."""
    keys = (Path(__file__).parents[2] / "web" / "src" / "keys.ts").read_text(encoding="utf-8")
    (undo,) = re.findall(r"action: 'undo', keys: \[(.*?)\]", keys)
    assert set(re.findall(r"'(\w)'", undo)) == menu.RESERVED_KEYS
    assert not {row.verb.hotkey for row in BOOK.rows} & menu.RESERVED_KEYS


def test_verbs_of_several_open_decisions_stand_there_once() -> None:
    offered = menu.menu(BOOK, view(THREE, "day", "night"), picked(1))
    assert [verb.key for verb in offered] == ["run", "wave", "fly", "sing", "zzz"]


# --- why not that one -----------------------------------------------------------------------------------------------


def test_nothing_is_said_against_what_the_menu_offers() -> None:
    assert why("run", picked(1), at(4)) == ""
    assert why("wave", picked(1), at(4, 3)) == ""
    assert why("zzz", picked(1), at(0)) == ""


def test_what_can_not_be_pointed_at_is_refused_by_the_check_of_the_order_it_would_be() -> None:
    assert why("run", picked(1), at(9)) == "L-3 that is too far"
    assert why("wave", picked(1, 2), at(9)) == "L-4 not beside"
    assert why("enter", picked(1), at(4), Line((red(1),))) == "L-6 only at 1"


def test_what_bars_the_actor_is_said_first_then_whether_it_is_a_hex_at_all() -> None:
    assert why("run", picked(1), at(4), Line((red(1, 3, tired=True),))) == "L-2 it is tired"
    assert why("run", picked(1), at(77)) == "L-3 that is no hex of the map"


def test_the_wrong_time_verb_and_piece_are_refused_too() -> None:
    assert menu.why_not(BOOK, view(THREE), "run", picked(1), at(4)) == BOOK.not_yet
    assert why("hail", picked(1), at(4)) == "L-3 that order does not belong to this step: day"
    assert menu.why_not(BOOK, view(THREE, "day"), "dance", picked(1), at(4)) == Refusal(KERNEL, "there is no such verb")
    assert why("run", picked(), at(4)) == "L-3 nothing to run"
    assert why("run", picked(3), at(4)) == "L-1 that is not yours"


def test_what_only_a_picked_piece_is_offered_asks_for_the_pick() -> None:
    assert why("fly", picked(), at(5)) == ""
    assert why("fly", picked(), at(6)) == "L-7 pick who is to do it there"
    assert why("fly", picked(8), at(6)) == ""
    assert why("fly", picked(), at(6), Line((red(1, 3),))) == "L-7 nothing to fly"


def test_those_of_several_who_can_do_it_together_are_offered_where_not_all_can() -> None:
    crowd = Line((red(1, 3), red(2, 5), red(3, 9)))
    waves = [target.order for target in verbs(crowd, picked(1, 2, 3))["wave"].targets if target.hex == 4]
    assert [order.units for order in waves if isinstance(order, room.Wave)] == [(1, 2), (1,), (2,)]
