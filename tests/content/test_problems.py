"""Messages: one line each, all of them, with the name that was probably meant."""

import datetime
import pickle

import pytest

from sandtable.content.problems import MAX_PROBLEMS, ContentError, Findings, Problem, quoted, shown, suggestion


def test_a_problem_names_the_file_the_place_and_what_was_expected() -> None:
    problem = Problem("bocage.toml", "[[units]] #4 'type'", "unknown unit type 'g_panter'; did you mean 'g_panther'?")
    assert str(problem) == ("bocage.toml: [[units]] #4 'type': unknown unit type 'g_panter'; did you mean 'g_panther'?")
    assert str(Problem("bocage.toml", "", "there is no such file")) == "bocage.toml: there is no such file"


def test_an_error_lists_its_problems_and_survives_pickling() -> None:
    error = ContentError([Problem("a", "b", "c"), Problem("d", "", "e")])
    assert str(error) == "a: b: c\nd: e"
    assert pickle.loads(pickle.dumps(error)).problems == error.problems


def test_findings_without_a_problem_refuse_nothing() -> None:
    findings = Findings("a.toml")
    findings.raise_if_any()
    assert findings.problems == ()


def test_a_problem_from_elsewhere_keeps_its_file_and_one_without_a_file_gets_this_one() -> None:
    findings = Findings("a.toml")
    findings.take([Problem("b.toml", "", "x"), Problem("", "", "y")])
    assert [problem.file for problem in findings.problems] == ["b.toml", "a.toml"]


def test_problems_beyond_the_limit_are_counted_not_listed() -> None:
    findings = Findings("a.toml")
    for n in range(MAX_PROBLEMS + 5):
        findings.add_unknown(n, "letter", "aa", ["ab"])
    assert len(findings.problems) == MAX_PROBLEMS + 1
    assert str(findings.problems[-1]) == "a.toml: 5 more problems are not listed"


@pytest.mark.parametrize(
    ("value", "allowed", "advice"),
    [
        ("g_panter", ["g_panther", "g_rifle"], "; did you mean 'g_panther'?"),
        ("zzz", ["b", "a"], "; expected one of 'a', 'b'"),
        ("zzz", [], "; none is allowed here"),
        ("zzz", [f"a{n:02}" for n in range(13)], ", 'a11', …"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest_or_with_all_there_are(
    value: str, allowed: list[str], advice: str
) -> None:
    assert suggestion(value, allowed).endswith(advice)


def test_quoted_text_stays_on_one_line_and_short() -> None:
    assert quoted("a\n\x1b[31m") == r"'a\n\x1b[31m'"
    assert quoted("x" * 100) == "'" + "x" * 40 + "…'"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("text", "'text'"),
        (True, "true"),
        (12, "12"),
        (1 << 80, "a number of 81 bits"),
        (1.5, "1.5"),
        ({}, "a table"),
        ([], "a list"),
        (datetime.date(1944, 7, 9), "a date or time (1944-07-09)"),
    ],
)
def test_every_kind_of_value_can_be_shown(value: object, words: str) -> None:
    assert shown(value) == words
