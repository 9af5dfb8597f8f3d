"""Files of older formats brought up to date, one format at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sandtable.content.problems import ContentError, Problem, shown

Table = dict[str, Any]
Migration = Callable[[Table], Table]

FORMAT: Final = 1
"""The format this version writes and reads without migration; the same number for every kind of file."""

MIGRATIONS: dict[str, dict[int, Migration]] = {"board": {}, "scenario": {}, "table": {}, "tutorial": {}}
"""MIGRATIONS[kind][n] makes a table of format n + 1 from one of format n; format 1 is the first."""


def migrate(file: str, kind: str, table: Table) -> Table:
    """The table in today's format; ContentError when its format is unknown or can't be brought up to date."""
    version = table.get("format")
    if type(version) is not int:
        got = "missing" if version is None else f"got {shown(version)}"
        raise _refused(file, f"{got}; expected {FORMAT}")
    if version > FORMAT:
        raise _refused(file, f"this file has format {shown(version)}, newer than the {FORMAT} this version reads")
    steps = MIGRATIONS.get(kind, {})
    for step in range(max(version, min(steps, default=FORMAT) - 1), FORMAT):
        if step not in steps:
            raise _refused(file, f"format {shown(version)} can't be read; expected {FORMAT}")
        try:
            table = steps[step](dict(table))
        except (LookupError, TypeError, ValueError, AttributeError):
            # an old file is not checked before it is migrated, so a wrong one shows itself here
            raise _refused(file, f"the file can't be brought from format {step} to format {step + 1}") from None
    return table


def _refused(file: str, message: str) -> ContentError:
    return ContentError([Problem(file, "'format'", message)])
