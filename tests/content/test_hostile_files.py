"""Whatever the bytes, a file is read or refused with messages of one line; nothing else ever comes out."""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sandtable.content import ContentError, Problem, load_board, load_scenario, read_header, read_table
from tests.content.samples import BOARD, METERS, METRIC, SCENARIO, SHEETS, TOY, Sections

Table = dict[str, Any]

SCRAPS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=-(2**200), max_value=2**200),
    st.floats(),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=10),
    st.sampled_from(
        ["0101", "0605", "9999", "0101:0605", "edge:N", "0101-0102", "allied", "carrier", "../x.toml", "1/0"]
    ),
)
VALUES = st.recursive(
    SCRAPS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def problems(action: Callable[[], object]) -> tuple[Problem, ...] | None:
    """Why an action was refused, or None; any error but a ContentError fails the test."""
    try:
        action()
    except ContentError as error:
        return error.problems
    return None


def refused_or_read(action: Callable[[], object]) -> None:
    """The action succeeds, or is refused with problems fit to be shown."""
    found = problems(action)
    assert found != ()
    for problem in found or ():
        assert problem.file
        assert problem.message
        assert str(problem).isprintable()


def read_every_way(data: bytes) -> None:
    refused_or_read(lambda: load_board(data, TOY))
    refused_or_read(lambda: load_board(data, METRIC))
    refused_or_read(lambda: load_scenario(data, TOY, SHEETS))
    refused_or_read(lambda: read_table(data, Sections))
    read_header(data)


def as_toml(value: Any) -> str:
    """A value as TOML on one line; None, which TOML can't write, as a date."""
    match value:
        case None:
            return "1944-07-09"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case bool():
            return str(value).lower()
        case int():
            return str(value) if abs(value) < 2**63 else hex(abs(value))
        case list():
            return "[" + ", ".join(map(as_toml, value)) + "]"
        case dict():
            return "{" + ", ".join(f"{as_toml(key)} = {as_toml(item)}" for key, item in value.items()) + "}"
        case _:
            return repr(value)


def as_file(table: Table) -> bytes:
    return "".join(f"{as_toml(key)} = {as_toml(value)}\n" for key, value in table.items()).encode("utf-8", "replace")


def test_the_files_to_be_spoiled_are_good_and_survive_rewriting() -> None:
    assert load_board(as_file(tomllib.loads(BOARD)), TOY).digest == SHEETS["vire"].board.digest
    assert load_board(as_file(tomllib.loads(METERS)), METRIC).digest == load_board(METERS.encode(), METRIC).digest
    assert load_scenario(as_file(tomllib.loads(SCENARIO)), TOY, SHEETS).units == (
        load_scenario(SCENARIO.encode(), TOY, SHEETS).units
    )


@given(st.binary(max_size=200))
def test_random_bytes_never_break_a_reader(data: bytes) -> None:
    read_every_way(data)


@given(st.text(max_size=100), st.sampled_from(["board", "scenario", "table"]))
def test_random_text_under_a_good_head_never_breaks_a_reader(text: str, kind: str) -> None:
    read_every_way(f'format = 1\nkind = "{kind}"\n{text}'.encode("utf-8", "replace"))


@given(st.data(), st.sampled_from([BOARD, METERS, SCENARIO]))
def test_random_damage_to_the_text_of_a_good_file_never_breaks_a_reader(data: st.DataObject, good: str) -> None:
    damaged = bytearray(good.encode())
    for _ in range(data.draw(st.integers(1, 5))):
        start = data.draw(st.integers(0, len(damaged)))
        stop = data.draw(st.integers(start, min(len(damaged), start + 30)))
        patch = data.draw(
            st.binary(max_size=4)
            | st.sampled_from([b'"', b"[", b"]]", b"\n", b"=", b"0", bytes(damaged[start:stop]) * 2])
        )
        damaged[start:stop] = patch
    read_every_way(bytes(damaged))


def spots(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a nest of tables and lists where a value stands: its container and its key."""
    found: list[tuple[Any, Any]] = []
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        found += [(value, key), *spots(value[key])]
    return found


@given(st.data(), st.sampled_from([BOARD, METERS, SCENARIO]))
def test_random_damage_to_the_structure_of_a_good_file_never_breaks_a_reader(data: st.DataObject, good: str) -> None:
    table = tomllib.loads(good)
    for _ in range(data.draw(st.integers(1, 4))):
        places = [(box, key) for box, key in spots(table) if key not in ("format", "kind")]
        box, key = data.draw(st.sampled_from(places))
        match data.draw(st.sampled_from(["replace", "remove", "add", "swap"])):
            case "replace":
                box[key] = data.draw(VALUES)
            case "remove":
                del box[key]
            case "add" if isinstance(box, dict):
                box[data.draw(st.text(max_size=5))] = data.draw(VALUES)
            case "add":
                box.append(data.draw(VALUES))
            case _:
                other, name = data.draw(st.sampled_from(places))
                # a copy, so that no container comes to hold itself
                box[key] = copy.deepcopy(other[name])
        if not spots(table):
            break
    read_every_way(as_file(table))
