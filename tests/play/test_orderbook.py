"""One row per kind of order: everything that is asked about an order is read off its row."""

from __future__ import annotations

from typing import get_args

from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import HexId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import State
from sandtable.play.rows import Aim
from tests.kit.scripted import ScriptedDice
from tests.play import room
from tests.play.room import BOOK, RED, Day, Line, at, red, view

ONE = Line((red(1, 3),))


def run(to: int) -> room.Run:
    return room.Run(UnitId(1), HexId(to))


def test_an_order_is_refused_when_nothing_is_open_when_it_fits_no_decision_and_by_its_own_row() -> None:
    assert BOOK.check(view(ONE), run(4)) == BOOK.not_yet
    refusal = BOOK.check(view(ONE, "night"), run(4))
    assert refusal is not None
    assert (refusal.rule, refusal.reason) == ("L-5", "that order does not belong to this step: night")
    assert BOOK.check(view(ONE, "day"), run(9)) == room.refuse(3, "that is too far")
    assert BOOK.check(view(ONE, "night", "day"), run(4)) is None
    assert BOOK.check(view(ONE, "day"), room.Sing()) is None


def test_a_row_carries_out_explains_and_words_its_order() -> None:
    resolution = Resolution(State(ONE, (Day(),), DiceKey("x")), ScriptedDice(()), lambda position, event: position)
    BOOK.resolve(resolution, RED, run(4))
    assert resolution.events == [room.Sang()]
    (way,) = BOOK.explain(view(ONE, "day"), run(5))
    assert way.total == 2
    assert BOOK.explain(view(ONE, "day"), room.Sing()) == ()
    assert BOOK.text(run(4), ONE) == "run 1 to 4"
    assert BOOK.of(room.Wave((), HexId(1))).on_paper


def test_the_book_knows_all_its_orders_verbs_and_steps() -> None:
    assert set(get_args(BOOK.orders)) == {row.order for row in room.ROWS}
    assert BOOK.verbs == {"run", "enter", "wave", "fly", "sing", "hail", "zzz"}
    assert BOOK.steps == {"day", "night", "meeting"}
    rows = BOOK.in_step("day")
    assert [row.order for row in rows.of_units] == [room.Run, room.Enter, room.Wave]
    assert [row.order for row in rows.entering] == [room.Enter]
    assert [row.order for row in rows.others] == [room.Fly, room.Sing]
    assert [row.order for row in rows.closing] == [room.Rest]


def test_an_aim_covers_its_hex_and_of_the_pieces_there_those_it_means() -> None:
    aim = Aim(HexId(3), (UnitId(7),))
    assert aim.covers(at(3))
    assert aim.covers(at(3, 7))
    assert not aim.covers(at(3, 8))
    assert not aim.covers(at(4, 7))
    assert Aim(HexId(3)).covers(at(3, 8))
    assert Aim().covers(at(0))
