"""Orders as people write them become orders, or one sentence that says what is wrong."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable import registry
from sandtable.geometry import Board
from sandtable.kernel.engine import begin
from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, UnitId
from sandtable.lab.tables import LabError, open_table
from sandtable.lab.written_orders import Names, order_from, unit_names

BOARD = Board.build("grid", 8, 8)
NAMES = Names(BOARD, {"panther": UnitId(3), "sherman": UnitId(7)})


class Leg(msgspec.Struct, frozen=True):
    unit: UnitId
    path: tuple[HexId, ...]


class Raid(Order, frozen=True):
    """Every shape a field may have."""

    legs: tuple[Leg, ...]
    pair: tuple[UnitId, HexId] = (UnitId(0), HexId(0))
    goal: HexId | None = None
    watchers: list[UnitId] = msgspec.field(default_factory=list)
    word: str = ""


class Wait(Order, frozen=True):
    pass


class Raids:
    class info:
        orders = Raid | Wait


def raid(**fields: Any) -> Any:
    return order_from({"order": "Raid", **fields}, Raids, NAMES)  # type: ignore[arg-type]


def test_labels_and_names_become_numbers_wherever_they_stand() -> None:
    order = raid(
        legs=[{"unit": "panther", "path": ["0101", 14]}],
        pair=["sherman", "0202"],
        goal="0303",
        watchers=["sherman", 5],
        word="panther",
    )
    here = BOARD.parse
    assert order.legs == (Leg(UnitId(3), (here("0101"), 14)),)
    assert order.pair == (7, here("0202"))
    assert (order.goal, order.watchers, order.word) == (here("0303"), [7, 5], "panther")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"legs": [{"unit": "panter", "path": []}]}, r"Raid.legs #1.unit: there is no unit 'panter'; did you mean"),
        ({"legs": [{"unit": 1, "path": ["0909"]}]}, r"Raid.legs #1.path #1: '0909' is not a hex"),
        ({"legs": [], "gaol": 1}, "no field of Raid 'gaol'; did you mean 'goal'"),
        ({}, "not complete: .*`legs`"),
        ({"legs": 5}, "not complete"),
        ({"legs": [], "pair": [1, 2, 3]}, "not complete"),
        ({"legs": [{"a": {"b": ["c"]}}]}, "not complete"),
    ],
)
def test_an_order_that_is_none_is_refused_with_the_place(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(LabError, match=reason):
        raid(**fields)


def test_an_order_names_its_kind() -> None:
    with pytest.raises(LabError, match="one of Raid, Wait"):
        order_from({}, Raids, NAMES)  # type: ignore[arg-type]
    with pytest.raises(LabError, match="no kind of order 'Rade'; did you mean 'Raid'"):
        order_from({"order": "Rade"}, Raids, NAMES)  # type: ignore[arg-type]


def test_the_units_of_a_battle_are_known_by_the_ids_of_their_scenario() -> None:
    table = open_table("pl-first-platoon")
    state = begin(table.ruleset, table.scenario, {}, "1").state
    views = [table.ruleset.view(state, side) for side in table.ruleset.sides(state)]
    names = unit_names(piece for view in views for piece in table.ruleset.pieces(view))
    for unit in table.scenario.units:
        assert state.position.units[names[unit.id]].name == unit.id


def test_every_order_of_every_system_can_be_written_with_names() -> None:
    for key in registry.SYSTEMS:
        from sandtable.lab.written_orders import _hints, order_kinds

        kinds = order_kinds(registry.ruleset(key))
        assert kinds
        for kind in kinds.values():
            assert list(_hints(kind)) == list(kind.__struct_fields__)
