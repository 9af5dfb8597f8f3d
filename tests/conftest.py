"""What holds for every test: its markers, one Hypothesis profile, and kernels that match their source."""

import importlib.util
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest
from hypothesis import settings

import run

# Lines are measured, and faults told with their lines, in Python source: what is compiled has a run of its own.
os.environ.setdefault("SANDTABLE_INTERPRETED", "1")

THOROUGH = os.environ.get("SANDTABLE_THOROUGH") == "1"

# Derandomized: a test that passes here passes everywhere. No deadline: a shared machine may stall at any example.
settings.register_profile("sandtable", deadline=None, derandomize=True, max_examples=100 if THOROUGH else 15)
settings.load_profile("sandtable")


class InterpretedKernels:
    """Finds the Python source of a kernel where Python would take the compiled file beside it."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        package, _, kernel = name.rpartition(".")
        if package != "sandtable.geometry" or kernel not in run.KERNELS:
            return None
        return importlib.util.spec_from_file_location(name, run.GEOMETRY / f"{kernel}.py")


if os.environ.get("SANDTABLE_PURE") == "1":
    sys.meta_path.insert(0, InterpretedKernels)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(*ids): the rules of a specification that this test carries")
    config.addinivalue_line("markers", "thorough: left out unless SANDTABLE_THOROUGH=1 (run.py test --thorough)")
    config.addinivalue_line("markers", "unmeasured: too long to be run while lines are measured")
    if os.environ.get("SANDTABLE_PURE") != "1" and (stale := run.stale_kernels()):
        names = ", ".join(path.name for path in stale)
        raise pytest.UsageError(
            f"not compiled from its source as it is now: {names}; `python3 run.py test` compiles anew, "
            "SANDTABLE_PURE=1 runs the source as it is"
        )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What takes long and seldom breaks waits for a thorough run; pytest counts it as deselected."""
    if not THOROUGH:
        left_out = [item for item in items if item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]
