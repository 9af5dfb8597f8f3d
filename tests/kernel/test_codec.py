"""Canonical bytes, and hostile ones."""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b
from time import process_time
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.kernel import codec
from sandtable.kernel.replay import Record, read
from sandtable.kernel.state import State
from tests.kit import toy

TEN_MEGABYTES = 10_000_000


class Pair(msgspec.Struct, frozen=True):
    zulu: int
    alpha: dict[str, int]


class Place(msgspec.Struct, frozen=True):
    ground: toy.Track


def test_the_same_value_gives_the_same_bytes_whatever_the_order_it_was_built_in() -> None:
    assert codec.encode({"b": 1, "a": [1, 2]}) == b'{"a":[1,2],"b":1}'
    assert codec.encode(Pair(1, {"y": 2, "x": 3})) == b'{"alpha":{"x":3,"y":2},"zulu":1}'
    assert codec.encode({"b", "a", "c"}) == b'["a","b","c"]'


def test_a_digest_is_frozen() -> None:
    assert codec.digest({"b": 1, "a": 2}) == "cf18a029e5a0c29229df0753ee807c70"
    assert codec.digest({"a": 2, "b": 1}) == blake2b(b'{"a":2,"b":1}', digest_size=16).hexdigest()


def test_the_ground_is_written_as_its_digest_and_read_as_itself() -> None:
    track = toy.Track(9, 4)
    data = codec.encode(Place(track))
    assert data == b'{"ground":"%s"}' % track.digest.encode()
    assert codec.decode(data, Place, track).ground is track


def test_the_ground_of_another_battle_is_refused() -> None:
    data = codec.encode(Place(toy.Track(9, 4)))
    with pytest.raises(codec.CodecError, match="another scenario"):
        codec.decode(data, Place, toy.Track(9, 5))


def test_what_has_no_canonical_form_is_an_error_of_the_program() -> None:
    with pytest.raises(NotImplementedError, match="object has no canonical form"):
        codec.encode(object())
    with pytest.raises(NotImplementedError, match="Track can't be read from JSON"):
        codec.decode(codec.encode(Place(toy.Track(9, 4))), Place)


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b'{"zulu": "x", "alpha": {}}', b'"\xff"', b"1e999", b"9" * 5000, b"[1] 2"],
    ids=lambda data: repr(data[:20]),
)
def test_bytes_that_are_not_the_value_give_one_plain_error(data: bytes) -> None:
    for kind in (Pair, dict[str, int], str):
        with pytest.raises(codec.CodecError):
            codec.decode(data, kind)


def test_too_many_bytes_are_refused() -> None:
    codec.guard(b"[1]", most=3)
    with pytest.raises(codec.CodecError, match="4 bytes, more than the 3 allowed"):
        codec.guard(b"[10]", most=3)


@pytest.mark.parametrize(
    ("data", "deep"),
    [
        (b"[" * 64 + b"]" * 64, False),
        (b"[" * 65 + b"]" * 65, True),
        (b'{"a":' * 65 + b"1" + b"}" * 65, True),
        (b"[" * 65, True),
        (b"[" + b"[]," * 100 + b"[]]", False),
        (b'["' + b"[" * 100 + b'"]', False),
        (b'["' + b"[" * 100, False),
        (b'["\\"' + b"[" * 100 + b'"]', False),
        (b'["\\\\",' + b"[" * 65, True),
        (b'["\\\\\\"' + b"[" * 100 + b'"]', False),
        (b'["\\n",' + b"[" * 65, True),
        (b'"",' * 30 + b"[" * 65, True),
        (b"[" * 40 + b"[]" * (1 << 16) + b"[" * 30, True),
        (b'["[",' + b'"[","[",' * (1 << 16) + b'"[["]', False),
        (b'["[",' + b'"[","[",' * (1 << 16) + b"[" * 64, True),
    ],
    ids=lambda value: repr(value[:24]) if isinstance(value, bytes) else "",
)
def test_brackets_outside_strings_may_nest_64_deep(data: bytes, deep: bool) -> None:
    if deep:
        with pytest.raises(codec.CodecError, match="nested more than 64 levels deep"):
            codec.guard(data)
    else:
        codec.guard(data)


def plain_depth(data: bytes) -> int:
    """How deep brackets nest, found byte by byte."""
    depth = deepest = 0
    inside = escaped = False
    for byte in data:
        if escaped:
            escaped = False
        elif inside and byte == 0x5C:
            escaped = True
        elif byte == 0x22:
            inside = not inside
        elif not inside and byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif not inside and byte in b"]}":
            depth -= 1
    return deepest


BRACKETS_AND_STRINGS = [b"[" * 30, b"{" * 9, b"]" * 5, b"}", b'"[[\\"["', b'"\\\\"', b'"]"', b'""', b","]


@given(st.lists(st.sampled_from(BRACKETS_AND_STRINGS), max_size=40))
def test_the_quick_count_of_brackets_is_the_plain_one(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    try:
        codec.guard(data)
        deep = False
    except codec.CodecError:
        deep = True
    assert deep == (plain_depth(data) > codec.MOST_DEPTH)


@pytest.mark.parametrize("seed", [b"[", b'{"a":', b'["', b"[" * 99 + b"]" * 99, b'["[",'], ids=repr)
def test_a_hostile_file_of_ten_megabytes_is_refused_in_well_under_a_second(seed: bytes) -> None:
    data = seed * (TEN_MEGABYTES // len(seed))
    start = process_time()
    with pytest.raises(codec.CodecError):
        read(data)
    assert process_time() - start < 0.8


JSON_SIGNS = '[]{}",:\\0123eE+-.truefalsn \ud800'
ALMOST_JSON = st.text(JSON_SIGNS, max_size=80).map(lambda text: text.encode("utf-8", "surrogatepass"))


@given(st.binary(max_size=200) | ALMOST_JSON)
def test_random_bytes_give_a_value_or_a_plain_error(data: bytes) -> None:
    for kind in (Any, Record, State[toy.Position], toy.ORDERS, toy.EVENTS):
        with suppress(codec.CodecError):
            codec.decode(data, kind, toy.Track(3, 3))


def test_a_mapping_by_number_has_one_canonical_form_whatever_order_it_was_made_in() -> None:
    one, other = {30: "a", 4: "b"}, {4: "b", 30: "a"}
    assert codec.encode({"at": one}) == codec.encode({"at": other}) == b'{"at":{"30":"a","4":"b"}}'


def test_a_set_has_one_canonical_form_in_a_mapping_by_number_too() -> None:
    # the order of a set of words is another in every process, so there are many of them here
    words = [f"word {number:02}" for number in range(40)]
    assert codec.encode({7: frozenset(words)}) == codec.encode({"7": words})


def test_a_mapping_by_number_may_stand_beside_bytes_that_are_canonical_already() -> None:
    assert codec.encode({"at": {4: 1}, "raw": msgspec.Raw(b'{"a":[1]}')}) == b'{"at":{"4":1},"raw":{"a":[1]}}'
