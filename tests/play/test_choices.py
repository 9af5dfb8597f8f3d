"""The lawful orders of a decision, and one of them by lot."""

from __future__ import annotations

from collections import Counter

from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import Order
from sandtable.kernel.ids import RuleId, UnitId
from sandtable.play.choices import Choices
from sandtable.play.orderbook import Orderbook
from tests.play import room
from tests.play.room import BLUE, BOOK, RED, Line, blue, red, view


def choices(position: Line, step: str = "day") -> Choices[Line]:
    return Choices(BOOK, view(position, step), Decision(RED, step, RuleId("L-1")))


def picks(found: Choices[Line], times: int = 200) -> list[Order]:
    return [found.pick(PromptDice("pick", n)) for n in range(times)]


TWO = Line((red(1, 3), red(2, 9), blue(3, 5)), (room.Scout(UnitId(8), RED), room.Scout(UnitId(9), BLUE)))


def test_options_are_those_of_each_unit_then_of_what_need_not_be_picked_then_the_end() -> None:
    kinds = [type(order) for order in choices(TWO)]
    assert list(dict.fromkeys(kinds)) == [room.Run, room.Wave, room.Fly, room.Sing, room.Rest]
    assert Counter(kinds)[room.Fly] == 1
    assert [type(order) for order in choices(TWO, "meeting")] == [room.Hail, room.Rest]


def test_a_unit_is_able_when_a_menu_offers_it_anything() -> None:
    found = choices(TWO)
    assert [found.is_able(unit) for unit in found.units()] == [True, True]
    assert not choices(TWO, "meeting").is_able(red(1, 3))
    assert list(choices(TWO, "meeting").units()) == []


def test_each_unit_has_its_share_of_the_picks_and_the_first_row_most_of_them() -> None:
    found = picks(choices(TWO))
    runs = Counter(order.unit for order in found if isinstance(order, room.Run))
    assert min(runs.values()) * 2 > max(runs.values())
    assert Counter(map(type, found)).most_common(1)[0][0] is room.Run
    assert any(isinstance(order, room.Wave) for order in found)


def test_a_unit_that_is_not_there_yet_can_only_come() -> None:
    assert set(map(type, picks(choices(Line((red(1),)))))) == {room.Enter, room.Sing}


def test_units_with_nothing_to_do_leave_the_pick_to_others_or_to_the_end() -> None:
    # the tired run nowhere, and at night nothing but waving is open to units
    tired = Line((red(1, 3, tired=True),))
    assert room.Sing in set(map(type, picks(choices(tired))))
    nobody = Line((blue(3, 5),))
    assert set(map(type, picks(choices(nobody, "night")))) == {room.Rest}


def test_where_units_can_do_one_thing_only_they_do_that() -> None:
    assert set(map(type, picks(choices(TWO, "night")))) == {room.Wave, room.Rest}


def test_of_a_reactions_answers_any_is_as_likely() -> None:
    found = Counter(map(type, picks(choices(TWO, "meeting"))))
    assert set(found) == {room.Hail, room.Rest}
    assert next(iter(choices(TWO, "meeting"))) == room.Hail(UnitId(3))
    assert min(found.values()) > 60


def test_where_the_step_can_not_end_some_order_is_found_all_the_same() -> None:
    # likely() finds nobody, but the step has one scout who can act
    unlikely = Orderbook(
        room.ROWS,
        not_yet=BOOK.not_yet,
        not_yours=BOOK.not_yours,
        is_on=BOOK.is_on,
        likely=lambda position, side, step: [],
        idle=BOOK.idle,
        named=BOOK.named,
    )
    endless = unlikely.in_step("night")._replace(closing=())
    found = Choices(unlikely, view(TWO, "night"), Decision(RED, "night", RuleId("L-1")))
    found.rows = endless
    assert isinstance(found.pick(PromptDice("pick")), room.Wave)
