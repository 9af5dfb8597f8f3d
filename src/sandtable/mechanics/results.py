"""Results tables: a die row and an odds column give a result."""

from __future__ import annotations

import msgspec


class ResultsTable(msgspec.Struct, frozen=True):
    """Columns by heading, rows by modified die; dice beyond the table fall on its outermost rows."""

    columns: tuple[str, ...]
    rows: dict[int, tuple[str, ...]]

    def clamped(self, die: int) -> int:
        """The nearest die the table has a row for."""
        return max(min(self.rows), min(max(self.rows), die))

    def result(self, column: str, die: int) -> str:
        """The cell under the column for the modified die."""
        row = self.rows.get(die) or self.rows[self.clamped(die)]
        return row[self.columns.index(column)]
