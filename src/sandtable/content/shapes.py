"""Plain TOML values made into typed ones, with every mismatch noted and every name that must exist remembered."""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, Union, get_args, get_origin

import msgspec

from sandtable.content.problems import Findings, clean, shown, suggestion

EXTENSION: Final = "extension"
"""The field of a file's structure that holds what the system adds to it; it is no key of the file."""

MAX_NUMBER: Final = 2**53 - 1
"""The greatest whole number that every reader of our files, a browser included, holds exactly."""

_LISTS: Final[dict[Any, Any]] = {tuple: tuple, list: list, set: set, frozenset: frozenset}
_WORDS: Final[dict[Any, str]] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    Fraction: 'a whole number or a fraction such as "1/2"',
}
_NEUTRAL: Final[dict[Any, Any]] = {str: "", int: 0, float: 0.0, bool: False, Fraction: Fraction(0)}


class Place(msgspec.Struct, frozen=True):
    """Where in a file a value stands, written the way its author would find it: [[units]] #4 'at' #2."""

    header: str = ""
    is_listed: bool = False
    number: int = 0
    key: str = ""
    tail: str = ""

    def under(self, name: str, shape: object) -> Place:
        """The place of a named value; a table directly under a table is named by its own header."""
        name = clean(name)
        if not self.key and not self.is_listed and (is_table(shape) or is_table_list(shape)):
            header = f"{self.header}.{name}" if self.header else name
            return Place(header=header, is_listed=is_table_list(shape))
        if self.tail:
            return msgspec.structs.replace(self, tail=f"{self.tail}.{name}")
        return msgspec.structs.replace(self, key=f"{self.key}.{name}" if self.key else name)

    def item(self, number: int) -> Place:
        """The place of one value of a list, counted from 1."""
        if self.is_listed and not self.key:
            return msgspec.structs.replace(self, number=number)
        return msgspec.structs.replace(self, tail=f"{self.tail}.{number}" if self.tail else f" #{number}")

    def __str__(self) -> str:
        header = f"[[{self.header}]]" if self.is_listed else f"[{self.header}]" if self.header else ""
        number = f"#{self.number}" if self.number else ""
        key = f"'{self.key}'{self.tail}" if self.key else ""
        return " ".join(part for part in (header, number, key) if part)


class Reference(NamedTuple):
    """A name in a file that must be borne by something: a hex, a side, a unit type."""

    place: Place
    noun: str
    value: str


def refers_to(noun: str, description: str = "") -> msgspec.Meta:
    """The mark of a text field that names something of that noun; the loader checks that the thing exists."""
    return msgspec.Meta(min_length=1, description=description or f"the name of a {noun}", extra={"refers_to": noun})


Id = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[a-z0-9][a-z0-9_-]{0,63}\Z",
        description="an id of lower-case letters, digits, '-' and '_', 64 at most",
    ),
]
Title = Annotated[str, msgspec.Meta(min_length=1, max_length=200, description="text of 1 to 200 letters")]
HexLabel = Annotated[str, refers_to("hex", "the label of a hex, such as '0405'")]
SideName = Annotated[str, refers_to("side", "the id of a side")]
UnitTypeName = Annotated[str, refers_to("unit type", "the key of a unit type")]
UnitName = Annotated[str, refers_to("unit", "the id of a unit")]
TerrainName = Annotated[str, refers_to("terrain", "the key of a terrain")]
FileName = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\Z",
        description="the plain name of a file beside this one",
        extra={"refers_to": "file"},
    ),
]
NationName = Annotated[str, refers_to("nation", "the key of a nation")]


def bare(shape: Any) -> Any:
    """A type without its annotations and new names."""
    while get_origin(shape) is Annotated or hasattr(shape, "__supertype__"):
        shape = shape.__origin__ if get_origin(shape) is Annotated else shape.__supertype__
    return shape


def members(shape: Any) -> tuple[Any, ...]:
    """The types a value may have: those of a union without None, which TOML can't write."""
    inner = bare(shape)
    if get_origin(inner) in (Union, UnionType):
        return tuple(member for member in get_args(inner) if member is not NoneType)
    return (shape,)


def is_struct(shape: Any) -> bool:
    """Whether a type is a msgspec structure."""
    return isinstance(shape, type) and issubclass(shape, msgspec.Struct)


# a structure's hints are resolved afresh at every call, which is most of the time a long list of units would take
@cache
def _fields(shape: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(shape)


def _form(shape: Any) -> str:
    inner = bare(shape)
    if is_struct(inner) or get_origin(inner) is dict:
        return "table"
    return "list" if get_origin(inner) in _LISTS else "value"


def is_table(shape: Any) -> bool:
    """Whether values of a type are written as tables."""
    return all(_form(member) == "table" for member in members(shape))


def is_table_list(shape: Any) -> bool:
    """Whether values of a type are written as lists of tables."""
    return all(_form(member) == "list" and is_table(get_args(bare(member))[0]) for member in members(shape))


def expected(shape: Any) -> str:
    """What a type expects, in words."""
    return " or ".join(_expected_one(member) for member in members(shape))


def _expected_one(shape: Any) -> str:
    marks = _marks(shape)
    for mark in marks:
        if mark.description:
            return mark.description
    inner = bare(shape)
    form = _form(inner)
    if is_struct(inner) and inner.__struct_config__.tag is not None:
        return f"a table with {inner.__struct_config__.tag_field} = {shown(inner.__struct_config__.tag)}"
    if form != "value":
        return f"a {form}"
    if choices := _choices(inner):
        return "one of " + ", ".join(map(shown, choices))
    word = _WORDS.get(inner, getattr(inner, "__name__", str(inner)))
    return word + "".join(_bounds(mark) for mark in marks)


def _marks(shape: Any) -> tuple[msgspec.Meta, ...]:
    return tuple(mark for mark in getattr(shape, "__metadata__", ()) if isinstance(mark, msgspec.Meta))


def _choices(shape: Any) -> tuple[Any, ...]:
    if get_origin(shape) is Literal:
        return get_args(shape)
    if isinstance(shape, type) and issubclass(shape, enum.Enum):
        return tuple(member.value for member in shape)
    return ()


def _bounds(mark: msgspec.Meta) -> str:
    words = (
        ("at least", mark.ge),
        ("more than", mark.gt),
        ("at most", mark.le),
        ("less than", mark.lt),
        ("matching", mark.pattern),
    )
    text = " and".join(f" {word} {bound}" for word, bound in words if bound is not None)
    if mark.min_length or mark.max_length:
        text += f" of length {mark.min_length or 0} to {mark.max_length or 'any'}"
    return text


def neutral(shape: Any) -> Any:
    """A stand-in for a value that was wrong, so that the rest of the file can still be checked.

    The structures of files bound their fields so that no right value is neutral: a check skips what is empty or 0.
    """
    inner = bare(members(shape)[0])
    if is_struct(inner):
        if hasattr(inner, "__post_init__"):
            return None
        required = {f.name: neutral(f.type) for f in _fields(inner) if f.required}
        return inner(**required)
    empty = {**_LISTS, dict: dict}.get(get_origin(inner))
    return empty() if empty else _NEUTRAL.get(inner)


def from_text(kind: type, value: object) -> object:
    """A Fraction written as a whole number or as "1/2"; msgspec asks this for types it does not know."""
    if kind is Fraction and isinstance(value, int | str) and not isinstance(value, bool):
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError):
            raise ValueError("not a fraction") from None
    raise ValueError(f"not a {kind.__name__}")


class Reader:
    """Reads values of one file into types, noting problems and references on the way."""

    def __init__(
        self, findings: Findings, extensions: Mapping[type, type[msgspec.Struct] | None] | None = None
    ) -> None:
        self.findings = findings
        self.references: list[Reference] = []
        self._extensions = extensions or {}

    def read(self, value: object, shape: Any, place: Place) -> Any:
        """The value as the type wants it, or a neutral stand-in after noting what is wrong."""
        shape = self._fitting(value, shape)
        inner = bare(shape)
        if inner is Any:
            return value
        if is_struct(inner):
            return self._read_struct(value, inner, place)
        if get_origin(inner) is dict:
            return self._read_dict(value, inner, place)
        if get_origin(inner) in _LISTS:
            return self._read_list(value, shape, place)
        return self._read_plain(value, shape, place)

    def _fitting(self, value: object, shape: Any) -> Any:
        """The member of a union that has the form of the value; the union itself when none or several have."""
        form = "table" if isinstance(value, dict) else "list" if isinstance(value, list) else "value"
        fitting = [member for member in members(shape) if _form(member) == form]
        if form == "table" and len(fitting) > 1:
            assert isinstance(value, dict)
            configs = [(member, bare(member).__struct_config__) for member in fitting]
            fitting = [member for member, config in configs if value.get(config.tag_field) == config.tag]
        return fitting[0] if len(fitting) == 1 else shape

    def _wrong(self, value: object, shape: Any, place: Place) -> Any:
        advice = ""
        if isinstance(value, str) and (choices := _choices(bare(shape))):
            near = suggestion(value, (c for c in choices if isinstance(c, str)))
            advice = near if "did you mean" in near else ""
        self.findings.add(place, f"expected {expected(shape)}, got {shown(value)}{advice}")
        return neutral(shape)

    def _read_plain(self, value: object, shape: Any, place: Place) -> Any:
        if isinstance(value, int) and abs(value) > MAX_NUMBER:
            self.findings.add(place, f"expected a number of at most {MAX_NUMBER:,}, got {shown(value)}")
            return neutral(shape)
        if isinstance(value, float) and not math.isfinite(value):
            self.findings.add(place, f"expected a finite number, got {value}")
            return neutral(shape)
        try:
            result = msgspec.convert(value, shape, dec_hook=from_text)
        except msgspec.ValidationError:
            return self._wrong(value, shape, place)
        for mark in _marks(shape):
            if mark.extra and "refers_to" in mark.extra:
                self.references.append(Reference(place, mark.extra["refers_to"], result))
        return result

    def _read_list(self, value: object, shape: Any, place: Place) -> Any:
        inner = bare(shape)
        if not isinstance(value, list):
            return self._wrong(value, shape, place)
        kinds = get_args(inner)
        is_open = get_origin(inner) is not tuple or kinds[-1] is Ellipsis
        if not is_open and len(value) != len(kinds):
            self.findings.add(place, f"expected {len(kinds)} values, got {len(value)}")
            return neutral(shape)
        for mark in _marks(shape):
            low, high = mark.min_length or 0, mark.max_length
            if len(value) < low or (high is not None and len(value) > high):
                limit = f"at least {low}" if len(value) < low else f"at most {high}"
                self.findings.add(place, f"expected {limit}, got {len(value)}")
                return neutral(shape)
        if is_open and kinds[0] is str and all(type(item) is str for item in value):
            # thousands of plain words are nothing to look into one by one
            return _LISTS[get_origin(inner)](value)
        items = [self.read(item, kinds[0] if is_open else kinds[n], place.item(n + 1)) for n, item in enumerate(value)]
        return _LISTS[get_origin(inner)](items)

    def _read_dict(self, value: object, shape: Any, place: Place) -> Any:
        if not isinstance(value, dict):
            return self._wrong(value, shape, place)
        key_shape, item_shape = get_args(shape)
        result = {}
        for key, item in value.items():
            here = place.under(key, item_shape)
            name = self._read_key(key, key_shape, here)
            result[name] = self.read(item, item_shape, here)
        return result

    def _read_key(self, key: str, shape: Any, place: Place) -> Any:
        try:
            # keys are always text in TOML, so a table of numbers is read from their digits
            result = msgspec.convert(key, shape, strict=False)
        except msgspec.ValidationError:
            self.findings.add(place, f"expected {expected(shape)} as the key")
            return key
        for mark in _marks(shape):
            if mark.extra and "refers_to" in mark.extra:
                self.references.append(Reference(place, mark.extra["refers_to"], result))
        return result

    def _read_struct(self, value: object, shape: type[msgspec.Struct], place: Place, also: tuple[str, ...] = ()) -> Any:
        if not isinstance(value, dict):
            return self._wrong(value, shape, place)
        before = self.findings.count
        values: dict[str, Any] = {}
        fields = [f for f in _fields(shape) if not (shape in self._extensions and f.name == EXTENSION)]
        for field in fields:
            here = place.under(field.encode_name, field.type)
            if field.encode_name in value:
                values[field.name] = self.read(value[field.encode_name], field.type, here)
            elif field.required:
                self.findings.add(here, f"missing; expected {expected(field.type)}")
                values[field.name] = neutral(field.type)
        config = shape.__struct_config__
        known = (*(f.encode_name for f in fields), *([config.tag_field] if config.tag_field else []))
        rest = {key: item for key, item in value.items() if key not in known}
        if shape not in self._extensions:
            self._refuse_unknown(rest, (*known, *also), place)
        elif (extension := self._extensions[shape]) is not None:
            values[EXTENSION] = self._read_struct(rest, extension, place, known)
        return self._build(shape, values, place, before)

    def _refuse_unknown(self, rest: dict[str, object], known: tuple[str, ...], place: Place) -> None:
        for key in rest:
            self.findings.add_unknown(place, "key", key, known)

    def _build(self, shape: type[msgspec.Struct], values: dict[str, Any], place: Place, before: int) -> Any:
        if not hasattr(shape, "__post_init__"):
            return shape(**values)
        if self.findings.count > before:
            # its own check may rely on what is wrong
            return None
        try:
            return shape(**values)
        except (ValueError, TypeError) as error:
            self.findings.add(place, str(error))
            return None
