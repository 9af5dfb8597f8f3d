"""Scenario files: resolved against their board and their system's words, or refused with every reason."""

# ruff: noqa: E501 - in a table of cases each case is one line, so that the messages can be read down the page

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import pytest

from sandtable.content import (
    Nothing,
    Objective,
    Reinforcement,
    Scenario,
    Side,
    find_scenarios,
    load_scenario,
    read_header,
    scenarios,
)
from sandtable.content.problems import MAX_PROBLEMS
from tests.content.samples import (
    BOARD,
    PLAIN,
    SCENARIO,
    SHEETS,
    TOY,
    Details,
    Exit,
    Hold,
    Sections,
    problems_of,
    scenario,
    spoiled,
)

PLAIN_SCENARIO = spoiled(
    SCENARIO[: SCENARIO.index("[victory]")],
    ('system = "toy"', 'system = "plain"'),
    ('hero = "queen"\n', ""),
    ("quality = 1\n", ""),
    ('[options]\nfog = true\nweather = "snow"\n', ""),
)


def scenario_problems(*changes: tuple[str, str]) -> list[str]:
    return problems_of(lambda: scenario(spoiled(SCENARIO, *changes)))


def test_a_scenario_file_becomes_a_scenario() -> None:
    battle = scenario()
    at = battle.board.parse
    assert (battle.id, battle.system, battle.title, battle.turns) == ("crossroads", "toy", "Crossroads", 8)
    assert (battle.first, battle.tutorial, battle.difficulty, battle.minutes) == ("allied", True, "easy", 30)
    assert battle.summary == "A road cross in a village."
    assert battle.sides[0] == Side("allied", "Allied", ("us", "british"), "Take the village.")
    assert battle.side("german").nations == ("german",)
    assert battle.board is SHEETS["vire"].board
    assert battle.objectives == (
        Objective("Vire-le-Sec", (at("0303"), at("0403")), 10),
        Objective("Bridge", (at("0304"),)),
    )
    assert battle.file == "bocage.toml"
    assert battle.digest == hashlib.sha256(SCENARIO.encode()).hexdigest()


def test_an_option_the_scenario_is_silent_about_has_its_default() -> None:
    assert scenario().options == {"fog": True, "weather": "snow", "delay": 1}


def test_the_sections_of_the_system_are_read_into_its_own_types() -> None:
    sections = scenario().sections
    assert sections.hero == "queen"
    assert sections.victory.goals == (Hold("0303"), Exit("N"))
    assert sections.replacements == {"german": ("g_rifle",)}


def test_units_stand_where_the_file_puts_them_in_the_order_of_the_file() -> None:
    battle = scenario()
    at = battle.board.parse
    entry = Reinforcement(3, (at("0101"), at("0102")))
    assert [(unit.id, unit.entry, unit.hex, unit.arrival) for unit in battle.units] == [
        ("a_sherman-1", 1, at("0101"), None),
        ("a_sherman-2", 1, at("0102"), None),
        ("a_sherman-3", 1, at("0202"), None),
        ("carrier", 2, None, entry),
        ("a_rifle-1", 3, None, entry),
        ("queen", 4, at("0403"), None),
        ("bunker", 5, at("0303"), None),
        ("g_rifle-1", 6, at("0303"), None),
        ("reserve-1", 7, None, None),
        ("reserve-2", 7, None, None),
    ]
    assert battle.unit("a_rifle-1").aboard == "carrier"
    assert battle.unit("g_rifle-1").inside == "bunker"
    assert battle.unit("queen").details == Details(quality=1)
    assert battle.unit("queen").name == "Panther of Lt. Weiss"
    assert battle.unit("bunker").details == Details(quality=0)


def test_a_name_that_nothing_in_the_scenario_bears_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        scenario().unit("king")
    with pytest.raises(KeyError):
        scenario().side("soviet")


def test_a_zone_is_hexes_and_rectangles_together() -> None:
    battle = scenario()
    labels = [f"{c:02}{r:02}" for c in (4, 5, 6) for r in range(1, 6)]
    assert battle.zone("german") == tuple(sorted(map(battle.board.parse, ["0303", *labels])))
    assert battle.zone("allied") == ()
    turned = scenario(spoiled(SCENARIO, ("0401:0605", "0605:0401")))
    assert turned.zones == battle.zones


def test_a_list_of_hexes_gives_the_count_and_one_hex_may_hold_several() -> None:
    listed = scenario(spoiled(SCENARIO, ("count = 3\n", "")))
    assert [unit.id for unit in listed.units][:4] == ["a_sherman-1", "a_sherman-2", "a_sherman-3", "carrier"]
    stacked = scenario(spoiled(SCENARIO, ('at = ["0101", "0102", "0202"]\ncount = 3', 'at = "0101"\ncount = 2')))
    assert [unit.hex for unit in stacked.units[:2]] == [stacked.board.parse("0101")] * 2


def test_an_id_made_from_the_type_steps_around_ids_in_the_file() -> None:
    battle = scenario(spoiled(SCENARIO, ('hero = "queen"\n', ""), ('id = "queen"', 'id = "a_sherman-2"')))
    assert [unit.id for unit in battle.units if unit.type == "a_sherman"] == [
        "a_sherman-1",
        "a_sherman-3",
        "a_sherman-4",
        "carrier",
    ]


def test_a_system_that_adds_nothing_reads_the_common_keys() -> None:
    battle = load_scenario(PLAIN_SCENARIO.encode(), PLAIN, SHEETS)
    assert (battle.sections, battle.options, len(battle.units)) == (Nothing(), {}, 10)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('id = "crossroads"', 'id = "Cross Roads"', "'id': expected an id of lower-case letters, digits, '-' and '_', 64 at most, got 'Cross Roads'"),
        ('summary = "A road cross in a village."\n', "", "'summary': missing; expected text"),
        ("turns = 8", "turns = 0", "'turns': expected a whole number from 1 to 999, got 0"),
        ("turns = 8", "turn = 8", "unknown key 'turn'; did you mean 'turns'?"),
        ('first = "allied"', 'first = "alied"', "'first': unknown side 'alied'; did you mean 'allied'?"),
        ('difficulty = "easy"', 'difficulty = "eazy"', "'difficulty': expected one of 'easy', 'medium', 'hard', got 'eazy'; did you mean 'easy'?"),
        ('board = "vire"', 'board = "vira"', "'board': unknown board 'vira'; did you mean 'vire'?"),
        ("fog = true", "fgo = true", "[options]: unknown option 'fgo'; did you mean 'fog'?"),
        ("fog = true", "fog = 1", "[options] 'fog': expected one of false, true, got 1"),
        ('weather = "snow"', "weather = 1944-07-09", "[options] 'weather': expected true or false or a whole number or text, got a date or time (1944-07-09)"),
        ('nations = ["german"]', 'nations = ["germn"]', "[[sides]] #2 'nations' #1: unknown nation 'germn'; did you mean 'german'?"),
        ('id = "german"', 'id = "soviet"', "[[sides]] #2 'id': unknown side 'soviet'; expected one of 'allied', 'german'"),
        ('id = "german"', 'id = "allied"', "[[sides]] #2 'id': 'allied' is the id of two sides"),
        ('type = "g_panther"', 'type = "g_panter"', "[[units]] #4 'type': unknown unit type 'g_panter'; did you mean 'g_panther'?"),
        ('type = "g_panther"', 'tpye = "g_panther"', "[[units]] #4 'type': missing; expected the key of a unit type"),
        ('type = "g_panther"', 'tpye = "g_panther"', "[[units]] #4: unknown key 'tpye'; did you mean 'type'?"),
        ("quality = 1", "qualty = 1", "[[units]] #4: unknown key 'qualty'; did you mean 'quality'?"),
        ("quality = 1", "quality = 7", "[[units]] #4 'quality': expected a whole number at least -1 and at most 1, got 7"),
        ('at = "0403"', 'at = "0409"', "[[units]] #4 'at': '0409' is not a hex of the board (0101 to 0605)"),
        ('at = "0403"', "at = 403", "[[units]] #4 'at': expected the label of a hex, such as '0405', got 403"),
        ('at = "0403"', "at = []", "[[units]] #4 'at': expected at least 1, got 0"),
        ('at = "0403"', 'at = "0403"\naboard = "bunker"', "[[units]] #4: expected one of 'at', 'arrives', 'aboard' and 'inside', got 'at' and 'aboard'"),
        ('at = ["0101", "0102", "0202"]\n', "", "[[units]] #1: expected one of 'at', 'arrives', 'aboard' and 'inside': side 'allied' has no zone to set up in"),
        ("count = 3", "count = 2", "[[units]] #1 'at': expected 2 hexes, as 'count' says, got 3"),
        ("count = 3", "count = 101", "[[units]] #1 'count': expected a whole number from 1 to 100, got 101"),
        ("turn = 3", "turn = 9", "[[units]] #2 'arrives.turn': expected a turn up to 8, the last, got 9"),
        ("turn = 3", 'turn = "3"', "[[units]] #2 'arrives.turn': expected a whole number from 1 to 999, got '3'"),
        ('turn = 3, at = ["0101", "0102"]', 'turn = 3, at = "0099"', "[[units]] #2 'arrives.at': '0099' is not a hex of the board (0101 to 0605)"),
        ('aboard = "carrier"', 'aboard = "carier"', "[[units]] #3 'aboard': unknown unit 'carier'; did you mean 'carrier'?"),
        ('aboard = "carrier"', 'aboard = "bunker"', "[[units]] #3: 'a_rifle-1' is of another side than 'bunker', which holds it"),
        ('id = "bunker"', 'id = "queen"', "[[units]] #5 'id': 'queen' is already the id of [[units]] #4"),
        ('at = "0303"\n\n[[units]]', 'inside = "bunker"\n\n[[units]]', "[[units]] #5: 'bunker' holds itself"),
        ('hexes = ["0401:0605", "0303"]', 'hexes = ["0401:0705"]', "[[zones]] #1 'hexes' #1: '0705' is not a hex of the board (0101 to 0605)"),
        ('hexes = ["0401:0605", "0303"]', 'hexes = ["0401", ""]', "[[zones]] #1 'hexes' #2: expected a hex such as '0405' or a rectangle such as '0101:0510', got ''"),
        ('side = "german"\nhexes', 'side = "germany"\nhexes', "[[zones]] #1 'side': unknown side 'germany'; did you mean 'german'?"),
        ('hex = "0304"\n', "", "[[objectives]] #2: expected one of 'hex' and 'hexes', got neither"),
        ('hex = "0304"\n', 'hex = "0304"\nhexes = ["0101"]\n', "[[objectives]] #2: expected one of 'hex' and 'hexes', got both"),
        ("points = 10", "points = -1", "[[objectives]] #1 'points': expected a whole number from 0 to 1000000, got -1"),
        ("[victory]", "[victori]", "[victory]: missing; expected a table"),
        ("[victory]", "[victori]", "unknown key 'victori'; did you mean 'victory'?"),
        ("margin = 5", "margin = 500", "[victory] 'margin': expected a whole number at least 1 and at most 99, got 500"),
        ('attacker = "allied"', 'attacker = "allies"', "[victory] 'attacker': unknown side 'allies'; did you mean 'allied'?"),
        ('hex = "0303" }', 'hex = "0399" }', "[[victory.goals]] #1 'hex': '0399' is not a hex of the board (0101 to 0605)"),
        ('hero = "queen"', 'hero = "quen"', "'hero': unknown unit 'quen'; did you mean 'queen'?"),
        ('hero = "queen"', 'frozen = ["steam"]', "'frozen' #1: unknown terrain 'steam'; did you mean 'stream'?"),
        ('german = ["g_rifle"]', 'germn = ["g_rifel"]', "[replacements] 'germn': unknown side 'germn'; did you mean 'german'?"),
        ('german = ["g_rifle"]', 'germn = ["g_rifel"]', "[replacements] 'germn' #1: unknown unit type 'g_rifel'; did you mean 'g_rifle'?"),
        ('at = ["0101", "0102", "0202"]', 'at = ["0101", "0101", "0101"]', "[[units]] #1: overstacked: three units in 0101"),
    ],
)  # fmt: skip
def test_a_wrong_scenario_file_says_where_and_what_was_expected(old: str, new: str, problem: str) -> None:
    assert f"bocage.toml: {problem}" in scenario_problems((old, new))


def test_all_problems_of_a_scenario_file_are_reported_together() -> None:
    assert scenario_problems(
        ("turns = 8", 'turns = "eight"'),
        ('type = "g_panther"', 'type = "g_panter"'),
        ('at = "0403"', 'at = "0409"'),
        ("margin = 5", "margin = 0"),
        ("fog = true", "fogg = true"),
    ) == [
        "bocage.toml: 'turns': expected a whole number from 1 to 999, got 'eight'",
        "bocage.toml: [victory] 'margin': expected a whole number at least 1 and at most 99, got 0",
        "bocage.toml: [options]: unknown option 'fogg'; did you mean 'fog'?",
        "bocage.toml: [[units]] #4 'type': unknown unit type 'g_panter'; did you mean 'g_panther'?",
        "bocage.toml: [[units]] #4 'at': '0409' is not a hex of the board (0101 to 0605)",
    ]


def test_sides_that_are_missing_make_no_side_unknown() -> None:
    text = SCENARIO[: SCENARIO.index("[[sides]]")] + SCENARIO[SCENARIO.index("[[units]]") :]
    assert problems_of(lambda: scenario(text)) == ["bocage.toml: [[sides]]: missing; expected a list"]
    one = spoiled(SCENARIO, ('[[sides]]\nid = "german"\ntitle = "German"\nnations = ["german"]\n', ""))
    assert problems_of(lambda: scenario(one)) == ["bocage.toml: [[sides]]: expected at least 2, got 1"]


def test_a_wrong_id_is_reported_once_and_not_again_wherever_it_is_used() -> None:
    wrong = "expected an id of lower-case letters, digits, '-' and '_', 64 at most, got 7"
    assert scenario_problems(('id = "german"', "id = 7")) == [f"bocage.toml: [[sides]] #2 'id': {wrong}"]
    assert scenario_problems(('id = "bunker"', "id = 7")) == [f"bocage.toml: [[units]] #5 'id': {wrong}"]


def test_a_scenario_of_another_system_is_refused_at_once() -> None:
    assert scenario_problems(('system = "toy"', 'system = "panzer8"'), ("turns = 8", "turns = 0")) == [
        "bocage.toml: 'system': expected 'toy', got 'panzer8'"
    ]


def test_a_scenario_has_a_greatest_number_of_units() -> None:
    horde = '[[units]]\ntype = "g_rifle"\nside = "german"\ncount = 100\n\n' * 50
    assert scenario_problems(("[[zones]]", horde + "[[zones]]")) == [
        "bocage.toml: [[units]]: expected at most 5,000 units, got 5,010"
    ]


def test_units_that_are_too_many_make_no_unit_unknown() -> None:
    horde = '[[units]]\ntype = "g_rifle"\nside = "german"\n\n' * 5_000
    assert scenario_problems(("[[zones]]", horde + "[[zones]]")) == [
        "bocage.toml: [[units]]: expected at most 5000, got 5007"
    ]


def test_a_scenario_without_units_knows_no_unit() -> None:
    text = SCENARIO[: SCENARIO.index("[[units]]")] + SCENARIO[SCENARIO.index("[[zones]]") :]
    empty = spoiled(text, ("turns = 8", "turns = 8\nunits = []"))
    assert problems_of(lambda: scenario(empty)) == ["bocage.toml: 'hero': unknown unit 'queen'; none is allowed here"]


def test_the_zones_of_a_scenario_have_a_greatest_area() -> None:
    wide = ", ".join(['"0101:0605"'] * 8_400)
    assert scenario_problems(('"0401:0605"', wide)) == [
        "bocage.toml: [[zones]]: expected zones of at most 250,000 hexes in all"
    ]


def test_units_may_hold_one_another_but_not_without_end() -> None:
    chain = "".join(
        f'[[units]]\nid = "c{n}"\ntype = "fort"\nside = "german"\ninside = "c{n + 1}"\n\n' for n in range(9)
    )
    last = '[[units]]\nid = "c9"\ntype = "fort"\nside = "german"\nat = "0403"\n\n'
    assert scenario_problems(("[[zones]]", chain + last + "[[zones]]")) == [
        "bocage.toml: [[units]] #8: 'c0' is held more than 8 deep"
    ]
    ring = chain.replace('inside = "c3"', 'inside = "c1"')
    assert scenario_problems(("[[zones]]", ring + last + "[[zones]]"))[:3] == [
        "bocage.toml: [[units]] #8: 'c0' is held more than 8 deep",
        "bocage.toml: [[units]] #9: 'c1' holds itself",
        "bocage.toml: [[units]] #10: 'c2' holds itself",
    ]


def test_a_file_wrong_all_over_is_reported_within_bounds() -> None:
    horde = '[[units]]\ntype = "nobody"\nside = "nowhere"\nat = "9999"\n\n' * 2_000
    assert len(scenario_problems(("[[zones]]", horde + "[[zones]]"))) == MAX_PROBLEMS + 1


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A folder of content: one board, one scenario."""
    for name, folder, text in (("vire", "boards", BOARD), ("crossroads", "scenarios", SCENARIO)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return tmp_path


def from_shelf(shelf: Path, *changes: tuple[str, str]) -> Scenario[Sections, Details]:
    path = shelf / "scenarios" / "crossroads.toml"
    path.write_text(spoiled(SCENARIO, *changes), encoding="utf-8")
    return load_scenario(path, TOY, shelf / "boards")


def test_a_board_is_found_by_id_in_the_folder_of_boards(shelf: Path) -> None:
    battle = from_shelf(shelf)
    assert (battle.file, battle.board.digest) == ("crossroads.toml", SHEETS["vire"].board.digest)


def test_a_board_is_found_by_its_path_from_the_scenario(shelf: Path) -> None:
    (shelf / "scenarios" / "own.toml").write_text(spoiled(BOARD, ('id = "vire"', 'id = "mine"')), encoding="utf-8")
    assert from_shelf(shelf, ('board = "vire"', 'board = "../boards/vire.toml"')).board.id == "vire"
    assert from_shelf(shelf, ('board = "vire"', 'board = "own.toml"')).board.id == "mine"


@pytest.mark.parametrize(
    "path", ["/etc/passwd.toml", "../../secret.toml", "..\\\\boards\\\\vire.toml", "c:vire.toml", "a\\u0000.toml"]
)
def test_a_path_that_leads_away_from_the_scenario_is_refused(shelf: Path, path: str) -> None:
    problems = problems_of(lambda: from_shelf(shelf, ('board = "vire"', f'board = "{path}"')))
    assert len(problems) == 1
    assert problems[0].startswith(
        "crossroads.toml: 'board': expected a path inside the folder above the scenario's, got"
    )


def test_a_path_needs_a_scenario_that_is_a_file(shelf: Path) -> None:
    text = spoiled(SCENARIO, ('board = "vire"', 'board = "../boards/vire.toml"'))
    assert problems_of(lambda: load_scenario(text.encode(), TOY, shelf / "boards", "up.toml")) == [
        "up.toml: 'board': expected the id of a board: the path '../boards/vire.toml' has no file to start from"
    ]


NAMING = ('hero = "queen"', 'hero = "queen"\nnumbers = "winter.table.toml"\nsongs = ["a.txt", "a.txt"]')


def test_files_beside_a_scenario_belong_to_it(shelf: Path) -> None:
    folder = shelf / "scenarios"
    (folder / "winter.table.toml").write_text("cold = 1\n", encoding="utf-8")
    (folder / "a.txt").write_text("la la\n", encoding="utf-8")
    battle = from_shelf(shelf, NAMING)
    assert battle.files == {"winter.table.toml": "cold = 1\n", "a.txt": "la la\n"}
    (folder / "a.txt").write_text("la li\n", encoding="utf-8")
    changed = from_shelf(shelf, NAMING)
    assert changed.digest != battle.digest
    kept = load_scenario(spoiled(SCENARIO, NAMING).encode(), TOY, SHEETS, beside=battle.files)
    assert (kept.files, kept.digest) == (battle.files, battle.digest)
    assert [header.id for header in find_scenarios(folder)] == ["crossroads"]


def test_a_file_beside_a_scenario_that_cant_be_had_is_reported_with_its_key(shelf: Path) -> None:
    (shelf / "scenarios" / "a.txt").write_bytes(b"\xff")
    assert problems_of(lambda: from_shelf(shelf, NAMING)) == [
        "crossroads.toml: 'numbers': winter.table.toml: there is no such file",
        "crossroads.toml: 'songs' #1: a.txt: the file is not UTF-8 text (byte 0)",
        "crossroads.toml: 'songs' #2: a.txt: the file is not UTF-8 text (byte 0)",
    ]


@pytest.mark.parametrize("beside", [None, {"a.txt": "la"}])
def test_a_scenario_that_is_no_file_has_only_the_files_that_come_with_it(beside: dict[str, str] | None) -> None:
    text = spoiled(SCENARIO, NAMING).encode()
    found = problems_of(lambda: load_scenario(text, TOY, SHEETS, "up.toml", beside))
    assert found[0] == "up.toml: 'numbers': winter.table.toml: there is no such file beside the scenario"


@pytest.mark.parametrize("name", ["../a.txt", "/etc/passwd", ".hidden", "a/b", "a b"])
def test_only_plain_names_of_files_are_taken(shelf: Path, name: str) -> None:
    (problem,) = problems_of(lambda: from_shelf(shelf, ('hero = "queen"', f'hero = "queen"\nnumbers = "{name}"')))
    assert problem == f"crossroads.toml: 'numbers': expected the plain name of a file beside this one, got '{name}'"


def test_a_board_that_is_missing_is_answered_with_the_nearest(shelf: Path) -> None:
    assert problems_of(lambda: from_shelf(shelf, ('board = "vire"', 'board = "../vire"'))) == [
        "crossroads.toml: 'board': unknown board '../vire'; did you mean 'vire'?"
    ]
    assert problems_of(lambda: from_shelf(shelf, ('board = "vire"', 'board = "gone.toml"'))) == [
        "gone.toml: there is no such file"
    ]


def test_the_problems_of_a_board_are_reported_with_those_of_the_scenario(shelf: Path) -> None:
    (shelf / "boards" / "vire.toml").write_text(spoiled(BOARD, ('w = "woods"', 'w = "wods"')), encoding="utf-8")
    assert problems_of(lambda: from_shelf(shelf, ("margin = 5", "margin = 0"))) == [
        "crossroads.toml: [victory] 'margin': expected a whole number at least 1 and at most 99, got 0",
        "vire.toml: [legend] 'w': unknown terrain 'wods'; did you mean 'woods'?",
    ]


def test_a_board_file_bears_the_id_of_its_board(shelf: Path) -> None:
    (shelf / "boards" / "vire.toml").write_text(spoiled(BOARD, ('id = "vire"', 'id = "other"')), encoding="utf-8")
    assert problems_of(lambda: from_shelf(shelf)) == [
        "crossroads.toml: 'board': expected board 'vire' in vire.toml, got 'other'"
    ]


def test_a_scenario_without_a_board_is_checked_as_far_as_it_goes() -> None:
    assert scenario_problems(('board = "vire"', "board = 3"), ('type = "g_panther"', 'type = "g_panter"')) == [
        "bocage.toml: 'board': expected the id or the path of a board, got 3",
        "bocage.toml: [[units]] #4 'type': unknown unit type 'g_panter'; did you mean 'g_panther'?",
    ]


def test_a_listing_shows_good_files_and_names_what_is_wrong_with_the_others(shelf: Path) -> None:
    folder = shelf / "scenarios"
    (folder / "broken.toml").write_bytes(b"\xff\xfe")
    (folder / "copy.toml").write_text(SCENARIO, encoding="utf-8")
    (folder / "half.toml").write_text(spoiled(SCENARIO, ('id = "crossroads"\n', "")), encoding="utf-8")
    (folder / "notes.txt").write_text("not a scenario", encoding="utf-8")
    (folder / "folder.toml").mkdir()
    headers = {header.file: header for header in find_scenarios(folder)}
    assert list(headers) == ["broken.toml", "copy.toml", "crossroads.toml", "half.toml"]
    good = headers["copy.toml"]
    assert (good.id, good.system, good.title, good.turns, good.problems) == ("crossroads", "toy", "Crossroads", 8, ())
    assert [side.title for side in good.sides] == ["Allied", "German"]
    assert good.digest == scenario().digest
    assert [str(problem) for name in headers for problem in headers[name].problems] == [
        "broken.toml: the file is not UTF-8 text (byte 0)",
        "crossroads.toml: 'id': 'crossroads' is already the id of copy.toml",
        "half.toml: 'id': missing; expected an id of lower-case letters, digits, '-' and '_', 64 at most",
    ]
    assert (headers["broken.toml"].id, headers["half.toml"].id) == ("broken", "half")


def test_a_header_needs_neither_the_board_nor_the_words_of_the_system() -> None:
    header = read_header(spoiled(SCENARIO, ('board = "vire"', 'board = "gone"'), ("margin", "x")).encode())
    assert (header.file, header.board, header.problems) == ("<scenario>", "gone", ())


def test_a_listing_is_bounded(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(4):
        (shelf / "scenarios" / f"s{n}.toml").write_text("", encoding="utf-8")
    monkeypatch.setattr(scenarios, "MAX_FILES", 3)
    assert [header.file for header in find_scenarios(shelf / "scenarios")] == ["crossroads.toml", "s0.toml", "s1.toml"]


def test_a_folder_that_is_not_there_lists_nothing(tmp_path: Path) -> None:
    assert find_scenarios(tmp_path / "nowhere") == []


def test_a_scenario_can_not_be_changed() -> None:
    with pytest.raises(AttributeError):
        scenario().turns = 9  # type: ignore[misc]
    assert msgspec.structs.replace(scenario(), turns=9).turns == 9
