"""The commands are tested with a small system of their own, and with those that are shipped."""

from tests.cli.kit import run, toy_system

__all__ = ["run", "toy_system"]
