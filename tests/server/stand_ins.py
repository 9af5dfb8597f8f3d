"""Jobs for worker processes that do not go well."""

from __future__ import annotations

import os
from threading import Event

from sandtable.server.workers import jobs


def echo(data: bytes, slot: int) -> bytes:
    """A job that goes well: the worker's name and what it was given."""
    return b"%d " % os.getpid() + data


def die(data: bytes, slot: int) -> bytes:
    """The worker falls dead."""
    os._exit(3)


def fail(data: bytes, slot: int) -> bytes:
    """The job raises an error."""
    raise ValueError(data.decode())


def hang(data: bytes, slot: int) -> bytes:
    """The worker hears nothing any more."""
    Event().wait()
    return b""


def listen(data: bytes, slot: int) -> bytes:
    """The worker goes on until it is told to stop."""
    turn = Event()
    while not jobs._is_stopped(slot):
        turn.wait(0.01)
    return b""


def hoard(data: bytes, slot: int) -> bytes:
    """The worker takes more memory than it may have, four gigabytes."""
    return b"+" + bytes(bytearray(4 << 30)[:1])


def scribble(data: bytes, slot: int) -> bytes:
    """The worker writes to the disk."""
    with open(data.decode(), "wb", buffering=0) as file:
        file.write(b"x" * 1000)
    return b"written"
