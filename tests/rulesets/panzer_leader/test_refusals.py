"""Why not that one? Each refusal names the reason that holds for the very target that was pointed at."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.ids import UnitId
from sandtable.kernel.ruleset import Selection
from sandtable.rulesets.panzer_leader.model import ALLIED
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from tests.rulesets.panzer_leader.table import Table, open_board, table, unit

RULESET = PanzerLeader()
STRIP = open_board(1, 10)
TANK, FOE = unit("a_m4_75", "0101"), unit("g_panther", "0105")
DRIVING, WALKING, STORMING, WRITING = "vehicle movement", "foot movement", "close assault", "indirect orders"


def at(*units: Any, rows: str = STRIP, **fields: Any) -> Table:
    return table(rows, *units, **fields)


CASES: list[tuple[str, Table, str, str, str, str]] = [
    # what, the table, the verb of unit 0, where it is pointed, the rule, the reason
    ("shelled", at(TANK, FOE, shelled=["0105"]),
     "fire", "0105", "PL-804", "indirect fire has hit that hex this segment"),
    ("fired at", at(TANK, unit("g_panther", "0105", attacked=("fire",))), "fire", "0105", "PL-511",
     "Panther G has been fired at already this segment"),
    ("a hedge between", at(TANK, FOE, hexsides={"green": ["0103-0104"]}), "fire", "0105", "PL-707",
     "M4/75 Sherman has no line of sight: a hedge at 0103"),
    ("town between", at(TANK, FOE, rows=".\n.\nT\n.\n."), "fire", "0105", "PL-706",
     "M4/75 Sherman has no line of sight: town at 0103"),
    ("too far", at(TANK, unit("g_panther", "0110")), "fire", "0110", "PL-805",
     "M4/75 Sherman: the range of 8 hexes is too short for 9"),
    ("too weak", at(unit("a_greyhound", "0101"), unit("g_jtiger", "0105")), "fire", "0105", "PL-832",
     "3 against 18 is worse than 1-4"),
    ("against armor", at(unit("a_rifle", "0101"), unit("g_panther", "0103")), "fire", "0103", "PL-808",
     "Rifle platoon: weapon class I can't harm armor"),
    ("unspotted", at(TANK, unit("g_rifle", "0105"), rows=".\n.\n.\n.\nW"), "fire", "0105", "PL-721",
     "the target in 0105 is not spotted"),
    ("out of arc", at(unit("a_76at", "0103", facing=3), unit("g_panther", "0101"), options={"field_of_fire": True}),
     "fire", "0101", "PL-1608", "0101 is outside the field of fire of 76mm AT gun"),
    ("in a stream", at(TANK, unit("g_rifle", "0105"), rows=".\n.\n.\n.\nR"), "fire", "0105", "PL-712",
     "M4/75 Sherman can't see into the stream at 0105"),
    ("nobody there", at(TANK, FOE), "fire", "0104", "PL-802", "no enemy can be seen in that hex"),
    ("has fired", at(unit("a_m4_75", "0101", fired=True), FOE), "fire", "0105", "PL-801",
     "M4/75 Sherman has fired already"),
    ("overrun: nobody", at(TANK, FOE, step=DRIVING),
     "overrun", "0103", "PL-1002", "there is no enemy to overrun in that hex"),
    ("overrun: woods", at(TANK, unit("g_rifle", "0103"), rows=".\n.\nW\n.", step=DRIVING), "overrun", "0103", "PL-1002",
     "only clear hexes can be overrun"),
    ("overrun: wreck", at(TANK, unit("g_rifle", "0103"), step=DRIVING, wrecks={"0103": 1}),
     "overrun", "0103", "PL-1002",
     "a wreck, a block or a minefield stops overruns of its hex"),
    ("overrun: exit held", at(TANK, unit("g_rifle", "0103"), unit("g_rifle", "0104"), step=DRIVING), "overrun", "0103",
     "PL-605", "an enemy holds 0104"),
    ("overrun: fort behind", at(TANK, unit("g_rifle", "0103"), unit("n_fort30", "0104"), unit("g_rifle", fort=2),
     step=DRIVING), "overrun", "0103", "PL-1004", "an enemy holds 0104, where the overrun would end"),
    ("overrun: halftrack", at(unit("a_ht", "0101"), unit("g_panther", "0103"), step=DRIVING),
     "overrun", "0103", "PL-1001",
     "M3 halftrack does not overrun armored units"),
    ("overrun: too far", at(TANK, unit("g_rifle", "0109"), step=DRIVING), "overrun", "0109", "PL-603",
     "not enough movement points to reach 0110"),
    ("assault: far", at(unit("a_rifle", "0101"), unit("g_rifle", "0103"), step=STORMING), "assault", "0103", "PL-1021",
     "Rifle platoon is not adjacent to the hex"),
    ("assault: cliff", at(unit("a_rifle", "0101"), unit("g_rifle", "0102"), hexsides={"cliff": ["0101-0102"]},
     step=STORMING), "assault", "0102", "PL-622", "no close assault goes across a cliff"),
    ("assault: too weak", at(unit("a_engineer", "0101"), unit("g_rifle", "0102"), step=STORMING), "assault", "0102",
     "PL-832", "1 against 8 is worse than 1-4"),
    ("assault: MG alone", at(unit("a_mg", "0101"), unit("g_truck", "0102"), step=STORMING),
     "assault", "0102", "PL-1027",
     "MG platoon needs other infantry of its hex in the assault"),
    ("mission: near", at(unit("a_105", "0101"), unit("a_rifle", "0102"), step=WRITING), "mission", "0104", "PL-1101",
     "out of range: 9 to 32 hexes (the hex is 3 hexes away)"),
    ("mission: unseen", at(unit("a_81mm", "0101"), FOE, hexsides={"green": ["0103-0104"]}, step=WRITING),
     "mission", "0105", "PL-1103", "no unit of yours that can spot has a line of sight to 0105"),
    ("mission: woods", at(unit("a_81mm", "0101"), FOE, rows=".\n.\n.\n.\nW", step=WRITING),
     "mission", "0105", "PL-1103",
     "0105 is in cover: who spots for it must be adjacent, or have seen an enemy fire there"),
    ("mission: no gun", at(TANK, step=WRITING), "mission", "0105", "PL-1101", "the unit can't fire indirectly"),
    ("move: far", at(unit("a_m4_75", "0101"), rows=open_board(1, 12), step=DRIVING), "move", "0112", "PL-603",
     "not enough movement points to reach 0110"),
    ("move: enemy", at(TANK, unit("g_rifle", "0103"), step=DRIVING), "move", "0103", "PL-605", "an enemy holds 0103"),
    ("move: enemy round a hedge", at(TANK, unit("g_rifle", "0103"), rows=open_board(3, 4),
     hexsides={"green": ["0101-0102"]}, step=DRIVING), "move", "0103", "PL-605", "an enemy holds 0103"),
    ("move: full", at(unit("a_m4_75", "0101"), *[unit("a_rifle", "0103")] * 4, step=DRIVING), "move", "0103", "PL-401",
     "0103 is full"),
    ("move: hedge", at(TANK, rows=".\n.", hexsides={"green": ["0101-0102"]}, step=DRIVING), "move", "0102", "PL-606",
     "vehicles may not cross the green side into 0102"),
    ("move: stream", at(TANK, rows=".\nR", step=DRIVING), "move", "0102", "PL-631",
     "vehicles may not enter the stream at 0102"),
    ("move: swamp", at(TANK, rows=".\nM", step=DRIVING), "move", "0102", "PL-209", "M4/75 Sherman may not enter 0102"),
    ("move: cliff", at(unit("a_81mm", "0101"), rows=".\n.", hexsides={"cliff": ["0101-0102"]}, step=WALKING), "move",
     "0102", "PL-621", "only infantry on foot can try the cliff at 0102"),
    ("move: mines", at(TANK, rows=".\n.\n.", mines=["0102"], step=DRIVING), "move", "0103", "PL-1301",
     "it must stop in 0102"),
    ("move: block", at(TANK, rows=".\n.\n.\n.", blocks=("0103",), step=DRIVING), "move", "0103", "PL-1311",
     "a block is entered only by a unit that began its move adjacent to it"),
    ("move: dispersed", at(unit("a_m4_75", "0101", dispersed=1), step=DRIVING), "move", "0102", "PL-902",
     "a dispersed unit may do nothing until it recovers"),
    ("move: aboard", at(unit("a_rifle", carrier=1), unit("a_truck", "0101"), step=WALKING), "move", "0102", "PL-643",
     "Rifle platoon loads, rides or unloads this segment"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("what", "t", "verb", "where", "rule", "reason"),
    CASES,
    ids=lambda x: x if isinstance(x, str) and len(x) < 24 else "",
)
def test_a_refusal_names_the_reason_of_that_very_target(
    what: str, t: Table, verb: str, where: str, rule: str, reason: str
) -> None:
    view = RULESET.view(t.state, ALLIED)
    refusal = RULESET.why_not(view, verb, Selection((UnitId(0),)), Selection((), t.hex(where)))
    assert refusal is not None
    told = f"{refusal.reason} ({refusal.detail})" if refusal.detail else refusal.reason
    assert (refusal.rule, told) == (rule, reason)
