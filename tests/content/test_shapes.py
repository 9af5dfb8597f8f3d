"""Typed reading: every mismatch noted with its place, and the rest still read."""

# ruff: noqa: E501 - in a table of cases each case is one line, so that the messages can be read down the page

from __future__ import annotations

import enum
import tomllib
from fractions import Fraction
from typing import Annotated, Any, Literal, NewType

import msgspec
import pytest

from sandtable.content.problems import Findings
from sandtable.content.shapes import HexLabel, Id, Place, Reader, expected, neutral

Points = NewType("Points", int)


class Weapon(enum.Enum):
    LIGHT = "I"
    HEAVY = "H"


class Row(msgspec.Struct, frozen=True):
    name: str
    cost: Fraction = Fraction(1)


class Checked(msgspec.Struct, frozen=True):
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("expected 'low' to be at most 'high'")


class Hold(msgspec.Struct, frozen=True, tag="hold", tag_field="goal"):
    hex: HexLabel


class Leave(msgspec.Struct, frozen=True, tag="leave", tag_field="goal"):
    edge: Literal["N", "S"]


class Everything(msgspec.Struct, frozen=True, rename={"kind_": "kind"}):
    text: str = "t"
    whole: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1
    points: Points = Points(0)
    number: float = 0.5
    flag: bool = False
    half: Fraction = Fraction(1, 2)
    kind_: Weapon = Weapon.LIGHT
    grade: Literal["a", "b"] = "a"
    faces: tuple[int, int] = (1, 2)
    words: list[str] = []
    known: frozenset[str] = frozenset()
    some: Annotated[tuple[int, ...], msgspec.Meta(min_length=1, max_length=2)] = (1,)
    either: int | str = 0
    shy: int | None = None
    rows: tuple[Row, ...] = ()
    by_die: dict[int, str] = {}
    by_hex: dict[HexLabel, int] = {}
    tables: dict[str, Row] = {}
    checked: Checked | None = None
    goals: tuple[Hold | Leave, ...] = ()
    anything: Any = None
    maybe: tuple[Row, ...] | str = ""


def read(text: str, shape: Any = Everything) -> tuple[Any, list[str], Reader]:
    findings = Findings("")
    reader = Reader(findings)
    value = reader.read(tomllib.loads(text), shape, Place())
    return value, [str(problem) for problem in findings.problems], reader


def test_every_kind_of_field_is_read_into_its_type() -> None:
    value, problems, reader = read(
        """
        text = "x"
        whole = 3
        points = 4
        number = 2
        flag = true
        half = "2/3"
        kind = "H"
        grade = "b"
        faces = [3, 4]
        words = ["a"]
        known = ["b"]
        some = [5]
        either = "c"
        shy = 6
        anything = { deep = [1] }
        maybe = [{ name = "m" }]
        rows = [{ name = "r", cost = 2 }]
        goals = [{ goal = "hold", hex = "0101" }, { goal = "leave", edge = "N" }]
        [by_die]
        1 = "miss"
        [by_hex]
        0202 = 1
        [tables.first]
        name = "f"
        [checked]
        low = 1
        high = 2
        """
    )
    assert problems == []
    assert value == Everything(
        text="x",
        whole=3,
        points=Points(4),
        number=2.0,
        flag=True,
        half=Fraction(2, 3),
        kind_=Weapon.HEAVY,
        grade="b",
        faces=(3, 4),
        words=["a"],
        known=frozenset("b"),
        some=(5,),
        either="c",
        shy=6,
        rows=(Row("r", Fraction(2)),),
        by_die={1: "miss"},
        by_hex={"0202": 1},
        tables={"first": Row("f")},
        checked=Checked(1, 2),
        goals=(Hold("0101"), Leave("N")),
        anything={"deep": [1]},
        maybe=(Row("m"),),
    )
    assert [(str(r.place), r.noun, r.value) for r in reader.references] == [
        ("[by_hex] '0202'", "hex", "0202"),
        ("[[goals]] #1 'hex'", "hex", "0101"),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("text = 1", "'text': expected text, got 1"),
        ("whole = 12", "'whole': expected a whole number at least 1 and at most 9, got 12"),
        ("whole = true", "'whole': expected a whole number at least 1 and at most 9, got true"),
        ("points = 1.5", "'points': expected a whole number, got 1.5"),
        ("points = 0xffffffffffffffffff", "'points': expected a number of at most 9,007,199,254,740,991, got a number of 72 bits"),
        ("number = nan", "'number': expected a finite number, got nan"),
        ("number = -inf", "'number': expected a finite number, got -inf"),
        ("flag = 'yes'", "'flag': expected true or false, got 'yes'"),
        ("half = '1/0'", "'half': expected a whole number or a fraction such as \"1/2\", got '1/0'"),
        ("half = 'x'", "'half': expected a whole number or a fraction such as \"1/2\", got 'x'"),
        ("half = 0.5", "'half': expected a whole number or a fraction such as \"1/2\", got 0.5"),
        ("half = true", "'half': expected a whole number or a fraction such as \"1/2\", got true"),
        ("kind = 'X'", "'kind': expected one of 'I', 'H', got 'X'"),
        ("kind = 3", "'kind': expected one of 'I', 'H', got 3"),
        ("grade = 'bb'", "'grade': expected one of 'a', 'b', got 'bb'; did you mean 'b'?"),
        ("faces = [1]", "'faces': expected 2 values, got 1"),
        ("faces = 1", "'faces': expected a list, got 1"),
        ("words = ['a', 2]", "'words' #2: expected text, got 2"),
        ("some = []", "'some': expected at least 1, got 0"),
        ("some = [1, 2, 3]", "'some': expected at most 2, got 3"),
        ("either = []", "'either': expected a whole number or text, got a list"),
        ("shy = 'x'", "'shy': expected a whole number, got 'x'"),
        ("rows = [3]", "[[rows]] #1: expected a table, got 3"),
        ("rows = [{ name = 'a' }, { name = 2, cots = 1 }]", "[[rows]] #2 'name': expected text, got 2"),
        ("rows = [{ name = 'a', cots = 1 }]", "[[rows]] #1: unknown key 'cots'; did you mean 'cost'?"),
        ("rows = [{}]", "[[rows]] #1 'name': missing; expected text"),
        ("by_die = 3", "[by_die]: expected a table, got 3"),
        ("by_die = { x = 'a' }", "[by_die] 'x': expected a whole number as the key"),
        ("tables = { a = { name = 1 } }", "[tables.a] 'name': expected text, got 1"),
        ("checked = { low = 2, high = 1 }", "[checked]: expected 'low' to be at most 'high'"),
        ("checked = { low = 'x', high = 1 }", "[checked] 'low': expected a whole number, got 'x'"),
        ("goals = [{ goal = 'win' }]", "[[goals]] #1: expected a table with goal = 'hold' or a table with goal = 'leave', got a table"),
        ("goals = [{ goal = 'leave', edge = 'W' }]", "[[goals]] #1 'edge': expected one of 'N', 'S', got 'W'"),
        ("maybe = 3", "'maybe': expected text, got 3"),
        ("txt = 'a'", "unknown key 'txt'; did you mean 'text'?"),
        ("kind_ = 'I'", "unknown key 'kind_'; did you mean 'kind'?"),
    ],
)  # fmt: skip
def test_a_mismatch_is_one_message_with_its_place(text: str, problem: str) -> None:
    assert problem in read(text)[1]
    assert len(read(text)[1]) == (2 if "cots = 1 }]" in text and "name = 2" in text else 1)


def test_all_mismatches_of_a_file_are_reported() -> None:
    _, problems, _ = read("text = 1\nflag = 2\nrows = [{}, { name = 3 }]\nnope = 4")
    assert len(problems) == 5


def test_a_place_reads_like_the_file() -> None:
    top = Place()
    assert str(top.under("units", tuple[Row, ...])) == "[[units]]"
    unit = top.under("units", tuple[Row, ...]).item(4)
    assert str(unit) == "[[units]] #4"
    assert str(unit.under("arrives", Row).under("turn", int)) == "[[units]] #4 'arrives.turn'"
    assert str(unit.under("at", tuple[str, ...]).item(2)) == "[[units]] #4 'at' #2"
    assert str(top.under("roads", tuple[tuple[str, ...], ...]).item(3).item(1)) == "'roads' #3.1"
    assert str(top.under("a", Row).under("b", tuple[Row, ...]).item(2)) == "[[a.b]] #2"
    assert str(unit.under("parts", tuple[Row, ...]).item(1).under("name", str)) == "[[units]] #4 'parts' #1.name"


def test_what_is_expected_can_be_said_of_any_type() -> None:
    assert expected(Annotated[str, msgspec.Meta(min_length=2)]) == "text of length 2 to any"
    assert expected(Annotated[str, msgspec.Meta(max_length=2)]) == "text of length 0 to 2"
    assert expected(Annotated[str, msgspec.Meta(pattern="^a")]) == "text matching ^a"
    assert expected(Annotated[float, msgspec.Meta(gt=0, lt=1)]) == "a number more than 0 and less than 1"
    assert expected(Annotated[int, "a note"]) == "a whole number"
    assert expected(bytes) == "bytes"
    assert expected(Id).startswith("an id of lower-case letters")


def test_a_stand_in_is_empty_whatever_its_type() -> None:
    assert neutral(Row) == Row("")
    assert neutral(Checked) is None
    assert neutral(dict[str, int]) == {}
    assert neutral(tuple[int, ...]) == ()
    assert neutral(bool | None) is False
    assert neutral(bytes) is None


def test_a_type_that_toml_can_not_write_is_a_mismatch() -> None:
    class Strange(msgspec.Struct):
        z: complex = 0j

    assert read("z = 1", Strange)[1] == ["'z': expected complex, got 1"]
