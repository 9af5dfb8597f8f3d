"""`sandtable record`: what is true is shown and told, what is not is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.kit import Run, refused


@pytest.fixture
def record(run: Run, toy_system: Path, tmp_path: Path) -> Path:
    """A battle to the end between the player of a list of commands and a computer."""
    path = tmp_path / "game.rec"
    said = run(
        "console", toy_system, "--sides", "human,random", "--seed", "r", "--option", "turns=2", "--record", path,
        said="\n".join(["bid 2", *(["end"] * 12), "bid 1", *(["end"] * 12)]),
    )  # fmt: skip
    assert said.code == 0
    assert path.exists()
    return path


def test_a_record_is_shown(run: Run, record: Path) -> None:
    facts = run("record", "show", record, "--json").json
    assert (facts["system"], facts["scenario"], facts["seed"]) == ("toy", "post", "r")
    assert facts["options"] == {"turns": 2}
    assert facts["orders"] > 3
    text = run("record", "show", record).out
    assert "turns=2" in text
    assert "rules version:" in text


def test_a_true_record_holds(run: Run, record: Path, toy_system: Path) -> None:
    assert "the record holds" in run("record", "verify", record, "--scenario", toy_system).out
    verdict = run("record", "verify", record, "--scenario", toy_system, "--json").json
    assert verdict["holds"] is True


def test_a_record_is_exported_line_by_line(run: Run, record: Path, toy_system: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.jsonl"
    assert run("record", "export", record, "--scenario", toy_system, "--out", out).out == ""
    first, *entries, last = map(json.loads, out.read_text().splitlines())
    assert first["header"]["seed"] == "r"
    assert [entry["number"] for entry in entries] == list(range(len(entries)))
    assert entries[1]["order"] == {"order": "Bid", "amount": 2}
    assert entries[1]["order_text"] == "bid 2"
    assert set(last) == {"outcome", "digest"}


def test_a_side_is_told_no_more_than_it_could_know(run: Run, record: Path, toy_system: Path) -> None:
    first, *entries, _ = map(
        json.loads, run("record", "export", record, "--scenario", toy_system, "--side", "blue").out.splitlines()
    )
    assert first["header"]["seed"] is None
    bid = next(entry for entry in entries if entry["side"] == "red")
    assert bid["text"] == ["BidMade: side red, amount 0"]
    assert bid["order_text"] == ""
    assert all("events" not in entry and "draws" not in entry for entry in entries)


def test_a_record_is_a_log_to_read(run: Run, record: Path, toy_system: Path) -> None:
    text = run("record", "export", record, "--scenario", toy_system, "--format", "text").out
    lines = text.splitlines()
    assert lines[0] == "Outpost line (Outpost Line)"
    assert "  red: bid 2" in lines
    assert "Turn 1" in lines


def test_a_log_to_read_names_each_turn_once(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "headed.rec"
    run("console", "pl-first-platoon", "--sides", "random,random", "--seed", "1", "--record", file)
    for side in ((), ("--side", "allied")):
        lines = run("record", "export", file, "--format", "text", *side).out.splitlines()
        assert [line for line in lines if "Turn 2" in line] == ["Turn 2, Allied segment.", "Turn 2, German segment."]
        assert "Turn 1" not in lines


def test_an_unknown_side_is_refused(run: Run, record: Path, toy_system: Path) -> None:
    said = run("record", "export", record, "--scenario", toy_system, "--side", "green")
    assert "no side 'green'; its sides are red, blue" in refused(said)


def edited(record: Path, change: Any) -> Path:
    content = json.loads(record.read_bytes())
    change(content)
    path = record.with_name("edited.rec")
    # in the canonical form, so that nothing else has changed
    path.write_text(json.dumps(content, separators=(",", ":"), sort_keys=True, ensure_ascii=False) + "\n")
    return path


def set_in(*keys: Any, to: Any) -> Any:
    def change(content: Any) -> None:
        for key in keys[:-1]:
            content = content[key]
        content[keys[-1]] = to

    return change


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (set_in("header", "seed", to="other"), "the seed is not the one that was committed to"),
        (set_in("header", "rules_version", to="0"), "played under rules 0"),
        (set_in("entries", 1, "order", to={"order": "Bid", "amount": 3}), "entry 1: the recorded events differ"),
        (set_in("entries", 1, "order", to={"order": "Bid", "amount": 9}), "not lawful: a bid is 1, 2 or 3 (TOY-2)"),
        (set_in("entries", 1, "order", to={"order": "Castle"}), "entry 1: the order can't be read"),
        (set_in("entries", 1, "side", to="blue"), "entry 1: "),
        (set_in("entries", 1, "side", to=None), "the order has no side"),
        (set_in("entries", 2, "chain", to="0"), "the hash chain is broken"),
        (set_in("digest", to="0"), "the final state differs"),
        (set_in("outcome", to={"winner": "red", "level": "decisive", "reasons": []}), "outcome"),
        (set_in("header", "system", to="chess"), "a system that is not here: 'chess'"),
        (set_in("header", "system", to="panzer_leader"), "the record is of panzer_leader, the scenario of toy"),
        (set_in("header", "scenario_digest", to="0"), "another version of the scenario"),
        (set_in("header", "format", to=2), "format 2"),
        (set_in("header", "options", to={"turns": 1e99}), "the battle can't be set up"),
        (set_in("entries", to=[]), "the record has no entries"),
    ],
)
def test_a_record_edited_by_hand_does_not_hold(
    run: Run, record: Path, toy_system: Path, change: Any, reason: str
) -> None:
    path = edited(record, change)
    assert reason in refused(run("record", "verify", path, "--scenario", toy_system))
    assert run("record", "export", path, "--scenario", toy_system).code in (0, 2)
    refused(run("console", toy_system, "--resume", path))


def test_a_record_does_not_choose_which_files_are_opened(run: Run, record: Path) -> None:
    path = edited(record, set_in("header", "scenario", to="../secret.toml"))
    assert "which is no id" in refused(run("record", "verify", path))


def test_a_record_of_a_strange_scenario_asks_for_its_file(run: Run, record: Path) -> None:
    assert "unknown scenario 'post'" in refused(run("record", "verify", record))


def test_a_record_cut_in_half_is_told(run: Run, record: Path, toy_system: Path) -> None:
    data = record.read_bytes()
    path = record.with_name("half.rec")
    path.write_bytes(data[: len(data) // 2])
    for words in (("record", "show"), ("record", "verify"), ("record", "export"), ("console", "--resume")):
        assert "this is no record of a battle, or only a part of one" in refused(run(*words, path))


@pytest.mark.parametrize("data", [b"[" * 10_000_000, b'{"header":' * 1_000_000, b"0" * 10_000_000, b'"' * 10_000_000])
def test_a_hostile_file_is_refused_at_once(run: Run, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "hostile.rec"
    path.write_bytes(data)
    assert "this is no record of a battle, or only a part of one" in refused(run("record", "show", path))


def test_an_event_no_rule_ever_made_is_told(run: Run, record: Path, toy_system: Path) -> None:
    path = edited(
        record, lambda content: content["entries"][1].update(events=[{"event": "Moved", "unit": 1, "to": "x"}])
    )
    assert "entry 1" in refused(run("record", "export", path, "--scenario", toy_system))
