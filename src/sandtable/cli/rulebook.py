"""`sandtable rules`: the catalogue of a system, and where a rule is implemented and tested."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Any

from sandtable import registry
from sandtable.cli.screen import print_json
from sandtable.cli.trouble import CommandError
from sandtable.content.catalogue import CatalogueRule
from sandtable.lab.tables import system_key

PROVENANCE = {
    "S": "stated in the source",
    "R": "resolved from the source",
    "P": "public knowledge",
    "D": "our own decision",
}


def catalogue(system: str) -> dict[str, CatalogueRule]:
    """The rules of a system by id, in the order of its catalogue."""
    return {rule.id: rule for rule in registry.rules(system)}


def find_rule(system: str, id: str) -> CatalogueRule:
    """One rule of a system, written with or without the prefix of the system; CommandError when there is none."""
    rules = catalogue(system)
    prefix = registry.SYSTEMS[system].prefix.rstrip("-")
    for wanted in (id.upper(), f"{prefix}-{id.upper()}"):
        for known in rules:
            if known.upper() == wanted:
                return rules[known]
    near = get_close_matches(id.upper()[:40], rules, n=1)
    advice = f"; did you mean {near[0]}?" if near else ""
    raise CommandError(f"{registry.SYSTEMS[system].title} has no rule {id[:40]!r}{advice}")


def rules(asked: argparse.Namespace) -> int:
    """The rules of a system stand on stdout: all in a line each, or one with everything about it."""
    system = system_key(asked.system)
    if asked.id is None:
        entries = [_facts(rule) for rule in registry.rules(system)]
        if asked.json:
            print_json(entries)
        else:
            print("\n".join(_list(entries)))
        return 0
    rule = find_rule(system, asked.id)
    package = Path(str(files("sandtable")))
    places = {"implemented": _citations(rule.id, package), "tested": _citations(rule.id, package.parents[1] / "tests")}
    if asked.json:
        print_json({**_facts(rule), **places})
        return 0
    print("\n".join(told(rule)))
    for word, where in places.items():
        print(f"{word}: {', '.join(where) or ('nowhere' if word == 'implemented' else 'no tests are at hand')}")
    return 0


def told(rule: CatalogueRule) -> list[str]:
    """A rule as lines to read."""
    marks = ", ".join(PROVENANCE.get(mark, mark) for mark in rule.provenance)
    lines = [f"{rule.id}  {rule.title}", rule.text, f"section: {rule.section}"]
    if marks:
        lines.append(f"provenance: {marks}")
    if rule.not_implemented:
        lines.append(f"not implemented: {rule.not_implemented}")
    return [line for line in lines if line]


def _facts(rule: CatalogueRule) -> dict[str, Any]:
    facts = {key: getattr(rule, key) for key in ("id", "title", "text", "provenance", "section")}
    if rule.not_implemented:
        facts["not_implemented"] = rule.not_implemented
    return facts


def _list(entries: list[dict[str, Any]]) -> Iterator[str]:
    section = None
    width = max((len(entry["id"]) for entry in entries), default=0)
    for entry in entries:
        if entry["section"] != section:
            if section is not None:
                yield ""
            section = entry["section"]
            yield str(section)
        missing = " (not implemented)" if "not_implemented" in entry else ""
        yield f"  {entry['id']:{width}}  {entry['title']}{missing}"


def _citations(id: str, folder: Path) -> list[str]:
    """The places below a folder that cite a rule, as file:line."""
    if not folder.is_dir():
        return []
    # not inside a longer id or word
    pattern = re.compile(rf"(?<![\w.-]){re.escape(id)}(?!\w)")
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".py", ".toml") or path.name == "rules.toml" or not path.is_file():
            continue
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        place = path.relative_to(folder.parent).as_posix()
        found += [f"{place}:{number}" for number, line in enumerate(lines, 1) if pattern.search(line)]
    return found
