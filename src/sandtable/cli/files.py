"""Files that are read whole or not at all, and written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from sandtable.cli.trouble import CommandError


def read_bytes(path: Path, most: int) -> bytes:
    """The bytes of a plain file, one more than allowed at most, so that whoever reads them can tell it is too large."""
    if not path.exists():
        raise CommandError(f"{path}: there is no such file")
    # a pipe or a device could keep the reader waiting for ever
    if not path.is_file():
        raise CommandError(f"{path}: this is {'a folder, not a file' if path.is_dir() else 'not a plain file'}")
    with path.open("rb") as stream:
        return stream.read(most + 1)


def write_bytes(path: Path, data: bytes) -> None:
    """The file holds the bytes, safe on disk; whatever goes wrong on the way, it holds all of the old ones."""
    folder = path.parent
    if "\0" in str(path):
        raise CommandError("a file name can't hold a null character")
    if path.is_dir() or not folder.is_dir():
        raise CommandError(f"{path}: this is {'a folder' if path.is_dir() else 'in no folder that exists'}")
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=".part", dir=folder)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        _as_if_plainly_written(path, name)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    _sync_folder(folder)


def _as_if_plainly_written(path: Path, name: str) -> None:
    """The new file has the rights of the old one, or those that the system gives to any new file."""
    if path.exists():
        mode = path.stat().st_mode & 0o777
    else:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    os.chmod(name, mode)


def _sync_folder(folder: Path) -> None:
    # the new name is durable only when the folder is; not every system can open a folder
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
