"""Standard engagements played by the rules give the results that the numbers were tuned to."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.rulesets.panzer_battles.calibration import judging
from sandtable.rulesets.panzer_battles.calibration.field import BY_DAY
from sandtable.rulesets.panzer_battles.calibration.judging import (
    DIFFERENT,
    NOT_PLAYED,
    OUTSIDE,
    WITHIN,
    Row,
    calibrated,
    verdict,
)

ROW = Row("T", "two tanks", "tanks lost", 1.0, 3.0, 2.0)


@pytest.mark.thorough
@pytest.mark.parametrize("runs", [20, pytest.param(300, marks=pytest.mark.unmeasured)])
def test_no_measure_leaves_its_band(runs: int) -> None:
    found = list(calibrated(runs=runs, seed="1", only=""))
    assert [(one.id, one.measure, one.mean) for one in found if one.verdict in (OUTSIDE, NOT_PLAYED)] == []
    assert len(found) == 158


@pytest.mark.parametrize(
    ("mean", "error", "said"),
    [
        (2.0, 0.1, WITHIN),
        (3.2, 0.1, DIFFERENT),
        (3.4, 0.1, OUTSIDE),
        (0.6, 0.1, OUTSIDE),
        (2.31, 0.1, DIFFERENT),
        (2.31, 0.2, WITHIN),
        (2.29, 0.01, WITHIN),
    ],
)
def test_a_mean_is_judged_by_its_band_and_by_what_it_was_tuned_to(mean: float, error: float, said: str) -> None:
    assert verdict(ROW, mean, error) == said


def test_other_numbers_give_other_results(monkeypatch: pytest.MonkeyPatch) -> None:
    (before, _) = calibrated(runs=6, seed="test", only="H2")
    numbers: dict[str, Any] = {**BY_DAY, "combat": {"fire_lcv": 35, "fire_hcv": 175, "opfire_base_pct": 0}}
    monkeypatch.setattr("sandtable.rulesets.panzer_battles.calibration.field.NO_ANSWER", numbers)
    monkeypatch.setattr("sandtable.rulesets.panzer_battles.calibration.field._ground", _uncached("_ground"))
    monkeypatch.setattr("sandtable.rulesets.panzer_battles.calibration.field._opening", _uncached("_opening"))
    (after, _) = calibrated(runs=6, seed="test", only="H2")
    assert before.mean is not None
    assert after.mean is not None
    assert after.mean < before.mean / 5
    assert after.verdict == OUTSIDE


def _uncached(name: str) -> Any:
    from sandtable.rulesets.panzer_battles.calibration import field

    return getattr(field, name).__wrapped__


def test_an_engagement_without_a_script_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "ENGAGEMENTS", {})
    (one, _) = calibrated(runs=1, seed="test", only="S1")
    assert (one.mean, one.error, one.verdict) == (None, None, NOT_PLAYED)
