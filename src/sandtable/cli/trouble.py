"""What went wrong, as one sentence for the person at the keyboard."""

from __future__ import annotations

REFUSED = 2
"""The exit code when what was asked for can't be done."""

FAULT = 1
"""The exit code when the program itself is at fault."""

_LONGEST = 600


class CommandError(Exception):
    """What was asked for can't be done; the message is one sentence that says why."""


def printable(text: str) -> str:
    """The text on one line, of bounded length, with nothing in it that could steer a terminal."""
    shown = "".join(sign if sign.isprintable() else " " for sign in text[: _LONGEST + 1])
    return " ".join(shown[:_LONGEST].split()) + (" …" if len(text) > _LONGEST else "")


def _clipped(name: str) -> str:
    return name if len(name) <= 200 else f"…{name[-200:]}"


def sentence(error: BaseException) -> str | None:
    """The sentence about an error that is no fault of the program, or None when it is one."""
    # these rooms are opened only when something has gone wrong: a command that works should start fast
    from sandtable.battle.battles import BattlesError
    from sandtable.content.problems import ContentError
    from sandtable.kernel.codec import CodecError
    from sandtable.lab.tables import LabError

    if isinstance(error, ContentError):
        more = len(error.problems) - 1
        rest = f" (and {more} more; `sandtable validate` lists them all)" if more else ""
        return printable(str(error.problems[0])) + rest
    if isinstance(error, OSError):
        place = f"{_clipped(str(error.filename))}: " if error.filename is not None else ""
        return printable(f"{place}{error.strerror or error}")
    if isinstance(error, (CommandError, LabError, BattlesError, CodecError)):
        return printable(str(error))
    return None
