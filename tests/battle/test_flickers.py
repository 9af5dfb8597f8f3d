"""Contacts that come and go within an order are told of once."""

from __future__ import annotations

from sandtable.battle.flickers import without_flickers
from sandtable.battle.observed import LogLine, ToldStep
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.ruleset import Piece


def unit(id: int, hex: int, last_seen: int = 0) -> Piece:
    return Piece(UnitId(id), SideId("red"), HexId(hex), f"Tank #{id}", "armor", last_seen=last_seen)


def step(text: str, *pieces: Piece, tone: str = "contact", gone: tuple[UnitId, ...] = ()) -> ToldStep:
    ids = tuple(piece.id for piece in pieces) + gone
    return ToldStep(LogLine(text, text, units=ids, tone=tone), pieces, gone)


def seen(*pieces: Piece) -> ToldStep:
    return step("in sight", *pieces)


def lost(id: int, hex: int) -> ToldStep:
    return step(f"lost in {hex}", unit(id, hex, last_seen=1))


def told(*steps: ToldStep) -> list[str]:
    kept = without_flickers(steps)
    # whatever is not said is shown all the same
    assert [one.changed for one in kept if one.changed] == [one.changed for one in steps if one.changed]
    assert [one.gone for one in kept if one.gone] == [one.gone for one in steps if one.gone]
    return [one.line.text for one in kept if one.line]


def test_who_comes_into_sight_and_goes_out_of_it_is_told_of_by_where_it_was_last_seen() -> None:
    assert told(seen(unit(1, 5)), lost(1, 5)) == ["lost in 5"]
    assert told(lost(1, 4), seen(unit(1, 5)), lost(1, 5)) == ["lost in 5"]


def test_who_goes_out_of_sight_and_comes_into_it_elsewhere_is_told_of_by_where_it_is() -> None:
    assert told(lost(1, 4), seen(unit(1, 5))) == ["in sight"]


def test_who_is_back_in_sight_where_it_was_is_not_told_of() -> None:
    assert told(lost(1, 4), seen(unit(1, 4))) == []
    assert told(lost(1, 4), seen(unit(1, 4)), lost(1, 4)) == ["lost in 4"]


def test_who_does_something_in_sight_was_there() -> None:
    shot = step("fires", unit(1, 5), tone="act")
    assert told(seen(unit(1, 5)), shot, lost(1, 5)) == ["in sight", "fires", "lost in 5"]


def test_a_line_on_several_stays_as_long_as_it_is_news_of_one() -> None:
    both = seen(unit(1, 5), unit(2, 5))
    assert told(both, lost(1, 5)) == ["in sight", "lost in 5"]
    assert told(both, lost(1, 5), lost(2, 5)) == ["lost in 5", "lost in 5"]


def test_who_is_remembered_nowhere_is_lost_all_the_same() -> None:
    gone = step("gone", gone=(UnitId(1),))
    assert told(seen(unit(1, 5)), gone) == ["gone"]
    assert told(gone, seen(unit(1, 5))) == ["in sight"]


def test_lines_on_nobody_and_steps_without_a_line_stay_as_they_are() -> None:
    nobody, silent = step("shells fall"), ToldStep(changed=(unit(1, 5),))
    assert without_flickers((nobody, silent)) == (nobody, silent)


def test_a_line_that_is_not_told_and_shows_nothing_is_no_step() -> None:
    shown_already, again = ToldStep(lost(1, 4).line), seen(unit(1, 5))
    assert without_flickers((shown_already, again)) == (again,)
