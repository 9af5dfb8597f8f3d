"""The campaigns in their short form, and for each the broken build it must find."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from sandtable.battle import authority, observation
from sandtable.battle.authority import Battle
from sandtable.battle.storage.rows import Charter, Conflict, StoredEntry, link
from sandtable.battle.storage.store import Store
from tests.battle import campaigns, doomed
from tests.battle.campaigns import Traffic
from tests.battle.kit import SEATS, battles, new_battle, order_by_lot

ORDERS = 2_000 if os.environ.get("SANDTABLE_THOROUGH") == "1" else 500


# killed processes


@pytest.mark.parametrize("processes", [10, pytest.param(50, marks=pytest.mark.thorough)])
def test_killed_processes_lose_no_acknowledged_order(tmp_path: Path, processes: int) -> None:
    toll = doomed.run(str(tmp_path / "battles.db"), processes)
    assert (toll.lost, toll.damaged) == (0, 0)
    assert toll.acknowledged > 8 * processes


def test_five_killed_processes_lose_nothing_on_postgresql(postgresql: Any) -> None:
    toll = doomed.run(postgresql.database(), 5)
    assert (toll.lost, toll.damaged) == (0, 0)
    assert toll.acknowledged > 5


def test_killing_finds_a_build_that_answers_before_the_commit(tmp_path: Path) -> None:
    # when a process dies is up to the machine, so one campaign may happen to find nothing
    tolls = (doomed.run(str(tmp_path / f"battles {n}.db"), 12, doomed.HastyStore) for n in range(5))
    assert any(toll.lost for toll in tolls)


# messages


def traffic(store: Store, orders: int) -> Traffic:
    """Battles over a hostile channel until that many orders were sent."""
    total = Traffic(0, 0, 0, 0, 0, 0)
    while total.sent < orders:
        battle = new_battle(store, f"channel {total.sent}", turns=20)

        def restart(battle: Battle) -> Battle:
            return battles(store).open(battle.id)

        found = campaigns.hostile_channel(battle, store, total.sent, restart)
        total = Traffic(*(sum(pair) for pair in zip(total, found, strict=True)))
    return total


def test_doubled_dropped_and_reordered_messages_double_and_lose_nothing(store: Store) -> None:
    found = traffic(store, ORDERS)
    assert (found.doubled, found.missing, found.phantoms, found.differing) == (0, 0, 0, 0)
    assert found.sent >= ORDERS
    assert found.accepted > ORDERS // 4


def test_messages_find_a_build_that_forgets_commands(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    real = authority.Battle._without_writing

    def forgetful(self: Battle, place: Any, expected: int, command: str, asked: bytes) -> Any:
        answer = real(self, place, expected, command, asked)
        is_repeated = getattr(answer, "verdict", "") == "accepted"
        return observation.stale(command, self.view(place.name).number) if is_repeated else answer

    monkeypatch.setattr(authority.Battle, "_without_writing", forgetful)
    assert traffic(store, 300).phantoms > 0


# writers


def several(url: str, stores: Any, kind: type[Store] = Store) -> list[Store]:
    opened = [stores(url) for _ in range(4)]
    for store in opened:
        store.__class__ = kind
    return opened


def test_concurrent_writers_leave_one_unbroken_log(url: str, stores: Any) -> None:
    found = campaigns.contest(several(url, stores), 50, twice=False)
    assert (found.entries, found.broken, found.doubled) == (201, 0, 0)
    assert found.conflicts > 0


def test_writers_that_share_commands_enter_each_once(url: str, stores: Any) -> None:
    found = campaigns.contest(several(url, stores), 50, twice=True)
    assert (found.entries, found.broken, found.doubled) == (151, 0, 0)


def test_writers_find_a_build_without_the_version_check(url: str, stores: Any) -> None:
    assert campaigns.contest(several(url, stores, campaigns.UncheckedStore), 50, twice=False).broken > 0


def without_unique_index(url: str) -> None:
    """The database has lost the index that keeps a command from entering twice."""
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("ALTER TABLE entry DROP CONSTRAINT uq_entry_command")
        else:
            connection.exec_driver_sql("DROP TABLE entry")
            connection.exec_driver_sql(
                "CREATE TABLE entry (battle, number, seat, command, at, body, chain, PRIMARY KEY (battle, number))"
            )
    engine.dispose()


def test_a_doubled_append_finds_a_build_without_the_unique_index(url: str, stores: Any) -> None:
    assert doubled_append(stores(url)) == 0
    other = stores(url)
    other.delete("doubled").result()
    without_unique_index(url)
    assert doubled_append(other) == 1


def doubled_append(store: Store) -> int:
    """How often a command enters that is sent twice, the second time with the number then due."""
    first = StoredEntry("doubled", 0, "red", "red:0", 0, "{}", link("", 0, "red", "red:0", 0, "{}"))
    store.create(Charter("doubled", "", "toy", "1", "{}", "sealed", 1, 0), SEATS, (first,)).result()
    for _ in range(2):
        entries, chain = store.head("doubled")
        row = StoredEntry("doubled", entries, "red", "red:x", 0, "{}", link(chain, entries, "red", "red:x", 0, "{}"))
        with suppress(Conflict):
            store.append(row, chain, "running").result()
    return sum(row.command == "red:x" for row in store.rows("doubled")) - 1


# viewers


def reconnected(store: Store, feed: campaigns.Feed) -> tuple[int, int]:
    battle = new_battle(store, "cuts", turns=20)
    return campaigns.reconnecting(battle, order_by_lot, lambda one: battles(store).open(one.id), feed)


def test_a_viewer_who_comes_back_gets_the_same_events(store: Store) -> None:
    cuts, differing = reconnected(store, campaigns.honest_feed)
    assert cuts > 50
    assert differing == 0


def test_cuts_find_a_build_that_skips_a_message(store: Store) -> None:
    assert reconnected(store, campaigns.forgetful_feed)[1] > 0
