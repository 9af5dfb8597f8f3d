"""One server for a folder: a second one would give orders the first knows nothing of."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

LOCK = "server.lock"


class FolderTaken(Exception):
    """Another server keeps its battles there; the message is one sentence."""


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Nobody else holds the folder meanwhile; FolderTaken when somebody does. The lock ends with its process, in
    whatever way.
    """
    with open(folder / LOCK, "a+b", opener=_private) as file:
        if not _locked(file):
            raise FolderTaken(f"another server already keeps its battles in {folder}; stop it, or give --data FOLDER")
        try:
            yield
        finally:
            with suppress(OSError):
                _unlocked(file)


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


if sys.platform == "win32":
    import msvcrt

    def _locked(file: IO[bytes]) -> bool:
        file.seek(0)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlocked(file: IO[bytes]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _locked(file: IO[bytes]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _unlocked(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)
