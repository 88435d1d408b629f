"""Removes footskate from character motion: finds the foot contacts, holds the planted feet, measures the result.

>>> import surefoot
>>> clean = surefoot.load("walk.bvh").clean()
>>> clean.save("walk.clean.bvh")

The defaults and the written bytes are those of ``surefoot clean walk.bvh``. Arrays go in and out as well:
``surefoot.clean(rotations, root, offsets, parents, fps=30)``. Computation runs without the interpreter's lock, so that
threads work in parallel.
"""

from ._arrays import CleanArrays, clean, clean_positions, from_arrays, skate_metrics
from ._corpus import batch
from ._errors import FormatError
from ._files import clean_many, load, loads
from ._surefoot import Cleaner, Clip, __version__

__all__ = [
    "CleanArrays",
    "Cleaner",
    "Clip",
    "FormatError",
    "__version__",
    "batch",
    "clean",
    "clean_many",
    "clean_positions",
    "from_arrays",
    "load",
    "loads",
    "skate_metrics",
]
