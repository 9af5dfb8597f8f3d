"""The tests of Panzer Battles throw scripted dice."""

from tests.kit.scripted import scripted

__all__ = ["scripted"]
