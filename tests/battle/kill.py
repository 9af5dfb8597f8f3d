"""The long form of the campaign with killed processes: `python -m tests.battle.kill --times 1000`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from sandtable.battle.storage.store import Store
from tests.battle.doomed import HastyStore, run


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--url", help="a database; a SQLite file in a temporary folder unless given")
    parser.add_argument("--broken", action="store_true", help="the build that answers too early: it must lose orders")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = asked.url or str(Path(folder) / "battles.db")
        toll = run(url, asked.times, HastyStore if asked.broken else Store)
    print(
        f"{toll.kills} kills, {toll.acknowledged} orders acknowledged, {toll.lost} lost, "
        f"{toll.unanswered} stored without an answer, {toll.damaged} battles damaged"
    )
    return 1 if toll.lost or toll.damaged else 0


if __name__ == "__main__":
    sys.exit(main())
