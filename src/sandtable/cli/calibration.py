"""`sandtable calibrate`: standard engagements played over and over, and whether their results are as they should be."""

from __future__ import annotations

import argparse

from sandtable import registry
from sandtable.cli.screen import columns, print_json
from sandtable.cli.trouble import CommandError
from sandtable.play.system import Calibrated

OUTSIDE = "outside"


def calibrate(asked: argparse.Namespace) -> int:
    """The measures stand on stdout; 1 when one of them leaves its band."""
    played = [
        one
        for key in registry.SYSTEMS
        if (calibration := registry.system(key).calibration) is not None
        for one in calibration(asked.runs, asked.seed, asked.only)
    ]
    if not played:
        raise CommandError(f"no engagement begins with '{asked.only}'")
    outside = [one for one in played if one.verdict == OUTSIDE]
    if asked.json:
        print_json({"runs": asked.runs, "seed": asked.seed, "measures": [one._asdict() for one in played]})
    else:
        print("\n".join(_told(played)))
    return 1 if outside else 0


def _told(played: list[Calibrated]) -> list[str]:
    rows = [("ID", "MEASURE", "BAND", "TUNED", "MEAN", "ERROR", "VERDICT")]
    rows += [
        (one.id, one.measure, f"{one.low:g} to {one.high:g}", f"{one.tuned:g}", *_cells(one), one.verdict)
        for one in played
    ]
    counts = {verdict: sum(one.verdict == verdict for one in played) for verdict in sorted({x.verdict for x in played})}
    summary = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    return [*columns(rows), f"{len(played)} measures: {summary}"]


def _cells(one: Calibrated) -> tuple[str, str]:
    if one.mean is None or one.error is None:
        return "-", "-"
    return f"{one.mean:.3g}", f"{one.error:.2g}"
