"""Records are checked in a process of their own: what a hostile file does there does not reach the server."""

from __future__ import annotations

import asyncio
import json
import sys
from multiprocessing import active_children
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import pytest

from sandtable.battle.library import ShippedLibrary
from sandtable.kernel import codec, replay
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.engine import begin, submit
from sandtable.kernel.replay import FORMAT, Header, Record, recorded
from sandtable.server.http import inspection
from sandtable.server.http.inspection import FOUND, WRONG, NoRecord, inspect
from sandtable.server.workers.pool import WorkerPool
from tests.server import stand_ins
from tests.server.kit import PATIENCE, PLATOON, Server

SYSTEM = "panzer_leader"


@pytest.fixture(scope="module")
def record() -> Record:
    """Eight orders of a battle."""
    table = ShippedLibrary().find(SYSTEM, PLATOON)
    rules, seed = table.ruleset, "inspected"
    battle = [begin(rules, table.scenario, {}, seed)]
    version, commitment = rules.info.rules_version, replay.commitment(seed)
    header = Header(FORMAT, SYSTEM, version, PLATOON, table.digest, {}, commitment, seed)
    for _ in range(8):
        state = battle[-1].state
        decision = rules.decisions(state)[0]
        order = next(iter(rules.options(rules.view(state, decision.side), decision)))
        played = submit(rules, state, decision.side, order)
        assert not isinstance(played, Refusal)
        battle.append(played)
    return recorded(header, battle, battle[-1].state, None)


def test_a_true_record_comes_back_in_canonical_form(record: Record) -> None:
    written = replay.write(record)
    spaced = json.dumps(json.loads(written), indent=1).encode()
    for data in (written, spaced, b'{"record":' + spaced + b"}"):
        assert inspect(data, 0) == FOUND + written


def changed(record: Record, **header: Any) -> bytes:
    """The record with other words on its first page."""
    content = json.loads(replay.write(record))
    content["header"].update(header)
    return json.dumps(content).encode()


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ({"scenario_digest": "0" * 32}, "another version of the scenario"),
        ({"scenario": "../../etc/passwd"}, "there is no scenario"),
        ({"system": "chess"}, "there is no scenario"),
        ({"seed": "another"}, "not the one that was committed to"),
        ({"rules_version": "0"}, "played under rules 0"),
        ({"options": {"fog": [[[]]]}}, "can't be set up"),
        ({"options": {"x" * 10_000: 10**4000}}, "record"),
        ({"format": 10**30}, "that is no record"),
    ],
)
def test_what_is_wrong_with_a_record_is_one_sentence(record: Record, header: dict[str, Any], reason: str) -> None:
    answer = inspect(changed(record, **header), 0)
    assert answer[:1] == WRONG
    assert reason in answer[1:].decode()
    assert len(answer) < 1000


@pytest.mark.parametrize("data", [b"", b"[]", b'{"record":{}}', b"\xff\xfe\x00", b"[" * 100_000, b'"' + b"x" * 100_000])
def test_what_is_no_record_at_all_is_told_so(data: bytes) -> None:
    assert inspect(data, 0).startswith(WRONG + b"that is no record of a whole battle, and no save")


def test_a_record_with_an_order_too_many_does_not_hold(record: Record) -> None:
    content = json.loads(replay.write(record))
    content["entries"] += [content["entries"][-1]] * 5000
    assert b"entry 9" in inspect(json.dumps(content).encode(), 0)


def test_a_fault_of_ours_is_no_more_than_its_name(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> str:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(inspection, "record_problem", fail)
    assert inspect(replay.write(record), 0) == WRONG + b"that is no record of a whole battle, and no save"


# the process


def test_a_record_is_checked_in_another_process(record: Record) -> None:
    assert codec.encode(asyncio.run(inspection.checked(replay.write(record)))) == codec.encode(record)
    with pytest.raises(NoRecord, match="that is no record"):
        asyncio.run(inspection.checked(b"{}"))
    gone()


@pytest.mark.parametrize("data", [b"", b"[]", b"[" * 100_000, b"\x00" * 1000])
def test_what_can_be_no_record_is_not_worth_a_process(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspection, "WorkerPool", None)
    with pytest.raises(NoRecord, match="that is no record"):
        asyncio.run(inspection.checked(data))


def gone() -> None:
    """No process is left over."""
    for child in active_children():
        # its sentinel and not its exit code, for which the pool's own thread waits too
        assert wait([child.sentinel], PATIENCE)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space of a process")
def test_a_file_that_takes_all_memory_is_refused_and_the_server_goes_on(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspection, "inspect", stand_ins.hoard)
    answer = server.post("battles/import", content=b"{}")
    assert answer.status_code == 400
    assert "too much time or memory" in answer.json()["reason"]
    monkeypatch.undo()
    assert "that is no record" in server.post("battles/import", content=b"{}").json()["reason"]


@pytest.mark.thorough
@pytest.mark.parametrize("job", [stand_ins.hang, stand_ins.die], ids=["takes for ever", "kills the process"])
def test_a_file_that_never_ends_or_kills_its_reader_is_refused(
    server: Server, monkeypatch: pytest.MonkeyPatch, job: Any
) -> None:
    monkeypatch.setattr(inspection, "inspect", job)
    monkeypatch.setattr(inspection, "SECONDS", 2.0)
    answer = server.post("battles/import", content=b"{}")
    assert answer.status_code == 400
    assert "too much time or memory" in answer.json()["reason"]
    assert server.get("house").status_code == 200


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limits of that kind")
def test_an_inspection_writes_no_file(tmp_path: Path) -> None:
    async def written() -> bytes | None:
        workers = WorkerPool(1, PATIENCE, inspection.begin, tries=1)
        try:
            return await workers.run(stand_ins.scribble, str(tmp_path / "file").encode())
        finally:
            workers.close()

    assert asyncio.run(written()) is None
    assert (tmp_path / "file").stat().st_size == 0
