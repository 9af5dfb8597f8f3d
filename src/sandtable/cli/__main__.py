"""Where `sandtable` and `python -m sandtable.cli` begin."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from sandtable.cli.parser import PROGRAM, parser
from sandtable.cli.trouble import FAULT, REFUSED, CommandError, printable, sentence

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of a command: 0 when it was done, 2 when it can't be, said in one sentence on stderr."""
    for stream in (sys.stdout, sys.stderr):
        # a terminal that can't show a letter shows a question mark; it does not stop the game
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        asked = parser().parse_args(arguments)
        module, function = asked.run.split(":")
        code: int = getattr(import_module(module), function)(asked)
        sys.stdout.flush()
        return code
    except SystemExit as end:
        # argparse has printed its help
        return int(end.code or 0)
    except CommandError as trouble:
        return _complain(printable(str(trouble)), REFUSED)
    except KeyboardInterrupt:
        return _complain("stopped", INTERRUPTED)
    except BrokenPipeError:
        # whoever read the answer has read enough; nothing may be written any more, not even at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        told = sentence(error)
        if told is not None:
            return _complain(told, REFUSED)
        if os.environ.get("SANDTABLE_TRACE") == "1":
            raise
        fault = printable(f"{type(error).__name__}: {error}")
        return _complain(f"a fault of the program, not yours: {fault} (SANDTABLE_TRACE=1 shows where)", FAULT)


def _complain(text: str, code: int) -> int:
    print(f"{PROGRAM}: {text}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
