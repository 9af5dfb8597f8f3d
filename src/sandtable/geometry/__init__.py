"""Hexes, boards, movement reach and lines of sight, with no game in them."""

from functools import cache
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

from sandtable.geometry import point_sight, reach, sight, slope_sight
from sandtable.geometry.board import NO_FEATURES, Board, SideKey
from sandtable.geometry.grid import OFF_BOARD, HexId
from sandtable.geometry.hexes import DIRECTION_NAMES, DIRECTIONS, STEPS, Hex, HexSide, opposite
from sandtable.geometry.point_sight import LinePoint, PointSight
from sandtable.geometry.reach import Reach, Reacher
from sandtable.geometry.sight import Obstruction, SymbolSight, Trace, trace
from sandtable.geometry.slope_sight import SlopeSight

__all__ = [
    "DIRECTIONS",
    "DIRECTION_NAMES",
    "NO_FEATURES",
    "OFF_BOARD",
    "STEPS",
    "Board",
    "Hex",
    "HexId",
    "HexSide",
    "LinePoint",
    "Obstruction",
    "PointSight",
    "Reach",
    "Reacher",
    "SideKey",
    "SlopeSight",
    "SymbolSight",
    "Trace",
    "compiled",
    "interpreted",
    "opposite",
    "trace",
]

KERNELS = ("reach", "sight", "slope_sight", "point_sight")


def compiled() -> bool:
    """Whether all kernels in use are the compiled ones."""
    return all(
        isinstance(kernel.__loader__, ExtensionFileLoader) for kernel in (reach, sight, slope_sight, point_sight)
    )


@cache
def interpreted(name: str) -> ModuleType:
    """The named kernel loaded from its source, whatever is in use: the twin that the compiled one must agree with."""
    if name not in KERNELS:
        raise ValueError(f"no kernel {name!r}; there are {', '.join(KERNELS)}")
    spec = spec_from_file_location(f"{__name__}._interpreted_{name}", f"{__path__[0]}/{name}.py")
    if spec is None or spec.loader is None:  # pragma: no cover - a path that ends in .py always has a loader
        raise ImportError(f"no source for the kernel {name}")
    twin = module_from_spec(spec)
    spec.loader.exec_module(twin)
    return twin
