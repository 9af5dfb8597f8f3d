"""Situations: a moment of a battle written down as TOML, with one order whose odds are asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from sandtable import registry
from sandtable.battle.authority import Battle
from sandtable.battle.library import PlayableScenario
from sandtable.battle.memory import nobody, open_battle
from sandtable.battle.seats import human
from sandtable.content import FORMAT, ContentError, MapSheet, Problem, load_sheet, scenario_path
from sandtable.content.reading import open_document
from sandtable.kernel.decisions import KERNEL, Refusal
from sandtable.kernel.events import Order
from sandtable.kernel.forecast import Forecast, forecast
from sandtable.kernel.ids import SideId
from sandtable.kernel.state import View
from sandtable.lab.seats import deciding, give, sides_of
from sandtable.lab.tables import LabError, checked_options, ending, is_path, named, open_table, read_table
from sandtable.lab.written_orders import Names, order_from, unit_names

MOST_PHASES = 500
"""How many phases are ended, at most, on the way to the step that is asked for."""

PLACES = ("at", "arrives", "aboard", "inside")


class Situation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a situation file."""

    scenario: str | dict[str, Any]
    order: dict[str, Any]
    side: str
    board: dict[str, Any] | None = None
    options: dict[str, Any] = {}
    seed: str | int = "1"
    place: list[dict[str, Any]] = []
    orders: list[dict[str, Any]] = []
    step: str = ""


class Answer(msgspec.Struct, frozen=True):
    """A situation worked out: the order in words, and its odds or the refusal it meets."""

    table: PlayableScenario
    order: Order
    text: str
    odds: Forecast | Refusal


def read_situation(path: Path) -> Situation:
    """The situation in a file; ContentError when the file is no TOML of that kind."""
    document = open_document(path, "situation")
    try:
        return msgspec.convert(document.table, Situation)
    except msgspec.ValidationError as error:
        raise ContentError([Problem(document.file, "", f"not a situation: {error}")]) from None


def answer(situation: Situation, folder: Path) -> Answer:
    """The odds of a situation's order; paths in it start from a folder."""
    table = _table(situation, folder)
    options = checked_options(table, situation.options)
    sides = sides_of(table, options)
    # an empty seed would be drawn, and the same file is to have the same answer always
    seed = str(situation.seed) or "1"
    battle = open_battle(table, tuple(map(human, sides)), options, seed, viewers=nobody)
    side = _side(situation.side, sides)
    for number, entry in enumerate(situation.orders, 1):
        _carry_out(table, battle, entry, f"[[orders]] #{number}")
    if situation.step:
        _go_to_step(battle, side, situation.step)
    order = order_from(situation.order, table.ruleset, _names(table, battle))
    view = battle.knowledge(side)
    text = _text(table, order, view, str(situation.order["order"]))
    if not view.decisions:
        return Answer(table, order, text, Refusal(KERNEL, "no decision is open to your side now"))
    return Answer(table, order, text, forecast(table.ruleset, view, order))


def _side(name: object, sides: tuple[SideId, ...]) -> SideId:
    if name not in sides:
        raise named("side", str(name), sides)
    return SideId(str(name))


def _names(table: PlayableScenario, battle: Battle) -> Names:
    views = map(battle.knowledge, battle.sides)
    return Names(table.scenario.board, unit_names(piece for view in views for piece in table.ruleset.pieces(view)))


def _text(table: PlayableScenario, order: Order, view: View[Any], word: str) -> str:
    """The order in words, or in the one it was written with: what names no hex or unit has none, and is refused."""
    try:
        return table.ruleset.order_text(order, view)
    except (IndexError, KeyError, ValueError):
        return word


def _carry_out(table: PlayableScenario, battle: Battle, entry: dict[str, Any], place: str) -> None:
    side = _side(entry.get("side"), battle.sides)
    written = {key: value for key, value in entry.items() if key != "side"}
    refusal = give(battle, side, order_from(written, table.ruleset, _names(table, battle))).refusal
    if refusal is not None:
        raise LabError(f"{place} is refused: {refusal.reason} ({refusal.rule})")


def _go_to_step(battle: Battle, side: SideId, step: str) -> None:
    """The side decides a step of that kind: everybody has let the steps before it go by."""
    for _ in range(MOST_PHASES):
        if any(decision.kind == step for decision in battle.knowledge(side).decisions):
            return
        other = deciding(battle)
        if other is None:
            break
        view = battle.knowledge(other)
        order = ending(battle.rules.ruleset, view)
        if order is None or give(battle, other, order).refusal is not None:
            raise LabError(f"the step {view.decisions[0].kind!r} of {other} can't be left without an order")
    raise LabError(f"the battle never comes to a step {step[:40]!r} of {side}")


def _table(situation: Situation, folder: Path) -> PlayableScenario:
    """The scenario of a situation: shipped, in a file or written in the situation itself, with units placed anew."""
    scenario = situation.scenario
    if isinstance(scenario, str) and not (situation.place or situation.board):
        return open_table(str(folder / scenario) if is_path(scenario) else scenario)
    if isinstance(scenario, str):
        source = folder / scenario if is_path(scenario) else scenario_path(scenario)
        content = open_document(source, "scenario").table
    else:
        content = {key: value for key, value in scenario.items() if key not in ("format", "kind")}
    for entry in situation.place:
        content = _placed(content, entry)
    system = content.get("system")
    if not isinstance(system, str) or system not in registry.SYSTEMS:
        raise named("system", str(system), registry.SYSTEMS)
    boards = _boards(situation.board, system) if situation.board else None
    if boards is not None:
        content = {**content, "board": next(iter(boards))}
    return read_table(toml(content, "scenario"), system, boards)


def _boards(board: dict[str, Any], system: str) -> dict[str, MapSheet]:
    content = {key: value for key, value in board.items() if key not in ("format", "kind")}
    sheet = load_sheet(toml(content, "board"), registry.vocabulary(system))
    return {sheet.board.id: sheet}


def _placed(content: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """The scenario with one of its [[units]] entries changed; a new place takes the place of the old one."""
    units = content.get("units")
    entries = [entry for entry in units if isinstance(entry, dict)] if isinstance(units, list) else []
    id = change.get("unit")
    if not any(entry.get("id") == id for entry in entries):
        raise named("unit with an id of its own", str(id), (str(entry["id"]) for entry in entries if "id" in entry))
    changes = {key: value for key, value in change.items() if key != "unit"}
    dropped = PLACES if any(key in changes for key in PLACES) else ()
    changed = [
        {**{key: value for key, value in entry.items() if key not in dropped}, **changes}
        if entry.get("id") == id
        else entry
        for entry in entries
    ]
    return {**content, "units": changed}


def toml(content: Mapping[str, Any], kind: str) -> bytes:
    """A table as a TOML file of a kind, in today's format."""
    lines = [f"format = {FORMAT}", f'kind = "{kind}"']
    lines += [f"{_text_of(key)} = {_value(value)}" for key, value in content.items()]
    return "\n".join(lines).encode("utf-8", "replace")


def _value(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return repr(value)
        case str():
            return _text_of(value)
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case dict():
            return "{" + ", ".join(f"{_text_of(key)} = {_value(item)}" for key, item in value.items()) + "}"
        case _:
            raise LabError(f"a scenario holds no dates or times such as {value}")


def _text_of(text: str) -> str:
    # TOML's quoted strings are JSON's but for the delete character, which TOML wants escaped
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
