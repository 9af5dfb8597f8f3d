"""Every ruleset passes every check, and gives the same battle in every process."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache

import pytest

from tests.conformance import broken, suite
from tests.kit.cases import Case, cases, marked_cases, short_cases, systems


@pytest.mark.parametrize("check", suite.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("case", marked_cases(), ids=str)
def test_every_ruleset_keeps_the_protocol(case: Case, check: Callable[[Case], None]) -> None:
    check(case)


@pytest.mark.parametrize("key", systems())
def test_every_registered_system_is_in_the_suite(key: str) -> None:
    assert key in {case.ruleset.info.key for case in cases()}


def test_no_two_cases_have_one_name() -> None:
    assert len({case.name for case in cases()}) == len(cases())


def replica(module: str, function: str, hash_seed: str) -> dict[str, str]:
    """The digests of the cases, computed by another process with another order of sets."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "tests.conformance.replica", module, function]
    done = subprocess.run(command, env=environment, capture_output=True, check=True, text=True)
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_the_same_seed_gives_the_same_battle_in_every_process() -> None:
    assert replica("tests.kit.cases", "short_cases", "1") == suite.digests(short_cases())


@cache
def digests() -> dict[str, str]:
    return suite.digests(cases())


@pytest.mark.thorough
@pytest.mark.unmeasured
@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_every_scenario_gives_the_same_battle_in_every_process(hash_seed: str) -> None:
    assert replica("tests.kit.cases", "cases", hash_seed) == digests()


@pytest.mark.parametrize("case", broken.cases(), ids=str)
def test_the_suite_catches_a_broken_ruleset(case: broken.BrokenCase) -> None:
    with pytest.raises(AssertionError, match=re.escape(case.complaint)):
        getattr(suite, case.check)(case.case)


def test_the_suite_catches_a_ruleset_that_depends_on_the_order_of_a_set() -> None:
    found = {json.dumps(replica("tests.conformance.broken", "unordered", seed)) for seed in ("1", "2", "3", "4")}
    assert len(found) > 1


def test_the_suite_catches_a_position_whose_ground_is_written_out() -> None:
    with pytest.raises(AssertionError, match=r"one ground that is codec\.Fixed; this one has 0"):
        suite.ground(broken.Groundless(3))
