"""Orders as people write them: hex labels and the scenario's own unit ids where the order holds numbers."""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

from sandtable.content import find_hex, not_on
from sandtable.geometry import Board
from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, UnitId
from sandtable.kernel.ruleset import AnyRuleset, Piece
from sandtable.lab.tables import LabError, named


class Names(NamedTuple):
    """What the names in a written order stand for: the board for hexes, the units by the ids of their scenario."""

    board: Board
    units: Mapping[str, UnitId]


def unit_names(pieces: Iterable[Piece]) -> dict[str, UnitId]:
    """The pieces by the title of the counter, and by scenario id where it is told."""
    known = tuple(pieces)
    titles = {piece.title: piece.id for piece in reversed(known)}
    return {**titles, **{piece.name: piece.id for piece in known if piece.name}}


def order_from(written: Mapping[str, Any], ruleset: AnyRuleset, names: Names) -> Order:
    """The order that a table of fields describes; LabError when it describes none."""
    kinds = order_kinds(ruleset)
    word = written.get("order")
    if not isinstance(word, str):
        raise LabError(f"an order names its kind: order = one of {', '.join(kinds)}")
    if word not in kinds:
        raise named("kind of order", word, kinds)
    hints = _hints(kinds[word])
    fields: dict[str, Any] = {"order": word}
    for key, value in written.items():
        if key == "order":
            continue
        if key not in hints:
            raise named(f"field of {word}", key, hints)
        fields[key] = _meant(value, hints[key], names, f"{word}.{key}")
    try:
        order: Order = msgspec.convert(fields, type=kinds[word])
    except (msgspec.ValidationError, OverflowError) as error:
        raise LabError(f"the order {word} is not complete: {error}") from None
    return order


def order_kinds(ruleset: AnyRuleset) -> dict[str, type[Order]]:
    """The kinds of order a system knows, by the word that stands in their JSON."""
    kinds = get_args(ruleset.info.orders) or (ruleset.info.orders,)
    return {str(kind.__struct_config__.tag): kind for kind in kinds}


@cache
def _hints(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field: hints[field] for field in kind.__struct_fields__}  # type: ignore[attr-defined]


def _meant(value: Any, hint: Any, names: Names, place: str) -> Any:
    """The value with every name in it replaced by the number it stands for, as the type of the field asks."""
    if hint is HexId and isinstance(value, str):
        if not (found := find_hex(names.board, value)):
            raise LabError(f"{place}: {not_on(names.board, value)}")
        return found
    if hint is UnitId and isinstance(value, str):
        if value not in names.units:
            raise LabError(f"{place}: {named('unit', value, names.units)}")
        return names.units[value]
    if isinstance(value, list):
        return [_meant(item, _item_hint(hint, n), names, f"{place} #{n + 1}") for n, item in enumerate(value)]
    if isinstance(value, Mapping):
        inner = _member(hint)
        hints = _hints(inner) if inner is not None else {}
        return {key: _meant(item, hints.get(key), names, f"{place}.{key}") for key, item in value.items()}
    if get_origin(hint) in (Union, types.UnionType) and isinstance(value, str):
        for option in (HexId, UnitId):
            if option in get_args(hint):
                return _meant(value, option, names, place)
    return value


def _item_hint(hint: Any, n: int) -> Any:
    inside = get_args(hint)
    if inside and (get_origin(hint) is not tuple or inside[-1] is Ellipsis):
        return inside[0]
    return inside[n] if n < len(inside) else None


def _member(hint: Any) -> type | None:
    return hint if isinstance(hint, type) and issubclass(hint, msgspec.Struct) else None
