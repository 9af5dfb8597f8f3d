"""The kernel's tests throw scripted dice."""

from tests.kit.scripted import scripted

__all__ = ["scripted"]
