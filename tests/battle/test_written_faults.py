"""What the operator reads of a fault of ours."""

from __future__ import annotations

import logging

import pytest

from sandtable.battle.faults import write_down

LOG = logging.getLogger("sandtable.test")


def failing() -> Exception:
    try:
        raise ZeroDivisionError("the Tiger is in 0507")
    except ZeroDivisionError as error:
        return error


def test_a_fault_is_written_down_with_its_kind_and_place_and_its_text_only_for_debugging(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO, "sandtable.test"):
        write_down(LOG, "an order failed", failing())
    assert "an order failed: ZeroDivisionError in " in caplog.text
    assert "test_written_faults.py:16" in caplog.text
    assert "Tiger" not in caplog.text
    with caplog.at_level(logging.DEBUG, "sandtable.test"):
        write_down(LOG, "an order failed", failing())
    assert "Tiger" in caplog.text


def test_a_fault_that_comes_from_elsewhere_has_no_place(caplog: pytest.LogCaptureFixture) -> None:
    write_down(LOG, "a worker's task failed", MemoryError())
    assert "a worker's task failed: MemoryError in another process" in caplog.text
