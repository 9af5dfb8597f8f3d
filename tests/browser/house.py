"""A server as a player starts it, with the tests' own content besides: scenarios in which things happen at once, the
toy system of the kernel's tests, and a computer player that thinks until it is told to stop.

python -m tests.browser.house serve --no-browser --port PORT --data FOLDER

What is added is added on import, so that the worker processes of the server know of it as well.
"""

from __future__ import annotations

import sys
from importlib.resources.readers import MultiplexedPath
from pathlib import Path
from typing import Any

from sandtable import registry
from sandtable.battle import library as battle_library
from sandtable.cli.__main__ import main
from sandtable.content import library as content_library
from sandtable.registry import Room
from tests.kit import toy as toy_rules

CONTENT = Path(__file__).parent / "content"


def _add() -> None:
    shipped = content_library.shipped_folder

    def with_ours(name: str) -> Any:
        return MultiplexedPath(Path(str(shipped(name))), CONTENT / name)

    content_library.shipped_folder = with_ours
    battle_library.shipped_folder = with_ours  # type: ignore[attr-defined]
    toy = Room("toy", "Outpost Line", "TOY", toy_rules.TOY.info.rules_version, "tests.browser.outpost")
    registry.SYSTEMS = {**registry.SYSTEMS, toy.key: toy}
    registry.PLAYERS = {**registry.PLAYERS, "ponderer": ("tests.browser.ponderer", "Ponderer")}


_add()

if __name__ == "__main__":
    sys.exit(main())
