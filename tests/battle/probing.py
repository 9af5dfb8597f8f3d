"""Six ways to scout for nothing, each tried in twin worlds of Panzer Leader through every exit that tells of a table.

The worlds differ in where a hidden enemy stands, or in what he has written in secret; where somebody may react in one
of them and nobody in the other, he lets it go by. From then on the viewer's bytes are the same: numbers, digests, log
and all he can look back on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sandtable.battle.battles import Battles
from sandtable.battle.seats import human
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, SIDES
from sandtable.rulesets.panzer_leader.orders import EndPhase, MoveUnit, Pass, PlaceUnit, WriteMission
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from sandtable.rulesets.panzer_leader.scenario import PanzerLeaderScenario, Setup
from tests.battle.kit import Count, MemoryStore, Shelf
from tests.battle.twins import PROBED, Leak, World
from tests.rulesets.panzer_leader.battles import Entry, battle, entry

EVERYTHING = [
    *("Battle.view", "Battle.table", "Battle.situation", "Battle.standpoint", "Battle.latest", "Battle.log"),
    *("Battle.recent_log", "Battle.progress", "Battle.events", "Battle.belief", "Battle.knowledge", "Battle.as_seen"),
    *("Battle.export", "Asking.ready", "Asking.forces", "Asking.highlights", "Asking.reports"),
]
"""The exits that ask nothing in a toy's own words."""

ROAD = "\n".join([". T ."] * 9 + ["W T ."])
"""A road down the west with woods at its end; behind a row of houses is a field that nobody sees from the road."""


PASS = Pass()


class Table:
    """A battle of two people, its orders given in labels."""

    def __init__(self, scenario: PanzerLeaderScenario, **options: bool) -> None:
        self.scenario = scenario
        battles = Battles(MemoryStore(), Shelf(PanzerLeader(), twin=scenario), Count().time, lambda: "battle")
        made = battles.create("toy", "twin", tuple(map(human, SIDES)), dict(options), "seed")
        self.world = World(battles, made)

    def unit(self, name: str) -> UnitId:
        found: UnitId = next(unit.id for unit in self.world.state.position.units if unit.name == name)
        return found

    def hex(self, label: str) -> HexId:
        return HexId(self.scenario.board.parse(label))

    def give(self, side: SideId, order: Order) -> None:
        made = self.world.battle
        answer = made.submit(side, order, made.standpoint(side).number, f"order {made.ledger.entries}")
        assert answer.verdict == "accepted", answer

    def go_on(self, side: SideId, step: str) -> None:
        """Phases are ended until that side is at that step."""
        position = self.world.state.position
        while (position.phasing, position.step) != (side, step):
            (decision,) = self.world.battle.rules.ruleset.decisions(self.world.state)
            self.give(decision.side, EndPhase())
            position = self.world.state.position

    def move(self, name: str, *labels: str, answer: Pass = PASS) -> int:
        """The unit moves, and whoever may react lets it go by in that manner; how often he could."""
        self.give(ALLIED, MoveUnit(self.unit(name), tuple(map(self.hex, labels))))
        asked = 0
        while self.decider != ALLIED:
            self.give(GERMAN, answer)
            asked += 1
        return asked

    @property
    def decider(self) -> SideId:
        return self.world.battle.rules.ruleset.decisions(self.world.state)[0].side


def alike(tables: list[Table], lots: str) -> int:
    """How many answers were compared; Leak at the first that tells the Allied side the worlds apart."""
    answers = [list(_answers(table, lots)) for table in tables]
    for here, there in zip(*answers, strict=True):
        if here != there:
            raise Leak(f"{here[0]}: {here[1][:300]!r} against {there[1][:300]!r}")
    return len(answers[0])


def _answers(table: Table, lots: str) -> Iterator[tuple[str, bytes]]:
    for name in EVERYTHING:
        yield from PROBED[name](table.world, ALLIED, PromptDice(lots))


def not_taken_back(table: Table) -> None:
    """An order that looked at something can't be taken back, whatever it found."""
    if table.world.battle.view(ALLIED).can_undo:
        raise Leak("who has looked can take his order back")


def worlds(*entries: Entry, elsewhere: str, digest: str, rows: str = ROAD, first: str = "allied") -> list[Table]:
    """Two worlds in the fog: in the second the last unit begins elsewhere."""
    found = []
    for label in (entries[-1].label, elsewhere):
        last = Entry(entries[-1].type, label, entries[-1].side, dict(entries[-1].fields))
        copies = [Entry(one.type, one.label, one.side, dict(one.fields)) for one in entries[:-1]]
        # what a ground is made of is the same in both worlds, so that they share it
        found.append(Table(battle(rows, *copies, last, first=first, digest=digest), fog=True, opportunity_fire=True))
    return found


# the six oracles


def probe_and_undo() -> int:
    """An empty truck is driven at cover: it is barred or not, and is not taken back."""
    tables = worlds(
        entry("a_truck", "0108", id="truck"), entry("g_rifle", "0110", id="foe"), elsewhere="0305", digest="undo"
    )
    for table in tables:
        table.go_on(ALLIED, "vehicle movement")
        table.move("truck", "0109", "0110")
        not_taken_back(table)
    barred, open_road = (table.world.state.position.units[table.unit("truck")].hex for table in tables)
    assert barred != open_road, "the way is barred in one world only"
    return 2


def glimpse() -> int:
    """A scout goes where it can look behind the houses; whether or not anybody is there, it is not taken back."""
    tables = worlds(
        entry("a_greyhound", "0102", id="scout"),
        entry("g_rifle", "0304", id="foe"),
        elsewhere="0110",
        digest="glimpse",
        rows="\n".join([". . ."] * 2 + [". T ."] * 7 + ["W T ."]),
    )
    for table in tables:
        table.go_on(ALLIED, "vehicle movement")
        table.move("scout", "0202", "0302")
        not_taken_back(table)
        table.move("scout", "0202")
        not_taken_back(table)
    return 4


def set_up_look() -> int:
    """A unit is placed, and placed again, where it would see the enemy who has set up before."""
    tables = []
    for label in ("0109", "0309"):
        scenario = battle(
            ROAD,
            entry("g_rifle", id="foe"),
            entry("a_rifle", id="eye"),
            zones={"german": ["0109", "0309"], "allied": ["0101", "0301"]},
            sections={"setup": Setup(("german", "allied"), in_sight=True)},
            digest="set-up",
        )
        table = Table(scenario, fog=True)
        table.give(GERMAN, PlaceUnit(table.unit("foe"), table.hex(label)))
        table.give(GERMAN, EndPhase())
        tables.append(table)
    compared = alike(tables, "before")
    for label in ("0101", "0301", "0101"):
        for table in tables:
            table.give(ALLIED, PlaceUnit(table.unit("eye"), table.hex(label)))
            not_taken_back(table)
        compared += alike(tables, label)
    return compared


def window() -> int:
    """A tank drives down a road that a hidden gun watches in one world alone."""
    tables = worlds(
        entry("a_m4_75", "0101", id="tank"), entry("g_75pak", "0110", id="foe"), elsewhere="0305", digest="window"
    )
    compared = 0
    for labels, asked in ((("0102", "0103", "0104"), [1, 0]), (("0105",), [1, 0])):
        for table in tables:
            table.go_on(ALLIED, "vehicle movement")
        assert [table.move("tank", *labels) for table in tables] == asked, "a gun is asked in one world only"
        compared += alike(tables, str(labels))
    return compared


def missions() -> int:
    """A battery watches the road, in sight or hidden; in one world it has a mission that keeps it from firing."""
    compared = 0
    for fog, place, asked in ((False, "0109", [2, 2]), (True, "0109", [2, 2]), (True, "0110", [0, 2])):
        tables = []
        for is_ordered in (True, False):
            scenario = battle(
                ROAD,
                entry("a_m4_75", "0101", id="tank"),
                entry("g_rifle", "0309", id="spotter"),
                entry("g_105", place, id="battery"),
                first="german",
                digest=f"missions {fog} {place}",
            )
            table = Table(scenario, fog=fog, opportunity_fire=True)
            table.go_on(GERMAN, "indirect orders")
            if is_ordered:
                table.give(GERMAN, WriteMission((table.unit("battery"),), table.hex("0301")))
            table.go_on(ALLIED, "vehicle movement")
            tables.append(table)
        compared += alike(tables, "before")
        if [table.move("tank", "0102", "0103", "0104") for table in tables] != asked:
            raise Leak(f"who is asked tells of the mission: {fog} {place}")
        compared += alike(tables, f"{fog} {place}")
    return compared


def whole_move() -> int:
    """A hidden gun watches the road in one world; its crew lets each hex go by, or the whole move at once."""
    compared = 0
    for answer, asked in ((Pass(), [3, 0]), (Pass(rest=True), [1, 0])):
        tables = worlds(
            entry("a_m4_75", "0101", id="tank"), entry("g_75pak", "0110", id="foe"), elsewhere="0305", digest="whole"
        )
        for table in tables:
            table.go_on(ALLIED, "vehicle movement")
        labels = ("0102", "0103", "0104", "0105", "0106")
        assert [table.move("tank", *labels, answer=answer) for table in tables] == asked
        compared += alike(tables, str(answer))
    return compared


ORACLES: tuple[Callable[[], int], ...] = (probe_and_undo, glimpse, set_up_look, window, missions, whole_move)
