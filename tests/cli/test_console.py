"""`sandtable console`: a battle at the keyboard, by words piped in."""

from __future__ import annotations

import io
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandtable import registry
from sandtable.cli.chart import Chart
from sandtable.cli.desk import WORDS
from sandtable.cli.voice import Ear, Voice
from sandtable.content import shipped_scenarios
from sandtable.kernel.engine import begin
from sandtable.kernel.ids import NOWHERE
from sandtable.lab.situations import toml
from sandtable.lab.tables import open_table
from tests.cli.kit import Run, Said, refused
from tests.cli.test_odds import EXAMPLES

HOWTO = Path(__file__).parents[2] / "docs" / "howto" / "play-in-the-terminal.md"


def play(run: Run, scenario: object, *lines: str, sides: str = "human,greedy", more: tuple[object, ...] = ()) -> Said:
    said = run("console", scenario, "--sides", sides, "--seed", "1", *more, said="\n".join(lines))
    assert said.code == 0, said
    assert said.err == ""
    return said


def platoon(run: Run, *lines: str, more: tuple[object, ...] = ("--plain",)) -> str:
    """The tutorial against the computer, and what was said in answer to the lines."""
    return play(run, "pl-first-platoon", *lines, more=more).out


# a whole battle


def test_a_battle_is_played_to_its_end(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "game.rec"
    lines = ["s 0", "move 0607", *["end"] * 12]
    text = platoon(run, *lines, more=("--record", record))
    assert "The battle is over: German rear guard wins, tactical." in text
    assert f"The battle is kept in {record}." in text
    assert run("record", "verify", record).code == 0
    assert run("record", "show", record, "--json").json["outcome"]["winner"] == "german"


@pytest.mark.parametrize(
    "scenario",
    [pytest.param(header.id, marks=() if header.tutorial else pytest.mark.thorough) for header in shipped_scenarios()],
)
def test_every_scenario_can_be_watched(run: Run, scenario: str) -> None:
    said = play(run, scenario, sides="random,random")
    assert "The battle is over: " in said.out


def test_every_scenario_can_be_begun_by_people(run: Run, tmp_path: Path) -> None:
    for header in shipped_scenarios():
        said = run("console", header.id, "--hot-seat", "--seed", "1", said="u\nr\no\nmap\nend\nu\n")
        assert (said.code, said.err) == (0, ""), header.id


def test_the_prompt_says_turn_side_step_and_rule(run: Run) -> None:
    text = platoon(run)
    assert (
        "Turn 1, US advance guard, vehicle movement: "
        "Move vehicles, load, unload and overrun; then end the phase. (PL-506)"
    ) in text
    assert "turn 1 allied vehicle movement (PL-506)> u" in platoon(run, "u")


# looking


def test_units_are_listed_with_hexes_values_and_states(run: Run) -> None:
    plain = platoon(run, "s 0", "move 0607", "u")
    assert "unit 0, US advance guard M4/75 Sherman #0, hex 0607, values 11A 8 9 8." in plain
    drawn = platoon(run, "u german", more=())
    assert "G5  50mm AT gun #5    0804  8A 5 3 0" in drawn
    assert "A0 " not in drawn.split("u german")[1]


def test_the_map_is_drawn_with_odd_columns_half_a_hex_lower(run: Run) -> None:
    lines = platoon(run, "m", more=()).splitlines()
    top = next(n for n, line in enumerate(lines) if line.startswith("     01  02  03"))
    assert lines[top + 1].startswith(" 01  .       w       .")
    assert lines[top + 2][9:10] == "w"
    assert any("w woods" in line for line in lines)
    assert any("A allied, G german" in line for line in lines)


def test_the_map_is_told_in_words(run: Run) -> None:
    text = platoon(run, "map")
    assert "Terrain town: 0604, 0605, 0705." in text
    assert "All other hexes are clear." in text
    assert "Hex 0804: unit 5, German rear guard 50mm AT gun #5." in text


def test_plain_draws_nothing(run: Run) -> None:
    text = platoon(
        run,
        "u",
        "map",
        "s 0",
        "o",
        "move 0607",
        "hex 0605",
        "end",
        "end",
        "u",
        "log",
        "rules",
        "help",
        "r",
        "card 0",
        "forces",
        "show seen",
        "report standing",
    )
    assert "\x1b" not in text
    assert not any("\u2500" <= sign <= "\u259f" for sign in text)
    assert not any(line.startswith(" 01") for line in text.splitlines())


def test_the_console_tells_who_sees_what_and_who_threatens_whom(run: Run) -> None:
    text = platoon(run, "see 0309 0408", "see 0309 0604", "see 0309", "see", "see 0901 0101 0102", "see 0901")
    assert "0309 sees 0408." in text
    assert "0309 does not see 0604: town at 0605 (PL-706).\n  0309: level 0, clear\n" in text
    assert re.search(r"\n  \d: M4/75 Sherman #\d, hex 0309\n", text)
    assert text.count("say `see` with a hex, or with two") == 2
    assert "Nobody of yours who can spot sees 0901." in text
    text = platoon(run, "threats", "s 0309", "threats", "see 9999", "threats 0408")
    assert "say `threats` with a hex" in text
    assert "0309: no enemy you know of could attack there." in text
    assert "'9999' is not a hex of the board" in text
    assert re.search(r"\n  \d: Rifle platoon #\d, hex 0605: 0 against armor, 1.5 against others\n", text)


def test_a_hex_is_told_with_everything_in_it(run: Run, toy_system: Path) -> None:
    text = play(run, toy_system, "x 0105", "hex 0104", "hex 0999", "x").out
    for line in (
        "Hex 0105 (Old well): clear, level 0.",
        "Here: well.",
        "Roads lead N.",
        "On the S side: hedge.",
        "Objective: Well, 3 points.",
        "There is unit 2, Red guard red 2.",
        "'0999' is not a hex of the board (0101 to 0110)",
    ):
        assert line in text


def test_rules_are_read_at_the_table(run: Run) -> None:
    text = platoon(run, "rules PL-808", "rules 101", "rules", "rules PL-999")
    assert "PL-808  " in text
    assert "PL-101  " in text
    assert "PL-506  " in text
    assert "Panzer Leader has no rule 'PL-999'" in text


def test_the_log_holds_what_the_side_could_know(run: Run, toy_system: Path) -> None:
    text = play(run, toy_system, "bid 3", "log", "log 1").out
    assert "BidMade: side red, amount 3" in text
    assert "BidMade: side blue, amount 0" in text
    assert text.splitlines()[-1] == "BidsRevealed: red 3, blue 2, first red"


def test_the_page_names_every_command(run: Run) -> None:
    page = HOWTO.read_text(encoding="utf-8")
    help_text = platoon(run, "help")
    for words in {command: word for word, command in reversed(WORDS.items())}.values():
        assert f"`{words}" in page, words
        assert words in help_text, words


# asking


def test_a_card_tells_what_is_printed_and_what_the_unit_can_still_do(run: Run) -> None:
    drawn = platoon(run, "card 0", more=())
    assert "Unit 0, US advance guard M4/75 Sherman #0: M4/75 Sherman." in drawn
    assert re.search(r"  Attack: strength of its fire, [a-z ]+  +11  +\(PL-102\)", drawn)
    plain = platoon(run, "s 0", "move 0607", "c")
    assert "This segment, Movement spent: 3, rule PL-603." in plain
    assert "It can still, Movement points left: 5, rule PL-603." in plain


def test_a_card_of_an_enemy_tells_what_his_counter_shows(run: Run) -> None:
    text = platoon(run, "card 5")
    assert "Printed, Attack: strength of its fire, before distance and target: 8, rule PL-102." in text
    assert "It can still" not in text


def test_a_card_of_nobody_is_none(run: Run) -> None:
    assert "say `card` with a unit" in platoon(run, "card")
    foggy = ("--plain", "--option", "fog=on")
    assert "there is no unit '77'" in platoon(run, "card 77", more=foggy)


def test_a_marker_has_no_card(run: Run) -> None:
    assert "There is no card of that." in platoon(run, "card Flag")


def test_the_order_of_battle_is_told_with_what_is_left(run: Run) -> None:
    drawn = platoon(run, "forces german", more=()).split("forces german")[1]
    assert "German rear guard: 3 of 3 left\n  Infantry and engineers: 2 of 2 left\n    units 1 7\n" in drawn
    assert "US advance guard" not in drawn
    plain = platoon(run, "forces")
    assert "US advance guard, Tanks and assault guns: 2 of 2 left." in plain
    assert "US advance guard, Tanks and assault guns: unit 0, M4/75 Sherman #0, hex 0309." in plain


def test_units_and_hexes_are_shown_by_the_name_of_a_set(run: Run) -> None:
    text = platoon(run, "show", "show can m", "show objectives", "show held allied", "show held", "show sky")
    assert "  can move: Who can still move (PL-601)" in text
    assert "Who can still move (PL-601):\n  0: M4/75 Sherman #0, hex 0309\n" in text
    assert "Objectives (PL-1502):\n  hexes 0604 0605 0705" in text
    assert "Objectives of the US advance guard (PL-1502):\n  none" in text
    assert "there is nothing called 'held' to show; `show` lists what there is" in text
    assert "there is nothing called 'sky' to show" in text


def test_reports_are_read_by_their_name(run: Run) -> None:
    text = platoon(run, "report", "report losses", "report stand", "report weather")
    assert "  losses: Losses" in text
    assert "Losses.\nUS advance guard: 0." in text
    assert "Objectives, Le Mesnil, 0604: German rear guard, rule PL-1502." in text
    assert "there is no report 'weather'; `report` lists what there is" in text
    drawn = platoon(run, "report forces", more=())
    assert "US advance guard: 5 of 5\n  Tanks and assault guns  2 of 2  (PL-1503)" in drawn


# choosing


def test_a_unit_is_picked_by_number_code_name_or_hex(run: Run) -> None:
    for word in ("0", "A0", "a_m4_75-2", "0309"):
        assert "Selected: unit 0, US advance guard M4/75 Sherman #0, hex 0309." in platoon(run, f"s {word}"), word
    both = platoon(run, "s 0 6", "s")
    assert both.count("Selected: ") == 2
    assert "Nobody is selected." in both
    assert "there is no unit '77'" in platoon(run, "s 77")
    assert "there is no unit 'x'" in platoon(run, "s x")


def test_the_menu_says_what_can_be_done_and_why_the_rest_can_not(run: Run) -> None:
    text = platoon(run, "s 0")
    assert "  1: Move (say `move`): " in text
    assert "not now: Load: there is nobody here it can take aboard (PL-641)" in text
    assert "that is not your unit (PL-501)" in platoon(run, "s 1")


@pytest.mark.parametrize("line", ["move 0607", "mo 0607", "1 0607", "t 1 0607"])
def test_an_order_is_given_by_name_or_number(run: Run, line: str) -> None:
    assert "M4/75 Sherman #0 moves to 0607." in platoon(run, "s 0", line)


def test_targets_are_listed_and_chosen_by_number(run: Run) -> None:
    text = platoon(run, "s 0", "move", "1", "log")
    assert "  1: move M4/75 Sherman #0 to " in text
    assert "more: name a hex, for example `move " in text
    assert "M4/75 Sherman #0 moves to " in text


def test_a_hex_with_several_targets_asks_which(run: Run) -> None:
    text = platoon(run, "s 0 6", "move 0408", "move 1300", "move 999", "t 999", "t")
    assert "which of these? Say its number" in text
    assert "Move has no target '1300'" in text
    assert "Move has no target '999'" in text
    assert text.count("Move has no target '999'") == 2
    assert "the menu has no line 77" in platoon(run, "t 77 1")


def test_ready_lists_the_units_that_can_act(run: Run, toy_system: Path) -> None:
    text = platoon(run, "r")
    assert "  0: M4/75 Sherman #0, hex 0309" in text
    assert "  2: " not in text.split("> r")[1]
    bidding = play(run, toy_system, "r").out
    assert "Without picking a unit: Bid.\nNo unit has anything to do in this step.\n" in bidding
    alone = ("--option", "opportunity_fire=false")
    nobody = play(run, "pl-town-assault", "end", "end", "r", more=alone).out
    assert "No unit has anything to do in this step; `end` finishes it." in nobody


def test_what_is_written_down_is_listed_and_struck_out(run: Run, tmp_path: Path) -> None:
    column = Path(__file__).parents[1] / "browser" / "content" / "scenarios" / "pl-column.toml"
    lines = ["plans", "s 0106", "mission 0909", "y", "plans", "plans 2", "plans 1", "plans"]
    text = play(run, column, *lines).out
    assert text.count("You have written nothing down.") == 2
    assert "  1: indirect fire of 81mm mortar" in text
    assert " on 0909 (comes down in your segment of turn 2)" in text
    assert "nothing is written in line '2'; `plans` lists what is" in text
    assert "Mission struck out: 81mm mortar" in text


def test_what_means_nothing_is_told(run: Run) -> None:
    text = platoon(
        run, "sing", "9", "save", "resume", "order", 'order {"order": "Sing"}', "order [[", "odds", "odds sing"
    )
    assert "'sing' means nothing here" in text
    assert "the menu has no line 9" in text
    assert "say `save` with the name of a file" in text
    assert "say `resume` with the name of a file" in text
    assert "an order is written as JSON" in text
    assert "no kind of order 'Sing'" in text
    assert "say `odds` with a line of the menu" in text
    assert "'sing' has no target now" in text


def test_an_empty_line_says_again_where_we_are(run: Run) -> None:
    assert platoon(run, "", "u").count("Turn 1, US advance guard, vehicle movement:") == 2


def test_any_order_can_be_written_out(run: Run) -> None:
    text = platoon(run, 'order {"order": "MoveUnit", "unit": "a_m4_75-2", "path": ["0408"]}', 'order {"order": "Pass"}')
    assert "M4/75 Sherman #0 moves to 0408." in text
    assert "Not lawful: " in text


# odds

SHOT = ("bid 3", "bid 1", "s 2", "shoot")


def test_odds_come_before_the_dice(run: Run, toy_system: Path) -> None:
    lines = (*SHOT, "odds pass", "odds dodge", "pass", "n", "pass", "maybe", "y", "quit")
    drawn = play(run, toy_system, *lines, sides="human,human").out
    assert "to hit: 4" in drawn
    assert "a shot  (TOY-8)" in drawn
    assert "1/2  50.0 %  lost" in drawn
    assert "No dice: as far as your side knows, it happens as ordered." in drawn
    assert "Not done." in drawn
    assert "Please say y or n." in drawn
    assert drawn.count("Do it? y or n: ") == 3
    assert "Fired: unit 2, target 4, roll 3, needed 4" in drawn
    plain = play(run, toy_system, *SHOT, "odds pass", sides="human,human", more=("--plain",)).out
    assert "to hit, a shot: 4, rule TOY-8." in plain
    assert "Result lost: 1 in 2, 50.0 percent." in plain


def test_whoever_leaves_at_a_question_has_not_agreed(run: Run, toy_system: Path, tmp_path: Path) -> None:
    record = tmp_path / "game.rec"
    play(run, toy_system, *SHOT, "pass", sides="human,human", more=("--record", record))
    assert run("record", "show", record, "--json").json["orders"] == 3


def test_an_attack_is_shown_with_every_modifier_and_its_rule(run: Run, tmp_path: Path) -> None:
    situation = tomllib.loads(EXAMPLES[0])
    scenario = situation["scenario"]
    (tmp_path / "field.toml").write_bytes(toml(situation["board"], "board"))
    (tmp_path / "ambush.toml").write_bytes(toml({**scenario, "board": "field.toml"}, "scenario"))
    text = play(
        run, tmp_path / "ambush.toml", "s 0 1", "fire 0703", "y", "undo", sides="greedy,human", more=("--plain",)
    ).out
    assert "Attack strength, Panther G: A against armored, near: x2, rule PL-808." in text
    assert "Odds is 3-1." in text
    assert "Do it? y or n: y" in text
    assert "your latest order can't be taken back: it drew dice" in text
    assert "Panther G #0 fires at M4/75 Sherman #1 in 0703: 32 to 9, 3-1, die " in text
    refused_odds = play(run, tmp_path / "ambush.toml", "end", "s 1", "odds move", "odds 1", sides="greedy,human").out
    assert "Not lawful: " in refused_odds


# taking back, keeping, leaving


def test_a_move_that_showed_nothing_is_taken_back(run: Run) -> None:
    text = platoon(run, "s 0", "move 0607", "undo", "u", "undo", "end", "end", "undo")
    before, after = text.split("You took an order back.\n")
    assert "can't be taken back" not in before
    assert "M4/75 Sherman #0, hex 0309" in after
    assert after.count("your latest order can't be taken back") == 2


def test_what_was_taken_back_is_not_in_the_record(run: Run, tmp_path: Path) -> None:
    straight, changed = tmp_path / "straight.rec", tmp_path / "changed.rec"
    platoon(run, "s 0", "move 0607", "end", more=("--record", straight))
    platoon(run, "s 6", "move 0408", "undo", "s 0", "move 0607", "end", more=("--record", changed))
    assert changed.read_bytes() == straight.read_bytes()


def test_the_menu_says_whether_the_latest_order_can_be_taken_back(run: Run) -> None:
    before, after = platoon(run, "s 0", "o", "move 0607", "o").split("move 0607\n")
    assert "can be taken back (say `undo`)" not in before
    assert "  your latest order can be taken back (say `undo`)" in after


def test_nobody_takes_back_the_order_of_another(run: Run, toy_system: Path) -> None:
    text = play(run, toy_system, "bid 3", "undo", sides="human,human").out
    assert text.splitlines()[-1].startswith("your latest order can't be taken back")


def test_an_order_that_passed_the_decision_on_stands(run: Run, toy_system: Path) -> None:
    text = play(run, toy_system, *SHOT, "pass", "y", "undo", sides="human,human").out
    assert "You took an order back." not in text
    text = play(run, toy_system, "bid 3", "bid 1", "s 1", "move 0102", "undo", "s 1", "watch", sides="human,human").out
    assert "You took an order back." in text


def test_a_battle_laid_aside_goes_on(run: Run, tmp_path: Path) -> None:
    whole, kept, saved = tmp_path / "whole.rec", tmp_path / "kept.rec", tmp_path / "saved.rec"
    lines = ["s 0", "move 0607", "end", "end", *["end"] * 8]
    platoon(run, *lines, more=("--record", whole))
    platoon(run, *lines[:3], f"save {saved}", "quit", more=("--record", kept))
    assert kept.read_bytes() == saved.read_bytes()
    said = run("console", "--resume", kept, said="\n".join(lines[3:]))
    assert "The battle is over" in said.out
    assert kept.read_bytes() == whole.read_bytes()
    # from inside another battle
    text = platoon(run, f"resume {saved}", *lines[3:], more=())
    assert "The battle is over" in text
    assert saved.read_bytes() == whole.read_bytes()


def test_a_battle_of_another_table_is_not_taken_up(run: Run, toy_system: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved.rec"
    platoon(run, f"save {saved}")
    text = play(run, toy_system, f"resume {saved}", "resume nothing.rec", f"save {tmp_path}/no/such").out
    assert "the players at this table don't fit that battle" in text
    assert "nothing.rec: there is no such file" in text
    assert "in no folder that exists" in text


def test_nothing_of_the_dice_changes_in_a_battle_that_has_begun(run: Run, tmp_path: Path) -> None:
    assert "--option can't be changed" in refused(run("console", "--resume", tmp_path, "--option", "fog=on"))


def test_ctrl_c_keeps_the_battle(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Hand(io.StringIO):
        def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
            line = super().readline(size)
            if not line:
                raise KeyboardInterrupt
            return line

    monkeypatch.setattr("tests.cli.kit.io.StringIO", Hand)
    record = tmp_path / "game.rec"
    said = run("console", "pl-first-platoon", "--seed", "1", "--record", record, said="s 0\nmove 0607\n")
    assert said.code == 0
    assert "Stopped." in said.out
    assert run("record", "show", record, "--json").json["orders"] == 1


def test_a_fault_keeps_the_battle(run: Run, toy_system: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def choose(self, *_: Any) -> Any:
            raise ZeroDivisionError("tilt")

    monkeypatch.setattr(registry, "player", lambda name, system: Broken())
    record = tmp_path / "game.rec"
    said = run("console", toy_system, "--seed", "1", "--record", record, said="bid 2\n")
    assert said.code == 1
    assert "tilt" in said.err
    assert run("record", "show", record, "--json").json["orders"] == 1


def test_a_player_that_breaks_the_rules_is_named(run: Run, toy_system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Cheat:
        def choose(self, *_: Any) -> Any:
            from tests.kit.toy import Press

            return Press()

    monkeypatch.setattr(registry, "player", lambda name, system: Cheat())
    said = run("console", toy_system, "--sides", "greedy,human")
    assert "the greedy player of red gave an unlawful order" in refused(said)


def test_people_take_turns_at_one_keyboard(run: Run, toy_system: Path) -> None:
    text = run("console", toy_system, "--hot-seat", "--seed", "1", said="s 1\nbid 3\nu\n").out
    red, blue = text.split("The keyboard goes to Blue patrol.")
    assert "Red guard: Hold the line." in red
    assert "blue 3" not in red
    assert "amount 3" not in blue
    assert "B3  blue 3  0106" in blue
    assert "(TOY-2) [1]" not in blue


# at a real terminal


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_is_spoken_to_in_color(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.delenv("NO_COLOR", raising=False)
    voice = Voice(plain=False)
    voice.say("[bold]\x1b[31m red", "bold red")
    voice.clear()
    assert voice.width == 60
    assert "\x1b[1;31m[bold] [31m red\x1b[0m" in screen.getvalue()
    plain = Voice(plain=True)
    plain.say("words", "bold")
    plain.clear()
    assert screen.getvalue().endswith("words\n")


def test_a_live_keyboard_ends_with_its_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers: Iterator[str | EOFError] = iter(["  units ", EOFError()])

    def typed(prompt: str) -> str:
        answer = next(answers)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr("builtins.input", typed)
    ear = Ear(Voice(plain=True))
    assert ear.is_live
    assert ear.hear("> ") == "units"
    assert ear.hear("> ") is None


def test_a_map_wider_than_the_screen_is_cut_around_a_hex() -> None:
    table = open_table("pl-crossroads")
    state = begin(table.ruleset, table.scenario, {}, "1").state
    sides = table.ruleset.sides(state)
    chart = Chart(table.scenario, sides)
    pieces = table.ruleset.pieces(table.ruleset.view(state, sides[0]))
    for place, first in ((chart.board.parse("0101"), "01"), (chart.board.parse("3201"), "23"), (NOWHERE, "12")):
        lines = ["".join(text for text, _ in spans) for spans in chart.drawing(pieces, 45, place)]
        assert lines[0].split()[0] == first
        assert max(len(line) for line in lines if line[1:3].isdigit()) <= 45
        assert any("`map HEX` shows another part" in line for line in lines)


def test_the_page_on_panzer8_quotes_what_the_console_says(run: Run) -> None:
    page = Path(__file__).parents[2] / "docs/play/panzer8.md"
    words = "select sherman-1\nmove 1008\n589\nquit\n"
    said = run("console", "p8-mill-road", "--sides", "human,greedy", "--seed", "3", "--plain", said=words).out
    blocks = re.findall(r"```\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 3
    assert [block for block in blocks if block not in said] == []


def test_the_page_on_panzer_44_quotes_what_the_console_says(run: Run) -> None:
    page = Path(__file__).parents[2] / "docs/play/panzer-44.md"
    words = [
        *("select u_m4-2", "plot fire 1007", "y", "select u_81-1", "plot indirect 1007", "y"),
        *("select u_m4-3 u_rifle-2", "plot move 1", "seal", "select u_m4-3", "move 0806", "end", "quit"),
    ]
    command = ("console", "p44-farm-lane", "--sides", "human,greedy", "--seed", "8", "--plain")
    said = run(*command, said="\n".join([*words, ""])).out
    blocks = re.findall(r"```\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 4
    assert [block for block in blocks if block not in said] == []


def test_a_verb_of_several_words_is_understood_with_its_target(run: Run) -> None:
    words = "select sherman-1\nodds advance fire 9\nadvance\nquit\n"
    said = run("console", "p8-mill-road", "--sides", "human,greedy", "--seed", "3", "--plain", said=words).out
    assert "Move and fire has no target '9'" in said
    assert "Move and fire:" in said


def test_the_page_on_3d_panzerblitz_quotes_what_the_console_says(run: Run) -> None:
    page = Path(__file__).parents[2] / "docs/play/panzerblitz-3d.md"
    words = "first 1\nplot 1006\ny\nseal\ny\nend\nquit\n"
    said = run("console", "pb3-krutoi-log", "--sides", "human,greedy", "--seed", "guide", "--plain", said=words).out
    blocks = re.findall(r"```\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 3
    assert [block for block in blocks if block not in said] == []


def test_the_page_on_panzer_battles_quotes_what_the_console_says(run: Run) -> None:
    page = Path(__file__).parents[2] / "docs/play/panzer-battles.md"
    words = "select su-t2\nquit\n"
    said = run("console", "pb-kalinovka", "--sides", "human,greedy", "--seed", "3", "--plain", said=words).out
    (block,) = re.findall(r"```\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert block in said


def test_the_first_battle_of_panzer_battles_is_played_to_its_result(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "kalinovka.rec"
    first = ("select su-t1", "travel", "select su-5", "move 0707", "select su-t2", "move 0809", "report command")
    later = ("select su-t2", "keep_firing 1408", "end")
    words = "\n".join((*first, "end", *later * 7, "quit"))
    at = ("--sides", "human,greedy", "--seed", "3", "--plain", "--record", record)
    said = run("console", "pb-kalinovka", *at, said=words)
    assert said.code == 0
    for line in (
        "Lieutenant Zaitsev's platoon deploys",
        "5th Company moves to 0707",
        "hex 0309: 5 of 5 vehicles, 115 of 115 points",
        "Visibility: 10 hexes, 2500 m",
        "Turn 8, 11:30, visibility 10: German rifle company",
        "The battle is over with a score of",
    ):
        assert line in said.out
    assert re.search(r"The battle is over: .* wins, (major|minor) victory\.|The battle is over: a draw\.", said.out)
    assert run("record", "verify", record).code == 0
