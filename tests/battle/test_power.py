"""Power failures and failing disks, on a disk that is watched; for each the broken build that it must find."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.kernel.dice import PromptDice
from tests.battle import faults, power
from tests.battle.power import Disk, Entry

pytestmark = pytest.mark.skipif(bool(power.why_not()), reason=power.why_not() or "the disk can be watched here")

IMAGES = 300


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shim that watches the disk."""
    return power.shim(tmp_path_factory.mktemp("shim"))


def test_no_power_failure_loses_an_acknowledged_order(made: Path, tmp_path: Path) -> None:
    recording = power.record(made, tmp_path)
    toll = power.campaign(recording, tmp_path, IMAGES)
    assert (toll.lost, toll.damaged) == (0, 0)
    assert toll.promises > 30 * IMAGES
    # the moments that matter are in the recording: commits, checkpoints, the log begun anew, the store closed
    syncs = [entry.name for entry in recording if entry.kind == "S"]
    assert syncs.count("battles.db-wal") > 40
    assert syncs.count("battles.db") > 2
    assert sum(entry.kind == "U" for entry in recording) > 2


@pytest.mark.thorough
def test_power_failures_find_a_store_that_syncs_only_now_and_then(made: Path, tmp_path: Path) -> None:
    toll = power.campaign(power.record(made, tmp_path, "normal"), tmp_path, 60)
    assert toll.lost > 20


@pytest.mark.thorough
def test_power_failures_find_a_disk_that_swallows_syncs(made: Path, tmp_path: Path) -> None:
    toll = power.campaign(power.record(made, tmp_path, "swallowed"), tmp_path, 60)
    assert toll.lost > 20
    assert toll.damaged > 0


def test_a_failing_disk_never_acknowledges_and_a_restart_goes_on(tmp_path: Path) -> None:
    toll = faults.campaign(tmp_path, orders=8, every=4)
    assert toll.strange == []
    assert toll.false == 0
    assert toll.runs > 15
    assert toll.refused > 0.9 * toll.runs


@pytest.mark.thorough
def test_failing_disks_find_one_that_hides_its_errors(tmp_path: Path) -> None:
    assert faults.campaign(tmp_path, orders=10, every=1, broken="swallowed").false == 1


# the model of a disk


def seen(*entries: Entry) -> Disk:
    disk = Disk()
    for entry in entries:
        disk.see(entry)
    return disk


def test_what_is_synced_is_there_and_what_is_not_may_be_gone() -> None:
    created, folder = Entry("C", "a", 0, b""), Entry("S", "", 0, b"")
    disk = seen(created, folder, Entry("W", "a", 0, b"kept"), Entry("S", "a", 0, b""), Entry("W", "a", 4, b" or not"))
    found = {disk.cut(PromptDice("model", number))["a"] for number in range(100)}
    assert found == {b"kept", b"kept or not"}


def test_a_name_is_as_durable_as_the_last_sync_of_its_folder() -> None:
    disk = seen(Entry("C", "a", 0, b""), Entry("W", "a", 0, b"x"), Entry("S", "a", 0, b""))
    assert {tuple(disk.cut(PromptDice("model", number)).items()) for number in range(50)} == {(), (("a", b"x"),)}
    disk.see(Entry("S", "", 0, b""))
    disk.see(Entry("U", "a", 0, b""))
    assert {tuple(disk.cut(PromptDice("model", number))) for number in range(50)} == {(), ("a",)}


def test_a_torn_write_leaves_whole_sectors() -> None:
    write = Entry("W", "a", 500, bytes([1]) * 600)
    assert [(part.offset, len(part.data)) for part in power.sectors(write)] == [(500, 12), (512, 512), (1024, 76)]
    content = bytearray(b"yyyy")
    power.apply(content, Entry("T", "a", 6, b""))
    power.apply(content, Entry("W", "a", 8, b"z"))
    power.apply(content, Entry("T", "a", 2, b""))
    assert content == b"yy"
