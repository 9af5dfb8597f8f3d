"""The house rules: small rooms, no addresses, and an unbroken chain from each rule to its code and its test."""

import ast
import graphlib
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tools import rules

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "sandtable"
BUILT = [system.room for system in rules.SYSTEMS if (SOURCE / "rulesets" / system.room / "rules.toml").is_file()]
# A catalogue may grow; a rule never drops out of it.
FEWEST_RULES = {"panzer_leader": 187, "panzerblitz_3d": 105, "panzer_44": 126, "panzer8": 103, "panzer_battles": 863}

# All of them read the whole source, so one process does: it parses every file once.
pytestmark = pytest.mark.xdist_group("house")

LONGEST_MODULE = 600
LONGEST_FUNCTION = 60
LONGEST_KERNEL = 1500

# Written in pieces, so that this file does not hold what it forbids.
ADDRESSES = re.compile(
    "|".join(["py" r"pi\.org", "python" r"hosted\.org", "npm" r"js\.org", "yarn" r"pkg\.com", '"resol' 'ved"'])
)  # fmt: skip
MACHINE_PATHS = re.compile(r"(?<![\w.~:/-])/(?:work|farm|tmp|root|home|Users)/\w|\b[A-Z]:\\" + r"Users\\")
SKIPPED_FOLDERS = {".git", ".venv", "node_modules", "__pycache__", "build", "dist"}


citations, carried = cache(rules.citations), cache(rules.carried)


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def line_count(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def project_files() -> Iterator[Path]:
    """Every file that git keeps or would keep; without git, every file outside the folders it would ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
        paths = [ROOT / name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        paths = [path for path in ROOT.rglob("*") if not SKIPPED_FOLDERS & set(path.relative_to(ROOT).parts)]
    yield from (path for path in paths if path.is_file())


def lines_matching(pattern: re.Pattern[str]) -> list[str]:
    found = []
    for path in project_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture or a font
        found += [
            f"{path.relative_to(ROOT).as_posix()}:{number}"
            for number, line in enumerate(text.splitlines(), 1)
            if pattern.search(line)
        ]
    return found


def test_a_module_is_shorter_than_600_lines() -> None:
    long = {str(path.relative_to(ROOT)): line_count(path) for path in modules() if line_count(path) >= LONGEST_MODULE}
    assert long == {}


def test_a_function_is_shorter_than_60_lines() -> None:
    long = [
        f"{path.relative_to(ROOT).as_posix()}:{node.lineno} {node.name}"
        for path in modules()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or node.lineno) - node.lineno + 1 >= LONGEST_FUNCTION
    ]
    assert long == []


def imports(path: Path, names: set[str]) -> set[str]:
    """The modules of ours that a module imports when it is imported itself."""
    found = set()
    for node in parsed(path).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return found & names


def test_no_module_imports_itself_by_a_detour() -> None:
    paths = {".".join(path.relative_to(SOURCE.parent).with_suffix("").parts): path for path in modules()}
    # a package gathers its modules and may be named by them; it is no stop on a detour
    paths = {name: path for name, path in paths.items() if path.stem != "__init__"}
    tuple(graphlib.TopologicalSorter({name: imports(path, set(paths)) for name, path in paths.items()}).static_order())


def test_the_kernel_is_shorter_than_1500_lines() -> None:
    assert sum(line_count(path) for path in modules() if path.parent.name == "kernel") < LONGEST_KERNEL


def test_no_two_classes_outside_the_rooms_have_one_name() -> None:
    places: dict[str, list[str]] = {}
    for path in modules():
        if (SOURCE / "rulesets") in path.parents:
            continue
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(path.relative_to(SOURCE).as_posix())
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_no_file_holds_the_address_of_a_package_registry() -> None:
    assert lines_matching(ADDRESSES) == []


def test_no_file_holds_a_path_of_one_machine() -> None:
    assert lines_matching(MACHINE_PATHS) == []


@pytest.mark.parametrize(
    ("line", "is_forbidden"),
    [
        ("https://py" + "pi.org/simple", True),
        ("registry.npm" + "js.org", True),
        ('  "resol' + 'ved": "x"', True),
        ("the conflict is resolved", False),
        ('provenance = "resolved from damaged text"', False),
    ],
)
def test_an_address_is_told_from_a_word(line: str, is_forbidden: bool) -> None:
    assert bool(ADDRESSES.search(line)) == is_forbidden


@pytest.mark.parametrize(
    ("line", "is_forbidden"),
    [
        ("cd /" + "home/ann/sandtable", True),
        ('open("/' + 'tmp/log")', True),
        ("src/work/file", False),
        ("https://example.org/home/page", False),
    ],
)
def test_a_machine_path_is_told_from_an_address(line: str, is_forbidden: bool) -> None:
    assert bool(MACHINE_PATHS.search(line)) == is_forbidden


@pytest.mark.parametrize("room", FEWEST_RULES)
def test_no_rule_drops_out_of_a_catalogue(room: str) -> None:
    assert len(rules.catalogue(room)) >= FEWEST_RULES[room]


@pytest.mark.parametrize("room", BUILT)
def test_every_rule_has_a_title_a_text_and_a_provenance(room: str) -> None:
    bare = [
        (rule, key)
        for rule, entry in rules.catalogue(room).items()
        for key in ("title", "text", "provenance")
        if not entry.get(key)
    ]
    assert bare == []


def test_every_rule_that_code_or_a_test_names_is_in_a_catalogue() -> None:
    known = {rule for room in BUILT for rule in rules.catalogue(room)}
    named = [*citations().items(), *carried().items()]
    assert {rule: files for rule, files in named if rule not in known} == {}


@pytest.mark.parametrize("room", BUILT)
def test_every_rule_acts_in_code_or_says_why_not(room: str) -> None:
    catalogue = rules.catalogue(room)
    assert sorted(set(catalogue) - rules.excused(catalogue) - set(citations())) == []


@pytest.mark.parametrize("room", BUILT)
def test_every_rule_is_carried_by_a_test_or_says_why_not(room: str) -> None:
    catalogue = rules.catalogue(room)
    assert sorted(set(catalogue) - rules.excused(catalogue) - set(carried())) == []


def test_markers_are_read_wherever_they_stand() -> None:
    source = """
@pytest.mark.rule("PL-101", "PL-102")
def test_one(): ...
pytestmark = [pytest.mark.rule("PL-103")]
case = pytest.param(1, marks=pytest.mark.rule("PL-104"))
other = something.rule("PL-105")
"""
    assert rules.marked(source) == {"PL-101", "PL-102", "PL-103", "PL-104"}


def test_the_table_of_the_readme_is_true() -> None:
    assert rules.main(["--check"]) == 0


def test_the_table_is_rewritten_between_its_markers() -> None:
    text = f"before\n{rules.START}\nold\n{rules.END}\nafter\n"
    assert rules.with_table(text, "| new |") == f"before\n{rules.START}\n| new |\n{rules.END}\nafter\n"


def test_a_readme_without_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="once each"):
        rules.with_table("no markers", "| new |")
