"""The chain of a rule: catalogue (rules.toml), code that cites it, test that carries it.

python tools/rules.py           print how many rules each system has and how many are implemented
python tools/rules.py --check   fail when the table of README.md says something else
python tools/rules.py --write   rewrite the table of README.md
"""

import argparse
import ast
import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULESETS = Path("src/sandtable/rulesets")
START, END = "<!-- rules -->", "<!-- /rules -->"

RULE = r"(?:PL|PB3|P44|P8|PB-[A-Z]+)-\d+(?:\.\d+)?[a-z]?"
# Not inside a longer word, so that PL-80 is not found in PL-808 nor PB-FIRE-1 in XPB-FIRE-1.
CITATION = re.compile(rf"(?<![\w.-])({RULE})(?!\w)")
CODE = {"src": (".py", ".toml"), "web/src": (".ts", ".svelte")}


@dataclass(frozen=True)
class System:
    """A game system: its room under rulesets/, its name for players, and how many rules its specification has."""

    room: str
    name: str
    specified: int


# The rules of a system that has no catalogue yet are counted from its specification.
SYSTEMS = (
    System("panzer_leader", "Panzer Leader", 187),
    System("panzerblitz_3d", "3D PanzerBlitz", 105),
    System("panzer_44", "Panzer '44", 126),
    System("panzer8", "PANZER8", 103),
    System("panzer_battles", "Panzer Battles", 863),
)


def catalogue(room: str, root: Path = ROOT) -> dict[str, dict[str, object]]:
    """The rules of a system by id, empty while it has no catalogue."""
    path = root / RULESETS / room / "rules.toml"
    if not path.is_file():
        return {}
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["rule"]
    rules = {str(entry["id"]): entry for entry in entries}
    if len(rules) != len(entries):
        raise ValueError(f"{path.relative_to(root).as_posix()}: an id stands twice")
    return rules


def excused(rules: dict[str, dict[str, object]]) -> set[str]:
    """The ids that the catalogue lists as not implemented, with a reason."""
    return {rule for rule, entry in rules.items() if str(entry.get("not_implemented", "")).strip()}


def citations(root: Path = ROOT) -> dict[str, list[str]]:
    """Every id that stands in the code, with the files it stands in; a catalogue lists ids and does not cite them."""
    found: dict[str, list[str]] = {}
    for folder, endings in CODE.items():
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in endings and path.name != "rules.toml" and path.is_file():
                for rule in set(CITATION.findall(path.read_text(encoding="utf-8"))):
                    found.setdefault(rule, []).append(path.relative_to(root).as_posix())
    return found


def marked(source: str) -> set[str]:
    """The ids in the `pytest.mark.rule(...)` markers of a test file."""
    return {
        constant.value
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "rule"
        and isinstance(call.func.value, ast.Attribute)
        and call.func.value.attr == "mark"
        for constant in ast.walk(call)
        if isinstance(constant, ast.Constant) and isinstance(constant.value, str)
    }


def carried(root: Path = ROOT) -> dict[str, list[str]]:
    """Every id that a test carries in a marker or a worked example in TOML cites, with the files."""
    found: dict[str, list[str]] = {}
    for path in sorted((root / "tests").rglob("*")):
        if path.suffix == ".py":
            rules = marked(path.read_text(encoding="utf-8"))
        elif path.suffix == ".toml":
            rules = set(CITATION.findall(path.read_text(encoding="utf-8")))
        else:
            continue
        for rule in rules:
            found.setdefault(rule, []).append(path.relative_to(root).as_posix())
    return found


def table(root: Path = ROOT) -> str:
    """The table of README.md: how many rules each system has and how many are in code, tested, and not excused."""
    alive = set(citations(root)) & set(carried(root))
    rows = ["| System | Rules | Implemented |", "| --- | ---: | ---: |"]
    for system in SYSTEMS:
        rules = catalogue(system.room, root)
        implemented = (set(rules) - excused(rules)) & alive
        rows.append(f"| {system.name} | {len(rules) or system.specified} | {len(implemented)} |")
    return "\n".join(rows)


def with_table(text: str, rows: str) -> str:
    """The text with these rows between its markers."""
    if text.count(START) != 1 or text.count(END) != 1:
        raise ValueError(f"README.md needs {START} and {END} once each")
    before, rest = text.split(START)
    _, after = rest.split(END)
    return f"{before}{START}\n{rows}\n{END}{after}"


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--check", action="store_true", help="fail when the table of README.md is not true")
    ask.add_argument("--write", action="store_true", help="rewrite the table of README.md")
    asked = ask.parse_args(arguments)
    rows = table(root)
    if not (asked.check or asked.write):
        print(rows)
        return 0
    readme = root / "README.md"
    text = readme.read_text(encoding="utf-8")
    wanted = with_table(text, rows)
    if asked.write:
        readme.write_text(wanted, encoding="utf-8", newline="\n")
    elif text != wanted:
        print("the table of README.md is out of date: python tools/rules.py --write", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
