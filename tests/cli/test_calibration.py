"""`sandtable calibrate`: what it prints, and how it ends."""

from __future__ import annotations

from tests.cli.kit import Run, refused


def test_the_measures_of_an_engagement_stand_in_a_table_with_their_verdicts(run: Run) -> None:
    said = run("calibrate", "--runs", "4", "--only", "S1", "--seed", "a")
    assert said.code == 0
    first, *lines, last = said.out.splitlines()
    assert first.split() == ["ID", "MEASURE", "BAND", "TUNED", "MEAN", "ERROR", "VERDICT"]
    assert [line.split()[0] for line in lines] == ["S1", "S1"]
    assert last.startswith("2 measures: ")


def test_programs_get_every_measure_in_numbers(run: Run) -> None:
    said = run("calibrate", "--runs", "2", "--only", "H4", "--json")
    measures = said.json["measures"]
    assert [one["measure"] for one in measures] == ["men lost", "P(Disrupted)"]
    assert measures[0]["low"] == 2
    assert measures[0]["mean"] > 0


def test_the_same_seed_gives_the_same_means(run: Run) -> None:
    arguments = ("calibrate", "--runs", "3", "--only", "T3-2", "--json", "--seed", "b")
    assert run(*arguments).out == run(*arguments).out


def test_an_engagement_that_is_not_there_is_said_to_be_so(run: Run) -> None:
    assert refused(run("calibrate", "--only", "Q")) == "sandtable: no engagement begins with 'Q'"
