"""The files that battles are kept in: their owner reads them and nobody else, for they hold seeds and hidden facts."""

from __future__ import annotations

import os
import stat
from pathlib import Path

OTHERS = stat.S_IRWXG | stat.S_IRWXO
NAMES = ("battles.sqlite", "house.key", "server.lock")
"""How the names begin of what a server keeps in its folder."""


def make_private(database: str) -> None:
    """The SQLite file of that path is there, with those that SQLite lays beside it, and only its owner can read it."""
    if not database or database.startswith((":memory:", "file:")):
        return
    try:
        # SQLite gives the files it makes beside this one the same mode
        os.close(os.open(database, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError:
        # whoever opens it is told why he can't
        return
    for name in (database, f"{database}-wal", f"{database}-shm"):
        _close_to_others(Path(name))


def private_folder(folder: Path) -> None:
    """The folder is there. It is closed to others when it is new or holds nothing but a server's files; one with other
    things in it stays as it is, since somebody may have opened it on purpose.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if all(one.name.startswith(NAMES) for one in folder.iterdir()):
        _close_to_others(folder)


def _close_to_others(path: Path) -> None:
    try:
        mode = path.stat().st_mode
        if mode & OTHERS and os.name != "nt":
            path.chmod(stat.S_IMODE(mode) & ~OTHERS)
    except OSError:
        # not there, or not ours: then its owner has decided who reads it
        return
