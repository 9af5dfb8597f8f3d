"""Sandtable: tactical wargame systems of the Second World War on one engine."""

from sandtable import compiled

__version__ = "0.1.0"

compiled.use()
