"""How the console speaks: in color on a terminal, in bare letters everywhere else, in whole sentences when asked to."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from typing import Any

Span = tuple[str, str]
"""A piece of a line and its style: a word of rich, or nothing."""

WIDEST = 1_000


class Voice:
    """The way to the player's eyes or ears; `plain` promises words only."""

    def __init__(self, plain: bool) -> None:
        self.plain = plain
        self._console: Any = None
        if not plain and sys.stdout.isatty():
            from rich.console import Console

            self._console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)

    @property
    def width(self) -> int:
        """How many letters fit on a line; what is not a terminal takes any line."""
        return shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDEST

    def say(self, text: str = "", style: str = "") -> None:
        """The line is told."""
        self.spans([(text, style)])

    def clear(self) -> None:
        """What stood on the terminal is out of sight, as far as the terminal lets it."""
        if self._console is not None:
            self._console.clear()

    def list(self, lines: Iterable[str], style: str = "") -> None:
        """The lines are told one after the other."""
        for line in lines:
            self.say(line, style)

    def spans(self, spans: Iterable[Span]) -> None:
        """The line made of these pieces is told."""
        clean = [(_printable(text), style) for text, style in spans]
        if self._console is None:
            print("".join(text for text, _ in clean).rstrip())
            return
        from rich.text import Text

        self._console.print(Text.assemble(*((text, style or "none") for text, style in clean)))


class Ear:
    """Where the player's words come from: a keyboard, or a file of commands."""

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self.is_live = sys.stdin.isatty()
        if self.is_live:
            self._edit_lines()
        elif hasattr(sys.stdin, "reconfigure"):
            # whatever is piped in, it is read as far as it can be
            sys.stdin.reconfigure(errors="replace")

    @staticmethod
    def _edit_lines() -> None:
        """Arrow keys work at the prompt where the system offers it."""
        import contextlib

        with contextlib.suppress(ImportError):
            import readline  # noqa: F401

    def hear(self, prompt: str) -> str | None:
        """What the player says next, or None when there is nothing more to come."""
        if self.is_live:
            try:
                return input(prompt).strip()
            except EOFError:
                self._voice.say()
                return None
        line = sys.stdin.readline(4096)
        if not line:
            return None
        self._voice.say(f"{prompt}{line.strip()}")
        return line.strip()


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text)
