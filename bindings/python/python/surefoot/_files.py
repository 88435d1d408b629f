"""Motion files."""

from __future__ import annotations

import os
from typing import Iterable, Literal

from . import _surefoot
from ._surefoot import Clip


def load(
    path: str | os.PathLike[str],
    *,
    unit: float | str | None = None,
    up: str | None = None,
    fps: float | None = None,
    floor: float | str | None = None,
    rig: str | os.PathLike[str] | None = None,
    foot_points: Literal["mesh", "joints"] | None = None,
    skeleton: str | os.PathLike[str] | None = None,
    joints: str | None = None,
    rotations: str | None = None,
) -> Clip:
    """Load a motion file. What is not given is inferred, as by the command.

    ``unit`` is the length of one unit in metres, or a name such as "cm"; ``up`` the axis that points up; ``fps`` the
    frame rate where the file states a wrong one; ``floor`` a height in metres, a file, or "level", "plants" or "none";
    ``rig`` a rig file with corrected legs; ``foot_points`` where heel, ball and toe come from: "mesh", the skinned mesh
    if the file has one, or "joints". A ``surefoot.toml`` in the folder of the file, or above it, sets defaults.
    For a file of NumPy arrays, ``skeleton`` is a file with their bones, ``joints`` the order of their joints, such as
    "smpl-22", and ``rotations`` the form of their rotations, such as "xyzw".

    >>> clip = surefoot.load("walk.bvh", unit="cm")
    >>> clip.fps, clip.frames, clip.names[0]
    (60.0, 361, 'Hips')

    Raises FormatError where the content is wrong, and OSError where the file cannot be read.
    """
    more = dict(foot_points=foot_points, skeleton=skeleton, joints=joints, rotations=rotations)
    return _surefoot.load(path, unit=unit, up=up, fps=fps, floor=floor, rig=rig, **more)


def loads(
    data: bytes | bytearray | memoryview,
    name: str = "motion.bvh",
    *,
    unit: float | str | None = None,
    up: str | None = None,
    fps: float | None = None,
    floor: float | str | None = None,
    rig: str | os.PathLike[str] | None = None,
    foot_points: Literal["mesh", "joints"] | None = None,
    skeleton: str | os.PathLike[str] | None = None,
    joints: str | None = None,
    rotations: str | None = None,
) -> Clip:
    """Read the bytes of a motion file. ``name`` is for messages, and its ending names the format.

    >>> surefoot.loads(open("walk.bvh", "rb").read(), "walk.bvh")
    <Clip walk.bvh: 361 frames at 60 fps, 24 joints>
    """
    more = dict(foot_points=foot_points, skeleton=skeleton, joints=joints, rotations=rotations)
    return _surefoot.loads(bytes(data), name, unit=unit, up=up, fps=fps, floor=floor, rig=rig, **more)


def clean_many(clips: Iterable[Clip], *, jobs: int | None = None, **settings) -> list[Clip]:
    """Clean many clips in parallel, on all cores or on ``jobs`` threads. Settings are those of ``Clip.clean``.

    >>> clean = surefoot.clean_many([surefoot.load("walk.bvh"), surefoot.load("walk.bvh")])
    >>> [clip.frames for clip in clean]
    [361, 361]
    """
    return _surefoot.clean_many(list(clips), jobs or os.cpu_count() or 1, **settings)
