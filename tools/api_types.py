"""Writes web/src/api-types.ts from the messages of the server, so that client and server can't disagree on a field.

python tools/api_types.py           write the file
python tools/api_types.py --check   exit with 1 when the file is not what the messages say
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec

from sandtable.content import Tutorial
from sandtable.kernel.events import Order
from sandtable.server import messages

TARGET = Path(__file__).resolve().parent.parent / "web" / "src" / "api-types.ts"

CLIENT_SAYS = (
    *get_args(messages.ClientMessage),
    messages.NewBattle,
    messages.Branching,
    messages.Inviting,
    messages.Saving,
    messages.Joining,
)
SERVER_SAYS = (
    *get_args(messages.ServerMessage),
    messages.House,
    messages.SystemCard,
    messages.ScenarioCard,
    messages.Briefing,
    messages.BoardSheet,
    Tutorial,
    messages.RuleCard,
    messages.CounterCard,
    messages.BattleCard,
    messages.BattleKeys,
    messages.Fault,
)
UNIONS = {"ClientMessage": get_args(messages.ClientMessage), "ServerMessage": get_args(messages.ServerMessage)}

HEAD = """\
// Made by tools/api_types.py from src/sandtable/server/messages.py; do not edit.
"""

PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
Schema = dict[str, Any]


def name_of(reference: str) -> str:
    """The name at the end of a reference into the schema."""
    return reference.rsplit("/", 1)[1]


def type_of(schema: Schema) -> str:
    """A schema as a TypeScript type."""
    if "$ref" in schema:
        return name_of(schema["$ref"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(type_of(one) for one in schema["anyOf"]))
    kind = schema.get("type")
    if kind == "array":
        if "prefixItems" in schema:
            return "[" + ", ".join(map(type_of, schema["prefixItems"])) + "]"
        item = type_of(schema["items"]) if "items" in schema else "unknown"
        return f"({item})[]" if " | " in item else f"{item}[]"
    if kind == "object":
        value = schema.get("additionalProperties")
        return f"Record<string, {type_of(value) if isinstance(value, dict) and value else 'unknown'}>"
    return PLAIN[kind] if kind is not None else "unknown"


def components(kinds: Iterable[Any]) -> dict[str, Schema]:
    """The schemas of these types and of all they are made of, by name."""
    return msgspec.json.schema_components(list(kinds))[1]


def structs(kinds: Iterable[Any]) -> dict[str, Any]:
    """The structs that these types are made of, by name."""
    found: dict[str, Any] = {}
    waiting = [msgspec.inspect.type_info(kind) for kind in kinds]
    while waiting:
        info = waiting.pop()
        if isinstance(info, msgspec.inspect.StructType):
            if info.cls.__name__ in found:
                continue
            found[info.cls.__name__] = info.cls
        for value in info.__class__.__struct_fields__:
            waiting += list(_infos(getattr(info, value)))
    return found


def _infos(value: object) -> Iterator[Any]:
    if isinstance(value, msgspec.inspect.Type):
        yield value
    elif isinstance(value, msgspec.inspect.Field):
        yield value.type
    elif isinstance(value, tuple):
        for one in value:
            yield from _infos(one)


def interface(name: str, schema: Schema, may_be_absent: bool) -> Iterator[str]:
    """A struct as the lines of a TypeScript interface."""
    yield from comment(schema.get("description", ""), "")
    yield f"export interface {name} {{"
    required = set(schema.get("required", ()))
    for field, shape in schema["properties"].items():
        mark = "" if field in required or not may_be_absent else "?"
        yield f"  {field}{mark}: {type_of(shape)};"
    yield "}"
    yield ""


def comment(text: str, margin: str) -> Iterator[str]:
    """A description as a comment."""
    words = " ".join(text.split()).replace("*/", "* /")
    if words:
        yield f"{margin}/** {words} */"


def rendered() -> str:
    """The whole file."""
    kinds = [*CLIENT_SAYS, *SERVER_SAYS]
    schemas, classes = components(kinds), structs(kinds)
    from_client = structs(CLIENT_SAYS)
    lines = [HEAD, f"export const PROTOCOL = {messages.PROTOCOL};", ""]
    for name in sorted(schemas):
        if classes[name] is Order:
            # every system has its own, and a client never looks inside
            lines += [*comment(schemas[name]["description"], ""), "export type Order = Record<string, unknown>;", ""]
            continue
        # what the server sends has every field, unless its struct leaves out those at their default
        may_be_absent = name in from_client or classes[name].__struct_config__.omit_defaults
        lines += interface(name, schemas[name], may_be_absent)
    for name, members in UNIONS.items():
        lines.append(f"export type {name} =")
        lines += [f"  | {member.__name__}" for member in members]
        lines[-1] += ";"
        lines.append("")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="api_types", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 when the file is stale")
    asked = parser.parse_args(arguments)
    wanted = rendered()
    found = TARGET.read_text(encoding="utf-8") if TARGET.is_file() else ""
    if asked.check:
        if found != wanted:
            print("web/src/api-types.ts is not what the messages say; run: python tools/api_types.py", file=sys.stderr)
        return int(found != wanted)
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(wanted, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
