"""Sandtable: tactical wargame systems of the Second World War on one engine."""

__version__ = "0.1.0"
